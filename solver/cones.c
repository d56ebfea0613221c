/* cones.c: see cones.h. What x has to be is the point of the circle's disc, of radius x_n, that is
 * nearest to p = x - r w, for any r > 0. Newton's method on that (Alart and Curnier 1991): where p
 * lies outside, the first axis points to it, x along that axis is x_n, and across it
 *
 *     w + soft x = 0,   soft = (|p| - x_n) / (r x_n),
 *
 * which is the slip's speed by the friction once all is solved. Normals, limits, and which rows
 * stick are the LCP's, solved to the end for each choice of axes. */
#include "solver/cones.h"

#include <string.h>

#define ENDLESS 1e6 /* a coefficient that as good as never lets slip: a pyramid will do */
#define EXACT 1e-11 /* error that ends all rounds, unless other is asked for */
#define CLOSE 1e-9  /* error from which on rounds must halve it, unless other is asked for */
#define SMALL 1e-4  /* error of the LCP that no turning mends */
#define UNMET 1e-2  /* share of the largest b that may stay unmet */
enum { ROUNDS = 24, PATIENCE = 3 };

bool lode__cones_take(lode__cones *cones, lode__arena *arena, const lode__lcp_size *size)
{
    *cones = (lode__cones){.most = size->rows / 2, .exact = EXACT, .close = CLOSE};
    cones->list = LODE__TAKE(arena, lode__cone, cones->most);
    cones->at = LODE__TAKE(arena, uint32_t, size->rows);
    cones->a = LODE__TAKE(arena, double, size->panels);
    double **const of_rows[] = {&cones->b,     &cones->lo, &cones->hi,
                                &cones->ratio, &cones->x,  &cones->best};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i) {
        *of_rows[i] = LODE__TAKE(arena, double, size->rows);
        if (!*of_rows[i])
            return false;
    }
    return cones->list && cones->at && cones->a;
}

void lode__cones_begin(lode__cones *cones, uint32_t rows)
{
    cones->count = 0;
    if (cones->at)
        memset(cones->at, 0, rows * sizeof *cones->at);
}

void lode__cones_add(lode__cones *cones, const lode__lcp *lcp, uint32_t row)
{
    const double *mu = lcp->ratio + row;
    if (!(mu[0] < ENDLESS && mu[1] < ENDLESS))
        return;
    cones->list[cones->count++] = (lode__cone){.row = row, .mu = {mu[0], mu[1]}, .way = {1, 0}};
    cones->at[row] = cones->count;
}

/* --- between the rows as they were posed and the axes of the pairs */

/* x' = turn x, of which the inverse transposed is what rows are turned by. */
static void to_axes(const lode__cone *cone, double x[2])
{
    double u = x[0] / cone->mu[0], v = x[1] / cone->mu[1];
    x[0] = cone->way[0] * u + cone->way[1] * v;
    x[1] = cone->way[0] * v - cone->way[1] * u;
}

static void from_axes(const lode__cone *cone, double x[2])
{
    double u = cone->way[0] * x[0] - cone->way[1] * x[1];
    double v = cone->way[1] * x[0] + cone->way[0] * x[1];
    x[0] = u * cone->mu[0];
    x[1] = v * cone->mu[1];
}

/* Numbers of both rows, or columns, `stride` apart. */
static void turn(const lode__cone *cone, double *at, size_t stride)
{
    double u = at[0] * cone->mu[0], v = at[stride] * cone->mu[1];
    at[0] = cone->way[0] * u + cone->way[1] * v;
    at[stride] = cone->way[0] * v - cone->way[1] * u;
}

static const lode__cone *cone_at(const lode__cones *cones, uint32_t row)
{
    return cones->at[row] ? &cones->list[cones->at[row] - 1] : NULL;
}

/* Columns of the pairs of another node, or the same, in a panel. */
static void turn_columns(const lode__cones *cones, const lode__lcp_plan *plan, uint32_t node,
                         double *at, uint32_t rows, uint32_t width)
{
    for (uint32_t j = plan->row[node]; j < plan->row[node + 1]; ++j, ++at) {
        const lode__cone *cone = cone_at(cones, j);
        for (uint32_t i = 0; i < rows && cone; ++i)
            turn(cone, at + (size_t)i * width, 1);
    }
}

