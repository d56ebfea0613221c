/* mesh_junctions.c: edges that lie along other edges without having their ends: T-junctions.
 *
 * Where a fine part of a mesh meets a coarse one, an edge of one triangle has several triangles on
 * its other side, which all end in the middle of it. By their vertices such edges are rims of
 * holes, and rims are felt. So after all else each open edge looks, in the tree, for open edges of
 * other triangles that run back along it. If they cover it from end to end, once, it is what its
 * neighbours would make it: flat, concave if none of them falls away, convex if all do and lie in
 * one plane. It stays free otherwise.
 *
 * A neighbour beyond a junction does not name back, and has other corners: see
 * lode__mesh_is_junction(). The numbers of open edges in lode_mesh_info count these too.
 *
 * Along the middles of most open edges nothing runs, so that is asked first: by all edges of a leaf
 * of the tree together, or by halves of them where that meets much. What remains looks at all that
 * its own box touches. So the whole costs the number of open edges times the depth of the tree, and
 * closed meshes pay nothing. */
#include "collide/float_bounds.h"
#include "collide/mesh.h"
#include "core/memory.h"

/* How far vertices may lie beside an edge: of its length, and of its coordinates. */
#define BESIDE 1e-5
#define ROUNDED 1e-6

/* A stretch of the edge that another one covers, in lengths from its beginning. */
typedef struct stretch {
    double from, to;
    uint32_t beyond; /* triangle << 2 | edge */
} stretch;

/* What an edge turned out to be. */
typedef struct junction {
    uint32_t here, beyond; /* triangle << 2 | edge */
    int kind;
} junction;

/* An open edge that looks for others. */
typedef struct line {
    uint32_t here;              /* triangle << 2 | edge */
    lode__double3 begin, along; /* a unit vector */
    double length, beside;
} line;

typedef struct junctions {
    lode__mesh *mesh;
    const lode__mesh_box *boxes; /* as `order` */
    junction *found;
    stretch *stretches; /* of one edge, by `from` */
    uint32_t found_count, found_capacity, stretch_count, stretch_capacity;
    const line *line; /* the edge */
    bool twin, failed;
} junctions;

static bool is_open(const lode__mesh *mesh, uint32_t triangle, int edge)
{
    return mesh_edge_kind(mesh, triangle, edge) == LODE__EDGE_FREE;
}

/* How far stretches may be from meeting: what covers the edge may miss its middle by that. */
static double slack_of(const line *l)
{
    return 4 * l->beside;
}

static line line_of(const lode__triangle *t, uint32_t triangle, int edge)
{
    lode__double3 a = d3_from(t->v[edge]), b = d3_from(t->v[(edge + 1) % 3]), way = d3_sub(b, a);
    double length = d3_length(way);
    return (line){.here = triangle << 2 | (uint32_t)edge,
                  .begin = a,
                  .along = d3_scale(way, 1 / length),
                  .length = length,
                  .beside = BESIDE * length + ROUNDED * d_max(d3_most(a), d3_most(b))};
}

/* Where a vertex lies along the edge; false: not on its line. */
static bool find_place(const line *l, lode_vec3 vertex, double *out)
{
    lode__double3 to = d3_sub(d3_from(vertex), l->begin);
    *out = d3_dot(to, l->along);
    return d3_length(d3_madd(to, l->along, -*out)) <= l->beside;
}

/* Where an edge of a triangle that runs back along it begins, and where it ends. */
static bool find_ends(const line *l, const lode__triangle *t, int edge, double *out_from,
                      double *out_to)
{
    return find_place(l, t->v[(edge + 1) % 3], out_from) && find_place(l, t->v[edge], out_to);
}

/* --- what runs along the middle */

enum { BATCH = 3 * LODE__MESH_LEAF, FEW_LEAVES = 8 * BATCH, HITS = 64 };

/* A triangle in whose box middles lie. */
typedef struct hit {
    uint32_t triangle, lines; /* a bit for each line */
} hit;

/* Edges that ask together. */
typedef struct batch {
    const lode__mesh *mesh;
    const lode__mesh_box *boxes;
    const line *lines;
    uint32_t all, found; /* a bit for each line */
    uint32_t leaves;     /* that may still be visited */
    uint32_t hit_count;
    hit hits[HITS + LODE__MESH_LEAF];
    float lo[3][BATCH], hi[3][BATCH]; /* their middles, give or take */
} batch;

