/* mesh_leeway.h: how far a solid may move until it must ask anew which triangles of a list are
 * near; kernel text, see simd/wide.h.
 *
 * Whether a triangle comes near is decided by comparing how far things reach (collide/mesh_near.h).
 * What such a comparison has left over, less what rounding may do to both sides, is how far the
 * solid may move before it can come out otherwise. A triangle is beside the solid if one of them
 * says so, and stays that for the largest of what is left over.
 *
 * One that is near may get beside it meanwhile, by the narrower box's axes or its own plane, and
 * then says nothing (collide/near_list.h). By the wider box, in the mesh's axes, it may not: what
 * that has left over counts for it. Of a list the least of all counts.
 *
 * A triangle's plane is asked only if the triangle is not too thin. Where that is in doubt, or its
 * edges so short that rounding may decide it, the plane leaves nothing over. */
#ifndef LODE_COLLIDE_MESH_LEEWAY_H
#define LODE_COLLIDE_MESH_LEEWAY_H

#include "collide/mesh_near.h"

/* Of how far away corners are: what rounding does to their distances; and the shortest edge that
 * has a direction. */
#define LEEWAY_ROUNDING (64 * REAL_EPSILON)
#define LEEWAY_SHORT ((lode_real)1e-3)

/* Squares that are larger may be none when they are compared, m^6. */
#define LEEWAY_LARGE ((lode_real)1e36)

/* The largest of what is left over along an axis along which the triangle lies from `least` to
 * `most`, and the solid from `lo` to `hi`: how far they are apart, or below zero within each
 * other. */
LODE__INLINE wreal leeway_along(wreal gap, wreal least, wreal most, wreal lo, wreal hi)
{
    return w_max(gap, w_max(w_sub(least, hi), w_sub(lo, most)));
}

/* By the wider box. */
LODE__INLINE wreal leeway_wide(const lode__mesh_near *near, const wvec3 v[3])
{
    wvec3 least = wv_min(v[0], wv_min(v[1], v[2])), most = wv_max(v[0], wv_max(v[1], v[2]));
    wreal gap = w_splat(-REAL_MAX);
    gap = leeway_along(gap, wv_x(least), wv_x(most), w_splat(near->lo.x), w_splat(near->hi.x));
    gap = leeway_along(gap, wv_y(least), wv_y(most), w_splat(near->lo.y), w_splat(near->hi.y));
    return leeway_along(gap, wv_z(least), wv_z(most), w_splat(near->lo.z), w_splat(near->hi.z));
}

/* By the axes of the narrower one. */
LODE__INLINE wreal leeway_narrow(const lode__mesh_near *near, const wvec3 v[3], wreal slack)
{
    wreal gap = w_splat(-REAL_MAX);
    for (int i = 0; i < 3; ++i) {
        wvec3 axis = near_splat(near->axis[i]);
        wreal a = wv_dot(axis, v[0]), b = wv_dot(axis, v[1]), c = wv_dot(axis, v[2]);
        wreal reach = w_add(w_splat(near->half[i]), slack);
        gap = leeway_along(gap, w_min(a, w_min(b, c)), w_max(a, w_max(b, c)), w_neg(reach), reach);
    }
    return gap;
}

/* By the triangles' planes, as near_beyond(), less rounding; where they have none, or in doubt,
 * `without`. */
LODE__INLINE wreal leeway_plane(const lode__mesh_near *near, const wvec3 v[3], wreal slack,
                                wreal far, wreal without)
{
    wvec3 e = wv_sub(v[1], v[0]), f = wv_sub(v[2], v[0]), n = wv_cross(e, f);
    wreal ee = wv_dot(e, e), ff = wv_dot(f, f), nn = wv_dot(n, n), reach = w_zero();
    wreal thin = w_mul(w_mul(ee, ff), w_splat(2 * NEAR_THIN)), square = w_mul(far, far);
    wmask sure = w_gt(w_min(ee, ff), w_mul(square, w_splat(LEEWAY_SHORT * LEEWAY_SHORT)));
    sure = m_and(sure, w_lt(w_mul(nn, square), w_splat(LEEWAY_LARGE)));
    sure = m_and(sure, m_and(w_gt(nn, thin), w_gt(nn, w_splat((lode_real)1e-29))));
    for (int i = 0; i < 3; ++i)
        reach = w_add(reach,
                      w_mul(w_splat(near->half[i]), w_abs(wv_dot(near_splat(near->axis[i]), n))));
    wreal inverse = w_div(w_splat(1), w_sqrt(w_select(sure, nn, w_splat(1))));
    wreal gap = w_mul(w_sub(w_abs(wv_dot(n, v[0])), reach), inverse);
    wreal rounding = w_mul(w_mul(w_sqrt(w_mul(w_add(ee, ff), w_splat(2))), inverse), square);
    gap = w_sub(w_sub(gap, slack), w_mul(rounding, w_splat(LEEWAY_ROUNDING)));
    return w_select(sure, gap, without);
}

/* Of the list's triangles, of which there are no more than LODE__NEAR_KEPT. */
LODE__INLINE void mesh_leeway(lode__mesh_near *near, lode__near_leeway *out)
{
    lode_vec3 around = v3_max(v3_abs(near->lo), v3_abs(near->hi)), center = v3_abs(near->center);
    lode_real solid = around.x + around.y + around.z;
    wreal away = w_splat(LEEWAY_ROUNDING * (center.x + center.y + center.z));
    wreal most = w_splat(solid);
    lode__lanes fars;
    uint32_t count = near->count;
    for (uint32_t i = count; count > 0 && i < count + LODE_LANES; ++i)
        near->triangles[i] = near->triangles[0]; /* what is looked at beside them */
    for (uint32_t i = 0; i < count; i += LODE_WIDTH) {
        wvec3 v[3];
        near_corners(near->mesh, near_splat(near->center), &near->triangles[i], v);
        wvec3 corner = wv_max(wv_abs(v[0]), wv_max(wv_abs(v[1]), wv_abs(v[2])));
        wreal size = w_add(wv_x(corner), w_add(wv_y(corner), wv_z(corner)));
        wreal slack = w_add(w_splat(near->slack), w_mul(size, w_splat(2048 * REAL_EPSILON)));
        wreal far = w_add(size, w_splat(solid));
        wreal rounding = w_add(w_mul(far, w_splat(LEEWAY_ROUNDING)), away);
        wreal wide = leeway_wide(near, v), gap = w_max(wide, leeway_narrow(near, v, slack));
        wreal beside = w_max(gap, leeway_plane(near, v, slack, far, gap));
        w_store(&out->beside[i], w_sub(beside, rounding));
        w_store(&out->near[i], w_sub(w_neg(wide), rounding));
        most = w_max(most, w_sqrt(wv_dot(corner, corner)));
    }
    w_store(fars.x, most);
    out->far = fars.x[0];
    for (int k = 1; k < (int)LODE_WIDTH; ++k)
        out->far = r_max(out->far, fars.x[k]);
}

#endif
