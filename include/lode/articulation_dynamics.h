/* articulation_dynamics.h: the mathematics of articulations for controllers: a cache that holds an
 * articulation's state and forces in flat arrays, and what they obey,
 *     M(q) u' + c(q, u) + g(q) = tau + J^T f.
 *
 * u are the joints' velocities, in the order of degrees of freedom of articulation.h; with `root
 * dofs`, of a floating base, first the linear and the angular velocity of the root's centre of
 * mass, world axes. n is the number of joints' degrees of freedom, b 6 of a floating base and 0 of
 * a fixed one, N the number of links. Positions are q of the same order; of a joint with several
 * turns they are a rotation vector and u is not their derivative (articulation.h). Units are m,
 * rad, kg, s, N: an entry along a slide is in m, m/s, N, one about a turn in rad, rad/s, N m.
 * Vectors of links have world axes; a force acts at the link's centre of mass and a torque about
 * it, a velocity is that of the centre. Matrices are stored by rows: entry (row, column) lies at
 * [columns * row + column].
 *
 * Use: copy the state to a cache or write it there, apply it, prepare, compute:
 *     lode_articulation_cache *cache = lode_articulation_cache_create(robot);
 *     lode_articulation_cache_apply(robot, cache, LODE_CACHE_POSITION | LODE_CACHE_VELOCITY, true);
 *     lode_articulation_prepare(robot);
 *     lode_articulation_compute_mass_matrix(robot, cache);
 *
 * All functions but those that create, end or count are refused with LODE_ERROR_STATE while the
 * articulation is out of the world, while a step runs, and where the cache was made for another
 * articulation or for this one before its structure changed (links, types, motions, base). Other
 * than LODE_OK leaves the cache and the articulation as they were. Those that compute touch no part
 * of the simulation, and of the cache their outputs only. They are written for single precision
 * too: they agree with exact results to about 1e-5 of the largest entry, in double to about 1e-14.
 *
 * Methods: Featherstone, Rigid Body Dynamics Algorithms, 2008 (recursive Newton-Euler ch. 5,
 * composite rigid bodies ch. 6, articulated bodies ch. 7); Orin and Goswami,
 * Centroidal momentum matrix of a humanoid robot, 2008; Wensing and Orin, Improved computation of
 * the humanoid centroidal dynamics, 2016; Carpentier and Mansard, Analytical derivatives of rigid
 * body dynamics algorithms, 2018. */
#ifndef LODE_ARTICULATION_DYNAMICS_H
#define LODE_ARTICULATION_DYNAMICS_H

#include "articulation.h"

LODE_EXTERN_C_BEGIN

/* ---- the cache */

typedef struct lode_spatial_velocity { /* or acceleration */
    lode_vec3 linear, angular;
} lode_spatial_velocity;

typedef struct lode_spatial_force {
    lode_vec3 force, torque;
} lode_spatial_force;

/* Accelerations are those of the last step, derivatives of the velocities here. */
typedef struct lode_root_data {
    lode_pose pose;            /* of the root's frame */
    lode_vec3 linear_velocity; /* of its centre of mass */
    lode_vec3 angular_velocity;
    lode_vec3 linear_acceleration;
    lode_vec3 angular_acceleration;
} lode_root_data;

