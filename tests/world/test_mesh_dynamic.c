/* test_mesh_dynamic.c: meshes that move: what they weigh, what they rest on, and what two of them
 * touch with, against hulls and by moving them apart. */
#include "tests/world/support.h"

#include "core/math.h"
#include "lode/hull.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 400 };

static mesh_draft draft;
static test_random numbers;
static lode_contact contacts[MOST_CONTACTS];

static double between(double lo, double hi)
{
    return random_between(&numbers, lo, hi);
}

static lode_vec3 random_vec(double size)
{
    double x = between(-size, size), y = between(-size, size);
    return vec((lode_real)x, (lode_real)y, (lode_real)between(-size, size));
}

static lode_quat random_turn(void)
{
    lode_quat q = {(lode_real)between(-1, 1), (lode_real)between(-1, 1), (lode_real)between(-1, 1),
                   (lode_real)between(0.1, 1)};
    return q_normalize(q);
}

static lode_world make_world(double gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, (lode_real)-gravity);
    return lode_world_create(&def);
}

static void step(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static lode_body add_solid_body(lode_world world, lode_body_type type, lode_pose pose)
{
    lode_body_def def = lode_body_def_default();
    def.type = type;
    def.position = pose.position;
    def.rotation = pose.rotation;
    return lode_body_create(world, &def);
}

/* Of what was drafted. */
static lode_shape add_mesh(lode_world world, lode_body_type type, lode_pose pose, bool two_sided)
{
    lode_mesh_def def = draft_def(&draft);
    lode_shape_def shape = lode_shape_def_default();
    def.two_sided = two_sided;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    lode_shape s = lode_shape_create_mesh(add_solid_body(world, type, pose), &shape, mesh);
    lode_mesh_release(mesh);
    assert_true(lode_shape_is_valid(s));
    return s;
}

static lode_pose at(double x, double y, double z)
{
    return (lode_pose){vec((lode_real)x, (lode_real)y, (lode_real)z), {1, 0, 0, 0}};
}

static lode_vec3 place_of(lode_shape shape)
{
    return lode_shape_get_world_pose(shape).position;
}

/* --- at rest */

typedef enum ground { PLANE, BOX, MESH, BOX_MESH, FINE_BOX_MESH, HULL, GROUNDS } ground;

/* Its top is at 0. */
static void add_ground_of(lode_world world, ground kind)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_STATIC, 0, 0, -1);
    if (kind == PLANE) {
        lode_shape_create_plane(body, &def, vec(0, 0, 1), 1);
    } else if (kind == BOX) {
        lode_shape_create_box(body, &def, vec(5, 5, 1));
    } else if (kind == MESH) {
        draft_grid(&draft, 17, 10, NULL);
        add_mesh(world, LODE_STATIC, at(0, 0, 0), false);
    } else if (kind == BOX_MESH || kind == FINE_BOX_MESH) {
        draft_box(&draft, 5, 5, 1);
        if (kind == FINE_BOX_MESH)
            draft_split(&draft, 3);
        add_mesh(world, LODE_STATIC, at(0, 0, -1), false);
    } else {
        lode_real points[8][3];
        for (int i = 0; i < 8; ++i) {
            points[i][0] = i & 1 ? 5 : -5;
            points[i][1] = i & 2 ? 5 : -5;
            points[i][2] = i & 4 ? 1 : -1;
        }
        lode_hull_def hull_def = lode_hull_def_default();
        hull_def.points = &points[0][0];
        hull_def.point_count = 8;
        lode_hull *hull = lode_hull_create(&hull_def);
        lode_shape_create_hull(body, &def, hull);
        lode_hull_release(hull);
    }
}

