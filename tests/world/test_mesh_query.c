/* test_mesh_query.c: rays, nearest points, overlaps and distances of meshes, against looks at every
 * triangle. */
#include "tests/world/support.h"

#include "collide/gjk.h"
#include "lode/hull.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9
#else
#define ROUNDING 2e-5
#endif

enum { MOST_HITS = 4000 };

static mesh_draft draft;
static test_random random_numbers;

static double between(double lo, double hi)
{
    return random_between(&random_numbers, lo, hi);
}

static lode_vec3 random_vec(double size)
{
    double x = between(-size, size), y = between(-size, size);
    return vec((lode_real)x, (lode_real)y, (lode_real)between(-size, size));
}

static lode_pose random_pose(double size)
{
    lode_pose pose = {random_vec(size), {1, 0, 0, 0}};
    pose.rotation = (lode_quat){(lode_real)between(0.1, 1), (lode_real)between(-1, 1),
                                (lode_real)between(-1, 1), (lode_real)between(-1, 1)};
    return pose;
}

static double waves(double x, double y)
{
    return 0.7 * sin(x * 1.3) * cos(y);
}

/* A drafted mesh in a world, and its triangles where they are, in double. */
typedef struct place {
    lode_world world;
    lode_mesh *mesh;
    lode_body body;
    lode_shape shape;
    double at[40000][3][3];
    int count;
} place;

static void find_triangles(place *p)
{
    lode_pose pose = lode_shape_get_world_pose(p->shape);
    lode__double33 turn = d33_from_quat(pose.rotation);
    p->count = draft.triangle_count;
    for (int t = 0; t < p->count; ++t)
        for (int k = 0; k < 3; ++k) {
            const float *v = draft.vertices[draft.indices[t][k]];
            lode__double3 x = d3_add(d3_from(pose.position),
                                     d33_mul(&turn, d3((double)v[0], (double)v[1], (double)v[2])));
            p->at[t][k][0] = x.x;
            p->at[t][k][1] = x.y;
            p->at[t][k][2] = x.z;
        }
}

static void place_in(place *p, lode_world world, lode_pose pose, bool two_sided)
{
    lode_mesh_def def = draft_def(&draft);
    lode_shape_def shape = lode_shape_def_default();
    def.two_sided = two_sided;
    p->world = world;
    p->mesh = lode_mesh_create(&def);
    assert_non_null(p->mesh);
    p->body = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    shape.pose = random_pose(1);
    p->shape = lode_shape_create_mesh(p->body, &shape, p->mesh);
    lode_mesh_release(p->mesh);
    assert_int_equal(lode_body_set_pose(p->body, pose), LODE_OK);
    find_triangles(p);
}

static lode_world new_world(void)
{
    lode_world_def def = lode_world_def_default();
    return lode_world_create(&def);
}

/* --- the oracle */

#define SUB(out, a, b) \
    do { \
        for (int i_ = 0; i_ < 3; ++i_) \
            (out)[i_] = (a)[i_] - (b)[i_]; \
    } while (0)

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double det(const double x[3], const double y[3], const double z[3])
{
    return x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) +
           x[2] * (y[0] * z[1] - y[1] * z[0]);
}

/* The least barycentric coordinate of where a line meets a triangle's plane, by Cramer's rule; and
 * from which side. */
static double inside_by(const double t[3][3], const double o[3], const double d[3], double *out_t,
                        double *out_u, double *out_v, bool *out_back)
{
    double b[3], c[3], r[3], down[3] = {-d[0], -d[1], -d[2]};
    SUB(b, t[1], t[0]);
    SUB(c, t[2], t[0]);
    SUB(r, o, t[0]);
    double whole = det(b, c, down);
    *out_u = det(r, c, down) / whole;
    *out_v = det(b, r, down) / whole;
    *out_t = det(b, c, r) / whole;
    *out_back = whole < 0;
    return fmin(fmin(*out_u, *out_v), 1 - *out_u - *out_v);
}