/* Which arrays a copy fills or an apply takes. The bits are those of engines that have the like. */
typedef enum lode_cache_flags {
    LODE_CACHE_VELOCITY = 1 << 0,              /* joint_velocity */
    LODE_CACHE_ACCELERATION = 1 << 1,          /* joint_acceleration; copied only */
    LODE_CACHE_POSITION = 1 << 2,              /* joint_position */
    LODE_CACHE_FORCE = 1 << 3,                 /* joint_force */
    LODE_CACHE_LINK_VELOCITY = 1 << 4,         /* link_velocity; copied only */
    LODE_CACHE_LINK_ACCELERATION = 1 << 5,     /* link_acceleration; copied only */
    LODE_CACHE_ROOT_TRANSFORM = 1 << 6,        /* root->pose */
    LODE_CACHE_ROOT_VELOCITIES = 1 << 7,       /* root->linear_velocity, angular_velocity; copying
                                                fills the two accelerations too */
    LODE_CACHE_INCOMING_JOINT_FORCE = 1 << 10, /* link_incoming_joint_force; copied only */
    LODE_CACHE_TARGET_POSITIONS = 1 << 11,     /* joint_target_position */
    LODE_CACHE_TARGET_VELOCITIES = 1 << 12,    /* joint_target_velocity */
    LODE_CACHE_LINK_FORCE = 1 << 13,           /* link_force; applied only */
    LODE_CACHE_LINK_TORQUE = 1 << 14,          /* link_torque; applied only */
    /* the state: neither what is applied as a force or a target, nor what joints transmit */
    LODE_CACHE_ALL = LODE_CACHE_VELOCITY | LODE_CACHE_ACCELERATION | LODE_CACHE_POSITION |
                     LODE_CACHE_LINK_VELOCITY | LODE_CACHE_LINK_ACCELERATION |
                     LODE_CACHE_ROOT_TRANSFORM | LODE_CACHE_ROOT_VELOCITIES,
    /* all bits that mean something */
    LODE_CACHE_EVERYTHING = LODE_CACHE_ALL | LODE_CACHE_FORCE | LODE_CACHE_INCOMING_JOINT_FORCE |
                            LODE_CACHE_TARGET_POSITIONS | LODE_CACHE_TARGET_VELOCITIES |
                            LODE_CACHE_LINK_FORCE | LODE_CACHE_LINK_TORQUE
} lode_cache_flags;

/* Arrays of one articulation, in one block of memory that belongs to the cache; write numbers into
 * them, not other pointers. By dof: the lode_link_get_first_dof() of a link and its axes in
 * ascending order. By link: lode_link_get_index(). */
typedef struct lode_articulation_cache {
    /* by dof, n of each */
    lode_real *joint_position;
    lode_real *joint_velocity;
    lode_real *joint_acceleration;
    lode_real *joint_force; /* what lode_link_set_joint_force() sets: stays until it is set again */
    lode_real *joint_target_position; /* of drives */
    lode_real *joint_target_velocity;

    /* by link, N of each */
    lode_spatial_velocity *link_velocity;
    lode_spatial_velocity *link_acceleration;      /* lode_articulation_get_link_acceleration() */
    lode_spatial_force *link_incoming_joint_force; /* what the parent exerts on the link through its
                                      joint: all of it, of constraint, drive and hand, in the last
                                      step; force at the origin of the joint's child frame, torque
                                      about it, axes of that frame; zeros of the root */
    lode_vec3 *link_force; /* applied: act on the links in the next step only */
    lode_vec3 *link_torque;
    lode_spatial_force *external_force; /* for compute_generalized_external_force() alone */

    lode_root_data *root; /* one */

    /* outputs */
    lode_real *dense_jacobian;             /* room for 6N rows of b + n columns */
    lode_real *mass_matrix;                /* b + n rows and columns */
    lode_real *coriolis_force;             /* b + n */
    lode_real *gravity_compensation_force; /* b + n */
    lode_real *centroidal_momentum_matrix; /* 6 rows of b + n */
    lode_real *centroidal_momentum_bias;   /* 6 */

    uint64_t version; /* of the structure it was made for; not yours to change */
} lode_articulation_cache;

/* A cache of zeros, the root's pose that of no turn at the origin. Null after a report:
 * LODE_ERROR_STATE out of the world, LODE_ERROR_MEMORY, LODE_ERROR_HANDLE. */
LODE_API lode_articulation_cache *lode_articulation_cache_create(lode_articulation articulation);

/* Ends it; null is allowed. A cache outlives its articulation and its world, and is to be ended
 * still. */
