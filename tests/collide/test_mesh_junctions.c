/* test_mesh_junctions.c: what each edge of a mesh is joined with, against looking at all pairs of
 * edges: triangles strewn at random, tiles of all sizes side by side, near and far, large triangles
 * among small ones, and triangles on so few places that they repeat, turn over and lie on each
 * other.
 *
 * Distances from lines are found by a product here, not by what is left of a difference, and who is
 * so near to a limit that rounding may decide is not asked. */
#include "tests/support/test.h"

#include "tests/collide/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 10000 };

/* An edge of a triangle that counts. */
typedef struct side {
    uint32_t triangle, edge;
    lode__double3 from, to;
    bool open;
} side;

/* A part of a side that another one covers. */
typedef struct part {
    double from, to;
    uint32_t side;
} part;

/* What a side should be. */
typedef struct verdict {
    int kind;
    uint32_t beyond;
    bool doubtful;
} verdict;

static mesh_draft draft;
static side sides[MOST_EDGES];
static part parts[MOST_EDGES];
static uint32_t side_count;

static bool same(lode__double3 a, lode__double3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool counts(const lode__mesh *mesh, uint32_t triangle)
{
    return !(mesh->flags[triangle] & LODE__TRIANGLE_IGNORED);
}

static void list_sides(const lode__mesh *mesh)
{
    side_count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (uint32_t e = 0; e < 3 && counts(mesh, t); ++e) {
            lode__triangle corners = mesh_triangle(mesh, t);
            assert_true(side_count < MOST_EDGES);
            sides[side_count++] = (side){t, e, d3_from(corners.v[e]),
                                         d3_from(corners.v[(e + 1) % 3]), true};
        }
}

/* --- edges that have both ends in common */

/* The bend is seen from the first of the two: where it is all but none the other may disagree. */
static void expect_pair(const lode__mesh *mesh, const side *a, const side *b)
{
    const side *one = a->triangle < b->triangle ? a : b, *two = one == a ? b : a;
    int kind = lode__mesh_bend(mesh, one->triangle, two->triangle, (int)two->edge);
    assert_int_equal(mesh->neighbors[a->triangle][a->edge], b->triangle << 2 | b->edge);
    assert_true(mesh_edge_kind(mesh, a->triangle, (int)a->edge) == kind ||
                mesh_edge_kind(mesh, b->triangle, (int)b->edge) == kind);
    assert_int_not_equal(kind, LODE__EDGE_FREE);
}

/* Also finds out which are open. */
static void pairs_are_joined_and_others_counted(const lode__mesh *mesh)
{
    int open = 0, shared = 0, turned = 0;
    for (uint32_t i = 0; i < side_count; ++i) {
        uint32_t forth = 0, back = 0, other = i, first = i;
        for (uint32_t k = 0; k < side_count; ++k) {
            bool along = same(sides[i].from, sides[k].from) && same(sides[i].to, sides[k].to);
            bool against = same(sides[i].from, sides[k].to) && same(sides[i].to, sides[k].from);
            forth += along;
            back += against;
            other = against ? k : other;
            first = (along || against) && k < first ? k : first;
        }
        sides[i].open = forth != 1 || back != 1;
        if (!sides[i].open)
            expect_pair(mesh, &sides[i], &sides[other]);
        open += forth + back == 1;
        turned += first == i && forth == 2 && back == 0;
        shared += first == i && forth + back > 2;
    }
    assert_int_equal(mesh->info.open_edge_count, open);
    assert_int_equal(mesh->info.shared_edge_count, shared);
    assert_int_equal(mesh->info.turned_edge_count, turned);
}

/* --- edges along several others */

/* Is x no more than the limit? Doubtful if it is all but equal. */
static bool within(double x, double limit, double scale, verdict *out)
{
    out->doubtful |= fabs(x - limit) <= 1e-6 * scale;
    return x <= limit;
}

/* Where a point of the line lies, from its beginning; false: it is beside it. */
static bool place_on(const side *s, lode__double3 point, double beside, verdict *out, double *at)
{
    lode__double3 way = d3_sub(s->to, s->from), to = d3_sub(point, s->from);
    double length = d3_length(way);
    *at = d3_dot(to, way) / length;
    return within(d3_length(d3_cross(to, way)) / length, beside, beside, out);
}

static int compare_parts(const void *a, const void *b)
{
    const part *p = a, *q = b;
    return (p->from > q->from) - (p->from < q->from);
}

static double beside_of(const side *s)
{
    return 1e-5 * d3_length(d3_sub(s->to, s->from)) + 1e-6 * fmax(d3_most(s->from), d3_most(s->to));
}

/* What covers a side; false: something has both its ends. */
static bool list_parts(const side *s, verdict *out, uint32_t *out_count)
{
    double length = d3_length(d3_sub(s->to, s->from)), beside = beside_of(s), from, to;
    *out_count = 0;
    for (uint32_t i = 0; i < side_count; ++i) {
        const side *other = &sides[i];
        if (other == s || !other->open || !place_on(s, other->to, beside, out, &from) ||
            !place_on(s, other->from, beside, out, &to))
            continue;
        if (within(fabs(fmin(from, to)), beside, beside, out) &&
            within(fabs(fmax(from, to) - length), beside, beside, out))
            return false;
        from = fmax(from, 0);
        to = fmin(to, length);
        if (!within(to - from, 4 * beside, beside, out))
            parts[(*out_count)++] = (part){from, to, i};
    }
    return true;
}

static int kind_beyond(const lode__mesh *mesh, const side *s, uint32_t count)
{
    int kinds[4] = {0};
    bool even = true;
    lode__double3 n = lode__mesh_normal(mesh, sides[parts[0].side].triangle);
    for (uint32_t i = 0; i < count; ++i) {
        const side *other = &sides[parts[i].side];
        lode__double3 m = lode__mesh_normal(mesh, other->triangle);
        ++kinds[lode__mesh_bend(mesh, s->triangle, other->triangle, (int)other->edge)];
        even &= d3_dot(n, m) > 0 && d3_length(d3_cross(n, m)) <= LODE__FLAT_EDGE;
    }
    if (kinds[LODE__EDGE_CONVEX] > 0)
        return even && kinds[LODE__EDGE_CONVEX] == (int)count ? LODE__EDGE_CONVEX : LODE__EDGE_FREE;
    return kinds[LODE__EDGE_CONCAVE] > 0 ? LODE__EDGE_CONCAVE : LODE__EDGE_FLAT;
}

static verdict judge(const lode__mesh *mesh, const side *s)
{
    verdict out = {LODE__EDGE_FREE, LODE__NONE, false};
    double length = d3_length(d3_sub(s->to, s->from)), beside = beside_of(s), end = 0;
    uint32_t count;
    if (!list_parts(s, &out, &count) || count == 0)
        return out;
    qsort(parts, count, sizeof *parts, compare_parts);
    for (uint32_t i = 0; i < count; ++i) {
        if (!within(fabs(parts[i].from - end), 4 * beside, beside, &out))
            return out;
        end = parts[i].to;
    }
    if (!within(fabs(end - length), 4 * beside, beside, &out))
        return out;
    out.kind = kind_beyond(mesh, s, count);
    if (out.kind != LODE__EDGE_FREE)
        out.beyond = sides[parts[0].side].triangle << 2 | sides[parts[0].side].edge;
    return out;
}

/* How many open sides were asked, and how many are junctions. */
typedef struct tally {
    int asked, doubtful, junctions;
} tally;

static void open_ones_are_what_covers_them(const lode__mesh *mesh, tally *sum)
{
    for (uint32_t i = 0; i < side_count; ++i) {
        const side *s = &sides[i];
        if (!s->open)
            continue;
        verdict v = judge(mesh, s);
        ++sum->asked;
        sum->doubtful += v.doubtful;
        if (v.doubtful)
            continue;
        assert_int_equal(mesh_edge_kind(mesh, s->triangle, (int)s->edge), v.kind);
        assert_int_equal(mesh->neighbors[s->triangle][s->edge], v.beyond);
        assert_true(v.kind == LODE__EDGE_FREE ||
                    mesh->flags[s->triangle] & LODE__TRIANGLE_JUNCTION);
        sum->junctions += v.kind != LODE__EDGE_FREE;
    }
}

/* --- triangles that do not count */

static bool same_turn(const lode__triangle *a, const lode__triangle *b)
{
    for (int turn = 0; turn < 3; ++turn) {
        bool equal = true;
        for (int k = 0; k < 3; ++k)
            equal &= same(d3_from(a->v[k]), d3_from(b->v[(k + turn) % 3]));
        if (equal)
            return true;
    }
    return false;
}

static bool is_thin(const lode__triangle *t)
{
    lode__double3 a = d3_sub(d3_from(t->v[1]), d3_from(t->v[0]));
    lode__double3 b = d3_sub(d3_from(t->v[2]), d3_from(t->v[0]));
    double most = fmax(d3_length(a), fmax(d3_length(b), d3_length(d3_sub(b, a))));
    return d3_length(d3_cross(a, b)) <= most * most * ((double)REAL_EPSILON * 4 * (1 + 1e-6));
}

static void only_thin_and_repeated_ones_are_ignored(const lode__mesh *mesh)
{
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        lode__triangle here = mesh_triangle(mesh, t);
        bool repeated = false;
        for (uint32_t k = 0; k < t && !repeated; ++k) {
            lode__triangle there = mesh_triangle(mesh, k);
            repeated = counts(mesh, k) && same_turn(&here, &there);
        }
        assert_true(counts(mesh, t) ? !repeated : repeated || is_thin(&here));
    }
}

