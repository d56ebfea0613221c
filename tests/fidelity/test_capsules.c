/* test_capsules.c: capsules that roll, lie and pile up. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

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

/* A pit: a floor and four walls, 2 m wide. */
static void add_pit(lode_world world)
{
    lode_shape_def def = lab_shape_def(wood);
    lode_body_def ground = lode_body_def_default();
    lode_body body = lode_body_create(world, &ground);
    lode_shape_create_plane(body, &def, lab_vec3(0, 0, 1), 0);
    for (int side = 0; side < 4; ++side) {
        double x = side == 0   ? 1.5
                   : side == 1 ? -1.5
                               : 0,
               y = side == 2   ? 1.5
                   : side == 3 ? -1.5
                               : 0;
        def.pose.position = lab_vec3(x, y, 2);
        lode_shape_create_box(body, &def, lab_vec3(x != 0 ? 0.5 : 2, y != 0 ? 0.5 : 2, 2));
    }
}

/* Capsules and boxes of all directions fall into a pit: they come to rest in it, and nothing
 * sinks into anything. */
static void a_pile_comes_to_rest_and_nothing_sinks(void **state)
{
    enum { BODIES = 60, CONTACTS = 1000 };
    static lode_contact contacts[CONTACTS];
    int body_count = LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? BODIES / 3 : BODIES;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body bodies[BODIES];
    test_random random = {5};
    add_pit(world);
    for (int i = 0; i < body_count; ++i) {
        double x = random_between(&random, -0.5, 0.5), y = random_between(&random, -0.5, 0.5);
        lode_vec3 place = lab_vec3(x, y, 0.5 + 0.4 * i);
        lode_quat any = {
            (lode_real)random_between(&random, 0.1, 1), (lode_real)random_between(&random, -1, 1),
            (lode_real)random_between(&random, -1, 1), (lode_real)random_between(&random, -1, 1)};
        if (i % 3 == 2)
            bodies[i] = lab_box(world, wood, place, lab_vec3(0.2, 0.15, 0.1));
        else
            bodies[i] = add_capsule(world, place, any, 0.12, random_between(&random, 0.05, 0.3));
    }
    lab_run(world, dt, 900);
    lab_sum sum = lab_total(bodies, body_count);
    double mass = 0;
    for (int i = 0; i < body_count; ++i) {
        lab_vec c = lab_center(bodies[i]);
        assert_true(fabs(c.x) < 1 && fabs(c.y) < 1 && c.z > 0.05 && c.z < 4);
        mass += (double)lode_body_get_mass(bodies[i]).mass;
    }
    LAB_AT_MOST(sqrt(2 * sum.kinetic / mass), 0.05);
    int count = lode_world_get_contacts(world, contacts, CONTACTS);
    assert_true(count > body_count && count <= CONTACTS);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            LAB_AT_MOST((double)contacts[i].points[k].depth, 0.02);
    lode_world_destroy(world);
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
