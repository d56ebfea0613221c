/* test_summit.c: solids into which a summit of a mesh has come: a corner where all edges are
 * convex, or some of them, with faces as steep as 70 degrees. However the solid lies it must touch,
 * and going where its contacts push it must lead out; and steps must push it there. */
#include "core/math.h"
#include "tests/world/support.h"

#include "lode/hull.h"
#include "tests/collide/meshes.h"
#include "tests/support/random.h"

#include <math.h>

enum { KINDS = 5, SUMMITS = 40, POSES = 100, POINTS = 64, MOST_MOVES = 60 };

static mesh_draft draft;

/* A fan of triangles around the origin, most of which fall away from there; every other time all
 * do. */
static lode_shape add_summit(lode_world world, test_random *random, bool rough)
{
    int sides = 3 + (int)random_below(random, 6);
    double slope = random_between(random, 0.5, 2.7);
    draft.vertex_count = draft.triangle_count = 0;
    uint32_t top = draft_vertex(&draft, 0, 0, 0);
    for (int i = 0; i < sides; ++i) {
        double turn = 6.283185307179586 * (i + random_between(random, -0.3, 0.3)) / sides;
        double fall = slope * (rough ? random_between(random, 0.4, 1) : 1);
        draft_vertex(&draft, 4 * cos(turn), 4 * sin(turn), -4 * fall);
    }
    for (int i = 0; i < sides; ++i)
        draft_triangle(&draft, top, 1 + (uint32_t)i, 1 + (uint32_t)(i + 1) % (uint32_t)sides);
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_shape_def shape = lode_shape_def_default();
    lode_shape s = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
    lode_mesh_release(mesh);
    assert_true(lode_shape_is_valid(s));
    return s;
}

/* --- solids of about half a metre */

static lode_hull *make_octahedron(void)
{
    const lode_real points[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    lode_real half[18];
    for (int i = 0; i < 18; ++i)
        half[i] = points[i] / 2;
    lode_hull_def def = lode_hull_def_default();
    def.points = half;
    def.point_count = 6;
    lode_hull *hull = lode_hull_create(&def);
    assert_non_null(hull);
    return hull;
}

static lode_shape add_solid(lode_body body, int kind, lode_hull *hull)
{
    lode_shape_def def = lode_shape_def_default();
    switch (kind) {
    case 0:
        return lode_shape_create_box(body, &def, vec(0.5, 0.3, 0.2));
    case 1:
        return lode_shape_create_cylinder(body, &def, (lode_real)0.3, (lode_real)0.4);
    case 2:
        return lode_shape_create_hull(body, &def, hull);
    case 3:
        return lode_shape_create_capsule(body, &def, (lode_real)0.25, (lode_real)0.3);
    default:
        return lode_shape_create_sphere(body, &def, (lode_real)0.4);
    }
}

/* How far a point is within the solid; below 0: outside. A lower bound where edges are near. */
static double inside(int kind, lode_vec3 p)
{
    double x = fabs((double)p.x), y = fabs((double)p.y), z = fabs((double)p.z);
    switch (kind) {
    case 0:
        return fmin(0.5 - x, fmin(0.3 - y, 0.2 - z));
    case 1:
        return fmin(0.3 - sqrt(x * x + y * y), 0.4 - z);
    case 2:
        return (0.5 - x - y - z) / sqrt(3);
    case 3:
        z = fmax(z - 0.3, 0);
        return 0.25 - sqrt(x * x + y * y + z * z);
    default:
        return 0.4 - sqrt(x * x + y * y + z * z);
    }
}

static lode_quat any_rotation(test_random *random)
{
    double q[4], square = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = random_between(random, -1, 1);
        square += q[k] * q[k];
    }
    double s = square > 0.01 ? 1 / sqrt(square) : 0;
    if (s == 0)
        return (lode_quat){1, 0, 0, 0};
    return (lode_quat){(lode_real)(q[0] * s), (lode_real)(q[1] * s), (lode_real)(q[2] * s),
                       (lode_real)(q[3] * s)};
}

static lode_vec3 summit_in(lode_body body)
{
    lode_pose pose = lode_body_get_pose(body);
    return q_rotate_inv(pose.rotation, v3_neg(pose.position));
}

static double deepest(lode_shape solid, lode_shape mesh, lode_vec3 *out_normal)
{
    lode_collide_point points[POINTS];
    int count = lode_shape_collide(solid, mesh, NULL, points, POINTS);
    double most = 0;
    for (int i = 0; i < count && i < POINTS; ++i)
        if ((double)points[i].depth > most) {
            most = (double)points[i].depth;
            *out_normal = points[i].normal;
        }
    return most;
}

/* How many moves along the deepest contact's normal lead out. */
static int moves_out(lode_body body, lode_shape solid, lode_shape mesh)
{
    int moves = 0;
    lode_vec3 n = {0, 0, 0};
    double depth;
    while (moves < MOST_MOVES && (depth = deepest(solid, mesh, &n)) > 0.001) {
        lode_pose pose = lode_body_get_pose(body);
        pose.position.x += (lode_real)depth * n.x;
        pose.position.y += (lode_real)depth * n.y;
        pose.position.z += (lode_real)depth * n.z;
        assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
        ++moves;
    }
    return moves;
}

