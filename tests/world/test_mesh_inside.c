/* test_mesh_inside.c: convex solids in closed meshes, wholly or in part: there is a contact
 * wherever they overlap, it leads out, and whoever is moved by the deepest one again and again is
 * soon apart. */
#include "tests/world/solids.h"

#include "core/math.h"
#include "tests/collide/meshes.h"

#include <math.h>

enum { MOST_POINTS = 400, TRIES = LODE_CHECKS > 2 ? 10 : 60 };

static mesh_draft drafted;
static test_random numbers;
static lode_collide_point points[MOST_POINTS];

static lode_real between(double lo, double hi)
{
    return (lode_real)random_between(&numbers, lo, hi);
}

static lode_vec3 random_vec(double size)
{
    lode_real x = between(-size, size), y = between(-size, size);
    return vec(x, y, between(-size, size));
}

static lode_quat random_turn(void)
{
    lode_real w = between(0.1, 1), x = between(-1, 1), y = between(-1, 1);
    return q_normalize((lode_quat){w, x, y, between(-1, 1)});
}

/* A ring around the z axis. */
static void draft_ring(mesh_draft *m, int around, int across, double radius, double thick)
{
    const double turn = 2 * 3.14159265358979;
    m->vertex_count = m->triangle_count = 0;
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < across; ++k) {
            double u = turn * i / around, v = turn * k / across, r = radius + thick * cos(v);
            draft_vertex(m, r * cos(u), r * sin(u), thick * sin(v));
        }
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < across; ++k) {
            uint32_t a = (uint32_t)(i * across + k), b = (uint32_t)((i + 1) % around * across + k);
            uint32_t c = (uint32_t)((i + 1) % around * across + (k + 1) % across);
            uint32_t d = (uint32_t)(i * across + (k + 1) % across);
            draft_triangle(m, a, b, c);
            draft_triangle(m, a, c, d);
        }
}

typedef enum form { BLOCK, FINE_BLOCK, ROCK, PLEATED, RING, FORMS } form;

static void draft_form(form form)
{
    if (form == BLOCK || form == FINE_BLOCK) {
        draft_box(&drafted, 2, 1.5, 1.2);
        draft_split(&drafted, form == FINE_BLOCK ? 2 : 0);
    } else if (form == RING) {
        draft_ring(&drafted, 16, 8, 2, 0.9);
    } else {
        draft_star(&drafted, 6, 9, form == ROCK ? 0.85 : 0.5, &numbers);
        for (int i = 0; i < drafted.vertex_count; ++i)
            for (int k = 0; k < 3; ++k)
                drafted.vertices[i][k] *= 2;
    }
}

static lode_shape add_mesh(lode_world world, lode_pose pose)
{
    lode_mesh_def def = draft_def(&drafted);
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body_def body = lode_body_def_default();
    body.position = pose.position;
    body.rotation = pose.rotation;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_true(lode_mesh_get_info(mesh).closed);
    lode_shape shape = lode_shape_create_mesh(lode_body_create(world, &body), &shape_def, mesh);
    lode_mesh_release(mesh);
    return shape;
}

static lode_shape first_shape(lode_body body)
{
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(body, &shape, 1), 1);
    return shape;
}

static bool overlap(lode_shape a, lode_shape b)
{
    lode_closest c;
    assert_true(lode_shape_find_closest(a, b, &c));
    return c.distance <= 0;
}

/* How far beside the truth a contact at a tooth may be, m: 1/4000 of the meshes. */
#define SLACK ((lode_real)1e-3)

/* Moves the solid by the deepest point until it is apart; says how often. */
static int part(lode_shape solid, lode_shape mesh)
{
    lode_collide_options options = {LODE_COLLIDE_DEEPEST, SLACK};
    int rounds = 0;
    for (; overlap(solid, mesh); ++rounds) {
        lode_body body = lode_shape_get_body(solid);
        lode_pose pose = lode_body_get_pose(body);
        int count = lode_shape_collide(solid, mesh, &options, points, MOST_POINTS);
        if (count == 0 || rounds == 12)
            fail_msg("%d points after %d moves", count, rounds);
        assert_true(near((double)v3_length(points[0].normal), 1, 1e-5));
        pose.position = v3_madd(pose.position, points[0].normal,
                                r_max(points[0].depth, 0) * (lode_real)1.01 + SLACK);
        lode_body_set_pose(body, pose);
    }
    return rounds;
}

/* Where the mesh is convex the deepest point leads out at once. Where it has hollows and teeth each
 * contact knows what is near it, so the solid may come from one tooth to the next. */
