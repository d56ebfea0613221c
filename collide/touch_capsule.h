/* touch_capsule.h: a capsule against a plane and a capsule; kernel text, see simd/wide.h. A box:
 * collide/touch_capsule_box.h.
 *
 * A capsule is what lies within a radius of a segment, its axis, from -h to h along the shape's z
 * axis. So these ask for the nearest points of a segment and something else, and take the radii off
 * their distance. Lines of contact: collide/capsule_line.h. */
#ifndef LODE_COLLIDE_TOUCH_CAPSULE_H
#define LODE_COLLIDE_TOUCH_CAPSULE_H

#include "collide/capsule_line.h"
#include "collide/pair_batch.h"

/* Cosine squared above which two axes may touch along a line. */
#define CAPSULES_ALONG ((lode_real)0.9)

/* Sine squared below which two axes count as parallel. */
#define CAPSULES_PARALLEL ((lode_real)1e-6)

/* Stations on a's axis: how far from its centre, how deep, and whether they may be points. */
typedef struct wstation {
    wreal s, depth;
    wmask counts;
} wstation;

typedef struct wline_touch {
    wvec3 axis, normal;
    wreal radius;
    wstation lower, middle, upper;
} wline_touch;

/* A station whose axis lies `apart` from the nearest point of the other shape. */
LODE__INLINE wstation wl_end(wreal s, wvec3 apart, wvec3 normal, wreal reach)
{
    wvec3 beside = wv_add_scaled(apart, normal, w_neg(wv_dot(apart, normal)));
    wreal most = w_mul(reach, w_splat(LINE_BESIDE));
    return (wstation){s, w_sub(reach, wv_length(apart)),
                      w_le(wv_dot(beside, beside), w_mul(most, most))};
}

LODE__INLINE wpoint wl_point(const wline_touch *line, wstation at, lode_real feature)
{
    wreal half = w_mul(at.depth, w_splat((lode_real)0.5));
    wvec3 center = wv_scale(line->axis, at.s);
    return (wpoint){wv_add_scaled(center, line->normal, w_sub(half, line->radius)), at.depth,
                    w_splat(feature)};
}

LODE__INLINE wreal wl_deepest(wmask counts, wreal depth, wreal margin, wreal least)
{
    return w_select(counts, w_max(least, w_add(depth, margin)), least);
}

/* For lanes `on`: the middle alone. */
LODE__INLINE wtouch wl_middle(const wline_touch *line, wmask on)
{
    return (wtouch){.normal = line->normal,
                    .count = w_masked(on, w_splat(1)),
                    .p0 = wl_point(line, line->middle, LINE_MIDDLE)};
}

/* The stations that are points. */
typedef struct wline_choice {
    wmask lower, middle, upper;
} wline_choice;

LODE__INLINE wline_choice wl_choose(const wpair *in, const wline_touch *line)
{
    wreal least = w_neg(in->speculative), margin = w_mul(in->speculative, w_splat(LINE_DEEPER));
    wmask lower = m_and(line->lower.counts, w_gt(line->lower.depth, least));
    wmask upper = m_and(line->upper.counts, w_gt(line->upper.depth, least));
    least = wl_deepest(lower, line->lower.depth, margin, least);
    least = wl_deepest(upper, line->upper.depth, margin, least);
    return (wline_choice){lower, m_and(line->middle.counts, w_gt(line->middle.depth, least)),
                          upper};
}

/* For lanes `on`; r is the middle's point. */
LODE__INLINE wtouch wl_touch_at(const wline_touch *line, const wline_choice *chosen, wpoint r,
                                wmask on)
{
    wmask lower = chosen->lower, upper = chosen->upper;
    wpoint p = wl_point(line, line->lower, LINE_LOWER), q = wl_point(line, line->upper, LINE_UPPER);
    wreal one = w_splat(1), ends = w_add(w_masked(lower, one), w_masked(upper, one));
    return (wtouch){.normal = line->normal,
                    .count = w_masked(on, w_add(ends, w_masked(chosen->middle, one))),
                    .p0 = wp_select(lower, p, wp_select(upper, q, r)),
                    .p1 = wp_select(m_and(lower, upper), q, r),
                    .p2 = r};
}

/* For lanes `on`. */
LODE__INLINE wtouch wl_touch(const wpair *in, const wline_touch *line, wmask on)
{
    wline_choice chosen = wl_choose(in, line);
    return wl_touch_at(line, &chosen, wl_point(line, line->middle, LINE_MIDDLE), on);
}

LODE__INLINE wmask wl_none(void)
{
    return w_lt(w_zero(), w_zero());
}

LODE__INLINE wtouch capsule_plane(const wpair *in)
{
    wline_touch line = {
        .axis = wp_axis(in->turn_a), .normal = wp_plane(in), .radius = wf_first(in->size_a)};
    wreal height = wp_height(in, line.normal), half = wf_second(in->size_a);
    wreal rise = w_mul(wv_dot(line.normal, line.axis), half);
    wmask all = m_not(wl_none());
    line.lower = (wstation){w_neg(half), w_sub(line.radius, w_sub(height, rise)), all};
    line.upper = (wstation){half, w_sub(line.radius, w_add(height, rise)), all};
    line.middle = (wstation){w_zero(), w_zero(), wl_none()};
    return wl_touch(in, &line, all);
}

