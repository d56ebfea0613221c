/* pulls.c: what pulls of a limb do: tendons and mimic joints, laid out by tendons.c, solved
 * together.
 *
 * A pull holds something of length L, which changes by L' = g q' with the gradient g, and pushes
 * by an impulse l along p: q' += M^-1 p l. With e how far L is above its rest and v how far above
 * hi or (negative) below lo, all where the sub-step will end, it is the implicit spring
 *     l = h (k e + d L' + k_lim v),   e = L + h L' - rest,
 * with v being 0 or what a second spring makes of it (Catto, Soft constraints, GDC 2011). What is
 * hard has L' = c. An impulse l_j takes Y_ij l_j of the speed of pull i, Y_ij = -g_i M^-1 p_j. So
 * of all speeds x as they are, changes D of the impulses follow from
 *     D_i + b_i sum_j Y_ij D_j = h f_i + b_i x_i - l_i,   b = h (h k + d), f the force at L,
 *     sum_j Y_ij D_j = x_i - c_i   where it is hard,
 * and are found by elimination: one after another, stiff ones would take hundreds of sweeps. Which
 * pulls end beyond a limit decides on f and b; it is guessed and mended until it is right, at last
 * one pull at a time, the first (Murty 1974, Note on a Bard-type scheme).
 *
 * The gradient of a tendon is not the way that it pushes: attachments on the way lengthen it and
 * feel nothing, and reactions of a fixed tendon go to its anchor. Where that makes Y_ii negative,
 * the tendon feeds itself, no rule makes it stable, and for itself it is taken as if that were
 * 0. */
#include "core/math.h"
#include "solver/articulation/limbs.h"

enum { GUESSES = 3 }; /* for all pulls at once */

/* By which a pull answers itself more than it does, so that what is held twice can be solved; what
 * that leaves undone is done by the next sweep. */
#ifdef LODE_DOUBLE
static const double slack = 1e-10;
#else
static const double slack = 1e-6;
#endif

void lode__pull_respond(const lode__limb *limb, lode__limb_pull *pull)
{
    lode__mb_solve(&limb->model->body, pull->push, pull->response);
}

static lode_real along(const lode__limb *limb, const lode_real *gradient, const lode_real *speeds)
{
    lode_real sum = 0;
    for (uint32_t k = 0; k < limb->model->body.plan->dof_count; ++k)
        sum += gradient[k] * speeds[k];
    return sum;
}

lode_real lode__pull_yield(const lode__limb *limb, const lode__limb_pull *row,
                           const lode__limb_pull *column)
{
    return -along(limb, row->gradient, column->response);
}

static void pull_on(lode__limb *limb, const lode__limb_pull *pull, lode_real by)
{
    for (uint32_t k = 0; k < limb->model->body.plan->dof_count; ++k)
        limb->speed[k] += pull->response[k] * by;
    limb->pushed = true;
}

void lode__pulls_begin(lode__limb *limb)
{
    lode__pulls_respond(limb);
    for (uint32_t i = 0; i < limb->pulls.count; ++i)
        pull_on(limb, &limb->pulls.at[i], limb->pulls.at[i].impulse);
}

void lode__pulls_respond(lode__limb *limb)
{
    lode__limb_pulls *pulls = &limb->pulls;
    for (uint32_t i = 0; i < pulls->count; ++i)
        lode__pull_respond(limb, &pulls->at[i]);
    for (uint32_t i = 0; i < pulls->count; ++i)
        for (uint32_t j = 0; j < pulls->count; ++j)
            pulls->yield[i * pulls->count + j] = (double)lode__pull_yield(limb, &pulls->at[i],
                                                                          &pulls->at[j]);
    pulls->factored = false;
}

/* ---- the equations */

/* Stiffness, and force at the length as it is, on the side of the limits that it is taken to be. */
static double stiffness_of(const lode__limb_pull *pull)
{
    return (double)pull->stiffness + (pull->side ? (double)pull->limit_stiffness : 0);
}

static double force_of(const lode__limb_pull *pull)
{
    double force = (double)pull->stiffness * (double)(pull->length - pull->rest);
    if (pull->side == 0)
        return force;
    lode_real limit = pull->side > 0 ? pull->hi : pull->lo;
    return force + (double)pull->limit_stiffness * (double)(pull->length - limit);
}

static double give_of(const lode__limb_pull *pull, double h)
{
    return h * (h * stiffness_of(pull) + (double)pull->damping);
}

/* What an equation is divided by, so that its diagonal is 1; 0: nothing answers, so nothing is
 * done. */
static double scale_of(const lode__limb_pull *pull, double yield, double h)
{
    double own = yield > 0 ? yield * (1 + slack) : 0;
    return pull->hard ? own : 1 + give_of(pull, h) * own;
}

static void write_equation(const lode__limb_pulls *pulls, uint32_t i, double h)
{
    const lode__limb_pull *pull = &pulls->at[i];
    const double *yield = pulls->yield + i * pulls->count;
    double *row = pulls->factors + i * pulls->count, scale = scale_of(pull, yield[i], h);
    double by = scale > 0 ? (pull->hard ? 1 : give_of(pull, h)) / scale : 0;
    for (uint32_t j = 0; j < pulls->count; ++j)
        row[j] = by * yield[j];
    row[i] = 1;
}

