/* Hinges: pendulums, doors, motors and stops against what mechanics says of them.
 *
 * The lever is a box of half lengths 0.5, 0.05, 0.1 m whose end lies on the hinge, at the origin or
 * `away` from it; it turns about y or z, as seen from the world or from a heavy base. About the
 * hinge its inertia is I + m L^2, which is what turns in all of the formulas. */
#include "tests/fidelity/lab.h"

#define HALF 0.5
#define DENSITY 500.0
#define H (1.0 / 120)

typedef struct lever {
    lode_world world;
    lode_body arm, base; /* base null: the world */
    lode_joint joint;
    double inertia; /* about the hinge */
    double mass;
} lever;

static lode_body arm_create(lode_world world, lab_vec at, double angle)
{
    lode_body arm = lab_box(world, (lab_material){.density = DENSITY},
                            lab_vec3(at.x + HALF * cos(angle), at.y, at.z - HALF * sin(angle)),
                            lab_vec3(HALF, 0.05, 0.1));
    lode_pose pose = lode_body_get_pose(arm);
    pose.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
    lode_body_set_pose(arm, pose);
    return arm;
}

/* A lever along x from `at`, then turned by `angle` about y, on a hinge to the world about
 * `axis`. */
static lever lever_create(lode_world world, lab_vec at, double angle, lode_vec3 axis,
                          lode_joint_axis values)
{
    lever l = {.world = world, .arm = arm_create(world, at, angle)};
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = l.arm;
    def.axis[0] = values;
    assert_int_equal(lode_joint_def_anchor_world(&def, lab_vec3(at.x, at.y, at.z), axis), LODE_OK);
    l.joint = lode_joint_create(world, &def);
    assert_true(l.joint.id != 0);
    lode_mass mass = lode_body_get_mass(l.arm);
    l.mass = mass.mass;
    l.inertia = mass.inertia[axis.y != 0 ? 1 : 2] + l.mass * HALF * HALF;
    return l;
}

static lode_joint_axis free_axis(void)
{
    return lode_joint_def_default(LODE_JOINT_HINGE).axis[0];
}

static lode_joint_axis stops(double lo, double hi)
{
    lode_joint_axis axis = free_axis();
    axis.lo_stop = (lode_real)lo;
    axis.hi_stop = (lode_real)hi;
    return axis;
}

static lode_joint_axis motor(double vel, double f_max)
{
    lode_joint_axis axis = free_axis();
    axis.vel = (lode_real)vel;
    axis.f_max = (lode_real)f_max;
    return axis;
}

static const lab_vec origin = {0, 0, 0};

/* In the plane, about the z axis, without gravity: a door. */
static lever door_create(lode_solver solver, lode_joint_axis values)
{
    return lever_create(lab_world_without_gravity(solver), origin, 0, lab_vec3(0, 0, 1), values);
}

/* Sets the lever turning at `rate` about the z axis through its hinge. */
static void spin(const lever *l, double rate)
{
    double angle = lode_joint_get_position(l->joint, 0);
    lode_body_set_angular_velocity(l->arm, lab_vec3(0, 0, rate));
    lode_body_set_linear_velocity(l->arm,
                                  lab_vec3(-rate * HALF * sin(angle), rate * HALF * cos(angle), 0));
}

static double position(const lever *l)
{
    return lode_joint_get_position(l->joint, 0);
}

static double rate(const lever *l)
{
    return lode_joint_get_rate(l->joint, 0);
}

static double apart(lode_joint joint)
{
    return lab_length(
        lab_sub(lab_of(lode_joint_get_anchor_a(joint)), lab_of(lode_joint_get_anchor_b(joint))));
}

/* ---- pendulums ---- */

/* The angle off the vertical of a lever let go at `off`, where its positions are counted from. */
typedef struct hanging {
    lever lever;
    double off;
} hanging;

static double off_vertical(void *context)
{
    const hanging *p = context;
    return position(&p->lever) - p->off;
}

static void the_period_is_the_elliptic_one(void **state)
{
    static const double angles[] = {LAB_PI / 18, LAB_PI / 3, LAB_PI / 2};
    const double h = 1.0 / 240;
    for (int i = 0; i < 3; ++i) {
        lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, LAB_PI / 2 - angles[i],
                               lab_vec3(0, 1, 0), free_axis());
        double exact = lab_period(l.inertia / (l.mass * HALF), angles[i]);
        hanging p = {l, angles[i]};
        LAB_NEAR(lab_swing(l.world, h, off_vertical, &p), exact, 2 * h * exact);
        LAB_AT_MOST(apart(l.joint), 0.002);
        lode_world_destroy(l.world);
    }
}

