/* mesh_search.c: what of a mesh is nearest: to a box, along a direction; and on which side a point
 * is.
 *
 * Branch and bound: a node's children are entered nearest first, and left alone once something
 * nearer is known than their boxes are (Roussopoulos, Kelley and Vincent 1995, "Nearest neighbor
 * queries"). All is in double; bounds are shortened by more than they are rounded.
 *
 * Which side of a closed mesh a point is on follows from the nearest place alone. In a face it is
 * the side of that face. On an edge it is the side of the sum of both normals (Baerentzen and
 * Aanaes 2005, "Signed distance computation using the angle weighted pseudonormal"). At a corner
 * the mesh is a cone, and nothing of it rises above the plane across the way to the point, or that
 * place would be nearer; so of all edges at the corner the one that rises most has free space above
 * it, and the point is on its side as with an edge alone. That takes no angles, and holds where
 * several cones meet in one corner. */
#include "collide/mesh.h"

typedef struct entry {
    double at; /* how far the box is away */
    uint32_t child;
} entry;

typedef struct search {
    const lode__mesh *mesh;
    lode__double3 lo, hi;
    double most;
} search;

/* --- nodes */

static double gap_along(double lo, double hi, double other_lo, double other_hi)
{
    return d_max(0, d_max(other_lo - hi, lo - other_hi));
}

static double child_gap(const search *s, const lode__mesh_node *node, int k)
{
    const double lo[3] = {s->lo.x, s->lo.y, s->lo.z}, hi[3] = {s->hi.x, s->hi.y, s->hi.z};
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        double from = (double)node->lo[i] + (double)node->step[i] * node->child_lo[i][k];
        double to = (double)node->lo[i] + (double)node->step[i] * node->child_hi[i][k];
        double gap = gap_along(lo[i], hi[i], from, to);
        sum += gap * gap;
    }
    return d_sqrt(sum) * (1 - 1e-12);
}

/* The nearest last, so that it is taken first. */
static uint32_t push_children(const search *s, const lode__mesh_node *node, entry *stack,
                              uint32_t depth)
{
    uint32_t begin = depth;
    for (int k = 0; k < LODE__MESH_WIDE && node->child[k] != LODE__MESH_NO_CHILD; ++k) {
        double at = child_gap(s, node, k);
        if (!(at <= s->most))
            continue;
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < at; --i)
            stack[i] = stack[i - 1];
        stack[i] = (entry){at, node->child[k]};
    }
    return depth;
}

void lode__mesh_search(const lode__mesh *mesh, lode__double3 lo, lode__double3 hi, double most,
                       lode__mesh_near_fn *visit, void *context)
{
    entry stack[LODE__MESH_STACK];
    search s = {mesh, lo, hi, most};
    uint32_t depth = push_children(&s, &mesh->nodes[0], stack, 0);
    while (depth > 0) {
        entry e = stack[--depth];
        if (!(e.at <= s.most))
            continue;
        if (!(e.child & LODE__MESH_LEAF_BIT)) {
            depth = push_children(&s, &mesh->nodes[e.child], stack, depth);
            continue;
        }
        uint32_t first = e.child & (LODE__MESH_PLACES - 1), count = (e.child >> 28 & 7) + 1;
        for (uint32_t i = 0; i < count && s.most >= 0; ++i)
            s.most = visit(context, mesh->order[first + i], s.most);
    }
}

/* --- along a direction */

/* How far a child's box reaches against `down`'s opposite. */
static double child_reach(const lode__mesh_node *node, int k, const double d[3])
{
    double sum = 0, size = 0;
    for (int i = 0; i < 3; ++i) {
        double lo = (double)node->lo[i] + (double)node->step[i] * node->child_lo[i][k];
        double hi = (double)node->lo[i] + (double)node->step[i] * node->child_hi[i][k];
        double best = d[i] > 0 ? hi * d[i] : lo * d[i];
        sum += best;
        size += d_abs(best);
    }
    return sum + size * 1e-12;
}

void lode__mesh_reach(const lode__mesh *mesh, lode__double3 direction, double limit,
                      lode__reach_fn *visit, void *context)
{
    const double d[3] = {direction.x, direction.y, direction.z};
    uint32_t stack[LODE__MESH_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const lode__mesh_node *node = &mesh->nodes[stack[--depth]];
        for (int k = 0; k < LODE__MESH_WIDE && node->child[k] != LODE__MESH_NO_CHILD; ++k) {
            uint32_t child = node->child[k];
            if (!(child_reach(node, k, d) > limit))
                continue;
            if (!(child & LODE__MESH_LEAF_BIT)) {
                stack[depth++] = child;
                continue;
            }
            uint32_t first = child & (LODE__MESH_PLACES - 1), count = (child >> 28 & 7) + 1;
            for (uint32_t i = 0; i < count; ++i) {
                lode__triangle t = mesh_triangle(mesh, mesh->order[first + i]);
                limit = visit(context, mesh->order[first + i], &t, limit);
            }
        }
    }
}

