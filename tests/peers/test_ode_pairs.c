/* Pairs of shapes beside libode: what both know how to collide, in the same poses.
 *
 * Convex shapes are judged by a third: along a direction n shape a must move by
 *
 *     D(n) = max over b of n.x - min over a of n.x
 *
 * to have all of b behind it, which their support functions give in a line each; the depth is the
 * least D of all directions. Where there are closed forms, Lode's depth must be D of its own
 * normal, and so must it be of libode's. Boxes, hulls and what is iterated prefer faces to edges,
 * so that features last: there Lode's depth must be no more than its preference allows beyond
 * libode's D, nor more than its own; but the deepest points of boxes and hulls are asked for, which
 * prefer nothing. Where libode sees no touch, a point of Lode's must be in both shapes. Libode's
 * depths are not asked: its convex hulls mistake the nearest feature of one sphere in four, and
 * what it leaves to libccd is some way out. Against meshes and fields its triangles push one by
 * one, so that only whether there is a touch can be compared; of hulls and meshes Debian's 0.16.2
 * told nothing in 2,000 poses. */
#include "lode/lode.h"
#include "tests/peers/ode_pairs.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

enum { POINTS = 128, POSES = 1000 };

#ifdef LODE_DOUBLE
#define EXACT 1e-9
#else
#define EXACT 1e-4
#endif

/* Deeper than this both must see a touch. */
#define SEEN 1e-3

typedef enum form { SPHERE, BOX, CAPSULE, CYLINDER, HULL, PLANE, MESH, FIELD, FORMS } form;

static const char *const names[FORMS] = {"sphere", "box",   "capsule", "cylinder",
                                         "hull",   "plane", "mesh",    "field"};

/* Radii of what is round, half sides, half lengths; all are exact in single precision. */
#define RADIUS 0.375
#define HALF_LENGTH 0.5
static const double half[3] = {0.5, 0.375, 0.25};

/* --- a prism with a six-cornered foot, faces anticlockwise */

enum { SIDES = 6, CORNERS = 2 * SIDES };

static double corners[CORNERS][3], planes[SIDES + 2][4];
static unsigned polygons[2 * (1 + SIDES) + 5 * SIDES];

static void plane_through(double out[4], const double *a, const double *b, const double *c)
{
    double u[3], v[3], length = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        length += out[k] * out[k];
    }
    out[3] = 0;
    for (int k = 0; k < 3; ++k) {
        out[k] /= sqrt(length);
        out[3] += out[k] * a[k];
    }
}

static unsigned *add_polygon(unsigned *at, int face, const unsigned *ring, unsigned count)
{
    *at++ = count;
    memcpy(at, ring, count * sizeof *ring);
    plane_through(planes[face], corners[ring[0]], corners[ring[1]], corners[ring[2]]);
    return at + count;
}

static void make_prism(void)
{
    static const double foot[SIDES][2] = {{0.5, 0},      {0.25, 0.375},   {-0.25, 0.375},
                                          {-0.5, 0.125}, {-0.25, -0.375}, {0.25, -0.375}};
    unsigned top[SIDES], bottom[SIDES], *at = polygons;
    for (int i = 0; i < CORNERS; ++i) {
        corners[i][0] = foot[i % SIDES][0];
        corners[i][1] = foot[i % SIDES][1];
        corners[i][2] = i < SIDES ? -0.375 : 0.375;
    }
    for (unsigned i = 0; i < SIDES; ++i) {
        top[i] = SIDES + i;
        bottom[i] = SIDES - 1 - i;
    }
    at = add_polygon(at, 0, top, SIDES);
    at = add_polygon(at, 1, bottom, SIDES);
    for (unsigned i = 0; i < SIDES; ++i) {
        unsigned next = (i + 1) % SIDES;
        unsigned side[4] = {i, next, SIDES + next, SIDES + i};
        at = add_polygon(at, 2 + (int)i, side, 4);
    }
}

/* --- hills, as a mesh and as a field */

enum { SAMPLES = 17, CELLS = SAMPLES - 1, TRIANGLES = 2 * CELLS * CELLS };

#define SPACING 0.5
#define HIGHEST 0.25

static double heights[SAMPLES * SAMPLES], vertices[SAMPLES * SAMPLES][3];
static unsigned indices[TRIANGLES][3];

