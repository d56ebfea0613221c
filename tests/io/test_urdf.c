/* Robots out of URDF: names, masses, axes, limits, shapes, and where links stand for given
 * positions of the joints, against kinematics by matrices that this test computes out of the
 * numbers of the file; also of trees at random. */
#include "lode_io/urdf.h"
#include "tests/io/robots.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <stdio.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define NEAR 1e-12
#else
#define NEAR 2e-5
#endif

static lode_world world;
static lode_io_robot robot;

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, (lode_real)-9.81);
    world = lode_world_create(&def);
    robot = (lode_io_robot){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_io_robot_free(&robot);
    lode_world_destroy(world);
    return report.count;
}

static lode_articulation read_with(const char *text, const lode_io_urdf_options *options)
{
    lode_articulation made = lode_io_read_urdf(world, "r.urdf", text, strlen(text), options,
                                               &robot);
    if (report.count)
        print_error("%s: %s\n", report.argument, report.message);
    assert_true(lode_articulation_is_valid(made));
    assert_int_equal(made.id, robot.articulation.id);
    return made;
}

static lode_body link_of(const char *name)
{
    lode_body body = lode_io_robot_find_link(&robot, name);
    assert_true(lode_body_is_valid(body));
    assert_string_equal(lode_body_get_name(body), name);
    return body;
}

static const lode_io_robot_joint *joint_of(const char *name)
{
    const lode_io_robot_joint *joint = lode_io_robot_find_joint(&robot, name);
    assert_non_null(joint);
    assert_string_equal(joint->name, name);
    assert_int_equal(lode_link_get_parent(joint->link).id, joint->parent.id);
    return joint;
}

static lode_link_axis axis_of(const char *name)
{
    const lode_io_robot_joint *joint = joint_of(name);
    return lode_link_get_axis(joint->link, joint->axis);
}

/* --- kinematics by matrices */

typedef struct frame {
    double r[3][3], p[3];
} frame;

static frame mul(frame a, frame b)
{
    frame c;
    for (int i = 0; i < 3; ++i) {
        c.p[i] = a.p[i];
        for (int j = 0; j < 3; ++j) {
            c.p[i] += a.r[i][j] * b.p[j];
            c.r[i][j] = 0;
            for (int k = 0; k < 3; ++k)
                c.r[i][j] += a.r[i][k] * b.r[k][j];
        }
    }
    return c;
}

/* Rodrigues' formula; the axis need not have length 1. */
static frame turn(const double axis[3], double angle)
{
    double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), c = cos(angle),
           s = sin(angle);
    double u[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    return (frame){{{c + u[0] * u[0] * (1 - c), u[0] * u[1] * (1 - c) - u[2] * s,
                     u[0] * u[2] * (1 - c) + u[1] * s},
                    {u[1] * u[0] * (1 - c) + u[2] * s, c + u[1] * u[1] * (1 - c),
                     u[1] * u[2] * (1 - c) - u[0] * s},
                    {u[2] * u[0] * (1 - c) - u[1] * s, u[2] * u[1] * (1 - c) + u[0] * s,
                     c + u[2] * u[2] * (1 - c)}},
                   {0}};
}

static frame slide(const double axis[3], double by)
{
    double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    frame f = turn(axis, 0);
    for (int i = 0; i < 3; ++i)
        f.p[i] = axis[i] / n * by;
    return f;
}

static frame at(double x, double y, double z, double roll, double pitch, double yaw)
{
    frame f = turn((double[]){0, 0, 1}, yaw);
    f.p[0] = x;
    f.p[1] = y;
    f.p[2] = z;
    f = mul(f, turn((double[]){0, 1, 0}, pitch));
    return mul(f, turn((double[]){1, 0, 0}, roll));
}

static frame frame_of(lode_pose pose)
{
    lode_quat q = pose.rotation;
    double n = sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z),
           angle = 2 * atan2(n, q.w);
    frame f = turn(n > 0 ? (double[]){q.x, q.y, q.z} : (double[]){1, 0, 0}, n > 0 ? angle : 0);
    f.p[0] = pose.position.x;
    f.p[1] = pose.position.y;
    f.p[2] = pose.position.z;
    return f;
}

