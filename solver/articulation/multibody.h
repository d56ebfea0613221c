/* multibody.h: an articulation as its dynamics see it: a tree of links, parents before children,
 * and the degrees of freedom of their inbound joints in order.
 *
 * Spatial vectors have world axes and are about the centre of mass of their link (Mirtich, Impulse-
 * based dynamic simulation of rigid body systems, 1996): a velocity is (v, w) with v that of the
 * centre, an acceleration its derivative, a force is (f, n) with the moment n about the centre. So
 * from a link to its parent there is only a shift by `arm`, the way between their centres:
 *     v = v_p + w_p x arm + ...,     f_p = f,  n_p = n + arm x f.
 *
 * Every degree of freedom is one column s of its joint's subspace, whatever the joint: one with
 * several is eliminated a column at a time, which is block elimination by single pivots. A floating
 * root has six, the linear axes and then the angular ones of the world, about its centre of mass;
 * a fixed root has none, does not move and weighs nothing here.
 *
 * An inbound joint of any type is a slide t and a turn J between two frames:
 *     R = R_p F_p J F_c^-1,    x = x_p + R_p (anchor_p + F_p t) - R anchor_c,
 * from centre to centre. Linear axes are those of R_p F_p, angular ones those of R F_c; a single
 * one is the same in both. The accelerations that no joint acceleration makes are then, of all
 * types (wj is the joint's own angular velocity, u the slide's velocity, rho = R_p (anchor_p + F_p
 * t), d = -R anchor_c),
 *     w_p x wj,   w_p x (w_p x rho) + 2 w_p x u + w x (w x d) + (w_p x wj) x d.
 *
 * What is computed lies in records of one articulation, or of eight alike whose numbers are lanes.
 * Both are one text, solver/articulation/multibody.inl, and one list of fields. Positions are
 * from the root's centre of mass, so that far from the origin no digit is lost. */
#ifndef LODE_SOLVER_ARTICULATION_MULTIBODY_H
#define LODE_SOLVER_ARTICULATION_MULTIBODY_H

#include "core/arena.h"
#include "solver/blocks.h"

enum {
    LODE__MB_ROOT_DOFS = 6,
    LODE__MB_NO_PARENT = UINT32_MAX,
    LODE__MB_AXES = 6, /* of a joint: turns about x, y, z, slides along x, y, z */
    LODE__MB_FIRST_SLIDE = 3
};

/* What eight articulations must have in common to be solved together. Links by low-level index. */
typedef struct lode__mb_plan {
    uint32_t link_count, dof_count; /* the root's own dofs count */
    uint32_t root_dofs;             /* 6, or 0 of a fixed base */
    const uint32_t *parent;         /* by link; LODE__MB_NO_PARENT of the root */
    const uint32_t *first_dof;      /* by link, and the end of all */
    const uint32_t *link_of_dof;
    const uint8_t *axis;   /* by dof: LODE__MB_AXES of them; of the root's, as of any other */
    const uint8_t *angles; /* by link: how many of its dofs are turns */
    const uint8_t
        *wraps; /* by link: its only turn is wrapped (solver/articulation/coordinates.h) */
} lode__mb_plan;

/* Is a dof one of several turns of its joint? */
static inline bool lode__mb_is_of_several(const lode__mb_plan *plan, uint32_t k)
{
    return plan->axis[k] < LODE__MB_FIRST_SLIDE && plan->angles[plan->link_of_dof[k]] > 1;
}

/* Has the joint of a link a slide? */
static inline bool lode__mb_slides(const lode__mb_plan *plan, uint32_t link)
{
    return plan->first_dof[link + 1] - plan->first_dof[link] > plan->angles[link];
}

/* clang-format off */
/* Of a link. */
#define LODE__MB_LINK_FIELDS(X) \
    /* name      numbers  given: */ \
    X(mass,      1) /* kg */ \
    X(inertia,   6) /* about the centre of mass, body axes */ \
    X(anchor_p,  3) /* the joint's frame from the parent's centre of mass, parent's axes */ \
    X(frame_p,   4) \
    X(anchor_c,  3) /* and from the link's own, its axes */ \
    X(frame_c,   4) \
    X(turn,      4) /* J; of a root that floats or not, its rotation */ \
    X(slide,     3) /* t */ \
    X(force,     3) /* on the link from outside, world axes, gravity too */ \
    X(torque,    3) /* about its centre */ \
    /* by mb_place(): */ \
    X(center,    3) /* of mass, from the root's */ \
    X(rotation,  4) \
    X(arm,       3) /* from the parent's centre to this one; of the root 0 */ \
    X(hold,      3) /* rho: from the parent's centre to the link's end of the joint */ \
    X(lever,     3) /* d: from there to the link's centre */ \
    X(moment,    6) /* of inertia, world axes */ \
    /* by mb_speed(): */ \
    X(v,         3) \
    X(w,         3) \
    X(drift_v,   3) /* acceleration from velocities */ \
    X(drift_w,   3) \
    /* by mb_factor(): the articulated inertia, less what the joint gives way */ \
    X(aa,        6) /* f by acceleration */ \
    X(ab,        9) /* f by angular acceleration; n by acceleration its transpose; by rows */ \
    X(bb,        6) \
    /* by mb_accelerate(): */ \
    X(bias_f,    3) \
    X(bias_n,    3) \
    X(a,         3) /* of the centre of mass */ \
    X(alpha,     3)

