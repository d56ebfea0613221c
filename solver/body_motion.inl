/* body_motion.inl: kernels over dense body lines: velocities from forces, poses from velocities,
 * gyroscopic torque, world inertia from rotation.
 *
 * Integration is semi-implicit Euler. Rotations advance by the quaternion's derivative,
 * q += h/2 w q, normalised; the gyroscopic torque by one Newton step of the implicit equation
 * I (w' - w) + h w' x I w' = 0 in body axes (Catto, "Numerical methods", GDC 2015). Its exact
 * solution has no more energy than w at any step size; that of one Newton step may, where a body
 * turns by a radian or more in a step, and is then scaled back. */

/* Eight consecutive lines from `at`; those at or past `end` become the dummy. */
static inline void line_indices(int32_t *index, uint32_t at, uint32_t end)
{
    for (uint32_t i = 0; i < LODE_LANES; ++i)
        index[i] = at + i < end ? (int32_t)(at + i) : 0;
}

static void integrate_velocity(const lode__dense *lines, uint32_t begin, uint32_t end,
                               lode_vec3 gravity, lode_real h)
{
    wreal wh = w_splat(h);
    wvec3 gh = {w_splat(gravity.x * h), w_splat(gravity.y * h), w_splat(gravity.z * h)};
    for (uint32_t at = begin; at < end; at += LODE_LANES) {
        int32_t index[LODE_LANES];
        line_indices(index, at, end);
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wline v = w_load_lines(&lines->velocity->linear.x, index + lane);
            wline f = w_load_lines(&lines->force->force.x, index + lane);
            wline m = w_load_lines(&lines->inv_mass->inv_mass, index + lane);
            wvec3 linear = wv_add(motion_linear(v), wv_scale(motion_linear(f), w_mul(m.r0, wh)));
            wvec3 twist = ws_mul(line_inertia(m), wv_scale(motion_angular(f), wh));
            wvec3 fall = wv_scale(gh, w_add(w_splat(1), f.r6)); /* f.r6: extra gravity */
            wline out = motion_of(wv_add(linear, fall), wv_add(motion_angular(v), twist));
            w_store_sixes(&lines->velocity->linear.x, index + lane, out);
        }
    }
}

/* After integrate_pose(), which has moved bodies by the velocity at the sub-step's end: half of
 * what gravity gave is taken back. */
static void fly(const lode__dense *lines, const lode__flyers *flyers, uint32_t begin, uint32_t end,
                lode_vec3 gravity, lode_real h)
{
    lode_real back = (lode_real)-0.5 * h * h;
    wvec3 way = {w_splat(gravity.x * back), w_splat(gravity.y * back), w_splat(gravity.z * back)};
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = flyers->line + at;
        wline d = w_load_lines(&lines->delta->linear.x, index);
        wline f = w_load_lines(&lines->force->force.x, index);
        wvec3 more = wv_scale(way, w_add(w_splat(1), f.r6));
        w_store_sixes(&lines->delta->linear.x, index,
                      motion_of(wv_add(motion_linear(d), more), motion_angular(d)));
    }
}

static void integrate_pose(const lode__dense *lines, uint32_t begin, uint32_t end, lode_real h)
{
    wreal wh = w_splat(h), half = w_splat(h * (lode_real)0.5);
    for (uint32_t at = begin; at < end; at += LODE_LANES) {
        int32_t index[LODE_LANES];
        line_indices(index, at, end);
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wline v = w_load_lines(&lines->velocity->linear.x, index + lane);
            wline d = w_load_lines(&lines->delta->linear.x, index + lane);
            wline p = w_load_lines(&lines->pose->position.x, index + lane);
            wvec3 w = motion_angular(v);
            wline moved = motion_of(wv_add(motion_linear(d), wv_scale(motion_linear(v), wh)),
                                    wv_add(motion_angular(d), wv_scale(w, wh)));
            w_store_sixes(&lines->delta->linear.x, index + lane, moved);
            wquat q = {p.r4, p.r5, p.r6, p.r7};
            wquat dq = wq_mul((wquat){w_zero(), w.x, w.y, w.z}, q);
            q = (wquat){w_add(q.w, w_mul(dq.w, half)), w_add(q.x, w_mul(dq.x, half)),
                        w_add(q.y, w_mul(dq.y, half)), w_add(q.z, w_mul(dq.z, half))};
            q = wq_normalize(q);
            p.r4 = q.w;
            p.r5 = q.x;
            p.r6 = q.y;
            p.r7 = q.z;
            w_store_lines(&lines->pose->position.x, index + lane, p);
        }
    }
}

