/* Joints: frames, the world as partner, what they do to contacts, and what goes with a body. */
#include "tests/world/support.h"

#include <math.h>

static const double tolerance = sizeof(lode_real) == sizeof(float) ? 1e-5 : 1e-12;
static lode_world world;

/* PGS holds joints rigidly. */
static lode_world rigid_world(void)
{
    lode_world_def def = lode_world_def_default();
    def.solver = LODE_SOLVER_PGS;
    return lode_world_create(&def);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    world = rigid_world();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count; /* good calls report nothing */
}

static void step(int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static lode_world_stats stats(void)
{
    lode_world_stats out;
    assert_int_equal(lode_world_get_stats(world, &out), LODE_OK);
    return out;
}

static lode_joint join(lode_body a, lode_body b, lode_vec3 anchor, bool collide)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    def.collide_connected = collide;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, vec(0, 1, 1)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id != 0);
    return joint;
}

/* Squared. */
static double separation(lode_joint joint)
{
    lode_vec3 a = lode_joint_get_anchor_a(joint), b = lode_joint_get_anchor_b(joint);
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

static lode_vec3 rotate_x(lode_quat q)
{
    return vec(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z),
               2 * (q.x * q.z - q.w * q.y));
}

static void anchors_give_frames_in_both_bodies(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = add_ball(world, 1, 0, 0, 1);
    def.body_b = add_ball(world, 0, 5, 0, 1);
    lode_body_set_pose(def.body_a, (lode_pose){{1, 0, 0}, {1, 0, 0, 1}}); /* x is y, y is -x */
    lode_joint_def_anchor_world(&def, vec(2, 3, 4), vec(0, 2, 0));
    assert_true(near_vec(def.frame_a.position, vec(3, -1, 4), tolerance));
    assert_true(near_vec(def.frame_b.position, vec(2, -2, 4), tolerance));
    assert_true(near_vec(rotate_x(def.frame_a.rotation), vec(1, 0, 0), tolerance));
    assert_true(near_vec(rotate_x(def.frame_b.rotation), vec(0, 1, 0), tolerance));
    lode_joint_def_anchor_world(&def, vec(2, 3, 4), vec(-1, 0, 0)); /* against x */
    assert_true(near_vec(rotate_x(def.frame_b.rotation), vec(-1, 0, 0), tolerance));
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(near_vec(lode_joint_get_anchor_a(joint), vec(2, 3, 4), 4 * tolerance));
    assert_true(near_vec(lode_joint_get_anchor_b(joint), vec(2, 3, 4), 4 * tolerance));
}

static lode_vec3 rotate_y(lode_quat q)
{
    return vec(2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
               2 * (q.y * q.z + q.w * q.x));
}

/* Lines to anchors in all directions about the axis, those along it and of no length included. */
static void two_anchors_give_frames_whose_y_axes_follow_their_line(void **state)
{
    (void)state;
    const lode_vec3 axes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 3}, {1, -2, (lode_real)0.5}};
    const lode_vec3 lines[] = {{0, 2, 0}, {0, -2, 0},  {0, 0, 1}, {0, 0, -1},
                               {3, 1, 1}, {-1, -1, 0}, {1, 0, 0}, {0, 0, 0}};
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DOUBLE_HINGE);
    def.body_a = add_ball(world, 1, 0, 0, 1);
    def.body_b = add_ball(world, 0, 5, 0, 1);
    lode_body_set_pose(def.body_b, (lode_pose){{0, 5, 0}, {1, 0, 0, 1}}); /* x is y, y is -x */
    for (int i = 0; i < 4 * 8; ++i) {
        lode_vec3 axis = axes[i / 8], line = lines[i % 8], at = vec(2, 3, 4);
        lode_vec3 from = vec(2 - line.x, 3 - line.y, 4 - line.z);
        assert_int_equal(lode_joint_def_anchors_world(&def, at, from, axis), LODE_OK);
        lode_vec3 x = rotate_x(def.frame_a.rotation), y = rotate_y(def.frame_a.rotation);
        lode_vec3 x_b = rotate_x(def.frame_b.rotation);
        assert_true(near_vec(def.frame_a.position, vec(1, 3, 4), tolerance));
        assert_true(near_vec(vec(-x_b.y, x_b.x, x_b.z), x, 4 * tolerance));
        double size = sqrt((double)(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z));
        double along = (line.x * axis.x + line.y * axis.y + line.z * axis.z) / (size * size);
        double across[3] = {line.x - along * axis.x, line.y - along * axis.y,
                            line.z - along * axis.z};
        double reach = across[0] * y.x + across[1] * y.y + across[2] * y.z;
        double whole = across[0] * across[0] + across[1] * across[1] + across[2] * across[2];
        assert_true(fabs(reach - sqrt(whole)) < 8 * tolerance);
        assert_true(fabs(x.x * axis.x + x.y * axis.y + x.z * axis.z - size) < 8 * tolerance);
    }
}

