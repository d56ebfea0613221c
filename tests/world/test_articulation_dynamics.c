/* test_articulation_dynamics.c: caches and the dynamics of articulations in the world: what they
 * say against what the world does and the bodies tell, and what they refuse. The formulas
 * themselves are held against oracles in solver/dynamics and peers/mujoco_articulations. */
#include "lode/lode.h"
#include "lode/articulation_dynamics.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { LINKS = 7, MOST = 64 };

#ifdef LODE_DOUBLE
static const double tight = 1e-9, loose = 1e-6, brief = 1e-5;
#else
static const double tight = 2e-4, loose = 5e-2, brief = 1e-3;
#endif

typedef struct robot {
    lode_world world;
    lode_articulation articulation;
    lode_body link[LINKS];
    lode_articulation_cache *cache;
    int n, b; /* dofs of joints and of the root */
} robot;

static lode_quat random_turn(test_random *random)
{
    double q[4], square = 0;
    for (int i = 0; i < 4; ++i) {
        q[i] = random_between(random, -1, 1);
        square += q[i] * q[i];
    }
    double by = 1 / sqrt(square);
    return (lode_quat){(lode_real)(q[0] * by), (lode_real)(q[1] * by), (lode_real)(q[2] * by),
                       (lode_real)(q[3] * by)};
}

static lode_vec3 random_vector(test_random *random, double size)
{
    return (lode_vec3){(lode_real)random_between(random, -size, size),
                       (lode_real)random_between(random, -size, size),
                       (lode_real)random_between(random, -size, size)};
}

/* Without drives, friction and limits: what moves it is what the formulas know of. */
static robot make(bool fixed, lode_vec3 gravity, test_random *random)
{
    static const lode_link_joint_type types[LINKS] = {
        LODE_LINK_FIXED,    LODE_LINK_REVOLUTE,           LODE_LINK_SPHERICAL, LODE_LINK_PRISMATIC,
        LODE_LINK_SIX_AXES, LODE_LINK_REVOLUTE_UNWRAPPED, LODE_LINK_FIXED};
    robot r = {.b = fixed ? 0 : 6};
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = gravity;
    world_def.sub_steps = 1;
    r.world = lode_world_create(&world_def);
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    r.articulation = lode_articulation_create(r.world, &def);
    for (int i = 0; i < LINKS; ++i) {
        lode_link_def link = lode_link_def_default(types[i]);
        link.parent = i > 0 ? r.link[random_below(random, (uint32_t)i)] : (lode_body){0};
        link.parent_frame = (lode_pose){random_vector(random, 0.5), random_turn(random)};
        link.child_frame = (lode_pose){random_vector(random, 0.5), random_turn(random)};
        if (types[i] == LODE_LINK_SIX_AXES)
            link.axis[LODE_AXIS_X].motion = link.axis[LODE_AXIS_SWING2].motion = LODE_MOTION_FREE;
        link.pose = (lode_pose){random_vector(random, 1), random_turn(random)};
        r.link[i] = lode_articulation_add_link(r.articulation, &link);
        assert_true(lode_body_is_valid(r.link[i]));
        lode_real m = (lode_real)random_between(random, 0.5, 2);
        lode_mass mass = {.mass = m,
                          .center = random_vector(random, 0.2),
                          .inertia = {m * (lode_real)0.1, m * (lode_real)0.15, m * (lode_real)0.2}};
        assert_int_equal(lode_body_set_mass(r.link[i], &mass), LODE_OK);
    }
    assert_int_equal(lode_articulation_insert(r.articulation), LODE_OK);
    r.n = lode_articulation_count_dofs(r.articulation);
    assert_int_equal(r.n, 1 + 3 + 1 + 2 + 1);
    r.cache = lode_articulation_cache_create(r.articulation);
    assert_non_null(r.cache);
    return r;
}

