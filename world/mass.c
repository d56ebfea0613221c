/* mass.c: the mass of a body.
 *
 * Shapes say mass, centre and inertia (collide/mass.h); they are added in the order of their slots
 * and then inverted. A sum of far-apart small solids can lose its least moment to rounding (two
 * marbles on a line 10 m apart): such an inertia gets a few units of rounding of its trace on its
 * diagonal until it can be inverted, which no measurement would notice.
 *
 * A body's pose line is that of its centre of mass c. When c moves by d (body axes) while the
 * body's matter keeps moving as it did, position and velocity become
 *
 *     x' = x + R d        v' = v + w x R d
 *
 * and everything measured from c, the centres of shapes and the frames of joints, is derived
 * again from what was given in the body's own frame, so that no rounding piles up. */
#include "world/mass.h"

#include "collide/mass.h"
#include "core/math.h"
#include "lode/body.h"
#include "world/card.h"
#include "world/check.h"

/* A centre so far that the square of its distance is no number cannot be turned with the body. */
bool lode__mass_local(const lode_mass *mass, lode__local_mass *out)
{
    *out = (lode__local_mass){.center = mass->center, .mass = mass->mass};
    for (int i = 0; i < 6; ++i)
        out->inertia[i] = mass->inertia[i];
    return mass->mass > 0 && r_finite(mass->mass) && r_finite(1 / mass->mass) &&
           r_finite(v3_dot(mass->center, mass->center)) &&
           s3_invert(out->inertia, out->inv_inertia);
}

/* As above, but forgives an inertia that rounding has made indefinite. */
static bool local_of_sum(lode_mass mass, lode__local_mass *out)
{
    lode_real trace = mass.inertia[0] + mass.inertia[1] + mass.inertia[2];
    lode_real lift = trace * 4 * REAL_EPSILON;
    for (int attempt = 0; attempt < 8; ++attempt, lift *= 2) {
        if (lode__mass_local(&mass, out))
            return true;
        for (int i = 0; i < 3; ++i)
            mass.inertia[i] += lift;
    }
    return false;
}

static void add_shape(lode_mass *sum, lode__matter matter)
{
    lode_mass mass = lode__mass_of(matter);
    if (matter.density > 0 && mass.mass != 0)
        *sum = sum->mass != 0 ? lode__mass_add(*sum, mass) : mass;
}

static lode__local_mass unit_mass(void)
{
    return (lode__local_mass){
        .mass = 1, .inertia = {1, 1, 1, 0, 0, 0}, .inv_inertia = {1, 1, 1, 0, 0, 0}};
}

static lode__matter matter_of(const lode__world *world, uint32_t shape)
{
    return (lode__matter){SHAPE(world, geometry, shape), *SHAPE(world, data, shape),
                          SHAPE(world, surface, shape)->density};
}

bool lode__mass_of_shapes(const lode__world *world, uint32_t body, const lode__matter *extra,
                          lode__local_mass *out)
{
    lode_mass sum = lode__mass_zero();
    if (extra)
        add_shape(&sum, *extra);
    uint32_t shape = BODY(world, links, body)->first_shape;
    while (shape != LODE__NONE) {
        add_shape(&sum, matter_of(world, shape));
        shape = SHAPE(world, links, shape)->next_shape;
    }
    if (sum.mass != 0)
        return local_of_sum(sum, out);
    *out = unit_mass();
    return true;
}

lode_pose lode__mass_shape_center(const lode__geometry *geometry, const lode__local_mass *local)
{
    return (lode_pose){v3_sub(geometry->pose.position, local->center), geometry->pose.rotation};
}

static void recenter_shapes(lode__world *world, uint32_t body)
{
    const lode__local_mass *local = BODY(world, local, body);
    uint32_t shape = BODY(world, links, body)->first_shape;
    ++world->collide.reshaped;
    while (shape != LODE__NONE) {
        lode__geometry *geometry = SHAPE(world, geometry, shape);
        geometry->center = lode__mass_shape_center(geometry, local);
        lode__card_renew(world, shape);
        lode__collide_unplace(&world->collide, shape);
        shape = SHAPE(world, links, shape)->next_shape;
    }
}

