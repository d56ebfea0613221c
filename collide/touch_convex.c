/* touch_convex.c: the contact of any two convex solids.
 *
 * 1. Normal. The nearest points of the cores, or the least way out of each other, give it to the
 *    last
 * digit, and in a stack that is too much: where faces lie on each other many directions are equal
 * but for rounding. So a face whose normal is near and parts the solids all but as far takes the
 * lead, a's before b's.
 * 2. Faces. Each solid's face that looks at the other, a polygon, an edge or a vertex. The face
 *    that
 * leads is the reference: the other one is clipped by its sides (Sutherland and Hodgman 1974,
 * "Reentrant polygon clipping"). Where none leads, two edges that run along each other touch along
 * the stretch they share.
 * 3. The deepest point of the pair is known exactly, from the normal. It counts as a point of its
 *    own
 * where the clipped ones miss it by more than rounding, as on rims; else the deepest of them takes
 * its depth.
 * 4. Four points are kept (collide/reduce.h).
 *
 * All in the axes of a, from its centre, in double. */
#include "collide/touch_convex.h"

#include "collide/gjk.h"
#include "collide/reduce.h"

/* Of the speculative margin and of the thinner solid's width along the normal: what is rounding. */
#define TOUCH_MARGIN 0.05
#define TOUCH_WIDTH 0.01

/* Of the depth of the cores: how much longer a face's way out may be. */
#define TOUCH_DEPTH 0.02

/* Of the distance of cores with a radius around them: how much shorter a face may find it. */
#define TOUCH_ROUNDED 1e-5

/* Cosine of the angle within which a face's normal takes the lead. */
#define TOUCH_NEAR 0.99

/* How generous clipping is: in rounding lengths, but no more than a share of the side. */
#define CLIP_SLACK 2
#define CLIP_SHARE (1.0 / 64)

/* Of the thinner solid's width: how far edges may lie beside each other, and how short the stretch
 * they share may be. Cosine squared above which they run along each other. */
#define EDGE_BESIDE 0.15
#define EDGE_SHORT 0.05
#define EDGE_ALONG 0.9

enum { CLIP_POINTS = LODE__TOUCH_ALL - 1, DEEPEST_FEATURE = 1, NO_FACE = -1, FACE_A, FACE_B };

/* What is known of a contact on its way. */
typedef struct contact {
    const lode__convex_pair *pair;
    double radius_a, radius_b, speculative;
    lode__nearest nearest;
    lode__double3 normal; /* from b to a */
    double gap;           /* of the cores along it */
    double width;         /* of the thinner solid along it */
    double rounding;      /* lengths that are nothing */
    int reference;        /* NO_FACE, FACE_A or FACE_B */
    lode__face a, b;
    int count;
    lode__candidate list[CLIP_POINTS + 1];
} contact;

/* --- the normal */

static double width_of(const lode__convex_pair *p, lode__double3 n, double *out_b)
{
    lode__double3 minus = d3_neg(n);
    *out_b = d3_dot(n, d3_sub(convex_support_b(p, n), convex_support_b(p, minus)));
    return d3_dot(n, d3_sub(convex_support_a(p, n), convex_support_a(p, minus)));
}

/* A triangle has no width; then the other solid's counts. */
static void find_width(contact *c)
{
    double b, a = width_of(c->pair, c->normal, &b);
    a += 2 * c->radius_a;
    b += 2 * c->radius_b;
    double less = d_min(a, b), more = d_max(a, b);
    c->width = less > more * 1e-9 ? less : more;
    c->rounding = d_min(c->speculative * TOUCH_MARGIN, c->width * TOUCH_WIDTH);
}

/* Around cores that are apart the normal turns with the place, and it is known to the last
 * digit. */
static double slack_of(const contact *c)
{
    bool rounded = c->radius_a + c->radius_b > 0;
    return rounded && c->gap > 0 ? d_min(c->rounding, c->gap * TOUCH_ROUNDED)
                                 : c->rounding + d_max(-c->gap, 0) * TOUCH_DEPTH;
}

/* Lets the face lead if its normal, brought to point from b to a, is as good as the best. */
static bool try_face(contact *c, const lode__face *face, double side, int which)
{
    if (face->count < 3)
        return false;
    lode__double3 n = d3_scale(face->normal, side);
    if (!(d3_dot(n, c->normal) > TOUCH_NEAR))
        return false;
    double gap = convex_gap(c->pair, n);
    if (!(gap > c->gap - slack_of(c)))
        return false;
    c->normal = n;
    c->gap = gap;
    c->reference = which;
    return true;
}

