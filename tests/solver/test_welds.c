/* test_welds.c: contacts as welds: every row of every point is a sum of the weld's rows, what they
 * bear shared out among the points pushes the bodies the same, and what is no weld is refused. The
 * rows of points are those that solver/rows.c spells out, which shares no line with welds. */
#include "solver/welds.h"

#include "tests/solver/random_blocks.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200 };

#define ROUNDING (sizeof(lode_real) == sizeof(float) ? 1e-6 : 1e-13)

/* One contact of a random block. */
typedef struct sample {
    block_room room;
    bodies bodies;
    lode__dense lines;
    lode__contact_block *block;
    lode__part part;
    lode__jacobian jacobians[2 * LODE__WELD_IMPULSES];
    lode__row_values values[LODE__WELD_IMPULSES];
    lode__rows rows;
} sample;

static void set_lane3(lode__lane3 *out, uint32_t lane, lode_vec3 v)
{
    out->x.x[lane] = v.x, out->y.x[lane] = v.y, out->z.x[lane] = v.z;
}

/* Takes a lane that has a contact; its points are hard, and ask for a velocity of this plane. */
static void sample_make(sample *s, int points, const double plane[3], test_random *random)
{
    static lode__manifold manifolds[CONTACTS];
    uint32_t lane = 0;
    bodies_random(&s->bodies, random);
    s->lines = bodies_lines(&s->bodies);
    do {
        contacts_random(&s->room, manifolds, points, ENDS_PAIR, random);
        lane = random_below(random, LODE_LANES);
    } while (manifolds[lane].point_count == 0);
    s->block = contact_block_at(&s->room, points, 0);
    s->part = (lode__part){.block = s->block,
                           .ends = 2,
                           .rows = (uint8_t)(3 * points),
                           .lane = (uint8_t)lane,
                           .bucket = (uint8_t)(points - 1),
                           .points = (uint8_t)points,
                           .bond = true};
    s->rows = (lode__rows){.jacobians = s->jacobians, .values = s->values};
    s->block->friction1.x[lane] = s->block->friction2.x[lane] = (lode_real)0.5;
    lode_vec3 t = contact_tangent(
        v3(s->block->n.x.x[lane], s->block->n.y.x[lane], s->block->n.z.x[lane]));
    set_lane3(&s->block->t, lane, t);
    set_lane3(&s->block->ra, lane, vec_between(random, -1, 1));
    set_lane3(&s->block->rb, lane, vec_between(random, -1, 1));
    for (int p = 0; p < points; ++p) {
        lode__contact_row *row = &s->block->rows[p];
        double x = real_between(random, -0.1, 0.1), y = real_between(random, -0.1, 0.1);
        row->x.x[lane] = (lode_real)(p == 1 || p == 2 ? x + 1 : x);
        row->y.x[lane] = (lode_real)(p >= 2 ? y + 1 : y);
        row->soft.x[lane] = 0;
        row->mass.x[lane] = 1;
        row->c.x[lane] = (lode_real)(plane[0] + plane[1] * row->x.x[lane] +
                                     plane[2] * row->y.x[lane]);
        row->lambda.x[lane] = row->lambda1.x[lane] = row->lambda2.x[lane] = 0;
    }
}

/* The points are as soft, and ask for anything. */
static void soften(sample *s, double gamma, test_random *random)
{
    for (int p = 0; p < s->part.points; ++p) {
        lode__contact_row *row = &s->block->rows[p];
        row->soft.x[s->part.lane] = (lode_real)gamma;
        row->c.x[s->part.lane] += real_between(random, -0.01, 0.01);
    }
}

/* The weld's rows, and how many there are: Jacobians of each end, number by number. */
typedef struct weld_view {
    double rows[LODE__WELD_ROWS][2][6], c[LODE__WELD_ROWS], gamma[LODE__WELD_ROWS];
    uint32_t count;
} weld_view;

