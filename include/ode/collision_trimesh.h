/* Triangle meshes: data that geoms share, and geoms with such data.

   Data refer to the caller's vertices and indices, which must stay where they are, and as they are,
   until the data are destroyed, built anew or updated. Triangles are touched from their fronts, the
   sides from which their corners follow one another anticlockwise. */
#ifndef _ODE_COLLISION_TRIMESH_H_
#define _ODE_COLLISION_TRIMESH_H_

#include <ode/collision.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxTriMeshData;
typedef struct dxTriMeshData *dTriMeshDataID;

typedef enum {
    dMTV__MIN,
    dMTV_FIRST = dMTV__MIN,
    dMTV_SECOND,
    dMTV_THIRD,
    dMTV__MAX
} dMeshTriangleVertex;

/* Data of a mesh are for geoms from when they are built; geoms of data that are destroyed touch
   nothing. */
ODE_API dTriMeshDataID dGeomTriMeshDataCreate(void);
ODE_API void dGeomTriMeshDataDestroy(dTriMeshDataID g);

/* What a program may leave with the data. */
enum {
    dTRIMESHDATA__MIN,
    dTRIMESHDATA_FACE_NORMALS = dTRIMESHDATA__MIN,
    dTRIMESHDATA_USE_FLAGS,
    dTRIMESHDATA__MAX,
#ifndef TRIMESH_FACE_NORMALS
    TRIMESH_FACE_NORMALS = dTRIMESHDATA_FACE_NORMALS
#endif
};

/* Bits of a triangle's use flags. */
enum {
    dMESHDATAUSE_EDGE1 = 0x01,
    dMESHDATAUSE_EDGE2 = 0x02,
    dMESHDATAUSE_EDGE3 = 0x04,
    dMESHDATAUSE_VERTEX1 = 0x08,
    dMESHDATAUSE_VERTEX2 = 0x10,
    dMESHDATAUSE_VERTEX3 = 0x20
};

/* Kept and given back. Neither is needed: normals and edges are found when data are built. */
ODE_API void dGeomTriMeshDataSet(dTriMeshDataID g, int data_id, void *in_data);
ODE_API void *dGeomTriMeshDataGet(dTriMeshDataID g, int data_id);
ODE_API void *dGeomTriMeshDataGet2(dTriMeshDataID g, int data_id, dsizeint *pout_size);

/* Where the geom was in the step before, columns of four numbers; kept and given back. */
ODE_API void dGeomTriMeshSetLastTransform(dGeomID g, const dMatrix4 last_trans);
ODE_API const dReal *dGeomTriMeshGetLastTransform(dGeomID g);

/* Vertices of three floats, or doubles; indices of dTriIndex, three each triangle. Strides in
   bytes; IndexCount is three times the number of triangles. Bad content is refused, and the data
   are empty then: no triangles, coordinates that are not finite, indices out of range. Normals are
   kept as by dGeomTriMeshDataSet(). */
ODE_API void dGeomTriMeshDataBuildSingle(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                         int VertexCount, const void *Indices, int IndexCount,
                                         int TriStride);
ODE_API void dGeomTriMeshDataBuildSingle1(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                          int VertexCount, const void *Indices, int IndexCount,
                                          int TriStride, const void *Normals);
ODE_API void dGeomTriMeshDataBuildDouble(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                         int VertexCount, const void *Indices, int IndexCount,
                                         int TriStride);
ODE_API void dGeomTriMeshDataBuildDouble1(dTriMeshDataID g, const void *Vertices, int VertexStride,
                                          int VertexCount, const void *Indices, int IndexCount,
                                          int TriStride, const void *Normals);

/* Vertices of four dReals, of which the last says nothing. */
ODE_API void dGeomTriMeshDataBuildSimple(dTriMeshDataID g, const dReal *Vertices, int VertexCount,
                                         const dTriIndex *Indices, int IndexCount);
ODE_API void dGeomTriMeshDataBuildSimple1(dTriMeshDataID g, const dReal *Vertices, int VertexCount,
                                          const dTriIndex *Indices, int IndexCount,
                                          const int *Normals);

enum {
    dTRIDATAPREPROCESS_BUILD__MIN,
    dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES = dTRIDATAPREPROCESS_BUILD__MIN,
    dTRIDATAPREPROCESS_BUILD_FACE_ANGLES,
    dTRIDATAPREPROCESS_BUILD__MAX
};