static void make_hills(void)
{
    test_random random = {7};
    for (int j = 0; j < SAMPLES; ++j)
        for (int i = 0; i < SAMPLES; ++i) {
            int k = j * SAMPLES + i;
            heights[k] = floor(random_between(&random, -HIGHEST, HIGHEST) * 1024) / 1024;
            vertices[k][0] = i * SPACING;
            vertices[k][1] = j * SPACING;
            vertices[k][2] = heights[k];
        }
    for (int cell = 0; cell < CELLS * CELLS; ++cell) {
        unsigned v = (unsigned)(cell / CELLS * SAMPLES + cell % CELLS);
        unsigned first[3] = {v, v + 1, v + SAMPLES};
        unsigned second[3] = {v + 1 + SAMPLES, v + SAMPLES, v + 1};
        memcpy(indices[2 * cell], first, sizeof first);
        memcpy(indices[2 * cell + 1], second, sizeof second);
    }
}

/* --- both sides */

typedef struct twin {
    form form;
    lode_body body;
    lode_shape shape;
    peer_geom *geom;
    double position[3], turn[4]; /* in the world; w first */
} twin;

static lode_shape make_hull(lode_body body, const lode_shape_def *def)
{
    lode_real points[CORNERS][3];
    for (int i = 0; i < CORNERS; ++i)
        for (int k = 0; k < 3; ++k)
            points[i][k] = (lode_real)corners[i][k];
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = &points[0][0];
    hull_def.point_count = CORNERS;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, def, hull);
    lode_hull_release(hull);
    return shape;
}

static lode_shape make_mesh(lode_body body, const lode_shape_def *def)
{
    lode_mesh_def mesh_def = lode_mesh_def_default();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = SAMPLES * SAMPLES;
    mesh_def.double_vertices = true;
    mesh_def.indices = indices;
    mesh_def.triangle_count = TRIANGLES;
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    lode_shape shape = lode_shape_create_mesh(body, def, mesh);
    lode_mesh_release(mesh);
    return shape;
}

static lode_shape make_field(lode_body body, const lode_shape_def *def)
{
    lode_heightfield_def field_def = lode_heightfield_def_default();
    field_def.columns = field_def.rows = SAMPLES;
    field_def.spacing_x = field_def.spacing_y = (lode_real)SPACING;
    field_def.samples = heights;
    field_def.type = LODE_SAMPLE_DOUBLE;
    lode_heightfield *field = lode_heightfield_create(&field_def);
    lode_shape shape = lode_shape_create_heightfield(body, def, field);
    lode_heightfield_release(field);
    return shape;
}

static twin make_twin(lode_world world, form form)
{
    static const double up[3] = {0, 0, 1};
    lode_shape_def def = lode_shape_def_default();
    const lode_real r = (lode_real)RADIUS, l = (lode_real)HALF_LENGTH;
    twin t = {.form = form, .body = add_body(world, LODE_STATIC, 0, 0, 0)};
    switch (form) {
    case SPHERE:
        t.shape = lode_shape_create_sphere(t.body, &def, r);
        t.geom = peer_sphere(RADIUS);
        break;
    case BOX:
        t.shape = lode_shape_create_box(
            t.body, &def, vec((lode_real)half[0], (lode_real)half[1], (lode_real)half[2]));
        t.geom = peer_box(half);
        break;
    case CAPSULE:
        t.shape = lode_shape_create_capsule(t.body, &def, r, l);
        t.geom = peer_capsule(RADIUS, HALF_LENGTH);
        break;
    case CYLINDER:
        t.shape = lode_shape_create_cylinder(t.body, &def, r, l);
        t.geom = peer_cylinder(RADIUS, HALF_LENGTH);
        break;
    case HULL:
        t.shape = make_hull(t.body, &def);
        t.geom = peer_hull(&planes[0][0], SIDES + 2, &corners[0][0], CORNERS, polygons);
        break;
    case PLANE:
        t.shape = lode_shape_create_plane(t.body, &def, vec(0, 0, 1), 0);
        t.geom = peer_plane(up, 0);
        break;
    case MESH:
        t.shape = make_mesh(t.body, &def);
        t.geom = peer_mesh(&vertices[0][0], SAMPLES * SAMPLES, &indices[0][0], TRIANGLES);
        break;
    default:
        t.shape = make_field(t.body, &def);
        t.geom = peer_field(heights, SAMPLES, SPACING);
        break;
    }
    assert_true(t.shape.id != 0);
    return t;
}

