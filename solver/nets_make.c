/* nets_make.c: which joints make a net (solver/nets.h). Joints hang together by the bodies that
 * they push; contacts, and what nobody can push, hold nothing together here. A net's joints are in
 * the order of their slots and its bodies in that in which they come up, so that neither the cut
 * between threads nor anything else of the step shows in its bits.
 *
 * Which nets are worth it: all, or those in which a heavy body hangs on a light one. A net that
 * fills up too much when it is eliminated is left to the sweeps. */
#include "core/union_find.h"
#include "solver/nets.h"
#include "solver/plans.h"
#include "solver/softness.h"

/* A net with bodies whose masses are so many times apart is worth it. */
#define UNEQUAL ((lode_real)20)

/* A joint that may be in a net. */
typedef struct candidate {
    lode__net_joint joint;
    uint32_t slot, rows;
    uint32_t root; /* the lowest line of its net */
    uint32_t next; /* of the same net */
} candidate;

enum { NONE = 0xffffffff };

/* What is known by line: of a net's lowest one its joints, and how unequal its masses are. */
typedef struct gathering {
    candidate *joints;
    uint32_t count;
    uint32_t *parent;
    uint32_t *first, *last;  /* by root: joints */
    lode_real *least, *most; /* by root: inverse masses */
    uint32_t *number;        /* by line: of the body in its net; 0: it has none yet */
    uint32_t (*place)[2];    /* by slot of a joint: its chunk and lane */
    uint32_t *slots;         /* of a net's joints */
    lode__stiffness *room;   /* by line */
} gathering;

static bool take_gathering(gathering *g, const lode__solver *solver, lode__arena *arena)
{
    const lode__solve_state *state = solver->state;
    uint32_t lines = state->lines.count, joints = state->constraints[LODE__JOINTS].count;
    g->joints = LODE__TAKE(arena, candidate, joints);
    g->parent = LODE__TAKE(arena, uint32_t, lines);
    g->first = LODE__TAKE(arena, uint32_t, lines);
    g->last = LODE__TAKE(arena, uint32_t, lines);
    g->least = LODE__TAKE(arena, lode_real, lines);
    g->most = LODE__TAKE(arena, lode_real, lines);
    g->number = LODE__TAKE_ZEROED(arena, uint32_t, lines);
    g->slots = LODE__TAKE(arena, uint32_t, joints);
    g->room = LODE__TAKE_ZEROED(arena, lode__stiffness, lines);
    g->place = (uint32_t(*)[2])lode__arena_take(arena, solver->joints->end * sizeof *g->place);
    return g->joints && g->parent && g->first && g->last && g->least && g->most && g->number &&
           g->slots && g->room && g->place;
}

/* Where the group's joints lie. */
static void find_places(const gathering *g, const lode__solve_state *state,
                        const lode__group *group)
{
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k)
            if (list_of_bucket(chunk->bucket) == LODE__JOINTS && chunk->lanes[k] != LODE__NONE) {
                g->place[chunk->lanes[k]][0] = c;
                g->place[chunk->lanes[k]][1] = k;
            }
    }
}

static uint32_t own_rows(int bucket)
{
    bucket -= LODE__BUCKET_JOINT;
    return (uint32_t)(lode__bucket_rows(bucket) - lode__bucket_extras(bucket));
}

bool lode__nets_are_wanted(const lode_world_def *settings)
{
    return settings->stiff_joints != LODE_STIFF_NEVER && !is_second_order(settings) &&
           settings->solver != LODE_SOLVER_PER_JOINT;
}

bool lode__net_may_have(const lode__step *step, const lode__joint *joint, int bucket)
{
    return own_rows(bucket) > 0 && !(softness_of_joint(step, joint).cfm > 0);
}

bool lode__net_is_worth_it(const lode_world_def *settings, lode_real least, lode_real most)
{
    return settings->stiff_joints == LODE_STIFF_ALWAYS || most > UNEQUAL * least;
}

static void list_candidates(gathering *g, const lode__solver *solver, const lode__step *step,
                            const lode__group *group)
{
    const lode__constraint_list *list = &solver->state->constraints[LODE__JOINTS];
    g->count = 0;
    for (uint32_t i = group->begin[LODE__JOINTS]; i < group->end[LODE__JOINTS]; ++i) {
        const lode__constraint *c = &list->all[list->order[i]];
        const lode__joint *joint = joint_at(solver->joints, c->source);
        if (!lode__net_may_have(step, joint, c->bucket))
            continue;
        g->joints[g->count++] = (candidate){
            .joint = {g->place[c->source][0],
                      g->place[c->source][1],
                      {line_of_body(solver->bodies, joint->body_a),
                       line_of_body(solver->bodies, joint->body_b)}},
            .slot = c->source,
            .rows = own_rows(c->bucket),
            .next = NONE,
        };
    }
}

static uint32_t pushed(int32_t line)
{
    return line > 0 ? (uint32_t)line : 0;
}

