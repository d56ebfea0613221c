/* Articulations that touch, close loops and meet bodies. */
#include "tests/world/links.h"

/* ---- contacts */

static lode_shape add_box(lode_body body, lode_real x, lode_real y, lode_real z)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = 0;
    lode_shape shape = lode_shape_create_box(body, &def, vec(x, y, z));
    assert_true(shape.id);
    return shape;
}

/* Legs of two links under a trunk, on drives. */
static arm make_quadruped(lode_world world, lode_vec3 at)
{
    arm a = make_arm_in(world, false);
    lode_articulation_def settings = lode_articulation_get_def(a.articulation);
    settings.sleep_threshold = 0;
    lode_articulation_set_def(a.articulation, &settings);
    add_root(&a, at);
    set_mass(a.link[0], 10, 0.2, 0.5, 0.6);
    add_box(a.link[0], (lode_real)0.4, (lode_real)0.2, (lode_real)0.08);
    for (int leg = 0; leg < 4; ++leg) {
        lode_real x = (lode_real)(leg & 1 ? 0.35 : -0.35), y = (lode_real)(leg & 2 ? 0.25 : -0.25);
        for (int part = 0; part < 2; ++part) {
            lode_link_def def = hinge_at(part ? vec(0, 0, (lode_real)-0.15) : vec(x, y, 0),
                                         vec(0, 0, (lode_real)0.15));
            def.axis[0].position = def.axis[0].target = (lode_real)(part ? -0.8 : 0.4);
            def.axis[0].drive = (lode_link_drive){LODE_DRIVE_FORCE,    400, 20, 100, 0,
                                                  (lode_real)INFINITY, 0,   0};
            add_to(&a, part ? a.count - 1 : 0, &def);
            set_mass(a.link[a.count - 1], 0.7, 0.006, 0.006, 0.001);
            add_box(a.link[a.count - 1], (lode_real)0.03, (lode_real)0.03, (lode_real)0.15);
        }
    }
    insert(&a);
    return a;
}

static void make_mesh_floor(lode_world world)
{
    enum { SIDE = 9 };
    static lode_vec3 points[SIDE * SIDE];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 2][3];
    for (int i = 0; i < SIDE * SIDE; ++i)
        points[i] = vec((lode_real)(0.37 * (i % SIDE - SIDE / 2)),
                        (lode_real)(0.41 * (i / SIDE - SIDE / 2)), 0);
    int count = 0;
    for (uint32_t y = 0; y + 1 < SIDE; ++y)
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            uint32_t p = y * SIDE + x;
            const uint32_t two[2][3] = {{p, p + 1, p + SIDE}, {p + 1, p + SIDE + 1, p + SIDE}};
            for (int k = 0; k < 6; ++k)
                triangles[count + k / 3][k % 3] = two[k / 3][k % 3];
            count += 2;
        }
    lode_mesh_def surface = lode_mesh_def_default();
    surface.vertices = points;
    surface.vertex_count = SIDE * SIDE;
    surface.indices = triangles;
    surface.triangle_count = count;
    lode_mesh *mesh = lode_mesh_create(&surface);
    assert_non_null(mesh);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    assert_true(lode_shape_create_mesh(ground, &def, mesh).id);
    lode_mesh_release(mesh);
}

enum { STANDING = 20 }; /* seconds */

static void a_quadruped_stands_still(void **state)
{
    (void)state;
    for (int on_mesh = 0; on_mesh < 2; ++on_mesh) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        lode_world world = lode_world_create(&def);
        if (on_mesh)
            make_mesh_floor(world);
        else
            add_ground(world);
        arm a = make_quadruped(world, vec(0, 0, (lode_real)0.6));
        step_by(&a, 5 * 60, (lode_real)1 / 60); /* it settles */
        lode_vec3 stood = lode_body_get_center(a.link[0]);
        double fastest = 0, furthest = 0;
        for (int s = 0; s < STANDING * 60; ++s) {
            step_by(&a, 1, (lode_real)1 / 60);
            lode_vec3 now = lode_body_get_center(a.link[0]);
            furthest = fmax(furthest,
                            length_of(vec(now.x - stood.x, now.y - stood.y, now.z - stood.z)));
            for (int i = 1; i < a.count; ++i)
                fastest = fmax(fastest, fabs(qd_of(a.link[i])));
        }
        if (furthest >= 1e-3 || fastest >= 1e-3)
            print_error("on %d: moved %.3g m, fastest joint %.3g rad/s\n", on_mesh, furthest,
                        fastest);
        assert_true((double)stood.z > 0.4);
        assert_true(furthest < 1e-3);
        assert_true(fastest < 1e-3);
        lode_world_destroy(world);
    }
}

