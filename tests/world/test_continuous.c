/* Continuous bodies pass through nothing: shots of all shapes at thin targets of all kinds, at up
 * to 1 km/s and spinning; and what else must stay as it is.
 *
 * LODE_SHOTS in the environment sets how many shots are fired at each target with each shape, and
 * LODE_BULLET names the one shape to shoot with; `make shots` fires 10,000 of each. */
#include "tests/collide/meshes.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lode_real frame_time = (lode_real)1 / 60;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

static lode_vec3 any_direction(test_random *random)
{
    double z = number(random, -1, 1), angle = number(random, 0, 6.283185307179586);
    double r = sqrt(1 - z * z);
    return vec((lode_real)(r * cos(angle)), (lode_real)(r * sin(angle)), (lode_real)z);
}

static lode_vec3 times(lode_vec3 v, double s)
{
    lode_real r = (lode_real)s;
    return vec(v.x * r, v.y * r, v.z * r);
}

static double length_of(lode_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* ---- bullets ---- */

typedef enum bullet {
    BALL,
    BRICK,
    PILL,
    DRUM,
    STONE,
    ROD,
    DISC,
    DUMBBELL,
    BLOCK, /* closed mesh of twelve triangles */
    STAR,  /* pleated closed mesh */
    RING,  /* closed mesh with a hole where its centre is */
    VANE,  /* mesh of both sides that encloses nothing */
    BULLETS
} bullet;

static const char *const bullet_names[BULLETS] = {
    "ball", "brick", "pill", "drum",  "stone", "rod",
    "disc", "dumbbell", "block", "star", "ring", "vane"};

static lode_hull *stone;
static lode_mesh *mesh_bullets[BULLETS]; /* null: it is no mesh */

static void make_stone(void)
{
    test_random random = {4};
    lode_real points[14][3];
    for (int i = 0; i < 14; ++i) {
        lode_vec3 p = times(any_direction(&random), 0.2);
        points[i][0] = p.x, points[i][1] = p.y, points[i][2] = p.z;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 14;
    stone = lode_hull_create(&def);
}

static void draft_ring(mesh_draft *d, uint32_t around, uint32_t across)
{
    const double pi = 3.14159265358979;
    d->vertex_count = d->triangle_count = 0;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            double u = 2 * pi * i / around, v = 2 * pi * k / across, r = 0.3 + 0.08 * cos(v);
            draft_vertex(d, r * cos(u), r * sin(u), 0.08 * sin(v));
        }
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            uint32_t next = (i + 1) % around * across, beside = (k + 1) % across;
            uint32_t a = i * across + k, b = next + k, c = next + beside, e = i * across + beside;
            draft_triangle(d, a, b, c);
            draft_triangle(d, a, c, e);
        }
}

static lode_mesh *made(const mesh_draft *draft, bool two_sided)
{
    lode_mesh_def def = draft_def(draft);
    def.two_sided = two_sided;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_true(two_sided ||
                (lode_mesh_get_info(mesh).closed && !lode_mesh_get_info(mesh).inverted));
    return mesh;
}

static void make_mesh_bullets(void)
{
    static mesh_draft draft;
    test_random random = {6};
    draft_box(&draft, 0.2, 0.1, 0.15);
    mesh_bullets[BLOCK] = made(&draft, false);
    draft_star(&draft, 4, 7, 0.5, &random);
    for (int i = 0; i < draft.vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            draft.vertices[i][k] *= 0.3f;
    mesh_bullets[STAR] = made(&draft, false);
    draft_ring(&draft, 10, 5);
    mesh_bullets[RING] = made(&draft, false);
    draft_grid(&draft, 3, 0.6, NULL);
    mesh_bullets[VANE] = made(&draft, true);
}

static void add_bullet_shape(lode_body body, bullet kind)
{
    lode_shape_def def = lode_shape_def_default();
    if (mesh_bullets[kind]) {
        lode_shape_create_mesh(body, &def, mesh_bullets[kind]);
        return;
    }
    switch (kind) {
    case BALL:
        lode_shape_create_sphere(body, &def, (lode_real)0.1);
        break;
    case BRICK:
        lode_shape_create_box(body, &def, vec((lode_real)0.2, (lode_real)0.1, (lode_real)0.15));
        break;
    case PILL:
        lode_shape_create_capsule(body, &def, (lode_real)0.1, (lode_real)0.2);
        break;
    case DRUM:
        lode_shape_create_cylinder(body, &def, (lode_real)0.15, (lode_real)0.1);
        break;
    case STONE:
        lode_shape_create_hull(body, &def, stone);
        break;
    case ROD:
        lode_shape_create_box(body, &def, vec((lode_real)0.02, (lode_real)0.02, 1));
        break;
    case DISC:
        lode_shape_create_cylinder(body, &def, (lode_real)0.5, (lode_real)0.02);
        break;
    default:
        def.pose.position.x = (lode_real)0.4;
        lode_shape_create_sphere(body, &def, (lode_real)0.1);
        def.pose.position.x = (lode_real)-0.4;
        lode_shape_create_sphere(body, &def, (lode_real)0.15);
    }
}

static lode_body add_bullet(lode_world world, bullet kind, lode_pose pose, lode_vec3 velocity,
                            lode_vec3 spin)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = velocity;
    def.angular_velocity = spin;
    def.continuous = true;
    lode_body body = lode_body_create(world, &def);
    add_bullet_shape(body, kind);
    return body;
}

