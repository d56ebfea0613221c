/* Where the friction of contact blocks comes to rest. Each lane of a block is a body that slides on
 * a static one, or on another, in one point; it is visited until nothing changes. Then, whatever
 * way was taken there, the friction impulse must obey Coulomb's law as Moreau states it: inside its
 * limits the contact sticks, on them its impulse is the one of the limit that brakes the slip most.
 * Friction per manifold, of two to four points, must do so at the centroid, and about the
 * normal. */
#include "core/math.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200, VISITS = 400 };

typedef struct scene {
    bodies bodies;
    block_room room, before;
    lode__manifold manifolds[CONTACTS];
    lode__softness softness;
    const lode__block_kernels *kernels;
    int points;
} scene;

static scene s;
static lode_real relaxation; /* where above 0, in place of a random one */

static void run(lode__block_fn *kernel)
{
    lode__dense lines = bodies_lines(&s.bodies);
    kernel(s.room.bytes, BLOCKS, lode__contact_block_size(s.points), &lines, &s.softness);
}

static lode__contact_block *block_of(int contact)
{
    return contact_block_at(&s.room, s.points, contact / LODE_LANES);
}

/* Contacts that are pressed together and slide in all directions, in one point or with friction per
 * manifold, with coefficients that `choose` gives, until their impulses have come to rest. */
static void settle(int kind, bool cone, void (*choose)(test_random *random, lode_real mu[2]),
                   test_random *random)
{
    s.kernels = &lode__solver_kernels_for(LODE_SIMD_PLAIN)->kinds[kind];
    bodies_random(&s.bodies, random);
    s.points = kind % LODE__MANIFOLD_POINTS + 1;
    contacts_random(&s.room, s.manifolds, s.points, ends_of_kind(kind), random);
    s.softness = softness_random(random);
    s.softness.gamma = s.softness.impulse_scale = 0;
    s.softness.mass_scale = 1;
    if (relaxation > 0)
        s.softness.relaxation = relaxation;
    s.softness.cone = cone;
    s.softness.friction_per_manifold = s.points > 1;
    for (int i = 0; i < CONTACTS; ++i) {
        lode__contact_block *block = block_of(i);
        lode_real mu[2];
        choose(random, mu);
        block->friction1.x[i % LODE_LANES] = s.manifolds[i].friction[0] = mu[0];
        block->friction2.x[i % LODE_LANES] = s.manifolds[i].friction[1] = mu[1];
        for (int k = 0; k < s.points; ++k) {
            lode__contact_row *row = &block->rows[k];
            row->depth.x[i % LODE_LANES] = real_between(random, 0.01, 0.05);
            row->lambda1.x[i % LODE_LANES] = row->lambda2.x[i % LODE_LANES] = 0;
        }
    }
    run(s.kernels->prepare);
    run(s.kernels->refresh);
    for (int i = 0; i < VISITS; ++i) {
        memcpy(&s.before, &s.room, sizeof s.room);
        run(s.kernels->solve[lode__friction_of(&s.softness)]);
    }
}

/* What a contact's friction is made of: a point's, or that of all points at their centroid. */
typedef struct settled {
    double load, p[2], slip[2], mu[2];
    double twist, spin, arms; /* arms: the mean of the points', by load; friction per manifold */
} settled;

static void read_impulses(const block_room *room, int contact, settled *out)
{
    int lane = contact % LODE_LANES;
    const lode__contact_block *block = contact_block_at((block_room *)room, s.points,
                                                        contact / LODE_LANES);
    double moment = 0;
    for (int k = 0; k < s.points; ++k) {
        double load = (double)block->rows[k].lambda.x[lane];
        out->load += load;
        moment += load * (double)block->rows[k].arm.x[lane];
    }
    bool whole = s.points > 1;
    out->p[0] = (double)(whole ? &block->lambda1 : &block->rows[0].lambda1)->x[lane];
    out->p[1] = (double)(whole ? &block->lambda2 : &block->rows[0].lambda2)->x[lane];
    out->twist = whole ? (double)block->twist.x[lane] : 0;
    out->arms = out->load > 0 ? moment / out->load : 0;
}

/* Has the last visit changed nothing to speak of? Normal impulse and friction may chase each other
 * for ever, where a body is pushed at a steep angle (Painleve). */
static bool is_settled(int contact)
{
    settled was = {0}, is = {0};
    read_impulses(&s.before, contact, &was);
    read_impulses(&s.room, contact, &is);
    double change = fabs(was.load - is.load) + fabs(was.p[0] - is.p[0]) + fabs(was.p[1] - is.p[1]) +
                    fabs(was.twist - is.twist);
    return change < 1e-5 * (1 + is.load);
}

static int sliding, sticking, unsettled;

