/* Coulomb friction of a box on a slope and on the level.
 *
 * The slope leans so that its line of fall is the first friction axis of its contacts, along which
 * the friction pyramid is exact; in between it may hold up to sqrt(2) times as hard, which the
 * last test states.
 *
 * The box starts in touch, at rest or sliding, so that the normal force is m g cos(a) from the
 * first step but for the solver's convergence. Semi-implicit Euler moves the box by
 * a h^2 n (n + 1) / 2, of which a h t / 2 is the method's error. The solver's own is in how the
 * four corners share the load, not in its sum, because all corners slide. One step's velocity, h v,
 * bounds both. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)
#define MU 0.5

static const lab_material rough = {.density = 500, .friction = MU};

typedef struct model {
    lode_friction friction;
    bool per_manifold;
} model;

static const model models[] = {{LODE_FRICTION_PYRAMID, false},
                               {LODE_FRICTION_CONE, false},
                               {LODE_FRICTION_PYRAMID, true},
                               {LODE_FRICTION_CONE, true}};

enum { RESTS = 256, MODELS = sizeof models / sizeof models[0] };

static void set_model(lode_world world, const model *model)
{
    assert_int_equal(lode_world_set_friction_model(world, model->friction), LODE_OK);
    assert_int_equal(lode_world_set_friction_per_manifold(world, model->per_manifold), LODE_OK);
}

typedef struct slope {
    lode_world world;
    lode_body box;
    lab_vec from, down; /* the line of fall */
} slope;

/* A half-space leaning by `angle` about the y axis with a flat box on it. */
static slope slope_create(lode_solver solver, double angle, const model *model)
{
    slope s = {.world = lab_world(solver), .down = {cos(angle), 0, -sin(angle)}};
    set_model(s.world, model);
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lab_shape_def(rough);
    lode_vec3 normal = lab_vec3(sin(angle), 0, cos(angle)), half = lab_vec3(0.5, 0.5, 0.125);
    lode_body ground = lode_body_create(s.world, &def);
    lode_shape_create_plane(ground, &shape, normal, 0);
    def.type = LODE_DYNAMIC;
    def.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
    def.position = lab_vec3(0.125 * sin(angle), 0, 0.125 * cos(angle));
    s.box = lode_body_create(s.world, &def);
    lode_shape_create_box(s.box, &shape, half);
    s.from = lab_center(s.box);
    return s;
}

/* Turns the box about the normal: its corners then carry unlike loads. */
static void turn_on_slope(slope *s, double turn)
{
    lode_pose pose = lode_body_get_pose(s->box);
    lode_quat q = pose.rotation;
    lode_real c = (lode_real)cos(turn / 2), z = (lode_real)sin(turn / 2);
    pose.rotation = (lode_quat){c * q.w - z * q.z, c * q.x + z * q.y, c * q.y - z * q.x,
                                c * q.z + z * q.w};
    assert_int_equal(lode_body_set_pose(s->box, pose), LODE_OK);
}

static double slid(const slope *s)
{
    return lab_dot(lab_sub(lab_center(s->box), s->from), s->down);
}

/* Just below the friction angle a box sticks: once its contacts have settled, within a second and
 * the contact slop of 5 mm, it does not creep by a millimetre in a minute. */
static void check_a_box_below_the_friction_angle_sticks(lode_solver solver, const model *model)
{
    slope s = slope_create(solver, atan(MU) - 0.02, model);
    lab_run(s.world, H, 64);
    double settled = slid(&s);
    LAB_NEAR(settled, 0, 0.005);
    lab_run(s.world, H, 60 * 64);
    LAB_NEAR(slid(&s), settled, 0.001);
    LAB_AT_MOST(lab_length(lab_velocity(s.box)), 0.001);
    lode_world_destroy(s.world);
}

static void a_box_below_the_friction_angle_sticks(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_a_box_below_the_friction_angle_sticks(LAB_SOLVER(state), &models[i]);
}

/* What rests does not creep: not by a tenth of a millimetre in 1,000 steps, in any direction, at
 * any angle below that of friction, with two corners below or one. Four seconds bring it to rest:
 * the soft step's contacts give way slowly before they carry. */
