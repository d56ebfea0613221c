/* A pendulum on a ball joint.
 *
 * A ball of radius r whose centre hangs at L from the joint swings as a physical pendulum with
 * l = (I + m L^2) / (m L).
 *
 * In a step the anchor moves on along the tangent and is off its circle by (v h)^2 / (2 L); PGS
 * takes the share erp back each step, so the separation settles at 1/erp of that, with
 * v^2 = 2 g L (1 - cos a) at the bottom: g h^2 (1 - cos a) / erp. Twice this is allowed for the
 * joint's own motion on the way. The length, and with it the period, is off by no more than a share
 * of the order h of one swing.
 *
 * The soft step's joint is a spring of frequency w on the mass that a row feels, which across the
 * arm is m / (1 + m L^2 / I). Hanging at rest at an angle t, the load across it would be
 * m g sin t cos t and move it by `sag` times sin t cos t, sag = g (1 + m L^2 / I) / w^2: a light
 * bob's joint is soft. In swing the tension is up to 3 - 2 cos a times the weight. For small angles
 * that is a pendulum longer by `sag`; its share of the period is half that of the length. */
#include "tests/fidelity/lab.h"

#define LENGTH 1.0
#define RADIUS 0.125
#define ERP 0.2

typedef struct pendulum {
    lode_world world;
    lode_body bob;
    lode_joint joint;
    double length; /* of the simple pendulum that swings alike */
    double sag;    /* of a soft joint, m */
    double apart;  /* the largest separation seen */
} pendulum;

/* The soft step's joints have twice its contact frequency, here less than it limits them to. */
static double sag_of(lode_world world, const lode_mass *mass)
{
    lode_world_def def = lode_world_get_def(world);
    double w = 2 * LAB_PI * 2 * def.contact_frequency;
    double arm = mass->mass * LENGTH * LENGTH / mass->inertia[1];
    return def.solver == LODE_SOLVER_SOFT_STEP ? LAB_G * (1 + arm) / (w * w) : 0;
}

/* Released at rest from `angle` off the vertical, in the plane y = 0. */
static pendulum pendulum_create(lode_solver solver, double angle)
{
    pendulum p = {.world = lab_world(solver)};
    p.bob = lab_sphere(p.world, (lab_material){.density = 1000},
                       lab_vec3(LENGTH * sin(angle), 0, -LENGTH * cos(angle)), RADIUS);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = p.bob;
    lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(1, 0, 0));
    p.joint = lode_joint_create(p.world, &def);
    lode_mass mass = lode_body_get_mass(p.bob);
    p.length = (mass.inertia[1] + mass.mass * LENGTH * LENGTH) / (mass.mass * LENGTH);
    p.sag = sag_of(p.world, &mass);
    return p;
}

static double separation(const pendulum *p)
{
    return lab_length(lab_sub(lab_of(lode_joint_get_anchor_a(p->joint)),
                              lab_of(lode_joint_get_anchor_b(p->joint))));
}

/* The bob's place off the vertical; watches the joint on the way. */
static double off_vertical(void *context)
{
    pendulum *p = context;
    p->apart = fmax(p->apart, separation(p));
    return lab_center(p->bob).x;
}

static void the_period_is_the_elliptic_one(void **state)
{
    static const double angles[] = {LAB_PI / 18, LAB_PI / 4, LAB_PI / 2};
    const double h = 1.0 / 240;
    for (int i = 0; i < 3; ++i) {
        pendulum p = pendulum_create(LAB_SOLVER(state), angles[i]);
        double period = lab_swing(p.world, h, off_vertical, &p);
        double exact = lab_period(p.length, angles[i]);
        double bound = 2 * LAB_G * h * h * (1 - cos(angles[i])) / ERP;
        double across = sin(2 * fmin(angles[i], LAB_PI / 4)) / 2; /* largest sin t cos t */
        bound += p.sag * (3 - 2 * cos(angles[i])) * across;
        LAB_NEAR(period, exact, (h + p.sag / 2 / p.length) * exact);
        LAB_AT_MOST(p.apart, bound + 64 * LAB_EPSILON);
        lode_world_destroy(p.world);
    }
}

/* It never swings higher than it started but for the joint's separation, and after a minute it
 * still swings half as high at least. */
static void a_pendulum_does_not_gain_energy(void **state)
{
    const double h = 1.0 / 240;
    pendulum p = pendulum_create(LAB_SOLVER(state), LAB_PI / 3);
    double highest = -LENGTH;
    for (int step = 0; step < 60 * 240; ++step) {
        lab_run(p.world, h, 1);
        LAB_AT_MOST(lab_center(p.bob).z, -LENGTH / 2 + LAB_G * h * h / ERP + p.sag);
        if (step >= 55 * 240)
            highest = fmax(highest, lab_center(p.bob).z);
    }
    LAB_AT_MOST(-0.75, highest);
    lode_world_destroy(p.world);
}

/* The lowest and highest place of the bob in its tenth second; gravity acts along axis `down`, and
 * the swing is in the plane of that axis and the next. */
