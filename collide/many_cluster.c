/* many_cluster.c: the points of a pair become manifolds.
 *
 * 1. The deepest point that is in no cluster begins one with its normal, and all whose normals are
 *    within six degrees of it come in.
 * 2. A cluster keeps four points: the deepest, the farthest from it, the farthest from their line,
 *    and the farthest on the other side of that; so the deepest and the widest. Candidates that are
 *    equal but for rounding count as equal, and those named by the shape alone come first: a box on
 *    a flat mesh keeps its four corners. If the deepest is not among the four, the deepest of these
 *    has its depth.
 *
 * Where the parts of a surface differ in material a cluster is of one pair of materials. Where
 * materials say how many points count, only the deepest are grouped, and all of these are kept, by
 * several clusters of one normal if need be (many_limit.c).
 *
 * Candidates lie in a list. Each round finds what every one of them is worth, keeps the best, and
 * takes from the list what that one stands for. */
#include "collide/many.h"
#include "core/memory.h"

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

/* How good the points so far, `round` of them, make `p` as the next one. */
static inline lode_real worth_of(const spread *s, int round, const lode__mesh_point *p)
{
    if (round == 0)
        return p->depth;
    lode_vec3 a = v3_sub(p->position, s->kept[0]->position);
    if (round < 3)
        a = v3_madd(a, s->normal, -v3_dot(a, s->normal));
    if (round == 1)
        return v3_dot(a, a);
    if (round == 2)
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

/* Does the point that was kept last stand for `p`? One feature of the mesh, that several triangles
 * have named, is one point. */
static inline bool is_kept(const spread *s, const lode__mesh_point *last, const lode__mesh_point *p)
{
    lode_vec3 apart = v3_sub(p->position, last->position);
    bool named = !is_own(p) & (p->feature == last->feature);
    return (p == last) | named | (v3_dot(apart, apart) < s->same * s->same);
}

/* What a round has found about its candidates, of which `count` are left. */
typedef struct round_up {
    uint32_t count;
    lode_real own_most, most; /* worth of the shape's own points, and of others */
} round_up;

/* Takes out what the last kept point stands for; of the others, in their order, finds the worth. */
static inline round_up weigh(const spread *s, int round, lode__mesh_candidate *c, uint32_t count)
{
    lode_real least = round == 0 ? -REAL_MAX : 0;
    round_up up = {0, least, least};
    const lode__mesh_point *last = round == 0 ? NULL : s->kept[round - 1];
    for (uint32_t i = 0; i < count; ++i) {
        const lode__mesh_point *p = c[i].point;
        if (round > 0 && is_kept(s, last, p))
            continue;
        lode_real worth = worth_of(s, round, p);
        c[up.count++] = (lode__mesh_candidate){p, worth};
        if (is_own(p))
            up.own_most = r_max(up.own_most, worth);
        else
            up.most = r_max(up.most, worth);
    }
    return up;
}

static round_up weigh_all(const spread *s, lode__mesh_candidate *c, uint32_t count)
{
    switch (s->count) {
    case 0:
        return weigh(s, 0, c, count);
    case 1:
        return weigh(s, 1, c, count);
    case 2:
        return weigh(s, 2, c, count);
    default:
        return weigh(s, 3, c, count);
    }
}

/* --- the next one */

/* Of those that are as good as the best, `most`, but for rounding, the one with the lowest name:
 * which triangle came first says nothing. Null: none is worth more than `least`. */
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

/* The next point to keep; null: none is worth it. Others than the shape's own must be better than
 * all of these. */
static const lode__mesh_point *next_kept(const spread *s, const lode__mesh_candidate *c,
                                         const round_up *up)
{
    lode_real least = s->count == 0 ? -REAL_MAX : 0;
    const lode__mesh_candidate *own = best_of(s, c, up->count, true, least, up->own_most);
    if (own)
        least = s->count == 0 ? own->worth + s->same : own->worth * WIDER;
    const lode__mesh_candidate *other = best_of(s, c, up->count, false, least, up->most);
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

/* Lists all points as left, and returns the deepest; null if there are none. */
static const lode__mesh_point *list_left(const lode__mesh_points *points,
                                         lode__mesh_candidate *left)
{
    const lode__mesh_point *best = points->count > 0 ? &points->items[0] : NULL;
    for (uint32_t i = 0; i < points->count; ++i) {
        const lode__mesh_point *p = &points->items[i];
        left[i].point = p;
        best = p->depth > best->depth ? p : best;
    }
    return best;
}

/* Notes the points whose normal is that of the seed, which are then left no more, and in *seed the
 * deepest of those that are, or null. Returns how many it noted. */
static uint32_t choose(const lode__many_view *v, lode__mesh_candidate *chosen,
                       lode__mesh_candidate *left, uint32_t *left_count,
                       const lode__mesh_point **seed)
{
    const bool differ = parts_differ(&v->materials);
    const uint64_t materials = differ ? many_materials(v, *seed) : 0;
    uint32_t taken = 0, kept = 0;
    const lode__mesh_point *next = NULL;
    lode_vec3 normal = (*seed)->normal;
    lode_real deepest = -REAL_MAX;
    for (uint32_t i = 0; i < *left_count; ++i) {
        const lode__mesh_point *p = left[i].point;
        bool alike = v3_dot(p->normal, normal) > LODE__ONE_CLUSTER &&
                     (!differ || many_materials(v, p) == materials);
        /* the seed goes whatever its length is by rounding, or if it is none */
        bool stays = !alike & (p != *seed);
        chosen[taken].point = p;
        taken += alike;
        left[kept].point = p;
        kept += stays;
        bool better = stays & (!next | (p->depth > deepest));
        next = better ? p : next;
        deepest = better ? p->depth : deepest;
    }
    *left_count = kept;
    *seed = next;
    return taken;
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

/* Of two points alone, what next_kept() says first. */
static bool second_is_first(const lode__mesh_point *a, const lode__mesh_point *b, lode_real same)
{
    if (is_own(a) != is_own(b))
        return is_own(a) ? b->depth > a->depth + same : !(a->depth > b->depth + same);
    lode_real enough = r_max(a->depth, b->depth) - same;
    return b->depth >= enough && (b->feature < a->feature || a->depth < enough);
}

/* Two points, as many clusters have, in few words. */
static void keep_two(const lode__many_view *v, const lode__mesh_candidate chosen[2], spread *s,
                     lode__cluster *out)
{
    bool swap = second_is_first(chosen[0].point, chosen[1].point, s->same);
    const lode__mesh_point *first = chosen[swap].point, *second = chosen[!swap].point;
    lode__many_point(v, first, &out->points[out->count++]);
    keep(s, first);
    if (!is_kept(s, first, second) && worth_of(s, 1, second) > 0)
        lode__many_point(v, second, &out->points[out->count++]);
}

static void keep_best(const lode__many_view *v, lode__mesh_candidate *chosen, uint32_t count,
                      spread *s, lode__cluster *out)
{
    while (out->count < LODE__MANIFOLD_POINTS) {
        round_up up = weigh_all(s, chosen, count);
        const lode__mesh_point *next = next_kept(s, chosen, &up);
        if (!next)
            break;
        lode__many_point(v, next, &out->points[out->count++]);
        keep(s, next);
        count = up.count;
    }
}

/* Of the chosen points; the seed is the deepest. */
static void make_cluster(const lode__many_view *v, lode__mesh_candidate *chosen, uint32_t count,
                         const lode__mesh_point *seed, lode_real same, lode__cluster *out)
{
    out->normal = lode__many_normal(v, seed->normal);
    out->count = 0;
    if (count == 1) { /* most are */
        lode__many_point(v, chosen[0].point, &out->points[out->count++]);
        return;
    }
    spread s;
    s.count = 0;
    s.normal = seed->normal;
    s.ab = v3_zero();
    s.same = same;
    if (count == 2)
        keep_two(v, chosen, &s, out);
    else
        keep_best(v, chosen, count, &s, out);
    if (out->count > 0)
        deepen(out, seed->depth);
}

/* False: out of memory. */
static bool keep_all(const lode__many_view *v, const lode__mesh_candidate *chosen, uint32_t count,
                     const lode__mesh_point *seed, lode__many_list *list)
{
    lode__cluster *out = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        if (i % LODE__MANIFOLD_POINTS == 0 && !(out = lode__many_add_cluster(list)))
            return false;
        out->normal = lode__many_normal(v, seed->normal);
        lode__many_point(v, chosen[i].point, &out->points[out->count++]);
    }
    return true;
}

static bool keep_four(const lode__many_view *v, lode__mesh_candidate *chosen, uint32_t count,
                      const lode__mesh_point *seed, lode_real same, lode__many_list *list)
{
    lode__cluster *out = lode__many_add_cluster(list);
    if (out)
        make_cluster(v, chosen, count, seed, same, out);
    return out != NULL;
}

/* `whole`: all points are kept. */
static void make_clusters(const lode__many_view *v, lode_real speculative, lode__many_list *list,
                          bool whole)
{
    lode__mesh_points *points = &list->points;
    /* the chosen, and behind them those that are left */
    if (!lode__grow((void **)&points->chosen, &points->chosen_capacity, 2 * points->count + 2,
                    sizeof *points->chosen)) {
        list->failed = true;
        return;
    }
    uint32_t left_count = points->count;
    lode__mesh_candidate *chosen = points->chosen, *left = chosen + points->count + 1;
    const lode__mesh_point *seed = list_left(points, left);
    bool fits = true;
    while (seed && fits) {
        const lode__mesh_point *first = seed;
        uint32_t count = choose(v, chosen, left, &left_count, &seed);
        fits = whole ? keep_all(v, chosen, count, first, list)
                     : keep_four(v, chosen, count, first, speculative * DEEPER, list);
    }
}

void lode__many_clusters(const lode__many_view *v, lode_real speculative, lode__many_list *list)
{
    uint32_t first = list->cluster_count;
    make_clusters(v, speculative, list, false);
    if (!v->limited || list->failed || !lode__many_limit(v, speculative, list, first))
        return;
    list->cluster_count = first;
    make_clusters(v, speculative, list, true);
}
