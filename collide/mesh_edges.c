/* mesh_edges.c: which triangles meet in which edges, and how.
 *
 * 1. Vertices at equal places get one name, the lowest of their numbers: they are sorted by a hash
 *    of their coordinates, and within equal hashes compared. Hashes are no longer than tells most
 *    places apart: the sort's time is its keys' length.
 * 2. Edges are sorted by the names of their ends. Two triangles that pass an edge in opposite
 *    directions are neighbours. An edge that only one has is the rim of a hole; one that three
 *    have, or two in the same direction, joins nothing. All such edges are free: contacts on them
 *    are taken as they come. At a vertex that one triangle has alone edges are not even sorted.
 * 3. Of neighbours, the far corner of one lies below, in, or above the plane of the other: the edge
 *    is convex, flat or concave.
 *
 * Triangles without area are ignored, and so are those that name the corners of an earlier one in
 * the same turn. A convex or concave edge bends by more than 0.5 degrees. Open edges that lie along
 * others are found later (mesh_junctions.c). */
#include "collide/mesh.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/sort.h"

/* A triangle lower than this share of its longest edge has no area. */
#define THIN ((double)REAL_EPSILON * 4)

/* Sorting by key, with all memory in one block. */
typedef struct sorting {
    uint64_t *keys, *scratch_keys;
    uint32_t *values, *scratch_values;
    uint32_t count;
} sorting;

static size_t sorting_bytes(uint32_t count)
{
    return (size_t)count * 2 * (sizeof(uint64_t) + sizeof(uint32_t));
}

static bool start_sorting(sorting *s, uint32_t count)
{
    char *block = lode__alloc(sorting_bytes(count));
    if (!block)
        return false;
    s->count = count;
    s->keys = (uint64_t *)block;
    s->scratch_keys = s->keys + count;
    s->values = (uint32_t *)(s->scratch_keys + count);
    s->scratch_values = s->values + count;
    return true;
}

static void sort(sorting *s, uint32_t count)
{
    lode__sort(s->keys, s->values, s->scratch_keys, s->scratch_values, count);
}

static void end_sorting(sorting *s)
{
    lode__free(s->keys, sorting_bytes(s->count));
}

/* The bits of a hash that `count` keys are sorted by: whole bytes, in which few of them meet. */
static uint64_t key_bits(uint32_t count)
{
    uint64_t bits = 0xff;
    while (bits >> 4 < count)
        bits = bits << 8 | 0xff;
    return bits;
}

/* Vertices by what tells them apart: their places. */
typedef struct naming {
    uint32_t *names; /* of each vertex */
    uint8_t *uses;   /* of each name: how many corners have it, no more than SHARED */
} naming;

enum { SHARED = 2 };

static size_t naming_bytes(const lode__mesh *mesh)
{
    return mesh->vertex_count * (sizeof(uint32_t) + sizeof(uint8_t));
}

/* --- one name for each place */

static bool same_place(const lode__mesh *mesh, uint32_t a, uint32_t b)
{
    lode_vec3 p = mesh_vertex(mesh, a), q = mesh_vertex(mesh, b);
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

static uint64_t place_key(lode_vec3 p)
{
    double x[3] = {(double)p.x + 0.0, (double)p.y + 0.0, (double)p.z + 0.0}; /* -0 is 0 */
    uint64_t words[3];
    memcpy(words, x, sizeof words);
    return lode__hash_word(lode__hash_word(lode__hash_word(1, words[0]), words[1]), words[2]);
}

/* Of equal hashes there is mostly one place, whose lowest vertex is the first. */
static uint32_t name_of(const lode__mesh *mesh, const sorting *s, uint32_t first, uint32_t i)
{
    for (uint32_t k = first; k < i; ++k)
        if (same_place(mesh, s->values[k], s->values[i]))
            return s->values[k];
    return s->values[i];
}

static bool name_vertices(const lode__mesh *mesh, const naming *out)
{
    sorting s;
    uint64_t bits = key_bits(mesh->vertex_count);
    if (!start_sorting(&s, mesh->vertex_count))
        return false;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        s.keys[i] = place_key(mesh_vertex(mesh, i)) & bits;
        s.values[i] = i;
    }
    sort(&s, s.count);
    for (uint32_t i = 0, first = 0; i < s.count; ++i) {
        first = s.keys[i] == s.keys[first] ? first : i;
        out->names[s.values[i]] = name_of(mesh, &s, first, i);
    }
    end_sorting(&s);
    return true;
}

/* --- triangles without area */

