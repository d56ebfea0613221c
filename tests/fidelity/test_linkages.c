/* Joints over many bodies, with every solver, against what mechanics says: gear, rack, pulley,
 * differential, and rows that the application writes. */
#include "core/math.h"
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

/* A cylinder of this mass turns about x with the inertia WHEEL_INERTIA. */
#define WHEEL_MASS 2.0
#define WHEEL_INERTIA 0.25

/* Its inertia is the same about all axes, so that nothing else matters. */
static lode_body wheel(lode_world world, double x, double y, double scale)
{
    lode_body body = lab_body(world, lab_vec3(x, y, 0));
    lode_mass mass = {.mass = (lode_real)(WHEEL_MASS * scale)};
    for (int i = 0; i < 3; ++i)
        mass.inertia[i] = (lode_real)(WHEEL_INERTIA * scale);
    assert_int_equal(lode_body_set_mass(body, &mass), LODE_OK);
    return body;
}

static lode_joint hinge(lode_world world, lode_body body, lode_body to, lode_vec3 axis)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = body;
    def.body_b = to;
    assert_int_equal(lode_joint_def_anchor_world(&def, lode_body_get_center(body), axis), LODE_OK);
    return lode_joint_create(world, &def);
}

static lode_joint couple(lode_world world, const lode_joint_term *terms, int count)
{
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = count;
    assert_int_equal(lode_coupling_def_hold(&def), LODE_OK);
    lode_joint joint = lode_coupling_create(world, &def);
    assert_true(joint.id != 0);
    assert_int_equal(lode_joint_get_type(joint), LODE_JOINT_COUPLING);
    return joint;
}

/* What iterations and rounding leave of an exact figure. */
#define CLOSE(solver) ((solver) == LODE_SOLVER_DIRECT ? 2e-4 : 2e-3)

/* A body that turns by w h in a (sub-)step is turned by 2 atan(w h / 2): it stays behind by
 * (w h)^3 / 12, which the row makes good with its erp; so a rate is off by as much per erp h. */
static double lag(lode_world world, double w)
{
    const double h = H / lab_sub_steps(world);
    return w * w * w * h * h / 12 / (double)lode_world_get_def(world).erp;
}

/* Two wheels on axles in any direction, teeth as 1 to 3: a torque T on the first turns it with
 * T / (I + 2 I / 9), as long as it acts, and the teeth do not slip in many turns. */
static void gears_share_their_inertia(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world_without_gravity(solver);
    lode_body one = wheel(world, 0, 0, 1), two = wheel(world, 1, 2, 2);
    lode_joint a = hinge(world, one, (lode_body){0}, lab_vec3(1, 2, -1));
    lode_joint b = hinge(world, two, (lode_body){0}, lab_vec3(0, 1, 3));
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, 3}};
    lode_joint gear = couple(world, terms, 2);
    for (int i = 0; i < 600; ++i) {
        lab_vec axis = lab_scale(lab_of((lode_vec3){1, 2, -1}), 0.5 / sqrt(6.0));
        lode_body_add_torque(one, lab_vec3(axis.x, axis.y, axis.z));
        lab_run(world, H, 1);
    }
    double rate = 0.5 / (WHEEL_INERTIA + 2 * WHEEL_INERTIA / 9) * 600 * H;
    LAB_NEAR(lode_joint_get_rate(a, 0), rate, rate * CLOSE(solver) + lag(world, rate));
    LAB_NEAR(lode_joint_get_rate(b, 0), -rate / 3, rate * CLOSE(solver) + lag(world, rate));
    LAB_NEAR(lode_joint_get_rate(gear, 0), 0, rate * CLOSE(solver) + lag(world, rate));
    LAB_NEAR(lode_joint_get_position(a, 0), rate * 300 * H, 1);
    LAB_NEAR(lode_joint_get_position(gear, 0), 0, 0.001 + H * lag(world, rate) / 0.2);
    lode_world_destroy(world);
}

