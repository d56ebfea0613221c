/* row_solve.inl: what is done to row blocks, eight joints of one row count, in each sub-step; of a
 * kind whose lanes share bodies when `shared` is not null, which is known to the compiler. Rows are
 * solved one after another by projected Gauss-Seidel in impulse form,
 *
 *     lambda' = clamp(lambda - soft lambda + mass (c - J v), lo, hi),
 *     v += M^-1 J^T (lambda' - lambda),
 *
 * which knows nothing of joint types: a joint's builder has written the Jacobians.
 *
 * A row has its own softness, erp and cfm: a share erp of its error is corrected in each (sub-)step
 * and gamma = cfm / h added to J M^-1 J^T. Springs and motors are made so. Where erp is negative
 * the solver's own softness of joints counts, which the relax pass takes out; a row's own it keeps.
 *
 * A row that can only push (lo = 0) or only pull (hi = 0), and whose error is on the side where it
 * need not, is a gap: it lets the gap close within the step, and no more. */

typedef struct row_motion {
    wvec3 va, wa, vb, wb;
} row_motion;

LODE__INLINE row_motion row_motion_of(wline a, wline b)
{
    return (row_motion){motion_linear(a), motion_angular(a), motion_linear(b), motion_angular(b)};
}

LODE__INLINE row_motion row_motion_load(const lode__row_block *block, const lode_real *lines,
                                        wlane lane)
{
    return row_motion_of(lines_load(lines, block->a, lane), lines_load(lines, block->b, lane));
}

/* Stores the velocities `v` of bodies that had `old`; of a split body, its part's share of the
 * change. */
LODE__INLINE void row_motion_store(const lode__row_block *block, lode_real *lines, wlane lane,
                                   const row_motion *old, const row_motion *v, shared_block *shared)
{
    if (shared) {
        wreal a = lane_load(&block->part_a, lane), b = lane_load(&block->part_b, lane);
        shared_put(
            shared, 0, lane, block->a,
            motion_of(wv_scale(wv_sub(v->va, old->va), a), wv_scale(wv_sub(v->wa, old->wa), a)));
        shared_put(
            shared, 1, lane, block->b,
            motion_of(wv_scale(wv_sub(v->vb, old->vb), b), wv_scale(wv_sub(v->wb, old->wb), b)));
        return;
    }
    motions_store(lines, block->a, lane, motion_of(v->va, v->wa));
    motions_store(lines, block->b, lane, motion_of(v->vb, v->wb));
}

/* What both bodies of a joint resist with. It is read from their lines, which stay near while sweeps
 * go by: rows that bring their responses along are nearly half of what a sweep waits for. */
typedef struct row_masses {
    wreal inv_a, inv_b;
    wsym3 inertia_a, inertia_b; /* inverse */
} row_masses;

LODE__INLINE row_masses row_masses_of(wline a, wline b)
{
    return (row_masses){a.r0, b.r0, line_inertia(a), line_inertia(b)};
}

LODE__INLINE row_masses row_masses_load(const lode__row_block *block, const lode__dense *lines,
                                        wlane lane, shared_block *shared)
{
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline a = lines_load(masses, block->a, lane), b = lines_load(masses, block->b, lane);
    if (shared) {
        a = split_mass(a, w_div(w_splat(1), lane_load(&block->part_a, lane)));
        b = split_mass(b, w_div(w_splat(1), lane_load(&block->part_b, lane)));
    }
    return row_masses_of(a, b);
}

/* How a row's linear part enters: not at all, or as it says. */
typedef enum row_way { ROW_TURN, ROW_ANY } row_way;

#define EACH_ROW_ONE(kind, call) \
    { \
        const row_way way = kind; \
        call; \
        ++i; \
    }

/* Does a block begin with three rows that hold anchors together? They have functions of their own,
 * which see them as one point. */
#define HAS_POINT(b, rows) ((rows) >= 3 && (b)->axes)

/* Calls what is done to row `i` of a block, whose linear part is of the kind `way`, for all rows
 * behind those of a point. */
#define EACH_ROW(b, rows, call) \
    do { \
        int i = HAS_POINT(b, rows) ? 3 : 0; \
        while (i < (b)->turning) \
            EACH_ROW_ONE(ROW_TURN, call); \
        while (i < (rows)) \
            EACH_ROW_ONE(ROW_ANY, call); \
    } while (0)

/* The parts of J v: of two bodies that turn against each other, that move along, that turn. */
LODE__INLINE wreal row_twisting(const lode__row *row, wlane lane, const row_motion *v)
{
    return wv_dot(lane3_load(&row->ang_a, lane), wv_sub(v->wa, v->wb));
}