/* Of a degree of freedom. */
#define LODE__MB_DOF_FIELDS(X) \
    /* given: */ \
    X(axis,      3) /* unit vector: of a turn in the link's axes, of a slide in the parent's; of \
                       a root's dofs none (lode__mb_find_axes()) */ \
    /* by mb_place(): */ \
    X(s_v,       3) \
    X(s_w,       3) \
    /* by mb_factor(): */ \
    X(u_f,       3) /* I s */ \
    X(u_n,       3) \
    X(inv_d,     1) /* 1 / (s I s + more) */ \
    /* given: */ \
    X(position,  1) /* q: by advance() alone, which goes on from it; a root's are none */ \
    X(speed,     1) /* q' */ \
    X(effort,    1) /* force or torque along it */ \
    X(more,      1) /* added to the diagonal of the mass matrix: armature, implicit damping */ \
    /* by mb_accelerate(): */ \
    X(left,      1) /* effort that nothing has borne yet; in mb_step() of the first of two turns \
                       too: its joint's acceleration about the third axis at the beginning */ \
    X(change,    1) /* q'' */ \
    /* by mb_step(): at its beginning */ \
    X(speed_0,   1) \
    X(change_0,  1)

/* Kept over a step, of what is to be in the end. */
#define LODE__MB_KEPT_FIELDS(X) \
    X(energy,    1) /* less what forces and torques do with the pose and speeds there */ \
    X(turn,      3) /* angular momentum, less what they do there */ \
    X(way,       3) /* velocity of the centre of mass */ \
    X(middle,    3) /* the same in the middle of the step, by forces alone */ \
    X(place,     3) /* that centre from the root's, less what its velocity does there */ \
    X(most,      1) /* times which speeds may become, */ \
    X(stride,    1) /* and those times which they became */ \
    X(whips,     1) /* 1 of those that settle() puts right, or 0 */
/* clang-format on */

/* Of one articulation a vector has room for four numbers, so that it is read and written as a
 * register: a matrix is three such, a symmetric one its diagonal and what is beside it (aa, bb), or
 * six numbers in a row where others read them too. Of lanes there is just what there is. */
#define LODE__MB_ROOM(count) ((count) == 3 ? 4 : (count) == 6 ? 8 : (count) == 9 ? 12 : (count))
#define LODE__MB_NUMBERS(name, count) lode_real name[LODE__MB_ROOM(count)];
#define LODE__MB_LANES(name, count) lode__lane name[count];

typedef struct lode__mb_link {
    LODE__MB_LINK_FIELDS(LODE__MB_NUMBERS)
} lode__mb_link;

typedef struct lode__mb_dof {
    LODE__MB_DOF_FIELDS(LODE__MB_NUMBERS)
} lode__mb_dof;

typedef struct lode__mb_link_lanes {
    LODE__MB_LINK_FIELDS(LODE__MB_LANES)
} lode__mb_link_lanes;

typedef struct lode__mb_dof_lanes {
    LODE__MB_DOF_FIELDS(LODE__MB_LANES)
} lode__mb_dof_lanes;

typedef struct lode__mb_kept {
    LODE__MB_KEPT_FIELDS(LODE__MB_NUMBERS)
} lode__mb_kept;

typedef struct lode__mb_kept_lanes {
    LODE__MB_KEPT_FIELDS(LODE__MB_LANES)
} lode__mb_kept_lanes;

/* One articulation; and eight. */
typedef struct lode__multibody {
    const lode__mb_plan *plan;
    lode__mb_link *links;
    lode__mb_dof *dofs;
} lode__multibody;

typedef struct lode__multibody_lanes {
    const lode__mb_plan *plan;
    lode__mb_link_lanes *links;
    lode__mb_dof_lanes *dofs;
} lode__multibody_lanes;

/* ---- the steps of the dynamics, in this order; each needs those before it
 *
 * place:      poses, axes and inertias of all links from turns and slides.
 * pose:       the same without inertias, for who goes on to speed and no further.
 * speed:      velocities of all links from those of the dofs.
 * factor:     the articulated inertias (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7),
 *             which hold until the next place.
 * accelerate: q'' from forces, efforts and velocities; `gyroscopic` 0 leaves w x I w out.
 * middle:     q'' that has accelerated once more, of what speeds are in the middle of a time h;
 *             speeds are as before, velocities of links left as they are there.
 * hurry:      speeds += h times q''.
 * move:       turns and slides by h times the speeds. Positions of dofs are left: who wants them
 *             reads them off the joints (solver/articulation/coordinates.h).
 * advance:    the same, and positions with them. An only turn goes on by its speed, wrapped where
 *             the plan says so, and the joint's turn is made of it anew, so that the two never
 *             part; of several turns and of slides they are what the joint has come to.
 * step:       all of these over a time h in which forces and efforts stay as they are and nothing
 *             else acts, by a method of second order that keeps energy and momentum
 *             (integrate.inl). Before it the tree is placed, has speeds and is factored, and so it
 *             is after it. What dofs have `more` is to be armature alone, and a root's 0. What
 *             accelerate() finds is then of the end but for what put momentum and energy right.
 *             Forces that hang on the pose from step to step: see lode__mb_kick().
 * note, settle: around a step of time h that makes speeds and moves by them, of the same forces,
 *             efforts and `more` (settle.inl). note() comes before it, at the speeds and velocities
 *             that it begins with, and tells whether some link turns far; then settle(), at
 *             velocities of its end, puts speeds where energy and momentum must be, which velocities
 *             are to follow, and, if it returns so, poses before them. Between them speed_0 is that of the beginning, as middle() leaves it;
 *             a and alpha are no accelerations after either. `kept` is a lode__mb_kept, or of lanes
 *             its like. */
