/* mesh_ends.h: where on a mesh eight hits are; kernel text, see simd/wide.h. The same operations,
 * in the same order, as lode__end_mesh() of collide/surface_query.c: each normal takes a root and a
 * division, which eight take at once. */
#ifndef LODE_COLLIDE_MESH_ENDS_H
#define LODE_COLLIDE_MESH_ENDS_H

#include "collide/mesh_near.h"
#include "collide/query_type.h"

typedef struct end_lanes {
    uint32_t triangle[LODE_LANES];
    lode__lanes u, v, side; /* below 0: the normal is turned over */
    lode__lanes position[3], normal[3];
} end_lanes;

/* As v3_normalize_plain(). */
LODE__INLINE wvec3 end_unit(wvec3 a, wmask *said)
{
    wreal square = wv_dot(a, a);
    *said = m_and(*said, m_and(w_ge(square, w_splat(REAL_LEAST_SQUARE)),
                               w_le(square, w_splat(REAL_MOST_SQUARE))));
    return wv_scale(a, w_div(w_splat(1), w_sqrt(square)));
}

/* From `lane` on. The hits of which all is said, a bit each. */
LODE__INLINE unsigned end_triangles(const lode__mesh *mesh, const lode__shape_view *shape,
                                    end_lanes *l, int lane)
{
    const lode_quat q = shape->rotation;
    const wquat rotation = {w_splat(q.w), w_splat(q.x), w_splat(q.y), w_splat(q.z)};
    wvec3 v[3];
    wmask said = w_le(w_zero(), w_zero());
    near_corners(mesh, near_splat(v3_zero()), l->triangle + lane, v);
    wvec3 e = wv_sub(v[1], v[0]), f = wv_sub(v[2], v[0]);
    wvec3 at = wv_add_scaled(wv_add_scaled(v[0], e, w_load(l->u.x + lane)), f,
                             w_load(l->v.x + lane));
    wvec3 normal = end_unit(wv_cross(e, f), &said);
    wreal side = w_load(l->side.x + lane);
    normal = wv_make(w_flip(normal.x, side), w_flip(normal.y, side), w_flip(normal.z, side));
    if (view_is_turned(shape)) {
        at = wq_rotate(rotation, at);
        normal = wq_rotate(rotation, normal);
    }
    w_store(l->position[0].x + lane, at.x);
    w_store(l->position[1].x + lane, at.y);
    w_store(l->position[2].x + lane, at.z);
    w_store(l->normal[0].x + lane, normal.x);
    w_store(l->normal[1].x + lane, normal.y);
    w_store(l->normal[2].x + lane, normal.z);
    return m_bits(said);
}

/* Of those whose bits are set. The ones of which nothing is said, a bit each. */
LODE__INLINE unsigned mesh_ends(const lode__shape_view *shape, const lode__part_hit *hits,
                                unsigned lanes, lode__surface_point *out)
{
    const lode__mesh *mesh = mesh_of(shape->data);
    end_lanes l;
    unsigned said = 0;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        const lode__part_hit *hit = &hits[lanes >> lane & 1 ? lane : __builtin_ctz(lanes)];
        l.triangle[lane] = (uint32_t)hit->part;
        l.u.x[lane] = hit->u;
        l.v.x[lane] = hit->v;
        l.side.x[lane] = mesh->two_sided && hit->back ? -1 : 1;
    }
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        said |= end_triangles(mesh, shape, &l, lane) << lane;
    for (unsigned left = lanes & said; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        out[i].position = v3(l.position[0].x[i], l.position[1].x[i], l.position[2].x[i]);
        out[i].normal = v3(l.normal[0].x[i], l.normal[1].x[i], l.normal[2].x[i]);
    }
    return lanes & ~said;
}

#endif
