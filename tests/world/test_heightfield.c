/* test_heightfield.c: bodies on height fields: at rest, rolling and sliding over cells as on a
 * plane, on hills, on ground that repeats itself and ground that changes, under thick ground,
 * asleep, set back, by any number of threads. */
#include "tests/world/hills.h"

#include "tests/collide/fields.h"

#include <math.h>

static field_draft draft;

static lode_heightfield *make_field(double thickness, bool wrap)
{
    lode_heightfield_def def = field_def(&draft);
    def.thickness = (lode_real)thickness;
    def.wrap = wrap;
    lode_heightfield *field = lode_heightfield_create(&def);
    assert_non_null(field);
    return field;
}

/* Its sample in column 0 and row 0 lies at `x`, `y`, `z`. */
static lode_shape place_field(lode_world world, lode_heightfield *field, double x, double y,
                              double z, lode_real friction)
{
    lode_shape_def def = lode_shape_def_default();
    def.friction = friction;
    def.pose.position = vec((lode_real)x, (lode_real)y, (lode_real)z);
    lode_shape shape = lode_shape_create_heightfield(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                                     field);
    assert_true(lode_shape_is_valid(shape));
    return shape;
}

/* Level ground of n x n cells, `size` wide and around the origin. */
static lode_shape add_flat(lode_world world, int n, double size, lode_real friction)
{
    draft_field(&draft, n + 1, n + 1, size / n, size / n, NULL);
    lode_heightfield *field = make_field(0, false);
    lode_shape shape = place_field(world, field, -size / 2, -size / 2, 0, friction);
    lode_heightfield_release(field);
    return shape;
}

/* --- at rest */

static void what_lies_on_level_ground_keeps_its_features(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int n = 3; n <= 97; n = n * 3 + 1) {
            lode_world world = make_world(1);
            lode_shape ground = add_flat(world, n, 10, (lode_real)0.6);
            lode_body body = add_solid(world, kind, lying(kind, 0.07, 0.03, height_of(kind)),
                                       (lode_real)0.6);
            uint32_t features[4] = {0};
            lode_contact contacts[4];
            lode_vec3 t[3];
            int points = kind == BALL ? 1 : kind == CAPSULE ? 2 : 4;
            for (int i = 0; i < 1000; ++i) {
                step(world, 1);
                assert_int_equal(lode_world_get_contacts(world, contacts, 4), 1);
                assert_int_equal(contacts[0].point_count, points);
                for (int k = 0; k < points; ++k) {
                    const lode_contact_point *p = &contacts[0].points[k];
                    bool known = i == 0;
                    if (i == 0)
                        features[k] = p->feature;
                    for (int f = 0; f < points; ++f)
                        known = known || features[f] == p->feature;
                    /* a drum has no corners: which four places of its rim are told may change */
                    assert_true(known || kind == DRUM);
                    /* the triangle that it names is where it is */
                    lode_heightfield *field = lode_shape_get_heightfield(ground);
                    assert_int_equal(lode_heightfield_get_triangle(field, p->child_a, t), LODE_OK);
                    assert_int_equal(p->child_b, -1);
                    lode_vec3 at = v3_add(p->position, vec(5, 5, 0));
                    lode_vec3 lo = v3_min(v3_min(t[0], t[1]), t[2]);
                    lode_vec3 hi = v3_max(v3_max(t[0], t[1]), t[2]);
                    assert_true(
                        (double)at.x > (double)lo.x - 0.01 && (double)at.x < (double)hi.x + 0.01 &&
                        (double)at.y > (double)lo.y - 0.01 && (double)at.y < (double)hi.y + 0.01);
                }
            }
            lode_vec3 at = lode_body_get_pose(body).position;
            assert_true(fabs((double)at.x - 0.07) < 1e-3 && fabs((double)at.y - 0.03) < 1e-3);
            assert_true(fabs((double)at.z - height_of(kind)) < 0.01);
            lode_world_destroy(world);
        }
}

/* --- over cells */

