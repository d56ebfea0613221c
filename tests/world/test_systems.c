/* An application's own systems: they act as physics says, at their slot, on every body once, with
 * the same bits on any number of threads; and they can be seen, timed and taken out. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static lode_world make_world(lode_solver solver, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    def.solver = solver;
    def.threads = threads;
    def.iterations = 3;
    return lode_world_create(&def);
}

static void add(lode_world world, const char *name, const char *stage, bool after,
                lode_system_fn *run, void *user)
{
    lode_system system = {name, stage, after, run, user};
    assert_int_equal(lode_world_add_system(world, &system), LODE_OK);
}

/* ---- what systems are for ---- */

/* Gravity towards a planet of `mu` = G M at the origin. */
static void planet(void *user, const lode_system_view *view)
{
    lode_real mu = *(const lode_real *)user;
    for (int i = 0; i < view->count; ++i) {
        lode_vec3 r = lode_system_position(view, i);
        lode_real d2 = r.x * r.x + r.y * r.y + r.z * r.z;
        lode_real pull = -mu * view->dt / (d2 * (lode_real)sqrt(d2));
        lode_real *v = view->velocity + i * view->stride;
        v[0] += pull * r.x, v[1] += pull * r.y, v[2] += pull * r.z;
    }
}

static double orbit_energy(lode_body body, double mu)
{
    lode_vec3 v = lode_body_get_linear_velocity(body), r = lode_body_get_center(body);
    double v2 = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
    return v2 / 2 - mu / sqrt((double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z);
}

/* Kepler: from the nearest point of an orbit of semi-major axis a and eccentricity 0.3, the body is
 * back after 2 pi sqrt(a^3 / mu), and its energy is -mu / 2a all the way. */
static void a_satellite_keeps_keplers_laws(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        lode_real mu = 400;
        double a = 10, e = 0.3, period = 2 * 3.14159265358979 * sqrt(a * a * a / mu);
        lode_world world = make_world((lode_solver)solver, 1);
        add(world, "planet", "integrate velocity", false, planet, &mu);
        lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(a * (1 - e)), 0, 0);
        double speed = sqrt(mu / a * (1 + e) / (1 - e));
        lode_body_set_linear_velocity(body,
                                      vec(0, (lode_real)(0.6 * speed), (lode_real)(0.8 * speed)));
        double time = 0, back = 0, lowest = 1e9, highest = -1e9;
        const double h = 0.002;
        lode_vec3 before = lode_body_get_center(body);
        while (time < 1.2 * period) {
            assert_int_equal(lode_world_step(world, (lode_real)h), LODE_OK);
            lode_vec3 now = lode_body_get_center(body);
            time += h;
            if (time > period / 2 && before.y < 0 && now.y >= 0)
                back = time - h * now.y / (now.y - before.y);
            before = now;
            double energy = orbit_energy(body, mu);
            lowest = fmin(lowest, energy);
            highest = fmax(highest, energy);
        }
        double wanted = -mu / (2 * a);
        assert_true(near(back, period, period * 2e-3));
        assert_true(near(lowest, wanted, -wanted * 4e-3));
        assert_true(near(highest, wanted, -wanted * 4e-3));
        lode_world_destroy(world);
    }
}

typedef struct wind {
    lode_real speed, drag;
} wind;

/* Drag against moving air, as a force per step. */
static void blow(void *user, const lode_system_view *view)
{
    const wind *w = user;
    for (int i = 0; i < view->count; ++i) {
        const lode_real *v = view->velocity + i * view->stride;
        view->force[i * view->stride] += w->drag * (w->speed - v[0]);
    }
}

/* v' = c/m (w - v): after n steps the difference has shrunk by (1 - h c/m)^n, with both solvers,
 * since the force acts in all sub-steps as it was in the first. */
static void wind_carries_what_is_light(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        wind w = {12, (lode_real)0.5};
        lode_world world = make_world((lode_solver)solver, 1);
        add(world, "wind", "solve", false, blow, &w);
        lode_body light = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_body heavy = add_body(world, LODE_DYNAMIC, 9, 0, 0);
        lode_mass mass = {.mass = 50, .inertia = {1, 1, 1, 0, 0, 0}};
        lode_body_set_mass(heavy, &mass);
        for (int i = 0; i < 100; ++i)
            lode_world_step(world, STEP);
        double l = 12 * (1 - pow(1 - STEP * 0.5, 100)), h = 12 * (1 - pow(1 - STEP * 0.01, 100));
        assert_true(near(lode_body_get_linear_velocity(light).x, l, 1e-3));
        assert_true(near(lode_body_get_linear_velocity(heavy).x, h, 1e-3));
        lode_world_destroy(world);
    }
}

