/* many_touch.h: the steps in which a solid is held against the triangles of a surface, for those
 * who take several pairs together (many_flow.c). In this order:
 *
 *     lode__many_look        where both shapes are
 *     lode__many_ask         the solid in the surface's axes
 *     lode__many_near        which triangles come near it; lode__many_narrow: all of that but the
 *                            box in the surface's axes, and the way down the tree
 *     lode__many_lane        what a kernel has found about one of them, for each in their order
 *     lode__many_settle      what triangles have left to each other
 *     lode__many_whole       what the surface as a whole says */
#ifndef LODE_COLLIDE_MANY_TOUCH_H
#define LODE_COLLIDE_MANY_TOUCH_H

#include "collide/many.h"
#include "collide/pairs.h"

/* How solids of a type touch triangles. */
typedef struct lode__triangle_row {
    lode__triangle_fn *touch; /* one triangle after another */
    lode__lane_fn *lane;      /* or eight at a time, by this kernel */
    lode__mesh_face_fn *face; /* null: none leaves the word to others */
    lode__triangle_kind kind;
    lode_vec3 (*extents)(const lode_real *size); /* with a kernel: half a box's around its centre */
    bool cuts; /* its faces are clipped by a kernel where they decide */
} lode__triangle_row;

extern const lode__triangle_row lode__triangle_rows[LODE_SHAPE_TYPE_COUNT];

void lode__many_look(lode__many_view *v, const struct lode__collide *collide,
                     const lode__pool *bodies, const lode__pair *pair);
void lode__many_ask(lode__mesh_query *query, const lode__many_view *v, lode_real speculative,
                    lode__mesh_points *out);
void lode__many_near(const lode__mesh_query *query, uint32_t type, lode__mesh_near *out);
void lode__many_narrow(const lode__mesh_query *query, uint32_t type, lode__mesh_near *out);
void lode__many_lane(const lode__mesh_query *query, lode__lane_fn *touch, uint32_t triangle,
                     const lode__triangle_batch *batch, int lane);
void lode__many_settle(const lode__mesh_query *query, lode__mesh_face_fn *face);
void lode__many_whole(const lode__mesh_query *query, uint32_t type);

static inline void mesh_words_begin(lode__mesh_points *points)
{
    points->word_count = 0;
    points->any_left = points->any_stands_in = points->any_short = points->silent.any = false;
}

#endif
