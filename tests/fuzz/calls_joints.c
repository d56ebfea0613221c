/* calls_joints.c: what there is to do to joints: other bodies, limits, motors, breaking, groups;
 * and what they say. */
#include "tests/fuzz/calls.h"

static bool set_axis(lode_joint joint, fuzz_bytes *in)
{
    int axis = (int)fuzz_below(in, 7);
    lode_joint_axis values = lode_joint_get_def(joint).axis[axis % LODE_JOINT_AXES];
    fuzz_quiet(); /* a bad handle is told of by what sets it, too */
    switch (fuzz_below(in, 7)) {
    case 0:
        values.lo_stop = values.hi_stop = calls_real(in);
        break;
    case 1:
        values.fudge_factor = calls_size(in);
        break;
    case 2:
        values.bounce = calls_size(in);
        break;
    case 3:
        values.cfm = calls_real(in);
        break;
    case 4:
        values.direction = calls_vector(in);
        values.frame = (lode_axis_frame)fuzz_below(in, 4);
        break;
    default:
        values.stop_cfm = calls_size(in);
        values.stop_erp = calls_size(in);
    }
    return !lode_joint_set_axis(joint, axis, &values);
}

static bool change_bodies(lode_joint joint, fuzz_bytes *in)
{
    lode_pose frame_a, frame_b;
    lode_body a, b;
    switch (fuzz_below(in, 6)) {
    case 0:
        return !lode_joint_detach(joint);
    case 1:
        return !lode_joint_set_outlives_bodies(joint, fuzz_below(in, 3));
    case 2:
        frame_a = calls_pose(in);
        frame_b = calls_pose(in);
        return !lode_joint_set_frames(joint, frame_a, frame_b);
    case 3:
        return !lode_joint_set_collide_connected(joint, fuzz_below(in, 2));
    case 4:
        return !lode_joint_set_stiff(joint, (lode_stiff)((int)fuzz_below(in, 5) - 1));
    default:
        a = calls_body(in);
        b = calls_body(in);
        frame_a = calls_pose(in);
        frame_b = calls_pose(in);
        return !lode_joint_attach(joint, a, b, frame_a, frame_b);
    }
}

static bool change_values(lode_joint joint, fuzz_bytes *in)
{
    int axis = (int)fuzz_below(in, 4);
    uint32_t what = fuzz_below(in, 11);
    lode_real x = calls_real(in), y = calls_size(in);
    switch (what) {
    case 0:
        return !lode_joint_set_max_force(joint, y);
    case 1:
        return !lode_joint_set_max_torque(joint, y);
    case 2:
        return !lode_joint_add_force(joint, axis, 100 * x);
    case 3:
        return !lode_joint_set_enabled(joint, x > 0);
    case 4:
        return !lode_joint_set_limits(joint, axis, x, x + y);
    case 5:
        return !lode_joint_set_motor(joint, axis, x, 100 * y);
    case 6:
        return !lode_joint_set_distance(joint, y);
    case 7:
        return !lode_joint_set_position(joint, axis, x);
    case 8:
        return !lode_joint_set_erp(joint, y);
    case 9:
        return !lode_joint_set_target(joint, axis, x);
    default:
        return !lode_joint_set_cfm(joint, y);
    }
}

bool calls_change_joint(fuzz_bytes *in)
{
    lode_joint joint = calls_joint(in);
    switch (fuzz_below(in, 3)) {
    case 0:
        return change_bodies(joint, in);
    case 1:
        return change_values(joint, in);
    default:
        return set_axis(joint, in);
    }
}

bool calls_use_group(fuzz_bytes *in)
{
    lode_joint_group *group = &scene.groups[fuzz_below(in, GROUPS)];
    uint32_t what = fuzz_below(in, 6);
    lode_joint joint = calls_joint(in), held[JOINTS];
    bool done;
    switch (what) {
    case 0:
        if (lode_joint_group_is_valid(*group))
            lode_joint_group_destroy(*group, fuzz_below(in, 2));
        return (*group = lode_joint_group_create(scene.world)).id;
    case 1:
        return !lode_joint_group_destroy(*group, fuzz_below(in, 2));
    case 2:
        done = !lode_joint_group_empty(*group);
        FUZZ_CHECK(!done || !lode_joint_group_get_joints(*group, NULL, 0), "emptied");
        return done;
    case 3:
        done = !lode_joint_group_remove(*group, joint);
        FUZZ_CHECK(!done || !lode_joint_group_has(*group, joint), "removed, but there");
        return done;
    default:
        done = !lode_joint_group_add(*group, joint);
        FUZZ_CHECK(!done || lode_joint_group_has(*group, joint), "added, but not there");
        for (int i = 0; done && i < lode_joint_group_get_joints(*group, held, JOINTS); ++i)
            FUZZ_CHECK(i >= JOINTS || lode_joint_is_valid(held[i]), "joint of a group");
        return done;
    }
}

/* What it answers is looked at, not whether. */
bool calls_read_joint(fuzz_bytes *in)
{
    lode_joint joint = calls_joint(in), between[4];
    lode_body a = calls_body(in), b = calls_body(in), tied[LODE_ROWS_BODIES];
    int axis = (int)fuzz_below(in, 4);
    FUZZ_CHECK(isfinite(lode_joint_get_position(joint, axis)) &&
                   isfinite(lode_joint_get_rate(joint, axis)),
               "axis");
    FUZZ_CHECK(isfinite(lode_joint_get_motor_force(joint, axis)) &&
                   isfinite(lode_joint_get_stop_force(joint, axis)) &&
                   isfinite(lode_joint_get_row_force(joint, axis)),
               "forces along an axis");
    FUZZ_CHECK(calls_is_finite(lode_joint_get_force(joint)) &&
                   calls_is_finite(lode_joint_get_torque_a(joint)) &&
                   calls_is_finite(lode_joint_get_torque_b(joint)) &&
                   calls_is_finite(lode_joint_get_anchor_torque(joint)),
               "forces");
    FUZZ_CHECK(calls_is_finite(lode_joint_get_anchor_a(joint)) &&
                   calls_is_finite(lode_joint_get_anchor_b(joint)) &&
                   calls_is_finite(lode_joint_get_axis_world(joint, axis)),
               "anchors");
    int count = lode_bodies_get_joints(a, b, between, 4);
    FUZZ_CHECK((count > 0) == lode_bodies_are_connected(a, b), "%d joints between two", count);
    FUZZ_CHECK(count > 0 || !lode_bodies_are_connected_excluding(a, b, LODE_JOINT_BALL),
               "connected by no joint");
    for (int i = 0; i < count && i < 4; ++i)
        FUZZ_CHECK(lode_joint_is_valid(between[i]), "joint between two");
    count = lode_joint_get_bodies(joint, tied, LODE_ROWS_BODIES);
    for (int i = 0; i < count && i < LODE_ROWS_BODIES; ++i)
        FUZZ_CHECK(!tied[i].id || lode_body_is_valid(tied[i]), "body of a joint");
    fuzz_quiet();
    return true;
}