static double to_segment(const double a[3], const double b[3], const double x[3])
{
    double ab[3], ax[3], apart[3];
    SUB(ab, b, a);
    SUB(ax, x, a);
    double share = fmin(1, fmax(0, dot(ab, ax) / dot(ab, ab)));
    for (int i = 0; i < 3; ++i)
        apart[i] = ax[i] - share * ab[i];
    return sqrt(dot(apart, apart));
}

static double to_triangle(const double t[3][3], const double x[3])
{
    double best = fmin(to_segment(t[0], t[1], x),
                       fmin(to_segment(t[1], t[2], x), to_segment(t[2], t[0], x)));
    double b[3], c[3], at, u, v;
    bool back;
    SUB(b, t[1], t[0]);
    SUB(c, t[2], t[0]);
    double n[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    double length = sqrt(dot(n, n));
    if (inside_by(t, x, n, &at, &u, &v, &back) >= 0)
        best = fmin(best, fabs(at) * length);
    return best;
}

static double to_mesh(const place *p, const double x[3])
{
    double best = DBL_MAX;
    for (int t = 0; t < p->count; ++t)
        best = fmin(best, to_triangle(p->at[t], x));
    return best;
}

/* By the solid angle under which the surface is seen (Van Oosterom and Strackee 1983). */
static bool is_inside(const place *p, const double x[3])
{
    double sum = 0;
    for (int t = 0; t < p->count; ++t) {
        double a[3], b[3], c[3];
        SUB(a, p->at[t][0], x);
        SUB(b, p->at[t][1], x);
        SUB(c, p->at[t][2], x);
        double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
        double under = la * lb * lc + dot(a, b) * lc + dot(a, c) * lb + dot(b, c) * la;
        sum += 2 * atan2(det(a, b, c), under);
    }
    return sum > 6.2831853;
}

static void get(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

/* --- rays */

static bool all_same(const lode_ray_hit *a, const lode_ray_hit *b)
{
    return a->shape.id == b->shape.id && a->body.id == b->body.id && a->distance == b->distance &&
           a->back == b->back && a->child == b->child && a->u == b->u && a->v == b->v &&
           !memcmp(&a->position, &b->position, sizeof a->position) &&
           !memcmp(&a->normal, &b->normal, sizeof a->normal);
}

typedef struct listener {
    const lode_ray_hit *hits;
    int heard;
} listener;

static bool listen(void *context, const lode_ray_hit *hit)
{
    listener *l = context;
    assert_true(all_same(hit, &l->hits[l->heard]));
    ++l->heard;
    return true;
}

static bool is_wanted(bool back, lode_faces faces, bool two_sided)
{
    return back ? faces != LODE_FRONT_FACES || two_sided : faces != LODE_BACK_FACES;
}

/* Every hit is one, none is missing, and all ways to ask say the same. */
static int check_ray(const place *p, const lode_ray *ray, bool two_sided)
{
    static lode_ray_hit hits[MOST_HITS];
    static int times[40000];
    double o[3], d[3], closest = DBL_MAX;
    int count = lode_world_cast_ray_all(p->world, ray, NULL, hits, MOST_HITS);
    assert_true(count <= MOST_HITS);
    get(ray->origin, o);
    get(ray->direction, d);
    double length = sqrt(dot(d, d));
    for (int i = 0; i < 3; ++i)
        d[i] /= length;
    memset(times, 0, sizeof times);
    for (int i = 0; i < count; ++i) {
        const lode_ray_hit *hit = &hits[i];
        double at, u, v, n[3], x[3];
        bool back;
        assert_true(hit->shape.id == p->shape.id && hit->body.id == p->body.id);
        assert_in_range(hit->child, 0, p->count - 1);
        ++times[hit->child];
        double inside = inside_by(p->at[hit->child], o, d, &at, &u, &v, &back);
        assert_true(inside > -1e-4 && is_wanted(hit->back, ray->faces, two_sided));
        assert_true(hit->back == back);
        assert_true(near((double)hit->distance, at, ROUNDING * 50));
        assert_true(near((double)hit->u, u, 1e-3) && near((double)hit->v, v, 1e-3));
        assert_true(i == 0 || hits[i - 1].distance <= hit->distance);
        get(hit->normal, n);
        get(hit->position, x);
        assert_true(near(dot(n, n), 1, ROUNDING));
        assert_true((dot(n, d) > 0) == (back && !two_sided) || fabs(dot(n, d)) < 1e-5);
        assert_true(to_triangle(p->at[hit->child], x) < ROUNDING * 20);
    }
    for (int t = 0; t < p->count; ++t) {
        double at, u, v;
        bool back;
        double inside = inside_by(p->at[t], o, d, &at, &u, &v, &back);
        bool sure = inside > 1e-4 && at > 1e-4 && at < (double)ray->length - 1e-4;
        if (sure)
            assert_int_equal(times[t], is_wanted(back, ray->faces, two_sided));
        if (sure && times[t])
            closest = fmin(closest, at);
        assert_true(times[t] <= 1);
    }
    lode_ray_hit one, body, shape;
    listener l = {hits, 0};
    assert_int_equal(lode_world_cast_ray(p->world, ray, NULL, &one), count > 0);
    assert_int_equal(lode_body_cast_ray(p->body, ray, &body), count > 0);
    assert_int_equal(lode_shape_cast_ray(p->shape, ray, &shape), count > 0);
    assert_int_equal(lode_world_test_ray(p->world, ray, NULL), count > 0);
    assert_int_equal(lode_world_visit_ray(p->world, ray, NULL, listen, &l), count);
    if (count > 0) {
        assert_true(all_same(&one, &hits[0]) && all_same(&body, &one) && all_same(&shape, &one));
        assert_true((double)one.distance < closest + ROUNDING * 50);
    }
    return count;
}

static lode_ray random_ray(double size, lode_vec3 around, lode_faces faces)
{
    lode_ray ray = {.origin = v3_add(around, random_vec(size)),
                    .direction = random_vec(1),
                    .length = (lode_real)between(0, 4 * size),
                    .faces = faces};
    if (random_below(&random_numbers, 4)) /* towards what is around the middle */
        ray.direction = v3_sub(v3_add(around, random_vec(size / 4)), ray.origin);
    if (random_below(&random_numbers, 3) == 0)
        ray.length = (lode_real)INFINITY;
    return ray;
}

static void draft_any(int which)
{
    if (which % 3 == 0)
        draft_grid(&draft, 30, 6, waves);
    else if (which % 3 == 1)
        draft_star(&draft, 9, 13, 0.3, &random_numbers);
    else
        draft_box(&draft, 1, 2, 0.5);
}

static void rays_see_triangles(void **state)
{
    (void)state;
    static place p;
    int hits = 0;
    random_numbers.state = 1;
    for (int i = 0; i < 30; ++i) {
        bool two_sided = i % 2;
        draft_any(i);
        place_in(&p, new_world(), random_pose(i % 5 ? 3 : 0), two_sided);
        lode_vec3 middle = lode_shape_get_world_pose(p.shape).position;
        for (int k = 0; k < 100; ++k) {
            lode_ray ray = random_ray(3, middle, (lode_faces)(k % 3));
            hits += check_ray(&p, &ray, two_sided);
        }
        lode_world_destroy(p.world);
    }
    print_message("%d hits\n", hits);
    assert_true(hits > 2000);
    assert_int_equal(report.count, 0);
}

/* Of a closed mesh: the same hits as a solid has. */
static void a_box_of_triangles_is_hit_like_a_box(void **state)
{
    (void)state;
    static place p;
    int hits = 0;
    random_numbers.state = 2;
    draft_box(&draft, 1, 2, 0.5);
    place_in(&p, new_world(), random_pose(2), false);
    lode_shape_def def = lode_shape_def_default();
    lode_world other = new_world();
    lode_body body = add_body(other, LODE_KINEMATIC, 0, 0, 0);
    def.pose = lode_shape_get_def(p.shape).pose;
    lode_shape box = lode_shape_create_box(body, &def, vec(1, 2, (lode_real)0.5));
    lode_body_set_pose(body, lode_body_get_pose(p.body));
    lode_vec3 middle = lode_shape_get_world_pose(box).position;
    for (int i = 0; i < 3000; ++i) {
        lode_ray ray = random_ray(2, middle, (lode_faces)(i % 3));
        lode_ray_hit a, b;
        ray.length = 20;
        bool found = lode_world_cast_ray(p.world, &ray, NULL, &a);
        assert_int_equal(lode_world_cast_ray(other, &ray, NULL, &b), found);
        if (!found)
            continue;
        assert_int_equal(a.back, b.back);
        assert_true(near((double)a.distance, (double)b.distance, ROUNDING * 20));
        assert_true(near_vec(a.normal, b.normal, ROUNDING));
        assert_true(near_vec(a.position, b.position, ROUNDING * 20));
        ++hits;
    }
    assert_true(hits > 500);
    lode_world_destroy(p.world);
    lode_world_destroy(other);
}

/* Batches, with other meshes and solids in the way, in all orders. */
static void batches_find_what_each_ray_finds(void **state)
{
    (void)state;
    enum { RAYS = 512 };
    static place p;
    static lode_ray rays[RAYS];
    static lode_ray_hit hits[RAYS];
    random_numbers.state = 3;
    lode_world world = new_world();
    for (int i = 0; i < 6; ++i) {
        draft_any(i);
        place_in(&p, world, random_pose(3), i % 2);
        lode_body_set_pose(add_ball(world, 0, 0, 0, (lode_real)0.3), random_pose(3));
    }
    int found = 0;
    for (int round = 0; round < 20; ++round) {
        lode_vec3 from = random_vec(8), to = random_vec(3);
        for (int i = 0; i < RAYS; ++i) {
            rays[i] = (lode_ray){from, v3_sub(v3_add(to, random_vec(0.3)), from), 40,
                                 (lode_faces)(round % 3)};
            if (round % 4 == 3)
                rays[i] = random_ray(4, to, (lode_faces)(i % 3));
        }
        int count = lode_world_cast_rays(world, rays, RAYS, NULL, hits), single = 0;
        for (int i = 0; i < RAYS; ++i) {
            lode_ray_hit hit;
            single += lode_world_cast_ray(world, &rays[i], NULL, &hit);
            assert_true(all_same(&hit, &hits[i]));
        }
        assert_int_equal(single, count);
        found += count;
    }
    assert_true(found > 2000);
    lode_world_destroy(world);
}

typedef struct hole {
    lode_shape shape;
    int asked;
} hole;

/* Triangles with odd numbers, and the half near corner 0 of all others, are holes. */
static bool is_no_hole(void *context, lode_shape shape, int child, lode_real u, lode_real v)
{
    hole *h = context;
    assert_true(shape.id == h->shape.id && u >= 0 && v >= 0 && u + v <= (lode_real)1.00001);
    ++h->asked;
    return child % 2 == 0 && u + v > (lode_real)0.5;
}

static void holes_let_rays_through(void **state)
{
    (void)state;
    static place p;
    static lode_ray_hit hits[MOST_HITS], left[MOST_HITS];
    random_numbers.state = 4;
    draft_star(&draft, 9, 13, 0.3, &random_numbers);
    place_in(&p, new_world(), random_pose(2), false);
    hole hole = {p.shape, 0};
    lode_query_filter filter = lode_query_filter_default();
    filter.accept_part = is_no_hole;
    filter.context = &hole;
    int through = 0, stopped = 0;
    for (int i = 0; i < 2000; ++i) {
        lode_ray ray = random_ray(2, lode_shape_get_world_pose(p.shape).position,
                                  (lode_faces)(i % 3));
        int count = lode_world_cast_ray_all(p.world, &ray, NULL, hits, MOST_HITS), kept = 0;
        for (int k = 0; k < count; ++k)
            if (is_no_hole(&hole, hits[k].shape, hits[k].child, hits[k].u, hits[k].v))
                left[kept++] = hits[k];
        assert_int_equal(lode_world_cast_ray_all(p.world, &ray, &filter, hits, MOST_HITS), kept);
        for (int k = 0; k < kept; ++k)
            assert_true(all_same(&hits[k], &left[k]));
        lode_ray_hit one, batch;
        assert_int_equal(lode_world_cast_ray(p.world, &ray, &filter, &one), kept > 0);
        assert_int_equal(lode_world_test_ray(p.world, &ray, &filter), kept > 0);
        assert_int_equal(lode_world_cast_rays(p.world, &ray, 1, &filter, &batch), kept > 0);
        assert_true(kept == 0 || (all_same(&one, &left[0]) && all_same(&batch, &one)));
        through += count > 0 && kept == 0;
        stopped += kept > 0;
    }
    print_message("%d through, %d stopped\n", through, stopped);
    assert_true(through > 200 && stopped > 100 && hole.asked > 0);
    lode_world_destroy(p.world);
}

/* --- points */

/* `solid`: what is inside must be said to be. */
static int check_point(const place *p, lode_vec3 point, bool solid)
{
    double x[3], at[3], n[3];
    lode_nearest found;
    assert_true(lode_shape_find_nearest(p->shape, point, &found));
    get(point, x);
    get(found.position, at);
    get(found.normal, n);
    double distance = to_mesh(p, x);
    bool inside = solid && is_inside(p, x);
    double depth = inside ? distance : -distance;
    if (!near((double)found.depth, depth, ROUNDING * 10))
        fail_msg("depth %g, expected %g", (double)found.depth, depth);
    assert_true(to_mesh(p, at) < ROUNDING * 10);
    assert_true(near(dot(n, n), 1, ROUNDING));
    for (int i = 0; i < 3; ++i)
        assert_true(near(at[i], x[i] + depth * n[i], ROUNDING * 10));
    return inside;
}

static void points_know_their_depth_in_a_mesh(void **state)
{
    (void)state;
    static place p;
    int inside = 0;
    random_numbers.state = 5;
    for (int i = 0; i < 60; ++i) {
        draft_any(i);
        if (i % 3 == 1) /* from smooth to as pleated as can be */
            draft_star(&draft, 3 + i % 7, 5 + i % 11, i % 2 ? 0.1 : 0.8, &random_numbers);
        place_in(&p, new_world(), random_pose(3), i % 8 == 7);
        lode_vec3 middle = lode_shape_get_world_pose(p.shape).position;
        for (int k = 0; k < 150; ++k)
            inside += check_point(&p, v3_add(middle, random_vec(k % 3 ? 1 : 4)),
                                  i % 3 && i % 8 != 7);
        lode_world_destroy(p.world);
    }
    assert_true(inside > 500);
}

/* Two tetrahedra that share one corner: there several cones meet, and the rest of the surface is
 * far. */
static void a_corner_of_two_solids_knows_its_outside(void **state)
{
    (void)state;
    static place p;
    random_numbers.state = 6;
    for (int i = 0; i < 200; ++i) {
        draft.vertex_count = draft.triangle_count = 0;
        draft_vertex(&draft, 0, 0, 0);
        for (int s = 0; s < 2; ++s) {
            uint32_t v[3];
            double corner[3][3];
            for (int k = 0; k < 3; ++k) {
                for (int c = 0; c < 3; ++c)
                    corner[k][c] = between(-1, 1);
                corner[k][2] = s ? between(0.2, 1) : between(-1, -0.2);
                v[k] = draft_vertex(&draft, corner[k][0], corner[k][1], corner[k][2]);
            }
            int a = det(corner[0], corner[1], corner[2]) > 0 ? 1 : 2, b = 3 - a;
            draft_triangle(&draft, 0, v[0], v[b]);
            draft_triangle(&draft, 0, v[b], v[a]);
            draft_triangle(&draft, 0, v[a], v[0]);
            draft_triangle(&draft, v[0], v[a], v[b]);
        }
        place_in(&p, new_world(), (lode_pose){{0, 0, 0}, {1, 0, 0, 0}}, false);
        assert_true(lode_mesh_get_info(p.mesh).closed);
        lode_vec3 middle = lode_shape_get_world_pose(p.shape).position;
        for (int k = 0; k < 60; ++k)
            check_point(&p, v3_add(middle, random_vec(0.15)), true);
        lode_world_destroy(p.world);
    }
}

static void spheres_overlap_what_they_reach(void **state)
{
    (void)state;
    static place p;
    int found = 0, asked = 0;
    random_numbers.state = 7;
    for (int i = 0; i < 12; ++i) {
        draft_any(i);
        place_in(&p, new_world(), random_pose(3), false);
        lode_vec3 middle = lode_shape_get_world_pose(p.shape).position;
        for (int k = 0; k < 100; ++k, ++asked) {
            lode_vec3 at = v3_add(middle, random_vec(3));
            lode_real radius = k % 5 ? (lode_real)between(0, 2) : 0;
            double x[3];
            get(at, x);
            double distance = i % 3 && is_inside(&p, x) ? 0 : to_mesh(&p, x);
            lode_shape shape = {0};
            int count = lode_world_overlap_sphere(p.world, at, radius, NULL, &shape, 1);
            if (fabs(distance - (double)radius) > ROUNDING * 10)
                assert_int_equal(count, distance < (double)radius);
            assert_true(count == 0 || shape.id == p.shape.id);
            found += count;
        }
        lode_world_destroy(p.world);
    }
    assert_true(found > 100 && found < asked - 100);
}

/* --- distances */

static lode_shape add_solid(lode_world world, int kind)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_real a = (lode_real)between(0.05, 0.5), b = (lode_real)between(0.05, 0.5);
    def.pose = random_pose(0.3);
    if (kind == 0)
        return lode_shape_create_sphere(body, &def, a);
    if (kind == 1)
        return lode_shape_create_box(body, &def, vec(a, b, (a + b) / 2));
    if (kind == 2)
        return lode_shape_create_capsule(body, &def, a, b);
    if (kind == 3)
        return lode_shape_create_cylinder(body, &def, a, b);
    lode_real points[8][3];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            points[i][k] = (lode_real)between(-0.5, 0.5);
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &points[0][0];
    hull_def.point_count = 8;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, &def, hull);
    lode_hull_release(hull);
    return shape;
}

