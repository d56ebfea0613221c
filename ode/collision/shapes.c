/* shapes.c: spheres, boxes, capsules, cylinders and planes: their sizes, and how deep a point lies
 * within. Depths are exact on both sides of the surface: outside it is the distance, with a minus
 * sign, to the nearest place, also of boxes and capsules' ends. */
#include "ode/collision/space.h"

#define IS_LENGTH(x) CHECK(isfinite(x) && (x) > 0, #x, "must be finite and above 0")
#define IS_RADIUS_AND_LENGTH(radius, length) (IS_LENGTH(radius) && IS_LENGTH(length))

static void set_size(dGeomID geom, dReal x, dReal y, dReal z, dReal w)
{
    lode_real *size = geom->geometry.size;
    size[0] = x;
    size[1] = y;
    size[2] = z;
    size[3] = w;
    lode__ode_geom_moved(geom);
}

static dGeomID create(dSpaceID space, int number, dReal x, dReal y, dReal z, dReal w)
{
    dGeomID geom = lode__ode_geom_create(space, number);
    if (geom)
        set_size(geom, x, y, z, w);
    return geom;
}

/* By the surface's nearest place. */
static dReal depth_of(dGeomID geom, dReal x, dReal y, dReal z)
{
    lode__pose pose = lode__ode_geom_pose(geom);
    lode__place place = place_of(geom, &pose);
    lode__surface_point nearest;
    return -lode__query_types[geom->geometry.type].nearest(
        &place.view, lode__from_place(&place, v3(x, y, z)), &nearest);
}

/* --- spheres */

dGeomID dCreateSphere(dSpaceID space, dReal radius)
{
    return IS_LENGTH(radius) ? create(space, dSphereClass, radius, 0, 0, 0) : NULL;
}

void dGeomSphereSetRadius(dGeomID sphere, dReal radius)
{
    if (IS_GEOM(sphere, dSphereClass) && IS_LENGTH(radius))
        set_size(sphere, radius, 0, 0, 0);
}

dReal dGeomSphereGetRadius(dGeomID sphere)
{
    return IS_GEOM(sphere, dSphereClass) ? sphere->geometry.size[0] : 0;
}

dReal dGeomSpherePointDepth(dGeomID sphere, dReal x, dReal y, dReal z)
{
    return IS_GEOM(sphere, dSphereClass) && CHECK_FINITE(x, y, z) ? depth_of(sphere, x, y, z) : 0;
}

/* --- boxes */

#define ARE_LENGTHS(lx, ly, lz) (IS_LENGTH(lx) && IS_LENGTH(ly) && IS_LENGTH(lz))

dGeomID dCreateBox(dSpaceID space, dReal lx, dReal ly, dReal lz)
{
    return ARE_LENGTHS(lx, ly, lz) ? create(space, dBoxClass, lx / 2, ly / 2, lz / 2, 0) : NULL;
}

void dGeomBoxSetLengths(dGeomID box, dReal lx, dReal ly, dReal lz)
{
    if (IS_GEOM(box, dBoxClass) && ARE_LENGTHS(lx, ly, lz))
        set_size(box, lx / 2, ly / 2, lz / 2, 0);
}

void dGeomBoxGetLengths(dGeomID box, dVector3 result)
{
    if (!IS_GEOM(box, dBoxClass) || !CHECK_GIVEN(result))
        return;
    for (int i = 0; i < 3; ++i)
        result[i] = 2 * box->geometry.size[i];
}

dReal dGeomBoxPointDepth(dGeomID box, dReal x, dReal y, dReal z)
{
    return IS_GEOM(box, dBoxClass) && CHECK_FINITE(x, y, z) ? depth_of(box, x, y, z) : 0;
}

/* --- capsules and cylinders */

static void get_params(dGeomID geom, dReal *radius, dReal *length)
{
    *radius = geom->geometry.size[0];
    *length = 2 * geom->geometry.size[1];
}

dGeomID dCreateCapsule(dSpaceID space, dReal radius, dReal length)
{
    return IS_RADIUS_AND_LENGTH(radius, length)
               ? create(space, dCapsuleClass, radius, length / 2, 0, 0)
               : NULL;
}

void dGeomCapsuleSetParams(dGeomID ccylinder, dReal radius, dReal length)
{
    if (IS_GEOM(ccylinder, dCapsuleClass) && IS_RADIUS_AND_LENGTH(radius, length))
        set_size(ccylinder, radius, length / 2, 0, 0);
}

void dGeomCapsuleGetParams(dGeomID ccylinder, dReal *radius, dReal *length)
{
    if (IS_GEOM(ccylinder, dCapsuleClass) && CHECK_GIVEN(radius) && CHECK_GIVEN(length))
        get_params(ccylinder, radius, length);
}

dReal dGeomCapsulePointDepth(dGeomID ccylinder, dReal x, dReal y, dReal z)
{
    return IS_GEOM(ccylinder, dCapsuleClass) && CHECK_FINITE(x, y, z) ? depth_of(ccylinder, x, y, z)
                                                                      : 0;
}

dGeomID dCreateCylinder(dSpaceID space, dReal radius, dReal length)
{
    return IS_RADIUS_AND_LENGTH(radius, length)
               ? create(space, dCylinderClass, radius, length / 2, 0, 0)
               : NULL;
}

void dGeomCylinderSetParams(dGeomID cylinder, dReal radius, dReal length)
{
    if (IS_GEOM(cylinder, dCylinderClass) && IS_RADIUS_AND_LENGTH(radius, length))
        set_size(cylinder, radius, length / 2, 0, 0);
}

void dGeomCylinderGetParams(dGeomID cylinder, dReal *radius, dReal *length)
{
    if (IS_GEOM(cylinder, dCylinderClass) && CHECK_GIVEN(radius) && CHECK_GIVEN(length))
        get_params(cylinder, radius, length);
}

/* --- planes */

static bool is_plane(dReal a, dReal b, dReal c, dReal d, const char *function)
{
    dReal square = a * a + b * b + c * c;
    return lode__ode_check(isfinite(square) && square > 0 && isfinite(d), function, "a, b, c, d",
                           "must be finite, and (a, b, c) of a length above 0");
}

static void set_plane(dGeomID plane, dReal a, dReal b, dReal c, dReal d)
{
    dReal length = (dReal)sqrt((double)(a * a + b * b + c * c));
    set_size(plane, a / length, b / length, c / length, d / length);
}

dGeomID dCreatePlane(dSpaceID space, dReal a, dReal b, dReal c, dReal d)
{
    dGeomID plane = is_plane(a, b, c, d, __func__) ? lode__ode_geom_create(space, dPlaneClass)
                                                   : NULL;
    if (plane)
        set_plane(plane, a, b, c, d);
    return plane;
}

void dGeomPlaneSetParams(dGeomID plane, dReal a, dReal b, dReal c, dReal d)
{
    if (IS_GEOM(plane, dPlaneClass) && is_plane(a, b, c, d, __func__))
        set_plane(plane, a, b, c, d);
}

void dGeomPlaneGetParams(dGeomID plane, dVector4 result)
{
    if (!IS_GEOM(plane, dPlaneClass) || !CHECK_GIVEN(result))
        return;
    for (int i = 0; i < 4; ++i)
        result[i] = plane->geometry.size[i];
}

dReal dGeomPlanePointDepth(dGeomID plane, dReal x, dReal y, dReal z)
{
    if (!IS_GEOM(plane, dPlaneClass) || !CHECK_FINITE(x, y, z))
        return 0;
    const lode_real *n = plane->geometry.size;
    return n[3] - n[0] * x - n[1] * y - n[2] * z;
}
