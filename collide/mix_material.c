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

/* A circle that slips as an ellipse has directions, too, and so has one that rolls more easily
 * about one direction: the first side's, or the second's where that has none. */
static lode__friction_side friction_of(const lode__material_rule *rule, int side,
                                       const lode_vec3 directions[2])
{
    share share = share_of(rule->friction_count, side);
    const lode_real *f = &rule->friction[share.first];
    lode_vec3 u = directions[side];
    bool rolls = rule->rolling[0] != rule->rolling[1] && (side == 0 || v3_is_zero(directions[0]));
    bool turned = share.two || share_of(rule->slip_count, side).two || rolls;
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
                                const lode_vec3 u[2], uint32_t points)
{
    lode__special out = {.bounce_speed = rule->bounce_velocity, .erp = rule->erp, .cfm = rule->cfm};
    lode_vec3 along[2];
    along[0] = contact_direction(m, m->normal);
    along[1] = v3_cross(m->normal, along[0]);
    for (int k = 0; k < 2; ++k) {
        lode_real sum = slip_along(rule, 0, u[0], along[k]) + slip_along(rule, 1, u[1], along[k]);
        out.slip[k] = r_min(sum / 2 * (lode_real)points, REAL_MAX);
    }
    for (int k = 0; k < 3; ++k)
        out.rolling[k] = rule->rolling[k];
    return out;
}

/* --- what shapes are made of */

lode__parts lode__parts_of(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b)
{
    if (collide->materials.names.count == 0)
        return (lode__parts){0};
    uint32_t a = *LODE__AT(shape, &collide->shapes, material, shape_a);
    uint32_t b = *LODE__AT(shape, &collide->shapes, material, shape_b);
    return (lode__parts){a || b ? &collide->materials : NULL, a, b};
}

static uint32_t material_of(const lode__collide *collide, uint32_t shape, uint32_t child)
{
    return material_at(&collide->materials, *LODE__AT(shape, &collide->shapes, material, shape),
                       *LODE__AT(shape, &collide->shapes, data, shape), child);
}

bool lode__manifold_materials(const lode__collide *collide, const lode__manifold *m,
                              uint32_t out_materials[2])
{
    out_materials[0] = out_materials[1] = 0;
    if (collide->materials.names.count > 0) {
        out_materials[0] = material_of(collide, m->shape_a, m->points[0].child_a);
        out_materials[1] = material_of(collide, m->shape_b, m->points[0].child_b);
    }
    return out_materials[0] || out_materials[1];
}

bool lode__manifolds_are_one(const lode__collide *collide, const lode__manifold *m,
                             const lode__manifold *other)
{
    uint32_t of_m[2], of_other[2];
    if (m->shape_a != other->shape_a || m->shape_b != other->shape_b ||
        m->normal.x != other->normal.x || m->normal.y != other->normal.y ||
        m->normal.z != other->normal.z)
        return false;
    lode__manifold_materials(collide, m, of_m);
    lode__manifold_materials(collide, other, of_other);
    return of_m[0] == of_other[0] && of_m[1] == of_other[1];
}

uint32_t lode__material_contacts(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b)
{
    bool swapped;
    lode__parts p = lode__parts_of(collide, shape_a, shape_b);
    return p.table ? lode__materials_find(p.table, p.a, p.b, &swapped)->max_contacts : UINT32_MAX;
}

/* --- one way */

int lode__material_immovable(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b)
{
    bool swapped;
    lode__parts p = lode__parts_of(collide, shape_a, shape_b);
    if (!p.table)
        return LODE_IMMOVABLE_NONE;
    const lode__material_rule *rule = lode__materials_find(p.table, own_material(p.table, p.a),
                                                           own_material(p.table, p.b), &swapped);
    return swap_immovable(rule->immovable, swapped);
}

/* --- all */

void lode__mix_material(const lode__collide *collide, lode__manifold *m, uint32_t slot,
                        const uint32_t materials[2], uint32_t points)
{
    bool swapped;
    const lode__material_rule *rule = lode__materials_find(&collide->materials, materials[0],
                                                           materials[1], &swapped);
    const uint32_t shapes[2] = {swapped ? m->shape_b : m->shape_a,
                                swapped ? m->shape_a : m->shape_b};
    lode_vec3 outward = swapped ? m->normal : v3_neg(m->normal), u[2]; /* the first side's */
    u[0] = direction_on(collide, shapes[0], outward, rule->rotation[0]);
    u[1] = direction_on(collide, shapes[1], v3_neg(outward), rule->rotation[1]);
    lode__friction_side first = friction_of(rule, 0, u), second = friction_of(rule, 1, u);
    lode__mix_friction(NULL, m, &first, &second);
    if (rule->friction_count == 1)
        m->friction[0] = m->friction[1] = rule->friction[0]; /* exactly */
    m->restitution = rule->bounce;
    lode__special now = special_by(rule, m, u, points);
    now.immovable = swap_immovable(rule->immovable, swapped);
    lode__special_give(collide, m, slot, &now);
}
