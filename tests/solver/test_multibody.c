/* test_multibody.c: the dynamics of articulations against what they must be: d'Alembert's principle
 * dof by dof, accelerations as differences of velocities along the way that is really gone,
 * velocities as those of that way, the symmetry of responses and the change of energy; and eight at
 * a time as one by one, bit by bit. */
#include "core/math.h"
#include "lode/setup.h"
#include "solver/articulation/coordinates.h"
#include "solver/kernels.h"
#include "tests/solver/random_tree.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

#ifdef LODE_DOUBLE
static const double tight = 1e-11, h = 1e-6, differs = 2e-4;
#else
static const double tight = 2e-4, h = 1e-3, differs = 0.1;
#endif

static void run(const lode__multibody *tree)
{
    const lode__mb_kernels *k = &lode__mb_kernels_one;
    k->place(tree);
    k->speed(tree);
    k->factor(tree);
    k->accelerate(tree, 1);
}

static void efforts_are_what_links_lack(void **state)
{
    (void)state;
    test_random random = {7};
    static random_tree o;
    for (uint32_t round = 0; round < 400; ++round) {
        random_tree_make(&o, 1 + random_below(&random, 12), round % 2, round, &random);
        run(&o.tree);
        lode_real lack[MOST_DOFS] = {0};
        for (uint32_t i = o.tree.plan->root_dofs ? 0 : 1; i < o.tree.plan->link_count; ++i) {
            const lode__mb_link *l = &o.links[i];
            lode_vec3 w = mb_v3(l->w), spin = s3_mul(l->moment, w);
            lode_vec3 f = v3_madd(v3_neg(mb_v3(l->force)), mb_v3(l->a), l->mass[0]);
            lode_vec3 n = v3_add(s3_mul(l->moment, mb_v3(l->alpha)), v3_cross(w, spin));
            lode__mb_add_jacobian(&o.tree, i, f, v3_sub(n, mb_v3(l->torque)), lack);
        }
        for (uint32_t k = 0; k < o.tree.plan->dof_count; ++k) {
            const lode__mb_dof *d = &o.dofs[k];
            double wanted = (double)d->effort[0] - (double)d->more[0] * (double)d->change[0];
            assert_true(fabs((double)lack[k] - wanted) < tight * (1 + fabs((double)d->change[0])));
        }
    }
}

/* A step there by the velocity in the middle, which is right to the second order. */
static void accelerations_are_changes_of_velocity(void **state)
{
    (void)state;
    test_random random = {11};
    const lode__mb_kernels *k = &lode__mb_kernels_one;
    static random_tree o, before;
    for (uint32_t round = 0; round < 100; ++round) {
        random_tree_make(&o, 1 + random_below(&random, 6), round % 2, round, &random);
        run(&o.tree);
        before = o;
        k->hurry(&o.tree, (lode_real)(h / 2));
        k->speed(&o.tree);
        k->move(&o.tree, (lode_real)h);
        k->hurry(&o.tree, (lode_real)(h / 2));
        k->place(&o.tree);
        k->speed(&o.tree);
        for (uint32_t i = 0; i < o.tree.plan->link_count; ++i)
            for (int c = 0; c < 3; ++c) {
                const lode__mb_link *l = &before.links[i], *m = &o.links[i];
                double a = (double)(m->v[c] - l->v[c]) / h, alpha = (double)(m->w[c] - l->w[c]) / h;
                double most = differs * (1 + 10 * fabs((double)l->a[c]) + 10 * fabs(a));
                assert_true(fabs(a - (double)l->a[c]) < most);
                assert_true(fabs(alpha - (double)l->alpha[c]) < most);
            }
    }
}

/* Half a step back and half a step on: by the velocity in the middle, to the second order; from
 * another turn of each joint than it was made with. */
static void poses_change_by_velocities(void **state)
{
    (void)state;
    test_random random = {12};
    const lode__mb_kernels *k = &lode__mb_kernels_one;
    static random_tree o, back;
    for (uint32_t round = 0; round < 200; ++round) {
        random_tree_make(&o, 2 + random_below(&random, 6), round % 2, round, &random);
        k->move(&o.tree, (lode_real)0.1);
        run(&o.tree);
        back = o;
        back.tree.links = back.links, back.tree.dofs = back.dofs;
        k->move(&back.tree, (lode_real)(-h / 2));
        k->place(&back.tree);
        random_tree there = o;
        there.tree.links = there.links, there.tree.dofs = there.dofs;
        k->move(&there.tree, (lode_real)(h / 2));
        k->place(&there.tree);
        for (uint32_t i = 1; i < o.tree.plan->link_count; ++i) {
            lode_vec3 root = mb_v3(o.links[0].v), v = v3_sub(mb_v3(o.links[i].v), root);
            lode_vec3 way = v3_sub(mb_v3(there.links[i].center), mb_v3(back.links[i].center));
            lode_vec3 w = mb_v3(o.links[i].w);
            lode_quat turn = q_mul(mb_q(there.links[i].rotation),
                                   q_conj(mb_q(back.links[i].rotation)));
            lode_vec3 by = lode__vector_of_turn(turn);
            double most = differs * h * (1 + (double)(v3_length(v) + v3_length(w)));
            assert_true((double)v3_length(v3_sub(way, v3_scale(v, (lode_real)h))) < most);
            assert_true((double)v3_length(v3_sub(by, v3_scale(w, (lode_real)h))) < most);
        }
    }
}

