/* mesh_convex.c: meshes that are convex: which they are, and how deep others are in them.
 *
 * A closed mesh is convex if no vertex is in front of any face, but for rounding. Where an edge
 * bends inwards some is, so few meshes are looked at to the end.
 *
 * What triangles, vertices and edges touch with (mesh_touch.h, mesh_mesh.c) is known near each of
 * them: how far that one is from its way out, not how far the whole solid is. Of two convex solids
 * the whole is known too: along n they part as soon as the farthest point of one has passed that of
 * the other. So of the normals that were found the one that parts them soonest counts: its deepest
 * point gets the depth of the whole, and points that would lead farther than that are left out. Who
 * is moved by the deepest point is apart. A normal along which there is a gap counts like any
 * other: it proves that they are apart, and that what triangles beside it say to be deep is not.
 *
 * But around corners and edges the way out may be along none of the normals that were found. A
 * triangle may be left sideways where the mesh does not allow it, and then speaks with its face,
 * however steeply the solid runs down beside it. So the best normal is either proved or replaced.
 * It is proved if the solid's farthest point behind it is in the mesh and all but as far from the
 * whole surface as it is deep: no way out is shorter than the distance of a point that is inside.
 * Else the general search, for which a convex mesh is a core like others, says the least way
 * out. */
#include "collide/gjk.h"
#include "collide/mesh_touch.h"

/* The cosine of the angle between normals that are one, if they part by the same as well: an edge's
 * may be as near to a face's and lead out much farther. */
#define ONE_WAY ((lode_real)0.99999)

/* Of the speculative margin, and of the depth: by how much ways out may differ and be as good. */
#define AS_GOOD ((lode_real)0.05)
#define EQUAL_DEPTH ((lode_real)1e-5)

/* Of the depth: how much deeper the normals that were found may be than the least way out. */
#define PREFERRED ((lode_real)0.95)

/* The name of the point that the search found. */
enum { SEARCHED = 15 };

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

/* --- the least way out */

static lode__double3 support_mesh(const lode__convex *mesh, lode__double3 direction)
{
    return lode__surface_support(mesh->data, direction);
}

static const lode__convex_type mesh_core = {.support = support_mesh};

/* Is no way out better than one of this depth along this normal, but for what is preferred? */
static bool is_proved(const lode__mesh_query *query, lode_vec3 normal, lode_real depth)
{
    lode__double3 back = d3_neg(d3_from(normal)),
                  own = d3_from(q_rotate_inv(query->rotation, d3_to(back)));
    lode__double33 turn = d33_from_quat(query->rotation);
    lode__double3 far = query->other ? lode__surface_support(query->other, own)
                                     : query->solid.type->support(&query->solid, own);
    lode__double3 at = d3_add(d3_from(query->center), d33_mul(&turn, far));
    lode__mesh_nearest near;
    depth = depth * PREFERRED - query->speculative * AS_GOOD;
    return depth <= 0 ||
           (lode__surface_find_nearest(query->surface, v3_zero(), at, __builtin_inf(), &near) &&
            near.distance >= (double)depth &&
            lode__surface_is_behind(query->surface, v3_zero(), &near, at));
}

static uint32_t triangle_at(const lode__shape_data *surface, lode__double3 at)
{
    lode__mesh_nearest near;
    lode__surface_find_nearest(surface, v3_zero(), at, __builtin_inf(), &near);
    return near.triangle;
}

/* The point where they part along the least way out. False: they are farther apart than counts. */
static bool search_way(const lode__mesh_query *query, lode__mesh_point *out)
{
    lode__convex solid = query->solid, surface = {.type = &mesh_core, .data = query->surface};
    lode__nearest nearest;
    if (query->other)
        solid = (lode__convex){.type = &mesh_core, .data = query->other};
    lode__convex_pair pair = lode__convex_pair_make(solid, query->rotation, surface, q_identity(),
                                                    v3_neg(query->center));
    lode__gjk_nearest(&pair, (double)query->speculative, &nearest);
    if (!(nearest.gap < (double)query->speculative))
        return false;
    lode__double33 turn = d33_from_quat(query->rotation);
    lode__double3 middle = d3_scale(d3_add(nearest.on_a, nearest.on_b), 0.5);
    lode__double3 at = d33_mul(&turn, middle);
    *out = (lode__mesh_point){.position = d3_to(at),
                              .normal = d3_to(d33_mul(&turn, nearest.normal)),
                              .depth = -(lode_real)nearest.gap,
                              .feature = SEARCHED};
    out->triangle = triangle_at(query->surface, d3_add(d3_from(query->center), at));
    if (query->other)
        out->other = triangle_at(query->other, middle) + 1;
    return true;
}

/* Ways out of round cores are known as they are. */
static bool may_search(const lode__mesh_query *query)
{
    return query->other || (query->solid.type->support && !query->solid.type->has_radius);
}

/* Of the deepest the first speaks; its depth is that of the whole. */
static void let_speak(const lode__mesh_query *query, lode__mesh_point first)
{
    lode__mesh_points *points = query->out;
    uint32_t kept = 0;
    points->items[kept++] = first;
    for (uint32_t i = 1; i < points->count; ++i)
        if (may_stay(query, &points->items[i], r_max(first.depth, 0)))
            points->items[kept++] = points->items[i];
    points->count = kept;
}

/* With triangles refused a mesh is no whole. */
bool lode__mesh_deepens(const lode__mesh_query *query)
{
    return !query->gate.accepts && is_convex(query->surface) &&
           (!query->other || is_convex(query->other));
}

void lode__mesh_deepen(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    lode__mesh_point first, least;
    lode_real depth = 0;
    if (!lode__mesh_deepens(query))
        return;
    uint32_t best = find_best(query, &depth);
    if (best == points->count)
        return;
    first = points->items[best];
    first.depth = r_max(depth, first.depth);
    points->items[best] = points->items[0];
    if (may_search(query) && !is_proved(query, first.normal, first.depth)) {
        if (!search_way(query, &least)) {
            points->count = 0;
            return;
        }
        if (least.depth < first.depth * PREFERRED - query->speculative * AS_GOOD)
            first = least;
    }
    let_speak(query, first);
}
