/* robots_mujoco.c: MuJoCo in the benchmark of articulations. Its model is text; contacts, limits
 * and all else that costs something and is not used is switched off. */
#define _DEFAULT_SOURCE
#include "bench/robots.h"
#include "bench/tool.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mujoco_side {
    mjModel *model;
    mjData *data;
    int last; /* body */
} mujoco_side;

/* A body of it with all that hang on it. */
static void write_link(FILE *out, const bench_robot *robot, int i)
{
    static const char *const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    const bench_robot_link *link = &robot->link[i];
    double at[3] = {0, 0, 0}, by = link->mass / 3;
    const double *h = link->half;
    if (link->parent >= 0) /* from the parent's origin, which is its centre of mass */
        for (int k = 0; k < 3; ++k)
            at[k] = link->pivot[k] + link->center[k];
    fprintf(out, "<body pos='%.17g %.17g %.17g'>", at[0], at[1], at[2]);
    fprintf(out, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", link->mass,
            by * (h[1] * h[1] + h[2] * h[2]), by * (h[0] * h[0] + h[2] * h[2]),
            by * (h[0] * h[0] + h[1] * h[1]));
    if (link->parent >= 0)
        fprintf(out, "<joint type='hinge' axis='%s' pos='%.17g %.17g %.17g'/>", axes[link->axis],
                -link->center[0], -link->center[1], -link->center[2]);
    else if (robot->floating)
        fprintf(out, "<freejoint/>");
    for (int k = i + 1; k < robot->count; ++k)
        if (robot->link[k].parent == i)
            write_link(out, robot, k);
    fprintf(out, "</body>");
}

/* Its reader takes no more than a hundred bodies one within another. */
static const char *reason(const char *error)
{
    return strstr(error, "ELEMENT_DEPTH") ? "nested too deep to read" : "refused";
}

static mjModel *load(const bench_robot *robot, int copies, const char **out_why)
{
    char path[] = "/tmp/lode-bench-XXXXXX", error[500] = "";
    int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    *out_why = "cannot write its model";
    if (!out)
        return NULL;
    fprintf(out, "<mujoco><size nconmax='0' njmax='0'/><option timestep='0.001'><flag "
                 "constraint='disable'/></option><worldbody>");
    for (int i = 0; i < copies; ++i)
        write_link(out, robot, 0);
    fprintf(out, "</worldbody></mujoco>");
    fclose(out);
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    *out_why = reason(error);
    unlink(path);
    return model;
}

/* Copies are stepped one by one, each the same model, as those who simulate many do. */
static void *create(const bench_robot *robot, int copies, const char **out_why)
{
    mujoco_side *side = bench_alloc(1, sizeof *side);
    side->model = load(robot, 1, out_why);
    if (!side->model) {
        free(side);
        return NULL;
    }
    side->data = mj_makeData(side->model);
    side->last = copies;
    return side;
}

static void step(void *of, double h)
{
    mujoco_side *side = of;
    side->model->opt.timestep = h;
    for (int i = 0; i < side->last; ++i)
        mj_step(side->model, side->data);
}

/* MuJoCo numbers bodies depth first, which is the order of these robots too. */
static double height(void *of)
{
    mujoco_side *side = of;
    return side->data->xipos[3 * (side->model->nbody - 1) + 2];
}

static void destroy(void *of)
{
    mujoco_side *side = of;
    mj_deleteData(side->data);
    mj_deleteModel(side->model);
    free(side);
}

const bench_robot_engine bench_robots_mujoco = {"MuJoCo", create, step, height, destroy};
