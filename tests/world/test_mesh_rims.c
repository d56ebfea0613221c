/* test_mesh_rims.c: meshes that reach round the rim of a surface that encloses nothing, which they
 * may without a touch: a clamp of three blocks, with one jaw above and one below a height field, or
 * the mesh of the same triangles. Whether the two cross is known from every pair of triangles. */
#include "tests/world/support.h"

#include "core/math.h"
#include "tests/collide/brute_triangles.h"
#include "tests/collide/fields.h"

#include <math.h>

enum { CLAMPS = 200, MOST_POINTS = 512 };

/* Of the contacts: what is nearer may touch. */
#define MARGIN 0.008
#define ROUNDING 1e-6 /* m */

static field_draft field;
static mesh_draft equal, clamp, block;
static test_random numbers;

static double bumps(double x, double y)
{
    return 0.08 * sin(3 * x + 1) * cos(2 * y);
}

static double between(double lo, double hi)
{
    return random_between(&numbers, lo, hi);
}

static void add_block(double x, double y, double z, double half_x, double half_y, double half_z)
{
    uint32_t first = (uint32_t)clamp.vertex_count;
    draft_box(&block, half_x, half_y, half_z);
    for (int i = 0; i < block.vertex_count; ++i) {
        const float *v = block.vertices[i];
        draft_vertex(&clamp, x + (double)v[0], y + (double)v[1], z + (double)v[2]);
    }
    for (int i = 0; i < block.triangle_count; ++i) {
        const uint32_t *t = block.indices[i];
        draft_triangle(&clamp, first + t[0], first + t[1], first + t[2]);
    }
}

/* Of a ground of 2 m by 2 m it holds the side at x = 2; one jaw is longer than the other. */
static void draft_clamp(void)
{
    clamp.vertex_count = clamp.triangle_count = 0;
    add_block(1.4, 1, -0.5, between(0.3, 0.9), 0.4, 0.1);
    add_block(2.5, 1, 0, 0.1, 0.4, 0.6);
    add_block(1.7, 1, 0.5, 0.7, 0.4, 0.1);
}

static lode_pose random_pose(void)
{
    double x = between(-0.1, 0.1), y = between(-0.1, 0.1), z = between(-0.7, 0.7);
    double pitch = between(-0.1, 0.1), roll = between(-0.1, 0.1);
    return (lode_pose){vec((lode_real)x, (lode_real)y, (lode_real)z),
                       q_normalize((lode_quat){1, (lode_real)roll, (lode_real)pitch, 0})};
}

static lode_shape add_mesh(lode_body body, const mesh_draft *draft)
{
    lode_mesh_def def = draft_def(draft);
    lode_shape_def shape = lode_shape_def_default();
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    lode_shape s = lode_shape_create_mesh(body, &shape, mesh);
    lode_mesh_release(mesh);
    return s;
}

static lode_shape add_ground_of(lode_world world, bool as_mesh)
{
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def shape = lode_shape_def_default();
    if (as_mesh)
        return add_mesh(body, &equal);
    lode_heightfield_def def = field_def(&field);
    lode_heightfield *made = lode_heightfield_create(&def);
    lode_shape s = lode_shape_create_heightfield(body, &shape, made);
    lode_heightfield_release(made);
    return s;
}

static void hold(bool as_mesh)
{
    static lode_collide_point points[MOST_POINTS];
    static brute_set one, two;
    const lode_collide_options options = {LODE_COLLIDE_ALL, (lode_real)MARGIN};
    int free = 0, met = 0;
    draft_field(&field, 9, 9, 0.25, 0.25, bumps);
    draft_equal(&equal, &field, NULL);
    brute_place(&one, &equal, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
    numbers.state = 3;
    for (int i = 0; i < CLAMPS; ++i) {
        lode_world_def def = lode_world_def_default();
        lode_world world = lode_world_create(&def);
        lode_shape ground = add_ground_of(world, as_mesh);
        draft_clamp();
        lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_shape shape = add_mesh(body, &clamp);
        lode_pose pose = random_pose();
        assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
        brute_place(&two, &clamp, pose);
        double least = brute_distance(&one, &two);
        for (int swapped = 0; swapped < 2; ++swapped) {
            int count = lode_shape_collide(swapped ? shape : ground, swapped ? ground : shape,
                                           &options, points, MOST_POINTS);
            assert_in_range(count, 0, MOST_POINTS);
            for (int k = 0; k < count; ++k)
                assert_true(least == 0 || (double)points[k].depth < ROUNDING);
            if (least > MARGIN * 1.1)
                assert_int_equal(count, 0);
            else if (least == 0)
                assert_true(count > 0);
        }
        free += least > MARGIN * 1.1;
        met += least == 0;
        lode_world_destroy(world);
    }
    assert_true(free > CLAMPS / 4 && met > CLAMPS / 4);
}

/* A block beside the rim at x = 2, less than a millimetre from it, its top as near to the height of
 * the ground there, above or below: it is told no depth. */
static void hold_beside(bool as_mesh)
{
    static lode_collide_point points[MOST_POINTS];
    const lode_collide_options options = {LODE_COLLIDE_ALL, (lode_real)MARGIN};
    int told = 0;
    draft_field(&field, 9, 9, 0.25, 0.25, NULL);
    draft_equal(&equal, &field, NULL);
    numbers.state = 5;
    for (int i = 0; i < CLAMPS; ++i) {
        lode_world_def def = lode_world_def_default();
        lode_world world = lode_world_create(&def);
        lode_shape ground = add_ground_of(world, as_mesh);
        double gap = between(1e-5, 1e-3), rise = between(-1e-3, 1e-3), tilt = between(0, 0.5);
        clamp.vertex_count = clamp.triangle_count = 0;
        add_block(2.3 + gap, 1, rise - 0.2, 0.3, 0.3, 0.2);
        lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_shape shape = add_mesh(body, &clamp);
        /* about the upper edge beside the rim, away from it */
        lode_vec3 edge = vec((lode_real)(2 + gap), 0, (lode_real)rise);
        lode_quat turn = {(lode_real)cos(tilt / 2), 0, (lode_real)-sin(tilt / 2), 0};
        lode_vec3 to = q_rotate(turn, edge);
        lode_pose pose = {vec(edge.x - to.x, 0, edge.z - to.z), turn};
        assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
        int count = lode_shape_collide(ground, shape, &options, points, MOST_POINTS);
        assert_in_range(count, 0, MOST_POINTS);
        for (int k = 0; k < count; ++k)
            assert_true((double)points[k].depth < ROUNDING);
        told += count > 0;
        lode_world_destroy(world);
    }
    assert_true(told > CLAMPS / 2);
}

static void who_is_beside_a_rim_is_told_no_depth(void **state)
{
    (void)state;
    hold_beside(false);
    hold_beside(true);
}

static void what_reaches_round_a_field_is_free(void **state)
{
    (void)state;
    hold(false);
}

static void what_reaches_round_a_sheet_is_free(void **state)
{
    (void)state;
    hold(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reaches_round_a_field_is_free),
        cmocka_unit_test(what_reaches_round_a_sheet_is_free),
        cmocka_unit_test(who_is_beside_a_rim_is_told_no_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
