/* contact_special.inl: contact blocks with what few contacts have: motions, slip, soft normals,
 * friction of a law of its own, and rows against rolling; lode/surface.h says what they mean.
 *
 * Slip. A friction row that yields with the speed s f under the force f is one with gamma = s / h
 * added to K, and gamma p to the velocity; so a pair on a cone with two gammas is that of
 * contact_friction.inl with K + diag(gamma) in place of K and v + diag(gamma) p in place of v, and
 * rests where what slides past its yielding is opposite to the impulse.
 *
 * Rolling. Three rows about t1, t2 and n, bounded by the load of all points, or by how many touch,
 * where the bound is a moment: the same for each point, so one set serves all. They come last in a
 * visit, when the load is known; what the visit has done to the spin so far, its wrench says.
 *
 * These kernels are for few: one text for all numbers of points, and a static body is the dummy. */

LODE__INLINE wmask lane_is(const lode__lane *field, wlane lane)
{
    return w_gt(lane_load(field, lane), w_zero());
}

LODE__INLINE wmask m_all_lanes(void)
{
    return w_eq(w_zero(), w_zero());
}

/* --- once in a step */

/* A pair's matrix with its softness, of lanes on a cone and others. */
LODE__INLINE void special_pair_prepare(friction_pair to, const lode__special_lanes *x, wlane lane,
                                       wsym2 k, wreal soft_scale, wreal relaxation)
{
    wmask cone = lane_is(&x->cone, lane);
    wreal k1 = w_add(k.xx, w_mul(lane_load(&x->soft[0], lane), soft_scale));
    wreal k2 = w_add(k.yy, w_mul(lane_load(&x->soft[1], lane), soft_scale));
    wreal inverse = inverse_or_zero(w_add(k1, k2), w_splat(1));
    wreal mass2 = inverse_or_zero(k2, relaxation);
    lane_store(to.mass1, lane, w_select(cone, w_mul(k1, inverse), inverse_or_zero(k1, relaxation)));
    lane_store(to.mass2, lane, w_select(cone, w_mul(relaxation, inverse), mass2));
    lane_store(to.k12, lane, w_mul(k.xy, w_select(cone, inverse, mass2)));
}

/* Of the points' yielding in parallel, the yielding of all: about the normal by their arms. */
LODE__INLINE wreal special_twist_soft(const lode__contact_block *b, const lode__special_lanes *x,
                                      wlane lane, int points)
{
    wreal reach = w_zero(), half = w_splat((lode_real)0.5);
    for (int i = 0; i < points; ++i) {
        wreal arm = lane_load(&b->rows[i].arm, lane);
        reach = w_add(reach, w_mul(arm, arm));
    }
    wreal soft = w_mul(half, w_add(lane_load(&x->soft[0], lane), lane_load(&x->soft[1], lane)));
    return w_mul(soft, inverse_or_zero(reach, w_splat(1)));
}

LODE__INLINE void special_friction_prepare(lode__contact_block *b, lode__special_lanes *x,
                                           const lode__softness *s, wlane lane, int points,
                                           const response *w)
{
    wreal relaxation = w_splat(s->relaxation);
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        wsym2 k = friction_response(w, lane_load(&row->x, lane), lane_load(&row->y, lane));
        special_pair_prepare(pair_of_row(row), x, lane, k, w_splat(1), relaxation);
    }
    if (!s->friction_per_manifold || points == 1)
        return;
    prepare_manifold_friction(b, lane, points, w, s);
    special_pair_prepare(pair_of_block(b), x, lane, (wsym2){w->d.yy, w->d.yz, w->d.zz},
                         w_splat((lode_real)1 / (lode_real)points), relaxation);
    wreal twist_k = w_add(w->i.xx, special_twist_soft(b, x, lane, points));
    lane_store(&b->twist_mass, lane, inverse_or_zero(twist_k, relaxation));
}

LODE__INLINE friction_pair pair_of_rolling(lode__special_lanes *x)
{
    return (friction_pair){&x->roll_mass[0], &x->roll_mass[1], &x->roll_k12, &x->roll[0],
                           &x->roll[1]};
}

