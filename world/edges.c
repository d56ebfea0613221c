/* edges.c: which joints hang on which bodies.
 *
 * Each joint hangs in the lists of both its bodies by an edge, slot * 2 + side; lists run from the
 * highest edge down, so that walks depend on what lives alone. A joint to the world has one edge.
 *
 * Anchors are kept in the bodies' own frames. The solver wants them from the centres of mass:
 * frame_a and frame_b are derived, and derived again when a centre of mass moves. */
#include "world/edges.h"

#include "core/math.h"

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

/* Where the edge is, or would be, linked from. */
static uint32_t *link_to(const lode__world *world, uint32_t edge)
{
    uint32_t *link = &BODY(world, links, joint_body(world, edge))->first_edge;
    while (*link != LODE__NO_EDGE && *link > edge)
        link = next_edge(world, *link);
    return link;
}

static void link_edge(lode__world *world, uint32_t edge)
{
    if (joint_body(world, edge) == LODE__NONE)
        return;
    uint32_t *link = link_to(world, edge);
    *next_edge(world, edge) = *link;
    *link = edge;
}

static void unlink_edge(lode__world *world, uint32_t edge)
{
    if (joint_body(world, edge) != LODE__NONE)
        *link_to(world, edge) = *next_edge(world, edge);
}

void lode__joint_link(lode__world *world, uint32_t joint)
{
    link_edge(world, joint * 2);
    link_edge(world, joint * 2 + 1);
}

void lode__joint_unlink(lode__world *world, uint32_t joint)
{
    unlink_edge(world, joint * 2);
    unlink_edge(world, joint * 2 + 1);
}

static bool forbids(const lode__world *world, uint32_t edge, uint32_t other)
{
    return joint_body(world, edge ^ 1) == other &&
           !(JOINT(world, joint, edge >> 1)->flags & LODE__JOINT_COLLIDE_CONNECTED);
}

/* Walks both bodies' lists side by side: the shorter one decides how long that takes. */
bool lode__joints_let_touch(const void *context, uint32_t body_a, uint32_t body_b)
{
    const lode__world *world = context;
    uint32_t a = BODY(world, links, body_a)->first_edge;
    uint32_t b = BODY(world, links, body_b)->first_edge;
    while (a != LODE__NO_EDGE && b != LODE__NO_EDGE) {
        if (forbids(world, a, body_b) || forbids(world, b, body_a))
            return false;
        a = *next_edge(world, a);
        b = *next_edge(world, b);
    }
    return true;
}

void lode__joint_derive_frames(lode__world *world, uint32_t slot)
{
    lode__joint *joint = JOINT(world, joint, slot);
    const lode__joint_anchors *anchors = JOINT(world, anchors, slot);
    joint->frame_a.position = v3_sub(anchors->a, BODY(world, local, joint->body_a)->center);
    joint->frame_b.position = anchors->b;
    if (joint->body_b != LODE__NONE)
        joint->frame_b.position = v3_sub(anchors->b, BODY(world, local, joint->body_b)->center);
}

void lode__joints_recenter(lode__world *world, uint32_t body)
{
    uint32_t edge = BODY(world, links, body)->first_edge;
    for (; edge != LODE__NO_EDGE; edge = *next_edge(world, edge))
        lode__joint_derive_frames(world, edge >> 1);
}
