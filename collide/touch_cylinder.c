/* touch_cylinder.c: cylinders against spheres and planes in closed form, against the others by the
 * general methods.
 *
 * On a plane a cylinder stands on four points of its rim that turn with it, or lies on the two ends
 * of a line. Features: 1 and 2 the lower and upper end of that line, as the axis points; 3..6
 * points of the lower rim, 7..10 of the upper; 11 and 12 the deepest point of either rim. */
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

/* The plane, and the cylinder's half axes in the world: x and y as long as the radius, z as half of
 * it is high. */
typedef struct ground {
    lode_vec3 normal;
    lode_vec3 x, y, z;
    lode_real up_x, up_y, up_z; /* along the normal */
    lode_real height;           /* of the cylinder's centre */
    lode_real speculative, equal;
} ground;

static void add_point(const ground *g, lode_vec3 at, lode_real depth, uint32_t feature,
                      lode__touch *out)
{
    if (depth > -g->speculative)
        touch_add(out, v3_madd(at, g->normal, depth / 2), depth, feature);
}

/* Four points of the rim that turn with the cylinder, and the deepest one, which is along (x, y):
 * it takes the place of the nearest of them where they miss it by more than rounding, else the
 * deepest of them its depth. */
static void stand(const ground *g, lode_real x, lode_real y, lode__touch *out)
{
    uint32_t top = g->up_z < 0;
    lode_vec3 end = top ? g->z : v3_neg(g->z);
    lode_real low = -(g->height - r_abs(g->up_z));
    const lode_vec3 at[RIM_POINTS] = {v3_add(end, g->x), v3_add(end, g->y), v3_sub(end, g->x),
                                      v3_sub(end, g->y)};
    const lode_real depth[RIM_POINTS] = {low - g->up_x, low - g->up_y, low + g->up_x,
                                         low + g->up_y};
    lode_real deepest = low - (x * g->up_x + y * g->up_y);
    lode_real most = r_max(r_max(depth[0], depth[1]), r_max(depth[2], depth[3]));
    int nearest = r_abs(x) >= r_abs(y) ? (x < 0 ? 2 : 0) : (y < 0 ? 3 : 1);
    bool missed = deepest > most + g->equal;
    for (int k = 0; k < RIM_POINTS; ++k) {
        uint32_t feature = RIM_FIRST + RIM_POINTS * top + (uint32_t)k;
        if (missed && k == nearest)
            add_point(g, v3_madd(v3_madd(end, g->x, x), g->y, y), deepest, RIM_DEEPEST + top, out);
        else
            add_point(g, at[k], depth[k], feature, out);
    }
    for (int k = 0; k < out->count && !missed; ++k)
        out->depth[k] = out->depth[k] == most ? deepest : out->depth[k];
}

/* On the two ends of the line that is lowest. */
static void lie(const ground *g, lode_real x, lode_real y, lode__touch *out)
{
    lode_vec3 middle = v3_madd(v3_scale(g->x, x), g->y, y);
    lode_real depth = -(g->height + x * g->up_x + y * g->up_y);
    add_point(g, v3_sub(middle, g->z), depth + g->up_z, SIDE_LOWER, out);
    add_point(g, v3_add(middle, g->z), depth - g->up_z, SIDE_UPPER, out);
}

void lode__touch_cylinder_plane(const lode__shape_view *a, const lode__shape_view *b,
                                lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_real radius = a->size[0], half = a->size[1];
    lode__mat3 m = m3_from_quat(a->rotation);
    lode_vec3 n = view_normal(b);
    ground g = {.normal = n,
                .x = v3(m.r0.x * radius, m.r1.x * radius, m.r2.x * radius),
                .y = v3(m.r0.y * radius, m.r1.y * radius, m.r2.y * radius),
                .z = v3(m.r0.z * half, m.r1.z * half, m.r2.z * half),
                .height = -v3_dot(n, offset) - b->size[3],
                .speculative = speculative,
                .equal = r_min(speculative * EQUAL_MARGIN, r_min(radius, half) * EQUAL_SIZE)};
    g.up_x = v3_dot(n, g.x);
    g.up_y = v3_dot(n, g.y);
    g.up_z = v3_dot(n, g.z);
    out->normal = n;
    lode_real square = g.up_x * g.up_x + g.up_y * g.up_y, x = 1, y = 0;
    if (square > 0) {
        lode_real over = -1 / r_sqrt(square);
        x = g.up_x * over;
        y = g.up_y * over;
    }
    lode_real along = m.r0.z * n.x + m.r1.z * n.y + m.r2.z * n.z;
    if (2 * along * along > 1)
        stand(&g, x, y, out);
    else
        lie(&g, x, y, out);
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
