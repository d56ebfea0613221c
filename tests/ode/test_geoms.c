/* test_geoms.c: geoms and spaces of the ODE face: places with and without bodies, offsets, bounds,
 * refusals, members, and classes of a program's own. What two geoms touch with is held against
 * another library in touches.c. */
#include <ode/ode.h>

#include "tests/ode/program.h"
#include "tests/ode/refusals.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NEAR (sizeof(dReal) == 8 ? 1e-12 : 1e-5)

static bool is_at(const dReal *v, double x, double y, double z)
{
    return fabs(v[0] - x) < NEAR && fabs(v[1] - y) < NEAR && fabs(v[2] - z) < NEAR;
}

static const dQuaternion quarter = {(dReal)0.70710678118654752, 0, 0, (dReal)0.70710678118654752};

/* --- places */

static void a_geom_alone_is_where_it_is_put(void **state)
{
    (void)state;
    dGeomID box = dCreateBox(NULL, 1, 2, 3);
    dMatrix3 R;
    dQuaternion q;
    const dReal *position = dGeomGetPosition(box), *rotation = dGeomGetRotation(box);
    assert_true(is_at(position, 0, 0, 0) && rotation[0] == 1 && rotation[5] == 1);
    dGeomSetPosition(box, 1, 2, 3);
    dGeomSetQuaternion(box, quarter);
    assert_true(is_at(position, 1, 2, 3));
    assert_true(fabs(rotation[1] + 1) < NEAR && fabs(rotation[4] - 1) < NEAR);
    dGeomCopyRotation(box, R);
    dGeomSetQuaternion(box, (dQuaternion){1, 0, 0, 0});
    dGeomSetRotation(box, R);
    dGeomGetQuaternion(box, q);
    assert_true(fabs(q[0] - quarter[0]) < NEAR && fabs(q[3] - quarter[3]) < NEAR);
    dVector3 v;
    dGeomGetRelPointPos(box, 1, 0, 0, v);
    assert_true(is_at(v, 1, 3, 3));
    dGeomGetPosRelPoint(box, 1, 3, 3, v);
    assert_true(is_at(v, 1, 0, 0));
    dGeomVectorToWorld(box, 1, 0, 0, v);
    assert_true(is_at(v, 0, 1, 0));
    dGeomVectorFromWorld(box, 0, 1, 0, v);
    assert_true(is_at(v, 1, 0, 0));
    dGeomCopyPosition(box, v);
    assert_true(is_at(v, 1, 2, 3));
    dGeomDestroy(box);
}

/* Each element of a matrix and of a quaternion that is no number; and a quaternion of no length. */
static void what_is_no_rotation_is_refused(void **state)
{
    (void)state;
    dGeomID box = dCreateBox(NULL, 1, 2, 3);
    dGeomSetQuaternion(box, quarter);
    for (int i = 0; i < 12; ++i) {
        dMatrix3 R = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        R[i] = (dReal)NAN;
        if (i % 4 != 3) /* of no meaning */
            EXPECT_REFUSAL(dGeomSetRotation(box, R), "dGeomSetRotation: R must be a rotation");
    }
    for (int i = 0; i < 4; ++i) {
        dQuaternion q = {1, 0, 0, 0};
        q[i] = (dReal)INFINITY;
        EXPECT_REFUSAL(dGeomSetQuaternion(box, q),
                       "dGeomSetQuaternion: Q must be finite and have a length");
    }
    EXPECT_REFUSAL(dGeomSetQuaternion(box, (dQuaternion){0, 0, 0, 0}),
                   "dGeomSetQuaternion: Q must be finite and have a length");
    const dReal *rotation = dGeomGetRotation(box);
    assert_true(fabs(rotation[1] + 1) < NEAR && fabs(rotation[4] - 1) < NEAR);
    dGeomDestroy(box);
}

