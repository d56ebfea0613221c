/* test_meshes.c: meshes and convex solids of the ODE face: data and their geoms, refusals,
 * callbacks, rays, and a convex cube beside the box that it is. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define NEAR (sizeof(dReal) == 8 ? 1e-9 : 1e-4)

static bool is_at(const dReal *v, double x, double y, double z)
{
    return fabs(v[0] - x) < NEAR && fabs(v[1] - y) < NEAR && fabs(v[2] - z) < NEAR;
}

/* --- a flat square of two triangles, its front upwards */

static dReal corners[4][4] = {{-2, -2, 0, 9}, {2, -2, 0, 9}, {2, 2, 0, 9}, {-2, 2, 0, 9}};
static const dTriIndex square[6] = {0, 1, 2, 0, 2, 3};

static dTriMeshDataID make_data(void)
{
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(data, &corners[0][0], 4, square, 6);
    return data;
}

static void data_come_in_several_forms(void **state)
{
    (void)state;
    static const double doubles[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 7}};
    static const float floats[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 7}};
    static const dTriIndex wide[2][5] = {{0, 1, 2, 77, 77}, {0, 3, 1, 77, 77}};
    int normals[6] = {0};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomID geom = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 0);
    assert_int_equal(dGeomTriMeshDataPreprocess(data), 0);
    dGeomTriMeshDataBuildDouble(data, doubles, sizeof doubles[0], 4, wide, 6, sizeof wide[0]);
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 2);
    dReal b[6];
    dGeomGetAABB(geom, b);
    assert_true(fabs(b[5] - 7) < NEAR && fabs(b[3] - 1) < NEAR);
    dGeomTriMeshDataBuildSingle(data, floats, sizeof floats[0], 3, wide, 3, sizeof wide[0]);
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 1);
    dGeomTriMeshDataBuildSingle1(data, floats, sizeof floats[0], 4, wide, 6, sizeof wide[0],
                                 normals);
    assert_ptr_equal(dGeomTriMeshDataGet(data, dTRIMESHDATA_FACE_NORMALS), normals);
    dGeomTriMeshDataBuildDouble1(data, doubles, sizeof doubles[0], 4, wide, 6, sizeof wide[0],
                                 NULL);
    assert_null(dGeomTriMeshDataGet(data, TRIMESH_FACE_NORMALS));
    dGeomTriMeshDataBuildSimple1(data, &corners[0][0], 4, square, 6, normals);
    dsizeint size = 5;
    assert_ptr_equal(dGeomTriMeshDataGet2(data, dTRIMESHDATA_FACE_NORMALS, &size), normals);
    assert_int_equal(size, 0);
    dGeomTriMeshDataSet(data, dTRIMESHDATA_USE_FLAGS, b);
    assert_ptr_equal(dGeomTriMeshDataGet(data, dTRIMESHDATA_USE_FLAGS), b);
    assert_int_equal(dGeomTriMeshDataPreprocess2(data, 3, NULL), 1);
    assert_int_equal(dGeomTriMeshDataPreprocess(data), 1);
    unsigned char *buffer = (unsigned char *)b;
    int length = 5;
    dGeomTriMeshDataGetBuffer(data, &buffer, &length);
    assert_true(!buffer && length == 0);
    dGeomTriMeshDataSetBuffer(data, NULL);
    EXPECT_REFUSAL(dGeomTriMeshDataSetBuffer(NULL, NULL),
                   "dGeomTriMeshDataSetBuffer: g must not be null");
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 2);
    dTriMeshDataID other = make_data();
    dGeomTriMeshSetData(geom, other);
    assert_ptr_equal(dGeomTriMeshGetData(geom), other);
    assert_ptr_equal(dGeomTriMeshGetTriMeshDataID(geom), other);
    dGeomTriMeshDataDestroy(data);
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 2);
    dGeomTriMeshDataDestroy(other); /* before the geom */
    assert_null(dGeomTriMeshGetData(geom));
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 0);
    dGeomDestroy(geom);
}