LODE_API void lode_articulation_cache_destroy(lode_articulation_cache *cache);

/* Bytes of a cache's arrays; 0 out of the world, which is no error. */
LODE_API size_t lode_articulation_get_cache_size(lode_articulation articulation);

/* Sets all arrays to zeros, the root's pose to no turn at the origin; not the version. */
LODE_API lode_status lode_articulation_cache_zero(lode_articulation articulation,
                                                  lode_articulation_cache *cache);

/* From the articulation to the cache, and the other way; flags: an or of lode_cache_flags. Flags of
 * the wrong direction are LODE_ERROR_ARGUMENT, as are numbers that are not finite, a root's
 * rotation of no unit length, and root velocities or a root pose of a base that cannot have them: a
 * fixed base takes a pose but no velocity other than 0. Links follow at once. Applying wakes the
 * articulation, so that its wake counter is at least the world's reset value, where `wake` is true,
 * or any joint velocity, joint force or root velocity applied is not 0. */
LODE_API lode_status lode_articulation_cache_copy(lode_articulation articulation,
                                                  lode_articulation_cache *cache, uint32_t flags);
LODE_API lode_status lode_articulation_cache_apply(lode_articulation articulation,
                                                   const lode_articulation_cache *cache,
                                                   uint32_t flags, bool wake);

/* From slots of all axes to degrees of freedom, and back. `maximal` has 6 numbers of each link but
 * the root, at 6 (index - 1) + axis; `reduced` has n. Packing skips axes that are locked, unpacking
 * sets them to 0. */
LODE_API lode_status lode_articulation_pack_joint_data(lode_articulation articulation,
                                                       const lode_real *maximal,
                                                       lode_real *out_reduced);
LODE_API lode_status lode_articulation_unpack_joint_data(lode_articulation articulation,
                                                         const lode_real *reduced,
                                                         lode_real *out_maximal);

/* ---- what follows from a state
 *
 * Prepares what all functions below share: axes and inertias where the links are now. To be called
 * after the pose was changed or the world has stepped, and before the first of them; without it
 * they are refused with LODE_ERROR_STATE. One call serves any number of them. */
LODE_API lode_status lode_articulation_prepare(lode_articulation articulation);

/* M: b + n rows and columns of mass_matrix, symmetric, positive definite where every dof moves
 * mass. Without armature. Composite rigid bodies. */
LODE_API lode_status lode_articulation_compute_mass_matrix(lode_articulation articulation,
                                                           lode_articulation_cache *cache);

/* The mass matrix that joints feel while nothing holds the root: n rows and columns at the
 * beginning of mass_matrix, M_jj - M_jr M_rr^-1 M_rj of a floating base, M of a fixed one. (Engines
 * that have the like deprecate it, as its users mostly want the whole matrix; so with all functions
 * here that say `free root`.) */
LODE_API lode_status lode_articulation_compute_generalized_mass_matrix(
    lode_articulation articulation, lode_articulation_cache *cache);

/* g: b + n efforts, into gravity_compensation_force, that hold the articulation at rest against
 * gravity; of each link what its gravity_scale leaves. */
LODE_API lode_status lode_articulation_compute_gravity_compensation(lode_articulation articulation,
                                                                    lode_articulation_cache *cache);

/* The same of joints alone, free root: n, into joint_force. Of a floating base zeros where all
 * links have the same gravity: all fall alike. */
LODE_API lode_status lode_articulation_compute_generalized_gravity_force(
    lode_articulation articulation, lode_articulation_cache *cache);

/* c: b + n efforts, into coriolis_force, that keep u as it is: u' = 0, which is no acceleration of
 * the root's centre of mass and of its angular velocity, and none of the joints'. From
 * joint_velocity of the cache and the root's velocity as the articulation has it; with links'
 * gyroscopic moments. Recursive Newton-Euler. */
LODE_API lode_status lode_articulation_compute_coriolis_compensation(
    lode_articulation articulation, lode_articulation_cache *cache);

