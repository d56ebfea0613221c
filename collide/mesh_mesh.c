/* mesh_mesh.c: what two meshes touch with, and a mesh and a height field; below, "mesh" says
 * either.
 *
 * Polyhedra touch with a vertex of one on a face of the other, or with two edges that cross. So
 * three passes say all: vertices of b on a, vertices of a on b, edges (mesh_mesh_edges.c).
 *
 * Vertices. Seen from a vertex the other surface is a distance with a sign (mesh_search.c). Where
 * the vertex is behind it, by however much, it is pushed out by the nearest face that it can be
 * pushed through: one that looks against some face at the vertex. A vertex of a stack of equal
 * boxes is at once on top of the box below and on its sides, nearer to these; but the sides look
 * the same way, so it is the top that holds it. In front of the surface faces, convex edges and
 * corners count, where the vertex is in their region (mesh_touch.h). Boxes of the tree whose middle
 * is farther in front than they are large have no such vertices.
 *
 * A mesh that is no solid has no inside: what is behind it counts as long as the other mesh reaches
 * in front of the face, and the two cross somewhere (mesh_mesh_cross.c): what has come behind it
 * round its rim is not through it. So it is with a solid that no vertex is in: who is beside its
 * side is not on its bottom. Of a two-sided one the side counts that the other's middle is on.
 *
 * A field is a mesh that encloses nothing; behind it is what is under it.
 *
 * All in double, in the axes of the mesh that is touched. */
#include "collide/mesh_mesh.h"

/* Of the speculative margin: how far beside a face a vertex may be and be on it; and how deep edges
 * may have passed each other without running through a triangle. */
#define BESIDE 0.125

/* The feature of a vertex of the shape is its number and this. */
enum { OWN_VERTEX = 16 };

/* How far a reaches along a direction in b's axes. */
static double reach_along(const lode__meeting *m, lode__double3 n)
{
    lode__double3 own = d33_mul_t(&m->turn, n);
    return d3_dot(n, m->middle) + d_abs(own.x) * m->half.x + d_abs(own.y) * m->half.y +
           d_abs(own.z) * m->half.z;
}

/* The middle and half the sides of a surface's box, seen from `origin` in its axes. */
static void get_box(const lode__shape_data *surface, lode_vec3 origin, lode__double3 *out_middle,
                    lode__double3 *out_half)
{
    lode_bounds box = surface_box(surface);
    lode__double3 lo = d3_from(box.lower), hi = d3_from(box.upper);
    *out_half = d3_scale(d3_sub(hi, lo), 0.5);
    *out_middle = d3_sub(d3_scale(d3_add(lo, hi), 0.5), d3_from(origin));
}

/* Where a surface is to others: in the middle of a mesh; of a field, below all that is near. */
static lode__double3 side_of(const lode__shape_data *surface, lode__double3 middle)
{
    return surface->type == LODE_MESH ? middle : d3(0, 0, -LODE__FIELD_ENDLESS);
}

static lode__meeting meeting_of(const lode__mesh_query *query, const lode__shape_data *other,
                                bool shape_on_mesh)
{
    bool near = query->surface->type != LODE_MESH;
    lode__meeting m = {.a = shape_on_mesh ? other : query->surface,
                       .b = shape_on_mesh ? query->surface : other,
                       .margin = (double)query->speculative,
                       .slack = (double)query->speculative * BESIDE,
                       .shape_on_mesh = shape_on_mesh,
                       .query = query};
    lode_quat turn = shape_on_mesh ? query->rotation : q_conj(query->rotation);
    lode__double3 center = near ? d3(0, 0, 0) : d3_from(query->center), middle_b, half_b;
    if (near)
        *(shape_on_mesh ? &m.origin_b : &m.origin_a) = query->center;
    m.turn = d33_from_quat(turn);
    m.offset = shape_on_mesh ? center : d3_neg(d33_mul(&m.turn, center));
    get_box(m.a, m.origin_a, &m.middle, &m.half);
    get_box(m.b, m.origin_b, &middle_b, &half_b);
    m.side_a = d3_add(m.offset, d33_mul(&m.turn, side_of(m.a, m.middle)));
    m.side_b = meeting_to_a(&m, side_of(m.b, middle_b));
    m.middle = d3_add(m.offset, d33_mul(&m.turn, m.middle));
    m.size = 2 * d3_length(m.half);
    return m;
}

