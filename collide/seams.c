/* seams.c: see seams.h.
 *
 * A floor of tiles is a floor: what slides over it must not feel where one tile ends. But a pair
 * knows of one tile only. What is 1 mm over its rim and 3 mm deep is nearest to the tile's side,
 * which no one can touch because the next tile stands there; and a ball is nearest to the rim
 * before it is over it.
 *
 * What two shapes are together has a normal n at a point p of both only if each of them has it:
 * the union's normal cone there is the intersection of both cones (Clarke 1983, "Optimization and
 * Nonsmooth Analysis", on proximal normals). So a contact with one shape at p along n is believed
 * if n is a normal of every other shape at p: if that shape's nearest point to p + t n is p.
 *
 * Bodies lie some slop deep, and there all sides are covered, those of a wall on a floor too. So p
 * is where the contact would be if what is believed had pushed the body out already:
 *
 * 1. Of a shape and what it touches in one frame (all that stands still, or one body of several
 *    shapes) each manifold is looked at with the push of each other one, its normal times its
 *    depth. If its points are covered then, it is doubtful.
 * 2. Those that are not give one push together. Doubtful ones whose points are covered after that
 *    are dropped. Begin again with those that are left, until none is dropped: so a second run
 *    changes nothing.
 *
 * A manifold goes as a whole: a wall's points below the floor are as good as those above. If all
 * are doubtful, as those of a small ball in a groove, all stay. A contact that another shape's
 * slope denies, not its body, must also be gone by the push.
 *
 * Looked at are shapes that touch two others of one frame with different normals.
 *
 * Then points between others are left out (seams_between.c). */
#include "collide/seams.h"

#include "collide/mix.h"
#include "collide/seam_group.h"
#include "core/math.h"
#include "core/sort.h"

enum { SEAMS_GRAIN = 32, MOST_PUSHES = 12, PUSH_SWEEPS = 4 };
#define GROUND UINT32_MAX /* the frame of what stands still */

/* Ways out, each with the depth of the deepest point. */
typedef struct pushes {
    int count;
    lode_vec3 normal[MOST_PUSHES];
    lode_real depth[MOST_PUSHES];
} pushes;

/* --- which manifolds */

bool lode__seam_frame(const lode__collide *collide, const lode__pool *bodies, uint32_t shape,
                      uint32_t *out_frame)
{
    bool active = lode__bits_get(&collide->active, shape);
    bool joined = lode__bits_get(&collide->joined, shape);
    if (active && !joined)
        return false;
    uint32_t body = LODE__AT(shape, &collide->shapes, geometry, shape)->body;
    bool still = !active && !(*LODE__AT(body, bodies, flags, body) & LODE__BODY_DYNAMIC);
    *out_frame = still ? GROUND : body;
    return still || joined;
}

/* Does a guest feel the host? By their materials, as wholes. */
static bool is_host(const lode__seams *s, uint32_t guest, uint32_t host, uint32_t *out_frame)
{
    return lode__seam_frame(s->collide, s->bodies, host, out_frame) &&
           lode__material_immovable(s->collide, guest, host) != LODE_IMMOVABLE_FIRST;
}

static void count_hosts(const lode__seams *s, const lode__pair *pair)
{
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair), frame;
    if (is_host(s, a, b, &frame))
        s->hosts[a] = (uint8_t)(s->hosts[a] + (s->hosts[a] < 2));
    if (is_host(s, b, a, &frame))
        s->hosts[b] = (uint8_t)(s->hosts[b] + (s->hosts[b] < 2));
}

/* Twice: first with no list, for their number. */
static void add_seams(lode__seams *s, lode__pair *pair, uint32_t guest, uint32_t host)
{
    uint32_t frame, slot = pair->manifold;
    lode__manifold *m;
    if (s->hosts[guest] < 2 || !is_host(s, guest, host, &frame))
        return;
    while ((m = lode__many_next(s->collide, &slot))) {
        if (s->list) {
            bool into = guest == m->shape_a;
            s->list[s->count] = (lode__seam){.pair = pair,
                                             .manifold = m,
                                             .guest = guest,
                                             .host = host,
                                             .normal = into ? m->normal : v3_neg(m->normal)};
            s->groups[s->count] = (uint64_t)guest << 32 | frame;
            s->order[s->count] = s->count;
        }
        ++s->count;
    }
}

