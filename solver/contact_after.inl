/* contact_after.inl: what is done to contact blocks seldom: impulses added up for those who ask,
 * and the restitution pass at the end of a step. */

/* What a sub-step has exerted, for those who ask after the step. */
LODE__INLINE void contact_tell(lode__contact_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int points, bool pair,
                               shared_block *shared)
{
    (void)lines, (void)pair, (void)shared;
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        lane_add(&row->told[0], lane, &row->lambda);
        lane_add(&row->told[1], lane, &row->lambda1);
        lane_add(&row->told[2], lane, &row->lambda2);
    }
    if (s->friction_per_manifold && points > 1) {
        lane_add(&b->told[0], lane, &b->lambda1);
        lane_add(&b->told[1], lane, &b->lambda2);
        lane_add(&b->told[2], lane, &b->twist);
    }
}

/* Times in a visit that the points of a manifold are made to bounce, each disturbing the others. */
enum { BOUNCE_SWEEPS = 4 };

/* Impacts that are slower do not bounce; and the speed with which surfaces that move part. */
typedef struct bounce_way {
    wreal slowest, motion;
} bounce_way;

/* What the points of a manifold are to come to: their normal velocities, and their impulses so far,
 * of the whole step. */
typedef struct bounce {
    wmask bounces[LODE__MANIFOLD_POINTS];
    wreal want[LODE__MANIFOLD_POINTS], mass[LODE__MANIFOLD_POINTS], all[LODE__MANIFOLD_POINTS];
    wmask moves; /* manifolds that are not there yet */
} bounce;

LODE__INLINE wreal bounce_impulse(const bounce *b, int i, wreal velocity)
{
    wreal now = w_add(b->all[i], w_mul(b->mass[i], w_sub(b->want[i], velocity)));
    return w_select(b->bounces[i], w_max(now, w_zero()), b->all[i]);
}

/* Newton's law of impact: points that pushed leave with the given share of their approach,
 *
 *     J v' >= -e J v,   p >= 0,   one of them with equality,
 *
 * where v is from before the step and p an impulse of all of it, so that what the sub-steps have
 * pushed too much is taken back. With e = 1 that keeps the energy, whatever the points do to each
 * other: it changes by the sum of p J (v + v') / 2, of which each term is zero. A point that goes
 * away before the step and pushes all the same, for another one turns it back or since it is deep,
 * may therefore come nearer: it strikes in the next step. */
LODE__INLINE bounce bounce_begin(const lode__contact_block *b, bounce_way way, wlane lane,
                                 int points, wreal e, const normal_sweep *sweep)
{
    wreal zero = w_zero(), one = w_splat(1);
    bounce out = {.moves = w_lt(one, zero)};
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &b->rows[i];
        wreal approach = w_sub(lane_load(&row->approach, lane), way.motion);
        wreal k = lane_load(&row->k, lane), speed = w_abs(approach);
        out.all[i] = w_add(lane_load(&row->told[0], lane), lane_load(&row->lambda, lane));
        wmask fast = m_and(w_gt(speed, way.slowest), w_gt(out.all[i], zero));
        out.bounces[i] = m_and(m_and(fast, w_gt(e, zero)), w_gt(k, zero));
        out.mass[i] = w_div(one, w_select(out.bounces[i], k, one));
        out.want[i] = w_sub(way.motion, w_mul(e, approach));
        wreal missing = w_sub(bounce_impulse(&out, i, sweep->velocity[i]), out.all[i]);
        wreal rounding = w_mul(speed, w_splat(REAL_EPSILON));
        out.moves = m_or(out.moves, w_gt(w_mul(w_abs(missing), k), rounding));
    }
    return out;
}

LODE__INLINE void bounce_points(const lode__contact_block *b, bounce *of, wlane lane, int points,
                                normal_sweep *sweep)
{
    for (int n = 0; n < (points > 1 ? BOUNCE_SWEEPS : 1); ++n)
        for (int i = 0; i < points; ++i) {
            wreal now = bounce_impulse(of, i, sweep->velocity[i]);
            wreal d = w_sub(now, of->all[i]);
            of->all[i] = now;
            normal_sweep_add(sweep, &b->rows[i], lane, points, d);
            for (int j = 0; j < points; ++j)
                sweep->velocity[j] = w_add(sweep->velocity[j],
                                           w_mul(coupling_load(b, i, j, lane), d));
        }
}

/* The next step starts from the last sub-step's part of an impulse, which is not negative. */
LODE__INLINE void bounce_keep(lode__contact_row *row, wlane lane, wmask moves, wreal all)
{
    wreal told = lane_load(&row->told[0], lane), lambda = lane_load(&row->lambda, lane);
    wreal before = w_min(told, all);
    lane_store(&row->told[0], lane, w_select(moves, before, told));
    lane_store(&row->lambda, lane, w_select(moves, w_sub(all, before), lambda));
}

/* Manifolds that do not move are not written, so that no lane depends on its neighbours and, once
 * an island has come to rest, not on the number of visits. */
LODE__INLINE void contact_bounce(lode__contact_block *b, const lode__dense *lines, bounce_way way,
                                 wlane lane, int points, bool pair, shared_block *shared)
{
    wreal zero = w_zero(), e = lane_load(&b->restitution, lane);
    lane_store(&b->bounced, lane, zero);
    if (!m_any(w_gt(e, zero)))
        return;
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist v = twist_of(&f, la, lb, pair);
    normal_sweep sweep = normal_sweep_begin(b, lane, points, &v);
    bounce of = bounce_begin(b, way, lane, points, e, &sweep);
    unsigned bits = m_bits(of.moves);
    lane_store(&b->bounced, lane, w_masked(of.moves, w_splat(1)));
    if (bits == 0)
        return;
    bounce_points(b, &of, lane, points, &sweep);
    for (int i = 0; i < points; ++i)
        bounce_keep(&b->rows[i], lane, of.moves, of.all[i]);
    twist wrench = {sweep.d, zero, zero, zero, sweep.m1, w_neg(sweep.m2)};
    int32_t index_a[LODE_LANES], index_b[LODE_LANES];
    for (int i = 0; i < LODE_WIDTH; ++i) {
        bool moves = bits >> i & 1;
        index_a[lane + i] = moves ? b->a[lane + i] : 0;
        index_b[lane + i] = moves ? b->b[lane + i] : 0;
    }
    frame_apply(&f, lines, index_a, index_b, la, lb, wrench, lane, points > 1, pair, shared);
}

LODE__INLINE void contact_restitution(lode__contact_block *b, const lode__dense *lines,
                                      const lode__softness *s, wlane lane, int points, bool pair,
                                      shared_block *shared)
{
    bounce_way way = {w_splat(s->bounce_speed), w_zero()};
    contact_bounce(b, lines, way, lane, points, pair, shared);
}