bool lode__meeting_walk_a(const lode__meeting *m, double grow, lode__surface_visit_fn *visit,
                          void *context)
{
    const lode__double33 *r = &m->turn;
    lode__double3 middle, half;
    get_box(m->b, m->origin_b, &middle, &half);
    middle = d3_add(d3_from(m->origin_a), meeting_to_a(m, middle));
    grow += 8 * (double)REAL_EPSILON * (d3_most(middle) + d3_most(half)) +
            1e-6 * (d3_most(half) + d3_length(m->offset));
    lode__double3 reach = d3(
        d_abs(r->r0.x) * half.x + d_abs(r->r1.x) * half.y + d_abs(r->r2.x) * half.z + grow,
        d_abs(r->r0.y) * half.x + d_abs(r->r1.y) * half.y + d_abs(r->r2.y) * half.z + grow,
        d_abs(r->r0.z) * half.x + d_abs(r->r1.z) * half.y + d_abs(r->r2.z) * half.z + grow);
    return lode__surface_walk(m->a, m->origin_a, d3_to(d3_sub(middle, reach)),
                              d3_to(d3_add(middle, reach)), visit, context);
}

void lode__meeting_add(const lode__meeting *m, lode__double3 at, lode__double3 normal, double depth,
                       uint32_t feature, uint32_t triangle_a, uint32_t triangle_b, bool doubtful)
{
    lode__mesh_point p = {.depth = (lode_real)depth, .feature = feature, .doubtful = doubtful};
    if (m->shape_on_mesh) {
        p.position = d3_to(d3_sub(at, m->offset));
        p.normal = d3_to(normal);
        p.triangle = triangle_b;
        p.other = triangle_a + 1;
    } else {
        p.position = d3_to(d33_mul_t(&m->turn, at));
        p.normal = v3_neg(meeting_to_a_axes(m, normal));
        p.triangle = triangle_a;
        p.other = triangle_b + 1;
    }
    lode__mesh_add_point(m->query, &p);
}

/* --- which side */

/* The normal of a triangle of b, of the side that counts; its first corner is `corner`. */
static lode__double3 facing_normal(const lode__meeting *m, uint32_t triangle, lode__double3 corner)
{
    lode__double3 n = surface_normal_of(m->b, triangle);
    bool back = surface_two_sided(m->b) && d3_dot(n, d3_sub(m->side_a, corner)) < 0;
    return back ? d3_neg(n) : n;
}

static bool is_behind(const lode__meeting *m, const lode__mesh_nearest *near, lode__double3 at)
{
    if (!surface_two_sided(m->b))
        return lode__surface_is_behind(m->b, m->origin_b, near, at);
    return d3_dot(facing_normal(m, near->triangle, near->point), d3_sub(at, near->point)) < 0;
}

/* --- around a vertex */

/* Is the triangle the first of those around its corner? */
static bool owns_corner(const lode__shape_data *surface, uint32_t triangle, int corner)
{
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t t = triangle;
        int at = corner;
        for (int i = 0; i < LODE__MESH_FAN; ++i) {
            t = lode__mesh_around(surface, t, &at, turn);
            if (t == LODE__NONE || t == triangle)
                break;
            if (t < triangle)
                return false;
        }
    }
    return true;
}

/* Does a face at a's corner look against `n`, in a's axes? */
static bool corner_looks_against(const lode__shape_data *surface, uint32_t triangle, int corner,
                                 lode__double3 n)
{
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t t = triangle;
        int at = corner;
        for (int i = 0; i < LODE__MESH_FAN && t != LODE__NONE; ++i) {
            if (meeting_looks_against(surface, t, n))
                return true;
            t = lode__mesh_around(surface, t, &at, turn);
            if (t == triangle)
                return false;
        }
    }
    return false;
}

/* --- vertices */