static void find_faces(contact *c)
{
    lode__convex_face_a(c->pair, c->normal, &c->a);
    lode__convex_face_b(c->pair, c->normal, &c->b);
    if (try_face(c, &c->a, -1, FACE_A))
        lode__convex_face_b(c->pair, c->normal, &c->b);
    else if (try_face(c, &c->b, 1, FACE_B))
        lode__convex_face_a(c->pair, c->normal, &c->a);
}

/* --- candidates */

static uint32_t name_vertex(bool of_a, uint32_t vertex)
{
    return (uint32_t)(of_a ? LODE__TOUCH_VERTEX_A : LODE__TOUCH_VERTEX_B) << 28 | vertex;
}

static uint32_t name_edges(uint32_t edge_a, uint32_t edge_b)
{
    return (uint32_t)LODE__TOUCH_EDGES << 28 | edge_a << 14 | edge_b;
}

/* A point of b's core, with the gap to a's above it. */
static void add_candidate(contact *c, lode__double3 on_b, double gap, uint32_t feature)
{
    double depth = c->radius_a + c->radius_b - gap;
    if (!(depth > -c->speculative))
        return;
    double middle = (gap + c->radius_b - c->radius_a) / 2;
    c->list[c->count++] = (lode__candidate){d3_madd(on_b, c->normal, middle), depth, feature};
}

/* Where the pair is deepest, brought to the normal that was chosen: with a face leading, the
 * nearest point of the other solid stays. */
static void add_deepest(contact *c)
{
    lode__double3 on_a = c->nearest.on_a, on_b = c->nearest.on_b,
                  above = d3_scale(c->normal, -c->gap);
    if (c->reference == FACE_B)
        on_b = d3_add(on_a, above);
    else if (c->reference == NO_FACE)
        on_b = d3_scale(d3_add(on_b, d3_add(on_a, above)), 0.5);
    add_candidate(c, on_b, c->gap, DEEPEST_FEATURE);
}

static lode__candidate *deepest_of(contact *c)
{
    lode__candidate *deepest = &c->list[0];
    for (int k = 1; k < c->count; ++k)
        if (c->list[k].depth > deepest->depth)
            deepest = &c->list[k];
    return deepest;
}

/* So that the order of clipping does not choose among points that are all but equal. */
static void sort_by_feature(contact *c)
{
    for (int i = 1; i < c->count; ++i) {
        lode__candidate moved = c->list[i];
        int k = i;
        for (; k > 0 && c->list[k - 1].feature > moved.feature; --k)
            c->list[k] = c->list[k - 1];
        c->list[k] = moved;
    }
}

/* How far a must go along the normal to part from b. A leading face is deeper than the least way
 * out by what is beside the other solid, too; but who goes along the face's normal until he has
 * gone the least way out along its own has parted as well. */
static double way_out(const contact *c)
{
    double least = c->radius_a + c->radius_b - c->nearest.gap;
    double whole = c->radius_a + c->radius_b - c->gap;
    return least > 0 ? d_max(least, d_min(whole, least / d3_dot(c->normal, c->nearest.normal)))
                     : least;
}

/* Those that were clipped may miss the deepest one, on a rim by much; where they miss it by
 * rounding, the deepest of those that are kept takes its depth, which is returned. */
static double complete_points(contact *c)
{
    double depth = way_out(c);
    bool missed = c->count == 0 || deepest_of(c)->depth < depth - c->rounding;
    if (missed)
        add_deepest(c);
    sort_by_feature(c);
    return depth;
}

/* Keeps four points. */
static void choose_points(contact *c)
{
    double depth = complete_points(c);
    c->count = lode__reduce(c->list, c->count, c->normal, c->rounding);
    deepest_of(c)->depth = depth;
}

/* --- clipping by a face */

/* A side of the reference face: a plane that stands on it, moved outwards by `slack`. */
typedef struct side {
    lode__double3 out; /* unit */
    double at, slack;
} side;

/* A corner of what is left: what it is named by, and the edge that follows. */
typedef struct corner {
    lode__double3 p;
    uint32_t feature;
    int edge; /* of the incident face, by index; below 0: side -1 - edge of the reference face */
} corner;

