/* nets_gather.c: which joints make a net (solver/nets.h). Joints hang together by the bodies that
 * they push; contacts, and what nobody can push, hold nothing together here. A net's joints are in
 * the order of their slots, so that neither the cut between threads nor anything else of the step
 * shows in its bits.
 *
 * Which nets are worth it: those with a joint that is never to stretch, and those in which a heavy
 * body hangs on a light one.
 *
 * A net with so many loops that a factor of it would fill up is thinned: of its joints a forest
 * stays, breadth first from what cannot be pushed, so that loads go their shortest way to where
 * they are held without a sweep. The joints left over close loops. They are swept, in turn with the
 * trees, which converges as Gauss-Seidel does on what is left to them: little, where a hanging net
 * bears its weight. */
#include "solver/nets_gather.h"

#include "core/union_find.h"
#include "solver/softness.h"

/* Bodies whose masses are so many times apart hang on each other heavily. */
#define UNEQUAL ((lode_real)20)

#define NONE LODE__GATHER_NONE

bool lode__gathering_take(lode__gathering *g, const lode__solver *solver, lode__arena *arena)
{
    const lode__solve_state *state = solver->state;
    uint32_t lines = state->lines.count, joints = state->constraints[LODE__JOINTS].count;
    g->joints = LODE__TAKE(arena, lode__candidate, joints);
    g->parent = LODE__TAKE(arena, uint32_t, lines);
    g->first = LODE__TAKE(arena, uint32_t, lines);
    g->last = LODE__TAKE(arena, uint32_t, lines);
    g->least = LODE__TAKE(arena, lode_real, lines);
    g->most = LODE__TAKE(arena, lode_real, lines);
    g->always = LODE__TAKE(arena, bool, lines);
    g->number = LODE__TAKE_ZEROED(arena, uint32_t, lines);
    g->held = LODE__TAKE(arena, uint32_t, lines);
    g->queue = LODE__TAKE(arena, uint32_t, lines);
    g->swept = LODE__TAKE(arena, uint32_t, lines);
    g->correcting = LODE__TAKE(arena, uint32_t, lines);
    g->slots = LODE__TAKE(arena, uint32_t, joints);
    g->room = LODE__TAKE_ZEROED(arena, lode__stiffness, lines);
    g->place = (uint32_t(*)[2])lode__arena_take(arena, solver->joints->end * sizeof *g->place);
    return g->joints && g->parent && g->first && g->last && g->least && g->most && g->always &&
           g->number && g->held && g->queue && g->swept && g->correcting && g->slots && g->room &&
           g->place;
}

/* None of a joint over many bodies. */
static uint32_t own_rows(const lode__joint *joint)
{
    return joint_is_linkage(joint) ? 0 : (uint32_t)lode__joint_types[joint->type].rows;
}

bool lode__nets_are_wanted(const lode_world_def *settings)
{
    return settings->solver != LODE_SOLVER_PER_JOINT;
}

lode_stiff lode__net_choice(const lode_world_def *settings, const lode__joint *joint)
{
    lode_stiff own = joint_stiff(joint);
    return own == LODE_STIFF_AS_WORLD ? settings->stiff_joints : own;
}

bool lode__net_may_have(const lode__step *step, const lode__joint *joint)
{
    return lode__net_choice(step->settings, joint) != LODE_STIFF_NEVER && own_rows(joint) > 0 &&
           !(softness_of_joint(step, joint).cfm > 0);
}

bool lode__net_is_worth_it(bool always, lode_real least, lode_real most)
{
    return always || most > UNEQUAL * least;
}

/* Where the group's joints lie. */
static void find_places(const lode__gathering *g, const lode__solve_state *state,
                        const lode__group *group)
{
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        if (list_of_bucket(chunk->bucket) != LODE__JOINTS)
            continue;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k)
            if (chunk->lanes[k] != LODE__NONE) {
                g->place[chunk->lanes[k]][0] = c;
                g->place[chunk->lanes[k]][1] = k;
            }
    }
}

static void list_candidates(lode__gathering *g, const lode__solver *solver, const lode__step *step,
                            const lode__group *group)
{
    const lode__constraint_list *list = &solver->state->constraints[LODE__JOINTS];
    g->count = 0;
    for (uint32_t i = group->begin[LODE__JOINTS]; i < group->end[LODE__JOINTS]; ++i) {
        const lode__constraint *c = &list->all[list->order[i]];
        const lode__joint *joint = joint_at(solver->joints, c->source);
        if (!lode__net_may_have(step, joint))
            continue;
        uint32_t rows = own_rows(joint);
        g->joints[g->count++] = (lode__candidate){
            .joint = {.chunk = g->place[c->source][0],
                      .lane = g->place[c->source][1],
                      .line = {line_of_body(solver->bodies, joint->body_a),
                               line_of_body(solver->bodies, joint->body_b)}},
            .slot = c->source,
            .rows = rows,
            .extras = c->rows - rows,
            .next = NONE,
            .anchors = lode__holds_anchors(joint),
            .always = lode__net_choice(step->settings, joint) == LODE_STIFF_ALWAYS,
        };
    }
}

