/* test_wedged.c: bodies that are held from two sides by what they overlap. Contacts then ask for
 * what no velocity is; the answer is still to be one that a program can live with: nothing is
 * thrown, and the direct solver's impulses are those of what bodies weigh and how they move. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

enum { STEPS = 300, MOST_CONTACTS = 64 };

static const lab_material stone = {.density = 1000, .friction = 0.5};

static void put_wall(lode_body body, double x, double z, double lean)
{
    lode_shape_def def = lab_shape_def(stone);
    def.pose.position = lab_vec3(x, 0, z);
    def.pose.rotation = (lode_quat){1, 0, (lode_real)(lean / 2), 0};
    lode_shape_create_box(body, &def, lab_vec3(1, 2, 2));
}

/* Two walls, a tenth closer than the cube between them is wide. They lean outwards by an angle. */
static lode_body between_walls(lode_world world, double lean)
{
    lode_body_def def = lode_body_def_default();
    lode_body walls = lode_body_create(world, &def);
    put_wall(walls, 1.45, 1, lean);
    put_wall(walls, -1.45, 1, -lean);
    return lab_box(world, stone, lab_vec3(0, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
}

static bool is_direct(lode_solver solver)
{
    return solver == LODE_SOLVER_DIRECT || solver == LODE_SOLVER_HYBRID;
}

/* What rows contradict each other by is a warning, not an error. In a step contacts move bodies by
 * 4 m/s at most. */
static void check_cube(lode_solver solver, lode_integrator integrator, double lean)
{
    const double weight = 1000 * LAB_G * H;
    lode_world world = lab_world(solver);
    lode_world_set_integrator(world, integrator);
    lab_floor(world, stone);
    lode_body cube = between_walls(world, lean);
    lab_vec at = lab_center(cube);
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(lode_world_step(world, H), LODE_OK);
        lab_vec before = at;
        at = lab_center(cube);
        LAB_AT_MOST(lab_length(lab_sub(at, before)), 4 * H);
        LAB_AT_MOST(lab_length(lab_velocity(cube)), 1);
        if (is_direct(solver))
            LAB_AT_MOST(lab_largest_impulse(world), 10 * weight);
    }
    LAB_AT_MOST(fabs(at.x), 0.1);
    LAB_AT_MOST(-at.z, -0.45);
    lode_world_destroy(world);
}

/* Where the walls are all but parallel, to leave at the speed that contacts ask for would be to go
 * at thousands of metres a second. */
static void a_cube_between_walls_stays_or_slides_out(void **state)
{
    const double leans[] = {0, 1e-3, 0.03, -0.01};
    for (int k = 0; k < 4; ++k) {
        check_cube(LAB_SOLVER(state), LODE_INTEGRATOR_SEMI_IMPLICIT, leans[k]);
        check_cube(LAB_SOLVER(state), LODE_INTEGRATOR_SECOND_ORDER, leans[k]);
    }
}

static lode_body kinematic(lode_world world, lode_vec3 at, lode_vec3 velocity)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_KINEMATIC;
    def.position = at;
    def.linear_velocity = velocity;
    return lode_body_create(world, &def);
}

/* PGS pushes the cube from both sides with more in each sweep. What that has come to is balanced no
 * more when a wall goes; contacts push at 4 m/s. */
