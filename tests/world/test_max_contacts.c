/* How many contacts count, max_contacts, above the four of a manifold: boxes with eight points,
 * hulls with many corners, drums; in either order; impulses from step to step, weights at rest,
 * slip, events and sounds, snapshots, and what materials are taken from. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include "collide/collide.h"
#include "core/hash.h"
#include "lode/hull.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static void limit_to(int most)
{
    lode_contact_properties p = lode_contact_properties_default();
    p.material2 = "thing";
    p.bounce = 0;
    p.max_contacts = most;
    assert_int_equal(lode_world_set_contact_properties(world, &p, 1), LODE_OK);
}

static void name(lode_shape shape)
{
    assert_int_equal(lode_shape_set_material(shape, "thing"), LODE_OK);
}

/* Turned about z by `turn`, and about x and y by as little as `lean`. */
static lode_body add_turned(lode_body_type type, double x, double z, double turn, double lean)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = vec((lode_real)x, 0, (lode_real)z);
    def.rotation = q_normalize(
        q_mul((lode_quat){1, (lode_real)lean, (lode_real)(lean * 0.6), 0},
              (lode_quat){(lode_real)cos(turn / 2), 0, 0, (lode_real)sin(turn / 2)}));
    return lode_body_create(world, &def);
}

/* Light, as the default softness of contacts is for things of some kilograms. */
static lode_shape_def light(void)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = 1;
    return def;
}

static lode_shape add_box(lode_body body)
{
    lode_shape_def def = light();
    return lode_shape_create_box(body, &def, vec(1, 1, (lode_real)0.5));
}

enum { SIDES = 24 };

/* A prism of so many sides. */
static lode_shape add_prism(lode_body body)
{
    lode_shape_def def = light();
    lode_vec3 corners[2 * SIDES];
    for (int i = 0; i < 2 * SIDES; ++i) {
        double angle = 6.283185307179586 * (i / 2) / SIDES;
        corners[i] = vec((lode_real)cos(angle), (lode_real)sin(angle),
                         i % 2 ? (lode_real)0.5 : (lode_real)-0.5);
    }
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &corners[0].x;
    hull_def.point_count = 2 * SIDES;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, &def, hull);
    lode_hull_release(hull);
    return shape;
}

static lode_shape add_drum(lode_body body)
{
    lode_shape_def def = light();
    return lode_shape_create_cylinder(body, &def, 1, (lode_real)0.5);
}

static lode_shape add_floor(lode_body body)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_plane(body, &def, vec(0, 0, 1), (lode_real)0.5);
}

typedef lode_shape add_fn(lode_body body);

/* All contacts of the world, which are those of one pair. */
typedef struct found {
    int points, manifolds;
    double depth[64], bears, pushed; /* N s: next step begins with, the last one exerted */
    int idle;                        /* points that begin with nothing */
} found;

static int deeper_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static found look(void)
{
    found out = {0};
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    const lode__collide *collide = &lode__registry_world(world.id)->collide;
    for (uint32_t i = 0; i < collide->touching_count; ++i) {
        const lode__manifold *m = collide->touching[i];
        ++out.manifolds;
        for (int k = 0; k < m->point_count; ++k) {
            out.depth[out.points++] = (double)m->points[k].depth;
            out.bears += (double)m->points[k].impulse[0];
            out.pushed += (double)m->points[k].exerted[0];
            out.idle += !(m->points[k].impulse[0] > 0);
        }
    }
    qsort(out.depth, (size_t)out.points, sizeof *out.depth, deeper_first);
    return out;
}

