/* link.c: links of articulations: making them, and what their joints are. Where joints stand is in
 * articulation_motion.c. */
#include <math.h>

#include "core/math.h"
#include "lode/sleep.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/shape.h"
#include "world/sleep.h"
#include "world/wake.h"

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

static lode_status check_frame(lode_pose *frame, const char *function, const char *argument)
{
    lode_status status = lode__check_unit(&frame->rotation, function, argument);
    return status ? status : lode__check_arm(frame->position, function, argument);
}

static lode_status check_joint(lode_link_def *def, const char *function)
{
    lode_status status = lode__check((unsigned)def->type < LODE_LINK_JOINT_TYPE_COUNT, function,
                                     "def.type", "must be one of lode_link_joint_type");
    if (!status)
        status = check_frame(&def->parent_frame, function, "def.parent_frame");
    if (!status)
        status = check_frame(&def->child_frame, function, "def.child_frame");
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

static lode_status check_def(lode_link_def *def, const char *function)
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

/* The parent's link, which must be of the articulation; LODE__NONE for the first. */
static lode_status find_parent(const lode__object *a, lode_body parent, uint32_t *out,
                               const char *function)
{
    lode__object p;
    bool first = ARTICULATION(a->world, head, a->slot)->link_count == 0;
    *out = LODE__NONE;
    if (!parent.id)
        return lode__check(first, function, "def.parent",
                           "is null, but the articulation has a root already");
    lode_status status = lode__open_member(&p, a->world, parent, function, "def.parent");
    if (status)
        return status;
    *out = *BODY(a->world, link, p.slot) - 1;
    return lode__check(*BODY(a->world, link, p.slot) > 0 &&
                           LINK(a->world, tie, *out)->articulation == a->slot,
                       function, "def.parent", "is no link of this articulation");
}

/* ---- making */

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

static void fill(lode__world *world, uint32_t link, const lode_link_def *def)
{
    *LINK(world, joint, link) = (lode__link_joint){.parent_frame = def->parent_frame,
                                                   .child_frame = def->child_frame,
                                                   .friction = def->friction_coefficient,
                                                   .cfm_scale = def->cfm_scale,
                                                   .linear_damping = def->linear_damping,
                                                   .angular_damping = def->angular_damping};
    lode__link_state *state = LINK(world, state, link);
    for (int k = 0; k < LODE_LINK_AXES; ++k) {
        bool free = def->axis[k].motion != LODE_MOTION_LOCKED;
        lode__link_put_axis(&LINK(world, axes, link)->axis[k], &def->axis[k]);
        state->position[k] = free ? def->axis[k].position : 0;
        state->velocity[k] = free ? def->axis[k].velocity : 0;
    }
    lode__link_place(world, link);
}

/* Behind the last one. */
static void append(lode__world *world, uint32_t articulation, uint32_t link)
{
    lode__articulation_head *head = ARTICULATION(world, head, articulation);
    uint32_t *at = &head->first_link;
    uint32_t order = 0;
    while (*at != LODE__NONE) {
        order = LINK(world, tie, *at)->order + 1;
        at = &LINK(world, tie, *at)->next;
    }
    *at = link;
    LINK(world, tie, link)->order = order;
    LINK(world, tie, link)->next = LODE__NONE;
    ++head->link_count;
    ++head->structure;
}

lode_body lode_articulation_add_link(lode_articulation articulation, const lode_link_def *def)
{
    static const lode_body none = {0};
    lode__object a, b;
    lode_link_def checked;
    uint32_t parent;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check_inserted(a.world, a.slot, false, __func__) ||
        lode__check_not_null(def, __func__, "def"))
        return none;
    checked = *def;
    if (check_def(&checked, __func__) || find_parent(&a, def->parent, &parent, __func__))
        return none;
    if (!lode__pool_reserve(&a.world->links, 1)) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return none;
    }
    bool moves = parent == LODE__NONE &&
                 !(ARTICULATION(a.world, head, a.slot)->flags & LODE__ARTICULATION_FIXED);
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = checked.pose.position;
    body_def.rotation = checked.pose.rotation;
    body_def.linear_velocity = moves ? checked.linear_velocity : v3_zero();
    body_def.angular_velocity = moves ? checked.angular_velocity : v3_zero();
    body_def.max_linear_speed = checked.max_linear_speed;
    body_def.max_angular_speed = checked.max_angular_speed;
    body_def.gravity_scale = checked.gravity_scale;
    lode_sleep sleep = lode_sleep_default(); /* links count by their articulation's rule */
    sleep.enabled = true;
    body_def.sleep = &sleep;
    static const lode_damping undamped = {0}; /* links have their own, as a force */
    body_def.damping = &undamped;
    body_def.name = checked.name;
    body_def.user_data = checked.user_data;
    lode_body body = lode_body_create((lode_world){a.world->id}, &body_def);
    if (!lode__find_body(&b, body))
        return none;
    uint32_t link = lode__pool_add(&a.world->links);
    lode__body_set_awake(a.world, b.slot, false);
    lode__body_flag(a.world, b.slot, LODE__BODY_LINK | LODE__BODY_HELD, true);
    *BODY(a.world, link, b.slot) = link + 1;
    *BODY(a.world, aggregate, b.slot) = *ARTICULATION(a.world, aggregate, a.slot);
    *LINK(a.world, tie, link) = (lode__link_tie){
        .body = b.slot, .articulation = a.slot, .parent = parent, .type = checked.type};
    append(a.world, a.slot, link);
    fill(a.world, link, &checked);
    return body;
}

