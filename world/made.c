/* made.c: from points of contact that the caller gave to manifolds.
 *
 * Points are sorted by pair of bodies; those of one pair that share normal and surface fill
 * manifolds of four. Nothing tells which features touch, so impulses are carried over by geometry:
 * from the nearest point of the same pair in the last step, seen from whichever body it moved less
 * against, since a point of contact stays with one of the two. Each old point serves once. Memory
 * for manifolds is taken with the points; a step takes lists in its arena only.
 *
 * Friction impulses keep their direction in the world when the directions of the rows change by
 * more than a trifle. */
#include "world/made.h"

#include "collide/mix.h"
#include "core/fetch.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/sort.h"
#include "world/world.h"

#include <string.h>

enum { AHEAD = 6 };          /* runs */
enum { MADE_AHEAD = 6 };     /* manifolds that are read and that are filled */
enum { OPEN_MANIFOLDS = 8 }; /* of a pair, that a point is compared with */
enum { SPECIAL_SAYS = offsetof(lode__special, turn) }; /* bytes of what a point may say */

#define NORMAL_TOLERANCE ((lode_real)1e-3) /* between points of one manifold */
#define NORMAL_AGREEMENT ((lode_real)0.9)  /* cosine between this step's normal and the last's */
#define SAME_DIRECTION ((lode_real)0.9999) /* cosine; what turned by less is left as it was */
#define MATCH_DISTANCE ((lode_real)0.02)   /* in length units */

/* ---- keeping ---- */

bool lode__made_reserve(lode__made_contacts *made, uint32_t count)
{
    uint32_t all = made->count + count;
    return all >= count &&
           lode__grow((void **)&made->points, &made->capacity, all, sizeof *made->points) &&
           lode__grow((void **)&made->now.items, &made->now.capacity, all, sizeof(lode__made)) &&
           lode__grow((void **)&made->last.items, &made->last.capacity, all, sizeof(lode__made));
}

void lode__made_free(lode__made_contacts *made)
{
    lode__free(made->points, made->capacity * sizeof *made->points);
    lode__free(made->now.items, made->now.capacity * sizeof(lode__made));
    lode__free(made->last.items, made->last.capacity * sizeof(lode__made));
}

size_t lode__made_bytes(const lode__made_contacts *made)
{
    return made->capacity * sizeof *made->points +
           ((size_t)made->now.capacity + made->last.capacity) * sizeof(lode__made);
}

void lode__made_consume(lode__made_contacts *made)
{
    lode__made_list last = made->last;
    made->last = made->now;
    made->now = last;
    made->now.count = made->now.point_count = 0;
    made->count = 0;
}

static bool body_stands(const lode__world *world, uint32_t slot, uint32_t generation)
{
    return slot == LODE__NONE || lode__pool_holds(&world->bodies, slot, generation);
}

bool lode__made_stands(const lode__world *world, const lode__made *made)
{
    return body_stands(world, made->manifold.body_a, made->generation_a) &&
           body_stands(world, made->manifold.body_b, made->generation_b);
}

/* ---- grouping ---- */

