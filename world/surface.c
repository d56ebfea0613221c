/* surface.c: surfaces that say more than friction and restitution: their values, and those of
 * shapes in snapshots, which hold them of special shapes alone. */
#include "lode/surface.h"

#include "collide/mix.h"
#include "core/hash.h"
#include "world/shape.h"
#include "world/snapshot.h"
#include "world/surface.h"

#include <math.h>

_Static_assert(sizeof(lode_surface) == 16 * sizeof(lode_real) + 2 * sizeof(lode_friction_law),
               "it is written and hashed as it lies there, without padding");

lode_surface lode_surface_default(void)
{
    return surface_plain();
}

/* ---- checks ---- */

/* What may be wrong, as the fields are named in a shape's definition, alone, and in a contact's. */
#define FIELDS(X) \
    X(friction_across) \
    X(direction) \
    X(law) \
    X(slip) \
    X(rolling) \
    X(bounce_speed) \
    X(soft_erp) \
    X(soft_cfm) \
    X(motion) \
    X(motion_normal)

#define FIELD_IS(name) FIELD_##name,
enum { FIELDS(FIELD_IS) FIELD_COUNT };

#define OF_DEF(name) "def.surface." #name,
#define OF_SURFACE(name) "surface." #name,
#define OF_CONTACTS(name) "contacts." #name,
static const char *const names[][FIELD_COUNT] = {
    [LODE__SURFACE_OF_DEF] = {FIELDS(OF_DEF)},
    [LODE__SURFACE_ALONE] = {FIELDS(OF_SURFACE)},
    [LODE__SURFACE_OF_CONTACT] = {FIELDS(OF_CONTACTS)},
};

/* A number that may be left to others by being negative. */
static bool is_given(lode_real x, lode_real most)
{
    return x < 0 || is_within(x, 0, most);
}

static bool are_at_least_0(const lode_real *x, int count, lode_real most)
{
    bool all = true;
    for (int k = 0; k < count; ++k)
        all = all && is_within(x[k], 0, most);
    return all;
}

static const char *check_laws(const lode_friction_law law[2])
{
    bool known = (unsigned)law[0] < LODE_LAW_COUNT && (unsigned)law[1] < LODE_LAW_COUNT;
    return known ? NULL : "is no law";
}

/* What is wrong with a field; null: nothing. */
static const char *fault_of(const lode_surface *s, int field)
{
    const lode_real endless = (lode_real)INFINITY;
    switch (field) {
    case FIELD_friction_across:
        return is_given(s->friction_across, endless) ? NULL : "must be a number";
    case FIELD_direction:
        return v3_finite(s->direction) ? NULL : "must be finite";
    case FIELD_law:
        return check_laws(s->law);
    case FIELD_slip:
        return are_at_least_0(s->slip, 2, REAL_MAX) ? NULL : lode__not_negative;
    case FIELD_rolling:
        return are_at_least_0(s->rolling, 3, endless) ? NULL : "must be at least 0";
    case FIELD_bounce_speed:
        return is_given(s->bounce_speed, REAL_MAX) ? NULL : "must be finite";
    case FIELD_soft_erp:
        return is_given(s->soft_erp, 1) ? NULL : "must be at most 1";
    case FIELD_soft_cfm:
        return is_given(s->soft_cfm, REAL_MAX) ? NULL : "must be finite";
    case FIELD_motion:
        return v3_finite(s->motion) ? NULL : "must be finite";
    default:
        return r_finite(s->motion_normal) ? NULL : "must be finite";
    }
}

lode_status lode__check_surface(const lode_surface *surface, lode__surface_owner owner,
                                const char *function)
{
    for (int field = 0; field < FIELD_COUNT; ++field) {
        const char *fault = fault_of(surface, field);
        if (fault)
            return lode__check(false, function, names[owner][field], fault);
    }
    return LODE_OK;
}

static bool is_sound(const lode_surface *surface)
{
    bool sound = true;
    for (int field = 0; field < FIELD_COUNT; ++field)
        sound = sound && !fault_of(surface, field);
    return sound;
}

/* ---- of shapes ---- */

