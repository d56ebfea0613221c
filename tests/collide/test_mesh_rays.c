/* Rays at meshes, one by one and eight together, on every instruction set: exactly the hits that
 * ray_meets() finds in a look at every triangle, to the bit. Rays aim at corners and edges, run
 * along axes and within planes, side by side, from one point, or anywhere; lanes are left out, and
 * who hears shortens some rays and ends others. Where eight hits are is where each is. */
#include "tests/support/test.h"

#include "collide/kernels.h"
#include "collide/query_type.h"
#include "collide/ray_triangle.h"
#include "lode/setup.h"
#include "tests/collide/meshes.h"

#include <string.h>

enum { MOST_HITS = 400, ROUNDS = 400 };

typedef enum mode { HEAR_ALL, HEAR_CLOSEST, HEAR_ONE, MODES } mode;

/* What one ray hears. */
typedef struct ear {
    lode__part_hit hits[MOST_HITS];
    int count;
    mode mode;
    bool over; /* ended */
} ear;

static mesh_draft draft;

static lode_real between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

/* --- hearing */

static lode_real hear(void *context, const lode__part_hit *hit, lode_real most)
{
    ear *e = context;
    assert_false(e->over);
    assert_true(hit->t >= 0 && hit->t <= most && e->count < MOST_HITS);
    e->hits[e->count++] = *hit;
    e->over = e->mode == HEAR_ONE;
    return e->over ? -1 : e->mode == HEAR_CLOSEST ? hit->t : most;
}

static lode_real hear_lane(void *context, int lane, const lode__part_hit *hit, lode_real most)
{
    return hear((ear *)context + lane, hit, most);
}

static bool same_hit(const lode__part_hit *a, const lode__part_hit *b)
{
    return a->part == b->part && memcmp(&a->t, &b->t, sizeof a->t) == 0 &&
           memcmp(&a->u, &b->u, sizeof a->u) == 0 && memcmp(&a->v, &b->v, sizeof a->v) == 0 &&
           a->back == b->back;
}

static int times_heard(const ear *e, const lode__part_hit *hit)
{
    int times = 0;
    for (int i = 0; i < e->count; ++i)
        times += same_hit(&e->hits[i], hit);
    return times;
}

/* Every triangle, one by one. */
static void find_all(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real most,
                     ear *out)
{
    lode__ray_frame frame;
    ray_frame_set(&frame, origin, direction);
    out->count = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        lode__triangle triangle = mesh_triangle(mesh, t);
        lode__part_hit hit = {.part = (int32_t)t};
        double corners[3][3];
        for (int k = 0; k < 3; ++k)
            get3(triangle.v[k], corners[k]);
        if (mesh->flags[t] & LODE__TRIANGLE_IGNORED || !ray_meets(&frame, corners, &hit) ||
            !(hit.t <= most))
            continue;
        assert_true(out->count < MOST_HITS);
        out->hits[out->count++] = hit;
    }
}

static void check_heard(const ear *heard, const ear *all)
{
    lode_real closest = REAL_MAX;
    for (int i = 0; i < all->count; ++i)
        closest = r_min(all->hits[i].t, closest);
    for (int i = 0; i < heard->count; ++i)
        assert_int_equal(times_heard(all, &heard->hits[i]), 1);
    for (int i = 0; i < all->count; ++i) {
        int times = times_heard(heard, &all->hits[i]);
        assert_true(times <= 1);
        if (heard->mode == HEAR_ALL || (heard->mode == HEAR_CLOSEST && all->hits[i].t == closest))
            assert_int_equal(times, 1);
    }
    if (heard->mode == HEAR_ONE)
        assert_int_equal(heard->count, all->count > 0);
}

/* --- rays */

/* A corner, a place on an edge, or one within. */
static lode_vec3 place_on(const lode__mesh *mesh, test_random *random)
{
    lode__triangle t = mesh_triangle(mesh, random_below(random, mesh->triangle_count));
    uint32_t kind = random_below(random, 3);
    lode_real u = kind > 0 ? between(random, 0, 1) : 0, v = kind > 1 ? between(random, 0, 1) : 0;
    return v3_madd(v3_madd(t.v[0], v3_sub(t.v[1], t.v[0]), u), v3_sub(t.v[2], t.v[0]), v);
}

static lode_vec3 anywhere(test_random *random)
{
    lode_real x = between(random, -8, 8), y = between(random, -8, 8);
    return v3(x, y, between(random, -8, 8));
}

