/* Articulations as JSON: what was written is read to the bit, and moves to the bit as what it was
 * written of; texts that are cut and changed anywhere; files; memory that is short at each place
 * where some is asked for. What bad texts are told: test_articulations_bad.c. */
#define _GNU_SOURCE
#include "tests/io/descriptions.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 7 };

/* ---- a robot with all there is */

static lode_real number(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode_vec3 some_vector(test_random *random, double size)
{
    return vec(number(random, -size, size), number(random, -size, size),
               number(random, -size, size));
}

static lode_quat some_turn(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        square += q[i] * q[i];
    }
    double by = 1 / sqrt(square);
    return (lode_quat){(lode_real)(q[0] * by), (lode_real)(q[1] * by), (lode_real)(q[2] * by),
                       (lode_real)(q[3] * by)};
}

static lode_pose some_pose(test_random *random)
{
    lode_vec3 position = some_vector(random, 1);
    return (lode_pose){position, some_turn(random)};
}

static void fill_axis(test_random *random, lode_link_axis *axis)
{
    lode_drive_type drive = (lode_drive_type)random_below(random, LODE_DRIVE_TYPE_COUNT);
    if (random_below(random, 2)) {
        axis->motion = LODE_MOTION_LIMITED;
        axis->lo = number(random, -2, -1);
        axis->hi = number(random, 1, 2);
    }
    axis->drive.type = drive;
    axis->drive.stiffness = number(random, 0, 100);
    axis->drive.damping = number(random, 0, 10);
    if (random_below(random, 2)) {
        axis->drive.max_force = number(random, 0, 100);
        axis->drive.max_effort = number(random, 0, 50);
        axis->drive.max_speed = number(random, 1, 5);
        axis->drive.velocity_resistance = number(random, 0, 1);
        axis->drive.speed_effort_gradient = number(random, 0, 0.01);
    }
    axis->target = number(random, -1, 1);
    axis->target_velocity = number(random, -1, 1);
    axis->armature = number(random, 0, 0.1);
    axis->static_friction = number(random, 0.1, 0.2);
    axis->dynamic_friction = number(random, 0, 0.1);
    axis->viscous_friction = number(random, 0, 0.1);
    axis->max_velocity = number(random, 5, 50);
    axis->position = number(random, -1, 1);
    axis->velocity = number(random, -1, 1);
}

/* Of points strewn in a cube, or a roof over a square, whose faces are given. */
static lode_shape add_hull(test_random *random, lode_body body, const lode_shape_def *shape)
{
    static const int sizes[] = {4, 3, 3, 4, 4};
    static const int corners[] = {0, 3, 2, 1, 0, 1, 4, 2, 3, 5, 1, 2, 5, 4, 3, 0, 4, 5};
    static const lode_real roof[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, -1, 1, 0, 1, 1};
    lode_real points[36];
    lode_hull_def def = lode_hull_def_default();
    for (int i = 0; i < 36; ++i)
        points[i] = number(random, -0.3, 0.3);
    def.points = points;
    def.point_count = 12;
    if (random_below(random, 2)) {
        def.points = roof;
        def.point_count = 6;
        def.face_sizes = sizes;
        def.face_corners = corners;
        def.face_count = 5;
    }
    lode_hull *hull = lode_hull_create(&def);
    lode_shape made = lode_shape_create_hull(body, shape, hull);
    lode_hull_release(hull);
    return made;
}

