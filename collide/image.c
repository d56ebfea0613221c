/* image.c: writing shapes and contacts, and setting them back; see image.h. Whether what is read
 * can be trusted is decided in image_check.c. */
#include "collide/image.h"

#include "collide/shape_type.h"
#include "core/contact_bytes.h"
#include "core/memory.h"

enum { FAT_BYTES = 6 * sizeof(lode_real) };

/* --- writing */

static void put_placed(lode__writer *out, const lode__collide *collide)
{
    for (uint32_t begin = 0; begin < collide->shapes.end; begin += 64) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < 64; ++i)
            word |= (uint64_t)lode__tree_has(&collide->tree, begin + i) << i;
        lode__put_u64(out, word);
    }
}

static void put_fat(lode__writer *out, const lode__collide *collide)
{
    const lode__tree *tree = &collide->tree;
    char *place = lode__put_space(out, (size_t)collide->shapes.end * FAT_BYTES);
    for (uint32_t s = 0; place && s < collide->shapes.end; ++s, place += FAT_BYTES) {
        if (!lode__tree_has(tree, s)) {
            memset(place, 0, FAT_BYTES);
            continue;
        }
        memcpy(place, lode__tree_leaf(tree, s)->lo, FAT_BYTES / 2);
        memcpy(place + FAT_BYTES / 2, lode__tree_leaf(tree, s)->hi, FAT_BYTES / 2);
    }
}

typedef void entry_fn(lode__writer *out, const lode__collide *collide, const lode__manifold *m,
                      uint32_t *count);

static void count_entry(lode__writer *out, const lode__collide *collide, const lode__manifold *m,
                        uint32_t *count)
{
    (void)collide;
    (void)out;
    (void)m;
    ++*count;
}

static void put_entry_key(lode__writer *out, const lode__collide *collide, const lode__manifold *m,
                          uint32_t *count)
{
    (void)collide;
    (void)count;
    lode__put_u64(out, lode__pair_key(m->shape_a, m->shape_b));
}

static void put_entry_points(lode__writer *out, const lode__collide *collide,
                             const lode__manifold *m, uint32_t *count)
{
    (void)collide;
    (void)count;
    uint8_t points = (uint8_t)m->point_count;
    lode__put(out, &points, 1);
}

static void put_entry(lode__writer *out, const lode__collide *collide, const lode__manifold *m,
                      uint32_t *count)
{
    (void)count;
    if (m->point_count > 0)
        lode__put_manifold(out, m, &collide->manifolds);
}

/* In the order of keys; a pair with several manifolds has as many entries, one behind the other. */
static void put_each_pair(lode__writer *out, const lode__collide *collide, uint32_t *count,
                          entry_fn *put)
{
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    const lode__pair *pair;
    while ((pair = lode__pairs_next(&collide->pairs, &walk))) {
        uint32_t slot = pair->manifold;
        const lode__manifold *m;
        while ((m = lode__many_next(collide, &slot)))
            put(out, collide, m, count);
    }
}

static void put_pairs(lode__writer *out, const lode__collide *collide)
{
    const lode__pairs *pairs = &collide->pairs;
    uint32_t count = 0;
    lode__put_u32(out, pairs->unmerged);
    lode__put_u32(out, pairs->added);
    put_each_pair(out, collide, &count, count_entry);
    lode__put_u32(out, count);
    put_each_pair(out, collide, NULL, put_entry_key);
    put_each_pair(out, collide, NULL, put_entry_points);
    put_each_pair(out, collide, NULL, put_entry);
}

static void put_keeper(lode__writer *out, const lode__collide *collide, uint32_t shape,
                       const lode__manifold *m)
{
    (void)collide;
    (void)m;
    lode__put_u32(out, shape);
}

static void put_key(lode__writer *out, const lode__collide *collide, uint32_t shape,
                    const lode__manifold *m)
{
    (void)collide;
    (void)shape;
    lode__put_u64(out, lode__pair_key(m->shape_a, m->shape_b));
}

static void put_contact(lode__writer *out, const lode__collide *collide, uint32_t shape,
                        const lode__manifold *m)
{
    (void)shape;
    lode__put_manifold(out, m, &collide->manifolds);
}

typedef void put_fn(lode__writer *out, const lode__collide *collide, uint32_t shape,
                    const lode__manifold *m);

