/* nets_make.c: makes the nets (solver/nets.h) of what nets_gather.c found to hang together: their
 * nodes and bodies, by a plan that is kept, and the memory that they are solved in. A net's bodies
 * are in the order in which its joints have them. Nets that differ in nothing but their numbers are
 * laid together by up to four; which they are makes no difference to any of them. */
#include "solver/nets_gather.h"
#include "solver/plans.h"

#include <string.h>

enum {
    NONE = LODE__GATHER_NONE,
    LOOKED_AT = 16 /* nets, the last ones, that another may be laid to */
};

/* Joints as the plan has them: by up to so many rows. */
static uint32_t list_parts(const lode__gathering *g, uint32_t first, lode__net_node *parts)
{
    uint32_t at = 0, joint = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next, ++joint) {
        const lode__candidate *c = &g->joints[i];
        for (uint32_t row = 0; row < c->rows; row += LODE__NET_ROWS) {
            uint32_t left = c->rows - row;
            parts[at++] = (lode__net_node){
                .joint = joint,
                .first = row,
                .rows = left < LODE__NET_ROWS ? left : LODE__NET_ROWS,
                .anchors = row == 0 && c->anchors,
                .pushed = {g->number[lode__gathered_line(c, 0)],
                           g->number[lode__gathered_line(c, 1)]},
            };
        }
    }
    return at;
}

/* A net that is not laid anywhere yet, and what else is known of it. */
typedef struct draft {
    lode__net net;
    lode__net_node *parts; /* as the plan has them for joints */
    uint32_t part_count, bodies;
    bool anchored;
} draft;

/* Lists the joints of a net, and numbers its bodies as they come up. */
static bool list_joints(draft *d, const lode__gathering *g, uint32_t first, lode__arena *arena)
{
    lode__net_member *member = &d->net.member[0];
    uint32_t count = 0, parts = 0, at = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next) {
        ++count;
        parts += (g->joints[i].rows + LODE__NET_ROWS - 1) / LODE__NET_ROWS;
        d->net.bounded_count += g->joints[i].extras;
    }
    if (d->net.bounded_count > LODE__NET_BOUNDED)
        d->net.bounded_count = 0;
    d->net.joint_count = count;
    d->net.count = 1;
    member->joints = LODE__TAKE(arena, lode__net_joint, count);
    member->lines = LODE__TAKE(arena, uint32_t, 2 * (size_t)count);
    d->parts = LODE__TAKE(arena, lode__net_node, parts);
    if (!member->joints || !member->lines || !d->parts)
        return false;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next) {
        member->joints[at++] = g->joints[i].joint;
        for (int end = 0; end < 2; ++end) {
            uint32_t line = lode__gathered_line(&g->joints[i], end);
            d->anchored = d->anchored || !line;
            if (line && !g->number[line]) {
                g->number[line] = ++d->bodies;
                member->lines[d->bodies - 1] = line;
            }
        }
    }
    d->part_count = list_parts(g, first, d->parts);
    d->net.looped = count + !d->anchored > d->bodies; /* more than a tree has */
    for (uint32_t i = 0; i < d->bodies; ++i)
        g->number[member->lines[i]] = 0;
    return true;
}

/* Finds the plan; null where there is no memory. */
static const lode__bond_plan *plan_of(const draft *d, lode__plans *plans, lode__arena *arena)
{
    lode__arena_mark mark = lode__arena_mark_now(arena);
    lode__bond_joint *joints = LODE__TAKE(arena, lode__bond_joint, d->part_count);
    for (uint32_t i = 0; i < d->part_count && joints; ++i)
        joints[i] = (lode__bond_joint){d->parts[i].rows,
                                       {d->parts[i].pushed[0], d->parts[i].pushed[1]}};
    const lode__bond_plan *plan =
        joints ? lode__plans_of_joints(plans, joints, d->part_count, d->bodies, arena) : NULL;
    lode__arena_rollback(arena, mark);
    return plan;
}

/* Lists nodes as the plan eliminates them. Those that move but cannot be pushed have places behind
 * the bodies. */
