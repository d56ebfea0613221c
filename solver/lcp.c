/* lcp.c: a non-smooth Newton method on a mixed LCP with friction.
 *
 * Rows are free (w = 0) or lie at a limit. Each round solves the free rows, then moves all rows
 * whose sign is wrong between the sets at once (block principal pivoting, Judice and Pires 1994).
 * Friction that slides moves with its normal: x_f = -+ ratio x_n is put into the equations, which
 * makes a round a Newton step on all conditions together (Alart and Curnier 1991) and costs an LU
 * factor in place of a Cholesky factor. Repeating a symmetric problem with the limits of the round
 * before, as one might instead, needs some 25 rounds where this needs four, and where friction
 * wedges it never ends. The first sets come from the last step's impulses and, unless these are
 * near, a few sweeps of projected Gauss-Seidel: a pile at rest is solved in one round, most others
 * in a handful.
 *
 * It may cycle, and what wedges makes it do so. After PATIENCE rounds in which the number of wrong
 * rows found no new minimum, a path leads to a solution (lcp_path.c): from the best x so far and a
 * few sweeps, or, where friction turns that one back, from many, or from all contacts open. Rounds
 * alone missed 1e-6 in every seventh step of a heap of 30, wherever they started. A number of
 * pieces bounds the paths; what is left then is the best x, by how far a step of w would still move
 * it, after sweeps and rounds in turn. It respects all limits.
 *
 * Rank. Four corners under a box are three rows' worth: A is singular, any split of the load does,
 * and the smallest rounding error decides which. Rows with limits therefore get SOFTNESS on their
 * diagonal, which is scaled to 1: of all splits, the even one comes out. It costs SOFTNESS times
 * the row's impulse in velocity. What rows contradict each other by comes back 1 / SOFTNESS times
 * as large, so errors that are left must be far smaller than that: with 1e-8 a car of four driven
 * wheels ended in motors that pulled against each other as hard as they could, and never rolled
 * smoothly. Rows without limits (joints) are not softened, because there it would show in long
 * chains; one that depends on rows before it, as in a closed loop, is recognised by a pivot that
 * vanishes and left out: the others hold what it would. Nearly dependent others take it out with
 * large coefficients t, and leave roundings of t^2 that may pass for a pivot; what contradicts
 * them, divided by that, would be an impulse of 1e14. Then not even the rows that were solved are
 * met, and larger pivots are left out until they are.
 *
 * Scalar code in double precision and in a fixed order: same bits everywhere. */
#include "solver/lcp.h"

#include <string.h>

#define SOFTNESS 1e-9
#define TOLERANCE 1e-10 /* of signs, relative to the largest number, and */
#define EXACT 1e-12     /* error that ends all rounds, unless others are asked for */
#define CLOSE 1e-6      /* error that suffices where no row is wrong, or nothing leads on */
#define NEAR 1e-4       /* error of a start that needs no sweeps, unless they are asked for, */
#define NEAR_SMOOTH 0.1 /* the same without friction */
#define UNMET 1e-2      /* share of the largest b that may stay unmet */
#define ROUNDED 1e-6    /* share of what free rows are to meet that rounding may leave unmet */
#define MOST_PIVOT 1e-6 /* no larger one is left out */

enum {
    FIRST_SWEEPS = 4,
    PATIENCE = 2,
    NEAR_SWEEPS = 8,     /* before a path; before another, as many as there are rows */
    FEW_PIVOTS = 128,    /* of a path that begins near, but may not end; others have more: */
    MOST_WORK = 1 << 19, /* rows times half of theirs */
    LEAST_SWEEPS = 8,
    MOST_SWEEPS = 256
};

