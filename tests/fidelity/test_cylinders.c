/* test_cylinders.c: cylinders that roll, stand, lie, spin and pile up. */
#include "tests/fidelity/pit.h"

static const lab_material wood = {.density = 700, .friction = 0.8, .restitution = 0};
static const double dt = 1.0 / 60;

static const lode_quat upright = {1, 0, 0, 0}, along_x = {1, 0, 1, 0}, along_y = {1, -1, 0, 0};

/* Along the body's z axis, turned by `rotation`. */
static lode_body add_cylinder(lode_world world, lode_vec3 position, lode_quat rotation,
                              double radius, double half_length)
{
    lode_shape_def def = lab_shape_def(wood);
    lode_body body = lab_body(world, position);
    lode_body_set_pose(body, (lode_pose){position, rotation});
    lode_shape_create_cylinder(body, &def, (lode_real)radius, (lode_real)half_length);
    return body;
}

/* A static plane, or the top of a static box, through the origin, that falls towards x. */
static void add_slope(lode_world world, double slope, bool box)
{
    lode_shape_def def = lab_shape_def(wood);
    lode_body_def ground = lode_body_def_default();
    lode_body body = lode_body_create(world, &ground);
    if (box) {
        def.pose.rotation = (lode_quat){(lode_real)cos(slope / 2), 0, (lode_real)sin(slope / 2), 0};
        def.pose.position = lab_vec3(-2 * sin(slope), 0, -2 * cos(slope));
        lode_shape_create_box(body, &def, lab_vec3(100, 5, 2));
    } else {
        lode_shape_create_plane(body, &def, lab_vec3(sin(slope), 0, cos(slope)), 0);
    }
}

/* A solid cylinder has I = m r^2 / 2, so without slipping it falls with two thirds of g sin. */
static void check_rolls(lode_solver solver, bool box)
{
    const double slope = 0.2, radius = 0.3, half = 0.5;
    lode_world world = lab_world(solver);
    add_slope(world, slope, box);
    lode_body body = add_cylinder(world, lab_vec3(radius * sin(slope), 0, radius * cos(slope)),
                                  along_y, radius, half);
    double expected = LAB_G * sin(slope) * 2 / 3;
    lab_run(world, dt, 120);
    lab_vec v = lab_velocity(body), spin = lab_spin(body);
    LAB_NEAR(lab_length(v), expected * 2, 0.01 * expected * 2);
    LAB_NEAR(lab_length(spin) * radius, lab_length(v), 0.01 * lab_length(v));
    lab_vec axis = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 0, 1});
    LAB_NEAR(fabs(axis.y), 1, 1e-4);
    LAB_NEAR(lab_center(body).y, 0, 0.003 * lab_center(body).x);
    lode_world_destroy(world);
}

static void a_cylinder_rolls_with_two_thirds(void **state)
{
    check_rolls(LAB_SOLVER(state), false);
    check_rolls(LAB_SOLVER(state), true);
}

/* On a level plane or box it rolls on, 40 m, and keeps its direction within 0.003. */
static void check_rolls_on(lode_solver solver, bool box)
{
    const double radius = 0.2, speed = 2;
    lode_world world = lab_world(solver);
    add_slope(world, 0, box);
    lode_body body = add_cylinder(world, lab_vec3(0, 0, radius), along_y, radius, 0.4);
    lode_body_set_linear_velocity(body, lab_vec3(speed, 0, 0));
    lode_body_set_angular_velocity(body, lab_vec3(0, speed / radius, 0));
    lab_run(world, dt, 1200);
    lab_vec v = lab_velocity(body), at = lab_center(body);
    lab_vec axis = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 0, 1});
    LAB_NEAR(v.x, speed, 0.02 * speed);
    LAB_NEAR(v.y, 0, 0.005 * speed);
    LAB_NEAR(at.y, 0, 0.003 * at.x);
    LAB_NEAR(fabs(axis.y), 1, 1e-4);
    LAB_NEAR(at.z, radius, 0.006);
    lode_world_destroy(world);
}