static void a_geom_goes_with_its_body(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dGeomID ball = dCreateSphere(NULL, 1), box = dCreateBox(NULL, 1, 1, 1);
    dBodySetPosition(body, 4, 5, 6);
    dGeomSetPosition(ball, 9, 9, 9);
    dGeomSetBody(ball, body);
    dGeomSetBody(box, body);
    assert_ptr_equal(dGeomGetBody(ball), body);
    assert_ptr_equal(dBodyGetFirstGeom(body), box);
    assert_ptr_equal(dBodyGetNextGeom(box), ball);
    assert_ptr_equal(dGeomGetBodyNext(box), ball);
    assert_null(dBodyGetNextGeom(ball));
    assert_ptr_equal(dGeomGetPosition(ball), dBodyGetPosition(body));
    dReal bounds[6];
    dGeomGetAABB(ball, bounds);
    assert_true(fabs(bounds[0] - 3) < 1e-5 && fabs(bounds[5] - 7) < 1e-5);
    dBodySetLinearVel(body, 1, 0, 0);
    dWorldStep(world, (dReal)0.5);
    dGeomGetAABB(ball, bounds);
    assert_true(fabs(bounds[0] - 3.5) < 1e-5);
    dGeomSetPosition(box, 7, 8, 9); /* moves the body, and so the ball */
    assert_true(is_at(dBodyGetPosition(body), 7, 8, 9));
    dGeomGetAABB(ball, bounds);
    assert_true(fabs(bounds[0] - 6) < 1e-5);
    dGeomSetBody(ball, NULL); /* stays */
    dBodySetPosition(body, 0, 0, 0);
    assert_true(is_at(dGeomGetPosition(ball), 7, 8, 9));
    dBodyDestroy(body);
    assert_null(dGeomGetBody(box));
    assert_true(is_at(dGeomGetPosition(box), 0, 0, 0));
    dGeomDestroy(ball);
    dGeomDestroy(box);
    dWorldDestroy(world);
}

static void a_geom_may_be_beside_its_body(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dGeomID geom = dCreateCapsule(NULL, (dReal)0.5, 2);
    dVector3 v;
    dQuaternion q;
    dMatrix3 R;
    EXPECT_REFUSAL(dGeomSetOffsetPosition(geom, 1, 0, 0),
                   "dGeomSetOffsetPosition: geom must have a body");
    dGeomSetBody(geom, body);
    assert_false(dGeomIsOffset(geom));
    assert_true(is_at(dGeomGetOffsetPosition(geom), 0, 0, 0));
    dBodySetPosition(body, 1, 0, 0);
    dBodySetQuaternion(body, quarter);
    dGeomSetOffsetPosition(geom, 2, 0, 0);
    assert_true(dGeomIsOffset(geom));
    assert_true(is_at(dGeomGetPosition(geom), 1, 2, 0));
    dGeomSetOffsetQuaternion(geom, quarter);
    dGeomGetQuaternion(geom, q);
    assert_true(fabs(q[0]) < NEAR && fabs(q[3] - 1) < NEAR);
    dGeomSetOffsetWorldPosition(geom, 1, 1, 1);
    assert_true(is_at(dGeomGetPosition(geom), 1, 1, 1));
    dGeomCopyOffsetPosition(geom, v);
    assert_true(is_at(v, 1, 0, 1));
    dGeomSetOffsetWorldQuaternion(geom, (dQuaternion){1, 0, 0, 0});
    dGeomGetOffsetQuaternion(geom, q);
    assert_true(fabs(q[0] - quarter[0]) < NEAR && fabs(q[3] + quarter[3]) < NEAR);
    dGeomCopyRotation(geom, R);
    assert_true(fabs(R[0] - 1) < NEAR && fabs(R[5] - 1) < NEAR);
    dGeomSetOffsetWorldRotation(geom, dBodyGetRotation(body));
    R[0] = R[5] = 7;
    dGeomCopyOffsetRotation(geom, R);
    assert_true(fabs(R[0] - 1) < NEAR && fabs(dGeomGetOffsetRotation(geom)[5] - 1) < NEAR);
    dGeomSetOffsetRotation(geom, dBodyGetRotation(body));
    assert_true(fabs(dGeomGetOffsetRotation(geom)[1] + 1) < NEAR);
    dGeomSetPosition(geom, 5, 5, 5); /* moves the body */
    assert_true(is_at(dGeomGetPosition(geom), 5, 5, 5));
    assert_true(is_at(dBodyGetPosition(body), 5, 4, 4));
    dGeomSetQuaternion(geom, (dQuaternion){1, 0, 0, 0});
    assert_true(is_at(dGeomGetPosition(geom), 5, 5, 5));
    dGeomGetQuaternion(geom, q);
    assert_true(fabs(fabs(q[0]) - 1) < NEAR);
    dGeomClearOffset(geom);
    assert_false(dGeomIsOffset(geom));
    assert_ptr_equal(dGeomGetPosition(geom), dBodyGetPosition(body));
    dWorldDestroy(world);
    dGeomDestroy(geom);
}

