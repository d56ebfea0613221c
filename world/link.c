/* link.c: links of articulations: making them, and what their joints are. What a definition may say
 * is in link_def.c, where joints stand in link_motion.c. */
#include "core/math.h"
#include "lode/sleep.h"
#include "world/articulation.h"
#include "world/check.h"
#include "world/wake.h"

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
    if (lode__link_check_def(&checked, __func__) || find_parent(&a, def->parent, &parent, __func__))
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
        status = lode__link_check_frame(&frame, function, "frame");
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
