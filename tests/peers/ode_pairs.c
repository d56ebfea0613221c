/* ode_pairs.c: see ode_pairs.h. */
#include "tests/peers/ode_pairs.h"

#include <ode/ode.h>

enum { FIELD_SAMPLES = 64 };

/* libode keeps pointers to what shapes are made of. */
static double field_samples[FIELD_SAMPLES * FIELD_SAMPLES];

static dGeomID geom_of(peer_geom *geom)
{
    return (dGeomID)(void *)geom;
}

static peer_geom *as_peer(dGeomID geom)
{
    return (peer_geom *)(void *)geom;
}

void peer_start(void)
{
    dInitODE2(0);
}

void peer_stop(void)
{
    dCloseODE();
}

peer_geom *peer_sphere(double radius)
{
    return as_peer(dCreateSphere(0, radius));
}

peer_geom *peer_box(const double half[3])
{
    return as_peer(dCreateBox(0, 2 * half[0], 2 * half[1], 2 * half[2]));
}

peer_geom *peer_capsule(double radius, double half_length)
{
    return as_peer(dCreateCapsule(0, radius, 2 * half_length));
}

peer_geom *peer_cylinder(double radius, double half_length)
{
    return as_peer(dCreateCylinder(0, radius, 2 * half_length));
}

peer_geom *peer_plane(const double normal[3], double offset)
{
    return as_peer(dCreatePlane(0, normal[0], normal[1], normal[2], offset));
}

peer_geom *peer_hull(const double *planes, unsigned plane_count, const double *points,
                     unsigned point_count, const unsigned *polygons)
{
    return as_peer(dCreateConvex(0, planes, plane_count, points, point_count, polygons));
}

peer_geom *peer_mesh(const double *vertices, int vertex_count, const unsigned *indices,
                     int triangle_count)
{
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertices, 3 * sizeof *vertices, vertex_count, indices,
                                3 * triangle_count, 3 * sizeof *indices);
    dGeomTriMeshDataPreprocess2(data, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, 0);
    return as_peer(dCreateTriMesh(0, data, 0, 0, 0));
}

/* libode's heights are along y, its field lies about the origin, and its samples follow each other
 * along x: its x is our y, its z our x. */
peer_geom *peer_field(const double *heights, int samples, double spacing)
{
    static const dQuaternion turn = {0.5, 0.5, 0.5, 0.5};
    double length = (samples - 1) * spacing;
    for (int x = 0; x < samples; ++x)
        for (int y = 0; y < samples; ++y)
            field_samples[x * samples + y] = heights[y * samples + x];
    dHeightfieldDataID data = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildDouble(data, field_samples, 0, length, length, samples, samples, 1, 0,
                                    0, 0);
    dGeomHeightfieldDataSetBounds(data, -1000, 1000);
    dGeomID geom = dCreateHeightfield(0, data, 1);
    dGeomSetPosition(geom, length / 2, length / 2, 0);
    dGeomSetQuaternion(geom, turn);
    return as_peer(geom);
}

void peer_destroy(peer_geom *geom)
{
    dTriMeshDataID mesh = 0;
    dHeightfieldDataID field = 0;
    if (dGeomGetClass(geom_of(geom)) == dTriMeshClass)
        mesh = dGeomTriMeshGetData(geom_of(geom));
    else if (dGeomGetClass(geom_of(geom)) == dHeightfieldClass)
        field = dGeomHeightfieldGetHeightfieldData(geom_of(geom));
    dGeomDestroy(geom_of(geom));
    if (mesh)
        dGeomTriMeshDataDestroy(mesh);
    if (field)
        dGeomHeightfieldDataDestroy(field);
}

void peer_place(peer_geom *geom, const double position[3], const double rotation[4])
{
    dGeomSetPosition(geom_of(geom), position[0], position[1], position[2]);
    dGeomSetQuaternion(geom_of(geom), rotation);
}

int peer_collide(peer_geom *a, peer_geom *b, peer_point out_points[PEER_POINTS])
{
    static dContactGeom points[PEER_POINTS];
    int count = dCollide(geom_of(a), geom_of(b), PEER_POINTS, points, sizeof points[0]);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            out_points[i].position[k] = points[i].pos[k];
            out_points[i].normal[k] = points[i].normal[k];
        }
        out_points[i].depth = points[i].depth;
    }
    return count;
}