bool lode__lcp_take(lode__lcp *lcp, lode__arena *arena, const lode__lcp_size *size)
{
    const size_t room = size->matrix > size->tableau ? size->matrix : size->tableau;
    *lcp = (lode__lcp){.exact = EXACT, .signs = TOLERANCE, .room = room};
    const struct {
        void *array; /* a pointer to be set */
        size_t count, of;
    } all[] = {
        {&lcp->a, size->panels, sizeof *lcp->a},
        {&lcp->b, size->rows, sizeof *lcp->b},
        {&lcp->lo, size->rows, sizeof *lcp->lo},
        {&lcp->hi, size->rows, sizeof *lcp->hi},
        {&lcp->master, size->rows, sizeof *lcp->master},
        {&lcp->ratio, size->rows, sizeof *lcp->ratio},
        {&lcp->x, size->rows, sizeof *lcp->x},
        {&lcp->w, size->rows, sizeof *lcp->w},
        {&lcp->y, size->rows, sizeof *lcp->y},
        {&lcp->best, size->rows, sizeof *lcp->best},
        {&lcp->from, size->rows, sizeof *lcp->from},
        {&lcp->scale, size->rows, sizeof *lcp->scale},
        {&lcp->cover, size->rows, sizeof *lcp->cover},
        {&lcp->x_rate, size->rows, sizeof *lcp->x_rate},
        {&lcp->w_rate, size->rows, sizeof *lcp->w_rate},
        {&lcp->slide, size->rows, sizeof *lcp->slide},
        {&lcp->follower, size->rows, sizeof *lcp->follower},
        {&lcp->next, size->rows, sizeof *lcp->next},
        {&lcp->state, size->rows, sizeof *lcp->state},
        {&lcp->spare, size->rows, sizeof *lcp->spare},
        {&lcp->factored, size->fronts, sizeof *lcp->factored},
        {&lcp->matrix, room, sizeof *lcp->matrix},
        {&lcp->lower, size->lower, sizeof *lcp->lower},
        {&lcp->inverse, size->rows, sizeof *lcp->inverse},
        {&lcp->rests, size->rows, sizeof *lcp->rests},
        {&lcp->list, size->list, sizeof *lcp->list},
        {&lcp->at, size->rows, sizeof *lcp->at},
        {&lcp->was_free, size->rows, sizeof *lcp->was_free},
        {&lcp->news, size->nodes, sizeof *lcp->news},
        {&lcp->gathered, lode__lcp_padded(size->rows), sizeof *lcp->gathered},
        {&lcp->pushed, lode__lcp_padded(size->rows), sizeof *lcp->pushed},
        {&lcp->to, size->rows, sizeof *lcp->to},
        {&lcp->down, size->rows, sizeof *lcp->down},
        {&lcp->run, size->rows, sizeof *lcp->run},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        void *memory = lode__arena_take(arena, all[i].count * all[i].of);
        if (!memory)
            return false;
        memcpy(all[i].array, &memory, sizeof memory);
    }
    return true;
}

void lode__lcp_pose(lode__lcp *lcp, const lode__lcp_plan *plan)
{
    lcp->plan = plan;
    lcp->count = plan->size.rows;
}

/* Masters come before their followers. */
static void clamp_all(lode__lcp *lcp)
{
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED) {
            double x = lode__lcp_clamp(lcp->x[i], lode__lcp_limits(lcp, i));
            lcp->w_is_of_x = lcp->w_is_of_x && x == lcp->x[i];
            lcp->x[i] = x;
        }
}

/* x becomes another. */
static void set_x(lode__lcp *lcp, const double *x)
{
    memcpy(lcp->x, x, lcp->count * sizeof *lcp->x);
    lcp->w_is_of_x = false;
}

/* Sorts rows by where x lies. */
static void read_states(lode__lcp *lcp)
{
    for (uint32_t i = 0; i < lcp->count; ++i) {
        if (lcp->state[i] == LODE__LCP_DROPPED)
            continue;
        lode__lcp_range to = lode__lcp_limits(lcp, i);
        if (!(to.lo < to.hi))
            lcp->state[i] = LODE__LCP_FIXED;
        else if (lcp->x[i] <= to.lo)
            lcp->state[i] = LODE__LCP_LOW;
        else
            lcp->state[i] = lcp->x[i] >= to.hi ? LODE__LCP_HIGH : LODE__LCP_FREE;
    }
}

