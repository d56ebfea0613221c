/* response.c: what impulses do to an articulation that has been factored: the articulated-body
 * algorithm without velocities and forces (Mirtich, Impulse-based dynamic simulation of rigid body
 * systems, 1996, ch. 4; Featherstone 2008, ch. 11). */
#include "solver/articulation/spatial.h"

void lode__mb_add_jacobian(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                           lode_real *jacobian)
{
    const lode__mb_plan *plan = tree->plan;
    lode__mb_wrench p = {f, n};
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i]) {
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            jacobian[k] += mb_along(&tree->dofs[k], p);
        p = mb_shifted(p, mb_v3(tree->links[i].arm));
    }
}

/* M^-1 b, by M^-1 = (1 - S^T ...) as the articulated inertias factor it: up the tree each dof takes
 * what is left of its impulse, and what it gives way passes on; down the tree links move. What
 * passes lies in the response until it is known: */
void lode__mb_solve(const lode__multibody *tree, const lode_real *impulses, lode_real *out_response)
{
    const lode__mb_plan *plan = tree->plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        mb_put3(tree->links[i].bias_f, v3_zero());
        mb_put3(tree->links[i].bias_n, v3_zero());
    }
    for (uint32_t i = plan->link_count; i-- > 0;) {
        lode__mb_link *link = &tree->links[i];
        lode__mb_wrench p = {mb_v3(link->bias_f), mb_v3(link->bias_n)};
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            const lode__mb_dof *dof = &tree->dofs[k];
            lode_real left = impulses[k] - mb_along(dof, p), by = left * dof->inv_d[0];
            out_response[k] = left;
            p = (lode__mb_wrench){v3_madd(p.f, mb_v3(dof->u_f), by),
                                  v3_madd(p.n, mb_v3(dof->u_n), by)};
        }
        if (i == 0)
            break;
        lode__mb_link *parent = &tree->links[plan->parent[i]];
        lode__mb_wrench felt = mb_shifted(p, mb_v3(link->arm));
        mb_put3(parent->bias_f, v3_add(mb_v3(parent->bias_f), felt.f));
        mb_put3(parent->bias_n, v3_add(mb_v3(parent->bias_n), felt.n));
    }
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        lode__mb_link *link = &tree->links[i];
        lode_vec3 v = v3_zero(), w = v3_zero();
        if (i > 0) {
            const lode__mb_link *parent = &tree->links[plan->parent[i]];
            w = mb_v3(parent->alpha);
            v = v3_add(mb_v3(parent->a), v3_cross(w, mb_v3(link->arm)));
        }
        for (uint32_t k = plan->first_dof[i + 1]; k-- > plan->first_dof[i];) {
            const lode__mb_dof *dof = &tree->dofs[k];
            lode_real borne = v3_dot(mb_v3(dof->u_f), v) + v3_dot(mb_v3(dof->u_n), w);
            lode_real change = (out_response[k] - borne) * dof->inv_d[0];
            out_response[k] = change;
            v = v3_madd(v, mb_v3(dof->s_v), change);
            w = v3_madd(w, mb_v3(dof->s_w), change);
        }
        mb_put3(link->a, v);
        mb_put3(link->alpha, w);
    }
}

void lode__mb_respond(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                      lode_real *out_jacobian, lode_real *out_response)
{
    for (uint32_t k = 0; k < tree->plan->dof_count; ++k)
        out_jacobian[k] = 0;
    lode__mb_add_jacobian(tree, link, f, n, out_jacobian);
    lode__mb_solve(tree, out_jacobian, out_response);
}