/* A pendulum on a rod bears its weight, and follows when the rod is lengthened. */
static void a_double_ball_keeps_its_anchors_apart(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
    lode_body bob = def.body_a = add_ball(world, 0, 0, 2, (lode_real)0.25);
    def.frame_b.position = vec(0, 0, 4);
    lode_joint rod = lode_joint_create(world, &def);
    assert_true(lode_joint_get_def(rod).distance == 2);
    step(64);
    double weight = 9.81 * lode_body_get_mass(bob).mass;
    assert_true(near_vec(lode_joint_get_force(rod), vec(0, 0, (lode_real)weight), weight * 0.01));
    assert_true(fabs(separation(rod) - 4) < 1e-5);
    assert_int_equal(lode_joint_set_distance(rod, (lode_real)2.5), LODE_OK);
    step(120);
    assert_true(fabs(separation(rod) - 6.25) < 1e-4);
    assert_true(lode_joint_get_def(rod).distance == (lode_real)2.5);
    lode_joint_destroy(rod);
    def.distance = 3; /* not what it is now */
    rod = lode_joint_create(world, &def);
    step(120);
    assert_true(fabs(separation(rod) - 9) < 1e-4);
}

/* A wheel on an axle that itself turns has its angle against the axle, however often it has gone
 * round, where its direction is fixed to the axle; about the world's axes that of the world. */
static void an_angular_motor_adds_up_what_it_sees(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_ANGULAR_MOTOR);
    lode_world_set_gravity(world, vec(0, 0, 0));
    def.body_a = add_ball(world, 1, 0, 0, 1);
    def.body_b = add_ball(world, 5, 0, 0, 1);
    const lode_axis_frame frames[3] = {LODE_AXIS_IN_WORLD, LODE_AXIS_IN_FRAME_A,
                                       LODE_AXIS_IN_FRAME_B};
    for (int i = 0; i < 3; ++i) {
        def.axis[i].direction = vec(0, 0, 3);
        def.axis[i].frame = frames[i];
    }
    lode_joint motor = lode_joint_create(world, &def);
    lode_body_set_angular_velocity(def.body_a, vec(0, 0, 5));
    lode_body_set_angular_velocity(def.body_b, vec(0, 0, -1));
    step(120);
    double turned = 6 * 120 * (double)STEP;
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(lode_joint_get_position(motor, i) - turned) < 64 * tolerance);
    assert_true(turned > 10);
    assert_int_equal(lode_joint_set_position(motor, 1, (lode_real)-0.5), LODE_OK);
    step(60);
    turned = 6 * 60 * (double)STEP;
    assert_true(fabs(lode_joint_get_position(motor, 1) + 0.5 - turned) < 64 * tolerance);
    assert_true(fabs(lode_joint_get_position(motor, 0) - 3 * turned) < 64 * tolerance);
}

