/* Geoms and spaces as C++ objects that own what they name. Objects are not copied. A space that
   cleans up ends the geoms in it: their objects then name what is gone, so either the objects end
   first or the space is told not to (setCleanup). */
#ifndef _ODE_ODECPP_COLLISION_H_
#define _ODE_ODECPP_COLLISION_H_

#include <ode/collision.h>
#include <ode/collision_space.h>

#ifdef __cplusplus

/* The classes are tables, a method or two a line. */
/* clang-format off */

#if defined(__GNUC__)
#define LODE_CPP_OLD_BEGIN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define LODE_CPP_OLD_END _Pragma("GCC diagnostic pop")
#elif defined(_MSC_VER)
#define LODE_CPP_OLD_BEGIN __pragma(warning(push)) __pragma(warning(disable : 4996))
#define LODE_CPP_OLD_END __pragma(warning(pop))
#else
#define LODE_CPP_OLD_BEGIN
#define LODE_CPP_OLD_END
#endif

/* No copies: declared where only the class itself may, and nowhere defined. */
#define LODE_CPP_NOT_COPIED(Name) \
    Name(Name &); \
    void operator=(Name &);

/* A point or direction as three numbers or a vector, and where it lies from elsewhere. */
#define LODE_CPP_GEOM_MAP(method, function) \
    void method(dReal px, dReal py, dReal pz, dVector3 result) const \
    { \
        function(_id, px, py, pz, result); \
    } \
    void method(const dVector3 p, dVector3 result) const \
    { \
        function(_id, p[0], p[1], p[2], result); \
    }

class dGeom
{
    LODE_CPP_NOT_COPIED(dGeom)

protected:
    dGeomID _id;

    dGeom() : _id(0) {}

public:
    ~dGeom() { destroy(); }

    dGeomID id() const { return _id; }
    operator dGeomID() const { return _id; }
    void destroy()
    {
        dGeomID old = _id;
        _id = 0;
        if (old)
            dGeomDestroy(old);
    }

    int getClass() const { return dGeomGetClass(_id); }
    int isSpace() { return dGeomIsSpace(_id); }
    dSpaceID getSpace() const { return dGeomGetSpace(_id); }
    void setData(void *data) { dGeomSetData(_id, data); }
    void *getData() const { return dGeomGetData(_id); }
    void setBody(dBodyID b) { dGeomSetBody(_id, b); }
    dBodyID getBody() const { return dGeomGetBody(_id); }

    void setPosition(dReal x, dReal y, dReal z) { dGeomSetPosition(_id, x, y, z); }
    const dReal *getPosition() const { return dGeomGetPosition(_id); }
    void setRotation(const dMatrix3 R) { dGeomSetRotation(_id, R); }
    const dReal *getRotation() const { return dGeomGetRotation(_id); }
    void setQuaternion(const dQuaternion quat) { dGeomSetQuaternion(_id, quat); }
    void getQuaternion(dQuaternion quat) const { dGeomGetQuaternion(_id, quat); }
    void getAABB(dReal aabb[6]) const { dGeomGetAABB(_id, aabb); }

    void setCategoryBits(unsigned long bits) { dGeomSetCategoryBits(_id, bits); }
    void setCollideBits(unsigned long bits) { dGeomSetCollideBits(_id, bits); }
    unsigned long getCategoryBits() { return dGeomGetCategoryBits(_id); }
    unsigned long getCollideBits() { return dGeomGetCollideBits(_id); }
    void enable() { dGeomEnable(_id); }
    void disable() { dGeomDisable(_id); }
    int isEnabled() { return dGeomIsEnabled(_id); }

    LODE_CPP_GEOM_MAP(getRelPointPos, dGeomGetRelPointPos)
    LODE_CPP_GEOM_MAP(getPosRelPoint, dGeomGetPosRelPoint)
    LODE_CPP_GEOM_MAP(vectorToWorld, dGeomVectorToWorld)
    LODE_CPP_GEOM_MAP(vectorFromWorld, dGeomVectorFromWorld)

    void collide2(dGeomID g, void *data, dNearCallback *callback)
    {
        dSpaceCollide2(_id, g, data, callback);
    }
};

class dSpace : public dGeom
{
    LODE_CPP_NOT_COPIED(dSpace)

protected:
    dSpace() {}

public:
    dSpaceID id() const { return (dSpaceID)_id; }
    operator dSpaceID() const { return (dSpaceID)_id; }

    void setCleanup(int mode) { dSpaceSetCleanup(id(), mode); }
    int getCleanup() { return dSpaceGetCleanup(id()); }
    void add(dGeomID x) { dSpaceAdd(id(), x); }
    void remove(dGeomID x) { dSpaceRemove(id(), x); }
    int query(dGeomID x) { return dSpaceQuery(id(), x); }
    int getNumGeoms() { return dSpaceGetNumGeoms(id()); }
    dGeomID getGeom(int i) { return dSpaceGetGeom(id(), i); }
    void collide(void *data, dNearCallback *callback) { dSpaceCollide(id(), data, callback); }
};