static void a_resting_box_does_not_creep(void **state)
{
    const double shares[] = {0.25, 0.5, 0.75, 0.95, 0.99};
    double worst = 0;
    for (int i = 0; i < MODELS; ++i)
        for (int k = 0; k < 5; ++k)
            for (int turned = 0; turned < 2; ++turned) {
                slope s = slope_create(LAB_SOLVER(state), shares[k] * atan(MU), &models[i]);
                if (turned)
                    turn_on_slope(&s, 0.6);
                lab_run(s.world, H, RESTS);
                lab_vec from = lab_center(s.box);
                lab_run(s.world, H, 1000);
                worst = fmax(worst, lab_length(lab_sub(lab_center(s.box), from)));
                lode_world_destroy(s.world);
            }
    print_message("creeps by %.2g m\n", worst);
    LAB_AT_MOST(worst, 1e-4);
}

static void check_a_box_above_the_friction_angle_accelerates(lode_solver solver, const model *model)
{
    for (int i = 1; i <= 3; ++i) {
        double angle = atan(MU) + 0.05 * i, t = 2;
        double a = LAB_G * (sin(angle) - MU * cos(angle));
        slope s = slope_create(solver, angle, model);
        lab_run(s.world, H, 128);
        LAB_NEAR(lab_dot(lab_velocity(s.box), s.down), a * t, a * H);
        LAB_NEAR(slid(&s), a * t * t / 2, a * t * H);
        lode_world_destroy(s.world);
    }
}

static void a_box_above_the_friction_angle_accelerates(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_a_box_above_the_friction_angle_accelerates(LAB_SOLVER(state), &models[i]);
}

/* v^2 / (2 mu g), and there the box stays. */
static void check_a_sliding_box_stops_where_energy_is_spent(lode_solver solver, const model *model)
{
    for (double speed = 1; speed <= 4; speed *= 2) {
        slope s = slope_create(solver, 0, model);
        lode_body_set_linear_velocity(s.box, lab_vec3(speed, 0, 0));
        lab_run(s.world, H, (int)(speed / (MU * LAB_G) / H) + 32);
        double stopped = slid(&s);
        LAB_NEAR(stopped, speed * speed / (2 * MU * LAB_G), speed * H);
        lab_run(s.world, H, 256);
        LAB_NEAR(slid(&s), stopped, 0.001);
        LAB_NEAR(lab_center(s.box).y, 0, 0.001);
        lode_world_destroy(s.world);
    }
}

static void a_sliding_box_stops_where_energy_is_spent(void **state)
{
    for (int i = 0; i < MODELS; ++i)
        check_a_sliding_box_stops_where_energy_is_spent(LAB_SOLVER(state), &models[i]);
}

/* In whatever direction a box slides, its friction is between that of the cone and that of the
 * pyramid around it. */
static void friction_is_between_cone_and_pyramid(void **state)
{
    for (int i = 0; i < 8; ++i) {
        double way = i * LAB_PI / 8, speed = 4, t = 0.25;
        slope s = slope_create(LAB_SOLVER(state), 0, &models[0]);
        lode_body_set_linear_velocity(s.box, lab_vec3(speed * cos(way), speed * sin(way), 0));
        lab_run(s.world, H, 16);
        double slower = (speed - lab_length(lab_velocity(s.box))) / t;
        LAB_AT_MOST(MU * LAB_G * (1 - H / t), slower);
        LAB_AT_MOST(slower, sqrt(2.0) * MU * LAB_G * (1 + H / t));
        lode_world_destroy(s.world);
    }
}

/* On a cone it is the same in all directions, and straight against the motion. */
static void a_cone_brakes_alike_in_all_directions(void **state)
{
    for (int i = 0; i < 32; ++i) {
        double way = i / 2 * LAB_PI / 8, speed = 4, t = 0.25;
        slope s = slope_create(LAB_SOLVER(state), 0, &models[i % 2 ? 1 : 3]);
        lab_vec along = {cos(way), sin(way), 0};
        lode_body_set_linear_velocity(s.box, lab_vec3(speed * along.x, speed * along.y, 0));
        lab_run(s.world, H, 16);
        lab_vec v = lab_velocity(s.box);
        LAB_NEAR((speed - lab_dot(v, along)) / t, MU * LAB_G, MU * LAB_G * H / t);
        LAB_NEAR(lab_length(lab_cross(v, along)), 0, 0.01 * speed);
        lode_world_destroy(s.world);
    }
}