/* ---- targets: all lie in the plane z = 0 and are 40 m wide ---- */

typedef enum target {
    FOIL,        /* static box, 0.1 mm thick */
    PLATE,       /* static box, 1 cm thick */
    SHEET,       /* mesh of one side, triangles of 1 m */
    WEB,         /* mesh of both sides, triangles of 20 m */
    FIELD,       /* height field, samples every 2 m */
    HALF_SPACE,  /* plane */
    FLYING_FOIL, /* kinematic box, 0.1 mm, towards the bullet at up to 1 km/s */
    TURNING_WEB, /* kinematic mesh of both sides that turns about z and moves */
    LOOSE_PLATE, /* dynamic box, 1 cm thick, a thousand times heavier */
    TARGETS
} target;

static lode_mesh *sheet, *web;
static lode_heightfield *field;

static void make_meshes(void)
{
    static mesh_draft draft;
    draft_grid(&draft, 40, 40, NULL);
    lode_mesh_def def = draft_def(&draft);
    sheet = lode_mesh_create(&def);
    draft_grid(&draft, 2, 40, NULL);
    def = draft_def(&draft);
    def.two_sided = true;
    web = lode_mesh_create(&def);
    static const lode_real flat[21 * 21];
    lode_heightfield_def field_def = lode_heightfield_def_default();
    field_def.columns = field_def.rows = 21;
    field_def.spacing_x = field_def.spacing_y = 2;
    field_def.samples = flat;
    field = lode_heightfield_create(&field_def);
}

static lode_body add_target(lode_world world, target kind, test_random *random)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    bool flies = kind == FLYING_FOIL || kind == TURNING_WEB;
    body_def.type = flies ? LODE_KINEMATIC : kind == LOOSE_PLATE ? LODE_DYNAMIC : LODE_STATIC;
    if (flies)
        body_def.linear_velocity.z = (lode_real)number(random, -1000, 1000);
    if (kind == TURNING_WEB)
        body_def.angular_velocity.z = (lode_real)number(random, -10, 10);
    lode_body body = lode_body_create(world, &body_def);
    lode_real thick = kind == FOIL || kind == FLYING_FOIL ? (lode_real)5e-5 : (lode_real)5e-3;
    if (kind == SHEET || kind == WEB || kind == TURNING_WEB)
        lode_shape_create_mesh(body, &def, kind == SHEET ? sheet : web);
    else if (kind == FIELD) {
        def.pose.position = vec(-20, -20, 0);
        lode_shape_create_heightfield(body, &def, field);
    } else if (kind == HALF_SPACE)
        lode_shape_create_plane(body, &def, vec(0, 0, 1), 0);
    else
        lode_shape_create_box(body, &def, vec(20, 20, thick));
    return body;
}

/* Is the bullet's centre in front, or at least not through? */
static double height_over(lode_body bullet, lode_body at)
{
    lode_vec3 point = lode_body_point_from_world(at, lode_body_get_center(bullet));
    if (fabs((double)point.x) > 19 || fabs((double)point.y) > 19)
        return NAN; /* it has left the target's footprint */
    return (double)point.z;
}

static int shots(int least)
{
    const char *text = getenv("LODE_SHOTS");
    return text && atoi(text) > least ? atoi(text) : least;
}