LODE__INLINE wreal row_moving(const lode__row *row, wlane lane, const row_motion *v)
{
    return wv_dot(lane3_load(&row->lin, lane), wv_sub(v->va, v->vb));
}

LODE__INLINE wreal row_turning(const lode__row *row, wlane lane, const row_motion *v)
{
    return w_add(wv_dot(lane3_load(&row->ang_a, lane), v->wa),
                 wv_dot(lane3_load(&row->ang_b, lane), v->wb));
}

LODE__INLINE wreal row_velocity(const lode__row *row, row_way way, wlane lane, const row_motion *v)
{
    if (way == ROW_TURN)
        return row_twisting(row, lane, v);
    return w_add(row_moving(row, lane, v), row_turning(row, lane, v));
}

/* What a row is short of, c - J v. */
LODE__INLINE wreal row_short_of(const lode__row *row, row_way way, wlane lane, const row_motion *v)
{
    wreal c = lane_load(&row->c, lane);
    if (way == ROW_TURN)
        return w_sub(c, row_twisting(row, lane, v));
    return w_sub(w_sub(c, row_turning(row, lane, v)), row_moving(row, lane, v));
}

/* The next row waits for this one's impulse `d`, so the responses are made first. */
LODE__INLINE void row_apply(const lode__row *row, row_way way, wlane lane, const row_masses *m,
                            wreal d, row_motion *v)
{
    wvec3 ang_a = lane3_load(&row->ang_a, lane);
    v->wa = wv_add(v->wa, wv_scale(ws_mul(m->inertia_a, ang_a), d));
    if (way == ROW_TURN) {
        v->wb = wv_sub(v->wb, wv_scale(ws_mul(m->inertia_b, ang_a), d));
        return;
    }
    wvec3 turn_b = ws_mul(m->inertia_b, lane3_load(&row->ang_b, lane));
    v->wb = wv_add(v->wb, wv_scale(turn_b, d));
    wvec3 p = wv_scale(lane3_load(&row->lin, lane), d);
    v->va = wv_add(v->va, wv_scale(p, m->inv_a));
    v->vb = wv_sub(v->vb, wv_scale(p, m->inv_b));
}

/* How fast the anchors part, v_a + w_a x r_a - v_b - w_b x r_b: J v of the rows that hold them. */
LODE__INLINE wvec3 point_velocity(const lode__row_block *b, wlane lane, const row_motion *v)
{
    wvec3 turn_a = wv_cross(v->wa, lane3_load(&b->arm_a, lane));
    wvec3 turn_b = wv_cross(v->wb, lane3_load(&b->arm_b, lane));
    return wv_add(wv_sub(v->va, v->vb), wv_sub(turn_a, turn_b));
}

LODE__INLINE void point_apply(const lode__row_block *b, wlane lane, const row_masses *m, wvec3 p,
                              row_motion *v)
{
    v->va = wv_add(v->va, wv_scale(p, m->inv_a));
    v->vb = wv_sub(v->vb, wv_scale(p, m->inv_b));
    wvec3 turn_a = wv_cross(lane3_load(&b->arm_a, lane), p);
    wvec3 turn_b = wv_cross(lane3_load(&b->arm_b, lane), p);
    v->wa = wv_add(v->wa, ws_mul(m->inertia_a, turn_a));
    v->wb = wv_sub(v->wb, ws_mul(m->inertia_b, turn_b));
}

/* Where a row is short of this velocity: keeps its new impulse and returns by how much it has
 * changed. What does not ask for the velocity is summed up first. */
LODE__INLINE wreal row_impulse(lode__row *row, bool bounded, wlane lane, wreal short_of)
{
    wreal old = lane_load(&row->lambda, lane);
    wreal kept = w_sub(old, w_mul(lane_load(&row->soft, lane), old));
    wreal now = w_add(kept, w_mul(lane_load(&row->mass, lane), short_of));
    /* a body gone NaN pushes nobody: a clamped NaN would be the limit */
    wmask number = w_le(w_abs(now), w_splat(LODE__UNBOUNDED));
    if (bounded)
        now = w_clamp(now, lane_load(&row->lo, lane), lane_load(&row->hi, lane));
    now = w_select(number, now, old);
    lane_store(&row->lambda, lane, now);
    return w_sub(now, old);
}

LODE__INLINE void row_solve(lode__row *row, row_way way, bool bounded, wlane lane,
                            const row_masses *m, row_motion *v)
{
    wreal short_of = row_short_of(row, way, lane, v);
    row_apply(row, way, lane, m, row_impulse(row, bounded, lane, short_of), v);
}