static void responses_are_symmetric(void **state)
{
    (void)state;
    test_random random = {13};
    static random_tree o;
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real jacobian[2][MOST_DOFS], response[2][MOST_DOFS];
        random_tree_make(&o, 1 + random_below(&random, 20), round % 2, round, &random);
        run(&o.tree);
        for (int side = 0; side < 2; ++side) {
            lode_real f[3], n[3];
            random_tree_numbers(&random, f, 3, 1);
            random_tree_numbers(&random, n, 3, 1);
            lode__mb_respond(&o.tree, random_below(&random, o.tree.plan->link_count), mb_v3(f),
                             mb_v3(n), jacobian[side], response[side]);
        }
        double there = 0, back = 0, size = 0;
        for (uint32_t k = 0; k < o.tree.plan->dof_count; ++k) {
            there += (double)jacobian[0][k] * (double)response[1][k];
            back += (double)jacobian[1][k] * (double)response[0][k];
            size += fabs((double)jacobian[0][k] * (double)response[1][k]);
        }
        assert_true(fabs(there - back) <= tight * (size + 1e-3));
    }
}

/* What kinetic energy changes by is what efforts and forces do. */
static void work_becomes_energy(void **state)
{
    (void)state;
    test_random random = {17};
    static random_tree o;
    for (uint32_t round = 0; round < 200; ++round) {
        random_tree_make(&o, 1 + random_below(&random, 10), round % 2, round, &random);
        run(&o.tree);
        double power = 0, change = 0, size = 1;
        for (uint32_t k = 0; k < o.tree.plan->dof_count; ++k) {
            const lode__mb_dof *d = &o.dofs[k];
            power += (double)d->speed[0] * (double)(d->effort[0] - d->more[0] * d->change[0]);
        }
        for (uint32_t i = o.tree.plan->root_dofs ? 0 : 1; i < o.tree.plan->link_count; ++i) {
            const lode__mb_link *l = &o.links[i];
            lode_vec3 v = mb_v3(l->v), w = mb_v3(l->w);
            lode_vec3 spin = s3_mul(l->moment, mb_v3(l->alpha));
            double by_a = (double)(l->mass[0] * v3_dot(v, mb_v3(l->a)));
            power += (double)(v3_dot(v, mb_v3(l->force)) + v3_dot(w, mb_v3(l->torque)));
            change += by_a + (double)v3_dot(w, spin);
            size += fabs(by_a);
        }
        assert_true(fabs(power - change) < tight * 10 * size);
    }
}

/* ---- lanes */

/* Where one alone has a field's number: symmetric matrices that nobody else reads have room between
 * their rows, as others have. */
static int place_of(const char *name, int count, int i)
{
    bool rows = count == 9 || strcmp(name, "aa") == 0 || strcmp(name, "bb") == 0;
    return rows ? i / 3 * 4 + i % 3 : i;
}

static void copy_field(lode__lane *lanes, lode_real *numbers, const char *name, int count, int lane,
                       bool there)
{
    for (int i = 0; i < count; ++i)
        if (there)
            lanes[i].x[lane] = numbers[place_of(name, count, i)];
        else
            numbers[place_of(name, count, i)] = lanes[i].x[lane];
}

#define COPY_FIELD(name, count) copy_field(to->name, from->name, #name, count, lane, there);

static void copy_tree(const lode__multibody_lanes *lanes, random_tree *o, int lane, bool there)
{
    for (uint32_t i = 0; i < o->tree.plan->link_count; ++i) {
        lode__mb_link_lanes *to = &lanes->links[i];
        lode__mb_link *from = &o->links[i];
        LODE__MB_LINK_FIELDS(COPY_FIELD)
    }
    for (uint32_t k = 0; k < o->tree.plan->dof_count; ++k) {
        lode__mb_dof_lanes *to = &lanes->dofs[k];
        lode__mb_dof *from = &o->dofs[k];
        LODE__MB_DOF_FIELDS(COPY_FIELD)
    }
}

#define EXPECT_SAME(name, count) expect_same(a->name, b->name, #name, count);

static void expect_same(const lode_real *a, const lode_real *b, const char *name, int count)
{
    for (int i = 0; i < count; ++i) {
        int at = place_of(name, count, i);
        assert_memory_equal(&a[at], &b[at], sizeof *a);
    }
}

static void expect_same_trees(const random_tree *one, const random_tree *other)
{
    for (uint32_t i = 0; i < one->tree.plan->link_count; ++i) {
        const lode__mb_link *a = &one->links[i], *b = &other->links[i];
        LODE__MB_LINK_FIELDS(EXPECT_SAME)
    }
    for (uint32_t k = 0; k < one->tree.plan->dof_count; ++k) {
        const lode__mb_dof *a = &one->dofs[k], *b = &other->dofs[k];
        LODE__MB_DOF_FIELDS(EXPECT_SAME)
    }
}

