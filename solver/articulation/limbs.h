/* limbs.h: the articulations of one step, *limbs*: how they take part in the solver's stages.
 *
 * All links of a limb are of one island. They have dense lines like other bodies, from which
 * contacts and joints are built, but no kernel solves what touches one: such constraints have a
 * colour of their own, LODE__COLOUR_LIMBS, whose blocks are only filled, refreshed and told. Their
 * rows are spelled out of the blocks (solver/rows.h), get the response of the whole tree, and are
 * swept here, after each sweep of the kernels (Mirtich 1996; a row's Jacobian and response in joint
 * coordinates), or solved to the end (limb_direct.h). A group that has limbs is solved by one
 * thread.
 *
 * A sub-step of a limb: kinematics, forces, articulated inertias, new speeds; the rows of its
 * joints and of what touches it; then it moves, and its lines follow.
 *
 * *Drives* are springs with dampers, integrated implicitly: with B = h (h k + d) they make the mass
 * matrix M + B, so that all drives of a limb hold exactly together and contacts feel them give.
 * What a limit of force takes back is an impulse on top (limb_rows.c).
 *
 * *Tendons and mimic joints* are *pulls*, rows in the coordinates of the joints alone (tendons.c),
 * solved together before the other rows of joints (pulls.c). */
#ifndef LODE_SOLVER_ARTICULATION_LIMBS_H
#define LODE_SOLVER_ARTICULATION_LIMBS_H

#include "core/math.h"
#include "solver/articulation/coordinates.h"
#include "solver/articulation/model.h"
#include "solver/articulation/spatial.h"
#include "solver/rows.h"
#include "solver/solvers.h"
#include "solver/state.h"

/* Of what a drive gives, B, by the inertia of the link alone: from here on it must know what
 * inertia it moves (limb_load.c). */
#define LODE__LIMB_STIFF ((lode_real)100)

/* The share of a stop's error that a sub-step takes back. */
#define LODE__LIMB_ERP ((lode_real)0.2)

/* The rows of a dof, by which its impulses are kept; that of the drive has what it gives at its
 * limit, and nothing within. */
enum { LODE__DOF_AT_LIMIT, LODE__DOF_FRICTION, LODE__DOF_STOPS, LODE__DOF_SPEED_LIMIT };

/* What a dof's joint asks of it in a sub-step. */
typedef struct lode__limb_dof {
    const lode__link_axis *axis;
    lode_real speed_begin; /* when the step began */
    lode_real give, push;  /* of its drive: B and P, impulse = P - B q' */
    lode_real hand;        /* impulse of the force given by hand */
    lode_real drive_limit; /* impulse that the drive may have; infinite: any */
    lode_real drive;       /* impulse that it has by its row, where it is set */
    bool aside;            /* and no part of the tree (limb_joints.c) */
    bool beyond;           /* a drive in the tree gives more than it may */
    lode_real lo, hi;      /* how fast its stops let its position change, */
    lode__mb_rate rate;    /* which these speeds do */
    lode_real hold, slide; /* friction: impulses that it sticks with, and slides with */
    lode_real viscous;     /* more of that, per speed */
    lode_real impulse[LODE__LINK_ROWS]; /* at the limit, friction, stops, speed limit */
    lode_real *response;                /* M^-1 of this dof, once it has been needed; else null */
} lode__limb_dof;

/* By how much a sweep changed the speeds of dofs, by their own rows. */
typedef struct lode__limb_residual {
    lode_real squares, most;
    uint32_t rows;
} lode__limb_residual;

/* A tendon's line or a mimic joint (tendons.c): a pull along what has a length. */
typedef struct lode__limb_pull {
    lode_real *gradient, *push, *response; /* by dof: of the length; J^T of a unit's force; M^-1 of
                                              that */
    lode__mb_wrench *on_link;              /* by link: the force; none of a mimic joint */
    lode_real length, rest, lo, hi;        /* lo > hi: no limits */
    lode_real stiffness, damping, limit_stiffness;
    lode_real wanted; /* speed of what is hard */
    lode_real impulse;
    lode_real *kept; /* where the pools have the impulse */
    bool hard;
    int side; /* of its limits that it will be beyond: -1, 0, 1 */
} lode__limb_pull;

/* All of a limb, and their equations (pulls.c), by pull and by pull. */
typedef struct lode__limb_pulls {
    lode__limb_pull *at;
    double *yield;   /* by which a unit impulse of the column's lessens the row's speed */
    double *factors; /* L U of the equations, rows in `order` */
    double *speed, *change;
    uint32_t *order;
    uint32_t count;
    bool factored;
} lode__limb_pulls;

