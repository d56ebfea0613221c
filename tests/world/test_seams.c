/* test_seams.c: solids slide and roll over floors of many shapes, side by side and flush, and of
 * meshes whose edges meet the middle of others, as over one box; and what only looks like a seam is
 * felt. */
#include "tests/world/solids.h"

#include "core/math.h"
#include "lode/heightfield.h"
#include "lode/mesh.h"
#include "tests/collide/fields.h"
#include "tests/collide/meshes.h"
#include "world/registry.h"
#include "world/validate.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum floor_kind {
    WHOLE,
    TILES,     /* boxes, each of a body of its own */
    ONE_BODY,  /* all of one body */
    BRICKS,    /* every second row is shifted */
    MESHES,    /* of two triangles each */
    MIXED,     /* boxes and meshes in turn */
    FIELDS,    /* height fields */
    JUNCTIONS, /* one mesh, in which edges meet the middle of others */
    FLOORS
} floor_kind;

static const char *const floor_names[] = {"whole",  "tiles", "one body", "bricks",
                                          "meshes", "mixed", "fields",   "junctions"};

enum { ALONG = 28, ACROSS = 11 };

static mesh_draft draft;
static field_draft sketch;

static lode_mesh *make_tile(void)
{
    draft_grid(&draft, 1, 1, NULL);
    lode_mesh_def def = draft_def(&draft);
    return lode_mesh_create(&def);
}

static lode_heightfield *make_field(void)
{
    draft_field(&sketch, 3, 3, 0.5, 0.5, NULL);
    lode_heightfield_def def = field_def(&sketch);
    return lode_heightfield_create(&def);
}

/* Bands of squares, each finer than the one before and back again, that share no vertex but the
 * ends. */
static lode_mesh *make_bands(void)
{
    static const int counts[] = {1, 3, 7, 2, 16, 5};
    draft.vertex_count = draft.triangle_count = 0;
    for (int band = 0; band < ALONG; ++band) {
        int n = counts[band % 6];
        double x = band - 3.13;
        for (int k = 0; k < n; ++k) {
            double y = -2.91 + (double)ACROSS * k / n, z = -2.91 + (double)ACROSS * (k + 1) / n;
            uint32_t a = draft_vertex(&draft, x, y, 0), b = draft_vertex(&draft, x + 1, y, 0);
            uint32_t c = draft_vertex(&draft, x + 1, z, 0), e = draft_vertex(&draft, x, z, 0);
            draft_triangle(&draft, a, b, c);
            draft_triangle(&draft, a, c, e);
        }
    }
    lode_mesh_def def = draft_def(&draft);
    return lode_mesh_create(&def);
}

