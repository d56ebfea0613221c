/* mesh_near.h: the triangles of a mesh that come into a box; kernel text, see simd/wide.h.
 *
 * The tree is walked as by lode__mesh_walk() (mesh_walk.c), in the same order and by the same
 * comparisons, but the children of a node are asked at once: what they count in steps of the node
 * is compared with the box in such steps. Whole numbers are no more than x if they are no more than
 * its floor, so nothing need be rounded.
 *
 * Whether a triangle itself comes into the box is asked eight at a time too, and whether it comes
 * into a narrower box in the solid's own axes: half of those near a box that leans are beside it.
 * Their corners are loaded as lines of four numbers, where the mesh has its own copy of the
 * vertices: behind the last of these there is one number more. */
#ifndef LODE_COLLIDE_MESH_NEAR_H
#define LODE_COLLIDE_MESH_NEAR_H

#include "collide/kernels.h"
#include "simd/wide_sixteen.h"

/* --- corners */

/* One corner of LODE_WIDTH triangles. */
LODE__INLINE wvec3 near_corner(const lode__mesh *mesh, const uint32_t *triangles, int corner)
{
    const uint32_t(*corners)[3] = (const uint32_t(*)[3])(const void *)mesh->indices;
    const lode_real *vertices = (const lode_real *)(const void *)mesh->vertices;
    const lode_real *at[LODE_WIDTH];
    for (int k = 0; k < (int)LODE_WIDTH; ++k)
        at[k] = vertices + (size_t)3 * corners[triangles[k]][corner];
    return wf_vector(w_load_fours(at));
}

/* All three of a mesh whose vertices are the caller's. */
LODE__INLINE void near_any(const lode__mesh *mesh, const uint32_t *triangles, wvec3 out[3])
{
    lode__lanes at[3][3];
    for (int k = 0; k < (int)LODE_WIDTH; ++k) {
        uint32_t corner[3];
        mesh_corners(mesh, triangles[k], corner);
        for (int c = 0; c < 3; ++c) {
            lode_vec3 v = mesh_vertex(mesh, corner[c]);
            at[c][0].x[k] = v.x;
            at[c][1].x[k] = v.y;
            at[c][2].x[k] = v.z;
        }
    }
    for (int c = 0; c < 3; ++c)
        out[c] = wv_make(w_load(at[c][0].x), w_load(at[c][1].x), w_load(at[c][2].x));
}

/* All three, from the centre. */
LODE__INLINE void near_corners(const lode__mesh *mesh, wvec3 center, const uint32_t *triangles,
                               wvec3 out[3])
{
    if (!mesh->own_vertices)
        near_any(mesh, triangles, out);
    for (int c = 0; c < 3; ++c)
        out[c] = wv_sub(mesh->own_vertices ? near_corner(mesh, triangles, c) : out[c], center);
}

/* --- nodes */

/* The children that overlap, a bit each; empty ones may be among them. */
LODE__INLINE unsigned near_children(const lode__mesh_near *near, const lode__mesh_node *node)
{
    lode_real from[3], to[3];
    unsigned bits = 0;
    for (int i = 0; i < 3; ++i) {
        float scale = mesh_step_inverse(node->step[i]);
        from[i] = (lode_real)((near->from[i] - node->lo[i]) * scale - 0.01f);
        to[i] = (lode_real)((near->to[i] - node->lo[i]) * scale + 0.01f);
    }
    for (int lane = 0; lane < LODE__MESH_WIDE; lane += LODE_XWIDTH) {
        xmask in = x_le(x_splat(0), x_splat(0));
        for (int i = 0; i < 3; ++i) {
            in = xm_and(in, x_le(x_bytes(node->child_lo[i] + lane), x_splat(to[i])));
            in = xm_and(in, x_le(x_splat(from[i]), x_bytes(node->child_hi[i] + lane)));
        }
        bits |= xm_bits(in) << lane;
    }
    return bits;
}

/* The triangles of leaves are listed, other children wait. */
LODE__INLINE void near_open(lode__mesh_near *near, const lode__mesh_node *node)
{
    for (unsigned hits = near_children(near, node); hits; hits &= hits - 1) {
        uint32_t child = node->child[__builtin_ctz(hits)];
        if (child == LODE__MESH_NO_CHILD)
            continue;
        if (!(child & LODE__MESH_LEAF_BIT)) {
            near->stack[near->depth++] = child;
            continue;
        }
        const uint32_t *triangles = &near->mesh->order[child & (LODE__MESH_PLACES - 1)];
        uint32_t count = (child >> 28 & 7) + 1;
        for (uint32_t i = 0; i < count; ++i)
            near->triangles[near->count++] = triangles[i];
    }
}

/* --- triangles */

LODE__INLINE wvec3 near_splat(lode_vec3 v)
{
    return wv_make(w_splat(v.x), w_splat(v.y), w_splat(v.z));
}

/* A triangle thinner than this, as the squared sine of an angle, has no plane to speak of. */
#define NEAR_THIN ((lode_real)1e-4)

/* Is the plane of the triangles farther than the slack from all of the narrower box, whose axes are
 * `reach` long along n, the product of two edges? */