static void add_all(lode__seams *s)
{
    lode__pair_walk walk = lode__pairs_walk(&s->collide->pairs);
    lode__pair *pair;
    s->count = 0;
    while ((pair = lode__pairs_next(&s->collide->pairs, &walk)))
        if (pair->points > 0) {
            add_seams(s, pair, lode__pair_a(pair), lode__pair_b(pair));
            add_seams(s, pair, lode__pair_b(pair), lode__pair_a(pair));
        }
}

/* False: out of memory. */
static bool collect(lode__seams *s, lode__arena *arena)
{
    const lode__pairs *pairs = &s->collide->pairs;
    s->hosts = LODE__TAKE_ZEROED(arena, uint8_t, s->collide->shapes.end);
    if (!s->hosts)
        return false;
    for (uint32_t i = 0; i < pairs->count; ++i)
        if (pairs->items[i].points > 0)
            count_hosts(s, &pairs->items[i]);
    add_all(s);
    if (s->count == 0)
        return true;
    s->groups = LODE__TAKE(arena, uint64_t, s->count);
    s->scratch_keys = LODE__TAKE(arena, uint64_t, s->count);
    s->order = LODE__TAKE(arena, uint32_t, s->count);
    s->scratch = LODE__TAKE(arena, uint32_t, s->count);
    s->list = LODE__TAKE(arena, lode__seam, s->count);
    if (!s->groups || !s->scratch_keys || !s->order || !s->scratch || !s->list)
        return false;
    add_all(s);
    lode__sort(s->groups, s->order, s->scratch_keys, s->scratch, s->count);
    return true;
}

/* --- what covers what; all from the guest's centre of mass */

/* Does the shape deny a contact at this point along n, of which `depth` is left? */
static bool denies(const lode__seam_group *g, uint32_t shape, lode_vec3 point, lode_vec3 n,
                   lode_real depth)
{
    lode_real flush = g->all->speculative * FLUSH, look = g->all->speculative * LOOK;
    lode__surface_point on;
    if (!lode__seam_within_bounds(g, shape, point) || !lode__seam_can_ask(g, shape))
        return false;
    lode_real distance = lode__seam_nearest(g, shape, point, &on);
    if (distance > flush)
        return false;
    lode_vec3 from = distance > 0 ? on.position : point;
    if (lode__seam_nearest(g, shape, v3_madd(from, n, look), &on) < look / 2)
        return true;
    lode_vec3 across = v3_cross(on.normal, n);
    return v3_dot(across, across) > ONE_WAY * ONE_WAY && depth <= flush;
}

/* Is that so of a point after this push? */
static bool is_covered_at(const lode__seam_group *g, const lode__seam *s, lode_vec3 at,
                          lode_real depth)
{
    uint32_t last = s->host;
    for (uint32_t i = 0; i < g->count; ++i) {
        const lode__seam *other = seam_at(g, i);
        if (other->host == s->host || other->host == last || other->dropped)
            continue;
        last = other->host;
        if (denies(g, last, at, s->normal, depth))
            return true;
    }
    return false;
}

/* Does the host itself deny the normal there? Of several points all share that of the deepest. */
static bool is_borrowed(const lode__seam_group *g, const lode__seam *s, lode_vec3 at)
{
    lode__surface_point on;
    lode__seam_nearest(g, s->host, v3_madd(at, s->normal, g->all->speculative * LOOK), &on);
    return !seam_alike(on.normal, s->normal, 10 * ONE_WAY);
}

/* Of points with a borrowed normal nothing is known; one at least must be covered. */
static bool is_covered(const lode__seam_group *g, const lode__seam *s, lode_vec3 push)
{
    bool any = false;
    for (int k = 0; k < s->manifold->point_count; ++k) {
        const lode__point *point = &s->manifold->points[k];
        lode_vec3 at = lode__seam_host_point(g, s, point, push);
        bool covered = is_covered_at(g, s, at, point->depth - v3_dot(push, s->normal));
        if (!covered && !is_borrowed(g, s, at))
            return false;
        any = any || covered;
    }
    return any;
}