static void bad_content_is_refused(void **state)
{
    (void)state;
    static const dTriIndex beyond[3] = {0, 1, 4};
    static dReal broken[4][4] = {{0, 0, 0}, {1, 0, 0}, {0, (dReal)NAN, 0}};
    dTriMeshDataID data = make_data();
    dGeomID geom = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    EXPECT_REFUSAL(dGeomTriMeshDataBuildSimple(data, &corners[0][0], 4, square, 5),
                   "dGeomTriMeshDataBuildSimple: IndexCount must be three times the number of "
                   "triangles");
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 2);
    EXPECT_REFUSAL_OF(dGeomTriMeshDataBuildSimple(data, &corners[0][0], 4, beyond, 3),
                      "dGeomTriMeshDataBuildSimple: def.indices");
    assert_int_equal(dGeomTriMeshGetTriangleCount(geom), 0);
    EXPECT_REFUSAL_OF(dGeomTriMeshDataBuildSimple(data, &broken[0][0], 4, square, 3),
                      "dGeomTriMeshDataBuildSimple: def.vertices");
    dGeomID ball = dCreateSphere(NULL, 1);
    dContactGeom contact;
    assert_int_equal(dCollide(ball, geom, 1, &contact, sizeof contact), 0); /* nothing is there */
    assert_int_equal(dCollide(geom, ball, 1, &contact, sizeof contact), 0);
    dGeomDestroy(ball);
    dGeomDestroy(geom);
    dGeomTriMeshDataDestroy(data);
}

static void triangles_are_told_in_the_world(void **state)
{
    (void)state;
    dTriMeshDataID data = make_data();
    dGeomID geom = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    dVector3 a, b, c;
    dGeomSetPosition(geom, 0, 0, 5);
    dGeomTriMeshGetTriangle(geom, 1, &a, &b, &c);
    assert_true(is_at(a, -2, -2, 5) && is_at(b, 2, 2, 5) && is_at(c, -2, 2, 5));
    dGeomTriMeshGetTriangle(geom, 0, NULL, &b, NULL);
    assert_true(is_at(b, 2, -2, 5));
    dGeomTriMeshGetPoint(geom, 0, (dReal)0.5, (dReal)0.25, a);
    assert_true(is_at(a, 1, -1, 5));
    EXPECT_REFUSAL(dGeomTriMeshGetPoint(geom, 2, 0, 0, a),
                   "dGeomTriMeshGetPoint: Index must be 0 to the number of triangles less 1");
    corners[2][2] = 3; /* a vertex moves */
    dGeomTriMeshDataUpdate(data);
    dReal bounds[6];
    dGeomGetAABB(geom, bounds);
    assert_true(fabs(bounds[5] - 8) < NEAR);
    corners[2][2] = 0;
    dMatrix4 last = {1, 2, 3, 4};
    assert_true(dGeomTriMeshGetLastTransform(geom)[0] == 1 &&
                dGeomTriMeshGetLastTransform(geom)[1] == 0);
    dGeomTriMeshSetLastTransform(geom, last);
    assert_true(dGeomTriMeshGetLastTransform(geom)[1] == 2);
    dGeomTriMeshEnableTC(geom, dBoxClass, 1);
    dGeomTriMeshEnableTC(geom, dRayClass, 1);
    assert_true(dGeomTriMeshIsTCEnabled(geom, dBoxClass));
    assert_false(dGeomTriMeshIsTCEnabled(geom, dSphereClass));
    assert_false(dGeomTriMeshIsTCEnabled(geom, dRayClass));
    dGeomTriMeshClearTCCache(geom);
    assert_true(dGeomTriMeshIsTCEnabled(geom, dBoxClass));
    EXPECT_REFUSAL(dGeomTriMeshClearTCCache(NULL),
                   "dGeomTriMeshClearTCCache: geom must not be null");
    dGeomDestroy(geom);
    dGeomTriMeshDataDestroy(data);
}

/* --- callbacks */

static int asked, told, refused = -1;

static int accept(dGeomID mesh, dGeomID other, int triangle)
{
    assert_true(dGeomGetClass(mesh) == dTriMeshClass && dGeomGetClass(other) == dSphereClass);
    ++asked;
    return triangle != refused;
}

