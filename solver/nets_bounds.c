/* nets_bounds.c: motors and stops of a net's joints (solver/nets.h). Swept in turn with the net
 * they would come to what they ask for as slowly as a load on a chain does: a motor feels its own
 * two bodies, and has to move a machine. So what a unit of a row's impulse does once the net has
 * answered is found by solving the net for it,
 *
 *     v_e = (W - W J^T A^-1 J W) J_e^T,    S_fe = J_f v_e,
 *
 * and the rows are solved with that small matrix, within their bounds, by Gauss-Seidel to the end.
 * Rows that have nothing to do, as stops that are far away, are left out until they have. */
#include "solver/nets.h"

#include "core/math.h"

#include <math.h>
#include <string.h>

enum { MOST_SWEEPS = 64 };

/* Share of what a row moves by itself that the net must leave it, or it is held altogether. */
#define LEAST_LEFT 1e-9

/* Sweeps end when they change a row's velocity by no more than this share of all changes. */
#define SETTLED 1e-9

static double row_velocity(const lode__net *net, uint32_t k, const lode__net_row *r, bool now)
{
    const uint32_t w = net->system.width;
    double sum = 0;
    for (int end = 0; end < 2; ++end) {
        const double *v = now ? LODE__NET_OF_BODY(net, r->body[end], now, k)
                              : LODE__NET_OF_BODY(net, r->body[end], v, k);
        for (int i = 0; i < 3; ++i)
            sum += (end ? -r->lin[i] : r->lin[i]) * v[i * w] + r->ang[end][i] * v[(3 + i) * w];
    }
    return sum;
}

/* Adds what an impulse of a row does by itself to the velocities that the net is solved from. */
static void push(const lode__net *net, uint32_t k, const lode__net_row *r, double impulse)
{
    const uint32_t w = net->system.width;
    for (int end = 0; end < 2; ++end) {
        const double *m = LODE__NET_OF_BODY(net, r->body[end], inv_inertia, k), *a = r->ang[end];
        double inv_mass = *LODE__NET_OF_BODY(net, r->body[end], inv_mass, k);
        double *v = LODE__NET_OF_BODY(net, r->body[end], v, k);
        double linear = (end ? -impulse : impulse) * inv_mass;
        for (int i = 0; i < 3; ++i)
            v[i * w] += r->lin[i] * linear;
        v[3 * w] += ((m[0] * a[0] + m[3 * w] * a[1]) + m[4 * w] * a[2]) * impulse;
        v[4 * w] += ((m[3 * w] * a[0] + m[w] * a[1]) + m[5 * w] * a[2]) * impulse;
        v[5 * w] += ((m[4 * w] * a[0] + m[5 * w] * a[1]) + m[2 * w] * a[2]) * impulse;
    }
}

static double clamp(double x, double lo, double hi)
{
    x = x > lo ? x : lo;
    return x < hi ? x : hi;
}

/* What a row's impulse would be if it were alone. */
static double wanted(const lode__net_row *r, double k)
{
    return clamp(r->impulse + (r->lack - r->gamma * r->impulse) / (k + r->gamma), r->lo, r->hi);
}

static void sweep(const lode__net *net, lode__net_member *member)
{
    uint32_t width = net->bounded_count;
    for (int i = 0; i < MOST_SWEEPS; ++i) {
        double most = 0, all = 0;
        for (uint32_t e = 0; e < member->acting_count; ++e) {
            lode__net_row *r = &member->bounded[member->acting[e]];
            const double *column = member->response + e * width;
            if (r->held || r->idle)
                continue;
            double change = wanted(r, column[e]) - r->impulse;
            r->impulse += change;
            r->change += change;
            for (uint32_t f = 0; f < member->acting_count; ++f)
                member->bounded[member->acting[f]].lack -= column[f] * change;
            most = fabs(column[e] * change) > most ? fabs(column[e] * change) : most;
            all = fabs(column[e] * r->change) > all ? fabs(column[e] * r->change) : all;
        }
        if (most <= SETTLED * all)
            return;
    }
}

/* Does the row want another impulse than it has? */
static bool is_missed(const lode__net_row *r)
{
    return !r->idle && ((r->lack - r->gamma * r->impulse > 0 && r->impulse < r->hi) ||
                        (r->lack - r->gamma * r->impulse < 0 && r->impulse > r->lo));
}

/* What each row lacks where the net leads. */
static void measure(lode__net *net, uint32_t k)
{
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        lode__net_row *r = &net->member[k].bounded[e];
        r->lack = r->c - row_velocity(net, k, r, true);
        r->change = 0;
    }
}

/* --- columns */

static void copy_now(const lode__net *net, bool back)
{
    const size_t count = 6 * (size_t)net->system.width, size = count * sizeof(double);
    for (uint32_t i = 0; i < net->system.bodies_all; ++i) {
        double *now = LODE__NET_OF_BODY(net, i, now, 0), *kept = net->kept + i * count;
        memcpy(back ? now : kept, back ? kept : now, size);
    }
}

static void copy_targets(const lode__net *net, bool back)
{
    const size_t size = LODE__NET_ROWS * net->system.width * sizeof(double);
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t) {
        double *c = LODE__NET_OF_NODE(net, t, c, 0), *kept = LODE__NET_OF_NODE(net, t, kept, 0);
        memcpy(back ? c : kept, back ? kept : c, size);
    }
}

/* From here on the net is solved for rows at rest: what `v`, `now`, c and x were is gone. */
static void begin_columns(const lode__net *net)
{
    const size_t w = net->system.width;
    copy_now(net, false);
    copy_targets(net, false);
    for (uint32_t i = 0; i < net->system.bodies_all; ++i)
        memset(LODE__NET_OF_BODY(net, i, now, 0), 0, 6 * w * sizeof(double));
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t)
        memset(LODE__NET_OF_NODE(net, t, c, 0), 0, LODE__NET_ROWS * w * sizeof(double));
}

