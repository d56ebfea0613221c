/* row_block.inl: kernels over row blocks, eight joints of one row count side by side; of a kind
 * whose lanes share bodies when `shared` is not null, which is known to the compiler. Rows are
 * solved one after another by projected Gauss-Seidel in impulse form,
 *
 *     d = mass (c - J v) - soft lambda,   lambda' = clamp(lambda + d, lo, hi),
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

#ifdef LODE_DOUBLE
#define ROW_EPSILON ((lode_real)2.3e-16)
#else
#define ROW_EPSILON ((lode_real)1.2e-7)
#endif

typedef struct row_motion {
    wvec3 va, wa, vb, wb;
} row_motion;

LODE__INLINE row_motion row_motion_of(wline a, wline b)
{
    return (row_motion){line_first(a), line_second(a), line_first(b), line_second(b)};
}

LODE__INLINE row_motion row_motion_load(const lode__row_block *block, const lode_real *lines,
                                        int lane)
{
    return row_motion_of(w_load_lines(lines, block->a + lane),
                         w_load_lines(lines, block->b + lane));
}

/* Stores the velocities `v` of bodies that had `old`; of a split body, its part's share of the
 * change. */
LODE__INLINE void row_motion_store(const lode__row_block *block, lode_real *lines, int lane,
                                   const row_motion *old, const row_motion *v, shared_block *shared)
{
    if (shared) {
        wreal a = lane_load(&block->part_a, lane), b = lane_load(&block->part_b, lane);
        shared_put(
            shared, 0, lane, block->a + lane,
            line_of(wv_scale(wv_sub(v->va, old->va), a), wv_scale(wv_sub(v->wa, old->wa), a)));
        shared_put(
            shared, 1, lane, block->b + lane,
            line_of(wv_scale(wv_sub(v->vb, old->vb), b), wv_scale(wv_sub(v->wb, old->wb), b)));
        return;
    }
    w_store_lines(lines, block->a + lane, line_of(v->va, v->wa));
    w_store_lines(lines, block->b + lane, line_of(v->vb, v->wb));
}

LODE__INLINE wreal row_velocity(const lode__row *row, int lane, const row_motion *v)
{
    wreal linear = wv_dot(lane3_load(&row->lin, lane), wv_sub(v->va, v->vb));
    wreal a = wv_dot(lane3_load(&row->ang_a, lane), v->wa);
    wreal b = wv_dot(lane3_load(&row->ang_b, lane), v->wb);
    return w_add(linear, w_add(a, b));
}

LODE__INLINE void row_apply(const lode__row *row, int lane, wreal inv_a, wreal inv_b, wreal d,
                            row_motion *v)
{
    wvec3 p = wv_scale(lane3_load(&row->lin, lane), d);
    v->va = wv_add(v->va, wv_scale(p, inv_a));
    v->vb = wv_sub(v->vb, wv_scale(p, inv_b));
    v->wa = wv_add(v->wa, wv_scale(lane3_load(&row->resp_a, lane), d));
    v->wb = wv_add(v->wb, wv_scale(lane3_load(&row->resp_b, lane), d));
}

LODE__INLINE void rows_solve(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                             int lane, int rows, shared_block *shared)
{
    (void)s;
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    wreal inv_a = lane_load(&b->inv_mass_a, lane), inv_b = lane_load(&b->inv_mass_b, lane);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal old = lane_load(&row->lambda, lane);
        wreal drive = w_mul(lane_load(&row->mass, lane),
                            w_sub(lane_load(&row->c, lane), row_velocity(row, lane, &v)));
        wreal now = w_sub(w_add(old, drive), w_mul(lane_load(&row->soft, lane), old));
        /* a body gone NaN pushes nobody: a clamped NaN would be the limit */
        wmask number = w_le(w_abs(now), w_splat(LODE__UNBOUNDED));
        if (i >= b->unbounded)
            now = w_clamp(now, lane_load(&row->lo, lane), lane_load(&row->hi, lane));
        now = w_select(number, now, old);
        w_store(&row->lambda.x[lane], now);
        row_apply(row, lane, inv_a, inv_b, w_sub(now, old), &v);
    }
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
 * converge at all (g > 0). That holds for stops as well. A motor has no position error, its erp is
 * 0: without the integrator nothing needs to be forgotten, and it keeps its whole impulse. */
