/* test_programs.c: the benchmark's programs for ODE on libode and on Lode's ODE face. A few steps
 * of every scene bring bodies to the same places with both, and dWorldStep finds the same
 * velocities. Where they go later is chaos. Machines with motors are left out: libode's iterations
 * do not bring them where they are driven (the crank of `four_bars` 19 mm in three steps, of 44;
 * the feet of `stewart` 1 mm of 5, and 3 with a thousand iterations), so there is nothing to be
 * compared with. */
#include "tests/support/test.h"

#include "bench/engine.h"
#include "bench/solvers.h"
#include "bench/tool.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 3, ITERATIONS = 20 };

/* m, of nearly all bodies and of any, after steps in which one falls 16 mm; boxes that begin deep
 * in each other may come out on another side */
#define NEARLY 0.005
#define APART 0.1

static void *run(const bench_engine *engine, const bench_scene *scene, bench_state *out)
{
    const bench_options options = {.iterations = ITERATIONS, .threads = 1};
    void *world = engine->create(scene, &options);
    assert_non_null(world);
    for (int i = 0; i < STEPS; ++i)
        assert_true(engine->step(world));
    engine->read(world, out);
    return world;
}

static bool is_finite(const bench_state *state)
{
    bool finite = true;
    for (int k = 0; k < 3; ++k)
        finite = finite && isfinite(state->position[k]) && isfinite(state->linear[k]) &&
                 isfinite(state->angular[k]);
    return finite;
}

static double distance(const bench_state *a, const bench_state *b)
{
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (a->position[k] - b->position[k]) * (a->position[k] - b->position[k]);
    return sqrt(square);
}

static void compare_states(const bench_scene *scene, const bench_state *ode,
                           const bench_state *face)
{
    int far = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        if (!is_finite(&ode[i]) || !is_finite(&face[i]))
            fail_msg("%s: body %d is not finite", scene->name, i);
        if (distance(&ode[i], &face[i]) > APART)
            fail_msg("%s: body %d is %g m apart", scene->name, i, distance(&ode[i], &face[i]));
        far += distance(&ode[i], &face[i]) > NEARLY;
    }
    if (far > scene->body_count / 8)
        fail_msg("%s: %d of %d bodies are apart", scene->name, far, scene->body_count);
}

/* What rows miss is less the more iterations there are. */
static void check_missed(const bench_engine *engine, const bench_scene *scene, void *world)
{
    double seconds, few = engine->missed(world, 2, &seconds);
    assert_true(seconds > 0);
    double many = engine->missed(world, 200, &seconds);
    if (!(few >= 0 && few < 1 && many >= 0 && many <= few + 1e-6))
        fail_msg("%s of %s misses %g with few iterations, %g with many", scene->name, engine->name,
                 few, many);
}

static bool is_driven(const bench_scene *scene)
{
    bool driven = false;
    for (int i = 0; i < scene->joint_count; ++i)
        driven = driven || scene->joints[i].torque > 0;
    return driven;
}

static void scenes_go_the_same_way_on_both(void **state)
{
    (void)state;
    int compared = 0;
    for (int s = 0; s < bench_scene_count(); ++s) {
        bench_scene scene;
        bench_scene_build(s, &scene);
        if (is_driven(&scene)) {
            bench_scene_free(&scene);
            continue;
        }
        ++compared;
        bench_state *ode = bench_alloc((size_t)scene.body_count, sizeof *ode);
        bench_state *face = bench_alloc((size_t)scene.body_count, sizeof *face);
        void *world_ode = run(&bench_engine_ode, &scene, ode);
        void *world_face = run(&bench_engine_face, &scene, face);
        compare_states(&scene, ode, face);
        check_missed(&bench_engine_ode, &scene, world_ode);
        check_missed(&bench_engine_face, &scene, world_face);
        bench_engine_ode.destroy(world_ode);
        bench_engine_face.destroy(world_face);
        free(ode);
        free(face);
        bench_scene_free(&scene);
    }
    assert_true(compared >= 15);
}

static void islands_are_solved_alike_by_both(void **state)
{
    (void)state;
    for (int shape = 0; shape < BENCH_SYSTEM_COUNT; ++shape) {
        bench_system system = bench_system_make((bench_shape_of_system)shape, 100);
        const bench_solver *solvers[2] = {&bench_solvers_ode[0], &bench_solvers_face[0]};
        void *sides[2];
        for (int k = 0; k < 2; ++k) {
            sides[k] = solvers[k]->create(&system, solvers[k]->number);
            assert_true(solvers[k]->step(sides[k]) > 0);
        }
        assert_int_equal(solvers[0]->rows(sides[0]), solvers[1]->rows(sides[1]));
        for (int i = 0; i < system.bodies; ++i) {
            double v[2][6];
            for (int k = 0; k < 2; ++k)
                solvers[k]->get_velocity(sides[k], i, v[k]);
            for (int k = 0; k < 6; ++k)
                if (!(fabs(v[0][k] - v[1][k]) <= 1e-9))
                    fail_msg("%s: body %d has %g and %g", system.name, i, v[0][k], v[1][k]);
        }
        for (int k = 0; k < 2; ++k)
            solvers[k]->destroy(sides[k]);
        bench_system_free(&system);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_go_the_same_way_on_both),
        cmocka_unit_test(islands_are_solved_alike_by_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
