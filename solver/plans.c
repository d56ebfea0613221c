/* plans.c: see plans.h. Plans lie in an arena of their own, which is given back as a whole when
 * most of it has not been asked for in the last step. They are found by a hash and told apart by
 * all of what they follow from. */
#include "solver/plans.h"

#include "solver/welds.h"

#include <string.h>

enum { ROOM = 128 * 1024 }; /* bytes that are kept whatever they are for */

void lode__plans_free(lode__plans *plans)
{
    lode__arena_free(&plans->arena);
    memset(plans->chains, 0, sizeof plans->chains);
}

size_t lode__plans_bytes(const lode__plans *plans)
{
    return lode__arena_bytes(&plans->arena);
}

void lode__plans_begin(lode__plans *plans)
{
    if (lode__arena_taken(&plans->arena) > ROOM + 2 * plans->used) {
        memset(plans->chains, 0, sizeof plans->chains);
        lode__arena_reset(&plans->arena);
    }
    plans->used = 0;
    ++plans->step;
}

/* --- what a plan follows from */

/* A word of each constraint, and one of each of its ends: which of the island's bodies it pushes,
 * from 1 on. Returns how many words there are. */
static uint32_t write_key(const lode__rows *rows, const lode__row_island *it, uint32_t *key)
{
    uint32_t at = 0;
    key[at++] = it->line_end - it->line_begin;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const lode__part *p = &rows->parts[e];
        key[at++] = (uint32_t)p->ends << 16 | (uint32_t)p->points << 9 | (uint32_t)p->bond << 8 |
                    p->rows;
        for (int end = 0; end < p->ends; ++end) {
            uint32_t line = lode__part_pushes(p, end);
            key[at++] = line ? line - it->line_begin + 1 : 0;
        }
    }
    return at;
}

