/* joint.c: joints of the ODE face: life, attaching, and what all types answer. */
#include "ode/joint.h"

#include "ode/memory.h"

#include <string.h>

/* --- lists */

/* Contacts come and go in each step, and are the newest as a rule. */
static bool is_other(dJointID joint)
{
    return joint->type != &lode__ode_contact;
}

/* The first of those among which this one is. */
static dJointID *first_in_world(dJointID joint)
{
    return is_other(joint) ? &joint->world->joints : &joint->world->contacts;
}

static void list_in_world(dJointID joint)
{
    dJointID *first = first_in_world(joint);
    joint->world->contact_count += !is_other(joint);
    joint->next = *first;
    if (joint->next)
        joint->next->last = joint;
    *first = joint;
}

static void unlist_from_world(dJointID joint)
{
    joint->world->contact_count -= !is_other(joint);
    if (joint->next)
        joint->next->last = joint->last;
    if (joint->last)
        joint->last->next = joint->next;
    else
        *first_in_world(joint) = joint->next;
    joint->next = joint->last = NULL;
}

/* The node by which a joint is in the list of this body. */
static lode__ode_node *node_of(dJointID joint, dBodyID body)
{
    return &joint->node[joint->node[0].body != body];
}

/* The first that is no contact, from `joint` on in the body's list. */
static dJointID other_from(dJointID joint, dBodyID body)
{
    while (joint && !is_other(joint))
        joint = node_of(joint, body)->next;
    return joint;
}

static void join_body(dJointID joint, int i, dBodyID body)
{
    lode__ode_node *node = &joint->node[i];
    node->body = body;
    if (!body)
        return;
    node->next = body->joints;
    if (node->next)
        node_of(node->next, body)->last = joint;
    body->joints = joint;
    if (is_other(joint))
        body->newest_other = joint;
    ++body->joint_count;
}

static void leave_body(dJointID joint, int i)
{
    lode__ode_node *node = &joint->node[i];
    dBodyID body = node->body;
    if (!body)
        return;
    if (joint == body->newest_other)
        body->newest_other = other_from(node->next, body);
    if (node->next)
        node_of(node->next, body)->last = node->last;
    if (node->last)
        node_of(node->last, body)->next = node->next;
    else
        body->joints = node->next;
    --body->joint_count;
    *node = (lode__ode_node){.body = NULL};
}

/* --- who is beside whom: what most callbacks ask first, without a walk */

static void stand_beside(dBodyID body, dBodyID other)
{
    if (body->beside_count < LODE__ODE_BESIDE)
        body->beside[body->beside_count] = other;
    ++body->beside_count;
}

/* Of a body that has few such joints again. */
static void list_beside(dBodyID body)
{
    body->beside_count = 0;
    for (dJointID joint = body->newest_other; joint; joint = node_of(joint, body)->next) {
        dBodyID other = joint->node[joint->node[0].body == body].body;
        if (is_other(joint) && other)
            stand_beside(body, other);
    }
}

/* After a joint between the two has gone. */
static void stand_apart(dBodyID body, dBodyID other)
{
    if (--body->beside_count == LODE__ODE_BESIDE)
        list_beside(body);
    for (int i = 0; i < body->beside_count && body->beside_count < LODE__ODE_BESIDE; ++i)
        if (body->beside[i] == other) {
            body->beside[i] = body->beside[body->beside_count];
            return;
        }
}

static bool is_beside(dBodyID body, dBodyID other)
{
    bool found = false;
    for (int i = 0; i < body->beside_count; ++i)
        found |= body->beside[i] == other;
    return found;
}

/* --- life */

dJointID lode__ode_joint_create(dWorldID world, dJointGroupID group,
                                const lode__ode_joint_type *type)
{
    if (!lode__ode_check(world != NULL, "dJointCreate", "world", "must not be null"))
        return NULL;
    dJointID joint = group ? lode__ode_group_take(group, type->size) : dAlloc(type->size);
    if (!lode__ode_check(joint != NULL, "dJointCreate", "memory", "is wanting"))
        return NULL;
    memset(joint, 0, type->describe ? type->size : sizeof *joint); /* others fill in the rest */
    joint->type = type;
    joint->world = world;
    joint->group = group;
    if (type->describe)
        lode__ode_limot_init(framed(joint));
    list_in_world(joint);
    return joint;
}

static void drop_handle(dJointID joint)
{
    if (joint->handle.id && lode_joint_is_valid(joint->handle))
        lode_joint_destroy(joint->handle);
    joint->handle = (lode_joint){0};
}

void lode__ode_joint_limbo(dJointID joint)
{
    dBodyID a = joint->node[0].body, b = joint->node[1].body;
    leave_body(joint, 0);
    leave_body(joint, 1);
    if (is_other(joint) && a && b) {
        stand_apart(a, b);
        stand_apart(b, a);
    }
    drop_handle(joint);
}

void lode__ode_joint_end(dJointID joint)
{
    if (!joint->world)
        return;
    lode__ode_joint_limbo(joint);
    unlist_from_world(joint);
    joint->world = NULL;
}

/* One of a group goes with its group. */
void dJointDestroy(dJointID joint)
{
    if (!CHECK_GIVEN(joint) || joint->group)
        return;
    size_t size = joint->type->size;
    lode__ode_joint_end(joint);
    dFree(joint, size);
}

/* --- attaching */

