/* two.c: see two.h.
 *
 * Reduced points are those of a step: the cell's own method, or the clusters of a surface. All of
 * them are, of boxes and hulls, those that a step would choose from, with the same names, and the
 * deepest are found likewise, but along the axis that leads out first, preferred or not; other
 * convex solids go through the general method, which clips before it reduces; a plane gets the
 * face that looks at it, or every vertex of a hull; a surface the points of each triangle. Any one
 * is the first that is found: on a surface the walk ends there.
 *
 * Methods are asked with the margin of a step, in which their tolerances are measured, and what is
 * farther apart than was asked for is left out. */
#include "collide/two.h"

#include "collide/hull.h"
#include "collide/kernels.h"
#include "collide/pair_lanes.h"
#include "collide/touch.h"
#include "collide/touch_convex.h"
#include "collide/touch_hull.h"

static bool add(lode__two_list *list, const lode__point *point, lode_vec3 normal)
{
    return lode__two_list_add(list, &(lode__two_point){*point, normal, list->count});
}

/* --- solids */

typedef struct solids {
    const lode__two *two;
    lode_vec3 offset; /* from the centre of a to that of b */
    lode_real speculative, margin;
    lode__two_list *out;
} solids;

/* `position` is from the centre of a. */
static bool add_solid(const solids *s, lode_vec3 position, lode_real depth, uint32_t feature,
                      lode_vec3 normal)
{
    lode__point point = {
        .position = v3_add(s->two->place_a.arm, position), .depth = depth, .feature = feature};
    return !(depth > -s->margin) || add(s->out, &point, normal);
}

static bool touch_reduced(const solids *s, const lode__collide_kernels *kernels, bool any)
{
    const lode__two *two = s->two;
    lode__touch touch;
    lode__touch_solids(kernels, two->a->type, &two->place_a.view, two->b->type, &two->place_b.view,
                       s->offset, s->speculative, &touch);
    bool fits = true;
    for (int k = 0; k < touch.count && fits && !(any && s->out->count > 0); ++k)
        fits = add_solid(s, touch.position[k], touch.depth[k], touch.feature[k], touch.normal);
    return fits;
}

static lode__convex convex_of(uint32_t type, const lode__shape_view *shape)
{
    return convex_make(&lode__convex_types[type], shape->size, shape->data);
}

/* From the centre of mass. */
static bool touch_boxes(const solids *s, bool least)
{
    const lode__two *two = s->two;
    lode__pair_batch batch = {.speculative = s->speculative, .used = 1};
    lode__box_points list;
    lanes_set_pair(&batch, 0, &two->place_a.view, &two->place_b.view, s->offset, two->place_a.arm);
    lode__collide_kernels_plain.box_points(&batch, least, &list);
    bool fits = true;
    for (int k = 0; k < LODE__BOX_POINTS && fits; ++k) {
        lode__point point = {.position = lanes_get3(list.position[k], 0),
                             .depth = list.depth[k].x[0],
                             .feature = (uint32_t)list.feature[k].x[0]};
        if (list.valid[k].x[0] > 0 && point.depth > -s->margin)
            fits = add(s->out, &point, lanes_get3(list.normal, 0));
    }
    return fits;
}

/* Of a hull and another one or a box. */
static bool touch_hulls(const solids *s, const lode__collide_kernels *kernels, bool least)
{
    const lode__two *two = s->two;
    bool swapped = two->a->type == LODE_BOX;
    const lode__shape_view *one = swapped ? &two->place_b.view : &two->place_a.view;
    const lode__shape_view *other = swapped ? &two->place_a.view : &two->place_b.view;
    lode__candidate list[LODE__HULL_POINTS];
    lode_vec3 normal;
    bool fits = true;
    int count = lode__touch_hulls_all(kernels, one, other, swapped ? v3_neg(s->offset) : s->offset,
                                      s->speculative, least, &normal, list);
    for (int k = 0; k < count && fits; ++k) {
        lode_vec3 at = d3_to(list[k].position);
        fits = add_solid(s, swapped ? v3_add(at, s->offset) : at, (lode_real)list[k].depth,
                         list[k].feature, swapped ? v3_neg(normal) : normal);
    }
    return fits;
}

static bool touch_convex(const solids *s)
{
    const lode__two *two = s->two;
    lode__candidate list[LODE__TOUCH_ALL];
    lode_vec3 normal;
    bool fits = true;
    int count = lode__touch_convex_all(
        convex_of(two->a->type, &two->place_a.view), two->place_a.view.rotation,
        convex_of(two->b->type, &two->place_b.view), two->place_b.view.rotation, s->offset,
        s->speculative, &normal, list);
    for (int k = 0; k < count && fits; ++k)
        fits = add_solid(s, d3_to(list[k].position), (lode_real)list[k].depth, list[k].feature,
                         normal);
    return fits;
}

/* --- solids on planes */

