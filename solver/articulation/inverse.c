/* inverse.c: efforts from accelerations by recursive Newton-Euler (Featherstone, Rigid Body
 * Dynamics Algorithms, 2008, ch. 5), accelerations from efforts, and what joints bear. */
#include "solver/articulation/dynamics.h"

/* Of a link from its parent's: what joint accelerations make, and velocities where it is moving. */
static lode__mb_motion accelerated(const lode__multibody *tree, uint32_t i,
                                   const lode__mb_motion *above, const lode_real *change,
                                   bool moving)
{
    const lode__mb_link *link = &tree->links[i];
    lode__mb_motion a = {{0, 0, 0}, {0, 0, 0}};
    if (above)
        a = (lode__mb_motion){v3_add(above->v, v3_cross(above->w, mb_v3(link->arm))), above->w};
    if (moving)
        a = (lode__mb_motion){v3_add(a.v, mb_v3(link->drift_v)), v3_add(a.w, mb_v3(link->drift_w))};
    if (change)
        for (uint32_t k = tree->plan->first_dof[i]; k < tree->plan->first_dof[i + 1]; ++k)
            a = mb_further(a, mb_axis(&tree->dofs[k]), change[k]);
    return a;
}

/* m a and I alpha + w x I w. */
static lode__mb_wrench needed(const lode__mb_link *link, lode__mb_motion a, bool moving)
{
    lode_vec3 n = s3_mul(link->moment, a.w), w = mb_v3(link->w);
    if (moving)
        n = v3_add(n, v3_cross(w, s3_mul(link->moment, w)));
    return (lode__mb_wrench){v3_scale(a.v, link->mass[0]), n};
}

static lode__mb_wrench less(lode__mb_wrench a, lode__mb_wrench b)
{
    return (lode__mb_wrench){v3_sub(a.f, b.f), v3_sub(a.n, b.n)};
}

void lode__mb_inverse(const lode__multibody *tree, const lode_real *change, bool moving,
                      const lode__mb_wrench *forces, lode_real *out_effort, void *scratch)
{
    const lode__mb_plan *plan = tree->plan;
    lode__mb_wrench *wrench = scratch;
    lode__mb_motion *a = (lode__mb_motion *)(void *)(wrench + plan->link_count);
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        a[i] = accelerated(tree, i, i > 0 ? &a[plan->parent[i]] : NULL, change, moving);
        wrench[i] = needed(&tree->links[i], a[i], moving);
        if (forces)
            wrench[i] = less(wrench[i], forces[i]);
    }
    lode__mb_transmit(tree, wrench);
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        out_effort[k] = mb_along(&tree->dofs[k], wrench[plan->link_of_dof[k]]);
}

void lode__mb_joint_acceleration(const lode__multibody *tree, const lode_real *joint_effort,
                                 const lode__mb_wrench *forces, lode_real *out_change)
{
    const lode__mb_plan *plan = tree->plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        mb_put3(tree->links[i].force, forces ? forces[i].f : v3_zero());
        mb_put3(tree->links[i].torque, forces ? forces[i].n : v3_zero());
    }
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        tree->dofs[k].effort[0] = k < plan->root_dofs ? 0 : joint_effort[k - plan->root_dofs];
    lode__mb_kernels_one.accelerate(tree, 1);
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        out_change[k - plan->root_dofs] = tree->dofs[k].change[0];
}

void lode__mb_kick(const lode__multibody *tree, const lode__mb_wrench *forces,
                   const lode_real *effort, lode_real h, void *scratch)
{
    const lode__mb_plan *plan = tree->plan;
    lode__mb_wrench *wrench = scratch;
    lode_real *impulse = (lode_real *)(void *)(wrench + plan->link_count);
    for (uint32_t i = 0; i < plan->link_count; ++i)
        wrench[i] = forces ? forces[i] : (lode__mb_wrench){v3_zero(), v3_zero()};
    lode__mb_transmit(tree, wrench);
    for (uint32_t k = 0; k < plan->dof_count; ++k) {
        lode_real along = mb_along(&tree->dofs[k], wrench[plan->link_of_dof[k]]);
        impulse[k] = h * (along + (effort ? effort[k] : 0));
    }
    lode__mb_solve(tree, impulse, impulse);
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        tree->dofs[k].speed[0] += impulse[k];
    lode__mb_kernels_one.speed(tree);
}

/* ---- what joints bear */

void lode__mb_needs(const lode__multibody *tree, lode__mb_wrench *out)
{
    for (uint32_t i = 0; i < tree->plan->link_count; ++i) {
        const lode__mb_link *link = &tree->links[i];
        lode__mb_motion a = {mb_v3(link->a), mb_v3(link->alpha)};
        lode__mb_wrench outside = {mb_v3(link->force), mb_v3(link->torque)};
        out[i] = less(needed(link, a, true), outside);
    }
}

void lode__mb_transmit(const lode__multibody *tree, lode__mb_wrench *wrench)
{
    for (uint32_t i = tree->plan->link_count; i-- > 1;) {
        lode__mb_wrench *above = &wrench[tree->plan->parent[i]];
        *above = mb_plus(*above, mb_shifted(wrench[i], mb_v3(tree->links[i].arm)));
    }
}

lode__mb_wrench lode__mb_in_child_frame(const lode__multibody *tree, uint32_t link,
                                        lode__mb_wrench wrench)
{
    const lode__mb_link *l = &tree->links[link];
    lode_quat frame = q_mul(mb_q(l->rotation), mb_q(l->frame_c));
    lode__mb_wrench there = mb_shifted(wrench, mb_v3(l->lever));
    return (lode__mb_wrench){q_rotate_inv(frame, there.f), q_rotate_inv(frame, there.n)};
}