/* A vertex of a, and the best way out so far. */
typedef struct vertex {
    const lode__meeting *m;
    lode__double3 at;
    uint32_t triangle; /* of a, whose corner it is */
    int corner;
    bool inside;   /* behind the surface */
    uint32_t face; /* LODE__NONE: none yet */
    lode__double3 normal;
    double gap;
} vertex;

/* The way from a place on an edge or a corner of b to the vertex, if it is in that feature's
 * region. From inside only what bends inwards can be nearest. */
static bool edge_allows(const vertex *v, uint32_t triangle, const lode__triangle *t, int where,
                        lode__double3 way)
{
    const lode__meeting *m = v->m;
    lode__mesh_query query = {.surface = m->b};
    lode__mesh_side side = meeting_side(m->b, triangle, t, m->side_a);
    lode_vec3 d = d3_to(way);
    if (v->inside)
        return where < 3 && side_kind(m->b, &side, where) == LODE__EDGE_CONCAVE;
    return where < 3 ? lode__mesh_edge_allows(&query, &side, where, d)
                     : lode__mesh_corner_allows(&query, &side, where - 3, d);
}

/* Does a surface that is no solid have the vertex before it, or something else of a? */
static bool is_met(const lode__meeting *m, lode__double3 n, lode__double3 on_face)
{
    return surface_is_solid(m->b) || reach_along(m, n) > d3_dot(n, on_face);
}

static double try_face(void *context, uint32_t triangle, const lode__triangle *t, double most)
{
    vertex *v = context;
    const lode__meeting *m = v->m;
    int where;
    lode__double3 corners[3] = {d3_from(t->v[0]), d3_from(t->v[1]), d3_from(t->v[2])};
    lode__double3 on_face = corners[0], n = facing_normal(m, triangle, on_face);
    lode__double3 nearest = lode__nearest_on(corners, v->at, &where);
    lode__double3 apart = d3_sub(v->at, nearest);
    double height = d3_dot(n, d3_sub(v->at, on_face)), distance = d3_length(apart);
    double beside = d_sqrt(d_max(0, distance * distance - height * height));
    if (!(distance < most) || (v->inside && height > m->slack) || height >= m->margin)
        return most;
    if (where >= 0 && beside > m->slack) { /* rounding parts what is above a face from its foot */
        n = d3_scale(apart, (v->inside ? -1 : 1) / distance);
        if (!edge_allows(v, triangle, t, where, n))
            return most;
        height = v->inside ? -distance : distance;
    }
    if (!corner_looks_against(m->a, v->triangle, v->corner, d33_mul_t(&m->turn, n)) ||
        !is_met(m, n, on_face))
        return most;
    v->face = triangle;
    v->normal = n;
    v->gap = height;
    return distance;
}

/* Corner `corner` of a triangle of a. */
static void touch_vertex(lode__meeting *m, uint32_t triangle, const lode__triangle *t, int corner)
{
    vertex v = {m, meeting_to_b(m, t->v[corner]), triangle, corner, false, LODE__NONE, {0, 0, 0},
                0};
    lode__mesh_nearest near;
    lode__surface_find_nearest(m->b, m->origin_b, v.at, __builtin_inf(), &near);
    v.inside = is_behind(m, &near, v.at);
    m->holds |= v.inside && surface_is_solid(m->b);
    if (!v.inside && near.distance >= m->margin)
        return;
    bool deep = v.inside || near.distance <= m->slack;
    lode__double3 at = d3_add(d3_from(m->origin_b), v.at);
    lode__surface_search(m->b, m->origin_b, at, at, deep ? m->size + m->margin : m->margin,
                         try_face, &v);
    if (v.face == LODE__NONE)
        return;
    uint32_t feature = surface_vertex(m->a, triangle, corner) & MESH_LOW_BITS;
    feature = m->shape_on_mesh ? OWN_VERTEX + feature : MESH_BY_CORNER | feature;
    lode__meeting_add(m, d3_madd(v.at, v.normal, -v.gap / 2), v.normal, -v.gap, feature, triangle,
                      v.face, false);
}

