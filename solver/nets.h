/* nets.h: joints that do not stretch. Sweeps carry a load on by one joint a visit, so a light chain
 * under a heavy load parts at each of them. Here the rows without bounds of all joints that hang
 * together, a *net*, are solved to the end each time their turn comes, by a factor made once in a
 * sub-step, and their motors and stops with them (nets_bounds.c); contacts are still swept, and
 * nets and sweeps take turns (block Gauss-Seidel). Three things hold a net together, and nets.c
 * says why it takes all of them:
 *
 *     velocities   A x = c - J v,   A = J W J^T,    v += W J^T x        in each iteration,
 *     poses        A' d = -C(q),                    q += W J'^T d       once they have moved,
 *     stiffness    W^-1 = M + h^2 K                 across what is tense (nets_tense.c).
 *
 * Nets are made anew in each step from the joints that are in it (nets_make.c); how one is
 * eliminated is a plan that is kept (solver/plans.h). */
#ifndef LODE_SOLVER_NETS_H
#define LODE_SOLVER_NETS_H

#include "solver/net_rows.h"
#include "solver/solvers.h"

/* A joint of a net: where its rows are, and whom it holds. */
typedef struct lode__net_joint {
    uint32_t chunk, lane;   /* of the step's chunks; of the chunk's */
    int32_t line[2];        /* negative and 0 as in blocks */
    lode__row_block *block; /* from the first sub-step on, with */
    int at;                 /* its lane there */
} lode__net_joint;

enum { LODE__NET_BOUNDED = 32 }; /* most rows with bounds of a net; more are swept */

/* A motor or a stop. */
typedef struct lode__net_row {
    uint32_t joint, row; /* of the net; of its block */
    uint32_t body[2];    /* of the net, with those behind */
    double lin[3], ang[2][3];
    double c, gamma, lo, hi;
    double impulse;      /* of the sub-step so far */
    double lack, change; /* of velocity; of the impulse, since it was measured */
    bool acts;           /* it has a column */
    bool held;           /* the net lets it move nothing */
    bool idle;           /* it is left alone in this pass */
} lode__net_row;

/* What is a net's own where four are solved together. */
typedef struct lode__net_member {
    lode__net_joint *joints;
    uint32_t *lines; /* of the bodies 1, 2, ... */
    lode__net_row *bounded;
    uint32_t *acting; /* those that have columns, in order */
    uint32_t acting_count;
    double *response; /* of those to each other, a square of bounded_count */
    double parted;    /* its largest error when poses were last mended, m or rad */
    bool missed;      /* in this step it was not solved to the end */
    bool counts;      /* it is meant by what is going on */
} lode__net_member;

/* A net, or up to four that are the same but for their numbers. */
typedef struct lode__net {
    lode__net_system system;
    lode__net_member member[LODE__QUAD_LANES];
    uint32_t count;         /* of members */
    uint32_t joint_count;   /* of each */
    uint32_t others;        /* bodies that cannot be pushed and move */
    uint32_t bounded_count; /* of each */
    double *kept;           /* by body: `now`, while columns are made */
    double *columns;        /* what a unit of each row does that acts: LODE__NET_COLUMN numbers */
    bool swept;             /* something of its island is: only then it has more than one turn */
    bool corrected;         /* velocities are told errors of something of it */
    bool tense;             /* a heavy load hangs on it: sweeps and it take turns more often */
    bool looped;            /* some of its rows may follow from others */
    void *scratch;          /* as large as the largest block that has one of its joints */
} lode__net;

/* Where a member's number of a record's lies: of the first of `numbers` in a node's or a body's. */
enum {
    LODE__NET_NODE_NUMBERS = sizeof(lode__net_rows) / sizeof(double),
    LODE__NET_BODY_NUMBERS = sizeof(lode__net_body) / sizeof(double)
};

#define LODE__NET_AT(type, field) (offsetof(type, field) / sizeof(double))
#define LODE__NET_OF_NODE(net, t, field, member) \
    lode__net_number((net)->system.rows, \
                     (size_t)(t)*LODE__NET_NODE_NUMBERS + LODE__NET_AT(lode__net_rows, field), \
                     (net)->system.width, member)
#define LODE__NET_OF_BODY(net, b, field, member) \
    lode__net_number((net)->system.bodies, \
                     (size_t)(b)*LODE__NET_BODY_NUMBERS + LODE__NET_AT(lode__net_body, field), \
                     (net)->system.width, member)

/* The numbers that follow lie `width` apart. */
static inline double *lode__net_number(double *records, size_t at, uint32_t width, uint32_t member)
{
    return records + at * width + member;
}

static inline const lode__net_kernels *lode__net_kernels_of(const lode__net *net,
                                                            const lode__solver_kernels *kernels)
{
    return &kernels->nets[net->system.width > 1];
}

/* nets_bounds.c: solves the rows with bounds of all members that count, and moves `now` and the
 * impulses by what they do. Returns whether they do anything; those that it moves count then. */
bool lode__net_bound(lode__net *net, const lode__solver_kernels *kernels);

/* Numbers of a column of one member. */
static inline size_t lode__net_column(const lode__net *net)
{
    return 6 * (size_t)net->system.plan->body_count +
           LODE__NET_ROWS * (size_t)net->system.plan->node_count;
}

/* The same file: reads a row as it is refreshed. */
void lode__net_row_read(lode__net_row *out, const lode__row *row, int lane);

