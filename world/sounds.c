/* sounds.c: see sounds.h. */
#include "world/sounds.h"

#include "collide/mix.h"
#include "collide/materials.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/world.h"

void lode__sounds_free(lode__sounds *sounds)
{
    lode__free(sounds->impacts, sounds->impact_capacity * sizeof *sounds->impacts);
    lode__free(sounds->rolls, sounds->roll_capacity * sizeof *sounds->rolls);
    lode__free(sounds->slides, sounds->slide_capacity * sizeof *sounds->slides);
}

size_t lode__sounds_bytes(const lode__sounds *sounds)
{
    return sounds->impact_capacity * sizeof *sounds->impacts +
           sounds->roll_capacity * sizeof *sounds->rolls +
           sounds->slide_capacity * sizeof *sounds->slides;
}

void lode__sounds_forget(lode__sounds *sounds)
{
    sounds->impact_count = sounds->roll_count = sounds->slide_count = sounds->heard_count = 0;
}

/* ---- motion ---- */

static lode_vec3 across(lode_vec3 v, lode_vec3 n)
{
    return v3_madd(v, n, -v3_dot(v, n));
}

static lode__closing closing_of(const lode__world *world, const lode__manifold *m)
{
    const lode__velocity *a = BODY(world, velocity, m->body_a);
    const lode__velocity *b = BODY(world, velocity, m->body_b);
    lode_vec3 of_b = v3_add(b->linear, v3_cross(b->angular, m->offset));
    lode__closing out = {v3_sub(a->linear, of_b), v3_sub(a->angular, b->angular)};
    if (m->special)
        out.linear = v3_sub(out.linear,
                            across(special_of(&world->collide.manifolds, m)->motion, m->normal));
    return out;
}

static lode_vec3 closing_at(const lode__closing *closing, lode_vec3 x)
{
    return v3_add(closing->linear, v3_cross(closing->angular, x));
}

/* ---- before solve ---- */

static bool is_asked_for(const lode__world *world, const lode__manifold *m)
{
    return (*SHAPE(world, flags, m->shape_a) | *SHAPE(world, flags, m->shape_b)) &
           LODE__SHAPE_SOUNDS;
}

static lode__inv_mass mass_of(const lode__world *world, uint32_t body)
{
    return flags_movable(*BODY(world, flags, body)) ? lode__mass_inverse(world, body)
                                                    : (lode__inv_mass){0};
}

static lode__heard hear(const lode__world *world, const lode__manifold *m)
{
    int immovable = immovable_of(&world->collide.manifolds, m);
    lode__heard heard = {
        .manifold = m,
        .center = BODY(world, pose, m->body_a)->position,
        .closing = closing_of(world, m),
        .mass = {mass_of(world, m->body_a), mass_of(world, m->body_b)},
    };
    if (immovable)
        heard.mass[immovable == LODE_IMMOVABLE_SECOND] = (lode__inv_mass){0};
    return heard;
}

static bool reserve(lode__sounds *s, uint32_t count)
{
    return lode__grow((void **)&s->impacts, &s->impact_capacity, count, sizeof *s->impacts) &&
           lode__grow((void **)&s->rolls, &s->roll_capacity, count, sizeof *s->rolls) &&
           lode__grow((void **)&s->slides, &s->slide_capacity, count, sizeof *s->slides);
}

bool lode__sounds_prepare(lode__world *world, const lode__step *step)
{
    const lode__collide *collide = &world->collide;
    lode__sounds *sounds = &world->sounds;
    uint32_t count = 0;
    sounds->heard_count = 0;
    for (uint32_t i = 0; i < collide->touching_count && sounds->asking_count > 0; ++i)
        count += is_asked_for(world, collide->touching[i]);
    if (count == 0)
        return true;
    sounds->heard = LODE__TAKE(step->arena, lode__heard, count);
    sounds->corners = LODE__TAKE(step->arena, lode_vec3, (size_t)count * LODE__MANIFOLD_POINTS);
    if (!sounds->heard || !sounds->corners || !reserve(sounds, count))
        return false;
    for (uint32_t i = 0; i < collide->touching_count; ++i)
        if (is_asked_for(world, collide->touching[i]))
            sounds->heard[sounds->heard_count++] = hear(world, collide->touching[i]);
    return true;
}

/* ---- who and where ---- */