/* --- sizes */

static void sizes_are_as_they_were_set(void **state)
{
    (void)state;
    dGeomID ball = dCreateSphere(NULL, 1), box = dCreateBox(NULL, 1, 2, 3);
    dGeomID capsule = dCreateCapsule(NULL, 1, 2), cylinder = dCreateCylinder(NULL, 1, 2);
    dGeomID plane = dCreatePlane(NULL, 0, 0, 2, 4);
    dVector3 v;
    dVector4 p;
    dReal radius, length;
    dGeomSphereSetRadius(ball, 3);
    assert_true(dGeomSphereGetRadius(ball) == 3);
    dGeomBoxSetLengths(box, 3, 4, 5);
    dGeomBoxGetLengths(box, v);
    assert_true(is_at(v, 3, 4, 5));
    dGeomCapsuleSetParams(capsule, 2, 6);
    dGeomCapsuleGetParams(capsule, &radius, &length);
    assert_true(radius == 2 && length == 6);
    dGeomCylinderSetParams(cylinder, 3, 7);
    dGeomCylinderGetParams(cylinder, &radius, &length);
    assert_true(radius == 3 && length == 7);
    dGeomPlaneGetParams(plane, p);
    assert_true(is_at(p, 0, 0, 1) && fabs(p[3] - 2) < NEAR);
    dGeomPlaneSetParams(plane, 3, 0, 4, 10);
    dGeomPlaneGetParams(plane, p);
    assert_true(is_at(p, 0.6, 0, 0.8) && fabs(p[3] - 2) < NEAR);
    assert_true(fabs(dGeomSpherePointDepth(ball, 1, 0, 0) - 2) < NEAR);
    assert_true(fabs(dGeomSpherePointDepth(ball, 0, 7, 0) + 4) < NEAR);
    assert_true(fabs(dGeomBoxPointDepth(box, 1, 0, 0) - 0.5) < NEAR);
    assert_true(fabs(dGeomBoxPointDepth(box, 4.5, 6, 0) + 5) < NEAR); /* to the edge */
    assert_true(fabs(dGeomCapsulePointDepth(capsule, 0, 0, 4) - 1) < NEAR);
    assert_true(fabs(dGeomCapsulePointDepth(capsule, 3, 0, 1) + 1) < NEAR);
    assert_true(fabs(dGeomPlanePointDepth(plane, 0, 5, 0) - 2) < NEAR);
    EXPECT_REFUSAL(dGeomSphereSetRadius(ball, 0),
                   "dGeomSphereSetRadius: radius must be finite and above 0");
    EXPECT_REFUSAL(dGeomSphereGetRadius(box),
                   "dGeomSphereGetRadius: the geom is a box, not a sphere");
    EXPECT_REFUSAL(dCreatePlane(NULL, 0, 0, 0, 1),
                   "dCreatePlane: a, b, c, d must be finite, and (a, b, c) of a length above 0");
    assert_true(dGeomSphereGetRadius(ball) == 3);
    dGeomID all[] = {ball, box, capsule, cylinder, plane};
    for (int i = 0; i < 5; ++i)
        dGeomDestroy(all[i]);
}

static void planes_have_bounds_where_they_are_level(void **state)
{
    (void)state;
    dGeomID plane = dCreatePlane(NULL, 0, 0, -1, 3);
    dReal b[6];
    dGeomGetAABB(plane, b);
    assert_true(b[0] == -dInfinity && b[1] == dInfinity && b[4] == -3 && b[5] == dInfinity);
    dGeomPlaneSetParams(plane, 1, 1, 0, 0);
    dGeomGetAABB(plane, b);
    assert_true(b[0] == -dInfinity && b[3] == dInfinity && b[5] == dInfinity);
    EXPECT_REFUSAL(dGeomSetPosition(plane, 0, 0, 1),
                   "dGeomSetPosition: geom has no place of its own");
    memset(b, 0, sizeof b);
    dInfiniteAABB(plane, b);
    for (int i = 0; i < 6; ++i)
        assert_true(b[i] == (i % 2 ? dInfinity : -dInfinity));
    dGeomDestroy(plane);
}

