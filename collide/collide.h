/* collide.h: shapes in, manifolds out. The world owns a lode__collide and calls the stages in the
 * order of its pipeline: bounds, broad phase, narrow phase, contact update. */
#ifndef LODE_COLLIDE_COLLIDE_H
#define LODE_COLLIDE_COLLIDE_H

#include "collide/gate.h"
#include "collide/many.h"
#include "collide/materials.h"
#include "collide/pairs.h"
#include "collide/tree.h"
#include "collide/wide_tree.h"
#include "core/bodies.h"
#include "core/contact.h"
#include "core/shapes.h"
#include "core/step.h"

#include <stdatomic.h>

struct lode__broad_method;    /* collide/broad.h */
struct lode__collide_kernels; /* collide/kernels.h */

/* Says whether shapes of two bodies may touch; the world answers for joints. */
typedef bool lode__may_touch_fn(const void *context, uint32_t body_a, uint32_t body_b);

/* The application's word on a pair of shapes that is new or refreshed; asked on the stepping
 * thread, in the order of pairs. */
typedef bool lode__accepts_fn(const void *context, uint32_t shape_a, uint32_t shape_b);

/* What two shapes' values become. Asked on any thread: the answer depends on what is asked
 * alone. */
typedef lode_real lode__mix_fn(const void *context, uint32_t shape_a, uint32_t shape_b, lode_real a,
                               lode_real b);

/* A manifold, that lies in this slot, is about to be solved. */
typedef void lode__edit_fn(void *context, lode__manifold *m, uint32_t slot);

typedef struct lode__collide {
    lode__pool shapes;    /* lode__shape_kind */
    uint64_t reshaped;    /* counts whatever changes which shapes there are, what they are, and
                             where on their bodies; of no meaning but that it is another one */
    lode__pool manifolds; /* lode__manifold_kind */
    lode__tree tree;      /* of shapes with finite bounds */
    lode__pairs pairs;
    uint32_t *unbounded; /* slots of planes, ascending */
    uint32_t unbounded_count, unbounded_capacity;
    lode__bits posed;     /* bodies whose pose may be another than when the bounds stage last ran;
                             it looks at their active shapes */
    lode__bits moved;     /* shapes whose fat bounds are new: they look for pairs */
    lode__bits lagging;   /* shapes that were moved since pairs were last merged */
    lode__bits active;    /* shapes of bodies that move or may begin to: the stages follow them */
    lode__bits stirred;   /* shapes at rest that the application placed or changed, until the broad
                             phase has seen them */
    lode__bits returning; /* shapes no longer at rest whose resting contacts are to come back */
    bool any_stirred, any_returning;
    bool any_resting;           /* nothing of some pair may be active */
    bool any_one_way;           /* some may rest that do not push a body */
    uint32_t resting_count;     /* contacts, returning ones too */
    lode__shape_data **offered; /* shared geometry that snapshots may name, by hash */
    uint32_t offered_count, offered_capacity;
    lode__bits gone; /* removed shapes that pairs may still name */
    bool any_gone;
    lode__bits refreshed; /* shapes whose pairs may be forbidden now that were allowed */
    bool any_refreshed;
    lode__bits disabled;     /* shapes that are nowhere: in none of the sets above, nor in the tree;
                            those that the application has switched off, and sensors */
    lode__bits joined;       /* shapes of bodies that have several */
    lode__bits sensors;      /* those that are not switched off: the ones that sense */
    lode__pair_list *sensed; /* of blocks of sensors; see sense.h */
    uint32_t sensed_count;   /* of lists that exist */
    lode__bits unplaced;     /* beside active and moved ones: shapes that queries have to place */
    atomic_bool placed;      /* nothing was changed since they did; see fresh.c */
    atomic_flag placing;
    lode__wide_tree wide; /* for many queries without a change between them */
    lode__many many;      /* of the narrow phase */
    bool chains;          /* pairs of solids may have several manifolds */
    const struct lode__collide_kernels *kernels;
    const struct lode__broad_method *method; /* that finds pairs; null: the tree */
    int axes[3];                             /* for it, the most important first */
    lode__may_touch_fn *may_touch;
    const void *may_touch_context;
    lode__accepts_fn *accepts; /* null: every pair that may touch is one */
    const void *accepts_context;
    bool one_mask_does;                          /* LODE_FILTER_EITHER */
    lode__accepts_triangle_fn *accepts_triangle; /* null: all triangles */
    const void *accepts_triangle_context;
    lode__mix_fn *mix_friction, *mix_restitution; /* of the application; null: by the settings */
    const void *mix_context;
    lode__edit_fn *edit; /* of contacts of shapes that ask for it; or null */
    void *edit_context;
    uint32_t special_count; /* shapes with a surface that says more than friction and restitution */
    lode__materials materials; /* no names: no shape has one */

    /* of this step */
    lode__manifold **touching; /* in pair order */
    uint32_t touching_count, touching_capacity;
} lode__collide;

