/* test_walk_changes.c: pairs are collided before the near callback is told of them; what a callback
 * changes, and what it asks then, counts all the same. So do bounds that have become others. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <stdbool.h>
#include <string.h>

enum { POINTS = 8 };

/* A geom on a plane, and what its program does to it in the callback, between two questions. */
typedef struct touching {
    dGeomID a, b;
    void (*change)(dGeomID geom);
    int before, count;
    dContactGeom asked[POINTS], points[POINTS];
} touching;

static void move_geom(dGeomID geom)
{
    dGeomSetPosition(geom, 0, 0, (dReal)0.5);
}

static void tilt(dQuaternion q)
{
    dQFromAxisAndAngle(q, 1, 1, 0, 1);
}

static void tilt_matrix(dMatrix3 R)
{
    dRFromAxisAndAngle(R, 1, 0, 0, 1);
}

static void turn_geom(dGeomID geom)
{
    dQuaternion q;
    tilt(q);
    dGeomSetQuaternion(geom, q);
}

static void turn_geom_by_matrix(dGeomID geom)
{
    dMatrix3 R;
    tilt_matrix(R);
    dGeomSetRotation(geom, R);
}

static void move_body(dGeomID geom)
{
    dBodySetPosition(dGeomGetBody(geom), 0, 0, (dReal)0.5);
}

static void turn_body(dGeomID geom)
{
    dQuaternion q;
    tilt(q);
    dBodySetQuaternion(dGeomGetBody(geom), q);
}

static void turn_body_by_matrix(dGeomID geom)
{
    dMatrix3 R;
    tilt_matrix(R);
    dBodySetRotation(dGeomGetBody(geom), R);
}

static void offset_geom(dGeomID geom)
{
    dGeomSetOffsetPosition(geom, 0, 0, (dReal)-0.125);
}

static void turn_offset(dGeomID geom)
{
    dMatrix3 R;
    tilt_matrix(R);
    dGeomSetOffsetRotation(geom, R);
}

static void turn_offset_by_quaternion(dGeomID geom)
{
    dQuaternion q;
    tilt(q);
    dGeomSetOffsetQuaternion(geom, q);
}

static void turn_offset_in_world(dGeomID geom)
{
    dMatrix3 R;
    tilt_matrix(R);
    dGeomSetOffsetWorldRotation(geom, R);
}

static void turn_offset_in_world_by_quaternion(dGeomID geom)
{
    dQuaternion q;
    tilt(q);
    dGeomSetOffsetWorldQuaternion(geom, q);
}

static void offset_in_world(dGeomID geom)
{
    dGeomSetOffsetWorldPosition(geom, 0, 0, (dReal)0.5);
}

static void resize(dGeomID geom)
{
    if (dGeomGetClass(geom) == dBoxClass)
        dGeomBoxSetLengths(geom, (dReal)1.5, 2, (dReal)1.75);
    else if (dGeomGetClass(geom) == dSphereClass)
        dGeomSphereSetRadius(geom, (dReal)0.75);
    else if (dGeomGetClass(geom) == dCapsuleClass)
        dGeomCapsuleSetParams(geom, (dReal)0.75, (dReal)0.5);
    else
        dGeomCylinderSetParams(geom, (dReal)0.75, (dReal)1.5);
}

static void give_another_body(dGeomID geom)
{
    dBodyID body = dBodyCreate(dBodyGetWorld(dGeomGetBody(geom)));
    dBodySetPosition(body, 0, 0, (dReal)0.5);
    dGeomSetBody(geom, body);
}

static void step_world(dGeomID geom)
{
    dWorldID world = dBodyGetWorld(dGeomGetBody(geom));
    dBodySetLinearVel(dGeomGetBody(geom), 0, 0, -1);
    dWorldQuickStep(world, (dReal)0.125);
}

/* The only other geom. */
static void lower_plane(dGeomID geom)
{
    dSpaceID space = dGeomGetSpace(geom);
    for (int i = 0; i < dSpaceGetNumGeoms(space); ++i)
        if (dSpaceGetGeom(space, i) != geom)
            dGeomPlaneSetParams(dSpaceGetGeom(space, i), 0, 0, 1, (dReal)-0.125);
}

static void change_and_ask(void *data, dGeomID a, dGeomID b)
{
    touching *t = data;
    t->a = a, t->b = b;
    t->before = dCollide(a, b, POINTS, t->asked, sizeof t->asked[0]);
    if (t->change)
        t->change(dGeomGetClass(a) == dPlaneClass ? b : a);
    t->count = dCollide(a, b, POINTS, t->points, sizeof t->points[0]);
}

static dGeomID create(dSpaceID space, int class)
{
    return class == dSphereClass    ? dCreateSphere(space, (dReal)0.5)
           : class == dBoxClass     ? dCreateBox(space, 1, (dReal)0.75, (dReal)0.5)
           : class == dCapsuleClass ? dCreateCapsule(space, (dReal)0.25, 1)
                                    : dCreateCylinder(space, (dReal)0.5, 1);
}

