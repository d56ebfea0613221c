/* test_mesh.c: bodies on triangle meshes: at rest, rolling and sliding over interior edges as on a
 * plane, asleep, set back, by any number of threads, and on rough ground. */
#include "tests/world/hills.h"

#include "lode/hull.h"
#include "tests/collide/meshes.h"

#include <math.h>

static mesh_draft draft;

static lode_shape add_mesh(lode_world world, lode_real friction)
{
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = friction;
    lode_shape s = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
    lode_mesh_release(mesh);
    assert_true(lode_shape_is_valid(s));
    return s;
}

/* Of the drafted mesh, which lies as it was drafted: the triangle that a point names is there, and
 * the other shape names none. */
static void names_its_triangle(const lode_contact *contact, const lode_contact_point *point)
{
    bool mesh_is_a = lode_shape_get_type(contact->shape_a) == LODE_MESH;
    int triangle = mesh_is_a ? point->child_a : point->child_b;
    assert_int_equal(mesh_is_a ? point->child_b : point->child_a, -1);
    assert_in_range(triangle, 0, draft.triangle_count - 1);
    lode__triangle t;
    for (int k = 0; k < 3; ++k) {
        const float *v = draft.vertices[draft.indices[triangle][k]];
        t.v[k] = vec((double)v[0], (double)v[1], (double)v[2]);
    }
    int where;
    lode_vec3 nearest = lode__triangle_nearest(&t, point->position, &where);
    double apart = (double)v3_length(v3_sub(nearest, point->position));
    assert_true(apart < 0.01 + fabs((double)point->depth));
}

/* --- at rest */

static void what_lies_on_a_flat_mesh_lies_still(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int n = 3; n <= 97; n = n * 2 + 1) {
            draft_grid(&draft, n, 10, NULL);
            lode_world world = make_world(1);
            add_mesh(world, (lode_real)0.6);
            lode_body body = add_solid(world, kind, lying(kind, 0.07, 0.03, height_of(kind)),
                                       (lode_real)0.6);
            uint32_t features[4] = {0};
            lode_contact contacts[4];
            int points = kind == BALL ? 1 : kind == CAPSULE ? 2 : 4;
            for (int i = 0; i < 1000; ++i) {
                step(world, 1);
                assert_int_equal(lode_world_get_contacts(world, contacts, 4), 1);
                assert_int_equal(contacts[0].point_count, points);
                for (int k = 0; k < points; ++k) {
                    bool known = i == 0;
                    if (i == 0)
                        features[k] = contacts[0].points[k].feature;
                    for (int f = 0; f < points; ++f)
                        known = known || features[f] == contacts[0].points[k].feature;
                    assert_true(known);
                    names_its_triangle(&contacts[0], &contacts[0].points[k]);
                }
            }
            lode_vec3 at = lode_body_get_pose(body).position;
            assert_true(fabs((double)at.x - 0.07) < 1e-3 && fabs((double)at.y - 0.03) < 1e-3);
            assert_true(fabs((double)at.z - height_of(kind)) < 0.01);
            lode_world_destroy(world);
        }
}

/* Whichever of the two has the lower slot. */
static void contacts_name_their_triangle(void **state)
{
    (void)state;
    draft_grid(&draft, 9, 10, NULL);
    for (int mesh_first = 0; mesh_first < 2; ++mesh_first)
        for (kind kind = BALL; kind < KINDS; ++kind) {
            lode_world world = make_world(1);
            lode_contact contact;
            if (mesh_first)
                add_mesh(world, (lode_real)0.6);
            add_solid(world, kind, lying(kind, 1.3, -2.1, height_of(kind)), (lode_real)0.6);
            if (!mesh_first)
                add_mesh(world, (lode_real)0.6);
            step(world, 1);
            assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
            assert_int_equal(lode_shape_get_type(contact.shape_a) == LODE_MESH, mesh_first);
            for (int k = 0; k < contact.point_count; ++k)
                names_its_triangle(&contact, &contact.points[k]);
            lode_world_destroy(world);
        }
}

/* --- over interior edges */

