/* forgetting.c: how much of their last impulses joints forget before they start from them: the
 * share that is the largest erp of any joint in their island.
 *
 * For one mode its own erp would do (row_solve.inl has the condition), but modes are of many rows.
 * With K the erp of each, F the share that each forgets, and S what the sweeps put in place of the
 * inverse of A = J M^-1 J^T, slow modes of the error e follow
 *     e'' = -A F^-1 S (K e / h^2 + e' / h).
 * What that does is known where F is one number: stiffness and damping are then those of symmetric
 * operators. With different numbers they turn modes round: hinges of erp 0.2 with locked stops of
 * erp 0.8, each row of which forgot its own share, gained 2e4 rad/s in 4 s. */
#include "core/math.h"
#include "solver/islands.h"
#include "solver/softness.h"

/* A stop that yields has less of it in sub-steps, which is not asked. In the soft step only such
 * stops have an erp. */
static lode_real most_of_joint(const lode__step *step, const lode__joint *joint)
{
    row_softness own = softness_of_joint(step, joint);
    if (own.erp >= 0)
        return r_max(own.erp, joint->stop_erp);
    own.erp = r_max(said(joint->erp, step->settings->erp), joint->stop_erp);
    own.cfm = 1;
    return softness_of_sub_step(own, step->sub_steps).erp;
}

static uint32_t joint_of(const lode__solve_state *state, int list, const lode__constraint *c)
{
    return list == LODE__LINKAGES ? state->linkages[c->source].joint : c->source;
}

bool lode__most_erps_find(island_work *work)
{
    lode__solve_state *state = work->state;
    state->most_erp = LODE__TAKE_ZEROED(work->step->arena, lode_real, work->island_count);
    if (!state->most_erp)
        return false;
    for (int l = LODE__JOINTS; l <= LODE__LINKAGES; ++l)
        for (uint32_t i = 0; i < state->constraints[l].count; ++i) {
            const lode__constraint *c = &state->constraints[l].all[i];
            const lode__joint *joint = joint_at(work->solver->joints, joint_of(state, l, c));
            lode_real *most = &state->most_erp[work->parent[(c->a ? c->a : c->b) - 1]];
            *most = r_max(*most, most_of_joint(work->step, joint));
        }
    return true;
}
