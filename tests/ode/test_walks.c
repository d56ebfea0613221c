/* test_walks.c: dCollide() within walks through a space, where pairs are collided before the
 * program is told of them: it says what it says elsewhere, to the bit; and what just touches is
 * told. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdbool.h>
#include <string.h>

enum { GEOMS = 120, MOST_PAIRS = 4000, POINTS = 8 };

typedef struct meeting {
    dGeomID a, b;
    int count;
    dContactGeom points[POINTS];
} meeting;

/* How a callback asks. */
typedef struct manner {
    int flags;
    int every;    /* of so many pairs it asks for one */
    bool changes; /* and moves or resizes the second geom for the time of asking */
} manner;

typedef struct walk {
    manner manner;
    int told, met;
    meeting meetings[MOST_PAIRS];
} walk;

static dReal other_radius(dGeomID geom)
{
    return dGeomSphereGetRadius(geom) > 1 ? dGeomSphereGetRadius(geom) - 1
                                          : dGeomSphereGetRadius(geom) + 1;
}

/* Twice: as before. */
static void change(dGeomID geom, int sign)
{
    const dReal *at = dGeomGetPosition(geom);
    if (dGeomGetClass(geom) == dSphereClass)
        dGeomSphereSetRadius(geom, other_radius(geom));
    else
        dGeomSetPosition(geom, at[0], at[1], at[2] + (dReal)(sign * 0.125));
}

static bool can_change(dGeomID geom)
{
    return dGeomGetClass(geom) != dPlaneClass;
}

static void ask(manner how, meeting *m)
{
    memset(m->points, 0, sizeof m->points);
    bool changes = how.changes && can_change(m->b);
    if (changes)
        change(m->b, 1);
    m->count = dCollide(m->a, m->b, how.flags, m->points, sizeof m->points[0]);
    if (changes)
        change(m->b, -1);
}

static void meet(void *data, dGeomID a, dGeomID b)
{
    walk *w = data;
    if (w->told++ % w->manner.every)
        return;
    assert_true(w->met < MOST_PAIRS);
    meeting *m = &w->meetings[w->met++];
    m->a = a;
    m->b = b;
    ask(w->manner, m);
}

/* All that the callback was told is what is told when nobody walks. Returns how many touch. */
static int check(dSpaceID space, walk *w)
{
    int touching = 0;
    w->told = w->met = 0;
    dSpaceCollide(space, w, meet);
    for (int i = 0; i < w->met; ++i) {
        meeting now = w->meetings[i];
        ask(w->manner, &now);
        assert_int_equal(now.count, w->meetings[i].count);
        assert_memory_equal(now.points, w->meetings[i].points, sizeof now.points);
        touching += now.count > 0;
    }
    return touching;
}

static dGeomID create(dSpaceID space, int i)
{
    if (i == 0)
        return dCreatePlane(space, 0, 0, 1, 0);
    return i % 4 == 0   ? dCreateSphere(space, (dReal)0.5)
           : i % 4 == 1 ? dCreateBox(space, 1, (dReal)0.75, (dReal)0.5)
           : i % 4 == 2 ? dCreateCapsule(space, (dReal)0.25, 1)
                        : dCreateCylinder(space, (dReal)0.5, 1);
}

/* Positions are such that moving there and back is exact. */
static void strew(dSpaceID space)
{
    test_random random = {5};
    for (int i = 0; i < GEOMS; ++i) {
        dGeomID geom = create(space, i);
        if (i == 0)
            continue;
        dQuaternion q;
        double at[3], axis[3];
        for (int k = 0; k < 3; ++k)
            at[k] = (double)random_below(&random, 4096) / 1024;
        random_direction(&random, axis);
        dQFromAxisAndAngle(q, (dReal)axis[0], (dReal)axis[1], (dReal)axis[2],
                           (dReal)random_between(&random, 0, 3));
        dGeomSetPosition(geom, (dReal)at[0], (dReal)at[1], (dReal)at[2]);
        dGeomSetQuaternion(geom, q);
    }
}