/* It stops where it was told that it is; and stands there still when told that it is elsewhere. */
static void an_angular_motor_stops_where_it_was_told(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_ANGULAR_MOTOR);
    lode_world_set_gravity(world, vec(0, 0, 0));
    def.body_a = add_ball(world, 1, 0, 0, 1);
    def.axis[0].vel = 2;
    def.axis[0].f_max = 100000;
    def.axis[0].hi_stop = 1;
    def.axis[0].direction = vec(0, 1, 0);
    lode_joint motor = lode_joint_create(world, &def);
    step(60);
    assert_true(fabs(lode_joint_get_position(motor, 0) - 1) < 1e-4);
    lode_pose at = lode_body_get_pose(def.body_a);
    assert_true(fabs(2 * atan2(at.rotation.y, at.rotation.w) - 1) < 1e-4);
    assert_int_equal(lode_joint_set_position(motor, 0, (lode_real)0.25), LODE_OK);
    step(60);
    at = lode_body_get_pose(def.body_a);
    assert_true(fabs(2 * atan2(at.rotation.y, at.rotation.w) - 1.75) < 1e-3);
}

/* A motor along the world's z axis lifts a body that spins, between its stops, and holds it there.
 */
static void a_linear_motor_lifts_between_its_stops(void **state)
{
    (void)state;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_LINEAR_MOTOR);
    def.body_a = add_ball(world, 1, 0, 0, (lode_real)0.5);
    def.axis[2].lo_stop = -1;
    def.axis[2].hi_stop = (lode_real)0.5;
    def.axis[2].vel = 1;
    def.axis[2].f_max = 20000;
    def.axis[2].direction = vec(0, 0, 2);
    def.axis[2].frame = LODE_AXIS_IN_WORLD;
    lode_joint motor = lode_joint_create(world, &def);
    lode_body_set_angular_velocity(def.body_a, vec(3, 1, 2));
    step(20);
    assert_true(fabs(lode_joint_get_rate(motor, 2) - 1) < 1e-3);
    step(60);
    assert_true(fabs(lode_body_get_pose(def.body_a).position.z - 0.5) < 1e-3);
    lode_joint_set_motor(motor, 2, 0, 0);
    step(240);
    assert_true(fabs(lode_body_get_pose(def.body_a).position.z + 1) < 1e-3);
    double weight = 9.81 * lode_body_get_mass(def.body_a).mass;
    assert_true(fabs(lode_joint_get_stop_force(motor, 2) - weight) < 0.01 * weight);
}

/* Steps as long as these leave anchors behind, and to bring them back turns the body: the motor
 * knows. */
static void a_motor_keeps_its_speed_while_its_joint_drifts(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.solver = LODE_SOLVER_DIRECT;
    def.gravity = vec(0, 0, 0);
    lode_world free = lode_world_create(&def);
    lode_joint_def hinge = lode_joint_def_default(LODE_JOINT_HINGE);
    hinge.body_a = add_ball(free, 0, 0, 0, (lode_real)0.25);
    assert_int_equal(lode_joint_def_anchor_world(&hinge, vec((lode_real)-0.5, 0, 0), vec(0, 0, 1)),
                     LODE_OK);
    hinge.axis[0].vel = 2;
    hinge.axis[0].f_max = 30000;
    lode_joint joint = lode_joint_create(free, &hinge);
    double drift = 0;
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(lode_world_step(free, (lode_real)0.01), LODE_OK);
        assert_true(fabs(lode_joint_get_rate(joint, 0) - 2) <
                    (sizeof(lode_real) == 4 ? 1e-5 : 1e-8));
        drift = fmax(drift, separation(joint));
    }
    assert_true(sqrt(drift) > 1e-4);
    lode_world_destroy(free);
}