/* A tetrahedron, or an open and two-sided fan; either may be of several materials. */
static lode_shape add_mesh(test_random *random, lode_body body, const lode_shape_def *shape)
{
    static const uint32_t closed[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    static const uint32_t open[] = {0, 1, 2, 0, 2, 3, 3, 2, 0}; /* the last is the second's back */
    static const uint8_t materials[] = {1, 0, 255, 2};
    static const char *const names[] = {"ice", NULL, "mud \xe2\x98\x83"};
    lode_real at[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 12; ++i)
        at[i] += number(random, -0.1, 0.1);
    lode_mesh_def def = lode_mesh_def_default();
    def.two_sided = random_below(random, 2);
    def.vertices = at;
    def.vertex_count = 4;
    def.indices = def.two_sided ? open : closed;
    def.triangle_count = def.two_sided ? 3 : 4;
    def.materials = random_below(random, 2) ? materials : NULL;
    lode_mesh *mesh = lode_mesh_create(&def);
    lode_shape made = lode_shape_create_mesh(body, shape, mesh);
    lode_mesh_release(mesh);
    if (random_below(random, 2))
        assert_int_equal(lode_shape_set_materials(made, names, 3), LODE_OK);
    return made;
}

static void add_shapes(test_random *random, lode_body body)
{
    lode_shape_def def = lode_shape_def_default();
    for (uint32_t i = random_below(random, 4); i > 0; --i) {
        def.pose = some_pose(random);
        def.density = number(random, 1, 100);
        def.friction = random_below(random, 3) ? number(random, 0, 1) : (lode_real)INFINITY;
        def.restitution = number(random, 0, 1);
        def.category = (uint64_t)random_below(random, UINT32_MAX) << 32 | 5;
        def.mask = random_below(random, 2) ? ~UINT64_C(0) : 2;
        def.enabled = random_below(random, 2);
        def.touch_events = random_below(random, 2);
        lode_real r = number(random, 0.1, 0.3), half = number(random, 0.1, 0.3);
        uint32_t kind = random_below(random, 6);
        lode_shape shape = kind == 0   ? lode_shape_create_sphere(body, &def, r)
                           : kind == 1 ? lode_shape_create_capsule(body, &def, r, half)
                           : kind == 2 ? lode_shape_create_cylinder(body, &def, r, half)
                           : kind == 3 ? add_hull(random, body, &def)
                           : kind == 4 ? add_mesh(random, body, &def)
                                       : lode_shape_create_box(body, &def, vec(r, half, r));
        assert_true(shape.id);
        if (random_below(random, 2))
            assert_int_equal(lode_shape_set_material(shape, "rubber \xe2\x98\x83"), LODE_OK);
    }
}

static void add_ties(test_random *random, lode_articulation a, const lode_body *link)
{
    for (int type = 0; type < LODE_TENDON_TYPE_COUNT; ++type) {
        lode_tendon_def def = lode_tendon_def_default((lode_tendon_type)type);
        def.stiffness = number(random, 0, 10);
        def.damping = number(random, 0, 1);
        def.limit_stiffness = number(random, 0, 10);
        def.offset = number(random, -1, 1);
        def.rest_length = type ? number(random, 0, 1) : 0;
        def.lo = type ? number(random, -1, 0) : def.lo;
        def.hi = type ? number(random, 0, 1) : def.hi;
        lode_tendon tendon = lode_tendon_create(a, &def);
        for (int i = 0; i < 3; ++i) {
            lode_tendon_attachment at = lode_tendon_attachment_default();
            lode_tendon_joint joint = lode_tendon_joint_default();
            at.parent = joint.parent = i - 1;
            at.link = joint.link = link[i]; /* 1 and 2 are a chain of turns */
            at.point = some_vector(random, 0.3);
            at.coefficient = joint.coefficient = number(random, 0.5, 2);
            joint.reciprocal = number(random, 0.5, 2);
            at.rest_length = number(random, 0, 1);
            assert_int_equal(type ? lode_tendon_add_joint(tendon, &joint)
                                  : lode_tendon_add_attachment(tendon, &at),
                             i);
        }
    }
    lode_mimic_def mimic = lode_mimic_def_default();
    mimic.link_a = link[1];
    mimic.link_b = link[3];
    mimic.axis_b = LODE_AXIS_X;
    mimic.gear_ratio = number(random, -2, 2);
    mimic.offset = number(random, -1, 1);
    mimic.natural_frequency = number(random, 0, 10);
    mimic.damping_ratio = number(random, 0, 1);
    assert_true(lode_mimic_create(a, &mimic).id);
}

static lode_stiff some_stiff(test_random *random)
{
    static const lode_stiff stiffs[] = {LODE_STIFF_AS_WORLD, LODE_STIFF_NEVER, LODE_STIFF_AUTOMATIC,
                                        LODE_STIFF_ALWAYS};
    return stiffs[random_below(random, 4)];
}

/* Of all types, to a link or to the world. */
static void add_loops(test_random *random, lode_world in, lode_articulation a,
                      const lode_body *link)
{
    for (uint32_t n = random_below(random, 6); n > 0; --n) {
        lode_joint_def def = lode_joint_def_default(
            (lode_joint_type)random_below(random, LODE_JOINT_TYPE_COUNT));
        uint32_t first = 1 + random_below(random, LINKS - 1), second = random_below(random, LINKS);
        def.body_a = link[first];
        def.body_b = second == first ? (lode_body){0} : link[second];
        def.frame_a = some_pose(random);
        def.frame_b = some_pose(random);
        def.erp = random_below(random, 2) ? number(random, 0, 1) : -1;
        def.cfm = random_below(random, 2) ? number(random, 0, 1) : -1;
        def.max_force = random_below(random, 2) ? number(random, 0, 9) : (lode_real)INFINITY;
        def.max_torque = number(random, 0, 9);
        def.collide_connected = random_below(random, 2);
        def.enabled = random_below(random, 2);
        def.outlives_bodies = random_below(random, 2);
        def.stiff = some_stiff(random);
        for (int k = 0; k < LODE_JOINT_AXES; ++k) {
            def.axis[k].lo_stop = number(random, -1, 0);
            def.axis[k].hi_stop = random_below(random, 2) ? 1 : (lode_real)INFINITY;
            def.axis[k].f_max = number(random, 0, 9);
            def.axis[k].vel = number(random, -1, 1);
            def.axis[k].servo = number(random, 0, 9);
            def.axis[k].target = number(random, -1, 1);
            def.axis[k].direction = some_vector(random, 1);
            def.axis[k].frame = (lode_axis_frame)random_below(random, 3);
        }
        lode_joint joint = lode_joint_create(in, &def);
        assert_true(joint.id);
        assert_int_equal(lode_articulation_add_loop_joint(a, joint), LODE_OK);
    }
}

static lode_articulation make(lode_world in, test_random *random)
{
    static const lode_link_joint_type types[LINKS] = {
        LODE_LINK_FIXED,     LODE_LINK_REVOLUTE,  LODE_LINK_REVOLUTE_UNWRAPPED,
        LODE_LINK_PRISMATIC, LODE_LINK_SPHERICAL, LODE_LINK_SIX_AXES,
        LODE_LINK_FIXED};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = random_below(random, 2);
    def.drive_limits_are_impulses = random_below(random, 2);
    def.self_collision = random_below(random, 2);
    def.position_iterations = 1 + (int)random_below(random, 255);
    def.velocity_iterations = (int)random_below(random, 256);
    def.sleep_threshold = number(random, 0, 1);
    def.wake_counter = number(random, 0.1, 1);
    def.max_com_linear_speed = number(random, 10, 100);
    def.name = "robot \"1\"\n";
    lode_articulation a = lode_articulation_create(in, &def);
    lode_body link[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        lode_link_def d = lode_link_def_default(types[i]);
        uint32_t parent = i < 3 ? (uint32_t)(i - (i > 0)) : random_below(random, (uint32_t)i);
        d.parent = i > 0 ? link[parent] : (lode_body){0};
        d.parent_frame = some_pose(random);
        d.child_frame = some_pose(random);
        if (types[i] == LODE_LINK_SIX_AXES)
            d.axis[LODE_AXIS_X].motion = d.axis[LODE_AXIS_SWING2].motion = LODE_MOTION_FREE;
        for (int k = 0; k < LODE_LINK_AXES; ++k)
            if (d.axis[k].motion != LODE_MOTION_LOCKED)
                fill_axis(random, &d.axis[k]);
        d.friction_coefficient = number(random, 0, 0.1);
        d.cfm_scale = number(random, 0, 1);
        d.linear_damping = number(random, 0, 0.1);
        d.angular_damping = number(random, 0, 0.1);
        d.max_linear_speed = random_below(random, 2) ? number(random, 50, 90) : d.max_linear_speed;
        d.gravity_scale = number(random, 0, 2);
        d.name = i % 2 ? "link" : NULL;
        link[i] = lode_articulation_add_link(a, &d);
        assert_true(link[i].id);
        add_shapes(random, link[i]);
        lode_mass mass = {.mass = number(random, 0.5, 2),
                          .center = some_vector(random, 0.2),
                          .inertia = {number(random, 0.10, 0.12), number(random, 0.10, 0.12),
                                      number(random, 0.10, 0.12), number(random, -0.01, 0.01),
                                      number(random, -0.01, 0.01), number(random, -0.01, 0.01)}};
        assert_int_equal(lode_body_set_mass(link[i], &mass), LODE_OK);
    }
    assert_int_equal(lode_articulation_set_root_pose(a, some_pose(random), false), LODE_OK);
    if (!def.fixed_base) {
        lode_articulation_set_root_linear_velocity(a, some_vector(random, 1), false);
        lode_articulation_set_root_angular_velocity(a, some_vector(random, 1), false);
    }
    add_ties(random, a, link);
    return a;
}

/* Its text, to be freed. */
static char *written(lode_articulation a, size_t *out_size)
{
    *out_size = lode_io_write_articulation(a, NULL, 0, NULL);
    assert_true(*out_size > 0);
    char *text = malloc(*out_size + 1);
    assert_non_null(text);
    assert_int_equal(lode_io_write_articulation(a, text, *out_size, NULL), *out_size);
    text[*out_size] = 0;
    return text;
}

/* Says what differs first. */
static void same_text(const char *a, const char *b)
{
    size_t at = 0, begin = 0;
    for (; a[at] && a[at] == b[at]; ++at)
        begin = a[at] == '\n' ? at + 1 : begin;
    if (a[at] != b[at])
        fail_msg("%.100s\nis not\n%.100s", a + begin, b + begin);
}

/* ---- there and back */

#define SAME(a, b) assert_memory_equal(&(a), &(b), sizeof(a))

static void same_axes(lode_body a, lode_body b)
{
    for (int k = 0; k < LODE_LINK_AXES; ++k) {
        lode_link_axis x = lode_link_get_axis(a, (lode_link_axis_index)k);
        lode_link_axis y = lode_link_get_axis(b, (lode_link_axis_index)k);
        assert_int_equal(x.motion, y.motion);
        assert_int_equal(x.drive.type, y.drive.type);
#define SAME_FIELD(field) SAME(x.field, y.field)
        SAME_FIELD(lo);
        SAME_FIELD(hi);
        SAME_FIELD(drive.stiffness);
        SAME_FIELD(drive.damping);
        SAME_FIELD(drive.max_force);
        SAME_FIELD(drive.max_effort);
        SAME_FIELD(drive.max_speed);
        SAME_FIELD(drive.velocity_resistance);
        SAME_FIELD(drive.speed_effort_gradient);
        SAME_FIELD(target);
        SAME_FIELD(target_velocity);
        SAME_FIELD(armature);
        SAME_FIELD(static_friction);
        SAME_FIELD(dynamic_friction);
        SAME_FIELD(viscous_friction);
        SAME_FIELD(max_velocity);
        SAME_FIELD(position);
        SAME_FIELD(velocity);
#undef SAME_FIELD
    }
}

static void same_hulls(lode_shape a, lode_shape b)
{
    lode_hull *hulls[2] = {lode_shape_get_hull(a), lode_shape_get_hull(b)};
    lode_vec3 vertices[2][12];
    int count = lode_hull_get_vertices(hulls[0], vertices[0], 12);
    assert_int_equal(lode_hull_get_vertices(hulls[1], vertices[1], 12), count);
    assert_memory_equal(vertices[0], vertices[1], (size_t)count * sizeof vertices[0][0]);
    int faces = lode_hull_get_face_count(hulls[0]);
    assert_int_equal(lode_hull_get_face_count(hulls[1]), faces);
    for (int f = 0; f < faces; ++f) {
        int corners[2][12], n = lode_hull_get_face(hulls[0], f, corners[0], 12);
        assert_int_equal(lode_hull_get_face(hulls[1], f, corners[1], 12), n);
        assert_memory_equal(corners[0], corners[1], (size_t)n * sizeof corners[0][0]);
    }
}

static void same_meshes(lode_shape a, lode_shape b)
{
    const lode_mesh *meshes[2] = {lode_shape_get_mesh(a), lode_shape_get_mesh(b)};
    lode_vec3 vertices[2][4];
    int indices[2][12];
    uint8_t of[2][4] = {{9, 9, 9, 9}, {9, 9, 9, 9}};
    const char *names[2][3];
    for (int i = 0; i < 2; ++i)
        assert_int_equal(lode_mesh_get_vertices(meshes[i], vertices[i], 4), 4);
    SAME(vertices[0], vertices[1]);
    int count = lode_mesh_get_indices(meshes[0], indices[0], 4);
    assert_int_equal(lode_mesh_get_indices(meshes[1], indices[1], 4), count);
    assert_memory_equal(indices[0], indices[1], 3 * (size_t)count * sizeof indices[0][0]);
    assert_int_equal(lode_mesh_get_materials(meshes[0], of[0], 4),
                     lode_mesh_get_materials(meshes[1], of[1], 4));
    assert_memory_equal(of[0], of[1], sizeof of[0]);
    assert_int_equal(lode_mesh_is_two_sided(meshes[0]), lode_mesh_is_two_sided(meshes[1]));
    count = lode_shape_get_materials(a, names[0], 3);
    assert_int_equal(lode_shape_get_materials(b, names[1], 3), count);
    for (int i = 0; i < count; ++i)
        assert_true(names[0][i] ? strcmp(names[0][i], names[1][i]) == 0 : !names[1][i]);
}

static void same_links(lode_body a, lode_body b)
{
    lode_pose frames[4] = {lode_link_get_parent_frame(a), lode_link_get_parent_frame(b),
                           lode_link_get_child_frame(a), lode_link_get_child_frame(b)};
    lode_mass mass[2] = {lode_body_get_mass(a), lode_body_get_mass(b)};
    SAME(frames[0], frames[1]);
    SAME(frames[2], frames[3]);
    SAME(mass[0], mass[1]);
    assert_int_equal(lode_link_get_type(a), lode_link_get_type(b));
    assert_string_equal(lode_body_get_name(a), lode_body_get_name(b));
    same_axes(a, b);
    lode_shape shapes[2][8];
    int count = lode_body_get_shapes(a, shapes[0], 8);
    assert_int_equal(lode_body_get_shapes(b, shapes[1], 8), count);
    for (int i = 0; i < count; ++i) {
        lode_shape_def x = lode_shape_get_def(shapes[0][i]), y = lode_shape_get_def(shapes[1][i]);
        assert_int_equal(lode_shape_get_type(shapes[0][i]), lode_shape_get_type(shapes[1][i]));
        SAME(x.pose, y.pose);
        SAME(x.friction, y.friction);
        assert_true(x.category == y.category && x.mask == y.mask && x.enabled == y.enabled &&
                    x.touch_events == y.touch_events);
        if (lode_shape_get_type(shapes[0][i]) == LODE_HULL)
            same_hulls(shapes[0][i], shapes[1][i]);
        if (lode_shape_get_type(shapes[0][i]) == LODE_MESH)
            same_meshes(shapes[0][i], shapes[1][i]);
    }
}

/* What is made anew is normalised anew. */
static void same_frames(lode_pose a, lode_pose b)
{
    const lode_real *p = &a.rotation.w, *q = &b.rotation.w;
    SAME(a.position, b.position);
    for (int i = 0; i < 4; ++i)
        assert_true(fabs((double)(p[i] - q[i])) < (sizeof(lode_real) == 8 ? 1e-15 : 1e-6));
}

static int number_among(const lode_body *links, lode_body body)
{
    int i = 0;
    while (i < LINKS && links[i].id != body.id)
        ++i;
    return i;
}

/* All but where the two ends' bodies are. */
static void same_loops(lode_articulation a, lode_articulation b)
{
    lode_joint joints[2][6];
    int count = lode_articulation_get_loop_joints(a, joints[0], 0, 6);
    assert_int_equal(lode_articulation_get_loop_joints(b, joints[1], 0, 6), count);
    for (int i = 0; i < count; ++i) {
        lode_joint_def x = lode_joint_get_def(joints[0][i]), y = lode_joint_get_def(joints[1][i]);
        assert_true(x.type == y.type && x.stiff == y.stiff && x.enabled == y.enabled);
        assert_true(x.collide_connected == y.collide_connected &&
                    x.outlives_bodies == y.outlives_bodies);
        same_frames(x.frame_a, y.frame_a);
        same_frames(x.frame_b, y.frame_b);
        assert_true(x.erp == y.erp && x.cfm == y.cfm && x.distance == y.distance);
        assert_true(x.max_force == y.max_force && x.max_torque == y.max_torque);
        for (int k = 0; k < LODE_JOINT_AXES; ++k) {
            const lode_joint_axis *p = &x.axis[k], *q = &y.axis[k];
            assert_true(p->lo_stop == q->lo_stop && p->hi_stop == q->hi_stop && p->vel == q->vel);
            assert_true(p->f_max == q->f_max && p->servo == q->servo && p->target == q->target);
            assert_true(p->bounce == q->bounce && p->cfm == q->cfm && p->frame == q->frame);
            assert_true(p->fudge_factor == q->fudge_factor && p->stop_erp == q->stop_erp &&
                        p->stop_cfm == q->stop_cfm);
            SAME(p->direction, q->direction);
        }
    }
}

static void loop_joints_are_written_and_read(void **state)
{
    (void)state;
    test_random random = {8};
    lode_world_def def = lode_world_def_default();
    int all = 0;
    for (int round = 0; round < 40; ++round) {
        lode_world worlds[2] = {lode_world_create(&def), lode_world_create(&def)};
        lode_articulation a = make(worlds[0], &random);
        lode_body links[2][LINKS];
        lode_joint joints[2][6];
        size_t size;
        lode_articulation_get_links(a, links[0], 0, LINKS);
        add_loops(&random, worlds[0], a, links[0]);
        char *text = written(a, &size);
        lode_articulation b = lode_io_read_articulation(worlds[1], "a.json", text, size);
        assert_true(b.id);
        same_loops(a, b);
        lode_articulation_get_links(b, links[1], 0, LINKS);
        int count = lode_articulation_get_loop_joints(a, joints[0], 0, 6);
        lode_articulation_get_loop_joints(b, joints[1], 0, 6);
        for (int i = 0; i < count; ++i) {
            lode_joint_def x = lode_joint_get_def(joints[0][i]),
                           y = lode_joint_get_def(joints[1][i]);
            assert_int_equal(number_among(links[0], x.body_a), number_among(links[1], y.body_a));
            assert_int_equal(number_among(links[0], x.body_b), number_among(links[1], y.body_b));
        }
        all += count;
        free(text);
        for (int w = 0; w < 2; ++w)
            lode_world_destroy(worlds[w]);
    }
    assert_true(all > 60);
}

static void what_is_written_is_read_to_the_bit(void **state)
{
    (void)state;
    test_random random = {3};
    lode_world_def def = lode_world_def_default();
    for (int round = 0; round < 60; ++round) {
        lode_world worlds[2] = {lode_world_create(&def), lode_world_create(&def)};
        lode_articulation a = make(worlds[0], &random);
        size_t sizes[2];
        char *text = written(a, &sizes[0]);
        lode_articulation b = lode_io_read_articulation(worlds[1], "a.json", text, sizes[0]);
        assert_true(b.id);
        char *again = written(b, &sizes[1]);
        same_text(text, again);
        lode_body links[2][LINKS];
        lode_articulation_get_links(a, links[0], 0, LINKS);
        assert_int_equal(lode_articulation_get_links(b, links[1], 0, LINKS), LINKS);
        for (int i = 0; i < LINKS; ++i)
            same_links(links[0][i], links[1][i]);
        /* and they move alike */
        assert_int_equal(lode_articulation_insert(a), LODE_OK);
        assert_int_equal(lode_articulation_insert(b), LODE_OK);
        for (int s = 0; s < 20; ++s)
            for (int w = 0; w < 2; ++w)
                assert_int_equal(lode_world_step(worlds[w], (lode_real)0.01), LODE_OK);
        for (int i = 0; i < LINKS; ++i) {
            lode_pose poses[2] = {lode_body_get_pose(links[0][i]), lode_body_get_pose(links[1][i])};
            SAME(poses[0], poses[1]);
        }
        free(text);
        free(again);
        for (int w = 0; w < 2; ++w)
            lode_world_destroy(worlds[w]);
    }
}

/* Where joints stand after a while is written as they stand. */
static void one_that_moves_is_written_as_it_stands(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 20; ++round) {
        lode_articulation a = make(world, &random);
        size_t size, other;
        assert_int_equal(lode_articulation_insert(a), LODE_OK);
        for (int s = 0; s < 10; ++s)
            assert_int_equal(lode_world_step(world, (lode_real)0.01), LODE_OK);
        char *text = written(a, &size);
        lode_articulation b = lode_io_read_articulation(world, "a.json", text, size);
        assert_true(b.id);
        char *again = written(b, &other);
        same_text(text, again);
        free(text);
        free(again);
        assert_int_equal(lode_articulation_destroy(a), LODE_OK);
        assert_int_equal(lode_articulation_destroy(b), LODE_OK);
    }
}

