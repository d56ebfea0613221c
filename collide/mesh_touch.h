/* mesh_touch.h: what a shape and the triangles near it touch with: those of a mesh, or of a height
 * field; below, "mesh" says either.
 *
 * All is computed in the mesh's axes from the shape's centre, so a mesh far from its own origin
 * loses nothing but what its vertices have lost already. Each triangle adds points with a normal of
 * their own.
 *
 * Interior edges. A shape that slides over a flat mesh must not feel where one triangle ends, so a
 * normal is believed only where the surface as a whole would give it: the direction from the
 * surface to the shape must lie in the Voronoi region of the feature that is nearest, seen from all
 * triangles at it (Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, has the regions
 * of one triangle; the restriction to the surface's own normals is that of Terdiman, "Contact
 * generation for meshes", 2015). What each edge is like is known since the mesh was made:
 *
 *     flat, concave    nothing can be nearest there: the face says all
 *     convex           between the normals of both faces
 *     free             towards the front, whatever is beyond
 *
 * A corner is nearest where all edges at it lead away. */
#ifndef LODE_COLLIDE_MESH_TOUCH_H
#define LODE_COLLIDE_MESH_TOUCH_H

#include "collide/convex.h"
#include "collide/gate.h"
#include "collide/kernels.h"
#include "collide/surface.h"

/* The sine of an angle within which two directions are one: a direction so near to a face's normal
 * is the face's. */
#define MESH_ALIKE ((lode_real)0.01)

/* Cosine of the angle between normals that are told as one, that of the deepest. */
#define LODE__ONE_CLUSTER ((lode_real)0.995)

/* Features of points: what is not named is a feature of the other shape, 1..15. */
enum {
    MESH_BY_EDGE = 1 << 28,   /* and where the other shape's edges count, one of these << 24 */
    MESH_BY_CORNER = 1 << 29, /* and the corner's vertex */
    MESH_ENTERS = 1 << 30,    /* of two cuts beside one corner, the one after it */
    MESH_LOW_BITS = (1 << 24) - 1
};

typedef struct lode__mesh_point {
    lode_vec3 position; /* midway between the surfaces */
    lode_vec3 normal;   /* unit, into the shape */
    lode_real depth;
    uint32_t feature, triangle;
    uint32_t other; /* the triangle of the shape, if that is a mesh, plus 1; else 0 */
    bool doubtful;  /* only while two meshes are looked at */
} lode__mesh_point;

typedef struct lode__mesh_word lode__mesh_word; /* see below */

/* A point that is told if nobody says anything: of the triangles that meet a capsule, and leave the
 * lower end of what is above them to a neighbour in their plane, the one that it leaves soonest. */
typedef struct lode__mesh_silent {
    bool any;
    lode__mesh_point point;
} lode__mesh_silent;

/* A point of a cluster that may be kept; many_cluster.c. */
typedef struct lode__mesh_candidate {
    const lode__mesh_point *point;
    lode_real worth;
} lode__mesh_candidate;

typedef struct lode__mesh_points {
    lode__mesh_point *items;
    uint32_t count, capacity;
    lode__mesh_word *words; /* of triangles whose solid asked the mesh; for one shape */
    uint32_t word_count, word_capacity;
    lode__mesh_candidate *chosen; /* of one cluster, and those that are in none yet */
    uint32_t chosen_capacity;
    bool any_left, any_stands_in; /* does a word say so? */
    bool any_short;               /* may a word say too little? mesh_short.c */
    lode__mesh_silent silent;     /* of a capsule */
    bool failed;                  /* out of memory */
} lode__mesh_points;

/* What it takes; gives it back. */
size_t lode__mesh_points_bytes(const lode__mesh_points *points);
void lode__mesh_points_free(lode__mesh_points *points);

/* A shape near a mesh. */
typedef struct lode__mesh_query {
    const lode__shape_data *surface;
    lode_vec3 center;              /* of the shape, in the mesh's frame */
    lode_quat rotation;            /* shape axes to mesh axes */
    const lode_real *size;         /* as in lode__geometry */
    lode__convex solid;            /* the same shape as the general methods see it */
    const lode__shape_data *other; /* the same, if it is a surface */
    lode_real speculative;
    lode_real reach; /* points with a wider gap are not asked for; 0: the margin */
    lode__gate gate; /* of the surface's triangles */
    const lode__collide_kernels *kernels;
    const lode__solid_lines *lines; /* of query_lines(), where a lane's function is called */
    const lode__face_cut *cut; /* of a box and the triangle that is spoken of, where it is known */
    lode__mesh_points *out;
} lode__mesh_query;

static inline lode_real query_reach(const lode__mesh_query *query)
{
    return query->reach > 0 ? query->reach : query->speculative;
}