/* Is it the one that is asked for, or any? */
static bool is_wanted(int shape)
{
    const char *text = getenv("LODE_BULLET");
    return !text || !*text || !strcmp(text, bullet_names[shape]);
}

/* One shot; true if it has passed. */
static bool passes(lode_world world, target kind, bullet shape, uint64_t seed, bool *out_met)
{
    test_random random = {seed};
    lode_body at = add_target(world, kind, &random);
    double speed = pow(10, number(&random, 1, 3)), distance = number(&random, 1.2, 12);
    double side = kind == SHEET || kind == FIELD || kind == HALF_SPACE || random_below(&random, 2)
                      ? 1
                      : -1;
    lode_vec3 aim = vec((lode_real)number(&random, -5, 5), (lode_real)number(&random, -5, 5), 0);
    lode_vec3 way = any_direction(&random);
    way.z = (lode_real)(0.15 + fabs((double)way.z));
    way = times(way, side / length_of(way));
    double slant = fabs((double)way.z);
    lode_vec3 spin = times(any_direction(&random), pow(10, number(&random, -1, 2.5)));
    lode_pose pose = {vec(aim.x + way.x * (lode_real)distance, aim.y + way.y * (lode_real)distance,
                          way.z * (lode_real)distance),
                      {(lode_real)number(&random, -1, 1), (lode_real)number(&random, -1, 1),
                       (lode_real)number(&random, -1, 1), (lode_real)number(&random, 0.1, 1)}};
    if (fabs((double)pose.position.z) < 1.1)
        pose.position.z = (lode_real)(1.1 * side);
    lode_body body = add_bullet(world, shape, pose, times(way, -speed), spin);
    if (kind == LOOSE_PLATE) {
        lode_mass mass = lode_body_get_mass(body), heavy = lode_body_get_mass(at);
        double scale = 1000 * (double)mass.mass / (double)heavy.mass;
        heavy.mass *= (lode_real)scale;
        for (int i = 0; i < 6; ++i)
            heavy.inertia[i] *= (lode_real)scale;
        lode_body_set_mass(at, &heavy);
        lode_body_set_linear_velocity(at, vec(0, 0, (lode_real)number(&random, -300, 300)));
    }
    bool passed = false;
    int steps = 3 + (int)(2 * distance / (speed * slant) * 60);
    *out_met = false;
    for (int i = 0; i < (steps < 30 ? steps : 30) && !passed; ++i) {
        lode_world_step(world, frame_time);
        double height = height_over(body, at);
        passed = height * side < 0;
        *out_met = *out_met || lode_world_get_contacts(world, NULL, 0) > 0;
        if (isnan(height))
            break;
    }
    lode_body_destroy(body);
    lode_body_destroy(at);
    return passed;
}

static void nothing_is_shot_through(void **state)
{
    (void)state;
    static const char *const target_names[] = {"foil",        "plate",       "sheet",
                                               "web",         "field",       "half-space",
                                               "flying foil", "turning web", "loose plate"};
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world worlds[LODE_SOLVER_COUNT];
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        def.solver = (lode_solver)solver;
        worlds[solver] = lode_world_create(&def);
    }
    int through = 0;
    for (int t = 0; t < TARGETS; ++t)
        for (int b = 0; b < BULLETS; ++b) {
            int met = 0, count = is_wanted(b) ? shots(mesh_bullets[b] ? 20 : 60) : 0;
            for (int i = 0; i < count; ++i) {
                bool hit;
                uint64_t seed = (uint64_t)((t * BULLETS + b) * 1000003 + i);
                lode_world world = worlds[i % LODE_SOLVER_COUNT];
                if (passes(world, (target)t, (bullet)b, seed, &hit)) {
                    print_error("%s: %s goes through, seed %d\n", target_names[t],
                                bullet_names[b], i);
                    ++through;
                }
                met += hit;
            }
            if (getenv("LODE_SHOTS") && count > 0)
                print_message("%s at %s: %d of %d met, %d through in all\n", bullet_names[b],
                              target_names[t], met, count, through);
            assert_true(count == 0 || met > count / (t < FLYING_FOIL ? 2 : 5));
        }
    assert_int_equal(through, 0);
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver)
        lode_world_destroy(worlds[solver]);
}

