/* lmotor.c: dJoint...LMotor: motors and stops along up to three directions that the program gives;
 * holds nothing of itself. Positions are 0 where the bodies stood when they were attached, and grow
 * as the first body moves against the second.
 *
 * Forces act on both bodies in one line, through the middle between the two, so that they make no
 * couple. The middle is another in each step, and with it the anchors: what a position has come to
 * with the last ones is added up. */
#include "ode/directions.h"

typedef struct lmotor {
    lode__ode_motor motor;
    dReal way[3]; /* of the positions, until the anchors were where they are */
} lmotor;

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_LINEAR_MOTOR;
    out_def->frame_a.position = joint->anchor[0];
    out_def->frame_b.position = joint->anchor[1];
    lode__ode_describe_directions(joint, out_def);
}

static lmotor *lmotor_of(const lode__ode_framed *joint)
{
    return (lmotor *)(uintptr_t)joint; /* also of what is only read */
}

/* With the world the body itself. */
static void put_middle(lode__ode_framed *joint)
{
    dBodyID a = joint->joint.node[0].body, b = joint->joint.node[1].body;
    lode_vec3 sum = v3_add(a->pose->position, (b ? b : a)->pose->position);
    lode__ode_put_anchor(joint, v3_scale(sum, (dReal)0.5));
}

static void attached(lode__ode_framed *joint)
{
    put_middle(joint);
    for (int i = 0; i < 3; ++i)
        lmotor_of(joint)->way[i] = 0;
}

static void move_middle(lode__ode_framed *joint)
{
    lmotor *m = lmotor_of(joint);
    lode_vec3 apart = v3_sub(lode__ode_anchor(joint, 0), lode__ode_anchor(joint, 1));
    for (int i = 0; i < 3; ++i)
        m->way[i] += v3_dot(lode__ode_direction(&m->motor, i), apart);
    put_middle(joint);
    joint->joint.changed = true;
}

static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    lode__ode_place place = lode__ode_place_of_direction(joint, limot);
    place.begins = -lmotor_of(joint)->way[limot];
    return place;
}

const lode__ode_joint_type lode__ode_lmotor = {.type = dJointTypeLMotor,
                                               .name = "linear motor",
                                               .size = sizeof(lmotor),
                                               .limots = 3,
                                               .place = place,
                                               .attached = attached,
                                               .before_bring = move_middle,
                                               .describe = describe};

dJointID dJointCreateLMotor(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_lmotor);
}

void dJointSetLMotorNumAxes(dJointID joint, int num)
{
    lode__ode_motor *m = MOTOR(joint, lode__ode_lmotor);
    if (m)
        lode__ode_set_count(m, num, __func__);
}

int dJointGetLMotorNumAxes(dJointID joint)
{
    const lode__ode_motor *m = MOTOR(joint, lode__ode_lmotor);
    return m ? m->of.count : 0;
}

void dJointSetLMotorAxis(dJointID joint, int anum, int rel, dReal x, dReal y, dReal z)
{
    lode__ode_motor *m = MOTOR_WITH(joint, lode__ode_lmotor, anum);
    if (m)
        lode__ode_set_direction(m, anum, rel, v3(x, y, z), __func__);
}

void dJointGetLMotorAxis(dJointID joint, int anum, dVector3 result)
{
    const lode__ode_motor *m = MOTOR_WITH(joint, lode__ode_lmotor, anum);
    if (m && CHECK_GIVEN(result))
        put_vec(result, lode__ode_direction(m, anum));
}

SETS_PARAM(dJointSetLMotorParam, lode__ode_lmotor, lode__ode_set_param)
TELLS_PARAM(dJointGetLMotorParam, lode__ode_lmotor, lode__ode_get_param)