/* The stop force is the generalised one: of the second wheel it is the torque by the ratio. */
static void a_gear_tells_what_its_teeth_bear(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world_without_gravity(solver);
    lode_body one = wheel(world, 0, 0, 1), two = wheel(world, 1, 2, 1);
    lode_joint a = hinge(world, one, (lode_body){0}, lab_vec3(1, 0, 0));
    lode_joint b = hinge(world, two, (lode_body){0}, lab_vec3(1, 0, 0));
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, 2}};
    lode_joint gear = couple(world, terms, 2);
    double rate = 0.5 / (WHEEL_INERTIA + WHEEL_INERTIA / 4);
    for (int i = 0; i < 60; ++i) {
        lode_body_add_torque(one, lab_vec3(0.5, 0, 0));
        lab_run(world, H, 1);
    }
    LAB_NEAR(lode_joint_get_stop_force(gear, 0), -rate / 2 * WHEEL_INERTIA / 2,
             0.5 * CLOSE(solver));
    LAB_NEAR(lode_joint_get_row_force(gear, 0), lode_joint_get_stop_force(gear, 0), 0);
    lode_world_destroy(world);
}

/* How much angular momentum wheels on a carrier that floats have gained after ten seconds, and
 * whether anything else is wrong: nothing that they do to each other gives all of them momentum. */
static double gain_on_a_carrier(lode_solver solver, int finer)
{
    lode_world world = lab_world_without_gravity(solver);
    lode_world_set_iterations(world, lode_world_get_def(world).iterations * finer);
    lode_world_set_sub_steps(world, lab_sub_steps(world) * finer);
    lode_body bodies[3] = {wheel(world, -0.4, 0, 1), wheel(world, 0.5, 0.1, 0.5),
                           wheel(world, 0, 0.3, 4)};
    lode_joint a = hinge(world, bodies[0], bodies[2], lab_vec3(0, 0, 1));
    lode_joint b = hinge(world, bodies[2], bodies[1], lab_vec3(0, 0.6, 1)); /* b is the wheel */
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, (lode_real)-2.5}};
    lode_joint gear = couple(world, terms, 2);
    lode_body_set_angular_velocity(bodies[0], lab_vec3(0, 0, 9));
    lab_sum before = lab_total(bodies, 3);
    lab_run(world, H, 1);
    double kinetic = lab_total(bodies, 3).kinetic;
    lab_run(world, H, 600);
    lab_sum after = lab_total(bodies, 3);
    LAB_NEAR(lab_length(lab_sub(after.momentum, before.momentum)), 0, 20000 * LAB_EPSILON);
    assert_true(after.kinetic < kinetic * 1.01);
    LAB_NEAR(lode_joint_get_position(gear, 0), 0, 0.01);
    lode_world_destroy(world);
    return lab_length(lab_sub(after.angular, before.angular));
}

/* Hinges that are pulled apart by a hair push at two points; that goes with the length of the
 * sub-steps, and a gear adds nothing to it. With as many sweeps of the relax pass as one likes it
 * is 0.009; the one that there is leaves 0.015. */
static void gears_on_a_carrier_keep_its_momentum(void **state)
{
    double coarse = gain_on_a_carrier(LAB_SOLVER(state), 1);
    LAB_AT_MOST(coarse, 0.02);
    LAB_AT_MOST(gain_on_a_carrier(LAB_SOLVER(state), 4), 0.4 * coarse + 2e4 * LAB_EPSILON);
}

static lode_joint slider(lode_world world, lode_body body, lode_vec3 axis)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SLIDER);
    def.body_a = body;
    assert_int_equal(lode_joint_def_anchor_world(&def, lode_body_get_center(body), axis), LODE_OK);
    return lode_joint_create(world, &def);
}

