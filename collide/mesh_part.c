/* mesh_part.c: the one way that leads a shape out of a surface as a whole.
 *
 * What triangles say (mesh_touch.h) is known near each of them. In a hollow, or deep among bumps,
 * who moves by the deepest of it meets others. The depth of a pair is the length of the shortest
 * way that parts it (Cameron and Culley 1986). For convex solids that is one of a few; a surface
 * with hollows has as many as it likes. So it is sought from what the contacts say, as PolyDepth
 * does (Je, Tang, Lee, Lee and Kim 2012, "PolyDepth: real-time penetration depth computation using
 * iterative contact-space projection"):
 *
 *     out    along a direction the shape is led to the first place where it meets nothing
 *            (mesh_leave.c): a way that parts the pair for certain;
 *     in     there it touches with a normal. Nearer than that plane it would not be out, so the
 *            next direction is the shortest way beyond all planes that were found.
 *
 * Directions to begin with are the contacts' normals, the shortest way that goes all that they
 * ask for, and 26 that are spread over the sphere. The shortest way out of all is the depth. If
 * the deepest contact leads out by itself, and that way is as good but for the usual preferences,
 * nothing changes. Else the way becomes a contact, and those that would lead farther are left out:
 * it leads out of their triangles too.
 *
 * The points' order decides nothing: the deepest comes first. Which of several ways is found may
 * hang on rounding where they are nearly equal, as with any least of many. Steps have no such
 * point: their contacts hold a shape all together. */
#include "collide/mesh_leave.h"
#include "collide/mesh_ways.h"

/* The name of such a point. */
enum { WHOLE = 12 };

enum { LOOKS = 4, MOST_TRIED = 128 };

/* Cosine of the angle between directions that need not both be tried. */
#define TRIED 0.995

/* Of the shape's size: who is no deeper, and told one way only, as most are that rest, goes that
 * way if it leads out. */
#define SHALLOW 0.0625

/* Who goes so many times the shortest way is not followed any farther. */
#define FAR 1.25

typedef struct parting {
    const lode__mesh_query *query;
    lode__leaving leaving;
    lode__left best;
    lode__double3 way; /* unit, of the best; its length is infinite while there is none */
    int count;
    lode__double3 tried[MOST_TRIED];
} parting;

/* --- one direction and those that follow from it */

static bool is_tried(const parting *p, lode__double3 direction)
{
    for (int k = 0; k < p->count; ++k)
        if (d3_dot(p->tried[k], direction) > TRIED)
            return true;
    return p->count == MOST_TRIED;
}

/* Takes it if it is the shortest so far. False: it is far from that, or nothing new. */
static bool try_way(parting *p, lode__double3 direction, lode__left *out)
{
    if (is_tried(p, direction))
        return false;
    p->tried[p->count++] = direction;
    if (!lode__leave(&p->leaving, direction, FAR * p->best.length, out))
        return false;
    if (out->length < p->best.length) {
        p->best = *out;
        p->way = direction;
    }
    return true;
}

static void follow(parting *p, lode__double3 direction)
{
    lode__ways planes = {.count = 0};
    lode__left left;
    for (int look = 0; look < LOOKS && try_way(p, direction, &left); ++look) {
        lode_real depth = (lode_real)(left.length * d3_dot(direction, left.normal));
        ways_note(&planes, d3_to(left.normal), depth);
        direction = d3_normalize_or(d3_from(ways_shortest(&planes)), direction);
    }
}

/* --- what the contacts say */

static bool is_deeper(const lode__mesh_point *p, const lode__mesh_point *q)
{
    if (p->depth != q->depth)
        return p->depth > q->depth;
    if (p->normal.x != q->normal.x)
        return p->normal.x > q->normal.x;
    return p->normal.y != q->normal.y ? p->normal.y > q->normal.y : p->normal.z > q->normal.z;
}