static void halve(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count * view->stride; ++i)
        if (i % view->stride % 4 != 3)
            view->velocity[i] /= 2;
}

/* After the move, the velocity is halved and the way of this step is not. */
static void damping_can_be_ones_own(void **state)
{
    (void)state;
    const char *const stages[] = {"solve", "restitution"};
    for (int k = 0; k < 2; ++k) {
        lode_world world = make_world(LODE_SOLVER_PGS, 1);
        add(world, "drag", stages[k], true, halve, NULL);
        lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_body_set_linear_velocity(body, vec(64, 0, 0));
        lode_body_set_angular_velocity(body, vec(0, 8, 0));
        for (int i = 0; i < 3; ++i)
            lode_world_step(world, STEP);
        assert_true(near(lode_body_get_linear_velocity(body).x, 8, 1e-5));
        assert_true(near(lode_body_get_angular_velocity(body).y, 1, 1e-5));
        assert_true(near(lode_body_get_center(body).x, 1 + 0.5 + 0.25, 1e-5));
        lode_world_destroy(world);
    }
}

/* ---- what they see ---- */

enum { WITNESSED = 8 };

typedef struct witness {
    lode_body bodies[WITNESSED];
    lode_pose poses[WITNESSED];
    int seen[WITNESSED], sub_steps, calls, strangers;
    double dt;
    bool wrong;
} witness;

static void look(void *user, const lode_system_view *view)
{
    witness *w = user;
    w->calls++;
    w->dt = view->dt;
    w->sub_steps = view->sub_step + 1 > w->sub_steps ? view->sub_step + 1 : w->sub_steps;
    for (int i = 0; i < view->count; ++i) {
        int k = 0;
        while (k < WITNESSED && w->bodies[k].id != view->bodies[i].id)
            ++k;
        if (k == WITNESSED) {
            w->strangers++;
            continue;
        }
        const lode_real *pose = view->pose + i * view->stride;
        const lode_real *inv_mass = view->inv_mass + i * view->stride;
        const lode_real *force = view->force + i * view->stride;
        w->seen[k]++;
        w->wrong = w->wrong || !near_vec(vec(pose[0], pose[1], pose[2]), w->poses[k].position, 0) ||
                   view->user_data[i] != (void *)&w->bodies[k] ||
                   !near(inv_mass[0], 1.0 / (k + 1), 1e-6) || !near(inv_mass[2], 0.5, 1e-6) ||
                   !near(force[1], k, 0) || inv_mass[4] != 0;
    }
}

static void every_body_is_seen_once_with_its_own_numbers(void **state)
{
    (void)state;
    witness per_step = {0};
    lode_world world = make_world(LODE_SOLVER_SOFT_STEP, 1);
    add_ground(world);
    for (int k = 0; k < WITNESSED; ++k) {
        lode_body_def def = lode_body_def_default();
        def.type = LODE_DYNAMIC;
        def.position = vec((lode_real)(3 * k), (lode_real)k, 50);
        def.user_data = &per_step.bodies[k];
        lode_mass mass = {.mass = (lode_real)(k + 1), .inertia = {3, 2, 3, 0, 0, 0}};
        lode_body body = lode_body_create(world, &def);
        lode_body_set_mass(body, &mass);
        lode_body_add_force(body, vec(0, (lode_real)k, 0));
        per_step.bodies[k] = body;
        per_step.poses[k] = lode_body_get_pose(body);
    }
    lode_body frozen = add_body(world, LODE_STATIC, 1, 2, 3);
    (void)frozen;
    add(world, "per step", "solve", false, look, &per_step);
    lode_world_step(world, STEP);
    assert_int_equal(per_step.calls, 1);
    assert_int_equal(per_step.strangers, 0);
    assert_false(per_step.wrong);
    assert_true(near(per_step.dt, STEP, 1e-9));
    for (int k = 0; k < WITNESSED; ++k)
        assert_int_equal(per_step.seen[k], 1);
    assert_int_equal(lode_world_remove_system(world, "per step"), LODE_OK);
    per_step = (witness){0};

    witness sub = {0};
    add(world, "per sub-step", "iterate", true, look, &sub);
    lode_world_step(world, STEP);
    assert_int_equal(per_step.calls, 0);
    assert_int_equal(sub.sub_steps, 4);
    assert_int_equal(sub.strangers, 4 * WITNESSED);
    assert_true(near(sub.dt, STEP / 4, 1e-9));
    lode_world_destroy(world);
}