static void randomize(robot *r, double speed, test_random *random)
{
    for (int k = 0; k < r->n; ++k) {
        r->cache->joint_position[k] = (lode_real)random_between(random, -1, 1);
        r->cache->joint_velocity[k] = (lode_real)random_between(random, -speed, speed);
        r->cache->joint_force[k] = (lode_real)random_between(random, -2, 2);
    }
    r->cache->root->pose = (lode_pose){random_vector(random, 2), random_turn(random)};
    r->cache->root->linear_velocity = random_vector(random, r->b ? speed : 0);
    r->cache->root->angular_velocity = random_vector(random, r->b ? speed : 0);
    uint32_t flags = LODE_CACHE_POSITION | LODE_CACHE_VELOCITY | LODE_CACHE_FORCE |
                     LODE_CACHE_ROOT_TRANSFORM | LODE_CACHE_ROOT_VELOCITIES;
    assert_int_equal(lode_articulation_cache_apply(r->articulation, r->cache, flags, true),
                     LODE_OK);
    assert_int_equal(lode_articulation_prepare(r->articulation), LODE_OK);
}

static void end(robot *r)
{
    lode_articulation_cache_destroy(r->cache);
    lode_world_destroy(r->world);
}

static double dot(lode_vec3 a, lode_vec3 b)
{
    return (double)(a.x * b.x + a.y * b.y + a.z * b.z);
}

/* u as the cache and the root have it. */
static void speeds_of(const robot *r, double *u)
{
    const lode_root_data *root = r->cache->root;
    const double all[6] = {(double)root->linear_velocity.x,  (double)root->linear_velocity.y,
                           (double)root->linear_velocity.z,  (double)root->angular_velocity.x,
                           (double)root->angular_velocity.y, (double)root->angular_velocity.z};
    memcpy(u, all, (size_t)r->b * sizeof *u);
    for (int k = 0; k < r->n; ++k)
        u[r->b + k] = (double)r->cache->joint_velocity[k];
}

static void the_jacobian_gives_links_velocities_and_the_mass_matrix_their_energy(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 40; ++round) {
        robot r = make(round % 2, (lode_vec3){0, 0, -10}, &random);
        int rows, columns, all = r.b + r.n;
        double u[MOST], energy = 0, told = 0;
        randomize(&r, 1, &random);
        assert_int_equal(
            lode_articulation_compute_dense_jacobian(r.articulation, r.cache, &rows, &columns),
            LODE_OK);
        assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, r.cache), LODE_OK);
        assert_int_equal(columns, all);
        assert_int_equal(rows, 6 * (LINKS - (r.b == 0)));
        speeds_of(&r, u);
        for (int i = r.b == 0; i < LINKS; ++i) {
            int index = lode_link_get_index(r.link[i]);
            lode_vec3 v = lode_body_get_linear_velocity(r.link[i]);
            lode_vec3 w = lode_body_get_angular_velocity(r.link[i]);
            const lode_real real[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
            for (int c = 0; c < 6; ++c) {
                int row = 6 * (index - (r.b == 0)) + c;
                double sum = 0;
                for (int k = 0; k < all; ++k)
                    sum += (double)r.cache->dense_jacobian[row * columns + k] * u[k];
                assert_true(fabs(sum - (double)real[c]) < tight * 100);
            }
            lode_mass mass = lode_body_get_mass(r.link[i]);
            lode_vec3 spin = lode_body_vector_from_world(r.link[i], w);
            energy += 0.5 *
                      ((double)mass.mass * dot(v, v) + (double)(mass.inertia[0] * spin.x * spin.x +
                                                                mass.inertia[1] * spin.y * spin.y +
                                                                mass.inertia[2] * spin.z * spin.z));
        }
        for (int i = 0; i < all; ++i)
            for (int k = 0; k < all; ++k)
                told += 0.5 * u[i] * (double)r.cache->mass_matrix[i * all + k] * u[k];
        assert_true(fabs(told - energy) < tight * 100 * (1 + energy));
        end(&r);
    }
}

