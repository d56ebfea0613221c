/* test_link_couplings.c: gears, racks, pulleys, differentials and rows of the application's over
 * links of articulations: accelerations of the closed form, impulses of dense algebra over links of
 * one articulation, of another and a free body; the same bits on any number of threads and from
 * snapshots. */
#include "lode/articulation_dynamics.h"
#include "tests/support/random.h"
#include "tests/world/arm.h"

#include <math.h>
#include <string.h>

enum { PARTS = 4 };

#ifdef LODE_DOUBLE
static const double tight = 1e-9;
#else
static const double tight = 2e-4;
#endif

/* ---- machines: parts that turn about or slide along x, each by itself, on a base */

typedef struct machine {
    lode_world world;
    lode_articulation articulation[2]; /* odd parts may be of the second */
    lode_body part[PARTS];
    bool slides[PARTS];
    double inertia[PARTS], ratio[PARTS], effort[PARTS];
    lode_joint_term term[PARTS];
    lode_joint coupling;
} machine;

static lode_articulation base_make(lode_world world, lode_body *out_root)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    lode_articulation a = lode_articulation_create(world, &def);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    *out_root = lode_articulation_add_link(a, &root);
    return a;
}

/* Where a part stands is what a joint to the world says that holds nothing. */
static lode_joint_term term_of(const machine *m, int i)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SIX_AXES);
    lode_pose frame = {vec(0, i, 0), {1, 0, 0, 0}};
    def.body_a = m->part[i];
    assert_int_equal(lode_joint_def_frame_world(&def, frame), LODE_OK);
    lode_joint joint = lode_joint_create(m->world, &def);
    assert_true(joint.id);
    return (lode_joint_term){joint, m->slides[i] ? 0 : 3, (lode_real)m->ratio[i]};
}

static machine machine_make_on(int threads, int kinds, bool two, test_random *random)
{
    machine m = {0};
    lode_body root[2];
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    def.threads = threads;
    m.world = lode_world_create(&def);
    for (int k = 0; k < 2; ++k)
        m.articulation[k] = base_make(m.world, &root[k]);
    for (int i = 0; i < PARTS; ++i) {
        m.slides[i] = kinds >> i & 1;
        m.inertia[i] = random_between(random, 0.5, 3);
        m.ratio[i] = random_between(random, 0.5, 2) * (random_below(random, 2) ? 1 : -1);
        m.effort[i] = random_between(random, -2, 2);
        lode_link_def link = lode_link_def_default(m.slides[i] ? LODE_LINK_PRISMATIC
                                                               : LODE_LINK_REVOLUTE_UNWRAPPED);
        lode_link_axis_index axis = m.slides[i] ? LODE_AXIS_X : LODE_AXIS_TWIST;
        link.parent = root[two && i % 2];
        link.parent_frame.position = vec(0, i, 0);
        m.part[i] = lode_articulation_add_link(m.articulation[two && i % 2], &link);
        lode_real x = (lode_real)m.inertia[i];
        lode_mass mass = {.mass = x, .inertia = {x, x, x}};
        assert_int_equal(lode_body_set_mass(m.part[i], &mass), LODE_OK);
        assert_int_equal(lode_link_set_joint_force(m.part[i], axis, (lode_real)m.effort[i]),
                         LODE_OK);
    }
    for (int k = 0; k < 2; ++k)
        assert_int_equal(lode_articulation_insert(m.articulation[k]), LODE_OK);
    for (int i = 0; i < PARTS; ++i)
        m.term[i] = term_of(&m, i);
    lode_coupling_def coupling = lode_coupling_def_default();
    coupling.terms = m.term;
    coupling.term_count = PARTS;
    assert_int_equal(lode_coupling_def_hold(&coupling), LODE_OK);
    m.coupling = lode_coupling_create(m.world, &coupling);
    assert_true(m.coupling.id);
    return m;
}

static machine machine_make(int kinds, bool two, test_random *random)
{
    return machine_make_on(1, kinds, two, random);
}

static lode_link_axis axis_of(const machine *m, int i)
{
    return lode_link_get_axis(m->part[i], m->slides[i] ? LODE_AXIS_X : LODE_AXIS_TWIST);
}

