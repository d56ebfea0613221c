/* mesh_ray.c: rays through a mesh's tree.
 *
 * A ray meets a triangle where it passes its three edges on the same side. Moved so that the ray is the
 * z axis, an edge's side is the sign of a 2 x 2 determinant, and the two triangles at an edge compute
 * the same one with the other sign: a ray that meets an edge meets one of them at least, and none slips
 * through (Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection"). Determinants are in
 * double, where products of two singles are exact.
 *
 * Nodes are entered by their boxes, widened by more than rounding; of hits the caller keeps what he
 * wants, and says how far the ray is to be followed from then on. Distances are compared as they are
 * told, so that all hits at the same distance are heard of. */
#include "collide/mesh.h"

/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER ((lode_real)1e-5)

typedef struct walk {
    const lode__mesh *mesh;
    double origin[3], direction[3];
    int x, y, z;                    /* axes: the direction is longest along z */
    double shear_x, shear_y, scale; /* that make it the z axis, of length 1 */
    double inverse[3];
    lode_real most;
    lode__mesh_hit_fn *hear;
    void *context;
} walk;

static void get(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static walk walk_of(lode_vec3 origin, lode_vec3 direction, lode_real length)
{
    walk w = {.most = length};
    get(origin, w.origin);
    get(direction, w.direction);
    const double *d = w.direction;
    double size[3] = {__builtin_fabs(d[0]), __builtin_fabs(d[1]), __builtin_fabs(d[2])};
    w.z = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    w.x = (w.z + 1) % 3;
    w.y = (w.z + 2) % 3;
    w.scale = 1 / d[w.z];
    w.shear_x = d[w.x] * w.scale;
    w.shear_y = d[w.y] * w.scale;
    for (int i = 0; i < 3; ++i)
        w.inverse[i] = 1 / (size[i] > 1e-30 ? d[i] : d[i] < 0 ? -1e-30 : 1e-30);
    return w;
}

/* --- triangles */

/* A corner in the ray's frame: x and y across it, z along it. */
static void put_corner(const walk *w, lode_vec3 corner, double out[3])
{
    double v[3];
    get(corner, v);
    for (int i = 0; i < 3; ++i)
        v[i] -= w->origin[i];
    out[0] = v[w->x] - w->shear_x * v[w->z];
    out[1] = v[w->y] - w->shear_y * v[w->z];
    out[2] = w->scale * v[w->z];
}

/* The order of the two ends must not matter but for the sign. */
static double edge_side(const double a[3], const double b[3])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* False where the ray passes by, or runs in the triangle's plane. */
static bool find_hit(const walk *w, uint32_t triangle, lode__mesh_hit *out)
{
    double a[3], b[3], c[3];
    lode__triangle t = mesh_triangle(w->mesh, triangle);
    put_corner(w, t.v[0], a);
    put_corner(w, t.v[1], b);
    put_corner(w, t.v[2], c);
    double u = edge_side(b, c), v = edge_side(c, a), s = edge_side(a, b), sum = u + v + s;
    if (((u < 0 || v < 0 || s < 0) && (u > 0 || v > 0 || s > 0)) || sum == 0)
        return false;
    double at = (u * a[2] + v * b[2] + s * c[2]) / sum;
    lode_vec3 n = triangle_normal(&t);
    double rise = (double)n.x * w->direction[0] + (double)n.y * w->direction[1] +
                  (double)n.z * w->direction[2];
    *out = (lode__mesh_hit){.triangle = triangle,
                            .t = (lode_real)at,
                            .u = (lode_real)(v / sum),
                            .v = (lode_real)(s / sum),
                            .back = rise > 0};
    return at >= 0;
}

static void meet_triangle(walk *w, uint32_t triangle)
{
    lode__mesh_hit hit;
    if (find_hit(w, triangle, &hit) && hit.t <= w->most)
        w->most = w->hear(w->context, &hit, w->most);
}

lode__mesh_hit lode__mesh_meet(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction,
                               uint32_t triangle)
{
    walk w = walk_of(origin, direction, REAL_MAX);
    lode__mesh_hit hit = {.triangle = triangle};
    w.mesh = mesh;
    find_hit(&w, triangle, &hit);
    return hit;
}

/* --- nodes */

typedef struct entry {
    double at; /* where the ray enters it */
    uint32_t child;
} entry;

/* Where the ray enters a child's box; beyond `most` if it does not. */
static double enter_child(const walk *w, const lode__mesh_node *node, int k)
{
    double in = 0, out = (double)w->most;
    for (int i = 0; i < 3; ++i) {
        double lo = (double)node->lo[i] + (double)node->step[i] * node->child_lo[i][k];
        double hi = (double)node->lo[i] + (double)node->step[i] * node->child_hi[i][k];
        double p = (lo - w->origin[i]) * w->inverse[i], q = (hi - w->origin[i]) * w->inverse[i];
        double first = p < q ? p : q, last = p < q ? q : p;
        first -= (double)WIDER * __builtin_fabs(first);
        last += (double)WIDER * __builtin_fabs(last);
        in = first > in ? first : in;
        out = last < out ? last : out;
    }
    return in <= out ? in : __builtin_inf();
}

/* The nearest last, so that it is taken first. */
static uint32_t push_children(const walk *w, const lode__mesh_node *node, entry *stack,
                              uint32_t depth)
{
    uint32_t begin = depth;
    for (int k = 0; k < LODE__MESH_WIDE && node->child[k] != LODE__MESH_NO_CHILD; ++k) {
        double at = enter_child(w, node, k);
        if (!(at <= (double)w->most))
            continue;
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < at; --i)
            stack[i] = stack[i - 1];
        stack[i] = (entry){at, node->child[k]};
    }
    return depth;
}

void lode__mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real length,
                    lode__mesh_hit_fn *hear, void *context)
{
    entry stack[LODE__MESH_STACK];
    uint32_t depth = 0;
    walk w = walk_of(origin, direction, length);
    w.mesh = mesh;
    w.hear = hear;
    w.context = context;
    depth = push_children(&w, &mesh->nodes[0], stack, depth);
    while (depth > 0 && w.most >= 0) {
        entry e = stack[--depth];
        if (e.at > (double)w.most)
            continue;
        if (!(e.child & LODE__MESH_LEAF_BIT)) {
            depth = push_children(&w, &mesh->nodes[e.child], stack, depth);
            continue;
        }
        uint32_t first = e.child & (LODE__MESH_PLACES - 1), count = (e.child >> 28 & 7) + 1;
        for (uint32_t i = 0; i < count && w.most >= 0; ++i)
            meet_triangle(&w, mesh->order[first + i]);
    }
}
