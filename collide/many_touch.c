/* many_touch.c: what a pair with many manifolds touches with.
 *
 * 1. The mesh, or height field, is asked for the triangles in the shape's box, and each adds points,
 *    spheres, boxes and capsules looking at eight at a time; other meshes and planes have methods of
 *    their own. Of a mesh and a field, the field is asked.
 * 2. The deepest point that is in no cluster begins one with its normal, and all whose normals are
 *    within six degrees of it come in.
 * 3. A cluster keeps four points: the deepest, the farthest from it, the farthest from their line, and
 *    the farthest on the other side of that; so the deepest and the widest. Candidates that are equal
 *    but for rounding count as equal, and those named by the shape alone come first: a box on a flat
 *    mesh keeps its four corners. If the deepest is not among the four, the deepest of these has its
 *    depth. */
#include "collide/collide.h"
#include "collide/custom.h"
#include "collide/shape_type.h"
#include "collide/touch.h"
#include "collide/triangle_lanes.h"
#include "core/memory.h"

/* Cosine of the angle between normals of one cluster. */
#define ALIKE ((lode_real)0.995)

/* Of the speculative margin: how much deeper, or farther apart, points must be to differ. */
#define DEEPER ((lode_real)0.05)

/* How much farther out, as a factor. */
#define WIDER ((lode_real)1.02)

typedef struct triangle_row {
    lode__triangle_fn *touch; /* one triangle after another */
    lode__lane_fn *lane;      /* or eight at a time, by this kernel */
    lode__triangle_kind kind;
    lode__mesh_face_fn *face; /* null: none leaves the word to others */
} triangle_row;

static const triangle_row functions[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE] = {NULL, lode__lane_sphere, LODE__TRIANGLE_SPHERE, NULL},
    [LODE_BOX] = {NULL, lode__lane_box, LODE__TRIANGLE_BOX, lode__face_box},
    [LODE_CAPSULE] = {NULL, lode__lane_capsule, LODE__TRIANGLE_CAPSULE, NULL},
    [LODE_CYLINDER] = {lode__triangle_convex, NULL, 0, lode__face_convex},
    [LODE_HULL] = {lode__triangle_convex, NULL, 0, lode__face_convex},
    [LODE_CUSTOM] = {lode__triangle_convex, NULL, 0, lode__face_convex},
};

/* --- the pair */

bool lode__many_first_is_mesh(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                              const lode__shape_data *data_b)
{
    lode_custom_collide_fn *none;
    bool custom = type_a == LODE_CUSTOM || type_b == LODE_CUSTOM;
    if (custom && !lode__custom_is_on_surface(type_a, data_a, type_b, data_b))
        return lode__custom_select(type_a, data_a, type_b, data_b, &none);
    return type_a == LODE_HEIGHTFIELD || (type_a == LODE_MESH && type_b != LODE_HEIGHTFIELD);
}

static lode__many_view view_pair(const lode__collide *collide, const lode__pool *bodies,
                                 const lode__pair *pair)
{
    const lode__pool *shapes = &collide->shapes;
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    lode__many_view v = {
        .kernels = collide->kernels,
        .a = LODE__AT(shape, shapes, geometry, a),
        .b = LODE__AT(shape, shapes, geometry, b),
        .pose_a = LODE__AT(shape, shapes, pose, a),
        .pose_b = LODE__AT(shape, shapes, pose, b),
        .data_a = *LODE__AT(shape, shapes, data, a),
        .data_b = *LODE__AT(shape, shapes, data, b),
    };
    v.apart = v3_sub(LODE__AT(body, bodies, pose, v.a->body)->position,
                     LODE__AT(body, bodies, pose, v.b->body)->position);
    v.offset = v3_sub(v3_sub(v.pose_b->position, v.pose_a->position), v.apart);
    v.mesh_is_a = lode__many_first_is_mesh(v.a->type, v.data_a, v.b->type, v.data_b);
    v.gate_a = lode__gate_of(collide, a, b);
    v.gate_b = lode__gate_of(collide, b, a);
    return v;
}

/* --- triangles */

typedef struct visitor {
    const lode__mesh_query *query;
    const triangle_row *row;
    lode_real enough;
    lode_vec3 lo, hi;               /* the box that triangles come into, from the shape's centre */
    uint32_t triangles[LODE_LANES]; /* in the batch */
    lode__triangle_batch batch;
} visitor;

