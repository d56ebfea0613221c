/* Pools against a plain table of what lives, under random additions and removals. */
#include "core/pool.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

typedef struct wide_line {
    _Alignas(64) uint64_t word[8];
} wide_line;

#define LODE__ITEM_COMPONENTS(X) \
    X(wide, wide_line, LODE__SAVED, LODE__HOT) \
    X(note, uint32_t, LODE__TRANSIENT, LODE__COLD) \
    X(small, uint8_t, LODE__SAVED, LODE__COLD)

LODE__POOL_DECLARE(item, LODE__ITEM_COMPONENTS)
#define ITEM_ROW(...) LODE__POOL_ROW_(lode__item_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(item, LODE__ITEM_COMPONENTS, ITEM_ROW)

enum { SLOTS = 1200 };

typedef struct oracle_slot {
    bool alive;
    uint32_t generation;
    uint64_t content;
    const wide_line *address;
} oracle_slot;

static uint32_t oracle_lowest_free(const oracle_slot *oracle)
{
    uint32_t slot = 0;
    while (oracle[slot].alive || oracle[slot].generation > LODE__MAX_GENERATION)
        ++slot;
    return slot;
}

static void fill(lode__pool *pool, uint32_t slot, uint64_t content)
{
    for (int i = 0; i < 8; ++i)
        LODE__AT(item, pool, wide, slot)->word[i] = content + (uint64_t)i;
    *LODE__AT(item, pool, note, slot) = (uint32_t)content;
    *LODE__AT(item, pool, small, slot) = (uint8_t)content;
}

static void check_slot(const lode__pool *pool, uint32_t slot, const oracle_slot *expected)
{
    assert_int_equal(lode__bits_get(&pool->alive, slot), expected->alive);
    for (uint32_t g = 1; g < 4; ++g) {
        uint32_t generation = expected->generation + 2 - g;
        bool holds = expected->alive && g == 2;
        assert_int_equal(lode__pool_holds(pool, slot, generation), holds);
    }
    if (!expected->alive)
        return;
    const wide_line *line = LODE__AT(item, pool, wide, slot);
    assert_ptr_equal(line, expected->address);
    assert_int_equal((uintptr_t)line % 64, 0);
    assert_true(line->word[0] == expected->content);
    assert_true(line->word[7] == expected->content + 7);
    assert_int_equal(*LODE__AT(item, pool, note, slot), (uint32_t)expected->content);
    assert_int_equal(*LODE__AT(item, pool, small, slot), (uint8_t)expected->content);
}

static void check_pool(const lode__pool *pool, const oracle_slot *oracle)
{
    uint32_t count = 0, end = 0, top = pool->first_generation - 1;
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        check_slot(pool, slot, &oracle[slot]);
        count += oracle[slot].alive;
        end = oracle[slot].alive ? slot + 1 : end;
        uint32_t handed_out = oracle[slot].generation - !oracle[slot].alive;
        top = top < handed_out ? handed_out : top;
    }
    assert_int_equal(pool->count, count);
    assert_int_equal(pool->end, end);
    assert_int_equal(lode__pool_top_generation(pool), top);
}

static void add_one(lode__pool *pool, oracle_slot *oracle, uint64_t content)
{
    uint32_t expected = oracle_lowest_free(oracle);
    uint32_t slot = lode__pool_add(pool);
    assert_int_equal(slot, expected);
    const wide_line zero = {{0}};
    assert_memory_equal(LODE__AT(item, pool, wide, slot), &zero, sizeof zero);
    assert_int_equal(*LODE__AT(item, pool, note, slot), 0);
    assert_int_equal(*LODE__AT(item, pool, small, slot), 0);
    oracle[slot].alive = true;
    oracle[slot].content = content;
    oracle[slot].address = LODE__AT(item, pool, wide, slot);
    fill(pool, slot, content);
}

