/* test_coordinates.c: positions of an articulation's joints: what is written is read again, single
 * turns count as their type says, several turns are rotation vectors. */
#include "core/math.h"
#include "solver/articulation/coordinates.h"
#include "tests/solver/random_tree.h"
#include "tests/support/test.h"

#include <math.h>

#ifdef LODE_DOUBLE
static const double tight = 1e-14;
#else
static const double tight = 1e-6;
#endif

static const double pi = 3.14159265358979323846;

static random_tree o;

static void rotation_vectors_turn_by_their_length(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 20000; ++round) {
        double axis[3], size = round < 100 ? pow(10, -round) : random_between(&random, 0, pi);
        random_direction(&random, axis);
        lode_vec3 v = {(lode_real)(size * axis[0]), (lode_real)(size * axis[1]),
                       (lode_real)(size * axis[2])};
        lode_quat q = lode__turn_by_vector(v),
                  wanted = {(lode_real)cos(size / 2), (lode_real)(sin(size / 2) * axis[0]),
                            (lode_real)(sin(size / 2) * axis[1]),
                            (lode_real)(sin(size / 2) * axis[2])};
        assert_true(fabs((double)(q.w - wanted.w)) < tight);
        assert_true(fabs((double)(q.x - wanted.x)) < tight * size + tight * tight);
        assert_true(fabs((double)(q.y - wanted.y)) < tight * size + tight * tight);
        assert_true(fabs((double)(q.z - wanted.z)) < tight * size + tight * tight);
        lode_vec3 back = lode__vector_of_turn(q);
        lode_vec3 other = lode__vector_of_turn((lode_quat){-q.w, -q.x, -q.y, -q.z});
        if (size < 3.14)
            assert_true((double)v3_length(v3_sub(back, v)) <= 10 * tight * size);
        if (size < 3.14)
            assert_true(v3_length(v3_sub(back, other)) == 0);
        assert_true((double)v3_length(back) <= pi * (1 + tight));
    }
    assert_true(v3_is_zero(lode__vector_of_turn(q_identity())));
}

/* Of joints with any axes, each with the positions it can have. */
static void what_is_written_is_read(void **state)
{
    (void)state;
    test_random random = {5};
    for (uint32_t round = 0; round < 300; ++round) {
        lode_real written[MOST_DOFS], read[MOST_DOFS];
        random_tree_make(&o, 2 + random_below(&random, 20), round % 2, round, &random);
        const lode__mb_plan *plan = o.tree.plan;
        for (uint32_t i = 1; i < plan->link_count; ++i) {
            double most = plan->angles[i] == 1 ? 6.28 : 1.8; /* of three 1.8 is within pi */
            uint32_t begin = plan->first_dof[i], end = plan->first_dof[i + 1];
            for (uint32_t k = begin; k < end; ++k) {
                bool slides = plan->axis[k] >= LODE__MB_FIRST_SLIDE;
                written[k] = (lode_real)random_between(&random, -most, most);
                read[k] = slides ? 99 : written[k] + (lode_real)random_between(&random, -3, 3);
            }
            lode__mb_write_positions(&o.tree, i, written);
            lode__mb_read_positions(&o.tree, i, LODE__MB_WRAPPED, read);
            for (uint32_t k = begin; k < end; ++k)
                assert_true(fabs((double)(read[k] - written[k])) < 20 * tight);
        }
    }
}

static void one_turn(void)
{
    static const lode__mb_joint joints[2] = {{LODE__MB_NO_PARENT, 0, false}, {0, 1u << 1, false}};
    o.tree = (lode__multibody){lode__mb_plan_make(o.plan, joints, 2, true), o.links, o.dofs};
    mb_put4(o.links[1].turn, q_identity());
    mb_put3(o.links[1].slide, v3_zero());
}

