/* geom_place.c: where geoms are. Three cases: by themselves, with a body, at an offset from one;
 * see geom.h. Of a rotation that is set, matrix or quaternion, what is asked for is given back as
 * it was set. */
#include "ode/collision/geom.h"

#include "ode/slabs.h"
#include "ode/rotation.h"

#include <string.h>

/* --- spots */

void lode__ode_spot_clear(lode__ode_spot *spot)
{
    static const lode__ode_spot origin = {
        {0, 0, 0, 0}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 0, 0, 0}};
    *spot = origin;
}

static void turn_spot(lode__ode_spot *spot, lode_quat q)
{
    put_quat(spot->quaternion, q);
    dRfromQ(spot->rotation, spot->quaternion);
}

static void turn_spot_to(lode__ode_spot *spot, const dMatrix3 R)
{
    memcpy(spot->rotation, R, sizeof spot->rotation);
    dQfromR(spot->quaternion, spot->rotation);
    put_quat(spot->quaternion, q_normalize(quat_of(spot->quaternion)));
}

static lode_pose pose_of(const lode__ode_spot *spot)
{
    return (lode_pose){vec_of(spot->position), quat_of(spot->quaternion)};
}

static void put_pose(lode__ode_spot *spot, lode_pose pose)
{
    put_vec(spot->position, pose.position);
    turn_spot(spot, pose.rotation);
}

static lode_pose body_pose(dBodyID body)
{
    return (lode_pose){body->pose->position, body->pose->rotation};
}

/* --- where it is */

/* A geom with an offset is placed when it is asked for. */
static void place(dGeomID geom)
{
    if (!geom->offset || !geom->stale)
        return;
    lode_pose body = body_pose(geom->body), offset = pose_of(geom->offset);
    put_pose(&geom->own, (lode_pose){pose_point(body, offset.position),
                                     q_normalize(q_mul(body.rotation, offset.rotation))});
    geom->stale = false;
}

static bool is_with_body(const struct dxGeom *geom)
{
    return geom->body && !geom->offset;
}

static const dReal *position_of(dGeomID geom)
{
    place(geom);
    return is_with_body(geom) ? &geom->body->pose->position.x : geom->own.position;
}

static const dReal *rotation_of(dGeomID geom)
{
    place(geom);
    return is_with_body(geom) ? geom->body->rotation : geom->own.rotation;
}

static const dReal *quaternion_of(dGeomID geom)
{
    place(geom);
    return is_with_body(geom) ? &geom->body->pose->rotation.w : geom->own.quaternion;
}

/* In the world: what is carried has its place in its carrier's frame. */
void lode__ode_geom_pose_own(dGeomID geom, lode__pose *out)
{
    out->position = vec_of(position_of(geom));
    out->rotation = quat_of(quaternion_of(geom));
    if (geom->carrier) {
        lode__pose carrier = lode__ode_geom_pose(geom->carrier);
        out->position = pose_point((lode_pose){carrier.position, carrier.rotation}, out->position);
        out->rotation = q_normalize(q_mul(carrier.rotation, out->rotation));
    }
}

static bool is_placeable(dGeomID geom, const char *function)
{
    return lode__ode_check(geom != NULL, function, "geom", "must not be null") &&
           lode__ode_check(geom->class->placeable && !geom->fixed, function, "geom",
                           "has no place of its own");
}
#define IS_PLACEABLE(geom) is_placeable(geom, __func__)

const dReal *dGeomGetPosition(dGeomID geom)
{
    return IS_PLACEABLE(geom) ? position_of(geom) : NULL;
}

void dGeomCopyPosition(dGeomID geom, dVector3 pos)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(pos))
        put_vec(pos, vec_of(position_of(geom)));
}

const dReal *dGeomGetRotation(dGeomID geom)
{
    return IS_PLACEABLE(geom) ? rotation_of(geom) : NULL;
}

void dGeomCopyRotation(dGeomID geom, dMatrix3 R)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(R))
        memcpy(R, rotation_of(geom), 12 * sizeof *R);
}

