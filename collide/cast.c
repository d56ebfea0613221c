/* cast.c: solids pushed along lines, against shapes; see cast.h.
 *
 * A shape is asked piece by piece (collide/pieces.h), in its own axes; the nearest hit counts, of
 * equal ones that of the lowest child. On a mesh a long way is cut into stretches, so that the
 * boxes that are asked for triangles stay small and nothing behind the first hit is looked at.
 *
 * Triangles of a one-sided mesh are met from the front alone: the way back from the hit must not
 * lead behind them. One that is overlapped from the start pushes out to its front. */
#include "collide/cast.h"

#include "collide/custom.h"
#include "collide/sweep.h"

/* Stretches of a way on a mesh: as long as so many of the solid's half extents, and no more than so
 * many. */
enum { STRETCH_EXTENTS = 8, STRETCHES = 32 };

/* The cosine beyond which a normal points behind a face. */
#define BEHIND 1e-6

lode__cast lode__cast_make(uint32_t type, const lode__shape_view *view, lode_vec3 origin,
                           lode_vec3 move)
{
    lode__cast cast = {.type = type, .view = *view, .origin = origin, .move = move};
    lode_vec3 direction = v3_normalize_or(move, v3(0, 0, 1));
    cast.length = r_min(v3_dot(move, direction), REAL_MAX);
    lode__reach reach = lode__shape_types[type].reach(view);
    lode__aabb box = lode__make_bounds(v3_add(origin, reach.middle), reach.half, 0);
    lode_vec3 middle = v3_add(origin, reach.middle);
    lode_vec3 half = v3(r_max(box.hi[0] - middle.x, middle.x - box.lo[0]),
                        r_max(box.hi[1] - middle.y, middle.y - box.lo[1]),
                        r_max(box.hi[2] - middle.z, middle.z - box.lo[2]));
    lode__slabs_set(&cast.slabs, middle, direction, half);
    return cast;
}

/* --- one shape */

/* A cast as a shape sees it. */
typedef struct cast_walk {
    const lode__cast *cast;
    const lode__placed *placed;
    lode__convex solid;
    lode__convex_pair pair; /* the solid and, without a piece, the shape */
    lode__gate gate;        /* of triangles */
    lode__double3 move;     /* in the solid's axes */
    double most;            /* share of the way that counts */
    lode__swept best;
    int32_t child;
    bool found;
} cast_walk;

/* Beside the front of a one-sided triangle there is nothing to be met. */
static bool meets_front(const cast_walk *walk, const lode__piece *piece, lode__swept *hit)
{
    const lode__convex_pair *pair = &walk->pair;
    lode__double3 n = d33_mul(&pair->turn, piece->normal);
    if (d3_dot(hit->normal, n) >= -BEHIND)
        return true;
    if (!(hit->depth > 0))
        return false;
    lode__double3 low = walk->solid.type->support(&walk->solid, d3_neg(n));
    double height = d3_dot(n, d3_sub(low, pair->offset)) - walk->solid.radius - piece->offset;
    hit->normal = n;
    hit->depth = -height;
    return true;
}

static bool sweep_piece(const cast_walk *walk, const lode__piece *piece, lode__swept *out)
{
    lode__convex_pair pair = walk->pair;
    if (piece->asked)
        return lode__custom_sweep(
            walk->cast->type, &walk->cast->view, &walk->placed->place.view,
            v3_neg(lode__from_place(&walk->placed->place, walk->cast->origin)), walk->cast->move,
            walk->most, out);
    if (!piece->solid.type) {
        lode__double3 n = d33_mul(&pair.turn, piece->normal);
        double offset = piece->offset + d3_dot(n, pair.offset);
        return lode__sweep_plane(&walk->solid, n, offset, walk->move, walk->most, out);
    }
    pair.b = piece->solid;
    return lode__sweep(&pair, walk->move, walk->most, out) &&
           (!piece->one_sided || meets_front(walk, piece, out));
}

/* Of pieces that overlap the solid from the start the deepest counts. */
static bool comes_before(const cast_walk *walk, const lode__swept *hit, int32_t child)
{
    const lode__swept *best = &walk->best;
    if (!walk->found || hit->share != best->share)
        return !walk->found || hit->share < best->share;
    return hit->depth != best->depth ? hit->depth > best->depth : child < walk->child;
}

static bool visit_piece(void *context, const lode__piece *piece)
{
    cast_walk *walk = context;
    lode__swept hit;
    if (piece->child >= 0 && !gate_opens(&walk->gate, (uint32_t)piece->child))
        return true;
    if (!sweep_piece(walk, piece, &hit) || !comes_before(walk, &hit, piece->child))
        return true;
    walk->best = hit;
    walk->child = piece->child;
    walk->most = hit.share;
    walk->found = true;
    return true;
}

/* Looks at the pieces of the shape along shares begin..end of the way. */
static void walk_stretch(cast_walk *walk, const lode__placed *placed, const lode__cast *cast,
                         lode_real begin, lode_real end)
{
    const lode__shape_view *shape = &placed->place.view;
    lode_quat to_shape = q_conj(shape->rotation);
    lode__shape_view solid = {cast->view.size, q_mul(to_shape, cast->view.rotation),
                              cast->view.data};
    lode__reach reach = lode__shape_types[cast->type].reach(&solid);
    lode_vec3 from = v3_add(q_rotate(to_shape, lode__from_place(&placed->place, cast->origin)),
                            reach.middle);
    lode_vec3 move = q_rotate(to_shape, cast->move);
    lode_vec3 first = v3_madd(from, move, begin), last = v3_madd(from, move, end);
    lode_vec3 far = v3_add(v3_add(v3_abs(first), v3_abs(last)), reach.half);
    lode_real slack = 16 * REAL_EPSILON * (far.x + far.y + far.z);
    lode_vec3 half = v3_add(reach.half, v3(slack, slack, slack));
    lode__pieces_near(placed->type, shape, v3_sub(v3_min(first, last), half),
                      v3_add(v3_max(first, last), half), visit_piece, walk);
}

