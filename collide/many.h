/* many.h: pairs that touch with several normals, or with more points of one than a manifold has.
 *
 * A manifold has one normal and up to four points; a shape on a mesh may need several, and so may
 * solids whose materials want more points to count (collide/narrow_all.h). Such a pair
 * keeps its first manifold for as long as it lives, as all pairs do, and the others hang behind
 * it, linked by `next`, each with at least one point. They are made and ended with the points.
 *
 * The narrow phase runs in parallel and can neither take nor give back manifolds. So a block of
 * pairs writes what it finds, grouped by normal and reduced, to a list of its own, and one pass
 * after all blocks gives each pair the manifolds it needs and carries impulses over. */
#ifndef LODE_COLLIDE_MANY_H
#define LODE_COLLIDE_MANY_H

#include "collide/deepest.h"
#include "collide/inherit.h"
#include "collide/materials.h"
#include "collide/mesh_touch.h"
#include "collide/near_list.h"
#include "core/bodies.h"
#include "core/contact.h"
#include "core/shapes.h"

struct lode__collide;

/* Points that share a normal; both as in a manifold, but without impulses. */
typedef struct lode__cluster {
    lode_vec3 normal;
    int count;
    lode__point points[LODE__MANIFOLD_POINTS];
} lode__cluster;

/* What one pair touches with. */
typedef struct lode__many_pair {
    uint32_t pair;         /* place in the array */
    uint32_t first, count; /* clusters */
    bool wants_list;       /* of triangles near it: it looked for some, and touches one */
    lode_vec3 apart;       /* of the bodies, as in a manifold */
} lode__many_pair;

/* Of one block of the narrow phase. Kept from step to step for its memory. */
typedef struct lode__many_list {
    lode__many_pair *pairs;
    lode__cluster *clusters;
    lode__mesh_points points; /* of one pair */
    lode__two_list deepest;   /* likewise, where materials limit how many count */
    lode__estates estates;    /* of all pairs of the block */
    uint32_t pair_count, pair_capacity, cluster_count, cluster_capacity;
    bool failed; /* out of memory */
} lode__many_list;

typedef struct lode__many {
    lode__many_list *lists;
    uint32_t list_capacity; /* all of which exist */
    lode__manifold *old;    /* of one pair */
    uint32_t old_capacity;
    lode__estates left_out; /* by seams */
    lode__near_lists near;
} lode__many;

void lode__many_free(lode__many *many);
size_t lode__many_bytes(const lode__many *many);

/* What consists of triangles, or asks a class. */
static inline bool type_is_many(uint32_t type)
{
    return type_is_surface(type) || type == LODE_CUSTOM;
}

/* Is the cell of the matrix one of these? */
static inline bool cell_is_many(uint32_t cell)
{
    return type_is_many(cell / LODE_SHAPE_TYPE_COUNT) || type_is_many(cell % LODE_SHAPE_TYPE_COUNT);
}

/* A pair of which one is a surface: where both are, from their bodies' centres of mass. */
typedef struct lode__many_view {
    const lode__collide_kernels *kernels;
    const lode__geometry *a, *b;
    const lode__pose *pose_a, *pose_b;
    const lode__shape_data *data_a, *data_b;
    lode_vec3 apart;  /* from b's centre of mass to a's */
    lode_vec3 offset; /* from the centre of a to that of b */
    bool mesh_is_a;
    lode_real reach; /* points with a wider gap are not asked for; 0: the speculative margin */
    lode__gate gate_a, gate_b; /* of triangles of a, of b */
    bool parts;                /* the deepest point is to lead out of the whole (mesh_part.c) */
    lode__parts materials;
    bool limited; /* to no more points than they want */
} lode__many_view;

/* Is the first shape the one that stands for the mesh? A class comes before a surface. */
bool lode__many_first_is_mesh(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                              const lode__shape_data *data_b);

/* All points of the pair, triangle by triangle; the walk ends when one is deeper than `enough`. */
void lode__many_points(const lode__many_view *view, lode_real speculative, lode_real enough,
                       lode__mesh_points *out);

/* Groups and reduces the points of the list, which are used up by it. Points of one cluster are of
 * one pair of materials. */
void lode__many_clusters(const lode__many_view *view, lode_real speculative, lode__many_list *list);

