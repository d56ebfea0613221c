/* judge.c: how good a simulation was.
 *
 * Engines disagree about what a contact is and how deep it goes, so none is asked. The final poses
 * are put into a fresh world without gravity, one step finds the contacts, and its deepest one
 * counts. The rest is arithmetic on poses and velocities, in double. */
#include "bench/judge.h"

#include "bench/tool.h"
#include "bench/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const bench_quality_name bench_quality_names[BENCH_QUALITIES] = {
    [BENCH_PENETRATION] = {"max_penetration", "penetration, mm", 1e3, 2},
    [BENCH_SEPARATION] = {"max_joint_separation", "separation, mm", 1e3, 2},
    [BENCH_ANGLE] = {"max_joint_angle_error", "angle, deg", 57.295779513082323, 2},
    [BENCH_KINETIC] = {"kinetic_energy", "kinetic, J", 1, 1},
    [BENCH_DISPLACED] = {"displaced_fraction", "displaced, %", 100, 2},
    [BENCH_SUNK] = {"sunk_bodies", "sunk", 1, 0},
};

/* Where a direction that the body had at the start points now. */
static void turn(const bench_body *body, const bench_state *state, const double direction[3],
                 double out[3])
{
    double local[3];
    bench_rotate(body->rotation, -1, direction, local);
    bench_rotate(state->rotation, 1, local, out);
}

/* Where the body's point that was at `anchor` at the start is now. */
static void carry(const bench_body *body, const bench_state *state, const double anchor[3],
                  double out[3])
{
    double arm[3];
    for (int i = 0; i < 3; ++i)
        arm[i] = anchor[i] - body->position[i];
    turn(body, state, arm, out);
    for (int i = 0; i < 3; ++i)
        out[i] += state->position[i];
}

static double separation(const bench_scene *scene, const bench_state *states, int index)
{
    const bench_joint *joint = &scene->joints[index];
    int a = joint->body_a, b = joint->body_b;
    double at_a[3], at_b[3];
    carry(&scene->bodies[a], &states[a], joint->anchor, at_a);
    carry(&scene->bodies[b], &states[b], joint->anchor, at_b);
    return bench_distance(at_a, at_b);
}

static int descending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The largest of the joints that are judged. */
static double largest_separation(const bench_scene *scene, const bench_state *states)
{
    int count = scene->joint_count;
    if (!count)
        return 0;
    double *apart = bench_alloc((size_t)count, sizeof *apart);
    for (int i = 0; i < count; ++i)
        apart[i] = separation(scene, states, i);
    qsort(apart, (size_t)count, sizeof *apart, descending);
    double largest = apart[(int)(scene->jammed * count)];
    free(apart);
    return largest;
}

/* Any unit vector across the axis. */
static void across(const double axis[3], double out[3])
{
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    bench_cross(axis, fabs(axis[0]) < 0.6 ? x : y, out);
    double length = sqrt(bench_dot(out, out));
    for (int i = 0; i < 3; ++i)
        out[i] /= length;
}

/* By how much a hinge's axes differ, or its angle lies beyond a limit. */
static double hinge_error(const bench_scene *scene, const bench_state *states,
                          const bench_joint *joint)
{
    int a = joint->body_a, b = joint->body_b;
    double arm[3], axis_a[3], axis_b[3], arm_a[3], arm_b[3], swept[3], tilt[3];
    across(joint->axis, arm);
    turn(&scene->bodies[a], &states[a], joint->axis, axis_a);
    turn(&scene->bodies[b], &states[b], joint->axis, axis_b);
    turn(&scene->bodies[a], &states[a], arm, arm_a);
    turn(&scene->bodies[b], &states[b], arm, arm_b);
    bench_cross(axis_b, axis_a, tilt);
    double parted = atan2(sqrt(bench_dot(tilt, tilt)), bench_dot(axis_b, axis_a));
    bench_cross(arm_b, arm_a, swept);
    double angle = atan2(bench_dot(swept, axis_b), bench_dot(arm_b, arm_a));
    return fmax(parted, fmax(joint->lo - angle, angle - joint->hi));
}

static double largest_angle(const bench_scene *scene, const bench_state *states)
{
    double largest = 0;
    for (int i = 0; i < scene->joint_count; ++i)
        if (scene->joints[i].type == BENCH_HINGE)
            largest = fmax(largest, hinge_error(scene, states, &scene->joints[i]));
    return largest;
}

static double kinetic_energy(const bench_body *body, const bench_state *state)
{
    double inertia[3], spin[3], energy = 0, mass = bench_body_mass(body, inertia);
    bench_rotate(state->rotation, -1, state->angular, spin);
    for (int i = 0; i < 3; ++i)
        energy += mass * state->linear[i] * state->linear[i] + inertia[i] * spin[i] * spin[i];
    return 0.5 * energy;
}