static double length2(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static void subtract(lode_vec3 a, lode_vec3 b, double out[3])
{
    out[0] = (double)a.x - (double)b.x;
    out[1] = (double)a.y - (double)b.y;
    out[2] = (double)a.z - (double)b.z;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool has_area(const lode__triangle *t)
{
    double e[3][3], n[3], most = 0;
    for (int k = 0; k < 3; ++k) {
        subtract(t->v[(k + 1) % 3], t->v[k], e[k]);
        most = length2(e[k]) > most ? length2(e[k]) : most;
    }
    cross(e[0], e[1], n);
    return length2(n) > most * most * (THIN * THIN);
}

static void ignore_thin(lode__mesh *mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        lode__triangle triangle = mesh_triangle(mesh, t);
        bool thin = !has_area(&triangle);
        mesh->flags[t] = thin ? LODE__TRIANGLE_IGNORED : 0;
        mesh->info.thin_count += thin;
    }
}

/* --- triangles that are there already */

static void count_uses(const lode__mesh *mesh, const naming *n)
{
    memset(n->uses, 0, mesh->vertex_count);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        uint32_t corner[3];
        mesh_corners(mesh, t, corner);
        for (int k = 0; k < 3 && !(mesh->flags[t] & LODE__TRIANGLE_IGNORED); ++k) {
            uint8_t *uses = &n->uses[n->names[corner[k]]];
            *uses = (uint8_t)(*uses + (*uses < SHARED));
        }
    }
}

/* The names of the corners in their turn, the lowest first. */
static void turn_of(const lode__mesh *mesh, const naming *n, uint32_t triangle, uint32_t out[3])
{
    uint32_t corner[3], first;
    mesh_corners(mesh, triangle, corner);
    for (int k = 0; k < 3; ++k)
        corner[k] = n->names[corner[k]];
    first = corner[0] < corner[1] ? 0 : 1;
    first = corner[2] < corner[first] ? 2 : first;
    for (uint32_t k = 0; k < 3; ++k)
        out[k] = corner[(first + k) % 3];
}

static bool same_turn(const lode__mesh *mesh, const naming *n, uint32_t a, uint32_t b)
{
    uint32_t turn_a[3], turn_b[3];
    turn_of(mesh, n, a, turn_a);
    turn_of(mesh, n, b, turn_b);
    return memcmp(turn_a, turn_b, sizeof turn_a) == 0;
}

/* Is triangle i of equal hashes, of which the first is `first`, one of those before it? */
static bool is_repeated(const lode__mesh *mesh, const naming *n, const sorting *s, uint32_t first,
                        uint32_t i)
{
    for (uint32_t k = first; k < i; ++k)
        if (same_turn(mesh, n, s->values[k], s->values[i]))
            return true;
    return false;
}

/* Who has a corner alone is not repeated. */
static void ignore_repeated(lode__mesh *mesh, const naming *n, sorting *s)
{
    uint64_t bits = key_bits(mesh->triangle_count);
    uint32_t count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        uint32_t turn[3];
        if (mesh->flags[t] & LODE__TRIANGLE_IGNORED)
            continue;
        turn_of(mesh, n, t, turn);
        if ((n->uses[turn[0]] < SHARED) | (n->uses[turn[1]] < SHARED) | (n->uses[turn[2]] < SHARED))
            continue;
        s->keys[count] = lode__hash_word(lode__hash_word(turn[0], turn[1]), turn[2]) & bits;
        s->values[count++] = t;
    }
    sort(s, count);
    for (uint32_t i = 0, first = 0; i < count; ++i) {
        first = s->keys[i] == s->keys[first] ? first : i;
        if (!is_repeated(mesh, n, s, first, i))
            continue;
        mesh->flags[s->values[i]] = LODE__TRIANGLE_IGNORED;
        ++mesh->info.repeated_count;
    }
}

/* --- edges */

typedef struct edge_view {
    uint32_t triangle, from, to, far; /* names */
    int edge;
} edge_view;

static edge_view view_edge(const lode__mesh *mesh, const naming *n, uint32_t value)
{
    uint32_t corner[3];
    edge_view v = {.triangle = value >> 2, .edge = (int)(value & 3)};
    mesh_corners(mesh, v.triangle, corner);
    v.from = n->names[corner[v.edge]];
    v.to = n->names[corner[(v.edge + 1) % 3]];
    v.far = n->names[corner[(v.edge + 2) % 3]];
    return v;
}

