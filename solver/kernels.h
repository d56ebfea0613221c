/* kernels.h: the table of solver kernels that each instruction set exports.
 *
 * A block kernel works through `count` blocks that lie `stride` bytes apart, in order. No two lanes
 * of any blocks of one call share a movable body, but for the shared kinds: there any may. */
#ifndef LODE_SOLVER_KERNELS_H
#define LODE_SOLVER_KERNELS_H

#include "core/contact.h"
#include "core/joints.h"
#include "solver/articulation/multibody.h"
#include "solver/blocks.h"
#include "solver/bonds.h"
#include "solver/net_rows.h"

/* How fast a body went before impulses of the step before were exerted, and whether they throw it:
 * 1 or 0. */
typedef struct lode__pace {
    lode_real linear, angular; /* squares */
    lode_real thrown;
} lode__pace;

/* Dense lines of this step's bodies; line 0 is the static dummy. The arrays, but for `pace`, reach
 * below it too: to the lines of kinematic bodies, and below these to shadows
 * (solver/islands.c). */
typedef struct lode__dense {
    lode__velocity *velocity;
    lode__inv_mass *inv_mass;
    lode__delta *delta;
    lode__pose *pose; /* the rotation moves with the sub-steps, the position at the end */
    lode__force *force;
    uint32_t *slot;   /* of the body */
    lode__pace *pace; /* what warm starts are held against (solver/thrown.h) */
    uint32_t count;   /* including line 0, without padding */
    uint32_t kinematic_count, shadow_count;
} lode__dense;

/* Bodies whose inertia depends on their rotation, gathered eight by eight in any order. */
typedef struct lode__spinner {
    _Alignas(8 * sizeof(lode_real)) lode_real inertia[8]; /* xx yy zz xy xz yz, body axes; pad; in
                                                             whatever unit makes it about 1 */
    lode_real inv_inertia[8];
} lode__spinner;

typedef struct lode__spinners {
    lode__spinner *spinner;
    int32_t *line;   /* padded to a multiple of eight with 0 */
    lode_real *gyro; /* 1 where the gyroscopic torque counts, else 0 */
    lode_real *turns; /* 1 where the inertia turns in each sub-step, else 0 */
    uint32_t count;  /* padded */
    bool any_gyro;   /* it may count somewhere: what needs the inertia is there */
} lode__spinners;

/* Bodies that turn by a rule of their own (solver/body_turn.inl). */
typedef struct lode__turner {
    _Alignas(8 * sizeof(lode_real)) lode_real inertia[6]; /* as a spinner's */
    lode_real is_explicit, conserves;                     /* 1: its gyroscopic torque is */
    lode_real inv_inertia[8];                             /* its inverse in that unit; pads */
    lode_vec3 axis;                                       /* of length 1, or zero; body axes */
    lode_real is_finite;                                  /* 1: it turns by finite rotations */
    lode_real pad[4];
    lode_quat rotation; /* where the sub-step begins */
    lode_real pad_rotation[4];
} lode__turner;

typedef struct lode__turners {
    lode__turner *turner;
    int32_t *line;  /* padded to a multiple of eight with 0 */
    uint32_t count; /* padded */
} lode__turners;

/* Eight bodies whose gyroscopic torque is to be a force like others: where the numbers of their
 * lode__pose, lode__velocity and lode__local_mass.inertia lie. */
typedef struct lode__gyros {
    const lode_real *pose[LODE_LANES], *velocity[LODE_LANES], *inertia[LODE_LANES];
    lode__lane3 torque; /* out: N m, world axes */
    int used;           /* lanes that count, from the first on; the others may be read */
} lode__gyros;

/* Bodies that fly, dense lines in any order, padded to a multiple of eight with 0. */
typedef struct lode__flyers {
    int32_t *line;
    uint32_t count; /* padded */
} lode__flyers;

/* How the rows of one pass are made from positions. A row under load has
 *     gamma = cfm / h,  mass = relaxation mass_scale / (k + gamma),
 *     soft = relaxation gamma / (k + gamma) + impulse_scale,
 * and drives at `rate` against its error; contact rows keep soft divided by mass. */