typedef struct clip {
    const lode__face *reference, *incident;
    bool by_a; /* the reference face is a's */
    int sides, count;
    side side[LODE__FACE_POINTS];
    corner corner[CLIP_POINTS];
} clip;

static void make_sides(clip *k, double rounding)
{
    const lode__face *f = k->reference;
    k->sides = 0;
    for (int i = 0; i < f->count; ++i) {
        lode__double3 along = d3_sub(f->point[i + 1 < f->count ? i + 1 : 0], f->point[i]);
        side s = {.out = d3_normalize_or(d3_cross(along, f->normal), d3(0, 0, 0))};
        s.at = d3_dot(s.out, f->point[i]);
        s.slack = d_min(rounding * CLIP_SLACK, d3_length(along) * CLIP_SHARE);
        k->side[k->sides++] = s;
    }
}

static double beyond(const side *s, lode__double3 p)
{
    return d3_dot(s->out, p) - s->at - s->slack;
}

/* Where an edge of what is left crosses a side: two sides make a corner of the reference face. */
static uint32_t name_crossing(const clip *k, int edge, int side)
{
    const lode__face *r = k->reference;
    if (edge < 0) {
        int other = -1 - edge;
        return name_vertex(k->by_a, r->vertex[other == (side + 1) % k->sides ? other : side]);
    }
    uint32_t mine = r->edge[side], its = k->incident->edge[edge];
    return k->by_a ? name_edges(mine, its) : name_edges(its, mine);
}

static lode__double3 crossing(lode__double3 p, lode__double3 q, double beyond_p, double beyond_q)
{
    return d3_madd(p, d3_sub(q, p), beyond_p / (beyond_p - beyond_q));
}

/* Convex, so a side adds at most one corner. */
static void clip_polygon(clip *k, int i)
{
    corner kept[CLIP_POINTS];
    double over[CLIP_POINTS], most = -1;
    int count = 0;
    for (int n = 0; n < k->count; ++n) {
        over[n] = beyond(&k->side[i], k->corner[n].p);
        most = d_max(over[n], most);
    }
    if (!(most > 0))
        return;
    for (int n = 0; n < k->count; ++n) {
        int next = n + 1 < k->count ? n + 1 : 0;
        const corner *p = &k->corner[n], *q = &k->corner[next];
        double one = over[n], other = over[next];
        if (one <= 0 && count < CLIP_POINTS)
            kept[count++] = *p;
        if ((one <= 0) == (other <= 0) || count == CLIP_POINTS)
            continue;
        /* where it leaves, the side itself is the edge that follows */
        corner c = {crossing(p->p, q->p, one, other), name_crossing(k, p->edge, i),
                    one <= 0 ? -1 - i : p->edge};
        kept[count++] = c;
    }
    for (int n = 0; n < count; ++n)
        k->corner[n] = kept[n];
    k->count = count;
}

static void clip_segment(clip *k, int i)
{
    corner *p = &k->corner[0], *q = &k->corner[1];
    double one = beyond(&k->side[i], p->p), other = beyond(&k->side[i], q->p);
    if (one > 0 && other > 0) {
        k->count = 0;
    } else if ((one > 0) != (other > 0)) {
        corner *cut = one > 0 ? p : q;
        cut->p = crossing(p->p, q->p, one, other);
        cut->feature = name_crossing(k, p->edge, i);
    }
}

/* Back onto the face what slack let out. */
static lode__double3 pull_back(const clip *k, lode__double3 p)
{
    for (int i = 0; i < k->sides; ++i) {
        double over = d3_dot(k->side[i].out, p) - k->side[i].at;
        if (over > 0)
            p = d3_madd(p, k->side[i].out, -over);
    }
    return p;
}