/* Hanging at rest below a point of the world, it carries the weight. */
static void a_joint_to_the_world_holds(void **state)
{
    (void)state;
    lode_body bob = add_ball(world, 0, 0, 2, (lode_real)0.25);
    lode_joint joint = join(bob, (lode_body){0}, vec(0, 0, 4), false);
    step(64);
    double weight = 9.81 * lode_body_get_mass(bob).mass;
    lode_vec3 force = lode_joint_get_force(joint);
    assert_true(near_vec(force, vec(0, 0, (lode_real)weight), weight * 0.01));
    assert_true(separation(joint) < 1e-6);
    assert_true(near_vec(lode_joint_get_anchor_b(joint), vec(0, 0, 4), 0));
    assert_true(lode_joint_get_body_b(joint).id == 0);
    lode_body_set_linear_velocity(bob, vec(1, 0, 0)); /* and swings */
    for (int i = 0; i < 100; ++i) {
        step(1);
        assert_true(separation(joint) < 1e-4);
    }
}

static void a_joint_to_a_static_body_holds(void **state)
{
    (void)state;
    lode_body post = add_body(world, LODE_STATIC, 0, 0, 5);
    lode_joint joint = join(add_ball(world, 2, 0, 5, (lode_real)0.25), post, vec(0, 0, 5), false);
    for (int i = 0; i < 100; ++i) {
        step(1);
        assert_true(separation(joint) < 1e-3);
    }
}

/* The anchor is a point of the body, wherever its centre of mass goes. */
static void anchors_stay_when_the_center_of_mass_moves(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, 4, 0, 0, 1);
    lode_joint joint = join(a, b, vec(2, 1, 0), false);
    def.pose.position = vec(0, 3, 0);
    lode_shape extra_a = lode_shape_create_sphere(a, &def, 2);
    lode_shape extra_b = lode_shape_create_sphere(b, &def, 1);
    assert_true(lode_body_get_mass(a).center.y > 1);
    assert_true(near_vec(lode_joint_get_anchor_a(joint), vec(2, 1, 0), 4 * tolerance));
    assert_true(near_vec(lode_joint_get_anchor_b(joint), vec(2, 1, 0), 4 * tolerance));
    lode_shape_destroy(extra_a);
    lode_shape_destroy(extra_b);
    assert_true(near_vec(lode_joint_get_anchor_a(joint), vec(2, 1, 0), 4 * tolerance));
    assert_true(near_vec(lode_joint_get_anchor_b(joint), vec(2, 1, 0), 4 * tolerance));
}

/* ---- contacts between joined bodies ---- */

static void joined_bodies_touch_only_when_they_may(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, (lode_real)1.9, 0, 0, 1);
    step(1);
    assert_int_equal(stats().contacts, 1);
    lode_joint joint = join(a, b, vec(1, 0, 0), false);
    step(1);
    assert_int_equal(stats().contacts, 0);
    lode_joint_destroy(joint);
    step(1);
    assert_int_equal(stats().contacts, 1);
    joint = join(a, b, vec(1, 0, 0), true);
    step(1);
    assert_int_equal(stats().contacts, 1);
    lode_joint second = join(a, b, vec(1, 1, 0), false);
    step(1);
    assert_int_equal(stats().contacts, 0); /* one that forbids is enough */
    lode_joint_destroy(second);
    step(1);
    assert_int_equal(stats().contacts, 1);
}

static void other_contacts_of_joined_bodies_stay(void **state)
{
    (void)state;
    add_ground(world);
    lode_body a = add_ball(world, 0, 0, 1, 1), b = add_ball(world, (lode_real)1.9, 0, 1, 1);
    step(1);
    assert_int_equal(stats().contacts, 3);
    join(a, b, vec(1, 0, 1), false);
    step(1);
    assert_int_equal(stats().contacts, 2);
}

