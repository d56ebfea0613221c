/* hull_finish.c: from polygons to a hull.
 *
 * A closed surface has each edge once in each direction, so twins are found by sorting. Polygons of
 * a caller are held against all that a hull promises: each face plane and convex, no vertex above
 * any plane, one closed surface without handles (Euler), a volume. Those that were built from
 * points have been made so, and only rounding is watched: faces beside each other must be
 * convex. */
#include "collide/hull.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/sort.h"

#include <string.h>

/* The square of a side below which its length would lose digits. */
#define SHORT ((lode_real)1e-24)

static const char not_closed[] =
    "the faces must enclose a solid: each edge belongs to two faces, once in each direction";

typedef struct scratch {
    uint32_t *vertex_of; /* of each point, or LODE__NO_INDEX */
    uint64_t *keys, *spare_keys;
    uint32_t *edges, *spare_edges;
    size_t bytes;
    void *memory;
} scratch;

enum { NO_INDEX = UINT32_MAX };

static bool take_scratch(const lode__polygons *from, scratch *out)
{
    size_t corners = from->corner_count;
    out->bytes = corners * 2 * (sizeof(uint64_t) + sizeof(uint32_t)) +
                 from->point_count * sizeof(uint32_t);
    out->memory = lode__alloc(out->bytes);
    if (!out->memory)
        return false;
    out->keys = out->memory;
    out->spare_keys = out->keys + corners;
    out->edges = (uint32_t *)(out->spare_keys + corners);
    out->spare_edges = out->edges + corners;
    out->vertex_of = out->spare_edges + corners;
    return true;
}

/* --- the record */

static uint32_t number_vertices(const lode__polygons *from, uint32_t *vertex_of)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->point_count; ++i)
        vertex_of[i] = NO_INDEX;
    for (uint32_t i = 0; i < from->corner_count; ++i)
        vertex_of[from->corners[i]] = 0;
    for (uint32_t i = 0; i < from->point_count; ++i)
        if (vertex_of[i] != NO_INDEX)
            vertex_of[i] = count++;
    return count;
}

static void free_hull(lode__shape_data *data)
{
    lode_hull *hull = (lode_hull *)data;
    lode__free(hull, hull->bytes);
}

/* One block: the record and its arrays, the widest first. */
static lode_hull *alloc_hull(uint32_t vertices, uint32_t faces, uint32_t edges)
{
    size_t vertex_bytes = vertices * sizeof(lode_vec3),
           face_bytes = faces * sizeof(lode__hull_face);
    size_t edge_bytes = edges * sizeof(lode__hull_edge);
    size_t plane_bytes = hull_blocks(faces) * sizeof(lode__hull_planes);
    size_t corner_bytes = hull_blocks(vertices) * sizeof(lode__hull_corners);
    size_t head = (sizeof(lode_hull) + LODE__LINE_ALIGN - 1) / LODE__LINE_ALIGN * LODE__LINE_ALIGN;
    size_t beside_bytes = 2 * hull_blocks(edges / 2) * sizeof(lode__hull_planes);
    size_t ridge_bytes = edges / 2 * sizeof(lode__hull_ridge);
    size_t side_bytes = edges * sizeof(lode__hull_side);
    size_t bytes = head + vertex_bytes + face_bytes + edge_bytes + plane_bytes + corner_bytes +
                   beside_bytes + ridge_bytes + side_bytes + vertices * sizeof(uint32_t);
    char *memory = lode__alloc(bytes);
    if (!memory)
        return NULL;
    memset(memory, 0, bytes);
    lode_hull *hull = (lode_hull *)memory;
    char *at = memory + head;
    hull->bytes = bytes;
    hull->vertex_count = vertices;
    hull->face_count = faces;
    hull->edge_count = edges;
    hull->ridge_count = edges / 2;
    hull->planes = (lode__hull_planes *)at;
    hull->beside = (lode__hull_planes *)(at += plane_bytes);
    hull->corners = (lode__hull_corners *)(at += beside_bytes);
    hull->ridges = (lode__hull_ridge *)(at += corner_bytes);
    hull->sides = (lode__hull_side *)(at += ridge_bytes);
    hull->vertices = (lode_vec3 *)(at += side_bytes);
    hull->faces = (lode__hull_face *)(at += vertex_bytes);
    hull->edges = (lode__hull_edge *)(at += face_bytes);
    hull->leaving = (uint32_t *)(at += edge_bytes);
    return hull;
}

