/* scene_machines.c: bodies that joints make a machine of: a bridge of planks that crates fall onto,
 * the belt of a tracked vehicle, four bars, and a platform on six legs whose cranks are turned.
 * Loads are many times heavier than what they hang on, and all but the bridge have closed loops. */
#include "bench/build.h"
#include "bench/vector.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Turns a body about the y axis by `angle`, rad, from where its shape's axes are the world's. */
static void tilt(bench_body *body, double angle)
{
    const double rotation[4] = {cos(angle / 2), 0, sin(angle / 2), 0};
    memcpy(body->rotation, rotation, sizeof rotation);
}

/* A joint at a place of its own. */
static bench_joint *join(bench_scene *scene, bench_joint_type type, int a, int b,
                         const double anchor[3])
{
    bench_joint *joint = bench_add_joint(scene, a, b);
    joint->type = type;
    joint->lo = -INFINITY;
    joint->hi = INFINITY;
    joint->axis[1] = 1;
    memcpy(joint->anchor, anchor, sizeof joint->anchor);
    return joint;
}

/* What stands still and holds the rest. */
static int add_base(bench_scene *scene)
{
    bench_body *body = bench_add_box(scene, 0, 0, 0, 0.1, 0.1, 0.1);
    body->dynamic = body->collides = false;
    return scene->body_count - 1;
}

/* A bar between two points of the plane of x and z; returns its number. */
static int add_bar(bench_scene *scene, const double from[3], const double to[3], double density)
{
    double x = to[0] - from[0], z = to[2] - from[2];
    bench_body *bar = bench_add_box(scene, (from[0] + to[0]) / 2, from[1], (from[2] + to[2]) / 2,
                                    sqrt(x * x + z * z) / 2, 0.05, 0.05);
    bar->density = density;
    bar->collides = false;
    tilt(bar, atan2(-z, x));
    return scene->body_count - 1;
}

/* Twenty planks of twenty kilograms sag between two banks; crates of half a ton are let fall onto
 * them from a hand's breadth above: from higher they would be thrown off. */
void bench_build_bridge(bench_scene *scene)
{
    enum { PLANKS = 20, CRATES = 5 };
    const double bend = 0.05; /* of a plank against the next, rad */
    double end[3] = {0, 0, 0};
    int base = add_base(scene), last = base;
    scene->holds = true;
    for (int i = 0; i < PLANKS; ++i) {
        double angle = bend * ((PLANKS - 1) / 2.0 - i), x = cos(angle), z = -sin(angle);
        bench_body *plank = bench_add_box(scene, end[0] + x / 2, 0, end[2] + z / 2, 0.45, 0.9,
                                          0.05);
        plank->density = 125;
        tilt(plank, angle);
        join(scene, BENCH_HINGE, scene->body_count - 1, last, end);
        last = scene->body_count - 1;
        end[0] += x;
        end[2] += z;
    }
    join(scene, BENCH_HINGE, last, base, end);
    for (int i = 0; i < CRATES; ++i) {
        const double *at = scene->bodies[base + 3 + i * PLANKS / CRATES].position;
        double x = at[0], z = at[2] + 0.65;
        bench_add_box(scene, x, 0, z, 0.5, 0.5, 0.5)->density = 500;
    }
}

/* Where a belt around two wheels is, by the way along it, and how it is turned about y. */
static double belt_at(double s, double straight, double radius, double out[3])
{
    double arc = PI * radius, angle = 0;
    out[0] = s, out[1] = 0, out[2] = radius;
    if (s > straight && s <= straight + arc) {
        angle = (s - straight) / radius;
        out[0] = straight + radius * sin(angle), out[2] = radius * cos(angle);
    } else if (s > straight + arc && s <= 2 * straight + arc) {
        angle = PI;
        out[0] = 2 * straight + arc - s, out[2] = -radius;
    } else if (s > 2 * straight + arc) {
        angle = PI + (s - 2 * straight - arc) / radius;
        out[0] = radius * sin(angle), out[2] = radius * cos(angle);
    }
    return angle;
}