static void same_frame(frame a, frame b, double tolerance, const char *name)
{
    for (int i = 0; i < 3; ++i) {
        bool good = near(a.p[i], b.p[i], tolerance);
        for (int j = 0; j < 3; ++j)
            good = good && near(a.r[i][j], b.r[i][j], tolerance);
        if (!good)
            fail_msg("%s is not where it should be: %g %g %g, %g %g %g", name, a.p[0], a.p[1],
                     a.p[2], b.p[0], b.p[1], b.p[2]);
    }
}

/* --- an arm */

static void set_position(const char *name, double q)
{
    const lode_io_robot_joint *joint = joint_of(name);
    assert_int_equal(lode_link_set_position(joint->link, joint->axis, (lode_real)q), LODE_OK);
}

static void an_arm_stands_where_its_joints_say(void **state)
{
    (void)state;
    static const struct {
        double origin[6], axis[3];
    } joints[6] = {
        {{0, 0, 0.1, 0, 0, 0}, {0, 0, 1}},        {{0, 0.1, 0.4, 0, 1.5707963, 0}, {0, 1, 0}},
        {{0.4, 0, 0, 0.1, 0.2, 0.3}, {0, -1, 0}}, {{0.3, 0, 0, 0, 0, 0}, {1, 0, 0}},
        {{0.1, 0, 0, 0, 0, 0}, {-3, 1e-3, 2}},    {{0.1, 0, 0, 0, 0, 0}, {-1, 0, 0}}};
    test_random random = {7};
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.fixed_base = true;
    options.root_pose = (lode_pose){vec(1, 2, 3), {(lode_real)0.8, 0, 0, (lode_real)0.6}};
    read_with(ARM, &options);
    assert_int_equal(lode_articulation_count_dofs(robot.articulation), 6);
    for (int round = 0; round < 50; ++round) {
        frame f = frame_of(options.root_pose);
        for (int i = 0; i < 6; ++i) {
            char joint[8], link[8];
            double q = round ? random_between(&random, -1.5, 2) : 0;
            const double *o = joints[i].origin;
            snprintf(joint, sizeof joint, "j%d", i + 1);
            snprintf(link, sizeof link, "l%d", i + 1);
            set_position(joint, q);
            f = mul(mul(f, at(o[0], o[1], o[2], o[3], o[4], o[5])),
                    turn(joints[i].axis, (lode_real)q));
            same_frame(frame_of(lode_body_get_pose(link_of(link))), f, 10 * NEAR, link);
        }
    }
}

static void angles_may_be_of_many_turns(void **state)
{
    (void)state;
    static const double angles[] = {100, -12345.678, 3.14159265358979312, -6.28318530717958648,
                                    4.71};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i) {
        char text[1000];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'/><link name='b'/>" JOINT(
                     "j", "fixed", "a", "b", "<origin rpy='%.17g 0 %.17g'/>") "</robot>",
                 angles[i], -angles[i] / 3);
        read_with(text, NULL);
        same_frame(frame_of(lode_body_get_pose(link_of("b"))),
                   at(0, 0, 0, angles[i], 0, -angles[i] / 3), 10 * NEAR, "b");
        lode_articulation_destroy(robot.articulation);
        lode_io_robot_free(&robot);
    }
}

static void an_arm_has_what_its_file_says(void **state)
{
    (void)state;
    lode_articulation arm = read_with(ARM, NULL);
    assert_string_equal(robot.name, "arm");
    assert_string_equal(lode_articulation_get_name(arm), "arm");
    assert_true(lode_articulation_is_inserted(arm));
    assert_int_equal(robot.link_count, 7);
    assert_string_equal(robot.links[0].name, "base");
    assert_string_equal(robot.links[6].name, "l6");
    assert_int_equal(robot.joint_count, 6);
    assert_string_equal(robot.joints[5].name, "j6");
    assert_int_equal(lode_io_robot_find_link(&robot, "j6").id, 0);
    assert_null(lode_io_robot_find_joint(&robot, "l6"));
    assert_int_equal(lode_articulation_count_shapes(arm), 8);
    lode_link_axis axis = axis_of("j1");
    assert_int_equal(axis.motion, LODE_MOTION_LIMITED);
    assert_true(axis.lo == (lode_real)-1.5 && axis.hi == 2);
    assert_true(axis.max_velocity == 4 && axis.drive.max_force == 30);
    assert_true(axis.viscous_friction == (lode_real)0.7);
    assert_true(axis.static_friction == (lode_real)0.2);
    assert_true(axis.dynamic_friction == (lode_real)0.2);
    assert_int_equal(axis.drive.type, LODE_DRIVE_NONE);
    assert_true(axis_of("j2").viscous_friction == 0);
    assert_int_equal(robot.mimic_count, 1);
    assert_int_equal(robot.mimics[0].joint, 5);
    assert_int_equal(robot.mimics[0].other, 4);
    assert_true(robot.mimics[0].multiplier == (lode_real)-0.5);
    assert_true(robot.mimics[0].offset == (lode_real)0.1);
    assert_int_equal(robot.skipped.visuals, 1);
    assert_int_equal(robot.skipped.materials, 1);
    assert_int_equal(robot.skipped.sensors, 1);
    assert_int_equal(robot.skipped.transmissions, 1);
    assert_int_equal(robot.skipped.gazebos, 1);
    assert_int_equal(robot.skipped.others, 2);
}