static void fill_faces(lode_hull *hull, const lode__polygons *from, const uint32_t *vertex_of)
{
    for (uint32_t i = 0; i < from->point_count; ++i)
        if (vertex_of[i] != NO_INDEX) {
            lode_vec3 p = d3_to(from->points[i]);
            hull->vertices[vertex_of[i]] = v3(p.x + 0, p.y + 0, p.z + 0); /* no -0 */
        }
    for (uint32_t f = 0, first = 0; f < hull->face_count; first += from->sizes[f++]) {
        hull->faces[f].first = first;
        hull->faces[f].count = from->sizes[f];
        for (uint32_t e = first; e < first + from->sizes[f]; ++e) {
            uint32_t vertex = vertex_of[from->corners[e]];
            hull->edges[e] = (lode__hull_edge){vertex, NO_INDEX, f, NO_INDEX, NO_INDEX};
            hull->leaving[vertex] = e;
        }
    }
}

static uint32_t ending(const lode_hull *hull, uint32_t edge)
{
    return hull->edges[hull_next(hull, edge)].origin;
}

/* Keys are the two vertices, the lower one first, so that twins come to lie side by side. */
static bool find_twins(lode_hull *hull, scratch *scratch)
{
    uint32_t count = hull->edge_count;
    for (uint32_t e = 0; e < count; ++e) {
        uint32_t from = hull->edges[e].origin, to = ending(hull, e);
        scratch->keys[e] = from < to ? (uint64_t)from << 32 | to : (uint64_t)to << 32 | from;
        scratch->edges[e] = e;
    }
    lode__sort(scratch->keys, scratch->edges, scratch->spare_keys, scratch->spare_edges, count);
    for (uint32_t i = 0; i < count; i += 2) {
        bool paired = i + 1 < count && scratch->keys[i] == scratch->keys[i + 1] &&
                      (i + 2 == count || scratch->keys[i + 1] != scratch->keys[i + 2]);
        uint32_t one = scratch->edges[i], other = paired ? scratch->edges[i + 1] : one;
        if (!paired || hull->edges[one].origin == hull->edges[other].origin)
            return false;
        hull->edges[one].twin = other;
        hull->edges[other].twin = one;
    }
    for (uint32_t e = 0, ridge = 0; e < count; ++e) {
        lode__hull_edge *edge = &hull->edges[e], *twin = &hull->edges[edge->twin];
        edge->beyond = twin->face;
        if (e > edge->twin)
            continue;
        hull->ridges[ridge].edge = e;
        edge->ridge = twin->ridge = ridge++;
    }
    return true;
}

/* --- planes and bounds */

static lode__double3 vertex_at(const lode_hull *hull, uint32_t edge)
{
    return d3_from(hull->vertices[hull->edges[edge].origin]);
}

/* Across the face, as long as twice its area (Newell). */
static lode__double3 newell(const lode_hull *hull, const lode__hull_face *face)
{
    lode__double3 base = vertex_at(hull, face->first), sum = d3(0, 0, 0);
    for (uint32_t e = face->first; e < face->first + face->count; ++e)
        sum = d3_add(sum, d3_cross(d3_sub(vertex_at(hull, e), base),
                                   d3_sub(vertex_at(hull, hull_next(hull, e)), base)));
    return sum;
}

static void set_planes(lode_hull *hull)
{
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        lode__hull_face *face = &hull->faces[f];
        face->normal = d3_to(d3_normalize_or(newell(hull, face), d3(0, 0, 1)));
        lode__double3 normal = d3_from(face->normal);
        double offset = d3_dot(normal, vertex_at(hull, face->first));
        for (uint32_t e = face->first + 1; e < face->first + face->count; ++e)
            offset = d_max(offset, d3_dot(normal, vertex_at(hull, e)));
        face->offset = (lode_real)offset;
    }
}

static void set_ball(lode_hull *hull)
{
    double least = hull->size;
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const lode__hull_face *face = &hull->faces[f];
        double below = (double)face->offset - d3_dot(d3_from(face->normal), hull->center);
        least = below < least ? below : least;
    }
    hull->inner = (lode_real)d_max(least, 0);
}

