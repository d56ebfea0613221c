/* nets.c: see nets.h. From blocks and lines to the equations of nets, and back.
 *
 * *Poses as well as velocities.* What is solved for velocities alone moves along tangents, and
 * parts by (w h)^2 r / 2 in each sub-step; mending that through velocities takes several and
 * throws. So once the poses have moved, the error itself is solved for, in the metric of the
 * masses, and the poses are brought there; the velocities do not hear of it. Newton's method needs
 * one step, since a sub-step's error is small, and the factor that it is made with serves the next
 * sub-step.
 *
 * Rows of nets have no mass in the blocks, so that sweeps pass them by. */
#include "solver/nets.h"

#include "core/error.h"
#include "core/math.h"
#include "solver/kinematic.h"

#include <math.h>
#include <string.h>

/* Share of its diagonal by which the rows of a loop are softened: those that follow from others but
 * for rounding then share a load, and rounding of velocities is no load. */
#define LOOP_SOFT (64 * REAL_EPSILON > 1e-9 ? 64 * (double)REAL_EPSILON : 1e-9)

/* What of an error is mended in a sub-step, m (times the length unit) or rad, and by how much a
 * body is turned for it, rad: beyond, Newton's method would be lost. */
#define MOST_MENDED 0.5
#define MOST_TURNED 0.25

/* One step of Newton's is enough where no more had parted, m (times the length unit) or rad, and no
 * body was turned by more for it, rad. */
#define PARTED 0.003
#define TURNED 0.02
enum { MOST_STEPS = 4 };

/* A loop's rows are missed where they are off by more than this share of what moves in them, and by
 * more than this speed, m/s (times the length unit) or rad/s. */
#define MISSED 1e-3
#define MISSED_SPEED 1e-4

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static lode__row_block *block_of(const lode__solve_state *state, const lode__net_joint *joint,
                                 int *out_lane)
{
    const lode__solve_chunk *chunk = &state->chunks[joint->chunk];
    *out_lane = (int)(joint->lane % LODE_LANES);
    return (void *)(chunk->blocks + (size_t)(joint->lane / LODE_LANES) * chunk->stride);
}

/* --- bodies */

static void read_velocity(double out[6], const lode__velocity *v)
{
    out[0] = v->linear.x, out[1] = v->linear.y, out[2] = v->linear.z;
    out[3] = v->angular.x, out[4] = v->angular.y, out[5] = v->angular.z;
}

static void read_velocities(const lode__net *net, const lode__dense *lines)
{
    const lode__bond_plan *plan = net->plan;
    lode__bond_body *bodies = net->bonds.bodies;
    for (uint32_t i = 0; i < plan->body_count; ++i)
        read_velocity(bodies[i + 1].v, &lines->velocity[net->lines[i]]);
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (int end = 0; end < 2; ++end) {
            int32_t line = net->joints[plan->nodes[t].joint].line[end];
            lode__bond_body *other = &bodies[net->bonds.rows[t].body[end]];
            if (line >= 0)
                continue;
            read_velocity(other->v, &lines->velocity[line]);
            memcpy(other->now, other->v, sizeof other->now);
        }
}

static void write_velocities(const lode__net *net, const lode__dense *lines)
{
    for (uint32_t i = 0; i < net->plan->body_count; ++i) {
        const double *now = net->bonds.bodies[i + 1].now;
        lode__velocity *v = &lines->velocity[net->lines[i]];
        v->linear = v3((lode_real)now[0], (lode_real)now[1], (lode_real)now[2]);
        v->angular = v3((lode_real)now[3], (lode_real)now[4], (lode_real)now[5]);
    }
}

static void read_masses(const lode__net *net, const lode__dense *lines)
{
    for (uint32_t i = 0; i < net->plan->body_count; ++i) {
        const lode__inv_mass *m = &lines->inv_mass[net->lines[i]];
        lode__bond_body *out = &net->bonds.bodies[i + 1];
        out->inv_mass = m->inv_mass;
        out->inv_inertia[0] = m->xx, out->inv_inertia[1] = m->yy, out->inv_inertia[2] = m->zz;
        out->inv_inertia[3] = m->xy, out->inv_inertia[4] = m->xz, out->inv_inertia[5] = m->yz;
    }
}