typedef struct lode__softness {
    lode_real rate;       /* of contacts, 1/s */
    lode_real gamma;      /* of contacts, 1/kg */
    lode_real relaxation; /* in (0, 2) */
    lode_real mass_scale; /* of contacts below the surface layer; of the relax pass, that touch */
    lode_real impulse_scale;
    lode_real joint_mass_scale, joint_impulse_scale;
    lode_real slop, max_speed;
    lode_real near;         /* contacts touch while their gap is no wider, m */
    lode_real loose;        /* rows that let a gap close faster are free to stay, m/s, */
    lode_real loose_still;  /* and those against what never moves */
    bool apart;             /* points of a contact are solved one after another alone */
    lode_real bounce_speed; /* slower impacts do not bounce, m/s */
    lode_real inv_h;
    lode_real elapsed;    /* since the step began, s: how long kinematic bodies have moved */
    lode_real joint_rate; /* of rows without an erp of their own, 1/s */
    lode_real forget;     /* warm starts forget so many times the erp of a joint's impulse */
    bool cone;            /* friction on a cone, else on a pyramid */
    bool friction_per_manifold;
    lode_real
        carry; /* the share of the last impulses, of rows without cfm, that is to be expected */
    lode_real tell; /* 1; -1 where what rows are said to have exerted is taken back */
    bool relax;     /* the pass after the poses have moved: it leaves soft rows alone */
} lode__softness;

/* An impact is not longer ago, s. */
static inline lode_real lode__recently(const lode__softness *softness)
{
    return 2 * (softness->elapsed + 1 / softness->inv_h);
}

/* What one extra row of eight joints does: drives an axis, or keeps it between its stops. */
typedef struct lode__extra_lanes {
    lode__lane axis;             /* which, as a number */
    lode__lane stop;             /* 1 for a stop, 0 for a motor */
    lode__lane vel;              /* of the motor, m/s or rad/s; of a servo the most */
    lode__lane servo, target;    /* of a servo, 1/s and m or rad; of other motors servo is 0 */
    lode__lane max_impulse;      /* of the motor, N s or N m s */
    lode__lane fudge;            /* the share of it away from a stop */
    lode__lane near;             /* at a stop, m or rad */
    lode__lane lo_stop, hi_stop; /* m or rad, finite */
    lode__lane bounce;           /* of the stops */
    lode__lane recent;           /* an impact is not longer ago, s */
    lode__lane soft;             /* 1 for stops that yield: not felt before they are reached */
    lode__lane last;             /* position when the last step ended, m or rad */
} lode__extra_lanes;

enum { LODE__GIVEN_AXES = 3 }; /* most directions that joints have for themselves */

/* Joint frames and poses of eight joints, what a row builder reads. In a step they lie behind the
 * rows of their block. What follows `pushed_b` is there for types alone whose frames matter. */
typedef struct lode__joint_lanes {
    lode__lane3 anchor_a, anchor_b; /* from the centres of mass, body axes, m */
    lode__lane3 start;              /* from b's centre of mass to a's when the step began, world
                                       axes, m */
    lode__lane3 offset;             /* the same now */
    lode__lane4 q_a, q_b;           /* body to world */
    lode__lane pushed_a, pushed_b;  /* 1 for bodies that can be pushed */

    lode__lane4 frame_a, frame_b; /* joint frame to body */
    lode__lane3 drift;            /* v_a - v_b when the step began, world axes, m/s */
    lode__lane3 spin_a, spin_b;   /* angular velocities then, rad/s */
    lode__lane distance;          /* that the anchors are kept at, m */
    lode__extra_lanes extra[LODE__JOINT_ROWS];

    /* for types alone whose axes are given */
    lode__lane3 direction[LODE__GIVEN_AXES]; /* in its frame */
    lode__lane frame[LODE__GIVEN_AXES];      /* -1: a's, 1: b's, 0: the world's */
    lode__lane3 spun; /* by what a has turned since the step began, less what b has, rad */
} lode__joint_lanes;

