/* tendon.h: what ties joints of one articulation to each other: tendons, which pull, and mimic
 * joints, which keep positions in a ratio. All belong to their articulation, are made and changed
 * in structure outside the simulation only, and end with it.
 *
 * *A spatial tendon* runs through attachments, points of links, which form a tree. Each leaf of it
 * is a line of its own from the root attachment 0 on, over attachments 1, 2, ... n, of length
 *     L = offset coefficient_0 + sum over k = 1..n of coefficient_k |x_k - x_k-1|,
 * and pulls with
 *     f = stiffness (L - rest_length) + damping L' + limit_stiffness v,
 * v being how far L is above hi (else below lo, and then negative): the leaf towards the attachment
 * before it, the root towards the first one behind it. Those between feel nothing, and coefficients
 * scale the length alone. A stretch shorter than 1e-3 has no direction: it neither pulls nor counts
 * in L'.
 *
 * *A fixed tendon* runs through n + 1 joints' axes, a tree too: joint 0 is only where it is
 * anchored, its axis and coefficients do not count, and each other joint's link is a child of the
 * link of the one before it. With
 *     L = offset + sum over 1..n of coefficient_j q_j
 * it gives each axis of joints 1..n the force (moment about a turn)
 *     f_j = -reciprocal_j (stiffness (L - rest_length) + damping L' + limit_stiffness v) / n,
 * which the anchor's link bears: the joints between it and that link feel it as well. So along a
 * chain of parallel turns joint 1 feels f_1 + f_2 + ... + f_n, joint 2 the same without f_1, and so
 * on.
 *
 * *A mimic joint* holds C = q_a + gear_ratio q_b + offset = 0: exactly where frequency or damping
 * ratio is not above 0, else as a spring of that natural frequency and damping ratio whatever the
 * inertia that C has.
 *
 * All are integrated implicitly, as drives are: stable however stiff. q' of several turns is not
 * the derivative of their positions (articulation.h), and of a revolute joint positions come back
 * by 4 pi, so a joint that goes round wants LODE_LINK_REVOLUTE_UNWRAPPED. */
#ifndef LODE_TENDON_H
#define LODE_TENDON_H

#include "articulation.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_tendon_type {
    LODE_TENDON_SPATIAL,
    LODE_TENDON_FIXED,
    LODE_TENDON_TYPE_COUNT
} lode_tendon_type;

/* m and N of a spatial tendon; of a fixed one what its coefficients make of m and rad. */
typedef struct lode_tendon_def {
    lode_tendon_type type;
    lode_real stiffness;       /* N/m, 0..1e30; default 0, as the next three */
    lode_real damping;         /* N s/m, 0..1e30 */
    lode_real limit_stiffness; /* N/m, 0..1e30: of what is beyond the limits */
    lode_real offset;          /* m, finite */

    /* of a fixed tendon; attachments have their own */
    lode_real rest_length; /* m, finite; default 0 */
    lode_real lo, hi;      /* m; lo above hi, the default: no limits */
} lode_tendon_def;

/* A point of a link that a spatial tendon runs through. */
typedef struct lode_tendon_attachment {
    int parent;            /* the attachment before it; -1 of the first, and of it alone */
    lode_body link;        /* of the tendon's articulation */
    lode_vec3 point;       /* m, in the link's frame */
    lode_real coefficient; /* finite; default 1 */

    /* of leaves; what others were given before they had children is kept and does nothing */
    lode_real rest_length; /* m, finite; default 0 */
    lode_real lo, hi;      /* m; lo above hi, the default: no limits */
} lode_tendon_attachment;

/* An axis that a fixed tendon runs along. */
typedef struct lode_tendon_joint {
    int parent;                /* the joint before it; -1 of the first, and of it alone */
    lode_body link;            /* whose inbound joint it is */
    lode_link_axis_index axis; /* which must not be locked; of the first it does not count */
    lode_real coefficient;     /* finite; default 1 */
    lode_real reciprocal;      /* 1/coefficient as a rule; finite; default 1 */
} lode_tendon_joint;

/* The defaults named above. */
LODE_API lode_tendon_def lode_tendon_def_default(lode_tendon_type type);
/* The root, with a coefficient of 1 and without limits; the link is to be given. */
LODE_API lode_tendon_attachment lode_tendon_attachment_default(void);
/* The root, of the twist, with both coefficients 1; the link is to be given. */
LODE_API lode_tendon_joint lode_tendon_joint_default(void);

