/* nets.c: see nets.h. From blocks and lines to the equations of nets, and back.
 *
 * Rows of nets have no mass in the blocks, so that sweeps pass them by. What is done member by
 * member here reads and writes numbers that lie a quad apart where four are solved together; the
 * kernels do all that is done to many of them. */
#include "solver/nets.h"

#include "core/double3.h"
#include "core/error.h"
#include "core/math.h"

#include <math.h>
#include <string.h>

/* Share of its diagonal by which the rows of a loop are softened: those that follow from others but
 * for rounding then share a load, and rounding of velocities is no load. */
#define LOOP_SOFT (64 * REAL_EPSILON > 1e-9 ? 64 * (double)REAL_EPSILON : 1e-9)

/* A loop's rows are missed where they are off by more than this share of what moves in them, and by
 * more than this speed, m/s (times the length unit) or rad/s. */
#define MISSED 1e-3
#define MISSED_SPEED 1e-4

/* --- bodies */

/* The lines of each member; of those that there are not, the first's. */
static void lines_of(const lode__net *net, const uint32_t *out[LODE__QUAD_LANES])
{
    for (uint32_t k = 0; k < LODE__QUAD_LANES; ++k)
        out[k] = net->member[k < net->count ? k : 0].lines;
}

static void put_velocity(double *out, uint32_t apart, const lode__velocity *v)
{
    out[0] = v->linear.x, out[apart] = v->linear.y, out[2 * apart] = v->linear.z;
    out[3 * apart] = v->angular.x, out[4 * apart] = v->angular.y, out[5 * apart] = v->angular.z;
}

/* Of what cannot be pushed. */
static void read_others(const lode__net *net, uint32_t k, const lode__dense *lines)
{
    for (uint32_t t = 0; t < net->system.plan->node_count && net->others > 0; ++t)
        for (int end = 0; end < 2; ++end) {
            const lode__net_node *node = &net->system.nodes[t];
            int32_t line = net->member[k].joints[node->joint].line[end];
            if (line >= 0)
                continue;
            put_velocity(LODE__NET_OF_BODY(net, node->body[end], v, k), net->system.width,
                         &lines->velocity[line]);
            put_velocity(LODE__NET_OF_BODY(net, node->body[end], now, k), net->system.width,
                         &lines->velocity[line]);
        }
}

void lode__net_read_velocities(const lode__net *net, const lode__net_kernels *kernels,
                               const lode__dense *lines)
{
    const uint32_t *of[LODE__QUAD_LANES];
    lines_of(net, of);
    kernels->read(&net->system, lines->velocity, of);
    for (uint32_t k = 0; k < net->count; ++k)
        read_others(net, k, lines);
}

/* Of one member. */
static void write_member(const lode__net *net, uint32_t k, const lode__dense *lines)
{
    const uint32_t w = net->system.width;
    for (uint32_t i = 0; i < net->system.plan->body_count; ++i) {
        const double *now = LODE__NET_OF_BODY(net, i + 1, now, k);
        lode__velocity *v = &lines->velocity[net->member[k].lines[i]];
        v->linear = v3((lode_real)now[0], (lode_real)now[w], (lode_real)now[2 * w]);
        v->angular = v3((lode_real)now[3 * w], (lode_real)now[4 * w], (lode_real)now[5 * w]);
    }
}

void lode__net_write_velocities(const lode__net *net, const lode__net_kernels *kernels,
                                const lode__dense *lines)
{
    const uint32_t *of[LODE__QUAD_LANES];
    bool all = net->count == net->system.width;
    for (uint32_t k = 0; k < net->count; ++k)
        all = all && net->member[k].counts;
    lines_of(net, of);
    if (all)
        kernels->write(&net->system, lines->velocity, of);
    for (uint32_t k = 0; k < net->count && !all; ++k)
        if (net->member[k].counts)
            write_member(net, k, lines);
}

