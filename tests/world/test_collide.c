/* Contacts of two shapes on the spot: the same as in a step where that finds them, more of them
 * where all are asked for, and right by reckoning. */
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/swapped.h"

#include <math.h>
#include <string.h>

enum { POINTS_MOST = 512 };

static lode_world world;
static lode_collide_point points[POINTS_MOST];

static int set_up(void **state)
{
    lode_world_def def = lode_world_def_default();
    (void)state;
    report_install();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static int collide(lode_shape a, lode_shape b, lode_collide_choice choice, double margin,
                   int capacity)
{
    lode_collide_options options = {choice, (lode_real)margin};
    return lode_shape_collide(a, b, &options, points, capacity);
}

static lode_mesh *make_mesh(int n, double size, double rise)
{
    static float vertices[33 * 33][3];
    static unsigned triangles[2 * 32 * 32][3];
    int count = 0;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k) {
            float *v = vertices[i * (n + 1) + k];
            v[0] = (float)(size * i / n - size / 2);
            v[1] = (float)(size * k / n - size / 2);
            v[2] = (float)(rise * sin(i * 1.3) * cos(k * 0.9));
        }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            unsigned a = (unsigned)(i * (n + 1) + k), b = a + (unsigned)n + 1;
            const unsigned two[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
            memcpy(triangles[count], two, sizeof two);
            count += 2;
        }
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = (n + 1) * (n + 1);
    def.double_vertices = false;
    def.indices = triangles;
    def.triangle_count = count;
    return lode_mesh_create(&def);
}

static lode_hull *make_hull(test_random *random)
{
    lode_real cloud[24][3];
    for (int i = 0; i < 24; ++i)
        for (int k = 0; k < 3; ++k)
            cloud[i][k] = (lode_real)random_between(random, -0.5, 0.5);
    lode_hull_def def = lode_hull_def_default();
    def.points = cloud[0];
    def.point_count = 24;
    return lode_hull_create(&def);
}

static void add_shape(lode_body body, test_random *random, uint32_t kind)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real a = (lode_real)random_between(random, 0.2, 0.5);
    lode_real b = (lode_real)random_between(random, 0.2, 0.5);
    def.pose.position = vec(b / 4, 0, a / 4);
    lode_hull *hull = NULL;
    switch (kind) {
    case 0:
        lode_shape_create_sphere(body, &def, a);
        break;
    case 1:
        lode_shape_create_box(body, &def, vec(a, b, a));
        break;
    case 2:
        lode_shape_create_capsule(body, &def, a, b);
        break;
    case 3:
        lode_shape_create_cylinder(body, &def, a, b);
        break;
    default:
        hull = make_hull(random);
        lode_shape_create_hull(body, &def, hull);
        lode_hull_release(hull);
    }
}

/* A heap of everything on a mesh and a plane. */
static void make_heap(uint64_t seed)
{
    test_random random = {seed};
    lode_shape_def def = lode_shape_def_default();
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_mesh *mesh = make_mesh(12, 8, 0.4);
    lode_shape_create_mesh(ground, &def, mesh);
    lode_mesh_release(mesh);
    lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0), &def, vec(1, 0, 1), -1);
    for (int i = 0; i < 60; ++i) {
        lode_body_def body = lode_body_def_default();
        body.type = LODE_DYNAMIC;
        body.position = vec((lode_real)random_between(&random, -2, 2),
                            (lode_real)random_between(&random, -2, 2),
                            (lode_real)random_between(&random, 0.5, 4));
        body.rotation = (lode_quat){(lode_real)random_between(&random, -1, 1),
                                    (lode_real)random_between(&random, -1, 1),
                                    (lode_real)random_between(&random, -1, 1), 1};
        add_shape(lode_body_create(world, &body), &random, (uint32_t)(i % 5));
    }
}

/* ---- as in a step ---- */

static bool same_point(const lode_collide_point *p, const lode_contact *c,
                       const lode_contact_point *q)
{
    return near_vec(p->position, q->position, 0) && near_vec(p->normal, c->normal, 0) &&
           p->depth == q->depth && p->feature == q->feature && p->child_a == q->child_a &&
           p->child_b == q->child_b;
}

