/* joint.c: joints: making and ending them, and what they say about their bodies.
 *
 * Two joined bodies do not collide unless the joint says so; the broad phase asks for each new
 * pair. So when a joint comes or goes, the shapes of one of its bodies look for pairs afresh. */
#include "lode/joint.h"

#include "core/math.h"
#include "world/check.h"
#include "world/edges.h"

lode_joint_def lode_joint_def_default(lode_joint_type type)
{
    return (lode_joint_def){.type = type,
                            .frame_a.rotation = {1, 0, 0, 0},
                            .frame_b.rotation = {1, 0, 0, 0},
                            .erp = -1,
                            .cfm = -1};
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

lode_status lode_joint_def_anchor_world(lode_joint_def *def, lode_vec3 anchor, lode_vec3 axis)
{
    lode__object a, b;
    lode_status status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = open_bodies(def, NULL, __func__, &a, &b);
    if (!status)
        status = lode__check_vec3(anchor, __func__, "anchor");
    if (!status)
        status = lode__check_vec3(axis, __func__, "axis");
    if (!status)
        status = lode__check(axis.x != 0 || axis.y != 0 || axis.z != 0, __func__, "axis",
                             "must not be zero");
    if (status)
        return status;
    lode_pose frame = {anchor, turn_x_to(v3_normalize_or(axis, axis))};
    def->frame_a = seen_from(lode__body_frame(a.world, a.slot), frame);
    def->frame_b = b.world ? seen_from(lode__body_frame(b.world, b.slot), frame) : frame;
    return LODE_OK;
}

/* ---- making and ending ---- */

/* Lets the pairs of two bodies be decided again; those of a moving body, which are few. */
static void refresh_pairs(lode__world *world, const lode__joint *joint)
{
    if (joint->body_b == LODE__NONE || (joint->flags & LODE__JOINT_COLLIDE_CONNECTED))
        return;
    uint32_t body = body_is_dynamic(world, joint->body_a) ? joint->body_a : joint->body_b;
    uint32_t shape = BODY(world, links, body)->first_shape;
    while (shape != LODE__NONE) {
        lode__collide_refresh(&world->collide, shape);
        shape = SHAPE(world, links, shape)->next_shape;
    }
}

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
        status = lode__check(r_finite(def->erp) && def->erp <= 1, function, "def.erp",
                             "must be within 0 and 1, or negative for the world's");
    if (!status)
        status = lode__check(r_finite(def->cfm), function, "def.cfm",
                             "must be finite; negative for the world's");
    return status;
}

static void fill(lode__world *world, uint32_t slot, const lode_joint_def *def, uint32_t body_a,
                 uint32_t body_b)
{
    *JOINT(world, joint, slot) = (lode__joint){
        .frame_a = def->frame_a,
        .frame_b = def->frame_b,
        .erp = def->erp,
        .cfm = def->cfm,
        .type = (uint32_t)def->type,
        .body_a = body_a,
        .body_b = body_b,
        .flags = def->collide_connected ? LODE__JOINT_COLLIDE_CONNECTED : 0,
    };
    *JOINT(world, anchors, slot) = (lode__joint_anchors){def->frame_a.position,
                                                         def->frame_b.position};
    *JOINT(world, user_data, slot) = def->user_data;
    lode__joint_derive_frames(world, slot);
    lode__joint_link(world, slot);
    refresh_pairs(world, JOINT(world, joint, slot));
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
        check_values(&checked, __func__))
        return (lode_joint){0};
    uint32_t slot = lode__pool_add(&w->joints);
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_joint){0};
    }
    fill(w, slot, &checked, a.slot, b.slot);
    return joint_handle(w, slot);
}

void lode__joint_remove(lode__world *world, uint32_t joint)
{
    lode__joint_unlink(world, joint);
    refresh_pairs(world, JOINT(world, joint, joint));
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

/* ---- what it is ---- */

bool lode_joint_is_valid(lode_joint joint)
{
    lode__object j;
    return lode__find_joint(&j, joint);
}

lode_joint_type lode_joint_get_type(lode_joint joint)
{
    lode__object j;
    if (lode__open_joint(&j, joint, __func__))
        return LODE_JOINT_BALL;
    return (lode_joint_type)JOINT(j.world, joint, j.slot)->type;
}

static lode_body joined_body(lode__object j, uint32_t side)
{
    uint32_t body = lode__joint_body(j.world, j.slot, side);
    return body == LODE__NONE ? (lode_body){0} : body_handle(j.world, body);
}

lode_body lode_joint_get_body_a(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? (lode_body){0} : joined_body(j, 0);
}

lode_body lode_joint_get_body_b(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? (lode_body){0} : joined_body(j, 1);
}

void *lode_joint_get_user_data(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? NULL : *JOINT(j.world, user_data, j.slot);
}

static lode_vec3 world_anchor(lode__object j, uint32_t side)
{
    const lode__joint *joint = JOINT(j.world, joint, j.slot);
    lode_vec3 local = side ? joint->frame_b.position : joint->frame_a.position;
    uint32_t body = lode__joint_body(j.world, j.slot, side);
    if (body == LODE__NONE)
        return local;
    const lode__pose *pose = BODY(j.world, pose, body);
    return v3_add(pose->position, q_rotate(pose->rotation, local));
}

lode_vec3 lode_joint_get_anchor_a(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero() : world_anchor(j, 0);
}

lode_vec3 lode_joint_get_anchor_b(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero() : world_anchor(j, 1);
}

lode_vec3 lode_joint_get_force(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero() : *JOINT(j.world, force, j.slot);
}