static bool is_ground(form form)
{
    return form >= PLANE;
}

/* The pose as Lode keeps it, rounded, is the peer's too. */
static void place(twin *t, test_random *random, const double position[3])
{
    double q[4], length = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = random_between(random, -1, 1);
        length += q[k] * q[k];
    }
    length = sqrt(length);
    lode_pose pose = {vec((lode_real)position[0], (lode_real)position[1], (lode_real)position[2]),
                      {(lode_real)(q[0] / length), (lode_real)(q[1] / length),
                       (lode_real)(q[2] / length), (lode_real)(q[3] / length)}};
    assert_int_equal(lode_body_set_pose(t->body, pose), LODE_OK);
    pose = lode_body_get_pose(t->body);
    t->position[0] = (double)pose.position.x;
    t->position[1] = (double)pose.position.y;
    t->position[2] = (double)pose.position.z;
    t->turn[0] = (double)pose.rotation.w;
    t->turn[1] = (double)pose.rotation.x;
    t->turn[2] = (double)pose.rotation.y;
    t->turn[3] = (double)pose.rotation.z;
    peer_place(t->geom, t->position, t->turn);
}

/* Over ground somewhere in its middle; else so that they often overlap. */
static void place_pair(twin *a, twin *b, test_random *random)
{
    static const double origin[3] = {0, 0, 0};
    double p[3], far = random_between(random, 0.2, 1.4);
    random_direction(random, p);
    for (int k = 0; k < 3; ++k)
        p[k] *= far;
    if (is_ground(b->form)) {
        p[0] += CELLS * SPACING / 2;
        p[1] += CELLS * SPACING / 2;
        p[2] = random_between(random, HIGHEST, 3 * HIGHEST); /* no centre is under ground */
        place(a, random, p);
        return;
    }
    place(a, random, p);
    place(b, random, origin);
}

/* --- the third */

/* A world direction in the shape's axes: q* v q. */
static void into_shape(const twin *t, const double v[3], double out[3])
{
    double w = t->turn[0], u[3];
    const double *q = &t->turn[1];
    for (int k = 0; k < 3; ++k)
        u[k] = 2 * (v[(k + 1) % 3] * q[(k + 2) % 3] - v[(k + 2) % 3] * q[(k + 1) % 3]);
    for (int k = 0; k < 3; ++k)
        out[k] = v[k] + w * u[k] +
                 (u[(k + 1) % 3] * q[(k + 2) % 3] - u[(k + 2) % 3] * q[(k + 1) % 3]);
}

/* The farthest corner of the prism. */
static double reach_of_prism(const double n[3])
{
    double most = -INFINITY;
    for (int i = 0; i < CORNERS; ++i)
        most = fmax(most, n[0] * corners[i][0] + n[1] * corners[i][1] + n[2] * corners[i][2]);
    return most;
}

/* The largest n.x of the shape. */
static double reach(const twin *t, const double direction[3])
{
    double n[3], out = 0;
    if (t->form == PLANE)
        return direction[2] > 1 - EXACT ? 0 : INFINITY;
    into_shape(t, direction, n);
    for (int k = 0; k < 3; ++k)
        out += direction[k] * t->position[k];
    switch (t->form) {
    case SPHERE:
        return out + RADIUS;
    case BOX:
        return out + fabs(n[0]) * half[0] + fabs(n[1]) * half[1] + fabs(n[2]) * half[2];
    case CAPSULE:
        return out + RADIUS + fabs(n[2]) * HALF_LENGTH;
    case CYLINDER:
        return out + RADIUS * hypot(n[0], n[1]) + fabs(n[2]) * HALF_LENGTH;
    default:
        return out + reach_of_prism(n);
    }
}

/* How high the ground is at most: where a square is bent, by either of its diagonals. */
static double height_of_hills(double x, double y)
{
    int i = (int)floor(x / SPACING), j = (int)floor(y / SPACING);
    if (i < 0 || j < 0 || i >= CELLS || j >= CELLS)
        return -INFINITY;
    const double *h = &heights[j * SAMPLES + i];
    double u = x / SPACING - i, v = y / SPACING - j;
    double h00 = h[0], h10 = h[1], h01 = h[SAMPLES], h11 = h[SAMPLES + 1];
    double falling = u + v < 1 ? h00 + u * (h10 - h00) + v * (h01 - h00)
                               : h11 + (1 - u) * (h01 - h11) + (1 - v) * (h10 - h11);
    double rising = u > v ? h00 + u * (h10 - h00) + v * (h11 - h10)
                          : h00 + v * (h01 - h00) + u * (h11 - h01);
    return fmax(falling, rising);
}

