/* Where the friction of contact blocks comes to rest. Each lane of a block is a body that slides on
 * a static one, or on another, in one point; it is visited until nothing changes. Then, whatever
 * way was taken there, the friction impulse must obey Coulomb's law as Moreau states it: inside its
 * limits the contact sticks, on them its impulse is the one of the limit that brakes the slip most.
 * Friction per manifold, of two to four points, must do so at the centroid, and about the normal.
 *
 * How exactly. A visit puts p' in place of p, with (K + s D) p' = K p - w v, s >= 0, D = diag(1 /
 * mu^2), w the relaxation; so a slip v that is left over differs from -s D p' by the w-th part of
 * (K + s D)(p' - p), by what K moves it after that, and by rounding: of the velocities in it,
 * of K p, and of solving for p' by Cramer's rule, which errs in each component by some roundings of
 * |K^-1| |g|, g = K p - v (with s less). `error` in what follows is that sum; it knows nothing of
 * how the kernel looks for s. */
#include "core/math.h"
#include "lode/setup.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* VISITS at once, until all contacts rest or MOST_VISITS are made. SOLVE_ROUNDINGS: a sum of three
 * products and a quotient for each component, the numbers that enter, and 16 that the kernel allows
 * itself off the ellipse. MOTION_ROUNDINGS: a velocity is a cross product, a difference, and a sum
 * of three products. REST_ROUNDINGS: what a visit may still change, in roundings of the impulses.
 * LIMIT_ROUNDINGS: these 16 again, of scaling onto the limit and of its product and quotients. */
enum {
    ROUNDS = 300,
    VISITS = 200,
    MOST_VISITS = 3000,
    SOLVE_ROUNDINGS = 32,
    MOTION_ROUNDINGS = 16,
    REST_ROUNDINGS = 64,
    LIMIT_ROUNDINGS = 24
};

/* No coefficient counts for more. */
#define ENDLESS 1e6

typedef struct settled settled;
typedef void choose_fn(test_random *random, lode_real mu[2]);
typedef void check_fn(const settled *c);

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
static lode_simd simd;       /* whose kernels; each round takes the next that there are */

static void run(lode__block_fn *kernel)
{
    lode__dense lines = bodies_lines(&s.bodies);
    kernel(s.room.bytes, BLOCKS, lode__contact_block_size(s.points), &lines, &s.softness);
}

static lode__contact_block *block_of(int contact)
{
    return contact_block_at(&s.room, s.points, contact / LODE_LANES);
}

/* What a contact's friction is made of: a point's, or that of all points at their centroid. */
typedef struct impulses {
    double load, p[2], twist;
    double arms; /* the mean of the points', by load */
} impulses;

static impulses impulses_of(const block_room *room, int contact)
{
    int lane = contact % LODE_LANES;
    const lode__contact_block *block = contact_block_at((block_room *)room, s.points,
                                                        contact / LODE_LANES);
    impulses out = {0};
    double moment = 0;
    for (int k = 0; k < s.points; ++k) {
        double load = (double)block->rows[k].lambda.x[lane];
        out.load += load;
        moment += load * (double)block->rows[k].arm.x[lane];
    }
    bool whole = s.points > 1;
    out.p[0] = (double)(whole ? &block->lambda1 : &block->rows[0].lambda1)->x[lane];
    out.p[1] = (double)(whole ? &block->lambda2 : &block->rows[0].lambda2)->x[lane];
    out.twist = whole ? (double)block->twist.x[lane] : 0;
    out.arms = out.load > 0 ? moment / out.load : 0;
    return out;
}

/* Has the last visit changed nothing but roundings? Normal impulse and friction may chase each
 * other for ever, where a body is pushed at a steep angle (Painleve), up to where the kernel's
 * numbers end. */
static bool is_at_rest(int contact)
{
    impulses was = impulses_of(&s.before, contact), is = impulses_of(&s.room, contact);
    double size = is.load + fabs(is.p[0]) + fabs(is.p[1]) + fabs(is.twist);
    double change = fabs(was.load - is.load) + fabs(was.p[0] - is.p[0]) + fabs(was.p[1] - is.p[1]) +
                    fabs(was.twist - is.twist);
    return size < 1e9 && change <= REST_ROUNDINGS * (double)REAL_EPSILON * size;
}