/* The next row of a member that begins to act, or as many as there are. */
static uint32_t next_row(const lode__net *net, const lode__net_member *member)
{
    uint32_t e = 0;
    while (e < net->bounded_count && (member->bounded[e].acts || !is_missed(&member->bounded[e])))
        ++e;
    return member->counts ? e : net->bounded_count;
}

/* Keeps what a push of 1 has done to all of a member, as its column number `at`. */
static void keep_column(const lode__net *net, uint32_t k, uint32_t at)
{
    const size_t w = net->system.width;
    double *column = net->columns + at * lode__net_column(net) * w + k;
    for (uint32_t i = 1; i <= net->system.plan->body_count; ++i, column += 6 * w)
        for (size_t e = 0; e < 6; ++e)
            column[e * w] = LODE__NET_OF_BODY(net, i, now, k)[e * w];
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t, column += LODE__NET_ROWS * w)
        for (size_t e = 0; e < LODE__NET_ROWS; ++e)
            column[e * w] = LODE__NET_OF_NODE(net, t, x, k)[e * w];
}

/* A row has been pushed by 1, and the net solved: it gets its column of S, whose rows are those
 * that act so far, and acts. Alone it would move by so much. */
static void take_column(const lode__net *net, uint32_t k, lode__net_member *member, uint32_t e,
                        double alone)
{
    uint32_t width = net->bounded_count, at = member->acting_count++;
    member->acting[at] = e;
    member->bounded[e].acts = true;
    for (uint32_t i = 0; i <= at; ++i)
        member->response[i * width + at] = member->response[at * width + i] = row_velocity(
            net, k, &member->bounded[member->acting[i]], true);
    member->bounded[e].held = !(member->response[at * width + at] > LEAST_LEFT * alone);
    keep_column(net, k, at);
}

/* Makes a column for the next row of each member that has one; false where none has. */
static bool add_columns(lode__net *net, const lode__net_kernels *kernels, bool begun)
{
    uint32_t next[LODE__QUAD_LANES], any = 0;
    double alone[LODE__QUAD_LANES] = {0};
    for (uint32_t k = 0; k < net->count; ++k) {
        next[k] = next_row(net, &net->member[k]);
        any += next[k] < net->bounded_count;
    }
    if (any == 0)
        return false;
    if (!begun)
        begin_columns(net);
    for (uint32_t i = 0; i < net->system.bodies_all; ++i)
        memset(LODE__NET_OF_BODY(net, i, v, 0), 0, 6 * net->system.width * sizeof(double));
    for (uint32_t k = 0; k < net->count; ++k)
        if (next[k] < net->bounded_count) {
            const lode__net_row *r = &net->member[k].bounded[next[k]];
            push(net, k, r, 1);
            alone[k] = row_velocity(net, k, r, false);
        }
    kernels->solve(&net->system, false);
    for (uint32_t k = 0; k < net->count; ++k)
        if (next[k] < net->bounded_count)
            take_column(net, k, &net->member[k], next[k], alone[k]);
    return true;
}

/* Adds what the changes of the members' rows that came to act in this place do, of those that
 * count; without any nothing is done. */
static bool add_changes(const lode__net *net, const lode__net_kernels *kernels, uint32_t at)
{
    _Alignas(64) double amount[LODE__QUAD_LANES] = {0};
    bool any = false;
    for (uint32_t k = 0; k < net->count; ++k) {
        const lode__net_member *member = &net->member[k];
        if (member->counts && at < member->acting_count)
            amount[k] = member->bounded[member->acting[at]].change;
        any = any || amount[k] != 0;
    }
    if (any)
        kernels->add(&net->system, net->columns + at * lode__net_column(net) * net->system.width,
                     amount);
    return any;
}

bool lode__net_bound(lode__net *net, const lode__solver_kernels *of)
{
    const lode__net_kernels *kernels = lode__net_kernels_of(net, of);
    bool begun = false, any = false;
    uint32_t acting = 0;
    for (uint32_t k = 0; k < net->count; ++k)
        if (net->member[k].counts)
            measure(net, k);
    while (add_columns(net, kernels, begun))
        begun = true;
    if (begun) {
        copy_now(net, true);
        copy_targets(net, true);
    }
    for (uint32_t k = 0; k < net->count; ++k) {
        lode__net_member *member = &net->member[k];
        if (member->counts)
            sweep(net, member);
        acting = acting < member->acting_count ? member->acting_count : acting;
    }
    for (uint32_t at = 0; at < acting; ++at)
        any = add_changes(net, kernels, at) || any;
    return any;
}

/* --- from blocks and back */

static void read_vector(double out[3], const lode__lane3 *v, int lane)
{
    out[0] = v->x.x[lane], out[1] = v->y.x[lane], out[2] = v->z.x[lane];
}

/* A row that is a spring by the solver's own softness (erp below 0) is hard here. */
void lode__net_row_read(lode__net_row *out, const lode__row *row, int lane)
{
    double mass = row->mass.x[lane], soft = row->soft.x[lane];
    read_vector(out->lin, &row->lin, lane);
    read_vector(out->ang[0], &row->ang_a, lane);
    read_vector(out->ang[1], &row->ang_b, lane);
    out->c = row->c.x[lane];
    out->gamma = mass > 0 && row->erp.x[lane] >= 0 ? soft / mass : 0;
    out->lo = row->lo.x[lane];
    out->hi = row->hi.x[lane];
    out->idle = !(mass > 0);
}
