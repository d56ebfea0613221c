/* An island's bits do not depend on islands far away: bodies that touch neither it nor anything
 * that touches it, made before, between and after its bodies, at rest or in turmoil. Only the
 * common ground, which does not move, is shared. */
#include "lode/lode.h"
#include "tests/support/test.h"

#include <string.h>

#define REAL(x) ((lode_real)(x))

enum { BOXES = 10, LINKS = 6, LOAD = 40, STEPS = 240 };

static lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP, LODE_SOLVER_DIRECT};

/* A tower, a ball that knocks it down and a chain that hangs into it; behind them a plate with more
 * boxes on it than there are colours. */
typedef struct island {
    lode_body bodies[BOXES + 1 + LINKS + 1 + LOAD];
    int count;
} island;

static lode_body add_body(lode_world world, lode_real x, lode_real y, lode_real z)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = (lode_vec3){x, y, z};
    return lode_body_create(world, &def);
}

static lode_body add_box(lode_world world, lode_real x, lode_real y, lode_real z)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body box = add_body(world, x, y, z);
    lode_shape_create_box(box, &shape, (lode_vec3){REAL(0.5), REAL(0.5), REAL(0.5)});
    return box;
}

static lode_body add_ball(lode_world world, lode_real x, lode_real y, lode_real z)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body ball = add_body(world, x, y, z);
    shape.restitution = REAL(0.5);
    lode_shape_create_sphere(ball, &shape, REAL(0.5));
    return ball;
}

static void hang(lode_world world, lode_body body, lode_body from, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = body;
    def.body_b = from;
    lode_joint_def_anchor_world(&def, anchor, (lode_vec3){1, 0, 0});
    lode_joint_create(world, &def);
}

/* A plate under LOAD balls and boxes at `x`, dropped to the ground. */
static void add_plate(lode_world world, lode_real x, lode_body *out)
{
    lode_shape_def shape = lode_shape_def_default();
    *out = add_body(world, x, 40, REAL(0.5));
    lode_shape_create_box(*out++, &shape, (lode_vec3){6, 8, REAL(0.25)});
    for (int i = 0; i < LOAD; ++i) {
        lode_real dx = REAL(2.5) * REAL(i % 5 - 2), dy = REAL(1.5) * REAL(i / 5 - 4);
        *out++ = i % 2 ? add_ball(world, x + dx, 40 + dy, 2) : add_box(world, x + dx, 40 + dy, 2);
    }
}

/* Adds what is far away: `kind` bodies of a tower, and a chain, around x = -100. */
static void add_distant(lode_world world, int kind, int place)
{
    lode_real x = -100 - 4 * REAL(place);
    lode_body last = {0};
    for (int i = 0; i < kind; ++i) {
        lode_body body = i % 2 ? add_ball(world, x, REAL(i % 3) / 8, 1 + REAL(i))
                               : add_box(world, x, 0, 1 + REAL(i));
        if (i % 3 == 2)
            hang(world, body, last, (lode_vec3){x, 1, REAL(i)});
        last = body;
    }
}

static island add_island(lode_world world, int distant)
{
    island out = {.count = 0};
    lode_body others[1 + LOAD];
    if (distant)
        add_plate(world, -200, others);
    for (int i = 0; i < BOXES; ++i) {
        out.bodies[out.count++] = add_box(world, REAL(i % 3) / 16, 0, REAL(0.5) + REAL(i));
        add_distant(world, i < distant ? 3 : 0, i);
    }
    lode_body last = {0};
    for (int i = 0; i < LINKS; ++i) {
        lode_real x = REAL(0.5) + REAL(i);
        lode_body link = add_ball(world, x, 0, 12);
        hang(world, link, last, (lode_vec3){x - REAL(0.5), 0, 12});
        out.bodies[out.count++] = last = link;
        add_distant(world, i < distant ? 2 : 0, 20 + i);
    }
    out.bodies[out.count] = add_ball(world, 0, -8, 4);
    lode_body_set_linear_velocity(out.bodies[out.count++], (lode_vec3){0, 15, 1});
    add_plate(world, 0, out.bodies + out.count);
    out.count += 1 + LOAD;
    return out;
}

enum { MOTIONS = sizeof((island *)0)->bodies / sizeof(lode_body) };

typedef struct motion {
    lode_pose pose;
    lode_vec3 linear, angular;
} motion;

/* The island's poses and velocities after STEPS steps among `distant` other islands. */
static void simulate(lode_solver solver, int distant, motion *out)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.solver = solver;
    lode_world world = lode_world_create(&world_def);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_shape_create_plane(lode_body_create(world, &def), &shape, (lode_vec3){0, 0, 1}, 0);
    for (int i = 0; i < distant; ++i)
        add_distant(world, 1 + i % 7, 40 + i);
    island i = add_island(world, distant);
    for (int k = 0; k < distant; ++k)
        add_distant(world, 1 + k % 5, 400 + k);
    for (int step = 0; step < STEPS; ++step)
        assert_int_equal(lode_world_step(world, 1 / REAL(60)), LODE_OK);
    memset(out, 0, (size_t)i.count * sizeof *out);
    for (int k = 0; k < i.count; ++k) {
        out[k].pose = lode_body_get_pose(i.bodies[k]);
        out[k].linear = lode_body_get_linear_velocity(i.bodies[k]);
        out[k].angular = lode_body_get_angular_velocity(i.bodies[k]);
    }
    lode_world_destroy(world);
}

static void distant_islands_leave_no_trace(void **state)
{
    lode_solver solver = *(const lode_solver *)*state;
    static motion alone[MOTIONS], among[MOTIONS];
    simulate(solver, 0, alone);
    int farther = solver == LODE_SOLVER_DIRECT ? 16 : 4; /* its dense islands take long */
    for (int distant = 1; distant <= 64; distant *= farther) {
        simulate(solver, distant, among);
        assert_memory_equal(alone, among, sizeof alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"distant_islands_leave_no_trace (pgs)", distant_islands_leave_no_trace, NULL, NULL,
         &solvers[0]},
        {"distant_islands_leave_no_trace (soft step)", distant_islands_leave_no_trace, NULL, NULL,
         &solvers[1]},
        {"distant_islands_leave_no_trace (direct)", distant_islands_leave_no_trace, NULL, NULL,
         &solvers[2]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
