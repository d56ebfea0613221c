/* export_joints.c: what a joint is, in the Dynamics Interchange Format, with ODE's labels: places
 * and directions in the frames of its bodies, as a table has them by type; stops and motors; and
 * what else there is, by a function of the type. */
#include "ode/dif.h"
#include "ode/directions.h"
#include "ode/objects.h"

/* --- places and directions */

/* One line: of which anchor or axis, in the frame of body 0 or 1; or the relative rotation. */
typedef struct joint_line {
    const char *label;
    enum { ANCHOR, AXIS, TURN } what;
    int body, axis;
} joint_line;

static void put_line(const lode__dif *w, const lode__ode_framed *joint, const joint_line *line)
{
    lode_quat q = joint->relative;
    const dReal turn[4] = {q.w, q.x, q.y, q.z};
    if (line->what == TURN)
        lode__dif_numbers_line(w, line->label, turn, 4);
    else
        lode__dif_vector_line(w, line->label,
                              line->what == ANCHOR ? joint->anchor[line->body]
                                                   : joint->axis[line->axis][line->body]);
}

/* --- what else there is */

/* The body that is meant by 1 or 2, as the program counts them; null: the world. */
static dBodyID body_of(dJointID joint, int rel)
{
    return rel == 0 ? NULL : joint->node[(rel == 2) ^ joint->reversed].body;
}

/* A direction or a place of the world, as that body sees it. */
static void put_seen(const lode__dif *w, const char *label, dBodyID body, const dVector3 v,
                     void (*see)(dBodyID, dReal, dReal, dReal, dVector3))
{
    dVector3 seen = {v[0], v[1], v[2]};
    if (body)
        see(body, v[0], v[1], v[2], seen);
    lode__dif_numbers_line(w, label, seen, 3);
}

static void put_axes(const lode__dif *w, dJointID joint, const int rel[3],
                     void (*axis)(dJointID, int, dVector3))
{
    const dReal numbers[3] = {(dReal)rel[0], (dReal)rel[1], (dReal)rel[2]};
    const char *const labels[3] = {"axis1", "axis2", "axis3"};
    lode__dif_numbers_line(w, "rel", numbers, 3);
    for (int i = 0; i < 3; ++i) {
        dVector3 v = {0};
        axis(joint, i, v);
        put_seen(w, labels[i], body_of(joint, rel[i]), v, dBodyVectorFromWorld);
    }
}

static void put_amotor(const lode__dif *w, dJointID joint)
{
    const int rel[3] = {dJointGetAMotorAxisRel(joint, 0), dJointGetAMotorAxisRel(joint, 1),
                        dJointGetAMotorAxisRel(joint, 2)};
    lode__dif_number_line(w, "num", (dReal)dJointGetAMotorNumAxes(joint));
    lode__dif_number_line(w, "mode", (dReal)dJointGetAMotorMode(joint));
    put_axes(w, joint, rel, dJointGetAMotorAxis);
    lode__dif_number_line(w, "angle1", dJointGetAMotorAngle(joint, 0));
    lode__dif_number_line(w, "angle2", dJointGetAMotorAngle(joint, 1));
    lode__dif_number_line(w, "angle3", dJointGetAMotorAngle(joint, 2));
}

static void put_lmotor(const lode__dif *w, dJointID joint)
{
    const lode__ode_motor *motor = (const lode__ode_motor *)(const void *)joint;
    lode__dif_number_line(w, "num", (dReal)motor->of.count);
    put_axes(w, joint, motor->of.rel, dJointGetLMotorAxis);
}

static void put_suspension(const lode__dif *w, dJointID joint)
{
    lode__dif_number_line(w, "susp_erp", dJointGetHinge2Param(joint, dParamSuspensionERP));
    lode__dif_number_line(w, "susp_cfm", dJointGetHinge2Param(joint, dParamSuspensionCFM));
}

static void put_distance(const lode__dif *w, dJointID joint)
{
    bool ball = joint->type->type == dJointTypeDBall;
    lode__dif_number_line(w, "distance",
                          ball ? dJointGetDBallDistance(joint) : dJointGetDHingeDistance(joint));
}

