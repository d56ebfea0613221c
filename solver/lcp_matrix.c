/* lcp_matrix.c: what is done with the matrix as a whole, panel by panel. Of the symmetric matrix
 * there is what lies in and behind each node; so a node's rows gather the x of their columns, and
 * push what they hold to the rows behind. */
#include "solver/lcp.h"

#include <string.h>

/* Eight sums in turn: as fast as the machine, the same on all of them. */
double lode__lcp_dot(const double *a, const double *b, uint32_t count)
{
    double s[8] = {0};
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (uint32_t k = 0; k < 8; ++k)
            s[k] += a[i + k] * b[i + k];
    for (uint32_t k = 0; i + k < count; ++k)
        s[k] += a[i + k] * b[i + k];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* Copies the numbers of a panel's columns, zeros behind them; returns how wide it is. */
static uint32_t gather(lode__lcp *lcp, uint32_t t, const double *from)
{
    const lode__lcp_plan *plan = lcp->plan;
    uint32_t at = 0, width = lode__lcp_width(plan, t);
    for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c)
        for (uint32_t j = plan->row[plan->with[c]]; j < plan->row[plan->with[c] + 1]; ++j)
            lcp->gathered[at++] = from[j];
    while (at < width)
        lcp->gathered[at++] = 0;
    return width;
}

/* Adds what x of node t's rows holds to the rows behind. */
static void push(lode__lcp *lcp, uint32_t t, uint32_t width, const double *x, double *to)
{
    const lode__lcp_plan *plan = lcp->plan;
    uint32_t own = lode__lcp_rows_of(plan, t), at = own;
    if (plan->couple[t] + 1 == plan->couple[t + 1])
        return;
    lcp->kernels->panel.push(lcp->a + plan->panel[t], width, own, own, x + plan->row[t],
                             lcp->pushed);
    for (uint32_t c = plan->couple[t] + 1; c < plan->couple[t + 1]; ++c)
        for (uint32_t j = plan->row[plan->with[c]]; j < plan->row[plan->with[c] + 1]; ++j)
            to[j] += lcp->pushed[at++];
}

/* --- scaling: x' = x / s, A' = s A s, b' = b s, with s = 1 / sqrt(diagonal) */

static void scale_row(lode__lcp *lcp, uint32_t i)
{
    double s = lcp->scale[i];
    uint32_t master = lcp->master[i];
    lcp->b[i] *= s;
    lcp->lo[i] = lcp->lo[i] > -LODE__LCP_NO_LIMIT ? lcp->lo[i] / s : -INFINITY;
    lcp->hi[i] = lcp->hi[i] < LODE__LCP_NO_LIMIT ? lcp->hi[i] / s : INFINITY;
    lcp->x[i] = fabs(lcp->x[i]) < LODE__LCP_NO_LIMIT ? lcp->x[i] / s : 0;
    if (master == LODE__LCP_NONE)
        return;
    lcp->ratio[i] *= lcp->scale[master] / s;
    lcp->next[i] = lcp->follower[master];
    lcp->follower[master] = i;
}

/* Rows and columns of what is dropped become zero. */
static void scale_panel(lode__lcp *lcp, uint32_t t, double softness)
{
    uint32_t width = gather(lcp, t, lcp->scale), first = lcp->plan->row[t];
    double *a = lcp->a + lcp->plan->panel[t];
    lcp->kernels->panel.scale(a, width, lode__lcp_rows_of(lcp->plan, t), lcp->scale + first,
                              lcp->gathered);
    for (uint32_t i = first; i < lcp->plan->row[t + 1]; ++i, a += width)
        a[i - first] = lode__lcp_is_unlimited(lcp, i) ? 1 : 1 + softness;
}

void lode__lcp_scale(lode__lcp *lcp, double softness)
{
    const lode__lcp_plan *plan = lcp->plan;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        uint32_t rows = lode__lcp_rows_of(plan, t), width = lode__lcp_width(plan, t);
        for (uint32_t k = 0; k < rows; ++k) {
            uint32_t i = plan->row[t] + k;
            double d = lcp->a[plan->panel[t] + k * width + k];
            bool good = d > 0 && d < INFINITY && fabs(lcp->b[i]) < INFINITY;
            lcp->scale[i] = good ? 1 / sqrt(d) : 0;
            lcp->state[i] = good ? LODE__LCP_LOW : LODE__LCP_DROPPED;
            lcp->follower[i] = lcp->next[i] = LODE__LCP_NONE;
            lcp->slide[i] = 0;
            lcp->spare[i] = false;
        }
    }
    for (uint32_t i = 0; i < lcp->count; ++i) {
        if (lcp->state[i] == LODE__LCP_DROPPED)
            lcp->x[i] = 0;
        else
            scale_row(lcp, i);
    }
    for (uint32_t t = 0; t < plan->size.nodes; ++t)
        scale_panel(lcp, t, softness);
}

