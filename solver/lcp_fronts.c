/* lcp_fronts.c: the equations of the free rows, M x = y, by a multifrontal factor (Duff and Reid
 * 1983; the plan's fronts).
 *
 * M is A of the free rows and columns, plus, in the column of a row that others follow, what their
 * sliding adds: M[r][c] += slide_f A[r][f]. Its pattern is A's, because a follower is in its
 * master's node. A front's matrix holds the free rows of its own nodes, then of those above. It is
 * summed up from A's panels of its own nodes and from what its children's eliminations left of
 * theirs; then its own rows are eliminated (solver/eliminate.inl), and what is left waits for its
 * parent. As far as nothing slides it is symmetric, and the lower half is left out. No rows are
 * exchanged: a pivot that vanishes belongs to a row that others make superfluous, and its x is 0.
 *
 * Fronts stay as they are from one factor to the next while no row of their own, nor of any front
 * below, comes, goes or slides otherwise, and none comes or slides otherwise above: what is left of
 * rows above that have gone is not asked for. */
#include "solver/lcp.h"

enum { /* what is new about a node */
       OWN = 1,
       ABOVE = 2,
       SLIDES = 4
};

void lode__lcp_forget(lode__lcp *lcp)
{
    for (uint32_t s = 0; s < lcp->plan->size.fronts; ++s)
        lcp->factored[s].good = false;
}

/* --- what has changed */

/* Takes over how followers slide. */
static uint8_t take_slides(lode__lcp *lcp, uint32_t i, const double *slide)
{
    uint8_t news = 0;
    for (uint32_t f = lcp->follower[i]; f != LODE__LCP_NONE; f = lcp->next[f]) {
        if (lcp->slide[f] != slide[f])
            news |= OWN | ABOVE;
        if (slide[f] != 0)
            news |= SLIDES;
        lcp->slide[f] = slide[f];
    }
    return news;
}

static void note_news(lode__lcp *lcp, const double *slide)
{
    for (uint32_t t = 0; t < lcp->plan->size.nodes; ++t) {
        lcp->news[t] = 0;
        for (uint32_t i = lcp->plan->row[t]; i < lcp->plan->row[t + 1]; ++i) {
            bool is_free = lcp->state[i] == LODE__LCP_FREE;
            lcp->news[t] |= take_slides(lcp, i, slide);
            if (is_free != lcp->was_free[i])
                lcp->news[t] |= is_free ? OWN | ABOVE : OWN;
            lcp->was_free[i] = is_free;
        }
    }
}

/* All that is new about a front: of its own nodes, of those above, of fronts below. */
static uint8_t news_of(const lode__lcp *lcp, const lode__lcp_front *front, bool *out_good)
{
    uint8_t own = 0, above = 0;
    bool below = true, symmetric = true;
    for (uint32_t t = front->begin; t < front->end; ++t)
        own |= lcp->news[t];
    for (uint32_t k = front->above; k < front->above_end; ++k)
        above |= lcp->news[lcp->plan->above[k]];
    for (uint32_t c = front->child; c != LODE__LCP_NONE; c = lcp->plan->fronts[c].sibling) {
        below = below && lcp->factored[c].good;
        symmetric = symmetric && lcp->factored[c].symmetric;
    }
    *out_good = below && !(own & OWN) && !(above & ABOVE);
    return (uint8_t)((own | above) & SLIDES) | (uint8_t)(symmetric ? 0 : SLIDES);
}

/* --- summing up */

static uint32_t list_rows(lode__lcp *lcp, uint32_t t, uint32_t *list, uint32_t count)
{
    for (uint32_t i = lcp->plan->row[t]; i < lcp->plan->row[t + 1]; ++i) {
        bool is_free = lcp->state[i] == LODE__LCP_FREE;
        lcp->at[i] = is_free ? count : LODE__LCP_NONE;
        if (is_free)
            list[count++] = i;
    }
    return count;
}

/* How many places from each on come one after another both ways. */
static void find_runs(lode__lcp *lcp, uint32_t count)
{
    for (uint32_t c = count; c-- > 0;) {
        bool joins = c + 1 < count && lcp->to[c + 1] == lcp->to[c] + 1 &&
                     lcp->down[c + 1] == lcp->down[c] + 1;
        lcp->run[c] = joins ? lcp->run[c + 1] + 1 : 1;
    }
}

