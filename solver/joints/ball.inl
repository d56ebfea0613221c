/* ball.inl: the ball joint holds the anchors of two bodies together: three point rows, with the
 * position error C = x_a + r_a - x_b - r_b. */

static void build_ball(lode__row_block *block, const lode__joint_lanes *joints)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wvec3 r_a = wq_rotate(joint_rotation_a(joints, lane), lane3_load(&joints->anchor_a, lane));
        wvec3 r_b = wq_rotate(joint_rotation_b(joints, lane), lane3_load(&joints->anchor_b, lane));
        wvec3 error = wv_add(lane3_load(&joints->offset, lane), wv_sub(r_a, r_b));
        part_point(block, 0, lane, r_a, r_b, error);
    }
}
