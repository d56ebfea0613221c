/* yard.c: see yard.h. */
#include "tests/world/yard.h"

#include <math.h>
#include <stdlib.h>

#include "core/hash.h"

enum { PILE = 36 };

static void add_pile(lode_world world)
{
    lode_shape_def shape = lode_shape_def_default();
    for (int i = 0; i < PILE; ++i) {
        lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(i % 3) * (lode_real)0.7,
                                  (lode_real)(i / 3 % 3) * (lode_real)0.65,
                                  (lode_real)0.4 + (lode_real)(i / 9) * (lode_real)0.75);
        shape.restitution = (lode_real)(i % 4) / 8;
        shape.touch_events = i % 4 == 0;
        shape.impact_events = i % 5 == 0;
        shape.sound_events = i % 6 == 0;
        if (i % 3 == 0)
            lode_shape_create_box(body, &shape,
                                  vec((lode_real)0.3, (lode_real)0.25, (lode_real)0.3));
        if (i % 3 == 1)
            lode_shape_create_sphere(body, &shape, (lode_real)0.3);
        if (i % 3 == 2)
            lode_shape_create_capsule(body, &shape, (lode_real)0.2, (lode_real)0.15);
        lode_body_set_user_data(body, (void *)(uintptr_t)(1000 + i));
        lode_sleep sleep = lode_sleep_default();
        sleep.enabled = true;
        sleep.samples = i % 5 == 0 ? 4 : 1;
        sleep.linear_threshold = sleep.angular_threshold = (lode_real)0.1;
        lode_body_set_sleep(body, &sleep);
    }
}

static void add_odd_body(lode_world world)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body_def def = lode_body_def_default();
    lode_damping damping = {.linear_per_second = (lode_real)0.1, .angular_threshold = 1};
    def.type = LODE_DYNAMIC;
    def.position = vec(4, 0, 2);
    def.angular_velocity = vec(3, 2, 1);
    def.name = "the odd one";
    def.gravity_scale = (lode_real)0.5;
    def.max_linear_speed = 3;
    def.damping = &damping;
    lode_body body = lode_body_create(world, &def);
    lode_shape_create_box(body, &shape, vec((lode_real)0.5, (lode_real)0.1, (lode_real)0.2));
    shape.pose.position = vec((lode_real)0.6, 0, (lode_real)0.2);
    lode_shape_create_sphere(body, &shape, (lode_real)0.25);
}

static void join(lode_world world, lode_joint_type type, lode_body a, lode_body b, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, anchor, vec(0, 0, 1));
    def.axis[0].lo_stop = -1;
    def.axis[0].hi_stop = (lode_real)1.5;
    def.axis[0].vel = 2;
    def.axis[0].f_max = 30;
    def.user_data = (void *)(uintptr_t)type;
    lode_joint_create(world, &def);
}

static void add_joints(lode_world world)
{
    lode_body last = add_body(world, LODE_STATIC, -4, 0, 4);
    lode_body post = last;
    for (int i = 1; i < 6; ++i) {
        lode_body ball = add_ball(world, -4 + (lode_real)i * (lode_real)0.5, 0, 4, (lode_real)0.2);
        join(world, LODE_JOINT_BALL, ball, last, vec((lode_real)-4.25 + (lode_real)i / 2, 0, 4));
        last = ball;
    }
    lode_shape_def shape = lode_shape_def_default();
    for (int i = 0; i < 2; ++i) {
        lode_body door = add_body(world, LODE_DYNAMIC, -4, 4 + (lode_real)i * 3, 2);
        lode_shape_create_box(door, &shape, vec((lode_real)0.5, (lode_real)0.05, 1));
        join(world, LODE_JOINT_HINGE, door, i ? post : (lode_body){0},
             vec((lode_real)-4.5, 4 + (lode_real)i * 3, 2));
    }
}

static void add_lift(lode_world world)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body lift = add_body(world, LODE_KINEMATIC, 6, 6, (lode_real)0.5);
    lode_shape_create_box(lift, &shape, vec(1, 1, (lode_real)0.1));
    shape.sensor = true;
    shape.pose.position = vec(-1, -1, 0);
    lode_shape_create_sphere(lift, &shape, 2);
    lode_shape_create_box(add_body(world, LODE_STATIC, 0, 0, 1), &shape, vec(1, 1, 1));
    add_ball(world, 6, 6, 1, (lode_real)0.3);
    lode_body_set_name(lift, "lift");
}