/* --- pushes */

static void add_push(pushes *p, const lode__seam *s)
{
    lode_real depth = 0;
    int i = 0;
    for (int k = 0; k < s->manifold->point_count; ++k)
        depth = r_max(depth, s->manifold->points[k].depth);
    while (i < p->count && !seam_alike(p->normal[i], s->normal, ONE_WAY))
        ++i;
    if (i == MOST_PUSHES)
        return;
    if (i == p->count) {
        p->normal[p->count++] = s->normal;
        p->depth[i] = 0;
    }
    p->depth[i] = r_max(p->depth[i], depth);
}

static pushes list_pushes(const lode__seam_group *g)
{
    pushes p = {0};
    for (uint32_t i = 0; i < g->count; ++i) {
        const lode__seam *s = seam_at(g, i);
        if (!s->dropped && !s->doubtful)
            add_push(&p, s);
    }
    return p;
}

/* The way that all of them lead out together. */
static lode_vec3 add_up(const pushes *p)
{
    lode_vec3 sum = v3_zero();
    for (int k = 0; k < PUSH_SWEEPS; ++k)
        for (int i = 0; i < p->count; ++i) {
            lode_real missing = p->depth[i] - v3_dot(sum, p->normal[i]);
            sum = v3_madd(sum, p->normal[i], r_max(missing, 0));
        }
    return sum;
}

/* --- a group */

static bool is_doubtful(const lode__seam_group *g, const lode__seam *s, const pushes *p)
{
    /* A face a little askew has its own normal on one tile, and the tile's on the next. */
    lode_real sine = s->manifold->point_count >= 3 ? ONE_FLOOR : ONE_WAY;
    for (int i = 0; i < p->count; ++i)
        if (!seam_alike(p->normal[i], s->normal, sine) &&
            is_covered(g, s, v3_scale(p->normal[i], p->depth[i])))
            return true;
    return false;
}

/* True if something was dropped. */
static bool drop_covered(const lode__seam_group *g)
{
    bool any_sure = false, any_dropped = false;
    for (uint32_t i = 0; i < g->count; ++i)
        seam_at(g, i)->doubtful = false;
    pushes p = list_pushes(g);
    if (p.count < 2)
        return false;
    for (uint32_t i = 0; i < g->count; ++i) {
        lode__seam *s = seam_at(g, i);
        s->doubtful = !s->dropped && lode__seam_can_ask(g, s->host) && is_doubtful(g, s, &p);
        any_sure = any_sure || (!s->dropped && !s->doubtful);
    }
    if (!any_sure)
        return false;
    p = list_pushes(g);
    lode_vec3 push = add_up(&p);
    /* not dropped yet: they cover each other */
    for (uint32_t i = 0; i < g->count; ++i)
        if (seam_at(g, i)->doubtful)
            seam_at(g, i)->doubtful = is_covered(g, seam_at(g, i), push);
    for (uint32_t i = 0; i < g->count; ++i)
        if (seam_at(g, i)->doubtful)
            seam_at(g, i)->dropped = any_dropped = true;
    return any_dropped;
}

static void settle(const lode__seam_group *g, uint32_t frame)
{
    bool all_can = true;
    for (uint32_t i = 0; i < g->count; ++i)
        all_can = all_can && lode__seam_can_ask(g, seam_at(g, i)->host);
    while (drop_covered(g))
        ;
    if (frame == GROUND && all_can)
        lode__seams_leave_out(g);
}

/* The groups that begin within the range. */
static void look_at_groups(void *context, uint32_t begin, uint32_t end)
{
    const lode__seams *s = context;
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t last = i;
        if (i > 0 && s->groups[i - 1] == s->groups[i])
            continue;
        while (last + 1 < s->count && s->groups[last + 1] == s->groups[i])
            ++last;
        uint32_t body =
            LODE__AT(shape, &s->collide->shapes, geometry, (uint32_t)(s->groups[i] >> 32))->body;
        lode__seam_group g = {s, s->order + i, last + 1 - i,
                              LODE__AT(body, s->bodies, pose, body)->position};
        if (last > i)
            settle(&g, (uint32_t)s->groups[i]);
    }
}