static lode_sound_contact contact_of(const lode__world *world, const lode__heard *heard,
                                     lode_real impulse, lode_vec3 x)
{
    const lode__manifold *m = heard->manifold;
    const lode__materials *materials = &world->collide.materials;
    uint32_t of[2];
    lode__manifold_materials(&world->collide, m, of);
    uint32_t a = of[0], b = of[1];
    lode_touch_event touch = lode__touch_of(world, m->shape_a, m->shape_b);
    lode_sound_contact out = {
        .shape_a = touch.shape_a,
        .shape_b = touch.shape_b,
        .body_a = touch.body_a,
        .body_b = touch.body_b,
        .user_data_a = touch.user_data_a,
        .user_data_b = touch.user_data_b,
        .material_a = kept_name(&materials->names, a),
        .material_b = kept_name(&materials->names, b),
        .position = v3_add(heard->center, x),
        .normal = m->normal,
        .impulse = impulse,
    };
    bool swapped;
    const lode__material_rule *rule = lode__materials_find(materials, a, b, &swapped);
    for (int kind = 0; kind < LODE_SOUND_COUNT && (a || b); ++kind)
        out.sounds[kind] = (lode_sound){kept_name(&materials->names, rule->sound[kind]),
                                        (int)rule->sound[kind]};
    return out;
}

/* ---- impacts ---- */

/* 1/kg: how much faster a body becomes at x along n by an impulse of 1 N s there. */
static lode_real yield_of(const lode__inv_mass *mass, lode_vec3 x, lode_vec3 n)
{
    const lode_real inertia[6] = {mass->xx, mass->yy, mass->zz, mass->xy, mass->xz, mass->yz};
    lode_vec3 lever = v3_cross(x, n);
    return mass->inv_mass + v3_dot(s3_mul(inertia, lever), lever);
}

static lode_impact_sound impact_of(const lode__heard *heard, const lode__closing *after,
                                   lode_vec3 x)
{
    const lode__manifold *m = heard->manifold;
    lode_real yield = yield_of(&heard->mass[0], x, m->normal) +
                      yield_of(&heard->mass[1], v3_add(x, m->offset), m->normal);
    lode_vec3 closing = closing_at(&heard->closing, x);
    lode_real approach = -v3_dot(closing, m->normal);
    lode_real parting = r_max(v3_dot(closing_at(after, x), m->normal), 0);
    lode_real share = yield > 0 ? 1 / (2 * yield) : 0, square = approach * approach;
    return (lode_impact_sound){
        .speed = v3_length(closing),
        .approach_speed = approach,
        .energy = share * square,
        .lost = share * r_max(square - parting * parting, 0),
    };
}

/* ---- rolling ---- */

static lode_roll_sound roll_of(const lode__world *world, const lode__manifold *m)
{
    lode_vec3 a = across(BODY(world, velocity, m->body_a)->angular, m->normal);
    lode_vec3 b = across(BODY(world, velocity, m->body_b)->angular, m->normal);
    return (lode_roll_sound){
        .angular_speed_a = v3_length(a),
        .angular_speed_b = v3_length(b),
        .angular_speed = v3_length(v3_sub(a, b)),
    };
}

/* ---- sliding ---- */

/* Any two sides and diagonals that join four points make a polygon within the one around them, as
 * do any three of them; one of those is all of it. Missing points are filled up with the first. */
static lode_real area_around_four(const lode_vec3 *points, int count, lode_vec3 n)
{
    static const int crossing[3][4] = {{0, 2, 1, 3}, {0, 1, 2, 3}, {0, 3, 1, 2}};
    lode_vec3 p[LODE__MANIFOLD_POINTS];
    lode_real twice = 0;
    for (int k = 0; k < LODE__MANIFOLD_POINTS; ++k)
        p[k] = k < count ? v3_sub(points[k], points[0]) : v3_zero();
    for (int i = 0; i < 3; ++i) {
        const int *c = crossing[i];
        lode_vec3 one = v3_sub(p[c[1]], p[c[0]]), other = v3_sub(p[c[3]], p[c[2]]);
        twice = r_max(twice, r_abs(v3_dot(v3_cross(one, other), n)));
    }
    for (int i = 0; i < 4; ++i) {
        lode_vec3 corner = p[i];
        lode_vec3 one = v3_sub(p[(i + 1) % 4], corner), other = v3_sub(p[(i + 2) % 4], corner);
        twice = r_max(twice, r_abs(v3_dot(v3_cross(one, other), n)));
    }
    return twice / 2;
}

static int farthest_along(const lode_vec3 *points, int count, lode_vec3 way)
{
    int best = 0;
    for (int k = 1; k < count; ++k)
        if (v3_dot(way, v3_sub(points[k], points[best])) > 0)
            best = k;
    return best;
}

/* Of the corner after corner `at` of the polygon around all points, seen along n: that of which
 * none lies to the right. */
static int next_corner(const lode_vec3 *points, int count, lode_vec3 n, int at)
{
    int best = at;
    for (int k = 0; k < count; ++k) {
        lode_vec3 to = v3_sub(points[k], points[at]), most = v3_sub(points[best], points[at]);
        lode_real right = v3_dot(v3_cross(to, most), n);
        if (best == at ? v3_dot(to, to) > 0
                       : right > 0 || (right == 0 && v3_dot(to, to) > v3_dot(most, most)))
            best = k;
    }
    return best;
}