static void a_walk_says_what_is_said_elsewhere(void **state)
{
    (void)state;
    static walk w;
    dSpaceID space = dHashSpaceCreate(NULL);
    strew(space);
    const manner ways[] = {
        {.flags = POINTS, .every = 1}, /* nothing is computed ahead yet */
        {.flags = POINTS, .every = 1},
        {.flags = 2, .every = 1},
        {.flags = (int)(1 | CONTACTS_UNIMPORTANT), .every = 1},
        {.flags = POINTS, .every = 1, .changes = true},
        {.flags = POINTS, .every = 5}, /* less than what makes it worth while */
        {.flags = POINTS, .every = 1},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        w.manner = ways[i];
        assert_true(check(space, &w) > 50);
    }
    dSpaceDestroy(space);
}

/* --- on meshes */

enum { SIDE = 9, FACES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct ground {
    dReal vertices[SIDE * SIDE][4];
    dTriIndex faces[FACES][3];
    dTriMeshDataID data;
} ground;

/* Hills over 4 x 4 m. */
static void make_ground(ground *g, dReal height)
{
    int face = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int x = i % SIDE, y = i / SIDE;
        g->vertices[i][0] = (dReal)0.5 * (dReal)x;
        g->vertices[i][1] = (dReal)0.5 * (dReal)y;
        g->vertices[i][2] = height + (dReal)0.0625 * (dReal)((5 * x + 3 * y) % 7);
        if (x == SIDE - 1 || y == SIDE - 1)
            continue;
        const dTriIndex at = (dTriIndex)i;
        const dTriIndex two[2][3] = {{at, at + 1, at + SIDE + 1}, {at, at + SIDE + 1, at + SIDE}};
        memcpy(g->faces[face], two, sizeof two);
        face += 2;
    }
    g->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(g->data, g->vertices[0], SIDE * SIDE, g->faces[0], 3 * FACES);
}

/* All solids a little on, some of them far. */
static void drift(dSpaceID space, int round)
{
    for (int i = 0; i < dSpaceGetNumGeoms(space); ++i) {
        dGeomID geom = dSpaceGetGeom(space, i);
        if (dGeomGetClass(geom) == dTriMeshClass || !can_change(geom))
            continue;
        const dReal *at = dGeomGetPosition(geom);
        dReal way = (dReal)((i + round) % 5 == 0 ? 0.25 : 0.0078125) * (dReal)(round % 2 ? 1 : -1);
        dGeomSetPosition(geom, at[0] + way, at[1] - way, at[2]);
    }
}

static int refuse_odd(dGeomID mesh, dGeomID other, int triangle)
{
    (void)mesh, (void)other;
    return triangle % 2 == 0;
}

/* Whichever geom is the older one, with callbacks about triangles and without. */
static void a_walk_says_of_meshes_what_is_said_elsewhere(void **state)
{
    (void)state;
    static walk w;
    static ground low, high;
    make_ground(&low, 1);
    make_ground(&high, 3);
    dSpaceID space = dHashSpaceCreate(NULL);
    dCreateTriMesh(space, low.data, NULL, NULL, NULL);
    strew(space);
    dGeomID mesh = dCreateTriMesh(space, high.data, NULL, NULL, NULL);
    for (int round = 0; round < 12; ++round) {
        w.manner = (manner){.flags = round % 3 == 2 ? 3 : POINTS, .every = 1};
        w.manner.changes = round == 5 || round == 10;
        dGeomTriMeshSetCallback(mesh, round == 7 ? refuse_odd : NULL);
        assert_true(check(space, &w) > 50);
        drift(space, round);
    }
    dSpaceDestroy(space);
    dGeomTriMeshDataDestroy(low.data);
    dGeomTriMeshDataDestroy(high.data);
}

/* In the callback the mesh becomes another one. */
static void lift(void *data, dGeomID a, dGeomID b)
{
    ground *g = data;
    for (int i = 0; i < SIDE * SIDE; ++i)
        g->vertices[i][2] += 100;
    dGeomTriMeshDataBuildSimple(g->data, g->vertices[0], SIDE * SIDE, g->faces[0], 3 * FACES);
    dContactGeom points[POINTS];
    assert_int_equal(dCollide(a, b, POINTS, points, sizeof points[0]), 0);
}

static void what_a_callback_does_to_a_mesh_counts_at_once(void **state)
{
    (void)state;
    static walk w;
    static ground g;
    make_ground(&g, 1);
    dSpaceID space = dHashSpaceCreate(NULL);
    dCreateTriMesh(space, g.data, NULL, NULL, NULL);
    dGeomSetPosition(dCreateSphere(space, 1), 2, 2, 1);
    w.manner = (manner){.flags = POINTS, .every = 1};
    for (int i = 0; i < 3; ++i)
        assert_int_equal(check(space, &w), 1);
    dSpaceCollide(space, &g, lift);
    dSpaceDestroy(space);
    dGeomTriMeshDataDestroy(g.data);
}

