/* body_turn.inl: kernels for bodies that do not turn as most do: by finite rotations, by an
 * explicit gyroscopic torque, or so that they keep energy and angular momentum. They follow
 * integrate_pose() and put another rotation in place of its own.
 *
 * Finite. What turns about the body's axis (or, without one, all) is a rotation by its whole angle,
 * q = (cos |w| h/2, w/|w| sin |w| h/2); what is left is then done as for others.
 *
 * Conserving. In body axes, with the momentum m = I w and W the velocity in the middle of a step,
 *
 *     m' = Q^-1 m,   q' = q Q,   W = I^-1 (m + m') / 2,   Q a rotation about W by the angle h |W|.
 *
 * Whatever is turned back by what the body turns keeps its place in the world, so the angular
 * momentum stays; and m' - m is perpendicular to W, so that the energy's change (m' - m) W is none:
 * both to rounding, at any step size (Simo and Wong, "Unconditionally stable algorithms for rigid
 * body dynamics that exactly preserve energy and momentum", 1991; Lewis and Simo, "Conserving
 * algorithms for the dynamics of Hamiltonian systems on Lie groups", 1994). With the tangent of
 * half the angle along W, c = W tan(h |W| / 2) / |W|, the first equation is I W + c x I W = m,
 * which Newton's method solves. Any c along W conserves, so the tangent may be a polynomial. A step
 * of more than half a radian is cut; what turns by more than all cuts together goes on turning
 * about the same axis. */

enum { TURN_NEWTONS = 5, TURN_CUTS = 64 };

#define TURN_ANGLE ((lode_real)0.5) /* rad, most in one cut */

/* The lines of a turner, in the order of lode__turner. */
enum { TURNER_INERTIA, TURNER_INVERSE, TURNER_AXIS, TURNER_ROTATION, TURNER_LINES };

LODE__INLINE wline turner_line(const lode__turners *turners, uint32_t at, int part)
{
    int32_t index[LODE_LANES];
    for (int i = 0; i < LODE_LANES; ++i)
        index[i] = TURNER_LINES * (int32_t)(at + (uint32_t)i) + part;
    return w_load_lines(turners->turner->inertia, index);
}

LODE__INLINE void turner_keep(const lode__turners *turners, uint32_t at, wline rotation)
{
    int32_t index[LODE_LANES];
    for (int i = 0; i < LODE_LANES; ++i) {
        int32_t turner = (int32_t)(at + (uint32_t)i);
        bool real = i < LODE_WIDTH && turners->line[turner] > 0;
        index[i] = real ? TURNER_LINES * turner + TURNER_ROTATION : 0;
    }
    w_store_lines(turners->turner->inertia, index, rotation);
}

LODE__INLINE wsym3 turner_matrix(wline l)
{
    return (wsym3){l.r0, l.r1, l.r2, l.r3, l.r4, l.r5};
}

LODE__INLINE wquat turn_about(wquat q, wvec3 half_turn)
{
    wquat d = wq_mul((wquat){w_zero(), half_turn.x, half_turn.y, half_turn.z}, q);
    return wq_normalize(
        (wquat){w_add(q.w, d.w), w_add(q.x, d.x), w_add(q.y, d.y), w_add(q.z, d.z)});
}

/* By the whole rotation vector `turn`, world axes. */
LODE__INLINE wquat turn_wholly(wquat q, wvec3 turn)
{
    wvec3 half = wv_scale(turn, w_splat((lode_real)0.5));
    wreal angle = wv_length(half), sine, cosine, one = w_splat(1);
    wmask turns = w_gt(angle, w_zero());
    w_sincos(angle, &sine, &cosine);
    wvec3 u = wv_scale(half, w_div(w_masked(turns, sine), w_select(turns, angle, one)));
    wquat by = {w_select(turns, cosine, one), u.x, u.y, u.z};
    return wq_mul(by, q);
}

/* `finite`: of the velocity w the part about `axis`, world axes, or all where that is zero. */
LODE__INLINE wquat turn_simply(wquat q, wvec3 w, wvec3 axis, wmask finite, wreal h)
{
    wmask whole = w_eq(wv_dot(axis, axis), w_zero());
    wvec3 along = wv_select(whole, w, wv_scale(axis, wv_dot(axis, w)));
    along = wv_select(finite, along, wv_zero());
    wvec3 rest = wv_sub(w, along);
    return turn_about(turn_wholly(q, wv_scale(along, h)),
                      wv_scale(rest, w_mul(h, w_splat((lode_real)0.5))));
}

/* --- conserving */

/* A body on its way through a step, in world axes. */
typedef struct tumble {
    wquat q;
    wvec3 w, turned; /* rad/s, rad */
    wreal left;      /* of the step, s */
} tumble;

/* tan(angle / 2) / |W| for the angle h |W|, up to terms of the tenth order in it. */
LODE__INLINE wreal half_tangent(wvec3 w, wreal h)
{
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    wreal z = w_min(w_mul(w_mul(half, half), wv_dot(w, w)), w_splat((lode_real)0.0625));
    wreal p = w_splat((lode_real)(62.0 / 2835));
    p = w_add(w_mul(p, z), w_splat((lode_real)(17.0 / 315)));
    p = w_add(w_mul(p, z), w_splat((lode_real)(2.0 / 15)));
    p = w_add(w_mul(p, z), w_splat((lode_real)(1.0 / 3)));
    p = w_add(w_mul(p, z), w_splat(1));
    return w_mul(half, p);
}

