/* body_state.c: where bodies of the ODE face are and how they move, and points and directions of
 * theirs. What getters return is live: it shows the body as it is whenever it is read. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/rotation.h"

#include <string.h>

/* --- pose */

void lode__ode_body_turned(dBodyID body)
{
    lode__mat3 m = m3_from_quat(body->pose->rotation);
    put_vec(body->rotation, m.r0);
    put_vec(body->rotation + 4, m.r1);
    put_vec(body->rotation + 8, m.r2);
}

void dBodySetPosition(dBodyID body, dReal x, dReal y, dReal z)
{
    if (!CHECK_GIVEN(body) || !CHECK_FINITE(x, y, z))
        return;
    body->pose->position = (lode_vec3){x, y, z};
    lode__ode_body_geoms_moved(body);
}

/* The pools have the inertia of where it points; a kinematic one has none. */
static void turn(dBodyID body, const dReal *q)
{
    lode__world *lode = body->world->lode;
    body->pose->rotation = q_normalize(quat_of(q));
    if (!body->kinematic)
        *BODY(lode, inv_mass, body->slot) = inv_mass_at(BODY(lode, local, body->slot),
                                                        body->pose->rotation);
    lode__ode_body_turned(body);
    ++body->places;
    lode__ode_body_geoms_moved(body);
}

/* The quaternion is normalised, and the matrix is that quaternion's. */
void dBodySetQuaternion(dBodyID body, const dQuaternion q)
{
    if (!CHECK_GIVEN(body) || !CHECK_GIVEN(q) ||
        !CHECK(has_length(q), "q", "must be finite and have a length"))
        return;
    turn(body, q);
}

void dBodySetRotation(dBodyID body, const dMatrix3 R)
{
    if (!CHECK_GIVEN(body) || !CHECK_GIVEN(R))
        return;
    dQuaternion q;
    dQfromR(q, R);
    if (!CHECK(has_length(q), "R", "must be a rotation"))
        return;
    turn(body, q);
}

void dBodySetLinearVel(dBodyID body, dReal x, dReal y, dReal z)
{
    if (CHECK_GIVEN(body) && CHECK_FINITE(x, y, z))
        body->velocity->linear = (lode_vec3){x, y, z};
}

void dBodySetAngularVel(dBodyID body, dReal x, dReal y, dReal z)
{
    if (CHECK_GIVEN(body) && CHECK_FINITE(x, y, z))
        body->velocity->angular = (lode_vec3){x, y, z};
}

#define LIVE(NAME, first) \
    const dReal *dBodyGet##NAME(dBodyID body) \
    { \
        return CHECK_GIVEN(body) ? &body->first : NULL; \
    }
#define COPY(NAME, first, type, argument) \
    void dBodyCopy##NAME(dBodyID body, type argument) \
    { \
        if (CHECK_GIVEN(body) && CHECK_GIVEN(argument)) \
            memcpy(argument, &body->first, sizeof(type)); \
    }

/* A position ends with the 0 behind it in the pools. */
LIVE(Position, pose->position.x)
LIVE(Rotation, rotation[0])
LIVE(Quaternion, pose->rotation.w)
LIVE(LinearVel, velocity->linear.x)
LIVE(AngularVel, velocity->angular.x)
COPY(Position, pose->position.x, dVector3, pos)
COPY(Rotation, rotation[0], dMatrix3, R)
COPY(Quaternion, pose->rotation.w, dQuaternion, quat)

/* --- points and directions */

static lode_vec3 to_world(dBodyID body, lode_vec3 v)
{
    const dReal *r = body->rotation;
    return (lode_vec3){r[0] * v.x + r[1] * v.y + r[2] * v.z, r[4] * v.x + r[5] * v.y + r[6] * v.z,
                       r[8] * v.x + r[9] * v.y + r[10] * v.z};
}

