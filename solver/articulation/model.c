/* model.c: see model.h. */
#include "solver/articulation/model.h"

#include "core/math.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

#define LINK(pools, component, slot) LODE__AT(link, (pools)->links, component, slot)
#define BODY(pools, component, slot) LODE__AT(body, (pools)->bodies, component, slot)
#define HEAD(pools, slot) LODE__AT(articulation, (pools)->articulations, head, slot)

/* ---- making */

/* Links whose parent is at `from` or behind it, level by level; each level in the order of
 * creation. A parent is created before its children. */
static void order_links(const lode__limb_pools *pools, uint32_t first, uint32_t count,
                        uint32_t *out)
{
    uint32_t at = 0;
    out[at++] = first;
    for (uint32_t from = 0; at < count; ++from)
        for (uint32_t l = first; l != LODE__NONE; l = LINK(pools, tie, l)->next)
            if (LINK(pools, tie, l)->parent == out[from])
                out[at++] = l;
    for (uint32_t i = 0; i < count; ++i)
        LINK(pools, tie, out[i])->index = i;
}

static uint8_t free_axes(const lode__link_axes *axes)
{
    uint8_t free = 0;
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        free |= (uint8_t)((axes->axis[k].motion != LODE_MOTION_LOCKED) << k);
    return free;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Where the parts of a model lie in its memory. */
typedef struct model_layout {
    size_t plan, links, dofs, given, asked, order, bytes;
} model_layout;

static model_layout lay_out(uint32_t links, uint32_t dofs)
{
    model_layout at = {.plan = aligned(sizeof(lode__model))};
    at.links = at.plan + aligned(lode__mb_plan_bytes(links, dofs));
    at.dofs = at.links + aligned(links * sizeof(lode__mb_link));
    at.given = at.dofs + aligned(dofs * sizeof(lode__mb_dof));
    at.asked = at.given + aligned(links * sizeof(lode__model_link));
    at.order = at.asked + aligned(dofs * sizeof(lode__model_dof));
    at.bytes = at.order + 2 * links * sizeof(uint32_t);
    return at;
}

size_t lode__model_bytes(uint32_t links, uint32_t dofs)
{
    return lay_out(links, dofs).bytes;
}

uint32_t lode__model_dofs(const lode__limb_pools *pools, uint32_t articulation)
{
    const lode__articulation_head *head = HEAD(pools, articulation);
    uint32_t dofs = head->flags & LODE__ARTICULATION_FIXED ? 0 : LODE__MB_ROOT_DOFS;
    for (uint32_t l = head->first_link; l != LODE__NONE; l = LINK(pools, tie, l)->next)
        if (LINK(pools, tie, l)->parent != LODE__NONE)
            dofs += (uint32_t)__builtin_popcount(free_axes(LINK(pools, axes, l)));
    return dofs;
}

static bool has_hands(const lode__limb_pools *pools, const lode__model *model)
{
    static const lode_real none[LODE_LINK_AXES];
    bool any = false;
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i)
        any = any || memcmp(LINK(pools, extra, model->link[i])->force, none, sizeof none) != 0;
    return any;
}