/* The impulse of a row that no longer resists is forgotten. */
LODE__INLINE void rolling_prepare(lode__special_lanes *x, const contact_frame *f,
                                  const lode__softness *s, wlane lane, const response *w)
{
    wreal relaxation = w_splat(s->relaxation);
    wmask cone = lane_is(&x->roll_cone, lane);
    wvec3 turn = lane3_load(&x->turn, lane), along = to_frame(f, turn);
    const wreal by_row[3] = {along.y, along.z, along.x};
    for (int k = 0; k < 3; ++k)
        lane_store(&x->roll[k], lane, w_masked(lane_is(&x->rolling[k], lane), by_row[k]));
    wreal inverse = inverse_or_zero(w_add(w->i.yy, w->i.zz), w_splat(1));
    wreal mass2 = inverse_or_zero(w->i.zz, relaxation);
    lane_store(&x->roll_mass[0], lane,
               w_select(cone, w_mul(w->i.yy, inverse), inverse_or_zero(w->i.yy, relaxation)));
    lane_store(&x->roll_mass[1], lane, w_select(cone, w_mul(relaxation, inverse), mass2));
    lane_store(&x->roll_k12, lane, w_mul(w->i.yz, w_select(cone, inverse, mass2)));
    lane_store(&x->roll_mass[2], lane, inverse_or_zero(w->i.xx, relaxation));
    lane_store(&x->cn1, lane, w->c.x.y);
    lane_store(&x->cn2, lane, w->c.x.z);
    lane_store(&x->i11, lane, w->i.yy);
    lane_store(&x->i22, lane, w->i.zz);
    lane_store(&x->i12, lane, w->i.yz);
}

LODE__INLINE void special_prepare(lode__contact_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int points, bool pair,
                                  shared_block *shared)
{
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    response w = points_prepare(b, lines, s, lane, points, pair, shared);
    wmask own = w_ge(lane_load(&x->erp, lane), w_zero());
    wreal gamma = w_mul(lane_load(&x->cfm, lane), w_splat(s->inv_h));
    gamma = w_select(own, w_min(gamma, w_splat(LODE__UNBOUNDED)), w_splat(s->gamma));
    lane_store(&x->gamma, lane, gamma);
    invert_normals(b, lane, points, gamma);
    contact_frame f = frame_load(b, lane, pair);
    special_friction_prepare(b, x, s, lane, points, &w);
    rolling_prepare(x, &f, s, lane, &w);
    lane3_store(&x->motion, lane, to_frame(&f, lane3_load(&x->motion, lane)));
}

LODE__INLINE void special_tell(lode__contact_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int points, bool pair,
                               shared_block *shared)
{
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    contact_tell(b, lines, s, lane, points, pair, shared);
    for (int k = 0; k < 3; ++k)
        lane_add(&x->told[k], lane, &x->roll[k]);
}

LODE__INLINE void special_restitution(lode__contact_block *b, const lode__dense *lines,
                                      const lode__softness *s, wlane lane, int points, bool pair,
                                      shared_block *shared)
{
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    wreal own = lane_load(&x->bounce_speed, lane);
    bounce_way way = {w_select(w_ge(own, w_zero()), own, w_splat(s->bounce_speed)),
                      lane_load(&x->motion.x, lane)};
    contact_bounce(b, lines, way, lane, points, pair, shared);
}

/* --- in each sub-step */

/* Normals with a cfm of their own are left alone by the relax pass, as all springs are. */
LODE__INLINE void special_refresh(lode__contact_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int points, bool pair,
                                  shared_block *shared)
{
    (void)shared;
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    wreal zero = w_zero(), one = w_splat(1), erp = lane_load(&x->erp, lane);
    wreal gamma = lane_load(&x->gamma, lane), rate = w_mul(erp, w_splat(s->inv_h)), scale = one;
    if (s->relax) {
        rate = zero;
        scale = w_masked(w_eq(gamma, zero), one);
    }
    wmask own = w_ge(erp, zero);
    wreal motion = lane_load(&x->motion.x, lane);
    normal_way way = {w_select(own, rate, w_splat(s->rate)), gamma,
                      w_select(own, scale, w_splat(s->mass_scale)),
                      w_masked(m_not(own), w_splat(s->impulse_scale)), &motion};
    twist d = contact_moved(b, lines, s, lane, pair);
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        wreal closing = normal_velocity(&d, place_of(row, lane, points));
        wmask touches = normal_refresh(row, s, lane, closing, way);
        wmask pressed = w_gt(lane_load(&row->lambda, lane), zero);
        lane_store(&x->holds[i], lane, w_masked(m_or(touches, pressed), one));
        /* what has thrown a body off keeps its impulse, though there is a gap by now */
        wmask threw = m_and(pressed, w_gt(motion, zero));
        if (s->relax)
            lane_store(&row->c, lane, w_select(threw, motion, lane_load(&row->c, lane)));
    }
}