static void begin_line(const lode__gathering *g, const lode__dense *lines, uint32_t line)
{
    g->parent[line] = line;
    g->first[line] = NONE;
    g->always[line] = false;
    g->least[line] = g->most[line] = lines->inv_mass[line].inv_mass;
}

/* Gives a joint to the net of its bodies, behind those that are there. */
static void give(const lode__gathering *g, const lode__dense *lines, uint32_t i)
{
    lode__candidate *c = &g->joints[i];
    for (int end = 0; end < 2; ++end) {
        uint32_t line = lode__gathered_line(c, end);
        if (!line)
            continue;
        lode_real inv_mass = lines->inv_mass[line].inv_mass;
        c->root = lode__union_root(g->parent, line);
        g->least[c->root] = r_min(g->least[c->root], inv_mass);
        g->most[c->root] = r_max(g->most[c->root], inv_mass);
    }
    c->next = NONE;
    g->always[c->root] = g->always[c->root] || c->always;
    if (g->first[c->root] == NONE)
        g->first[c->root] = i;
    else
        g->joints[g->last[c->root]].next = i;
    g->last[c->root] = i;
}

void lode__gather(lode__gathering *g, const lode__solver *solver, const lode__step *step,
                  const lode__group *group)
{
    const lode__dense *lines = &solver->state->lines;
    find_places(g, solver->state, group);
    list_candidates(g, solver, step, group);
    for (uint32_t line = group->line_begin; line < group->line_end; ++line)
        begin_line(g, lines, line);
    for (uint32_t i = 0; i < g->count; ++i) {
        uint32_t a = lode__gathered_line(&g->joints[i], 0);
        uint32_t b = lode__gathered_line(&g->joints[i], 1);
        if (a && b)
            lode__union_join(g->parent, a, b);
    }
    for (uint32_t i = 0; i < g->count; ++i)
        give(g, lines, i);
}

bool lode__gathered_is_unequal(const lode__gathering *g, uint32_t root)
{
    return lode__net_is_worth_it(false, g->least[root], g->most[root]);
}

bool lode__gathered_is_worth_it(const lode__gathering *g, uint32_t root)
{
    return lode__net_is_worth_it(g->always[root], g->least[root], g->most[root]);
}

/* --- thinning */

/* Lists the joints of each body of a net, and those of its bodies that are held by what cannot be
 * pushed in the queue, by their first such joint; returns how many. */
static uint32_t begin_search(const lode__gathering *g, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = first; i != NONE; i = g->joints[i].next)
        for (int end = 0; end < 2; ++end) {
            uint32_t line = lode__gathered_line(&g->joints[i], end);
            g->held[line] = NONE;
            g->number[line] = 0;
        }
    for (uint32_t i = first; i != NONE; i = g->joints[i].next) {
        lode__candidate *c = &g->joints[i];
        uint32_t a = lode__gathered_line(c, 0), b = lode__gathered_line(c, 1);
        for (int end = 0; end < 2; ++end) {
            c->beside[end] = g->held[end ? b : a];
            g->held[end ? b : a] = i;
        }
        c->left = (a && b) || g->number[a | b];
        if (c->left)
            continue;
        g->number[a | b] = 1;
        g->queue[count++] = a | b;
    }
    return count;
}

/* Reaches the bodies beside one that have not been reached; returns how many lines there are. */
static uint32_t reach_from(const lode__gathering *g, uint32_t line, uint32_t count)
{
    for (uint32_t i = g->held[line]; i != NONE;) {
        lode__candidate *c = &g->joints[i];
        int end = lode__gathered_line(c, 0) != line;
        uint32_t other = lode__gathered_line(c, !end);
        if (other && !g->number[other]) {
            c->left = false;
            g->number[other] = 1;
            g->queue[count++] = other;
        }
        i = c->beside[end];
    }
    return count;
}

void lode__gathering_thin(lode__gathering *g, uint32_t root, const lode__dense *lines)
{
    uint32_t first = g->first[root], count = begin_search(g, first);
    if (count == 0) {
        g->number[root] = 1;
        g->queue[count++] = root;
    }
    for (uint32_t i = 0; i < count; ++i)
        count = reach_from(g, g->queue[i], count);
    for (uint32_t i = 0; i < count; ++i) {
        begin_line(g, lines, g->queue[i]);
        g->number[g->queue[i]] = 0;
    }
    for (uint32_t i = first; i != NONE; i = g->joints[i].next) {
        uint32_t a = lode__gathered_line(&g->joints[i], 0);
        uint32_t b = lode__gathered_line(&g->joints[i], 1);
        if (a && b && !g->joints[i].left)
            lode__union_join(g->parent, a, b);
    }
    for (uint32_t i = first, next; i != NONE; i = next) {
        next = g->joints[i].next;
        if (!g->joints[i].left)
            give(g, lines, i);
    }
}
