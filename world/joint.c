/* joint.c: making and ending joints. */
#include "lode/joint.h"

#include "core/math.h"
#include "world/check.h"
#include "solver/joints/joint_type.h"
#include "world/edges.h"
#include "world/joint.h"
#include "world/wake.h"

#include <math.h>

lode_joint_def lode_joint_def_default(lode_joint_type type)
{
    static const lode_joint_axis none = {.lo_stop = -INFINITY,
                                         .hi_stop = INFINITY,
                                         .cfm = -1,
                                         .stop_erp = -1,
                                         .stop_cfm = -1,
                                         .frame = LODE_AXIS_IN_FRAME_B};
    lode_joint_def def = {.type = type,
                          .frame_a.rotation = {1, 0, 0, 0},
                          .frame_b.rotation = {1, 0, 0, 0},
                          .erp = -1,
                          .cfm = -1,
                          .distance = -1,
                          .max_force = INFINITY,
                          .max_torque = INFINITY,
                          .enabled = true};
    for (int i = 0; i < LODE_JOINT_AXES; ++i) {
        def.axis[i] = none;
        def.axis[i].direction = v3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    }
    return def;
}

/* ---- a definition from world coordinates ---- */

/* The shortest turn that takes the x axis to the unit vector `to`. */
static lode_quat turn_x_to(lode_vec3 to)
{
    if (to.x <= -1 + REAL_EPSILON)
        return (lode_quat){0, 0, 0, 1};
    return q_normalize((lode_quat){1 + to.x, 0, -to.z, to.y});
}

static lode_pose seen_from(lode_pose frame, lode_pose world_pose)
{
    return (lode_pose){pose_point_inv(frame, world_pose.position),
                       q_normalize(q_mul(q_conj(frame.rotation), world_pose.rotation))};
}

/* Opens the bodies of a definition. `world` may be null: then body_a says which. */
static lode_status open_bodies(const lode_joint_def *def, const lode__world *world,
                               const char *function, lode__object *a, lode__object *b)
{
    *b = (lode__object){NULL, LODE__NONE};
    lode_status status = lode__open_member(a, world, def->body_a, function, "def.body_a");
    if (!status && def->body_b.id)
        status = lode__open_member(b, a->world, def->body_b, function, "def.body_b");
    return status;
}

static lode_status set_frames(lode_joint_def *def, lode_pose frame_a, lode_pose frame_b,
                              const char *function)
{
    lode__object a, b;
    lode_status status = open_bodies(def, NULL, function, &a, &b);
    if (status)
        return status;
    def->frame_a = seen_from(lode__body_frame(a.world, a.slot), frame_a);
    def->frame_b = b.world ? seen_from(lode__body_frame(b.world, b.slot), frame_b) : frame_b;
    return LODE_OK;
}

lode_status lode_joint_def_frame_world(lode_joint_def *def, lode_pose frame)
{
    lode_status status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = lode__check_pose(&frame, __func__, "frame");
    return status ? status : set_frames(def, frame, frame, __func__);
}

static lode_status check_axis(lode_vec3 axis, const char *function)
{
    lode_status status = lode__check_vec3(axis, function, "axis");
    return status ? status
                  : lode__check(axis.x != 0 || axis.y != 0 || axis.z != 0, function, "axis",
                                "must not be zero");
}

lode_status lode_joint_def_anchor_world(lode_joint_def *def, lode_vec3 anchor, lode_vec3 axis)
{
    lode_status status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = lode__check_vec3(anchor, __func__, "anchor");
    if (!status)
        status = check_axis(axis, __func__);
    if (status)
        return status;
    lode_pose frame = {anchor, turn_x_to(v3_normalize_or(axis, axis))};
    return set_frames(def, frame, frame, __func__);
}

/* Of a rotation that takes x to where it is to be: turned about x so that it takes y towards `to`,
 * as far as that lies across x. */
static lode_quat turn_y_towards(lode_quat x_turn, lode_vec3 to)
{
    lode_vec3 seen = q_rotate(q_conj(x_turn), to);
    lode_vec3 across = v3_normalize_or(v3(0, seen.y, seen.z), v3(0, 1, 0));
    lode_quat about_x = {1 + across.y, across.z, 0, 0};
    if (across.y <= -1 + REAL_EPSILON)
        about_x = (lode_quat){0, 1, 0, 0};
    return q_normalize(q_mul(x_turn, q_normalize(about_x)));
}

lode_status lode_joint_def_anchors_world(lode_joint_def *def, lode_vec3 anchor_a,
                                         lode_vec3 anchor_b, lode_vec3 axis)
{
    lode_status status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = lode__check_vec3(anchor_a, __func__, "anchor_a");
    if (!status)
        status = lode__check_vec3(anchor_b, __func__, "anchor_b");
    if (!status)
        status = check_axis(axis, __func__);
    if (status)
        return status;
    lode_quat turn = turn_y_towards(turn_x_to(v3_normalize_or(axis, axis)),
                                    v3_sub(anchor_a, anchor_b));
    return set_frames(def, (lode_pose){anchor_a, turn}, (lode_pose){anchor_b, turn}, __func__);
}

/* ---- making and ending ---- */

