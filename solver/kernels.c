/* kernels.c: all solver kernels of one instruction set. This file is compiled once per
 * LODE_VARIANT and exports one table; everything else is static. */
#include "solver/kernels.h"

#include "simd/quad.h"
#include "simd/wide.h"
#include "solver/joints/joint_type.h"

/* The kernels build on each other in this order. */
/* clang-format off */
#include "solver/lanes.inl"
#include "solver/shared.inl"
#include "solver/body_motion.inl"
#include "solver/body_turn.inl"
#include "solver/contact_read.inl"
#include "solver/contact_frame.inl"
#include "solver/contact_friction.inl"
#include "solver/contact_solve.inl"
#include "solver/contact_prepare.inl"
#include "solver/contact_after.inl"
#include "solver/contact_special.inl"
#include "solver/contact_part.inl"
#include "solver/row_solve.inl"
#include "solver/row_refresh.inl"
#include "solver/row_prepare.inl"
#include "solver/block_loop.inl"
#include "solver/contact_kinds.inl"
#include "solver/special_kinds.inl"
#include "solver/row_kinds.inl"
#include "solver/joints/now.inl"
#include "solver/joints/read.inl"
#include "solver/joints/keep.inl"
#include "solver/joints/frames.inl"
#include "solver/joints/free_axes.inl"
#include "solver/joints/parts.inl"
#include "solver/joints/ball.inl"
#include "solver/joints/hinge.inl"
#include "solver/joints/slider.inl"
#include "solver/joints/universal.inl"
#include "solver/joints/fixed.inl"
#include "solver/joints/piston.inl"
#include "solver/joints/prismatic_rotoide.inl"
#include "solver/joints/prismatic_universal.inl"
#include "solver/joints/plane_2d.inl"
#include "solver/joints/wheel.inl"
#include "solver/joints/distance.inl"
#include "solver/joints/six_axes.inl"
#include "solver/joints/double_ball.inl"
#include "solver/joints/double_hinge.inl"
#include "solver/joints/angular_motor.inl"
#include "solver/joints/euler_motor.inl"
#include "solver/joints/linear_motor.inl"
#include "solver/linkage_kind.inl"
#include "solver/eliminate.inl"
#include "solver/panel.inl"
#include "solver/bonds.inl"
#include "solver/bonds_four.inl"
/* clang-format on */

#define BUILDER(type, name, ...) [type] = build_##name,

extern const lode__mb_kernels LODE_KERNEL(lode__mb_kernels); /* articulation/multibody_lanes.c */
extern const lode__mb_kernels *const LODE_KERNEL(lode__mb_tree_kernels);  /* .../multibody_tree.c */
extern const struct lode__loose_kernels *const LODE_KERNEL(lode__loose_kernels); /* loose_tree.c */
extern const struct lode__flock_kernels LODE_KERNEL(lode__flock_kernels); /* .../flock_lanes.c */
extern const lode__net_kernels LODE_KERNEL(lode__net_kernels)[2]; /* net_kernels.c */
extern const lode__solver_kernels LODE_KERNEL(lode__solver_kernels);
extern const lode__block_kernels LODE_KERNEL(lode__half_kernels)[LODE__KIND_COUNT];

const lode__solver_kernels LODE_KERNEL(lode__solver_kernels) = {
    .kinds =
        {
#include "solver/kinds.inl"
            [LODE__KIND_LINKAGE] = LINKAGE_ROW,
            [LODE__KIND_SHARED + LODE__KIND_LINKAGE] = LINKAGE_ROW,
        },
#if LODE_HAS_HALVES
    .half = LODE_KERNEL(lode__half_kernels),
#endif
    .read_contacts = read_contacts,
    .joints_now = joints_now,
    .read_joints = read_joints,
    .read_extra = read_extra,
    .keep_joints = keep_joints,
    .build_linkage = build_linkage,
    .build = {LODE__JOINT_TYPES(BUILDER)},
    .eliminate = eliminate,
    .panel = {panel_dots, panel_push, panel_scale, panel_couple, panel_exchange},
    .solve_bonds = bonds_solve,
    .multibody = &LODE_KERNEL(lode__mb_kernels),
    .tree = &LODE_KERNEL(lode__mb_tree_kernels),
    .loose = &LODE_KERNEL(lode__loose_kernels),
    .flock = &LODE_KERNEL(lode__flock_kernels),
    .four = {four_read_velocity, four_read_body, four_read_rows, four_solve},
    .nets = LODE_KERNEL(lode__net_kernels),
    .integrate_velocity = integrate_velocity,
    .integrate_pose = integrate_pose,
    .gyroscopic = gyroscopic,
    .rotate_inertia = rotate_inertia,
    .turn_inertia = turn_inertia,
    .gyroscopic_torque = gyroscopic_torque,
    .gyroscopic_explicit = gyroscopic_explicit,
    .turn = turn,
    .fly = fly,
};