/* A rack of mass m that falls and turns a pinion: a = g m / (m + I / r^2). */
static void a_rack_turns_its_pinion(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world(solver);
    lode_body rack = wheel(world, 0.3, 0, 1), pinion = wheel(world, 0, 0, 1);
    lode_joint s = slider(world, rack, lab_vec3(0, 0, 1));
    lode_joint h = hinge(world, pinion, (lode_body){0}, lab_vec3(0, 1, 0));
    const double r = 0.3;
    const lode_joint_term terms[] = {{s, 0, 1}, {h, 0, (lode_real)-r}};
    lode_joint joint = couple(world, terms, 2);
    lab_run(world, H, 120);
    double speed = -2 * LAB_G * WHEEL_MASS / (WHEEL_MASS + WHEEL_INERTIA / (r * r));
    double off = -speed * CLOSE(solver) + r * lag(world, -speed / r);
    LAB_NEAR(lode_joint_get_rate(s, 0), speed, off);
    LAB_NEAR(lode_joint_get_rate(h, 0), speed / r, off / r);
    LAB_NEAR(lode_joint_get_position(joint, 0), 0, 0.001 + H * off / 0.2);
    lode_world_destroy(world);
}

static lode_joint rope_end(lode_world world, lode_body body, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DISTANCE);
    def.body_a = body;
    def.frame_b.position = anchor;
    return lode_joint_create(world, &def);
}

/* Atwood's machine with a tackle of n strands on the second mass: s1 + n s2 stays, so that
 * a1 = g (m1 - m2 / n) / (m1 + m2 / n^2) downwards. The rope only pulls. */
static void check_pulley(lode_solver solver, double m2, double n)
{
    lode_world world = lab_world(solver);
    lode_body one = wheel(world, 0, 0, 1), two = wheel(world, 2, 0, m2 / WHEEL_MASS);
    lode_joint a = rope_end(world, one, lab_vec3(0, 0, 10));
    lode_joint b = rope_end(world, two, lab_vec3(2, 0, 10));
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, (lode_real)n}};
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    assert_int_equal(lode_coupling_def_hold(&def), LODE_OK);
    LAB_NEAR(def.axis.hi_stop, 10 + 10 * n, 1e-5);
    def.axis.lo_stop = -INFINITY;
    lode_joint rope = lode_coupling_create(world, &def);
    lab_run(world, H, 60);
    double down = LAB_G * (WHEEL_MASS - m2 / n) / (WHEEL_MASS + m2 / (n * n));
    LAB_NEAR(lab_velocity(one).z, -down, LAB_G * CLOSE(solver));
    LAB_NEAR(lab_velocity(two).z, down / n, LAB_G * CLOSE(solver));
    LAB_NEAR(lode_joint_get_stop_force(rope, 0), -WHEEL_MASS * (LAB_G - down),
             WHEEL_MASS * LAB_G * CLOSE(solver));
    lode_body_set_linear_velocity(one, lab_vec3(0, 0, 5)); /* thrown upwards: the rope goes slack */
    lab_run(world, H, 6);
    LAB_NEAR(lode_joint_get_stop_force(rope, 0), 0, 1e-6);
    LAB_NEAR(lab_velocity(one).z, 5 - LAB_G * 6 * H, 1e-3);
    lode_world_destroy(world);
}

static void pulleys_are_atwoods_machine(void **state)
{
    check_pulley(LAB_SOLVER(state), 1, 1);
    check_pulley(LAB_SOLVER(state), 3, 1);
    check_pulley(LAB_SOLVER(state), 5, 2);
}

/* Two axles and a cage on one axis, and all of them on a carrier: h1 + h2 = 2 h3. A torque on the
 * cage is shared: both axles get half of what it does not need, whatever their speeds; the Lagrange
 * equations with inertias I1, I2, I3 are
 *     I1 a1 = l, I2 a2 = l, I3 a3 = T - 2 l, a1 + a2 = 2 a3. */