static lode_status check_bodies(lode__object a, lode__object b, const char *function)
{
    bool to_world = b.slot == LODE__NONE;
    lode_status status = lode__check(to_world || a.slot != b.slot, function, "def.body_b",
                                     "must be another body than body_a");
    if (status)
        return status;
    bool moves = body_is_dynamic(a.world, a.slot) ||
                 (!to_world && body_is_dynamic(b.world, b.slot));
    return lode__check(moves, function, "def.body_a", "at least one body must be dynamic");
}

static lode_status check_values(lode_joint_def *def, const char *function)
{
    lode_status status = lode__check_pose(&def->frame_a, function, "def.frame_a");
    if (!status)
        status = lode__check_pose(&def->frame_b, function, "def.frame_b");
    if (!status)
        status = lode__check_joint_erp(def->erp, function, "def.erp");
    if (!status)
        status = lode__check_joint_cfm(def->cfm, function, "def.cfm");
    if (!status)
        status = lode__check_joint_limit(def->max_force, function, "def.max_force");
    if (!status)
        status = lode__check_joint_limit(def->max_torque, function, "def.max_torque");
    for (int i = 0; i < lode__joint_types[def->type].axes && !status; ++i)
        status = lode__check_joint_axis(def->type, &def->axis[i], function, "def.axis");
    return status;
}

/* Settles the distance of the anchors, for types that keep one. */
static lode_status settle_distance(lode_joint_def *def, lode__object a, lode__object b,
                                   const char *function)
{
    if (!lode__keeps_distance(def->type))
        return LODE_OK;
    if (def->distance < 0) {
        lode_vec3 at_a = pose_point(lode__body_frame(a.world, a.slot), def->frame_a.position);
        lode_vec3 at_b = def->frame_b.position;
        if (b.slot != LODE__NONE)
            at_b = pose_point(lode__body_frame(b.world, b.slot), at_b);
        def->distance = v3_length(v3_sub(at_a, at_b));
    }
    return lode__check_joint_distance(a.world, def->distance, function, "def.distance");
}

/* An angle starts as the one that is nearest to its stops; what adds up, at 0. */
static lode_real start_position(int type, const lode_joint_axis *axis)
{
    if (lode__axes_are_given(type))
        return 0;
    return r_max(r_min(0, axis->hi_stop), axis->lo_stop);
}

static void fill(lode__world *world, uint32_t slot, const lode_joint_def *def, uint32_t body_a,
                 uint32_t body_b)
{
    *JOINT(world, joint, slot) = (lode__joint){
        .frame_a = def->frame_a,
        .frame_b = def->frame_b,
        .erp = def->erp,
        .cfm = def->cfm,
        .distance = def->distance,
        .type = (uint16_t)def->type,
        .body_a = body_a,
        .body_b = body_b,
        .flags = (def->collide_connected ? LODE__JOINT_COLLIDE_CONNECTED : 0) |
                 (def->enabled ? 0 : LODE__JOINT_DISABLED),
    };
    *JOINT(world, anchors, slot) = (lode__joint_anchors){def->frame_a.position,
                                                         def->frame_b.position};
    for (int i = 0; i < LODE_JOINT_AXES; ++i) {
        lode__joint_axis_put(&JOINT(world, axes, slot)->axis[i], &def->axis[i]);
        JOINT(world, position, slot)->axis[i] = start_position(def->type, &def->axis[i]);
    }
    *JOINT(world, user_data, slot) = def->user_data;
    lode__joint_derive_frames(world, slot);
    lode__joint_link(world, slot);
    lode__joint_refresh_pairs(world, slot);
    lode__joint_limit(world, slot, (lode__joint_limits){def->max_force, def->max_torque});
}

lode_joint lode_joint_create(lode_world world, const lode_joint_def *def)
{
    lode__world *w;
    lode__object a, b;
    if (lode__open_world(&w, world, __func__) || lode__check_not_null(def, __func__, "def"))
        return (lode_joint){0};
    lode_joint_def checked = *def;
    if (lode__check((unsigned)def->type < LODE_JOINT_TYPE_COUNT, __func__, "def.type",
                    "is not a joint type") ||
        open_bodies(def, w, __func__, &a, &b) || check_bodies(a, b, __func__) ||
        check_values(&checked, __func__) || settle_distance(&checked, a, b, __func__))
        return (lode_joint){0};
    uint32_t slot = lode__pool_reserve(&w->joints, 1) && lode__awake_reserve(w)
                        ? lode__pool_add(&w->joints)
                        : LODE__NONE;
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_joint){0};
    }
    fill(w, slot, &checked, a.slot, b.slot);
    return joint_handle(w, slot);
}

void lode__joint_remove(lode__world *world, uint32_t joint)
{
    lode__joint_changed(world, joint);
    lode__bits_clear(&world->active_joints, joint);
    lode__bits_clear(&world->strained_joints, joint);
    lode__joint_unlink(world, joint);
    lode__joint_refresh_pairs(world, joint);
    lode__pool_remove(&world->joints, joint);
}

lode_status lode_joint_destroy(lode_joint joint)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        lode__joint_remove(j.world, j.slot);
    return status;
}