/* --- rows */

static void read_lane3(lode__quad out[3], int k, const lode__lane3 *v, int lane)
{
    out[0][k] = v->x.x[lane];
    out[1][k] = v->y.x[lane];
    out[2][k] = v->z.x[lane];
}

static void read_row(lode__bond_rows *out, int k, const lode__row *row, int lane)
{
    read_lane3(out->lin, k, &row->lin, lane);
    read_lane3(out->ang[0], k, &row->ang_a, lane);
    read_lane3(out->ang[1], k, &row->ang_b, lane);
    out->c[k] = row->target.x[lane];
}

/* The rows x, y, z of e x r for an arm r; of the other body's less. */
static void set_arm(lode__quad out[3], double x, double y, double z)
{
    out[0] = (lode__quad){0, -z, y, 0};
    out[1] = (lode__quad){z, 0, -x, 0};
    out[2] = (lode__quad){-y, x, 0, 0};
}

/* Rows that hold anchors together are known but for the arms. */
static void read_anchors(lode__bond_rows *out, const lode__row_block *block, int lane)
{
    const lode__row *x = &block->rows[0], *y = &block->rows[1];
    for (int k = 0; k < 3; ++k)
        out->lin[k] = (lode__quad){k == 0, k == 1, k == 2, 0};
    set_arm(out->ang[0], y->ang_a.z.x[lane], -x->ang_a.z.x[lane], x->ang_a.y.x[lane]);
    set_arm(out->ang[1], y->ang_b.z.x[lane], -x->ang_b.z.x[lane], x->ang_b.y.x[lane]);
    out->c = LODE__QUAD(0);
}

static void read_node(lode__bond_rows *out, const lode__bond_node *node,
                      const lode__row_block *block, int lane)
{
    static const lode__row no_row;
    bool anchors = node->first == 0 && node->rows >= 3 && block->axes == 3;
    out->gamma = LODE__QUAD(0);
    if (anchors)
        read_anchors(out, block, lane);
    for (uint32_t k = anchors ? 3 : 0; k < LODE__BOND_ROWS; ++k)
        read_row(out, (int)k, k < node->rows ? &block->rows[node->first + k] : &no_row, lane);
}

/* Reads a net where it is and factors it. */
static void factor(const lode__solve_work *work, const lode__net *net)
{
    const lode__solve_state *state = work->solver->state;
    read_masses(net, &state->lines);
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__bond_node *node = &net->plan->nodes[t];
        int lane;
        const lode__row_block *block = block_of(state, &net->joints[node->joint], &lane);
        read_node(&net->bonds.rows[t], node, block, lane);
    }
    work->solver->kernels->factor_net(net->plan, &net->bonds, net->looped ? LOOP_SOFT : 0);
}

/* --- sweeps pass by */

static void hold_row(lode__row *row, int lane)
{
    row->mass.x[lane] = row->soft.x[lane] = 0;
}

static void hold_net(const lode__solve_state *state, const lode__net *net, bool begin)
{
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__bond_node *node = &net->plan->nodes[t];
        const lode__net_joint *joint = &net->joints[node->joint];
        int lane;
        lode__row_block *block = block_of(state, joint, &lane);
        if (begin)
            net->impulse[t] = LODE__QUAD(0);
        if (state->chunks[joint->chunk].all_held) /* which is not swept */
            continue;
        for (uint32_t k = node->first; k < node->first + node->rows; ++k) {
            hold_row(&block->rows[k], lane);
            if (begin)
                block->rows[k].lambda.x[lane] = 0;
        }
    }
}

static lode__row *bounded_row(const lode__solve_state *state, const lode__net *net, uint32_t e,
                              int *out_lane)
{
    const lode__net_row *r = &net->bounded[e];
    return &block_of(state, &net->joints[r->joint], out_lane)->rows[r->row];
}