LODE__INLINE void rows_warm_start(lode__row_block *b, const lode__dense *lines,
                                  const lode__softness *s, int lane, int rows, shared_block *shared)
{
    (void)s;
    wreal one = w_splat(1), zero = w_zero();
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    wreal inv_a = lane_load(&b->inv_mass_a, lane), inv_b = lane_load(&b->inv_mass_b, lane);
    for (int i = 0; i < rows; ++i) {
        wreal share = w_sub(one, w_max(lane_load(&b->rows[i].erp, lane), zero));
        wreal lambda = w_mul(lane_load(&b->rows[i].lambda, lane), share);
        w_store(&b->rows[i].lambda.x[lane], lambda);
        row_apply(&b->rows[i], lane, inv_a, inv_b, lambda, &v);
    }
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

/* J_i M^-1 J_j^T of two rows of a joint. */
LODE__INLINE wreal row_coupling(const lode__row *i, const lode__row *j, int lane, wreal inv_mass)
{
    wreal k = w_mul(wv_dot(lane3_load(&i->lin, lane), lane3_load(&j->lin, lane)), inv_mass);
    wreal a = wv_dot(lane3_load(&i->ang_a, lane), lane3_load(&j->resp_a, lane));
    wreal b = wv_dot(lane3_load(&i->ang_b, lane), lane3_load(&j->resp_b, lane));
    return w_add(k, w_add(a, b));
}

LODE__INLINE void lane3_mask(lode__lane3 *field, int lane, wmask keep)
{
    wvec3 v = lane3_load(field, lane);
    lane3_store(field, lane,
                (wvec3){w_masked(keep, v.x), w_masked(keep, v.y), w_masked(keep, v.z)});
}

/* field -= other * c */
LODE__INLINE void lane3_less(lode__lane3 *field, const lode__lane3 *other, int lane, wreal c)
{
    wvec3 less = wv_scale(lane3_load(other, lane), c);
    lane3_store(field, lane, wv_sub(lane3_load(field, lane), less));
}

/* Motors and stops push along what the joint leaves free. A plain torque about a hinge would first
 * tear at its anchors, and the sweeps would have to mend that: a lever of inertia I at the distance
 * L would come to its stop by the share I / (I + m L^2) in each. So the rows without bounds are
 * taken out of the others, which then carry their own reaction,
 *     J_e - sum c_j J_j,   with K_bb c = K_be,  K = J M^-1 J^T,
 * by a Cholesky factorisation K_bb = u d^-1 u^T. Where the joint's own rows depend on each other a
 * pivot is nothing but rounding, and left out; so is a row that has nothing left to push. */
LODE__INLINE void rows_decouple(lode__row_block *b, int lane, int rows, wreal inv_mass)
{
    wreal u[LODE__JOINT_ROWS][LODE__JOINT_ROWS], inverse[LODE__JOINT_ROWS], c[LODE__JOINT_ROWS];
    int own = b->unbounded;
    for (int j = 0; j < own; ++j) {
        wreal all = row_coupling(&b->rows[j], &b->rows[j], lane, inv_mass), k = all;
        for (int m = 0; m < j; ++m)
            k = w_sub(k, w_mul(w_mul(u[j][m], u[j][m]), inverse[m]));
        wmask sound = w_gt(k, w_mul(all, w_splat(64 * ROW_EPSILON)));
        inverse[j] = w_masked(sound, w_div(w_splat(1), w_select(sound, k, w_splat(1))));
        for (int i = j + 1; i < rows; ++i) {
            k = row_coupling(&b->rows[i], &b->rows[j], lane, inv_mass);
            for (int m = 0; m < j; ++m)
                k = w_sub(k, w_mul(w_mul(u[i][m], u[j][m]), inverse[m]));
            u[i][j] = k;
        }
    }
    for (int e = own; e < rows; ++e) {
        lode__row *row = &b->rows[e];
        wreal least = w_mul(row_coupling(row, row, lane, inv_mass), w_splat(64 * ROW_EPSILON));
        for (int j = own - 1; j >= 0; --j) {
            wreal sum = u[e][j];
            for (int m = j + 1; m < own; ++m)
                sum = w_sub(sum, w_mul(u[m][j], c[m]));
            c[j] = w_mul(sum, inverse[j]);
            const lode__row *other = &b->rows[j];
            lane3_less(&row->lin, &other->lin, lane, c[j]);
            lane3_less(&row->ang_a, &other->ang_a, lane, c[j]);
            lane3_less(&row->ang_b, &other->ang_b, lane, c[j]);
            lane3_less(&row->resp_a, &other->resp_a, lane, c[j]);
            lane3_less(&row->resp_b, &other->resp_b, lane, c[j]);
        }
        wmask free = w_gt(row_coupling(row, row, lane, inv_mass), least);
        lane3_mask(&row->lin, lane, free);
        lane3_mask(&row->ang_a, lane, free);
        lane3_mask(&row->ang_b, lane, free);
        lane3_mask(&row->resp_a, lane, free);
        lane3_mask(&row->resp_b, lane, free);
    }
}

/* Responses and J M^-1 J^T from the Jacobians that the builder wrote. */
LODE__INLINE void rows_prepare(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, int lane, int rows, shared_block *shared)
{
    (void)s;
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline ma = w_load_lines(masses, b->a + lane), mb = w_load_lines(masses, b->b + lane);
    if (shared) {
        wreal one = w_splat(1), shares_a = shares_of(b->a, b->b, b->a + lane);
        wreal shares_b = shares_of(b->a, b->b, b->b + lane);
        ma = split_mass(ma, shares_a);
        mb = split_mass(mb, shares_b);
        w_store(&b->part_a.x[lane], w_div(one, shares_a));
        w_store(&b->part_b.x[lane], w_div(one, shares_b));
    }
    wreal inv_mass = w_add(ma.r0, mb.r0);
    w_store(&b->inv_mass_a.x[lane], ma.r0);
    w_store(&b->inv_mass_b.x[lane], mb.r0);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wvec3 ang_a = lane3_load(&row->ang_a, lane), ang_b = lane3_load(&row->ang_b, lane);
        lane3_store(&row->resp_a, lane, ws_mul(line_inertia(ma), ang_a));
        lane3_store(&row->resp_b, lane, ws_mul(line_inertia(mb), ang_b));
    }
    if (b->unbounded < rows)
        rows_decouple(b, lane, rows, inv_mass);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        w_store(&row->k.x[lane], row_coupling(row, row, lane, inv_mass));
    }
}

