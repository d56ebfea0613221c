/* geom_classes.c: ODE's classes of geoms as a table, and those that a program adds. */
#include "ode/collision/convex.h"
#include "ode/collision/heightfield.h"
#include "ode/collision/transform.h"
#include "ode/collision/trimesh.h"

#include "ode/memory.h"

#include <string.h>

#define SOLID(called, kind) \
    { \
        .name = called, .size = sizeof(struct dxGeom), .shape = kind, .solid = true, \
        .placeable = true \
    }
#define SPACE(called) \
    { \
        .name = called, .size = sizeof(struct dxSpace), .bound = lode__ode_space_bound, \
        .end = lode__ode_space_end \
    }

static const lode__ode_class classes[dFirstUserClass] = {
    [dSphereClass] = SOLID("sphere", LODE_SPHERE),
    [dBoxClass] = SOLID("box", LODE_BOX),
    [dCapsuleClass] = SOLID("capsule", LODE_CAPSULE),
    [dCylinderClass] = SOLID("cylinder", LODE_CYLINDER),
    [dPlaneClass] = {.name = "plane",
                     .size = sizeof(struct dxGeom),
                     .shape = LODE_PLANE,
                     .solid = true,
                     .bound = lode__ode_plane_bound},
    [dRayClass] = {.name = "ray",
                   .size = sizeof(lode__ode_ray),
                   .placeable = true,
                   .bound = lode__ode_ray_bound},
    [dConvexClass] = {.name = "convex",
                      .size = sizeof(lode__ode_convex),
                      .shape = LODE_HULL,
                      .solid = true,
                      .placeable = true,
                      .end = lode__ode_convex_end},
    [dGeomTransformClass] = {.name = "transform",
                             .size = sizeof(lode__ode_transform),
                             .placeable = true,
                             .bound = lode__ode_transform_bound,
                             .end = lode__ode_transform_end},
    [dTriMeshClass] = {.name = "trimesh",
                       .size = sizeof(lode__ode_trimesh),
                       .shape = LODE_MESH,
                       .surface = true,
                       .placeable = true,
                       .bound = lode__ode_sharer_bound,
                       .end = lode__ode_sharer_end},
    [dHeightfieldClass] = {.name = "height field",
                           .size = sizeof(lode__ode_sharer),
                           .shape = LODE_HEIGHTFIELD,
                           .surface = true,
                           .placeable = true,
                           .bound = lode__ode_sharer_bound,
                           .end = lode__ode_sharer_end},
    [dSimpleSpaceClass] = SPACE("simple space"),
    [dHashSpaceClass] = SPACE("hash space"),
    [dSweepAndPruneSpaceClass] = SPACE("sweep and prune space"),
    [dQuadTreeSpaceClass] = SPACE("quadtree space"),
};

static dGeomClass users[dMaxUserClasses];
static lode__ode_class user_classes[dMaxUserClasses];
static int user_count;

void lode__ode_classes_forget(void)
{
    user_count = 0;
}

const lode__ode_class *lode__ode_class_of(int number)
{
    if (number >= dFirstUserClass && number < dFirstUserClass + user_count)
        return &user_classes[number - dFirstUserClass];
    return number >= 0 && number < dFirstUserClass && classes[number].name ? &classes[number]
                                                                           : NULL;
}

/* --- classes of the program's own */

/* The data follow the geom. */
static size_t data_at(void)
{
    return (sizeof(struct dxGeom) + 15) / 16 * 16;
}

static void bound_user(dGeomID geom, dReal out_bounds[6])
{
    geom->class->user->aabb(geom, out_bounds);
}

static void end_user(dGeomID geom)
{
    if (geom->class->user->dtor)
        geom->class->user->dtor(geom);
}

int dCreateGeomClass(const dGeomClass *classptr)
{
    if (!CHECK_GIVEN(classptr) ||
        !CHECK(user_count < dMaxUserClasses, "classptr", "is one class too many") ||
        !CHECK(classptr->bytes >= 0 && classptr->collider && classptr->aabb, "classptr",
               "must have bytes of at least 0, a collider and a function of bounds"))
        return -1;
    users[user_count] = *classptr;
    user_classes[user_count] = (lode__ode_class){.name = "user's geom",
                                                 .size = data_at() + (size_t)classptr->bytes,
                                                 .placeable = true,
                                                 .bound = bound_user,
                                                 .end = end_user,
                                                 .user = &users[user_count]};
    return dFirstUserClass + user_count++;
}

dGeomID dCreateGeom(int classnum)
{
    const lode__ode_class *class = lode__ode_class_of(classnum);
    if (!CHECK(class && class->user, "classnum", "must be of dCreateGeomClass()"))
        return NULL;
    return lode__ode_geom_create(NULL, classnum);
}

void *dGeomGetClassData(dGeomID geom)
{
    if (!CHECK_GIVEN(geom) ||
        !CHECK(geom->class->user != NULL, "geom", "is of no class of your own"))
        return NULL;
    return (char *)geom + data_at();
}
