/* Random calls with random values, good, bad and extreme, on objects alive and dead. A table of
 * what lives is the oracle: a call on something dead is refused, a call that fails reports exactly
 * once, a call that succeeds reports nothing, and the world's tables agree with each other all the
 * time. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include "world/validate.h"
#include "world/world.h"

#include <math.h>

enum { CALLS = 10000, BODIES = 40, SHAPES = 80, JOINTS = 40 };

typedef struct fuzz {
    test_random random;
    bool wild; /* extreme and bad values too */
    lode_world world;
    lode_body bodies[BODIES];
    lode_shape shapes[SHAPES];
    lode_joint joints[JOINTS];
} fuzz;

/* ---- values ---- */

static uint32_t pick(fuzz *f, uint32_t below)
{
    return random_below(&f->random, below);
}

static lode_real real(fuzz *f)
{
    const lode_real large = sizeof(lode_real) == sizeof(float) ? (lode_real)1e30 : (lode_real)1e300;
    const lode_real odd[] = {0,         -1,       large,          -large,
                             1 / large, 1e4f,     (lode_real)NAN, (lode_real)INFINITY,
                             -0.0f,     1 / 3e4f, -1e6f,          1};
    if (f->wild && pick(f, 25) == 0)
        return odd[pick(f, sizeof odd / sizeof *odd)];
    return (lode_real)random_between(&f->random, -4, 4);
}

static lode_real size(fuzz *f)
{
    lode_real value = real(f);
    return f->wild && pick(f, 25) == 0 ? value : (value < 0 ? -value : value) / 4 + (lode_real)0.1;
}

static lode_vec3 vector(fuzz *f)
{
    lode_real x = real(f), y = real(f), z = real(f);
    return vec(x, y, z);
}

static lode_pose pose(fuzz *f)
{
    lode_pose p = {vector(f), {real(f), real(f), real(f), real(f)}};
    return p;
}

/* ---- calls; each says whether it succeeded ---- */

static bool create_body(fuzz *f)
{
    lode_body_def def = lode_body_def_default();
    def.type = pick(f, 4) ? LODE_DYNAMIC : pick(f, 2) ? LODE_STATIC : LODE_KINEMATIC;
    def.position = vector(f);
    def.gyroscopic = (lode_gyroscopic)pick(f, LODE_GYROSCOPIC_COUNT);
    def.finite_rotation = pick(f, 4) == 0;
    def.finite_rotation_axis = pick(f, 2) ? vector(f) : (lode_vec3){0};
    lode_body body = lode_body_create(f->world, &def);
    lode_body *place = &f->bodies[pick(f, BODIES)];
    if (body.id && lode_body_is_valid(*place))
        assert_int_equal(lode_body_destroy(*place), LODE_OK);
    if (body.id)
        *place = body;
    return body.id;
}

static bool create_shape(fuzz *f)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body body = f->bodies[pick(f, BODIES)];
    def.pose.position = vector(f);
    def.density = size(f) * 1000;
    def.restitution = size(f) / 4;
    lode_shape shape = {0};
    uint32_t kind = pick(f, 9);
    if (kind < 2)
        shape = lode_shape_create_sphere(body, &def, size(f));
    else if (kind < 4)
        shape = lode_shape_create_box(body, &def, vec(size(f), size(f), size(f)));
    else if (kind < 6)
        shape = lode_shape_create_capsule(body, &def, size(f), size(f));
    else if (kind < 8)
        shape = lode_shape_create_cylinder(body, &def, size(f), size(f));
    else
        shape = lode_shape_create_plane(body, &def, vector(f), real(f) - 6);
    if (shape.id)
        f->shapes[pick(f, SHAPES)] = shape;
    return shape.id;
}

static bool create_joint(fuzz *f)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = f->bodies[pick(f, BODIES)];
    def.body_b = pick(f, 3) ? f->bodies[pick(f, BODIES)] : (lode_body){0};
    def.frame_a = pose(f);
    def.frame_b = pose(f);
    def.collide_connected = pick(f, 2);
    lode_joint joint = lode_joint_create(f->world, &def);
    if (joint.id)
        f->joints[pick(f, JOINTS)] = joint;
    return joint.id;
}

static bool destroy_something(fuzz *f)
{
    switch (pick(f, 3)) {
    case 0:
        return !lode_body_destroy(f->bodies[pick(f, BODIES)]);
    case 1:
        return !lode_shape_destroy(f->shapes[pick(f, SHAPES)]);
    default:
        return !lode_joint_destroy(f->joints[pick(f, JOINTS)]);
    }
}

