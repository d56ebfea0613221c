/* Two ways to one truth: the direct solver and PGS, given as many iterations as it needs, find the
 * same velocities in frictionless scenes, which have one solution: heaps of boxes, balls and
 * capsules in a pit, with ball joints and hinges among them. Impulses may differ, where bodies are
 * held more often than they can move.
 *
 * Both solve for the same rows where nothing is corrected and no gap is let be (solver/softness.h):
 * with an erp and a surface layer of 0. What they find is what bodies move by; velocities at the
 * step's end have been through the relax pass of PGS. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

#define H (1.0 / 60)

enum { SCENES = 100, MOST = 12, SETTLING = 30 };

/* Four corners that cannot all hold shift their impulses by next to nothing in each iteration. */
#ifdef LODE_DOUBLE
static const double agree = 1e-6;
static const int iterations = 100000;
#else
static const double agree = 1e-4;
static const int iterations = 10000;
#endif

static lode_world pit(void)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def smooth = lab_shape_def((lab_material){.density = 1000});
    lode_body_def still = lode_body_def_default();
    def.solver = LODE_SOLVER_DIRECT;
    def.sub_steps = 1;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    lode_body walls = lode_body_create(world, &still);
    lode_shape_create_plane(walls, &smooth, lab_vec3(0, 0, 1), 0);
    for (int i = 0; i < 4; ++i) {
        double x = i < 2 ? 1 - 2 * i : 0, y = i < 2 ? 0 : 5 - 2 * i;
        lode_shape_create_plane(walls, &smooth, lab_vec3(0.8 * x, 0.8 * y, 0.6), -1);
    }
    return world;
}

static void add_shape(lode_body body, test_random *random)
{
    lode_shape_def smooth = lab_shape_def((lab_material){.density = 1000});
    smooth.density *= (lode_real)random_between(random, 0.5, 3);
    double a = random_between(random, 0.15, 0.3), b = random_between(random, 0.15, 0.3);
    switch (random_below(random, 3)) {
    case 0:
        lode_shape_create_sphere(body, &smooth, (lode_real)a);
        break;
    case 1:
        lode_shape_create_box(body, &smooth, lab_vec3(a, b, 0.2));
        break;
    default:
        lode_shape_create_capsule(body, &smooth, (lode_real)(a / 2), (lode_real)b);
    }
}

static int fill(lode_world world, lode_body bodies[MOST], test_random *random)
{
    int count = 3 + (int)random_below(random, MOST - 2);
    for (int i = 0; i < count; ++i) {
        double x = random_between(random, -0.6, 0.6), y = random_between(random, -0.6, 0.6);
        bodies[i] = lab_body(world, lab_vec3(x, y, 0.4 + 0.45 * i));
        add_shape(bodies[i], random);
        double spin = random_between(random, -3, 3);
        lode_body_set_angular_velocity(bodies[i], lab_vec3(spin, 1, 0.5 * spin));
        lode_body_set_linear_velocity(bodies[i], lab_vec3(0, 0, -2));
        if (i == 0 || random_below(random, 3) > 0)
            continue;
        lode_joint_def def = lode_joint_def_default(i % 2 ? LODE_JOINT_BALL : LODE_JOINT_HINGE);
        def.body_a = bodies[i];
        def.body_b = bodies[i - 1];
        lode_joint_def_anchor_world(&def, lab_vec3(x, y, 0.2 + 0.45 * i), lab_vec3(1, 0, 0.5));
        lode_joint_create(world, &def);
    }
    return count;
}

/* How fast a body went in a step, and turned: the vector of the quaternion q p^-1, twice, by h. */
static void moved(lode_pose p, lode_pose q, lab_vec *out_linear, lab_vec *out_angular)
{
    lab_vec a = {p.rotation.x, p.rotation.y, p.rotation.z};
    lab_vec b = {q.rotation.x, q.rotation.y, q.rotation.z};
    lab_vec turn = lab_sub(lab_sub(lab_scale(b, p.rotation.w), lab_scale(a, q.rotation.w)),
                           lab_cross(b, a));
    *out_linear = lab_scale(lab_sub(lab_of(q.position), lab_of(p.position)), 1 / H);
    *out_angular = lab_scale(turn, 2 / H);
}

typedef struct twin {
    lode_world world;
    lode_body bodies[MOST];
    lode_pose before[MOST];
    int count;
} twin;

/* The scene as the direct solver leaves it, and rows of one truth for the step to come. */
static twin twin_create(uint64_t seed)
{
    twin t = {.world = pit()};
    test_random random = {seed + 1};
    t.count = fill(t.world, t.bodies, &random);
    lab_run(t.world, H, 1 + (int)(seed % SETTLING) * 3);
    for (int i = 0; i < t.count; ++i)
        t.before[i] = lode_body_get_pose(t.bodies[i]);
    lode_world_set_erp(t.world, 0);
    lode_world_set_surface_layer(t.world, 0);
    return t;
}

/* Returns by how much they disagree, as a share of the largest velocity. */
static double disagreement(uint64_t seed, int *out_rows)
{
    twin direct = twin_create(seed), swept = twin_create(seed);
    lode_world_stats stats;
    double off = 0, largest = LAB_G * H;
    lode_world_set_solver(swept.world, LODE_SOLVER_PGS);
    lode_world_set_iterations(swept.world, iterations);
    lab_run(direct.world, H, 1);
    lab_run(swept.world, H, 1);
    for (int i = 0; i < direct.count; ++i) {
        lab_vec v[2], w[2];
        moved(direct.before[i], lode_body_get_pose(direct.bodies[i]), &v[0], &w[0]);
        moved(swept.before[i], lode_body_get_pose(swept.bodies[i]), &v[1], &w[1]);
        off = fmax(off, lab_length(lab_sub(v[0], v[1])));
        off = fmax(off, lab_length(lab_sub(w[0], w[1])));
        largest = fmax(largest, fmax(lab_length(v[0]), lab_length(w[0])));
    }
    assert_int_equal(lode_world_get_stats(direct.world, &stats), LODE_OK);
    *out_rows = stats.rows;
    lode_world_destroy(direct.world);
    lode_world_destroy(swept.world);
    return off / largest;
}

static void direct_and_pgs_agree_without_friction(void **state)
{
    (void)state;
    double worst = 0;
    int rows = 0;
    for (uint64_t seed = 0; seed < SCENES; ++seed) {
        int of_scene;
        double off = disagreement(seed, &of_scene);
        if (!(off <= agree))
            print_error("scene %d, %d rows: off by %.2g\n", (int)seed, of_scene, off);
        worst = off <= worst ? worst : off;
        rows += of_scene;
    }
    print_message("%d scenes of %d rows on average: off by %.2g at most\n", (int)SCENES,
                  rows / SCENES, worst);
    LAB_AT_MOST(worst, agree);
    assert_true(rows / SCENES > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_and_pgs_agree_without_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
