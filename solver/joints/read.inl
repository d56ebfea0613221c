/* read.inl: what the pools say of eight joints, as lanes.
 *
 * Records are read four numbers at a time and turned in registers. */

_Static_assert(offsetof(lode__joint, frame_b) == 7 * sizeof(lode_real) &&
                   offsetof(lode__joint, distance) == 16 * sizeof(lode_real) &&
                   LODE__JOINT_ROWS % 4 == 0,
               "read four numbers at a time");

enum { READ_FRAME = 3, READ_FRAME_B = 10, READ_DISTANCE = 13, READ_TURN = 4, READ_SPIN = 3 };

static void read_frames(const lode__joint_sources *from, const lode_real *const *joint,
                        lode__joint_lanes *out, int lane)
{
    wvec3 a = wf_vector(w_load_fours(&from->velocity[0][lane]));
    wvec3 b = wf_vector(w_load_fours(&from->velocity[1][lane]));
    lane3_store(&out->drift, lane, wv_sub(a, b));
    a = wf_vector(w_load_fours_at(&from->velocity[0][lane], READ_SPIN));
    b = wf_vector(w_load_fours_at(&from->velocity[1][lane], READ_SPIN));
    lane3_store(&out->spin_a, lane, a);
    lane3_store(&out->spin_b, lane, b);
    lane4_store(&out->frame_a, lane, wf_quat(w_load_fours_at(joint, READ_FRAME)));
    lane4_store(&out->frame_b, lane, wf_quat(w_load_fours_at(joint, READ_FRAME_B)));
    lane_store(&out->distance, lane, wf_fourth(w_load_fours_at(joint, READ_DISTANCE)));
}

static void read_poses(const lode__joint_sources *from, const lode_real *const *joint,
                       lode__joint_lanes *out, int lane)
{
    wvec3 a = wf_vector(w_load_fours(&from->pose[0][lane]));
    wvec3 start = wv_sub(a, wf_vector(w_load_fours(&from->pose[1][lane])));
    lane3_store(&out->anchor_a, lane, wf_vector(w_load_fours(joint)));
    lane3_store(&out->anchor_b, lane, wf_vector(w_load_fours(&from->anchor_b[lane])));
    lane3_store(&out->start, lane, start);
    lane3_store(&out->offset, lane, start);
    lane4_store(&out->q_a, lane, wf_quat(w_load_fours_at(&from->pose[0][lane], READ_TURN)));
    lane4_store(&out->q_b, lane, wf_quat(w_load_fours_at(&from->pose[1][lane], READ_TURN)));
}

static void read_impulses(const lode__joint_sources *from, lode__row_block *block, int rows,
                          int lane)
{
    wreal scale = w_splat(from->impulse_scale);
    for (int i = 0; i < rows; i += 4) {
        wfour four = w_load_fours_at(&from->impulse[lane], i);
        const wreal lambda[4] = {four.r0, four.r1, four.r2, four.r3};
        for (int k = 0; k < 4 && i + k < rows; ++k)
            lane_store(&block->rows[i + k].lambda, lane, w_mul(lambda[k], scale));
    }
}

static void read_joints(const lode__joint_sources *from, lode__row_block *block,
                        lode__joint_lanes *joints, int own, int rows, bool framed)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        const lode_real *joint[LODE_WIDTH];
        for (int k = 0; k < (int)LODE_WIDTH; ++k)
            joint[k] = &from->joint[lane + k]->frame_a.position.x;
        read_poses(from, joint, joints, lane);
        if (framed)
            read_frames(from, joint, joints, lane);
        read_impulses(from, block, rows, lane);
        wreal erp = lane_load(&from->erp, lane), cfm = lane_load(&from->cfm, lane);
        for (int i = 0; i < own; ++i) {
            lane_store(&block->rows[i].erp, lane, erp);
            lane_store(&block->rows[i].cfm, lane, cfm);
        }
    }
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        joints->pushed_a.x[lane] = block->a[lane] > 0;
        joints->pushed_b.x[lane] = block->b[lane] > 0;
    }
}

_Static_assert(offsetof(lode_joint_axis, f_max) == 3 * sizeof(lode_real) &&
                   offsetof(lode_joint_axis, stop_erp) == 7 * sizeof(lode_real) &&
                   offsetof(lode_joint_axis, target) == 10 * sizeof(lode_real),
               "read four numbers at a time");

/* A servo's gain is divided by what it is with the next speed in place of this: it goes implicitly
 * to where it is to be. */
static void read_extra(const lode_real *const axis[LODE_LANES], const lode__softness *s,
                       lode__extra_lanes *out)
{
    wreal zero = w_zero(), one = w_splat(1), unbounded = w_splat(LODE__UNBOUNDED);
    wreal inv_h = w_splat(s->inv_h), h = w_div(one, inv_h);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wfour p = w_load_fours(&axis[lane]), q = w_load_fours_at(&axis[lane], 4);
        wfour r = w_load_fours_at(&axis[lane], 8); /* stop_cfm, servo, target */
        wmask is_servo = w_gt(r.r1, zero);
        wreal gain = w_div(one, w_add(w_div(one, w_select(is_servo, r.r1, one)), h));
        lane_store(&out->vel, lane, w_select(is_servo, w_min(w_abs(p.r2), unbounded), p.r2));
        lane_store(&out->servo, lane, w_masked(is_servo, gain));
        lane_store(&out->target, lane, r.r2);
        lane_store(&out->max_impulse, lane, w_min(w_div(p.r3, inv_h), unbounded));
        lane_store(&out->fudge, lane, q.r0);
        lane_store(&out->lo_stop, lane, w_max(p.r0, w_neg(unbounded)));
        lane_store(&out->hi_stop, lane, w_min(p.r1, unbounded));
        lane_store(&out->bounce, lane, q.r2);
        lane_store(&out->recent, lane, w_splat(lode__recently(s)));
        lane_store(&out->soft, lane, w_masked(w_gt(r.r0, zero), one));
    }
}
