/* test_articulation_direct.c: articulations in the direct solver: how far rows of constraints (told
 * by the statistics, from blocks and velocities) and of joints (told by each articulation, from its
 * speeds) are missed; that sweeps come to the same; and what contradicts itself. */
#include "tests/world/links.h"

/* Most that rows may be missed by, by the largest speed in the world. */
static const double tight = DOUBLE ? 1e-10 : 1e-5;

static const lode_real endless = (lode_real)INFINITY;

static lode_world_def directly(void)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, (lode_real)-9.81);
    def.solver = LODE_SOLVER_DIRECT;
    def.measure_residual = true;
    return def;
}

static void add_box(lode_body body, double x, double y, double z, double friction)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = 0;
    def.friction = (lode_real)friction;
    assert_true(
        lode_shape_create_box(body, &def, vec((lode_real)x, (lode_real)y, (lode_real)z)).id);
}

static double residual_of(const arm *a)
{
    lode_world_stats stats;
    assert_int_equal(lode_world_get_stats(a->world, &stats), LODE_OK);
    lode_articulation_residual r = lode_articulation_get_residual(a->articulation);
    return fmax(stats.residual, fmax(r.position_max, r.velocity_max));
}

static int warnings_of(lode_world world)
{
    lode_warning_info all[LODE_WARNING_COUNT];
    assert_int_equal(lode_world_get_warnings(world, all, LODE_WARNING_COUNT), LODE_WARNING_COUNT);
    return (int)all[LODE_WARNING_NOT_CONVERGED].ever;
}

static double fastest_of(const arm *a)
{
    double most = 1;
    for (int i = 0; i < a->count; ++i) {
        most = fmax(most, length_of(lode_body_get_linear_velocity(a->link[i])));
        most = fmax(most, length_of(lode_body_get_angular_velocity(a->link[i])));
        most = fmax(most, fabs(qd_of(a->link[i])));
    }
    return most;
}

/* Steps, of which each is solved to the end. */
static void step_exactly(const arm *a, const char *what, int steps, double dt)
{
    double worst = 0;
    int worst_step = -1;
    for (int i = 0; i < steps; ++i) {
        step_by(a, 1, (lode_real)dt);
        double missed = residual_of(a) / fastest_of(a);
        if (!(missed <= worst)) {
            worst = missed;
            worst_step = i;
        }
    }
    if (!(worst <= tight))
        print_error("%s: rows missed by %.3g in step %d of %d\n", what, worst, worst_step, steps);
    assert_true(worst <= tight);
    if (warnings_of(a->world) != 0)
        print_error("%s: not converged %d times\n", what, warnings_of(a->world));
    assert_int_equal(warnings_of(a->world), 0);
}

/* ---- robots */

static const lode_link_drive strong = {LODE_DRIVE_FORCE, 400, 20, 15, 0, (lode_real)INFINITY, 0, 0};

/* Legs of two links under a trunk, on drives that may not hold it. */
static arm make_quadruped(const lode_world_def *def, lode_real friction)
{
    arm a = make_arm_in(lode_world_create(def), false);
    add_root(&a, vec(0, 0, (lode_real)0.6));
    set_mass(a.link[0], 10, 0.2, 0.5, 0.6);
    add_box(a.link[0], 0.4, 0.2, 0.08, friction);
    for (int leg = 0; leg < 4; ++leg) {
        lode_real x = (lode_real)(leg & 1 ? 0.35 : -0.35), y = (lode_real)(leg & 2 ? 0.25 : -0.25);
        for (int part = 0; part < 2; ++part) {
            lode_link_def link = hinge_at(part ? vec(0, 0, (lode_real)-0.15) : vec(x, y, 0),
                                          vec(0, 0, (lode_real)0.15));
            link.axis[0].position = link.axis[0].target = (lode_real)(part ? -0.8 : 0.4);
            link.axis[0].drive = strong;
            link.axis[0].motion = LODE_MOTION_LIMITED;
            link.axis[0].lo = (lode_real)(part ? -0.9 : -0.2);
            link.axis[0].hi = (lode_real)(part ? 0 : 0.45);
            link.axis[0].static_friction = (lode_real)0.5;
            link.axis[0].dynamic_friction = (lode_real)0.4;
            link.axis[0].viscous_friction = (lode_real)0.05;
            add_to(&a, part ? a.count - 1 : 0, &link);
            set_mass(a.link[a.count - 1], 0.7, 0.006, 0.006, 0.001);
            add_box(a.link[a.count - 1], 0.03, 0.03, 0.15, friction);
        }
    }
    insert(&a);
    return a;
}

