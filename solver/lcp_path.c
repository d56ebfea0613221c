/* lcp_path.c: from a point within all limits to a solution, along a path that cannot cycle.
 *
 * With z = x - w, and x what the limits leave of z, the whole problem is one piecewise linear
 * equation, A x(z) - w(z) = b (the normal map of Robinson 1992). Its pieces are the sets of rows
 * that are free, low or high; friction that slides is a piece too, in which x_f follows x_n. Any
 * start solves the equation for another b, which is b + cover. As the share of the cover that is
 * left goes from 1 to 0, z goes along a line in each piece; where the line meets the next one, one
 * row changes its set, and the path goes on there, or, where friction wedges, with the cover
 * growing again for a while. It sees each piece once at most and ends at a solution or in a ray
 * (Eaves 1976; Cao and Ferris 1996).
 *
 * A start near a solution has no cover but where a row is wrong, and takes about as many pieces as
 * there are such rows. Without friction it always ends well, since then all principal minors are
 * positive. With friction the cover may grow for good. A start with all contacts open, pushed apart
 * by the cover, is that of Lemke's method (1965): friction in pyramids is copositive, so it ends
 * well too (Stewart and Trinkle 1996), after about as many pieces as there are rows.
 *
 * How x and w move in a piece a tableau tells in small problems (lcp_tableau.c), in others a factor
 * of the free rows. They are summed up from piece to piece, and so rounded: the caller solves the
 * last set. */
#include "solver/lcp.h"

#include <string.h>

#define APART 1e-9  /* by how much, of the largest number, rows are parted that tie */
#define PUSHED 0.1  /* by how much, of the largest w, open contacts are */
#define FLAT 1e-12  /* slopes, of the steepest, that are none */
#define GROWN 1.5   /* cover that a near start has not grown to and come back from */
#define ENDLESS 1e6 /* nor one with open contacts */

typedef struct path {
    double left; /* share of the cover */
    double way;  /* of it: -1 where it shrinks, 1 where it grows */
    bool tableau;
} path;

/* How far a row is from the end of its set, and how fast that grows with the share of the cover. */
typedef struct gap {
    double room, slope;
    uint8_t next; /* the set behind */
} gap;

typedef struct crossing {
    uint32_t row;
    uint8_t next;
    double step, slope;
} crossing;

/* --- starts */

/* From 1 to 2, other for each row, so that none tie. */
static double spread(uint32_t i)
{
    return 1 + (double)((i * 2654435761u) >> 16) / 65536;
}

/* Rows with followers may push, not pull: what follows has no limits at less than zero, so there
 * would be another piece. */
static bool has_paths(const lode__lcp *lcp)
{
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->follower[i] != LODE__LCP_NONE && lcp->lo[i] < 0)
            return false;
    return true;
}

static bool is_contact(const lode__lcp *lcp, uint32_t i)
{
    return lcp->follower[i] != LODE__LCP_NONE && lcp->state[i] != LODE__LCP_DROPPED;
}

/* All contacts let go, and w pushes them apart. */
static void open_contacts(lode__lcp *lcp)
{
    double most = 0;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->follower[i] != LODE__LCP_NONE || lcp->master[i] != LODE__LCP_NONE)
            lcp->x[i] = lode__lcp_clamp(0, lode__lcp_limits(lcp, i));
    lode__lcp_residual(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (is_contact(lcp, i) && fabs(lcp->w[i]) > most)
            most = fabs(lcp->w[i]);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (is_contact(lcp, i))
            lcp->w[i] = fabs(lcp->w[i]) + PUSHED * most * spread(i);
}

/* Puts row i into the set where x has it: at a limit that w holds it to, else free, off the limit
 * by a little. Friction of a contact that is new itself slides the way that w says. w becomes what
 * it is to be. */
