/* many_touch.c: what a pair with many manifolds touches with.
 *
 * 1. The mesh, or height field, is asked for the triangles in the shape's box, and each adds
 *    points, spheres, boxes and capsules looking at eight at a time; other meshes and planes have
 *    methods of their own. Of a mesh and a field, the field is asked.
 * 2. Points whose normals are alike become one manifold (many_cluster.c). */
#include "collide/many_touch.h"

#include "collide/collide.h"
#include "collide/custom.h"
#include "collide/shape_type.h"
#include "collide/touch.h"
#include "collide/triangle_lanes.h"

static lode_vec3 extents_of_sphere(const lode_real *size)
{
    return v3(size[0], size[0], size[0]);
}

static lode_vec3 extents_of_box(const lode_real *size)
{
    return v3(size[0], size[1], size[2]);
}

static lode_vec3 extents_of_capsule(const lode_real *size)
{
    return v3(size[0], size[0], size[0] + size[1]);
}

const lode__triangle_row lode__triangle_rows[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE] = {NULL, lode__lane_sphere, NULL, LODE__TRIANGLE_SPHERE, extents_of_sphere, 0},
    [LODE_BOX] = {NULL, lode__lane_box, lode__face_box, LODE__TRIANGLE_BOX, extents_of_box, 1},
    [LODE_CAPSULE] = {NULL, lode__lane_capsule, NULL, LODE__TRIANGLE_CAPSULE, extents_of_capsule,
                      0},
    [LODE_CYLINDER] = {lode__triangle_convex, NULL, lode__face_convex, 0, NULL, 0},
    [LODE_HULL] = {lode__triangle_convex, NULL, lode__face_convex, 0, NULL, 0},
    [LODE_CUSTOM] = {lode__triangle_convex, NULL, lode__face_convex, 0, NULL, 0},
};

/* --- the pair */

bool lode__many_first_is_mesh(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                              const lode__shape_data *data_b)
{
    lode_custom_collide_fn *none;
    bool custom = type_a == LODE_CUSTOM || type_b == LODE_CUSTOM;
    if (custom && !lode__custom_is_on_surface(type_a, data_a, type_b, data_b))
        return lode__custom_select(type_a, data_a, type_b, data_b, &none);
    return type_a == LODE_HEIGHTFIELD || (type_a == LODE_MESH && type_b != LODE_HEIGHTFIELD);
}

void lode__many_look(lode__many_view *v, const lode__collide *collide, const lode__pool *bodies,
                     const lode__pair *pair)
{
    const lode__pool *shapes = &collide->shapes;
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    v->kernels = collide->kernels;
    v->a = LODE__AT(shape, shapes, geometry, a);
    v->b = LODE__AT(shape, shapes, geometry, b);
    v->pose_a = LODE__AT(shape, shapes, pose, a);
    v->pose_b = LODE__AT(shape, shapes, pose, b);
    v->data_a = *LODE__AT(shape, shapes, data, a);
    v->data_b = *LODE__AT(shape, shapes, data, b);
    v->apart = v3_sub(LODE__AT(body, bodies, pose, v->a->body)->position,
                      LODE__AT(body, bodies, pose, v->b->body)->position);
    v->offset = v3_sub(v3_sub(v->pose_b->position, v->pose_a->position), v->apart);
    v->mesh_is_a = lode__many_first_is_mesh(v->a->type, v->data_a, v->b->type, v->data_b);
    v->gate_a = lode__gate_of(collide, a, b);
    v->gate_b = lode__gate_of(collide, b, a);
    v->reach = 0;
    v->parts = false;
    v->materials = lode__parts_of(collide, a, b);
    v->limited = v->materials.table != NULL;
}

/* --- which are near */

static lode__shape_view shape_of(const lode__mesh_query *query)
{
    return (lode__shape_view){query->size, query->rotation, query->solid.data};
}

/* Where triangles that the shape may touch come in, in the surface's frame. */
static lode_bounds box_around(const lode__mesh_query *query, uint32_t type)
{
    lode__shape_view shape = shape_of(query);
    lode__reach reach = lode__shape_types[type].reach(&shape);
    lode_vec3 middle = v3_add(query->center, reach.middle), half = reach.half, far = v3_abs(middle);
    lode_real grow = query_reach(query) +
                     8 * REAL_EPSILON * (far.x + far.y + far.z + half.x + half.y + half.z);
    half = v3_add(half, v3(grow, grow, grow));
    return (lode_bounds){v3_sub(middle, half), v3_add(middle, half)};
}

