/* near_all.c: what is closest, of all shapes, and how far solids are apart that are none.
 *
 * Of a world's shapes the closest is found by looking around in growing boxes: all shapes whose
 * bounds lie within r of the solid are asked, and if one of them is no farther than r, no other is
 * closer. Else r doubles, or becomes the best distance so far. Which is chosen depends on distance
 * and slot alone: a shape is passed by unasked only if its bounds are farther than the best. */
#include "collide/apart.h"
#include "collide/overlap.h"
#include "world/check.h"
#include "world/query.h"
#include "world/solid.h"

/* --- what is asked: a solid, or a point */

typedef struct subject {
    lode__placed_solid solid;
    bool is_point;
    lode__aabb box;
} subject;

typedef struct found {
    uint32_t shape; /* LODE__NONE: nothing yet */
    lode_real distance;
    lode_closest closest; /* of a solid; a is the shape */
    lode_nearest nearest; /* of a point */
} found;

static subject point_subject(lode_vec3 point)
{
    return (subject){
        .solid.position = point, .is_point = true, .box = lode__make_bounds(point, v3_zero(), 0)};
}

static bool solid_subject(subject *out, const lode_solid *solid, lode_pose pose,
                          const char *function)
{
    out->is_point = false;
    if (lode__check_not_null(solid, function, "solid") ||
        lode__check_solid(&out->solid, solid, pose, function, "solid", "pose"))
        return false;
    lode__reach reach = lode__shape_types[out->solid.type].reach(&out->solid.view);
    out->box = lode__make_bounds(v3_add(out->solid.position, reach.middle), reach.half, 0);
    return true;
}

/* --- one shape */

/* From the place of a shape to a solid. */
static bool find_apart(const lode__place *place, uint32_t type, const lode__placed_solid *solid,
                       lode_closest *out)
{
    lode__apart apart;
    lode_vec3 offset = v3_sub(v3_sub(solid->position, place->body), place->arm);
    if (!lode__find_apart(type, &place->view, solid->type, &solid->view, offset, &apart))
        return false;
    *out = (lode_closest){.distance = apart.distance,
                          .normal = apart.normal,
                          .on_a = lode__to_world(place, apart.on_a),
                          .on_b = lode__to_world(place, apart.on_b)};
    return true;
}

static bool find_near(const lode__place *place, uint32_t type, lode_vec3 point, lode_nearest *out)
{
    lode__surface_point at;
    lode__nearest_fn *nearest = lode__query_types[type].nearest;
    if (!nearest)
        return false;
    lode_real distance = nearest(&place->view, lode__from_place(place, point), &at);
    *out = (lode_nearest){lode__to_world(place, at.position), at.normal, -distance};
    return r_finite(distance);
}

/* --- all shapes */

static lode_real gap_between(const lode__aabb *a, const lode__aabb *b)
{
    lode_real sum = 0;
    for (int i = 0; i < 3; ++i) {
        lode_real gap = r_max(r_max(a->lo[i] - b->hi[i], b->lo[i] - a->hi[i]), 0);
        sum += gap * gap;
    }
    return r_sqrt(sum) * (1 - 16 * REAL_EPSILON); /* no more than it is */
}

static void look_at(const lode__query *query, const subject *s, uint32_t shape, found *best)
{
    const lode__world *world = query->world;
    lode__placed placed = lode__placed_of(&world->collide, &world->bodies, shape);
    found now = {.shape = shape};
    if (lode__shape_types[placed.type].reach &&
        gap_between(&placed.bounds, &s->box) > r_max(best->distance, 0))
        return;
    if (!lode__scope_sees(&query->scope, shape))
        return;
    bool has = s->is_point ? find_near(&placed.place, placed.type, s->solid.position, &now.nearest)
                           : find_apart(&placed.place, placed.type, &s->solid, &now.closest);
    now.distance = s->is_point ? -now.nearest.depth : now.closest.distance;
    if (has &&
        (now.distance < best->distance || (now.distance == best->distance && shape < best->shape)))
        *best = now;
}

static bool holds(const lode__node *outer, const lode__node *inner)
{
    for (int i = 0; i < 3; ++i)
        if (outer->lo[i] > inner->lo[i] || outer->hi[i] < inner->hi[i])
            return false;
    return true;
}

