/* bodies.h: the components of a body. */
#ifndef LODE_CORE_BODIES_H
#define LODE_CORE_BODIES_H

#include "core/lines.h"
#include "core/math.h"
#include "core/pool.h"
#include "lode/body.h"

enum {
    LODE__BODY_DYNAMIC = 1,    /* neither this nor kinematic: static */
    LODE__BODY_GYROSCOPIC = 2, /* w x I w counts, implicitly */
    LODE__BODY_MASS_GIVEN = 4, /* mass set by hand, not summed from shapes */
    LODE__BODY_FROZEN = 8,     /* its state was not finite: it is kept out of the step */
    LODE__BODY_KINEMATIC = 16, /* moves as its velocity says, whatever it meets */
    LODE__BODY_ASLEEP = 32,    /* its island rests: no stage looks at it */
    LODE__BODY_TO_SLEEP = 64,  /* asked to sleep: the next step puts its island to sleep */
    LODE__BODY_SCALED = 256,   /* gravity acts on it by another factor than 1 */
    LODE__BODY_LIMITED = 512,  /* its speed is limited */
    LODE__BODY_DAMPED = 1024,
    LODE__BODY_OWN_DAMPING = 2048, /* not the world's */
    LODE__BODY_CONTINUOUS = 4096,       /* while dynamic: passes through nothing */
    LODE__BODY_GYRO_EXPLICIT = 8192,    /* w x I w counts, explicitly */
    LODE__BODY_GYRO_CONSERVING = 16384, /* w x I w counts, in the way it turns */
    LODE__BODY_FINITE = 32768,          /* turns by finite rotations */
    LODE__BODY_LINK = 65536,            /* of an articulation: see core/articulations.h */
    LODE__BODY_HELD = 131072            /* a link that stands: the root of a fixed base, and all
                                           links outside the simulation */
};

/* Mass about the centre of mass, in body axes. Static and kinematic bodies have zeros. */
typedef struct lode__local_mass {
    lode_vec3 center;         /* of mass, from the body's origin, body axes, m */
    lode_real mass;           /* kg */
    lode_real inertia[6];     /* xx yy zz xy xz yz, kg m^2 */
    lode_real inv_inertia[6]; /* its inverse */
} lode__local_mass;

/* What most bodies leave at its default; flags say which of it counts. */
typedef struct lode__traits {
    lode_damping damping;
    lode_real gravity_scale;
    lode_real max_linear_speed, max_angular_speed; /* infinite: no limit */
} lode__traits;

/* Heads of the lists of what hangs on a body. A joint edge is joint slot * 2 + side. */
typedef struct lode__body_links {
    uint32_t first_shape;
    uint32_t first_edge; /* LODE__NO_EDGE when there is none */
} lode__body_links;

enum { LODE__NO_EDGE = 0x7fffffff };

/* When the body may sleep, as lode_sleep says, and for how long it has been idle, each up to what
 * is asked for. */
typedef struct lode__idle {
    lode_real linear_threshold, angular_threshold; /* m/s, rad/s */
    lode_real time, idle_time;                     /* s */
    uint32_t enabled, steps, idle_steps, samples;
} lode__idle;

enum { LODE__MOST_SAMPLES = 64 };

typedef struct lode__sample {
    lode_vec3 linear, angular;
} lode__sample;

/* The velocities that a body had after its last steps, for those that take more than one. */
typedef struct lode__sample_ring {
    lode__sample sample[LODE__MOST_SAMPLES];
    uint32_t count, at; /* the next to be overwritten */
} lode__sample_ring;

/* Of a sleeping body: the next of its island, by slot, and from the last on to the first. */
typedef struct lode__rest {
    uint32_t next;
} lode__rest;

