/* Servos: motors that drive to a place. A carriage on a slide tells what the law says to rounding;
 * other axes and couplings arrive where they are sent. */
#include "tests/fidelity/lab.h"

#include "lode/coupling.h"

#define H (1.0 / 120)
#define MASS 8.0

typedef struct carriage {
    lode_world world;
    lode_body body, base; /* base null: the world */
    lode_joint slide;
} carriage;

/* Sweeps that go beyond what a row asks for only come near it. */
static lode_world world_of(lode_solver solver, double gravity)
{
    lode_world world = lab_world(solver);
    lode_world_set_gravity(world, lab_vec3(0, 0, -gravity));
    lode_world_set_over_relaxation(world, 1);
    return world;
}

static lode_joint_axis free_axis(void)
{
    return lode_joint_def_default(LODE_JOINT_SLIDER).axis[0];
}

static lode_joint_axis servo(double target, double rate, double vel, double f_max)
{
    lode_joint_axis axis = free_axis();
    axis.target = (lode_real)target;
    axis.servo = (lode_real)rate;
    axis.vel = (lode_real)vel;
    axis.f_max = (lode_real)f_max;
    return axis;
}

static lode_body box_at(lode_world world, double z)
{
    return lab_box(world, (lab_material){.density = MASS}, lab_vec3(0, 0, z),
                   lab_vec3(0.5, 0.5, 0.5));
}

/* On a slide that goes upwards from z. */
static carriage carriage_at(lode_world world, double z, lode_body base, lode_joint_axis axis)
{
    carriage c = {.world = world, .body = box_at(world, z), .base = base};
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SLIDER);
    def.body_a = c.body;
    def.body_b = base;
    def.axis[0] = axis;
    assert_int_equal(lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(0, 0, 1)),
                     LODE_OK);
    c.slide = lode_joint_create(world, &def);
    assert_true(c.slide.id != 0);
    return c;
}

static carriage carriage_create(lode_world world, lode_body base, lode_joint_axis axis)
{
    return carriage_at(world, 0, base, axis);
}

static double position(const carriage *c)
{
    return (double)lode_joint_get_position(c->slide, 0);
}

/* Pulled by k (1 - x) - d v, integrated implicitly in each sub-step:
 *     v' = (v + h k (1 - x) / m) / (1 + h d / m + h^2 k / m),   x' = x + h v'. */
static void pulled(lode_solver solver, double k, double d)
{
    lode_joint_axis axis = servo(1, 0, 0, INFINITY);
    assert_int_equal(lode_joint_axis_set_servo(&axis, (lode_real)k, (lode_real)d), LODE_OK);
    carriage c = carriage_create(world_of(solver, 0), (lode_body){0}, axis);
    int sub_steps = lab_sub_steps(c.world);
    double h = (double)(lode_real)H / sub_steps, x = 0, v = 0;
    for (int i = 0; i < 240; ++i) {
        for (int sub = 0; sub < sub_steps; ++sub) {
            v = (v + h * k * (1 - x) / MASS) / (1 + h * d / MASS + h * h * k / MASS);
            x += h * v;
        }
        lab_run(c.world, H, 1);
        LAB_NEAR(position(&c), x, 4096 * LAB_EPSILON);
    }
    lode_world_destroy(c.world);
}

static void a_servo_can_be_a_spring_with_a_damper(void **state)
{
    static const double springs[][2] = {{100, 5}, {1000, 50}, {20000, 400}, {1e7, 1}, {10, 1000}};
    for (int i = 0; i < 5; ++i)
        pulled(LAB_SOLVER(state), springs[i][0], springs[i][1]);
}

/* Without limits all of the way is gone in one sub-step, wherever to. */
static void an_infinite_servo_is_there_at_once(void **state)
{
    carriage c = carriage_create(world_of(LAB_SOLVER(state), 0), (lode_body){0},
                                 servo(0, INFINITY, INFINITY, INFINITY));
    static const double targets[] = {0.5, -0.25, 3, 3, 0};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(lode_joint_set_target(c.slide, 0, (lode_real)targets[i]), LODE_OK);
        lab_run(c.world, H, 1);
        LAB_NEAR(position(&c), targets[i], 64 * LAB_EPSILON * 3);
        lab_run(c.world, H, 1);
        LAB_NEAR((double)lode_joint_get_rate(c.slide, 0), 0, 64 * LAB_EPSILON * 3 / H);
    }
    lode_world_destroy(c.world);
}