static bool has_enough(const visitor *v, uint32_t from)
{
    const lode__mesh_points *points = v->query->out;
    for (uint32_t i = from; i < points->count; ++i)
        if (points->items[i].depth > v->enough)
            return true;
    return false;
}

/* Bits of the edges that end at a hole because the gate is shut beyond. */
static uint8_t find_rim(const lode__mesh_query *query, uint32_t triangle)
{
    unsigned rim = 0;
    for (int e = 0; query->gate.accepts && e < 3; ++e) {
        uint32_t beyond = surface_neighbor(query->surface, triangle, e);
        if (beyond != LODE__NONE && !gate_opens(&query->gate, beyond >> 2))
            rim |= 1u << e;
    }
    return (uint8_t)rim;
}

static bool visit_alone(void *context, uint32_t triangle, const lode__triangle *t)
{
    const visitor *v = context;
    const lode__mesh_query *query = v->query;
    if (!gate_opens(&query->gate, triangle))
        return true;
    lode__mesh_side side = {.triangle = triangle, .t = *t, .rim = find_rim(query, triangle)};
    uint32_t before = query->out->count;
    side.n = surface_normal(query->surface, triangle, t);
    side.height = -v3_dot(side.n, side.t.v[0]);
    if (surface_two_sided(query->surface) && side.height < 0) {
        side.n = v3_neg(side.n);
        side.height = -side.height;
        side.back = true;
    }
    v->row->touch(query, &side);
    return !query->out->failed && !has_enough(v, before);
}

/* False: that is enough. */
static bool touch_batch(visitor *v)
{
    const lode__mesh_query *query = v->query;
    int used = v->batch.used;
    if (used == 0)
        return true;
    triangle_lanes_run(query->kernels->triangle[v->row->kind], &v->batch);
    v->batch.used = 0;
    for (int lane = 0; lane < used; ++lane) {
        if (!(v->batch.touches.x[lane] != 0))
            continue;
        uint32_t before = query->out->count;
        lode__mesh_side side = triangle_lanes_side(&v->batch, lane, v->triangles[lane]);
        side.rim = find_rim(query, side.triangle);
        v->row->lane(query, &side, &v->batch, lane);
        if (query->out->failed || has_enough(v, before))
            return false;
    }
    return true;
}

static bool is_within(const lode__triangle *t, lode_vec3 lo, lode_vec3 hi)
{
    lode_vec3 least = v3_min(t->v[0], v3_min(t->v[1], t->v[2]));
    lode_vec3 most = v3_max(t->v[0], v3_max(t->v[1], t->v[2]));
    return (least.x <= hi.x) & (least.y <= hi.y) & (least.z <= hi.z) & (most.x >= lo.x) &
           (most.y >= lo.y) & (most.z >= lo.z);
}

static bool visit_batch(void *context, uint32_t triangle, const lode__triangle *t)
{
    visitor *v = context;
    if (!is_within(t, v->lo, v->hi) || !gate_opens(&v->query->gate, triangle))
        return true;
    v->triangles[v->batch.used] = triangle;
    triangle_lanes_set(&v->batch, v->batch.used, t);
    return ++v->batch.used < LODE_LANES || touch_batch(v);
}

/* The triangles in a box; false: some were enough. */
static bool walk_triangles(visitor *v, lode_vec3 lo, lode_vec3 hi)
{
    const lode__mesh_query *query = v->query;
    if (v->row->touch)
        return lode__surface_walk(query->surface, query->center, lo, hi, visit_alone, v);
    triangle_lanes_begin(&v->batch, query);
    v->lo = v3_sub(lo, query->center);
    v->hi = v3_sub(hi, query->center);
    return lode__surface_walk(query->surface, query->center, lo, hi, visit_batch, v) &&
           touch_batch(v);
}

/* A convex solid: triangle by triangle. */
static void touch_triangles(const lode__mesh_query *query, const lode__shape_view *shape,
                            uint32_t type, lode_real enough)
{
    visitor v;
    v.query = query;
    v.row = &functions[type];
    v.enough = enough;
    if (!v.row->touch && !v.row->lane)
        return; /* this type does not touch meshes */
    lode__reach reach = lode__shape_types[type].reach(shape);
    lode_vec3 middle = v3_add(query->center, reach.middle), half = reach.half, far = v3_abs(middle);
    lode_real grow = query->speculative +
                     8 * REAL_EPSILON * (far.x + far.y + far.z + half.x + half.y + half.z);
    half = v3_add(half, v3(grow, grow, grow));
    query->out->word_count = 0;
    if (walk_triangles(&v, v3_sub(middle, half), v3_add(middle, half)) && v.row->face)
        lode__mesh_settle(query, v.row->face);
}

