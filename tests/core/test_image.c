/* Images of pools: what comes back is what was, in the same pool and in others; malformed bytes are
 * refused, whatever they are. */
#include "core/image.h"
#include "core/memory.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdlib.h>

#define LODE__ITEM_COMPONENTS(X) \
    X(wide, uint64_t, LODE__SAVED, LODE__HOT) \
    X(note, uint32_t, LODE__TRANSIENT, LODE__COLD) \
    X(mark, void *, LODE__CARRIED, LODE__COLD) \
    X(small, uint8_t, LODE__SAVED, LODE__COLD)

LODE__POOL_DECLARE(item, LODE__ITEM_COMPONENTS)
#define ITEM_ROW(...) LODE__POOL_ROW_(lode__item_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(item, LODE__ITEM_COMPONENTS, ITEM_ROW)

enum { ROOM = 1 << 16 };

static test_random random_state = {1};

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static bytes image_of(const lode__pool *pool)
{
    lode__writer out = {malloc(ROOM), ROOM, 0}, measure = {0};
    lode__image_write(pool, &out);
    lode__image_write(pool, &measure);
    assert_int_equal(out.used, measure.used);
    assert_true(out.used <= ROOM);
    return (bytes){out.bytes, out.used};
}

static bool read_image(lode__pool_image *image, const char *data, size_t size)
{
    lode__reader in = {data, size, false};
    return lode__image_read(image, &lode__item_kind, &in) && in.left == 0;
}

static void set_back(lode__pool *pool, bytes from)
{
    lode__pool_image image;
    assert_true(read_image(&image, from.data, from.size));
    assert_true(lode__image_fits(&image, pool));
    assert_true(lode__image_reserve(&image, pool));
    lode__image_restore(&image, pool);
}

static void expect_image(const lode__pool *pool, bytes expected)
{
    bytes now = image_of(pool);
    assert_int_equal(now.size, expected.size);
    assert_memory_equal(now.data, expected.data, now.size);
    free(now.data);
}

static void add(lode__pool *pool)
{
    uint32_t slot = lode__pool_add(pool);
    assert_true(slot != LODE__NONE);
    *LODE__AT(item, pool, wide, slot) = (uint32_t)random_bits(&random_state);
    *LODE__AT(item, pool, note, slot) = 7;
    *LODE__AT(item, pool, mark, slot) = (void *)(uintptr_t)(uint32_t)random_bits(&random_state);
    *LODE__AT(item, pool, small, slot) = (uint8_t)(uint32_t)random_bits(&random_state);
}

static void churn(lode__pool *pool, int times)
{
    for (int i = 0; i < times; ++i) {
        uint32_t slot = pool->end ? random_below(&random_state, pool->end) : 0;
        if (random_below(&random_state, 3) && pool->count < 600)
            add(pool);
        else if (lode__bits_get(&pool->alive, slot))
            lode__pool_remove(pool, slot);
    }
}

static void a_pool_comes_back_after_anything(void **state)
{
    (void)state;
    lode__pool pool, other;
    lode__pool_init(&pool, &lode__item_kind, 5);
    for (int round = 0; round < 40; ++round) {
        churn(&pool, round * 20);
        bytes image = image_of(&pool);
        uint64_t hash = lode__pool_hash(&pool, 1);
        lode__pool_init(&other, &lode__item_kind, 9);
        churn(&other, round * 10);
        set_back(&other, image);
        assert_int_equal(lode__pool_hash(&other, 1), hash);
        expect_image(&other, image);
        churn(&pool, 300);
        set_back(&pool, image);
        assert_int_equal(lode__pool_hash(&pool, 1), hash);
        expect_image(&pool, image);
        /* what is taken next is the same, too */
        for (int i = 0; i < 20; ++i) {
            uint32_t a = lode__pool_add(&pool), b = lode__pool_add(&other);
            assert_int_equal(a, b);
            assert_int_equal(lode__pool_generation(&pool, a) + 4, lode__pool_generation(&other, b));
        }
        lode__pool_free(&other);
        free(image.data);
    }
    lode__pool_free(&pool);
}

static void what_is_not_kept_is_zero(void **state)
{
    (void)state;
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, 1);
    add(&pool);
    bytes image = image_of(&pool);
    void *mark = *LODE__AT(item, &pool, mark, 0);
    *LODE__AT(item, &pool, mark, 0) = NULL;
    set_back(&pool, image);
    assert_int_equal(*LODE__AT(item, &pool, note, 0), 0);
    assert_ptr_equal(*LODE__AT(item, &pool, mark, 0), mark);
    free(image.data);
    lode__pool_free(&pool);
}

