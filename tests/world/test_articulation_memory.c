/* Articulations when memory is short, and the same bits on every machine. */
#include "tests/support/alloc_fail.h"
#include "tests/world/tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory */

/* What a run has made so far. */
typedef struct run {
    lode_world world;
    lode_articulation articulation;
    lode_body ground, links[LINKS];
    int count;
} run;

static bool make_world(run *r)
{
    lode_world_def def = lode_world_def_default();
    r->world = lode_world_create(&def);
    return r->world.id;
}

static bool make_articulation(run *r)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.name = "name";
    r->articulation = lode_articulation_create(r->world, &def);
    return r->articulation.id;
}

static bool make_link(run *r)
{
    lode_link_def def = def_of(types[r->count],
                               r->count ? r->links[parents[r->count]] : (lode_body){0});
    def.name = "link";
    def.pose.position.z = (lode_real)0.3;
    lode_body link = lode_articulation_add_link(r->articulation, &def);
    r->links[r->count] = link;
    r->count += link.id != 0;
    return link.id;
}

static bool make_shape(run *r)
{
    return add_ball_shape(r->links[r->count - 1], (lode_real)0.25).id;
}

static bool make_ground(run *r)
{
    lode_body_def def = lode_body_def_default();
    r->ground = lode_body_create(r->world, &def);
    return r->ground.id;
}

static bool make_plane(run *r)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_plane(r->ground, &def, vec(0, 0, 1), 0).id;
}

static bool insert(run *r)
{
    return lode_articulation_insert(r->articulation) == LODE_OK;
}

static bool take_step(run *r)
{
    return lode_world_step(r->world, STEP) == LODE_OK;
}

static bool rename_it(run *r)
{
    return lode_articulation_set_name(r->articulation, "another name") == LODE_OK;
}

static bool define_it(run *r)
{
    lode_articulation_def def = lode_articulation_get_def(r->articulation);
    def.name = "a third one";
    def.position_iterations = 6;
    return lode_articulation_set_def(r->articulation, &def) == LODE_OK;
}

static void call(run *r, bool (*what)(run *))
{
    uint64_t hash = r->world.id ? lode_world_hash(r->world) : 0;
    report_clear();
    if (what(r))
        return;
    assert_true(alloc_fail_happened());
    assert_int_equal(report.count, 1);
    assert_int_equal(report.status, LODE_ERROR_MEMORY);
    if (r->world.id && what != take_step) {
        if (lode_world_hash(r->world) != hash)
            print_error("%s has changed the world\n", report.function);
        assert_true(lode_world_hash(r->world) == hash);
    }
    report_clear();
    assert_true(what(r));
    assert_int_equal(report.count, 0);
}

static uint64_t script(void)
{
    run r = {0};
    call(&r, make_world);
    call(&r, make_ground);
    call(&r, make_plane);
    call(&r, make_articulation);
    for (int i = 0; i < LINKS; ++i) {
        call(&r, make_link);
        call(&r, make_shape);
    }
    call(&r, rename_it);
    call(&r, insert);
    call(&r, define_it);
    for (int i = 0; i < 12; ++i)
        call(&r, take_step);
    uint64_t hash = lode_world_hash(r.world);
    lode_articulation_remove(r.articulation);
    call(&r, insert);
    call(&r, take_step);
    lode_world_destroy(r.world);
    return hash;
}

static void every_allocation_may_fail_once(void **state)
{
    (void)state;
    report_install();
    alloc_fail_install();
    uint64_t undisturbed = script();
    long n = 0;
    for (bool more = true; more; ++n) {
        alloc_fail_nth(n);
        uint64_t hash = script();
        more = alloc_fail_happened();
        if (hash != undisturbed)
            print_error("the run differs after allocation %ld failed\n", n);
        assert_true(hash == undisturbed);
        assert_int_equal(alloc_fail_live(), 0);
    }
    assert_true(n > 20);
    alloc_fail_remove();
}