static bool touch_corners(void *context, uint32_t triangle, const lode__triangle *t)
{
    lode__meeting *m = context;
    for (int k = 0; k < 3; ++k)
        if (owns_corner(m->a, triangle, k))
            touch_vertex(m, triangle, t, k);
    return !m->query->out->failed;
}

/* May a child of a's tree hold vertices that touch? Not if its middle is far in front. */
static bool may_touch(const lode__meeting *m, const lode__mesh_node *node, int k)
{
    double lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
        lo[i] = (double)node->lo[i] + (double)node->step[i] * node->child_lo[i][k];
        hi[i] = (double)node->lo[i] + (double)node->step[i] * node->child_hi[i][k];
    }
    lode__double3 half = d3((hi[0] - lo[0]) / 2, (hi[1] - lo[1]) / 2, (hi[2] - lo[2]) / 2);
    lode__double3 middle = d3(lo[0] + half.x, lo[1] + half.y, lo[2] + half.z);
    lode__double3 at = d3_add(m->offset, d33_mul(&m->turn, middle));
    lode__mesh_nearest near;
    lode__surface_find_nearest(m->b, m->origin_b, at, __builtin_inf(), &near);
    return near.distance <= d3_length(half) * (1 + 1e-9) + m->margin || is_behind(m, &near, at);
}

/* Of a mesh on any surface. */
static void touch_tree(lode__meeting *m)
{
    const lode__mesh *mesh = mesh_of(m->a);
    uint32_t stack[LODE__MESH_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const lode__mesh_node *node = &mesh->nodes[stack[--depth]];
        for (int k = 0; k < LODE__MESH_WIDE && node->child[k] != LODE__MESH_NO_CHILD; ++k) {
            uint32_t child = node->child[k];
            if (!may_touch(m, node, k))
                continue;
            if (!(child & LODE__MESH_LEAF_BIT)) {
                stack[depth++] = child;
                continue;
            }
            uint32_t first = child & (LODE__MESH_PLACES - 1), count = (child >> 28 & 7) + 1;
            for (uint32_t i = 0; i < count; ++i) {
                lode__triangle t = mesh_triangle(mesh, mesh->order[first + i]);
                touch_corners(m, mesh->order[first + i], &t);
            }
        }
    }
}

/* Of a field on a mesh: those in its box. Through a mesh that encloses nothing a vertex may have
 * come farther; not farther than that is large. */
static void touch_vertices(lode__meeting *m)
{
    lode__double3 middle, half;
    if (m->a->type == LODE_MESH) {
        touch_tree(m);
        return;
    }
    get_box(m->b, m->origin_b, &middle, &half);
    lode__meeting_walk_a(m, m->margin + (surface_is_solid(m->b) ? 0 : 2 * d3_length(half)),
                         touch_corners, m);
}

/* Of the points from `first` on, which are vertices on b, leaves out those with a depth if the two
 * have nothing in common: nothing of a goes through b, nor is in it. They are behind a face, but
 * beyond its rim; or they are beside it by so little that they count as on it. */
static void drop_beyond_rim(const lode__meeting *m, uint32_t first)
{
    lode__mesh_points *points = m->query->out;
    uint32_t kept = first;
    bool deep = false;
    for (uint32_t i = first; i < points->count; ++i)
        deep |= points->items[i].depth > 0;
    if (!deep || m->holds || lode__meeting_crosses(m))
        return;
    for (uint32_t i = first; i < points->count; ++i)
        if (points->items[i].depth <= 0)
            points->items[kept++] = points->items[i];
    points->count = kept;
}

/* --- both */

void lode__mesh_touch_mesh(const lode__mesh_query *query, const lode__shape_data *other)
{
    lode__meeting on_mesh = meeting_of(query, other, true),
                  on_shape = meeting_of(query, other, false);
    uint32_t first = query->out->count;
    touch_vertices(&on_mesh);
    drop_beyond_rim(&on_mesh, first);
    first = query->out->count;
    touch_vertices(&on_shape);
    drop_beyond_rim(&on_shape, first);
    lode__meeting_edges(&on_mesh);
}