static void put_each_resting(lode__writer *out, const lode__collide *collide, put_fn *put)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX && collide->resting_count > 0;
         s = lode__bits_next(alive, s + 1)) {
        uint32_t at = *LODE__AT(shape, &collide->shapes, resting, s);
        const lode__manifold *m;
        while ((m = lode__collide_next_resting(collide, &at)))
            put(out, collide, s, m);
    }
}

static void put_resting(lode__writer *out, const lode__collide *collide)
{
    lode__put_u32(out, collide->any_resting);
    lode__put_u32(out, collide->resting_count);
    put_each_resting(out, collide, put_keeper);
    put_each_resting(out, collide, put_key);
    put_each_resting(out, collide, put_contact);
}

void lode__collide_write(lode__collide *collide, lode__writer *out)
{
    uint32_t end = collide->shapes.end;
    lode__collide_settle(collide);
    lode__image_write(&collide->shapes, out);
    put_placed(out, collide);
    lode__put_bits(out, &collide->moved, end);
    lode__put_bits(out, &collide->lagging, end);
    lode__put_bits(out, &collide->refreshed, end);
    lode__put_bits(out, &collide->disabled, end);
    lode__put_bits(out, &collide->stirred, end);
    lode__put_bits(out, &collide->returning, end);
    put_fat(out, collide);
    put_pairs(out, collide);
    put_resting(out, collide);
}

/* --- reading */

/* Passes over manifolds with points; with a list of counts, over those that it says have some. */
static bool skip_manifolds(lode__reader *in, const char *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        lode__manifold m;
        lode__special special;
        if (points && points[i] == 0)
            continue;
        if (!lode__get_manifold(in, &m, &special) || m.point_count == 0 ||
            (points && m.point_count != points[i]))
            return false;
    }
    return true;
}

static bool read_pairs(lode__collide_image *image, lode__reader *in)
{
    image->unmerged = lode__get_u32(in);
    image->added = lode__get_u32(in);
    image->pair_count = lode__get_u32(in);
    image->keys = lode__get_array(in, image->pair_count, sizeof(uint64_t));
    image->points = lode__get_array(in, image->pair_count, 1);
    image->manifolds = *in;
    return !in->failed && skip_manifolds(in, image->points, image->pair_count);
}

static bool read_resting(lode__collide_image *image, lode__reader *in)
{
    image->any_resting = lode__get_u32(in) != 0;
    image->resting_count = lode__get_u32(in);
    image->keepers = lode__get_array(in, image->resting_count, sizeof(uint32_t));
    image->resting_keys = lode__get_array(in, image->resting_count, sizeof(uint64_t));
    image->resting = *in;
    return !in->failed && skip_manifolds(in, NULL, image->resting_count);
}

bool lode__collide_read(lode__collide_image *image, lode__reader *in)
{
    if (!lode__image_read(&image->shapes, &lode__shape_kind, in))
        return false;
    uint32_t end = image->shapes.end, words = lode__words_of(end);
    image->placed = lode__get_array(in, words, sizeof(uint64_t));
    image->moved = lode__get_array(in, words, sizeof(uint64_t));
    image->lagging = lode__get_array(in, words, sizeof(uint64_t));
    image->refreshed = lode__get_array(in, words, sizeof(uint64_t));
    image->disabled = lode__get_array(in, words, sizeof(uint64_t));
    image->stirred = lode__get_array(in, words, sizeof(uint64_t));
    image->returning = lode__get_array(in, words, sizeof(uint64_t));
    image->fat = lode__get_array(in, end, FAT_BYTES);
    if (in->failed || !read_pairs(image, in) || !read_resting(image, in))
        return false;
    image->placed_count = 0;
    for (uint32_t s = 0; s < end; ++s)
        image->placed_count += lode__word_bit(image->placed, s);
    return true;
}

/* --- memory */

static uint32_t count_unbounded(const lode__collide_image *image)
{
    const char *geometries = LODE__COLUMN(shape, &image->shapes, geometry);
    uint32_t count = 0;
    for (uint32_t s = lode__image_next(&image->shapes, 0); s < image->shapes.end;
         s = lode__image_next(&image->shapes, s + 1)) {
        lode__geometry geometry;
        LODE__LOAD(geometries, s, &geometry);
        count += !shape_is_bounded(&geometry);
    }
    return count;
}

static bool reserve_manifolds(lode__pool *manifolds, uint64_t count)
{
    return count <= manifolds->count ||
           (count <= LODE__NONE &&
            lode__pool_reserve(manifolds, (uint32_t)count - manifolds->count));
}

