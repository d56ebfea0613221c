/* Articulations that nothing touches go from the pools to the pools in one go, eight alike at a
 * time in lanes (solver/articulation/loose.h and flock.h). The result is that of stages run one by
 * one, where each goes by itself, to the bit: on each instruction set, with any number of threads,
 * for any number of copies of which some rest, touch something, come to a stop or are lost. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <string.h>

enum { MOST_ROBOTS = 24, LINKS = 6, STEPS = 40, MOST_STAGES = 48 };

typedef struct robot {
    lode_articulation articulation;
    lode_body link[LINKS];
} robot;

typedef struct yard {
    lode_world world;
    robot robot[MOST_ROBOTS];
    int count;
} yard;

/* ---- robots */

static lode_real number(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static void set_mass(lode_body body, test_random *random)
{
    lode_mass mass = {.mass = number(random, 0.5, 2)};
    for (int k = 0; k < 3; ++k)
        mass.inertia[k] = mass.mass * number(random, 0.03, 0.05);
    assert_int_equal(lode_body_set_mass(body, &mass), LODE_OK);
}

static void set_drive(lode_link_axis *axis, int number_of_robot, test_random *random)
{
    axis->drive = (lode_link_drive){.type = LODE_DRIVE_FORCE,
                                    .stiffness = number(random, 0, 30),
                                    .damping = number(random, 0, 2),
                                    /* some have too little, some must know what they move */
                                    .max_force = number_of_robot % 5 ? 1000 : (lode_real)0.5,
                                    .max_speed = 1000};
    if (number_of_robot % 7 == 3)
        axis->drive.stiffness = (lode_real)1e7;
    axis->target = number(random, -1, 1);
}

/* What each copy of a kind has in its own way. */
static void vary(lode_link_def *def, int i, int kind, test_random *random)
{
    int first = def->type == LODE_LINK_PRISMATIC ? LODE_AXIS_X : LODE_AXIS_TWIST;
    lode_link_axis *axis = &def->axis[first];
    def->parent_frame.position = vec(number(random, 0.1, 0.3), 0, number(random, -0.1, 0.1));
    def->child_frame.position = vec(number(random, -0.3, -0.1), 0, 0);
    def->linear_damping = kind > 0 ? number(random, 0, 1) : 0;
    def->angular_damping = kind > 0 ? number(random, 0, 1) : 0;
    def->gravity_scale = i % 6 == 5 ? number(random, 0, 1) : 1;
    if (def->type == LODE_LINK_FIXED)
        return;
    axis->armature = number(random, 0, 0.01);
    axis->velocity = number(random, -1, 1);
    if (def->type == LODE_LINK_PRISMATIC || (i % 4 == 1 && def->type == LODE_LINK_REVOLUTE)) {
        axis->motion = LODE_MOTION_LIMITED;
        axis->lo = (lode_real)-0.6;
        axis->hi = number(random, 0.1, 0.6);
    }
    if (kind == 1 && def->type == LODE_LINK_SPHERICAL) {
        def->axis[i % 3].motion = LODE_MOTION_LIMITED;
        def->axis[i % 3].lo = (lode_real)-0.3;
        def->axis[i % 3].hi = (lode_real)0.6;
    }
    if (kind == 1 && def->type != LODE_LINK_SPHERICAL)
        set_drive(axis, i, random);
}

/* Three kinds: a floating one of all types of joints, an arm with drives, and a chain. */
static void make_robot(yard *y, int i, int kind, test_random *random)
{
    static const lode_link_joint_type types[3][LINKS] = {
        {LODE_LINK_FIXED, LODE_LINK_REVOLUTE, LODE_LINK_SPHERICAL, LODE_LINK_PRISMATIC,
         LODE_LINK_SIX_AXES, LODE_LINK_FIXED},
        {LODE_LINK_FIXED, LODE_LINK_REVOLUTE, LODE_LINK_REVOLUTE, LODE_LINK_PRISMATIC,
         LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_SPHERICAL},
        {LODE_LINK_FIXED, LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_REVOLUTE_UNWRAPPED,
         LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_REVOLUTE}};
    robot *r = &y->robot[i];
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = kind > 0;
    def.drive_limits_are_impulses = i % 11 == 10;
    r->articulation = lode_articulation_create(y->world, &def);
    for (int k = 0; k < LINKS; ++k) {
        lode_link_def link = lode_link_def_default(types[kind][k]);
        int parent = k == 0 ? -1 : kind == 2 ? k - 1 : (k - 1) / 2;
        if (link.type == LODE_LINK_SIX_AXES)
            link.axis[LODE_AXIS_TWIST].motion = link.axis[LODE_AXIS_SWING2].motion =
                link.axis[LODE_AXIS_Y].motion = link.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
        vary(&link, i, kind, random);
        link.parent = parent < 0 ? (lode_body){0} : r->link[parent];
        link.pose.position = vec((lode_real)(3 * (i % 5)), (lode_real)(3 * (i / 5)), 4);
        r->link[k] = lode_articulation_add_link(r->articulation, &link);
        assert_true(r->link[k].id);
        set_mass(r->link[k], random);
    }
    if (i % 3 == 2) {
        lode_shape_def shape = lode_shape_def_default();
        shape.density = 0;
        lode_shape_create_sphere(r->link[LINKS - 1], &shape, (lode_real)0.1);
    }
    assert_int_equal(lode_articulation_insert(r->articulation), LODE_OK);
}

static void make_yard(yard *y, const lode_world_def *def, int count, int kinds)
{
    test_random random = {(uint64_t)(100 * count + kinds)};
    *y = (yard){.world = lode_world_create(def), .count = count};
    lode_shape_def shape = lode_shape_def_default();
    lode_body ground = add_body(y->world, LODE_STATIC, 0, 0, 0);
    lode_shape_create_plane(ground, &shape, vec(0, 0, 1), (lode_real)3.4);
    for (int i = 0; i < count; ++i)
        make_robot(y, i, i % kinds, &random);
}

/* ---- what happens to them */

/* Forces on a link and in a joint by way of a cache. */
static void push_by_cache(const robot *one, int step)
{
    const uint32_t flags = LODE_CACHE_LINK_FORCE | LODE_CACHE_LINK_TORQUE | LODE_CACHE_FORCE;
    lode_articulation_cache *cache = lode_articulation_cache_create(one->articulation);
    assert_non_null(cache);
    assert_int_equal(lode_articulation_cache_copy(one->articulation, cache, LODE_CACHE_FORCE),
                     LODE_OK);
    cache->link_force[step % LINKS] = vec(1, (lode_real)(step % 5), -2);
    cache->link_torque[LINKS - 1] = vec((lode_real)0.2, 0, (lode_real)0.1);
    cache->joint_force[0] = (lode_real)(step % 4 - 1);
    assert_int_equal(lode_articulation_cache_apply(one->articulation, cache, flags, false),
                     LODE_OK);
    lode_articulation_cache_destroy(cache);
}

static void act(const yard *y, int step)
{
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    const robot *one = &y->robot[step % y->count], *lost = &y->robot[0];
    if (step % 3 == 0)
        lode_body_add_force(one->link[step % LINKS], vec(3, -2, (lode_real)0.5));
    if (step % 4 == 1)
        lode_link_set_joint_force(one->link[1], LODE_AXIS_TWIST, (lode_real)(step % 3 - 1));
    if (step % 7 == 3)
        lode_body_set_torque(one->link[(step + 1) % LINKS],
                             vec(0, (lode_real)0.4, (lode_real)-0.3));
    if (step % 7 == 5)
        lode_body_set_force(one->link[(step + 2) % LINKS],
                            vec((lode_real)-0.0, 0, (lode_real)-0.0));
    if (step % 11 == 6)
        push_by_cache(one, step);
    if (step % 5 == 2)
        lode_link_set_target(one->link[2], LODE_AXIS_TWIST, (lode_real)0.7, true);
    if (step % 9 == 4)
        lode_articulation_sleep(one->articulation);
    if (step == 20)
        lode_link_set_damping(one->link[3], (lode_real)0.3, (lode_real)0.2);
    if (step == 25)
        lode_link_set_friction_coefficient(one->link[1], (lode_real)0.1);
    if (step == 30 && y->count > 3)
        lode_articulation_set_root_linear_velocity(lost->articulation, vec(huge, 0, 0), true);
}

static void step_staged(const yard *y, lode_real dt)
{
    lode_stage_info stages[MOST_STAGES];
    int count = lode_world_get_stages(y->world, stages, MOST_STAGES);
    for (int i = 0; i < count; ++i)
        if (!stages[i].parent[0])
            assert_int_equal(lode_world_run_stage(y->world, stages[i].name, dt), LODE_OK);
}

static void expect_same_poses(const yard *a, const yard *b)
{
    lode_moved of_a = lode_world_get_moved(a->world), of_b = lode_world_get_moved(b->world);
    assert_int_equal(of_a.count, of_b.count);
    for (int i = 0; i < of_a.count; ++i)
        assert_memory_equal(&of_a.poses[i], &of_b.poses[i], sizeof of_a.poses[i]);
}

/* ---- tests */

static lode_world_def def_of(lode_simd simd, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.simd = simd;
    def.threads = threads;
    return def;
}

/* Stage by stage with plain code, where nothing is loose, against whole steps. */
static void compare_by(lode_solver solver, int count, int kinds, lode_simd simd, int threads)
{
    static yard staged, whole;
    lode_world_def plain = def_of(LODE_SIMD_PLAIN, 1), other = def_of(simd, threads);
    plain.solver = other.solver = solver;
    make_yard(&staged, &plain, count, kinds);
    make_yard(&whole, &other, count, kinds);
    for (int i = 0; i < STEPS; ++i) {
        lode_real dt = i % 5 ? STEP : STEP / 2;
        act(&staged, i), act(&whole, i);
        step_staged(&staged, dt);
        assert_int_equal(lode_world_step(whole.world, dt), LODE_OK);
        assert_true(lode_world_hash(staged.world) == lode_world_hash(whole.world));
        expect_same_poses(&staged, &whole);
    }
    lode_world_destroy(staged.world);
    lode_world_destroy(whole.world);
}

static void compare(int count, int kinds, lode_simd simd, int threads)
{
    compare_by(lode_world_def_default().solver, count, kinds, simd, threads);
}

static void any_number_gives_what_one_by_one_gives(void **state)
{
    (void)state;
    for (int count = 1; count <= 17; ++count) {
        compare(count, 1, LODE_SIMD_AUTO, 1);
        compare(count, 3, LODE_SIMD_AUTO, 1);
    }
}

static void so_does_each_instruction_set(void **state)
{
    (void)state;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        if (lode_simd_available((lode_simd)simd))
            for (int kinds = 1; kinds <= 3; ++kinds)
                compare(MOST_ROBOTS, kinds, (lode_simd)simd, 1);
}

static void so_do_threads(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 3; ++threads)
        compare(MOST_ROBOTS, 2, LODE_SIMD_AUTO, threads);
}