/* A link that falls on the ground comes to rest there, and bears what it weighs. */
static void links_rest_on_what_they_touch(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
    for (size_t i = 0; i < 2; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.solver = solvers[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm a = make_arm_in(world, false);
        add_root(&a, vec(0, 0, (lode_real)0.3));
        add_box(a.link[0], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
        lode_link_def link = hinge_at(vec((lode_real)0.3, 0, 0), vec((lode_real)-0.3, 0, 0));
        set_mass(add(&a, &link), 3, 0.1, 0.1, 0.1);
        add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
        insert(&a);
        step_by(&a, 180, (lode_real)1 / 60);
        double load = 0;
        lode_contact contacts[8];
        int count = lode_world_get_contacts(world, contacts, 8);
        for (int c = 0; c < count; ++c)
            for (int p = 0; p < contacts[c].point_count; ++p)
                load += fabs((double)contacts[c].points[p].impulse.z) * 60;
        EXPECT_NEAR(load, 40, 0.2);
        for (int l = 0; l < 2; ++l) {
            EXPECT_NEAR(lode_body_get_center(a.link[l]).z, 0.1, 0.01);
            EXPECT_NEAR(length_of(lode_body_get_linear_velocity(a.link[l])), 0, 1e-3);
        }
        lode_world_destroy(world);
    }
}

/* Contacts with links bounce like others: a floating link of its own like a ball, and one of two on
 * a hinge to the height that its energy gives. */
static void links_bounce(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, -10);
    def.sub_steps = 1;
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def shape = lode_shape_def_default();
    shape.restitution = (lode_real)0.8;
    shape.density = 0;
    assert_true(lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0).id);
    lode_body ball = add_body(world, LODE_DYNAMIC, 5, 0, 1);
    assert_true(lode_shape_create_sphere(ball, &shape, (lode_real)0.1).id);
    arm a = make_arm_in(world, false);
    add_root(&a, vec(0, 0, 1));
    assert_true(lode_shape_create_sphere(a.link[0], &shape, (lode_real)0.1).id);
    insert(&a);
    arm b = make_arm_in(world, true); /* a hammer that falls on the ground */
    add_root(&b, vec(0, 3, (lode_real)0.1));
    lode_link_def link = hinge_at(vec(0, 0, 0), vec(-1, 0, 0));
    link.axis[0].position = (lode_real)-0.5;
    set_mass(add(&b, &link), 2, 0.1, 0.1, 0.1);
    assert_true(lode_shape_create_sphere(b.link[1], &shape, (lode_real)0.1).id);
    insert(&b);
    double before = 0, after = 0;
    for (int s = 0; s < 1500; ++s) {
        double was = qd_of(b.link[1]);
        step_by(&a, 1, H);
        double now = qd_of(b.link[1]);
        if (was > 0.5 && now < 0 && before == 0) {
            before = was;
            after = now;
        }
        EXPECT_NEAR(lode_body_get_center(a.link[0]).z, lode_body_get_center(ball).z, 1e-5);
    }
    EXPECT_NEAR(-after / before, 0.8, 0.01);
    lode_world_destroy(world);
}

/* ---- loops */

/* Ordinary joints between links: a parallelogram of links that a hinge closes swings as a pendulum
 * of the same rods does, and stays closed. */