static int check_contact(const lode_contact *c)
{
    int count = collide(c->shape_a, c->shape_b, LODE_COLLIDE_REDUCED, 0.008, POINTS_MOST);
    assert_true(count >= c->point_count);
    for (int k = 0; k < c->point_count; ++k) {
        bool found = false;
        for (int i = 0; i < count && !found; ++i)
            found = same_point(&points[i], c, &c->points[k]);
        assert_true(found);
    }
    return c->point_count;
}

static void they_are_those_of_a_step(void **state)
{
    (void)state;
    static lode_contact contacts[2048];
    int checked = 0;
    make_heap(3);
    for (int step = 0; step < 120; ++step) {
        assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
        if (step % 10 == 0) {
            int count = lode_world_get_contacts(world, contacts, 2048);
            uint64_t hash = lode_world_hash(world);
            for (int i = 0; i < count; ++i)
                checked += check_contact(&contacts[i]);
            assert_true(lode_world_hash(world) == hash);
        }
        assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    }
    assert_true(checked > 1000);
}

/* ---- choices ---- */

static double deepest(int count)
{
    double most = -1e9;
    for (int i = 0; i < count; ++i)
        most = fmax(most, (double)points[i].depth);
    return most;
}

/* Of these the deepest point leads out of the whole (tests/world/test_way_out.c): it may be none of
 * all, and stand for those that are deeper. */
static bool is_surface(lode_shape shape)
{
    lode_shape_type type = lode_shape_get_type(shape);
    return type == LODE_MESH || type == LODE_HEIGHTFIELD;
}

static bool is_polyhedron(lode_shape shape)
{
    lode_shape_type type = lode_shape_get_type(shape);
    return type == LODE_BOX || type == LODE_HULL;
}

static void check_choices(lode_shape a, lode_shape b)
{
    bool surface = is_surface(a) || is_surface(b), least = is_polyhedron(a) && is_polyhedron(b);
    const double margin = 0.004;
    int reduced = collide(a, b, LODE_COLLIDE_REDUCED, margin, POINTS_MOST);
    double depth = deepest(reduced);
    int all = collide(a, b, LODE_COLLIDE_ALL, margin, POINTS_MOST);
    assert_true(all < POINTS_MOST && (all > 0 || reduced == 0 || depth < 0));
    assert_int_equal(collide(a, b, LODE_COLLIDE_ALL, margin, 0), all);
    for (int i = 0; i < all; ++i) {
        lode_vec3 n = points[i].normal;
        assert_true(near((double)(n.x * n.x + n.y * n.y + n.z * n.z), 1, 1e-5));
        assert_true((double)points[i].depth > -margin);
    }
    /* one answer by two methods; what is deep has several ways out that are all but equal */
    if (reduced > 0 && all > 0 && depth < 0.05)
        assert_true(near(deepest(all), depth, 0.005));
    double most = deepest(all);
    for (int n = 1; n <= all && n < 7; ++n) {
        int count = collide(a, b, LODE_COLLIDE_DEEPEST, margin, n);
        /* out of a surface the deepest leads as a whole; of boxes and hulls it is that of the least
         * way out, and others of that way follow */
        assert_true(surface || least ? count >= 1 && count <= n : count == n);
        assert_true((double)points[0].depth == most || (surface && most > 0) ||
                    (least && (double)points[0].depth < most + 1e-5));
        for (int i = 1; i < count; ++i)
            assert_true(points[i].depth <= points[i - 1].depth);
    }
    for (int n = 1; n <= reduced && n < 7; ++n) {
        assert_int_equal(collide(a, b, LODE_COLLIDE_REDUCED, margin, n), n);
        assert_true(n == reduced || (double)points[0].depth == depth);
    }
    int any = collide(a, b, LODE_COLLIDE_ANY, margin, POINTS_MOST);
    assert_int_equal(any, reduced > 0);
    assert_true(!any || (double)points[0].depth > -margin);
    assert_int_equal(collide(a, b, LODE_COLLIDE_ANY, margin, 0), any);
}

static void check_swapped(lode_shape a, lode_shape b)
{
    for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice)
        assert_true(ask_both_ways(a, b, (lode_collide_choice)choice, 0.004, SWAPPED_MOST) >= 0);
    assert_true(closest_both_ways(a, b));
}

