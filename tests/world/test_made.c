/* Contacts made by the caller: a program that does its own collision gets what the library's own
 * would give; nothing is dropped, order of bodies does not matter, impulses are carried over. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_world make_world(int iterations, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.iterations = iterations;
    def.threads = threads;
    return lode_world_create(&def);
}

static lode_contact_def point_at(lode_body a, lode_body b, lode_vec3 position, lode_real depth)
{
    lode_contact_def def = lode_contact_def_default();
    def.body_a = a;
    def.body_b = b;
    def.position = position;
    def.depth = depth;
    return def;
}

static void give(lode_world world, const lode_contact_def *contacts, int count)
{
    assert_int_equal(lode_world_add_contacts(world, contacts, count), LODE_OK);
}

static double impulse_sum(lode_world world, lode_body on)
{
    lode_contact contacts[64];
    int count = lode_world_get_contacts(world, contacts, 64);
    double sum = 0;
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < contacts[c].point_count; ++i) {
            sum += contacts[c].body_a.id == on.id ? contacts[c].points[i].impulse.z : 0;
            sum -= contacts[c].body_b.id == on.id ? contacts[c].points[i].impulse.z : 0;
        }
    return sum;
}

/* ---- a collision detection of one's own ---- */

/* A ball over the plane z = 0, as long as it comes near enough within a step. */
static void collide_ball(lode_world world, lode_body ball, lode_real bounce)
{
    lode_vec3 c = lode_body_get_center(ball);
    lode_real depth = (lode_real)0.5 - c.z;
    if (depth < (lode_real)-0.008)
        return;
    lode_contact_def def = point_at(ball, (lode_body){0},
                                    vec(c.x, c.y, c.z - (lode_real)0.5 + depth / 2), depth);
    def.restitution = bounce;
    give(world, &def, 1);
}

static void a_ball_rolls_and_bounces_as_with_shapes(void **state)
{
    (void)state;
    for (int bounce = 0; bounce < 2; ++bounce) {
        lode_world theirs = make_world(20, 1), ours = make_world(20, 1);
        lode_shape_def shape = lode_shape_def_default();
        shape.restitution = bounce ? (lode_real)0.5 : 0;
        lode_body ground = add_body(theirs, LODE_STATIC, 0, 0, 0);
        lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0);
        lode_body ball = add_body(theirs, LODE_DYNAMIC, 0, 0, bounce ? 3 : (lode_real)0.5);
        lode_shape_create_sphere(ball, &shape, (lode_real)0.5);
        lode_body twin = add_body(ours, LODE_DYNAMIC, 0, 0, bounce ? 3 : (lode_real)0.5);
        lode_mass mass = lode_body_get_mass(ball);
        lode_body_set_mass(twin, &mass);
        lode_body_set_linear_velocity(ball, vec(2, 1, 0));
        lode_body_set_linear_velocity(twin, vec(2, 1, 0));
        for (int i = 0; i < 200; ++i) {
            lode_world_step(theirs, STEP);
            collide_ball(ours, twin, shape.restitution);
            lode_world_step(ours, STEP);
            double tolerance = bounce ? 0.02 : 1e-4;
            assert_true(
                near_vec(lode_body_get_center(twin), lode_body_get_center(ball), tolerance));
        }
        assert_true(near_vec(lode_body_get_angular_velocity(twin),
                             lode_body_get_angular_velocity(ball), 0.02));
        assert_true(lode_body_get_angular_velocity(twin).y > 1); /* it rolls */
        lode_world_destroy(theirs);
        lode_world_destroy(ours);
    }
}

enum { TOWER = 8 };

/* Unit boxes upright on each other, the lowest on the world. `turned` names the bodies of each pair
 * the other way round. */
static int tower_points(const lode_body *boxes, lode_contact_def *out, bool turned)
{
    int count = 0;
    for (int b = 0; b < TOWER; ++b) {
        lode_vec3 c = lode_body_get_center(boxes[b]);
        lode_body below = b ? boxes[b - 1] : (lode_body){0};
        lode_real top = b ? lode_body_get_center(below).z + (lode_real)0.5 : 0;
        lode_real depth = top - (c.z - (lode_real)0.5);
        for (int k = 0; k < 4 && depth > (lode_real)-0.008; ++k) {
            lode_vec3 corner = vec(c.x + (k & 1 ? (lode_real)0.5 : (lode_real)-0.5),
                                   c.y + (k & 2 ? (lode_real)0.5 : (lode_real)-0.5),
                                   top - depth / 2);
            out[count] = point_at(boxes[b], below, corner, depth);
            if (turned) {
                out[count].body_a = below;
                out[count].body_b = boxes[b];
                out[count].normal = vec(0, 0, -1);
            }
            ++count;
        }
    }
    return count;
}