static void start_row(lode__lcp *lcp, uint32_t i, double apart)
{
    lode__lcp_range to = lode__lcp_limits(lcp, i);
    uint32_t master = lcp->master[i];
    double x = lode__lcp_clamp(lcp->x[i], to), w = lcp->w[i], size = to.hi - to.lo;
    double inside = apart < 0.5 * size ? apart : 0.5 * size;
    bool slides = master != LODE__LCP_NONE && lcp->x[master] <= 2 * apart;
    bool low = slides ? w > 0 : x <= to.lo, high = slides ? !low : x >= to.hi;
    lcp->w[i] = 0;
    if (!(to.lo < to.hi)) {
        lcp->state[i] = LODE__LCP_FIXED;
        lcp->x[i] = to.lo;
        lcp->w[i] = w + apart;
    } else if (low && w >= 0) {
        lcp->state[i] = LODE__LCP_LOW;
        lcp->x[i] = to.lo;
        lcp->w[i] = w + apart;
    } else if (high && w <= 0) {
        lcp->state[i] = LODE__LCP_HIGH;
        lcp->x[i] = to.hi;
        lcp->w[i] = w - apart;
    } else {
        lcp->state[i] = LODE__LCP_FREE;
        lcp->x[i] = low ? to.lo + inside : high ? to.hi - inside : x;
    }
}

/* The cover is what x and w, as they are to be, differ by from A x - w = b. */
static void start(lode__lcp *lcp, bool open)
{
    double apart = APART * lode__lcp_largest(lcp);
    if (open)
        open_contacts(lcp);
    else
        lode__lcp_residual(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED)
            start_row(lcp, i, apart * spread(i));
    lode__lcp_times(lcp, lcp->x, lcp->cover);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED)
            lcp->cover[i] -= lcp->b[i] + lcp->w[i];
    lcp->w_is_of_x = false;
}

/* --- pieces */

static void factor_rates(lode__lcp *lcp)
{
    double *x = lcp->x_rate, *w = lcp->w_rate;
    for (uint32_t i = 0; i < lcp->count; ++i)
        lcp->y[i] = lode__lcp_slide_of(lcp, i);
    lode__lcp_factor(lcp, lcp->y);
    for (uint32_t i = 0; i < lcp->count; ++i)
        lcp->y[i] = lcp->state[i] == LODE__LCP_FREE ? lcp->cover[i] : 0;
    lode__lcp_solve_factor(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        x[i] = lcp->state[i] == LODE__LCP_FREE ? lcp->y[i] : 0;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->slide[i] != 0)
            x[i] = lcp->slide[i] * x[lcp->master[i]];
    lode__lcp_times(lcp, x, w);
    for (uint32_t i = 0; i < lcp->count; ++i)
        w[i] -= lcp->cover[i];
}

/* How x and w move with the share of the cover. */
static void find_rates(lode__lcp *lcp, const path *p)
{
    if (p->tableau)
        lode__lcp_tableau_rates(lcp);
    else
        factor_rates(lcp);
    ++lcp->pivots;
}

/* Of a free row to its lower limit, which moves with its master, */
static gap gap_below(const lode__lcp *lcp, uint32_t i)
{
    uint32_t master = lcp->master[i];
    double limit = master == LODE__LCP_NONE ? 0 : -lcp->ratio[i] * lcp->x_rate[master];
    return (gap){lcp->x[i] - lode__lcp_limits(lcp, i).lo, lcp->x_rate[i] - limit, LODE__LCP_LOW};
}

/* to its upper one, */
static gap gap_above(const lode__lcp *lcp, uint32_t i)
{
    uint32_t master = lcp->master[i];
    double limit = master == LODE__LCP_NONE ? 0 : lcp->ratio[i] * lcp->x_rate[master];
    return (gap){lode__lcp_limits(lcp, i).hi - lcp->x[i], limit - lcp->x_rate[i], LODE__LCP_HIGH};
}

/* and of one at a limit, to where w no longer holds it there. */
static gap gap_at_limit(const lode__lcp *lcp, uint32_t i)
{
    double sign = lcp->state[i] == LODE__LCP_LOW ? 1 : -1;
    return (gap){sign * lcp->w[i], sign * lcp->w_rate[i], LODE__LCP_FREE};
}

/* Takes the end of row i's set if it comes sooner. */
static void look(const path *p, crossing *c, uint32_t i, gap g, double flat)
{
    double slope = -p->way * g.slope;
    if (!(slope > flat) || !(g.room < INFINITY))
        return;
    double step = g.room > 0 ? g.room / slope : 0;
    if (step < c->step || (step == c->step && slope > c->slope))
        *c = (crossing){i, g.next, step, slope};
}