/* Goes around them (Jarvis 1973). */
lode_real lode__area_around(const lode_vec3 *points, int count, lode_vec3 n)
{
    if (count <= LODE__MANIFOLD_POINTS)
        return area_around_four(points, count, n);
    const int first = farthest_along(points, count, contact_tangent(n));
    lode_real twice = 0;
    for (int i = 0, at = first; i < count; ++i) {
        int next = next_corner(points, count, n, at);
        lode_vec3 one = v3_sub(points[at], points[first]),
                  other = v3_sub(points[next], points[first]);
        twice += v3_dot(v3_cross(one, other), n);
        at = next;
        if (at == first)
            break;
    }
    return r_abs(twice) / 2;
}

/* The manifolds of one contact, one behind the other. */
typedef struct patch {
    const lode__heard *heard;
    uint32_t count;
    lode_vec3 *corners; /* room for all their points */
} patch;

static lode_real area_of(const patch *patch)
{
    int count = 0;
    for (uint32_t i = 0; i < patch->count; ++i) {
        const lode__manifold *m = patch->heard[i].manifold;
        for (int k = 0; k < m->point_count; ++k)
            if (m->points[k].depth >= 0 || m->points[k].exerted[0] > 0)
                patch->corners[count++] = m->points[k].position;
    }
    return count > 2 ? lode__area_around(patch->corners, count, patch->heard->manifold->normal) : 0;
}

static lode_slide_sound slide_of(const lode__world *world, const patch *patch,
                                 const lode__closing *after, lode_real impulse, lode_real dt)
{
    lode_real moved = 0, work = 0;
    for (uint32_t i = 0; i < patch->count; ++i) {
        const lode__manifold *m = patch->heard[i].manifold;
        bool a_movable = flags_movable(*BODY(world, flags, m->body_a));
        for (int k = 0; k < m->point_count; ++k) {
            const lode__point *point = &m->points[k];
            lode_vec3 slip = across(closing_at(after, point->position), m->normal);
            moved += v3_length(slip) * point->exerted[0];
            work -= v3_dot(exerted_on_a(m, point, a_movable), slip);
        }
    }
    return (lode_slide_sound){
        .speed = moved / impulse, .area = area_of(patch), .power = r_max(work / dt, 0)};
}

/* ---- all ---- */

static void tell(lode__world *world, const lode__step *step, const patch *patch)
{
    const lode__heard *heard = patch->heard;
    const lode__manifold *m = heard->manifold;
    lode__sounds *out = &world->sounds;
    lode__push push = {.impulse = 0};
    for (uint32_t i = 0; i < patch->count; ++i)
        lode__push_add(&push, heard[i].manifold);
    if (!(push.impulse > 0))
        return;
    lode_vec3 x = push_place(&push);
    lode__closing after = closing_of(world, m);
    lode_impact_sound impact = impact_of(heard, &after, x);
    if (impact.approach_speed >= LODE__SPEED(&world->def, world->def.impact_threshold)) {
        impact.contact = contact_of(world, heard, push.impulse, x);
        out->impacts[out->impact_count++] = impact;
        return;
    }
    lode_roll_sound roll = roll_of(world, m);
    if (roll.angular_speed >= LODE_SOUND_ROLL_SPEED) {
        roll.contact = contact_of(world, heard, push.impulse, x);
        out->rolls[out->roll_count++] = roll;
    }
    lode_slide_sound slide = slide_of(world, patch, &after, push.impulse, step->dt);
    if (slide.speed >= LODE__SPEED(&world->def, LODE_SOUND_SLIDE_SPEED)) {
        slide.contact = contact_of(world, heard, push.impulse, x);
        out->slides[out->slide_count++] = slide;
    }
}

void lode__sounds_run(lode__world *world, const lode__step *step)
{
    const lode__sounds *sounds = &world->sounds;
    patch patch = {.corners = sounds->corners};
    for (uint32_t i = 0; i < sounds->heard_count; i += patch.count) {
        patch.heard = &sounds->heard[i];
        patch.count = 1;
        while (i + patch.count < sounds->heard_count &&
               lode__manifolds_are_one(&world->collide, patch.heard->manifold,
                                       patch.heard[patch.count].manifold))
            ++patch.count;
        tell(world, step, &patch);
    }
}

/* ---- what the caller sees ---- */

lode_sounds lode_world_get_sounds(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_sounds){0};
    return (lode_sounds){
        .impact_count = (int)w->sounds.impact_count,
        .roll_count = (int)w->sounds.roll_count,
        .slide_count = (int)w->sounds.slide_count,
        .impacts = w->sounds.impacts,
        .rolls = w->sounds.rolls,
        .slides = w->sounds.slides,
    };
}

int lode_world_find_sound(lode_world world, const char *name)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check(name != NULL, __func__, "name", "must not be null"))
        return 0;
    return (int)lode__name_find(&w->collide.materials.names, name);
}
