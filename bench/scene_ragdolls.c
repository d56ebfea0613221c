/* scene_ragdolls.c: figures of eleven capsules; 200 of them fall onto a plane and onto each other.
 *
 * Elbows and knees are hinges with limits, the other joints are balls. A figure is given standing,
 * feet at z = 0, face towards +y, and is then turned as a whole. */
#include "bench/build.h"
#include "bench/random.h"
#include "bench/vector.h"

#include <string.h>

enum { PELVIS, CHEST, HEAD, ARM, FOREARM, THIGH = ARM + 4, SHIN, PARTS = THIGH + 4, JOINTS = 10 };

typedef struct part {
    double radius, half_length;
    double x, z;
    bool level; /* along x in place of z */
} part;

/* Limbs of the right side; those of the left mirror x and lie two places on. */
static const part parts[PARTS] = {
    [PELVIS] = {0.12, 0.08, 0, 1.00, true},
    [CHEST] = {0.14, 0.10, 0, 1.38, false},
    [HEAD] = {0.11, 0.04, 0, 1.80, false},
    [ARM] = {0.05, 0.12, 0.27, 1.42, false},
    [FOREARM] = {0.045, 0.11, 0.27, 1.08, false},
    [ARM + 2] = {0.05, 0.12, -0.27, 1.42, false},
    [FOREARM + 2] = {0.045, 0.11, -0.27, 1.08, false},
    [THIGH] = {0.07, 0.15, 0.11, 0.70, false},
    [SHIN] = {0.055, 0.15, 0.11, 0.26, false},
    [THIGH + 2] = {0.07, 0.15, -0.11, 0.70, false},
    [SHIN + 2] = {0.055, 0.15, -0.11, 0.26, false},
};

/* The hinges' axis is x: a forearm swings forward at positive angles, a shin at negative ones. */
static const struct link {
    int a, b;
    double x, z;
    double lo, hi; /* equal: a ball joint */
} links[JOINTS] = {
    {CHEST, PELVIS, 0, 1.13, 0, 0},          {HEAD, CHEST, 0, 1.635, 0, 0},
    {ARM, CHEST, 0.22, 1.55, 0, 0},          {ARM + 2, CHEST, -0.22, 1.55, 0, 0},
    {FOREARM, ARM, 0.27, 1.245, -0.05, 2.4}, {FOREARM + 2, ARM + 2, -0.27, 1.245, -0.05, 2.4},
    {THIGH, PELVIS, 0.11, 0.94, 0, 0},       {THIGH + 2, PELVIS, -0.11, 0.94, 0, 0},
    {SHIN, THIGH, 0.11, 0.47, -2.4, 0.05},   {SHIN + 2, THIGH + 2, -0.11, 0.47, -2.4, 0.05},
};

/* Where a figure stands: its middle, and how it is turned. */
typedef struct stance {
    double middle[3], rotation[4];
} stance;

static void place(const stance *at, double x, double z, double out_position[3])
{
    const double from_middle[3] = {x, 0, z - 0.98};
    bench_rotate(at->rotation, 1, from_middle, out_position);
    for (int i = 0; i < 3; ++i)
        out_position[i] += at->middle[i];
}

static void add_part(bench_scene *scene, const part *p, const stance *at)
{
    const double quarter = 0.70710678118654752440; /* half of sqrt(2): a quarter turn about y */
    bench_body *body = bench_add_capsule(scene, 0, 0, 0, p->radius, p->half_length);
    place(at, p->x, p->z, body->position);
    const double *q = at->rotation;
    const double turned[4] = {quarter * (q[0] - q[2]), quarter * (q[1] - q[3]),
                              quarter * (q[0] + q[2]), quarter * (q[1] + q[3])};
    memcpy(body->rotation, p->level ? turned : q, sizeof body->rotation);
}

void bench_add_ragdoll(bench_scene *scene, const double middle[3], const double rotation[4])
{
    const double across[3] = {1, 0, 0};
    int first = scene->body_count;
    stance at;
    memcpy(at.middle, middle, sizeof at.middle);
    memcpy(at.rotation, rotation, sizeof at.rotation);
    for (int i = 0; i < PARTS; ++i)
        add_part(scene, &parts[i], &at);
    for (int i = 0; i < JOINTS; ++i) {
        const struct link *l = &links[i];
        bench_joint *joint = bench_add_joint(scene, first + l->a, first + l->b);
        place(&at, l->x, l->z, joint->anchor);
        if (!(l->lo < l->hi))
            continue;
        joint->type = BENCH_HINGE;
        bench_rotate(at.rotation, 1, across, joint->axis);
        joint->lo = l->lo;
        joint->hi = l->hi;
    }
}

void bench_build_ragdolls(bench_scene *scene)
{
    uint64_t random = 4;
    bench_add_ground(scene);
    for (int i = 0; i < 200; ++i) {
        const double middle[3] = {2.1 * (i % 10 - 4.5), 2.1 * (i / 10 % 5 - 2),
                                  1.1 + 2.1 * (i / 50)};
        double rotation[4];
        bench_random_rotation(&random, rotation);
        bench_add_ragdoll(scene, middle, rotation);
    }
}