/* Within a step the delta is the way since it began. */
static void check_way(void *user, const lode_system_view *view)
{
    double *worst = user;
    for (int i = 0; i < view->count; ++i) {
        lode_vec3 p = lode_system_position(view, i);
        double wanted = view->pose[i * view->stride] + (view->sub_step + 1) * view->dt * 5;
        *worst = fmax(*worst, fabs(p.x - wanted));
    }
}

static void positions_are_those_of_the_sub_step(void **state)
{
    (void)state;
    double worst = 0;
    lode_world world = make_world(LODE_SOLVER_SOFT_STEP, 1);
    lode_body body = add_body(world, LODE_DYNAMIC, 1, 2, 3);
    lode_body_set_linear_velocity(body, vec(5, 0, 0));
    add(world, "way", "integrate pose", true, check_way, &worst);
    for (int i = 0; i < 5; ++i)
        lode_world_step(world, STEP);
    assert_true(worst < 1e-5);
    assert_true(near(lode_body_get_center(body).x, 1 + 25 * STEP, 1e-5));
    lode_world_destroy(world);
}

static void count_call(void *user, const lode_system_view *view)
{
    (void)view;
    ++*(int *)user;
}

/* Also with nothing that moves, and in every sub-step of either solver. */
static void systems_are_called_where_their_stage_runs(void **state)
{
    (void)state;
    int solve = 0, relax = 0;
    lode_world world = make_world(LODE_SOLVER_PGS, 1);
    add(world, "always", "solve", false, count_call, &solve);
    lode_world_step(world, STEP);
    assert_int_equal(solve, 1);
    add_body(world, LODE_DYNAMIC, 0, 0, 0);
    add(world, "relaxed", "relax", false, count_call, &relax);
    lode_world_step(world, STEP);
    assert_int_equal(solve, 2);
    assert_int_equal(relax, 4);
    lode_world_set_solver(world, LODE_SOLVER_SOFT_STEP);
    lode_world_set_sub_steps(world, 3);
    lode_world_step(world, STEP);
    assert_int_equal(relax, 7);
    lode_world_destroy(world);
}

/* ---- threads, memory ---- */

static void swirl(void *user, const lode_system_view *view)
{
    atomic_int *calls = user;
    atomic_fetch_add(calls, 1);
    for (int i = 0; i < view->count; ++i) {
        lode_vec3 p = lode_system_position(view, i);
        lode_real *v = view->velocity + i * view->stride;
        v[0] -= p.y * view->dt, v[1] += p.x * view->dt, v[6] += p.z * view->dt;
    }
}

enum { SIDE = 48 };

/* A net in one island, large enough for all threads to share it, and some loose bodies. */
static uint64_t swirled_net(int threads, int *out_calls)
{
    static lode_body bodies[SIDE][SIDE];
    atomic_int calls = 0;
    lode_world world = make_world(LODE_SOLVER_SOFT_STEP, threads);
    add(world, "swirl", "integrate velocity", true, swirl, &calls);
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) {
            bodies[i][j] = add_body(world, LODE_DYNAMIC, (lode_real)i, (lode_real)j, 1);
            lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
            def.body_a = bodies[i][j];
            for (int k = 0; k < 2; ++k) {
                if (k ? j == 0 : i == 0)
                    continue;
                def.body_b = k ? bodies[i][j - 1] : bodies[i - 1][j];
                lode_joint_def_anchor_world(&def, vec((lode_real)i, (lode_real)j, 1), vec(1, 0, 0));
                lode_joint_create(world, &def);
            }
        }
    for (int i = 0; i < 300; ++i)
        add_body(world, LODE_DYNAMIC, (lode_real)(3 * i), 100, 0);
    for (int i = 0; i < 4; ++i)
        lode_world_step(world, STEP);
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    *out_calls = calls;
    return hash;
}

static void threads_change_calls_but_no_bits(void **state)
{
    (void)state;
    int alone, shared;
    uint64_t hash = swirled_net(1, &alone);
    assert_true(swirled_net(4, &shared) == hash);
    assert_true(shared > alone); /* the net was cut in ranges */
    assert_true(swirled_net(3, &shared) == hash);
}

