/* row_prepare.inl: what is done to row blocks once in a step, or when their joints have turned:
 * responses and couplings of the rows that builders wrote, and impulses added up. */

/* I^-1 ang of both bodies, by row. */
typedef struct row_responses {
    wvec3 a[LODE__JOINT_ROWS], b[LODE__JOINT_ROWS];
    wreal inv_mass; /* of both */
} row_responses;

/* J_i M^-1 J_j^T of two rows of a joint. */
LODE__INLINE wreal row_coupling(const lode__row_block *block, const row_responses *resp, int i,
                                int j, wlane lane)
{
    const lode__row *p = &block->rows[i], *q = &block->rows[j];
    wreal k = w_mul(wv_dot(lane3_load(&p->lin, lane), lane3_load(&q->lin, lane)), resp->inv_mass);
    wreal a = wv_dot(lane3_load(&p->ang_a, lane), resp->a[j]);
    wreal b = wv_dot(lane3_load(&p->ang_b, lane), resp->b[j]);
    return w_add(k, w_add(a, b));
}

LODE__INLINE void lane3_mask(lode__lane3 *field, wlane lane, wmask keep)
{
    lane3_store(field, lane, wv_masked(keep, lane3_load(field, lane)));
}

/* field -= other * c */
LODE__INLINE void lane3_less(lode__lane3 *field, const lode__lane3 *other, wlane lane, wreal c)
{
    wvec3 less = wv_scale(lane3_load(other, lane), c);
    lane3_store(field, lane, wv_sub(lane3_load(field, lane), less));
}

/* Motors and stops push along what the joint leaves free. A plain torque about a hinge would first
 * tear at its anchors, and the sweeps would have to mend that: a lever of inertia I at the distance
 * L would come to its stop by the share I / (I + m L^2) in each. So the rows without bounds are
 * taken out of the others, which then carry their own reaction,
 *     J_e - sum c_j J_j,   with K_bb c = K_be,  K = J M^-1 J^T,
 * by a Cholesky factorisation K_bb = u d^-1 u^T. The shares c are kept: what mends a position error
 * moves along what was taken out, too, which rows_refresh() adds again. Where the joint's own rows
 * depend on each other a pivot is nothing but rounding, and left out; so is a row that has nothing
 * left to push. */
LODE__INLINE void rows_decouple(lode__row_block *b, row_responses *resp, wlane lane, int rows)
{
    wreal u[LODE__JOINT_ROWS][LODE__JOINT_ROWS], inverse[LODE__JOINT_ROWS], c[LODE__JOINT_ROWS];
    int own = b->unbounded;
    for (int j = 0; j < own; ++j) {
        wreal all = row_coupling(b, resp, j, j, lane), k = all;
        for (int m = 0; m < j; ++m)
            k = w_sub(k, w_mul(w_mul(u[j][m], u[j][m]), inverse[m]));
        wmask sound = w_gt(k, w_mul(all, w_splat(64 * ROW_EPSILON)));
        inverse[j] = w_masked(sound, w_div(w_splat(1), w_select(sound, k, w_splat(1))));
        for (int i = j + 1; i < rows; ++i) {
            k = row_coupling(b, resp, i, j, lane);
            for (int m = 0; m < j; ++m)
                k = w_sub(k, w_mul(w_mul(u[i][m], u[j][m]), inverse[m]));
            u[i][j] = k;
        }
    }
    for (int e = own; e < rows; ++e) {
        lode__row *row = &b->rows[e];
        lode__lane *taken = lode__row_taken(b, rows, e);
        wreal least = w_mul(row_coupling(b, resp, e, e, lane), w_splat(64 * ROW_EPSILON));
        for (int j = own - 1; j >= 0; --j) {
            wreal sum = u[e][j];
            for (int m = j + 1; m < own; ++m)
                sum = w_sub(sum, w_mul(u[m][j], c[m]));
            c[j] = w_mul(sum, inverse[j]);
            lane_store(&taken[j], lane, c[j]);
            const lode__row *other = &b->rows[j];
            lane3_less(&row->lin, &other->lin, lane, c[j]);
            lane3_less(&row->ang_a, &other->ang_a, lane, c[j]);
            lane3_less(&row->ang_b, &other->ang_b, lane, c[j]);
            resp->a[e] = wv_sub(resp->a[e], wv_scale(resp->a[j], c[j]));
            resp->b[e] = wv_sub(resp->b[e], wv_scale(resp->b[j], c[j]));
        }
        wmask free = w_gt(row_coupling(b, resp, e, e, lane), least);
        lane3_mask(&row->lin, lane, free);
        lane3_mask(&row->ang_a, lane, free);
        lane3_mask(&row->ang_b, lane, free);
        resp->a[e] = wv_masked(free, resp->a[e]);
        resp->b[e] = wv_masked(free, resp->b[e]);
    }
}