static void visit_until_rest(void)
{
    bool resting = false;
    for (int visit = 0; visit < MOST_VISITS && !resting; visit += VISITS) {
        for (int i = 0; i < VISITS; ++i) {
            if (i == VISITS - 1)
                memcpy(&s.before, &s.room, sizeof s.room);
            run(s.kernels->solve[lode__friction_of(&s.softness)]);
        }
        resting = true;
        for (int i = 0; i < CONTACTS; ++i)
            resting = resting && (!s.manifolds[i].point_count || is_at_rest(i));
    }
}

/* Contacts that are pressed together and slide in all directions, in one point or with friction per
 * manifold, with coefficients that `choose` gives, until their impulses have come to rest. */
static void settle(int kind, bool cone, choose_fn *choose, test_random *random)
{
    do
        simd = (lode_simd)((simd + 1) % LODE_SIMD_COUNT);
    while (!lode__solver_kernels_for(simd) || !lode_simd_available(simd));
    s.kernels = &lode__solver_kernels_for(simd)->kinds[kind];
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
    visit_until_rest();
}

/* What a contact has come to; see above for the errors. */
typedef struct settled {
    impulses was, is;
    double mu[2];
    double slip[2], slip_error[2];
    double spin, spin_error; /* friction per manifold */
} settled;

/* The rows of a contact's friction at the centroid, and what enters the velocities along them. */
typedef struct friction_rows {
    oracle_pair pair;
    oracle_row slip[2], spin;
    double motion, turning; /* m/s, rad/s */
} friction_rows;

static friction_rows rows_of(int contact)
{
    int lane = contact % LODE_LANES;
    const lode__contact_block *block = block_of(contact);
    const lode__manifold *m = &s.manifolds[contact];
    friction_rows out = {.pair = oracle_pair_of(&s.bodies, block->a[lane], block->b[lane])};
    exact3 n = exact_of(m->normal), at = {{0}};
    for (int k = 0; k < s.points; ++k)
        at = exact_madd(at, exact_of(m->points[k].position), 1.0L / s.points);
    exact3 t = {{block->t.x.x[lane], block->t.y.x[lane], block->t.z.x[lane]}};
    exact3 arms[2] = {at, exact_add(at, exact_of(m->offset))};
    out.slip[0] = oracle_point_row(t, arms[0], arms[1]);
    out.slip[1] = oracle_point_row(exact_cross(n, t), arms[0], arms[1]);
    for (int k = 0; k < 3; ++k) {
        out.spin.j[3 + k] = n.x[k];
        out.spin.j[9 + k] = -n.x[k];
    }
    for (int side = 0; side < 2; ++side) {
        const exact *v = &out.pair.v[6 * side];
        exact3 linear = {{v[0], v[1], v[2]}}, angular = {{v[3], v[4], v[5]}};
        double turning = sqrt((double)exact_dot(angular, angular));
        out.turning += turning;
        out.motion += sqrt((double)exact_dot(linear, linear)) +
                      turning * sqrt((double)exact_dot(arms[side], arms[side]));
    }
    return out;
}

static double coupling(const friction_rows *rows, int i, int j)
{
    return (double)oracle_coupling(&rows->pair, &rows->slip[i], &rows->slip[j]);
}

static void read_slip(const friction_rows *rows, settled *out)
{
    double g[2], d[2], twist = out->is.twist - out->was.twist;
    double k[2] = {coupling(rows, 0, 0), coupling(rows, 1, 1)}, k12 = fabs(coupling(rows, 0, 1));
    for (int i = 0; i < 2; ++i) {
        out->slip[i] = (double)oracle_velocity(&rows->pair, &rows->slip[i]);
        g[i] = fabs(out->slip[i]) + k[i] * fabs(out->is.p[i]) + k12 * fabs(out->is.p[1 - i]);
        d[i] = fabs(out->is.p[i] - out->was.p[i]);
    }
    for (int i = 0; i < 2; ++i) {
        double det = k[0] * k[1] - k12 * k12;
        double mine = (k[1 - i] * g[i] + k12 * g[1 - i]) / det;
        double other = (k[i] * g[1 - i] + k12 * g[i]) / det;
        double solving = SOLVE_ROUNDINGS * (k[i] * mine + k12 * other);
        double moving = (k[i] * d[i] + k12 * d[1 - i]) * (1 + 1 / (double)s.softness.relaxation);
        double by_twist = (double)oracle_coupling(&rows->pair, &rows->slip[i], &rows->spin);
        out->slip_error[i] = (solving + MOTION_ROUNDINGS * rows->motion) * (double)REAL_EPSILON +
                             moving + fabs(by_twist * twist);
        if (d[i] > 0)
            out->slip_error[i] += fabs(out->slip[i]) * d[i] / fabs(out->is.p[i]);
    }
}

