/* robots.c: what a step of an articulation costs: chains of hinges that hang from the world and
 * swing, and a humanoid of 28 degrees of freedom that falls; without contacts, drives and limits,
 * so that what is timed is the dynamics of the tree. Each engine steps the same links from the same
 * pose; a height is shown to tell whether they do the same. */
#include "bench/robots.h"

#include "bench/stats.h"
#include "bench/tool.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 7, TURNS = 41, TURN_STEPS = 10 };

static const double step_length = 0.001;

/* --- the robots */

static bench_robot_link *add(bench_robot *robot, int parent, int axis, double mass)
{
    bench_robot_link *link = &robot->link[robot->count++];
    *link = (bench_robot_link){.parent = parent, .axis = axis, .mass = mass};
    return link;
}

static void set(double *out, double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* Bars along x, about y and z in turn, so that it leaves its plane. */
static void make_chain(bench_robot *robot, int links)
{
    set(add(robot, -1, 0, 1)->half, 0.05, 0.05, 0.05);
    for (int i = 0; i < links; ++i) {
        bench_robot_link *link = add(robot, i, i % 4 == 3 ? 2 : 1, 0.5);
        set(link->half, 0.1, 0.02, 0.02);
        set(link->pivot, i > 0 ? 0.1 : 0, 0, 0);
        set(link->center, 0.1, 0, 0);
    }
}

/* A limb: hinges about the axes given, in one place but for the last links' lengths. */
static int add_limb(bench_robot *robot, int parent, const double *pivot, const char *axes,
                    double length, double mass)
{
    for (int i = 0; axes[i]; ++i) {
        bool last = !axes[i + 1];
        bench_robot_link *link = add(robot, parent, axes[i] - 'x', last ? mass : mass * 0.2);
        set(link->half, 0.05, 0.05, last ? length / 2 : 0.05);
        if (i == 0)
            memcpy(link->pivot, pivot, sizeof link->pivot);
        set(link->center, 0, 0, last ? -length / 2 : 0);
        parent = robot->count - 1;
    }
    return parent;
}

/* 22 hinges: waist and head, three to a hip and shoulder, one to a knee and elbow, two to an
 * ankle. */
static void make_humanoid(bench_robot *robot)
{
    bench_robot_link *pelvis = add(robot, -1, 0, 9);
    set(pelvis->half, 0.1, 0.15, 0.08);
    robot->floating = true;
    const double up[3] = {0, 0, 0.1}, above[3] = {0, 0, 0.4};
    int torso = add_limb(robot, 0, up, "xyz", 0.4, 20);
    add_limb(robot, torso, above, "y", 0.2, 4);
    for (int side = -1; side <= 1; side += 2) {
        const double hip[3] = {0, 0.1 * side, -0.08}, knee[3] = {0, 0, -0.2};
        const double shoulder[3] = {0, 0.2 * side, 0.3}, elbow[3] = {0, 0, -0.15};
        int thigh = add_limb(robot, 0, hip, "xyz", 0.4, 7);
        int shin = add_limb(robot, thigh, knee, "y", 0.4, 4);
        add_limb(robot, shin, knee, "xy", 0.1, 1.5);
        int arm = add_limb(robot, torso, shoulder, "xz", 0.3, 2);
        add_limb(robot, arm, elbow, "y", 0.3, 1.5);
    }
}

/* --- measuring */

static void chain_8(bench_robot *robot)
{
    make_chain(robot, 8);
}
static void chain_32(bench_robot *robot)
{
    make_chain(robot, 32);
}
static void chain_128(bench_robot *robot)
{
    make_chain(robot, 128);
}
static void lone_humanoid(bench_robot *robot)
{
    make_humanoid(robot);
    robot->apart = true;
}

typedef struct row {
    const char *name;
    void (*make)(bench_robot *robot);
    int copies, steps;
} row;

enum { CHAIN_8, CHAIN_32, CHAIN_128, HUMANOID, ONE_BY_ONE, IN_LANES, ROWS };

static const row rows[ROWS] = {
    [CHAIN_8] = {"chain of 8", chain_8, 1, 200},
    [CHAIN_32] = {"chain of 32", chain_32, 1, 200},
    [CHAIN_128] = {"chain of 128", chain_128, 1, 100},
    [HUMANOID] = {"humanoid", make_humanoid, 1, 200},
    [ONE_BY_ONE] = {"one by one", lone_humanoid, 1000, 20},
    [IN_LANES] = {"in lanes", make_humanoid, 1000, 20},
};

static const bench_robot_engine *const engines[] = {
    &bench_robots_lode,
#ifdef BENCH_BULLET_VERSION
    &bench_robots_bullet,
#endif
#ifdef BENCH_HAVE_MUJOCO
    &bench_robots_mujoco,
#endif
};

enum { ENGINES = sizeof engines / sizeof *engines };

static double time_steps(const bench_robot_engine *engine, void *side, int steps)
{
    double begin = bench_now();
    for (int i = 0; i < steps; ++i)
        engine->step(side, step_length);
    return (bench_now() - begin) / steps;
}

/* Prints a row; returns what a step of one costs Lode at least, s. */
static double measure(const row *of)
{
    static bench_robot robot;
    void *sides[ENGINES];
    const char *why[ENGINES];
    double seconds[ENGINES][ROUNDS];
    robot = (bench_robot){.name = of->name};
    of->make(&robot);
    for (int e = 0; e < ENGINES; ++e) {
        sides[e] = engines[e]->create(&robot, of->copies, &why[e]);
        if (!sides[e] && e == 0)
            bench_fail("cannot make %s: %s", of->name, why[e]);
    }
    for (int round = 0; round < ROUNDS; ++round)
        for (int e = 0; e < ENGINES; ++e)
            seconds[e][round] = sides[e] ? time_steps(engines[e], sides[e], of->steps) : 0;
    bench_spread lode = bench_spread_of(seconds[0], ROUNDS);
    double ours = lode.median / of->copies;
    printf("%-16s %5d", of->name, of->copies);
    for (int e = 0; e < ENGINES; ++e) {
        if (!sides[e]) {
            printf(" %25s", why[e]);
            continue;
        }
        double each = bench_spread_of(seconds[e], ROUNDS).median / of->copies;
        printf(" %9.2f %5.2fx %8.3f", each * 1e6, each / ours, engines[e]->height(sides[e]));
        engines[e]->destroy(sides[e]);
    }
    printf("\n");
    return lode.min / of->copies;
}

/* --- lanes against one by one */

typedef struct gain {
    double median, least; /* of the one's times by those of the other */
} gain;

/* How many times as fast lanes are. Both sides take short turns beside each other. What else the
 * machine does is felt more by lanes, which wait for memory: it is the medians that are judged, for
 * the least of many turns would leave that out. */
static gain measure_gain(void)
{
    static const int of[2] = {ONE_BY_ONE, IN_LANES};
    const bench_robot_engine *lode = &bench_robots_lode;
    void *sides[2];
    double seconds[2][TURNS];
    for (int k = 0; k < 2; ++k) {
        static bench_robot robot;
        const char *why;
        robot = (bench_robot){.name = rows[of[k]].name};
        rows[of[k]].make(&robot);
        sides[k] = lode->create(&robot, rows[of[k]].copies, &why);
        if (!sides[k])
            bench_fail("cannot make %s: %s", robot.name, why);
        time_steps(lode, sides[k], TURN_STEPS);
    }
    for (int i = 0; i < TURNS; ++i)
        for (int k = 0; k < 2; ++k)
            seconds[k][i] = time_steps(lode, sides[k], TURN_STEPS);
    lode->destroy(sides[0]);
    lode->destroy(sides[1]);
    bench_spread alone = bench_spread_of(seconds[0], TURNS);
    bench_spread lanes = bench_spread_of(seconds[1], TURNS);
    return (gain){alone.median / lanes.median, alone.min / lanes.min};
}

/* --- what must hold, whatever the machine */

#define MOST_GROWTH 5.0 /* of 128 links' cost by that of 32 */
#define LEAST_GAIN 4.0  /* of lanes */

static bool judge(const double *cost, gain lanes)
{
    double growth = cost[CHAIN_128] / cost[CHAIN_32];
    bool linear = growth <= MOST_GROWTH, wide = lanes.median >= LEAST_GAIN;
    printf("\n128 links cost %.2f times what 32 do, at most %.0f: %s\n"
           "1,000 humanoids in lanes are %.2f times as fast as one by one, at least %.0f: %s\n"
           "(medians of %d turns of %d steps each, side by side; by the least %.2f)\n",
           growth, MOST_GROWTH, linear ? "yes" : "NO", lanes.median, LEAST_GAIN,
           wide ? "yes" : "NO", TURNS, TURN_STEPS, lanes.least);
    return linear && wide;
}

bool bench_robots(void)
{
    double cost[ROWS];
    printf("A step of articulations without contacts, one thread: microseconds each, how many "
           "times Lode's,\nand the height of a last link after %d rounds of %g s steps, m; at last "
           "1,000 humanoids\n%-16s %5s",
           ROUNDS, step_length, "", "");
    for (int e = 0; e < ENGINES; ++e)
        printf(" %25s", engines[e]->name);
    printf("\n");
    for (int i = 0; i < ROWS; ++i)
        cost[i] = measure(&rows[i]);
    return judge(cost, measure_gain());
}