static void choices_agree(void **state)
{
    (void)state;
    make_heap(7);
    int touching = 0;
    for (int step = 0; step < 80; ++step)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_body bodies[128];
    lode_shape shapes[128];
    int count = lode_world_get_bodies(world, bodies, 128);
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_body_get_shapes(bodies[i], &shapes[i], 1), 1);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
            if (i == k)
                continue;
            check_choices(shapes[i], shapes[k]);
            touching += collide(shapes[i], shapes[k], LODE_COLLIDE_ANY, 0, 1);
            if (i < k)
                check_swapped(shapes[i], shapes[k]);
        }
    assert_true(touching >= 40); /* or the test looks at next to nothing */
}

/* ---- all of boxes and hulls ---- */

static lode_quat random_turn(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        square += q[i] * q[i];
    }
    square = square > 1e-6 ? square : 1;
    double by = 1 / sqrt(square);
    return (lode_quat){(lode_real)(q[0] * by), (lode_real)(q[1] * by), (lode_real)(q[2] * by),
                       (lode_real)(q[3] * by)};
}

/* A box, or an eight-sided prism: flat on each other they have more than four points. */
static lode_shape add_solid(lode_body body, test_random *random, bool is_box)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real radius = (lode_real)random_between(random, 0.2, 0.5);
    lode_real half = (lode_real)random_between(random, 0.2, 0.4), cloud[16][3];
    if (is_box)
        return lode_shape_create_box(body, &def, vec(radius, (lode_real)0.3, half));
    for (int i = 0; i < 16; ++i) {
        cloud[i][0] = radius * (lode_real)cos(i / 2 * 0.785398 + 0.1);
        cloud[i][1] = radius * (lode_real)sin(i / 2 * 0.785398 + 0.1);
        cloud[i][2] = i % 2 ? half : -half;
    }
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = cloud[0];
    hull_def.point_count = 16;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, &def, hull);
    lode_hull_release(hull);
    return shape;
}

/* Flat on each other in one of three cases, else turned at will; some centimetres deep or apart. */
static void place_pair(test_random *random, lode_body a, lode_body b)
{
    lode_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
    bool flat = random_between(random, 0, 1) < 0.3;
    if (!flat)
        pose.rotation = random_turn(random);
    assert_int_equal(lode_body_set_pose(a, pose), LODE_OK);
    lode_quat turn = random_turn(random);
    double length = sqrt((double)(turn.w * turn.w + turn.z * turn.z));
    if (flat)
        pose.rotation = (lode_quat){(lode_real)((double)turn.w / length), 0, 0,
                                    (lode_real)((double)turn.z / length)};
    else
        pose.rotation = turn;
    pose.position.x = (lode_real)random_between(random, -0.5, 0.5);
    pose.position.y = (lode_real)random_between(random, -0.5, 0.5);
    pose.position.z = (lode_real)random_between(random, flat ? 0.45 : 0.2, 0.9);
    assert_int_equal(lode_body_set_pose(b, pose), LODE_OK);
}

static bool same_place(const lode_collide_point *a, const lode_collide_point *b)
{
    return memcmp(&a->position, &b->position, sizeof a->position) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 &&
           memcmp(&a->depth, &b->depth, sizeof a->depth) == 0;
}

/* Each of the points of a step is one of all, in the same place and with the same name; names occur
 * once; all are those of the step if they are few. Returns how many they are. */
static int check_names(lode_shape a, lode_shape b)
{
    const double margin = 0.004;
    lode_collide_point kept[4];
    int reduced = collide(a, b, LODE_COLLIDE_REDUCED, margin, 4);
    memcpy(kept, points, sizeof kept);
    int all = collide(a, b, LODE_COLLIDE_ALL, margin, POINTS_MOST);
    assert_true(all >= reduced && (reduced > 0 || all == 0));
    for (int i = 0; i < all; ++i)
        for (int k = 0; k < i; ++k)
            assert_true(points[i].feature != points[k].feature);
    for (int k = 0; k < reduced; ++k) {
        int found = 0;
        for (int i = 0; i < all; ++i)
            if (points[i].feature == kept[k].feature) {
                assert_true(same_place(&points[i], &kept[k]));
                ++found;
            }
        assert_int_equal(found, 1);
    }
    return all;
}