/* What a lane has come to; false for padding, where the bodies part, and where nothing settled. */
static bool settled_of(int contact, settled *out)
{
    int lane = contact % LODE_LANES;
    const lode__contact_block *block = block_of(contact);
    const lode__manifold *m = &s.manifolds[contact];
    if (!m->point_count)
        return false;
    *out = (settled){.mu = {(double)m->friction[0], (double)m->friction[1]}};
    read_impulses(&s.room, contact, out);
    exact3 n = exact_of(m->normal), at = {{0}};
    for (int k = 0; k < s.points; ++k)
        at = exact_madd(at, exact_of(m->points[k].position), 1.0L / s.points);
    exact3 t1 = {{block->t.x.x[lane], block->t.y.x[lane], block->t.z.x[lane]}};
    exact3 t[2] = {t1, exact_cross(n, t1)};
    oracle_pair pair = oracle_pair_of(&s.bodies, block->a[lane], block->b[lane]);
    for (int k = 0; k < 2; ++k) {
        oracle_row axis = oracle_point_row(t[k], at, exact_add(at, exact_of(m->offset)));
        out->slip[k] = (double)oracle_velocity(&pair, &axis);
        assert_true(fabs(out->p[k]) <= out->mu[k] * out->load * 1.0001);
    }
    for (int k = 0; k < 3; ++k)
        out->spin += (double)(n.x[k] * (pair.v[3 + k] - pair.v[9 + k]));
    bool settled = is_settled(contact);
    unsettled += !settled;
    return settled && out->load > 0.01;
}

/* The impulse that brakes a slip v most on the ellipse is -(mu1^2 v1, mu2^2 v2), scaled. */
static void assert_moreau(const settled *c)
{
    double length = hypot(c->mu[0] * c->p[1], c->mu[1] * c->p[0]);
    double limit = c->mu[0] * c->mu[1] * c->load, slip = hypot(c->slip[0], c->slip[1]);
    double scale = 1e-5 * (1 + c->load);
    assert_true(length <= limit + scale);
    if (length < limit - 10 * scale || slip < 1e-3) {
        assert_true(slip < 1e-3);
        ++sticking;
        return;
    }
    double x = -c->mu[0] * c->mu[0] * c->slip[0], y = -c->mu[1] * c->mu[1] * c->slip[1];
    double angle = atan2(x * c->p[1] - y * c->p[0], x * c->p[0] + y * c->p[1]);
    if (fabs(angle) > 0.5 * 3.14159265 / 180)
        fail_msg("friction is %g degrees off; mu %g %g, slip %g %g, impulse %g %g of %g",
                 angle * 180 / 3.14159265, c->mu[0], c->mu[1], c->slip[0], c->slip[1], c->p[0],
                 c->p[1], c->load);
    assert_true(fabs(length - limit) <= 10 * scale);
    ++sliding;
}

static const int kinds[] = {LODE__KIND_STATIC, LODE__KIND_CONTACT};

static void check_kind(int kind, bool cone, void (*choose)(test_random *, lode_real[2]),
                       void (*check)(const settled *c), test_random *random)
{
    settle(kind, cone, choose, random);
    for (int i = 0; i < CONTACTS; ++i) {
        settled c;
        if (settled_of(i, &c))
            check(&c);
    }
}

static void check_settled(bool cone, void (*choose)(test_random *, lode_real[2]),
                          void (*check)(const settled *c), uint32_t seed)
{
    test_random random = {seed};
    sliding = sticking = unsettled = 0;
    for (int round = 0; round < ROUNDS; ++round)
        check_kind(kinds[round % 2], cone, choose, check, &random);
    print_message("%d slide, %d stick, %d do not settle\n", sliding, sticking, unsettled);
}

static void choose_round(test_random *random, lode_real mu[2])
{
    mu[0] = mu[1] = real_between(random, 0.05, 1.2);
}

static void choose_elliptic(test_random *random, lode_real mu[2])
{
    mu[0] = real_between(random, 0.05, 1.2);
    mu[1] = real_between(random, 0.05, 1.2);
}

static void friction_opposes_slip_on_a_round_cone(void **state)
{
    (void)state;
    check_settled(true, choose_round, assert_moreau, 1);
    assert_true(sliding > 500 && sticking > 500);
}

static void friction_dissipates_most_on_an_elliptic_cone(void **state)
{
    (void)state;
    check_settled(true, choose_elliptic, assert_moreau, 2);
    assert_true(sliding > 500 && sticking > 500);
}

/* On a pyramid each direction obeys the law by itself. */
static void assert_each_direction(const settled *c)
{
    for (int k = 0; k < 2; ++k) {
        double limit = c->mu[k] * c->load, scale = 1e-5 * (1 + c->load);
        assert_true(fabs(c->p[k]) <= limit + scale);
        if (fabs(c->p[k]) < limit - 10 * scale)
            assert_true(fabs(c->slip[k]) < 1e-3);
        else
            assert_true(c->slip[k] * c->p[k] <= 1e-4);
    }
}

static void each_direction_of_a_pyramid_obeys_coulomb(void **state)
{
    (void)state;
    check_settled(false, choose_elliptic, assert_each_direction, 3);
}