/* Of the slack, how much is for edges, beyond which a capsule's axis counts a little. Another part
 * is for a box's axes: of two gaps that differ by less, it may name the narrower one. */
#define NEAR_EDGE ((lode_real)0.001)

void lode__many_narrow(const lode__mesh_query *query, uint32_t type, lode__mesh_near *out)
{
    const lode__solid_lines *lines = query->lines;
    lode_vec3 half = lode__triangle_rows[type].extents(query->size);
    const lode_real extents[3] = {half.x, half.y, half.z};
    out->mesh = mesh_of(query->surface);
    out->center = query->center;
    out->slack = query_reach(query) + NEAR_EDGE * (half.x + half.y + half.z) +
                 LODE__AXIS_MARGIN * query->speculative;
    for (int i = 0; i < 3; ++i) {
        out->axis[i] = v3(lines->axis[i][0], lines->axis[i][1], lines->axis[i][2]);
        out->half[i] = extents[i];
    }
}

void lode__many_near(const lode__mesh_query *query, uint32_t type, lode__mesh_near *out)
{
    lode_bounds box = box_around(query, type);
    lode__many_narrow(query, type, out);
    lode__mesh_near_begin(out, mesh_of(query->surface), query->center, box.lower, box.upper);
}

/* --- triangles */

typedef struct visitor {
    const lode__mesh_query *query;
    const lode__triangle_row *row;
    uint32_t type;
    lode_real enough;
    lode_vec3 lo, hi;               /* the box that triangles come into, from the shape's centre */
    uint32_t triangles[LODE_LANES]; /* in the batch */
    lode__triangle_batch batch;
} visitor;

/* What lode__many_settle() may take back is not enough: what a solid that is behind a triangle, and
 * apart from it, was told, and a capsule's end that is behind a face. */
static bool has_enough(const visitor *v, uint32_t from)
{
    lode_real most = v->row->face ? REAL_MAX : v->query->solid.radius;
    const lode__mesh_points *points = v->query->out;
    const lode__mesh_word *last = points->word_count > 0 ? &points->words[points->word_count - 1]
                                                         : NULL;
    if (last && last->first == from && last->apart)
        return false;
    for (uint32_t i = from; i < points->count; ++i)
        if (points->items[i].depth > v->enough && points->items[i].depth <= most)
            return true;
    return false;
}

/* Bits of the edges that end at a hole because the gate is shut beyond. */
static uint8_t find_rim(const lode__mesh_query *query, uint32_t triangle)
{
    unsigned rim = 0;
    for (int e = 0; query->gate.accepts && e < 3; ++e) {
        uint32_t beyond = surface_neighbor(query->surface, triangle, e);
        if (beyond != LODE__NONE && !gate_opens(&query->gate, beyond >> 2))
            rim |= 1u << e;
    }
    return (uint8_t)rim;
}

static bool visit_alone(void *context, uint32_t triangle, const lode__triangle *t)
{
    const visitor *v = context;
    const lode__mesh_query *query = v->query;
    if (!gate_opens(&query->gate, triangle))
        return true;
    lode__mesh_side side = {.triangle = triangle, .t = *t, .rim = find_rim(query, triangle)};
    uint32_t before = query->out->count;
    side.n = surface_normal(query->surface, triangle, t);
    side.height = -v3_dot(side.n, side.t.v[0]);
    if (surface_two_sided(query->surface) && side.height < 0) {
        side.n = v3_neg(side.n);
        side.height = -side.height;
        side.back = true;
    }
    v->row->touch(query, &side);
    return !query->out->failed && !has_enough(v, before);
}

void lode__many_lane(const lode__mesh_query *query, lode__lane_fn *touch, uint32_t triangle,
                     const lode__triangle_batch *batch, int lane)
{
    lode__mesh_side side = triangle_lanes_side(batch, lane, triangle);
    side.rim = find_rim(query, triangle);
    touch(query, &side, batch, lane);
}