/* Twice: with vertices copied, and left where they are. */
static void check(tally *sum)
{
    lode_mesh_def def = draft_def(&draft);
    for (int reference = 0; reference < 2; ++reference) {
        def.reference = reference;
        lode_mesh *mesh = lode_mesh_create(&def);
        assert_non_null(mesh);
        only_thin_and_repeated_ones_are_ignored(mesh);
        list_sides(mesh);
        pairs_are_joined_and_others_counted(mesh);
        open_ones_are_what_covers_them(mesh, sum);
        lode_mesh_release(mesh);
    }
}

/* --- meshes */

/* Where tiles lie: turned about two axes, scaled, moved. */
typedef struct place {
    double turn, lean, scale, offset;
} place;

static uint32_t put(const place *p, double x, double y, double z)
{
    double u = x * cos(p->turn) - y * sin(p->turn), v = x * sin(p->turn) + y * cos(p->turn);
    double w = v * sin(p->lean) + z * cos(p->lean);
    v = v * cos(p->lean) - z * sin(p->lean);
    return draft_vertex(&draft, p->scale * u + p->offset, p->scale * v - 0.7 * p->offset,
                        p->scale * w + 0.3 * p->offset);
}

static void put_triangle(const place *p, const double at[3][3])
{
    uint32_t v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = put(p, at[k][0], at[k][1], at[k][2]);
    draft_triangle(&draft, v[0], v[1], v[2]);
}