LODE__INLINE wmask near_beyond(const wvec3 v[3], wvec3 n, wreal reach, wreal slack)
{
    wvec3 e = wv_sub(v[1], v[0]), f = wv_sub(v[2], v[0]);
    wreal above = w_sub(w_abs(wv_dot(n, v[0])), reach), nn = wv_dot(n, n);
    wreal thin = w_mul(w_mul(wv_dot(e, e), wv_dot(f, f)), w_splat(NEAR_THIN));
    wmask good = m_and(w_gt(nn, w_splat((lode_real)1e-30)), w_ge(nn, thin));
    wmask beyond = w_gt(w_mul(above, above), w_mul(w_mul(slack, slack), nn));
    return m_and(m_and(good, beyond), w_gt(above, w_zero()));
}

/* Do the triangles come within the slack of the narrower box, as its axes and their planes tell? By
 * more than rounding does to corners so far away, those in doubt do. */
LODE__INLINE wmask near_reach(const lode__mesh_near *near, const wvec3 v[3])
{
    wvec3 far = wv_max(wv_abs(v[0]), wv_max(wv_abs(v[1]), wv_abs(v[2])));
    wreal size = w_add(wv_x(far), w_add(wv_y(far), wv_z(far))), reach = w_zero();
    wreal slack = w_add(w_splat(near->slack), w_mul(size, w_splat(2048 * REAL_EPSILON)));
    wvec3 n = wv_cross(wv_sub(v[1], v[0]), wv_sub(v[2], v[0]));
    wmask out = w_lt(w_zero(), w_zero());
    for (int i = 0; i < 3; ++i) {
        wvec3 axis = near_splat(near->axis[i]);
        wreal a = wv_dot(axis, v[0]), b = wv_dot(axis, v[1]), c = wv_dot(axis, v[2]);
        wreal half = w_splat(near->half[i]), most = w_add(half, slack);
        out = m_or(out, w_gt(w_min(a, w_min(b, c)), most));
        out = m_or(out, w_lt(w_max(a, w_max(b, c)), w_neg(most)));
        reach = w_add(reach, w_mul(half, w_abs(wv_dot(axis, n))));
    }
    return m_not(m_or(out, near_beyond(v, n, reach, slack)));
}

/* Which of LODE_WIDTH triangles come into the box, a bit each. */
LODE__INLINE unsigned near_within(const lode__mesh_near *near, const uint32_t *triangles)
{
    wvec3 v[3];
    near_corners(near->mesh, near_splat(near->center), triangles, v);
    wvec3 least = wv_min(v[0], wv_min(v[1], v[2])), most = wv_max(v[0], wv_max(v[1], v[2]));
    wmask in = m_and(w_le(wv_x(least), w_splat(near->hi.x)), w_ge(wv_x(most), w_splat(near->lo.x)));
    in = m_and(
        in, m_and(w_le(wv_y(least), w_splat(near->hi.y)), w_ge(wv_y(most), w_splat(near->lo.y))));
    in = m_and(
        in, m_and(w_le(wv_z(least), w_splat(near->hi.z)), w_ge(wv_z(most), w_splat(near->lo.z))));
    return m_any(in) ? m_bits(m_and(in, near_reach(near, v))) : 0;
}

LODE__INLINE void near_sift(lode__mesh_near *near)
{
    uint32_t count = near->count, kept = 0;
    for (uint32_t i = count; count > 0 && i < count + LODE_LANES; ++i)
        near->triangles[i] = near->triangles[0]; /* what is looked at beside them */
    for (uint32_t i = 0; i < count; i += LODE_WIDTH) {
        unsigned in = near_within(near, &near->triangles[i]);
        for (uint32_t k = 0; k < LODE_WIDTH && i + k < count; ++k) {
            near->triangles[kept] = near->triangles[i + k];
            kept += in >> k & 1;
        }
    }
    near->count = kept;
}

LODE__INLINE bool mesh_near(lode__mesh_near *near)
{
    near->count = 0;
    while (near->count == 0 && near->depth > 0) {
        while (near->depth > 0 && near->count <= LODE__NEAR_MOST - LODE__NEAR_NODE)
            near_open(near, &near->mesh->nodes[near->stack[--near->depth]]);
        if (near->count > 0)
            near_sift(near);
    }
    return near->count > 0;
}

/* --- into a batch */

LODE__INLINE void gather_triangles(const lode__mesh *mesh, const uint32_t *triangles,
                                   const lode__solid_lines *const *solids,
                                   lode__triangle_batch *batch)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        const lode_real *lines[LODE_WIDTH];
        for (int k = 0; k < (int)LODE_WIDTH; ++k)
            lines[k] = solids[lane + k]->center;
        wvec3 v[3];
        near_corners(mesh, wf_vector(w_load_fours(lines)), triangles + lane, v);
        for (int i = 0; i < 3; ++i) {
            wfour axis = w_load_fours_at(lines, 4 + 4 * i);
            wv_store(&batch->v[i][0].x[lane], v[i]);
            wv_store(&batch->axis[i][0].x[lane], wf_vector(axis));
            w_store(&batch->size[i].x[lane], wf_fourth(axis));
        }
    }
}

#endif
