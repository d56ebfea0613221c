/* touch_hull.c: what polyhedra touch with: hulls, boxes and planes.
 *
 * A face that decides is the reference: the face of the other hull that looks most against it, the
 * incident one, is clipped against the planes through its edges (Sutherland and Hodgman 1974), and
 * what is left below it are the points. Two edges that decide touch in one point, midway between
 * their nearest.
 *
 * A feature is named by what touches: a vertex of a, one of b, or an edge of each, whichever hull
 * has the reference face. As with boxes (collide/box_face.h), where edges coincide rounding must
 * not choose between those names: the planes stand a little outside of the face, so that vertices
 * of the incident face on its rim count as vertices, and points are pulled back onto the face.
 *
 * Faces with more corners than the buffers hold are taken as polygons of every second corner, every
 * third and so on. */
#include "collide/hull_box.h"
#include "collide/kernels.h"
#include "collide/touch.h"
#include "collide/touch_hull.h"

enum { POINTS = LODE__HULL_POINTS, CORNERS = POINTS / 2 };

/* So many corners have a bit each, and twice as many have places: there may be a crossing beside
 * each. */
enum { FEW_CORNERS = 63 };

_Static_assert(2 * FEW_CORNERS <= POINTS, "places for all crossings");

/* How far outside the planes stand: a share of the smaller hull, but no more than a share of the
 * speculative margin. */
#define GENEROUS_SHARE ((lode_real)(1.0 / 128))
#define GENEROUS_MARGIN ((lode_real)0.1)

/* Depths that are equal, in units of the speculative margin. */
#define EQUAL_DEPTH ((lode_real)0.01)

/* Of depths, as a share of the hulls. */
#define ROUNDING (8 * REAL_EPSILON)

/* The kinds of features: two bits above the numbers. */
enum { VERTEX_A = 1u << 28, VERTEX_B = 2u << 28, EDGE_PAIR = 3u << 28, NUMBERS = (1u << 28) - 1 };

/* --- pairs */

static lode__hull_pair make_pair(const lode_hull *a, lode_quat rotation_a, const lode_hull *b,
                                 lode_quat rotation_b, lode_vec3 offset)
{
    lode__mat3 turn = m3_from_quat(q_mul(q_conj(rotation_a), rotation_b));
    lode__mat3 back = {v3(turn.r0.x, turn.r1.x, turn.r2.x), v3(turn.r0.y, turn.r1.y, turn.r2.y),
                       v3(turn.r0.z, turn.r1.z, turn.r2.z)};
    return (lode__hull_pair){a, b, turn, back, q_rotate_inv(rotation_a, offset)};
}

static lode__hull_pair swap_pair(const lode__hull_pair *p)
{
    return (lode__hull_pair){p->b, p->a, p->back, p->turn, v3_neg(m3_apply(&p->back, p->offset))};
}

static uint32_t ridge_of(const lode_hull *hull, uint32_t edge)
{
    uint32_t twin = hull->edges[edge].twin;
    return edge < twin ? edge : twin;
}

static uint32_t name_edges(const lode_hull *a, uint32_t edge_a, const lode_hull *b, uint32_t edge_b)
{
    return EDGE_PAIR | ((ridge_of(a, edge_a) * b->edge_count + ridge_of(b, edge_b)) & NUMBERS);
}

/* --- clipping */

/* A corner of what is left of the incident face, in the axes of the reference hull. */
typedef struct corner {
    lode_vec3 at;
    uint32_t feature;
    uint32_t edge;  /* that it lies on, up to the next corner: */
    bool on_border; /* one of the reference face, or else of the incident one */
} corner;

/* A side of the reference face. */
typedef struct side {
    lode__hull_side plane;
    uint32_t edge;
} side;