/* What is in it as a whole, and touches no triangle. */
static void touch_inside(const lode__mesh_query *query, const lode__shape_view *shape,
                         uint32_t type)
{
    if (query->surface->type == LODE_MESH && !query->other)
        lode__mesh_push_out(query);
    if (query->surface->type == LODE_HEIGHTFIELD && query->out->count == 0)
        lode__field_lift(query, lode__shape_types[type].reach(shape).middle);
}

static void touch_plane(const lode__many_view *v, const lode__mesh_query *query,
                        const lode__shape_view *plane)
{
    lode_vec3 normal = view_normal(plane); /* in the mesh's axes */
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    lode_vec3 away = v->mesh_is_a ? v->offset : v3_neg(v->offset);
    lode_real offset = plane->size[3] + v3_dot(q_rotate(turn, normal), away);
    lode__mesh_touch_plane(query, normal, offset);
}

/* Points of two meshes, or of a mesh and a plane, go with the triangles that they name. */
static void drop_refused(const lode__gate *gate, const lode__gate *others, lode__mesh_points *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count; ++i)
        if (gate_opens(gate, out->items[i].triangle) &&
            (out->items[i].other == 0 || gate_opens(others, out->items[i].other - 1)))
            out->items[kept++] = out->items[i];
    out->count = kept;
}

static void surface_points(const lode__many_view *v, lode_real speculative, lode_real enough,
                           lode__mesh_points *out)
{
    const lode__pose *pose = v->mesh_is_a ? v->pose_a : v->pose_b;
    const lode__pose *shape = v->mesh_is_a ? v->pose_b : v->pose_a;
    const lode__geometry *g = v->mesh_is_a ? v->b : v->a;
    const lode__shape_data *surface = v->mesh_is_a ? v->data_a : v->data_b;
    const lode__shape_data *other = v->mesh_is_a ? v->data_b : v->data_a;
    lode_vec3 away = v->mesh_is_a ? v->offset : v3_neg(v->offset);
    lode__mesh_query query = {
        .surface = surface,
        .center = q_rotate_inv(pose->rotation, away),
        .rotation = q_mul(q_conj(pose->rotation), shape->rotation),
        .size = g->size,
        .solid = convex_make(&lode__convex_types[g->type], g->size, other),
        .other = type_is_surface(g->type) ? other : NULL,
        .speculative = speculative,
        .gate = v->mesh_is_a ? v->gate_a : v->gate_b,
        .kernels = v->kernels,
        .out = out,
    };
    lode__shape_view view = {g->size, query.rotation, other};
    if (g->type == LODE_HEIGHTFIELD)
        return; /* two of them never touch */
    if (g->type == LODE_PLANE)
        touch_plane(v, &query, &view);
    else if (query.other)
        lode__mesh_touch_mesh(&query, other);
    else
        touch_triangles(&query, &view, g->type, enough);
    if (query.gate.accepts && (g->type == LODE_PLANE || query.other))
        drop_refused(&query.gate, v->mesh_is_a ? &v->gate_b : &v->gate_a, out);
    if (g->type == LODE_PLANE)
        return;
    if (!query.gate.accepts) /* with triangles refused it is no whole */
        lode__mesh_deepen(&query);
    touch_inside(&query, &view, g->type);
}

void lode__many_points(const lode__many_view *v, lode_real speculative, lode_real enough,
                       lode__mesh_points *out)
{
    out->count = 0;
    out->failed = false;
    bool custom = v->a->type == LODE_CUSTOM || v->b->type == LODE_CUSTOM;
    if (custom && !lode__custom_is_on_surface(v->a->type, v->data_a, v->b->type, v->data_b))
        lode__custom_points(v, speculative, out);
    else
        surface_points(v, speculative, enough, out);
}

/* --- clusters */

/* The deepest that is not taken; `count` if all are. */
static uint32_t deepest_left(const lode__mesh_points *points)
{
    uint32_t best = points->count;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].triangle != LODE__NONE &&
            (best == points->count || points->items[i].depth > points->items[best].depth))
            best = i;
    return best;
}

