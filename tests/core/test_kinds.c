/* The four kinds of pool as declared: lines aligned for the kernels, tables that match the chunks,
 * saved components without padding (they are hashed as bytes). */
#include "core/bodies.h"
#include "core/contact.h"
#include "core/joints.h"
#include "core/shapes.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/test.h"

#include <string.h>

static const lode__pool_kind *const kinds[] = {
    &lode__body_kind,  &lode__samples_kind,  &lode__shape_kind,
    &lode__joint_kind, &lode__manifold_kind,
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void tables_describe_arrays_that_follow_each_other(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) {
        const lode__pool_kind *kind = kinds[k];
        size_t end = sizeof(lode__chunk);
        for (int i = 0; i < kind->component_count; ++i) {
            const lode__component *component = &kind->components[i];
            assert_true(strlen(component->name) > 0);
            assert_in_range(component->offset, end, end + 63);
            end = component->offset + (size_t)LODE__CHUNK * component->size;
        }
        assert_in_range(kind->chunk_size, end, end + 63);
        assert_int_equal(kind->chunk_size % 64, 0);
    }
}

static void hot_lines_of_bodies_are_aligned_to_their_size(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__pool bodies;
    lode__pool_init(&bodies, &lode__body_kind, 1);
    for (int i = 0; i < 2 * LODE__CHUNK; ++i) {
        uint32_t slot = lode__pool_add(&bodies);
        assert_int_equal((uintptr_t)LODE__AT(body, &bodies, pose, slot) % LODE__LINE_ALIGN, 0);
        assert_int_equal((uintptr_t)LODE__AT(body, &bodies, velocity, slot) % LODE__LINE_ALIGN, 0);
        assert_int_equal((uintptr_t)LODE__AT(body, &bodies, inv_mass, slot) % LODE__LINE_ALIGN, 0);
        assert_int_equal((uintptr_t)LODE__AT(body, &bodies, force, slot) % LODE__LINE_ALIGN, 0);
    }
    lode__pool_free(&bodies);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* Each record is as large as its members together; who adds one counts it here. Manifolds are left
 * out: their points end in padding in double precision, and a world folds them member by member. */
static void saved_records_have_no_padding(void **state)
{
    (void)state;
    const size_t real = sizeof(lode_real), word = sizeof(uint32_t);
    assert_int_equal(sizeof(lode__local_mass), 16 * real);
    assert_int_equal(sizeof(lode__geometry), 18 * real + 2 * word);
    assert_int_equal(sizeof(lode__surface), 3 * real);
    assert_int_equal(sizeof(lode__filter), 4 * word);
    assert_int_equal(sizeof(lode__joint), 18 * real + 4 * word);
    assert_int_equal(sizeof(lode__joint_arm), real + 6 * word);
    assert_int_equal(sizeof(lode__joint_anchors), 6 * real);
    assert_int_equal(sizeof(lode__joint_impulse), LODE__JOINT_ROWS * real);
    /* an axis ends with what frame its direction is in, and padding that copies leave as it is */
    assert_int_equal(offsetof(lode_joint_axis, frame), 14 * real);
    assert_int_equal(sizeof(lode__joint_position), LODE_JOINT_AXES * real);
    assert_int_equal(sizeof(lode_vec3), 3 * real);
    assert_int_equal(sizeof(lode_pose), 7 * real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_describe_arrays_that_follow_each_other),
        cmocka_unit_test(hot_lines_of_bodies_are_aligned_to_their_size),
        cmocka_unit_test(saved_records_have_no_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
