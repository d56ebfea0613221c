/* bodies.h: the components of a body. */
#ifndef LODE_CORE_BODIES_H
#define LODE_CORE_BODIES_H

#include "core/lines.h"
#include "core/math.h"
#include "core/pool.h"
#include "lode/body.h"

enum {
    LODE__BODY_DYNAMIC = 1,    /* else static */
    LODE__BODY_GYROSCOPIC = 2, /* w x I w counts */
    LODE__BODY_MASS_GIVEN = 4, /* mass set by hand, not summed from shapes */
    LODE__BODY_FROZEN = 8,     /* its state was not finite: it is kept out of the step */
    LODE__BODY_MOVED = 16      /* pose was set since the last bounds stage (static ones too) */
};

/* Mass about the centre of mass, in body axes. Static bodies have zeros. */
typedef struct lode__local_mass {
    lode_vec3 center;         /* of mass, from the body's origin, body axes, m */
    lode_real mass;           /* kg */
    lode_real inertia[6];     /* xx yy zz xy xz yz, kg m^2 */
    lode_real inv_inertia[6]; /* its inverse */
} lode__local_mass;

/* Heads of the lists of what hangs on a body. A joint edge is joint slot * 2 + side. */
typedef struct lode__body_links {
    uint32_t first_shape;
    uint32_t first_edge; /* LODE__NO_EDGE when there is none */
} lode__body_links;

enum { LODE__NO_EDGE = 0x7fffffff };

/* clang-format off */
#define LODE__BODY_COMPONENTS(X) \
    /* name      type               keeping           heat */ \
    X(pose,      lode__pose,        LODE__SAVED,     LODE__HOT) \
    X(velocity,  lode__velocity,    LODE__SAVED,     LODE__HOT) \
    X(inv_mass,  lode__inv_mass,    LODE__TRANSIENT, LODE__HOT) \
    X(force,     lode__force,       LODE__SAVED,     LODE__HOT) \
    X(local,     lode__local_mass,  LODE__SAVED,     LODE__COLD) \
    X(flags,     uint32_t,          LODE__SAVED,     LODE__COLD) \
    X(line,      uint32_t,          LODE__TRANSIENT, LODE__HOT)  /* dense line of this step */ \
    X(links,     lode__body_links,  LODE__TRANSIENT, LODE__COLD) \
    X(user_data, void *,            LODE__TRANSIENT, LODE__COLD)
/* clang-format on */

LODE__POOL_DECLARE(body, LODE__BODY_COMPONENTS)

/* True when the inertia is the same about every axis, so that no rotation changes it. */
static inline bool inertia_is_round(const lode_real s[6])
{
    return s[0] == s[1] && s[1] == s[2] && s[3] == 0 && s[4] == 0 && s[5] == 0;
}

/* The inverse mass line of a body turned by `rotation`: I^-1 = R I_local^-1 R^T, by the very
 * operations of the solver's kernel. All zeros for a static body. */
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