/* A triangle from the shape's centre. */
typedef struct lode__mesh_side {
    uint32_t triangle;
    lode__triangle t;
    lode_vec3 n; /* of the side that the shape is on: of the front, or of a two-sided one's back */
    lode_real height; /* of the shape's centre above it */
    bool back;        /* n is that of the back */
    uint8_t rim;      /* bits of edges beyond which the gate is shut */
} lode__mesh_side;

/* Adds the points of the shape with one triangle. */
typedef void lode__triangle_fn(const lode__mesh_query *query, const lode__mesh_side *side);
lode__triangle_fn lode__triangle_sphere;
lode__triangle_fn lode__triangle_capsule;
lode__triangle_fn lode__triangle_box;
lode__triangle_fn lode__triangle_convex; /* any convex solid */

/* The same, of a shape that touches a triangle, given what the kernel of its type found in a
 * lane. */
typedef void lode__lane_fn(const lode__mesh_query *query, const lode__mesh_side *side,
                           const lode__triangle_batch *batch, int lane);
lode__lane_fn lode__lane_sphere;
lode__lane_fn lode__lane_capsule;
lode__lane_fn lode__lane_box;

/* One triangle by itself, by the scalar twin. */
void lode__triangle_alone(const lode__mesh_query *query, const lode__mesh_side *side,
                          lode__triangle_kind kind, lode__lane_fn *function);

/* heightfield_touch.c: a point for a shape that touches nothing of a height field, but lies under
 * it, and within its thickness. `middle` is that of the shape's box, from its centre. */
void lode__field_lift(const lode__mesh_query *query, lode_vec3 middle);

/* mesh_touch_inside.c: the same for a convex solid that touches nothing of a mesh, but is inside
 * it. */
void lode__mesh_push_out(const lode__mesh_query *query);

/* mesh_convex.c: makes the deepest point of a convex mesh and another convex solid as deep as the
 * whole of both; and tells whether they are such. */
void lode__mesh_deepen(const lode__mesh_query *query);
bool lode__mesh_deepens(const lode__mesh_query *query);

/* mesh_part.c: sees to it that the deepest point leads the shape out of the whole surface, unless
 * lode__mesh_deepen() did. */
void lode__mesh_part(const lode__mesh_query *query);

/* How far the shape reaches from its centre along `n`, of unit length. */
lode_real lode__mesh_reach_along(const lode__mesh_query *query, lode_vec3 n);

void lode__mesh_add(const lode__mesh_query *query, const lode__mesh_side *side, lode_vec3 position,
                    lode_vec3 normal, lode_real depth, uint32_t feature);

/* The same, ready made. */
void lode__mesh_add_point(const lode__mesh_query *query, const lode__mesh_point *point);

/* mesh_mesh.c, mesh_touch_plane.c: adds the points of a shape that is another mesh, or a field on a
 * mesh; of one that is a half-space with this normal, into free space and in the mesh's axes, and
 * this offset along it from the mesh's origin: from there its points are measured. */
void lode__mesh_touch_mesh(const lode__mesh_query *query, const lode__shape_data *other);
void lode__mesh_touch_plane(const lode__mesh_query *query, lode_vec3 normal, lode_real offset);

/* No more triangles than these are looked at around a corner, in each turn. */
enum { LODE__MESH_FAN = 64 };

/* The next triangle around a corner, and in *corner its name for that corner; LODE__NONE where a
 * free edge ends the turn. */
uint32_t lode__mesh_around(const lode__shape_data *surface, uint32_t triangle, int *corner,
                           int turn);

/* The point of a triangle nearest to `x`, and where it lies: -1 in the face, 0..2 on an edge, 3..5
 * at a corner. */
lode_vec3 lode__triangle_nearest(const lode__triangle *t, lode_vec3 x, int *out_where);

/* Does `d`, of unit length, lead off the triangle across an edge, or along its plane but for
 * MESH_ALIKE: d . side_out() >= -MESH_ALIKE? By sums and products alone; -1: too near to say. */
int lode__mesh_leads_off(const lode__triangle *t, int edge, lode_vec3 d);

/* Does `d`, of unit length, lead into the triangle beyond a convex edge, if only by less than
 * MESH_ALIKE? */
bool lode__mesh_leads_into(const lode__mesh_query *query, const lode__mesh_side *side, int edge,
                           lode_vec3 d);

/* May `d`, of unit length, be the way from an edge, or a corner, to the shape? */
bool lode__mesh_edge_allows(const lode__mesh_query *query, const lode__mesh_side *side, int edge,
                            lode_vec3 d);
bool lode__mesh_corner_allows(const lode__mesh_query *query, const lode__mesh_side *side,
                              int corner, lode_vec3 d);