void lode__net_read_masses(const lode__net *net, uint32_t k, const lode__dense *lines)
{
    for (uint32_t i = 0; i < net->system.plan->body_count; ++i) {
        const lode__inv_mass *m = &lines->inv_mass[net->member[k].lines[i]];
        const double inertia[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
        double *out = LODE__NET_OF_BODY(net, i + 1, inv_inertia, k);
        *LODE__NET_OF_BODY(net, i + 1, inv_mass, k) = m->inv_mass;
        for (uint32_t e = 0; e < 6; ++e)
            out[e * net->system.width] = inertia[e];
    }
}

/* --- rows */

/* The `apart` are those of a vector's components. */
static inline void read_lane3(double *out, size_t apart, const lode__lane3 *v, int lane)
{
    out[0] = v->x.x[lane];
    out[apart] = v->y.x[lane];
    out[2 * apart] = v->z.x[lane];
}

/* Rows that hold anchors together are known but for the arms, and ask for no velocity. */
static inline void read_arms(double *numbers, size_t w, const lode__row_block *block, int lane)
{
    const lode__row *x = &block->rows[0], *y = &block->rows[1];
    double *a = numbers + LODE__NET_AT(lode__net_rows, arm) * w, *b = a + 3 * w;
    double *c = numbers + LODE__NET_AT(lode__net_rows, c) * w;
    a[0] = y->ang_a.z.x[lane], a[w] = -x->ang_a.z.x[lane], a[2 * w] = x->ang_a.y.x[lane];
    b[0] = y->ang_b.z.x[lane], b[w] = -x->ang_b.z.x[lane], b[2 * w] = x->ang_b.y.x[lane];
    c[0] = c[w] = c[2 * w] = 0;
}

static void read_rows(double *numbers, size_t w, const lode__net_node *node,
                      const lode__row_block *block, int lane)
{
    const size_t apart = LODE__NET_ROWS * w;
    for (uint32_t i = 0; i < node->rows; ++i) {
        const lode__row *row = &block->rows[node->first + i];
        double *lin = numbers + LODE__NET_AT(lode__net_rows, lin) * w + i * w;
        double *ang = numbers + LODE__NET_AT(lode__net_rows, ang) * w + i * w;
        read_lane3(lin, apart, &row->lin, lane);
        read_lane3(ang, apart, &row->ang_a, lane);
        read_lane3(ang + 3 * apart, apart, &row->ang_b, lane);
        numbers[(LODE__NET_AT(lode__net_rows, c) + i) * w] = row->target.x[lane];
    }
}

void lode__net_read_node(const lode__net *net, uint32_t t, uint32_t k, const lode__row_block *block,
                         int lane)
{
    const lode__net_node *node = &net->system.nodes[t];
    double *numbers = LODE__NET_OF_NODE(net, t, arm, k);
    _Static_assert(offsetof(lode__net_rows, arm) == 0, "arms come first");
    if (node->anchors)
        read_arms(numbers, net->system.width, block, lane);
    else
        read_rows(numbers, net->system.width, node, block, lane);
}

/* With `w` a constant, what lies apart is known when this is compiled. */
static inline void read_nodes(const lode__net *net, uint32_t k, size_t w)
{
    const lode__net_node *nodes = net->system.nodes;
    const lode__net_joint *joints = net->member[k].joints;
    const uint32_t count = net->system.plan->node_count;
    double *numbers = LODE__NET_OF_NODE(net, 0, arm, k);
    for (uint32_t t = 0; t < count; ++t, numbers += LODE__NET_NODE_NUMBERS * w) {
        const lode__net_joint *joint = &joints[nodes[t].joint];
        LODE__DEBUG_ASSERT(!nodes[t].anchors || joint->block->axes == 3);
        if (nodes[t].anchors)
            read_arms(numbers, w, joint->block, joint->at);
        else
            read_rows(numbers, w, &nodes[t], joint->block, joint->at);
    }
}

void lode__net_read(const lode__net *net, uint32_t k)
{
    if (net->system.width == 1)
        read_nodes(net, k, 1);
    else
        read_nodes(net, k, LODE__QUAD_LANES);
}

void lode__net_factor(const lode__net *net, const lode__solver_kernels *kernels)
{
    lode__net_kernels_of(net, kernels)->factor(&net->system, net->looped ? LOOP_SOFT : 0);
}

void lode__net_find_blocks(const lode__solve_state *state, const lode__net *net, uint32_t k)
{
    for (uint32_t i = 0; i < net->joint_count; ++i) {
        lode__net_joint *joint = &net->member[k].joints[i];
        const lode__solve_chunk *chunk = &state->chunks[joint->chunk];
        joint->at = (int)(joint->lane % LODE_LANES);
        joint->block = (void *)(chunk->blocks + (size_t)(joint->lane / LODE_LANES) * chunk->stride);
    }
}

/* Reads a net where it is and factors it, before its first solution. */
static void begin(const lode__solve_work *work, const lode__net *net)
{
    for (uint32_t k = 0; k < net->count; ++k) {
        lode__net_find_blocks(work->solver->state, net, k);
        lode__net_read_masses(net, k, &work->solver->state->lines);
        lode__net_read(net, k);
    }
    lode__net_factor(net, work->solver->kernels);
}

/* --- sweeps pass by */

static void hold_row(lode__row *row, int lane)
{
    row->mass.x[lane] = row->soft.x[lane] = 0;
}

static void hold_point(lode__row_block *block, int lane)
{
    for (int i = 0; i < 6; ++i)
        block->point_mass[i].x[lane] = 0;
    block->point_lost.x[lane] = 0;
}

static void hold_net(const lode__solve_state *state, const lode__net *net, uint32_t k, bool first)
{
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t) {
        const lode__net_node *node = &net->system.nodes[t];
        const lode__net_joint *joint = &net->member[k].joints[node->joint];
        double *impulse = LODE__NET_OF_NODE(net, t, impulse, k);
        for (uint32_t i = 0; i < LODE__NET_ROWS && first; ++i)
            impulse[i * net->system.width] = 0;
        if (state->chunks[joint->chunk].all_held) /* which is not swept */
            continue;
        if (node->first == 0 && joint->block->axes)
            hold_point(joint->block, joint->at);
        for (uint32_t i = node->first; i < node->first + node->rows; ++i) {
            hold_row(&joint->block->rows[i], joint->at);
            if (first)
                joint->block->rows[i].lambda.x[joint->at] = 0;
        }
    }
}