lode__hull_side lode__hull_side_of(const lode_hull *hull, uint32_t edge, uint32_t to)
{
    lode_vec3 p = hull->vertices[hull->edges[edge].origin];
    lode_vec3 q = hull->vertices[hull->edges[to].origin];
    lode_vec3 out = v3_cross(v3_sub(q, p), hull->faces[hull->edges[edge].face].normal);
    lode_real square = v3_dot(out, out);
    out = square > SHORT ? v3_scale(out, 1 / r_sqrt(square)) : v3_normalize_or(out, v3_zero());
    return (lode__hull_side){out, v3_dot(out, p)};
}

static void put_plane(lode__hull_planes *planes, uint32_t k, const lode__hull_face *face)
{
    planes->x[k] = face->normal.x;
    planes->y[k] = face->normal.y;
    planes->z[k] = face->normal.z;
    planes->offset[k] = face->offset;
}

static void put3(lode_real *to, lode_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void set_ridges(lode_hull *hull)
{
    for (uint32_t i = 0; i < 8 * hull_blocks(hull->ridge_count); ++i) {
        lode__hull_ridge *ridge = &hull->ridges[i < hull->ridge_count ? i : 0];
        const lode__hull_edge *edge = &hull->edges[ridge->edge];
        lode_vec3 from = hull->vertices[edge->origin];
        put_plane(&hull->beside[i / 8 * 2], i % 8, &hull->faces[edge->face]);
        put_plane(&hull->beside[i / 8 * 2 + 1], i % 8, &hull->faces[edge->beyond]);
        put3(&ridge->x[0], hull->faces[edge->face].normal);
        put3(&ridge->x[3], hull->faces[edge->beyond].normal);
        put3(&ridge->x[6], v3_sub(hull->vertices[hull_end(hull, ridge->edge)], from));
        put3(&ridge->x[9], from);
    }
}

void lode__hull_set_blocks(lode_hull *hull)
{
    for (uint32_t i = 0; i < 8 * hull_blocks(hull->face_count); ++i)
        put_plane(&hull->planes[i / 8], i % 8, &hull->faces[i < hull->face_count ? i : 0]);
    for (uint32_t i = 0; i < 8 * hull_blocks(hull->vertex_count); ++i) {
        lode_vec3 v = hull->vertices[i < hull->vertex_count ? i : 0];
        lode__hull_corners *corners = &hull->corners[i / 8];
        corners->x[i % 8] = v.x;
        corners->y[i % 8] = v.y;
        corners->z[i % 8] = v.z;
    }
    set_ridges(hull);
    set_ball(hull);
}

static void set_box(lode_hull *hull)
{
    lode_vec3 lo = hull->vertices[0], hi = lo;
    for (uint32_t v = 1; v < hull->vertex_count; ++v) {
        lo = v3_min(lo, hull->vertices[v]);
        hi = v3_max(hi, hull->vertices[v]);
    }
    lode_vec3 half = v3_scale(v3_sub(hi, lo), (lode_real)0.5);
    hull->middle = v3_add(lo, half);
    hull->size = 2 * r_max(half.x, r_max(half.y, half.z));
}

/* --- what may be wrong */

/* In double, since a plane's offset in single precision has lost digits. */
static double height_above(const lode_hull *hull, uint32_t face, uint32_t edge)
{
    lode__double3 normal = d3_from(hull->faces[face].normal);
    return d3_dot(normal, d3_sub(vertex_at(hull, edge), vertex_at(hull, hull->faces[face].first)));
}

static const char *check_face(const lode_hull *hull, uint32_t f, double slack)
{
    const lode__hull_face *face = &hull->faces[f];
    lode__double3 normal = d3_from(face->normal);
    double longest = 0;
    for (uint32_t e = face->first; e < face->first + face->count; ++e) {
        uint32_t next = hull_next(hull, e), after = hull_next(hull, next);
        lode__double3 side = d3_sub(vertex_at(hull, next), vertex_at(hull, e));
        lode__double3 in = d3_normalize_or(d3_cross(normal, side), d3(0, 0, 0));
        longest = d_max(longest, d3_length(side));
        if (d_abs(height_above(hull, f, e)) > slack)
            return "a face is not plane";
        if (d3_dot(in, d3_sub(vertex_at(hull, after), vertex_at(hull, next))) < -slack)
            return "a face is not convex";
    }
    return d3_length(newell(hull, face)) > slack * longest ? NULL : "a face has no area";
}

/* The neighbours' corners are not above the face. */
static bool is_convex_at(const lode_hull *hull, uint32_t edge, double slack)
{
    const lode__hull_face *other = &hull->faces[hull->edges[hull->edges[edge].twin].face];
    for (uint32_t e = other->first; e < other->first + other->count; ++e)
        if (height_above(hull, hull->edges[edge].face, e) > slack)
            return false;
    return true;
}

static bool all_are_below(const lode_hull *hull, uint32_t face, double slack)
{
    for (uint32_t v = 0; v < hull->vertex_count; ++v)
        if (height_above(hull, face, hull->leaving[v]) > slack)
            return false;
    return true;
}

static const char *check_given(const lode_hull *hull, double slack)
{
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const char *wrong = check_face(hull, f, slack);
        if (!wrong && !all_are_below(hull, f, slack))
            wrong = "the faces are not those of a convex solid";
        if (wrong)
            return wrong;
    }
    return hull->vertex_count + hull->face_count == hull->ridge_count + 2 ? NULL : not_closed;
}