static void put_wheels(const lode__dif *w, dJointID joint)
{
    dVector3 anchor[2], axis[2];
    dJointGetTransmissionAnchor1(joint, anchor[0]);
    dJointGetTransmissionAnchor2(joint, anchor[1]);
    dJointGetTransmissionAxis1(joint, axis[0]);
    dJointGetTransmissionAxis2(joint, axis[1]);
    for (int i = 0; i < 2; ++i) {
        dBodyID body = body_of(joint, 1 + i);
        put_seen(w, i ? "anchor2" : "anchor1", body, anchor[i], dBodyGetPosRelPoint);
        put_seen(w, i ? "axis2" : "axis1", body, axis[i], dBodyVectorFromWorld);
    }
    lode__dif_number_line(w, "mode", (dReal)dJointGetTransmissionMode(joint));
    lode__dif_number_line(w, "ratio", dJointGetTransmissionRatio(joint));
    lode__dif_number_line(w, "radius1", dJointGetTransmissionRadius1(joint));
    lode__dif_number_line(w, "radius2", dJointGetTransmissionRadius2(joint));
    lode__dif_number_line(w, "backlash", dJointGetTransmissionBacklash(joint));
}

static void put_contact(const lode__dif *w, dJointID joint)
{
    const dContact contact = lode__ode_contact_of(joint), *c = &contact;
    const dSurfaceParameters *s = &c->surface;
    const struct {
        const char *label;
        int flag; /* without which it is of no matter */
        dReal value;
    } numbers[] = {
        {"mu2", dContactMu2, s->mu2},
        {"bounce", dContactBounce, s->bounce},
        {"bounce_vel", dContactBounce, s->bounce_vel},
        {"soft_ERP", dContactSoftERP, s->soft_erp},
        {"soft_CFM", dContactSoftCFM, s->soft_cfm},
        {"motion1", dContactMotion1, s->motion1},
        {"motion2", dContactMotion2, s->motion2},
        {"motionN", dContactMotionN, s->motionN},
        {"slip1", dContactSlip1, s->slip1},
        {"slip2", dContactSlip2, s->slip2},
    };
    int approximation = (s->mode & dContactApprox1_1 ? 1 : 0) +
                        (s->mode & dContactApprox1_2 ? 2 : 0);
    lode__dif_numbers_line(w, "pos", c->geom.pos, 3);
    lode__dif_numbers_line(w, "normal", c->geom.normal, 3);
    lode__dif_number_line(w, "depth", c->geom.depth);
    lode__dif_number_line(w, "mu", s->mu);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (s->mode & numbers[i].flag)
            lode__dif_number_line(w, numbers[i].label, numbers[i].value);
    if (approximation)
        lode__dif_number_line(w, "friction_approximation", (dReal)approximation);
    if (s->mode & dContactFDir1)
        lode__dif_numbers_line(w, "fdir1", c->fdir1, 3);
}

/* --- by type */

typedef struct told_of {
    const char *name;
    joint_line lines[6]; /* to the first without a label */
    void (*more)(const lode__dif *w, dJointID joint);
} told_of;

#define BOTH_ANCHORS \
    {"anchor1", ANCHOR, 0, 0}, \
    { \
        "anchor2", ANCHOR, 1, 0 \
    }
#define ONE_AXIS \
    {"axis1", AXIS, 0, 0}, \
    { \
        "axis2", AXIS, 1, 0 \
    }
#define TWO_AXES \
    {"axis1", AXIS, 0, 0}, \
    { \
        "axis2", AXIS, 1, 1 \
    }
#define RELATIVE \
    { \
        "qrel", TURN, 0, 0 \
    }