static void add_floor(lode_world world, double friction)
{
    lode_body_def def = lode_body_def_default();
    lode_body ground = lode_body_create(world, &def);
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = (lode_real)friction;
    assert_true(lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0).id);
}

static void a_quadruped_stands(void **state)
{
    (void)state;
    lode_world_def def = directly();
    arm a = make_quadruped(&def, (lode_real)0.8);
    add_floor(a.world, 0.8);
    step_exactly(&a, "quadruped", 180, 1.0 / 60);
    assert_true((double)lode_body_get_center(a.link[0]).z > 0.2);
    lode_world_destroy(a.world);
}

static void a_quadruped_skids(void **state)
{
    (void)state;
    for (int model = 0; model < 3; ++model) {
        lode_world_def def = directly();
        def.friction_model = (lode_friction)(model % LODE_FRICTION_COUNT);
        arm a = make_quadruped(&def, (lode_real)0.5);
        add_floor(a.world, 0.5);
        assert_int_equal(
            lode_articulation_set_root_linear_velocity(a.articulation, vec(3, 1, 0), true),
            LODE_OK);
        step_exactly(&a, "skid", 60, 1.0 / 120);
        lode_world_destroy(a.world);
    }
}

/* An arm of six joints with fingers that press a box between them. */
static arm make_gripper(const lode_world_def *def)
{
    arm a = make_arm_in(lode_world_create(def), true);
    add_root(&a, vec(0, 0, 1));
    for (int i = 0; i < 3; ++i) {
        lode_link_def link = hinge_at(vec((lode_real)(i ? 0.2 : 0), 0, 0),
                                      vec((lode_real)-0.2, 0, 0));
        link.axis[0].drive = (lode_link_drive){LODE_DRIVE_FORCE, 4000, 200, 200, 0, endless, 0, 0};
        link.axis[0].target_velocity = (lode_real)(i == 0 ? -0.2 : 0);
        add(&a, &link);
        set_mass(a.link[a.count - 1], 2, 0.01, 0.03, 0.03);
    }
    for (int side = -1; side <= 1; side += 2) {
        lode_link_def finger = lode_link_def_default(LODE_LINK_PRISMATIC);
        lode_real y = (lode_real)(0.13 * side);
        finger.parent_frame.position = vec((lode_real)0.4, y, 0);
        finger.parent_frame.rotation = finger.child_frame.rotation = (lode_quat){
            (lode_real)0.70710678118654752, 0, 0, (lode_real)(0.70710678118654752 * -side)};
        finger.axis[LODE_AXIS_X].drive = (lode_link_drive){LODE_DRIVE_FORCE, 2000, 50, 30, 0,
                                                           endless,          0,    0};
        finger.axis[LODE_AXIS_X].target = (lode_real)0.1;
        add_to(&a, 3, &finger);
        set_mass(a.link[a.count - 1], 0.2, 0.001, 0.001, 0.001);
        add_box(a.link[a.count - 1], 0.03, 0.03, 0.03, 0.9);
    }
    insert(&a);
    return a;
}

static void an_arm_lifts_a_box(void **state)
{
    (void)state;
    lode_world_def def = directly();
    arm a = make_gripper(&def);
    lode_vec3 left = lode_body_get_center(a.link[4]), right = lode_body_get_center(a.link[5]);
    lode_body box = add_body(a.world, LODE_DYNAMIC, 0, 0, 0);
    lode_pose between = {vec((left.x + right.x) / 2, (left.y + right.y) / 2, left.z), {1, 0, 0, 0}};
    assert_int_equal(lode_body_set_pose(box, between), LODE_OK);
    set_mass(box, 1, 0.003, 0.003, 0.003);
    add_box(box, 0.05, 0.095, 0.05, 0.9);
    step_exactly(&a, "gripper", 240, 1.0 / 120);
    assert_true(fabs((double)lode_body_get_center(box).z -
                     (double)lode_body_get_center(a.link[4]).z) < 0.1);
    lode_world_destroy(a.world);
}

/* ---- chains */

