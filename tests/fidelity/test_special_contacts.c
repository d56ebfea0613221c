/* Contacts whose surfaces say more than friction and restitution (lode/surface.h), as contacts:
 * they come out the same whichever shape is the first, keep momentum, are made by the caller as
 * they are by shapes, are told, and live in snapshots. */
#include "tests/fidelity/lab.h"

#include <stdlib.h>
#include <string.h>

#define H (1.0 / 64)

static const lab_material plain = {.density = 1000, .friction = 0.6};

/* A surface with something of everything. */
static lode_surface all_of_it(void)
{
    lode_surface s = lode_surface_default();
    s.direction = lab_vec3(1, 0.5, 0.2);
    s.friction_across = (lode_real)0.3;
    s.slip[0] = (lode_real)1e-4;
    s.slip[1] = (lode_real)2e-4;
    s.rolling[0] = (lode_real)0.01;
    s.rolling[1] = (lode_real)0.02;
    s.rolling[2] = (lode_real)0.03;
    s.bounce_speed = (lode_real)0.3;
    s.soft_erp = (lode_real)0.3;
    s.soft_cfm = (lode_real)1e-4;
    s.motion = lab_vec3(0.5, -0.3, 0.2);
    return s;
}

/* Another one, of other laws. */
static lode_surface other_of_it(void)
{
    lode_surface s = all_of_it();
    s.direction = lab_vec3(0.2, -1, 0.1);
    s.friction_across = (lode_real)0.9;
    s.law[0] = s.law[1] = LODE_LAW_CONE;
    s.rolling[0] = (lode_real)0.03;
    s.bounce_speed = (lode_real)0.1;
    s.soft_erp = (lode_real)0.2;
    s.motion = lab_vec3(-0.1, 0.1, 0.4);
    return s;
}

/* ---- of a pair ---- */

static lode_body ball_of(lode_world world, double x, double vx, lode_surface surface)
{
    lode_shape_def shape = lab_shape_def(plain);
    shape.surface = surface;
    shape.restitution = (lode_real)0.5;
    lode_body ball = lab_body(world, lab_vec3(x, 0.02 * x, 0));
    lode_shape_create_sphere(ball, &shape, (lode_real)0.25);
    lode_body_set_linear_velocity(ball, lab_vec3(vx, 0, 0));
    lode_body_set_angular_velocity(ball, lab_vec3(1, 3 * x, 2));
    return ball;
}

/* Two balls that meet, where either is made first. */
static void meet(lode_solver solver, bool left_first, lab_vec out[4])
{
    lode_world world = lab_world_without_gravity(solver);
    lode_body left, right;
    if (left_first)
        left = ball_of(world, -0.3, 1, all_of_it());
    right = ball_of(world, 0.3, -1, other_of_it());
    if (!left_first)
        left = ball_of(world, -0.3, 1, all_of_it());
    lab_run(world, H, 32);
    out[0] = lab_velocity(left);
    out[1] = lab_spin(left);
    out[2] = lab_velocity(right);
    out[3] = lab_spin(right);
    lode_world_destroy(world);
}

static void a_pair_is_the_same_whichever_is_the_first(void **state)
{
    lab_vec one[4], other[4];
    meet(LAB_SOLVER(state), true, one);
    meet(LAB_SOLVER(state), false, other);
    LAB_AT_MOST(0.2, lab_length(lab_sub(one[0], (lab_vec){1, 0, 0}))); /* they did meet */
    for (int i = 0; i < 4; ++i)
        LAB_AT_MOST(lab_length(lab_sub(one[i], other[i])), 1e4 * LAB_EPSILON);
}

typedef struct momentum {
    lab_vec linear, angular;
} momentum;

static momentum momentum_of(const lode_body *bodies, int count)
{
    momentum sum = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; ++i) {
        double m = lode_body_get_mass(bodies[i]).mass, inertia = 0.4 * m * 0.25 * 0.25;
        lab_vec p = lab_scale(lab_velocity(bodies[i]), m);
        sum.linear = lab_add(sum.linear, p);
        sum.angular = lab_add(sum.angular, lab_cross(lab_center(bodies[i]), p));
        sum.angular = lab_add(sum.angular, lab_scale(lab_spin(bodies[i]), inertia));
    }
    return sum;
}

/* What one body gains the other loses; so does the sum of all moments. */
static void momentum_is_kept(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body balls[2] = {ball_of(world, -0.3, 1, all_of_it()),
                          ball_of(world, 0.3, -1, other_of_it())};
    momentum before = momentum_of(balls, 2);
    double size = 65 * 2 + 65;
    lab_run(world, H, 32);
    momentum after = momentum_of(balls, 2);
    LAB_AT_MOST(lab_length(lab_sub(after.linear, before.linear)), 200 * LAB_EPSILON * size);
    /* a contact acts midway between the surfaces, whose overlap changes within the step */
    LAB_AT_MOST(lab_length(lab_sub(after.angular, before.angular)), 0.02 * size);
    lode_world_destroy(world);
}

