/* test_heightfield_query.c: rays, nearest points, overlaps, distances and casts of height fields,
 * against the mesh of the same triangles, and of fields that repeat themselves against fields that
 * say it all. */
#include "tests/world/support.h"

#include "tests/collide/fields.h"

#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 3e-5
#endif

enum { MOST_HITS = 400 };

static field_draft draft;
static mesh_draft equal;
static uint32_t numbers[2 * MOST_COLUMNS * MOST_ROWS];
static test_random random_numbers;

static lode_real between(double lo, double hi)
{
    return (lode_real)random_between(&random_numbers, lo, hi);
}

static lode_quat random_rotation(void)
{
    return q_normalize(
        (lode_quat){between(0.1, 1), between(-1, 1), between(-1, 1), between(-1, 1)});
}

/* Each in a world of its own, in the same place. */
typedef struct twins {
    lode_world world[2]; /* of the field, of the mesh */
    lode_shape shape[2];
} twins;

static lode_shape add(lode_world world, lode_pose pose, lode_heightfield *field, lode_mesh *mesh)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
    def.pose.position = vec((lode_real)-0.5, (lode_real)0.25, 1);
    lode_shape shape = field ? lode_shape_create_heightfield(body, &def, field)
                             : lode_shape_create_mesh(body, &def, mesh);
    assert_true(lode_shape_is_valid(shape));
    return shape;
}

static twins make_twins(lode_pose pose, bool holes)
{
    twins t;
    lode_world_def world_def = lode_world_def_default();
    lode_heightfield_def def = field_def(&draft);
    def.holes = holes;
    lode_heightfield *field = lode_heightfield_create(&def);
    draft_equal(&equal, &draft, numbers);
    lode_mesh_def mesh_def = draft_def(&equal);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    for (int k = 0; k < 2; ++k) {
        t.world[k] = lode_world_create(&world_def);
        t.shape[k] = add(t.world[k], pose, k ? NULL : field, mesh);
    }
    lode_heightfield_release(field);
    lode_mesh_release(mesh);
    return t;
}

static void destroy(twins *t)
{
    lode_world_destroy(t->world[0]);
    lode_world_destroy(t->world[1]);
}

/* A point somewhere around the field, in the world. */
static lode_vec3 point_around(lode_pose pose, double far)
{
    double wide = (draft.columns - 1) * draft.spacing_x, deep = (draft.rows - 1) * draft.spacing_y;
    lode_vec3 local = vec(between(-far, wide + far), between(-far, deep + far),
                          between(-far, 1 + far));
    return v3_add(pose.position, q_rotate(pose.rotation, local));
}

static lode_pose random_pose(int round)
{
    lode_pose pose = {vec(between(-3, 3), between(-3, 3), between(-3, 3)), {1, 0, 0, 0}};
    if (round % 3)
        pose.rotation = random_rotation();
    return pose;
}

/* --- rays */

static int mesh_child(const lode_ray_hit *hit)
{
    return (int)numbers[hit->child];
}

static bool same_hit(const lode_ray_hit *f, const lode_ray_hit *m)
{
    return fabs((double)(f->distance - m->distance)) < ROUNDING * (1 + (double)m->distance) &&
           f->back == m->back && near_vec(f->position, m->position, 4 * ROUNDING) &&
           f->child == mesh_child(m) && near_vec(f->normal, m->normal, 1e-5) &&
           near((double)f->u, (double)m->u, 1e-3) && near((double)f->v, (double)m->v, 1e-3);
}