/* What one step of a length makes of the joints' speeds, by time; and what the cache says. */
static void accelerate_by_step(int round, lode_real h, test_random *random, double *is,
                               lode_real *told, int *out_count)
{
    lode_real before[MOST];
    robot r = make(round % 2, (lode_vec3){1, 2, -10}, random);
    randomize(&r, 1, random);
    assert_int_equal(lode_articulation_compute_joint_acceleration(r.articulation, r.cache),
                     LODE_OK);
    memcpy(before, r.cache->joint_velocity, (size_t)r.n * sizeof *before);
    memcpy(told, r.cache->joint_acceleration, (size_t)r.n * sizeof *told);
    assert_int_equal(lode_world_step(r.world, h), LODE_OK);
    assert_int_equal(lode_articulation_cache_copy(r.articulation, r.cache, LODE_CACHE_VELOCITY),
                     LODE_OK);
    for (int k = 0; k < r.n; ++k)
        is[k] = (double)(r.cache->joint_velocity[k] - before[k]) / (double)h;
    *out_count = r.n;
    end(&r);
}

/* In the limit of short steps, of which two lengths tell, for velocities act as they are in a
 * step's middle; from the same state, the joints' own forces being those of the cache. */
static void joints_accelerate_in_the_world_as_computed(void **state)
{
    (void)state;
    test_random random = {5};
    const lode_real h = (lode_real)brief;
    for (int round = 0; round < 40; ++round) {
        double is[2][MOST];
        lode_real told[MOST];
        test_random same = random;
        int n;
        accelerate_by_step(round, h, &same, is[0], told, &n);
        accelerate_by_step(round, h / 2, &random, is[1], told, &n);
        for (int k = 0; k < n; ++k) {
            double a = 2 * is[1][k] - is[0][k];
            assert_true(fabs(a - (double)told[k]) < loose * (1 + fabs((double)told[k])));
        }
    }
}

static void joint_force_undoes_joint_acceleration_without_gravity(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 40; ++round) {
        robot r = make(round % 2, (lode_vec3){0, 0, 0}, &random);
        lode_real force[MOST];
        randomize(&r, 1, &random);
        memcpy(force, r.cache->joint_force, (size_t)r.n * sizeof *force);
        assert_int_equal(lode_articulation_compute_joint_acceleration(r.articulation, r.cache),
                         LODE_OK);
        assert_int_equal(lode_articulation_compute_joint_force(r.articulation, r.cache), LODE_OK);
        for (int k = 0; k < r.n; ++k)
            assert_true(fabs((double)(force[k] - r.cache->joint_force[k])) < tight * 1000);
        end(&r);
    }
}

/* Held up by what is computed, nothing moves in a hundred steps. */
static void gravity_compensation_holds(void **state)
{
    (void)state;
    test_random random = {9};
    for (int round = 0; round < 10; ++round) {
        robot r = make(true, (lode_vec3){0, 3, -10}, &random);
        randomize(&r, 0, &random);
        assert_int_equal(lode_articulation_compute_gravity_compensation(r.articulation, r.cache),
                         LODE_OK);
        memcpy(r.cache->joint_force, r.cache->gravity_compensation_force,
               (size_t)r.n * sizeof(lode_real));
        assert_int_equal(
            lode_articulation_cache_apply(r.articulation, r.cache, LODE_CACHE_FORCE, true),
            LODE_OK);
        for (int s = 0; s < 10; ++s)
            assert_int_equal(lode_world_step(r.world, (lode_real)0.001), LODE_OK);
        assert_int_equal(lode_articulation_cache_copy(r.articulation, r.cache, LODE_CACHE_VELOCITY),
                         LODE_OK);
        for (int k = 0; k < r.n; ++k)
            assert_true(fabs((double)r.cache->joint_velocity[k]) < tight * 10);
        end(&r);
    }
}

