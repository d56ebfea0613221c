/* Geometry that is wrong, or right and awkward. Each test says which it is: what is refused names
 * the argument, what is accepted gives the right answer, in a world and over steps. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

#define R(x) ((lode_real)(x))

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_world make_world(double surface_layer)
{
    lode_world_def def = lode_world_def_default();
    def.surface_layer = R(surface_layer);
    return lode_world_create(&def);
}

static void step(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static double height_of(lode_body body)
{
    return (double)lode_body_get_pose(body).position.z;
}

/* ---- hulls ---- */

static lode_real points[64][3];

static lode_hull *hull_of(int count)
{
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = count;
    report_clear();
    return lode_hull_create(&def);
}

static void set_corners(double x, double y, double z)
{
    for (int i = 0; i < 8; ++i) {
        points[i][0] = R(i & 1 ? x : -x);
        points[i][1] = R(i & 2 ? y : -y);
        points[i][2] = R(i & 4 ? z : -z);
    }
}

static void expect_no_hull(int count, const char *argument)
{
    assert_null(hull_of(count));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_hull_create", argument);
}

static void a_hull_of_too_few_points_is_refused(void **state)
{
    (void)state;
    set_corners(1, 1, 1);
    for (int count = 0; count < 4; ++count)
        expect_no_hull(count, "def.point_count");
    lode_hull *hull = hull_of(4); /* a face of the box */
    assert_null(hull);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_hull_create", "def.points");
}

static void a_hull_of_points_in_a_plane_is_refused(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        set_corners(1, 2, 3);
        for (int i = 0; i < 8; ++i)
            points[i][axis] = R(0.3);
        expect_no_hull(8, "def.points");
        for (int i = 0; i < 8; ++i) /* a plane that is not one of the axes' */
            points[i][axis] = points[i][(axis + 1) % 3] + points[i][(axis + 2) % 3];
        expect_no_hull(8, "def.points");
    }
}

static void a_hull_of_points_on_a_line_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i) {
        points[i][0] = R(i);
        points[i][1] = R(2 * i - 7);
        points[i][2] = R(0.5 * i);
    }
    expect_no_hull(20, "def.points");
}

static void a_hull_of_one_point_many_times_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i)
        memcpy(points[i], (lode_real[3]){3, 4, 5}, sizeof points[i]);
    expect_no_hull(20, "def.points");
}

/* Each corner eight times, and points within: the right answer is the box. */
static void a_hull_of_points_given_twice_is_right(void **state)
{
    (void)state;
    set_corners(R(0.5), R(0.5), R(0.5));
    for (int i = 8; i < 64; ++i)
        for (int k = 0; k < 3; ++k)
            points[i][k] = i < 56 ? points[i % 8][k] : points[i % 8][k] / 2;
    lode_hull *hull = hull_of(64);
    assert_non_null(hull);
    assert_int_equal(lode_hull_get_vertices(hull, NULL, 0), 8);
    assert_int_equal(lode_hull_get_face_count(hull), 6);
    lode_world world = make_world(0.005);
    lode_shape_def def = lode_shape_def_default();
    add_ground(world);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 1);
    lode_shape_create_hull(body, &def, hull);
    step(world, 120);
    assert_true(near(height_of(body), 0.5, 0.006));
    lode_world_destroy(world);
    lode_hull_release(hull);
}

/* ---- meshes ---- */

static float vertices[64][3];
static uint32_t indices[64][3];
static int vertex_count, triangle_count;

static uint32_t add_vertex(double x, double y, double z)
{
    float *v = vertices[vertex_count];
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
    return (uint32_t)vertex_count++;
}

static void add_triangle(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = indices[triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* A floor of 8 m in 4 x 4 squares at height 0, front up. */
static void set_floor(void)
{
    vertex_count = triangle_count = 0;
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
            add_vertex(2 * i - 4, 2 * j - 4, 0);
    for (uint32_t j = 0; j < 4; ++j)
        for (uint32_t i = 0; i < 4; ++i) {
            uint32_t a = 5 * j + i;
            add_triangle(a, a + 1, a + 6);
            add_triangle(a, a + 6, a + 5);
        }
}

static lode_mesh *make_mesh(void)
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.double_vertices = false;
    def.indices = indices;
    def.triangle_count = triangle_count;
    report_clear();
    return lode_mesh_create(&def);
}

static void add_mesh(lode_world world)
{
    lode_shape_def def = lode_shape_def_default();
    lode_mesh *mesh = make_mesh();
    assert_non_null(mesh);
    lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, mesh);
    lode_mesh_release(mesh);
}

