/* row_block.inl: kernels over row blocks, eight joints of one row count side by side. Rows are
 * solved one after another by projected Gauss-Seidel in impulse form,
 *
 *     d = mass (c - J v) - soft lambda,   lambda' = clamp(lambda + d, lo, hi),
 *     v += M^-1 J^T (lambda' - lambda),
 *
 * which knows nothing of joint types: a joint's builder has written the Jacobians. */

typedef struct row_motion {
    wvec3 va, wa, vb, wb;
} row_motion;

LODE__INLINE row_motion row_motion_load(const lode__row_block *block, const lode_real *lines,
                                        int lane)
{
    wline a = w_load_lines(lines, block->a + lane), b = w_load_lines(lines, block->b + lane);
    return (row_motion){line_first(a), line_second(a), line_first(b), line_second(b)};
}

LODE__INLINE void row_motion_store(const lode__row_block *block, lode_real *lines, int lane,
                                   const row_motion *v)
{
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
                             int lane, int rows)
{
    (void)s;
    row_motion v = row_motion_load(b, &lines->velocity->linear.x, lane);
    wreal inv_a = lane_load(&b->inv_mass_a, lane), inv_b = lane_load(&b->inv_mass_b, lane);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal old = lane_load(&row->lambda, lane);
        wreal drive = w_mul(lane_load(&row->mass, lane),
                            w_sub(lane_load(&row->c, lane), row_velocity(row, lane, &v)));
        wreal now = w_sub(w_add(old, drive), w_mul(lane_load(&row->soft, lane), old));
        /* a body gone NaN pushes nobody: a clamped NaN would be the limit */
        wmask number = w_eq(now, now);
        now = w_clamp(now, lane_load(&row->lo, lane), lane_load(&row->hi, lane));
        now = w_select(number, now, old);
        w_store(&row->lambda.x[lane], now);
        row_apply(row, lane, inv_a, inv_b, w_sub(now, old), &v);
    }
    row_motion_store(b, &lines->velocity->linear.x, lane, &v);
}

/* Starts from the last impulses; under PGS from the share 1 - erp of them.
 *
 * Impulses that are carried over sum up velocity errors, and through erp position errors too: the
 * first is a spring, the second an integrator that drives it. For a mode that the iterations
 * converge by a share g per step, the linearised loop is
 *     s^3 + (g / h) s^2 + (g / h^2) (s + erp / h) = 0,
 * which by Routh is stable only for g > erp: a large net, solved in few iterations, would blow up.
 * Forgetting a share f each step asks for g + f > erp, which f = erp gives wherever the iterations
 * converge at all (g > 0). */
LODE__INLINE void rows_warm_start(lode__row_block *b, const lode__dense *lines,
                                  const lode__softness *s, int lane, int rows)
{
    wreal share = w_splat(1);
    if (s->joint_erp)
        share = w_sub(share, lane_load(&b->erp, lane));
    row_motion v = row_motion_load(b, &lines->velocity->linear.x, lane);
    wreal inv_a = lane_load(&b->inv_mass_a, lane), inv_b = lane_load(&b->inv_mass_b, lane);
    for (int i = 0; i < rows; ++i) {
        wreal lambda = w_mul(lane_load(&b->rows[i].lambda, lane), share);
        w_store(&b->rows[i].lambda.x[lane], lambda);
        row_apply(&b->rows[i], lane, inv_a, inv_b, lambda, &v);
    }
    row_motion_store(b, &lines->velocity->linear.x, lane, &v);
}

/* Responses and J M^-1 J^T from the Jacobians that the builder wrote. */
LODE__INLINE void rows_prepare(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, int lane, int rows)
{
    (void)s;
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline ma = w_load_lines(masses, b->a + lane), mb = w_load_lines(masses, b->b + lane);
    w_store(&b->inv_mass_a.x[lane], ma.r0);
    w_store(&b->inv_mass_b.x[lane], mb.r0);
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wvec3 lin = lane3_load(&row->lin, lane);
        wvec3 ang_a = lane3_load(&row->ang_a, lane), ang_b = lane3_load(&row->ang_b, lane);
        wvec3 resp_a = ws_mul(line_inertia(ma), ang_a), resp_b = ws_mul(line_inertia(mb), ang_b);
        lane3_store(&row->resp_a, lane, resp_a);
        lane3_store(&row->resp_b, lane, resp_b);
        wreal k = w_mul(wv_dot(lin, lin), w_add(ma.r0, mb.r0));
        k = w_add(k, w_add(wv_dot(ang_a, resp_a), wv_dot(ang_b, resp_b)));
        w_store(&row->k.x[lane], k);
    }
}

/* Rows from how far they have moved. PGS takes each joint's own erp and cfm; the soft step one
 * stiffness for all. */
LODE__INLINE void rows_refresh(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, int lane, int rows)
{
    row_motion d = row_motion_load(b, &lines->delta->linear.x, lane);
    wreal rate = w_splat(s->joint_rate), gamma = w_zero();
    if (s->joint_erp) {
        rate = w_mul(rate, lane_load(&b->erp, lane));
        gamma = w_mul(lane_load(&b->cfm, lane), w_splat(s->inv_h));
        gamma = w_min(gamma, w_splat(LODE__UNBOUNDED));
    }
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        wreal error = w_add(lane_load(&row->error, lane), row_velocity(row, lane, &d));
        wreal c = w_sub(lane_load(&row->target, lane), w_mul(rate, error));
        wreal k = w_add(lane_load(&row->k, lane), gamma);
        wreal inverse = inverse_or_zero(k, w_splat(s->relaxation));
        w_store(&row->c.x[lane], c);
        w_store(&row->mass.x[lane], w_mul(inverse, w_splat(s->joint_mass_scale)));
        w_store(&row->soft.x[lane], w_add(w_mul(gamma, inverse), w_splat(s->joint_impulse_scale)));
    }
}

#define ROW_LOOP(call) \
    char *at = blocks; \
    for (uint32_t i = 0; i < count; ++i, at += stride) { \
        lode__row_block *b = (lode__row_block *)(void *)at; \
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) \
            call; \
    }

#define ROW_KERNEL(verb, rows) \
    static void verb##_rows##rows(void *blocks, uint32_t count, size_t stride, \
                                  const lode__dense *lines, const lode__softness *s) \
    { \
        ROW_LOOP(rows_##verb(b, lines, s, lane, rows)) \
    }

#define ROW_KERNELS(rows) \
    ROW_KERNEL(prepare, rows) \
    ROW_KERNEL(refresh, rows) \
    ROW_KERNEL(warm_start, rows) \
    ROW_KERNEL(solve, rows)

#define ROW_ROW(rows) \
    { \
        prepare_rows##rows, refresh_rows##rows, warm_start_rows##rows, solve_rows##rows, NULL \
    }

ROW_KERNELS(1)
ROW_KERNELS(2)
ROW_KERNELS(3)
ROW_KERNELS(4)
ROW_KERNELS(5)
ROW_KERNELS(6)
