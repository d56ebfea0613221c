/* held.c: what holds the bodies in this step, by line, where somebody wants to know: bodies that
 * nothing holds fly (solver/flyers.c), and the inertia of those that nothing touches turns with
 * them in each sub-step (solver/spinners.c). A contact counts that is still a gap. */
#include "solver/linkage.h"
#include "solver/state.h"

static void mark(const lode__constraint_list *list, uint8_t *held, uint8_t by)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        held[list->all[i].a] |= by;
        held[list->all[i].b] |= by;
    }
}

static void mark_linkages(const lode__solve_state *state, uint8_t *held)
{
    for (uint32_t i = 0; i < state->constraints[LODE__LINKAGES].count; ++i)
        for (uint32_t k = state->linkages[i].begin; k < state->linkages[i].end; ++k)
            held[state->linkage_ends[k]] |= LODE__HELD_JOINED;
}

bool lode__held_mark(lode__solve_state *state, const lode__step *step)
{
    const lode__constraint_list *lists = state->constraints;
    bool joined = lists[LODE__JOINTS].count + lists[LODE__LINKAGES].count > 0;
    if (!joined && step->settings->integrator == LODE_INTEGRATOR_SEMI_IMPLICIT)
        return true;
    state->held = LODE__TAKE_ZEROED(step->arena, uint8_t, state->lines.count);
    if (!state->held)
        return false;
    mark(&lists[LODE__JOINTS], state->held, LODE__HELD_JOINED);
    mark(&lists[LODE__CONTACTS], state->held, LODE__HELD_TOUCHED);
    mark_linkages(state, state->held);
    return true;
}
