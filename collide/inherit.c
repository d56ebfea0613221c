/* inherit.c: what slides or rolls from one shape of a ground to the next takes its impulses along.
 *
 * Impulses of the last step start the next one's iterations. Within a pair they follow the
 * features. But what crosses a floor of tiles leaves one pair and enters another with each tile;
 * if a corner that bears load began at zero there, its neighbours would bear it meanwhile, and
 * with friction that turns what slides: so capsules and drums rock that lie still on one floor.
 *
 * So whoever loses a point, because its feature has gone, its pair has parted, or seams have left
 * it out, notes what it bore (an estate). When all contacts of the step are known, each estate
 * goes to the nearest point in its place: of the same guest, with a host of the same frame (all
 * that stands still, or one body), with a like normal, seen from the guest's centre of mass, as
 * what slides or rolls keeps its points there. If that bears something already, or nothing is
 * near, the load has gone: four points of a manifold are chosen anew where a shape is left, and
 * what is given to one that bears its share tips what stands on few.
 *
 * A point that still has its own pair and feature loses nothing, so what rests costs nothing; nor
 * do worlds with one shape that stands still. All is known from the manifolds of the last step,
 * which are state; nothing else is kept. A stage that runs again finds features as it left them
 * and no estates. Heirs are chosen by guest, then pair, then point, never by blocks, so that
 * distant things change nothing. */
#include "collide/inherit.h"

#include "collide/seam_group.h"
#include "core/math.h"
#include "core/memory.h"
#include "core/sort.h"

/* Cosine of the angle between normals of one place, as for triangles of a mesh (many.c); and how
 * far an heir may be, of the guest's largest extent. */
#define SAME_SIDE ((lode_real)0.9)
#define REACH ((lode_real)0.75)

/* --- estates */

void lode__estates_free(lode__estates *estates)
{
    lode__free(estates->items, estates->capacity * sizeof *estates->items);
}

bool lode__inherit_is_on(const lode__collide *collide)
{
    return collide->shapes.count - lode__bits_count(&collide->active) >= 2 ||
           lode__bits_end(&collide->joined) > 0;
}

bool lode__estates_reserve(lode__estates *estates, uint32_t more)
{
    return lode__grow((void **)&estates->items, &estates->capacity, estates->count + more,
                      sizeof *estates->items);
}

/* The solver's directions belong to the normal into the body that moves. */
typedef struct basis {
    lode_vec3 n, t1, t2;
    lode_real side; /* -1: impulses are those on b */
} basis;

static basis basis_of(const lode__pool *bodies, const lode__manifold *m)
{
    bool a_moves = is_pushed_as_a(m, flags_movable(*LODE__AT(body, bodies, flags, m->body_a)));
    basis b = {.n = a_moves ? m->normal : v3_neg(m->normal), .side = a_moves ? 1 : -1};
    b.t1 = contact_tangent(b.n); /* shapes give no direction */
    b.t2 = v3_cross(b.n, b.t1);
    return b;
}

void lode__estates_add(lode__estates *estates, const lode__pool *bodies, const lode__manifold *m,
                       int k)
{
    const lode__point *p = &m->points[k];
    if (!(p->impulse[0] > 0))
        return;
    basis b = basis_of(bodies, m);
    lode_vec3 sum = v3_scale(b.n, p->impulse[0]);
    sum = v3_madd(v3_madd(sum, b.t1, p->impulse[1]), b.t2, p->impulse[2]);
    estates->items[estates->count++] = (lode__estate){.shape_a = m->shape_a,
                                                      .shape_b = m->shape_b,
                                                      .normal = m->normal,
                                                      .position = p->position,
                                                      .offset = m->offset,
                                                      .on_a = v3_scale(sum, b.side)};
}

/* --- heirs */

