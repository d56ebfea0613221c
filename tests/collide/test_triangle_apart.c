/* test_triangle_apart.c: is a solid out of a triangle? Against the walk of collide/gjk.h, which is
 * asked about every solid but boxes anyway; and against what is known of boxes by construction. */
#include "tests/support/test.h"

#include "collide/gjk.h"
#include "collide/triangle_apart.h"
#include "tests/support/random.h"

static lode_vec3 some_vector(test_random *random, double size)
{
    double x = random_between(random, -size, size);
    double y = random_between(random, -size, size);
    double z = random_between(random, -size, size);
    return v3((lode_real)x, (lode_real)y, (lode_real)z);
}

static lode_quat some_rotation(test_random *random)
{
    lode_quat q = {
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
        (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1)};
    return random_below(random, 4) ? q_normalize(q) : q_identity();
}

/* Large and small ones, thin ones, lines and points. */
static void some_triangle(test_random *random, lode_vec3 out[3])
{
    static const double sizes[] = {0.001, 0.5, 2, 20};
    lode_vec3 at = some_vector(random, 0.6);
    double size = sizes[random_below(random, 4)];
    for (int k = 0; k < 3; ++k)
        out[k] = v3_add(at, some_vector(random, size));
    if (random_below(random, 8) == 0)
        out[2] = v3_madd(out[0], v3_sub(out[1], out[0]), (lode_real)0.4);
    if (random_below(random, 16) == 0)
        out[1] = out[0];
}

static bool walk_says_apart(const lode__convex *solid, lode_quat rotation,
                            const lode_vec3 corners[3], lode_vec3 from, double *out_gap)
{
    lode__convex triangle = convex_make(&lode__convex_triangle, NULL, corners);
    lode__convex_pair pair = lode__convex_pair_make(*solid, rotation, triangle, q_identity(), from);
    lode__nearest nearest;
    bool apart = lode__gjk_distance(&pair, __builtin_inf(), &nearest, NULL);
    *out_gap = apart ? nearest.gap - solid->radius : -1;
    return *out_gap >= 0;
}

static void what_is_said_is_what_the_walk_says(void **state)
{
    (void)state;
    static const int types[] = {LODE_BOX, LODE_BOX, LODE_SPHERE, LODE_CAPSULE, LODE_CYLINDER};
    test_random random = {77};
    int apart = 0, near = 0;
    for (int i = 0; i < 300000; ++i) {
        lode_vec3 half = v3_abs(some_vector(&random, 1)), corners[3];
        const lode_real size[4] = {half.x, half.y, random_below(&random, 32) ? half.z : 0, 0};
        lode__convex solid = convex_make(&lode__convex_types[types[i % 5]], size, NULL);
        lode_quat rotation = some_rotation(&random);
        lode_vec3 from = random_below(&random, 2) ? some_vector(&random, 0.5) : v3_zero();
        some_triangle(&random, corners);
        double gap, told = lode__triangle_apart(&solid, rotation, corners, from);
        assert_int_equal(walk_says_apart(&solid, rotation, corners, from, &gap), told >= 0);
        assert_true(told <= gap + 1e-12 || told < 0); /* both are rounded */
        apart += told >= 0;
        near += gap >= 0 && gap < 0.01;
    }
    print_message("%d of 300000 apart, %d by less than 1 cm\n", apart, near);
    assert_in_range(apart, 100000, 250000);
    assert_true(near > 1000);
}

/* A point of a triangle that lies `gap` above a face, an edge or a corner of a box: with corner k
 * there and the others farther out, they are apart by that. */
static void a_box_is_out_by_the_gap(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 20000; ++i) {
        static const double gaps[] = {-1e-3, -1e-5, 1e-5, 1e-3};
        double gap = gaps[i % 4];
        lode_vec3 half = v3_add(v3_abs(some_vector(&random, 1)), v3(0.05f, 0.05f, 0.05f));
        lode_vec3 normal = v3_add(v3_abs(some_vector(&random, 1)), v3(0.2f, 0.2f, 0.2f)),
                  corners[3];
        int way = i / 4 % 3; /* of a face, an edge, a corner */
        normal = way == 0 ? v3(0, 0, 1) : way == 1 ? v3(0, normal.y, normal.z) : normal;
        normal = v3_normalize_or(normal, v3(0, 0, 1));
        lode_quat rotation = some_rotation(&random);
        lode_vec3 place = v3_madd(half, normal, (lode_real)gap);
        if (way < 2)
            place.x *= (lode_real)random_between(&random, -0.9, 0.9);
        if (way < 1)
            place.y *= (lode_real)random_between(&random, -0.9, 0.9);
        for (int k = 0; k < 3; ++k) {
            lode_vec3 aside = some_vector(&random, 1);
            aside = v3_madd(aside, normal, -v3_dot(aside, normal));
            aside = v3_madd(aside, normal, (lode_real)random_between(&random, 0.01, 1));
            corners[k] = q_rotate(rotation, k == i % 3 ? place : v3_add(place, aside));
        }
        const lode_real size[4] = {half.x, half.y, half.z, 0};
        lode__convex box = convex_make(&lode__convex_types[LODE_BOX], size, NULL);
        double told = lode__triangle_apart(&box, rotation, corners, v3_zero());
        assert_int_equal(told >= 0, gap > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_what_the_walk_says),
        cmocka_unit_test(a_box_is_out_by_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