/* Which middles lie in the box, a bit for each. */
static uint32_t middles_in(const batch *b, const lode__mesh_box *box)
{
    static const uint32_t bit[BATCH] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
    uint32_t bits = 0;
    for (int i = 0; i < BATCH; ++i) {
        bool in = (b->lo[0][i] <= box->hi[0]) & (b->hi[0][i] >= box->lo[0]) &
                  (b->lo[1][i] <= box->hi[1]) & (b->hi[1][i] >= box->lo[1]) &
                  (b->lo[2][i] <= box->hi[2]) & (b->hi[2][i] >= box->lo[2]);
        bits |= in ? bit[i] : 0;
    }
    return bits;
}

/* Most triangles are not on the line with two corners, nor is its own with the third. */
static bool is_apart(const line *l, uint32_t triangle, const lode__triangle *t)
{
    double at;
    if (triangle == l->here >> 2)
        return !find_place(l, t->v[((l->here & 3) + 2) % 3], &at);
    return !find_place(l, t->v[0], &at) && !find_place(l, t->v[1], &at);
}

static bool runs_along_middle(const line *l, const lode__mesh *mesh, uint32_t triangle,
                              const lode__triangle *t)
{
    double from, to, middle = l->length / 2, slack = slack_of(l);
    if (is_apart(l, triangle, t))
        return false;
    for (int e = 0; e < 3; ++e)
        if ((triangle << 2 | (uint32_t)e) != l->here && is_open(mesh, triangle, e) &&
            find_ends(l, t, e, &from, &to) && from <= middle + slack && to >= middle - slack)
            return true;
    return false;
}

static bool has_open(const lode__mesh *mesh, uint32_t triangle)
{
    return is_open(mesh, triangle, 0) || is_open(mesh, triangle, 1) || is_open(mesh, triangle, 2);
}

/* Triangles are fetched first, all at once: they lie anywhere. */
static void look_at_hits(batch *b)
{
    lode__triangle t[HITS + LODE__MESH_LEAF];
    for (uint32_t i = 0; i < b->hit_count; ++i)
        t[i] = mesh_triangle(b->mesh, b->hits[i].triangle);
    for (uint32_t i = 0; i < b->hit_count; ++i)
        for (uint32_t lines = b->hits[i].lines; lines; lines &= lines - 1) {
            int k = __builtin_ctz(lines);
            if (runs_along_middle(&b->lines[k], b->mesh, b->hits[i].triangle, &t[i]))
                b->found |= 1u << k;
        }
    b->hit_count = 0;
}

static bool visit_leaf(void *context, const uint32_t *triangles, uint32_t count)
{
    batch *b = context;
    const lode__mesh_box *boxes = b->boxes + (triangles - b->mesh->order);
    if (b->leaves == 0)
        return false;
    --b->leaves;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t lines = middles_in(b, &boxes[i]) & ~b->found;
        b->hits[b->hit_count] = (hit){triangles[i], lines};
        b->hit_count += lines != 0;
    }
    if (b->hit_count > HITS)
        look_at_hits(b);
    return b->found != b->all;
}

/* Puts the middle of a line in the batch; `lo` and `hi` are of all of them. */
static void put_middle(batch *b, int i, const line *l, lode_vec3 *lo, lode_vec3 *hi)
{
    lode_vec3 middle = d3_to(d3_madd(l->begin, l->along, l->length / 2));
    lode_real r = (lode_real)(2 * l->beside + slack_of(l));
    lode_vec3 from = v3_sub(middle, v3(r, r, r)), to = v3_add(middle, v3(r, r, r));
    b->lo[0][i] = float_below(from.x), b->hi[0][i] = float_above(to.x);
    b->lo[1][i] = float_below(from.y), b->hi[1][i] = float_above(to.y);
    b->lo[2][i] = float_below(from.z), b->hi[2][i] = float_above(to.z);
    *lo = v3_min(*lo, from);
    *hi = v3_max(*hi, to);
}

