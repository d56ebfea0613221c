/* made.c: from points of contact that the caller gave to manifolds.
 *
 * Points are sorted by pair of bodies; those of one pair that share normal and surface fill
 * manifolds of four. Nothing tells which features touch, so impulses are carried over by geometry:
 * from the nearest point of the same pair in the last step, seen from whichever body it moved less
 * against, since a point of contact stays with one of the two. Each old point serves once. Memory
 * for manifolds is taken with the points; a step takes lists in its arena only.
 *
 * Friction impulses keep their direction in the world when the directions of the rows change. */
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
    for (uint32_t i = 0; i < made->count; ++i) {
        if (i > 0 && is_same_pair(&made->points[i], &made->points[i - 1]))
            continue;
        keys[count] = key_of_pair(made->points[i].pair, end);
        order[count] = count;
        begins[count++] = i;
    }
    begins[count] = made->count;
    return count;
}

/* ---- warm starting ---- */

/* How far the point has come, as seen from the body against which it moved less. */
static lode_real way2(const lode__manifold *old, int i, const lode__manifold *m, int k)
{
    lode_vec3 from_a = v3_sub(m->points[k].position, old->points[i].position);
    lode_vec3 from_b = v3_add(from_a, v3_sub(m->offset, old->offset));
    return r_min(v3_dot(from_a, from_a), v3_dot(from_b, from_b));
}

/* The normal that the solver's directions belong to. */
static lode_vec3 solver_normal(const lode__world *world, const lode__manifold *m)
{
    return is_pushed_as_a(m, flags_movable(*BODY(world, flags, m->body_a))) ? m->normal
                                                                            : v3_neg(m->normal);
}

static void carry(const lode__world *world, lode_real share, const lode__manifold *old, int i,
                  lode__manifold *m, int k)
{
    lode_vec3 n0 = solver_normal(world, old), n1 = solver_normal(world, m);
    lode_vec3 t0 = contact_direction(old, n0), t1 = contact_direction(m, n1);
    const lode_real *impulse = old->points[i].impulse;
    const lode_vec3 from = v3_scale(v3(impulse[0], impulse[1], impulse[2]), share);
    lode_real *to = m->points[k].impulse;
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    if (same_vec(n0, n1) && same_vec(t0, t1))
        return;
    lode_vec3 friction = v3_madd(v3_scale(t0, from.y), v3_cross(n0, t0), from.z);
    to[1] = v3_dot(friction, t1);
    to[2] = v3_dot(friction, v3_cross(n1, t1));
}

typedef struct match_run {
    const lode__world *world;
    uint32_t begin, end; /* manifolds of the pair in the last step */
    uint8_t *used;       /* of each of that step a bit per point, and what has been found out */
    lode_real most2;     /* square of the distance within which points are the same */
} match_run;

enum { RESTS = 1 << LODE__MANIFOLD_POINTS, MOVES = RESTS << 1 };

static lode_vec3 velocity_of(const lode__world *world, uint32_t body, lode_vec3 arm)
{
    return body == LODE__NONE ? v3_zero() : velocity_at(BODY(world, velocity, body), arm);
}

/* Its bodies live. */
static bool is_at_rest(const lode__world *world, const lode__manifold *m)
{
    bool rests = true;
    for (int i = 0; i < m->point_count; ++i) {
        lode_vec3 arm = m->points[i].position;
        lode_vec3 v = v3_sub(velocity_of(world, m->body_a, arm),
                             velocity_of(world, m->body_b, v3_add(arm, m->offset)));
        rests = rests && r_abs(v3_dot(v, m->normal)) <= world->made.fading.rest_speed;
    }
    return rests;
}

/* The part of its impulses that is carried over. */
static lode_real share_of(const match_run *run, const lode__made *old)
{
    const lode__made_fading *fading = &run->world->made.fading;
    uint8_t *used = &run->used[old - run->world->made.last.items];
    if (!fading->fades)
        return 1;
    if (!(*used & (RESTS | MOVES)))
        *used |= (uint8_t)(is_at_rest(run->world, &old->manifold) ? RESTS : MOVES);
    return *used & RESTS ? fading->share : 0;
}

/* What resisted rolling is carried over with the first point. */
static void match_point(const match_run *run, lode__made *made, int k)
{
    const lode__made *items = run->world->made.last.items, *best = NULL;
    int best_point = 0;
    lode_real best2 = run->most2;
    for (uint32_t at = run->begin; at < run->end; ++at) {
        const lode__made *old = &items[at];
        if (old->generation_a != made->generation_a || old->generation_b != made->generation_b ||
            v3_dot(old->manifold.normal, made->manifold.normal) < NORMAL_AGREEMENT)
            continue;
        for (int i = 0; i < old->manifold.point_count; ++i) {
            lode_real distance2 = way2(&old->manifold, i, &made->manifold, k);
            if (distance2 < best2 && !(run->used[at] >> i & 1)) {
                best2 = distance2;
                best = old;
                best_point = i;
            }
        }
    }
    if (!best)
        return;
    lode_real share = share_of(run, best);
    run->used[best - items] |= (uint8_t)(1 << best_point);
    carry(run->world, share, &best->manifold, best_point, &made->manifold, k);
    if (k == 0 && best->manifold.special && made->manifold.special)
        made->special.turn = v3_scale(best->special.turn, share);
}

/* Goes on to the pair of this step's manifolds from `first` on, which are the last ones, and gives
 * them what that pair exerted. Pairs come in order. */
static void match_pair(match_run *run, lode__made_list *now, uint32_t first)
{
    const lode__made_list *last = &run->world->made.last;
    if (first == now->count)
        return;
    const uint64_t pair = now->items[first].pair;
    while (run->end < last->count && last->items[run->end].pair < pair)
        ++run->end;
    run->begin = run->end;
    while (run->end < last->count && last->items[run->end].pair == pair)
        ++run->end;
    for (uint32_t i = first; i < now->count; ++i)
        for (int k = 0; k < now->items[i].manifold.point_count; ++k)
            match_point(run, &now->items[i], k);
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
    uint8_t *used = LODE__TAKE_ZEROED(arena, uint8_t, made->last.count);
    if (!keys || !more_keys || !order || !more || !begins || !used)
        return false;
    lode_real most = MATCH_DISTANCE * world->def.length_unit;
    match_run match = {.world = world, .used = used, .most2 = most * most};
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
