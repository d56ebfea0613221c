/* near.c: points, overlaps and distances.
 *
 * Overlaps come from the tree in no order; those with the smallest slots are kept in the caller's
 * array as a heap, which is sorted at the end. What the tree shows is asked again with the shape's
 * own bounds, so fat bounds decide nothing. */
#include "collide/apart.h"
#include "collide/custom.h"
#include "core/heap.h"
#include "world/check.h"
#include "world/collide_two.h"
#include "world/query.h"

/* --- points */

bool lode_shape_find_nearest(lode_shape shape, lode_vec3 point, lode_nearest *out_nearest)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__) || lode__check_vec3(point, __func__, "point") ||
        lode__check_not_null(out_nearest, __func__, "out_nearest"))
        return false;
    uint32_t type = SHAPE(s.world, geometry, s.slot)->type;
    lode__nearest_fn *nearest = lode__query_types[type].nearest;
    if (lode__check(nearest != NULL, __func__, "shape", "has no inside"))
        return false;
    lode__place place = lode__place_of(&s.world->collide, &s.world->bodies, s.slot);
    lode__surface_point at;
    lode_real distance = nearest(&place.view, lode__from_place(&place, point), &at);
    /* that of other shapes may overflow */
    if (lode__check(type != LODE_CUSTOM || r_finite(distance), __func__, "shape",
                    "its class has no collider for points"))
        return false;
    *out_nearest = (lode_nearest){
        .position = lode__to_world(&place, at.position), .normal = at.normal, .depth = -distance};
    return true;
}

/* --- overlaps */

typedef struct overlap {
    const lode__query *query;
    lode__aabb box;
    lode_vec3 center; /* of a sphere */
    lode_real radius; /* below 0: the box itself is asked about */
    lode__heap found;
} overlap;

static bool slot_before(const void *a, const void *b)
{
    return id_slot(((const lode_shape *)a)->id) < id_slot(((const lode_shape *)b)->id);
}

/* The corner of the box that is deepest in the half-space. */
static lode_vec3 lowest_corner(const lode__aabb *box, lode_vec3 normal)
{
    return v3(normal.x > 0 ? box->lo[0] : box->hi[0], normal.y > 0 ? box->lo[1] : box->hi[1],
              normal.z > 0 ? box->lo[2] : box->hi[2]);
}

static bool is_near(const lode__place *place, uint32_t type, lode_vec3 point, lode_real reach)
{
    lode__surface_point at;
    lode__nearest_fn *nearest = lode__query_types[type].nearest;
    return nearest && nearest(&place->view, lode__from_place(place, point), &at) <= reach;
}

static bool class_overlaps(const lode__place *place, const lode__aabb *box)
{
    lode_vec3 lo = v3(box->lo[0], box->lo[1], box->lo[2]);
    lode_vec3 half = v3_scale(v3_sub(v3(box->hi[0], box->hi[1], box->hi[2]), lo), (lode_real)0.5);
    lode_vec3 from_box = v3_neg(lode__from_place(place, v3_add(lo, half)));
    return lode__custom_overlaps_box(&place->view, from_box, half);
}

static bool overlaps(const overlap *o, uint32_t shape)
{
    const lode__world *world = o->query->world;
    uint32_t type = SHAPE(world, geometry, shape)->type;
    lode__place place = lode__place_of(&world->collide, &world->bodies, shape);
    if (o->radius >= 0)
        return is_near(&place, type, o->center, o->radius);
    if (!lode__shape_types[type].reach) {
        const lode_real *n = place.view.size;
        lode_vec3 normal = q_rotate(place.view.rotation, v3(n[0], n[1], n[2]));
        return is_near(&place, type, lowest_corner(&o->box, normal), 0);
    }
    lode__aabb bounds = lode__bounds_at(&place, type);
    return boxes_overlap(&bounds, &o->box) &&
           (type != LODE_CUSTOM || class_overlaps(&place, &o->box));
}

static void look_at(overlap *o, uint32_t shape)
{
    lode_shape handle = shape_handle(o->query->world, shape);
    if (overlaps(o, shape) && lode__scope_sees(&o->query->scope, shape))
        lode__heap_offer(&o->found, &handle);
}

