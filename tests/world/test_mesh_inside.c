/* test_mesh_inside.c: convex solids in closed meshes, wholly or in part: there is a contact wherever they
 * overlap, it leads out, and whoever is moved by the deepest one again and again is soon apart. */
#include "tests/world/solids.h"

#include "core/math.h"
#include "tests/collide/meshes.h"

#include <math.h>

enum { MOST_POINTS = 400, TRIES = LODE_CHECKS > 2 ? 40 : 200 };

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

static void inside_stats(void **state)
{
    (void)state;
    numbers.state = 21;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (form form = BLOCK; form < FORMS; ++form) {
            int met = 0, none = 0, rounds_of[8] = {0}, worst = 0;
            for (int i = 0; i < TRIES; ++i) {
                lode_world world = make_world(1);
                draft_form(form);
                lode_pose pose = {random_vec(1), random_turn()};
                lode_shape mesh = add_mesh(world, pose);
                lode_vec3 from = form == RING ? vec(2, 0, 0) : vec(0, 0, 0);
                from = v3_add(from, random_vec(form == RING ? 0.7 : 1.6));
                lode_pose at = {v3_add(pose.position, q_rotate(pose.rotation, from)), random_turn()};
                lode_body body = add_solid(world, kind, at, 1);
                lode_shape solid = first_shape(body);
                int rounds = 0;
                bool any = overlap(solid, mesh);
                met += any;
                while (overlap(solid, mesh) && rounds < 30) {
                    lode_collide_options options = {LODE_COLLIDE_DEEPEST, 0};
                    int count = lode_shape_collide(solid, mesh, &options, points, MOST_POINTS);
                    if (count == 0 || points[0].depth <= 0) {
                        ++none;
                        break;
                    }
                    at.position = v3_madd(at.position, points[0].normal, points[0].depth * (lode_real)1.01 + (lode_real)1e-4);
                    lode_body_set_pose(body, at);
                    ++rounds;
                }
                if (any) rounds_of[rounds < 7 ? rounds : 7]++;
                worst = rounds > worst ? rounds : worst;
                lode_world_destroy(world);
            }
            print_message("kind %d form %d: met %d none %d; rounds 0:%d 1:%d 2:%d 3:%d 4:%d 5:%d 6:%d more:%d worst %d\n", kind, form, met, none, rounds_of[0], rounds_of[1], rounds_of[2], rounds_of[3], rounds_of[4], rounds_of[5], rounds_of[6], rounds_of[7], worst);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_stats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