/* What lies on a thin target, or is about to, and spins as mad does not work its way through. */
static void nothing_drills_through(void **state)
{
    (void)state;
    test_random random = {21};
    int count = shots(300) / 100, through = 0;
    for (int t = FOIL; t <= FIELD; ++t)
        for (int b = 0; b < BULLETS; ++b)
            for (int i = 0; i < count && is_wanted(b); ++i) {
                lode_world_def def = lode_world_def_default();
                def.solver = (lode_solver)(i % LODE_SOLVER_COUNT);
                lode_world world = lode_world_create(&def);
                lode_body at = add_target(world, (target)t, &random);
                lode_pose pose = {{0, 0, 5}, {1, (lode_real)number(&random, -1, 1), 0, 0}};
                lode_body body = add_bullet(
                    world, (bullet)b, pose, vec(0, 0, -1),
                    times(any_direction(&random), pow(10, number(&random, 1, 2.5))));
                lode_shape shapes[2];
                double lowest = 10;
                for (int k = lode_body_get_shapes(body, shapes, 2); k > 0; --k)
                    lowest = fmin(lowest, (double)lode_shape_get_bounds(shapes[k - 1]).lower.z);
                pose.position.z -= (lode_real)(lowest - number(&random, 2e-4, 3e-3));
                lode_body_set_pose(body, pose);
                bool passed = false;
                for (int step = 0; step < 60 && !passed; ++step) {
                    lode_world_step(world, frame_time);
                    passed = height_over(body, at) < 0;
                    assert_true(length_of(lode_body_get_linear_velocity(body)) < 400);
                }
                if (passed)
                    print_error("target %d: bullet %d drills through, number %d\n", t, b, i);
                through += passed;
                lode_world_destroy(world);
            }
    assert_int_equal(through, 0);
}

/* The shots prove something: without the flag most bullets pass. */
static void what_is_not_continuous_passes(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {1};
    int through = 0;
    for (int b = 0; b < BULLETS; ++b) {
        lode_body foil = add_target(world, FOIL, &random);
        lode_body body = add_bullet(world, (bullet)b, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}},
                                    vec(0, 0, -400), vec(1, 2, 3));
        assert_true(lode_body_get_continuous(body));
        assert_int_equal(lode_body_set_continuous(body, false), LODE_OK);
        assert_false(lode_body_get_continuous(body));
        lode_world_step(world, frame_time);
        lode_world_step(world, frame_time);
        through += height_over(body, foil) < 0;
        lode_body_destroy(body);
        lode_body_destroy(foil);
    }
    assert_int_equal(through, BULLETS);
    lode_world_destroy(world);
}

/* ---- bodies against bodies ---- */

/* Head on: the one stays on its side of the other until they have met and are on their way
 * apart. */
static void bullets_do_not_pass_each_other(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {11};
    int count = shots(100);
    for (int a = 0; a <= STONE; ++a)
        for (int b = 0; b <= STONE; ++b)
            for (int i = 0; i < count; ++i) {
                /* either may be the fast one, and stand, and be the only one with the flag */
                double fast = number(&random, 100, 1000), other = number(&random, -0.7, 1) * fast;
                double beside = number(&random, -0.01, 0.01);
                lode_pose left = {{-3, (lode_real)beside, 0}, {1, 0, 0, 0}}, right = left;
                right.position = vec(3, 0, 0);
                if (i % 5 == 0)
                    other = 0;
                lode_vec3 spin = times(any_direction(&random), number(&random, 0, 20));
                lode_body p = add_bullet(world, (bullet)a, left, vec((lode_real)fast, 0, 0), spin);
                lode_body q = add_bullet(world, (bullet)b, right, vec((lode_real)-other, 0, 0),
                                         vec(0, 0, 0));
                if (i % 3)
                    lode_body_set_continuous(i % 3 == 1 ? p : q, false);
                bool met = false;
                for (int k = 0; k < 8 && !met; ++k) {
                    lode_world_step(world, frame_time);
                    lode_vec3 x = lode_body_get_center(p), y = lode_body_get_center(q);
                    met = lode_world_get_contacts(world, NULL, 0) > 0;
                    /* what meets a slanted face may leave around it in the same step */
                    if (met && a + b > 0)
                        break;
                    if (!(x.x < y.x))
                        print_error("%d passes %d, shot %d, step %d\n", a, b, i, k);
                    assert_true(x.x < y.x);
                }
                assert_true(met || fast + other < 50);
                lode_body_destroy(p);
                lode_body_destroy(q);
            }
    lode_world_destroy(world);
}

