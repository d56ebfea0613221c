/* contact_friction.inl: friction of contact blocks.
 *
 * Friction rows come in pairs along t1 and t2 with the 2 x 2 response K of the bodies to both: a
 * pair per point, or one for the whole manifold at its centroid and a row that resists twisting
 * about the normal. The impulse p of a pair is bounded by the normal impulse L:
 *
 *   pyramid:  |p1| <= mu1 L and |p2| <= mu2 L, one row after the other;
 *   cone:     |(p1 / mu1, p2 / mu2)| <= L, both rows together.
 *
 * A pair on the cone. The slip of the next visit is v + K (p' - p). If the p' that stops it lies
 * inside, the contact sticks. Otherwise p' minimises the energy 1/2 p' K p' - p' (K p - v) on the
 * ellipse, which with a multiplier s >= 0 is
 *
 *     (K + s D) p' = K p - v,   D = diag(1 / mu1^2, 1 / mu2^2).
 *
 * Where visits change nothing any more, p' = p, that says v = -s D p: the ellipse's outward normal
 * at p is opposite to the slip, so p dissipates the most that the ellipse allows (Moreau's
 * principle), and on a circle it opposes the slip. The multiplier solves a scalar equation, |p'| =
 * L in the norm of D, by Newton's method on the reciprocal of the norm (Hebden 1973; More and
 * Sorensen 1983), which from any start comes from below after one step. It starts with the s that v
 * and p say, which is exact where the visits end, and each visit takes as many steps as its lanes
 * need to be on the ellipse to rounding. No fewer do: a p' that is off it and only scaled back,
 * p' = c (K + s D)^-1 (K p - v), rests wherever v = -((1 / c - 1) K + s / c D) p, and there are
 * stable such places, up to 70 degrees from the slip.
 *
 * In numbers: K is divided by its trace, coefficients by the larger of the two, so that s is of
 * order one; where a coefficient is 0 its impulse is 0, and no coefficient is too large. */

/* An impulse that no contact reaches, N s, and a coefficient that is as good as endless. */
#define CONE_UNBOUNDED ((lode_real)1e18)
#define CONE_ENDLESS ((lode_real)1e6)

/* Bounds of the multiplier: below the first, times the square of the lesser share, the pair sticks
 * to rounding, and below the second it is no good divisor; above the third the impulse goes against
 * the slip to rounding. */
#define CONE_LEAST (8 * REAL_EPSILON)
#define CONE_TINY ((lode_real)1e-30)
#define CONE_MOST (1 / REAL_EPSILON)

/* How near to the ellipse an impulse on it must come, as a share of itself, and how many steps lead
 * there at most: 1 to 3 on a circle, some 20 where one coefficient is a million times the other. */
#define CONE_NEAR (16 * REAL_EPSILON)
enum { CONE_STEPS = 40 };

/* The friction rows of a point or of a manifold: of a pyramid k12 holds element 12 of K times
 * mass2, by how much an impulse of the first lessens the second. With the cone, mass1 and k12 hold
 * elements
 * 11 and 12 of K divided by its trace, and mass2 the relaxed inverse of the trace. */
typedef struct friction_pair {
    lode__lane *mass1, *mass2, *k12, *lambda1, *lambda2;
} friction_pair;

LODE__INLINE friction_pair pair_of_row(lode__contact_row *r)
{
    return (friction_pair){&r->mass1, &r->mass2, &r->k12, &r->lambda1, &r->lambda2};
}

LODE__INLINE friction_pair pair_of_block(lode__contact_block *b)
{
    return (friction_pair){&b->mass1, &b->mass2, &b->k12, &b->lambda1, &b->lambda2};
}

LODE__INLINE void friction_prepare(friction_pair to, wlane lane, wreal k1, wreal k2, wreal k12,
                                   wreal relaxation, bool cone)
{
    if (cone) {
        wreal inverse = inverse_or_zero(w_add(k1, k2), w_splat(1));
        lane_store(to.mass1, lane, w_mul(k1, inverse));
        lane_store(to.mass2, lane, w_mul(relaxation, inverse));
        lane_store(to.k12, lane, w_mul(k12, inverse));
    } else {
        wreal mass2 = inverse_or_zero(k2, relaxation);
        lane_store(to.mass1, lane, inverse_or_zero(k1, relaxation));
        lane_store(to.mass2, lane, mass2);
        lane_store(to.k12, lane, w_mul(k12, mass2));
    }
}

