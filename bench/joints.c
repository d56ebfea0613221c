/* joints.c: what joints of each type cost: 500 chains of eight bodies, without contacts and
 * gravity, each axis that the type leaves free with a motor that pushes with all it has.
 *
 * Timed is a whole step of PGS with 20 iterations in one go, beside libode's dWorldQuickStep with
 * as many; with rows times iterations per second one can compare types, and engines whose rows
 * differ. Steps take turns, so that noise of the machine hits both alike, and the ratio is the
 * median of the ratios of single steps. */
#include "bench/joints.h"

#include "bench/engine.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdio.h>
#include <stdlib.h>

enum { WARMUP = 10, STEPS = 60 };

#define LODE_TYPE(type, name) LODE_JOINT_##type,
#define LODE_NAME(type, name) name,
static const lode_joint_type types[BENCH_LINK_TYPE_COUNT] = {BENCH_LINK_TYPES(LODE_TYPE)};
static const char *const names[BENCH_LINK_TYPE_COUNT] = {BENCH_LINK_TYPES(LODE_NAME)};

double bench_link_spin(int i, int axis)
{
    return 0.1 * ((i * 7 + axis * 5) % 11 - 5);
}

/* --- Lode */

typedef struct lode_side {
    lode_world world;
} lode_side;

static lode_body add_link(lode_world world, int i)
{
    lode_body_def def = lode_body_def_default();
    const lode_real inertia = (lode_real)BENCH_LINK_INERTIA;
    lode_mass mass = {.mass = (lode_real)BENCH_LINK_MASS, .inertia = {inertia, inertia, inertia}};
    def.type = LODE_DYNAMIC;
    def.position = (lode_vec3){(lode_real)(i % BENCH_LINKS), (lode_real)(2 * (i / BENCH_LINKS)), 0};
    def.angular_velocity = (lode_vec3){(lode_real)bench_link_spin(i, 0),
                                       (lode_real)bench_link_spin(i, 1),
                                       (lode_real)bench_link_spin(i, 2)};
    lode_body body = lode_body_create(world, &def);
    if (lode_body_set_mass(body, &mass) != LODE_OK)
        bench_fail("Lode cannot make a body");
    return body;
}

/* Hinges, planes and what else has an axis about z, those that need anchors apart from centre to
 * centre, others half-way. */
static void add_joint(lode_world world, lode_joint_type type, lode_body a, lode_body b)
{
    lode_joint_def def = lode_joint_def_default(type);
    bool apart = type == LODE_JOINT_DISTANCE || type == LODE_JOINT_DOUBLE_BALL ||
                 type == LODE_JOINT_DOUBLE_HINGE;
    const lode_vec3 at = lode_body_get_pose(a).position, z = {0, 0, 1};
    lode_vec3 from = at, half = at;
    from.x -= 1;
    half.x -= (lode_real)0.5;
    def.body_a = a;
    def.body_b = b;
    lode_status status = apart ? lode_joint_def_anchors_world(&def, at, from, z)
                               : lode_joint_def_anchor_world(&def, b.id ? half : at, z);
    for (int i = 0; i < LODE_JOINT_AXES; ++i) {
        def.axis[i].vel = (lode_real)BENCH_MOTOR_SPEED;
        def.axis[i].f_max = (lode_real)BENCH_MOTOR_FORCE;
    }
    if (status != LODE_OK || !lode_joint_create(world, &def).id)
        bench_fail("Lode cannot make a joint");
}

static void *lode_create(bench_link_type type)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    lode_world_def def = lode_world_def_default();
    def.gravity = (lode_vec3){0, 0, 0};
    def.sleep.enabled = false;
    def.solver = LODE_SOLVER_PGS;
    def.sub_steps = 1;
    def.iterations = BENCH_JOINT_ITERATIONS;
    side->world = lode_world_create(&def);
    lode_body last = {0};
    for (int i = 0; i < BENCH_CHAINS * BENCH_LINKS; ++i) {
        lode_body link = add_link(side->world, i);
        if (type == BENCH_LINK_PLANE_2D)
            add_joint(side->world, types[type], link, (lode_body){0});
        else if (i % BENCH_LINKS > 0)
            add_joint(side->world, types[type], link, last);
        last = link;
    }
    return side;
}

static void lode_destroy(void *jointer)
{
    lode_world_destroy(((lode_side *)jointer)->world);
    free(jointer);
}

static double lode_step(void *jointer)
{
    double before = bench_now();
    if (lode_world_step(((lode_side *)jointer)->world, (lode_real)BENCH_DT) != LODE_OK)
        bench_fail("a step of Lode failed");
    return bench_now() - before;
}

static int lode_rows(void *jointer)
{
    lode_world_stats stats;
    if (lode_world_get_stats(((lode_side *)jointer)->world, &stats) != LODE_OK)
        bench_fail("Lode gave no statistics");
    return stats.joint_rows;
}

static const bench_jointer bench_jointer_lode = {lode_create, lode_destroy, lode_step, lode_rows};

/* --- the table */

static const bench_jointer *const jointers[] = {
    &bench_jointer_lode,
#ifdef BENCH_ODE_VERSION
    &bench_jointer_ode,
#endif
};

enum { JOINTERS = sizeof jointers / sizeof jointers[0] };

static void print_rate(int rows, double *seconds)
{
    double median = bench_median(seconds, STEPS);
    printf(" %8d %9.3f %9.1f", rows, 1e3 * median, 1e-6 * rows * BENCH_JOINT_ITERATIONS / median);
}

static void run(bench_link_type type)
{
    static double seconds[JOINTERS][STEPS], ratios[STEPS];
    void *sides[JOINTERS] = {NULL};
    for (int k = 0; k < JOINTERS; ++k)
        sides[k] = jointers[k]->create(type);
    for (int i = -WARMUP; i < STEPS; ++i)
        for (int k = 0; k < JOINTERS; ++k) {
            double taken = sides[k] ? jointers[k]->step(sides[k]) : 0;
            seconds[k][i < 0 ? 0 : i] = taken;
        }
    bool both = JOINTERS > 1 && sides[JOINTERS - 1];
    int rows[JOINTERS] = {0};
    for (int k = 0; k < JOINTERS; ++k)
        rows[k] = sides[k] ? jointers[k]->rows(sides[k]) : 0;
    for (int i = 0; i < STEPS && both; ++i)
        ratios[i] = seconds[JOINTERS - 1][i] / rows[JOINTERS - 1] * rows[0] / seconds[0][i];
    printf("%-20s", names[type]);
    print_rate(rows[0], seconds[0]);
    if (both) {
        print_rate(rows[JOINTERS - 1], seconds[JOINTERS - 1]);
        printf(" %7.1fx", bench_median(ratios, STEPS));
    }
    printf("\n");
    for (int k = 0; k < JOINTERS; ++k)
        if (sides[k])
            jointers[k]->destroy(sides[k]);
}

bool bench_joints(void)
{
    printf(
        "Joints: %d chains of %d bodies, a motor on each free axis, %d iterations: ms a step,\n"
        "millions of row iterations a second, and by how many times Lode's are more than libode's\n"
        "%-20s %8s %9s %9s %8s %9s %9s %8s\n",
        BENCH_CHAINS, BENCH_LINKS, BENCH_JOINT_ITERATIONS, "type", "rows", "lode", "M rows/s",
        "rows", "libode", "M rows/s", "Lode");
    for (int type = 0; type < BENCH_LINK_TYPE_COUNT; ++type)
        run((bench_link_type)type);
    return true;
}