void dGeomGetQuaternion(dGeomID geom, dQuaternion result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_quat(result, quat_of(quaternion_of(geom)));
}

/* --- put somewhere */

/* The body, so that the geom comes to a place. */
static void move_body(dGeomID geom, lode_pose to)
{
    lode_pose offset = pose_of(geom->offset);
    lode_quat rotation = q_normalize(q_mul(to.rotation, q_conj(offset.rotation)));
    lode_vec3 at = v3_sub(to.position, q_rotate(rotation, offset.position));
    dQuaternion q;
    put_quat(q, rotation);
    dBodySetPosition(geom->body, at.x, at.y, at.z);
    dBodySetQuaternion(geom->body, q);
}

void dGeomSetPosition(dGeomID geom, dReal x, dReal y, dReal z)
{
    if (!IS_PLACEABLE(geom) || !CHECK_FINITE(x, y, z))
        return;
    if (geom->offset)
        move_body(geom, (lode_pose){v3(x, y, z), quat_of(quaternion_of(geom))});
    else if (geom->body)
        dBodySetPosition(geom->body, x, y, z);
    else
        put_vec(geom->own.position, v3(x, y, z));
    lode__ode_geom_moved(geom);
}

static bool is_rotation(const dReal *R)
{
    dQuaternion q;
    dQfromR(q, R);
    return has_length(q);
}
#define IS_ROTATION(R) (CHECK_GIVEN(R) && CHECK(is_rotation(R), #R, "must be a rotation"))
#define IS_QUATERNION(Q) \
    (CHECK_GIVEN(Q) && CHECK(has_length(Q), #Q, "must be finite and have a length"))

void dGeomSetRotation(dGeomID geom, const dMatrix3 R)
{
    if (!IS_PLACEABLE(geom) || !IS_ROTATION(R))
        return;
    if (geom->offset) {
        lode__ode_spot to = geom->own;
        turn_spot_to(&to, R);
        put_vec(to.position, vec_of(position_of(geom)));
        move_body(geom, pose_of(&to));
    } else if (geom->body) {
        dBodySetRotation(geom->body, R);
    } else {
        turn_spot_to(&geom->own, R);
    }
    lode__ode_geom_moved(geom);
}

void dGeomSetQuaternion(dGeomID geom, const dQuaternion Q)
{
    if (!IS_PLACEABLE(geom) || !IS_QUATERNION(Q))
        return;
    if (geom->offset)
        move_body(geom, (lode_pose){vec_of(position_of(geom)), q_normalize(quat_of(Q))});
    else if (geom->body)
        dBodySetQuaternion(geom->body, Q);
    else
        turn_spot(&geom->own, q_normalize(quat_of(Q)));
    lode__ode_geom_moved(geom);
}

/* --- offsets */

static bool has_body(dGeomID geom, const char *function)
{
    return is_placeable(geom, function) &&
           lode__ode_check(geom->body != NULL, function, "geom", "must have a body");
}
#define HAS_BODY(geom) has_body(geom, __func__)

/* The offset to change; null after a report. */
static lode__ode_spot *offset_of(dGeomID geom)
{
    if (geom->offset)
        return geom->offset;
    geom->offset = lode__ode_slab_take(sizeof *geom->offset);
    if (!lode__ode_check(geom->offset != NULL, "dGeomSetOffset", "memory", "is wanting"))
        return NULL;
    lode__ode_spot_clear(geom->offset);
    return geom->offset;
}

/* Begins to change the offset, and ends. */
#define WITH_OFFSET(geom, change) \
    do { \
        lode__ode_spot *offset = offset_of(geom); \
        if (offset) { \
            change; \
            lode__ode_geom_find_pose(geom); \
            lode__ode_geom_moved(geom); \
        } \
    } while (0)

void dGeomSetOffsetPosition(dGeomID geom, dReal x, dReal y, dReal z)
{
    if (HAS_BODY(geom) && CHECK_FINITE(x, y, z))
        WITH_OFFSET(geom, put_vec(offset->position, v3(x, y, z)));
}

void dGeomSetOffsetRotation(dGeomID geom, const dMatrix3 R)
{
    if (HAS_BODY(geom) && IS_ROTATION(R))
        WITH_OFFSET(geom, turn_spot_to(offset, R));
}

void dGeomSetOffsetQuaternion(dGeomID geom, const dQuaternion Q)
{
    if (HAS_BODY(geom) && IS_QUATERNION(Q))
        WITH_OFFSET(geom, turn_spot(offset, q_normalize(quat_of(Q))));
}

void dGeomSetOffsetWorldPosition(dGeomID geom, dReal x, dReal y, dReal z)
{
    if (HAS_BODY(geom) && CHECK_FINITE(x, y, z))
        WITH_OFFSET(geom,
                    put_vec(offset->position, pose_point_inv(body_pose(geom->body), v3(x, y, z))));
}

static lode_quat from_body(dGeomID geom, lode_quat world)
{
    return q_normalize(q_mul(q_conj(geom->body->pose->rotation), world));
}

void dGeomSetOffsetWorldRotation(dGeomID geom, const dMatrix3 R)
{
    lode__ode_spot to;
    if (!HAS_BODY(geom) || !IS_ROTATION(R))
        return;
    turn_spot_to(&to, R);
    WITH_OFFSET(geom, turn_spot(offset, from_body(geom, quat_of(to.quaternion))));
}

void dGeomSetOffsetWorldQuaternion(dGeomID geom, const dQuaternion Q)
{
    if (HAS_BODY(geom) && IS_QUATERNION(Q))
        WITH_OFFSET(geom, turn_spot(offset, from_body(geom, q_normalize(quat_of(Q)))));
}

void dGeomClearOffset(dGeomID geom)
{
    if (!IS_PLACEABLE(geom) || !geom->offset)
        return;
    lode__ode_slab_give(geom->offset, sizeof *geom->offset);
    geom->offset = NULL;
    lode__ode_geom_find_pose(geom);
    lode__ode_geom_moved(geom);
}

int dGeomIsOffset(dGeomID geom)
{
    return IS_PLACEABLE(geom) && geom->offset != NULL;
}

static const lode__ode_spot *shown_offset(dGeomID geom)
{
    static const lode__ode_spot none = {
        {0, 0, 0, 0}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 0, 0, 0}};
    return geom->offset ? geom->offset : &none;
}

const dReal *dGeomGetOffsetPosition(dGeomID geom)
{
    return IS_PLACEABLE(geom) ? shown_offset(geom)->position : NULL;
}

void dGeomCopyOffsetPosition(dGeomID geom, dVector3 pos)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(pos))
        put_vec(pos, vec_of(shown_offset(geom)->position));
}