static void all_points_have_the_names_of_a_step(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) { /* box-box, box-hull, hull-box, hull-hull */
        test_random random = {(uint64_t)i + 5};
        int one = 0, many = 0;
        for (int k = 0; k < 25; ++k) {
            lode_body a = add_body(world, LODE_DYNAMIC, 0, 0, 0);
            lode_body b = add_body(world, LODE_DYNAMIC, 0, 0, 0);
            lode_shape shape_a = add_solid(a, &random, i < 2);
            lode_shape shape_b = add_solid(b, &random, i % 2 == 0);
            for (int j = 0; j < 40; ++j) {
                place_pair(&random, a, b);
                int all = check_names(shape_a, shape_b);
                one += all == 1;
                many += all > 4;
            }
            lode_body_destroy(a);
            lode_body_destroy(b);
        }
        assert_true(one > 30 && many > 30);
    }
}

/* ---- the order of the shapes ---- */

/* Sheets that cross each other, and two that lie on each other face to face, where all ways out are
 * equally good. */
static void open_sheets_swapped(void **state)
{
    (void)state;
    test_random random = {31};
    lode_shape_def def = lode_shape_def_default();
    lode_body body[2];
    lode_shape sheet[2];
    int met = 0;
    for (int i = 0; i < 2; ++i) {
        lode_mesh *mesh = make_mesh(4, 2, i ? 0 : 0.1);
        body[i] = add_body(world, i ? LODE_DYNAMIC : LODE_STATIC, 0, 0, 0);
        sheet[i] = lode_shape_create_mesh(body[i], &def, mesh);
        lode_mesh_release(mesh);
    }
    for (int n = 0; n < 300; ++n) {
        lode_pose pose = lode_body_get_pose(body[1]);
        pose.position.x = (lode_real)random_between(&random, -0.5, 0.5);
        pose.position.z = (lode_real)random_between(&random, -0.1, 0.1);
        pose.rotation = n % 2 ? random_turn(&random) : (lode_quat){0, 1, 0, 0};
        assert_int_equal(lode_body_set_pose(body[1], pose), LODE_OK);
        check_swapped(sheet[0], sheet[1]);
        met += collide(sheet[0], sheet[1], LODE_COLLIDE_ANY, 0, 1);
    }
    assert_true(met > 200);
}

static void a_shape_and_itself(void **state)
{
    (void)state;
    test_random random = {5};
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body other = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    for (uint32_t kind = 0; kind < 5; ++kind) {
        add_shape(body, &random, kind);
        add_shape(other, &random, kind);
    }
    lode_shape shapes[5], others[5];
    assert_int_equal(lode_body_get_shapes(body, shapes, 5), 5);
    assert_int_equal(lode_body_get_shapes(other, others, 5), 5);
    for (int i = 0; i < 5; ++i)
        for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice) {
            lode_collide_choice c = (lode_collide_choice)choice;
            assert_int_equal(collide(shapes[i], shapes[i], c, 0.1, POINTS_MOST), 0);
            assert_int_equal(collide(shapes[i], shapes[i], c, 0, 0), 0);
            assert_true(collide(shapes[i], others[i], c, 0, POINTS_MOST) > 0);
        }
    assert_int_equal(report.count, 0);
}

/* Shapes of another world are taken as if they were of this one, whatever their slots. */
static void two_worlds_swapped(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world mine = world, other = lode_world_create(&world_def);
    lode_shape shapes[2][15];
    int met = 0;
    for (int w = 0; w < 2; ++w) {
        test_random random = {(uint64_t)w + 9};
        world = w ? other : mine;
        for (int i = 0; i < 15; ++i) {
            lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)random_between(&random, 0, 1),
                                      0, 0);
            add_shape(body, &random, (uint32_t)i % 5);
            assert_int_equal(lode_body_get_shapes(body, &shapes[w][i], 1), 1);
        }
    }
    for (int i = 0; i < 15; ++i)
        for (int k = 0; k < 15; ++k) {
            check_swapped(shapes[0][i], shapes[1][k]);
            met += collide(shapes[0][i], shapes[1][k], LODE_COLLIDE_ANY, 0, 1);
        }
    assert_true(met > 50);
    lode_world_destroy(other);
    world = mine;
}