/* Reads the rows with bounds as they were refreshed for a pass, and takes them out of it. */
static void take_bounded(const lode__solve_state *state, lode__net *net, bool begin)
{
    net->acting_count = begin ? 0 : net->acting_count;
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        lode__net_row *r = &net->bounded[e];
        int lane;
        lode__row *row = bounded_row(state, net, e, &lane);
        lode__net_row_read(r, row, lane);
        hold_row(row, lane);
        if (!begin)
            continue;
        row->lambda.x[lane] = 0;
        r->impulse = 0;
        r->acts = false;
    }
}

/* --- solving */

/* Does all that was found have a number, and not one without end? */
static bool is_finite(const lode__net *net)
{
    double sum = 0;
    for (uint32_t i = 1; i <= net->plan->body_count; ++i)
        for (int k = 0; k < 6; ++k)
            sum += fabs(net->bonds.bodies[i].now[k]);
    return sum <= (double)LODE__UNBOUNDED;
}

static void add_impulses(const lode__net *net)
{
    for (uint32_t t = 0; t < net->plan->node_count; ++t)
        net->impulse[t] += net->bonds.rows[t].x;
}

static void solve(const lode__solve_work *work, lode__net *net)
{
    const lode__dense *lines = &work->solver->state->lines;
    read_velocities(net, lines);
    work->solver->kernels->solve_net(net->plan, &net->bonds);
    if (!is_finite(net)) {
        net->missed = true;
        return;
    }
    add_impulses(net);
    if (net->bounded_count > 0 && lode__net_bound(net, work->solver->kernels)) {
        work->solver->kernels->solve_net(net->plan, &net->bonds);
        add_impulses(net);
    }
    write_velocities(net, lines);
}

static void keep(const lode__solve_state *state, const lode__net *net)
{
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__bond_node *node = &net->plan->nodes[t];
        int lane;
        lode__row_block *block = block_of(state, &net->joints[node->joint], &lane);
        for (uint32_t k = 0; k < node->rows; ++k)
            block->rows[node->first + k].lambda.x[lane] = (lode_real)net->impulse[t][k];
    }
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        int lane;
        bounded_row(state, net, e, &lane)->lambda.x[lane] = (lode_real)net->bounded[e].impulse;
    }
}

/* J v of one end of a row, of one of two bodies, and how much moves in it. */
static double moves(const lode__quad lin[3], const lode__quad ang[3], int k, const double *v,
                    double *out_size)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double linear = lin[i][k] * v[i], angular = ang[i][k] * v[3 + i];
        sum += linear + angular;
        *out_size += fabs(linear) + fabs(angular);
    }
    return sum;
}

/* Is the net, as it was solved last, off its rows? Loops may contradict themselves. */
static void judge(const lode__solve_work *work, lode__net *net)
{
    double most = 0, largest = MISSED_SPEED / MISSED * (double)work->step->settings->length_unit;
    for (uint32_t t = 0; t < net->plan->node_count && net->looped; ++t) {
        const lode__bond_rows *r = &net->bonds.rows[t];
        const lode__quad minus[3] = {-r->lin[0], -r->lin[1], -r->lin[2]};
        const double *a = net->bonds.bodies[r->body[0]].now, *b = net->bonds.bodies[r->body[1]].now;
        for (uint32_t k = 0; k < net->plan->nodes[t].rows; ++k) {
            double size = fabs(r->c[k]);
            double rate = moves(r->lin, r->ang[0], (int)k, a, &size) +
                          moves(minus, r->ang[1], (int)k, b, &size);
            double missed = fabs(rate - r->c[k]);
            most = missed > most ? missed : most;
            largest = size > largest ? size : largest;
        }
    }
    net->missed = net->missed || !(most <= MISSED * largest);
}

/* --- poses */

static void read_delta(double out[6], lode__delta d)
{
    out[0] = d.linear.x, out[1] = d.linear.y, out[2] = d.linear.z;
    out[3] = d.angular.x, out[4] = d.angular.y, out[5] = d.angular.z;
}

