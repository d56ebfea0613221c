/* box_axes.h: the axis of least penetration of two boxes; kernel text, see simd/wide.h.
 *
 * Two boxes are apart if and only if they are apart along one of 15 axes: three face normals of
 * each, and nine products of an edge direction of one with an edge direction of the other
 * (Gottschalk, Lin and Manocha 1996). The separation along an axis is the distance of the centres
 * less both half widths; the largest separation names the features that touch.
 *
 * Preference. Resting boxes have several axes with all but equal separation, and rounding must
 * not switch between them from step to step: a's faces win over b's, and faces over edges, unless
 * the other is better by a small share and a small length. All axes are looked at every time, so
 * nothing here depends on the past. */
#ifndef LODE_COLLIDE_BOX_AXES_H
#define LODE_COLLIDE_BOX_AXES_H

#include "collide/kernels.h"
#include "core/math.h"
#include "simd/wide.h"

/* Of an axis to be preferred: the share of its depth that is forgiven, and a length in units of
 * the speculative margin. */
#define BOX_FACE_SHARE ((lode_real)0.98)
#define BOX_EDGE_SHARE ((lode_real)0.95)
#define BOX_AXIS_MARGIN ((lode_real)0.05)

/* Sine squared below which two edges count as parallel: their faces say all there is to say. */
#define BOX_PARALLEL ((lode_real)1e-3)

/* Three unit vectors or, of one quantity, three numbers: x, y, z are entries 0, 1, 2. */
typedef struct wbox {
    wvec3 half;
    wmat3 axes; /* world axes of the box, one a row */
    wvec3 away; /* offset from a's centre to b's, along these axes */
} wbox;

/* An axis number as masks; neither is set for 2. */
typedef struct waxis {
    wmask is0, is1;
} waxis;

typedef struct wbox_axes {
    wbox a, b;
    wmat3 dots;                 /* [i][j]: axis i of a times axis j of b */
    wreal face_a, face_b, edge; /* largest separations */
    waxis axis_a, axis_b;       /* of the faces */
    waxis edge_a, edge_b;
} wbox_axes;

/* Entry n of three. */
LODE__INLINE wreal pick3(waxis n, wvec3 v)
{
    return w_select(n.is0, v.x, w_select(n.is1, v.y, v.z));
}

/* Entries n, n + 1, n + 2, counted round. */
LODE__INLINE wvec3 roll3(waxis n, wvec3 v)
{
    return (wvec3){pick3(n, v), w_select(n.is0, v.y, w_select(n.is1, v.z, v.x)),
                   w_select(n.is0, v.z, w_select(n.is1, v.x, v.y))};
}

