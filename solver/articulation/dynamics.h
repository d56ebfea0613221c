/* dynamics.h: what controllers ask of an articulation (include/lode/articulation_dynamics.h), of
 * its links and degrees of freedom after place and, where velocities count, speed
 * (solver/articulation/multibody.h):
 *     M u' + c - J^T f = tau,
 * gravity being one of the forces f on links. All speak of all dofs, a floating root's six first;
 * `free root` means that nothing bears those six, so that the others alone are left.
 *
 * Matrices are stored by rows. Nothing is taken from the heap: `scratch` is memory of
 * lode__mb_scratch_size() bytes, aligned for pointers. But for lode__mb_joint_acceleration(),
 * lode__mb_kick() and lode__mb_loop_lambda() trees are only read. Forces of links are about their
 * centres, world axes, by link; null means none.
 *
 * What include/lode/articulation_dynamics.h has is made of these: with f = m G on each link,
 *     gravity compensation     inverse(none, still, f)
 *     Coriolis compensation    inverse(none, moving, none)
 *     external force           inverse(none, still, given), then free_efforts
 *     joint force              inverse(0 of the root and q'', moving, none), then free_efforts
 *     joint acceleration       joint_acceleration(given efforts, f)
 * and the reduced variants of the first two are those, then free_efforts.
 *
 * Methods: Featherstone, Rigid Body Dynamics Algorithms, 2008: recursive Newton-Euler (ch. 5),
 * composite rigid bodies (ch. 6), loops (ch. 8). */
#ifndef LODE_SOLVER_ARTICULATION_DYNAMICS_H
#define LODE_SOLVER_ARTICULATION_DYNAMICS_H

#include "solver/articulation/spatial.h"

/* Enough for all functions here that take `scratch` and name no other size. */
size_t lode__mb_scratch_size(const lode__mb_plan *plan);

/* ---- solver/articulation/mass_matrix.c */

/* M, without what dofs have more (armature), dof_count rows. */
void lode__mb_mass_matrix(const lode__multibody *tree, lode_real *out_m, void *scratch);

/* Free root, from M: M_jj - M_jr M_rr^-1 M_rj, of as many rows as joints have dofs, and
 * x_j - M_jr M_rr^-1 x_r. The outputs may be `m` and `x`. Of a fixed base they are copies. */
void lode__mb_free_mass(const lode__mb_plan *plan, const lode_real *m, lode_real *out,
                        void *scratch);
void lode__mb_free_efforts(const lode__mb_plan *plan, const lode_real *m, const lode_real *x,
                           lode_real *out);

/* ---- solver/articulation/inverse.c */

/* Enough scratch for lode__mb_inverse() of so many links. */
static inline size_t lode__mb_inverse_scratch_size(uint32_t links)
{
    return links * (sizeof(lode__mb_wrench) + sizeof(lode__mb_motion));
}

/* tau for u' = `change` (null: zeros) and forces on links; `moving`: with c. So, of the forces of
 * gravity alone, it is gravity compensation, of nothing but `moving` it is c, and of `change` and
 * `moving`, made free, the joint force. */
void lode__mb_inverse(const lode__multibody *tree, const lode_real *change, bool moving,
                      const lode__mb_wrench *forces, lode_real *out_effort, void *scratch);

/* Forward dynamics, free root, of these efforts of joints and forces on links: q'' of joints. The
 * tree has speeds and is factored, with armature; its forces, torques and efforts are overwritten,
 * and what accelerate() finds. */
void lode__mb_joint_acceleration(const lode__multibody *tree, const lode_real *joint_effort,
                                 const lode__mb_wrench *forces, lode_real *out_change);

/* Speeds, and those of links, by what forces on links and efforts of all dofs (null: none) do in a
 * time h. Before lode__mb_kernels.step(), which then has gravity alone, it makes semi-implicit
 * Euler of them: forces that the application makes of the pose from step to step, as a spring's,
 * are stable so, whereas a step of second order in which they stay as they are gains energy from
 * them. The tree is factored; `scratch`. */
void lode__mb_kick(const lode__multibody *tree, const lode__mb_wrench *forces,
                   const lode_real *effort, lode_real h, void *scratch);

/* What joints bear. After accelerate(), what each link needs beyond the forces on it, m a - f and
 * I alpha + w x I w - n: */
void lode__mb_needs(const lode__multibody *tree, lode__mb_wrench *out);

/* from what each link needs, what its joint bears of it and of all links below, in place; */
void lode__mb_transmit(const lode__multibody *tree, lode__mb_wrench *wrench);

/* and such a force as the joint's child frame has it: at its origin, in its axes. */
lode__mb_wrench lode__mb_in_child_frame(const lode__multibody *tree, uint32_t link,
                                        lode__mb_wrench wrench);

/* ---- solver/articulation/jacobian.c */

/* Velocities of links' centres from those of dofs: six rows of each link, v, then w, a fixed root
 * left out, of dof_count columns. */
void lode__mb_dense_jacobian(const lode__multibody *tree, lode_real *out_j);

/* The centre of mass of all from the root's, world axes; with the mass of a fixed root. */
lode_vec3 lode__mb_center_of_mass(const lode__multibody *tree);

/* Of a floating base: h = A u and h' = A u' + bias, linear, then angular about the centre of mass
 * of all: the root's rows of M and c, moved there (Wensing and Orin, Improved computation of the
 * humanoid centroidal dynamics, 2016). `out_a` has 6 rows. */
void lode__mb_centroidal(const lode__multibody *tree, const lode_real *m, const lode_real *c,
                         lode_real *out_a, lode_real *out_bias);

/* ---- solver/articulation/derivatives.c */

size_t lode__mb_derivatives_size(const lode__mb_plan *plan);

/* Of tau at u' = `change` by a motion along each dof, u and u' kept, and by u: dof_count rows and
 * columns, row the effort. Links have `gravity`, an acceleration each, or null. Both outputs are
 * needed; `scratch` has the size above. */
void lode__mb_derivatives(const lode__multibody *tree, const lode_real *change,
                          const lode_vec3 *gravity, lode_real *out_by_motion,
                          lode_real *out_by_speed, void *scratch);

/* ---- solver/articulation/loops.c */

/* A row of a loop: links a and b, or LODE__MB_NO_PARENT for what is held, feel its impulse as these
 * forces times it, lo..hi. */
typedef struct lode__mb_loop_row {
    uint32_t link[2];
    lode__mb_wrench jacobian[2];
    lode_real lo, hi;
} lode__mb_loop_row;

/* J^T of a row, all dofs. */
void lode__mb_loop_jacobian(const lode__multibody *tree, const lode__mb_loop_row *row,
                            lode_real *out);

size_t lode__mb_loop_size(const lode__mb_plan *plan, uint32_t rows);

/* Impulses within their limits that bring the rows' velocities J (speed + M^-1 J^T lambda) to 0, by
 * projected Gauss-Seidel from zeros; `speed`: what dofs would have without them. Returns whether
 * they came to rest within `iterations`. The tree is factored; `scratch` has the size above. */
bool lode__mb_loop_lambda(const lode__multibody *tree, const lode__mb_loop_row *rows,
                          uint32_t count, const lode_real *speed, int iterations,
                          lode_real *out_lambda, void *scratch);

#endif
