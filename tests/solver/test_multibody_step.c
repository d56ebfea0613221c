/* test_multibody_step.c: a step of an articulation that only forces and efforts act on: right to
 * the second order, energy kept over a minute of a chain's wild swing and of a tumble, momentum
 * kept, nothing put on joints that are none of theirs. And plain steps of what whips, put right:
 * the same of energy and momentum. */
#include "solver/articulation/dynamics.h"
#include "tests/solver/random_tree.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
static const double rounding = 1e-13, chain_bound = 1e-10, tumble_bound = 1e-5;
#else
static const double rounding = 1e-5, chain_bound = 5e-3, tumble_bound = 5e-3;
#endif

static const lode_real g = (lode_real)9.81;
static const lode__mb_kernels *const k = &lode__mb_kernels_one;
static random_tree o;

static void prepare(void)
{
    lode__mb_find_axes(&o.tree);
    k->place(&o.tree);
    k->speed(&o.tree);
    k->factor(&o.tree);
}

/* Ten rods of 10 cm and 1 kg, level, on hinges along y, or balls. */
static void make_chain(uint8_t axes)
{
    enum { RODS = 10 };
    static const lode_real length = (lode_real)0.1;
    lode__mb_joint joints[RODS + 1] = {{LODE__MB_NO_PARENT, 0, false}};
    for (uint32_t i = 1; i <= RODS; ++i)
        joints[i] = (lode__mb_joint){i - 1, axes, false};
    memset(&o, 0, sizeof o);
    o.tree = (lode__multibody){lode__mb_plan_make(o.plan, joints, RODS + 1, true), o.links, o.dofs};
    for (uint32_t i = 0; i <= RODS; ++i) {
        lode__mb_link *l = &o.links[i];
        l->mass[0] = 1;
        l->inertia[0] = (lode_real)1e-5;
        l->inertia[1] = l->inertia[2] = length * length / 12;
        l->anchor_p[0] = i > 1 ? length / 2 : 0;
        l->anchor_c[0] = -length / 2;
        l->frame_p[0] = l->frame_c[0] = l->turn[0] = 1;
        l->force[2] = -g;
    }
    prepare();
}

static double kinetic(void)
{
    double sum = 0;
    for (uint32_t i = o.tree.plan->root_dofs > 0 ? 0 : 1; i < o.tree.plan->link_count; ++i) {
        const lode__mb_link *l = &o.links[i];
        lode_vec3 v = mb_v3(l->v), w = mb_v3(l->w);
        sum += (double)(l->mass[0] * v3_dot(v, v) + v3_dot(w, s3_mul(l->moment, w))) / 2;
    }
    return sum;
}

static double chain_energy(void)
{
    double sum = kinetic();
    for (uint32_t i = 1; i < o.tree.plan->link_count; ++i)
        sum += (double)(o.links[i].mass[0] * g * o.links[i].center[2]);
    return sum;
}

/* Velocities first, then poses by them; put right after it, or not. */
static bool plain_step(double h, bool settles)
{
    static lode__mb_kept kept;
    bool whips = settles && k->note(&o.tree, &kept, (lode_real)h);
    k->accelerate(&o.tree, 1);
    k->middle(&o.tree, (lode_real)h);
    k->hurry(&o.tree, (lode_real)h);
    k->speed(&o.tree);
    k->move(&o.tree, (lode_real)h);
    prepare();
    if (whips && k->settle(&o.tree, &kept, (lode_real)h))
        k->place(&o.tree);
    k->speed(&o.tree);
    return whips;
}

/* The most that energy strays in a minute, by the range of its potential: level to hanging. */
static double chain_strays(bool plain)
{
    double at_first = chain_energy(), range = 0, most = 0;
    for (uint32_t i = 1; i < o.tree.plan->link_count; ++i)
        range += (double)(o.links[i].mass[0] * g * o.links[i].center[0]);
    for (int i = 0; i < 60000; ++i) {
        if (plain) {
            k->accelerate(&o.tree, 1);
            k->hurry(&o.tree, (lode_real)1e-3);
            k->speed(&o.tree);
            k->move(&o.tree, (lode_real)1e-3);
            prepare();
        } else
            k->step(&o.tree, (lode_real)1e-3, 1);
        most = fmax(most, fabs(chain_energy() - at_first) / range);
    }
    return most;
}