static void hear_all(dGeomID mesh, dGeomID other, const int *triangles, int count)
{
    (void)mesh, (void)other;
    for (int i = 0; i < count; ++i)
        assert_true(triangles[i] == 0 || triangles[i] == 1);
    told = count;
}

static int accept_hit(dGeomID mesh, dGeomID ray, int triangle, dReal u, dReal v)
{
    assert_true(dGeomGetClass(mesh) == dTriMeshClass && dGeomGetClass(ray) == dRayClass);
    assert_true(u >= 0 && v >= 0 && u + v <= 1);
    ++asked;
    return triangle != refused;
}

static int merge(dGeomID mesh, int first, int second)
{
    (void)mesh;
    return first < second ? first : second;
}

static void callbacks_are_asked_about_triangles(void **state)
{
    (void)state;
    dTriMeshDataID data = make_data();
    dGeomID mesh = dCreateTriMesh(NULL, data, accept, hear_all, accept_hit);
    dGeomID ball = dCreateSphere(NULL, 1), ray = dCreateRay(NULL, 10);
    dContactGeom contacts[8];
    assert_ptr_equal(dGeomTriMeshGetCallback(mesh), accept);
    assert_ptr_equal(dGeomTriMeshGetArrayCallback(mesh), hear_all);
    assert_ptr_equal(dGeomTriMeshGetRayCallback(mesh), accept_hit);
    assert_null(dGeomTriMeshGetTriMergeCallback(mesh));
    dGeomTriMeshSetTriMergeCallback(mesh, merge);
    assert_ptr_equal(dGeomTriMeshGetTriMergeCallback(mesh), merge);
    dGeomSetPosition(ball, 1, (dReal)-0.5, (dReal)0.75); /* beside triangle 1, above triangle 0 */
    asked = told = 0;
    refused = -1;
    assert_int_equal(dCollide(ball, mesh, 8, contacts, sizeof *contacts), 1);
    assert_true(asked > 0 && told == 2);
    assert_true(is_at(contacts[0].normal, 0, 0, 1) && fabs(contacts[0].depth - 0.25) < NEAR);
    assert_true(contacts[0].side1 == -1 && contacts[0].side2 == 0);
    assert_int_equal(dCollide(mesh, ball, 8, contacts, sizeof *contacts), 1);
    assert_true(is_at(contacts[0].normal, 0, 0, -1));
    assert_true(contacts[0].side1 == 0 && contacts[0].side2 == -1);
    refused = 0;
    assert_int_equal(dCollide(ball, mesh, 8, contacts, sizeof *contacts), 0);
    dGeomRaySet(ray, 1, (dReal)-0.5, 4, 0, 0, -1);
    assert_int_equal(dCollide(ray, mesh, 8, contacts, sizeof *contacts), 0);
    dGeomTriMeshSetCallback(mesh, NULL);
    dGeomTriMeshSetRayCallback(mesh, NULL);
    told = 0;
    dGeomTriMeshSetArrayCallback(mesh, NULL);
    assert_int_equal(dCollide(ball, mesh, 8, contacts, sizeof *contacts), 1);
    assert_int_equal(told, 0);
    assert_int_equal(dCollide(ray, mesh, 8, contacts, sizeof *contacts), 1);
    assert_true(is_at(contacts[0].pos, 1, -0.5, 0) && is_at(contacts[0].normal, 0, 0, 1) &&
                fabs(contacts[0].depth - 4) < NEAR && contacts[0].side2 == 0);
    dGeomRaySet(ray, 1, (dReal)-0.5, -4, 0, 0, 1); /* from behind */
    assert_int_equal(dCollide(mesh, ray, 8, contacts, sizeof *contacts), 1);
    assert_true(contacts[0].side1 == 0 && contacts[0].g1 == mesh);
    dGeomRaySetBackfaceCull(ray, 1);
    assert_int_equal(dCollide(ray, mesh, 8, contacts, sizeof *contacts), 0);
    dGeomDestroy(ball);
    dGeomDestroy(ray);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
}