static void a_warm_step_with_systems_allocates_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_real mu = 10;
    wind w = {1, 1};
    scene s = scene_create(NULL);
    add(s.world, "planet", "warm start", false, planet, &mu);
    add(s.world, "wind", "solve", false, blow, &w);
    scene_step(&s, 4);
    alloc_fail_nth(-1);
    scene_step(&s, 10);
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(s.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void adding_without_memory_changes_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    scene s = scene_create(NULL), twin = scene_create(NULL);
    lode_system system = {"halve", "solve", true, halve, NULL};
    long n = 0;
    for (;; ++n) {
        alloc_fail_nth(n);
        lode_status status = lode_world_add_system(s.world, &system);
        if (!alloc_fail_happened())
            break;
        assert_int_equal(status, LODE_ERROR_MEMORY);
        EXPECT_REPORT(LODE_ERROR_MEMORY, "lode_world_add_system", "");
        report_clear();
        alloc_fail_nth(-1);
        scene_step(&s, 1);
        scene_step(&twin, 1);
        assert_true(lode_world_hash(s.world) == lode_world_hash(twin.world));
    }
    assert_true(n >= 1);
    lode_world_destroy(s.world);
    lode_world_destroy(twin.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* ---- order, table, removal ---- */

static void add_one(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count; ++i)
        view->velocity[i * view->stride] += 1;
}

static void systems_of_a_slot_run_in_order_of_addition(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_SOLVER_PGS, 1);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    add(world, "one", "solve", true, add_one, NULL);
    add(world, "half", "solve", true, halve, NULL);
    add(world, "another", "restitution", true, add_one, NULL);
    lode_world_step(world, STEP); /* (0 + 1) / 2 + 1 */
    assert_true(lode_body_get_linear_velocity(body).x == (lode_real)1.5);
    assert_int_equal(lode_world_remove_system(world, "one"), LODE_OK);
    add(world, "one", "solve", true, add_one, NULL);
    lode_world_step(world, STEP); /* 1.5 / 2 + 1 + 1 */
    assert_true(lode_body_get_linear_velocity(body).x == (lode_real)2.75);
    lode_world_destroy(world);
}

typedef struct zones {
    int depth, planet;
} zones;

static void zone_begin(void *user, const char *name)
{
    zones *z = user;
    z->depth++;
    z->planet += strcmp(name, "planet") == 0;
}

static void zone_end(void *user, const char *name)
{
    (void)name;
    ((zones *)user)->depth--;
}

static int row_of(const lode_stage_info *stages, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(stages[i].name, name) == 0)
            return i;
    return -1;
}

static void the_table_and_the_profiler_show_them(void **state)
{
    (void)state;
    zones z = {0};
    lode_real mu = 1;
    lode_world_def def = lode_world_def_default();
    def.profiler = (lode_profiler){&z, zone_begin, zone_end};
    scene s = scene_create(&def);
    lode_stage_info stages[64];
    int before = lode_world_get_stages(s.world, stages, 64);
    add(s.world, "planet", "integrate velocity", false, planet, &mu);
    add(s.world, "drag", "solve", true, halve, NULL);
    scene_step(&s, 1);
    assert_int_equal(z.depth, 0);
    assert_true(z.planet > 0);
    int count = lode_world_get_stages(s.world, stages, 64);
    assert_int_equal(count, before + 2);
    int at = row_of(stages, count, "planet"), drag = row_of(stages, count, "drag");
    assert_string_equal(stages[at].parent, "solve");
    assert_string_equal(stages[at + 1].name, "integrate velocity");
    assert_string_equal(stages[drag].parent, "");
    assert_string_equal(stages[drag - 1].parent, "solve"); /* behind all sub-stages */
    assert_string_equal(stages[drag + 1].parent, "");
    assert_true(stages[at].calls > 0 && stages[at].seconds > 0);
    assert_int_equal(stages[drag].calls, 1);
    assert_true(stages[at].reads[0] && stages[at].writes[0]);
    assert_int_equal(lode_world_remove_system(s.world, "planet"), LODE_OK);
    assert_int_equal(lode_world_remove_system(s.world, "drag"), LODE_OK);
    assert_int_equal(lode_world_get_stages(s.world, stages, 64), before);
    lode_world_destroy(s.world);
}

/* One stage after the other they act as in a whole step. */
static void single_stages_run_them_too(void **state)
{
    (void)state;
    scene whole = scene_create(NULL), staged = scene_create(NULL);
    lode_real mu = 30;
    lode_stage_info stages[64];
    for (int i = 0; i < 2; ++i) {
        lode_world world = i ? staged.world : whole.world;
        add(world, "planet", "integrate velocity", false, planet, &mu);
        add(world, "drag", "restitution", false, halve, NULL);
        add(world, "last", "finalise", false, add_one, NULL);
    }
    int count = lode_world_get_stages(staged.world, stages, 64);
    for (int step = 0; step < 5; ++step) {
        scene_step(&whole, 1);
        for (int i = 0; i < count; ++i) {
            bool own = stages[i].parent[0] || !strcmp(stages[i].name, "drag") ||
                       !strcmp(stages[i].name, "last");
            if (!own)
                assert_int_equal(lode_world_run_stage(staged.world, stages[i].name, STEP), LODE_OK);
        }
        assert_true(lode_world_hash(whole.world) == lode_world_hash(staged.world));
    }
    lode_world_destroy(whole.world);
    lode_world_destroy(staged.world);
}

