/* mesh_ray.c: rays through a mesh's tree; how they meet triangles is said in ray_triangle.h.
 *
 * Nodes are entered by their boxes, widened by more than rounding; of hits the caller keeps what he
 * wants, and says how far the ray is to be followed from then on. Distances are compared as they are
 * told, so that all hits at the same distance are heard of. */
#include "collide/ray_triangle.h"

/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER ((lode_real)1e-5)

typedef struct walk {
    const lode__mesh *mesh;
    lode__ray_frame frame;
    double inverse[3];
    lode_real most;
    lode__mesh_hit_fn *hear;
    void *context;
} walk;

static walk walk_of(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real length)
{
    walk w = {.mesh = mesh, .frame = ray_frame_of(origin, direction), .most = length};
    for (int i = 0; i < 3; ++i) {
        double d = w.frame.direction[i];
        w.inverse[i] = 1 / (__builtin_fabs(d) > 1e-30 ? d : d < 0 ? -1e-30 : 1e-30);
    }
    return w;
}

/* --- triangles */

static bool find_hit(const walk *w, uint32_t triangle, lode__mesh_hit *out)
{
    lode__triangle t = mesh_triangle(w->mesh, triangle);
    double corners[3][3];
    for (int k = 0; k < 3; ++k)
        get3(t.v[k], corners[k]);
    out->triangle = triangle;
    return ray_meets(&w->frame, corners, triangle_normal(&t), out);
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
    walk w = walk_of(mesh, origin, direction, REAL_MAX);
    lode__mesh_hit hit = {.triangle = triangle};
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
        double p = (lo - w->frame.origin[i]) * w->inverse[i],
               q = (hi - w->frame.origin[i]) * w->inverse[i];
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
    walk w = walk_of(mesh, origin, direction, length);
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