/* Takes a share of all impulses. */
LODE__INLINE void special_carry(lode__contact_block *b, const lode__softness *s, wreal share,
                                wlane lane, int points)
{
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    contact_carry(b, s, share, lane, points);
    for (int k = 0; k < 3; ++k)
        lane_store(&x->roll[k], lane, w_mul(lane_load(&x->roll[k], lane), share));
}

LODE__INLINE twist special_wrench(lode__contact_block *b, const lode__softness *s, wlane lane,
                                  int points)
{
    const lode__special_lanes *x = lode__special_lanes_of(b, points);
    twist p = contact_wrench(b, s, lane, points);
    p.w1 = w_add(p.w1, lane_load(&x->roll[0], lane));
    p.w2 = w_add(p.w2, lane_load(&x->roll[1], lane));
    p.wn = w_add(p.wn, lane_load(&x->roll[2], lane));
    return p;
}

/* Which lanes are no springs. */
LODE__INLINE wmask special_hard(lode__contact_block *b, wlane lane, int points)
{
    return w_eq(lane_load(&lode__special_lanes_of(b, points)->gamma, lane), w_zero());
}

LODE__INLINE void special_warm_start(lode__contact_block *b, const lode__dense *lines,
                                     const lode__softness *s, wlane lane, int points, bool pair,
                                     shared_block *shared)
{
    if (s->carry != 1) {
        wmask hard = special_hard(b, lane, points);
        special_carry(b, s, w_select(hard, w_splat(s->carry), w_splat(1)), lane, points);
    }
    contact_push(b, lines, special_wrench(b, s, lane, points), lane, true, pair, shared);
}

/* See contact_again(). Rows that slip are dampers: the first half has found all of theirs. */
LODE__INLINE void special_again(lode__contact_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane, int points, bool pair,
                                shared_block *shared)
{
    const lode__special_lanes *x = lode__special_lanes_of(b, points);
    wreal zero = w_zero(), one = w_splat(1);
    wreal more = w_add(one, w_masked(special_hard(b, lane, points), w_splat(CONTACT_AGAIN)));
    wmask slips1 = w_gt(lane_load(&x->soft[0], lane), zero);
    wmask slips2 = w_gt(lane_load(&x->soft[1], lane), zero);
    wreal back1 = w_select(slips1, w_div(one, more), one);
    wreal back2 = w_select(slips2, w_div(one, more), one);
    twist before = special_wrench(b, s, lane, points);
    special_carry(b, s, more, lane, points);
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        lane_store(&row->lambda1, lane, w_mul(lane_load(&row->lambda1, lane), back1));
        lane_store(&row->lambda2, lane, w_mul(lane_load(&row->lambda2, lane), back2));
    }
    if (s->friction_per_manifold && points > 1) {
        lane_store(&b->lambda1, lane, w_mul(lane_load(&b->lambda1, lane), back1));
        lane_store(&b->lambda2, lane, w_mul(lane_load(&b->lambda2, lane), back2));
        lane_store(&b->twist, lane, w_mul(lane_load(&b->twist, lane), w_min(back1, back2)));
    }
    twist after = special_wrench(b, s, lane, points);
    contact_push(b, lines, twist_sub(after, before), lane, true, pair, shared);
}

/* See contact_let_go(). */
LODE__INLINE void special_let_go(lode__contact_block *b, const lode__dense *lines,
                                 const lode__softness *s, wlane lane, int points, bool pair,
                                 shared_block *shared)
{
    wreal held = contact_held(b, lines, lane);
    twist back = twist_scale(special_wrench(b, s, lane, points), w_sub(held, w_splat(1)));
    contact_push(b, lines, back, lane, true, pair, shared);
    special_carry(b, s, held, lane, points);
}

/* What bounds a pair of rows of eight contacts. */
typedef struct special_limits {
    friction_limits cone;
    wmask on_cone, box1, box2;
    bool any_cone;
} special_limits;

LODE__INLINE special_limits special_limits_of(const lode__lane *cone, const lode__lane box[2],
                                              wlane lane, wreal mu1, wreal mu2)
{
    wmask on_cone = lane_is(cone, lane);
    return (special_limits){friction_limits_of(mu1, mu2, true), on_cone, lane_is(&box[0], lane),
                            lane_is(&box[1], lane), m_any(on_cone)};
}

