/* Contacts of several shapes of one body that coincide become one: which, by a search of all points
 * before and after; that nothing else changes; and that a table on its side lies still. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include "world/validate.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* ---- a table on its side ---- */

static lode_body add_table(lode_world world, lode_real x)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_real half = (lode_real)sqrt(0.5);
    def.type = LODE_DYNAMIC;
    def.position = vec(x, 0, (lode_real)0.5);
    def.rotation = (lode_quat){half, 0, half, 0};
    lode_body table = lode_body_create(world, &def);
    lode_shape_create_box(table, &shape, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.05));
    for (int i = 0; i < 4; ++i) {
        lode_real side = (lode_real)0.45;
        shape.pose.position = vec(i & 1 ? side : -side, i & 2 ? side : -side, -side);
        lode_shape_create_box(table, &shape, vec((lode_real)0.05, (lode_real)0.05, (lode_real)0.4));
    }
    return table;
}

static void a_table_lies_on_its_side(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_DIRECT};
    for (int i = 0; i < 4; ++i) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def slab = lode_shape_def_default();
        def.solver = solvers[i & 1];
        lode_world world = lode_world_create(&def);
        lode_body ground = add_body(world, LODE_STATIC, 0, 0, -1);
        lode_shape_create_box(ground, &slab, vec(5, 5, 1));
        lode_body table = add_table(world, 0);
        if (i & 2) { /* ground that is a body of several shapes too, and comes after the table's */
            slab.pose.position = vec(5, 0, 0);
            lode_shape_create_box(ground, &slab, vec(5, 5, 1));
            lode_body_set_pose(
                table, (lode_pose){vec(2, 0, (lode_real)0.5), lode_body_get_pose(table).rotation});
        }
        for (int k = 0; k < 10; ++k)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode_vec3 before = lode_body_get_pose(table).position;
        for (int k = 0; k < 1000; ++k)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        assert_true(near_vec(lode_body_get_pose(table).position, before, 2e-6));
        lode_contact contacts[16];
        int count = lode_world_get_contacts(world, contacts, 16), points = 0;
        double load = 0;
        for (int k = 0; k < count; ++k)
            for (int p = 0; p < contacts[k].point_count; ++p, ++points)
                load += fabs((double)contacts[k].points[p].impulse.z);
        if (!(i & 2))
            assert_true(count == 3 && points == 10); /* two corners of legs are the top's */
        double weight = (double)lode_body_get_mass(table).mass * 9.81 * (double)STEP;
        assert_true(near(load, weight, weight * 1e-3));
        lode_world_destroy(world);
    }
}

/* Two corners of legs lie where the top's do; legs that rub otherwise keep theirs. */
static void what_rubs_otherwise_stays_apart(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def slab = lode_shape_def_default();
        lode_world world = lode_world_create(&def);
        lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, -1), &slab, vec(5, 5, 1));
        lode_shape shapes[5];
        assert_int_equal(lode_body_get_shapes(add_table(world, 0), shapes, 5), 5);
        for (int i = 0; i < 5; ++i) {
            lode_surface belt = lode_surface_default();
            belt.rolling[2] = (lode_real)0.01;
            bool top = lode_shape_get_half_extents(shapes[i]).x > (lode_real)0.1;
            if (kind == 1 && !top)
                lode_shape_set_material(shapes[i], "leg");
            if (kind == 2 && !top)
                lode_shape_set_surface(shapes[i], &belt);
            if (kind == 3)
                lode_shape_set_material(shapes[i], "wood"); /* all alike */
        }
        lode_contact contacts[16];
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        int count = lode_world_get_contacts(world, contacts, 16), points = 0;
        for (int k = 0; k < count; ++k)
            points += contacts[k].point_count;
        assert_int_equal(points, kind == 1 || kind == 2 ? 12 : 10);
        lode_world_destroy(world);
    }
}

/* ---- all points, before and after ---- */

enum { MANIFOLDS_MOST = 2048 };