const dReal *dGeomGetOffsetRotation(dGeomID geom)
{
    return IS_PLACEABLE(geom) ? shown_offset(geom)->rotation : NULL;
}

void dGeomCopyOffsetRotation(dGeomID geom, dMatrix3 R)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(R))
        memcpy(R, shown_offset(geom)->rotation, 12 * sizeof *R);
}

void dGeomGetOffsetQuaternion(dGeomID geom, dQuaternion result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_quat(result, quat_of(shown_offset(geom)->quaternion));
}

/* --- points and directions */

static lode_pose where(dGeomID geom)
{
    lode__pose pose = lode__ode_geom_pose(geom);
    return (lode_pose){pose.position, pose.rotation};
}

void dGeomGetRelPointPos(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_vec(result, pose_point(where(geom), v3(px, py, pz)));
}

void dGeomGetPosRelPoint(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_vec(result, pose_point_inv(where(geom), v3(px, py, pz)));
}

void dGeomVectorToWorld(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_vec(result, q_rotate(where(geom).rotation, v3(px, py, pz)));
}

void dGeomVectorFromWorld(dGeomID geom, dReal px, dReal py, dReal pz, dVector3 result)
{
    if (IS_PLACEABLE(geom) && CHECK_GIVEN(result))
        put_vec(result, q_rotate_inv(where(geom).rotation, v3(px, py, pz)));
}
