/* robot.c: an arm out of a URDF file reaches for a place and comes back.
 *
 *     robot arm.urdf
 *
 * Its drives are told where to be, step by step, and joints are found by the names that they have
 * in the file. The program fails when the arm is not where it was told to be. */
#include <lode/lode.h>
#include <lode_io/urdf.h>

#include <math.h>
#include <stdio.h>

#define STEP ((lode_real)1 / 240) /* s */
#define MOVE 3.0                  /* how long it takes there, and back, s */

static const struct {
    const char *joint;
    double reach; /* rad */
} pose[] = {{"shoulder_pan", 0.8}, {"shoulder_lift", 0.7}, {"elbow", 1.2}, {"wrist_1", 0.5}};

enum { JOINTS = sizeof pose / sizeof *pose };

/* 0 to 1 and back to 0, without a jerk. */
static double part(double time)
{
    return (1 - cos(3.14159265358979 * time / MOVE)) / 2;
}

static void move(lode_world world, const lode_io_robot *arm, double from, double to)
{
    int steps = (int)((to - from) / (double)STEP);
    for (int i = 1; i <= steps; ++i) {
        double s = part(from + i * (double)STEP);
        for (int k = 0; k < JOINTS; ++k) {
            const lode_io_robot_joint *joint = lode_io_robot_find_joint(arm, pose[k].joint);
            lode_link_set_target(joint->link, joint->axis, (lode_real)(s * pose[k].reach), true);
        }
        lode_world_step(world, STEP);
    }
}

/* The largest angle between what joints do and what they were told, rad. */
static double largest_error(const lode_io_robot *arm)
{
    double largest = 0;
    for (int i = 0; i < arm->joint_count; ++i) {
        const lode_io_robot_joint *joint = &arm->joints[i];
        if (joint->type != LODE_IO_JOINT_REVOLUTE)
            continue;
        lode_link_axis axis = lode_link_get_axis(joint->link, joint->axis);
        largest = fmax(largest, fabs((double)axis.position - (double)axis.target));
    }
    return largest;
}

static int tell(const lode_io_robot *arm, const char *when)
{
    lode_vec3 tool = lode_body_get_pose(lode_io_robot_find_link(arm, "tool")).position;
    double error = largest_error(arm);
    printf("%s: the tool is at %.3f %.3f %.3f, joints within %.4f rad\n", when, (double)tool.x,
           (double)tool.y, (double)tool.z, error);
    return error > 0.02;
}

int main(int count, char **words)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = (lode_vec3){0, 0, (lode_real)-9.81};
    lode_world world = lode_world_create(&def);
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.fixed_base = true;
    options.drive.type = LODE_DRIVE_ACCELERATION;
    options.drive.stiffness = 40000; /* 1/s^2 */
    options.drive.damping = 400;     /* 1/s */
    lode_io_robot arm;
    if (count != 2 || !lode_io_load_urdf(world, words[1], &options, &arm).id) {
        fprintf(stderr, "usage: robot arm.urdf\n");
        lode_world_destroy(world);
        return 1;
    }
    printf("%s: %d links, %d joints; skipped %d pictures\n", arm.name, arm.link_count,
           arm.joint_count, arm.skipped.visuals);
    move(world, &arm, 0, MOVE);
    int failures = tell(&arm, "out");
    move(world, &arm, MOVE, 2 * MOVE);
    failures += tell(&arm, "back");
    lode_io_robot_free(&arm);
    lode_world_destroy(world);
    return failures;
}