/* A step of Newton's, in body axes: solves (I + turn S(w) I - h S(I w)) d = -error for the change d
 * of w. */
LODE__INLINE wvec3 gyroscopic_change(wsym3 inertia, wvec3 w, wreal turn, wreal h, wvec3 error)
{
    wvec3 m = ws_mul(inertia, w);
    wvec3 wh = wv_scale(w, turn), mh = wv_scale(m, h);
    /* columns of I + turn S(w) I - h S(I w) */
    wvec3 i0 = {inertia.xx, inertia.xy, inertia.xz};
    wvec3 i1 = {inertia.xy, inertia.yy, inertia.yz};
    wvec3 i2 = {inertia.xz, inertia.yz, inertia.zz};
    wvec3 c0 = wv_add(i0, wv_cross(wh, i0));
    wvec3 c1 = wv_add(i1, wv_cross(wh, i1));
    wvec3 c2 = wv_add(i2, wv_cross(wh, i2));
    c0 = wv_sub(c0, (wvec3){w_zero(), mh.z, w_neg(mh.y)});
    c1 = wv_sub(c1, (wvec3){w_neg(mh.z), w_zero(), mh.x});
    c2 = wv_sub(c2, (wvec3){mh.y, w_neg(mh.x), w_zero()});
    /* Cramer's rule */
    wvec3 c12 = wv_cross(c1, c2);
    wreal det = wv_dot(c0, c12);
    wreal inverse = w_div(w_splat(1), w_select(w_eq(det, w_zero()), w_splat(1), det));
    return wv_scale((wvec3){wv_dot(error, c12), wv_dot(c0, wv_cross(error, c2)),
                            wv_dot(c0, wv_cross(c1, error))},
                    w_neg(inverse));
}

/* The change of w, or where that would raise w . I w, one that keeps it. */
LODE__INLINE wvec3 without_gain(wsym3 inertia, wvec3 w, wvec3 change)
{
    wvec3 next = wv_add(w, change);
    wreal before = wv_dot(w, ws_mul(inertia, w)), after = wv_dot(next, ws_mul(inertia, next));
    wmask gains = w_gt(after, before);
    wreal scale = w_sqrt(w_div(before, w_select(gains, after, w_splat(1))));
    return wv_select(gains, wv_sub(wv_scale(next, scale), w), change);
}

LODE__INLINE wsym3 spinner_matrix(const lode__spinners *spinners, uint32_t at, size_t offset)
{
    int32_t index[LODE_LANES];
    for (int i = 0; i < LODE_LANES; ++i)
        index[i] = (int32_t)(2 * (at + (uint32_t)i));
    wline l = w_load_lines(spinners->spinner->inertia + offset, index);
    return (wsym3){l.r0, l.r1, l.r2, l.r3, l.r4, l.r5};
}

/* A pose turns by w' as (1, h w' / 2) does, which takes a vector L to L' with
 * L' - L = h w' x (L' + L) / 2 (Cayley). The velocity is to be such that I w' so turned is the old
 * momentum m: I w' + h w' x (I w' + m) / 2 = m, solved by one step from w. So what tumbles keeps
 * its angular momentum; its energy falls by (w' - w) I (w' - w) / 2. The torque at the end of the
 * step, h w' x I w', would turn the momentum by a polygon's outside, and long thin bodies lost half
 * of it within seconds. */
static void gyroscopic(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                       uint32_t end, lode_real h)
{
    wreal wh = w_splat(h), half = w_splat(h * (lode_real)0.5);
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = spinners->line + at;
        wline v = w_load_lines(&lines->velocity->linear.x, index);
        wline p = w_load_lines(&lines->pose->position.x, index);
        wquat q = {p.r4, p.r5, p.r6, p.r7};
        wvec3 w = wq_rotate_inv(q, motion_angular(v));
        wsym3 inertia = spinner_matrix(spinners, at, 0);
        wvec3 error = wv_cross(wv_scale(w, wh), ws_mul(inertia, w));
        wvec3 d = without_gain(inertia, w, gyroscopic_change(inertia, w, half, wh, error));
        d = wv_scale(wq_rotate(q, d), w_load(spinners->gyro + at));
        w_store_sixes(&lines->velocity->linear.x, index,
                      motion_of(motion_linear(v), wv_add(motion_angular(v), d)));
    }
}