/* Has a row that only pushes, or only pulls, nothing to do where it stands? One with a speed of its
 * own, an impact's, has. */
LODE__INLINE wmask row_gap(const lode__row *row, int lane, wreal error)
{
    wreal zero = w_zero();
    wmask above = m_and(w_ge(lane_load(&row->lo, lane), zero), w_gt(error, zero));
    wmask below = m_and(w_le(lane_load(&row->hi, lane), zero), w_lt(error, zero));
    return m_and(w_eq(lane_load(&row->target, lane), zero), m_or(above, below));
}

/* Rows from how far they have moved. */
LODE__INLINE void rows_refresh(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, int lane, int rows, shared_block *shared)
{
    (void)shared;
    row_motion d = row_motion_of(load_deltas(lines, b->a + lane, s),
                                 load_deltas(lines, b->b + lane, s));
    wreal zero = w_zero(), inv_h = w_splat(s->inv_h), most = w_splat(LODE__UNBOUNDED);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal erp = lane_load(&row->erp, lane);
        wreal error = w_add(lane_load(&row->error, lane), row_velocity(row, lane, &d));
        wmask hard = w_ge(erp, zero);
        wreal gamma = w_masked(hard, w_mul(lane_load(&row->cfm, lane), inv_h));
        wreal rate = w_select(hard, w_mul(inv_h, erp), w_splat(s->joint_rate));
        if (s->relax)
            rate = zero;
        if (i >= b->unbounded) {
            wmask gap = row_gap(row, lane, error);
            rate = w_select(gap, inv_h, rate);
            hard = m_or(hard, gap);
        }
        gamma = w_min(gamma, most);
        wreal c = w_sub(lane_load(&row->target, lane), w_mul(rate, error));
        wreal k = w_add(lane_load(&row->k, lane), gamma);
        wreal inverse = inverse_or_zero(k, w_splat(s->relaxation));
        wreal mass_scale = w_select(hard, w_splat(1), w_splat(s->joint_mass_scale));
        wreal impulse_scale = w_masked(m_not(hard), w_splat(s->joint_impulse_scale));
        if (s->relax)
            inverse = w_masked(w_eq(gamma, zero), inverse);
        w_store(&row->c.x[lane], c);
        w_store(&row->mass.x[lane], w_mul(inverse, mass_scale));
        w_store(&row->soft.x[lane], w_add(w_mul(gamma, inverse), impulse_scale));
    }
}

