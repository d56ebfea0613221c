/* walk.c: all shapes along a line; see walk.h. */
#include "collide/walk.h"

bool lode__scope_sees(const lode__scope *scope, uint32_t shape)
{
    if (scope->unfiltered)
        return true;
    if (lode__bits_get(&scope->collide->disabled, shape))
        return false;
    const lode__filter *filter = LODE__AT(shape, &scope->collide->shapes, filter, shape);
    const lode__filter asked = {scope->category, scope->mask};
    return lode__filters_agree(scope->collide, &asked, filter) &&
           (!scope->accept || scope->accept(scope->context, shape));
}

lode_real lode__walk_shape(const lode__scope *scope, const lode__slabs *slabs, uint32_t shape,
                           lode_real most, lode__placed_fn *look, void *context)
{
    lode__placed placed = lode__placed_of(scope->collide, scope->bodies, shape);
    bool bounded = lode__shape_types[placed.type].reach != NULL;
    lode_real enter = bounded ? lode__slabs_enter(slabs, &placed.bounds, most) : 0;
    return enter <= most ? look(context, &placed, enter, most) : most;
}

/* So few shapes are asked one by one. */
enum { FEW = 2 };

static void walk_few(const lode__wide_tree *wide, const lode__slabs *slabs, lode_real most,
                     lode__placed_fn *look, void *context)
{
    for (uint32_t i = 0; i < wide->leaf_count && most >= 0; ++i) {
        const lode__placed *placed = &wide->leaves[i];
        lode_real enter = lode__slabs_enter(slabs, &placed->bounds, most);
        if (enter <= most)
            most = look(context, placed, enter, most);
    }
}

typedef struct leaf_walk {
    const lode__scope *scope;
    const lode__slabs *slabs;
    lode__placed_fn *look;
    void *context;
} leaf_walk;

static lode_real look_at_leaf(void *context, uint32_t shape, lode_real most)
{
    const leaf_walk *walk = context;
    return lode__walk_shape(walk->scope, walk->slabs, shape, most, walk->look, walk->context);
}

void lode__walk_shapes(const lode__scope *scope, const lode__slabs *slabs, lode_real most,
                       lode__placed_fn *look, void *context)
{
    const lode__collide *collide = scope->collide;
    const lode__wide_tree *wide = scope_wide(scope);
    leaf_walk walk = {scope, slabs, look, context};
    for (uint32_t i = 0; i < collide->unbounded_count && most >= 0; ++i)
        most = lode__walk_shape(scope, slabs, collide->unbounded[i], most, look, context);
    if (most >= 0 && wide && wide->leaf_count <= FEW)
        walk_few(wide, slabs, most, look, context);
    else if (most >= 0 && wide)
        collide->kernels->walk(wide, slabs, most, look, context);
    else if (most >= 0)
        lode__tree_cast(&collide->tree, slabs, most, look_at_leaf, &walk);
}
