/* contacts.c: reading contacts, and taking those that the caller makes. */
#include "lode/contact.h"

#include "collide/mix.h"
#include "world/check.h"
#include "world/surface.h"
#include "world/world.h"

#include <string.h>

/* ---- reading ---- */

static lode_shape shape_or_none(const lode__world *world, uint32_t shape)
{
    return shape == LODE__NONE ? (lode_shape){0} : shape_handle(world, shape);
}

static lode_body body_or_none(const lode__world *world, uint32_t body)
{
    return body == LODE__NONE ? (lode_body){0} : body_handle(world, body);
}

static void copy_contact(const lode__world *world, const lode__manifold *manifold,
                         lode_contact *out)
{
    lode_vec3 center = BODY(world, pose, manifold->body_a)->position;
    bool a_movable = flags_movable(*BODY(world, flags, manifold->body_a));
    const lode__pool *manifolds = &world->collide.manifolds;
    *out = (lode_contact){.shape_a = shape_or_none(world, manifold->shape_a),
                          .shape_b = shape_or_none(world, manifold->shape_b),
                          .body_a = body_handle(world, manifold->body_a),
                          .body_b = body_or_none(world, manifold->body_b),
                          .normal = manifold->normal,
                          .point_count = manifold->point_count,
                          .moment = manifold->special ? special_of(manifolds, manifold)->turned
                                                      : v3_zero()};
    for (int i = 0; i < manifold->point_count; ++i) {
        const lode__point *point = &manifold->points[i];
        out->points[i] = (lode_contact_point){
            .position = v3_add(center, point->position),
            .depth = point->depth,
            .impulse = exerted_on_a(manifold, point, a_movable),
            .feature = point->feature,
            .child_a = (int)point->child_a - 1,
            .child_b = (int)point->child_b - 1,
        };
    }
}

/* Contacts that are copied as far as there is room and counted all the same. */
typedef struct contact_list {
    const lode__world *world;
    lode_contact *out;
    int capacity, count;
} contact_list;

static void put_contact(contact_list *list, const lode__manifold *manifold)
{
    if (list->count < list->capacity)
        copy_contact(list->world, manifold, &list->out[list->count]);
    ++list->count;
}

static void put_resting(contact_list *list)
{
    const lode__collide *collide = &list->world->collide;
    const lode__bits *alive = &collide->shapes.alive;
    for (uint32_t s = lode__bits_next(alive, 0); s != UINT32_MAX;
         s = lode__bits_next(alive, s + 1)) {
        uint32_t at = *SHAPE(list->world, resting, s);
        const lode__manifold *m;
        while ((m = lode__collide_next_resting(collide, &at)))
            put_contact(list, m);
    }
}

int lode_world_get_contacts(lode_world world, lode_contact *out_contacts, int capacity)
{
    lode__world *w;
    if (lode__open_world_staged(&w, world, __func__) ||
        lode__check_capacity(out_contacts, capacity, __func__, "out_contacts"))
        return 0;
    contact_list list = {w, out_contacts, capacity, 0};
    lode__collide_settle(&w->collide);
    lode__pair_walk walk = lode__pairs_walk(&w->collide.pairs);
    const lode__pair *pair;
    while ((pair = lode__pairs_next(&w->collide.pairs, &walk))) {
        uint32_t slot = pair->manifold;
        const lode__manifold *m;
        while ((m = lode__many_next(&w->collide, &slot)))
            if (m->point_count > 0)
                put_contact(&list, m);
    }
    if (w->collide.resting_count > 0)
        put_resting(&list);
    for (uint32_t i = 0; i < w->made.last.count; ++i)
        if (lode__made_stands(w, &w->made.last.items[i]))
            put_contact(&list, &w->made.last.items[i].manifold);
    return list.count;
}

/* ---- making ---- */

lode_contact_def lode_contact_def_default(void)
{
    return (lode_contact_def){.normal = {0, 0, 1},
                              .friction = {(lode_real)0.6, (lode_real)0.6},
                              .bounce_speed = -1,
                              .soft_erp = -1,
                              .soft_cfm = -1};
}

