/* lcp_tableau.c: the pieces of a path (lcp_path.c) of a small problem, by exchanges in one full
 * matrix.
 *
 * w = A x - b - cover share tells w of all rows by x and the share of the cover. Of each row one of
 * its numbers rests while a piece lasts, and the tableau tells the other ones by those that rest,
 *
 *     moving = T resting + rate share + a constant,
 *
 * of which the constants are left out. In a row that lies at a limit x rests, in a free one w. In
 * one that slides what rests is how far it is from its limit, y = ratio x_n - x_f, or with
 * ratio x_n + x_f; while its master moves, w moves. Where the path goes on into the next set, rows
 * exchange what rests and what moves (principal pivots, Cottle, Pang and Stone 1992), which takes
 * rows times rows operations, a quarter of the time of a new factor with 40 to 150 rows. What is
 * rounded adds up from piece to piece; the caller solves the last set anew. */
#include "solver/lcp.h"

#include <string.h>

enum { /* what rests */
       X,
       W,
       BELOW, /* ratio x_n + x_f */
       ABOVE  /* ratio x_n - x_f */
};

static double *row_of(const lode__lcp *lcp, uint32_t i)
{
    return lcp->matrix + (size_t)i * lode__lcp_tableau_stride(lcp->count);
}

/* --- beginning */

/* A master that came to an upper limit would let its followers go on with limits that stand. */
static bool suits(const lode__lcp *lcp)
{
    const size_t size = lode__lcp_tableau_size(lcp->count);
    if (size == 0 || size > lcp->room)
        return false;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->follower[i] != LODE__LCP_NONE && (lcp->lo[i] != 0 || lcp->hi[i] < INFINITY))
            return false;
    return true;
}

static void place_panel(lode__lcp *lcp, uint32_t t)
{
    const lode__lcp_plan *plan = lcp->plan;
    uint32_t first = plan->row[t], own = lode__lcp_rows_of(plan, t),
             width = lode__lcp_width(plan, t);
    const double *a = lcp->a + plan->panel[t];
    for (uint32_t k = 0; k < own; ++k, a += width) {
        uint32_t at = 0;
        for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c)
            for (uint32_t j = plan->row[plan->with[c]]; j < plan->row[plan->with[c] + 1]; ++j) {
                row_of(lcp, first + k)[j] = a[at];
                if (c > plan->couple[t])
                    row_of(lcp, j)[first + k] = a[at];
                ++at;
            }
    }
}

/* --- exchanges */

/* What rests in row i and what moves there. */
static void exchange(lode__lcp *lcp, uint32_t i)
{
    lcp->kernels->panel.exchange(lcp->matrix, lode__lcp_tableau_stride(lcp->count), lcp->count, i);
}

/* x of a row without limits moves, unless others make the row superfluous. */
static void release(lode__lcp *lcp, uint32_t i)
{
    lcp->spare[i] = lode__lcp_is_unlimited(lcp, i) && !(row_of(lcp, i)[i] > lcp->least_pivot);
    if (!lcp->spare[i]) {
        exchange(lcp, i);
        lcp->rests[i] = W;
    }
}

static double sign_of(uint8_t rests)
{
    return rests == ABOVE ? 1 : -1;
}

static uint8_t wanted(const lode__lcp *lcp, uint32_t i)
{
    if (lcp->state[i] == LODE__LCP_FREE)
        return W;
    if (lode__lcp_slide_of(lcp, i) == 0)
        return X;
    return lcp->state[i] == LODE__LCP_LOW ? BELOW : ABOVE;
}

/* Row f, of what moves there, becomes so many times its master's and itself. */
static void combine(lode__lcp *lcp, uint32_t f, double of_master, double of_own)
{
    const double *n = row_of(lcp, lcp->master[f]);
    double *own = row_of(lcp, f);
    for (uint32_t j = 0; j <= lcp->count; ++j)
        own[j] = of_master * n[j] + of_own * own[j];
}

/* The same of columns, of what rests: the master's becomes so many times f's and itself. */
static void spread(lode__lcp *lcp, uint32_t f, double to_master, double to_own)
{
    const uint32_t n = lcp->master[f];
    for (uint32_t i = 0; i < lcp->count; ++i) {
        double *row = row_of(lcp, i), of = row[f];
        row[n] += to_master * of;
        row[f] = to_own * of;
    }
}