/* By how much, at most, a point of the world is outside of the shape; of ground: above it. */
static double outside(const twin *t, const double point[3])
{
    double from[3], p[3], out = -INFINITY;
    if (t->form == PLANE)
        return point[2];
    if (t->form == MESH || t->form == FIELD)
        return point[2] - height_of_hills(point[0], point[1]);
    for (int k = 0; k < 3; ++k)
        from[k] = point[k] - t->position[k];
    into_shape(t, from, p);
    double r = hypot(p[0], p[1]), beyond = fabs(p[2]) - HALF_LENGTH;
    switch (t->form) {
    case SPHERE:
        return hypot(r, p[2]) - RADIUS;
    case BOX:
        for (int k = 0; k < 3; ++k)
            out = fmax(out, fabs(p[k]) - half[k]);
        return out;
    case CAPSULE:
        return hypot(r, fmax(beyond, 0)) - RADIUS;
    case CYLINDER:
        return fmax(r - RADIUS, beyond);
    default:
        for (int f = 0; f < SIDES + 2; ++f)
            out = fmax(out, planes[f][0] * p[0] + planes[f][1] * p[1] + planes[f][2] * p[2] -
                                planes[f][3]);
        return out;
    }
}

/* How far a must move along n. */
static double way_out(const twin *a, const twin *b, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return reach(b, n) + reach(a, back);
}

/* --- what is compared */

/* The deepest point; depth 0 without any. */
typedef struct answer {
    double depth;
    double normal[3];
    double outside; /* of the two shapes, that of all points which is least so */
} answer;

static answer ask_lode(const twin *a, const twin *b)
{
    static lode_collide_point points[POINTS];
    lode_collide_options options = {LODE_COLLIDE_DEEPEST, 0};
    answer out = {.outside = INFINITY};
    int count = lode_shape_collide(a->shape, b->shape, &options, points, POINTS);
    for (int i = 0; i < count; ++i) {
        const double p[3] = {(double)points[i].position.x, (double)points[i].position.y,
                             (double)points[i].position.z};
        out.outside = fmin(out.outside, fmax(outside(a, p), outside(b, p)));
    }
    if (count > 0) {
        out.depth = (double)points[0].depth;
        out.normal[0] = (double)points[0].normal.x;
        out.normal[1] = (double)points[0].normal.y;
        out.normal[2] = (double)points[0].normal.z;
    }
    return out;
}

static answer ask_peer(const twin *a, const twin *b)
{
    static peer_point points[PEER_POINTS];
    answer out = {0};
    int count = peer_collide(a->geom, b->geom, points);
    for (int i = 0; i < count; ++i)
        if (points[i].depth > out.depth) {
            out.depth = points[i].depth;
            memcpy(out.normal, points[i].normal, sizeof out.normal);
        }
    return out;
}

/* --- the rules */

/* A face of the second shape must be better than one of the first by a share and a length, and an
 * edge than a face by another share and that length, a twentieth of the speculative margin
 * (collide/box_axes.h). So a face of the first may be deeper than an edge by both. */
#define FACE_SHARE 0.98
#define EDGE_SHARE 0.95
#define LENGTH (0.05 * 0.008) /* m, in a world of the default length unit */
#define PREFERENCE (1 / (FACE_SHARE * EDGE_SHARE))
#define PREFERENCE_LENGTH (LENGTH * (PREFERENCE + 1 / FACE_SHARE))

typedef struct question {
    const twin *a, *b;
    answer ours, theirs;
} question;

static double least_known(const question *q)
{
    double by_ours = way_out(q->a, q->b, q->ours.normal);
    return q->theirs.depth > 0 ? fmin(by_ours, way_out(q->a, q->b, q->theirs.normal)) : by_ours;
}

/* Both tell the least way out, and how far that is Lode knows exactly. */
static bool least(const question *q)
{
    if (q->ours.depth <= EXACT)
        return q->theirs.depth <= SEEN;
    if (q->theirs.depth <= 0)
        return q->ours.depth <= SEEN;
    return fabs(way_out(q->a, q->b, q->ours.normal) - q->ours.depth) <= EXACT &&
           fabs(way_out(q->a, q->b, q->theirs.normal) - q->ours.depth) <= EXACT;
}