/* Unused lanes take the first triangle. */
static void run_batch(visitor *v)
{
    const lode__mesh_query *query = v->query;
    lode__triangle_batch_fn *kernel = query->kernels->triangle[v->row->kind];
    if (query->surface->type != LODE_MESH) {
        triangle_lanes_run(kernel, &v->batch);
        return;
    }
    const lode__solid_lines *solids[LODE_LANES];
    for (int lane = 0; lane < LODE_LANES; ++lane)
        solids[lane] = query->lines;
    for (int lane = v->batch.used; lane < LODE_LANES; ++lane)
        v->triangles[lane] = v->triangles[0];
    query->kernels->gather_triangles(mesh_of(query->surface), v->triangles, solids, &v->batch);
    kernel(&v->batch);
}

/* False: that is enough. */
static bool touch_batch(visitor *v)
{
    const lode__mesh_query *query = v->query;
    int used = v->batch.used;
    if (used == 0)
        return true;
    run_batch(v);
    v->batch.used = 0;
    for (unsigned lanes = triangle_lanes_touching(&v->batch, used); lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        uint32_t before = query->out->count;
        lode__many_lane(query, v->row->lane, v->triangles[lane], &v->batch, lane);
        if (query->out->failed || has_enough(v, before))
            return false;
    }
    return true;
}

static bool is_within(const lode__triangle *t, lode_vec3 lo, lode_vec3 hi)
{
    lode_vec3 least = v3_min(t->v[0], v3_min(t->v[1], t->v[2]));
    lode_vec3 most = v3_max(t->v[0], v3_max(t->v[1], t->v[2]));
    return (least.x <= hi.x) & (least.y <= hi.y) & (least.z <= hi.z) & (most.x >= lo.x) &
           (most.y >= lo.y) & (most.z >= lo.z);
}

static inline bool take_triangle(visitor *v, uint32_t triangle, const lode__triangle *t)
{
    if (!is_within(t, v->lo, v->hi) || !gate_opens(&v->query->gate, triangle))
        return true;
    v->triangles[v->batch.used] = triangle;
    triangle_lanes_set(&v->batch, v->batch.used, t);
    return ++v->batch.used < LODE_LANES || touch_batch(v);
}

static bool visit_batch(void *context, uint32_t triangle, const lode__triangle *t)
{
    return take_triangle(context, triangle, t);
}

/* Of a mesh. */
static bool take_near(visitor *v)
{
    const lode__mesh_query *query = v->query;
    lode__mesh_near near;
    v->batch.speculative = query->speculative;
    v->batch.two_sided = surface_two_sided(query->surface);
    v->batch.used = 0;
    lode__many_near(query, v->type, &near);
    while (query->kernels->mesh_near(&near))
        for (uint32_t i = 0; i < near.count; ++i) {
            if (!gate_opens(&query->gate, near.triangles[i]))
                continue;
            v->triangles[v->batch.used] = near.triangles[i];
            if (++v->batch.used == LODE_LANES && !touch_batch(v))
                return false;
        }
    return touch_batch(v);
}

/* The triangles near it; false: some were enough. */
static bool walk_triangles(visitor *v)
{
    const lode__mesh_query *query = v->query;
    const lode__shape_data *surface = query->surface;
    if (surface->type == LODE_MESH && v->row->lane)
        return take_near(v);
    lode_bounds box = box_around(query, v->type);
    if (v->row->touch)
        return lode__surface_walk(surface, query->center, box.lower, box.upper, visit_alone, v);
    triangle_lanes_begin(&v->batch, query);
    v->lo = v3_sub(box.lower, query->center);
    v->hi = v3_sub(box.upper, query->center);
    return lode__surface_walk(surface, query->center, box.lower, box.upper, visit_batch, v) &&
           touch_batch(v);
}

void lode__many_settle(const lode__mesh_query *query, lode__mesh_face_fn *face)
{
    if (!face) {
        lode__mesh_settle_capsule(query);
        return;
    }
    lode__mesh_settle(query, face);
    if (query->out->count == 0 || query->out->any_stands_in) /* else nothing is in doubt */
        lode__mesh_explain(query);
    lode__mesh_complete(query);
}

/* A convex solid: triangle by triangle. */
static void touch_triangles(const lode__mesh_query *query, uint32_t type, lode_real enough)
{
    visitor v;
    lode__solid_lines lines = query_lines(query);
    lode__mesh_query with = *query;
    with.lines = &lines;
    v.query = &with;
    v.row = &lode__triangle_rows[type];
    v.type = type;
    v.enough = enough;
    if (!v.row->touch && !v.row->lane)
        return; /* this type does not touch meshes */
    mesh_words_begin(query->out);
    if (walk_triangles(&v))
        lode__many_settle(&with, v.row->face);
}

