/* image.c: see image.h. Lines are copied by chunk and component, so a full pool goes at the speed
 * of memcpy(). */
#include "core/image.h"

#include "core/error.h"
#include "core/hash.h"

uint64_t lode__image_layout(const lode__pool_kind *kind, uint64_t seed)
{
    uint64_t h = lode__hash_bytes(seed, kind->name, strlen(kind->name));
    for (int i = 0; i < kind->component_count; ++i) {
        const lode__component *c = &kind->components[i];
        if (c->keeping == LODE__TRANSIENT)
            continue;
        h = lode__hash_bytes(h, c->name, strlen(c->name));
        h = lode__hash_word(h, c->size);
    }
    return h;
}

/* --- writing */

static uint32_t used_slots(const lode__pool *pool)
{
    uint32_t used = pool->chunk_count << LODE__CHUNK_SHIFT;
    while (used > pool->end && lode__pool_generation(pool, used - 1) == pool->first_generation)
        --used;
    return used;
}

static void put_ages(lode__writer *out, const lode__pool *pool, uint32_t used)
{
    char *place = lode__put_space(out, (size_t)used * sizeof(uint32_t));
    for (uint32_t slot = 0; place && slot < used; ++slot, place += sizeof(uint32_t)) {
        uint32_t age = lode__pool_generation(pool, slot) - pool->first_generation;
        memcpy(place, &age, sizeof age);
    }
}

static void clear_dead(const lode__pool *pool, char *lines, size_t size)
{
    for (uint32_t slot = lode__bits_next_clear(&pool->alive, 0); slot < pool->end;
         slot = lode__bits_next_clear(&pool->alive, slot + 1))
        memset(lines + slot * size, 0, size);
}

static void put_column(lode__writer *out, const lode__pool *pool, const lode__component *c)
{
    char *lines = lode__put_space(out, (size_t)pool->end * c->size);
    if (!lines)
        return;
    for (uint32_t slot = 0; slot < pool->end; slot += LODE__CHUNK) {
        const char *chunk = (const char *)pool->chunks[slot >> LODE__CHUNK_SHIFT];
        uint32_t count = pool->end - slot < LODE__CHUNK ? pool->end - slot : LODE__CHUNK;
        memcpy(lines + (size_t)slot * c->size, chunk + c->offset, (size_t)count * c->size);
    }
    if (pool->count < pool->end)
        clear_dead(pool, lines, c->size);
}

void lode__image_write(const lode__pool *pool, lode__writer *out)
{
    uint32_t used = used_slots(pool);
    lode__put_u32(out, pool->end);
    lode__put_u32(out, used);
    lode__put_bits(out, &pool->alive, pool->end);
    lode__put_bits(out, &pool->retired, used);
    put_ages(out, pool, used);
    for (int i = 0; i < pool->kind->component_count; ++i)
        if (pool->kind->components[i].keeping != LODE__TRANSIENT)
            put_column(out, pool, &pool->kind->components[i]);
}

/* --- reading */

static uint64_t word_at(const char *words, uint32_t i)
{
    uint64_t word;
    LODE__LOAD(words, i, &word);
    return word;
}

/* No bit at `bits` or beyond, and how many there are. */
static bool words_end(const char *words, uint32_t bits, uint32_t *out_count)
{
    *out_count = 0;
    for (uint32_t w = 0; w < lode__words_of(bits); ++w)
        *out_count += (uint32_t)__builtin_popcountll(word_at(words, w));
    return (bits & 63) == 0 || word_at(words, bits >> 6) >> (bits & 63) == 0;
}

/* Slots are alive, or retired, or neither. */
static bool bits_agree(const lode__pool_image *image)
{
    for (uint32_t w = 0; w < lode__words_of(image->end); ++w)
        if (word_at(image->alive, w) & word_at(image->retired, w))
            return false;
    return image->end == 0 || lode__word_bit(image->alive, image->end - 1);
}

static bool ages_exist(const lode__pool_image *image)
{
    for (uint32_t slot = 0; slot < image->used; ++slot) {
        uint32_t age;
        LODE__LOAD(image->ages, slot, &age);
        if (age > LODE__MAX_GENERATION)
            return false;
    }
    return true;
}

