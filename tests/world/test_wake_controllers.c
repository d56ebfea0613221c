/* Whom the functions for controllers of articulations, and those of tendons and mimic joints, wake:
 * caches that are applied and setters that are told to, their articulation; all others nobody. A
 * world for each row: two chains of three links, one with a tendon of each type and a mimic joint,
 * both asleep. */
#include "lode/articulation_dynamics.h"
#include "lode/tendon.h"
#include "tests/world/support.h"

enum { NOBODY, ITS_OWN };

typedef struct sleepers {
    lode_world world;
    lode_articulation chain[2];
    lode_body link[2][3];
    lode_tendon line, sum;
    lode_mimic mimic;
    lode_joint loop[2]; /* of the first chain to the world; the first is in its list */
    lode_articulation_cache *cache;
} sleepers;

static void add_pulls(sleepers *s)
{
    lode_tendon_def line = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    lode_tendon_def sum = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_mimic_def mimic = lode_mimic_def_default();
    s->line = lode_tendon_create(s->chain[0], &line);
    s->sum = lode_tendon_create(s->chain[0], &sum);
    for (int i = 0; i < 3; ++i) {
        lode_tendon_attachment at = lode_tendon_attachment_default();
        lode_tendon_joint joint = lode_tendon_joint_default();
        at.parent = joint.parent = i - 1;
        at.link = joint.link = s->link[0][i];
        assert_int_equal(lode_tendon_add_attachment(s->line, &at), i);
        assert_int_equal(lode_tendon_add_joint(s->sum, &joint), i);
    }
    mimic.link_a = s->link[0][1];
    mimic.link_b = s->link[0][2];
    mimic.gear_ratio = -1;
    s->mimic = lode_mimic_create(s->chain[0], &mimic);
    assert_true(lode_mimic_is_valid(s->mimic));
}

static sleepers sleepers_create(void)
{
    report_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    sleepers s = {.world = lode_world_create(&def)};
    for (int c = 0; c < 2; ++c) {
        lode_articulation_def rule = lode_articulation_def_default();
        s.chain[c] = lode_articulation_create(s.world, &rule);
        for (int i = 0; i < 3; ++i) {
            lode_link_def link = lode_link_def_default(LODE_LINK_REVOLUTE_UNWRAPPED);
            link.parent = i > 0 ? s.link[c][i - 1] : (lode_body){0};
            link.parent_frame.position.x = 1;
            link.pose.position.y = (lode_real)(10 * c);
            s.link[c][i] = lode_articulation_add_link(s.chain[c], &link);
        }
        if (c == 0)
            add_pulls(&s);
        assert_int_equal(lode_articulation_insert(s.chain[c]), LODE_OK);
    }
    for (int i = 0; i < 2; ++i) {
        lode_joint_def loop = lode_joint_def_default(LODE_JOINT_BALL);
        loop.body_a = s.link[0][2];
        assert_int_equal(lode_joint_def_anchor_world(&loop, vec(2, 0, 0), vec(1, 0, 0)), LODE_OK);
        s.loop[i] = lode_joint_create(s.world, &loop);
    }
    assert_int_equal(lode_articulation_add_loop_joint(s.chain[0], s.loop[0]), LODE_OK);
    s.cache = lode_articulation_cache_create(s.chain[0]);
    assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
    for (int c = 0; c < 2; ++c)
        assert_int_equal(lode_articulation_sleep(s.chain[c]), LODE_OK);
    assert_int_equal(lode_world_step(s.world, STEP), LODE_OK);
    assert_int_equal(lode_articulation_prepare(s.chain[0]), LODE_OK);
    return s;
}

static lode_real numbers[256];

static bool is_awake(const sleepers *s, int c)
{
    return lode_body_is_awake(s->link[c][0]) || lode_body_is_awake(s->link[c][2]);
}

static void expect(const sleepers *s, const char *function, int wakes)
{
    if (is_awake(s, 0) != (wakes == ITS_OWN) || is_awake(s, 1))
        fail_msg("%s: wakes %d, %d", function, is_awake(s, 0), is_awake(s, 1));
}

static void end(sleepers *s)
{
    lode_articulation_cache_destroy(s->cache);
    lode_world_destroy(s->world);
}

