/* keep.inl: what eight joints have exerted, back to the pools.
 *
 * A row's impulse acts on both bodies along its Jacobian. Rows that hold a point say theirs as one
 * vector p: it acts on body a at r_a and turns it by r_a x p. What is told of a joint is all of
 * that, by the time that the step took. Rows without a linear part exert no force; what they alone
 * exert on body a is its twist. */

_Static_assert(offsetof(lode__joint_feedback, torque_b) == 6 * sizeof(lode_real) &&
                   offsetof(lode__joint_feedback, row) == 12 * sizeof(lode_real) &&
                   LODE__JOINT_ROWS == 12,
               "written eight numbers at a time");

typedef struct joint_wrench {
    wvec3 force, torque_a, torque_b, twist;
} joint_wrench;

LODE__INLINE void wrench_add_point(joint_wrench *w, const lode__row_block *block, wvec3 p, int lane)
{
    w->force = wv_add(w->force, p);
    w->torque_a = wv_add(w->torque_a, wv_cross(lane3_load(&block->arm_a, lane), p));
    w->torque_b = wv_sub(w->torque_b, wv_cross(lane3_load(&block->arm_b, lane), p));
}

LODE__INLINE void wrench_add_row(joint_wrench *w, const lode__row *row, wreal lambda, wreal told,
                                 int lane)
{
    wreal zero = w_zero();
    wvec3 lin = lane3_load(&row->lin, lane), ang_a = lane3_load(&row->ang_a, lane);
    wmask turns = m_and(w_eq(lin.x, zero), m_and(w_eq(lin.y, zero), w_eq(lin.z, zero)));
    w->force = wv_add_scaled(w->force, lin, lambda);
    w->torque_a = wv_add_scaled(w->torque_a, ang_a, lambda);
    w->torque_b = wv_add_scaled(w->torque_b, lane3_load(&row->ang_b, lane), lambda);
    w->twist = wv_select(turns, wv_add_scaled(w->twist, ang_a, told), w->twist);
}

LODE__INLINE void keep_feedback(const lode__row_block *block, int rows, const wreal *lambda,
                                const lode__joint_targets *to, int lane)
{
    wreal told[LODE__JOINT_ROWS], inv_dt = w_splat(to->inv_dt);
    for (int i = 0; i < LODE__JOINT_ROWS; ++i)
        told[i] = w_zero();
    for (int i = 0; i < rows; ++i)
        told[i] = w_mul(w_add(lane_load(&block->rows[i].told, lane), lambda[i]), inv_dt);
    joint_wrench w = {lane3_load(&block->told_force, lane), lane3_load(&block->told_torque_a, lane),
                      lane3_load(&block->told_torque_b, lane), wv_zero()};
    if (block->axes)
        wrench_add_point(&w, block, wv_make(lambda[0], lambda[1], lambda[2]), lane);
    for (int i = block->axes; i < rows; ++i)
        wrench_add_row(&w, &block->rows[i], lambda[i], told[i], lane);
    wvec3 f = wv_scale(w.force, inv_dt), t = w.twist;
    wvec3 a = wv_scale(w.torque_a, inv_dt), b = wv_scale(w.torque_b, inv_dt);
    lode_real *const *feedback = &to->feedback[lane];
    unsigned bits = to->lanes >> lane;
    w_store_lines_at(feedback, 0, bits, (wline){f.x, f.y, f.z, a.x, a.y, a.z, b.x, b.y});
    w_store_lines_at(feedback, 8, bits,
                     (wline){b.z, t.x, t.y, t.z, told[0], told[1], told[2], told[3]});
    w_store_lines_at(
        feedback, 16, bits,
        (wline){told[4], told[5], told[6], told[7], told[8], told[9], told[10], told[11]});
}

static void keep_lanes(const lode__row_block *block, int rows, const lode__joint_targets *to,
                       int lane)
{
    wreal lambda[LODE__JOINT_ROWS];
    for (int i = 0; i < LODE__JOINT_ROWS; ++i)
        lambda[i] = i < rows ? lane_load(&block->rows[i].lambda, lane) : w_zero();
    for (int i = 0; i <= 4; i += 4) /* four of them twice */
        w_store_lines_at(&to->impulse[lane], i, to->lanes >> lane,
                         (wline){lambda[i], lambda[i + 1], lambda[i + 2], lambda[i + 3],
                                 lambda[i + 4], lambda[i + 5], lambda[i + 6], lambda[i + 7]});
    if (to->told)
        keep_feedback(block, rows, lambda, to, lane);
}

static void keep_joints(const lode__row_block *block, int rows, const lode__joint_targets *to)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
        keep_lanes(block, rows, to, lane);
}