typedef struct features {
    bool loop, twice, drives, stops, friction, mimic, tendon, envelope, acceleration, line;
} features;

static arm make_chain_in(lode_world world, const features *f, lode_real y)
{
    arm a = make_arm_in(world, true);
    add_root(&a, vec(0, y, 5));
    for (int i = 0; i < 6; ++i) {
        lode_link_def link = hinge_at(vec((lode_real)(i ? 0.25 : 0), 0, 0),
                                      vec((lode_real)-0.25, 0, 0));
        lode_link_axis *axis = &link.axis[0];
        axis->position = (lode_real)(0.3 * (i % 2 ? 1 : -1));
        axis->velocity = (lode_real)(0.5 * (i % 3 - 1));
        if (f->drives)
            axis->drive = (lode_link_drive){f->acceleration ? LODE_DRIVE_ACCELERATION
                                                            : LODE_DRIVE_FORCE,
                                            300,
                                            10,
                                            (lode_real)(2 + i),
                                            0,
                                            endless,
                                            0,
                                            0};
        if (f->envelope) {
            axis->drive.max_effort = (lode_real)(4 + i);
            axis->drive.max_speed = 3;
            axis->drive.velocity_resistance = (lode_real)0.4;
            axis->drive.speed_effort_gradient = (lode_real)0.05;
        }
        if (f->stops) {
            axis->motion = LODE_MOTION_LIMITED;
            axis->lo = axis->position - (lode_real)(i % 2 ? (f->loop ? 0.05 : 0) : 0.3);
            axis->hi = axis->position + (lode_real)0.3;
        }
        if (f->friction) {
            axis->static_friction = (lode_real)(i % 2 ? 3 : 0.5);
            axis->dynamic_friction = (lode_real)(i % 2 ? 2 : 0.5);
            axis->viscous_friction = (lode_real)0.1;
        }
        add(&a, &link);
        set_mass(a.link[a.count - 1], 1 + 0.2 * i, 0.02, 0.03, 0.03);
    }
    if (f->mimic) {
        lode_mimic_def mimic = lode_mimic_def_default();
        mimic.link_a = a.link[2];
        mimic.link_b = a.link[5];
        mimic.gear_ratio = (lode_real)-0.5;
        mimic.offset = -axis_of(a.link[2], 0).position -
                       mimic.gear_ratio * axis_of(a.link[5], 0).position;
        assert_true(lode_mimic_create(a.articulation, &mimic).id);
    }
    if (f->tendon) {
        lode_tendon_def tendon = lode_tendon_def_default(LODE_TENDON_SPATIAL);
        tendon.stiffness = 2000;
        tendon.damping = 20;
        tendon.limit_stiffness = 5000;
        lode_tendon t = lode_tendon_create(a.articulation, &tendon);
        int last = -1;
        for (int i = 1; i < 6; i += f->line ? 2 : 4) {
            lode_tendon_attachment at = lode_tendon_attachment_default();
            at.parent = last;
            at.link = a.link[i];
            at.point = vec(0, 0, (lode_real)0.1);
            at.rest_length = (lode_real)0.9;
            at.lo = (lode_real)0.5;
            at.hi = (lode_real)0.95;
            last = lode_tendon_add_attachment(t, &at);
            assert_true(last >= 0);
        }
    }
    insert(&a);
    for (int k = 0; k < (f->twice ? 2 : f->loop); ++k) {
        lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
        joint.body_a = a.link[6];
        lode_vec3 end = lode_body_point_to_world(a.link[6], vec((lode_real)0.25, 0, 0));
        assert_int_equal(lode_joint_def_anchor_world(&joint, end, vec(0, 0, 1)), LODE_OK);
        assert_true(lode_joint_create(a.world, &joint).id);
    }
    return a;
}

static arm make_chain(const lode_world_def *def, const features *f)
{
    return make_chain_in(lode_world_create(def), f, 0);
}

static const struct {
    const char *name;
    features f;
} chains[] = {
    {"free", {0}},
    {"loop", {.loop = true}},
    {"drives", {.drives = true}},
    {"acceleration", {.drives = true, .acceleration = true}},
    {"stops", {.stops = true}},
    {"friction", {.friction = true}},
    {"mimic", {.mimic = true}},
    {"tendon", {.tendon = true}},
    {"tendon along", {.tendon = true, .line = true}},
    {"envelope", {.drives = true, .envelope = true}},
    {"all", {true, false, true, true, true, true, true, false, false, false}},
    {"all with envelopes", {true, false, true, true, true, true, true, true, false, false}},
};