static void joints_close_loops(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), true);
    add_root(&a, vec(0, 0, 0));
    for (int side = 0; side < 2; ++side) {
        lode_link_def def = hinge_at(vec((lode_real)side, 0, 0), vec(0, 0, (lode_real)0.5));
        def.axis[0].position = (lode_real)0.5;
        add_to(&a, 0, &def);
        set_mass(a.link[a.count - 1], 1, 1.0 / 12, 1.0 / 12, 0.001);
    }
    lode_link_def bar = hinge_at(vec(0, 0, (lode_real)-0.5), vec((lode_real)-0.5, 0, 0));
    bar.axis[0].position = (lode_real)-0.5;
    add_to(&a, 1, &bar);
    set_mass(a.link[3], 1, 0.001, 1.0 / 12, 1.0 / 12);
    insert(&a);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a.link[3];
    def.body_b = a.link[2];
    lode_vec3 corner = lode_body_point_to_world(a.link[3], vec((lode_real)0.5, 0, 0));
    assert_true(
        near_vec(corner, lode_body_point_to_world(a.link[2], vec(0, 0, (lode_real)-0.5)), 1e-5));
    lode_joint_def_anchor_world(&def, corner, vec(0, 1, 0));
    assert_true(lode_joint_create(a.world, &def).id);
    /* one angle: I = 2 (1/12 + 1/4) + 1, moments m g l = 2 * 10 * 0.5 + 10 * 1 */
    double wanted = period(2.0 / 12 + 0.5 + 1, 20, 0.5), time = 0, last = 0, first = 0;
    for (int crossings = 0; crossings < 3;) {
        double q = q_of(a.link[1]);
        step_by(&a, 1, H);
        time += (double)H;
        double now = q_of(a.link[1]);
        if (q > 0 && now <= 0) {
            last = time - (double)H * now / (now - q);
            first = crossings++ == 0 ? last : first;
        }
        lode_vec3 p = lode_body_point_to_world(a.link[3], vec((lode_real)0.5, 0, 0));
        assert_true(
            near_vec(p, lode_body_point_to_world(a.link[2], vec(0, 0, (lode_real)-0.5)), 1e-3));
        assert_true(time < 20);
    }
    EXPECT_NEAR((last - first) / 2, wanted, 2e-3 * wanted);
    lode_world_destroy(a.world);
}

/* A body that hangs on a link by a ball joint weighs as much as one that is a link. */
static void bodies_hang_on_links(void **state)
{
    (void)state;
    double angle[2];
    for (int as_link = 0; as_link < 2; ++as_link) {
        arm a = make_arm(vec(0, 0, -10), true);
        add_root(&a, vec(0, 0, 0));
        lode_link_def def = hinge_at(vec(0, 0, 0), vec(0, 0, (lode_real)0.5));
        def.axis[0].drive = (lode_link_drive){LODE_DRIVE_FORCE,    200, 40, (lode_real)INFINITY, 0,
                                              (lode_real)INFINITY, 0,   0};
        def.axis[0].target = 1;
        def.axis[0].position = 1;
        set_mass(add(&a, &def), 1, 0.1, 0.1, 0.1);
        if (as_link) {
            lode_link_def low = lode_link_def_default(LODE_LINK_SPHERICAL);
            low.parent_frame.position.z = (lode_real)-0.5;
            set_mass(add(&a, &low), 4, 0.1, 0.1, 0.1);
        }
        insert(&a);
        if (!as_link) {
            lode_vec3 at = lode_body_point_to_world(a.link[1], vec(0, 0, (lode_real)-0.5));
            lode_body body = add_body(a.world, LODE_DYNAMIC, at.x, at.y, at.z);
            set_mass(body, 4, 0.1, 0.1, 0.1);
            lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
            joint.body_a = a.link[1];
            joint.body_b = body;
            lode_joint_def_anchor_world(&joint, at, vec(0, 0, 1));
            assert_true(lode_joint_create(a.world, &joint).id);
        }
        step_by(&a, 5000, H);
        angle[as_link] = q_of(a.link[1]);
        EXPECT_NEAR(qd_of(a.link[1]), 0, 1e-3);
        lode_world_destroy(a.world);
    }
    EXPECT_NEAR(angle[0], angle[1], 1e-3);
    /* k (1 - q) = (1 * 0.5 + 4 * 1) * 10 * sin(q) */
    EXPECT_NEAR(200 * (1 - angle[1]), 45 * sin(angle[1]), 0.05);
}

/* An arm on a fixed base lifts a box from below. */
static void an_arm_lifts_a_box(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, -10);
    lode_world world = lode_world_create(&world_def);
    add_ground(world);
    arm a = make_arm_in(world, true);
    add_root(&a, vec(-1, 0, (lode_real)0.05));
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    def.axis[LODE_AXIS_X].motion = LODE_MOTION_LOCKED;
    def.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_Z].drive = (lode_link_drive){LODE_DRIVE_FORCE,    20000, 2000, 1000, 0,
                                                    (lode_real)INFINITY, 0,     0};
    set_mass(add(&a, &def), 1, 0.1, 0.1, 0.1);
    add_box(a.link[1], (lode_real)0.5, (lode_real)0.3, (lode_real)0.04);
    insert(&a);
    lode_body box = add_body(world, LODE_DYNAMIC, -1, 0, (lode_real)0.3);
    lode_shape_def shape = lode_shape_def_default();
    shape.density = 100;
    lode_shape_create_box(box, &shape, vec((lode_real)0.2, (lode_real)0.2, (lode_real)0.2));
    step_by(&a, 30, (lode_real)1 / 60);
    for (int s = 0; s < 120; ++s) {
        lode_link_set_target(a.link[1], LODE_AXIS_Z, (lode_real)(s / 120.0), true);
        step_by(&a, 1, (lode_real)1 / 60);
    }
    step_by(&a, 120, (lode_real)1 / 60);
    double weight = (double)lode_body_get_mass(box).mass * 10 + 10;
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_Z).position, 1 - weight / 20000 - 1.0 / 120, 1e-3);
    EXPECT_NEAR(lode_body_get_center(box).z, axis_of(a.link[1], LODE_AXIS_Z).position + 0.05 + 0.24,
                0.01);
    lode_world_destroy(world);
}