/* R I R^T about the centre, by the test's own matrices. */
static void inertials_are_turned_into_the_links_axes(void **state)
{
    (void)state;
    static const double given[3][3] = {{0.1, 0.01, -0.02}, {0.01, 0.2, 0.03}, {-0.02, 0.03, 0.25}};
    read_with(ARM, NULL);
    lode_mass mass = lode_body_get_mass(link_of("l1"));
    frame f = at(0.1, -0.2, 0.3, 0.3, -0.4, 0.5);
    double turned[3][3] = {{0}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 9; ++k)
                turned[i][j] += f.r[i][k / 3] * given[k / 3][k % 3] * f.r[j][k % 3];
    assert_true(near(mass.mass, 4.5, NEAR));
    assert_true(near_vec(mass.center, vec((lode_real)0.1, (lode_real)-0.2, (lode_real)0.3), NEAR));
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; ++i)
        assert_true(near(mass.inertia[i], turned[rows[i]][columns[i]], NEAR));
}

static void links_without_inertial_weigh_what_shapes_or_frames_do(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'><link name='tool'/>"
        "<link name='ball'><collision><origin xyz='1 2 3'/><geometry><sphere radius='0.5'/>"
        "</geometry></collision></link>"
        "<joint name='j' type='fixed'><parent link='tool'/><child link='ball'/>"
        "<axis xyz='0 0 0'/></joint></robot>";
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.shape.density = 300;
    options.shape.friction = (lode_real)0.9;
    options.frame_mass = (lode_real)0.02;
    read_with(text, &options);
    lode_mass ball = lode_body_get_mass(link_of("ball"));
    lode_mass tool = lode_body_get_mass(link_of("tool"));
    assert_true(near(ball.mass, 300 * 4.0 / 3 * 3.14159265358979 / 8, 1e-4));
    assert_true(near_vec(ball.center, vec(1, 2, 3), NEAR));
    assert_true(near(tool.mass, 0.02, NEAR));
    assert_true(near(tool.inertia[1], 0.4 * 0.02 * 0.05 * 0.05, NEAR * 1e-3));
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(link_of("ball"), &shape, 1), 1);
    assert_true(lode_shape_get_def(shape).friction == (lode_real)0.9);
    assert_true(near_vec(lode_shape_get_def(shape).pose.position, vec(1, 2, 3), NEAR));
    options.shape.density = 0;
    lode_io_robot_free(&robot);
    read_with(text, &options);
    assert_true(near(lode_body_get_mass(link_of("ball")).mass, 0.02, NEAR));
}

static void shapes_have_the_sizes_of_the_file(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='r'>"
        "<link name='a'><collision><geometry><box size='1 2 3'/></geometry></collision></link>"
        "<link name='b'><collision><geometry><cylinder radius='2' length='3'/></geometry>"
        "</collision></link>"
        "<link name='c'><collision><geometry><capsule radius='2' length='0'/></geometry>"
        "</collision></link>" JOINT("ab", "fixed", "a", "b", "")
            JOINT("bc", "fixed", "b", "c", "") "</robot>";
    lode_shape shape;
    read_with(text, NULL);
    assert_int_equal(lode_body_get_shapes(link_of("a"), &shape, 1), 1);
    lode_vec3 half = lode_shape_get_half_extents(shape);
    assert_true(half.x == (lode_real)0.5 && half.y == 1 && half.z == (lode_real)1.5);
    assert_int_equal(lode_body_get_shapes(link_of("b"), &shape, 1), 1);
    assert_int_equal(lode_shape_get_type(shape), LODE_CYLINDER);
    assert_true(lode_shape_get_radius(shape) == 2);
    assert_true(lode_shape_get_half_length(shape) == (lode_real)1.5);
    assert_int_equal(lode_body_get_shapes(link_of("c"), &shape, 1), 1);
    assert_int_equal(lode_shape_get_type(shape), LODE_CAPSULE);
    assert_true(lode_shape_get_radius(shape) == 2 && lode_shape_get_half_length(shape) == 0);
}