static uint32_t hash_of(const uint32_t *key, uint32_t length)
{
    uint32_t hash = length;
    for (uint32_t i = 0; i < length; ++i) {
        hash = (hash ^ key[i]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static lode__island_plan *find(lode__island_plan *chain, const uint32_t *key, uint32_t length,
                               uint32_t hash)
{
    while (chain && (chain->hash != hash || chain->length != length ||
                     memcmp(chain->key, key, length * sizeof *key) != 0))
        chain = chain->next;
    return chain;
}

/* --- planning */

static uint32_t count_ends(const lode__rows *rows, const lode__row_island *it)
{
    uint32_t ends = 0;
    for (uint32_t e = it->begin; e < it->end; ++e)
        ends += rows->parts[e].ends;
    return ends;
}

/* What planning works with, of one island. */
typedef struct plan_work {
    uint32_t *rows, *start, *element, *seen;
    lode__bond_joint *joints;
    lode__lcp_planner planner;
} plan_work;

static bool take_work(plan_work *work, const lode__row_island *it, uint32_t ends,
                      lode__arena *scratch)
{
    uint32_t nodes = it->end - it->begin, lines = it->line_end - it->line_begin;
    work->rows = LODE__TAKE(scratch, uint32_t, nodes);
    work->start = LODE__TAKE(scratch, uint32_t, nodes + 1);
    work->element = LODE__TAKE(scratch, uint32_t, ends);
    work->seen = LODE__TAKE(scratch, uint32_t, lines);
    work->joints = LODE__TAKE(scratch, lode__bond_joint, nodes);
    return work->rows && work->start && work->element && work->seen && work->joints &&
           lode__lcp_planner_take(&work->planner, scratch, nodes, lines, ends, it->rows);
}

/* Constraints are nodes, the bodies that they push elements. */
static lode__lcp_pattern pattern_of(const plan_work *work, const lode__rows *rows,
                                    const lode__row_island *it)
{
    uint32_t at = 0, lines = it->line_end - it->line_begin;
    for (uint32_t line = 0; line < lines; ++line)
        work->seen[line] = LODE__ROW_NONE;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const lode__part *p = &rows->parts[e];
        work->rows[e - it->begin] = p->rows;
        work->start[e - it->begin] = at;
        for (int end = 0; end < p->ends; ++end) {
            uint32_t line = lode__part_pushes(p, end);
            if (!line || work->seen[line - it->line_begin] == e)
                continue;
            work->seen[line - it->line_begin] = e;
            work->element[at++] = line - it->line_begin;
        }
    }
    work->start[it->end - it->begin] = at;
    return (lode__lcp_pattern){it->end - it->begin, lines, work->rows, work->start, work->element};
}

/* Lists the joints of an island that has nothing else but contacts that may be welds. */
static bool list_joints(const plan_work *work, const lode__rows *rows, const lode__row_island *it)
{
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const lode__part *p = &rows->parts[e];
        lode__bond_joint *joint = &work->joints[e - it->begin];
        if (!p->bond)
            return false;
        joint->rows = p->points > 0 ? lode__weld_rows(p->points) : p->rows;
        for (int end = 0; end < 2; ++end) {
            uint32_t line = lode__part_pushes(p, end);
            joint->body[end] = line ? line - it->line_begin + 1 : 0;
        }
    }
    return true;
}

/* Plans joints in an order that follows from which bodies they push. */
static bool plan_bonds(lode__bond_plan *out, plan_work *work, const lode__bond_joint *joints,
                       const lode__lcp_pattern *pattern, lode__arena *arena, lode__arena *scratch)
{
    work->planner.order.in_turn = true;
    lode__lcp_order_run(&work->planner.order, pattern);
    return lode__bonds_plan(out, joints, work->planner.order.out, pattern->node_count,
                            pattern->element_count, arena, scratch);
}

static bool make(lode__island_plan *plan, const lode__rows *rows, const lode__row_island *it,
                 lode__arena *arena, lode__arena *scratch)
{
    plan_work work;
    if (!take_work(&work, it, count_ends(rows, it), scratch))
        return false;
    lode__lcp_pattern pattern = pattern_of(&work, rows, it);
    if (!lode__lcp_plan_make(&plan->lcp, &work.planner, &pattern, arena))
        return false;
    if (!list_joints(&work, rows, it))
        return true;
    return plan_bonds(&plan->bonds, &work, work.joints, &pattern, arena, scratch);
}

/* A plan of this key, to be made; null when there is no memory. */
static lode__island_plan *begin_plan(lode__plans *plans, const uint32_t *key, uint32_t length,
                                     uint32_t hash)
{
    size_t before = lode__arena_taken(&plans->arena);
    lode__island_plan *plan = LODE__TAKE_ZEROED(&plans->arena, lode__island_plan, 1);
    uint32_t *own_key = LODE__TAKE(&plans->arena, uint32_t, length);
    if (!plan || !own_key)
        return NULL;
    memcpy(own_key, key, length * sizeof *key);
    plan->key = own_key;
    plan->length = length;
    plan->hash = hash;
    plan->bytes = before;
    return plan;
}

/* Keeps one that was made. */
static lode__island_plan *keep_plan(lode__plans *plans, lode__island_plan *plan)
{
    plan->bytes = lode__arena_taken(&plans->arena) - plan->bytes;
    plan->next = plans->chains[plan->hash % LODE__PLAN_CHAINS];
    plans->chains[plan->hash % LODE__PLAN_CHAINS] = plan;
    return plan;
}

static lode__island_plan *add(lode__plans *plans, const uint32_t *key, uint32_t length,
                              uint32_t hash, const lode__rows *rows, const lode__row_island *it,
                              lode__arena *scratch)
{
    lode__island_plan *plan = begin_plan(plans, key, length, hash);
    if (!plan || !make(plan, rows, it, &plans->arena, scratch))
        return NULL;
    return keep_plan(plans, plan);
}

/* Somebody needs it in this step. */
static void use_plan(lode__plans *plans, lode__island_plan *plan)
{
    if (!plan || plan->step == plans->step)
        return;
    plan->step = plans->step;
    plans->used += plan->bytes;
}

const lode__island_plan *lode__plans_of(lode__plans *plans, const lode__rows *rows,
                                        const lode__row_island *it, lode__arena *scratch)
{
    lode__arena_mark mark = lode__arena_mark_now(scratch);
    uint32_t words = 1 + it->end - it->begin + count_ends(rows, it);
    uint32_t *key = LODE__TAKE(scratch, uint32_t, words);
    if (!key)
        return NULL;
    uint32_t length = write_key(rows, it, key), hash = hash_of(key, length);
    lode__island_plan *plan = find(plans->chains[hash % LODE__PLAN_CHAINS], key, length, hash);
    if (!plan)
        plan = add(plans, key, length, hash, rows, it, scratch);
    lode__arena_rollback(scratch, mark);
    use_plan(plans, plan);
    return plan;
}

/* --- of joints alone */

enum { OF_JOINTS = 0xffffffff, JOINT_WORDS = 3 }; /* no island has as many bodies */

static uint32_t write_joints_key(const lode__bond_joint *joints, uint32_t count, uint32_t bodies,
                                 uint32_t *key)
{
    uint32_t at = 0;
    key[at++] = OF_JOINTS;
    key[at++] = bodies;
    for (uint32_t i = 0; i < count; ++i) {
        key[at++] = joints[i].rows;
        key[at++] = joints[i].body[0];
        key[at++] = joints[i].body[1];
    }
    return at;
}

static lode__lcp_pattern pattern_of_joints(const plan_work *work, const lode__bond_joint *joints,
                                           uint32_t count, uint32_t bodies)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        work->rows[i] = joints[i].rows;
        work->start[i] = at;
        for (int end = 0; end < 2; ++end)
            if (joints[i].body[end] && (end == 0 || joints[i].body[0] != joints[i].body[1]))
                work->element[at++] = joints[i].body[end] - 1;
    }
    work->start[count] = at;
    return (lode__lcp_pattern){count, bodies, work->rows, work->start, work->element};
}