/* What each row of a point does to those after it. */
LODE__INLINE void point_prepare(lode__row_block *b, const row_responses *resp, wlane lane)
{
    lane3_store(&b->coupling, lane,
                (wvec3){row_coupling(b, resp, 1, 0, lane), row_coupling(b, resp, 2, 0, lane),
                        row_coupling(b, resp, 2, 1, lane)});
}

/* J M^-1 J^T from the Jacobians that the builder wrote. */
LODE__INLINE void rows_prepare(lode__row_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int rows, shared_block *shared)
{
    (void)s;
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline ma = lines_load(masses, b->a, lane), mb = lines_load(masses, b->b, lane);
    if (shared) {
        wreal one = w_splat(1), shares_a = shares_of(b->a, b->b, b->a, lane);
        wreal shares_b = shares_of(b->a, b->b, b->b, lane);
        ma = split_mass(ma, shares_a);
        mb = split_mass(mb, shares_b);
        lane_store(&b->part_a, lane, w_div(one, shares_a));
        lane_store(&b->part_b, lane, w_div(one, shares_b));
    }
    row_responses resp;
    resp.inv_mass = w_add(ma.r0, mb.r0);
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &b->rows[i];
        resp.a[i] = ws_mul(line_inertia(ma), lane3_load(&row->ang_a, lane));
        resp.b[i] = ws_mul(line_inertia(mb), lane3_load(&row->ang_b, lane));
    }
    if (HAS_POINT(b, rows))
        point_prepare(b, &resp, lane);
    if (b->unbounded < rows)
        rows_decouple(b, &resp, lane, rows);
    for (int i = 0; i < rows; ++i)
        lane_store(&b->rows[i].k, lane, row_coupling(b, &resp, i, i, lane));
}

/* The refresh adds the rows' progress since the step began to the error at its beginning: the error
 * of rows that were built since is put back to there. */
LODE__INLINE void rows_put_back(lode__row_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane, int rows, shared_block *shared)
{
    (void)shared;
    row_motion d = row_motion_of(load_deltas(lines, b->a, lane, s),
                                 load_deltas(lines, b->b, lane, s));
    wreal progress[LODE__JOINT_ROWS];
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        progress[i] = row_velocity(row, ROW_ANY, lane, &d);
        if (i >= b->unbounded)
            progress[i] = w_add(progress[i], row_taken_out(b, lane, rows, i, progress));
        lane_store(&row->error, lane, w_sub(lane_load(&row->error, lane), progress[i]));
    }
}

/* field += more */
LODE__INLINE void lane3_add(lode__lane3 *field, wlane lane, wvec3 more)
{
    lane3_store(field, lane, wv_add(lane3_load(field, lane), more));
}

/* What a sub-step has exerted, along the directions that the rows had in it. */
LODE__INLINE void rows_tell(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                            wlane lane, int rows, shared_block *shared)
{
    (void)lines, (void)shared;
    int first = HAS_POINT(b, rows) ? 3 : 0;
    wreal lambdas[LODE__JOINT_ROWS];
    for (int i = 0; i < rows; ++i) {
        lode__row *row = &b->rows[i];
        lambdas[i] = w_mul(lane_load(&row->lambda, lane), w_splat(s->tell));
        lane_store(&row->told, lane, w_add(lane_load(&row->told, lane), lambdas[i]));
    }
    if (first) {
        wvec3 p = {lambdas[0], lambdas[1], lambdas[2]};
        lane3_add(&b->told_force, lane, p);
        lane3_add(&b->told_torque_a, lane, wv_cross(lane3_load(&b->arm_a, lane), p));
        lane3_add(&b->told_torque_b, lane, wv_neg(wv_cross(lane3_load(&b->arm_b, lane), p)));
    }
    for (int i = first; i < rows; ++i) {
        const lode__row *row = &b->rows[i];
        wreal lambda = lambdas[i];
        lane3_add(&b->told_force, lane, wv_scale(lane3_load(&row->lin, lane), lambda));
        lane3_add(&b->told_torque_a, lane, wv_scale(lane3_load(&row->ang_a, lane), lambda));
        lane3_add(&b->told_torque_b, lane, wv_scale(lane3_load(&row->ang_b, lane), lambda));
    }
}