static lode_vec3 along_axis(test_random *random)
{
    lode_real d[3] = {0, 0, 0};
    d[random_below(random, 3)] = between(random, -2, 2);
    d[random_below(random, 3)] *= (lode_real)-1;
    return v3(d[0], d[1], d[2]);
}

/* Of one kind, of which each ray may differ a little, or altogether. */
static void make_rays(const lode__mesh *mesh, test_random *random, lode__mesh_rays *out)
{
    uint32_t kind = random_below(random, 5);
    lode_vec3 eye = anywhere(random), to = along_axis(random);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        lode_vec3 at = place_on(mesh, random);
        out->origin[lane] = kind == 2 ? anywhere(random) : eye;
        out->direction[lane] = v3_sub(at, out->origin[lane]);
        if (kind == 1) /* side by side, straight at what they meet */
            out->origin[lane] = v3_madd(at, to, -4);
        if (kind == 1)
            out->direction[lane] = to;
        if (kind == 3) /* from the surface itself */
            out->origin[lane] = at;
        if (kind == 4) { /* a thin bundle */
            lode_vec3 aside = v3_scale(anywhere(random), (lode_real)0.01);
            out->direction[lane] = v3_add(v3_sub(v3_zero(), eye), aside);
        }
        if (v3_is_zero(out->direction[lane]))
            out->direction[lane] = v3(0, 0, -1);
        out->most[lane] = random_below(random, 3) ? REAL_MAX : between(random, 0, 2);
    }
    out->lanes = random_below(random, 4) ? 255 : 1 + random_below(random, 255);
}

/* --- */

static int check_batch(const lode__collide_kernels *kernels, const lode__mesh *mesh,
                       lode__mesh_rays *rays, uint32_t round)
{
    static ear all[LODE_LANES], alone, together[LODE_LANES];
    int found = 0;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        find_all(mesh, rays->origin[lane], rays->direction[lane], rays->most[lane], &all[lane]);
        if (all[lane].count > 0 && round % 4 == 0) { /* exactly as far as a hit */
            rays->most[lane] = all[lane].hits[0].t;
            find_all(mesh, rays->origin[lane], rays->direction[lane], rays->most[lane], &all[lane]);
        }
        mode heard_as = (mode)((round + (uint32_t)lane / 2) % MODES);
        alone.count = together[lane].count = 0;
        alone.over = together[lane].over = false;
        alone.mode = together[lane].mode = heard_as;
        kernels->mesh_ray(mesh, rays->origin[lane], rays->direction[lane], rays->most[lane], hear,
                          &alone);
        check_heard(&alone, &all[lane]);
        found += all[lane].count;
    }
    kernels->mesh_rays(mesh, rays, hear_lane, together);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        if (rays->lanes >> lane & 1)
            check_heard(&together[lane], &all[lane]);
        else
            assert_int_equal(together[lane].count, 0);
    }
    return found;
}

static void check_mesh(const lode__mesh *mesh)
{
    int sets = 0;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        test_random random = {31};
        int found = 0;
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        ++sets;
        for (uint32_t round = 0; round < ROUNDS; ++round) {
            lode__mesh_rays rays;
            make_rays(mesh, &random, &rays);
            found += check_batch(kernels, mesh, &rays, round);
        }
        assert_true(found > ROUNDS);
    }
    assert_true(sets > 0);
}

/* The draft in double with gaps, under short indices, so many times as large; a copy, or where it
 * is. */