/* --- kinds of joints */

static void every_type_is_its_joint(void **state)
{
    (void)state;
    static const char text[] = "<robot name='r'>" BOX_LINK("a", "1") BOX_LINK("b", "1")
        BOX_LINK("c", "1") BOX_LINK("d", "1") BOX_LINK("e", "1") BOX_LINK("f", "1")
            JOINT("continuous", "continuous", "a", "b",
                  "<axis xyz='0 0 -2'/><limit effort='0' velocity='0' lower='1' upper='-1'/>")
                JOINT("prismatic", "prismatic", "a", "c", "<axis xyz='0 1 1'/>" LIMIT)
                    JOINT("planar", "planar", "b", "d", "<axis xyz='0 0 1'/>")
                        JOINT("floating", "floating", "c", "e",
                              "<origin xyz='1 0 0' rpy='0 0 1'/><axis xyz='0 0 0'/>")
                            JOINT("fixed", "fixed", "e", "f", "") "</robot>";
    lode_articulation made = read_with(text, NULL);
    assert_int_equal(lode_articulation_count_dofs(made), 1 + 1 + 3 + 6);
    assert_int_equal(axis_of("continuous").motion, LODE_MOTION_FREE);
    assert_true(axis_of("continuous").max_velocity == 100);
    assert_int_equal(joint_of("prismatic")->axis, LODE_AXIS_X);
    assert_true(axis_of("prismatic").lo == (lode_real)-1.5 && axis_of("prismatic").hi == 2);
    assert_int_equal(lode_link_count_dofs(link_of("f")), 0);
    /* from 0 on, where the file's frames are */
    lode_body d = link_of("d"), e = link_of("e");
    assert_int_equal(lode_link_set_position(d, LODE_AXIS_Y, 3), LODE_OK);
    assert_int_equal(lode_link_set_position(d, LODE_AXIS_Z, 4), LODE_OK);
    assert_int_equal(lode_link_set_position(d, LODE_AXIS_TWIST, (lode_real)0.5), LODE_OK);
    assert_int_equal(lode_link_set_position(e, LODE_AXIS_Y, 2), LODE_OK);
    same_frame(frame_of(lode_body_get_pose(d)), at(3, 4, 0, 0, 0, 0.5), 10 * NEAR, "d");
    same_frame(frame_of(lode_body_get_pose(e)), mul(at(1, 0, 0, 0, 0, 1), at(0, 2, 0, 0, 0, 0)),
               10 * NEAR, "e");
}

/* Slides of planar joints, for the axes x and y and their opposites. */
static void planar_joints_slide_across_their_axis(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        char text[2000];
        double axis[3] = {0}, y[3] = {0};
        axis[k / 2] = k % 2 ? -1 : 1;
        y[(k / 2 + 1) % 3] = 1;
        snprintf(text, sizeof text,
                 "<robot name='r'>" BOX_LINK("a", "1") BOX_LINK("b", "1")
                     JOINT("j", "planar", "a", "b", "<axis xyz='%g %g %g'/>") "</robot>",
                 axis[0], axis[1], axis[2]);
        read_with(text, NULL);
        lode_body b = link_of("b");
        assert_int_equal(lode_link_set_position(b, LODE_AXIS_Y, 3), LODE_OK);
        assert_int_equal(lode_link_set_position(b, LODE_AXIS_TWIST, (lode_real)0.5), LODE_OK);
        frame expected = turn(axis, 0.5);
        for (int i = 0; i < 3; ++i)
            expected.p[i] = (k % 2 ? -3 : 3) * y[i];
        same_frame(frame_of(lode_body_get_pose(b)), expected, 10 * NEAR, "b");
        lode_articulation_destroy(robot.articulation);
        lode_io_robot_free(&robot);
    }
}

