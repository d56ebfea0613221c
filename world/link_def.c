/* link_def.c: definitions of links: their defaults, what is possible in one, and which axes a type
 * of joint leaves free. */
#include <math.h>

#include "core/math.h"
#include "world/articulation.h"
#include "world/check.h"

/* What the types leave free: the fewest and most turns and slides. */
static const struct {
    uint8_t least_turns, most_turns, least_slides, most_slides;
    const char *message;
} types[LODE_LINK_JOINT_TYPE_COUNT] = {
    [LODE_LINK_FIXED] = {0, 0, 0, 0, "a fixed joint leaves no axis free"},
    [LODE_LINK_PRISMATIC] = {0, 0, 1, 1, "a prismatic joint leaves one slide free"},
    [LODE_LINK_REVOLUTE] = {1, 1, 0, 0, "a revolute joint leaves one turn free"},
    [LODE_LINK_REVOLUTE_UNWRAPPED] = {1, 1, 0, 0, "a revolute joint leaves one turn free"},
    [LODE_LINK_SPHERICAL] = {2, 3, 0, 0, "a spherical joint leaves two or three turns free"},
    [LODE_LINK_SIX_AXES] = {0, 3, 0, 3, ""},
};

#define TWO_PI ((lode_real)6.28318530717958647692)
#define LARGEST_STIFFNESS ((lode_real)1e30)

lode_link_def lode_link_def_default(lode_link_joint_type type)
{
    lode_link_def def = {.type = type,
                         .parent_frame = {.rotation = q_identity()},
                         .child_frame = {.rotation = q_identity()},
                         .cfm_scale = (lode_real)0.025,
                         .pose = {.rotation = q_identity()},
                         .max_linear_speed = (lode_real)INFINITY,
                         .max_angular_speed = (lode_real)INFINITY,
                         .gravity_scale = 1};
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        def.axis[k] = (lode_link_axis){
            .drive = {.max_force = (lode_real)INFINITY, .max_speed = (lode_real)INFINITY},
            .max_velocity = 100};
    if (type == LODE_LINK_PRISMATIC)
        def.axis[LODE_AXIS_X].motion = LODE_MOTION_FREE;
    if (type == LODE_LINK_REVOLUTE || type == LODE_LINK_REVOLUTE_UNWRAPPED ||
        type == LODE_LINK_SPHERICAL)
        def.axis[LODE_AXIS_TWIST].motion = LODE_MOTION_FREE;
    if (type == LODE_LINK_SPHERICAL)
        def.axis[LODE_AXIS_SWING1].motion = def.axis[LODE_AXIS_SWING2].motion = LODE_MOTION_FREE;
    return def;
}

/* ---- checks */

static bool is_turn(int axis)
{
    return axis <= LODE_AXIS_SWING2;
}

/* The largest angle of a limit. */
static lode_real most_angle(lode_link_joint_type type)
{
    return type == LODE_LINK_REVOLUTE_UNWRAPPED ? (lode_real)INFINITY
           : type == LODE_LINK_REVOLUTE         ? TWO_PI
                                                : TWO_PI / 2;
}

static lode_status check_limits(const lode_link_axis *axis, lode_link_joint_type type, int index,
                                const char *function, const char *argument)
{
    if (axis->motion != LODE_MOTION_LIMITED)
        return LODE_OK;
    lode_real most = is_turn(index) ? most_angle(type) : (lode_real)INFINITY;
    lode_status status = lode__check(axis->lo < axis->hi && r_finite(axis->lo) &&
                                         r_finite(axis->hi),
                                     function, argument, "lo must be below hi, both finite");
    return status ? status
                  : lode__check(axis->lo >= -most && axis->hi <= most, function, argument,
                                "lo or hi is an angle that the joint cannot have");
}

