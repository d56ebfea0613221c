/* test_transforms.c: geoms that carry another one, and the helpers that the collision interface has
 * besides geoms. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdbool.h>

#define NEAR (sizeof(dReal) == 8 ? 1e-9 : 1e-4)

static void a_transform_carries_a_geom(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID transform = dCreateGeomTransform(space), ball = dCreateSphere(NULL, 1);
    dGeomID plane = dCreatePlane(NULL, 0, 0, 1, 0);
    dContactGeom contact;
    dReal b[6];
    assert_int_equal(dCollide(transform, plane, 1, &contact, sizeof contact),
                     0); /* nothing is there */
    dGeomTransformSetGeom(transform, ball);
    assert_ptr_equal(dGeomTransformGetGeom(transform), ball);
    dGeomSetPosition(ball, 2, 0, 0);
    dGeomSetBody(transform, body);
    dBodySetPosition(body, 0, 0, (dReal)2.5);
    dBodySetQuaternion(body,
                       (dQuaternion){(dReal)0.70710678118654752, 0, (dReal)0.70710678118654752, 0});
    /* x is downwards now */
    dGeomGetAABB(transform, b);
    assert_true(fabs(b[0] + 1) < 1e-5 && fabs(b[4] + 0.5) < 1e-5 && fabs(b[5] - 1.5) < 1e-5);
    assert_true(dGeomGetPosition(ball)[0] == 2);
    assert_ptr_equal(dGeomGetBody(ball), body);
    assert_int_equal(dCollide(transform, plane, 1, &contact, sizeof contact), 1);
    assert_true(fabs(contact.depth - 0.5) < 1e-5 && fabs(contact.normal[2] - 1) < NEAR);
    assert_true(contact.g1 == ball && contact.g2 == plane);
    dGeomTransformSetInfo(transform, 1);
    assert_int_equal(dGeomTransformGetInfo(transform), 1);
    assert_int_equal(dCollide(plane, transform, 1, &contact, sizeof contact), 1);
    assert_true(contact.g1 == plane && contact.g2 == transform && contact.normal[2] < 0);
    dGeomSphereSetRadius(ball, 2); /* the carrier's bounds hear of it */
    dGeomGetAABB((dGeomID)space, b);
    assert_true(fabs(b[4] + 1.5) < 1e-5);
    dGeomID other = dCreateBox(space, 1, 1, 1), box = dCreateBox(NULL, 1, 1, 1);
    EXPECT_REFUSAL(
        dGeomTransformSetGeom(transform, other),
        "dGeomTransformSetGeom: obj must be in no space, of no body and carried by none");
    EXPECT_REFUSAL(dGeomTransformSetGeom(transform, plane),
                   "dGeomTransformSetGeom: obj has no place of its own");
    dGeomTransformSetGeom(transform, box);
    assert_null(dGeomGetBody(ball)); /* it is free */
    dGeomDestroy(ball);
    assert_false(dGeomTransformGetCleanup(transform));
    dGeomTransformSetCleanup(transform, 1);
    assert_true(dGeomTransformGetCleanup(transform));
    dGeomDestroy(box); /* the carrier has nothing then */
    assert_null(dGeomTransformGetGeom(transform));
    dGeomTransformSetGeom(transform, dCreateSphere(NULL, 1));
    dSpaceDestroy(space); /* and the transform, and what it carries */
    dGeomDestroy(plane);
    dWorldDestroy(world);
}

static double distance_at(const dReal *a1, const dReal *a2, const dReal *b1, const dReal *b2,
                          double s, double t)
{
    double square = 0;
    for (int i = 0; i < 3; ++i) {
        double x = a1[i] + s * (a2[i] - a1[i]) - b1[i] - t * (b2[i] - b1[i]);
        square += x * x;
    }
    return sqrt(square);
}

/* No two of many points are nearer than what is said to be nearest. */
static void segments_have_nearest_points(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < 500; ++round) {
        dVector3 p[4], a, b;
        for (int i = 0; i < 12; ++i)
            p[i / 3][i % 3] = (dReal)(int)random_between(&random, -4, 4) / (round % 3 ? 1 : 2);
        dClosestLineSegmentPoints(p[0], p[1], p[2], p[3], a, b);
        double said = distance_at(a, a, b, b, 0, 0), least = 1e9;
        for (int s = 0; s <= 40; ++s)
            for (int t = 0; t <= 40; ++t) {
                double d = distance_at(p[0], p[1], p[2], p[3], s / 40.0, t / 40.0);
                least = d < least ? d : least;
            }
        assert_true(said <= least + NEAR && said > least - 0.3);
        for (int i = 0; i < 3; ++i) {
            double lo = fmin(p[0][i], p[1][i]), hi = fmax(p[0][i], p[1][i]);
            assert_true(a[i] >= lo - NEAR && a[i] <= hi + NEAR);
        }
    }
}

static void boxes_need_no_geoms(void **state)
{
    (void)state;
    const dMatrix3 R = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const dVector3 p = {0, 0, 0, 0}, q = {0, 0, (dReal)0.9, 0}, far = {0, 0, (dReal)1.1, 0};
    const dVector3 side = {1, 1, 1, 0};
    dVector3 normal;
    dReal depth;
    int code;
    dContactGeom contacts[8];
    assert_int_equal(dBoxTouchesBox(p, R, side, q, R, side), 1);
    assert_int_equal(dBoxTouchesBox(p, R, side, far, R, side), 0);
    assert_int_equal(
        dBoxBox(p, R, side, far, R, side, normal, &depth, &code, 8, contacts, sizeof *contacts), 0);
    assert_int_equal(code, 0);
    assert_int_equal(
        dBoxBox(p, R, side, q, R, side, normal, &depth, &code, 8, contacts, sizeof *contacts), 4);
    assert_true(code == 3 && fabs(depth - 0.1) < NEAR && fabs(normal[2] - 1) < NEAR);
    assert_null(contacts[3].g1);
    EXPECT_REFUSAL(dBoxTouchesBox(p, R, p, q, R, side),
                   "dBoxTouchesBox: side1, side2 must be above 0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_transform_carries_a_geom),
        TEST(segments_have_nearest_points),
        TEST(boxes_need_no_geoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