static lode_body add_cube(lode_world world, double x, double y, double z, double half)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, R(x), R(y), R(z));
    lode_shape_create_box(body, &def, vec(R(half), R(half), R(half)));
    return body;
}

static void expect_no_mesh(const char *argument)
{
    assert_null(make_mesh());
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_mesh_create", argument);
}

static void a_mesh_with_a_vertex_that_is_no_number_is_refused(void **state)
{
    (void)state;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3 * 25; ++i) {
        set_floor();
        vertices[i / 3][i % 3] = bad[i % 3];
        expect_no_mesh("def.vertices");
    }
}

static void a_mesh_with_an_index_out_of_range_is_refused(void **state)
{
    (void)state;
    static const uint32_t bad[] = {25, 26, 0x7fffffff, 0x80000000, 0xffffffff};
    for (int i = 0; i < 3 * 32; ++i) {
        set_floor();
        indices[i / 3][i % 3] = bad[i % 5];
        expect_no_mesh("def.indices");
    }
}

static void a_mesh_of_nothing_but_slivers_is_refused(void **state)
{
    (void)state;
    vertex_count = triangle_count = 0;
    add_vertex(0, 0, 0), add_vertex(1, 1, 1), add_vertex(2, 2, 2);
    add_triangle(0, 1, 2);
    add_triangle(0, 0, 1);
    expect_no_mesh("def.indices");
}

/* What a cube and a ball do on the floor, as it was set up; and how much the floor carries. */
static void expect_they_rest(void)
{
    lode_world world = make_world(0.005);
    add_mesh(world);
    lode_body cube = add_cube(world, 0.3, 0.4, 0.6, 0.5), ball = add_ball(world, 2.2, 2.1, 1, 1);
    step(world, 200);
    lode_contact contacts[64];
    int count = lode_world_get_contacts(world, contacts, 64), cube_points = 0;
    double carried = 0, weight = ((double)lode_body_get_mass(cube).mass +
                                  (double)lode_body_get_mass(ball).mass) *
                                 9.81 * (double)STEP;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k) {
            double side = contacts[i].normal.z > 0 ? 1 : -1;
            carried += side * (double)contacts[i].points[k].impulse.z;
            cube_points += contacts[i].body_a.id == cube.id || contacts[i].body_b.id == cube.id;
            assert_true(near(fabs((double)contacts[i].normal.z), 1, 1e-4));
        }
    assert_int_equal(cube_points, 4);
    assert_true(near(carried, weight, 0.05 * weight));
    assert_true(near(height_of(cube), 0.5, 0.006) && near(height_of(ball), 1, 0.006));
    lode_world_destroy(world);
}

static void zero_area_triangles_change_nothing(void **state)
{
    (void)state;
    set_floor();
    expect_they_rest();
    for (uint32_t i = 0; i < 20; i += 2) {
        add_triangle(i, i, i + 1);
        add_triangle(i, i + 1, i + 1);
    }
    uint32_t middle = add_vertex(-1, 0, 0); /* on the line from 11 to 12 */
    add_triangle(11, middle, 12);
    expect_they_rest();
}

static void triangles_given_twice_carry_once(void **state)
{
    (void)state;
    set_floor();
    for (int i = 0; i < 32; ++i)
        add_triangle(indices[i][1], indices[i][2], indices[i][0]);
    expect_they_rest();
}

/* The square around (1, 1) is missing: a ball falls through it, a slab that is wider lies on the
 * rim. */
