/* slabs.h: memory of what there may be thousands of: bodies, geoms, joints, blocks of groups.
 *
 * Every step walks over them, in an order of its own. They lie in a few large regions, each at the
 * beginning of a line of the cache, and the system is asked to back these with large pages: so few
 * addresses of pages are to be known that hardly one is missed. That is worth a tenth of a step.
 *
 * Who has set a handler for memory is asked for each by itself, as ODE does. */
#ifndef LODE_ODE_SLABS_H
#define LODE_ODE_SLABS_H

#include <stddef.h>

/* Null: there is no memory. On any thread. */
void *lode__ode_slab_take(size_t size);

/* `size` is what was asked for. Null is allowed. */
void lode__ode_slab_give(void *memory, size_t size);

#endif