bool lode__collide_reserve_image(const lode__collide_image *image, lode__collide *collide,
                                 lode__arena *arena, lode__collide_scratch *out_scratch)
{
    lode__pairs *pairs = &collide->pairs;
    if (!lode__image_reserve(&image->shapes, &collide->shapes) ||
        !lode__collide_reserve_shapes(collide, image->shapes.count, count_unbounded(image)) ||
        !lode__grow((void **)&pairs->items, &pairs->capacity, image->pair_count,
                    sizeof *pairs->items) ||
        !reserve_manifolds(&collide->manifolds, (uint64_t)image->pair_count + image->resting_count))
        return false;
    out_scratch->shapes = LODE__TAKE(arena, uint32_t, image->placed_count);
    out_scratch->fat = LODE__TAKE(arena, lode__aabb, image->placed_count);
    return out_scratch->shapes && out_scratch->fat;
}

/* --- setting back */

static void restore_sets(const lode__collide_image *image, lode__collide *collide)
{
    uint32_t end = image->shapes.end;
    lode__bits_assign(&collide->moved, image->moved, end);
    lode__bits_assign(&collide->lagging, image->lagging, end);
    lode__bits_assign(&collide->refreshed, image->refreshed, end);
    lode__bits_assign(&collide->disabled, image->disabled, end);
    lode__bits_assign(&collide->active, NULL, 0);
    lode__bits_assign(&collide->stirred, image->stirred, end);
    lode__bits_assign(&collide->returning, image->returning, end);
    lode__bits_assign(&collide->gone, NULL, 0);
    collide->any_stirred = lode__bits_end(&collide->stirred) > 0;
    collide->any_returning = lode__bits_end(&collide->returning) > 0;
    collide->any_resting = image->any_resting;
    collide->any_gone = false;
    collide->any_refreshed = lode__bits_end(&collide->refreshed) > 0;
    collide->pairs.unmerged = image->unmerged;
    collide->pairs.added = image->added;
}

static void restore_sensors(lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    lode__bits_assign(&collide->sensors, NULL, 0);
    lode__bits_assign(&collide->joined, NULL, 0);
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        if ((*LODE__AT(shape, &collide->shapes, flags, s) & LODE__SHAPE_NOWHERE) ==
            LODE__SHAPE_SENSOR)
            lode__bits_set(&collide->sensors, s);
}

static void restore_unbounded(lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    collide->unbounded_count = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        if (!shape_is_bounded(LODE__AT(shape, &collide->shapes, geometry, s)))
            collide->unbounded[collide->unbounded_count++] = s;
}

static lode__aabb fat_of(const lode__collide_image *image, uint32_t shape)
{
    lode__aabb fat = {0};
    memcpy(fat.lo, image->fat + (size_t)shape * FAT_BYTES, FAT_BYTES / 2);
    memcpy(fat.hi, image->fat + (size_t)shape * FAT_BYTES + FAT_BYTES / 2, FAT_BYTES / 2);
    return fat;
}

static bool has_fat(const lode__tree *tree, uint32_t shape, const lode__aabb *fat)
{
    if (!lode__tree_has(tree, shape))
        return false;
    const lode__node *leaf = lode__tree_leaf(tree, shape);
    return memcmp(leaf->lo, fat->lo, sizeof leaf->lo) == 0 &&
           memcmp(leaf->hi, fat->hi, sizeof leaf->hi) == 0;
}

/* Leaves that are as they should be stay: after a few steps those are most. */
static void restore_tree(const lode__collide_image *image, lode__collide *collide,
                         lode__arena *arena, const lode__collide_scratch *scratch)
{
    lode__tree *tree = &collide->tree;
    uint32_t count = 0;
    for (uint32_t s = 0; s < tree->leaf_capacity; ++s)
        if (s >= image->shapes.end || !lode__word_bit(image->placed, s))
            lode__tree_remove(tree, s);
    for (uint32_t s = 0; s < image->shapes.end; ++s) {
        lode__aabb fat = fat_of(image, s);
        if (!lode__word_bit(image->placed, s) || has_fat(tree, s, &fat))
            continue;
        scratch->shapes[count] = s;
        scratch->fat[count++] = fat;
    }
    lode__tree_update(tree, scratch->shapes, scratch->fat, count, NULL, arena);
}

static void get_manifold(lode__reader *in, lode__collide *collide, uint32_t slot)
{
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, slot);
    lode__get_manifold(in, m, LODE__AT(manifold, &collide->manifolds, special, slot));
    m->special = m->special ? slot + 1 : 0;
}