/* Of joints with so many extra rows, and whose axes are given or not. */
static inline size_t lode__joint_lanes_size(int extras, bool given)
{
    if (given)
        return sizeof(lode__joint_lanes);
    return offsetof(lode__joint_lanes, extra) + (size_t)extras * sizeof(lode__extra_lanes);
}

static inline lode__joint_lanes *lode__joint_lanes_of(lode__row_block *block, int rows)
{
    return (lode__joint_lanes *)(void *)((char *)block + lode__row_block_size(rows));
}

/* Where a block of contacts is read. Lanes without one read a manifold of zeros. */
typedef struct lode__contact_sources {
    const lode__manifold *manifold[LODE_LANES];
    lode__lane swap;                  /* 1: the lane's body a is the manifold's b */
    lode__lane scale, friction_scale; /* of impulses, along the normal and across it */
    lode__lane idle;                  /* 1: it bears nothing, as if so far away: */
    lode_real idle_depth;             /* m */
} lode__contact_sources;

/* Writes all of a block's contacts but its lines. */
typedef void lode__contact_read_fn(const lode__contact_sources *from, lode__contact_block *block,
                                   int points);

/* Where a block of joints and what its rows are built from are read, lane by lane. Lanes without a
 * joint read what is zero, but for rotations, which are none. */
typedef struct lode__joint_sources {
    const lode__joint *joint[LODE_LANES];
    const lode_real *anchor_b[LODE_LANES]; /* three, with one number more behind */
    const lode_real *pose[2][LODE_LANES], *velocity[2][LODE_LANES]; /* of body a and b */
    const lode_real *impulse[LODE_LANES];
    lode_real impulse_scale;
    lode__lane erp, cfm; /* of the rows that the type has */
} lode__joint_sources;

/* Writes lambda and softness of a block's rows, of which the first `own` are those of its type, and
 * the poses and frames of its joints; what is there for framed types alone if the type is. */
typedef void lode__joint_read_fn(const lode__joint_sources *from, lode__row_block *block,
                                 lode__joint_lanes *joints, int own, int rows, bool framed);

/* Where it goes what a block of joints has exerted, of lanes whose bits are set; others name room
 * that nobody reads. Feedback is there if it is told. */
typedef struct lode__joint_targets {
    lode_real *impulse[LODE_LANES], *feedback[LODE_LANES];
    lode_real inv_dt; /* 1/s */
    unsigned lanes;
    bool told;
} lode__joint_targets;

typedef void lode__joint_keep_fn(const lode__row_block *block, int rows,
                                 const lode__joint_targets *to);

/* Writes what follows from each lane's axis of an extra row: all but which it is, whether it is a
 * stop, and where. */
typedef void lode__extra_read_fn(const lode_real *const axis[LODE_LANES],
                                 const lode__softness *softness, lode__extra_lanes *out);

/* Rows of joints over any number of bodies (solver/linkage.h). One body of each lane's row; line 0
 * where a row has fewer. */
typedef struct lode__linkage_end {
    int32_t line[LODE_LANES];
    lode__lane inv_mass;
    lode__lane3 lin, ang, resp; /* Jacobian, and I^-1 ang */
} lode__linkage_end;

/* Behind the ends lies what rows are written in. */
typedef struct lode__linkage_block {
    int32_t ends;
    lode__row row;             /* its parts of two bodies are unused */
    lode__lane most_erp;       /* of the island of each (solver/forgetting.c) */
    lode__lane given;          /* 1 where the application says error, target and bounds */
    lode__extra_lanes extra;   /* elsewhere: motor or stops of the coupling's axis, */
    lode__lane position, rate; /* where that is, and how fast it went when the step began */
    lode__linkage_end end[];
} lode__linkage_block;

typedef void lode__block_fn(void *blocks, uint32_t count, size_t stride, const lode__dense *lines,
                            const lode__softness *softness);