/* A hub with many joints: only its own partners are kept from touching it. */
static void the_shorter_list_decides(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    const lode_real far = (lode_real)2.4, half = (lode_real)1.7;
    const lode_vec3 places[8] = {{far, 0, 0}, {-far, 0, 0}, {0, far, 0},     {0, -far, 0},
                                 {0, 0, far}, {0, 0, -far}, {half, half, 0}, {-half, -half, 0}};
    lode_body hub = add_ball(world, 0, 0, 0, 2), partners[8];
    for (int i = 0; i < 8; ++i) {
        lode_vec3 p = places[i];
        partners[i] = add_ball(world, p.x, p.y, p.z, (lode_real)0.5);
        if (i % 2 == 0)
            join(partners[i], hub, p, false);
    }
    step(1);
    lode_contact contacts[8];
    assert_int_equal(lode_world_get_contacts(world, contacts, 8), 4);
    for (int c = 0; c < 4; ++c) {
        assert_true(lode_shape_get_body(contacts[c].shape_a).id == hub.id);
        assert_true(lode_shape_get_body(contacts[c].shape_b).id == partners[2 * c + 1].id);
    }
}

/* ---- destruction ---- */

static void a_body_takes_its_shapes_and_joints_with_it(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    assert_int_equal(lode_body_destroy(s.crate), LODE_OK);
    assert_false(lode_shape_is_valid(s.box) || lode_shape_is_valid(s.lump));
    assert_false(lode_joint_is_valid(s.link));
    assert_true(lode_body_is_valid(s.ball) && lode_shape_is_valid(s.sphere));
    assert_true(lode_joint_is_valid(s.hook));
    assert_int_equal(lode_body_destroy(s.rod), LODE_OK);
    assert_false(lode_joint_is_valid(s.hook));
    lode_world_stats left;
    lode_world_get_stats(s.world, &left);
    assert_int_equal(left.bodies, 2);
    assert_int_equal(left.dynamic_bodies, 1);
    assert_int_equal(left.shapes, 3);
    assert_int_equal(left.joints, 0);
    scene_step(&s, 10);
    assert_int_equal(lode_body_destroy(s.ground), LODE_OK);
    lode_contact contact;
    assert_int_equal(lode_world_get_contacts(s.world, &contact, 1), 0);
    scene_step(&s, 10);
    assert_true(lode_body_get_linear_velocity(s.ball).z < -1); /* it falls */
    lode_world_destroy(s.world);
}

/* Whatever order things come and go in, what is left is the same. */
static void the_order_of_destruction_leaves_no_trace(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int order = 0; order < 2; ++order) {
        world = order ? (lode_world_destroy(world), rigid_world()) : world;
        lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, 3, 0, 0, 1);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_shape extra[3];
        lode_joint joints[3];
        for (int i = 0; i < 3; ++i) {
            shape_def.pose.position = vec(0, (lode_real)i, 1);
            extra[i] = lode_shape_create_sphere(a, &shape_def, (lode_real)0.3);
            joints[i] = join(a, b, vec(1, 1, (lode_real)i), false);
        }
        lode_shape_destroy(extra[order]);
        lode_joint_destroy(joints[order]);
        lode_shape_destroy(extra[1 - order]);
        lode_joint_destroy(joints[1 - order]);
        step(30);
        hashes[order] = lode_world_hash(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void joints_say_what_they_are(void **state)
{
    (void)state;
    int mine;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = add_ball(world, 0, 0, 0, 1);
    def.body_b = add_ball(world, 4, 0, 0, 1);
    def.user_data = &mine;
    lode_joint joint = lode_joint_create(world, &def);
    assert_int_equal(lode_joint_get_type(joint), LODE_JOINT_BALL);
    assert_true(lode_joint_get_body_a(joint).id == def.body_a.id);
    assert_true(lode_joint_get_body_b(joint).id == def.body_b.id);
    assert_ptr_equal(lode_joint_get_user_data(joint), &mine);
    assert_true(lode_joint_is_valid(joint));
}

/* ---- changing joints ---- */

static lode_joint hinge_of(lode_body a, lode_body b)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, vec(0, 0, 0), vec(0, 0, 1));
    return lode_joint_create(world, &def);
}

static int joint_rows(void)
{
    step(1);
    return stats().joint_rows;
}