static lode_world make_tower(lode_body *boxes, int iterations, int threads)
{
    lode_world world = make_world(iterations, threads);
    for (int i = 0; i < TOWER; ++i) {
        boxes[i] = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)i + (lode_real)0.5);
        lode_mass mass = {.mass = 2, .inertia = {1, 1, 1, 0, 0, 0}};
        lode_body_set_mass(boxes[i], &mass);
    }
    return world;
}

static void step_tower(lode_world world, const lode_body *boxes, bool turned)
{
    lode_contact_def points[4 * TOWER];
    give(world, points, tower_points(boxes, points, turned));
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static void a_tower_without_shapes_stands(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        lode_body boxes[TOWER];
        lode_world world = make_tower(boxes, 20, 1);
        lode_world_set_solver(world, (lode_solver)solver);
        for (int i = 0; i < 300; ++i)
            step_tower(world, boxes, false);
        for (int i = 0; i < TOWER; ++i)
            assert_true(near_vec(lode_body_get_center(boxes[i]), vec(0, 0, i + 0.5), 0.06));
        double weight = 2 * 9.81 * STEP; /* of one box, over a step */
        assert_true(near(impulse_sum(world, boxes[0]), weight, 0.02 * weight));
        lode_contact lowest;
        assert_int_equal(lode_world_get_contacts(world, &lowest, 1), TOWER);
        assert_true(lowest.body_a.id == boxes[0].id);
        lode_world_destroy(world);
    }
}

static void either_body_may_come_first(void **state)
{
    (void)state;
    lode_body boxes[TOWER], turned_boxes[TOWER];
    lode_world world = make_tower(boxes, 5, 1), turned = make_tower(turned_boxes, 5, 1);
    for (int i = 0; i < 50; ++i) {
        step_tower(world, boxes, false);
        step_tower(turned, turned_boxes, true);
        assert_true(lode_world_hash(world) == lode_world_hash(turned));
    }
    lode_world_destroy(world);
    lode_world_destroy(turned);
}

/* Each of the two sweeps of a step of one iteration finds an eighth of what holds eight boxes; the
 * rest is carried over. */
static void impulses_are_carried_over(void **state)
{
    (void)state;
    lode_body boxes[TOWER];
    lode_world world = make_tower(boxes, 1, 1);
    double wanted = TOWER * 2 * 9.81 * STEP, before = 0;
    lode_world_set_sub_steps(world, 1);
    for (int i = 0; i < 6; ++i) {
        lode_contact contacts[TOWER];
        double sum = 0;
        step_tower(world, boxes, i % 2); /* whichever comes first */
        assert_int_equal(lode_world_get_contacts(world, contacts, TOWER), TOWER);
        for (int c = 0; c < TOWER; ++c)
            for (int k = 0; contacts[c].body_b.id == 0 && k < 4; ++k)
                sum += contacts[c].points[k].impulse.z;
        assert_true(sum > before + 0.1 * wanted && (i > 0 || sum < 0.3 * wanted));
        before = sum;
    }
    assert_true(before > 0.8 * wanted);
    lode_world_destroy(world);
}

/* ---- points and manifolds ---- */

