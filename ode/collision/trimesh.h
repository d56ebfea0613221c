/* trimesh.h: meshes of the ODE face: data over a mesh of the handle API, and geoms. */
#ifndef LODE_ODE_COLLISION_TRIMESH_H
#define LODE_ODE_COLLISION_TRIMESH_H

#include "ode/collision/shared.h"
#include "ode/collision_trimesh.h"

#include "collide/gate.h"

struct dxTriMeshData {
    lode__ode_shared shared; /* first; its shape is `mesh` */
    lode_mesh *mesh;         /* null: not built, or of bad content */
    lode_mesh_def def;
    void *kept[dTRIMESHDATA__MAX];
};

typedef struct lode__ode_trimesh {
    lode__ode_sharer sharer; /* first: it is a geom */
    dTriCallback *accept;
    dTriArrayCallback *hear_all;
    dTriRayCallback *accept_hit;
    dTriTriMergeCallback *merge;
    int merged; /* of spheres' contacts, as set */
    dReal last_transform[16];
    bool coherent[dCapsuleClass + 1];
} lode__ode_trimesh;

static inline lode__ode_trimesh *trimesh_of(dGeomID geom)
{
    return (lode__ode_trimesh *)(void *)geom;
}

/* A geom that is asked about another one. */
typedef struct lode__ode_asking {
    dGeomID mesh, other;
} lode__ode_asking;

/* What the mesh's callbacks say of triangles beside `asking->other`, which they hear of first. */
lode__gate lode__ode_trimesh_gate(const lode__ode_asking *asking);

#endif