/* What cannot be computed with is frozen in the first step. */
static void add_frozen(lode_world world)
{
    lode_body body = add_ball(world, 20, 0, 3, 1);
    lode_body_set_linear_velocity(body, vec((lode_real)1e38, (lode_real)1e38, (lode_real)1e38));
    lode_body_set_angular_velocity(body, vec((lode_real)1e38, 0, 0));
    lode_body_set_max_linear_speed(body, (lode_real)INFINITY);
}

/* The pile's lowest layer, which may touch; and a part of the chain with the odd body, which may
 * not. */
static void add_aggregates(lode_world world)
{
    lode_body bodies[64];
    int count = lode_world_get_bodies(world, bodies, 64);
    lode_aggregate layer = lode_aggregate_create(world, true);
    lode_aggregate apart = lode_aggregate_create(world, false);
    lode_aggregate_set_user_data(apart, (void *)(uintptr_t)7);
    for (int i = 1; i < 10; ++i)
        lode_body_set_aggregate(bodies[i], layer);
    for (int i = PILE; i < PILE + 6 && i < count; ++i)
        lode_body_set_aggregate(bodies[i], apart);
}

lode_world yard_create(const lode_world_def *def)
{
    lode_world_def defaults = lode_world_def_default();
    lode_world world = lode_world_create(def ? def : &defaults);
    add_ground(world);
    add_pile(world);
    add_odd_body(world);
    add_joints(world);
    add_lift(world);
    add_frozen(world);
    add_aggregates(world);
    return world;
}

/* ---- its life ---- */

static lode_body nth_body(lode_world world, int n)
{
    lode_body bodies[256];
    int count = lode_world_get_bodies(world, bodies, 256);
    return bodies[n % count];
}

static void move_lift(lode_world world, int step)
{
    lode_body bodies[256];
    int count = lode_world_get_bodies(world, bodies, 256);
    for (int i = 0; i < count; ++i)
        if (lode_body_get_type(bodies[i]) == LODE_KINEMATIC && step % 40 == 0)
            lode_body_set_linear_velocity(bodies[i], vec(0, 0,
                                                         step % 160 == 0    ? (lode_real)0.5
                                                         : step % 160 == 80 ? (lode_real)-0.5
                                                                            : 0));
}

/* A floor at a height where no shape is, for one body. */
static void hold_up(lode_world world, int step)
{
    lode_body body = nth_body(world, 5 + step / 100);
    if (lode_body_get_type(body) != LODE_DYNAMIC)
        return;
    lode_contact_def contact = lode_contact_def_default();
    contact.body_a = body;
    contact.position = lode_body_get_center(body);
    contact.depth = (lode_real)0.001;
    lode_world_add_contacts(world, &contact, 1);
}

static void replace_body(lode_world world, int step)
{
    lode_body old = nth_body(world, 7 + step % 11);
    if (lode_body_get_type(old) == LODE_DYNAMIC)
        lode_body_destroy(old);
    lode_body ball = add_ball(world, (lode_real)0.4, (lode_real)0.3, 5, (lode_real)0.25);
    lode_body_set_name(ball, step % 2 ? "new" : "newer");
}

void yard_step(lode_world world, int step)
{
    move_lift(world, step);
    if (step % 3 == 0)
        hold_up(world, step);
    if (step % 170 == 60)
        replace_body(world, step);
    if (step % 210 == 205)
        lode_body_add_impulse(nth_body(world, 12), vec(0, 300, 200));
    if (step % 130 == 75)
        lode_body_set_aggregate(nth_body(world, 9), lode_body_get_aggregate(nth_body(world, 3)));
    if (step % 300 == 290)
        lode_body_sleep(nth_body(world, 20));
    if (step == 400)
        lode_world_set_gravity(world, vec(0, (lode_real)0.1, (lode_real)-9.5));
    lode_world_step(world, step % 7 == 0 ? STEP / 2 : STEP);
}

/* ---- its state ---- */

yard_shot yard_shoot(lode_world world)
{
    yard_shot shot = {.size = lode_world_snapshot(world, NULL, 0)};
    shot.bytes = malloc(shot.size);
    assert_int_equal(lode_world_snapshot(world, shot.bytes, shot.size), shot.size);
    return shot;
}

void yard_free(yard_shot shot)
{
    free(shot.bytes);
}

uint64_t yard_state(lode_world world)
{
    yard_shot shot = yard_shoot(world);
    uint64_t state = lode__hash_bytes(1, shot.bytes, shot.size);
    free(shot.bytes);
    return state;
}