static void so_does_each_solver(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver)
        compare_by((lode_solver)solver, MOST_ROBOTS, 2, LODE_SIMD_AUTO, 1 + solver % 2);
}

/* What lies between two steps is in the pools: a snapshot goes on as if there had been none, and so
 * does one of a world whose steps are stage by stage. */
static void snapshots_go_on(void **state)
{
    (void)state;
    static yard from, to;
    lode_world_def def = def_of(LODE_SIMD_AUTO, 1);
    make_yard(&from, &def, 11, 1);
    make_yard(&to, &def, 11, 1);
    for (int i = 0; i < STEPS; ++i) {
        act(&from, i);
        assert_int_equal(lode_world_step(from.world, STEP), LODE_OK);
    }
    for (int i = 0; i < from.count; i += 3) /* wait for the next step */
        lode_body_add_force(from.robot[i].link[1], vec(0, 1, 5));
    static char snapshot[1 << 20];
    size_t size = lode_world_snapshot(from.world, snapshot, sizeof snapshot);
    assert_in_range(size, 1, sizeof snapshot);
    assert_int_equal(lode_world_restore(to.world, snapshot, size), LODE_OK);
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(lode_world_step(from.world, STEP), LODE_OK);
        if (i % 2)
            step_staged(&to, STEP);
        else
            assert_int_equal(lode_world_step(to.world, STEP), LODE_OK);
        assert_true(lode_world_hash(from.world) == lode_world_hash(to.world));
    }
    lode_world_destroy(from.world);
    lode_world_destroy(to.world);
}

