/* kernels.h: the table of collision kernels that each instruction set exports.
 *
 * A batch is eight pairs, lane-interleaved. Unused lanes hold any finite boxes; what comes out of
 * them is ignored. */
#ifndef LODE_COLLIDE_KERNELS_H
#define LODE_COLLIDE_KERNELS_H

#include "collide/hull_axes.h"
#include "collide/mesh.h"
#include "core/contact.h"
#include "core/lines.h"
#include "lode/collide.h"

typedef struct lode__lanes {
    _Alignas(LODE__LINE_ALIGN) lode_real x[LODE_LANES];
} lode__lanes;

/* Where eight pairs lie in memory: [0] of a, [1] of b, as the pair has them. Four reals at each
 * address are read, or two times four of a pose; they need no alignment. */
typedef struct lode__pair_sources {
    const lode_real *size[2][LODE_LANES];  /* as in lode__geometry */
    const lode__lanes *sizes;              /* the same, four of a and four of b, or null */
    const lode_real *body[2][LODE_LANES];  /* the body's lode__pose */
    /* a lode__pose: the shape's centre from its body's centre of mass, and its rotation, both in
     * world axes */
    const lode_real *place[2][LODE_LANES];
    uint32_t name[LODE_LANES];             /* the caller's, of each pair */
    int used;      /* lanes that count, from the first on; the others may be read */
    bool swapped;  /* the kernel takes the shapes the other way round */
    bool centered; /* every shape lies in the middle of its body and turns with it: no places */
} lode__pair_sources;

/* Where in a pose, in reals, the rotation begins. */
enum { LODE__POSE_TURN = offsetof(lode__pose, rotation) / sizeof(lode_real) };

/* What pairs are asked for apart from any step, and where it goes. */
typedef struct lode__lane_ask {
    bool any;              /* one point is enough */
    lode_real margin;      /* points of depth above -margin */
    lode_real speculative; /* at least that, and at least a step's */
    lode_collide_point
        *points; /* those of pair i begin at i * capacity; may be null if that is 0 */
    int *counts; /* of pair i; with capacity 0, how many there are */
    int capacity;
} lode__lane_ask;

static inline lode_collide_point *lane_points(const lode__lane_ask *ask, uint32_t pair)
{
    return ask->capacity > 0 ? ask->points + (size_t)pair * (size_t)ask->capacity : NULL;
}

/* Eight pairs of shapes, the types of a and b being the same in all of them. Lengths in m, vectors
 * in world axes. */
typedef struct lode__pair_batch {
    /* in */
    lode__lanes size_a[4], size_b[4];         /* as in lode__geometry */
    lode__lanes rotation_a[4], rotation_b[4]; /* w x y z, unit */
    lode__lanes offset[3];                    /* centre of b from centre of a */
    lode__lanes arm[3];                       /* centre of a from a's centre of mass */
    lode__lanes apart[3];     /* from b's centre of mass to a's, as the pair has them; only kept */
    lode_real speculative;                    /* points with a wider gap are left out */
    int used;     /* lanes that count, from the first on */
    bool swapped; /* a and b are exchanged: `arm` and what comes out are those of b */

    /* out */
    lode__lanes count;                              /* points, 0..4; of box_way, that */
    lode__lanes normal[3];                          /* into a */
    lode__lanes position[LODE__MANIFOLD_POINTS][3]; /* from the centre of mass */
    lode__lanes depth[LODE__MANIFOLD_POINTS];
    lode__lanes feature[LODE__MANIFOLD_POINTS]; /* a small whole number */
} lode__pair_batch;

/* The pairs that one kernel does from beginning to end: text and function, place in the table, how
 * many points there may be. Those of two types may have them the other way round. */
#define LODE__TOUCH_MIXED(X) \
    X(sphere_plane, SPHERE_PLANE, 1) \
    X(sphere_box, SPHERE_BOX, 1) \
    X(sphere_capsule, SPHERE_CAPSULE, 1) \
    X(box_plane, BOX_PLANE, 4) \
    X(capsule_plane, CAPSULE_PLANE, 2) \
    X(capsule_box, CAPSULE_BOX, 3) \
    X(cylinder_plane, CYLINDER_PLANE, 4)
