/* Shapes that go to another body: nothing may tell them from shapes that were made there. */
#include "tests/support/random.h"
#include "tests/world/asleep.h"

#include "world/validate.h"
#include "world/world.h"

#include <math.h>

#define CLOSE (sizeof(lode_real) == sizeof(float) ? 1e-5 : 1e-12)

static lode_pose at(double x, double y, double z)
{
    return (lode_pose){vec((lode_real)x, (lode_real)y, (lode_real)z), {1, 0, 0, 0}};
}

static lode_pose turned(test_random *random)
{
    lode_pose pose;
    pose.position.x = (lode_real)random_between(random, -2, 2);
    pose.position.y = (lode_real)random_between(random, -2, 2);
    pose.position.z = (lode_real)random_between(random, -2, 2);
    pose.rotation.w = (lode_real)random_between(random, 0.1, 1);
    pose.rotation.x = (lode_real)random_between(random, -1, 1);
    pose.rotation.y = (lode_real)random_between(random, -1, 1);
    pose.rotation.z = (lode_real)random_between(random, -1, 1);
    return pose;
}

static void step(lode_world world, int count)
{
    for (int i = 0; i < count; ++i) {
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode__world_validate(lode__registry_world(world.id));
    }
}

static void expect_mass(lode_body body, lode_body wanted)
{
    lode_mass m = lode_body_get_mass(body), n = lode_body_get_mass(wanted);
    assert_true(near((double)m.mass, (double)n.mass, CLOSE * (double)n.mass));
    assert_true(near_vec(m.center, n.center, CLOSE));
    for (int i = 0; i < 6; ++i)
        assert_true(near((double)m.inertia[i], (double)n.inertia[i],
                         8 * CLOSE * (double)(n.inertia[0] + n.inertia[1] + n.inertia[2])));
}

/* Two bodies that gave and got weigh what two weigh that were made so, and all goes on as
 * theirs. */
static void both_bodies_weigh_what_they_have(void **state)
{
    (void)state;
    test_random random = {11};
    for (int round = 0; round < 30; ++round) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def shape_def = lode_shape_def_default();
        lode_world world = lode_world_create(&def);
        lode_body from = add_body(world, LODE_DYNAMIC, 0, 0, 20);
        lode_body to = add_body(world, LODE_DYNAMIC, 40, 0, 20);
        lode_body as_from = add_body(world, LODE_DYNAMIC, 0, 80, 20);
        lode_body as_to = add_body(world, LODE_DYNAMIC, 40, 80, 20);
        lode_shape_create_sphere(from, &shape_def, (lode_real)0.5);
        lode_shape_create_sphere(as_from, &shape_def, (lode_real)0.5);
        if (round % 2) {
            lode_shape_create_box(to, &shape_def, vec(1, 2, 3));
            lode_shape_create_box(as_to, &shape_def, vec(1, 2, 3));
        }
        shape_def.pose = turned(&random);
        lode_shape moved = lode_shape_create_capsule(from, &shape_def, 1, 2);
        shape_def.pose = turned(&random);
        lode_shape_create_capsule(as_to, &shape_def, 1, 2);
        lode_vec3 spin = vec(1, 2, 3);
        lode_body_set_angular_velocity(to, spin);
        lode_body_set_angular_velocity(as_to, spin);
        lode_vec3 there = lode_body_get_center(from);
        assert_int_equal(lode_shape_set_body(moved, to, shape_def.pose), LODE_OK);
        assert_true(lode_shape_get_body(moved).id == to.id);
        assert_int_equal(lode_body_get_shapes(from, NULL, 0), 1);
        assert_int_equal(lode_body_get_shapes(to, NULL, 0), round % 2 ? 2 : 1);
        expect_mass(from, as_from);
        expect_mass(to, as_to);
        assert_true(!near_vec(there, lode_body_get_center(from), 1e-3)); /* it had moved it */
        lode_pose mine = lode_body_get_pose(to), theirs = lode_body_get_pose(as_to);
        assert_true(near_vec(vec(mine.position.x, mine.position.y + 80, mine.position.z),
                             theirs.position, 20 * CLOSE));
        step(world, 20);
        mine = lode_body_get_pose(to);
        theirs = lode_body_get_pose(as_to);
        mine.position.y += 80;
        if (round %
            2) /* the same matter came to be there while it spun: its centre goes another way */
            assert_true(near((double)mine.rotation.w, (double)theirs.rotation.w, 1e-3));
        lode_world_destroy(world);
    }
}

/* All that a world has of shapes leads to the next step: one to which a shape went steps like one
 * that was set back to a snapshot of it, which knows no past. */