/* The same of joints alone, free root: n, c_j - M_jr M_rr^-1 c_r, into joint_force. */
LODE_API lode_status lode_articulation_compute_coriolis_and_centrifugal_force(
    lode_articulation articulation, lode_articulation_cache *cache);

/* Joint efforts that bear external_force of the cache, free root: n, into joint_force:
 * -(J_j^T f - M_jr M_rr^-1 J_r^T f); of a fixed base -J^T f. */
LODE_API lode_status lode_articulation_compute_generalized_external_force(
    lode_articulation articulation, lode_articulation_cache *cache);

/* Forward dynamics: joint_acceleration from joint_force and joint_velocity of the cache and the
 * root's velocity, free root, with gravity, velocities' terms and armature; without drives,
 * damping, friction, limits and other forces. Articulated bodies. */
LODE_API lode_status lode_articulation_compute_joint_acceleration(lode_articulation articulation,
                                                                  lode_articulation_cache *cache);

/* Inverse dynamics: joint_force from joint_acceleration and joint_velocity of the cache and the
 * root's velocity, free root, with velocities' terms, without gravity and armature:
 * (M_jj - M_jr M_rr^-1 M_rj) q'' + c_j - M_jr M_rr^-1 c_r. */
LODE_API lode_status lode_articulation_compute_joint_force(lode_articulation articulation,
                                                           lode_articulation_cache *cache);

/* J: velocities of links' centres of mass from u, into dense_jacobian. Rows are six of each link,
 * linear, then angular, world axes; those of a fixed root are left out. Either count may be null.
 * */
LODE_API lode_status lode_articulation_compute_dense_jacobian(lode_articulation articulation,
                                                              lode_articulation_cache *cache,
                                                              int *out_rows, int *out_columns);

/* The centre of mass of all links, a fixed root too: in the world, or in the frame of the root's
 * link. Zeros after a report; needs no preparation. */
LODE_API lode_vec3 lode_articulation_compute_com(lode_articulation articulation, bool root_frame);

/* h = A u, the linear momentum and the angular one about the centre of mass of all, and h' = A u' +
 * bias: into centroidal_momentum_matrix and centroidal_momentum_bias. From mass_matrix and
 * coriolis_force of the cache, which must have been computed for this state. Of floating bases
 * only: LODE_ERROR_ARGUMENT of a fixed one. */
LODE_API lode_status lode_articulation_compute_centroidal_momentum_matrix(
    lode_articulation articulation, lode_articulation_cache *cache);

/* Analytic derivatives of inverse dynamics,
 *     tau(q, u, u') = M u' + c + g,
 * at joint_velocity and joint_acceleration of the cache and the root's velocity and acceleration in
 * cache->root (the former of the articulation, the latter of the cache): each out_ array is b + n
 * rows and columns, row the effort, column what it is differentiated by, and may be null.
 *
 * By `position` means by motions along the dofs' own directions, while u and u' stay: a step e of a
 * joint turns it by e about (or slides it along) the axis as it stands, so of a single axis it is
 * the derivative by q, of several turns that by the joint's rotation in the child's frame, not by
 * the rotation vector. A root's steps shift it and turn it about its centre of mass, world axes;
 * its velocities stay as they are in the world. The derivative by u' is M. Carpentier and Mansard
 * 2018, in world axes; without armature. */
LODE_API lode_status lode_articulation_compute_derivatives(lode_articulation articulation,
                                                           const lode_articulation_cache *cache,
                                                           lode_real *out_by_position,
                                                           lode_real *out_by_velocity,
                                                           lode_real *out_by_acceleration);