typedef struct lode__limb {
    uint32_t slot;
    lode__model *model;
    uint32_t place; /* of its first link that may move, while islands are found */
    uint32_t group;
    uint32_t flags;           /* all that its links have */
    uint32_t line_begin, line_count; /* of a loose one, whose links lie side by side */
    bool loose;               /* see solver/articulation/loose.h */
    bool direct;              /* see solver/articulation/limb_direct.h */
    bool picked;              /* one that is: to be stepped, with others like it */
    bool scaled;              /* a link has gravity of its own */
    int32_t *line;            /* by link: its dense line, 0 of a root that stands */
    lode__velocity *before;   /* by link: when the step began */
    lode_vec3 *turned;        /* by link: the way it has turned since */
    lode_vec3 root;           /* where the root's centre was when the step began, world */
    lode__mb_wrench *outside; /* by link: impulses of contacts and loops in this step */
    lode__mb_wrench *kicks;   /* by link: forces of the application, where it flies */
    void *tree_scratch;       /* of lode__mb_scratch_size() */
    lode_real *speed;                       /* by dof, while rows are solved */
    lode__limb_residual residual, iterated; /* of the last sweep; of the last before the move */
    bool pushed;                            /* rows have changed them since links were told */
    bool touched;                           /* something touches it or is joined to it */
    bool flies; /* only forces act on it in this sub-step, by the world's second-order rule */
    bool whips; /* some link of a plain step turns far (settle.inl): what is to be in the end */
    lode__mb_kept kept;
    bool settled; /* no row of its joints is to push after the move */
    lode__limb_dof *dofs;
    lode_real *responses; /* room for one of each dof */
    lode_real *scratch;   /* by dof, twice */
    lode_real h;          /* s, of a sub-step */
    bool limited;         /* a link has a limit of speed, or all of it */
    bool rubs;            /* a joint's friction asks for what it bears */
    bool idle;            /* no row of its joints has an impulse */
    lode__limb_pulls pulls;
} lode__limb;

/* One side of a row: a limb, or a body, or nothing. */
typedef struct lode__limb_end {
    lode__limb *limb;               /* null too where its jacobian is in that of an end before: */
    lode__limb *owner;              /* the limb in any case */
    int32_t line;                   /* of a body; may be negative */
    lode_real *jacobian, *response; /* of a limb, by dof */
    uint32_t link;                  /* of it */
    lode_real lin[3], ang[3];       /* on the body or link, and */
    lode_real v[3], w[3];           /* what a unit impulse does to it */
} lode__limb_end;

enum { LODE__NO_POINT = UINT8_MAX };

typedef struct lode__limb_row {
    lode__limb_end end[2];
    lode__limb_end *more;              /* of a linkage: the third and further ones, */
    uint32_t ends;                     /* of so many in all */
    lode_real c, gamma, lo, hi, ratio; /* as lode__row_values */
    lode_real lambda, k, cfm;          /* k: of the response; cfm: of the links */
    uint32_t master;                   /* row that limits it, or LODE__NONE */
    uint8_t point;                     /* of a contact, whose normal row it is, or LODE__NO_POINT */
    bool idle, cone, linkage, contact;
} lode__limb_row;

/* A lane of a block of LODE__COLOUR_LIMBS. */
typedef struct lode__limb_part {
    uint32_t chunk, lane;
    uint32_t row, row_count; /* its rows */
} lode__limb_part;

/* Of a group. */
typedef struct lode__limb_work {
    lode__limb **limbs;
    lode__limb_part *parts;
    lode__limb_row *rows;
    lode__limb_end *ends; /* of all rows, beyond two of each */
    lode_real *numbers;   /* of the rows' Jacobians and responses */
    lode__jacobian *jacobians;
    lode__row_values *values;
    double *impulses;
    uint32_t limb_count, part_count, row_count;
} lode__limb_work;

/* ---- for the stages */

/* Lists articulations that are awake and joins the places of their links (solver/islands.c). */
bool lode__limbs_list(lode__solver *solver, const lode__step *step, uint32_t *parent);

/* What has been set since its model was read is read. */
void lode__limb_update(const lode__solver *solver, uint32_t slot);

/* Marks what colours are chosen by, so that constraints on links get LODE__COLOUR_LIMBS. */
void lode__limbs_mark(const lode__solver *solver, uint32_t *used);

