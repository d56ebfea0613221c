/* Islands alike under the direct solver, which takes some of them together: each goes as it does
 * in a world of its own, to the bit, however many there are and whatever they hang on. */
#include "tests/world/support.h"

#include <string.h>

enum { LINKS = 6, MOST = 9, STEPS = 12 };

typedef struct chain {
    lode_body links[LINKS];
    lode_joint joints[LINKS];
} chain;

static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    def.solver = LODE_SOLVER_DIRECT;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

/* What number i hangs on: the world, or a body that moves by itself. Both are nobody's to push, and
 * give the same plan. */
static lode_body hook_of(lode_world world, int i)
{
    if (i % 3 != 1)
        return (lode_body){0};
    lode_body hook = add_body(world, LODE_KINEMATIC, 0, (lode_real)(3 * i), 1);
    lode_body_set_linear_velocity(hook, vec(0, (lode_real)0.1 * (lode_real)i, (lode_real)0.3));
    return hook;
}

/* Balls, and hinges every other time: nodes of three rows, and of four and one. */
static void build_chain(lode_world world, chain *c, int i, bool hinges)
{
    lode_body up = hook_of(world, i);
    lode_real y = (lode_real)(3 * i);
    for (int k = 0; k < LINKS; ++k) {
        lode_real x = (lode_real)k * (lode_real)0.5;
        c->links[k] = add_body(world, LODE_DYNAMIC, x + (lode_real)0.25, y, 0);
        lode_mass mass = lode_mass_of_box((lode_real)(1 + (i + k) % 4),
                                          vec((lode_real)0.25, (lode_real)0.1, (lode_real)0.1));
        lode_body_set_mass(c->links[k], &mass);
        lode_body_set_angular_velocity(c->links[k], vec((lode_real)(i % 4), (lode_real)k, -1));
        lode_joint_def def = lode_joint_def_default(hinges && k % 2 ? LODE_JOINT_HINGE
                                                                    : LODE_JOINT_BALL);
        def.body_a = c->links[k];
        def.body_b = up;
        lode_joint_def_anchor_world(&def, vec(x, y, 0), vec(0, 1, (lode_real)0.25));
        c->joints[k] = lode_joint_create(world, &def);
        assert_true(c->joints[k].id != 0);
        up = c->links[k];
    }
}

static void check_alike(const chain *a, const chain *b)
{
    for (int k = 0; k < LINKS; ++k) {
        lode_pose pose[2] = {lode_body_get_pose(a->links[k]), lode_body_get_pose(b->links[k])};
        lode_vec3 v[2] = {lode_body_get_linear_velocity(a->links[k]),
                          lode_body_get_linear_velocity(b->links[k])};
        lode_vec3 w[2] = {lode_body_get_angular_velocity(a->links[k]),
                          lode_body_get_angular_velocity(b->links[k])};
        assert_memory_equal(&pose[0], &pose[1], sizeof *pose);
        assert_memory_equal(&v[0], &v[1], sizeof *v);
        assert_memory_equal(&w[0], &w[1], sizeof *w);
    }
}

static void check_number(int count, bool hinges)
{
    chain together[MOST], alone[MOST];
    lode_world all = make_world(), own[MOST];
    for (int i = 0; i < count; ++i) {
        own[i] = make_world();
        build_chain(all, &together[i], i, hinges);
        build_chain(own[i], &alone[i], i, hinges);
    }
    for (int step = 0; step < STEPS; ++step) {
        lode_world_step(all, (lode_real)(1.0 / 60));
        for (int i = 0; i < count; ++i) {
            lode_world_step(own[i], (lode_real)(1.0 / 60));
            check_alike(&together[i], &alone[i]);
        }
    }
    for (int i = 0; i < count; ++i)
        lode_world_destroy(own[i]);
    lode_world_destroy(all);
}

static void each_goes_as_it_does_alone(void **state)
{
    (void)state;
    for (int count = 2; count <= MOST; ++count) {
        check_number(count, false);
        check_number(count, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_goes_as_it_does_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