/* ---- loops
 *
 * Joints of joint.h that close loops in the tree, for inverse dynamics: between two links of the
 * articulation, or of one and another body, another articulation's link or the world, which count
 * as held. In the simulation a joint does what it does, whether it is in this list or not.
 *
 * A joint has a row for each movement that its type holds, and one for each free axis with a stop,
 * in ascending order; the rows of all joints follow each other as the joints were added. Motors
 * have none. A row's impulse acts on body_a along the movement, and the other way on body_b; types
 * that hold the anchors together have the world's x, y and z first, then turns. Where an axis is
 * between its stops, the joint is disabled or in limbo, or no end of it is a link of the
 * articulation, the row holds nothing: its column and its impulse are 0.
 *
 * Adding refuses a joint without an end on a link of it, one over many bodies (coupling.h), and one
 * that is a loop joint already, of this or another articulation. A joint that ends leaves the list,
 * as do all when the articulation ends. In the world or out of it; so are the two that count. */
LODE_API lode_status lode_articulation_add_loop_joint(lode_articulation articulation,
                                                      lode_joint joint);
LODE_API lode_status lode_articulation_remove_loop_joint(lode_articulation articulation,
                                                         lode_joint joint);

/* In the order of adding: copies up to `capacity` from the `first` on and returns how many there
 * are in all. */
LODE_API int lode_articulation_get_loop_joints(lode_articulation articulation,
                                               lode_joint *out_joints, int first, int capacity);

/* Rows of all loop joints together, L: how many impulses compute_lambda() finds. */
LODE_API int lode_articulation_count_loop_rows(lode_articulation articulation);

/* How many numbers the coefficient matrix has, n L; 0 out of the world, which is no error. */
LODE_API size_t lode_articulation_get_coefficient_matrix_size(lode_articulation articulation);

/* n rows of L columns into out_matrix: each column the joint efforts that an impulse of 1 of a
 * loop's row is, free root: J_j^T e - M_jr M_rr^-1 J_r^T e; of a fixed base J^T e. The cache is for
 * its version alone. */
LODE_API lode_status lode_articulation_compute_coefficient_matrix(
    lode_articulation articulation, const lode_articulation_cache *cache, lode_real *out_matrix);

/* L impulses into out_lambda, N s or N m s, that keep loops closed in a step of `dt` s: with
 * joints' velocities from joint_velocity of `initial_state`, the root's from the articulation, and
 * the n efforts joint_force, to be the sum of what compute_joint_force() and
 * compute_generalized_gravity_force() say, the velocities of all rows after it,
 *     J (u + dt u' + M^-1 J^T lambda),
 * are 0, or above 0 where a stop holds to the one side alone. u' is that of
 * compute_joint_acceleration() and M has armature. Projected Gauss-Seidel of at most
 * `max_iterations` rounds, fewer where it converges to rounding; *out_converged says whether it
 * did, and may be null. */
LODE_API lode_status lode_articulation_compute_lambda(lode_articulation articulation,
                                                      const lode_articulation_cache *initial_state,
                                                      const lode_real *joint_force, lode_real dt,
                                                      int max_iterations, lode_real *out_lambda,
                                                      bool *out_converged);

/* ---- kinematics */

typedef enum lode_kinematic_flags {
    LODE_KINEMATIC_POSITION = 1 << 0, /* poses and velocities of links from the root and joints */
    LODE_KINEMATIC_VELOCITY = 1 << 1  /* velocities alone */
} lode_kinematic_flags;

/* Brings links up to the root's and joints' state. Functions that set these do so at once, so that
 * calling it changes nothing; it is here for programs written for engines that do not.
 * LODE_ERROR_ARGUMENT of no flag, or others. */
LODE_API lode_status lode_articulation_update_kinematic(lode_articulation articulation,
                                                        uint32_t flags);

/* The acceleration of a link's centre of mass and its angular one, world axes, m/s^2 and rad/s^2,
 * as the change of its velocities over the last step by its length: free fall reports gravity.
 * Zeros before the first step; by low-level index. Zeros too after a report of an index there is
 * none of. */
LODE_API lode_spatial_velocity
lode_articulation_get_link_acceleration(lode_articulation articulation, int index);

LODE_EXTERN_C_END

#endif
