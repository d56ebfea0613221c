/* hull.c: convex hulls: making them out of what a caller has, and shapes out of them.
 *
 * A hull belongs to no world. Everything here but the last functions works without one, from any
 * thread; what rounding mode that thread is in shall not show in the hull. */
#include "lode/hull.h"

#include <limits.h>
#include <string.h>

#include "collide/hull.h"
#include "core/memory.h"
#include "core/os.h"
#include "world/check.h"
#include "world/shape.h"

void lode_hull_def_init(void *out_def, size_t size, uint32_t abi)
{
    lode_hull_def def = {.abi = LODE_ABI};
    if (lode__check_init(out_def, size, sizeof def, abi, __func__))
        memcpy(out_def, &def, sizeof def);
}

/* ---- reading the definition ---- */

/* What is made of it. */
typedef struct plan {
    lode__double3 *points;
    uint32_t point_count;
    lode__polygons faces; /* their arrays are null when there are none */
} plan;

static void free_plan(plan *plan)
{
    lode__free(plan->points, plan->point_count * sizeof *plan->points);
    lode__free(plan->faces.sizes, plan->faces.face_count * sizeof(uint32_t));
    lode__free(plan->faces.corners, plan->faces.corner_count * sizeof(uint32_t));
}

/* Points far out would make squares and volumes that no number holds. */
static bool is_point(const lode_real p[3])
{
    const lode_real most = (lode_real)1e12;
    return r_abs(p[0]) <= most && r_abs(p[1]) <= most && r_abs(p[2]) <= most;
}

static lode_status no_memory(const char *function)
{
    return lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
}

static lode_status copy_points(plan *plan, const lode_hull_def *def, const char *function)
{
    const char *at = (const char *)def->points;
    size_t stride = def->point_stride ? (size_t)def->point_stride : 3 * sizeof(lode_real);
    lode_status status = lode__check_not_null(at, function, "def.points");
    if (!status)
        status = lode__check(def->point_count >= 4, function, "def.point_count",
                             "must be at least 4");
    if (!status)
        status = lode__check(def->point_stride >= 0, function, "def.point_stride",
                             "must be at least 0");
    if (status)
        return status;
    plan->point_count = (uint32_t)def->point_count;
    plan->points = lode__alloc(plan->point_count * sizeof *plan->points);
    if (!plan->points)
        return no_memory(function);
    for (uint32_t i = 0; i < plan->point_count; ++i, at += stride) {
        lode_real p[3];
        memcpy(p, at, sizeof p);
        if (!is_point(p))
            return lode__check(false, function, "def.points",
                               "each number must be finite and within 1e12");
        plan->points[i] = d3(p[0], p[1], p[2]);
    }
    return LODE_OK;
}

static lode_status count_corners(plan *plan, const lode_hull_def *def, const char *function)
{
    int64_t corners = 0;
    lode_status status = lode__check(def->face_count >= 4, function, "def.face_count",
                                     "must be at least 4");
    if (!status)
        status = lode__check_not_null(def->face_corners, function, "def.face_corners");
    for (int f = 0; !status && f < def->face_count; ++f) {
        corners += def->face_sizes[f];
        status = lode__check(def->face_sizes[f] >= 3 && corners <= INT_MAX, function,
                             "def.face_sizes", "each must be at least 3");
    }
    plan->faces.face_count = (uint32_t)def->face_count;
    plan->faces.corner_count = (uint32_t)corners;
    return status;
}

/* Faces may be this far from plane and convex, as a share of the size, beside rounding. */
#define FACE_SHARE 1e-5

static double slack_of_faces(const plan *plan)
{
    lode__double3 lo = plan->points[0], hi = lo;
    for (uint32_t i = 1; i < plan->point_count; ++i) {
        lode__double3 p = plan->points[i];
        lo = d3(d_min(lo.x, p.x), d_min(lo.y, p.y), d_min(lo.z, p.z));
        hi = d3(d_max(hi.x, p.x), d_max(hi.y, p.y), d_max(hi.z, p.z));
    }
    double rounding = LODE__HULL_ROUNDING * lode__hull_scale(plan->points, plan->point_count);
    return 8 * rounding + FACE_SHARE * d3_most(d3_sub(hi, lo));
}

