/* The length unit: what is built a thousand times smaller or larger, with gravity scaled alike and
 * the unit told, behaves alike. By a power of two no rounding differs, so that not a bit of the
 * motion does: no length or speed in the library is absolute. By a thousand roundings differ, and
 * what stands must stand, and fall asleep, alike. */
#include "tests/fidelity/lab.h"

#include <string.h>

enum { BODIES = 30, KINDS = 5, STEPS = 240, PYRAMID = 6, BOXES = PYRAMID * (PYRAMID + 1) / 2 };

typedef struct heap {
    lode_world world;
    double scale;
    lode_body bodies[BODIES];
} heap;

static lode_vec3 scaled(const heap *h, double x, double y, double z)
{
    return lab_vec3(x * h->scale, y * h->scale, z * h->scale);
}

static lode_world world_at(lode_solver solver, double scale)
{
    lode_world_def def = lode_world_def_default();
    def.length_unit = (lode_real)scale;
    def.gravity = lab_vec3(0, 0, -10 * scale);
    def.solver = solver;
    def.sleep.enabled = true;
    def.damping.linear_per_second = (lode_real)0.05;
    return lode_world_create(&def);
}

/* The values that bodies have at scale 1 are of few digits, so that all scale exactly. */
static void add_shape(const heap *h, lode_body body, int kind)
{
    const lab_material wood = {.density = 0.5, .friction = 0.5, .restitution = 0.25};
    lode_shape_def def = lab_shape_def(wood);
    lode_real r = (lode_real)(0.5 * h->scale), half = (lode_real)(0.25 * h->scale);
    lode_vec3 corners[6];
    for (int i = 0; i < 6; ++i)
        corners[i] = scaled(h, i / 2 == 0 ? i % 2 - 0.5 : 0, i / 2 == 1 ? i % 2 - 0.5 : 0,
                            i / 2 == 2 ? i % 2 - 0.5 : 0);
    lode_hull_def points = lode_hull_def_default();
    points.points = &corners[0].x;
    points.point_count = 6;
    lode_hull *hull = lode_hull_create(&points);
    switch (kind) {
    case 0:
        lode_shape_create_box(body, &def, scaled(h, 0.5, 0.5, 0.25));
        break;
    case 1:
        lode_shape_create_sphere(body, &def, r);
        break;
    case 2:
        lode_shape_create_capsule(body, &def, half, r);
        break;
    case 3:
        lode_shape_create_cylinder(body, &def, r, half);
        break;
    default:
        lode_shape_create_hull(body, &def, hull);
    }
    lode_hull_release(hull);
}

static heap heap_at(lode_solver solver, double scale)
{
    heap h = {.world = world_at(solver, scale), .scale = scale};
    lab_floor(h.world, (lab_material){.friction = 0.5});
    for (int i = 0; i < BODIES; ++i) {
        int level = i / 9;
        h.bodies[i] = lab_body(h.world, scaled(&h, i % 3 * 1.125 + level * 0.0625,
                                               i / 3 % 3 * 1.125 - level * 0.03125,
                                               0.75 + level * 1.25));
        add_shape(&h, h.bodies[i], i % KINDS);
    }
    return h;
}

/* Is every body where it is at scale 1, to the bit? */
static void assert_same(const heap *at, const heap *one)
{
    for (int i = 0; i < BODIES; ++i) {
        lode_pose p = lode_body_get_pose(at->bodies[i]), q = lode_body_get_pose(one->bodies[i]);
        lode_vec3 v = lode_body_get_linear_velocity(at->bodies[i]);
        lode_vec3 u = lode_body_get_linear_velocity(one->bodies[i]);
        lode_real s = (lode_real)at->scale;
        assert_true(p.position.x == q.position.x * s && p.position.y == q.position.y * s &&
                    p.position.z == q.position.z * s);
        assert_true(v.x == u.x * s && v.y == u.y * s && v.z == u.z * s);
        assert_memory_equal(&p.rotation, &q.rotation, sizeof p.rotation);
    }
}

static void a_heap_has_the_same_bits_at_powers_of_two(void **state)
{
    for (int large = 0; large < 2; ++large) {
        heap one = heap_at(LAB_SOLVER(state), 1);
        heap other = heap_at(LAB_SOLVER(state), large ? 1024 : 1 / 1024.0);
        int steps = LAB_SOLVER(state) == LODE_SOLVER_DIRECT ? STEPS / 4 : STEPS;
        for (int step = 0; step < steps; ++step) {
            lab_run(one.world, 1.0 / 64, 1);
            lab_run(other.world, 1.0 / 64, 1);
            assert_same(&other, &one);
        }
        lode_world_destroy(one.world);
        lode_world_destroy(other.world);
    }
}

/* A pyramid of boxes that are put down 1 cm apart: how far it sinks, how long it takes to sleep. */
typedef struct settled {
    double sunk, aside;
    int steps;
} settled;

static settled settle(lode_solver solver, double scale)
{
    const lab_material wood = {.density = 500, .friction = 0.5};
    heap h = {.world = world_at(solver, scale), .scale = scale};
    lode_body boxes[BOXES];
    lode_vec3 start[BOXES];
    lode_world_stats stats;
    settled out = {0, 0, 0};
    int count = 0;
    lab_floor(h.world, wood);
    for (int level = 0; level < PYRAMID; ++level)
        for (int i = 0; i < PYRAMID - level; ++i) {
            start[count] = scaled(&h, 1.01 * (i + 0.5 * level), 0, 0.51 + 1.01 * level);
            boxes[count] = lab_box(h.world, wood, start[count], scaled(&h, 0.5, 0.5, 0.5));
            ++count;
        }
    do {
        lab_run(h.world, 1.0 / 60, 1);
        assert_int_equal(lode_world_get_stats(h.world, &stats), LODE_OK);
    } while (stats.awake_bodies > 0 && ++out.steps < 1200);
    for (int i = 0; i < BOXES; ++i) {
        lab_vec way = lab_scale(lab_sub(lab_center(boxes[i]), lab_of(start[i])), 1 / scale);
        out.sunk = fmax(out.sunk, -way.z);
        out.aside = fmax(out.aside, fmax(fabs(way.x), fabs(way.y)));
    }
    lode_world_destroy(h.world);
    return out;
}

static void a_pyramid_stands_and_sleeps_at_any_scale(void **state)
{
    settled one = settle(LAB_SOLVER(state), 1);
    for (int large = 0; large < 2; ++large) {
        settled other = settle(LAB_SOLVER(state), large ? 1000 : 0.001);
        print_message("1 : %g: sinks %.2f mm, moves %.2f mm aside, sleeps after %d steps; at 1 "
                      "%.2f, %.2f, %d\n",
                      large ? 1000 : 0.001, 1000 * other.sunk, 1000 * other.aside, other.steps,
                      1000 * one.sunk, 1000 * one.aside, one.steps);
        assert_true(one.steps < 600);
        LAB_NEAR(other.sunk, one.sunk, 0.002);
        LAB_NEAR(other.aside, one.aside, 0.005);
        LAB_NEAR(other.steps, one.steps, 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_heap_has_the_same_bits_at_powers_of_two),
        LAB_EACH_SOLVER(a_pyramid_stands_and_sleeps_at_any_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
