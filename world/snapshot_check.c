/* snapshot_check.c: whether bodies and joints that were read can be worked with: as
 * collide/image_check.c for shapes and contacts. */
#include "core/math.h"
#include "world/snapshot.h"

static bool are_finite(const lode_real *x, int count)
{
    lode_real zero = 0;
    for (int i = 0; i < count; ++i)
        zero += x[i] - x[i];
    return zero == 0;
}

/* ---- bodies ---- */

typedef struct body_columns {
    const char *pose, *velocity, *force, *local, *traits, *flags, *idle, *rest, *axis;
} body_columns;

static body_columns columns_of(const lode__pool_image *bodies)
{
    return (body_columns){
        LODE__COLUMN(body, bodies, pose),   LODE__COLUMN(body, bodies, velocity),
        LODE__COLUMN(body, bodies, force),  LODE__COLUMN(body, bodies, local),
        LODE__COLUMN(body, bodies, traits), LODE__COLUMN(body, bodies, flags),
        LODE__COLUMN(body, bodies, idle),   LODE__COLUMN(body, bodies, rest),
        LODE__COLUMN(body, bodies, turn_axis),
    };
}

static bool motion_is_sound(const body_columns *columns, uint32_t body)
{
    lode__pose pose;
    lode_real velocity[8], force[8];
    LODE__LOAD(columns->pose, body, &pose);
    LODE__LOAD(columns->velocity, body, &velocity);
    LODE__LOAD(columns->force, body, &force);
    return v3_finite(pose.position) && q_is_rotation(pose.rotation) && are_finite(velocity, 8) &&
           are_finite(force, 8);
}

static bool mass_is_sound(const body_columns *columns, uint32_t body, bool dynamic)
{
    lode__local_mass local;
    LODE__LOAD(columns->local, body, &local);
    return r_finite(v3_dot(local.center, local.center)) && are_finite(local.inertia, 6) &&
           are_finite(local.inv_inertia, 6) && r_finite(local.mass) &&
           (dynamic ? local.mass > 0 && r_finite(1 / local.mass) : local.mass == 0);
}

static bool traits_are_sound(const body_columns *columns, uint32_t body)
{
    lode__traits traits;
    lode__idle idle;
    LODE__LOAD(columns->traits, body, &traits);
    LODE__LOAD(columns->idle, body, &idle);
    return lode__damping_is_possible(&traits.damping) && r_finite(traits.gravity_scale) &&
           traits.max_linear_speed >= 0 && traits.max_angular_speed >= 0 && idle.enabled <= 1;
}

/* One gyroscopic torque at most, and an axis of length 1, if any. */
static bool turning_is_sound(const body_columns *columns, uint32_t body, uint32_t flags)
{
    lode_vec3 axis;
    LODE__LOAD(columns->axis, body, &axis);
    lode_real square = v3_dot(axis, axis);
    int torques = !!(flags & LODE__BODY_GYROSCOPIC) + !!(flags & LODE__BODY_GYRO_EXPLICIT) +
                  !!(flags & LODE__BODY_GYRO_CONSERVING);
    return torques <= 1 && (v3_is_zero(axis) || r_abs(square - 1) < (lode_real)0.001);
}

static bool type_is_sound(const lode__snapshot *from, const body_columns *columns, uint32_t body,
                          uint32_t flags)
{
    lode__velocity velocity;
    LODE__LOAD(columns->velocity, body, &velocity);
    bool awake = lode__word_bit(from->awake, body), asleep = flags & LODE__BODY_ASLEEP;
    bool moves = flags_movable(flags) || travels(flags, &velocity);
    return (flags & (LODE__BODY_DYNAMIC | LODE__BODY_KINEMATIC)) !=
               (LODE__BODY_DYNAMIC | LODE__BODY_KINEMATIC) &&
           (!asleep || ((flags & LODE__BODY_DYNAMIC) && !awake)) &&
           (!asleep || !(flags & LODE__BODY_TO_SLEEP)) &&
           (!(flags & LODE__BODY_FROZEN) || !(awake || asleep)) && (awake || asleep || !moves);
}

static bool body_is_sound(const lode__snapshot *from, const body_columns *columns, uint32_t body)
{
    uint32_t flags;
    LODE__LOAD(columns->flags, body, &flags);
    return type_is_sound(from, columns, body, flags) && motion_is_sound(columns, body) &&
           mass_is_sound(columns, body, flags & LODE__BODY_DYNAMIC) &&
           traits_are_sound(columns, body) && turning_is_sound(columns, body, flags);
}

static bool is_asleep(const lode__snapshot *from, const body_columns *columns, uint32_t body)
{
    uint32_t flags;
    if (!lode__image_has(&from->bodies, body))
        return false;
    LODE__LOAD(columns->flags, body, &flags);
    return flags & LODE__BODY_ASLEEP;
}

/* A sleeping island is a ring of its bodies that rises to the highest and goes back to the lowest.
 * From each body that goes back its ring is walked. No two walks meet, because what follows would
 * be the same; so if they pass as many bodies as sleep, they pass each. */
static bool walk_ring(const lode__snapshot *from, const body_columns *columns, uint32_t first,
                      uint32_t last, uint32_t *passed)
{
    lode__rest rest = {first};
    for (uint32_t body = first; body != last; body = rest.next) {
        LODE__LOAD(columns->rest, body, &rest);
        if (rest.next <= body || !is_asleep(from, columns, rest.next))
            return false;
        ++*passed;
    }
    ++*passed;
    return true;
}

static bool rings_are_sound(const lode__snapshot *from, const body_columns *columns)
{
    uint32_t asleep = 0, passed = 0;
    for (uint32_t b = lode__image_next(&from->bodies, 0); b < from->bodies.end;
         b = lode__image_next(&from->bodies, b + 1)) {
        lode__rest rest;
        if (!is_asleep(from, columns, b))
            continue;
        ++asleep;
        LODE__LOAD(columns->rest, b, &rest);
        if (rest.next <= b && !(is_asleep(from, columns, rest.next) &&
                                walk_ring(from, columns, rest.next, b, &passed)))
            return false;
    }
    return passed == asleep;
}

bool lode__snapshot_bodies_are_sound(const lode__snapshot *from)
{
    body_columns columns = columns_of(&from->bodies);
    for (uint32_t b = 0; b < lode__words_of(from->bodies.end) << 6; ++b) {
        bool lives = lode__image_has(&from->bodies, b);
        if (lives ? !body_is_sound(from, &columns, b) : lode__word_bit(from->awake, b))
            return false;
    }
    return rings_are_sound(from, &columns);
}