enum {
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MIN,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_POSITIVE = dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MIN,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_ALL,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_WORD_ALL,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__MAX,
    dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA__DEFAULT =
        dTRIDATAPREPROCESS_FACE_ANGLES_EXTRA_BYTE_POSITIVE
};

/* All that they prepare is there once the data are built: 1; 0 for data that are not. */
ODE_API int dGeomTriMeshDataPreprocess2(dTriMeshDataID g, unsigned int buildRequestFlags,
                                        const dintptr *requestExtraData);
ODE_API int dGeomTriMeshDataPreprocess(dTriMeshDataID g);

/* There is no buffer: null, and 0 bytes; one that is set is not read. */
ODE_API void dGeomTriMeshDataGetBuffer(dTriMeshDataID g, unsigned char **buf, int *bufLen);
ODE_API void dGeomTriMeshDataSetBuffer(dTriMeshDataID g, unsigned char *buf);

/* Does the triangle count where another geom is near? 0: it does not. */
typedef int dTriCallback(dGeomID TriMesh, dGeomID RefObject, int TriangleIndex);
ODE_API void dGeomTriMeshSetCallback(dGeomID g, dTriCallback *Callback);
ODE_API dTriCallback *dGeomTriMeshGetCallback(dGeomID g);

/* Told, before contacts are found, which triangles' boxes another geom's box overlaps. */
typedef void dTriArrayCallback(dGeomID TriMesh, dGeomID RefObject, const int *TriIndices,
                               int TriCount);
ODE_API void dGeomTriMeshSetArrayCallback(dGeomID g, dTriArrayCallback *ArrayCallback);
ODE_API dTriArrayCallback *dGeomTriMeshGetArrayCallback(dGeomID g);

/* Does a ray's hit count? u and v are of the second and third corner. 0: it does not. */
typedef int dTriRayCallback(dGeomID TriMesh, dGeomID Ray, int TriangleIndex, dReal u, dReal v);
ODE_API void dGeomTriMeshSetRayCallback(dGeomID g, dTriRayCallback *Callback);
ODE_API dTriRayCallback *dGeomTriMeshGetRayCallback(dGeomID g);

/* The number for a contact of two triangles; kept, but each contact is told with one of them. */
typedef int dTriTriMergeCallback(dGeomID TriMesh, int FirstTriangleIndex, int SecondTriangleIndex);
ODE_API void dGeomTriMeshSetTriMergeCallback(dGeomID g, dTriTriMergeCallback *Callback);
ODE_API dTriTriMergeCallback *dGeomTriMeshGetTriMergeCallback(dGeomID g);

ODE_API dGeomID dCreateTriMesh(dSpaceID space, dTriMeshDataID Data, dTriCallback *Callback,
                               dTriArrayCallback *ArrayCallback, dTriRayCallback *RayCallback);

ODE_API void dGeomTriMeshSetData(dGeomID g, dTriMeshDataID Data);
ODE_API dTriMeshDataID dGeomTriMeshGetData(dGeomID g);
ODE_API dTriMeshDataID dGeomTriMeshGetTriMeshDataID(dGeomID g);

/* Kept and given back, of spheres, boxes and capsules; of others nothing is kept. Contacts are the
   same. */
ODE_API void dGeomTriMeshEnableTC(dGeomID g, int geomClass, int enable);
ODE_API int dGeomTriMeshIsTCEnabled(dGeomID g, int geomClass);
ODE_API void dGeomTriMeshClearTCCache(dGeomID g);

/* Corners, any of which may be null, and the point with barycentric coordinates u and v of the
   second and third corner; in the world. */
ODE_API void dGeomTriMeshGetTriangle(dGeomID g, int Index, dVector3 *v0, dVector3 *v1,
                                     dVector3 *v2);
ODE_API void dGeomTriMeshGetPoint(dGeomID g, int Index, dReal u, dReal v, dVector3 Out);

ODE_API int dGeomTriMeshGetTriangleCount(dGeomID g);

/* Vertices have moved: the data are built anew from where they are. */
ODE_API void dGeomTriMeshDataUpdate(dTriMeshDataID g);

#ifdef __cplusplus
}
#endif

#endif
