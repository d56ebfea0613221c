/* Kinematic bodies: they go where their velocity leads, to the last digit, whatever they meet, and
 * take along, lift, push and swing what is dynamic, with either solver. */
#include "tests/world/support.h"

#include <math.h>

static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static lode_world world_with(lode_solver solver)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    return lode_world_create(&def);
}

static void steps(lode_world world, int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static lode_body add_box(lode_world world, lode_body_type type, lode_vec3 at, lode_vec3 half)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, type, at.x, at.y, at.z);
    assert_true(lode_shape_create_box(body, &def, half).id);
    return body;
}

/* A plate of kinematic type whose top is at height 0. */
static lode_body add_plate(lode_world world)
{
    return add_box(world, LODE_KINEMATIC, vec(0, 0, (lode_real)-0.25), vec(4, 4, (lode_real)0.25));
}

static lode_body add_crate(lode_world world, lode_real x, lode_real z)
{
    return add_box(world, LODE_DYNAMIC, vec(x, 0, z),
                   vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
}

static lode_vec3 where(lode_body body)
{
    return lode_body_get_pose(body).position;
}

static lode_vec3 minus(lode_vec3 a, lode_vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static double length(lode_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

/* ---- it goes its way ---- */

static void it_goes_where_its_velocity_leads(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        lode_body body = add_body(world, LODE_KINEMATIC, 1, 2, 3);
        lode_body_set_linear_velocity(body, vec(1, -2, (lode_real)0.5));
        steps(world, 64);
        assert_true(near_vec(where(body), vec(2, 0, (lode_real)3.5), 1e-6));
        assert_true(near_vec(lode_body_get_linear_velocity(body), vec(1, -2, (lode_real)0.5), 0));
        lode_world_destroy(world);
    }
}

/* A turn is exact at any speed: a quarter of a circle in one step is that. */
static void it_turns_by_exactly_velocity_times_time(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int s = 0; s < SOLVERS; ++s)
        for (int parts = 1; parts <= 64; parts *= 4) {
            lode_world world = world_with(solvers[s]);
            lode_body body = add_body(world, LODE_KINEMATIC, 0, 0, 0);
            lode_body_set_angular_velocity(body, vec(0, 0, (lode_real)(pi / 2 * 64 / parts)));
            steps(world, parts);
            lode_quat q = lode_body_get_pose(body).rotation;
            assert_true(near(q.w, sqrt(0.5), 4e-6) && near(q.z, sqrt(0.5), 4e-6));
            assert_true(near(q.x, 0, 1e-6) && near(q.y, 0, 1e-6));
            lode_world_destroy(world);
        }
}

static void nothing_pushes_it(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        lode_body plate = add_plate(world), other = add_plate(world);
        lode_body ground = add_ground(world);
        lode_body_set_linear_velocity(plate, vec(0, 0, (lode_real)0.5));
        lode_body_set_linear_velocity(other, vec(0, 0, (lode_real)0.25));
        for (int i = 0; i < 8; ++i)
            add_crate(world, (lode_real)i - 3.5f, 1);
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        def.body_a = add_crate(world, 0, -5);
        def.body_b = plate;
        assert_true(lode_joint_create(world, &def).id);
        for (int i = 0; i < 64; ++i) {
            lode_body_add_force(plate, vec(1000, 0, 0));
            lode_body_add_torque(plate, vec(1000, 0, 0));
            lode_body_add_impulse_at(plate, vec(1000, 0, 0), vec(1, 2, 3));
            steps(world, 1);
        }
        assert_true(near_vec(where(plate), vec(0, 0, (lode_real)0.25), 1e-6));
        assert_true(near_vec(where(other), vec(0, 0, 0), 1e-6));
        assert_true(near_vec(where(ground), vec(0, 0, 0), 0));
        lode_quat q = lode_body_get_pose(plate).rotation;
        assert_true(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
        lode_mass mass = lode_body_get_mass(plate);
        assert_true(mass.mass == 0);
        lode_world_destroy(world);
    }
}

static void it_pairs_with_dynamic_bodies_alone(void **state)
{
    (void)state;
    lode_world world = world_with(LODE_SOLVER_PGS);
    lode_body a = add_plate(world), b = add_plate(world);
    add_ground(world);
    add_box(world, LODE_STATIC, vec(0, 0, 0), vec(1, 1, 1));
    lode_body_set_linear_velocity(a, vec(1, 0, 0));
    lode_body_set_angular_velocity(b, vec(1, 0, 0));
    lode_world_stats stats;
    for (int i = 0; i < 8; ++i) {
        steps(world, 1);
        lode_world_get_stats(world, &stats);
        assert_int_equal(stats.pairs, 0);
        assert_int_equal(stats.islands, 0);
    }
    lode_world_destroy(world);
}

/* One that stands still is a static body, to the bit. */
static void at_rest_it_is_like_a_static_one(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_pose poses[2][6];
        for (int kind = 0; kind < 2; ++kind) {
            lode_world world = world_with(solvers[s]);
            add_box(world, kind ? LODE_KINEMATIC : LODE_STATIC, vec(0, 0, (lode_real)-0.25),
                    vec(4, 4, (lode_real)0.25));
            lode_body crates[6];
            for (int i = 0; i < 6; ++i)
                crates[i] = add_crate(world, (lode_real)0.1f * (lode_real)i, (lode_real)i + 0.55f);
            steps(world, 100);
            for (int i = 0; i < 6; ++i)
                poses[kind][i] = lode_body_get_pose(crates[i]);
            lode_world_destroy(world);
        }
        assert_memory_equal(poses[0], poses[1], sizeof poses[0]);
    }
}