static void holes_let_through_what_fits(void **state)
{
    (void)state;
    set_floor();
    const int hole = 2 * (2 * 4 + 2);
    memmove(indices[hole], indices[hole + 2], (size_t)(32 - hole - 2) * sizeof *indices);
    triangle_count -= 2;
    lode_world world = make_world(0.005);
    add_mesh(world);
    lode_body ball = add_ball(world, 1, 1, 1, R(0.5));
    step(world, 200);
    assert_true(height_of(ball) < -5);
    lode_body_destroy(ball);
    lode_shape_def def = lode_shape_def_default();
    lode_body slab = add_body(world, LODE_DYNAMIC, 1, 1, R(0.3));
    lode_shape_create_box(slab, &def, vec(R(1.5), R(1.5), R(0.25)));
    step(world, 200);
    assert_true(near(height_of(slab), 0.25, 0.006));
    lode_world_destroy(world);
}

/* A fin on an edge of the floor: three triangles share it. A ball on either side rests on the floor
 * and leans on nothing; one between fin and floor is held by both. */
static void edges_of_three_triangles_are_felt_as_they_look(void **state)
{
    (void)state;
    set_floor();
    uint32_t top = add_vertex(1, 0, 2);
    add_triangle(12, 13, top); /* on the edge from (0, 0) to (2, 0), its front to -y */
    lode_mesh *mesh = make_mesh();
    assert_non_null(mesh);
    assert_int_equal(lode_mesh_get_info(mesh).shared_edge_count, 1);
    lode_mesh_release(mesh);
    lode_world world = make_world(0.005);
    add_mesh(world);
    lode_body front = add_ball(world, 1, R(-0.49), R(0.5), R(0.5));
    lode_body far = add_ball(world, -2, 2, R(0.5), R(0.5));
    step(world, 100);
    assert_true(near(height_of(front), 0.5, 0.006) && near(height_of(far), 0.5, 0.006));
    double y = (double)lode_body_get_pose(front).position.y;
    assert_true(y < -0.48 && y > -0.6);
    lode_body_set_linear_velocity(front, vec(0, 2, 0)); /* against the fin: it does not pass */
    step(world, 100);
    assert_true((double)lode_body_get_pose(front).position.y < -0.48);
    lode_world_destroy(world);
}

/* ---- sizes and places ---- */

static void boxes_of_zero_side_are_refused(void **state)
{
    (void)state;
    lode_world world = make_world(0.005);
    lode_body body = add_cube(world, 0, 0, 0, 1);
    lode_shape shape;
    lode_shape_def def = lode_shape_def_default();
    lode_body_get_shapes(body, &shape, 1);
    uint64_t before = lode_world_hash(world);
    for (int axis = 0; axis < 3; ++axis) {
        lode_vec3 half = {1, 1, 1};
        (&half.x)[axis] = axis == 1 ? -R(0.0) : 0;
        report_clear();
        assert_int_equal(lode_shape_create_box(body, &def, half).id, 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_create_box", "half_extents");
        report_clear();
        assert_int_equal(lode_shape_set_box(shape, half), LODE_ERROR_ARGUMENT);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_set_box", "half_extents");
        lode_cast cast = {lode_solid_box(half), {{0, 0, 5}, {1, 0, 0, 0}}, {0, 0, -9}};
        lode_cast_hit hit;
        report_clear();
        assert_false(lode_world_cast_shape(world, &cast, NULL, &hit));
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_cast_shape", "cast.solid");
    }
    assert_true(lode_world_hash(world) == before);
    lode_world_destroy(world);
}

enum { SOLIDS = 5 };

/* A solid that reaches 1 below its origin. */
static void add_solid(lode_body body, int which, lode_hull *hull)
{
    lode_shape_def def = lode_shape_def_default();
    lode_shape shapes[SOLIDS] = {{0}};
    switch (which) {
    case 0:
        shapes[0] = lode_shape_create_sphere(body, &def, 1);
        break;
    case 1:
        shapes[0] = lode_shape_create_box(body, &def, vec(1, 1, 1));
        break;
    case 2:
        shapes[0] = lode_shape_create_capsule(body, &def, R(0.5), R(0.5));
        break;
    case 3:
        shapes[0] = lode_shape_create_cylinder(body, &def, 1, 1);
        break;
    default:
        shapes[0] = lode_shape_create_hull(body, &def, hull);
    }
    assert_true(shapes[0].id);
}

static lode_heightfield *make_field(void)
{
    static const float heights[4] = {0, 0, 0, 0};
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = def.rows = 2;
    def.spacing_x = def.spacing_y = 8;
    def.samples = heights;
    def.type = LODE_SAMPLE_FLOAT;
    return lode_heightfield_create(&def);
}

/* Grounds whose top is at height 0, with (0, 0) in their midst. */
static void add_ground_of_kind(lode_world world, int which, lode_vec3 at)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_STATIC, at.x, at.y, at.z);
    if (which == 0) {
        lode_shape_create_plane(body, &def, vec(0, 0, 1), 0);
    } else if (which == 1) {
        def.pose.position = vec(0, 0, -2);
        lode_shape_create_box(body, &def, vec(4, 4, 2));
    } else if (which == 2) {
        set_floor();
        lode_mesh *mesh = make_mesh();
        lode_shape_create_mesh(body, &def, mesh);
        lode_mesh_release(mesh);
    } else {
        lode_heightfield *field = make_field();
        def.pose.position = vec(-4, -4, 0);
        lode_shape_create_heightfield(body, &def, field);
        lode_heightfield_release(field);
    }
}

