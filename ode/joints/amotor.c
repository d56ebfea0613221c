/* amotor.c: dJoint...AMotor: motors and stops about up to three directions; holds nothing of
 * itself.
 *
 * In user mode the program says what directions those are, with what they turn, and how far the
 * bodies are turned about them. In Euler mode axis 0 is the first body's, axis 2 the second's, and
 * axis 1 lies across both. The angles are those by which the first body is turned against the
 * second about each, 0 where mode or axes were set last.
 *
 * Motors act on body 0. Where that is the second body the axes 0 and 2 are its and the world's, and
 * what lies across, from the one to the other, points the other way. */
#include "ode/directions.h"

typedef struct amotor {
    lode__ode_motor motor;
    bool euler;
    dReal angle[3];    /* in user mode, what the program has said */
    lode_quat turn[2]; /* in Euler mode, a frame in each body, alike where angles are 0 */
} amotor;

static const amotor *amotor_of(const lode__ode_framed *joint)
{
    return (const amotor *)(const void *)joint;
}

static const struct dxJoint *joint_of(const amotor *m)
{
    return &m->motor.framed.joint;
}

/* --- Euler mode */

/* The axes of each body's frame, world. */
static lode_quat turn_of(const amotor *m, int i)
{
    return q_mul(frame_of(joint_of(m)->node[i].body).rotation, m->turn[i]);
}

/* The program's axis is place 0, 1 or 2 of frames that begin with body 0. */
static int place_of(const amotor *m, int axis)
{
    return joint_of(m)->reversed ? 2 - axis : axis;
}

static lode_vec3 euler_axis(const amotor *m, int axis)
{
    lode_vec3 x = q_rotate(turn_of(m, 0), v3(1, 0, 0)), z = q_rotate(turn_of(m, 1), v3(0, 0, 1));
    int place = place_of(m, axis);
    if (place == 0)
        return x;
    if (place == 2)
        return z;
    lode_vec3 across = v3_normalize_or(v3_cross(z, x), v3(0, 1, 0));
    return joint_of(m)->reversed ? v3_neg(across) : across;
}

/* Angles are 0 as the bodies stand, with axes that lie so; z as far as it lies across x. */
static void capture(amotor *m, lode_vec3 x, lode_vec3 z)
{
    lode_vec3 y = v3_cross(z, x);
    lode_quat turn = lode__ode_turn_to(x, y);
    for (int i = 0; i < 2; ++i)
        m->turn[i] = q_mul(q_conj(frame_of(joint_of(m)->node[i].body).rotation), turn);
    m->motor.framed.joint.moved_frames = true;
}

static dReal euler_angle(const amotor *m, int axis)
{
    lode__mat3 r = m3_from_quat(q_mul(q_conj(turn_of(m, 1)), turn_of(m, 0)));
    const dReal angle[3] = {(dReal)atan2(r.r2.y, r.r2.z),
                            (dReal)atan2(-r.r2.x, hypot(r.r2.y, r.r2.z)),
                            (dReal)atan2(r.r1.x, r.r0.x)};
    bool turned_over = joint_of(m)->reversed && axis != 1; /* axis 1 is, twice */
    return turned_over ? -angle[place_of(m, axis)] : angle[place_of(m, axis)];
}

/* --- what it is to the handle API */

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    const amotor *m = amotor_of(joint);
    out_def->type = m->euler ? LODE_JOINT_EULER_MOTOR : LODE_JOINT_ANGULAR_MOTOR;
    if (!m->euler)
        lode__ode_describe_directions(joint, out_def);
    out_def->frame_a.rotation = m->euler ? m->turn[0] : q_identity();
    out_def->frame_b.rotation = m->euler ? m->turn[1] : q_identity();
}

static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    const amotor *m = amotor_of(joint);
    return m->euler ? (lode__ode_place){.axis = place_of(m, limot),
                                        .mirrored = joint->joint.reversed && limot == 1,
                                        .turns = true}
                    : lode__ode_place_of_direction(joint, limot);
}

/* In user mode nothing but the program knows the angles. */
static void tell_angles(const lode__ode_framed *joint)
{
    const amotor *m = amotor_of(joint);
    for (int i = 0; i < m->motor.of.count && !m->euler; ++i)
        lode_joint_set_position(joint->joint.handle, i, m->angle[i]);
}

static void attached(lode__ode_framed *joint)
{
    amotor *m = (amotor *)(void *)joint;
    if (m->euler)
        capture(m, q_rotate(turn_of(m, 0), v3(1, 0, 0)), q_rotate(turn_of(m, 0), v3(0, 0, 1)));
}

const lode__ode_joint_type lode__ode_amotor = {.type = dJointTypeAMotor,
                                               .name = "angular motor",
                                               .size = sizeof(amotor),
                                               .limots = 3,
                                               .place = place,
                                               .attached = attached,
                                               .describe = describe,
                                               .before_step = tell_angles};

dJointID dJointCreateAMotor(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_amotor);
    if (!joint)
        return NULL;
    amotor *m = (amotor *)(void *)joint;
    m->turn[0] = m->turn[1] = q_identity();
    return joint;
}

/* --- the program's side */