LODE__INLINE wline turned_inertia(const lode__spinners *spinners, uint32_t at, wline m, wline p)
{
    wquat q = {p.r4, p.r5, p.r6, p.r7};
    wsym3 s = ws_rotate(q, spinner_matrix(spinners, at, LODE_LANES));
    return (wline){m.r0, s.xx, s.yy, s.zz, s.xy, s.xz, s.yz, m.r7};
}

static void rotate_inertia(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                           uint32_t end)
{
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = spinners->line + at;
        wline m = w_load_lines(&lines->inv_mass->inv_mass, index);
        wline p = w_load_lines(&lines->pose->position.x, index);
        w_store_lines(&lines->inv_mass->inv_mass, index, turned_inertia(spinners, at, m, p));
    }
}

/* Of those that turn it in each sub-step. */
static void turn_inertia(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                         uint32_t end)
{
    for (uint32_t at = begin; at < end; at += LODE_WIDTH) {
        const int32_t *index = spinners->line + at;
        wmask turns = w_gt(w_load(spinners->turns + at), w_zero());
        if (!m_any(turns))
            continue;
        wline m = w_load_lines(&lines->inv_mass->inv_mass, index);
        wline p = w_load_lines(&lines->pose->position.x, index);
        wline t = turned_inertia(spinners, at, m, p);
        t = (wline){m.r0, w_select(turns, t.r1, m.r1), w_select(turns, t.r2, m.r2),
                    w_select(turns, t.r3, m.r3), w_select(turns, t.r4, m.r4),
                    w_select(turns, t.r5, m.r5), w_select(turns, t.r6, m.r6), m.r7};
        w_store_lines(&lines->inv_mass->inv_mass, index, t);
    }
}

/* --- as a force, away from lines */

/* x of (A + [a]x) x = b. */
LODE__INLINE wvec3 solve_skewed(wsym3 A, wvec3 a, wvec3 b)
{
    wvec3 r0 = {A.xx, w_sub(A.xy, a.z), w_add(A.xz, a.y)};
    wvec3 r1 = {w_add(A.xy, a.z), A.yy, w_sub(A.yz, a.x)};
    wvec3 r2 = {w_sub(A.xz, a.y), w_add(A.yz, a.x), A.zz};
    wvec3 c0 = wv_cross(r1, r2), c1 = wv_cross(r2, r0), c2 = wv_cross(r0, r1);
    wvec3 x = wv_add(wv_add(wv_scale(c0, b.x), wv_scale(c1, b.y)), wv_scale(c2, b.z));
    return wv_scale(x, w_div(w_splat(1), wv_dot(r0, c0)));
}

/* Backward Euler in axes that stand still (Lacoursiere 2006): with the angular momentum L of the
 * step's begin the new angular velocity meets (I - h [L]x) w = L. In the body's axes, where its
 * inertia is what it always is. */
static void gyroscopic_torque(lode__gyros *gyros, lode_real h)
{
    enum {
        TURN = offsetof(lode__pose, rotation) / sizeof(lode_real),
        SPIN = offsetof(lode__velocity, angular) / sizeof(lode_real)
    };
    for (int lane = 0; lane < gyros->used; lane += LODE_WIDTH) {
        wquat q = wf_quat(w_load_fours_at(gyros->pose + lane, TURN));
        wvec3 spin = wf_vector(w_load_fours_at(gyros->velocity + lane, SPIN));
        wfour i = w_load_fours_at(gyros->inertia + lane, 0);
        wfour j = w_load_fours_at(gyros->inertia + lane, 2);
        wsym3 inertia = {i.r0, i.r1, i.r2, i.r3, j.r2, j.r3};
        wvec3 momentum = ws_mul(inertia, wq_rotate_inv(q, spin));
        wvec3 w = solve_skewed(inertia, wv_scale(momentum, w_splat(-h)), momentum);
        lane3_store(&gyros->torque, lane, wq_rotate(q, wv_cross(momentum, w)));
    }
}
