/* edges.c: which joints hang on which bodies.
 *
 * Each joint hangs in the lists of both its bodies by an edge, slot * 2 + side. Lists run from the
 * highest edge down, so that walks depend on what lives alone, and are linked both ways, so that
 * one of very many leaves without a walk. A joint to the world has one edge, one in limbo none; one
 * over many bodies hangs on them by the edges of all its records. How many joints there are between
 * two bodies is counted beside that (joined.h).
 *
 * Anchors are kept in the bodies' own frames. The solver wants them from the centres of mass:
 * frame_a and frame_b are derived, and derived again when a centre of mass moves. */
#include "world/edges.h"

#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "world/aggregate.h"

uint32_t lode__joint_body(const lode__world *world, uint32_t joint, uint32_t side)
{
    const lode__joint *record = JOINT(world, joint, joint);
    return side ? record->body_b : record->body_a;
}

static uint32_t joint_body(const lode__world *world, uint32_t edge)
{
    return lode__joint_body(world, edge >> 1, edge & 1);
}

static uint32_t *next_edge(const lode__world *world, uint32_t edge)
{
    return &JOINT(world, links, edge >> 1)->next_edge[edge & 1];
}

uint32_t lode__next_edge(const lode__world *world, uint32_t edge)
{
    return *next_edge(world, edge);
}

static uint32_t *last_edge(const lode__world *world, uint32_t edge)
{
    return &JOINT(world, links, edge >> 1)->last_edge[edge & 1];
}

/* Puts `edge` behind `last` in the list of a body; behind LODE__NO_EDGE: at its head. */
static void set_next(lode__world *world, uint32_t body, uint32_t last, uint32_t edge)
{
    if (last == LODE__NO_EDGE)
        BODY(world, links, body)->first_edge = edge;
    else
        *next_edge(world, last) = edge;
    if (edge != LODE__NO_EDGE)
        *last_edge(world, edge) = last;
}

static void link_edge(lode__world *world, uint32_t edge)
{
    uint32_t body = joint_body(world, edge), last = LODE__NO_EDGE;
    if (body == LODE__NONE)
        return;
    uint32_t next = BODY(world, links, body)->first_edge;
    while (next != LODE__NO_EDGE && next > edge) {
        last = next;
        next = *next_edge(world, next);
    }
    set_next(world, body, edge, next);
    set_next(world, body, last, edge);
}

static void unlink_edge(lode__world *world, uint32_t edge)
{
    uint32_t body = joint_body(world, edge);
    if (body != LODE__NONE)
        set_next(world, body, *last_edge(world, edge), *next_edge(world, edge));
}

static lode__joined_by joined_by(const lode__world *world, uint32_t slot)
{
    const lode__joint *joint = JOINT(world, joint, slot);
    return (lode__joined_by){joint->body_a, joint->body_b, joint->type,
                             !(joint->flags & LODE__JOINT_COLLIDE_CONNECTED)};
}

uint32_t lode__joint_of_edge(const lode__world *world, uint32_t edge)
{
    return JOINT(world, arm, edge >> 1)->head;
}

uint32_t lode__next_record(const lode__world *world, uint32_t record)
{
    return JOINT(world, arm, record)->next;
}

void lode__joint_link(lode__world *world, uint32_t joint)
{
    const lode__joint *record = JOINT(world, joint, joint);
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at)) {
        link_edge(world, at * 2);
        link_edge(world, at * 2 + 1);
    }
    if (!joint_in_limbo(record) && !joint_is_linkage(record))
        lode__joined_add(&world->joined, joined_by(world, joint));
}

void lode__joint_unlink(lode__world *world, uint32_t joint)
{
    const lode__joint *record = JOINT(world, joint, joint);
    for (uint32_t at = joint; at != LODE__NONE; at = lode__next_record(world, at)) {
        unlink_edge(world, at * 2);
        unlink_edge(world, at * 2 + 1);
    }
    if (!joint_in_limbo(record) && !joint_is_linkage(record))
        lode__joined_remove(&world->joined, joined_by(world, joint));
}

void lode__joint_forbid(lode__world *world, uint32_t slot, bool forbids)
{
    lode__joint *joint = JOINT(world, joint, slot);
    bool linked = !joint_in_limbo(joint);
    if (linked)
        lode__joined_remove(&world->joined, joined_by(world, slot));
    joint->flags &= ~(uint32_t)LODE__JOINT_COLLIDE_CONNECTED;
    joint->flags |= forbids ? 0 : LODE__JOINT_COLLIDE_CONNECTED;
    if (linked)
        lode__joined_add(&world->joined, joined_by(world, slot));
}

bool lode__bodies_may_touch(const void *context, uint32_t body_a, uint32_t body_b)
{
    const lode__world *world = context;
    return lode__aggregates_let_touch(world, body_a, body_b) &&
           !lode__joined_forbid(&world->joined, body_a, body_b) &&
           (!lode__body_is_link(world, body_a) || !lode__body_is_link(world, body_b) ||
            lode__links_let_touch(world, body_a, body_b));
}

/* An anchor from the centre of mass of the body it is on. */
static lode_vec3 from_center(const lode__world *world, uint32_t body, lode_vec3 anchor)
{
    return body == LODE__NONE ? anchor : v3_sub(anchor, BODY(world, local, body)->center);
}

void lode__joint_derive_frames(lode__world *world, uint32_t slot)
{
    lode__joint *joint = JOINT(world, joint, slot);
    if (joint_is_linkage(joint))
        return;
    const lode__joint_anchors *anchors = JOINT(world, anchors, slot);
    joint->frame_a.position = from_center(world, joint->body_a, anchors->a);
    joint->frame_b.position = from_center(world, joint->body_b, anchors->b);
}

void lode__joints_recenter(lode__world *world, uint32_t body)
{
    uint32_t edge = BODY(world, links, body)->first_edge;
    for (; edge != LODE__NO_EDGE; edge = *next_edge(world, edge))
        lode__joint_derive_frames(world, edge >> 1);
}
