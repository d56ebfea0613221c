/* mix_material.c: the contacts of shapes that have materials, by the world's table; see
 * lode/material.h, which says what is joined how. */
#include "collide/materials.h"
#include "collide/mix.h"
#include "simd/scalar_math.h"

/* --- directions of faces, in a shape's axes */

/* That lies across `n` all but for rounding: y, z, x of the faces along x, y, z. */
static lode_vec3 box_direction(lode_vec3 n)
{
    lode_vec3 size = v3_abs(n);
    if (size.x >= size.y && size.x >= size.z)
        return v3(0, 1, 0);
    return size.y >= size.z ? v3(0, 0, 1) : v3(1, 0, 0);
}

static lode_vec3 plane_direction(lode_vec3 n)
{
    lode_vec3 size = v3_abs(n);
    return size.x > size.y && size.x > size.z ? v3(0, 1, 0) : v3(1, 0, 0);
}

static lode_vec3 cylinder_direction(lode_vec3 n)
{
    bool flat = n.z * n.z > n.x * n.x + n.y * n.y;
    return flat ? v3(1, 0, 0) : v3_normalize_or(v3(-n.y, n.x, 0), v3(1, 0, 0));
}

typedef lode_vec3 direction_fn(lode_vec3 n);

static direction_fn *const directions[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_BOX] = box_direction,
    [LODE_PLANE] = plane_direction,
    [LODE_CYLINDER] = cylinder_direction,
};

/* --- sides */

/* Which of a rule's values are a side's: `two` along u and v, else the first in all directions. */
typedef struct share {
    uint32_t first;
    bool two;
} share;

static share share_of(uint32_t count, int side)
{
    static const share shares[4][2] = {
        {{0, false}, {0, false}},
        {{0, true}, {0, true}},
        {{0, true}, {2, false}},
        {{0, true}, {2, true}},
    };
    return shares[count - 1][side];
}

/* Unit, world, across the outward normal `n`; zero: the shape's type has none. */
static lode_vec3 direction_on(const lode__collide *collide, uint32_t shape, lode_vec3 n,
                              lode_real rotation)
{
    direction_fn *of_face = directions[LODE__AT(shape, &collide->shapes, geometry, shape)->type];
    lode_quat turn = LODE__AT(shape, &collide->shapes, pose, shape)->rotation;
    if (!of_face)
        return v3_zero();
    lode_vec3 u = q_rotate(turn, of_face(q_rotate_inv(turn, n)));
    u = v3_normalize_or(v3_madd(u, n, -v3_dot(n, u)), v3_zero());
    lode_real sine, cosine;
    lode__sincos(rotation, &sine, &cosine);
    return rotation == 0 ? u : v3_madd(v3_scale(u, cosine), v3_cross(n, u), sine);
}

/* A circle that slips as an ellipse has directions, too. */
static lode__friction_side friction_of(const lode__material_rule *rule, int side, lode_vec3 u)
{
    share share = share_of(rule->friction_count, side);
    const lode_real *f = &rule->friction[share.first];
    bool turned = share.two || share_of(rule->slip_count, side).two;
    return (lode__friction_side){{f[0], f[share.two && !v3_is_zero(u)]}, turned ? u : v3_zero()};
}

/* Of a side along a direction. */
static lode_real slip_along(const lode__material_rule *rule, int side, lode_vec3 u,
                            lode_vec3 direction)
{
    share share = share_of(rule->slip_count, side);
    const lode_real *slip = &rule->slip[share.first];
    if (!share.two || v3_is_zero(u))
        return slip[0];
    lode_real along = v3_dot(u, direction), square = r_min(along * along, 1);
    return slip[0] * square + slip[1] * (1 - square);
}

/* --- both sides */

