/* test_manifolds.c: what manifolds keep from step to step and where their points lie: impulses
 * follow features that change place, points are measured from the centre of mass of body a
 * whatever hangs where on the bodies, and a moved plane finds what lies still. */
#include "tests/support/test.h"

#include "core/math.h"
#include "lode/setup.h"
#include "tests/collide/shape_set.h"

static const lode_vec3 half = {(lode_real)0.5, (lode_real)0.5, (lode_real)0.5};

static void mark_impulses(const lode__manifold *m)
{
    for (int k = 0; k < m->point_count; ++k) {
        lode__point *point = (lode__point *)&m->points[k];
        for (int i = 0; i < 3; ++i)
            point->impulse[i] = (lode_real)point->feature * (i + 1);
    }
}

static void check_marks(const lode__manifold *m)
{
    for (int k = 0; k < m->point_count; ++k)
        for (int i = 0; i < 3; ++i)
            assert_true(m->points[k].impulse[i] == (lode_real)m->points[k].feature * (i + 1));
}

/* A box on a plane tips over the edge at x = 0.5: of its points 1, 2, 3, 4 the second and the
 * fourth stay, now in the first two places. Back on its face, the other two start from nothing. */
static void impulses_follow_features_that_change_place(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    uint32_t plane = set_add_plane(&s, v3(0, 0, 1), 0);
    uint32_t box = set_add_box(&s, true, half, v3(0, 0, (lode_real)0.5));
    lode_quat tipped = q_normalize((lode_quat){1, 0, (lode_real)0.05, 0});

    assert_true(set_step(&s));
    const lode__manifold *m = set_find(&s, plane, box);
    assert_true(m && m->point_count == 4);
    mark_impulses(m);
    uint32_t second = m->points[1].feature, fourth = m->points[3].feature;

    lode_vec3 edge = q_rotate(tipped, v3((lode_real)0.5, 0, (lode_real)-0.5));
    *set_pose(&s, box) = (lode__pose){.position = v3(0, 0, -edge.z), .rotation = tipped};
    assert_true(set_step(&s));
    m = set_find(&s, plane, box);
    assert_true(m && m->point_count == 2);
    assert_true(m->points[0].feature == second && m->points[1].feature == fourth);
    check_marks(m);

    *set_pose(&s, box) = (lode__pose){.position = v3(0, 0, (lode_real)0.5),
                                      .rotation = q_identity()};
    assert_true(set_step(&s));
    m = set_find(&s, plane, box);
    assert_true(m && m->point_count == 4);
    for (int k = 0; k < 4; k += 2)
        for (int i = 0; i < 3; ++i)
            assert_true(m->points[k].impulse[i] == 0 &&
                        m->points[k + 1].impulse[i] ==
                            (lode_real)m->points[k + 1].feature * (i + 1));
    set_free(&s);
}

/* A sphere with a shape on an arm of 3 m along x, above a static box: points lie 3 m from a's
 * centre, or, where the static box is a, at its own. `arm_is_a`: the armed body is made first. */
static void check_arm(lode_shape_type type, bool arm_is_a)
{
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    lode_real size[4] = {half.x, half.y, half.z, 0};
    lode_pose arm = {{3, 0, 0}, {1, 0, 0, 0}};
    const lode_vec3 top = {0, 0, (lode_real)0.998};
    uint32_t ground = LODE__NONE;
    if (!arm_is_a)
        ground = set_add_box(&s, false, half, v3(3, 0, 0));
    uint32_t hub = set_add_sphere(&s, true, (lode_real)0.1, top);
    uint32_t shape = set_add_to(&s, hub, type, size, arm);
    if (arm_is_a)
        ground = set_add_box(&s, false, half, v3(3, 0, 0));

    assert_true(set_step(&s));
    const lode__manifold *m = set_find(&s, shape, ground);
    assert_non_null(m);
    assert_int_equal(m->point_count, type == LODE_BOX ? 4 : 1);
    lode_vec3 sum = v3_zero();
    for (int k = 0; k < m->point_count; ++k)
        sum = v3_madd(sum, m->points[k].position, 1 / (lode_real)m->point_count);
    lode_vec3 wanted = arm_is_a ? v3(3, 0, (lode_real)-0.499) : v3(0, 0, (lode_real)0.499);
    assert_true(v3_length(v3_sub(sum, wanted)) < (lode_real)1e-5);
    assert_true(m->normal.z == (arm_is_a ? 1 : -1));
    set_free(&s);
}

static void points_are_measured_from_the_centre_of_mass(void **state)
{
    (void)state;
    for (int arm_is_a = 0; arm_is_a < 2; ++arm_is_a) {
        check_arm(LODE_BOX, arm_is_a);
        check_arm(LODE_SPHERE, arm_is_a);
    }
}

/* The box does not move; only the plane does. */
static void a_moved_plane_finds_what_lies_still(void **state)
{
    (void)state;
    shape_set s;
    assert_true(set_init(&s, 1, LODE_SIMD_PLAIN));
    uint32_t plane = set_add_plane(&s, v3(0, 0, 1), 0);
    uint32_t box = set_add_box(&s, true, half, v3(0, 0, 5));
    for (int step = 0; step < 2; ++step)
        assert_true(set_step(&s));
    assert_null(set_find(&s, plane, box));
    set_pose(&s, plane)->position.z = (lode_real)4.501;
    lode__collide_refresh(&s.collide, plane);
    assert_true(set_step(&s));
    const lode__manifold *m = set_find(&s, plane, box);
    assert_true(m && m->point_count == 4 && m->normal.z == -1);
    set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_follow_features_that_change_place),
        cmocka_unit_test(points_are_measured_from_the_centre_of_mass),
        cmocka_unit_test(a_moved_plane_finds_what_lies_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
