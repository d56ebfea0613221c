/* scenes.c: see scenes.h. */
#include "tests/determinism/scenes.h"

#include "tests/support/random.h"

#define REAL(x) ((lode_real)(x))
#define STEP (1 / REAL(60))

static lode_vec3 vec(lode_real x, lode_real y, lode_real z)
{
    return (lode_vec3){x, y, z};
}

/* A multiple of 1/64 in [lo, hi): exact in either precision. */
static lode_real between(test_random *random, int lo, int hi)
{
    return (lode_real)(lo * 64 + (int)random_below(random, (uint32_t)(hi - lo) * 64)) / 64;
}

static lode_vec3 any_vec(test_random *random, int size)
{
    lode_real x = between(random, -size, size), y = between(random, -size, size);
    return vec(x, y, between(random, -size, size));
}

/* Far enough from zero to be normalised. */
static lode_quat any_rotation(test_random *random)
{
    lode_vec3 v = any_vec(random, 1);
    return (lode_quat){between(random, 1, 3), v.x, v.y, v.z};
}

static lode_body add_body(lode_world world, lode_vec3 position, lode_quat rotation)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = position;
    def.rotation = rotation;
    return lode_body_create(world, &def);
}

static lode_body add_upright(lode_world world, lode_vec3 position)
{
    return add_body(world, position, (lode_quat){1, 0, 0, 0});
}

static void add_ground(lode_world world)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = REAL(0.75);
    lode_shape_create_plane(lode_body_create(world, &def), &shape, vec(0, 0, 1), 0);
}

/* ---- pyramid: `size` boxes at its base, and a ball thrown at it ---- */

static void build_pyramid(lode_world world, int size)
{
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    for (int level = 0; level < size; ++level)
        for (int i = 0; i < size - level; ++i) {
            lode_real x = REAL(i) + REAL(level - size) / 2;
            lode_body box = add_upright(world, vec(x, 0, REAL(0.5) + REAL(level)));
            lode_shape_create_box(box, &shape, vec(REAL(0.5), REAL(0.5), REAL(0.5)));
        }
    lode_body ball = add_upright(world, vec(REAL(0.25), -6, REAL(size) / 2));
    shape.density = 4000;
    lode_shape_create_sphere(ball, &shape, REAL(0.75));
    lode_body_set_linear_velocity(ball, vec(0, 12, 1));
}

/* ---- box pile: boxes of any rotation and several sizes fall on each other ---- */

static void build_box_pile(lode_world world, int size)
{
    test_random random = {11};
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        lode_real east = between(&random, -3, 3), north = between(&random, -3, 3);
        lode_vec3 at = vec(east, north, 2 + REAL(i) / 4);
        lode_body box = add_body(world, at, any_rotation(&random));
        lode_real x = REAL(0.25) + between(&random, 0, 1) / 2;
        lode_shape_create_box(box, &shape, vec(x, REAL(0.5), REAL(0.25)));
    }
}

/* ---- chains: spheres in chains of four, every other of which hangs from the world ---- */

static void join(lode_world world, lode_body a, lode_body b, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, anchor, vec(1, 0, 0));
    lode_joint_create(world, &def);
}

static void build_chains(lode_world world, int size)
{
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    lode_body last = {0};
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 8) - REAL(i / 8 % 2) / 4, REAL(i / 8 % 8), 1 + REAL(i) / 32);
        lode_body ball = add_upright(world, at);
        shape.friction = REAL(i % 3) / 2;
        lode_shape_create_sphere(ball, &shape, REAL(0.375));
        if (i % 4 != 0)
            join(world, ball, last, vec(at.x - REAL(0.5), at.y, at.z));
        else if (i % 8 == 4)
            join(world, ball, (lode_body){0}, vec(at.x, at.y, at.z + 1));
        last = ball;
    }
}

/* ---- tumblers: lopsided bodies of several shapes, spinning, bouncing ---- */

static void add_tumbler(lode_world world, test_random *random, lode_vec3 at)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body body = add_body(world, at, any_rotation(random));
    shape.restitution = REAL(0.5);
    shape.pose.rotation = (lode_quat){3, 1, 0, 1};
    lode_shape_create_box(body, &shape, vec(REAL(0.5), REAL(0.25), REAL(0.125)));
    shape.pose.position = vec(REAL(0.5), REAL(0.25), 0);
    shape.density = 3000;
    lode_shape_create_sphere(body, &shape, REAL(0.25));
    lode_body_set_linear_velocity(body, any_vec(random, 2));
    lode_body_set_angular_velocity(body, any_vec(random, 8));
}

static void build_tumblers(lode_world world, int size)
{
    test_random random = {12};
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        int x = i % 4, y = i / 4 % 4, z = i / 16;
        add_tumbler(world, &random, vec(REAL(2 * x), REAL(2 * y), REAL(2 * z + 2)));
    }
}

/* clang-format off */
const hash_scene hash_scenes[] = {
    /* name         solver                 build            sizes      steps    */
    {"pyramid",     LODE_SOLVER_PGS,       build_pyramid,    10,  20,  200, 300},
    {"box_pile",    LODE_SOLVER_SOFT_STEP, build_box_pile,   60, 400,  200, 300},
    {"chains",      LODE_SOLVER_PGS,       build_chains,     96, 800,  200, 300},
    {"tumblers",    LODE_SOLVER_SOFT_STEP, build_tumblers,   32, 320,  200, 300},
};
/* clang-format on */
const int hash_scene_count = sizeof hash_scenes / sizeof hash_scenes[0];

uint64_t hash_scene_run(const hash_scene *scene, const lode_world_def *def, bool full)
{
    lode_world_def own = *def;
    own.solver = scene->solver;
    lode_world world = lode_world_create(&own);
    if (!lode_world_is_valid(world))
        return 0;
    scene->build(world, full ? scene->full_size : scene->size);
    uint64_t hash = 0;
    bool done = true;
    for (int i = 0; i < (full ? scene->full_steps : scene->steps) && done; ++i)
        done = lode_world_step(world, STEP) == LODE_OK;
    if (done)
        hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}