lode__model *lode__model_lay(const lode__limb_pools *pools, uint32_t articulation, void *memory)
{
    const lode__articulation_head *head = HEAD(pools, articulation);
    uint32_t count = head->link_count;
    model_layout at = lay_out(count, lode__model_dofs(pools, articulation));
    char *bytes = memory;
    memset(bytes, 0, at.bytes);
    lode__model *model = memory;
    /* the links' place holds their joints until there is a plan */
    lode__mb_joint *joints = (lode__mb_joint *)(void *)(bytes + at.links);
    _Static_assert(sizeof(lode__mb_joint) <= sizeof(lode__mb_link),
                   "joints lie in the links' place");
    model->bytes = at.bytes;
    model->given = (lode__model_link *)(void *)(bytes + at.given);
    model->asked = (lode__model_dof *)(void *)(bytes + at.asked);
    model->link = (uint32_t *)(void *)(bytes + at.order);
    model->bodies = model->link + count;
    order_links(pools, head->first_link, count, model->link);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t parent = LINK(pools, tie, model->link[i])->parent;
        joints[i] = (lode__mb_joint){
            .parent = i > 0 ? LINK(pools, tie, parent)->index : LODE__MB_NO_PARENT,
            .axes = free_axes(LINK(pools, axes, model->link[i])),
            .wraps = LINK(pools, tie, model->link[i])->type == LODE_LINK_REVOLUTE};
        model->bodies[i] = LINK(pools, tie, model->link[i])->body;
    }
    model->body = (lode__multibody){
        lode__mb_plan_make(bytes + at.plan, joints, count, head->flags & LODE__ARTICULATION_FIXED),
        (lode__mb_link *)(void *)(bytes + at.links), (lode__mb_dof *)(void *)(bytes + at.dofs)};
    memset(bytes + at.links, 0, count * sizeof(lode__mb_link));
    model->dozes = model->pushed = true;
    model->handed = has_hands(pools, model);
    lode__model_read(pools, model);
    return model;
}

lode__model *lode__model_make(const lode__limb_pools *pools, uint32_t articulation)
{
    void *memory = lode__alloc(lode__model_bytes(HEAD(pools, articulation)->link_count,
                                                 lode__model_dofs(pools, articulation)));
    return memory ? lode__model_lay(pools, articulation, memory) : NULL;
}

void lode__model_free(lode__model *model)
{
    if (!model)
        return;
    lode__free(model->scratch, model->scratch_bytes);
    lode__free(model, model->bytes);
}

/* ---- what stays */

static void read_link(const lode__limb_pools *pools, lode__model *model, uint32_t i)
{
    const lode__link_tie *tie = LINK(pools, tie, model->link[i]);
    const lode__link_joint *joint = LINK(pools, joint, model->link[i]);
    const lode__local_mass *local = BODY(pools, local, tie->body);
    lode__mb_link *out = &model->body.links[i];
    lode__model_link *given = &model->given[i];
    out->mass[0] = local->mass;
    memcpy(out->inertia, local->inertia, sizeof local->inertia);
    lode_vec3 parent_center = v3_zero();
    if (i > 0)
        parent_center = BODY(pools, local, LINK(pools, tie, tie->parent)->body)->center;
    mb_put3(out->anchor_p, v3_sub(joint->parent_frame.position, parent_center));
    mb_put4(out->frame_p, joint->parent_frame.rotation);
    mb_put3(out->anchor_c, v3_sub(joint->child_frame.position, local->center));
    mb_put4(out->frame_c, joint->child_frame.rotation);
    *given = (lode__model_link){.mass = local->mass,
                                .linear_damping = joint->linear_damping,
                                .angular_damping = joint->angular_damping};
    memcpy(given->inertia, out->inertia, sizeof given->inertia);
    memcpy(given->anchor_p, out->anchor_p, sizeof given->anchor_p);
    memcpy(given->frame_p, out->frame_p, sizeof given->frame_p);
    memcpy(given->anchor_c, out->anchor_c, sizeof given->anchor_c);
    memcpy(given->frame_c, out->frame_c, sizeof given->frame_c);
    model->rubs = model->rubs || joint->friction > 0;
}

/* Of an acceleration, of an envelope, or of several turns. */
static bool is_odd(const lode__mb_plan *plan, uint32_t k, const lode__link_axis *axis)
{
    return axis->drive != LODE_DRIVE_FORCE || axis->max_effort > 0 ||
           lode__mb_is_of_several(plan, k);
}

