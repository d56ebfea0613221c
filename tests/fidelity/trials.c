/* trials.c: see trials.h. */
#include "tests/fidelity/trials.h"

#include <math.h>
#include <string.h>

#define G 9.81

/* ---- what all need ---- */

static trial_body box_of(double mass, double x, double y, double z)
{
    return (trial_body){.box = true, .mass = mass, .size = {x, y, z}};
}

static trial_body ball_of(double mass, double radius)
{
    return (trial_body){.mass = mass, .size = {radius}};
}

static void place(trial_body *body, double x, double y, double z)
{
    body->position[0] = x, body->position[1] = y, body->position[2] = z;
}

static void add_plane(trial_scene *scene, double x, double y, double z, double offset)
{
    double *plane = scene->planes[scene->plane_count++];
    plane[0] = x, plane[1] = y, plane[2] = z, plane[3] = offset;
}

/* Not less where something is not a number. */
static void raise(double *worst, double value)
{
    *worst = value <= *worst ? *worst : value;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

/* I w in world axes. */
static void moment(const trial_body *body, const trial_state *s, double out[3])
{
    const double *q = s->rotation, *half = body->size;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double axes[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
        {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
        {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < 3; ++k) {
        double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
        double inertia = body->mass * (body->box ? (a * a + b * b) / 3 : 0.4 * half[0] * half[0]);
        double along = inertia * dot(axes[k], s->angular);
        for (int j = 0; j < 3; ++j)
            out[j] += axes[k][j] * along;
    }
}

typedef struct sums {
    double energy, linear[3], angular[3]; /* the latter about the origin */
} sums;

static sums total(const trial_engine *engine, void *world, const trial_scene *scene)
{
    sums all = {0};
    for (int i = 0; i < scene->body_count; ++i) {
        const trial_body *body = &scene->bodies[i];
        trial_state s;
        double l[3];
        engine->read(world, i, &s);
        moment(body, &s, l);
        all.energy += 0.5 * body->mass * dot(s.linear, s.linear) + 0.5 * dot(s.angular, l);
        all.energy -= body->mass * dot(scene->gravity, s.position);
        for (int k = 0; k < 3; ++k) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            all.linear[k] += body->mass * s.linear[k];
            all.angular[k] += l[k] + body->mass * (s.position[m] * s.linear[n] -
                                                   s.position[n] * s.linear[m]);
        }
    }
    return all;
}

/* ---- rolling: SimBenchmark's, leggedrobotics (2018) ----
 *
 * 25 balls of 1 kg roll on a box of 10 kg that 150 N push, for four seconds in steps of 1 ms; the
 * ground's coefficient is 0.4, the balls' 0.8. The box slides, f1 = mu (M + n m) g. A ball that
 * rolls on it is pushed by f2 at its foot, where it moves by (1 + 5/2) f2 / m = a1 the box's own:
 *     M a1 = F - f1 - n f2,  a2 = f2 / m.
 * Figures: largest error of the box's velocity and of a ball's, m/s, along y and along the
 * diagonal. Along y the first ends with 2.95 m/s, the second with 0.84. */

enum { ROW = 5, ROLLING_STEPS = 4000 };

static void roll(const trial_engine *engine, const trial_way *way, double angle, double out[2])
{
    const double m = 1, M = 10, F = 150, mu = 0.4, n = ROW * ROW;
    const double a1 = (F - mu * (M + n * m) * G) / (M + n * m / 3.5), a2 = a1 / 3.5;
    trial_scene scene = {.h = 0.001, .gravity = {0, 0, -G}, .ground_friction = mu, .friction = 0.8};
    add_plane(&scene, 0, 0, 1, 0);
    scene.bodies[scene.body_count] = box_of(M, 10, 10, 0.5);
    place(&scene.bodies[scene.body_count++], 0, 0, 0.5);
    for (int i = 0; i < ROW * ROW; ++i) {
        trial_body *ball = &scene.bodies[scene.body_count++];
        *ball = ball_of(m, 0.5);
        place(ball, 2.0 * (i % ROW - ROW / 2), 2.0 * (i / ROW - ROW / 2), 1.5);
    }
    const double along[3] = {cos(angle), sin(angle), 0};
    const double force[3] = {F * along[0], F * along[1], 0};
    void *world = engine->create(&scene, way);
    out[0] = out[1] = world ? 0 : NAN;
    for (int i = 1; world && i <= ROLLING_STEPS; ++i) {
        bool done = engine->step(world, force);
        for (int k = 0; k < scene.body_count; ++k) {
            trial_state s;
            double v = (k ? a2 : a1) * i * scene.h;
            const double expected[3] = {v * along[0], v * along[1], 0};
            engine->read(world, k, &s);
            raise(&out[k > 0], done ? distance(s.linear, expected) : NAN);
        }
    }
    if (world)
        engine->destroy(world);
}

static void rolling(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    roll(engine, way, acos(0), out);
    roll(engine, way, acos(0) / 2, out + 2);
}

/* ---- bouncing: SimBenchmark's ----
 *
 * 49 elastic balls that fall from 5 m bounce ten times in 20 s, and keep their energy. Figures: the
 * largest share that was off, in steps of 1 ms and of 10 ms. */

enum { GRID = 7 };

static double bounce(const trial_engine *engine, const trial_way *way, double h)
{
    const double m = 1, radius = 0.1, height = 5;
    trial_scene scene = {.h = h, .gravity = {0, 0, -G}, .restitution = 1};
    add_plane(&scene, 0, 0, 1, 0);
    for (int i = 0; i < GRID * GRID; ++i) {
        trial_body *ball = &scene.bodies[scene.body_count++];
        *ball = ball_of(m, radius);
        place(ball, i % GRID, i / GRID, radius + height);
    }
    void *world = engine->create(&scene, way);
    double worst = world ? 0 : NAN, lying = GRID * GRID * m * G * radius;
    for (int i = 0; world && i < 20 / h; ++i) {
        bool done = engine->step(world, 0);
        double energy = total(engine, world, &scene).energy - lying;
        raise(&worst, done ? fabs(energy / (GRID * GRID * m * G * height) - 1) : NAN);
    }
    if (world)
        engine->destroy(world);
    return worst;
}

static void bouncing(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    out[0] = bounce(engine, way, 0.001);
    out[1] = bounce(engine, way, 0.01);
}

/* ---- walls: a box in a plane between four of them, elastic, without friction and gravity ----
 *
 * Figures: the largest share of kinetic energy that was off in 10,000 bounces, or in as many as
 * there were in two hours, of one that does not turn at first and of one that does. */

enum { BOUNCES = 10000, MOST_STEPS = 400000 };

static double bounce_about(const trial_engine *engine, const trial_way *way, double half,
                           double spin)
{
    trial_scene scene = {.h = 1.0 / 60, .restitution = 1, .in_plane = true, .body_count = 1};
    for (int i = 0; i < 4; ++i)
        add_plane(&scene, i < 2 ? 1 - 2 * i : 0, i < 2 ? 0 : 5 - 2 * i, 0, -half);
    trial_body *box = &scene.bodies[0];
    *box = box_of(1, 0.5, 0.5, 0.5);
    box->linear[0] = 4, box->linear[1] = 2.74, box->angular[2] = spin;
    void *world = engine->create(&scene, way);
    double worst = world ? 0 : NAN, first = world ? total(engine, world, &scene).energy : 0;
    trial_state before = {{0}, {0}, {0}, {0}}, now;
    for (int i = 0, bounces = -1; world && bounces < BOUNCES && i < MOST_STEPS; ++i) {
        bool done = engine->step(world, 0);
        engine->read(world, 0, &now);
        bounces += distance(now.linear, before.linear) > 1e-6;
        before = now;
        raise(&worst, done ? fabs(total(engine, world, &scene).energy / first - 1) : NAN);
    }
    if (world)
        engine->destroy(world);
    return worst;
}

static void walls(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    out[0] = bounce_about(engine, way, 0.8, 0);
    out[1] = bounce_about(engine, way, 1.25, 2.6);
}

/* ---- tumbling: a long thin box turns freely for a minute ----
 *
 * Figures: the largest shares of kinetic energy and of angular momentum that were off. */

static void tumbling(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    trial_scene scene = {.h = 1.0 / 60, .body_count = 1};
    scene.bodies[0] = box_of(1, 0.05, 0.1, 2);
    memcpy(scene.bodies[0].angular, (double[3]){3, 7, 2}, 3 * sizeof(double));
    void *world = engine->create(&scene, way);
    out[0] = out[1] = world ? 0 : NAN;
    if (!world)
        return;
    sums first = total(engine, world, &scene);
    for (int i = 0; i < 3600; ++i) {
        bool done = engine->step(world, 0);
        sums now = total(engine, world, &scene);
        double all = sqrt(dot(first.angular, first.angular));
        raise(&out[0], done ? fabs(now.energy / first.energy - 1) : NAN);
        raise(&out[1], done ? distance(now.angular, first.angular) / all : NAN);
    }
    engine->destroy(world);
}

/* ---- chain: eight boxes on ball joints fly freely for a minute ----
 *
 * Figures: the largest shares of momentum and angular momentum that were off, and the largest share
 * of kinetic energy that was won. */

static void chain(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    trial_scene scene = {.h = 1.0 / 60, .chain = true, .body_count = 8};
    for (int i = 0; i < scene.body_count; ++i) {
        trial_body *link = &scene.bodies[i];
        *link = box_of(1 + i % 3, 0.2, 0.1, 0.1);
        place(link, 0.5 * (i - 3.5), 0, 0);
        link->linear[0] = 1;
        link->linear[1] = 2.0 * link->position[0] + 0.5;
        link->angular[2] = 2;
        link->linear[2] = i % 2 ? 0.3 : -0.3;
    }
    void *world = engine->create(&scene, way);
    out[0] = out[1] = out[2] = world ? 0 : NAN;
    if (!world)
        return;
    sums first = total(engine, world, &scene);
    for (int i = 0; i < 3600; ++i) {
        bool done = engine->step(world, 0);
        sums now = total(engine, world, &scene);
        raise(&out[0], done ? distance(now.linear, first.linear) /
                                  sqrt(dot(first.linear, first.linear)) : NAN);
        raise(&out[1], done ? distance(now.angular, first.angular) /
                                  sqrt(dot(first.angular, first.angular)) : NAN);
        raise(&out[2], done ? now.energy / first.energy - 1 : NAN);
    }
    engine->destroy(world);
}

/* ---- friction: a flat box on a slope, and one that slides on the level ----
 *
 * Figures: by how much the first creeps in ten minutes at 80 % of the angle of friction, m; and the
 * share by which the way of the second is off, v^2 / (2 mu g), along x and along the diagonal. */

static double creep(const trial_engine *engine, const trial_way *way)
{
    const double mu = 0.6, angle = 0.8 * atan(mu);
    trial_scene scene = {.h = 1.0 / 60, .body_count = 1, .ground_friction = mu,
                         .gravity = {G * sin(angle), 0, -G * cos(angle)}};
    add_plane(&scene, 0, 0, 1, 0);
    scene.bodies[0] = box_of(125, 0.5, 0.5, 0.125);
    scene.bodies[0].position[2] = 0.125;
    void *world = engine->create(&scene, way);
    trial_state from = {{0}, {0}, {0}, {0}}, now;
    double off = world ? 0 : NAN;
    for (int i = 0; world && i < 36060; ++i) {
        if (!engine->step(world, 0))
            off = NAN;
        if (i == 59)
            engine->read(world, 0, &from);
    }
    if (!world)
        return NAN;
    engine->read(world, 0, &now);
    engine->destroy(world);
    return off + distance(now.position, from.position);
}

static double slide(const trial_engine *engine, const trial_way *way, double angle)
{
    const double mu = 0.6, v = 4;
    trial_scene scene = {.h = 1.0 / 60, .body_count = 1, .ground_friction = mu,
                         .gravity = {0, 0, -G}};
    add_plane(&scene, 0, 0, 1, 0);
    scene.bodies[0] = box_of(125, 0.5, 0.5, 0.125);
    place(&scene.bodies[0], 0, 0, 0.125);
    scene.bodies[0].linear[0] = v * cos(angle);
    scene.bodies[0].linear[1] = v * sin(angle);
    void *world = engine->create(&scene, way);
    trial_state now = {{0}, {0}, {0}, {0}};
    bool done = world != 0;
    for (int i = 0; done && i < 120; ++i)
        done = engine->step(world, 0);
    if (!world)
        return NAN;
    engine->read(world, 0, &now);
    engine->destroy(world);
    double went = sqrt(now.position[0] * now.position[0] + now.position[1] * now.position[1]);
    return done ? fabs(went / (v * v / (2 * mu * G)) - 1) : NAN;
}

static void friction(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    out[0] = creep(engine, way);
    out[1] = slide(engine, way, 0);
    out[2] = slide(engine, way, acos(0) / 2);
}

/* ---- surfaces: a flat box of 125 kg on the level, or a ball ---- */

static trial_scene level(bool box)
{
    trial_scene scene = {.h = 1.0 / 60, .body_count = 1, .ground_friction = 0.6,
                         .gravity = {0, 0, -G}};
    add_plane(&scene, 0, 0, 1, 0);
    scene.bodies[0] = box ? box_of(125, 0.5, 0.5, 0.125) : ball_of(125, 0.5);
    place(&scene.bodies[0], 0, 0, box ? 0.125 : 0.5);
    return scene;
}

static trial_state after(const trial_engine *engine, const trial_way *way,
                         const trial_scene *scene, const double force[3], int steps)
{
    trial_state now = {{NAN, NAN, NAN}, {0}, {NAN, NAN, NAN}, {0}};
    void *world = engine->create(scene, way);
    bool done = world != 0;
    for (int i = 0; done && i < steps; ++i)
        done = engine->step(world, force);
    if (done)
        engine->read(world, 0, &now);
    if (world)
        engine->destroy(world);
    return now;
}

/* Figures: by what share the speed of a box that is pushed for ten seconds is off slip times the
 * force, along x and along y. */
static void slip(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    const double force[3] = {300, 200, 0};
    trial_scene scene = level(true);
    scene.slip[0] = 0.002, scene.slip[1] = 0.004;
    trial_state now = after(engine, way, &scene, force, 600);
    for (int k = 0; k < 2; ++k)
        out[k] = fabs(now.linear[k] / (scene.slip[k] * force[k]) - 1);
}

/* Figures: by how much the velocity of a box is off the belt's after two seconds, along x alone and
 * along both directions, m/s. */
static void belts(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    for (int k = 0; k < 2; ++k) {
        trial_scene scene = level(true);
        scene.belt[0] = 2, scene.belt[1] = k;
        trial_state now = after(engine, way, &scene, 0, 120);
        const double expected[3] = {scene.belt[0], scene.belt[1], 0};
        out[k] = distance(now.linear, expected);
    }
}

/* Figures: by what share a ball sinks off F cfm h / erp under a force F more, for two springs. */
static void soft(const trial_engine *engine, const trial_way *way, double out[TRIAL_FIGURES])
{
    const double force[3] = {0, 0, -125 * G};
    for (int k = 0; k < 2; ++k) {
        trial_scene scene = level(false);
        scene.soft_erp = k ? 0.2 : 0.4, scene.soft_cfm = k ? 0.0002 : 0.002;
        trial_state light = after(engine, way, &scene, 0, 600);
        trial_state heavy = after(engine, way, &scene, force, 600);
        double sinks = -force[2] * scene.soft_cfm * scene.h / scene.soft_erp;
        out[k] = fabs((light.position[2] - heavy.position[2]) / sinks - 1);
    }
}

const trial trials[TRIAL_COUNT] = {
    {"rolling", 4, rolling},   {"bouncing", 2, bouncing}, {"walls", 2, walls},
    {"tumbling", 2, tumbling}, {"chain", 3, chain},       {"friction", 3, friction},
    {"slip", 2, slip},         {"belts", 2, belts},       {"soft", 2, soft},
};

const trial *trial_find(const char *name)
{
    for (int i = 0; i < TRIAL_COUNT; ++i)
        if (strcmp(trials[i].name, name) == 0)
            return &trials[i];
    return 0;
}