static int find_overlaps(overlap *o, lode_shape *out_shapes, int capacity)
{
    const lode__collide *collide = &o->query->world->collide;
    const lode__aabb *box = &o->box;
    lode__node area = {.lo = {box->lo[0], box->lo[1], box->lo[2]},
                       .hi = {box->hi[0], box->hi[1], box->hi[2]}};
    uint32_t cursor = 0, shape;
    o->found = (lode__heap){.items = (char *)out_shapes,
                            .size = sizeof *out_shapes,
                            .before = slot_before,
                            .capacity = capacity};
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        look_at(o, collide->unbounded[i]);
    while ((shape = lode__tree_next(&collide->tree, &area, &cursor)) != LODE__NONE)
        look_at(o, shape);
    lode__heap_sort(&o->found);
    return o->found.offered;
}

int lode_world_overlap_bounds(lode_world world, lode_bounds bounds, const lode_query_filter *filter,
                              lode_shape *out_shapes, int capacity)
{
    lode__query query;
    lode_vec3 lo = bounds.lower, hi = bounds.upper;
    if (lode__query_begin(&query, world, filter, __func__) ||
        lode__check_vec3(lo, __func__, "bounds") || lode__check_vec3(hi, __func__, "bounds") ||
        lode__check(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z, __func__, "bounds",
                    "lower must not be above upper") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    overlap o = {
        .query = &query, .box = {{lo.x, lo.y, lo.z, 0}, {hi.x, hi.y, hi.z, 0}}, .radius = -1};
    return find_overlaps(&o, out_shapes, capacity);
}

static int find_in_sphere(const lode__query *query, lode_vec3 center, lode_real radius,
                          lode_shape *out_shapes, int capacity)
{
    overlap o = {.query = query,
                 .box = lode__make_bounds(center, v3(radius, radius, radius), 0),
                 .center = center,
                 .radius = radius};
    return find_overlaps(&o, out_shapes, capacity);
}

int lode_world_overlap_sphere(lode_world world, lode_vec3 center, lode_real radius,
                              const lode_query_filter *filter, lode_shape *out_shapes, int capacity)
{
    lode__query query;
    if (lode__query_begin(&query, world, filter, __func__) ||
        lode__check_vec3(center, __func__, "center") ||
        lode__check(is_at_least(radius, 0), __func__, "radius", "must be finite, at least 0") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    return find_in_sphere(&query, center, radius, out_shapes, capacity);
}

int lode_world_overlap_point(lode_world world, lode_vec3 point, const lode_query_filter *filter,
                             lode_shape *out_shapes, int capacity)
{
    lode__query query;
    if (lode__query_begin(&query, world, filter, __func__) ||
        lode__check_vec3(point, __func__, "point") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    return find_in_sphere(&query, point, 0, out_shapes, capacity);
}

/* --- distances */

bool lode_shape_find_closest(lode_shape a, lode_shape b, lode_closest *out_closest)
{
    lode__object s[2];
    lode__apart apart;
    lode__place place[2];
    uint32_t type[2];
    bool turn = shapes_turn(a, b);
    if (lode__open_shape(&s[turn], a, __func__) || lode__open_shape(&s[!turn], b, __func__) ||
        lode__check_not_null(out_closest, __func__, "out_closest"))
        return false;
    for (int i = 0; i < 2; ++i) {
        type[i] = SHAPE(s[i].world, geometry, s[i].slot)->type;
        place[i] = lode__place_of(&s[i].world->collide, &s[i].world->bodies, s[i].slot);
    }
    lode_vec3 offset = v3_sub(v3_add(v3_sub(place[1].body, place[0].body), place[1].arm),
                              place[0].arm);
    if (lode__check(
            lode__find_apart(type[0], &place[0].view, type[1], &place[1].view, offset, &apart),
            __func__, "b", "the two shapes have no distance"))
        return false;
    lode_vec3 on[2] = {lode__to_world(&place[0], apart.on_a),
                       lode__to_world(&place[0], apart.on_b)};
    *out_closest = (lode_closest){.distance = apart.distance,
                                  .normal = turn ? v3_neg(apart.normal) : apart.normal,
                                  .on_a = on[turn],
                                  .on_b = on[!turn]};
    return true;
}