static void more_than_four_points_are_all_kept(void **state)
{
    (void)state;
    lode_world world = make_world(20, 1);
    lode_body plate = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.1);
    lode_contact contacts[4];
    for (int i = 0; i < 100; ++i) {
        lode_contact_def points[11];
        lode_real depth = (lode_real)0.1 - lode_body_get_center(plate).z;
        for (int k = 0; k < 11; ++k) {
            double angle = k * 6.283185307 / 11;
            points[k] = point_at(plate, (lode_body){0},
                                 vec((lode_real)cos(angle), (lode_real)sin(angle), 0), depth);
        }
        give(world, points, 5); /* in two calls */
        give(world, points + 5, 6);
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        assert_int_equal(lode_world_get_contacts(world, contacts, 4), 3);
        assert_int_equal(
            contacts[0].point_count + contacts[1].point_count + contacts[2].point_count, 11);
    }
    lode_world_stats stats;
    lode_world_get_stats(world, &stats);
    assert_int_equal(stats.contacts, 3);
    assert_int_equal(stats.contact_points, 11);
    assert_true(near(impulse_sum(world, plate), 9.81 * STEP, 0.01 * 9.81 * STEP));
    assert_true(near_vec(lode_body_get_center(plate), vec(0, 0, 0.1), 0.01));
    lode_world_destroy(world);
}

/* A manifold has one normal and one surface; points that differ get another. */
static void points_that_differ_do_not_share_a_manifold(void **state)
{
    (void)state;
    lode_world world = make_world(20, 1);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    lode_contact_def points[6];
    for (int k = 0; k < 6; ++k)
        points[k] = point_at(body, (lode_body){0}, vec((lode_real)k, 0, 0), 0);
    points[1].normal = vec(1, 0, 1);
    points[2].friction[1] = 0;
    points[3].restitution = 1;
    points[4].direction = vec(1, 0, 0);
    points[5].normal = vec(0, 0, 3); /* the same as the first */
    give(world, points, 6);
    lode_world_step(world, STEP);
    lode_contact contacts[8];
    assert_int_equal(lode_world_get_contacts(world, contacts, 8), 5);
    assert_int_equal(contacts[0].point_count, 2);
    for (int i = 0; i < 5; ++i) {
        assert_true(contacts[i].shape_a.id == 0 && contacts[i].shape_b.id == 0);
        assert_true(contacts[i].body_a.id == body.id && contacts[i].body_b.id == 0);
    }
    lode_world_destroy(world);
}

static void contacts_of_shapes_come_first_and_name_their_bodies(void **state)
{
    (void)state;
    lode_world world = make_world(20, 1);
    lode_body ground = add_ground(world), ball = add_ball(world, 0, 0, (lode_real)0.5, 0.5);
    lode_body bare = add_body(world, LODE_DYNAMIC, 5, 0, 0);
    lode_contact_def def = point_at(bare, ground, vec(5, 0, 0), 0);
    give(world, &def, 1);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_world_step(world, STEP);
    lode_contact contacts[3];
    assert_int_equal(lode_world_get_contacts(world, contacts, 3), 2);
    assert_true(contacts[0].shape_a.id && contacts[0].shape_b.id);
    assert_true(contacts[0].body_a.id == lode_shape_get_body(contacts[0].shape_a).id);
    assert_true(contacts[0].body_b.id == lode_shape_get_body(contacts[0].shape_b).id);
    assert_true(contacts[0].body_a.id == ball.id || contacts[0].body_b.id == ball.id);
    assert_true(contacts[1].shape_a.id == 0);
    assert_true(contacts[1].body_a.id == ground.id && contacts[1].body_b.id == bare.id);
    assert_true(near_vec(contacts[1].normal, vec(0, 0, -1), 1e-7)); /* into the lower slot */
    assert_true(contacts[1].points[0].impulse.z < 0);
    assert_true(near_vec(contacts[1].points[0].position, vec(5, 0, 0), 1e-6));
    lode_world_destroy(world);
}

/* ---- surfaces ---- */

static void friction_has_its_direction(void **state)
{
    (void)state;
    lode_world world = make_world(30, 1);
    lode_body sled = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_mass mass = {.mass = 3, .inertia = {1e3f, 1e3f, 1e3f, 0, 0, 0}};
    lode_body_set_mass(sled, &mass);
    lode_body_set_linear_velocity(sled, vec(2, 2, 0));
    for (int i = 0; i < 16; ++i) {
        lode_vec3 c = lode_body_get_center(sled);
        lode_contact_def def = point_at(sled, (lode_body){0}, c, -c.z);
        def.friction[0] = 0;
        def.friction[1] = (lode_real)0.25;
        def.direction = vec(3, 0, 7); /* its part across the normal is x */
        give(world, &def, 1);
        lode_world_step(world, STEP);
    }
    lode_vec3 v = lode_body_get_linear_velocity(sled);
    assert_true(near(v.x, 2, 1e-4));
    assert_true(near(v.y, 2 - 0.25 * 9.81 * 16 * STEP, 0.01));
    lode_world_destroy(world);
}