static void choose_none(test_random *random, lode_real mu[2])
{
    (void)random;
    mu[0] = mu[1] = 0;
}

static void assert_free(const settled *c)
{
    assert_true(c->p[0] == 0 && c->p[1] == 0);
}

static void without_coefficient_there_is_no_friction(void **state)
{
    (void)state;
    check_settled(false, choose_none, assert_free, 4);
    check_settled(true, choose_none, assert_free, 4);
}

/* Friction along one direction alone, from little to endless. */
static void choose_one_way(test_random *random, lode_real mu[2])
{
    static const lode_real some[] = {(lode_real)1e-20, (lode_real)0.1, 1, (lode_real)1e20,
                                     REAL_MAX};
    mu[0] = some[random_below(random, 5)];
    mu[1] = 0;
}

static void assert_one_way(const settled *c)
{
    double limit = c->mu[0] * c->load, scale = 1e-4 * (1 + c->load);
    assert_true(c->p[1] == 0);
    assert_true(fabs(c->p[0]) <= limit + scale);
    if (fabs(c->p[0]) < limit - scale)
        assert_true(fabs(c->slip[0]) < 1e-3);
    else
        assert_true(c->slip[0] * c->p[0] <= 1e-4);
}

static void friction_may_act_in_one_direction_alone(void **state)
{
    (void)state;
    check_settled(true, choose_one_way, assert_one_way, 5);
    check_settled(false, choose_one_way, assert_one_way, 5);
}

static void choose_endless(test_random *random, lode_real mu[2])
{
    mu[0] = random_below(random, 2) ? REAL_MAX : (lode_real)1e19;
    mu[1] = random_below(random, 2) ? REAL_MAX : 100;
}

static void assert_sticks(const settled *c)
{
    if (c->load > 0.05)
        assert_true(hypot(c->slip[0], c->slip[1]) < 1e-3);
    assert_true(isfinite(c->p[0]) && isfinite(c->p[1]));
}

static void endless_friction_sticks(void **state)
{
    (void)state;
    check_settled(true, choose_endless, assert_sticks, 6);
    check_settled(false, choose_endless, assert_sticks, 6);
}

static int twisting, still;

/* The row against twisting: no spin inside its limit, on it against the spin. */
static void assert_twist(const settled *c)
{
    double limit = (c->mu[0] + c->mu[1]) / 2 * c->load * c->arms, scale = 1e-5 * (1 + c->load);
    assert_true(fabs(c->twist) <= limit + scale);
    if (fabs(c->twist) < limit - 10 * scale) {
        assert_true(fabs(c->spin) < 1e-3);
        ++still;
    } else {
        assert_true(c->spin * c->twist <= 1e-4);
        twisting += fabs(c->spin) > 1e-3;
    }
}

static void assert_whole_cone(const settled *c)
{
    assert_moreau(c);
    assert_twist(c);
}

static void assert_whole_pyramid(const settled *c)
{
    assert_each_direction(c);
    assert_twist(c);
}

static void manifolds_obey_coulomb_at_the_centroid_and_about_it(void **state)
{
    (void)state;
    test_random random = {7};
    sliding = sticking = unsettled = twisting = still = 0;
    for (int round = 0; round < ROUNDS; ++round)
        for (int points = 2; points <= LODE__MANIFOLD_POINTS; ++points) {
            bool cone = round / 2 % 2;
            check_kind(kinds[round % 2] + points - 1, cone, choose_elliptic,
                       cone ? assert_whole_cone : assert_whole_pyramid, &random);
        }
    print_message("%d slide, %d stick, %d twist, %d do not, %d do not settle\n", sliding, sticking,
                  twisting, still, unsettled);
    assert_true(sliding > 500 && sticking > 500 && twisting > 500 && still > 500);
}

/* Rows that overshoot by nine tenths of what they mend come to rest in the same places. */
static void over_relaxation_changes_nothing_where_friction_rests(void **state)
{
    relaxation = (lode_real)1.9;
    friction_opposes_slip_on_a_round_cone(state);
    friction_dissipates_most_on_an_elliptic_cone(state);
    each_direction_of_a_pyramid_obeys_coulomb(state);
    manifolds_obey_coulomb_at_the_centroid_and_about_it(state);
    relaxation = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_opposes_slip_on_a_round_cone),
        cmocka_unit_test(friction_dissipates_most_on_an_elliptic_cone),
        cmocka_unit_test(each_direction_of_a_pyramid_obeys_coulomb),
        cmocka_unit_test(without_coefficient_there_is_no_friction),
        cmocka_unit_test(friction_may_act_in_one_direction_alone),
        cmocka_unit_test(endless_friction_sticks),
        cmocka_unit_test(manifolds_obey_coulomb_at_the_centroid_and_about_it),
        cmocka_unit_test(over_relaxation_changes_nothing_where_friction_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