/* Which of these lines an edge runs along the middle of, a bit for each. */
static uint32_t find_middles(const junctions *j, const line *lines, int count)
{
    lode_vec3 lo = v3(REAL_MAX, REAL_MAX, REAL_MAX), hi = v3_neg(lo);
    batch b; /* no zeros into all of it */
    b.mesh = j->mesh;
    b.boxes = j->boxes;
    b.lines = lines;
    b.all = (1u << count) - 1;
    b.found = b.hit_count = 0;
    b.leaves = count > 1 ? FEW_LEAVES : UINT32_MAX;
    for (int i = 0; i < count; ++i)
        put_middle(&b, i, &lines[i], &lo, &hi);
    for (int axis = 0; axis < 3; ++axis)
        for (int i = count; i < BATCH; ++i) { /* nowhere */
            b.lo[axis][i] = FLT_MAX;
            b.hi[axis][i] = -FLT_MAX;
        }
    if (lode__mesh_walk_leaves(j->mesh, lo, hi, visit_leaf, &b) || b.found == b.all) {
        look_at_hits(&b);
        return b.found;
    }
    int half = count / 2;
    return find_middles(j, lines, half) | find_middles(j, lines + half, count - half) << half;
}

/* --- what runs along all of it */

static bool add_stretch(junctions *j, double from, double to, uint32_t beyond)
{
    uint32_t at = j->stretch_count;
    if (!lode__grow((void **)&j->stretches, &j->stretch_capacity, at + 1, sizeof *j->stretches)) {
        j->failed = true;
        return false;
    }
    ++j->stretch_count;
    for (; at > 0 && j->stretches[at - 1].from > from; --at)
        j->stretches[at] = j->stretches[at - 1];
    j->stretches[at] = (stretch){from, to, beyond};
    return true;
}

/* An edge that has both ends in common is a twin: what is shared by three is no junction. */
static bool look_at_edge(junctions *j, uint32_t triangle, const lode__triangle *t, int edge)
{
    const line *l = j->line;
    double from, to;
    if (!find_ends(l, t, edge, &from, &to))
        return true;
    double low = d_min(from, to), high = d_max(from, to);
    j->twin = d_abs(low) <= l->beside && d_abs(high - l->length) <= l->beside;
    if (j->twin)
        return false;
    if (from > to || d_min(to, l->length) - d_max(from, 0) <= slack_of(l))
        return true;
    return add_stretch(j, d_max(from, 0), d_min(to, l->length), triangle << 2 | (uint32_t)edge);
}

static bool visit(void *context, uint32_t triangle)
{
    junctions *j = context;
    lode__triangle t = mesh_triangle(j->mesh, triangle);
    for (int e = 0; e < 3; ++e)
        if (is_open(j->mesh, triangle, e) && (triangle << 2 | (uint32_t)e) != j->line->here &&
            !look_at_edge(j, triangle, &t, e))
            return false;
    return true;
}

/* From end to end, and nothing twice. */
static bool is_covered(const junctions *j)
{
    double to = 0, slack = slack_of(j->line);
    for (uint32_t i = 0; i < j->stretch_count; ++i) {
        if (d_abs(j->stretches[i].from - to) > slack)
            return false;
        to = j->stretches[i].to;
    }
    return j->stretch_count > 0 && d_abs(to - j->line->length) <= slack;
}

static bool are_in_one_plane(const lode__mesh *mesh, uint32_t a, uint32_t b)
{
    lode__double3 n = lode__mesh_normal(mesh, a), m = lode__mesh_normal(mesh, b);
    return d3_dot(n, m) > 0 && d3_length(d3_cross(n, m)) <= LODE__FLAT_EDGE;
}

static int kind_of(const junctions *j)
{
    const stretch *s = j->stretches;
    uint32_t count[4] = {0};
    bool even = true;
    for (uint32_t i = 0; i < j->stretch_count; ++i) {
        ++count[lode__mesh_bend(j->mesh, j->line->here >> 2, s[i].beyond >> 2,
                                (int)(s[i].beyond & 3))];
        even = even && are_in_one_plane(j->mesh, s[0].beyond >> 2, s[i].beyond >> 2);
    }
    if (count[LODE__EDGE_CONVEX] > 0)
        return even && count[LODE__EDGE_CONVEX] == j->stretch_count ? LODE__EDGE_CONVEX
                                                                    : LODE__EDGE_FREE;
    return count[LODE__EDGE_CONCAVE] > 0 ? LODE__EDGE_CONCAVE : LODE__EDGE_FLAT;
}

static void add_junction(junctions *j, int kind)
{
    if (!lode__grow((void **)&j->found, &j->found_capacity, j->found_count + 1, sizeof *j->found)) {
        j->failed = true;
        return;
    }
    j->found[j->found_count++] = (junction){j->line->here, j->stretches[0].beyond, kind};
}

