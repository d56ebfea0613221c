/* Steps whose second half runs in one call, while nobody looks on: there small islands are
 * prepared, solved and kept one group after another. The result is that of stages run one by one,
 * to the bit: velocities, poses, what contacts and joints are told to have exerted, and what a body
 * leaves behind that is no longer finite. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <string.h>

enum { STACKS = 42, HEIGHT = 7, STEPS = 36, LOST_AT = 12, SETTLED = 600 };
enum { MOST_CONTACTS = 1024, MOST_STAGES = 48 };

typedef struct town {
    lode_world world;
    lode_joint hinge[STACKS];
    lode_body doomed, lift;
} town;

static lode_joint hang(lode_world world, lode_body a, lode_body b, lode_vec3 anchor, int i)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, anchor, vec(0, 1, 0));
    def.axis[0].vel = i % 3 ? 1 : -2;
    def.axis[0].f_max = (lode_real)(i % 4);
    return lode_joint_create(world, &def);
}

/* A stack with a ball that bounces on it, and a box hinged to the top. */
static void build_stack(town *t, int i)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_real x = (lode_real)(4 * (i % 6)), y = (lode_real)(4 * (i / 6)), half = (lode_real)0.5;
    lode_body top = {0};
    shape.friction = i % 2 ? (lode_real)0.5 : 0;
    for (int k = 0; k < HEIGHT; ++k) {
        top = add_body(t->world, LODE_DYNAMIC, x, y, half + (lode_real)k);
        shape.density = i == STACKS / 2 && k == HEIGHT - 1 ? (lode_real)1e-3 : 1;
        lode_shape_create_box(top, &shape, vec(half, half, half));
    }
    lode_body arm = add_body(t->world, LODE_DYNAMIC, x + (lode_real)1.25, y, HEIGHT - half);
    lode_shape_create_box(arm, &shape, vec(half, half / 4, half / 4));
    t->hinge[i] = hang(t->world, arm, top, vec(x + (lode_real)0.625, y, HEIGHT - half), i);
    lode_body ball = add_body(t->world, LODE_DYNAMIC, x, y, HEIGHT + 1);
    shape.restitution = (lode_real)0.75;
    lode_shape_create_sphere(ball, &shape, half / 2);
    if (i == STACKS / 2)
        t->doomed = top;
}

/* Enough small islands for several groups, also with one thread. */
static town town_create(const lode_world_def *def)
{
    town t = {.world = lode_world_create(def)};
    lode_shape_def shape = lode_shape_def_default();
    add_ground(t.world);
    t.lift = add_body(t.world, LODE_KINEMATIC, 0, 0, (lode_real)-0.25);
    lode_shape_create_box(t.lift, &shape, vec(1, 1, (lode_real)0.25));
    for (int i = 0; i < STACKS; ++i)
        build_stack(&t, i);
    return t;
}

/* What happens before a step. */
static void act(const town *t, int step)
{
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    lode_body_set_linear_velocity(t->lift, vec(0, 0, step < STEPS / 2 ? (lode_real)0.25 : 0));
    if (step != LOST_AT)
        return;
    lode_body_set_linear_velocity(t->doomed, vec(huge, 0, 0));
    lode_body_add_force(t->doomed, vec(huge, 0, 0));
}

static void step_whole(const town *t, lode_real dt)
{
    assert_int_equal(lode_world_step(t->world, dt), LODE_OK);
}

static void step_staged(const town *t, lode_real dt)
{
    lode_stage_info stages[MOST_STAGES];
    int count = lode_world_get_stages(t->world, stages, MOST_STAGES);
    for (int i = 0; i < count; ++i)
        if (!stages[i].parent[0])
            assert_int_equal(lode_world_run_stage(t->world, stages[i].name, dt), LODE_OK);
}

static void expect_same_told(const town *a, const town *b)
{
    static lode_contact of_a[MOST_CONTACTS], of_b[MOST_CONTACTS];
    int count = lode_world_get_contacts(a->world, of_a, MOST_CONTACTS);
    assert_in_range(count, STACKS, MOST_CONTACTS);
    assert_int_equal(lode_world_get_contacts(b->world, of_b, MOST_CONTACTS), count);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < of_a[i].point_count; ++k)
            assert_memory_equal(&of_a[i].points[k].impulse, &of_b[i].points[k].impulse,
                                sizeof of_a[i].points[k].impulse);
    for (int i = 0; i < STACKS; ++i) {
        lode_vec3 force_a = lode_joint_get_force(a->hinge[i]);
        lode_vec3 force_b = lode_joint_get_force(b->hinge[i]);
        assert_true(force_a.x == force_b.x && force_a.y == force_b.y && force_a.z == force_b.z);
        assert_true(lode_joint_get_position(a->hinge[i], 0) ==
                    lode_joint_get_position(b->hinge[i], 0));
    }
}