static void turn_panel(const lode__cones *cones, const lode__lcp *lcp, uint32_t t)
{
    const lode__lcp_plan *plan = lcp->plan;
    double *panel = lcp->a + plan->panel[t], *at = panel;
    uint32_t rows = lode__lcp_rows_of(plan, t), width = lode__lcp_width(plan, t);
    for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c) {
        turn_columns(cones, plan, plan->with[c], at, rows, width);
        at += lode__lcp_rows_of(plan, plan->with[c]);
    }
    for (uint32_t i = 0; i < rows; ++i) {
        const lode__cone *cone = cone_at(cones, plan->row[t] + i);
        for (uint32_t j = 0; j < width && cone; ++j)
            turn(cone, panel + (size_t)i * width + j, width);
        if (cone)
            panel[(size_t)(i + 1) * width + i + 1] += cone->soft;
    }
}

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

static double diagonal(const lode__lcp *lcp, uint32_t t, uint32_t row)
{
    uint32_t k = row - lcp->plan->row[t];
    return lcp->a[lcp->plan->panel[t] + (size_t)k * lode__lcp_width(lcp->plan, t) + k];
}

/* The same in all axes. */
static void weigh_pairs(const lode__cones *cones, const lode__lcp *lcp)
{
    for (uint32_t t = 0; t < lcp->plan->size.nodes; ++t)
        for (uint32_t i = lcp->plan->row[t]; i < lcp->plan->row[t + 1]; ++i)
            if (cones->at[i]) {
                lode__cone *cone = &cones->list[cones->at[i] - 1];
                cone->weight = cone->mu[0] * cone->mu[0] * diagonal(lcp, t, i) +
                               cone->mu[1] * cone->mu[1] * diagonal(lcp, t, i + 1);
            }
}

static void keep_problem(const lode__cones *cones, const lode__lcp *lcp)
{
    copy(cones->a, lcp->a, lcp->plan->size.panels);
    copy(cones->b, lcp->b, lcp->count);
    copy(cones->lo, lcp->lo, lcp->count);
    copy(cones->hi, lcp->hi, lcp->count);
    copy(cones->ratio, lcp->ratio, lcp->count);
    copy(cones->x, lcp->x, lcp->count);
    copy(cones->best, lcp->x, lcp->count);
}

/* Asks for as much more as the LCP's softness takes of x. */
static void give_back(const lode__cones *cones, const lode__lcp *lcp)
{
    for (uint32_t t = 0; t < lcp->plan->size.nodes; ++t)
        for (uint32_t i = lcp->plan->row[t]; i < lcp->plan->row[t + 1]; ++i)
            for (uint32_t k = 0; cones->at[i] && k < 2; ++k)
                lcp->b[i + k] += cones->given_back * diagonal(lcp, t, i + k) * lcp->x[i + k];
}

/* Poses the problem anew, in the axes that the pairs have now. */
static void pose(const lode__cones *cones, lode__lcp *lcp)
{
    copy(lcp->a, cones->a, lcp->plan->size.panels);
    copy(lcp->b, cones->b, lcp->count);
    copy(lcp->lo, cones->lo, lcp->count);
    copy(lcp->hi, cones->hi, lcp->count);
    copy(lcp->ratio, cones->ratio, lcp->count);
    copy(lcp->x, cones->x, lcp->count);
    for (uint32_t i = 0; i < cones->count; ++i) {
        const lode__cone *cone = &cones->list[i];
        turn(cone, lcp->b + cone->row, 1);
        to_axes(cone, lcp->x + cone->row);
        lcp->ratio[cone->row] = lcp->ratio[cone->row + 1] = 1;
    }
    for (uint32_t t = 0; t < lcp->plan->size.nodes; ++t)
        turn_panel(cones, lcp, t);
    if (cones->given_back > 0)
        give_back(cones, lcp);
}

/* --- rounds */

/* Where x - r w lies in the axes of a pair. */
typedef struct target {
    double p[2], length;
    double radius, r;
    double error; /* how far x is from where it should be, in the LCP's scale */
} target;

