/* Touches under random use: bodies of all shapes fall, are put elsewhere, destroyed, disabled,
 * refiltered, joined, become sensors, static, asleep, go back in time; shapes get other geometry,
 * and filters of pairs and triangles change their minds. After each step what is open by the events
 * told, begins without ends, must be what touches: of sensors by distances between all shapes, of
 * contacts by all contacts there are. */
#include "tests/support/random.h"
#include "tests/world/classes.h"
#include "tests/world/support.h"

#include "collide/pairs.h"
#include "world/validate.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_MOST = 4096, SHAPES_MOST = 512, ROUNDS = 260 };

typedef struct open_touch {
    uint64_t a, b;
} open_touch;

typedef struct open_set {
    open_touch items[OPEN_MOST];
    int count;
} open_set;

/* What shapes are made of; of each kind two, to be exchanged. */
typedef struct stuff {
    lode_hull *hull[2];
    lode_mesh *mesh[3]; /* a tetrahedron, a pyramid, an open sheet */
    lode_heightfield *ground[2];
    lode_custom *egg[2];
} stuff;

static stuff things;

typedef struct field {
    lode_world world;
    test_random random;
    open_set contacts, sensors, contacts_then, sensors_then;
    char *shot;
    size_t shot_size;
    uintptr_t forbidden_then;
    int odd_triangles_then;
    int begins;
    bool all_types;
} field;

static uint32_t below(field *f, uint32_t count)
{
    return random_below(&f->random, count);
}

static lode_real between(field *f, double lo, double hi)
{
    return (lode_real)random_between(&f->random, lo, hi);
}

/* ---- what is open ---- */

static int find(const open_set *set, const lode_touch_event *e)
{
    for (int i = 0; i < set->count; ++i)
        if (set->items[i].a == e->shape_a.id && set->items[i].b == e->shape_b.id)
            return i;
    return -1;
}

static void expect_order(const lode_touch_event *events, int count)
{
    for (int i = 1; i < count; ++i) {
        uint64_t a = events[i - 1].shape_a.id & 0xffffff, b = events[i].shape_a.id & 0xffffff;
        assert_true(a < b || (a == b && (events[i - 1].shape_b.id & 0xffffff) <
                                            (events[i].shape_b.id & 0xffffff)));
    }
}

static void follow(open_set *set, const lode_touch_event *begins, int begin_count,
                   const lode_touch_event *ends, int end_count)
{
    expect_order(begins, begin_count);
    expect_order(ends, end_count);
    for (int i = 0; i < end_count; ++i) {
        int at = find(set, &ends[i]);
        assert_true(at >= 0); /* it began */
        set->items[at] = set->items[--set->count];
    }
    for (int i = 0; i < begin_count; ++i) {
        assert_int_equal(find(set, &begins[i]), -1); /* it ended */
        assert_true(set->count < OPEN_MOST);
        set->items[set->count++] = (open_touch){begins[i].shape_a.id, begins[i].shape_b.id};
    }
}

static void take_events(field *f)
{
    lode_events e = lode_world_get_events(f->world);
    follow(&f->contacts, e.contact_begins, e.contact_begin_count, e.contact_ends,
           e.contact_end_count);
    follow(&f->sensors, e.sensor_begins, e.sensor_begin_count, e.sensor_ends, e.sensor_end_count);
    f->begins += e.contact_begin_count + e.sensor_begin_count;
}

static bool is_open(const open_set *set, lode_shape a, lode_shape b)
{
    lode_touch_event e = {.shape_a = a, .shape_b = b};
    return find(set, &e) >= 0;
}

/* ---- what must be ---- */

static int all_shapes(const field *f, lode_shape out[SHAPES_MOST])
{
    lode_body bodies[256];
    int body_count = lode_world_get_bodies(f->world, bodies, 256), count = 0;
    for (int i = 0; i < body_count; ++i)
        count += lode_body_get_shapes(bodies[i], out + count, SHAPES_MOST - count);
    return count;
}

/* The pair filter: by the user data of the shapes, which are numbers. */
static uintptr_t forbidden; /* pairs whose numbers differ by this */

static bool pair_is_accepted(void *data_a, void *data_b)
{
    uintptr_t a = (uintptr_t)data_a, b = (uintptr_t)data_b;
    return forbidden == 0 || (a > b ? a - b : b - a) != forbidden;
}