/* Reads the rows with bounds as they were refreshed for a pass, and takes them out of it. */
static void take_bounded(lode__net *net, uint32_t k, bool first)
{
    lode__net_member *member = &net->member[k];
    member->acting_count = first ? 0 : member->acting_count;
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        lode__net_row *r = &member->bounded[e];
        const lode__net_joint *joint = &member->joints[r->joint];
        lode__row *row = &joint->block->rows[r->row];
        lode__net_row_read(r, row, joint->at);
        hold_row(row, joint->at);
        if (!first)
            continue;
        row->lambda.x[joint->at] = 0;
        r->impulse = 0;
        r->acts = false;
    }
}

/* --- solving */

bool lode__net_is_finite(const lode__net *net, uint32_t k)
{
    return net->system.size[k] <= (double)LODE__UNBOUNDED * (double)LODE__UNBOUNDED;
}

static void solve(const lode__solve_work *work, lode__net *net)
{
    const lode__dense *lines = &work->solver->state->lines;
    const lode__net_kernels *kernels = lode__net_kernels_of(net, work->solver->kernels);
    lode__net_read_velocities(net, kernels, lines);
    kernels->solve(&net->system, true);
    for (uint32_t k = 0; k < net->count; ++k) {
        lode__net_member *member = &net->member[k];
        member->counts = lode__net_is_finite(net, k);
        member->missed = member->missed || !member->counts;
    }
    lode__net_write_velocities(net, kernels, lines);
    if (net->bounded_count > 0 && lode__net_bound(net, work->solver->kernels))
        lode__net_write_velocities(net, kernels, lines);
}

/* Impulses that were not found are told as none. */
static double told(double impulse)
{
    return fabs(impulse) <= (double)LODE__UNBOUNDED ? impulse : 0;
}

static void keep(const lode__net *net, uint32_t k)
{
    const lode__net_member *member = &net->member[k];
    const uint32_t w = net->system.width, count = net->system.plan->node_count;
    const double *impulse = LODE__NET_OF_NODE(net, 0, impulse, k);
    for (uint32_t t = 0; t < count; ++t, impulse += LODE__NET_NODE_NUMBERS * w) {
        const lode__net_node *node = &net->system.nodes[t];
        const lode__net_joint *joint = &member->joints[node->joint];
        lode__row *rows = &joint->block->rows[node->first];
        for (uint32_t i = 0; i < node->rows; ++i)
            rows[i].lambda.x[joint->at] = (lode_real)told(impulse[i * w]);
    }
    for (uint32_t e = 0; e < net->bounded_count; ++e) {
        const lode__net_row *r = &member->bounded[e];
        const lode__net_joint *joint = &member->joints[r->joint];
        joint->block->rows[r->row].lambda.x[joint->at] = (lode_real)r->impulse;
    }
}

