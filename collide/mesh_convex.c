/* mesh_convex.c: meshes that are convex: which they are, and how deep others are in them.
 *
 * A closed mesh is convex if no vertex is in front of any face, but for rounding. Where an edge bends
 * inwards some is, so few meshes are looked at to the end.
 *
 * What triangles, vertices and edges touch with (mesh_touch.h, mesh_mesh.c) is known near each of them:
 * how far that one is from its way out, not how far the whole solid is. Of two convex solids the whole is
 * known too: along n they part as soon as the farthest point of one has passed that of the other. So of
 * the normals that were found the one that parts them soonest counts: its deepest point gets the depth of
 * the whole, and points that would lead farther than that are left out. Who is moved by the deepest
 * point is apart. A normal along which there is a gap counts like any other: it proves that they are
 * apart, and that what triangles beside it say to be deep is not. */
#include "collide/mesh_touch.h"

/* The cosine of the angle between normals that are one, if they part by the same as well: an edge's
 * may be as near to a face's and lead out much farther. */
#define ONE_WAY ((lode_real)0.99999)

/* Of the speculative margin, and of the depth: by how much ways out may differ and be as good. */
#define AS_GOOD ((lode_real)0.05)
#define EQUAL_DEPTH ((lode_real)1e-5)

/* Of the size: how far a vertex may be in front of a face. */
#define ROUNDING 1e-5

/* A mesh of more triangles is none, because its building would take too long. */
enum { MOST_TRIANGLES = 1 << 14 };

/* --- which meshes */

static bool bends_in(const lode__mesh *mesh, uint32_t triangle)
{
    for (int e = 0; e < 3; ++e) {
        int kind = mesh_edge_kind(mesh, triangle, e);
        if (kind == LODE__EDGE_CONCAVE || kind == LODE__EDGE_FREE)
            return true;
    }
    return false;
}

static bool has_vertices_before(const lode__mesh *mesh, uint32_t triangle, double slack)
{
    lode__triangle t = mesh_triangle(mesh, triangle);
    lode__double3 n = lode__mesh_normal(mesh, triangle);
    lode__double3 farthest = lode__surface_support(&mesh->data, n);
    return d3_dot(n, d3_sub(farthest, d3_from(t.v[0]))) > slack;
}

bool lode__mesh_is_convex(const lode__mesh *mesh)
{
    double slack = d3_length(d3_sub(d3_from(mesh->upper), d3_from(mesh->lower))) * ROUNDING;
    if (!mesh_is_solid(mesh) || mesh->counted > MOST_TRIANGLES)
        return false;
    for (uint32_t i = 0; i < mesh->counted; ++i)
        if (bends_in(mesh, mesh->order[i]))
            return false;
    for (uint32_t i = 0; i < mesh->counted; ++i)
        if (has_vertices_before(mesh, mesh->order[i], slack))
            return false;
    return true;
}

/* --- others in them */

static bool is_convex(const lode__shape_data *surface)
{
    return surface->type == LODE_MESH && mesh_of(surface)->convex;
}

/* How far they are in each other along a normal, which leads into the query's shape. */
static lode_real whole_depth(const lode__mesh_query *query, lode_vec3 normal)
{
    lode__double3 n = d3_from(normal);
    double surface = d3_dot(n, lode__surface_support(query->surface, n));
    return lode__mesh_reach_along(query, v3_neg(normal)) +
           (lode_real)(surface - d3_dot(n, d3_from(query->center)));
}

static lode_real as_good(const lode__mesh_query *query, lode_real depth)
{
    return query->speculative * AS_GOOD + EQUAL_DEPTH * r_abs(depth);
}

/* The point whose normal parts them soonest; of equal ones the deepest. There is one. */
static uint32_t find_best(const lode__mesh_query *query, lode_real *out_depth)
{
    const lode__mesh_points *points = query->out;
    uint32_t best = points->count;
    for (uint32_t i = 0; i < points->count; ++i) {
        const lode__mesh_point *p = &points->items[i];
        lode_real depth = whole_depth(query, p->normal);
        if (best < points->count) {
            const lode__mesh_point *q = &points->items[best];
            bool equal = v3_dot(p->normal, q->normal) > ONE_WAY &&
                         r_abs(depth - *out_depth) <= as_good(query, depth);
            if (equal ? !(p->depth > q->depth) : !(depth < *out_depth))
                continue;
        }
        best = i;
        *out_depth = depth;
    }
    return best;
}

/* May a point stay that is as deep as `most`? Not if it leads farther than that; points on one face
 * with the best differ from it by rounding. */
static bool may_stay(const lode__mesh_query *query, lode__mesh_point *p, lode_real most)
{
    if (p->depth > most && whole_depth(query, p->normal) > most + as_good(query, most))
        return false;
    p->depth = r_min(p->depth, most);
    return true;
}

void lode__mesh_deepen(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    lode_real depth = 0;
    if (!is_convex(query->surface) || (query->other && !is_convex(query->other)))
        return;
    uint32_t best = find_best(query, &depth), kept = 0;
    if (best == points->count)
        return;
    /* of the deepest the first speaks */
    lode__mesh_point first = points->items[best];
    points->items[best] = points->items[0];
    depth = first.depth = r_max(depth, first.depth);
    points->items[kept++] = first;
    for (uint32_t i = 1; i < points->count; ++i)
        if (may_stay(query, &points->items[i], r_max(depth, 0)))
            points->items[kept++] = points->items[i];
    points->count = kept;
}
