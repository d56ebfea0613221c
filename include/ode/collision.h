/* Geoms: what bodies look like to each other, and where two of them touch.

   A geom belongs to a space, or to none, and to a body, or to none. One with a body is where the
   body is, or at an offset from it. Lengths are in metres, angles in radians. */
#ifndef _ODE_COLLISION_H_
#define _ODE_COLLISION_H_

#include <ode/common.h>
#include <ode/collision_space.h>
#include <ode/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- all geoms */

/* Takes it out of its space and ends it. */
ODE_API void dGeomDestroy(dGeomID geom);

ODE_API void dGeomSetData(dGeomID geom, void *data);
ODE_API void *dGeomGetData(dGeomID geom);

/* Gives it the place of a body, or for null leaves it where it stands. Both forget an offset. Not
   for geoms that have no place of their own: planes and spaces. */
ODE_API void dGeomSetBody(dGeomID geom, dBodyID body);
ODE_API dBodyID dGeomGetBody(dGeomID geom);

/* Where it is. Of a geom with a body these move the body, so that the geom comes there. Rotations
   are matrices of three rows of four numbers, or quaternions with the scalar first, which need not
   be of length 1. What dGeomGetPosition() and dGeomGetRotation() return follows the geom; with an
   offset, when it is asked for again. */
ODE_API void dGeomSetPosition(dGeomID geom, dReal x, dReal y, dReal z);
ODE_API void dGeomSetRotation(dGeomID geom, const dMatrix3 R);
ODE_API void dGeomSetQuaternion(dGeomID geom, const dQuaternion Q);
ODE_API const dReal *dGeomGetPosition(dGeomID geom);
ODE_API void dGeomCopyPosition(dGeomID geom, dVector3 pos);
ODE_API const dReal *dGeomGetRotation(dGeomID geom);
ODE_API void dGeomCopyRotation(dGeomID geom, dMatrix3 R);
ODE_API void dGeomGetQuaternion(dGeomID geom, dQuaternion result);

/* The box around it, along the axes of the world: lower x, upper x, lower y, upper y, ... */
ODE_API void dGeomGetAABB(dGeomID geom, dReal aabb[6]);

ODE_API int dGeomIsSpace(dGeomID geom);
ODE_API dSpaceID dGeomGetSpace(dGeomID);
ODE_API int dGeomGetClass(dGeomID geom);

/* Two geoms are a pair to spaces if a category of one is among those the other collides with. All
   bits are set at first. */
ODE_API void dGeomSetCategoryBits(dGeomID geom, unsigned long bits);
ODE_API void dGeomSetCollideBits(dGeomID geom, unsigned long bits);
ODE_API unsigned long dGeomGetCategoryBits(dGeomID);
ODE_API unsigned long dGeomGetCollideBits(dGeomID);

/* Spaces pass over one that is disabled. */
ODE_API void dGeomEnable(dGeomID geom);
ODE_API void dGeomDisable(dGeomID geom);
ODE_API int dGeomIsEnabled(dGeomID geom);

enum { dGeomCommonControlClass = 0, dGeomColliderControlClass = 1 };

enum {
    dGeomCommonAnyControlCode = 0,
    dGeomColliderSetMergeSphereContactsControlCode = 1,
    dGeomColliderGetMergeSphereContactsControlCode = 2
};

enum {
    dGeomColliderMergeContactsValue__Default = 0,
    dGeomColliderMergeContactsValue_None = 1,
    dGeomColliderMergeContactsValue_Normals = 2,
    dGeomColliderMergeContactsValue_Full = 3
};

/* 1 if the geom knows the code, with which an int goes to or from `dataValue`; 0 if not, or if
   `dataSize` is not an int's, which it is then. Meshes know how contacts with spheres are merged,
   and keep it: contacts are merged where one is enough in any case. */
ODE_API int dGeomLowLevelControl(dGeomID geom, int controlClass, int controlCode, void *dataValue,
                                 int *dataSize);