static lode_shape add_triangle(lode_world world, const double t[3][3])
{
    static const uint32_t index[3] = {0, 1, 2};
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = t;
    def.vertex_count = 3;
    def.double_vertices = true;
    def.indices = index;
    def.triangle_count = 1;
    lode_shape_def shape_def = lode_shape_def_default();
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_shape shape = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape_def,
                                              mesh);
    lode_mesh_release(mesh);
    return shape;
}

/* The closest points lie on both surfaces, along the normal, as far apart as said; from the other
 * side too. */
static void check_closest(lode_shape a, lode_shape b, const lode_closest *c)
{
    lode_closest back;
    lode_nearest on_a, on_b;
    double tolerance = ROUNDING * 20;
    assert_true(lode_shape_find_closest(b, a, &back));
    assert_true(near((double)c->distance, (double)back.distance, tolerance));
    assert_true(near((double)v3_length(c->normal), 1, ROUNDING));
    if (c->distance <= 0)
        return;
    assert_true(near_vec(v3_madd(c->on_b, c->normal, c->distance), c->on_a, tolerance));
    assert_true(lode_shape_find_nearest(a, c->on_a, &on_a));
    assert_true(lode_shape_find_nearest(b, c->on_b, &on_b));
    assert_true(near((double)on_a.depth, 0, tolerance) && near((double)on_b.depth, 0, tolerance));
}

