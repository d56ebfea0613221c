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

#include "collide/pair_batch.h"

/* Of an axis to be preferred: the share of its depth that is forgiven, and a length in units of
 * the speculative margin. */
#define BOX_FACE_SHARE ((lode_real)0.98)
#define BOX_EDGE_SHARE ((lode_real)0.95)
#define BOX_AXIS_MARGIN ((lode_real)0.05)

/* Of separations, as a share of all half sides. */
#define BOX_ROUNDING (8 * REAL_EPSILON)

/* Sine squared below which two edges count as parallel: their faces say all there is to say. */
#define BOX_PARALLEL ((lode_real)1e-3)

/* Of one quantity three numbers: x, y, z are entries 0, 1, 2. */
typedef struct wbox {
    wvec3 half;
    wmat3 rows; /* of its rotation: its axes, in the world, are the columns */
    wvec3 away; /* offset from a's centre to b's, along its axes */
} wbox;

/* An axis number as masks; neither is set for 0. */
typedef struct waxis {
    wmask is1, is2;
} waxis;

typedef struct wbox_axes {
    wbox a, b;
    wmat3 dots, dots_of_b;      /* [i][j]: axis i of a times axis j of b; and the transpose */
    wreal face_a, face_b, edge; /* largest separations */
    waxis axis_a, axis_b;       /* of the faces */
    waxis edge_a, edge_b;
} wbox_axes;

/* Entries n, n + 1, n + 2, counted round. */
LODE__INLINE wvec3 roll3(waxis n, wvec3 v)
{
    return wv_roll(n.is1, n.is2, v);
}

LODE__INLINE wmat3 roll_each(waxis n, wmat3 m)
{
    return (wmat3){roll3(n, m.x), roll3(n, m.y), roll3(n, m.z)};
}

LODE__INLINE wbox place_box(wfour size, wquat turn, wvec3 offset)
{
    wmat3 rows = wq_matrix(turn);
    return (wbox){wf_vector(size), rows, wm_combine(rows, offset)};
}

/* The largest of three, the first among equals. */
LODE__INLINE wreal largest3(wvec3 v, waxis *out_axis)
{
    wmask y = w_gt(wv_y(v), wv_x(v));
    wreal most = w_max(wv_y(v), wv_x(v));
    wmask z = w_gt(wv_z(v), most);
    *out_axis = (waxis){m_andnot(y, z), z};
    return w_max(wv_z(v), most);
}

/* Separations along the face normals of `box`; `dots` has the other box's axes in its columns, as
 * seen from them. */
LODE__INLINE wreal face_axes(const wbox *box, wmat3 dots, wvec3 other_half, waxis *out_axis)
{
    wvec3 reach = wm_combine(wm_abs(dots), other_half);
    return largest3(wv_sub(wv_sub(wv_abs(box->away), box->half), reach), out_axis);
}

/* Separations along the products of one edge direction of a with the three of b. `row0..2` are
 * rows i, i + 1, i + 2 of the dots; of a's sizes and of the offset along its axes the latter two
 * are needed. */
LODE__INLINE wvec3 edge_axes(wvec3 row0, wvec3 row1, wvec3 row2, wreal half1, wreal half2,
                             wreal away1, wreal away2, wvec3 half_b)
{
    wvec3 square = wv_add(wv_mul(row1, row1), wv_mul(row2, row2));
    wvec3 apart = wv_abs(wv_sub(wv_scale(row1, away2), wv_scale(row2, away1)));
    wvec3 reach_a = wv_add(wv_scale(wv_abs(row2), half1), wv_scale(wv_abs(row1), half2));
    wvec3 side = wv_abs(row0);
    wvec3 reach_b = wv_add(wv_mul(wv_yzx(half_b), wv_zxy(side)),
                           wv_mul(wv_zxy(half_b), wv_yzx(side)));
    wvec3 s = wv_sub(wv_sub(apart, reach_a), reach_b);
    wreal never = w_splat(-REAL_MAX);
    return wv_select_above(square, w_splat(BOX_PARALLEL), wv_over(s, wv_sqrt(square)),
                           wv_make(never, never, never));
}

LODE__INLINE void find_edge(wbox_axes *axes)
{
    const wmat3 *m = &axes->dots;
    wvec3 h = axes->a.half, t = axes->a.away, hb = axes->b.half;
    wreal hx = wv_x(h), hy = wv_y(h), hz = wv_z(h), tx = wv_x(t), ty = wv_y(t), tz = wv_z(t);
    waxis j0, j1, j2, i;
    wreal s0 = largest3(edge_axes(m->x, m->y, m->z, hy, hz, ty, tz, hb), &j0);
    wreal s1 = largest3(edge_axes(m->y, m->z, m->x, hz, hx, tz, tx, hb), &j1);
    wreal s2 = largest3(edge_axes(m->z, m->x, m->y, hx, hy, tx, ty, hb), &j2);
    axes->edge = largest3(wv_make(s0, s1, s2), &i);
    axes->edge_a = i;
    wmask i0 = m_not(m_or(i.is1, i.is2));
    axes->edge_b.is1 = m_or(m_or(m_and(i0, j0.is1), m_and(i.is1, j1.is1)), m_and(i.is2, j2.is1));
    axes->edge_b.is2 = m_or(m_or(m_and(i0, j0.is2), m_and(i.is1, j1.is2)), m_and(i.is2, j2.is2));
}

/* The axes of each box as seen from the other one, and the best of their faces. */
LODE__INLINE wbox_axes find_face_axes(const wpair *in)
{
    wbox_axes axes;
    axes.a = place_box(in->size_a, in->turn_a, in->offset);
    axes.b = place_box(in->size_b, in->turn_b, in->offset);
    wmat3 of_a = wm_transpose(axes.a.rows);
    axes.dots = (wmat3){wm_combine(axes.b.rows, of_a.x), wm_combine(axes.b.rows, of_a.y),
                        wm_combine(axes.b.rows, of_a.z)};
    axes.dots_of_b = wm_transpose(axes.dots);
    axes.face_a = face_axes(&axes.a, axes.dots_of_b, axes.b.half, &axes.axis_a);
    axes.face_b = face_axes(&axes.b, axes.dots, axes.a.half, &axes.axis_b);
    return axes;
}

/* The same of all axes. */
LODE__INLINE wbox_axes find_axes(const wpair *in)
{
    wbox_axes axes = find_face_axes(in);
    find_edge(&axes);
    return axes;
}

#endif