/* Goes at its most until it is there, and neither beyond nor back. */
static void a_servo_goes_no_faster_than_it_may(void **state)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        /* the speed's sign does not matter */
        carriage c = carriage_create(world_of(LAB_SOLVER(state), 0), (lode_body){0},
                                     servo(sign, INFINITY, sign * -2, INFINITY));
        for (int i = 1; i <= 120; ++i) {
            lab_run(c.world, H, 1);
            double way = fmin(1, 2 * H * i);
            LAB_NEAR(position(&c), sign * way, 1024 * LAB_EPSILON);
        }
        lode_world_destroy(c.world);
    }
}

/* What it has not the strength for falls with the rest; what it has hangs where it was sent, by the
 * force of its weight. */
static void a_servo_pulls_no_harder_than_it_may(void **state)
{
    double weight = MASS * LAB_G;
    carriage c = carriage_create(world_of(LAB_SOLVER(state), LAB_G), (lode_body){0},
                                 servo(0, INFINITY, INFINITY, weight / 2));
    for (int i = 0; i < 60; ++i) {
        lab_run(c.world, H, 1);
        LAB_NEAR((double)lode_joint_get_motor_force(c.slide, 0), weight / 2, 1e-5 * weight);
    }
    double h = (double)(lode_real)H / lab_sub_steps(c.world), n = 60 * lab_sub_steps(c.world);
    LAB_NEAR(position(&c), -LAB_G / 2 * h * h * n * (n + 1) / 2, 1e-5);

    lode_joint_axis strong = servo(0.5, INFINITY, 1, 3 * weight);
    lode_joint_set_axis(c.slide, 0, &strong);
    for (int i = 0; i < 480; ++i) {
        lab_run(c.world, H, 1);
        LAB_AT_MOST(fabs((double)lode_joint_get_motor_force(c.slide, 0)), 3 * weight * 1.00001);
        LAB_AT_MOST(position(&c), 0.5 + 1 / (8 * LAB_G)); /* it must brake, too */
    }
    LAB_NEAR(position(&c), 0.5, 1e-4);
    LAB_NEAR((double)lode_joint_get_motor_force(c.slide, 0), weight, 1e-4 * weight);
    lode_world_destroy(c.world);
}

/* Between two free bodies it is their own affair, whichever is a. */
static void a_servo_between_bodies_moves_no_centre_of_mass(void **state)
{
    lode_world world = world_of(LAB_SOLVER(state), 0);
    carriage c = carriage_create(world, box_at(world, 2), servo(0.75, 20, 3, 1000));
    lab_run(world, H, 240);
    LAB_NEAR(position(&c), 0.75, 1e-4);
    LAB_NEAR(lab_center(c.body).z, 0.375, 1e-4); /* a has gone up by half of the way, b down */
    LAB_NEAR(lab_center(c.base).z, 2 - 0.375, 1e-4);
    lode_world_destroy(world);
}

/* Sent beyond a stop it stays there and pushes with what it has. */
static void a_stop_is_stronger_than_a_servo(void **state)
{
    lode_joint_axis axis = servo(2, INFINITY, INFINITY, 50);
    axis.hi_stop = (lode_real)0.5;
    carriage c = carriage_create(world_of(LAB_SOLVER(state), 0), (lode_body){0}, axis);
    lab_run(c.world, H, 240);
    LAB_NEAR(position(&c), 0.5, 0.001);
    LAB_NEAR((double)lode_joint_get_motor_force(c.slide, 0), 50, 0.01);
    LAB_NEAR((double)lode_joint_get_stop_force(c.slide, 0), -50, 0.01);
    lode_world_destroy(c.world);
}