static void rays_are_as_they_were_set(void **state)
{
    (void)state;
    dGeomID ray = dCreateRay(NULL, 5);
    dVector3 start, direction;
    dReal b[6];
    int first, culls;
    dGeomRaySet(ray, 1, 2, 3, 0, 4, 0);
    dGeomRayGet(ray, start, direction);
    assert_true(is_at(start, 1, 2, 3) && is_at(direction, 0, 1, 0));
    dGeomRaySetLength(ray, 2);
    assert_true(dGeomRayGetLength(ray) == 2);
    dGeomGetAABB(ray, b);
    assert_true(fabs(b[2] - 2) < NEAR && fabs(b[3] - 4) < 1e-5);
    dGeomRayGetParams(ray, &first, &culls);
    assert_true(!first && !culls && !dGeomRayGetClosestHit(ray));
    dGeomRaySetParams(ray, 1, 1);
    dGeomRaySetClosestHit(ray, 1);
    assert_true(dGeomRayGetFirstContact(ray) && dGeomRayGetBackfaceCull(ray) &&
                dGeomRayGetClosestHit(ray));
    dGeomRaySetFirstContact(ray, 0);
    dGeomRaySetBackfaceCull(ray, 0);
    assert_true(!dGeomRayGetFirstContact(ray) && !dGeomRayGetBackfaceCull(ray));
    dGeomRayGetParams(ray, &first, &culls);
    assert_true(!first && !culls);
    EXPECT_REFUSAL(dGeomRaySet(ray, 0, 0, 0, 0, 0, 0), "dGeomRaySet: dx, dy, dz must not all be 0");
    dGeomDestroy(ray);
}

/* --- contacts */

static void a_box_on_a_plane_touches_with_four_corners(void **state)
{
    (void)state;
    dGeomID plane = dCreatePlane(NULL, 0, 0, 1, 0), box = dCreateBox(NULL, 1, 1, 1);
    struct {
        dContactGeom geom;
        int own;
    } contacts[8];
    memset(contacts, 0x55, sizeof contacts);
    dGeomSetPosition(box, 0, 0, (dReal)0.4);
    int count = dCollide(plane, box, 8, &contacts[0].geom, sizeof contacts[0]);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; ++i) {
        const dContactGeom *c = &contacts[i].geom;
        assert_true(is_at(c->normal, 0, 0, -1) && fabs(c->depth - 0.1) < 1e-6);
        assert_true(c->g1 == plane && c->g2 == box && c->side1 == -1 && c->side2 == -1);
        assert_int_equal(contacts[i].own, 0x55555555); /* what lies between is the caller's */
    }
    assert_int_equal(dCollide(plane, box, 2, &contacts[0].geom, sizeof contacts[0]), 2);
    assert_int_equal(dCollide(plane, box, (int)(1 | CONTACTS_UNIMPORTANT), &contacts[0].geom,
                              sizeof contacts[0]),
                     1);
    assert_int_equal(dCollide(box, box, 8, &contacts[0].geom, sizeof contacts[0]), 0);
    EXPECT_REFUSAL(dCollide(plane, box, 0, &contacts[0].geom, sizeof contacts[0]),
                   "dCollide: flags must ask for at least one contact");
    EXPECT_REFUSAL(dCollide(plane, box, 1, &contacts[0].geom, 8),
                   "dCollide: skip must be at least the size of a contact");
    dGeomDestroy(plane);
    dGeomDestroy(box);
}

/* --- spaces */

static void count_pair(void *data, dGeomID a, dGeomID b)
{
    assert_true(a != b);
    ++*(int *)data;
}

static void change_space(void *data, dGeomID a, dGeomID b)
{
    (void)b;
    EXPECT_REFUSAL(dSpaceRemove(data, a), "dSpaceRemove: space is being looked through");
    EXPECT_REFUSAL(dGeomDestroy(a),
                   "dGeomDestroy: geom is in a space that is being looked through");
}

/* Whatever rounding says of a gap of none, far from the origin too; and not of one that is
 * there. */
