/* What lode/material.h says, against its formulas, with each solver. Steps are of 1/64 s. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 64)

static const lab_material light = {.density = 40};

/* One entry for "floor" and "thing", to be changed. */
static lode_contact_properties properties(void)
{
    lode_contact_properties p = lode_contact_properties_default();
    p.material1 = "floor";
    p.material2 = "thing";
    p.bounce = 0;
    return p;
}

static void name_shape(lode_body body, const char *material)
{
    lode_shape shape;
    assert_int_equal(lode_body_get_shapes(body, &shape, 1), 1);
    assert_int_equal(lode_shape_set_material(shape, material), LODE_OK);
}

/* A floor and a flat box of 10 kg on it, pulled down and along by gravity. */
typedef struct stand {
    lode_world world;
    lode_body box;
} stand;

static stand stand_of(lode_solver solver, const lode_contact_properties *p, double gx, double gy)
{
    stand s = {.world = lab_world(solver)};
    lode_world_set_gravity(s.world, lab_vec3(gx, gy, -LAB_G));
    name_shape(lab_floor(s.world, light), "floor");
    s.box = lab_box(s.world, light, lab_vec3(0, 0, 0.125), lab_vec3(0.5, 0.5, 0.125));
    name_shape(s.box, "thing");
    assert_int_equal(lode_world_set_contact_properties(s.world, p, 1), LODE_OK);
    return s;
}

/* The floor is ice along one axis and holds along the other: down a slope that falls along both the
 * box slides along the slippery one as if it was free, wherever that is turned to. */
static void a_box_slides_only_along_the_slippery_axis(void **state)
{
    for (int i = 0; i < 4; ++i) {
        const double turn = 0.4 * i, gx = 2, gy = 1;
        lab_vec slippery = {cos(turn), sin(turn), 0}, rough = {-sin(turn), cos(turn), 0};
        lode_contact_properties p = properties();
        p.friction_count = 3;
        p.friction[0] = 0;
        p.friction[1] = 4;
        p.friction[2] = 1;
        p.friction_rotation[0] = (lode_real)turn;
        stand s = stand_of(LAB_SOLVER(state), &p, gx, gy);
        lab_run(s.world, H, 64);
        double pull = gx * slippery.x + gy * slippery.y;
        LAB_NEAR(lab_dot(lab_velocity(s.box), slippery), pull, 1e-3 * fabs(pull) + 1e-4);
        LAB_NEAR(lab_dot(lab_velocity(s.box), rough), 0, 1e-3);
        LAB_NEAR(lab_spin(s.box).z, 0, 1e-3);
        lode_world_destroy(s.world);
    }
}

/* Pushed by f, with infinite friction: slip f, along each direction by its own value. */
static void slip_gives_a_speed_of_slip_times_force(void **state)
{
    const double slip[2] = {0.01, 0.03}, force[2] = {50, 30};
    for (int two = 0; two < 2; ++two) {
        lode_contact_properties p = properties();
        p.friction[0] = -1;
        p.slip_count = two ? 3 : 1;
        p.force_dependent_slip[0] = (lode_real)slip[0];
        p.force_dependent_slip[1] = (lode_real)slip[1];
        p.force_dependent_slip[2] = (lode_real)slip[0]; /* the box's: the mean is of both */
        stand s = stand_of(LAB_SOLVER(state), &p, 0, 0);
        for (int i = 0; i < 256; ++i) {
            lode_body_add_force(s.box, lab_vec3(force[0], force[1], 0));
            lab_run(s.world, H, 1);
        }
        double across = two ? (slip[0] + slip[1]) / 2 : slip[0];
        LAB_NEAR(lab_velocity(s.box).x, slip[0] * force[0], 0.01 * slip[0] * force[0]);
        LAB_NEAR(lab_velocity(s.box).y, across * force[1], 0.01 * across * force[1]);
        lode_world_destroy(s.world);
    }
}

