/* constraints.c: the step's constraints as short lists: joints, linkages and contacts. A record
 * holds what islands and colouring ask, sixteen bytes in place of a manifold's two hundred; both go
 * over their lists many times, so this is read from the cache. Constraints of which nothing can be
 * pushed are left out.
 *
 * While contacts are listed, on all threads, one of them finds what hangs together.
 *
 * A kinematic body joins no island and takes no colour: as an end of a constraint it is 0, like a
 * static body. Its velocity counts all the same, so its contacts get the blocks of two bodies. A
 * body that a contact does not push is the same to that contact, by a line beside its own, its
 * shadow. */
#include "core/union_find.h"
#include "core/fetch.h"
#include "solver/linkage.h"
#include "solver/softness.h"
#include "solver/state.h"

static void add(lode__constraint_list *list, lode__constraint constraint)
{
    if (constraint.a || constraint.b)
        list->all[list->count++] = constraint;
}

/* What graphs see of a dense line. */
static uint32_t node_of(int32_t line)
{
    return line > 0 ? (uint32_t)line : 0;
}

/* Those that constraints may be of: all of plain contacts, and of the many others those that
 * occur. */
static void list_buckets(lode__solve_state *state, lode__bucket_set *seen)
{
    for (int bucket = 0; bucket < LODE__KIND_SPECIAL; ++bucket)
        bucket_see(seen, bucket);
    for (int word = 0; word < LODE__BUCKET_WORDS; ++word)
        for (uint64_t left = seen->words[word]; left; left &= left - 1)
            state->buckets[state->bucket_count++] = (uint8_t)(64 * word + __builtin_ctzll(left));
}

static void list_joints(const lode__solver *solver, lode__constraint_list *list,
                        lode__bucket_set *seen)
{
    const lode__pool *joints = solver->joints;
    for (uint32_t slot = lode__bits_next(solver->active_joints, 0); slot < joints->end;
         slot = lode__bits_next(solver->active_joints, slot + 1)) {
        const lode__joint *joint = joint_at(joints, slot);
        if (joint_is_linkage(joint))
            continue;
        int bucket = LODE__BUCKET_JOINT + lode__joint_bucket(joint);
        bucket_see(seen, bucket);
        add(list, (lode__constraint){
                      .a = node_of(line_of_body(solver->bodies, joint->body_a)),
                      .b = node_of(line_of_body(solver->bodies, joint->body_b)),
                      .source = slot,
                      .bucket = (uint8_t)bucket,
                      .rows = (uint8_t)joint->rows,
                  });
    }
}

/* Rows of a manifold: normals; friction for each point, or for all with one against twisting; and
 * those against rolling. What has no coefficient has no row. */
static int contact_rows(const lode__solver *solver, const lode__manifold *m,
                        const lode_world_def *settings)
{
    bool whole = friction_is_whole(settings) && m->point_count > 1;
    int friction = (m->friction[0] > 0) + (m->friction[1] > 0);
    int rows = m->point_count * (whole ? 1 : 1 + friction);
    if (whole && friction > 0)
        rows += friction + 1;
    for (int k = 0; m->special && k < 3; ++k)
        rows += special_of(solver->manifolds, m)->rolling[k] > 0;
    return rows;
}

/* A contact of which nothing can be pushed; one that is special; one that bounces; one that does
 * not push a body. */
enum { VAIN = 1, SPECIAL = 2, BOUNCES = 4, ONE_WAY = 8 };

enum { AHEAD = 8 }; /* contacts that are fetched ahead */

typedef struct list_run {
    const lode__solver *solver;
    const lode_world_def *settings;
    lode__constraint_list *list;
    uint8_t *has;     /* by block */
    uint32_t *parent; /* by place */
} list_run;

/* What is asked of a manifold lies in two lines of the cache. */
LODE__FETCHER void fetch_contact(const lode__manifold *m)
{
    __builtin_prefetch(m);
    __builtin_prefetch(&m->point_count);
}

/* Makes one island of the ends of each. */
static void join_ends(const lode__constraint *all, uint32_t count, uint32_t *parent)
{
    for (const lode__constraint *c = all; c < all + count; ++c)
        if (c->a && c->b)
            lode__union_join(parent, c->a - 1, c->b - 1);
}

/* Every contact has a record first. */
static void list_block(void *context, uint32_t begin, uint32_t end)
{
    const list_run *run = context;
    unsigned has = 0;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__manifold *m = run->solver->contacts[i];
        if (i + AHEAD < end)
            fetch_contact(run->solver->contacts[i + AHEAD]);
        int32_t a = line_of_side(run->solver, m, 0);
        int32_t b = line_of_side(run->solver, m, 1);
        has |= (a <= 0 && b <= 0 ? VAIN : 0u) | (m->special ? SPECIAL : 0u) |
               (m->restitution > 0 ? BOUNCES : 0u) |
               (immovable_of(run->solver->manifolds, m) ? ONE_WAY : 0u);
        run->list->all[i] = (lode__constraint){
            .a = node_of(a),
            .b = node_of(b),
            .source = i,
            .bucket = (uint8_t)contact_bucket(m, a && b),
            .rows = (uint8_t)contact_rows(run->solver, m, run->settings),
        };
    }
    run->has[begin / LODE__CONSTRAINT_GRAIN] = (uint8_t)has;
}