/* ---- with bodies and with each other */

static lode_body add_ball_at(lode_world world, lode_vec3 at, lode_vec3 velocity, lode_real e)
{
    lode_body ball = add_body(world, LODE_DYNAMIC, at.x, at.y, at.z);
    lode_shape_def shape = lode_shape_def_default();
    shape.restitution = e;
    assert_true(lode_shape_create_sphere(ball, &shape, (lode_real)0.2).id);
    set_mass(ball, 2, 0.1, 0.1, 0.1);
    lode_body_set_linear_velocity(ball, velocity);
    return ball;
}

static double energy_of(const arm *a)
{
    double sum = 0;
    for (int i = 0; i < a->count; ++i) {
        lode_mass mass = lode_body_get_mass(a->link[i]);
        lode_vec3 v = lode_body_get_linear_velocity(a->link[i]);
        lode_vec3 w = lode_body_vector_from_world(a->link[i],
                                                  lode_body_get_angular_velocity(a->link[i]));
        sum += (double)(mass.mass * (v.x * v.x + v.y * v.y + v.z * v.z) +
                        mass.inertia[0] * w.x * w.x + mass.inertia[1] * w.y * w.y +
                        mass.inertia[2] * w.z * w.z);
    }
    return sum / 2;
}

/* Balls strike a floating chain at rest: what one loses the other gains, with e = 1 energy too. */
static void blows_keep_momentum(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        lode_real e = (lode_real)(i & 1);
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, 0);
        def.sub_steps = i & 2 ? 4 : 1;
        def.solver = i & 4 ? LODE_SOLVER_SOFT_STEP : LODE_SOLVER_PGS;
        lode_world world = lode_world_create(&def);
        arm a = make_arm_in(world, false);
        for (int k = 0; k < 4; ++k) {
            lode_link_def link = k % 2 ? hinge_at(vec((lode_real)0.5, 0, 0),
                                                  vec((lode_real)-0.5, 0, 0))
                                       : lode_link_def_default(LODE_LINK_SPHERICAL);
            link.parent_frame.position.x = (lode_real)0.5;
            link.child_frame.position.x = (lode_real)-0.5;
            lode_body body = add(&a, &link);
            lode_shape_def shape = lode_shape_def_default();
            shape.restitution = e;
            shape.friction = 0;
            assert_true(lode_shape_create_capsule(body, &shape, (lode_real)0.2, (lode_real)0.2).id);
            set_mass(body, 1, 0.05, 0.08, 0.09);
        }
        insert(&a);
        a.link[a.count++] = add_ball_at(world, vec((lode_real)1.2, (lode_real)0.05, 1),
                                        vec(0, 0, -4), e);
        momentum before = momentum_of(&a);
        double energy = energy_of(&a);
        step_by(&a, 200, H);
        /* turning is of first order in the sub-step */
        expect_momentum(momentum_of(&a), before, def.sub_steps > 1 ? 0.02 : 0.1, __LINE__);
        assert_true((double)lode_body_get_linear_velocity(a.link[4]).z > -3); /* it struck */
        if (e > 0)
            EXPECT_NEAR(energy_of(&a), energy, 0.02 * energy);
        else
            assert_true(energy_of(&a) < 0.95 * energy);
        lode_world_destroy(world);
    }
}

