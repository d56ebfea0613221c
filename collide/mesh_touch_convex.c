/* mesh_touch_convex.c: any convex solid on triangles, by the general methods.
 *
 * The nearest points of the solid and the triangle, or the least way out, give a direction, and
 * the mesh is asked whether it allows it (mesh_touch.h). If it does, their contact is taken as it
 * is; if the face's normal stands in, the contact along that is made by clipping.
 *
 * As with boxes, a point that clipping at a flat edge has made is left out: the surface goes on
 * there, and the solid's own corners on other triangles say all. */
#include "collide/mesh_touch.h"
#include "collide/touch_convex.h"

/* The solid's own features: where it is deepest, and its vertices from the second on. */
enum { OWN_DEEPEST = 15, OWN_VERTEX = 16 };

/* A feature of touch_convex.c between the solid and the triangle, as the mesh names it. */
static uint32_t mesh_feature(const lode__mesh_query *query, const lode__mesh_side *side,
                             uint32_t feature)
{
    uint32_t kind = feature >> 28, low = feature & (LODE__FACE_NAMES - 1);
    if (kind == LODE__TOUCH_VERTEX_A)
        return OWN_VERTEX + low;
    if (kind == LODE__TOUCH_VERTEX_B)
        return lode__mesh_corner_feature(query->surface, side->triangle, (int)low);
    if (kind == LODE__TOUCH_EDGES)
        return lode__mesh_edge_feature(query->surface, side->triangle, (int)low) |
               (feature / LODE__FACE_NAMES & 15) << 24;
    return OWN_DEEPEST;
}

/* Was it made by flat edges alone? */
static bool ends_nothing(const lode__mesh_query *query, const lode__mesh_side *side,
                         uint32_t feature)
{
    uint32_t kind = feature >> 28;
    int low = (int)(feature & (LODE__FACE_NAMES - 1));
    if (kind == LODE__TOUCH_EDGES)
        return side_kind(query->surface, side, low) == LODE__EDGE_FLAT;
    return kind == LODE__TOUCH_VERTEX_B &&
           side_kind(query->surface, side, low) == LODE__EDGE_FLAT &&
           side_kind(query->surface, side, (low + 2) % 3) == LODE__EDGE_FLAT;
}

static void add_touch(const lode__mesh_query *query, const lode__mesh_side *side,
                      const lode__touch *touch, bool by_face)
{
    for (int k = 0; k < touch->count; ++k)
        if (!by_face || !ends_nothing(query, side, touch->feature[k]))
            lode__mesh_add(query, side, touch->position[k], touch->normal, touch->depth[k],
                           mesh_feature(query, side, touch->feature[k]));
}

lode_real lode__mesh_reach_along(const lode__mesh_query *query, lode_vec3 n)
{
    lode__double3 own = d3_from(q_rotate_inv(query->rotation, n));
    if (query->other)
        return (lode_real)d3_dot(own, lode__surface_support(query->other, own));
    return (lode_real)(d3_dot(own, query->solid.type->support(&query->solid, own)) +
                       query->solid.radius);
}

static lode_real deepest_of(const lode__touch *touch)
{
    lode_real most = touch->depth[0];
    for (int k = 1; k < touch->count; ++k)
        most = r_max(most, touch->depth[k]);
    return most;
}

/* What was clipped misses where a rim crosses an edge of the triangle; but nobody leaves a
 * triangle by less than the least way out. */
static void deepen(lode__touch *touch, lode_real least)
{
    lode_real most = deepest_of(touch);
    for (int k = 0; k < touch->count && most < least; ++k)
        if (touch->depth[k] == most) {
            touch->depth[k] = least;
            return;
        }
}

/* Along the face's normal. Where the solid's lowest part is beside the triangle, `near`, what
 * touches by the least way out, says where. */
static void add_by_face(const lode__mesh_query *query, const lode__mesh_side *side,
                        const lode__convex *triangle, const lode__touch *near)
{
    lode_real whole = lode__mesh_reach_along(query, v3_neg(side->n)) - side->height;
    lode__touch touch = {.count = 0};
    lode__touch_convex_onto(query->solid, query->rotation, *triangle, q_identity(), v3_zero(),
                            side->n, query->speculative, &touch);
    if (touch.count == 0)
        lode__mesh_add(query, side, near->position[0], side->n, whole, OWN_DEEPEST);
    else
        deepen(&touch, deepest_of(near));
    add_touch(query, side, &touch, true);
}

/* By the general method; false: they are apart. */
static bool find_near(const lode__mesh_query *query, const lode__mesh_side *side,
                      lode__convex *out_triangle, lode__touch *out)
{
    *out_triangle = convex_make(&lode__convex_triangle, NULL, side->t.v);
    out->count = 0;
    lode__touch_convex(query->solid, query->rotation, *out_triangle, q_identity(), v3_zero(),
                       query->speculative, out);
    return out->count > 0;
}

void lode__face_convex(const lode__mesh_query *query, const lode__mesh_side *side)
{
    lode__convex triangle;
    lode__touch near;
    if (find_near(query, side, &triangle, &near))
        add_by_face(query, side, &triangle, &near);
}

/* A rim has no corners of its own that would be told on the triangle beyond a flat edge. */
static void note_short(const lode__mesh_query *query, uint32_t from, lode_real least)
{
    lode__mesh_points *points = query->out;
    lode_real most = 0;
    for (uint32_t i = from; i < points->count; ++i)
        most = r_max(most, points->items[i].depth);
    points->any_short |= most < least;
}

/* A solid that is behind the face as a whole does not touch its front. */
void lode__triangle_convex(const lode__mesh_query *query, const lode__mesh_side *side)
{
    lode_real depth = lode__mesh_reach_along(query, v3_neg(side->n)) - side->height;
    lode__convex triangle;
    lode__touch touch;
    int where;
    if (lode__mesh_reach_along(query, side->n) + side->height < 0 || depth <= -query->speculative ||
        !find_near(query, side, &triangle, &touch))
        return;
    lode__mesh_answer answer = lode__mesh_ask(query, side, touch.normal, &where);
    lode_real least = deepest_of(&touch);
    uint32_t from = query->out->count;
    if (!lode__mesh_say(query, side, depth, least, touch.normal, answer, where))
        return;
    if (answer == LODE__MESH_ALLOWS)
        add_touch(query, side, &touch, false);
    else if (answer == LODE__MESH_FACE)
        add_by_face(query, side, &triangle, &touch);
    note_short(query, from, least);
    lode__mesh_said(query);
}