static void no_past_shows(void **state)
{
    (void)state;
    asleep a = asleep_create();
    static char bytes[1 << 20];
    lode_pose place = {.rotation = {1, 0, 0, 0}};
    lode_body_wake(asleep_own(&a, LODE_BOX));
    const struct {
        lode_shape shape;
        lode_body to;
    } moves[] = {
        {a.own[LODE_SPHERE], asleep_own(&a, LODE_BOX)},
        {a.under[LODE_BOX], a.cart},
        {a.own[LODE_HULL], a.ground},
        {a.plate, asleep_own(&a, LODE_CAPSULE)},
        {a.own[LODE_MESH], a.lift},
        {a.plane, a.support[LODE_BOX]},
        {a.own[LODE_HEIGHTFIELD], asleep_own(&a, LODE_SPHERE)},
        {a.own[LODE_CUSTOM], asleep_own(&a, LODE_HULL)},
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; ++i) {
        place.position = vec((lode_real)0.3, (lode_real)0.2, (lode_real)0.1 * (lode_real)i);
        assert_int_equal(lode_shape_set_body(moves[i].shape, moves[i].to, place), LODE_OK);
        lode__world_validate(lode__registry_world(a.world.id));
        size_t size = lode_world_snapshot(a.world, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        lode_world_def def = lode_world_get_def(a.world);
        lode_world other = lode_world_create(&def);
        lode_world_offer_hull(other, a.hull);
        lode_world_offer_mesh(other, a.mesh);
        lode_world_offer_heightfield(other, a.field);
        lode_world_offer_custom(other, a.egg);
        assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
        for (int k = 0; k < 10; ++k) {
            step(a.world, 1);
            step(other, 1);
            assert_true(lode_world_hash(a.world) == lode_world_hash(other));
        }
        lode_world_destroy(other);
    }
    asleep_destroy(&a);
}

static bool touch(lode_world world, lode_body one, lode_body two)
{
    lode_contact contacts[64];
    int count = lode_world_get_contacts(world, contacts, 64);
    for (int i = 0; i < count && i < 64; ++i)
        if ((contacts[i].body_a.id == one.id && contacts[i].body_b.id == two.id) ||
            (contacts[i].body_a.id == two.id && contacts[i].body_b.id == one.id))
            return true;
    return false;
}

/* From a dynamic body to the static world and back, to a kinematic one; contacts and queries
 * follow, between the halves of a step too. */
static void contacts_and_queries_follow(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    for (int halves = 0; halves < 2; ++halves) {
        lode_world world = lode_world_create(&def);
        lode_body ground = add_body(world, LODE_STATIC, 0, 0, -1);
        lode_body box = add_body(world, LODE_DYNAMIC, 0, 0, 1);
        lode_body lift = add_body(world, LODE_KINEMATIC, 50, 0, 0);
        lode_shape slab = lode_shape_create_box(ground, &shape_def, vec(2, 2, 1));
        lode_shape_create_box(box, &shape_def, vec(1, 1, 1));
        lode_space space = lode_space_create(world);
        lode_space_add(space, slab);
        lode_shape_set_user_data(slab, &def);
        step(world, 5);
        assert_true(touch(world, ground, box));
        if (halves)
            assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
        assert_int_equal(lode_shape_set_body(slab, lift, at(-50, 0, -1)), LODE_OK);
        assert_true(lode_shape_get_world_pose(slab).position.z == -1);
        lode_ray ray = {.origin = {0, 0, -9}, .direction = {0, 0, 1}, .length = 20};
        lode_ray_hit hit;
        assert_true(lode_world_cast_ray(world, &ray, NULL, &hit));
        assert_true(hit.shape.id == slab.id && hit.body.id == lift.id &&
                    near((double)hit.position.z, -2, 1e-5));
        if (halves)
            assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
        step(world, 5);
        assert_true(touch(world, lift, box) && !touch(world, ground, box));
        assert_true(near((double)lode_body_get_pose(box).position.z, 1, 0.02));
        /* it goes along with the lift, and carries nothing any more */
        lode_body_set_linear_velocity(lift, vec(0, 8, 0));
        step(world, 96);
        assert_true(near((double)lode_shape_get_world_pose(slab).position.y, 12, 1e-3));
        assert_true(lode_body_get_pose(box).position.z < 0);
        assert_true(lode_shape_get_user_data(slab) == &def && lode_space_has(space, slab));
        lode_world_destroy(world);
    }
}

/* A touch that a move ends ends once; one that goes on with another body ends and begins, or
 * neither. */
static void events_pair(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, -1);
    lode_body other = add_body(world, LODE_KINEMATIC, 0, 0, -1);
    lode_body ball = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    shape_def.touch_events = true;
    lode_shape slab = lode_shape_create_box(ground, &shape_def, vec(2, 2, 1));
    lode_shape_create_sphere(ball, &shape_def, 1);
    int open = 0;
    for (int i = 0; i < 40; ++i) {
        if (i == 10)
            lode_shape_set_body(slab, other, at(0, 0, 0));
        if (i == 20)
            lode_shape_set_body(slab, ground, at(9, 0, 0));
        if (i == 30)
            lode_shape_set_body(slab, ball, at(0, 0, -9));
        lode_world_step(world, STEP);
        lode_events events = lode_world_get_events(world);
        open += events.contact_begin_count - events.contact_end_count;
        assert_true(open == 0 || open == 1);
        assert_int_equal(open, i < 20);
    }
    lode_world_destroy(world);
}