static path run(kind kind, int n, lode_real friction, lode_vec3 v, int steps)
{
    lode_world world = make_world(1);
    if (n > 0)
        add_flat(world, n, 60, friction);
    else
        add_plane(world, friction);
    return follow(world, kind, vec(-20, (lode_real)0.03, 0), friction, v, steps);
}

static void nothing_feels_where_cells_end(void **state)
{
    (void)state;
    static const int cells[] = {17, 60, 97};
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int c = 0; c < 3; ++c)
            for (int slanted = 0; slanted < 2; ++slanted) {
                lode_real friction = kind == BALL ? (lode_real)0.6 : 0;
                lode_vec3 v = slanted ? vec(5, 2, 0) : vec(6, 0, 0);
                path plane = run(kind, 0, friction, v, 300);
                path field = run(kind, cells[c], friction, v, 300);
                print_message("%d %d: x %.4f %.4f, speed %.5f %.5f, height %.5f %.5f\n", kind,
                              cells[c], plane.x, field.x, plane.speed, field.speed, plane.z,
                              field.z);
                assert_true(fabs(field.x - plane.x) < 0.01 && fabs(field.y - plane.y) < 0.01);
                assert_true(fabs(field.speed - plane.speed) < 0.005);
                assert_true(field.z < plane.z + 0.002 && field.tilt < 1e-4);
            }
}

/* On level ground of 3 x 2 samples without end, some forty repetitions away from where it was
 * put. */
static void nothing_feels_where_repetitions_end(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        lode_real friction = kind == BALL ? (lode_real)0.6 : 0;
        path paths[2];
        for (int wrapped = 0; wrapped < 2; ++wrapped) {
            lode_world world = make_world(1);
            draft_field(&draft, 3, 2, 0.75, 1.25, NULL);
            lode_heightfield *field = make_field(0, true);
            if (wrapped)
                place_field(world, field, 75, -75, 0, friction);
            else
                add_plane(world, friction);
            lode_heightfield_release(field);
            paths[wrapped] = follow(world, kind, vec(-20, (lode_real)0.03, 0), friction,
                                    vec(5, 2, 0), 300);
        }
        print_message("%d: x %.4f %.4f, height %.5f %.5f, tilt %.7f\n", kind, paths[0].x,
                      paths[1].x, paths[0].z, paths[1].z, paths[1].tilt);
        assert_true(fabs(paths[1].x - paths[0].x) < 0.01 && fabs(paths[1].y - paths[0].y) < 0.01);
        assert_true(fabs(paths[1].speed - paths[0].speed) < 0.005);
        assert_true(paths[1].z < paths[0].z + 0.002 && paths[1].tilt < 1e-4);
    }
}

/* --- rough ground */

static double hills(double x, double y)
{
    return 0.9 * sin(x * 0.7 + 1) * cos(y * 0.9) + 0.4 * sin(x * 2.3 + y * 1.7);
}

/* With `wrap` they have no end. */
static lode_world make_ground(int threads, lode_body bodies[MANY_BODIES], bool sleep, bool wrap,
                              lode_shape *out_ground)
{
    int n = wrap ? 20 : 65;
    draft_field(&draft, n, n, 0.625, 0.625, hills);
    lode_heightfield *field = make_field(0, wrap);
    lode_world world = make_world(threads);
    lode_shape ground = place_field(world, field, -20, -20, 0, (lode_real)0.6);
    lode_heightfield_release(field);
    if (out_ground)
        *out_ground = ground;
    strew_solids(world, bodies, sleep);
    return world;
}

static lode_world make_hills(int threads, lode_body bodies[MANY_BODIES], bool sleep)
{
    return make_ground(threads, bodies, sleep, false, NULL);
}

static lode_world make_endless_hills(int threads, lode_body bodies[MANY_BODIES], bool sleep)
{
    return make_ground(threads, bodies, sleep, true, NULL);
}

