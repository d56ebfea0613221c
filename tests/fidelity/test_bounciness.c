/* Perfect bounciness: a box with restitution 1 and without friction, held in a plane, between four
 * walls and without gravity. The manual of ODE tells of one that is at rest after five bounces.
 *
 * With Newton's law at every point that pushes, and impulses of the whole step, a bounce changes no
 * energy (solver/contact_after.inl), whatever the box strikes with at once; what is left is
 * rounding. A thousandth is allowed over 10,000 bounces, which is less than one unit in the last
 * place of single precision for each. */
#include "tests/fidelity/lab.h"

enum { BOUNCES = 10000, MOST_STEPS = 400000 };

#define H (1.0 / 60)

static const lab_material elastic = {.density = 1, .restitution = 1};

static lode_world walled(lode_solver solver, double half)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = lab_vec3(0, 0, 0);
    def.solver = solver;
    def.restitution_threshold = 0;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    lode_shape_def shape = lab_shape_def(elastic);
    lode_body_def still = lode_body_def_default();
    lode_body walls = lode_body_create(world, &still);
    for (int i = 0; i < 4; ++i)
        lode_shape_create_plane(walls, &shape, lab_vec3(0, i < 2 ? 1 - 2 * i : 0,
                                                        i < 2 ? 0 : 5 - 2 * i), (lode_real)-half);
    return world;
}

/* `off`: where the box lies in its body, along the axis that the plane takes. */
static lode_body box_in_plane(lode_world world, double off)
{
    lode_body body = lab_body(world, lab_vec3(0, 0, 0));
    lode_shape_def shape = lab_shape_def(elastic);
    shape.pose.position = lab_vec3(off, 0, 0);
    lode_shape_create_box(body, &shape, lab_vec3(0.5, 0.5, 0.5));
    if (off != 0) {
        shape.pose.position = lab_vec3(-2 * off, 0, 0);
        shape.mask = 0;
        lode_shape_create_sphere(body, &shape, (lode_real)0.5);
    }
    lode_joint_def plane = lode_joint_def_default(LODE_JOINT_PLANE_2D);
    plane.body_a = body;
    assert_true(lode_joint_create(world, &plane).id != 0);
    return body;
}

static double kinetic(lode_body body)
{
    lab_vec v = lab_velocity(body);
    return 0.5 * lode_body_get_mass(body).mass * lab_dot(v, v) + lab_spin_energy(body);
}

/* Returns the largest share by which the energy was off. */
static double bounce_about(lode_world world, lode_body box, double half)
{
    double first = kinetic(box), worst = 0;
    lab_vec before = lab_velocity(box);
    int bounces = 0, step = 0;
    for (; bounces < BOUNCES && step < MOST_STEPS; ++step) {
        lab_run(world, H, 1);
        lab_vec v = lab_velocity(box), at = lab_center(box);
        double off = fabs(kinetic(box) / first - 1);
        worst = off <= worst ? worst : off;
        bounces += fabs(v.y - before.y) + fabs(v.z - before.z) > 1e-5; /* not by rounding */
        before = v;
        LAB_AT_MOST(fmax(fabs(at.y), fabs(at.z)), half - 0.4);
    }
    assert_true(bounces == BOUNCES);
    return worst;
}

static void check(lode_solver solver, double half, double off, double spin)
{
    lode_world world = walled(solver, half);
    lode_body box = box_in_plane(world, off);
    lode_body_set_linear_velocity(box, lab_vec3(0, 4, 2.74));
    lode_body_set_angular_velocity(box, lab_vec3(spin, 0, 0));
    double worst = bounce_about(world, box, half);
    print_message("walls %.2f apart, spin %.1f: energy off by %.2g at most\n", 2 * half, spin,
                  worst);
    LAB_AT_MOST(worst, 0.001);
    lode_world_destroy(world);
}

static void a_box_bounces_flat(void **state)
{
    check(LAB_SOLVER(state), 0.8, 0, 0);
}

static void a_box_bounces_and_turns(void **state)
{
    check(LAB_SOLVER(state), 1.25, 0, 2.6);
}

/* Its centre of mass does not lie in the middle of what strikes: the plane's joint must push. */
static void a_box_beside_its_centre_of_mass_bounces(void **state)
{
    check(LAB_SOLVER(state), 1.25, 0.25, 2.6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_box_bounces_flat),
        LAB_EACH_SOLVER(a_box_bounces_and_turns),
        LAB_EACH_SOLVER(a_box_beside_its_centre_of_mass_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
