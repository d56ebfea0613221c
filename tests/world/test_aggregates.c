/* Aggregates: who is in, who touches whom, and that nothing else depends on them. */
#include "tests/support/alloc_fail.h"
#include "tests/world/party.h"
#include "world/aggregate.h"
#include "world/validate.h"

#include <stdlib.h>
#include <string.h>

/* ---- what must be so */

static void expect_same(const party *a, const party *b)
{
    enum { MOST = 400 };
    static lode_contact contacts[2][MOST];
    lode_body bodies[2][BODIES + ARMS * LINKS + 1];
    int count = lode_world_get_bodies(a->world, bodies[0], BODIES + ARMS * LINKS + 1);
    assert_int_equal(lode_world_get_bodies(b->world, bodies[1], count), count);
    for (int i = 0; i < count; ++i) {
        lode_pose pose[2];
        lode_vec3 v[2];
        for (int k = 0; k < 2; ++k) {
            pose[k] = lode_body_get_pose(bodies[k][i]);
            v[k] = lode_body_get_linear_velocity(bodies[k][i]);
        }
        assert_memory_equal(&pose[0], &pose[1], sizeof pose[0]);
        assert_memory_equal(&v[0], &v[1], sizeof v[0]);
        assert_int_equal(lode_body_is_awake(bodies[0][i]), lode_body_is_awake(bodies[1][i]));
    }
    count = lode_world_get_contacts(a->world, contacts[0], MOST);
    assert_true(count <= MOST);
    assert_int_equal(lode_world_get_contacts(b->world, contacts[1], MOST), count);
    for (int i = 0; i < count; ++i)
        assert_memory_equal(contacts[0][i].points, contacts[1][i].points,
                            (size_t)contacts[0][i].point_count * sizeof contacts[0][i].points[0]);
}

static uint32_t slot_of(lode_shape shape)
{
    return shape.id ? id_slot(shape.id) : LODE__NONE;
}

static lode_vec3 direction(test_random *random)
{
    double d[3];
    random_direction(random, d);
    return vec((lode_real)d[0], (lode_real)d[1], (lode_real)d[2]);
}

static void expect_same_hits(const lode_ray_hit *a, const lode_ray_hit *b, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(slot_of(a[i].shape), slot_of(b[i].shape));
        assert_memory_equal(&a[i].position, &b[i].position, sizeof a[i].position);
        assert_memory_equal(&a[i].normal, &b[i].normal, sizeof a[i].normal);
    }
}

/* Rays find the same one by one, through the tree, and many at once, through the wide one. */
static void expect_same_rays(const party p[2], test_random *random)
{
    enum { RAYS = 96 };
    lode_ray rays[RAYS];
    lode_ray_hit hits[2][RAYS];
    for (int i = 0; i < RAYS; ++i)
        rays[i] = (lode_ray){vec(0, 0, 1), direction(random), 10, LODE_FRONT_FACES};
    for (int k = 0; k < 2; ++k)
        lode_world_cast_ray(p[k].world, &rays[0], NULL, &hits[k][0]);
    expect_same_hits(hits[0], hits[1], 1);
    for (int k = 0; k < 2; ++k)
        lode_world_cast_rays(p[k].world, rays, RAYS, NULL, hits[k]);
    expect_same_hits(hits[0], hits[1], RAYS);
}