/* By how much a row is off; blocks know by how much it was as the step began. */
static double error_of(const lode__bond_rows *r, uint32_t k, double error, const double a[6],
                       const double b[6])
{
    for (int i = 0; i < 3; ++i)
        error += r->lin[i][k] * (a[i] - b[i]) +
                 (r->ang[0][i][k] * a[3 + i] + r->ang[1][i][k] * b[3 + i]);
    return error;
}

/* What is to be mended of some errors in a sub-step, in place of the velocities that rows ask for;
 * returns the largest. */
static double set_errors(lode__bond_rows *r, const double error[LODE__BOND_ROWS], double most)
{
    double mend[LODE__BOND_ROWS], largest = 0;
    for (int k = 0; k < LODE__BOND_ROWS; ++k) {
        double size = fabs(error[k]);
        mend[k] = error[k] > most ? -most : error[k] < -most ? most : -error[k];
        largest = size > largest ? size : largest;
    }
    r->c = (lode__quad){mend[0], mend[1], mend[2], mend[3]};
    return largest;
}

static double read_errors(const lode__solve_work *work, const lode__net *net, double most)
{
    const lode__solve_state *state = work->solver->state;
    double parted = 0;
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__bond_node *node = &net->plan->nodes[t];
        const lode__net_joint *joint = &net->joints[node->joint];
        lode__bond_rows *r = &net->bonds.rows[t];
        double a[6], b[6], error[LODE__BOND_ROWS] = {0};
        int lane;
        const lode__row_block *block = block_of(state, joint, &lane);
        read_delta(a, delta_at(&state->lines, joint->line[0], work->relax.elapsed));
        read_delta(b, delta_at(&state->lines, joint->line[1], work->relax.elapsed));
        for (uint32_t k = 0; k < node->rows; ++k)
            error[k] = error_of(r, k, block->rows[node->first + k].error.x[lane], a, b);
        net->targets[t] = r->c;
        parted = larger(parted, set_errors(r, error, most));
    }
    return parted;
}

/* Factors a net where a first step has brought it, and reads its errors: of a copy of its blocks,
 * since other nets have lanes in them, whose rows stay as they are. */
static double factor_again(const lode__solve_work *work, const lode__net *net, double most)
{
    const lode__solve_state *state = work->solver->state;
    double parted = 0;
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__bond_node *node = &net->plan->nodes[t];
        const lode__net_joint *joint = &net->joints[node->joint];
        const lode__solve_chunk *chunk = &state->chunks[joint->chunk];
        lode__bond_rows *r = &net->bonds.rows[t];
        lode__row_block *copy = net->scratch;
        double error[LODE__BOND_ROWS] = {0};
        int lane;
        memcpy(copy, block_of(state, joint, &lane), chunk->stride);
        lode__joint_block_turn(work->solver, chunk->bucket, copy, &work->relax);
        read_node(r, node, copy, lane);
        for (uint32_t k = 0; k < node->rows; ++k)
            error[k] = copy->rows[node->first + k].error.x[lane];
        net->targets[t] = r->c;
        parted = larger(parted, set_errors(r, error, most));
    }
    work->solver->kernels->factor_net(net->plan, &net->bonds, net->looped ? LOOP_SOFT : 0);
    return parted;
}

static void move_body(const lode__dense *lines, uint32_t line, const double by[6], double share)
{
    lode_vec3 way = v3((lode_real)(by[0] * share), (lode_real)(by[1] * share),
                       (lode_real)(by[2] * share));
    lode_vec3 turn = v3((lode_real)(by[3] * share), (lode_real)(by[4] * share),
                        (lode_real)(by[5] * share));
    lode__delta *delta = &lines->delta[line];
    lode_quat *q = &lines->pose[line].rotation, half = {0, turn.x / 2, turn.y / 2, turn.z / 2};
    lode_quat more = q_mul(half, *q);
    delta->linear = v3_add(delta->linear, way);
    delta->angular = v3_add(delta->angular, turn);
    *q = q_normalize((lode_quat){q->w + more.w, q->x + more.x, q->y + more.y, q->z + more.z});
}