bool lode__image_read(lode__pool_image *image, const lode__pool_kind *kind, lode__reader *in)
{
    uint32_t retired;
    *image = (lode__pool_image){.kind = kind};
    image->end = lode__get_u32(in);
    image->used = lode__get_u32(in);
    if (image->end > image->used || image->used > LODE__NONE)
        return false;
    image->alive = lode__get_array(in, lode__words_of(image->end), sizeof(uint64_t));
    image->retired = lode__get_array(in, lode__words_of(image->used), sizeof(uint64_t));
    image->ages = lode__get_array(in, image->used, sizeof(uint32_t));
    for (int i = 0; i < kind->component_count; ++i)
        if (kind->components[i].keeping != LODE__TRANSIENT)
            image->columns[i] = lode__get_array(in, image->end, kind->components[i].size);
    return !in->failed && words_end(image->alive, image->end, &image->count) &&
           words_end(image->retired, image->used, &retired) && bits_agree(image) &&
           ages_exist(image);
}

uint32_t lode__image_next(const lode__pool_image *image, uint32_t slot)
{
    while (slot < image->end) {
        uint64_t word = word_at(image->alive, slot >> 6) & (UINT64_MAX << (slot & 63));
        if (word)
            return (slot & ~(uint32_t)63) + (uint32_t)__builtin_ctzll(word);
        slot = (slot | 63) + 1;
    }
    return image->end;
}

const char *lode__image_column(const lode__pool_image *image, size_t offset)
{
    int i = 0;
    while (i < image->kind->component_count && image->kind->components[i].offset != offset)
        ++i;
    LODE__ASSERT(i < image->kind->component_count);
    return image->columns[i];
}

/* --- setting back */

static uint32_t generation_of(const lode__pool_image *image, const lode__pool *pool, uint32_t slot)
{
    uint32_t age = 0;
    if (slot < image->used)
        LODE__LOAD(image->ages, slot, &age);
    uint32_t generation = pool->first_generation + age;
    return generation <= LODE__MAX_GENERATION ? generation : LODE__MAX_GENERATION + 1;
}

bool lode__image_fits(const lode__pool_image *image, const lode__pool *pool)
{
    for (uint32_t slot = lode__image_next(image, 0); slot < image->end;
         slot = lode__image_next(image, slot + 1))
        if (generation_of(image, pool, slot) > LODE__MAX_GENERATION)
            return false;
    return true;
}

bool lode__image_reserve(const lode__pool_image *image, lode__pool *pool)
{
    return lode__pool_reserve_slots(pool, image->used);
}

static void restore_generations(const lode__pool_image *image, lode__pool *pool)
{
    for (uint32_t slot = 0; slot < pool->chunk_count << LODE__CHUNK_SHIFT; ++slot) {
        uint32_t generation = generation_of(image, pool, slot);
        pool->chunks[slot >> LODE__CHUNK_SHIFT]->generation[slot & LODE__CHUNK_MASK] = generation;
        if (generation > LODE__MAX_GENERATION)
            lode__bits_set(&pool->retired, slot);
    }
    pool->retired_count = lode__bits_count(&pool->retired);
}

static void restore_column(const lode__pool_image *image, lode__pool *pool,
                           const lode__component *c, const char *lines)
{
    for (uint32_t chunk = 0; chunk < pool->chunk_count; ++chunk) {
        char *to = (char *)pool->chunks[chunk] + c->offset;
        uint32_t slot = chunk << LODE__CHUNK_SHIFT;
        uint32_t left = slot < image->end ? image->end - slot : 0;
        if (!lines)
            memset(to, 0, (size_t)LODE__CHUNK * c->size);
        else if (left > 0)
            memcpy(to, lines + (size_t)slot * c->size,
                   (size_t)(left < LODE__CHUNK ? left : LODE__CHUNK) * c->size);
    }
}

void lode__image_restore(const lode__pool_image *image, lode__pool *pool)
{
    pool->past_generation = lode__pool_top_generation(pool);
    lode__bits_assign(&pool->alive, image->alive, image->end);
    lode__bits_assign(&pool->retired, image->retired, image->used);
    restore_generations(image, pool);
    for (int i = 0; i < image->kind->component_count; ++i)
        restore_column(image, pool, &image->kind->components[i], image->columns[i]);
    pool->count = image->count;
    pool->end = image->end;
    pool->first_free = 0;
}