/* Of the columns of a panel: the front's column that each goes to, by which share, and the front's
 * row. Returns how many there are. */
static uint32_t place_columns(lode__lcp *lcp, uint32_t t, bool *out_slides)
{
    const lode__lcp_plan *plan = lcp->plan;
    uint32_t width = 0;
    *out_slides = false;
    for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c)
        for (uint32_t j = plan->row[plan->with[c]]; j < plan->row[plan->with[c] + 1]; ++j) {
            bool is_free = lcp->at[j] != LODE__LCP_NONE, slides = lcp->slide[j] != 0;
            lcp->down[width] = lcp->at[j];
            lcp->to[width] = is_free ? lcp->at[j] : slides ? lcp->at[lcp->master[j]] : 0;
            lcp->pushed[width++] = is_free ? 1 : lcp->slide[j];
            *out_slides = *out_slides || slides;
        }
    find_runs(lcp, width);
    return width;
}

static void add_run(double *restrict to, const double *restrict from, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k)
        to[k] += from[k];
}

/* Adds a row of a panel where nothing slides: columns that lie side by side in the front too are
 * added as one. */
static void add_free_row(const lode__lcp *lcp, const double *a, uint32_t width, double *row)
{
    for (uint32_t c = 0; c < width; c += lcp->run[c])
        if (lcp->down[c] != LODE__LCP_NONE)
            add_run(row + lcp->to[c], a + c, lcp->run[c]);
}

static void add_panel(lode__lcp *lcp, uint32_t t, const lode__front *f)
{
    const lode__lcp_plan *plan = lcp->plan;
    bool slides;
    uint32_t columns = place_columns(lcp, t, &slides), own = lode__lcp_rows_of(plan, t);
    uint32_t width = lode__lcp_width(plan, t);
    const double *a = lcp->a + plan->panel[t], *share = lcp->pushed;
    for (uint32_t k = 0; k < own; ++k, a += width) {
        if (lcp->down[k] != LODE__LCP_NONE) {
            double *row = f->matrix + (size_t)lcp->down[k] * f->stride;
            if (!slides)
                add_free_row(lcp, a, columns, row);
            for (uint32_t c = 0; slides && c < columns; ++c)
                row[lcp->to[c]] += a[c] * share[c];
        }
        for (uint32_t c = own; !f->symmetric && share[k] != 0 && c < columns; ++c)
            if (lcp->down[c] != LODE__LCP_NONE)
                f->matrix[(size_t)lcp->down[c] * f->stride + lcp->to[k]] += a[c] * share[k];
    }
}

/* Adds what a child's elimination has left. */
static void add_child(lode__lcp *lcp, uint32_t s, const lode__front *f)
{
    const lode__lcp_front *child = &lcp->plan->fronts[s];
    const lode__lcp_factored *as = &lcp->factored[s];
    uint32_t stride = lode__lcp_stride(as->count), count = as->count - as->own;
    const uint32_t *list = lcp->list + child->list + as->own;
    const double *a = lcp->matrix + child->matrix + (size_t)as->own * stride + as->own;
    uint32_t here = 0;
    for (uint32_t k = 0; k < count; ++k)
        if (lcp->at[list[k]] != LODE__LCP_NONE) {
            lcp->down[here] = k;
            lcp->to[here++] = lcp->at[list[k]];
        }
    find_runs(lcp, here);
    for (uint32_t i = 0; i < here; ++i) {
        const double *from = a + (size_t)lcp->down[i] * stride;
        double *row = f->matrix + (size_t)lcp->to[i] * f->stride;
        for (uint32_t j = as->symmetric ? i : 0; j < here; j += lcp->run[j])
            add_run(row + lcp->to[j], from + lcp->down[j], lcp->run[j]);
        for (uint32_t j = i + 1; as->symmetric && !f->symmetric && j < here; ++j)
            f->matrix[(size_t)lcp->to[j] * f->stride + lcp->to[i]] += from[lcp->down[j]];
    }
}

