/* Contacts of every two convex solids, and of each with closed meshes, against what a contact
 * means: who moves apart by the deepest depth along its normal has parted.
 *
 * Each pair of types is asked at poses of each kind below, in both orders, and once more turned
 * and moved as a whole. What is held:
 *
 *   parting     after the way out no depth is left; of meshes, exactly no triangle is met;
 *   least way   the depth is that of lode_shape_find_closest(), which looks for the least way
 *               out, or more by no more than the preferences that docs/collision.md tells of;
 *   order       shapes swapped get the very same points, by every choice, with normals turned
 *               over, and the very same distance;
 *   motion      the same of both shapes moved together.
 *
 * Solids that just touch a box of triangles are as deep in it as in a box.
 *
 * LODE_SHOTS=200 asks ten times as many. */
#include "core/math.h"
#include "lode/hull.h"
#include "lode/mesh.h"
#include "tests/support/random.h"
#include "tests/world/swapped.h"

#include <math.h>
#include <stdlib.h>

typedef enum form { SPHERE, BOX, CAPSULE, CYLINDER, HULL, PLANE, MESH, FORMS } form;
typedef enum place { SHALLOW, DEEP, CONCENTRIC, PARALLEL, TOUCHING, FAR, PLACES } place;

enum { VARIANTS = 3, POINTS = 64 };

typedef struct solid {
    form form;
    lode_body body;
    lode_shape shape;
    double size; /* m, of a ball around it */
} solid;

static const char *const form_names[FORMS] = {"sphere", "box",   "capsule", "cylinder",
                                              "hull",   "plane", "mesh"};
static const char *const place_names[PLACES] = {"shallow",  "deep",     "concentric",
                                                "parallel", "touching", "far"};
static const double sizes[VARIANTS][3] = {{0.5, 0.4, 0.3}, {0.2, 0.25, 0.9}, {0.6, 0.7, 0.08}};
static lode_world world;
static solid solids[2][FORMS][VARIANTS];

/* ---- the solids ---- */

static lode_shape add_hull(lode_body body, const lode_shape_def *def, int variant)
{
    test_random random = {(uint64_t)variant + 5};
    lode_real cloud[24][3];
    for (int i = 0; i < 24; ++i)
        for (int k = 0; k < 3; ++k)
            cloud[i][k] = (lode_real)(random_between(&random, -1, 1) * sizes[variant][k]);
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = cloud[0];
    hull_def.point_count = variant == 1 ? 6 : 24;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, def, hull);
    lode_hull_release(hull);
    return shape;
}

/* A box of twelve triangles, or a ball of 8 n^2: an octahedron whose faces are cut and blown up. */
static lode_shape add_mesh(lode_body body, const lode_shape_def *def, int variant)
{
    static lode_real vertices[8 * 16 * 3][3];
    static uint32_t indices[8 * 16][3];
    const int n = variant == 0 ? 1 : variant + 1;
    int count = 0;
    for (int octant = 0; octant < 8; ++octant)
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 2 * (n - i) - 1; ++k) {
                /* corners by how many n-ths along x and y */
                int row = i, column = k / 2, up = k % 2;
                const int corners[2][3][2] = {
                    {{row, column}, {row + 1, column}, {row, column + 1}},
                    {{row + 1, column}, {row + 1, column + 1}, {row, column + 1}}};
                bool turned = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2 & 1);
                for (int c = 0; c < 3; ++c) {
                    const int *at = corners[up][turned ? 2 - c : c];
                    double v[3] = {at[0], at[1], n - at[0] - at[1]}, length = 0;
                    for (int x = 0; x < 3; ++x)
                        length += v[x] * v[x];
                    for (int x = 0; x < 3; ++x)
                        vertices[3 * count + c][x] = (lode_real)((octant >> x & 1 ? -0.5 : 0.5) *
                                                                 v[x] / sqrt(length));
                    indices[count][c] = (uint32_t)(3 * count + c);
                }
                ++count;
            }
    static const uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    if (variant == 0) {
        for (int i = 0; i < 8; ++i)
            for (int x = 0; x < 3; ++x)
                vertices[i][x] = (lode_real)((i >> x & 1 ? 1 : -1) * sizes[0][x]);
        for (int i = 0; i < 12; ++i)
            for (int c = 0; c < 3; ++c)
                indices[i][c] = sides[i / 2][c == 0 ? 0 : c + i % 2];
        count = 12;
    }
    lode_mesh_def mesh_def = lode_mesh_def_default();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = variant == 0 ? 8 : 3 * count;
    mesh_def.indices = indices;
    mesh_def.triangle_count = count;
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    assert_true(lode_mesh_get_info(mesh).closed && !lode_mesh_get_info(mesh).inverted);
    lode_shape shape = lode_shape_create_mesh(body, def, mesh);
    lode_mesh_release(mesh);
    return shape;
}

