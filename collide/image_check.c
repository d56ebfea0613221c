/* image_check.c: whether shapes and contacts that were read can be worked with.
 *
 * A snapshot may come from anywhere, and a checksum stops accidents only. So every slot that one
 * record names in another is looked up before it is used, and every number that is turned into an
 * integer or decides about a loop is one. What else is wrong can only move bodies strangely. */
#include "collide/image.h"
#include "collide/shape_type.h"
#include "collide/surface.h"
#include "core/contact_bytes.h"
#include "core/math.h"

/* Empty boxes are none, nor are those with a side that is not a number. */
static bool is_box(const lode_real lo[3], const lode_real hi[3])
{
    return lo[0] <= hi[0] && lo[1] <= hi[1] && lo[2] <= hi[2];
}

/* --- shapes */

typedef struct shape_columns {
    const lode__collide_image *image;
    const lode__pool_image *bodies;
    const char *geometry, *pose, *bounds, *surface, *content, *own_flags, *flags;
} shape_columns;

/* On a body: it can be turned with that. */
static bool is_place(lode_pose pose)
{
    return r_finite(v3_dot(pose.position, pose.position)) && q_is_rotation(pose.rotation);
}

static bool geometry_is_sound(const shape_columns *columns, const lode__geometry *g)
{
    uint32_t flags;
    if (g->type >= LODE_SHAPE_TYPE_COUNT || !lode__image_has(columns->bodies, g->body))
        return false;
    LODE__LOAD(columns->flags, g->body, &flags);
    return (shape_is_bounded(g) || !(flags & LODE__BODY_DYNAMIC)) &&
           lode__shape_types[g->type].is_size(g->size) && is_place(g->pose) && is_place(g->center);
}

/* Where the shape was when it was last looked at; one that is to be placed anew may be anywhere. */
static bool place_is_sound(const shape_columns *columns, uint32_t shape, bool bounded)
{
    lode__pose pose;
    lode__aabb bounds;
    lode_real fat[6];
    LODE__LOAD(columns->pose, shape, &pose);
    LODE__LOAD(columns->bounds, shape, &bounds);
    LODE__LOAD(columns->image->fat, shape, &fat);
    bool placed = lode__word_bit(columns->image->placed, shape);
    bool moved = lode__word_bit(columns->image->moved, shape);
    if (placed && !(bounded && is_box(fat, fat + 3)))
        return false;
    if (lode__word_bit(columns->image->disabled, shape))
        return !placed && !moved && !lode__word_bit(columns->image->stirred, shape) &&
               !lode__word_bit(columns->image->returning, shape);
    return moved || ((placed || !bounded) && q_is_rotation(pose.rotation) &&
                     v3_finite(pose.position) && is_box(bounds.lo, bounds.hi));
}

static bool surface_is_sound(const shape_columns *columns, uint32_t shape)
{
    lode__surface s;
    LODE__LOAD(columns->surface, shape, &s);
    return s.friction >= 0 && r_finite(s.friction) && s.density >= 0 && r_finite(s.density) &&
           s.restitution >= 0 && s.restitution <= 1;
}

/* Where the type has shared geometry, and only there, some is named. */
static bool content_is_sound(const shape_columns *columns, uint32_t shape, uint32_t type)
{
    uint64_t content;
    LODE__LOAD(columns->content, shape, &content);
    return lode__shape_types[type].shares == (content != 0);
}

/* Sensors and what is switched off are nowhere. */
static bool flags_are_sound(const shape_columns *columns, uint32_t shape)
{
    uint32_t flags;
    LODE__LOAD(columns->own_flags, shape, &flags);
    bool nowhere = flags & LODE__SHAPE_NOWHERE;
    return !(flags & ~(uint32_t)LODE__SHAPE_FLAGS) &&
           nowhere == lode__word_bit(columns->image->disabled, shape);
}

static bool is_in_a_set(const lode__collide_image *image, uint32_t shape)
{
    return lode__word_bit(image->placed, shape) || lode__word_bit(image->moved, shape) ||
           lode__word_bit(image->stirred, shape) || lode__word_bit(image->returning, shape) ||
           lode__word_bit(image->disabled, shape);
}

static bool shapes_are_sound(const lode__collide_image *image, const lode__pool_image *bodies)
{
    const lode__pool_image *shapes = &image->shapes;
    shape_columns columns = {image,
                             bodies,
                             LODE__COLUMN(shape, shapes, geometry),
                             LODE__COLUMN(shape, shapes, pose),
                             LODE__COLUMN(shape, shapes, bounds),
                             LODE__COLUMN(shape, shapes, surface),
                             LODE__COLUMN(shape, shapes, content),
                             LODE__COLUMN(shape, shapes, flags),
                             LODE__COLUMN(body, bodies, flags)};
    for (uint32_t s = 0; s < lode__words_of(shapes->end) << 6; ++s) {
        lode__geometry g;
        if (!lode__image_has(shapes, s)) {
            if (is_in_a_set(image, s))
                return false;
            continue;
        }
        LODE__LOAD(columns.geometry, s, &g);
        if (!geometry_is_sound(&columns, &g) || !content_is_sound(&columns, s, g.type) ||
            !place_is_sound(&columns, s, shape_is_bounded(&g)) || !surface_is_sound(&columns, s) ||
            !flags_are_sound(&columns, s))
            return false;
    }
    return true;
}

/* --- contacts */

static bool takes_part(const lode__collide_image *image, uint32_t shape)
{
    return lode__image_has(&image->shapes, shape) && !lode__word_bit(image->disabled, shape);
}