static bool accept_pair(void *user, const lode_near_pair *pair)
{
    (void)user;
    return pair_is_accepted(pair->shape_data_a, pair->shape_data_b);
}

static int odd_triangles; /* are they there? */

static bool accept_triangle(void *user, const lode_near_triangle *triangle)
{
    (void)user;
    return odd_triangles || triangle->child % 2 == 0;
}

static bool may_sense(lode_shape sensor, lode_shape shape)
{
    lode_shape_def a = lode_shape_get_def(sensor), b = lode_shape_get_def(shape);
    lode_body body_a = lode_shape_get_body(sensor), body_b = lode_shape_get_body(shape);
    return a.sensor && a.enabled && !b.sensor && b.enabled && body_a.id != body_b.id &&
           (a.category & b.mask) && (b.category & a.mask) &&
           pair_is_accepted(a.user_data, b.user_data) &&
           (lode_body_get_type(body_a) != LODE_STATIC || lode_body_get_type(body_b) != LODE_STATIC);
}

static void check_sensors(const field *f)
{
    lode_shape shapes[SHAPES_MOST];
    int count = all_shapes(f, shapes), open = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
            lode_closest closest;
            bool is = is_open(&f->sensors, shapes[i], shapes[k]);
            open += is;
            if (i == k || !may_sense(shapes[i], shapes[k])) {
                assert_false(is);
                continue;
            }
            if (lode_shape_get_type(shapes[i]) == LODE_PLANE &&
                lode_shape_get_type(shapes[k]) == LODE_PLANE) {
                assert_false(is);
                continue;
            }
            assert_true(lode_shape_find_closest(shapes[i], shapes[k], &closest));
            assert_true(is == (closest.distance <= 0) || fabs((double)closest.distance) < 1e-5);
        }
    assert_int_equal(open, f->sensors.count); /* no dead ones */
}

/* Notes the pair of a manifold that touches, once for all its manifolds. */
static void note_contact(const field *f, const lode__manifold *m, open_set *seen)
{
    const lode__world *w = lode__registry_world(f->world.id);
    lode_touch_event e = {.shape_a = shape_handle(w, m->shape_a),
                          .shape_b = shape_handle(w, m->shape_b)};
    uint32_t flags = *SHAPE(w, flags, m->shape_a) | *SHAPE(w, flags, m->shape_b);
    bool touches = false;
    for (int k = 0; k < m->point_count; ++k)
        touches = touches || m->points[k].depth >= 0 || m->points[k].exerted[0] > 0;
    if (touches && (flags & LODE__SHAPE_TOUCHES) && find(seen, &e) < 0) {
        assert_true(seen->count < OPEN_MOST);
        seen->items[seen->count++] = (open_touch){e.shape_a.id, e.shape_b.id};
    }
}

static void check_contacts(const field *f)
{
    static open_set seen;
    lode__world *w = lode__registry_world(f->world.id);
    const lode__collide *collide = &w->collide;
    seen.count = 0;
    const lode__manifold *m;
    const lode__pair *pair;
    lode__pair_walk walk = lode__pairs_walk(&collide->pairs);
    while ((pair = lode__pairs_next(&collide->pairs, &walk))) {
        uint32_t slot = pair->manifold;
        while ((m = lode__many_next(collide, &slot)))
            note_contact(f, m, &seen);
    }
    for (uint32_t s = lode__bits_next(&collide->shapes.alive, 0); s != UINT32_MAX;
         s = lode__bits_next(&collide->shapes.alive, s + 1)) {
        uint32_t at = *SHAPE(w, resting, s);
        while ((m = lode__collide_next_resting(collide, &at)))
            note_contact(f, m, &seen);
    }
    for (int i = 0; i < seen.count; ++i)
        assert_true(
            is_open(&f->contacts, (lode_shape){seen.items[i].a}, (lode_shape){seen.items[i].b}));
    assert_int_equal(seen.count, f->contacts.count);
}

/* ---- what happens ---- */