static void keys_are_fields_and_others_have_their_defaults(void **state)
{
    (void)state;
    lode_body links[2];
    lode_articulation a = read_good();
    assert_true(a.id);
    assert_false(lode_articulation_is_inserted(a));
    assert_string_equal(lode_articulation_get_name(a), "arm");
    lode_articulation_def def = lode_articulation_get_def(a),
                          usual = lode_articulation_def_default();
    assert_true(def.fixed_base && def.self_collision);
    assert_true(def.sleep_threshold == usual.sleep_threshold);
    assert_int_equal(lode_articulation_get_links(a, links, 0, 2), 2);
    lode_link_axis axis = lode_link_get_axis(links[1], LODE_AXIS_TWIST);
    assert_int_equal(axis.motion, LODE_MOTION_LIMITED);
    assert_true(axis.lo == -1 && axis.hi == 1 && axis.max_velocity == 100);
    assert_int_equal(axis.drive.type, LODE_DRIVE_FORCE);
    assert_true(lode_link_get_parent_frame(links[1]).position.z == (lode_real)0.5);
    lode_shape shapes[3]; /* the last comes first */
    assert_int_equal(lode_body_get_shapes(links[1], shapes, 3), 3);
    assert_true(lode_shape_get_def(shapes[2]).mask == 0xff);
    assert_int_equal(lode_shape_get_type(shapes[1]), LODE_HULL);
    assert_int_equal(lode_hull_get_face_count(lode_shape_get_hull(shapes[1])), 4);
    assert_int_equal(lode_shape_get_type(shapes[0]), LODE_MESH);
    assert_string_equal(lode_shape_get_material_at(shapes[0], 0), "ice");
    assert_int_equal(lode_articulation_get_loop_joints(a, NULL, 0, 0), 1);
    assert_int_equal(lode_articulation_get_tendons(a, LODE_TENDON_SPATIAL, NULL, 0, 0), 1);
    assert_int_equal(lode_articulation_insert(a), LODE_OK);
    assert_int_equal(lode_articulation_count_dofs(a), 1);
}