static void rays_hit_what_they_hit_of_the_mesh(void **state)
{
    (void)state;
    static lode_ray_hit hits[2][MOST_HITS];
    random_numbers.state = 3;
    int met = 0, many = 0, other = 0, tried = 0;
    for (int round = 0; round < 24; ++round) {
        lode_pose pose = random_pose(round);
        bool holes = round % 4 == 3;
        draft_rough(&draft, &random_numbers, 2 + (int)random_below(&random_numbers, 90),
                    2 + (int)random_below(&random_numbers, 90), 16, round % 2 ? 2 : 0.25);
        for (int i = 0; i < 30 && holes && draft.columns > 9 && draft.rows > 9; ++i)
            draft.heights[random_below(&random_numbers, (uint32_t)(draft.columns * draft.rows))] =
                NAN;
        twins t = make_twins(pose, holes);
        for (int i = 0; i < 500; ++i) {
            lode_vec3 from = point_around(pose, i % 2 ? 2 : 30), to = point_around(pose, 1);
            lode_ray ray = {from, v3_sub(to, from),
                            i % 5 ? (lode_real)INFINITY : v3_length(v3_sub(to, from)),
                            (lode_faces)(i % 3)};
            if (i % 7 == 0) { /* along an axis of the field */
                lode_vec3 d = {0, 0, 0};
                *(&d.x + i % 3) = i % 2 ? 1 : -1;
                ray.direction = q_rotate(pose.rotation, d);
            }
            int count[2];
            for (int k = 0; k < 2; ++k) {
                count[k] = lode_world_cast_ray_all(t.world[k], &ray, NULL, hits[k], MOST_HITS);
                lode_ray_hit first;
                bool found = lode_world_cast_ray(t.world[k], &ray, NULL, &first);
                assert_int_equal(found, count[k] > 0);
                assert_int_equal(lode_world_test_ray(t.world[k], &ray, NULL), found);
                if (found)
                    assert_true(first.distance == hits[k][0].distance &&
                                first.child == hits[k][0].child);
            }
            bool same = count[0] == count[1];
            for (int h = 0; same && h < count[0]; ++h)
                same = same_hit(&hits[0][h], &hits[1][h]);
            ++tried;
            other += !same;
            met += count[1] > 0;
            many += count[1] > 3;
        }
        destroy(&t);
    }
    print_message("%d rays: %d met, %d often, %d otherwise\n", tried, met, many, other);
    assert_true(met > tried / 4 && many > 100);
    assert_true(other <=
                tried / 200); /* a ray that grazes a rim is one triangle's or the next one's */
}

/* Rays through corners and edges, from above at all slants: each meets something, as near as it
 * should. */
static void nothing_slips_between_triangles(void **state)
{
    (void)state;
    random_numbers.state = 4;
    for (int round = 0; round < 30; ++round) {
        lode_pose pose = {vec(0, 0, 0), {1, 0, 0, 0}};
        if (round % 2)
            pose.rotation = random_rotation();
        draft_rough(&draft, &random_numbers, 40, 40, 50, 0.6);
        twins t = make_twins(pose, false);
        lode_pose at = lode_shape_get_world_pose(t.shape[0]);
        for (int i = 0; i < 600; ++i) {
            uint32_t column = 2 + random_below(&random_numbers, 35);
            uint32_t row = 2 + random_below(&random_numbers, 35), other = column + i % 2;
            lode_vec3 a = vec((lode_real)(0.5 * column), (lode_real)(0.75 * row),
                              draft.heights[row * 40 + column]);
            lode_vec3 b = vec((lode_real)(0.5 * other), (lode_real)(0.75 * (row + i % 3)),
                              draft.heights[(row + (uint32_t)i % 3) * 40 + other]);
            lode_vec3 aim = i % 3 == 2 ? a : v3_madd(a, v3_sub(b, a), between(0, 1));
            lode_vec3 from = v3_add(aim, vec(between(-1, 1), between(-1, 1), between(3, 60)));
            lode_ray ray = {pose_point(at, from), q_rotate(at.rotation, v3_sub(aim, from)), 200,
                            LODE_FRONT_FACES};
            lode_ray_hit hit;
            assert_true(lode_world_cast_ray(t.world[0], &ray, NULL, &hit));
            lode_vec3 on = pose_point_inv(at, hit.position);
            assert_true((double)on.z > -0.001 && (double)on.z < 0.601);
        }
        destroy(&t);
    }
}

/* --- points and solids */