void dJointAttach(dJointID joint, dBodyID body1, dBodyID body2)
{
    if (!CHECK_GIVEN(joint) ||
        !CHECK(!body1 || body1 != body2, "body1, body2", "must not be the same body") ||
        !CHECK(!joint->type->joins_two || !body1 == !body2, "body1, body2", "must be two bodies") ||
        !CHECK(!body1 || body1->world == joint->world, "body1", "must be of the joint's world") ||
        !CHECK(!body2 || body2->world == joint->world, "body2", "must be of the joint's world"))
        return;
    lode__ode_joint_limbo(joint);
    joint->reversed = !body1 && body2;
    join_body(joint, 0, joint->reversed ? body2 : body1);
    join_body(joint, 1, joint->reversed ? NULL : body2);
    if (is_other(joint) && body1 && body2) {
        stand_beside(body1, body2);
        stand_beside(body2, body1);
    }
    joint->moved_frames = true;
    if (joint->node[0].body && joint->type->attached)
        joint->type->attached(framed(joint));
}

dBodyID dJointGetBody(dJointID joint, int index)
{
    if (!CHECK_GIVEN(joint) || index < 0 || index > 1)
        return NULL;
    return joint->node[index ^ joint->reversed].body;
}

int dJointGetNumBodies(dJointID joint)
{
    return CHECK_GIVEN(joint) ? (joint->node[0].body != NULL) + (joint->node[1].body != NULL) : 0;
}

/* --- what all answer */

dJointType dJointGetType(dJointID joint)
{
    return CHECK_GIVEN(joint) ? joint->type->type : dJointTypeNone;
}

void dJointSetData(dJointID joint, void *data)
{
    if (CHECK_GIVEN(joint))
        joint->data = data;
}

void *dJointGetData(dJointID joint)
{
    return CHECK_GIVEN(joint) ? joint->data : NULL;
}

void dJointEnable(dJointID joint)
{
    if (!CHECK_GIVEN(joint))
        return;
    joint->disabled = false;
    joint->changed = true;
}

void dJointDisable(dJointID joint)
{
    if (!CHECK_GIVEN(joint))
        return;
    joint->disabled = true;
    joint->changed = true;
}

int dJointIsEnabled(dJointID joint)
{
    return CHECK_GIVEN(joint) && !joint->disabled;
}

void dJointSetFeedback(dJointID joint, dJointFeedback *feedback)
{
    if (CHECK_GIVEN(joint))
        joint->feedback = feedback;
}

dJointFeedback *dJointGetFeedback(dJointID joint)
{
    return CHECK_GIVEN(joint) ? joint->feedback : NULL;
}

bool lode__ode_joint_is(dJointID joint, const lode__ode_joint_type *type, const char *function)
{
    return lode__ode_check(joint != NULL, function, "joint", "must not be null") &&
           lode__ode_check(joint->type == type, function, "joint", "is of another type");
}

/* --- of bodies */

int dBodyGetNumJoints(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->joint_count : 0;
}

dJointID dBodyGetJoint(dBodyID body, int index)
{
    if (!CHECK_GIVEN(body))
        return NULL;
    dJointID joint = body->joints;
    for (int i = 0; joint && i < index; ++i)
        joint = node_of(joint, body)->next;
    return index < 0 ? NULL : joint;
}

/* The next joint of the two from `joint` on, or null. */
static dJointID next_between(dJointID joint, dBodyID a, dBodyID b)
{
    while (joint && joint->node[0].body != b && joint->node[1].body != b)
        joint = node_of(joint, a)->next;
    return joint;
}

dJointID dConnectingJoint(dBodyID body1, dBodyID body2)
{
    if (!CHECK(body1 || body2, "body1, body2", "must not both be null"))
        return NULL;
    return body1 ? next_between(body1->joints, body1, body2)
                 : next_between(body2->joints, body2, body1);
}

int dConnectingJointList(dBodyID body1, dBodyID body2, dJointID *out_list)
{
    if (!CHECK(body1 || body2, "body1, body2", "must not both be null") || !CHECK_GIVEN(out_list))
        return 0;
    dBodyID a = body1 ? body1 : body2, b = body1 ? body2 : body1;
    int count = 0;
    for (dJointID joint = next_between(a->joints, a, b); joint;
         joint = next_between(node_of(joint, a)->next, a, b))
        out_list[count++] = joint;
    return count;
}

int dAreConnected(dBodyID body1, dBodyID body2)
{
    return dAreConnectedExcluding(body1, body2, dJointTypeNone);
}

int dAreConnectedExcluding(dBodyID body1, dBodyID body2, int joint_type)
{
    if (!CHECK_GIVEN(body1) || !CHECK_GIVEN(body2))
        return 0;
    dBodyID a = body1->joint_count <= body2->joint_count ? body1 : body2;
    dBodyID b = a == body1 ? body2 : body1;
    bool skips_contacts = joint_type == dJointTypeContact;
    if (skips_contacts && a->beside_count <= LODE__ODE_BESIDE)
        return is_beside(a, b);
    if (skips_contacts && b->beside_count <= LODE__ODE_BESIDE)
        return is_beside(b, a);
    dJointID joint = next_between(skips_contacts ? a->newest_other : a->joints, a, b);
    while (joint && (int)joint->type->type == joint_type)
        joint = next_between(node_of(joint, a)->next, a, b);
    return joint != NULL;
}

/* --- a joint that holds nothing */

const lode__ode_joint_type lode__ode_null = {
    .type = dJointTypeNull, .name = "null", .size = sizeof(struct dxJoint)};

dJointID dJointCreateNull(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_null);
}