/* A plate that spins on its four corners: each brakes with mu m g / 4 at its distance r from the
 * middle, so the spin slows by mu m g r / I, and then stays. Per point a pyramid brakes up to 1.4
 * times as hard, because the corners slide along its diagonals. */
static void a_spinning_plate_slows_by_the_arms_of_its_corners(void **state)
{
    for (int i = 1; i < MODELS; ++i) {
        slope s = slope_create(LAB_SOLVER(state), 0, &models[i]);
        double slows = MU * LAB_G * sqrt(0.5) * 6, spin = 8, t = 0.25;
        lode_body_set_angular_velocity(s.box, lab_vec3(0, 0, spin));
        lab_run(s.world, H, 16);
        LAB_NEAR(spin - lab_spin(s.box).z, slows * t, 2 * slows * H);
        lab_run(s.world, H, 32);
        LAB_NEAR(lab_spin(s.box).z, 0, 0.01);
        LAB_NEAR(slid(&s), 0, 0.01);
        lode_world_destroy(s.world);
    }
}

/* A stack outlives changes of the model from step to step: the impulses of one start the other. */
static void changing_the_model_does_no_harm(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body boxes[5];
    lab_floor(world, rough);
    for (int i = 0; i < 5; ++i)
        boxes[i] = lab_box(world, rough, lab_vec3(0.05 * i, 0, 0.5 + i), lab_vec3(0.5, 0.5, 0.5));
    for (int i = 0; i < 600; ++i) {
        set_model(world, &models[i * 7 % 11 % MODELS]);
        lab_run(world, H, 1);
    }
    for (int i = 0; i < 5; ++i) {
        LAB_NEAR(lab_center(boxes[i]).x, 0.05 * i, 0.02);
        LAB_NEAR(lab_center(boxes[i]).y, 0, 0.02);
        LAB_AT_MOST(lab_length(lab_velocity(boxes[i])), 0.01);
    }
    lode_world_destroy(world);
}

/* A ball set down spinning rolls in the end: v = w r with 2/7 of the first rim speed, because
 * friction acts on both until they agree. */
static void a_spinning_ball_comes_to_roll(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lab_floor(world, rough);
    lode_body ball = lab_sphere(world, rough, lab_vec3(0, 0, 0.5), 0.5);
    lode_body_set_angular_velocity(ball, lab_vec3(0, 14, 0));
    lab_run(world, H, 128);
    double v = lab_velocity(ball).x;
    LAB_NEAR(v, 2.0 / 7 * 14 * 0.5, 0.02);
    LAB_NEAR(lab_spin(ball).y * 0.5, v, 0.01);
    lab_run(world, H, 128);
    LAB_NEAR(lab_velocity(ball).x, v, 0.01); /* rolling costs nothing */
    lode_world_destroy(world);
}

/* The direct solver has friction per point alone. */
#define EACH_ITERATIVE_SOLVER(test) \
    {#test " (pgs)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_PGS]}, \
    { \
#test " (soft step)", test, NULL, NULL, &lab_solvers[LODE_SOLVER_SOFT_STEP] \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_box_below_the_friction_angle_sticks),
        LAB_EACH_SOLVER(a_resting_box_does_not_creep),
        LAB_EACH_SOLVER(a_box_above_the_friction_angle_accelerates),
        LAB_EACH_SOLVER(a_sliding_box_stops_where_energy_is_spent),
        LAB_EACH_SOLVER(friction_is_between_cone_and_pyramid),
        LAB_EACH_AND_PER_JOINT(a_cone_brakes_alike_in_all_directions),
        EACH_ITERATIVE_SOLVER(a_spinning_plate_slows_by_the_arms_of_its_corners),
        LAB_EACH_SOLVER(changing_the_model_does_no_harm),
        LAB_EACH_SOLVER(a_spinning_ball_comes_to_roll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