/* Both while the master rests. */
static void begin_to_slide(lode__lcp *lcp, uint32_t f, uint8_t way)
{
    spread(lcp, f, sign_of(way) * lcp->ratio[f], -sign_of(way));
    lcp->rests[f] = way;
}

static void end_to_slide(lode__lcp *lcp, uint32_t f)
{
    spread(lcp, f, lcp->ratio[f], -sign_of(lcp->rests[f]));
    lcp->rests[f] = X;
}

/* Both while it moves. */
static void stick(lode__lcp *lcp, uint32_t f)
{
    double sign = sign_of(lcp->rests[f]);
    exchange(lcp, f);
    combine(lcp, f, sign * lcp->ratio[f], -sign);
    lcp->rests[f] = W;
}

static void slip(lode__lcp *lcp, uint32_t f, uint8_t way)
{
    combine(lcp, f, lcp->ratio[f], -sign_of(way));
    exchange(lcp, f);
    lcp->rests[f] = way;
}

/* --- a row with its followers */

static void take_hold(lode__lcp *lcp, uint32_t n)
{
    for (uint32_t f = lcp->follower[n]; f != LODE__LCP_NONE; f = lcp->next[f])
        if (wanted(lcp, f) >= BELOW)
            begin_to_slide(lcp, f, wanted(lcp, f));
    release(lcp, n);
}

static void let_go(lode__lcp *lcp, uint32_t n)
{
    for (uint32_t f = lcp->follower[n]; f != LODE__LCP_NONE; f = lcp->next[f])
        if (lcp->rests[f] == W) {
            exchange(lcp, f);
            lcp->rests[f] = X;
        }
    exchange(lcp, n);
    lcp->rests[n] = X;
    for (uint32_t f = lcp->follower[n]; f != LODE__LCP_NONE; f = lcp->next[f])
        if (lcp->rests[f] >= BELOW)
            end_to_slide(lcp, f);
}

static void turn_follower(lode__lcp *lcp, uint32_t f)
{
    const uint8_t want = wanted(lcp, f);
    if (want == lcp->rests[f])
        return;
    if (lcp->rests[f] >= BELOW)
        stick(lcp, f);
    else if (lcp->rests[f] == X)
        release(lcp, f);
    if (want >= BELOW)
        slip(lcp, f, want);
}

void lode__lcp_tableau_turn(lode__lcp *lcp, uint32_t i)
{
    const uint32_t n = lcp->master[i] == LODE__LCP_NONE ? i : lcp->master[i];
    if (lcp->state[n] == LODE__LCP_DROPPED)
        return;
    if (wanted(lcp, n) == W && lcp->rests[n] == X)
        take_hold(lcp, n);
    else if (wanted(lcp, n) == X && lcp->rests[n] == W)
        let_go(lcp, n);
    for (uint32_t f = lcp->follower[n]; f != LODE__LCP_NONE && lcp->rests[n] == W; f = lcp->next[f])
        turn_follower(lcp, f);
}

bool lode__lcp_tableau_begin(lode__lcp *lcp)
{
    if (!suits(lcp))
        return false;
    memset(lcp->matrix, 0, lode__lcp_tableau_size(lcp->count) * sizeof *lcp->matrix);
    lode__lcp_forget(lcp);
    for (uint32_t t = 0; t < lcp->plan->size.nodes; ++t)
        place_panel(lcp, t);
    for (uint32_t i = 0; i < lcp->count; ++i) {
        row_of(lcp, i)[lcp->count] = -lcp->cover[i];
        lcp->rests[i] = X;
    }
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->master[i] == LODE__LCP_NONE)
            lode__lcp_tableau_turn(lcp, i);
    return true;
}

void lode__lcp_tableau_rates(lode__lcp *lcp)
{
    for (uint32_t i = 0; i < lcp->count; ++i) {
        double rate = row_of(lcp, i)[lcp->count];
        lcp->x_rate[i] = lcp->rests[i] == W ? rate : 0;
        lcp->w_rate[i] = lcp->rests[i] == W ? 0 : rate;
        if (lcp->rests[i] >= BELOW) /* its master comes before it */
            lcp->x_rate[i] = sign_of(lcp->rests[i]) * lcp->ratio[i] * lcp->x_rate[lcp->master[i]];
    }
}