static double right_side(const lode__limb_pulls *pulls, uint32_t i, double h)
{
    const lode__limb_pull *pull = &pulls->at[i];
    double own = pulls->yield[i * (pulls->count + 1)], x = pulls->speed[i];
    double scale = scale_of(pull, own, h), impulse = (double)pull->impulse;
    if (scale == 0)
        return 0;
    if (pull->hard)
        return (x - (double)pull->wanted) / scale;
    x += own < 0 ? own * impulse : 0;
    return (h * force_of(pull) + give_of(pull, h) * x - impulse) / scale;
}

/* Rows change places so that pivots are the largest of their columns. False: there is none. */
static bool factor(lode__limb_pulls *pulls)
{
    uint32_t n = pulls->count;
    double *m = pulls->factors;
    for (uint32_t c = 0; c < n; ++c) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < n; ++r)
            best = __builtin_fabs(m[r * n + c]) > __builtin_fabs(m[best * n + c]) ? r : best;
        pulls->order[c] = best;
        if (!(__builtin_fabs(m[best * n + c]) > 1e-14))
            return false;
        for (uint32_t k = 0; k < n && best != c; ++k) {
            double kept = m[c * n + k];
            m[c * n + k] = m[best * n + k];
            m[best * n + k] = kept;
        }
        for (uint32_t r = c + 1; r < n; ++r) {
            double by = m[r * n + c] /= m[c * n + c];
            for (uint32_t k = c + 1; k < n && by != 0; ++k)
                m[r * n + k] -= by * m[c * n + k];
        }
    }
    return true;
}

static void substitute(lode__limb_pulls *pulls)
{
    uint32_t n = pulls->count;
    const double *m = pulls->factors;
    double *x = pulls->change;
    for (uint32_t c = 0; c < n; ++c) {
        double kept = x[pulls->order[c]];
        x[pulls->order[c]] = x[c];
        x[c] = kept;
    }
    for (uint32_t r = 1; r < n; ++r)
        for (uint32_t k = 0; k < r; ++k)
            x[r] -= m[r * n + k] * x[k];
    for (uint32_t r = n; r-- > 0;) {
        for (uint32_t k = r + 1; k < n; ++k)
            x[r] -= m[r * n + k] * x[k];
        x[r] /= m[r * n + r];
    }
}

/* Changes of the impulses; where equations contradict each other, each pull's by itself. */
static void solve(lode__limb_pulls *pulls, double h)
{
    for (uint32_t i = 0; i < pulls->count; ++i) {
        pulls->change[i] = right_side(pulls, i, h);
        if (!pulls->factored)
            write_equation(pulls, i, h);
    }
    if (!pulls->factored)
        pulls->factored = factor(pulls);
    if (pulls->factored)
        substitute(pulls);
}

/* ---- limits */

static int side_of(const lode__limb_pulls *pulls, uint32_t i, double h)
{
    const lode__limb_pull *pull = &pulls->at[i];
    double end = pulls->speed[i];
    if (pull->limit_stiffness == 0)
        return 0;
    for (uint32_t j = 0; j < pulls->count; ++j)
        end -= pulls->yield[i * pulls->count + j] * pulls->change[j];
    end = (double)pull->length + h * end;
    return end > (double)pull->hi ? 1 : end < (double)pull->lo ? -1 : 0;
}

/* False: all are where they were taken to be. */
static bool mend_sides(lode__limb_pulls *pulls, double h, bool first_only)
{
    bool mended = false;
    for (uint32_t i = 0; i < pulls->count && !(mended && first_only); ++i) {
        int side = side_of(pulls, i, h);
        mended |= side != pulls->at[i].side;
        pulls->at[i].side = side;
    }
    pulls->factored &= !mended;
    return mended;
}

void lode__pulls_solve(lode__limb *limb, lode_real h)
{
    lode__limb_pulls *pulls = &limb->pulls;
    uint32_t most = GUESSES + 2 * pulls->count;
    for (uint32_t i = 0; i < pulls->count; ++i)
        pulls->speed[i] = (double)along(limb, pulls->at[i].gradient, limb->speed);
    for (uint32_t round = 0; round < most && pulls->count > 0; ++round) {
        solve(pulls, (double)h);
        if (!mend_sides(pulls, (double)h, round >= GUESSES))
            break;
    }
    for (uint32_t i = 0; i < pulls->count; ++i) {
        lode_real by = (lode_real)pulls->change[i];
        if (by == 0)
            continue;
        lode_real change = r_abs(by * (lode_real)pulls->yield[i * (pulls->count + 1)]);
        limb->residual.squares += change * change;
        limb->residual.most = r_max(limb->residual.most, change);
        pull_on(limb, &pulls->at[i], by);
        pulls->at[i].impulse += by;
    }
    limb->residual.rows += pulls->count;
}

void lode__pulls_count(const lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->pulls.count; ++i) {
        const lode__limb_pull *pull = &limb->pulls.at[i];
        for (uint32_t l = 0; l < limb->model->body.plan->link_count; ++l) {
            lode__mb_wrench *sum = &limb->outside[l];
            sum->f = v3_madd(sum->f, pull->on_link[l].f, pull->impulse);
            sum->n = v3_madd(sum->n, pull->on_link[l].n, pull->impulse);
        }
    }
}

void lode__pulls_relax(lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->pulls.count; ++i)
        limb->pulls.at[i].wanted = 0;
}
