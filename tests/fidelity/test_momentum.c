/* Collisions of free bodies keep linear and angular momentum to rounding: a contact gives both
 * bodies the same impulse at the same point, and a position step along the velocity moves no
 * angular momentum. So do pushes apart. Bodies with a round inertia (balls, cubes) are used, whose
 * rotation adds no error of its own (test_spin.c has that).
 *
 * Two parts of the library act while bodies have already moved within the step on arms that are
 * those of its beginning: restitution, which comes after the positions, and all but the first
 * sub-step. An impulse P then misses the common point by at most the relative
 * motion within a step, v dt, and angular momentum by |P| v dt, which is stated as `slip` and is of
 * first order; it vanishes for central impacts.
 *
 * Rounding: every iteration adds an impulse to momenta of at most P and angular momenta of at most
 * P R and errs by half a spacing of each; the bounds take 64 spacings a step of contact. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static lode_body ball(lode_world world, double e, double x, double y, double radius)
{
    return lab_sphere(world, (lab_material){8, 0.5, e}, lab_vec3(x, y, 0), radius);
}

static void push(lode_body body, double x, double y, double z)
{
    assert_int_equal(lode_body_set_linear_velocity(body, lab_vec3(x, y, z)), LODE_OK);
}

static void expect_kept_but(lab_sum before, const lode_body *bodies, int count, double scale,
                            double slip)
{
    lab_sum after = lab_total(bodies, count);
    double tolerance = 64 * LAB_EPSILON * scale;
    LAB_AT_MOST(lab_length(lab_sub(after.momentum, before.momentum)), tolerance);
    LAB_AT_MOST(lab_length(lab_sub(after.angular, before.angular)), tolerance + slip);
}

static void expect_kept(lab_sum before, const lode_body *bodies, int count, double scale)
{
    expect_kept_but(before, bodies, count, scale, 0);
}

/* Equal balls swap their speeds when elastic and share them when not. They are slow enough to be
 * stopped at the surface, without penetration that would have to be pushed apart. */
static void equal_balls_swap_or_share_their_speed(void **state)
{
    for (int elastic = 0; elastic < 2; ++elastic) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lode_world_set_restitution_threshold(world, (lode_real)0.125);
        lode_body pair[2] = {ball(world, elastic, 0, 0, 0.5), ball(world, elastic, 1.25, 0, 0.5)};
        push(pair[0], 1, 0, 0);
        lab_sum before = lab_total(pair, 2);
        lab_run(world, H, 64);
        expect_kept(before, pair, 2, lode_body_get_mass(pair[0]).mass);
        LAB_NEAR(lab_velocity(pair[0]).x, elastic ? 0 : 0.5, 64 * LAB_EPSILON);
        LAB_NEAR(lab_velocity(pair[1]).x, elastic ? 1 : 0.5, 64 * LAB_EPSILON);
        lode_world_destroy(world);
    }
}

/* A light ball on a heavy one: v1' = (m1 - m2) / (m1 + m2) v, v2' = 2 m1 / (m1 + m2) v. */
static void unequal_balls_part_as_newton_says(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body pair[2] = {ball(world, 1, 0, 0, 0.25), ball(world, 1, 2, 0, 0.5)};
    push(pair[0], 4, 0, 0);
    lab_sum before = lab_total(pair, 2);
    lab_run(world, H, 64);
    double m1 = lode_body_get_mass(pair[0]).mass, m2 = lode_body_get_mass(pair[1]).mass;
    LAB_NEAR(lab_velocity(pair[0]).x, 4 * (m1 - m2) / (m1 + m2), 64 * LAB_EPSILON * 4);
    LAB_NEAR(lab_velocity(pair[1]).x, 4 * 2 * m1 / (m1 + m2), 64 * LAB_EPSILON * 4);
    expect_kept(before, pair, 2, 4 * m2);
    LAB_NEAR(lab_total(pair, 2).kinetic, before.kinetic, 64 * LAB_EPSILON * 16 * m2);
    lode_world_destroy(world);
}