static bool move_body(fuzz *f)
{
    lode_body body = f->bodies[pick(f, BODIES)];
    switch (pick(f, 5)) {
    case 0:
        return !lode_body_set_pose(body, pose(f));
    case 1:
        return !lode_body_set_linear_velocity(body, vector(f));
    case 2:
        return !lode_body_add_force_at(body, vector(f), vector(f));
    case 3:
        return !lode_body_set_type(body, (lode_body_type)pick(f, 4));
    default:
        return !lode_body_add_impulse_at(body, vector(f), vector(f));
    }
}

static bool push_body(fuzz *f)
{
    lode_body body = f->bodies[pick(f, BODIES)];
    lode_frame a = (lode_frame)pick(f, f->wild ? 3 : 2), b = (lode_frame)pick(f, 2);
    switch (pick(f, 4)) {
    case 0:
        return !lode_body_add_force_in(body, vector(f), a, vector(f), b);
    case 1:
        return !lode_body_add_impulse_in(body, vector(f), a, vector(f), b);
    case 2:
        return !lode_body_set_force(body, vector(f));
    default:
        return !lode_body_set_torque(body, vector(f));
    }
}

static bool label_body(fuzz *f)
{
    static const char *const names[] = {NULL, "", "a", "a longer name"};
    lode_body body = f->bodies[pick(f, BODIES)];
    switch (pick(f, 3)) {
    case 0:
        return !lode_body_set_name(body, names[pick(f, 4)]);
    case 1:
        return !lode_body_set_continuous(body, pick(f, 2));
    default:
        return !lode_body_set_gyroscopic(body, (lode_gyroscopic)pick(f, LODE_GYROSCOPIC_COUNT));
    }
}

static bool restrain_body(fuzz *f)
{
    lode_body body = f->bodies[pick(f, BODIES)];
    lode_damping damping = {real(f) / 4, real(f) / 4, size(f), size(f), size(f), size(f)};
    switch (pick(f, 6)) {
    case 0:
        return !lode_body_set_gravity_scale(body, real(f));
    case 1:
        return !lode_body_set_max_linear_speed(body, size(f));
    case 2:
        return !lode_body_set_max_angular_speed(body, size(f));
    case 3:
        return !lode_world_set_damping(f->world, &damping);
    default:
        return !lode_body_set_damping(body, pick(f, 2) ? &damping : NULL);
    }
}

static bool weigh_body(fuzz *f)
{
    lode_body body = f->bodies[pick(f, BODIES)];
    lode_mass mass = {size(f), vector(f), {size(f), size(f), size(f), 0, 0, real(f) / 16}};
    return pick(f, 2) ? !lode_body_set_mass(body, &mass) : !lode_body_set_mass_from_shapes(body);
}

static bool change_shape(fuzz *f)
{
    lode_shape shape = f->shapes[pick(f, SHAPES)];
    switch (pick(f, 9)) {
    case 0:
        return !lode_shape_set_filter(shape, pick(f, 4), pick(f, 4));
    case 1:
        return !lode_shape_set_friction(shape, size(f));
    case 2:
        return !lode_shape_set_pose(shape, pose(f));
    case 3:
        return !lode_shape_set_density(shape, size(f) * 1000);
    case 4:
        return !lode_shape_set_sphere(shape, size(f));
    case 5:
        return !lode_shape_set_capsule(shape, size(f), size(f));
    case 6:
        return !lode_shape_set_cylinder(shape, size(f), size(f));
    case 7:
        return !lode_shape_set_plane(shape, vector(f), real(f) - 6);
    default:
        return !lode_shape_set_box(shape, vec(size(f), size(f), size(f)));
    }
}

static bool change_world(fuzz *f)
{
    switch (pick(f, 3)) {
    case 0:
        return !lode_world_set_solver(f->world, (lode_solver)pick(f, 3));
    case 1:
        return !lode_world_set_iterations(f->world, (int)pick(f, 12));
    default:
        return !lode_world_set_over_relaxation(f->world, size(f));
    }
}

static bool rest_body(fuzz *f)
{
    lode_body body = f->bodies[pick(f, BODIES)];
    lode_sleep sleep = {pick(f, 4) > 0,
                        size(f) * 8,
                        size(f) * 8,
                        (int)pick(f, 4),
                        pick(f, 4) ? 0 : size(f),
                        1 + (int)pick(f, 3) * 32};
    switch (pick(f, 4)) {
    case 0:
        return !lode_body_sleep(body);
    case 1:
        return !lode_body_wake(body);
    default:
        return !lode_body_set_sleep(body, pick(f, 9) ? &sleep : NULL);
    }
}