/* A ball that rolls at v stops after v^2 / (2 a), a = 5/7 rho g / r. */
static void rolling_friction_stops_a_ball_in_its_distance(void **state)
{
    const double radius = 0.25, rho = 0.02, v = 1.5, a = 5.0 / 7 * rho * LAB_G / radius;
    lode_contact_properties p = properties();
    p.rolling_friction[0] = p.rolling_friction[1] = (lode_real)rho;
    p.friction[0] = -1;
    stand s = stand_of(LAB_SOLVER(state), &p, 0, 0);
    lode_body ball = lab_sphere(s.world, light, lab_vec3(5, 0, radius), radius);
    name_shape(ball, "thing");
    lode_body_set_linear_velocity(ball, lab_vec3(v, 0, 0));
    lode_body_set_angular_velocity(ball, lab_vec3(0, v / radius, 0));
    lab_run(s.world, H, 64 * 6);
    LAB_NEAR(lab_velocity(ball).x, 0, 1e-3);
    LAB_NEAR(lab_center(ball).x - 5, v * v / (2 * a), 0.03 * v * v / (2 * a));
    lode_world_destroy(s.world);
}

/* A ball spins down by rho_n m g / I about the normal, and what rolls is braked by its own
 * coefficient about each of the floor's directions, wherever these are turned to: it goes along one
 * of them with the coefficient about the other. */
static void rolling_friction_is_one_about_each_direction_and_the_normal(void **state)
{
    const double radius = 0.25, rho[3] = {0.03, 0.01, 0.002}, v = 1.5;
    for (int i = 0; i < 4; ++i) {
        const double turn = i < 2 ? 0 : 0.6;
        lode_contact_properties p = properties();
        for (int k = 0; k < 3; ++k)
            p.rolling_friction[k] = (lode_real)rho[k];
        p.friction_rotation[0] = (lode_real)turn;
        p.friction[0] = -1;
        stand s = stand_of(LAB_SOLVER(state), &p, 0, 0);
        lab_vec u = {cos(turn), sin(turn), 0}, across = {-sin(turn), cos(turn), 0};
        lab_vec along = i % 2 ? across : u;
        lode_body ball = lab_sphere(s.world, light, lab_vec3(5, 0, radius), radius);
        name_shape(ball, "thing");
        lode_body_set_linear_velocity(ball, lab_vec3(v * along.x, v * along.y, 0));
        lode_body_set_angular_velocity(ball,
                                       lab_vec3(-v / radius * along.y, v / radius * along.x, 0));
        lab_run(s.world, H, 64 * 14);
        const double a = 5.0 / 7 * rho[i % 2 ? 0 : 1] * LAB_G / radius, way = v * v / (2 * a);
        lab_vec went = lab_sub(lab_center(ball), (lab_vec){5, 0, radius});
        LAB_NEAR(lab_dot(went, along), way, 0.03 * way);
        LAB_NEAR(lab_dot(went, i % 2 ? u : across), 0, 0.02 * way);
        /* and spinning */
        lode_body_set_angular_velocity(ball, lab_vec3(0, 0, 8));
        lab_run(s.world, H, 64);
        const double slower = rho[2] * LAB_G / (0.4 * radius * radius);
        LAB_NEAR(lab_spin(ball).z, 8 - slower, 0.03 * slower);
        lode_world_destroy(s.world);
    }
}

/* Infinite: on a slope of 20 degrees, on which it does not slip, it stays. */
static void infinite_rolling_friction_never_rolls(void **state)
{
    lode_contact_properties p = properties();
    for (int k = 0; k < 3; ++k)
        p.rolling_friction[k] = -1;
    p.friction[0] = -1;
    p.soft_cfm = (lode_real)1e-5;
    stand s = stand_of(LAB_SOLVER(state), &p, LAB_G * tan(0.35), 0);
    lode_body ball = lab_sphere(s.world, light, lab_vec3(5, 0, 0.25), 0.25);
    name_shape(ball, "thing");
    lab_run(s.world, H, 64);
    double begin = lab_center(ball).x;
    lab_run(s.world, H, 64 * 5);
    LAB_NEAR(lab_center(ball).x, begin, 1e-3);
    LAB_NEAR(lab_length(lab_spin(ball)), 0, 1e-3);
    lode_world_destroy(s.world);
}