/* --- the best x */

/* By how much a step of w, cut off at the limits, would still move x. */
static double error_of(lode__lcp *lcp)
{
    double most = 0;
    if (!lcp->w_is_of_x)
        lode__lcp_residual(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED && !lcp->spare[i]) {
            double x = lcp->x[i],
                   by = fabs(lode__lcp_clamp(x - lcp->w[i], lode__lcp_limits(lcp, i)) - x);
            most = by <= most ? most : by;
        }
    return most;
}

/* Keeps x if it is the best so far. */
static void keep_best(lode__lcp *lcp)
{
    double error = error_of(lcp);
    if (!(error < lcp->best_error))
        return;
    lcp->best_error = error;
    lcp->best_size = lode__lcp_largest(lcp);
    memcpy(lcp->best, lcp->x, lcp->count * sizeof *lcp->x);
}

/* The first sweeps, whose error is not asked for yet; `from` keeps what they come to. */
static void sweep_first(lode__lcp *lcp)
{
    for (int i = 0; i < FIRST_SWEEPS; ++i)
        lode__lcp_sweep(lcp);
    memcpy(lcp->from, lcp->x, lcp->count * sizeof *lcp->x);
    read_states(lcp);
}

/* Where rounds led nowhere: looks at what the first sweeps came to as well. */
static void keep_first(lode__lcp *lcp)
{
    set_x(lcp, lcp->from);
    keep_best(lcp);
}

/* Sweeps from the best x so far, which is where the next rounds start. */
static void sweep_from_best(lode__lcp *lcp, int sweeps)
{
    set_x(lcp, lcp->best);
    lode__lcp_sweep_on(lcp, sweeps);
    keep_best(lcp);
    read_states(lcp);
}

/* --- rounds */

/* w of the rows at their limits alone, most often all of them zero. */
static void measure_limits(lode__lcp *lcp)
{
    bool none = true;
    for (uint32_t i = 0; i < lcp->count && none; ++i)
        none = lcp->x[i] == 0;
    if (!none)
        lode__lcp_residual(lcp);
    for (uint32_t i = 0; i < lcp->count && none; ++i)
        lcp->w[i] = lcp->state[i] == LODE__LCP_DROPPED ? 0 : -lcp->b[i];
}

/* x of the rows at limits as given, of the free ones from w = 0, of sliding ones from both. Returns
 * the largest number that a free row was to meet. */
static double solve_set(lode__lcp *lcp)
{
    double most = 0;
    for (uint32_t i = 0; i < lcp->count; ++i) {
        lode__lcp_range to = lode__lcp_limits(lcp, i);
        uint8_t state = lcp->state[i];
        lcp->x[i] = 0;
        if ((state == LODE__LCP_LOW || state == LODE__LCP_FIXED) && lode__lcp_slide_of(lcp, i) == 0)
            lcp->x[i] = to.lo;
        else if (state == LODE__LCP_HIGH && lode__lcp_slide_of(lcp, i) == 0)
            lcp->x[i] = to.hi;
        lcp->y[i] = lode__lcp_slide_of(lcp, i);
    }
    lode__lcp_factor(lcp, lcp->y);
    measure_limits(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i) {
        bool is_free = lcp->state[i] == LODE__LCP_FREE;
        lcp->y[i] = is_free ? -lcp->w[i] : 0;
        most = fabs(lcp->y[i]) > most ? fabs(lcp->y[i]) : most;
    }
    lode__lcp_solve_factor(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] == LODE__LCP_FREE)
            lcp->x[i] = lcp->y[i];
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->slide[i] != 0)
            lcp->x[i] = lcp->slide[i] * lcp->x[lcp->master[i]];
    lode__lcp_residual(lcp);
    ++lcp->pivots;
    return most;
}

