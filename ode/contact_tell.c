/* contact_tell.c: what contact joints exerted, for those that have feedback.
 *
 * A joint was one point among those that the world was given. Which, its bodies and its place tell:
 * points are kept from where body a was when the step began, which is noted before it does, and
 * list by pair. Of several in one place each joint has the next. */
#include "ode/joint.h"
#include "ode/working_memory.h"

#include "lode/contact.h"

#include <string.h>

/* The world's contacts: in its own list they have their pairs and places, in the copy, in the same
 * order, impulses. */
typedef struct contacts_of_step {
    const lode__made_list *list;
    lode_contact *copy;
    unsigned char (*told)[LODE__MANIFOLD_POINTS];
} contacts_of_step;

/* The world below has no shapes, so all its contacts are those that it was given. */
static bool read_contacts(dWorldID world, contacts_of_step *out)
{
    uint32_t count = world->lode->made.last.count;
    unsigned char *room = lode__ode_working_take(world,
                                                 count * (sizeof *out->copy + sizeof *out->told));
    if (!room)
        return false;
    out->list = &world->lode->made.last;
    out->copy = (lode_contact *)(void *)room;
    out->told = (void *)(room + count * sizeof *out->copy);
    memset(out->told, 0, count * sizeof *out->told);
    return lode_world_get_contacts(world->handle, out->copy, (int)count) == (int)count;
}

/* The first of a pair, or where it would be. */
static uint32_t find_pair(const lode__made_list *list, uint64_t pair)
{
    uint32_t from = 0, to = list->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (list->items[middle].pair < pair)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static bool is_at(const lode__point *point, lode_vec3 place)
{
    return point->position.x == place.x && point->position.y == place.y &&
           point->position.z == place.z;
}

/* What a point has done to the body of lower slot. */
typedef struct exertion {
    lode_vec3 impulse, moment;
} exertion;

/* Of what points resist rolling with together each has the part that its load is. */
static exertion exertion_of(const lode__manifold *m, const lode_contact *contact, int point)
{
    lode_real load = 0;
    for (int k = 0; k < m->point_count; ++k)
        load += m->points[k].exerted[0];
    lode_real share = load > 0 ? m->points[point].exerted[0] / load : 1 / (lode_real)m->point_count;
    return (exertion){contact->points[point].impulse, v3_scale(contact->moment, share)};
}

/* That of the next point at this place. */
static exertion take_exertion(contacts_of_step *contacts, uint64_t pair, lode_vec3 place)
{
    const lode__made_list *list = contacts->list;
    for (uint32_t i = find_pair(list, pair); i < list->count && list->items[i].pair == pair; ++i) {
        const lode__manifold *m = &list->items[i].manifold;
        for (int k = 0; k < m->point_count; ++k) {
            if (contacts->told[i][k] || !is_at(&m->points[k], place))
                continue;
            contacts->told[i][k] = true;
            return exertion_of(m, &contacts->copy[i], k);
        }
    }
    return (exertion){v3_zero(), v3_zero()};
}

static void tell(dJointID joint, contacts_of_step *contacts, lode_vec3 at, dReal h)
{
    dBodyID a = joint->node[0].body, b = joint->node[1].body;
    bool swapped = b && b->slot < a->slot;
    dBodyID low = swapped ? b : a, high = swapped ? a : b;
    uint64_t pair = (uint64_t)low->slot << 32 | (high ? high->slot : LODE__NONE);
    exertion on_low = take_exertion(contacts, pair, v3_sub(at, low->from));
    dJointFeedback *out = joint->feedback;
    if (!out)
        return;
    dReal scale = (swapped ? -1 : 1) / h;
    lode_vec3 force = v3_scale(on_low.impulse, scale), moment = v3_scale(on_low.moment, scale);
    put_vec(out->f1, force);
    put_vec(out->t1, v3_add(v3_cross(v3_sub(at, a->from), force), moment));
    put_vec(out->f2, v3_zero());
    put_vec(out->t2, v3_zero());
    if (!b)
        return;
    put_vec(out->f2, v3_neg(force));
    put_vec(out->t2, v3_neg(v3_add(v3_cross(v3_sub(at, b->from), force), moment)));
}

void lode__ode_contacts_note(dWorldID world)
{
    for (dJointID joint = world->contacts; joint; joint = joint->next)
        for (int i = 0; i < 2; ++i)
            if (joint->node[i].body)
                joint->node[i].body->from = joint->node[i].body->pose->position;
}

void lode__ode_contacts_tell(dWorldID world, dReal h)
{
    contacts_of_step contacts;
    if (!world->tells_contacts || !read_contacts(world, &contacts))
        return;
    for (dJointID joint = world->contacts; joint; joint = joint->next) {
        lode_vec3 at;
        if (lode__ode_contact_place(joint, &at))
            tell(joint, &contacts, at, h);
    }
}