/* ---- told ---- */

/* What a contact is told to have exerted is what the body has gained. */
static void moments_are_told(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_shape_def shape = lab_shape_def(plain);
    shape.surface.rolling[0] = shape.surface.rolling[1] = shape.surface.rolling[2] =
        (lode_real)0.02;
    lode_body_def def = lode_body_def_default();
    lode_body ground = lode_body_create(world, &def);
    lode_shape_create_plane(ground, &shape, lab_vec3(0, 0, 1), 0);
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, 0.25), 0.25);
    lab_run(world, H, 64);
    lode_body_set_angular_velocity(ball, lab_vec3(0.5, 2, 3));
    for (int i = 0; i < 16; ++i) {
        lode_contact contact;
        lab_vec before = lab_spin(ball), center = lab_center(ball);
        lab_run(world, H, 1);
        assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
        double sign = contact.body_a.id == ball.id ? 1 : -1;
        lab_vec arm = lab_sub(lab_of(contact.points[0].position), center);
        lab_vec told = lab_add(lab_cross(arm, lab_of(contact.points[0].impulse)),
                               lab_of(contact.moment));
        double inertia = 0.4 * lode_body_get_mass(ball).mass * 0.25 * 0.25;
        lab_vec gained = lab_scale(lab_sub(lab_spin(ball), before), inertia);
        LAB_AT_MOST(lab_length(lab_of(contact.moment)), 1);
        LAB_AT_MOST(1e-3, lab_length(lab_of(contact.moment)));
        LAB_AT_MOST(lab_length(lab_sub(lab_scale(told, sign), gained)), 0.02);
    }
    lode_world_destroy(world);
}

/* ---- made by the caller ---- */

static lode_contact_def made_contact(lode_body body, lode_body other, bool body_is_b)
{
    lode_contact_def def = lode_contact_def_default();
    def.body_a = body_is_b ? other : body;
    def.body_b = body_is_b ? body : other;
    def.normal = lab_vec3(0, 0, body_is_b ? -1 : 1);
    def.direction = lab_vec3(1, 0, 0);
    return def;
}

/* Four points under a box, as given; the box is one side or the other. */
static void stand_on(lode_world world, lode_body box, const lode_contact_def *like)
{
    lode_contact_def points[4];
    for (int i = 0; i < 4; ++i) {
        lode_pose pose = lode_body_get_pose(box);
        points[i] = *like;
        points[i].position = lab_vec3(pose.position.x + (i & 1 ? 0.5 : -0.5),
                                      pose.position.y + (i & 2 ? 0.5 : -0.5),
                                      pose.position.z - 0.125);
        points[i].depth = (lode_real)0.125 - pose.position.z;
    }
    assert_int_equal(lode_world_add_contacts(world, points, 4), LODE_OK);
}

/* A box without shapes that collide, and a body to stand on. */
static lode_body ghost(lode_world world)
{
    lode_body box = lab_box(world, plain, lab_vec3(0, 0, 0.12), lab_vec3(0.5, 0.5, 0.125));
    return box;
}

static lab_vec run_made(lode_solver solver, lode_contact_def like, bool as_b, bool on_body,
                        lode_vec3 force)
{
    lode_world world = lab_world(solver);
    lode_body_def def = lode_body_def_default();
    lode_body ground = lode_body_create(world, &def), box = ghost(world);
    lode_contact_def contact = made_contact(box, on_body ? ground : (lode_body){0}, as_b);
    if (as_b) /* body_a is the ground: what the box does the other way, across the other side */
        like.motion[0] = -like.motion[0];
    contact.friction[0] = like.friction[0];
    contact.friction[1] = like.friction[1];
    memcpy(contact.motion, like.motion, sizeof like.motion);
    memcpy(contact.slip, like.slip, sizeof like.slip);
    memcpy(contact.law, like.law, sizeof like.law);
    for (int i = 0; i < 300; ++i) {
        stand_on(world, box, &contact);
        lode_body_add_force(box, force);
        lab_run(world, H, 1);
    }
    lab_vec v = lab_velocity(box);
    lode_world_destroy(world);
    return v;
}

static void made_contacts_have_it_all(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    for (int as_b = 0; as_b < 2; ++as_b)
        for (int on_body = 0; on_body < 2; ++on_body) {
            lode_contact_def belt = lode_contact_def_default();
            belt.motion[0] = 1;
            belt.motion[1] = (lode_real)0.5;
            lab_vec v = run_made(solver, belt, as_b, on_body, lab_vec3(0, 0, 0));
            LAB_NEAR(v.x, 1, 1e-3);
            LAB_NEAR(v.y, 0.5, 1e-3);
            /* as ODE's, slip and a box's force are each point's */
            lode_contact_def slips = lode_contact_def_default();
            slips.slip[0] = (lode_real)0.004;
            v = run_made(solver, slips, as_b, on_body, lab_vec3(200, 0, 0));
            LAB_NEAR(v.x, 0.004 * 200 / 4, 1e-4);
            lode_contact_def dry = lode_contact_def_default();
            dry.law[0] = dry.law[1] = LODE_LAW_BOX;
            dry.friction[0] = dry.friction[1] = 50;
            v = run_made(solver, dry, as_b, on_body, lab_vec3(4 * 50 + 25, 0, 0));
            LAB_NEAR(v.x, 25.0 / 250 * 300 * H, 0.02);
        }
}

