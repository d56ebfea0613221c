/* constraints.c: the step's constraints as two short lists, joints and contacts. A record holds what
 * islands and colouring ask, sixteen bytes in place of a manifold's two hundred; both go over their
 * lists many times, so this is read from the cache. Constraints of which nothing moves are left
 * out. */
#include "solver/state.h"

static void add(lode__constraint_list *list, lode__constraint constraint)
{
    if (constraint.a || constraint.b)
        list->all[list->count++] = constraint;
}

static void list_joints(const lode__solver *solver, lode__constraint_list *list)
{
    const lode__pool *joints = solver->joints;
    for (uint32_t slot = lode__bits_next(&joints->alive, 0); slot < joints->end;
         slot = lode__bits_next(&joints->alive, slot + 1)) {
        const lode__joint *joint = joint_at(joints, slot);
        add(list, (lode__constraint){
                      .a = (uint32_t)line_of_body(solver->bodies, joint->body_a),
                      .b = (uint32_t)line_of_body(solver->bodies, joint->body_b),
                      .source = slot,
                      .bucket = (uint8_t)(LODE__BUCKET_JOINT + joint->type),
                      .rows = (uint8_t)lode__joint_types[joint->type].rows,
                  });
    }
}

static void list_contacts(const lode__solver *solver, lode__constraint_list *list)
{
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const lode__manifold *m = solver->contacts[i];
        uint32_t a = (uint32_t)line_of_body(solver->bodies, m->body_a);
        uint32_t b = (uint32_t)line_of_body(solver->bodies, m->body_b);
        add(list, (lode__constraint){
                      .a = a,
                      .b = b,
                      .source = i,
                      .bucket = (uint8_t)contact_bucket(m, a && b),
                      .rows = (uint8_t)(3 * m->point_count),
                  });
    }
}

static bool take(lode__constraint_list *list, lode__arena *arena, uint32_t count)
{
    list->all = LODE__TAKE(arena, lode__constraint, count);
    list->order = LODE__TAKE(arena, uint32_t, count);
    return list->all && list->order;
}

bool lode__constraints_list(lode__solver *solver, lode__arena *arena)
{
    lode__constraint_list *lists = solver->state->constraints;
    if (!take(&lists[LODE__JOINTS], arena, solver->joints->count) ||
        !take(&lists[LODE__CONTACTS], arena, solver->contact_count))
        return false;
    list_joints(solver, &lists[LODE__JOINTS]);
    list_contacts(solver, &lists[LODE__CONTACTS]);
    return true;
}