/* ---- what a link is */

int lode_link_get_index(lode_body link)
{
    lode__object l;
    if (lode__open_link(&l, link, __func__))
        return -1;
    const lode__link_tie *tie = LINK(l.world, tie, l.slot);
    return articulation_is_inserted(l.world, tie->articulation) ? (int)tie->index : -1;
}

lode_body lode_link_get_parent(lode_body link)
{
    lode__object l;
    if (lode__open_link(&l, link, __func__))
        return (lode_body){0};
    uint32_t parent = LINK(l.world, tie, l.slot)->parent;
    return parent == LODE__NONE ? (lode_body){0}
                                : body_handle(l.world, LINK(l.world, tie, parent)->body);
}

/* The plan of an inserted link's articulation, or null. */
static const lode__mb_plan *plan_of(lode__object l)
{
    const lode__model *model = *ARTICULATION(l.world, model,
                                             LINK(l.world, tie, l.slot)->articulation);
    return model ? model->body.plan : NULL;
}

int lode_link_get_first_dof(lode_body link)
{
    lode__object l;
    if (lode__open_link(&l, link, __func__) || !plan_of(l))
        return -1;
    const lode__mb_plan *plan = plan_of(l);
    uint32_t i = LINK(l.world, tie, l.slot)->index;
    bool has = i > 0 && plan->first_dof[i] < plan->first_dof[i + 1];
    return has ? (int)(plan->first_dof[i] - plan->root_dofs) : -1;
}

int lode_link_count_dofs(lode_body link)
{
    lode__object l;
    int count = 0;
    if (lode__open_link(&l, link, __func__) || LINK(l.world, tie, l.slot)->parent == LODE__NONE)
        return 0;
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        count += LINK(l.world, axes, l.slot)->axis[k].motion != LODE_MOTION_LOCKED;
    return count;
}

lode_link_joint_type lode_link_get_type(lode_body link)
{
    lode__object l;
    return lode__open_link(&l, link, __func__)
               ? LODE_LINK_FIXED
               : (lode_link_joint_type)LINK(l.world, tie, l.slot)->type;
}

/* What changes the structure is done outside the simulation. */
static lode_status open_outside(lode__object *out, lode_body link, const char *function)
{
    lode_status status = lode__open_link(out, link, function);
    return status ? status
                  : lode__check_inserted(out->world, LINK(out->world, tie, out->slot)->articulation,
                                         false, function);
}

/* All motions become those of a new joint of the type; positions and velocities 0. */
lode_status lode_link_set_type(lode_body link, lode_link_joint_type type)
{
    lode__object l;
    lode_status status = open_outside(&l, link, __func__);
    if (!status)
        status = lode__check((unsigned)type < LODE_LINK_JOINT_TYPE_COUNT, __func__, "type",
                             "must be one of lode_link_joint_type");
    if (status)
        return status;
    lode_link_def def = lode_link_def_default(type);
    lode__link_state *state = LINK(l.world, state, l.slot);
    LINK(l.world, tie, l.slot)->type = type;
    ++ARTICULATION(l.world, head, LINK(l.world, tie, l.slot)->articulation)->structure;
    for (int k = 0; k < LODE_LINK_AXES; ++k) {
        LINK(l.world, axes, l.slot)->axis[k].motion = def.axis[k].motion;
        state->position[k] = state->velocity[k] = 0;
    }
    lode__link_place(l.world, l.slot);
    return LODE_OK;
}