/* The reference hull is the pair's a, whichever it was. */
typedef struct clip {
    lode__hull_pair pair;
    bool swapped; /* it was b */
    const lode__hull_face *face;
    uint32_t deepest; /* vertex of the other hull */
    lode_real slack;
    side sides[CORNERS];
    int side_count;
    corner *corners; /* what is left, in one of the buffers */
    int count;
    corner buffers[2][POINTS];
} clip;

static uint32_t name_vertex(const clip *c, bool of_reference, uint32_t vertex)
{
    return (of_reference != c->swapped ? VERTEX_A : VERTEX_B) | (vertex & NUMBERS);
}

static uint32_t name_crossing(const clip *c, uint32_t border, uint32_t edge)
{
    const lode_hull *a = c->pair.a, *b = c->pair.b;
    return c->swapped ? name_edges(b, edge, a, border) : name_edges(a, border, b, edge);
}

/* The vertex between two edges of the reference face. */
static uint32_t name_border_corner(const clip *c, uint32_t one, uint32_t other)
{
    const lode_hull *a = c->pair.a;
    bool one_first = hull_next(a, one) == other;
    return name_vertex(c, true, a->edges[one_first ? other : one].origin);
}

static uint32_t step_over(const lode__hull_face *face)
{
    return (face->count + CORNERS - 1) / CORNERS;
}

/* Of the faces at the vertex that reaches farthest against the reference face, the one that looks
 * most against it; and which corner of it that vertex is. */
static const lode__hull_face *find_incident(const clip *c, uint32_t *out_corner)
{
    const lode_hull *b = c->pair.b;
    lode_vec3 inward = v3_neg(m3_apply(&c->pair.back, c->face->normal));
    uint32_t first = b->leaving[c->deepest], edge = first;
    uint32_t best = first;
    lode_real most = -REAL_MAX;
    do {
        lode_real facing = v3_dot(b->faces[b->edges[edge].face].normal, inward);
        best ^= (best ^ edge) & -(uint32_t)(facing > most); /* a branch would not be foreseen */
        most = r_max(facing, most);
        edge = hull_next(b, b->edges[edge].twin);
    } while (edge != first);
    *out_corner = best - b->faces[b->edges[best].face].first;
    return &b->faces[b->edges[best].face];
}

static void begin_clip(clip *c)
{
    const lode_hull *b = c->pair.b;
    uint32_t deepest;
    const lode__hull_face *face = find_incident(c, &deepest);
    uint32_t step = step_over(face), at = step > 1 ? deepest : 0;
    int count = 0;
    c->corners = c->buffers[0];
    for (uint32_t i = 0; i < face->count; i += step) {
        uint32_t edge = face->first + at, vertex = b->edges[edge].origin;
        c->corners[count++] = (corner){
            v3_add(m3_apply(&c->pair.turn, b->vertices[vertex]), c->pair.offset),
            name_vertex(c, false, vertex), edge, false};
        at += step;
        at -= at >= face->count ? face->count : 0;
    }
    c->count = count;
}

static void make_sides(clip *c)
{
    const lode_hull *a = c->pair.a;
    uint32_t step = step_over(c->face), first = c->face->first, count = c->face->count;
    int sides = 0;
    for (uint32_t i = 0; i < count; i += step) {
        uint32_t edge = first + i, to = first + (i + step < count ? i + step : 0);
        c->sides[sides++] = (side){
            step == 1 && a->sides ? a->sides[edge] : lode__hull_side_of(a, edge, to), edge};
    }
    c->side_count = sides;
}

static corner cross_side(const clip *c, const side *s, const corner *from, lode_real above_from,
                         const corner *to, lode_real above_to)
{
    lode_real share = above_from / (above_from - above_to);
    corner crossing = {.at = v3_madd(from->at, v3_sub(to->at, from->at), share),
                       .feature = from->on_border ? name_border_corner(c, from->edge, s->edge)
                                                  : name_crossing(c, s->edge, from->edge)};
    bool leaves = above_from < above_to;
    crossing.edge = leaves ? s->edge : from->edge;
    crossing.on_border = leaves || from->on_border;
    return crossing;
}