/* Steps of up to nearly half a turn, either way, far out and back. */
static void turns_are_counted(void **state)
{
    (void)state;
    test_random random = {7};
    lode_real counted[1] = {0}, wrapped[1] = {0};
    double sum = 0, farthest = 0;
    one_turn();
    for (int round = 0; round < 20000; ++round) {
        double by = random_between(&random, -3, 3) + (round < 10000 ? 0.1 : -0.1);
        o.dofs[0].speed[0] = (lode_real)by;
        sum += (double)o.dofs[0].speed[0];
        farthest = fmax(farthest, fabs(sum));
        lode__mb_kernels_one.move(&o.tree, 1);
        lode__mb_read_positions(&o.tree, 1, LODE__MB_UNWRAPPED, counted);
        double error = (double)counted[0] - sum;
        assert_true(fabs(error) < tight * (10 + round + fabs(sum))); /* each step rounds */

        lode_real before = wrapped[0];
        lode__mb_read_positions(&o.tree, 1, LODE__MB_WRAPPED, wrapped);
        double plain = (double)before + by, now = (double)wrapped[0];
        double wanted = plain > 2 * pi ? plain - 4 * pi : plain < -2 * pi ? plain + 4 * pi : plain;
        bool edge = fabs(fabs(plain) - 2 * pi) < 1e-4;
        assert_true(fabs(now) <= 2 * pi + 4 * tight);
        assert_true(edge || fabs(now - wanted) < 100 * tight);
    }
    assert_true(farthest > 300); /* many turns */
}

static void a_wrapped_turn_comes_back_by_two_turns(void **state)
{
    (void)state;
    static const double from[] = {6.30, -6.30, 6.28, -6.28, 12.5, 19, 0};
    static const double to[] = {6.30 - 12.566370614359172, 12.566370614359172 - 6.30, 6.28, -6.28,
                                12.5 - 12.566370614359172, 19 - 25.132741228718345,   0};
    one_turn();
    for (size_t i = 0; i < sizeof from / sizeof *from; ++i) {
        lode_real position[1] = {(lode_real)from[i]};
        lode__mb_write_positions(&o.tree, 1, position);
        lode__mb_read_positions(&o.tree, 1, LODE__MB_WRAPPED, position);
        assert_true(fabs((double)position[0] - to[i]) < 20 * tight);
        position[0] = (lode_real)from[i];
        lode__mb_read_positions(&o.tree, 1, LODE__MB_UNWRAPPED, position);
        assert_true(fabs((double)position[0] - from[i]) < 20 * tight);
    }
    mb_put4(o.links[1].turn, q_identity()); /* two pi is within */
    lode_real position[1] = {(lode_real)(2 * pi)};
    lode__mb_read_positions(&o.tree, 1, LODE__MB_WRAPPED, position);
    assert_true(position[0] == (lode_real)(2 * pi));
    o.links[1].turn[0] = -1; /* the other name of no turn */
    position[0] = 0;
    lode__mb_read_positions(&o.tree, 1, LODE__MB_WRAPPED, position);
    assert_true(position[0] == 0);
}

/* However it moves, a joint with two turns keeps the third number of its rotation vector at
 * nothing, and its positions say where it is. */
static void two_turns_have_two_numbers(void **state)
{
    (void)state;
    test_random random = {11};
    for (uint32_t locked = 0; locked < 3; ++locked) {
        lode__mb_joint joints[2] = {{LODE__MB_NO_PARENT, 0, false},
                                    {0, (uint8_t)(7u & ~(1u << locked)), false}};
        o.tree = (lode__multibody){lode__mb_plan_make(o.plan, joints, 2, true), o.links, o.dofs};
        mb_put4(o.links[1].turn, q_identity());
        mb_put3(o.links[1].slide, v3_zero());
        for (int round = 0; round < 2000; ++round) {
            random_tree_numbers(&random, o.dofs[0].speed, 1, 5);
            random_tree_numbers(&random, o.dofs[1].speed, 1, 5);
            lode__mb_kernels_one.move(&o.tree, (lode_real)0.01);
            lode_vec3 v = lode__vector_of_turn(mb_q(o.links[1].turn));
            assert_true(fabs((double)(&v.x)[locked]) < tight);
            lode_real position[2];
            lode_quat was = mb_q(o.links[1].turn);
            lode__mb_read_positions(&o.tree, 1, LODE__MB_WRAPPED, position);
            lode__mb_write_positions(&o.tree, 1, position);
            assert_true(fabs(fabs((double)q_dot(was, mb_q(o.links[1].turn))) - 1) < 10 * tight);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_vectors_turn_by_their_length),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(turns_are_counted),
        cmocka_unit_test(a_wrapped_turn_comes_back_by_two_turns),
        cmocka_unit_test(two_turns_have_two_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
