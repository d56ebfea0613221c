/* nets_poses.c: poses of nets (solver/nets.h). What is solved for velocities alone moves along
 * tangents, and parts by (w h)^2 r / 2 in each sub-step; mending that through velocities takes
 * several and throws. So once the poses have moved, the error itself is solved for, in the metric
 * of the masses, and the poses are brought there; the velocities do not hear of it. Newton's method
 * needs one step, since a sub-step's error is small, and the factor that it is made with serves the
 * next sub-step.
 *
 * That is of first order: a body on an arc goes along its tangent, is brought back at where that
 * leads, and loses (w h)^2 / 2 of its speed to its new tangent. To keep it, as SHAKE does, the
 * error would have to be solved for along where the rows were, and told to the velocities, which is
 * not stable where geometric stiffness has changed the mass (docs/architecture.md).
 *
 * Where one member of four needs another step, the others' rows stay as they were read, and so
 * their factor comes out as it was. */
#include "core/math.h"
#include "solver/joint_blocks.h"
#include "solver/kinematic.h"
#include "solver/motion.h"
#include "solver/nets.h"

#include <math.h>
#include <string.h>

/* What of an error is mended in a sub-step, m (times the length unit) or rad, and by how much a
 * body is turned for it, rad: beyond, Newton's method would be lost. */
#define MOST_MENDED 0.5
#define MOST_TURNED 0.25

/* One step of Newton's is enough where no more had parted, m (times the length unit) or rad, and no
 * body was turned by more for it, rad. */
#define PARTED 0.003
#define TURNED 0.02
enum { MOST_STEPS = 4 };

static void put_delta(double *out, uint32_t w, lode__delta d)
{
    out[0] = d.linear.x, out[w] = d.linear.y, out[2 * w] = d.linear.z;
    out[3 * w] = d.angular.x, out[4 * w] = d.angular.y, out[5 * w] = d.angular.z;
}

/* By how much bodies have moved since the step began, as velocities. */
static void read_deltas(const lode__solve_work *work, const lode__net *net, uint32_t k)
{
    const lode__dense *lines = &work->solver->state->lines;
    const uint32_t w = net->system.width;
    const uint32_t *line_of = net->member[k].lines, count = net->system.plan->body_count;
    double *v = LODE__NET_OF_BODY(net, 1, v, k);
    for (uint32_t i = 0; i < count; ++i, v += LODE__NET_BODY_NUMBERS * w)
        put_delta(v, w, lines->delta[line_of[i]]);
    for (uint32_t t = 0; t < net->system.plan->node_count && net->others > 0; ++t)
        for (int end = 0; end < 2; ++end) {
            const lode__net_node *node = &net->system.nodes[t];
            int32_t line = net->member[k].joints[node->joint].line[end];
            if (line < 0)
                put_delta(LODE__NET_OF_BODY(net, node->body[end], v, k), w,
                          delta_at(lines, line, work->relax.elapsed));
        }
}

/* What is to be mended of an error in a sub-step. */
static double to_mend(double error, double most)
{
    return error > most ? -most : error < -most ? most : -error;
}

/* What rows ask for is kept while they ask for something else. */
static void keep_targets(const lode__net *net, bool back)
{
    const size_t size = LODE__NET_ROWS * net->system.width * sizeof(double);
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t) {
        double *c = LODE__NET_OF_NODE(net, t, c, 0), *kept = LODE__NET_OF_NODE(net, t, kept, 0);
        memcpy(back ? c : kept, back ? kept : c, size);
    }
}

/* Asks for what a member's rows are off by, in place of velocities: blocks know by how much they
 * were as the step began, x what has been added since. Returns the largest. */
static double read_errors(const lode__net *net, uint32_t k, double most)
{
    const uint32_t w = net->system.width, count = net->system.plan->node_count;
    const double *x = LODE__NET_OF_NODE(net, 0, x, k);
    double parted = 0, *c = LODE__NET_OF_NODE(net, 0, c, k);
    const size_t apart = LODE__NET_NODE_NUMBERS * w;
    for (uint32_t t = 0; t < count; ++t, x += apart, c += apart) {
        const lode__net_node *node = &net->system.nodes[t];
        const lode__net_joint *joint = &net->member[k].joints[node->joint];
        const lode__row *rows = &joint->block->rows[node->first];
        for (uint32_t i = 0; i < node->rows; ++i) {
            double error = rows[i].error.x[joint->at] + x[i * w], size = fabs(error);
            c[i * w] = to_mend(error, most);
            parted = size > parted ? size : parted;
        }
    }
    return parted;
}

/* Reads a member where a first step has brought it, with its errors: of a copy of its blocks, since
 * other nets have lanes in them, whose rows stay as they are. */
static double read_again(const lode__solve_work *work, const lode__net *net, uint32_t k,
                         double most)
{
    const uint32_t w = net->system.width;
    double parted = 0;
    for (uint32_t t = 0; t < net->system.plan->node_count; ++t) {
        const lode__net_node *node = &net->system.nodes[t];
        const lode__net_joint *joint = &net->member[k].joints[node->joint];
        const lode__solve_chunk *chunk = &work->solver->state->chunks[joint->chunk];
        lode__row_block *copy = net->scratch;
        double *c = LODE__NET_OF_NODE(net, t, c, k), *kept = LODE__NET_OF_NODE(net, t, kept, k);
        memcpy(copy, joint->block, chunk->stride);
        lode__joint_block_turn(work->solver, chunk->bucket, copy, &work->relax);
        lode__net_read_node(net, t, k, copy, joint->at);
        for (uint32_t i = 0; i < node->rows; ++i) {
            double error = copy->rows[node->first + i].error.x[joint->at], size = fabs(error);
            kept[i * w] = c[i * w];
            c[i * w] = to_mend(error, most);
            parted = size > parted ? size : parted;
        }
    }
    return parted;
}