static void whoever_is_in_a_mesh_is_led_out(void **state)
{
    (void)state;
    int met = 0, soon = 0, pleated = 0;
    numbers.state = 21;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (form form = BLOCK; form < FORMS; ++form)
            for (int i = 0; i < TRIES; ++i) {
                lode_world world = make_world(1);
                draft_form(form);
                lode_pose pose = {random_vec(1), random_turn()};
                lode_shape mesh = add_mesh(world, pose);
                lode_vec3 from = form == RING ? vec(2, 0, 0) : vec(0, 0, 0);
                from = v3_add(from, random_vec(form == RING ? 0.7 : 1.6));
                lode_vec3 to = v3_add(pose.position, q_rotate(pose.rotation, from));
                lode_pose at = {to, random_turn()};
                lode_shape solid = first_shape(add_solid(world, kind, at, 1));
                bool any = overlap(solid, mesh), convex = form == BLOCK || form == FINE_BLOCK;
                int rounds = part(solid, mesh);
                if (any && convex)
                    assert_int_equal(rounds, 1);
                met += any;
                pleated += any && !convex;
                soon += any && !convex && rounds <= 3;
                lode_world_destroy(world);
            }
    print_message("%d met, %d of %d on meshes with hollows parted in three moves\n", met, soon,
                  pleated);
    assert_true(met > TRIES * KINDS * FORMS * 3 / 4 && soon >= pleated * 0.98);
}

/* Deep inside: as far as the nearest face, and its own reach against it. */
static void a_ball_in_a_block_knows_the_nearest_face(void **state)
{
    (void)state;
    numbers.state = 22;
    lode_world world = make_world(1);
    draft_form(FINE_BLOCK);
    lode_shape mesh = add_mesh(world, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
    lode_body body = add_solid(world, BALL, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}}, 1);
    lode_shape ball = first_shape(body);
    for (int i = 0; i < 200; ++i) {
        lode_vec3 p = random_vec(1), half = vec(2, (lode_real)1.5, (lode_real)1.2);
        p = vec(p.x * half.x, p.y * half.y, p.z * half.z);
        lode_body_set_pose(body, (lode_pose){p, {1, 0, 0, 0}});
        lode_real x = half.x - r_abs(p.x), y = half.y - r_abs(p.y), z = half.z - r_abs(p.z);
        lode_real least = r_min(x, r_min(y, z));
        lode_collide_options options = {LODE_COLLIDE_DEEPEST, 0};
        int count = lode_shape_collide(ball, mesh, &options, points, MOST_POINTS);
        assert_true(count > 0);
        assert_true(near((double)points[0].depth, (double)least + 0.5, 1e-5));
        lode_real along = least == x   ? r_abs(points[0].normal.x)
                          : least == y ? r_abs(points[0].normal.y)
                                       : r_abs(points[0].normal.z);
        assert_true(near((double)along, 1, 1e-5));
        assert_in_range(points[0].child_b, 0, drafted.triangle_count - 1);
    }
    lode_world_destroy(world);
}

/* In steps they come out, whichever body moves, and are not thrown. */
static void what_is_inside_comes_out(void **state)
{
    (void)state;
    numbers.state = 23;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (form form = BLOCK; form < FORMS; form += 2) {
            lode_world_def def = lode_world_def_default();
            def.gravity = vec(0, 0, 0);
            lode_world world = lode_world_create(&def);
            draft_form(form);
            lode_shape mesh = add_mesh(world, (lode_pose){{0, 0, 0}, random_turn()});
            lode_vec3 from = form == RING ? vec(2, 0, 0) : v3_zero();
            from = q_rotate(lode_shape_get_world_pose(mesh).rotation, from);
            lode_pose at = {v3_add(from, random_vec(0.2)), random_turn()};
            lode_body body = add_solid(world, kind, at, 0);
            double fastest = 0;
            for (int i = 0; i < 240; ++i) {
                step(world, 1);
                fastest = fmax(fastest, (double)v3_length(lode_body_get_linear_velocity(body)));
            }
            lode_closest c;
            assert_true(lode_shape_find_closest(first_shape(body), mesh, &c));
            lode_nearest n;
            assert_true(lode_shape_find_nearest(mesh, lode_body_get_center(body), &n));
            if (!(n.depth < 0) || fastest > 10)
                fail_msg("kind %d, form %d: %g deep, %g m/s", kind, form, (double)n.depth, fastest);
            lode_world_destroy(world);
        }
}

/* What encloses nothing holds nothing: open meshes, two-sided ones, those that are turned over. */
static void sheets_hold_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        lode_world world = make_world(1);
        draft_box(&drafted, 2, 2, 2);
        if (i == 2)
            for (int t = 0; t < drafted.triangle_count; ++t) {
                uint32_t *corner = drafted.indices[t], kept = corner[1];
                corner[1] = corner[2];
                corner[2] = kept;
            }
        lode_mesh_def def = draft_def(&drafted);
        def.triangle_count -= i == 0;
        def.two_sided = i == 1;
        lode_shape_def shape_def = lode_shape_def_default();
        lode_mesh *mesh = lode_mesh_create(&def);
        lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
        lode_shape sheet = lode_shape_create_mesh(body, &shape_def, mesh);
        lode_mesh_release(mesh);
        lode_pose at = {vec(0, 0, (lode_real)0.1), {1, 0, 0, 0}};
        lode_shape ball = first_shape(add_solid(world, BALL, at, 1));
        assert_int_equal(lode_shape_collide(ball, sheet, NULL, points, MOST_POINTS), 0);
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_is_in_a_mesh_is_led_out),
        cmocka_unit_test(a_ball_in_a_block_knows_the_nearest_face),
        cmocka_unit_test(what_is_inside_comes_out),
        cmocka_unit_test(sheets_hold_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