/* Against the distances of every triangle, each as a mesh of its own: the search must find the
 * least of them. A single triangle's distance is checked against points of the solid below. */
static void solids_know_how_far_a_mesh_is(void **state)
{
    (void)state;
    static place p;
    static lode_shape triangles[600];
    int apart = 0, touching = 0;
    random_numbers.state = 8;
    for (int i = 0; i < 9; ++i) {
        lode_world world = new_world();
        if (i % 3 == 0)
            draft_grid(&draft, 12, 4, waves);
        else
            draft_any(i);
        place_in(&p, world, random_pose(2), i % 2);
        for (int t = 0; t < p.count; ++t)
            triangles[t] = add_triangle(world, p.at[t]);
        bool solid = i % 3 && !(i % 2);
        for (int k = 0; k < 100; ++k) {
            lode_shape shape = add_solid(world, k % 5);
            lode_body body = lode_shape_get_body(shape);
            lode_pose pose = random_pose(3);
            pose.position = v3_add(pose.position, lode_shape_get_world_pose(p.shape).position);
            lode_body_set_pose(body, pose);
            lode_closest c, one;
            assert_true(lode_shape_find_closest(p.shape, shape, &c));
            check_closest(p.shape, shape, &c);
            double least = DBL_MAX, x[3];
            for (int t = 0; t < p.count; ++t) {
                assert_true(lode_shape_find_closest(triangles[t], shape, &one));
                least = fmin(least, (double)one.distance);
            }
            get(lode_shape_get_world_pose(shape).position, x);
            if (solid && least > 0 && is_inside(&p, x))
                least = 0;
            assert_true(near((double)c.distance, least, ROUNDING * 20));
            apart += least > 0;
            touching += least == 0;
        }
        lode_world_destroy(world);
    }
    print_message("%d apart, %d touching\n", apart, touching);
    assert_true(apart > 200 && touching > 50);
    assert_int_equal(report.count, 0);
}

