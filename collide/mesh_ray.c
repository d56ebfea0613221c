/* mesh_ray.c: rays through a mesh's tree; how they meet triangles is said in ray_triangle.h.
 *
 * Nodes are entered by their boxes, widened by more than rounding; of hits the caller keeps what he
 * wants, and says how far the ray is to be followed from then on. Distances are compared as they are
 * told, so that all hits at the same distance are heard of. */
#include "collide/ray_triangle.h"

/* How much farther a box is taken to reach, as a share of the numbers that decide. */
#define WIDER 1e-6f

/* Before a loop over lanes: gcc would unroll it, and then find no loop to run wide. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES _Pragma("GCC unroll 1")
#else
#define LANES
#endif

/* A direction that is all but across an axis is taken to lean by so much. */
#define LEAST_LEAN 1e-18

typedef struct walk {
    const lode__mesh *mesh;
    lode__ray_frame frame;
    double longest;    /* of the direction's components: nodes count distances in its lengths */
    double inverse[3]; /* of the direction in these lengths */
    lode_real most;
    lode__mesh_hit_fn *hear;
    void *context;
} walk;

static walk walk_of(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real length)
{
    walk w = {.mesh = mesh, .frame = ray_frame_of(origin, direction), .most = length};
    w.longest = d_abs(w.frame.direction[w.frame.z]);
    for (int i = 0; i < 3; ++i) {
        double lean = w.frame.direction[i] / w.longest;
        w.inverse[i] = 1 / (d_abs(lean) > LEAST_LEAN ? lean : lean < 0 ? -LEAST_LEAN : LEAST_LEAN);
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
    return ray_meets(&w->frame, corners, out);
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
    float at; /* where the ray enters it */
    uint32_t child;
} entry;

/* Where the ray enters the children's boxes and where it leaves them, in lengths of its longest
 * component. */
typedef struct stretches {
    float in[LODE__MESH_WIDE], out[LODE__MESH_WIDE];
} stretches;

/* All eight go through the same operations side by side; copies, so that nothing seems to overlap. */
static inline stretches enter_children(const walk *w, const lode__mesh_node *node, float most)
{
    stretches s;
    LANES
    for (int k = 0; k < LODE__MESH_WIDE; ++k) {
        s.in[k] = 0;
        s.out[k] = most;
    }
    for (int i = 0; i < 3; ++i) {
        float from = (float)(((double)node->lo[i] - w->frame.origin[i]) * w->inverse[i]);
        float step = (float)((double)node->step[i] * w->inverse[i]);
        float slack = WIDER * (__builtin_fabsf(from) + 255 * __builtin_fabsf(step));
        float first = from - slack, last = from + slack;
        bool up = w->inverse[i] > 0;
        uint8_t near[LODE__MESH_WIDE], far[LODE__MESH_WIDE];
        memcpy(near, up ? node->child_lo[i] : node->child_hi[i], sizeof near);
        memcpy(far, up ? node->child_hi[i] : node->child_lo[i], sizeof far);
        LANES
        for (int k = 0; k < LODE__MESH_WIDE; ++k) {
            float enter = first + step * (float)near[k];
            s.in[k] = enter > s.in[k] ? enter : s.in[k];
        }
        LANES
        for (int k = 0; k < LODE__MESH_WIDE; ++k) {
            float leave = last + step * (float)far[k];
            s.out[k] = leave < s.out[k] ? leave : s.out[k];
        }
    }
    return s;
}

/* How far the ray is followed, in these lengths. */
static float node_most(const walk *w)
{
    double most = (double)w->most * w->longest * (1 + 4 * (double)WIDER);
    return most < 1e38 ? (float)most : 1e38f;
}

/* The nearest last, so that it is taken first. */
static uint32_t push_children(const walk *w, const lode__mesh_node *node, entry *stack,
                              uint32_t depth)
{
    uint32_t begin = depth;
    stretches s = enter_children(w, node, node_most(w));
    uint32_t entered = 0;
    for (int k = 0; k < LODE__MESH_WIDE; ++k)
        entered |= (uint32_t)((s.in[k] <= s.out[k]) & (node->child[k] != LODE__MESH_NO_CHILD)) << k;
    for (; entered; entered &= entered - 1) {
        int k = __builtin_ctz(entered);
        uint32_t i = depth++;
        for (; i > begin && stack[i - 1].at < s.in[k]; --i)
            stack[i] = stack[i - 1];
        stack[i] = (entry){s.in[k], node->child[k]};
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
        if (e.at > node_most(&w))
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