/* What goes ahead slowly is met all the same, and not followed in front of its contact. */
static void what_goes_ahead_is_pushed(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    for (int i = 0; i < 60; ++i) {
        lode_world world = lode_world_create(&def);
        lode_pose left = {{-3, 0, 0}, {1, 0, 0, 0}}, right = {{3, 0, 0}, {1, 0, 0, 0}};
        lode_real ahead = (lode_real)i / 20;
        add_bullet(world, BRICK, left, vec(110, 0, 0), vec(0, 0, 0));
        lode_body slow = add_bullet(world, BALL, right, vec(ahead, 0, 0), vec(0, 0, 0));
        lode_body_set_continuous(slow, i % 2);
        for (int step = 0; step < 6; ++step)
            lode_world_step(world, frame_time);
        assert_true(lode_body_get_linear_velocity(slow).x > 20);
        lode_world_destroy(world);
    }
}

/* The one behind does not run through the one that a wall has stopped. */
static void what_is_stopped_stops_others(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    for (int order = 0; order < 2; ++order) {
        lode_world world = lode_world_create(&def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_body wall = add_body(world, LODE_STATIC, 0, 0, 0), balls[4];
        lode_shape_create_box(wall, &shape_def, vec((lode_real)5e-5, 5, 5));
        for (int k = 0; k < 4; ++k) {
            int i = order ? 3 - k : k;
            lode_pose pose = {{(lode_real)(-2 - i), 0, 0}, {1, 0, 0, 0}};
            balls[i] = add_bullet(world, BALL, pose, vec(900, 0, 0), vec(0, 0, 0));
        }
        for (int step = 0; step < 4; ++step) {
            lode_world_step(world, frame_time);
            double last = 0;
            for (int i = 0; i < 4; ++i) {
                double x = (double)lode_body_get_center(balls[i]).x;
                assert_true(x < last - 0.05);
                last = x;
            }
        }
        lode_world_destroy(world);
    }
}

/* ---- what must stay as it is ---- */

/* A pile that comes to rest, slowly: equal with and without the flag, to the bit. */
static void slow_bodies_are_as_others(void **state)
{
    (void)state;
    enum { CUBES = 24 };
    lode_world world[2];
    lode_body cubes[2][CUBES];
    for (int w = 0; w < 2; ++w) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def shape_def = lode_shape_def_default();
        def.sleep.enabled = true;
        world[w] = lode_world_create(&def);
        add_ground(world[w]);
        for (int i = 0; i < CUBES; ++i) {
            lode_body_def body_def = lode_body_def_default();
            body_def.type = LODE_DYNAMIC;
            body_def.position = vec((lode_real)(i % 4) * (lode_real)1.02, 0,
                                    (lode_real)0.502 + (lode_real)(i / 4) * (lode_real)1.002);
            body_def.continuous = w;
            cubes[w][i] = lode_body_create(world[w], &body_def);
            lode_shape_create_box(cubes[w][i], &shape_def,
                                  vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
        }
    }
    bool asleep = false;
    for (int step = 0; step < 400; ++step) {
        for (int w = 0; w < 2; ++w)
            lode_world_step(world[w], frame_time);
        for (int i = 0; i < CUBES; ++i) {
            lode_pose a = lode_body_get_pose(cubes[0][i]), b = lode_body_get_pose(cubes[1][i]);
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(lode_body_is_awake(cubes[0][i]), lode_body_is_awake(cubes[1][i]));
            asleep = asleep || !lode_body_is_awake(cubes[1][i]);
        }
    }
    assert_true(asleep);
    for (int w = 0; w < 2; ++w)
        lode_world_destroy(world[w]);
}

/* What rolls or slides fast over tiles and triangles is not held up by them. */
static void fast_rollers_are_not_held_up(void **state)
{
    (void)state;
    for (int floor_kind = 0; floor_kind < 3; ++floor_kind)
        for (int kind = 0; kind < 3; ++kind) {
            lode_vec3 end[2];
            for (int w = 0; w < 2; ++w) {
                lode_world_def def = lode_world_def_default();
                lode_shape_def shape_def = lode_shape_def_default();
                lode_world world = lode_world_create(&def);
                shape_def.friction = 0;
                lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
                for (int i = 0; i < 40 && floor_kind == 1; ++i) {
                    shape_def.pose.position = vec((lode_real)(i - 20), 0, (lode_real)-0.5);
                    lode_shape_create_box(ground, &shape_def,
                                          vec((lode_real)0.5, 4, (lode_real)0.5));
                }
                shape_def.pose.position = vec(0, 0, 0);
                if (floor_kind == 0)
                    lode_shape_create_mesh(ground, &shape_def, sheet);
                else if (floor_kind == 2)
                    lode_shape_create_plane(ground, &shape_def, vec(0, 0, 1), 0);
                lode_body_def body_def = lode_body_def_default();
                body_def.type = LODE_DYNAMIC;
                body_def.continuous = w;
                body_def.position = vec(-15, (lode_real)0.3, (lode_real)0.5);
                body_def.linear_velocity = vec(60, 0, 0);
                lode_body body = lode_body_create(world, &body_def);
                lode_real half = (lode_real)0.5;
                if (kind == 0)
                    lode_shape_create_sphere(body, &shape_def, half);
                else if (kind == 1)
                    lode_shape_create_box(body, &shape_def, vec(half, half, half));
                else
                    lode_shape_create_cylinder(body, &shape_def, half, half);
                for (int step = 0; step < 28; ++step)
                    lode_world_step(world, frame_time);
                end[w] = lode_body_get_center(body);
                lode_world_destroy(world);
            }
            /* edges of tiles hold up what has edges, with the flag or without */
            assert_true(end[0].x > (floor_kind == 1 && kind > 0 ? -10 : 10));
            assert_memory_equal(&end[0], &end[1], sizeof end[0]);
        }
}

static double energy_of(const lode_body *bodies, int count, double gravity)
{
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        lode_mass mass = lode_body_get_mass(bodies[i]);
        lode_vec3 v = lode_body_get_linear_velocity(bodies[i]);
        lode_vec3 w = lode_body_vector_from_world(bodies[i],
                                                  lode_body_get_angular_velocity(bodies[i]));
        const double x = (double)w.x, y = (double)w.y, z = (double)w.z;
        const lode_real *I = mass.inertia;
        sum += 0.5 * (double)mass.mass * length_of(v) * length_of(v) +
               (double)mass.mass * gravity * (double)lode_body_get_center(bodies[i]).z;
        sum += 0.5 * ((double)I[0] * x * x + (double)I[1] * y * y + (double)I[2] * z * z) +
               (double)I[3] * x * y + (double)I[4] * x * z + (double)I[5] * y * z;
    }
    return sum;
}