static void two_bodies_push_each_other_apart(void **state)
{
    (void)state;
    lode_world world = make_world(20, 1);
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body a = add_body(world, LODE_DYNAMIC, 1, 0, 0),
              b = add_body(world, LODE_DYNAMIC, -1, 0, 0);
    lode_body_set_linear_velocity(a, vec(-3, 0, 0));
    lode_body_set_linear_velocity(b, vec(5, 0, 0));
    lode_contact_def def = point_at(a, b, vec(0, 0, 0), 0);
    def.normal = vec(1, 0, 0);
    def.restitution = 1;
    give(world, &def, 1);
    lode_world_step(world, STEP);
    assert_true(near(lode_body_get_linear_velocity(a).x, 5, 1e-4));
    assert_true(near(lode_body_get_linear_velocity(b).x, -3, 1e-4));
    lode_world_destroy(world);
}

/* ---- their life ---- */

static void one_step_uses_them_up(void **state)
{
    (void)state;
    lode_world world = make_world(20, 1);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_contact_def def = point_at(body, (lode_body){0}, vec(0, 0, 0), 0);
    give(world, &def, 1);
    lode_world_step(world, STEP);
    assert_true(near(lode_body_get_linear_velocity(body).z, 0, 1e-5));
    lode_world_step(world, STEP);
    assert_true(near(lode_body_get_linear_velocity(body).z, -9.81 * STEP, 1e-5));
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_body_set_linear_velocity(body, vec(0, 0, 0));
    give(world, &def, 1); /* a second half is enough to use them */
    lode_world_solve(world, STEP);
    assert_true(near(lode_body_get_linear_velocity(body).z, 0, 1e-5));
    lode_body_set_linear_velocity(body, vec(0, 0, 0));
    lode_world_collide(world, STEP); /* a first half uses none */
    give(world, &def, 1);
    lode_world_solve(world, STEP);
    assert_true(near(lode_body_get_linear_velocity(body).z, 0, 1e-5));
    lode_world_destroy(world);
}

/* Neither a point nor an impulse of a destroyed body comes to the one that takes its slot. */
static void contacts_end_with_their_bodies(void **state)
{
    (void)state;
    lode_world world = make_world(1, 1);
    lode_body old = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_contact_def def = point_at(old, (lode_body){0}, vec(0, 0, 0), 0);
    for (int i = 0; i < 20; ++i) {
        lode_body_add_force(old, vec(0, 0, -5000));
        give(world, &def, 1);
        lode_world_step(world, STEP);
    }
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    give(world, &def, 1);
    lode_body_destroy(old);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 0);
    lode_body fresh = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    assert_int_equal(fresh.id & 0xffffff, old.id & 0xffffff);
    lode_contact_def own = point_at(fresh, (lode_body){0}, vec(0, 0, 0), (lode_real)-0.1);
    give(world, &own, 1);
    lode_world_step(world, STEP);
    lode_contact contact;
    assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
    assert_true(near(contact.points[0].depth, -0.1, 1e-6));
    /* no old impulse threw it up */
    assert_true(near(lode_body_get_linear_velocity(fresh).z, -9.81 * STEP, 1e-4));
    lode_world_destroy(world);
}

/* The body of the last slot goes, with a point on another body that stands on the world: that body
 * moves as if the point had not been given, whichever was given first. */