/* By how much of its distance from the centre a face misses the lowest place, beyond rounding; and
 * the feature of that place, after those of faces' corners. */
#define FLAT_MISS (16 * (double)REAL_EPSILON)
enum { ROUND_LOWEST = 1 << 16 };

/* The plane seen from a solid. */
typedef struct floor_view {
    const solids *s;
    lode__convex solid;
    lode_quat rotation;
    lode_vec3 center; /* of the solid, from the centre of a */
    lode_vec3 normal; /* of the plane */
    lode_real height; /* of the solid's centre */
    bool is_a;        /* the solid */
} floor_view;

static bool add_on_floor(const floor_view *f, lode_vec3 core, uint32_t feature)
{
    lode_vec3 turned = q_rotate(f->rotation, core);
    lode_real radius = (lode_real)f->solid.radius;
    lode_real depth = radius - f->height - v3_dot(turned, f->normal);
    lode_vec3 middle = v3_madd(turned, f->normal, depth / 2 - radius);
    return add_solid(f->s, v3_add(f->center, middle), depth, feature,
                     f->is_a ? f->normal : v3_neg(f->normal));
}

static bool touch_floor(const solids *s)
{
    const lode__two *two = s->two;
    bool is_a = two->b->type == LODE_PLANE;
    const lode__shape_view *plane = is_a ? &two->place_b.view : &two->place_a.view;
    const lode__shape_view *solid = is_a ? &two->place_a.view : &two->place_b.view;
    lode_vec3 apart = is_a ? v3_neg(s->offset) : s->offset; /* from the plane's centre */
    floor_view f = {.s = s,
                    .solid = convex_of(is_a ? two->a->type : two->b->type, solid),
                    .rotation = solid->rotation,
                    .center = is_a ? v3_zero() : s->offset,
                    .normal = view_normal(plane),
                    .is_a = is_a};
    f.height = v3_dot(f.normal, apart) - plane->size[3];
    bool fits = true;
    if (f.solid.type == &lode__convex_types[LODE_HULL]) {
        const lode_hull *hull = solid->data;
        for (uint32_t v = 0; v < hull->vertex_count && fits; ++v)
            fits = add_on_floor(&f, hull->vertices[v], v + 1);
        return fits;
    }
    lode__face face;
    lode__double3 down = d3_from(q_rotate_inv(f.rotation, v3_neg(f.normal)));
    f.solid.type->face(&f.solid, down, &face);
    lode__double3 lowest = f.solid.type->support(&f.solid, down);
    double missed = d3_dot(down, lowest);
    for (int k = 0; k < face.count && fits; ++k) {
        missed = d_min(missed, d3_dot(down, d3_sub(lowest, face.point[k])));
        fits = add_on_floor(&f, d3_to(face.point[k]), face.vertex[k] + 1u);
    }
    /* a round face is told by an octagon, whose corners may all miss the deepest place */
    if (fits && missed > FLAT_MISS * d3_length(lowest))
        fits = add_on_floor(&f, d3_to(lowest), ROUND_LOWEST);
    return fits;
}

static bool touch_solids(const solids *s, const lode__collide_kernels *kernels,
                         lode_collide_choice choice)
{
    uint32_t a = s->two->a->type, b = s->two->b->type;
    bool convex_a = lode__convex_types[a].support, convex_b = lode__convex_types[b].support;
    if (choice == LODE_COLLIDE_REDUCED || choice == LODE_COLLIDE_ANY)
        return touch_reduced(s, kernels, choice == LODE_COLLIDE_ANY);
    bool box_a = a == LODE_BOX, box_b = b == LODE_BOX;
    bool least = choice == LODE_COLLIDE_DEEPEST;
    if (box_a && box_b)
        return touch_boxes(s, least);
    if ((box_a || a == LODE_HULL) && (box_b || b == LODE_HULL))
        return touch_hulls(s, kernels, least);
    if (convex_a && convex_b)
        return touch_convex(s);
    return !(convex_a || convex_b) || touch_floor(s);
}

/* --- surfaces */

static bool take_points(const lode__many_view *view, const lode__mesh_points *points,
                        lode_real margin, lode__two_list *out)
{
    for (uint32_t i = 0; i < points->count; ++i) {
        lode__point point;
        lode__many_point(view, &points->items[i], &point);
        if (point.depth > -margin &&
            !add(out, &point, lode__many_normal(view, points->items[i].normal)))
            return false;
    }
    return true;
}

static bool take_clusters(const lode__many_list *list, lode_real margin, lode__two_list *out)
{
    for (uint32_t i = 0; i < list->cluster_count; ++i)
        for (int k = 0; k < list->clusters[i].count; ++k)
            if (list->clusters[i].points[k].depth > -margin &&
                !add(out, &list->clusters[i].points[k], list->clusters[i].normal))
                return false;
    return true;
}

