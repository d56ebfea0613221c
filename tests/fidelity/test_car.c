/* A car on four wheel joints, ODE's hinge-2: its axles when it corners at 40 m/s, and tyres that
 * slip sideways as ODE's manual has them, in proportion to the rolling speed v and to the force F:
 *
 *     side slip = k v F,
 *
 * for which the application sets the slip of each tyre to k v before each step. A steady push F_all
 * on the middle of the car is shared by its four tyres alike, so it drifts by k v F_all / 4 however
 * much it leans. */
#include "tests/fidelity/lab.h"

#define STEP (1.0 / 60)
#define WHEELBASE 2.6
#define TRACK 1.6
#define RADIUS 0.35
#define STIFFNESS 40000 /* of one suspension, N/m */
#define DAMPING 2500    /* N s/m */

enum { SUSPENSION, AXLE, STEERING };
enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };

typedef struct car {
    lode_world world;
    lode_body ground, chassis, wheels[WHEELS];
    lode_shape tyres[WHEELS];
    lode_joint joints[WHEELS];
} car;

/* Drives along x, with z up; a wheel's own y axis is its axle. */
static void add_wheel(car *c, int i, double speed)
{
    lode_vec3 at = lab_vec3(i < REAR_LEFT ? WHEELBASE / 2 : -WHEELBASE / 2,
                            i % 2 ? -TRACK / 2 : TRACK / 2, RADIUS);
    lode_shape_def shape = lab_shape_def((lab_material){.density = 110, .friction = 1});
    c->wheels[i] = lab_body(c->world, at);
    c->tyres[i] = lode_shape_create_sphere(c->wheels[i], &shape, (lode_real)RADIUS);
    lode_body_set_linear_velocity(c->wheels[i], lab_vec3(speed, 0, 0));
    lode_body_set_angular_velocity(c->wheels[i], lab_vec3(0, speed / RADIUS, 0));
    lode_body_set_finite_rotation(c->wheels[i], true); /* by up to 2 rad in a step */
    lode_body_set_finite_rotation_axis(c->wheels[i], lab_vec3(0, 1, 0));

    const lode_real half = (lode_real)0.5;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_WHEEL);
    def.body_a = c->wheels[i];
    def.body_b = c->chassis;
    lode_joint_def_frame_world(&def, (lode_pose){at, {half, half, half, half}});
    def.axis[SUSPENSION].lo_stop = def.axis[SUSPENSION].hi_stop = 0;
    lode_joint_axis_set_spring(&def.axis[SUSPENSION], STIFFNESS, DAMPING, (lode_real)STEP);
    if (i < REAR_LEFT)
        def.axis[STEERING].f_max = 3000;
    else
        def.axis[STEERING].lo_stop = def.axis[STEERING].hi_stop = 0;
    c->joints[i] = lode_joint_create(c->world, &def);
    assert_true(lode_joint_is_valid(c->joints[i]));
}

static car make_car(lode_solver solver, double speed)
{
    car c = {.world = lab_world(solver)};
    lode_world_set_friction_model(c.world, LODE_FRICTION_CONE);
    lode_world_set_iterations(c.world, 20);
    c.ground = lab_floor(c.world, (lab_material){.density = 1, .friction = 1});
    c.chassis = lab_box(c.world, (lab_material){.density = 440}, lab_vec3(0, 0, 0.7),
                        lab_vec3(2, 0.7, 0.2));
    lode_body_set_linear_velocity(c.chassis, lab_vec3(speed, 0, 0));
    for (int i = 0; i < WHEELS; ++i)
        add_wheel(&c, i, speed);
    return c;
}

static lab_vec side_of(lode_body body)
{
    return lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 1, 0});
}

static lab_vec nose_of(const car *c)
{
    return lab_rotate(lode_body_get_pose(c->chassis).rotation, (lab_vec){1, 0, 0});
}

/* ---- cornering ---- */

/* Along a path of such a curvature all wheels roll about one point (Ackermann). */
static void steer(const car *c, double curvature)
{
    for (int i = FRONT_LEFT; i <= FRONT_RIGHT; ++i) {
        double side = i == FRONT_LEFT ? TRACK / 2 : -TRACK / 2;
        double angle = atan(WHEELBASE * curvature / (1 - side * curvature));
        double ahead = angle - lode_joint_get_position(c->joints[i], STEERING);
        lode_joint_set_motor(c->joints[i], STEERING, (lode_real)(ahead / STEP), 3000);
    }
}

/* A motor that never gets to its own speed gives both rear wheels the same torque. */
static void drive(const car *c, double speed)
{
    double short_of = speed - lab_dot(nose_of(c), lab_velocity(c->chassis));
    double torque = fmin(fmax(1000 * short_of, 0), 400);
    for (int i = REAR_LEFT; i <= REAR_RIGHT; ++i)
        lode_joint_set_motor(c->joints[i], AXLE, (lode_real)(2 * speed / RADIUS),
                             (lode_real)torque);
}

/* Of the wheels' own axes against a level line of the chassis, degrees. */
static double worst_tilt(const car *c)
{
    double worst = 0;
    lab_vec up = lab_rotate(lode_body_get_pose(c->chassis).rotation, (lab_vec){0, 0, 1});
    for (int i = 0; i < WHEELS; ++i)
        worst = fmax(worst, fabs(asin(lab_dot(side_of(c->wheels[i]), up))) * 180 / LAB_PI);
    return worst;
}