static void a_differential_shares_torque_and_not_speed(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world_without_gravity(solver);
    lode_body axles[2] = {wheel(world, -1, 0, 1), wheel(world, 1, 0, 3)};
    lode_body cage = wheel(world, 0, 0, 0.5);
    lode_vec3 x = lab_vec3(1, 0, 0);
    const lode_joint_term terms[] = {{hinge(world, axles[0], (lode_body){0}, x), 0, 1},
                                     {hinge(world, axles[1], (lode_body){0}, x), 0, 1},
                                     {hinge(world, cage, (lode_body){0}, x), 0, -2}};
    lode_joint joint = couple(world, terms, 3);
    lode_body bodies[8];
    assert_int_equal(lode_joint_get_bodies(joint, bodies, 8), 3);
    lode_body_set_angular_velocity(axles[0], lab_vec3(4, 0, 0));
    lode_body_set_angular_velocity(axles[1], lab_vec3(-4, 0, 0));
    for (int i = 0; i < 120; ++i) {
        lode_body_add_torque(cage, lab_vec3(1, 0, 0));
        lab_run(world, H, 1);
    }
    const double i1 = WHEEL_INERTIA, i2 = 3 * i1, i3 = i1 / 2;
    double l = 2 / i3 / (1 / i1 + 1 / i2 + 4 / i3);
    LAB_NEAR(lab_spin(axles[0]).x, 4 + l / i1 * 2, 10 * CLOSE(solver) + 2 * lag(world, 8));
    LAB_NEAR(lab_spin(axles[1]).x, -4 + l / i2 * 2, 10 * CLOSE(solver) + 2 * lag(world, 8));
    LAB_NEAR(lab_spin(cage).x, (1 - 2 * l) / i3 * 2, 10 * CLOSE(solver) + 2 * lag(world, 8));
    lode_world_destroy(world);
}

/* A motor on the sum of two axes pushes both with f_max and no more, and holds its speed when it
 * can; stops of the sum stop. */
static void couplings_have_motors_and_stops(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world_without_gravity(solver);
    lode_body one = wheel(world, 0, 0, 1), two = wheel(world, 1, 0, 1);
    lode_joint a = hinge(world, one, (lode_body){0}, lab_vec3(1, 0, 0));
    lode_joint b = hinge(world, two, (lode_body){0}, lab_vec3(1, 0, 0));
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, 1}};
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    def.axis.f_max = (lode_real)0.1;
    def.axis.vel = 1;
    lode_joint joint = lode_coupling_create(world, &def);
    lab_run(world, H, 30); /* both by f_max / I */
    LAB_NEAR(lode_joint_get_motor_force(joint, 0), 0.1, 1e-6);
    LAB_NEAR(lab_spin(one).x, 0.1 / WHEEL_INERTIA * 30 * H, 1e-3);
    LAB_NEAR(lab_spin(two).x, 0.1 / WHEEL_INERTIA * 30 * H, 1e-3);
    lab_run(world, H, 200);
    LAB_NEAR(lode_joint_get_rate(joint, 0), 1, 1e-3);
    assert_int_equal(
        lode_joint_set_limits(joint, 0, -INFINITY, lode_joint_get_position(joint, 0) + 1), LODE_OK);
    double stop = (double)lode_joint_get_position(joint, 0) + 1;
    lab_run(world, H, 300);
    LAB_NEAR(lode_joint_get_position(joint, 0), stop, 0.01);
    LAB_NEAR(lode_joint_get_stop_force(joint, 0), -0.1, 1e-3);
    lode_world_destroy(world);
}

/* More than there are colours, and eleven times as hard to turn as the shaft itself. */
static void one_shaft_drives_forty_gears(void **state)
{
    enum { GEARS = 40 };
    lode_solver solver = LAB_SOLVER(state);
    lode_world world = lab_world_without_gravity(solver);
    lode_body shaft = wheel(world, 0, 0, 1);
    lode_joint a = hinge(world, shaft, (lode_body){0}, lab_vec3(0, 0, 1));
    lode_joint gears[GEARS];
    for (int i = 0; i < GEARS; ++i) {
        lode_body body = wheel(world, i + 1, 0, 0.1);
        const lode_joint_term terms[] = {
            {a, 0, 1},
            {hinge(world, body, (lode_body){0}, lab_vec3(0, 0, 1)), 0, (lode_real)(i % 3 - 1.5)}};
        gears[i] = couple(world, terms, 2);
    }
    lode_body_set_angular_velocity(shaft, lab_vec3(0, 0, 10));
    lab_run(world, H, 300);
    double sum = 1;
    for (int i = 0; i < GEARS; ++i)
        sum += 0.1 / ((i % 3 - 1.5) * (i % 3 - 1.5));
    LAB_NEAR(lab_spin(shaft).z, 10 / sum, 10 / sum * 0.02);
    for (int i = 0; i < GEARS; ++i) {
        LAB_NEAR(lode_joint_get_position(gears[i], 0), 0, 0.02);
        LAB_NEAR(lode_joint_get_rate(gears[i], 0), 0, 0.01 + lag(world, 10 / sum));
    }
    lode_world_destroy(world);
}

