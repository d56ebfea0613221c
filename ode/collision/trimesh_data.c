/* trimesh_data.c: meshes' data: the caller's vertices and indices, and a mesh of the handle API
 * that refers to them. */
#include "ode/collision/trimesh.h"

#include "ode/memory.h"

#include <string.h>

static bool is_data(dTriMeshDataID g, const char *function)
{
    return lode__ode_check(g != NULL, function, "g", "must not be null");
}
#define IS_DATA(g) is_data(g, __func__)

static bool is_kept(int data_id, const char *function)
{
    return lode__ode_check(data_id >= dTRIMESHDATA__MIN && data_id < dTRIMESHDATA__MAX, function,
                           "data_id", "must be one of dTRIMESHDATA_...");
}
#define IS_KEPT(data_id) is_kept(data_id, __func__)

/* --- made and ended */

dTriMeshDataID dGeomTriMeshDataCreate(void)
{
    dTriMeshDataID data = dAlloc(sizeof *data);
    if (CHECK(data != NULL, "memory", "is wanting"))
        memset(data, 0, sizeof *data);
    return data;
}

static void set_mesh(dTriMeshDataID data, lode_mesh *mesh)
{
    lode_mesh *old = data->mesh;
    data->mesh = mesh;
    lode__ode_shared_set(&data->shared, mesh);
    lode_mesh_release(old);
}

void dGeomTriMeshDataDestroy(dTriMeshDataID g)
{
    if (!IS_DATA(g))
        return;
    set_mesh(g, NULL);
    lode__ode_shared_end(&g->shared);
    dFree(g, sizeof *g);
}

/* What is wrong with content is what the handle API says of it. */
static void build(dTriMeshDataID data, const char *function)
{
    lode__ode_speak_for(function);
    set_mesh(data, lode_mesh_create(&data->def));
    lode__ode_speak_for(NULL);
}

static void set(dTriMeshDataID data, bool doubles, const void *vertices, int stride,
                int vertex_count, const void *indices, int index_count, int triangle_stride,
                const char *function)
{
    if (!is_data(data, function) ||
        !lode__ode_check(vertices && indices, function, "Vertices, Indices", "must not be null") ||
        !lode__ode_check(index_count >= 0 && index_count % 3 == 0, function, "IndexCount",
                         "must be three times the number of triangles"))
        return;
    data->def = lode_mesh_def_default();
    data->def.vertices = vertices;
    data->def.vertex_count = vertex_count;
    data->def.vertex_stride = stride;
    data->def.double_vertices = doubles;
    data->def.indices = indices;
    data->def.triangle_count = index_count / 3;
    data->def.index_stride = triangle_stride;
    data->def.short_indices = sizeof(dTriIndex) == 2;
    data->def.reference = true;
    build(data, function);
}

void dGeomTriMeshDataBuildSingle(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                 int VertexCount, const void *Indices, int IndexCount,
                                 int TriStride)
{
    set(g, false, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride, __func__);
}

void dGeomTriMeshDataBuildSingle1(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                  int VertexCount, const void *Indices, int IndexCount,
                                  int TriStride, const void *Normals)
{
    set(g, false, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride, __func__);
    if (g)
        memcpy(&g->kept[dTRIMESHDATA_FACE_NORMALS], &Normals, sizeof Normals);
}

void dGeomTriMeshDataBuildDouble(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                 int VertexCount, const void *Indices, int IndexCount,
                                 int TriStride)
{
    set(g, true, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride, __func__);
}

void dGeomTriMeshDataBuildDouble1(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                  int VertexCount, const void *Indices, int IndexCount,
                                  int TriStride, const void *Normals)
{
    set(g, true, Vertices, VertexStride, VertexCount, Indices, IndexCount, TriStride, __func__);
    if (g)
        memcpy(&g->kept[dTRIMESHDATA_FACE_NORMALS], &Normals, sizeof Normals);
}

void dGeomTriMeshDataBuildSimple(dTriMeshDataID g, const dReal *Vertices, int VertexCount,
                                 const dTriIndex *Indices, int IndexCount)
{
    set(g, sizeof(dReal) == sizeof(double), Vertices, 4 * sizeof(dReal), VertexCount, Indices,
        IndexCount, 3 * sizeof(dTriIndex), __func__);
}

void dGeomTriMeshDataBuildSimple1(dTriMeshDataID g, const dReal *Vertices, int VertexCount,
                                  const dTriIndex *Indices, int IndexCount, const int *Normals)
{
    dGeomTriMeshDataBuildSimple(g, Vertices, VertexCount, Indices, IndexCount);
    if (g)
        memcpy(&g->kept[dTRIMESHDATA_FACE_NORMALS], &Normals, sizeof Normals);
}

void dGeomTriMeshDataUpdate(dTriMeshDataID g)
{
    if (IS_DATA(g) && CHECK(g->def.vertices != NULL, "g", "has not been built"))
        build(g, __func__);
}

/* --- what is kept, or not needed */

void dGeomTriMeshDataSet(dTriMeshDataID g, int data_id, void *in_data)
{
    if (IS_DATA(g) && IS_KEPT(data_id))
        g->kept[data_id] = in_data;
}

void *dGeomTriMeshDataGet(dTriMeshDataID g, int data_id)
{
    return dGeomTriMeshDataGet2(g, data_id, NULL);
}

/* Of what is set nobody says how large it is. */
void *dGeomTriMeshDataGet2(dTriMeshDataID g, int data_id, dsizeint *pout_size)
{
    if (pout_size)
        *pout_size = 0;
    return IS_DATA(g) && IS_KEPT(data_id) ? g->kept[data_id] : NULL;
}

int dGeomTriMeshDataPreprocess2(dTriMeshDataID g, unsigned int buildRequestFlags,
                                const dintptr *requestExtraData)
{
    (void)buildRequestFlags, (void)requestExtraData;
    return IS_DATA(g) && g->mesh;
}

int dGeomTriMeshDataPreprocess(dTriMeshDataID g)
{
    return IS_DATA(g) && g->mesh;
}

void dGeomTriMeshDataGetBuffer(dTriMeshDataID g, unsigned char **buf, int *bufLen)
{
    if (!IS_DATA(g) || !CHECK_GIVEN(buf) || !CHECK_GIVEN(bufLen))
        return;
    *buf = NULL;
    *bufLen = 0;
}

void dGeomTriMeshDataSetBuffer(dTriMeshDataID g, unsigned char *buf)
{
    (void)buf;
    (void)IS_DATA(g);
}