static void run(int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

/* --- which points */

/* What is less deep by 5 % of the margin, which is 8 mm, counts as deep; rounding. */
#define AS_DEEP (4e-4)
#define ROUNDING (2e-5)

/* All that are deeper than the last of the `most` deepest, and of the others some as deep as it. */
static void expect_deepest(const found *now, const double *depths, int count, int most)
{
    int wanted = count < most ? count : most;
    double last = depths[wanted - 1];
    assert_int_equal(now->points, wanted);
    for (int k = 0; k < wanted; ++k)
        if (count <= most || depths[k] > last + AS_DEEP + ROUNDING)
            assert_true(near(now->depth[k], depths[k], ROUNDING));
        else
            assert_true(now->depth[k] > last - AS_DEEP - ROUNDING);
}

/* Two shapes, the upper one a little tilted, so that no two points are as deep, whichever of them
 * comes first. */
typedef struct touching {
    add_fn *below, *above;
    double turn, gap;
    int points; /* that there are */
} touching;

static const touching each[] = {
    {add_box, add_box, 0.7853981633974483, 0, 8},
    {add_box, add_box, 0.3, 0, 8},
    {add_floor, add_box, 0.3, 0, 4},
    {add_floor, add_prism, 0.1, 0, SIDES},
    {add_floor, add_drum, 0.1, 0, 8},
    {add_prism, add_box, 0.2, 0, 8},
    {add_box, add_prism, 0.2, 0, SIDES},
};

static void the_deepest_of_all_are_kept_in_either_order(void **state)
{
    (void)state;
    lode_collide_point all[64];
    lode_world_def world_def = lode_world_def_default();
    lode_collide_options options = {LODE_COLLIDE_ALL, LODE__SPECULATIVE(&world_def)};
    lode_world_set_gravity(world, vec(0, 0, 0));
    for (size_t i = 0; i < 2 * sizeof each / sizeof *each; ++i) {
        const touching *t = &each[i / 2];
        lode_body body[2];
        lode_shape shape[2];
        for (int k = 0; k < 2; ++k) {
            bool above = (k == 1) != (i % 2 == 1);
            body[above] = above ? add_turned(LODE_DYNAMIC, 0, 0.495, t->turn, 8e-4)
                                : add_turned(LODE_STATIC, 0, -0.5, 0, 0);
            shape[above] = (above ? t->above : t->below)(body[above]);
        }
        name(shape[1]);
        int count = lode_shape_collide(shape[0], shape[1], &options, all, 64);
        assert_true(count >= t->points);
        double depths[64];
        for (int k = 0; k < count; ++k)
            depths[k] = (double)all[k].depth;
        qsort(depths, (size_t)count, sizeof *depths, deeper_first);
        for (int most = 1; most <= 12; ++most) {
            limit_to(most);
            found now = look();
            expect_deepest(&now, depths, count, most);
            assert_int_equal(now.manifolds, (now.points + 3) / 4);
        }
        limit_to(1000);
        assert_int_equal(look().points, count);
        lode_body_destroy(body[0]);
        lode_body_destroy(body[1]);
    }
}

/* The corners of a prism on a plane are as deep as by hand. */
static void corners_on_a_plane_are_as_deep_as_they_lie(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    add_floor(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 0.497, 0.1, 1e-3);
    name(add_prism(body));
    lode_pose at = lode_body_get_pose(body);
    double depths[SIDES];
    for (int i = 0; i < SIDES; ++i) {
        double angle = 6.283185307179586 * i / SIDES;
        lode_vec3 corner = q_rotate(
            at.rotation, vec((lode_real)cos(angle), (lode_real)sin(angle), (lode_real)-0.5));
        depths[i] = -(double)(at.position.z + corner.z);
    }
    qsort(depths, SIDES, sizeof *depths, deeper_first);
    for (int most = 1; most <= 2 * SIDES; ++most) {
        limit_to(most);
        found now = look();
        expect_deepest(&now, depths, SIDES, most);
    }
}

/* --- what they bear */

/* A box on a box with eight points, a prism and a drum on a plane, by the default of ten: each step
 * begins with what the last one found, all that there are share the weight, and nothing moves. */
static void eight_points_share_the_weight(void **state)
{
    static const lode_solver solvers[] = {LODE_SOLVER_SOFT_STEP, LODE_SOLVER_PGS,
                                          LODE_SOLVER_DIRECT};
    static add_fn *const below[] = {add_box, add_floor, add_floor};
    static add_fn *const above[] = {add_box, add_prism, add_drum};
    static const int points[] = {8, 10, 8};
    (void)state;
    for (int i = 0; i < 9; ++i) {
        lode_world_def def = lode_world_def_default();
        def.solver = solvers[i % 3];
        lode_world_destroy(world);
        world = lode_world_create(&def);
        limit_to(10);
        lode_body ground = add_turned(LODE_STATIC, 0, -0.5, 0, 0);
        below[i / 3](ground);
        lode_body body = add_turned(LODE_DYNAMIC, 0, 0.5, 0.7853981633974483, 0);
        name(above[i / 3](body));
        run(120);
        found now = look();
        double weight = (double)lode_body_get_mass(body).mass * 9.81 / 64;
        /* a drum has one more where that is not level to the last bit */
        assert_true(now.points == points[i / 3] || (above[i / 3] == add_drum && now.points == 9));
        assert_true(near(now.pushed, weight, weight * 0.01));
        assert_true(now.bears > 0 && (i % 3 == 2 || now.idle == 0));
        lode_pose at = lode_body_get_pose(body);
        assert_true(near((double)at.position.z, 0.5, 0.02));
        assert_true(near((double)at.position.x, 0, 1e-3));
        assert_true(v3_length(lode_body_get_linear_velocity(body)) < (lode_real)1e-3);
        assert_true(v3_length(lode_body_get_angular_velocity(body)) < (lode_real)1e-3);
    }
}

/* Slip is of the contact as a whole, however many points and manifolds it has. */
static void slip_is_shared_by_all_manifolds(void **state)
{
    (void)state;
    lode_contact_properties p = lode_contact_properties_default();
    p.material2 = "thing";
    p.friction[0] = -1;
    p.force_dependent_slip[0] = (lode_real)0.1;
    p.soft_cfm = (lode_real)1e-6;
    lode_world_set_contact_properties(world, &p, 1);
    lode_shape_def def = lode_shape_def_default();
    lode_shape_create_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0), &def, vec(8, 8, (lode_real)0.5));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 0.5, 0.3, 0);
    name(add_prism(body));
    for (int i = 0; i < 200; ++i) {
        lode_body_add_force(body, vec(5, 0, 0));
        run(1);
    }
    assert_int_equal(look().points, 10);
    assert_true(near((double)lode_body_get_linear_velocity(body).x, 0.5, 0.005));
}