static void join_block(void *context, uint32_t begin, uint32_t end)
{
    const list_run *run = context;
    const char *bytes = (const char *)(run->list->all + begin);
    for (size_t at = 0; at < (end - begin) * sizeof(lode__constraint); at += 64)
        __builtin_prefetch(bytes + at); /* another core has written them */
    join_ends(run->list->all + begin, end - begin, run->parent);
}

/* Gives a shadow to the bodies that listed contacts do not push. */
static bool list_shadows(const list_run *run, lode__arena *arena)
{
    const lode__solver *solver = run->solver;
    lode__solve_state *state = solver->state;
    int32_t *shadow = LODE__TAKE_ZEROED(arena, int32_t, solver->bodies->end);
    state->shadow_slot = LODE__TAKE(arena, uint32_t, run->list->count);
    if (!shadow || !state->shadow_slot)
        return false;
    for (uint32_t i = 0; i < run->list->count; ++i) {
        const lode__manifold *m = solver->contacts[run->list->all[i].source];
        int immovable = immovable_of(solver->manifolds, m);
        uint32_t slot = immovable == LODE_IMMOVABLE_SECOND ? m->body_b : m->body_a;
        if (!immovable || line_of_body(solver->bodies, slot) <= 0 || shadow[slot])
            continue;
        state->shadow_slot[state->lines.shadow_count++] = slot;
        shadow[slot] = -(int32_t)(state->lines.kinematic_count + state->lines.shadow_count);
    }
    state->shadow = shadow;
    return true;
}

static bool list_contacts(const list_run *run, const lode__step *step, uint8_t *done,
                          lode__bucket_set *seen)
{
    uint32_t count = run->solver->contact_count;
    unsigned any = 0;
    lode__constraint_list *list = run->list;
    lode__tasks_run_followed(step->tasks, count, LODE__CONSTRAINT_GRAIN, list_block, join_block,
                             (void *)run, done);
    for (uint32_t begin = 0; begin < count; begin += LODE__CONSTRAINT_GRAIN) {
        uint32_t left = count - begin;
        uint32_t size = left < LODE__CONSTRAINT_GRAIN ? left : LODE__CONSTRAINT_GRAIN;
        unsigned has = run->has[begin / LODE__CONSTRAINT_GRAIN];
        run->solver->state->bounces |= (has & BOUNCES) != 0;
        any |= has;
        for (int points = 0; (has & SPECIAL) && points < LODE__MANIFOLD_POINTS; ++points)
            bucket_see(seen, LODE__KIND_SPECIAL + points);
        if (list->count == begin && !(has & VAIN)) {
            list->count += size;
            continue;
        }
        for (uint32_t i = begin; i < begin + size; ++i)
            add(list, list->all[i]);
    }
    return !(any & ONE_WAY) || list_shadows(run, step->arena);
}

static bool take(lode__constraint_list *list, lode__arena *arena, uint32_t count)
{
    list->all = LODE__TAKE(arena, lode__constraint, count);
    list->order = LODE__TAKE(arena, uint32_t, count);
    list->colour = LODE__TAKE(arena, uint8_t, count);
    return list->all && list->order && list->colour;
}

bool lode__constraints_list(lode__solver *solver, const lode__step *step, uint32_t *parent)
{
    lode__arena *arena = step->arena;
    uint32_t blocks = solver->contact_count / LODE__CONSTRAINT_GRAIN + 1;
    lode__constraint_list *lists = solver->state->constraints;
    if (!take(&lists[LODE__JOINTS], arena, lode__bits_count(solver->active_joints)) ||
        !take(&lists[LODE__CONTACTS], arena, solver->contact_count))
        return false;
    list_run run = {solver, step->settings, &lists[LODE__CONTACTS],
                    LODE__TAKE(arena, uint8_t, blocks), parent};
    uint8_t *done = LODE__TAKE_ZEROED(arena, uint8_t, blocks);
    lode__bucket_set seen = {{0}};
    if (!run.has || !done || !list_contacts(&run, step, done, &seen))
        return false;
    solver->one_way = solver->state->shadow != NULL;
    list_joints(solver, &lists[LODE__JOINTS], &seen);
    join_ends(lists[LODE__JOINTS].all, lists[LODE__JOINTS].count, parent);
    if (!lode__linkages_list(solver, step, &seen))
        return false;
    lode__linkages_join(solver->state, parent);
    list_buckets(solver->state, &seen);
    return true;
}
