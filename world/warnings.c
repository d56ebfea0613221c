/* warnings.c: what went wrong inside steps, counted; see lode__warn() in core/step.h. */
#include "lode/step.h"

#include "world/check.h"
#include "world/world.h"

static const char *const texts[LODE_WARNING_COUNT] = {
    [LODE_WARNING_NAN_BODY] = "a body's state was not finite; it was stopped and frozen",
    [LODE_WARNING_NOT_CONVERGED] = "an island was not solved to the solver's tolerance",
    [LODE_WARNING_HUB_OVERFLOW] =
        "a body has hundreds of contacts and joints; they converge slowly",
    [LODE_WARNING_SENSORS_LATE] = "what sensors touch could not be told for want of memory",
};

int lode_world_get_warnings(lode_world world, lode_warning_info *out_warnings, int capacity)
{
    lode__world *w;
    if (lode__open_world_staged(&w, world, __func__) ||
        lode__check_capacity(out_warnings, capacity, __func__, "out_warnings"))
        return 0;
    for (int i = 0; i < LODE_WARNING_COUNT && i < capacity; ++i) {
        const lode__warning_record *record = &w->warnings[i];
        out_warnings[i] = (lode_warning_info){texts[i], record->last, record->ever, record->first};
    }
    return LODE_WARNING_COUNT;
}