/* How far the lowest centre is above ground that has its origin at (-20, -20). */
static double lowest_of(const lode_body *bodies, lode_shape ground)
{
    double lowest = 100;
    for (int k = 0; k < MANY_BODIES; ++k) {
        lode_vec3 at = lode_body_get_pose(bodies[k]).position;
        lode_real z;
        if (lode_heightfield_find_height(lode_shape_get_heightfield(ground), at.x + 20, at.y + 20,
                                         &z))
            lowest = fmin(lowest, (double)(at.z - z));
    }
    return lowest;
}

static void nothing_falls_through_hills(void **state)
{
    (void)state;
    static lode_body bodies[MANY_BODIES];
    for (int wrap = 0; wrap < 2; ++wrap) {
        lode_shape ground;
        lode_world world = make_ground(1, bodies, false, wrap, &ground);
        double lowest = 100;
        for (int i = 0; i < 10; ++i) {
            step(world, 100);
            lowest = fmin(lowest, lowest_of(bodies, ground));
        }
        print_message("the lowest centre is %.4f above the ground\n", lowest);
        assert_true(lowest > 0.2); /* no solid's centre is nearer to its own surface than 0.3 */
        lode_world_destroy(world);
    }
}

static void one_world_for_any_number_of_threads(void **state)
{
    (void)state;
    check_threads(make_hills);
}

/* Endless bounds are no matter to any way of finding pairs. */
static void pairs_are_the_same_however_they_are_found(void **state)
{
    (void)state;
    uint64_t hash[LODE_BROAD_PHASE_COUNT];
    for (int method = 0; method < LODE_BROAD_PHASE_COUNT; ++method) {
        lode_world_def def = lode_world_def_default();
        def.broad_phase = (lode_broad_phase)method;
        lode_world world = lode_world_create(&def);
        draft_field(&draft, 20, 20, 0.625, 0.625, hills);
        lode_heightfield *field = make_field(1, true);
        lode_shape ground = place_field(world, field, -20, -20, 0, (lode_real)0.6);
        lode_heightfield_release(field);
        lode_body bodies[40];
        for (int i = 0; i < 40; ++i)
            bodies[i] = add_solid(world, (kind)(i % KINDS), lying((kind)(i % KINDS), 2 * i, i, 2.5),
                                  (lode_real)0.6);
        step(world, 200);
        for (int i = 0; i < 40; ++i) {
            lode_vec3 at = lode_body_get_pose(bodies[i]).position;
            lode_real z;
            assert_true(lode_heightfield_find_height(lode_shape_get_heightfield(ground), at.x + 20,
                                                     at.y + 20, &z));
            assert_true(at.z > z && at.z < z + 3);
        }
        hash[method] = lode_world_hash(world);
        assert_true(hash[method] == hash[0]);
        lode_world_destroy(world);
    }
}

static void what_was_set_back_goes_on_the_same(void **state)
{
    (void)state;
    check_set_back(make_hills);
    check_set_back(make_endless_hills);
}

/* The world that a snapshot is set back in needs a field of the same content, made of whatever. */
static void a_field_that_is_gone_is_found_among_offers(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    report_install();
    draft_field(&draft, 10, 10, 1, 1, NULL);
    lode_heightfield *field = make_field(0, false);
    lode_world world = make_world(1);
    lode_shape ground = place_field(world, field, -5, -5, 0, (lode_real)0.6);
    lode_heightfield_release(field);
    add_solid(world, BOX, lying(BOX, 0, 0, 0.3), (lode_real)0.6);
    step(world, 10);
    size_t size = lode_world_snapshot(world, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    step(world, 20);
    uint64_t after = lode_world_hash(world);
    assert_int_equal(lode_body_destroy(lode_shape_get_body(ground)), LODE_OK);
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "snapshot", lode_world_restore, world, bytes, size);
    draft.heights[3] = 1;
    lode_heightfield *wrong = make_field(0, false);
    const uint8_t zeros[100] = {0};
    lode_heightfield_def def = field_def(&draft);
    def.samples = zeros;
    def.type = LODE_SAMPLE_UINT8;
    lode_heightfield *again = lode_heightfield_create(&def);
    assert_int_equal(lode_world_offer_heightfield(world, wrong), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "snapshot", lode_world_restore, world, bytes, size);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "field", lode_world_offer_heightfield, world, NULL);
    assert_int_equal(lode_world_offer_heightfield(world, again), LODE_OK);
    lode_heightfield_release(again);
    lode_heightfield_release(wrong);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_ptr_equal(lode_shape_get_heightfield(ground), again);
    step(world, 20);
    assert_true(lode_world_hash(world) == after);
    lode_world_destroy(world);
}