static double height(double x, double y)
{
    return fmax(0, x - 2.5) * 0.3 + fmax(0, 5 - y) * 0.4 - fmax(0, x - 7.5) * 0.6;
}

/* A square in two triangles, or four smaller squares; some are missing, some lie a little beside
 * the others, some are there twice, or have a sliver at an edge. */
static void put_tile(const place *p, test_random *random, double x, double y, double size,
                     int depth)
{
    if (depth > 0 && random_between(random, 0, 1) < 0.75) {
        for (int k = 0; k < 4; ++k)
            put_tile(p, random, x + (k & 1) * size / 2, y + (k >> 1) * size / 2, size / 2,
                     depth - 1);
        return;
    }
    double luck = random_between(random, 0, 1);
    double beside = luck > 0.95 ? size * random_between(random, 0, 3e-5) : 0;
    double far = x + size, top = y + size;
    const double lower[3][3] = {
        {x, y, height(x, y) + beside}, {far, y, height(far, y)}, {x, top, height(x, top)}};
    const double upper[3][3] = {
        {far, y, height(far, y)}, {far, top, height(far, top) - beside}, {x, top, height(x, top)}};
    const double sliver[3][3] = {{x, y, height(x, y)},
                                 {far, y, height(far, y)},
                                 {x + size / 2, y, height(x, y) + size * luck * 1e-4}};
    if (luck < 0.03)
        return;
    put_triangle(p, lower);
    put_triangle(p, upper);
    if (luck < 0.06)
        put_triangle(p, upper);
    if (luck > 0.06 && luck < 0.1)
        put_triangle(p, sliver);
}