static void remove_one(lode__pool *pool, oracle_slot *oracle, uint32_t slot)
{
    lode__pool_remove(pool, slot);
    oracle[slot].alive = false;
    oracle[slot].generation++;
}

/* Grows and shrinks in waves; near the last generation, slots retire on the way. */
static void run_random_operations(uint32_t first_generation)
{
    test_random random = {first_generation};
    static oracle_slot oracle[SLOTS];
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, first_generation);
    for (uint32_t slot = 0; slot < SLOTS; ++slot)
        oracle[slot] = (oracle_slot){.generation = first_generation};
    for (int round = 0; round < 24; ++round) {
        uint32_t odds = round % 4 < 2 ? 70 : 30;
        for (int i = 0; i < 200; ++i) {
            uint32_t slot = random_below(&random, SLOTS);
            if (random_below(&random, 100) < odds && oracle_lowest_free(oracle) < SLOTS - 1)
                add_one(&pool, oracle, random_bits(&random) >> 1);
            else if (oracle[slot].alive)
                remove_one(&pool, oracle, slot);
        }
        check_pool(&pool, oracle);
    }
    lode__pool_free(&pool);
}

static void random_operations_agree_with_a_table(void **state)
{
    (void)state;
    alloc_fail_install();
    run_random_operations(1);
    run_random_operations(12345);
    run_random_operations(LODE__MAX_GENERATION - 2);
    run_random_operations(LODE__MAX_GENERATION);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void slot_with_used_up_generations_is_retired(void **state)
{
    (void)state;
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, LODE__MAX_GENERATION - 1);
    assert_int_equal(lode__pool_add(&pool), 0);
    lode__pool_remove(&pool, 0);
    assert_int_equal(lode__pool_add(&pool), 0);
    assert_true(lode__pool_holds(&pool, 0, LODE__MAX_GENERATION));
    assert_int_equal(lode__pool_top_generation(&pool), LODE__MAX_GENERATION);
    lode__pool_remove(&pool, 0);
    for (uint32_t generation = 0; generation < 4; ++generation)
        assert_false(lode__pool_holds(&pool, 0, generation));
    assert_false(lode__pool_holds(&pool, 0, LODE__MAX_GENERATION));
    assert_false(lode__pool_holds(&pool, 0, LODE__MAX_GENERATION + 1));
    assert_int_equal(lode__pool_add(&pool), 1);
    assert_int_equal(lode__pool_add(&pool), 2);
    assert_int_equal(lode__pool_top_generation(&pool), LODE__MAX_GENERATION);
    lode__pool_free(&pool);
}

static void any_question_about_a_slot_is_safe(void **state)
{
    (void)state;
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, 1);
    assert_false(lode__pool_holds(&pool, 0, 1));
    assert_false(lode__pool_holds(&pool, UINT32_MAX, UINT32_MAX));
    uint32_t slot = lode__pool_add(&pool);
    assert_true(lode__pool_holds(&pool, slot, 1));
    assert_false(lode__pool_holds(&pool, slot, 0));
    assert_false(lode__pool_holds(&pool, slot + 1, 1));
    assert_false(lode__pool_holds(&pool, LODE__NONE, 1));
    assert_false(lode__pool_holds(&pool, UINT32_MAX, 1));
    lode__pool_free(&pool);
}