static void add_floor(lode_world world, floor_kind kind, lode_real friction)
{
    lode_shape_def def = lode_shape_def_default();
    def.friction = friction;
    if (kind == WHOLE) {
        lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
        def.pose.position = vec(0, 0, -1);
        lode_shape_create_box(ground, &def, vec(100, 100, 1));
        return;
    }
    if (kind == JUNCTIONS) {
        lode_mesh *bands = make_bands();
        lode_shape_create_mesh(add_body(world, LODE_STATIC, 0, 0, 0), &def, bands);
        lode_mesh_release(bands);
        return;
    }
    lode_mesh *mesh = make_tile();
    lode_heightfield *field = make_field();
    lode_body one = add_body(world, LODE_STATIC, 0, 0, 0);
    for (int i = 0; i < ALONG; ++i)
        for (int k = 0; k < ACROSS; ++k) {
            double x = i - 2.63 + (kind == BRICKS && k % 2 ? 0.5 : 0), y = k - 2.41;
            bool boxes = kind == TILES || kind == ONE_BODY || kind == BRICKS ||
                         (kind == MIXED && (i + k) % 2);
            lode_body body = kind == ONE_BODY ? one : add_body(world, LODE_STATIC, 0, 0, 0);
            def.pose.position = vec((lode_real)x, (lode_real)y, boxes ? (lode_real)-0.5 : 0);
            if (boxes) {
                lode_shape_create_box(body, &def,
                                      vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
            } else if (kind == FIELDS) {
                def.pose.position = vec((lode_real)(x - 0.5), (lode_real)(y - 0.5), 0);
                lode_shape_create_heightfield(body, &def, field);
            } else {
                lode_shape_create_mesh(body, &def, mesh);
            }
        }
    lode_mesh_release(mesh);
    lode_heightfield_release(field);
}

/* --- as over one */

enum { TRACE = 120 };

/* Where a solid was, and how fast, step by step. */
typedef struct trace {
    lode_vec3 at[TRACE], v[TRACE];
    int steps;
} trace;

typedef struct push {
    double speed, way[2], friction, spin;
} push;

static void run(floor_kind floor, kind kind, const push *p, trace *out)
{
    lode_world world = make_world(1);
    lode_real friction = (lode_real)p->friction, spin = (lode_real)p->spin;
    add_floor(world, floor, friction);
    lode_body body = add_solid(world, kind, lying(kind, 0.03, 0.02, height_of(kind)), friction);
    step(world, 10);
    lode_vec3 v = vec((lode_real)(p->speed * p->way[0]), (lode_real)(p->speed * p->way[1]), 0);
    lode_body_set_linear_velocity(body, v);
    lode_body_set_angular_velocity(body,
                                   kind == BALL ? vec(-v.y * 2, v.x * 2, spin) : vec(0, 0, spin));
    out->steps = (int)fmin(20 / p->speed * 64, TRACE);
    for (int i = 0; i < out->steps; ++i) {
        step(world, 1);
        out->at[i] = lode_body_get_pose(body).position;
        out->v[i] = lode_body_get_linear_velocity(body);
    }
    lode_world_destroy(world);
}

/* The largest differences between two traces: of the velocity along the floor, of that across it,
 * of the height. */
typedef struct difference {
    double along, up, height;
} difference;

static difference compare(const trace *a, const trace *b)
{
    difference d = {0};
    for (int i = 0; i < a->steps; ++i) {
        lode_vec3 dv = v3_sub(a->v[i], b->v[i]);
        d.along = fmax(d.along, hypot((double)dv.x, (double)dv.y));
        d.up = fmax(d.up, fabs((double)dv.z));
        d.height = fmax(d.height, fabs((double)(a->at[i].z - b->at[i].z)));
    }
    return d;
}

static const double speeds[] = {0.5, 2, 9.1, 20};
static const double ways[][2] = {{1, 0}, {0.949, 0.316}, {0.997, 0.07}};

/* How much a floor of many shapes may differ, beside a share of the speed; and a factor for solids
 * that cross a third of a tile in each step, whose contacts are new in each. */
typedef struct bound {
    double share, along, up, height, fast;
} bound;

static push make_push(int i, double friction, double spin)
{
    return (push){speeds[i / 3], {ways[i % 3][0], ways[i % 3][1]}, friction, spin};
}

/* Two of all pushes, others for each kind; LODE_SEAMS takes them all. */
static bool is_run(int i, kind kind)
{
    return getenv("LODE_SEAMS") || (i + 5 * (int)kind) % (LODE_CHECKS > 2 ? 12 : 6) == 0;
}

static void every_floor_is_one(double friction, double spin, const bound bounds[KINDS])
{
    static trace wholes[12], other;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        for (int i = 0; i < 12; ++i) {
            push p = make_push(i, friction, spin);
            if (is_run(i, kind))
                run(WHOLE, kind, &p, &wholes[i]);
        }
        for (int floor = WHOLE + 1; floor < FLOORS; ++floor) {
            difference worst = {0};
            for (int i = 0; i < 12; ++i) {
                push p = make_push(i, friction, spin);
                if (!is_run(i, kind))
                    continue;
                run((floor_kind)floor, kind, &p, &other);
                difference d = compare(&wholes[i], &other);
                const bound *b = &bounds[kind];
                double wider = p.speed > 10 ? b->fast : 1;
                assert_true(d.along <= b->share * p.speed + b->along * wider);
                assert_true(d.up <= b->up * wider && d.height <= b->height * wider);
                worst.along = fmax(worst.along, d.along);
                worst.up = fmax(worst.up, d.up);
                worst.height = fmax(worst.height, d.height);
            }
            print_message("%d on %-9s: along %.5f, up %.5f m/s, height %.5f\n", kind,
                          floor_names[floor], worst.along, worst.up, worst.height);
        }
    }
}

static void seams_are_not_felt_without_friction(void **state)
{
    (void)state;
    static const bound bounds[KINDS] = {
        [BALL] = {1e-3, 1e-4, 5e-3, 5e-4, 1},    [BOX] = {1e-3, 1e-4, 1e-3, 1e-4, 1},
        [CAPSULE] = {1e-3, 8e-3, 3e-2, 1e-3, 1}, [DRUM] = {1e-3, 1e-4, 5e-3, 1e-3, 1},
        [WEDGE] = {1e-3, 1e-4, 5e-3, 1e-3, 1},
    };
    every_floor_is_one(0, 0, bounds);
    every_floor_is_one(0, 3, bounds);
}