/* Of ten by ten, bent where tiles meet. */
static void put_tiles(const place *p, test_random *random, int depth)
{
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            put_tile(p, random, 2.5 * i, 2.5 * k, 2.5, depth);
}

static void strew(test_random *random, int count, double width, double size)
{
    for (int t = 0; t < count; ++t) {
        uint32_t v[3];
        double at[3];
        for (int i = 0; i < 3; ++i)
            at[i] = random_between(random, 0, width);
        for (int k = 0; k < 3; ++k)
            v[k] = draft_vertex(&draft, at[0] + size * random_between(random, -1, 1),
                                at[1] + size * random_between(random, -1, 1),
                                at[2] + size * random_between(random, -1, 1));
        draft_triangle(&draft, v[0], v[1], v[2]);
    }
}

static void clear(void)
{
    draft.vertex_count = draft.triangle_count = 0;
}

/* --- tests */

static void strewn_triangles_join_nothing(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-3, 1e7};
    test_random random = {3};
    tally sum = {0};
    for (int i = 0; i < 3; ++i) {
        clear();
        strew(&random, 600, 8 * sizes[i], sizes[i]);
        check(&sum);
    }
    assert_int_equal(sum.asked, 2 * 3 * 3 * 600);
    assert_int_equal(sum.junctions, 0);
}

static void tiles_of_all_sizes_are_joined(void **state)
{
    (void)state;
    static const place places[] = {{0, 0, 1, 0},       {0.7, 0.4, 1, 3}, {0, 0, 1e-3, 0},
                                   {2, 1, 1e-3, 1e-3}, {0, 0, 1e4, 1e7}, {1, 0.5, 1e5, 1e7},
                                   {0.3, 0, 1, 100},   {0.3, 2, 1e6, 0}};
    test_random random = {5};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        tally sum = {0};
        for (int round = 0; round < 3; ++round) {
            clear();
            put_tiles(&places[i], &random, 2);
            check(&sum);
        }
        assert_true(sum.junctions > 500);
        assert_true(sum.doubtful * 100 < sum.asked);
    }
}

/* What floats cannot tell apart there is joined with nothing, soon. */
static void tiles_smaller_than_rounding_are_joined_with_nothing(void **state)
{
    (void)state;
    const place far = {0, 0, 3, 1e7};
    test_random random = {6};
    tally sum = {0};
    clear();
    put_tiles(&far, &random, 2);
    check(&sum);
    assert_true(sum.asked > 50);
    assert_int_equal(sum.junctions, 0);
}

/* The middles of large ones, of which several are in a leaf, lie all over the small ones. */
static void large_triangles_among_small_ones_hinder_none(void **state)
{
    (void)state;
    const place here = {0.5, 0.3, 1, 0};
    test_random random = {7};
    tally sum = {0};
    for (int round = 0; round < 3; ++round) {
        clear();
        strew(&random, 100, 10, 100);
        put_tiles(&here, &random, 3);
        strew(&random, 100, 10, 20);
        check(&sum);
    }
    assert_true(sum.junctions > 200);
}

/* Repeated, turned, shared by many, in the lines of others. */
static void triangles_on_few_places_are_told_apart(void **state)
{
    (void)state;
    test_random random = {8};
    tally sum = {0};
    for (int round = 0; round < 8; ++round) {
        static const double scales[] = {1, 1e-3, 1e7, 0.1};
        double scale = scales[round % 4];
        clear();
        for (int t = 0; t < 60 << round % 4; ++t) {
            uint32_t v[3];
            for (int k = 0; k < 3; ++k) {
                double lift = random_below(&random, 9) == 0 ? 3e-5 : 0;
                double x = scale * random_below(&random, 4), y = scale * random_below(&random, 4);
                v[k] = draft_vertex(&draft, x, y, scale * (random_below(&random, 3) + lift));
            }
            draft_triangle(&draft, v[0], v[1], v[2]);
        }
        check(&sum);
    }
    assert_true(sum.asked > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strewn_triangles_join_nothing),
        cmocka_unit_test(tiles_of_all_sizes_are_joined),
        cmocka_unit_test(tiles_smaller_than_rounding_are_joined_with_nothing),
        cmocka_unit_test(large_triangles_among_small_ones_hinder_none),
        cmocka_unit_test(triangles_on_few_places_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