static void the_highest_generation_is_not_forgotten(void **state)
{
    (void)state;
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, 1);
    add(&pool);
    bytes image = image_of(&pool);
    for (int i = 0; i < 10; ++i) {
        lode__pool_remove(&pool, 0);
        add(&pool);
    }
    assert_int_equal(lode__pool_top_generation(&pool), 11);
    set_back(&pool, image);
    assert_true(lode__pool_holds(&pool, 0, 1));
    assert_int_equal(lode__pool_top_generation(&pool), 11);
    free(image.data);
    lode__pool_free(&pool);
}

static void generations_that_do_not_exist_do_not_fit(void **state)
{
    (void)state;
    lode__pool pool, late;
    lode__pool_image image;
    lode__pool_init(&pool, &lode__item_kind, 1);
    lode__pool_init(&late, &lode__item_kind, LODE__MAX_GENERATION);
    add(&pool);
    add(&pool);
    lode__pool_remove(&pool, 0);
    bytes dead = image_of(&pool);
    add(&pool);
    bytes live = image_of(&pool);
    assert_true(read_image(&image, live.data, live.size));
    assert_true(lode__image_fits(&image, &pool));
    assert_false(lode__image_fits(&image, &late));
    /* the slot that has no generation left is never used again */
    set_back(&late, dead);
    assert_int_equal(lode__pool_add(&late), 2);
    free(live.data);
    free(dead.data);
    lode__pool_free(&pool);
    lode__pool_free(&late);
}

static void without_memory_nothing_changes(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__pool pool, small;
    lode__pool_image image;
    lode__pool_init(&pool, &lode__item_kind, 1);
    lode__pool_init(&small, &lode__item_kind, 1);
    for (int i = 0; i < 600; ++i)
        add(&pool);
    add(&small);
    bytes from = image_of(&pool), before = image_of(&small);
    assert_true(read_image(&image, from.data, from.size));
    for (long n = 0;; ++n) {
        alloc_fail_nth(n);
        bool done = lode__image_reserve(&image, &small);
        expect_image(&small, before);
        if (done)
            break;
    }
    assert_true(alloc_fail_calls() > 1);
    alloc_fail_nth(-1);
    free(from.data);
    free(before.data);
    lode__pool_free(&pool);
    lode__pool_free(&small);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* What is accepted of damaged bytes is a pool like any other. */
static void damaged_bytes_are_refused_or_harmless(void **state)
{
    (void)state;
    lode__pool pool;
    lode__pool_init(&pool, &lode__item_kind, 1);
    churn(&pool, 300);
    bytes image = image_of(&pool);
    for (size_t size = 0; size < image.size; ++size) {
        char *cut = malloc(size + 1); /* of its own size, so that reading beyond shows */
        lode__pool_image read;
        memcpy(cut, image.data, size);
        assert_false(read_image(&read, cut, size));
        free(cut);
    }
    for (int round = 0; round < 20000; ++round) {
        size_t at = random_below(&random_state, round & 1 ? (uint32_t)image.size : 64);
        char kept = image.data[at];
        lode__pool_image read;
        image.data[at] = (char)(uint32_t)random_bits(&random_state);
        if (read_image(&read, image.data, image.size)) {
            uint32_t count = 0;
            for (uint32_t s = lode__image_next(&read, 0); s < read.end;
                 s = lode__image_next(&read, s + 1))
                ++count;
            assert_int_equal(count, read.count);
        }
        image.data[at] = kept;
    }
    free(image.data);
    lode__pool_free(&pool);
}

static void layouts_tell_component_lists_apart(void **state)
{
    (void)state;
    lode__component components[4];
    lode__pool_kind other = lode__item_kind;
    memcpy(components, lode__item_kind.components, sizeof components);
    other.components = components;
    uint64_t layout = lode__image_layout(&lode__item_kind, 1);
    assert_int_equal(lode__image_layout(&other, 1), layout);
    components[1].size = 8; /* not kept */
    assert_int_equal(lode__image_layout(&other, 1), layout);
    components[3].size = 2;
    assert_true(lode__image_layout(&other, 1) != layout);
    components[3] = lode__item_kind.components[3];
    components[0].name = "wild";
    assert_true(lode__image_layout(&other, 1) != layout);
    components[0] = lode__item_kind.components[0];
    other.name = "thing";
    assert_true(lode__image_layout(&other, 1) != layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_comes_back_after_anything),
        cmocka_unit_test(what_is_not_kept_is_zero),
        cmocka_unit_test(the_highest_generation_is_not_forgotten),
        cmocka_unit_test(generations_that_do_not_exist_do_not_fit),
        cmocka_unit_test(without_memory_nothing_changes),
        cmocka_unit_test(damaged_bytes_are_refused_or_harmless),
        cmocka_unit_test(layouts_tell_component_lists_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