static amotor *is_amotor(dJointID joint, int axis, const char *function)
{
    return (amotor *)(void *)lode__ode_motor_of(joint, &lode__ode_amotor, axis, function);
}
#define AMOTOR(joint) is_amotor(joint, 0, __func__)
#define AMOTOR_WITH(joint, axis) is_amotor(joint, axis, __func__)

static lode_vec3 axis_of(const amotor *m, int axis)
{
    return m->euler ? euler_axis(m, axis) : lode__ode_direction(&m->motor, axis);
}

/* In Euler mode they are three. */
void dJointSetAMotorNumAxes(dJointID joint, int num)
{
    amotor *m = AMOTOR(joint);
    if (m && !m->euler)
        lode__ode_set_count(&m->motor, num, __func__);
}

int dJointGetAMotorNumAxes(dJointID joint)
{
    const amotor *m = AMOTOR(joint);
    return m ? m->motor.of.count : 0;
}

/* What lies across follows from the others. */
static void set_euler_axis(amotor *m, int axis, lode_vec3 unit)
{
    if (axis == 1 || !joint_of(m)->node[0].body)
        return;
    int place = place_of(m, axis);
    capture(m, place == 0 ? unit : euler_axis(m, place_of(m, 0)),
            place == 2 ? unit : euler_axis(m, place_of(m, 2)));
}

void dJointSetAMotorAxis(dJointID joint, int anum, int rel, dReal x, dReal y, dReal z)
{
    amotor *m = AMOTOR_WITH(joint, anum);
    if (!m || !CHECK_FINITE(x, y, z))
        return;
    if (m->euler)
        set_euler_axis(m, anum, v3_normalize_or(v3(x, y, z), v3(1, 0, 0)));
    else
        lode__ode_set_direction(&m->motor, anum, rel, v3(x, y, z), __func__);
}

void dJointGetAMotorAxis(dJointID joint, int axis, dVector3 result)
{
    const amotor *m = AMOTOR_WITH(joint, axis);
    if (m && CHECK_GIVEN(result))
        put_vec(result, axis_of(m, axis));
}

int dJointGetAMotorAxisRel(dJointID joint, int axis)
{
    const int in_euler_mode[3] = {1, 0, 2};
    const amotor *m = AMOTOR_WITH(joint, axis);
    return !m ? 0 : m->euler ? in_euler_mode[axis] : m->motor.of.rel[axis];
}

void dJointSetAMotorAngle(dJointID joint, int axis, dReal angle)
{
    amotor *m = AMOTOR_WITH(joint, axis);
    if (m && CHECK(isfinite(angle), "angle", "must be finite") && !m->euler)
        m->angle[axis] = angle;
}

dReal dJointGetAMotorAngle(dJointID joint, int axis)
{
    const amotor *m = AMOTOR_WITH(joint, axis);
    if (!m)
        return 0;
    return !m->euler ? m->angle[axis] : joint->node[0].body ? euler_angle(m, axis) : 0;
}

/* What a velocity has of an axis: the three in Euler mode are not at right angles. */
static lode_vec3 part_along(const amotor *m, int axis)
{
    if (!m->euler || axis == 1)
        return axis_of(m, axis);
    lode_vec3 own = axis_of(m, axis), across = v3_cross(axis_of(m, 1), axis_of(m, 2 - axis));
    dReal share = v3_dot(own, across);
    return share != 0 ? v3_scale(across, 1 / share) : own;
}

dReal dJointGetAMotorAngleRate(dJointID joint, int axis)
{
    const amotor *m = AMOTOR_WITH(joint, axis);
    return m && joint->node[0].body ? lode__ode_rate_about(&m->motor.framed, part_along(m, axis))
                                    : 0;
}

/* Euler mode begins with the axes that are set, and with angles of 0. */
void dJointSetAMotorMode(dJointID joint, int mode)
{
    amotor *m = AMOTOR(joint);
    if (!m ||
        !CHECK(mode == dAMotorUser || mode == dAMotorEuler, "mode", "must be one of the modes") ||
        m->euler == (mode == dAMotorEuler))
        return;
    lode_vec3 first = v3_normalize_or(axis_of(m, 0), v3(1, 0, 0));
    lode_vec3 last = v3_normalize_or(axis_of(m, 2), v3(0, 0, 1));
    m->euler = mode == dAMotorEuler;
    if (m->euler) {
        m->motor.of.count = 3;
        capture(m, joint->reversed ? last : first, joint->reversed ? first : last);
    }
    joint->moved_frames = joint->changed = true;
}

int dJointGetAMotorMode(dJointID joint)
{
    const amotor *m = AMOTOR(joint);
    return m && m->euler ? dAMotorEuler : dAMotorUser;
}

SETS_PARAM(dJointSetAMotorParam, lode__ode_amotor, lode__ode_set_param)
TELLS_PARAM(dJointGetAMotorParam, lode__ode_amotor, lode__ode_get_param)

void dJointAddAMotorTorques(dJointID joint, dReal torque1, dReal torque2, dReal torque3)
{
    const amotor *m = AMOTOR(joint);
    if (!m || !joint->node[0].body)
        return;
    const dReal torque[3] = {torque1, torque2, torque3};
    lode_vec3 sum = v3_zero();
    for (int i = 0; i < m->motor.of.count; ++i)
        sum = v3_madd(sum, axis_of(m, i), torque[i]);
    lode__ode_twist(&m->motor.framed, sum);
}
