/* snapshot_restore.c: making a world what a snapshot says.
 *
 * First all memory is taken, so that pools and lists have room for what comes; that changes nothing
 * anyone can see, and may fail. Then pools are overwritten where they stand, and what follows from
 * them is derived again: lists of shapes and joints on bodies, inverse masses, counts, what the
 * stages look at. */
#include "core/error.h"
#include "solver/standing.h"
#include "world/aggregate.h"
#include "world/card.h"
#include "world/edges.h"
#include "world/snapshot.h"
#include "world/wake.h"

/* ---- memory ---- */

typedef struct scratch {
    lode__collide_scratch collide;
    char **names;
    lode__materials materials;
    lode__articulations_scratch articulations;
} scratch;

static bool reserve_samples(const lode__snapshot *from, lode__world *world)
{
    uint32_t count = world->samples.count;
    return from->ring_count <= count ||
           lode__pool_reserve(&world->samples, from->ring_count - count);
}

static bool reserve(const lode__snapshot *from, lode__world *world, scratch *out)
{
    if (!lode__image_reserve(&from->bodies, &world->bodies) ||
        !lode__image_reserve(&from->joints, &world->joints) || !lode__awake_reserve(world) ||
        !lode__joined_reserve(&world->joined, from->joints.count) ||
        !reserve_samples(from, world) ||
        !lode__collide_reserve_image(&from->collide, &world->collide, &world->arena,
                                     &out->collide) ||
        !lode__aggregates_reserve(from, world) ||
        !lode__made_reserve_image(&from->made, world) ||
        !lode__events_reserve_image(&from->events, world) ||
        !lode__materials_reserve(&from->materials, &out->materials))
        return false;
    if (!lode__articulations_reserve(&from->articulations, world, &out->articulations))
        return false;
    out->names = lode__names_reserve(&from->names, world, from->bodies.end, &world->arena);
    return out->names != NULL;
}

/* ---- bodies ---- */

static void restore_rings(const lode__snapshot *from, lode__world *world)
{
    const lode__bits *alive = &world->bodies.alive;
    lode__pool *samples = &world->samples;
    lode__reader in = from->rings;
    for (uint32_t s = lode__bits_next(&samples->alive, 0); s != UINT32_MAX;
         s = lode__bits_next(&samples->alive, s + 1))
        lode__pool_remove(samples, s);
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX && from->ring_count > 0;
         b = lode__bits_next(alive, b + 1)) {
        uint32_t count = BODY(world, idle, b)->samples;
        if (count <= 1)
            continue;
        uint32_t slot = *BODY(world, ring, b) = lode__pool_add(samples);
        lode__sample_ring *ring = LODE__AT(samples, samples, ring, slot);
        ring->count = lode__get_u32(&in);
        ring->at = lode__get_u32(&in);
        lode__get(&in, ring->sample, count * sizeof(lode__sample));
    }
}

/* An island that sleeps is counted at its highest body, from which its ring goes back. */
static void derive_body(lode__world *world, uint32_t body)
{
    uint32_t flags = *BODY(world, flags, body);
    *BODY(world, links, body) = (lode__body_links){LODE__NONE, LODE__NO_EDGE};
    *BODY(world, inv_mass, body) = inv_mass_at(BODY(world, local, body),
                                               BODY(world, pose, body)->rotation);
    world->dynamic_count += (flags & LODE__BODY_DYNAMIC) != 0;
    world->kinematic_count += (flags & LODE__BODY_KINEMATIC) != 0;
    world->may_sleep_count += BODY(world, idle, body)->enabled;
    world->sleep_asked = world->sleep_asked || (flags & LODE__BODY_TO_SLEEP);
    if (flags & LODE__BODY_ASLEEP) {
        ++world->asleep_count;
        world->sleeping_islands += BODY(world, rest, body)->next <= body;
    }
}

