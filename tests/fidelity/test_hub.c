/* Hubs: bodies with far more contacts or joints than there are colours. Their constraints are
 * solved in blocks whose lanes share the hub, by mass splitting; what stands on a static plate has
 * to stand on a moving one. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

enum { COLUMNS = 25, BOXES = 500, SPOKES = 100 };

static const lab_material stone = {.density = 1000, .friction = 0.6};

typedef struct platform {
    lode_world world;
    lode_body plate, boxes[BOXES];
} platform;

/* A plate of 40 m x 32 m x 1 m on the floor, dynamic or static, with boxes of 0.5 m on it. */
static void platform_create(platform *p, lode_solver solver, bool dynamic)
{
    p->world = lab_world(solver);
    lab_floor(p->world, stone);
    lode_vec3 at = lab_vec3(0, 0, 0.5), half = lab_vec3(20, 16, 0.5);
    if (dynamic) {
        p->plate = lab_box(p->world, stone, at, half);
    } else {
        lode_body_def def = lode_body_def_default();
        lode_shape_def shape = lab_shape_def(stone);
        def.position = at;
        p->plate = lode_body_create(p->world, &def);
        lode_shape_create_box(p->plate, &shape, half);
    }
    for (int i = 0; i < BOXES; ++i) {
        lode_vec3 place = lab_vec3((i % COLUMNS - 12) * 1.5, (i / COLUMNS - 9.5) * 1.5, 1.249);
        p->boxes[i] = lab_box(p->world, stone, place, lab_vec3(0.25, 0.25, 0.25));
    }
}

static lode_world_stats stats_of(lode_world world)
{
    lode_world_stats stats;
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    return stats;
}

/* Ten seconds: every box keeps its place, at the height over the plate that it has on a static one,
 * to a tenth of a millimetre; with the soft step's springs to two of them: within the surface
 * layer every height is one of rest, and the first sweeps leave the boxes at theirs. */
static void boxes_stand_on_a_moving_plate_as_on_a_static_one(void **state)
{
    static platform still, moving;
    platform_create(&still, LAB_SOLVER(state), false);
    platform_create(&moving, LAB_SOLVER(state), true);
    lab_run(still.world, H, 600);
    lab_run(moving.world, H, 600);
    double sunk = lab_center(moving.plate).z - 0.5;
    double near = LAB_SOLVER(state) == LODE_SOLVER_SOFT_STEP ? 2e-4 : 1e-4;
    LAB_NEAR(sunk, 0, 0.01);
    for (int i = 0; i < BOXES; ++i) {
        lab_vec at = lab_center(moving.boxes[i]), should = lab_center(still.boxes[i]);
        LAB_NEAR(at.z - sunk, should.z, near);
        LAB_NEAR(at.x, should.x, 1e-3);
        LAB_NEAR(at.y, should.y, 1e-3);
        LAB_AT_MOST(lab_length(lab_velocity(moving.boxes[i])), 1e-4);
    }
    lode_world_destroy(still.world);
    lode_world_destroy(moving.world);
}

/* Eight constraints share a block: the plate costs a handful of blocks more, not one per box. */
static void a_moving_plate_fills_its_lanes(void **state)
{
    (void)state;
    static platform p;
    platform_create(&p, LODE_SOLVER_PGS, true);
    lab_run(p.world, H, 1);
    lode_world_stats stats = stats_of(p.world);
    assert_int_equal(stats.lanes_used, BOXES + 1);
    assert_true(stats.overflow_blocks > BOXES - 20);
    assert_true(stats.batches < BOXES / 8 + 20);
    lode_world_destroy(p.world);
}

/* A ball in free space with a hundred others hinged to it, thrown in all directions. Rounding of
 * the hub's velocity, a hundred times a sweep, loses no more than one unit in a step. */
static void a_hub_of_joints_keeps_momentum_and_holds(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body bodies[1 + SPOKES];
    lab_vec anchors[1 + SPOKES];
    bodies[0] = lab_sphere(world, stone, lab_vec3(0, 0, 0), 1);
    for (int i = 1; i <= SPOKES; ++i) {
        double turn = 2.399963 * i, z = 1 - 2.0 * i / (SPOKES + 1), r = sqrt(1 - z * z);
        lab_vec out = anchors[i] = (lab_vec){r * cos(turn), r * sin(turn), z};
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        bodies[i] = lab_sphere(world, stone, lab_vec3(2 * out.x, 2 * out.y, 2 * out.z), 0.1);
        lode_body_set_linear_velocity(bodies[i], lab_vec3(out.y, i % 3 - 1.0, i % 2));
        def.body_a = bodies[i];
        def.body_b = bodies[0];
        lode_joint_def_anchor_world(&def, lab_vec3(out.x, out.y, out.z), lab_vec3(1, 0, 0));
        assert_true(lode_joint_is_valid(lode_joint_create(world, &def)));
    }
    lab_sum before = lab_total(bodies, 1 + SPOKES);
    int steps = LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? 60 : 300; /* 300 dense rows take long */
    for (int step = 0; step < steps; ++step) {
        lab_run(world, H, 1);
        lab_sum now = lab_total(bodies, 1 + SPOKES);
        double size = 5000; /* kg m/s that go around among the bodies */
        LAB_NEAR(lab_length(lab_sub(now.momentum, before.momentum)), 0,
                 size * LAB_EPSILON * (100 + step));
        LAB_AT_MOST(now.kinetic, before.kinetic * (1 + 1e-3));
    }
    assert_true(stats_of(world).overflow_blocks == SPOKES - 16);
    lode_pose hub = lode_body_get_pose(bodies[0]);
    for (int i = 1; i <= SPOKES; ++i) {
        lab_vec arm = lab_rotate(lode_body_get_pose(bodies[i]).rotation, anchors[i]);
        lab_vec mine = lab_sub(lab_center(bodies[i]), arm);
        lab_vec hubs = lab_add(lab_center(bodies[0]), lab_rotate(hub.rotation, anchors[i]));
        LAB_NEAR(lab_length(lab_sub(mine, hubs)), 0, 0.01);
    }
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* thousands of rows in one island are not the direct solver's work */
        LAB_EACH_ITERATIVE(boxes_stand_on_a_moving_plate_as_on_a_static_one),
        cmocka_unit_test(a_moving_plate_fills_its_lanes),
        LAB_EACH_AND_PER_JOINT(a_hub_of_joints_keeps_momentum_and_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
