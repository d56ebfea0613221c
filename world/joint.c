/* joint.c: making and ending joints. */
#include "lode/joint.h"

#include "core/math.h"
#include "world/check.h"
#include "solver/joints/joint_type.h"
#include "world/edges.h"
#include "world/joint.h"
#include "world/loop_joints.h"
#include "world/wake.h"

#include <math.h>

lode_joint_def lode_joint_def_default(lode_joint_type type)
{
    static const lode_joint_axis none = {.lo_stop = -INFINITY,
                                         .hi_stop = INFINITY,
                                         .fudge_factor = 1,
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
                          .enabled = true,
                          .stiff = LODE_STIFF_AS_WORLD};
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

static lode__joint_bodies bodies_of(const lode_joint_def *def)
{
    return (lode__joint_bodies){def->body_a, def->body_b, "def.body_a", "def.body_b"};
}

static lode_status set_frames(lode_joint_def *def, lode_pose frame_a, lode_pose frame_b,
                              const char *function)
{
    lode__object a, b;
    lode__joint_bodies bodies = bodies_of(def);
    lode_status status = lode__open_joint_bodies(&bodies, NULL, function, &a, &b);
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
    if (!status)
        status = lode__check_joint_stiff(def->stiff, function, "def.stiff");
    for (int i = 0; i < lode__joint_types[def->type].axes && !status; ++i)
        status = lode__check_joint_axis(def->type, &def->axis[i], function, "def.axis");
    return status;
}

/* Settles the distance of the anchors, for types that keep one; in limbo it waits. */
static lode_status settle_distance(lode_joint_def *def, const lode__world *world, lode__object a,
                                   lode__object b, const char *function)
{
    if (!lode__keeps_distance(def->type) || (def->distance < 0 && a.slot == LODE__NONE))
        return LODE_OK;
    if (def->distance < 0)
        def->distance = lode__anchor_distance(a, b, def->frame_a.position, def->frame_b.position);
    return lode__check_joint_distance(world, def->distance, function, "def.distance");
}

static uint32_t flags_of(const lode_joint_def *def)
{
    return (def->collide_connected ? LODE__JOINT_COLLIDE_CONNECTED : 0) |
           (def->enabled ? 0 : LODE__JOINT_DISABLED) |
           (def->outlives_bodies ? LODE__JOINT_OUTLIVES : 0) | joint_flags_of_stiff(def->stiff);
}

static void fill(lode__world *world, uint32_t slot, const lode_joint_def *def, uint32_t body_a,
                 uint32_t body_b)
{
    *JOINT(world, joint, slot) = (lode__joint){.erp = def->erp,
                                               .cfm = def->cfm,
                                               .distance = def->distance,
                                               .type = (uint16_t)def->type,
                                               .body_a = body_a,
                                               .body_b = body_b,
                                               .flags = flags_of(def)};
    *JOINT(world, arm, slot) = (lode__joint_arm){.head = slot,
                                                 .next = LODE__NONE,
                                                 .term = LODE__NONE};
    for (int i = 0; i < LODE_JOINT_AXES; ++i)
        lode__joint_axis_put(&JOINT(world, axes, slot)->axis[i], &def->axis[i]);
    *JOINT(world, user_data, slot) = def->user_data;
    lode__joint_enter(world, slot, def->frame_a, def->frame_b);
    lode__joint_limit(world, slot, (lode__joint_limits){def->max_force, def->max_torque});
}

/* A joint may be made without bodies if it may be left without. */
static lode_status open_bodies(const lode_joint_def *def, const lode__world *world,
                               const char *function, lode__object *a, lode__object *b)
{
    lode__joint_bodies bodies = bodies_of(def);
    *a = *b = (lode__object){NULL, LODE__NONE};
    if (def->outlives_bodies && !def->body_a.id && !def->body_b.id)
        return LODE_OK;
    lode_status status = lode__open_joint_bodies(&bodies, world, function, a, b);
    return status ? status : lode__check_joint_bodies(&bodies, *a, *b, function);
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
        open_bodies(def, w, __func__, &a, &b) || check_values(&checked, __func__) ||
        settle_distance(&checked, w, a, b, __func__))
        return (lode_joint){0};
    bool room = lode__pool_reserve(&w->joints, 1) && lode__awake_reserve(w) &&
                lode__joined_reserve(&w->joined, 1);
    uint32_t slot = room ? lode__pool_add(&w->joints) : LODE__NONE;
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_joint){0};
    }
    fill(w, slot, &checked, a.slot, b.slot);
    return joint_handle(w, slot);
}

void lode__joint_remove(lode__world *world, uint32_t joint)
{
    lode__loop_leave(world, joint);
    if (joint_is_linkage(JOINT(world, joint, joint)))
        lode__linkage_leave(world, joint);
    else
        lode__joint_leave(world, joint);
    for (uint32_t at = joint, next; at != LODE__NONE; at = next) {
        next = lode__next_record(world, at);
        lode__pool_remove(&world->joints, at);
    }
}

lode_status lode_joint_destroy(lode_joint joint)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        lode__joint_remove(j.world, j.slot);
    return status;
}