static path run(kind kind, int n, lode_real friction, lode_vec3 v, int steps)
{
    lode_world world = make_world(1);
    if (n > 0) {
        draft_grid(&draft, n, 60, NULL);
        add_mesh(world, friction);
    } else {
        add_plane(world, friction);
    }
    return follow(world, kind, vec(-20, (lode_real)0.03, 0), friction, v, steps);
}

static void nothing_feels_the_edges_of_a_flat_mesh(void **state)
{
    (void)state;
    static const int cells[] = {17, 60, 113};
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int c = 0; c < 3; ++c) {
            lode_real friction = kind == BALL ? (lode_real)0.6 : 0;
            lode_vec3 v = vec(6, 0, 0);
            path plane = run(kind, 0, friction, v, 400),
                 mesh = run(kind, cells[c], friction, v, 400);
            print_message(
                "%d %d: x %.4f %.4f, speed %.5f %.5f, sideways %.5f %.5f, height %.5f %.5f\n", kind,
                cells[c], plane.x, mesh.x, plane.speed, mesh.speed, plane.sideways, mesh.sideways,
                plane.z, mesh.z);
            assert_true(fabs(mesh.x - plane.x) < 0.01);
            assert_true(fabs(mesh.speed - plane.speed) < 0.005);
            assert_true(mesh.sideways < plane.sideways + 0.005);
            assert_true(mesh.z < plane.z + 0.002);
            assert_true(mesh.tilt < 1e-4);
            plane = run(kind, 0, friction, vec(5, 2, 0), 300);
            mesh = run(kind, cells[c], friction, vec(5, 2, 0), 300);
            assert_true(fabs(mesh.x - plane.x) < 0.01 && fabs(mesh.y - plane.y) < 0.01);
            assert_true(mesh.z < plane.z + 0.002 && mesh.tilt < 1e-4);
        }
}

/* --- rough ground */

static double hills(double x, double y)
{
    static const double wave[] = {0,     0.84, 0.91, 0.14, -0.76, -0.96,
                                  -0.28, 0.66, 0.99, 0.41, -0.54};
    double s = wave[(int)fabs(x * 0.9) % 11], t = wave[(int)fabs(y * 1.1 + 3) % 11];
    return s * 0.6 + t * 0.5;
}

/* The height of the terrain at a place, from its triangles. */
static double ground_at(double x, double y)
{
    double best = -100;
    for (int t = 0; t < draft.triangle_count; ++t) {
        const float *a = draft.vertices[draft.indices[t][0]],
                    *b = draft.vertices[draft.indices[t][1]],
                    *c = draft.vertices[draft.indices[t][2]];
        double d = (double)(b[0] - a[0]) * (double)(c[1] - a[1]) -
                   (double)(c[0] - a[0]) * (double)(b[1] - a[1]);
        double u = ((x - (double)a[0]) * (double)(c[1] - a[1]) -
                    (y - (double)a[1]) * (double)(c[0] - a[0])) /
                   d;
        double v = ((y - (double)a[1]) * (double)(b[0] - a[0]) -
                    (x - (double)a[0]) * (double)(b[1] - a[1])) /
                   d;
        if (u >= -1e-6 && v >= -1e-6 && u + v <= 1 + 1e-6)
            best = fmax(best, (double)a[2] + u * (double)(b[2] - a[2]) + v * (double)(c[2] - a[2]));
    }
    return best;
}

static lode_world make_hills(int threads, lode_body bodies[MANY_BODIES], bool sleep)
{
    draft_grid(&draft, 64, 40, hills);
    lode_world world = make_world(threads);
    add_mesh(world, (lode_real)0.6);
    strew_solids(world, bodies, sleep);
    return world;
}

static void nothing_sinks_into_hills(void **state)
{
    (void)state;
    static lode_body bodies[MANY_BODIES];
    lode_world world = make_hills(1, bodies, false);
    double lowest = 100;
    for (int i = 0; i < 1000; ++i) {
        step(world, 1);
        if (i % 100 != 99)
            continue;
        for (int k = 0; k < MANY_BODIES; ++k) {
            lode_vec3 at = lode_body_get_pose(bodies[k]).position;
            if (fabs((double)at.x) < 19.9 && fabs((double)at.y) < 19.9)
                lowest = fmin(lowest, (double)at.z - ground_at((double)at.x, (double)at.y));
            else
                assert_true(fabs((double)at.x) > 19.9 || fabs((double)at.y) > 19.9);
        }
    }
    print_message("the lowest centre is %.4f above the ground\n", lowest);
    assert_true(lowest > 0.2); /* no solid's centre is nearer to its own surface than 0.3 */
    lode_world_destroy(world);
}

