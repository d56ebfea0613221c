/* Classes of the application that have colliders alone and are not convex: rings, held against
 * what is exactly known of them, and the holes in their middle. */
#include "tests/support/random.h"
#include "tests/world/classes.h"
#include "tests/world/support.h"

#include <math.h>

static const double tight = sizeof(lode_real) == 4 ? 4e-6 : 1e-9;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode_world make_world(double gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, (lode_real)gravity);
    return lode_world_create(&def);
}

static lode_vec3 any_place(test_random *random, double far)
{
    return vec((lode_real)number(random, -far, far), (lode_real)number(random, -far, far),
               (lode_real)number(random, -far, far));
}

static double distance_to(const double sizes[2], lode_vec3 p)
{
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    return ring_distance(sizes[0], sizes[1], at);
}

static void distances_come_from_the_collider(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 300; ++i) {
        lode_world world = make_world(0);
        double sizes[2] = {number(&random, 1, 2), number(&random, 0.05, 0.5)};
        sizes[0] = (double)(lode_real)sizes[0], sizes[1] = (double)(lode_real)sizes[1];
        lode_shape shape = add_ring(add_body(world, LODE_STATIC, 0, 0, 0), sizes[0], sizes[1],
                                    NULL);
        lode_shape_def def = lode_shape_def_default();
        lode_vec3 p = any_place(&random, 3);
        double distance = distance_to(sizes, p), r = number(&random, 0.1, 0.4);
        lode_nearest at;
        assert_true(lode_shape_find_nearest(shape, p, &at));
        assert_true(near(-(double)at.depth, distance, tight));
        assert_true(near(distance_to(sizes, at.position), 0, tight));
        lode_shape ball = lode_shape_create_sphere(add_body(world, LODE_STATIC, p.x, p.y, p.z),
                                                   &def, (lode_real)r);
        lode_closest c;
        for (int turn = 0; turn < 2; ++turn) {
            assert_true(lode_shape_find_closest(turn ? ball : shape, turn ? shape : ball, &c));
            lode_vec3 on = turn ? c.on_b : c.on_a, off = turn ? c.on_a : c.on_b;
            double sign = turn ? -1 : 1;
            assert_true(near((double)c.distance, distance - r, tight));
            assert_true(near(distance_to(sizes, on), 0, tight));
            /* from b to a, as long as they are apart */
            lode_vec3 way = vec(on.x - off.x, on.y - off.y, on.z - off.z);
            double d = sign * (double)c.distance;
            assert_true(near_vec(way,
                                 vec(c.normal.x * (lode_real)d, c.normal.y * (lode_real)d,
                                     c.normal.z * (lode_real)d),
                                 2 * tight));
        }
        double reach = fabs(distance) * 1.001 + 1e-4;
        lode_query_filter filter = lode_query_filter_default();
        lode_shape_set_enabled(ball, false);
        assert_int_equal(lode_world_overlap_sphere(world, p, (lode_real)reach, &filter, NULL, 0),
                         1);
        assert_int_equal(lode_world_overlap_point(world, p, &filter, NULL, 0), distance < 0);
        if (distance > 0)
            assert_int_equal(lode_world_overlap_sphere(world, p, (lode_real)(distance * 0.999),
                                                       &filter, NULL, 0),
                             0);
        lode_solid solid = lode_solid_sphere((lode_real)r);
        lode_pose pose = {p, {1, 0, 0, 0}};
        assert_int_equal(lode_world_overlap_solid(world, &solid, pose, &filter, NULL, 0),
                         distance < r);
        lode_world_destroy(world);
    }
}

/* The first share of a way on which the ball touches, by small steps; 2 for none; `graze` tells
 * of the least distance. */
static double first_touch(const double sizes[2], double r, lode_vec3 from, lode_vec3 by,
                          double *graze)
{
    *graze = 1e9;
    for (int k = 0; k <= 4000; ++k) {
        lode_real s = (lode_real)(k / 4000.0);
        lode_vec3 p = vec(from.x + by.x * s, from.y + by.y * s, from.z + by.z * s);
        double gap = distance_to(sizes, p) - r;
        *graze = fmin(*graze, gap);
        if (gap <= 0)
            return k / 4000.0;
    }
    return 2;
}

