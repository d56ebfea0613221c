/* A neighbourhood's bits are its own: whatever lives far away, falls asleep and wakes there, is
 * removed and put in again, in the same slots, while it runs, and a past that was undone by a
 * snapshot. It has a kinematic turntable with
 * boxes, a chain of capsules on hinges, and a column that falls asleep and is woken by a ball, so
 * that what is compared includes when it sleeps. */
#include "lode/lode.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#define REAL(x) ((lode_real)(x))

enum { MOST = 16, BALL = 9, STEPS = 200, FAR = 6 };

typedef struct settings {
    lode_solver solver;
    lode_friction friction;
    bool whole; /* friction per manifold */
} settings;

typedef struct place {
    lode_body bodies[MOST];
    int count;
} place;

typedef struct look {
    lode_pose pose;
    lode_vec3 linear, angular;
    lode_real awake;
} look;

static look traces[2][STEPS][MOST];

static lode_body add_body(lode_world world, place *out, lode_body_type type, lode_vec3 at)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = at;
    return out->bodies[out->count++] = lode_body_create(world, &def);
}

static lode_body add_box(lode_world world, place *out, lode_body_type type, lode_vec3 at,
                         lode_vec3 half)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body box = add_body(world, out, type, at);
    lode_shape_create_box(box, &shape, half);
    return box;
}

static lode_vec3 vec(lode_real x, lode_real y, lode_real z)
{
    return (lode_vec3){x, y, z};
}

static void add_chain(lode_world world, place *out, lode_real x)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body last = {0};
    for (int i = 0; i < 4; ++i) {
        lode_joint_def hinge = lode_joint_def_default(LODE_JOINT_HINGE);
        hinge.body_a = add_body(world, out, LODE_DYNAMIC, vec(x + REAL(i), 6, 3));
        hinge.body_b = last;
        hinge.axis[0].lo_stop = REAL(-1);
        hinge.axis[0].hi_stop = REAL(1.25);
        hinge.axis[0].vel = 1;
        hinge.axis[0].f_max = REAL(i * 40);
        lode_shape_create_capsule(hinge.body_a, &shape, REAL(0.25), REAL(0.25));
        lode_joint_def_anchor_world(&hinge, vec(x + REAL(i) - REAL(0.5), 6, 3), vec(0, 1, 0));
        lode_joint_create(world, &hinge);
        last = hinge.body_a;
    }
}

static place add_place(lode_world world, lode_real x)
{
    place out = {.count = 0};
    lode_shape_def shape = lode_shape_def_default();
    lode_vec3 half = vec(REAL(0.5), REAL(0.5), REAL(0.5));
    lode_body table = add_box(world, &out, LODE_KINEMATIC, vec(x, 0, 1), vec(2, 2, REAL(0.25)));
    lode_body_set_angular_velocity(table, vec(0, REAL(0.125), 1));
    for (int i = 0; i < 4; ++i)
        add_box(world, &out, LODE_DYNAMIC, vec(x + REAL(i % 2), REAL(i / 2), REAL(1.75)), half);
    add_chain(world, &out, x);
    assert_int_equal(out.count, BALL);
    lode_body ball = add_body(world, &out, LODE_DYNAMIC, vec(x - 6, -6, REAL(0.5)));
    lode_shape_create_sphere(ball, &shape, REAL(0.5));
    for (int i = 0; i < 3; ++i)
        add_box(world, &out, LODE_DYNAMIC, vec(x, -6, REAL(0.5) + REAL(i)), half);
    return out;
}

static void remove_place(const place *place)
{
    for (int i = 0; i < place->count; ++i)
        assert_int_equal(lode_body_destroy(place->bodies[i]), LODE_OK);
}

static look look_at(lode_body body)
{
    look l;
    memset(&l, 0, sizeof l);
    l.pose = lode_body_get_pose(body);
    l.linear = lode_body_get_linear_velocity(body);
    l.angular = lode_body_get_angular_velocity(body);
    l.awake = lode_body_is_awake(body);
    return l;
}

static lode_world create(const settings *settings)
{
    lode_world_def def = lode_world_def_default();
    lode_body_def ground = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.solver = settings->solver;
    def.friction_model = settings->friction;
    def.friction_per_manifold = settings->whole;
    def.sleep.enabled = true;
    def.sleep.linear_threshold = def.sleep.angular_threshold = REAL(0.0625);
    lode_world world = lode_world_create(&def);
    lode_shape_create_plane(lode_body_create(world, &ground), &shape, vec(0, 0, 1), 0);
    return world;
}