/* An estate, or a manifold that may inherit, as the guest sees it. */
typedef struct claim {
    uint32_t guest, frame;
    bool into_a; /* the guest is shape a */
    const lode__estate *estate;
    lode__manifold *manifold;
} claim;

/* Sorted by guest, in each guest's by pair. */
typedef struct claims {
    claim *items;
    uint64_t *guests, *scratch_keys;
    uint32_t *order, *scratch;
    uint32_t count;
} claims;

typedef struct inherit {
    lode__collide *collide;
    const lode__pool *bodies;
    uint8_t *bereaved; /* of each shape: has it lost a point? */
    claims estates, heirs;
} inherit;

static bool take_claims(claims *c, uint32_t count, lode__arena *arena)
{
    c->items = LODE__TAKE(arena, claim, count);
    c->guests = LODE__TAKE(arena, uint64_t, count);
    c->scratch_keys = LODE__TAKE(arena, uint64_t, count);
    c->order = LODE__TAKE(arena, uint32_t, count);
    c->scratch = LODE__TAKE(arena, uint32_t, count);
    return c->items && c->guests && c->scratch_keys && c->order && c->scratch;
}

/* Which of the two is the guest, if one is. */
static bool find_guest(const inherit *in, uint32_t a, uint32_t b, claim *out)
{
    out->into_a = lode__seam_frame(in->collide, in->bodies, b, &out->frame);
    out->guest = out->into_a ? a : b;
    return out->into_a || lode__seam_frame(in->collide, in->bodies, a, &out->frame);
}

static void add_claim(claims *c, const claim *item, uint64_t key)
{
    c->items[c->count] = *item;
    c->guests[c->count] = key;
    c->order[c->count] = c->count;
    ++c->count;
}

static void list_estates(inherit *in, const lode__estates *list)
{
    for (uint32_t k = 0; k < list->count; ++k) {
        claim item = {.estate = &list->items[k]};
        uint32_t a = item.estate->shape_a, b = item.estate->shape_b;
        if (!find_guest(in, a, b, &item))
            continue;
        in->bereaved[item.guest] = 1;
        add_claim(&in->estates, &item, (uint64_t)a << 32 | b);
    }
}

/* In the order of guests, pairs and points: blocks hold them by cell. */
static bool sort_estates(inherit *in, uint32_t count, lode__arena *arena)
{
    claims *c = &in->estates;
    const lode__many *many = &in->collide->many;
    if (!take_claims(c, count, arena))
        return false;
    for (uint32_t i = 0; i < many->list_capacity; ++i)
        list_estates(in, &many->lists[i].estates);
    list_estates(in, &many->left_out);
    lode__sort(c->guests, c->order, c->scratch_keys, c->scratch, c->count);
    for (uint32_t i = 0; i < c->count; ++i)
        c->guests[i] = c->items[c->order[i]].guest;
    lode__sort(c->guests, c->order, c->scratch_keys, c->scratch, c->count);
    return true;
}

/* Twice: first with no list, for their number. */
static void add_heirs(inherit *in)
{
    const lode__collide *collide = in->collide;
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    const lode__pair *pair;
    in->heirs.count = 0;
    while ((pair = lode__pairs_next(&collide->pairs, &walk))) {
        uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair), slot = pair->manifold;
        claim item = {.estate = NULL};
        if (pair->points == 0 || !(in->bereaved[a] | in->bereaved[b]) ||
            !find_guest(in, a, b, &item))
            continue;
        while ((item.manifold = lode__many_next(collide, &slot)))
            if (item.manifold->idle)
                continue;
            else if (in->heirs.items)
                add_claim(&in->heirs, &item, item.guest);
            else
                ++in->heirs.count;
    }
}

static lode_real reach_of(const inherit *in, uint32_t guest)
{
    const lode__aabb *box = LODE__AT(shape, &in->collide->shapes, bounds, guest);
    lode_real most = 0;
    for (int i = 0; i < 3; ++i)
        most = r_max(most, box->hi[i] - box->lo[i]);
    return most * REACH;
}