/* clang-format off */
static const told_of types[] = {
    [dJointTypeBall]      = {"ball", {BOTH_ANCHORS}, NULL},
    [dJointTypeHinge]     = {"hinge", {BOTH_ANCHORS, ONE_AXIS, RELATIVE}, NULL},
    [dJointTypeSlider]    = {"slider", {{"axis1", AXIS, 0, 0}, RELATIVE, {"offset", ANCHOR, 1, 0}}, NULL},
    [dJointTypeContact]   = {"contact", {{NULL, ANCHOR, 0, 0}}, put_contact},
    [dJointTypeUniversal] = {"universal", {BOTH_ANCHORS, TWO_AXES}, NULL},
    [dJointTypeHinge2]    = {"ODE_hinge2", {BOTH_ANCHORS, TWO_AXES}, put_suspension},
    [dJointTypeFixed]     = {"fixed", {RELATIVE, {"offset", ANCHOR, 1, 0}}, NULL},
    [dJointTypeNull]      = {"null", {{NULL, ANCHOR, 0, 0}}, NULL},
    [dJointTypeAMotor]    = {"ODE_angular_motor", {{NULL, ANCHOR, 0, 0}}, put_amotor},
    [dJointTypeLMotor]    = {"ODE_linear_motor", {{NULL, ANCHOR, 0, 0}}, put_lmotor},
    [dJointTypePlane2D]   = {"plane_2d", {{NULL, ANCHOR, 0, 0}}, NULL},
    [dJointTypePR]        = {"PR", {{"anchor2", ANCHOR, 1, 0}, {"axisR1", AXIS, 0, 0}, {"axisR2", AXIS, 1, 0},
                                    {"axisP1", AXIS, 0, 1}, RELATIVE, {"offset", ANCHOR, 0, 0}}, NULL},
    [dJointTypePU]        = {"PU", {BOTH_ANCHORS, TWO_AXES, {"axisP", AXIS, 0, 2}}, NULL},
    [dJointTypePiston]    = {"piston", {BOTH_ANCHORS, ONE_AXIS, RELATIVE}, NULL},
    [dJointTypeDBall]     = {"double_ball", {BOTH_ANCHORS}, put_distance},
    [dJointTypeDHinge]    = {"double_hinge", {BOTH_ANCHORS, ONE_AXIS}, put_distance},
    [dJointTypeTransmission] = {"transmission", {{NULL, ANCHOR, 0, 0}}, put_wheels},
};
/* clang-format on */

static void put_limot(lode__dif *w, const lode__ode_limot *limot, int number, int count)
{
    char label[16];
    snprintf(label, sizeof label, count > 1 ? "limit%d" : "limit", number);
    lode__dif_open_table(w, label);
    lode__dif_number_line(w, "low_stop", limot->lo);
    lode__dif_number_line(w, "high_stop", limot->hi);
    if (limot->bounce != 0)
        lode__dif_number_line(w, "bounce", limot->bounce);
    lode__dif_open_table(w, "ODE");
    lode__dif_number_line(w, "stop_erp", limot->stop_erp);
    lode__dif_number_line(w, "stop_cfm", limot->stop_cfm);
    lode__dif_close_table(w);
    lode__dif_close_table(w);
    snprintf(label, sizeof label, count > 1 ? "motor%d" : "motor", number);
    lode__dif_open_table(w, label);
    if (limot->vel != 0)
        lode__dif_number_line(w, "vel", limot->vel);
    if (limot->fmax != 0)
        lode__dif_number_line(w, "fmax", limot->fmax);
    lode__dif_open_table(w, "ODE");
    lode__dif_number_line(w, "fudge_factor", limot->fudge);
    lode__dif_number_line(w, "normal_cfm", limot->cfm);
    lode__dif_close_table(w);
    lode__dif_close_table(w);
}

static int number_of(dWorldID world, dBodyID body)
{
    int number = 0;
    for (dBodyID at = world->bodies; at != body; at = at->next)
        ++number;
    return number;
}

/* The program's first body first; a world is no body. */
static void put_bodies(const lode__dif *w, dJointID joint)
{
    bool first = true;
    lode__dif_indent(w);
    fputs("body = {", w->file);
    for (int i = 0; i < 2; ++i) {
        dBodyID body = joint->node[i ^ joint->reversed].body;
        if (!body)
            continue;
        fprintf(w->file, "%s%sbody[%d]", first ? "" : ",", w->name, number_of(joint->world, body));
        first = false;
    }
    fputs("},\n", w->file);
}

void lode__dif_joint(lode__dif *w, dJointID joint, int number)
{
    const told_of *told = &types[joint->type->type];
    fprintf(w->file, "%sjoint[%d] = dynamics.%s_joint {\n\tworld = %sworld,\n", w->name, number,
            told->name, w->name);
    w->depth = 1;
    put_bodies(w, joint);
    lode__dif_flag_line(w, "disabled", joint->disabled);
    for (const joint_line *line = told->lines;
         line < told->lines + sizeof told->lines / sizeof *told->lines && line->label; ++line)
        put_line(w, framed(joint), line);
    if (told->more)
        told->more(w, joint);
    for (int i = 0; i < joint->type->limots; ++i)
        put_limot(w, &framed(joint)->limot[i], i + 1, joint->type->limots);
    fputs("}\n", w->file);
}