static void nearest_points_are_those_of_the_mesh(void **state)
{
    (void)state;
    random_numbers.state = 5;
    for (int round = 0; round < 20; ++round) {
        lode_pose pose = random_pose(round);
        draft_rough(&draft, &random_numbers, 2 + (int)random_below(&random_numbers, 60),
                    2 + (int)random_below(&random_numbers, 60), 16, 2);
        twins t = make_twins(pose, false);
        for (int i = 0; i < 200; ++i) {
            lode_vec3 point = point_around(pose, i % 2 ? 2 : 40);
            lode_nearest nearest[2];
            lode_shape found[2];
            for (int k = 0; k < 2; ++k)
                assert_true(lode_shape_find_nearest(t.shape[k], point, &nearest[k]));
            double distance = -(double)nearest[1].depth;
            assert_true(fabs((double)nearest[0].depth + distance) < ROUNDING * (1 + distance));
            double apart = (double)v3_length(v3_sub(point, nearest[0].position));
            assert_true(fabs(apart - distance) < ROUNDING * (1 + distance));
            if (distance > 0.01)
                assert_true(
                    near_vec(v3_madd(nearest[0].position, nearest[0].normal, (lode_real)distance),
                             point, ROUNDING * 4 * (1 + distance)));
            for (int k = 0; k < 2; ++k) {
                lode_real reach = (lode_real)distance + (i % 2 ? 1 : -1) * (lode_real)0.01;
                int count = reach < 0 ? i % 2
                                      : lode_world_overlap_sphere(t.world[k], point, reach, NULL,
                                                                  &found[k], 1);
                assert_int_equal(count, i % 2);
            }
        }
        destroy(&t);
    }
}

static lode_shape add_solid(lode_world world, int kind, lode_pose pose)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_real r = (lode_real)0.3;
    def.pose = pose;
    return kind == 0   ? lode_shape_create_sphere(body, &def, r)
           : kind == 1 ? lode_shape_create_box(body, &def, vec(r, r / 2, 2 * r))
           : kind == 2 ? lode_shape_create_capsule(body, &def, r / 2, 2 * r)
                       : lode_shape_create_cylinder(body, &def, r, r);
}

static void distances_and_casts_of_solids_are_those_of_the_mesh(void **state)
{
    (void)state;
    random_numbers.state = 6;
    int touching = 0, met = 0;
    for (int round = 0; round < 12; ++round) {
        lode_pose pose = random_pose(round);
        draft_rough(&draft, &random_numbers, 2 + (int)random_below(&random_numbers, 40),
                    2 + (int)random_below(&random_numbers, 40), 16, 1);
        twins t = make_twins(pose, false);
        for (int i = 0; i < 100; ++i) {
            lode_pose at = {point_around(pose, i % 2 ? 1 : 10), random_rotation()};
            lode_vec3 move = v3_sub(point_around(pose, 1), at.position);
            lode_closest closest[2];
            lode_cast_hit hit[2];
            lode_shape found;
            bool hits[2];
            int overlaps[2];
            for (int k = 0; k < 2; ++k) {
                lode_shape solid = add_solid(t.world[k], i % 4, at);
                lode_cast cast = {
                    .solid = lode_shape_get_solid(solid), .pose = at, .translation = move};
                assert_true(lode_shape_find_closest(i % 2 ? solid : t.shape[k],
                                                    i % 2 ? t.shape[k] : solid, &closest[k]));
                assert_int_equal(lode_shape_destroy(solid), LODE_OK);
                hits[k] = lode_world_cast_shape(t.world[k], &cast, NULL, &hit[k]);
                overlaps[k] = lode_world_overlap_solid(t.world[k], &cast.solid, at, NULL, &found,
                                                       1);
            }
            double distance = (double)closest[1].distance;
            assert_true(fabs((double)closest[0].distance - distance) < ROUNDING * (1 + distance));
            if (distance > 0.1)
                assert_true(near_vec(closest[0].normal, closest[1].normal, 0.01));
            assert_int_equal(overlaps[0], overlaps[1]);
            assert_int_equal(hits[0], hits[1]);
            touching += distance == 0;
            met += hits[1];
            if (hits[1])
                assert_true(fabs((double)(hit[0].distance - hit[1].distance)) <
                            1e-3 + ROUNDING * (double)v3_length(move));
        }
        destroy(&t);
    }
    print_message("%d touch, %d are met\n", touching, met);
    assert_true(touching > 50 && met > 200);
}