typedef struct record {
    lode__manifold items[MANIFOLDS_MOST];
    int count;
} record;

static record before, after;

static void take_record(const lode__collide *collide, record *out)
{
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    const lode__pair *pair;
    out->count = 0;
    while ((pair = lode__pairs_next(&collide->pairs, &walk))) {
        uint32_t slot = pair->manifold;
        const lode__manifold *m;
        int points = 0;
        while ((m = lode__many_next(collide, &slot)))
            if (m->point_count > 0) {
                assert_true(out->count < MANIFOLDS_MOST);
                points += m->point_count;
                out->items[out->count++] = *m;
            }
        assert_int_equal(points, pair->points);
    }
}

typedef struct place {
    double x[3], n[3];
} place;

/* From the body with the lower slot. */
static place place_of(const lode__manifold *m, int k)
{
    const lode__point *p = &m->points[k];
    bool low = m->body_a < m->body_b;
    double s = low ? 0 : 1, sign = low ? 1 : -1;
    return (place){
        {(double)p->position.x + s * (double)m->offset.x,
         (double)p->position.y + s * (double)m->offset.y,
         (double)p->position.z + s * (double)m->offset.z},
        {sign * (double)m->normal.x, sign * (double)m->normal.y, sign * (double)m->normal.z}};
}

static bool same_bodies(const lode__manifold *a, const lode__manifold *b)
{
    return (a->body_a == b->body_a && a->body_b == b->body_b) ||
           (a->body_a == b->body_b && a->body_b == b->body_a);
}

static bool same_pair(const lode__manifold *a, const lode__manifold *b)
{
    return a->shape_a == b->shape_a && a->shape_b == b->shape_b;
}

/* Within this factor of the reach, 2 mm. */
static bool coincide(const lode__manifold *a, int i, const lode__manifold *b, int k, double factor)
{
    place p = place_of(a, i), q = place_of(b, k);
    double apart = 0, along = 0;
    for (int d = 0; d < 3; ++d) {
        apart += (p.x[d] - q.x[d]) * (p.x[d] - q.x[d]);
        along += p.n[d] * q.n[d];
    }
    return same_bodies(a, b) && !same_pair(a, b) && sqrt(apart) < 0.002 * factor &&
           along > 1 - 1e-4 * factor;
}

static const lode__point *find_point(const lode__manifold *m, uint32_t feature)
{
    for (int k = 0; k < m->point_count; ++k)
        if (m->points[k].feature == feature)
            return &m->points[k];
    return NULL;
}

static int check_records(bool one_material)
{
    int gone = 0;
    double load_before = 0, load_after = 0;
    assert_int_equal(before.count, after.count); /* each keeps a point at least */
    for (int i = 0; i < before.count; ++i) {
        const lode__manifold *b = &before.items[i], *a = &after.items[i];
        assert_true(same_pair(a, b) && a->point_count > 0);
        for (int k = 0; k < a->point_count; ++k) {
            const lode__point *old = find_point(b, a->points[k].feature);
            assert_non_null(old);
            assert_memory_equal(&old->position, &a->points[k].position, sizeof(lode_vec3));
            assert_true(a->points[k].depth >= old->depth);
            load_after += (double)a->points[k].impulse[0];
        }
        for (int k = 0; k < b->point_count; ++k) {
            load_before += (double)b->points[k].impulse[0];
            if (find_point(a, b->points[k].feature))
                continue;
            bool found = false; /* one of an earlier pair that stays stands for it */
            for (int j = 0; j < i && !found; ++j)
                for (int p = 0; p < after.items[j].point_count && !found; ++p)
                    found = coincide(&after.items[j], p, b, k, 1.01) &&
                            after.items[j].points[p].depth >= b->points[k].depth;
            assert_true(found);
            ++gone;
        }
        for (int k = 0; k < a->point_count && a->point_count > 1 && one_material; ++k)
            for (int j = 0; j < i; ++j)
                for (int p = 0; p < after.items[j].point_count; ++p)
                    assert_false(coincide(&after.items[j], p, a, k, 0.99));
    }
    assert_true(near(load_after, load_before, 1e-4 * (1 + load_before)));
    return gone;
}

