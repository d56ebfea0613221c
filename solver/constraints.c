/* constraints.c: the step's constraints as two short lists, joints and contacts. A record holds
 * what islands and colouring ask, sixteen bytes in place of a manifold's two hundred; both go over
 * their lists many times, so this is read from the cache. Constraints of which nothing can be
 * pushed are left out.
 *
 * A kinematic body joins no island and takes no colour: as an end of a constraint it is 0, like a
 * static body. Its velocity counts all the same, so its contacts get the blocks of two bodies. */
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

/* All of contacts, and those of joints that there are: of the many that there may be few occur. */
static void list_buckets(lode__solve_state *state, const bool *seen)
{
    for (int bucket = 0; bucket < LODE__BUCKET_COUNT; ++bucket)
        if (bucket < LODE__BUCKET_JOINT || seen[bucket - LODE__BUCKET_JOINT])
            state->buckets[state->bucket_count++] = (uint8_t)bucket;
}

static void list_joints(const lode__solver *solver, lode__constraint_list *list)
{
    const lode__pool *joints = solver->joints;
    bool seen[LODE__JOINT_BUCKETS] = {false};
    for (uint32_t slot = lode__bits_next(solver->active_joints, 0); slot < joints->end;
         slot = lode__bits_next(solver->active_joints, slot + 1)) {
        const lode__joint *joint = joint_at(joints, slot);
        int bucket = lode__joint_bucket(joint);
        seen[bucket] = true;
        add(list, (lode__constraint){
                      .a = node_of(line_of_body(solver->bodies, joint->body_a)),
                      .b = node_of(line_of_body(solver->bodies, joint->body_b)),
                      .source = slot,
                      .bucket = (uint8_t)(LODE__BUCKET_JOINT + bucket),
                      .rows = (uint8_t)joint->rows,
                  });
    }
    list_buckets(solver->state, seen);
}

/* Rows of a manifold: normals, and two of friction for each point, or three for all. */
static int contact_rows(const lode__manifold *m, const lode_world_def *settings)
{
    bool whole = friction_is_whole(settings) && m->point_count > 1;
    return whole ? m->point_count + 3 : 3 * m->point_count;
}

typedef struct list_run {
    const lode__solver *solver;
    const lode_world_def *settings;
    lode__constraint_list *list;
    bool *vain; /* by block: it has a contact of which nothing can be pushed */
} list_run;

/* Every contact has a record first. */
static void list_block(void *context, uint32_t begin, uint32_t end)
{
    const list_run *run = context;
    bool vain = false;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__manifold *m = run->solver->contacts[i];
        int32_t a = line_of_body(run->solver->bodies, m->body_a);
        int32_t b = line_of_body(run->solver->bodies, m->body_b);
        vain = vain || (a <= 0 && b <= 0);
        run->list->all[i] = (lode__constraint){
            .a = node_of(a),
            .b = node_of(b),
            .source = i,
            .bucket = (uint8_t)contact_bucket(m, a && b),
            .rows = (uint8_t)contact_rows(m, run->settings),
        };
    }
    run->vain[begin / LODE__CONSTRAINT_GRAIN] = vain;
}

static void list_contacts(const list_run *run, lode__tasks *tasks)
{
    uint32_t count = run->solver->contact_count;
    lode__constraint_list *list = run->list;
    lode__tasks_run(tasks, count, LODE__CONSTRAINT_GRAIN, list_block, (void *)run);
    for (uint32_t begin = 0; begin < count; begin += LODE__CONSTRAINT_GRAIN) {
        uint32_t left = count - begin;
        uint32_t size = left < LODE__CONSTRAINT_GRAIN ? left : LODE__CONSTRAINT_GRAIN;
        if (list->count == begin && !run->vain[begin / LODE__CONSTRAINT_GRAIN]) {
            list->count += size;
            continue;
        }
        for (uint32_t i = begin; i < begin + size; ++i)
            add(list, list->all[i]);
    }
}

static bool take(lode__constraint_list *list, lode__arena *arena, uint32_t count)
{
    list->all = LODE__TAKE(arena, lode__constraint, count);
    list->order = LODE__TAKE(arena, uint32_t, count);
    return list->all && list->order;
}

bool lode__constraints_list(lode__solver *solver, const lode__step *step)
{
    lode__arena *arena = step->arena;
    lode__constraint_list *lists = solver->state->constraints;
    if (!take(&lists[LODE__JOINTS], arena, lode__bits_count(solver->active_joints)) ||
        !take(&lists[LODE__CONTACTS], arena, solver->contact_count))
        return false;
    list_run run = {solver, step->settings, &lists[LODE__CONTACTS],
                    LODE__TAKE(arena, bool, solver->contact_count / LODE__CONSTRAINT_GRAIN + 1)};
    if (!run.vain)
        return false;
    list_joints(solver, &lists[LODE__JOINTS]);
    list_contacts(&run, step->tasks);
    return true;
}