static void a_hanging_link_pulls_at_its_joint_with_its_weight(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    lode_articulation a = lode_articulation_create(world, &def);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    lode_link_def bob = lode_link_def_default(LODE_LINK_REVOLUTE);
    bob.parent = lode_articulation_add_link(a, &root);
    bob.child_frame.position.z = 1;
    lode_body link = lode_articulation_add_link(a, &bob);
    lode_mass mass = {.mass = 3, .inertia = {1, 1, 1}};
    assert_int_equal(lode_body_set_mass(link, &mass), LODE_OK);
    assert_int_equal(lode_articulation_insert(a), LODE_OK);
    assert_int_equal(lode_world_step(world, (lode_real)0.01), LODE_OK);
    lode_articulation_cache *cache = lode_articulation_cache_create(a);
    assert_int_equal(lode_articulation_cache_copy(a, cache, LODE_CACHE_INCOMING_JOINT_FORCE),
                     LODE_OK);
    lode_spatial_force borne = cache->link_incoming_joint_force[1];
    assert_true(fabs((double)borne.force.z - 3 * 9.81) < 1e-4);
    assert_true(fabs((double)borne.force.x) + fabs((double)borne.force.y) < 1e-5);
    assert_true(sqrt(dot(borne.torque, borne.torque)) < 1e-5);
    lode_articulation_cache_destroy(cache);
    lode_world_destroy(world);
}

/* A ball on a slide, or on a turn, falls on ground that it bounces off: along its free axis the
 * joint bears nothing, in the step of the impact either. */
static void a_bounce_is_borne_by_the_ground(void **state)
{
    (void)state;
    const lode_real half = (lode_real)0.70710678118654752;
    for (int turns = 0; turns < 2; ++turns) {
        lode_world_def world_def = lode_world_def_default();
        world_def.gravity = (lode_vec3){0, 0, -10};
        lode_world world = lode_world_create(&world_def);
        lode_body_def ground_def = lode_body_def_default();
        lode_shape_def shape = lode_shape_def_default();
        shape.restitution = (lode_real)0.8;
        shape.friction = 0;
        lode_shape_create_plane(lode_body_create(world, &ground_def), &shape, (lode_vec3){0, 0, 1},
                                0);
        lode_articulation_def def = lode_articulation_def_default();
        def.fixed_base = true;
        lode_articulation a = lode_articulation_create(world, &def);
        lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
        lode_link_def bob = lode_link_def_default(turns ? LODE_LINK_REVOLUTE : LODE_LINK_PRISMATIC);
        bob.parent = lode_articulation_add_link(a, &root);
        /* x of the frames: up of the slide, the world's y of the turn */
        lode_quat turn = turns ? (lode_quat){half, 0, 0, half} : (lode_quat){half, 0, -half, 0};
        bob.parent_frame = bob.child_frame = (lode_pose){{0, 0, 0}, turn};
        bob.parent_frame.position.z = turns ? (lode_real)0.8 : 1;
        bob.child_frame.position.x = turns ? -1 : 0;
        lode_body link = lode_articulation_add_link(a, &bob);
        assert_true(lode_shape_create_sphere(link, &shape, (lode_real)0.25).id);
        lode_mass mass = {.mass = 3, .inertia = {1, 1, 1}};
        assert_int_equal(lode_body_set_mass(link, &mass), LODE_OK);
        assert_int_equal(lode_articulation_insert(a), LODE_OK);
        lode_articulation_cache *cache = lode_articulation_cache_create(a);
        double most = 0, change = 0;
        for (int s = 0; s < 90; ++s) {
            double before = (double)lode_body_get_linear_velocity(link).z;
            assert_int_equal(lode_world_step(world, (lode_real)(1.0 / 60)), LODE_OK);
            assert_int_equal(
                lode_articulation_cache_copy(a, cache, LODE_CACHE_INCOMING_JOINT_FORCE), LODE_OK);
            lode_spatial_force borne = cache->link_incoming_joint_force[1];
            most = fmax(most, fabs((double)(turns ? borne.torque.x : borne.force.x)));
            change = fmax(change, (double)lode_body_get_linear_velocity(link).z - before);
        }
        assert_true(change > 3); /* so 3 kg ask for more than 500 N */
        assert_true(most < (turns ? 3 : 0.01));
        lode_articulation_cache_destroy(cache);
        lode_world_destroy(world);
    }
}

