/* convex.c: convex solids from faces. What is given is copied: into a hull of the handle API. */
#include "ode/collision/convex.h"

#include "ode/memory.h"

#include <string.h>

/* The faces as the handle API has them: sizes, and corners one after another. */
typedef struct faces {
    int *sizes, *corners;
    size_t corner_count;
} faces;

static size_t count_corners(const unsigned *polygons, unsigned count)
{
    size_t corners = 0;
    for (unsigned i = 0; i < count; ++i, polygons += 1 + *polygons)
        corners += *polygons;
    return corners;
}

static bool take_faces(faces *out, const unsigned *polygons, unsigned count)
{
    out->corner_count = count_corners(polygons, count);
    out->sizes = dAlloc(count * sizeof *out->sizes);
    out->corners = dAlloc(out->corner_count * sizeof *out->corners);
    if (!out->sizes || !out->corners)
        return false;
    int *next = out->corners;
    for (unsigned i = 0; i < count; ++i, polygons += 1 + *polygons) {
        out->sizes[i] = (int)*polygons;
        for (unsigned k = 1; k <= *polygons; ++k)
            *next++ = (int)polygons[k];
    }
    return true;
}

static void free_faces(const faces *f, unsigned count)
{
    if (f->sizes)
        dFree(f->sizes, count * sizeof *f->sizes);
    if (f->corners)
        dFree(f->corners, f->corner_count * sizeof *f->corners);
}

/* The planes follow from the faces. */
static lode_hull *make_hull(unsigned face_count, const dReal *points, unsigned point_count,
                            const unsigned *polygons, const char *function)
{
    faces f = {NULL, NULL, 0};
    lode_hull_def def = lode_hull_def_default();
    lode_hull *hull = NULL;
    def.points = points;
    def.point_count = (int)point_count;
    def.face_count = (int)face_count;
    if (lode__ode_check(take_faces(&f, polygons, face_count), function, "memory", "is wanting")) {
        def.face_sizes = f.sizes;
        def.face_corners = f.corners;
        lode__ode_speak_for(function);
        hull = lode_hull_create(&def);
        lode__ode_speak_for(NULL);
    }
    free_faces(&f, face_count);
    return hull;
}

static bool is_given(const dReal *points, const unsigned *polygons, unsigned face_count,
                     const char *function)
{
    return lode__ode_check(points && polygons, function, "_points, _polygons",
                           "must not be null") &&
           lode__ode_check(face_count >= 4, function, "_planecount", "must be at least 4");
}

static void set_hull(dGeomID geom, lode_hull *hull)
{
    lode_hull *old = convex_of(geom)->hull;
    convex_of(geom)->hull = hull;
    geom->shape_data = hull;
    lode__ode_geom_moved(geom);
    lode_hull_release(old);
}

dGeomID dCreateConvex(dSpaceID space, const dReal *_planes, unsigned int _planecount,
                      const dReal *_points, unsigned int _pointcount, const unsigned int *_polygons)
{
    (void)_planes;
    lode_hull *hull = is_given(_points, _polygons, _planecount, __func__)
                          ? make_hull(_planecount, _points, _pointcount, _polygons, __func__)
                          : NULL;
    dGeomID geom = hull ? lode__ode_geom_create(space, dConvexClass) : NULL;
    if (geom)
        set_hull(geom, hull);
    else
        lode_hull_release(hull);
    return geom;
}

void dGeomSetConvex(dGeomID g, const dReal *_planes, unsigned int _count, const dReal *_points,
                    unsigned int _pointcount, const unsigned int *_polygons)
{
    (void)_planes;
    if (!IS_GEOM(g, dConvexClass) || !is_given(_points, _polygons, _count, __func__))
        return;
    lode_hull *hull = make_hull(_count, _points, _pointcount, _polygons, __func__);
    if (hull)
        set_hull(g, hull);
}

void lode__ode_convex_end(dGeomID geom)
{
    lode_hull_release(convex_of(geom)->hull);
}