/* What it shares with the surfaces of shapes. */
static lode_surface surface_of(const lode_contact_def *def)
{
    lode_surface s = lode_surface_default();
    for (int k = 0; k < 2; ++k) {
        s.law[k] = def->law[k];
        s.slip[k] = def->slip[k];
    }
    for (int k = 0; k < 3; ++k)
        s.rolling[k] = def->rolling[k];
    s.bounce_speed = def->bounce_speed;
    s.soft_erp = def->soft_erp;
    s.soft_cfm = def->soft_cfm;
    s.motion = v3(def->motion[0], def->motion[1], 0);
    s.motion_normal = def->motion_normal;
    return s;
}

/* Numbers below zero that say that nothing is given are one: points are compared by their bytes. */
static lode_real given(lode_real x)
{
    return x < 0 ? -1 : x;
}

/* It says nothing of the surface beyond friction and restitution, as most do. */
static bool is_usual(const lode_contact_def *def)
{
    bool usual = def->bounce_speed < 0 && def->soft_erp < 0 && def->soft_cfm < 0 &&
                 def->motion_normal == 0 && def->immovable == LODE_IMMOVABLE_NONE;
    for (int k = 0; k < 2; ++k)
        usual = usual && def->law[k] == LODE_LAW_WORLD && def->slip[k] == 0 && def->motion[k] == 0;
    for (int k = 0; k < 3; ++k)
        usual = usual && def->rolling[k] == 0;
    return usual;
}

static lode__special special_in(const lode_contact_def *def, lode_vec3 normal, lode_vec3 tangent)
{
    if (is_usual(def))
        return LODE__MADE_USUAL;
    lode__special s = {.bounce_speed = given(def->bounce_speed),
                       .erp = given(def->soft_erp),
                       .cfm = given(def->soft_cfm),
                       .immovable = (uint8_t)def->immovable};
    s.motion = v3_madd(v3_scale(normal, def->motion_normal), tangent, def->motion[0]);
    s.motion = v3_madd(s.motion, v3_cross(normal, tangent), def->motion[1]);
    for (int k = 0; k < 2; ++k) {
        s.law[k] = (uint8_t)def->law[k];
        s.slip[k] = def->slip[k];
    }
    for (int k = 0; k < 3; ++k) {
        s.rolling[k] = r_min(def->rolling[k], REAL_MAX);
        s.moment[k] = def->rolling_is_moment[k];
    }
    return s;
}

static lode_status check_numbers(const lode_contact_def *def, const char *function)
{
    lode_status status = lode__check_vec3(def->position, function, "contacts.position");
    if (!status)
        status = lode__check(v3_finite(def->normal) && !v3_is_zero(def->normal), function,
                             "contacts.normal", "must be finite and not zero");
    if (!status)
        status = lode__check(r_finite(def->depth), function, "contacts.depth", "must be finite");
    if (!status)
        status = lode__check(def->friction[0] >= 0 && def->friction[1] >= 0, function,
                             "contacts.friction", "must be at least 0");
    if (!status)
        status = lode__check_vec3(def->direction, function, "contacts.direction");
    if (!status)
        status = lode__check(is_within(def->restitution, 0, 1), function, "contacts.restitution",
                             "must be within 0 and 1");
    if (status || is_usual(def))
        return status;
    status = lode__check((unsigned)def->immovable < LODE_IMMOVABLE_COUNT, function,
                         "contacts.immovable", "must be one of lode_immovable");
    if (status)
        return status;
    lode_surface surface = surface_of(def);
    status = lode__check_surface(&surface, LODE__SURFACE_OF_CONTACT, function);
    if (!status)
        status = lode__check((def->motion[0] == 0 && def->motion[1] == 0) ||
                                 !v3_is_zero(def->direction),
                             function, "contacts.motion", "asks for a direction");
    return status;
}

/* The slot of one side, LODE__NONE for the world. */
static lode_status open_side(const lode__world *world, lode_body body, const char *function,
                             const char *argument, uint32_t *out_slot)
{
    lode__object b;
    *out_slot = LODE__NONE;
    if (body.id == 0)
        return LODE_OK;
    lode_status status = lode__open_member(&b, world, body, function, argument);
    if (status)
        return status;
    *out_slot = b.slot;
    return LODE_OK;
}

