/* ODE's dMass as a C++ class: each method does what the C function does. */
#include "cpp_check.h"

static bool same(const dMass &a, const dMass &b)
{
    bool same = near(a.mass, b.mass) && is(a.c, b.c[0], b.c[1], b.c[2]);
    for (int i = 0; i < 3; ++i)
        same = same && is(a.I + 4 * i, b.I[4 * i], b.I[4 * i + 1], b.I[4 * i + 2]);
    return same;
}

/* From a solid that nothing made below is like. */
#define DOES(method, function, ...) \
    do { \
        dMass by_method, by_function; \
        dMassSetParameters(&by_method, 9, 1, 2, 3, 400, 401, 402, 1, 2, 3); \
        by_function = by_method; \
        const dMass before = by_method; \
        by_method.method(__VA_ARGS__); \
        function(&by_function, __VA_ARGS__); \
        CHECK(same(by_method, by_function) && !same(by_function, before)); \
    } while (0)

static void test_zero()
{
    const dReal nothing[12] = {0};
    dMass solid;
    alignas(dMass) unsigned char place[sizeof(dMass)];
    memset(place, 0x5a, sizeof place);
    dMass *made = new (place) dMass;
    CHECK(made->mass == 0 && !memcmp(made->I, nothing, sizeof made->I));
    solid.setSphere(1, 1);
    CHECK(solid.mass > 0);
    solid.setZero();
    CHECK(same(solid, *made));
}

static void test_solids()
{
    DOES(setParameters, dMassSetParameters, 2, 0, 0, 0, 2, 3, 4, 0, 0, 0);
    DOES(setSphere, dMassSetSphere, 2, 1);
    DOES(setSphereTotal, dMassSetSphereTotal, 2, 1);
    DOES(setCapsule, dMassSetCapsule, 2, 1, 1, 3);
#ifndef OF_LIBODE /* takes the total for the density */
    DOES(setCapsuleTotal, dMassSetCapsuleTotal, 2, 1, 1, 3);
#endif
    DOES(setCylinder, dMassSetCylinder, 2, 1, 1, 3);
    DOES(setCylinderTotal, dMassSetCylinderTotal, 2, 1, 1, 3);
    DOES(setBox, dMassSetBox, 2, 1, 2, 3);
    DOES(setBoxTotal, dMassSetBoxTotal, 2, 1, 2, 3);
}

static void test_changes()
{
    dMatrix3 turn;
    dMass other;
    dRFromAxisAndAngle(turn, 1, 2, 3, 1);
    dMassSetBox(&other, 1, 1, 2, 3);
    DOES(adjust, dMassAdjust, 4);
    DOES(translate, dMassTranslate, 1, 2, 3);
    DOES(rotate, dMassRotate, turn);
    DOES(add, dMassAdd, &other);
}

static void test_mesh()
{
    static const double corners[] = {0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3};
    static const unsigned triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, corners, 3 * sizeof *corners, 4, triangles, 12,
                                3 * sizeof *triangles);
    dGeomID mesh = dCreateTriMesh(0, data, 0, 0, 0);
    DOES(setTrimesh, dMassSetTrimesh, 2, mesh);
    DOES(setTrimeshTotal, dMassSetTrimeshTotal, 2, mesh);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
}

void test_masses()
{
    test_zero();
    test_solids();
    test_changes();
    test_mesh();
}
