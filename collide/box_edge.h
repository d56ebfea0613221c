/* box_edge.h: where two boxes touch when an edge of each decides; kernel text, see simd/wide.h.
 *
 * The normal is the product of the edges' directions; the point lies midway between the nearest
 * points of the two edges, whose lines are not parallel. */
#ifndef LODE_COLLIDE_BOX_EDGE_H
#define LODE_COLLIDE_BOX_EDGE_H

#include "collide/box_face.h"

typedef struct wedge_touch {
    wvec3 normal;   /* into a */
    wvec3 position; /* from a's centre */
    wreal depth, feature;
} wedge_touch;

typedef struct wedge {
    wvec3 direction, middle; /* of the edge; from its box's centre, world */
    wreal half, number;
} wedge;

/* The edge along axis `d`, the first of these world axes from there on, that reaches farthest along
 * `n`. */
LODE__INLINE wedge find_box_edge(wvec3 half, waxis d, wmat3 axes, wvec3 n)
{
    wvec3 numbers = edges_from(d);
    wreal one = w_splat(1), zero = w_zero();
    half = roll3(d, half);
    wmask y = w_ge(wv_dot(axes.y, n), zero), z = w_ge(wv_dot(axes.z, n), zero);
    wvec3 to_y = wv_scale(axes.y, w_select(y, wv_y(half), w_neg(wv_y(half))));
    wvec3 to_z = wv_scale(axes.z, w_select(z, wv_z(half), w_neg(wv_z(half))));
    wreal sign_z = w_masked(z, one);
    wreal number = w_add(wv_x(numbers), w_add(w_masked(y, one), w_add(sign_z, sign_z)));
    return (wedge){axes.x, wv_add(to_y, to_z), wv_x(half), number};
}

/* In lanes where edge_a and edge_b are parallel the answer is of no use, but finite. */
LODE__INLINE wedge_touch touch_edges(const wbox_axes *axes, wvec3 offset)
{
    wmat3 axes_a = wm_transpose(roll_each(axes->edge_a, axes->a.rows));
    wmat3 axes_b = wm_transpose(roll_each(axes->edge_b, axes->b.rows));
    wvec3 cross = wv_cross(axes_a.x, axes_b.x);
    wreal square = w_max(wv_dot(cross, cross), w_splat(BOX_PARALLEL));
    wvec3 n = wv_scale(cross, w_div(w_splat(1), w_sqrt(square)));
    n = wv_select(w_lt(wv_dot(n, offset), w_zero()), wv_neg(n), n); /* from a to b */
    wedge a = find_box_edge(axes->a.half, axes->edge_a, axes_a, n);
    wedge b = find_box_edge(axes->b.half, axes->edge_b, axes_b, wv_neg(n));

    wvec3 apart = wv_sub(wv_add(offset, b.middle), a.middle);
    wreal dot = wv_dot(a.direction, b.direction);
    wreal along_a = wv_dot(apart, a.direction), along_b = wv_dot(apart, b.direction);
    wreal s = w_div(w_sub(along_a, w_mul(dot, along_b)), square);
    wreal t = w_div(w_sub(w_mul(dot, along_a), along_b), square);
    s = w_clamp(s, w_neg(a.half), a.half);
    t = w_clamp(t, w_neg(b.half), b.half);
    wvec3 on_a = wv_add_scaled(a.middle, a.direction, s);
    wvec3 on_b = wv_add(offset, wv_add_scaled(b.middle, b.direction, t));
    wreal feature = w_add(w_mul(a.number, w_splat(BOX_EDGES_EACH)), b.number);
    return (wedge_touch){wv_neg(n), wv_scale(wv_add(on_a, on_b), w_splat((lode_real)0.5)),
                         w_neg(axes->edge), w_add(feature, w_splat(BOX_EDGES))};
}

#endif
