/* Solids and rings in rings, open sheets, height fields and pleated rocks, from barely to deep: the
 * deepest point of LODE_COLLIDE_DEEPEST leads out of all of it.
 *
 *   told       who overlaps is told a depth, and who is apart none, but for the 0.4 mm by which a
 *              face is preferred;
 *   parting    moved by the deepest point, and no more than rounding, they are apart;
 *   order      no other point is deeper, and swapped the normal is the other way round;
 *   short      in the mean the depth is no longer than the shortest of random ways, each followed
 *              until lode_shape_find_closest() says that they are apart; but for the 0.4 mm and a
 *              twentieth, by which a contact may be longer that leads out by itself.
 *
 * LODE_SHOTS=200 asks so many of each. */
#include "core/math.h"
#include "lode/hull.h"
#include "tests/collide/fields.h"
#include "tests/world/support.h"

#include <stdlib.h>

typedef enum form { SPHERE, BOX, CAPSULE, CYLINDER, HULL, RING, FORMS } form;
typedef enum ground { ON_RING, SHEET, FIELD, ROCK, GROUNDS } ground;

static const char *const form_names[FORMS] = {"sphere",   "box",  "capsule",
                                              "cylinder", "hull", "ring"};
static const char *const ground_names[GROUNDS] = {"ring", "sheet", "field", "rock"};

enum { POINTS = 1024, WAYS = 60, ORACLES = 4 };

#ifdef LODE_DOUBLE
#define ROUNDING 1e-9 /* m */
#else
#define ROUNDING 1e-5
#endif

/* A way is so much shorter than the deepest contact where it takes its place (mesh_shorter()). */
#define PREFERRED 4e-4 /* m */
#define PREFERRED_SHARE 0.95

static lode_world world;
static lode_body movers[FORMS], bases[GROUNDS];
static lode_shape solids[FORMS], grounds[GROUNDS];
static mesh_draft draft;
static int failures;

/* ---- shapes ---- */

static void draft_ring(double radius, double thick)
{
    const double turn = 2 * 3.14159265358979;
    enum { AROUND = 14, ACROSS = 8 };
    draft.vertex_count = draft.triangle_count = 0;
    for (int i = 0; i < AROUND; ++i)
        for (int k = 0; k < ACROSS; ++k) {
            double u = turn * i / AROUND, v = turn * k / ACROSS, r = radius + thick * cos(v);
            draft_vertex(&draft, r * cos(u), r * sin(u), thick * sin(v));
        }
    for (uint32_t i = 0; i < AROUND; ++i)
        for (uint32_t k = 0; k < ACROSS; ++k) {
            uint32_t a = i * ACROSS + k, b = (i + 1) % AROUND * ACROSS + k;
            uint32_t c = (i + 1) % AROUND * ACROSS + (k + 1) % ACROSS;
            draft_triangle(&draft, a, b, c);
            draft_triangle(&draft, a, c, i * ACROSS + (k + 1) % ACROSS);
        }
}

static double hills(double x, double y)
{
    return 0.2 * sin(4.1 * x + 0.3) * cos(3.7 * y) + 0.1 * sin(9.3 * x - 7.1 * y);
}

static lode_shape add_mesh(lode_body body)
{
    lode_shape_def def = lode_shape_def_default();
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    assert_non_null(mesh);
    lode_shape shape = lode_shape_create_mesh(body, &def, mesh);
    lode_mesh_release(mesh);
    return shape;
}

static lode_shape add_field(lode_body body)
{
    static field_draft field;
    lode_shape_def def = lode_shape_def_default();
    draft_field(&field, 17, 17, 0.25, 0.25, hills);
    lode_heightfield_def field_d = field_def(&field);
    lode_heightfield *h = lode_heightfield_create(&field_d);
    def.pose.position = vec(-2, -2, 0);
    lode_shape shape = lode_shape_create_heightfield(body, &def, h);
    lode_heightfield_release(h);
    return shape;
}

static lode_shape add_one_ground(lode_body body, ground on)
{
    test_random random = {3};
    if (on == FIELD)
        return add_field(body);
    if (on == ON_RING)
        draft_ring(0.6, 0.2);
    else if (on == SHEET)
        draft_grid(&draft, 16, 4, hills);
    else
        draft_star(&draft, 6, 9, 0.5, &random);
    return add_mesh(body);
}

static lode_shape add_hull(lode_body body, const lode_shape_def *def)
{
    test_random random = {7};
    lode_real cloud[20][3];
    for (int i = 0; i < 60; ++i)
        cloud[i / 3][i % 3] = (lode_real)random_between(&random, -0.4, 0.4);
    lode_hull_def hull_def = lode_hull_def_default();
    hull_def.points = cloud[0];
    hull_def.point_count = 20;
    lode_hull *hull = lode_hull_create(&hull_def);
    lode_shape shape = lode_shape_create_hull(body, def, hull);
    lode_hull_release(hull);
    return shape;
}

static lode_shape add_form(lode_body body, form form)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real x = (lode_real)0.4, y = (lode_real)0.3, z = (lode_real)0.5;
    switch (form) {
    case SPHERE:
        return lode_shape_create_sphere(body, &def, x);
    case BOX:
        return lode_shape_create_box(body, &def, vec(x, y, z));
    case CAPSULE:
        return lode_shape_create_capsule(body, &def, y, x);
    case CYLINDER:
        return lode_shape_create_cylinder(body, &def, y, x);
    case HULL:
        return add_hull(body, &def);
    default:
        draft_ring(0.45, 0.15);
        return add_mesh(body);
    }
}

