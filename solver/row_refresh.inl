/* row_refresh.inl: what rows ask for, by how far their bodies have moved since the step began, and
 * how they yield; at the beginning of each sub-step. */

#ifdef LODE_DOUBLE
#define ROW_EPSILON ((lode_real)2.3e-16)
#else
#define ROW_EPSILON ((lode_real)1.2e-7)
#endif

/* Has a row that only pushes, or only pulls, nothing to do where it stands? One with a speed of its
 * own, an impact's, has. */
LODE__INLINE wmask row_gap(const lode__row *row, wlane lane, wreal error)
{
    wreal zero = w_zero();
    wmask above = m_and(w_ge(lane_load(&row->lo, lane), zero), w_gt(error, zero));
    wmask below = m_and(w_le(lane_load(&row->hi, lane), zero), w_lt(error, zero));
    return m_and(w_eq(lane_load(&row->target, lane), zero), m_or(above, below));
}

/* How a row yields: rate, gamma, and the shares by which the solver's own springs change its mass
 * and let go of its impulse. */
typedef struct row_yield {
    wreal rate, gamma, mass_scale, impulse_scale;
} row_yield;

LODE__INLINE wreal row_gamma(const lode__row *row, wlane lane, const lode__softness *s)
{
    return w_min(w_mul(lane_load(&row->cfm, lane), w_splat(s->inv_h)), w_splat(LODE__UNBOUNDED));
}

LODE__INLINE row_yield row_yield_of(const lode__row *row, bool bounded, wlane lane,
                                    const lode__softness *s, wreal error)
{
    row_yield out;
    wreal zero = w_zero(), inv_h = w_splat(s->inv_h);
    wreal erp = lane_load(&row->erp, lane);
    wmask hard = w_ge(erp, zero);
    out.gamma = w_masked(hard, row_gamma(row, lane, s));
    out.rate = w_select(hard, w_mul(inv_h, erp), w_splat(s->joint_rate));
    if (s->relax)
        out.rate = zero;
    if (bounded) {
        wmask gap = row_gap(row, lane, error);
        out.rate = w_select(gap, inv_h, out.rate);
        hard = m_or(hard, gap);
    }
    out.mass_scale = w_select(hard, w_splat(1), w_splat(s->joint_mass_scale));
    if (s->relax)
        out.mass_scale = w_masked(w_eq(out.gamma, zero), out.mass_scale);
    out.impulse_scale = w_masked(m_not(hard), w_splat(s->joint_impulse_scale));
    return out;
}

/* A row from how far it has moved since the step began. */
LODE__INLINE void row_refresh_from(lode__row *row, bool bounded, wlane lane,
                                   const lode__softness *s, wreal progress)
{
    wreal error = w_add(lane_load(&row->error, lane), progress);
    row_yield y = row_yield_of(row, bounded, lane, s, error);
    wreal k = w_add(lane_load(&row->k, lane), y.gamma);
    wreal mass = w_mul(inverse_or_zero(k, w_splat(s->relaxation)), y.mass_scale);
    wreal c = w_sub(lane_load(&row->target, lane), w_mul(y.rate, error));
    lane_store(&row->c, lane, c);
    lane_store(&row->mass, lane, mass);
    lane_store(&row->soft, lane, w_add(w_mul(y.gamma, mass), y.impulse_scale));
}

/* A pivot that is less than a few roundings of its diagonal is these. */
#define LEAST_PIVOT (16 * ROW_EPSILON)

LODE__INLINE wreal sound_pivot(wreal pivot, wreal diagonal)
{
    return w_max(pivot, w_mul(diagonal, w_splat(LEAST_PIVOT)));
}

/* The inverse of what the rows of a point resist with, K = L D L^T, by that of the unit triangle L:
 * rounding leaves it positive. Where nothing resists it is zero. */
LODE__INLINE wsym3 point_inverse(const lode__row_block *b, wlane lane, wreal gamma)
{
    wvec3 k = {lane_load(&b->rows[0].k, lane), lane_load(&b->rows[1].k, lane),
               lane_load(&b->rows[2].k, lane)};
    wvec3 low = lane3_load(&b->coupling, lane); /* yx, zx, zy */
    wreal one = w_splat(1);
    wmask none = w_le(k.x, w_zero());
    k = (wvec3){w_add(k.x, gamma), w_add(k.y, gamma), w_add(k.z, gamma)};
    wreal d1 = w_select(none, one, k.x);
    wreal i1 = w_div(one, d1), yx = w_mul(low.x, i1), zx = w_mul(low.y, i1);
    wreal d2 = sound_pivot(w_sub(k.y, w_mul(yx, low.x)), w_select(none, one, k.y));
    wreal i2 = w_div(one, d2), left = w_sub(low.z, w_mul(zx, low.x)), zy = w_mul(left, i2);
    wreal d3 = w_sub(w_sub(k.z, w_mul(zx, low.y)), w_mul(zy, left));
    wreal i3 = w_div(one, sound_pivot(d3, w_select(none, one, k.z)));
    wreal n = w_sub(w_mul(zy, yx), zx); /* of the triangle's inverse 1; -yx, 1; n, -zy, 1 */
    wreal yz = w_neg(w_mul(zy, i3)), xz = w_mul(n, i3), xy = w_sub(w_mul(n, yz), w_mul(yx, i2));
    wreal xx = w_add(w_add(i1, w_mul(w_mul(yx, yx), i2)), w_mul(n, xz));
    wreal yy = w_sub(i2, w_mul(zy, yz));
    return (wsym3){w_masked(m_not(none), xx), w_masked(m_not(none), yy), w_masked(m_not(none), i3),
                   w_masked(m_not(none), xy), w_masked(m_not(none), xz), w_masked(m_not(none), yz)};
}

