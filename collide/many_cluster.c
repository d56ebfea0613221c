/* many_cluster.c: the points of a pair become manifolds.
 *
 * 1. The deepest point that is in no cluster begins one with its normal, and all whose normals are
 *    within six degrees of it come in.
 * 2. A cluster keeps four points: the deepest, the farthest from it, the farthest from their line, and
 *    the farthest on the other side of that; so the deepest and the widest. Candidates that are equal
 *    but for rounding count as equal, and those named by the shape alone come first: a box on a flat
 *    mesh keeps its four corners. If the deepest is not among the four, the deepest of these has its
 *    depth.
 *
 * Candidates lie in a list. Each round finds what every one of them is worth, keeps the best, and takes
 * from the list what that one stands for. */
#include "collide/many.h"
#include "core/memory.h"

/* Cosine of the angle between normals of one cluster. */
#define ALIKE ((lode_real)0.995)

/* Of the speculative margin: how much deeper, or farther apart, points must be to differ. */
#define DEEPER ((lode_real)0.05)

/* How much farther out, as a factor. */
#define WIDER ((lode_real)1.02)

/* What is kept so far, and what follows from it for the next one's worth. */
typedef struct spread {
    const lode__mesh_point *kept[LODE__MANIFOLD_POINTS];
    int count;
    lode_vec3 normal, ab; /* ab: from the first to the second */
    lode_vec3 side[3];    /* sides of the triangle of the first three */
    lode_real turn;       /* 1 where it turns left around the normal, else -1 */
    lode_real same;       /* what is as near to each other is one point */
} spread;

/* Does the shape alone name the point? */
static bool is_own(const lode__mesh_point *p)
{
    return p->feature < MESH_BY_EDGE;
}

/* --- worth */

/* How good the points so far make `p` as the next one. */
static lode_real worth_of(const spread *s, const lode__mesh_point *p)
{
    if (s->count == 0)
        return p->depth;
    lode_vec3 a = v3_sub(p->position, s->kept[0]->position);
    a = v3_madd(a, s->normal, -v3_dot(a, s->normal));
    if (s->count == 1)
        return v3_dot(a, a);
    if (s->count == 2)
        return r_abs(v3_dot(s->normal, v3_cross(s->ab, a)));
    /* outside the triangle, across any of its sides */
    lode_real out = 0;
    for (int k = 0; k < 3; ++k) {
        lode_vec3 x = v3_cross(s->side[k], v3_sub(p->position, s->kept[k]->position));
        out = r_max(out, -s->turn * v3_dot(s->normal, x));
    }
    return out;
}

static void keep(spread *s, const lode__mesh_point *p)
{
    s->kept[s->count++] = p;
    if (s->count == 2)
        s->ab = v3_sub(p->position, s->kept[0]->position);
    if (s->count != 3)
        return;
    lode_vec3 ac = v3_sub(p->position, s->kept[0]->position);
    s->turn = v3_dot(s->normal, v3_cross(s->ab, ac)) < 0 ? (lode_real)-1 : (lode_real)1;
    for (int k = 0; k < 3; ++k)
        s->side[k] = v3_sub(s->kept[(k + 1) % 3]->position, s->kept[k]->position);
}

/* Does the point that was kept last stand for `p`? One feature of the mesh, that several triangles have
 * named, is one point. */
static bool is_kept(const spread *s, const lode__mesh_point *p)
{
    const lode__mesh_point *last = s->kept[s->count - 1];
    lode_vec3 apart = v3_sub(p->position, last->position);
    bool named = !is_own(p) & (p->feature == last->feature);
    return (p == last) | named | (v3_dot(apart, apart) < s->same * s->same);
}

/* Returns how many are left, in their order. */
static uint32_t take_out(const spread *s, lode__mesh_candidate *c, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const lode__mesh_point *p = c[i].point;
        c[left].point = p;
        left += !is_kept(s, p);
    }
    return left;
}

/* --- the next one */

/* Of those that are as good as the best, `most`, but for rounding, the one with the lowest name: which
 * triangle came first says nothing. Null: none is worth more than `least`. */
static const lode__mesh_candidate *best_of(const spread *s, const lode__mesh_candidate *c,
                                           uint32_t count, bool own, lode_real least,
                                           lode_real most)
{
    const lode__mesh_candidate *best = NULL;
    uint32_t name = UINT32_MAX;
    if (!(most > least))
        return NULL;
    lode_real enough = s->count == 0 ? most - s->same : most / WIDER;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t feature = c[i].point->feature;
        bool better = ((feature < MESH_BY_EDGE) == own) & (c[i].worth > least) &
                      (c[i].worth >= enough) & ((feature < name) | !best);
        best = better ? &c[i] : best;
        name = better ? feature : name;
    }
    return best;
}

/* The next point to keep; null: none is worth it. Others than the shape's own must be better than all
 * of these. */