static bool find_closest(const lode__query *query, const subject *s, lode_real reach, found *best)
{
    const lode__collide *collide = &query->world->collide;
    const lode__tree *tree = &collide->tree;
    *best = (found){.shape = LODE__NONE, .distance = reach};
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        look_at(query, s, collide->unbounded[i], best);
    lode_real r = r_min(query->world->def.length_unit / 4, reach);
    for (bool again = tree->count > 0; again;) {
        lode_real grown = r * (1 + 16 * REAL_EPSILON);
        lode__node area;
        for (int i = 0; i < 3; ++i) {
            area.lo[i] = s->box.lo[i] - grown;
            area.hi[i] = s->box.hi[i] + grown;
        }
        uint32_t cursor = 0, shape;
        while ((shape = lode__tree_next(tree, &area, &cursor)) != LODE__NONE)
            look_at(query, s, shape, best);
        again = best->distance > r && r < reach && !holds(&area, &tree->nodes[0]);
        r = best->shape != LODE__NONE ? best->distance : r_min(r * 2, reach);
    }
    return best->shape != LODE__NONE;
}

static bool begin(lode__query *query, lode_world world, const lode_query_filter *filter,
                  lode_real reach, const lode_shape *out_shape, const void *out,
                  const char *out_name, const char *function)
{
    return !lode__query_begin(query, world, filter, function) &&
           !lode__check(reach >= 0, function, "reach", "must be at least 0") &&
           !lode__check_not_null(out_shape, function, "out_shape") &&
           !lode__check_not_null(out, function, out_name);
}

bool lode_world_find_closest(lode_world world, const lode_solid *solid, lode_pose pose,
                             lode_real reach, const lode_query_filter *filter,
                             lode_shape *out_shape, lode_closest *out_closest)
{
    lode__query query;
    subject s;
    found best;
    if (out_shape)
        *out_shape = (lode_shape){0};
    if (out_closest)
        *out_closest = (lode_closest){0};
    if (!begin(&query, world, filter, reach, out_shape, out_closest, "out_closest", __func__) ||
        !solid_subject(&s, solid, pose, __func__) || !find_closest(&query, &s, reach, &best))
        return false;
    *out_shape = shape_handle(query.world, best.shape);
    *out_closest = best.closest;
    return true;
}

bool lode_world_find_nearest(lode_world world, lode_vec3 point, lode_real reach,
                             const lode_query_filter *filter, lode_shape *out_shape,
                             lode_nearest *out_nearest)
{
    lode__query query;
    found best;
    if (out_shape)
        *out_shape = (lode_shape){0};
    if (out_nearest)
        *out_nearest = (lode_nearest){0};
    if (!begin(&query, world, filter, reach, out_shape, out_nearest, "out_nearest", __func__) ||
        lode__check_vec3(point, __func__, "point"))
        return false;
    subject s = point_subject(point);
    if (!find_closest(&query, &s, reach, &best))
        return false;
    *out_shape = shape_handle(query.world, best.shape);
    *out_nearest = best.nearest;
    return true;
}

bool lode_shape_find_closest_to(lode_shape shape, const lode_solid *solid, lode_pose pose,
                                lode_closest *out_closest)
{
    lode__object o;
    subject s;
    if (lode__open_shape(&o, shape, __func__) || !solid_subject(&s, solid, pose, __func__) ||
        lode__check_not_null(out_closest, __func__, "out_closest"))
        return false;
    lode__placed placed = lode__placed_of(&o.world->collide, &o.world->bodies, o.slot);
    return !lode__check(find_apart(&placed.place, placed.type, &s.solid, out_closest), __func__,
                        "shape", "its class has no distance to such a solid");
}

/* --- solids by themselves */

static bool two_solids(lode__placed_solid out[2], const lode_solid *a, lode_pose pose_a,
                       const lode_solid *b, lode_pose pose_b, const char *function)
{
    return !lode__check_not_null(a, function, "a") && !lode__check_not_null(b, function, "b") &&
           !lode__check_solid(&out[0], a, pose_a, function, "a", "pose_a") &&
           !lode__check_solid(&out[1], b, pose_b, function, "b", "pose_b");
}

bool lode_solid_find_closest(const lode_solid *a, lode_pose pose_a, const lode_solid *b,
                             lode_pose pose_b, lode_closest *out_closest)
{
    lode__placed_solid s[2];
    if (!two_solids(s, a, pose_a, b, pose_b, __func__) ||
        lode__check_not_null(out_closest, __func__, "out_closest"))
        return false;
    lode__place place = {.view = s[0].view, .body = s[0].position, .arm = v3_zero()};
    return find_apart(&place, s[0].type, &s[1], out_closest);
}

bool lode_solid_overlaps(const lode_solid *a, lode_pose pose_a, const lode_solid *b,
                         lode_pose pose_b)
{
    lode__placed_solid s[2];
    return two_solids(s, a, pose_a, b, pose_b, __func__) &&
           lode__shapes_overlap(s[0].type, &s[0].view, s[1].type, &s[1].view,
                                v3_sub(s[1].position, s[0].position));
}