static lode__island_plan *add_joints(lode__plans *plans, const uint32_t *key, uint32_t length,
                                     uint32_t hash, const lode__bond_joint *joints, uint32_t count,
                                     uint32_t bodies, lode__arena *scratch)
{
    plan_work work;
    lode__row_island it = {.end = count, .line_end = bodies};
    lode__island_plan *plan = begin_plan(plans, key, length, hash);
    for (uint32_t i = 0; i < count; ++i)
        it.rows += joints[i].rows;
    if (!plan || !take_work(&work, &it, 2 * count, scratch))
        return NULL;
    lode__lcp_pattern pattern = pattern_of_joints(&work, joints, count, bodies);
    if (!plan_bonds(&plan->bonds, &work, joints, &pattern, &plans->arena, scratch))
        return NULL;
    return keep_plan(plans, plan);
}

const lode__bond_plan *lode__plans_of_joints(lode__plans *plans, const lode__bond_joint *joints,
                                             uint32_t joint_count, uint32_t body_count,
                                             lode__arena *scratch)
{
    lode__arena_mark mark = lode__arena_mark_now(scratch);
    uint32_t *key = LODE__TAKE(scratch, uint32_t, 2 + JOINT_WORDS * (size_t)joint_count);
    if (!key)
        return NULL;
    uint32_t length = write_joints_key(joints, joint_count, body_count, key);
    uint32_t hash = hash_of(key, length);
    lode__island_plan *plan = find(plans->chains[hash % LODE__PLAN_CHAINS], key, length, hash);
    if (!plan)
        plan = add_joints(plans, key, length, hash, joints, joint_count, body_count, scratch);
    lode__arena_rollback(scratch, mark);
    use_plan(plans, plan);
    return plan ? &plan->bonds : NULL;
}
