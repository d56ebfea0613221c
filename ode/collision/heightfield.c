/* heightfield.c: see heightfield.h. */
#include "ode/collision/heightfield.h"

#include "ode/memory.h"

#include <string.h>

static bool is_data(dHeightfieldDataID d, const char *function)
{
    return lode__ode_check(d != NULL, function, "d", "must not be null");
}
#define IS_DATA(d) is_data(d, __func__)

/* --- data */

dHeightfieldDataID dGeomHeightfieldDataCreate(void)
{
    dHeightfieldDataID data = dAlloc(sizeof *data);
    if (CHECK(data != NULL, "memory", "is wanting"))
        memset(data, 0, sizeof *data);
    return data;
}

/* The geom's shape lies so that the grid's middle is at the geom's position. */
static void lay(dGeomID geom)
{
    const struct dxHeightfieldData *data = (const void *)sharer_of(geom)->data;
    const lode_quat around = {(lode_real)0.5, (lode_real)-0.5, (lode_real)-0.5, (lode_real)-0.5};
    lode_pose pose = {v3_zero(), around};
    if (data)
        pose.position = v3(-data->width / 2, 0, -data->depth / 2);
    geom->geometry.pose = geom->geometry.center = pose;
    lode__ode_geom_moved(geom);
}

static void set_field(dHeightfieldDataID data, lode_heightfield *field)
{
    lode_heightfield *old = data->field;
    data->field = field;
    lode__ode_shared_set(&data->shared, field);
    for (lode__ode_sharer *sharer = data->shared.geoms; sharer; sharer = sharer->next)
        lay(&sharer->geom);
    lode_heightfield_release(old);
}

void dGeomHeightfieldDataDestroy(dHeightfieldDataID d)
{
    if (!IS_DATA(d))
        return;
    set_field(d, NULL);
    lode__ode_shared_end(&d->shared);
    dFree(d, sizeof *d);
}

/* What all forms have in common. */
typedef struct grid {
    dReal width, depth;
    int width_samples, depth_samples;
    dReal scale, offset, thickness;
    int wrap;
} grid;

/* Of a field that repeats itself the last samples lie on the first ones of the next repetition. */
static lode_heightfield_def define(const grid *g)
{
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = g->depth_samples - (g->wrap != 0);
    def.rows = g->width_samples - (g->wrap != 0);
    def.spacing_x = g->depth_samples > 1 ? g->depth / (dReal)(g->depth_samples - 1) : 1;
    def.spacing_y = g->width_samples > 1 ? g->width / (dReal)(g->width_samples - 1) : 1;
    def.scale = g->scale;
    def.offset = g->offset;
    def.thickness = g->thickness;
    def.wrap = g->wrap != 0;
    return def;
}

static void build(dHeightfieldDataID data, const grid *g, const lode_heightfield_def *def,
                  const char *function)
{
    data->width = g->width;
    data->depth = g->depth;
    lode__ode_speak_for(function);
    set_field(data, lode_heightfield_create(def));
    lode__ode_speak_for(NULL);
}

static void build_samples(dHeightfieldDataID data, const void *samples, bool copy,
                          lode_sample_type type, size_t size, const grid *g, const char *function)
{
    if (!is_data(data, function) ||
        !lode__ode_check(samples != NULL, function, "pHeightData", "must not be null"))
        return;
    lode_heightfield_def def = define(g);
    def.samples = samples;
    def.type = type;
    def.sample_stride = (int)size * g->width_samples;
    def.row_stride = (int)size;
    def.reference = !copy;
    build(data, g, &def, function);
}

static lode_real ask(void *context, int column, int row)
{
    dHeightfieldDataID data = context;
    return data->ask(data->user, row, column);
}

#define GRID \
    { \
        width, depth, widthSamples, depthSamples, scale, offset, thickness, bWrap \
    }

void dGeomHeightfieldDataBuildCallback(dHeightfieldDataID d, void *pUserData,
                                       dHeightfieldGetHeight *pCallback, dReal width, dReal depth,
                                       int widthSamples, int depthSamples, dReal scale,
                                       dReal offset, dReal thickness, int bWrap)
{
    const grid g = GRID;
    if (!IS_DATA(d) || !CHECK_GIVEN(pCallback))
        return;
    lode_heightfield_def def = define(&g);
    d->ask = pCallback;
    d->user = pUserData;
    def.sample = ask;
    def.context = d;
    build(d, &g, &def, __func__);
}

#define BUILD(Name, sample, kind) \
    void dGeomHeightfieldDataBuild##Name(dHeightfieldDataID d, const sample *pHeightData, \
                                         int bCopyHeightData, dReal width, dReal depth, \
                                         int widthSamples, int depthSamples, dReal scale, \
                                         dReal offset, dReal thickness, int bWrap) \
    { \
        const grid g = GRID; \
        build_samples(d, pHeightData, bCopyHeightData != 0, kind, sizeof *pHeightData, &g, \
                      __func__); \
    }

BUILD(Byte, unsigned char, LODE_SAMPLE_UINT8)
BUILD(Short, short, LODE_SAMPLE_INT16)
BUILD(Single, float, LODE_SAMPLE_FLOAT)
BUILD(Double, double, LODE_SAMPLE_DOUBLE)

void dGeomHeightfieldDataSetBounds(dHeightfieldDataID d, dReal minHeight, dReal maxHeight)
{
    if (!IS_DATA(d) || !CHECK(minHeight <= maxHeight, "minHeight", "must not be above maxHeight"))
        return;
    d->bounds[0] = minHeight;
    d->bounds[1] = maxHeight;
}

/* --- geoms */

static void give(dGeomID geom, dHeightfieldDataID data)
{
    lode__ode_share(geom, data ? &data->shared : NULL);
    lay(geom);
}

dGeomID dCreateHeightfield(dSpaceID space, dHeightfieldDataID data, int bPlaceable)
{
    dGeomID geom = lode__ode_geom_create(space, dHeightfieldClass);
    if (!geom)
        return NULL;
    geom->fixed = !bPlaceable;
    give(geom, data);
    return geom;
}

void dGeomHeightfieldSetHeightfieldData(dGeomID g, dHeightfieldDataID d)
{
    if (IS_GEOM(g, dHeightfieldClass))
        give(g, d);
}

dHeightfieldDataID dGeomHeightfieldGetHeightfieldData(dGeomID g)
{
    return IS_GEOM(g, dHeightfieldClass) ? (dHeightfieldDataID)(void *)sharer_of(g)->data : NULL;
}
