/* settings.c: what may be set on a world.
 *
 * Two lists name the fields of lode_world_def with what is accepted for `value`; the check at
 * creation and the setters come from them, so that both refuse the same. Fields of the first list
 * have a setter of this form, those of the second none or one of their own. Both are in snapshots;
 * what belongs to the machine is not. */
#include "world/settings.h"

#include "collide/broad.h"
#include "core/math.h"
#include "world/check.h"
#include "world/sleep.h"
#include "world/wake.h"
#include "world/world.h"

static const char axes_message[] = "must be two different ones of 0, 1 and 2";

static bool has_axes(const int axes[2])
{
    return (unsigned)axes[0] < 3 && (unsigned)axes[1] < 3 && axes[0] != axes[1];
}

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
    X(solver,                    lode_solver, solver,          (unsigned)value < LODE_SOLVER_COUNT, "is not a solver") \
    X(integrator,                lode_integrator, integrator,  (unsigned)value < LODE_INTEGRATOR_COUNT, "is not an integrator") \
    X(iterations,                int,         iterations,      value >= 1,                 "must be at least 1") \
    X(exit_below,                lode_real,   speed,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(direct_rows,               int,         rows,            value >= 0,                 "must be at least 0") \
    X(stiff_joints,              lode_stiff,  stiff_joints,    (unsigned)value < LODE_STIFF_COUNT, "is not a choice") \
    X(measure_residual,          bool,        measure,         value || !value,            "") \
    X(sub_steps,                 int,         sub_steps,       value >= 0,                 "must be at least 0") \
    X(sub_step_length,           lode_real,   length,          is_above(value, 0),         "must be finite and above 0") \
    X(over_relaxation,           lode_real,   over_relaxation, value > 0 && value < 2,     "must be above 0 and below 2") \
    X(erp,                       lode_real,   erp,             is_within(value, 0, 1),     "must be within 0 and 1") \
    X(cfm,                       lode_real,   cfm,             is_at_least(value, 0),      "must be finite and at least 0") \
    X(contact_frequency,         lode_real,   frequency,       is_above(value, 0),         "must be finite and above 0") \
    X(contact_damping,           lode_real,   ratio,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(restitution_threshold,     lode_real,   speed,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(impact_threshold,          lode_real,   speed,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(max_correcting_velocity,   lode_real,   speed,           value > 0,                  "must be above 0") \
    X(surface_layer,             lode_real,   depth,           is_at_least(value, 0),      "must be finite and at least 0") \
    X(friction_model,            lode_friction, model,         (unsigned)value < LODE_FRICTION_COUNT, "is not a friction model") \
    X(friction_per_manifold,     bool,        per_manifold,    value || !value,            "") \
    X(friction_mix,              lode_mix,    mix,             (unsigned)value < LODE_MIX_COUNT, "is not a rule") \
    X(restitution_mix,           lode_mix,    mix,             (unsigned)value < LODE_MIX_COUNT, "is not a rule")

#define FIXED(X) \
    /* field                     type         -                accepted                    otherwise */ \
    X(filter_rule,               lode_filter_rule, ,           (unsigned)value < LODE_FILTER_RULE_COUNT, "is not a rule") \
    X(gravity,                   lode_vec3,   ,                v3_finite(value),           "must be finite") \
    X(sleep,                     lode_sleep,  ,                lode__sleep_is_possible(&value), "thresholds, steps and time must be at least 0, samples within 1 and 64") \
    X(length_unit,               lode_real,   ,                is_above(value, 0),         "must be finite and above 0")

#define MACHINE(X) \
    /* field                     type         -                accepted                    otherwise */ \
    X(broad_phase,               lode_broad_phase, ,           (unsigned)value < LODE_BROAD_PHASE_COUNT, "is not a broad phase") \
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
MACHINE(ACCEPTS)

lode_status lode__settings_check(const lode_world_def *def, const char *function)
{
    SETTABLE(CHECK)
    FIXED(CHECK)
    MACHINE(CHECK)
    lode_status status = lode__check_damping(&def->damping, function, "def.damping");
    if (!status)
        status = lode__check(has_axes(def->broad_phase_axes), function, "def.broad_phase_axes",
                             axes_message);
    if (!status)
        status = lode__check(has_threads(def), function, "def.threads", "must be within 1 and 64");
    return status ? status
                  : lode__check(has_workers(def), function, "def.tasks.worker_count",
                                "must be at least 1");
}

SETTABLE(SETTER)

/* ---- in snapshots ---- */

/* Member by member: the record has padding. */
static void put_sleep(lode__writer *out, const void *data, size_t size)
{
    (void)size;
    const lode_sleep *sleep = data;
    lode__put_u32(out, sleep->enabled);
    lode__put(out, &sleep->linear_threshold, sizeof sleep->linear_threshold);
    lode__put(out, &sleep->angular_threshold, sizeof sleep->angular_threshold);
    lode__put(out, &sleep->steps, sizeof sleep->steps);
    lode__put(out, &sleep->time, sizeof sleep->time);
    lode__put(out, &sleep->samples, sizeof sleep->samples);
}

static void get_sleep(lode__reader *in, void *out, size_t size)
{
    (void)size;
    lode_sleep *sleep = out;
    sleep->enabled = lode__get_u32(in) != 0;
    lode__get(in, &sleep->linear_threshold, sizeof sleep->linear_threshold);
    lode__get(in, &sleep->angular_threshold, sizeof sleep->angular_threshold);
    lode__get(in, &sleep->steps, sizeof sleep->steps);
    lode__get(in, &sleep->time, sizeof sleep->time);
    lode__get(in, &sleep->samples, sizeof sleep->samples);
}

/* Other bytes than 0 and 1 are no truth value. */
static void get_bool(lode__reader *in, void *out, size_t size)
{
    uint8_t byte = 0;
    lode__get(in, &byte, size);
    *(bool *)out = byte != 0;
}

#define PUT(field, type, argument, accepted, otherwise) \
    _Generic(def->field, lode_sleep \
             : put_sleep, default \
             : lode__put)(out, &def->field, sizeof def->field);

#define GET(field, type, argument, accepted, otherwise) \
    _Generic(def->field, lode_sleep \
             : get_sleep, bool \
             : get_bool, default \
             : lode__get)(in, &def->field, sizeof def->field); \
    if (!accepts_##field(def->field)) \
        return false;

#define LAYOUT(field, type, argument, accepted, otherwise) #field ":" #type " "

void lode__settings_write(const lode_world_def *def, lode__writer *out)
{
    SETTABLE(PUT)
    FIXED(PUT)
    lode__put(out, &def->damping, sizeof def->damping);
}

bool lode__settings_read(lode_world_def *def, lode__reader *in)
{
    SETTABLE(GET)
    FIXED(GET)
    lode__get(in, &def->damping, sizeof def->damping);
    return !in->failed && lode__damping_is_possible(&def->damping);
}

const char lode__settings_layout[] = SETTABLE(LAYOUT) FIXED(LAYOUT);

void lode__settings_choose_broad(lode__world *world)
{
    const int *axes = world->def.broad_phase_axes;
    world->collide.method = lode__broad_method_for(world->def.broad_phase);
    world->collide.axes[0] = axes[0];
    world->collide.axes[1] = axes[1];
    world->collide.axes[2] = 3 - axes[0] - axes[1];
}

lode_status lode_world_set_gravity(lode_world world, lode_vec3 gravity)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_vec3(gravity, __func__, "gravity");
    if (status)
        return status;
    bool same = v3_is_zero(v3_sub(gravity, w->def.gravity));
    w->def.gravity = gravity;
    if (!same)
        lode__wake_all(w);
    return LODE_OK;
}

lode_status lode_world_set_broad_phase(lode_world world, lode_broad_phase broad_phase,
                                       const int axes[2])
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check(accepts_broad_phase(broad_phase), __func__, "broad_phase",
                             "is not a broad phase");
    if (!status && axes)
        status = lode__check(has_axes(axes), __func__, "axes", axes_message);
    if (status)
        return status;
    w->def.broad_phase = broad_phase;
    for (int i = 0; i < 2 && axes; ++i)
        w->def.broad_phase_axes[i] = axes[i];
    lode__settings_choose_broad(w);
    return LODE_OK;
}

lode_status lode_world_set_user_data(lode_world world, void *user_data)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        w->def.user_data = user_data;
    return status;
}