lode_pose lode_link_get_parent_frame(lode_body link)
{
    lode__object l;
    return lode__open_link(&l, link, __func__) ? (lode_pose){.rotation = q_identity()}
                                               : LINK(l.world, joint, l.slot)->parent_frame;
}

lode_pose lode_link_get_child_frame(lode_body link)
{
    lode__object l;
    return lode__open_link(&l, link, __func__) ? (lode_pose){.rotation = q_identity()}
                                               : LINK(l.world, joint, l.slot)->child_frame;
}

static lode_status set_frame(lode_body link, lode_pose frame, bool child, const char *function)
{
    lode__object l;
    lode_status status = open_outside(&l, link, function);
    if (!status)
        status = check_frame(&frame, function, "frame");
    if (status)
        return status;
    lode__link_joint *joint = LINK(l.world, joint, l.slot);
    *(child ? &joint->child_frame : &joint->parent_frame) = frame;
    return LODE_OK;
}

lode_status lode_link_set_parent_frame(lode_body link, lode_pose frame)
{
    return set_frame(link, frame, false, __func__);
}

lode_status lode_link_set_child_frame(lode_body link, lode_pose frame)
{
    return set_frame(link, frame, true, __func__);
}

lode_real lode_link_get_friction_coefficient(lode_body link)
{
    lode__object l;
    return lode__open_link(&l, link, __func__) ? 0 : LINK(l.world, joint, l.slot)->friction;
}

lode_status lode_link_set_friction_coefficient(lode_body link, lode_real coefficient)
{
    lode__object l;
    lode_status status = lode__open_link(&l, link, __func__);
    if (!status)
        status = lode__check(is_at_least(coefficient, 0), __func__, "coefficient",
                             "must be at least 0 and finite");
    if (status)
        return status;
    LINK(l.world, joint, l.slot)->friction = coefficient;
    lode__link_changed(l.world, l.slot);
    return LODE_OK;
}

lode_real lode_link_get_cfm_scale(lode_body link)
{
    lode__object l;
    return lode__open_link(&l, link, __func__) ? 0 : LINK(l.world, joint, l.slot)->cfm_scale;
}

lode_status lode_link_set_cfm_scale(lode_body link, lode_real scale)
{
    lode__object l;
    lode_status status = lode__open_link(&l, link, __func__);
    if (!status)
        status = lode__check(is_within(scale, 0, 1), __func__, "scale", "must be 0..1");
    if (!status)
        LINK(l.world, joint, l.slot)->cfm_scale = scale;
    return status;
}

lode_status lode_link_get_damping(lode_body link, lode_real *out_linear, lode_real *out_angular)
{
    lode__object l;
    lode_status status = lode__open_link(&l, link, __func__);
    if (!status)
        status = lode__check_not_null(out_linear, __func__, "out_linear");
    if (!status)
        status = lode__check_not_null(out_angular, __func__, "out_angular");
    if (status)
        return status;
    *out_linear = LINK(l.world, joint, l.slot)->linear_damping;
    *out_angular = LINK(l.world, joint, l.slot)->angular_damping;
    return LODE_OK;
}

lode_status lode_link_set_damping(lode_body link, lode_real linear, lode_real angular)
{
    lode__object l;
    lode_status status = lode__open_link(&l, link, __func__);
    if (!status)
        status = lode__check(is_at_least(linear, 0), __func__, "linear",
                             "must be at least 0 and finite");
    if (!status)
        status = lode__check(is_at_least(angular, 0), __func__, "angular",
                             "must be at least 0 and finite");
    if (status)
        return status;
    LINK(l.world, joint, l.slot)->linear_damping = linear;
    LINK(l.world, joint, l.slot)->angular_damping = angular;
    lode__link_changed(l.world, l.slot);
    return LODE_OK;
}