static bool same_vec(lode_vec3 a, lode_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Points of one pair that came one after another, and what they have in common. */
typedef struct made_run {
    uint32_t a, b;
    lode_vec3 position, offset; /* of body a, and from b's to a's */
    bool pushes_second;         /* of one that does not move the first, which could */
} made_run;

static bool takes(const lode__made *made, const lode__made_point *p)
{
    const lode__manifold *m = &made->manifold;
    lode_vec3 apart = v3_sub(m->normal, p->normal);
    return m->point_count < LODE__MANIFOLD_POINTS &&
           v3_dot(apart, apart) <= NORMAL_TOLERANCE * NORMAL_TOLERANCE &&
           same_vec(m->tangent, p->tangent) && m->friction[0] == p->friction[0] &&
           m->friction[1] == p->friction[1] && m->restitution == p->restitution &&
           !m->special == p->usual &&
           (p->usual || memcmp(&made->special, &p->special, SPECIAL_SAYS) == 0);
}

/* The newest manifolds of the pair come first. */
static lode__made *find_open(lode__made_list *list, const lode__made_point *p)
{
    for (uint32_t i = 0; i < OPEN_MANIFOLDS && i < list->count; ++i) {
        lode__made *made = &list->items[list->count - 1 - i];
        if (made->pair != p->pair)
            return NULL;
        if (takes(made, p))
            return made;
    }
    return NULL;
}

static lode__made *open_manifold(const made_run *run, lode__made_list *list,
                                 const lode__made_point *p)
{
    lode__made *made = &list->items[list->count++];
    lode__manifold *m = &made->manifold;
    memset(m, 0, offsetof(lode__manifold, points)); /* points are written as they come */
    m->normal = p->normal;
    m->restitution = p->restitution;
    m->offset = run->offset;
    m->tangent = p->tangent;
    m->friction[0] = p->friction[0];
    m->friction[1] = p->friction[1];
    m->shape_a = m->shape_b = LODE__NONE;
    m->body_a = run->a;
    m->body_b = run->b;
    made->pair = p->pair;
    made->generation_a = p->generation_a;
    made->generation_b = p->generation_b;
    if (p->usual)
        return made;
    m->special = 1;
    m->turned = p->special.immovable == LODE_IMMOVABLE_FIRST && run->pushes_second;
    made->special = p->special;
    return made;
}

static void put_point(const made_run *run, lode__made_list *list, const lode__made_point *p)
{
    lode__made *made = find_open(list, p);
    if (!made)
        made = open_manifold(run, list, p);
    lode__manifold *m = &made->manifold;
    m->points[m->point_count] = (lode__point){
        .position = v3_sub(p->position, run->position),
        .depth = p->depth,
        .feature = (uint32_t)m->point_count,
    };
    ++m->point_count;
    ++list->point_count;
}

static void put_run(const lode__world *world, lode__made_list *list, const lode__made_point *begin,
                    const lode__made_point *end)
{
    made_run run = {.a = (uint32_t)(begin->pair >> 32), .b = (uint32_t)begin->pair};
    if (!body_stands(world, run.a, begin->generation_a) ||
        !body_stands(world, run.b, begin->generation_b))
        return;
    run.position = run.offset = BODY(world, pose, run.a)->position;
    if (run.b != LODE__NONE)
        run.offset = v3_sub(run.offset, BODY(world, pose, run.b)->position);
    run.pushes_second = flags_movable(*BODY(world, flags, run.a));
    for (const lode__made_point *p = begin; p < end; ++p)
        put_point(&run, list, p);
}

static bool is_same_pair(const lode__made_point *p, const lode__made_point *q)
{
    return p->pair == q->pair && p->generation_a == q->generation_a &&
           p->generation_b == q->generation_b;
}

/* Slots up to `end` have so many bits. */
static int slot_bits(uint32_t end)
{
    return 32 - __builtin_clz(end | 1);
}

/* Pairs in few bits, which are sorted by in few passes, and in the same order: the world has the
 * first slot behind those of bodies. */
static uint64_t key_of_pair(uint64_t pair, uint32_t end)
{
    const uint32_t b = (uint32_t)pair;
    return pair >> 32 << slot_bits(end) | (b < end ? b : end);
}

/* Where runs begin, and behind them the end. Returns how many. */
static uint32_t list_runs(const lode__made_contacts *made, uint32_t end, uint64_t *keys,
                          uint32_t *order, uint32_t *begins)
{
    uint32_t count = 0;
    const lode__made_point *const points = made->points, *last = points + made->count;
    for (const lode__made_point *p = points; p < last; ++p) {
        if (p > points && is_same_pair(p, p - 1))
            continue;
        keys[count] = key_of_pair(p->pair, end);
        order[count] = count;
        begins[count++] = (uint32_t)(p - points);
    }
    begins[count] = made->count;
    return count;
}

/* ---- warm starting ---- */

/* The directions in the world that a manifold's friction impulses belong to. */
typedef struct friction_frame {
    lode_vec3 first, second;
} friction_frame;

/* A manifold of the last step, of the pair that is matched. */
typedef struct match_old {
    const lode__made *made;
    uint32_t free;   /* a bit for each point that has not served yet */
    bool is_known;   /* the share */
    lode_real share; /* of its impulses that is carried over */
    /* as the manifold that is matched sees it */
    bool agrees, is_turned; /* the normals do; `turn` is known */
    lode_vec3 shift;        /* how much further points have come as seen from b than from a */
    lode_real turn[2][2];   /* from its directions of friction, and to which */
} match_old;

typedef struct match_run {
    const lode__world *world;
    uint32_t end;    /* of the manifolds of the last step, up to which pairs have passed */
    match_old *olds; /* room for all of that step's */
    uint32_t old_count;
    lode_real most2; /* square of the distance within which points are the same */
} match_run;

static friction_frame frame_of(const lode__world *world, const lode__manifold *m)
{
    bool as_a = is_pushed_as_a(m, flags_movable(*BODY(world, flags, m->body_a)));
    lode_vec3 n = as_a ? m->normal : v3_neg(m->normal), t = contact_direction(m, n);
    return (friction_frame){t, v3_cross(n, t)};
}

/* How fast its bodies part along the normal, at any point of it: `here`, and `along` by where it is
 * seen from a. */
typedef struct parting {
    lode_real here;
    lode_vec3 along;
} parting;

static parting parting_of(const lode__world *world, const lode__manifold *m)
{
    const lode__velocity *a = BODY(world, velocity, m->body_a);
    parting p = {v3_dot(m->normal, a->linear), v3_cross(m->normal, a->angular)};
    if (m->body_b == LODE__NONE)
        return p;
    const lode__velocity *b = BODY(world, velocity, m->body_b);
    lode_vec3 along_b = v3_cross(m->normal, b->angular);
    p.here -= v3_dot(m->normal, b->linear) + v3_dot(m->offset, along_b);
    p.along = v3_sub(p.along, along_b);
    return p;
}

/* Its bodies live. */
static bool is_at_rest(const lode__world *world, const lode__manifold *m)
{
    const parting p = parting_of(world, m);
    bool rests = true;
    for (int i = 0; i < m->point_count; ++i) {
        lode_real speed = p.here + v3_dot(m->points[i].position, p.along);
        rests &= r_abs(speed) <= world->made.fading.rest_speed;
    }
    return rests;
}

static lode_real share_of(const lode__world *world, const lode__manifold *old)
{
    const lode__made_fading *fading = &world->made.fading;
    if (!fading->fades)
        return 1;
    return is_at_rest(world, old) ? fading->share : 0;
}

static bool keeps_directions(const lode__manifold *old, const lode__manifold *m)
{
    return old->turned == m->turned && v3_dot(old->tangent, m->tangent) >= SAME_DIRECTION &&
           v3_dot(old->normal, m->normal) >= SAME_DIRECTION;
}

static void find_turn(const lode__world *world, match_old *old, const lode__manifold *m)
{
    const lode__manifold *before = &old->made->manifold;
    lode_real(*turn)[2] = old->turn;
    old->is_turned = true;
    if (keeps_directions(before, m)) {
        turn[0][0] = turn[1][1] = 1;
        turn[0][1] = turn[1][0] = 0;
        return;
    }
    const friction_frame from = frame_of(world, before), to = frame_of(world, m);
    turn[0][0] = v3_dot(from.first, to.first);
    turn[0][1] = v3_dot(from.first, to.second);
    turn[1][0] = v3_dot(from.second, to.first);
    turn[1][1] = v3_dot(from.second, to.second);
}

/* What resisted rolling is carried over with the first point. */
static void carry(const lode__world *world, match_old *old, int i, lode__made *made, int k)
{
    if (!old->is_known)
        old->share = share_of(world, &old->made->manifold);
    old->is_known = true;
    if (!old->is_turned)
        find_turn(world, old, &made->manifold);
    const lode_real *impulse = old->made->manifold.points[i].impulse, share = old->share;
    const lode_real first = share * impulse[1], second = share * impulse[2];
    lode_real *to = made->manifold.points[k].impulse;
    to[0] = share * impulse[0];
    to[1] = first * old->turn[0][0] + second * old->turn[1][0];
    to[2] = first * old->turn[0][1] + second * old->turn[1][1];
    old->free &= ~(1u << i);
    if (k == 0 && old->made->manifold.special && made->manifold.special)
        made->special.turn = v3_scale(old->made->special.turn, share);
}

/* How far a point has come is seen from the body against which it moved less. */
static void match_point(const match_run *run, lode__made *made, int k)
{
    const lode_vec3 position = made->manifold.points[k].position;
    match_old *best = NULL;
    int best_point = 0;
    lode_real best2 = run->most2;
    for (match_old *old = run->olds; old < run->olds + run->old_count; ++old)
        for (uint32_t left = old->agrees ? old->free : 0; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            lode_vec3 from_a = v3_sub(position, old->made->manifold.points[i].position);
            lode_vec3 from_b = v3_add(from_a, old->shift);
            lode_real way2 = r_min(v3_dot(from_a, from_a), v3_dot(from_b, from_b));
            if (way2 < best2) {
                best2 = way2;
                best = old;
                best_point = i;
            }
        }
    if (best)
        carry(run->world, best, best_point, made, k);
}

static void match_manifold(const match_run *run, lode__made *made)
{
    const lode__manifold *m = &made->manifold;
    for (match_old *old = run->olds; old < run->olds + run->old_count; ++old) {
        const lode__manifold *before = &old->made->manifold;
        old->agrees = v3_dot(before->normal, m->normal) >= NORMAL_AGREEMENT;
        old->shift = v3_sub(m->offset, before->offset);
        old->is_turned = false;
    }
    for (int k = 0; k < m->point_count; ++k)
        match_point(run, made, k);
}

/* Goes on to a pair, given one of its manifolds. Pairs come in order. */
static void list_olds(match_run *run, const lode__made *made)
{
    const lode__made_list *last = &run->world->made.last;
    run->old_count = 0;
    for (; run->end < last->count && last->items[run->end].pair <= made->pair; ++run->end) {
        const lode__made *old = &last->items[run->end];
        if (old->pair != made->pair || old->generation_a != made->generation_a ||
            old->generation_b != made->generation_b)
            continue;
        match_old *listed = &run->olds[run->old_count++];
        listed->made = old;
        listed->free = (1u << old->manifold.point_count) - 1;
        listed->is_known = false;
    }
}

/* Gives this step's manifolds from `first` on, which are the last ones and of one pair, what that
 * pair exerted. */
static void match_pair(match_run *run, lode__made_list *now, uint32_t first)
{
    if (first == now->count)
        return;
    list_olds(run, &now->items[first]);
    for (uint32_t i = first; run->old_count > 0 && i < now->count; ++i)
        match_manifold(run, &now->items[i]);
}

/* ---- all ---- */

/* What most ask for of a manifold. */
LODE__FETCHER void fetch_made(const lode__made *made, bool writes)
{
    for (size_t at = 0; at < offsetof(lode__made, manifold.points[2]); at += 64)
        if (writes)
            __builtin_prefetch((const char *)made + at, 1);
        else
            __builtin_prefetch((const char *)made + at);
}

/* Manifolds that have been fetched: of the list that is read, and of the one that is filled. */
typedef struct made_fetched {
    uint32_t last, now;
} made_fetched;

LODE__FETCHER void fetch_lists(const lode__made_contacts *made, uint32_t read, made_fetched *up_to)
{
    for (; up_to->last < made->last.count && up_to->last <= read + MADE_AHEAD; ++up_to->last)
        fetch_made(&made->last.items[up_to->last], false);
    for (; up_to->now < made->now.capacity && up_to->now <= made->now.count + MADE_AHEAD;
         ++up_to->now)
        fetch_made(&made->now.items[up_to->now], true);
}

/* Points lie as they came, and are asked for by pair, with what they are seen from; bodies may be
 * gone. */
LODE__FETCHER void fetch_run(const lode__world *world, const lode__made_point *begin,
                             const lode__made_point *end, uint64_t key)
{
    const int bits = slot_bits(world->bodies.end);
    const uint32_t body[2] = {(uint32_t)(key >> bits), (uint32_t)key & ~(~(uint32_t)0 << bits)};
    for (const lode__made_point *p = begin; p < end; ++p)
        for (size_t at = 0; at < offsetof(lode__made_point, special); at += 64)
            __builtin_prefetch((const char *)p + at);
    for (int i = 0; i < 2; ++i)
        if (body[i] < world->bodies.end) {
            __builtin_prefetch(BODY(world, pose, body[i]));
            __builtin_prefetch(BODY(world, velocity, body[i]));
        }
}

static bool group_points(lode__world *world, lode__arena *arena)
{
    lode__made_contacts *made = &world->made;
    lode__made_list *now = &made->now;
    uint32_t n = made->count;
    uint64_t *keys = LODE__TAKE(arena, uint64_t, n), *more_keys = LODE__TAKE(arena, uint64_t, n);
    uint32_t *order = LODE__TAKE(arena, uint32_t, n), *more = LODE__TAKE(arena, uint32_t, n);
    uint32_t *begins = LODE__TAKE(arena, uint32_t, (size_t)n + 1);
    match_old *olds = LODE__TAKE(arena, match_old, made->last.count);
    if (!keys || !more_keys || !order || !more || !begins || !olds)
        return false;
    lode_real most = MATCH_DISTANCE * world->def.length_unit;
    match_run match = {.world = world, .olds = olds, .most2 = most * most};
    made_fetched fetched = {0};
    uint32_t count = list_runs(made, world->bodies.end, keys, order, begins), first = 0;
    lode__sort(keys, order, more_keys, more, count);
    for (uint32_t i = 0; i < count; ++i) {
        const lode__made_point *points = made->points;
        if (i + AHEAD < count) {
            const uint32_t *soon = &begins[order[i + AHEAD]];
            fetch_run(world, points + soon[0], points + soon[1], keys[i + AHEAD]);
        }
        fetch_lists(made, match.end, &fetched);
        put_run(world, now, points + begins[order[i]], points + begins[order[i] + 1]);
        if (i + 1 < count && keys[i + 1] == keys[i])
            continue;
        match_pair(&match, now, first);
        first = now->count;
    }
    return true;
}

/* ---- the step's list ---- */

static bool list_contacts(lode__world *world, const lode__step *step)
{
    const lode__collide *collide = &world->collide;
    lode__made_list *now = &world->made.now;
    uint32_t count = collide->touching_count + now->count;
    lode__manifold **list = LODE__TAKE(step->arena, lode__manifold *, count);
    if (!list)
        return false;
    int points = (int)now->point_count;
    for (uint32_t i = 0; i < count; ++i) {
        bool shapes = i < collide->touching_count;
        list[i] = shapes ? collide->touching[i] : &now->items[i - collide->touching_count].manifold;
        points += shapes ? list[i]->point_count : 0;
    }
    world->solver.contacts = list;
    world->solver.contact_count = count;
    step->stats->contacts = (int)count;
    step->stats->contact_points = points;
    return true;
}

bool lode__made_build(lode__world *world, const lode__step *step)
{
    world->solver.contacts = world->collide.touching;
    world->solver.contact_count = world->collide.touching_count;
    world->made.now.count = world->made.now.point_count = 0;
    if (world->made.count == 0)
        return true;
    return group_points(world, step->arena) && list_contacts(world, step);
}

/* ---- hash ---- */

/* Field by field: records of doubles have padding. */
static uint64_t hash_point(uint64_t h, const lode__made_point *p)
{
    h = lode__hash_word(h, p->pair);
    h = lode__hash_bytes(h, &p->position, sizeof p->position);
    h = lode__hash_bytes(h, &p->normal, sizeof p->normal);
    h = lode__hash_bytes(h, &p->tangent, sizeof p->tangent);
    h = lode__hash_bytes(h, &p->depth, sizeof p->depth);
    h = lode__hash_bytes(h, p->friction, sizeof p->friction);
    if (!p->usual)
        h = lode__hash_bytes(h, &p->special, sizeof p->special);
    return lode__hash_bytes(h, &p->restitution, sizeof p->restitution);
}

uint64_t lode__made_hash(const lode__made_contacts *made, uint64_t seed)
{
    for (uint32_t i = 0; i < made->count; ++i)
        seed = hash_point(seed, &made->points[i]);
    for (uint32_t i = 0; i < made->last.count; ++i) {
        const lode__manifold *m = &made->last.items[i].manifold;
        seed = lode__hash_word(seed, made->last.items[i].pair);
        seed = lode__hash_bytes(seed, &m->normal, sizeof m->normal);
        for (int k = 0; k < m->point_count; ++k) {
            seed = lode__hash_bytes(seed, &m->points[k].position, sizeof m->points[k].position);
            seed = lode__hash_bytes(seed, m->points[k].impulse, sizeof m->points[k].impulse);
            seed = lode__hash_bytes(seed, m->points[k].exerted, sizeof m->points[k].exerted);
        }
        if (m->special)
            seed = lode__hash_bytes(seed, &made->last.items[i].special, sizeof(lode__special));
    }
    return seed;
}