static void one_world_for_any_number_of_threads(void **state)
{
    (void)state;
    check_threads(make_hills);
}

static void what_was_set_back_goes_on_the_same(void **state)
{
    (void)state;
    check_set_back(make_hills);
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

/* --- corners of a solid mesh, and both sides */

/* A ball dropped on the edge of a box of triangles rolls off as from a box. */
static void the_edges_of_a_solid_mesh_are_felt(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; ++turn) {
        lode_vec3 end[2];
        for (int mesh = 0; mesh < 2; ++mesh) {
            lode_world world = make_world(1);
            lode_shape_def shape = lode_shape_def_default();
            if (mesh) {
                draft_box(&draft, 1, 1, 1);
                add_mesh(world, (lode_real)0.6);
            } else {
                lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, 0), &shape, vec(1, 1, 1));
            }
            lode_pose at = {{(lode_real)1.1, turn ? (lode_real)1.15 : 0, (lode_real)1.6},
                            {1, 0, 0, 0}};
            lode_body ball = add_solid(world, BALL, at, (lode_real)0.6);
            step(world, 45);
            end[mesh] = lode_body_get_pose(ball).position;
            lode_world_destroy(world);
        }
        print_message("%.4f %.4f %.4f, box %.4f %.4f %.4f\n", (double)end[1].x, (double)end[1].y,
                      (double)end[1].z, (double)end[0].x, (double)end[0].y, (double)end[0].z);
        assert_true(near_vec(end[0], end[1], 0.01));
        assert_true(end[1].x > (lode_real)1.15);
    }
}

static void backs_hold_only_if_two_sided(void **state)
{
    (void)state;
    for (int two = 0; two < 2; ++two)
        for (kind kind = BALL; kind < KINDS; ++kind) {
            draft_grid(&draft, 10, 10, NULL);
            for (int t = 0; t < draft.triangle_count; ++t) {
                uint32_t corner = draft.indices[t][0];
                draft.indices[t][0] = draft.indices[t][1];
                draft.indices[t][1] = corner;
            }
            lode_world world = make_world(1);
            lode_mesh_def def = draft_def(&draft);
            def.two_sided = two;
            lode_mesh *mesh = lode_mesh_create(&def);
            lode_shape_def shape = lode_shape_def_default();
            lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
            lode_mesh_release(mesh);
            lode_body body = add_solid(world, kind, lying(kind, 0.1, 0.2, 1), (lode_real)0.6);
            step(world, 200);
            double z = (double)lode_body_get_pose(body).position.z;
            if (two)
                assert_true(fabs(z - height_of(kind)) < 0.01);
            else
                assert_true(z < -5);
            lode_world_destroy(world);
        }
}

