/* ragdoll.c: figures of capsules fall down a flight of stairs and come to rest.
 *
 * Knees and elbows are hinges with stops, hips, shoulders and neck six-axis joints whose turns have
 * stops. The program fails when a joint comes apart or is bent further than it goes, when somebody
 * falls through a stair, or when they never fall asleep. */
#include <lode/lode.h>

#include <math.h>
#include <stdio.h>

#define STEP ((lode_real)1 / HERTZ) /* s; thin limbs that fall want short ones */
#define RISE ((lode_real)0.2)       /* of a stair, m */
#define TREAD ((lode_real)0.3)      /* m */

enum { HERTZ = 120 };

enum {
    PELVIS,
    CHEST,
    HEAD,
    ARMS,
    FOREARMS = ARMS + 2,
    THIGHS = FOREARMS + 2,
    SHINS = THIGHS + 2,
    PARTS = SHINS + 2
};
enum { FIGURES = 4, STAIRS = 12, JOINTS = PARTS - 1 };

/* A capsule along z, by its middle, from the pelvis up, m. */
typedef struct part {
    double x, z, half_length, radius;
    int above;                 /* what it hangs on */
    double anchor_x, anchor_z; /* where */
    double bend;               /* how far a hinge goes, rad; 0: a ball with stops */
} part;

static const part parts[PARTS] = {
    [PELVIS] = {0, 1.00, 0.05, 0.14, -1, 0, 0, 0},
    [CHEST] = {0, 1.35, 0.12, 0.14, PELVIS, 0, 1.16, 0},
    [HEAD] = {0, 1.75, 0.04, 0.11, CHEST, 0, 1.62, 0},
    [ARMS] = {0.25, 1.38, 0.11, 0.05, CHEST, 0.25, 1.52, 0},
    [ARMS + 1] = {-0.25, 1.38, 0.11, 0.05, CHEST, -0.25, 1.52, 0},
    [FOREARMS] = {0.25, 1.09, 0.11, 0.04, ARMS, 0.25, 1.23, 2.4},
    [FOREARMS + 1] = {-0.25, 1.09, 0.11, 0.04, ARMS + 1, -0.25, 1.23, 2.4},
    [THIGHS] = {0.10, 0.70, 0.16, 0.08, PELVIS, 0.10, 0.92, 0},
    [THIGHS + 1] = {-0.10, 0.70, 0.16, 0.08, PELVIS, -0.10, 0.92, 0},
    [SHINS] = {0.10, 0.27, 0.17, 0.06, THIGHS, 0.10, 0.48, 2.4},
    [SHINS + 1] = {-0.10, 0.27, 0.17, 0.06, THIGHS + 1, -0.10, 0.48, 2.4},
};

typedef struct figure {
    lode_body bodies[PARTS];
    lode_joint joints[JOINTS];
} figure;

static int failures;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr, "ragdoll: %s\n", what);
    failures += !good;
}

/* Stops, and flesh: a weak motor that wants to stand still. */
static void limit(lode_joint_axis *axis, double lo, double hi, double friction)
{
    axis->lo_stop = (lode_real)lo;
    axis->hi_stop = (lode_real)hi;
    axis->f_max = (lode_real)friction;
}

/* Knees bend backwards, elbows forwards; both turn about x. */
static lode_joint add_joint(lode_world world, const figure *f, int i, lode_vec3 foot)
{
    const part *p = &parts[i];
    lode_joint_def def = lode_joint_def_default(p->bend > 0 ? LODE_JOINT_HINGE
                                                            : LODE_JOINT_SIX_AXES);
    def.body_a = f->bodies[i];
    def.body_b = f->bodies[p->above];
    lode_joint_def_anchor_world(
        &def, (lode_vec3){foot.x + (lode_real)p->anchor_x, foot.y, foot.z + (lode_real)p->anchor_z},
        (lode_vec3){1, 0, 0});
    if (p->bend > 0) {
        bool knee = i >= SHINS;
        limit(&def.axis[0], knee ? 0 : -p->bend, knee ? p->bend : 0, 2);
        return lode_joint_create(world, &def);
    }
    for (int axis = 0; axis < 3; ++axis)
        limit(&def.axis[axis], 0, 0, 0);
    limit(&def.axis[3], -1.2, 1.2, 3);
    limit(&def.axis[4], -0.5, 0.5, 3);
    limit(&def.axis[5], -0.5, 0.5, 3);
    return lode_joint_create(world, &def);
}

