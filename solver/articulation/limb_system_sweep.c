/* limb_system_sweep.c: rows of a system one by one: how far they are missed, and sweeps of
 * projected Gauss-Seidel, which find where friction on cones slides when Newton's method goes
 * astray.
 *
 * A row is right when no step along its error, cut off at its limits, would move its impulse; both
 * of a pair on a cone when none would in the axes in which the cone is a circle, with one length of
 * the step for both. Sweeps make just these steps. */
#include "solver/articulation/limb_system.h"

/* One row, where it lies. */
typedef struct place {
    const lode__limb_block *block;
    uint32_t in, row; /* its block; the problem */
} place;

static place after(place p)
{
    return (place){p.block, p.in + 1, p.row + 1};
}

/* w of a row at the impulses whose change of the nodes there is. Of a tendon that feeds itself it
 * is as if it did not (limb_system.c). */
static double missed(const lode__limb_system *system, place p)
{
    const lode__limb_asked *asked = &system->asked[p.row];
    double sum = lode__limb_row_speed(system, p.block, p.in) + asked->gamma * system->x[p.row] -
                 asked->c;
    for (uint32_t t = p.block->tie; t < p.block->tie_end; ++t) {
        const lode__limb_node *node = &system->nodes[system->ties[t].node];
        sum += lode__lcp_dot(lode__limb_feels(system, &system->ties[t], p.in), node->change,
                             node->width);
    }
    double own = lode__limb_row_answer(system, p.block, p.in);
    return own < 0 ? sum - own * system->x[p.row] : sum;
}

static double weight_of(const lode__limb_system *system, place p)
{
    double own = lode__limb_row_answer(system, p.block, p.in);
    return (own > 0 ? own : 0) + system->asked[p.row].gamma;
}

static void move(const lode__limb_system *system, place p, double to)
{
    double by = to - system->x[p.row];
    for (uint32_t t = p.block->tie; t < p.block->tie_end && by != 0; ++t) {
        const lode__limb_node *node = &system->nodes[system->ties[t].node];
        const double *gives = lode__limb_gives(system, &system->ties[t], p.in);
        for (uint32_t k = 0; k < node->width; ++k)
            node->change[k] += gives[k] * by;
    }
    system->x[p.row] = to;
}

static lode__lcp_range limits_of(const lode__limb_system *system, uint32_t i)
{
    const lode__limb_asked *asked = &system->asked[i];
    if (asked->master == LODE__LCP_NONE)
        return (lode__lcp_range){asked->lo, asked->hi};
    double load = system->x[asked->master], most = load > 0 ? asked->ratio * load : 0;
    return (lode__lcp_range){-most, most};
}

/* Where a row's step leads. */
static double wanted(const lode__limb_system *system, place p, double weight)
{
    double x = system->x[p.row];
    return lode__lcp_clamp(x - missed(system, p) / weight, limits_of(system, p.row));
}

/* Where that of a pair leads; its length. */
static double wanted_of_pair(const lode__limb_system *system, place p, double to[2])
{
    const place both[2] = {p, after(p)};
    double mu[2], weight = 0, load = system->x[system->asked[p.row].master];
    for (int k = 0; k < 2; ++k) {
        mu[k] = system->asked[p.row + (uint32_t)k].ratio;
        double own = mu[k] * mu[k] * weight_of(system, both[k]);
        weight = own > weight ? own : weight;
    }
    for (int k = 0; k < 2 && weight > 0; ++k)
        to[k] = system->x[both[k].row] / mu[k] - mu[k] * missed(system, both[k]) / weight;
    double length = weight > 0 ? sqrt(to[0] * to[0] + to[1] * to[1]) : 0,
           most = load > 0 ? load : 0;
    double share = length > most ? most / length : 1, step = 0;
    for (int k = 0; k < 2; ++k) {
        to[k] = weight > 0 ? to[k] * share * mu[k] : 0;
        double by = (to[k] - system->x[both[k].row]) / mu[k];
        step += by * by;
    }
    return sqrt(step * weight); /* in the LCP's scale */
}

static bool is_pair(const lode__limb_system *system, place p)
{
    return system->asked[p.row].cone && p.in + 1 < p.block->rows;
}

/* By how much a row, or a pair, is missed in the LCP's scale; and makes the step, or not. */
static double visit(const lode__limb_system *system, place p, bool step)
{
    double to[2];
    if (is_pair(system, p)) {
        double by = wanted_of_pair(system, p, to);
        if (step) {
            move(system, p, to[0]);
            move(system, after(p), to[1]);
        }
        return by;
    }
    double weight = weight_of(system, p), last = system->x[p.row];
    if (!(weight > 0))
        return 0;
    to[0] = wanted(system, p, weight);
    if (step)
        move(system, p, to[0]);
    return fabs(to[0] - last) * sqrt(weight);
}

static double visit_all(const lode__limb_system *system, bool step)
{
    double most = 0;
    for (uint32_t b = 0; b < system->block_count; ++b) {
        place p = {&system->blocks[b], 0, system->blocks[b].row};
        while (p.in < p.block->rows) {
            double by = visit(system, p, step);
            most = by > most ? by : most;
            p = is_pair(system, p) ? after(after(p)) : after(p);
        }
    }
    return most;
}

double lode__limb_system_error(const lode__limb_system *system)
{
    lode__limb_system_push(system, 1);
    return visit_all(system, false);
}

void lode__limb_system_sweep(const lode__limb_system *system, int sweeps)
{
    lode__limb_system_push(system, 1);
    for (int i = 0; i < sweeps; ++i)
        visit_all(system, true);
}