static void meshes_need_a_mesh(void **state)
{
    (void)state;
    report_install();
    lode_world world = make_world(1);
    lode_shape_def shape = lode_shape_def_default();
    lode_body floor = add_body(world, LODE_STATIC, 0, 0, 0);
    assert_int_equal(lode_shape_create_mesh(floor, &shape, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_create_mesh", "mesh");
    report_clear();
    lode_world_destroy(world);
}

/* A moving platform of triangles carries what stands on it. */
static void a_kinematic_mesh_carries(void **state)
{
    (void)state;
    draft_grid(&draft, 20, 6, NULL);
    lode_world world = make_world(1);
    lode_shape_def shape = lode_shape_def_default();
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_body lift = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape_create_mesh(lift, &shape, mesh);
    lode_mesh_release(mesh);
    lode_body box = add_solid(world, BOX, lying(BOX, 0, 0, 0.3), (lode_real)0.6);
    step(world, 30);
    lode_body_set_linear_velocity(lift, vec(1, 0, (lode_real)0.5));
    step(world, 128);
    lode_vec3 on = lode_body_get_pose(box).position, below = lode_body_get_pose(lift).position;
    assert_true(fabs((double)(on.z - below.z) - 0.3) < 0.02);
    assert_true(fabs((double)(on.x - below.x)) < 0.3);
    lode_world_destroy(world);
}

/* --- exchanged, and found again */

static lode_mesh *make_flat(int squares, double height)
{
    draft_grid(&draft, squares, 10, NULL);
    for (int i = 0; i < draft.vertex_count; ++i)
        draft.vertices[i][2] = (float)height;
    lode_mesh_def def = draft_def(&draft);
    return lode_mesh_create(&def);
}

/* A sleeping ball wakes and falls onto the ground that is there now; what holds a mesh alone is the
 * shape. */
static void another_mesh_takes_the_place_of_one(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    lode_shape ground = add_mesh(world, (lode_real)0.6); /* whatever was drafted last */
    lode_mesh *low = make_flat(3, -1), *high = make_flat(7, 0);
    assert_int_equal(lode_shape_set_mesh(ground, high), LODE_OK);
    assert_ptr_equal(lode_shape_get_mesh(ground), high);
    lode_mesh_release(high);
    lode_body ball = add_solid(world, BALL, lying(BALL, 0.1, 0.2, 0.5), (lode_real)0.6);
    step(world, 200);
    assert_int_equal(lode_body_sleep(ball), LODE_OK);
    step(world, 1);
    assert_false(lode_body_is_awake(ball));
    assert_int_equal(lode_shape_set_mesh(ground, low), LODE_OK);
    assert_ptr_equal(lode_shape_get_mesh(ground), low);
    lode_mesh_release(low);
    step(world, 200);
    assert_true(near((double)lode_body_get_pose(ball).position.z, -0.5, 0.01));
    lode_ray ray = {.origin = vec(1, 1, 5), .direction = vec(0, 0, -1), .length = 10};
    lode_ray_hit hit;
    assert_true(lode_world_cast_ray(world, &ray, NULL, &hit));
    assert_true(near((double)hit.distance, 6, 1e-5));
    assert_int_equal(lode_shape_set_mesh(ground, NULL), LODE_ERROR_ARGUMENT);
    lode_world_destroy(world);
}

static void a_mesh_that_is_gone_is_found_among_offers(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    lode_world world = make_world(1);
    lode_mesh *mesh = make_flat(5, 0);
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape shape = lode_shape_create_mesh(body, &def, mesh);
    lode_mesh_release(mesh);
    add_solid(world, BOX, lying(BOX, 0, 0, 0.3), (lode_real)0.6);
    step(world, 10);
    size_t size = lode_world_snapshot(world, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    step(world, 20);
    uint64_t after = lode_world_hash(world);
    lode_body_destroy(body);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_ERROR_ARGUMENT);
    lode_mesh *again = make_flat(5, 0), *wrong = make_flat(5, 1);
    assert_int_equal(lode_world_offer_mesh(world, wrong), LODE_OK);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_world_offer_mesh(world, again), LODE_OK);
    assert_int_equal(lode_world_offer_mesh(world, NULL), LODE_ERROR_ARGUMENT);
    lode_mesh_release(again);
    lode_mesh_release(wrong);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_ptr_equal(lode_shape_get_mesh(shape), again);
    step(world, 20);
    assert_true(lode_world_hash(world) == after);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_flat_mesh_lies_still),
        cmocka_unit_test(contacts_name_their_triangle),
        cmocka_unit_test(nothing_feels_the_edges_of_a_flat_mesh),
        cmocka_unit_test(nothing_sinks_into_hills),
        cmocka_unit_test(one_world_for_any_number_of_threads),
        cmocka_unit_test(what_was_set_back_goes_on_the_same),
        cmocka_unit_test(hills_hold_sleepers),
        cmocka_unit_test(steps_without_memory_lose_nothing),
        cmocka_unit_test(the_edges_of_a_solid_mesh_are_felt),
        cmocka_unit_test(backs_hold_only_if_two_sided),
        cmocka_unit_test(meshes_need_a_mesh),
        cmocka_unit_test(a_kinematic_mesh_carries),
        cmocka_unit_test(another_mesh_takes_the_place_of_one),
        cmocka_unit_test(a_mesh_that_is_gone_is_found_among_offers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
