/* mesh_walk.c: the triangles of a mesh near a box, by its tree (mesh_tree.c).
 *
 * A node says where its children are in steps of 1/255 of its own box, so the box that is asked for
 * is turned into such steps once, and all children are compared with it at once, with no branch.
 * Steps are powers of two, so all but the differences is exact, and those are widened by more than
 * they are rounded. */
#include "collide/float_bounds.h"
#include "collide/mesh.h"

/* The box that is asked for. */
typedef struct asked {
    float lo[3], hi[3];
} asked;

/* The children that overlap, a bit each. In loops that compilers make wide, as they do not within
 * another function: all steps are numbers first, lower ends and upper ends of three axes, as they
 * lie in the node. */
__attribute__((noinline)) static uint32_t overlapping(const lode__mesh_node *node, const asked *a)
{
    enum { WIDE = LODE__MESH_WIDE, UPPER = 3 * WIDE };
    static const uint32_t bit[WIDE] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                       1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                       1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const uint8_t *steps = (const uint8_t *)node + offsetof(lode__mesh_node, child_lo);
    float from[3], to[3], end[2 * UPPER];
    uint32_t hits = 0;
    for (int i = 0; i < 3; ++i) {
        float scale = mesh_step_inverse(node->step[i]);
        from[i] = (a->lo[i] - node->lo[i]) * scale - 0.01f;
        to[i] = (a->hi[i] - node->lo[i]) * scale + 0.01f;
    }
    for (int k = 0; k < 2 * UPPER; ++k)
        end[k] = steps[k];
    for (int k = 0; k < WIDE; ++k) {
        bool in = (end[k] <= to[0]) & (end[WIDE + k] <= to[1]) & (end[2 * WIDE + k] <= to[2]) &
                  (end[UPPER + k] >= from[0]) & (end[UPPER + WIDE + k] >= from[1]) &
                  (end[UPPER + 2 * WIDE + k] >= from[2]);
        hits |= in ? bit[k] : 0;
    }
    return hits;
}

bool lode__mesh_walk_leaves(const lode__mesh *mesh, lode_vec3 lo, lode_vec3 hi,
                            lode__mesh_leaf_fn *visit, void *context)
{
    uint32_t stack[LODE__MESH_STACK], depth = 0;
    lo = v3_max(lo, mesh->lower);
    hi = v3_min(hi, mesh->upper);
    if (!(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z))
        return true;
    asked a = {{float_below(lo.x), float_below(lo.y), float_below(lo.z)},
               {float_above(hi.x), float_above(hi.y), float_above(hi.z)}};
    stack[depth++] = 0;
    while (depth > 0) {
        const lode__mesh_node *node = &mesh->nodes[stack[--depth]];
        for (uint32_t hits = overlapping(node, &a); hits; hits &= hits - 1) {
            uint32_t child = node->child[__builtin_ctz(hits)];
            if (child == LODE__MESH_NO_CHILD)
                continue;
            if (!(child & LODE__MESH_LEAF_BIT))
                stack[depth++] = child;
            else if (!visit(context, &mesh->order[child & (LODE__MESH_PLACES - 1)],
                            (child >> 28 & 7) + 1))
                return false;
        }
    }
    return true;
}

/* --- list after list */

void lode__mesh_near_begin(lode__mesh_near *near, const lode__mesh *mesh, lode_vec3 center,
                           lode_vec3 lo, lode_vec3 hi)
{
    near->mesh = mesh;
    near->center = center;
    near->lo = v3_sub(lo, center);
    near->hi = v3_sub(hi, center);
    /* which triangles come in is said by their corners, not by the nodes */
    lode_vec3 size = v3_sub(hi, lo);
    lode_real grow = 4 * REAL_EPSILON * (size.x + size.y + size.z);
    lo = v3_max(v3_sub(lo, v3(grow, grow, grow)), mesh->lower);
    hi = v3_min(v3_add(hi, v3(grow, grow, grow)), mesh->upper);
    near->from[0] = float_below(lo.x), near->to[0] = float_above(hi.x);
    near->from[1] = float_below(lo.y), near->to[1] = float_above(hi.y);
    near->from[2] = float_below(lo.z), near->to[2] = float_above(hi.z);
    near->stack[0] = 0;
    near->depth = lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z;
}

/* --- one triangle after another */

typedef struct each {
    lode__mesh_visit_fn *visit;
    void *context;
} each;

static bool visit_each(void *context, const uint32_t *triangles, uint32_t count)
{
    const each *e = context;
    for (uint32_t i = 0; i < count; ++i)
        if (!e->visit(e->context, triangles[i]))
            return false;
    return true;
}

bool lode__mesh_walk(const lode__mesh *mesh, lode_vec3 lo, lode_vec3 hi, lode__mesh_visit_fn *visit,
                     void *context)
{
    each e = {visit, context};
    return lode__mesh_walk_leaves(mesh, lo, hi, visit_each, &e);
}