static void what_is_applied_is_copied_back(void **state)
{
    (void)state;
    test_random random = {11};
    robot r = make(false, (lode_vec3){0, 0, -10}, &random);
    lode_articulation_cache *other = lode_articulation_cache_create(r.articulation);
    for (int k = 0; k < r.n; ++k) {
        r.cache->joint_target_position[k] = (lode_real)random_between(&random, -1, 1);
        r.cache->joint_target_velocity[k] = (lode_real)random_between(&random, -1, 1);
    }
    randomize(&r, 1, &random);
    uint32_t targets = LODE_CACHE_TARGET_POSITIONS | LODE_CACHE_TARGET_VELOCITIES;
    assert_int_equal(lode_articulation_cache_apply(r.articulation, r.cache, targets, false),
                     LODE_OK);
    assert_int_equal(lode_articulation_cache_copy(r.articulation, other,
                                                  LODE_CACHE_ALL | LODE_CACHE_FORCE | targets),
                     LODE_OK);
    size_t bytes = (size_t)r.n * sizeof(lode_real);
    assert_memory_equal(other->joint_position, r.cache->joint_position, bytes);
    assert_memory_equal(other->joint_velocity, r.cache->joint_velocity, bytes);
    assert_memory_equal(other->joint_force, r.cache->joint_force, bytes);
    assert_memory_equal(other->joint_target_position, r.cache->joint_target_position, bytes);
    assert_memory_equal(other->joint_target_velocity, r.cache->joint_target_velocity, bytes);
    assert_memory_equal(&other->root->linear_velocity, &r.cache->root->linear_velocity,
                        2 * sizeof(lode_vec3));
    for (int i = 0; i < LINKS; ++i) {
        lode_vec3 v = lode_body_get_linear_velocity(r.link[i]);
        assert_memory_equal(&v, &other->link_velocity[lode_link_get_index(r.link[i])].linear,
                            sizeof v);
    }
    lode_articulation_cache_destroy(other);
    end(&r);
}