static void weigh(const gathering *g, const lode__dense *lines, uint32_t root, uint32_t line)
{
    lode_real inv_mass = lines->inv_mass[line].inv_mass;
    g->least[root] = r_min(g->least[root], inv_mass);
    g->most[root] = r_max(g->most[root], inv_mass);
}

/* Gives each candidate to its net; joints stay in their order. */
static void gather(const gathering *g, const lode__dense *lines, const lode__group *group)
{
    for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
        g->parent[line] = line;
        g->first[line] = NONE;
        g->least[line] = g->most[line] = lines->inv_mass[line].inv_mass;
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        uint32_t a = pushed(g->joints[i].joint.line[0]), b = pushed(g->joints[i].joint.line[1]);
        if (a && b)
            lode__union_join(g->parent, a, b);
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        candidate *c = &g->joints[i];
        for (int end = 0; end < 2; ++end)
            if (pushed(c->joint.line[end])) {
                c->root = lode__union_root(g->parent, pushed(c->joint.line[end]));
                weigh(g, lines, c->root, pushed(c->joint.line[end]));
            }
        if (g->first[c->root] == NONE)
            g->first[c->root] = i;
        else
            g->joints[g->last[c->root]].next = i;
        g->last[c->root] = i;
    }
}

static bool is_worth_it(const gathering *g, uint32_t root, const lode_world_def *settings)
{
    return lode__net_is_worth_it(settings, g->least[root], g->most[root]);
}

/* Numbers the bodies of a net as they come up and lists their lines; returns how many there are. */
static uint32_t number_bodies(const gathering *g, uint32_t first, lode__bond_joint *joints,
                              lode__net *net)
{
    uint32_t bodies = 0, at = 0;
    bool anchored = false;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next, ++at) {
        joints[at] = (lode__bond_joint){.rows = g->joints[i].rows};
        for (int end = 0; end < 2; ++end) {
            uint32_t line = pushed(g->joints[i].joint.line[end]);
            anchored = anchored || !line;
            if (line && !g->number[line]) {
                g->number[line] = ++bodies;
                net->lines[bodies - 1] = line;
            }
            joints[at].body[end] = g->number[line];
        }
    }
    net->looped = at + !anchored > bodies; /* more than a tree has */
    return bodies;
}

/* Gives the rows of nodes whose bodies they push, and those that move but cannot be pushed a place
 * behind the others. */
static void place_bodies(lode__net *net)
{
    const lode__bond_plan *plan = net->plan;
    uint32_t next = plan->body_count + 1;
    net->bonds.bodies[0] = (lode__bond_body){.inv_mass = 0};
    for (uint32_t t = 0; t < plan->node_count; ++t)
        for (int end = 0; end < 2; ++end) {
            uint32_t body = plan->nodes[t].body[end];
            if (net->joints[plan->nodes[t].joint].line[end] < 0) {
                body = next++;
                net->bonds.bodies[body] = (lode__bond_body){.inv_mass = 0};
            }
            net->bonds.rows[t].body[end] = body;
        }
    net->others = next - plan->body_count - 1;
}

static size_t largest_block(const gathering *g, uint32_t first, const lode__solve_state *state)
{
    size_t most = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next) {
        size_t size = state->chunks[g->joints[i].joint.chunk].stride;
        most = size > most ? size : most;
    }
    return most;
}

static bool take_net(lode__net *net, const gathering *g, uint32_t first, uint32_t joints,
                     const lode__solve_state *state, lode__arena *arena)
{
    lode__bond_size size = {0};
    lode__bonds_cover(&size, net->plan);
    size.joints = 0; /* no contacts */
    net->joints = LODE__TAKE(arena, lode__net_joint, joints);
    net->impulse = LODE__TAKE_ZEROED(arena, lode__quad, net->plan->node_count);
    net->targets = LODE__TAKE(arena, lode__quad, net->plan->node_count);
    net->scratch = lode__arena_take(arena, largest_block(g, first, state));
    if (!net->joints || !net->impulse || !net->targets || !net->scratch ||
        !lode__bonds_take(&net->bonds, &size, arena))
        return false;
    for (uint32_t i = first, at = 0; i != NONE; i = g->joints[i].next)
        net->joints[at++] = g->joints[i].joint;
    place_bodies(net);
    return true;
}

static uint32_t extras_of(const lode__solve_state *state, const lode__net_joint *joint)
{
    int bucket = state->chunks[joint->chunk].bucket - LODE__BUCKET_JOINT;
    return (uint32_t)lode__bucket_extras(bucket);
}

/* The bodies of a joint's ends, as its first node has them. */
static const uint32_t *bodies_of(const lode__net *net, uint32_t joint)
{
    uint32_t t = 0;
    while (net->plan->nodes[t].joint != joint)
        ++t;
    return net->bonds.rows[t].body;
}

