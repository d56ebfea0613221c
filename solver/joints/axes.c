/* axes.c: see axes.h. The derivations are those of the joints' own files. */
#include "solver/joints/axes.h"

#include "core/math.h"
#include "simd/scalar_math.h"

#define TWO_PI ((lode_real)6.283185307179586)

/* The angle of the twist about x in a rotation, in (-pi, pi]. */
static lode_real twist_of(lode_quat q)
{
    lode_real half = q.w < 0 ? lode__atan2(-q.x, -q.w) : lode__atan2(q.x, q.w);
    lode_real angle = half + half;
    return angle > -TWO_PI / 2 ? angle : TWO_PI / 2;
}

static lode__axis_now hinge_axis(const lode__joint *joint, const lode__pose *pose_a,
                                 const lode__pose *pose_b, int axis)
{
    (void)axis;
    lode_quat a = q_mul(pose_a->rotation, joint->frame_a.rotation);
    lode_quat b = q_mul(pose_b->rotation, joint->frame_b.rotation);
    lode_vec3 x = q_rotate(b, v3(1, 0, 0));
    return (lode__axis_now){
        .ang_a = x, .ang_b = v3_neg(x), .position = twist_of(q_mul(q_conj(b), a)), .turns = true};
}

typedef lode__axis_now axis_fn(const lode__joint *joint, const lode__pose *pose_a,
                               const lode__pose *pose_b, int axis);

static axis_fn *const by_type[LODE_JOINT_TYPE_COUNT] = {[LODE_JOINT_HINGE] = hinge_axis};

lode__axis_now lode__axis_at(const lode__joint *joint, const lode__pose *pose_a,
                             const lode__pose *pose_b, int axis)
{
    return by_type[joint->type](joint, pose_a, pose_b, axis);
}

lode_real lode__axis_position(const lode__axis_now *axis, lode_real last)
{
    if (!axis->turns)
        return axis->position;
    lode_real turns = r_floor((last - axis->position) / TWO_PI + (lode_real)0.5);
    return axis->position + turns * TWO_PI;
}