/* --- dropping */

/* Makes the manifold's one point idle. */
static void relieve(const lode__seams *s, lode__manifold *m)
{
    lode__estates_add(&s->collide->many.left_out, s->bodies, m, 0);
    for (int i = 0; i < 3; ++i)
        m->points[0].impulse[i] = 0;
    m->idle = 1;
}

/* These points; what they bore is noted. */
static void take_out(const lode__seams *s, lode__manifold *m, uint32_t out)
{
    int kept = 0;
    for (int k = 0; k < m->point_count; ++k)
        if (out >> k & 1)
            lode__estates_add(&s->collide->many.left_out, s->bodies, m, k);
        else
            m->points[kept++] = m->points[k];
    m->point_count = kept;
}

/* Of points between others one stays in each manifold, to be told of. */
static void drop_one(const lode__seams *s, const lode__seam *seam)
{
    lode__manifold *m = seam->manifold;
    uint32_t all = (UINT32_C(1) << m->point_count) - 1;
    bool idle = !seam->dropped && seam->between && seam->between == all;
    take_out(s, m, seam->dropped ? all : idle ? all & ~UINT32_C(1) : seam->between & all);
    if (seam->turned)
        m->normal = seam->guest == m->shape_a ? seam->normal : v3_neg(seam->normal);
    if (idle)
        relieve(s, m);
}

/* Moves the pair's manifolds that have points to the front of its chain, and gives back the
 * others. */
static void close_up(lode__collide *collide, lode__pair *pair)
{
    uint32_t to = pair->manifold, last = LODE__NONE, points = 0;
    for (uint32_t at = pair->manifold; at != LODE__NONE;) {
        lode__manifold *from = LODE__AT(manifold, &collide->manifolds, manifold, at);
        at = *LODE__AT(manifold, &collide->manifolds, next, at);
        if (from->point_count == 0)
            continue;
        points += (uint32_t)from->point_count;
        lode__manifold *into = LODE__AT(manifold, &collide->manifolds, manifold, to);
        if (into != from)
            *into = *from;
        last = to;
        to = *LODE__AT(manifold, &collide->manifolds, next, to);
    }
    if (last == LODE__NONE) {
        last = pair->manifold;
        LODE__AT(manifold, &collide->manifolds, manifold, last)->point_count = 0;
    }
    lode__many_remove(collide, *LODE__AT(manifold, &collide->manifolds, next, last));
    *LODE__AT(manifold, &collide->manifolds, next, last) = LODE__NONE;
    pair->points = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX);
}

/* After all groups, since a manifold of two bodies of several shapes each is in two. The manifolds
 * of one pair follow one another. */
static void drop_all(const lode__seams *s)
{
    for (uint32_t i = 0; i < s->count; ++i)
        if (s->list[i].dropped || s->list[i].between)
            drop_one(s, &s->list[i]);
    for (uint32_t i = 0; i < s->count; ++i)
        if ((s->list[i].dropped || s->list[i].between) && s->list[i].pair->points > 0)
            close_up(s->collide, s->list[i].pair);
}

bool lode__seams_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step)
{
    if (!lode__inherit_is_on(collide))
        return true;
    lode__seams s = {
        .collide = collide, .bodies = bodies, .speculative = LODE__SPECULATIVE(step->settings)};
    lode__arena_mark mark = lode__arena_mark_now(step->arena);
    if (!collect(&s, step->arena))
        return false;
    lode__tasks_run(step->tasks, s.count, SEAMS_GRAIN, look_at_groups, &s);
    uint32_t leaving = 0;
    for (uint32_t i = 0; i < s.count; ++i)
        leaving += s.list[i].dropped || s.list[i].between ? LODE__MANIFOLD_POINTS : 0;
    if (!lode__estates_reserve(&collide->many.left_out, leaving))
        return false;
    drop_all(&s);
    lode__arena_rollback(step->arena, mark);
    return true;
}