#define LODE__TOUCH_ALIKE(X) \
    X(sphere_sphere, SPHERE_SPHERE, 1) \
    X(box_box, BOX_BOX, 4) \
    X(capsule_capsule, CAPSULE_CAPSULE, 3)
#define LODE__TOUCH_KERNELS(X) LODE__TOUCH_ALIKE(X) LODE__TOUCH_MIXED(X)

#define LODE__TOUCH_ROW(text, NAME, MOST) LODE__TOUCH_##NAME,
#define LODE__TOUCH_MOST_ROW(text, NAME, MOST) LODE__MOST_##NAME = MOST,
typedef enum lode__touch_kind {
    LODE__TOUCH_KERNELS(LODE__TOUCH_ROW) LODE__TOUCH_KINDS
} lode__touch_kind;
enum { LODE__TOUCH_KERNELS(LODE__TOUCH_MOST_ROW) };
#undef LODE__TOUCH_ROW
#undef LODE__TOUCH_MOST_ROW

typedef void lode__batch_fn(lode__pair_batch *batch);

/* The points of all pairs of `count` records, which lie `pitch` bytes apart, all centered or not,
 * and how many; straight to where the caller wants them. There is room for all that the kernel may
 * find, and `any` is false. */
typedef void lode__tell_fn(const lode__pair_sources *from, uint32_t count, size_t pitch,
                           const lode__lane_ask *ask);

/* The same of one pair of shapes that lie in the middle of their bodies, whose addresses are as
 * lode__pair_sources has them. Returns how many points there are. */
typedef int lode__tell_one_fn(const lode_real *size_a, const lode_real *body_a,
                              const lode_real *size_b, const lode_real *body_b,
                              lode_real speculative, lode_real margin, lode_collide_point *out);

/* Which of eight pairs of centered boxes are not apart along the normal of any face, a bit for
 * each: all that touch, and few others. */
typedef unsigned lode__boxes_near_fn(const lode__pair_sources *from, lode_real speculative);

/* All points of eight pairs of boxes, in the order in which some of them are chosen from. */
enum { LODE__BOX_POINTS = 12 };
typedef struct lode__box_points {
    lode__lanes normal[3];                     /* into a */
    lode__lanes position[LODE__BOX_POINTS][3]; /* from the centre of mass */
    lode__lanes depth[LODE__BOX_POINTS];
    lode__lanes feature[LODE__BOX_POINTS]; /* a small whole number */
    lode__lanes valid[LODE__BOX_POINTS];   /* 0: there is none */
} lode__box_points;

/* Those along the axis that a step prefers; or, if `least`, along the best, but for rounding. */
typedef void lode__box_points_fn(const lode__pair_batch *batch, bool least, lode__box_points *out);

/* Eight triangles, each with a shape, all of one type: all of one shape, or of several. In the axes
 * of the surface that the triangles are of, from the shape's centre. */
typedef struct lode__triangle_batch {
    /* in */
    lode__lanes size[3];    /* as in lode__geometry */
    lode__lanes axis[3][3]; /* of the shape, unit */
    lode__lanes v[3][3];    /* corners, which turn left seen from the front */
    lode_real speculative;  /* what is farther apart does not touch */
    bool two_sided;         /* the shape is on the side that its centre is on, else in front */
    int used;               /* lanes that count, from the first on */

    /* out */
    lode__lanes normal[3], height; /* of that side; of the centre above it */
    lode__lanes back;              /* 1: that is the back */
    lode__lanes touches;           /* not 0; the rest is set only there; of capsules, what may */
    lode__lanes m[3], depth, what; /* of spheres and boxes: see their kernels */
    lode__lanes wide[2], wide_cut[2], on[2], on_cut[2]; /* of capsules */
    lode__lanes edge_s[3], edge_t[3];
} lode__triangle_batch;

/* A solid near a surface, in whose axes all is: lines of four numbers. */
typedef struct lode__solid_lines {
    lode_real center[4];
    lode_real axis[3][4]; /* unit, and one of its sizes each, as in lode__geometry */
} lode__solid_lines;

/* How much deeper a box must be along a triangle's normal than along another axis for that to be
 * taken, of the speculative margin. */