static void chains_are_solved_to_the_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; ++i)
        for (int second = 0; second < 2; ++second) {
            lode_world_def def = directly();
            def.integrator = second ? LODE_INTEGRATOR_SECOND_ORDER : LODE_INTEGRATOR_SEMI_IMPLICIT;
            arm a = make_chain(&def, &chains[i].f);
            step_exactly(&a, chains[i].name, 120, 1.0 / 240);
            lode_world_destroy(a.world);
        }
}

/* Chains side by side, each with stops, frictions or drives, whose ends are joined to balls between
 * them: 102 rows of theirs and as many of the chains' own, more than a square of all couplings is
 * made for. */
static void many_that_hang_together_are_solved_to_the_end(void **state)
{
    (void)state;
    enum { CHAINS = 18 };
    static arm chain[CHAINS];
    static const features kinds[] = {
        {.friction = true, .stops = true}, {.drives = true}, {.friction = true, .mimic = true}};
    lode_world_def def = directly();
    lode_world world = lode_world_create(&def);
    lode_body_def ball = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world_stats stats = {0};
    ball.type = LODE_DYNAMIC;
    shape.density = 100;
    for (int k = 0; k < CHAINS; ++k)
        chain[k] = make_chain_in(world, &kinds[k % 3], (lode_real)k);
    for (int k = 0; k + 1 < CHAINS; ++k) {
        ball.position = lode_body_point_to_world(chain[k].link[6],
                                                 vec((lode_real)0.25, (lode_real)0.5, 0));
        lode_body between = lode_body_create(world, &ball);
        assert_true(lode_shape_create_sphere(between, &shape, (lode_real)0.1).id);
        for (int end = 0; end < 2; ++end) {
            lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
            joint.body_a = chain[k + end].link[6];
            joint.body_b = between;
            assert_int_equal(lode_joint_def_anchor_world(&joint, ball.position, vec(0, 0, 1)),
                             LODE_OK);
            assert_true(lode_joint_create(world, &joint).id);
        }
    }
    double worst = 0;
    for (int i = 0; i < 10; ++i) {
        step_by(&chain[0], 1, (lode_real)1 / 240);
        for (int k = 0; k < CHAINS; ++k)
            worst = fmax(worst, residual_of(&chain[k]) / fastest_of(&chain[k]));
    }
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    assert_int_equal(stats.joint_rows, 6 * (CHAINS - 1));
    assert_true(worst <= tight);
    assert_int_equal(warnings_of(world), 0);
    lode_world_destroy(world);
}

/* Many sweeps come to what the direct solver finds. */
static void sweeps_come_to_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; ++i) {
        double speed[2][8] = {{0}}, most = 0, off = 0;
        for (int swept = 0; swept < 2; ++swept) {
            lode_world_def def = directly();
            def.solver = swept ? LODE_SOLVER_PGS : LODE_SOLVER_DIRECT;
            def.sub_steps = 1;
            def.iterations = 20000;
            arm a = make_chain(&def, &chains[i].f);
            step_by(&a, 1, (lode_real)1 / 240);
            for (int l = 0; l < a.count; ++l)
                speed[swept][l] = qd_of(a.link[l]);
            lode_world_destroy(a.world);
        }
        for (int l = 0; l < 7; ++l) {
            most = fmax(most, fabs(speed[1][l]));
            off = fmax(off, fabs(speed[1][l] - speed[0][l]));
        }
        if (!(off <= (DOUBLE ? 1e-6 : 1e-3) * most))
            print_error("%s: off by %.3g of %.3g\n", chains[i].name, off, most);
        assert_true(off <= (DOUBLE ? 1e-6 : 1e-3) * most);
    }
}

/* A loop that is closed twice is solved as if it were once, and is no reason to warn. */
static void joints_that_repeat_each_other_are_borne(void **state)
{
    (void)state;
    double speed[2][8];
    for (int twice = 0; twice < 2; ++twice) {
        lode_world_def def = directly();
        arm a = make_chain(&def, &(features){.loop = true, .twice = twice, .drives = true});
        step_exactly(&a, "twice", 60, 1.0 / 240);
        for (int l = 0; l < a.count; ++l)
            speed[twice][l] = qd_of(a.link[l]);
        lode_world_destroy(a.world);
    }
    for (int l = 1; l < 7; ++l)
        EXPECT_NEAR(speed[1][l], speed[0][l], DOUBLE ? 1e-9 : 1e-3);
}

