/* Which impulses contacts made by the caller begin with, against a search by hand: each new point
 * takes from the nearest old one of its pair that is free, seen from whichever body it moved less
 * against, and friction keeps its direction in the world. */
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "world/world.h"

#include <math.h>

enum { MOST = 6 };

static const lode_real most_way = (lode_real)0.02; /* of a point that is still the same, m */

static lode_real some(test_random *random, double most)
{
    return (lode_real)random_between(random, -most, most);
}

static lode_vec3 some_vector(test_random *random, double most)
{
    lode_real x = some(random, most), y = some(random, most);
    return v3(x, y, some(random, most));
}

/* Two bodies, or one and the world. */
typedef struct couple {
    lode_world world;
    lode__world *w;
    lode_body a, b;
    lode__arena arena;
    int count;
    lode_contact_def points[MOST];
} couple;

static lode_immovable some_immovable(const couple *c, test_random *random)
{
    return c->b.id && random_below(random, 3) == 0 ? LODE_IMMOVABLE_FIRST : LODE_IMMOVABLE_NONE;
}

static void begin(couple *c, test_random *random)
{
    lode_world_def def = lode_world_def_default();
    *c = (couple){.world = lode_world_create(&def)};
    assert_int_equal(lode__open_world(&c->w, c->world, __func__), LODE_OK);
    c->a = add_body(c->world, LODE_DYNAMIC, 0, 0, some(random, 1));
    if (random_below(random, 3) > 0)
        c->b = add_body(c->world, LODE_DYNAMIC, 0, some(random, 1), -1);
    c->count = 1 + (int)random_below(random, MOST);
    lode_vec3 normal = v3_normalize_or(some_vector(random, 1), v3(0, 0, 1)), other = normal;
    if (random_below(random, 2))
        other = v3_normalize_or(some_vector(random, 1), v3(0, 1, 0));
    lode_vec3 direction = random_below(random, 2) ? some_vector(random, 1) : v3_zero();
    lode_immovable immovable = some_immovable(c, random);
    for (int i = 0; i < c->count; ++i) {
        c->points[i] = lode_contact_def_default();
        c->points[i].body_a = c->a;
        c->points[i].body_b = c->b;
        c->points[i].position = some_vector(random, random_below(random, 2) ? 0.5 : 0.02);
        c->points[i].normal = random_below(random, 3) ? normal : other;
        c->points[i].direction = direction;
        c->points[i].immovable = immovable;
    }
}

static void end(couple *c)
{
    lode__arena_free(&c->arena);
    lode_world_destroy(c->world);
}

static void build(couple *c)
{
    lode_world_stats stats;
    const lode__step step = {.arena = &c->arena, .settings = &c->w->def, .stats = &stats};
    assert_int_equal(lode_world_add_contacts(c->world, c->points, c->count), LODE_OK);
    assert_true(lode__made_build(c->w, &step));
    assert_int_equal(c->w->made.now.point_count, c->count);
}

/* What the step before has exerted. */
static void exert(couple *c, test_random *random)
{
    for (uint32_t m = 0; m < c->w->made.now.count; ++m)
        for (int i = 0; i < c->w->made.now.items[m].manifold.point_count; ++i)
            for (int k = 0; k < 3; ++k)
                c->w->made.now.items[m].manifold.points[i].impulse[k] = some(random, 1);
    lode__made_consume(&c->w->made);
}

/* Both go along as one, or each goes its way. */
static void set_velocities(couple *c, test_random *random, bool rests)
{
    lode_vec3 v = v3_zero(), w = v3_zero();
    if (c->b.id) {
        v = some_vector(random, 1);
        w = some_vector(random, 1);
        lode_body_set_linear_velocity(c->b, v);
        lode_body_set_angular_velocity(c->b, w);
        v = v3_add(v, v3_cross(w, v3_sub(lode_body_get_center(c->a), lode_body_get_center(c->b))));
    }
    lode_body_set_linear_velocity(c->a, rests ? v : some_vector(random, 1));
    lode_body_set_angular_velocity(c->a, rests ? w : some_vector(random, 1));
}

/* A step later: bodies and points have moved, and come in another order. */
static void go_on(couple *c, test_random *random)
{
    static const double turns[] = {0, 0.002, 0.1};
    double turned = turns[random_below(random, 3)];
    lode_vec3 turn = some_vector(random, turned), way = some_vector(random, 0.01);
    lode_vec3 direction = random_below(random, 3) ? v3_add(c->points[0].direction, turn)
                                                  : some_vector(random, 1);
    lode_immovable immovable = random_below(random, 2) ? c->points[0].immovable
                                                       : some_immovable(c, random);
    bool with_a = random_below(random, 2); /* or with b, while a slides past */
    lode_vec3 *at = &LODE__AT(body, &c->w->bodies, pose, 0)->position;
    *at = v3_add(*at, way);
    for (int i = 0; i < c->count; ++i) {
        lode_contact_def *p = &c->points[i], *q = &c->points[random_below(random, c->count)];
        p->position = v3_add(p->position,
                             some_vector(random, random_below(random, 4) ? 0.005 : 0.05));
        p->position = with_a ? v3_add(p->position, way) : p->position;
        p->normal = v3_normalize_or(v3_add(p->normal, turn), p->normal);
        p->direction = direction;
        p->immovable = immovable;
        lode_contact_def kept = *p;
        *p = *q;
        *q = kept;
    }
}