/* A ball on a point of its own stops rolling as on a shape's. */
static void made_contacts_resist_rolling(void **state)
{
    const double rho = 0.02, r = 0.25, w = 4;
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body ball = lab_sphere(world, plain, lab_vec3(0, 0, r), r);
    lode_body_set_angular_velocity(ball, lab_vec3(0, w, 0));
    lode_body_set_linear_velocity(ball, lab_vec3(w * r, 0, 0));
    for (int i = 0; i < 256; ++i) {
        lode_pose pose = lode_body_get_pose(ball);
        lode_contact_def def = made_contact(ball, (lode_body){0}, false);
        def.position = lab_vec3(pose.position.x, pose.position.y, 0);
        def.depth = (lode_real)r - pose.position.z;
        def.rolling[0] = def.rolling[1] = (lode_real)rho;
        assert_int_equal(lode_world_add_contacts(world, &def, 1), LODE_OK);
        lab_run(world, H, 1);
    }
    LAB_NEAR(lab_center(ball).x, 0.7 * w * w * r * r * r / (rho * LAB_G), 2 * w * r * H);
    LAB_AT_MOST(lab_length(lab_spin(ball)), 1e-5);
    lode_world_destroy(world);
}

/* What a box's four points resist spinning with, where that is a moment and where it is a length
 * times the load: as much here. */
static void made_contacts_resist_with_moments(void **state)
{
    const double moment = 20, w = 4;
    for (int as_b = 0; as_b < 2; ++as_b)
        for (int is_moment = 0; is_moment < 2; ++is_moment) {
            lode_world world = lab_world(LAB_SOLVER(state));
            lode_body box = ghost(world);
            lode_mass mass = lode_body_get_mass(box);
            lode_contact_def def = made_contact(box, (lode_body){0}, as_b);
            lode_body_set_pose(box, (lode_pose){{0, 0, (lode_real)0.125}, {1, 0, 0, 0}});
            lode_body_set_angular_velocity(box, lab_vec3(0, 0, w));
            def.friction[0] = def.friction[1] = 0;
            def.rolling[2] = (lode_real)(is_moment ? moment : 4 * moment / (mass.mass * LAB_G));
            def.rolling_is_moment[2] = is_moment;
            for (int i = 0; i < 64; ++i) {
                stand_on(world, box, &def);
                lab_run(world, H, 1);
            }
            double inertia = mass.mass * (0.25 + 0.25) / 3;
            LAB_NEAR(lab_spin(box).z, w - 4 * moment / inertia, 1e-3 * w);
            lode_world_destroy(world);
        }
}

/* ---- in snapshots ---- */

static lode_world heap(lode_solver solver)
{
    lode_world world = lab_world(solver);
    lode_shape_def shape = lab_shape_def(plain);
    lode_body_def def = lode_body_def_default();
    shape.surface = all_of_it();
    lode_body ground = lode_body_create(world, &def);
    lode_shape_create_plane(ground, &shape, lab_vec3(0, 0, 1), 0);
    for (int i = 0; i < 6; ++i) {
        shape.surface = i % 3 == 0   ? lode_surface_default()
                        : i % 3 == 1 ? all_of_it()
                                     : other_of_it();
        lode_body body = lab_body(world, lab_vec3(0.1 * i, 0.05 * i, 0.3 + 0.6 * i));
        if (i % 2)
            lode_shape_create_sphere(body, &shape, (lode_real)0.25);
        else
            lode_shape_create_box(body, &shape, lab_vec3(0.25, 0.25, 0.25));
    }
    return world;
}

static void a_snapshot_has_it_all(void **state)
{
    lode_world world = heap(LAB_SOLVER(state)), other = heap(LAB_SOLVER(state));
    lab_run(world, H, 64);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    assert_true(bytes && lode_world_snapshot(world, bytes, size) == size);
    lab_run(world, H, 64);
    uint64_t hash = lode_world_hash(world);
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    lab_run(other, H, 64);
    assert_true(lode_world_hash(other) == hash);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    lab_run(world, H, 64);
    assert_true(lode_world_hash(world) == hash);
    free(bytes);
    lode_world_destroy(other);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_pair_is_the_same_whichever_is_the_first),
        LAB_EACH_AND_PER_JOINT(momentum_is_kept),
        LAB_EACH_AND_PER_JOINT(moments_are_told),
        LAB_EACH_AND_PER_JOINT(made_contacts_have_it_all),
        LAB_EACH_AND_PER_JOINT(made_contacts_resist_rolling),
        LAB_EACH_AND_PER_JOINT(made_contacts_resist_with_moments),
        LAB_EACH_AND_PER_JOINT(a_snapshot_has_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