/* Ten thousand kilometres away, where single precision has whole metres: bodies stand there as they
 * do at the origin, on the plane, a box, a mesh and a field. */
static void bodies_rest_at_coordinates_of_ten_million(void **state)
{
    (void)state;
    set_corners(1, 1, 1);
    lode_hull *hull = hull_of(8);
    for (int ground = 0; ground < 4; ++ground)
        for (int solid = 0; solid < SOLIDS; ++solid) {
            double heights[2];
            for (int away = 0; away < 2; ++away) {
                lode_world world = make_world(0.005);
                lode_vec3 at = vec(R(1e7 * away), R(-1e7 * away), 0);
                /* a box's centre of mass is beside its body's origin: bodies are what is far
                 * away */
                add_ground_of_kind(world, ground, at);
                lode_body body = add_body(world, LODE_DYNAMIC, at.x, at.y, 1);
                add_solid(body, solid, hull);
                step(world, 60);
                heights[away] = height_of(body);
                lode_vec3 end = lode_body_get_pose(body).position;
                assert_true(near((double)end.x, (double)at.x, 0.01) &&
                            near((double)end.y, (double)at.y, 0.01));
                assert_true(lode_world_get_contacts(world, NULL, 0) > 0);
                lode_world_destroy(world);
            }
            assert_true(near(heights[0], 1, 0.006) && near(heights[1], heights[0], 1e-4));
        }
    lode_hull_release(hull);
}

/* A grain of sand on a hill of a kilometre, beside a ball as large as the hill. */
static void a_millimetre_and_a_kilometre_share_a_world(void **state)
{
    (void)state;
    lode_world world = make_world(1e-5);
    lode_shape_def def = lode_shape_def_default();
    lode_body hill = add_body(world, LODE_STATIC, 0, 0, -500);
    lode_shape_create_box(hill, &def, vec(500, 500, 500));
    lode_body ball = add_ball(world, 0, 0, 500, 500);
    lode_body grain = add_ball(world, 100, 0, R(0.001), R(0.001));
    lode_body chip = add_cube(world, -100, 20, 0.001, 0.001);
    step(world, 120);
    assert_true(near(height_of(grain), 0.001, 2e-4) && near(height_of(chip), 0.001, 2e-4));
    assert_true(near(height_of(ball), 500, 0.01));
    assert_true(lode_world_get_contacts(world, NULL, 0) >= 3);
    lode_world_destroy(world);
}

/* ---- nothing is full ---- */

/* 150 balls in one place touch each other all: 11,175 contacts. */
static void every_pair_of_a_crowd_touches(void **state)
{
    (void)state;
    enum { CROWD = 150 };
    test_random random = {3};
    lode_world world = make_world(0.005);
    for (int i = 0; i < CROWD; ++i)
        add_ball(world, R(random_between(&random, -0.1, 0.1)),
                 R(random_between(&random, -0.1, 0.1)), R(random_between(&random, -0.1, 0.1)), 1);
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), CROWD * (CROWD - 1) / 2);
    lode_world_destroy(world);
}

