/* collide.c: dCollide(): where two geoms touch.
 *
 * Solids are asked like any pair apart from a step: by the kernel of their cell of the narrow phase's
 * matrix, or by the general method. What comes back is what a step of the handle API would solve: the
 * deepest point and those that hold the pair best, at most four; a program that asks for fewer gets
 * the best of them. */
#include "ode/collision/ray.h"

#include "collide/kernels.h"
#include "collide/many.h"
#include "collide/two.h"
#include "collide/two_lanes.h"
#include "core/memory.h"
#include "core/step.h"
#include "simd/dispatch.h"

#include <string.h>

enum { COUNT_BITS = 0xffff };

/* As in a world whose lengths are metres. */
#define SPECULATIVE ((lode_real)0.008)

static dColliderFn *overrides[dGeomNumClasses][dGeomNumClasses];

void lode__ode_overrides_forget(void)
{
    memset(overrides, 0, sizeof overrides);
}

void dSetColliderOverride(int i, int j, dColliderFn *fn)
{
    if (CHECK(i >= 0 && i < dGeomNumClasses, "i", "is no class of geoms") &&
        CHECK(j >= 0 && j < dGeomNumClasses, "j", "is no class of geoms"))
        overrides[i][j] = fn;
}

/* Contacts on their way out. */
typedef struct contact_list {
    char *next;
    int skip, room, count;
} contact_list;

static dContactGeom *place_in(contact_list *list)
{
    dContactGeom *contact = (dContactGeom *)(void *)list->next;
    list->next += list->skip;
    ++list->count;
    return contact;
}

/* --- solids */

static const lode__collide_kernels *kernels(void)
{
    static const lode__collide_kernels *chosen;
    lode_simd simd;
    const char *message;
    if (!chosen && !lode__simd_choose(LODE_SIMD_AUTO, NULL, &simd, &message))
        chosen = lode__collide_kernels_for(simd);
    return chosen ? chosen : &lode__collide_kernels_plain;
}

static int touch_by_kernel(const lode__lane_cell *cell, const lode__lane_pair *pair,
                           lode_collide_point *out, int room, bool any)
{
    int count = 0;
    lode__lane_ask ask = {
        .any = any, .speculative = SPECULATIVE, .points = out, .counts = &count, .capacity = room};
    lode__lane_ask_one(&ask, kernels(), cell, pair);
    return count < room ? count : room;
}

static int touch_generally(const lode__two *two, lode_collide_point *out, int room, bool any)
{
    lode__two_list list = {.items = NULL};
    lode_collide_choice choice = any ? LODE_COLLIDE_ANY : LODE_COLLIDE_REDUCED;
    int count = 0;
    if (CHECK(lode__two_touch(two, kernels(), choice, 0, &list), "memory", "is wanting"))
        count = (int)lode__two_choose(&list, choice, (uint32_t)room);
    for (int i = 0; i < count; ++i)
        out[i] = two_show(two->place_a.body, &list.items[i]);
    lode__free(list.items, list.capacity * sizeof *list.items);
    return count;
}

static int touch(dGeomID a, dGeomID b, lode_collide_point *out, int room, bool any)
{
    lode__pose pose_a = lode__ode_geom_pose(a), pose_b = lode__ode_geom_pose(b);
    const lode__lane_cell *cell = lode__lane_cell_of(a->geometry.type, b->geometry.type);
    lode_collide_choice choice = any ? LODE_COLLIDE_ANY : LODE_COLLIDE_REDUCED;
    if (lanes_answer(cell, choice)) {
        lode__lane_pair pair = {{a->geometry.size, &pose_a, &a->geometry},
                                {b->geometry.size, &pose_b, &b->geometry}};
        return touch_by_kernel(cell, &pair, out, room, any);
    }
    lode__two two = {.a = &a->geometry,
                     .b = &b->geometry,
                     .place_a = place_of(a, &pose_a),
                     .place_b = place_of(b, &pose_b),
                     .speculative = SPECULATIVE};
    return touch_generally(&two, out, room, any);
}

