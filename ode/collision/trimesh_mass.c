/* trimesh_mass.c: masses of closed meshes, and what programs may ask of single geoms. */
#include "ode/collision/trimesh.h"
#include "ode/mass.h"

#include "lode/mass.h"

/* As the geom stands; the inertia is about the origin. */
static bool mass_of(dGeomID g, lode_real density, dMass *out, const char *function)
{
    lode_mass mass;
    lode__ode_speak_for(function);
    bool good = g->shape_data && lode_mesh_get_mass(g->shape_data, density, &mass) == LODE_OK;
    lode__ode_speak_for(NULL);
    if (!good)
        return false;
    lode__pose pose = lode__ode_geom_pose(g);
    mass = lode_mass_translate(lode_mass_rotate(mass, pose.rotation), pose.position);
    const lode_real *I = mass.inertia; /* about the centre */
    lode_vec3 c = mass.center;
    lode_real m = mass.mass;
    dMassSetParameters(out, m, c.x, c.y, c.z, I[0] + m * (c.y * c.y + c.z * c.z),
                       I[1] + m * (c.z * c.z + c.x * c.x), I[2] + m * (c.x * c.x + c.y * c.y),
                       I[3] - m * c.x * c.y, I[4] - m * c.x * c.z, I[5] - m * c.y * c.z);
    return true;
}

static bool can_weigh(dMass *m, dReal x, dGeomID g, const char *function, const char *argument)
{
    return lode__ode_check(m != NULL, function, "m", "must not be null") &&
           lode__ode_geom_is(g, dTriMeshClass, function) &&
           lode__ode_check(isfinite(x) && x > 0, function, argument, "must be finite and above 0");
}

void dMassSetTrimesh(dMass *m, dReal density, dGeomID g)
{
    if (can_weigh(m, density, g, __func__, "density"))
        mass_of(g, density, m, __func__);
}

void dMassSetTrimeshTotal(dMass *m, dReal total_mass, dGeomID g)
{
    if (can_weigh(m, total_mass, g, __func__, "total_mass") && mass_of(g, 1, m, __func__))
        dMassAdjust(m, total_mass);
}

/* --- control codes: how contacts of a mesh with a sphere are merged, which is kept */

int dGeomLowLevelControl(dGeomID geom, int controlClass, int controlCode, void *dataValue,
                         int *dataSize)
{
    if (!CHECK_GIVEN(geom) || geom->number != dTriMeshClass ||
        controlClass != dGeomColliderControlClass)
        return 0;
    if (controlCode == dGeomCommonAnyControlCode)
        return 1;
    if (controlCode != dGeomColliderSetMergeSphereContactsControlCode &&
        controlCode != dGeomColliderGetMergeSphereContactsControlCode)
        return 0;
    if (!CHECK_GIVEN(dataValue) || !CHECK_GIVEN(dataSize))
        return 0;
    if (*dataSize != (int)sizeof(int)) {
        *dataSize = sizeof(int);
        return 0;
    }
    int *value = dataValue, *kept = &trimesh_of(geom)->merged;
    if (controlCode == dGeomColliderGetMergeSphereContactsControlCode) {
        *value = *kept;
        return 1;
    }
    bool known = *value >= dGeomColliderMergeContactsValue__Default &&
                 *value <= dGeomColliderMergeContactsValue_Full;
    if (known)
        *kept = *value ? *value : dGeomColliderMergeContactsValue_None;
    return known;
}