/* The rows of a point, one after another: what each does to the speed of those after it is known,
 * so the bodies are pushed once by all three. */
LODE__INLINE void point_solve(lode__row_block *b, wlane lane, const row_masses *m, row_motion *v)
{
    lode__row *rows = b->rows;
    wvec3 c = {lane_load(&rows[0].c, lane), lane_load(&rows[1].c, lane),
               lane_load(&rows[2].c, lane)};
    wvec3 short_of = wv_sub(c, point_velocity(b, lane, v));
    wvec3 k = lane3_load(&b->coupling, lane), p;
    p.x = row_impulse(&rows[0], false, lane, short_of.x);
    p.y = row_impulse(&rows[1], false, lane, w_sub(short_of.y, w_mul(k.x, p.x)));
    wreal before = w_sub(short_of.z, w_mul(k.y, p.x));
    p.z = row_impulse(&rows[2], false, lane, w_sub(before, w_mul(k.z, p.y)));
    point_apply(b, lane, m, p, v);
}

LODE__INLINE void rows_solve(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                             wlane lane, int rows, shared_block *shared)
{
    (void)s;
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows))
        point_solve(b, lane, &m, &v);
    EACH_ROW(b, rows,
             row_solve(&b->rows[i], way, way == ROW_ANY && i >= b->unbounded, lane, &m, &v));
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

/* Starts from the last impulses; rows with an erp of their own from the share 1 - erp of them.
 *
 * Impulses that are carried over sum up velocity errors, and through erp position errors too: the
 * first is a spring, the second an integrator that drives it. For a mode that the iterations
 * converge by a share g per step, the linearised loop is
 *     s^3 + (g / h) s^2 + (g / h^2) (s + erp / h) = 0,
 * which by Routh is stable only for g > erp: a large net, solved in few iterations, would blow up.
 * Forgetting a share f each step asks for g + f > erp, which f = erp gives wherever the iterations
 * converge at all, for g > 0 and real; it is nearly that since half of the sweeps go back
 * (solvers.c). That holds for stops as well. A motor has no position error, its erp is 0: without
 * the integrator nothing needs to be forgotten, and it keeps its whole impulse. So does a joint
 * that is `exact`. Joints that are solved one by one forget all: chains between stops, which let
 * go and take hold again, gained energy by what they kept. */
LODE__INLINE wreal row_start(lode__row *row, const lode__softness *s, wlane lane, wmask exact)
{
    wreal erp = w_max(lane_load(&row->erp, lane), w_zero());
    wreal share = w_max(w_sub(w_splat(1), w_mul(erp, w_splat(s->forget))), w_zero());
    share = w_select(exact, w_splat(1), share);
    if (s->carry != 1) {
        wmask hard = w_eq(lane_load(&row->cfm, lane), w_zero());
        share = w_select(hard, w_mul(share, w_splat(s->carry)), share);
    }
    wreal lambda = w_mul(lane_load(&row->lambda, lane), share);
    lane_store(&row->lambda, lane, lambda);
    return lambda;
}

/* Which joints are where they should be, to within 0.002 of a near gap (1 um), by the speed with
 * which their rows without bounds are corrected. What they forgot, all that rubs on their bodies
 * would have to find anew in each sub-step, and the little that sweeps leave of that is slip: a
 * plate pressed between two on sliders sank by millimetres a minute. The mode that swings when
 * nothing is forgotten ends where joints are no longer exact. */
LODE__INLINE wmask rows_exact(const lode__row_block *b, const lode__softness *s, wlane lane,
                              int rows)
{
    wreal inv_h = w_splat(s->inv_h * s->near * (lode_real)0.002);
    wmask exact = w_eq(w_zero(), w_zero());
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &b->rows[i];
        wreal most = w_mul(w_max(lane_load(&row->erp, lane), w_zero()), inv_h);
        if (i < b->unbounded)
            exact = m_and(exact, w_le(w_abs(lane_load(&row->c, lane)), most));
    }
    return exact;
}

LODE__INLINE void rows_warm_start(lode__row_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int rows,
                                  shared_block *shared)
{
    wmask exact = rows_exact(b, s, lane, rows), never = m_not(w_eq(w_zero(), w_zero()));
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows)) {
        wvec3 p = {row_start(&b->rows[0], s, lane, exact), row_start(&b->rows[1], s, lane, exact),
                   row_start(&b->rows[2], s, lane, exact)};
        point_apply(b, lane, &m, p, &v);
    }
    EACH_ROW(b, rows,
             row_apply(&b->rows[i], way, lane, &m,
                       row_start(&b->rows[i], s, lane, i < b->unbounded ? exact : never), &v));
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

