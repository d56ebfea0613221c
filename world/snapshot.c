/* snapshot.c: the layout of a snapshot, written and read; see snapshot.h. */
#include "world/snapshot.h"

#include "core/articulations.h"

#include "core/error.h"
#include "core/hash.h"
#include "lode/snapshot.h"
#include "world/aggregate.h"
#include "world/check.h"
#include "world/settings.h"

#include <string.h>

/* ---- the header ---- */

typedef struct header {
    char magic[8];
    uint32_t byte_order; /* as the machine writes 0x01020304 */
    uint32_t abi;
    uint64_t layout;
    uint64_t size;     /* of all, header included */
    uint64_t checksum; /* of what follows */
} header;

static const char magic[8] = "LODESNAP";
static const uint32_t byte_order = 0x01020304;

static uint64_t layout(void)
{
    uint64_t h = lode__hash_word(LODE__SNAPSHOT_FORMAT, sizeof(void *));
    h = lode__hash_bytes(h, lode__settings_layout, strlen(lode__settings_layout));
    h = lode__hash_word(h, sizeof(lode_world_stats) << 8 | LODE_WARNING_COUNT);
    h = lode__hash_word(h, sizeof(lode__manifold) << 16 | sizeof(lode__made));
    h = lode__hash_word(h, sizeof(lode__special) << 16 | sizeof(lode_surface));
    h = lode__hash_word(h, sizeof(lode__material_rule) << 16 | LODE__NAME_ROOM);
    h = lode__hash_word(h, sizeof(lode__material_list));
    h = lode__image_layout(&lode__body_kind, h);
    h = lode__image_layout(&lode__samples_kind, h);
    h = lode__image_layout(&lode__joint_kind, h);
    h = lode__image_layout(&lode__aggregate_kind, h);
    h = lode__image_layout(&lode__articulation_kind, h);
    h = lode__tendons_layout(lode__image_layout(&lode__link_kind, h));
    return lode__image_layout(&lode__shape_kind, h);
}

static lode_status check_header(const header *h, size_t size, const char *bytes,
                                const char *function, const char *argument)
{
    if (size < sizeof *h || memcmp(h->magic, magic, sizeof magic) != 0)
        return lode__error(LODE_ERROR_ARGUMENT, function, argument, "is no snapshot");
    if (h->byte_order != byte_order)
        return lode__error(LODE_ERROR_ABI, function, argument,
                           "comes from a machine with another order of bytes");
    if (h->abi != LODE_ABI)
        return lode__error(LODE_ERROR_ABI, function, argument,
                           "was written in the other precision, or by another version");
    if (h->layout != layout())
        return lode__error(LODE_ERROR_ABI, function, argument,
                           "was written by another version of this library");
    lode_status status = lode__check(h->size == size, function, argument,
                                     "has not the length it was written with");
    if (status)
        return status;
    uint64_t sum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, bytes + sizeof *h, size - sizeof *h);
    return lode__check(sum == h->checksum, function, argument, "is damaged");
}

/* ---- settings and counts ---- */

/* The counts of a step; bytes are counted when they are asked for. */
enum { STATS_BYTES = offsetof(lode_world_stats, residual) + sizeof(lode_real) };
_Static_assert(offsetof(lode_world_stats, bytes) - STATS_BYTES < sizeof(size_t),
               "the counts end where the bytes begin");

static void put_counters(lode__writer *out, const lode__world *world)
{
    lode__settings_write(&world->def, out);
    lode__put(out, &world->stats, STATS_BYTES);
    lode__put(out, &world->last_h, sizeof world->last_h);
    for (int i = 0; i < LODE_WARNING_COUNT; ++i) {
        const lode__warning_record *record = &world->warnings[i];
        uint64_t first = record->first.id;
        lode__put(out, &record->last, sizeof record->last);
        lode__put(out, &record->ever, sizeof record->ever);
        lode__put_u32(out, first ? id_slot(first) : LODE__NONE);
        lode__put_u32(out, first ? id_generation(first) - world->bodies.first_generation : 0);
    }
}

