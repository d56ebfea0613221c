/* test_solid_rims.c: convex solids about the rims and folds of surfaces that enclose nothing and
 * have one side: triangles alone, small rough height fields, the meshes of the same triangles.
 *
 *   passing     who is apart from all triangles by more than the margin touches nothing, whatever
 *               is behind whom: a solid may reach round a rim;
 *   touching    who overlaps triangles from the front of each touches;
 *   any         any one point is told where a step would tell some, and else none.
 *
 * Whether a solid is in front is known by growing it: its middle is before the plane, and as it
 * grows from there to what it is, it meets the triangle's front or its rim first. Distances are
 * those of single triangles, which test_mesh_query.c holds against supports. */
#include "tests/world/support.h"

#include "lode/hull.h"
#include "tests/collide/fields.h"

#include <math.h>
#include <string.h>

typedef enum kind { SPHERE, CAPSULE, BOX, CYLINDER, HULL, KINDS } kind;

static const char *const names[KINDS] = {"sphere", "capsule", "box", "cylinder", "hull"};

enum { SURFACES = 120, POSES = 40, MOST_TRIANGLES = 32, MOST_POINTS = 512 };

/* m: of the contacts; what is nearer may touch. */
#define MARGIN 0.008

/* Of the size: what rounding cannot take away, and what makes a middle be before a plane. */
#define SURELY 0.98
#define IN_FRONT 0.01

static test_random numbers;
static mesh_draft equal, single;
static field_draft field;

static lode_world world;
static lode_shape surface, triangles[MOST_TRIANGLES], shapes[KINDS];
static lode_body bodies[KINDS];
static double up[MOST_TRIANGLES][3];
static int triangle_count;

static double between(double lo, double hi)
{
    return random_between(&numbers, lo, hi);
}

static lode_vec3 any_vector(double most)
{
    double x = between(-most, most), y = between(-most, most), z = between(-most, most);
    return vec((lode_real)x, (lode_real)y, (lode_real)z);
}

/* ---- what is there ---- */

static lode_shape add_mesh(const mesh_draft *draft)
{
    lode_mesh_def def = draft_def(draft);
    lode_shape_def shape = lode_shape_def_default();
    lode_mesh *mesh = lode_mesh_create(&def);
    if (!mesh)
        return (lode_shape){0};
    lode_shape s = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &shape, mesh);
    lode_mesh_release(mesh);
    return s;
}

static lode_shape add_field(void)
{
    lode_heightfield_def def = field_def(&field);
    lode_shape_def shape = lode_shape_def_default();
    lode_heightfield *made = lode_heightfield_create(&def);
    lode_shape s = lode_shape_create_heightfield(add_body(world, LODE_STATIC, 0, 0, 0), &shape,
                                                 made);
    lode_heightfield_release(made);
    return s;
}