static void clip_by_face(contact *c)
{
    clip k; /* long: only what is used is set */
    k.by_a = c->reference == FACE_A;
    k.reference = k.by_a ? &c->a : &c->b;
    k.incident = k.by_a ? &c->b : &c->a;
    make_sides(&k, c->rounding);
    k.count = k.incident->count;
    for (int i = 0; i < k.count; ++i)
        k.corner[i] = (corner){k.incident->point[i], name_vertex(!k.by_a, k.incident->vertex[i]),
                               i};
    for (int i = 0; i < k.sides && k.count > 0; ++i) {
        if (k.count > 2)
            clip_polygon(&k, i);
        else if (k.count == 2)
            clip_segment(&k, i);
        else if (beyond(&k.side[i], k.corner[0].p) > 0)
            k.count = 0;
    }
    for (int i = 0; i < k.count; ++i) {
        lode__double3 p = k.corner[i].p;
        double gap = d3_dot(k.reference->normal, d3_sub(p, k.reference->point[0]));
        p = pull_back(&k, p);
        add_candidate(c, k.by_a ? p : d3_madd(p, c->normal, -gap), gap, k.corner[i].feature);
    }
}

/* --- edges along each other */

typedef struct edge {
    lode__double3 p[2];
    uint32_t vertex[2];
} edge;

/* The edge of the face that lies farthest along the direction. Chords are no edges. */
static bool find_edge(const lode__face *f, lode__double3 direction, edge *out)
{
    double most = -1e300;
    if (f->count < 2 || f->round)
        return false;
    for (int i = 0; i < (f->count == 2 ? 1 : f->count); ++i) {
        int j = (i + 1) % f->count;
        double along = d3_dot(direction, d3_add(f->point[i], f->point[j]));
        if (along > most) {
            most = along;
            *out = (edge){{f->point[i], f->point[j]}, {f->vertex[i], f->vertex[j]}};
        }
    }
    return true;
}

/* An end of the shared stretch, at the place s along `u`: where a's edge is there, and b's. */
static void add_end(contact *c, const edge *a, const edge *b, lode__double3 u, double s,
                    uint32_t feature)
{
    lode__double3 on[2];
    const edge *edges[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        lode__double3 p = edges[k]->p[0], d = d3_sub(edges[k]->p[1], p);
        on[k] = d3_madd(p, d, (s - d3_dot(u, p)) / d3_dot(u, d));
    }
    lode__double3 apart = d3_sub(on[0], on[1]);
    double gap = d3_dot(apart, c->normal), most = c->width * EDGE_BESIDE;
    lode__double3 beside = d3_madd(apart, c->normal, -gap);
    if (d3_dot(beside, beside) <= most * most)
        add_candidate(c, d3_madd(on[1], beside, 0.5), gap, feature);
}

/* The ends of two stretches on one line, the lower or the upper ones: the inner one, a's if the two
 * are equal within rounding. */
static double inner_end(const contact *c, double a, double b, double sign, bool *out_a)
{
    *out_a = sign * a < sign * b + c->rounding * CLIP_SLACK;
    return sign > 0 ? d_min(a, b) : d_max(a, b);
}

static void touch_along_edges(contact *c)
{
    edge a, b;
    if (!find_edge(&c->a, d3_neg(c->normal), &a) || !find_edge(&c->b, c->normal, &b))
        return;
    lode__double3 u = d3_normalize_or(d3_sub(a.p[1], a.p[0]), d3(0, 0, 0));
    lode__double3 v = d3_normalize_or(d3_sub(b.p[1], b.p[0]), d3(0, 0, 0));
    double dot = d3_dot(u, v);
    if (!(dot * dot > EDGE_ALONG))
        return;
    int lo = dot < 0 ? 1 : 0; /* of b's ends the lower one */
    double a_lo = d3_dot(u, a.p[0]), a_hi = d3_dot(u, a.p[1]);
    double b_lo = d3_dot(u, b.p[lo]), b_hi = d3_dot(u, b.p[1 - lo]);
    bool lower_a, upper_a;
    double lower = inner_end(c, a_lo, b_lo, -1, &lower_a);
    double upper = inner_end(c, a_hi, b_hi, 1, &upper_a);
    if (!(upper - lower > c->width * EDGE_SHORT))
        return;
    add_end(c, &a, &b, u, lower,
            lower_a ? name_vertex(true, a.vertex[0]) : name_vertex(false, b.vertex[lo]));
    add_end(c, &a, &b, u, upper,
            upper_a ? name_vertex(true, a.vertex[1]) : name_vertex(false, b.vertex[1 - lo]));
}

/* --- all of it */

