/* wake_row.c: see wake_row.h. */
#include "tests/world/wake_row.h"

#include "world/registry.h"
#include "world/wake.h"
#include "world/world.h"

#include <stdlib.h>

static void expect(const asleep *a, const wake_row *row, uint32_t wanted, const char *when)
{
    uint32_t awake = asleep_awake(a);
    if (awake != wanted)
        print_error("%s (%s), %s: awake are %x, wanted %x\n", row->function, row->what, when,
                    (unsigned)awake, (unsigned)wanted);
    assert_true(awake == wanted);
}

static void validate(const asleep *a)
{
    lode__world *world = lode__registry_world(a->world.id);
    lode__collide_validate(&world->collide, &world->bodies);
    lode__awake_validate(world);
}

static void run_row(asleep a, const wake_row *row)
{
    report_clear();
    row->act(&a);
    if (report.count > 0)
        print_error("%s (%s) is refused: %s\n", row->function, row->what, report.message);
    assert_int_equal(report.count, 0);
    validate(&a);
    expect(&a, row, row->at_once, "at once");
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
        validate(&a);
    }
    expect(&a, row, row->at_once | row->later, "later");
}

void wake_rows_run(const wake_row *rows, int count)
{
    report_install();
    asleep a = asleep_create();
    size_t size = lode_world_snapshot(a.world, NULL, 0);
    void *sleeping = malloc(size);
    assert_non_null(sleeping);
    assert_int_equal(lode_world_snapshot(a.world, sleeping, size), size);
    for (int i = 0; i < count; ++i) {
        run_row(a, &rows[i]);
        lode_world_set_pair_filter(a.world, NULL);
        lode_world_set_triangle_filter(a.world, NULL);
        assert_int_equal(lode_world_restore(a.world, sleeping, size), LODE_OK);
        assert_int_equal(asleep_awake(&a), 0);
    }
    free(sleeping);
    asleep_destroy(&a);
}