static void add_form(solid *s, form form, int variant)
{
    lode_shape_def def = lode_shape_def_default();
    const double *size = sizes[variant];
    lode_real x = (lode_real)size[0], y = (lode_real)size[1], z = (lode_real)size[2];
    const double around[FORMS] = {size[0],
                                  sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]),
                                  size[0] + size[2],
                                  sqrt(size[0] * size[0] + size[2] * size[2]),
                                  1.2,
                                  1,
                                  variant == 0 ? 0.7 : 0.5};
    s->form = form;
    s->size = around[form];
    s->body = add_body(world, form == PLANE ? LODE_STATIC : LODE_DYNAMIC, 0, 0, 0);
    if (form == SPHERE)
        s->shape = lode_shape_create_sphere(s->body, &def, x);
    else if (form == BOX)
        s->shape = lode_shape_create_box(s->body, &def, vec(x, y, z));
    else if (form == CAPSULE)
        s->shape = lode_shape_create_capsule(s->body, &def, x, z);
    else if (form == CYLINDER)
        s->shape = lode_shape_create_cylinder(s->body, &def, x, z);
    else if (form == HULL)
        s->shape = add_hull(s->body, &def, variant);
    else if (form == PLANE)
        s->shape = lode_shape_create_plane(s->body, &def, vec(0, 0, 1), (lode_real)0.1);
    else
        s->shape = add_mesh(s->body, &def, variant);
}

