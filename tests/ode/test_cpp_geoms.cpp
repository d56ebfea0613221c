/* ODE's C++ classes of geoms and spaces. */
#include "cpp_check.h"

static void count_pair(void *count, dGeomID, dGeomID)
{
    ++*(int *)count;
}

static void test_geom_place(dSphere &sphere)
{
    dMatrix3 turn;
    dQuaternion quarter, read_turn;
    const dQuaternion none = {1, 0, 0, 0};
    dRFromAxisAndAngle(turn, 0, 0, 1, dReal(M_PI / 2));
    dQFromAxisAndAngle(quarter, 0, 0, 1, dReal(M_PI / 2));
    sphere.setRotation(turn);
    sphere.getQuaternion(read_turn);
    CHECK(near(read_turn[3], quarter[3]));
    sphere.setQuaternion(none);
    CHECK(near(sphere.getRotation()[0], 1));
    sphere.setQuaternion(quarter);
    CHECK(near(sphere.getRotation()[4], 1));
    sphere.setPosition(1, 0, 0);
    CHECK(is(sphere.getPosition(), 1, 0, 0));
    MAPS(sphere, getRelPointPos, -1, 1, 3);
    MAPS(sphere, getPosRelPoint, 2, 0, 3);
    MAPS(sphere, vectorToWorld, -2, 1, 3);
    MAPS(sphere, vectorFromWorld, 2, -1, 3);
    dReal box[6];
    sphere.getAABB(box);
    CHECK(near(box[0], -1) && near(box[1], 3));
}

static void test_geom(dWorld &world)
{
    dSimpleSpace space;
    dBody body(world);
    dSphere sphere(space, 2);
    dGeomID converted = sphere;
    CHECK(converted == sphere.id() && sphere.getClass() == dSphereClass && !sphere.isSpace());
    CHECK(sphere.getSpace() == space.id() && space.isSpace());
    SET_GET(sphere, Data, (void *)&world);
    SET_GET(sphere, Body, body.id());
    sphere.setBody(0);
    test_geom_place(sphere);
    SET_GET(sphere, CategoryBits, 6ul);
    SET_GET(sphere, CollideBits, 10ul);
    sphere.disable();
    CHECK(!sphere.isEnabled());
    sphere.enable();
    CHECK(sphere.isEnabled() != 0);
    sphere.setCategoryBits(~0ul);
    sphere.setCollideBits(~0ul);

    dSphere other(1);
    int pairs = 0;
    sphere.collide2(other, &pairs, count_pair);
    CHECK(pairs == 1);
    sphere.destroy();
    CHECK(!sphere.id() && space.getNumGeoms() == 0);
    {
        dSphere ended(space, 1);
        CHECK(space.getNumGeoms() == 1);
    }
    CHECK(space.getNumGeoms() == 0);
}

