/* seam_group.h: what one shape touches in one frame, as collide/seams.c and seams_between.c see
 * it. */
#ifndef LODE_COLLIDE_SEAM_GROUP_H
#define LODE_COLLIDE_SEAM_GROUP_H

#include "collide/collide.h"
#include "collide/query_type.h"

/* Of the speculative margin: how far shapes may stand apart, or one above the other, and still be
 * flush; and how far from the surface directions are compared. */
#define FLUSH ((lode_real)0.125)
#define LOOK ((lode_real)0.5)

/* Sine of the angle within which two normals are one, and within which they are a floor's. */
#define ONE_WAY ((lode_real)0.0002)
#define ONE_FLOOR ((lode_real)0.02)

/* A manifold as one of its shapes, the guest, sees it. */
typedef struct lode__seam {
    lode__pair *pair;
    lode__manifold *manifold;
    uint32_t guest, host;
    lode_vec3 normal; /* into the guest */
    bool doubtful, dropped;
    uint32_t between; /* bits of points that are to go */
    lode_vec3 places[LODE__MANIFOLD_POINTS]; /* where the host is touched; for seams_between.c */
    bool turned;      /* the normal is another than the manifold's, which is to have it */
} lode__seam;

typedef struct lode__seams {
    lode__collide *collide;
    const lode__pool *bodies;
    lode_real speculative;
    uint8_t *hosts;   /* of each shape: how many it touches that may have seams, up to 2 */
    lode__seam *list; /* in pair order */
    uint64_t *groups, *scratch_keys; /* guest and frame of each, ascending */
    uint32_t *order, *scratch;
    uint32_t count;
} lode__seams;

/* What one guest touches in one frame. */
typedef struct lode__seam_group {
    const lode__seams *all;
    const uint32_t *order;
    uint32_t count;
    lode_vec3 guest; /* centre of mass of its body */
} lode__seam_group;

/* Has this shape seams with others, and in which frame? */
bool lode__seam_frame(const lode__collide *collide, const lode__pool *bodies, uint32_t shape,
                      uint32_t *out_frame);

static inline bool seam_alike(lode_vec3 a, lode_vec3 b, lode_real sine)
{
    lode_vec3 across = v3_cross(a, b);
    return v3_dot(a, b) > 0 && v3_dot(across, across) <= sine * sine;
}

static inline lode__seam *seam_at(const lode__seam_group *g, uint32_t i)
{
    return &g->all->list[g->order[i]];
}

/* --- seam_near.c; points are from the guest's centre of mass */

/* The point of a shape that is nearest, and how far it is. */
lode_real lode__seam_nearest(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                             lode__surface_point *out);

/* Is a point no farther from the shape than that? */
bool lode__seam_is_near(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                        lode_real distance);

/* The normal of what is nearest. False: the point is inside. */
bool lode__seam_normal(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                       lode_vec3 *out_normal);

/* Does the shape's type know what is nearest? */
bool lode__seam_can_ask(const lode__seam_group *g, uint32_t shape);

/* Bounds are grown by half the speculative margin already. Planes have none. */
bool lode__seam_within_bounds(const lode__seam_group *g, uint32_t shape, lode_vec3 point);

/* Where the host would be touched after this push. A manifold's points lie in a plane, and may be
 * beside an edge that they stand for: what the host has nearest to a place above is the edge. */
lode_vec3 lode__seam_host_point(const lode__seam_group *g, const lode__seam *s,
                                const lode__point *point, lode_vec3 push);

/* Writes where the host is touched now, of all points. */
void lode__seam_place(const lode__seam_group *g, lode__seam *s);

/* seams_between.c: marks the points that seams have made between others. */
void lode__seams_leave_out(const lode__seam_group *g);

#endif