static lode_vec3 from_world(dBodyID body, lode_vec3 v)
{
    const dReal *r = body->rotation;
    return (lode_vec3){r[0] * v.x + r[4] * v.y + r[8] * v.z, r[1] * v.x + r[5] * v.y + r[9] * v.z,
                       r[2] * v.x + r[6] * v.y + r[10] * v.z};
}

static lode_vec3 arm_of(dBodyID body, lode_vec3 point)
{
    return v3_sub(point, body->pose->position);
}

static lode_vec3 point_velocity(dBodyID body, lode_vec3 arm)
{
    return v3_add(body->velocity->linear, v3_cross(body->velocity->angular, arm));
}

static lode_vec3 rel_point_pos(dBodyID body, lode_vec3 p)
{
    return v3_add(body->pose->position, to_world(body, p));
}

static lode_vec3 pos_rel_point(dBodyID body, lode_vec3 p)
{
    return from_world(body, arm_of(body, p));
}

static lode_vec3 rel_point_vel(dBodyID body, lode_vec3 p)
{
    return point_velocity(body, to_world(body, p));
}

static lode_vec3 point_vel(dBodyID body, lode_vec3 p)
{
    return point_velocity(body, arm_of(body, p));
}

#define OF_POINT(NAME, function) \
    void dBody##NAME(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result) \
    { \
        if (CHECK_GIVEN(body) && CHECK_GIVEN(result)) \
            put_vec(result, function(body, (lode_vec3){px, py, pz})); \
    }

OF_POINT(GetRelPointPos, rel_point_pos)
OF_POINT(GetPosRelPoint, pos_rel_point)
OF_POINT(GetRelPointVel, rel_point_vel)
OF_POINT(GetPointVel, point_vel)
OF_POINT(VectorToWorld, to_world)
OF_POINT(VectorFromWorld, from_world)

/* --- forces, gathered for the next step */

static void add_vec(dReal *to, lode_vec3 v)
{
    put_vec(to, v3_add(vec_of(to), v));
}

static void push(dBodyID body, lode_vec3 force, lode_vec3 arm)
{
    add_vec(body->force, force);
    add_vec(body->torque, v3_cross(arm, force));
}

#define FORCE \
    (lode_vec3) \
    { \
        fx, fy, fz \
    }
#define POINT \
    (lode_vec3) \
    { \
        px, py, pz \
    }
#define PUSH(NAME, what) \
    void dBodyAdd##NAME(dBodyID body, dReal fx, dReal fy, dReal fz) \
    { \
        if (CHECK_GIVEN(body) && CHECK_FINITE(fx, fy, fz)) \
            what; \
    }
#define PUSH_AT(NAME, what) \
    void dBodyAdd##NAME(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz) \
    { \
        if (CHECK_GIVEN(body) && CHECK_FINITE(fx, fy, fz) && CHECK_FINITE(px, py, pz)) \
            what; \
    }

PUSH(Force, add_vec(body->force, FORCE))
PUSH(Torque, add_vec(body->torque, FORCE))
PUSH(RelForce, add_vec(body->force, to_world(body, FORCE)))
PUSH(RelTorque, add_vec(body->torque, to_world(body, FORCE)))
PUSH_AT(ForceAtPos, push(body, FORCE, arm_of(body, POINT)))
PUSH_AT(ForceAtRelPos, push(body, FORCE, to_world(body, POINT)))
PUSH_AT(RelForceAtPos, push(body, to_world(body, FORCE), arm_of(body, POINT)))
PUSH_AT(RelForceAtRelPos, push(body, to_world(body, FORCE), to_world(body, POINT)))

LIVE(Force, force[0])
LIVE(Torque, torque[0])

void dBodySetForce(dBodyID body, dReal x, dReal y, dReal z)
{
    if (CHECK_GIVEN(body) && CHECK_FINITE(x, y, z))
        put_vec(body->force, (lode_vec3){x, y, z});
}

void dBodySetTorque(dBodyID body, dReal x, dReal y, dReal z)
{
    if (CHECK_GIVEN(body) && CHECK_FINITE(x, y, z))
        put_vec(body->torque, (lode_vec3){x, y, z});
}