static void read_spin(const friction_rows *rows, settled *out)
{
    double k = (double)oracle_coupling(&rows->pair, &rows->spin, &rows->spin);
    double moving = k * fabs(out->is.twist - out->was.twist);
    double solving = k * fabs(out->is.twist);
    for (int i = 0; i < 2; ++i)
        solving += fabs((double)oracle_coupling(&rows->pair, &rows->slip[i], &rows->spin) *
                        out->is.p[i]);
    out->spin = (double)oracle_velocity(&rows->pair, &rows->spin);
    out->spin_error = (SOLVE_ROUNDINGS * solving + MOTION_ROUNDINGS * rows->turning) *
                          (double)REAL_EPSILON +
                      moving * (1 + 1 / (double)s.softness.relaxation);
}

static int resting, restless, sliding, sticking;

/* What a lane has come to; false for padding, where the bodies part, and where nothing rests. */
static bool settled_of(int contact, settled *out)
{
    const lode__manifold *m = &s.manifolds[contact];
    if (!m->point_count)
        return false;
    *out = (settled){.was = impulses_of(&s.before, contact), .is = impulses_of(&s.room, contact)};
    if (out->is.load < 0.01)
        return false;
    for (int i = 0; i < 2; ++i)
        out->mu[i] = fmin((double)m->friction[i], ENDLESS);
    bool rests = is_at_rest(contact);
    restless += !rests;
    resting += rests;
    friction_rows rows = rows_of(contact);
    read_slip(&rows, out);
    read_spin(&rows, out);
    return rests;
}

static void assert_zero(const char *what, const settled *c, double is, double error)
{
    if (!(fabs(is) <= error))
        fail_msg("%s is %g, above %g; mu %g %g, slip %g %g, impulse %g %g of %g", what, is, error,
                 c->mu[0], c->mu[1], c->slip[0], c->slip[1], c->is.p[0], c->is.p[1], c->is.load);
}

static void assert_at_most(const char *what, const settled *c, double is, double most)
{
    assert_zero(what, c, is > most ? is - most : 0, 0);
}

/* Is an impulse of this size within its limit by more than rounding? Asserts that it is not
 * beyond. */
static bool is_inside(const settled *c, double size, double limit)
{
    double rounding = LIMIT_ROUNDINGS * (double)REAL_EPSILON;
    assert_at_most("impulse", c, size, limit * (1 + rounding));
    return size < limit * (1 - rounding);
}

/* The impulse that brakes a slip v most on the ellipse is -(mu1^2 v1, mu2^2 v2), scaled: it has
 * nothing across it and goes against v. */
static void assert_moreau(const settled *c)
{
    double part[2], across = 0, across_error = 0, along = 0, along_error = 0;
    for (int i = 0; i < 2; ++i) {
        double squared = c->mu[i] * c->mu[i] * c->is.p[1 - i];
        part[i] = c->mu[i] > 0 ? c->is.p[i] / c->mu[i] : 0;
        across += (i ? -1 : 1) * c->slip[i] * squared;
        across_error += c->slip_error[i] * fabs(squared);
        along += c->slip[i] * c->is.p[i];
        along_error += c->slip_error[i] * fabs(c->is.p[i]);
        assert_true(c->mu[i] > 0 || c->is.p[i] == 0);
    }
    if (is_inside(c, hypot(part[0], part[1]), c->is.load)) {
        for (int i = 0; i < 2; ++i)
            if (c->mu[i] > 0)
                assert_zero("slip within the cone", c, c->slip[i], c->slip_error[i]);
        ++sticking;
        return;
    }
    assert_zero("friction across", c, across, across_error);
    assert_at_most("power of friction", c, along, along_error);
    sliding += hypot(c->slip[0], c->slip[1]) > 1e-3;
}

/* On a pyramid each direction obeys the law by itself. */
static void assert_each_direction(const settled *c)
{
    for (int k = 0; k < 2; ++k) {
        double p = c->is.p[k], error = c->slip_error[k];
        bool inside = is_inside(c, fabs(p), c->mu[k] * c->is.load);
        if (inside)
            assert_zero("slip within the pyramid", c, c->slip[k], error);
        else
            assert_at_most("power of friction", c, c->slip[k] * p, error * fabs(p));
        sticking += inside;
        sliding += !inside && fabs(c->slip[k]) > 1e-3;
    }
}

static int twisting, still;

