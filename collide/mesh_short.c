/* mesh_short.c: where what was said falls short.
 *
 * Who goes all the ways that contacts ask for is to be out of every triangle. A contact that the
 * mesh allows leads out of its own triangle. But a face that stands in says how deep the solid is
 * above it, as clipping finds; beside a rim or a summit the solid may reach deeper into it from
 * beyond, where nobody says more. Where a cylinder's rim is deepest between two points that were
 * clipped at flat edges none of the triangles there may say so. And who left the word to others was
 * answered by whoever spoke at the same edge or corner (mesh_left.c), whether that leads out of
 * both or not. Last, directions are allowed that lead a little into the triangle beyond an edge, as
 * that one says the rest; but it does not where the solid is behind it.
 *
 * So once all triangles have spoken, and those that said too much are left out, the shortest of all
 * ways is gone. Of the triangles that the solid is in then, the one that it leaves by the least way
 * that the mesh allows there (mesh_allowed.c) says that; and so on, until it is out of all that
 * have such a way. Where a face goes on beyond flat edges and concave ones its neighbours say the
 * rest.
 *
 * What is left of contacts is told by clusters, along the normal of the deepest of each
 * (many_cluster.c). So these are the ways that are gone; and where a way would vanish in such a
 * cluster, its deepest point is told as much deeper as leads out along it.
 *
 * Of equals the lower number speaks, so the order of triangles decides nothing. */
#include "collide/mesh_touch.h"
#include "collide/triangle_apart.h"

/* How often somebody is to say more; the name of a point on the least way out of a triangle. */
enum { MOST_SAID = 8, LEAST = 12 };

/* Of the square of a sine, or of a volume: what is less is none; of a length: how far rounding
 * brings sums. */
#define FLAT 1e-10
#define EQUAL 1e-9

/* Of the farthest corner: what rounding may do, and what a gap must be to be seen (gjk.c). */
#define ROUNDING r_max(8 * REAL_EPSILON, (lode_real)3e-10)

/* Who is told more ways is deep in a heap. */
enum { MOST_PLANES = 16 };

/* Beyond it the solid is to go: normal . x >= depth. */
typedef struct plane {
    lode__double3 normal;
    double depth;
    lode__mesh_point *point; /* that says so */
} plane;

typedef struct shortfall {
    const lode__mesh_query *query;
    lode_real slack; /* m, what rounding may do */
    int count;
    plane planes[MOST_PLANES];
    lode__double3 way; /* the shortest beyond all of them */
    lode_vec3 unit;    /* along it */
    lode_real length;
    lode_real reach; /* how far back along it the solid reaches */
} shortfall;

static lode_real rounding_of(const lode__mesh_points *points)
{
    lode_vec3 far = v3_zero();
    for (uint32_t i = 0; i < points->word_count; ++i)
        for (int k = 0; k < 3; ++k)
            far = v3_max(far, v3_abs(points->words[i].side.t.v[k]));
    return ROUNDING * (far.x + far.y + far.z);
}

/* --- the shortest way that goes all
 *
 * It is the nearest of the places that are beyond all planes; so it lies on one of them, or two, or
 * three, and is a sum of their normals with no share below 0. */

/* The plane whose cluster has such points; null: none so far. */
static plane *plane_of(shortfall *s, lode_vec3 normal)
{
    for (int k = 0; k < s->count; ++k)
        if (v3_dot(s->planes[k].point->normal, normal) > LODE__ONE_CLUSTER)
            return &s->planes[k];
    return NULL;
}

/* The deepest point beyond no plane; null: there is none of any depth. */
static lode__mesh_point *next_deepest(shortfall *s)
{
    lode__mesh_points *points = s->query->out;
    lode__mesh_point *best = NULL;
    for (uint32_t i = 0; i < points->count; ++i) {
        lode__mesh_point *p = &points->items[i];
        if (p->depth > (best ? best->depth : 0) && !plane_of(s, p->normal))
            best = p;
    }
    return best;
}

/* False: that is too many. */
static bool note_all(shortfall *s)
{
    lode__mesh_point *p;
    s->count = 0;
    while ((p = next_deepest(s))) {
        if (s->count == MOST_PLANES)
            return false;
        lode__double3 normal = d3_normalize_or(d3_from(p->normal), d3(0, 0, 1));
        s->planes[s->count++] = (plane){normal, (double)p->depth, p};
    }
    return true;
}

static bool goes_all(shortfall *s, lode__double3 x)
{
    s->way = x;
    for (int k = 0; k < s->count; ++k)
        if (d3_dot(s->planes[k].normal, x) < s->planes[k].depth * (1 - EQUAL))
            return false;
    return true;
}

static bool goes_one(shortfall *s, const plane *p)
{
    return goes_all(s, d3_scale(p->normal, p->depth));
}

static bool goes_two(shortfall *s, const plane *p, const plane *q)
{
    double dot = d3_dot(p->normal, q->normal), square = 1 - dot * dot;
    double f = p->depth - dot * q->depth, g = q->depth - dot * p->depth;
    return square > FLAT && f >= 0 && g >= 0 &&
           goes_all(s, d3_madd(d3_scale(p->normal, f / square), q->normal, g / square));
}

static bool goes_three(shortfall *s, const plane *p, const plane *q, const plane *r)
{
    lode__double3 qr = d3_cross(q->normal, r->normal), rp = d3_cross(r->normal, p->normal);
    lode__double3 pq = d3_cross(p->normal, q->normal), x = d3_scale(qr, p->depth);
    double volume = d3_dot(p->normal, qr);
    if (!(volume * volume > FLAT))
        return false;
    x = d3_scale(d3_madd(d3_madd(x, rp, q->depth), pq, r->depth), 1 / volume);
    return d3_dot(x, qr) * volume >= 0 && d3_dot(x, rp) * volume >= 0 &&
           d3_dot(x, pq) * volume >= 0 && goes_all(s, x);
}

