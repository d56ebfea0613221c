/* lab.c: see lab.h. */
#include "tests/fidelity/lab.h"

#include <stdlib.h>

lode_solver lab_solvers[LODE_SOLVER_COUNT] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP,
                                              LODE_SOLVER_DIRECT, LODE_SOLVER_PER_JOINT,
                                              LODE_SOLVER_HYBRID};

/* ---- vectors ---- */

lab_vec lab_of(lode_vec3 v)
{
    return (lab_vec){v.x, v.y, v.z};
}

lode_vec3 lab_vec3(double x, double y, double z)
{
    return (lode_vec3){(lode_real)x, (lode_real)y, (lode_real)z};
}

lab_vec lab_add(lab_vec a, lab_vec b)
{
    return (lab_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

lab_vec lab_sub(lab_vec a, lab_vec b)
{
    return (lab_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

lab_vec lab_scale(lab_vec a, double s)
{
    return (lab_vec){a.x * s, a.y * s, a.z * s};
}

lab_vec lab_cross(lab_vec a, lab_vec b)
{
    return (lab_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double lab_dot(lab_vec a, lab_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

double lab_length(lab_vec a)
{
    return sqrt(lab_dot(a, a));
}

/* v' = v + 2 w (u x v) + 2 u x (u x v) for the quaternion (w, u). */
static lab_vec rotate(double w, lab_vec u, lab_vec v)
{
    lab_vec t = lab_cross(u, v);
    return lab_add(v, lab_scale(lab_add(lab_scale(t, w), lab_cross(u, t)), 2));
}

lab_vec lab_rotate(lode_quat q, lab_vec v)
{
    return rotate(q.w, (lab_vec){q.x, q.y, q.z}, v);
}

lab_vec lab_rotate_inv(lode_quat q, lab_vec v)
{
    return rotate(q.w, (lab_vec){-q.x, -q.y, -q.z}, v);
}

void lab_near(double value, double expected, double tolerance, const char *what, const char *file,
              int line)
{
    if (fabs(value - expected) <= tolerance)
        return;
    print_error("%s is %.9g, expected %.9g within %.3g, off by %.3g\n", what, value, expected,
                tolerance, value - expected);
    _fail(file, line);
}

void lab_at_most(double value, double bound, const char *what, const char *file, int line)
{
    if (value <= bound)
        return;
    print_error("%s is %.9g, expected at most %.9g\n", what, value, bound);
    _fail(file, line);
}

/* ---- worlds and bodies ---- */

static lode_world world_with(lode_solver solver, double gravity)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.gravity = lab_vec3(0, 0, -gravity);
    def.sub_steps = solver == LODE_SOLVER_DIRECT ? 1 : 4; /* whatever the step's length */
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

lode_world lab_world(lode_solver solver)
{
    return world_with(solver, LAB_G);
}

lode_world lab_world_without_gravity(lode_solver solver)
{
    return world_with(solver, 0);
}

lode_shape_def lab_shape_def(lab_material material)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = (lode_real)material.density;
    def.friction = (lode_real)material.friction;
    def.restitution = (lode_real)material.restitution;
    return def;
}

lode_body lab_floor(lode_world world, lab_material material)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lab_shape_def(material);
    lode_body body = lode_body_create(world, &def);
    lode_shape_create_plane(body, &shape, lab_vec3(0, 0, 1), 0);
    return body;
}

lode_body lab_body(lode_world world, lode_vec3 position)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = position;
    return lode_body_create(world, &def);
}

lode_body lab_sphere(lode_world world, lab_material material, lode_vec3 position, double radius)
{
    lode_shape_def shape = lab_shape_def(material);
    lode_body body = lab_body(world, position);
    lode_shape_create_sphere(body, &shape, (lode_real)radius);
    return body;
}

lode_body lab_box(lode_world world, lab_material material, lode_vec3 position, lode_vec3 half)
{
    lode_shape_def shape = lab_shape_def(material);
    lode_body body = lab_body(world, position);
    lode_shape_create_box(body, &shape, half);
    return body;
}

void lab_run(lode_world world, double dt, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, (lode_real)dt), LODE_OK);
}

int lab_number_from(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : otherwise;
}

const char *lab_solver_name(lode_solver solver)
{
    static const char *const names[] = {
        [LODE_SOLVER_PGS] = "pgs",       [LODE_SOLVER_SOFT_STEP] = "soft step",
        [LODE_SOLVER_DIRECT] = "direct", [LODE_SOLVER_PER_JOINT] = "per joint",
        [LODE_SOLVER_HYBRID] = "hybrid",
    };
    return names[solver];
}

const char *lab_integrator_name(lode_integrator integrator)
{
    static const char *const names[] = {
        [LODE_INTEGRATOR_SEMI_IMPLICIT] = "semi-implicit",
        [LODE_INTEGRATOR_BALLISTIC] = "ballistic",
        [LODE_INTEGRATOR_SECOND_ORDER] = "second order",
    };
    return names[integrator];
}

int lab_sub_steps(lode_world world)
{
    lode_world_def def = lode_world_get_def(world);
    return def.sub_steps;
}

double lab_period(double length, double angle)
{
    double a = 1, b = cos(angle / 2);
    for (int i = 0; i < 8; ++i) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * LAB_PI * sqrt(length / LAB_G) / a;
}

double lab_swing(lode_world world, double h, double (*position)(void *context), void *context)
{
    double first = 0, before = position(context);
    for (int step = 1, passages = 0; step * h < 20; ++step) {
        lab_run(world, h, 1);
        double now = position(context), time = (step - now / (now - before)) * h;
        if ((now > 0) != (before > 0) && ++passages == 1)
            first = time;
        if (passages == 3)
            return time - first;
        before = now;
    }
    return -1;
}

/* ---- what bodies have ---- */

lab_vec lab_center(lode_body body)
{
    return lab_of(lode_body_get_center(body));
}

lab_vec lab_velocity(lode_body body)
{
    return lab_of(lode_body_get_linear_velocity(body));
}

lab_vec lab_spin(lode_body body)
{
    return lab_of(lode_body_get_angular_velocity(body));
}

lab_vec lab_moment(lode_body body)
{
    lode_mass mass = lode_body_get_mass(body);
    const lode_real *i = mass.inertia;
    lode_quat q = lode_body_get_pose(body).rotation;
    lab_vec w = lab_rotate_inv(q, lab_spin(body));
    return lab_rotate(q, (lab_vec){i[0] * w.x + i[3] * w.y + i[4] * w.z,
                                   i[3] * w.x + i[1] * w.y + i[5] * w.z,
                                   i[4] * w.x + i[5] * w.y + i[2] * w.z});
}

double lab_spin_energy(lode_body body)
{
    return 0.5 * lab_dot(lab_spin(body), lab_moment(body));
}

lab_sum lab_total(const lode_body *bodies, int count)
{
    lab_sum sum = {0};
    for (int i = 0; i < count; ++i) {
        lab_vec v = lab_velocity(bodies[i]);
        lab_vec p = lab_scale(v, lode_body_get_mass(bodies[i]).mass);
        lab_vec orbital = lab_cross(lab_center(bodies[i]), p);
        sum.momentum = lab_add(sum.momentum, p);
        sum.angular = lab_add(sum.angular, lab_add(orbital, lab_moment(bodies[i])));
        sum.kinetic += 0.5 * lab_dot(v, p) + lab_spin_energy(bodies[i]);
    }
    return sum;
}

double lab_energy(const lode_body *bodies, int count)
{
    double sum = lab_total(bodies, count).kinetic;
    for (int i = 0; i < count; ++i)
        sum += lode_body_get_mass(bodies[i]).mass * LAB_G * lab_center(bodies[i]).z;
    return sum;
}

double lab_largest_impulse(lode_world world)
{
    static lode_contact contacts[4096];
    const int most = (int)(sizeof contacts / sizeof *contacts);
    int count = lode_world_get_contacts(world, contacts, most);
    double largest = 0;
    assert_true(count <= most);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            largest = fmax(largest, lab_length(lab_of(contacts[i].points[k].impulse)));
    return largest;
}