static void what_just_touches_is_told(void **state)
{
    (void)state;
    enum { KINDS = 4 };
    for (int floor = 0; floor < 2; ++floor)
        for (int far = 0; far < 300; far += 100) {
            dGeomID on = floor ? dCreatePlane(NULL, 0, 0, 1, far) : dCreateBox(NULL, 2, 2, 2);
            if (!floor)
                dGeomSetPosition(on, far, 0, (dReal)(far - 1));
            dGeomID all[KINDS] = {dCreateSphere(NULL, (dReal)0.3),
                                  dCreateBox(NULL, 1, 1, (dReal)0.6),
                                  dCreateCapsule(NULL, (dReal)0.2, (dReal)0.2),
                                  dCreateCylinder(NULL, (dReal)0.3, (dReal)0.6)};
            for (int i = 0; i < KINDS; ++i) {
                dContactGeom contacts[8];
                dGeomSetPosition(all[i], far, 0, far + (dReal)0.3);
                int count = dCollide(all[i], on, 8, contacts, sizeof *contacts);
                assert_true(count > 0);
                for (int k = 0; k < count; ++k)
                    assert_true(contacts[k].depth >= 0 && contacts[k].depth < 100 * NEAR);
                dGeomSetPosition(all[i], far, 0, far + (dReal)0.302);
                assert_int_equal(dCollide(all[i], on, 8, contacts, sizeof *contacts), 0);
                dGeomDestroy(all[i]);
            }
            dGeomDestroy(on);
        }
}

static void spaces_have_members(void **state)
{
    (void)state;
    dSpaceID space = dSimpleSpaceCreate(NULL), inner = dHashSpaceCreate(space);
    dGeomID a = dCreateSphere(space, 1), b = dCreateSphere(NULL, 1);
    int pairs = 0, least, most;
    dReal bounds[6];
    assert_true(dGeomIsSpace((dGeomID)space) && !dGeomIsSpace(a));
    assert_int_equal(dGeomGetClass((dGeomID)inner), dHashSpaceClass);
    assert_int_equal(dSpaceGetClass(space), dSimpleSpaceClass);
    assert_int_equal(dSpaceGetNumGeoms(space), 2);
    assert_ptr_equal(dSpaceGetGeom(space, 0), a);
    assert_ptr_equal(dSpaceGetGeom(space, 1), inner);
    EXPECT_REFUSAL(dSpaceGetGeom(space, 2),
                   "dSpaceGetGeom: i must be 0 to the number of geoms less 1");
    EXPECT_REFUSAL(dSpaceAdd(space, a), "dSpaceAdd: geom is in a space already");
    EXPECT_REFUSAL(dSpaceAdd(inner, (dGeomID)space),
                   "dSpaceAdd: geom is the space, or has it within");
    dSpaceAdd(inner, b);
    assert_true(dSpaceQuery(inner, b) && !dSpaceQuery(space, b));
    assert_ptr_equal(dGeomGetSpace(b), inner);
    dGeomSetPosition(b, 5, 0, 0);
    dSpaceClean(space);
    dGeomGetAABB((dGeomID)space, bounds);
    assert_true(fabs(bounds[0] + 1) < 1e-5 && fabs(bounds[1] - 6) < 1e-5);
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 0);
    dGeomSetPosition(b, 1, 0, 0);
    dSpaceCollide(space, &pairs, count_pair); /* the inner space and a */
    assert_int_equal(pairs, 1);
    dSpaceCollide2((dGeomID)inner, a, &pairs, count_pair);
    assert_int_equal(pairs, 2);
    dSpaceSetSublevel(inner, 1);
    assert_int_equal(dSpaceGetSublevel(inner), 1);
    dSpaceCollide2((dGeomID)space, (dGeomID)inner, &pairs, count_pair); /* a, and the inner space */
    assert_int_equal(pairs, 3);
    dContactGeom contact[4];
    assert_int_equal(dCollide(a, (dGeomID)inner, 4, contact, sizeof *contact), 1);
    assert_true(contact[0].g1 == a && contact[0].g2 == b);
    dSpaceCollide(space, space, change_space);
    assert_int_equal(dSpaceGetNumGeoms(space), 2);
    dHashSpaceSetLevels(inner, -1, 4);
    dHashSpaceGetLevels(inner, &least, &most);
    assert_true(least == -1 && most == 4);
    assert_true(dSpaceGetCleanup(space) && !dSpaceGetManualCleanup(space));
    dSpaceSetManualCleanup(space, 1);
    assert_true(dSpaceGetManualCleanup(space));
    dSpaceSetCleanup(inner, 0);
    assert_int_equal(dSpaceGetCleanup(inner), 0);
    dSpaceDestroy(space); /* and a, and the inner space; b is set free */
    assert_null(dGeomGetSpace(b));
    dGeomDestroy(b);
}

