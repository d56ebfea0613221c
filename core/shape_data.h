/* shape_data.h: geometry that shapes share.
 *
 * A hull, a mesh or a height field is an object of its own: made once, never changed afterwards,
 * used by any number of shapes of any worlds in any threads. Its record begins with this one. It
 * belongs to no world and is kept alive by references: its maker holds one until it releases it,
 * each shape holds one, and so does a world for what was offered to it. The last to go frees it.
 *
 * `hash` stands for the content: equal content, equal hash, on every machine. Snapshots hold it in
 * place of the object; it is never 0, which says "no object". */
#ifndef LODE_CORE_SHAPE_DATA_H
#define LODE_CORE_SHAPE_DATA_H

#include "lode/shape.h"

#include <stdatomic.h>

typedef struct lode__shape_data lode__shape_data;

struct lode__shape_data {
    _Atomic uint64_t references;
    uint64_t hash;
    uint32_t type; /* lode_shape_type */
    void (*free)(lode__shape_data *data);
};

/* Begins the life of an object, with one reference: the maker's. `free` gives back its memory, the
 * record included. While it lives the allocator stays as it is. */
void lode__data_begin(lode__shape_data *data, lode_shape_type type, uint64_t hash,
                      void (*free)(lode__shape_data *data));

/* Both take null and do nothing. Safe from any thread that holds a reference. */
void lode__data_retain(lode__shape_data *data);
void lode__data_release(lode__shape_data *data);

#endif
