/* The first few of many against sorting them all. */
#include "tests/support/test.h"

#include "core/heap.h"
#include "tests/support/random.h"

#include <stdlib.h>

enum { MOST = 300 };

static bool before(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

static int order(const void *a, const void *b)
{
    return before(b, a) - before(a, b);
}

static void the_first_are_kept_in_order(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 3000; ++round) {
        uint32_t all[MOST], kept[MOST + 1];
        int count = (int)random_below(&random, MOST), room = (int)random_below(&random, MOST);
        uint32_t range = 1 + random_below(&random, 1000);
        lode__heap heap = {
            .items = (char *)kept, .size = sizeof *kept, .before = before, .capacity = room};
        kept[room] = 7;
        for (int i = 0; i < count; ++i) {
            all[i] = random_below(&random, range);
            bool wanted = lode__heap_wants(&heap, &all[i]);
            int smaller = 0;
            for (int k = 0; k < i; ++k)
                smaller += all[k] <= all[i];
            assert_int_equal(wanted, smaller < room);
            lode__heap_offer(&heap, &all[i]);
        }
        lode__heap_sort(&heap);
        qsort(all, (size_t)count, sizeof *all, order);
        assert_int_equal(heap.offered, count);
        assert_int_equal(heap.kept, count < room ? count : room);
        if (heap.kept > 0)
            assert_memory_equal(kept, all, (size_t)heap.kept * sizeof *kept);
        assert_int_equal(kept[room], 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_are_kept_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
