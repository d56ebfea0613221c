/* loops.c: loops that close an articulation, as rows on its degrees of freedom: what their impulses
 * are to these, and those that keep them closed (Featherstone, Rigid Body Dynamics Algorithms,
 * 2008, ch. 8). */
#include "solver/articulation/dynamics.h"

#include <string.h>

void lode__mb_loop_jacobian(const lode__multibody *tree, const lode__mb_loop_row *row,
                            lode_real *out)
{
    memset(out, 0, tree->plan->dof_count * sizeof *out);
    for (int side = 0; side < 2; ++side)
        if (row->link[side] != LODE__MB_NO_PARENT)
            lode__mb_add_jacobian(tree, row->link[side], row->jacobian[side].f,
                                  row->jacobian[side].n, out);
}

/* J of all rows, the response to one, K = J M^-1 J^T, and J times the speeds. */
size_t lode__mb_loop_size(const lode__mb_plan *plan, uint32_t rows)
{
    size_t n = plan->dof_count, count = rows;
    return (count * n + n + count * count + count) * sizeof(lode_real);
}

static lode_real product(const lode_real *a, const lode_real *b, size_t n)
{
    lode_real sum = 0;
    for (size_t k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

/* The same of their absolute values. */
static lode_real magnitude(const lode_real *a, const lode_real *b, size_t n)
{
    lode_real sum = 0;
    for (size_t k = 0; k < n; ++k)
        sum += r_abs(a[k] * b[k]);
    return sum;
}

/* One round. True: no row's velocity changed by more than rounding of what it is the sum of. */
static bool iterate(const lode__mb_loop_row *rows, size_t count, const lode_real *k,
                    const lode_real *velocity, lode_real *lambda)
{
    bool settled = true;
    for (size_t i = 0; i < count; ++i) {
        const lode_real *row = k + i * count, response = row[i];
        if (!(response > 0))
            continue;
        lode_real left = velocity[i] + product(row, lambda, count);
        lode_real to = r_min(r_max(lambda[i] - left / response, rows[i].lo), rows[i].hi);
        lode_real size = r_abs(velocity[i]) + magnitude(row, lambda, count);
        settled = settled && r_abs(to - lambda[i]) * response <= 8 * REAL_EPSILON * size;
        lambda[i] = to;
    }
    return settled;
}

bool lode__mb_loop_lambda(const lode__multibody *tree, const lode__mb_loop_row *rows,
                          uint32_t count, const lode_real *speed, int iterations,
                          lode_real *out_lambda, void *scratch)
{
    size_t n = tree->plan->dof_count;
    lode_real *j = scratch, *response = j + count * n, *k = response + n;
    lode_real *velocity = k + (size_t)count * count;
    for (size_t i = 0; i < count; ++i)
        lode__mb_loop_jacobian(tree, &rows[i], j + i * n);
    for (size_t i = 0; i < count; ++i) {
        lode__mb_solve(tree, j + i * n, response);
        for (size_t l = 0; l < count; ++l)
            k[l * count + i] = product(j + l * n, response, n);
        velocity[i] = product(j + i * n, speed, n);
        out_lambda[i] = 0;
    }
    for (int round = 0; round < iterations; ++round)
        if (iterate(rows, count, k, velocity, out_lambda))
            return true;
    return false;
}
