/* mass_matrix.c: the mass matrix of an articulation by composite rigid bodies (Featherstone, Rigid
 * Body Dynamics Algorithms, 2008, ch. 6), and what is left of it where the root is free. */
#include "solver/articulation/dynamics.h"

#include <string.h>

size_t lode__mb_scratch_size(const lode__mb_plan *plan)
{
    size_t links = plan->link_count * (sizeof(lode__mb_composite) + sizeof(lode__mb_motion));
    size_t rows = (size_t)(1 + plan->root_dofs) * plan->dof_count * sizeof(lode_real);
    return links + rows;
}

/* Row and column k, left of the diagonal: what a motion along it makes of momentum in links below,
 * as the dofs above feel it. */
static void fill_row(const lode__multibody *tree, const lode__mb_composite *below, uint32_t k,
                     lode_real *m)
{
    const lode__mb_plan *plan = tree->plan;
    uint32_t link = plan->link_of_dof[k], n = plan->dof_count;
    lode__mb_wrench p = mb_momentum(below, mb_axis(&tree->dofs[k]));
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i]) {
        uint32_t end = i == link ? k + 1 : plan->first_dof[i + 1];
        for (uint32_t l = plan->first_dof[i]; l < end; ++l)
            m[(size_t)k * n + l] = m[(size_t)l * n + k] = mb_along(&tree->dofs[l], p);
        p = mb_shifted(p, mb_v3(tree->links[i].arm));
    }
}

void lode__mb_mass_matrix(const lode__multibody *tree, lode_real *out_m, void *scratch)
{
    const lode__mb_plan *plan = tree->plan;
    lode__mb_composite *below = scratch;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        below[i] = mb_composite_of(&tree->links[i], v3_zero());
    for (uint32_t i = plan->link_count; i-- > 1;)
        if (plan->parent[i] > 0 || plan->root_dofs > 0)
            mb_composite_add(&below[plan->parent[i]], &below[i], mb_v3(tree->links[i].arm));
    memset(out_m, 0, (size_t)plan->dof_count * plan->dof_count * sizeof *out_m);
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        fill_row(tree, &below[plan->link_of_dof[k]], k, out_m);
}

/* ---- free root */

enum { ROOT = LODE__MB_ROOT_DOFS };

/* Cholesky's factor of the root's block, by rows below the diagonal. */
static void factor_root(const lode_real *m, size_t n, lode_real out[ROOT][ROOT])
{
    for (int i = 0; i < ROOT; ++i)
        for (int j = 0; j <= i; ++j) {
            lode_real sum = m[(size_t)i * n + (size_t)j];
            for (int k = 0; k < j; ++k)
                sum -= out[i][k] * out[j][k];
            out[i][j] = i == j ? r_sqrt(sum) : sum / out[j][j];
        }
}

/* L^-1 x, for a vector whose numbers are `stride` apart. */
static void reduce(const lode_real factor[ROOT][ROOT], const lode_real *x, size_t stride,
                   lode_real *out, size_t out_stride)
{
    for (size_t i = 0; i < ROOT; ++i) {
        lode_real sum = x[i * stride];
        for (size_t k = 0; k < i; ++k)
            sum -= factor[i][k] * out[k * out_stride];
        out[i * out_stride] = sum / factor[i][i];
    }
}

/* With Y = L^-1 M_rj it is M_jj - Y^T Y. Rows are written where others, read before, were. */
void lode__mb_free_mass(const lode__mb_plan *plan, const lode_real *m, lode_real *out,
                        void *scratch)
{
    size_t all = plan->dof_count, b = plan->root_dofs, n = all - b;
    lode_real *y = scratch, factor[ROOT][ROOT];
    if (b > 0)
        factor_root(m, all, factor);
    for (size_t j = 0; j < n && b > 0; ++j)
        reduce(factor, m + b + j, all, y + j, n);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            lode_real sum = m[(b + i) * all + b + j];
            for (size_t k = 0; k < b; ++k)
                sum -= y[k * n + i] * y[k * n + j];
            out[i * n + j] = sum;
        }
}

void lode__mb_free_efforts(const lode__mb_plan *plan, const lode_real *m, const lode_real *x,
                           lode_real *out)
{
    size_t all = plan->dof_count, b = plan->root_dofs;
    lode_real factor[ROOT][ROOT], by_root[ROOT], column[ROOT];
    if (b > 0) {
        factor_root(m, all, factor);
        reduce(factor, x, 1, by_root, 1);
    }
    for (size_t i = b; i < all; ++i) {
        lode_real sum = x[i];
        if (b > 0)
            reduce(factor, m + i, all, column, 1);
        for (size_t k = 0; k < b; ++k)
            sum -= column[k] * by_root[k];
        out[i - b] = sum;
    }
}
