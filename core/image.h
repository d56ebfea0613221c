/* image.h: a pool as a row of bytes, and back.
 *
 * An image holds what the component list says is kept, line after line for all slots up to the
 * highest live one (zeros for the dead), and for every slot that ever had an object how often it
 * was freed. So a slot's line is found by its number, and a pool that is made from an image is
 * never much larger than the image.
 *
 *     end, used             one past the highest live slot; past the highest with an age
 *     alive, retired        bit sets of these sizes
 *     age                   of each slot: its generation, counted from the pool's first
 *     columns               of each kept component, `end` lines
 *
 * Setting a pool back takes three steps, so that it happens wholly or not at all: read (is it well
 * formed?), reserve (memory), restore, which cannot fail. What the components say is the reader's
 * to check in between. */
#ifndef LODE_CORE_IMAGE_H
#define LODE_CORE_IMAGE_H

#include "core/bytes.h"
#include "core/pool.h"

enum { LODE__IMAGE_COLUMNS = 24 };

typedef struct lode__pool_image {
    const lode__pool_kind *kind;
    uint32_t end, used;
    uint32_t count; /* of live slots */
    const char *alive, *retired, *ages;
    const char *columns[LODE__IMAGE_COLUMNS]; /* by component; null for those not kept */
} lode__pool_image;

/* Equal for equal names and sizes of what is kept. */
uint64_t lode__image_layout(const lode__pool_kind *kind, uint64_t seed);

void lode__image_write(const lode__pool *pool, lode__writer *out);

/* The image points into what is read. False: it is none. */
bool lode__image_read(lode__pool_image *image, const lode__pool_kind *kind, lode__reader *in);

/* Whether the live slots' generations exist in a pool that began where this one did. */
bool lode__image_fits(const lode__pool_image *image, const lode__pool *pool);

/* Makes room; false: out of memory, nothing changed. */
bool lode__image_reserve(const lode__pool_image *image, lode__pool *pool);

/* The pool is what it was, but for components that are not kept: zeros. */
void lode__image_restore(const lode__pool_image *image, lode__pool *pool);

static inline bool lode__image_has(const lode__pool_image *image, uint32_t slot)
{
    return slot < image->end && lode__word_bit(image->alive, slot);
}

/* The next live slot at or after `slot`, or the image's end. */
uint32_t lode__image_next(const lode__pool_image *image, uint32_t slot);

/* The lines of a component, by its place in the chunk. */
const char *lode__image_column(const lode__pool_image *image, size_t offset);
#define LODE__COLUMN(kind, image, component) \
    lode__image_column(image, offsetof(lode__##kind##_chunk, component))

#endif