/* One of each way to be made; `later` is made anew each time that it is created. */
#define SHAPES(Shape, ...) \
    Shape at_once(__VA_ARGS__), in(space, __VA_ARGS__), by_id(space.id(), __VA_ARGS__), later; \
    const int before = space.getNumGeoms(); \
    later.create(space, __VA_ARGS__); \
    later.create(space, __VA_ARGS__); \
    CHECK(begins_empty<Shape>() && space.getNumGeoms() == before + 1); \
    CHECK(!at_once.getSpace() && in.getSpace() == space.id()); \
    CHECK(by_id.getSpace() == space.id() && later.getSpace() == space.id()); \
    CHECK(later.getClass() == Shape##Class && at_once.getClass() == Shape##Class)

static void test_round_shapes(dSpace &space)
{
    {
        SHAPES(dSphere, 1);
        CHECK(in.getRadius() == 1);
        SET_GET(later, Radius, dReal(2));
    }
    {
        SHAPES(dCapsule, 1, 2);
        dReal radius = 0, length = 0;
        later.setParams(3, 4);
        later.getParams(&radius, &length);
        CHECK(radius == 3 && length == 4);
    }
    {
        SHAPES(dCylinder, 1, 2);
        dReal radius = 0, length = 0;
        later.setParams(3, 4);
        later.getParams(&radius, &length);
        CHECK(radius == 3 && length == 4);
    }
}

static void test_flat_shapes(dSpace &space)
{
    {
        SHAPES(dBox, 1, 2, 3);
        dVector3 lengths;
        later.setLengths(4, 5, 6);
        later.getLengths(lengths);
        CHECK(is(lengths, 4, 5, 6));
    }
    {
        SHAPES(dPlane, 0, 0, 1, 2);
        dVector4 plane;
        later.setParams(0, 1, 0, 5);
        later.getParams(plane);
        CHECK(is(plane, 0, 1, 0) && plane[3] == 5);
    }
}

static void test_ray(dSpace &space)
{
    SHAPES(dRay, 3);
    dVector3 start, direction;
    int first = 0, cull = 0;
    SET_GET(later, Length, dReal(4));
    later.set(1, 2, 3, 0, 0, 1);
    later.get(start, direction);
    CHECK(is(start, 1, 2, 3) && is(direction, 0, 0, 1));
    later.setParams(1, 1);
    later.getParams(&first, &cull);
    CHECK(first == 1 && cull == 1);
    SET_GET(later, BackfaceCull, 0);
    SET_GET(later, BackfaceCull, 1);
    SET_GET(later, FirstContact, 0);
    SET_GET(later, FirstContact, 1);
    SET_GET(later, ClosestHit, 1);
}

static void test_transform(dSpace &space)
{
    dGeomTransform in(space), by_id(space.id()), later;
    CHECK(begins_empty<dGeomTransform>());
    later.create();
    CHECK(!later.getSpace() && in.getSpace() == space.id() && by_id.getSpace() == space.id());
    later.create(space);
    CHECK(later.getSpace() == space.id() && later.getClass() == dGeomTransformClass);
    dSphere inner(1);
    SET_GET(later, Info, 1);
    SET_GET(later, Geom, inner.id());
    SET_GET(later, Cleanup, 1);
    SET_GET(later, Cleanup, 0);
}

void test_geoms(dWorld &world)
{
    dSimpleSpace space;
    test_geom(world);
    test_round_shapes(space);
    test_flat_shapes(space);
    test_ray(space);
    test_transform(space);
    CHECK(space.getNumGeoms() == 0);
}

static void test_kinds_of_spaces(dSimpleSpace &outer)
{
    const dVector3 center = {0, 0, 0, 0}, extents = {10, 10, 10, 0};
    dSpace &as_space = outer;
    dSimpleSpace simple(as_space), simple_by_id(outer.id());
    dHashSpace hash, hash_in(outer), hash_by_id(outer.id());
    dQuadTreeSpace quad(center, extents, 3), quad_in(outer, center, extents, 3);
    dQuadTreeSpace quad_by_id(outer.id(), center, extents, 3);
    CHECK(outer.getNumGeoms() == 6 && outer.query((dGeomID)quad_in.id()));
    CHECK(simple.getClass() == dSimpleSpaceClass && hash.getClass() == dHashSpaceClass);
    CHECK(quad.getClass() == dQuadTreeSpaceClass && quad.getSpace() == 0);
    CHECK(simple_by_id.getSpace() == outer.id() && hash_by_id.getSpace() == outer.id());
    CHECK(quad_by_id.getSpace() == outer.id() && hash_in.getSpace() == outer.id());
    int low = 0, high = 0;
    hash.setLevels(-2, 5);
    dHashSpaceGetLevels(hash, &low, &high);
    CHECK(low == -2 && high == 5);
}

void test_spaces()
{
    dSimpleSpace space;
    dSpaceID converted = space;
    CHECK(converted == space.id() && space.getCleanup() == 1);
    SET_GET(space, Cleanup, 0);
    test_kinds_of_spaces(space);

    dSphere a(1), b(1);
    int pairs = 0;
    space.add(a);
    space.add(b);
    CHECK(space.query(a) && space.getNumGeoms() == 2);
    CHECK(space.getGeom(0) == a.id() || space.getGeom(0) == b.id());
    space.collide(&pairs, count_pair);
    CHECK(pairs == 1);
    space.remove(a);
    CHECK(!space.query(a));
}