/* A ball is its centre's distance less its radius; no point of another solid's surface is nearer to
 * the triangle than said. */
static void solids_know_how_far_a_triangle_is(void **state)
{
    (void)state;
    random_numbers.state = 9;
    for (int i = 0; i < 600; ++i) {
        lode_world world = new_world();
        double t[3][3], x[3], least = DBL_MAX;
        for (int k = 0; k < 9; ++k)
            t[k / 3][k % 3] = (double)(float)between(-2, 2);
        lode_shape triangle = add_triangle(world, t), solid = add_solid(world, i % 5);
        lode_body_set_pose(lode_shape_get_body(solid), random_pose(2));
        lode_closest c;
        assert_true(lode_shape_find_closest(triangle, solid, &c));
        check_closest(triangle, solid, &c);
        if (i % 5 == 0) {
            get(lode_shape_get_world_pose(solid).position, x);
            least = fmax(0, to_triangle(t, x) - (double)lode_shape_get_radius(solid));
            assert_true(near((double)c.distance, least, ROUNDING * 10));
        }
        for (int k = 0; k < 400; ++k) { /* points of the triangle */
            double u = between(0, 1), v = between(0, 1 - u);
            for (int j = 0; j < 3; ++j)
                x[j] = t[0][j] + u * (t[1][j] - t[0][j]) + v * (t[2][j] - t[0][j]);
            lode_nearest n;
            assert_true(lode_shape_find_nearest(
                solid, vec((lode_real)x[0], (lode_real)x[1], (lode_real)x[2]), &n));
            assert_true((double)c.distance <= fmax(0, -(double)n.depth) + ROUNDING * 10);
        }
        lode_world_destroy(world);
    }
}