/* May a solid and a triangle touch along `m`, of unit length and into the solid, given what the
 * triangle reaches farthest with along it, `where`, as lode__triangle_nearest() says it? If not,
 * its face's normal may stand in, or the triangle beyond says what there is to say. */
typedef enum lode__mesh_answer {
    LODE__MESH_ALLOWS,
    LODE__MESH_FACE,
    LODE__MESH_NOTHING
} lode__mesh_answer;
lode__mesh_answer lode__mesh_ask(const lode__mesh_query *query, const lode__mesh_side *side,
                                 lode_vec3 m, int *out_where);

/* --- triangles that leave the word to others, mesh_left.c */

/* What a triangle said that a solid reaches through: `left` is the edge, or 3 and the corner,
 * beyond which the surface is to say more; -1: it has spoken itself. It stands in if its normal is
 * not the one along which the solid would leave it soonest. */
struct lode__mesh_word {
    lode__mesh_side side;
    lode_real depth; /* along its face's normal */
    lode_real least; /* along any direction: this one */
    lode_vec3 way;
    int left;
    bool stands_in, apart; /* apart: the solid is behind it, and does not reach it */
    int leans; /* it has spoken, but along this edge leads a little into the one beyond; or -1 */
    uint32_t first, count; /* its points */
};

/* What a triangle is about to say, given how deep the solid is in it along its face's normal, and
 * at least, which is along `m`; `where` as lode__mesh_ask() says it. False: nothing. */
bool lode__mesh_say(const lode__mesh_query *query, const lode__mesh_side *side, lode_real depth,
                    lode_real least, lode_vec3 m, lode__mesh_answer answer, int where);

/* After its points are added. */
void lode__mesh_said(const lode__mesh_query *query);

/* What is shorter than this is preferred to a way out of this depth along a face. */
static inline lode_real mesh_shorter(const lode__mesh_query *query, lode_real depth)
{
    return (depth - query->speculative * (lode_real)0.05) * (lode_real)0.95;
}

/* Adds the points of a solid with a triangle along the face's normal. */
typedef void lode__mesh_face_fn(const lode__mesh_query *query, const lode__mesh_side *side);
lode__mesh_face_fn lode__face_box;
lode__mesh_face_fn lode__face_convex;

/* After all triangles: sees to it that each that has left the word to others was answered. */
void lode__mesh_settle(const lode__mesh_query *query, lode__mesh_face_fn *face);

/* mesh_settle_capsule.c: the same of a capsule: whether what was said is so. */
void lode__mesh_settle_capsule(const lode__mesh_query *query);

/* mesh_allowed.c: of a solid without a radius, the point with a triangle along the least way out
 * that the mesh allows at its edges and corners. False: none is shorter than `most`. */
bool lode__mesh_least_allowed(const lode__mesh_query *query, const lode__mesh_side *side,
                              lode_real most, lode__mesh_point *out);

/* mesh_explain.c: after that, if a word stands in or there are no points: leaves out what triangles
 * say that stand in, where less leads out of them. */
void lode__mesh_explain(const lode__mesh_query *query);

/* mesh_short.c: after that: adds what is missing to lead the solid out of all triangles. */
void lode__mesh_complete(const lode__mesh_query *query);

/* One name for both sides of an edge, and for a corner. */
uint32_t lode__mesh_edge_feature(const lode__shape_data *surface, uint32_t triangle, int edge);
uint32_t lode__mesh_corner_feature(const lode__shape_data *surface, uint32_t triangle, int corner);

/* What is beyond an edge, seen from this side. A triangle that the gate holds back is a hole. */
static inline int side_kind(const lode__shape_data *surface, const lode__mesh_side *side, int edge)
{
    int kind = side->rim >> edge & 1 ? LODE__EDGE_FREE
                                     : surface_edge_kind(surface, side->triangle, edge);
    if (!side->back || kind == LODE__EDGE_FREE || kind == LODE__EDGE_FLAT)
        return kind;
    return kind == LODE__EDGE_CONVEX ? LODE__EDGE_CONCAVE : LODE__EDGE_CONVEX;
}

/* Across edge `edge`, out of the triangle, in its plane; unit. */
static inline lode_vec3 side_out(const lode__mesh_side *side, int edge)
{
    const lode_vec3 *v = side->t.v;
    lode_vec3 along = v3_sub(v[(edge + 1) % 3], v[edge]), out = v3_cross(along, side->n);
    /* the back's normal turns it inwards */
    if (v3_dot(out, v3_sub(v[(edge + 2) % 3], v[edge])) > 0)
        out = v3_neg(out);
    return v3_normalize_or(out, v3_zero());
}

#endif