/* A ball rolls and a box slides as over one. Which corners of the others carry the load as they
 * pass a seam, and so how they are turned, differs a little. */
static void seams_are_hardly_felt_with_friction(void **state)
{
    (void)state;
    static const bound bounds[KINDS] = {
        [BALL] = {1e-3, 1e-4, 5e-3, 5e-4, 1},    [BOX] = {1e-3, 1e-3, 2e-3, 1e-4, 1},
        [CAPSULE] = {1e-2, 6e-2, 0.25, 8e-3, 2}, [DRUM] = {5e-3, 1e-2, 0.1, 5e-3, 4},
        [WEDGE] = {5e-3, 2e-2, 0.1, 5e-3, 4},
    };
    every_floor_is_one(0.5, 0, bounds);
}

/* What rocks when a load is lost at a seam keeps within the bounds of a ball: on tiles of boxes,
 * straight and along a row's seams, at 2 and 20 m/s. */
static void loads_pass_from_tile_to_tile(void **state)
{
    (void)state;
    static const int pushes[] = {3, 4, 9, 11};
    static trace whole, other;
    for (kind kind = CAPSULE; kind < KINDS; ++kind)
        for (int n = 0; n < 4; ++n) {
            push p = make_push(pushes[n], 0.5, 0);
            run(WHOLE, kind, &p, &whole);
            for (int floor = TILES; floor <= ONE_BODY; ++floor) {
                run((floor_kind)floor, kind, &p, &other);
                difference d = compare(&whole, &other);
                assert_true(d.along <= 1e-3 * p.speed + 1e-4);
                assert_true(d.up <= 5e-3 && d.height <= 5e-4);
            }
        }
}

/* A hull has five corners below, of which a tile's manifold may have four: so on bricks too. */
static void hulls_pass_from_brick_to_brick(void **state)
{
    (void)state;
    static trace whole, other;
    for (int i = 6; i < 9; ++i) {
        push p = make_push(i, 0.5, 0);
        run(WHOLE, WEDGE, &p, &whole);
        run(BRICKS, WEDGE, &p, &other);
        difference d = compare(&whole, &other);
        assert_true(d.along <= 1e-3 * p.speed + 1e-4);
        assert_true(d.up <= 5e-3 && d.height <= 5e-4);
    }
}

/* --- shapes of a body that moves */

/* A raft of flush boxes, or of one, on smooth ground, and what slides along it. */
static void slide_on_raft(kind kind, int boxes, trace *out)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, -10);
    lode_world world = lode_world_create(&world_def);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = 0;
    lode_shape_create_plane(add_body(world, LODE_STATIC, 0, 0, -1), &shape, vec(0, 0, 1), 0);
    def.type = LODE_DYNAMIC;
    def.position = vec(0, 0, (lode_real)-0.5);
    lode_body raft = lode_body_create(world, &def);
    for (int i = 0; i < boxes; ++i) {
        double half = 12.0 / boxes;
        shape.density = 5000;
        shape.pose.position = vec((lode_real)(-12 + half + 2 * half * i), 0, 0);
        lode_shape_create_box(raft, &shape, vec((lode_real)half, 3, (lode_real)0.5));
    }
    lode_body body = add_solid(world, kind, lying(kind, -9, 0, height_of(kind)), 0);
    step(world, 30);
    lode_body_set_linear_velocity(body, vec(9, 1, 0));
    out->steps = 100;
    for (int i = 0; i < out->steps; ++i) {
        step(world, 1);
        out->at[i] = lode_body_get_pose(body).position;
        out->v[i] = lode_body_get_linear_velocity(body);
    }
    lode_world_destroy(world);
}

static void seams_of_a_body_that_moves_are_not_felt(void **state)
{
    (void)state;
    static trace one, many;
    for (kind kind = BALL; kind < KINDS; ++kind) {
        slide_on_raft(kind, 1, &one);
        slide_on_raft(kind, 31, &many);
        difference d = compare(&one, &many);
        print_message("%d: along %.5f, up %.5f m/s, height %.5f\n", kind, d.along, d.up, d.height);
        assert_true(d.along < 0.01 && d.up < 0.02 && d.height < 2e-3);
    }
}

/* --- what is no seam */

static lode_shape add_box(lode_world world, double x, double y, double z, lode_vec3 half,
                          double turn_y)
{
    lode_body_def body = lode_body_def_default();
    lode_shape_def def = lode_shape_def_default();
    def.friction = 0;
    body.position = vec((lode_real)x, (lode_real)y, (lode_real)z);
    body.rotation = q_normalize((lode_quat){1, 0, (lode_real)turn_y, 0}); /* by 2 atan(turn_y) */
    return lode_shape_create_box(lode_body_create(world, &body), &def, half);
}