/* ---- it takes others along ---- */

static void a_platform_carries_by_friction(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        lode_body plate = add_plate(world), crate = add_crate(world, 0, (lode_real)0.5);
        steps(world, 16);
        lode_body_set_linear_velocity(plate, vec(1, 0, 0));
        steps(world, 128);
        /* it slides until friction, 0.6 g, has brought it to 1 m/s */
        double slip = 1 / (2 * 0.6 * 9.81);
        lode_vec3 apart = minus(where(crate), where(plate));
        assert_true(near(apart.x, -slip, 0.03) && near(apart.y, 0, 0.01));
        assert_true(near_vec(lode_body_get_linear_velocity(crate), vec(1, 0, 0), 0.01));
        lode_body_set_linear_velocity(plate, vec(0, 0, 0));
        steps(world, 64);
        assert_true(near_vec(lode_body_get_linear_velocity(crate), vec(0, 0, 0), 0.01));
        apart = minus(where(crate), where(plate));
        assert_true(near(apart.x, 0, 0.03));
        lode_world_destroy(world);
    }
}

static void a_turntable_takes_a_crate_round(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        lode_body plate = add_plate(world), crate = add_crate(world, 2, (lode_real)0.5);
        steps(world, 16);
        lode_body_set_angular_velocity(plate, vec(0, 0, 1)); /* 2 m/s^2 at the crate */
        steps(world, 192);
        lode_vec3 at = where(crate);
        assert_true(near(length(vec(at.x, at.y, 0)), 2, 0.15));
        lode_vec3 v = lode_body_get_linear_velocity(crate);
        assert_true(near(v.x, -at.y, 0.08) && near(v.y, at.x, 0.08));
        assert_true(near(lode_body_get_angular_velocity(crate).z, 1, 0.05));
        lode_world_destroy(world);
    }
}

static void a_lift_lifts(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s)
        for (int down = 0; down < 2; ++down) {
            lode_world world = world_with(solvers[s]);
            lode_body plate = add_plate(world), tower[3];
            for (int i = 0; i < 3; ++i)
                tower[i] = add_crate(world, 0, (lode_real)0.5 + (lode_real)i);
            steps(world, 16);
            lode_body_set_linear_velocity(plate, vec(0, 0, down ? -1 : 1));
            steps(world, 128);
            for (int i = 0; i < 3; ++i) {
                lode_vec3 apart = minus(where(tower[i]), where(plate));
                assert_true(near_vec(apart, vec(0, 0, 0.75f + (lode_real)i), 0.03));
                assert_true(near(lode_body_get_linear_velocity(tower[i]).z, down ? -1 : 1, 0.02));
            }
            lode_world_destroy(world);
        }
}

/* What happens on a plate does not tell whether the plate moves: with its velocity added to all,
 * the same tower stands the same. */