/* Above the middle of the solid there is more mesh than below: it is where no body that moves by
 * less than its size in a step comes to. */
static bool is_buried(lode_vec3 center)
{
    return (double)center.z < 0;
}

static void try_summit(test_random *random, int kind, bool rough, lode_hull *hull, int *tried)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_shape mesh = add_summit(world, random, rough);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 5);
    lode_shape solid = add_solid(body, kind, hull);
    for (int i = 0; i < POSES; ++i) {
        lode_vec3 at = vec(random_between(random, -0.4, 0.4), random_between(random, -0.4, 0.4),
                           random_between(random, -0.1, 0.5));
        lode_quat q = any_rotation(random);
        assert_int_equal(lode_body_set_pose(body, (lode_pose){at, q}), LODE_OK);
        if (inside(kind, summit_in(body)) < 0.01 || is_buried(at))
            continue;
        lode_vec3 n;
        assert_true(deepest(solid, mesh, &n) > 0.005);
        assert_true(moves_out(body, solid, mesh) < MOST_MOVES);
        assert_true(inside(kind, summit_in(body)) < 0.01);
        ++*tried;
    }
    lode_world_destroy(world);
}

static void a_summit_is_always_felt_and_left(void **state)
{
    (void)state;
    lode_hull *hull = make_octahedron();
    for (int kind = 0; kind < KINDS; ++kind) {
        test_random random = {7};
        int tried = 0;
        for (int i = 0; i < SUMMITS; ++i)
            try_summit(&random, kind, i % 2, hull, &tried);
        assert_true(tried > SUMMITS * POSES / 50);
    }
    lode_hull_release(hull);
}

/* --- steps */

/* A piece of a hilly ground, 4 m by 5. */
static void add_slope(lode_world world)
{
    static const double heights[6][5] = {
        {-0.214800, -0.010487, 0.186122, 0.530881, 0.541589},
        {-0.002346, 0.166596, 0.385232, 0.701139, 0.869826},
        {0.599538, 0.487814, 0.645429, 0.627868, 0.791502},
        {1.095976, 0.796876, 0.639423, 0.780107, 0.762180},
        {1.379980, 1.284050, 0.953682, 0.764265, 0.629382},
        {1.893286, 1.515776, 1.157282, 0.664924, 0.557973},
    };
    draft.vertex_count = draft.triangle_count = 0;
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 5; ++x)
            draft_vertex(&draft, x - 2, y - 2, heights[y][x]);
    for (uint32_t i = 0; i < 5 * 4; ++i) {
        uint32_t a = i / 4 * 5 + i % 4, c = a + 6;
        draft_triangle(&draft, a, a + 1, c - 1);
        draft_triangle(&draft, c, c - 1, a + 1);
    }
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_shape_def shape = lode_shape_def_default();
    lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
    lode_mesh_release(mesh);
}

static double deepest_of_all(lode_world world)
{
    lode_contact contacts[16];
    int count = lode_world_get_contacts(world, contacts, 16);
    double most = 0;
    assert_true(count <= 16);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            most = fmax(most, (double)contacts[i].points[k].depth);
    return most;
}

/* A box with one corner 38 mm in the ground and two places 3 and 6 mm above it. What is deeper
 * than the slop of 5 mm shrinks by 0.2 in each sub-step of PGS and of the direct solver, by nine
 * times as much a second in the soft step, so two seconds leave nothing of it; the other half of
 * the bound is for the soft step's springs, and for a box that has not come to rest. */
static void a_corner_is_pushed_out_beside_gaps(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        lode_world_def def = lode_world_def_default();
        def.solver = (lode_solver)solver;
        def.sub_steps = solver == LODE_SOLVER_DIRECT ? 1 : 4;
        def.iterations = 5;
        lode_world world = lode_world_create(&def);
        add_slope(world);
        lode_body body = add_body(world, LODE_DYNAMIC, -0.080931, 0.393169, 0.921396);
        lode_shape_def shape = lode_shape_def_default();
        lode_shape_create_box(body, &shape, vec(0.260124, 0.319031, 0.453906));
        lode_pose pose = lode_body_get_pose(body);
        pose.rotation = (lode_quat){(lode_real)0.5569192, (lode_real)0.3478510,
                                    (lode_real)0.6359814, (lode_real)-0.4054237};
        assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
        assert_int_equal(lode_world_step(world, (lode_real)(1.0 / 60)), LODE_OK);
        assert_true(deepest_of_all(world) > 0.03);
        for (int i = 0; i < 120; ++i)
            assert_int_equal(lode_world_step(world, (lode_real)(1.0 / 60)), LODE_OK);
        print_message("solver %d: %.2f mm\n", solver, 1e3 * deepest_of_all(world));
        assert_true(deepest_of_all(world) < 0.01);
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summit_is_always_felt_and_left),
        cmocka_unit_test(a_corner_is_pushed_out_beside_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