/* One visit of a pair whose slip past its motion and yielding is `v`, under the normal impulse
 * `lambda` of so many points that touch; lanes that are not `there` stay as they are. */
LODE__INLINE wpair special_pair_visit(friction_pair pair, wlane lane, const special_limits *f,
                                      wreal lambda, wreal holds, wpair v, wmask there)
{
    wpair old = {lane_load(pair.lambda1, lane), lane_load(pair.lambda2, lane)};
    wreal limit1 = w_mul(f->cone.mu1, w_select(f->box1, holds, lambda));
    wreal limit2 = w_mul(f->cone.mu2, w_select(f->box2, holds, lambda));
    wpair now = pyramid_solve(pair, lane, limit1, limit2, old, v);
    if (f->any_cone) {
        wpair on = cone_solve(pair, lane, &f->cone, lambda, old, v);
        now = (wpair){w_select(f->on_cone, on.x, now.x), w_select(f->on_cone, on.y, now.y)};
    }
    now = (wpair){w_select(there, now.x, old.x), w_select(there, now.y, old.y)};
    lane_store(pair.lambda1, lane, now.x);
    lane_store(pair.lambda2, lane, now.y);
    return (wpair){w_sub(now.x, old.x), w_sub(now.y, old.y)};
}

/* The slip of a pair past the motion of its surfaces and what it yields. */
LODE__INLINE wpair special_slip(const lode__special_lanes *x, friction_pair pair, wlane lane,
                                wreal soft_scale, wreal u1, wreal u2)
{
    wreal soft1 = w_mul(lane_load(&x->soft[0], lane), soft_scale);
    wreal soft2 = w_mul(lane_load(&x->soft[1], lane), soft_scale);
    return (wpair){w_add(w_sub(u1, lane_load(&x->motion.y, lane)),
                         w_mul(soft1, lane_load(pair.lambda1, lane))),
                   w_add(w_sub(u2, lane_load(&x->motion.z, lane)),
                         w_mul(soft2, lane_load(pair.lambda2, lane)))};
}

LODE__INLINE void special_point_friction(lode__contact_block *b, const lode__special_lanes *x,
                                         int i, wlane lane, int points, const special_limits *f,
                                         twist *v, twist *wrench)
{
    lode__contact_row *row = &b->rows[i];
    friction_pair pair = pair_of_row(row);
    place at = place_of(row, lane, points);
    wpair slip = special_slip(x, pair, lane, w_splat(1), w_sub(v->u1, w_mul(v->wn, at.y)),
                              w_add(v->u2, w_mul(v->wn, at.x)));
    wpair d = special_pair_visit(pair, lane, f, lane_load(&row->lambda, lane),
                                 lane_load(&x->holds[i], lane), slip, m_all_lanes());
    push_friction(b, lane, d.x, d.y, at, v, wrench);
}

LODE__INLINE void special_manifold_friction(lode__contact_block *b, const lode__special_lanes *x,
                                            wlane lane, int points, const special_limits *f,
                                            const twist *v, twist *wrench)
{
    wreal load = w_zero(), holds = w_zero(), moment = w_zero(), held = w_zero();
    wreal half = w_splat((lode_real)0.5), share = w_splat((lode_real)1 / (lode_real)points);
    for (int i = 0; i < points; ++i) {
        wreal lambda = lane_load(&b->rows[i].lambda, lane), arm = lane_load(&b->rows[i].arm, lane);
        wreal hold = lane_load(&x->holds[i], lane);
        load = w_add(load, lambda);
        holds = w_add(holds, hold);
        moment = w_add(moment, w_mul(lambda, arm));
        held = w_add(held, w_mul(hold, arm));
    }
    friction_pair pair = pair_of_block(b);
    wpair slip = special_slip(x, pair, lane, share, v->u1, v->u2);
    wpair d = special_pair_visit(pair, lane, f, load, holds, slip, m_all_lanes());
    wreal old = lane_load(&b->twist, lane);
    wreal spin = w_add(
        v->wn, w_add(w_mul(lane_load(&b->c1n, lane), d.x), w_mul(lane_load(&b->c2n, lane), d.y)));
    spin = w_add(spin, w_mul(special_twist_soft(b, x, lane, points), old));
    wreal by1 = w_mul(f->cone.mu1, w_select(f->box1, held, moment));
    wreal by2 = w_mul(f->cone.mu2, w_select(f->box2, held, moment));
    wreal limit = w_add(w_mul(half, by1), w_mul(half, by2));
    wreal now = w_sub(old, w_mul(lane_load(&b->twist_mass, lane), spin));
    now = w_clamp(now, w_neg(limit), limit);
    lane_store(&b->twist, lane, now);
    wrench->u1 = w_add(wrench->u1, d.x);
    wrench->u2 = w_add(wrench->u2, d.y);
    wrench->wn = w_add(wrench->wn, w_sub(now, old));
}