/* Without attachments or joints. Making and destroying are refused with LODE_ERROR_STATE while the
 * articulation is in the world. The null handle on failure. */
LODE_API lode_tendon lode_tendon_create(lode_articulation articulation, const lode_tendon_def *def);
LODE_API lode_status lode_tendon_destroy(lode_tendon tendon);

/* Does the handle name a tendon that lives; and whose it is, null for a bad handle. */
LODE_API bool lode_tendon_is_valid(lode_tendon tendon);
LODE_API lode_articulation lode_tendon_get_articulation(lode_tendon tendon);

/* Tendons of a type in the order of creation: copies up to `capacity` from the `first` on and
 * returns how many there are in all. */
LODE_API int lode_articulation_get_tendons(lode_articulation articulation, lode_tendon_type type,
                                           lode_tendon *out_tendons, int first, int capacity);

/* Setting refuses another type. `wake`: the articulation wakes and its wake counter begins anew;
 * so in all setters here. */
LODE_API lode_tendon_def lode_tendon_get_def(lode_tendon tendon);
LODE_API lode_status lode_tendon_set_def(lode_tendon tendon, const lode_tendon_def *def, bool wake);

/* Adds one and returns its number, which are 0, 1, ... in the order of adding; -1 on failure.
 * Refused with LODE_ERROR_STATE while the articulation is in the world; with LODE_ERROR_ARGUMENT: a
 * tendon of the other type, a link of another articulation, a second root, a parent that is not
 * there, and of a fixed tendon a link that is no child of its parent's, or an axis that is locked.
 * An axis locked afterwards counts as standing. */
LODE_API int lode_tendon_add_attachment(lode_tendon tendon,
                                        const lode_tendon_attachment *attachment);
LODE_API int lode_tendon_add_joint(lode_tendon tendon, const lode_tendon_joint *joint);

/* How many attachments or joints it has. */
LODE_API int lode_tendon_count_parts(lode_tendon tendon);

/* By number. Setting refuses another parent, link or axis, and another rest length or limit of an
 * attachment that is no leaf. */
LODE_API lode_tendon_attachment lode_tendon_get_attachment(lode_tendon tendon, int index);
LODE_API lode_status lode_tendon_set_attachment(lode_tendon tendon, int index,
                                                const lode_tendon_attachment *attachment,
                                                bool wake);
LODE_API lode_tendon_joint lode_tendon_get_joint(lode_tendon tendon, int index);
LODE_API lode_status lode_tendon_set_joint(lode_tendon tendon, int index,
                                           const lode_tendon_joint *joint, bool wake);

/* L as it is now: of a spatial tendon from its root to attachment `index`, a leaf or any other; a
 * fixed tendon has one and ignores `index`. */
LODE_API lode_real lode_tendon_get_length(lode_tendon tendon, int index);

/* ---- mimic joints */

typedef struct lode_mimic_def {
    lode_body link_a, link_b;            /* whose inbound joints they are, of the articulation */
    lode_link_axis_index axis_a, axis_b; /* not locked, and not the same axis of one link */
    lode_real gear_ratio;                /* finite; -1 makes both positions equal; default 0 */
    lode_real offset;                    /* finite; default 0 */
    lode_real
        natural_frequency;   /* rad/s, at most 1e12; default 0: hard, as any that is not above */
    lode_real damping_ratio; /* at most 1e12; the same */
} lode_mimic_def;

/* Hard, of the twists of two links that are to be given. */
LODE_API lode_mimic_def lode_mimic_def_default(void);

/* Making and destroying are refused with LODE_ERROR_STATE while the articulation is in the world.
 * The null handle on failure. */
LODE_API lode_mimic lode_mimic_create(lode_articulation articulation, const lode_mimic_def *def);
LODE_API lode_status lode_mimic_destroy(lode_mimic mimic);

/* Does the handle name a mimic joint that lives; and whose it is, null for a bad handle. */
LODE_API bool lode_mimic_is_valid(lode_mimic mimic);
LODE_API lode_articulation lode_mimic_get_articulation(lode_mimic mimic);

/* In the order of creation: as lode_articulation_get_tendons(). */
LODE_API int lode_articulation_get_mimics(lode_articulation articulation, lode_mimic *out_mimics,
                                          int first, int capacity);

/* Setting refuses another link or axis. */
LODE_API lode_mimic_def lode_mimic_get_def(lode_mimic mimic);
LODE_API lode_status lode_mimic_set_def(lode_mimic mimic, const lode_mimic_def *def, bool wake);

LODE_EXTERN_C_END

#endif