/* Rows follow from what is set, not from where the joint stands. */
static void rows_follow_from_the_configuration(void **state)
{
    (void)state;
    lode_joint hinge = hinge_of(add_ball(world, 1, 0, 0, (lode_real)0.5), (lode_body){0});
    assert_int_equal(joint_rows(), 5);
    lode_joint_set_limits(hinge, 0, -2, 2);
    assert_int_equal(joint_rows(), 6);
    lode_joint_set_motor(hinge, 0, 1, 3);
    assert_int_equal(joint_rows(), 7);
    lode_joint_set_limits(hinge, 0, (lode_real)-INFINITY, (lode_real)INFINITY);
    assert_int_equal(joint_rows(), 6);
    lode_joint_set_motor(hinge, 0, 1, 0);
    assert_int_equal(joint_rows(), 5);
}

static void what_is_set_can_be_read(void **state)
{
    (void)state;
    int mine;
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, 4, 0, 0, 1);
    lode_joint hinge = hinge_of(a, b);
    const lode_joint_axis axis = {.lo_stop = -1,
                                  .hi_stop = 2,
                                  .vel = 3,
                                  .f_max = 4,
                                  .fudge_factor = (lode_real)0.75,
                                  .cfm = (lode_real)0.5,
                                  .bounce = (lode_real)0.25,
                                  .stop_erp = (lode_real)0.125,
                                  .stop_cfm = 1,
                                  .servo = 6,
                                  .target = (lode_real)1.5,
                                  .direction = {1, 2, 3},
                                  .frame = LODE_AXIS_IN_FRAME_A};
    const lode_pose frame_a = {{1, 2, 3}, {0, 1, 0, 0}}, frame_b = {{4, 5, 6}, {0, 0, 2, 0}};
    assert_int_equal(lode_joint_set_axis(hinge, 0, &axis), LODE_OK);
    assert_int_equal(lode_joint_set_erp(hinge, (lode_real)0.75), LODE_OK);
    assert_int_equal(lode_joint_set_cfm(hinge, (lode_real)0.5), LODE_OK);
    assert_int_equal(lode_joint_set_frames(hinge, frame_a, frame_b), LODE_OK);
    assert_int_equal(lode_joint_set_collide_connected(hinge, true), LODE_OK);
    assert_int_equal(lode_joint_set_max_force(hinge, 11), LODE_OK);
    assert_int_equal(lode_joint_set_max_torque(hinge, 12), LODE_OK);
    assert_int_equal(lode_joint_set_user_data(hinge, &mine), LODE_OK);
    lode_joint_def def = lode_joint_get_def(hinge);
    assert_int_equal(def.type, LODE_JOINT_HINGE);
    assert_true(def.body_a.id == a.id && def.body_b.id == b.id);
    size_t size = offsetof(lode_joint_axis, frame) + sizeof axis.frame; /* without padding */
    assert_memory_equal(&def.axis[0], &axis, size);
    assert_true(def.erp == (lode_real)0.75 && def.cfm == (lode_real)0.5);
    assert_true(def.max_force == 11 && def.max_torque == 12);
    assert_memory_equal(&def.frame_a, &frame_a, sizeof frame_a);
    assert_true(near_vec(def.frame_b.position, vec(4, 5, 6), 0) && def.frame_b.rotation.y == 1);
    assert_true(def.collide_connected && def.user_data == &mine);
    lode_joint_set_limits(hinge, 0, 0, 1);
    lode_joint_set_motor(hinge, 0, 7, 8);
    lode_joint_set_target(hinge, 0, -2);
    def = lode_joint_get_def(hinge);
    assert_true(def.axis[0].lo_stop == 0 && def.axis[0].hi_stop == 1);
    assert_true(def.axis[0].vel == 7 && def.axis[0].f_max == 8 && def.axis[0].stop_cfm == 1);
    assert_true(def.axis[0].servo == 6 && def.axis[0].target == -2);
}