/* The hinge's own angle, its rate and the body's rotation tell the same story. */
static void the_angle_is_that_of_the_body(void **state)
{
    lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0.3, lab_vec3(0, 1, 0),
                           free_axis());
    for (int i = 0; i < 300; ++i) {
        double before = position(&l);
        lab_run(l.world, H, 1);
        lode_quat q = lode_body_get_pose(l.arm).rotation;
        LAB_NEAR(remainder(position(&l) - (2 * atan2(q.y, q.w) - 0.3), 2 * LAB_PI), 0,
                 1e-3 + 32 * LAB_EPSILON);
        LAB_NEAR(rate(&l), lab_spin(l.arm).y, 1e-2);
        LAB_AT_MOST(fabs(position(&l) - before), 0.2); /* no jump */
    }
    lode_world_destroy(l.world);
}

/* Held out sideways by its stop, a lever's weight would turn the hinge's axis; it must not. */
static void a_loaded_axis_stays_aligned(void **state)
{
    lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0, lab_vec3(0, 0, 1), free_axis());
    for (int i = 0; i < 240; ++i) {
        lab_run(l.world, H, 1);
        lab_vec axis = lab_rotate(lode_body_get_pose(l.arm).rotation, (lab_vec){0, 0, 1});
        LAB_AT_MOST(lab_length(lab_cross(axis, (lab_vec){0, 0, 1})), 0.01);
    }
    lab_vec torque = lab_of(lode_joint_get_torque_b(l.joint));
    lab_vec force = lab_of(lode_joint_get_force(l.joint)), about_a;
    LAB_NEAR(force.z, l.mass * LAB_G, 0.01 * l.mass * LAB_G);
    LAB_NEAR(torque.y, l.mass * LAB_G * HALF, 0.02 * l.mass * LAB_G * HALF);
    /* about the lever's own centre, force and alignment cancel: it is at rest */
    about_a = lab_of(lode_joint_get_torque_a(l.joint));
    LAB_AT_MOST(lab_length(about_a), 0.02 * l.mass * LAB_G * HALF);
    lode_world_destroy(l.world);
}

/* Two levers in the air joined end to end: nothing from outside, so momentum stays, and energy does
 * not grow. */
static void a_free_pair_keeps_its_momentum(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body pair[2] = {arm_create(world, origin, 0), arm_create(world, origin, LAB_PI)};
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = pair[0];
    def.body_b = pair[1];
    lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(0, 0, 1));
    lode_joint joint = lode_joint_create(world, &def);
    lode_body_set_angular_velocity(pair[0], lab_vec3(0, 0, 2));
    lode_body_set_linear_velocity(pair[0], lab_vec3(0.5, 1, 0));
    lode_body_set_linear_velocity(pair[1], lab_vec3(0.5, 0, 0));
    lab_sum start = lab_total(pair, 2);
    for (int i = 0; i < 600; ++i) {
        lab_run(world, H, 1);
        lab_sum now = lab_total(pair, 2);
        LAB_NEAR(lab_length(lab_sub(now.momentum, start.momentum)), 0,
                 1e4 * LAB_EPSILON * lab_length(start.momentum));
        LAB_AT_MOST(now.kinetic, start.kinetic * 1.01);
        LAB_AT_MOST(apart(joint), 0.01);
    }
    LAB_NEAR(lab_total(pair, 2).angular.z, start.angular.z, 0.02 * fabs(start.angular.z));
    lode_world_destroy(world);
}

/* ---- stops ---- */

/* A hard stop is arrived at, not run into; and the door stays there. */
static void a_door_closes_on_its_stop(void **state)
{
    for (int side = -1; side <= 1; side += 2) {
        lever l = door_create(LAB_SOLVER(state), stops(-1, 1));
        spin(&l, side * 3);
        for (int i = 0; i < 120; ++i) {
            lab_run(l.world, H, 1);
            LAB_AT_MOST(fabs(position(&l)), 1 + 0.002);
        }
        LAB_NEAR(position(&l), side, 0.01);
        LAB_NEAR(rate(&l), 0, 1e-3);
        LAB_NEAR(lode_joint_get_stop_force(l.joint, 0), 0, 1e-2);
        lode_world_destroy(l.world);
    }
}