/* W - w in body axes, from the velocity w at the beginning of a step of `h`; and c / W. */
LODE__INLINE wvec3 change_to_middle(wsym3 inertia, wvec3 w, wreal h, wreal *out_half)
{
    wreal half = half_tangent(w, h);
    wvec3 d = wv_zero();
    for (int i = 0; i < TURN_NEWTONS; ++i) {
        wvec3 middle = wv_add(w, d);
        if (i == 1)
            half = half_tangent(middle, h);
        wvec3 torque = wv_scale(wv_cross(middle, ws_mul(inertia, middle)), half);
        wvec3 error = wv_add(ws_mul(inertia, d), torque);
        d = wv_add(d, gyroscopic_change(inertia, middle, half, half, error));
    }
    *out_half = half;
    return d;
}

/* v turned by (1, c), of any length. */
LODE__INLINE wvec3 turned_by(wvec3 v, wvec3 c)
{
    wreal one = w_splat(1), share = w_div(w_splat(2), w_add(one, wv_dot(c, c)));
    wvec3 across = wv_cross(c, v);
    return wv_add(v, wv_scale(wv_add(across, wv_cross(c, across)), share));
}

/* One cut of a step: half a radian, or what is left. All that changes is added as a small change,
 * so that what rounding does to unchanging factors does not add up in one direction: 144,000 steps
 * in single precision otherwise gain or lose several per cent. */
LODE__INLINE void tumble_on(tumble *t, wsym3 inertia, bool last)
{
    wreal speed = wv_length(t->w), angle = w_splat(TURN_ANGLE), half, one = w_splat(1);
    wmask cut = w_gt(w_mul(speed, t->left), angle);
    wreal h = last ? t->left : w_select(cut, w_div(angle, w_select(cut, speed, one)), t->left);
    wmask moves = w_gt(t->left, w_zero());
    wvec3 d = change_to_middle(inertia, wq_rotate_inv(t->q, t->w), h, &half);
    if (last)
        d = wv_select(cut, wv_zero(), d);
    wvec3 change = wq_rotate(t->q, d), middle = wv_add(t->w, change);
    wvec3 c = wv_scale(middle, half);
    wvec3 w = turned_by(wv_add(middle, change), c);
    wquat q = turn_about(t->q, c);
    t->w = wv_select(moves, w, t->w);
    t->turned = wv_select(moves, wv_add_scaled(t->turned, middle, h), t->turned);
    t->q = (wquat){w_select(moves, q.w, t->q.w), w_select(moves, q.x, t->q.x),
                   w_select(moves, q.y, t->q.y), w_select(moves, q.z, t->q.z)};
    t->left = w_sub(t->left, h);
}

LODE__INLINE tumble tumbled(wquat q, wvec3 w, wsym3 inertia, wreal h)
{
    tumble t = {q, w, wv_zero(), h};
    for (int i = 1; i <= TURN_CUTS && m_any(w_gt(t.left, w_zero())); ++i)
        tumble_on(&t, inertia, i == TURN_CUTS);
    return t;
}

/* --- kernels */

static void gyroscopic_explicit(const lode__dense *lines, const lode__turners *turners,
                                uint32_t begin, uint32_t end, lode_real h)
{
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = turners->line + at;
        wline v = w_load_lines(&lines->velocity->linear.x, index);
        wline p = w_load_lines(&lines->pose->position.x, index);
        wline inertia = turner_line(turners, at, TURNER_INERTIA);
        wquat q = {p.r4, p.r5, p.r6, p.r7};
        wvec3 w = wq_rotate_inv(q, motion_angular(v));
        wvec3 torque = wv_cross(ws_mul(turner_matrix(inertia), w), w);
        wvec3 d = ws_mul(turner_matrix(turner_line(turners, at, TURNER_INVERSE)), torque);
        d = wv_scale(wq_rotate(q, d), w_mul(inertia.r6, w_splat(h)));
        w_store_sixes(&lines->velocity->linear.x, index,
                      motion_of(motion_linear(v), wv_add(motion_angular(v), d)));
    }
}

static void turn(const lode__dense *lines, const lode__turners *turners, uint32_t begin,
                 uint32_t end, lode_real h)
{
    wreal wh = w_splat(h), zero = w_zero();
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = turners->line + at;
        wline v = w_load_lines(&lines->velocity->linear.x, index);
        wline p = w_load_lines(&lines->pose->position.x, index);
        wline d = w_load_lines(&lines->delta->linear.x, index);
        wline inertia = turner_line(turners, at, TURNER_INERTIA);
        wline axis = turner_line(turners, at, TURNER_AXIS);
        wline from = turner_line(turners, at, TURNER_ROTATION);
        wquat q = {from.r0, from.r1, from.r2, from.r3};
        wvec3 w = motion_angular(v);
        wmask conserves = w_gt(inertia.r7, zero);
        wquat simply = turn_simply(q, w, wq_rotate(q, (wvec3){axis.r0, axis.r1, axis.r2}),
                                   w_gt(axis.r3, zero), wh);
        tumble t = tumbled(q, w, turner_matrix(inertia), w_masked(conserves, wh));
        wvec3 more = wv_sub(t.turned, wv_scale(w, wh));
        p.r4 = from.r0 = w_select(conserves, t.q.w, simply.w);
        p.r5 = from.r1 = w_select(conserves, t.q.x, simply.x);
        p.r6 = from.r2 = w_select(conserves, t.q.y, simply.y);
        p.r7 = from.r3 = w_select(conserves, t.q.z, simply.z);
        w_store_lines(&lines->pose->position.x, index, p);
        w_store_sixes(&lines->velocity->linear.x, index,
                      motion_of(motion_linear(v), wv_select(conserves, t.w, w)));
        wvec3 moved = wv_select(conserves, wv_add(motion_angular(d), more), motion_angular(d));
        w_store_sixes(&lines->delta->linear.x, index, motion_of(motion_linear(d), moved));
        turner_keep(turners, at, from);
    }
}