/* A wall of cubes that bullets hit: nobody gains energy, nobody is faster than the bullets were,
 * and the cubes come down on the ground. */
static void a_wall_that_is_shot_at_stays_sane(void **state)
{
    (void)state;
    enum { CUBES = 30, SHOTS = 6 };
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body bodies[CUBES + SHOTS];
    add_ground(world);
    for (int i = 0; i < CUBES; ++i) {
        bodies[i] = add_body(world, LODE_DYNAMIC, (lode_real)(i % 5), 0,
                             (lode_real)0.5 + (lode_real)(i / 5));
        lode_shape_create_box(bodies[i], &shape_def,
                              vec((lode_real)0.49, (lode_real)0.5, (lode_real)0.5));
    }
    for (int i = 0; i < 60; ++i)
        lode_world_step(world, frame_time);
    test_random random = {5};
    for (int i = 0; i < SHOTS; ++i) {
        lode_pose pose = {{(lode_real)(i % 5), (lode_real)(-8 - i), (lode_real)(1.2 + 0.6 * i)},
                          {1, 0, 0, 0}};
        bodies[CUBES + i] = add_bullet(world, (bullet)(i % 5), pose,
                                       vec(0, (lode_real)number(&random, 200, 600), 0),
                                       vec(3, 4, 5));
    }
    double before = energy_of(bodies, CUBES + SHOTS, 9.81), least = before;
    for (int step = 0; step < 240; ++step) {
        assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
        double now = energy_of(bodies, CUBES + SHOTS, 9.81);
        assert_true(now < least + 0.001 * before);
        least = fmin(least, now);
        for (int i = 0; i < CUBES + SHOTS; ++i) {
            assert_true(length_of(lode_body_get_linear_velocity(bodies[i])) < 600);
            assert_true(lode_body_get_center(bodies[i]).z > 0);
        }
    }
    assert_true(least < 0.5 * before); /* they did hit */
    lode_world_destroy(world);
}