/* It leaves a stop that bounces with that share of its speed. */
static void stops_give_back_what_they_should(void **state)
{
    static const double shares[] = {0.3, 0.5, 1};
    for (int i = 0; i < 3; ++i) {
        lode_joint_axis axis = stops(-0.5, 0.7);
        axis.bounce = (lode_real)shares[i];
        lever l = door_create(LAB_SOLVER(state), axis);
        spin(&l, 2);
        double least = 0;
        for (int step = 0; step < 60; ++step) {
            lab_run(l.world, H, 1);
            least = fmin(least, rate(&l));
            LAB_AT_MOST(position(&l), 0.7 + 2 * 2 * H);
        }
        LAB_NEAR(least, -2 * shares[i], 0.02);
        LAB_NEAR(rate(&l), -2 * shares[i], 0.02);
        lode_world_destroy(l.world);
    }
}

/* Under its weight it comes to rest on a stop, bouncing or not, and the stop carries the weight. */
static void a_stop_carries_the_weight(void **state)
{
    for (int bounces = 0; bounces < 2; ++bounces) {
        lode_joint_axis axis = stops(-2, 0.1);
        axis.bounce = bounces ? (lode_real)0.4 : 0;
        lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0, lab_vec3(0, 1, 0), axis);
        lab_run(l.world, H, 600);
        LAB_NEAR(position(&l), 0.1, 0.01);
        LAB_NEAR(rate(&l), 0, 0.01);
        double torque = l.mass * LAB_G * HALF * cos(position(&l)), sum = 0;
        for (int i = 0; i < 64; ++i) { /* a stop that bounces may let go for a while */
            lab_run(l.world, H, 1);
            sum += lode_joint_get_stop_force(l.joint, 0) / 64;
        }
        LAB_NEAR(sum, -torque, 0.001 * torque);
        lode_world_destroy(l.world);
    }
}

/* With k = erp / (cfm dt) the weight presses it in by torque / k, whatever the solver. */
static void a_soft_stop_is_a_spring(void **state)
{
    lode_joint_axis axis = stops(-2, 0);
    const double stiffness = 2000, damping = 150;
    axis.stop_cfm = (lode_real)(1 / (H * stiffness + damping));
    axis.stop_erp = (lode_real)(H * stiffness / (H * stiffness + damping));
    lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0, lab_vec3(0, 1, 0), axis);
    lab_run(l.world, H, 1200);
    double in = l.mass * LAB_G * HALF / stiffness;
    LAB_NEAR(position(&l), in, 0.03 * in);
    LAB_NEAR(lode_joint_get_stop_force(l.joint, 0), -stiffness * in, 0.03 * stiffness * in);
    lode_world_destroy(l.world);
}

static void equal_stops_hold_the_axis(void **state)
{
    lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0, lab_vec3(0, 1, 0), stops(0, 0));
    for (int i = 0; i < 300; ++i) {
        lab_run(l.world, H, 1);
        LAB_AT_MOST(fabs(position(&l)), 0.01);
    }
    double torque = l.mass * LAB_G * HALF;
    LAB_NEAR(lode_joint_get_stop_force(l.joint, 0), -torque, 0.02 * torque);
    lode_world_destroy(l.world);
}

/* ---- motors ---- */

/* While it falls short a motor pushes with f_max exactly, then it keeps the speed without
 * effort. */
static void a_motor_pushes_with_its_force(void **state)
{
    const double torque = 30, speed = 1.5;
    lever l = door_create(LAB_SOLVER(state), motor(speed, torque));
    double reached = l.inertia * speed / torque;
    int steps = (int)(0.9 * reached / H);
    for (int i = 1; i <= steps; ++i) {
        lab_run(l.world, H, 1);
        LAB_NEAR(rate(&l), torque / l.inertia * i * H, 0.01 * speed);
        LAB_NEAR(lode_joint_get_motor_force(l.joint, 0), torque, 16 * LAB_EPSILON * torque);
    }
    lab_run(l.world, H, 200);
    LAB_NEAR(rate(&l), speed, 1e-3);
    LAB_NEAR(lode_joint_get_motor_force(l.joint, 0), 0, 0.02 * torque);
    lode_world_destroy(l.world);
}

/* It cannot lift more than it may push with, and a brake that is strong enough holds. */
static void a_motor_is_never_stronger_than_allowed(void **state)
{
    double weight = 0;
    for (int strong = 0; strong < 2; ++strong) {
        lever l = lever_create(lab_world(LAB_SOLVER(state)), origin, 0, lab_vec3(0, 1, 0),
                               motor(0, 0));
        weight = l.mass * LAB_G * HALF;
        lode_joint_set_motor(l.joint, 0, 0, (lode_real)(weight * (strong ? 1.1 : 0.9)));
        for (int i = 0; i < 120; ++i) {
            lab_run(l.world, H, 1);
            LAB_AT_MOST(fabs(lode_joint_get_motor_force(l.joint, 0)), 1.1001 * weight);
        }
        if (strong)
            LAB_AT_MOST(fabs(position(&l)), 0.01);
        else
            LAB_AT_MOST(0.1, position(&l));
        lode_world_destroy(l.world);
    }
}