static void a_chain_keeps_its_energy(void **state)
{
    (void)state;
    make_chain(1u << 1);
    assert_true(chain_strays(false) < chain_bound);
    make_chain(7);
    assert_true(chain_strays(false) < chain_bound);
    make_chain(1u << 1); /* without the second order and what puts energy right it goes */
    assert_true(chain_strays(true) > 0.1);
}

/* By the same range, of the pose half a step before, of which the speeds are. */
static void a_chain_that_whips_gains_nothing(void **state)
{
    (void)state;
    for (int balls = 0; balls < 2; ++balls)
        for (int settles = 0; settles < 2; ++settles) {
            double h = 1.0 / 240, most = 0, range = 0;
            make_chain(balls ? 7 : 1u << 1);
            double at_first = chain_energy();
            for (uint32_t i = 1; i < o.tree.plan->link_count; ++i)
                range += (double)(o.links[i].mass[0] * g * o.links[i].center[0]);
            for (int i = 0; i < 14400 && most < 10; ++i) {
                plain_step(h, settles);
                double early = 0;
                for (uint32_t j = 1; j < o.tree.plan->link_count; ++j)
                    early -= h / 2 * (double)(o.links[j].mass[0] * g * o.links[j].v[2]);
                most = fmax(most, (chain_energy() + early - at_first) / range);
            }
            assert_true(settles ? most < 0.05 : most > 1);
        }
}

/* A mass on a slide and a spring that the application makes of where it is, one radian a step. */
static double spring_swings(bool kicked)
{
    static const lode__mb_joint joints[2] = {{LODE__MB_NO_PARENT, 0, false}, {0, 1u << 3, false}};
    static _Alignas(16) char scratch[4096];
    memset(&o, 0, sizeof o);
    o.tree = (lode__multibody){lode__mb_plan_make(o.plan, joints, 2, true), o.links, o.dofs};
    assert_true(lode__mb_scratch_size(o.tree.plan) <= sizeof scratch);
    lode__mb_link *l = &o.links[1];
    l->mass[0] = l->inertia[0] = l->inertia[1] = l->inertia[2] = 1;
    l->frame_p[0] = l->frame_c[0] = l->turn[0] = o.links[0].turn[0] = 1;
    l->slide[0] = 1;
    prepare();
    double most = 0;
    for (int i = 0; i < 1000 && most < 1e6; ++i) {
        lode_real effort[1] = {-l->slide[0] * 100};
        o.dofs[0].effort[0] = kicked ? 0 : effort[0];
        if (kicked)
            lode__mb_kick(&o.tree, NULL, effort, (lode_real)0.1, scratch);
        k->step(&o.tree, (lode_real)0.1, 1);
        most = fmax(most, fabs((double)l->slide[0]));
    }
    return most;
}

static void a_spring_is_stable_by_kicks(void **state)
{
    (void)state;
    assert_true(spring_swings(true) < 2);
    assert_true(spring_swings(false) > 1e5);
}

/* ---- free */

static void no_forces(void)
{
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i) {
        mb_put3(o.links[i].force, v3_zero());
        mb_put3(o.links[i].torque, v3_zero());
    }
    for (uint32_t d = 0; d < o.tree.plan->dof_count; ++d)
        o.dofs[d].effort[0] = o.dofs[d].more[0] = 0;
}

/* Of all, linear and angular, about the point that the root began at. */
static void momentum(lode_vec3 *out_p, lode_vec3 *out_l)
{
    *out_p = *out_l = v3_zero();
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i) {
        const lode__mb_link *l = &o.links[i];
        lode_vec3 p = v3_scale(mb_v3(l->v), l->mass[0]);
        lode_vec3 at = v3_add(mb_v3(o.links[0].slide), mb_v3(l->center));
        *out_p = v3_add(*out_p, p);
        *out_l = v3_add(*out_l, v3_add(v3_cross(at, p), s3_mul(l->moment, mb_v3(l->w))));
    }
}

