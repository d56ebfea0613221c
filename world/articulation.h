/* articulation.h: articulations as pools of the world: opening them and their links, and what the
 * files about them share. Their dynamics are solver/articulation/. */
#ifndef LODE_WORLD_ARTICULATION_H
#define LODE_WORLD_ARTICULATION_H

#include "core/articulations.h"
#include "solver/articulation/model.h"
#include "world/world.h"

#define ARTICULATION(world, component, slot) \
    LODE__AT(articulation, &(world)->articulations, component, slot)
#define LINK(world, component, slot) LODE__AT(link, &(world)->links, component, slot)

lode_status lode__open_articulation(lode__object *out, lode_articulation articulation,
                                    const char *function);
bool lode__find_articulation(lode__object *out, lode_articulation articulation);

/* A body that must be a link, as the slot of that link. */
lode_status lode__open_link(lode__object *out, lode_body link, const char *function);

/* What is possible in the simulation only, or out of it only. */
lode_status lode__check_inserted(const lode__world *world, uint32_t articulation, bool inserted,
                                 const char *function);

static inline lode_articulation articulation_handle(const lode__world *world, uint32_t slot)
{
    return (lode_articulation){id_of_object(world->entry, &world->articulations, slot)};
}

static inline bool articulation_is_inserted(const lode__world *world, uint32_t slot)
{
    return ARTICULATION(world, head, slot)->flags & LODE__ARTICULATION_INSERTED;
}

static inline lode__limb_pools limb_pools(lode__world *world)
{
    return (lode__limb_pools){&world->articulations, &world->links,        &world->bodies,
                              &world->tendons,       &world->tendon_parts, &world->mimics};
}

/* articulation.c: the first link, and the next by creation; LODE__NONE behind the last. */
#define EACH_LINK(world, articulation, link) \
    for (uint32_t link = ARTICULATION(world, head, articulation)->first_link; link != LODE__NONE; \
         link = LINK(world, tie, link)->next)

/* articulation_motion.c: something of its joints or root is another: inside the simulation links
 * follow, velocities too. Poses are right before with `velocities_only`. */
void lode__articulation_follow(lode__world *world, uint32_t articulation, bool velocities_only);

/* Wakes it; with `anew` its counter is at least what it begins with. */
void lode__articulation_wake(lode__world *world, uint32_t articulation, bool anew);

/* What is left of its wake counter, s, and setting that. */
lode_real lode__articulation_left(const lode__world *world, uint32_t articulation);
void lode__articulation_set_left(lode__world *world, uint32_t articulation, lode_real seconds);

/* A link's mass is another, so its model is stale. */
void lode__link_changed(lode__world *world, uint32_t link);

/* The joint's turn and slide from its positions. */
void lode__link_place(lode__world *world, uint32_t link);

/* link_def.c: is the definition possible? Rotations in it become unit ones; and so one frame's, and
 * one axis'. */
lode_status lode__link_check_def(lode_link_def *def, const char *function);
lode_status lode__link_check_frame(lode_pose *frame, const char *function, const char *argument);
lode_status lode__link_check_axis(const lode_link_axis *axis, lode_link_joint_type type, int index,
                                  const char *function, const char *argument);
/* Whether an axis of a link may have this motion beside what others have; and whether all together
 * are those of a joint of its type. */
lode_status lode__link_check_motion(const lode__world *world, uint32_t link, int axis,
                                    lode_link_motion motion, const char *function);
bool lode__link_motions_fit(const lode__world *world, uint32_t link);

/* A revolute joint that wraps has no more than two turns each way. */
lode_status lode__link_check_position(lode_real position, lode_link_joint_type type, int axis,
                                      const char *function, const char *argument);

/* The axis as the pools hold it. */
void lode__link_put_axis(lode__link_axis *out, const lode_link_axis *axis);

/* articulation.c: its model and its name. */
void lode__articulation_free_owned(lode__world *world, uint32_t articulation);

uint64_t lode__articulations_hash(const lode__world *world, uint64_t seed);
void lode__articulations_free(lode__world *world);
size_t lode__articulations_bytes(const lode__world *world);

#endif