static void joints_begin_within_their_limits(void **state)
{
    (void)state;
    static const char text[] = "<robot name='r'>" BOX_LINK("a", "1") BOX_LINK("b", "1")
        BOX_LINK("c", "1") BOX_LINK("d", "1") BOX_LINK("e", "1") JOINT(
            "above", "revolute", "a", "b", "<limit lower='0.5' upper='9' effort='0' velocity='0'/>")
            JOINT("below", "prismatic", "a", "c",
                  "<limit lower='-3' upper='-1' effort='5' velocity='0'/>")
                JOINT("stuck", "revolute", "a", "d",
                      "<origin xyz='0 0 1'/><axis xyz='0 0 1'/>"
                      "<limit lower='0.3' upper='0.3' effort='1' velocity='1'/>")
                    JOINT("held", "prismatic", "d", "e",
                          "<origin rpy='0 0 1.2'/><axis xyz='0 1 0'/>"
                          "<limit lower='2' upper='2' effort='1' velocity='1'/>") "</robot>";
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.drive.type = LODE_DRIVE_ACCELERATION;
    options.drive.stiffness = 100;
    options.drive.damping = 20;
    options.drive.max_force = 3;
    options.self_collision = true;
    options.insert = false;
    lode_articulation made = read_with(text, &options);
    assert_false(lode_articulation_is_inserted(made));
    assert_true(lode_articulation_get_def(made).self_collision);
    assert_false(lode_articulation_get_def(made).fixed_base);
    assert_int_equal(lode_articulation_insert(made), LODE_OK);
    assert_true(axis_of("above").position == (lode_real)0.5);
    assert_true(axis_of("above").target == (lode_real)0.5 && axis_of("above").hi == 9);
    assert_true(axis_of("below").position == -1 && axis_of("below").target == -1);
    assert_int_equal(axis_of("below").drive.type, LODE_DRIVE_ACCELERATION);
    assert_true(axis_of("below").drive.stiffness == 100 && axis_of("below").drive.damping == 20);
    assert_true(axis_of("below").drive.max_force == 3 && axis_of("above").drive.max_force == 3);
    assert_int_equal(lode_articulation_count_dofs(made), 2);
    frame d = at(0, 0, 1, 0, 0, 0.3);
    frame e = mul(mul(d, at(0, 0, 0, 0, 0, 1.2)), at(0, 2, 0, 0, 0, 0));
    same_frame(frame_of(lode_body_get_pose(link_of("d"))), d, 10 * NEAR, "d");
    same_frame(frame_of(lode_body_get_pose(link_of("e"))), e, 10 * NEAR, "e");
}

/* --- trees at random: the text is written out of numbers, of which the test computes the frames */

enum { MOST_LINKS = 24 };

static void trees_at_random_stand_where_matrices_say(void **state)
{
    (void)state;
    static const char *const types[] = {"fixed", "revolute", "continuous", "prismatic"};
    static char text[MOST_LINKS * 900];
    test_random random = {11};
    for (int round = 0; round < 60; ++round) {
        int count = 2 + (int)random_below(&random, MOST_LINKS - 1), kind[MOST_LINKS] = {0},
            parent[MOST_LINKS] = {0}, slot[MOST_LINKS];
        double o[MOST_LINKS][6], axis[MOST_LINKS][3];
        /* links and joints in any order of the file */
        for (int i = 0; i < count; ++i) {
            int j = (int)random_below(&random, (uint32_t)i + 1);
            slot[i] = slot[j];
            slot[j] = i;
        }
        char *end = text + sprintf(text, "<robot name='r'>");
        for (int i = 0; i < count; ++i)
            end += sprintf(end,
                           "<link name='n%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                           "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>",
                           slot[i]);
        for (int k = 0; k < count; ++k) {
            int i = slot[k];
            if (i == 0)
                continue;
            kind[i] = (int)random_below(&random, 4);
            parent[i] = (int)random_below(&random, (uint32_t)i);
            random_direction(&random, axis[i]);
            for (int c = 0; c < 6; ++c)
                o[i][c] = random_between(&random, c < 3 ? -1 : -7, c < 3 ? 1 : 7);
            end += sprintf(end,
                           "<joint name='n%d' type='%s'><origin xyz='%.17g %.17g %.17g' "
                           "rpy='%.17g %.17g %.17g'/><parent link='n%d'/><child link='n%d'/>"
                           "<axis xyz='%.17g %.17g %.17g'/>"
                           "<limit lower='-9' upper='9' effort='1' velocity='1'/></joint>",
                           i, types[kind[i]], o[i][0], o[i][1], o[i][2], o[i][3], o[i][4], o[i][5],
                           parent[i], i, axis[i][0], axis[i][1], axis[i][2]);
        }
        sprintf(end, "</robot>");
        read_with(text, NULL);
        frame frames[MOST_LINKS] = {at(0, 0, 0, 0, 0, 0)};
        for (int i = 1; i < count; ++i) {
            char name[8];
            lode_real q = kind[i] ? (lode_real)random_between(&random, -6, 6) : 0;
            snprintf(name, sizeof name, "n%d", i);
            if (kind[i])
                set_position(name, q);
            frames[i] = mul(frames[parent[i]],
                            at(o[i][0], o[i][1], o[i][2], o[i][3], o[i][4], o[i][5]));
            frames[i] = mul(frames[i], kind[i] == 3 ? slide(axis[i], q) : turn(axis[i], q));
            same_frame(frame_of(lode_body_get_pose(link_of(name))), frames[i], 100 * NEAR, name);
        }
        lode_articulation_destroy(robot.articulation);
        lode_io_robot_free(&robot);
    }
}