/* A kinematic plate lifts a hanging link, and lets it down. */
static void kinematic_bodies_push_links(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), true);
    add_root(&a, vec(0, 0, 2));
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    def.axis[LODE_AXIS_X].motion = LODE_MOTION_LOCKED;
    def.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_Z].position = -1;
    set_mass(add(&a, &def), 5, 0.1, 0.1, 0.1);
    add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
    insert(&a);
    lode_body plate = add_body(a.world, LODE_KINEMATIC, 0, 0, (lode_real)0.79);
    add_box(plate, 1, 1, (lode_real)0.1);
    step_by(&a, 200, H);
    for (int s = 0; s < 1000; ++s) {
        lode_body_set_linear_velocity(plate, vec(0, 0, (lode_real)(s < 500 ? 1 : -1)));
        step_by(&a, 1, H);
        double apart = (double)(lode_body_get_center(a.link[1]).z - lode_body_get_center(plate).z);
        if (s >= 500 && s < 950) /* it is thrown up: 0.2 m for 0.4 s */
            assert_true(apart > 0.19 && apart < 0.41);
        else
            EXPECT_NEAR(apart, 0.2, 0.006);
    }
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_Z).velocity, -1, 0.05);
    lode_world_destroy(a.world);
}

/* Two arms whose hands a bar ties to each other. */
static void articulations_meet_each_other(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP,
                                          LODE_SOLVER_DIRECT, LODE_SOLVER_HYBRID};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.solver = solvers[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm two[2];
        for (int k = 0; k < 2; ++k) {
            two[k] = make_arm_in(world, true);
            add_root(&two[k], vec((lode_real)(k ? 1 : -1), 0, 3));
            lode_link_def link = hinge_at(vec(0, 0, 0), vec(0, 0, (lode_real)0.5));
            link.axis[0].position = (lode_real)(k ? 0.6 : -0.6);
            set_mass(add(&two[k], &link), 1, 0.1, 0.1, 0.02);
            insert(&two[k]);
        }
        lode_joint_def joint = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
        joint.body_a = two[0].link[1];
        joint.body_b = two[1].link[1];
        joint.frame_a.position.z = joint.frame_b.position.z = (lode_real)-0.5;
        lode_vec3 p = lode_body_point_to_world(joint.body_a, joint.frame_a.position);
        lode_vec3 q = lode_body_point_to_world(joint.body_b, joint.frame_b.position);
        double gap = length_of(vec(p.x - q.x, p.y - q.y, p.z - q.z));
        joint.distance = (lode_real)gap;
        assert_true(lode_joint_create(world, &joint).id);
        for (int s = 0; s < 600; ++s) {
            step_by(&two[0], 1, (lode_real)1 / 240);
            p = lode_body_point_to_world(joint.body_a, joint.frame_a.position);
            q = lode_body_point_to_world(joint.body_b, joint.frame_b.position);
            EXPECT_NEAR(length_of(vec(p.x - q.x, p.y - q.y, p.z - q.z)), gap, 2e-3);
        }
        EXPECT_NEAR(q_of(two[0].link[1]) + q_of(two[1].link[1]), 0, 1e-2);
        lode_world_destroy(world);
    }
}

/* Steps of other lengths, and with other integrators, fall alike. */
static void whatever_the_world_is_set_to_it_falls(void **state)
{
    (void)state;
    static const lode_integrator integrators[] = {
        LODE_INTEGRATOR_SEMI_IMPLICIT, LODE_INTEGRATOR_BALLISTIC, LODE_INTEGRATOR_SECOND_ORDER};
    for (size_t i = 0; i < 3; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.integrator = integrators[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm a = make_arm_in(world, false);
        add_root(&a, vec(0, 0, 1));
        add_box(a.link[0], (lode_real)0.2, (lode_real)0.2, (lode_real)0.2);
        lode_link_def link = hinge_at(vec((lode_real)0.3, 0, 0), vec((lode_real)-0.3, 0, 0));
        set_mass(add(&a, &link), 3, 0.1, 0.1, 0.1);
        add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.2);
        insert(&a);
        for (int s = 0; s < 300; ++s)
            step_by(&a, 1, (lode_real)(s % 3 ? 0.016 : 0.004));
        for (int l = 0; l < 2; ++l) {
            EXPECT_NEAR(lode_body_get_center(a.link[l]).z, 0.2, 0.02);
            EXPECT_NEAR(length_of(lode_body_get_linear_velocity(a.link[l])), 0, 5e-3);
        }
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quadruped_stands_still),
        cmocka_unit_test(links_rest_on_what_they_touch),
        cmocka_unit_test(links_bounce),
        cmocka_unit_test(joints_close_loops),
        cmocka_unit_test(bodies_hang_on_links),
        cmocka_unit_test(an_arm_lifts_a_box),
        cmocka_unit_test(blows_keep_momentum),
        cmocka_unit_test(kinematic_bodies_push_links),
        cmocka_unit_test(articulations_meet_each_other),
        cmocka_unit_test(whatever_the_world_is_set_to_it_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
