/* swarm_ode.c: libode's spaces as finders of pairs. A near callback counts; geoms carry no bodies,
 * because a space does not ask for any. */
#include "bench/swarm.h"
#include "bench/tool.h"

#include <ode/ode.h>

#include <stdlib.h>

typedef struct ode_side {
    dSpaceID space;
    dGeomID *geoms;
    int pairs; /* of the last frame */
} ode_side;

static void *create(const bench_swarm *swarm, dSpaceID space)
{
    ode_side *side = bench_alloc(1, sizeof *side);
    side->space = space;
    side->geoms = bench_alloc((size_t)swarm->count, sizeof *side->geoms);
    for (int i = 0; i < swarm->count; ++i) {
        const bench_swarm_box *box = &swarm->boxes[i];
        side->geoms[i] = dCreateBox(space, 2 * box->half[0], 2 * box->half[1], 2 * box->half[2]);
        dGeomSetQuaternion(side->geoms[i], box->rotation);
        dGeomSetPosition(side->geoms[i], box->position[0], box->position[1], box->position[2]);
    }
    return side;
}

/* Cells from half a metre to four metres: the boxes' bounds are a metre or two wide. */
static void *create_hash(const bench_swarm *swarm)
{
    dInitODE2(0);
    dSpaceID space = dHashSpaceCreate(0);
    dHashSpaceSetLevels(space, -1, 2);
    return create(swarm, space);
}

static void *create_sap(const bench_swarm *swarm)
{
    dInitODE2(0);
    return create(swarm, dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ));
}

/* Six levels bring the cells to the size of a few boxes. */
static void *create_quadtree(const bench_swarm *swarm)
{
    double half = swarm->side / 2 + 2;
    const dVector3 center = {swarm->side / 2, swarm->side / 2, swarm->side / 2},
                   extents = {half, half, half};
    dInitODE2(0);
    return create(swarm, dQuadTreeSpaceCreate(0, center, extents, 6));
}

static void destroy(void *finder)
{
    ode_side *side = finder;
    dSpaceDestroy(side->space);
    dCloseODE();
    free(side->geoms);
    free(side);
}

static void move(void *finder, const bench_swarm *swarm)
{
    ode_side *side = finder;
    for (int i = 0; i < swarm->moving; ++i) {
        const double *p = swarm->boxes[i].position;
        dGeomSetPosition(side->geoms[i], p[0], p[1], p[2]);
    }
}

static void near(void *data, dGeomID a, dGeomID b)
{
    (void)a;
    (void)b;
    ++*(int *)data;
}

static double find(void *finder)
{
    ode_side *side = finder;
    side->pairs = 0;
    double before = bench_now();
    dSpaceCollide(side->space, &side->pairs, near);
    return bench_now() - before;
}

static int pairs(void *finder)
{
    return ((ode_side *)finder)->pairs;
}

#define FINDER(name, create) \
    { \
        name, create, destroy, move, find, pairs \
    }

const bench_finder bench_finder_ode_hash = FINDER("ode hash", create_hash);
const bench_finder bench_finder_ode_sap = FINDER("ode sap", create_sap);
const bench_finder bench_finder_ode_quadtree = FINDER("ode quadtree", create_quadtree);