static const lode__mesh_point *next_kept(const spread *s, lode__mesh_candidate *c, uint32_t count)
{
    lode_real least = s->count == 0 ? -REAL_MAX : 0, own_most = least, most = least;
    for (uint32_t i = 0; i < count; ++i) {
        lode_real worth = c[i].worth = worth_of(s, c[i].point);
        bool own = is_own(c[i].point);
        own_most = own ? r_max(own_most, worth) : own_most;
        most = own ? most : r_max(most, worth);
    }
    const lode__mesh_candidate *own = best_of(s, c, count, true, least, own_most);
    if (own)
        least = s->count == 0 ? own->worth + s->same : own->worth * WIDER;
    const lode__mesh_candidate *other = best_of(s, c, count, false, least, most);
    return other ? other->point : own ? own->point : NULL;
}

/* --- clusters */

void lode__many_point(const lode__many_view *v, const lode__mesh_point *p, lode__point *out)
{
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    const lode__geometry *other = v->mesh_is_a ? v->b : v->a;
    lode_vec3 center = v->pose_a->position;
    /* from the shape's centre; but a plane's may be anywhere, and that of the mesh is near */
    if (v->mesh_is_a != (other->type == LODE_PLANE))
        center = v3_add(center, v->offset);
    out->position = v3_add(center, q_rotate(turn, p->position));
    out->depth = p->depth;
    out->feature = p->feature;
    out->child_a = v->mesh_is_a ? p->triangle + 1 : p->other;
    out->child_b = v->mesh_is_a ? p->other : p->triangle + 1;
}

lode_vec3 lode__many_normal(const lode__many_view *v, lode_vec3 normal)
{
    lode_quat turn = v->mesh_is_a ? v->pose_a->rotation : v->pose_b->rotation;
    lode_vec3 n = q_rotate(turn, normal);
    return v->mesh_is_a ? v3_neg(n) : n;
}

/* The deepest; `count` if there are none. */
static uint32_t find_deepest(const lode__mesh_points *points)
{
    uint32_t best = points->count;
    for (uint32_t i = 0; i < points->count; ++i)
        if (best == points->count || points->items[i].depth > points->items[best].depth)
            best = i;
    return best;
}

/* Notes the points whose normal is that of the seed, which are then in a cluster, and in *seed the
 * deepest of those that are left. Returns how many it noted. */
static uint32_t choose(lode__mesh_points *points, uint32_t *seed)
{
    uint32_t chosen = 0, next = points->count;
    lode_vec3 normal = points->items[*seed].normal;
    lode_real deepest = -REAL_MAX;
    /* whatever its length is by rounding, or if it is none */
    points->items[*seed].taken = !(v3_dot(normal, normal) > ALIKE);
    for (uint32_t i = 0; i < points->count; ++i) {
        lode__mesh_point *p = &points->items[i];
        bool alike = v3_dot(p->normal, normal) > ALIKE, left = !p->taken & !alike;
        points->chosen[chosen].point = p;
        chosen += !p->taken & alike;
        p->taken |= alike;
        bool better = left & ((next == points->count) | (p->depth > deepest));
        next = better ? i : next;
        deepest = better ? p->depth : deepest;
    }
    *seed = next;
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

/* Of the chosen points; the seed is the deepest. */
static void make_cluster(const lode__many_view *v, const lode__mesh_points *points, uint32_t chosen,
                         const lode__mesh_point *seed, lode_real same, lode__cluster *out)
{
    lode_vec3 normal = seed->normal;
    spread s = {.normal = normal, .same = same};
    const lode__mesh_point *next;
    out->normal = lode__many_normal(v, normal);
    out->count = 0;
    if (chosen == 1) { /* most are */
        lode__many_point(v, points->chosen[0].point, &out->points[out->count++]);
        return;
    }
    while (out->count < LODE__MANIFOLD_POINTS && (next = next_kept(&s, points->chosen, chosen))) {
        lode__many_point(v, next, &out->points[out->count++]);
        keep(&s, next);
        chosen = take_out(&s, points->chosen, chosen);
    }
    if (out->count > 0)
        deepen(out, seed->depth);
}

void lode__many_clusters(const lode__many_view *v, lode_real speculative, lode__many_list *list)
{
    lode__mesh_points *points = &list->points;
    uint32_t seed = find_deepest(points);
    if (!lode__grow((void **)&points->chosen, &points->chosen_capacity, points->count + 1,
                    sizeof *points->chosen)) {
        list->failed = true;
        return;
    }
    while (seed < points->count) {
        const lode__mesh_point *first = &points->items[seed];
        if (!lode__grow((void **)&list->clusters, &list->cluster_capacity, list->cluster_count + 1,
                        sizeof *list->clusters)) {
            list->failed = true;
            return;
        }
        uint32_t chosen = choose(points, &seed);
        make_cluster(v, points, chosen, first, speculative * DEEPER,
                     &list->clusters[list->cluster_count++]);
    }
}
