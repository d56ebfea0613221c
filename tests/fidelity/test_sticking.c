/* Friction that sticks: what is held by friction alone does not creep, without sleeping, in ten
 * minutes, with any solver and any model of friction; and a ball that comes from a ramp onto the
 * floor, where it touches both, rolls on. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

static const double limit = 1e-4; /* m */

enum { MINUTES_10 = 36000, SETTLED = 60 };

typedef struct model {
    lode_friction friction;
    bool per_manifold;
} model;

static const model models[] = {{LODE_FRICTION_PYRAMID, false},
                               {LODE_FRICTION_CONE, false},
                               {LODE_FRICTION_PYRAMID, true},
                               {LODE_FRICTION_CONE, true}};

/* Some have friction per point alone, which is the first two. */
static int models_of(lode_solver solver)
{
    bool has_manifolds = solver == LODE_SOLVER_PGS || solver == LODE_SOLVER_SOFT_STEP;
    return has_manifolds ? (int)(sizeof models / sizeof models[0]) : 2;
}

/* Joint by joint all takes sixteen times as long: of each model one case will do. */
static bool is_spared(lode_solver solver, int model, int which)
{
    return solver == LODE_SOLVER_PER_JOINT && which != model;
}

static lode_world world_of(lode_solver solver, int model)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.friction_model = models[model].friction;
    def.friction_per_manifold = models[model].per_manifold;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

/* How far a body goes in ten minutes, once it has settled; not counting what it goes along x if
 * it is `free` to, since nothing holds it there. */
static double creep(lode_world world, lode_body body, int settle, void (*press)(void *), void *what,
                    bool free)
{
    lab_vec from = {0, 0, 0};
    for (int i = 0; i < settle + MINUTES_10; ++i) {
        if (i == settle)
            from = lab_center(body);
        if (press)
            press(what);
        lab_run(world, H, 1);
    }
    lab_vec way = lab_sub(lab_center(body), from);
    way.x = free ? 0 : way.x;
    return lab_length(way);
}

/* ---- a box on a slope, at 80 % of the angle of friction */

typedef struct slope_case {
    double mu, turn, half_height;
    bool on_box;
} slope_case;

static double creep_on_slope(lode_solver solver, int model, const slope_case *c)
{
    double angle = 0.8 * atan(c->mu), half = angle / 2;
    lab_vec n = {sin(angle), 0, cos(angle)};
    lode_world world = world_of(solver, model);
    lode_shape_def shape = lab_shape_def((lab_material){.density = 500, .friction = c->mu});
    lode_body_def def = lode_body_def_default();
    lode_quat lean = {(lode_real)cos(half), 0, (lode_real)sin(half), 0};
    if (c->on_box) {
        def.position = lab_vec3(-n.x, -n.y, -n.z);
        def.rotation = lean;
        lode_shape_create_box(lode_body_create(world, &def), &shape, lab_vec3(4, 4, 1));
    } else {
        lode_shape_create_plane(lode_body_create(world, &def), &shape, lab_vec3(n.x, n.y, n.z), 0);
    }
    lode_real w = (lode_real)cos(c->turn / 2), z = (lode_real)sin(c->turn / 2);
    def.type = LODE_DYNAMIC;
    def.position = lab_vec3(n.x * c->half_height, 0, n.z * c->half_height);
    def.rotation = (lode_quat){lean.w * w, lean.y * z, lean.y * w, lean.w * z};
    lode_body box = lode_body_create(world, &def);
    lode_shape_create_box(box, &shape, lab_vec3(0.5, 0.5, c->half_height));
    double crept = creep(world, box, SETTLED, NULL, NULL, false);
    lode_world_destroy(world);
    return crept;
}

/* The uphill corners of a cube on the steepest slope bear next to nothing. */
static void a_box_at_80_percent_of_its_angle_stays(void **state)
{
    const slope_case cases[] = {
        {0.3, 0, 0.125, false}, {0.6, 0.6, 0.125, true}, {0.6, 0.3, 0.5, false}, {1, 0, 0.5, true}};
    double worst = 0;
    for (int m = 0; m < models_of(LAB_SOLVER(state)); ++m)
        for (int i = 0; i < 4; ++i)
            if (!is_spared(LAB_SOLVER(state), m, i))
                worst = fmax(worst, creep_on_slope(LAB_SOLVER(state), m, &cases[i]));
    print_message("creeps by %.2g m\n", worst);
    LAB_AT_MOST(worst, limit);
}

/* ---- a plate between two that are pressed together, at 80 % of what friction holds */

typedef struct press {
    lode_body plates[2];
    double force;
    int count;
} press;