static void a_rolling_cylinder_keeps_rolling_straight(void **state)
{
    check_rolls_on(LAB_SOLVER(state), false);
    check_rolls_on(LAB_SOLVER(state), true);
}

typedef struct rest_features {
    int count;
    uint32_t feature[4];
} rest_features;

static rest_features features_of(lode_world world, lode_body body)
{
    lode_contact contacts[8];
    rest_features f = {0};
    int count = lode_world_get_contacts(world, contacts, 8);
    for (int i = 0; i < count; ++i)
        if (contacts[i].body_a.id == body.id || contacts[i].body_b.id == body.id) {
            f.count = contacts[i].point_count;
            for (int k = 0; k < f.count; ++k)
                f.feature[k] = contacts[i].points[k].feature;
        }
    return f;
}

/* Once all have sunk to the slop: for 1,000 steps the topmost body's contact keeps its points and
 * names, and no body moves. */
static void check_rests(lode_world world, lode_body *bodies, int count, int points)
{
    lab_vec place[4];
    lab_run(world, dt, 600);
    rest_features first = features_of(world, bodies[count - 1]);
    assert_int_equal(first.count, points);
    for (int i = 0; i < count; ++i)
        place[i] = lab_center(bodies[i]);
    for (int i = 0; i < 1000; ++i) {
        lab_run(world, dt, 1);
        rest_features now = features_of(world, bodies[count - 1]);
        assert_int_equal(now.count, points);
        for (int k = 0; k < points; ++k)
            assert_int_equal(now.feature[k], first.feature[k]);
    }
    for (int i = 0; i < count; ++i) {
        LAB_AT_MOST(lab_length(lab_sub(lab_center(bodies[i]), place[i])), 0.005);
        LAB_AT_MOST(lab_length(lab_velocity(bodies[i])), 2e-3);
    }
    lode_world_destroy(world);
}

static lode_world awake_world(lode_solver solver, bool box)
{
    lode_world world = lab_world(solver);
    add_slope(world, 0, box);
    return world;
}

static void a_standing_cylinder_stays(void **state)
{
    for (int on_box = 0; on_box < 2; ++on_box) {
        lode_world world = awake_world(LAB_SOLVER(state), on_box);
        lode_body body = add_cylinder(world, lab_vec3(0.1, 0, 1), upright, 0.3, 1);
        check_rests(world, &body, 1, 4);
    }
}

static void a_lying_cylinder_stays(void **state)
{
    for (int on_box = 0; on_box < 2; ++on_box) {
        lode_world world = awake_world(LAB_SOLVER(state), on_box);
        lode_body body = add_cylinder(world, lab_vec3(0.1, 0, 0.3), along_x, 0.3, 0.6);
        check_rests(world, &body, 1, 2);
    }
}

/* A column of drums, each turned against the one below. */
static void drums_stand_on_each_other(void **state)
{
    lode_world world = awake_world(LAB_SOLVER(state), true);
    lode_body bodies[3];
    for (int i = 0; i < 3; ++i) {
        lode_quat turned = {1, 0, 0, (lode_real)(0.3 * i)};
        bodies[i] = add_cylinder(world, lab_vec3(0.002 * i, 0, 0.2 + 0.4 * i), turned, 0.3, 0.2);
    }
    check_rests(world, bodies, 3, 4);
}

/* A plank on a drum's end, and a drum on a box smaller than its end. */
static void drums_and_boxes_stand_on_each_other(void **state)
{
    lode_world world = awake_world(LAB_SOLVER(state), false);
    lode_body bodies[3];
    bodies[0] = lab_box(world, wood, lab_vec3(0, 0, 0.1), lab_vec3(0.2, 0.15, 0.1));
    bodies[1] = add_cylinder(world, lab_vec3(0, 0, 0.4), upright, 0.3, 0.2);
    bodies[2] = lab_box(world, wood, lab_vec3(0, 0, 0.65), lab_vec3(0.6, 0.1, 0.05));
    check_rests(world, bodies, 3, 4);
}

