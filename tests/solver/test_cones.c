/* test_cones.c: friction whose two directions hold together, against what a solution has to be:
 * normals that push or let go, friction within its ellipse, no slip inside, and slip on it against
 * the outward normal. Beside that a contact alone, whose solution is known. */
#include "solver/cones.h"

#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 8, MOST = 3 * CONTACTS, ROUNDS = 2000 };

/* Rows of contact k are 3 k, its normal, and two more. */
typedef struct problem {
    int contacts;
    double a[MOST][MOST], b[MOST], mu[CONTACTS][2], x[MOST];
} problem;

/* A = J J^T + soft, of bodies with `freedoms` numbers each of whose rows are of like size. */
static void pose(problem *p, int contacts, int freedoms, double soft, double longest,
                 test_random *random)
{
    double j[MOST][2 * MOST];
    memset(p, 0, sizeof *p);
    p->contacts = contacts;
    for (int i = 0; i < 3 * contacts; ++i)
        for (int k = 0; k < freedoms; ++k)
            j[i][k] = random_between(random, -1, 1);
    for (int i = 0; i < 3 * contacts; ++i) {
        p->b[i] = 0;
        for (int l = 0; l < 3 * contacts; ++l) {
            p->a[i][l] = i == l ? soft : 0;
            for (int k = 0; k < freedoms; ++k)
                p->a[i][l] += j[i][k] * j[l][k];
        }
    }
    for (int k = 0; k < freedoms; ++k) { /* b = J v: motions that there are */
        double v = random_between(random, -1, 1);
        for (int i = 0; i < 3 * contacts; ++i)
            p->b[i] += j[i][k] * v;
    }
    for (int k = 0; k < contacts; ++k) {
        p->mu[k][0] = random_between(random, 0.1, 1);
        p->mu[k][1] = p->mu[k][0] * random_between(random, 1, longest);
    }
}

/* As one node; what stands in x is the guess. */
static bool solve(problem *p)
{
    lode__arena arena = {0};
    lode__lcp lcp;
    lode__cones cones;
    lode__lcp_single single;
    uint32_t rows = (uint32_t)(3 * p->contacts), width = lode__lcp_padded(rows);
    lode__lcp_single_make(&single, rows);
    assert_true(lode__lcp_take(&lcp, &arena, &single.plan.size));
    assert_true(lode__cones_take(&cones, &arena, &single.plan.size));
    lode__lcp_pose(&lcp, &single.plan);
    lode__cones_begin(&cones, rows);
    lcp.kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    memset(lcp.a, 0, single.plan.size.panels * sizeof *lcp.a);
    for (uint32_t i = 0; i < rows; ++i) {
        for (uint32_t k = 0; k < rows; ++k)
            lcp.a[i * width + k] = p->a[i][k];
        lcp.b[i] = p->b[i];
        lcp.lo[i] = 0;
        lcp.hi[i] = 1e30;
        lcp.master[i] = i % 3 ? i - i % 3 : LODE__LCP_NONE;
        lcp.ratio[i] = i % 3 ? p->mu[i / 3][i % 3 - 1] : 0;
        lcp.x[i] = p->x[i];
    }
    for (uint32_t i = 1; i < rows; i += 3)
        lode__cones_add(&cones, &lcp, i);
    bool solved = lode__cones_solve(&cones, &lcp);
    memcpy(p->x, lcp.x, rows * sizeof *p->x);
    lode__arena_free(&arena);
    return solved;
}

static double w_of(const problem *p, int i)
{
    double w = -p->b[i];
    for (int k = 0; k < 3 * p->contacts; ++k)
        w += p->a[i][k] * p->x[k];
    return w;
}

/* How far contact k is from a solution, as a velocity: what is within its limits may only slip, or
 * part, as these conditions allow. */
