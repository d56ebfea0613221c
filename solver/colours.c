/* colours.c: gives every contact and joint a colour: no two of one colour push the same body.
 *
 * Greedy colouring in a fixed order, joints by slot, then contacts by pair: the lowest colour that
 * neither body has. Constraints of one movable body have colours of their own, which come last, so
 * that the ground has the last word. It is computed afresh each step. A constraint's colour depends
 * on those of its island alone, so an island's bits do not depend on its neighbours.
 *
 * So neither groups nor lines need be known: one thread chooses colours while another finds those
 * (solver/islands.c), and they are kept apart from the constraints, which that one reads. */
#include "solver/state.h"

static uint8_t choose(uint32_t *used_a, uint32_t *used_b, int first, int count, int rest)
{
    uint32_t taken = (*used_a | (used_b ? *used_b : 0)) >> first;
    int colour = __builtin_ctz(~taken);
    if (colour >= count)
        return (uint8_t)rest;
    uint32_t bit = 1u << (first + colour);
    *used_a |= bit;
    if (used_b)
        *used_b |= bit;
    return (uint8_t)colour;
}

/* The colour of a constraint between two places, of which one may be 0. */
static uint8_t colour_of(uint32_t *used, uint32_t a, uint32_t b)
{
    if ((used[a] | used[b]) & LODE__LIMB_MARK) /* of place 0 nothing is used */
        return LODE__COLOUR_LIMBS;
    if (a && b)
        return choose(&used[a], &used[b], 0, LODE__PAIR_COLOURS, LODE__COLOUR_PAIR_REST);
    uint8_t colour = choose(&used[a ? a : b], NULL, LODE__PAIR_COLOURS, LODE__STATIC_COLOURS,
                            LODE__STATIC_COLOURS);
    return (uint8_t)(LODE__COLOUR_STATIC + colour);
}

void lode__colours_choose(const lode__solve_state *state, uint32_t *used)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &state->constraints[l];
        for (uint32_t i = 0; i < list->count && list->colour; ++i)
            list->colour[i] = colour_of(used, list->all[i].a, list->all[i].b);
    }
}
