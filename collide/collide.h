/* collide.h: shapes in, manifolds out. The world owns a lode__collide and calls the stages in the
 * order of its pipeline: bounds, broad phase, narrow phase, contact update. */
#ifndef LODE_COLLIDE_COLLIDE_H
#define LODE_COLLIDE_COLLIDE_H

#include "collide/pairs.h"
#include "collide/tree.h"
#include "core/bodies.h"
#include "core/contact.h"
#include "core/shapes.h"
#include "core/step.h"

struct lode__collide_kernels; /* collide/kernels.h */

/* Says whether shapes of two bodies may touch; the world answers for joints. */
typedef bool lode__may_touch_fn(const void *context, uint32_t body_a, uint32_t body_b);

typedef struct lode__collide {
    lode__pool shapes;    /* lode__shape_kind */
    lode__pool manifolds; /* lode__manifold_kind */
    lode__tree tree;      /* of shapes with finite bounds */
    lode__pairs pairs;
    uint32_t *unbounded; /* slots of planes, ascending */
    uint32_t unbounded_count, unbounded_capacity;
    lode__bits moved; /* shapes whose fat bounds are new: they look for pairs */
    lode__bits gone;  /* removed shapes that pairs may still name */
    bool any_gone;
    const struct lode__collide_kernels *kernels;
    lode__may_touch_fn *may_touch;
    const void *may_touch_context;

    /* of this step */
    lode__manifold **touching; /* in pair order; arena */
    uint32_t touching_count;
} lode__collide;

/* The kernels may be exchanged between steps. */
void lode__collide_init(lode__collide *collide, const struct lode__collide_kernels *kernels,
                        uint32_t first_generation);
void lode__collide_free(lode__collide *collide);

/* Takes a slot and a place in the broad phase for a shape with this geometry; the caller fills
 * the other components and links it to its body. LODE__NONE when out of memory, nothing
 * changed. */
uint32_t lode__collide_add(lode__collide *collide, const lode__geometry *geometry);

/* Removes the shape. Its pairs and manifolds are dropped when its slot is used again, by the next
 * step, or by lode__collide_settle(). */
void lode__collide_remove(lode__collide *collide, uint32_t shape);

/* Drops what removed shapes left behind, from `touching` too: call it before reading that list
 * between steps. Cheap when there is nothing to drop. */
void lode__collide_settle(lode__collide *collide);

/* The next step places the shape anew and looks for its pairs afresh; those that still stand keep
 * their impulses. For changed filters, new or removed joints, changed local poses. */
void lode__collide_refresh(lode__collide *collide, uint32_t shape);

/* World poses and bounds of all shapes of dynamic and of moved bodies; shapes that left their fat
 * bounds get new ones in the tree and are marked as moved. Clears LODE__BODY_MOVED. */
bool lode__bounds_run(lode__collide *collide, lode__pool *bodies, const lode__step *step);

/* Finds new pairs of moved shapes and drops pairs whose fat bounds parted. */
bool lode__broad_phase_run(lode__collide *collide, const lode__pool *bodies,
                           const lode__step *step);

/* Computes the points of all pairs and carries impulses over by feature. */
bool lode__narrow_phase_run(lode__collide *collide, const lode__pool *bodies,
                            const lode__step *step);

/* Mixes materials and lists the manifolds that have points. */
bool lode__contact_update_run(lode__collide *collide, const lode__pool *bodies,
                              const lode__step *step);

/* All stages return false when out of memory; the world is then still consistent. */

size_t lode__collide_bytes_shapes(const lode__collide *collide);
size_t lode__collide_bytes_contacts(const lode__collide *collide);

/* Folds the touching manifolds into `seed`, in pair order: what the next step's contacts depend on,
 * without slots and pairs that only wait to touch, which are history. */
uint64_t lode__collide_hash(const lode__collide *collide, uint64_t seed);

/* Aborts when pairs, tree or manifolds contradict each other. */
void lode__collide_validate(const lode__collide *collide, const lode__pool *bodies);

#endif
