/* The checks of whole worlds find what is wrong with them: a world is damaged in a child process,
 * which must abort. */
#include "tests/world/support.h"

#include "solver/state.h"
#include "world/validate.h"
#include "world/wake.h"
#include "world/world.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static lode_world world;
static lode__world *w;

/* A grid of balls on a plate, joined in pairs; one ball sleeps. The step stands behind colouring,
 * so that there are lanes to look at. */
static int set_up(void **state)
{
    (void)state;
    static const char *const stages[] = {"wake",           "bounds",  "broad phase", "narrow phase",
                                         "contact update", "islands", "colouring"};
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    world = lode_world_create(&def);
    w = lode__registry_world(world.id);
    add_ground(world);
    lode_body sleeper = add_ball(world, 50, 0, 1, 1), last = {0};
    for (int i = 0; i < 100; ++i)
        lode_world_step(world, STEP);
    assert_false(lode_body_is_awake(sleeper));
    for (int i = 0; i < 20; ++i) {
        lode_body ball = add_ball(world, (lode_real)2 * (lode_real)i, 0, 1, 1);
        lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
        joint.body_a = ball;
        joint.body_b = last;
        lode_joint_def_anchor_world(&joint, vec((lode_real)(2 * i + 1), 0, 1), vec(0, 0, 1));
        if (i % 2)
            lode_joint_create(world, &joint);
        last = ball;
    }
    for (int i = 0; i < 3; ++i)
        lode_world_step(world, STEP);
    for (int i = 0; i < 7; ++i)
        assert_int_equal(lode_world_run_stage(world, stages[i], STEP), LODE_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

/* ---- damage ---- */

static void none(void)
{
}

static void pool_count(void)
{
    ++w->bodies.count;
}

static void pool_first_free(void)
{
    lode__bits_clear(&w->bodies.alive, 1);
    --w->bodies.count;
    w->bodies.first_free = 5;
}

static void pairs_order(void)
{
    lode__pair pair = w->collide.pairs.items[0];
    w->collide.pairs.items[0] = w->collide.pairs.items[1];
    w->collide.pairs.items[1] = pair;
}

static void pair_points(void)
{
    w->collide.pairs.items[0].points ^= 1;
}

static void awake_bit(void)
{
    lode__bits_clear(&w->awake, lode__bits_next(&w->awake, 0));
}

static void sleeper_awake(void)
{
    lode__bits_set(&w->awake, 1);
}

static void asleep_count(void)
{
    ++w->asleep_count;
}

static void resting_contact(void)
{
    *SHAPE(w, resting, BODY(w, links, 1)->first_shape) = LODE__NONE;
}

static void active_joint(void)
{
    lode__bits_clear(&w->active_joints, lode__bits_next(&w->active_joints, 0));
}

static void shape_list(void)
{
    BODY(w, links, 2)->first_shape = LODE__NONE;
}

static void edge_list(void)
{
    BODY(w, links, 2)->first_edge = LODE__NO_EDGE;
}

/* A pose that was written past `posed`. */
static void pose_unseen(void)
{
    lode_quat *rotation = &BODY(w, pose, lode__bits_next(&w->awake, 0))->rotation;
    *rotation = (lode_quat){-rotation->w, -rotation->x, -rotation->y, -rotation->z};
}

static void dynamic_count(void)
{
    --w->dynamic_count;
}

static lode__solve_chunk *first_chunk(void)
{
    return &w->solver.state->chunks[0];
}

static void lane_twice(void)
{
    uint32_t *lanes = (uint32_t *)first_chunk()->lanes;
    lanes[1] = lanes[0];
}

static void lane_lost(void)
{
    uint32_t *lanes = (uint32_t *)first_chunk()->lanes;
    lanes[1] = LODE__NONE;
}

static void colour_shared(void)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        lode__constraint_list *list = &w->solver.state->constraints[l];
        for (uint32_t i = 1; i < list->count; ++i)
            list->all[i].a = list->all[0].a;
    }
}

static void line_swapped(void)
{
    uint32_t *slot = w->solver.state->lines.slot, first = slot[1];
    slot[1] = slot[2];
    slot[2] = first;
}

static const struct {
    const char *name;
    void (*damage)(void);
} cases[] = {
    {"none", none},
    {"pool_count", pool_count},
    {"pool_first_free", pool_first_free},
    {"pairs_order", pairs_order},
    {"pair_points", pair_points},
    {"awake_bit", awake_bit},
    {"sleeper_awake", sleeper_awake},
    {"asleep_count", asleep_count},
    {"resting_contact", resting_contact},
    {"active_joint", active_joint},
    {"shape_list", shape_list},
    {"edge_list", edge_list},
    {"pose_unseen", pose_unseen},
    {"dynamic_count", dynamic_count},
    {"lane_twice", lane_twice},
    {"lane_lost", lane_lost},
    {"colour_shared", colour_shared},
    {"line_swapped", line_swapped},
};

/* How the checks end in a child after the damage. */
static int signal_after(void (*damage)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* not cmocka's handler */
        fclose(stderr);
        damage();
        lode__world_validate(w);
        _exit(lode__solver_validate(&w->solver, &w->arena) ? 0 : 1);
    }
    assert_true(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void damage_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int expected = cases[i].damage == none ? 0 : SIGABRT;
        int found = signal_after(cases[i].damage);
        if (found != expected)
            fail_msg("%s: ended by %d", cases[i].name, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damage_is_found, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
