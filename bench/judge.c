/* judge.c: how good a simulation was.
 *
 * Engines disagree about what a contact is and how deep it goes, so none is asked. The final poses
 * are put into a fresh world without gravity, one step finds the contacts, and its deepest one
 * counts. The rest is arithmetic on poses and velocities, in double. */
#include "bench/judge.h"

#include "bench/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* v' = v + 2 w (u x v) + 2 u x (u x v), for the quaternion (w, u); backwards with -u. */
static void rotate(const double q[4], double sign, const double v[3], double out[3])
{
    double u[3] = {sign * q[1], sign * q[2], sign * q[3]}, t[3], tt[3];
    cross(u, v, t);
    cross(u, t, tt);
    for (int i = 0; i < 3; ++i)
        out[i] = v[i] + 2 * (q[0] * t[i] + tt[i]);
}

static double distance(const double a[3], const double b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Where the body's point that was at `anchor` at the start is now. */
static void carry(const bench_body *body, const bench_state *state, const double anchor[3],
                  double out[3])
{
    double arm[3], local[3];
    for (int i = 0; i < 3; ++i)
        arm[i] = anchor[i] - body->position[i];
    rotate(body->rotation, -1, arm, local);
    rotate(state->rotation, 1, local, out);
    for (int i = 0; i < 3; ++i)
        out[i] += state->position[i];
}

static double largest_separation(const bench_scene *scene, const bench_state *states)
{
    double largest = 0;
    for (int i = 0; i < scene->joint_count; ++i) {
        const bench_joint *joint = &scene->joints[i];
        int a = joint->body_a, b = joint->body_b;
        double at_a[3], at_b[3];
        carry(&scene->bodies[a], &states[a], joint->anchor, at_a);
        carry(&scene->bodies[b], &states[b], joint->anchor, at_b);
        largest = fmax(largest, distance(at_a, at_b));
    }
    return largest;
}

static double kinetic_energy(const bench_body *body, const bench_state *state)
{
    double inertia[3], spin[3], energy = 0, mass = bench_body_mass(body, inertia);
    rotate(state->rotation, -1, state->angular, spin);
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

bench_quality bench_judge(const bench_scene *scene, const bench_state *states)
{
    bench_quality quality = {.penetration = deepest_penetration(scene, states),
                             .separation = largest_separation(scene, states)};
    int dynamic = 0, displaced = 0;
    for (int i = 0; i < scene->body_count; ++i) {
        if (!scene->bodies[i].dynamic)
            continue;
        ++dynamic;
        displaced += distance(scene->bodies[i].position, states[i].position) > 0.5;
        quality.kinetic_energy += kinetic_energy(&scene->bodies[i], &states[i]);
    }
    quality.displaced = dynamic ? (double)displaced / dynamic : 0;
    return quality;
}

/* Written so that a value which is not a number is out of bounds. */
static bool within(double value, double bound)
{
    return bound < 0 || value <= bound;
}

bool bench_within(const bench_quality *quality, const bench_bounds *bounds)
{
    return within(quality->penetration, bounds->penetration) &&
           within(quality->separation, bounds->separation) &&
           within(quality->kinetic_energy, bounds->kinetic_energy) &&
           within(quality->displaced, bounds->displaced);
}