/* --- fields that repeat themselves */

static lode_heightfield *make_wrapped(int columns, int rows, double rise)
{
    draft_rough(&draft, &random_numbers, columns, rows, 16, rise);
    lode_heightfield_def def = field_def(&draft);
    def.wrap = true;
    lode_heightfield *field = lode_heightfield_create(&def);
    assert_non_null(field);
    return field;
}

/* The same ground, as far as 100 samples reach, from `before` samples before its origin on. */
static lode_heightfield *make_whole(const field_draft *small)
{
    static field_draft whole;
    draft_field(&whole, MOST_COLUMNS, MOST_ROWS, small->spacing_x, small->spacing_y, NULL);
    for (int j = 0; j < MOST_ROWS; ++j)
        for (int i = 0; i < MOST_COLUMNS; ++i)
            whole.heights[j * MOST_COLUMNS + i] =
                small->heights[j % small->rows * small->columns + i % small->columns];
    lode_heightfield_def def = field_def(&whole);
    return lode_heightfield_create(&def);
}

static void queries_find_every_repetition(void **state)
{
    (void)state;
    random_numbers.state = 7;
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    for (int round = 0; round < 20; ++round) {
        int columns = 2 + (int)random_below(&random_numbers, 18);
        int rows = 2 + (int)random_below(&random_numbers, 18);
        lode_heightfield *wrapped = make_wrapped(columns, rows, 1);
        lode_heightfield *whole = make_whole(&draft);
        lode_world world[2];
        lode_shape shape[2];
        for (int k = 0; k < 2; ++k) {
            world[k] = lode_world_create(&world_def);
            shape[k] = lode_shape_create_heightfield(add_body(world[k], LODE_STATIC, 0, 0, 0), &def,
                                                     k ? whole : wrapped);
        }
        for (int i = 0; i < 300; ++i) {
            lode_vec3 from = vec(between(22, 28), between(35, 40), between(-2, 3));
            lode_vec3 to = vec(between(5, 45), between(5, 70), between(0, 1));
            lode_ray ray = {from, v3_sub(to, from), v3_length(v3_sub(to, from)),
                            (lode_faces)(i % 3)};
            lode_ray_hit hit[2];
            bool met[2];
            lode_nearest nearest[2];
            for (int k = 0; k < 2; ++k) {
                met[k] = lode_world_cast_ray(world[k], &ray, NULL, &hit[k]);
                assert_true(lode_shape_find_nearest(shape[k], from, &nearest[k]));
            }
            assert_int_equal(met[0], met[1]);
            if (met[0]) {
                assert_true(fabs((double)(hit[0].distance - hit[1].distance)) < 4 * ROUNDING);
                assert_true(near_vec(hit[0].position, hit[1].position, 8 * ROUNDING));
                assert_in_range(hit[0].child, 0, 2 * columns * rows - 1);
            }
            assert_true(fabs((double)(nearest[0].depth - nearest[1].depth)) < 4 * ROUNDING);
        }
        lode_heightfield_release(wrapped);
        lode_heightfield_release(whole);
        lode_world_destroy(world[0]);
        lode_world_destroy(world[1]);
    }
}

