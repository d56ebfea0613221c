/* shapes.h: the components of a shape. */
#ifndef LODE_CORE_SHAPES_H
#define LODE_CORE_SHAPES_H

#include "core/lines.h"
#include "core/pool.h"
#include "core/shape_data.h"
#include "lode/shape.h"

/* size: sphere {radius}; box {half extents}; plane {normal in shape axes, offset}; capsule {radius,
 * half length of its axis}, along z; cylinder {radius, half length}, along z. */
typedef struct lode__geometry {
    lode_real size[4];
    lode_pose pose;   /* in the body's frame */
    lode_pose center; /* from the body's centre of mass, in body axes: derived from pose */
    uint32_t type;    /* lode_shape_type */
    uint32_t body;    /* slot */
} lode__geometry;

/* What a question about pairs needs of a shape, in one line; it follows from the other components
 * (world/card.h). */
typedef struct lode__card {
    lode_real size[4];      /* as in its geometry */
    const lode__pose *body; /* its body's */
    uint64_t key; /* the upper 40 bits of its handle, and its kind; 0 where no shape lives */
} lode__card;

typedef struct lode__surface {
    lode_real friction, restitution, density;
} lode__surface;

typedef struct lode__filter {
    uint64_t category, mask;
} lode__filter;

/* What is special about a shape; zero for most. */
enum {
    LODE__SHAPE_SENSOR = 1,   /* touches without pushing: see collide/sense.h */
    LODE__SHAPE_DISABLED = 2, /* by the application */
    LODE__SHAPE_TOUCHES = 4,  /* its contacts are told when they begin and end */
    LODE__SHAPE_IMPACTS = 8,  /* its impacts are told */
    LODE__SHAPE_ASKS = LODE__SHAPE_TOUCHES | LODE__SHAPE_IMPACTS,
    LODE__SHAPE_SPECIAL = 16, /* has a surface that says more than friction and restitution */
    LODE__SHAPE_EDITED = 32,  /* its contacts are shown to the world's editor */
    LODE__SHAPE_SOUNDS = 64,  /* it is told what sounds */
    LODE__SHAPE_OUT = 128,    /* its link's articulation is not in the simulation */
    LODE__SHAPE_NOWHERE = LODE__SHAPE_SENSOR | LODE__SHAPE_DISABLED | LODE__SHAPE_OUT,
    LODE__SHAPE_FLAGS = 255 /* all of them */
};

typedef struct lode__aabb {
    lode_real lo[4], hi[4]; /* world; the fourth is padding, zero */
} lode__aabb;

static inline bool boxes_overlap(const lode__aabb *a, const lode__aabb *b)
{
    for (int i = 0; i < 3; ++i)
        if (!(a->lo[i] <= b->hi[i] && b->lo[i] <= a->hi[i]))
            return false;
    return true;
}

typedef struct lode__shape_links {
    uint32_t next_shape; /* on the same body, or LODE__NONE */
} lode__shape_links;

/* clang-format off */
#define LODE__SHAPE_COMPONENTS(X) \
    /* name      type                keeping           heat */ \
    X(card,      lode__card,         LODE__TRANSIENT, LODE__HOT) \
    X(geometry,  lode__geometry,     LODE__SAVED,     LODE__HOT) \
    /* this step's centre from the body's centre of mass, and rotation; both in world axes, so \
       that no digit is lost far from the origin */ \
    X(pose,      lode__pose,         LODE__CARRIED,   LODE__HOT) \
    /* this step's, grown by half the speculative margin: pairs whose bounds are apart have no \
       points */ \
    X(bounds,    lode__aabb,         LODE__CARRIED,   LODE__HOT) \
    X(surface,   lode__surface,      LODE__SAVED,     LODE__COLD) \
    X(extra,     lode_surface,       LODE__TRANSIENT, LODE__LEFT) /* of special shapes */ \
    X(filter,    lode__filter,       LODE__SAVED,     LODE__COLD) \
    X(material,  uint32_t,           LODE__CARRIED,   LODE__COLD) /* a name's number, or 0 */ \
    X(flags,     uint32_t,           LODE__CARRIED,   LODE__COLD) /* LODE__SHAPE_SENSOR and others */ \
    X(resting,   uint32_t,           LODE__TRANSIENT, LODE__COLD) /* first resting contact */ \
    X(links,     lode__shape_links,  LODE__TRANSIENT, LODE__COLD) \
    X(user_data, void *,             LODE__CARRIED,   LODE__COLD) \
    /* shared geometry that the shape holds a reference of; null where the size says all */ \
    X(data,      lode__shape_data *, LODE__TRANSIENT, LODE__COLD) \
    X(content,   uint64_t,           LODE__CARRIED,   LODE__COLD) /* its hash, or 0 */
/* clang-format on */

LODE__POOL_DECLARE(shape, LODE__SHAPE_COMPONENTS)

#endif
