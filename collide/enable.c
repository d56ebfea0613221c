/* enable.c: shapes that are switched off, and on again.
 *
 * A disabled shape keeps its slot, its geometry and its place on the body, and weighs what it
 * weighed; but it is in no set that a stage looks at and not in the tree. So no stage and no query
 * needs to ask, apart from the list of planes. Its pairs go as those of a removed shape do: the bit
 * in `gone` says that they are void, until lode__collide_settle() drops them all in one pass.
 *
 * The caller has woken what rests on the shape, and its own body, so that no contact at rest names
 * it unless it is on its way back. */
#include "collide/collide.h"

void lode__collide_disable(lode__collide *collide, uint32_t shape)
{
    lode__collide_drop_resting(collide, shape);
    lode__tree_remove(&collide->tree, shape);
    lode__wide_drop(&collide->wide);
    lode__bits_clear(&collide->moved, shape);
    lode__bits_clear(&collide->active, shape);
    lode__bits_clear(&collide->stirred, shape);
    lode__bits_clear(&collide->refreshed, shape);
    lode__bits_set(&collide->disabled, shape);
    lode__bits_set(&collide->gone, shape);
    collide->any_gone = true;
}

void lode__collide_enable(lode__collide *collide, uint32_t shape)
{
    if (lode__bits_get(&collide->gone, shape))
        lode__collide_settle(collide);
    lode__bits_clear(&collide->disabled, shape);
    lode__bits_set(&collide->moved, shape);
    lode__collide_unplace(collide, shape);
}