/* Against a stop the motor pushes with f_max and the stop back with as much. */
static void the_stop_wins_over_the_motor(void **state)
{
    lode_joint_axis axis = stops(-0.2, 0.3);
    axis.vel = 5;
    axis.f_max = 40;
    lever l = door_create(LAB_SOLVER(state), axis);
    lab_run(l.world, H, 240);
    for (int i = 0; i < 60; ++i) {
        lab_run(l.world, H, 1);
        LAB_NEAR(position(&l), 0.3, 0.01);
        LAB_NEAR(rate(&l), 0, 0.01);
        LAB_NEAR(lode_joint_get_motor_force(l.joint, 0), 40, 0.4);
        LAB_NEAR(lode_joint_get_stop_force(l.joint, 0), -40, 0.4);
        LAB_NEAR(lode_joint_get_torque_b(l.joint).z, 0, 0.8);
    }
    lode_joint_set_motor(l.joint, 0, -1, 40); /* and away from it: no jump */
    lab_run(l.world, H, 1);
    LAB_AT_MOST(-40 / l.inertia * H * 1.05, rate(&l));
    lab_run(l.world, H, 240);
    LAB_NEAR(position(&l), -0.2, 0.01);
    lode_world_destroy(l.world);
}

/* Three turns and a bit, counted, up to a stop that lies there. */
static void angles_count_on_beyond_a_turn(void **state)
{
    lode_joint_axis axis = stops(-1, 20);
    axis.vel = 6;
    axis.f_max = 1000;
    lever l = door_create(LAB_SOLVER(state), axis);
    double before = 0;
    for (int i = 0; i < 600; ++i) {
        lab_run(l.world, H, 1);
        LAB_NEAR(position(&l) - before, 0, 6 * H * 1.1);
        before = position(&l);
        LAB_AT_MOST(before, 20 + 0.01);
    }
    LAB_NEAR(before, 20, 0.02);
    lode_world_destroy(l.world);
}

/* ---- elsewhere, otherwise ---- */

static void far_from_the_origin_hinges_work_alike(void **state)
{
    const lab_vec away = {2000, -3000, 1000};
    lever l = lever_create(lab_world_without_gravity(LAB_SOLVER(state)), away, 0, lab_vec3(0, 0, 1),
                           stops(-1, 0.8));
    spin(&l, 1);
    for (int i = 0; i < 240; ++i) {
        lab_run(l.world, H, 1);
        LAB_AT_MOST(position(&l), 0.81);
        LAB_AT_MOST(apart(l.joint), 0.005 + 4000 * 4 * LAB_EPSILON);
    }
    LAB_NEAR(position(&l), 0.8, 0.02);
    lode_world_destroy(l.world);
}

/* Against a body that turns by itself, or that is held, a hinge measures and stops alike: body b is
 * in turn static, kinematic and turning, and a heavy dynamic one. */
static void whatever_body_b_is(void **state)
{
    for (int kind = 0; kind < 3; ++kind) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_body_def base_def = lode_body_def_default();
        base_def.type = kind == 0 ? LODE_STATIC : kind == 1 ? LODE_KINEMATIC : LODE_DYNAMIC;
        if (kind == 1)
            base_def.angular_velocity = lab_vec3(0, 0, -2);
        lode_body base = lode_body_create(world, &base_def);
        if (kind == 2)
            lode_body_set_mass(base, &(lode_mass){1e5f, {0, 0, 0}, {1e5f, 1e5f, 1e5f, 0, 0, 0}});
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
        def.body_a = arm_create(world, origin, 0);
        def.body_b = base;
        def.axis[0] = stops(-0.6, 0.6);
        lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(0, 0, 1));
        lever l = {.world = world, .arm = def.body_a, .joint = lode_joint_create(world, &def)};
        if (kind != 1)
            spin(&l, 2);
        for (int i = 0; i < 120; ++i) {
            lab_run(world, H, 1);
            LAB_AT_MOST(position(&l), 0.61);
        }
        LAB_NEAR(position(&l), 0.6, 0.01);
        LAB_NEAR(lab_spin(l.arm).z, kind == 1 ? -2 : 0, 0.02);
        lode_world_destroy(world);
    }
}

/* Turned over, with axes against each other, the hinge still finds home: the error of alignment is
 * as strong as its angle. */