/* Runs the neighbourhood behind `before` others and before `after`; every `churn` steps, if not 0,
 * those after it are removed and made again, a step later if the number of times is odd. */
/* Lives through some steps that then never were. */
static void go_back(lode_world world, const place *own)
{
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(world, bytes, size), size);
    lode_body_add_impulse(own->bodies[BALL], vec(100, 50, 500));
    lode_body_destroy(own->bodies[own->count - 1]);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(lode_world_step(world, 1 / REAL(60)), LODE_OK);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    free(bytes);
}

static void run(const settings *settings, int before, int after, int churn, bool goes_back,
                look out[STEPS][MOST])
{
    lode_world world = create(settings);
    place far[2 * FAR], own;
    for (int i = 0; i < before; ++i)
        far[i] = add_place(world, REAL(-100 * (i + 1)));
    own = add_place(world, 0);
    for (int i = 0; i < after; ++i)
        far[before + i] = add_place(world, REAL(100 * (i + 1)));
    bool gone = false;
    memset(out, 0, STEPS * sizeof *out);
    for (int step = 0; step < STEPS; ++step) {
        if (step == 100)
            lode_body_set_linear_velocity(own.bodies[BALL], vec(9, 0, 0));
        if (before && step % 50 == 30)
            lode_body_set_linear_velocity(far[0].bodies[BALL], vec(9, 0, 0));
        bool renew = churn && (step % churn == churn - 1 || gone);
        for (int i = before; renew && !gone && i < before + after; ++i)
            remove_place(&far[i]);
        bool later = renew && !gone && step / churn % 2;
        for (int i = 0; renew && !later && i < after; ++i)
            far[before + i] = add_place(world, REAL(100 * (i + 1)));
        gone = later;
        if (goes_back && step % 30 == 15)
            go_back(world, &own);
        assert_int_equal(lode_world_step(world, 1 / REAL(60)), LODE_OK);
        for (int i = 0; i < own.count; ++i)
            out[step][i] = look_at(own.bodies[i]);
    }
    lode_world_destroy(world);
}

static void expect_same(const settings *settings, int before, int after, int churn, bool goes_back)
{
    run(settings, before, after, churn, goes_back, traces[1]);
    assert_memory_equal(traces[0], traces[1], sizeof traces[0]);
}

static void what_is_far_away_leaves_no_trace(void **state)
{
    const settings *settings = *state;
    run(settings, 0, 0, 0, false, traces[0]);
    assert_true(traces[0][0][BALL].awake == 1 && traces[0][99][BALL].awake == 0);
    assert_true(traces[0][99][BALL + 3].awake == 0 && traces[0][160][BALL + 3].awake == 1);
    expect_same(settings, FAR, 0, 0, false);
    expect_same(settings, 1, FAR, 0, false);
    expect_same(settings, 0, FAR, 23, false);
    expect_same(settings, 2, 2, 7, false);
    expect_same(settings, 0, 0, 0, true);
    expect_same(settings, 1, 2, 23, true);
}

int main(void)
{
    static settings all[] = {
        {LODE_SOLVER_PGS, LODE_FRICTION_PYRAMID, false},
        {LODE_SOLVER_PGS, LODE_FRICTION_CONE, true},
        {LODE_SOLVER_SOFT_STEP, LODE_FRICTION_PYRAMID, true},
        {LODE_SOLVER_SOFT_STEP, LODE_FRICTION_CONE, false},
        {LODE_SOLVER_DIRECT, LODE_FRICTION_PYRAMID, false},
        {LODE_SOLVER_DIRECT, LODE_FRICTION_CONE, false},
    };
#define TEST(i, how) \
    { \
        "what_is_far_away_leaves_no_trace (" how ")", what_is_far_away_leaves_no_trace, NULL, \
            NULL, &all[i] \
    }
    const struct CMUnitTest tests[] = {
        TEST(0, "pgs"),
        TEST(1, "pgs, cone, per manifold"),
        TEST(2, "soft step, per manifold"),
        TEST(3, "soft step, cone"),
        TEST(4, "direct"),
        TEST(5, "direct, cone"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
