/* urdf_robot.c: options, and what the caller keeps of a robot: one block, of arrays and then
 * names. */
#include "io/urdf_robot.h"

#include <stdlib.h>
#include <string.h>

lode_io_urdf_options lode_io_urdf_options_default(void)
{
    return (lode_io_urdf_options){
        .mimics = true,
        .insert = true,
        .root_pose = {.rotation = {1, 0, 0, 0}},
        .shape = lode_shape_def_default(),
        .drive = lode_link_def_default(LODE_LINK_REVOLUTE).axis[LODE_AXIS_TWIST].drive,
        .frame_mass = (lode_real)1e-3};
}

static size_t names_size(const lode__urdf *u)
{
    size_t size = strlen(u->name) + 1;
    for (int i = 0; i < u->link_count; ++i)
        size += strlen(u->links[i].name) + 1;
    for (int i = 0; i < u->joint_count; ++i)
        size += strlen(u->joints[i].name) + 1;
    return size;
}

static const char *keep(char **at, const char *name)
{
    size_t room = strlen(name) + 1;
    char *kept = memcpy(*at, name, room);
    *at += room;
    return kept;
}

static int count_mimics(const lode__urdf *u)
{
    int count = 0;
    for (int i = 0; i < u->joint_count; ++i)
        count += u->joints[i].mimic_name != NULL;
    return count;
}

bool lode__urdf_robot_make(const lode__urdf *u, lode_io_robot *out)
{
    const size_t mimic_count = (size_t)count_mimics(u);
    lode_io_robot_link *links;
    lode_io_robot_joint *joints;
    lode_io_robot_mimic *mimics;
    size_t links_size = (size_t)u->link_count * sizeof *links,
           joints_size = (size_t)u->joint_count * sizeof *joints,
           mimics_size = mimic_count * sizeof *mimics;
    char *block = malloc(links_size + joints_size + mimics_size + names_size(u));
    if (!block)
        return false;
    links = (void *)block;
    joints = (void *)(block + links_size);
    mimics = (void *)(block + links_size + joints_size);
    char *names = block + links_size + joints_size + mimics_size;
    *out = (lode_io_robot){.name = keep(&names, u->name),
                           .links = links,
                           .link_count = u->link_count,
                           .joints = joints,
                           .joint_count = u->joint_count,
                           .mimics = mimics,
                           .mimic_count = (int)mimic_count,
                           .skipped = u->skipped,
                           .memory = block};
    for (int i = 0; i < u->link_count; ++i)
        links[i] = (lode_io_robot_link){.name = keep(&names, u->links[i].name)};
    for (int i = 0; i < u->joint_count; ++i) {
        const lode__urdf_joint *joint = &u->joints[i];
        bool slides = joint->type == LODE_IO_JOINT_PRISMATIC;
        joints[i] = (lode_io_robot_joint){.name = keep(&names, joint->name),
                                          .type = joint->type,
                                          .axis = slides ? LODE_AXIS_X : LODE_AXIS_TWIST};
        if (joint->mimic_name)
            *mimics++ = (lode_io_robot_mimic){i, joint->mimic, (lode_real)joint->multiplier,
                                              (lode_real)joint->offset};
    }
    return true;
}

void lode__urdf_robot_fill(const lode__urdf *u, lode_articulation articulation,
                           const lode_body *bodies, lode_io_robot *robot)
{
    robot->articulation = articulation;
    for (int i = 0; i < u->link_count; ++i)
        ((lode_io_robot_link *)robot->links)[i].body = bodies[i];
    for (int i = 0; i < u->joint_count; ++i) {
        lode_io_robot_joint *joint = &((lode_io_robot_joint *)robot->joints)[i];
        joint->parent = bodies[u->joints[i].parent];
        joint->link = bodies[u->joints[i].child];
    }
}

void lode_io_robot_free(lode_io_robot *robot)
{
    if (!robot)
        return;
    free(robot->memory);
    *robot = (lode_io_robot){0};
}

lode_body lode_io_robot_find_link(const lode_io_robot *robot, const char *name)
{
    for (int i = 0; robot && name && i < robot->link_count; ++i)
        if (strcmp(robot->links[i].name, name) == 0)
            return robot->links[i].body;
    return (lode_body){0};
}

const lode_io_robot_joint *lode_io_robot_find_joint(const lode_io_robot *robot, const char *name)
{
    for (int i = 0; robot && name && i < robot->joint_count; ++i)
        if (strcmp(robot->joints[i].name, name) == 0)
            return &robot->joints[i];
    return NULL;
}