/* ---- rows of the application ---- */

/* Holds a point of a body in its place: a ball joint to the world. */
static void write_ball(void *context, const lode_row_request *request, lode_row *out_row)
{
    const lode_vec3 *anchor = context, local = {(lode_real)0.5, 0, (lode_real)0.2};
    lode_vec3 arm = q_rotate(request->bodies[0].rotation, local);
    lode_vec3 apart = v3_sub(v3_add(request->bodies[0].center, arm), *anchor);
    lode_vec3 axis = v3(request->row == 0, request->row == 1, request->row == 2);
    assert_int_equal(request->body_count, 1);
    out_row->linear[0] = axis;
    out_row->angular[0] = v3_cross(arm, axis);
    out_row->error = v3_dot(axis, apart);
}

static void set_writer(lode_world world, lode_row_fn *write, void *context)
{
    const lode_row_writer writer = {write, context};
    assert_int_equal(lode_world_set_row_writer(world, &writer), LODE_OK);
}

static lode_joint rows(lode_world world, const lode_body *bodies, int count, int row_count)
{
    lode_rows_def def = lode_rows_def_default();
    def.bodies = bodies;
    def.body_count = count;
    def.row_count = row_count;
    lode_joint joint = lode_rows_create(world, &def);
    assert_true(joint.id != 0);
    return joint;
}

/* A pendulum on rows swings as one on the ball joint of the library: to rounding with the direct
 * solver. The others sweep linkages to and fro, so that their one sweep of relaxing leaves less. */
static void rows_of_the_application_are_joints(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    lode_vec3 anchor = lab_vec3(0.5, 0, 0.2);
    lode_world worlds[2] = {lab_world(solver), lab_world(solver)};
    lode_body bodies[2];
    for (int i = 0; i < 2; ++i) {
        bodies[i] = wheel(worlds[i], 0, 0, 1);
        lode_world_set_iterations(worlds[i], 60);
    }
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = bodies[0];
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, lab_vec3(1, 0, 0)), LODE_OK);
    lode_joint ball = lode_joint_create(worlds[0], &def);
    lode_joint own = rows(worlds[1], &bodies[1], 1, 3);
    set_writer(worlds[1], write_ball, &anchor);
    for (int i = 0; i < 120; ++i) {
        lab_run(worlds[0], H, 1);
        lab_run(worlds[1], H, 1);
        LAB_NEAR(lab_length(lab_sub(lab_center(bodies[0]), lab_center(bodies[1]))), 0,
                 solver == LODE_SOLVER_DIRECT ? 1000 * LAB_EPSILON : 5e-3);
    }
    double scale = WHEEL_MASS * LAB_G;
    lab_vec force = lab_of(lode_joint_get_force(ball));
    LAB_NEAR(lode_joint_get_row_force(own, 0), force.x, 0.05 * scale);
    LAB_NEAR(lode_joint_get_row_force(own, 2), force.z, 0.05 * scale);
    lode_world_destroy(worlds[0]);
    lode_world_destroy(worlds[1]);
}