/* On a radius of 300 m, which takes 0.54 g. */
static void axles_stay_level_when_cornering_at_40_metres_a_second(void **state)
{
    const double speed = 40, radius = 300;
    car c = make_car(LAB_SOLVER(state), speed);
    double tilt = 0, turn = 0, last = 0;
    for (int i = 0; i < 10 * 60; ++i) {
        drive(&c, speed);
        steer(&c, i < 60 ? 0 : 1 / radius);
        lab_run(c.world, STEP, 1);
        tilt = fmax(tilt, worst_tilt(&c));
        lab_vec nose = nose_of(&c);
        double heading = atan2(nose.y, nose.x);
        if (i >= 5 * 60)
            turn += remainder(heading - last, 2 * LAB_PI);
        last = heading;
    }
    double at_end = lab_length(lab_velocity(c.chassis));
    print_message("%.1f m/s on a radius of %.0f m, axles tilt by up to %.2g degrees\n", at_end,
                  at_end * 5 / turn, tilt);
    LAB_NEAR(at_end, speed, 2);
    LAB_NEAR(at_end * 5 / turn, radius, 0.15 * radius);
    LAB_AT_MOST(tilt, 0.5);
    lode_world_destroy(c.world);
}

/* ---- slipping tyres ---- */

static double rolling_speed(const car *c, int i)
{
    return RADIUS * fabs(lab_dot(lab_spin(c->wheels[i]), side_of(c->wheels[i])));
}

/* The axle is the tyre's first direction: it does not turn with the wheel. */
static void slip_by_surface(const car *c, double k)
{
    for (int i = 0; i < WHEELS; ++i) {
        lode_surface tyre = lode_surface_default();
        tyre.direction = lab_vec3(0, 1, 0);
        tyre.slip[0] = (lode_real)(k * rolling_speed(c, i));
        assert_int_equal(lode_shape_set_surface(c->tyres[i], &tyre), LODE_OK);
    }
}

/* The manual's way: contacts of the caller, whose first direction is that of rolling. */
static void slip_by_contact(const car *c, double k)
{
    for (int i = 0; i < WHEELS; ++i) {
        lab_vec at = lab_center(c->wheels[i]);
        lode_contact_def def = lode_contact_def_default();
        assert_int_equal(lode_shape_set_filter(c->tyres[i], 0, 0), LODE_OK);
        def.body_a = c->wheels[i];
        def.position = lab_vec3(at.x, at.y, 0);
        def.depth = (lode_real)(RADIUS - at.z);
        def.friction[0] = def.friction[1] = 1;
        def.direction = lab_vec3(side_of(c->wheels[i]).y, -side_of(c->wheels[i]).x, 0);
        def.slip[1] = (lode_real)(k * rolling_speed(c, i));
        assert_int_equal(lode_world_add_contacts(c->world, &def, 1), LODE_OK);
    }
}

/* How fast the car drifts when it has come to its speed, m/s; `out_v` is the speed of rolling. */
static double drift(lode_solver solver, bool made, double speed, double force, double k,
                    double *out_v)
{
    car c = make_car(solver, speed);
    for (int i = 0; i < 6 * 60; ++i) {
        if (made)
            slip_by_contact(&c, k);
        else
            slip_by_surface(&c, k);
        steer(&c, 0);
        lab_vec push = lab_scale(side_of(c.chassis), force);
        lode_body_add_force(c.chassis, lab_vec3(push.x, push.y, push.z));
        lab_run(c.world, STEP, 1);
    }
    double slip = lab_dot(lab_velocity(c.chassis), side_of(c.chassis));
    *out_v = rolling_speed(&c, REAR_LEFT);
    LAB_NEAR(*out_v, speed, 0.05 * speed);
    lode_world_destroy(c.world);
    return slip;
}

static void tyres_slip_in_proportion_to_speed_and_force(void **state)
{
    const double k = 4e-5, speeds[] = {5, 15, 40}, forces[] = {800, 1600, 3200};
    double worst = 0;
    for (int made = 0; made < 2; ++made)
        for (int s = 0; s < 3; ++s)
            for (int f = 0; f < 3; ++f) {
                double v, slip = drift(LAB_SOLVER(state), made, speeds[s], forces[f], k, &v);
                double share = slip / (k * v * forces[f] / WHEELS) - 1;
                print_message("%s, %4.1f m/s, %4.0f N: %.5f m/s, off by %.2g\n",
                              made ? "contacts" : "surfaces", v, forces[f], slip, share);
                worst = fmax(worst, fabs(share));
            }
    LAB_AT_MOST(worst, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(axles_stay_level_when_cornering_at_40_metres_a_second),
        {"axles_stay_level_when_cornering_at_40_metres_a_second (hybrid)",
         axles_stay_level_when_cornering_at_40_metres_a_second, NULL, NULL,
         &lab_solvers[LODE_SOLVER_HYBRID]},
        LAB_EACH_AND_PER_JOINT(tyres_slip_in_proportion_to_speed_and_force),
        {"tyres_slip_in_proportion_to_speed_and_force (hybrid)",
         tyres_slip_in_proportion_to_speed_and_force, NULL, NULL,
         &lab_solvers[LODE_SOLVER_HYBRID]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