/* Is w within `most` of 0 in the rows without limits that were solved? */
static bool meets_unlimited(const lode__lcp *lcp, double most)
{
    bool met = true;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] == LODE__LCP_FREE && lode__lcp_is_unlimited(lcp, i) && !lcp->spare[i])
            met = met && fabs(lcp->w[i]) <= most;
    return met;
}

static void solve_free(lode__lcp *lcp)
{
    double most = solve_set(lcp);
    while (!meets_unlimited(lcp, ROUNDED * most) && lcp->least_pivot < MOST_PIVOT) {
        lcp->least_pivot *= 10;
        lode__lcp_forget(lcp);
        most = solve_set(lcp);
    }
}

/* The state in which row i would be right; the one it has if it is. A friction row whose normal
 * lets go is fixed; one whose normal takes hold sticks until it proves to slide. */
static uint8_t wanted(const lode__lcp *lcp, uint32_t i, double tolerance)
{
    uint8_t state = lcp->state[i];
    uint32_t master = lcp->master[i];
    if (state == LODE__LCP_DROPPED)
        return state;
    lode__lcp_range to = lode__lcp_limits(lcp, i);
    if (master != LODE__LCP_NONE && !(to.lo < to.hi)) {
        bool holds = lcp->ratio[i] > 0 && wanted(lcp, master, tolerance) == LODE__LCP_FREE;
        if (!holds)
            return LODE__LCP_FIXED;
        return state == LODE__LCP_FIXED ? LODE__LCP_FREE : state;
    }
    if (!(to.lo < to.hi))
        return LODE__LCP_FIXED;
    double x = lcp->x[i], w = lcp->w[i];
    switch (state) {
    case LODE__LCP_FREE:
        if (x < to.lo - tolerance)
            return LODE__LCP_LOW;
        return x > to.hi + tolerance ? LODE__LCP_HIGH : LODE__LCP_FREE;
    case LODE__LCP_LOW:
        return w < -tolerance ? LODE__LCP_FREE : state;
    case LODE__LCP_HIGH:
        return w > tolerance ? LODE__LCP_FREE : state;
    default:
        return LODE__LCP_FREE;
    }
}

/* Moves rows whose sign is wrong; returns how many. From the last row on, because followers ask for
 * what their masters want. */
static uint32_t move_wrong(lode__lcp *lcp)
{
    double tolerance = lcp->signs * lode__lcp_largest(lcp);
    uint32_t wrong = 0;
    for (uint32_t i = lcp->count; i-- > 0;) {
        uint8_t want = wanted(lcp, i, tolerance);
        wrong += want != lcp->state[i];
        lcp->state[i] = want;
    }
    return wrong;
}

static bool has_friction(const lode__lcp *lcp)
{
    bool any = false;
    for (uint32_t i = 0; i < lcp->count; ++i)
        any = any || (lcp->master[i] != LODE__LCP_NONE && lcp->ratio[i] > 0);
    return any;
}

/* Without limits all rows are free from the beginning. */
static bool is_limited(const lode__lcp *lcp)
{
    bool any = false;
    for (uint32_t i = 0; i < lcp->count && !any; ++i)
        any = !lode__lcp_is_unlimited(lcp, i);
    return any;
}

/* Rounds until no row is wrong; false where the number of wrong ones finds no new minimum for a
 * while. */
static bool solve_rounds(lode__lcp *lcp)
{
    uint32_t fewest = UINT32_MAX;
    for (int patience = PATIENCE; patience > 0; --patience) {
        solve_free(lcp);
        uint32_t wrong = move_wrong(lcp);
        clamp_all(lcp);
        keep_best(lcp);
        if (lcp->best_error <= (wrong == 0 ? CLOSE : lcp->exact) * lcp->best_size)
            return true;
        if (wrong == 0)
            return false;
        if (wrong < fewest)
            patience = PATIENCE + 1;
        fewest = wrong < fewest ? wrong : fewest;
    }
    return false;
}

