/* collide.c: dCollide(): where two geoms touch.
 *
 * Solids are asked like any pair apart from a step: by the kernel of their cell of the narrow
 * phase's matrix, or by the general method. What comes back is what a step of the handle API would
 * solve: the deepest point and those that hold the pair best, at most four; a program that asks for
 * fewer gets the best of them. What just touches is told with a depth of 0: so a box that is put on
 * another stands on it from the first step on. */
#include "ode/collision/ahead.h"
#include "ode/collision/ray.h"
#include "ode/collision/transform.h"
#include "ode/collision/trimesh.h"

#include "collide/kernels.h"
#include "collide/many.h"
#include "collide/two.h"
#include "collide/two_lanes.h"
#include "core/memory.h"
#include "core/os.h"
#include "core/step.h"
#include "simd/dispatch.h"

#include <stdatomic.h>
#include <string.h>

enum { COUNT_BITS = 0xffff };

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

static void put_point(contact_list *list, dGeomID a, dGeomID b, const lode_collide_point *point)
{
    dContactGeom *contact = place_in(list);
    put_vec(contact->pos, point->position);
    put_vec(contact->normal, point->normal);
    contact->depth = r_max(point->depth, 0);
    contact->g1 = a;
    contact->g2 = b;
    contact->side1 = point->child_a;
    contact->side2 = point->child_b;
}

/* --- shapes */

/* Chosen once, by whichever thread comes first: all choose the same. */
const lode__collide_kernels *lode__ode_kernels(void)
{
    static _Atomic(const lode__collide_kernels *) chosen;
    const lode__collide_kernels *best = atomic_load_explicit(&chosen, memory_order_relaxed);
    lode_simd simd;
    const char *message;
    if (best)
        return best;
    if (!lode__simd_choose(LODE_SIMD_AUTO, lode__os_environment("LODE_SIMD"), &simd, &message))
        best = lode__collide_kernels_for(simd);
    best = best ? best : &lode__collide_kernels_plain;
    atomic_store_explicit(&chosen, best, memory_order_relaxed);
    return best;
}

/* Is there a kernel for the pair? Then its points are there. */
static bool touch_by_kernel(dGeomID a, dGeomID b, bool any, contact_list *list)
{
    const lode__lane_cell *cell = lode__lane_cell_of(a->geometry.type, b->geometry.type);
    if (!lanes_answer(cell, any ? LODE_COLLIDE_ANY : LODE_COLLIDE_REDUCED))
        return false;
    lode__pose pose_a = lode__ode_geom_pose(a), pose_b = lode__ode_geom_pose(b);
    lode_collide_point points[LODE__MANIFOLD_POINTS];
    int room = list->room - list->count, count = 0;
    lode__lane_ask ask = {.any = any,
                          .margin = lode__ode_gap(&pose_a, &pose_b),
                          .speculative = LODE__ODE_SPECULATIVE,
                          .points = points,
                          .counts = &count,
                          .capacity = room < LODE__MANIFOLD_POINTS ? room : LODE__MANIFOLD_POINTS};
    lode__lane_pair pair = {{a->geometry.size, &pose_a, &a->geometry},
                            {b->geometry.size, &pose_b, &b->geometry}};
    lode__lane_ask_one(&ask, lode__ode_kernels(), cell, &pair);
    for (int i = 0; i < count && i < ask.capacity; ++i)
        put_point(list, a, b, &points[i]);
    return true;
}

static void put_chosen(dGeomID a, dGeomID b, lode_collide_choice choice, lode_vec3 body_a,
                       lode__two_list *found, contact_list *list)
{
    uint32_t count = lode__two_choose(found, choice, (uint32_t)(list->room - list->count));
    for (uint32_t i = 0; i < count; ++i) {
        lode_collide_point point = two_show(body_a, &found->items[i]);
        put_point(list, a, b, &point);
    }
}

/* Of a solid and a mesh whose points are known already: of a copy, choosing changes their order. */
static bool put_known(dGeomID a, dGeomID b, contact_list *list)
{
    enum { MOST = 32 };
    lode__two_point points[MOST];
    uint32_t count;
    const lode__two_point *known = lode__ode_ahead_find_mesh(a, b, &count);
    if (!known || count > MOST)
        return false;
    lode__two_list found = {.items = points, .count = count};
    memcpy(points, known, count * sizeof *points);
    put_chosen(a, b, LODE_COLLIDE_REDUCED, lode__ode_geom_pose(a).position, &found, list);
    return true;
}

static void touch_generally(dGeomID a, dGeomID b, bool any, contact_list *list)
{
    if (!any && put_known(a, b, list))
        return;
    lode__pose pose_a = lode__ode_geom_pose(a), pose_b = lode__ode_geom_pose(b);
    const lode__ode_asking ask_a = {a, b}, ask_b = {b, a};
    lode_collide_choice choice = any ? LODE_COLLIDE_ANY : LODE_COLLIDE_REDUCED;
    lode__two_list found = {.items = NULL};
    const lode_real gap = lode__ode_gap(&pose_a, &pose_b);
    lode__two two = {.a = &a->geometry,
                     .b = &b->geometry,
                     .reach = gap,
                     .place_a = place_of(a, &pose_a),
                     .place_b = place_of(b, &pose_b),
                     .speculative = LODE__ODE_SPECULATIVE,
                     .gate_a = lode__ode_trimesh_gate(&ask_a),
                     .gate_b = lode__ode_trimesh_gate(&ask_b)};
    if (CHECK(lode__two_touch(&two, lode__ode_kernels(), choice, gap, &found), "memory",
              "is wanting"))
        put_chosen(a, b, choice, two.place_a.body, &found, list);
    lode__free(found.items, found.capacity * sizeof *found.items);
}