static void frames_that_do_not_meet_come_together(void **state)
{
    static const double tilts[] = {1, 2, 3, 3.14};
    for (int i = 0; i < 4; ++i) {
        lever l = door_create(LAB_SOLVER(state), free_axis());
        lode_pose pose = lode_body_get_pose(l.arm);
        double half = tilts[i] / 2;
        pose.rotation = (lode_quat){(lode_real)cos(half), (lode_real)sin(half), 0, 0};
        lode_body_set_pose(l.arm, pose);
        lab_run(l.world, H, 360);
        lab_vec axis = lab_rotate(lode_body_get_pose(l.arm).rotation, (lab_vec){0, 0, 1});
        LAB_NEAR(axis.z, 1, 0.001);
        lode_world_destroy(l.world);
    }
}

/* Chains of links that bend by half a radian at most, dropped in a heap of motions: nothing comes
 * apart by much, though by more joint by joint, where each step starts anew; no stop is passed by
 * much, and energy does not grow. */
static void limited_chains_hold(void **state)
{
    enum { CHAINS = 20, LINKS = 5 };
    lode_world world = lab_world(LAB_SOLVER(state));
    static lode_joint joints[CHAINS * LINKS];
    static lode_body links[CHAINS * LINKS];
    for (int c = 0; c < CHAINS; ++c) {
        lode_body last = {0};
        for (int i = 0; i < LINKS; ++i) {
            lode_body link = lab_box(world, (lab_material){.density = 1000},
                                     lab_vec3(0.25 + 0.5 * i, 2 * c, 0), lab_vec3(0.2, 0.1, 0.1));
            lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
            def.body_a = link;
            def.body_b = last;
            def.axis[0] = stops(-0.5, 0.5);
            if (i % 2) {
                def.axis[0].f_max = 2; /* a brake */
                def.axis[0].vel = 0;
            }
            double turn = 0.3 * c;
            lode_joint_def_anchor_world(&def, lab_vec3(0.5 * i, 2 * c, 0),
                                        lab_vec3(0, cos(turn), sin(turn)));
            joints[c * LINKS + i] = lode_joint_create(world, &def);
            links[c * LINKS + i] = last = link;
        }
    }
    double worst = 0, widest = 0, most = -1e9, mass = lode_body_get_mass(links[0]).mass;
    for (int step = 0; step < 600; ++step) {
        lab_run(world, 1.0 / 60, 1);
        for (int i = 0; i < CHAINS * LINKS; ++i) {
            worst = fmax(worst, fabs(lode_joint_get_position(joints[i], 0)));
            widest = fmax(widest, apart(joints[i]));
        }
        double energy = lab_total(links, CHAINS * LINKS).kinetic;
        for (int i = 0; i < CHAINS * LINKS; ++i)
            energy += mass * LAB_G * lab_center(links[i]).z;
        most = fmax(most, energy);
    }
    print_message("worst angle %.3f of 0.5, widest gap %.4f m, energy %.1f J\n", worst, widest,
                  most);
    LAB_AT_MOST(worst, 0.8);
    LAB_AT_MOST(widest, LAB_SOLVER(state) == LODE_SOLVER_PER_JOINT ? 0.055 : 0.05);
    LAB_AT_MOST(most, 0.001 * mass * LAB_G * CHAINS * LINKS);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(the_period_is_the_elliptic_one),
        LAB_EACH_AND_PER_JOINT(the_angle_is_that_of_the_body),
        LAB_EACH_AND_PER_JOINT(a_loaded_axis_stays_aligned),
        LAB_EACH_AND_PER_JOINT(a_free_pair_keeps_its_momentum),
        LAB_EACH_AND_PER_JOINT(a_door_closes_on_its_stop),
        LAB_EACH_AND_PER_JOINT(stops_give_back_what_they_should),
        LAB_EACH_AND_PER_JOINT(a_stop_carries_the_weight),
        LAB_EACH_AND_PER_JOINT(a_soft_stop_is_a_spring),
        LAB_EACH_AND_PER_JOINT(equal_stops_hold_the_axis),
        LAB_EACH_AND_PER_JOINT(a_motor_pushes_with_its_force),
        LAB_EACH_AND_PER_JOINT(a_motor_is_never_stronger_than_allowed),
        LAB_EACH_AND_PER_JOINT(the_stop_wins_over_the_motor),
        LAB_EACH_AND_PER_JOINT(angles_count_on_beyond_a_turn),
        LAB_EACH_AND_PER_JOINT(far_from_the_origin_hinges_work_alike),
        LAB_EACH_AND_PER_JOINT(whatever_body_b_is),
        LAB_EACH_AND_PER_JOINT(frames_that_do_not_meet_come_together),
        LAB_EACH_AND_PER_JOINT(limited_chains_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