static bool list_nodes(draft *d, const lode__bond_plan *plan, lode__arena *arena)
{
    lode__net_node *nodes = LODE__TAKE(arena, lode__net_node, plan->node_count);
    uint32_t next = plan->body_count + 1;
    if (!nodes)
        return false;
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        nodes[t] = d->parts[plan->nodes[t].joint];
        for (int end = 0; end < 2; ++end)
            nodes[t].body[end] = d->net.member[0].joints[nodes[t].joint].line[end] < 0
                                     ? next++
                                     : nodes[t].pushed[end];
    }
    d->net.others = next - plan->body_count - 1;
    d->net.system = (lode__net_system){.plan = plan, .nodes = nodes, .bodies_all = next};
    return true;
}

/* Lists the motors and stops of a net, if they are not too many. */
static bool list_bounded(draft *d, const lode__gathering *g, uint32_t first, lode__arena *arena)
{
    lode__net_member *member = &d->net.member[0];
    uint32_t count = d->net.bounded_count, at = 0, joint = 0;
    const lode__net_node *nodes = d->net.system.nodes;
    if (count == 0)
        return true;
    member->bounded = LODE__TAKE_ZEROED(arena, lode__net_row, count);
    member->acting = LODE__TAKE(arena, uint32_t, count);
    member->response = LODE__TAKE(arena, double, (size_t)count *count);
    if (!member->bounded || !member->acting || !member->response)
        return false;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next, ++joint) {
        uint32_t t = 0;
        while (g->joints[i].extras > 0 && nodes[t].joint != joint)
            ++t;
        for (uint32_t k = 0; k < g->joints[i].extras; ++k)
            member->bounded[at++] = (lode__net_row){.joint = joint,
                                                    .row = g->joints[i].rows + k,
                                                    .body = {nodes[t].body[0], nodes[t].body[1]}};
    }
    return true;
}

/* --- laying nets together */

static bool has_same_bounded(const lode__net *a, const lode__net *b)
{
    bool same = a->bounded_count == b->bounded_count;
    for (uint32_t e = 0; e < a->bounded_count && same; ++e)
        same = a->member[0].bounded[e].joint == b->member[0].bounded[e].joint &&
               a->member[0].bounded[e].row == b->member[0].bounded[e].row;
    return same;
}

static bool is_alike(const lode__net *a, const lode__net *b)
{
    return a->system.plan == b->system.plan && a->tense == b->tense && a->swept == b->swept &&
           a->corrected == b->corrected && a->system.bodies_all == b->system.bodies_all &&
           memcmp(a->system.nodes, b->system.nodes,
                  a->system.plan->node_count * sizeof *a->system.nodes) == 0 &&
           has_same_bounded(a, b);
}

/* Lays a net to others that are alike, or behind all of them. */
static void lay(lode__group *group, const lode__net *net)
{
    uint32_t least = group->net_count > LOOKED_AT ? group->net_count - LOOKED_AT : 0;
    for (uint32_t i = group->net_count; i > least; --i) {
        lode__net *other = &group->nets[i - 1];
        if (other->count == LODE__QUAD_LANES || !is_alike(other, net))
            continue;
        other->member[other->count++] = net->member[0];
        return;
    }
    group->nets[group->net_count++] = *net;
}

static size_t largest_block(const lode__net *net, const lode__solve_state *state)
{
    size_t most = 0;
    for (uint32_t k = 0; k < net->count; ++k)
        for (uint32_t i = 0; i < net->joint_count; ++i) {
            size_t size = state->chunks[net->member[k].joints[i].chunk].stride;
            most = size > most ? size : most;
        }
    return most;
}

/* Numbers that nobody reads in are zeros: of the world and what else cannot be pushed, of rows that
 * a node has not, and of members that there are not. */
static void clear_system(const lode__net *net)
{
    const lode__net_system *system = &net->system;
    const size_t w = system->width, body = LODE__NET_BODY_NUMBERS * w * sizeof(double);
    const size_t all_rows = LODE__NET_NODE_NUMBERS * w * sizeof(double);
    const size_t rows = (LODE__NET_AT(lode__net_rows, lower) - LODE__NET_AT(lode__net_rows, arm)) *
                        w * sizeof(double);
    const bool all = net->count < w;
    for (uint32_t b = 0; b < system->bodies_all; ++b)
        if (all || b == 0 || b > system->plan->body_count)
            memset(LODE__NET_OF_BODY(net, b, v, 0), 0, body);
    for (uint32_t t = 0; t < system->plan->node_count; ++t)
        if (all || system->nodes[t].rows < LODE__NET_ROWS)
            memset(LODE__NET_OF_NODE(net, t, arm, 0), 0, all ? all_rows : rows);
}