static void casts_find_the_first_touch(void **state)
{
    (void)state;
    test_random random = {2};
    int hits = 0, through = 0;
    for (int i = 0; i < 1000; ++i) {
        lode_world world = make_world(0);
        const double sizes[2] = {1.5, 0.25};
        lode_shape shape = add_ring(add_body(world, LODE_STATIC, 0, 0, 0), sizes[0], sizes[1],
                                    NULL);
        double r = number(&random, 0.05, 0.9), graze;
        lode_vec3 from = any_place(&random, 4), to = any_place(&random, 1.5);
        lode_vec3 by = vec(2 * (to.x - from.x), 2 * (to.y - from.y), 2 * (to.z - from.z));
        if (distance_to(sizes, from) - r < 1e-3) {
            lode_world_destroy(world);
            continue;
        }
        double share = first_touch(sizes, r, from, by, &graze);
        lode_cast cast = {.solid = lode_solid_sphere((lode_real)r),
                          .pose = {from, {1, 0, 0, 0}},
                          .translation = by};
        lode_cast_hit hit;
        bool found = lode_world_cast_shape(world, &cast, NULL, &hit);
        lode_real s = hit.fraction;
        lode_vec3 p = vec(from.x + by.x * s, from.y + by.y * s, from.z + by.z * s);
        if (found) {
            assert_true(hit.shape.id == shape.id && near(distance_to(sizes, p) - r, 0, 4 * tight));
            assert_true(near(distance_to(sizes, hit.position), 0, 4 * tight));
            assert_true((double)s <= share + 1e-6);
        } else {
            assert_true(graze > -1e-3);
        }
        if (graze > 1e-3)
            assert_false(found);
        hits += found;
        through += !found && from.z * (from.z + by.z) < 0;
        lode_world_destroy(world);
    }
    assert_true(hits > 300 && through > 50);
}

static void a_cast_that_begins_inside_tells_how_deep(void **state)
{
    (void)state;
    lode_world world = make_world(0);
    add_ring(add_body(world, LODE_STATIC, 1, 2, 3), 1.5, 0.25, NULL);
    lode_cast cast = {.solid = lode_solid_sphere((lode_real)0.5),
                      .pose = {{(lode_real)2.5, 2, (lode_real)3.5}, {1, 0, 0, 0}},
                      .translation = {1, 0, 0}};
    lode_cast_hit hit;
    assert_true(lode_world_cast_shape(world, &cast, NULL, &hit));
    assert_true(hit.overlaps && hit.distance == 0 && near((double)hit.depth, 0.25, 1e-5));
    assert_true(near_vec(hit.normal, vec(0, 0, 1), 1e-5));
    lode_world_destroy(world);
}

/* A bullet that is aimed at the tube, as thin as a wire, stops; one aimed at the hole goes
 * through. */