static double steepest(const double *rate, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; ++i)
        most = fabs(rate[i]) > most ? fabs(rate[i]) : most;
    return most;
}

/* Which row's set ends first. */
static crossing find_crossing(const lode__lcp *lcp, const path *p)
{
    crossing c = {.row = LODE__LCP_NONE, .step = INFINITY};
    double flat_x = FLAT * steepest(lcp->x_rate, lcp->count);
    double flat_w = FLAT * steepest(lcp->w_rate, lcp->count);
    for (uint32_t i = 0; i < lcp->count; ++i) {
        uint8_t state = lcp->state[i];
        if (state == LODE__LCP_FREE && !lode__lcp_is_unlimited(lcp, i)) {
            look(p, &c, i, gap_below(lcp, i), flat_x);
            look(p, &c, i, gap_above(lcp, i), flat_x);
        } else if (state == LODE__LCP_LOW || state == LODE__LCP_HIGH) {
            look(p, &c, i, gap_at_limit(lcp, i), flat_w);
        }
    }
    return c;
}

static void walk(lode__lcp *lcp, path *p, double step)
{
    double by = p->way * step;
    for (uint32_t i = 0; i < lcp->count; ++i) {
        lcp->x[i] += by * lcp->x_rate[i];
        lcp->w[i] += by * lcp->w_rate[i];
    }
    p->left += by;
}

/* Friction of a contact that lets go has no sets of its own; that of one that takes hold begins
 * by sliding the way that its w says. */
static void move_follower(lode__lcp *lcp, uint32_t f, bool held)
{
    if (lcp->state[f] == LODE__LCP_DROPPED || !(lcp->ratio[f] > 0))
        return;
    if (held)
        lcp->state[f] = lcp->w[f] > 0 ? LODE__LCP_LOW : LODE__LCP_HIGH;
    else
        lcp->state[f] = LODE__LCP_FIXED;
    lcp->x[f] = 0;
}

/* Puts the row into its next set, right where that begins. */
static void cross(lode__lcp *lcp, const crossing *c)
{
    uint32_t i = c->row;
    uint8_t from = lcp->state[i], limit = from == LODE__LCP_FREE ? c->next : from;
    lode__lcp_range to = lode__lcp_limits(lcp, i);
    lcp->state[i] = c->next;
    lcp->w[i] = 0;
    lcp->x[i] = limit == LODE__LCP_LOW ? to.lo : to.hi;
    if (lcp->lo[i] != 0 || from == LODE__LCP_HIGH || c->next == LODE__LCP_HIGH)
        return;
    for (uint32_t f = lcp->follower[i]; f != LODE__LCP_NONE; f = lcp->next[f])
        move_follower(lcp, f, from == LODE__LCP_LOW);
}

/* Which way the cover goes as the row goes on into its new set; 0 if it does not. */
static double way_on(const lode__lcp *lcp, uint32_t i, uint8_t from)
{
    gap g;
    if (lcp->state[i] != LODE__LCP_FREE)
        g = gap_at_limit(lcp, i);
    else
        g = from == LODE__LCP_LOW ? gap_below(lcp, i) : gap_above(lcp, i);
    return (double)(g.slope > 0) - (double)(g.slope < 0);
}

bool lode__lcp_follow_path(lode__lcp *lcp, bool open, uint32_t pivots)
{
    path p = {.left = 1, .way = -1};
    const double most = open ? ENDLESS : GROWN;
    if (!has_paths(lcp))
        return false;
    start(lcp, open);
    p.tableau = lode__lcp_tableau_begin(lcp);
    for (find_rates(lcp, &p); pivots > 0 && p.way != 0 && p.left <= most; --pivots) {
        crossing c = find_crossing(lcp, &p);
        if (p.way < 0 && p.left <= c.step) {
            walk(lcp, &p, p.left);
            return true;
        }
        if (c.row == LODE__LCP_NONE)
            return false;
        uint8_t from = lcp->state[c.row];
        walk(lcp, &p, c.step);
        cross(lcp, &c);
        if (p.tableau)
            lode__lcp_tableau_turn(lcp, c.row);
        find_rates(lcp, &p);
        p.way = way_on(lcp, c.row, from);
    }
    return false;
}