static void a_box_of_triangles_rests_like_a_box(void **state)
{
    (void)state;
    for (ground kind = PLANE; kind < GROUNDS; ++kind)
        for (int splits = 0; splits < 3; ++splits) {
            lode_world world = make_world(10);
            add_ground_of(world, kind);
            draft_box(&draft, 0.5, 0.4, 0.3);
            draft_split(&draft, splits);
            lode_pose pose = {vec((lode_real)0.07, (lode_real)0.03, (lode_real)0.32),
                              {(lode_real)0.98, 0, 0, (lode_real)0.199}};
            lode_shape shape = add_mesh(world, LODE_DYNAMIC, pose, false);
            step(world, 60);
            uint32_t features[4] = {0};
            for (int i = 0; i < 400; ++i) {
                step(world, 1);
                int count = lode_world_get_contacts(world, contacts, MOST_CONTACTS), same = 0;
                if (count != 1 || contacts[0].point_count != 4)
                    fail_msg("ground %d, %d splits: %d contacts, %d points", kind, splits, count,
                             contacts[0].point_count);
                assert_true(fabs((double)contacts[0].normal.z) > 0.9999);
                for (int k = 0; k < 4; ++k) {
                    const lode_contact_point *p = &contacts[0].points[k];
                    bool mesh_is_a = contacts[0].shape_a.id == shape.id;
                    assert_in_range(mesh_is_a ? p->child_a : p->child_b, 0,
                                    draft.triangle_count - 1);
                    features[k] = i == 0 ? p->feature : features[k];
                    for (int j = 0; j < 4; ++j)
                        same += features[j] == p->feature;
                }
                assert_int_equal(same, 4);
            }
            lode_vec3 p = place_of(shape);
            if (!near((double)p.x, 0.07, 2e-3) || !near((double)p.y, 0.03, 2e-3) ||
                !near((double)p.z, 0.3, 0.011))
                fail_msg("ground %d, %d splits: at %g %g %g", kind, splits, (double)p.x,
                         (double)p.y, (double)p.z);
            lode_world_destroy(world);
        }
}

static void boxes_of_triangles_stack(void **state)
{
    (void)state;
    enum { HIGH = 6 };
    for (int flush = 0; flush < 2; ++flush)
        for (int splits = 0; splits < 2; ++splits) {
            lode_world world = make_world(10);
            lode_shape boxes[HIGH];
            add_ground_of(world, PLANE);
            draft_box(&draft, 0.5, 0.5, 0.5);
            draft_split(&draft, splits);
            for (int i = 0; i < HIGH; ++i)
                boxes[i] = add_mesh(world, LODE_DYNAMIC,
                                    at(flush ? 0 : 0.1 * (i % 2), 0, 0.5 + i * 1.0), false);
            step(world, 600);
            for (int i = 0; i < HIGH; ++i) {
                lode_vec3 p = place_of(boxes[i]);
                if (!near((double)p.x, flush ? 0 : 0.1 * (i % 2), 0.02) ||
                    !near((double)p.y, 0, 0.02) || !near((double)p.z, 0.5 + i, 0.012 * (i + 1)))
                    fail_msg("flush %d, %d splits: box %d is at %g %g %g", flush, splits, i,
                             (double)p.x, (double)p.y, (double)p.z);
            }
            lode_world_destroy(world);
        }
}

/* No vertex of one is over a face of the other. */
static void crossed_planks_rest_on_their_edges(void **state)
{
    (void)state;
    lode_world world = make_world(10);
    add_ground_of(world, PLANE);
    draft_box(&draft, 2, 0.2, 0.2);
    lode_shape lower = add_mesh(world, LODE_DYNAMIC, at(0, 0, 0.2), false);
    draft_box(&draft, 0.2, 2, 0.2);
    lode_shape upper = add_mesh(world, LODE_DYNAMIC, at(0, 0, 0.6), false);
    step(world, 400);
    assert_true(near_vec(place_of(lower), vec(0, 0, (lode_real)0.2), 0.02));
    assert_true(near_vec(place_of(upper), vec(0, 0, (lode_real)0.6), 0.02));
    lode_world_destroy(world);
}

static double hills(double x, double y)
{
    return 0.8 * sin(x * 0.7) * cos(y * 0.9);
}