/* Each triangle by itself, and its unit normal. */
static void add_triangles(void)
{
    triangle_count = equal.triangle_count;
    for (int i = 0; i < triangle_count; ++i) {
        lode_vec3 c[3];
        single.vertex_count = single.triangle_count = 0;
        for (int k = 0; k < 3; ++k) {
            const float *v = equal.vertices[equal.indices[i][k]];
            draft_vertex(&single, (double)v[0], (double)v[1], (double)v[2]);
        }
        draft_triangle(&single, 0, 1, 2);
        triangles[i] = add_mesh(&single);
        lode_shape_get_triangle(triangles[i], 0, c);
        const double e[3] = {(double)(c[1].x - c[0].x), (double)(c[1].y - c[0].y),
                             (double)(c[1].z - c[0].z)};
        const double f[3] = {(double)(c[2].x - c[0].x), (double)(c[2].y - c[0].y),
                             (double)(c[2].z - c[0].z)};
        double length = 0;
        for (int k = 0; k < 3; ++k) {
            up[i][k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
            length += up[i][k] * up[i][k];
        }
        for (int k = 0; k < 3; ++k)
            up[i][k] /= sqrt(length);
    }
}

/* A field, the mesh of its triangles, or one or two triangles with an edge in common. */
static void add_surface(int which)
{
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    int columns = 2 + (int)random_below(&numbers, 3), rows = 2 + (int)random_below(&numbers, 3);
    draft_rough(&field, &numbers, columns, rows, 4, pow(10, between(-1, 0.8)));
    if (random_below(&numbers, 2)) /* pleats, up to a hundred thousand times as high as wide */
        field.spacing_y *= pow(10, between(-5, 0));
    draft_equal(&equal, &field, NULL);
    if (which == 2) {
        equal.vertex_count = equal.triangle_count = 0;
        for (int i = 0; i < 4; ++i) {
            double x = between(-1, 1), y = between(-1, 1);
            draft_vertex(&equal, x, y, between(-1, 1));
        }
        draft_triangle(&equal, 0, 1, 2);
        if (random_below(&numbers, 2))
            draft_triangle(&equal, 2, 1, 3);
    }
    surface = which == 0 ? add_field() : add_mesh(&equal);
    add_triangles();
}

/* A solid that is `scale` times as large as the shape; hulls here are boxes. */
static lode_solid scaled(kind k, double scale)
{
    lode_solid s = lode_shape_get_solid(shapes[k == HULL ? BOX : k]);
    s.radius *= (lode_real)scale;
    s.half_length *= (lode_real)scale;
    s.half_extents.x *= (lode_real)scale;
    s.half_extents.y *= (lode_real)scale;
    s.half_extents.z *= (lode_real)scale;
    return s;
}

static lode_hull *make_hull(lode_vec3 half)
{
    lode_real points[8][3];
    for (int i = 0; i < 8; ++i) {
        points[i][0] = i & 1 ? half.x : -half.x;
        points[i][1] = i & 2 ? half.y : -half.y;
        points[i][2] = i & 4 ? half.z : -half.z;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 8;
    return lode_hull_create(&def);
}

static void add_solids(void)
{
    lode_real size[3];
    for (int i = 0; i < 3; ++i)
        size[i] = (lode_real)pow(10, between(-1.5, 0.7));
    lode_shape_def def = lode_shape_def_default();
    lode_vec3 half = vec(size[0], size[1], size[2]);
    lode_hull *hull = make_hull(half);
    for (int k = 0; k < KINDS; ++k)
        bodies[k] = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    shapes[SPHERE] = lode_shape_create_sphere(bodies[SPHERE], &def, size[0]);
    shapes[CAPSULE] = lode_shape_create_capsule(bodies[CAPSULE], &def, size[0], size[1]);
    shapes[BOX] = lode_shape_create_box(bodies[BOX], &def, half);
    shapes[CYLINDER] = lode_shape_create_cylinder(bodies[CYLINDER], &def, size[0], size[1]);
    shapes[HULL] = lode_shape_create_hull(bodies[HULL], &def, hull);
    lode_hull_release(hull);
}

/* ---- what is true of them ---- */

static lode_closest closest(int triangle, kind k, double scale, lode_pose pose)
{
    lode_closest c;
    lode_solid solid = scaled(k, scale);
    assert_true(lode_shape_find_closest_to(triangles[triangle], &solid, pose, &c));
    return c;
}

/* Along the triangle's normal, from the triangle to the solid. */
static double rise_of(int triangle, lode_vec3 n)
{
    return -(up[triangle][0] * (double)n.x + up[triangle][1] * (double)n.y +
             up[triangle][2] * (double)n.z);
}

static double size_of(kind k)
{
    lode_solid s = scaled(k, 1);
    double x = (double)s.half_extents.x, y = (double)s.half_extents.y, z = (double)s.half_extents.z;
    return (double)s.radius + (double)s.half_length + sqrt(x * x + y * y + z * z);
}

static bool comes_from_front(int triangle, kind k, lode_pose pose)
{
    lode_vec3 corners[3];
    lode_shape_get_triangle(triangles[triangle], 0, corners);
    lode_vec3 from = vec(corners[0].x - pose.position.x, corners[0].y - pose.position.y,
                         corners[0].z - pose.position.z);
    if (!(rise_of(triangle, from) > IN_FRONT * size_of(k)))
        return false;
    double apart = 0, meets = 1, rise = 0;
    for (int i = 0; i < 12; ++i) {
        double scale = (apart + meets) / 2;
        lode_closest c = closest(triangle, k, fmax(scale, 1e-3), pose);
        if (c.distance > 0) {
            apart = scale;
            rise = rise_of(triangle, c.normal);
        } else {
            meets = scale;
        }
    }
    return rise > 0.01;
}

typedef struct truth {
    double least;  /* m, from the nearest triangle */
    bool touching; /* a contact is owed */
} truth;

static truth truth_of(kind k, lode_pose pose)
{
    truth t = {INFINITY, false};
    for (int i = 0; i < triangle_count; ++i) {
        double distance = (double)closest(i, k, 1, pose).distance;
        t.least = fmin(t.least, distance);
        t.touching |= closest(i, k, SURELY, pose).distance <= 0;
    }
    for (int i = 0; i < triangle_count && t.touching; ++i)
        if (closest(i, k, 1, pose).distance <= 0 && !comes_from_front(i, k, pose))
            t.touching = false;
    return t;
}

/* ---- what is told ---- */

static int told(kind k, lode_collide_choice choice, bool swapped)
{
    static lode_collide_point points[MOST_POINTS];
    const lode_collide_options options = {choice, (lode_real)MARGIN};
    return lode_shape_collide(swapped ? shapes[k] : surface, swapped ? surface : shapes[k],
                              &options, points, MOST_POINTS);
}

static int passing[KINDS], touching[KINDS];

static void hold(kind k, lode_pose pose, int seed, int number)
{
    assert_int_equal(lode_body_set_pose(bodies[k], pose), LODE_OK);
    truth t = truth_of(k, pose);
    for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice)
        for (int swapped = 0; swapped < 2; ++swapped) {
            int count = told(k, (lode_collide_choice)choice, swapped);
            if ((t.least > MARGIN * 1.01 && count > 0) || (t.touching && count == 0))
                fail_msg("surface %d, pose %d, a %s, choice %d: %d points, %g apart", seed, number,
                         names[k], choice, count, t.least);
        }
    assert_int_equal(told(k, LODE_COLLIDE_ANY, false) > 0,
                     told(k, LODE_COLLIDE_REDUCED, false) > 0);
    passing[k] += t.least > MARGIN * 1.01;
    touching[k] += t.touching;
}

/* Each surface and what is about it follow from a number. */
static void look_at(int seed)
{
    numbers.state = (uint64_t)seed;
    add_surface(seed % 3);
    if (surface.id)
        add_solids();
    for (int i = 0; surface.id && i < POSES * KINDS; ++i) {
        double far = between(0.5, 4);
        lode_vec3 at = any_vector(far), axis = any_vector(1);
        lode_quat turn = {(lode_real)between(-1, 1), axis.x, axis.y, axis.z};
        hold((kind)(i % KINDS), (lode_pose){at, q_normalize(turn)}, seed, i);
    }
    lode_world_destroy(world);
}

static void solids_touch_what_they_come_at(void **state)
{
    (void)state;
    memset(passing, 0, sizeof passing);
    memset(touching, 0, sizeof touching);
    for (int i = 0; i < SURFACES; ++i)
        look_at(i);
    for (int k = 0; k < KINDS; ++k)
        assert_true(passing[k] > SURFACES && touching[k] > SURFACES);
}

/* Numbers of surfaces that showed a defect, of thousands that showed none: a long capsule whose
 * axis comes down past a rim; one beyond an acute corner of a sliver; one that leaves its end to a
 * triangle that is not near. */
static void seldom_surfaces_are_told_right(void **state)
{
    (void)state;
    static const int seeds[] = {152, 1059, 2152};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i)
        look_at(seeds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_touch_what_they_come_at),
        cmocka_unit_test(seldom_surfaces_are_told_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