static void factor_front(lode__lcp *lcp, uint32_t s, bool symmetric)
{
    const lode__lcp_front *front = &lcp->plan->fronts[s];
    lode__lcp_factored *as = &lcp->factored[s];
    uint32_t *list = lcp->list + front->list, first = lcp->plan->row[front->begin];
    as->count = 0;
    for (uint32_t t = front->begin; t < front->end; ++t)
        as->count = list_rows(lcp, t, list, as->count);
    as->own = as->count;
    for (uint32_t k = front->above; k < front->above_end; ++k)
        as->count = list_rows(lcp, lcp->plan->above[k], list, as->count);
    as->symmetric = symmetric;
    lode__front f = {.matrix = lcp->matrix + front->matrix,
                     .lower = lcp->lower + front->lower,
                     .inverse = lcp->inverse + first,
                     .least = lcp->pushed,
                     .count = as->count,
                     .own = as->own,
                     .stride = lode__lcp_stride(as->count),
                     .symmetric = symmetric};
    for (size_t i = 0; i < (size_t)f.count * f.stride; ++i)
        f.matrix[i] = 0;
    for (uint32_t t = front->begin; t < front->end; ++t)
        add_panel(lcp, t, &f);
    for (uint32_t c = front->child; c != LODE__LCP_NONE; c = lcp->plan->fronts[c].sibling)
        add_child(lcp, c, &f);
    for (uint32_t p = 0; p < f.own; ++p)
        lcp->pushed[p] = lode__lcp_is_unlimited(lcp, list[p]) ? lcp->least_pivot
                                                              : LODE__LCP_LEAST_PIVOT;
    lcp->kernels->eliminate(&f);
    for (uint32_t p = 0; p < f.own; ++p)
        lcp->spare[list[p]] = lode__lcp_is_unlimited(lcp, list[p]) && f.inverse[p] == 0;
}

void lode__lcp_factor(lode__lcp *lcp, const double *slide)
{
    note_news(lcp, slide);
    for (uint32_t s = 0; s < lcp->plan->size.fronts; ++s) {
        bool good;
        uint8_t news = news_of(lcp, &lcp->plan->fronts[s], &good);
        lode__lcp_factored *as = &lcp->factored[s];
        as->good = as->good && good;
        if (!as->good)
            factor_front(lcp, s, !(news & SLIDES) && !lcp->skew);
    }
    for (uint32_t s = 0; s < lcp->plan->size.fronts; ++s)
        lcp->factored[s].good = true;
}

/* --- solving */

/* Takes what a front's own rows hold from those above, or, backwards, the other way around. */
static void pass_front(lode__lcp *lcp, uint32_t s, bool backwards)
{
    const lode__lcp_front *front = &lcp->plan->fronts[s];
    const lode__lcp_factored *as = &lcp->factored[s];
    const uint32_t *list = lcp->list + front->list;
    const double *inverse = lcp->inverse + lcp->plan->row[front->begin];
    uint32_t stride = lode__lcp_stride(as->count);
    double *y = lcp->gathered;
    for (uint32_t i = 0; i < as->count; ++i)
        y[i] = lcp->y[list[i]];
    for (uint32_t p = 0; p < as->own && !backwards; ++p) {
        const double *l = lcp->lower + front->lower + (size_t)p * stride;
        for (uint32_t i = p + 1; i < as->count; ++i)
            y[i] -= l[i] * y[p];
    }
    for (uint32_t p = as->own; p-- > 0 && backwards;) {
        const double *u = lcp->matrix + front->matrix + (size_t)p * stride;
        y[p] -= lode__lcp_dot(u + p + 1, y + p + 1, as->count - p - 1);
        y[p] *= inverse[p];
    }
    for (uint32_t i = 0; i < as->count; ++i)
        lcp->y[list[i]] = y[i];
}

void lode__lcp_solve_factor(lode__lcp *lcp)
{
    for (uint32_t s = 0; s < lcp->plan->size.fronts; ++s)
        pass_front(lcp, s, false);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_FREE)
            lcp->y[i] = 0;
    for (uint32_t s = lcp->plan->size.fronts; s-- > 0;)
        pass_front(lcp, s, true);
}