static void planes_know_the_lowest_vertex(void **state)
{
    (void)state;
    static place p;
    random_numbers.state = 10;
    for (int i = 0; i < 60; ++i) {
        lode_world world = new_world();
        lode_shape_def def = lode_shape_def_default();
        draft_any(i);
        place_in(&p, world, random_pose(3), false);
        lode_vec3 normal = v3_normalize_or(random_vec(1), v3(0, 0, 1));
        lode_real offset = (lode_real)between(-3, 3);
        lode_shape plane = lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                                   normal, offset);
        double least = DBL_MAX, n[3];
        get(normal, n);
        for (int t = 0; t < p.count; ++t)
            for (int k = 0; k < 3; ++k)
                least = fmin(least, dot(n, p.at[t][k]) - (double)offset);
        lode_closest c, back;
        assert_true(lode_shape_find_closest(p.shape, plane, &c));
        assert_true(lode_shape_find_closest(plane, p.shape, &back));
        assert_true(near((double)c.distance, least, ROUNDING * 20));
        assert_true(near((double)back.distance, least, ROUNDING * 20));
        assert_true(near_vec(c.normal, normal, ROUNDING) &&
                    near_vec(v3_neg(back.normal), normal, ROUNDING));
        assert_true(near_vec(v3_madd(c.on_b, normal, c.distance), c.on_a, ROUNDING * 20));
        lode_world_destroy(world);
    }
}