/* Writes what follows from the bodies' poses in the `rows` rows of a block; erp, cfm and lambda are
 * there, and lambda is put within its bounds. */
typedef void lode__build_fn(lode__row_block *block, const lode__joint_lanes *joints, int rows);

/* Writes where the joints' bodies are now; of those that cannot be pushed q is there. */
typedef void lode__joints_now_fn(lode__joint_lanes *joints, const lode__row_block *block,
                                 const lode__dense *lines, const lode__softness *softness);

enum { LODE__FRICTIONS = 4 };

/* Which solve kernel the friction of this pass wants. */
static inline int lode__friction_of(const lode__softness *softness)
{
    return softness->cone + 2 * softness->friction_per_manifold;
}

/* What can be done with a run of blocks of one kind. `restitution` may be null. Solving depends on
 * friction; for joints all four are the same. `solve_back`, of joints only, goes from their last
 * row to their first. `put_back`, of joints only, follows `prepare` where rows are built anew
 * within the step. `again`, in a second-order sub-step, exerts its first half's impulses once more,
 * as what the second half starts with. `tell` adds a sub-step's impulses to what the step is said
 * to have exerted. `part`, of contacts only, moves bodies apart: lines' velocities are ways.
 * `let_go`, of contacts only, takes back a warm start that throws bodies. */
typedef struct lode__block_kernels {
    lode__block_fn *prepare, *put_back, *refresh, *warm_start, *again, *tell, *part, *restitution;
    lode__block_fn *let_go, *solve_back;
    lode__block_fn *solve[LODE__FRICTIONS];
} lode__block_kernels;

/* Kinds of blocks: contacts by points, between two bodies or against a static one; special ones,
 * between any; joint rows by count; rows of linkages; and each of these for lanes that may share
 * bodies (solver/shared.inl), which those of linkages do not. */
enum {
    LODE__KIND_CONTACT = 0,                                         /* + points - 1 */
    LODE__KIND_STATIC = LODE__KIND_CONTACT + LODE__MANIFOLD_POINTS, /* + points - 1 */
    LODE__KIND_SPECIAL = LODE__KIND_STATIC + LODE__MANIFOLD_POINTS, /* + points - 1 */
    LODE__KIND_ROWS = LODE__KIND_SPECIAL + LODE__MANIFOLD_POINTS,   /* + rows - 1 */
    LODE__KIND_LINKAGE = LODE__KIND_ROWS + LODE__JOINT_ROWS,
    LODE__KIND_SHARED = LODE__KIND_LINKAGE + 1, /* + any of the above */
    LODE__KIND_COUNT = 2 * LODE__KIND_SHARED
};

/* Solves blocks of a run two at a time, from the first on while two are alike; returns how many. */
typedef uint32_t lode__two_fn(void *blocks, uint32_t count, size_t stride, const lode__dense *lines,
                              const lode__softness *softness);

/* Of a kind below LODE__KIND_SHARED, with the friction of a pyramid per point or per manifold; of
 * joints, also back. */
typedef struct lode__two_kernels {
    lode__two_fn *solve, *solve_whole, *solve_back;
} lode__two_kernels;

/* Of the direct solver, in double precision: equations of `count` rows whose first `own` unknowns
 * are eliminated. Rows lie `stride` apart, a multiple of eight, 64-byte aligned, and are padded
 * with zeros. Of symmetric ones only the diagonal and above count. */
typedef struct lode__front {
    double *matrix;      /* out: the upper factor's rows, then what is left of the others */
    double *lower;       /* out: the lower factor's columns, `stride` apart, below the diagonal */
    double *inverse;     /* out: of the pivots; 0 for those that vanish */
    const double *least; /* by row: a pivot that is no larger vanishes */
    uint32_t count, own, stride;
    bool symmetric;
} lode__front;

typedef void lode__eliminate_fn(const lode__front *front);