/* How far friction reaches: coefficients; and of a cone the larger one and both as shares of it. */
typedef struct friction_limits {
    wreal mu1, mu2, most, share1, share2;
} friction_limits;

LODE__INLINE friction_limits friction_limits_of(wreal mu1, wreal mu2, bool cone)
{
    if (!cone)
        return (friction_limits){mu1, mu2, mu1, mu1, mu2};
    wreal endless = w_splat(CONE_ENDLESS), one = w_splat(1);
    wreal c1 = w_min(mu1, endless), c2 = w_min(mu2, endless), most = w_max(c1, c2);
    wreal divisor = w_select(w_gt(most, w_zero()), most, one);
    return (friction_limits){mu1, mu2, most, w_div(c1, divisor), w_div(c2, divisor)};
}

typedef struct wpair {
    wreal x, y;
} wpair;

LODE__INLINE wpair pyramid_solve(friction_pair pair, wlane lane, wreal limit1, wreal limit2,
                                 wpair old, wpair v)
{
    wpair now = {w_sub(old.x, w_mul(lane_load(pair.mass1, lane), v.x)),
                 w_sub(old.y, w_mul(lane_load(pair.mass2, lane), v.y))};
    now.x = w_clamp(now.x, w_neg(limit1), limit1);
    now.y = w_sub(now.y, w_mul(lane_load(pair.k12, lane), w_sub(now.x, old.x)));
    now.y = w_clamp(now.y, w_neg(limit2), limit2);
    return now;
}

/* A symmetric 2 x 2 matrix. */
typedef struct wsym2 {
    wreal xx, xy, yy;
} wsym2;

LODE__INLINE wsym2 sym2_adjugate(wsym2 a)
{
    return (wsym2){a.yy, w_neg(a.xy), a.xx};
}

LODE__INLINE wreal sym2_det(wsym2 a)
{
    return w_sub(w_mul(a.xx, a.yy), w_mul(a.xy, a.xy));
}

LODE__INLINE wpair sym2_mul(wsym2 a, wpair v)
{
    return (wpair){w_add(w_mul(a.xx, v.x), w_mul(a.xy, v.y)),
                   w_add(w_mul(a.xy, v.x), w_mul(a.yy, v.y))};
}

LODE__INLINE wpair wp_mul(wpair a, wpair b)
{
    return (wpair){w_mul(a.x, b.x), w_mul(a.y, b.y)};
}

LODE__INLINE wpair wp_scale(wpair a, wreal s)
{
    return (wpair){w_mul(a.x, s), w_mul(a.y, s)};
}

LODE__INLINE wreal wp_dot(wpair a, wpair b)
{
    return w_add(w_mul(a.x, b.x), w_mul(a.y, b.y));
}

/* (a + s) q = b, solved for q. */
typedef struct cone_point {
    wsym2 adjugate; /* of a + s */
    wreal inverse;  /* of its determinant */
    wpair q;
    wreal squared, length; /* of q */
} cone_point;

LODE__INLINE cone_point cone_point_of(wsym2 a, wpair b, wreal s)
{
    cone_point c;
    c.adjugate = sym2_adjugate((wsym2){w_add(a.xx, s), a.xy, w_add(a.yy, s)});
    c.inverse = w_div(w_splat(1), sym2_det(c.adjugate));
    c.q = wp_scale(sym2_mul(c.adjugate, b), c.inverse);
    c.squared = wp_dot(c.q, c.q);
    c.length = w_sqrt(c.squared);
    return c;
}

/* A Newton step from s towards the one for which q has length one. */
LODE__INLINE wreal cone_step(const cone_point *c, wreal s, wreal least)
{
    wreal slope = w_mul(wp_dot(c->q, sym2_mul(c->adjugate, c->q)), c->inverse);
    wreal step = w_div(w_mul(c->squared, w_sub(c->length, w_splat(1))), slope);
    return w_clamp(w_add(s, step), least, w_splat(CONE_MOST));
}

/* The impulse on the ellipse: (K + s D) p = g in numbers in which the ellipse is the unit circle.
 * Each lane of `slides` takes the steps that it needs. */
