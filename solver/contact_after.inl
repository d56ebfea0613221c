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

/* Times that the points of a manifold are made to bounce, each disturbing the others: a box that
 * lands flat leaves with 0.976 of the speed it should have after one, 1.026 after two, and 0.9999
 * after four. */
enum { BOUNCE_SWEEPS = 4 };

/* Impacts that are slower do not bounce; and the speed with which surfaces that move part. */
typedef struct bounce_way {
    wreal slowest, motion;
} bounce_way;

/* Newton's law of impact: points that struck leave with the given share of their approach. Returns
 * which manifolds bounce at all. */
LODE__INLINE wmask bounce_points(lode__contact_block *b, bounce_way way, wlane lane, int points,
                                 wreal e, normal_sweep *sweep)
{
    wreal zero = w_zero(), one = w_splat(1);
    wmask any = w_lt(one, zero), bounces[LODE__MANIFOLD_POINTS];
    wreal want[LODE__MANIFOLD_POINTS], mass[LODE__MANIFOLD_POINTS];
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &b->rows[i];
        wreal approach = w_sub(lane_load(&row->approach, lane), way.motion);
        wreal k = lane_load(&row->k, lane);
        wreal struck = w_max(lane_load(&row->lambda, lane), lane_load(&row->peak, lane));
        wmask fast = m_and(w_lt(approach, w_neg(way.slowest)), w_gt(struck, zero));
        bounces[i] = m_and(m_and(fast, w_gt(e, zero)), w_gt(k, zero));
        any = m_or(any, bounces[i]);
        mass[i] = w_div(one, w_select(bounces[i], k, one));
        want[i] = w_sub(way.motion, w_mul(e, approach));
    }
    for (int n = 0; n < (points > 1 ? BOUNCE_SWEEPS : 1); ++n)
        for (int i = 0; i < points; ++i) {
            lode__contact_row *row = &b->rows[i];
            wreal old = lane_load(&row->lambda, lane);
            wreal now = w_add(old, w_mul(mass[i], w_sub(want[i], sweep->velocity[i])));
            now = w_select(bounces[i], w_max(now, zero), old);
            wreal d = normal_sweep_set(sweep, row, lane, points, old, now);
            for (int j = 0; j < points; ++j)
                sweep->velocity[j] = w_add(sweep->velocity[j],
                                           w_mul(coupling_load(b, i, j, lane), d));
        }
    return any;
}

/* Manifolds that do not bounce are not written, so that no lane depends on its neighbours. */
LODE__INLINE void contact_bounce(lode__contact_block *b, const lode__dense *lines, bounce_way way,
                                 wlane lane, int points, bool pair, shared_block *shared)
{
    wreal zero = w_zero(), e = lane_load(&b->restitution, lane);
    if (!m_any(w_gt(e, zero)))
        return;
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist v = twist_of(&f, la, lb, pair);
    normal_sweep sweep = normal_sweep_begin(b, lane, points, &v);
    wmask any = bounce_points(b, way, lane, points, e, &sweep);
    twist wrench = {sweep.d, zero, zero, zero, sweep.m1, w_neg(sweep.m2)};
    int32_t index_a[LODE_LANES], index_b[LODE_LANES];
    unsigned bits = m_bits(any);
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