/* Takes what a net is solved in. */
static bool take_system(lode__net *net, const lode__solve_state *state, lode__arena *arena)
{
    lode__net_system *system = &net->system;
    const size_t w = system->width = net->count > 1 ? LODE__QUAD_LANES : 1;
    const size_t nodes = system->plan->node_count, bodies = system->bodies_all;
    const size_t kept = net->bounded_count > 0 ? 6 * bodies : 0;
    system->rows = LODE__TAKE(arena, double, nodes *LODE__NET_NODE_NUMBERS *w);
    system->bodies = LODE__TAKE(arena, double, bodies *LODE__NET_BODY_NUMBERS *w);
    system->size = LODE__TAKE(arena, double, w);
    system->tiles = LODE__TAKE(arena, double, system->plan->tile_count *LODE__NET_TILE *w);
    net->kept = LODE__TAKE(arena, double, kept *w);
    net->columns = LODE__TAKE(arena, double, net->bounded_count *lode__net_column(net) * w);
    net->scratch = lode__arena_take(arena, largest_block(net, state));
    if (!system->rows || !system->bodies || !system->tiles || !system->size || !net->kept ||
        !net->columns || !net->scratch)
        return false;
    clear_system(net);
    return true;
}

/* --- all of a group */

static bool tense_net(const lode__gathering *g, uint32_t root, const lode__solver *solver,
                      const lode__step *step)
{
    uint32_t count = 0;
    for (uint32_t i = g->first[root]; i != NONE; i = g->joints[i].next)
        g->slots[count++] = g->joints[i].slot;
    return lode__nets_tense(solver, g->slots, count, step->dt / (lode_real)step->sub_steps,
                            step->impulse_scale, g->room);
}

/* The first line of an island. */
static uint32_t island_of(const lode__solve_state *state, uint32_t line)
{
    return state->island_line[state->island[line]];
}

/* Counts, by chunk and by island, the joints of a net that are all solved by it. */
static void hold_joints(const lode__gathering *g, uint32_t root, const lode__net *net,
                        const lode__solve_state *state)
{
    for (uint32_t i = g->first[root]; i != NONE; i = g->joints[i].next)
        if (net->bounded_count > 0 || g->joints[i].extras == 0) {
            ++state->chunks[g->joints[i].joint.chunk].held;
            --g->swept[island_of(state, root)];
            --g->correcting[island_of(state, root)];
        }
}

/* Are velocities told the errors of what is swept beside nets? Those of contacts that are nothing
 * special bodies are told (solver/contact_part.inl), unless the world makes them springs. */
static bool corrects(int bucket, const lode_world_def *settings)
{
    return !bucket_is_contact(bucket) || bucket_is_special(bucket) || settings->cfm > 0;
}

/* What there is to sweep by island, before nets take theirs. */
static void count_swept(const lode__gathering *g, const lode__solve_state *state,
                        const lode__group *group, const lode_world_def *settings)
{
    for (uint32_t line = group->line_begin; line < group->line_end; ++line)
        g->swept[line] = g->correcting[line] = 0;
    for (int l = 0; l < LODE__LISTS; ++l)
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            const lode__constraint *c = &state->constraints[l].all[state->constraints[l].order[i]];
            uint32_t island = island_of(state, c->a ? c->a : c->b);
            ++g->swept[island];
            g->correcting[island] += corrects(c->bucket, settings);
        }
}

/* Drafts the net with this root; leaves the plan null where sweeps are to solve it. */
static bool make_draft(draft *d, const lode__gathering *g, uint32_t root, lode__plans *plans,
                       lode__arena *arena)
{
    *d = (draft){.net = {.count = 1}};
    if (!list_joints(d, g, g->first[root], arena))
        return false;
    const lode__bond_plan *plan = plan_of(d, plans, arena);
    if (!plan || !plan->fits)
        return plan != NULL;
    return list_nodes(d, plan, arena) && list_bounded(d, g, g->first[root], arena);
}

