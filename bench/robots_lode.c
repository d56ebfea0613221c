/* robots_lode.c: Lode's side of the articulations in the benchmark. */
#include "bench/robots.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdlib.h>

typedef struct lode_side {
    lode_world world;
    lode_body last;
} lode_side;

static lode_vec3 vector(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

/* The turn about the diagonal that brings x to each axis. */
static lode_quat frame_of(int axis)
{
    const lode_real half = (lode_real)0.5;
    static const lode_quat x = {1, 0, 0, 0};
    return axis == 0   ? x
           : axis == 1 ? (lode_quat){half, half, half, half}
                       : (lode_quat){half, -half, -half, -half};
}

static lode_mass mass_of(const bench_robot_link *link)
{
    const double *h = link->half;
    double by = link->mass / 3;
    return (lode_mass){.mass = (lode_real)link->mass,
                       .inertia = {(lode_real)(by * (h[1] * h[1] + h[2] * h[2])),
                                   (lode_real)(by * (h[0] * h[0] + h[2] * h[2])),
                                   (lode_real)(by * (h[0] * h[0] + h[1] * h[1]))}};
}

static lode_body add_robot(lode_world world, const bench_robot *robot)
{
    lode_body links[BENCH_ROBOT_LINKS];
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = !robot->floating;
    def.sleep_threshold = 0;
    def.drive_limits_are_impulses = robot->apart; /* there are no drives, and lanes know no such */
    lode_articulation articulation = lode_articulation_create(world, &def);
    for (int i = 0; i < robot->count; ++i) {
        const bench_robot_link *from = &robot->link[i];
        lode_link_def link = lode_link_def_default(from->parent < 0 ? LODE_LINK_FIXED
                                                                    : LODE_LINK_REVOLUTE_UNWRAPPED);
        if (from->parent >= 0)
            link.parent = links[from->parent];
        link.parent_frame = (lode_pose){vector(from->pivot), frame_of(from->axis)};
        link.child_frame = (lode_pose){vector(from->center), frame_of(from->axis)};
        link.child_frame.position.x *= -1;
        link.child_frame.position.y *= -1;
        link.child_frame.position.z *= -1;
        link.axis[LODE_AXIS_TWIST].max_velocity = 1000;
        links[i] = lode_articulation_add_link(articulation, &link);
        lode_mass mass = mass_of(from);
        if (lode_body_set_mass(links[i], &mass) != LODE_OK)
            return (lode_body){0};
    }
    return lode_articulation_insert(articulation) == LODE_OK ? links[robot->count - 1]
                                                             : (lode_body){0};
}

static void *create(const bench_robot *robot, int copies, const char **out_why)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    *out_why = "refused";
    lode_world_def def = lode_world_def_default();
    def.sub_steps = 1;
    side->world = lode_world_create(&def);
    for (int i = 0; i < copies; ++i) {
        lode_body last = add_robot(side->world, robot);
        if (!last.id)
            return NULL;
        side->last = i == 0 ? last : side->last;
    }
    return side;
}

static void step(void *of, double h)
{
    lode_side *side = of;
    lode_world_step(side->world, (lode_real)h);
}

static double height(void *of)
{
    lode_side *side = of;
    return (double)lode_body_get_center(side->last).z;
}

static void destroy(void *of)
{
    lode_side *side = of;
    lode_world_destroy(side->world);
    free(side);
}

const bench_robot_engine bench_robots_lode = {"Lode", create, step, height, destroy};
