/* touches.c: geoms of each class against each other, and spaces, with two libraries of one API: as
 * scenarios.c, which compare_scenarios.py holds against each other.
 *
 * Of each pose it is told whether two geoms touch, and, by what the pair is, no more; or how deep
 * at most; or in what direction too. libode does not find the least depth of a capsule or a
 * cylinder in a box, a capsule or a cylinder, finds that of boxes along an axis of its choice, and
 * misses rays that leave a capsule through an end along its axis: rays that begin in capsules are
 * left out, and rays at convex solids, of which libode tells another distance. It misses a tenth of
 * the spheres, capsules and cylinders that touch a mesh, and most convex solids: test_meshes.c
 * holds ours against the box of the mesh's shape. The place of a contact with a box or a plane is
 * on the other geom there, and between the two here. Of two spaces it passes over disabled geoms of
 * the larger one alone. */
#include <ode/ode.h>

#include <math.h>
#include <stdio.h>

enum { POSES = 200, CONTACTS = 16, GEOMS = 300 };

static unsigned long long seed;

static dReal chance(dReal least, dReal most)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return least + (most - least) * (dReal)((double)(seed >> 11) / 9007199254740992.0);
}

/* --- two geoms */

enum { SPHERE, BOX, CAPSULE, CYLINDER, PLANE, RAY, CONVEX, MESH, FIELD, KINDS };

/* A box of the size of the others: its planes, corners and faces, and as triangles. */
static const dReal planes[] = {1,  0, 0, (dReal)0.5, 0, 1,  0, (dReal)0.4, 0, 0, 1,  (dReal)0.6,
                               -1, 0, 0, (dReal)0.5, 0, -1, 0, (dReal)0.4, 0, 0, -1, (dReal)0.6};
static dReal corners[8 * 3];
static double mesh_corners[8 * 3];
static const unsigned faces[] = {4, 1, 3, 7, 5, 4, 2, 6, 7, 3, 4, 4, 5, 7, 6,
                                 4, 0, 4, 6, 2, 4, 0, 1, 5, 4, 4, 0, 2, 3, 1};
static unsigned triangles[12 * 3];
static dTriMeshDataID mesh;
static dHeightfieldDataID field;

/* A hill that is the same from all sides, on a ground of 4 by 4. */
static dReal height_at(void *data, int x, int z)
{
    (void)data;
    return (dReal)(0.5 - 0.05 * ((x - 4) * (x - 4) + (z - 4) * (z - 4)) / 4.0);
}

static void prepare(void)
{
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k) {
            const double half[3] = {0.5, 0.4, 0.6};
            mesh_corners[3 * i + k] = i >> k & 1 ? half[k] : -half[k];
            corners[3 * i + k] = (dReal)mesh_corners[3 * i + k];
        }
    for (int i = 0; i < 12; ++i) {
        const unsigned *face = &faces[i / 2 * 5 + 1];
        triangles[3 * i] = face[0];
        triangles[3 * i + 1] = face[1 + i % 2];
        triangles[3 * i + 2] = face[2 + i % 2];
    }
    mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(mesh, mesh_corners, 3 * sizeof(double), 8, triangles, 36,
                                3 * sizeof(unsigned));
    dGeomTriMeshDataPreprocess2(mesh, 1u << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, NULL);
    field = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildCallback(field, NULL, height_at, 4, 4, 9, 9, 1, 0, 1, 0);
    dGeomHeightfieldDataSetBounds(field, -1, 1);
}

static dGeomID make(int kind, dSpaceID space)
{
    switch (kind) {
    case SPHERE:
        return dCreateSphere(space, (dReal)0.5);
    case BOX:
        return dCreateBox(space, 1, (dReal)0.8, (dReal)1.2);
    case CAPSULE:
        return dCreateCapsule(space, (dReal)0.3, (dReal)0.9);
    case CYLINDER:
        return dCreateCylinder(space, (dReal)0.4, (dReal)1.1);
    case PLANE:
        return dCreatePlane(space, (dReal)0.1, (dReal)0.2, 1, (dReal)0.05);
    case CONVEX:
        return dCreateConvex(space, planes, 6, corners, 8, faces);
    case MESH:
        return dCreateTriMesh(space, mesh, NULL, NULL, NULL);
    case FIELD:
        return dCreateHeightfield(space, field, 1);
    default:
        return dCreateRay(space, 2);
    }
}

