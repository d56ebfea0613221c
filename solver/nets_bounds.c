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

static double row_velocity(const lode__net *net, const lode__net_row *r, bool now)
{
    double sum = 0;
    for (int end = 0; end < 2; ++end) {
        const lode__bond_body *body = &net->bonds.bodies[r->body[end]];
        const double *v = now ? body->now : body->v;
        for (int k = 0; k < 3; ++k)
            sum += (end ? -r->lin[k] : r->lin[k]) * v[k] + r->ang[end][k] * v[3 + k];
    }
    return sum;
}

/* Adds what an impulse of a row does by itself to the velocities that the net is solved from. */
static void push(const lode__net *net, const lode__net_row *r, double impulse)
{
    for (int end = 0; end < 2; ++end) {
        lode__bond_body *body = &net->bonds.bodies[r->body[end]];
        const double *m = body->inv_inertia, *a = r->ang[end];
        double linear = (end ? -impulse : impulse) * body->inv_mass;
        for (int k = 0; k < 3; ++k)
            body->v[k] += r->lin[k] * linear;
        body->v[3] += ((m[0] * a[0] + m[3] * a[1]) + m[4] * a[2]) * impulse;
        body->v[4] += ((m[3] * a[0] + m[1] * a[1]) + m[5] * a[2]) * impulse;
        body->v[5] += ((m[4] * a[0] + m[5] * a[1]) + m[2] * a[2]) * impulse;
    }
}

/* A row gets its column of S, whose rows are those that act so far, and acts. The net is solved for
 * rows at rest; what `v`, `now`, c and x were is gone. */
static void add_column(lode__net *net, uint32_t e, const lode__solver_kernels *kernels)
{
    uint32_t width = net->bounded_count, at = net->acting_count++;
    lode__net_row *r = &net->bounded[e];
    for (uint32_t i = 0; i <= net->plan->body_count + net->others; ++i)
        memset(net->bonds.bodies[i].v, 0, sizeof net->bonds.bodies[i].v);
    memset(net->bonds.bodies[0].now, 0, sizeof net->bonds.bodies[0].now);
    for (uint32_t i = 0; i < net->others; ++i)
        memset(net->bonds.bodies[net->plan->body_count + 1 + i].now, 0, sizeof(double[6]));
    for (uint32_t t = 0; t < net->plan->node_count; ++t)
        net->bonds.rows[t].c = LODE__QUAD(0);
    push(net, r, 1);
    double alone = row_velocity(net, r, false);
    kernels->solve_net(net->plan, &net->bonds);
    net->acting[at] = e;
    r->acts = true;
    for (uint32_t i = 0; i <= at; ++i)
        net->response[i * width + at] = net->response[at * width + i] = row_velocity(
            net, &net->bounded[net->acting[i]], true);
    r->held = !(net->response[at * width + at] > LEAST_LEFT * alone);
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

static void sweep(lode__net *net)
{
    uint32_t width = net->bounded_count;
    for (int i = 0; i < MOST_SWEEPS; ++i) {
        double most = 0, all = 0;
        for (uint32_t e = 0; e < net->acting_count; ++e) {
            lode__net_row *r = &net->bounded[net->acting[e]];
            const double *column = net->response + e * width;
            if (r->held || r->idle)
                continue;
            double change = wanted(r, column[e]) - r->impulse;
            r->impulse += change;
            r->change += change;
            for (uint32_t f = 0; f < net->acting_count; ++f)
                net->bounded[net->acting[f]].lack -= column[f] * change;
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
static void measure(lode__net *net)
{
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        lode__net_row *r = &net->bounded[e];
        r->lack = r->c - row_velocity(net, r, true);
        r->change = 0;
    }
}

/* Keeps where the net leads while columns are made. */
static void keep_velocities(const lode__net *net, bool back)
{
    for (uint32_t i = 0; i <= net->plan->body_count + net->others; ++i) {
        double *now = net->bonds.bodies[i].now, *kept = net->kept[i];
        memcpy(back ? now : kept, back ? kept : now, sizeof(double[6]));
    }
}

static void keep_targets(const lode__net *net, bool back)
{
    for (uint32_t t = 0; t < net->plan->node_count; ++t)
        if (back)
            net->bonds.rows[t].c = net->targets[t];
        else
            net->targets[t] = net->bonds.rows[t].c;
}

/* Makes columns for rows that begin to act. */
static void add_columns(lode__net *net, const lode__solver_kernels *kernels)
{
    bool kept = false;
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        if (net->bounded[e].acts || !is_missed(&net->bounded[e]))
            continue;
        if (!kept) {
            keep_velocities(net, false);
            keep_targets(net, false);
        }
        kept = true;
        add_column(net, e, kernels);
    }
    if (!kept)
        return;
    keep_velocities(net, true);
    keep_targets(net, true);
}

bool lode__net_bound(lode__net *net, const lode__solver_kernels *kernels)
{
    bool any = false;
    measure(net);
    add_columns(net, kernels);
    if (net->acting_count == 0)
        return false;
    sweep(net);
    for (uint32_t i = 0; i <= net->plan->body_count + net->others; ++i)
        memcpy(net->bonds.bodies[i].v, net->bonds.bodies[i].now, sizeof(double[6]));
    for (uint32_t e = 0; e < net->acting_count; ++e) {
        const lode__net_row *r = &net->bounded[net->acting[e]];
        any = any || r->change != 0;
        if (r->change != 0)
            push(net, r, r->change);
    }
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