/* How good the four points so far make `p` as the next one. */
static lode_real measure(const lode__mesh_point *const kept[4], int count, lode_vec3 normal,
                         const lode__mesh_point *p)
{
    if (count == 0)
        return p->depth;
    lode_vec3 a = v3_sub(p->position, kept[0]->position);
    a = v3_madd(a, normal, -v3_dot(a, normal));
    if (count == 1)
        return v3_dot(a, a);
    lode_vec3 ab = v3_sub(kept[1]->position, kept[0]->position);
    lode_real turn = v3_dot(normal, v3_cross(ab, a));
    if (count == 2)
        return r_abs(turn);
    /* outside the triangle, across any of its sides */
    const lode__mesh_point *c = kept[2];
    lode_vec3 ac = v3_sub(c->position, kept[0]->position);
    lode_real side = v3_dot(normal, v3_cross(ab, ac)) < 0 ? (lode_real)-1 : (lode_real)1, out = 0;
    for (int k = 0; k < 3; ++k) {
        lode_vec3 from = kept[k]->position, to = kept[(k + 1) % 3]->position;
        lode_vec3 x = v3_cross(v3_sub(to, from), v3_sub(p->position, from));
        out = r_max(out, -side * v3_dot(normal, x));
    }
    return out;
}

/* One feature of the mesh, that several triangles have named, is one point. */
static bool is_kept(const lode__mesh_point *const kept[4], int count, const lode__mesh_point *p,
                    lode_real same)
{
    for (int k = 0; k < count; ++k) {
        lode_vec3 apart = v3_sub(p->position, kept[k]->position);
        bool named = p->feature >= MESH_BY_EDGE && p->feature == kept[k]->feature;
        if (p == kept[k] || named || v3_dot(apart, apart) < same * same)
            return true;
    }
    return false;
}

/* May the point be kept next, of those with names of the shape's own, or of the others? */
static bool may_keep(const lode__mesh_point *const kept[4], int count, lode_real same, bool own,
                     const lode__mesh_point *p)
{
    return (p->feature < MESH_BY_EDGE) == own && !is_kept(kept, count, p, same);
}

/* Of those that are as good as the best but for rounding, the one with the lowest name: which triangle
 * came first says nothing. */
static const lode__mesh_point *next_of(const lode__mesh_points *points, uint32_t chosen,
                                       const lode__mesh_point *const kept[4], int count,
                                       lode_vec3 normal, lode_real same, bool own, lode_real least)
{
    const lode__mesh_point *best = NULL;
    lode_real most = least;
    for (uint32_t i = 0; i < chosen; ++i)
        if (may_keep(kept, count, same, own, &points->items[points->chosen[i]]))
            most = r_max(most, measure(kept, count, normal, &points->items[points->chosen[i]]));
    lode_real enough = count == 0 ? most - same : most / WIDER;
    for (uint32_t i = 0; i < chosen; ++i) {
        const lode__mesh_point *p = &points->items[points->chosen[i]];
        lode_real x;
        if (!may_keep(kept, count, same, own, p))
            continue;
        x = measure(kept, count, normal, p);
        if (x > least && x >= enough && (!best || p->feature < best->feature))
            best = p;
    }
    return best;
}

/* The next point to keep, of the chosen ones; null: none is worth it. Others than
 * the shape's own must be better than all of these. */
static const lode__mesh_point *next_kept(const lode__mesh_points *points, uint32_t chosen,
                                         const lode__mesh_point *const kept[4], int count,
                                         lode_vec3 normal, lode_real same)
{
    lode_real least = count == 0 ? -REAL_MAX : 0;
    const lode__mesh_point *own = next_of(points, chosen, kept, count, normal, same, true, least);
    if (own) {
        least = measure(kept, count, normal, own);
        least = count == 0 ? least + same : least * WIDER;
    }
    const lode__mesh_point *other = next_of(points, chosen, kept, count, normal, same, false,
                                            least);
    return other ? other : own;
}

lode__point lode__many_point(const lode__many_view *v, const lode__mesh_point *p)
{
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    const lode__geometry *other = v->mesh_is_a ? v->b : v->a;
    lode_vec3 center = v->pose_a->position;
    /* from the shape's centre; but a plane's may be anywhere, and that of the mesh is near */
    if (v->mesh_is_a != (other->type == LODE_PLANE))
        center = v3_add(center, v->offset);
    return (lode__point){.position = v3_add(center, q_rotate(turn, p->position)),
                         .depth = p->depth,
                         .feature = p->feature,
                         .child_a = v->mesh_is_a ? p->triangle + 1 : p->other,
                         .child_b = v->mesh_is_a ? p->other : p->triangle + 1};
}

