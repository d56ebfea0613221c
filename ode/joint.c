/* joint.c: joints of the ODE face: life, attaching, and what all types answer. */
#include "ode/joint.h"

#include "ode/slabs.h"

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

/* Which of a body's lists it is in. */
static int list_of(dJointID joint)
{
    return is_other(joint) ? LODE__ODE_OTHERS : LODE__ODE_CONTACTS;
}

/* The list of a body that a joint is about to be put in: without what has ended. */
static int list_to_fill(dJointID joint, dBodyID body)
{
    const int list = list_of(joint);
    if (!lode__ode_list_counts(body, list)) {
        body->contact_epoch = body->world->contact_epoch;
        body->lists[list] = NULL;
        body->joint_counts[list] = 0;
    }
    return list;
}

/* The node by which a joint is in the list of this body. */
static lode__ode_node *node_of(dJointID joint, dBodyID body)
{
    return &joint->node[joint->node[0].body != body];
}

static void join_body(dJointID joint, int i, dBodyID body)
{
    lode__ode_node *node = &joint->node[i];
    node->body = body;
    if (!body)
        return;
    const int list = list_to_fill(joint, body);
    node->next = body->lists[list];
    if (node->next)
        node_of(node->next, body)->last = joint;
    body->lists[list] = joint;
    ++body->joint_counts[list];
}

static void leave_body(dJointID joint, int i)
{
    lode__ode_node *node = &joint->node[i];
    dBodyID body = node->body;
    if (!body)
        return;
    if (node->next)
        node_of(node->next, body)->last = node->last;
    if (node->last)
        node_of(node->last, body)->next = node->next;
    else
        body->lists[list_of(joint)] = node->next;
    --body->joint_counts[list_of(joint)];
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
    dJointID joint = body->lists[LODE__ODE_OTHERS];
    for (; joint; joint = node_of(joint, body)->next) {
        dBodyID other = joint->node[joint->node[0].body == body].body;
        if (other)
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
    return lode__ode_joint_create_in(world, group, type, type->size);
}

dJointID lode__ode_joint_create_in(dWorldID world, dJointGroupID group,
                                   const lode__ode_joint_type *type, size_t size)
{
    if (!lode__ode_check(world != NULL, "dJointCreate", "world", "must not be null"))
        return NULL;
    dJointID joint = group ? lode__ode_group_take(group, size) : lode__ode_slab_take(size);
    if (!lode__ode_check(joint != NULL, "dJointCreate", "memory", "is wanting"))
        return NULL;
    memset(joint, 0, type->describe ? type->size : sizeof *joint); /* others fill in the rest */
    joint->type = type;
    joint->world = world;
    joint->group = group;
    if (type->describe)
        lode__ode_limot_init(framed(joint));
    list_in_world(joint);
    if (group)
        lode__ode_group_joined(group, joint);
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
    if (joint->group)
        lode__ode_group_left(joint->group);
}

void lode__ode_contacts_end(dWorldID world)
{
    world->contacts = NULL;
    world->contact_count = 0;
    ++world->contact_epoch;
}

/* One of a group goes with its group. */
void dJointDestroy(dJointID joint)
{
    if (!CHECK_GIVEN(joint) || joint->group)
        return;
    size_t size = joint->type->size;
    lode__ode_joint_end(joint);
    lode__ode_slab_give(joint, size);
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
    joint->sequence = joint->world->attached++;
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

static int joint_count(dBodyID body)
{
    int count = 0;
    for (int i = 0; i < LODE__ODE_LISTS; ++i)
        count += lode__ode_list_counts(body, i) ? body->joint_counts[i] : 0;
    return count;
}

int dBodyGetNumJoints(dBodyID body)
{
    return CHECK_GIVEN(body) ? joint_count(body) : 0;
}

/* A body's joints, the newest first: of both lists, or of one alone. */
typedef struct joint_walk {
    dBodyID body;
    dJointID at[LODE__ODE_LISTS];
} joint_walk;

static joint_walk walk_of(dBodyID body)
{
    return (joint_walk){body, {lode__ode_first_joint(body, 0), lode__ode_first_joint(body, 1)}};
}

static dJointID next_of(joint_walk *walk)
{
    dJointID other = walk->at[LODE__ODE_OTHERS], contact = walk->at[LODE__ODE_CONTACTS];
    bool takes_contact = contact && (!other || contact->sequence > other->sequence);
    dJointID joint = takes_contact ? contact : other;
    if (joint)
        walk->at[takes_contact] = node_of(joint, walk->body)->next;
    return joint;
}

dJointID dBodyGetJoint(dBodyID body, int index)
{
    if (!CHECK_GIVEN(body) || index < 0)
        return NULL;
    joint_walk walk = walk_of(body);
    dJointID joint = next_of(&walk);
    for (int i = 0; joint && i < index; ++i)
        joint = next_of(&walk);
    return joint;
}

/* The next joint to that body, or null. */
static dJointID next_to(joint_walk *walk, dBodyID b)
{
    dJointID joint = next_of(walk);
    while (joint && joint->node[0].body != b && joint->node[1].body != b)
        joint = next_of(walk);
    return joint;
}

dJointID dConnectingJoint(dBodyID body1, dBodyID body2)
{
    if (!CHECK(body1 || body2, "body1, body2", "must not both be null"))
        return NULL;
    joint_walk walk = walk_of(body1 ? body1 : body2);
    return next_to(&walk, body1 ? body2 : body1);
}

int dConnectingJointList(dBodyID body1, dBodyID body2, dJointID *out_list)
{
    if (!CHECK(body1 || body2, "body1, body2", "must not both be null") || !CHECK_GIVEN(out_list))
        return 0;
    joint_walk walk = walk_of(body1 ? body1 : body2);
    int count = 0;
    for (dJointID joint; (joint = next_to(&walk, body1 ? body2 : body1));)
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
    const bool others_only = joint_type == dJointTypeContact;
    if (others_only && body1->beside_count <= LODE__ODE_BESIDE)
        return is_beside(body1, body2);
    if (others_only && body2->beside_count <= LODE__ODE_BESIDE)
        return is_beside(body2, body1);
    dBodyID a = joint_count(body1) <= joint_count(body2) ? body1 : body2;
    dBodyID b = a == body1 ? body2 : body1;
    joint_walk walk = walk_of(a);
    if (others_only)
        walk.at[LODE__ODE_CONTACTS] = NULL;
    dJointID joint = next_to(&walk, b);
    while (joint && (int)joint->type->type == joint_type)
        joint = next_to(&walk, b);
    return joint != NULL;
}

/* --- a joint that holds nothing */

const lode__ode_joint_type lode__ode_null = {
    .type = dJointTypeNull, .name = "null", .size = sizeof(struct dxJoint)};

dJointID dJointCreateNull(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_null);
}