/* May something be on a limb? */
bool lode__limbs_have_blocks(const lode__solve_state *state);

/* Makes the kernels of blocks whose rows are solved here (solver/layout.c). */
bool lode__limb_kinds_take(const lode__solver *solver, lode__arena *arena);

/* Takes the memory of each group's; at the end of row prepare. */
bool lode__limbs_take(lode__solver *solver, const lode__step *step);

/* limb_motion.c: forces, and speeds from them; and poses from speeds, lines with them. */
void lode__limbs_accelerate(const lode__solve_work *work, const lode__group *group);
void lode__limbs_move(const lode__solve_work *work, const lode__group *group);

/* The same of one, without its rows, lines and links' velocities; and without its lines. */
void lode__limb_accelerate(const lode__solve_work *work, lode__limb *limb);
void lode__limb_move(const lode__solve_work *work, lode__limb *limb);

/* What its speeds are before rows are swept, and what rows have made of them. */
void lode__limb_take_speeds(const lode__limb *limb);
void lode__limb_give_speeds(lode__limb *limb);

/* Tells the lines where their links are and how fast. */
void lode__limb_tell_poses(const lode__dense *lines, const lode__limb *limb);

/* limb_rows.c: spells the rows; starts them warm, or else, once others have solved them, takes
 * their impulses over; gives impulses to the blocks. */
void lode__limbs_read(const lode__solve_work *work, const lode__group *group,
                      const lode__softness *softness, bool warm);
void lode__limbs_write(const lode__solve_work *work, const lode__group *group);

/* An impulse of the row is one from outside, of which joints bear their share. */
void lode__limb_row_count(const lode__limb_row *row, lode_real impulse);

/* Adds what contacts and loops did in this sub-step to what they do in the step. */
void lode__limbs_count(const lode__group *group);

/* The same rows with what the blocks' refreshing for a relax pass says: without errors, stops
 * too. */
void lode__limbs_refresh(const lode__solve_work *work, const lode__group *group,
                         const lode__softness *softness);

/* tendons.c: takes memory; lays pulls out before dofs are loaded, in each sub-step; gives impulses
 * to the pools. */
bool lode__pulls_take(lode__limb *limb, const lode__solver *solver, lode__arena *arena);
void lode__pulls_load(const lode__solve_work *work, lode__limb *limb);
void lode__pulls_keep(const lode__limb *limb);

/* pulls.c: makes the equations, and begins, warm; solves all at once; takes errors out of
 * what is hard. The response of a pull: of `push`, to `response`. */
void lode__pulls_begin(lode__limb *limb);
void lode__pulls_solve(lode__limb *limb, lode_real h);
void lode__pulls_relax(lode__limb *limb);
void lode__pulls_count(const lode__limb *limb); /* to limb->outside */
void lode__pulls_respond(lode__limb *limb);     /* of all, and what they do to each other */
void lode__pull_respond(const lode__limb *limb, lode__limb_pull *pull);
lode_real lode__pull_yield(const lode__limb *limb, const lode__limb_pull *row,
                           const lode__limb_pull *column);

/* limb_sweep.c: sweeps all rows once, or contacts as ever and then all else back. */
void lode__limbs_sweep(const lode__solve_work *work, const lode__group *group, bool back);

/* What moves limbs and bodies by an impulse of the row; a sum of products. */
/* What rows on a limb answer, once its tree has been factored anew. */
void lode__limb_rows_respond(const lode__limb_work *limbs, const lode__limb *limb);

void lode__limb_row_push(const lode__dense *lines, const lode__limb_row *row, lode_real by);
lode_real lode__limb_dot(const lode_real *a, const lode_real *b, uint32_t n);

/* How many iterations the group gets: the world's, or what an articulation asks for in a step; and
 * how many of them after the move. */
int lode__limbs_iterations(const lode__solve_work *work, const lode__group *group);
int lode__limbs_relaxations(const lode__solve_work *work, const lode__group *group);
int lode__limb_iterations(const lode__solve_work *work, const lode__limb *limb);
int lode__limb_relaxations(const lode__solve_work *work, const lode__limb *limb);

/* Restitution of what touches links, once over (contact_after.inl has the law); true where
 * something has changed, and lines know of it (solver/bounce.c). */
bool lode__limbs_bounce(const lode__solver *solver, const lode__softness *softness,
                        const lode__group *group);