static double missed(const problem *p, int k)
{
    const double *x = p->x + 3 * (ptrdiff_t)k, *mu = p->mu[k];
    double n = w_of(p, 3 * k), w[2] = {w_of(p, 3 * k + 1), w_of(p, 3 * k + 2)};
    assert_true(x[0] >= 0);
    double parts = x[0] > 1e-7 ? fabs(n) : fmax(-n, 0);
    double u = x[1] / mu[0], v = x[2] / mu[1], reach = sqrt(u * u + v * v);
    assert_true(reach <= x[0] * (1 + 1e-12));
    double along = 0;
    if (reach > x[0] * (1 - 1e-7)) { /* against the outward normal it may slip */
        double normal[2] = {u / mu[0], v / mu[1]};
        double size = normal[0] * normal[0] + normal[1] * normal[1];
        along = x[0] > 1e-7 ? fmax(-(w[0] * normal[0] + w[1] * normal[1]) / size, 0) : 0;
        w[0] += along * normal[0];
        w[1] += along * normal[1];
    }
    return fmax(parts, x[0] > 1e-7 ? sqrt(w[0] * w[0] + w[1] * w[1]) : 0);
}

typedef struct tally {
    int tried, solved, exact;
} tally;

static tally try_many(int most_contacts, bool related, double longest, uint64_t seed)
{
    test_random random = {seed};
    tally t = {0};
    for (int round = 0; round < ROUNDS; ++round) {
        problem p;
        int contacts = 1 + (int)random_below(&random, (uint32_t)most_contacts);
        pose(&p, contacts, related ? 6 : 3 * contacts + 3, related ? 1e-3 : 0, longest, &random);
        bool solved = solve(&p);
        double most = 0, size = 0;
        for (int k = 0; k < contacts; ++k)
            most = fmax(most, missed(&p, k));
        for (int i = 0; i < 3 * contacts; ++i)
            size = fmax(size, fabs(p.b[i]));
        ++t.tried;
        t.solved += solved;
        t.exact += most <= 1e-6 * size;
        if (solved)
            assert_true(most <= 0.2 * size);
    }
    print_message("%d tried, %d solved, %d exact\n", t.tried, t.solved, t.exact);
    return t;
}

/* Problems of random rows are worse than those of bodies: friction pulls as hard along normals as
 * along itself. */
static void solutions_are_what_they_should_be(void **state)
{
    (void)state;
    tally few = try_many(2, false, 1, 1), more = try_many(CONTACTS, false, 1, 2);
    tally ellipses = try_many(CONTACTS, false, 10, 3), related = try_many(CONTACTS, true, 2, 4);
    assert_int_equal(few.exact, few.tried);
    assert_int_equal(more.exact, more.tried);
    assert_int_equal(ellipses.exact, ellipses.tried);
    assert_true(related.exact > 0.995 * related.tried);
}

/* A ball's contact: what friction does along it does nothing across it. */
static void a_contact_alone_slides_straight(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < ROUNDS; ++round) {
        problem p = {.contacts = 1};
        double a = random_between(&random, 0.1, 10), n = random_between(&random, 0.1, 10);
        double way = random_between(&random, -4, 4), speed = random_between(&random, 0, 20);
        double mu = random_between(&random, 0.1, 2);
        p.a[0][0] = n;
        p.a[1][1] = p.a[2][2] = a;
        p.b[0] = 2;
        p.b[1] = speed * cos(way), p.b[2] = speed * sin(way);
        p.mu[0][0] = p.mu[0][1] = mu;
        assert_true(solve(&p));
        double load = 2 / n, holds = fmin(mu * load, speed / a);
        assert_true(fabs(p.x[0] - load) <= 1e-8 * load);
        assert_true(fabs(p.x[1] - holds * cos(way)) <= 1e-8 * holds);
        assert_true(fabs(p.x[2] - holds * sin(way)) <= 1e-8 * holds);
    }
}

/* A guess that is the solution is one. */
static void what_is_solved_stays(void **state)
{
    (void)state;
    test_random random = {6};
    for (int round = 0; round < 200; ++round) {
        problem p, again;
        pose(&p, 3, 12, 0, 2, &random);
        if (!solve(&p) || missed(&p, 0) + missed(&p, 1) + missed(&p, 2) > 1e-8)
            continue;
        again = p;
        assert_true(solve(&again));
        for (int i = 0; i < 9; ++i)
            assert_true(fabs(again.x[i] - p.x[i]) <= 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_what_they_should_be),
        cmocka_unit_test(a_contact_alone_slides_straight),
        cmocka_unit_test(what_is_solved_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
