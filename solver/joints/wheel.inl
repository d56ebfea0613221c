/* wheel.inl: body a, the wheel, turns about its x axis, the axle, which is held across the y axis
 * of frame b, and with the axle about that one, which steers. It slides along the same axis, where
 * stops that yield are its suspension. */

static void build_wheel(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 2, 1);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        part_across(block, 0, lane, &f);
        part_slide(block, 1, lane, &f, f.b.x);
        part_slide(block, 2, lane, &f, f.b.z);
        free_axis axes[] = {axis_slide(&f, f.b.y), axis_cross_a(&f), axis_cross_b(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 3);
    }
}
