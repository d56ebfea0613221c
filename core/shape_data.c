/* shape_data.c: counting who uses shared geometry; see shape_data.h.
 *
 * Taking a reference orders nothing: who takes one has one already, or got the object from someone
 * who has. Giving one back releases what was read through it, and the last acquires that of all
 * others before the memory goes. */
#include "core/shape_data.h"

#include "core/memory.h"

void lode__data_begin(lode__shape_data *data, lode_shape_type type, uint64_t hash,
                      void (*free)(lode__shape_data *data))
{
    atomic_init(&data->references, 1);
    data->hash = hash ? hash : 1;
    data->type = (uint32_t)type;
    data->free = free;
    lode__memory_users(1);
}

void lode__data_retain(lode__shape_data *data)
{
    if (data)
        atomic_fetch_add_explicit(&data->references, 1, memory_order_relaxed);
}

void lode__data_release(lode__shape_data *data)
{
    if (!data || atomic_fetch_sub_explicit(&data->references, 1, memory_order_acq_rel) > 1)
        return;
    data->free(data);
    lode__memory_users(-1);
}