/* Several sheets, one behind the other: nearest first, and only the nearest if that is asked
 * for. */
static void rays_meet_triangles_in_order(void **state)
{
    (void)state;
    enum { SHEETS = 70 };
    static dReal vertices[3 * SHEETS][4];
    static dTriIndex triangles[3 * SHEETS];
    test_random random = {3};
    for (int i = 0; i < SHEETS; ++i) {
        dReal z = (dReal)random_between(&random, 1, 9);
        const dReal at[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
        for (int k = 0; k < 3; ++k) {
            vertices[3 * i + k][0] = at[k][0];
            vertices[3 * i + k][1] = at[k][1];
            vertices[3 * i + k][2] = z;
            triangles[3 * i + k] = (dTriIndex)(3 * i + k);
        }
    }
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(data, &vertices[0][0], 3 * SHEETS, triangles, 3 * SHEETS);
    dGeomID mesh = dCreateTriMesh(NULL, data, NULL, NULL, NULL), ray = dCreateRay(NULL, 20);
    dContactGeom hits[SHEETS];
    dGeomRaySet(ray, 0, 0, 0, 0, 0, 1);
    int count = dCollide(ray, mesh, 10, hits, sizeof *hits);
    assert_int_equal(count, 10);
    for (int i = 0; i < count; ++i) {
        int nearer = 0;
        for (int k = 0; k < SHEETS; ++k)
            nearer += vertices[3 * k][2] < hits[i].depth - 1e-6;
        assert_int_equal(nearer, i);
    }
    dGeomRaySetClosestHit(ray, 1);
    dContactGeom closest;
    assert_int_equal(dCollide(ray, mesh, 10, &closest, sizeof closest), 1);
    assert_true(closest.depth == hits[0].depth && closest.side2 == hits[0].side2);
    dGeomDestroy(ray);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
}

/* --- convex solids */

static const dReal planes[] = {1, 0,  0, (dReal)0.5, -1, 0, 0, (dReal)0.5, 0, 1, 0,  (dReal)0.5,
                               0, -1, 0, (dReal)0.5, 0,  0, 1, (dReal)0.5, 0, 0, -1, (dReal)0.5};
static const unsigned faces[] = {4, 1, 3, 7, 5, 4, 0, 4, 6, 2, 4, 2, 6, 7, 3,
                                 4, 0, 1, 5, 4, 4, 4, 5, 7, 6, 4, 0, 2, 3, 1};

/* Corner i has its bits as its sides. */
static void make_cube(dReal out[24], dReal half)
{
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            out[3 * i + k] = i >> k & 1 ? half : -half;
}

static void place(dGeomID geom, test_random *random)
{
    dQuaternion q;
    for (int i = 0; i < 4; ++i)
        q[i] = (dReal)random_between(random, -1, 1);
    dGeomSetQuaternion(geom, q);
    dGeomSetPosition(geom, (dReal)random_between(random, -1, 1),
                     (dReal)random_between(random, -1, 1), (dReal)random_between(random, -1, 1));
}

static dReal deepest(dGeomID a, dGeomID b)
{
    dContactGeom contacts[8];
    dReal depth = -1;
    int count = dCollide(a, b, 8, contacts, sizeof *contacts);
    for (int i = 0; i < count; ++i)
        depth = contacts[i].depth > depth ? contacts[i].depth : depth;
    return depth;
}

static void a_convex_cube_is_a_box(void **state)
{
    (void)state;
    dReal points[24];
    test_random random = {21};
    make_cube(points, (dReal)0.5);
    dGeomID cube = dCreateConvex(NULL, planes, 6, points, 8, faces),
            box = dCreateBox(NULL, 1, 1, 1);
    memset(points, 0, sizeof points); /* it has its own */
    dGeomID others[] = {dCreateSphere(NULL, (dReal)0.4), dCreateRay(NULL, 3),
                        dCreateCapsule(NULL, (dReal)0.3, 1), dCreatePlane(NULL, 0, 1, 2, 0)};
    /* of a capsule within a box a face is preferred to an edge that is a hundredth better */
    const double exact = sizeof(dReal) == 8 ? 1e-8 : 1e-3;
    const double tolerance[] = {exact, exact, 0.01, exact};
    int touching = 0;
    for (int i = 0; i < 2000; ++i) {
        dGeomID other = others[i % 4];
        dQuaternion q;
        place(cube, &random);
        dGeomGetQuaternion(cube, q);
        dGeomSetQuaternion(box, q);
        const dReal *p = dGeomGetPosition(cube);
        dGeomSetPosition(box, p[0], p[1], p[2]);
        if (dGeomGetClass(other) != dPlaneClass)
            place(other, &random);
        dReal depth = deepest(cube, other);
        assert_true(fabs(depth - deepest(box, other)) < tolerance[i % 4]);
        touching += depth > 0;
    }
    assert_true(touching > 500);
    make_cube(points, 1);
    dGeomSetConvex(cube, planes, 6, points, 8, faces);
    dReal b[6];
    dGeomSetQuaternion(cube, (dQuaternion){1, 0, 0, 0});
    dGeomSetPosition(cube, 0, 0, 0);
    dGeomGetAABB(cube, b);
    assert_true(fabs(b[0] + 1) < NEAR && fabs(b[5] - 1) < NEAR);
    points[0] = (dReal)NAN;
    EXPECT_REFUSAL_OF(dGeomSetConvex(cube, planes, 6, points, 8, faces),
                      "dGeomSetConvex: def.points");
    dGeomGetAABB(cube, b);
    assert_true(fabs(b[5] - 1) < NEAR);
    for (int i = 0; i < 4; ++i)
        dGeomDestroy(others[i]);
    dGeomDestroy(cube);
    dGeomDestroy(box);
}

/* Of a cube of triangles: what it touches, seen from outside, is what the box touches. */
static void a_cube_of_triangles_touches_as_a_box(void **state)
{
    (void)state;
    enum { KINDS = 4 };
    dReal points[24], vertices[8][4], solid[24];
    dTriIndex triangles[12][3];
    test_random random = {33};
    make_cube(points, (dReal)0.5);
    make_cube(solid, (dReal)0.4);
    for (int i = 0; i < 8; ++i)
        memcpy(vertices[i], &points[3 * i], 3 * sizeof *points);
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 3; ++k)
            triangles[i][k] = faces[i / 2 * 5 + 1 + (k ? k + i % 2 : 0)];
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(data, &vertices[0][0], 8, &triangles[0][0], 36);
    dGeomID mesh = dCreateTriMesh(NULL, data, NULL, NULL, NULL), box = dCreateBox(NULL, 1, 1, 1);
    dGeomID others[KINDS] = {dCreateSphere(NULL, (dReal)0.4), dCreateCapsule(NULL, (dReal)0.3, 1),
                             dCreateCylinder(NULL, (dReal)0.3, 1),
                             dCreateConvex(NULL, planes, 6, solid, 8, faces)};
    int touching = 0, apart = 0;
    for (int i = 0; i < 2000; ++i) {
        dGeomID other = others[i % KINDS];
        place(other, &random);
        const dReal *p = dGeomGetPosition(other);
        if (dGeomBoxPointDepth(box, p[0], p[1], p[2]) > 0)
            continue;
        dReal depth = deepest(box, other);
        if (depth >= 0 && depth < (dReal)1e-3) /* whether or not is rounding's */
            continue;
        assert_true((deepest(mesh, other) >= 0) == (depth >= 0));
        touching += depth >= 0;
        apart += depth < 0;
    }
    assert_true(touching > 500 && apart > 100);
    for (int i = 0; i < KINDS; ++i)
        dGeomDestroy(others[i]);
    dGeomDestroy(mesh);
    dGeomDestroy(box);
    dGeomTriMeshDataDestroy(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(data_come_in_several_forms),           TEST(bad_content_is_refused),
        TEST(triangles_are_told_in_the_world),      TEST(callbacks_are_asked_about_triangles),
        TEST(rays_meet_triangles_in_order),         TEST(a_convex_cube_is_a_box),
        TEST(a_cube_of_triangles_touches_as_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