/* Others of another kind in the places that some had, and back. */
static void exchange(yard *y, int round)
{
    test_random random = {(uint64_t)(7 + round)};
    for (int i = 1; i < y->count; i += 3) {
        assert_int_equal(lode_articulation_remove(y->robot[i].articulation), LODE_OK);
        assert_int_equal(lode_articulation_destroy(y->robot[i].articulation), LODE_OK);
        make_robot(y, i, 2 * ((round + i) % 2), &random);
    }
}

/* That two trees were alike says nothing of what comes after one of them. */
static void who_comes_later_is_known_anew(void **state)
{
    (void)state;
    static yard staged, whole;
    lode_world_def plain = def_of(LODE_SIMD_PLAIN, 1), other = def_of(LODE_SIMD_AUTO, 1);
    make_yard(&staged, &plain, 17, 1);
    make_yard(&whole, &other, 17, 1);
    for (int i = 0; i < STEPS / 2; ++i) {
        if (i % 4 == 3)
            exchange(&staged, i / 4), exchange(&whole, i / 4);
        step_staged(&staged, STEP);
        assert_int_equal(lode_world_step(whole.world, STEP), LODE_OK);
        assert_true(lode_world_hash(staged.world) == lode_world_hash(whole.world));
        expect_same_poses(&staged, &whole);
    }
    lode_world_destroy(staged.world);
    lode_world_destroy(whole.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_gives_what_one_by_one_gives),
        cmocka_unit_test(so_does_each_instruction_set),
        cmocka_unit_test(so_do_threads),
        cmocka_unit_test(so_does_each_solver),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(who_comes_later_is_known_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