static bool same3(lode_vec3 a, lode_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool says_more(const lode_surface *s)
{
    const lode_surface none = surface_plain();
    bool more = s->friction_across >= 0 || s->bounce_speed >= 0 || s->soft_erp >= 0 ||
                s->soft_cfm >= 0 || s->motion_normal != 0 || !same3(s->direction, none.direction) ||
                !same3(s->motion, none.motion);
    for (int k = 0; k < 2; ++k)
        more = more || s->slip[k] > 0 || s->law[k] != LODE_LAW_WORLD;
    for (int k = 0; k < 3; ++k)
        more = more || s->rolling[k] > 0;
    return more;
}

void lode__surface_give(lode__world *world, uint32_t shape, const lode_surface *surface)
{
    uint32_t *flags = SHAPE(world, flags, shape);
    lode__shape_count_flags(world, shape, false);
    *flags &= ~(uint32_t)LODE__SHAPE_SPECIAL;
    if (says_more(surface)) {
        lode_surface *extra = SHAPE(world, extra, shape);
        *extra = *surface;
        if (!v3_is_zero(surface->direction))
            extra->direction = v3_normalize_or(surface->direction, v3_zero());
        *flags |= LODE__SHAPE_SPECIAL;
    }
    lode__shape_count_flags(world, shape, true);
}

lode_surface lode__surface_of(const lode__world *world, uint32_t shape)
{
    bool special = *SHAPE(world, flags, shape) & LODE__SHAPE_SPECIAL;
    return special ? *SHAPE(world, extra, shape) : surface_plain();
}

lode_status lode_shape_set_surface(lode_shape shape, const lode_surface *surface)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check_not_null(surface, __func__, "surface");
    if (!status)
        status = lode__check_surface(surface, LODE__SURFACE_ALONE, __func__);
    if (status)
        return status;
    lode__surface_give(s.world, s.slot, surface);
    lode__shape_changed(s.world, s.slot);
    return LODE_OK;
}

/* ---- in snapshots ---- */

static uint32_t next_special(const lode__world *world, uint32_t shape)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    shape = world->collide.special_count > 0 ? lode__bits_next(alive, shape) : UINT32_MAX;
    while (shape != UINT32_MAX && !(*SHAPE(world, flags, shape) & LODE__SHAPE_SPECIAL))
        shape = lode__bits_next(alive, shape + 1);
    return shape;
}

void lode__surfaces_write(const lode__world *world, lode__writer *out)
{
    lode__put_u32(out, world->collide.special_count);
    for (uint32_t s = next_special(world, 0); s != UINT32_MAX; s = next_special(world, s + 1))
        lode__put(out, SHAPE(world, extra, s), sizeof(lode_surface));
}

bool lode__surfaces_read(lode__surfaces_image *image, const lode__pool_image *shapes,
                         lode__reader *in)
{
    const char *flags = LODE__COLUMN(shape, shapes, flags);
    uint32_t count = lode__get_u32(in), left = count;
    image->items = lode__get_array(in, count, sizeof(lode_surface));
    for (uint32_t i = 0; i < count && !in->failed; ++i) {
        lode_surface surface;
        LODE__LOAD(image->items, i, &surface);
        if (!is_sound(&surface) || !says_more(&surface))
            return false;
    }
    for (uint32_t s = lode__image_next(shapes, 0); s < shapes->end && !in->failed;
         s = lode__image_next(shapes, s + 1)) {
        uint32_t of_shape;
        LODE__LOAD(flags, s, &of_shape);
        left -= (of_shape & LODE__SHAPE_SPECIAL) != 0;
    }
    return !in->failed && left == 0;
}

void lode__surfaces_restore(const lode__surfaces_image *image, lode__world *world)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    uint32_t count = 0;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX; s = lode__bits_next(alive, s + 1))
        if (*SHAPE(world, flags, s) & LODE__SHAPE_SPECIAL)
            LODE__LOAD(image->items, count++, SHAPE(world, extra, s));
    world->collide.special_count = count;
}

uint64_t lode__surfaces_hash(const lode__world *world, uint64_t seed)
{
    for (uint32_t s = next_special(world, 0); s != UINT32_MAX; s = next_special(world, s + 1)) {
        const lode_surface *extra = SHAPE(world, extra, s);
        seed = lode__hash_word(seed, s);
        seed = lode__hash_bytes(seed, extra, sizeof *extra);
    }
    return seed;
}
