/* surface.h: what contacts are besides friction and restitution: belts, slip, rolling friction,
 * soft contacts, other laws of friction.
 *
 * All of it is off by default, and contacts without it do not pay for it. The same words serve
 * shapes (lode_shape_def.surface) and contacts that the caller makes (lode_contact_def): of a pair
 * of shapes both surfaces are mixed as said below, which comes out the same whichever shape is the
 * first; a made contact has its values to itself.
 *
 * Two directions. Friction acts along two directions across the normal, `direction` and normal x
 * direction; where nobody gives one, along any two. What comes as a pair of numbers is for these
 * two.
 *
 * Laws. With LODE_LAW_PYRAMID each direction holds up to mu N by itself, N being the normal force.
 * With LODE_LAW_CONE both hold together: |(p1 / mu1, p2 / mu2)| <= N; one direction alone cannot be
 * a cone and is a pyramid. With LODE_LAW_BOX the friction coefficient is no coefficient but a
 * force: what the direction holds at most while the bodies touch, in N, whatever N is (ODE's
 * contacts without dContactApprox1). LODE_LAW_WORLD is what the world's friction_model says, as all
 * other contacts have it. With the world's friction_per_manifold a contact's friction acts at its
 * centroid here too.
 *
 * Coefficients of friction, forces and coefficients of rolling may be infinite. Infinite friction
 * never slips while bodies are pressed together, and infinite force not while they touch. A
 * direction with a coefficient of 0 has no row.
 *
 * Slip. A direction with slip s yields: under the friction force f its surfaces slide past each
 * other with the speed s f (a tyre's side slip). It makes friction soft, so that it never sticks.
 *
 * Rolling. A moment about the first direction, about the second, and about the normal (spinning)
 * resists turning by up to rolling[k] N, with rolling[k] in m: a ball of radius r that rolls slows
 * down by about 5/7 rolling g / r. The first two hold together where friction is a cone.
 *
 * Bouncing. Impacts slower than bounce_speed do not bounce.
 *
 * Soft contacts. Each point is a spring and damper that follow from soft_erp and soft_cfm as from
 * the world's erp and cfm, with every solver: stiffness soft_erp / (soft_cfm dt), damping
 * (1 - soft_erp) / soft_cfm. It begins where the surface layer ends, and bears any load; from one
 * sub-step to the next its force grows by max_correcting_velocity / soft_cfm at most, so that what
 * begins deep inside is not flung out. With a soft_cfm of 0 the share soft_erp of the penetration
 * goes in each sub-step.
 *
 * Motion. Surfaces that move beside their bodies, as belts: contacts bring the bodies to the speed
 * at which the surfaces rest against each other. Along the normal, motion_normal pushes the bodies
 * apart with that speed while they touch.
 *
 * One way. A contact may push one of its bodies alone (lode_immovable): what only looks like
 * something, as debris or a camera, is then pushed by what matters and does not move it. To the
 * body that is pushed the other is as a kinematic body that goes on with the velocity that it has
 * when the step begins. To the other the contact does not exist: its motion is the same to the bit
 * as without it, it is neither woken nor kept awake, and it does not belong to an island for its
 * sake. The pushed body stays awake while the other is awake, may sleep on it when that sleeps, and
 * wakes with it. Impulses that are told are those that the pushed body gets. Between bodies of
 * which the pushed one cannot move nothing acts. Said by pairs of materials (lode/material.h), by
 * the application of a contact (lode/contact.h) and of contacts that it makes; no surface says
 * it. */
#ifndef LODE_SURFACE_H
#define LODE_SURFACE_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* Of two shapes that ask for different laws the later in this list serves. */
typedef enum lode_friction_law {
    LODE_LAW_WORLD,
    LODE_LAW_PYRAMID,
    LODE_LAW_CONE,
    LODE_LAW_BOX,
    LODE_LAW_COUNT
} lode_friction_law;

/* The body that a contact does not move: body_a or body_b; of two materials the first's or the
 * second's. */
typedef enum lode_immovable {
    LODE_IMMOVABLE_NONE,
    LODE_IMMOVABLE_FIRST,
    LODE_IMMOVABLE_SECOND,
    LODE_IMMOVABLE_COUNT
} lode_immovable;

/* Of a shape. Numbers are negative where said, else at least 0; `direction` and `motion` are in the
 * shape's frame and turn with it. */
typedef struct lode_surface {
    lode_real friction_across; /* along the second direction; negative: the shape's friction there
                                  too; default -1 */
    lode_vec3 direction; /* the first direction; its part across the normal counts, and where there
                            is none the shape has no direction; default zero: any. Of two shapes
                            with directions the geometric mean of both ellipses serves, with
                            directions of its own; where one has none its circle, so that the
                            other's directions stay. A pair's coefficients along directions are
                            geometric means, too */
    lode_friction_law law[2]; /* default LODE_LAW_WORLD. A box's force is shared by the points of
                                 the contact; where one shape alone is a box it is that one's, where
                                 both are, the smaller */
    lode_real slip[2];        /* s/kg, of the contact as a whole; default 0; a pair adds them up */
    lode_real rolling[3];     /* m; default 0; a pair uses the larger */
    lode_real bounce_speed;  /* m/s; negative: the world's restitution_threshold; default -1; a pair
                                 uses the larger */
    lode_real soft_erp;      /* 0..1; negative: the world's erp, where there is a soft_cfm; default
                                 -1; a pair uses the smaller of those given */
    lode_real soft_cfm;      /* s/kg; negative: the world's cfm with PGS and the direct solver, 0
                                 with the soft step; default -1; a pair adds up those given. With
                                 both negative a contact is what the solver makes of all */
    lode_vec3 motion;        /* of the surface beside its body, m/s; its part across the normal
                                 counts; default zero; a pair adds them up */
    lode_real motion_normal; /* m/s, may be negative; default 0; a pair adds them up */
} lode_surface;

/* The defaults named above. */
LODE_API lode_surface lode_surface_default(void);

LODE_EXTERN_C_END

#endif