/* Vertices may lie beside the edge. */
static void look_along(junctions *j, const line *l)
{
    lode__triangle t = mesh_triangle(j->mesh, l->here >> 2);
    lode_vec3 a = t.v[l->here & 3], b = t.v[((l->here & 3) + 1) % 3];
    lode_real grow = (lode_real)(2 * l->beside);
    lode_vec3 by = v3(grow, grow, grow);
    j->line = l;
    j->stretch_count = 0;
    j->twin = false;
    lode__mesh_walk(j->mesh, v3_sub(v3_min(a, b), by), v3_add(v3_max(a, b), by), visit, j);
    int kind = !j->failed && !j->twin && is_covered(j) ? kind_of(j) : LODE__EDGE_FREE;
    if (kind != LODE__EDGE_FREE)
        add_junction(j, kind);
}

/* An edge shorter than what may be missing is covered by nothing. */
static void look_from_leaf(junctions *j, const uint32_t *triangles, const lode__triangle *t,
                           uint32_t triangle_count)
{
    line lines[BATCH + 1];
    int count = 0;
    for (uint32_t i = 0; i < triangle_count; ++i)
        for (int e = 0; e < 3; ++e)
            if (is_open(j->mesh, triangles[i], e)) {
                lines[count] = line_of(&t[i], triangles[i], e);
                count += lines[count].length > slack_of(&lines[count]);
            }
    for (uint32_t found = count > 0 ? find_middles(j, lines, count) : 0; found && !j->failed;
         found &= found - 1)
        look_along(j, &lines[__builtin_ctz(found)]);
}

/* How many triangles a child is a leaf of; 0: it is none. */
static uint32_t leaf_of(const lode__mesh *mesh, uint32_t child, const uint32_t **out_triangles)
{
    *out_triangles = &mesh->order[child & (LODE__MESH_PLACES - 1)];
    bool leaf = child != LODE__MESH_NO_CHILD && child & LODE__MESH_LEAF_BIT;
    return leaf ? (child >> 28 & 7) + 1 : 0;
}

/* Triangles are fetched first here, too. */
static void look_from_node(junctions *j, const lode__mesh_node *node)
{
    lode__triangle t[LODE__MESH_WIDE][LODE__MESH_LEAF];
    const uint32_t *triangles;
    for (int k = 0; k < LODE__MESH_WIDE; ++k) {
        uint32_t count = leaf_of(j->mesh, node->child[k], &triangles);
        for (uint32_t i = 0; i < count; ++i)
            if (has_open(j->mesh, triangles[i]))
                t[k][i] = mesh_triangle(j->mesh, triangles[i]);
    }
    for (int k = 0; k < LODE__MESH_WIDE; ++k) {
        uint32_t count = leaf_of(j->mesh, node->child[k], &triangles);
        look_from_leaf(j, triangles, t[k], count);
    }
}

bool lode__mesh_join_junctions(lode__mesh *mesh, const lode__mesh_box *boxes)
{
    junctions j = {.mesh = mesh, .boxes = boxes};
    bool any = mesh->info.open_edge_count > 0;
    for (uint32_t i = 0; any && i < mesh->node_count && !j.failed; ++i)
        look_from_node(&j, &mesh->nodes[i]);
    for (uint32_t i = 0; i < j.found_count && !j.failed; ++i) {
        uint32_t triangle = j.found[i].here >> 2, edge = j.found[i].here & 3;
        mesh->neighbors[triangle][edge] = j.found[i].beyond;
        mesh->flags[triangle] |= (uint8_t)(LODE__TRIANGLE_JUNCTION | j.found[i].kind << 2 * edge);
    }
    lode__free(j.found, j.found_capacity * sizeof *j.found);
    lode__free(j.stretches, j.stretch_capacity * sizeof *j.stretches);
    return !j.failed;
}

bool lode__mesh_is_junction(const lode__mesh *mesh, uint32_t triangle, int edge)
{
    uint32_t beyond = mesh->neighbors[triangle][edge];
    if (!(mesh->flags[triangle] & LODE__TRIANGLE_JUNCTION) || beyond == LODE__NONE)
        return false;
    lode__triangle here = mesh_triangle(mesh, triangle), there = mesh_triangle(mesh, beyond >> 2);
    int e = (int)(beyond & 3);
    return !v3_is_zero(v3_sub(here.v[edge], there.v[(e + 1) % 3])) ||
           !v3_is_zero(v3_sub(here.v[(edge + 1) % 3], there.v[e]));
}