/* --- motion */

/* Four legs of three joints each on a trunk. */
#define LEG(name, x, y) \
    BOX_LINK(name "hip", "0.5") \
    BOX_LINK(name "thigh", "0.5") \
    " <link name=\"" name "shank\">\n  <inertial><mass value=\"0.3\"/>" \
    "<inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" " \
    "iyz=\"0\"/></inertial>\n" \
    "  <collision><origin xyz=\"0 0 -0.2\"/><geometry><sphere " \
    "radius=\"0.04\"/></geometry>" \
    "</collision></link>\n" JOINT(name "roll", "revolute", "trunk", name "hip", \
                                  "<origin xyz=\"" x " " y " 0\"/><axis xyz=\"1 0 0\"/>" LIMIT) \
        JOINT(name "pitch", "revolute", name "hip", name "thigh", "<axis xyz=\"0 1 0\"/>" LIMIT) \
            JOINT(name "knee", "revolute", name "thigh", name "shank", \
                  "<origin xyz=\"0 0 -0.2\"/><axis xyz=\"0 1 0\"/>" LIMIT)

static void a_quadruped_stands_on_its_drives(void **state)
{
    (void)state;
    static const char text[] = "<robot name='dog'>" BOX_LINK("trunk", "8") LEG("fl_", "0.3", "0.2")
        LEG("fr_", "0.3", "-0.2") LEG("bl_", "-0.3", "0.2") LEG("br_", "-0.3", "-0.2") "</robot>";
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.root_pose.position = vec(0, 0, (lode_real)0.46);
    options.drive.type = LODE_DRIVE_FORCE;
    options.drive.stiffness = 400;
    options.drive.damping = 20;
    lode_articulation dog = read_with(text, &options);
    assert_int_equal(lode_articulation_count_dofs(dog), 12);
    assert_int_equal(robot.link_count, 13);
    lode_body ground = add_ground(world);
    (void)ground;
    for (int i = 0; i < 240; ++i)
        assert_int_equal(lode_world_step(world, (lode_real)1 / 240), LODE_OK);
    lode_pose trunk = lode_body_get_pose(link_of("trunk"));
    assert_true(near(trunk.position.z, 0.44, 0.02));
    assert_true(near(trunk.position.x, 0, 0.02) && near(trunk.position.y, 0, 0.02));
    assert_true(near(trunk.rotation.w, 1, 1e-3));
}

static void a_fixed_base_stays_and_a_floating_one_falls(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; ++fixed) {
        lode_io_urdf_options options = lode_io_urdf_options_default();
        options.fixed_base = fixed;
        read_with(ARM, &options);
        for (int i = 0; i < 64; ++i)
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode_real z = lode_body_get_pose(link_of("base")).position.z;
        assert_true(fixed ? z == 0 : z < -3);
        lode_articulation_destroy(robot.articulation);
        lode_io_robot_free(&robot);
    }
}