static void compare(const lode_world_def *def)
{
    lode_world_def one = *def, three = *def;
    one.threads = 1;
    three.threads = 3;
    town staged = town_create(&one), whole = town_create(&one), shared = town_create(&three);
    lode_warning_info warnings[LODE_WARNING_COUNT];
    for (int i = 0; i < STEPS; ++i) {
        lode_real dt = i % 5 ? STEP : STEP / 2;
        act(&staged, i), act(&whole, i), act(&shared, i);
        step_staged(&staged, dt);
        step_whole(&whole, dt);
        step_whole(&shared, dt);
        assert_true(lode_world_hash(staged.world) == lode_world_hash(whole.world));
        assert_true(lode_world_hash(staged.world) == lode_world_hash(shared.world));
        expect_same_told(&staged, &whole);
        expect_same_told(&staged, &shared);
    }
    lode_world_get_warnings(whole.world, warnings, LODE_WARNING_COUNT);
    assert_true(warnings[LODE_WARNING_NAN_BODY].ever >= 1);
    assert_int_equal(lode_joint_get_force(whole.hinge[STACKS / 2]).z, 0); /* its body is frozen */
    lode_world_destroy(staged.world);
    lode_world_destroy(whole.world);
    lode_world_destroy(shared.world);
}

static void one_go_gives_what_stages_give(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    for (int solver = 0; solver < LODE_SOLVER_DIRECT; ++solver) {
        def.solver = (lode_solver)solver;
        compare(&def);
    }
    def.friction_model = LODE_FRICTION_CONE;
    def.friction_per_manifold = true;
    compare(&def);
}

/* A world can be stepped in either way, step by step, and somebody can come to look on. */
static void ways_of_stepping_can_alternate(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    town a = town_create(&def), b = town_create(&def);
    for (int i = 0; i < STEPS; ++i) {
        step_whole(&a, STEP);
        if (i % 3 == 0) {
            step_staged(&b, STEP);
        } else if (i % 3 == 1) {
            step_whole(&b, STEP);
        } else {
            assert_int_equal(lode_world_collide(b.world, STEP), LODE_OK);
            assert_int_equal(lode_world_solve(b.world, STEP), LODE_OK);
        }
        assert_true(lode_world_hash(a.world) == lode_world_hash(b.world));
    }
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* When all has settled no step takes memory; and one in one go holds less than stages need. */
static void one_go_takes_no_memory_anew(void **state)
{
    (void)state;
    alloc_fail_install();
    size_t held[2];
    for (int staged = 0; staged < 2; ++staged) {
        lode_world_def def = lode_world_def_default();
        def.threads = 2;
        town t = town_create(&def);
        for (int i = 0; i < SETTLED; ++i)
            staged ? step_staged(&t, STEP) : step_whole(&t, STEP);
        alloc_fail_nth(-1);
        for (int i = 0; i < 4; ++i)
            staged ? step_staged(&t, STEP) : step_whole(&t, STEP);
        assert_int_equal(alloc_fail_calls(), 0);
        held[staged] = alloc_fail_live_bytes();
        lode_world_destroy(t.world);
    }
    assert_true(held[0] < held[1]);
    alloc_fail_remove();
}

/* The time of small groups is told by stage: solve has its sub-stages' and no more than a part of
 * the step, and those whose work is done within it have theirs. */
static void times_are_told_by_stage(void **state)
{
    (void)state;
    static const char *const working[] = {"row prepare", "solve", "iterate", "restitution",
                                          "finalise"};
    lode_world_def def = lode_world_def_default();
    town t = town_create(&def);
    lode_stage_info stages[MOST_STAGES];
    for (int i = 0; i < 4; ++i)
        step_whole(&t, STEP);
    int count = lode_world_get_stages(t.world, stages, MOST_STAGES);
    double solve = 0, within = 0;
    for (int i = 0; i < count; ++i) {
        assert_true(stages[i].seconds >= 0);
        within += strcmp(stages[i].parent, "solve") == 0 ? stages[i].seconds : 0;
        solve += strcmp(stages[i].name, "solve") == 0 ? stages[i].seconds : 0;
        for (size_t k = 0; k < sizeof working / sizeof *working; ++k)
            if (strcmp(stages[i].name, working[k]) == 0)
                assert_true(stages[i].calls > 0 && stages[i].seconds > 0);
    }
    assert_true(within > 0 && within <= solve * (1 + 1e-9));
    lode_world_destroy(t.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_go_gives_what_stages_give),
        cmocka_unit_test(ways_of_stepping_can_alternate),
        cmocka_unit_test(one_go_takes_no_memory_anew),
        cmocka_unit_test(times_are_told_by_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