/* many_limit.c: where clusters from number `first` on have as many points as their materials want,
 * leaves of the list's points of these materials the deepest. True: there are fewer now, and they
 * are to be grouped again. */
bool lode__many_limit(const lode__many_view *view, lode_real speculative, lode__many_list *list,
                      uint32_t first);

/* The materials of a point, of a and b. */
static inline uint64_t many_materials(const lode__many_view *v, const lode__mesh_point *p)
{
    uint32_t mesh = p->triangle + 1, a = v->mesh_is_a ? mesh : p->other;
    uint32_t b = v->mesh_is_a ? p->other : mesh;
    return (uint64_t)material_at(v->materials.table, v->materials.a, v->data_a, a) << 32 |
           material_at(v->materials.table, v->materials.b, v->data_b, b);
}

/* One of the points, as in a manifold but for impulses; its normal. */
void lode__many_point(const lode__many_view *view, const lode__mesh_point *point, lode__point *out);
lode_vec3 lode__many_normal(const lode__many_view *view, lode_vec3 normal);

void lode__many_list_free(lode__many_list *list);

/* One more pair, without clusters, whose number among the pairs this is; one more cluster, without
 * points. Null: out of memory, which the list notes. */
lode__many_pair *lode__many_add_pair(lode__many_list *list, uint32_t pair);
lode__cluster *lode__many_add_cluster(lode__many_list *list);

/* Lists for so many blocks, empty. False: out of memory. */
bool lode__many_begin(lode__many *many, uint32_t blocks);

/* --- pairs of a block, many_flow.c */

/* So many wait for each other, and no more than so many triangles of theirs. */
enum { LODE__FLOW_PAIRS = 12, LODE__FLOW_TRIANGLES = 128 };

/* So many faces of theirs are clipped together; others one by one. */
enum { LODE__FLOW_CUTS = 48 };

/* A solid whose triangles are from `begin` to `end`. */
typedef struct lode__many_waiting {
    lode__many_view view;
    lode__mesh_query query;
    lode__solid_lines lines;
    lode__near_list *near; /* or null */
    uint32_t pair, begin, end;
} lode__many_waiting;

typedef struct lode__many_flow {
    const struct lode__collide *collide; /* null: pairs are the caller's own */
    const lode__pool *bodies;
    lode_real speculative;
    lode__many_list *list;
    uint32_t type, triangle_count; /* of the solids that wait */
    int count;
    lode__many_waiting waiting[LODE__FLOW_PAIRS];
    uint32_t triangles[LODE__FLOW_TRIANGLES];
    const lode__solid_lines *solids[LODE__FLOW_TRIANGLES];
    lode__triangle_batch batches[LODE__FLOW_TRIANGLES / LODE_LANES];
    uint32_t cut_count, cut_triangles[LODE__FLOW_CUTS]; /* by their places above */
    lode__face_cut cuts[LODE__FLOW_CUTS];
} lode__many_flow;

void lode__many_flow_begin(lode__many_flow *flow, const struct lode__collide *collide,
                           const lode__pool *bodies, lode_real speculative, lode__many_list *list);

/* Computes pair number `pair`, at the latest when the flow is flushed, or says that it is apart.
 * On any thread. */
void lode__many_touch(lode__many_flow *flow, uint32_t pair);
void lode__many_part(lode__many_flow *flow, uint32_t pair);

/* The same of a pair of the caller's own, by what it is told of it; the poses that the view names,
 * and the list, which may be null, stay until the flow is flushed. False, and nothing has been
 * done: it is none of those that wait for each other. */
bool lode__many_touch_view(lode__many_flow *flow, const lode__many_view *view, uint32_t pair,
                           lode__near_list *near);
void lode__many_flush(lode__many_flow *flow);

/* Gives the pairs of all lists their manifolds, and notes estates for those who inherit. False:
 * out of memory, all pairs as they were. */
bool lode__many_finish(struct lode__collide *collide, const lode__pool *bodies, uint32_t blocks,
                       bool inherits);

/* --- chains of manifolds */

/* Gives back the pair's manifolds. */
void lode__many_remove(struct lode__collide *collide, uint32_t first);

/* The manifold in a slot, and in *slot the one behind it, or LODE__NONE. Null at the end. */
lode__manifold *lode__many_next(const struct lode__collide *collide, uint32_t *slot);

#endif