static lode_mesh *make_gapped(double scale, bool reference, bool two_sided)
{
    static struct {
        double pad, x[3];
    } vertices[sizeof draft.vertices / sizeof draft.vertices[0]];
    static struct {
        uint16_t index[3], material;
    } indices[sizeof draft.indices / sizeof draft.indices[0]];
    for (int i = 0; i < draft.vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            vertices[i].x[k] = (double)draft.vertices[i][k] * scale;
    for (int t = 0; t < draft.triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            indices[t].index[k] = (uint16_t)draft.indices[t][k];
    lode_mesh_def def = draft_def(&draft);
    def.vertices = vertices[0].x;
    def.vertex_stride = sizeof vertices[0];
    def.double_vertices = def.short_indices = true;
    def.reference = reference;
    def.two_sided = two_sided;
    def.indices = indices;
    def.index_stride = sizeof indices[0];
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    return mesh;
}

/* A copy of the caller's numbers; and where they are. */
static void check_draft(void)
{
    lode_mesh_def def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_non_null(mesh);
    check_mesh(mesh);
    lode_mesh_release(mesh);
    mesh = make_gapped(1, true, false);
    check_mesh(mesh);
    lode_mesh_release(mesh);
}

static double waves(double x, double y)
{
    return 0.7 * sin(x * 1.3) * cos(y);
}

static void rays_at_hills_hear_what_each_triangle_says(void **state)
{
    (void)state;
    draft_grid(&draft, 20, 10, waves);
    check_draft();
}

/* In the plane of a flat grid no triangle is met, and straight on its corners up to eight are. */
static void rays_at_a_plane_hear_what_each_triangle_says(void **state)
{
    (void)state;
    draft_grid(&draft, 16, 8, NULL);
    check_draft();
}

static void rays_at_pleats_hear_what_each_triangle_says(void **state)
{
    (void)state;
    test_random random = {32};
    draft_star(&draft, 12, 30, 0.2, &random);
    check_draft();
}

/* Leaves of few triangles, whose lanes repeat the first. */
static void rays_at_few_triangles_hear_what_each_says(void **state)
{
    (void)state;
    for (int count = 1; count <= 9; ++count) {
        draft_grid(&draft, 3, 6, waves);
        draft.triangle_count = count;
        check_draft();
    }
}

/* --- where hits are */

/* So small, and so large, that no area can be squared in single precision; in double so small
 * triangles have no area. */
#define HUGE_SCALE 7e8
#ifdef LODE_DOUBLE
#define TINY_SCALE 1e-70
#define IS_SINGLE false
#else
#define TINY_SCALE 1e-20
#define IS_SINGLE true
#endif

/* Says how many were left to be said one by one. */
static int check_ends(const lode__collide_kernels *kernels, const lode__mesh *mesh,
                      test_random *random)
{
    const double w = random_between(random, -1, 1);
    const lode_vec3 turn = v3_scale(anywhere(random), (lode_real)0.1);
    const lode_quat q = {(lode_real)w, turn.x, turn.y, turn.z};
    const lode__shape_view view = {.rotation = q_normalize(q), .data = mesh};
    lode__part_hit hits[LODE_LANES];
    lode__surface_point out[LODE_LANES], untouched;
    unsigned lanes = 1 + random_below(random, 255);
    memset(&untouched, 0x5a, sizeof untouched);
    for (int i = 0; i < LODE_LANES; ++i) {
        uint32_t place = random_below(random, mesh->counted);
        hits[i] = (lode__part_hit){.u = between(random, 0, 1),
                                   .v = between(random, 0, 1),
                                   .part = (int32_t)mesh->order[place],
                                   .place = place,
                                   .back = random_below(random, 2)};
        out[i] = untouched;
        if (!(lanes >> i & 1))
            hits[i].part = INT32_MAX; /* nobody's */
    }
    unsigned left = kernels->mesh_ends(&view, hits, lanes, out);
    assert_int_equal(left & ~lanes, 0);
    lode__ends_mesh(kernels, &view, hits, lanes, out);
    for (int i = 0; i < LODE_LANES; ++i) {
        lode__surface_point alone = untouched;
        if (lanes >> i & 1)
            lode__end_mesh(&view, NULL, &hits[i], &alone);
        assert_memory_equal(&out[i], &alone, sizeof alone);
    }
    return __builtin_popcount(left);
}

static void eight_places_are_those_of_each(void **state)
{
    (void)state;
    static const double scales[] = {1, HUGE_SCALE, TINY_SCALE};
    test_random random = {33};
    draft_star(&draft, 6, 16, 0.2, &random);
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        const lode__collide_kernels *kernels = lode__collide_kernels_for((lode_simd)simd);
        if (!kernels || !lode_simd_available((lode_simd)simd))
            continue;
        for (int s = 0; s < 12; ++s) {
            lode_mesh *mesh = make_gapped(scales[s / 4], s & 1, s & 2);
            int left = 0;
            for (int round = 0; round < 500; ++round)
                left += check_ends(kernels, mesh, &random);
            assert_true(scales[s / 4] != 1 && IS_SINGLE ? left > 1000 : left == 0);
            lode_mesh_release(mesh);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_at_hills_hear_what_each_triangle_says),
        cmocka_unit_test(rays_at_a_plane_hear_what_each_triangle_says),
        cmocka_unit_test(rays_at_pleats_hear_what_each_triangle_says),
        cmocka_unit_test(rays_at_few_triangles_hear_what_each_says),
        cmocka_unit_test(eight_places_are_those_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