/* One in which links turn far. */
static void whip(const lode__mb_kernels *k, const void *tree)
{
    static lode__mb_kept_lanes kept; /* no less than those of one */
    const lode__mb_kernels *by = k->note ? k : &lode__mb_kernels_one;
    bool whips = by->note(tree, &kept, (lode_real)0.1);
    k->accelerate(tree, 1);
    k->middle(tree, (lode_real)0.1);
    k->hurry(tree, (lode_real)0.1);
    k->advance(tree, (lode_real)0.1);
    k->place(tree);
    k->speed(tree);
    if (whips && by->settle(tree, &kept, (lode_real)0.1))
        k->place(tree);
    k->speed(tree);
    k->factor(tree);
    k->accelerate(tree, 1); /* what rounds of the middle leave is no result */
}

static void step(const lode__mb_kernels *k, const void *tree)
{
    for (int i = 0; i < 3; ++i) {
        k->place(tree);
        k->speed(tree);
        k->factor(tree);
        k->accelerate(tree, (lode_real)0.5);
        if (i > 0)
            k->middle(tree, (lode_real)0.01);
        k->hurry(tree, (lode_real)0.01);
        k->speed(tree);
        (i < 1 ? k->move : k->advance)(tree, (lode_real)0.01);
    }
    k->place(tree);
    k->speed(tree);
    k->factor(tree);
    lode__mb_step_fn *by = k->step ? k->step : lode__mb_kernels_one.step;
    by(tree, (lode_real)0.01, 1);
    by(tree, (lode_real)0.01, (lode_real)0.5);
    whip(k, tree);
    k->move(tree, (lode_real)0.01);
    k->pose(tree);
    k->speed(tree);
}

static void eight_are_as_one_by_one(void **state)
{
    (void)state;
    static lode__mb_link_lanes links[MOST_LINKS];
    static lode__mb_dof_lanes dofs[MOST_DOFS];
    static random_tree each[LANES], out;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        if (!lode_simd_available((lode_simd)simd))
            continue;
        const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
        test_random random = {19};
        for (uint32_t round = 0; kernels && round < 40; ++round) {
            uint32_t count = 1 + random_below(&random, MOST_LINKS);
            memset(links, 0, sizeof links);
            memset(dofs, 0, sizeof dofs);
            for (int lane = 0; lane < LANES; ++lane)
                random_tree_make(&each[lane], count, round % 2, round, &random);
            lode__multibody_lanes lanes = {each[0].tree.plan, links, dofs};
            for (int lane = 0; lane < LANES; ++lane)
                copy_tree(&lanes, &each[lane], lane, true);
            step(kernels->multibody, &lanes);
            for (int lane = 0; lane < LANES; ++lane) {
                step(&lode__mb_kernels_one, &each[lane].tree);
                out = each[lane];
                copy_tree(&lanes, &out, lane, false);
                expect_same_trees(&out, &each[lane]);
            }
        }
    }
}

/* With vectors that fill a register, too. */
static void one_is_as_by_plain_numbers(void **state)
{
    (void)state;
    static random_tree plain, other;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        if (!lode_simd_available((lode_simd)simd))
            continue;
        const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
        test_random random = {37};
        for (uint32_t round = 0; kernels && round < 100; ++round) {
            uint32_t count = 1 + random_below(&random, MOST_LINKS);
            random_tree_make(&plain, count, round % 2, round, &random);
            other = plain;
            other.tree = (lode__multibody){plain.tree.plan, other.links, other.dofs};
            step(&lode__mb_kernels_one, &plain.tree);
            step(*kernels->tree ? *kernels->tree : &lode__mb_kernels_one, &other.tree);
            expect_same_trees(&plain, &other);
        }
    }
}

static void plans_are_equal_where_trees_are_alike(void **state)
{
    (void)state;
    test_random random = {23};
    static random_tree a, b;
    for (uint32_t round = 0; round < 100; ++round) {
        random_tree_make(&a, 8, round % 2, round, &random);
        random_tree_make(&b, 8, round % 2, round, &random);
        assert_true(lode__mb_plans_equal(a.tree.plan, b.tree.plan));
        random_tree_make(&b, 8, !(round % 2), round, &random);
        assert_false(lode__mb_plans_equal(a.tree.plan, b.tree.plan));
        random_tree_make(&b, 9, round % 2, round, &random);
        assert_false(lode__mb_plans_equal(a.tree.plan, b.tree.plan));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(efforts_are_what_links_lack),
        cmocka_unit_test(accelerations_are_changes_of_velocity),
        cmocka_unit_test(poses_change_by_velocities),
        cmocka_unit_test(responses_are_symmetric),
        cmocka_unit_test(work_becomes_energy),
        cmocka_unit_test(eight_are_as_one_by_one),
        cmocka_unit_test(one_is_as_by_plain_numbers),
        cmocka_unit_test(plans_are_equal_where_trees_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
