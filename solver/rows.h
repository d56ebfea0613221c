/* rows.h: the rows of a group's islands, spelled out of its blocks lane by lane, in double
 * precision: for what looks at an island as a whole or at a constraint alone.
 *
 * Order. An island's constraints are sorted by the higher of their two lines, joints first: an
 * order that depends on the island alone. */
#ifndef LODE_SOLVER_ROWS_H
#define LODE_SOLVER_ROWS_H

#include "solver/state.h"

#define LODE__ROW_NONE UINT32_MAX

/* One constraint: a lane of a block. */
typedef struct lode__part {
    void *block;
    uint32_t row;     /* first of its rows in the island */
    uint32_t at;      /* in the jacobians: row by row, for each of its ends */
    uint32_t columns; /* the same number by number, for the direct solver */
    uint16_t ends;
    uint8_t rows, lane, bucket;
    uint8_t points; /* of a contact; else 0 */
    bool bond; /* a joint of which no row is bounded, or a contact that may be a weld: with friction
                  both ways at all points, and nothing special */
} lode__part;

/* Of one body, per unit of a row's impulse: the wrench on it, and the angular response. */
typedef struct lode__jacobian {
    double lin[3], ang[3], resp[3];
} lode__jacobian;

/* Of each end of a part, its rows' linear parts and responses, padded to whole quads. */
enum { LODE__COLUMN_NUMBERS = 6 };

enum { LODE__ROW_JOINT, LODE__ROW_NORMAL, LODE__ROW_FRICTION, LODE__ROW_ROLLING };

/* What a row asks for: c = J v + gamma lambda while lambda is within its limits. Those of friction
 * are -ratio and ratio times the impulse of another row, `master`, which comes before it. */
typedef struct lode__row_values {
    double c, gamma, lo, hi, ratio;
    double lambda;   /* as the block has it */
    uint32_t master; /* row of the island, or LODE__ROW_NONE */
    uint8_t kind;    /* LODE__ROW_... */
    uint8_t axis;    /* of friction and rolling: 0 t1, 1 t2, 2 n */
    bool idle;       /* it acts on nobody, or is left alone in this pass */
    bool cone;       /* it and the next row hold together, on a cone */
} lode__row_values;

typedef struct lode__row_island {
    uint32_t begin, end; /* parts */
    uint32_t line_begin, line_end;
    uint32_t rows, jacobians, columns;
} lode__row_island;

/* Those of one group; each island, or each part, uses the two last arrays anew. */
typedef struct lode__rows {
    lode__part *parts;
    lode__row_island *islands; /* those that have rows */
    uint32_t part_count, island_count;
    lode__jacobian *jacobians;
    lode__row_values *values; /* by row */
    bool cone;                /* what friction of contacts without a law of their own is */
} lode__rows;

/* Lists and sorts the constraints of a group, island by island; false when there is no memory. */
bool lode__rows_list(lode__rows *rows, const lode__solve_state *state, const lode__group *group,
                     lode__arena *arena);

/* Takes memory for the rows of any of its islands. */
bool lode__rows_take(lode__rows *rows, lode__arena *arena);

/* The part of a lane that has one, numbered for itself. */
lode__part lode__part_of(const lode__solve_chunk *chunk, uint32_t lane);

/* Reads a part's jacobians and values as the block has them now. */
void lode__rows_read(const lode__rows *rows, const lode__dense *lines, const lode__part *part);

/* Writes a part's impulses, one for each row, to its block. */
void lode__rows_write(const lode__part *part, const double *impulses);

/* J v of the part's row `row`, at the velocities of the lines. */
double lode__row_velocity(const lode__rows *rows, const lode__dense *lines, const lode__part *part,
                          int row);

/* The line of one of its bodies that impulses move; 0 for another. */
static inline int32_t lode__part_line(const lode__part *p, int end)
{
    if (bucket_is_contact(p->bucket)) {
        const lode__contact_block *contact = p->block;
        return end ? contact->b[p->lane] : contact->a[p->lane];
    }
    if (bucket_is_linkage(p->bucket))
        return ((const lode__linkage_block *)p->block)->end[end].line[p->lane];
    const lode__row_block *joint = p->block;
    return end ? joint->b[p->lane] : joint->a[p->lane];
}

static inline uint32_t lode__part_pushes(const lode__part *p, int end)
{
    int32_t line = lode__part_line(p, end);
    return line > 0 ? (uint32_t)line : 0;
}

static inline lode__jacobian *lode__jacobian_at(const lode__rows *rows, const lode__part *p,
                                                int row, int end)
{
    return &rows->jacobians[p->at + (uint32_t)row * p->ends + (uint32_t)end];
}

static inline double lode__dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