/* A wall of bricks across the tiles, which stand in a row or under it. */
static void walls_on_tiles_stop(void **state)
{
    (void)state;
    for (kind kind = BALL; kind < KINDS; ++kind)
        for (int beside = 0; beside < 2; ++beside)
            for (int s = beside; s < 4; s += 2) {
                lode_world world = make_world(1);
                add_floor(world, BRICKS, 0);
                double bottom = beside ? -0.5 : 0;
                for (int i = 0; i < 8; ++i)
                    for (int k = 0; k < 3; ++k)
                        add_box(world, 4.37, i - 4.1, bottom + 0.25 + k * 0.5,
                                vec((lode_real)0.2, (lode_real)0.5, (lode_real)0.25), 0);
                lode_body body = add_solid(world, kind, lying(kind, 0, 0.03, height_of(kind)), 0);
                step(world, 5);
                lode_body_set_linear_velocity(body, vec((lode_real)speeds[s], 0, 0));
                double farthest = 0;
                for (int i = 0; i < 500 / (s + 1); ++i) {
                    step(world, 1);
                    farthest = fmax(farthest, (double)lode_body_get_pose(body).position.x);
                }
                double reach = kind == CAPSULE ? 0.3 : 0.38; /* at least, when turned */
                if (s == 3)
                    reach -= 0.2; /* it dives in before it is met */
                assert_true(farthest < 4.17 - reach + 0.1);
                assert_true((double)lode_body_get_linear_velocity(body).x < 0.05);
                lode_world_destroy(world);
            }
}

/* Lower than what lies at rest sinks in. */
static void a_wall_stops_a_thin_plate(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    add_floor(world, TILES, 0);
    add_box(world, 3.07, 0, 0, vec((lode_real)0.2, 4, 1), 0);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = 0;
    def.type = LODE_DYNAMIC;
    def.position = vec(0, 0, (lode_real)0.001);
    lode_body plate = lode_body_create(world, &def);
    lode_shape_create_box(plate, &shape, vec((lode_real)0.3, (lode_real)0.3, (lode_real)0.002));
    step(world, 20);
    lode_body_set_linear_velocity(plate, vec(2, 0, 0));
    step(world, 200);
    assert_true((double)lode_body_get_pose(plate).position.x < 2.88 - 0.3);
    lode_world_destroy(world);
}

/* Tiles from 2.37 on are higher by `rise`. */
static double slide_to_step(kind kind, double rise)
{
    lode_world world = make_world(1);
    for (int i = 0; i < 12; ++i)
        for (int k = 0; k < 4; ++k)
            add_box(world, i - 2.13, k - 1.6, i < 5 ? -0.5 : -0.5 + rise,
                    vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5), 0);
    lode_body body = add_solid(world, kind, lying(kind, 0, 0, height_of(kind)), 0);
    step(world, 20);
    lode_body_set_linear_velocity(body, vec(2, 0, 0));
    step(world, 250);
    double x = (double)lode_body_get_pose(body).position.x;
    lode_world_destroy(world);
    return x;
}

static void steps_stop_and_ledges_do_not(void **state)
{
    (void)state;
    for (kind kind = BOX; kind < KINDS; ++kind) {
        double reach = kind == BOX ? 0.4 : 0.35;
        if (kind != CAPSULE) { /* whose end rolls over */
            assert_true(slide_to_step(kind, 0.01) < 2.37 - reach + 0.1);
            assert_true(slide_to_step(kind, 0.05) < 2.37 - reach + 0.1);
        }
        assert_true(slide_to_step(kind, 0.0005) > 7);
        assert_true(slide_to_step(kind, -0.0005) > 7);
    }
}

/* Between two boxes that lean against each other at the bottom, by 2 atan(lean) each. */
static void grooves_hold(void **state)
{
    (void)state;
    static const double leans[] = {0.05, 0.2, 0.4};
    for (int l = 0; l < 3; ++l)
        for (int k = 0; k < 2; ++k) {
            double a = leans[l], c = (1 - a * a) / (1 + a * a), s = 2 * a / (1 + a * a);
            lode_real radius = (lode_real)(k ? 0.02 : 0.3);
            lode_world world = make_world(1);
            lode_vec3 half = vec(1, 1, (lode_real)0.5);
            /* the inner upper edges meet at the origin */
            add_box(world, c + 0.5 * s, 0, s - 0.5 * c, half, -a);
            add_box(world, -c - 0.5 * s, 0, s - 0.5 * c, half, a);
            lode_body ball = add_ball(world, (lode_real)0.002, 0,
                                      radius / (lode_real)c + radius / 20, radius);
            step(world, 400);
            lode_vec3 at = lode_body_get_pose(ball).position;
            assert_true(fabs((double)at.x) < 0.3 * (double)radius);
            assert_true(fabs((double)at.z - (double)radius / c) < 0.01);
            lode_world_destroy(world);
        }
}