/* Each pair once, whatever kind of space it is, in the same order. */
static void note_pair(void *data, dGeomID a, dGeomID b)
{
    uint64_t *hash = data;
    *hash = (*hash ^ (uintptr_t)dGeomGetData(a)) * 1099511628211u;
    *hash = (*hash ^ (uintptr_t)dGeomGetData(b)) * 1099511628211u;
}

static void pairs_come_in_one_order(void **state)
{
    (void)state;
    const dVector3 middle = {0, 0, 0, 0}, extent = {9, 9, 9, 0};
    dSpaceID spaces[] = {dSimpleSpaceCreate(NULL), dHashSpaceCreate(NULL),
                         dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_ZYX),
                         dQuadTreeSpaceCreate(NULL, middle, extent, 3)};
    uint64_t hashes[4] = {0};
    for (int s = 0; s < 4; ++s) {
        test_random random = {5};
        for (uintptr_t i = 1; i <= 200; ++i) {
            dGeomID geom = i % 60 ? dCreateSphere(spaces[s], 1)
                                  : dCreatePlane(spaces[s], 0, 0, 1, 0);
            dGeomSetData(geom, (void *)i);
            if (i % 60)
                dGeomSetPosition(geom, (dReal)random_between(&random, -5, 5),
                                 (dReal)random_between(&random, -5, 5),
                                 (dReal)random_between(&random, -5, 5));
        }
        dSpaceCollide(spaces[s], &hashes[s], note_pair);
        assert_true(hashes[s] != 0 && hashes[s] == hashes[0]);
        dSpaceDestroy(spaces[s]);
    }
}

/* Geoms come, go, move, grow and lose their ends; each time the pairs are those that a look at all
 * bounds finds. */
static void wander(test_random *random, dSpaceID space, dGeomID *geom)
{
    uint32_t what = random_below(random, 8);
    if (what == 0 && dGeomGetSpace(*geom))
        dSpaceRemove(space, *geom);
    else if (what == 1 && !dGeomGetSpace(*geom))
        dSpaceAdd(space, *geom);
    else if (what == 2 && dGeomGetClass(*geom) == dSphereClass)
        dGeomSphereSetRadius(*geom, (dReal)random_between(random, 0.1, 2));
    else if (what == 5)
        (dGeomIsEnabled(*geom) ? dGeomDisable : dGeomEnable)(*geom);
    else if (what == 3 && random_below(random, 4) == 0) {
        dGeomDestroy(*geom);
        *geom = random_below(random, 6) ? dCreateSphere(space, 1) : dCreatePlane(space, 0, 0, 1, 0);
    } else if (dGeomGetClass(*geom) == dSphereClass) {
        const dReal *p = dGeomGetPosition(*geom);
        double reach = what == 4 ? 3 : 0.02;
        dGeomSetPosition(*geom, p[0] + (dReal)random_between(random, -reach, reach),
                         p[1] + (dReal)random_between(random, -reach, reach), p[2]);
    }
}

static int count_all(dGeomID *geoms, int count, dSpaceID space)
{
    int pairs = 0;
    for (int i = 0; i < count; ++i)
        for (int k = i + 1; k < count; ++k) {
            dReal a[6], b[6];
            dGeomGetAABB(geoms[i], a);
            dGeomGetAABB(geoms[k], b);
            bool apart = dGeomGetSpace(geoms[i]) != space || dGeomGetSpace(geoms[k]) != space ||
                         !dGeomIsEnabled(geoms[i]) || !dGeomIsEnabled(geoms[k]);
            for (int x = 0; x < 3; ++x)
                apart = apart || a[2 * x] > b[2 * x + 1] || b[2 * x] > a[2 * x + 1];
            pairs += !apart;
        }
    return pairs;
}

/* Geoms are numbered from the newest on: pairs come in the order of the first ones, then of the
 * second ones. */