/* A ball in an icosahedron that is too small for it by 0.02 all around: twenty walls, twenty
 * normals, and from each the same depth. */
static void every_wall_of_a_tight_room_is_felt(void **state)
{
    (void)state;
    const double golden = 1.618033988749895, inside = golden * golden / sqrt(3);
    vertex_count = triangle_count = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 4; ++i) {
            double v[3] = {0};
            v[axis] = i & 1 ? 1 : -1;
            v[(axis + 1) % 3] = i & 2 ? golden : -golden;
            add_vertex(v[0], v[1], v[2]);
        }
    for (uint32_t a = 0; a < 12; ++a)
        for (uint32_t b = a + 1; b < 12; ++b)
            for (uint32_t c = b + 1; c < 12; ++c) {
                const float *p = vertices[a], *q = vertices[b], *r = vertices[c];
                double pq = 0, qr = 0, rp = 0, turn = 0;
                for (int k = 0; k < 3; ++k) {
                    int l = (k + 1) % 3, m = (k + 2) % 3;
                    pq += (double)(p[k] - q[k]) * (double)(p[k] - q[k]);
                    qr += (double)(q[k] - r[k]) * (double)(q[k] - r[k]);
                    rp += (double)(r[k] - p[k]) * (double)(r[k] - p[k]);
                    turn += (double)p[k] *
                            ((double)q[l] * (double)r[m] - (double)q[m] * (double)r[l]);
                }
                if (!near(pq, 4, 0.01) || !near(qr, 4, 0.01) || !near(rp, 4, 0.01))
                    continue;
                if (turn > 0)
                    add_triangle(a, c, b); /* fronts inwards */
                else
                    add_triangle(a, b, c);
            }
    assert_int_equal(triangle_count, 20);
    lode_world world = make_world(0.005);
    add_mesh(world);
    lode_body ball = add_ball(world, 0, 0, 0, R(inside + 0.02));
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    lode_contact contacts[64];
    assert_int_equal(lode_world_get_contacts(world, contacts, 64), 20);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(contacts[i].point_count, 1);
        assert_true(near((double)contacts[i].points[0].depth, 0.02, 1e-5));
        for (int k = 0; k < i; ++k) {
            double d = (double)contacts[i].normal.x * (double)contacts[k].normal.x +
                       (double)contacts[i].normal.y * (double)contacts[k].normal.y +
                       (double)contacts[i].normal.z * (double)contacts[k].normal.z;
            assert_true(d < 0.8);
        }
    }
    assert_true(lode_body_is_valid(ball));
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_of_too_few_points_is_refused),
        cmocka_unit_test(a_hull_of_points_in_a_plane_is_refused),
        cmocka_unit_test(a_hull_of_points_on_a_line_is_refused),
        cmocka_unit_test(a_hull_of_one_point_many_times_is_refused),
        cmocka_unit_test(a_hull_of_points_given_twice_is_right),
        cmocka_unit_test(a_mesh_with_a_vertex_that_is_no_number_is_refused),
        cmocka_unit_test(a_mesh_with_an_index_out_of_range_is_refused),
        cmocka_unit_test(a_mesh_of_nothing_but_slivers_is_refused),
        cmocka_unit_test(zero_area_triangles_change_nothing),
        cmocka_unit_test(triangles_given_twice_carry_once),
        cmocka_unit_test(holes_let_through_what_fits),
        cmocka_unit_test(edges_of_three_triangles_are_felt_as_they_look),
        cmocka_unit_test(boxes_of_zero_side_are_refused),
        cmocka_unit_test(bodies_rest_at_coordinates_of_ten_million),
        cmocka_unit_test(a_millimetre_and_a_kilometre_share_a_world),
        cmocka_unit_test(every_pair_of_a_crowd_touches),
        cmocka_unit_test(every_wall_of_a_tight_room_is_felt),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