static lode__special special_by(const lode__material_rule *rule, const lode__manifold *m,
                                const lode_vec3 u[2])
{
    lode__special out = {.bounce_speed = rule->bounce_velocity, .erp = rule->erp, .cfm = rule->cfm};
    lode_vec3 along[2];
    along[0] = contact_direction(m, m->normal);
    along[1] = v3_cross(m->normal, along[0]);
    for (int k = 0; k < 2; ++k) {
        lode_real sum = slip_along(rule, 0, u[0], along[k]) + slip_along(rule, 1, u[1], along[k]);
        out.slip[k] = r_min(sum / 2 * (lode_real)m->point_count, REAL_MAX);
    }
    for (int k = 0; k < 3; ++k)
        out.rolling[k] = rule->rolling[k];
    return out;
}

/* --- how many points */

/* The deepest are kept. */
typedef struct depth_limit {
    lode_real least;
    uint32_t ties; /* of just this depth */
} depth_limit;

static depth_limit limit_of(lode__manifold *const *manifolds, uint32_t count, uint32_t most)
{
    depth_limit limit = {(lode_real)__builtin_inf(), 0};
    while (limit.ties < most) {
        lode_real next = -(lode_real)__builtin_inf();
        uint32_t ties = 0;
        most -= limit.ties;
        for (uint32_t i = 0; i < count; ++i)
            for (int k = 0; k < manifolds[i]->point_count; ++k) {
                lode_real depth = manifolds[i]->points[k].depth;
                if (depth >= limit.least || depth < next)
                    continue;
                ties = depth == next ? ties + 1 : 1;
                next = depth;
            }
        limit = (depth_limit){next, ties};
    }
    limit.ties = most;
    return limit;
}

/* A contact all of whose points are too many is told of with its first, and bears nothing. */
static void keep_deepest(lode__manifold *m, depth_limit *limit)
{
    int kept = 0;
    for (int k = 0; k < m->point_count; ++k) {
        bool tie = m->points[k].depth == limit->least && limit->ties > 0;
        limit->ties -= tie;
        if (tie || m->points[k].depth > limit->least)
            m->points[kept++] = m->points[k];
    }
    m->idle |= kept == 0;
    m->point_count = kept ? kept : 1;
}

uint32_t lode__material_limit(const lode__collide *collide, lode__manifold *const *manifolds,
                              uint32_t count)
{
    bool swapped;
    uint32_t points = 0;
    uint32_t a = *LODE__AT(shape, &collide->shapes, material, manifolds[0]->shape_a);
    uint32_t b = *LODE__AT(shape, &collide->shapes, material, manifolds[0]->shape_b);
    const lode__material_rule *rule = lode__materials_find(&collide->materials, a, b, &swapped);
    for (uint32_t i = 0; i < count; ++i)
        points += (uint32_t)manifolds[i]->point_count;
    if ((!a && !b) || points <= rule->max_contacts)
        return points;
    depth_limit limit = limit_of(manifolds, count, rule->max_contacts);
    points = 0;
    for (uint32_t i = 0; i < count; ++i) {
        keep_deepest(manifolds[i], &limit);
        points += (uint32_t)manifolds[i]->point_count;
    }
    return points;
}

/* --- all */

void lode__mix_material(const lode__collide *collide, lode__manifold *m, uint32_t slot,
                        uint32_t material_a, uint32_t material_b)
{
    bool swapped;
    const lode__material_rule *rule = lode__materials_find(&collide->materials, material_a,
                                                           material_b, &swapped);
    const uint32_t shapes[2] = {swapped ? m->shape_b : m->shape_a,
                                swapped ? m->shape_a : m->shape_b};
    lode_vec3 outward = swapped ? m->normal : v3_neg(m->normal), u[2]; /* the first side's */
    u[0] = direction_on(collide, shapes[0], outward, rule->rotation[0]);
    u[1] = direction_on(collide, shapes[1], v3_neg(outward), rule->rotation[1]);
    lode__friction_side first = friction_of(rule, 0, u[0]), second = friction_of(rule, 1, u[1]);
    lode__mix_friction(NULL, m, &first, &second);
    if (rule->friction_count == 1)
        m->friction[0] = m->friction[1] = rule->friction[0]; /* exactly */
    m->restitution = rule->bounce;
    lode__special now = special_by(rule, m, u);
    lode__special_give(collide, m, slot, &now);
}