static void number(dSpaceID space)
{
    for (int i = 0; i < dSpaceGetNumGeoms(space); ++i)
        dGeomSetData(dSpaceGetGeom(space, i), (void *)(uintptr_t)(i + 1));
}

typedef struct pairs_told {
    int count;
    uintptr_t last[2];
} pairs_told;

static void check_pair(void *data, dGeomID a, dGeomID b)
{
    pairs_told *told = data;
    uintptr_t now[2] = {(uintptr_t)dGeomGetData(a), (uintptr_t)dGeomGetData(b)};
    assert_true(now[0] < now[1]);
    assert_true(now[0] > told->last[0] || (now[0] == told->last[0] && now[1] > told->last[1]));
    memcpy(told->last, now, sizeof now);
    ++told->count;
}

static void spaces_know_who_is_near(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID geoms[COUNT];
    test_random random = {17};
    for (int i = 0; i < COUNT; ++i)
        geoms[i] = dCreateSphere(i % 3 ? space : NULL, 1);
    for (int round = 0; round < 2000; ++round) {
        pairs_told told = {0};
        for (uint32_t i = random_below(&random, 10); i > 0; --i)
            wander(&random, space, &geoms[random_below(&random, COUNT)]);
        number(space);
        dSpaceCollide(space, &told, check_pair);
        assert_int_equal(told.count, count_all(geoms, COUNT, space));
    }
    for (int i = 0; i < COUNT; ++i)
        if (!dGeomGetSpace(geoms[i]))
            dGeomDestroy(geoms[i]);
    dSpaceDestroy(space);
}

static void filters_and_bodies_part_geoms(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID a = dCreateSphere(space, 1), b = dCreateSphere(space, 1);
    int pairs = 0;
    assert_true(dGeomGetCategoryBits(a) == ~0ul && dGeomGetCollideBits(a) == ~0ul);
    dGeomSetCategoryBits(a, 1);
    dGeomSetCollideBits(a, 4);
    dGeomSetCategoryBits(b, 2);
    dGeomSetCollideBits(b, 2);
    assert_true(dGeomGetCategoryBits(a) == 1 && dGeomGetCollideBits(a) == 4);
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 0);
    dGeomSetCollideBits(b, 1);
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 1);
    dGeomDisable(a);
    assert_false(dGeomIsEnabled(a));
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 1);
    dGeomEnable(a);
    assert_true(dGeomIsEnabled(a));
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 2);
    pairs = 1;
    dGeomSetBody(a, body);
    dGeomSetBody(b, body);
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 1);
    dContactGeom contact;
    assert_int_equal(dCollide(a, b, 1, &contact, sizeof contact), 0);
    dSpaceDestroy(space);
    assert_null(dBodyGetFirstGeom(body));
    dWorldDestroy(world);
}

/* --- classes of the program's own */

static int ended;

/* A ball of the radius that the data are. */
static void bound_own(dGeomID geom, dReal aabb[6])
{
    const dReal *p = dGeomGetPosition(geom), r = *(dReal *)dGeomGetClassData(geom);
    for (int i = 0; i < 3; ++i) {
        aabb[2 * i] = p[i] - r;
        aabb[2 * i + 1] = p[i] + r;
    }
}

static int collide_own(dGeomID own, dGeomID ball, int flags, dContactGeom *contact, int skip)
{
    (void)skip;
    assert_true((flags & 0xffff) >= 1);
    const dReal *p = dGeomGetPosition(own), *q = dGeomGetPosition(ball);
    contact->depth = *(dReal *)dGeomGetClassData(own) + dGeomSphereGetRadius(ball) - (p[0] - q[0]);
    contact->normal[0] = 1;
    contact->normal[1] = contact->normal[2] = 0;
    contact->g1 = own;
    contact->g2 = ball;
    contact->side1 = 3;
    contact->side2 = 4;
    return 1;
}

static dColliderFn *collider_of_own(int number)
{
    return number == dSphereClass ? collide_own : NULL;
}

static void end_own(dGeomID geom)
{
    (void)geom;
    ++ended;
}

static int pass_none(dGeomID a, dGeomID b, dReal aabb[6])
{
    (void)a, (void)b, (void)aabb;
    return 0;
}

