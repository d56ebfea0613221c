/* stages.h: of which the stages of solvers are put together: passes over blocks and lines of a
 * group, and what several stages share. */
#ifndef LODE_SOLVER_STAGES_H
#define LODE_SOLVER_STAGES_H

#include "solver/solvers.h"

/* Sweeps of PGS after which those to come are to lead to the end. */
enum { LODE__CALMED = 32 };

/* --- passes */

#define LODE__KERNEL(name) offsetof(lode__block_kernels, name)

/* The kernel that solves with the friction of this pass. */
size_t lode__solve_kernel(const lode__softness *softness);

void lode__add_pass(lode__program *out, lode__pass_task task, lode__pass pass);

/* What writes to blocks alone: in any order. */
void lode__add_freely(lode__program *out, size_t kernel, const lode__softness *softness);

/* Of a pass: runs its kernel on a chunk; on those of joints alone; turns joints with their
 * bodies. */
void lode__run_chunk(const void *context, const lode__solve_chunk *chunk);
void lode__run_joint_chunk(const void *context, const lode__solve_chunk *chunk);
void lode__turn_joints(const void *context, const lode__solve_chunk *chunk);

bool lode__has_joints(const lode__group *group);

/* --- stages */

/* Settles joints that hold exactly, and moves poses. */
void lode__integrate_pose(lode__program *out);

/* The second half of the forces, of second order. */
void lode__accelerate_again(lode__program *out);

/* How far the last sub-step's rows were missed, where that is asked for. */
void lode__measure(lode__program *out);
void lode__run_measure(const lode__solve_work *work, lode__group *group);

/* --- iterate.c: iterations, of all rows or joint by joint, as many as there are to be or until one
 * changes next to nothing */

void lode__iterate(lode__program *out);
void lode__iterate_alone(lode__program *out);
void lode__iterate_to_bound(const lode__solve_work *work, lode__group *group);
void lode__iterate_alone_to_bound(const lode__solve_work *work, lode__group *group);

/* Sweeps `begin` to `end` - 1 of so many; the one of iteration `i`; does that one go back? */
void lode__add_sweeps(lode__program *out, const lode__softness *softness, int begin, int end,
                      int sweeps);
void lode__add_once(lode__program *out, int i, int iterations, bool settled);
bool lode__goes_back(const lode__solve_work *work, const lode__group *group, int sweep, int sweeps);

/* Runs an iteration; returns whether it changed next to nothing. */
bool lode__has_settled(const lode__solve_work *work, lode__group *group,
                       const lode__program *iteration);

/* --- net_stages.c: those of groups with nets */

void lode__nets_refresh(const lode__solve_work *work, lode__group *group);
void lode__nets_warm_start(const lode__solve_work *work, lode__group *group);
void lode__nets_iterate(const lode__solve_work *work, lode__group *group);
void lode__nets_integrate_pose(const lode__solve_work *work, lode__group *group);
void lode__nets_relax(const lode__solve_work *work, lode__group *group);

/* The direct solver's rows are all solved together: its nets are but factored where they went. */
void lode__nets_refresh_directly(lode__program *out);

#endif