/* Else a pair has one manifold. */
static inline bool may_have_many(const lode__collide *collide, const lode__pair *pair)
{
    return collide->chains || cell_is_many(pair->cell);
}

/* The kernels may be exchanged between steps. */
void lode__collide_init(lode__collide *collide, const struct lode__collide_kernels *kernels,
                        uint32_t first_generation);
void lode__collide_free(lode__collide *collide);

/* Makes room for bodies below `slots` in `posed`. False: out of memory, nothing changed. */
static inline bool lode__collide_reserve_bodies(lode__collide *collide, uint32_t slots)
{
    return lode__bits_reserve(&collide->posed, slots);
}

/* Makes room in the broad phase for the pool's slots, of which `bounded` shapes have bounds and
 * `unbounded` have none. False: out of memory, nothing changed. */
bool lode__collide_reserve_shapes(lode__collide *collide, uint32_t bounded, uint32_t unbounded);

/* Takes a slot and a place in the broad phase for a shape with this geometry, and a reference of
 * its shared part, or null; the caller fills the other components and links it to its body.
 * LODE__NONE when out of memory, nothing changed. */
uint32_t lode__collide_add(lode__collide *collide, const lode__geometry *geometry,
                           lode__shape_data *data);

/* Removes the shape. Its pairs and manifolds are dropped when its slot is used again, by the next
 * step, or by lode__collide_settle(). */
void lode__collide_remove(lode__collide *collide, uint32_t shape);

/* enable.c: a disabled shape takes part in nothing until it is enabled; then it is like a new one.
 * Its contacts go as those of a removed one do. */
void lode__collide_disable(lode__collide *collide, uint32_t shape);
void lode__collide_enable(lode__collide *collide, uint32_t shape);

/* Drops what removed shapes left behind, from `touching` too: call it before reading that list
 * between steps. Cheap when there is nothing to drop. */
void lode__collide_settle(lode__collide *collide);

/* rest.c: a shape at rest is left alone until it is active again, or an active one finds it. It
 * keeps the contacts it rests with; those come back when it is active again, and it looks for pairs
 * afresh. */
void lode__collide_set_active(lode__collide *collide, uint32_t shape, bool active);

/* The application has placed or changed a shape at rest: it looks for pairs, with others at rest
 * too. */
void lode__collide_stir(lode__collide *collide, uint32_t shape);

/* Walks over the contacts that a shape keeps: start with its `resting` component in *at and call
 * until the answer is null. */
const lode__manifold *lode__collide_next_resting(const lode__collide *collide, uint32_t *at);

/* True when `shape` at rest keeps a contact with `other` that pushes it. */
bool lode__collide_rests_on(const lode__collide *collide, uint32_t shape, uint32_t other);

/* Takes pairs of which nothing is active out of the array: contacts go to the shapes of sleeping
 * bodies, the rest is forgotten and found again when it matters. */
void lode__collide_retire(lode__collide *collide, const lode__pool *bodies);

/* Sorts the contacts of shapes that are active again into the array of pairs and, if `listed`, into
 * `touching`. False: out of memory, nothing changed. */
bool lode__collide_take_back(lode__collide *collide, bool listed, lode__arena *arena);

/* The next step places the shape anew and looks for its pairs afresh; those that still stand keep
 * their impulses. For changed filters, new or removed joints, changed local poses. */
void lode__collide_refresh(lode__collide *collide, uint32_t shape);

/* data.c: the shape holds a reference of `data`, or null, in place of what it held. */
void lode__collide_set_data(lode__collide *collide, uint32_t shape, lode__shape_data *data);
void lode__collide_free_data(lode__collide *collide);

/* data.c: holds a reference of what a snapshot may name. Offered twice it is held once. False: out
 * of memory. */
bool lode__collide_offer(lode__collide *collide, lode__shape_data *data);