/* How high the corners are above the side; returns a bit for each that is, of the first 64. */
static uint64_t find_above(const clip *c, const side *s, lode_real above[POINTS], bool *out_any)
{
    uint64_t bits[2] = {0, 0};
    for (int i = 0; i < c->count; ++i) {
        above[i] = v3_dot(s->plane.out, c->corners[i].at) - s->plane.offset - c->slack;
        bits[i / 64] |= (uint64_t)(above[i] > 0) << i % 64;
    }
    *out_any = (bits[0] | bits[1]) != 0;
    return bits[0];
}

/* The first corner from `from` on with another bit than `is_above`, or the end. */
static int find_turn(uint64_t bits, int from, int count, bool is_above)
{
    uint64_t others = (is_above ? ~bits : bits) >> from;
    int turn = from + (others != 0 ? __builtin_ctzll(others) : 64);
    return turn < count ? turn : count;
}

static void cut_edge(const clip *c, const side *s, const lode_real *above, int i, corner *out)
{
    int next = i + 1 < c->count ? i + 1 : 0;
    *out = cross_side(c, s, &c->corners[i], above[i], &c->corners[next], above[next]);
}

/* A round border is above the side along one stretch, or not at all: what stays is copied in runs,
 * from one crossing to the next. */
static int cut_runs(const clip *c, const side *s, const lode_real *above, uint64_t bits,
                    corner *after)
{
    int kept = 0, count = c->count;
    for (int i = 0; i < count;) {
        bool is_above = bits >> i & 1;
        int end = find_turn(bits, i, count, is_above);
        for (; i < end && !is_above; ++i)
            after[kept++] = c->corners[i];
        i = end;
        if (i < count || (bits & 1) != is_above)
            cut_edge(c, s, above, i - 1, &after[kept++]);
    }
    return kept;
}

/* The same of so many corners that there may be too few places. */
static int cut_many(const clip *c, const side *s, const lode_real *above, corner *after)
{
    int kept = 0;
    for (int i = 0; i < c->count; ++i) {
        int next = i + 1 < c->count ? i + 1 : 0;
        if (!(above[i] > 0) && kept < POINTS)
            after[kept++] = c->corners[i];
        if ((above[i] > 0) != (above[next] > 0) && kept < POINTS)
            cut_edge(c, s, above, i, &after[kept++]);
    }
    return kept;
}

static void clip_side(clip *c, const side *s)
{
    lode_real above[POINTS];
    bool any;
    uint64_t bits = find_above(c, s, above, &any);
    if (!any)
        return;
    corner *after = c->corners == c->buffers[0] ? c->buffers[1] : c->buffers[0];
    c->count = c->count <= FEW_CORNERS ? cut_runs(c, s, above, bits, after)
                                       : cut_many(c, s, above, after);
    c->corners = after;
}

/* By the half of x + |x|, which is what is above 0: without a branch that would not be foreseen. */
static lode_vec3 pull_back(const clip *c, lode_vec3 at)
{
    for (int i = 0; i < c->side_count; ++i) {
        const lode__hull_side *s = &c->sides[i].plane;
        lode_real beyond = v3_dot(s->out, at) - s->offset;
        at = v3_madd(at, s->out, (lode_real)-0.5 * (beyond + r_abs(beyond)));
    }
    return at;
}

/* Points are midway between the surfaces. */
static int list_points(const clip *c, lode_real speculative, lode__candidate *out)
{
    int count = 0;
    for (int i = 0; i < c->count; ++i) {
        const corner *at = &c->corners[i];
        lode_real depth = c->face->offset - v3_dot(c->face->normal, at->at);
        out[count] = (lode__candidate){
            d3_from(v3_madd(pull_back(c, at->at), c->face->normal, depth / 2)), depth, at->feature};
        count += depth > -speculative;
    }
    return count;
}