static void bullets_pass_the_hole_and_not_the_wire(void **state)
{
    (void)state;
    test_random random = {3};
    int stopped = 0, passed = 0;
    for (int i = 0; i < 200; ++i) {
        lode_world world = make_world(0);
        double tube = pow(10, number(&random, -4, -1)), r = 0.1, angle = number(&random, 0, 6.28);
        add_ring(add_body(world, LODE_STATIC, 0, 0, 0), 2, tube, NULL);
        bool at_wire = i % 2;
        double far = at_wire ? 2 + number(&random, -0.4, 0.4) * r : number(&random, 0, 1.4);
        double speed = pow(10, number(&random, 1, 3));
        lode_shape_def def = lode_shape_def_default();
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.continuous = true;
        body_def.position = vec((lode_real)(far * cos(angle)), (lode_real)(far * sin(angle)),
                                (lode_real)number(&random, 1, 5));
        body_def.linear_velocity = vec(0, 0, (lode_real)-speed);
        lode_body bullet = lode_body_create(world, &body_def);
        lode_shape_create_sphere(bullet, &def, (lode_real)r);
        double time = 12 / speed, least = 1e9;
        const double sizes[2] = {2, tube};
        for (int k = 0; k < (int)(time * 60) + 4; ++k) {
            assert_int_equal(lode_world_step(world, (lode_real)1 / 60), LODE_OK);
            lode_vec3 p = lode_body_get_pose(bullet).position;
            least = fmin(least, distance_to(sizes, p) - r);
        }
        lode_vec3 p = lode_body_get_pose(bullet).position;
        if (at_wire) {
            /* it was turned aside, not through the wire: it has met the wire, and been pushed
             * off */
            lode_vec3 v = lode_body_get_linear_velocity(bullet);
            assert_true((double)v.z > -speed * 0.999);
            ++stopped;
        } else {
            assert_true((double)p.z < 0 && least > 0);
            assert_true(
                near((double)lode_body_get_linear_velocity(bullet).z, -speed, speed * 1e-5));
            ++passed;
        }
        lode_world_destroy(world);
    }
    assert_int_equal(stopped + passed, 200);
}

static void sensors_know_the_hole(void **state)
{
    (void)state;
    lode_world world = make_world(0);
    lode_shape_def def = lode_shape_def_default();
    def.sensor = true;
    lode_shape hole = add_ring(add_body(world, LODE_STATIC, 0, 0, 0), 2, 0.5, &def);
    lode_body ball = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape_def plain = lode_shape_def_default();
    lode_shape_create_sphere(ball, &plain, 1);
    lode_shape_create_box(add_body(world, LODE_KINEMATIC, 2, 0, 0), &plain, vec(1, 1, 1));
    const double at[][2] = {{0, 0}, {0.49, 0}, {0.51, 1}, {2, 1}, {3.4, 1}, {3.6, 0}};
    for (int i = 0; i < 6; ++i) {
        lode_pose pose = {{(lode_real)at[i][0], 0, 0}, {1, 0, 0, 0}};
        lode_body_set_pose(ball, pose);
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        /* the box, for which there is no collider, is never there */
        assert_int_equal(lode_shape_get_overlaps(hole, NULL, 0), (int)at[i][1]);
    }
    lode_world_destroy(world);
}

static void what_has_no_collider_passes(void **state)
{
    (void)state;
    lode_world world = make_world(0);
    lode_shape_def def = lode_shape_def_default();
    lode_shape shape = add_ring(add_body(world, LODE_STATIC, 0, 0, 0), 2, 0.5, NULL);
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.continuous = true;
    body_def.position = vec(2, 0, 5);
    body_def.linear_velocity = vec(0, 0, -500);
    lode_body body = lode_body_create(world, &body_def);
    lode_shape box = lode_shape_create_box(body, &def, vec((lode_real)0.1, (lode_real)0.1, 1));
    lode_cast cast = {.solid = lode_shape_get_solid(box),
                      .pose = {{2, 0, 5}, {1, 0, 0, 0}},
                      .translation = {0, 0, -10}};
    lode_cast_hit hit;
    lode_closest closest;
    assert_false(lode_shape_cast_shape(shape, &cast, &hit));
    report_clear();
    assert_false(lode_shape_find_closest(shape, box, &closest));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_find_closest", "b");
    report_clear();
    for (int i = 0; i < 4; ++i)
        assert_int_equal(lode_world_step(world, (lode_real)1 / 60), LODE_OK);
    assert_true(near((double)lode_body_get_pose(body).position.z, 5 - 500.0 * 4 / 60, 1e-2));
    lode_world_destroy(world);
}