/* Forty plates, somewhat loose around two wheels of a ton, one of which is turned. */
void bench_build_belt(bench_scene *scene)
{
    enum { PLATES = 40 };
    const double pitch = 0.2, radius = 0.6, straight = (PLATES * pitch - 2 * PI * radius) / 2;
    const double quarter = 0.70710678118654752440; /* of a turn about x */
    int base = add_base(scene), first = base + 3;
    scene->holds = true;
    for (int i = 0; i < 2; ++i) {
        const double at[3] = {i * straight, 0, 0};
        bench_body *wheel = bench_add_capsule(scene, at[0], 0, 0, radius - 0.03, 0.3);
        wheel->rotation[0] = wheel->rotation[1] = quarter;
        bench_joint *axle = join(scene, BENCH_HINGE, scene->body_count - 1, base, at);
        axle->speed = i ? 5 : 0;
        axle->torque = i ? 2000 : 0;
    }
    for (int i = 0; i < PLATES; ++i) {
        double at[3], angle = belt_at((i + 0.5) * pitch, straight, radius, at);
        tilt(bench_add_box(scene, at[0], 0, at[2], 0.09, 0.25, 0.02), angle);
    }
    for (int i = 0; i < PLATES; ++i) {
        bench_joint *joint = bench_add_joint(scene, first + i, first + (i + 1) % PLATES);
        double middle[3];
        memcpy(middle, joint->anchor, sizeof middle);
        --scene->joint_count;
        join(scene, BENCH_HINGE, first + i, first + (i + 1) % PLATES, middle);
    }
}

/* Four bars, of whose twenty rows three are superfluous; the coupler weighs ten times as much as
 * the others by length, and the crank is turned. The rocker's end is where two circles meet. */
void bench_build_four_bars(bench_scene *scene)
{
    const double crank = 0.5, coupler = 2, rocker = 1.5, ground = 2;
    const double square = crank * crank + ground * ground, way = sqrt(square);
    const double turn = PI - atan2(crank, ground) -
                        acos((square + rocker * rocker - coupler * coupler) / (2 * way * rocker));
    const double points[4][3] = {{0, 0, 0},
                                 {0, 0, crank},
                                 {ground + rocker * cos(turn), 0, rocker * sin(turn)},
                                 {ground, 0, 0}};
    int base = add_base(scene), last = base;
    for (int i = 0; i < 3; ++i) {
        int bar = add_bar(scene, points[i], points[i + 1], i == 1 ? 7000 : 700);
        bench_joint *joint = join(scene, BENCH_HINGE, bar, last, points[i]);
        joint->speed = i == 0 ? 3 : 0;
        joint->torque = i == 0 ? 1e6 : 0;
        last = bar;
    }
    join(scene, BENCH_HINGE, last, base, points[3]);
}

/* A platform of a ton on six rods of a few kilograms, whose feet stand on cranks: motors lift it
 * until the cranks are at their stops. */
void bench_build_stewart(bench_scene *scene)
{
    const double foot = 1.5, head = 1, arm = 0.4, height = 2;
    int base = add_base(scene);
    bench_add_box(scene, 0, 0, height + 0.125, 1, 1, 0.125)->collides = false;
    int platform = scene->body_count - 1;
    for (int i = 0; i < 6; ++i) {
        double low = PI / 3 * (i / 2 * 2 + (i % 2 ? 0.4 : -0.4) + 1);
        double high = PI / 3 * (i / 2 * 2 + (i % 2 ? 0.8 : -0.8) + 1);
        const double axle[3] = {(foot + arm) * cos(low), (foot + arm) * sin(low), 0};
        const double knee[3] = {foot * cos(low), foot * sin(low), 0};
        const double hip[3] = {head * cos(high), head * sin(high), height};
        bench_body *crank = bench_add_sphere(scene, (axle[0] + knee[0]) / 2,
                                             (axle[1] + knee[1]) / 2, 0, 0.1);
        crank->collides = false;
        bench_joint *joint = join(scene, BENCH_HINGE, scene->body_count - 1, base, axle);
        joint->axis[0] = -sin(low), joint->axis[1] = cos(low);
        joint->lo = -0.6, joint->hi = 0.6;
        joint->speed = 0.5;
        joint->torque = 1e5;
        bench_add_sphere(scene, (knee[0] + hip[0]) / 2, (knee[1] + hip[1]) / 2, height / 2, 0.1)
            ->collides = false;
        join(scene, BENCH_BALL, scene->body_count - 1, scene->body_count - 2, knee);
        join(scene, BENCH_BALL, platform, scene->body_count - 1, hip);
    }
}