/* Fingers on a hand: a turn, one that mimics it, one that mimics that, a slide that mimics the
 * first, and one that mimics a joint which its limits hold. */
#define HAND \
    "<robot name=\"hand\"><link name=\"palm\"/>" BOX_LINK("a", "1") BOX_LINK("b", "1") \
        BOX_LINK("c", "2") BOX_LINK("d", "1") BOX_LINK("e", "1") BOX_LINK("f", "1") \
            JOINT("ja", "continuous", "palm", "a", "<axis xyz=\"1 0 0\"/>\n") \
                JOINT("jb", "revolute", "palm", "b", \
                      LIMIT "<axis xyz=\"0 1 0\"/><mimic joint=\"ja\" multiplier=\"-0.5\" " \
                            "offset=\"0.25\"/>\n") \
                    JOINT("jc", "continuous", "b", "c", \
                          "<axis xyz=\"0 1 0\"/><mimic joint=\"jb\" multiplier=\"2\"/>\n") \
                        JOINT("jd", "prismatic", "palm", "d", \
                              LIMIT "<mimic joint=\"ja\" multiplier=\"0.1\"/>\n") \
                            JOINT("je", "revolute", "palm", "e", \
                                  "<limit lower=\"1\" upper=\"1\" effort=\"1\" " \
                                  "velocity=\"1\"/>\n") \
                                JOINT("jf", "continuous", "palm", "f", \
                                      "<mimic joint=\"je\"/>\n") "</robot>"

static double position_of(const char *name)
{
    return (double)axis_of(name).position;
}

static void follow(double tolerance)
{
    double a = position_of("ja"), b = position_of("jb");
    assert_true(near(b, -0.5 * a + 0.25, tolerance));
    assert_true(near(position_of("jc"), 2 * b, tolerance));
    assert_true(near(position_of("jd"), 0.1 * a, tolerance));
}

static void joints_that_mimic_others_follow_them(void **state)
{
    (void)state;
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.fixed_base = true;
    options.drive.type = LODE_DRIVE_FORCE;
    options.drive.stiffness = 50;
    options.drive.damping = 5;
    lode_articulation hand = read_with(HAND, &options);
    assert_int_equal(robot.mimic_count, 4);
    assert_int_equal(lode_articulation_get_mimics(hand, NULL, 0, 0), 3);
    assert_int_equal(axis_of("ja").drive.type, LODE_DRIVE_FORCE);
    assert_int_equal(axis_of("jb").drive.type, LODE_DRIVE_NONE);
    assert_int_equal(axis_of("jf").drive.type, LODE_DRIVE_FORCE);
    assert_true(position_of("ja") == 0 && position_of("jb") == 0.25 && position_of("jc") == 0.5);
    follow(1e-6);
    const lode_io_robot_joint *first = joint_of("ja");
    assert_int_equal(lode_link_set_target(first->link, first->axis, (lode_real)0.8, true), LODE_OK);
    for (int s = 0; s < 240; ++s) {
        assert_int_equal(lode_world_step(world, (lode_real)(1.0 / 240)), LODE_OK);
        follow(2e-3);
    }
    assert_true(position_of("ja") > 0.4);
    lode_articulation_destroy(hand);
    lode_io_robot_free(&robot);
    /* or are free */
    options.mimics = false;
    hand = read_with(HAND, &options);
    assert_int_equal(robot.mimic_count, 4);
    assert_int_equal(lode_articulation_get_mimics(hand, NULL, 0, 0), 0);
    assert_int_equal(axis_of("jb").drive.type, LODE_DRIVE_FORCE);
    assert_true(position_of("jb") == 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(an_arm_stands_where_its_joints_say),
        CASE(angles_may_be_of_many_turns),
        CASE(an_arm_has_what_its_file_says),
        CASE(inertials_are_turned_into_the_links_axes),
        CASE(links_without_inertial_weigh_what_shapes_or_frames_do),
        CASE(shapes_have_the_sizes_of_the_file),
        CASE(every_type_is_its_joint),
        CASE(planar_joints_slide_across_their_axis),
        CASE(joints_begin_within_their_limits),
        CASE(joints_that_mimic_others_follow_them),
        CASE(trees_at_random_stand_where_matrices_say),
        CASE(a_quadruped_stands_on_its_drives),
        CASE(a_fixed_base_stays_and_a_floating_one_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