static void add_shape(field *f, lode_body body)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real a = between(f, 0.2, 0.6), b = between(f, 0.2, 0.6);
    def.sensor = below(f, 4) == 0;
    def.touch_events = below(f, 2);
    def.impact_events = below(f, 2);
    def.enabled = below(f, 8) != 0;
    def.category = (uint64_t)1 << below(f, 3);
    def.mask = below(f, 4) ? UINT64_MAX : below(f, 8);
    def.pose.position = vec(between(f, -0.5, 0.5), 0, between(f, -0.3, 0.3));
    def.user_data = (void *)(uintptr_t)(1 + below(f, 5));
    uint32_t which = below(f, 2);
    switch (below(f, f->all_types ? 9 : 4)) {
    case 0:
        lode_shape_create_sphere(body, &def, a);
        break;
    case 1:
        lode_shape_create_box(body, &def, vec(a, b, a));
        break;
    case 2:
        lode_shape_create_cylinder(body, &def, a, b);
        break;
    case 3:
        lode_shape_create_capsule(body, &def, a, b);
        break;
    case 4:
        lode_shape_create_hull(body, &def, things.hull[which]);
        break;
    case 5:
        lode_shape_create_mesh(body, &def, things.mesh[which]);
        break;
    case 6:
        lode_shape_create_mesh(body, &def, things.mesh[2]);
        break;
    case 7:
        lode_shape_create_heightfield(body, &def, things.ground[which]);
        break;
    default:
        lode_shape_create_custom(body, &def, things.egg[which]);
    }
}

/* Another one of the same kind. */
static void exchange(field *f, lode_shape shape)
{
    uint32_t which = below(f, 2);
    lode_shape_type type = lode_shape_get_type(shape);
    if (type == LODE_HULL)
        lode_shape_set_hull(shape, things.hull[which]);
    else if (type == LODE_MESH)
        lode_shape_set_mesh(shape, things.mesh[below(f, 3)]);
    else if (type == LODE_HEIGHTFIELD)
        lode_shape_set_heightfield(shape, things.ground[which]);
    else if (type == LODE_CUSTOM)
        lode_shape_set_custom(shape, things.egg[which]);
    else if (type == LODE_SPHERE)
        lode_shape_set_sphere(shape, between(f, 0.2, 0.6));
    else if (type == LODE_BOX)
        lode_shape_set_box(shape, vec(between(f, 0.2, 0.6), (lode_real)0.3, (lode_real)0.3));
}

static lode_vec3 somewhere(field *f)
{
    lode_real x = between(f, -2.5, 2.5), y = between(f, -2.5, 2.5);
    return vec(x, y, between(f, 0, 3));
}

static void add_some_body(field *f)
{
    lode_body_def def = lode_body_def_default();
    uint32_t kind = below(f, 6);
    def.type = kind == 0 ? LODE_STATIC : kind == 1 ? LODE_KINEMATIC : LODE_DYNAMIC;
    def.position = somewhere(f);
    if (kind == 1)
        def.linear_velocity = vec(between(f, -1, 1), 0, 0);
    lode_body body = lode_body_create(f->world, &def);
    for (uint32_t i = 0; i <= below(f, 3); ++i)
        add_shape(f, body);
}

static lode_mesh *make_mesh(int vertex_count, const float (*vertices)[3], int triangle_count,
                            const uint32_t (*triangles)[3])
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.double_vertices = false;
    def.indices = triangles;
    def.triangle_count = triangle_count;
    return lode_mesh_create(&def);
}