/* One that joins another body, and one in limbo. */
static void loop_joints_of_others_are_left_out(void **state)
{
    (void)state;
    int left_out = -1;
    lode_articulation a = read_good();
    lode_body links[2];
    lode_body_def other = lode_body_def_default();
    lode_articulation_get_links(a, links, 0, 2);
    other.type = LODE_DYNAMIC;
    for (int limbo = 0; limbo < 2; ++limbo) {
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        def.body_a = links[1];
        def.body_b = lode_body_create(world, &other);
        def.outlives_bodies = true;
        lode_joint joint = lode_joint_create(world, &def);
        assert_int_equal(lode_articulation_add_loop_joint(a, joint), LODE_OK);
        if (limbo)
            lode_body_destroy(def.body_b);
    }
    report_clear();
    assert_int_equal(lode_io_write_articulation(a, NULL, 0, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_write_articulation", "articulation");
    report_clear();
    assert_true(lode_io_write_articulation(a, NULL, 0, &left_out) > 0);
    assert_int_equal(left_out, 2);
}

/* Cut anywhere, and with bytes changed: read or refused with a line that there is, and nothing is
 * left of what is refused. */
static void texts_cut_and_changed_do_no_harm(void **state)
{
    (void)state;
    test_random random = {7};
    lode_articulation a = make(world, &random);
    lode_body links[LINKS];
    lode_articulation_get_links(a, links, 0, LINKS);
    while (lode_articulation_get_loop_joints(a, NULL, 0, 0) == 0)
        add_loops(&random, world, a, links);
    size_t size;
    int read = 0;
    char *text = written(a, &size), *bytes = malloc(size);
    assert_int_equal(lode_articulation_destroy(a), LODE_OK);
    int joints = lode_world_get_joints(world, NULL, 0); /* those that outlive their bodies */
    for (int round = 0; round < 3000; ++round) {
        size_t length = round % 3 ? size : random_below(&random, (uint32_t)size);
        int line = 0;
        memcpy(bytes, text, size);
        for (int i = round % 3; i > 0 && length > 0; --i) {
            char any = (char)(32 + random_below(&random, 95));
            char other = text[random_below(&random, (uint32_t)size)];
            bytes[random_below(&random, (uint32_t)length)] = random_below(&random, 2) ? any : other;
        }
        report_clear();
        lode_articulation b = lode_io_read_articulation(world, "a", bytes, length);
        if (b.id) {
            assert_int_equal(lode_articulation_destroy(b), LODE_OK);
            joints = lode_world_get_joints(world, NULL, 0);
            ++read;
        } else {
            assert_int_equal(lode_world_get_joints(world, NULL, 0), joints);
            assert_int_equal(sscanf(report.argument, "a:%d", &line), 1);
            assert_true(line >= 1);
        }
        assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    }
    report_clear();
    assert_true(read > 100);
    free(text);
    free(bytes);
}

/* ---- files and shapes that are no solids */

static void files_hold_texts(void **state)
{
    (void)state;
    char path[] = "/tmp/lode-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    test_random random = {9};
    size_t sizes[2];
    lode_articulation a = make(world, &random);
    assert_int_equal(lode_io_save_articulation(a, path, NULL), LODE_OK);
    lode_articulation b = lode_io_load_articulation(world, path);
    assert_true(b.id);
    char *texts[2] = {written(a, &sizes[0]), written(b, &sizes[1])};
    same_text(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    unlink(path);
}

static void other_shapes_are_left_out_where_that_is_asked_for(void **state)
{
    (void)state;
    static const lode_real heights[] = {0, 0, 0, 1};
    int left_out = -1;
    lode_articulation a = read_good();
    lode_body links[2];
    lode_articulation_get_links(a, links, 0, 2);
    lode_heightfield_def def = lode_heightfield_def_default();
    def.samples = heights;
    def.columns = def.rows = 2;
    lode_heightfield *field = lode_heightfield_create(&def);
    lode_shape_def shape_def = lode_shape_def_default();
    assert_true(lode_shape_create_heightfield(links[0], &shape_def, field).id);
    lode_heightfield_release(field);
    report_clear();
    assert_int_equal(lode_io_write_articulation(a, NULL, 0, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_write_articulation", "articulation");
    report_clear();
    assert_true(lode_io_write_articulation(a, NULL, 0, &left_out) > 0);
    assert_int_equal(left_out, 1);
}

/* ---- memory */

#ifdef LODE_TEST_WRAPS_MALLOC
static long countdown = -1;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

static void no_memory_leaves_nothing(void **state)
{
    (void)state;
    long n = 0;
    lode_articulation a = {0};
    for (; !a.id; ++n) {
        report_clear();
        countdown = n;
        a = read_good();
        countdown = -1;
        if (a.id)
            break;
        assert_int_equal(report.status, LODE_ERROR_MEMORY);
        assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
        assert_int_equal(lode_world_get_joints(world, NULL, 0), 0);
    }
    assert_true(n > 50);
    size_t size = 0;
    for (n = 0; size == 0; ++n) {
        report_clear();
        countdown = n;
        size = lode_io_write_articulation(a, NULL, 0, NULL);
        countdown = -1;
        if (size == 0)
            assert_int_equal(report.status, LODE_ERROR_MEMORY);
    }
    assert_true(n > 5);
    report_clear();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_is_written_is_read_to_the_bit),
        CASE(one_that_moves_is_written_as_it_stands),
        CASE(keys_are_fields_and_others_have_their_defaults),
        CASE(loop_joints_are_written_and_read),
        CASE(loop_joints_of_others_are_left_out),
        CASE(texts_cut_and_changed_do_no_harm),
        CASE(files_hold_texts),
        CASE(other_shapes_are_left_out_where_that_is_asked_for),
#ifdef LODE_TEST_WRAPS_MALLOC
        CASE(no_memory_leaves_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