static target target_of(const lode__cone *cone, const lode__lcp *lcp, double reach)
{
    uint32_t i = cone->row;
    const double *x = lcp->x + i, *scale = lcp->scale + i;
    double n = lcp->x[lcp->master[i]];
    target to = {.radius = n > 0 ? n : 0, .r = reach / cone->weight};
    if (!(scale[0] > 0) || !(scale[1] > 0))
        return to;
    to.p[0] = x[0] - to.r * (lcp->w[i] / scale[0]);
    to.p[1] = x[1] - to.r * (lcp->w[i + 1] / scale[1] - cone->soft * x[1]);
    to.length = sqrt(to.p[0] * to.p[0] + to.p[1] * to.p[1]);
    double share = to.length > to.radius ? to.radius / to.length : 1;
    double off[2] = {to.p[0] * share - x[0], to.p[1] * share - x[1]};
    to.error = sqrt((off[0] * off[0] + off[1] * off[1]) * cone->weight);
    return to;
}

static void turn_to(lode__cone *cone, const target *to)
{
    double a = cone->way[0], b = cone->way[1];
    cone->soft = 0;
    if (!(to->length > to->radius) || !(to->radius > 0))
        return;
    cone->way[0] = (a * to->p[0] - b * to->p[1]) / to->length;
    cone->way[1] = (b * to->p[0] + a * to->p[1]) / to->length;
    cone->soft = (to->length - to->radius) / (to->r * to->radius);
}

/* The largest error of all pairs; keeps x as the LCP has found it, in the rows as posed, and turns
 * the pairs to where they seem to slide. */
static double look(const lode__cones *cones, const lode__lcp *lcp, double reach)
{
    double most = 0;
    copy(cones->x, lcp->x, lcp->count);
    for (uint32_t i = 0; i < cones->count; ++i) {
        lode__cone *cone = &cones->list[i];
        target to = target_of(cone, lcp, reach);
        most = to.error > most ? to.error : most;
        from_axes(cone, cones->x + cone->row);
        turn_to(cone, &to);
    }
    return most;
}

/* What rounding, or rounds that did not suffice, have left outside goes back to its ellipse. */
static void clamp_pairs(const lode__cones *cones, const lode__lcp *lcp)
{
    for (uint32_t i = 0; i < cones->count; ++i) {
        const lode__cone *cone = &cones->list[i];
        double *x = lcp->x + cone->row, n = lcp->x[lcp->master[cone->row]];
        double u = x[0] / cone->mu[0], v = x[1] / cone->mu[1], length = sqrt(u * u + v * v);
        double share = n > 0 && length > n ? n / length : n > 0;
        x[0] *= share;
        x[1] *= share;
    }
}

static double largest(const lode__lcp *lcp)
{
    double most = 0;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED && fabs(lcp->b[i]) > most)
            most = fabs(lcp->b[i]);
    return most;
}

/* Rounds end where the LCP does no better either. Of those that do not come nearer for a while the
 * steps become shorter. */
static bool solve_rounds(lode__cones *cones, lode__lcp *lcp)
{
    double best = INFINITY, reach = 1;
    bool solved = false;
    uint32_t pivots = 0;
    int patience = PATIENCE;
    for (int round = 0; round < ROUNDS; ++round) {
        pose(cones, lcp);
        bool met = lode__lcp_solve(lcp);
        pivots += lcp->pivots;
        double size = lcp->best_size, allowed = UNMET * largest(lcp);
        double left = lcp->best_error, turned = look(cones, lcp, reach);
        double error = turned > left ? turned : left;
        bool halved = error <= 0.5 * best;
        if (error < best) {
            best = error;
            solved = met && error <= allowed;
            copy(cones->best, cones->x, lcp->count);
        }
        if (error <= cones->exact * size || (turned <= left && left <= SMALL * size) ||
            (!halved && best <= cones->close * size))
            break;
        patience = halved ? PATIENCE : patience - 1;
        if (patience == 0) {
            reach *= 0.5;
            patience = PATIENCE;
        }
    }
    lcp->pivots = pivots;
    copy(lcp->x, cones->best, lcp->count);
    return solved;
}

bool lode__cones_solve(lode__cones *cones, lode__lcp *lcp)
{
    if (cones->count == 0)
        return lode__lcp_solve(lcp);
    keep_problem(cones, lcp);
    weigh_pairs(cones, lcp);
    bool solved = solve_rounds(cones, lcp);
    clamp_pairs(cones, lcp);
    return solved;
}