static void check_change(int class, void (*change)(dGeomID geom))
{
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(NULL);
    dCreatePlane(space, 0, 0, 1, 0);
    dGeomID geom = create(space, class);
    dGeomSetBody(geom, dBodyCreate(world));
    dGeomSetPosition(geom, 0, 0, (dReal)0.25);
    touching t = {.change = NULL};
    for (int i = 0; i < 3; ++i) /* from the second one on it is computed ahead */
        dSpaceCollide(space, &t, change_and_ask);
    t.change = change;
    dSpaceCollide(space, &t, change_and_ask);
    assert_true(t.before > 0);
    dContactGeom now[POINTS];
    int count = dCollide(t.a, t.b, POINTS, now, sizeof now[0]);
    assert_int_equal(t.count, count);
    bool same = t.before == count;
    for (int i = 0; i < count; ++i) {
        assert_true(t.points[i].depth == now[i].depth);
        assert_memory_equal(t.points[i].pos, now[i].pos, 3 * sizeof(dReal));
        same = same && memcmp(now[i].pos, t.asked[i].pos, 3 * sizeof(dReal)) == 0 &&
               now[i].depth == t.asked[i].depth;
    }
    assert_false(same);
    dSpaceDestroy(space);
    dWorldDestroy(world);
}

/* By the functions that move, turn or resize; a sphere looks alike after a turn. */
static void what_a_callback_changes_counts_at_once(void **state)
{
    (void)state;
    void (*const turns[])(dGeomID) = {turn_geom,
                                      turn_geom_by_matrix,
                                      turn_body,
                                      turn_body_by_matrix,
                                      turn_offset,
                                      turn_offset_by_quaternion,
                                      turn_offset_in_world,
                                      turn_offset_in_world_by_quaternion};
    void (*const moves[])(dGeomID) = {move_geom,         move_body, offset_geom, offset_in_world,
                                      give_another_body, resize,    step_world,  lower_plane};
    const int classes[] = {dSphereClass, dBoxClass, dCapsuleClass, dCylinderClass};
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; ++k) {
        for (size_t i = 0; i < sizeof moves / sizeof moves[0]; ++i)
            check_change(classes[k], moves[i]);
        for (size_t i = 0; i < sizeof turns / sizeof turns[0] && classes[k] != dSphereClass; ++i)
            check_change(classes[k], turns[i]);
    }
}

/* --- bounds that become others in the middle of a walk */

enum { SPHERES = 4 };

/* Spheres in one place: all meet all. In the first call the oldest one goes away, and the program
 * asks for bounds. */
typedef struct leaving {
    dGeomID spheres[SPHERES];
    dGeomID asks; /* for whose; or null */
    int calls, of_the_oldest;
} leaving;

static void leave_and_ask(void *data, dGeomID a, dGeomID b)
{
    leaving *l = data;
    dReal bounds[6];
    l->of_the_oldest += a == l->spheres[0] || b == l->spheres[0];
    if (l->calls++ > 0)
        return;
    dGeomSetPosition(l->spheres[0], 10, 0, 0);
    if (l->asks)
        dGeomGetAABB(l->asks, bounds);
}

static int told_of_the_oldest(dSpaceID space, leaving *l, dGeomID asks)
{
    l->asks = asks;
    l->calls = l->of_the_oldest = 0;
    dGeomSetPosition(l->spheres[0], 0, 0, 0);
    dSpaceCollide(space, l, leave_and_ask);
    return l->of_the_oldest;
}

/* The newest comes first, and meets the oldest last. A walk goes by the bounds that there are when
 * a pair's turn comes, and those that have not been asked for since a move are the old ones. */
static void walks_go_by_the_bounds_that_are_known(void **state)
{
    (void)state;
    for (int nested = 0; nested < 2; ++nested) {
        leaving l = {.asks = NULL};
        dSpaceID outer = dHashSpaceCreate(NULL);
        dSpaceID space = dSimpleSpaceCreate(nested ? outer : NULL);
        for (int i = 0; i < SPHERES; ++i)
            l.spheres[i] = dCreateSphere(space, 1);
        assert_int_equal(told_of_the_oldest(space, &l, NULL), SPHERES - 1);
        assert_int_equal(told_of_the_oldest(space, &l, l.spheres[0]), 0);
        assert_int_equal(told_of_the_oldest(space, &l, (dGeomID)space), 0);
        assert_int_equal(told_of_the_oldest(space, &l, (dGeomID)outer), nested ? 0 : SPHERES - 1);
        assert_int_equal(told_of_the_oldest(space, &l, l.spheres[1]), SPHERES - 1);
        dSpaceDestroy(outer);
        if (!nested)
            dSpaceDestroy(space);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_callback_changes_counts_at_once),
        TEST(walks_go_by_the_bounds_that_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