/* Disabled shapes and sensors move as well, and are what they were. */
static void what_is_off_stays_off(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_ground(world), ball = add_ball(world, 0, 0, 1, 1);
    lode_body far = add_body(world, LODE_STATIC, 90, 0, 0);
    shape_def.enabled = false;
    lode_shape off = lode_shape_create_sphere(far, &shape_def, 3);
    shape_def.enabled = true;
    shape_def.sensor = true;
    lode_shape sensor = lode_shape_create_sphere(far, &shape_def, 3);
    step(world, 2);
    assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), 0);
    assert_int_equal(lode_shape_set_body(off, ground, at(0, 0, 0)), LODE_OK);
    assert_int_equal(lode_shape_set_body(sensor, ground, at(0, 0, 0)), LODE_OK);
    step(world, 2);
    assert_int_equal(lode_shape_get_overlaps(sensor, NULL, 0), 1);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 1);
    assert_int_equal(lode_shape_set_enabled(off, true), LODE_OK);
    step(world, 1);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 2);
    assert_true(touch(world, ground, ball));
    lode_world_destroy(world);
}

static void world_poses_are_where_they_say(void **state)
{
    (void)state;
    test_random random = {12};
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    for (int i = 0; i < 200; ++i) {
        lode_body_def body_def = lode_body_def_default();
        lode_pose pose = turned(&random), wanted = turned(&random);
        body_def.type = (lode_body_type)(i % 3);
        body_def.position = pose.position;
        body_def.rotation = pose.rotation;
        lode_body body = lode_body_create(world, &body_def);
        shape_def.pose = turned(&random);
        lode_shape shape = lode_shape_create_box(body, &shape_def, vec(1, 2, 3));
        assert_int_equal(lode_shape_set_world_pose(shape, wanted), LODE_OK);
        lode_pose now = lode_shape_get_world_pose(shape);
        assert_true(near_vec(now.position, wanted.position, 20 * CLOSE));
        lode_quat p = now.rotation, q = wanted.rotation;
        double dot = (double)(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
        double length = sqrt((double)(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z));
        assert_true(near(fabs(dot) / length, 1, 20 * CLOSE));
        assert_true(near_vec(lode_body_get_pose(body).position, pose.position, 20 * CLOSE));
    }
    lode_world_destroy(world);
}

static void bad_moves_are_refused(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def), other = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_body ball = add_ball(world, 0, 0, 1, 1), far = add_ball(other, 0, 0, 1, 1);
    lode_shape plane = lode_shape_create_plane(ground, &shape_def, vec(0, 0, 1), 0), none = {0};
    lode_shape big = lode_shape_create_box(ground, &shape_def, vec(1, 1, 1));
    shape_def.density = (lode_real)(sizeof(lode_real) == 4 ? 1e38 : 1e308);
    lode_shape heavy = lode_shape_create_box(ground, &shape_def, vec(9, 9, 9));
    uint64_t hash = lode_world_hash(world);
    lode_pose here = at(0, 0, 0), bad = at(0, 0, (double)NAN);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_shape_set_body, none, ball, here);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body", lode_shape_set_body, big, (lode_body){0}, here);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body", lode_shape_set_body, big, far, here);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "pose", lode_shape_set_body, big, ball, bad);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "body", lode_shape_set_body, plane, ball, here);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "body", lode_shape_set_body, heavy, ball, here);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "pose", lode_shape_set_world_pose, big, bad);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "shape", lode_shape_set_world_pose, none, here);
    assert_true(lode_world_hash(world) == hash);
    lode_world_destroy(world);
    lode_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_bodies_weigh_what_they_have),
        cmocka_unit_test(no_past_shows),
        cmocka_unit_test(contacts_and_queries_follow),
        cmocka_unit_test(events_pair),
        cmocka_unit_test(what_is_off_stays_off),
        cmocka_unit_test(world_poses_are_where_they_say),
        cmocka_unit_test(bad_moves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
