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

typedef struct slope {
    lode_world world;
    lode_body box;
    lab_vec from, down; /* the line of fall */
} slope;

/* A half-space leaning by `angle` about the y axis with a flat box on it. */
static slope slope_create(lode_solver solver, double angle)
{
    slope s = {.world = lab_world(solver), .down = {cos(angle), 0, -sin(angle)}};
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

static double slid(const slope *s)
{
    return lab_dot(lab_sub(lab_center(s->box), s->from), s->down);
}

/* Just below the friction angle a box sticks: once its contacts have settled, within a second and
 * the contact slop of 5 mm, it does not creep by a millimetre in a minute. */
static void a_box_below_the_friction_angle_sticks(void **state)
{
    slope s = slope_create(LAB_SOLVER(state), atan(MU) - 0.02);
    lab_run(s.world, H, 64);
    double settled = slid(&s);
    LAB_NEAR(settled, 0, 0.005);
    lab_run(s.world, H, 60 * 64);
    LAB_NEAR(slid(&s), settled, 0.001);
    LAB_AT_MOST(lab_length(lab_velocity(s.box)), 0.001);
    lode_world_destroy(s.world);
}

static void a_box_above_the_friction_angle_accelerates(void **state)
{
    for (int i = 1; i <= 3; ++i) {
        double angle = atan(MU) + 0.05 * i, t = 2;
        double a = LAB_G * (sin(angle) - MU * cos(angle));
        slope s = slope_create(LAB_SOLVER(state), angle);
        lab_run(s.world, H, 128);
        LAB_NEAR(lab_dot(lab_velocity(s.box), s.down), a * t, a * H);
        LAB_NEAR(slid(&s), a * t * t / 2, a * t * H);
        lode_world_destroy(s.world);
    }
}

/* v^2 / (2 mu g), and there the box stays. */
static void a_sliding_box_stops_where_energy_is_spent(void **state)
{
    for (double speed = 1; speed <= 4; speed *= 2) {
        slope s = slope_create(LAB_SOLVER(state), 0);
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

/* In whatever direction a box slides, its friction is between that of the cone and that of the
 * pyramid around it. */
static void friction_is_between_cone_and_pyramid(void **state)
{
    for (int i = 0; i < 8; ++i) {
        double way = i * LAB_PI / 8, speed = 4, t = 0.25;
        slope s = slope_create(LAB_SOLVER(state), 0);
        lode_body_set_linear_velocity(s.box, lab_vec3(speed * cos(way), speed * sin(way), 0));
        lab_run(s.world, H, 16);
        double slower = (speed - lab_length(lab_velocity(s.box))) / t;
        LAB_AT_MOST(MU * LAB_G * (1 - H / t), slower);
        LAB_AT_MOST(slower, sqrt(2.0) * MU * LAB_G * (1 + H / t));
        lode_world_destroy(s.world);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_box_below_the_friction_angle_sticks),
        LAB_EACH_SOLVER(a_box_above_the_friction_angle_accelerates),
        LAB_EACH_SOLVER(a_sliding_box_stops_where_energy_is_spent),
        LAB_EACH_SOLVER(friction_is_between_cone_and_pyramid),
        LAB_EACH_SOLVER(a_spinning_ball_comes_to_roll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