/* --- who hears of it */

/* A box that falls flat on eight points is one impact, of its energy. */
static void eight_points_are_one_impact(void **state)
{
    (void)state;
    limit_to(10);
    add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 1.5, 0.7853981633974483, 0);
    lode_shape box = add_box(body);
    name(box);
    lode_shape_set_impact_events(box, true);
    lode_shape_set_sound_events(box, true);
    int impacts = 0, sounds = 0;
    for (int i = 0; i < 64 && sounds == 0; ++i) {
        run(1);
        lode_events events = lode_world_get_events(world);
        lode_sounds heard = lode_world_get_sounds(world);
        impacts += events.impact_count;
        sounds += heard.impact_count;
        if (heard.impact_count == 0)
            continue;
        double mass = (double)lode_body_get_mass(body).mass, v = sqrt(2 * 9.81);
        assert_true(near((double)heard.impacts[0].energy, mass * v * v / 2, mass));
        assert_true(near((double)heard.impacts[0].contact.impulse, mass * v, mass * 0.4));
        assert_true(near((double)events.impacts[0].impulse, mass * v, mass * 0.4));
        assert_true(near((double)events.impacts[0].position.x, 0, 1e-3));
    }
    assert_int_equal(impacts, 1);
    assert_int_equal(sounds, 1);
    assert_int_equal(look().manifolds, 2);
}

/* What slides on eight points is one sound, of the area around all of them. */
static void eight_points_slide_on_the_area_around_them(void **state)
{
    (void)state;
    limit_to(10);
    add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 0.5, 0.7853981633974483, 0);
    lode_shape box = add_box(body);
    name(box);
    run(4);
    lode_shape_set_sound_events(box, true);
    lode_body_set_linear_velocity(body, vec((lode_real)0.5, 0, 0));
    run(1);
    lode_sounds heard = lode_world_get_sounds(world);
    assert_int_equal(heard.slide_count, 1);
    /* an octagon: a square of 2 m whose corners are cut off by another one */
    assert_true(near((double)heard.slides[0].area, 8 * (sqrt(2) - 1), 0.05));
    assert_true(near((double)heard.slides[0].speed, 0.5, 0.2));
}

/* --- whence, and back */