/* Velocity is kept, so what bounces bounces; and none is made. */
static void a_bouncing_ball_keeps_its_speed(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    shape_def.restitution = 1;
    shape_def.friction = 0;
    for (int side = -1; side <= 1; side += 2) {
        lode_body wall = add_body(world, LODE_STATIC, (lode_real)(4 * side), 0, 0);
        lode_shape_create_box(wall, &shape_def, vec((lode_real)5e-5, 9, 9));
    }
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.continuous = true;
    body_def.linear_velocity = vec(500, 0, 0);
    lode_body ball = lode_body_create(world, &body_def);
    lode_shape_create_sphere(ball, &shape_def, (lode_real)0.1);
    int turns = 0;
    double last = 1;
    for (int step = 0; step < 120; ++step) {
        lode_world_step(world, frame_time);
        lode_vec3 v = lode_body_get_linear_velocity(ball);
        assert_true(near(length_of(v), 500, 0.5));
        assert_true(fabs((double)lode_body_get_center(ball).x) < 3.95);
        turns += (double)v.x * last < 0;
        last = (double)v.x;
    }
    assert_true(turns > 30);
    lode_world_destroy(world);
}

/* A continuous ball does not pass through a mesh that moves, on a continuous body or another. */
static void balls_do_not_pass_meshes_that_move(void **state)
{
    (void)state;
    static mesh_draft draft;
    draft_box(&draft, 3, 3, 0.05);
    lode_mesh_def mesh_def = draft_def(&draft);
    lode_mesh *mesh = lode_mesh_create(&mesh_def);
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    for (int i = 0; i < 40; ++i) {
        lode_world world = lode_world_create(&def);
        lode_shape_def shape_def = lode_shape_def_default();
        lode_body_def body_def = lode_body_def_default();
        body_def.type = LODE_DYNAMIC;
        body_def.continuous = i % 2;
        body_def.linear_velocity.z = (lode_real)(10 * i);
        lode_body plate = lode_body_create(world, &body_def);
        assert_true(lode_shape_create_mesh(plate, &shape_def, mesh).id != 0);
        lode_body ball = add_bullet(world, BALL, (lode_pose){{0, 0, 4}, {1, 0, 0, 0}},
                                    vec(0, 0, -500), vec(0, 0, 0));
        for (int step = 0; step < 5; ++step) {
            lode_world_step(world, frame_time);
            assert_true(height_over(ball, plate) > 0);
        }
        lode_world_destroy(world);
    }
    lode_mesh_release(mesh);
}

/* ---- filters, joints, snapshots, threads ---- */

static void who_may_not_touch_passes(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {2};
    lode_body foil = add_target(world, FOIL, &random);
    lode_shape shape;
    lode_body_get_shapes(foil, &shape, 1);
    for (int how = 0; how < 3; ++how) {
        lode_shape_set_filter(shape, 1, how == 0 ? 2 : UINT64_MAX);
        lode_shape_set_enabled(shape, how != 1);
        lode_body body = add_bullet(world, BALL, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}},
                                    vec(0, 0, -400), vec(0, 0, 0));
        lode_world_step(world, frame_time);
        assert_int_equal(height_over(body, foil) < 0, how < 2);
        lode_body_destroy(body);
    }
    lode_world_destroy(world);
}

static lode_world gallery(int threads)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    test_random random = {8};
    def.threads = threads;
    lode_world world = lode_world_create(&def);
    add_target(world, SHEET, &random);
    for (int i = 0; i < 300; ++i) {
        lode_body box = add_body(world, LODE_DYNAMIC, (lode_real)(i % 10) - 5,
                                 (lode_real)(i / 10 % 10) - 5,
                                 (lode_real)0.5 + (lode_real)(i / 100));
        lode_shape_create_box(box, &shape_def,
                              vec((lode_real)0.45, (lode_real)0.45, (lode_real)0.45));
    }
    for (int i = 0; i < 80; ++i) {
        lode_vec3 from = times(any_direction(&random), number(&random, 9, 16));
        from.z = (lode_real)(1 + fabs((double)from.z));
        lode_vec3 velocity = times(from, -number(&random, 5, 60));
        add_bullet(world, (bullet)(i % BULLETS), (lode_pose){from, {1, 0, 0, 0}}, velocity,
                   times(any_direction(&random), 20));
    }
    return world;
}