static void collide_solids(dGeomID a, dGeomID b, bool any, contact_list *list)
{
    lode_collide_point points[LODE__MANIFOLD_POINTS];
    int room = list->room - list->count;
    room = room < LODE__MANIFOLD_POINTS ? room : LODE__MANIFOLD_POINTS;
    int count = touch(a, b, points, room, any);
    for (int i = 0; i < count; ++i) {
        dContactGeom *contact = place_in(list);
        put_vec(contact->pos, points[i].position);
        put_vec(contact->normal, points[i].normal);
        contact->depth = points[i].depth;
        contact->g1 = a;
        contact->g2 = b;
        contact->side1 = contact->side2 = -1;
    }
}

/* --- rays */

static void collide_ray(dGeomID a, dGeomID b, contact_list *list)
{
    bool turned = a->number != dRayClass;
    dContactGeom contact = {.g1 = a, .g2 = b, .side1 = -1, .side2 = -1};
    if (!lode__ode_ray_meet(turned ? b : a, turned ? a : b, &contact))
        return;
    if (turned)
        put_vec(contact.normal, v3_neg(vec_of(contact.normal)));
    *place_in(list) = contact;
}

/* --- by functions of the program's own */

/* What a collider for the other order has found, turned over. */
static void turn_over(contact_list *list, int count)
{
    for (int i = 0; i < count; ++i) {
        dContactGeom *contact = place_in(list), was = *contact;
        put_vec(contact->normal, v3_neg(vec_of(was.normal)));
        contact->g1 = was.g2;
        contact->g2 = was.g1;
        contact->side1 = was.side2;
        contact->side2 = was.side1;
    }
}

static dColliderFn *collider_of_class(dGeomID a, dGeomID b)
{
    return a->class->user ? a->class->user->collider(b->number) : NULL;
}

/* True: the program has a function for these classes. */
static bool collide_by_program(dGeomID a, dGeomID b, int flags, contact_list *list)
{
    flags = (flags & ~COUNT_BITS) | (list->room - list->count);
    dColliderFn *straight = overrides[a->number][b->number];
    dColliderFn *turned = straight ? NULL : overrides[b->number][a->number];
    if (!straight && !turned)
        straight = collider_of_class(a, b);
    if (!straight && !turned)
        turned = collider_of_class(b, a);
    dContactGeom *out = (dContactGeom *)(void *)list->next;
    if (straight) {
        int count = straight(a, b, flags, out, list->skip);
        list->next += (ptrdiff_t)count * list->skip;
        list->count += count;
    } else if (turned) {
        turn_over(list, turned(b, a, flags, out, list->skip));
    }
    return straight || turned;
}

/* --- spaces, and all */

static void collide(dGeomID a, dGeomID b, int flags, contact_list *list);

/* Each member by itself. */
static void collide_members(dGeomID space, dGeomID other, bool first, int flags, contact_list *list)
{
    lode__ode_geom_bound(space);
    lode__ode_geom_bound(other);
    for (dGeomID member = space_of(space)->members; member && list->count < list->room;
         member = member->next)
        if (!member->disabled && bounds_overlap(member->bounds, other->bounds))
            collide(first ? member : other, first ? other : member, flags, list);
}

static void collide(dGeomID a, dGeomID b, int flags, contact_list *list)
{
    if (a == b || (a->body && a->body == b->body))
        return;
    if (geom_is_space(a))
        collide_members(a, b, true, flags, list);
    else if (geom_is_space(b))
        collide_members(b, a, false, flags, list);
    else if (collide_by_program(a, b, flags, list))
        return;
    else if (a->class->solid && b->class->solid)
        collide_solids(a, b, flags & (int)CONTACTS_UNIMPORTANT, list);
    else if ((a->number == dRayClass && b->class->solid) ||
             (b->number == dRayClass && a->class->solid))
        collide_ray(a, b, list);
}

int dCollide(dGeomID o1, dGeomID o2, int flags, dContactGeom *contact, int skip)
{
    if (!CHECK_GIVEN(o1) || !CHECK_GIVEN(o2) || !CHECK_GIVEN(contact) ||
        !CHECK((flags & COUNT_BITS) >= 1, "flags", "must ask for at least one contact") ||
        !CHECK(skip >= (int)sizeof *contact, "skip", "must be at least the size of a contact"))
        return 0;
    contact_list list = {(char *)contact, skip, flags & COUNT_BITS, 0};
    collide(o1, o2, flags, &list);
    return list.count;
}