/* By how much the body is turned that is turned the most, rad. */
static double largest_turn(const lode__net *net, uint32_t k)
{
    const uint32_t w = net->system.width;
    double most = 0;
    for (uint32_t i = 1; i <= net->system.plan->body_count; ++i) {
        const double *now = LODE__NET_OF_BODY(net, i, now, k);
        for (uint32_t e = 3; e < 6; ++e)
            most = fabs(now[e * w]) > most ? fabs(now[e * w]) : most;
    }
    return most;
}

/* Moves a member by what was found; returns by how much that turned a body. */
static double move(const lode__solve_work *work, const lode__net *net, uint32_t k)
{
    double turn = largest_turn(net, k), share = turn > MOST_TURNED ? MOST_TURNED / turn : 1;
    const uint32_t w = net->system.width, count = net->system.plan->body_count;
    const double *now = LODE__NET_OF_BODY(net, 1, now, k);
    for (uint32_t i = 0; i < count; ++i, now += LODE__NET_BODY_NUMBERS * w)
        lode__line_move(&work->solver->state->lines, net->member[k].lines[i], now, w, share);
    return turn;
}

/* From the errors in c, and from `v`, where bodies are to be moved `now`. */
static void find_ways(const lode__solve_work *work, lode__net *net)
{
    lode__net_kernels_of(net, work->solver->kernels)->solve(&net->system, false);
    for (uint32_t k = 0; k < net->count; ++k) {
        lode__net_member *member = &net->member[k];
        member->counts = member->counts && lode__net_is_finite(net, k);
    }
}

/* Moves the members that count; those still do for which another step is needed. */
static bool move_all(const lode__solve_work *work, lode__net *net, double unit)
{
    bool any = false;
    for (uint32_t k = 0; k < net->count; ++k) {
        lode__net_member *member = &net->member[k];
        if (!member->counts)
            continue;
        double turn = move(work, net, k);
        member->counts = !(member->parted <= PARTED * unit && turn <= TURNED);
        any = any || member->counts;
    }
    return any;
}

static void clear_ways(const lode__net *net)
{
    for (uint32_t b = 0; b < net->system.bodies_all; ++b)
        memset(LODE__NET_OF_BODY(net, b, v, 0), 0, 6 * net->system.width * sizeof(double));
}

/* Rows ask for velocities again; columns of rows with bounds are of another factor. */
static void end_project(lode__net *net)
{
    keep_targets(net, true);
    for (uint32_t k = 0; k < net->count; ++k) {
        net->member[k].acting_count = 0;
        for (uint32_t e = 0; e < net->bounded_count; ++e)
            net->member[k].bounded[e].acts = false;
    }
}

void lode__net_begin_project(const lode__solve_work *work, lode__net *net)
{
    const double most = MOST_MENDED * (double)work->step->settings->length_unit;
    for (uint32_t k = 0; k < net->count; ++k) {
        if (work->sub_step == 0) /* the direct solver has had no other use for them */
            lode__net_find_blocks(work->solver->state, net, k);
        lode__net_read_masses(net, k, &work->solver->state->lines);
        lode__net_read(net, k);
        read_deltas(work, net, k);
        net->member[k].counts = true;
    }
    keep_targets(net, false);
    lode__net_factor(net, work->solver->kernels);
    lode__net_kernels_of(net, work->solver->kernels)->rates(&net->system);
    for (uint32_t k = 0; k < net->count; ++k)
        net->member[k].parted = read_errors(net, k, most);
    clear_ways(net);
    find_ways(work, net);
}

void lode__net_tell_ways(const lode__solve_work *work, lode__net *net)
{
    const lode__dense ways = lode__ways_of(work->solver->state);
    lode__net_write_velocities(net, lode__net_kernels_of(net, work->solver->kernels), &ways);
}

void lode__net_part(const lode__solve_work *work, lode__net *net)
{
    const lode__dense ways = lode__ways_of(work->solver->state);
    lode__net_read_velocities(net, lode__net_kernels_of(net, work->solver->kernels), &ways);
    find_ways(work, net);
    lode__net_tell_ways(work, net);
}

/* A net's bodies go by what it has found. */
static void forget_ways(const lode__solve_state *state, const lode__net *net)
{
    for (uint32_t k = 0; k < net->count && state->ways; ++k)
        for (uint32_t i = 0; i < net->system.plan->body_count; ++i)
            state->ways[net->member[k].lines[i]] = (lode__velocity){0};
}

void lode__net_end_project(const lode__solve_work *work, lode__net *net)
{
    const double unit = (double)work->step->settings->length_unit, most = MOST_MENDED * unit;
    for (int i = 0; i < MOST_STEPS; ++i) {
        if (!move_all(work, net, unit) || i + 1 == MOST_STEPS)
            break;
        for (uint32_t k = 0; k < net->count; ++k)
            if (net->member[k].counts)
                net->member[k].parted = read_again(work, net, k, most);
        lode__net_factor(net, work->solver->kernels);
        clear_ways(net);
        find_ways(work, net);
    }
    forget_ways(work->solver->state, net);
    end_project(net);
}

void lode__ways_begin(const lode__solve_state *state, const lode__group *group)
{
    memset(state->ways + group->line_begin, 0,
           (group->line_end - group->line_begin) * sizeof *state->ways);
}

void lode__ways_end(const lode__solve_state *state, const lode__group *group)
{
    for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
        const lode_vec3 way = state->ways[line].linear, turn = state->ways[line].angular;
        const double by[6] = {way.x, way.y, way.z, turn.x, turn.y, turn.z};
        lode__line_move(&state->lines, line, by, 1, 1);
    }
}