static int set_up(void **state)
{
    lode_world_def def = lode_world_def_default();
    (void)state;
    report_install();
    world = lode_world_create(&def);
    for (int i = 0; i < 2; ++i)
        for (int form = 0; form < FORMS; ++form)
            for (int k = 0; k < VARIANTS; ++k)
                add_form(&solids[i][form][k], (enum form)form, k);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

/* ---- where they are ---- */

static double between(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode_vec3 any_direction(test_random *random)
{
    lode_vec3 v;
    do {
        v.x = (lode_real)between(random, -1, 1);
        v.y = (lode_real)between(random, -1, 1);
        v.z = (lode_real)between(random, -1, 1);
    } while (v3_dot(v, v) > 1 || v3_dot(v, v) < (lode_real)0.01);
    return v3_scale(v, 1 / v3_length(v));
}

static lode_quat any_turn(test_random *random)
{
    lode_vec3 axis = any_direction(random);
    lode_real w = (lode_real)between(random, -1, 1);
    return q_normalize((lode_quat){w, axis.x, axis.y, axis.z});
}

/* Turns by quarters and eighths, of a solid's own axes. */
static lode_quat special_turn(test_random *random)
{
    static const lode_real half = (lode_real)0.7071067811865476;
    static const lode_quat turns[] = {
        {1, 0, 0, 0},
        {half, half, 0, 0},
        {half, 0, half, 0},
        {half, 0, 0, half},
        {(lode_real)0.9238795325112867, 0, 0, (lode_real)0.3826834323650898},
        {0, 1, 0, 0}};
    return turns[random_below(random, sizeof turns / sizeof *turns)];
}

static void put(const solid *s, lode_pose pose)
{
    assert_int_equal(lode_body_set_pose(s->body, pose), LODE_OK);
}

/* Leaves them `depth` deep, or as far apart: a goes along b's way out from far away. */
static void bring_near(const solid *a, const solid *b, double depth)
{
    lode_closest closest;
    lode_pose pose = lode_body_get_pose(a->body);
    assert_true(lode_shape_find_closest(a->shape, b->shape, &closest));
    pose.position = v3_madd(pose.position, closest.normal,
                            -(lode_real)((double)closest.distance + depth));
    put(a, pose);
}

static void place_pair(const solid *a, const solid *b, place place, test_random *random)
{
    lode_quat turn = any_turn(random);
    lode_vec3 side = any_direction(random);
    lode_pose pose_b = {v3_scale(side, (lode_real)between(random, 0, 2)), turn};
    if (place == FAR)
        pose_b.position = v3_scale(any_direction(random), 1000);
    lode_pose pose_a = {pose_b.position, any_turn(random)};
    if (place == PARALLEL || (place == CONCENTRIC && random_below(random, 2)))
        pose_a.rotation = q_normalize(q_mul(turn, special_turn(random)));
    lode_vec3 way = any_direction(random);
    if (a->form == PLANE)
        way = q_rotate(pose_a.rotation, vec(0, 0, -1));
    if (b->form == PLANE)
        way = q_rotate(pose_b.rotation, vec(0, 0, 1));
    double reach = a->size + b->size + 0.2;
    bool deep = place == DEEP || (place == FAR && random_below(random, 2)) ||
                (place == PARALLEL && random_below(random, 2));
    double far = place == CONCENTRIC ? 0 : deep ? between(random, 0, 0.3) * reach : reach;
    pose_a.position = v3_madd(pose_b.position, way, (lode_real)far);
    put(b, pose_b);
    put(a, pose_a);
    if (place != CONCENTRIC && !deep)
        bring_near(a, b, place == TOUCHING ? 0 : pow(10, between(random, -5, -1.5)));
}

/* ---- what is held ---- */

/* Of a depth beside the least one: the share and the length it may be more by, the length it may
 * be less by, and what may be left along its normal. */
typedef struct promise {
    double share, more, less, left;
} promise;

/* An edge of boxes or hulls must be better than a face by 5 % and 0.4 mm, b's face than a's by 2 %
 * and 0.4 mm; of points whose depths differ by less than 0.1 mm any may be kept. A face near the
 * best direction leads in the general method if it is as good but for 2 % and 0.4 mm, and what it
 * is deeper by up to 0.4 mm is not told. An edge that frees a capsule from a box must be better
 * than a face by 5 % and 0.4 mm; either way is as far as it is told. A hull's face that leads need
 * only be as deep, when it is clipped, as the best axis: then what is left is no more than the rest
 * of its share. */
static const promise exact = {0, 0, 0, 0},
                     boxes = {1 / (0.95 * 0.98) - 1, (4e-4 / 0.95 + 4e-4) / 0.98, 1e-4, 1e-4},
                     hulls = {1 / (0.95 * 0.98) - 1, (4e-4 / 0.95 + 4e-4) / 0.98, 1e-4, INFINITY},
                     general = {0.02, 4e-4, 0, 0}, line = {1 / 0.95 - 1, 4e-4 / 0.95, 0, 0};

static const promise *const promises[MESH][MESH] = {
    /*            sphere  box      capsule   cylinder  hull      plane */
    [SPHERE] = {&exact, &exact, &exact, &exact, &exact, &exact},
    [BOX] = {&exact, &boxes, &line, &general, &hulls, &exact},
    [CAPSULE] = {&exact, &line, &exact, &general, &general, &exact},
    [CYLINDER] = {&exact, &general, &general, &general, &general, &exact},
    [HULL] = {&exact, &hulls, &general, &general, &hulls, &exact},
    [PLANE] = {&exact, &exact, &exact, &exact, &exact, NULL},
};

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9      /* of the size */
#define FAR_ROUNDING 1e-12 /* m, of places a kilometre away */
#define UNIT 1e-14
#else
#define ROUNDING 1e-5
#define FAR_ROUNDING 2e-4
#define UNIT 1e-6
#endif

/* Where all ways out are nearly equal, as about the axis that a cylinder shares, the search for
 * the least ends early: of the size. */
#define SHARED_AXIS 1e-4

/* m. Points of a mesh as deep as each other but for this are equal. A triangle's normal wins unless
 * another axis is better by 0.4 mm, so that a solid which just touches may be told as deep. */
#define MESH_EQUAL 1e-4
#define MESH_TOLD 4e-4

/* A pair at a pose, and what is rounding there, m. */
typedef struct trial {
    const solid *a, *b;
    place place;
    double size, rounding;
    bool mesh;
    int number;
} trial;

#define HOLD(condition, t, ...) \
    do { \
        if (!(condition)) { \
            print_error("%s %s, %s, number %d: ", form_names[(t)->a->form], \
                        form_names[(t)->b->form], place_names[(t)->place], (t)->number); \
            print_error(__VA_ARGS__); \
            ++failures; \
        } \
    } while (0)

static int failures, met, swapped_met;

typedef struct deepest {
    int count;
    double depth; /* m, not below 0 */
    lode_vec3 normal;
} deepest;

static deepest find_deepest(const trial *t, const solid *a, const solid *b)
{
    static lode_collide_point points[POINTS];
    lode_collide_options options = {LODE_COLLIDE_REDUCED, 0};
    deepest d = {lode_shape_collide(a->shape, b->shape, &options, points, POINTS), 0, {0, 0, 0}};
    assert_in_range(d.count, 0, POINTS);
    for (int i = 0; i < d.count; ++i) {
        double length = (double)v3_length(points[i].normal);
        HOLD(fabs(length - 1) <= UNIT, t, "a normal of length 1 + %g\n", length - 1);
        if (i == 0 || (double)points[i].depth > d.depth) {
            d.depth = fmax(0, (double)points[i].depth);
            d.normal = points[i].normal;
        }
    }
    return d;
}

/* m, how deep they are by the search for the least way out; below 0 they are apart. */
static double least_depth(const trial *t)
{
    lode_closest closest;
    assert_true(lode_shape_find_closest(t->a->shape, t->b->shape, &closest));
    return -(double)closest.distance;
}

static void hold_least(const trial *t, const deepest *d, double least)
{
    const promise *p = promises[t->a->form][t->b->form];
    least = fmax(0, least);
    HOLD(d->depth <= least * (1 + p->share) + p->more + t->rounding, t,
         "depth %.9g, but they part by %.9g\n", d->depth, least);
    HOLD(d->depth >= least - p->less - t->rounding, t,
         "depth %.9g, but they part by no less than %.9g\n", d->depth, least);
}

static void hold_order(const trial *t)
{
    static const double margins[] = {0, 0.004, 0.3};
    static const int capacities[] = {0, 1, 3, 16};
    lode_shape a = t->a->shape, b = t->b->shape;
    double margin = margins[t->number % 3];
    int some = capacities[t->number / 3 % 4], count = 0;
    for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice) {
        lode_collide_choice c = (lode_collide_choice)choice;
        count = ask_both_ways(a, b, c, margin, SWAPPED_MOST);
        HOLD(count >= 0 && ask_both_ways(a, b, c, margin, some) >= 0, t,
             "swapped, by choice %d another answer\n", choice);
    }
    HOLD(closest_both_ways(a, b), t, "swapped another distance\n");
    swapped_met += count > 0;
}

static void hold_motion(const trial *t, const deepest *d, double least, test_random *random)
{
    lode_pose a = lode_body_get_pose(t->a->body), b = lode_body_get_pose(t->b->body);
    lode_quat turn = any_turn(random);
    lode_vec3 away = v3_scale(any_direction(random), t->place == FAR ? 0 : 2);
    lode_vec3 arm = q_rotate(turn, v3_sub(a.position, b.position)), to = v3_add(b.position, away);
    put(t->a, (lode_pose){v3_add(to, arm), q_normalize(q_mul(turn, a.rotation))});
    put(t->b, (lode_pose){to, q_normalize(q_mul(turn, b.rotation))});
    deepest e = find_deepest(t, t->a, t->b);
    /* far away in single precision the poses themselves are others, and from the middle many ways
     * are nearly equal: a face may lead that has not led */
    bool same = t->mesh || (t->place != FAR && t->place != CONCENTRIC) ||
                promises[t->a->form][t->b->form] == &exact;
    double slack = t->rounding + (t->mesh ? MESH_EQUAL : 0);
    HOLD(!same || fabs(d->depth - e.depth) <= slack, t, "moved together %.9g in place of %.9g\n",
         e.depth, d->depth);
    if (!t->mesh)
        hold_least(t, &e, least);
    put(t->a, a);
    put(t->b, b);
}

static void leave(const trial *t, const deepest *d)
{
    lode_pose pose = lode_body_get_pose(t->a->body);
    pose.position = v3_madd(pose.position, d->normal, (lode_real)d->depth);
    put(t->a, pose);
}

static void hold_parting(const trial *t, deepest d, double least)
{
    leave(t, &d);
    if (!t->mesh) {
        const promise *p = promises[t->a->form][t->b->form];
        double most = fmin(p->left, least * (1 + p->share) + p->more - d.depth);
        double left = least_depth(t);
        HOLD(left <= fmax(most, p->less) + t->rounding, t, "%.9g is left of %.9g\n", left, d.depth);
        return;
    }
    /* past rounding they are apart for good, and told so */
    lode_closest closest;
    leave(t, &(deepest){1, t->rounding, d.normal});
    assert_true(lode_shape_find_closest(t->a->shape, t->b->shape, &closest));
    HOLD(closest.distance > 0, t, "met after moving apart by %.9g\n", d.depth);
    deepest e = find_deepest(t, t->a, t->b);
    HOLD(e.depth <= MESH_TOLD, t, "%.9g told after moving apart by %.9g\n", e.depth, d.depth);
}

static void try_pair(const solid *a, const solid *b, place place, int number, test_random *random)
{
    double size = fmin(a->size, b->size);
    trial t = {a, b, place, size, ROUNDING * size, a->form == MESH || b->form == MESH, number};
    if (place == FAR)
        t.rounding += FAR_ROUNDING;
    if (place == CONCENTRIC && (a->form == CYLINDER || b->form == CYLINDER))
        t.rounding += SHARED_AXIS * size;
    place_pair(a, b, place, random);
    deepest d = find_deepest(&t, a, b);
    double least = t.mesh ? 0 : least_depth(&t);
    if (!t.mesh)
        hold_least(&t, &d, least);
    hold_order(&t);
    /* Where a mesh is met exactly at an edge, or flat on flat, rounding decides which triangles
     * take part; far away in single precision the poses themselves are rounded; and a mesh has no
     * depth: about its middle triangles offer ways that are not the least. */
    if (!t.mesh || place == SHALLOW || place == DEEP)
        hold_motion(&t, &d, least, random);
    if (d.count)
        hold_parting(&t, d, least);
    met += d.depth > 0;
}

static void pairs_part(void **state)
{
    (void)state;
    const char *shots = getenv("LODE_SHOTS");
    int count = shots ? atoi(shots) : 20;
    for (int i = 0; i < FORMS; ++i)
        for (int k = i; k < FORMS; ++k)
            for (int place = 0; place < PLACES && (i != k || i < PLANE); ++place) {
                test_random random = {(uint64_t)(i * 100 + k * 10 + place)};
                met = 0;
                for (int n = 0; n < count; ++n) {
                    const solid *a = &solids[0][i][random_below(&random, VARIANTS)];
                    const solid *b = &solids[1][k][random_below(&random, VARIANTS)];
                    try_pair(n % 2 ? b : a, n % 2 ? a : b, (enum place)place, n, &random);
                }
                assert_true(place == TOUCHING || met >= count / 2);
            }
    assert_int_equal(failures, 0);
    assert_true(swapped_met > 100 * count);
}

/* ---- boxes of triangles ---- */

/* Of the way out along the normal that is told, beside the least: mesh_convex.c. */
#define MESH_SHARE 0.95
#define MESH_MARGIN 4e-4 /* m */

/* Puts `a` on the box that is within the mesh `b`, this deep (m), and says how deep it is in
 * that. */
static double touch_box(const solid *a, const solid *true_a, const solid *b, const solid *true_b,
                        double depth, test_random *random)
{
    trial truth = {.a = true_a, .b = true_b};
    lode_vec3 from = v3_scale(any_direction(random), 3);
    lode_pose pose_b = {from, any_turn(random)}, pose_a = {{0, 0, 0}, any_turn(random)};
    put(b, pose_b);
    put(true_b, pose_b);
    put(true_a, pose_a);
    for (int turn = 0; turn < 3; ++turn)
        bring_near(true_a, true_b, depth);
    put(a, lode_body_get_pose(true_a->body));
    return least_depth(&truth);
}

/* At corners, edges and faces: solids that barely overlap a mesh, touch or nearly touch it are as
 * deep as they are in the box that it is the surface of. */
static void meshes_are_as_deep_as_boxes(void **state)
{
    (void)state;
    static const double depths[] = {0.01, 0.004, 0.001, 1e-4, 0, -0.004};
    const char *shots = getenv("LODE_SHOTS");
    int count = shots ? 10 * atoi(shots) : 120;
    const solid *b = &solids[1][MESH][0], *true_b = &solids[1][BOX][0];
    failures = 0;
    for (int form = 0; form < FORMS; ++form)
        for (int k = 0; k < 6 && form != PLANE; ++k) {
            test_random random = {(uint64_t)(form * 10 + k)};
            for (int n = 0; n < count; ++n) {
                const solid *a = &solids[0][form][form == MESH ? 0 : n % VARIANTS];
                const solid *true_a = form == MESH ? &solids[0][BOX][0] : a;
                trial t = {a, b, TOUCHING, a->size, 0, true, n};
                double least = touch_box(a, true_a, b, true_b, depths[k], &random);
                double rounding = ROUNDING * fmin(a->size, b->size), most = fmax(0, least);
                deepest d = find_deepest(&t, a, b);
                HOLD(d.depth <= (most + MESH_MARGIN) / MESH_SHARE + rounding, &t,
                     "depth %.9g of a mesh, but the box parts by %.9g\n", d.depth, least);
                HOLD(d.depth >= least - rounding, &t,
                     "depth %.9g of a mesh, but the box parts by no less than %.9g\n", d.depth,
                     least);
            }
        }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pairs_part, set_up, tear_down),
        cmocka_unit_test_setup_teardown(meshes_are_as_deep_as_boxes, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