/* Rays and points that see a great many repetitions, and get an answer all the same. */
static void endless_fields_answer(void **state)
{
    (void)state;
    random_numbers.state = 8;
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_heightfield *field = make_wrapped(4, 4, 1);
    lode_shape shape = lode_shape_create_heightfield(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                                     field);
    lode_ray_hit hit;
    lode_nearest nearest;
    lode_ray above = {{0, 0, 2}, {1, (lode_real)0.3, 0}, (lode_real)INFINITY, LODE_BOTH_FACES};
    assert_false(lode_world_cast_ray(world, &above, NULL, &hit));
    lode_ray slanted = {{0, 0, 100}, {100, 33, -1}, (lode_real)INFINITY, LODE_BOTH_FACES};
    assert_true(lode_world_cast_ray(world, &slanted, NULL, &hit));
    assert_true((double)hit.position.x > 9000 && (double)hit.position.z <= 1.001);
    lode_ray within = {
        {0, 0, (lode_real)0.5}, {1, (lode_real)1e-30, 0}, (lode_real)INFINITY, LODE_FRONT_FACES};
    lode_world_cast_ray(world, &within, NULL, &hit); /* whatever it meets, it ends */
    within.direction = vec(0, 0, -1);
    within.origin = vec(30000, -50000, 10);
    assert_true(lode_world_cast_ray(world, &within, NULL, &hit));
    lode_real z;
    assert_true(lode_heightfield_find_height(field, 30000, -50000, &z));
    assert_true(fabs((double)(hit.position.z - z)) < 1e-3);
    lode_real farthest = sizeof(lode_real) == sizeof(double) ? (lode_real)1e200 : (lode_real)1e37;
    for (int i = 0; i < 6; ++i) {
        lode_vec3 far = {0, 0, 0};
        *(&far.x + i / 2) = i % 2 ? farthest : -farthest;
        assert_true(lode_shape_find_nearest(shape, far, &nearest)); /* wherever that is */
        slanted.origin = far;
        lode_world_cast_ray(world, &slanted, NULL, &hit);
        assert_int_equal(lode_world_overlap_sphere(world, far, 1, NULL, NULL, 0), 0);
    }
    static const double heights[] = {3, 1e3, 1e6, -1e6};
    for (int i = 0; i < 4; ++i) {
        assert_true(
            lode_shape_find_nearest(shape, vec(100, 1000, (lode_real)heights[i]), &nearest));
        double distance = -(double)nearest.depth;
        assert_true(distance > fabs(heights[i]) - 1.01 && distance < fabs(heights[i]) + 1.01);
    }
    lode_heightfield_release(field);
    lode_world_destroy(world);
}

/* --- thickness */

static void what_is_within_the_thickness_is_inside(void **state)
{
    (void)state;
    random_numbers.state = 9;
    draft_field(&draft, 5, 5, 1, 1, NULL);
    lode_heightfield_def def = field_def(&draft);
    def.thickness = 2;
    lode_heightfield *field = lode_heightfield_create(&def);
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_shape shape = lode_shape_create_heightfield(add_body(world, LODE_STATIC, 0, 0, 0),
                                                     &shape_def, field);
    static const double at[][2] = {{1, 1}, {0.25, 0.25}, {-0.5, -0.5}, {-1.9, -1.9}, {-2.5, 2.5}};
    for (int i = 0; i < 5; ++i) {
        lode_vec3 point = vec((lode_real)2.2, (lode_real)2.6, (lode_real)at[i][0]);
        lode_nearest nearest;
        lode_closest closest;
        assert_true(lode_shape_find_nearest(shape, point, &nearest));
        assert_true(fabs(-(double)nearest.depth - at[i][1]) < 1e-5);
        assert_true(near_vec(nearest.normal, vec(0, 0, i == 4 ? -1 : 1), 1e-5));
        lode_pose pose = {point, {1, 0, 0, 0}};
        lode_shape ball = add_solid(world, 0, pose); /* of radius 0.3 */
        assert_true(lode_shape_find_closest(shape, ball, &closest));
        double gap = i == 4 ? 2.2 : fmax(at[i][0] - 0.3, 0);
        assert_true(fabs((double)closest.distance - gap) < 1e-5);
        lode_shape_destroy(ball);
    }
    lode_heightfield_release(field);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_they_hit_of_the_mesh),
        cmocka_unit_test(nothing_slips_between_triangles),
        cmocka_unit_test(nearest_points_are_those_of_the_mesh),
        cmocka_unit_test(distances_and_casts_of_solids_are_those_of_the_mesh),
        cmocka_unit_test(queries_find_every_repetition),
        cmocka_unit_test(endless_fields_answer),
        cmocka_unit_test(what_is_within_the_thickness_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