static void points_of_who_has_gone_are_as_if_not_given(void **state)
{
    (void)state;
    lode_vec3 velocity[3];
    for (int order = 0; order < 3; ++order) { /* 2: it is not given */
        lode_world world = make_world(20, 1);
        lode_body a = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_body b = add_body(world, LODE_DYNAMIC, 0, 0, 1);
        const lode_contact_def on_world = point_at(a, (lode_body){0}, vec((lode_real)0.25, 0, 0),
                                                   0);
        lode_contact_def on_b = point_at(a, b, vec(0, 0, 1), 0);
        on_b.normal = vec(0, 0, -1);
        const lode_contact_def both[2] = {order == 0 ? on_b : on_world,
                                          order == 0 ? on_world : on_b};
        for (int i = 0; i < 3; ++i) {
            give(world, both, 2);
            lode_world_step(world, STEP);
            lode_body_set_pose(a, (lode_pose){vec(0, 0, 0), {1, 0, 0, 0}});
            lode_body_set_pose(b, (lode_pose){vec(0, 0, 1), {1, 0, 0, 0}});
        }
        give(world, order < 2 ? both : &on_world, order < 2 ? 2 : 1);
        lode_body_destroy(b);
        lode_world_step(world, STEP);
        assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
        assert_true(impulse_sum(world, a) > 0);
        velocity[order] = lode_body_get_linear_velocity(a);
        lode_world_destroy(world);
    }
    assert_memory_equal(&velocity[0], &velocity[2], sizeof velocity[0]);
    assert_memory_equal(&velocity[1], &velocity[2], sizeof velocity[0]);
}

static void stages_threads_and_repeats_change_no_bits(void **state)
{
    (void)state;
    lode_body boxes[TOWER], staged_boxes[TOWER], threaded_boxes[TOWER];
    lode_world world = make_tower(boxes, 6, 1), staged = make_tower(staged_boxes, 6, 1);
    lode_world threaded = make_tower(threaded_boxes, 6, 4);
    lode_stage_info stages[48];
    int count = lode_world_get_stages(world, stages, 48);
    for (int i = 0; i < 40; ++i) {
        lode_contact_def points[4 * TOWER];
        step_tower(world, boxes, false);
        step_tower(threaded, threaded_boxes, false);
        give(staged, points, tower_points(staged_boxes, points, false));
        for (int k = 0; k < count; ++k)
            for (int times = strcmp(stages[k].name, "islands") ? 1 : 3; times > 0; --times)
                if (!stages[k].parent[0])
                    assert_int_equal(lode_world_run_stage(staged, stages[k].name, STEP), LODE_OK);
        assert_true(lode_world_hash(world) == lode_world_hash(staged));
        assert_true(lode_world_hash(world) == lode_world_hash(threaded));
    }
    lode_world_destroy(world);
    lode_world_destroy(staged);
    lode_world_destroy(threaded);
}

static void warm_steps_allocate_nothing_and_failures_change_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_body boxes[TOWER], twins[TOWER];
    lode_contact_def points[4 * TOWER];
    lode_world twin = make_tower(twins, 6, 1);
    step_tower(twin, twins, false);
    step_tower(twin, twins, false);
    bool any = true;
    for (long n = 0; any; ++n) {
        lode_world world = make_tower(boxes, 6, 1);
        int count = tower_points(boxes, points, false);
        alloc_fail_nth(n);
        uint64_t hash = lode_world_hash(world);
        if (lode_world_add_contacts(world, points, count) != LODE_OK) {
            EXPECT_REPORT(LODE_ERROR_MEMORY, "lode_world_add_contacts", "");
            assert_true(lode_world_hash(world) == hash);
            give(world, points, count);
        }
        if (lode_world_step(world, STEP) != LODE_OK)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        any = alloc_fail_happened();
        alloc_fail_nth(-1);
        step_tower(world, boxes, false);
        assert_true(lode_world_hash(world) == lode_world_hash(twin));
        for (int i = 0; i < 3; ++i)
            step_tower(world, boxes, false);
        alloc_fail_nth(-1);
        step_tower(world, boxes, false);
        assert_int_equal(alloc_fail_calls(), 0);
        lode_world_destroy(world);
        report_clear();
    }
    lode_world_destroy(twin);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* ---- refusals ---- */

#define REFUSES(status, argument, ...) \
    do { \
        assert_int_equal(lode_world_add_contacts(__VA_ARGS__), status); \
        EXPECT_REPORT(status, "lode_world_add_contacts", argument); \
        assert_true(lode_world_hash(s.world) == hash); \
        report_clear(); \
    } while (0)

