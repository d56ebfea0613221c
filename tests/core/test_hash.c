/* The hash of memory: every bit counts, wherever it lies, and so does the length. */
#include "core/hash.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <string.h>

enum { MOST = 100 };

static void every_bit_counts(void **state)
{
    (void)state;
    test_random random = {3};
    unsigned char bytes[MOST];
    for (size_t i = 0; i < MOST; ++i)
        bytes[i] = (unsigned char)random_bits(&random);
    for (size_t size = 0; size <= MOST; ++size) {
        uint64_t hash = lode__hash_bytes(1, bytes, size);
        assert_true(hash == lode__hash_bytes(1, bytes, size));
        assert_true(hash != lode__hash_bytes(2, bytes, size));
        for (size_t bit = 0; bit < 8 * size; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(hash != lode__hash_bytes(1, bytes, size));
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

static void length_counts(void **state)
{
    (void)state;
    const unsigned char zeros[MOST] = {0};
    for (size_t a = 0; a <= MOST; ++a)
        for (size_t b = 0; b < a; ++b)
            assert_true(lode__hash_bytes(0, zeros, a) != lode__hash_bytes(0, zeros, b));
}

static void address_does_not_count(void **state)
{
    (void)state;
    unsigned char text[MOST + 16];
    for (size_t shift = 0; shift < 16; ++shift) {
        for (size_t i = 0; i < MOST; ++i)
            text[shift + i] = (unsigned char)(i * 7);
        unsigned char copy[MOST];
        memcpy(copy, text + shift, MOST);
        assert_true(lode__hash_bytes(9, text + shift, MOST) == lode__hash_bytes(9, copy, MOST));
    }
}

/* The value itself must not change from build to build: golden hashes of worlds depend on it. */
static void value_is_the_same_on_every_build(void **state)
{
    (void)state;
    unsigned char bytes[MOST];
    for (size_t i = 0; i < MOST; ++i)
        bytes[i] = (unsigned char)i;
    assert_true(lode__hash_bytes(42, bytes, MOST) == UINT64_C(0x55a12893d4b2769e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(length_counts),
        cmocka_unit_test(address_does_not_count),
        cmocka_unit_test(value_is_the_same_on_every_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