static void joint_data_is_packed_by_axes(void **state)
{
    (void)state;
    test_random random = {13};
    robot r = make(true, (lode_vec3){0, 0, -10}, &random);
    lode_real maximal[6 * (LINKS - 1)], back[6 * (LINKS - 1)], reduced[MOST];
    for (int i = 0; i < 6 * (LINKS - 1); ++i)
        maximal[i] = (lode_real)(i + 1);
    assert_int_equal(lode_articulation_pack_joint_data(r.articulation, maximal, reduced), LODE_OK);
    assert_int_equal(lode_articulation_unpack_joint_data(r.articulation, reduced, back), LODE_OK);
    int kept = 0;
    for (int i = 1; i < LINKS; ++i)
        for (int k = 0; k < LODE_LINK_AXES; ++k) {
            bool free = lode_link_get_axis(r.link[i], (lode_link_axis_index)k).motion !=
                        LODE_MOTION_LOCKED;
            int at = 6 * (lode_link_get_index(r.link[i]) - 1) + k;
            assert_true(back[at] == (free ? maximal[at] : 0));
            kept += free;
        }
    assert_int_equal(kept, r.n);
    end(&r);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    test_random random = {15};
    robot r = make(false, (lode_vec3){0, 0, -10}, &random),
          other = make(false, (lode_vec3){0, 0, -10}, &random);
    assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, r.cache),
                     LODE_ERROR_STATE); /* not prepared */
    assert_int_equal(lode_articulation_prepare(r.articulation), LODE_OK);
    assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, r.cache), LODE_OK);
    assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, other.cache),
                     LODE_ERROR_STATE); /* another's cache */
    assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, NULL),
                     LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_world_step(r.world, (lode_real)0.01), LODE_OK);
    assert_int_equal(lode_articulation_compute_mass_matrix(r.articulation, r.cache),
                     LODE_ERROR_STATE); /* it has moved */
    assert_int_equal(lode_articulation_cache_copy(r.articulation, r.cache, LODE_CACHE_LINK_FORCE),
                     LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_articulation_cache_copy(r.articulation, r.cache, 1u << 20),
                     LODE_ERROR_ARGUMENT);
    r.cache->joint_velocity[2] = (lode_real)NAN;
    lode_real hash = lode_link_get_axis(r.link[1], LODE_AXIS_TWIST).velocity;
    assert_int_equal(
        lode_articulation_cache_apply(r.articulation, r.cache, LODE_CACHE_VELOCITY, true),
        LODE_ERROR_ARGUMENT);
    assert_true(lode_link_get_axis(r.link[1], LODE_AXIS_TWIST).velocity == hash);
    assert_int_equal(lode_articulation_remove(r.articulation), LODE_OK);
    assert_int_equal(lode_articulation_get_cache_size(r.articulation), 0);
    assert_null(lode_articulation_cache_create(r.articulation));
    lode_link_def more = lode_link_def_default(LODE_LINK_FIXED);
    more.parent = r.link[0];
    assert_true(lode_body_is_valid(lode_articulation_add_link(r.articulation, &more)));
    assert_int_equal(lode_articulation_insert(r.articulation), LODE_OK);
    assert_int_equal(lode_articulation_cache_copy(r.articulation, r.cache, LODE_CACHE_ALL),
                     LODE_ERROR_STATE); /* its structure is another */
    end(&r);
    end(&other);
}

static void a_run_goes_on_from_a_snapshot_to_the_bit(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    test_random random = {17};
    robot r = make(false, (lode_vec3){0, 0, -10}, &random);
    randomize(&r, 1, &random);
    for (int s = 0; s < 20; ++s)
        lode_world_step(r.world, (lode_real)0.01);
    size_t size = lode_world_snapshot(r.world, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    for (int s = 0; s < 20; ++s)
        lode_world_step(r.world, (lode_real)0.01);
    uint64_t hash = lode_world_hash(r.world);
    assert_int_equal(lode_world_restore(r.world, bytes, size), LODE_OK);
    assert_true(lode_world_hash(r.world) != hash);
    for (int s = 0; s < 20; ++s)
        lode_world_step(r.world, (lode_real)0.01);
    assert_true(lode_world_hash(r.world) == hash);
    /* in another world, which has none */
    lode_world_def world_def = lode_world_def_default();
    lode_world copy = lode_world_create(&world_def);
    assert_int_equal(lode_world_restore(copy, bytes, size), LODE_OK);
    for (int s = 0; s < 20; ++s)
        lode_world_step(copy, (lode_real)0.01);
    assert_true(lode_world_hash(copy) == hash);
    lode_world_destroy(copy);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jacobian_gives_links_velocities_and_the_mass_matrix_their_energy),
        cmocka_unit_test(joints_accelerate_in_the_world_as_computed),
        cmocka_unit_test(joint_force_undoes_joint_acceleration_without_gravity),
        cmocka_unit_test(gravity_compensation_holds),
        cmocka_unit_test(a_hanging_link_pulls_at_its_joint_with_its_weight),
        cmocka_unit_test(a_bounce_is_borne_by_the_ground),
        cmocka_unit_test(what_is_applied_is_copied_back),
        cmocka_unit_test(joint_data_is_packed_by_axes),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_run_goes_on_from_a_snapshot_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