/* Lists the motors and stops of a net, if they are not too many. */
static bool list_bounded(lode__net *net, const lode__solve_state *state, lode__arena *arena)
{
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; i < net->plan->joint_count; ++i)
        count += extras_of(state, &net->joints[i]);
    if (count == 0 || count > LODE__NET_BOUNDED)
        return true;
    uint32_t bodies = net->plan->body_count + net->others + 1;
    net->bounded = LODE__TAKE_ZEROED(arena, lode__net_row, count);
    net->acting = LODE__TAKE(arena, uint32_t, count);
    net->response = LODE__TAKE(arena, double, (size_t)count *count);
    net->kept = (double(*)[6])lode__arena_take(arena, bodies * sizeof *net->kept);
    if (!net->bounded || !net->acting || !net->response || !net->kept)
        return false;
    for (uint32_t i = 0; i < net->plan->joint_count; ++i) {
        uint32_t extras = extras_of(state, &net->joints[i]);
        const uint32_t *body = extras > 0 ? bodies_of(net, i) : NULL;
        uint32_t own = own_rows(state->chunks[net->joints[i].chunk].bucket);
        for (uint32_t k = 0; k < extras; ++k)
            net->bounded[at++] = (lode__net_row){
                .joint = i, .row = own + k, .body = {body[0], body[1]}};
    }
    net->bounded_count = count;
    return true;
}

static uint32_t count_joints(const gathering *g, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next)
        ++count;
    return count;
}

/* The net of some joints; leaves the plan null where sweeps are to solve them. */
static bool make_net(lode__net *net, const gathering *g, uint32_t first, lode__plans *plans,
                     const lode__solve_state *state, lode__arena *arena)
{
    uint32_t count = count_joints(g, first);
    lode__bond_joint *joints = LODE__TAKE(arena, lode__bond_joint, count);
    net->lines = LODE__TAKE(arena, uint32_t, 2 * (size_t)count);
    if (!joints || !net->lines)
        return false;
    uint32_t bodies = number_bodies(g, first, joints, net);
    const lode__bond_plan *plan = lode__plans_of_joints(plans, joints, count, bodies, arena);
    if (!plan || !plan->fits)
        return plan != NULL;
    net->plan = plan;
    return take_net(net, g, first, count, state, arena) && list_bounded(net, state, arena);
}

static bool tense_net(const gathering *g, uint32_t first, const lode__solver *solver,
                      const lode__step *step)
{
    uint32_t count = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next)
        g->slots[count++] = g->joints[i].slot;
    return lode__nets_tense(solver, g->slots, count, step->dt / (lode_real)step->sub_steps,
                            step->impulse_scale, g->room);
}

/* Chunks of which all is in nets are not swept; is there anything else? */
static void mark_chunks(const lode__solve_state *state, lode__group *group)
{
    for (uint32_t n = 0; n < group->net_count; ++n) {
        const lode__net *net = &group->nets[n];
        for (uint32_t i = 0; i < net->plan->joint_count; ++i)
            if (net->bounded_count > 0 || extras_of(state, &net->joints[i]) == 0)
                ++state->chunks[net->joints[i].chunk].held;
    }
    group->sweeps = false;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        lode__solve_chunk *chunk = &state->chunks[c];
        uint32_t joints = 0;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k)
            joints += chunk->lanes[k] != LODE__NONE;
        chunk->all_held = joints > 0 && chunk->held == joints;
        group->sweeps = group->sweeps || !chunk->all_held;
    }
}

static bool make_nets(lode__group *group, const gathering *g, lode__solver *solver,
                      const lode__step *step)
{
    uint32_t roots = 0;
    for (uint32_t line = group->line_begin; line < group->line_end; ++line)
        roots += g->first[line] != NONE && is_worth_it(g, line, step->settings);
    group->nets = LODE__TAKE_ZEROED(step->arena, lode__net, roots);
    for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
        if (g->first[line] == NONE || !is_worth_it(g, line, step->settings))
            continue;
        lode__net *net = &group->nets[group->net_count];
        if (!group->nets ||
            !make_net(net, g, g->first[line], &solver->plans, solver->state, step->arena))
            return false;
        if (net->plan) {
            ++group->net_count;
            net->tense = tense_net(g, g->first[line], solver, step) ||
                         g->most[line] > UNEQUAL * g->least[line];
        }
    }
    mark_chunks(solver->state, group);
    return true;
}

bool lode__nets_take(lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    gathering g = {0};
    if (!lode__nets_are_wanted(step->settings) || state->constraints[LODE__JOINTS].count == 0)
        return true;
    if (!take_gathering(&g, solver, step->arena))
        return false;
    for (uint32_t i = 0; i < state->group_count; ++i) {
        lode__group *group = &state->groups[i];
        if (!group->netted)
            continue;
        find_places(&g, state, group);
        list_candidates(&g, solver, step, group);
        gather(&g, &state->lines, group);
        if (!make_nets(group, &g, solver, step))
            return false;
    }
    return true;
}