/* Names the function so that only one that exists compiles. */
#define ASK(function, call) \
    do { \
        (void)sizeof &(function); \
        (void)(call); \
        expect(s, #function, NOBODY); \
    } while (0)

static void those_that_ask_wake_nobody(void **state)
{
    (void)state;
    sleepers all = sleepers_create(), *s = &all;
    ASK(lode_articulation_cache_create,
        lode_articulation_cache_destroy(lode_articulation_cache_create(s->chain[0])));
    ASK(lode_articulation_cache_destroy, lode_articulation_cache_destroy(NULL));
    ASK(lode_articulation_get_cache_size, lode_articulation_get_cache_size(s->chain[0]));
    ASK(lode_articulation_cache_zero, lode_articulation_cache_zero(s->chain[0], s->cache));
    ASK(lode_articulation_cache_copy,
        lode_articulation_cache_copy(s->chain[0], s->cache, LODE_CACHE_ALL));
    ASK(lode_articulation_pack_joint_data,
        lode_articulation_pack_joint_data(s->chain[0], numbers, numbers + 32));
    ASK(lode_articulation_unpack_joint_data,
        lode_articulation_unpack_joint_data(s->chain[0], numbers, numbers + 32));
    ASK(lode_articulation_prepare, lode_articulation_prepare(s->chain[0]));
    ASK(lode_articulation_compute_mass_matrix,
        lode_articulation_compute_mass_matrix(s->chain[0], s->cache));
    ASK(lode_articulation_compute_generalized_mass_matrix,
        lode_articulation_compute_generalized_mass_matrix(s->chain[0], s->cache));
    ASK(lode_articulation_compute_gravity_compensation,
        lode_articulation_compute_gravity_compensation(s->chain[0], s->cache));
    ASK(lode_articulation_compute_generalized_gravity_force,
        lode_articulation_compute_generalized_gravity_force(s->chain[0], s->cache));
    ASK(lode_articulation_compute_coriolis_compensation,
        lode_articulation_compute_coriolis_compensation(s->chain[0], s->cache));
    ASK(lode_articulation_compute_coriolis_and_centrifugal_force,
        lode_articulation_compute_coriolis_and_centrifugal_force(s->chain[0], s->cache));
    ASK(lode_articulation_compute_generalized_external_force,
        lode_articulation_compute_generalized_external_force(s->chain[0], s->cache));
    ASK(lode_articulation_compute_joint_acceleration,
        lode_articulation_compute_joint_acceleration(s->chain[0], s->cache));
    ASK(lode_articulation_compute_joint_force,
        lode_articulation_compute_joint_force(s->chain[0], s->cache));
    ASK(lode_articulation_compute_dense_jacobian,
        lode_articulation_compute_dense_jacobian(s->chain[0], s->cache, NULL, NULL));
    ASK(lode_articulation_compute_com, lode_articulation_compute_com(s->chain[0], false));
    ASK(lode_articulation_compute_centroidal_momentum_matrix,
        lode_articulation_compute_centroidal_momentum_matrix(s->chain[0], s->cache));
    ASK(lode_articulation_compute_derivatives,
        lode_articulation_compute_derivatives(s->chain[0], s->cache, NULL, NULL, numbers));
    ASK(lode_articulation_get_loop_joints,
        lode_articulation_get_loop_joints(s->chain[0], NULL, 0, 0));
    ASK(lode_articulation_count_loop_rows, lode_articulation_count_loop_rows(s->chain[0]));
    ASK(lode_articulation_get_coefficient_matrix_size,
        lode_articulation_get_coefficient_matrix_size(s->chain[0]));
    ASK(lode_articulation_compute_coefficient_matrix,
        lode_articulation_compute_coefficient_matrix(s->chain[0], s->cache, numbers));
    ASK(lode_articulation_compute_lambda,
        lode_articulation_compute_lambda(s->chain[0], s->cache, numbers, STEP, 10, numbers + 32,
                                         NULL));
    ASK(lode_articulation_get_link_acceleration,
        lode_articulation_get_link_acceleration(s->chain[0], 0));
    ASK(lode_tendon_is_valid, lode_tendon_is_valid(s->line));
    ASK(lode_tendon_get_articulation, lode_tendon_get_articulation(s->line));
    ASK(lode_articulation_get_tendons,
        lode_articulation_get_tendons(s->chain[0], LODE_TENDON_FIXED, NULL, 0, 0));
    ASK(lode_tendon_get_def, lode_tendon_get_def(s->line));
    ASK(lode_tendon_count_parts, lode_tendon_count_parts(s->line));
    ASK(lode_tendon_get_attachment, lode_tendon_get_attachment(s->line, 2));
    ASK(lode_tendon_get_joint, lode_tendon_get_joint(s->sum, 2));
    ASK(lode_tendon_get_length, lode_tendon_get_length(s->line, 2));
    ASK(lode_mimic_is_valid, lode_mimic_is_valid(s->mimic));
    ASK(lode_mimic_get_articulation, lode_mimic_get_articulation(s->mimic));
    ASK(lode_articulation_get_mimics, lode_articulation_get_mimics(s->chain[0], NULL, 0, 0));
    ASK(lode_mimic_get_def, lode_mimic_get_def(s->mimic));
    end(s);
}

/* ---- what sets things as they are */

static lode_status set_tendon(const sleepers *s, bool wake)
{
    lode_tendon_def def = lode_tendon_get_def(s->line);
    return lode_tendon_set_def(s->line, &def, wake);
}

static lode_status set_attachment(const sleepers *s)
{
    lode_tendon_attachment at = lode_tendon_get_attachment(s->line, 2);
    return lode_tendon_set_attachment(s->line, 2, &at, true);
}

static lode_status set_joint(const sleepers *s)
{
    lode_tendon_joint joint = lode_tendon_get_joint(s->sum, 2);
    return lode_tendon_set_joint(s->sum, 2, &joint, true);
}

static lode_status set_mimic(const sleepers *s)
{
    lode_mimic_def def = lode_mimic_get_def(s->mimic);
    return lode_mimic_set_def(s->mimic, &def, true);
}

/* A world of its own for each. */
#define WAKE_ROW(function, call, wakes) \
    do { \
        sleepers all = sleepers_create(), *s = &all; \
        (void)sizeof &(function); \
        (void)(call); \
        expect(s, #function, wakes); \
        end(s); \
    } while (0)

static void those_that_change_something_wake_their_own(void **state)
{
    (void)state;
    const lode_tendon_def line = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    WAKE_ROW(lode_articulation_cache_apply,
             lode_articulation_cache_apply(s->chain[0], s->cache, LODE_CACHE_POSITION, true),
             ITS_OWN);
    WAKE_ROW(lode_articulation_update_kinematic,
             lode_articulation_update_kinematic(s->chain[0], LODE_KINEMATIC_VELOCITY), NOBODY);
    WAKE_ROW(lode_articulation_add_loop_joint,
             lode_articulation_add_loop_joint(s->chain[0], s->loop[1]), NOBODY);
    WAKE_ROW(lode_articulation_remove_loop_joint,
             lode_articulation_remove_loop_joint(s->chain[0], s->loop[0]), NOBODY);
    WAKE_ROW(lode_tendon_create, lode_tendon_create(s->chain[0], &line), NOBODY);
    WAKE_ROW(lode_tendon_destroy, lode_tendon_destroy(s->line), NOBODY);
    WAKE_ROW(lode_tendon_set_def, set_tendon(s, true), ITS_OWN);
    WAKE_ROW(lode_tendon_set_def, set_tendon(s, false), NOBODY);
    WAKE_ROW(lode_tendon_add_attachment, lode_tendon_add_attachment(s->line, NULL), NOBODY);
    WAKE_ROW(lode_tendon_add_joint, lode_tendon_add_joint(s->sum, NULL), NOBODY);
    WAKE_ROW(lode_tendon_set_attachment, set_attachment(s), ITS_OWN);
    WAKE_ROW(lode_tendon_set_joint, set_joint(s), ITS_OWN);
    WAKE_ROW(lode_mimic_create, lode_mimic_create(s->chain[0], NULL), NOBODY);
    WAKE_ROW(lode_mimic_destroy, lode_mimic_destroy(s->mimic), NOBODY);
    WAKE_ROW(lode_mimic_set_def, set_mimic(s), ITS_OWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_ask_wake_nobody),
        cmocka_unit_test(those_that_change_something_wake_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
