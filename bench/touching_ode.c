/* touching_ode.c: libode's dCollide, one pair after another. */
#include "bench/tool.h"
#include "bench/touching.h"

#include <ode/ode.h>

#include <stdlib.h>

enum { POINTS = 4 };

typedef struct ode_side {
    dGeomID *a, *b;
    int count, found;
} ode_side;

static dGeomID make_geom(bench_form form, const bench_solid *solid, const bench_hull *hull)
{
    const double *size = solid->size, *p = solid->position;
    dGeomID geom = NULL;
    switch (form) {
    case FORM_SPHERE:
        geom = dCreateSphere(0, size[0]);
        break;
    case FORM_BOX:
        geom = dCreateBox(0, 2 * size[0], 2 * size[1], 2 * size[2]);
        break;
    case FORM_CAPSULE:
        geom = dCreateCapsule(0, size[0], 2 * size[1]);
        break;
    case FORM_CYLINDER:
        geom = dCreateCylinder(0, size[0], 2 * size[1]);
        break;
    case FORM_HULL:
        geom = dCreateConvex(0, hull->planes, hull->plane_count, hull->points, hull->point_count,
                             hull->polygons);
        break;
    default:
        return dCreatePlane(0, 0, 0, 1, 0);
    }
    dGeomSetPosition(geom, p[0], p[1], p[2]);
    dGeomSetQuaternion(geom, solid->rotation);
    return geom;
}

static void *create(const bench_touching *pairs)
{
    ode_side *side = bench_alloc(1, sizeof *side);
    dInitODE2(0);
    side->count = pairs->count;
    side->a = bench_alloc((size_t)pairs->count, sizeof *side->a);
    side->b = bench_alloc((size_t)pairs->count, sizeof *side->b);
    for (int i = 0; i < pairs->count; ++i) {
        side->a[i] = make_geom(pairs->form_a, &pairs->a[i], pairs->hull);
        side->b[i] = i > 0 && pairs->form_b == FORM_PLANE
                         ? side->b[0]
                         : make_geom(pairs->form_b, &pairs->b[i], pairs->hull);
    }
    return side;
}

static void destroy(void *toucher)
{
    ode_side *side = toucher;
    for (int i = 0; i < side->count; ++i) {
        dGeomDestroy(side->a[i]);
        if (i == 0 || side->b[i] != side->b[0])
            dGeomDestroy(side->b[i]);
    }
    dCloseODE();
    free(side->a);
    free(side->b);
    free(side);
}

static void touch(void *toucher)
{
    ode_side *side = toucher;
    dContactGeom points[POINTS];
    int found = 0;
    for (int i = 0; i < side->count; ++i)
        found += dCollide(side->a[i], side->b[i], POINTS, points, sizeof points[0]) > 0;
    side->found = found;
}

static int found(void *toucher)
{
    return ((ode_side *)toucher)->found;
}

const bench_toucher bench_toucher_ode = {"dCollide", create, destroy, touch, found, NULL};