static void motion_is_relative(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_vec3 apart[2][5];
        for (int moving = 0; moving < 2; ++moving) {
            lode_world world = world_with(solvers[s]);
            lode_vec3 v = moving ? vec(2, -1, 3) : vec(0, 0, 0);
            lode_body plate = add_plate(world), tower[5];
            lode_body_set_linear_velocity(plate, v);
            for (int i = 0; i < 5; ++i) {
                tower[i] = add_crate(world, 0.04f * (lode_real)i, 0.52f + 1.02f * (lode_real)i);
                lode_body_set_linear_velocity(tower[i], v);
            }
            steps(world, 64);
            for (int i = 0; i < 5; ++i)
                apart[moving][i] = minus(where(tower[i]), where(plate));
            lode_world_destroy(world);
        }
        for (int i = 0; i < 5; ++i)
            assert_true(near_vec(apart[0][i], apart[1][i], 2e-3));
    }
}

static void a_piston_pushes(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        add_ground(world);
        lode_body crate = add_crate(world, 0, (lode_real)0.5);
        lode_body piston = add_box(world, LODE_KINEMATIC, vec(-2, 0, (lode_real)0.6),
                                   vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
        lode_body_set_linear_velocity(piston, vec(2, 0, 0));
        steps(world, 128);
        lode_vec3 apart = minus(where(crate), where(piston));
        assert_true(near(apart.x, 1, 0.02));
        assert_true(near(lode_body_get_linear_velocity(crate).x, 2, 0.02));
        assert_true(near(where(piston).x, 2, 1e-5));
        lode_world_destroy(world);
    }
}

static void a_rising_plane_lifts(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = world_with(solvers[s]);
        lode_shape_def def = lode_shape_def_default();
        lode_body floor = add_body(world, LODE_KINEMATIC, 0, 0, 0);
        assert_true(lode_shape_create_plane(floor, &def, vec(0, 0, 1), 0).id);
        lode_body crate = add_crate(world, 0, (lode_real)0.5);
        lode_body ball = add_ball(world, 40, 0, (lode_real)0.5, (lode_real)0.5);
        lode_body_set_linear_velocity(floor, vec(0, 0, 2));
        steps(world, 96);
        assert_true(near(where(crate).z, 3.5, 0.02) && near(where(ball).z, 3.5, 0.02));
        lode_world_destroy(world);
    }
}

/* The impulses that hold a crate on a lift are told as its weight, whichever has the lower slot. */
static void contacts_tell_who_is_pushed(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s)
        for (int crate_first = 0; crate_first < 2; ++crate_first)
            for (int moving = 0; moving < 2; ++moving) {
                lode_world world = world_with(solvers[s]);
                lode_body plate = {0}, crate = {0};
                if (!crate_first)
                    plate = add_plate(world);
                crate = add_crate(world, 0, (lode_real)0.5);
                if (crate_first)
                    plate = add_plate(world);
                lode_body_set_linear_velocity(plate, vec(moving, 0, moving));
                lode_body_set_linear_velocity(crate, vec(moving, 0, moving));
                steps(world, 64);
                lode_contact contact;
                assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
                lode_body on = lode_shape_get_body(contact.shape_a);
                assert_true(on.id == (crate_first ? crate.id : plate.id));
                double sum = 0, side = 0;
                for (int i = 0; i < contact.point_count; ++i) {
                    sum += contact.points[i].impulse.z;
                    side += contact.points[i].impulse.x;
                }
                double weight = 1000 * 9.81 * STEP * (crate_first ? 1 : -1);
                assert_true(near(sum, weight, 0.05 * fabs(weight)));
                assert_true(near(side, 0, 0.02 * fabs(weight)));
                assert_true(near(contact.normal.z, crate_first ? 1 : -1, 1e-4));
                lode_world_destroy(world);
            }
}

/* ---- joints ---- */

static lode_joint hang(lode_world world, lode_body from, lode_body bob, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = from;
    def.body_b = bob;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, vec(1, 0, 0)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id);
    return joint;
}

static void joints_follow(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s)
        for (int swapped = 0; swapped < 2; ++swapped) {
            lode_world world = world_with(solvers[s]);
            lode_body arm = add_body(world, LODE_KINEMATIC, 0, 0, 0);
            lode_body bob = add_ball(world, 2, 0, -1, (lode_real)0.2);
            lode_joint joint = swapped ? hang(world, bob, arm, vec(2, 0, 0))
                                       : hang(world, arm, bob, vec(2, 0, 0));
            lode_body_set_linear_velocity(arm, vec(0, 1, 2));
            lode_body_set_angular_velocity(arm, vec(0, 0, 2));
            for (int i = 0; i < 256; ++i) {
                steps(world, 1);
                lode_vec3 apart = minus(lode_joint_get_anchor_a(joint),
                                        lode_joint_get_anchor_b(joint));
                assert_true(length(apart) < 0.05);
            }
            assert_true(near_vec(where(arm), vec(0, 4, 8), 1e-5));
            lode_world_destroy(world);
        }
}