static int set_up(void **state)
{
    lode_world_def def = lode_world_def_default();
    (void)state;
    report_install();
    world = lode_world_create(&def);
    for (int g = 0; g < GROUNDS; ++g) {
        bases[g] = add_body(world, LODE_STATIC, 0, 0, 0);
        grounds[g] = add_one_ground(bases[g], (enum ground)g);
    }
    for (int f = 0; f < FORMS; ++f) {
        movers[f] = add_body(world, LODE_DYNAMIC, 0, 0, 50);
        solids[f] = add_form(movers[f], (enum form)f);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

/* ---- one pose ---- */

typedef struct trial {
    form form;
    ground on;
    int number;
    lode_pose pose;
} trial;

#define HOLD(condition, t, ...) \
    do { \
        if (!(condition) && failures++ < 20) { \
            print_error("%s on %s, number %d: ", form_names[(t)->form], ground_names[(t)->on], \
                        (t)->number); \
            print_error(__VA_ARGS__); \
        } \
    } while (0)

static lode_vec3 any_direction(test_random *random)
{
    double v[3];
    random_direction(random, v);
    return vec((lode_real)v[0], (lode_real)v[1], (lode_real)v[2]);
}

static lode_pose any_pose(ground on, test_random *random)
{
    lode_vec3 axis = any_direction(random), way = any_direction(random);
    lode_real w = (lode_real)random_between(random, -1, 1);
    double far = random_between(random, 0.1, 1.3), x = random_between(random, -1, 1);
    double y = random_between(random, -1, 1), z = random_between(random, 0, 0.7);
    lode_vec3 over = vec((lode_real)x, (lode_real)y, (lode_real)z);
    return (lode_pose){on == SHEET || on == FIELD ? over : v3_scale(way, (lode_real)far),
                       q_normalize((lode_quat){w, axis.x, axis.y, axis.z})};
}

/* Is it apart once it has gone so far? */
static bool is_apart(const trial *t, lode_vec3 way, double length)
{
    lode_closest closest;
    lode_pose pose = t->pose;
    pose.position = v3_madd(pose.position, way, (lode_real)length);
    assert_int_equal(lode_body_set_pose(movers[t->form], pose), LODE_OK);
    assert_true(lode_shape_find_closest(solids[t->form], grounds[t->on], &closest));
    return closest.distance > 0;
}

/* The least of random ways, in steps of a tenth. */
static double shortest_of_random(const trial *t, test_random *random)
{
    double best = 3;
    for (int i = 0; i < WAYS; ++i) {
        lode_vec3 way = any_direction(random);
        for (double length = 0.002; length < best; length *= 1.1)
            if (is_apart(t, way, length))
                best = length;
    }
    return best;
}

/* Says how deep it is. */
static double try_pose(const trial *t, bool overlap)
{
    static lode_collide_point points[POINTS], swapped[POINTS];
    lode_collide_options options = {LODE_COLLIDE_DEEPEST, 0};
    lode_shape a = solids[t->form], b = grounds[t->on];
    int count = lode_shape_collide(a, b, &options, points, POINTS);
    int back = lode_shape_collide(b, a, &options, swapped, POINTS);
    double depth = count ? fmax(0, (double)points[0].depth) : 0;
    HOLD(count == back, t, "%d points, swapped %d\n", count, back);
    if (!overlap) {
        HOLD(depth <= PREFERRED, t, "apart, and told %.9g\n", depth);
        return 0;
    }
    HOLD(depth > 0, t, "told nothing\n");
    if (!(depth > 0))
        return 0;
    lode_vec3 n = points[0].normal, m = swapped[0].normal;
    for (int i = 1; i < count; ++i)
        HOLD(points[i].depth <= points[i - 1].depth, t, "point %d is deeper\n", i);
    HOLD(n.x == -m.x && n.y == -m.y && n.z == -m.z, t, "swapped another normal\n");
    HOLD(is_apart(t, n, depth + ROUNDING), t, "moved by %.9g it is not apart\n", depth);
    return depth;
}

static void the_deepest_point_leads_out(void **state)
{
    (void)state;
    const char *shots = getenv("LODE_SHOTS");
    int count = shots ? atoi(shots) : LODE_CHECKS > 2 ? 6 : 12;
    for (int f = 0; f < FORMS; ++f)
        for (int g = 0; g < GROUNDS; ++g) {
            test_random random = {(uint64_t)(f * 100 + g + 1)};
            int met = 0, asked = 0;
            double told = 0, least = 0;
            for (int n = 0; n < count; ++n) {
                trial t = {(enum form)f, (enum ground)g, n, any_pose((enum ground)g, &random)};
                bool overlap = !is_apart(&t, vec(0, 0, 1), 0);
                double depth = try_pose(&t, overlap);
                met += overlap;
                if (!overlap || asked++ >= ORACLES || f == RING)
                    continue;
                told += depth - PREFERRED;
                least += shortest_of_random(&t, &random);
            }
            assert_true(met >= count / 3);
            trial mean = {(enum form)f, (enum ground)g, -1, {{0, 0, 0}, {1, 0, 0, 0}}};
            HOLD(told * PREFERRED_SHARE <= least, &mean, "told %.3g in all, but %.3g is enough\n",
                 told, least);
        }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_deepest_point_leads_out, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
