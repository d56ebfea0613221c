/* solids.c: see solids.h. */
#include "tests/world/solids.h"

#include "core/math.h"
#include "lode/hull.h"

#include <math.h>

void step(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

lode_world make_world(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, -10);
    def.threads = threads;
    return lode_world_create(&def);
}

lode_shape add_plane(lode_world world, lode_real friction)
{
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = friction;
    return lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, 0), &shape, vec(0, 0, 1), 0);
}

/* A prism with a five-cornered foot of radius 0.5. */
static lode_hull *make_wedge(void)
{
    static const double foot[5][2] = {
        {0.5, 0}, {0.15, 0.47}, {-0.4, 0.29}, {-0.4, -0.29}, {0.15, -0.47}};
    lode_real points[10][3];
    for (int i = 0; i < 10; ++i) {
        points[i][0] = (lode_real)foot[i % 5][0];
        points[i][1] = (lode_real)foot[i % 5][1];
        points[i][2] = (lode_real)(i < 5 ? -0.3 : 0.3);
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = &points[0][0];
    def.point_count = 10;
    lode_hull *hull = lode_hull_create(&def);
    assert_non_null(hull);
    return hull;
}

lode_body add_solid(lode_world world, kind kind, lode_pose pose, lode_real friction)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    def.position = pose.position;
    def.rotation = pose.rotation;
    shape.friction = friction;
    lode_body body = lode_body_create(world, &def);
    lode_sleep sleep = lode_body_get_sleep(body);
    sleep.enabled = false;
    lode_body_set_sleep(body, &sleep);
    if (kind == BALL)
        lode_shape_create_sphere(body, &shape, (lode_real)0.5);
    else if (kind == BOX)
        lode_shape_create_box(body, &shape, vec((lode_real)0.5, (lode_real)0.4, (lode_real)0.3));
    else if (kind == CAPSULE)
        lode_shape_create_capsule(body, &shape, (lode_real)0.3, (lode_real)0.7);
    else if (kind == DRUM)
        lode_shape_create_cylinder(body, &shape, (lode_real)0.4, (lode_real)0.3);
    else {
        lode_hull *hull = make_wedge();
        lode_shape_create_hull(body, &shape, hull);
        lode_hull_release(hull);
    }
    return body;
}

lode_pose lying(kind kind, double x, double y, double z)
{
    lode_quat turn = {(lode_real)0.9950041652780258, 0, 0, (lode_real)0.09983341664682815};
    lode_quat side = {(lode_real)0.7071067811865476, 0, (lode_real)0.7071067811865476, 0};
    lode_pose pose = {vec((lode_real)x, (lode_real)y, (lode_real)z), turn};
    if (kind == CAPSULE)
        pose.rotation = q_mul(turn, side);
    return pose;
}

double height_of(kind kind)
{
    return kind == BALL ? 0.5 : 0.3;
}

path follow(lode_world world, kind kind, lode_vec3 from, lode_real friction, lode_vec3 v, int steps)
{
    double ground = (double)from.z, y = (double)from.y;
    lode_body body = add_solid(world, kind,
                               lying(kind, (double)from.x, y, ground + height_of(kind)), friction);
    lode_body_set_linear_velocity(body, v);
    if (kind == BALL)
        lode_body_set_angular_velocity(body, vec(-v.y * 2, v.x * 2, 0));
    path p = {0};
    for (int i = 0; i < steps; ++i) {
        step(world, 1);
        lode_vec3 at = lode_body_get_pose(body).position;
        p.sideways = fmax(p.sideways, fabs((double)at.y - y));
        p.z = fmax(p.z, fabs((double)at.z - ground - height_of(kind)));
    }
    lode_vec3 at = lode_body_get_pose(body).position, now = lode_body_get_linear_velocity(body);
    lode_quat q = lode_body_get_pose(body).rotation;
    lode_vec3 up = q_rotate(q, kind == CAPSULE ? vec(1, 0, 0) : vec(0, 0, 1));
    p.x = (double)at.x;
    p.y = (double)at.y;
    p.speed = (double)now.x;
    p.tilt = kind == BALL ? 0 : 1 - fabs((double)up.z);
    lode_world_destroy(world);
    return p;
}