/* ---- islands, threads, instruction sets ---- */

static lode_world carried_towers(int threads, lode_simd simd, lode_solver solver)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.simd = simd;
    def.solver = solver;
    lode_world world = lode_world_create(&def);
    lode_body plates[2] = {add_plate(world), add_plate(world)};
    lode_body_set_pose(plates[1], (lode_pose){vec(20, 0, 0), {1, 0, 0, 0}});
    for (int i = 0; i < 2; ++i) {
        lode_body_set_linear_velocity(plates[i], vec((lode_real)i, 1, (lode_real)0.5));
        lode_body_set_angular_velocity(plates[i], vec(0, 0, (lode_real)i + 0.5f));
    }
    for (int i = 0; i < 20; ++i)
        add_crate(world, (lode_real)(i % 5) * 1.5f - 3 + (lode_real)(i / 10) * 20,
                  (lode_real)(i / 5 % 2) + 0.6f);
    hang(world, plates[0], add_ball(world, 0, 0, -3, 1), vec(0, 0, 0));
    steps(world, 100);
    return world;
}

static void what_stands_on_it_is_no_island(void **state)
{
    (void)state;
    lode_world world = carried_towers(1, LODE_SIMD_AUTO, LODE_SOLVER_PGS);
    lode_world_stats stats;
    lode_world_get_stats(world, &stats);
    assert_true(stats.islands >= 5 && stats.contacts >= 10);
    assert_int_equal(stats.overflow_blocks, 0);
    lode_world_destroy(world);
}

static void threads_and_instruction_sets_agree(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; ++s) {
        lode_world world = carried_towers(1, LODE_SIMD_PLAIN, solvers[s]);
        uint64_t hash = lode_world_hash(world);
        lode_world_destroy(world);
        for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
            if (!lode_simd_available((lode_simd)simd))
                continue;
            world = carried_towers(3, (lode_simd)simd, solvers[s]);
            assert_true(lode_world_hash(world) == hash);
            lode_world_destroy(world);
        }
    }
}

/* ---- changing the type ---- */

static void a_body_may_change_its_type(void **state)
{
    (void)state;
    lode_world world = world_with(LODE_SOLVER_PGS);
    lode_world_stats stats;
    lode_body crate = add_crate(world, 0, 10);
    steps(world, 8);
    double speed = lode_body_get_linear_velocity(crate).z;
    assert_int_equal(lode_body_set_type(crate, LODE_KINEMATIC), LODE_OK);
    assert_int_equal(lode_body_get_type(crate), LODE_KINEMATIC);
    steps(world, 8);
    assert_true(near(lode_body_get_linear_velocity(crate).z, speed, 0));
    lode_world_get_stats(world, &stats);
    assert_int_equal(stats.dynamic_bodies, 0);
    assert_int_equal(lode_body_set_type(crate, LODE_STATIC), LODE_OK);
    lode_vec3 at = where(crate);
    steps(world, 8);
    assert_true(near_vec(where(crate), at, 0));
    assert_true(near_vec(lode_body_get_linear_velocity(crate), vec(0, 0, 0), 0));
    assert_int_equal(lode_body_set_type(crate, LODE_DYNAMIC), LODE_OK);
    assert_true(near(lode_body_get_mass(crate).mass, 1000, 1e-3));
    steps(world, 8);
    assert_true(near(lode_body_get_linear_velocity(crate).z, -8 * 9.81 / 64, 1e-4));
    lode_world_get_stats(world, &stats);
    assert_int_equal(stats.dynamic_bodies, 1);
    lode_world_destroy(world);
}

/* The frame stays though the centre of mass does not. */
static void the_frame_stays_when_the_type_changes(void **state)
{
    (void)state;
    lode_world world = world_with(LODE_SOLVER_PGS);
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 1, 2, 3);
    def.pose.position = vec(2, 0, 0);
    lode_shape_create_sphere(body, &def, 1);
    lode_body_set_angular_velocity(body, vec(0, 0, 1));
    lode_body_set_type(body, LODE_KINEMATIC);
    assert_true(near_vec(where(body), vec(1, 2, 3), 1e-6));
    assert_true(near_vec(lode_body_get_center(body), vec(1, 2, 3), 1e-6));
    /* the centre was at rest, so the origin, 2 m to its left, goes down */
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(0, -2, 0), 1e-6));
    lode_body_set_type(body, LODE_DYNAMIC);
    assert_true(near_vec(lode_body_get_center(body), vec(3, 2, 3), 1e-6));
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(0, 0, 0), 1e-6));
    lode_world_destroy(world);
}