static void write_touch(const contact *c, lode_quat rotation_a, lode__touch *out)
{
    lode__double33 turn = d33_from_quat(rotation_a);
    out->normal = d3_to(d33_mul(&turn, c->normal));
    for (int k = 0; k < c->count; ++k) {
        out->position[k] = d3_to(d33_mul(&turn, c->list[k].position));
        out->depth[k] = (lode_real)c->list[k].depth;
        out->feature[k] = c->list[k].feature;
    }
    out->count = c->count;
}

static void begin(contact *c, const lode__convex_pair *pair, lode_real speculative)
{
    c->pair = pair;
    c->radius_a = pair->a.radius;
    c->radius_b = pair->b.radius;
    c->speculative = speculative;
    c->count = 0;
    c->reference = NO_FACE;
}

static bool too_far(const contact *c)
{
    return !(c->radius_a + c->radius_b - c->gap > -c->speculative);
}

/* All points. False: there is no contact. */
static bool find_contact(contact *c, const lode__convex_pair *pair, lode_real speculative)
{
    begin(c, pair, speculative);
    lode__gjk_nearest(pair, pair->a.radius + pair->b.radius + c->speculative, &c->nearest);
    c->normal = c->nearest.normal;
    c->gap = c->nearest.gap;
    if (too_far(c))
        return false;
    find_width(c);
    find_faces(c);
    if (c->reference == NO_FACE)
        touch_along_edges(c);
    else
        clip_by_face(c);
    return true;
}

void lode__touch_convex(lode__convex a, lode_quat rotation_a, lode__convex b, lode_quat rotation_b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__convex_pair pair = lode__convex_pair_make(a, rotation_a, b, rotation_b, offset);
    contact c;
    if (!find_contact(&c, &pair, speculative))
        return;
    choose_points(&c);
    write_touch(&c, rotation_a, out);
}

int lode__touch_convex_all(lode__convex a, lode_quat rotation_a, lode__convex b,
                           lode_quat rotation_b, lode_vec3 offset, lode_real speculative,
                           lode_vec3 *out_normal, lode__candidate out[LODE__TOUCH_ALL])
{
    lode__convex_pair pair = lode__convex_pair_make(a, rotation_a, b, rotation_b, offset);
    lode__double33 turn = d33_from_quat(rotation_a);
    contact c;
    if (!find_contact(&c, &pair, speculative))
        return 0;
    double depth = complete_points(&c);
    deepest_of(&c)->depth = depth;
    *out_normal = d3_to(d33_mul(&turn, c.normal));
    for (int k = 0; k < c.count; ++k) {
        out[k] = c.list[k];
        out[k].position = d33_mul(&turn, c.list[k].position);
    }
    return c.count;
}

/* The lowest point of a counts where it is above the face, and clipping missed it as on a rim. */
static void choose_onto(contact *c)
{
    clip k;
    k.reference = &c->b;
    lode__double3 on_a = convex_support_a(c->pair, d3_neg(c->normal));
    make_sides(&k, c->rounding);
    bool above = true;
    for (int i = 0; i < k.sides; ++i)
        above = above && beyond(&k.side[i], on_a) <= 0;
    double depth = c->radius_a + c->radius_b - c->gap;
    if (above && (c->count == 0 || deepest_of(c)->depth < depth - c->rounding))
        add_candidate(c, d3_madd(on_a, c->normal, -c->gap), c->gap, DEEPEST_FEATURE);
    if (c->count == 0)
        return;
    sort_by_feature(c);
    c->count = lode__reduce(c->list, c->count, c->normal, c->rounding);
}

void lode__touch_convex_onto(lode__convex a, lode_quat rotation_a, lode__convex b,
                             lode_quat rotation_b, lode_vec3 offset, lode_vec3 normal,
                             lode_real speculative, lode__touch *out)
{
    lode__convex_pair pair = lode__convex_pair_make(a, rotation_a, b, rotation_b, offset);
    lode__double33 turn = d33_from_quat(rotation_a);
    contact c;
    begin(&c, &pair, speculative);
    c.normal = d33_mul_t(&turn, d3_from(normal));
    c.gap = convex_gap(&pair, c.normal);
    if (too_far(&c))
        return;
    find_width(&c);
    lode__convex_face_a(&pair, c.normal, &c.a);
    lode__convex_face_b(&pair, c.normal, &c.b);
    c.reference = FACE_B;
    clip_by_face(&c);
    choose_onto(&c);
    write_touch(&c, rotation_a, out);
}