/* Is a member, as it was solved last, off its rows? Loops may contradict themselves. The largest
 * velocity of the bodies that a row moves, at its arm or not, is what moves in it. */
static void judge(const lode__solve_work *work, lode__net *net)
{
    const uint32_t w = net->system.width;
    const double least = MISSED_SPEED / MISSED * (double)work->step->settings->length_unit;
    if (!net->looped)
        return;
    for (uint32_t b = 1; b < net->system.bodies_all; ++b)
        memcpy(LODE__NET_OF_BODY(net, b, v, 0), LODE__NET_OF_BODY(net, b, now, 0),
               6 * w * sizeof(double));
    lode__net_kernels_of(net, work->solver->kernels)->rates(&net->system);
    for (uint32_t k = 0; k < net->count; ++k) {
        double most = 0, largest = least;
        for (uint32_t t = 0; t < net->system.plan->node_count; ++t) {
            const lode__net_node *node = &net->system.nodes[t];
            const double *rate = LODE__NET_OF_NODE(net, t, x, k);
            const double *c = LODE__NET_OF_NODE(net, t, c, k);
            for (uint32_t i = 0; i < node->rows; ++i)
                most = d_max(most, d_abs(rate[i * w] - c[i * w]));
        }
        for (uint32_t b = 1; b < net->system.bodies_all; ++b) {
            const double *v = LODE__NET_OF_BODY(net, b, v, k);
            for (uint32_t e = 0; e < 6; ++e)
                largest = d_max(largest, d_abs(v[e * w]));
        }
        net->member[k].missed = net->member[k].missed || !(most <= MISSED * largest);
    }
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

static void solve_swept(const lode__solve_work *work, lode__net *net)
{
    if (net->swept)
        solve(work, net);
}

static void solve_tense(const lode__solve_work *work, lode__net *net)
{
    if (net->swept && net->tense)
        solve(work, net);
}

static void solve_corrected(const lode__solve_work *work, lode__net *net)
{
    if (net->corrected)
        solve(work, net);
}

static void begin_net(const lode__solve_work *work, lode__net *net)
{
    if (work->sub_step == 0)
        begin(work, net);
    for (uint32_t k = 0; k < net->count; ++k) {
        hold_net(work->solver->state, net, k, true);
        take_bounded(net, k, true);
    }
}

static void hold_again(const lode__solve_work *work, lode__net *net)
{
    for (uint32_t k = 0; k < net->count; ++k) {
        hold_net(work->solver->state, net, k, false);
        take_bounded(net, k, false);
    }
}

static void keep_net(const lode__solve_work *work, lode__net *net)
{
    (void)work;
    for (uint32_t k = 0; k < net->count; ++k)
        keep(net, k);
}

void lode__nets_begin(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, begin_net);
}

void lode__nets_hold(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, hold_again);
}

void lode__nets_solve(const lode__solve_work *work, lode__group *group, int which)
{
    static net_fn *const run[] = {
        [LODE__NETS_ALL] = solve,
        [LODE__NETS_SWEPT] = solve_swept,
        [LODE__NETS_TENSE] = solve_tense,
        [LODE__NETS_CORRECTED] = solve_corrected,
    };
    each_net(work, group, run[which]);
}

void lode__nets_keep(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, keep_net);
}

void lode__nets_begin_project(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, lode__net_begin_project);
}

void lode__nets_tell_ways(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, lode__net_tell_ways);
}

void lode__nets_part(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, lode__net_part);
}

void lode__nets_end_project(const lode__solve_work *work, lode__group *group)
{
    each_net(work, group, lode__net_end_project);
}

/* Slots of bodies tell nets apart: their order may depend on the cut between threads. */
void lode__nets_judge(const lode__solve_work *work, lode__group *group)
{
    const lode__dense *lines = &work->solver->state->lines;
    each_net(work, group, judge);
    for (uint32_t i = 0; i < group->net_count; ++i)
        for (uint32_t k = 0; k < group->nets[i].count; ++k) {
            const lode__net_member *member = &group->nets[i].member[k];
            uint32_t slot = lines->slot[member->lines[0]];
            if (!member->missed)
                continue;
            if (group->unsolved++ == 0 || slot < group->unsolved_body)
                group->unsolved_body = slot;
        }
}