static void walk_pieces(cast_walk *walk, const lode__placed *placed, const lode__cast *cast)
{
    int stretches = 1;
    if (type_is_surface(placed->type)) {
        lode__reach reach = lode__shape_types[cast->type].reach(&cast->view);
        lode_real least = r_min(reach.half.x, r_min(reach.half.y, reach.half.z));
        lode_real many = cast->length / (STRETCH_EXTENTS * least);
        stretches = many < STRETCHES ? 1 + (int)many : STRETCHES;
    }
    for (int i = 0; i < stretches; ++i) {
        lode_real begin = (lode_real)i / (lode_real)stretches;
        if (walk->found && walk->best.share < (double)begin)
            return;
        walk_stretch(walk, placed, cast, begin, (lode_real)(i + 1) / (lode_real)stretches);
    }
}

static lode__cast_hit hit_of(const cast_walk *walk, const lode__placed *placed,
                             const lode__cast *cast, lode_real bounds)
{
    lode_quat rotation = cast->view.rotation;
    const lode__swept *best = &walk->best;
    lode_real distance = (lode_real)(best->share * (double)cast->length);
    return (lode__cast_hit){
        .distance = best->depth > 0 ? 0 : r_max(distance, bounds),
        .shape = placed->shape,
        .child = walk->child,
        .share = (lode_real)best->share,
        .depth = (lode_real)best->depth,
        .position = v3_add(cast->origin, q_rotate(rotation, d3_to(best->on_b))),
        .normal = q_rotate(rotation, d3_to(best->normal)),
    };
}

/* The hit on a shape whose bounds the solid's box enters at `enter`; false: none no farther than
 * `most`. */
static bool cast_on(const lode__scope *scope, const lode__cast *cast, const lode__placed *placed,
                    lode_real enter, lode_real most, lode__cast_hit *out)
{
    if (!lode__scope_sees(scope, placed->shape))
        return false;
    const lode__place *place = &placed->place;
    cast_walk walk = {
        .cast = cast,
        .placed = placed,
        .solid = convex_make(&lode__convex_types[cast->type], cast->view.size, cast->view.data),
        .gate = lode__gate_of(scope->collide, placed->shape, LODE__NONE),
        .most = 1,
        .child = -1,
    };
    lode_vec3 offset = v3_neg(lode__from_place(place, cast->origin));
    walk.pair = lode__convex_pair_make(walk.solid, cast->view.rotation, walk.solid,
                                       place->view.rotation, offset);
    lode__double33 turn = d33_from_quat(cast->view.rotation);
    walk.move = d33_mul_t(&turn, d3_from(cast->move));
    walk_pieces(&walk, placed, cast);
    if (!walk.found)
        return false;
    *out = hit_of(&walk, placed, cast, enter);
    return out->distance <= most;
}

/* --- all shapes */

typedef struct shape_walk {
    const lode__scope *scope;
    const lode__cast *cast;
    lode__cast_hit best;
    lode__cast_hit_fn *hear;
    void *context;
} shape_walk;

static lode_real look_closest(void *context, const lode__placed *placed, lode_real enter,
                              lode_real most)
{
    shape_walk *walk = context;
    lode__cast_hit hit;
    if (!cast_on(walk->scope, walk->cast, placed, enter, most, &hit) ||
        !lode__cast_hit_before(&hit, &walk->best))
        return most;
    walk->best = hit;
    return hit.distance;
}

static lode_real look_each(void *context, const lode__placed *placed, lode_real enter,
                           lode_real most)
{
    shape_walk *walk = context;
    lode__cast_hit hit;
    return cast_on(walk->scope, walk->cast, placed, enter, most, &hit)
               ? r_min(most, walk->hear(walk->context, &hit, most))
               : most;
}

static lode_real stop(void *context, const lode__cast_hit *hit, lode_real most)
{
    (void)most;
    *(lode__cast_hit *)context = *hit;
    return -1;
}

static void walk_all(shape_walk *walk, lode__placed_fn *look)
{
    lode__walk_shapes(walk->scope, &walk->cast->slabs, walk->cast->length, look, walk);
}

void lode__cast_on_shape(const lode__scope *scope, const lode__cast *cast, uint32_t shape,
                         lode__cast_hit *best)
{
    shape_walk walk = {.scope = scope, .cast = cast, .best = *best};
    lode_real most = r_min(cast->length, best->distance);
    lode__walk_shape(scope, &cast->slabs, shape, most, look_closest, &walk);
    *best = walk.best;
}

bool lode__cast_closest(const lode__scope *scope, const lode__cast *cast, lode__cast_hit *out)
{
    shape_walk walk = {.scope = scope, .cast = cast, .best = lode__no_cast_hit()};
    walk_all(&walk, look_closest);
    *out = walk.best;
    return walk.best.shape != LODE__NONE;
}

void lode__cast_each(const lode__scope *scope, const lode__cast *cast, lode__cast_hit_fn *hear,
                     void *context)
{
    shape_walk walk = {.scope = scope, .cast = cast, .hear = hear, .context = context};
    walk_all(&walk, look_each);
}

bool lode__cast_any(const lode__scope *scope, const lode__cast *cast)
{
    lode__cast_hit any = lode__no_cast_hit();
    lode__cast_each(scope, cast, stop, &any);
    return any.shape != LODE__NONE;
}