static void expect_same_answers(const party p[2], test_random *random)
{
    enum { MOST = 300 };
    lode_cast cast = {
        lode_solid_sphere((lode_real)0.2), {vec(0, 0, 1), {1, 0, 0, 0}}, direction(random)};
    lode_pose pose = {direction(random), {1, 0, 0, 0}};
    lode_cast_hit swept[2];
    lode_shape around[2][MOST], closest[2], nearest[2];
    lode_closest gap[2];
    lode_nearest point[2];
    int count[2];
    expect_same_rays(p, random);
    for (int k = 0; k < 2; ++k) {
        lode_world world = p[k].world;
        lode_world_cast_shape(world, &cast, NULL, &swept[k]);
        lode_world_find_closest(world, &cast.solid, pose, 5, NULL, &closest[k], &gap[k]);
        lode_world_find_nearest(world, pose.position, 5, NULL, &nearest[k], &point[k]);
        count[k] = lode_world_overlap_sphere(world, pose.position, 1, NULL, around[k], MOST);
    }
    assert_int_equal(slot_of(swept[0].shape), slot_of(swept[1].shape));
    assert_memory_equal(&swept[0].distance, &swept[1].distance, sizeof swept[0].distance);
    assert_int_equal(slot_of(closest[0]), slot_of(closest[1]));
    assert_int_equal(slot_of(nearest[0]), slot_of(nearest[1]));
    assert_true(count[0] == count[1] && count[0] <= MOST);
    for (int i = 0; i < count[0]; ++i)
        assert_int_equal(slot_of(around[0][i]), slot_of(around[1][i]));
}

/* The members that the aggregates tell are those of the list, and each aggregate is one entry of
 * the broad phase. */
static void expect_members(const party *p)
{
    const lode__world *w = lode__registry_world(p->world.id);
    const lode__tree *tree = &w->collide.tree;
    uint32_t entry[GROUPS] = {LODE__NONE, LODE__NONE, LODE__NONE, LODE__NONE, LODE__NONE};
    lode__world_validate(w);
    for (int g = 0; g < GROUPS; ++g) {
        lode_body bodies[BODIES];
        lode_articulation arms[ARMS];
        int body_count = 0, arm_count = 0;
        for (int m = 0; m < MEMBERS; ++m) {
            body_count += m < BODIES && p->in[m] == g;
            arm_count += m >= BODIES && p->in[m] == g;
        }
        assert_int_equal(lode_aggregate_get_bodies(p->group[g], bodies, BODIES), body_count);
        assert_int_equal(lode_aggregate_get_articulations(p->group[g], arms, ARMS), arm_count);
        for (int i = 0; i < body_count; ++i)
            assert_int_equal(p->in[(uintptr_t)lode_body_get_user_data(bodies[i]) - 1], g);
        assert_int_equal(lode_aggregate_get_self_collision(p->group[g]), p->self[g]);
    }
    const lode__bits *alive = &w->collide.shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        lode_body body = lode_shape_get_body(shape_handle(w, s));
        uintptr_t member = (uintptr_t)lode_body_get_user_data(body);
        int g = member ? p->in[member - 1] : NONE;
        lode_aggregate told = lode_body_get_aggregate(body);
        assert_true(told.id == (g == NONE ? 0 : p->group[g].id));
        if (!lode__tree_has(tree, s))
            continue;
        uint32_t n = lode__tree_entry(tree, tree->leaf_of[s]);
        if (g == NONE)
            assert_int_equal(n, tree->leaf_of[s]);
        else if (entry[g] == LODE__NONE)
            entry[g] = n;
        else
            assert_int_equal(n, entry[g]);
    }
}

static void run_both(party *p, uint64_t seed, int steps)
{
    test_random random = {seed * 31};
    for (int step = 0; step < steps; ++step) {
        for (int k = random_below(&random, 3) ? 1 : 6; k > 0; --k) {
            random_bits(&random);
            party_happen(&p[0], random);
            party_happen(&p[1], random);
        }
        assert_int_equal(lode_world_step(p[0].world, STEP), LODE_OK);
        assert_int_equal(lode_world_step(p[1].world, STEP), LODE_OK);
        expect_same(&p[0], &p[1]);
        expect_members(&p[0]);
        expect_same_answers(p, &random);
    }
}

/* A world of aggregates lives as one where a filter keeps apart who should be: all else is as if
 * there were no aggregates. */
static void aggregates_do_what_a_filter_would_do(void **state)
{
    (void)state;
    static party p[2];
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        party_create(&p[0], seed, true, NULL);
        party_create(&p[1], seed, false, NULL);
        run_both(p, seed, 250);
        party_destroy(&p[0]);
        party_destroy(&p[1]);
    }
}

