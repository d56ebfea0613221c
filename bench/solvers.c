/* solvers.c: what each solver makes of the same rows: time, memory and what it misses.
 *
 * A step is solved from rest, again and again from the same state, so that warm starts do not tell:
 * Lode's worlds are set back from a snapshot. Solvers take turns. Timed is the whole step, in which
 * there is nothing but rows: the boxes have no shapes, and points of contact are given.
 *
 * What is missed is the largest velocity of one end of a joint against the other, or of a box that
 * ought to rest, as a share of the speed that gravity gives in the step. It is the same measure for
 * all engines. How time and memory grow is the slope of a line through their logarithms. */
#include "bench/solvers.h"

#include "bench/engine.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20, WARMUP = 3, STEPS = 15, SIZES = 5, MOST_SOLVERS = 16 };

static const int sizes[SIZES] = {50, 100, 200, 500, 1000};

/* --- Lode */

typedef struct lode_side {
    lode_world world;
    lode_body *bodies;
    lode_contact_def *contacts;
    int contact_count;
    void *snapshot;
    size_t size;
} lode_side;

static lode_vec3 vec_of(const double *v)
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

static lode_body body_of(const lode_side *side, int body)
{
    return body < 0 ? (lode_body){0} : side->bodies[body];
}

static void add_joint(lode_side *side, const bench_tie *tie)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = body_of(side, tie->a);
    def.body_b = body_of(side, tie->b);
    if (lode_joint_def_anchor_world(&def, vec_of(tie->at), (lode_vec3){0, 0, 1}) != LODE_OK ||
        !lode_joint_create(side->world, &def).id)
        bench_fail("Lode cannot make a joint");
}

static void add_contact(lode_side *side, const bench_tie *tie)
{
    lode_contact_def *contact = &side->contacts[side->contact_count++];
    *contact = lode_contact_def_default();
    contact->body_a = body_of(side, tie->a);
    contact->body_b = body_of(side, tie->b);
    contact->position = vec_of(tie->at);
    contact->friction[0] = contact->friction[1] = (lode_real)BENCH_BOX_FRICTION;
}

static lode_world world_of(int solver)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = false;
    def.solver = (lode_solver)solver;
    def.sub_steps = solver == LODE_SOLVER_SOFT_STEP ? 4 : 1;
    def.iterations = ITERATIONS / def.sub_steps;
    def.direct_rows = 300;
    lode_world world = lode_world_create(&def);
    if (!lode_world_is_valid(world))
        bench_fail("Lode cannot make a world");
    return world;
}

static void *lode_create(const bench_system *system, int solver)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    side->world = world_of(solver);
    side->bodies = bench_alloc((size_t)system->bodies, sizeof *side->bodies);
    side->contacts = bench_alloc((size_t)system->tie_count, sizeof *side->contacts);
    for (int i = 0; i < system->bodies; ++i) {
        lode_body_def def = lode_body_def_default();
        const lode_real inertia = (lode_real)(BENCH_BOX_MASS * BENCH_BOX_HALF * BENCH_BOX_HALF * 2 /
                                              3);
        lode_mass mass = {.mass = (lode_real)BENCH_BOX_MASS,
                          .inertia = {inertia, inertia, inertia}};
        def.type = LODE_DYNAMIC;
        const double drift[3] = {bench_system_drift(i, 0), bench_system_drift(i, 1),
                                 bench_system_drift(i, 2)};
        def.position = vec_of(system->center[i]);
        def.linear_velocity = vec_of(drift);
        side->bodies[i] = lode_body_create(side->world, &def);
        if (lode_body_set_mass(side->bodies[i], &mass) != LODE_OK)
            bench_fail("Lode cannot make a body");
    }
    for (int i = 0; i < system->tie_count; ++i)
        (system->touch ? add_contact : add_joint)(side, &system->ties[i]);
    side->size = lode_world_snapshot(side->world, NULL, 0);
    side->snapshot = bench_alloc(side->size, 1);
    lode_world_snapshot(side->world, side->snapshot, side->size);
    return side;
}

static void lode_destroy(void *solver)
{
    lode_side *side = solver;
    lode_world_destroy(side->world);
    free(side->bodies);
    free(side->contacts);
    free(side->snapshot);
    free(side);
}

static double lode_step(void *solver)
{
    lode_side *side = solver;
    if (lode_world_restore(side->world, side->snapshot, side->size) != LODE_OK ||
        lode_world_add_contacts(side->world, side->contacts, side->contact_count) != LODE_OK)
        bench_fail("Lode cannot begin a step anew");
    double before = bench_now();
    if (lode_world_step(side->world, (lode_real)BENCH_SOLVE_DT) != LODE_OK)
        bench_fail("a step of Lode failed");
    return bench_now() - before;
}