/* Both live and take part, on two bodies, and one has bounds. */
static bool pair_is_sound(const lode__collide_image *image, uint64_t key, lode__geometry *out_a,
                          lode__geometry *out_b)
{
    const char *geometries = LODE__COLUMN(shape, &image->shapes, geometry);
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    if (a >= b || !takes_part(image, a) || !takes_part(image, b))
        return false;
    LODE__LOAD(geometries, a, out_a);
    LODE__LOAD(geometries, b, out_b);
    return out_a->body != out_b->body && (shape_is_bounded(out_a) || shape_is_bounded(out_b));
}

static bool manifold_is_sound(const lode__manifold *m, uint64_t key, const lode__geometry *a,
                              const lode__geometry *b)
{
    return m->shape_a == (uint32_t)(key >> 32) && m->shape_b == (uint32_t)key &&
           m->body_a == a->body && m->body_b == b->body;
}

static bool pairs_are_sound(const lode__collide_image *image)
{
    lode__reader in = image->manifolds;
    uint64_t last = 0;
    for (uint32_t i = 0; i < image->pair_count; ++i) {
        uint64_t key;
        lode__geometry a, b;
        lode__manifold m;
        lode__special special;
        LODE__LOAD(image->keys, i, &key);
        if ((i > 0 && key < last) || !pair_is_sound(image, key, &a, &b))
            return false;
        if (i > 0 && key == last && (image->points[i] == 0 || image->points[i - 1] == 0))
            return false; /* where there are several, each has points */
        last = key;
        if (image->points[i] != 0 &&
            !(lode__get_manifold(&in, &m, &special) && manifold_is_sound(&m, key, &a, &b)))
            return false;
    }
    return true;
}

/* --- contacts at rest */

static int compare(uint32_t keeper_a, uint64_t key_a, uint32_t keeper_b, uint64_t key_b)
{
    if (keeper_a != keeper_b)
        return keeper_a < keeper_b ? -1 : 1;
    return key_a < key_b ? -1 : key_a > key_b;
}

/* The order of entry `i` of the pairs, or of the resting contacts, against this one. */
static int order_of(const lode__collide_image *image, bool resting, uint32_t i, uint32_t keeper,
                    uint64_t key)
{
    uint64_t other_key;
    uint32_t other_keeper = keeper;
    LODE__LOAD(resting ? image->resting_keys : image->keys, i, &other_key);
    if (resting)
        LODE__LOAD(image->keepers, i, &other_keeper);
    return compare(other_keeper, other_key, keeper, key);
}

static bool is_listed(const lode__collide_image *image, bool resting, uint32_t keeper, uint64_t key)
{
    uint32_t begin = 0, end = resting ? image->resting_count : image->pair_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (order_of(image, resting, middle, keeper, key) < 0)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < (resting ? image->resting_count : image->pair_count) &&
           order_of(image, resting, begin, keeper, key) == 0;
}

/* What the checks of contacts at rest know of bodies. */
typedef struct body_states {
    const char *flags, *awake;
} body_states;

/* Would the broad phase look for its pairs? */
static bool is_lively(const lode__collide_image *image, const body_states *bodies, uint32_t shape,
                      const lode__geometry *geometry)
{
    return lode__word_bit(bodies->awake, geometry->body) || lode__word_bit(image->stirred, shape);
}

/* Kept by a shape that will give it back, or whose body sleeps: then nobody may find it again. */
static bool keeper_is_sound(const lode__collide_image *image, const body_states *bodies,
                            uint32_t keeper, uint64_t key, const lode__geometry *a,
                            const lode__geometry *b)
{
    uint32_t shape_a = (uint32_t)(key >> 32), shape_b = (uint32_t)key, flags;
    LODE__LOAD(bodies->flags, (keeper == shape_a ? a : b)->body, &flags);
    return lode__word_bit(image->returning, keeper) ||
           ((flags & LODE__BODY_ASLEEP) && !is_lively(image, bodies, shape_a, a) &&
            !is_lively(image, bodies, shape_b, b));
}

static bool resting_is_sound(const lode__collide_image *image, const body_states *bodies,
                             uint32_t i, lode__reader *in)
{
    uint32_t keeper;
    uint64_t key;
    lode__geometry a, b;
    lode__manifold m;
    lode__special special;
    LODE__LOAD(image->keepers, i, &keeper);
    LODE__LOAD(image->resting_keys, i, &key);
    if (!pair_is_sound(image, key, &a, &b) || !lode__get_manifold(in, &m, &special) ||
        !manifold_is_sound(&m, key, &a, &b))
        return false;
    bool by_a = keeper == (uint32_t)(key >> 32), by_b = keeper == (uint32_t)key;
    if (!(by_a || by_b) || !keeper_is_sound(image, bodies, keeper, key, &a, &b))
        return false;
    bool twice = is_listed(image, false, 0, key) ||
                 (by_b && is_listed(image, true, (uint32_t)(key >> 32), key));
    int order = i == 0 ? -1 : order_of(image, true, i - 1, keeper, key);
    return !twice && order <= 0;
}

static bool all_resting_are_sound(const lode__collide_image *image, const body_states *bodies)
{
    lode__reader in = image->resting;
    for (uint32_t i = 0; i < image->resting_count; ++i)
        if (!resting_is_sound(image, bodies, i, &in))
            return false;
    return true;
}

bool lode__collide_image_is_sound(const lode__collide_image *image, const lode__pool_image *bodies,
                                  const char *awake)
{
    body_states states = {LODE__COLUMN(body, bodies, flags), awake};
    return shapes_are_sound(image, bodies) && pairs_are_sound(image) &&
           all_resting_are_sound(image, &states);
}