/* False: there is none, as in a hole that is too narrow. */
static bool find_shortest(shortfall *s)
{
    const plane *p = s->planes;
    for (int i = 0; i < s->count; ++i)
        if (goes_one(s, &p[i]))
            return true;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < i; ++k)
            if (goes_two(s, &p[i], &p[k]))
                return true;
    for (int i = 0; i < s->count; ++i)
        for (int k = 0; k < i; ++k)
            for (int m = 0; m < k; ++m)
                if (goes_three(s, &p[i], &p[k], &p[m]))
                    return true;
    return s->count == 0;
}

/* False: nobody can go all that the points ask for, or it is too much. */
static bool go_all(shortfall *s)
{
    s->way = d3(0, 0, 0);
    if (!note_all(s) || !find_shortest(s))
        return false;
    s->length = (lode_real)d3_length(s->way);
    s->unit = d3_to(d3_normalize_or(s->way, d3(0, 0, 1)));
    s->reach = lode__mesh_reach_along(s->query, v3_neg(s->unit));
    return true;
}

/* --- triangles */

/* Does it lead beyond that plane, but for rounding? */
static bool leads(const shortfall *s, lode_vec3 normal, lode_real depth)
{
    return s->length * v3_dot(s->unit, normal) + s->slack >= depth;
}

/* Does the way itself part the solid from the triangle, or else is the solid out of it once it has
 * gone so far? But for rounding. */
static bool parts(const shortfall *s, const lode__triangle *t)
{
    lode_real most = v3_dot(s->unit, t->v[0]), length = s->length + s->slack;
    for (int k = 1; k < 3; ++k)
        most = r_max(most, v3_dot(s->unit, t->v[k]));
    if (most + s->reach <= length)
        return true;
    return lode__triangle_apart(&s->query->solid, s->query->rotation, t->v,
                                v3_scale(s->unit, -length)) >= 0;
}

/* The one beyond an edge into which a word leads a little. */
static bool parts_beyond(const shortfall *s, const lode__mesh_word *word)
{
    const lode__shape_data *surface = s->query->surface;
    uint32_t beyond = surface_neighbor(surface, word->side.triangle, word->leans);
    lode__triangle t = surface_triangle(surface, beyond >> 2);
    for (int k = 0; k < 3; ++k)
        t.v[k] = v3_sub(t.v[k], s->query->center);
    return parts(s, &t);
}

/* Nor is anything missing where the way leads as far along the least way out as that is long. */
static bool is_short(const shortfall *s, const lode__mesh_word *word)
{
    if (!(word->least > 0))
        return false;
    return (!leads(s, word->way, word->least) && !parts(s, &word->side.t)) ||
           (word->leans >= 0 && !parts_beyond(s, word));
}

static bool is_before(const lode__mesh_point *p, const lode__mesh_point *q)
{
    return p->depth != q->depth ? p->depth < q->depth : p->triangle < q->triangle;
}

/* The least way out of a triangle, which is allowed, but was told as deep as clipping found. */
static lode__mesh_point least_point(const lode__mesh_query *query, const lode__mesh_word *word)
{
    int where;
    lode_vec3 down = q_rotate_inv(query->rotation, v3_neg(word->way));
    lode_vec3 low = d3_to(query->solid.type->support(&query->solid, d3_from(down)));
    lode_vec3 at = lode__triangle_nearest(&word->side.t, q_rotate(query->rotation, low), &where);
    return (lode__mesh_point){.position = v3_madd(at, word->way, -word->least / 2),
                              .normal = word->way,
                              .depth = word->least,
                              .feature = LEAST,
                              .triangle = word->side.triangle};
}

/* The least way that the mesh allows out of a triangle. False: there is none. */
static bool find_way(const shortfall *s, const lode__mesh_word *word, lode__mesh_point *out)
{
    if (word->stands_in || word->leans >= 0)
        return lode__mesh_least_allowed(s->query, &word->side, REAL_MAX, out);
    *out = least_point(s->query, word);
    return true;
}

/* What is to be said once more, and was not. False: nothing. */
static bool find_missing(const shortfall *s, lode__mesh_point *out)
{
    const lode__mesh_points *points = s->query->out;
    *out = (lode__mesh_point){.depth = REAL_MAX};
    for (uint32_t i = 0; i < points->word_count; ++i) {
        const lode__mesh_word *word = &points->words[i];
        lode__mesh_point point;
        if (is_short(s, word) && find_way(s, word, &point) &&
            !leads(s, point.normal, point.depth) && is_before(&point, out))
            *out = point;
    }
    return out->depth < REAL_MAX;
}

/* As a point of its own; or, where a cluster of deeper ones would have it, by what that lacks. */
static void say(shortfall *s, const lode__mesh_point *missing)
{
    plane *swallows = plane_of(s, missing->normal);
    if (!swallows || swallows->point->depth < missing->depth) {
        lode__mesh_add_point(s->query, missing);
        return;
    }
    lode_real lacks = missing->depth - s->length * v3_dot(s->unit, missing->normal);
    swallows->point->depth += lacks / v3_dot(swallows->point->normal, missing->normal);
}

void lode__mesh_complete(const lode__mesh_query *query)
{
    if (!query->out->any_short)
        return;
    shortfall s = {.query = query, .slack = rounding_of(query->out)};
    lode__mesh_point missing;
    for (int said = 0; said < MOST_SAID && !query->out->failed; ++said) {
        if (!go_all(&s) || !find_missing(&s, &missing))
            return;
        say(&s, &missing);
    }
}