/* Follows a path from the best x so far, and solves what it comes to. */
static bool solve_along(lode__lcp *lcp, bool open, uint32_t pivots)
{
    set_x(lcp, lcp->best);
    return lode__lcp_follow_path(lcp, open, pivots) && solve_rounds(lcp);
}

/* The same, after sweeps that bring x nearer. */
static bool solve_near(lode__lcp *lcp, int sweeps, uint32_t pivots)
{
    sweep_from_best(lcp, sweeps);
    return solve_along(lcp, false, pivots);
}

/* Rounds from what ever more sweeps come to. */
static void solve_by_sweeps(lode__lcp *lcp)
{
    for (int sweeps = LEAST_SWEEPS; sweeps <= MOST_SWEEPS; sweeps *= 2) {
        sweep_from_best(lcp, sweeps);
        if (lcp->best_error <= CLOSE * lcp->best_size || solve_rounds(lcp))
            return;
    }
    sweep_from_best(lcp, MOST_SWEEPS);
}

/* Of a path that may be long; work is bounded by rows times pivots. */
static uint32_t many_pivots(const lode__lcp *lcp)
{
    uint32_t all = lcp->count + 1, most = MOST_WORK / all;
    return FEW_PIVOTS + 2 * (all < most ? all : most);
}

static void solve_scaled(lode__lcp *lcp)
{
    bool friction = has_friction(lcp), limited = is_limited(lcp);
    double near = (friction ? NEAR : NEAR_SMOOTH) * lode__lcp_largest(lcp);
    memcpy(lcp->best, lcp->x, lcp->count * sizeof *lcp->x);
    lcp->best_error = INFINITY;
    bool swept = limited && (lcp->sweeps_first || !(error_of(lcp) <= near));
    if (swept)
        sweep_first(lcp);
    else
        read_states(lcp);
    if (solve_rounds(lcp))
        return;
    if (swept)
        keep_first(lcp);
    if (friction ? !solve_near(lcp, NEAR_SWEEPS, FEW_PIVOTS) &&
                       !solve_near(lcp, (int)lcp->count, FEW_PIVOTS) &&
                       !solve_along(lcp, true, many_pivots(lcp))
                 : !solve_near(lcp, NEAR_SWEEPS, many_pivots(lcp)))
        solve_by_sweeps(lcp);
}

/* Rows that contradict each other are kept apart by softness alone, or some were left out. */
static bool is_met(lode__lcp *lcp)
{
    double most = 0, error, soft = SOFTNESS * lcp->best_size;
    for (uint32_t i = 0; i < lcp->count; ++i) {
        lcp->spare[i] = false;
        if (lcp->state[i] != LODE__LCP_DROPPED && fabs(lcp->b[i]) > most)
            most = fabs(lcp->b[i]);
    }
    error = error_of(lcp);
    return (error > soft ? error : soft) <= UNMET * most;
}

void lode__lcp_begin(lode__lcp *lcp)
{
    lcp->pivots = 0;
    lcp->w_is_of_x = false;
    lcp->least_pivot = LODE__LCP_LEAST_PIVOT;
    lode__lcp_scale(lcp, SOFTNESS);
    lode__lcp_forget(lcp);
    memset(lcp->was_free, 0, lcp->count * sizeof *lcp->was_free);
    clamp_all(lcp);
}

bool lode__lcp_solve(lode__lcp *lcp)
{
    lode__lcp_begin(lcp);
    solve_scaled(lcp);
    if (memcmp(lcp->x, lcp->best, lcp->count * sizeof *lcp->x) != 0)
        set_x(lcp, lcp->best);
    bool solved = is_met(lcp);
    for (uint32_t i = 0; i < lcp->count; ++i)
        lcp->x[i] *= lcp->scale[i];
    return solved;
}