static void read_dof(const lode__limb_pools *pools, lode__model *model, uint32_t k)
{
    const lode__mb_plan *plan = model->body.plan;
    const lode__link_axis *axis =
        &LINK(pools, axes, model->link[plan->link_of_dof[k]])->axis[plan->axis[k]];
    bool limited = axis->motion == LODE_MOTION_LIMITED;
    model->body.dofs[k].more[0] = axis->armature;
    model->asked[k] = (lode__model_dof){.lo = limited ? axis->lo : -(lode_real)INFINITY,
                                        .hi = limited ? axis->hi : (lode_real)INFINITY,
                                        .max_velocity = axis->max_velocity,
                                        .armature = axis->armature};
    memcpy(model->asked[k].axis, model->body.dofs[k].axis, sizeof model->asked[k].axis);
    model->rubs = model->rubs || axis->static_friction > 0 || axis->viscous_friction > 0;
    model->stopped = model->stopped || limited;
    bool driven = axis->drive != LODE_DRIVE_NONE;
    model->driven = model->driven || driven;
    model->odd = model->odd || (driven && is_odd(plan, k, axis));
}

void lode__model_read(const lode__limb_pools *pools, lode__model *model)
{
    const lode__mb_plan *plan = model->body.plan;
    model->rubs = model->stopped = model->driven = model->odd = model->idle = false;
    ++model->reads;
    model->same = 0;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        read_link(pools, model, i);
    lode__mb_find_axes(&model->body);
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        read_dof(pools, model, k);
}

/* ---- what moves */

static void load_root(const lode__limb_pools *pools, lode__model *model)
{
    uint32_t body = LINK(pools, tie, model->link[0])->body;
    lode__mb_link *root = &model->body.links[0];
    mb_put4(root->turn, BODY(pools, pose, body)->rotation);
    mb_put3(root->slide, v3_zero());
    if (model->body.plan->root_dofs == 0)
        return;
    const lode__velocity *velocity = BODY(pools, velocity, body);
    const lode_real speeds[LODE__MB_ROOT_DOFS] = {velocity->linear.x,  velocity->linear.y,
                                                  velocity->linear.z,  velocity->angular.x,
                                                  velocity->angular.y, velocity->angular.z};
    for (int k = 0; k < LODE__MB_ROOT_DOFS; ++k)
        model->body.dofs[k].speed[0] = speeds[k];
}

static void load_dof(lode__mb_dof *dof, const lode__link_state *state, int axis)
{
    dof->position[0] = state->position[axis];
    dof->speed[0] = state->velocity[axis];
}

void lode__model_load(const lode__limb_pools *pools, lode__model *model)
{
    const lode__mb_plan *plan = model->body.plan;
    model->prepared = model->fresh = false;
    load_root(pools, model);
    for (uint32_t i = 1; i < plan->link_count; ++i) {
        const lode__link_state *state = LINK(pools, state, model->link[i]);
        mb_put4(model->body.links[i].turn, state->turn);
        mb_put3(model->body.links[i].slide, LINK(pools, extra, model->link[i])->slide);
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            load_dof(&model->body.dofs[k], state, plan->axis[k]);
    }
}

void lode__model_store(const lode__limb_pools *pools, lode__model *model, lode_vec3 root)
{
    const lode__mb_plan *plan = model->body.plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const lode__mb_link *link = &model->body.links[i];
        lode__link_state *state = LINK(pools, state, model->link[i]);
        uint32_t body = LINK(pools, tie, model->link[i])->body;
        *BODY(pools, pose, body) = (lode__pose){.position = v3_add(root, mb_v3(link->center)),
                                                .rotation = mb_q(link->rotation)};
        *BODY(pools, velocity, body) = (lode__velocity){.linear = mb_v3(link->v),
                                                        .angular = mb_v3(link->w)};
        if (i == 0)
            continue;
        state->turn = mb_q(link->turn);
        LINK(pools, extra, model->link[i])->slide = mb_v3(link->slide);
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            state->velocity[plan->axis[k]] = model->body.dofs[k].speed[0];
    }
}
