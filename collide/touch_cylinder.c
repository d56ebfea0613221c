/* touch_cylinder.c: cylinders against spheres and planes in closed form, against the others by the
 * general methods.
 *
 * On a plane a cylinder stands on four points of its rim that turn with it, or lies on the two ends
 * of a line. Features: 1 and 2 the lower and upper end of that line, as the axis points; 3..6 points
 * of the lower rim, 7..10 of the upper; 11 and 12 the deepest point of either rim. */
#include "collide/touch.h"
#include "collide/touch_convex.h"

enum { SIDE_LOWER = 1, SIDE_UPPER, RIM_FIRST, RIM_DEEPEST = RIM_FIRST + 8, RIM_POINTS = 4 };

/* Of the margin and of the smaller half size: depths that differ by less are equal. */
#define EQUAL_MARGIN ((lode_real)0.05)
#define EQUAL_SIZE ((lode_real)0.01)

/* --- against a sphere */

/* The normal out of the cylinder, in its axes, and how far outside the point is. */
static lode_vec3 leave_cylinder(const lode_real size[4], lode_vec3 at, lode_real *out_distance)
{
    lode_real from_axis = r_sqrt(at.x * at.x + at.y * at.y);
    lode_real across = from_axis - size[0], along = r_abs(at.z) - size[1];
    lode_vec3 outward = v3_normalize_or(v3(at.x, at.y, 0), v3(1, 0, 0));
    lode_vec3 upward = v3(0, 0, at.z < 0 ? -1 : 1);
    if (across > 0 && along > 0) { /* the rim is nearest */
        lode_vec3 apart = v3_add(v3_scale(outward, across), v3_scale(upward, along));
        *out_distance = v3_length(apart);
        return v3_normalize_or(apart, upward);
    }
    *out_distance = r_max(across, along);
    return across > along ? outward : upward;
}

void lode__touch_sphere_cylinder(const lode__shape_view *a, const lode__shape_view *b,
                                 lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_real radius = a->size[0], distance;
    lode_vec3 at = q_rotate_inv(b->rotation, v3_neg(offset));
    lode_vec3 normal = leave_cylinder(b->size, at, &distance);
    lode_real depth = radius - distance;
    if (!(depth > -speculative))
        return;
    out->normal = q_rotate(b->rotation, normal);
    touch_add(out, v3_scale(out->normal, depth / 2 - radius), depth, 1);
}

/* --- against a plane */

/* The plane in the cylinder's axes. */
typedef struct ground {
    lode_vec3 normal;
    lode_real height; /* of the cylinder's centre */
    lode_real speculative;
    lode_quat rotation;
} ground;

static void add_point(const ground *g, lode_vec3 at, uint32_t feature, lode__touch *out)
{
    lode_real depth = -(g->height + v3_dot(g->normal, at));
    if (depth > -g->speculative)
        touch_add(out, q_rotate(g->rotation, v3_madd(at, g->normal, depth / 2)), depth, feature);
}

/* Four points of the rim that turn with the cylinder, and the deepest one: it takes the place of the
 * nearest of them where they miss it by more than rounding, else the deepest of them its depth. */
static void stand(const ground *g, const lode_real size[4], lode_vec3 deepest, lode__touch *out)
{
    static const int8_t x[RIM_POINTS] = {1, 0, -1, 0}, y[RIM_POINTS] = {0, 1, 0, -1};
    uint32_t top = deepest.z > 0;
    lode_real equal = r_min(g->speculative * EQUAL_MARGIN, r_min(size[0], size[1]) * EQUAL_SIZE);
    lode_real depth = -(g->height + v3_dot(g->normal, deepest)), most = -REAL_MAX, near = -REAL_MAX;
    lode_vec3 at[RIM_POINTS];
    int nearest = 0;
    for (int k = 0; k < RIM_POINTS; ++k) {
        at[k] = v3(x[k] * size[0], y[k] * size[0], deepest.z);
        most = r_max(most, -(g->height + v3_dot(g->normal, at[k])));
        lode_real toward = at[k].x * deepest.x + at[k].y * deepest.y;
        nearest = toward > near ? k : nearest;
        near = r_max(near, toward);
    }
    bool missed = depth > most + equal;
    for (int k = 0; k < RIM_POINTS; ++k) {
        if (missed && k == nearest)
            add_point(g, deepest, RIM_DEEPEST + top, out);
        else
            add_point(g, at[k], RIM_FIRST + RIM_POINTS * top + (uint32_t)k, out);
    }
    for (int k = 0; k < out->count && !missed; ++k)
        out->depth[k] = out->depth[k] == most ? depth : out->depth[k];
}

void lode__touch_cylinder_plane(const lode__shape_view *a, const lode__shape_view *b,
                                lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    const lode_real *size = a->size;
    ground g = {.speculative = speculative, .rotation = a->rotation};
    out->normal = view_normal(b);
    g.normal = q_rotate_inv(a->rotation, out->normal);
    g.height = -v3_dot(out->normal, offset) - b->size[3];
    lode_vec3 n = g.normal, down = v3_normalize_or(v3(-n.x, -n.y, 0), v3(1, 0, 0));
    lode_vec3 at = v3(down.x * size[0], down.y * size[0], n.z > 0 ? -size[1] : size[1]);
    if (2 * n.z * n.z > 1) {
        stand(&g, size, at, out);
    } else {
        add_point(&g, v3(at.x, at.y, -size[1]), SIDE_LOWER, out);
        add_point(&g, v3(at.x, at.y, size[1]), SIDE_UPPER, out);
    }
}

/* --- by the general methods */

void lode__touch_cylinder_box(const lode__shape_view *a, const lode__shape_view *b,
                              lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_BOX], b->size, NULL), b->rotation,
                       offset, speculative, out);
}

void lode__touch_cylinder_capsule(const lode__shape_view *a, const lode__shape_view *b,
                                  lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_CAPSULE], b->size, NULL), b->rotation,
                       offset, speculative, out);
}

void lode__touch_cylinder_cylinder(const lode__shape_view *a, const lode__shape_view *b,
                                   lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_CYLINDER], b->size, NULL), b->rotation,
                       offset, speculative, out);
}
