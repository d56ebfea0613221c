/* tendons.h: the components of tendons, of their parts (attachments and tendon joints) and of mimic
 * joints. */
#ifndef LODE_CORE_TENDONS_H
#define LODE_CORE_TENDONS_H

#include "core/pool.h"
#include "lode/tendon.h"

typedef struct lode__tendon_tie {
    uint32_t articulation;
    uint32_t next; /* of the articulation, in the order of creation */
    uint32_t type; /* lode_tendon_type */
    uint32_t first_part, part_count;
} lode__tendon_tie;

/* What a line pulls by, and the impulse of the last sub-step. */
typedef struct lode__tendon_line {
    lode_real rest, lo, hi;
    lode_real impulse;
} lode__tendon_line;

typedef struct lode__tendon_numbers {
    lode_real stiffness, damping, limit_stiffness, offset;
    lode__tendon_line line; /* of a fixed tendon */
} lode__tendon_numbers;

typedef struct lode__tendon_part_tie {
    uint32_t tendon;
    uint32_t parent; /* part, or LODE__NONE */
    uint32_t next;   /* of the tendon, in the order of creation: behind its parent */
    uint32_t index;  /* in that order */
    uint32_t link, axis;
    uint32_t child_count;
} lode__tendon_part_tie;

typedef struct lode__tendon_part_numbers {
    lode_vec3 point;
    lode_real coefficient, reciprocal;
    lode__tendon_line line; /* of a leaf of a spatial tendon */
} lode__tendon_part_numbers;

typedef struct lode__mimic_tie {
    uint32_t articulation, next;
    uint32_t link[2], axis[2];
} lode__mimic_tie;

typedef struct lode__mimic_numbers {
    lode_real gear_ratio, offset, frequency, damping_ratio;
    lode_real impulse; /* of the last sub-step */
} lode__mimic_numbers;

/* clang-format off */
#define LODE__TENDON_COMPONENTS(X) \
    /* name     type                       keeping      heat */ \
    X(tie,     lode__tendon_tie,          LODE__SAVED, LODE__COLD) \
    X(numbers, lode__tendon_numbers,      LODE__SAVED, LODE__COLD)

#define LODE__TENDON_PART_COMPONENTS(X) \
    X(tie,     lode__tendon_part_tie,     LODE__SAVED, LODE__COLD) \
    X(numbers, lode__tendon_part_numbers, LODE__SAVED, LODE__COLD)

#define LODE__MIMIC_COMPONENTS(X) \
    X(tie,     lode__mimic_tie,           LODE__SAVED, LODE__COLD) \
    X(numbers, lode__mimic_numbers,       LODE__SAVED, LODE__COLD)
/* clang-format on */

LODE__POOL_DECLARE(tendon, LODE__TENDON_COMPONENTS)
LODE__POOL_DECLARE(tendon_part, LODE__TENDON_PART_COMPONENTS)
LODE__POOL_DECLARE(mimic, LODE__MIMIC_COMPONENTS)

#endif