static void what_is_free_keeps_momentum_and_energy(void **state)
{
    (void)state;
    test_random random = {3};
    for (uint32_t round = 0; round < 40; round += 2) {
        random_tree_make(&o, 1 + random_below(&random, 6), false, round, &random);
        no_forces();
        prepare();
        lode_vec3 p[2], l[2];
        double energy = kinetic(), size;
        momentum(&p[0], &l[0]);
        for (int i = 0; i < 3000; ++i)
            k->step(&o.tree, (lode_real)1e-3, 1);
        momentum(&p[1], &l[1]);
        size = 1 + (double)(v3_length(p[0]) + v3_length(l[0])) + energy;
        assert_true((double)v3_length(v3_sub(p[1], p[0])) < 10 * rounding * size);
        assert_true((double)v3_length(v3_sub(l[1], l[0])) < 100 * rounding * size);
        assert_true(fabs(kinetic() - energy) < tumble_bound * energy);
    }
}

/* Angular momentum about the centre of mass. */
static lode_vec3 spin_of_all(void)
{
    lode_vec3 p, l, center = v3_zero();
    lode_real mass = 0;
    momentum(&p, &l);
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i) {
        lode_vec3 at = v3_add(mb_v3(o.links[0].slide), mb_v3(o.links[i].center));
        center = v3_madd(center, at, o.links[i].mass[0]);
        mass += o.links[i].mass[0];
    }
    return v3_sub(l, v3_cross(v3_scale(center, 1 / mass), p));
}

/* Where some link turns far in all steps. */
static void what_whips_freely_keeps_momentum_and_energy(void **state)
{
    (void)state;
    test_random random = {7};
    int whipped = 0;
    for (uint32_t round = 0; round < 80; round += 2) {
        random_tree_make(&o, 2 + random_below(&random, 5), false, round, &random);
        no_forces();
        prepare();
        lode_vec3 p[2], l, spin = spin_of_all();
        double energy = kinetic(), size;
        bool whips = true;
        momentum(&p[0], &l);
        for (int i = 0; i < 1000 && whips; ++i)
            whips = plain_step(0.05, true);
        if (!whips)
            continue;
        momentum(&p[1], &l);
        size = 1 + (double)(v3_length(p[0]) + v3_length(spin)) + energy;
        assert_true((double)v3_length(v3_sub(p[1], p[0])) < 100 * rounding * size);
        assert_true((double)v3_length(v3_sub(spin_of_all(), spin)) < 5000 * rounding * size);
        assert_true(fabs(kinetic() - energy) < 0.2 * energy);
        ++whipped;
    }
    assert_true(whipped > 30);
}

/* Two tops on one axis, which tumble as one: their joint keeps its speed, whatever energy the step
 * makes of the tumble. */
static void a_joint_does_not_pay_for_the_whole(void **state)
{
    (void)state;
    static const lode__mb_joint joints[2] = {{LODE__MB_NO_PARENT, 0, false}, {0, 1u << 2, false}};
    static const lode_real speeds[] = {0, (lode_real)1e-3, 1};
    for (size_t s = 0; s < sizeof speeds / sizeof *speeds; ++s) {
        memset(&o, 0, sizeof o);
        o.tree = (lode__multibody){lode__mb_plan_make(o.plan, joints, 2, false), o.links, o.dofs};
        for (int i = 0; i < 2; ++i) {
            lode__mb_link *l = &o.links[i];
            l->mass[0] = 1;
            l->inertia[0] = l->inertia[1] = (lode_real)0.1, l->inertia[2] = (lode_real)0.16;
            l->turn[0] = l->frame_p[0] = l->frame_c[0] = 1;
        }
        o.dofs[3].speed[0] = 3, o.dofs[5].speed[0] = 8;
        o.dofs[6].speed[0] = speeds[s];
        prepare();
        double energy = kinetic();
        for (int i = 0; i < 60000; ++i)
            k->step(&o.tree, (lode_real)1e-3, 1);
        assert_true(fabs((double)(o.dofs[6].speed[0] - speeds[s])) < 10 * rounding);
        assert_true(fabs(kinetic() / energy - 1) < 1e-4);
    }
}