/* ---- by reckoning ---- */

static lode_shape on_ground(lode_shape_type type, double z)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)z);
    if (type == LODE_BOX)
        return lode_shape_create_box(body, &def, vec(1, 2, (lode_real)0.5));
    if (type == LODE_CYLINDER)
        return lode_shape_create_cylinder(body, &def, 1, (lode_real)0.5);
    if (type == LODE_CAPSULE)
        return lode_shape_create_capsule(body, &def, (lode_real)0.25, (lode_real)0.25);
    return lode_shape_create_sphere(body, &def, (lode_real)0.5);
}

static void solids_on_a_plane(void **state)
{
    (void)state;
    static const struct {
        lode_shape_type type;
        int all, reduced;
    } cases[] = {{LODE_SPHERE, 1, 1}, {LODE_BOX, 4, 4}, {LODE_CYLINDER, 8, 4}};
    lode_shape_def def = lode_shape_def_default();
    lode_shape plane = lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 1), &def,
                                               vec(0, 0, 1), -1);
    for (int i = 0; i < 3; ++i) {
        lode_shape shape = on_ground(cases[i].type, 0.45);
        for (int swapped = 0; swapped < 2; ++swapped) {
            lode_shape a = swapped ? plane : shape, b = swapped ? shape : plane;
            int all = collide(a, b, LODE_COLLIDE_ALL, 0, POINTS_MOST);
            assert_int_equal(all, cases[i].all);
            for (int k = 0; k < all; ++k) {
                assert_true(near((double)points[k].depth, 0.05, 1e-6));
                assert_true(near((double)points[k].position.z, -0.025, 1e-6));
                assert_true(near_vec(points[k].normal, vec(0, 0, swapped ? -1 : 1), 1e-6));
            }
            int reduced = collide(a, b, LODE_COLLIDE_REDUCED, 0, POINTS_MOST);
            assert_true(reduced >= cases[i].reduced && reduced <= 4);
        }
        lode_body_destroy(lode_shape_get_body(shape));
    }
    lode_shape above = on_ground(LODE_BOX, 0.503);
    assert_int_equal(collide(above, plane, LODE_COLLIDE_ALL, 0, POINTS_MOST), 0);
    assert_int_equal(collide(above, plane, LODE_COLLIDE_REDUCED, 0, POINTS_MOST), 0);
    assert_int_equal(collide(above, plane, LODE_COLLIDE_ALL, 0.004, POINTS_MOST), 4);
    assert_int_equal(collide(above, plane, LODE_COLLIDE_REDUCED, 0.1, POINTS_MOST), 4);
    assert_true(near((double)points[0].depth, -0.003, 1e-6));
}

/* An octagon of overlap: eight corners, of which four are kept. Clipping gives a millimetre. */
static void two_boxes_crosswise(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_shape lower = lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, 0), &def,
                                             vec(1, 1, 1));
    def.pose.rotation = (lode_quat){(lode_real)cos(0.392699), 0, 0, (lode_real)sin(0.392699)};
    lode_shape upper = lode_shape_create_box(add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)1.99),
                                             &def, vec(1, 1, 1));
    assert_int_equal(collide(upper, lower, LODE_COLLIDE_REDUCED, 0, POINTS_MOST), 4);
    int all = collide(upper, lower, LODE_COLLIDE_ALL, 0, POINTS_MOST);
    assert_int_equal(all, 8);
    for (int i = 0; i < all; ++i) {
        lode_vec3 p = points[i].position;
        double x = fabs((double)p.x), y = fabs((double)p.y);
        assert_true(near(fmax(x, y), 1, 1e-3) && near(fmin(x, y), sqrt(2) - 1, 1e-3));
        assert_true(near((double)points[i].depth, 0.01, 1e-5));
    }
    assert_int_equal(collide(upper, lower, LODE_COLLIDE_ALL, 0, 3), 3);
}

