/* names.c: names of bodies, for people and tools.
 *
 * A name is the body's own copy on the heap, so that the caller's string may be a passing one. It
 * is neither hashed nor compared. */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "lode/body.h"
#include "world/snapshot.h"
#include "world/world.h"

void lode__name_free(lode__world *world, uint32_t body)
{
    char **name = BODY(world, name, body);
    if (!*name)
        return;
    size_t size = strlen(*name) + 1;
    lode__free(*name, size);
    world->bytes_names -= size;
    *name = NULL;
}

bool lode__name_copy(const char *name, char **out_copy)
{
    size_t size = name ? strlen(name) + 1 : 0;
    *out_copy = name ? lode__alloc(size) : NULL;
    if (*out_copy)
        memcpy(*out_copy, name, size);
    return *out_copy || !name;
}

void lode__name_give(lode__world *world, uint32_t body, char *copy)
{
    lode__name_free(world, body);
    *BODY(world, name, body) = copy;
    world->bytes_names += copy ? strlen(copy) + 1 : 0;
}

void lode__names_free(lode__world *world)
{
    const lode__pool *bodies = &world->bodies;
    for (uint32_t body = lode__bits_next(&bodies->alive, 0);
         body < bodies->end && world->bytes_names > 0;
         body = lode__bits_next(&bodies->alive, body + 1))
        lode__name_free(world, body);
}

const char *lode_body_get_name(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || !*BODY(b.world, name, b.slot))
        return "";
    return *BODY(b.world, name, b.slot);
}

lode_status lode_body_set_name(lode_body body, const char *name)
{
    lode__object b;
    char *copy;
    lode_status status = lode__open_body(&b, body, __func__);
    if (status)
        return status;
    if (!lode__name_copy(name, &copy))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    lode__name_give(b.world, b.slot, copy);
    return LODE_OK;
}

/* ---- in snapshots ---- */

static uint32_t next_named(const lode__world *world, uint32_t body)
{
    const lode__pool *bodies = &world->bodies;
    body = world->bytes_names > 0 ? lode__bits_next(&bodies->alive, body) : UINT32_MAX;
    while (body != UINT32_MAX && !*BODY(world, name, body))
        body = lode__bits_next(&bodies->alive, body + 1);
    return body;
}

void lode__names_write(const lode__world *world, lode__writer *out)
{
    uint32_t count = 0;
    for (uint32_t b = next_named(world, 0); b != UINT32_MAX; b = next_named(world, b + 1))
        ++count;
    lode__put_u32(out, count);
    for (uint32_t b = next_named(world, 0); b != UINT32_MAX; b = next_named(world, b + 1)) {
        const char *name = *BODY(world, name, b);
        lode__put_u32(out, b);
        lode__put_u32(out, (uint32_t)strlen(name));
        lode__put(out, name, strlen(name));
    }
}

typedef struct name {
    uint32_t body, length;
    const char *text; /* without a zero at its end */
} name;

static bool get_name(lode__reader *in, name *out)
{
    out->body = lode__get_u32(in);
    out->length = lode__get_u32(in);
    out->text = lode__get_array(in, out->length, 1);
    return !in->failed && !memchr(out->text, 0, out->length);
}

bool lode__names_read(lode__name_image *image, const lode__pool_image *bodies, lode__reader *in)
{
    image->count = lode__get_u32(in);
    image->items = *in;
    uint32_t least = 0;
    for (uint32_t i = 0; i < image->count; ++i) {
        name item;
        if (!get_name(in, &item) || item.body < least || !lode__image_has(bodies, item.body))
            return false;
        least = item.body + 1;
    }
    return !in->failed;
}

/* The name that lives in the slot now, or null. */
static char *name_now(const lode__world *world, uint32_t body)
{
    bool lives = body < world->bodies.end && lode__bits_get(&world->bodies.alive, body);
    return lives ? *BODY(world, name, body) : NULL;
}

static char *reserve_name(const lode__world *world, const name *item)
{
    char *now = name_now(world, item->body);
    if (now && strlen(now) == item->length && memcmp(now, item->text, item->length) == 0)
        return now;
    char *copy = lode__alloc((size_t)item->length + 1);
    if (copy) {
        memcpy(copy, item->text, item->length);
        copy[item->length] = 0;
    }
    return copy;
}

static void drop_new(const lode__world *world, char *const *names, uint32_t slots)
{
    for (uint32_t body = 0; body < slots; ++body)
        if (names[body] && names[body] != name_now(world, body))
            lode__free(names[body], strlen(names[body]) + 1);
}

char **lode__names_reserve(const lode__name_image *image, lode__world *world, uint32_t slots,
                           lode__arena *arena)
{
    char **names = LODE__TAKE_ZEROED(arena, char *, slots);
    lode__reader in = image->items;
    for (uint32_t i = 0; names && i < image->count; ++i) {
        name item;
        get_name(&in, &item);
        names[item.body] = reserve_name(world, &item);
        if (names[item.body])
            continue;
        drop_new(world, names, slots);
        return NULL;
    }
    return names;
}

void lode__names_release(lode__world *world, char *const *names, uint32_t slots)
{
    for (uint32_t b = next_named(world, 0); b != UINT32_MAX; b = next_named(world, b + 1))
        if (b >= slots || names[b] != *BODY(world, name, b))
            lode__name_free(world, b);
}

void lode__names_restore(lode__world *world, char *const *names)
{
    world->bytes_names = 0;
    for (uint32_t body = 0; body < world->bodies.end; ++body)
        if (names[body]) {
            *BODY(world, name, body) = names[body];
            world->bytes_names += strlen(names[body]) + 1;
        }
}
