/* blocks.h: contact manifolds and joints as lane-interleaved blocks, eight of one kind side by
 * side; what the kernels stream through in every iteration.
 *
 * Contact block. All points of a manifold share one normal, so the manifold is solved in the six
 * dimensions of its relative motion instead of the twelve of its two bodies: the twist of body a
 * relative to body b at the centroid of the points, in the contact frame (n, t1, t2 = n x t1),
 *
 *     u = v_a + w_a x r_a - v_b - w_b x r_b,      w = w_a - w_b.
 *
 * A wrench (p, m) at the centroid changes it by  du = D p + C m,  dw = C^T p + I m, where, with
 * X = [r]x, D = 1/m - X I X, C = -X I, summed over both bodies: the 6 x 6 inverse operational-
 * space inertia (Khatib 1987) of the contact. A point at (x, y) in the tangent plane then has
 *
 *     normal row:    v_n = u_n + w_1 y - w_2 x      wrench (1, 0, 0; 0, y, -x)
 *     friction rows: v_1 = u_1 - w_n y              wrench (0, 1, 0; -y, 0, 0)
 *                    v_2 = u_2 + w_n x              wrench (0, 0, 1;  x, 0, 0)
 *
 * which is a few operations a row, and 31 bytes a row in single precision with four points. The
 * normal rows are exact; the friction rows take the points as coplanar, which they are to within
 * the contact slop.
 *
 * Special contact block. A contact block behind whose rows lies what few contacts have
 * (lode/surface.h), and what follows from it. Normal rows get a rate and a softness of their own,
 * friction rows a target and a softness, and three rows turn the bodies against each other about
 * t1, t2 and n, bounded by the load: their wrenches are (0, 0, 0; m), so D and C of the contact
 * serve them, too.
 *
 * Row block. Generic rows of joints: the Jacobian of both bodies, of which the linear part of b is
 * minus that of a. Each row has its own softness. Rows without bounds come first. Three rows that
 * hold a point, which most joints have, need of their Jacobians only the lever arms r_a and r_b:
 *
 *     J v = v_a + w_a x r_a - v_b - w_b x r_b,      J^T p = (p, r_a x p; -p, -r_b x p). */
#ifndef LODE_SOLVER_BLOCKS_H
#define LODE_SOLVER_BLOCKS_H

#include "core/contact.h"
#include "core/lines.h"

/* An impulse limit or a gamma that no row reaches; finite so that no lane computes inf - inf. */
#define LODE__UNBOUNDED ((lode_real)1e30)

/* One lane-interleaved scalar: eight reals. */
typedef struct lode__lane {
    _Alignas(8 * sizeof(lode_real)) lode_real x[LODE_LANES];
} lode__lane;

typedef struct lode__lane3 {
    lode__lane x, y, z;
} lode__lane3;

typedef struct lode__lane4 {
    lode__lane w, x, y, z;
} lode__lane4;

/* One lane of a vector or a rotation. */
static inline void put_lane3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

static inline void put_lane4(lode__lane4 *out, int lane, lode_quat q)
{
    out->w.x[lane] = q.w;
    out->x.x[lane] = q.x;
    out->y.x[lane] = q.y;
    out->z.x[lane] = q.z;
}

static inline lode_vec3 get_lane3(const lode__lane3 *field, int lane)
{
    return v3(field->x.x[lane], field->y.x[lane], field->z.x[lane]);
}

/* What a row exerted in the whole step: `sum` in its sub-steps before the last one. */
static inline lode_real lane_told(const lode__lane *sum, const lode__lane *last, int lane)
{
    return sum->x[lane] + last->x[lane];
}

/* One point of eight manifolds. */
typedef struct lode__contact_row {
    /* read and written in each iteration */
    lode__lane x, y; /* from the centroid along t1 and t2, m */
    /* normal row: d = mass (c - v - soft lambda), lambda at least 0 */
    lode__lane mass, c, soft, lambda; /* kg, m/s, 1/kg, N s */
    lode__lane k;                     /* J M^-1 J^T of the normal row, 1/kg */
    lode__lane coupling[3];           /* of it to the normal rows after it, 1/kg */
    lode__lane inverse[4]; /* inverse of the normal rows' matrix, from the diagonal on, kg */
    /* friction rows, which k12 couples; contact_friction.inl says what they hold */
    lode__lane mass1, mass2, k12;
    lode__lane lambda1, lambda2; /* N s */
    lode__lane arm;              /* from the centroid, m; of friction per manifold */
    /* read when the rows are refreshed */
    lode__lane depth;    /* at the start of the step, m */
    lode__lane approach; /* v_n at the start of the step, m/s */
    lode__lane told[3];  /* lambda, lambda1, lambda2, summed over the sub-steps before */
} lode__contact_row;