static void hills_hold_sleepers(void **state)
{
    (void)state;
    check_sleepers(make_hills);
}

static void steps_without_memory_lose_nothing(void **state)
{
    (void)state;
    check_without_memory(make_hills);
}

/* --- under the ground */

static void thick_ground_lifts_what_is_under_it(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int rough = 0; rough < 2; ++rough)
            for (int deep = 0; deep < 2; ++deep) {
                lode_world world = make_world(1);
                draft_field(&draft, 20, 20, 1, 1, rough ? hills : NULL);
                lode_heightfield *field = make_field(3, false);
                place_field(world, field, -10, -10, 0, (lode_real)0.6);
                lode_real ground;
                assert_true(
                    lode_heightfield_find_height(field, (lode_real)10.1, (lode_real)10.2, &ground));
                double z = (double)ground - (deep ? 3.1 : 2.9);
                lode_body body = add_solid(world, kind, lying(kind, 0.1, 0.2, z), (lode_real)0.6);
                double fastest = 0;
                for (int i = 0; i < 400; ++i) {
                    step(world, 1);
                    fastest = fmax(fastest, (double)lode_body_get_linear_velocity(body).z);
                }
                lode_vec3 at = lode_body_get_pose(body).position;
                bool over = lode_heightfield_find_height(field, at.x + 10, at.y + 10, &ground);
                if (deep) {
                    assert_true((double)at.z < -100);
                } else if (rough) {
                    assert_true(!over || (double)(at.z - ground) > 0.2);
                } else {
                    assert_true(fabs((double)at.z - height_of(kind)) < 0.01);
                    assert_true(near_vec(at, vec((lode_real)0.1, (lode_real)0.2, at.z), 0.02));
                }
                assert_true(fastest < 10); /* it is not thrown out */
                lode_heightfield_release(field);
                lode_world_destroy(world);
            }
}

static void thin_ground_lets_pass_what_is_under_it(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        lode_world world = make_world(1);
        add_flat(world, 10, 10, (lode_real)0.6);
        lode_body body = add_solid(world, kind, lying(kind, 0.1, 0.2, -1), (lode_real)0.6);
        step(world, 200);
        assert_true((double)lode_body_get_pose(body).position.z < -20);
        lode_world_destroy(world);
    }
}

/* --- ground that changes, ends, or moves */

