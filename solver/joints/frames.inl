/* frames.inl: how the two frames of eight joints stand to each other.
 *
 * A rotation q = (w, x, y, z) is a twist t = (w, x, 0, 0) / n about x, n^2 = w^2 + x^2, followed by
 * the swing s = q t* = (n, 0, w y - x z, w z + x y) / n. The twist is by 2 atan2(x, w), the swing
 * by 2 atan2(|(y, z)|, n): both are exact at any angle, where the usual cross product of the two
 * axes grows weak beyond a right angle and vanishes at two. Neither depends on the sign of q. */

/* Columns of a matrix given by its rows. */
LODE__INLINE wmat3 columns(wmat3 m)
{
    return (wmat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

typedef struct joint_frames {
    wvec3 r_a, r_b;              /* anchors from the centres of mass, world axes, m */
    wvec3 apart;                 /* from b's anchor to a's, m */
    wvec3 a_x;                   /* the x axis of frame a, world axes */
    wmat3 b;                     /* those of frame b */
    wquat q;                     /* frame a as frame b sees it */
    wquat turn_a, turn_b;        /* frames to world */
    wvec3 drift, spin_a, spin_b; /* v_a - v_b and w when the step began */
} joint_frames;

LODE__INLINE joint_frames frames_load(const lode__joint_lanes *j, wlane lane)
{
    joint_frames f;
    wquat a = wq_mul(lane4_load(&j->q_a, lane), lane4_load(&j->frame_a, lane));
    wquat b = wq_mul(lane4_load(&j->q_b, lane), lane4_load(&j->frame_b, lane));
    f.r_a = wq_rotate(lane4_load(&j->q_a, lane), lane3_load(&j->anchor_a, lane));
    f.r_b = wq_rotate(lane4_load(&j->q_b, lane), lane3_load(&j->anchor_b, lane));
    f.apart = wv_add(lane3_load(&j->offset, lane), wv_sub(f.r_a, f.r_b));
    f.turn_a = a;
    f.turn_b = b;
    f.a_x = columns(wq_matrix(a)).x;
    f.b = columns(wq_matrix(b));
    f.q = wq_mul(wq_conj(b), a);
    f.drift = lane3_load(&j->drift, lane);
    f.spin_a = lane3_load(&j->spin_a, lane);
    f.spin_b = lane3_load(&j->spin_b, lane);
    return f;
}

/* The angle of the twist, from -pi to pi. */
LODE__INLINE wreal twist_angle(wquat q)
{
    wreal half = w_atan2(w_flip(q.x, q.w), w_abs(q.w));
    return w_add(half, half);
}

/* The swing's rotation vector; its x is zero. Where the axes point against each other the twist is
 * undefined, and taken as none. */
LODE__INLINE wvec3 swing_vector(wquat q)
{
    wreal zero = w_zero(), one = w_splat(1), two = w_splat(2);
    wreal n = w_sqrt(w_add(w_mul(q.w, q.w), w_mul(q.x, q.x)));
    wreal m = w_sqrt(w_add(w_mul(q.y, q.y), w_mul(q.z, q.z)));
    wmask twists = w_gt(n, zero), swings = w_gt(m, zero);
    wreal inverse = w_div(one, w_select(twists, n, one));
    wreal w = w_select(twists, w_mul(q.w, inverse), one), x = w_mul(q.x, inverse);
    wreal half = w_div(w_atan2(m, n), w_select(swings, m, one));
    wreal scale = w_mul(two, w_select(swings, half, one));
    return (wvec3){zero, w_mul(scale, w_sub(w_mul(w, q.y), w_mul(x, q.z))),
                   w_mul(scale, w_add(w_mul(w, q.z), w_mul(x, q.y)))};
}

/* The rotation vector of the whole rotation. */
LODE__INLINE wvec3 rotation_vector(wquat q)
{
    wvec3 v = {q.x, q.y, q.z};
    wreal one = w_splat(1), m = w_sqrt(wv_dot(v, v));
    wmask turns = w_gt(m, w_zero());
    wreal half = w_div(w_atan2(m, w_abs(q.w)), w_select(turns, m, one));
    half = w_select(turns, half, one);
    return wv_scale(v, w_flip(w_add(half, half), q.w));
}

/* Of frames whose axes x of a and y of b are held across each other. In the matrix that takes a to
 * b the former is the first column, the latter, as a sees it, the second row. Each of the two turns
 * leaves one of these axes where it is, so the other tells how far it went, all the way round. */
typedef struct cross_angles {
    wreal cosine; /* of the angle between the axes */
    wreal a, b;   /* turns about the one and the other, from -pi to pi */
} cross_angles;

LODE__INLINE cross_angles cross_angles_of(wquat q)
{
    wmat3 m = wq_matrix(q);
    return (cross_angles){m.y.x, w_atan2(w_neg(m.y.z), m.y.y), w_atan2(w_neg(m.z.x), m.x.x)};
}