/* ---- refusals ---- */

static void bad_systems_are_refused(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_world w = s.world;
    lode_system good = {"mine", "solve", false, halve, NULL}, bad;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system", lode_world_add_system, w, NULL);
    const char *const names[] = {NULL, "", "solve", "iterate", "0123456789012345678901234567890x"};
    for (int i = 0; i < 5; ++i) {
        bad = good;
        bad.name = names[i];
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system.name", lode_world_add_system, w, &bad);
    }
    const char *const stages[] = {NULL, "", "bounds", "islands", "row prepare", "damping", "mine"};
    for (int i = 0; i < 7; ++i) {
        bad = good;
        bad.stage = stages[i];
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system.stage", lode_world_add_system, w, &bad);
    }
    bad = (lode_system){"mine", "finalise", true, halve, NULL};
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system.stage", lode_world_add_system, w, &bad);
    bad = (lode_system){"mine", "solve", true, NULL, NULL};
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system.run", lode_world_add_system, w, &bad);
    assert_int_equal(lode_world_add_system(w, &good), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "system.name", lode_world_add_system, w, &good);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_remove_system, w, "yours");
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_remove_system, w, NULL);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_run_stage, w, "mine", STEP);
    assert_int_equal(lode_world_remove_system(w, "mine"), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_remove_system, w, "mine");
    lode_world_destroy(w);
}

static void call_back(void *user, const lode_system_view *view)
{
    const scene *s = user;
    (void)view;
    EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_step, s->world, STEP);
    EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_remove_system, s->world, "caller");
    EXPECT_REFUSED(LODE_ERROR_STATE, "body", lode_body_add_force, s->ball, vec(1, 0, 0));
}

static void calls_from_a_system_are_refused(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    add(s.world, "caller", "solve", false, call_back, &s);
    scene_step(&s, 1);
    lode_world_destroy(s.world);
}

static void ruin(void *user, const lode_system_view *view)
{
    for (int i = 0; i < view->count; ++i)
        if (view->bodies[i].id == ((const lode_body *)user)->id)
            view->velocity[i * view->stride + 1] = (lode_real)NAN;
}

static void a_body_a_system_ruins_is_frozen(void **state)
{
    (void)state;
    lode_world world = make_world(LODE_SOLVER_PGS, 1);
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body other = add_body(world, LODE_DYNAMIC, 5, 0, 0);
    lode_body_set_linear_velocity(other, vec(1, 0, 0));
    add(world, "ruin", "finalise", false, ruin, &body);
    lode_world_step(world, STEP);
    lode_warning_info warning;
    lode_world_get_warnings(world, &warning, 1);
    assert_int_equal(warning.last, 1);
    assert_true(warning.first.id == body.id);
    assert_true(near_vec(lode_body_get_center(body), vec(0, 0, 0), 0));
    assert_true(lode_body_get_center(other).x > 5);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_satellite_keeps_keplers_laws, set_up),
        cmocka_unit_test_setup(wind_carries_what_is_light, set_up),
        cmocka_unit_test_setup(damping_can_be_ones_own, set_up),
        cmocka_unit_test_setup(every_body_is_seen_once_with_its_own_numbers, set_up),
        cmocka_unit_test_setup(positions_are_those_of_the_sub_step, set_up),
        cmocka_unit_test_setup(systems_are_called_where_their_stage_runs, set_up),
        cmocka_unit_test_setup(threads_change_calls_but_no_bits, set_up),
        cmocka_unit_test_setup(a_warm_step_with_systems_allocates_nothing, set_up),
        cmocka_unit_test_setup(adding_without_memory_changes_nothing, set_up),
        cmocka_unit_test_setup(systems_of_a_slot_run_in_order_of_addition, set_up),
        cmocka_unit_test_setup(the_table_and_the_profiler_show_them, set_up),
        cmocka_unit_test_setup(single_stages_run_them_too, set_up),
        cmocka_unit_test_setup(bad_systems_are_refused, set_up),
        cmocka_unit_test_setup(calls_from_a_system_are_refused, set_up),
        cmocka_unit_test_setup(a_body_a_system_ruins_is_frozen, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