static bool make_net(lode__group *group, lode__gathering *g, uint32_t root, lode__solver *solver,
                     const lode__step *step)
{
    draft d;
    if (!make_draft(&d, g, root, &solver->plans, step->arena))
        return false;
    if (!d.net.system.plan) {
        lode__gathering_thin(g, root, &solver->state->lines);
        if (g->first[root] == NONE)
            return true;
        if (!make_draft(&d, g, root, &solver->plans, step->arena))
            return false;
    }
    if (!d.net.system.plan)
        return true;
    d.net.tense = tense_net(g, root, solver, step) || lode__gathered_is_unequal(g, root);
    hold_joints(g, root, &d.net, solver->state);
    group->nets[group->net_count++] = d.net;
    return true;
}

/* Chunks of which all is in nets are not swept; is there anything else? */
static void mark_chunks(const lode__solve_state *state, lode__group *group,
                        const lode_world_def *settings)
{
    group->sweeps = false;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        lode__solve_chunk *chunk = &state->chunks[c];
        uint32_t joints = 0;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k)
            joints += chunk->lanes[k] != LODE__NONE;
        chunk->all_held = joints > 0 && chunk->held == joints;
        chunk->corrects = !chunk->all_held && corrects(chunk->bucket, settings);
        group->sweeps = group->sweeps || !chunk->all_held;
        group->corrects = group->corrects || chunk->corrects;
    }
}

/* Lays a group's drafts together, from the first on. */
static void lay_all(lode__group *group, const lode__gathering *g, const lode__solve_state *state)
{
    uint32_t count = group->net_count;
    group->net_count = 0;
    group->corrects = false;
    for (uint32_t i = 0; i < count; ++i) {
        lode__net net = group->nets[i];
        uint32_t island = island_of(state, net.member[0].lines[0]);
        net.swept = g->swept[island] > 0;
        net.corrected = g->correcting[island] > 0 || net.bounded_count > 0;
        group->corrects = group->corrects || net.corrected;
        lay(group, &net);
    }
}

/* A net that is thinned may become many, at most one of each of its bodies. */
static bool make_nets(lode__group *group, lode__gathering *g, lode__solver *solver,
                      const lode__step *step)
{
    group->nets = LODE__TAKE(step->arena, lode__net, group->line_end - group->line_begin);
    if (!group->nets)
        return false;
    count_swept(g, solver->state, group, step->settings);
    for (uint32_t line = group->line_begin; line < group->line_end; ++line)
        if (g->first[line] != NONE && lode__gathered_is_worth_it(g, line) &&
            !make_net(group, g, line, solver, step))
            return false;
    lay_all(group, g, solver->state);
    for (uint32_t i = 0; i < group->net_count; ++i)
        if (!take_system(&group->nets[i], solver->state, step->arena))
            return false;
    mark_chunks(solver->state, group, step->settings);
    return true;
}

/* Of all lines, where contacts and nets are to meet. */
static bool take_ways(lode__solve_state *state, lode__arena *arena)
{
    const lode__dense *lines = &state->lines;
    const size_t below = lines->kinematic_count + lines->shadow_count;
    bool touched = false;
    for (uint32_t i = 0; i < state->group_count; ++i)
        touched = touched || state->groups[i].netted >= LODE__NETTED_TOUCHED;
    state->ways = NULL;
    if (!touched)
        return true;
    lode__velocity *all = LODE__TAKE_ZEROED(arena, lode__velocity, below + lines->count);
    if (!all)
        return false;
    state->ways = all + below;
    return true;
}

static bool any_netted(const lode__solve_state *state)
{
    for (uint32_t i = 0; i < state->group_count; ++i)
        if (state->groups[i].netted)
            return true;
    return false;
}

bool lode__nets_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__gathering g = {0};
    if (!lode__nets_are_wanted(step->settings) || state->constraints[LODE__JOINTS].count == 0)
        return true;
    if (!take_ways(state, step->arena))
        return false;
    if (!any_netted(state))
        return true;
    if (!lode__gathering_take(&g, solver, step->arena))
        return false;
    for (uint32_t i = 0; i < state->group_count; ++i) {
        lode__group *group = &state->groups[i];
        if (!group->netted)
            continue;
        lode__gather(&g, solver, step, group);
        if (!make_nets(group, &g, solver, step))
            return false;
    }
    lode__spinners_keep_stiff(state);
    return true;
}