class dSimpleSpace : public dSpace
{
    LODE_CPP_NOT_COPIED(dSimpleSpace)

public:
    dSimpleSpace() { _id = (dGeomID)dSimpleSpaceCreate(0); }
    dSimpleSpace(dSpace &space) { _id = (dGeomID)dSimpleSpaceCreate(space.id()); }
    dSimpleSpace(dSpaceID space) { _id = (dGeomID)dSimpleSpaceCreate(space); }
};

class dHashSpace : public dSpace
{
    LODE_CPP_NOT_COPIED(dHashSpace)

public:
    dHashSpace() { _id = (dGeomID)dHashSpaceCreate(0); }
    dHashSpace(dSpace &space) { _id = (dGeomID)dHashSpaceCreate(space.id()); }
    dHashSpace(dSpaceID space) { _id = (dGeomID)dHashSpaceCreate(space); }

    void setLevels(int minlevel, int maxlevel) { dHashSpaceSetLevels(id(), minlevel, maxlevel); }
};

class dQuadTreeSpace : public dSpace
{
    LODE_CPP_NOT_COPIED(dQuadTreeSpace)

public:
    dQuadTreeSpace(const dVector3 center, const dVector3 extents, int depth)
    {
        _id = (dGeomID)dQuadTreeSpaceCreate(0, center, extents, depth);
    }
    dQuadTreeSpace(dSpace &space, const dVector3 center, const dVector3 extents, int depth)
    {
        _id = (dGeomID)dQuadTreeSpaceCreate(space.id(), center, extents, depth);
    }
    dQuadTreeSpace(dSpaceID space, const dVector3 center, const dVector3 extents, int depth)
    {
        _id = (dGeomID)dQuadTreeSpaceCreate(space, center, extents, depth);
    }
};

/* The geoms: each made outside all spaces, in a space by either name, or later by create. */

class dSphere : public dGeom
{
    LODE_CPP_NOT_COPIED(dSphere)

public:
    dSphere() {}
    dSphere(dReal radius) { _id = dCreateSphere(0, radius); }
    dSphere(dSpace &space, dReal radius) { _id = dCreateSphere(space.id(), radius); }
    dSphere(dSpaceID space, dReal radius) { _id = dCreateSphere(space, radius); }
    void create(dSpaceID space, dReal radius)
    {
        destroy();
        _id = dCreateSphere(space, radius);
    }

    void setRadius(dReal radius) { dGeomSphereSetRadius(_id, radius); }
    dReal getRadius() const { return dGeomSphereGetRadius(_id); }
};

class dBox : public dGeom
{
    LODE_CPP_NOT_COPIED(dBox)

public:
    dBox() {}
    dBox(dReal lx, dReal ly, dReal lz) { _id = dCreateBox(0, lx, ly, lz); }
    dBox(dSpace &space, dReal lx, dReal ly, dReal lz) { _id = dCreateBox(space.id(), lx, ly, lz); }
    dBox(dSpaceID space, dReal lx, dReal ly, dReal lz) { _id = dCreateBox(space, lx, ly, lz); }
    void create(dSpaceID space, dReal lx, dReal ly, dReal lz)
    {
        destroy();
        _id = dCreateBox(space, lx, ly, lz);
    }

    void setLengths(dReal lx, dReal ly, dReal lz) { dGeomBoxSetLengths(_id, lx, ly, lz); }
    void getLengths(dVector3 result) const { dGeomBoxGetLengths(_id, result); }
};

class dPlane : public dGeom
{
    LODE_CPP_NOT_COPIED(dPlane)

public:
    dPlane() {}
    dPlane(dReal a, dReal b, dReal c, dReal d) { _id = dCreatePlane(0, a, b, c, d); }
    dPlane(dSpace &space, dReal a, dReal b, dReal c, dReal d)
    {
        _id = dCreatePlane(space.id(), a, b, c, d);
    }
    dPlane(dSpaceID space, dReal a, dReal b, dReal c, dReal d)
    {
        _id = dCreatePlane(space, a, b, c, d);
    }
    void create(dSpaceID space, dReal a, dReal b, dReal c, dReal d)
    {
        destroy();
        _id = dCreatePlane(space, a, b, c, d);
    }

    void setParams(dReal a, dReal b, dReal c, dReal d) { dGeomPlaneSetParams(_id, a, b, c, d); }
    void getParams(dVector4 result) const { dGeomPlaneGetParams(_id, result); }
};