/* limb_load.c: what joints ask for in a sub-step, of the limb as it stands, before it is factored;
 * what they bear, of which their frictions come, once it is accelerated; and what is left of that
 * after the move. */
void lode__limb_load_joints(const lode__solve_work *work, lode__limb *limb);
void lode__limb_load_frictions(const lode__solver *solver, lode__limb *limb);
void lode__limb_relax_joints(lode__limb *limb);

/* limb_joints.c: one sweep of their rows, of which the first begins with the impulses that there
 * are. */
void lode__limb_warm_joints(lode__limb *limb);
void lode__limb_sweep_joints(lode__limb *limb);

/* Are there drives that q'' brings beyond their limit? They will be set aside when joints are
 * loaded again. And sets aside those that are beyond it at the speeds that sweeps have led to; if
 * there are any, what the limb's rows answer is to be found anew. */
bool lode__limb_find_at_limit(lode__limb *limb);
bool lode__limb_let_go(lode__limb *limb);

/* limb_load.c: leaves drives that have a limit to those who solve for what they exert, and makes
 * viscous friction a part of the mass matrix; false if there was nothing to do. */
bool lode__limb_set_aside(const lode__solver *solver, lode__limb *limb);

/* Makes such drives that are within their limits a part of the mass matrix all the same, or again
 * none. */
void lode__limb_weigh_drives(lode__limb *limb, bool held);

/* The most effort of a motor in the direction of `sign` that its envelope leaves; the speed is
 * `idle` without any effort, and `c` faster for each unit of it. */
double lode__limb_envelope(const lode__limb_dof *dof, double sign, double idle, double c, double h);

static inline bool lode__axis_drive_is_limited(const lode__link_axis *axis)
{
    return axis->drive != LODE_DRIVE_NONE && (axis->max_effort > 0 || r_finite(axis->max_force));
}

static inline bool lode__limb_has_limit(const lode__limb_dof *dof)
{
    return dof->give > 0 && lode__axis_drive_is_limited(dof->axis);
}

/* limb_joints.c: would a sweep of its rows change nothing? */
bool lode__limb_is_quiet(const lode__limb *limb);

static inline const lode__limb_end *lode__limb_end_of(const lode__limb_row *row, uint32_t end)
{
    return end < 2 ? &row->end[end] : &row->more[end - 2];
}

/* to[k] += by[k] times, k < n. */
static inline void lode__limb_add(lode_real *to, const lode_real *by, lode_real times, uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k)
        to[k] += by[k] * times;
}

/* limb_limits.c: takes back speed that links, or all of it, must not have; that dofs must not have,
 * after the move of what flies; and whether there are limits of the former, given all flags that
 * its links have. */
void lode__limb_limit_speeds(const lode__solver *solver, const lode__limb *limb);
void lode__limb_limit_dofs(const lode__limb *limb);
bool lode__limb_is_limited(const lode__solver *solver, const lode__limb *limb, uint32_t flags);

/* limb_motion.c: lines' velocities from speeds, which are within their limits. */
void lode__limbs_tell(const lode__solver *solver, const lode__group *group);

/* finalise.c: links are where their joints say, whatever else has been done to their lines
 * meanwhile; and a limb of which a link is not finite is so as a whole: all are frozen. Then where
 * joints stand goes back to the pools, of limbs that are finite. */
void lode__limbs_assert(const lode__solver *solver);
void lode__limbs_keep(const lode__solver *solver, const lode__step *step);

/* limb_keep.c: the same of one; and its end, once the records of all links have been written. */
void lode__limb_keep(const lode__solver *solver, const lode__step *step, const lode__limb *limb);
void lode__limb_is_kept(const lode__solver *solver, const lode__limb *limb);

/* The same file: forces of links that may move have acted. */
void lode__limb_drop_forces(const lode__solver *solver, const lode__limb *limb);

/* The same file: one that is frozen. */
void lode__limb_stop(const lode__solver *solver, const lode__limb *limb);

/* Of a dof, in its link's records. */
static inline void limb_keep_dof(const lode__limb *limb, uint32_t k, lode_real dt,
                                 lode__link_state *state, lode__link_extra *extra)
{
    const lode__limb_dof *dof = &limb->dofs[k];
    const lode__mb_dof *now = &limb->model->body.dofs[k];
    int axis = limb->model->body.plan->axis[k];
    state->position[axis] = now->position[0];
    state->velocity[axis] = now->speed[0];
    *lode__link_acceleration(state, extra, axis) = (now->speed[0] - dof->speed_begin) / dt;
}

#endif
