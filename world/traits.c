/* traits.c: what most bodies leave at its default: the scale of gravity, speed limits, damping.
 *
 * A flag for each tells the solver which bodies to look at; it is derived here alone, whenever a
 * trait changes. A body without damping of its own has a copy of the world's, kept up to date by
 * lode_world_set_damping(). */
#include "core/math.h"
#include "lode/body.h"
#include "world/check.h"
#include "world/wake.h"

static const char positive[] = "must be at least 0";

/* clang-format off */
#define TRAITS(X) \
    /* field             argument  accepted         otherwise */ \
    X(gravity_scale,     scale,    r_finite(value), "must be finite") \
    X(max_linear_speed,  speed,    value >= 0,      positive) \
    X(max_angular_speed, speed,    value >= 0,      positive)
/* clang-format on */

static bool damps(const lode_damping *d)
{
    return d->linear_per_step != 0 || d->angular_per_step != 0 || d->linear_per_second != 0 ||
           d->angular_per_second != 0;
}

static void derive_flags(lode__world *world, uint32_t body)
{
    const lode__traits *traits = BODY(world, traits, body);
    lode__body_flag(world, body, LODE__BODY_SCALED, traits->gravity_scale != 1);
    lode__body_flag(world, body, LODE__BODY_LIMITED,
                    r_finite(traits->max_linear_speed) || r_finite(traits->max_angular_speed));
    lode__body_flag(world, body, LODE__BODY_DAMPED, damps(&traits->damping));
}

static void give_damping(lode__world *world, uint32_t body, const lode_damping *damping)
{
    BODY(world, traits, body)->damping = damping ? *damping : world->def.damping;
    lode__body_flag(world, body, LODE__BODY_OWN_DAMPING, damping);
    derive_flags(world, body);
}

/* ---- numbers ---- */

#define ACCEPTS(field, argument, accepted, otherwise) \
    static bool accepts_##field(lode_real value) \
    { \
        return accepted; \
    }

#define CHECK(field, argument, accepted, otherwise) \
    if (!accepts_##field(def->field)) \
        return lode__error(LODE_ERROR_ARGUMENT, function, "def." #field, otherwise);

#define FILL(field, argument, accepted, otherwise) traits->field = def->field;

#define ACCESS(field, argument, accepted, otherwise) \
    lode_real lode_body_get_##field(lode_body body) \
    { \
        lode__object b; \
        return lode__open_body(&b, body, __func__) ? 0 : BODY(b.world, traits, b.slot)->field; \
    } \
    lode_status lode_body_set_##field(lode_body body, lode_real argument) \
    { \
        lode__object b; \
        lode_status status = lode__open_body(&b, body, __func__); \
        if (!status) \
            status = lode__check(accepts_##field(argument), __func__, #argument, otherwise); \
        if (status) \
            return status; \
        BODY(b.world, traits, b.slot)->field = argument; \
        derive_flags(b.world, b.slot); \
        lode__wake_body(b.world, b.slot); \
        return LODE_OK; \
    }

TRAITS(ACCEPTS)

lode_status lode__traits_check(const lode_body_def *def, const char *function)
{
    TRAITS(CHECK)
    return def->damping ? lode__check_damping(def->damping, function, "def.damping") : LODE_OK;
}

void lode__traits_fill(lode__world *world, uint32_t body, const lode_body_def *def)
{
    lode__traits *traits = BODY(world, traits, body);
    TRAITS(FILL)
    give_damping(world, body, def->damping);
}

TRAITS(ACCESS)

/* ---- damping ---- */

bool lode__damping_is_possible(const lode_damping *d)
{
    return r_finite(d->linear_per_step) && r_finite(d->angular_per_step) &&
           is_at_least(d->linear_per_second, 0) && is_at_least(d->angular_per_second, 0) &&
           d->linear_threshold >= 0 && d->angular_threshold >= 0;
}

lode_status lode__check_damping(const lode_damping *damping, const char *function,
                                const char *argument)
{
    lode_status status = lode__check(r_finite(damping->linear_per_step) &&
                                         r_finite(damping->angular_per_step),
                                     function, argument, "what acts per step must be finite");
    if (!status)
        status = lode__check(is_at_least(damping->linear_per_second, 0) &&
                                 is_at_least(damping->angular_per_second, 0),
                             function, argument,
                             "what acts per second must be finite and at least 0");
    return status ? status
                  : lode__check(damping->linear_threshold >= 0 && damping->angular_threshold >= 0,
                                function, argument, "thresholds must be at least 0");
}

lode_damping lode_body_get_damping(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return (lode_damping){0};
    return BODY(b.world, traits, b.slot)->damping;
}

lode_status lode_body_set_damping(lode_body body, const lode_damping *damping)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status && damping)
        status = lode__check_damping(damping, __func__, "damping");
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    give_damping(b.world, b.slot, damping);
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}

lode_status lode_world_set_damping(lode_world world, const lode_damping *damping)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(damping, __func__, "damping");
    if (!status)
        status = lode__check_damping(damping, __func__, "damping");
    if (status)
        return status;
    w->def.damping = *damping;
    for (uint32_t body = lode__bits_next(&w->bodies.alive, 0); body < w->bodies.end;
         body = lode__bits_next(&w->bodies.alive, body + 1))
        if (!(*BODY(w, flags, body) & LODE__BODY_OWN_DAMPING))
            give_damping(w, body, NULL);
    return LODE_OK;
}