static void contacts_come_and_go_with_the_type(void **state)
{
    (void)state;
    lode_world world = world_with(LODE_SOLVER_PGS);
    lode_body plate = add_plate(world), crate = add_crate(world, 0, (lode_real)0.5);
    steps(world, 32);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    lode_body_set_type(crate, LODE_STATIC);
    steps(world, 1);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_body_set_type(crate, LODE_DYNAMIC);
    lode_body_set_linear_velocity(plate, vec(0, 0, 1));
    steps(world, 64);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    assert_true(near(where(crate).z, 1.5, 0.02));
    /* which side is pushed changes under the contact: no jolt */
    lode_body_set_type(plate, LODE_DYNAMIC);
    lode_body_set_type(crate, LODE_KINEMATIC);
    lode_body_set_linear_velocity(crate, vec(0, 0, 0));
    lode_body_set_linear_velocity(plate, vec(0, 0, 0));
    steps(world, 1);
    assert_true(length(lode_body_get_linear_velocity(plate)) < 0.5);
    lode_world_destroy(world);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    report_install();
    lode_world world = world_with(LODE_SOLVER_PGS);
    lode_body ground = add_ground(world);
    assert_int_equal(lode_body_set_type(ground, LODE_DYNAMIC), LODE_ERROR_ARGUMENT);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_body_set_type", "type");
    assert_int_equal(lode_body_get_type(ground), LODE_STATIC);
    report_clear();
    assert_int_equal(lode_body_set_type(ground, (lode_body_type)3), LODE_ERROR_ARGUMENT);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_body_set_type", "type");
    report_clear();
    assert_int_equal(lode_body_set_type(ground, LODE_STATIC), LODE_OK);
    assert_int_equal(lode_body_set_type(ground, LODE_KINEMATIC), LODE_OK);
    assert_int_equal(report.count, 0);
    lode_world_destroy(world);
}

/* A body that would leave the range of numbers is frozen where it is. */
static void it_is_frozen_at_the_end_of_the_world(void **state)
{
    (void)state;
    lode_real far = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    for (int turn = 0; turn < 2; ++turn) {
        lode_world world = world_with(LODE_SOLVER_SOFT_STEP);
        lode_body body = add_body(world, LODE_KINEMATIC, turn ? 0 : far, 0, 0);
        if (turn)
            lode_body_set_angular_velocity(body, vec(far, far, 0));
        else
            lode_body_set_linear_velocity(body, vec(far, 0, 0));
        assert_int_equal(lode_world_step(world, 1), LODE_OK);
        lode_warning_info warnings[LODE_WARNING_COUNT];
        lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
        assert_int_equal(warnings[LODE_WARNING_NAN_BODY].ever, 1);
        assert_true(warnings[LODE_WARNING_NAN_BODY].first.id == body.id);
        assert_true(near_vec(where(body), vec(turn ? 0 : far, 0, 0), 0));
        assert_true(near_vec(lode_body_get_linear_velocity(body), vec(0, 0, 0), 0));
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_where_its_velocity_leads),
        cmocka_unit_test(it_turns_by_exactly_velocity_times_time),
        cmocka_unit_test(nothing_pushes_it),
        cmocka_unit_test(it_pairs_with_dynamic_bodies_alone),
        cmocka_unit_test(at_rest_it_is_like_a_static_one),
        cmocka_unit_test(a_platform_carries_by_friction),
        cmocka_unit_test(a_turntable_takes_a_crate_round),
        cmocka_unit_test(a_lift_lifts),
        cmocka_unit_test(motion_is_relative),
        cmocka_unit_test(a_piston_pushes),
        cmocka_unit_test(a_rising_plane_lifts),
        cmocka_unit_test(contacts_tell_who_is_pushed),
        cmocka_unit_test(joints_follow),
        cmocka_unit_test(what_stands_on_it_is_no_island),
        cmocka_unit_test(threads_and_instruction_sets_agree),
        cmocka_unit_test(a_body_may_change_its_type),
        cmocka_unit_test(the_frame_stays_when_the_type_changes),
        cmocka_unit_test(contacts_come_and_go_with_the_type),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(it_is_frozen_at_the_end_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