#define LODE__AXIS_MARGIN ((lode_real)0.05)

/* Faces of boxes clipped against triangles. How far beyond an edge of the triangle its face still
 * counts, of the speculative margin. */
#define LODE__FACE_MARGIN ((lode_real)0.05)

enum { LODE__FACE_CORNERS = 7 }; /* at most: four, and one more for each plane */

/* What makes the name of a corner: that of the corner of the box that it is or was cut from, 1..8,
 * the plane that made it, from 1 on, the one that had made that one, and whether it is made after
 * it, times these. */
enum { LODE__FACE_PLANE = 16, LODE__FACE_BEFORE = 64, LODE__FACE_ENTERS = 256 };

typedef struct lode__face_corner {
    lode_vec3 position; /* midway between the surfaces */
    lode_real depth;
    uint32_t how;
} lode__face_corner;

typedef struct lode__face_cut {
    int count; /* of those that are near enough; -1: look by yourself */
    lode__face_corner corners[LODE__FACE_CORNERS];
} lode__face_cut;

#define LODE__TRIANGLE_KERNELS(X) \
    X(sphere_triangle, SPHERE) \
    X(capsule_triangle, CAPSULE) \
    X(box_triangle, BOX)

#define LODE__TRIANGLE_ROW(text, NAME) LODE__TRIANGLE_##NAME,
typedef enum lode__triangle_kind {
    LODE__TRIANGLE_KERNELS(LODE__TRIANGLE_ROW) LODE__TRIANGLE_KINDS
} lode__triangle_kind;
#undef LODE__TRIANGLE_ROW

typedef void lode__triangle_batch_fn(lode__triangle_batch *batch);

/* What decides about a box and a triangle: `what` is one of these, BY_BOX + axis of the box, or
 * BY_EDGES + 3 axis + edge of the triangle. */
enum { LODE__BOX_BY_FACE = -1, LODE__BOX_BY_BOX = 0, LODE__BOX_BY_EDGES = 3 };

/* Parts of a capsule that may touch: its axis is above the face, or just beside it, or near an
 * edge, from this bit on. */
enum { LODE__CAPSULE_ON = 1, LODE__CAPSULE_BESIDE = 2, LODE__CAPSULE_EDGE = 4 };

/* What decides about a pair of boxes. */
enum { LODE__BOXES_APART, LODE__BOXES_BY_FACE, LODE__BOXES_BY_EDGES, LODE__BOX_WAYS };

struct lode__placed; /* collide/place.h */
struct lode__shape_view;
struct lode__line_set; /* collide/query_type.h */
struct lode__span;
struct lode__part_hit;
struct lode__surface_point;
struct lode__slabs;  /* collide/tree_cast.h */
struct lode__wide_tree;

/* So few rays of eight go on one by one. */
enum { LODE__FEW_RAYS = 2 };

/* Are more than a few of eight bits set? Without a call that a processor without such an
 * instruction would need. */
static inline bool lanes_are_many(unsigned lanes)
{
    unsigned pairs = lanes - (lanes >> 1 & 0x55), fours = (pairs & 0x33) + (pairs >> 2 & 0x33);
    return (fours & 15) + (fours >> 4) > LODE__FEW_RAYS;
}

/* Eight rays, as lode__slabs of collide/tree_cast.h has one. */
typedef struct lode__ray_batch {
    bool alike; /* they begin near each other and have a direction, and its signs, in common */
    lode__lanes origin[3], inverse[3];
    lode__lanes most; /* how far each is followed; below 0: not at all */
    uint8_t near[3], far[3]; /* of rays that are alike */
    const struct lode__slabs *slabs[LODE_LANES]; /* the same, one by one */
} lode__ray_batch;

/* Looks at a shape whose bounds are entered at `enter` and says how far to look from now on, at
 * most `most`; below 0 ends the walk. */
typedef lode_real lode__placed_fn(void *context, const struct lode__placed *placed, lode_real enter,
                                  lode_real most);

/* Looks at a shape whose bounds some of the rays enter, a bit for each, and shortens the rays. */
typedef void lode__placed_batch_fn(void *context, const struct lode__placed *placed, unsigned lanes,
                                   const lode__lanes *enter);

