/* random_tree.c: articulations with random joints, for tests (tests/solver/random_tree.h). */
#include "tests/solver/random_tree.h"

#include "core/math.h"
#include "solver/articulation/coordinates.h"
#include "tests/support/test.h"

#include <string.h>

lode_quat random_tree_turn(test_random *random)
{
    lode_quat q = {
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1)};
    return q_normalize(q);
}

void random_tree_numbers(test_random *random, lode_real *out, int count, double size)
{
    for (int i = 0; i < count; ++i)
        out[i] = (lode_real)random_between(random, -size, size);
}

/* What the joint of link `i` can be turned by. */
static lode_quat random_joint_turn(const lode__mb_plan *plan, uint32_t i, test_random *random)
{
    lode_real v[3] = {0, 0, 0};
    if (i == 0 || plan->angles[i] == 3)
        return random_tree_turn(random);
    for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i] + plan->angles[i]; ++k)
        random_tree_numbers(random, &v[plan->axis[k]], 1, 1.8);
    return lode__turn_by_vector(mb_v3(v));
}

static void random_link(random_tree *o, uint32_t i, test_random *random)
{
    lode__mb_link *l = &o->links[i];
    l->mass[0] = (lode_real)random_between(random, 0.5, 2);
    lode_real moments[6] = {(lode_real)0.1, (lode_real)0.2, (lode_real)0.25, 0, 0, 0};
    s3_rotate(random_tree_turn(random), moments, l->inertia);
    random_tree_numbers(random, l->anchor_p, 3, 1);
    random_tree_numbers(random, l->anchor_c, 3, 1);
    random_tree_numbers(random, l->force, 3, 5);
    random_tree_numbers(random, l->torque, 3, 1);
    mb_put4(l->frame_p, random_tree_turn(random));
    mb_put4(l->frame_c, random_tree_turn(random));
    mb_put4(l->turn, random_joint_turn(o->tree.plan, i, random));
}

void random_tree_make(random_tree *o, uint32_t links, bool fixed_base, uint32_t shape,
                      test_random *random)
{
    lode__mb_joint joints[MOST_LINKS] = {{LODE__MB_NO_PARENT, 0, false}};
    test_random form = {shape};
    memset(o, 0, sizeof *o);
    for (uint32_t i = 1; i < links; ++i)
        joints[i] = (lode__mb_joint){random_below(&form, i), (uint8_t)random_below(&form, 64),
                                     i % 2};
    assert_true(lode__mb_plan_size(joints, links, fixed_base) <= sizeof o->plan);
    o->tree = (lode__multibody){lode__mb_plan_make(o->plan, joints, links, fixed_base), o->links,
                                o->dofs};
    for (uint32_t i = 0; i < links; ++i)
        random_link(o, i, random);
    lode__mb_find_axes(&o->tree);
    for (uint32_t k = 0; k < o->tree.plan->dof_count; ++k) {
        random_tree_numbers(random, o->dofs[k].speed, 1, 1);
        random_tree_numbers(random, o->dofs[k].effort, 1, 2);
        o->dofs[k].more[0] = (lode_real)random_between(random, 0, 0.1);
    }
}