static void swing_along(lode_solver solver, int iterations, int down, double *low, double *high)
{
    double pull[3] = {0}, place[3] = {0};
    pull[down] = -LAB_G;
    place[down] = -LENGTH * cos(LAB_PI / 6);
    place[(down + 1) % 3] = LENGTH * sin(LAB_PI / 6);
    lode_world world = lab_world(solver);
    lode_world_set_iterations(world, iterations);
    lode_world_set_gravity(world, lab_vec3(pull[0], pull[1], pull[2]));
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = lab_sphere(world, (lab_material){.density = 1000},
                            lab_vec3(place[0], place[1], place[2]), RADIUS);
    lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(1, 0, 0));
    lode_joint_create(world, &def);
    lab_run(world, 1.0 / 240, 9 * 240);
    *low = LENGTH, *high = -LENGTH;
    for (int step = 0; step < 240; ++step) {
        lab_run(world, 1.0 / 240, 1);
        lab_vec at = lab_center(def.body_a);
        double along = down == 0 ? at.x : down == 1 ? at.y : at.z;
        *low = fmin(*low, along), *high = fmax(*high, along);
    }
    lode_world_destroy(world);
}

/* A joint's three rows have the world's axes. Three iterations are as many as twenty to it, and it
 * does not matter which of the axes it swings along. */
static void few_iterations_do_in_all_directions(void **state)
{
    double low, high, few_low, few_high;
    swing_along(LAB_SOLVER(state), 20, 2, &low, &high);
    for (int down = 0; down < 3; ++down) {
        swing_along(LAB_SOLVER(state), 3, down, &few_low, &few_high);
        LAB_NEAR(few_low, low, 1e-3);
        LAB_NEAR(few_high, high, 2e-3);
    }
}

/* Across such an arm a body resists by a hundred thousandth of what it does along it. */
static void a_small_ball_hangs_on_a_long_arm(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_world_set_iterations(world, 3);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = lab_sphere(world, (lab_material){.density = 2000}, lab_vec3(6, 3, -7), 0.05);
    lode_joint_def_anchor_world(&def, lab_vec3(0, 0, 0), lab_vec3(1, 0, 0));
    lode_joint joint = lode_joint_create(world, &def);
    for (int step = 0; step < 2400; ++step) {
        lab_run(world, 1.0 / 240, 1);
        LAB_AT_MOST(lab_length(lab_of(lode_joint_get_anchor_a(joint))), 1e-3);
    }
    lode_world_destroy(world);
}

/* At rest the joint carries the weight. */
static void a_hanging_body_pulls_with_its_weight(void **state)
{
    pendulum p = pendulum_create(LAB_SOLVER(state), 0);
    lab_run(p.world, 1.0 / 64, 128);
    double weight = LAB_G * lode_body_get_mass(p.bob).mass;
    lab_vec force = lab_of(lode_joint_get_force(p.joint));
    LAB_NEAR(force.z, weight, 1e-3 * weight);
    LAB_NEAR(force.x, 0, 1e-3 * weight);
    LAB_NEAR(lab_center(p.bob).z, -LENGTH, LAB_G / 64 / 64 / ERP);
    lode_world_destroy(p.world);
}

/* Ten links: momentum along the chain needs iterations, which leave each joint further apart than
 * a single one. If in every step the whole chain's weight were missed by a joint, it would settle
 * at n g h^2 / erp; twice that is allowed for the swing. */
static void a_chain_holds_together(void **state)
{
    enum { LINKS = 10 };
    const double h = 1.0 / 64;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_joint joints[LINKS];
    lode_body last = {0};
    for (int i = 0; i < LINKS; ++i) {
        lode_body link = lab_box(world, (lab_material){.density = 1000},
                                 lab_vec3(0.25 + 0.5 * i, 0, 0), lab_vec3(0.25, 0.125, 0.125));
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        def.body_a = link;
        def.body_b = last;
        lode_joint_def_anchor_world(&def, lab_vec3(0.5 * i, 0, 0), lab_vec3(1, 0, 0));
        joints[i] = lode_joint_create(world, &def);
        last = link;
    }
    double apart = 0;
    for (int step = 0; step < 10 * 64; ++step) {
        lab_run(world, h, 1);
        for (int i = 0; i < LINKS; ++i)
            apart = fmax(apart, lab_length(lab_sub(lab_of(lode_joint_get_anchor_a(joints[i])),
                                                   lab_of(lode_joint_get_anchor_b(joints[i])))));
    }
    LAB_AT_MOST(apart, 2 * LINKS * LAB_G * h * h / ERP);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(the_period_is_the_elliptic_one),
        LAB_EACH_AND_PER_JOINT(a_pendulum_does_not_gain_energy),
        LAB_EACH_AND_PER_JOINT(few_iterations_do_in_all_directions),
        LAB_EACH_AND_PER_JOINT(a_small_ball_hangs_on_a_long_arm),
        LAB_EACH_AND_PER_JOINT(a_hanging_body_pulls_with_its_weight),
        LAB_EACH_AND_PER_JOINT(a_chain_holds_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