/* --- products */

/* Rows of node t times x, as far as its panel has them; returns how wide that is. */
static uint32_t multiply(lode__lcp *lcp, uint32_t t, const double *x)
{
    uint32_t width = gather(lcp, t, x);
    lcp->kernels->panel.dots(lcp->a + lcp->plan->panel[t], width, lode__lcp_rows_of(lcp->plan, t),
                             lcp->gathered, lcp->pushed);
    return width;
}

void lode__lcp_times(lode__lcp *lcp, const double *x, double *to)
{
    const lode__lcp_plan *plan = lcp->plan;
    for (uint32_t i = 0; i < lcp->count; ++i)
        to[i] = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        uint32_t width = multiply(lcp, t, x), first = plan->row[t];
        for (uint32_t i = first; i < plan->row[t + 1]; ++i)
            to[i] = lcp->state[i] == LODE__LCP_DROPPED ? 0 : to[i] + lcp->pushed[i - first];
        push(lcp, t, width, x, to);
    }
}

void lode__lcp_residual(lode__lcp *lcp)
{
    lode__lcp_times(lcp, lcp->x, lcp->w);
    for (uint32_t i = 0; i < lcp->count; ++i)
        lcp->w[i] = lcp->state[i] == LODE__LCP_DROPPED ? 0 : lcp->w[i] - lcp->b[i];
    lcp->w_is_of_x = true;
}

/* Rows behind a node have not changed yet when its turn comes, and are gathered; those before it
 * have pushed what they hold. The scaled diagonal is 1 or next to it, and not divided by. */
void lode__lcp_sweep(lode__lcp *lcp)
{
    const lode__lcp_plan *plan = lcp->plan;
    for (uint32_t i = 0; i < lcp->count; ++i)
        lcp->w[i] = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        uint32_t first = plan->row[t], own = lode__lcp_rows_of(plan, t);
        uint32_t width = multiply(lcp, t, lcp->x);
        const double *row = lcp->a + plan->panel[t];
        double *product = lcp->pushed;
        for (uint32_t k = 0; k < own; ++k, row += width) {
            uint32_t i = first + k;
            if (lcp->state[i] == LODE__LCP_DROPPED || lcp->spare[i])
                continue;
            double w = lcp->w[i] + product[k] - lcp->b[i], last = lcp->x[i];
            double x = lode__lcp_clamp(last - w, lode__lcp_limits(lcp, i));
            lcp->x[i] = x;
            for (uint32_t j = k + 1; x != last && j < own; ++j)
                product[j] += row[j] * (x - last);
        }
        push(lcp, t, width, lcp->x, lcp->w);
    }
    lcp->w_is_of_x = false;
}

/* By which share x moved on, beside what a sweep has moved it by. */
static void move_on(lode__lcp *lcp, const double *from, double *way, double share)
{
    for (uint32_t i = 0; i < lcp->count; ++i) {
        double by = lcp->x[i] - from[i];
        lcp->x[i] += share * way[i];
        way[i] = share * way[i] + by;
    }
}

void lode__lcp_sweep_on(lode__lcp *lcp, int sweeps)
{
    double *from = lcp->x_rate, *way = lcp->w_rate, last = 0;
    memset(way, 0, lcp->count * sizeof *way);
    for (int i = 1; i < sweeps; ++i) {
        double size = 0;
        memcpy(from, lcp->x, lcp->count * sizeof *from);
        lode__lcp_sweep(lcp);
        for (uint32_t k = 0; k < lcp->count; ++k)
            size += (lcp->x[k] - from[k]) * (lcp->x[k] - from[k]);
        if (!(size > 0))
            return;
        if (size <= last || i == 1)
            move_on(lcp, from, way, i == 1 ? 0 : size / last);
        else
            memset(way, 0, lcp->count * sizeof *way);
        last = size;
    }
    lode__lcp_sweep(lcp);
}