lode_vec3 lode__many_normal(const lode__many_view *v, lode_vec3 normal)
{
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    lode_vec3 n = q_rotate(turn, normal);
    return v->mesh_is_a ? v3_neg(n) : n;
}

/* Notes the points that are in no cluster and whose normal is alike; returns how many. */
static uint32_t choose(lode__mesh_points *points, lode_vec3 normal)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].triangle != LODE__NONE &&
            v3_dot(points->items[i].normal, normal) > ALIKE)
            points->chosen[chosen++] = i;
    return chosen;
}

/* Sees to it that the deepest is as deep as this. */
static void deepen(lode__cluster *cluster, lode_real depth)
{
    lode__point *deepest = &cluster->points[0];
    for (int k = 1; k < cluster->count; ++k)
        if (cluster->points[k].depth > deepest->depth)
            deepest = &cluster->points[k];
    deepest->depth = r_max(deepest->depth, depth);
}

/* Of the chosen points, which are then in a cluster; the seed is the deepest. */
static void make_cluster(const lode__many_view *v, lode__mesh_points *points, uint32_t chosen,
                         const lode__mesh_point *seed, lode_real same, lode__cluster *out)
{
    const lode__mesh_point *kept[LODE__MANIFOLD_POINTS], *next;
    lode_vec3 normal = seed->normal;
    out->normal = lode__many_normal(v, normal);
    out->count = 0;
    if (chosen == 1) /* most are */
        out->points[out->count++] = lode__many_point(v, &points->items[points->chosen[0]]);
    while (chosen > 1 && out->count < LODE__MANIFOLD_POINTS &&
           (next = next_kept(points, chosen, kept, out->count, normal, same))) {
        kept[out->count] = next;
        out->points[out->count++] = lode__many_point(v, next);
    }
    if (out->count > 0)
        deepen(out, seed->depth);
    for (uint32_t i = 0; i < chosen; ++i)
        points->items[points->chosen[i]].triangle = LODE__NONE;
}

void lode__many_clusters(const lode__many_view *v, lode_real speculative, lode__many_list *list)
{
    lode__mesh_points *points = &list->points;
    uint32_t seed;
    while ((seed = deepest_left(points)) < points->count && !list->failed) {
        if (!lode__grow((void **)&list->clusters, &list->cluster_capacity, list->cluster_count + 1,
                        sizeof *list->clusters) ||
            !lode__grow((void **)&points->chosen, &points->chosen_capacity, points->count,
                        sizeof *points->chosen)) {
            list->failed = true;
            return;
        }
        uint32_t chosen = choose(points, points->items[seed].normal);
        make_cluster(v, points, chosen, &points->items[seed], speculative * DEEPER,
                     &list->clusters[list->cluster_count++]);
        points->items[seed].triangle = LODE__NONE; /* whatever its normal's length is by rounding */
    }
}

/* --- pairs of a block */

static lode__many_pair *add_pair(lode__many_list *list, uint32_t pair)
{
    if (list->failed || !lode__grow((void **)&list->pairs, &list->pair_capacity,
                                    list->pair_count + 1, sizeof *list->pairs)) {
        list->failed = true;
        return NULL;
    }
    list->pairs[list->pair_count] = (lode__many_pair){.pair = pair, .first = list->cluster_count};
    return &list->pairs[list->pair_count++];
}

void lode__many_part(const lode__collide *collide, lode__many_list *list, uint32_t pair)
{
    if (collide->pairs.items[pair].points > 0)
        add_pair(list, pair);
}

void lode__many_touch(const lode__collide *collide, const lode__pool *bodies, lode_real speculative,
                      lode__many_list *list, uint32_t pair)
{
    const lode__pair *p = &collide->pairs.items[pair];
    lode__many_view v = view_pair(collide, bodies, p);
    lode__many_points(&v, speculative, REAL_MAX, &list->points);
    list->failed = list->failed || list->points.failed;
    if (list->points.count == 0) {
        lode__many_part(collide, list, pair);
        return;
    }
    lode__many_pair *found = add_pair(list, pair);
    if (!found)
        return;
    found->apart = v.apart;
    lode__many_clusters(&v, speculative, list);
    found->count = list->cluster_count - found->first;
}