/* By how much the body is turned that is turned the most, rad. */
static double largest_turn(const lode__net *net)
{
    double most = 0;
    for (uint32_t i = 1; i <= net->plan->body_count; ++i)
        for (int k = 3; k < 6; ++k)
            most = larger(most, fabs(net->bonds.bodies[i].now[k]));
    return most;
}

/* One step of Newton's from the errors in c; returns by how much it turned a body. */
static double mend(const lode__solve_work *work, const lode__net *net)
{
    for (uint32_t i = 0; i <= net->plan->body_count + net->others; ++i)
        for (int k = 0; k < 6; ++k)
            net->bonds.bodies[i].v[k] = 0;
    work->solver->kernels->solve_net(net->plan, &net->bonds);
    double turn = largest_turn(net), share = turn > MOST_TURNED ? MOST_TURNED / turn : 1;
    for (uint32_t i = 0; i < net->plan->body_count && is_finite(net); ++i)
        move_body(&work->solver->state->lines, net->lines[i], net->bonds.bodies[i + 1].now, share);
    return turn;
}

static void project(const lode__solve_work *work, lode__net *net)
{
    double unit = (double)work->step->settings->length_unit, turn = 0;
    factor(work, net);
    double parted = read_errors(work, net, MOST_MENDED * unit);
    for (int i = 0; i < MOST_STEPS; ++i) {
        turn = mend(work, net);
        if ((parted <= PARTED * unit && turn <= TURNED) || i + 1 == MOST_STEPS || !is_finite(net))
            break;
        parted = factor_again(work, net, MOST_MENDED * unit);
    }
    for (uint32_t t = 0; t < net->plan->node_count; ++t)
        net->bonds.rows[t].c = net->targets[t];
    net->acting_count = 0; /* columns are of another factor */
    for (uint32_t e = 0; e < net->bounded_count; ++e)
        net->bounded[e].acts = false;
}

/* --- of all nets of a group */

typedef void net_fn(const lode__solve_work *work, lode__net *net);

typedef struct net_task {
    const lode__solve_work *work;
    lode__group *group;
    net_fn *run;
} net_task;

static void run_nets(void *context, uint32_t begin, uint32_t end)
{
    const net_task *task = context;
    for (uint32_t i = begin; i < end; ++i)
        task->run(task->work, &task->group->nets[i]);
}

/* A large group is the work of all threads, any other that of the one that runs this. */
static void each_net(const lode__solve_work *work, lode__group *group, net_fn *run)
{
    net_task task = {work, group, run};
    if (group->large)
        lode__tasks_run(work->step->tasks, group->net_count, 1, run_nets, &task);
    else
        run_nets(&task, 0, group->net_count);
}

static void solve_tense(const lode__solve_work *work, lode__net *net)
{
    if (net->tense)
        solve(work, net);
}

static void begin_net(const lode__solve_work *work, lode__net *net)
{
    if (work->sub_step == 0)
        factor(work, net);
    hold_net(work->solver->state, net, true);
    take_bounded(work->solver->state, net, true);
}

static void hold_again(const lode__solve_work *work, lode__net *net)
{
    hold_net(work->solver->state, net, false);
    take_bounded(work->solver->state, net, false);
}

static void keep_net(const lode__solve_work *work, lode__net *net)
{
    keep(work->solver->state, net);
}

void lode__nets_begin(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, begin_net);
}

void lode__nets_hold(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, hold_again);
}

void lode__nets_solve(const lode__solve_work *work, lode__group *group, bool all)
{
    each_net(work, group, all ? solve : solve_tense);
}

void lode__nets_keep(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, keep_net);
}

void lode__nets_project(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, project);
}

/* Slots of bodies tell nets apart: their order may depend on the cut between threads. */
void lode__nets_judge(const lode__solve_work *work, lode__group *group)
{
    const lode__dense *lines = &work->solver->state->lines;
    each_net(work, group, judge);
    for (uint32_t i = 0; i < group->net_count; ++i) {
        uint32_t slot = lines->slot[group->nets[i].lines[0]];
        if (!group->nets[i].missed)
            continue;
        if (group->unsolved++ == 0 || slot < group->unsolved_body)
            group->unsolved_body = slot;
    }
}
