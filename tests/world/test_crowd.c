/* Crowds of fast continuous bodies in a closed room: what happens depends neither on threads, nor
 * on whether pairs are asked about one after another, nor on the broad phase; and none gets out. */
#include "tests/support/random.h"
#include "tests/world/support.h"

enum { BULLETS = 150, CRATES = 40, FRAMES = 20 };
#define ROOM 4.0
#define WALL 0.01

typedef struct crowd {
    lode_world world;
    lode_body bullets[BULLETS];
} crowd;

static lode_real between(test_random *random, double most)
{
    return (lode_real)random_between(random, -most, most);
}

static lode_vec3 somewhere(test_random *random, double most)
{
    lode_real x = between(random, most), y = between(random, most);
    return vec(x, y, between(random, most));
}

static void build_room(lode_world world)
{
    lode_body room = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    for (int i = 0; i < 6; ++i) {
        lode_real half[3] = {(lode_real)ROOM, (lode_real)ROOM, (lode_real)ROOM}, at[3] = {0};
        half[i / 2] = (lode_real)WALL;
        at[i / 2] = (lode_real)(i % 2 ? ROOM : -ROOM);
        def.pose.position = vec(at[0], at[1], at[2]);
        assert_true(lode_shape_create_box(room, &def, vec(half[0], half[1], half[2])).id);
    }
}

/* A kinematic blade sweeps the room. */
static void build_fan(lode_world world)
{
    lode_body fan = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    assert_true(lode_shape_create_box(fan, &def, vec(3, (lode_real)0.02, 1)).id);
    lode_body_set_angular_velocity(fan, vec(0, 0, 20));
}

static lode_body add_mover(lode_world world, test_random *random, bool bullet)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.continuous = bullet;
    def.position = somewhere(random, ROOM - 0.5);
    def.linear_velocity = somewhere(random, bullet ? 600 : 3);
    def.angular_velocity = somewhere(random, bullet ? 100 : 3);
    return lode_body_create(world, &def);
}

static void add_bullet(crowd *c, test_random *random, int i)
{
    lode_shape_def def = lode_shape_def_default();
    c->bullets[i] = add_mover(c->world, random, true);
    lode_shape shape =
        i % 3 == 0 ? lode_shape_create_sphere(c->bullets[i], &def, (lode_real)0.05)
        : i % 3 == 1
            ? lode_shape_create_capsule(c->bullets[i], &def, (lode_real)0.03, (lode_real)0.1)
            : lode_shape_create_box(c->bullets[i], &def,
                                    vec((lode_real)0.05, (lode_real)0.03, (lode_real)0.1));
    assert_true(shape.id);
}

static crowd crowd_create(const lode_world_def *def)
{
    crowd c = {.world = lode_world_create(def)};
    test_random random = {7};
    build_room(c.world);
    build_fan(c.world);
    lode_shape_def crate = lode_shape_def_default();
    for (int i = 0; i < CRATES; ++i)
        assert_true(lode_shape_create_box(add_mover(c.world, &random, false), &crate,
                                          vec((lode_real)0.2, (lode_real)0.2, (lode_real)0.2))
                        .id);
    for (int i = 0; i < BULLETS; ++i)
        add_bullet(&c, &random, i);
    return c;
}

static int count_outside(const crowd *c)
{
    int outside = 0;
    for (int i = 0; i < BULLETS; ++i) {
        lode_vec3 at = lode_body_get_pose(c->bullets[i]).position;
        double most = at.x > -at.x ? at.x : -at.x;
        most = at.y > most ? at.y : -at.y > most ? -at.y : most;
        most = at.z > most ? at.z : -at.z > most ? -at.z : most;
        outside += !(most < ROOM + WALL);
    }
    return outside;
}

static uint64_t run(const lode_world_def *def)
{
    crowd c = crowd_create(def);
    for (int i = 0; i < FRAMES; ++i)
        assert_int_equal(lode_world_step(c.world, (lode_real)1 / 60), LODE_OK);
    assert_int_equal(count_outside(&c), 0);
    uint64_t hash = lode_world_hash(c.world);
    lode_world_destroy(c.world);
    return hash;
}

static bool accept_all(void *user, const lode_near_pair *pair)
{
    (void)pair;
    ++*(long *)user;
    return true;
}

static void nobody_gets_out_however_they_are_looked_for(void **state)
{
    (void)state;
    static const lode_broad_phase phases[] = {LODE_BROAD_TREE, LODE_BROAD_SIMPLE, LODE_BROAD_SWEEP};
    long asked = 0;
    lode_world_def def = lode_world_def_default();
    uint64_t hash = run(&def);
    for (def.threads = 2; def.threads <= 4; ++def.threads)
        assert_true(run(&def) == hash);
    def.pair_filter = (lode_pair_filter){&asked, accept_all};
    assert_true(run(&def) == hash);
    assert_true(asked > 0);
    def = lode_world_def_default();
    for (int i = 0; i < 3; ++i) {
        def.broad_phase = phases[i];
        assert_true(run(&def) == hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_gets_out_however_they_are_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