static double deepest_penetration(const bench_scene *scene, const bench_state *states)
{
    bench_scene still = *scene;
    size_t size = (size_t)scene->body_count * sizeof *scene->bodies;
    still.bodies = bench_alloc(1, size);
    memcpy(still.bodies, scene->bodies, size);
    memset(still.gravity, 0, sizeof still.gravity);
    for (int i = 0; i < scene->body_count; ++i) {
        memcpy(still.bodies[i].position, states[i].position, sizeof states[i].position);
        memcpy(still.bodies[i].rotation, states[i].rotation, sizeof states[i].rotation);
    }
    bench_options options = {.iterations = 1, .threads = 1};
    void *world = bench_engine_lode.create(&still, &options);
    if (!world || !bench_engine_lode.step(world))
        bench_fail("cannot judge the scene '%s'", scene->name);
    double deepest = bench_lode_deepest(world);
    bench_engine_lode.destroy(world);
    free(still.bodies);
    return deepest;
}

static double least_half(const bench_body *body)
{
    const double *s = body->size;
    return body->shape == BENCH_BOX ? fmin(s[0], fmin(s[1], s[2])) : s[0];
}

/* Is the point over or under the triangle, seen along z? And how far above its plane. */
static bool is_over(const bench_mesh *mesh, int triangle, const double point[3], double *out_above)
{
    const unsigned *corner = mesh->triangles[triangle];
    double v[3][3], u[3], w[3], n[3];
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            v[k][i] = (double)mesh->vertices[corner[k]][i] - point[i];
    for (int k = 0; k < 3; ++k)
        if (v[k][0] * v[(k + 1) % 3][1] < v[k][1] * v[(k + 1) % 3][0])
            return false;
    for (int i = 0; i < 3; ++i) {
        u[i] = v[1][i] - v[0][i];
        w[i] = v[2][i] - v[0][i];
    }
    bench_cross(u, w, n);
    *out_above = -bench_dot(n, v[0]) / sqrt(bench_dot(n, n));
    return true;
}

static bool is_sunk(const bench_body *ground, const bench_body *body, const bench_state *state)
{
    double from[3], point[3], above;
    for (int i = 0; i < 3; ++i)
        from[i] = state->position[i] - ground->position[i];
    bench_rotate(ground->rotation, -1, from, point);
    for (int t = 0; t < ground->mesh->triangle_count; ++t)
        if (is_over(ground->mesh, t, point, &above))
            return !(above > 0.5 * least_half(body));
    return true;
}

/* Into the first mesh there is; none without one. */
static int count_sunk(const bench_scene *scene, const bench_state *states)
{
    int ground = 0, count = 0;
    while (ground < scene->body_count && scene->bodies[ground].shape != BENCH_MESH)
        ++ground;
    for (int i = 0; i < scene->body_count && ground < scene->body_count; ++i)
        if (scene->bodies[i].dynamic)
            count += is_sunk(&scene->bodies[ground], &scene->bodies[i], &states[i]);
    return count;
}

bench_quality bench_judge(const bench_scene *scene, const bench_state *states)
{
    int dynamic = 0, displaced = 0;
    double energy = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        if (!scene->bodies[i].dynamic)
            continue;
        ++dynamic;
        displaced += bench_distance(scene->bodies[i].position, states[i].position) > 0.5;
        energy += kinetic_energy(&scene->bodies[i], &states[i]);
    }
    return (bench_quality){{
        [BENCH_PENETRATION] = deepest_penetration(scene, states),
        [BENCH_SEPARATION] = largest_separation(scene, states),
        [BENCH_ANGLE] = largest_angle(scene, states),
        [BENCH_KINETIC] = energy,
        [BENCH_DISPLACED] = dynamic ? (double)displaced / dynamic : 0,
        [BENCH_SUNK] = count_sunk(scene, states),
    }};
}

/* A value that is not a number is beyond its bound; a peer's is no measure. Below a tenth of the
 * bound all values are equally good: what differs there is rounding. */
bench_verdict bench_verdict_of(const bench_scene *scene, const bench_quality *quality,
                               const bench_quality *peer)
{
    bench_verdict verdict = {0};
    for (int i = 0; i < BENCH_QUALITIES; ++i) {
        double value = quality->value[i], bound = scene->bounds[i];
        if (bound < 0)
            continue;
        if (!(value <= bound))
            verdict.beyond |= 1u << i;
        if (peer && value > scene->noise * peer->value[i] && value > 0.1 * bound)
            verdict.worse |= 1u << i;
    }
    return verdict;
}
