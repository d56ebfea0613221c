/* settings.c: what may be set on a world.
 *
 * Two lists name the fields of lode_world_def with what is accepted for `value`; the check at
 * creation and the setters come from them, so that both refuse the same. Fields of the first list
 * have a setter, those of the second are fixed for the life of a world. */
#include "world/settings.h"

#include "world/check.h"
#include "world/world.h"

static bool has_workers(const lode_world_def *def)
{
    return !def->tasks.run || def->tasks.worker_count >= 1;
}

static bool has_threads(const lode_world_def *def)
{
    return def->tasks.run || (def->threads >= 1 && def->threads <= 64);
}

/* clang-format off */
#define SETTABLE(X) \
    /* field                     type         argument         accepted                    otherwise */ \
    X(gravity,                   lode_vec3,   gravity,         v3_finite(value),           "must be finite") \
    X(solver,                    lode_solver, solver,          (unsigned)value < LODE_SOLVER_COUNT, "is not a solver") \
    X(iterations,                int,         iterations,      value >= 1,                 "must be at least 1") \
    X(sub_steps,                 int,         sub_steps,       value >= 1,                 "must be at least 1") \
    X(over_relaxation,           lode_real,   over_relaxation, value > 0 && value < 2,     "must be above 0 and below 2") \
    X(erp,                       lode_real,   erp,             is_within(value, 0, 1),     "must be within 0 and 1") \
    X(cfm,                       lode_real,   cfm,             is_at_least(value, 0),      "must be finite and at least 0") \
    X(restitution_threshold,     lode_real,   speed,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(max_correcting_velocity,   lode_real,   speed,           is_above(value, 0),         "must be finite and above 0")

#define FIXED(X) \
    /* field                     type         -                accepted                    otherwise */ \
    X(contact_frequency,         lode_real,   ,                is_above(value, 0),         "must be finite and above 0") \
    X(contact_damping,           lode_real,   ,                is_at_least(value, 0),      "must be finite and at least 0") \
    X(length_unit,               lode_real,   ,                is_above(value, 0),         "must be finite and above 0") \
    X(simd,                      lode_simd,   ,                (unsigned)value < LODE_SIMD_COUNT, "is not an instruction set")
/* clang-format on */

#define ACCEPTS(field, type, argument, accepted, otherwise) \
    static bool accepts_##field(type value) \
    { \
        return accepted; \
    }

#define CHECK(field, type, argument, accepted, otherwise) \
    if (!accepts_##field(def->field)) \
        return lode__error(LODE_ERROR_ARGUMENT, function, "def." #field, otherwise);

#define SETTER(field, type, argument, accepted, otherwise) \
    lode_status lode_world_set_##field(lode_world world, type argument) \
    { \
        lode__world *w; \
        lode_status status = lode__open_world(&w, world, __func__); \
        if (!status) \
            status = lode__check(accepts_##field(argument), __func__, #argument, otherwise); \
        if (!status) \
            w->def.field = argument; \
        return status; \
    }

SETTABLE(ACCEPTS)
FIXED(ACCEPTS)

lode_status lode__settings_check(const lode_world_def *def, const char *function)
{
    SETTABLE(CHECK)
    FIXED(CHECK)
    lode_status status = lode__check(has_threads(def), function, "def.threads",
                                     "must be within 1 and 64");
    return status ? status
                  : lode__check(has_workers(def), function, "def.tasks.worker_count",
                                "must be at least 1");
}

SETTABLE(SETTER)