/* nets.c: finds a member's joints in their blocks, which have a place by now. */
void lode__net_find_blocks(const lode__solve_state *state, const lode__net *net, uint32_t member);

/* The same file: reads the rows of a member out of its blocks, as they are. */
void lode__net_read(const lode__net *net, uint32_t member);

/* The same file: reads a node's out of another block. */
void lode__net_read_node(const lode__net *net, uint32_t t, uint32_t member,
                         const lode__row_block *block, int lane);

/* The same file: reads what a member's bodies weigh. */
void lode__net_read_masses(const lode__net *net, uint32_t member, const lode__dense *lines);

/* The same file: factors what has been read. */
void lode__net_factor(const lode__net *net, const lode__solver_kernels *kernels);

/* Is a member's `now` of numbers, and none without end? */
bool lode__net_is_finite(const lode__net *net, uint32_t member);

/* The same file: reads `v` of the bodies from lines; writes `now` there, of the members that
 * count. */
void lode__net_read_velocities(const lode__net *net, const lode__net_kernels *kernels,
                               const lode__dense *lines);
void lode__net_write_velocities(const lode__net *net, const lode__net_kernels *kernels,
                                const lode__dense *lines);

/* nets_poses.c: what lode__nets_begin_project() and those after it do to each net. */
void lode__net_begin_project(const lode__solve_work *work, lode__net *net);
void lode__net_tell_ways(const lode__solve_work *work, lode__net *net);
void lode__net_part(const lode__solve_work *work, lode__net *net);
void lode__net_end_project(const lode__solve_work *work, lode__net *net);

/* nets_gather.c: may a world have nets at all? */
bool lode__nets_are_wanted(const lode_world_def *settings);

/* When a joint is not to stretch: as it says itself, or its world. */
lode_stiff lode__net_choice(const lode_world_def *settings, const lode__joint *joint);

/* May a joint be in one? One that is a spring stays one, and one that
 * holds nothing has nothing to solve. */
bool lode__net_may_have(const lode__step *step, const lode__joint *joint);

/* Is a net worth it that has a joint which is never to stretch, or whose bodies have inverse masses
 * from `least` to `most`? */
bool lode__net_is_worth_it(bool always, lode_real least, lode_real most);

/* nets_make.c: finds the nets of all groups, as joints and the world's settings ask for them, and
 * takes what they need; false when there is no memory. Comes before row prepare, for it may change
 * what lines say of inertia, and after lode__plans_begin(). */
bool lode__nets_take(lode__solver *solver, const lode__step *step);

/* nets_tense.c: gives the lines of bodies in nets, of joints that are listed by slot, the inertia
 * that their tension asks for in sub-steps of h seconds; true where that is more than they have.
 * `room` has a record for each line, zeros, and has zeros again. */
typedef struct lode__stiffness {
    double xx, yy, zz, xy, xz, yz; /* kg m^2 */
} lode__stiffness;

bool lode__nets_tense(const lode__solver *solver, const uint32_t *joints, uint32_t count,
                      lode_real h, lode_real impulse_scale, lode__stiffness *room);

/* The same file: does a joint hold two anchors together, by its first three rows along the world's
 * axes? */
bool lode__holds_anchors(const lode__joint *joint);

/* Before a sub-step's rows are solved, once they are refreshed: factors the first sub-step's nets,
 * and takes their rows out of the sweeps. */
void lode__nets_begin(const lode__solve_work *work, lode__group *group);

/* Takes the rows of nets out of the sweeps again, after they were refreshed for another pass. */
void lode__nets_hold(const lode__solve_work *work, lode__group *group);

/* Solves a group's nets for the velocities that its bodies have: all, or those whose islands are
 * swept, of these those that are tense, or of which velocities are told errors. */
enum { LODE__NETS_ALL, LODE__NETS_SWEPT, LODE__NETS_TENSE, LODE__NETS_CORRECTED };
void lode__nets_solve(const lode__solve_work *work, lode__group *group, int which);

/* Tells the blocks what nets exert. */
void lode__nets_keep(const lode__solve_work *work, lode__group *group);

/* After poses have moved, and rows with them: factors the nets where they are now, which serves for
 * the next sub-step too, finds how what has parted is brought together, and at the end does so. In
 * between contacts may want bodies elsewhere: nets write their ways to lines of their own,
 * lode__solve_state.ways, and answer what has been done to these. */
void lode__nets_begin_project(const lode__solve_work *work, lode__group *group);
void lode__nets_tell_ways(const lode__solve_work *work, lode__group *group);
void lode__nets_part(const lode__solve_work *work, lode__group *group);
void lode__nets_end_project(const lode__solve_work *work, lode__group *group);

/* nets_poses.c: begins ways of a group's bodies, and moves those that are in no net by theirs. */
void lode__ways_begin(const lode__solve_state *state, const lode__group *group);
void lode__ways_end(const lode__solve_state *state, const lode__group *group);

/* The lines with ways in place of velocities. */
static inline lode__dense lode__ways_of(const lode__solve_state *state)
{
    lode__dense lines = state->lines;
    lines.velocity = state->ways;
    return lines;
}

/* Counts the group's nets that were not solved to the end, once the last sub-step is solved. */
void lode__nets_judge(const lode__solve_work *work, lode__group *group);

#endif