static lode_real pick(test_random *random)
{
    return (lode_real)(1 + random_below(random, 3)) * (lode_real)0.2;
}

/* Boxes and balls on a grid: many lie flush. */
static void add_shapes(lode_body body, test_random *random, int count, bool one_material)
{
    lode_shape_def def = lode_shape_def_default();
    for (int i = 0; i < count; ++i) {
        def.pose.position = vec((lode_real)random_below(random, 4) * (lode_real)0.2,
                                (lode_real)random_below(random, 4) * (lode_real)0.2, 0);
        if (!one_material)
            def.friction = (lode_real)random_below(random, 3) / 2;
        lode_real x = pick(random), y = pick(random);
        if (random_below(random, 4))
            lode_shape_create_box(body, &def, vec(x, y, (lode_real)0.2));
        else
            lode_shape_create_sphere(body, &def, (lode_real)0.2);
    }
}

static lode_world make_heap(uint64_t seed, bool one_material)
{
    test_random random = {seed};
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    for (int i = 0; i < 12; ++i) {
        lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)random_below(&random, 8) / 5,
                                  (lode_real)random_below(&random, 8) / 5,
                                  (lode_real)0.4 * (lode_real)(1 + i));
        add_shapes(body, &random, 1 + (int)random_below(&random, 4), one_material);
        if (i == 5) { /* some slots of the ground lie between those of bodies */
            lode_shape_def floor = lode_shape_def_default();
            for (int k = 0; k < 9; ++k) {
                floor.pose.position = vec((lode_real)(k % 3), (lode_real)k / 3, (lode_real)-0.1);
                floor.pose.position.y = (lode_real)(k / 3);
                lode_shape_create_box(ground, &floor,
                                      vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.3));
            }
        }
    }
    return world;
}

static void run_stage(lode_world world, const char *name)
{
    assert_int_equal(lode_world_run_stage(world, name, STEP), LODE_OK);
}

static void points_that_coincide_become_one(void **state)
{
    (void)state;
    int gone = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        bool one_material = seed % 3 != 0;
        lode_world world = make_heap(seed, one_material);
        lode__world *w = lode__registry_world(world.id);
        for (int step = 0; step < 150; ++step) {
            run_stage(world, "wake");
            run_stage(world, "bounds");
            run_stage(world, "broad phase");
            run_stage(world, "narrow phase");
            take_record(&w->collide, &before);
            run_stage(world, "contact update");
            take_record(&w->collide, &after);
            gone += check_records(one_material);
            uint64_t hash = lode_world_hash(world);
            run_stage(world, "contact update"); /* again: nothing is left to do */
            assert_true(lode_world_hash(world) == hash);
            lode__world_validate(w);
            assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
        }
        lode_world_destroy(world);
    }
    print_message("%d points merged\n", gone);
    assert_true(gone > 1000);
}

/* ---- who is looked at ---- */

static void joined_shapes_are_known(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode__world *w = lode__registry_world(world.id);
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape shapes[3];
    for (int i = 0; i < 3; ++i) {
        shapes[i] = lode_shape_create_sphere(body, &shape, 1);
        assert_int_equal(lode__bits_count(&w->collide.joined), i == 0 ? 0 : i + 1);
        lode__world_validate(w);
    }
    lode_shape_destroy(shapes[1]);
    assert_int_equal(lode__bits_count(&w->collide.joined), 2);
    lode_shape_destroy(shapes[0]);
    assert_int_equal(lode__bits_count(&w->collide.joined), 0);
    lode__world_validate(w);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_lies_on_its_side),
        cmocka_unit_test(what_rubs_otherwise_stays_apart),
        cmocka_unit_test(points_that_coincide_become_one),
        cmocka_unit_test(joined_shapes_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