static weld_view view_of(const lode__weld *w)
{
    weld_view view = {.count = lode__weld_rows(w->part->points)};
    uint32_t count = view.count;
    for (uint32_t first = 0; first < count; first += LODE__BOND_ROWS) {
        lode__bond_rows rows;
        lode__bond_node node = {.first = first,
                                .rows = count - first < LODE__BOND_ROWS ? count - first
                                                                        : LODE__BOND_ROWS};
        lode__weld_read(w, &node, &rows);
        for (uint32_t k = 0; k < node.rows; ++k) {
            double(*out)[6] = view.rows[first + k];
            view.c[first + k] = rows.c[k];
            view.gamma[first + k] = rows.gamma[k];
            for (int i = 0; i < 3; ++i) {
                out[0][i] = rows.lin[i][k], out[1][i] = -rows.lin[i][k];
                out[0][3 + i] = rows.ang[0][i][k], out[1][3 + i] = rows.ang[1][i][k];
            }
        }
    }
    return view;
}

static double largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i)
        most = isnan(x[i]) ? (double)INFINITY : fmax(most, fabs(x[i]));
    return most;
}

static const double level[3] = {0, 0, 0};

static void what_is_shared_out_pushes_the_same(void **state)
{
    (void)state;
    test_random random = {3};
    static sample s;
    for (int round = 0; round < ROUNDS; ++round) {
        lode__weld w;
        double left[2][6] = {{0}};
        sample_make(&s, 1 + round % 4, level, &random);
        if (round & 4)
            soften(&s, 0.05, &random);
        assert_true(lode__weld_make(&w, &s.part, false));
        const weld_view view = view_of(&w);
        const uint32_t count = view.count;
        w.impulses[0] = 10;
        for (uint32_t k = 1; k < count; ++k)
            w.impulses[k] = real_between(&random, -0.1, 0.1);
        for (uint32_t k = 0; k < count; ++k)
            for (int i = 0; i < 12; ++i)
                left[i / 6][i % 6] += w.impulses[k] * view.rows[k][i / 6][i % 6];
        assert_true(lode__weld_share(&w, 1));
        lode__rows_read(&s.rows, &s.lines, &s.part);
        for (int k = 0; k < s.part.rows; ++k)
            for (int end = 0; end < 2; ++end)
                for (int i = 0; i < 3; ++i) {
                    const lode__jacobian *j = lode__jacobian_at(&s.rows, &s.part, k, end);
                    left[end][i] -= w.impulses[k] * j->lin[i];
                    left[end][3 + i] -= w.impulses[k] * j->ang[i];
                }
        /* what rows.c takes for t2 and the weld are the same numbers: no rounding but of doubles */
        if (!(largest(left[0], 12) < 1e-12))
            fail_msg("round %d, %d points: off by %g", round, s.part.points, largest(left[0], 12));
    }
}

/* Takes from a row what the weld's rows share in it, by least squares, and returns what they ask
 * for with these shares. */
static double take_shares(const weld_view *view, double row[12])
{
    double a[LODE__WELD_ROWS][LODE__WELD_ROWS + 1] = {{0}}, c = 0;
    uint32_t count = view->count;
    for (uint32_t i = 0; i < count; ++i)
        for (int m = 0; m < 12; ++m) {
            double own = view->rows[i][m / 6][m % 6];
            for (uint32_t k = 0; k < count; ++k)
                a[i][k] += own * view->rows[k][m / 6][m % 6];
            a[i][count] += own * row[m];
        }
    for (uint32_t k = 0; k < count; ++k)
        for (uint32_t i = 0; i < count; ++i) {
            double factor = a[i][k] / a[k][k];
            for (uint32_t m = k; i != k && m <= count; ++m)
                a[i][m] -= factor * a[k][m];
        }
    for (uint32_t k = 0; k < count; ++k) {
        double share = a[k][count] / a[k][k];
        c += share * view->c[k];
        for (int m = 0; m < 12; ++m)
            row[m] -= share * view->rows[k][m / 6][m % 6];
    }
    return c;
}

static void read_row_of(const sample *s, int k, double row[12])
{
    for (int m = 0; m < 12; ++m) {
        const lode__jacobian *j = lode__jacobian_at(&s->rows, &s->part, k, m / 6);
        row[m] = m % 6 < 3 ? j->lin[m % 6] : j->ang[m % 6 - 3];
    }
}