/* With every broad phase, and with threads. */
static void each_broad_phase_has_one_entry_of_them(void **state)
{
    (void)state;
    static party p[2];
    for (int kind = LODE_BROAD_SIMPLE; kind < LODE_BROAD_PHASE_COUNT; ++kind) {
        lode_world_def def = lode_world_def_default();
        def.threads = kind % 2 ? 2 : 1;
        def.broad_phase = (lode_broad_phase)kind;
        party_create(&p[0], 11, true, &def);
        party_create(&p[1], 11, false, NULL);
        run_both(p, 11, 100);
        party_destroy(&p[0]);
        party_destroy(&p[1]);
    }
}

/* ---- without a twin */

static int touches(lode_world world)
{
    lode_world_step(world, STEP);
    return lode_world_get_contacts(world, NULL, 0);
}

static void members_touch_if_they_are_told(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, (lode_real)1.9, 0, 0, 1);
    lode_body c = add_ball(world, 0, (lode_real)1.9, 0, 1);
    lode_aggregate apart = lode_aggregate_create(world, false);
    assert_int_equal(touches(world), 2);
    lode_body_set_aggregate(a, apart);
    assert_int_equal(touches(world), 2);
    lode_body_set_aggregate(b, apart);
    assert_int_equal(touches(world), 1);
    lode_body_set_aggregate(c, apart);
    assert_int_equal(touches(world), 0);
    lode_aggregate_set_self_collision(apart, true);
    assert_int_equal(touches(world), 2);
    lode_aggregate_set_self_collision(apart, false);
    assert_int_equal(touches(world), 0);
    lode_body_set_aggregate(c, (lode_aggregate){0});
    assert_int_equal(touches(world), 1);
    lode_aggregate_destroy(apart);
    assert_int_equal(touches(world), 2);
    assert_true(lode_body_get_aggregate(a).id == 0);
    lode_world_destroy(world);
}

/* A sensor tells of its fellows all the same. */
static void sensors_sense_members(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ball = add_ball(world, 0, 0, 0, 1), eye = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def shape = lode_shape_def_default();
    shape.sensor = true;
    lode_shape sensor = lode_shape_create_sphere(eye, &shape, 3), seen;
    lode_aggregate apart = lode_aggregate_create(world, false);
    lode_body_set_aggregate(ball, apart);
    lode_body_set_aggregate(eye, apart);
    lode_world_step(world, STEP);
    assert_int_equal(lode_shape_get_overlaps(sensor, &seen, 1), 1);
    assert_true(lode_shape_get_body(seen).id == ball.id);
    lode_world_destroy(world);
}

/* What lies on a member that it may no longer touch falls, though both slept. */
static void a_sleeper_falls_through_what_it_may_not_touch(void **state)
{
    (void)state;
    static party p;
    lode_world_def def = lode_world_def_default();
    for (int how = 0; how < 2; ++how) {
        p.world = lode_world_create(&def);
        lode_body table = add_body(p.world, LODE_STATIC, 0, 0, 0);
        lode_shape_def shape = lode_shape_def_default();
        lode_shape_create_box(table, &shape, vec(1, 1, 1));
        lode_body ball = add_ball(p.world, 0, 0, 2, 1);
        lode_aggregate both = lode_aggregate_create(p.world, how == 0);
        lode_body_set_aggregate(ball, both);
        if (how == 0)
            lode_body_set_aggregate(table, both);
        lode_body_sleep(ball);
        for (int i = 0; i < 20; ++i)
            lode_world_step(p.world, STEP);
        assert_false(lode_body_is_awake(ball));
        if (how == 0)
            lode_aggregate_set_self_collision(both, false);
        else
            lode_body_set_aggregate(table, both);
        for (int i = 0; i < 60; ++i)
            lode_world_step(p.world, STEP);
        assert_true((double)lode_body_get_pose(ball).position.z < 0);
        lode_world_destroy(p.world);
    }
}