static void after_warm_up_a_step_allocates_nothing(void **state)
{
    (void)state;
    report_install();
    alloc_fail_install();
    for (int threads = 1; threads < 4; threads += 2) {
        lode_world_def def = lode_world_def_default();
        def.threads = threads;
        tree t = tree_in(lode_world_create(&def), false);
        add_ground(t.world);
        lode_articulation_def rule = lode_articulation_get_def(t.articulation);
        rule.sleep_threshold = 0;
        lode_articulation_set_def(t.articulation, &rule);
        lode_articulation_insert(t.articulation);
        step(&t, 200);
        alloc_fail_nth(-1);
        step(&t, 100);
        assert_int_equal(alloc_fail_calls(), 0);
        lode_world_destroy(t.world);
        assert_int_equal(alloc_fail_live(), 0);
    }
    alloc_fail_remove();
}

/* ---- the same bits */

static uint64_t hash_of_run(int threads, lode_simd simd, lode_solver solver)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.simd = simd;
    def.solver = solver;
    lode_world world = lode_world_create(&def);
    add_ground(world);
    for (int i = 0; i < 5; ++i) {
        tree t = tree_in(world, i == 2);
        lode_pose at = {{(lode_real)(0.4 * i), (lode_real)(0.7 * i), (lode_real)(1 + 0.3 * i)},
                        {1, 0, 0, 0}};
        lode_articulation_set_root_pose(t.articulation, at, false);
        lode_link_set_velocity(t.link[1], LODE_AXIS_TWIST, 3);
        assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        add_ball(world, (lode_real)(0.4 * i), (lode_real)(0.7 * i), 4, (lode_real)0.3);
    }
    for (int s = 0; s < 150; ++s)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}

static void restored_worlds_go_on_alike(void **state)
{
    (void)state;
    report_install();
    for (int k = 0; k < 6; ++k) {
        lode_world_def def = lode_world_def_default();
        def.solver = k % 2 ? LODE_SOLVER_SOFT_STEP : LODE_SOLVER_PGS;
        def.integrator = (lode_integrator)(k / 2);
        lode_world world = lode_world_create(&def);
        add_ground(world);
        for (int i = 0; i < 3; ++i) {
            tree t = tree_in(world, i == 2);
            lode_pose at = {
                {(lode_real)(0.4 * i), (lode_real)(2.7 * i), (lode_real)(1.2 + 0.3 * i)},
                {1, 0, 0, 0}};
            lode_articulation_set_root_pose(t.articulation, at, false);
            lode_link_set_velocity(t.link[1], LODE_AXIS_TWIST, 3);
            assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
        }
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        size_t size = lode_world_snapshot(world, NULL, 0);
        void *image = malloc(size);
        assert_int_equal(lode_world_snapshot(world, image, size), size);
        uint64_t here = lode_world_hash(world);
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        uint64_t there = lode_world_hash(world);
        assert_int_equal(lode_world_restore(world, image, size), LODE_OK);
        assert_true(lode_world_hash(world) == here);
        for (int s = 0; s < 60; ++s)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        if (lode_world_hash(world) != there)
            print_error("case %d differs\n", k);
        assert_true(lode_world_hash(world) == there);
        free(image);
        lode_world_destroy(world);
    }
    assert_int_equal(report.count, 0);
}

static void bits_do_not_depend_on_threads_and_instructions(void **state)
{
    (void)state;
    report_install();
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
    for (int k = 0; k < 2; ++k) {
        uint64_t plain = hash_of_run(1, LODE_SIMD_PLAIN, solvers[k]);
        assert_true(hash_of_run(4, LODE_SIMD_PLAIN, solvers[k]) == plain);
        assert_true(hash_of_run(1, LODE_SIMD_AUTO, solvers[k]) == plain);
        assert_true(hash_of_run(3, LODE_SIMD_AUTO, solvers[k]) == plain);
    }
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_once),
        cmocka_unit_test(after_warm_up_a_step_allocates_nothing),
        cmocka_unit_test(restored_worlds_go_on_alike),
        cmocka_unit_test(bits_do_not_depend_on_threads_and_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
