/* scene_robots.c: articulations on the ground and in each other's way, some of whose links joints
 * hold to links of the next one and to bodies. */
#include "tests/determinism/scenes.h"

#include "tests/support/random.h"

#define REAL(x) ((lode_real)(x))

enum { LINKS = 4 };

static lode_vec3 vec(double x, double y, double z)
{
    return (lode_vec3){REAL(x), REAL(y), REAL(z)};
}

/* A multiple of 1/64: exact in either precision. */
static double between(test_random *random, int lo, int hi)
{
    return lo + (double)random_below(random, (uint32_t)(hi - lo) * 64) / 64;
}

/* Of the link `k` of robot `i`, of any type, driven, limited or rubbing; of several turns some are
 * limited. */
static lode_link_def describe(int i, int k)
{
    static const lode_link_joint_type types[] = {LODE_LINK_REVOLUTE, LODE_LINK_SPHERICAL,
                                                 LODE_LINK_PRISMATIC, LODE_LINK_REVOLUTE_UNWRAPPED,
                                                 LODE_LINK_FIXED};
    lode_link_def def = lode_link_def_default(types[(i + k) % 5]);
    def.parent_frame.position = vec(0, 0, 0.25);
    def.child_frame.position = vec(0, 0, -0.25);
    for (int axis = 0; axis < LODE_LINK_AXES; ++axis) {
        lode_link_axis *of = &def.axis[axis];
        if (of->motion == LODE_MOTION_LOCKED)
            continue;
        if ((i + k + axis) % 2) {
            of->motion = LODE_MOTION_LIMITED;
            of->lo = REAL(-0.375);
            of->hi = REAL(0.5);
        }
        if ((i + k) % 3 == 0) {
            of->drive.type = LODE_DRIVE_FORCE;
            of->drive.stiffness = REAL(64 << k);
            of->drive.damping = 4;
            of->drive.max_force = 128;
            of->target = REAL(0.25);
        }
        of->static_friction = of->dynamic_friction = REAL(k % 2) / 2;
    }
    return def;
}

/* Returns its last link. */
static lode_body add_robot(lode_world world, const lode_shape_def *shape, int i, lode_vec3 at)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = i % 2 == 0;
    lode_articulation robot = lode_articulation_create(world, &def);
    lode_body last = {0};
    for (int k = 0; k < LINKS; ++k) {
        lode_link_def link = k == 0 ? lode_link_def_default(LODE_LINK_FIXED) : describe(i, k);
        link.parent = last;
        link.pose.position = at;
        link.linear_velocity = vec(k == 0 && i % 2 ? i % 3 - 1 : 0, 0, 0);
        last = lode_articulation_add_link(robot, &link);
        lode_shape_create_box(last, shape, vec(0.125, 0.0625 + 0.03125 * k, 0.1875));
    }
    lode_articulation_insert(robot);
    return last;
}

static void join(lode_world world, lode_body a, lode_body b, lode_joint_type type)
{
    lode_joint_def def = lode_joint_def_default(type);
    lode_vec3 p = lode_body_get_pose(a).position, q = lode_body_get_pose(b).position;
    def.body_a = a;
    def.body_b = b;
    lode_vec3 middle = {(p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2};
    lode_joint_def_anchor_world(&def, middle, vec(1, 0, 0));
    lode_joint_create(world, &def);
}

void hash_scene_robots(lode_world world, int size)
{
    static const lode_joint_type types[] = {LODE_JOINT_BALL, LODE_JOINT_FIXED, LODE_JOINT_HINGE};
    test_random random = {21};
    lode_shape_def shape = lode_shape_def_default();
    lode_body_def def = lode_body_def_default();
    shape.friction = REAL(0.75);
    lode_shape_create_plane(lode_body_create(world, &def), &shape, vec(0, 0, 1), 0);
    shape.density = 512;
    lode_body last = {0};
    def.type = LODE_DYNAMIC;
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(i % 6, i / 6 % 6, 0.25 + between(&random, 0, 1) / 4 + 3 * (i / 36));
        lode_body tip = add_robot(world, &shape, i, at);
        def.position = vec(at.x + 0.25, at.y + between(&random, 0, 1) / 2, at.z + 2.5);
        lode_body box = lode_body_create(world, &def);
        lode_shape_create_box(box, &shape, vec(0.25, 0.1875, 0.125));
        if (i % 2)
            join(world, tip, last, types[i / 2 % 3]);
        if (i % 4 == 0)
            join(world, tip, box, types[i / 4 % 3]);
        last = tip;
    }
}
