/* What bodies of several shapes weigh, where they balance, and that place does not matter. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material stuff = {.density = 100, .friction = 0.75};

static void add_sphere_to(lode_body body, double density, double x, double z, double radius)
{
    lode_shape_def def = lab_shape_def((lab_material){density, 0.75, 0});
    def.pose.position = lab_vec3(x, 0, z);
    lode_shape_create_sphere(body, &def, (lode_real)radius);
}

/* A dumbbell by the parallel axis theorem: spheres of 4 pi / 3 r^3 kg each at -1 and 3 with masses
 * 1 : 3, centre at 2. */
static void a_dumbbell_has_the_mass_of_its_parts(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body body = lab_body(world, lab_vec3(5, 6, 7));
    add_sphere_to(body, 10, -1, 0, 0.5);
    add_sphere_to(body, 30, 3, 0, 0.5);
    lode_mass mass = lode_body_get_mass(body);
    double m1 = 10 * 4 * LAB_PI / 3 / 8, m2 = 3 * m1, round = 0.4 * (m1 + m2) / 4;
    double across = round + m1 * 9 + m2 * 1, rounding = 32 * LAB_EPSILON * across;
    LAB_NEAR(mass.mass, m1 + m2, rounding);
    LAB_NEAR(mass.center.x, 2, 32 * LAB_EPSILON);
    LAB_NEAR(mass.inertia[0], round, rounding);
    LAB_NEAR(mass.inertia[1], across, rounding);
    LAB_NEAR(mass.inertia[2], across, rounding);
    LAB_NEAR(lab_center(body).x, 7, 64 * LAB_EPSILON);
    lode_world_destroy(world);
}

/* A beam on a post of half width 0.25: weights of 4 : 1 at arms of 1 : 4 balance on it, and tip
 * when the long arm carries half as much again (the centre of mass is then 0.4 off, beyond the
 * post's edge, where the beam of 0.4 m^3 kg still counts against it). */
static lode_body beam_on_post(lode_world world, double far_density)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lab_shape_def(stuff);
    def.position = lab_vec3(0, 0, 1);
    lode_shape_create_box(lode_body_create(world, &def), &shape, lab_vec3(0.25, 0.25, 1));
    lode_body beam = lab_box(world, (lab_material){1, 0.75, 0}, lab_vec3(0, 0, 2.0625),
                             lab_vec3(2.25, 0.25, 0.0625));
    add_sphere_to(beam, 4000, -0.5, 0.3125, 0.25);
    add_sphere_to(beam, far_density, 2, 0.3125, 0.25);
    return beam;
}

static void a_beam_balances_when_its_moments_do(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body beam = beam_on_post(world, 1000);
    LAB_NEAR(lab_center(beam).x, 0, 16 * LAB_EPSILON);
    lab_run(world, H, 640);
    LAB_NEAR(lode_body_get_pose(beam).position.z, 2.0625, 0.01);
    LAB_NEAR(lab_rotate(lode_body_get_pose(beam).rotation, (lab_vec){1, 0, 0}).z, 0, 0.01);
    lode_world_destroy(world);
}

static void a_beam_tips_when_its_centre_is_past_the_edge(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body beam = beam_on_post(world, 2000);
    LAB_AT_MOST(0.3, lab_center(beam).x);
    lab_run(world, H, 128);
    LAB_AT_MOST(lab_rotate(lode_body_get_pose(beam).rotation, (lab_vec){1, 0, 0}).z, -0.25);
    lode_world_destroy(world);
}

/* The same tower near the origin and so far away that the spacing of positions there is 2^-11 of a
 * metre in single precision (and 2^-11 of the slop in double). Positions are rounded to that once
 * a step; relative ones, which is all a contact sees, are exact. So the tower stands, and its boxes
 * lie as high as at home. */
static void far_from_the_origin_a_tower_stands_too(void **state)
{
    double far = sizeof(lode_real) == sizeof(float) ? 4096 : 4096.0 * 1024 * 1024 * 16;
    double spacing = 2 * far * LAB_EPSILON;
    lode_body boxes[2][4];
    double home[4] = {0.5, 1.5, 2.5, 3.5};
    for (int away = 0; away < 2; ++away) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lab_floor(world, stuff);
        for (int i = 0; i < 4; ++i)
            boxes[away][i] = lab_box(world, stuff, lab_vec3(away * far, -away * far, 0.5 + i),
                                     lab_vec3(0.5, 0.5, 0.5));
        lab_run(world, H, 320);
        for (int i = 0; i < 4; ++i) {
            lab_vec p = lab_center(boxes[away][i]);
            LAB_NEAR(p.x, away * far, 0.01 + 4 * spacing);
            LAB_NEAR(p.y, -away * far, 0.01 + 4 * spacing);
            LAB_NEAR(p.z, home[i], away ? 0.001 : 0.5);
            home[i] = p.z;
            LAB_AT_MOST(lab_length(lab_velocity(boxes[away][i])), 0.01);
        }
        lode_world_destroy(world);
    }
}

/* Where it is turned to does not matter either: a box dropped flat on a slanted ground with
 * gravity slanted alike comes to rest as on the level. */
static void a_turned_world_is_the_same_world(void **state)
{
    lode_quat turn = {(lode_real)0.5, (lode_real)0.5, (lode_real)-0.5, (lode_real)0.5};
    double height[2];
    for (int turned = 0; turned < 2; ++turned) {
        lode_quat q = turned ? turn : (lode_quat){1, 0, 0, 0};
        lab_vec up = lab_rotate(q, (lab_vec){0, 0, 1});
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_world_set_gravity(world, lab_vec3(-LAB_G * up.x, -LAB_G * up.y, -LAB_G * up.z));
        lode_body_def def = lode_body_def_default();
        lode_shape_def shape = lab_shape_def(stuff);
        def.rotation = q;
        lode_shape_create_plane(lode_body_create(world, &def), &shape, lab_vec3(0, 0, 1), 0);
        def.type = LODE_DYNAMIC;
        def.position = lab_vec3(2 * up.x, 2 * up.y, 2 * up.z);
        lode_body box = lode_body_create(world, &def);
        lode_shape_create_box(box, &shape, lab_vec3(0.5, 0.5, 0.5));
        lab_run(world, H, 256);
        height[turned] = lab_dot(lab_center(box), up);
        LAB_AT_MOST(lab_length(lab_velocity(box)), 0.001);
        lode_world_destroy(world);
    }
    LAB_NEAR(height[0], 0.5, 0.006); /* within the slop */
    LAB_NEAR(height[1], height[0], 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_dumbbell_has_the_mass_of_its_parts),
        LAB_EACH_SOLVER(a_beam_balances_when_its_moments_do),
        LAB_EACH_SOLVER(a_beam_tips_when_its_centre_is_past_the_edge),
        LAB_EACH_SOLVER(far_from_the_origin_a_tower_stands_too),
        LAB_EACH_SOLVER(a_turned_world_is_the_same_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