/* Keeps the mean of all centres at the height 0. */
static void write_mean(void *context, const lode_row_request *request, lode_row *out_row)
{
    const double *only_up = context;
    lode_real share = 1 / (lode_real)request->body_count;
    for (int i = 0; i < request->body_count; ++i) {
        out_row->linear[i] = v3(0, 0, share);
        out_row->error += request->bodies[i].center.z * share;
    }
    if (*only_up > 0)
        out_row->min_force = 0;
}

/* One row over any number of bodies of different mass bears all of their weight: the bodies fall or
 * rise by what each weighs less or more than its share. */
static void check_mean(lode_solver solver, int count, double only_up)
{
    enum { MOST = 100 };
    lode_world world = lab_world(solver);
    lode_body bodies[MOST];
    double inverse = 0;
    for (int i = 0; i < count; ++i) {
        bodies[i] = wheel(world, i, 0, 1 + i % 4);
        inverse += 1 / (WHEEL_MASS * (1 + i % 4));
    }
    lode_joint joint = rows(world, bodies, count, 1);
    set_writer(world, write_mean, &only_up);
    lab_run(world, H, 30);
    /* share * force / m - g sums to nothing */
    double force = LAB_G * count * count / inverse;
    LAB_NEAR(lode_joint_get_row_force(joint, 0), force, force * 1e-3);
    for (int i = 0; i < count; ++i) {
        double rise = (force / count / (WHEEL_MASS * (1 + i % 4)) - LAB_G) * 30 * H;
        LAB_NEAR(lab_velocity(bodies[i]).z, rise, 2e-3 * LAB_G);
    }
    for (int i = 0; i < count && only_up > 0; ++i)
        lode_body_set_linear_velocity(bodies[i], lab_vec3(0, 0, 10));
    lab_run(world, H, 10);
    if (only_up > 0)
        LAB_NEAR(lode_joint_get_row_force(joint, 0), 0, 0);
    lode_world_destroy(world);
}

static void one_row_holds_many_bodies(void **state)
{
    static const int counts[] = {1, 2, 3, 5, 17, 100};
    for (int i = 0; i < 6; ++i)
        for (int only_up = 0; only_up < 2; ++only_up)
            check_mean(LAB_SOLVER(state), counts[i], only_up);
}

static void write_nonsense(void *context, const lode_row_request *request, lode_row *out_row)
{
    int *what = context;
    out_row->linear[0] = v3(0, 0, 1);
    out_row->error = *what == 0 ? (lode_real)NAN : 0;
    if (*what == 1)
        out_row->angular[request->body_count - 1].y = (lode_real)INFINITY;
    if (*what == 2)
        out_row->max_force = -1;
    if (*what == 3)
        out_row->target = -(lode_real)INFINITY;
}

static void rows_that_make_no_sense_do_nothing(void **state)
{
    for (int what = 0; what < 4; ++what) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body bodies[2] = {wheel(world, 0, 0, 1), wheel(world, 3, 0, 1)};
        rows(world, bodies, 2, 2);
        set_writer(world, write_nonsense, &what);
        lab_run(world, H, 10);
        LAB_NEAR(lab_velocity(bodies[0]).z, -LAB_G * 10 * H, 1e-5);
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(gears_share_their_inertia),
        LAB_EACH_AND_PER_JOINT(a_gear_tells_what_its_teeth_bear),
        LAB_EACH_AND_PER_JOINT(gears_on_a_carrier_keep_its_momentum),
        LAB_EACH_AND_PER_JOINT(a_rack_turns_its_pinion),
        LAB_EACH_AND_PER_JOINT(pulleys_are_atwoods_machine),
        LAB_EACH_AND_PER_JOINT(a_differential_shares_torque_and_not_speed),
        LAB_EACH_AND_PER_JOINT(couplings_have_motors_and_stops),
        LAB_EACH_AND_PER_JOINT(one_shaft_drives_forty_gears),
        LAB_EACH_AND_PER_JOINT(rows_of_the_application_are_joints),
        LAB_EACH_AND_PER_JOINT(one_row_holds_many_bodies),
        LAB_EACH_AND_PER_JOINT(rows_that_make_no_sense_do_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
