/* through.c: small groups in one go. One task prepares a group of small islands, solves it, lets it
 * bounce and keeps its impulses. As stages these are passes over the blocks of all groups, five
 * megabytes for 10,000 contacts: each block would be written, read and read again from beyond the
 * second-level cache, and so would its manifolds. In one go the blocks of one group after another
 * lie in the same place, their worker's *bench*, which stays in that cache, as the manifolds do
 * until their impulses are kept.
 *
 * Nothing of it shows. No group touches a line, contact or joint of another, and each block sees
 * what it would see in the stages. It is done where a half of the step runs in one call and nobody
 * is called between its stages (world/pipeline.c); else blocks stay where they are from row prepare
 * to finalise. What depends on where the bodies arrive, finalise does after all.
 *
 * Chunks are laid out on the bench of the first worker. */
#include "solver/state.h"

void lode__bench_take(const lode__solve_state *state, const lode__group *group, uint32_t worker)
{
    for (uint32_t i = group->chunk_begin; i < group->chunk_end; ++i)
        state->chunks[i].blocks += worker * state->bench_bytes;
}

/* Of the time on the thread that steps, each stage has the part that it had of all threads'. */
lode__elsewhere lode__through_times(const lode__solve_state *state, uint64_t count)
{
    uint64_t parts[LODE__PART_COUNT] = {0}, all = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        for (int i = 0; state->groups[g].through && i < LODE__PART_COUNT; ++i) {
            parts[i] += state->groups[g].ticks[i];
            all += state->groups[g].ticks[i];
        }
    double share = all > 0 ? (double)count / (double)all : 0;
    return (lode__elsewhere){(uint64_t)(share * (double)parts[LODE__PART_PREPARE]),
                             (uint64_t)(share * (double)parts[LODE__PART_RESTITUTION]),
                             (uint64_t)(share * (double)parts[LODE__PART_KEEP])};
}
