/* A world in a plane: what joints of that type hold stays in it without being put back, whatever
 * pushes, for 100,000 steps; in a plane of the world's axes, where hardly anything is rounded, for
 * fewer. */
#include "core/math.h"
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

enum { BODIES = 4, STEPS = 100000, STEPS_ALONG_AXES = 20000 };

#define H (1.0 / 60)

/* The plane, of the y and z axes of this frame: a plane of the world's axes, and one turned anyhow,
 * where poses are rounded. */
static lode_quat plane;

static lode_vec3 turned(double x, double y, double z)
{
    lab_vec v = lab_rotate(plane, (lab_vec){x, y, z});
    return lab_vec3(v.x, v.y, v.z);
}

static lode_body in_plane(lode_world world, lode_vec3 at)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = at;
    def.rotation = plane;
    lode_body body = lode_body_create(world, &def);
    lode_joint_def joint = lode_joint_def_default(LODE_JOINT_PLANE_2D);
    joint.body_a = body;
    joint.frame_b.rotation = plane;
    assert_true(lode_joint_create(world, &joint).id != 0);
    return body;
}

/* Boxes and a ball between a floor and two walls. */
static void fill_box(lode_world world, lode_body bodies[BODIES])
{
    const lab_material material = {100, 0.5, 0.25};
    lode_shape_def shape = lab_shape_def(material);
    lode_body_def still = lode_body_def_default();
    lode_body walls = lode_body_create(world, &still);
    lode_shape_create_plane(walls, &shape, turned(0, 0, 1), 0);
    lode_shape_create_plane(walls, &shape, turned(0, 1, 0), -2);
    lode_shape_create_plane(walls, &shape, turned(0, -1, 0), -2);
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = in_plane(world, turned(0, i - 1.5, 1 + 0.5 * i));
        if (i == 0)
            lode_shape_create_sphere(bodies[i], &shape, (lode_real)0.3);
        else
            lode_shape_create_box(bodies[i], &shape, lab_vec3(0.2, 0.25 + 0.1 * i, 0.3));
    }
}

/* The angle of the body's x axis to the plane's. */
static double tilt_of(lode_body body)
{
    lab_vec x = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){1, 0, 0});
    lab_vec n = lab_rotate(plane, (lab_vec){1, 0, 0});
    return atan2(lab_length(lab_cross(x, n)), lab_dot(x, n));
}

static double off_plane(lode_body body)
{
    return fabs(lab_dot(lab_of(lode_body_get_pose(body).position),
                        lab_rotate(plane, (lab_vec){1, 0, 0})));
}

/* Up to its weight, and up to that at an arm of half a metre, in any direction; with a push now and
 * then that throws it across the box. */
static void push(lode_body body, test_random *random)
{
    double weight = lode_body_get_mass(body).mass * LAB_G;
    double most = random_below(random, 64) == 0 ? 10 * weight : weight;
    double force[3], torque[3];
    for (int k = 0; k < 3; ++k) {
        force[k] = random_between(random, -most, most);
        torque[k] = random_between(random, -most / 2, most / 2);
    }
    lode_body_add_force(body, lab_vec3(force[0], force[1], force[2]));
    lode_body_add_torque(body, lab_vec3(torque[0], torque[1], torque[2]));
}

static void run(lode_solver solver, lode_quat frame, int steps)
{
    const double most_tilt = sizeof(lode_real) == sizeof(float) ? 1e-6 : 1e-14;
    lode_world world = lab_world(solver);
    lode_body bodies[BODIES];
    test_random random = {31};
    double tilt = 0, off = 0, contacts = 0;
    plane = frame;
    lode_world_set_gravity(world, turned(0, 0, -LAB_G));
    fill_box(world, bodies);
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < BODIES; ++i)
            push(bodies[i], &random);
        lab_run(world, H, 1);
        for (int i = 0; i < BODIES; ++i) {
            tilt = fmax(tilt, tilt_of(bodies[i]));
            off = fmax(off, off_plane(bodies[i]));
        }
        lode_world_stats stats;
        assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
        contacts += stats.contacts;
    }
    lode_world_destroy(world);
    print_message("tilt %.2g rad, off the plane %.2g m, %.1f contacts\n", tilt, off,
                  contacts / steps);
    LAB_AT_MOST(tilt, most_tilt);
    LAB_AT_MOST(off, 8 * most_tilt);
    assert_true(contacts > steps);
}

static void what_lies_in_a_plane_never_tilts(void **state)
{
    run(LAB_SOLVER(state), (lode_quat){1, 0, 0, 0}, STEPS_ALONG_AXES);
    lode_quat turned = q_normalize((lode_quat){(lode_real)0.8, (lode_real)0.3, (lode_real)-0.4,
                                               (lode_real)0.2});
    run(LAB_SOLVER(state), turned, STEPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(what_lies_in_a_plane_never_tilts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