/* The deepest point that goes none of the ways; null: there is none of any depth. */
static const lode__mesh_point *next_deepest(const lode__mesh_points *points, const lode__ways *ways)
{
    const lode__mesh_point *best = NULL;
    for (uint32_t i = 0; i < points->count; ++i) {
        const lode__mesh_point *p = &points->items[i];
        bool may = p->depth > 0 && (!best || is_deeper(p, best));
        for (int k = 0; k < ways->count && may; ++k)
            may = v3_dot(p->normal, ways->way[k].normal) <= LODE__ONE_WAY;
        best = may ? p : best;
    }
    return best;
}

/* From the deepest on, whatever order the points are in. */
static lode__ways gather(const lode__mesh_points *points)
{
    lode__ways ways = {.count = 0};
    const lode__mesh_point *next;
    while (ways.count < LODE__MOST_WAYS && (next = next_deepest(points, &ways)))
        ways.way[ways.count++] = (lode__way){next->normal, next->depth, 0};
    return ways;
}

/* --- the point */

static lode__mesh_point whole_point(const parting *p)
{
    const lode__left *left = &p->best;
    lode__double3 middle = d3_madd(left->on, p->way, -left->length / 2);
    return (lode__mesh_point){.position = d3_to(middle),
                              .normal = d3_to(p->way),
                              .depth = (lode_real)left->length,
                              .feature = WHOLE,
                              .triangle = left->triangle,
                              .other = left->other};
}

/* It is the deepest then, and the first of those that are as deep; what leads farther along its own
 * normal is as deep. */
static void let_lead(const lode__mesh_query *query, const lode__mesh_point *whole)
{
    lode__mesh_points *points = query->out;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < points->count; ++i) {
        lode__mesh_point *point = &points->items[i];
        bool alike = v3_dot(point->normal, whole->normal) > LODE__ONE_WAY;
        if (point->depth > whole->depth && !alike)
            continue;
        point->depth = r_min(point->depth, whole->depth);
        points->items[kept++] = *point;
    }
    points->count = kept;
    lode__mesh_point first = kept > 0 ? points->items[0] : *whole;
    if (kept > 0)
        points->items[0] = *whole;
    lode__mesh_add_point(query, &first);
}

/* Does the deepest contact lead out, and is that as good as the best way? But for rounding; then
 * its points are told that much deeper. */
static bool leads_out(const parting *p, const lode__way *first)
{
    const lode__mesh_points *points = p->query->out;
    lode__left left;
    double rounding = 16 * (double)REAL_EPSILON * p->leaving.size;
    double enough = (double)first->depth + 2 * p->leaving.slack + rounding;
    if ((double)mesh_shorter(p->query, first->depth) > p->best.length ||
        !lode__leave(&p->leaving, d3_from(first->normal), enough, &left) || left.length > enough)
        return false;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].depth == first->depth)
            points->items[i].depth = r_max(first->depth, (lode_real)left.length);
    return true;
}

/* Contacts of deep poses may all lead the long way round: axes and diagonals of the surface. */
static void follow_others(parting *p)
{
    for (int i = 0; i < 27; ++i)
        follow(p, d3_normalize_or(d3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1), p->way));
}

void lode__mesh_part(const lode__mesh_query *query)
{
    lode__ways ways = gather(query->out);
    if (query->out->failed || ways.count == 0 || lode__mesh_deepens(query))
        return;
    parting p = {.query = query, .leaving = lode__leaving_make(query)};
    lode__double3 first = d3_from(ways.way[0].normal);
    p.best.length = __builtin_inf();
    p.way = first;
    if (ways.count == 1 && (double)ways.way[0].depth <= SHALLOW * p.leaving.size &&
        leads_out(&p, &ways.way[0]))
        return;
    follow(&p, first);
    follow(&p, d3_normalize_or(d3_from(ways_shortest(&ways)), first));
    for (int k = 1; k < ways.count; ++k)
        follow(&p, d3_from(ways.way[k].normal));
    follow_others(&p);
    if (!(p.best.length < __builtin_inf()) || leads_out(&p, &ways.way[0]))
        return;
    lode__mesh_point whole = whole_point(&p);
    let_lead(query, &whole);
}