/* --- the search by hand */

typedef struct frame {
    lode_vec3 n, t, u;
} frame;

static frame frame_of(const lode__manifold *m)
{
    lode_vec3 n = m->turned ? v3_neg(m->normal) : m->normal, t = contact_direction(m, n);
    return (frame){n, t, v3_cross(n, t)};
}

static lode_real share_of(const lode__world *w, const lode__manifold *m)
{
    lode_real fastest = 0;
    for (int i = 0; i < m->point_count; ++i) {
        lode_vec3 at = m->points[i].position;
        lode_vec3 v = velocity_at(LODE__AT(body, &w->bodies, velocity, m->body_a), at);
        if (m->body_b != LODE__NONE)
            v = v3_sub(v, velocity_at(LODE__AT(body, &w->bodies, velocity, m->body_b),
                                      v3_add(at, m->offset)));
        fastest = r_max(fastest, r_abs(v3_dot(v, m->normal)));
    }
    if (!w->made.fading.fades)
        return 1;
    return fastest <= w->made.fading.rest_speed ? w->made.fading.share : 0;
}

static void expect_impulse(const lode__world *w, const lode__manifold *old, int i,
                           const lode__manifold *m, int k)
{
    const lode_real *before = old->points[i].impulse, *now = m->points[k].impulse;
    const frame f = frame_of(old), g = frame_of(m);
    const lode_vec3 friction = v3_madd(v3_scale(f.t, before[1]), f.u, before[2]);
    lode_real expected[3] = {before[0], v3_dot(friction, g.t), v3_dot(friction, g.u)};
    bool given = v3_length(old->tangent) > 0 && v3_length(m->tangent) > 0;
    double tolerance = 64 * REAL_EPSILON;
    if (given && v3_dot(f.n, g.n) > 0 && v3_dot(f.t, g.t) > (lode_real)0.999)
        tolerance = 0.04; /* so little is not turned by */
    for (int x = 0; x < 3; ++x)
        assert_true(fabs((double)(now[x] - share_of(w, old) * expected[x])) <= tolerance);
}

/* Takes a match away from `left`. Returns whether there was one. */
static bool check_point(const lode__made_contacts *made, const lode__world *w,
                        const lode__manifold *m, int k, uint32_t *left)
{
    lode_real nearest = most_way * most_way;
    uint32_t best = UINT32_MAX;
    int best_point = 0;
    for (uint32_t o = 0; o < made->last.count; ++o) {
        const lode__manifold *old = &made->last.items[o].manifold;
        for (int i = 0; i < old->point_count; ++i) {
            lode_vec3 from_a = v3_sub(m->points[k].position, old->points[i].position);
            lode_vec3 from_b = v3_add(from_a, v3_sub(m->offset, old->offset));
            lode_real way = r_min(v3_dot(from_a, from_a), v3_dot(from_b, from_b));
            bool fits = left[o] >> i & 1 && v3_dot(old->normal, m->normal) >= (lode_real)0.9;
            if (!fits || !(way < nearest))
                continue;
            nearest = way;
            best = o;
            best_point = i;
        }
    }
    if (best == UINT32_MAX) {
        for (int x = 0; x < 3; ++x)
            assert_true(m->points[k].impulse[x] == 0);
        return false;
    }
    left[best] &= ~(1u << best_point);
    expect_impulse(w, &made->last.items[best].manifold, best_point, m, k);
    return true;
}

static int check_all(const couple *c)
{
    uint32_t left[MOST];
    int found = 0;
    for (int o = 0; o < MOST; ++o)
        left[o] = UINT32_MAX;
    for (uint32_t i = 0; i < c->w->made.now.count; ++i)
        for (int k = 0; k < c->w->made.now.items[i].manifold.point_count; ++k)
            found += check_point(&c->w->made, c->w, &c->w->made.now.items[i].manifold, k, left);
    return found;
}

static void points_begin_with_what_the_nearest_exerted(void **state)
{
    (void)state;
    test_random random = {31};
    int found = 0, points = 0;
    for (int round = 0; round < 4000; ++round) {
        couple c;
        begin(&c, &random);
        build(&c);
        exert(&c, &random);
        go_on(&c, &random);
        set_velocities(&c, &random, random_below(&random, 2));
        c.w->made.fading = (lode__made_fading){.fades = random_below(&random, 2),
                                               .share = (lode_real)0.7,
                                               .rest_speed = (lode_real)1e-3};
        build(&c);
        found += check_all(&c);
        points += c.count;
        end(&c);
    }
    print_message("%d of %d points have a match\n", found, points);
    assert_true(found > 4000 && found < points - 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_begin_with_what_the_nearest_exerted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