LODE__INLINE wpair cone_slide(wsym2 k, wpair g, wpair old, wpair slip, wpair share, wreal radius,
                              wmask slides)
{
    wsym2 a = {w_mul(w_mul(share.x, share.x), k.xx), w_mul(w_mul(share.x, share.y), k.xy),
               w_mul(w_mul(share.y, share.y), k.yy)};
    wreal one = w_splat(1), unit = w_div(one, w_max(radius, w_splat(1 / CONE_UNBOUNDED)));
    wpair b = wp_mul(share, wp_scale(g, unit));
    wreal both = w_mul(share.x, share.y);
    wreal least = w_max(w_mul(w_mul(both, both), w_splat(CONE_LEAST)), w_splat(CONE_TINY));
    wreal s = w_clamp(w_neg(wp_dot(wp_scale(old, unit), wp_scale(slip, unit))), least,
                      w_splat(CONE_MOST));
    cone_point c = cone_point_of(a, b, s);
    for (int i = 0; i < CONE_STEPS; ++i) {
        wmask off = m_and(slides, w_gt(w_abs(w_sub(c.length, one)), w_splat(CONE_NEAR)));
        if (!m_any(off))
            break;
        wreal next = w_select(off, cone_step(&c, s, least), s);
        if (m_all(w_eq(next, s)))
            break;
        c = cone_point_of(a, b, next);
        s = least = next;
    }
    return wp_mul(share, wp_scale(c.q, w_div(radius, w_max(c.length, one))));
}

LODE__INLINE wpair cone_solve(friction_pair pair, wlane lane, const friction_limits *f,
                              wreal lambda, wpair old, wpair v)
{
    wreal zero = w_zero(), one = w_splat(1), k11 = lane_load(pair.mass1, lane);
    wsym2 k = {k11, lane_load(pair.k12, lane), w_sub(one, k11)};
    wpair slip = wp_scale(v, lane_load(pair.mass2, lane)), by_k = sym2_mul(k, old);
    wpair g = {w_sub(by_k.x, slip.x), w_sub(by_k.y, slip.y)};
    wpair stick = wp_scale(sym2_mul(sym2_adjugate(k), g), inverse_or_zero(sym2_det(k), one));
    wreal radius = w_min(w_mul(f->most, lambda), w_splat(CONE_UNBOUNDED));
    wpair share = {f->share1, f->share2};
    wpair scaled = {w_mul(stick.x, share.y), w_mul(stick.y, share.x)};
    wreal reach = w_mul(radius, w_mul(share.x, share.y));
    wmask sticks = m_and(w_le(wp_dot(scaled, scaled), w_mul(reach, reach)), w_gt(reach, zero));
    wpair now = stick;
    if (m_any(m_not(sticks))) {
        wmask slides = m_and(m_not(sticks), w_gt(radius, zero));
        wpair slide = cone_slide(k, g, old, slip, share, radius, slides);
        now.x = w_select(sticks, stick.x, slide.x);
        now.y = w_select(sticks, stick.y, slide.y);
    }
    /* a body gone NaN pushes nobody */
    wmask number = m_and(w_eq(now.x, now.x), w_eq(now.y, now.y));
    return (wpair){w_select(number, now.x, old.x), w_select(number, now.y, old.y)};
}

/* One visit of a pair whose slip is `v`, under the normal impulse `lambda`; returns how its impulse
 * changes. */
LODE__INLINE wpair pair_visit(friction_pair pair, wlane lane, const friction_limits *f,
                              wreal lambda, wpair v, bool cone)
{
    wpair old = {lane_load(pair.lambda1, lane), lane_load(pair.lambda2, lane)};
    wpair now = cone ? cone_solve(pair, lane, f, lambda, old, v)
                     : pyramid_solve(pair, lane, w_mul(f->mu1, lambda), w_mul(f->mu2, lambda), old,
                                     v);
    lane_store(pair.lambda1, lane, now.x);
    lane_store(pair.lambda2, lane, now.y);
    return (wpair){w_sub(now.x, old.x), w_sub(now.y, old.y)};
}

/* Friction impulses d1, d2 at (x, y): wrench (0, d1, d2; x d2 - y d1, 0, 0). A single point has no
 * other after it to feel them; the next waits for the moment, which is added last. */