/* Of the same, products with panels of `rows` rows that lie `width` apart (solver/panel.inl). */
typedef struct lode__panel_kernels {
    void (*dots)(const double *a, uint32_t width, uint32_t rows, const double *x, double *out);
    void (*push)(const double *a, uint32_t width, uint32_t rows, uint32_t from, const double *x,
                 double *out);
    void (*scale)(double *a, uint32_t width, uint32_t rows, const double *by_row,
                  const double *by_column);
    void (*couple)(const double *rows, uint32_t stride, uint32_t count, const double *columns,
                   uint32_t column_count, double inv_mass, double *out, uint32_t width);
    void (*exchange)(double *a, uint32_t width, uint32_t rows, uint32_t p);
} lode__panel_kernels;

typedef struct lode__solver_kernels {
    lode__block_kernels kinds[LODE__KIND_COUNT];
    /* of contacts and of joints, where no more than half of the lanes are used; may be null */
    const lode__block_kernels *half;
    lode__contact_read_fn *read_contacts;
    lode__joints_now_fn *joints_now;
    lode__joint_read_fn *read_joints;
    lode__extra_read_fn *read_extra;
    lode__joint_keep_fn *keep_joints;
    lode__build_fn *build[LODE_JOINT_TYPE_COUNT];
    void (*build_linkage)(lode__linkage_block *block); /* bounds and errors of couplings */

    lode__eliminate_fn *eliminate;
    lode__panel_kernels panel;
    lode__bonds_fn *solve_bonds;
    const lode__mb_kernels *multibody;   /* of lode__multibody_lanes, */
    const lode__mb_kernels *const *tree; /* and of lode__multibody, without step; may be null */
    const struct lode__loose_kernels *const *loose; /* may be null */
    const struct lode__flock_kernels *flock;
    lode__bond_four_kernels four;

    const lode__net_kernels *nets; /* of one net, and of four */

    /* over dense lines begin..end-1 */
    void (*integrate_velocity)(const lode__dense *lines, uint32_t begin, uint32_t end,
                               lode_vec3 gravity, lode_real h);
    void (*integrate_pose)(const lode__dense *lines, uint32_t begin, uint32_t end, lode_real h);

    /* over spinners begin..end-1, multiples of eight */
    void (*gyroscopic)(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                       uint32_t end, lode_real h);
    void (*rotate_inertia)(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                           uint32_t end);
    void (*turn_inertia)(const lode__dense *lines, const lode__spinners *spinners, uint32_t begin,
                         uint32_t end); /* of those that turn it in each sub-step */

    /* what acts over a step of h seconds */
    void (*gyroscopic_torque)(lode__gyros *gyros, lode_real h);

    /* over turners and flyers begin..end-1, multiples of eight */
    void (*gyroscopic_explicit)(const lode__dense *lines, const lode__turners *turners,
                                uint32_t begin, uint32_t end, lode_real h);
    void (*turn)(const lode__dense *lines, const lode__turners *turners, uint32_t begin,
                 uint32_t end, lode_real h);
    void (*fly)(const lode__dense *lines, const lode__flyers *flyers, uint32_t begin, uint32_t end,
                lode_vec3 gravity, lode_real h);
} lode__solver_kernels;

extern const lode__solver_kernels lode__solver_kernels_plain;

/* Those of a kind for blocks of which only the first `lanes` are used: where a body has many joints
 * every colour has a block with one. Text with one lane leaves out those without bodies. */
static inline const lode__block_kernels *
lode__block_kernels_of(const lode__solver_kernels *set, int kind, uint32_t lanes)
{
    const lode__block_kernels *kinds = set->kinds;
    const int base = kind % LODE__KIND_SHARED;
    if (base != LODE__KIND_LINKAGE && lanes <= LODE_LANES / 2 && set->half)
        kinds = set->half;
    if (lanes == 1 && (base < LODE__KIND_ROWS || !set->half))
        kinds = lode__solver_kernels_plain.kinds;
    return &kinds[kind];
}

/* The table of an instruction set that this build has; null for one it has not. */
const lode__solver_kernels *lode__solver_kernels_for(lode_simd simd);

#endif