/* The three rows of a point, which are as soft as each other. */
LODE__INLINE void point_refresh(lode__row_block *b, const lode__softness *s, wlane lane,
                                wvec3 apart)
{
    row_refresh_from(&b->rows[0], false, lane, s, apart.x);
    row_refresh_from(&b->rows[1], false, lane, s, apart.y);
    row_refresh_from(&b->rows[2], false, lane, s, apart.z);
    row_yield y = row_yield_of(&b->rows[0], false, lane, s, w_zero());
    wreal scale = w_mul(w_splat(s->relaxation), y.mass_scale);
    wsym3 mass = point_inverse(b, lane, y.gamma);
    const wreal six[6] = {mass.xx, mass.yy, mass.zz, mass.xy, mass.xz, mass.yz};
    for (int i = 0; i < 6; ++i)
        lane_store(&b->point_mass[i], lane, w_mul(six[i], scale));
    lane_store(&b->point_gamma, lane, y.gamma);
    lane_store(&b->point_lost, lane, y.impulse_scale);
}

/* How far a bounded row has moved along what rows_decouple() has taken out of it, where the rows
 * without bounds have moved by `progress`. */
LODE__INLINE wreal row_taken_out(lode__row_block *b, wlane lane, int rows, int row,
                                 const wreal *progress)
{
    const lode__lane *taken = lode__row_taken(b, rows, row);
    wreal sum = w_zero();
    for (int j = 0; j < b->unbounded; ++j)
        sum = w_add(sum, w_mul(lane_load(&taken[j], lane), progress[j]));
    return sum;
}

/* How fast a row without bounds goes: as it asks to, less what its load does to one that yields. */
LODE__INLINE wreal row_goes(const lode__row *row, wlane lane, const lode__softness *s)
{
    wmask hard = w_ge(lane_load(&row->erp, lane), w_zero());
    wreal c = lane_load(&row->c, lane);
    if (s->relax)
        return w_masked(hard, c);
    wreal yields = w_mul(row_gamma(row, lane, s), lane_load(&row->lambda, lane));
    return w_masked(hard, w_sub(c, yields));
}

/* What of its speed is left for the row itself: along what was taken out the rows without bounds
 * move on their own. */
LODE__INLINE void row_leave(lode__row_block *b, wlane lane, int rows, int row,
                            const lode__softness *s)
{
    const lode__lane *taken = lode__row_taken(b, rows, row);
    wreal c = lane_load(&b->rows[row].c, lane);
    for (int j = 0; j < b->unbounded; ++j)
        c = w_sub(c, w_mul(lane_load(&taken[j], lane), row_goes(&b->rows[j], lane, s)));
    lane_store(&b->rows[row].c, lane, c);
}

LODE__INLINE void row_refresh(lode__row_block *b, int i, row_way way, wlane lane, int rows,
                              const lode__softness *s, const row_motion *d, wreal *progress)
{
    const bool bounded = way == ROW_ANY && i >= b->unbounded;
    progress[i] = row_velocity(&b->rows[i], way, lane, d);
    if (bounded)
        progress[i] = w_add(progress[i], row_taken_out(b, lane, rows, i, progress));
    row_refresh_from(&b->rows[i], bounded, lane, s, progress[i]);
    if (bounded)
        row_leave(b, lane, rows, i, s);
}

LODE__INLINE void rows_refresh(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int rows, shared_block *shared)
{
    (void)shared;
    row_motion d = row_motion_of(load_deltas(lines, b->a, lane, s),
                                 load_deltas(lines, b->b, lane, s));
    wreal progress[LODE__JOINT_ROWS];
    if (HAS_POINT(b, rows)) {
        wvec3 apart = point_velocity(b, lane, &d);
        progress[0] = apart.x, progress[1] = apart.y, progress[2] = apart.z;
        point_refresh(b, s, lane, apart);
    }
    EACH_ROW(b, rows, row_refresh(b, i, way, lane, rows, s, &d, progress));
}
