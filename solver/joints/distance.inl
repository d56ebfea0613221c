/* distance.inl: nothing is held of itself; the distance of the anchors has stops and a motor: a rod
 * where both stops are in one place, a rope where there is an upper one, a spring where they yield.
 */

static void build_distance(lode__row_block *block, const lode__joint_lanes *joints, int rows)
{
    block_holds(block, 0, 0);
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        joint_frames f = frames_load(joints, lane);
        free_axis axes[] = {axis_distance(&f)};
        part_extras(block, rows, lane, joints, &f, axes, 1);
    }
}