/* Both tiles at a gap push off an edge that hangs into it, and a wedge between tiles is wedged. */
static void gaps_are_no_seams(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    lode_shape left = add_box(world, -0.505, 0, -0.5, vec((lode_real)0.5, 1, (lode_real)0.5), 0);
    lode_shape right = add_box(world, 0.505, 0, -0.5, vec((lode_real)0.5, 1, (lode_real)0.5), 0);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    def.position = vec(0, 0, (lode_real)(0.2 * sqrt(2.0) - 0.006));
    def.rotation = q_normalize((lode_quat){1, 0, (lode_real)0.41421356, 0});
    lode_body box = lode_body_create(world, &def);
    lode_shape_create_box(box, &shape, vec((lode_real)0.2, (lode_real)0.2, (lode_real)0.2));
    step(world, 1);
    lode_contact contacts[8];
    int count = lode_world_get_contacts(world, contacts, 8), sides = 0;
    for (int i = 0; i < count; ++i) {
        bool is_left = contacts[i].shape_a.id == left.id || contacts[i].shape_b.id == left.id;
        bool is_right = contacts[i].shape_a.id == right.id || contacts[i].shape_b.id == right.id;
        sides |= is_left | is_right << 1;
        assert_true(fabs(fabs((double)contacts[i].normal.x) - sqrt(0.5)) < 0.02);
    }
    assert_int_equal(sides, 3);
    lode_world_destroy(world);
}

/* --- one answer */

static void scatter(lode_world world, int floor)
{
    add_floor(world, (floor_kind)floor, (lode_real)0.4);
    for (int n = 0; n < 20; ++n) {
        lode_body body = add_solid(world, (kind)(n % KINDS),
                                   lying((kind)(n % KINDS), (n % 5) * 2.2, (n / 5) * 2.1 - 3,
                                         height_of((kind)(n % KINDS)) + 0.05 * n),
                                   (lode_real)0.4);
        lode_body_set_linear_velocity(body, vec((lode_real)(n % 3) * 4, (lode_real)(n % 2), 0));
    }
}

static void threads_and_snapshots_change_nothing(void **state)
{
    (void)state;
    static const int floors[] = {BRICKS, MIXED, ONE_BODY};
    for (int f = 0; f < 3; ++f) {
        uint64_t hash[3];
        for (int threads = 1; threads <= 3; ++threads) {
            lode_world world = make_world(threads);
            scatter(world, floors[f]);
            step(world, 60);
            if (threads == 2) {
                size_t size = lode_world_snapshot(world, NULL, 0);
                void *bytes = malloc(size);
                assert_int_equal(lode_world_snapshot(world, bytes, size), size);
                step(world, 10);
                assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
                free(bytes);
            }
            step(world, 60);
            lode__world_validate(lode__registry_world(world.id));
            hash[threads - 1] = lode_world_hash(world);
            lode_world_destroy(world);
        }
        assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

static void the_stage_runs_again(void **state)
{
    (void)state;
    lode_world world = make_world(1);
    scatter(world, MIXED);
    for (int i = 0; i < 60; ++i) {
        static const char *const stages[] = {"wake", "bounds", "broad phase", "narrow phase",
                                             "contact update"};
        for (int k = 0; k < 5; ++k)
            assert_int_equal(lode_world_run_stage(world, stages[k], STEP), LODE_OK);
        lode__world_validate(lode__registry_world(world.id));
        assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    }
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seams_are_not_felt_without_friction),
        cmocka_unit_test(seams_are_hardly_felt_with_friction),
        cmocka_unit_test(loads_pass_from_tile_to_tile),
        cmocka_unit_test(hulls_pass_from_brick_to_brick),
        cmocka_unit_test(seams_of_a_body_that_moves_are_not_felt),
        cmocka_unit_test(walls_on_tiles_stop),
        cmocka_unit_test(a_wall_stops_a_thin_plate),
        cmocka_unit_test(steps_stop_and_ledges_do_not),
        cmocka_unit_test(grooves_hold),
        cmocka_unit_test(gaps_are_no_seams),
        cmocka_unit_test(threads_and_snapshots_change_nothing),
        cmocka_unit_test(the_stage_runs_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