/* So bodies that move as the weld wants move as each of its points does. */
static void rows_of_points_are_sums_of_those_of_the_weld(void **state)
{
    (void)state;
    test_random random = {4};
    static sample s;
    int planes = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        lode__weld w;
        weld_view view;
        const double plane[3] = {0.25, round & 4 ? 0.5 : 0, round & 8 ? -0.125 : 0};
        sample_make(&s, 1 + round % 4, plane, &random);
        if (!lode__weld_make(&w, &s.part, false)) /* rounding of c may miss the plane */
            continue;
        ++planes;
        view = view_of(&w);
        lode__rows_read(&s.rows, &s.lines, &s.part);
        for (int p = 0; p < s.part.rows; ++p) {
            double row[12];
            read_row_of(&s, p, row);
            double c = take_shares(&view, row);
            assert_true(largest(row, 12) < 1e-9);
            assert_true(fabs(c - s.values[p].c) < 10 * ROUNDING);
        }
    }
    assert_true(planes > ROUNDS / 2);
}

/* Whatever the weld bears: at the velocities at which its own rows are met, those of the points are
 * met by their own impulses. */
static void springs_of_points_are_those_of_the_weld(void **state)
{
    (void)state;
    test_random random = {12};
    static sample s;
    for (int round = 0; round < ROUNDS; ++round) {
        lode__weld w;
        const double plane[3] = {0.25, 0.5, -0.125};
        sample_make(&s, 1 + round % 4, plane, &random);
        soften(&s, 0.05, &random);
        assert_true(lode__weld_make(&w, &s.part, false));
        weld_view view = view_of(&w);
        w.impulses[0] = 10;
        for (uint32_t k = 1; k < view.count; ++k)
            w.impulses[k] = real_between(&random, -0.1, 0.1);
        for (uint32_t k = 0; k < view.count; ++k)
            view.c[k] -= view.gamma[k] * w.impulses[k];
        assert_true(lode__weld_share(&w, 1));
        lode__rows_read(&s.rows, &s.lines, &s.part);
        for (int p = 0; p < s.part.rows; ++p) {
            double row[12];
            read_row_of(&s, p, row);
            double u = take_shares(&view, row), push = s.values[p].gamma * w.impulses[p];
            assert_true(fabs(u + push - s.values[p].c) < 1e-9);
        }
    }
}

/* Can it bear this load, with so much in another of its rows? */
static bool bears(const lode__weld *weld, double load, uint32_t row, double other)
{
    lode__weld w = *weld;
    memset(w.impulses, 0, sizeof w.impulses);
    w.impulses[0] = load;
    w.impulses[row] += other;
    return lode__weld_share(&w, 1);
}

static void what_does_not_hold_is_refused(void **state)
{
    (void)state;
    test_random random = {5};
    static sample s;
    lode__weld w;
    for (int points = 1; points <= LODE__MANIFOLD_POINTS; ++points) {
        sample_make(&s, points, level, &random);
        assert_true(lode__weld_make(&w, &s.part, false));
        assert_true(bears(&w, 4, 1, 1.96) && bears(&w, 4, 2, -1.96)); /* 0.49 of the load */
        assert_false(bears(&w, 4, 1, -2.04) || bears(&w, 4, 2, 2.04));
        assert_false(bears(&w, -1, 1, 0));                                /* pulls */
        assert_false(points > 1 && bears(&w, 1, 3, 5));                   /* tips */
        assert_false(points > 1 && bears(&w, 1, points == 2 ? 4 : 5, 5)); /* turns */
    }
}

/* Along the diagonal a cone bears less than a pyramid. */
static void a_cone_bears_as_much_in_all_directions(void **state)
{
    (void)state;
    test_random random = {11};
    static sample s;
    for (int cone = 0; cone < 2; ++cone) {
        lode__weld w;
        sample_make(&s, 1, level, &random);
        assert_true(lode__weld_make(&w, &s.part, cone));
        for (int i = 0; i < 64; ++i) {
            double way = i * 0.1, other = 4 * cos(way);
            w.impulses[0] = 0;
            lode__weld at = w;
            at.impulses[1] = 0.49 * 4 * sin(way); /* of the load, with a coefficient of a half */
            at.impulses[2] = 0.49 * other;
            at.impulses[0] = 4;
            assert_true(lode__weld_share(&at, 1));
            at = w;
            at.impulses[1] = 0.51 * 4 * sin(way);
            at.impulses[2] = 0.51 * other;
            at.impulses[0] = 4;
            bool outside = cone || fmax(fabs(sin(way)), fabs(cos(way))) > 0.5 / 0.51;
            assert_int_equal(lode__weld_share(&at, 1), !outside);
        }
    }
}