/* sum r q' = 0: q'' = (tau - r mu) / I, mu = sum(r tau / I) / sum(r^2 / I). */
static void couplings_accelerate_links_as_the_closed_form(void **state)
{
    (void)state;
    /* a differential of turns, racks and pinions, a pulley of slides; in one articulation or two */
    static const int kinds[] = {0, 5, 6, 15, 1};
    test_random random = {3};
    for (int round = 0; round < 30; ++round) {
        machine m = machine_make(kinds[round % 5], round % 2, &random);
        double up = 0, down = 0, sum = 0, rate = 0;
        for (int i = 0; i < PARTS; ++i) {
            up += m.ratio[i] * m.effort[i] / m.inertia[i];
            down += m.ratio[i] * m.ratio[i] / m.inertia[i];
        }
        const double h = 1.0 / 60;
        for (int s = 0; s < 30; ++s)
            assert_int_equal(lode_world_step(m.world, (lode_real)h), LODE_OK);
        for (int i = 0; i < PARTS; ++i) {
            double a = (m.effort[i] - m.ratio[i] * up / down) / m.inertia[i];
            lode_link_axis axis = axis_of(&m, i);
            assert_true(near((double)axis.velocity, a * 30 * h, 100 * tight));
            sum += m.ratio[i] * (double)axis.position;
            rate += m.ratio[i] * (double)axis.velocity;
        }
        assert_true(near(rate, 0, 10 * tight));
        assert_true(near(sum, 0, 1e-4)); /* the soft step holds it by a spring */
        /* what it bears is mu */
        assert_true(
            near((double)lode_joint_get_row_force(m.coupling, 0), -up / down, 1000 * tight));
        lode_world_destroy(m.world);
    }
}

/* A coupling holds its sum where it was, and a broken one lets go. */
static void a_gear_of_links_lets_go_when_it_is_disabled(void **state)
{
    (void)state;
    test_random random = {5};
    machine m = machine_make(0, false, &random);
    assert_int_equal(lode_joint_set_enabled(m.coupling, false), LODE_OK);
    for (int s = 0; s < 60; ++s)
        assert_int_equal(lode_world_step(m.world, (lode_real)(1.0 / 60)), LODE_OK);
    for (int i = 0; i < PARTS; ++i)
        assert_true(near((double)axis_of(&m, i).velocity, m.effort[i] / m.inertia[i], 100 * tight));
    lode_world_destroy(m.world);
}

/* Swept in one direction this flies apart, from 20 wheels that are as hard to turn as the shaft
 * on. */
static void many_wheels_on_one_shaft_turn_with_it(void **state)
{
    enum { WHEELS = 40 };
    static const double inertias[] = {0.1, 1, 5};
    (void)state;
    for (int round = 0; round < 3 * LODE_SOLVER_COUNT; ++round) {
        lode_world_def def = lode_world_def_default();
        lode_body part[WHEELS + 1], root;
        lode_joint place[WHEELS + 1];
        def.gravity = vec(0, 0, 0);
        def.solver = (lode_solver)(round / 3);
        lode_world world = lode_world_create(&def);
        lode_articulation a = base_make(world, &root);
        const double inertia = inertias[round % 3];
        for (int i = 0; i <= WHEELS; ++i) {
            lode_link_def link = lode_link_def_default(LODE_LINK_REVOLUTE_UNWRAPPED);
            link.parent = root;
            link.parent_frame.position.y = (lode_real)i;
            part[i] = lode_articulation_add_link(a, &link);
            lode_real x = i > 0 ? (lode_real)inertia : 1;
            lode_mass mass = {.mass = x, .inertia = {x, x, x}};
            assert_int_equal(lode_body_set_mass(part[i], &mass), LODE_OK);
        }
        assert_int_equal(
            lode_link_set_joint_force(part[0], LODE_AXIS_TWIST, (lode_real)(1 + WHEELS * inertia)),
            LODE_OK);
        assert_int_equal(lode_articulation_insert(a), LODE_OK);
        for (int i = 0; i <= WHEELS; ++i) {
            lode_joint_def joint = lode_joint_def_default(LODE_JOINT_SIX_AXES);
            lode_pose frame = {vec(0, (lode_real)i, 0), {1, 0, 0, 0}};
            joint.body_a = part[i];
            assert_int_equal(lode_joint_def_frame_world(&joint, frame), LODE_OK);
            place[i] = lode_joint_create(world, &joint);
            const lode_joint_term terms[2] = {{place[0], 3, 1}, {place[i], 3, -1}};
            lode_coupling_def gear = lode_coupling_def_default();
            gear.terms = terms;
            gear.term_count = 2;
            if (i > 0) {
                assert_int_equal(lode_coupling_def_hold(&gear), LODE_OK);
                assert_true(lode_coupling_create(world, &gear).id);
            }
        }
        for (int s = 0; s < 120; ++s)
            assert_int_equal(lode_world_step(world, (lode_real)(1.0 / 60)), LODE_OK);
        for (int i = 0; i <= WHEELS; ++i)
            assert_true(
                near((double)lode_link_get_axis(part[i], LODE_AXIS_TWIST).velocity, 2, 0.02));
        lode_world_destroy(world);
    }
}

/* ---- rows */

enum { ENDS = 5 };

typedef struct numbers {
    lode_vec3 linear[ENDS], angular[ENDS];
} numbers;