/* Rocks, some with hollows, rolled onto hills of triangles: none sinks, none gains speed. */
static void rocks_lie_on_hills(void **state)
{
    (void)state;
    enum { ROCKS = 12 };
    lode_world world = make_world(10);
    lode_shape rocks[ROCKS];
    numbers.state = 31;
    draft_grid(&draft, 40, 30, hills);
    add_mesh(world, LODE_STATIC, at(0, 0, 0), false);
    for (int i = 0; i < ROCKS; ++i) {
        draft_star(&draft, 5, 8, i % 2 ? 0.5 : 0.85, &numbers);
        lode_pose pose = at(-4.5 + 3 * (i % 4), -3 + 3 * (i / 4), 2.5);
        pose.rotation = random_turn();
        rocks[i] = add_mesh(world, LODE_DYNAMIC, pose, false);
    }
    double fastest = 0;
    for (int i = 0; i < 1200; ++i) {
        step(world, 1);
        for (int k = 0; k < ROCKS; ++k) {
            lode_body body = lode_shape_get_body(rocks[k]);
            lode_vec3 p = lode_body_get_center(body), v = lode_body_get_linear_velocity(body);
            fastest = fmax(fastest, (double)v3_length(v));
            assert_true((double)p.z > hills((double)p.x, (double)p.y) + 0.1);
        }
    }
    print_message("the fastest had %.2f m/s\n", fastest);
    assert_true(fastest < 9); /* a fall from 3.5 m */
    lode_world_destroy(world);
}

/* A closed mesh weighs what it weighs, whatever it is made into; an open one nothing. */
static void moving_meshes_weigh_what_they_hold(void **state)
{
    (void)state;
    lode_world world = make_world(0);
    lode_mesh_def def;
    draft_star(&draft, 5, 8, 0.5, &numbers);
    lode_shape shape = add_mesh(world, LODE_STATIC, at(0, 0, 0), false);
    lode_body body = lode_shape_get_body(shape);
    assert_int_equal(lode_body_set_type(body, LODE_DYNAMIC), LODE_OK);
    lode_mass mass = lode_body_get_mass(body), wanted;
    assert_int_equal(lode_mesh_get_mass(lode_shape_get_mesh(shape), 1000, &wanted), LODE_OK);
    assert_true(near((double)mass.mass, (double)wanted.mass, 1e-3));
    assert_true(near_vec(mass.center, wanted.center, 1e-6));
    draft_grid(&draft, 3, 1, NULL);
    def = draft_def(&draft);
    lode_mesh *open = lode_mesh_create(&def);
    assert_int_equal(lode_shape_set_mesh(shape, open), LODE_OK);
    assert_true(lode_body_get_mass(body).mass == 1); /* as of a body without shapes */
    lode_mesh_release(open);
    lode_world_destroy(world);
}

/* --- two meshes */

/* The deepest point of the pair; depth below 0: they do not touch. The normal leads into `a`. */
typedef struct deepest {
    double depth;
    lode_vec3 normal;
    int count;
} deepest;

static deepest touch(lode_world world, lode_shape a)
{
    deepest d = {.depth = -1};
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    int count = lode_world_get_contacts(world, contacts, MOST_CONTACTS);
    assert_true(count <= MOST_CONTACTS);
    for (int i = 0; i < count; ++i) {
        const lode_contact *c = &contacts[i];
        assert_true(near((double)v3_length(c->normal), 1, 1e-5));
        for (int k = 0; k < c->point_count; ++k, ++d.count) {
            assert_true(isfinite((double)c->points[k].depth));
            if ((double)c->points[k].depth <= d.depth)
                continue;
            d.depth = (double)c->points[k].depth;
            d.normal = c->shape_a.id == a.id ? c->normal : v3_neg(c->normal);
        }
    }
    return d;
}

static double apart(lode_shape a, lode_shape b)
{
    lode_closest c;
    assert_true(lode_shape_find_closest(a, b, &c));
    return (double)c.distance;
}

static void move(lode_shape shape, lode_vec3 way, double by)
{
    lode_body body = lode_shape_get_body(shape);
    lode_pose pose = lode_body_get_pose(body);
    pose.position = v3_madd(pose.position, way, (lode_real)by);
    lode_body_set_pose(body, pose);
}

