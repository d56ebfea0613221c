/* jacobian.c: velocities of links, the centre of mass and the momentum of a whole articulation as
 * they follow from those of its degrees of freedom. */
#include "solver/articulation/dynamics.h"

#include <string.h>

/* The six rows of a link: each dof above moves its centre as it does that of its own link, and
 * around that. */
static void fill_link(const lode__multibody *tree, uint32_t link, lode_real *rows)
{
    const lode__mb_plan *plan = tree->plan;
    size_t n = plan->dof_count;
    lode_vec3 far = v3_zero();
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i]) {
        for (size_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            lode__mb_motion s = mb_axis(&tree->dofs[k]);
            lode_vec3 v = v3_add(s.v, v3_cross(s.w, far));
            rows[k] = v.x, rows[n + k] = v.y, rows[2 * n + k] = v.z;
            rows[3 * n + k] = s.w.x, rows[4 * n + k] = s.w.y, rows[5 * n + k] = s.w.z;
        }
        far = v3_add(far, mb_v3(tree->links[i].arm));
    }
}

void lode__mb_dense_jacobian(const lode__multibody *tree, lode_real *out_j)
{
    const lode__mb_plan *plan = tree->plan;
    uint32_t first = plan->root_dofs > 0 ? 0 : 1;
    size_t rows = (size_t)6 * plan->dof_count;
    memset(out_j, 0, (plan->link_count - first) * rows * sizeof *out_j);
    for (uint32_t i = first; i < plan->link_count; ++i)
        fill_link(tree, i, out_j + (i - first) * rows);
}

lode_vec3 lode__mb_center_of_mass(const lode__multibody *tree)
{
    lode_real mass = 0;
    lode_vec3 sum = v3_zero();
    for (uint32_t i = 0; i < tree->plan->link_count; ++i) {
        const lode__mb_link *link = &tree->links[i];
        mass += link->mass[0];
        sum = v3_madd(sum, mb_v3(link->center), link->mass[0]);
    }
    return v3_scale(sum, 1 / mass);
}

/* A column (f, n) about the root's centre as it is about the point at `center` from there. */
static void move_column(lode_vec3 center, const lode_real *from, lode_real *to, size_t stride)
{
    lode_vec3 f = v3(from[0], from[stride], from[2 * stride]);
    lode_vec3 n = v3(from[3 * stride], from[4 * stride], from[5 * stride]);
    n = v3_sub(n, v3_cross(center, f));
    to[0] = f.x, to[stride] = f.y, to[2 * stride] = f.z;
    to[3 * stride] = n.x, to[4 * stride] = n.y, to[5 * stride] = n.z;
}

void lode__mb_centroidal(const lode__multibody *tree, const lode_real *m, const lode_real *c,
                         lode_real *out_a, lode_real *out_bias)
{
    size_t n = tree->plan->dof_count;
    lode_vec3 center = lode__mb_center_of_mass(tree);
    for (size_t k = 0; k < n; ++k)
        move_column(center, m + k, out_a + k, n);
    move_column(center, c, out_bias, 1);
}