/* A link made later is in what its articulation is in; alone it can be put nowhere. */
static void links_go_with_their_articulation(void **state)
{
    (void)state;
    static party p;
    test_random random = {5};
    party_create(&p, 5, true, NULL);
    lode_aggregate_set_user_data(p.group[0], &p);
    assert_ptr_equal(lode_aggregate_get_user_data(p.group[0]), &p);
    party_put(&p, BODIES, 0);
    assert_true(lode_body_get_aggregate(p.link[0][1]).id == p.group[0].id);
    assert_true(lode_articulation_get_aggregate(p.arm[0]).id == p.group[0].id);
    assert_int_equal(lode_aggregate_get_bodies(p.group[0], NULL, 0), 0);
    assert_int_equal(lode_aggregate_get_articulations(p.group[0], NULL, 0), 1);
    lode_bounds own = lode_articulation_get_bounds(p.arm[0], 1);
    lode_bounds all = lode_aggregate_get_bounds(p.group[0]);
    assert_true(near_vec(own.lower, all.lower, 1e-5) && near_vec(own.upper, all.upper, 1e-5));
    lode_articulation_remove(p.arm[0]);
    lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
    def.parent = p.link[0][0];
    def.user_data = party_name(BODIES);
    lode_body late = lode_articulation_add_link(p.arm[0], &def);
    party_add_shape(&random, late);
    assert_true(lode_body_get_aggregate(late).id == p.group[0].id);
    lode_articulation_insert(p.arm[0]);
    lode_world_step(p.world, STEP);
    expect_members(&p);
    EXPECT_REFUSED(LODE_ERROR_STATE, "body", lode_body_set_aggregate, late, p.group[1]);
    lode_articulation_destroy(p.arm[0]);
    assert_int_equal(lode_aggregate_get_articulations(p.group[0], NULL, 0), 0);
    all = lode_aggregate_get_bounds(p.group[0]);
    assert_true(all.lower.x == 0 && all.upper.z == 0);
    party_destroy(&p);
}

/* A world set back has the aggregates it had, with those that were in them, and lives the same life
 * again; so does another world. */
static void snapshots_hold_aggregates(void **state)
{
    (void)state;
    static party p, then;
    party_create(&p, 9, true, NULL);
    test_random random = {9};
    for (int step = 0; step < 60; ++step) {
        random_bits(&random);
        party_happen(&p, random);
        lode_world_step(p.world, STEP);
    }
    lode_aggregate_set_user_data(p.group[2], &p);
    size_t size = lode_world_snapshot(p.world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(p.world, bytes, size), size);
    then = p;
    uint64_t hash = lode_world_hash(p.world), end = 0;
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    for (int round = 0; round < 2; ++round) {
        test_random again = random;
        for (int step = 0; step < 40; ++step) {
            random_bits(&again);
            party_happen(&p, again);
            lode_world_step(p.world, STEP);
        }
        assert_true(round == 0 || lode_world_hash(p.world) == end);
        end = lode_world_hash(p.world);
        assert_int_equal(lode_world_restore(p.world, bytes, size), LODE_OK);
        assert_true(lode_world_hash(p.world) == hash);
        p = then;
        expect_members(&p);
        assert_ptr_equal(lode_aggregate_get_user_data(p.group[2]), &p);
    }
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    lode__world_validate(lode__registry_world(other.id));
    assert_true(lode_world_hash(other) == hash);
    for (int step = 0; step < 40; ++step) {
        lode_world_step(other, STEP);
        lode_world_step(p.world, STEP);
        assert_true(lode_world_hash(other) == lode_world_hash(p.world));
    }
    lode_world_destroy(other);
    free(bytes);
    party_destroy(&p);
}