/* --- a triangle */

static lode__double3 on_edge(const lode__double3 v[3], int edge, double share, int *out_where)
{
    *out_where = edge;
    return d3_madd(v[edge], d3_sub(v[(edge + 1) % 3], v[edge]), share);
}

static lode__double3 on_corner(const lode__double3 v[3], int corner, int *out_where)
{
    *out_where = 3 + corner;
    return v[corner];
}

lode__double3 lode__nearest_on(const lode__double3 v[3], lode__double3 x, int *out_where)
{
    lode__double3 ab = d3_sub(v[1], v[0]), ac = d3_sub(v[2], v[0]);
    lode__double3 ax = d3_sub(x, v[0]), bx = d3_sub(x, v[1]), cx = d3_sub(x, v[2]);
    double d1 = d3_dot(ab, ax), d2 = d3_dot(ac, ax), d3 = d3_dot(ab, bx), d4 = d3_dot(ac, bx);
    double d5 = d3_dot(ab, cx), d6 = d3_dot(ac, cx);
    if (d1 <= 0 && d2 <= 0)
        return on_corner(v, 0, out_where);
    if (d3 >= 0 && d4 <= d3)
        return on_corner(v, 1, out_where);
    if (d6 >= 0 && d5 <= d6)
        return on_corner(v, 2, out_where);
    double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return on_edge(v, 0, d1 / (d1 - d3), out_where);
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return on_edge(v, 2, 1 - d2 / (d2 - d6), out_where);
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return on_edge(v, 1, (d4 - d3) / ((d4 - d3) + (d5 - d6)), out_where);
    *out_where = -1;
    double sum = va + vb + vc;
    return d3_madd(d3_madd(v[0], ab, vb / sum), ac, vc / sum);
}

static void get_corners(const lode__mesh *mesh, uint32_t triangle, lode__double3 out[3])
{
    lode__triangle t = mesh_triangle(mesh, triangle);
    for (int k = 0; k < 3; ++k)
        out[k] = d3_from(t.v[k]);
}

lode__double3 lode__mesh_normal(const lode__mesh *mesh, uint32_t triangle)
{
    lode__double3 v[3];
    get_corners(mesh, triangle, v);
    lode__double3 b = d3_normalize_or(d3_sub(v[1], v[0]), d3(1, 0, 0));
    lode__double3 c = d3_normalize_or(d3_sub(v[2], v[0]), d3(0, 1, 0));
    return d3_normalize_or(d3_cross(b, c), d3(0, 0, 1));
}

/* --- sides */

/* The normal of a face, or the sum of those of both faces at an edge. */
static lode__double3 edge_normal(const lode__mesh *mesh, uint32_t triangle, int edge)
{
    lode__double3 n = lode__mesh_normal(mesh, triangle);
    uint32_t other = mesh->neighbors[triangle][edge];
    return other == LODE__NONE ? n : d3_add(n, lode__mesh_normal(mesh, other >> 2));
}

/* The edge at a corner that rises most along a direction. */
typedef struct edge_search {
    const lode__mesh *mesh;
    lode__double3 corner, direction, normal;
    double rise;
} edge_search;

static bool visit_corner(void *context, uint32_t triangle)
{
    edge_search *s = context;
    lode__double3 v[3];
    get_corners(s->mesh, triangle, v);
    for (int k = 0; k < 3; ++k) {
        if (v[k].x != s->corner.x || v[k].y != s->corner.y || v[k].z != s->corner.z)
            continue;
        for (int side = 1; side < 3; ++side) {
            lode__double3 along = d3_normalize_or(d3_sub(v[(k + side) % 3], v[k]), d3(0, 0, 0));
            double rise = d3_dot(along, s->direction);
            if (!(rise > s->rise))
                continue;
            s->rise = rise;
            s->normal = edge_normal(s->mesh, triangle, side == 1 ? k : (k + 2) % 3);
        }
    }
    return true;
}

bool lode__mesh_is_behind(const lode__mesh *mesh, const lode__mesh_nearest *nearest,
                          lode__double3 point)
{
    lode__double3 away = d3_sub(point, nearest->point);
    if (nearest->where < 0)
        return d3_dot(lode__mesh_normal(mesh, nearest->triangle), away) < 0;
    if (nearest->where < 3)
        return d3_dot(edge_normal(mesh, nearest->triangle, nearest->where), away) < 0;
    edge_search s = {mesh, nearest->point, d3_normalize_or(away, d3(0, 0, 1)), {0, 0, 0}, -2};
    lode_vec3 corner = d3_to(nearest->point);
    lode__mesh_walk(mesh, corner, corner, visit_corner, &s);
    return d3_dot(s.normal, away) < 0;
}