static void make_things(void)
{
    static const float corners[5][3] = {{-0.5f, -0.4f, -0.3f},
                                        {0.5f, -0.4f, -0.3f},
                                        {0.1f, 0.5f, -0.3f},
                                        {0, 0, 0.5f},
                                        {-0.6f, 0.5f, -0.3f}};
    static const uint32_t four[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const uint32_t six[6][3] = {{0, 2, 1}, {0, 4, 2}, {0, 1, 3},
                                       {1, 2, 3}, {2, 4, 3}, {4, 0, 3}};
    static const uint32_t two[2][3] = {{0, 1, 2}, {0, 2, 4}};
    static const float heights[2][9] = {{0, 0.2f, 0, 0.1f, 0.3f, 0.1f, 0, 0, 0.2f},
                                        {0.3f, 0, 0.3f, 0, 0, 0, 0.2f, 0, 0.1f}};
    things.mesh[0] = make_mesh(5, corners, 4, four);
    things.mesh[1] = make_mesh(5, corners, 6, six);
    things.mesh[2] = make_mesh(5, corners, 2, two);
    for (int i = 0; i < 2; ++i) {
        lode_real points[15];
        for (int k = 0; k < 15; ++k)
            points[k] = (lode_real)corners[k / 3][k % 3] * (lode_real)(i ? 1 : 0.8);
        lode_hull_def hull = lode_hull_def_default();
        hull.points = points;
        hull.point_count = 4 + i;
        things.hull[i] = lode_hull_create(&hull);
        lode_heightfield_def ground = lode_heightfield_def_default();
        ground.columns = ground.rows = 3;
        ground.spacing_x = ground.spacing_y = (lode_real)0.6;
        ground.samples = heights[i];
        ground.type = LODE_SAMPLE_FLOAT;
        ground.thickness = i ? (lode_real)0.2 : 0;
        things.ground[i] = lode_heightfield_create(&ground);
        ellipsoid egg = {{(lode_real)(i ? 0.3 : 0.5), (lode_real)0.4, (lode_real)0.25}};
        things.egg[i] = lode_custom_create(&ellipsoids, &egg);
        assert_true(things.hull[i] && things.ground[i] && things.egg[i] && things.mesh[i]);
    }
    assert_true(things.mesh[2] && lode_mesh_get_info(things.mesh[0]).closed &&
                lode_mesh_get_info(things.mesh[1]).closed);
}

static void release_things(void)
{
    for (int i = 0; i < 2; ++i) {
        lode_hull_release(things.hull[i]);
        lode_heightfield_release(things.ground[i]);
        lode_custom_release(things.egg[i]);
    }
    for (int i = 0; i < 3; ++i)
        lode_mesh_release(things.mesh[i]);
}

static void offer_things(lode_world world)
{
    for (int i = 0; i < 2; ++i) {
        lode_world_offer_hull(world, things.hull[i]);
        lode_world_offer_heightfield(world, things.ground[i]);
        lode_world_offer_custom(world, things.egg[i]);
    }
    for (int i = 0; i < 3; ++i)
        lode_world_offer_mesh(world, things.mesh[i]);
}

static field make_field(uint64_t seed, bool all_types)
{
    lode_world_def def = lode_world_def_default();
    field f = {.random = {seed}, .all_types = all_types};
    forbidden = 0;
    odd_triangles = 1;
    if (all_types) {
        def.pair_filter = (lode_pair_filter){NULL, accept_pair};
        def.triangle_filter = (lode_triangle_filter){NULL, accept_triangle};
    }
    def.sleep.enabled = true;
    def.sleep.linear_threshold = def.sleep.angular_threshold = (lode_real)0.2;
    f.world = lode_world_create(&def);
    if (all_types)
        offer_things(f.world);
    add_ground(f.world);
    lode_shape_def zone = lode_shape_def_default();
    zone.sensor = true;
    lode_shape_create_plane(add_body(f.world, LODE_STATIC, 0, 0, 1), &zone, vec(0, 1, 0), 0);
    for (int i = 0; i < 30; ++i)
        add_some_body(&f);
    return f;
}

static lode_body any_body(field *f)
{
    lode_body bodies[256];
    int count = lode_world_get_bodies(f->world, bodies, 256);
    return bodies[2 + below(f, (uint32_t)count - 2)]; /* the ground and the zone stay */
}

static lode_shape any_shape(field *f)
{
    lode_shape shapes[SHAPES_MOST];
    int count = all_shapes(f, shapes);
    return shapes[below(f, (uint32_t)count)];
}

static void shoot(field *f)
{
    free(f->shot);
    f->shot_size = lode_world_snapshot(f->world, NULL, 0);
    f->shot = malloc(f->shot_size);
    lode_world_snapshot(f->world, f->shot, f->shot_size);
    f->contacts_then = f->contacts;
    f->sensors_then = f->sensors;
    f->forbidden_then = forbidden;
    f->odd_triangles_then = odd_triangles;
}

static void go_back(field *f)
{
    if (!f->shot)
        return;
    assert_int_equal(lode_world_restore(f->world, f->shot, f->shot_size), LODE_OK);
    f->contacts = f->contacts_then;
    f->sensors = f->sensors_then;
    forbidden = f->forbidden_then; /* filters are not in snapshots */
    odd_triangles = f->odd_triangles_then;
    assert_int_equal(lode_world_get_events(f->world).contact_begin_count, 0);
}

static void disturb_shape(field *f)
{
    lode_shape shape = any_shape(f);
    switch (below(f, 7)) {
    case 0:
        if (lode_shape_get_type(shape) != LODE_PLANE)
            lode_shape_destroy(shape);
        break;
    case 1:
        lode_shape_set_enabled(shape, below(f, 2));
        break;
    case 2:
        if (lode_shape_get_type(shape) != LODE_PLANE)
            lode_shape_set_sensor(shape, below(f, 2));
        break;
    case 3:
        lode_shape_set_touch_events(shape, below(f, 2));
        break;
    case 4:
        lode_shape_set_filter(shape, (uint64_t)1 << below(f, 3), below(f, 8));
        break;
    case 5:
        lode_shape_set_filter(shape, 1, UINT64_MAX);
        break;
    default:
        lode_shape_set_pose(shape, (lode_pose){vec(between(f, -1, 1), 0, 0), {1, 0, 0, 0}});
    }
}

static void disturb_body(field *f)
{
    lode_body body = any_body(f);
    switch (below(f, 8)) {
    case 0:
        lode_body_destroy(body);
        add_some_body(f);
        break;
    case 1:
        lode_body_set_pose(body, (lode_pose){somewhere(f), {1, 0, 0, 0}});
        break;
    case 2:
        lode_body_set_type(body, (lode_body_type)below(f, 3));
        break;
    case 3:
    case 4:
        lode_body_sleep(body);
        break;
    case 5:
        lode_body_wake(body);
        break;
    case 6:
        add_shape(f, body);
        break;
    default:
        lode_body_set_linear_velocity(body, vec(0, 0, 0));
    }
}

/* What only a world of all shapes is asked: other geometry, filters, joints. */
static void disturb_more(field *f)
{
    const lode_pair_filter pairs = {NULL, accept_pair};
    const lode_triangle_filter triangles = {NULL, accept_triangle};
    lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
    lode_joint joints[64];
    int count;
    switch (below(f, 5)) {
    case 0:
        exchange(f, any_shape(f));
        break;
    case 1:
        forbidden = below(f, 4);
        lode_world_set_pair_filter(f->world, &pairs);
        break;
    case 2:
        odd_triangles = (int)below(f, 2);
        lode_world_set_triangle_filter(f->world, &triangles);
        break;
    case 3: /* what is joined does not touch */
        joint.body_a = any_body(f);
        joint.body_b = any_body(f);
        joint.collide_connected = below(f, 3) == 0;
        if (lode_body_get_type(joint.body_a) == LODE_DYNAMIC && joint.body_a.id != joint.body_b.id)
            lode_joint_create(f->world, &joint);
        break;
    default:
        count = lode_world_get_joints(f->world, joints, 64);
        if (count > 3)
            lode_joint_destroy(joints[below(f, (uint32_t)(count > 64 ? 64 : count))]);
    }
}

static void step(field *f)
{
    if (below(f, 3)) {
        assert_int_equal(lode_world_step(f->world, STEP), LODE_OK);
    } else {
        assert_int_equal(lode_world_collide(f->world, STEP), LODE_OK);
        assert_int_equal(lode_world_solve(f->world, STEP), LODE_OK);
    }
    take_events(f);
    check_sensors(f);
    check_contacts(f);
    lode__world_validate(lode__registry_world(f->world.id));
}

static void live(int seeds, int rounds, bool all_types)
{
    for (int seed = 1; seed <= seeds; ++seed) {
        field f = make_field((uint64_t)seed, all_types);
        for (int round = 0; round < rounds; ++round) {
            if (all_types && below(&f, 5) == 0)
                disturb_more(&f);
            if (below(&f, 3) == 0)
                disturb_shape(&f);
            if (below(&f, 3) == 0)
                disturb_body(&f);
            if (below(&f, 20) == 0)
                shoot(&f);
            if (below(&f, 25) == 0)
                go_back(&f);
            step(&f);
        }
        assert_true(f.begins > 100);
        /* in the end all ends */
        lode_body bodies[256];
        int count = lode_world_get_bodies(f.world, bodies, 256);
        for (int i = 0; i < count; ++i)
            lode_body_destroy(bodies[i]);
        lode_world_step(f.world, STEP);
        take_events(&f);
        assert_int_equal(f.contacts.count + f.sensors.count, 0);
        free(f.shot);
        lode_world_destroy(f.world);
    }
}

static void what_is_open_is_what_touches(void **state)
{
    (void)state;
    live(16, ROUNDS, false);
}

/* Also with hulls, meshes, height fields, shapes of a class, and filters. */
static void with_all_shapes_too(void **state)
{
    (void)state;
    make_things();
    live(4, ROUNDS, true);
    release_things();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_open_is_what_touches),
        cmocka_unit_test(with_all_shapes_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