/* Lists those that two triangles may have, and counts the others. */
static uint32_t list_edges(lode__mesh *mesh, const naming *n, sorting *s)
{
    uint32_t count = 0;
    int shift = 32 - __builtin_clz(mesh->vertex_count); /* no longer than two names are */
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (uint32_t e = 0; e < 3 && !(mesh->flags[t] & LODE__TRIANGLE_IGNORED); ++e) {
            edge_view v = view_edge(mesh, n, t << 2 | e);
            if ((n->uses[v.from] < SHARED) | (n->uses[v.to] < SHARED)) {
                ++mesh->info.open_edge_count;
                continue;
            }
            uint32_t low = v.from < v.to ? v.from : v.to, high = v.from < v.to ? v.to : v.from;
            s->keys[count] = (uint64_t)low << shift | high;
            s->values[count++] = t << 2 | e;
        }
    return count;
}

/* Seen from the front of the first triangle. */
static int bend(const lode__triangle *here, const lode__triangle *there, int far_there)
{
    double e0[3], e1[3], n[3], m[3], to_far[3];
    subtract(here->v[1], here->v[0], e0);
    subtract(here->v[2], here->v[0], e1);
    cross(e0, e1, n);
    subtract(there->v[1], there->v[0], e0);
    subtract(there->v[2], there->v[0], e1);
    cross(e0, e1, m);
    cross(n, m, e0);
    double scale = length2(n) * length2(m);
    bool along = n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0;
    if (along && length2(e0) <= scale * (LODE__FLAT_EDGE * LODE__FLAT_EDGE))
        return LODE__EDGE_FLAT;
    subtract(there->v[far_there], there->v[(far_there + 1) % 3], to_far);
    return n[0] * to_far[0] + n[1] * to_far[1] + n[2] * to_far[2] > 0 ? LODE__EDGE_CONCAVE
                                                                      : LODE__EDGE_CONVEX;
}

int lode__mesh_bend(const lode__mesh *mesh, uint32_t here, uint32_t there, int edge)
{
    lode__triangle a = mesh_triangle(mesh, here), b = mesh_triangle(mesh, there);
    return bend(&a, &b, (edge + 2) % 3);
}

static void join(lode__mesh *mesh, const edge_view *a, const edge_view *b)
{
    int kind = lode__mesh_bend(mesh, a->triangle, b->triangle, b->edge);
    mesh->neighbors[a->triangle][a->edge] = b->triangle << 2 | (uint32_t)b->edge;
    mesh->neighbors[b->triangle][b->edge] = a->triangle << 2 | (uint32_t)a->edge;
    mesh->flags[a->triangle] |= (uint8_t)(kind << 2 * a->edge);
    mesh->flags[b->triangle] |= (uint8_t)(kind << 2 * b->edge);
}

/* All triangles at one edge. */
static void close_edge(lode__mesh *mesh, const naming *n, const uint32_t *values, uint32_t count)
{
    edge_view a = view_edge(mesh, n, values[0]), b = view_edge(mesh, n, values[count - 1]);
    if (count == 1)
        ++mesh->info.open_edge_count;
    else if (count > 2)
        ++mesh->info.shared_edge_count;
    else if (a.from == b.from)
        ++mesh->info.turned_edge_count;
    else
        join(mesh, &a, &b);
}

static void close_edges(lode__mesh *mesh, const naming *n, const sorting *s, uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && s->keys[end] == s->keys[i]; ++end)
            ;
        close_edge(mesh, n, s->values + i, end - i);
    }
}

bool lode__mesh_join_edges(lode__mesh *mesh)
{
    naming n = {.names = lode__alloc(naming_bytes(mesh))};
    if (!n.names)
        return false;
    n.uses = (uint8_t *)(n.names + mesh->vertex_count);
    sorting s = {0};
    if (!name_vertices(mesh, &n) || !start_sorting(&s, 3 * mesh->triangle_count)) {
        lode__free(n.names, naming_bytes(mesh));
        return false;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (int e = 0; e < 3; ++e)
            mesh->neighbors[t][e] = LODE__NONE;
    ignore_thin(mesh);
    count_uses(mesh, &n);
    ignore_repeated(mesh, &n, &s);
    uint32_t count = list_edges(mesh, &n, &s);
    sort(&s, count);
    close_edges(mesh, &n, &s, count);
    end_sorting(&s);
    lode__free(n.names, naming_bytes(mesh));
    const lode_mesh_info *info = &mesh->info;
    mesh->info.closed = !info->open_edge_count && !info->shared_edge_count &&
                        !info->turned_edge_count;
    return true;
}