static void lode_get_velocity(void *solver, int body, double out_velocity[6])
{
    lode_vec3 v = lode_body_get_linear_velocity(((lode_side *)solver)->bodies[body]);
    lode_vec3 w = lode_body_get_angular_velocity(((lode_side *)solver)->bodies[body]);
    const double all[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    memcpy(out_velocity, all, sizeof all);
}

static lode_world_stats stats_of(void *solver)
{
    lode_world_stats stats;
    if (lode_world_get_stats(((lode_side *)solver)->world, &stats) != LODE_OK)
        bench_fail("Lode gave no statistics");
    return stats;
}

static size_t lode_bytes(void *solver)
{
    return stats_of(solver).bytes_scratch;
}

static int lode_rows(void *solver)
{
    return stats_of(solver).rows;
}

#define LODE_SIDE lode_create, lode_destroy, lode_step, lode_get_velocity, lode_bytes, lode_rows

static const bench_solver lode_solvers[] = {
    {"direct", LODE_SOLVER_DIRECT, LODE_SIDE},
    {"pgs", LODE_SOLVER_PGS, LODE_SIDE},
    {"soft step", LODE_SOLVER_SOFT_STEP, LODE_SIDE},
    {"per joint", LODE_SOLVER_PER_JOINT, LODE_SIDE},
    {"hybrid", LODE_SOLVER_HYBRID, LODE_SIDE},
};

enum { LODE_SOLVERS = sizeof lode_solvers / sizeof lode_solvers[0] };

/* --- measuring */

typedef struct result {
    const char *name;
    double ms[SIZES], kib[SIZES], missed[SIZES];
    int rows[SIZES];
} result;

/* Velocity of a body at a point; of the world none. */
static void velocity_at(const bench_solver *solver, void *side, const bench_system *system,
                        int body, const double *at, double out[3])
{
    double v[6] = {0}, r[3] = {0};
    if (body >= 0) {
        solver->get_velocity(side, body, v);
        for (int k = 0; k < 3; ++k)
            r[k] = at[k] - system->center[body][k];
    }
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        out[k] = v[k] + v[3 + next] * r[last] - v[3 + last] * r[next];
    }
}

static double missed_by(const bench_solver *solver, void *side, const bench_system *system)
{
    double most = 0;
    for (int i = 0; i < system->tie_count; ++i) {
        const bench_tie *tie = &system->ties[i];
        double a[3], b[3];
        velocity_at(solver, side, system, tie->a, tie->at, a);
        velocity_at(solver, side, system, tie->b, tie->at, b);
        for (int k = 0; k < 3; ++k)
            most = fmax(most, fabs(system->touch ? a[k] : a[k] - b[k]));
    }
    return most / (9.81 * BENCH_SOLVE_DT);
}

static int list_solvers(const bench_solver **out)
{
    int count = 0;
    for (int i = 0; i < LODE_SOLVERS; ++i)
        out[count++] = &lode_solvers[i];
#ifdef BENCH_ODE_VERSION
    for (int i = 0; i < BENCH_STEPPERS; ++i)
        out[count++] = &bench_solvers_ode[i];
#endif
#ifdef BENCH_HAVE_FACE
    for (int i = 0; i < BENCH_STEPPERS; ++i)
        out[count++] = &bench_solvers_face[i];
#endif
    return count;
}

static void measure(const bench_system *system, const bench_solver **solvers, int count, int size,
                    result *results)
{
    static double seconds[MOST_SOLVERS][STEPS];
    void *sides[MOST_SOLVERS];
    for (int k = 0; k < count; ++k)
        sides[k] = solvers[k]->create(system, solvers[k]->number);
    for (int i = -WARMUP; i < STEPS; ++i)
        for (int k = 0; k < count; ++k)
            seconds[k][i < 0 ? 0 : i] = solvers[k]->step(sides[k]);
    for (int k = 0; k < count; ++k) {
        results[k].name = solvers[k]->name;
        results[k].rows[size] = solvers[k]->rows(sides[k]);
        results[k].ms[size] = 1e3 * bench_median(seconds[k], STEPS);
        results[k].kib[size] = (double)solvers[k]->bytes(sides[k]) / 1024;
        results[k].missed[size] = missed_by(solvers[k], sides[k], system);
        solvers[k]->destroy(sides[k]);
    }
}

/* The slope of a line through logarithms, by least squares. */
static double exponent(const int *rows, const double *values)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < SIZES; ++i) {
        double lx = log(rows[i]), ly = log(values[i]);
        x += lx;
        y += ly;
        xx += lx * lx;
        xy += lx * ly;
    }
    return (SIZES * xy - x * y) / (SIZES * xx - x * x);
}

static void print_values(const char *title, const char *format, const result *r,
                         const double *values, bool grows)
{
    printf("  %-10s %-20s", title, r->name);
    for (int i = 0; i < SIZES; ++i)
        printf(format, values[i]);
    if (grows)
        printf(" %8.2f", exponent(r->rows, values));
    printf("\n");
}

static void run(bench_shape_of_system shape)
{
    const bench_solver *solvers[MOST_SOLVERS];
    result results[MOST_SOLVERS] = {{0}};
    int count = list_solvers(solvers);
    const char *name = "";
    for (int size = 0; size < SIZES; ++size) {
        bench_system system = bench_system_make(shape, sizes[size]);
        measure(&system, solvers, count, size, results);
        name = system.name;
        bench_system_free(&system);
    }
    printf("%-33s", name);
    for (int i = 0; i < SIZES; ++i)
        printf(" %6d rows", results[0].rows[i]);
    printf(" exponent\n");
    for (int k = 0; k < count; ++k)
        print_values(k ? "" : "ms", " %11.3f", &results[k], results[k].ms, true);
    for (int k = 0; k < count; ++k)
        if (results[k].kib[0] > 0)
            print_values(k ? "" : "KiB", " %11.0f", &results[k], results[k].kib, true);
    for (int k = 0; k < count; ++k)
        print_values(k ? "" : "missed", " %11.1e", &results[k], results[k].missed, false);
#ifdef BENCH_ODE_VERSION
    int complaints = bench_solvers_ode_complaints();
    if (complaints > 0)
        printf("  libode complained %d times of errors inside its LCP solver\n", complaints);
#endif
}

bool bench_solvers(void)
{
    printf(
        "Solvers: a step from rest, the same rows for all; %d iterations, 4 sub-steps of the soft "
        "step;\nms a step, memory for solving, and the largest velocity that a row misses as a "
        "share of what\ngravity gives; exponents of rows\n",
        ITERATIONS);
    for (int shape = 0; shape < BENCH_SYSTEM_COUNT; ++shape)
        run((bench_shape_of_system)shape);
    return true;
}