/* The refresh adds the rows' progress since the step began to the error at its beginning: the error
 * of rows that were built since is put back to there. */
LODE__INLINE void rows_put_back(lode__row_block *b, const lode__dense *lines,
                                const lode__softness *s, int lane, int rows, shared_block *shared)
{
    (void)shared;
    row_motion d = row_motion_of(load_deltas(lines, b->a + lane, s),
                                 load_deltas(lines, b->b + lane, s));
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal error = w_sub(lane_load(&row->error, lane), row_velocity(row, lane, &d));
        w_store(&row->error.x[lane], error);
    }
}

/* field += other * c */
LODE__INLINE void lane3_more(lode__lane3 *field, const lode__lane3 *other, int lane, wreal c)
{
    wvec3 more = wv_scale(lane3_load(other, lane), c);
    lane3_store(field, lane, wv_add(lane3_load(field, lane), more));
}

/* What a sub-step has exerted, along the directions that the rows had in it. */
LODE__INLINE void rows_tell(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                            int lane, int rows, shared_block *shared)
{
    (void)lines, (void)s, (void)shared;
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal lambda = lane_load(&row->lambda, lane);
        lane_add(&row->told, lane, &row->lambda);
        lane3_more(&b->told_force, &row->lin, lane, lambda);
        lane3_more(&b->told_torque_a, &row->ang_a, lane, lambda);
        lane3_more(&b->told_torque_b, &row->ang_b, lane, lambda);
    }
}

/* As with contacts: sub-steps' kernels for each number of rows, the others once for all. */
#define ROW_LOOP(verb, suffix, loop, shared) \
    LODE__ONE_COPY void verb##_##suffix(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s, \
                                        int rows) \
    { \
        loop(lode__row_block, rows_##verb(b, lines, s, lane, rows, shared)) \
    }

#define ROW_KERNEL(verb, n) \
    static void verb##_rows##n(void *blocks, uint32_t count, size_t stride, \
                                  const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP(lode__row_block, rows_##verb(b, lines, s, lane, n, NULL)) \
    }

#define ROW_ENTRY(verb, suffix, n) \
    static void verb##_##suffix##n(void *blocks, uint32_t count, size_t stride, \
                                      const lode__dense *lines, const lode__softness *s) \
    { \
        verb##_##suffix(blocks, count, stride, lines, s, n); \
    }

#define ROW_KERNELS(n) \
    ROW_KERNEL(refresh, n) \
    ROW_KERNEL(warm_start, n) \
    ROW_KERNEL(solve, n) \
    ROW_ENTRY(prepare, rows, n) \
    ROW_ENTRY(put_back, rows, n) \
    ROW_ENTRY(tell, rows, n) \
    ROW_ENTRY(prepare, shared_rows, n) \
    ROW_ENTRY(warm_start, shared_rows, n) \
    ROW_ENTRY(solve, shared_rows, n)

#define ROW_ROW(rows) \
    { \
        .prepare = prepare_rows##rows, .put_back = put_back_rows##rows, \
        .refresh = refresh_rows##rows, \
        .warm_start = warm_start_rows##rows, .tell = tell_rows##rows, .solve = { \
            solve_rows##rows, \
            solve_rows##rows, \
            solve_rows##rows, \
            solve_rows##rows \
        } \
    }

#define SHARED_ROW_ROW(rows) \
    { \
        .prepare = prepare_shared_rows##rows, .put_back = put_back_rows##rows, \
        .refresh = refresh_rows##rows, \
        .warm_start = warm_start_shared_rows##rows, .tell = tell_rows##rows, .solve = { \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows, \
            solve_shared_rows##rows \
        } \
    }

ROW_LOOP(prepare, rows, BLOCK_LOOP, NULL)
ROW_LOOP(put_back, rows, BLOCK_LOOP, NULL)
ROW_LOOP(tell, rows, BLOCK_LOOP, NULL)
ROW_LOOP(prepare, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(warm_start, shared_rows, SHARED_LOOP, &shared)
ROW_LOOP(solve, shared_rows, SHARED_LOOP, &shared)
ROW_KERNELS(1)
ROW_KERNELS(2)
ROW_KERNELS(3)
ROW_KERNELS(4)
ROW_KERNELS(5)
ROW_KERNELS(6)
ROW_KERNELS(7)
ROW_KERNELS(8)