/* The row against twisting: no spin inside its limit, on it against the spin. */
static void assert_twist(const settled *c)
{
    double limit = (c->mu[0] + c->mu[1]) / 2 * c->is.load * c->is.arms, twist = c->is.twist;
    bool inside = is_inside(c, fabs(twist), limit);
    if (inside)
        assert_zero("spin within the limit", c, c->spin, c->spin_error);
    else
        assert_at_most("power of twisting", c, c->spin * twist, c->spin_error * fabs(twist));
    still += inside;
    twisting += !inside && fabs(c->spin) > 1e-3;
}

static const int kinds[] = {LODE__KIND_STATIC, LODE__KIND_CONTACT};

static void check_kind(int kind, bool cone, choose_fn *choose, check_fn *check, test_random *random)
{
    settle(kind, cone, choose, random);
    for (int i = 0; i < CONTACTS; ++i) {
        settled c;
        if (settled_of(i, &c))
            check(&c);
    }
}

static void begin_count(void)
{
    sliding = sticking = resting = restless = twisting = still = 0;
}

/* Of rows that overshoot by nine tenths one contact in seven or so swings for ever, else one in a
 * hundred. */
static void end_count(void)
{
    print_message("%d slide, %d stick, %d twist, %d do not; %d do not rest\n", sliding, sticking,
                  twisting, still, restless);
    assert_true(restless < (resting + restless) / (relaxation > 0 ? 4 : 50));
}

static void check_settled(bool cone, choose_fn *choose, check_fn *check, uint32_t seed)
{
    test_random random = {seed};
    begin_count();
    for (int round = 0; round < ROUNDS; ++round)
        check_kind(kinds[round % 2], cone, choose, check, &random);
    end_count();
}

static void assert_both(int least)
{
    assert_true(sliding > least && sticking > least);
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
    assert_both(1000);
}

static void friction_dissipates_most_on_an_elliptic_cone(void **state)
{
    (void)state;
    check_settled(true, choose_elliptic, assert_moreau, 2);
    assert_both(1000);
}

static void each_direction_of_a_pyramid_obeys_coulomb(void **state)
{
    (void)state;
    check_settled(false, choose_elliptic, assert_each_direction, 3);
    assert_both(1000);
}

static void choose_none(test_random *random, lode_real mu[2])
{
    (void)random;
    mu[0] = mu[1] = 0;
}

static void assert_free(const settled *c)
{
    assert_true(c->is.p[0] == 0 && c->is.p[1] == 0);
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
    int way = (int)random_below(random, 2);
    mu[way] = some[random_below(random, 5)];
    mu[1 - way] = 0;
}

static void friction_may_act_in_one_direction_alone(void **state)
{
    (void)state;
    check_settled(true, choose_one_way, assert_moreau, 5);
    assert_both(1000);
    check_settled(false, choose_one_way, assert_each_direction, 5);
}

static void choose_endless(test_random *random, lode_real mu[2])
{
    mu[0] = random_below(random, 2) ? REAL_MAX : (lode_real)1e19;
    mu[1] = random_below(random, 2) ? REAL_MAX : (lode_real)1e19;
}

static void endless_friction_sticks(void **state)
{
    (void)state;
    check_settled(true, choose_endless, assert_moreau, 6);
    assert_true(sliding == 0 && sticking > 1000);
    check_settled(false, choose_endless, assert_each_direction, 6);
    assert_true(sliding == 0 && sticking > 1000);
}

/* What rolls or is guided: endless friction in one direction, some in the other. */
static void choose_oblong(test_random *random, lode_real mu[2])
{
    int way = (int)random_below(random, 2);
    mu[way] = random_below(random, 2) ? REAL_MAX : (lode_real)1000;
    mu[1 - way] = (lode_real)pow(10, random_between(random, -4, 1));
}

static void beside_endless_friction_the_other_direction_has_its_own(void **state)
{
    (void)state;
    check_settled(true, choose_oblong, assert_moreau, 8);
    assert_both(1000);
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
    begin_count();
    for (int round = 0; round < ROUNDS; ++round) {
        int points = 2 + round % (LODE__MANIFOLD_POINTS - 1);
        bool cone = round / 6 % 2;
        check_kind(kinds[round % 2] + points - 1, cone, choose_elliptic,
                   cone ? assert_whole_cone : assert_whole_pyramid, &random);
    }
    end_count();
    assert_true(sliding > 1000 && sticking > 1000 && twisting > 1000 && still > 1000);
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
        cmocka_unit_test(beside_endless_friction_the_other_direction_has_its_own),
        cmocka_unit_test(manifolds_obey_coulomb_at_the_centroid_and_about_it),
        cmocka_unit_test(over_relaxation_changes_nothing_where_friction_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