/* --- against a capsule */

/* Two axes; b's centre lies at `offset` from a's. */
typedef struct waxes {
    wvec3 offset, a, b; /* unit directions */
    wreal half_a, half_b;
    wreal reach;     /* both radii */
    wreal dot, p, q; /* a.b, offset.a, offset.b */
} waxes;

/* The station on b nearest to station s on a. */
LODE__INLINE wreal nearest_on_b(const waxes *axes, wreal s)
{
    return wp_within(w_sub(w_mul(axes->dot, s), axes->q), axes->half_b);
}

/* From b's axis to station s on a's, the shortest way. */
LODE__INLINE wvec3 apart_at(const waxes *axes, wreal s)
{
    wvec3 on_b = wv_add_scaled(axes->offset, axes->b, nearest_on_b(axes, s));
    return wv_sub(wv_scale(axes->a, s), on_b);
}

/* The station on a nearest to b. The distance is convex in both stations, so the nearest points of
 * the lines, clamped one after the other, are those of the segments (Ericson, "Real-Time Collision
 * Detection", 2005, section 5.1.9). Where the lines are parallel any station beside b will do. */
LODE__INLINE wreal nearest_on_a(const waxes *axes, wvec3 cross)
{
    wreal square = wv_dot(cross, cross);
    wmask skew = w_gt(square, w_splat(CAPSULES_PARALLEL));
    wreal meet = w_div(w_sub(axes->p, w_mul(axes->dot, axes->q)),
                       w_select(skew, square, w_splat(1)));
    wreal s = w_select(skew, meet, axes->p);
    wreal t = nearest_on_b(axes, wp_within(s, axes->half_a));
    return wp_within(w_add(axes->p, w_mul(axes->dot, t)), axes->half_a);
}

/* An end of the line of contact, at station s on a. */
LODE__INLINE wstation end_at(const waxes *axes, wreal s, wvec3 normal, wmask along)
{
    wstation end = wl_end(s, apart_at(axes, s), normal, axes->reach);
    end.counts = m_and(end.counts, along);
    return end;
}

/* The stretch of a that lies beside b, from *out_lower to *out_upper, and whether it is long enough
 * for a line of contact. */
LODE__INLINE wmask find_stretch(const waxes *axes, wreal *out_lower, wreal *out_upper)
{
    wreal width = w_mul(w_abs(axes->dot), axes->half_b);
    *out_lower = w_max(w_sub(axes->p, width), w_neg(axes->half_a));
    *out_upper = w_min(w_add(axes->p, width), axes->half_a);
    wmask along = m_not(w_lt(w_mul(axes->dot, axes->dot), w_splat(CAPSULES_ALONG)));
    wreal short_line = w_mul(axes->reach, w_splat(LINE_SHORT));
    return m_and(along, w_gt(w_sub(*out_upper, *out_lower), short_line));
}

/* Where the axes meet they are pushed apart across both, which is never farther than past an end.
 * The side is that of their nearest points as far as these tell, else that of the centres. */
LODE__INLINE wvec3 way_across(const waxes *axes, wvec3 cross, wvec3 apart)
{
    wmask skew = w_gt(wv_dot(cross, cross), w_splat(CAPSULES_PARALLEL));
    wvec3 n = wv_select(skew, wp_normalize_or(cross, wv_zero()), wp_tangent(axes->a));
    wreal side = wv_dot(n, apart);
    side = w_select(w_eq(side, w_zero()), w_neg(wv_dot(n, axes->offset)), side);
    return wv_select(w_lt(side, w_zero()), wv_neg(n), n);
}

LODE__INLINE wtouch capsule_capsule(const wpair *in)
{
    waxes axes = {.offset = in->offset,
                  .a = wp_axis(in->turn_a),
                  .b = wp_axis(in->turn_b),
                  .half_a = wf_second(in->size_a),
                  .half_b = wf_second(in->size_b)};
    wline_touch line = {.axis = axes.a, .radius = wf_first(in->size_a)};
    axes.reach = w_add(line.radius, wf_first(in->size_b));
    axes.dot = wv_dot(axes.a, axes.b);
    axes.p = wv_dot(axes.offset, axes.a);
    axes.q = wv_dot(axes.offset, axes.b);
    wvec3 cross = wv_cross(axes.a, axes.b);
    wreal s = nearest_on_a(&axes, cross), lower, upper;
    wvec3 apart = apart_at(&axes, s);
    wreal distance = wv_length(apart);
    wmask touch = wp_near(in, w_sub(axes.reach, distance));
    if (!m_any(touch))
        return (wtouch){.count = w_zero()};

    wmask clear = w_gt(distance, w_mul(axes.reach, w_splat(LINE_MEETS)));
    line.normal = wp_normalize_or(apart, axes.a);
    if (!m_all(clear))
        line.normal = wv_select(clear, line.normal, way_across(&axes, cross, apart));
    line.middle = (wstation){s, w_sub(axes.reach, distance), m_not(wl_none())};
    wmask along = find_stretch(&axes, &lower, &upper);
    if (!m_any(m_and(along, touch)))
        return wl_middle(&line, touch);
    line.lower = end_at(&axes, lower, line.normal, along);
    line.upper = end_at(&axes, upper, line.normal, along);
    return wl_touch(in, &line, touch);
}

#endif