lode_status lode__link_check_position(lode_real position, lode_link_joint_type type, int index,
                                      const char *function, const char *argument)
{
    bool wraps = type == LODE_LINK_REVOLUTE && is_turn(index);
    return lode__check(!wraps || r_abs(position) <= TWO_PI, function, argument,
                       "the position of a revolute joint must be within -2 pi..2 pi");
}

static lode_status check_drive(const lode_link_drive *drive, const char *function,
                               const char *argument)
{
    lode_status status = lode__check((unsigned)drive->type < LODE_DRIVE_TYPE_COUNT, function,
                                     argument, "drive.type must be one of lode_drive_type");
    if (!status)
        status = lode__check(is_within(drive->stiffness, 0, LARGEST_STIFFNESS) &&
                                 is_within(drive->damping, 0, LARGEST_STIFFNESS),
                             function, argument,
                             "the drive's stiffness and damping must be 0..1e30");
    if (!status)
        status = lode__check(drive->max_force >= 0 && drive->max_speed >= 0, function, argument,
                             "drive.max_force and drive.max_speed must be at least 0");
    return status ? status
                  : lode__check(is_at_least(drive->max_effort, 0) &&
                                    is_at_least(drive->velocity_resistance, 0) &&
                                    is_at_least(drive->speed_effort_gradient, 0),
                                function, argument,
                                "the drive's envelope must be at least 0 and finite");
}

lode_status lode__link_check_axis(const lode_link_axis *axis, lode_link_joint_type type, int index,
                                  const char *function, const char *argument)
{
    lode_status status = lode__check((unsigned)axis->motion < LODE_MOTION_COUNT, function, argument,
                                     "motion must be one of lode_link_motion");
    if (!status)
        status = check_limits(axis, type, index, function, argument);
    if (!status)
        status = check_drive(&axis->drive, function, argument);
    if (!status)
        status = lode__check(r_finite(axis->target) && r_finite(axis->target_velocity) &&
                                 r_finite(axis->position) && r_finite(axis->velocity),
                             function, argument, "targets, position and velocity must be finite");
    if (!status)
        status = lode__link_check_position(axis->position, type, index, function, argument);
    if (!status)
        status = lode__check(
            is_at_least(axis->armature, 0) && is_at_least(axis->static_friction, 0) &&
                is_at_least(axis->dynamic_friction, 0) && is_at_least(axis->viscous_friction, 0) &&
                axis->max_velocity >= 0,
            function, argument, "armature, frictions and max_velocity must be at least 0");
    return status ? status
                  : lode__check(axis->dynamic_friction <= axis->static_friction, function, argument,
                                "dynamic_friction must be at most static_friction");
}

/* How many turns and slides are not locked. */
typedef struct motions {
    int turns, slides;
} motions;

static void count_motion(motions *m, int axis, lode_link_motion motion)
{
    if (motion != LODE_MOTION_LOCKED)
        *(is_turn(axis) ? &m->turns : &m->slides) += 1;
}

static bool are_within(motions m, lode_link_joint_type type)
{
    return m.turns <= types[type].most_turns && m.slides <= types[type].most_slides;
}

static bool are_all(motions m, lode_link_joint_type type)
{
    return are_within(m, type) && m.turns >= types[type].least_turns &&
           m.slides >= types[type].least_slides;
}

static lode_status check_motions(const lode_link_def *def, const char *function)
{
    motions m = {0, 0};
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        count_motion(&m, k, def->axis[k].motion);
    return lode__check(are_all(m, def->type), function, "def.axis", types[def->type].message);
}

static lode_link_joint_type type_of(const lode__world *world, uint32_t link)
{
    return (lode_link_joint_type)LINK(world, tie, link)->type;
}

static motions motions_of(const lode__world *world, uint32_t link, int but)
{
    motions m = {0, 0};
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        if (k != but)
            count_motion(&m, k, (lode_link_motion)LINK(world, axes, link)->axis[k].motion);
    return m;
}