LODE__INLINE void push_friction(const lode__contact_block *b, wlane lane, wreal d1, wreal d2,
                                place at, twist *v, twist *wrench)
{
    wrench->u1 = w_add(wrench->u1, d1);
    wrench->u2 = w_add(wrench->u2, d2);
    if (at.central)
        return;
    wreal mn = w_sub(w_mul(at.x, d2), w_mul(at.y, d1));
    wrench->wn = w_add(wrench->wn, mn);
#define RESPOND(out, by_1, by_2, by_n) \
    v->out = w_add(w_add(w_add(v->out, w_mul(lane_load(&b->by_1, lane), d1)), \
                         w_mul(lane_load(&b->by_2, lane), d2)), \
                   w_mul(lane_load(&b->by_n, lane), mn))
    RESPOND(u1, d11, d12, c1n);
    RESPOND(u2, d12, d22, c2n);
    RESPOND(wn, c1n, c2n, inn);
#undef RESPOND
}

/* Adds the friction of a point to a wrench at the centroid. */
LODE__INLINE void add_point_friction(const lode__contact_row *row, wlane lane, place at, twist *p)
{
    wreal d1 = lane_load(&row->lambda1, lane), d2 = lane_load(&row->lambda2, lane);
    p->u1 = w_add(p->u1, d1);
    p->u2 = w_add(p->u2, d2);
    if (!at.central)
        p->wn = w_add(p->wn, w_sub(w_mul(at.x, d2), w_mul(at.y, d1)));
}

LODE__INLINE void solve_point_friction(lode__contact_block *b, lode__contact_row *row, wlane lane,
                                       place at, const friction_limits *f, bool cone, twist *v,
                                       twist *wrench)
{
    wpair slip = {v->u1, v->u2};
    if (!at.central)
        slip = (wpair){w_sub(v->u1, w_mul(v->wn, at.y)), w_add(v->u2, w_mul(v->wn, at.x))};
    wpair d = pair_visit(pair_of_row(row), lane, f, lane_load(&row->lambda, lane), slip, cone);
    push_friction(b, lane, d.x, d.y, at, v, wrench);
}

/* All points at once: a pair at the centroid under the sum of the normal impulses, and a row about
 * the normal that twists as hard as the points would, each at its distance from the centroid. */
LODE__INLINE void solve_manifold_friction(lode__contact_block *b, wlane lane, int points,
                                          const friction_limits *f, bool cone, const twist *v,
                                          twist *wrench)
{
    wreal load = w_zero(), moment = w_zero(), half = w_splat((lode_real)0.5);
    for (int i = 0; i < points; ++i) {
        wreal lambda = lane_load(&b->rows[i].lambda, lane);
        load = w_add(load, lambda);
        moment = w_add(moment, w_mul(lambda, lane_load(&b->rows[i].arm, lane)));
    }
    wpair d = pair_visit(pair_of_block(b), lane, f, load, (wpair){v->u1, v->u2}, cone);
    wreal spin = w_add(
        v->wn, w_add(w_mul(lane_load(&b->c1n, lane), d.x), w_mul(lane_load(&b->c2n, lane), d.y)));
    wreal limit = w_mul(w_add(w_mul(f->mu1, half), w_mul(f->mu2, half)), moment);
    wreal old = lane_load(&b->twist, lane);
    wreal now = w_sub(old, w_mul(lane_load(&b->twist_mass, lane), spin));
    now = w_clamp(now, w_neg(limit), limit);
    lane_store(&b->twist, lane, now);
    wrench->u1 = w_add(wrench->u1, d.x);
    wrench->u2 = w_add(wrench->u2, d.y);
    wrench->wn = w_add(wrench->wn, w_sub(now, old));
}

/* A manifold of one point has no arm to twist with. */
LODE__INLINE void solve_friction(lode__contact_block *b, wlane lane, int points, bool cone,
                                 bool per_manifold, twist *v, twist *wrench)
{
    friction_limits f = friction_limits_of(lane_load(&b->friction1, lane),
                                           lane_load(&b->friction2, lane), cone);
    if (per_manifold && points > 1)
        solve_manifold_friction(b, lane, points, &f, cone, v, wrench);
    else
        for (int i = 0; i < points; ++i)
            solve_point_friction(b, &b->rows[i], lane, place_of(&b->rows[i], lane, points), &f,
                                 cone, v, wrench);
}