/* The second half of a sub-step of second order asks for about what the first did, as far as the
 * row's bounds let it. Springs, which are solved once, keep what they have. */
LODE__INLINE wreal row_again(lode__row *row, wlane lane)
{
    wreal old = lane_load(&row->lambda, lane);
    wmask hard = w_eq(lane_load(&row->cfm, lane), w_zero());
    wreal twice = w_clamp(w_add(old, w_masked(hard, old)), lane_load(&row->lo, lane),
                          lane_load(&row->hi, lane));
    lane_store(&row->lambda, lane, twice);
    return w_sub(twice, old);
}

LODE__INLINE void rows_again(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                             wlane lane, int rows, shared_block *shared)
{
    (void)s;
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows)) {
        wvec3 p = {row_again(&b->rows[0], lane), row_again(&b->rows[1], lane),
                   row_again(&b->rows[2], lane)};
        point_apply(b, lane, &m, p, &v);
    }
    EACH_ROW(b, rows, row_apply(&b->rows[i], way, lane, &m, row_again(&b->rows[i], lane), &v));
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

/* Has a row that only pushes, or only pulls, nothing to do where it stands? One with a speed of its
 * own, an impact's, has. */
LODE__INLINE wmask row_gap(const lode__row *row, wlane lane, wreal error)
{
    wreal zero = w_zero();
    wmask above = m_and(w_ge(lane_load(&row->lo, lane), zero), w_gt(error, zero));
    wmask below = m_and(w_le(lane_load(&row->hi, lane), zero), w_lt(error, zero));
    return m_and(w_eq(lane_load(&row->target, lane), zero), m_or(above, below));
}

/* A row from how far it has moved since the step began. */
LODE__INLINE void row_refresh_from(lode__row *row, bool bounded, wlane lane,
                                   const lode__softness *s, wreal progress)
{
    wreal zero = w_zero(), inv_h = w_splat(s->inv_h);
    wreal erp = lane_load(&row->erp, lane);
    wreal error = w_add(lane_load(&row->error, lane), progress);
    wmask hard = w_ge(erp, zero);
    wreal gamma = w_masked(hard, w_mul(lane_load(&row->cfm, lane), inv_h));
    wreal rate = w_select(hard, w_mul(inv_h, erp), w_splat(s->joint_rate));
    if (s->relax)
        rate = zero;
    if (bounded) {
        wmask gap = row_gap(row, lane, error);
        rate = w_select(gap, inv_h, rate);
        hard = m_or(hard, gap);
    }
    gamma = w_min(gamma, w_splat(LODE__UNBOUNDED));
    wreal c = w_sub(lane_load(&row->target, lane), w_mul(rate, error));
    wreal k = w_add(lane_load(&row->k, lane), gamma);
    wreal inverse = inverse_or_zero(k, w_splat(s->relaxation));
    wreal mass_scale = w_select(hard, w_splat(1), w_splat(s->joint_mass_scale));
    wreal impulse_scale = w_masked(m_not(hard), w_splat(s->joint_impulse_scale));
    if (s->relax)
        inverse = w_masked(w_eq(gamma, zero), inverse);
    lane_store(&row->c, lane, c);
    lane_store(&row->mass, lane, w_mul(inverse, mass_scale));
    lane_store(&row->soft, lane, w_add(w_mul(gamma, inverse), impulse_scale));
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

/* Rows that give way by less than this share are hard. */
#define HARD_ROW ((lode_real)1e-3)

/* What of its speed is left for the row itself: along what was taken out the rows without bounds
 * move as they ask to, unless they are soft, when a load may keep them from it. */
LODE__INLINE void row_leave(lode__row_block *b, wlane lane, int rows, int row)
{
    const lode__lane *taken = lode__row_taken(b, rows, row);
    wreal c = lane_load(&b->rows[row].c, lane);
    for (int j = 0; j < b->unbounded; ++j) {
        wmask hard = w_le(lane_load(&b->rows[j].soft, lane), w_splat(HARD_ROW));
        wreal own = w_masked(hard, lane_load(&b->rows[j].c, lane));
        c = w_sub(c, w_mul(lane_load(&taken[j], lane), own));
    }
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
        row_leave(b, lane, rows, i);
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
        for (int i = 0; i < 3; ++i)
            row_refresh_from(&b->rows[i], false, lane, s, progress[i]);
    }
    EACH_ROW(b, rows, row_refresh(b, i, way, lane, rows, s, &d, progress));
}