static void what_is_no_weld_is_refused(void **state)
{
    (void)state;
    test_random random = {7};
    static sample s;
    lode__weld w;
    for (int points = 1; points <= LODE__MANIFOLD_POINTS; ++points) {
        sample_make(&s, points, level, &random);
        int lane = s.part.lane;
        s.block->rows[points - 1].soft.x[lane] = (lode_real)0.1;
        assert_int_equal(lode__weld_make(&w, &s.part, false), points == 1); /* else all as soft */
        s.block->rows[points - 1].soft.x[lane] = 0;
        s.block->rows[0].mass.x[lane] = 0; /* acts on nobody */
        assert_false(lode__weld_make(&w, &s.part, false));
        s.block->rows[0].mass.x[lane] = 1;
        assert_true(lode__weld_make(&w, &s.part, false));
        if (points < 2)
            continue;
        for (int p = 0; p < points; ++p) { /* in one place, or in one line */
            s.block->rows[p].x.x[lane] = (lode_real)(points > 2 ? p : 0);
            s.block->rows[p].y.x[lane] = (lode_real)(points > 2 ? 2 * p : 1);
        }
        assert_false(lode__weld_make(&w, &s.part, false));
    }
    sample_make(&s, 4, level, &random); /* one point deeper than the plane of the others */
    s.block->rows[2].c.x[s.part.lane] = (lode_real)0.1;
    assert_false(lode__weld_make(&w, &s.part, false));
    for (int p = 0; p < 4; ++p) /* which takes impulses where they are soft, and pulls at others */
        s.block->rows[p].soft.x[s.part.lane] = (lode_real)1e-3;
    assert_true(lode__weld_make(&w, &s.part, false));
    assert_true(bears(&w, 400, 1, 0));
    assert_false(bears(&w, 4, 1, 0));
}

/* What is tried follows from what the contact bore before. */
static void what_held_is_likely_to_hold(void **state)
{
    (void)state;
    test_random random = {6};
    static sample s;
    for (int points = 1; points <= LODE__MANIFOLD_POINTS; ++points) {
        lode__weld w;
        sample_make(&s, points, level, &random);
        int lane = s.part.lane;
        assert_true(lode__weld_make(&w, &s.part, false) && lode__weld_is_likely(&w)); /* new */
        for (int p = 0; p < points; ++p) {
            s.block->rows[p].lambda.x[lane] = 1;
            s.block->rows[p].lambda2.x[lane] = (lode_real)0.45;
        }
        assert_true(lode__weld_is_likely(&w));
        for (int p = 0; p < points; ++p)
            s.block->rows[p].lambda2.x[lane] = (lode_real)0.5; /* at its limit */
        assert_false(lode__weld_is_likely(&w));
        for (int p = 0; p < points; ++p)
            s.block->rows[p].lambda.x[lane] = s.block->rows[p].lambda2.x[lane] = 0;
        s.block->rows[0].c.x[lane] = -1; /* new, and a gap */
        assert_false(lode__weld_is_likely(&w));
    }
    sample_make(&s, 4, level, &random); /* all of the load on one edge */
    lode__weld w;
    assert_true(lode__weld_make(&w, &s.part, false));
    for (int p = 0; p < 2; ++p)
        s.block->rows[p].lambda.x[s.part.lane] = 1;
    assert_false(lode__weld_is_likely(&w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shared_out_pushes_the_same),
        cmocka_unit_test(rows_of_points_are_sums_of_those_of_the_weld),
        cmocka_unit_test(springs_of_points_are_those_of_the_weld),
        cmocka_unit_test(what_does_not_hold_is_refused),
        cmocka_unit_test(a_cone_bears_as_much_in_all_directions),
        cmocka_unit_test(what_is_no_weld_is_refused),
        cmocka_unit_test(what_held_is_likely_to_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
