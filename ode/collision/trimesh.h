/* trimesh.h: meshes of the ODE face: data over a mesh of the handle API, and geoms. */
#ifndef LODE_ODE_COLLISION_TRIMESH_H
#define LODE_ODE_COLLISION_TRIMESH_H

#include "ode/collision/space.h"
#include "ode/collision_trimesh.h"

#include "collide/gate.h"

typedef struct lode__ode_trimesh lode__ode_trimesh;

struct dxTriMeshData {
    lode_mesh *mesh; /* null: not built, or of bad content */
    lode_mesh_def def;
    void *kept[dTRIMESHDATA__MAX];
    lode__ode_trimesh *geoms; /* that have these data */
};

struct lode__ode_trimesh {
    struct dxGeom geom;
    dTriMeshDataID data;
    lode__ode_trimesh *next, *last; /* of the same data */
    dTriCallback *accept;
    dTriArrayCallback *hear_all;
    dTriRayCallback *accept_hit;
    dTriTriMergeCallback *merge;
    dReal last_transform[16];
    bool coherent[dCapsuleClass + 1];
};

static inline lode__ode_trimesh *trimesh_of(dGeomID geom)
{
    return (lode__ode_trimesh *)(void *)geom;
}

/* trimesh_data.c: the geom has these data from now on, or none. */
void lode__ode_trimesh_join(lode__ode_trimesh *geom, dTriMeshDataID data);

void lode__ode_trimesh_bound(dGeomID geom, dReal out_bounds[6]);
void lode__ode_trimesh_end(dGeomID geom);

/* A geom that is asked about another one. */
typedef struct lode__ode_asking {
    dGeomID mesh, other;
} lode__ode_asking;

/* What the mesh's callbacks say of triangles beside `asking->other`, which they hear of first. */
lode__gate lode__ode_trimesh_gate(const lode__ode_asking *asking);

#endif