static uint32_t add_manifold(lode__collide *collide, const lode__pair *pair, uint32_t points,
                             lode__reader *in)
{
    uint32_t slot = lode__pool_add(&collide->manifolds);
    lode__manifold *m = LODE__AT(manifold, &collide->manifolds, manifold, slot);
    *LODE__AT(manifold, &collide->manifolds, next, slot) = LODE__NONE;
    if (points > 0) {
        get_manifold(in, collide, slot);
    } else {
        m->shape_a = lode__pair_a(pair);
        m->shape_b = lode__pair_b(pair);
        m->body_a = LODE__AT(shape, &collide->shapes, geometry, m->shape_a)->body;
        m->body_b = LODE__AT(shape, &collide->shapes, geometry, m->shape_b)->body;
    }
    return slot;
}

static void remove_manifolds(lode__pool *manifolds)
{
    for (uint32_t m = lode__bits_next(&manifolds->alive, 0); m != UINT32_MAX;
         m = lode__bits_next(&manifolds->alive, m + 1))
        lode__pool_remove(manifolds, m);
}

static void restore_pairs(const lode__collide_image *image, lode__collide *collide)
{
    lode__reader in = image->manifolds;
    lode__pair *pair = NULL;
    uint32_t last = LODE__NONE, count = 0;
    for (uint32_t i = 0; i < image->pair_count; ++i) {
        uint32_t points = (uint32_t)image->points[i];
        uint64_t key;
        LODE__LOAD(image->keys, i, &key);
        if (pair && pair->key == key) {
            uint32_t slot = add_manifold(collide, pair, points, &in);
            *LODE__AT(manifold, &collide->manifolds, next, last) = slot;
            points += pair->points;
            collide->chains = true;
            pair->points = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX);
            last = slot;
            continue;
        }
        pair = &collide->pairs.items[count++];
        *pair = (lode__pair){.key = key, .cell = lode__pair_cell(collide, key)};
        pair->points = (uint16_t)points;
        pair->manifold = last = add_manifold(collide, pair, points, &in);
    }
    collide->pairs.count = count;
    collide->pairs.young = 0;
}

/* Each contact goes behind the one before it, or begins the list of another shape. */
static void restore_resting(const lode__collide_image *image, lode__collide *collide)
{
    lode__reader in = image->resting;
    uint32_t last = LODE__NONE, *link = NULL;
    for (uint32_t i = 0; i < image->resting_count; ++i) {
        uint32_t keeper, slot = lode__pool_add(&collide->manifolds);
        LODE__LOAD(image->keepers, i, &keeper);
        if (keeper != last)
            link = LODE__AT(shape, &collide->shapes, resting, keeper);
        get_manifold(&in, collide, slot);
        collide->any_one_way |= immovable_of(
                                    &collide->manifolds,
                                    LODE__AT(manifold, &collide->manifolds, manifold, slot)) > 0;
        *link = slot;
        link = LODE__AT(manifold, &collide->manifolds, next, slot);
        *link = LODE__NONE;
        last = keeper;
    }
    collide->resting_count = image->resting_count;
    collide->chains = collide->chains || image->resting_count > 0; /* some may have one */
}

static void clear_lists(lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        LODE__AT(shape, &collide->shapes, links, s)->next_shape = LODE__NONE;
        *LODE__AT(shape, &collide->shapes, resting, s) = LODE__NONE;
    }
}

/* Bodies may have left the fat bounds that are restored. */
static void unplace_all(lode__collide *collide)
{
    const lode__bits *alive = &collide->shapes.alive;
    if (collide->unplaced.word_count > 0)
        memset(collide->unplaced.words, 0, collide->unplaced.word_count * sizeof(uint64_t));
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        lode__collide_unplace(collide, s);
    lode__collide_disturb(collide);
}

void lode__collide_restore(const lode__collide_image *image, lode__collide *collide,
                           lode__arena *arena, const lode__collide_scratch *scratch)
{
    lode__collide_exchange_data(image, collide, scratch->data);
    lode__image_restore(&image->shapes, &collide->shapes);
    ++collide->reshaped;
    lode__collide_place_data(collide, scratch->data);
    clear_lists(collide);
    restore_sets(image, collide);
    restore_sensors(collide);
    restore_unbounded(collide);
    restore_tree(image, collide, arena, scratch);
    unplace_all(collide);
    collide->touching_count = 0;
    remove_manifolds(&collide->manifolds);
    restore_pairs(image, collide);
    restore_resting(image, collide);
}