static void hash_sees_what_is_saved_and_nothing_else(void **state)
{
    (void)state;
    lode__pool a, b;
    lode__pool_init(&a, &lode__item_kind, 1);
    lode__pool_init(&b, &lode__item_kind, 1);
    assert_true(lode__pool_hash(&a, 1) != lode__pool_hash(&a, 2));
    /* b arrives at the same state by another way */
    assert_true(lode__pool_reserve(&b, 2000));
    for (uint64_t i = 0; i < 700; ++i) {
        fill(&a, lode__pool_add(&a), i);
        fill(&b, lode__pool_add(&b), i + 1);
    }
    for (uint32_t i = 0; i < 700; ++i)
        fill(&b, i, i);
    uint64_t hash = lode__pool_hash(&a, 1);
    assert_true(hash == lode__pool_hash(&b, 1));
    *LODE__AT(item, &b, note, 300) += 1;
    assert_true(hash == lode__pool_hash(&b, 1));
    *LODE__AT(item, &b, small, 300) ^= 1;
    assert_true(hash != lode__pool_hash(&b, 1));
    *LODE__AT(item, &b, small, 300) ^= 1;
    LODE__AT(item, &b, wide, 699)->word[7] ^= 1;
    assert_true(hash != lode__pool_hash(&b, 1));
    LODE__AT(item, &b, wide, 699)->word[7] ^= 1;
    assert_true(hash == lode__pool_hash(&b, 1));
    /* what died counts no longer, wherever it is; the generation of what lives does */
    lode__pool_remove(&a, 256);
    lode__pool_remove(&b, 256);
    fill(&b, 256, 5);
    assert_true(lode__pool_hash(&a, 1) == lode__pool_hash(&b, 1));
    fill(&b, lode__pool_add(&b), 256);
    assert_true(hash != lode__pool_hash(&b, 1));
    lode__pool_free(&a);
    lode__pool_free(&b);
}

static void reserved_additions_need_no_memory(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, LODE__MAX_GENERATION);
    for (uint32_t i = 0; i < 300; ++i)
        assert_int_not_equal(lode__pool_add(&pool), LODE__NONE);
    for (uint32_t i = 0; i < 300; i += 3)
        lode__pool_remove(&pool, i); /* these are retired */
    assert_true(lode__pool_reserve(&pool, 1000));
    assert_int_equal(alloc_fail_live_bytes(), lode__pool_bytes(&pool));
    alloc_fail_nth(-1);
    for (uint32_t i = 0; i < 1000; ++i)
        assert_int_not_equal(lode__pool_add(&pool), LODE__NONE);
    assert_int_equal(alloc_fail_calls(), 0);
    lode__pool_free(&pool);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void failed_growth_changes_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    for (int reserve = 0; reserve < 2; ++reserve) {
        lode__pool pool;
        lode__pool_init(&pool, &lode__item_kind, 1);
        for (uint64_t i = 0; i < 16 * LODE__CHUNK; ++i)
            fill(&pool, lode__pool_add(&pool), i);
        uint64_t hash = lode__pool_hash(&pool, 0);
        const wide_line *line = LODE__AT(item, &pool, wide, 5);
        uint32_t added;
        long n = 0;
        for (;; ++n) {
            alloc_fail_nth(n);
            added = 16 * LODE__CHUNK;
            if (reserve ? lode__pool_reserve(&pool, 16 * LODE__CHUNK)
                        : (added = lode__pool_add(&pool)) != LODE__NONE)
                break;
            assert_true(alloc_fail_happened());
            assert_true(hash == lode__pool_hash(&pool, 0));
            assert_int_equal(pool.chunk_count, 16);
        }
        alloc_fail_nth(-1);
        assert_true(n >= 2); /* the list of chunks and the chunk at least */
        assert_int_equal(added, 16 * LODE__CHUNK);
        assert_ptr_equal(line, LODE__AT(item, &pool, wide, 5));
        lode__pool_free(&pool);
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void more_slots_than_ids_are_refused(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, 1);
    assert_false(lode__pool_reserve(&pool, LODE__NONE + 1));
    assert_false(lode__pool_reserve(&pool, UINT32_MAX));
    assert_int_equal(alloc_fail_calls(), 0);
    lode__pool_free(&pool);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_a_table),
        cmocka_unit_test(slot_with_used_up_generations_is_retired),
        cmocka_unit_test(any_question_about_a_slot_is_safe),
        cmocka_unit_test(hash_sees_what_is_saved_and_nothing_else),
        cmocka_unit_test(reserved_additions_need_no_memory),
        cmocka_unit_test(failed_growth_changes_nothing),
        cmocka_unit_test(more_slots_than_ids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