/* Switched off it holds nothing and tells of nothing; switched on it pulls back what has parted. */
static void a_disabled_joint_does_nothing(void **state)
{
    (void)state;
    lode_body bob = add_ball(world, 0, 0, 2, (lode_real)0.25);
    lode_joint joint = join(bob, (lode_body){0}, vec(0, 0, 2), false);
    step(10);
    assert_true(lode_joint_get_enabled(joint) && lode_joint_get_force(joint).z > 1);
    assert_int_equal(lode_joint_set_enabled(joint, false), LODE_OK);
    assert_false(lode_joint_get_enabled(joint) || lode_joint_get_def(joint).enabled);
    assert_true(near_vec(lode_joint_get_force(joint), vec(0, 0, 0), 0));
    assert_int_equal(joint_rows(), 0);
    step(20);
    assert_true(near_vec(lode_joint_get_force(joint), vec(0, 0, 0), 0));
    double fallen = 9.81 / 2 * 21 * 22 * STEP * STEP; /* semi-implicit, and sub-steps less */
    double z = lode_body_get_pose(bob).position.z;
    assert_true(2 - z > 0.9 * fallen && 2 - z < 1.01 * fallen);
    lode_joint_def def = lode_joint_get_def(joint);
    lode_joint_destroy(joint);
    joint = lode_joint_create(world, &def);
    assert_int_equal(joint_rows(), 0);
    assert_int_equal(lode_joint_set_enabled(joint, true), LODE_OK);
    step(200);
    assert_true(separation(joint) < 1e-4);
}

/* A second joint made from what the first says is its twin. */
static void a_definition_read_back_makes_the_same_joint(void **state)
{
    (void)state;
    lode_body a = add_ball(world, 1, 0, 0, (lode_real)0.5);
    lode_joint hinge = hinge_of(a, (lode_body){0});
    lode_joint_set_limits(hinge, 0, -1, 1);
    uint64_t hash = lode_world_hash(world);
    lode_joint_def def = lode_joint_get_def(hinge);
    lode_joint_destroy(hinge);
    lode_world_def world_def = lode_world_def_default();
    lode_world other = lode_world_create(&world_def);
    def.body_a = add_ball(other, 1, 0, 0, (lode_real)0.5);
    lode_joint_create(other, &def);
    assert_true(lode_world_hash(other) == hash);
    lode_world_destroy(other);
}

static void contacts_follow_collide_connected(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, (lode_real)1.9, 0, 0, 1);
    lode_joint hinge = hinge_of(a, b);
    step(1);
    assert_int_equal(stats().contacts, 0);
    lode_joint_set_collide_connected(hinge, true);
    step(1);
    assert_int_equal(stats().contacts, 1);
    lode_joint_set_collide_connected(hinge, false);
    step(1);
    assert_int_equal(stats().contacts, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(anchors_give_frames_in_both_bodies),
        TEST(two_anchors_give_frames_whose_y_axes_follow_their_line),
        TEST(a_double_ball_keeps_its_anchors_apart),
        TEST(an_angular_motor_adds_up_what_it_sees),
        TEST(an_angular_motor_stops_where_it_was_told),
        TEST(a_motor_keeps_its_speed_while_its_joint_drifts),
        TEST(a_linear_motor_lifts_between_its_stops),
        TEST(a_joint_to_the_world_holds),
        TEST(a_joint_to_a_static_body_holds),
        TEST(anchors_stay_when_the_center_of_mass_moves),
        TEST(joined_bodies_touch_only_when_they_may),
        TEST(other_contacts_of_joined_bodies_stay),
        TEST(the_shorter_list_decides),
        TEST(a_body_takes_its_shapes_and_joints_with_it),
        TEST(the_order_of_destruction_leaves_no_trace),
        TEST(joints_say_what_they_are),
        TEST(rows_follow_from_the_configuration),
        TEST(what_is_set_can_be_read),
        TEST(a_disabled_joint_does_nothing),
        TEST(a_definition_read_back_makes_the_same_joint),
        TEST(contacts_follow_collide_connected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
