/* snapshot.h: a world as a row of bytes.
 *
 *     header        what it is, for whom, how long, and a checksum of the rest
 *     counters      settings, counts of the last step, warnings
 *     bodies        their pool, which are awake, samples of those that take several
 *     joints        their pool
 *     aggregates    their pool
 *     articulations their pool, that of their links, names, tendons, mimic joints
 *     shapes        their pool, the broad phase, contacts (collide/image.h)
 *     made          contacts made by the caller
 *     events        what touches (world/events.h)
 *     names         of bodies
 *     surfaces      of shapes, where they say more than friction and restitution
 *     materials     names, lists of those of parts, and the table of contact properties
 *
 * The pools follow from the component lists, and so does the number in the header that tells one
 * layout from another: a component that is added, or grows, makes another one by itself. Whoever
 * changes what the bytes of a component mean raises LODE__SNAPSHOT_FORMAT.
 *
 * Setting back has three parts. Reading checks all that the bytes say and touches nothing;
 * reserving takes memory, which nobody sees; what then changes the world cannot fail. */
#ifndef LODE_WORLD_SNAPSHOT_H
#define LODE_WORLD_SNAPSHOT_H

#include "collide/image.h"
#include "world/world.h"

enum { LODE__SNAPSHOT_FORMAT = 12 };

typedef struct lode__made_image {
    uint32_t point_count, last_count;
    const char *points;
    lode__reader last;
} lode__made_image;

typedef struct lode__name_image {
    uint32_t count;
    lode__reader items; /* slot, length, characters */
} lode__name_image;

typedef struct lode__materials_image {
    uint32_t name_count, list_count, count;
    const char *names, *lists, *rules;
} lode__materials_image;

typedef struct lode__articulations_image {
    lode__pool_image articulations, links;
    lode__pool_image tendons, tendon_parts, mimics;
    lode__reader names; /* size and characters, by slot */
} lode__articulations_image;

/* By slot. */
typedef struct lode__articulations_scratch {
    void **models;
    char **names;
    size_t *model_bytes, *name_bytes;
    uint32_t count;
} lode__articulations_scratch;

typedef struct lode__surfaces_image {
    const char *items; /* of special shapes, by slot */
} lode__surfaces_image;

/* What was read: `def` and counters as values, the rest points into the bytes. */
typedef struct lode__snapshot {
    lode_world_def def;
    lode_world_stats stats;
    lode_real last_h;
    lode__warning_record warnings[LODE_WARNING_COUNT];
    lode__pool_image bodies, joints, aggregates;
    const char *awake;  /* bit set of bodies */
    lode__reader rings; /* of bodies with samples, by slot */
    uint32_t ring_count;
    lode__collide_image collide;
    lode__articulations_image articulations;
    lode__made_image made;
    lode__events_image events;
    lode__name_image names;
    lode__surfaces_image surfaces;
    lode__materials_image materials;
} lode__snapshot;

/* Opens a world that is not inside a step, nor between its halves. */
lode_status lode__open_world_at_rest(lode__world **out, lode_world world, const char *function);

/* Writes the world and returns how many bytes that are, whether there was room or not. */
size_t lode__snapshot_write(lode__world *world, void *buffer, size_t size);

/* Reads what lode__snapshot_write() wrote, for this world. Reports what is wrong. */
lode_status lode__snapshot_read(lode__snapshot *out, const lode__world *world, const void *bytes,
                                size_t size, const char *function, const char *argument);

/* snapshot_restore.c: makes the world what was read. Reports LODE_ERROR_MEMORY, or that `argument`
 * names geometry which is not there; then only an open step and the list of moved bodies are
 * lost. */
lode_status lode__snapshot_restore(const lode__snapshot *from, lode__world *world,
                                   const char *function, const char *argument);

/* snapshot_check.c: whether bodies and joints can be worked with. */
bool lode__snapshot_bodies_are_sound(const lode__snapshot *from);
bool lode__snapshot_joints_are_sound(const lode__snapshot *from);

/* articulation_image.c. Reserved memory is the caller's until the world takes it over. */
void lode__articulations_write(const lode__world *world, lode__writer *out);
bool lode__articulations_read(lode__articulations_image *image, lode__reader *in);
bool lode__articulations_are_sound(const lode__articulations_image *image,
                                   const lode__pool_image *bodies,
                                   const lode__pool_image *joints);
bool lode__articulations_reserve(const lode__articulations_image *image, lode__world *world,
                                 lode__articulations_scratch *out);
void lode__articulations_give_up(lode__articulations_scratch *scratch);
void lode__articulations_restore(const lode__articulations_image *image, lode__world *world,
                                 const lode__articulations_scratch *scratch);

/* aggregate_image.c: after bodies and articulations. Reserving false: out of memory. */
bool lode__aggregates_are_sound(const lode__snapshot *from);
bool lode__aggregates_reserve(const lode__snapshot *from, lode__world *world);

/* tendon_image.c: the same of tendons and mimic joints, for articulation_image.c. */
uint64_t lode__tendons_layout(uint64_t seed);
void lode__tendons_write(const lode__world *world, lode__writer *out);
bool lode__tendons_read(lode__articulations_image *image, lode__reader *in);
bool lode__tendons_are_sound(const lode__articulations_image *image);
bool lode__tendons_fit(const lode__articulations_image *image, const lode__world *world);
bool lode__tendons_reserve(const lode__articulations_image *image, lode__world *world);
void lode__tendons_restore(const lode__articulations_image *image, lode__world *world);

/* made_image.c: contacts made by the caller. Reserving false: out of memory. */
void lode__made_write(const lode__world *world, lode__writer *out);
bool lode__made_read(lode__made_image *image, lode__reader *in);
bool lode__made_reserve_image(const lode__made_image *image, lode__world *world);
void lode__made_restore(const lode__made_image *image, lode__world *world);

/* surface.c: surfaces of special shapes. */
void lode__surfaces_write(const lode__world *world, lode__writer *out);
bool lode__surfaces_read(lode__surfaces_image *image, const lode__pool_image *shapes,
                         lode__reader *in);
/* After the pool of shapes. */
void lode__surfaces_restore(const lode__surfaces_image *image, lode__world *world);

/* materials_image.c: names of materials and the table of contact properties. Reserved they are the
 * caller's, until the world takes them over; false: out of memory. */
void lode__materials_write(const lode__world *world, lode__writer *out);
bool lode__materials_read(lode__materials_image *image, const lode__pool_image *shapes,
                          lode__reader *in);
bool lode__materials_reserve(const lode__materials_image *image, lode__materials *out);
void lode__materials_restore(lode__world *world, const lode__materials *materials);

/* names.c: names of bodies. Reserving copies those that are new to an array by slot, in the arena;
 * null: out of memory, nothing kept. */
void lode__names_write(const lode__world *world, lode__writer *out);
bool lode__names_read(lode__name_image *image, const lode__pool_image *bodies, lode__reader *in);
char **lode__names_reserve(const lode__name_image *image, lode__world *world, uint32_t slots,
                           lode__arena *arena);
/* Before the pool of bodies is set back, those that go; and after, those that come. */
void lode__names_release(lode__world *world, char *const *names, uint32_t slots);
void lode__names_restore(lode__world *world, char *const *names);

#endif