/* With the direct solver, which leaves nothing to its sweeps: near the critical height a single
 * point of the rim bears all. A drum on a slope of 0.3 stands while its centre is above its end,
 * and tips beyond. */
static void a_drum_tips_where_its_centre_leaves_its_end(void **state)
{
    const double slope = 0.3, radius = 0.2, critical = radius / tan(slope);
    for (int tall = 0; tall < 2; ++tall) {
        lode_world world = lab_world(LAB_SOLVER(state));
        double half = critical * (tall ? 1.1 : 0.9);
        add_slope(world, slope, false);
        lode_quat turned = {(lode_real)cos(slope / 2), 0, (lode_real)sin(slope / 2), 0};
        lode_body body = add_cylinder(world, lab_vec3(half * sin(slope), 0, half * cos(slope)),
                                      turned, radius, half);
        lab_run(world, dt, 240);
        lab_vec axis = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 0, 1});
        double lean = axis.x * sin(slope) + axis.z * cos(slope);
        if (tall)
            LAB_AT_MOST(lean, 0.5);
        else
            LAB_NEAR(lean, 1, 0.01);
        lode_world_destroy(world);
    }
}

/* A disc that spins on its end is slowed by friction alone and stays where it is. */
static void a_spinning_disc_stays_on_its_place(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lab_floor(world, wood);
    lode_body body = add_cylinder(world, lab_vec3(0, 0, 0.05), upright, 0.4, 0.05);
    lode_body_set_angular_velocity(body, lab_vec3(0, 0, 20));
    double last = 20;
    for (int i = 0; i < 60; ++i) {
        lab_run(world, dt, 5);
        double spin = lab_spin(body).z;
        assert_true(spin <= last + 1e-3);
        last = spin;
    }
    LAB_NEAR(last, 0, 0.05);
    LAB_AT_MOST(lab_length(lab_sub(lab_center(body), (lab_vec){0, 0, 0.05})), 0.02);
    lab_vec axis = lab_rotate(lode_body_get_pose(body).rotation, (lab_vec){0, 0, 1});
    LAB_NEAR(axis.z, 1, 1e-3);
    lode_world_destroy(world);
}

static lode_body add_any(lode_world world, int i, lode_vec3 place, lode_quat any,
                         test_random *random)
{
    if (i % 4 == 2)
        return lab_box(world, wood, place, lab_vec3(0.2, 0.15, 0.1));
    if (i % 4 == 3)
        return lab_sphere(world, wood, place, 0.15);
    return add_cylinder(world, place, any, 0.15, random_between(random, 0.05, 0.3));
}

/* Cylinders, boxes and spheres. */
static void a_pile_comes_to_rest_and_nothing_sinks(void **state)
{
    const pit pit = {.material = wood, .add = add_any, .lowest = 0.04, .most_speed = 0.1};
    pit_check(&pit, LAB_SOLVER(state), dt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_cylinder_rolls_with_two_thirds),
        LAB_EACH_SOLVER(a_rolling_cylinder_keeps_rolling_straight),
        LAB_EACH_SOLVER(a_standing_cylinder_stays),
        LAB_EACH_SOLVER(a_lying_cylinder_stays),
        LAB_EACH_SOLVER(drums_stand_on_each_other),
        LAB_EACH_SOLVER(drums_and_boxes_stand_on_each_other),
        {"a_drum_tips_where_its_centre_leaves_its_end (direct)",
         a_drum_tips_where_its_centre_leaves_its_end, NULL, NULL, &lab_solvers[LODE_SOLVER_DIRECT]},
        LAB_EACH_SOLVER(a_spinning_disc_stays_on_its_place),
        LAB_EACH_SOLVER(a_pile_comes_to_rest_and_nothing_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