/* The part of the direction across the normal, of unit length; zero if none is given. */
static lode_status find_tangent(lode_vec3 direction, lode_vec3 normal, lode_vec3 *out,
                                const char *function)
{
    *out = v3_zero();
    if (v3_is_zero(direction))
        return LODE_OK;
    lode_vec3 unit = v3_normalize_or(direction, normal);
    lode_vec3 across = v3_madd(unit, normal, -v3_dot(unit, normal));
    if (v3_length(across) < (lode_real)1e-3)
        return lode__check(false, function, "contacts.direction", "must not be along the normal");
    across = v3_normalize_or(across, across);
    *out = v3_normalize_or(v3_madd(across, normal, -v3_dot(across, normal)), across);
    return LODE_OK;
}

lode_status lode__made_axes_find(lode_vec3 normal, lode_vec3 direction, lode__made_axes *axes,
                                 const char *function)
{
    if (axes->known && memcmp(&axes->given_normal, &normal, sizeof normal) == 0 &&
        memcmp(&axes->given_direction, &direction, sizeof direction) == 0)
        return LODE_OK;
    axes->given_normal = normal;
    axes->given_direction = direction;
    axes->normal = v3_normalize_or(normal, v3(0, 0, 1));
    lode_status status = find_tangent(direction, axes->normal, &axes->tangent, function);
    axes->known = !status;
    return status;
}

lode_status lode__made_values(const lode_contact_def *def, lode__made_axes *axes,
                              lode__made_point *out, const char *function)
{
    lode_status status = check_numbers(def, function);
    if (status)
        return status;
    out->position = def->position;
    status = lode__made_axes_find(def->normal, def->direction, axes, function);
    out->normal = axes->normal;
    out->tangent = axes->tangent;
    out->depth = def->depth;
    out->friction[0] = r_min(def->friction[0], REAL_MAX);
    out->friction[1] = r_min(def->friction[1], REAL_MAX);
    out->restitution = def->restitution;
    out->special = special_in(def, out->normal, out->tangent);
    out->usual = !lode__special_is_needed(&out->special);
    return status;
}

static uint32_t generation_of(const lode__world *world, uint32_t body)
{
    return body == LODE__NONE ? 0 : lode__pool_generation(&world->bodies, body);
}

static void join_special(lode__special *special, bool turned)
{
    if (turned) {
        special->motion = v3_neg(special->motion);
        special->immovable = swap_immovable(special->immovable, true);
    }
    special->motion = v3_add(special->motion, v3_zero());
}

/* That of lower slot comes first; the normal has the same bits whichever was named first. */
void lode__made_join(const lode__world *world, uint32_t body_a, uint32_t body_b,
                     lode__made_point *point)
{
    bool turned = body_a > body_b;
    uint32_t low = turned ? body_b : body_a, high = turned ? body_a : body_b;
    if (turned)
        point->normal = v3_neg(point->normal);
    point->normal = v3_add(point->normal, v3_zero());
    if (!point->usual)
        join_special(&point->special, turned);
    point->pair = (uint64_t)low << 32 | high;
    point->generation_a = generation_of(world, low);
    point->generation_b = generation_of(world, high);
}

static lode_status make_point(const lode__world *world, const lode_contact_def *def,
                              lode__made_axes *axes, lode__made_point *out, const char *function)
{
    uint32_t a, b;
    lode_status status = open_side(world, def->body_a, function, "contacts.body_a", &a);
    if (!status)
        status = open_side(world, def->body_b, function, "contacts.body_b", &b);
    if (!status)
        status = lode__check(a != b, function, "contacts.body_b",
                             "must not be body_a, nor may both be null");
    if (!status)
        status = lode__made_values(def, axes, out, function);
    if (!status)
        lode__made_join(world, a, b, out);
    return status;
}

lode_status lode_world_add_contacts(lode_world world, const lode_contact_def *contacts, int count)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check(count >= 0, __func__, "count", "must be at least 0");
    if (!status)
        status = lode__check(contacts || count == 0, __func__, "contacts", "must not be null");
    if (status)
        return status;
    if (!lode__made_reserve(&w->made, (uint32_t)count))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    lode__made_axes axes = {.known = false};
    for (int i = 0; i < count; ++i) {
        status = make_point(w, &contacts[i], &axes, &w->made.points[w->made.count + (uint32_t)i],
                            __func__);
        if (status)
            return status;
    }
    w->made.count += (uint32_t)count;
    return LODE_OK;
}