typedef void lode__mb_fn(const void *tree);
typedef void lode__mb_by_fn(const void *tree, lode_real by);
typedef void lode__mb_step_fn(const void *tree, lode_real h, lode_real gyroscopic);

typedef struct lode__mb_kernels {
    lode__mb_fn *place, *pose, *speed, *factor;
    lode__mb_by_fn *accelerate, *middle, *hurry, *move, *advance;
    lode__mb_step_fn *step;
    bool (*note)(const void *tree, void *kept, lode_real h);
    bool (*settle)(const void *tree, void *kept, lode_real h);
} lode__mb_kernels;

/* For a lode__multibody; and of an instruction set (solver/kernels.h), for that with vectors in
 * registers, and for a lode__multibody_lanes. */
extern const lode__mb_kernels lode__mb_kernels_one;

/* ---- one articulation, after factor (solver/articulation/response.c) */

/* What an impulse (f, n) on a link does: `out_jacobian`, by dof, is the impulse in joint
 * coordinates, J^T (f, n), and `out_response` the change of speeds, M^-1 J^T (f, n) (Mirtich
 * 1996). */
void lode__mb_respond(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                      lode_real *out_jacobian, lode_real *out_response);

/* J^T (f, n) alone is added to `jacobian`, `times` over. */
void lode__mb_add_jacobian(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                           lode_real *jacobian);

/* M^-1 times a vector of impulses along the dofs. Both may be one array. */
void lode__mb_solve(const lode__multibody *tree, const lode_real *impulses,
                    lode_real *out_response);

/* Adds what an impulse on a link does to the speeds of the dofs. */
void lode__mb_push(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n);

/* Halves of responses, in double precision, by dof (response.c): an impulse on a link adds its own,
 * and so does one along a dof. With y = D^-1 half, D^-1 being the dofs' inv_d, speeds change by
 * what to_speeds makes of y. From_speeds goes back, to what halves feel: J q' = half . y. Both in
 * place; scratch: one of each link. */
typedef struct lode__mb_wide_motion {
    double v[3], w[3];
} lode__mb_wide_motion;

void lode__mb_add_half(const lode__multibody *tree, uint32_t link, const double f[3],
                       const double n[3], double *half);
void lode__mb_add_dof_half(const lode__multibody *tree, uint32_t dof, double impulse, double *half);
void lode__mb_to_speeds(const lode__multibody *tree, double *numbers,
                        lode__mb_wide_motion *scratch);
void lode__mb_from_speeds(const lode__multibody *tree, double *numbers,
                          lode__mb_wide_motion *scratch);

/* ---- plans (solver/articulation/plan.c) */

/* What a plan is made of: links in the order of low-level indices, parents before children. */
typedef struct lode__mb_joint {
    uint32_t parent; /* LODE__MB_NO_PARENT of the first, and of it alone */
    uint8_t axes;    /* bit i: axis i is free */
    bool wraps;      /* its only turn */
} lode__mb_joint;

/* Bytes of a plan of so many links and dofs, the root's too. */
size_t lode__mb_plan_bytes(uint32_t links, uint32_t dofs);

/* Bytes of a plan, and the plan, made in that memory, which is aligned for pointers. */
size_t lode__mb_plan_size(const lode__mb_joint *joints, uint32_t count, bool fixed_base);
lode__mb_plan *lode__mb_plan_make(void *memory, const lode__mb_joint *joints, uint32_t count,
                                  bool fixed_base);

/* The axes of all dofs, from frames: once these are known. */
void lode__mb_find_axes(const lode__multibody *tree);

/* The same topology and axes, so that lanes can be shared? */
bool lode__mb_plans_equal(const lode__mb_plan *a, const lode__mb_plan *b);

static inline lode_vec3 mb_v3(const lode_real x[3])
{
    return (lode_vec3){x[0], x[1], x[2]};
}
static inline lode_quat mb_q(const lode_real x[4])
{
    return (lode_quat){x[0], x[1], x[2], x[3]};
}
static inline void mb_put3(lode_real out[3], lode_vec3 v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
static inline void mb_put4(lode_real out[4], lode_quat q)
{
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

#endif