static void restore_bodies(const lode__snapshot *from, lode__world *world)
{
    const lode__bits *alive = &world->bodies.alive;
    lode__image_restore(&from->bodies, &world->bodies);
    lode__bits_assign(&world->awake, from->awake, from->bodies.end);
    lode__bits_assign(&world->collide.posed, from->awake, from->bodies.end);
    restore_rings(from, world);
    world->dynamic_count = world->kinematic_count = world->may_sleep_count = 0;
    world->asleep_count = world->sleeping_islands = 0;
    world->sleep_asked = world->stale_lines = false;
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX; b = lode__bits_next(alive, b + 1))
        derive_body(world, b);
}

/* ---- what hangs on them ---- */

/* In rising order each enters its body's list at the head. A shape is active with its body, unless
 * it is disabled. */
static void link_shapes(lode__world *world)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        uint32_t body = SHAPE(world, geometry, s)->body;
        uint32_t *first = &BODY(world, links, body)->first_shape;
        SHAPE(world, links, s)->next_shape = *first;
        if (*first != LODE__NONE) {
            lode__bits_set(&world->collide.joined, s);
            lode__bits_set(&world->collide.joined, *first);
        }
        *first = s;
        lode__shape_group(world, s);
        if (lode__bits_get(&world->awake, body) && !lode__bits_get(&world->collide.disabled, s))
            lode__bits_set(&world->collide.active, s);
    }
}

static void restore_joints(const lode__snapshot *from, lode__world *world)
{
    const lode__bits *alive = &world->joints.alive;
    lode__image_restore(&from->joints, &world->joints);
    lode__bits_assign(&world->active_joints, NULL, 0);
    lode__bits_assign(&world->strained_joints, NULL, 0);
    lode__joined_clear(&world->joined);
    for (uint32_t j = lode__bits_next(alive, 0); j != UINT32_MAX;
         j = lode__bits_next(alive, j + 1)) {
        if (JOINT(world, joint, j)->flags & LODE__JOINT_ARM)
            continue;
        lode__joint_link(world, j);
        lode__joint_join_awake(world, j);
    }
}

static void restore_counters(const lode__snapshot *from, lode__world *world)
{
    world->def = from->def;
    world->collide.one_mask_does = world->def.filter_rule == LODE_FILTER_EITHER;
    world->stats = from->stats;
    world->last_h = from->last_h;
    memcpy(world->warnings, from->warnings, sizeof world->warnings);
}

/* The shared geometry of its shapes. */
static lode_status find_data(const lode__snapshot *from, lode__world *world, scratch *out,
                             const char *function, const char *argument)
{
    switch (lode__collide_find_data(&from->collide, &world->collide, &world->arena,
                                    &out->collide.data)) {
    case LODE__FOUND:
        return LODE_OK;
    case LODE__NOT_FOUND:
        return lode__error(LODE_ERROR_ARGUMENT, function, argument,
                           "names a hull, mesh or field that no shape of this world has and that "
                           "was not offered to it");
    default:
        return lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
    }
}

lode_status lode__snapshot_restore(const lode__snapshot *from, lode__world *world,
                                   const char *function, const char *argument)
{
    scratch scratch = {.names = NULL};
    world->open.next = 0;
    lode__moved_forget(world);
    lode__standing_drop(&world->solver);
    lode__arena_reset(&world->arena);
    lode_status status = reserve(from, world, &scratch)
                             ? find_data(from, world, &scratch, function, argument)
                             : lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
    if (status) {
        lode__materials_free(&scratch.materials);
        lode__articulations_give_up(&scratch.articulations);
        return status;
    }
    lode__names_release(world, scratch.names, from->bodies.end);
    restore_counters(from, world);
    lode__image_restore(&from->aggregates, &world->aggregates);
    restore_bodies(from, world);
    lode__articulations_restore(&from->articulations, world, &scratch.articulations);
    lode__names_restore(world, scratch.names);
    lode__collide_restore(&from->collide, &world->collide, &world->arena, &scratch.collide);
    lode__surfaces_restore(&from->surfaces, world);
    lode__materials_restore(world, &scratch.materials);
    link_shapes(world);
    lode__cards_renew(world);
    restore_joints(from, world);
    lode__made_restore(&from->made, world);
    lode__events_restore(&from->events, world);
    return LODE_OK;
}