LODE__INLINE wmat3 transpose3(wmat3 m)
{
    return (wmat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

LODE__INLINE wvec3 apply3(wmat3 m, wvec3 v)
{
    return (wvec3){wv_dot(m.x, v), wv_dot(m.y, v), wv_dot(m.z, v)};
}

LODE__INLINE wvec3 abs3(wvec3 v)
{
    return (wvec3){w_abs(v.x), w_abs(v.y), w_abs(v.z)};
}

LODE__INLINE wbox load_box(const lode__lanes half[3], const lode__lanes rotation[4], wvec3 offset,
                           int lane)
{
    wquat q = {w_load(&rotation[0].x[lane]), w_load(&rotation[1].x[lane]),
               w_load(&rotation[2].x[lane]), w_load(&rotation[3].x[lane])};
    wbox box = {.half = wv_load(&half[0].x[lane]), .axes = transpose3(wq_matrix(q))};
    box.away = apply3(box.axes, offset);
    return box;
}

/* The largest of three, the first among equals. */
LODE__INLINE wreal largest3(wvec3 v, waxis *out_axis)
{
    wmask y = w_gt(v.y, v.x);
    wreal most = w_select(y, v.y, v.x);
    wmask z = w_gt(v.z, most);
    out_axis->is0 = m_andnot(m_not(z), y);
    out_axis->is1 = m_andnot(y, z);
    return w_select(z, v.z, most);
}

/* Separations along the face normals of `box`; `dots` has the other box's axes in its rows. */
LODE__INLINE wreal face_axes(const wbox *box, wmat3 dots, wvec3 other_half, waxis *out_axis)
{
    wvec3 reach = {wv_dot(abs3(dots.x), other_half), wv_dot(abs3(dots.y), other_half),
                   wv_dot(abs3(dots.z), other_half)};
    return largest3(wv_sub(wv_sub(abs3(box->away), box->half), reach), out_axis);
}

/* Separations along the products of one edge direction of a with the three of b. `row0..2` are
 * rows i, i + 1, i + 2 of the dots, `half` and `away` a's, rolled alike. */
LODE__INLINE wvec3 edge_axes(wvec3 row0, wvec3 row1, wvec3 row2, wvec3 half, wvec3 away,
                             wvec3 half_b)
{
    wvec3 square = {w_add(w_mul(row1.x, row1.x), w_mul(row2.x, row2.x)),
                    w_add(w_mul(row1.y, row1.y), w_mul(row2.y, row2.y)),
                    w_add(w_mul(row1.z, row1.z), w_mul(row2.z, row2.z))};
    wvec3 apart = abs3(wv_sub(wv_scale(row1, away.z), wv_scale(row2, away.y)));
    wvec3 reach_a = wv_add(wv_scale(abs3(row2), half.y), wv_scale(abs3(row1), half.z));
    wvec3 side = abs3(row0);
    wvec3 reach_b = {w_add(w_mul(half_b.y, side.z), w_mul(half_b.z, side.y)),
                     w_add(w_mul(half_b.z, side.x), w_mul(half_b.x, side.z)),
                     w_add(w_mul(half_b.x, side.y), w_mul(half_b.y, side.x))};
    wvec3 s = wv_sub(wv_sub(apart, reach_a), reach_b);
    wreal least = w_splat(BOX_PARALLEL), never = w_splat(-REAL_MAX);
    return (wvec3){w_select(w_gt(square.x, least), w_div(s.x, w_sqrt(square.x)), never),
                   w_select(w_gt(square.y, least), w_div(s.y, w_sqrt(square.y)), never),
                   w_select(w_gt(square.z, least), w_div(s.z, w_sqrt(square.z)), never)};
}

LODE__INLINE void find_edge(wbox_axes *axes)
{
    const wmat3 *m = &axes->dots;
    wvec3 h = axes->a.half, t = axes->a.away, hb = axes->b.half;
    waxis j0, j1, j2, i;
    wreal s0 = largest3(edge_axes(m->x, m->y, m->z, h, t, hb), &j0);
    wreal s1 = largest3(
        edge_axes(m->y, m->z, m->x, (wvec3){h.y, h.z, h.x}, (wvec3){t.y, t.z, t.x}, hb), &j1);
    wreal s2 = largest3(
        edge_axes(m->z, m->x, m->y, (wvec3){h.z, h.x, h.y}, (wvec3){t.z, t.x, t.y}, hb), &j2);
    axes->edge = largest3((wvec3){s0, s1, s2}, &i);
    axes->edge_a = i;
    wmask i2 = m_not(m_or(i.is0, i.is1));
    axes->edge_b.is0 = m_or(m_or(m_and(i.is0, j0.is0), m_and(i.is1, j1.is0)), m_and(i2, j2.is0));
    axes->edge_b.is1 = m_or(m_or(m_and(i.is0, j0.is1), m_and(i.is1, j1.is1)), m_and(i2, j2.is1));
}

LODE__INLINE wbox_axes find_axes(const lode__pair_batch *batch, int lane)
{
    wbox_axes axes;
    wvec3 offset = wv_load(&batch->offset[0].x[lane]);
    axes.a = load_box(batch->size_a, batch->rotation_a, offset, lane);
    axes.b = load_box(batch->size_b, batch->rotation_b, offset, lane);
    axes.dots = (wmat3){apply3(axes.b.axes, axes.a.axes.x), apply3(axes.b.axes, axes.a.axes.y),
                        apply3(axes.b.axes, axes.a.axes.z)};
    axes.face_a = face_axes(&axes.a, axes.dots, axes.b.half, &axes.axis_a);
    axes.face_b = face_axes(&axes.b, transpose3(axes.dots), axes.a.half, &axes.axis_b);
    find_edge(&axes);
    return axes;
}

#endif