/* Points and directions between the world and the geom's frame. */
ODE_API void dGeomGetRelPointPos(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dGeomGetPosRelPoint(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dGeomVectorToWorld(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dGeomVectorFromWorld(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result);

/* --- offsets from the body, which the geom must have */

/* In the body's frame, and so that the geom comes to a place in the world. */
ODE_API void dGeomSetOffsetPosition(dGeomID geom, dReal x, dReal y, dReal z);
ODE_API void dGeomSetOffsetRotation(dGeomID geom, const dMatrix3 R);
ODE_API void dGeomSetOffsetQuaternion(dGeomID geom, const dQuaternion Q);
ODE_API void dGeomSetOffsetWorldPosition(dGeomID geom, dReal x, dReal y, dReal z);
ODE_API void dGeomSetOffsetWorldRotation(dGeomID geom, const dMatrix3 R);
ODE_API void dGeomSetOffsetWorldQuaternion(dGeomID geom, const dQuaternion);

/* The geom is where the body is again. */
ODE_API void dGeomClearOffset(dGeomID geom);
ODE_API int dGeomIsOffset(dGeomID geom);

/* Zero and no rotation without an offset. */
ODE_API const dReal *dGeomGetOffsetPosition(dGeomID geom);
ODE_API void dGeomCopyOffsetPosition(dGeomID geom, dVector3 pos);
ODE_API const dReal *dGeomGetOffsetRotation(dGeomID geom);
ODE_API void dGeomCopyOffsetRotation(dGeomID geom, dMatrix3 R);
ODE_API void dGeomGetOffsetQuaternion(dGeomID geom, dQuaternion result);

/* --- contacts */

/* A flag of dCollide(): any contacts will do. */
#define CONTACTS_UNIMPORTANT 0x80000000

/* Where two geoms touch: writes up to as many contacts as the lower 16 bits of `flags` say, at
   least one, the first at `contact` and each `skip` bytes after the one before; returns how many.
   Geoms of one body, and one and itself, do not touch. Spaces and their members do. Nothing is
   asked about categories, and whether geoms are enabled. */
ODE_API int dCollide(dGeomID o1, dGeomID o2, int flags, dContactGeom *contact, int skip);

/* Calls the function for each pair of the space's geoms whose boxes overlap and that may meet: of
   different bodies, enabled, and by their categories. Members that are spaces are not looked into.
   The space must not change until it returns. */
ODE_API void dSpaceCollide(dSpaceID space, void *data, dNearCallback *callback);

/* The same of pairs of which one is of the first space and the other of the second, or of a geom
   and the members of a space, or of two geoms. A space is a geom to another of a lower sublevel. */
ODE_API void dSpaceCollide2(dGeomID space1, dGeomID space2, void *data, dNearCallback *callback);

/* --- classes */

enum { dMaxUserClasses = 4 };

enum {
    dSphereClass = 0,
    dBoxClass,
    dCapsuleClass,
    dCylinderClass,
    dPlaneClass,
    dRayClass,
    dConvexClass,
    dGeomTransformClass,
    dTriMeshClass,
    dHeightfieldClass,

    dFirstSpaceClass,
    dSimpleSpaceClass = dFirstSpaceClass,
    dHashSpaceClass,
    dSweepAndPruneSpaceClass,
    dQuadTreeSpaceClass,
    dLastSpaceClass = dQuadTreeSpaceClass,

    dFirstUserClass,
    dLastUserClass = dFirstUserClass + dMaxUserClasses - 1,
    dGeomNumClasses
};

#define dCCylinderClass dCapsuleClass

/* Depths of points are above 0 inside. */
ODE_API dGeomID dCreateSphere(dSpaceID space, dReal radius);
ODE_API void dGeomSphereSetRadius(dGeomID sphere, dReal radius);
ODE_API dReal dGeomSphereGetRadius(dGeomID sphere);
ODE_API dReal dGeomSpherePointDepth(dGeomID sphere, dReal x, dReal y, dReal z);

ODE_API dGeomID dCreateBox(dSpaceID space, dReal lx, dReal ly, dReal lz);
ODE_API void dGeomBoxSetLengths(dGeomID box, dReal lx, dReal ly, dReal lz);
ODE_API void dGeomBoxGetLengths(dGeomID box, dVector3 result);
ODE_API dReal dGeomBoxPointDepth(dGeomID box, dReal x, dReal y, dReal z);

/* A solid of planar faces: of each its number of corners and then these, as numbers of points, all
   anticlockwise seen from outside or all clockwise. Points of three dReals. All is copied; planes,
   of which there is one for each face, follow from the faces. What is not one convex solid is
   refused. */
ODE_API dGeomID dCreateConvex(dSpaceID space, const dReal *_planes, unsigned int _planecount,
                              const dReal *_points, unsigned int _pointcount,
                              const unsigned int *_polygons);
ODE_API void dGeomSetConvex(dGeomID g, const dReal *_planes, unsigned int _count,
                            const dReal *_points, unsigned int _pointcount,
                            const unsigned int *_polygons);

/* The half-space of all points p with (a, b, c) p <= d. The normal is brought to length 1, d with
   it. */
ODE_API dGeomID dCreatePlane(dSpaceID space, dReal a, dReal b, dReal c, dReal d);
ODE_API void dGeomPlaneSetParams(dGeomID plane, dReal a, dReal b, dReal c, dReal d);
ODE_API void dGeomPlaneGetParams(dGeomID plane, dVector4 result);
ODE_API dReal dGeomPlanePointDepth(dGeomID plane, dReal x, dReal y, dReal z);

/* Along z; the length is that between the centres of the round ends. */
ODE_API dGeomID dCreateCapsule(dSpaceID space, dReal radius, dReal length);
ODE_API void dGeomCapsuleSetParams(dGeomID ccylinder, dReal radius, dReal length);
ODE_API void dGeomCapsuleGetParams(dGeomID ccylinder, dReal *radius, dReal *length);
ODE_API dReal dGeomCapsulePointDepth(dGeomID ccylinder, dReal x, dReal y, dReal z);

#define dCreateCCylinder dCreateCapsule
#define dGeomCCylinderSetParams dGeomCapsuleSetParams
#define dGeomCCylinderGetParams dGeomCapsuleGetParams
#define dGeomCCylinderPointDepth dGeomCapsulePointDepth

/* Along z. */
ODE_API dGeomID dCreateCylinder(dSpaceID space, dReal radius, dReal length);
ODE_API void dGeomCylinderSetParams(dGeomID cylinder, dReal radius, dReal length);
ODE_API void dGeomCylinderGetParams(dGeomID cylinder, dReal *radius, dReal *length);

/* --- height fields: ground as heights over a grid along x and z, around the geom's position, with
   y upwards */

struct dxHeightfieldData;
typedef struct dxHeightfieldData *dHeightfieldDataID;

/* The height at a sample, 0 to widthSamples - 1 along x and 0 to depthSamples - 1 along z. */
typedef dReal dHeightfieldGetHeight(void *p_user_data, int x, int z);

/* One that is not placeable stays at the origin. */
ODE_API dGeomID dCreateHeightfield(dSpaceID space, dHeightfieldDataID data, int bPlaceable);

ODE_API dHeightfieldDataID dGeomHeightfieldDataCreate(void);
ODE_API void dGeomHeightfieldDataDestroy(dHeightfieldDataID d);

/* `width` by `depth` metres, both from the first to the last sample; heights are scale * sample +
   offset. What lies under the surface, no deeper than `thickness`, is pushed up too. Samples lie
   row by row along x. Without bCopyHeightData they stay where they are, unchanged; a callback is
   asked for each sample once, when the data are built. Wrapped, the field is repeated without
   end. */
ODE_API void dGeomHeightfieldDataBuildCallback(dHeightfieldDataID d, void *pUserData,
                                               dHeightfieldGetHeight *pCallback, dReal width,
                                               dReal depth, int widthSamples, int depthSamples,
                                               dReal scale, dReal offset, dReal thickness,
                                               int bWrap);
ODE_API void dGeomHeightfieldDataBuildByte(dHeightfieldDataID d, const unsigned char *pHeightData,
                                           int bCopyHeightData, dReal width, dReal depth,
                                           int widthSamples, int depthSamples, dReal scale,
                                           dReal offset, dReal thickness, int bWrap);
ODE_API void dGeomHeightfieldDataBuildShort(dHeightfieldDataID d, const short *pHeightData,
                                            int bCopyHeightData, dReal width, dReal depth,
                                            int widthSamples, int depthSamples, dReal scale,
                                            dReal offset, dReal thickness, int bWrap);
ODE_API void dGeomHeightfieldDataBuildSingle(dHeightfieldDataID d, const float *pHeightData,
                                             int bCopyHeightData, dReal width, dReal depth,
                                             int widthSamples, int depthSamples, dReal scale,
                                             dReal offset, dReal thickness, int bWrap);
ODE_API void dGeomHeightfieldDataBuildDouble(dHeightfieldDataID d, const double *pHeightData,
                                             int bCopyHeightData, dReal width, dReal depth,
                                             int widthSamples, int depthSamples, dReal scale,
                                             dReal offset, dReal thickness, int bWrap);

/* Kept: samples' bounds are those that they have. */
ODE_API void dGeomHeightfieldDataSetBounds(dHeightfieldDataID d, dReal minHeight, dReal maxHeight);

ODE_API void dGeomHeightfieldSetHeightfieldData(dGeomID g, dHeightfieldDataID d);
ODE_API dHeightfieldDataID dGeomHeightfieldGetHeightfieldData(dGeomID g);

/* From its position along its z axis. Of a contact with a ray the depth is the distance from the
   ray's begin; the normal looks against the ray if that is the first geom, but is that of the front
   of a mesh's triangle. */
ODE_API dGeomID dCreateRay(dSpaceID space, dReal length);
ODE_API void dGeomRaySetLength(dGeomID ray, dReal length);
ODE_API dReal dGeomRayGetLength(dGeomID ray);
ODE_API void dGeomRaySet(dGeomID ray, dReal px, dReal py, dReal pz, dReal dx, dReal dy, dReal dz);
ODE_API void dGeomRayGet(dGeomID ray, dVector3 start, dVector3 dir);

/* Of meshes: any hit will do; backs are passed; the closest hit is wanted. */
ODE_API void dGeomRaySetParams(dGeomID g, int FirstContact, int BackfaceCull);
ODE_API void dGeomRayGetParams(dGeomID g, int *FirstContact, int *BackfaceCull);
ODE_API void dGeomRaySetFirstContact(dGeomID g, int firstContact);
ODE_API int dGeomRayGetFirstContact(dGeomID g);
ODE_API void dGeomRaySetBackfaceCull(dGeomID g, int backfaceCull);
ODE_API int dGeomRayGetBackfaceCull(dGeomID g);
ODE_API void dGeomRaySetClosestHit(dGeomID g, int closestHit);
ODE_API int dGeomRayGetClosestHit(dGeomID g);

/* --- geoms that carry another one beside them; offsets do the same, and more simply */

ODE_API dGeomID dCreateGeomTransform(dSpaceID space);

/* What is carried is in no space and of no body; its place is in the carrier's frame. Null:
   nothing. */
ODE_API void dGeomTransformSetGeom(dGeomID g, dGeomID obj);
ODE_API dGeomID dGeomTransformGetGeom(dGeomID g);

/* 1: what is carried is destroyed with its carrier, or when another takes its place. At first 0. */
ODE_API void dGeomTransformSetCleanup(dGeomID g, int mode);
ODE_API int dGeomTransformGetCleanup(dGeomID g);

/* 1: contacts name the carrier; 0, as at first: what is carried. */
ODE_API void dGeomTransformSetInfo(dGeomID g, int mode);
ODE_API int dGeomTransformGetInfo(dGeomID g);

/* --- helpers */

/* The points of two segments, from a1 to a2 and from b1 to b2, that are nearest to each other. */
ODE_API void dClosestLineSegmentPoints(const dVector3 a1, const dVector3 a2, const dVector3 b1,
                                       const dVector3 b2, dVector3 cp1, dVector3 cp2);

/* 1 if two boxes overlap, by centres, rotations and whole lengths; else 0. */
ODE_API int dBoxTouchesBox(const dVector3 _p1, const dMatrix3 R1, const dVector3 side1,
                           const dVector3 _p2, const dMatrix3 R2, const dVector3 side2);

/* Where two boxes overlap, as dCollide() says, with no geoms named; the normal from the first to
   the second, the greatest depth, and by which axes: 1 to 3 for a face of the first, 4 to 6 for one
   of the second, 7 to 15 for an edge of each. 0 if they do not. */
ODE_API int dBoxBox(const dVector3 p1, const dMatrix3 R1, const dVector3 side1, const dVector3 p2,
                    const dMatrix3 R2, const dVector3 side2, dVector3 normal, dReal *depth,
                    int *return_code, int flags, dContactGeom *contact, int skip);

/* A bounds function for geoms without bounds. */
ODE_API void dInfiniteAABB(dGeomID geom, dReal aabb[6]);

/* --- classes of one's own */

typedef void dGetAABBFn(dGeomID, dReal aabb[6]);

/* As dCollide(), of a geom of the class and another. */
typedef int dColliderFn(dGeomID o1, dGeomID o2, int flags, dContactGeom *contact, int skip);

/* The collider against geoms of class `num`, or null. */
typedef dColliderFn *dGetColliderFnFn(int num);

typedef void dGeomDtorFn(dGeomID o);

/* 0 if what the boxes of two geoms say is known to be wrong: o1 is not in the box of o2. */
typedef int dAABBTestFn(dGeomID o1, dGeomID o2, dReal aabb[6]);

typedef struct dGeomClass {
    int bytes; /* of data that each geom has */
    dGetColliderFnFn *collider;
    dGetAABBFn *aabb;
    dAABBTestFn *aabb_test; /* or null */
    dGeomDtorFn *dtor;      /* or null */
} dGeomClass;

/* The number of a new class, of which there may be dMaxUserClasses. */
ODE_API int dCreateGeomClass(const dGeomClass *classptr);
ODE_API void *dGeomGetClassData(dGeomID);

/* A geom of such a class, in no space, with its data zeroed. */
ODE_API dGeomID dCreateGeom(int classnum);

/* From now on, in place of what there is for geoms of these two classes, in either order. Null
   takes it back. Forgotten by dCloseODE(). */
ODE_API void dSetColliderOverride(int i, int j, dColliderFn *fn);

#ifdef __cplusplus
}
#endif

#include <ode/collision_trimesh.h>

#endif