/* Fields stand as they are. */
static void place(dGeomID geom, dReal up)
{
    dQuaternion q;
    dReal square = 0, x = chance(-1, 1), y = chance(-1, 1), z = chance(-1, 1);
    for (int i = 0; i < 4; ++i) {
        q[i] = chance(-1, 1);
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= (dReal)sqrt((double)square);
    if (dGeomGetClass(geom) == dPlaneClass || dGeomGetClass(geom) == dHeightfieldClass)
        return;
    dGeomSetPosition(geom, x * (dReal)0.7, y * (dReal)0.7 + up, z * (dReal)0.7 + up);
    dGeomSetQuaternion(geom, q);
}

/* What is told: of all that touch, TOUCHES; and how deep; and the deepest contact's normal; and its
 * place. */
enum { TOUCHES, DEPTHS, NORMALS, PLACES };

typedef struct pair {
    const char *name;
    int a, b, told;
    double tolerance;
    dReal up; /* how far away from the first the second is besides */
} pair;

#define AWAY ((dReal)0.9)

static const pair pairs[] = {
    {"sphere-sphere", SPHERE, SPHERE, PLACES, 1e-9, 0},
    {"sphere-box", SPHERE, BOX, NORMALS, 1e-9, 0},
    {"sphere-capsule", SPHERE, CAPSULE, PLACES, 1e-9, 0},
    {"sphere-cylinder", SPHERE, CYLINDER, NORMALS, 1e-9, 0},
    {"sphere-plane", SPHERE, PLANE, NORMALS, 1e-9, 0},
    {"box-sphere", BOX, SPHERE, NORMALS, 1e-9, 0},
    {"box-box", BOX, BOX, DEPTHS, 0.06, 0},
    {"box-plane", BOX, PLANE, NORMALS, 1e-9, 0},
    {"box-capsule", BOX, CAPSULE, TOUCHES, 0, 0},
    {"box-cylinder", BOX, CYLINDER, TOUCHES, 0, 0},
    {"capsule-sphere", CAPSULE, SPHERE, PLACES, 1e-9, 0},
    {"capsule-plane", CAPSULE, PLANE, NORMALS, 1e-9, 0},
    {"capsule-capsule", CAPSULE, CAPSULE, DEPTHS, 1e-3, 0},
    {"capsule-cylinder", CAPSULE, CYLINDER, TOUCHES, 0, 0},
    {"cylinder-sphere", CYLINDER, SPHERE, NORMALS, 1e-9, 0},
    {"cylinder-plane", CYLINDER, PLANE, NORMALS, 1e-9, 0},
    {"cylinder-cylinder", CYLINDER, CYLINDER, TOUCHES, 0, 0},
    {"plane-sphere", PLANE, SPHERE, NORMALS, 1e-9, 0},
    {"plane-box", PLANE, BOX, NORMALS, 1e-9, 0},
    {"plane-capsule", PLANE, CAPSULE, NORMALS, 1e-9, 0},
    {"plane-plane", PLANE, PLANE, PLACES, 0, 0},
    {"ray-sphere", RAY, SPHERE, PLACES, 1e-9, 0},
    {"ray-box", RAY, BOX, PLACES, 1e-9, 0},
    {"ray-capsule", RAY, CAPSULE, PLACES, 1e-9, 0},
    {"ray-cylinder", RAY, CYLINDER, PLACES, 1e-9, 0},
    {"ray-plane", RAY, PLANE, PLACES, 1e-9, 0},
    {"box-ray", BOX, RAY, PLACES, 1e-9, 0},
    {"plane-ray", PLANE, RAY, PLACES, 1e-9, 0},
    {"ray-ray", RAY, RAY, PLACES, 0, 0},
    {"convex-sphere", CONVEX, SPHERE, TOUCHES, 0, 0},
    {"convex-box", CONVEX, BOX, TOUCHES, 0, 0},
    {"convex-capsule", CONVEX, CAPSULE, TOUCHES, 0, 0},
    {"convex-cylinder", CONVEX, CYLINDER, TOUCHES, 0, 0},
    {"convex-convex", CONVEX, CONVEX, TOUCHES, 0, 0},
    {"plane-convex", PLANE, CONVEX, NORMALS, 1e-9, AWAY},
    {"mesh-box", MESH, BOX, TOUCHES, 0, 0},
    {"mesh-plane", MESH, PLANE, DEPTHS, 1e-6, 0},
    {"mesh-mesh", MESH, MESH, TOUCHES, 0, 0},
    {"mesh-ray", MESH, RAY, DEPTHS, 1e-6, 0},
    {"field-sphere", FIELD, SPHERE, TOUCHES, 0, AWAY},
    {"field-box", FIELD, BOX, TOUCHES, 0, AWAY},
    {"field-convex", FIELD, CONVEX, TOUCHES, 0, AWAY},
    {"field-mesh", FIELD, MESH, TOUCHES, 0, AWAY},
    {"field-ray", FIELD, RAY, TOUCHES, 0, (dReal)1.2},
};

static int begins_in_capsule(dGeomID a, dGeomID b)
{
    dVector3 start, direction;
    if (dGeomGetClass(a) != dRayClass || dGeomGetClass(b) != dCapsuleClass)
        return 0;
    dGeomRayGet(a, start, direction);
    return dGeomCapsulePointDepth(b, start[0], start[1], start[2]) > 0;
}

static const dContactGeom *deepest_of(const dContactGeom *contacts, int count)
{
    const dContactGeom *deepest = contacts;
    for (int i = 1; i < count; ++i)
        if (contacts[i].depth > deepest->depth)
            deepest = &contacts[i];
    return deepest;
}

static void tell_pose(const pair *p, dGeomID a, dGeomID b)
{
    dContactGeom contacts[CONTACTS];
    int count = dCollide(a, b, CONTACTS, contacts, sizeof *contacts);
    const dContactGeom *deepest = deepest_of(contacts, count);
    printf(" %d", count > 0);
    if (count == 0)
        return;
    if (p->told >= DEPTHS)
        printf(" %.12g", (double)deepest->depth);
    for (int i = 0; i < 3 && p->told >= NORMALS; ++i)
        printf(" %.12g", (double)deepest->normal[i]);
    for (int i = 0; i < 3 && p->told >= PLACES; ++i)
        printf(" %.12g", (double)deepest->pos[i]);
}

static void tell_pair(const pair *p)
{
    dGeomID a = make(p->a, NULL), b = make(p->b, NULL);
    seed = 7;
    printf("%s;%g;", p->name, p->tolerance);
    for (int i = 0; i < POSES; ++i) {
        place(a, 0);
        place(b, p->up);
        if (!begins_in_capsule(a, b))
            tell_pose(p, a, b);
    }
    printf("\n");
    dGeomDestroy(a);
    dGeomDestroy(b);
}

/* --- spaces: pairs, whatever their order */

typedef struct found {
    int pairs;
    double sum, squares;
} found;

static void hear(void *data, dGeomID a, dGeomID b)
{
    found *f = data;
    const int *x = dGeomGetData(a), *y = dGeomGetData(b);
    double least = *x < *y ? *x : *y, most = *x < *y ? *y : *x, key = least * GEOMS + most;
    ++f->pairs;
    f->sum += key;
    f->squares += key * sqrt(key);
}

static void tell_found(const char *space, const char *what, const found *f)
{
    printf("%s, %s;1e-9;%d %.12g %.12g\n", space, what, f->pairs, f->sum, f->squares);
}

static void tell_space(const char *name, dSpaceID space)
{
    static int names[GEOMS + 1];
    found f = {0, 0, 0};
    dSpaceID inner = dSimpleSpaceCreate(NULL);
    seed = 99;
    for (int i = 0; i < GEOMS; ++i) {
        dGeomID geom = make(i % 50 == 0 ? PLANE : i % 4, i % 5 == 4 ? inner : space);
        names[i] = i;
        dGeomSetData(geom, &names[i]);
        if (dGeomGetClass(geom) != dPlaneClass)
            dGeomSetPosition(geom, chance(-4, 4), chance(-4, 4), chance(-4, 4));
        dGeomSetCategoryBits(geom, 1ul << i % 3);
        dGeomSetCollideBits(geom, 3ul << i % 2);
        if (i % 11 == 3)
            dGeomDisable(geom);
    }
    dSpaceCollide(space, &f, hear);
    tell_found(name, "within", &f);
    f = (found){0, 0, 0};
    for (int i = 0; i < dSpaceGetNumGeoms(inner); ++i)
        dGeomEnable(dSpaceGetGeom(inner, i));
    dSpaceCollide2((dGeomID)space, (dGeomID)inner, &f, hear);
    tell_found(name, "beside another", &f);
    dGeomID probe = dCreateBox(NULL, 4, 4, 4);
    names[GEOMS] = GEOMS;
    dGeomSetData(probe, &names[GEOMS]);
    f = (found){0, 0, 0};
    dSpaceCollide2(probe, (dGeomID)space, &f, hear);
    tell_found(name, "beside a box", &f);
    dGeomDestroy(probe);
    dSpaceDestroy(inner);
    dSpaceDestroy(space);
}

int main(void)
{
    const dVector3 middle = {0, 0, 0, 0}, extent = {5, 5, 5, 0};
    dInitODE2(0);
    prepare();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        tell_pair(&pairs[i]);
    tell_space("simple space", dSimpleSpaceCreate(NULL));
    tell_space("hash space", dHashSpaceCreate(NULL));
    tell_space("sweep and prune space", dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XZY));
    tell_space("quadtree space", dQuadTreeSpaceCreate(NULL, middle, extent, 4));
    dCloseODE();
    return 0;
}