/* --- walks in walks */

/* A walk in a walk: of another space, and of the same one. */
typedef struct nested {
    dSpaceID inner;
    int calls;
} nested;

static void count_call(void *data, dGeomID a, dGeomID b)
{
    dContactGeom points[POINTS];
    *(int *)data += dCollide(a, b, POINTS, points, sizeof points[0]);
}

static void walk_within(void *data, dGeomID a, dGeomID b)
{
    nested *n = data;
    dContactGeom before[POINTS], after[POINTS];
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    int count = dCollide(a, b, POINTS, before, sizeof before[0]);
    if (n->calls++ % 100 == 0) {
        int points = 0;
        dSpaceCollide(n->inner, &points, count_call);
        assert_true(points > 0);
    }
    assert_int_equal(dCollide(a, b, POINTS, after, sizeof after[0]), count);
    assert_memory_equal(before, after, sizeof before);
}

static void a_walk_within_a_walk_disturbs_nothing(void **state)
{
    (void)state;
    dSpaceID outer = dHashSpaceCreate(NULL), inner = dHashSpaceCreate(NULL);
    strew(outer);
    strew(inner);
    for (int i = 0; i < 3; ++i) {
        nested n = {i == 2 ? outer : inner, 0};
        dSpaceCollide(outer, &n, walk_within);
        assert_true(n.calls > 100);
    }
    dSpaceDestroy(outer);
    dSpaceDestroy(inner);
}

static int count_touches(dGeomID a, dGeomID b, double *out_depth)
{
    dContactGeom points[POINTS];
    int count = dCollide(a, b, POINTS, points, sizeof points[0]);
    *out_depth = 0;
    for (int i = 0; i < count; ++i) {
        assert_true(points[i].depth >= 0);
        *out_depth = points[i].depth > *out_depth ? points[i].depth : *out_depth;
    }
    return count;
}

/* As libode has it: otherwise stacks that are built without gaps begin with a fall. */
static void what_touches_without_overlapping_is_told(void **state)
{
    (void)state;
    double depth;
    dGeomID plane = dCreatePlane(NULL, 0, 0, 1, 0);
    dGeomID box = dCreateBox(NULL, 1, 1, 1), on_top = dCreateBox(NULL, 1, 1, 1);
    dGeomID ball = dCreateSphere(NULL, (dReal)0.5);
    dGeomSetPosition(box, 0, 0, (dReal)0.5);
    dGeomSetPosition(on_top, 0, 0, (dReal)1.5);
    dGeomSetPosition(ball, 0, 0, (dReal)0.5);
    assert_int_equal(count_touches(plane, box, &depth), 4);
    assert_true(depth <= 1e-6);
    assert_int_equal(count_touches(box, on_top, &depth), 4);
    assert_true(depth <= 1e-6);
    assert_int_equal(count_touches(ball, plane, &depth), 1);
    assert_true(depth <= 1e-6);
    dGeomSetPosition(ball, 1, 0, (dReal)0.5);
    assert_int_equal(count_touches(ball, box, &depth), 1);
    assert_true(depth <= 1e-6);
    dGeomSetPosition(ball, (dReal)1.0001, 0, (dReal)0.5);
    assert_int_equal(count_touches(ball, box, &depth), 0);
    dGeomSetPosition(on_top, 0, 0, (dReal)1.5001);
    assert_int_equal(count_touches(box, on_top, &depth), 0);
    dGeomSetPosition(box, 0, 0, (dReal)0.5001);
    assert_int_equal(count_touches(plane, box, &depth), 0);
    dGeomDestroy(plane);
    dGeomDestroy(box);
    dGeomDestroy(on_top);
    dGeomDestroy(ball);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_walk_says_what_is_said_elsewhere),
        TEST(a_walk_says_of_meshes_what_is_said_elsewhere),
        TEST(what_a_callback_does_to_a_mesh_counts_at_once),
        TEST(a_walk_within_a_walk_disturbs_nothing),
        TEST(what_touches_without_overlapping_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