/* a + b, or a where that is beyond what numbers hold: what spins at 1e29 rad/s has no velocity a
 * metre away. */
static lode_vec3 add_finite(lode_vec3 a, lode_vec3 b)
{
    lode_vec3 sum = v3_add(a, b);
    return v3_finite(sum) ? sum : a;
}

static void move_center(lode__world *world, uint32_t body, lode_vec3 by)
{
    lode__pose *pose = BODY(world, pose, body);
    lode__velocity *velocity = BODY(world, velocity, body);
    lode_vec3 arm = q_rotate(pose->rotation, by);
    pose->position = add_finite(pose->position, arm);
    velocity->linear = add_finite(velocity->linear, v3_cross(velocity->angular, arm));
    lode__bits_set(&world->collide.posed, body);
    recenter_shapes(world, body);
    lode__joints_recenter(world, body);
}

void lode__mass_apply(lode__world *world, uint32_t body, const lode__local_mass *local)
{
    lode_vec3 shift = v3_sub(local->center, BODY(world, local, body)->center);
    *BODY(world, local, body) = *local;
    if (shift.x != 0 || shift.y != 0 || shift.z != 0)
        move_center(world, body, shift);
    lode__mass_turn(world, body);
    if (lode__body_is_link(world, body))
        lode__link_mass_changed(world, body);
}

void lode__mass_refresh(lode__world *world, uint32_t body)
{
    lode__local_mass local;
    uint32_t flags = *BODY(world, flags, body);
    if (!(flags & LODE__BODY_DYNAMIC) || (flags & LODE__BODY_MASS_GIVEN))
        return;
    if (!lode__mass_of_shapes(world, body, NULL, &local))
        local = unit_mass();
    lode__mass_apply(world, body, &local);
}

void lode__mass_turn(lode__world *world, uint32_t body)
{
    *BODY(world, inv_mass, body) = inv_mass_at(BODY(world, local, body),
                                               BODY(world, pose, body)->rotation);
}

lode__inv_mass lode__mass_inverse(const lode__world *world, uint32_t body)
{
    if (!lode__body_is_link(world, body))
        return *BODY(world, inv_mass, body);
    return inv_mass_at(BODY(world, local, body), BODY(world, pose, body)->rotation);
}

/* ---- the public functions ---- */

lode_mass lode_body_get_mass(lode_body body)
{
    lode__object b;
    lode_mass mass = {0};
    if (lode__open_body(&b, body, __func__))
        return mass;
    const lode__local_mass *local = BODY(b.world, local, b.slot);
    mass.mass = local->mass;
    mass.center = local->center;
    for (int i = 0; i < 6; ++i)
        mass.inertia[i] = local->inertia[i];
    return mass;
}

static lode_status open_dynamic(lode__object *b, lode_body body, const char *function)
{
    lode_status status = lode__open_body(b, body, function);
    return status ? status
                  : lode__check(body_is_dynamic(b->world, b->slot), function, "body",
                                "only a dynamic body has a mass");
}

lode_status lode_body_set_mass(lode_body body, const lode_mass *mass)
{
    lode__object b;
    lode__local_mass local;
    lode_status status = open_dynamic(&b, body, __func__);
    if (!status)
        status = lode__check_not_null(mass, __func__, "mass");
    if (!status)
        status = lode__check(lode__mass_is_possible(mass) && lode__mass_local(mass, &local),
                             __func__, "mass",
                             "must be finite and above 0, like its principal moments, of which "
                             "none may exceed the sum of the others");
    if (status)
        return status;
    *BODY(b.world, flags, b.slot) |= LODE__BODY_MASS_GIVEN;
    lode__mass_apply(b.world, b.slot, &local);
    lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

lode_status lode_body_set_mass_from_shapes(lode_body body)
{
    lode__object b;
    lode_status status = open_dynamic(&b, body, __func__);
    if (status)
        return status;
    *BODY(b.world, flags, b.slot) &= ~(uint32_t)LODE__BODY_MASS_GIVEN;
    lode__mass_refresh(b.world, b.slot);
    lode__body_touched(b.world, b.slot);
    return LODE_OK;
}