typedef struct lode__contact_block {
    int32_t a[LODE_LANES], b[LODE_LANES]; /* dense lines; a can be pushed */
    lode__lane3 n, t;                     /* normal into a; first tangent, zero for any at first */
    lode__lane3 ra, rb;                   /* centroid from the centres of mass, world axes, m */
    /* of D, C and I, what couples friction rows with each other and with normal rows */
    lode__lane d11, d22, d12, dn1, dn2;
    lode__lane cnn, c1n, c2n, c11, c12, c21, c22;
    lode__lane inn, in1, in2;
    lode__lane friction1, friction2;
    /* friction per manifold: the rows at the centroid, in place of those of the points */
    lode__lane mass1, mass2, k12;
    lode__lane lambda1, lambda2;  /* N s */
    lode__lane twist_mass, twist; /* the row about the normal, kg m^2, N m s */
    lode__lane told[3];           /* lambda1, lambda2, twist of the sub-steps before */
    lode__lane restitution;
    lode__lane bounced; /* 1: the last visit for restitution has changed it */
    lode__contact_row rows[];
} lode__contact_block;

/* What is special about eight contacts; numbered by t1, t2 and n. */
typedef struct lode__special_lanes {
    lode__lane3 motion;      /* wanted velocity of a against b: x, y, z, then along n, t1, t2 */
    lode__lane3 turn;        /* moment of the last step on a: x, y, z, N m s; then in `roll` */
    lode__lane erp, cfm;     /* of the normal rows; erp negative: as the solver has them */
    lode__lane bounce_speed; /* m/s */
    lode__lane soft[2];      /* of a point's friction rows, 1/kg */
    lode__lane cone;         /* 1: both friction rows lie on a cone */
    lode__lane box[2];       /* 1: friction is an impulse, N s, that does not ask for the load */
    lode__lane rolling[3];   /* m */
    lode__lane moment[3];    /* 1: `rolling` is an impulse, N m s, without regard to the load */
    lode__lane roll_cone;    /* 1: the first two of it lie on a cone */
    lode__lane gamma;        /* of the normal rows, 1/kg */
    lode__lane holds[LODE__MANIFOLD_POINTS]; /* 1: the point touches */
    lode__lane cn1, cn2, i11, i22, i12;      /* of C and I, what rolling needs besides */
    lode__lane roll_mass[3]; /* kg m^2; of a cone as friction's mass1, mass2 and k12 */
    lode__lane roll_k12;
    lode__lane roll[3]; /* N m s */
    lode__lane told[3]; /* the same of the sub-steps before */
} lode__special_lanes;

/* One row of eight joints. */
typedef struct lode__row {
    /* read and written in each iteration */
    lode__lane mass, c, soft;
    lode__lane lambda;
    lode__lane3 ang_a, ang_b;
    lode__lane3 lin;   /* Jacobian of a's linear velocity; b's is its negative */
    lode__lane lo, hi; /* impulse limits, of bounded rows */
    /* read when the rows are refreshed */
    lode__lane error;    /* position error at the start of the step, m or rad */
    lode__lane target;   /* wanted velocity, m/s or rad/s */
    lode__lane erp, cfm; /* erp negative: both as the solver has them for joints */
    lode__lane k;
    lode__lane told; /* lambda, summed over the sub-steps before */
} lode__row;

typedef struct lode__row_block {
    int32_t a[LODE_LANES], b[LODE_LANES];
    int32_t unbounded; /* so many rows come before the first that has bounds */
    /* what is known of rows without bounds: the first `axes` (none or three) hold a point, their
       linear parts are the world's axes x, y, z and their angular parts r_a x e and -r_b x e; those
       from there to `turning` have no linear part, and that of b is that of a with another sign */
    int32_t axes, turning;
    /* of a point: r_a and r_b; J_y M^-1 J_x^T, J_z M^-1 J_x^T, J_z M^-1 J_y^T, 1/kg; what its rows'
       mass is for all three at once: xx, yy, zz, xy, xz, yz, kg; their gamma, 1/kg; and the share of
       its impulse that springs of the solver let go */
    lode__lane3 arm_a, arm_b, coupling;
    lode__lane point_mass[6], point_gamma, point_lost;
    lode__lane most_erp;       /* of the island of each (solver/forgetting.c) */
    lode__lane part_a, part_b; /* of the body that a lane's own is, when lanes share bodies: 1/n */
    lode__lane3 told_force, told_torque_a, told_torque_b; /* J^T lambda, N s and N m s, likewise */
    lode__row rows[];
} lode__row_block;

static inline size_t lode__contact_block_size(int points)
{
    return sizeof(lode__contact_block) + (size_t)points * sizeof(lode__contact_row);
}

static inline size_t lode__special_block_size(int points)
{
    return lode__contact_block_size(points) + sizeof(lode__special_lanes);
}

static inline lode__special_lanes *lode__special_lanes_of(lode__contact_block *block, int points)
{
    return (lode__special_lanes *)(void *)((char *)block + lode__contact_block_size(points));
}

/* Behind the rows: how much of each row without bounds has been taken out of each with bounds, of
 * which there are at most so many pairs. */
static inline size_t lode__row_pairs(int rows)
{
    return (size_t)(rows * rows / 4);
}

static inline size_t lode__row_block_size(int rows)
{
    return sizeof(lode__row_block) + (size_t)rows * sizeof(lode__row) +
           lode__row_pairs(rows) * sizeof(lode__lane);
}

/* Of bounded row `row` all that has been taken out, one for each row without bounds. */
static inline lode__lane *lode__row_taken(lode__row_block *block, int rows, int row)
{
    lode__lane *pairs = (lode__lane *)(void *)&block->rows[rows];
    return pairs + (size_t)((row - block->unbounded) * block->unbounded);
}

#endif
