/* test_capsules.c: capsules that roll, lie and pile up. */
#include "tests/fidelity/pit.h"

static const lab_material wood = {.density = 700, .friction = 0.8, .restitution = 0};
static const double dt = 1.0 / 60;

/* Along the body's z axis, turned by `rotation`. */
static lode_body add_capsule(lode_world world, lode_vec3 position, lode_quat rotation,
                             double radius, double half_length)
{
    lode_shape_def def = lab_shape_def(wood);
    lode_body body = lab_body(world, position);
    lode_body_set_pose(body, (lode_pose){position, rotation});
    lode_shape_create_capsule(body, &def, (lode_real)radius, (lode_real)half_length);
    return body;
}

static const lode_quat along_x = {1, 0, 1, 0}, along_y = {1, -1, 0, 0};

/* A solid that rolls without slipping falls down a slope with g sin / (1 + I / m r^2). */
static void a_capsule_rolls_as_its_inertia_says(void **state)
{
    const double slope = 0.2, radius = 0.3, half = 0.5;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_shape_def def = lab_shape_def(wood);
    lode_body_def ground = lode_body_def_default();
    lode_vec3 normal = lab_vec3(sin(slope), 0, cos(slope));
    lode_shape_create_plane(lode_body_create(world, &ground), &def, normal, 0);
    lode_body body = add_capsule(world, lab_vec3(radius * sin(slope), 0, radius * cos(slope)),
                                 along_y, radius, half);
    lode_mass mass = lode_body_get_mass(body);
    double share = (double)mass.inertia[2] / ((double)mass.mass * radius * radius);
    double expected = LAB_G * sin(slope) / (1 + share);
    lab_run(world, dt, 120);
    lab_vec v = lab_velocity(body), spin = lab_spin(body);
    LAB_NEAR(lab_length(v), expected * 2, 0.01 * expected * 2);
    LAB_NEAR(lab_length(spin) * radius, lab_length(v), 0.01 * lab_length(v));
    lab_vec axis = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 0, 1});
    LAB_NEAR(fabs(axis.y), 1, 1e-4);
    lode_world_destroy(world);
}

/* Lies on a plane and on a box, beyond whose edge it reaches: it keeps its place, and its contact
 * both features. */
static void check_lies(lode_solver solver, bool on_box)
{
    lode_world world = lab_world(solver);
    lode_shape_def def = lab_shape_def(wood);
    if (on_box) {
        lode_body_def ground = lode_body_def_default();
        lode_shape_create_box(lode_body_create(world, &ground), &def, lab_vec3(1, 1, 1));
    } else {
        lab_floor(world, wood);
    }
    lode_vec3 place = on_box ? lab_vec3(0.7, 0, 1.2) : lab_vec3(0, 0, 0.2);
    lode_body body = add_capsule(world, place, along_x, 0.2, 0.5);
    lab_run(world, dt, 30);
    for (int i = 0; i < 1000; ++i) {
        lode_contact c;
        lab_run(world, dt, 1);
        assert_int_equal(lode_world_get_contacts(world, &c, 1), 1);
        assert_int_equal(c.point_count, 2);
        assert_int_equal(c.points[0].feature, 1);
        assert_int_equal(c.points[1].feature, 2);
    }
    LAB_AT_MOST(lab_length(lab_sub(lab_center(body), lab_of(place))), 0.01);
    LAB_AT_MOST(lab_length(lab_velocity(body)), 1e-3);
    lode_world_destroy(world);
}

static void a_lying_capsule_keeps_its_place_and_its_features(void **state)
{
    check_lies(LAB_SOLVER(state), false);
    check_lies(LAB_SOLVER(state), true);
}

static lode_body add_any(lode_world world, int i, lode_vec3 place, lode_quat any,
                         test_random *random)
{
    if (i % 3 == 2)
        return lab_box(world, wood, place, lab_vec3(0.2, 0.15, 0.1));
    return add_capsule(world, place, any, 0.12, random_between(random, 0.05, 0.3));
}

/* Capsules and boxes. */
static void a_pile_comes_to_rest_and_nothing_sinks(void **state)
{
    const pit pit = {.material = wood, .add = add_any, .lowest = 0.05, .most_speed = 0.05};
    pit_check(&pit, LAB_SOLVER(state), dt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_capsule_rolls_as_its_inertia_says),
        LAB_EACH_SOLVER(a_lying_capsule_keeps_its_place_and_its_features),
        LAB_EACH_SOLVER(a_pile_comes_to_rest_and_nothing_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
