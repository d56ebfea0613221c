/* data.c: the shared geometry of a world's shapes (core/shape_data.h).
 *
 * A shape holds one reference of its object, and beside it the hash of its content. A snapshot has
 * the hash only: a pointer in a row of bytes would outlive what it points to. Setting back looks
 * for an object of the same content, first with the shape that has the slot now, which is all that
 * a roll-back of a few steps needs, then with all shapes and among what was offered to the world.
 *
 * Setting back takes references of all that will be held before it gives back what is held, so that
 * nothing goes on the way that is needed at its end. */
#include "collide/image.h"
#include "core/memory.h"
#include "core/sort.h"

static lode__shape_data **data_at(const lode__collide *collide, uint32_t shape)
{
    return LODE__AT(shape, &collide->shapes, data, shape);
}

void lode__collide_set_data(lode__collide *collide, uint32_t shape, lode__shape_data *data)
{
    lode__data_retain(data);
    lode__data_release(*data_at(collide, shape));
    *data_at(collide, shape) = data;
    *LODE__AT(shape, &collide->shapes, content, shape) = data ? data->hash : 0;
}

static void release_all(const lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        lode__data_release(*data_at(collide, s));
}

void lode__collide_free_data(lode__collide *collide)
{
    release_all(collide);
    for (uint32_t i = 0; i < collide->offered_count; ++i)
        lode__data_release(collide->offered[i]);
    lode__free(collide->offered, collide->offered_capacity * sizeof *collide->offered);
    collide->offered = NULL;
    collide->offered_count = collide->offered_capacity = 0;
}

/* --- offers, in rising order of their hashes */

/* The first that is not below `hash`. */
static uint32_t offer_at(const lode__collide *collide, uint64_t hash)
{
    uint32_t begin = 0, end = collide->offered_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (collide->offered[middle]->hash < hash)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static lode__shape_data *find_offer(const lode__collide *collide, uint64_t hash, uint32_t type)
{
    for (uint32_t i = offer_at(collide, hash);
         i < collide->offered_count && collide->offered[i]->hash == hash; ++i)
        if (collide->offered[i]->type == type)
            return collide->offered[i];
    return NULL;
}

bool lode__collide_offer(lode__collide *collide, lode__shape_data *data)
{
    if (find_offer(collide, data->hash, data->type))
        return true;
    if (!lode__grow((void **)&collide->offered, &collide->offered_capacity,
                    collide->offered_count + 1, sizeof *collide->offered))
        return false;
    uint32_t at = offer_at(collide, data->hash), i = collide->offered_count++;
    for (; i > at; --i)
        collide->offered[i] = collide->offered[i - 1];
    collide->offered[at] = data;
    lode__data_retain(data);
    return true;
}

/* --- what an image names */

typedef struct search {
    const lode__collide *collide;
    const char *geometries, *contents;
    uint64_t *hashes, *spare_hashes; /* of the world's shapes, sorted */
    uint32_t *shapes, *spare_shapes;
    uint32_t count;
} search;

static bool fits(const lode__shape_data *data, uint64_t hash, uint32_t type)
{
    return data && data->hash == hash && data->type == type;
}

static bool list_shapes(search *search, lode__arena *arena)
{
    const lode__pool *shapes = &search->collide->shapes;
    search->hashes = LODE__TAKE(arena, uint64_t, shapes->count);
    search->spare_hashes = LODE__TAKE(arena, uint64_t, shapes->count);
    search->shapes = LODE__TAKE(arena, uint32_t, shapes->count);
    search->spare_shapes = LODE__TAKE(arena, uint32_t, shapes->count);
    if (!search->hashes || !search->spare_hashes || !search->shapes || !search->spare_shapes)
        return false;
    for (uint32_t s = lode__bits_next(&shapes->alive, 0); s != UINT32_MAX;
         s = lode__bits_next(&shapes->alive, s + 1)) {
        const lode__shape_data *data = *data_at(search->collide, s);
        if (!data)
            continue;
        search->hashes[search->count] = data->hash;
        search->shapes[search->count++] = s;
    }
    lode__sort(search->hashes, search->shapes, search->spare_hashes, search->spare_shapes,
               search->count);
    return true;
}

static lode__shape_data *find_among_shapes(const search *search, uint64_t hash, uint32_t type)
{
    uint32_t begin = 0, end = search->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (search->hashes[middle] < hash)
            begin = middle + 1;
        else
            end = middle;
    }
    for (; begin < search->count && search->hashes[begin] == hash; ++begin) {
        lode__shape_data *data = *data_at(search->collide, search->shapes[begin]);
        if (data->type == type)
            return data;
    }
    return NULL;
}

static lode__found find_one(search *search, uint32_t shape, lode__arena *arena,
                            lode__shape_data **out)
{
    const lode__collide *collide = search->collide;
    lode__geometry geometry;
    uint64_t hash;
    LODE__LOAD(search->geometries, shape, &geometry);
    LODE__LOAD(search->contents, shape, &hash);
    *out = NULL;
    if (hash == 0)
        return LODE__FOUND;
    if (shape < collide->shapes.end && lode__bits_get(&collide->shapes.alive, shape))
        *out = *data_at(collide, shape);
    if (fits(*out, hash, geometry.type))
        return LODE__FOUND;
    if (!search->hashes && !list_shapes(search, arena))
        return LODE__NO_MEMORY;
    *out = find_among_shapes(search, hash, geometry.type);
    if (!*out)
        *out = find_offer(collide, hash, geometry.type);
    return *out ? LODE__FOUND : LODE__NOT_FOUND;
}

static bool names_any(const lode__collide_image *image, const char *contents)
{
    uint64_t hash = 0;
    for (uint32_t s = lode__image_next(&image->shapes, 0); s < image->shapes.end && hash == 0;
         s = lode__image_next(&image->shapes, s + 1))
        LODE__LOAD(contents, s, &hash);
    return hash != 0;
}

lode__found lode__collide_find_data(const lode__collide_image *image, const lode__collide *collide,
                                    lode__arena *arena, lode__shape_data ***out_data)
{
    search search = {.collide = collide,
                     .geometries = LODE__COLUMN(shape, &image->shapes, geometry),
                     .contents = LODE__COLUMN(shape, &image->shapes, content)};
    lode__found found = LODE__FOUND;
    *out_data = NULL;
    if (!names_any(image, search.contents))
        return LODE__FOUND;
    *out_data = LODE__TAKE(arena, lode__shape_data *, image->shapes.end);
    if (!*out_data)
        return LODE__NO_MEMORY;
    for (uint32_t s = lode__image_next(&image->shapes, 0);
         s < image->shapes.end && found == LODE__FOUND; s = lode__image_next(&image->shapes, s + 1))
        found = find_one(&search, s, arena, &(*out_data)[s]);
    return found;
}

/* --- setting back */

void lode__collide_exchange_data(const lode__collide_image *image, lode__collide *collide,
                                 lode__shape_data *const *data)
{
    for (uint32_t s = lode__image_next(&image->shapes, 0); data && s < image->shapes.end;
         s = lode__image_next(&image->shapes, s + 1))
        lode__data_retain(data[s]);
    release_all(collide);
}

void lode__collide_place_data(lode__collide *collide, lode__shape_data *const *data)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); data && s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1))
        *data_at(collide, s) = data[s];
}