/* The spin about n, t1, t2 after a wrench of this visit: w + C^T p + I m. */
LODE__INLINE wvec3 special_spin(const lode__contact_block *b, const lode__special_lanes *x,
                                wlane lane, const twist *v, const twist *p)
{
#define SPIN(w, by_un, by_u1, by_u2, by_wn, by_w1, by_w2) \
    w_add( \
        w_add(w, w_add(w_add(w_mul(lane_load(&by_un, lane), p->un), \
                             w_mul(lane_load(&by_u1, lane), p->u1)), \
                       w_mul(lane_load(&by_u2, lane), p->u2))), \
        w_add(w_add(w_mul(lane_load(&by_wn, lane), p->wn), w_mul(lane_load(&by_w1, lane), p->w1)), \
              w_mul(lane_load(&by_w2, lane), p->w2)))
    return (wvec3){SPIN(v->wn, b->cnn, b->c1n, b->c2n, b->inn, b->in1, b->in2),
                   SPIN(v->w1, x->cn1, b->c11, b->c21, b->in1, x->i11, x->i12),
                   SPIN(v->w2, x->cn2, b->c12, b->c22, b->in2, x->i12, x->i22)};
#undef SPIN
}

LODE__INLINE void special_rolling(lode__contact_block *b, lode__special_lanes *x, wlane lane,
                                  int points, const twist *v, twist *wrench)
{
    wreal r1 = lane_load(&x->rolling[0], lane), r2 = lane_load(&x->rolling[1], lane);
    wreal rn = lane_load(&x->rolling[2], lane), load = w_zero(), holds = w_zero();
    wmask rolls = w_gt(w_max(w_max(r1, r2), rn), w_zero());
    if (!m_any(rolls))
        return;
    for (int i = 0; i < points; ++i) {
        load = w_add(load, lane_load(&b->rows[i].lambda, lane));
        holds = w_add(holds, lane_load(&x->holds[i], lane));
    }
    special_limits f = special_limits_of(&x->roll_cone, x->moment, lane, r1, r2);
    wvec3 spin = special_spin(b, x, lane, v, wrench);
    wpair d = special_pair_visit(pair_of_rolling(x), lane, &f, load, holds, (wpair){spin.y, spin.z},
                                 rolls);
    wreal old = lane_load(&x->roll[2], lane);
    wreal limit = w_mul(rn, w_select(lane_is(&x->moment[2], lane), holds, load));
    wreal about = w_add(
        spin.x, w_add(w_mul(lane_load(&b->in1, lane), d.x), w_mul(lane_load(&b->in2, lane), d.y)));
    wreal now = w_sub(old, w_mul(lane_load(&x->roll_mass[2], lane), about));
    now = w_select(rolls, w_clamp(now, w_neg(limit), limit), old);
    lane_store(&x->roll[2], lane, now);
    wrench->w1 = w_add(wrench->w1, d.x);
    wrench->w2 = w_add(wrench->w2, d.y);
    wrench->wn = w_add(wrench->wn, w_sub(now, old));
}

LODE__INLINE void special_solve(lode__contact_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane, int points, bool pair,
                                shared_block *shared)
{
    lode__special_lanes *x = lode__special_lanes_of(b, points);
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist v = twist_of(&f, la, lb, pair), before = v;
    wreal zero = w_zero();
    twist wrench = {zero, zero, zero, zero, zero, zero};
    special_limits limits = special_limits_of(
        &x->cone, x->box, lane, lane_load(&b->friction1, lane), lane_load(&b->friction2, lane));
    solve_normals(b, lane, points, pair, lane_load(&x->gamma, lane), s, &v, &wrench);
    if (s->friction_per_manifold && points > 1)
        special_manifold_friction(b, x, lane, points, &limits, &v, &wrench);
    else
        for (int i = 0; i < points; ++i)
            special_point_friction(b, x, i, lane, points, &limits, &v, &wrench);
    special_rolling(b, x, lane, points, &before, &wrench);
    frame_apply(&f, lines, b->a, b->b, la, lb, wrench, lane, true, pair, shared);
}