static void a_cube_is_not_thrown_when_a_wall_goes(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body_def def = lode_body_def_default();
    lode_body wall = lode_body_create(world, &def), other = lode_body_create(world, &def);
    lab_floor(world, stone);
    put_wall(wall, 1.45, 1, 0.05);
    put_wall(other, -1.45, 1, -0.02);
    lode_body cube = lab_box(world, stone, lab_vec3(0, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(lode_world_step(world, H), LODE_OK);
        if (i == STEPS / 2)
            lode_body_destroy(wall);
        LAB_AT_MOST(lab_length(lab_velocity(cube)), 5);
        LAB_AT_MOST(lab_length(lab_spin(cube)), 8);
    }
    lode_world_destroy(world);
}

/* Walls that nobody can push close in at 0.1 m/s, until they overlap the cube by a third. */
static void a_cube_between_walls_that_close_in(void **state)
{
    const double weight = 1000 * LAB_G * H;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_shape_def def = lab_shape_def(stone);
    lab_floor(world, stone);
    for (int side = -1; side <= 1; side += 2)
        lode_shape_create_box(
            kinematic(world, lab_vec3(1.55 * side, 0, 1), lab_vec3(-0.1 * side, 0, 0)), &def,
            lab_vec3(1, 2, 2));
    lode_body cube = lab_box(world, stone, lab_vec3(0, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(lode_world_step(world, H), LODE_OK);
        LAB_AT_MOST(lab_length(lab_velocity(cube)), 1);
        if (is_direct(LAB_SOLVER(state)))
            LAB_AT_MOST(lab_largest_impulse(world), 1000 * weight);
    }
    LAB_AT_MOST(lab_length(lab_sub(lab_center(cube), lab_of(lab_vec3(0, 0, 0.5)))), 0.5);
    lode_world_destroy(world);
}

/* A ball joint to a kinematic body pulls the cube into a wall, and is stretched by 0.57 m in the
 * end: it asks for 7 m/s. */
static void a_cube_that_is_pulled_into_a_wall(void **state)
{
    const double weight = 1000 * LAB_G * H;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body_def def = lode_body_def_default();
    lode_joint_def pull = lode_joint_def_default(LODE_JOINT_BALL);
    lab_floor(world, stone);
    put_wall(lode_body_create(world, &def), 1.6, 1, 0);
    pull.body_a = kinematic(world, lab_vec3(0, 0, 2), lab_vec3(0.2, 0, 0));
    pull.body_b = lab_box(world, stone, lab_vec3(0, 0, 0.5), lab_vec3(0.5, 0.5, 0.5));
    pull.frame_a.position.z = -1;
    pull.frame_b.position.z = (lode_real)0.5;
    lode_joint joint = lode_joint_create(world, &pull);
    for (int i = 0; i < 200; ++i) {
        assert_int_equal(lode_world_step(world, H), LODE_OK);
        LAB_AT_MOST(lab_length(lab_of(lode_joint_get_force(joint))) * H, 1e4 * weight);
        LAB_AT_MOST(lab_largest_impulse(world), 1e4 * weight);
        LAB_AT_MOST(lab_length(lab_velocity(pull.body_b)), 14);
    }
    lode_world_destroy(world);
}

/* With cfm it is said how far each contact gives way, and nothing is solved again: of a cube that
 * is pressed from both sides each point pushes by erp / cfm times its depth below the surface
 * layer. */
static void contacts_with_cfm_give_way_by_it(void **state)
{
    const double cfm = 1e-6, erp = 0.2, depth = 0.05 - 0.005;
    static lode_contact contacts[MOST_CONTACTS];
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_world_set_erp(world, (lode_real)erp);
    lode_world_set_cfm(world, (lode_real)cfm);
    between_walls(world, 0);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(lode_world_step(world, H), LODE_OK);
    assert_int_equal(lode_world_get_contacts(world, contacts, MOST_CONTACTS), 2);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(contacts[i].point_count, 4);
        for (int k = 0; k < 4; ++k)
            LAB_NEAR(fabs((double)contacts[i].points[k].impulse.x), erp * depth / cfm, 1);
    }
    lode_world_destroy(world);
}

/* A hollow body, in free fall with what it holds: nobody outside pushes, so together they rest. To
 * move the cube of 1,000 kg as fast as contacts may push, 4 m/s, takes 4,000 N s. */
static void what_holds_each_other_keeps_its_momentum(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body bodies[2] = {lab_body(world, lab_vec3(0, 0, 0)),
                           lab_box(world, stone, lab_vec3(0.01, 0, 0.5), lab_vec3(0.5, 0.5, 0.5))};
    put_wall(bodies[0], 1.45, 1, 0.001);
    put_wall(bodies[0], -1.45, 1, -0.001);
    const double mass = (double)lode_body_get_mass(bodies[0]).mass;
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(lode_world_step(world, H), LODE_OK);
        lab_sum sum = lab_total(bodies, 2);
        LAB_AT_MOST(lab_length(sum.momentum), 1e4 * LAB_EPSILON * mass);
        LAB_AT_MOST(lab_length(lab_velocity(bodies[1])), 4);
        if (is_direct(LAB_SOLVER(state)))
            LAB_AT_MOST(lab_largest_impulse(world), 4000);
    }
    lode_world_destroy(world);
}

static lode_solver direct = LODE_SOLVER_DIRECT, hybrid = LODE_SOLVER_HYBRID;

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_cube_between_walls_stays_or_slides_out),
        cmocka_unit_test_prestate(a_cube_between_walls_stays_or_slides_out, &hybrid),
        LAB_EACH_AND_PER_JOINT(a_cube_is_not_thrown_when_a_wall_goes),
        LAB_EACH_AND_PER_JOINT(a_cube_between_walls_that_close_in),
        cmocka_unit_test_prestate(a_cube_between_walls_that_close_in, &hybrid),
        cmocka_unit_test_prestate(a_cube_that_is_pulled_into_a_wall, &direct),
        cmocka_unit_test_prestate(a_cube_that_is_pulled_into_a_wall, &hybrid),
        cmocka_unit_test_prestate(contacts_with_cfm_give_way_by_it, &direct),
        LAB_EACH_SOLVER(what_holds_each_other_keeps_its_momentum),
        cmocka_unit_test_prestate(what_holds_each_other_keeps_its_momentum, &hybrid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