static void all_triangles_are_told(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_mesh *mesh = make_mesh(32, 8, 0);
    lode_shape flat = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, mesh);
    lode_mesh_release(mesh);
    lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)0.1, (lode_real)0.07,
                              (lode_real)0.49);
    lode_shape box = lode_shape_create_box(body, &def, vec(1, 1, (lode_real)0.5));
    assert_int_equal(collide(box, flat, LODE_COLLIDE_REDUCED, 0, POINTS_MOST), 4);
    int all = collide(box, flat, LODE_COLLIDE_ALL, 0, POINTS_MOST);
    assert_true(all >= 4);
    for (int i = 0; i < all; ++i)
        assert_true(points[i].child_b >= 0 && points[i].child_b < 2048 && points[i].child_a == -1);
    assert_int_equal(collide(flat, box, LODE_COLLIDE_ANY, 0, POINTS_MOST), 1);
    assert_true(points[0].child_a >= 0 && near_vec(points[0].normal, vec(0, 0, -1), 1e-5));
    lode_shape plane = lode_shape_create_plane(lode_shape_get_body(flat), &def, vec(0, 0, 1), 0);
    assert_int_equal(collide(plane, plane, LODE_COLLIDE_ALL, 0, POINTS_MOST), 0);
    mesh = make_mesh(4, 2, 0.3);
    lode_shape lump = lode_shape_create_mesh(add_body(world, LODE_KINEMATIC, 0, 0, 0), &def, mesh);
    lode_mesh_release(mesh);
    assert_true(collide(lump, flat, LODE_COLLIDE_ALL, 0, POINTS_MOST) > 0);
    assert_true(points[0].child_a >= 0 && points[0].child_b >= 0);
    assert_true(collide(lump, plane, LODE_COLLIDE_ALL, 0, POINTS_MOST) > 0);
}

/* ---- what is refused ---- */

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_shape a = on_ground(LODE_BOX, 0), b = on_ground(LODE_SPHERE, 0);
    lode_collide_options bad[] = {{LODE_COLLIDE_CHOICE_COUNT, 0},
                                  {LODE_COLLIDE_ALL, -1},
                                  {LODE_COLLIDE_ALL, (lode_real)NAN},
                                  {LODE_COLLIDE_ALL, (lode_real)INFINITY}};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(lode_shape_collide(a, b, &bad[i], points, 4), 0);
        EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_collide",
                      i ? "options.margin" : "options.choice");
        report_clear();
    }
    assert_int_equal(lode_shape_collide(a, b, NULL, NULL, 4), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_collide", "out_points");
    report_clear();
    assert_int_equal(lode_shape_collide(a, b, NULL, points, -1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_shape_collide", "capacity");
    report_clear();
    assert_true(lode_shape_collide(a, b, NULL, NULL, 0) > 0);
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    lode_world_destroy(world);
    alloc_fail_install();
    lode_world_def world_def = lode_world_def_default();
    lode_shape_def def = lode_shape_def_default();
    world = lode_world_create(&world_def);
    lode_mesh *mesh = make_mesh(32, 8, 0.1);
    lode_shape hills = lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, mesh);
    lode_mesh_release(mesh);
    lode_shape box = on_ground(LODE_BOX, 0.4);
    int failures = 0;
    for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice) {
        bool happened = true;
        for (long n = 0; happened; ++n) {
            report_clear();
            alloc_fail_nth(n);
            int count = collide(box, hills, (lode_collide_choice)choice, 0, POINTS_MOST);
            happened = alloc_fail_happened();
            alloc_fail_nth(-1);
            failures += happened;
            assert_int_equal(count == 0, happened);
            assert_int_equal(report.count, happened);
            assert_true(!happened || report.status == LODE_ERROR_MEMORY);
        }
    }
    assert_true(failures >= 8);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = lode_world_create(&world_def);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(they_are_those_of_a_step), TEST(choices_agree),
        TEST(solids_on_a_plane),        TEST(two_boxes_crosswise),
        TEST(all_triangles_are_told),   TEST(bad_arguments_are_refused),
        TEST(want_of_memory_is_told),   TEST(all_points_have_the_names_of_a_step),
        TEST(want_of_memory_is_told),   TEST(open_sheets_swapped),
        TEST(a_shape_and_itself),       TEST(two_worlds_swapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