/* clang-format off */
#define LODE__BODY_COMPONENTS(X) \
    /* name      type               keeping           heat */ \
    X(pose,      lode__pose,        LODE__SAVED,     LODE__HOT) \
    X(velocity,  lode__velocity,    LODE__SAVED,     LODE__HOT) \
    X(inv_mass,  lode__inv_mass,    LODE__TRANSIENT, LODE__HOT) \
    X(force,     lode__force,       LODE__SAVED,     LODE__HOT) \
    X(local,     lode__local_mass,  LODE__SAVED,     LODE__COLD) \
    X(traits,    lode__traits,      LODE__SAVED,     LODE__COLD) \
    X(flags,     uint32_t,          LODE__SAVED,     LODE__COLD) \
    X(idle,      lode__idle,        LODE__SAVED,     LODE__COLD) \
    X(rest,      lode__rest,        LODE__SAVED,     LODE__COLD) \
    X(link,      uint32_t,          LODE__CARRIED,   LODE__COLD) /* slot of links, plus 1; or 0 */ \
    X(aggregate, uint32_t,          LODE__CARRIED,   LODE__COLD) /* its slot, plus 1; or 0 */ \
    X(ring,      uint32_t,          LODE__TRANSIENT, LODE__COLD) /* of samples, if several */ \
    X(line,      int32_t,           LODE__TRANSIENT, LODE__HOT)  /* dense line of this step */ \
    X(links,     lode__body_links,  LODE__TRANSIENT, LODE__COLD) \
    X(user_data, void *,            LODE__CARRIED,   LODE__COLD) \
    X(turn_axis, lode_vec3,         LODE__CARRIED,   LODE__COLD) /* of length 1, or zero */ \
    X(name,      char *,            LODE__TRANSIENT, LODE__COLD)  /* owned; null for none */
/* clang-format on */

#define LODE__SAMPLES_COMPONENTS(X) \
    /* name  type                keeping      heat */ \
    X(ring, lode__sample_ring, LODE__SAVED, LODE__COLD)

LODE__POOL_DECLARE(body, LODE__BODY_COMPONENTS)
LODE__POOL_DECLARE(samples, LODE__SAMPLES_COMPONENTS)

/* True for a body that forces and constraints move. */
static inline bool flags_movable(uint32_t flags)
{
    return (flags & (LODE__BODY_DYNAMIC | LODE__BODY_FROZEN | LODE__BODY_HELD)) ==
           LODE__BODY_DYNAMIC;
}

/* True for a kinematic body on its way. */
/* Of the point of a body at `arm` from its centre of mass. */
static inline lode_vec3 velocity_at(const lode__velocity *velocity, lode_vec3 arm)
{
    return v3_add(velocity->linear, v3_cross(velocity->angular, arm));
}

static inline bool travels(uint32_t flags, const lode__velocity *velocity)
{
    const lode_vec3 *v = &velocity->linear, *w = &velocity->angular;
    return (flags & (LODE__BODY_KINEMATIC | LODE__BODY_FROZEN)) == LODE__BODY_KINEMATIC &&
           (v->x != 0 || v->y != 0 || v->z != 0 || w->x != 0 || w->y != 0 || w->z != 0);
}

/* True when the inertia is the same about every axis, so that no rotation changes it. */
static inline bool inertia_is_round(const lode_real s[6])
{
    return s[0] == s[1] && s[1] == s[2] && s[3] == 0 && s[4] == 0 && s[5] == 0;
}

/* The inverse mass line of a body turned by `rotation`: I^-1 = R I_local^-1 R^T, by the very
 * operations of the solver's kernel. All zeros for a static or kinematic body. */
static inline lode__inv_mass inv_mass_at(const lode__local_mass *local, lode_quat rotation)
{
    lode__inv_mass line = {0};
    if (!(local->mass > 0))
        return line;
    lode_real inertia[6];
    for (int i = 0; i < 6; ++i)
        inertia[i] = local->inv_inertia[i];
    if (!inertia_is_round(inertia))
        s3_rotate(rotation, inertia, inertia);
    line.inv_mass = 1 / local->mass;
    line.xx = inertia[0];
    line.yy = inertia[1];
    line.zz = inertia[2];
    line.xy = inertia[3];
    line.xz = inertia[4];
    line.yz = inertia[5];
    return line;
}

#endif