static void angles_are_counted_beyond_pi(void **state)
{
    lode_world world = world_of(LAB_SOLVER(state), 0);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = box_at(world, 0);
    def.axis[0] = servo(20, INFINITY, 15, 1e6);
    lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(0, 1, 0));
    lode_joint hinge = lode_joint_create(world, &def);
    lab_run(world, H, 240);
    LAB_NEAR((double)lode_joint_get_position(hinge, 0), 20, 0.001);
    lode_joint_set_target(hinge, 0, -20);
    lab_run(world, H, 480);
    LAB_NEAR((double)lode_joint_get_position(hinge, 0), -20, 0.001);
    lode_world_destroy(world);
}

/* Each free axis of each type. */
static void every_axis_arrives(void **state)
{
    static const int axes[LODE_JOINT_TYPE_COUNT] = {
        [LODE_JOINT_HINGE] = 1,
        [LODE_JOINT_SLIDER] = 1,
        [LODE_JOINT_UNIVERSAL] = 2,
        [LODE_JOINT_PISTON] = 2,
        [LODE_JOINT_PRISMATIC_ROTOIDE] = 2,
        [LODE_JOINT_PRISMATIC_UNIVERSAL] = 3,
        [LODE_JOINT_PLANE_2D] = 3,
        [LODE_JOINT_WHEEL] = 3,
        [LODE_JOINT_SIX_AXES] = 6,
        [LODE_JOINT_ANGULAR_MOTOR] = 3,
        [LODE_JOINT_EULER_MOTOR] = 3,
        [LODE_JOINT_LINEAR_MOTOR] = 3,
    };
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type)
        for (int axis = 0; axis < axes[type]; ++axis) {
            lode_world world = world_of(LAB_SOLVER(state), 0);
            lode_joint_def def = lode_joint_def_default((lode_joint_type)type);
            def.body_a = box_at(world, 0);
            def.axis[axis].servo = (lode_real)INFINITY;
            def.axis[axis].target = (lode_real)0.4;
            def.axis[axis].vel = 1;
            def.axis[axis].f_max = 1000;
            lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(1, 0, 0));
            lode_joint joint = lode_joint_create(world, &def);
            assert_true(joint.id != 0);
            lab_run(world, H, 120);
            LAB_NEAR((double)lode_joint_get_position(joint, axis), 0.4, 0.001);
            LAB_NEAR((double)lode_joint_get_rate(joint, axis), 0, 0.001);
            lode_world_destroy(world);
        }
}

/* The sum of two carriages' places. */
static void a_coupling_is_driven_too(void **state)
{
    lode_world world = world_of(LAB_SOLVER(state), 0);
    carriage one = carriage_at(world, 0, (lode_body){0}, free_axis());
    carriage other = carriage_at(world, 5, (lode_body){0}, free_axis());
    const lode_joint_term terms[] = {{one.slide, 0, 1}, {other.slide, 0, 2}};
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    def.axis = servo(1, INFINITY, 1, 1000);
    lode_joint coupling = lode_coupling_create(world, &def);
    assert_true(coupling.id != 0);
    lab_run(world, H, 240);
    LAB_NEAR((double)lode_joint_get_position(coupling, 0), 1, 0.001);
    LAB_NEAR(position(&one), 0.2, 0.001); /* who counts twice is pushed twice as hard */
    LAB_NEAR(position(&other), 0.4, 0.001);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_servo_can_be_a_spring_with_a_damper),
        LAB_EACH_AND_PER_JOINT(an_infinite_servo_is_there_at_once),
        LAB_EACH_AND_PER_JOINT(a_servo_goes_no_faster_than_it_may),
        LAB_EACH_AND_PER_JOINT(a_servo_pulls_no_harder_than_it_may),
        LAB_EACH_AND_PER_JOINT(a_servo_between_bodies_moves_no_centre_of_mass),
        LAB_EACH_AND_PER_JOINT(a_stop_is_stronger_than_a_servo),
        LAB_EACH_AND_PER_JOINT(angles_are_counted_beyond_pi),
        LAB_EACH_AND_PER_JOINT(every_axis_arrives),
        LAB_EACH_AND_PER_JOINT(a_coupling_is_driven_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
