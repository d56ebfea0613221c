/* trimesh.c: geoms that are triangle meshes. */
#include "ode/collision/trimesh.h"

#include "core/memory.h"

#include <string.h>

/* --- life */

dGeomID dCreateTriMesh(dSpaceID space, dTriMeshDataID Data, dTriCallback *Callback,
                       dTriArrayCallback *ArrayCallback, dTriRayCallback *RayCallback)
{
    dGeomID geom = lode__ode_geom_create(space, dTriMeshClass);
    if (!geom)
        return NULL;
    lode__ode_trimesh *mesh = trimesh_of(geom);
    mesh->accept = Callback;
    mesh->hear_all = ArrayCallback;
    mesh->accept_hit = RayCallback;
    mesh->merged = dGeomColliderMergeContactsValue_None;
    for (int i = 0; i < 16; ++i)
        mesh->last_transform[i] = i % 5 == 0;
    lode__ode_share(geom, Data ? &Data->shared : NULL);
    return geom;
}

#define IS_MESH(g) IS_GEOM(g, dTriMeshClass)

void dGeomTriMeshSetData(dGeomID g, dTriMeshDataID Data)
{
    if (IS_MESH(g))
        lode__ode_share(g, Data ? &Data->shared : NULL);
}

dTriMeshDataID dGeomTriMeshGetData(dGeomID g)
{
    return IS_MESH(g) ? (dTriMeshDataID)(void *)sharer_of(g)->data : NULL;
}

dTriMeshDataID dGeomTriMeshGetTriMeshDataID(dGeomID g)
{
    return dGeomTriMeshGetData(g);
}

/* --- callbacks, and what is only kept */

#define CALLBACK(Name, type, field) \
    void dGeomTriMeshSet##Name(dGeomID g, type *Callback) \
    { \
        if (IS_MESH(g)) \
            trimesh_of(g)->field = Callback; \
    } \
    type *dGeomTriMeshGet##Name(dGeomID g) \
    { \
        return IS_MESH(g) ? trimesh_of(g)->field : NULL; \
    }

CALLBACK(Callback, dTriCallback, accept)
CALLBACK(ArrayCallback, dTriArrayCallback, hear_all)
CALLBACK(RayCallback, dTriRayCallback, accept_hit)
CALLBACK(TriMergeCallback, dTriTriMergeCallback, merge)

void dGeomTriMeshSetLastTransform(dGeomID g, const dMatrix4 last_trans)
{
    if (IS_MESH(g) && CHECK_GIVEN(last_trans))
        memcpy(trimesh_of(g)->last_transform, last_trans, sizeof trimesh_of(g)->last_transform);
}

const dReal *dGeomTriMeshGetLastTransform(dGeomID g)
{
    return IS_MESH(g) ? trimesh_of(g)->last_transform : NULL;
}

static bool can_be_coherent(int class_number)
{
    return class_number == dSphereClass || class_number == dBoxClass ||
           class_number == dCapsuleClass;
}

void dGeomTriMeshEnableTC(dGeomID g, int geomClass, int enable)
{
    if (IS_MESH(g) && can_be_coherent(geomClass))
        trimesh_of(g)->coherent[geomClass] = enable != 0;
}

int dGeomTriMeshIsTCEnabled(dGeomID g, int geomClass)
{
    return IS_MESH(g) && can_be_coherent(geomClass) && trimesh_of(g)->coherent[geomClass];
}

void dGeomTriMeshClearTCCache(dGeomID g)
{
    (void)IS_MESH(g); /* there is none */
}

/* --- triangles */

static const lode_mesh *mesh_of_geom(dGeomID g)
{
    return g->shape_data;
}

int dGeomTriMeshGetTriangleCount(dGeomID g)
{
    return IS_MESH(g) && mesh_of_geom(g) ? lode_mesh_get_info(mesh_of_geom(g)).triangle_count : 0;
}

static bool is_triangle(dGeomID g, int index, const char *function)
{
    return lode__ode_geom_is(g, dTriMeshClass, function) &&
           lode__ode_check(index >= 0 && index < dGeomTriMeshGetTriangleCount(g), function, "Index",
                           "must be 0 to the number of triangles less 1");
}

static lode_vec3 to_world(dGeomID g, lode_vec3 p)
{
    lode__pose pose = lode__ode_geom_pose(g);
    return pose_point((lode_pose){pose.position, pose.rotation}, p);
}

void dGeomTriMeshGetTriangle(dGeomID g, int Index, dVector3 *v0, dVector3 *v1, dVector3 *v2)
{
    if (!is_triangle(g, Index, __func__))
        return;
    dVector3 *out[3] = {v0, v1, v2};
    lode_vec3 corners[3];
    lode_mesh_get_triangle(mesh_of_geom(g), Index, corners);
    for (int i = 0; i < 3; ++i)
        if (out[i])
            put_vec(*out[i], to_world(g, corners[i]));
}

void dGeomTriMeshGetPoint(dGeomID g, int Index, dReal u, dReal v, dVector3 Out)
{
    if (is_triangle(g, Index, __func__) && CHECK_GIVEN(Out) && CHECK_FINITE(u, v, u))
        put_vec(Out, to_world(g, lode_mesh_get_point(mesh_of_geom(g), Index, u, v)));
}

/* --- triangles near another geom */

static bool accepts(const void *context, uint32_t surface, uint32_t other, uint32_t triangle)
{
    const lode__ode_asking *asking = context;
    (void)surface, (void)other;
    return trimesh_of(asking->mesh)->accept(asking->mesh, asking->other, (int)triangle) != 0;
}

typedef struct triangle_list {
    int *items;
    uint32_t count, capacity;
} triangle_list;

static bool list_triangle(void *context, uint32_t triangle)
{
    triangle_list *list = context;
    if (!lode__grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = (int)triangle;
    return true;
}

/* Those whose boxes overlap the other's box, which is turned into the mesh's frame. */
static void tell_all(const lode__ode_asking *asking)
{
    dGeomID mesh = asking->mesh, other = asking->other;
    lode__pose pose = lode__ode_geom_pose(mesh);
    triangle_list list = {.items = NULL};
    lode_vec3 lo = v3(REAL_MAX, REAL_MAX, REAL_MAX), hi = v3_neg(lo);
    lode__ode_geom_bound(other);
    for (int corner = 0; corner < 8; ++corner) {
        const dReal *b = other->bounds;
        lode_vec3 p = v3(b[corner & 1], b[2 + (corner >> 1 & 1)], b[4 + (corner >> 2)]);
        p = q_rotate_inv(pose.rotation, v3_sub(p, pose.position));
        lo = v3_min(lo, p);
        hi = v3_max(hi, p);
    }
    lode__mesh_walk(mesh->shape_data, lo, hi, list_triangle, &list);
    if (list.count > 0)
        trimesh_of(mesh)->hear_all(mesh, other, list.items, (int)list.count);
    lode__free(list.items, list.capacity * sizeof *list.items);
}

lode__gate lode__ode_trimesh_gate(const lode__ode_asking *asking)
{
    if (asking->mesh->number != dTriMeshClass)
        return (lode__gate){0};
    if (trimesh_of(asking->mesh)->hear_all && lode__ode_has_ends(asking->other->bounds))
        tell_all(asking);
    return (lode__gate){.accepts = trimesh_of(asking->mesh)->accept ? accepts : NULL,
                        .context = asking};
}