static void bad_handles_are_refused(void **state)
{
    (void)state;
    static party p;
    party_create(&p, 1, true, NULL);
    lode_world_def def = lode_world_def_default();
    lode_world foreign_world = lode_world_create(&def);
    lode_aggregate foreign = lode_aggregate_create(foreign_world, true), stale = p.group[0];
    party_end_group(&p, 0);
    party_put(&p, 3, 1);
    const lode_aggregate bad[] = {{0}, stale, {stale.id ^ (uint64_t)0xffff << 48}};
    uint64_t hash = lode_world_hash(p.world);
    for (int i = 0; i < 3; ++i) {
        assert_false(lode_aggregate_is_valid(bad[i]));
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "aggregate", lode_aggregate_destroy, bad[i]);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "aggregate", lode_aggregate_set_self_collision, bad[i],
                       true);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "aggregate", lode_aggregate_set_user_data, bad[i], NULL);
        assert_int_equal(lode_aggregate_get_world(bad[i]).id, 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_world", "aggregate");
        report_clear();
        assert_false(lode_aggregate_get_self_collision(bad[i]));
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_self_collision", "aggregate");
        report_clear();
        assert_null(lode_aggregate_get_user_data(bad[i]));
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_user_data", "aggregate");
        report_clear();
        assert_int_equal(lode_aggregate_get_bodies(bad[i], NULL, 0), 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_bodies", "aggregate");
        report_clear();
        assert_int_equal(lode_aggregate_get_articulations(bad[i], NULL, 0), 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_articulations", "aggregate");
        report_clear();
        assert_true(lode_aggregate_get_bounds(bad[i]).upper.x == 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_aggregate_get_bounds", "aggregate");
        report_clear();
    }
    const lode_aggregate no_targets[] = {stale, foreign};
    for (int i = 0; i < 2; ++i) {
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "aggregate", lode_body_set_aggregate, p.body[3],
                       no_targets[i]);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "aggregate", lode_articulation_set_aggregate, p.arm[0],
                       no_targets[i]);
    }
    assert_int_equal(lode_aggregate_get_bodies(p.group[1], NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_aggregate_get_bodies", "out_bodies");
    report_clear();
    assert_int_equal(lode_aggregate_get_articulations(p.group[1], NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_aggregate_get_articulations", "out_articulations");
    report_clear();
    assert_true(lode_world_hash(p.world) == hash);
    expect_members(&p);
    assert_true(lode_aggregate_get_world(p.group[1]).id == p.world.id);
    lode_world_destroy(foreign_world);
    assert_false(lode_aggregate_is_valid(foreign));
    party_destroy(&p);
}

/* Aggregates come before shapes do, and after; each call that needs memory fails once. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body last = {0};
    for (int i = 0; i < 300; ++i) {
        lode_aggregate made = {0};
        for (long n = 0; !made.id; ++n) {
            alloc_fail_nth(n);
            made = lode_aggregate_create(world, i % 2);
            assert_true(made.id ? !alloc_fail_happened() : alloc_fail_happened());
            report_clear();
        }
        alloc_fail_nth(-1);
        last = add_ball(world, (lode_real)(3 * i), 0, 0, 1);
        assert_int_equal(lode_body_set_aggregate(last, made), LODE_OK);
        lode_shape_def shape = lode_shape_def_default();
        lode_shape extra = {0};
        for (long n = 0; !extra.id; ++n) {
            alloc_fail_nth(n);
            extra = lode_shape_create_sphere(last, &shape, 1);
            report_clear();
        }
        alloc_fail_nth(-1);
        lode__world_validate(lode__registry_world(world.id));
    }
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode__world_validate(lode__registry_world(world.id));
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aggregates_do_what_a_filter_would_do),
        cmocka_unit_test(each_broad_phase_has_one_entry_of_them),
        cmocka_unit_test(members_touch_if_they_are_told),
        cmocka_unit_test(sensors_sense_members),
        cmocka_unit_test(a_sleeper_falls_through_what_it_may_not_touch),
        cmocka_unit_test(links_go_with_their_articulation),
        cmocka_unit_test(snapshots_hold_aggregates),
        cmocka_unit_test(bad_handles_are_refused),
        cmocka_unit_test(without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