static figure add_figure(lode_world world, lode_vec3 foot)
{
    figure f;
    for (int i = 0; i < PARTS; ++i) {
        const part *p = &parts[i];
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.position = (lode_vec3){foot.x + (lode_real)p->x, foot.y, foot.z + (lode_real)p->z};
        body_def.linear_velocity = (lode_vec3){0, 2, 0};
        f.bodies[i] = lode_body_create(world, &body_def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_shape_create_capsule(f.bodies[i], &shape_def, (lode_real)p->radius,
                                  (lode_real)p->half_length);
        if (i > 0)
            f.joints[i - 1] = add_joint(world, &f, i, foot);
    }
    return f;
}

/* Down along y from the landing at z = 0. */
static void add_stairs(lode_world world)
{
    lode_body_def body_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body stairs = lode_body_create(world, &body_def);
    for (int i = 0; i <= STAIRS; ++i) {
        bool landing = i == 0, ground = i == STAIRS;
        lode_real depth = landing || ground ? 10 : TREAD;
        lode_real begin = landing ? -10 : (lode_real)(i - 1) * TREAD;
        shape_def.pose.position = (lode_vec3){0, begin + depth / 2, -(lode_real)i * RISE - 1};
        lode_shape_create_box(stairs, &shape_def, (lode_vec3){10, depth / 2, 1});
    }
}

static double gap_of(lode_joint joint)
{
    lode_vec3 a = lode_joint_get_anchor_a(joint), b = lode_joint_get_anchor_b(joint);
    double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    return sqrt(x * x + y * y + z * z);
}

/* By how much a knee or an elbow is bent further than it goes, rad. */
static double bent_by(const figure *f, int joint)
{
    if (!(parts[joint + 1].bend > 0))
        return 0;
    double angle = (double)lode_joint_get_position(f->joints[joint], 0);
    angle = joint + 1 >= SHINS ? angle : -angle;
    return fmax(-angle, angle - parts[joint + 1].bend);
}

int main(void)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.sleep.enabled = true;
    world_def.sleep.linear_threshold = (lode_real)0.05;
    world_def.sleep.angular_threshold = (lode_real)0.2;
    lode_world world = lode_world_create(&world_def);
    figure figures[FIGURES];
    add_stairs(world);
    for (int i = 0; i < FIGURES; ++i)
        figures[i] = add_figure(
            world, (lode_vec3){(lode_real)(1.5 * i - 2.25), (lode_real)-0.5, (lode_real)0.1});
    double gap = 0, bent = 0, lowest = 0;
    int frame = 0, awake = 1;
    for (; frame < 20 * HERTZ && awake > 0; ++frame) {
        if (lode_world_step(world, STEP) != LODE_OK)
            return 1;
        awake = 0;
        for (int i = 0; i < FIGURES * PARTS; ++i) {
            const figure *f = &figures[i / PARTS];
            int k = i % PARTS;
            awake += lode_body_is_awake(f->bodies[k]);
            lowest = fmin(lowest, (double)lode_body_get_pose(f->bodies[k]).position.z);
            gap = k < JOINTS ? fmax(gap, gap_of(f->joints[k])) : gap;
            bent = k < JOINTS ? fmax(bent, bent_by(f, k)) : bent;
        }
        if (frame % HERTZ == 0)
            printf("%2d s: %d parts awake, the lowest at %.2f m\n", frame / HERTZ, awake, lowest);
    }
    printf("at rest after %.1f s; joints open by up to %.1f mm, bent by %.2f rad too far\n",
           frame / (double)HERTZ, 1000 * gap, bent);
    check(awake == 0, "somebody is awake after 20 s");
    check(gap < 0.03, "a joint comes apart");
    check(bent < 0.3, "a joint is bent too far");
    check(lowest > -(double)(STAIRS * RISE), "somebody fell through a stair");
    lode_world_destroy(world);
    return failures > 0;
}