static void other_ground_wakes_what_lay_on_it(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    report_install();
    lode_shape ground = add_flat(world, 10, 10, (lode_real)0.6);
    lode_heightfield *first = lode_shape_get_heightfield(ground);
    lode_body body = add_solid(world, BOX, lying(BOX, 0, 0, 0.3), (lode_real)0.6);
    lode_sleep sleep = lode_body_get_sleep(body);
    sleep.enabled = true;
    lode_body_set_sleep(body, &sleep);
    step(world, 200);
    assert_false(lode_body_is_awake(body));
    for (int i = 0; i < 121; ++i)
        draft.heights[i] = -2;
    lode_heightfield *lower = make_field(0, false);
    assert_int_equal(lode_shape_set_heightfield(ground, lower), LODE_OK);
    lode_heightfield_release(lower);
    assert_true(lode_body_is_awake(body));
    assert_ptr_equal(lode_shape_get_heightfield(ground), lower);
    assert_ptr_not_equal(lower, first);
    step(world, 200);
    assert_true(fabs((double)lode_body_get_pose(body).position.z + 1.7) < 0.01);
    assert_true(fabs((double)lode_shape_get_bounds(ground).upper.z + 2) < 1e-4);
    /* endless, and back */
    draft_field(&draft, 3, 3, 1, 1, NULL);
    lode_heightfield *endless = make_field(0, true);
    assert_int_equal(lode_shape_set_heightfield(ground, endless), LODE_OK);
    lode_heightfield_release(endless);
    lode_body_set_pose(body, (lode_pose){vec(3000, 2000, 1), {1, 0, 0, 0}});
    step(world, 200);
    assert_true(fabs((double)lode_body_get_pose(body).position.z - 0.3) < 0.01);
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "field", lode_shape_set_heightfield, ground, NULL);
    lode_shape ball = lode_shape_create_sphere(body,
                                               &(lode_shape_def){.pose.rotation = {1, 0, 0, 0}}, 1);
    lode_heightfield *field = make_field(0, false);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "shape", lode_shape_set_heightfield, ball, field);
    assert_null(lode_shape_get_heightfield(ball));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_get_heightfield", "shape");
    lode_heightfield_release(field);
    lode_world_destroy(world);
}

static void holes_let_pass(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        lode_world world = make_world(1);
        draft_field(&draft, 21, 21, 1, 1, NULL);
        for (int j = 8; j <= 12; ++j)
            for (int i = 8; i <= 12; ++i)
                draft.heights[j * 21 + i] = NAN;
        lode_heightfield_def def = field_def(&draft);
        def.holes = true;
        lode_heightfield *field = lode_heightfield_create(&def);
        place_field(world, field, -10, -10, 0, (lode_real)0.6);
        lode_heightfield_release(field);
        lode_body falls = add_solid(world, kind, lying(kind, 0, 0, 1), (lode_real)0.6);
        lode_body lies = add_solid(world, kind, lying(kind, 6, 6, 1), (lode_real)0.6);
        step(world, 200);
        assert_true((double)lode_body_get_pose(falls).position.z < -10);
        assert_true(fabs((double)lode_body_get_pose(lies).position.z - height_of(kind)) < 0.01);
        lode_world_destroy(world);
    }
}

static void a_kinematic_field_carries(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    draft_field(&draft, 20, 20, 0.3, 0.3, NULL);
    lode_heightfield *field = make_field(0, false);
    lode_body lift = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    def.pose.position = vec(-3, -3, 0);
    lode_shape_create_heightfield(lift, &def, field);
    lode_heightfield_release(field);
    lode_body box = add_solid(world, BOX, lying(BOX, 0, 0, 0.3), (lode_real)0.6);
    step(world, 30);
    lode_body_set_linear_velocity(lift, vec(1, 0, (lode_real)0.5));
    step(world, 128);
    lode_vec3 on = lode_body_get_pose(box).position, below = lode_body_get_pose(lift).position;
    assert_true(fabs((double)(on.z - below.z) - 0.3) < 0.02);
    assert_true(fabs((double)(on.x - below.x)) < 0.3);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_level_ground_keeps_its_features),
        cmocka_unit_test(nothing_feels_where_cells_end),
        cmocka_unit_test(nothing_feels_where_repetitions_end),
        cmocka_unit_test(nothing_falls_through_hills),
        cmocka_unit_test(one_world_for_any_number_of_threads),
        cmocka_unit_test(pairs_are_the_same_however_they_are_found),
        cmocka_unit_test(what_was_set_back_goes_on_the_same),
        cmocka_unit_test(a_field_that_is_gone_is_found_among_offers),
        cmocka_unit_test(hills_hold_sleepers),
        cmocka_unit_test(steps_without_memory_lose_nothing),
        cmocka_unit_test(thick_ground_lifts_what_is_under_it),
        cmocka_unit_test(thin_ground_lets_pass_what_is_under_it),
        cmocka_unit_test(other_ground_wakes_what_lay_on_it),
        cmocka_unit_test(holes_let_pass),
        cmocka_unit_test(a_kinematic_field_carries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