static lode_body warned_body(const lode__world *world, uint32_t slot, uint32_t age)
{
    uint64_t generation = (uint64_t)age + world->bodies.first_generation;
    if (slot >= LODE__NONE || generation > LODE__MAX_GENERATION)
        return (lode_body){0};
    return (lode_body){(uint64_t)(world->entry + 1) << 48 | generation << 24 | slot};
}

static bool get_counters(lode__reader *in, lode__snapshot *out, const lode__world *world)
{
    out->def = world->def;
    if (!lode__settings_read(&out->def, in))
        return false;
    lode__get(in, &out->stats, STATS_BYTES);
    lode__get(in, &out->last_h, sizeof out->last_h);
    for (int i = 0; i < LODE_WARNING_COUNT; ++i) {
        lode__warning_record *record = &out->warnings[i];
        lode__get(in, &record->last, sizeof record->last);
        lode__get(in, &record->ever, sizeof record->ever);
        uint32_t slot = lode__get_u32(in), age = lode__get_u32(in);
        record->first = warned_body(world, slot, age);
    }
    return !in->failed && is_at_least(out->last_h, 0);
}

/* ---- samples of velocities ---- */

static size_t ring_bytes(uint32_t samples)
{
    return samples * sizeof(lode__sample) + 2 * sizeof(uint32_t);
}

static void put_rings(lode__writer *out, const lode__world *world)
{
    const lode__bits *alive = &world->bodies.alive;
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX && world->samples.count > 0;
         b = lode__bits_next(alive, b + 1)) {
        uint32_t samples = BODY(world, idle, b)->samples;
        if (samples <= 1)
            continue;
        const lode__sample_ring *ring = LODE__AT(samples, &world->samples, ring,
                                                 *BODY(world, ring, b));
        lode__put_u32(out, ring->count);
        lode__put_u32(out, ring->at);
        lode__put(out, ring->sample, samples * sizeof(lode__sample));
    }
}

/* Passes over the rings of the image's bodies. */
static bool get_rings(lode__reader *in, lode__snapshot *out)
{
    const char *idles = LODE__COLUMN(body, &out->bodies, idle);
    out->rings = *in;
    for (uint32_t b = lode__image_next(&out->bodies, 0); b < out->bodies.end;
         b = lode__image_next(&out->bodies, b + 1)) {
        lode__idle idle;
        LODE__LOAD(idles, b, &idle);
        if (idle.samples > LODE__MOST_SAMPLES)
            return false;
        if (idle.samples <= 1)
            continue;
        lode__reader ring = *in;
        lode__get_array(in, 1, ring_bytes(idle.samples));
        if (in->failed || lode__get_u32(&ring) > idle.samples ||
            lode__get_u32(&ring) >= idle.samples)
            return false;
        ++out->ring_count;
    }
    return true;
}

/* ---- all of it ---- */

static void put_all(lode__writer *out, lode__world *world)
{
    put_counters(out, world);
    lode__image_write(&world->bodies, out);
    lode__put_bits(out, &world->awake, world->bodies.end);
    put_rings(out, world);
    lode__image_write(&world->joints, out);
    lode__image_write(&world->aggregates, out);
    lode__articulations_write(world, out);
    lode__collide_write(&world->collide, out);
    lode__made_write(world, out);
    lode__events_write(world, out);
    lode__names_write(world, out);
    lode__surfaces_write(world, out);
    lode__materials_write(world, out);
}