class dCapsule : public dGeom
{
    LODE_CPP_NOT_COPIED(dCapsule)

public:
    dCapsule() {}
    dCapsule(dReal radius, dReal length) { _id = dCreateCapsule(0, radius, length); }
    dCapsule(dSpace &space, dReal radius, dReal length)
    {
        _id = dCreateCapsule(space.id(), radius, length);
    }
    dCapsule(dSpaceID space, dReal radius, dReal length)
    {
        _id = dCreateCapsule(space, radius, length);
    }
    void create(dSpaceID space, dReal radius, dReal length)
    {
        destroy();
        _id = dCreateCapsule(space, radius, length);
    }

    void setParams(dReal radius, dReal length) { dGeomCapsuleSetParams(_id, radius, length); }
    void getParams(dReal *radius, dReal *length) const
    {
        dGeomCapsuleGetParams(_id, radius, length);
    }
};

class dCylinder : public dGeom
{
    LODE_CPP_NOT_COPIED(dCylinder)

public:
    dCylinder() {}
    dCylinder(dReal radius, dReal length) { _id = dCreateCylinder(0, radius, length); }
    dCylinder(dSpace &space, dReal radius, dReal length)
    {
        _id = dCreateCylinder(space.id(), radius, length);
    }
    dCylinder(dSpaceID space, dReal radius, dReal length)
    {
        _id = dCreateCylinder(space, radius, length);
    }
    void create(dSpaceID space, dReal radius, dReal length)
    {
        destroy();
        _id = dCreateCylinder(space, radius, length);
    }

    void setParams(dReal radius, dReal length) { dGeomCylinderSetParams(_id, radius, length); }
    void getParams(dReal *radius, dReal *length) const
    {
        dGeomCylinderGetParams(_id, radius, length);
    }
};

class dRay : public dGeom
{
    LODE_CPP_NOT_COPIED(dRay)

public:
    dRay() {}
    dRay(dReal length) { _id = dCreateRay(0, length); }
    dRay(dSpace &space, dReal length) { _id = dCreateRay(space.id(), length); }
    dRay(dSpaceID space, dReal length) { _id = dCreateRay(space, length); }
    void create(dSpaceID space, dReal length)
    {
        destroy();
        _id = dCreateRay(space, length);
    }

    void setLength(dReal length) { dGeomRaySetLength(_id, length); }
    dReal getLength() { return dGeomRayGetLength(_id); }
    void set(dReal px, dReal py, dReal pz, dReal dx, dReal dy, dReal dz)
    {
        dGeomRaySet(_id, px, py, pz, dx, dy, dz);
    }
    void get(dVector3 start, dVector3 dir) { dGeomRayGet(_id, start, dir); }

    LODE_CPP_OLD_BEGIN
    ODE_API_DEPRECATED void setParams(int firstContact, int backfaceCull)
    {
        dGeomRaySetParams(_id, firstContact, backfaceCull);
    }
    ODE_API_DEPRECATED void getParams(int *firstContact, int *backfaceCull)
    {
        dGeomRayGetParams(_id, firstContact, backfaceCull);
    }
    LODE_CPP_OLD_END
    void setBackfaceCull(int backfaceCull) { dGeomRaySetBackfaceCull(_id, backfaceCull); }
    int getBackfaceCull() { return dGeomRayGetBackfaceCull(_id); }
    void setFirstContact(int firstContact) { dGeomRaySetFirstContact(_id, firstContact); }
    int getFirstContact() { return dGeomRayGetFirstContact(_id); }
    void setClosestHit(int closestHit) { dGeomRaySetClosestHit(_id, closestHit); }
    int getClosestHit() { return dGeomRayGetClosestHit(_id); }
};

LODE_CPP_OLD_BEGIN
class ODE_API_DEPRECATED dGeomTransform : public dGeom
{
    LODE_CPP_NOT_COPIED(dGeomTransform)

public:
    dGeomTransform() {}
    dGeomTransform(dSpace &space) { _id = dCreateGeomTransform(space.id()); }
    dGeomTransform(dSpaceID space) { _id = dCreateGeomTransform(space); }
    void create(dSpaceID space = 0)
    {
        destroy();
        _id = dCreateGeomTransform(space);
    }

    void setGeom(dGeomID geom) { dGeomTransformSetGeom(_id, geom); }
    dGeomID getGeom() const { return dGeomTransformGetGeom(_id); }
    void setCleanup(int mode) { dGeomTransformSetCleanup(_id, mode); }
    int getCleanup() { return dGeomTransformGetCleanup(_id); }
    void setInfo(int mode) { dGeomTransformSetInfo(_id, mode); }
    int getInfo() { return dGeomTransformGetInfo(_id); }
};
LODE_CPP_OLD_END

/* clang-format on */

#undef LODE_CPP_OLD_BEGIN
#undef LODE_CPP_OLD_END
#undef LODE_CPP_NOT_COPIED
#undef LODE_CPP_GEOM_MAP

#endif

#endif