/* Where libode's direction may be wrong. */
static bool no_worse(const question *q)
{
    return q->ours.depth <= EXACT ? q->theirs.depth <= SEEN
                                  : fabs(least_known(q) - q->ours.depth) <= EXACT;
}

/* Lode misses no touch that libode sees and that is more than all but none. What it sees and libode
 * does not is one: points lie midway between the surfaces, so if the shapes overlap one of them is
 * in both. (Libode misses one touch in thirty of cylinders and boxes, and more with its fields.) */
static bool agree(const question *q)
{
    if (q->ours.depth <= 0)
        return q->theirs.depth <= SEEN;
    return q->theirs.depth > 0 || q->ours.outside <= EXACT;
}

/* The least of what both know, and as far as it says. */
static bool shortest(const question *q)
{
    return agree(q) &&
           (q->ours.depth <= EXACT ||
            (fabs(way_out(q->a, q->b, q->ours.normal) - q->ours.depth) <= EXACT &&
             q->ours.depth <= least_known(q) + EXACT));
}

/* A way out that is the least but for the preference. */
static bool preferred(const question *q)
{
    if (!agree(q))
        return false;
    if (q->ours.depth <= EXACT)
        return true;
    return q->ours.depth <= way_out(q->a, q->b, q->ours.normal) + EXACT &&
           q->ours.depth <= PREFERENCE * least_known(q) + PREFERENCE_LENGTH;
}

typedef struct row {
    form a, b;
    bool (*rule)(const question *q);
} row;

static const row rows[] = {
    {SPHERE, SPHERE, least},     {SPHERE, BOX, least},
    {SPHERE, CAPSULE, least},    {SPHERE, CYLINDER, least},
    {CAPSULE, CAPSULE, least},   {SPHERE, PLANE, least},
    {BOX, PLANE, least},         {CAPSULE, PLANE, least},
    {CYLINDER, PLANE, least},    {HULL, PLANE, least},
    {SPHERE, HULL, no_worse},    {BOX, BOX, shortest},
    {CAPSULE, BOX, preferred},   {CAPSULE, CYLINDER, preferred},
    {CYLINDER, BOX, preferred},  {CYLINDER, CYLINDER, preferred},
    {HULL, BOX, shortest},      {HULL, CAPSULE, preferred},
    {HULL, CYLINDER, preferred}, {HULL, HULL, shortest},
    {SPHERE, MESH, agree},        {BOX, MESH, agree},
    {CAPSULE, MESH, agree},       {CYLINDER, MESH, agree},
    {SPHERE, FIELD, agree},       {BOX, FIELD, agree},
    {CAPSULE, FIELD, agree},      {CYLINDER, FIELD, agree},
    {HULL, FIELD, agree},
};

static int compare_row(lode_world world, const row *row)
{
    twin a = make_twin(world, row->a), b = make_twin(world, row->b);
    test_random random = {(uint64_t)(row->a * FORMS + row->b)};
    int touching = 0, wrong = 0;
    for (int pose = 0; pose < POSES; ++pose) {
        place_pair(&a, &b, &random);
        question q = {&a, &b, ask_lode(&a, &b), ask_peer(&a, &b)};
        const answer *ours = &q.ours, *theirs = &q.theirs;
        touching += theirs->depth > SEEN;
        if (row->rule(&q))
            continue;
        if (++wrong <= 3)
            print_message("%s-%s, pose %d: %.9f along (%.4f %.4f %.4f), libode %.9f along "
                          "(%.4f %.4f %.4f)\n",
                          names[row->a], names[row->b], pose, ours->depth, ours->normal[0],
                          ours->normal[1], ours->normal[2], theirs->depth, theirs->normal[0],
                          theirs->normal[1], theirs->normal[2]);
    }
    peer_destroy(a.geom);
    peer_destroy(b.geom);
    if (wrong > 0 || touching <= POSES / 10)
        print_message("%s-%s: %d wrong, %d touch, of %d\n", names[row->a], names[row->b], wrong,
                      touching, POSES);
    return touching > POSES / 10 ? wrong : POSES;
}

static void test_pairs(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        wrong += compare_row(world, &rows[i]);
    lode_world_destroy(world);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs)};
    make_prism();
    make_hills();
    peer_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    peer_stop();
    return failed;
}