static int collide_never(dGeomID a, dGeomID b, int flags, dContactGeom *contact, int skip)
{
    (void)a, (void)b, (void)flags, (void)contact, (void)skip;
    return 0;
}

static void programs_have_classes_of_their_own(void **state)
{
    (void)state;
    dGeomClass class = {sizeof(dReal), collider_of_own, bound_own, NULL, end_own};
    int number = dCreateGeomClass(&class);
    assert_int_equal(number, dFirstUserClass);
    class.aabb_test = pass_none;
    int shy = dCreateGeomClass(&class);
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID own = dCreateGeom(number), ball = dCreateSphere(space, 1), other = dCreateGeom(shy);
    dReal *radius = dGeomGetClassData(own);
    int pairs = 0;
    assert_true(*radius == 0);
    *radius = 2;
    dGeomSetPosition(own, (dReal)2.5, 0, 0);
    dSpaceAdd(space, own);
    dSpaceAdd(space, other);
    dSpaceCollide(space, &pairs, count_pair);
    assert_int_equal(pairs, 1); /* the shy one has none */
    dContactGeom contact;
    assert_int_equal(dCollide(own, ball, 1, &contact, sizeof contact), 1);
    assert_true(fabs(contact.depth - 0.5) < 1e-6 && contact.normal[0] == 1 && contact.side1 == 3);
    assert_int_equal(dCollide(ball, own, 1, &contact, sizeof contact), 1);
    assert_true(contact.g1 == ball && contact.normal[0] == -1 && contact.side1 == 4);
    dSetColliderOverride(number, dSphereClass, collide_never);
    assert_int_equal(dCollide(ball, own, 1, &contact, sizeof contact), 0);
    dSetColliderOverride(number, dSphereClass, NULL);
    assert_int_equal(dCollide(ball, own, 1, &contact, sizeof contact), 1);
    EXPECT_REFUSAL(dGeomGetClassData(ball), "dGeomGetClassData: geom is of no class of your own");
    ended = 0;
    dSpaceDestroy(space);
    assert_int_equal(ended, 2);
}

/* --- a program */

static void boxes_come_to_rest_on_each_other(void **state)
{
    (void)state;
    program p = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(NULL);
    dBodyID bodies[4];
    dCreatePlane(space, 0, 0, 1, 0);
    dWorldSetGravity(p.world, 0, 0, (dReal)-9.81);
    for (int i = 0; i < 4; ++i) {
        dMass mass;
        bodies[i] = dBodyCreate(p.world);
        dMassSetParameters(&mass, 1, 0, 0, 0, (dReal)0.1, (dReal)0.1, (dReal)0.1, 0, 0, 0);
        dBodySetMass(bodies[i], &mass);
        dBodySetPosition(bodies[i], 0, 0, (dReal)(0.6 + 1.1 * i));
        dGeomSetBody(dCreateBox(space, 1, 1, 1), bodies[i]);
    }
    for (int i = 0; i < 300; ++i) {
        dSpaceCollide(space, &p, touch);
        assert_int_equal(dWorldQuickStep(p.world, (dReal)0.01), 1);
        dJointGroupEmpty(p.contacts);
    }
    for (int i = 0; i < 4; ++i) {
        const dReal *at = dBodyGetPosition(bodies[i]);
        assert_true(fabs(at[2] - 0.5 - i) < 0.01 && fabs(at[0]) < 1e-3 && fabs(at[1]) < 1e-3);
    }
    dSpaceDestroy(space);
    dJointGroupDestroy(p.contacts);
    dWorldDestroy(p.world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_geom_alone_is_where_it_is_put),  TEST(what_is_no_rotation_is_refused),
        TEST(a_geom_goes_with_its_body),        TEST(a_geom_may_be_beside_its_body),
        TEST(sizes_are_as_they_were_set),       TEST(planes_have_bounds_where_they_are_level),
        TEST(rays_are_as_they_were_set),        TEST(a_box_on_a_plane_touches_with_four_corners),
        TEST(what_just_touches_is_told),        TEST(spaces_have_members),
        TEST(pairs_come_in_one_order),          TEST(spaces_know_who_is_near),
        TEST(filters_and_bodies_part_geoms),    TEST(programs_have_classes_of_their_own),
        TEST(boxes_come_to_rest_on_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