static void one_bad_point_refuses_all(void **state)
{
    (void)state;
    scene s = scene_create(NULL), other = scene_create(NULL);
    uint64_t hash = lode_world_hash(s.world);
    lode_contact_def defs[2], bad;
    lode_real inf = (lode_real)INFINITY, nan = (lode_real)NAN;
    defs[0] = point_at(s.ball, s.crate, vec(0, 0, 0), 0);
    REFUSES(LODE_ERROR_ARGUMENT, "count", s.world, defs, -1);
    REFUSES(LODE_ERROR_ARGUMENT, "contacts", s.world, NULL, 1);
#define BAD(status, argument, change) \
    do { \
        bad = defs[0]; \
        change; \
        defs[1] = bad; \
        REFUSES(status, argument, s.world, defs, 2); \
    } while (0)
    BAD(LODE_ERROR_ARGUMENT, "contacts.body_b", bad.body_b = bad.body_a);
    BAD(LODE_ERROR_ARGUMENT, "contacts.body_b", bad.body_a.id = bad.body_b.id = 0);
    BAD(LODE_ERROR_HANDLE, "contacts.body_a", bad.body_a = other.ball);
    BAD(LODE_ERROR_HANDLE, "contacts.body_b", bad.body_b.id += (uint64_t)5 << 24);
    BAD(LODE_ERROR_ARGUMENT, "contacts.position", bad.position.y = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.normal", bad.normal = vec(0, 0, 0));
    BAD(LODE_ERROR_ARGUMENT, "contacts.normal", bad.normal.x = inf);
    BAD(LODE_ERROR_ARGUMENT, "contacts.depth", bad.depth = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.friction", bad.friction[0] = -1);
    BAD(LODE_ERROR_ARGUMENT, "contacts.friction", bad.friction[1] = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.law", bad.law[1] = LODE_LAW_COUNT);
    BAD(LODE_ERROR_ARGUMENT, "contacts.slip", bad.slip[0] = -1);
    BAD(LODE_ERROR_ARGUMENT, "contacts.rolling", bad.rolling[2] = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.bounce_speed", bad.bounce_speed = inf);
    BAD(LODE_ERROR_ARGUMENT, "contacts.soft_erp", bad.soft_erp = 2);
    BAD(LODE_ERROR_ARGUMENT, "contacts.soft_cfm", bad.soft_cfm = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.motion_normal", bad.motion_normal = inf);
    BAD(LODE_ERROR_ARGUMENT, "contacts.motion", bad.motion[1] = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.motion", bad.motion[0] = 1);
    BAD(LODE_ERROR_ARGUMENT, "contacts.direction", bad.direction.z = nan);
    BAD(LODE_ERROR_ARGUMENT, "contacts.direction", bad.direction = vec(0, 0, -2));
    BAD(LODE_ERROR_ARGUMENT, "contacts.restitution", bad.restitution = (lode_real)1.5);
    BAD(LODE_ERROR_ARGUMENT, "contacts.restitution", bad.restitution = nan);
    assert_int_equal(lode_world_add_contacts(s.world, NULL, 0), LODE_OK);
    scene_step(&s, 1);
    scene_step(&other, 1);
    assert_true(lode_world_hash(s.world) == lode_world_hash(other.world));
    lode_world_destroy(s.world);
    lode_world_destroy(other.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_ball_rolls_and_bounces_as_with_shapes, set_up),
        cmocka_unit_test_setup(a_tower_without_shapes_stands, set_up),
        cmocka_unit_test_setup(either_body_may_come_first, set_up),
        cmocka_unit_test_setup(impulses_are_carried_over, set_up),
        cmocka_unit_test_setup(more_than_four_points_are_all_kept, set_up),
        cmocka_unit_test_setup(points_that_differ_do_not_share_a_manifold, set_up),
        cmocka_unit_test_setup(contacts_of_shapes_come_first_and_name_their_bodies, set_up),
        cmocka_unit_test_setup(friction_has_its_direction, set_up),
        cmocka_unit_test_setup(two_bodies_push_each_other_apart, set_up),
        cmocka_unit_test_setup(one_step_uses_them_up, set_up),
        cmocka_unit_test_setup(contacts_end_with_their_bodies, set_up),
        cmocka_unit_test_setup(points_of_who_has_gone_are_as_if_not_given, set_up),
        cmocka_unit_test_setup(stages_threads_and_repeats_change_no_bits, set_up),
        cmocka_unit_test_setup(warm_steps_allocate_nothing_and_failures_change_nothing, set_up),
        cmocka_unit_test_setup(one_bad_point_refuses_all, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