/* The hull of points, as a hull and as triangles. */
static lode_hull *draft_hull(int points_wanted)
{
    lode_real points[64][3];
    lode_vec3 vertices[64];
    int corners[64];
    for (int i = 0; i < points_wanted; ++i) {
        lode_vec3 p = v3_normalize_or(random_vec(1), v3(0, 0, 1));
        points[i][0] = p.x;
        points[i][1] = p.y * (lode_real)0.8;
        points[i][2] = p.z * (lode_real)0.6;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = &points[0][0];
    def.point_count = points_wanted;
    lode_hull *hull = lode_hull_create(&def);
    assert_non_null(hull);
    draft.vertex_count = draft.triangle_count = 0;
    int count = lode_hull_get_vertices(hull, vertices, 64);
    for (int i = 0; i < count; ++i)
        draft_vertex(&draft, (double)vertices[i].x, (double)vertices[i].y, (double)vertices[i].z);
    for (int f = 0; f < lode_hull_get_face_count(hull); ++f) {
        int sides = lode_hull_get_face(hull, f, corners, 64);
        for (int k = 1; k + 1 < sides; ++k)
            draft_triangle(&draft, (uint32_t)corners[0], (uint32_t)corners[k],
                           (uint32_t)corners[k + 1]);
    }
    return hull;
}

/* Moves `shape` out of the other by its deepest contact again and again; says how often. */
static int part(lode_world world, lode_shape shape, lode_shape other, int line)
{
    int rounds = 0;
    for (; apart(shape, other) == 0; ++rounds) {
        deepest d = touch(world, shape);
        if (!(d.depth > 0) || rounds == 60)
            fail_msg("line %d: %d points, depth %g after %d moves", line, d.count, d.depth, rounds);
        move(shape, d.normal, d.depth * 1.01 + 1e-4);
    }
    return rounds;
}

/* Convex meshes that overlap a little: apart once moved by their deepest contact, and as deep as
 * the hulls but for a few, of which no contact has the normal of the hulls'. */
static void convex_meshes_touch_as_hulls_do(void **state)
{
    (void)state;
    int deep = 0, same = 0, at_once = 0, worst = 0;
    numbers.state = 32;
    for (int i = 0; i < 400; ++i) {
        lode_world world = make_world(0), other = make_world(0);
        lode_shape meshes[2], hulls[2];
        lode_shape_def def = lode_shape_def_default();
        lode_vec3 way = v3_normalize_or(random_vec(1), v3(0, 0, 1));
        for (int k = 0; k < 2; ++k) {
            lode_pose pose = {k ? v3_scale(way, 3) : v3_zero(), random_turn()};
            lode_hull *hull = draft_hull(4 + (int)random_below(&numbers, 20));
            meshes[k] = add_mesh(world, LODE_DYNAMIC, pose, false);
            hulls[k] = lode_shape_create_hull(add_solid_body(other, LODE_DYNAMIC, pose), &def,
                                              hull);
            lode_hull_release(hull);
        }
        /* together along the way until they overlap by a little */
        double wanted = between(0.001, 0.1);
        for (int k = 0; k < 40; ++k) {
            double gap = apart(hulls[1], hulls[0]) + wanted;
            move(meshes[1], way, -gap);
            move(hulls[1], way, -gap);
        }
        double depth = -apart(hulls[1], hulls[0]);
        if (depth > 0.0005) {
            deepest d = touch(world, meshes[1]);
            int moves = part(world, meshes[1], meshes[0], __LINE__);
            ++deep;
            same += near(d.depth, depth, depth * 0.02 + 2e-4);
            at_once += moves <= 1;
            worst = moves > worst ? moves : worst;
        }
        lode_world_destroy(world);
        lode_world_destroy(other);
    }
    print_message("of %d that overlap %d are as deep, %d part at once, all after %d moves\n", deep,
                  same, at_once, worst);
    assert_true(deep > 300 && same > deep * 0.9);
    assert_int_equal(at_once, deep);
}

/* Meshes of any form, at any depth: moved by their deepest contact again and again they part. */
static void all_meshes_can_be_parted(void **state)
{
    (void)state;
    int deep = 0, worst = 0;
    numbers.state = 33;
    for (int i = 0; i < 300; ++i) {
        lode_world world = make_world(0);
        lode_shape shapes[2];
        for (int k = 0; k < 2; ++k) {
            lode_pose pose = {random_vec(0.9), random_turn()};
            draft_star(&draft, 3 + (int)random_below(&numbers, 6),
                       4 + (int)random_below(&numbers, 9), k ? 0.4 : 0.7, &numbers);
            shapes[k] = add_mesh(world, LODE_DYNAMIC, pose, false);
        }
        deep += apart(shapes[0], shapes[1]) == 0;
        int rounds = part(world, shapes[0], shapes[1], __LINE__);
        worst = rounds > worst ? rounds : worst;
        lode_world_destroy(world);
    }
    print_message("%d overlapped, at most %d moves\n", deep, worst);
    assert_true(deep > 150);
}

/* What is far has no contact, what is within the margin has. */
static void meshes_apart_touch_nothing(void **state)
{
    (void)state;
    numbers.state = 34;
    int far = 0;
    for (int i = 0; i < 300; ++i) {
        lode_world world = make_world(0);
        lode_shape shapes[2];
        for (int k = 0; k < 2; ++k) {
            lode_pose pose = {random_vec(1.2), random_turn()};
            draft_star(&draft, 4, 7, 0.4, &numbers);
            shapes[k] = add_mesh(world, LODE_DYNAMIC, pose, false);
        }
        double gap = apart(shapes[0], shapes[1]);
        deepest d = touch(world, shapes[0]);
        if (gap > 0.009)
            assert_int_equal(d.count, 0);
        if (gap > 0 && d.count > 0)
            assert_true(d.depth <= 1e-5 - gap * 0.5);
        far += gap > 0.009;
        lode_world_destroy(world);
    }
    assert_true(far > 50);
}

/* The same pair with slots exchanged, and with both moved together. */
static void it_matters_not_who_is_first(void **state)
{
    (void)state;
    numbers.state = 35;
    int touching = 0;
    for (int i = 0; i < 150; ++i) {
        deepest found[3];
        test_random kept = numbers;
        for (int way = 0; way < 3; ++way) {
            lode_world world = make_world(0);
            lode_shape shapes[2];
            numbers = kept;
            static mesh_draft drafts[2];
            lode_pose poses[2];
            for (int k = 0; k < 2; ++k) {
                poses[k] = (lode_pose){random_vec(0.8), random_turn()};
                draft_star(&draft, 4, 7, 0.4, &numbers);
                drafts[k] = draft;
                if (way == 2) {
                    lode_quat turn = {(lode_real)0.5, (lode_real)0.5, (lode_real)0.5,
                                      (lode_real)-0.5};
                    poses[k].position = v3_add(q_rotate(turn, poses[k].position), vec(2, 3, -4));
                    poses[k].rotation = q_mul(turn, poses[k].rotation);
                }
            }
            for (int k = 0; k < 2; ++k) {
                int which = way == 1 ? 1 - k : k;
                draft = drafts[which];
                shapes[which] = add_mesh(world, LODE_DYNAMIC, poses[which], false);
            }
            found[way] = touch(world, shapes[0]);
            lode_world_destroy(world);
        }
        for (int way = 1; way < 3; ++way) {
            assert_true(near(found[way].depth, found[0].depth, 2e-5));
            assert_int_equal(found[way].count > 0, found[0].count > 0);
        }
        touching += found[0].count > 0;
    }
    assert_true(touching > 50);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_meshes_weigh_what_they_hold),
        cmocka_unit_test(a_box_of_triangles_rests_like_a_box),
        cmocka_unit_test(boxes_of_triangles_stack),
        cmocka_unit_test(crossed_planks_rest_on_their_edges),
        cmocka_unit_test(rocks_lie_on_hills),
        cmocka_unit_test(convex_meshes_touch_as_hulls_do),
        cmocka_unit_test(all_meshes_can_be_parted),
        cmocka_unit_test(meshes_apart_touch_nothing),
        cmocka_unit_test(it_matters_not_who_is_first),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