static void meshes_know_how_far_they_are(void **state)
{
    (void)state;
    static place a, b;
    static lode_shape triangles[600];
    int apart = 0, touching = 0;
    random_numbers.state = 11;
    for (int i = 0; i < 16; ++i) {
        lode_world world = new_world();
        draft_star(&draft, 4, 7, 0.4, &random_numbers);
        place_in(&a, world, random_pose(2), false);
        if (i % 4)
            draft_star(&draft, 5, 6, 0.2, &random_numbers);
        else
            draft_box(&draft, 0.05, 0.1, 0.1);
        place_in(&b, world, random_pose(2), i % 2);
        for (int t = 0; t < a.count; ++t)
            triangles[t] = add_triangle(world, a.at[t]);
        for (int k = 0; k < 8; ++k) {
            lode_pose pose = random_pose(2);
            double x[3];
            if (k == 0) /* one within the other, or all but */
                pose.position = v3_sub(lode_shape_get_world_pose(a.shape).position,
                                       q_rotate(q_normalize(pose.rotation),
                                                lode_shape_get_def(b.shape).pose.position));
            lode_body_set_pose(b.body, pose);
            find_triangles(&b);
            draft.triangle_count = b.count;
            lode_closest c, one;
            assert_true(lode_shape_find_closest(a.shape, b.shape, &c));
            check_closest(a.shape, b.shape, &c);
            double least = DBL_MAX;
            for (int t = 0; t < a.count; ++t) {
                assert_true(lode_shape_find_closest(triangles[t], b.shape, &one));
                least = fmin(least, (double)one.distance);
            }
            for (int j = 0; j < 3; ++j)
                x[j] = b.at[0][0][j];
            if (is_inside(&a, x))
                least = 0;
            for (int j = 0; j < 3; ++j)
                x[j] = a.at[0][0][j];
            if (!(i % 2) && is_inside(&b, x))
                least = 0;
            assert_true(near((double)c.distance, least, ROUNDING * 20));
            apart += least > 0;
            touching += least == 0;
        }
        lode_world_destroy(world);
    }
    assert_true(apart > 20 && touching > 10);
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
        cmocka_unit_test(rays_see_triangles),
        cmocka_unit_test(a_box_of_triangles_is_hit_like_a_box),
        cmocka_unit_test(batches_find_what_each_ray_finds),
        cmocka_unit_test(holes_let_rays_through),
        cmocka_unit_test(points_know_their_depth_in_a_mesh),
        cmocka_unit_test(a_corner_of_two_solids_knows_its_outside),
        cmocka_unit_test(spheres_overlap_what_they_reach),
        cmocka_unit_test(solids_know_how_far_a_triangle_is),
        cmocka_unit_test(solids_know_how_far_a_mesh_is),
        cmocka_unit_test(planes_know_the_lowest_vertex),
        cmocka_unit_test(meshes_know_how_far_they_are),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