/* Polyhedra that overlap along all axes touch, even where clipping leaves nothing. */
static void stand_in(const clip *c, lode_real separation, lode__candidate *out)
{
    lode_vec3 at = v3_add(m3_apply(&c->pair.turn, c->pair.b->vertices[c->deepest]), c->pair.offset);
    *out = (lode__candidate){d3_from(v3_madd(at, c->face->normal, -separation / 2)), -separation,
                             name_vertex(c, false, c->deepest)};
}

/* --- polyhedra */

/* What was found, before some are chosen: points in the axes of one of the hulls. */
typedef struct found {
    int count;
    lode__candidate points[POINTS];
    lode_vec3 along; /* the reference face's normal, in these axes */
    lode_vec3 normal;
    lode_quat rotation; /* from these axes to the world's */
    lode_vec3 from;     /* where their origin is */
} found;

static void touch_faces(const lode__hull_pair *pair, const lode__hull_axis *axis,
                        const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                        lode_real speculative, found *out)
{
    clip c;
    c.swapped = axis->way == LODE__HULLS_FACE_B;
    c.pair = c.swapped ? swap_pair(pair) : *pair;
    c.face = &c.pair.a->faces[axis->face];
    c.deepest = axis->vertex;
    c.slack = r_min(r_min(pair->a->size, pair->b->size) * GENEROUS_SHARE,
                    speculative * GENEROUS_MARGIN);
    begin_clip(&c);
    make_sides(&c);
    for (int i = 0; i < c.side_count && c.count > 0; ++i)
        clip_side(&c, &c.sides[i]);
    out->count = list_points(&c, speculative, out->points);
    if (out->count == 0) {
        stand_in(&c, axis->separation, out->points);
        out->count = 1;
    }
    out->along = c.face->normal;
    out->rotation = c.swapped ? b->rotation : a->rotation;
    out->from = c.swapped ? offset : v3_zero();
    out->normal = q_rotate(out->rotation, c.face->normal);
    out->normal = c.swapped ? out->normal : v3_neg(out->normal);
}

static lode_real clamp_share(lode_real x)
{
    return r_min(r_max(x, 0), 1);
}

static void touch_edges(const lode__hull_pair *p, const lode__hull_axis *axis, lode_quat rotation,
                        found *out)
{
    lode_vec3 u = hull_edge_vector(p->a, axis->edge_a);
    lode_vec3 v = m3_apply(&p->turn, hull_edge_vector(p->b, axis->edge_b));
    lode_vec3 from_a = p->a->vertices[p->a->edges[axis->edge_a].origin];
    lode_vec3 from_b = p->b->vertices[p->b->edges[axis->edge_b].origin];
    from_b = v3_add(m3_apply(&p->turn, from_b), p->offset);
    lode_vec3 apart = v3_sub(from_b, from_a);
    lode_real uu = v3_dot(u, u), uv = v3_dot(u, v), vv = v3_dot(v, v);
    lode_real ua = v3_dot(u, apart), va = v3_dot(v, apart), det = uu * vv - uv * uv;
    lode_vec3 at_a = v3_madd(from_a, u, clamp_share((ua * vv - va * uv) / det));
    lode_vec3 at_b = v3_madd(from_b, v, clamp_share((ua * uv - va * uu) / det));
    lode_vec3 middle = v3_scale(v3_add(at_a, at_b), (lode_real)0.5);
    out->points[0] = (lode__candidate){d3_from(middle), -axis->separation,
                                       name_edges(p->a, axis->edge_a, p->b, axis->edge_b)};
    out->count = 1;
    out->along = axis->normal;
    out->rotation = rotation;
    out->from = v3_zero();
    out->normal = q_rotate(rotation, v3_neg(axis->normal));
}