/* --- rays */

/* Turned over where the ray is the second geom. */
static void collide_ray(dGeomID a, dGeomID b, contact_list *list)
{
    bool turned = a->number != dRayClass;
    dGeomID ray = turned ? b : a, other = turned ? a : b;
    dContactGeom hits[LODE__ODE_HITS];
    int room = list->room - list->count;
    int count = other->class->solid
                    ? lode__ode_ray_meet(ray, other, hits)
                    : lode__ode_ray_meet_mesh(ray, other, lode__ode_kernels(), hits,
                                              room < LODE__ODE_HITS ? room : LODE__ODE_HITS);
    for (int i = 0; i < count; ++i) {
        dContactGeom *contact = place_in(list), *hit = &hits[i];
        put_vec(contact->pos, vec_of(hit->pos));
        put_vec(contact->normal, turned ? v3_neg(vec_of(hit->normal)) : vec_of(hit->normal));
        contact->depth = hit->depth;
        contact->g1 = a;
        contact->g2 = b;
        contact->side1 = turned ? hit->side2 : -1;
        contact->side2 = turned ? -1 : hit->side2;
    }
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

static dGeomID carried_by(dGeomID geom)
{
    return geom->number == dGeomTransformClass ? transform_of(geom)->carried : geom;
}

/* Of transforms what they carry; contacts may name them in place of it. */
static void collide_carried(dGeomID a, dGeomID b, int flags, contact_list *list)
{
    char *begin = list->next;
    int before = list->count;
    dGeomID own_a = carried_by(a), own_b = carried_by(b);
    if (own_a && own_b)
        collide(own_a, own_b, flags, list);
    for (int i = before; i < list->count; ++i, begin += list->skip) {
        dContactGeom *contact = (dContactGeom *)(void *)begin;
        if (a != own_a && transform_of(a)->tells_itself)
            contact->g1 = a;
        if (b != own_b && transform_of(b)->tells_itself)
            contact->g2 = b;
    }
}

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

static bool is_ray(dGeomID geom)
{
    return geom->number == dRayClass;
}

static bool is_shape(dGeomID geom)
{
    return geom->class->solid || (geom->class->surface && geom->shape_data);
}

/* Of two height fields nobody says. */
static bool can_touch(dGeomID a, dGeomID b)
{
    bool fields = a->number == dHeightfieldClass && b->number == dHeightfieldClass;
    return is_shape(a) && is_shape(b) && !fields;
}

static void collide(dGeomID a, dGeomID b, int flags, contact_list *list)
{
    bool any = flags & (int)CONTACTS_UNIMPORTANT;
    if (a == b || (a->body && a->body == b->body))
        return;
    if (geom_is_space(a))
        collide_members(a, b, true, flags, list);
    else if (geom_is_space(b))
        collide_members(b, a, false, flags, list);
    else if (carried_by(a) != a || carried_by(b) != b)
        collide_carried(a, b, flags, list);
    else if (collide_by_program(a, b, flags, list))
        return;
    else if (is_ray(a) != is_ray(b) && is_shape(is_ray(a) ? b : a))
        collide_ray(a, b, list);
    else if (can_touch(a, b) && !touch_by_kernel(a, b, any, list))
        touch_generally(a, b, any, list);
}

static bool has_own_collider(dGeomID a, dGeomID b)
{
    return overrides[a->number][b->number] || overrides[b->number][a->number];
}

bool lode__ode_is_plain_pair(dGeomID a, dGeomID b)
{
    return carried_by(a) == a && carried_by(b) == b && !has_own_collider(a, b);
}

/* Neither classes of the program's own nor transforms are solids. */
const lode__lane_cell *lode__ode_kernel_cell(dGeomID a, dGeomID b)
{
    const lode__lane_cell *cell = lode__lane_cell_of(a->geometry.type, b->geometry.type);
    bool solid = a->class->solid && b->class->solid;
    return solid && cell->any && !has_own_collider(a, b) ? cell : NULL;
}

/* Of two solids whose points a walk has computed. */
static bool put_ahead(dGeomID a, dGeomID b, contact_list *list)
{
    int count;
    const lode_collide_point *known = lode__ode_ahead_find(a, b, list->room, &count);
    if (!known || has_own_collider(a, b))
        return false;
    for (int i = 0; i < count; ++i)
        put_point(list, a, b, &known[i]);
    return true;
}

int dCollide(dGeomID o1, dGeomID o2, int flags, dContactGeom *contact, int skip)
{
    if (!CHECK_GIVEN(o1) || !CHECK_GIVEN(o2) || !CHECK_GIVEN(contact) ||
        !CHECK((flags & COUNT_BITS) >= 1, "flags", "must ask for at least one contact") ||
        !CHECK(skip >= (int)sizeof *contact, "skip", "must be at least the size of a contact"))
        return 0;
    contact_list list = {(char *)contact, skip, flags & COUNT_BITS, 0};
    if ((flags & (int)CONTACTS_UNIMPORTANT) || !put_ahead(o1, o2, &list))
        collide(o1, o2, flags, &list);
    return list.count;
}