static lode_status copy_faces(plan *plan, const lode_hull_def *def, const char *function)
{
    lode__polygons *faces = &plan->faces;
    lode_status status = count_corners(plan, def, function);
    if (status) {
        faces->face_count = faces->corner_count = 0;
        return status;
    }
    faces->sizes = lode__alloc(faces->face_count * sizeof(uint32_t));
    faces->corners = lode__alloc(faces->corner_count * sizeof(uint32_t));
    if (!faces->sizes || !faces->corners)
        return no_memory(function);
    for (uint32_t f = 0; f < faces->face_count; ++f)
        faces->sizes[f] = (uint32_t)def->face_sizes[f];
    for (uint32_t i = 0; i < faces->corner_count; ++i) {
        int corner = def->face_corners[i];
        if (corner < 0 || corner >= def->point_count)
            return lode__check(false, function, "def.face_corners",
                               "each must be the index of a point");
        faces->corners[i] = (uint32_t)corner;
    }
    faces->points = plan->points;
    faces->point_count = plan->point_count;
    faces->slack = slack_of_faces(plan);
    faces->given = true;
    return LODE_OK;
}

static lode_status make(const lode_hull_def *def, lode_hull **out, const char *function)
{
    plan plan = {0};
    bool given = def->face_sizes != NULL;
    lode_status status = copy_points(&plan, def, function);
    if (!status && given)
        status = copy_faces(&plan, def, function);
    if (!status) {
        lode__hull_result result = given ? lode__hull_finish(&plan.faces, out)
                                         : lode__hull_build(plan.points, plan.point_count, out);
        status = result.status;
        if (status)
            lode__error(status, function,
                        status == LODE_ERROR_MEMORY ? ""
                        : given                     ? "def.face_corners"
                                                    : "def.points",
                        result.reason);
    }
    free_plan(&plan);
    return status;
}

lode_hull *lode_hull_create(const lode_hull_def *def)
{
    lode_hull *hull = NULL;
    if (lode__check_not_null(def, __func__, "def"))
        return NULL;
    if (def->abi != LODE_ABI) {
        lode__error(LODE_ERROR_ABI, __func__, "def",
                    "the definition does not come from lode_hull_def_default()");
        return NULL;
    }
    uint64_t saved = lode__fp_enter();
    make(def, &hull, __func__);
    lode__fp_leave(saved);
    return hull;
}

void lode_hull_release(lode_hull *hull)
{
    if (hull)
        lode__data_release(&hull->data);
}

/* ---- what it is ---- */

lode_mass lode_hull_get_mass(const lode_hull *hull, lode_real density)
{
    if (lode__check_not_null(hull, __func__, "hull") ||
        lode__check(is_at_least(density, 0), __func__, "density", lode__not_negative))
        return (lode_mass){0};
    return lode__mass_hull(density, hull);
}

int lode_hull_get_vertices(const lode_hull *hull, lode_vec3 *out_vertices, int capacity)
{
    if (lode__check_not_null(hull, __func__, "hull") ||
        lode__check_capacity(out_vertices, capacity, __func__, "out_vertices"))
        return 0;
    for (uint32_t v = 0; v < hull->vertex_count && (int)v < capacity; ++v)
        out_vertices[v] = hull->vertices[v];
    return (int)hull->vertex_count;
}

int lode_hull_get_face_count(const lode_hull *hull)
{
    return lode__check_not_null(hull, __func__, "hull") ? 0 : (int)hull->face_count;
}

int lode_hull_get_face(const lode_hull *hull, int face, int *out_corners, int capacity)
{
    if (lode__check_not_null(hull, __func__, "hull") ||
        lode__check(face >= 0 && (uint32_t)face < hull->face_count, __func__, "face",
                    "must be the number of a face") ||
        lode__check_capacity(out_corners, capacity, __func__, "out_corners"))
        return 0;
    const lode__hull_face *f = &hull->faces[face];
    for (uint32_t i = 0; i < f->count && (int)i < capacity; ++i)
        out_corners[i] = (int)hull->edges[f->first + i].origin;
    return (int)f->count;
}
