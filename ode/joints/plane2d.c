/* plane2d.c: dJoint...Plane2D: keeps a body's middle in the plane z = 0 of the world, and its tilt
 * what it was when the joint was attached, or when the program turned the body last. The second
 * body, if there is one, is not held. Motors and stops of X and Y count by the world's coordinates,
 * those of the angle by the turn about z since it was attached. */
#include "ode/joint_api.h"

typedef struct plane2d {
    lode__ode_framed framed;
    lode_quat turn;  /* of its frame, in the body; in the world that is `in_plane` */
    unsigned places; /* as many as the body's when the tilt was taken */
} plane2d;

/* A frame whose x axis is the world's z axis, y is x and z is y. */
static lode_quat in_plane(void)
{
    const lode_real half = (lode_real)0.5;
    return (lode_quat){half, -half, -half, -half};
}

static plane2d *plane_of(const lode__ode_framed *joint)
{
    return (plane2d *)(uintptr_t)joint;
}

static lode_quat turn_of_body(const plane2d *p)
{
    return p->framed.joint.node[0].body->pose->rotation;
}

static void attached(lode__ode_framed *joint)
{
    plane2d *p = plane_of(joint);
    p->turn = q_mul(q_conj(turn_of_body(p)), in_plane());
    p->places = joint->joint.node[0].body->places;
}

/* Takes the body's tilt, and leaves its angle. */
static void take_tilt(lode__ode_framed *joint)
{
    plane2d *p = plane_of(joint);
    dBodyID body = joint->joint.node[0].body;
    if (p->places == body->places)
        return;
    lode_quat turned = q_mul(q_conj(in_plane()), q_mul(turn_of_body(p), p->turn));
    bool has_angle = turned.w != 0 || turned.x != 0;
    lode_quat angle = has_angle ? q_normalize((lode_quat){turned.w, turned.x, 0, 0}) : q_identity();
    p->turn = q_normalize(q_mul(q_conj(turn_of_body(p)), q_mul(in_plane(), angle)));
    p->places = body->places;
    joint->joint.moved_frames = true;
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_PLANE_2D;
    out_def->frame_a = (lode_pose){v3_zero(), plane_of(joint)->turn};
    out_def->frame_b = (lode_pose){v3_zero(), in_plane()};
}

const lode__ode_joint_type lode__ode_plane2d = {.type = dJointTypePlane2D,
                                                .name = "plane-2D",
                                                .size = sizeof(plane2d),
                                                .limots = 3,
                                                .holds_one = true,
                                                .attached = attached,
                                                .before_bring = take_tilt,
                                                .describe = describe};

dJointID dJointCreatePlane2D(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_plane2d);
}

/* Each has the parameters of one axis alone. */
static void set_param(lode__ode_framed *joint, int axis, int parameter, dReal value)
{
    if (parameter >= 0 && parameter < dParamGroup)
        lode__ode_set_param(joint, axis * dParamGroup + parameter, value);
}

#define OF_AXIS(function, axis) \
    void function(dJointID joint, int parameter, dReal value) \
    { \
        if (IS(joint, lode__ode_plane2d)) \
            set_param(framed(joint), axis, parameter, value); \
    }

OF_AXIS(dJointSetPlane2DXParam, 0)
OF_AXIS(dJointSetPlane2DYParam, 1)
OF_AXIS(dJointSetPlane2DAngleParam, 2)