/* The centre of mass of whatever it is flies as a point does. */
static void what_falls_falls_as_a_point(void **state)
{
    (void)state;
    test_random random = {5};
    for (uint32_t round = 0; round < 20; round += 2) {
        random_tree_make(&o, 1 + random_below(&random, 6), false, round, &random);
        no_forces();
        lode_real mass = 0;
        for (uint32_t i = 0; i < o.tree.plan->link_count; ++i) {
            o.links[i].force[2] = -g * o.links[i].mass[0];
            mass += o.links[i].mass[0];
        }
        prepare();
        lode_vec3 p[2], l;
        momentum(&p[0], &l);
        for (int i = 0; i < 1000; ++i)
            k->step(&o.tree, (lode_real)1e-3, 1);
        momentum(&p[1], &l);
        lode_vec3 wanted = v3_add(p[0], v3(0, 0, -g * mass));
        double size = 1 + (double)v3_length(p[0]) + (double)(g * mass);
        assert_true((double)v3_length(v3_sub(p[1], wanted)) < 10 * rounding * size);
    }
}

/* ---- order */

#ifdef LODE_DOUBLE

static void go(uint32_t shape, uint64_t seed, int steps, lode_vec3 *out)
{
    test_random random = {seed};
    random_tree_make(&o, 1 + shape % 6, shape % 2, shape, &random);
    for (uint32_t d = 0; d < o.tree.plan->root_dofs; ++d)
        o.dofs[d].more[0] = 0;
    prepare();
    for (int i = 0; i < steps; ++i)
        k->step(&o.tree, 0.2 / steps, 1);
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i)
        out[i] = v3_add(mb_v3(o.links[0].slide), mb_v3(o.links[i].center));
}

/* By semi-implicit Euler, extrapolated from two steps to none. */
static void go_plainly(uint32_t shape, uint64_t seed, int steps, lode_vec3 *out)
{
    go(shape, seed, 0, out);
    for (int i = 0; i < steps; ++i) {
        k->accelerate(&o.tree, 1);
        k->hurry(&o.tree, 0.2 / steps);
        k->speed(&o.tree);
        k->move(&o.tree, 0.2 / steps);
        prepare();
    }
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i)
        out[i] = v3_add(mb_v3(o.links[0].slide), mb_v3(o.links[i].center));
}

static double apart(const lode_vec3 *a, const lode_vec3 *b)
{
    double most = 0;
    for (uint32_t i = 0; i < o.tree.plan->link_count; ++i)
        most = fmax(most, v3_length(v3_sub(a[i], b[i])));
    return most;
}

static bool has_two_turns(void)
{
    for (uint32_t i = 1; i < o.tree.plan->link_count; ++i)
        if (o.tree.plan->angles[i] == 2)
            return true;
    return false;
}

/* Half the step, a quarter of the error, and the way that another method goes in the end. */
static void it_is_of_second_order(void **state)
{
    (void)state;
    int seen = 0;
    for (uint32_t shape = 0; shape < 40; ++shape) {
        static lode_vec3 at[4][MOST_LINKS], plain[2][MOST_LINKS];
        go(shape, 7, 100, at[0]);
        seen += has_two_turns();
        go(shape, 7, 200, at[1]);
        go(shape, 7, 400, at[2]);
        go(shape, 7, 6400, at[3]);
        double coarse = apart(at[0], at[3]), finer = apart(at[1], at[3]),
               fine = apart(at[2], at[3]);
        assert_true(coarse < 0.05);
        assert_true(fine < 1e-9 || (finer < coarse / 3 && fine < finer / 3));
        go_plainly(shape, 7, 3200, plain[0]);
        go_plainly(shape, 7, 6400, plain[1]);
        for (uint32_t i = 0; i < o.tree.plan->link_count; ++i)
            plain[0][i] = v3_sub(v3_scale(plain[1][i], 2), plain[0][i]);
        assert_true(apart(plain[0], at[3]) < 1e-6);
    }
    assert_true(seen > 15);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_keeps_its_energy),
        cmocka_unit_test(a_chain_that_whips_gains_nothing),
        cmocka_unit_test(a_spring_is_stable_by_kicks),
        cmocka_unit_test(what_is_free_keeps_momentum_and_energy),
        cmocka_unit_test(what_whips_freely_keeps_momentum_and_energy),
        cmocka_unit_test(a_joint_does_not_pay_for_the_whole),
        cmocka_unit_test(what_falls_falls_as_a_point),
#ifdef LODE_DOUBLE
        cmocka_unit_test(it_is_of_second_order),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