/* The body's contacts, no resting ones, start without impulses. */
void lode__collide_forget(lode__collide *collide, uint32_t body);

/* fresh.c: before a query looks into the tree: shapes that bodies have carried out of their fat
 * bounds, or that are new, get fat bounds around where they are now. Several threads may ask at
 * once. The arena serves as scratch, and may be exhausted without harm. */
void lode__collide_place(lode__collide *collide, const lode__pool *bodies, lode__arena *arena,
                         const lode_world_def *settings);

/* Nothing has moved since. */
static inline bool lode__collide_is_placed(const lode__collide *collide)
{
    return atomic_load_explicit(&collide->placed, memory_order_acquire);
}

/* For a query of as many rays, after lode__collide_place(): makes the wide tree if it is worth
 * it. */
void lode__collide_widen(lode__collide *collide, const lode__pool *bodies, int rays);

static inline bool lode__collide_is_wide(const lode__collide *collide)
{
    return atomic_load_explicit(&collide->wide.ready, memory_order_acquire);
}

/* Bodies have moved, or shapes have changed: the next query places them. */
static inline void lode__collide_disturb(lode__collide *collide)
{
    atomic_store_explicit(&collide->placed, false, memory_order_relaxed);
}

/* The same, and the shape need not be active. */
static inline void lode__collide_unplace(lode__collide *collide, uint32_t shape)
{
    lode__bits_set(&collide->unplaced, shape);
    lode__collide_disturb(collide);
}

/* The box around a shape with these extents, for rounding and by `grow` larger. */
static inline lode__aabb lode__make_bounds(lode_vec3 center, lode_vec3 half, lode_real grow)
{
    const lode_real rounding = 4 * REAL_EPSILON;
    half.x += grow + rounding * (r_abs(center.x) + half.x);
    half.y += grow + rounding * (r_abs(center.y) + half.y);
    half.z += grow + rounding * (r_abs(center.z) + half.z);
    return (lode__aabb){{center.x - half.x, center.y - half.y, center.z - half.z, 0},
                        {center.x + half.x, center.y + half.y, center.z + half.z, 0}};
}

/* World poses and bounds of shapes of posed bodies and of moved shapes; those that left their fat
 * bounds get new ones in the tree and are marked as moved. */
bool lode__bounds_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step);

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

/* Do categories and masks let two shapes touch, or a query see a shape? */
static inline bool lode__filters_agree(const lode__collide *collide, const lode__filter *a,
                                       const lode__filter *b)
{
    bool a_wants = a->mask & b->category, b_wants = b->mask & a->category;
    return collide->one_mask_does ? a_wants || b_wants : a_wants && b_wants;
}

/* Between a surface and another shape, or, where that is LODE__NONE, a query. */
static inline lode__gate lode__gate_of(const lode__collide *collide, uint32_t surface,
                                       uint32_t other)
{
    return (lode__gate){collide->accepts_triangle, collide->accepts_triangle_context, surface,
                        other};
}

/* The cell of the narrow phase's matrix for a pair. */
static inline uint16_t lode__pair_cell(const lode__collide *collide, uint64_t key)
{
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    return (uint16_t)(LODE__AT(shape, &collide->shapes, geometry, a)->type * LODE_SHAPE_TYPE_COUNT +
                      LODE__AT(shape, &collide->shapes, geometry, b)->type);
}

/* mix_material.c: what two shapes are made of. */
lode__parts lode__parts_of(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b);

size_t lode__collide_bytes_shapes(const lode__collide *collide);
size_t lode__collide_bytes_contacts(const lode__collide *collide);

/* Folds all contacts into `seed`, resting ones too: what the next step's contacts depend on,
 * without their slots and the pairs that only wait to touch, which are history. */
uint64_t lode__collide_hash(const lode__collide *collide, uint64_t seed);

/* rest.c: the contacts that a shape that goes keeps; those of others with shapes that have gone. */
void lode__collide_drop_resting(lode__collide *collide, uint32_t shape);
void lode__collide_settle_resting(lode__collide *collide);
void lode__collide_validate_resting(const lode__collide *collide, const lode__pool *bodies);

/* Aborts when pairs, tree or manifolds contradict each other. */
void lode__bounds_validate(const lode__collide *collide, const lode__pool *bodies);
void lode__collide_validate(const lode__collide *collide, const lode__pool *bodies);

#endif