/* What is in it as a whole, and touches no triangle. */
static void touch_inside(const lode__mesh_query *query, uint32_t type)
{
    lode__shape_view shape = shape_of(query);
    if (query->surface->type == LODE_MESH && !query->other)
        lode__mesh_push_out(query);
    if (query->surface->type == LODE_HEIGHTFIELD && query->out->count == 0)
        lode__field_lift(query, lode__shape_types[type].reach(&shape).middle);
}

void lode__many_whole(const lode__mesh_query *query, uint32_t type)
{
    lode__mesh_deepen(query);
    touch_inside(query, type);
}

static void touch_plane(const lode__many_view *v, const lode__mesh_query *query,
                        const lode__shape_view *plane)
{
    lode_vec3 normal = view_normal(plane); /* in the mesh's axes */
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    lode_vec3 away = v->mesh_is_a ? v->offset : v3_neg(v->offset);
    lode_real offset = plane->size[3] + v3_dot(q_rotate(turn, normal), away);
    lode__mesh_touch_plane(query, normal, offset);
}

/* Points of two meshes, or of a mesh and a plane, go with the triangles that they name. */
static void drop_refused(const lode__gate *gate, const lode__gate *others, lode__mesh_points *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count; ++i)
        if (gate_opens(gate, out->items[i].triangle) &&
            (out->items[i].other == 0 || gate_opens(others, out->items[i].other - 1)))
            out->items[kept++] = out->items[i];
    out->count = kept;
}

void lode__many_ask(lode__mesh_query *query, const lode__many_view *v, lode_real speculative,
                    lode__mesh_points *out)
{
    const lode__pose *pose = v->mesh_is_a ? v->pose_a : v->pose_b;
    const lode__pose *shape = v->mesh_is_a ? v->pose_b : v->pose_a;
    const lode__geometry *g = v->mesh_is_a ? v->b : v->a;
    const lode__shape_data *other = v->mesh_is_a ? v->data_b : v->data_a;
    lode_vec3 away = v->mesh_is_a ? v->offset : v3_neg(v->offset);
    query->surface = v->mesh_is_a ? v->data_a : v->data_b;
    query->center = q_rotate_inv(pose->rotation, away);
    query->rotation = q_mul(q_conj(pose->rotation), shape->rotation);
    query->size = g->size;
    query->solid = convex_make(&lode__convex_types[g->type], g->size, other);
    query->other = type_is_surface(g->type) ? other : NULL;
    query->speculative = speculative;
    query->reach = v->reach;
    query->gate = v->mesh_is_a ? v->gate_a : v->gate_b;
    query->kernels = v->kernels;
    query->lines = NULL;
    query->cut = NULL;
    query->out = out;
}

static void surface_points(const lode__many_view *v, lode_real speculative, lode_real enough,
                           lode__mesh_points *out)
{
    uint32_t type = (v->mesh_is_a ? v->b : v->a)->type;
    lode__mesh_query query;
    lode__many_ask(&query, v, speculative, out);
    lode__shape_view shape = shape_of(&query);
    if (type == LODE_HEIGHTFIELD)
        return; /* two of them never touch */
    if (type == LODE_PLANE)
        touch_plane(v, &query, &shape);
    else if (query.other)
        lode__mesh_touch_mesh(&query, query.other);
    else
        touch_triangles(&query, type, enough);
    if (query.gate.accepts && (type == LODE_PLANE || query.other))
        drop_refused(&query.gate, v->mesh_is_a ? &v->gate_b : &v->gate_a, out);
    if (type != LODE_PLANE)
        lode__many_whole(&query, type);
    if (type != LODE_PLANE && v->parts)
        lode__mesh_part(&query);
}

void lode__many_points(const lode__many_view *v, lode_real speculative, lode_real enough,
                       lode__mesh_points *out)
{
    out->count = 0;
    out->failed = false;
    bool custom = v->a->type == LODE_CUSTOM || v->b->type == LODE_CUSTOM;
    if (custom && !lode__custom_is_on_surface(v->a->type, v->data_a, v->b->type, v->data_b))
        lode__custom_points(v, speculative, out);
    else
        surface_points(v, speculative, enough, out);
}