/* The nearest of the manifold's points to a place, if it is nearer than *best2. */
static bool find_nearest(const claim *heir, lode_vec3 at, lode_real *best2, int *out_point)
{
    const lode__manifold *m = heir->manifold;
    bool any = false;
    for (int k = 0; k < m->point_count; ++k) {
        lode_vec3 x = m->points[k].position;
        x = v3_sub(heir->into_a ? x : v3_add(x, m->offset), at);
        if (!(v3_dot(x, x) < *best2))
            continue;
        *best2 = v3_dot(x, x);
        *out_point = k;
        any = true;
    }
    return any;
}

static void hand_on(const inherit *in, const claim *estate, const claim *heir, int point)
{
    lode_real *to = heir->manifold->points[point].impulse;
    if (to[0] > 0)
        return;
    basis b = basis_of(in->bodies, heir->manifold);
    lode_real side = estate->into_a == heir->into_a ? b.side : -b.side;
    lode_vec3 impulse = v3_scale(estate->estate->on_a, side);
    to[0] += r_max(v3_dot(impulse, b.n), 0);
    to[1] += v3_dot(impulse, b.t1);
    to[2] += v3_dot(impulse, b.t2);
}

/* Among the heirs from `begin` on, which are the guest's first ones. */
static void settle_estate(const inherit *in, const claim *estate, uint32_t begin)
{
    const lode__estate *e = estate->estate;
    lode_vec3 at = estate->into_a ? e->position : v3_add(e->position, e->offset);
    lode_vec3 normal = estate->into_a ? e->normal : v3_neg(e->normal);
    lode_real reach = reach_of(in, estate->guest), best2 = reach * reach;
    const claim *best = NULL;
    int point = 0;
    for (uint32_t i = begin; i < in->heirs.count && in->heirs.guests[i] == estate->guest; ++i) {
        const claim *heir = &in->heirs.items[in->heirs.order[i]];
        lode_vec3 n = heir->into_a ? heir->manifold->normal : v3_neg(heir->manifold->normal);
        if (heir->frame == estate->frame && v3_dot(n, normal) > SAME_SIDE &&
            find_nearest(heir, at, &best2, &point))
            best = heir;
    }
    if (best)
        hand_on(in, estate, best, point);
}

static void settle_all(const inherit *in)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < in->estates.count; ++i) {
        while (at < in->heirs.count && in->heirs.guests[at] < in->estates.guests[i])
            ++at;
        settle_estate(in, &in->estates.items[in->estates.order[i]], at);
    }
}

static uint32_t count_estates(const lode__many *many)
{
    uint32_t count = many->left_out.count;
    for (uint32_t i = 0; i < many->list_capacity; ++i)
        count += many->lists[i].estates.count;
    return count;
}

static void empty(lode__many *many)
{
    for (uint32_t i = 0; i < many->list_capacity; ++i)
        many->lists[i].estates.count = 0;
    many->left_out.count = 0;
}

bool lode__inherit_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step)
{
    inherit in = {.collide = collide, .bodies = bodies};
    lode__arena_mark mark = lode__arena_mark_now(step->arena);
    uint32_t count = count_estates(&collide->many);
    if (count == 0)
        return true;
    in.bereaved = LODE__TAKE_ZEROED(step->arena, uint8_t, collide->shapes.end);
    if (!in.bereaved || !sort_estates(&in, count, step->arena))
        return false;
    add_heirs(&in);
    if (in.heirs.count > 0) {
        if (!take_claims(&in.heirs, in.heirs.count, step->arena))
            return false;
        add_heirs(&in);
        claims *c = &in.heirs;
        lode__sort(c->guests, c->order, c->scratch_keys, c->scratch, c->count);
        settle_all(&in);
    }
    empty(&collide->many);
    lode__arena_rollback(step->arena, mark);
    return true;
}
