/* direct_matrix.c: the matrix of an island under the direct solver, J M^-1 J^T + gamma, panel by
 * panel of its plan (solver/lcp_plan.h). */
#include "solver/direct.h"

static double *columns_of(const lode__direct_matrix *to, const lode__part *p, int end)
{
    return to->columns + p->columns +
           (uint32_t)end * LODE__COLUMN_NUMBERS * lode__lcp_padded(p->rows);
}

/* Writes a part's Jacobians number by number. */
static void write_columns(const lode__direct_matrix *to, const lode__part *p)
{
    uint32_t padded = lode__lcp_padded(p->rows);
    for (int end = 0; end < p->ends; ++end)
        for (uint32_t i = 0; i < padded; ++i) {
            static const lode__jacobian nothing;
            double *out = columns_of(to, p, end) + i;
            const lode__jacobian *j = i < p->rows ? lode__jacobian_at(to->rows, p, (int)i, end)
                                                  : &nothing;
            for (uint32_t k = 0; k < 3; ++k) {
                out[k * padded] = j->lin[k];
                out[(3 + k) * padded] = j->resp[k];
            }
        }
}

/* Writes where two parts couple, into the panel of the first: of each body that both push, the
 * share J_i M^-1 J_j^T. */
static void couple(const lode__direct_matrix *to, const lode__dense *lines, const lode__part *p,
                   const lode__part *q, double *out, size_t width)
{
    const uint32_t stride = p->ends * (uint32_t)(sizeof(lode__jacobian) / sizeof(double));
    for (int s = 0; s < p->ends; ++s) {
        uint32_t line = lode__part_pushes(p, s);
        const double *rows = lode__jacobian_at(to->rows, p, 0, s)->lin;
        for (int t = 0; t < q->ends && line > 0; ++t)
            if (line == lode__part_pushes(q, t))
                to->lcp->kernels->panel.couple(rows, stride, p->rows, columns_of(to, q, t), q->rows,
                                               lines->inv_mass[line].inv_mass, out,
                                               (uint32_t)width);
    }
}

void lode__direct_build(const lode__direct_matrix *to, const lode__dense *lines,
                        const lode__row_island *it)
{
    const lode__lcp *lcp = to->lcp;
    const lode__lcp_plan *plan = lcp->plan;
    const lode__part *parts = to->rows->parts + it->begin;
    for (size_t i = 0; i < plan->size.panels; ++i)
        lcp->a[i] = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t)
        write_columns(to, &parts[t]);
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        const lode__part *p = &parts[plan->node[t]];
        double *panel = lcp->a + plan->panel[t];
        size_t width = lode__lcp_width(plan, t), at = 0;
        for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c) {
            const lode__part *q = &parts[plan->node[plan->with[c]]];
            couple(to, lines, p, q, panel + at, width);
            at += q->rows;
        }
        for (uint32_t k = 0; k < p->rows; ++k)
            panel[k * width + k] += lcp->w[p->row + k];
    }
}