/* Joints that cannot both hold are told of; nothing flies off. */
static void joints_that_contradict_each_other_are_told_of(void **state)
{
    (void)state;
    lode_world_def def = directly();
    arm a = make_chain(&def, &(features){.loop = true});
    lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
    joint.body_a = a.link[6];
    joint.frame_a.position = vec((lode_real)0.25, 0, 0);
    joint.frame_b.position = lode_body_point_to_world(a.link[6],
                                                      vec((lode_real)0.25, 0, (lode_real)0.1));
    assert_true(lode_joint_create(a.world, &joint).id);
    step_by(&a, 30, (lode_real)1 / 240);
    assert_true(warnings_of(a.world) > 0);
    for (int l = 0; l < a.count; ++l)
        assert_true(length_of(lode_body_get_linear_velocity(a.link[l])) < 100);
    lode_world_destroy(a.world);
}

/* The hybrid solver takes islands with articulations for what they are. */
static void hybrid_worlds_choose_by_rows(void **state)
{
    (void)state;
    double speed[3][8];
    for (int i = 0; i < 3; ++i) {
        lode_world_def def = directly();
        def.solver = i == 0 ? LODE_SOLVER_DIRECT : LODE_SOLVER_HYBRID;
        def.direct_rows = i == 2 ? 0 : 200;
        def.iterations = 2;
        def.sub_steps = 1;
        arm a = make_chain(&def, &(features){.loop = true, .stops = true, .friction = true});
        step_by(&a, 30, (lode_real)1 / 240);
        for (int l = 0; l < a.count; ++l)
            speed[i][l] = qd_of(a.link[l]);
        lode_world_destroy(a.world);
    }
    assert_memory_equal(speed[0], speed[1], 7 * sizeof(double));
    assert_memory_not_equal(speed[0], speed[2], 7 * sizeof(double));
}

/* Of a robot that lands and skids beside a chain that is closed to a loop, on each model of
 * friction. */
static uint64_t hash_of(lode_simd simd, int threads)
{
    uint64_t hash = 0;
    for (int model = 0; model < LODE_FRICTION_COUNT; ++model) {
        lode_world_def def = directly();
        def.simd = simd;
        def.threads = threads;
        def.friction_model = (lode_friction)model;
        arm robot = make_quadruped(&def, (lode_real)0.5);
        arm chain = make_chain(&def, &(features){.loop = true, .stops = true, .friction = true});
        add_floor(robot.world, 0.5);
        assert_int_equal(
            lode_articulation_set_root_linear_velocity(robot.articulation, vec(2, 1, 0), true),
            LODE_OK);
        step_by(&robot, 60, (lode_real)1 / 120);
        step_by(&chain, 60, (lode_real)1 / 120);
        hash = hash * 31 + lode_world_hash(robot.world);
        hash = hash * 31 + lode_world_hash(chain.world);
        lode_world_destroy(robot.world);
        lode_world_destroy(chain.world);
    }
    return hash;
}

static void each_instruction_set_and_any_threads_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t plain = hash_of(LODE_SIMD_PLAIN, 1);
    for (int simd = LODE_SIMD_PLAIN + 1; simd < LODE_SIMD_COUNT; ++simd)
        if (lode_simd_available((lode_simd)simd))
            assert_true(hash_of((lode_simd)simd, 1) == plain);
    assert_true(hash_of(LODE_SIMD_AUTO, 3) == plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quadruped_stands),
        cmocka_unit_test(a_quadruped_skids),
        cmocka_unit_test(an_arm_lifts_a_box),
        cmocka_unit_test(chains_are_solved_to_the_end),
        cmocka_unit_test(many_that_hang_together_are_solved_to_the_end),
        cmocka_unit_test(sweeps_come_to_the_same),
        cmocka_unit_test(joints_that_repeat_each_other_are_borne),
        cmocka_unit_test(joints_that_contradict_each_other_are_told_of),
        cmocka_unit_test(hybrid_worlds_choose_by_rows),
        cmocka_unit_test(each_instruction_set_and_any_threads_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