/* A ring lies on the ground and a ball in it, which is larger than the hole. */
static void a_ball_lies_in_a_ring(void **state)
{
    (void)state;
    lode_world world = make_world(-10);
    add_ground(world);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    add_ring(body, 1, 0.25, NULL);
    lode_body ball = add_ball(world, (lode_real)0.01, 0, (lode_real)2.1, (lode_real)1.2);
    for (int i = 0; i < 600; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_true(near((double)lode_body_get_pose(body).position.z, 0.25, 0.01));
    double rest = 0.25 + sqrt(1.45 * 1.45 - 1); /* on the circle of the tube */
    double z = (double)lode_body_get_pose(ball).position.z;
    assert_true(near(z, rest, 0.02));
    lode_world_destroy(world);
}

/* ---- a crowd, counted the long way ---- */

/* The rings stand apart: what one has that is in another pushes nothing off (collide/seams.h). */
enum { CROWD_SIDE = 3, CROWD_RINGS = CROWD_SIDE * CROWD_SIDE * CROWD_SIDE, CROWD_BALLS = 80 };

/* m: the largest ring is 4.8 wide. */
#define CROWD_APART 5
#define CROWD_FAR 7.5

typedef struct crowd {
    lode_world world;
    lode_shape rings[CROWD_RINGS], balls[CROWD_BALLS];
    double sizes[CROWD_RINGS][2], radius[CROWD_BALLS];
} crowd;

static crowd make_crowd(test_random *random, lode_broad_phase kind)
{
    crowd c;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    def.gravity = vec(0, 0, 0);
    def.broad_phase = kind;
    c.world = lode_world_create(&def);
    for (int i = 0; i < CROWD_RINGS; ++i) {
        lode_body_def body_def = lode_body_def_default();
        lode_vec3 q = any_place(random, 1);
        lode_real w = (lode_real)number(random, -1, 1);
        lode_real length = (lode_real)sqrt((double)(q.x * q.x + q.y * q.y + q.z * q.z + w * w));
        body_def.position = vec(CROWD_APART * (lode_real)(i % CROWD_SIDE - 1),
                                CROWD_APART * (lode_real)(i / CROWD_SIDE % CROWD_SIDE - 1),
                                CROWD_APART * (lode_real)(i / CROWD_SIDE / CROWD_SIDE - 1));
        body_def.rotation = (lode_quat){w / length, q.x / length, q.y / length, q.z / length};
        c.sizes[i][0] = (double)(lode_real)number(random, 0.5, 2);
        c.sizes[i][1] = (double)(lode_real)number(random, 0.05, 0.4);
        c.rings[i] = add_ring(lode_body_create(c.world, &body_def), c.sizes[i][0], c.sizes[i][1],
                              NULL);
    }
    for (int i = 0; i < CROWD_BALLS; ++i) {
        lode_vec3 p = any_place(random, CROWD_FAR);
        c.radius[i] = (double)(lode_real)number(random, 0.05, 0.9);
        c.balls[i] = lode_shape_create_sphere(add_body(c.world, LODE_DYNAMIC, p.x, p.y, p.z),
                                              &shape_def, (lode_real)c.radius[i]);
    }
    return c;
}

/* Of a point of the world from a ring. */
static double ring_to(const crowd *c, int ring, lode_vec3 point)
{
    lode_pose at = lode_body_get_pose(lode_shape_get_body(c->rings[ring]));
    double v[3] = {(double)point.x - (double)at.position.x, (double)point.y - (double)at.position.y,
                   (double)point.z - (double)at.position.z};
    double u[3] = {-(double)at.rotation.x, -(double)at.rotation.y, -(double)at.rotation.z};
    double w = (double)at.rotation.w, t[3], p[3];
    for (int i = 0; i < 3; ++i)
        t[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        p[i] = v[i] + w * t[i] + u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
    return ring_distance(c->sizes[ring][0], c->sizes[ring][1], p);
}

static lode_vec3 middle_of(const crowd *c, int ball)
{
    return lode_body_get_pose(lode_shape_get_body(c->balls[ball])).position;
}

/* How many rings are nearer to a point than this; -1 where rounding decides. */
static int rings_within(const crowd *c, lode_vec3 point, double most)
{
    int count = 0;
    for (int i = 0; i < CROWD_RINGS; ++i) {
        double over = ring_to(c, i, point) - most;
        if (fabs(over) < 10 * tight)
            return -1;
        count += over < 0;
    }
    return count;
}

/* Of each ball; -1 as above. */
static void count_touched(const crowd *c, int touched[CROWD_BALLS])
{
    for (int i = 0; i < CROWD_BALLS; ++i)
        touched[i] = rings_within(c, middle_of(c, i), c->radius[i]);
}

/* The rings that each ball is told to be in after a step. */
static void count_told(const crowd *c, int told[CROWD_BALLS])
{
    static lode_contact contacts[2048];
    int count = lode_world_get_contacts(c->world, contacts, 2048);
    assert_true(count <= 2048);
    for (int i = 0; i < CROWD_BALLS; ++i)
        told[i] = 0;
    for (int k = 0; k < count; ++k) {
        bool in = false, of_ring = false;
        for (int j = 0; j < contacts[k].point_count; ++j)
            in |= contacts[k].points[j].depth > 0 && contacts[k].points[j].feature == 1;
        for (int i = 0; i < CROWD_RINGS; ++i)
            of_ring |= contacts[k].shape_a.id == c->rings[i].id ||
                       contacts[k].shape_b.id == c->rings[i].id;
        for (int i = 0; i < CROWD_BALLS && in && of_ring; ++i)
            told[i] += contacts[k].shape_a.id == c->balls[i].id ||
                       contacts[k].shape_b.id == c->balls[i].id;
    }
}

static void a_crowd_is_what_counting_says(void **state)
{
    (void)state;
    test_random random = {4};
    int touching = 0, within = 0, free_of_all = 0;
    for (int kind = 0; kind < LODE_BROAD_PHASE_COUNT; ++kind) {
        crowd c = make_crowd(&random, (lode_broad_phase)kind);
        for (int step = 0; step < 20; ++step) {
            int touched[CROWD_BALLS], told[CROWD_BALLS];
            for (int i = 0; i < CROWD_BALLS; ++i) { /* to anywhere, at rest */
                lode_body ball = lode_shape_get_body(c.balls[i]);
                lode_body_set_pose(ball, (lode_pose){any_place(&random, CROWD_FAR), {1, 0, 0, 0}});
                lode_body_set_linear_velocity(ball, vec(0, 0, 0));
            }
            count_touched(&c, touched);
            assert_int_equal(lode_world_step(c.world, STEP), LODE_OK);
            count_told(&c, told);
            for (int i = 0; i < CROWD_BALLS; ++i) {
                assert_true(touched[i] < 0 || told[i] == touched[i]);
                touching += told[i];
                free_of_all += told[i] == 0;
            }
        }
        lode_query_filter filter = lode_query_filter_default();
        for (int i = 0; i < CROWD_BALLS; ++i)
            lode_shape_set_enabled(c.balls[i], false);
        for (int i = 0; i < 400; ++i) {
            lode_vec3 p = any_place(&random, CROWD_FAR);
            double r = number(&random, 0, 3);
            int near_by = rings_within(&c, p, (double)(lode_real)r), in = rings_within(&c, p, 0);
            assert_true(near_by < 0 || lode_world_overlap_sphere(c.world, p, (lode_real)r, &filter,
                                                                 NULL, 0) == near_by);
            assert_true(in < 0 || lode_world_overlap_point(c.world, p, &filter, NULL, 0) == in);
            within += near_by > 0 ? near_by : 0;
        }
        lode_world_destroy(c.world);
    }
    print_message("%d contacts, %d balls free, %d rings near points\n", touching, free_of_all,
                  within);
    assert_true(touching > 500 && free_of_all > 1000 && within > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_come_from_the_collider),
        cmocka_unit_test(casts_find_the_first_touch),
        cmocka_unit_test(a_cast_that_begins_inside_tells_how_deep),
        cmocka_unit_test(bullets_pass_the_hole_and_not_the_wire),
        cmocka_unit_test(sensors_know_the_hole),
        cmocka_unit_test(what_has_no_collider_passes),
        cmocka_unit_test(a_ball_lies_in_a_ring),
        cmocka_unit_test(a_crowd_is_what_counting_says),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