/* Five balls in a row, apart: the blow runs through and the last flies off alone. */
static void a_blow_runs_through_a_row_of_balls(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body row[5];
    for (int i = 0; i < 5; ++i)
        row[i] = ball(world, 1, 1.25 * i, 0, 0.5);
    push(row[0], 4, 0, 0);
    lab_sum before = lab_total(row, 5);
    lab_run(world, H, 64);
    for (int i = 0; i < 5; ++i)
        LAB_NEAR(lab_velocity(row[i]).x, i == 4 ? 4 : 0, 256 * LAB_EPSILON * 4);
    expect_kept(before, row, 5, 4 * 16);
    lode_world_destroy(world);
}

/* In a row that touches, who gets what is the solver's choice; momentum and the bound on energy
 * are not. Each of 20 iterations sweeps four contacts, hence a wider share of rounding. */
static void a_row_that_touches_keeps_momentum(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body row[5];
    for (int i = 0; i < 5; ++i)
        row[i] = ball(world, 1, i == 0 ? -1 : i, 0, 0.5);
    push(row[0], 4, 0, 0);
    lab_sum before = lab_total(row, 5);
    lab_run(world, H, 64);
    expect_kept(before, row, 5, 4 * 4 * 16);
    LAB_AT_MOST(lab_total(row, 5).kinetic, before.kinetic * (1 + 1024 * LAB_EPSILON));
    lode_world_destroy(world);
}

/* Spinning cubes meet off centre, corner to face, with friction. */
static void cubes_that_hit_askew_keep_both_momenta(void **state)
{
    for (int i = 0; i < 12; ++i) {
        lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
        lab_material stone = {8, 0.5, i % 3 / 2.0};
        lode_vec3 half = lab_vec3(0.5, 0.5, 0.5);
        lode_body pair[2] = {lab_box(world, stone, lab_vec3(-2, 0, 0), half),
                             lab_box(world, stone, lab_vec3(1, 0.125 * (i % 5), 0.25), half)};
        lode_pose pose = {lab_vec3(-2, 0, 0), {1, (lode_real)(i % 4) / 4, (lode_real)0.5, 0}};
        lode_body_set_pose(pair[0], pose);
        push(pair[0], 4, 0, 0);
        push(pair[1], -2, 0, 0);
        lode_body_set_angular_velocity(pair[0], lab_vec3(1, i % 4, -2));
        lode_body_set_angular_velocity(pair[1], lab_vec3(0, 1, 2));
        lab_sum before = lab_total(pair, 2), own = lab_total(pair, 1);
        lab_run(world, H, 64);
        LAB_AT_MOST(lab_velocity(pair[0]).x, 3.5); /* they did hit */
        double impulse = lab_length(lab_sub(lab_total(pair, 1).momentum, own.momentum));
        expect_kept_but(before, pair, 2, 8 * 6 * 3, impulse * 6 * H);
        lode_world_destroy(world);
    }
}

/* A heap that flies apart: many contacts at once, boxes and balls, deep overlap at the start. */
static void a_heap_that_flies_apart_keeps_both_momenta(void **state)
{
    lode_world world = lab_world_without_gravity(LAB_SOLVER(state));
    lode_body heap[27];
    double mass = 0;
    for (int i = 0; i < 27; ++i) {
        lab_material stone = {8, 0.5, 0};
        lode_vec3 at = lab_vec3(0.75 * (i % 3), 0.75 * (i / 3 % 3), 0.75 * (i / 9));
        heap[i] = i % 2 ? lab_sphere(world, stone, at, 0.5)
                        : lab_box(world, stone, at, lab_vec3(0.5, 0.5, 0.5));
        mass += lode_body_get_mass(heap[i]).mass;
    }
    lab_sum before = lab_total(heap, 27);
    lab_run(world, H, 64);
    double kinetic = lab_total(heap, 27).kinetic;
    LAB_AT_MOST(1, kinetic); /* it did fly apart */
    /* 64 steps of contact, at up to 4 m/s and 4 m from the origin; the sum of |P| v is 2 K */
    expect_kept_but(before, heap, 27, 64 * 4 * mass, 2 * kinetic * H);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(equal_balls_swap_or_share_their_speed),
        LAB_EACH_SOLVER(unequal_balls_part_as_newton_says),
        LAB_EACH_SOLVER(a_blow_runs_through_a_row_of_balls),
        LAB_EACH_SOLVER(a_row_that_touches_keeps_momentum),
        LAB_EACH_SOLVER(cubes_that_hit_askew_keep_both_momenta),
        LAB_EACH_SOLVER(a_heap_that_flies_apart_keeps_both_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
