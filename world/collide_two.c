/* collide_two.c: what two shapes touch with; see lode/collide.h. */
#include "collide/two.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/world.h"

static lode_status check_options(const lode_collide_options *options, const char *function)
{
    lode_status status = lode__check((unsigned)options->choice < LODE_COLLIDE_CHOICE_COUNT,
                                     function, "options.choice", "is no choice");
    return status ? status
                  : lode__check(is_at_least(options->margin, 0), function, "options.margin",
                                "must be finite and at least 0");
}

static lode_collide_point show(const lode__two *two, const lode__two_point *from)
{
    return (lode_collide_point){.position = v3_add(two->place_a.body, from->point.position),
                                .normal = from->normal,
                                .depth = from->point.depth,
                                .feature = from->point.feature,
                                .child_a = (int)from->point.child_a - 1,
                                .child_b = (int)from->point.child_b - 1};
}

int lode_shape_collide(lode_shape shape_a, lode_shape shape_b, const lode_collide_options *options,
                       lode_collide_point *out_points, int capacity)
{
    static const lode_collide_options defaults = {LODE_COLLIDE_REDUCED, 0};
    lode__object a, b;
    lode__two_list list = {.items = NULL};
    options = options ? options : &defaults;
    if (lode__open_shape(&a, shape_a, __func__) || lode__open_shape(&b, shape_b, __func__) ||
        check_options(options, __func__) ||
        lode__check_capacity(out_points, capacity, __func__, "out_points"))
        return 0;
    lode__two two = {.a = SHAPE(a.world, geometry, a.slot),
                     .b = SHAPE(b.world, geometry, b.slot),
                     .place_a = lode__place_of(&a.world->collide, &a.world->bodies, a.slot),
                     .place_b = lode__place_of(&b.world->collide, &b.world->bodies, b.slot),
                     .speculative = LODE__SPECULATIVE(&a.world->def)};
    int count = 0;
    if (!lode__two_touch(&two, a.world->collide.kernels, options->choice, options->margin, &list))
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    else
        count = (int)lode__two_choose(&list, options->choice,
                                      capacity > 0 ? (uint32_t)capacity : list.count);
    for (int i = 0; i < count && i < capacity; ++i)
        out_points[i] = show(&two, &list.items[i]);
    lode__free(list.items, list.capacity * sizeof *list.items);
    return count;
}