/* From 1 m a ball comes back to the square of its bounce; below its bounce velocity it stays. */
static void balls_bounce_to_their_heights(void **state)
{
    static const double bounces[] = {0, 0.3, 0.5, 0.8};
    const double radius = 0.1;
    for (int i = 0; i < 8; ++i) {
        double bounce = bounces[i % 4], highest = 0;
        bool slow = i >= 4;
        lode_contact_properties p = properties();
        p.bounce = (lode_real)bounce;
        p.bounce_velocity = slow ? 5 : (lode_real)0.01; /* it comes at 4.43 m/s */
        stand s = stand_of(LAB_SOLVER(state), &p, 0, 0);
        lode_body ball = lab_sphere(s.world, light, lab_vec3(5, 0, 1 + radius), radius);
        name_shape(ball, "thing");
        bool touched = false;
        for (int k = 0; k < 256 * 2; ++k) {
            lab_run(s.world, H / 4, 1);
            touched = touched || lab_center(ball).z < radius + 0.02;
            if (touched && lab_velocity(ball).z > 0)
                highest = fmax(highest, lab_center(ball).z - radius);
        }
        assert_true(touched);
        LAB_NEAR(highest, slow ? 0 : bounce * bounce, 0.02);
        lode_world_destroy(s.world);
    }
}

/* Each of four points is a spring of erp / (cfm dt) that begins where the surface layer ends. */
static void soft_contacts_are_springs(void **state)
{
    static const double softness[][2] = {{0.2, 0.001}, {0.5, 0.004}, {1, 0.01}};
    for (int i = 0; i < 3; ++i) {
        lode_contact_properties p = properties();
        p.soft_erp = (lode_real)softness[i][0];
        p.soft_cfm = (lode_real)softness[i][1];
        stand s = stand_of(LAB_SOLVER(state), &p, 0, 0);
        double layer = (double)lode_world_get_def(s.world).surface_layer;
        double load = lode_body_get_mass(s.box).mass * LAB_G / 4;
        double sunk = load * softness[i][1] * H / softness[i][0];
        lab_run(s.world, H, 64 * 20);
        LAB_NEAR(0.125 - lab_center(s.box).z, layer + sunk, 0.02 * sunk + 2e-5);
        lode_world_destroy(s.world);
    }
}

static void infinite_friction_never_slips(void **state)
{
    lode_contact_properties p = properties();
    p.friction[0] = -1;
    stand s = stand_of(LAB_SOLVER(state), &p, 12,
                       0); /* a slope of 51 degrees; it would tip at 76 */
    lab_run(s.world, H, 64);
    lab_vec begin = lab_center(s.box);
    lab_run(s.world, H, 64 * 10);
    LAB_AT_MOST(lab_length(lab_sub(lab_center(s.box), begin)), 1e-3);
    lode_world_destroy(s.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_box_slides_only_along_the_slippery_axis),
        LAB_EACH_SOLVER(slip_gives_a_speed_of_slip_times_force),
        LAB_EACH_SOLVER(rolling_friction_stops_a_ball_in_its_distance),
        LAB_EACH_SOLVER(rolling_friction_is_one_about_each_direction_and_the_normal),
        LAB_EACH_SOLVER(infinite_rolling_friction_never_rolls),
        LAB_EACH_SOLVER(balls_bounce_to_their_heights),
        LAB_EACH_SOLVER(soft_contacts_are_springs),
        LAB_EACH_SOLVER(infinite_friction_never_slips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