static void touch_along(const lode__hull_pair *pair, const lode__hull_axis *axis,
                        const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                        lode_real speculative, found *out)
{
    if (axis->way == LODE__HULLS_EDGES)
        touch_edges(pair, axis, a->rotation, out);
    else
        touch_faces(pair, axis, a, b, offset, speculative, out);
}

static lode__candidate *deepest_of(found *f)
{
    lode__candidate *deepest = &f->points[0];
    for (int k = 1; k < f->count; ++k)
        deepest = f->points[k].depth > deepest->depth ? &f->points[k] : deepest;
    return deepest;
}

/* In the world, into a. */
static lode_vec3 normal_of(const lode__hull_pair *pair, const lode__hull_axis *axis,
                           const lode__shape_view *a, const lode__shape_view *b)
{
    if (axis->way == LODE__HULLS_FACE_B)
        return q_rotate(b->rotation, pair->b->faces[axis->face].normal);
    bool face = axis->way == LODE__HULLS_FACE_A;
    return q_rotate(a->rotation, v3_neg(face ? pair->a->faces[axis->face].normal : axis->normal));
}

/* How far along the normal of `axis` to go until the best one parts them, or that does itself. */
static lode_real way_along(const lode__hull_pair *pair, const lode__hull_axis *axis,
                           const lode__hull_axis *best, const lode__shape_view *a,
                           const lode__shape_view *b)
{
    lode_real along = v3_dot(normal_of(pair, axis, a, b), normal_of(pair, best, a, b));
    return along > 0 ? r_min(-best->separation / along, -axis->separation) : -axis->separation;
}

/* A face that was forgiven may have little under it where an edge of the other passes it by: if
 * what is left is less deep than the best axis says, that axis decides. Else the deepest point is
 * told as deep as parts them along the face's normal. `least`: that one does,
 * unless it is better by rounding only. */
static void find_points(const lode__collide_kernels *kernels, const lode_hull *hull_a,
                        const lode_hull *hull_b, const lode__shape_view *a,
                        const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                        bool least, found *out)
{
    lode__hull_pair pair = make_pair(hull_a, a->rotation, hull_b, b->rotation, offset);
    lode__hull_search search;
    lode__hull_axis axis = kernels->hull_axis(&pair, speculative, &search);
    lode_real rounding = ROUNDING * (hull_a->size + hull_b->size);
    out->count = 0;
    if (axis.way == LODE__HULLS_APART)
        return;
    if (least) {
        lode__hull_axis best = kernels->hull_best_axis(&search);
        axis = best.separation > axis.separation + rounding ? best : axis;
    }
    touch_along(&pair, &axis, a, b, offset, speculative, out);
    if (axis.way == LODE__HULLS_EDGES)
        return;
    lode__candidate *deepest = deepest_of(out);
    lode_real depth = (lode_real)deepest->depth;
    if (!(depth + rounding < -axis.separation))
        return; /* no axis is better than the preferred one by more than that */
    lode__hull_axis best = kernels->hull_best_axis(&search);
    if (axis.way != best.way && depth + rounding < -best.separation)
        touch_along(&pair, &best, a, b, offset, speculative, out);
    else if (depth > 0)
        deepest->depth = r_max(depth, way_along(&pair, &axis, &best, a, b));
}

/* From the centre of a, in the world's axes. */
static lode_vec3 place_of(const found *f, int k)
{
    return v3_add(q_rotate(f->rotation, d3_to(f->points[k].position)), f->from);
}

static void write_some(found *f, lode_real speculative, lode__touch *out)
{
    if (f->count == 0)
        return;
    int count = lode__reduce(f->points, f->count, d3_from(f->along), speculative * EQUAL_DEPTH);
    out->normal = f->normal;
    for (int k = 0; k < count; ++k)
        touch_add(out, place_of(f, k), (lode_real)f->points[k].depth, f->points[k].feature);
}

