/* Bodies that overlap: how deep they may rest in each other, and how fast they are pushed apart.
 *
 * From a depth d below the surface layer s, PGS and the direct solver leave (1 - erp) of d - s in
 * each step: 0.8^128 of it after two seconds, which is nothing. The soft step's contacts are
 * springs of frequency f that carry load beyond the layer alone, so they rest g / (2 pi f)^2
 * deeper. */
#include "core/math.h"
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material stone = {.density = 500, .friction = 0.5};

static double sag_of(lode_solver solver)
{
    double w = 2 * LAB_PI * (double)lode_world_def_default().contact_frequency;
    return solver == LODE_SOLVER_SOFT_STEP ? LAB_G / (w * w) : 0;
}

/* A box of a metre on the ground, `depth` in it. */
static lode_body put_box(lode_solver solver, double layer, double depth)
{
    lode_world world = lab_world(solver);
    assert_int_equal(lode_world_set_surface_layer(world, (lode_real)layer), LODE_OK);
    lab_floor(world, stone);
    return lab_box(world, stone, lab_vec3(0, 0, 0.5 - depth), lab_vec3(0.5, 0.5, 0.5));
}

/* How deep it lies in the end. */
static double resting_depth(lode_solver solver, double layer, double depth)
{
    lode_body box = put_box(solver, layer, depth);
    lode_world world = lode_body_get_world(box);
    lab_run(world, H, 128);
    double rests = 0.5 - lab_center(box).z;
    LAB_AT_MOST(lab_length(lab_velocity(box)), 1e-4);
    lab_run(world, H, 128);
    LAB_NEAR(0.5 - lab_center(box).z, rests, 1e-5);
    lode_world_destroy(world);
    return rests;
}

static void a_box_pushed_deeper_comes_up_to_the_surface_layer(void **state)
{
    const double layers[] = {0, 0.001, 0.005, 0.02};
    lode_solver solver = LAB_SOLVER(state);
    for (int i = 0; i < 4; ++i)
        LAB_NEAR(resting_depth(solver, layers[i], 0.05), layers[i] + sag_of(solver), 1e-4);
}

static bool lets_gaps_be(lode_solver solver)
{
    return solver != LODE_SOLVER_DIRECT;
}

/* Solvers that sweep let gaps of up to a tenth of the layer be, so what lands may stop that far
 * above the ground, and without a layer no farther than the others. */
static void what_lands_stops_on_the_ground_or_a_hair_above(void **state)
{
    const double heights[] = {1e-4, 3e-4, 4.9e-4, 5.1e-4, 1e-3, 3e-3, 0.01, 0.1};
    const double layers[] = {0, 0.001, 0.005};
    lode_solver solver = LAB_SOLVER(state);
    for (int i = 0; i < 8 * 3; ++i) {
        double layer = layers[i / 8], hair = lets_gaps_be(solver) ? 0.1 * layer : 0;
        lode_body box = put_box(solver, layer, -heights[i % 8]);
        lode_world world = lode_body_get_world(box);
        lab_run(world, H, 128);
        double gap = lab_center(box).z - 0.5;
        LAB_AT_MOST(gap, hair + 1e-6);
        LAB_AT_MOST(-gap, layer + sag_of(solver) + 1e-4);
        LAB_AT_MOST(lab_length(lab_velocity(box)), 1e-3);
        lode_world_destroy(world);
    }
}

/* The layer is in metres, whatever the caller's unit is: 0.02 m are 2 of a world in centimetres. */
static void the_surface_layer_scales_with_the_length_unit(void **state)
{
    lode_world_def def = lode_world_def_default();
    def.solver = LAB_SOLVER(state);
    def.length_unit = 100;
    def.surface_layer = (lode_real)0.02;
    def.gravity = lab_vec3(0, 0, -100 * LAB_G);
    def.max_correcting_velocity = 400;
    lode_world world = lode_world_create(&def);
    lab_floor(world, stone);
    lode_body box = lab_box(world, stone, lab_vec3(0, 0, 45), lab_vec3(50, 50, 50));
    lab_run(world, H, 128);
    LAB_NEAR(50 - lab_center(box).z, 2 + 100 * sag_of(def.solver), 0.01);
    lode_world_destroy(world);
}

enum { SOLIDS = 4 };

/* Balls and boxes that overlap by 0.4 m or more, two by two, in free space. */
typedef struct overlap {
    lode_world world;
    lode_body bodies[SOLIDS];
} overlap;