static void snapshots_hold_several_manifolds(void **state)
{
    (void)state;
    limit_to(10);
    add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 0.5, 0.7853981633974483, 0);
    name(add_box(body));
    for (int asleep = 0; asleep < 2; ++asleep) {
        if (asleep)
            lode_body_sleep(body);
        run(5);
        assert_true(lode_body_is_awake(body) == !asleep);
        size_t size = lode_world_snapshot(world, NULL, 0);
        char *bytes = malloc(size);
        assert_int_equal(lode_world_snapshot(world, bytes, size), size);
        uint64_t then = lode_world_hash(world);
        lode_body_wake(body);
        run(20);
        uint64_t later = lode_world_hash(world);
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        assert_true(lode_world_hash(world) == then);
        lode_body_wake(body);
        run(20);
        assert_true(lode_world_hash(world) == later);
        free(bytes);
    }
}

/* With the material the pair's further manifolds go, and its points are those that it has without;
 * they go, too, when it parts. */
static void what_has_no_material_any_more_has_four(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    limit_to(10);
    add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
    lode_body body = add_turned(LODE_DYNAMIC, 0, 0.497, 0.7853981633974483, 0);
    lode_shape box = add_box(body);
    assert_int_equal(look().points, 4);
    name(box);
    assert_int_equal(look().points, 8);
    lode_shape_set_material(box, NULL);
    for (int i = 0; i < 3; ++i) {
        found now = look();
        assert_true(now.points == 4 && now.manifolds == 1);
    }
    name(box);
    assert_int_equal(look().manifolds, 2);
    lode_body_set_pose(body,
                       (lode_pose){vec(0, 0, (lode_real)0.52), lode_body_get_pose(body).rotation});
    assert_int_equal(look().points, 0);
    lode_body_set_pose(body, (lode_pose){vec(0, 0, 4), lode_body_get_pose(body).rotation});
    assert_int_equal(look().points, 0);
    run(2);
}

/* What has no material is to the bit what it is in a world that knows none. */
static void others_do_not_change(void **state)
{
    (void)state;
    uint64_t bits[2];
    for (int known = 0; known < 2; ++known) {
        lode_world_def def = lode_world_def_default();
        lode_world_destroy(world);
        world = lode_world_create(&def);
        add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
        lode_body body = add_turned(LODE_DYNAMIC, 0, 0.6, 0.5, 0.02);
        lode_body_set_angular_velocity(body, vec(0, 0, 1));
        add_box(body);
        lode_shape far = add_box(add_turned(LODE_STATIC, 50, 0, 0, 0));
        if (known)
            name(far);
        if (known)
            limit_to(3);
        run(60);
        lode_pose at = lode_body_get_pose(body);
        bits[known] = lode__hash_bytes(1, &at, sizeof at);
    }
    assert_true(bits[0] == bits[1]);
}

static void a_step_without_memory_is_tried_again(void **state)
{
    (void)state;
    uint64_t expected = 0;
    int times = 0;
    lode_world_destroy(world);
    alloc_fail_install();
    for (long n = -1;; ++n) {
        lode_world_def def = lode_world_def_default();
        world = lode_world_create(&def);
        limit_to(10);
        add_box(add_turned(LODE_STATIC, 0, -0.5, 0, 0));
        name(add_box(add_turned(LODE_DYNAMIC, 0, 0.5, 0.7853981633974483, 0)));
        alloc_fail_nth(n);
        bool failed = lode_world_step(world, STEP) != LODE_OK, happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        run(failed ? 2 : 1);
        expected = n < 0 ? lode_world_hash(world) : expected;
        assert_true(lode_world_hash(world) == expected);
        lode_world_destroy(world);
        times += failed;
        if (n >= 0 && !happened)
            break;
    }
    assert_true(times > 10);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    report_clear();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_deepest_of_all_are_kept_in_either_order),
        TEST(corners_on_a_plane_are_as_deep_as_they_lie),
        TEST(eight_points_share_the_weight),
        TEST(slip_is_shared_by_all_manifolds),
        TEST(eight_points_are_one_impact),
        TEST(eight_points_slide_on_the_area_around_them),
        TEST(snapshots_hold_several_manifolds),
        TEST(what_has_no_material_any_more_has_four),
        TEST(others_do_not_change),
        TEST(a_step_without_memory_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