static int write_all(found *f, lode_vec3 *out_normal, lode__candidate out[LODE__HULL_POINTS])
{
    *out_normal = f->normal;
    for (int k = 0; k < f->count; ++k) {
        out[k] = f->points[k];
        out[k].position = d3_from(place_of(f, k));
    }
    return f->count;
}

void lode__touch_hulls(const lode__collide_kernels *kernels, const lode__shape_view *a,
                       const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                       lode__touch *out)
{
    found f;
    find_points(kernels, a->data, b->data, a, b, offset, speculative, false, &f);
    write_some(&f, speculative, out);
}

void lode__touch_hull_and_box(const lode__collide_kernels *kernels, const lode__shape_view *a,
                              const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                              lode__touch *out)
{
    lode__box_hull box;
    found f;
    lode__fill_box_hull(&box, b->size);
    find_points(kernels, a->data, &box.hull, a, b, offset, speculative, false, &f);
    write_some(&f, speculative, out);
}

int lode__touch_hulls_all(const lode__collide_kernels *kernels, const lode__shape_view *a,
                          const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                          bool least, lode_vec3 *out_normal, lode__candidate out[LODE__HULL_POINTS])
{
    lode__box_hull box;
    found f;
    if (!b->data)
        lode__fill_box_hull(&box, b->size);
    find_points(kernels, a->data, b->data ? b->data : &box.hull, a, b, offset, speculative, least,
                &f);
    return write_all(&f, out_normal, out);
}

void lode__touch_hull_hull(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                           lode_real speculative, lode__touch *out)
{
    lode__touch_hulls(&lode__collide_kernels_plain, a, b, offset, speculative, out);
}

void lode__touch_hull_box(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                          lode_real speculative, lode__touch *out)
{
    lode__touch_hull_and_box(&lode__collide_kernels_plain, a, b, offset, speculative, out);
}

/* --- planes */

static void find_depths(const lode__hull_corners *v, lode_vec3 n, lode_real height,
                        lode_real out[8])
{
    for (int k = 0; k < 8; ++k)
        out[k] = -(height + (n.x * v->x[k] + n.y * v->y[k] + n.z * v->z[k]));
}

/* All vertices within the margin; the deepest takes the last place where there are more than the
 * buffer holds. */
void lode__touch_hull_plane(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                            lode_real speculative, lode__touch *out)
{
    const lode_hull *hull = a->data;
    lode_vec3 normal = view_normal(b), local = q_rotate_inv(a->rotation, normal);
    lode_real height = -v3_dot(normal, offset) - b->size[3]; /* of the hull's origin */
    lode__candidate points[POINTS];
    uint32_t deepest = 0;
    if (hull->vertex_count > LODE__HULL_FEW) {
        deepest = lode__hull_support(hull, v3_neg(local), 0);
        if (!(height + v3_dot(local, hull->vertices[deepest]) < speculative))
            return;
    }
    int count = 0;
    for (uint32_t first = 0; first < hull->vertex_count; first += 8) {
        lode_real depths[8];
        find_depths(&hull->corners[first / 8], local, height, depths);
        uint32_t left = hull->vertex_count - first;
        for (uint32_t k = 0; k < (left < 8 ? left : 8); ++k)
            if (depths[k] > -speculative && (count < POINTS || first + k == deepest)) {
                lode__candidate *point = &points[count < POINTS ? count++ : POINTS - 1];
                *point = (lode__candidate){
                    d3_from(v3_madd(hull->vertices[first + k], local, depths[k] / 2)), depths[k],
                    VERTEX_A | ((first + k) & NUMBERS)};
            }
    }
    if (count == 0)
        return;
    count = lode__reduce(points, count, d3_from(local), speculative * EQUAL_DEPTH);
    out->normal = normal;
    for (int k = 0; k < count; ++k)
        touch_add(out, v3_add(q_rotate(a->rotation, d3_to(points[k].position)), v3_zero()),
                  (lode_real)points[k].depth, points[k].feature);
}