static void write_row(void *context, const lode_row_request *request, lode_row *out)
{
    const numbers *n = context;
    for (int i = 0; i < request->body_count; ++i) {
        out->linear[i] = n->linear[i];
        out->angular[i] = n->angular[i];
    }
}

static lode_vec3 some_vector(test_random *random)
{
    return vec((lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
               (lode_real)random_between(random, -1, 1));
}

static double power(lode_vec3 a, lode_vec3 b)
{
    return (double)(a.x * b.x + a.y * b.y + a.z * b.z);
}

/* J v of all bodies as they move. */
static double row_speed(const numbers *n, const lode_body *bodies)
{
    double sum = 0;
    for (int i = 0; i < ENDS; ++i)
        sum += power(n->linear[i], lode_body_get_linear_velocity(bodies[i])) +
               power(n->angular[i], lode_body_get_angular_velocity(bodies[i]));
    return sum;
}

/* J^T of the links of an arm, by its joints, and the bodies' part of J M^-1 J^T by dense
 * matrices. */
static double arm_response(const arm *a, const lode_body *bodies, const numbers *n,
                           double *out_push)
{
    lode_articulation_cache *cache = lode_articulation_cache_create(a->articulation);
    int columns, dofs = lode_articulation_count_dofs(a->articulation);
    double m[ARM_LINKS * ARM_LINKS], j[ARM_LINKS] = {0}, sum = 0;
    assert_int_equal(lode_articulation_prepare(a->articulation), LODE_OK);
    assert_int_equal(
        lode_articulation_compute_dense_jacobian(a->articulation, cache, NULL, &columns), LODE_OK);
    assert_int_equal(lode_articulation_compute_mass_matrix(a->articulation, cache), LODE_OK);
    for (int e = 0; e < ENDS; ++e) {
        if (lode_body_get_articulation(bodies[e]).id != a->articulation.id)
            continue;
        const lode_real *rows = cache->dense_jacobian +
                                6 * (lode_link_get_index(bodies[e]) - 1) * columns;
        const lode_real of[6] = {n->linear[e].x,  n->linear[e].y,  n->linear[e].z,
                                 n->angular[e].x, n->angular[e].y, n->angular[e].z};
        for (int r = 0; r < 6; ++r)
            for (int k = 0; k < dofs; ++k)
                j[k] += (double)of[r] * (double)rows[r * columns + k];
    }
    for (int i = 0; i < dofs * dofs; ++i)
        m[i] = (double)cache->mass_matrix[i];
    memcpy(out_push, j, sizeof j);
    for (int i = 0; i < dofs; ++i) /* positive definite: no pivots are exchanged */
        for (int k = i + 1; k < dofs; ++k) {
            double f = m[k * dofs + i] / m[i * dofs + i];
            for (int c = i; c < dofs; ++c)
                m[k * dofs + c] -= f * m[i * dofs + c];
            out_push[k] -= f * out_push[i];
        }
    for (int i = dofs; i-- > 0;) {
        for (int k = i + 1; k < dofs; ++k)
            out_push[i] -= m[i * dofs + k] * out_push[k];
        out_push[i] /= m[i * dofs + i];
        sum += j[i] * out_push[i];
    }
    lode_articulation_cache_destroy(cache);
    return sum;
}

/* One row over two links of one arm, two of another and a ball, all in motion: the impulse is
 * -J v / (J M^-1 J^T), and joints and ball have what that makes of them, in a step so short that
 * nothing else does. */
static void rows_over_links_and_bodies_push_as_dense_algebra(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 30; ++round) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, 0);
        def.sub_steps = 1;
        def.solver = (lode_solver)(round % LODE_SOLVER_COUNT);
        def.iterations = 50;
        lode_world world = lode_world_create(&def);
        arm arms[2];
        numbers n;
        for (int k = 0; k < 2; ++k) {
            arms[k] = arm_make_in(world, LODE_LINK_REVOLUTE_UNWRAPPED, 5, true);
            for (int i = 1; i < 5; ++i) {
                lode_link_set_cfm_scale(arms[k].link[i], 0); /* or it takes more sweeps */
                lode_link_set_position(arms[k].link[i], LODE_AXIS_TWIST,
                                       (lode_real)random_between(&random, -1, 1));
                lode_link_set_velocity(arms[k].link[i], LODE_AXIS_TWIST,
                                       (lode_real)random_between(&random, -1, 1));
            }
            arm_insert(&arms[k]);
        }
        lode_body ball = add_ball(world, 50, 0, 0, 1);
        lode_body_set_linear_velocity(ball, some_vector(&random));
        const lode_body bodies[ENDS] = {arms[0].link[4], ball, arms[1].link[2], arms[0].link[2],
                                        arms[1].link[3]};
        for (int e = 0; e < ENDS; ++e) {
            n.linear[e] = some_vector(&random);
            n.angular[e] = some_vector(&random);
        }
        lode_rows_def rows = lode_rows_def_default();
        rows.bodies = bodies;
        rows.body_count = ENDS;
        rows.cfm = 0;
        const lode_row_writer writer = {write_row, &n};
        assert_int_equal(lode_world_set_row_writer(world, &writer), LODE_OK);
        assert_true(lode_rows_create(world, &rows).id);

        lode_mass mass = lode_body_get_mass(ball);
        double push[2][ARM_LINKS];
        double k = power(n.linear[1], n.linear[1]) / (double)mass.mass +
                   power(n.angular[1], n.angular[1]) / (double)mass.inertia[0];
        k += arm_response(&arms[0], bodies, &n, push[0]);
        k += arm_response(&arms[1], bodies, &n, push[1]);
        double lambda = -row_speed(&n, bodies) / k, before[2][ARM_LINKS];
        for (int a = 0; a < 2; ++a)
            for (int i = 1; i < 5; ++i)
                before[a][i] = arm_speed(&arms[a], i);
        lode_vec3 v = lode_body_get_linear_velocity(ball);
        assert_int_equal(lode_world_step(world, (lode_real)1e-5), LODE_OK);
        for (int a = 0; a < 2; ++a)
            for (int i = 1; i < 5; ++i)
                assert_true(
                    near(arm_speed(&arms[a], i), before[a][i] + lambda * push[a][i - 1], 2e-3));
        lode_vec3 now = lode_body_get_linear_velocity(ball);
        assert_true(
            near((double)now.x, (double)v.x + lambda * (double)(n.linear[1].x / mass.mass), 2e-3));
        assert_true(fabs(row_speed(&n, bodies)) < 2e-3);
        lode_world_destroy(world);
    }
}