typedef struct lode__collide_kernels {
    lode_simd simd;
    /* Fills in what a batch reads, but for its last three entries, which it needs. */
    void (*gather)(const lode__pair_sources *from, lode__pair_batch *batch);
    /* Which of the rays enter the box, eight reals from its lower corner on, a bit for each lane;
     * and where. */
    unsigned (*enter_box)(const lode__ray_batch *batch, const lode_real *box,
                          lode__lanes *out_enter);
    /* As lode__span_box() of each of the lines: a bit for those that run through the box. */
    unsigned (*span_boxes)(const struct lode__shape_view *box, const struct lode__line_set *lines,
                           struct lode__span *out_spans);
    /* All shapes whose bounds are entered within `most`. */
    void (*walk)(const struct lode__wide_tree *wide, const struct lode__slabs *slabs,
                 lode_real most, lode__placed_fn *look, void *context);
    void (*walk_batch)(const struct lode__wide_tree *wide, const lode__ray_batch *batch,
                       lode__placed_batch_fn *look, void *context);
    /* As lode__mesh_ray(). */
    void (*mesh_ray)(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                     lode_real length, lode__part_hit_fn *hear, void *context);
    /* Each of the rays hears of the hits that it hears of alone. */
    void (*mesh_rays)(const lode__mesh *mesh, const lode__mesh_rays *rays,
                      lode__part_hits_fn *hear, void *context);
    /* As lode__end_mesh() of the hits whose bits are set; of those that it returns it says nothing,
     * since their triangles are too small or too large. */
    unsigned (*mesh_ends)(const struct lode__shape_view *shape, const struct lode__part_hit *hits,
                          unsigned lanes, struct lode__surface_point *out);
    /* Lists the next triangles that come into the box; false: there are no more. */
    bool (*mesh_near)(lode__mesh_near *near);
    /* Of triangles that are listed, in their order, leaves those that it would list. */
    void (*mesh_sift)(lode__mesh_near *near);
    /* Of a list that is kept, before it is sifted. */
    void (*mesh_leeway)(lode__mesh_near *near, lode__near_leeway *out);
    /* Eight triangles of a mesh, each with a solid, into a batch but for its last three entries. */
    void (*gather_triangles)(const lode__mesh *mesh, const uint32_t *triangles,
                             const lode__solid_lines *const *solids, lode__triangle_batch *batch);
    /* Eight faces of boxes against triangles, given all but the last entries of a batch from
     * `touches` on. */
    void (*cut_faces)(const lode__triangle_batch *batch, lode__face_cut out[LODE_LANES]);
    lode__boxes_near_fn *boxes_near;
    lode__batch_fn *box_way;         /* of boxes; writes only to `count` which of the above */
    lode__box_points_fn *box_points; /* of pairs of boxes, before some are chosen */
    lode__batch_fn *touch[LODE__TOUCH_KINDS];
    lode__tell_fn *tell[LODE__TOUCH_KINDS];
    /* [1]: the kernel takes them the other way round; null of two alike. In double precision null
     * but for the plain table: see lode__tell_one_of(). */
    lode__tell_one_fn *const (*tell_one)[2];
    lode__hull_axis_fn *hull_axis; /* hull_axes.inl */
    lode__hull_best_axis_fn *hull_best_axis;
    lode__triangle_batch_fn *triangle[LODE__TRIANGLE_KINDS];
} lode__collide_kernels;

extern const lode__collide_kernels lode__collide_kernels_plain;
extern const lode__collide_kernels lode__collide_kernels_sse2;
extern const lode__collide_kernels lode__collide_kernels_avx2;
extern const lode__collide_kernels lode__collide_kernels_avx512;
extern const lode__collide_kernels lode__collide_kernels_neon;

/* Of double precision the plain one serves all: vectors take two registers. */
static inline lode__tell_one_fn *lode__tell_one_of(const lode__collide_kernels *kernels,
                                                   lode__touch_kind kind, bool swapped)
{
#ifdef LODE_DOUBLE
    kernels = &lode__collide_kernels_plain;
#endif
    return kernels->tell_one[kind][swapped];
}

/* The table of an instruction set that this build has; null for one it has not. */
const lode__collide_kernels *lode__collide_kernels_for(lode_simd simd);

#endif