lode_status lode__link_check_motion(const lode__world *world, uint32_t link, int axis,
                                    lode_link_motion motion, const char *function)
{
    motions m = motions_of(world, link, axis);
    count_motion(&m, axis, motion);
    return lode__check(are_within(m, type_of(world, link)), function, "values",
                       types[type_of(world, link)].message);
}

bool lode__link_motions_fit(const lode__world *world, uint32_t link)
{
    return LINK(world, tie, link)->parent == LODE__NONE ||
           are_all(motions_of(world, link, -1), type_of(world, link));
}

lode_status lode__link_check_frame(lode_pose *frame, const char *function, const char *argument)
{
    lode_status status = lode__check_unit(&frame->rotation, function, argument);
    return status ? status : lode__check_arm(frame->position, function, argument);
}

static lode_status check_joint(lode_link_def *def, const char *function)
{
    lode_status status = lode__check((unsigned)def->type < LODE_LINK_JOINT_TYPE_COUNT, function,
                                     "def.type", "must be one of lode_link_joint_type");
    if (!status)
        status = lode__link_check_frame(&def->parent_frame, function, "def.parent_frame");
    if (!status)
        status = lode__link_check_frame(&def->child_frame, function, "def.child_frame");
    for (int k = 0; k < LODE_LINK_AXES && !status; ++k)
        status = lode__link_check_axis(&def->axis[k], def->type, k, function, "def.axis");
    if (!status && def->parent.id)
        status = check_motions(def, function);
    return status;
}

static const char at_least[] = "must be at least 0 and finite";

static lode_status check_traits(const lode_link_def *def, const char *function)
{
    lode_status status = lode__check(def->max_linear_speed >= 0, function, "def.max_linear_speed",
                                     "must be at least 0");
    if (!status)
        status = lode__check(def->max_angular_speed >= 0, function, "def.max_angular_speed",
                             "must be at least 0");
    return status ? status
                  : lode__check(r_finite(def->gravity_scale), function, "def.gravity_scale",
                                "must be finite");
}

lode_status lode__link_check_def(lode_link_def *def, const char *function)
{
    lode_status status = check_joint(def, function);
    if (!status)
        status = lode__check(is_at_least(def->friction_coefficient, 0), function,
                             "def.friction_coefficient", at_least);
    if (!status)
        status = lode__check(is_within(def->cfm_scale, 0, 1), function, "def.cfm_scale",
                             "must be 0..1");
    if (!status)
        status = lode__check_unit(&def->pose.rotation, function, "def.pose");
    if (!status)
        status = lode__check_pose(&def->pose, function, "def.pose");
    if (!status)
        status = lode__check_vec3(def->linear_velocity, function, "def.linear_velocity");
    if (!status)
        status = lode__check_vec3(def->angular_velocity, function, "def.angular_velocity");
    if (!status)
        status = lode__check(is_at_least(def->linear_damping, 0), function, "def.linear_damping",
                             at_least);
    if (!status)
        status = lode__check(is_at_least(def->angular_damping, 0), function, "def.angular_damping",
                             at_least);
    return status ? status : check_traits(def, function);
}

void lode__link_put_axis(lode__link_axis *out, const lode_link_axis *axis)
{
    const lode_link_drive *drive = &axis->drive;
    *out = (lode__link_axis){.motion = axis->motion,
                             .drive = drive->type,
                             .lo = axis->lo,
                             .hi = axis->hi,
                             .stiffness = drive->stiffness,
                             .damping = drive->damping,
                             .max_force = drive->max_force,
                             .max_effort = drive->max_effort,
                             .max_speed = drive->max_speed,
                             .velocity_resistance = drive->velocity_resistance,
                             .speed_effort_gradient = drive->speed_effort_gradient,
                             .target = axis->target,
                             .target_velocity = axis->target_velocity,
                             .armature = axis->armature,
                             .static_friction = axis->static_friction,
                             .dynamic_friction = axis->dynamic_friction,
                             .viscous_friction = axis->viscous_friction,
                             .max_velocity = axis->max_velocity};
}
