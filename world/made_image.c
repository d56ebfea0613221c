/* made_image.c: contacts made by the caller, in snapshots. They name bodies by slot and generation,
 * of which some may be dead; generations are counted from the pool's first. */
#include "collide/mix.h"
#include "core/contact_bytes.h"
#include "world/snapshot.h"

enum {
    POINT_BEGIN = offsetof(lode__made_point, position),
    POINT_END = offsetof(lode__made_point, usual),
    POINT_BYTES = sizeof(uint64_t) + 2 * sizeof(uint32_t) + POINT_END - POINT_BEGIN +
                  sizeof(lode__special)
};

/* --- generations */

static uint32_t age_of(const lode__world *world, uint32_t body, uint32_t generation)
{
    return body == LODE__NONE ? 0 : generation - world->bodies.first_generation;
}

static uint32_t generation_of(const lode__world *world, uint32_t body, uint32_t age)
{
    return body == LODE__NONE ? 0 : age + world->bodies.first_generation;
}

/* --- writing */

static void put_pair(const lode__world *world, lode__writer *out, uint64_t pair,
                     uint32_t generation_a, uint32_t generation_b)
{
    lode__put_u64(out, pair);
    lode__put_u32(out, age_of(world, (uint32_t)(pair >> 32), generation_a));
    lode__put_u32(out, age_of(world, (uint32_t)pair, generation_b));
}

void lode__made_write(const lode__world *world, lode__writer *out)
{
    const lode__made_contacts *made = &world->made;
    lode__put_u32(out, made->count);
    lode__put_u32(out, made->last.count);
    for (uint32_t i = 0; i < made->count; ++i) {
        const lode__made_point *p = &made->points[i];
        put_pair(world, out, p->pair, p->generation_a, p->generation_b);
        lode__put(out, (const char *)p + POINT_BEGIN, POINT_END - POINT_BEGIN);
        const lode__special special = p->usual ? LODE__MADE_USUAL : p->special;
        lode__put(out, &special, sizeof special);
    }
    for (uint32_t i = 0; i < made->last.count; ++i) {
        const lode__made *m = &made->last.items[i];
        put_pair(world, out, m->pair, m->generation_a, m->generation_b);
        lode__put_manifold(out, &m->manifold, NULL);
    }
}

/* --- reading */

/* Two bodies, or one and the world. */
static bool is_pair(uint64_t pair)
{
    uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    return a < b && b <= LODE__NONE;
}

static void get_point(lode__reader *in, lode__made_point *out)
{
    out->pair = lode__get_u64(in);
    out->generation_a = lode__get_u32(in);
    out->generation_b = lode__get_u32(in);
    lode__get(in, (char *)out + POINT_BEGIN, POINT_END - POINT_BEGIN);
    lode__get(in, &out->special, sizeof out->special);
    out->usual = !lode__special_is_needed(&out->special);
}

static bool get_made(lode__reader *in, lode__made *out)
{
    out->pair = lode__get_u64(in);
    out->generation_a = lode__get_u32(in);
    out->generation_b = lode__get_u32(in);
    return lode__get_manifold(in, &out->manifold, &out->special);
}

static bool points_are_sound(const lode__made_image *image)
{
    lode__reader in = {image->points, (size_t)image->point_count * POINT_BYTES, false};
    for (uint32_t i = 0; i < image->point_count; ++i) {
        lode__made_point p;
        get_point(&in, &p);
        if (!is_pair(p.pair) || !special_is_sound(&p.special))
            return false;
    }
    return true;
}

static bool skip_last(lode__reader *in, uint32_t count)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; ++i) {
        lode__made made;
        if (!get_made(in, &made) || !is_pair(made.pair) || made.pair < before ||
            made.manifold.body_a != (uint32_t)(made.pair >> 32) ||
            made.manifold.body_b != (uint32_t)made.pair || made.manifold.shape_a != LODE__NONE ||
            made.manifold.shape_b != LODE__NONE)
            return false;
        before = made.pair;
    }
    return true;
}

bool lode__made_read(lode__made_image *image, lode__reader *in)
{
    image->point_count = lode__get_u32(in);
    image->last_count = lode__get_u32(in);
    image->points = lode__get_array(in, image->point_count, POINT_BYTES);
    image->last = *in;
    return !in->failed && points_are_sound(image) && skip_last(in, image->last_count);
}

/* --- setting back */

bool lode__made_reserve_image(const lode__made_image *image, lode__world *world)
{
    lode__made_contacts *made = &world->made;
    uint32_t most = image->point_count > image->last_count ? image->point_count : image->last_count;
    return most <= made->count || lode__made_reserve(made, most - made->count);
}

void lode__made_restore(const lode__made_image *image, lode__world *world)
{
    lode__made_contacts *made = &world->made;
    lode__reader points = {image->points, (size_t)image->point_count * POINT_BYTES, false};
    lode__reader last = image->last;
    for (uint32_t i = 0; i < image->point_count; ++i) {
        lode__made_point *p = &made->points[i];
        get_point(&points, p);
        p->generation_a = generation_of(world, (uint32_t)(p->pair >> 32), p->generation_a);
        p->generation_b = generation_of(world, (uint32_t)p->pair, p->generation_b);
    }
    for (uint32_t i = 0; i < image->last_count; ++i) {
        lode__made *m = &made->last.items[i];
        get_made(&last, m);
        m->generation_a = generation_of(world, (uint32_t)(m->pair >> 32), m->generation_a);
        m->generation_b = generation_of(world, (uint32_t)m->pair, m->generation_b);
    }
    made->count = image->point_count;
    made->last.count = image->last_count;
    made->now.count = 0;
}