static bool step(fuzz *f)
{
    return !lode_world_step(f->world, pick(f, 9) ? STEP : size(f) / 64);
}

typedef bool call_fn(fuzz *f);

static call_fn *const calls[] = {create_body,  create_body,  create_shape,      create_shape,
                                 create_shape, create_joint, destroy_something, move_body,
                                 move_body,    push_body,    label_body,        restrain_body,
                                 weigh_body,   change_shape, change_world,      step,
                                 step,         rest_body,    rest_body};

/* ---- the oracle ---- */

static void check_call(fuzz *f)
{
    report_clear();
    bool succeeded = calls[pick(f, sizeof calls / sizeof *calls)](f);
    assert_int_equal(report.count, succeeded ? 0 : 1);
}

/* Every living shape and joint is in exactly one world's, and the bodies', lists. */
static void check_lists(fuzz *f, const lode_world_stats *stats)
{
    lode_body bodies[BODIES];
    lode_joint joints[4 * JOINTS];
    int shapes = 0, edges = 0, ends = 0;
    assert_int_equal(lode_world_get_bodies(f->world, bodies, BODIES), stats->bodies);
    for (int i = 0; i < stats->bodies; ++i) {
        shapes += lode_body_get_shapes(bodies[i], NULL, 0);
        edges += lode_body_get_joints(bodies[i], NULL, 0);
    }
    assert_int_equal(shapes, stats->shapes);
    int count = lode_world_get_joints(f->world, joints, 4 * JOINTS);
    assert_int_equal(count, stats->joints);
    for (int i = 0; i < count && i < 4 * JOINTS; ++i)
        ends += 1 + (lode_joint_get_body_b(joints[i]).id != 0);
    assert_true(count > 4 * JOINTS || ends == edges);
}

static void check_world(fuzz *f)
{
    lode_world_stats stats;
    int bodies = 0;
    const lode__world *world = lode__registry_world(f->world.id);
    assert_int_equal(lode_world_get_stats(f->world, &stats), LODE_OK);
    for (int i = 0; i < BODIES; ++i)
        bodies += lode_body_is_valid(f->bodies[i]);
    assert_int_equal(bodies, stats.bodies);
    check_lists(f, &stats);
    lode__world_validate(world);
    for (int i = 0; i < BODIES; ++i) {
        if (!lode_body_is_valid(f->bodies[i]))
            continue;
        lode_pose p = lode_body_get_pose(f->bodies[i]);
        lode_vec3 v = lode_body_get_linear_velocity(f->bodies[i]);
        assert_true(isfinite(p.position.x) && isfinite(p.position.y) && isfinite(p.position.z));
        assert_true(isfinite(p.rotation.w) && isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
    }
}

static uint64_t fuzz_world(uint64_t seed, bool wild, int threads)
{
    fuzz f = {.random = {seed}, .wild = wild};
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.sleep = (lode_sleep){
        .enabled = true, .linear_threshold = 1, .angular_threshold = 1, .steps = 2, .samples = 1};
    f.world = lode_world_create(&def);
    for (int i = 0; i < CALLS; ++i) {
        check_call(&f);
        if (i % 16 == 0)
            check_world(&f);
    }
    uint64_t hash = lode_world_hash(f.world);
    lode_world_destroy(f.world);
    return hash;
}

static void random_calls_keep_the_world_whole(void **state)
{
    (void)state;
    report_install();
    for (uint64_t seed = 1; seed <= 3; ++seed)
        fuzz_world(seed, false, 1);
}

static void wild_calls_keep_the_world_whole(void **state)
{
    (void)state;
    report_install();
    for (uint64_t seed = 1; seed <= 4; ++seed)
        fuzz_world(seed, true, 1);
}

static void the_same_calls_give_the_same_world(void **state)
{
    (void)state;
    report_install();
    uint64_t hash = fuzz_world(7, false, 1);
    assert_true(fuzz_world(7, false, 1) == hash);
    assert_true(fuzz_world(7, false, 3) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls_keep_the_world_whole),
        cmocka_unit_test(wild_calls_keep_the_world_whole),
        cmocka_unit_test(the_same_calls_give_the_same_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