static void press_plates(void *what)
{
    const press *p = what;
    for (int i = 0; i < p->count; ++i)
        lode_body_add_force(p->plates[i], lab_vec3(i == 0 ? -p->force : p->force, 0, 0));
}

/* Both on sliders, or one on a slider against a wall. */
static double creep_of_plate(lode_solver solver, int model, bool wall)
{
    const lab_material rough = {.density = 500, .friction = 0.5};
    lode_vec3 half = lab_vec3(0.1, 0.5, 0.5);
    lode_world world = world_of(solver, model);
    press p = {.count = wall ? 1 : 2};
    lode_body plate = lab_box(world, rough, lab_vec3(0, 0, 0), half);
    p.force = lode_body_get_mass(plate).mass * LAB_G / (2 * rough.friction * 0.8);
    for (int i = 0; i < p.count; ++i) {
        p.plates[i] = lab_box(world, rough, lab_vec3(i == 0 ? 0.2 : -0.2, 0, 0), half);
        lode_joint_def slider = lode_joint_def_default(LODE_JOINT_SLIDER);
        slider.body_a = p.plates[i];
        lode_joint_def_anchor_world(&slider, lode_body_get_pose(p.plates[i]).position,
                                    lab_vec3(1, 0, 0));
        assert_true(lode_joint_is_valid(lode_joint_create(world, &slider)));
    }
    if (wall) {
        lode_shape_def shape = lab_shape_def(rough);
        lode_body_def def = lode_body_def_default();
        def.position = lab_vec3(-0.2, 0, 0);
        lode_shape_create_box(lode_body_create(world, &def), &shape, half);
    }
    double crept = creep(world, plate, 5 * SETTLED, press_plates, &p, !wall);
    lode_world_destroy(world);
    return crept;
}

/* The direct solver in single precision loses the plate at the wall after a minute
 * (docs/limits.md), so there it is left out. */
static void a_plate_held_between_two_does_not_creep(void **state)
{
    bool loses = LAB_SOLVER(state) == LODE_SOLVER_DIRECT && sizeof(lode_real) == sizeof(float);
    double worst = 0;
    for (int m = 0; m < models_of(LAB_SOLVER(state)); ++m)
        for (int wall = 0; wall < (loses ? 1 : 2); ++wall)
            if (!is_spared(LAB_SOLVER(state), m, wall))
                worst = fmax(worst, creep_of_plate(LAB_SOLVER(state), m, wall));
    print_message("creeps by %.2g m\n", worst);
    LAB_AT_MOST(worst, limit);
}

/* ---- a ball that comes from a ramp */

/* At the foot it is turned about its new point of contact: v' = v (2/5 + cos a) / (7/5). */
static void check_ball(lode_solver solver, int model, double mu)
{
    const double r = 0.5, a = 0.5, way = 2, g = LAB_G;
    const lab_material material = {.density = 1000, .friction = mu};
    lode_world world = world_of(solver, model);
    lode_shape_def shape = lab_shape_def(material);
    lode_body_def def = lode_body_def_default();
    lab_floor(world, material);
    lode_shape_create_plane(lode_body_create(world, &def), &shape, lab_vec3(sin(a), 0, cos(a)), 0);
    lode_body ball = lab_sphere(
        world, material, lab_vec3(r * sin(a) - way * cos(a), 0, r * cos(a) + way * sin(a)), r);
    lab_run(world, H, 300);
    double rolled = way - r * tan(a / 2); /* until it touches both */
    double v = sqrt(2 * g * sin(a) * rolled / 1.4) * (0.4 + cos(a)) / 1.4;
    LAB_NEAR(lab_velocity(ball).x, v, 0.03 * v);
    double before = lab_velocity(ball).x;
    lab_run(world, H, 120);
    LAB_NEAR(lab_velocity(ball).x, before, 0.005 * v);
    LAB_NEAR(lab_spin(ball).y * r, before, 0.015 * v); /* it rolls on a midpoint of contact */
    lode_world_destroy(world);
}

static void a_ball_rolls_on_from_a_ramp(void **state)
{
    for (int m = 0; m < models_of(LAB_SOLVER(state)); ++m) {
        check_ball(LAB_SOLVER(state), m, 1);
        check_ball(LAB_SOLVER(state), m, INFINITY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_AND_PER_JOINT(a_box_at_80_percent_of_its_angle_stays),
        LAB_EACH_AND_PER_JOINT(a_plate_held_between_two_does_not_creep),
        LAB_EACH_AND_PER_JOINT(a_ball_rolls_on_from_a_ramp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