static const char *check(const lode_hull *hull, const lode__polygons *from)
{
    double area = 0;
    for (uint32_t f = 0; f < hull->face_count; ++f)
        area += d3_length(newell(hull, &hull->faces[f]));
    if (!(hull->volume > from->slack * area / 6) || !(hull->volume <= REAL_MAX))
        return "the hull encloses no volume, or one beyond what numbers hold";
    if (from->given)
        return check_given(hull, from->slack);
    if (hull->vertex_count + hull->face_count != hull->ridge_count + 2)
        return not_closed;
    for (uint32_t e = 0; e < hull->edge_count; ++e)
        if (!is_convex_at(hull, e, from->slack))
            return "a face is not convex";
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const char *wrong = check_face(hull, f, from->slack);
        if (wrong)
            return wrong;
    }
    return NULL;
}

/* --- all of it */

static void turn_faces(lode__polygons *polygons)
{
    uint32_t *corners = polygons->corners;
    for (uint32_t f = 0; f < polygons->face_count; corners += polygons->sizes[f++])
        for (uint32_t i = 0, k = polygons->sizes[f] - 1; i < k; ++i, --k) {
            uint32_t swap = corners[i];
            corners[i] = corners[k];
            corners[k] = swap;
        }
}

static uint64_t hash_of(const lode_hull *hull)
{
    uint64_t h = lode__hash_word(hull->vertex_count, hull->face_count);
    h = lode__hash_bytes(h, hull->vertices, hull->vertex_count * sizeof(lode_vec3));
    for (uint32_t f = 0; f < hull->face_count; ++f)
        h = lode__hash_word(h, hull->faces[f].count);
    for (uint32_t e = 0; e < hull->edge_count; ++e)
        h = lode__hash_word(h, hull->edges[e].origin);
    return h;
}

static const char *fill(lode_hull *hull, lode__polygons *from, scratch *scratch)
{
    fill_faces(hull, from, scratch->vertex_of);
    if (!find_twins(hull, scratch))
        return not_closed;
    set_box(hull);
    lode__hull_integrate(hull);
    if (from->given && hull->volume < 0) {
        turn_faces(from);
        fill_faces(hull, from, scratch->vertex_of);
        find_twins(hull, scratch);
        lode__hull_integrate(hull);
    }
    set_planes(hull);
    lode__hull_set_blocks(hull);
    for (uint32_t e = 0; e < hull->edge_count; ++e)
        hull->sides[e] = lode__hull_side_of(hull, e, hull_next(hull, e));
    lode__hull_find_cores(hull);
    return check(hull, from);
}

lode__hull_result lode__hull_finish(lode__polygons *from, lode_hull **out)
{
    const lode__hull_result no_memory = {LODE_ERROR_MEMORY, "out of memory"};
    scratch scratch;
    if (!take_scratch(from, &scratch))
        return no_memory;
    uint32_t vertices = number_vertices(from, scratch.vertex_of);
    lode_hull *hull = alloc_hull(vertices, from->face_count, from->corner_count);
    const char *wrong = hull ? fill(hull, from, &scratch) : NULL;
    lode__free(scratch.memory, scratch.bytes);
    if (!hull)
        return no_memory;
    if (wrong) {
        lode__free(hull, hull->bytes);
        return (lode__hull_result){LODE_ERROR_ARGUMENT, wrong};
    }
    lode__data_begin(&hull->data, LODE_HULL, hash_of(hull), free_hull);
    *out = hull;
    return (lode__hull_result){LODE_OK, NULL};
}