static void threads_and_snapshots_change_nothing(void **state)
{
    (void)state;
    lode_world one = gallery(1), three = gallery(3);
    static char bytes[1 << 23];
    size_t size = 0;
    uint64_t hashes[16];
    for (int step = 0; step < 16; ++step) {
        if (step == 3) {
            size = lode_world_snapshot(one, bytes, sizeof bytes);
            assert_true(size > 0 && size <= sizeof bytes);
        }
        lode_world_step(one, frame_time);
        lode_world_step(three, frame_time);
        hashes[step] = lode_world_hash(one);
        assert_true(hashes[step] == lode_world_hash(three));
    }
    assert_int_equal(lode_world_restore(one, bytes, size), LODE_OK);
    for (int step = 3; step < 16; ++step) {
        lode_world_step(one, frame_time);
        assert_true(lode_world_hash(one) == hashes[step]);
    }
    lode_world_destroy(one);
    lode_world_destroy(three);
}

/* Whoever asks queries between steps, or lives in a tree of another form, meets the same. */
static void the_past_changes_nothing(void **state)
{
    (void)state;
    lode_world one = gallery(1), other = gallery(1);
    test_random random = {4};
    lode_body extra[40];
    for (int i = 0; i < 40; ++i) /* the tree takes a form of its own */
        extra[i] = add_ball(other, (lode_real)number(&random, -50, 50),
                            (lode_real)number(&random, -50, 50), 30, 1);
    lode_world_test_ray(other, &(lode_ray){.direction = {1, 0, 0}, .length = 1}, NULL);
    for (int i = 0; i < 40; ++i)
        lode_body_destroy(extra[i]);
    lode_body a[400], b[400];
    int count = lode_world_get_bodies(one, a, 400);
    assert_int_equal(lode_world_get_bodies(other, b, 400), count);
    for (int step = 0; step < 12; ++step) {
        lode_world_step(one, frame_time);
        lode_world_step(other, frame_time);
        lode_world_test_ray(other, &(lode_ray){.direction = {1, 0, 0}, .length = 1}, NULL);
        for (int i = 0; i < count; ++i) {
            lode_pose p = lode_body_get_pose(a[i]), q = lode_body_get_pose(b[i]);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
    lode_world_destroy(one);
    lode_world_destroy(other);
}

static void steps_allocate_nothing_after_warm_up(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    test_random random = {3};
    add_target(world, FOIL, &random);
    lode_body body = add_bullet(world, BRICK, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}}, vec(0, 0, -400),
                                vec(1, 2, 3));
    for (int round = 0; round < 6; ++round) {
        if (round == 3)
            alloc_fail_nth(-1);
        lode_body_set_pose(body, (lode_pose){{0, 0, 3}, {1, 0, 0, 0}});
        lode_body_set_linear_velocity(body, vec(0, 0, -400));
        for (int step = 0; step < 5; ++step)
            assert_int_equal(lode_world_step(world, frame_time), LODE_OK);
    }
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest quiet[] = {
        cmocka_unit_test(steps_allocate_nothing_after_warm_up),
    };
    if (cmocka_run_group_tests(quiet, set_up, NULL))
        return 1;
    make_stone();
    make_meshes();
    make_mesh_bullets();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_shot_through),
        cmocka_unit_test(nothing_drills_through),
        cmocka_unit_test(what_is_not_continuous_passes),
        cmocka_unit_test(bullets_do_not_pass_each_other),
        cmocka_unit_test(what_goes_ahead_is_pushed),
        cmocka_unit_test(what_is_stopped_stops_others),
        cmocka_unit_test(slow_bodies_are_as_others),
        cmocka_unit_test(fast_rollers_are_not_held_up),
        cmocka_unit_test(a_wall_that_is_shot_at_stays_sane),
        cmocka_unit_test(a_bouncing_ball_keeps_its_speed),
        cmocka_unit_test(balls_do_not_pass_meshes_that_move),
        cmocka_unit_test(who_may_not_touch_passes),
        cmocka_unit_test(threads_and_snapshots_change_nothing),
        cmocka_unit_test(the_past_changes_nothing),
    };
    int failed = cmocka_run_group_tests(tests, set_up, NULL);
    lode_mesh_release(sheet);
    lode_mesh_release(web);
    for (int b = 0; b < BULLETS; ++b)
        lode_mesh_release(mesh_bullets[b]);
    lode_hull_release(stone);
    lode_heightfield_release(field);
    return failed;
}