/* ---- the same bits */

static uint64_t run(int threads, bool restore)
{
    static char bytes[1 << 20];
    test_random random = {9};
    machine m = machine_make_on(threads, 5, true, &random);
    for (int s = 0; s < 40; ++s) {
        assert_int_equal(lode_world_step(m.world, (lode_real)(1.0 / 60)), LODE_OK);
        if (s != 20 || !restore)
            continue;
        size_t size = lode_world_snapshot(m.world, bytes, sizeof bytes);
        for (int more = 0; more < 5; ++more)
            lode_world_step(m.world, (lode_real)(1.0 / 60));
        assert_int_equal(lode_world_restore(m.world, bytes, size), LODE_OK);
    }
    uint64_t hash = lode_world_hash(m.world);
    lode_world_destroy(m.world);
    return hash;
}

static void threads_and_snapshots_leave_no_trace(void **state)
{
    (void)state;
    uint64_t hash = run(1, false);
    assert_true(run(3, false) == hash);
    assert_true(run(1, true) == hash);
}

/* Links that are out of the simulation hold still for the others, and a coupling of none of those
 * in it rests. */
static void links_outside_the_simulation_stand(void **state)
{
    (void)state;
    test_random random = {11};
    machine m = machine_make(0, true, &random);
    assert_int_equal(lode_articulation_remove(m.articulation[1]), LODE_OK);
    for (int s = 0; s < 10; ++s)
        assert_int_equal(lode_world_step(m.world, (lode_real)(1.0 / 60)), LODE_OK);
    double rate = m.ratio[0] * (double)axis_of(&m, 0).velocity +
                  m.ratio[2] * (double)axis_of(&m, 2).velocity;
    assert_true(near(rate, 0, 10 * tight));
    assert_true(fabs((double)axis_of(&m, 0).velocity) > 1e-3);
    assert_int_equal(lode_articulation_remove(m.articulation[0]), LODE_OK);
    for (int s = 0; s < 10; ++s)
        assert_int_equal(lode_world_step(m.world, (lode_real)(1.0 / 60)), LODE_OK);
    assert_int_equal(lode_articulation_insert(m.articulation[1]), LODE_OK);
    assert_int_equal(lode_world_step(m.world, (lode_real)(1.0 / 60)), LODE_OK);
    assert_int_equal(lode_articulation_destroy(m.articulation[1]), LODE_OK);
    assert_false(lode_joint_is_valid(m.coupling));
    lode_world_destroy(m.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(couplings_accelerate_links_as_the_closed_form),
        cmocka_unit_test(a_gear_of_links_lets_go_when_it_is_disabled),
        cmocka_unit_test(many_wheels_on_one_shaft_turn_with_it),
        cmocka_unit_test(rows_over_links_and_bodies_push_as_dense_algebra),
        cmocka_unit_test(threads_and_snapshots_leave_no_trace),
        cmocka_unit_test(links_outside_the_simulation_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