static overlap overlap_create(lode_solver solver, lode_real most)
{
    overlap o = {.world = lab_world_without_gravity(solver)};
    assert_int_equal(lode_world_set_max_correcting_velocity(o.world, most), LODE_OK);
    for (int i = 0; i < SOLIDS; ++i) {
        lode_vec3 at = lab_vec3(i % 2 * 0.6, i / 2 * 10, 0);
        o.bodies[i] = i / 2 ? lab_box(o.world, stone, at, lab_vec3(0.5, 0.5, 0.5))
                            : lab_sphere(o.world, stone, at, 0.5);
    }
    return o;
}

static double apart(const overlap *o, int first)
{
    return lab_length(lab_sub(lab_center(o->bodies[first + 1]), lab_center(o->bodies[first])));
}

static void nothing_is_pushed_apart_faster_than_allowed(void **state)
{
    const double most[] = {0.5, 1, 2};
    for (int i = 0; i < 3; ++i) {
        overlap o = overlap_create(LAB_SOLVER(state), (lode_real)most[i]);
        for (int step = 1; step <= 8; ++step) {
            lab_run(o.world, H, 1);
            for (int k = 0; k < SOLIDS; k += 2)
                LAB_AT_MOST(apart(&o, k) - 0.6, most[i] * H * step * 1.005 + 1e-4);
        }
        lab_run(o.world, H, 128);
        for (int k = 0; k < SOLIDS; k += 2)
            LAB_AT_MOST(0.994, apart(&o, k));
        lode_world_destroy(o.world);
    }
}

/* Then erp alone says how fast: in each of n sub-steps 0.2 of what is left of 0.395 m. The relax
 * pass is one sweep and leaves a box a few thousandths of its speed. The soft step pushes sooner
 * than with any limit below. */
static void without_a_limit_overlaps_end_as_erp_says(void **state)
{
    lode_solver solver = LAB_SOLVER(state);
    overlap o = overlap_create(solver, (lode_real)INFINITY), slow = overlap_create(solver, 1);
    lab_run(o.world, H, 1);
    lab_run(slow.world, H, 1);
    for (int k = 0; k < SOLIDS; k += 2) {
        if (solver != LODE_SOLVER_SOFT_STEP)
            LAB_NEAR(apart(&o, k) - 0.6, (1 - pow(0.8, lab_sub_steps(o.world))) * 0.395, 1e-3);
        LAB_AT_MOST(apart(&slow, k) + 0.01, apart(&o, k));
    }
    lode_world_destroy(o.world);
    lode_world_destroy(slow.world);
}

/* Coincident bodies as large as ships, no limit, all of the error in one step: they leave in finite
 * time at finite speed, and any limit that is large enough is as good as none. */
static void deep_overlaps_without_a_limit_stay_finite(void **state)
{
    const lode_real limits[] = {(lode_real)INFINITY, REAL_MAX};
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body ships[5];
        lab_floor(world, stone);
        assert_int_equal(lode_world_set_max_correcting_velocity(world, limits[i]), LODE_OK);
        assert_int_equal(lode_world_set_erp(world, 1), LODE_OK);
        for (int k = 0; k < 5; ++k)
            ships[k] = k % 2 ? lab_sphere(world, stone, lab_vec3(0, 0, -900), 1000)
                             : lab_box(world, stone, lab_vec3(0, 0, -900), lab_vec3(900, 950, 990));
        lab_run(world, H, 64);
        lode_warning_info warnings[LODE_WARNING_COUNT];
        lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
        assert_int_equal(warnings[LODE_WARNING_NAN_BODY].ever, 0);
        for (int k = 0; k < 5; ++k) {
            LAB_AT_MOST(lab_length(lab_velocity(ships[k])), 1e7);
            LAB_AT_MOST(lab_length(lab_center(ships[k])), 1e7);
        }
        hashes[i] = lode_world_hash(world);
        lode_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_box_pushed_deeper_comes_up_to_the_surface_layer),
        LAB_EACH_AND_PER_JOINT(what_lands_stops_on_the_ground_or_a_hair_above),
        LAB_EACH_AND_PER_JOINT(the_surface_layer_scales_with_the_length_unit),
        LAB_EACH_AND_PER_JOINT(nothing_is_pushed_apart_faster_than_allowed),
        LAB_EACH_AND_PER_JOINT(without_a_limit_overlaps_end_as_erp_says),
        LAB_EACH_AND_PER_JOINT(deep_overlaps_without_a_limit_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