static bool touch_surface(const solids *s, const lode__collide_kernels *kernels,
                          lode_collide_choice choice)
{
    const lode__two *two = s->two;
    lode__pose pose_a = {.position = two->place_a.arm, .rotation = two->place_a.view.rotation};
    lode__pose pose_b = {.position = two->place_b.arm, .rotation = two->place_b.view.rotation};
    lode__many_view view = {
        .kernels = kernels,
        .a = two->a,
        .b = two->b,
        .pose_a = &pose_a,
        .pose_b = &pose_b,
        .data_a = two->place_a.view.data,
        .data_b = two->place_b.view.data,
        .apart = v3_sub(two->place_a.body, two->place_b.body),
        .offset = s->offset,
        .reach = two->reach,
        .gate_a = two->gate_a,
        .gate_b = two->gate_b,
        .materials = two->parts,
        .parts = choice == LODE_COLLIDE_DEEPEST,
        .mesh_is_a = lode__many_first_is_mesh(two->a->type, two->place_a.view.data, two->b->type,
                                              two->place_b.view.data)};
    lode__many_list list = {.pairs = NULL};
    lode__many_points(&view, s->speculative, choice == LODE_COLLIDE_ANY ? -s->margin : REAL_MAX,
                      &list.points);
    bool fits = !list.points.failed;
    if (fits && choice == LODE_COLLIDE_REDUCED) {
        lode__many_clusters(&view, s->speculative, &list);
        fits = !list.failed && take_clusters(&list, s->margin, s->out);
    } else if (fits) {
        fits = take_points(&view, &list.points, s->margin, s->out);
    }
    lode__many_list_free(&list);
    return fits;
}

/* As the narrow phase does it. */
static lode_vec3 offset_of(const lode__two *two)
{
    return v3_sub(v3_sub(two->place_b.arm, two->place_a.arm),
                  v3_sub(two->place_a.body, two->place_b.body));
}

int lode__two_tell(const lode__two *two, const lode__collide_kernels *kernels, lode_real margin,
                   lode_collide_point *out_points)
{
    lode__touch touch;
    int count = 0;
    lode__touch_solids(kernels, two->a->type, &two->place_a.view, two->b->type, &two->place_b.view,
                       offset_of(two), r_max(two->speculative, margin), &touch);
    for (int k = 0; k < touch.count; ++k)
        if (touch.depth[k] > -margin)
            out_points[count++] = (lode_collide_point){
                .position = v3_add(two->place_a.body, v3_add(two->place_a.arm, touch.position[k])),
                .normal = touch.normal,
                .depth = touch.depth[k],
                .feature = touch.feature[k],
                .child_a = -1,
                .child_b = -1};
    return count;
}

bool lode__two_touch(const lode__two *two, const lode__collide_kernels *kernels,
                     lode_collide_choice choice, lode_real margin, lode__two_list *out)
{
    solids s = {.two = two, .margin = margin, .out = out, .offset = offset_of(two)};
    s.speculative = r_max(two->speculative, margin);
    return type_is_many(two->a->type) || type_is_many(two->b->type)
               ? touch_surface(&s, kernels, choice)
               : touch_solids(&s, kernels, choice);
}

/* --- choosing */

static void move_to(lode__two_list *list, uint32_t from, uint32_t to)
{
    lode__two_point chosen = list->items[from];
    for (uint32_t i = from; i > to; --i)
        list->items[i] = list->items[i - 1];
    list->items[to] = chosen;
}

static uint32_t find_deepest(const lode__two_list *list, uint32_t from)
{
    uint32_t best = from;
    for (uint32_t i = from + 1; i < list->count; ++i)
        if (list->items[i].point.depth > list->items[best].point.depth)
            best = i;
    return best;
}

static uint32_t find_farthest(const lode__two_list *list, uint32_t chosen)
{
    uint32_t best = chosen;
    lode_real most = lode__two_list_distance(list, chosen, chosen);
    for (uint32_t i = chosen + 1; i < list->count; ++i) {
        lode_real distance = lode__two_list_distance(list, chosen, i);
        if (distance > most) {
            best = i;
            most = distance;
        }
    }
    return best;
}

uint32_t lode__two_choose(lode__two_list *list, lode_collide_choice choice, uint32_t most)
{
    uint32_t count = choice == LODE_COLLIDE_ANY ? 1 : most;
    count = count < list->count ? count : list->count;
    bool deepest = choice == LODE_COLLIDE_DEEPEST;
    bool widest = choice == LODE_COLLIDE_REDUCED && count < list->count;
    for (uint32_t k = 0; k < count && (deepest || widest); ++k)
        move_to(list, deepest || k == 0 ? find_deepest(list, k) : find_farthest(list, k), k);
    if (choice == LODE_COLLIDE_ANY && list->count > 1)
        move_to(list, find_deepest(list, 0), 0);
    return count;
}