static bool get_all(lode__reader *in, lode__snapshot *out, const lode__world *world)
{
    if (!get_counters(in, out, world) || !lode__image_read(&out->bodies, &lode__body_kind, in))
        return false;
    out->awake = lode__get_array(in, lode__words_of(out->bodies.end), sizeof(uint64_t));
    return !in->failed && get_rings(in, out) &&
           lode__image_read(&out->joints, &lode__joint_kind, in) &&
           lode__image_read(&out->aggregates, &lode__aggregate_kind, in) &&
           lode__articulations_read(&out->articulations, in) &&
           lode__collide_read(&out->collide, in) && lode__made_read(&out->made, in) &&
           lode__events_read(&out->events, in) && lode__names_read(&out->names, &out->bodies, in) &&
           lode__surfaces_read(&out->surfaces, &out->collide.shapes, in) &&
           lode__materials_read(&out->materials, &out->collide.shapes, in) && in->left == 0;
}

static bool is_sound(const lode__snapshot *from)
{
    return lode__snapshot_bodies_are_sound(from) && lode__snapshot_joints_are_sound(from) &&
           lode__articulations_are_sound(&from->articulations, &from->bodies, &from->joints) &&
           lode__aggregates_are_sound(from) &&
           lode__collide_image_is_sound(&from->collide, &from->bodies, from->awake);
}

size_t lode__snapshot_write(lode__world *world, void *buffer, size_t size)
{
    header h = {.byte_order = byte_order, .abi = LODE_ABI, .layout = layout()};
    lode__writer out = {buffer, size, 0};
    char *place = lode__put_space(&out, sizeof h);
    put_all(&out, world);
    if (out.used > size)
        return out.used;
    memcpy(h.magic, magic, sizeof magic);
    h.size = out.used;
    h.checksum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, place + sizeof h, out.used - sizeof h);
    memcpy(place, &h, sizeof h);
    return out.used;
}

lode_status lode__snapshot_read(lode__snapshot *out, const lode__world *world, const void *bytes,
                                size_t size, const char *function, const char *argument)
{
    header h = {.size = 0};
    memset(out, 0, sizeof *out);
    memcpy(&h, bytes, size < sizeof h ? size : sizeof h);
    lode_status status = check_header(&h, size, bytes, function, argument);
    if (status)
        return status;
    lode__reader in = {(const char *)bytes + sizeof h, size - sizeof h, false};
    status = lode__check(get_all(&in, out, world) && is_sound(out), function, argument,
                         "contradicts itself");
    if (status)
        return status;
    bool fits = lode__image_fits(&out->bodies, &world->bodies) &&
                lode__image_fits(&out->joints, &world->joints) &&
                lode__image_fits(&out->aggregates, &world->aggregates) &&
                lode__image_fits(&out->articulations.articulations, &world->articulations) &&
                lode__image_fits(&out->articulations.links, &world->links) &&
                lode__tendons_fit(&out->articulations, world) &&
                lode__image_fits(&out->collide.shapes, &world->collide.shapes);
    return fits ? LODE_OK
                : lode__error(LODE_ERROR_SYSTEM, function, argument,
                              "this world's slots have been used too often to hold it");
}

/* ---- the public functions ---- */

lode_status lode__open_world_at_rest(lode__world **out, lode_world world, const char *function)
{
    lode_status status = lode__open_world(out, world, function);
    if (status || (*out)->open.next == 0)
        return status;
    return lode__error(LODE_ERROR_STATE, function, "world",
                       "a snapshot cannot be taken between the halves of a step");
}

size_t lode_world_snapshot(lode_world world, void *buffer, size_t size)
{
    lode__world *w;
    if (lode__open_world_at_rest(&w, world, __func__) ||
        (size > 0 && lode__check_not_null(buffer, __func__, "buffer")))
        return 0;
    return lode__snapshot_write(w, buffer, size);
}

lode_status lode_world_restore(lode_world world, const void *snapshot, size_t size)
{
    lode__world *w;
    lode__snapshot from;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(snapshot, __func__, "snapshot");
    if (!status)
        status = lode__snapshot_read(&from, w, snapshot, size, __func__, "snapshot");
    return status ? status : lode__snapshot_restore(&from, w, __func__, "snapshot");
}
