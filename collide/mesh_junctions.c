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
 * An edge looks at what its own box touches, if anything runs along its middle, which most rims of
 * holes find out at once. So the whole costs the number of open edges times the depth of the tree,
 * and closed meshes pay nothing. */
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

typedef struct junctions {
    lode__mesh *mesh;
    junction *found;
    stretch *stretches; /* of one edge, by `from` */
    uint32_t found_count, found_capacity, stretch_count, stretch_capacity;
    /* the edge */
    uint32_t here;
    lode__double3 begin, along; /* a unit vector */
    double length, beside;
    bool twin, failed;
    bool only_middle, along_middle; /* asked, and found: does any edge run along the middle? */
} junctions;

static bool is_open(const lode__mesh *mesh, uint32_t triangle, int edge)
{
    return !(mesh->flags[triangle] & LODE__TRIANGLE_IGNORED) &&
           mesh->neighbors[triangle][edge] == LODE__NONE;
}

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

/* How far stretches may be from meeting: what covers the edge may miss its middle by that. */
static double slack_of(const junctions *j)
{
    return 4 * j->beside;
}

/* Where a vertex lies along the edge; false: not on its line. */
static bool find_place(const junctions *j, lode__double3 vertex, double *out)
{
    lode__double3 to = d3_sub(vertex, j->begin);
    *out = d3_dot(to, j->along);
    return d3_length(d3_madd(to, j->along, -*out)) <= j->beside;
}

/* An edge that has both ends in common is a twin: what is shared by three is no junction. */
static bool look_at_edge(junctions *j, uint32_t triangle, const lode__triangle *t, int edge)
{
    double from, to, slack = slack_of(j);
    if (!find_place(j, d3_from(t->v[(edge + 1) % 3]), &from) ||
        !find_place(j, d3_from(t->v[edge]), &to))
        return true;
    if (j->only_middle) {
        double middle = j->length / 2;
        j->along_middle = from <= middle + slack && to >= middle - slack;
        return !j->along_middle;
    }
    double low = d_min(from, to), high = d_max(from, to);
    if (d_abs(low) <= j->beside && d_abs(high - j->length) <= j->beside)
        j->twin = true;
    if (from > to || d_min(to, j->length) - d_max(from, 0) <= slack)
        return true;
    return add_stretch(j, d_max(from, 0), d_min(to, j->length), triangle << 2 | (uint32_t)edge);
}

static bool visit(void *context, uint32_t triangle)
{
    junctions *j = context;
    lode__triangle t = mesh_triangle(j->mesh, triangle);
    for (int e = 0; e < 3; ++e)
        if (is_open(j->mesh, triangle, e) && (triangle << 2 | (uint32_t)e) != j->here &&
            !look_at_edge(j, triangle, &t, e))
            return false;
    return true;
}

/* From end to end, and nothing twice. */
static bool is_covered(const junctions *j)
{
    double to = 0, slack = slack_of(j);
    for (uint32_t i = 0; i < j->stretch_count; ++i) {
        if (d_abs(j->stretches[i].from - to) > slack)
            return false;
        to = j->stretches[i].to;
    }
    return j->stretch_count > 0 && d_abs(to - j->length) <= slack;
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
        ++count[lode__mesh_bend(j->mesh, j->here >> 2, s[i].beyond >> 2, (int)(s[i].beyond & 3))];
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
    j->found[j->found_count++] = (junction){j->here, j->stretches[0].beyond, kind};
}

/* Visits what touches this box, grown by `more` and by as much as vertices may lie beside. */
static void walk_around(junctions *j, lode_vec3 lo, lode_vec3 hi, double more)
{
    lode_real grow = (lode_real)(2 * j->beside + more);
    lode_vec3 by = v3(grow, grow, grow);
    lode__mesh_walk(j->mesh, v3_sub(lo, by), v3_add(hi, by), visit, j);
}

static void look_along(junctions *j, uint32_t triangle, int edge)
{
    lode__triangle t = mesh_triangle(j->mesh, triangle);
    lode_vec3 a = t.v[edge], b = t.v[(edge + 1) % 3];
    lode__double3 way = d3_sub(d3_from(b), d3_from(a));
    j->here = triangle << 2 | (uint32_t)edge;
    j->begin = d3_from(a);
    j->length = d3_length(way);
    j->along = d3_normalize_or(way, d3(1, 0, 0));
    j->beside = BESIDE * j->length + ROUNDED * d_max(d3_most(d3_from(a)), d3_most(d3_from(b)));
    j->stretch_count = 0;
    j->twin = j->along_middle = false;
    j->only_middle = true;
    lode_vec3 middle = d3_to(d3_madd(j->begin, way, 0.5));
    walk_around(j, middle, middle, slack_of(j));
    j->only_middle = false;
    if (j->along_middle)
        walk_around(j, v3_min(a, b), v3_max(a, b), 0);
    int kind = !j->failed && !j->twin && is_covered(j) ? kind_of(j) : LODE__EDGE_FREE;
    if (kind != LODE__EDGE_FREE)
        add_junction(j, kind);
}

bool lode__mesh_join_junctions(lode__mesh *mesh)
{
    junctions j = {.mesh = mesh};
    bool any = mesh->info.open_edge_count > 0;
    /* neighbours in the tree's leaves see the same nodes and triangles, which are then at hand */
    for (uint32_t i = 0; any && i < mesh->counted; ++i)
        for (int e = 0; e < 3 && !j.failed; ++e)
            if (is_open(mesh, mesh->order[i], e))
                look_along(&j, mesh->order[i], e);
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
