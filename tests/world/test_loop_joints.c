/* test_loop_joints.c: joints that close loops of articulations, for controllers: coefficient matrix
 * and impulses against dense algebra done here, against what links do with the velocities that
 * follow, and against statics; the list of loop joints, and what is refused. */
#include "core/hash.h"
#include "lode/articulation_dynamics.h"
#include "lode/lode.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "world/snapshot.h"

#include <math.h>
#include <string.h>

enum { LINKS = 6, MOST = 32, MOST_ROWS = 24 };

#ifdef LODE_DOUBLE
static const double tight = 1e-9;
#else
static const double tight = 3e-3;
#endif

typedef struct robot {
    lode_world world;
    lode_articulation articulation;
    lode_body link[LINKS];
    lode_articulation_cache *cache;
    int n, b;
} robot;

static lode_vec3 random_vector(test_random *random, double size)
{
    return vec(random_between(random, -size, size), random_between(random, -size, size),
               random_between(random, -size, size));
}

static lode_quat random_turn(test_random *random)
{
    lode_vec3 v = random_vector(random, 1);
    double w = random_between(random, 0.1, 1);
    double by = 1 / sqrt(w * w + (double)(v.x * v.x + v.y * v.y + v.z * v.z));
    return (lode_quat){(lode_real)(w * by), (lode_real)((double)v.x * by),
                       (lode_real)((double)v.y * by), (lode_real)((double)v.z * by)};
}

static robot make(bool fixed, test_random *random)
{
    robot r = {.b = fixed ? 0 : 6};
    lode_world_def world_def = lode_world_def_default();
    r.world = lode_world_create(&world_def);
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    r.articulation = lode_articulation_create(r.world, &def);
    for (int i = 0; i < LINKS; ++i) {
        lode_link_def link = lode_link_def_default(i % 2 ? LODE_LINK_REVOLUTE
                                                         : LODE_LINK_SPHERICAL);
        link.parent = i > 0 ? r.link[random_below(random, (uint32_t)i)] : (lode_body){0};
        link.parent_frame = (lode_pose){random_vector(random, 0.5), random_turn(random)};
        link.child_frame = (lode_pose){random_vector(random, 0.5), random_turn(random)};
        link.pose = (lode_pose){random_vector(random, 1), random_turn(random)};
        link.axis[LODE_AXIS_TWIST].armature = (lode_real)0.1 * (lode_real)i;
        r.link[i] = lode_articulation_add_link(r.articulation, &link);
        lode_real m = (lode_real)random_between(random, 0.5, 2);
        lode_mass mass = {.mass = m,
                          .center = random_vector(random, 0.2),
                          .inertia = {m * (lode_real)0.1, m * (lode_real)0.15, m * (lode_real)0.2}};
        assert_int_equal(lode_body_set_mass(r.link[i], &mass), LODE_OK);
    }
    assert_int_equal(lode_articulation_insert(r.articulation), LODE_OK);
    r.n = lode_articulation_count_dofs(r.articulation);
    r.cache = lode_articulation_cache_create(r.articulation);
    assert_non_null(r.cache);
    return r;
}

static void randomize(robot *r, test_random *random)
{
    for (int k = 0; k < r->n; ++k) {
        r->cache->joint_position[k] = (lode_real)random_between(random, -1, 1);
        r->cache->joint_velocity[k] = (lode_real)random_between(random, -1, 1);
        r->cache->joint_force[k] = (lode_real)random_between(random, -2, 2);
    }
    r->cache->root->pose = (lode_pose){random_vector(random, 1), random_turn(random)};
    r->cache->root->linear_velocity = random_vector(random, r->b ? 1 : 0);
    r->cache->root->angular_velocity = random_vector(random, r->b ? 1 : 0);
    const uint32_t flags = LODE_CACHE_POSITION | LODE_CACHE_VELOCITY | LODE_CACHE_ROOT_TRANSFORM |
                           LODE_CACHE_ROOT_VELOCITIES;
    assert_int_equal(lode_articulation_cache_apply(r->articulation, r->cache, flags, true),
                     LODE_OK);
    assert_int_equal(lode_articulation_prepare(r->articulation), LODE_OK);
}

static void end(robot *r)
{
    lode_articulation_cache_destroy(r->cache);
    lode_world_destroy(r->world);
}

/* Where the bodies stand; a loop of any type between two links, or of one and the world. */
static lode_joint join(const robot *r, lode_joint_type type, test_random *random, int *out_a,
                       int *out_b)
{
    lode_joint_def def = lode_joint_def_default(type);
    *out_a = 1 + (int)random_below(random, LINKS - 1);
    *out_b = (int)random_below(random, LINKS + 1);
    if (*out_b == *out_a)
        *out_b = LINKS;
    def.body_a = r->link[*out_a];
    def.body_b = *out_b < LINKS ? r->link[*out_b] : (lode_body){0};
    def.collide_connected = true;
    lode_vec3 axis = random_vector(random, 1);
    axis.x += 2;
    assert_int_equal(lode_joint_def_anchor_world(&def, random_vector(random, 1), axis), LODE_OK);
    lode_joint joint = lode_joint_create(r->world, &def);
    assert_true(lode_joint_is_valid(joint));
    assert_int_equal(lode_articulation_add_loop_joint(r->articulation, joint), LODE_OK);
    return joint;
}

/* ---- dense algebra */

static void solve(int n, double *a, double *x)
{
    for (int i = 0; i < n; ++i) {
        int best = i;
        for (int k = i + 1; k < n; ++k)
            if (fabs(a[k * n + i]) > fabs(a[best * n + i]))
                best = k;
        for (int k = 0; k < n; ++k) {
            double swap = a[i * n + k];
            a[i * n + k] = a[best * n + k];
            a[best * n + k] = swap;
        }
        double swap = x[i];
        x[i] = x[best];
        x[best] = swap;
        for (int k = i + 1; k < n; ++k) {
            double f = a[k * n + i] / a[i * n + i];
            for (int c = i; c < n; ++c)
                a[k * n + c] -= f * a[i * n + c];
            x[k] -= f * x[i];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
}

/* By all dofs: M with armature or without, what u' is without loops, u, and J of a ball's rows. */
typedef struct dense {
    int all, rows;
    double m[MOST * MOST], inertia[MOST * MOST], change[MOST], u[MOST], j[MOST_ROWS * MOST];
} dense;

static void read_masses(robot *r, dense *d)
{
    d->all = r->b + r->n;
    assert_int_equal(lode_articulation_compute_mass_matrix(r->articulation, r->cache), LODE_OK);
    assert_int_equal(lode_articulation_compute_gravity_compensation(r->articulation, r->cache),
                     LODE_OK);
    assert_int_equal(lode_articulation_compute_coriolis_compensation(r->articulation, r->cache),
                     LODE_OK);
    for (int i = 0; i < d->all * d->all; ++i)
        d->m[i] = d->inertia[i] = (double)r->cache->mass_matrix[i];
    for (int i = 1; i < LINKS; ++i) {
        int first = r->b + lode_link_get_first_dof(r->link[i]);
        d->inertia[first * (d->all + 1)] +=
            (double)lode_link_get_axis(r->link[i], LODE_AXIS_TWIST).armature;
    }
    for (int k = 0; k < d->all; ++k) {
        double force = k < r->b ? 0 : (double)r->cache->joint_force[k - r->b];
        d->change[k] = force - (double)r->cache->coriolis_force[k] -
                       (double)r->cache->gravity_compensation_force[k];
    }
    double copy[MOST * MOST];
    memcpy(copy, d->inertia, sizeof copy);
    solve(d->all, copy, d->change);
    const lode_root_data *root = r->cache->root;
    const lode_real of_root[6] = {root->linear_velocity.x,  root->linear_velocity.y,
                                  root->linear_velocity.z,  root->angular_velocity.x,
                                  root->angular_velocity.y, root->angular_velocity.z};
    for (int k = 0; k < d->all; ++k)
        d->u[k] = k < r->b ? (double)of_root[k] : (double)r->cache->joint_velocity[k - r->b];
}

/* Adds what the point of a link at `at` has of velocity by each dof, by `sign`. */
static void add_point(robot *r, int link, lode_vec3 at, double sign, double *j, int columns)
{
    int index = lode_link_get_index(r->link[link]) - (r->b == 0);
    if (index < 0)
        return;
    lode_vec3 center = lode_body_point_to_world(r->link[link],
                                                lode_body_get_mass(r->link[link]).center);
    double x = (double)(at.x - center.x), y = (double)(at.y - center.y);
    double z = (double)(at.z - center.z);
    const double arm[3][3] = {{0, z, -y}, {-z, 0, x}, {y, -x, 0}};
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < columns; ++k) {
            const lode_real *of = r->cache->dense_jacobian + 6 * index * columns + k;
            double sum = (double)of[row * columns];
            for (int c = 0; c < 3; ++c)
                sum += arm[row][c] * (double)of[(3 + c) * columns];
            j[row * columns + k] += sign * sum;
        }
}

/* Three rows of a ball joint, world axes. */
static void add_rows(robot *r, dense *d, lode_joint joint, int a, int b)
{
    double *j = d->j + d->rows * d->all;
    int columns;
    assert_int_equal(
        lode_articulation_compute_dense_jacobian(r->articulation, r->cache, NULL, &columns),
        LODE_OK);
    assert_int_equal(columns, d->all);
    memset(j, 0, (size_t)(3 * columns) * sizeof *j);
    add_point(r, a, lode_joint_get_anchor_a(joint), 1, j, columns);
    if (b < LINKS)
        add_point(r, b, lode_joint_get_anchor_b(joint), -1, j, columns);
    d->rows += 3;
}

/* x_j - M_jr M_rr^-1 x_r */
static void reduce(const dense *d, int b, const double *x, double *out)
{
    double m[36], by[6];
    for (int i = 0; i < b; ++i) {
        by[i] = x[i];
        for (int k = 0; k < b; ++k)
            m[i * b + k] = d->m[i * d->all + k];
    }
    if (b > 0)
        solve(b, m, by);
    for (int i = b; i < d->all; ++i) {
        out[i - b] = x[i];
        for (int k = 0; k < b; ++k)
            out[i - b] -= d->m[i * d->all + k] * by[k];
    }
}

/* ---- against it */

static void columns_are_joint_efforts_of_unit_impulses(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 40; ++round) {
        static dense d;
        robot r = make(round % 2, &random);
        lode_real matrix[MOST * MOST_ROWS];
        d = (dense){0};
        randomize(&r, &random);
        read_masses(&r, &d);
        for (int i = 0; i < 2; ++i) {
            int a, b;
            lode_joint joint = join(&r, LODE_JOINT_BALL, &random, &a, &b);
            add_rows(&r, &d, joint, a, b);
        }
        assert_int_equal(lode_articulation_count_loop_rows(r.articulation), d.rows);
        assert_int_equal(lode_articulation_get_coefficient_matrix_size(r.articulation),
                         d.rows * r.n);
        assert_int_equal(
            lode_articulation_compute_coefficient_matrix(r.articulation, r.cache, matrix), LODE_OK);
        for (int row = 0; row < d.rows; ++row) {
            double column[MOST];
            reduce(&d, r.b, d.j + row * d.all, column);
            for (int k = 0; k < r.n; ++k)
                assert_true(fabs(column[k] - (double)matrix[k * d.rows + row]) < tight);
        }
        end(&r);
    }
}

/* lambda = -K^-1 J (u + h u'), K = J M^-1 J^T. */
static void impulses_are_those_of_the_dense_equations(void **state)
{
    (void)state;
    test_random random = {5};
    const double h = 0.01;
    for (int round = 0; round < 40; ++round) {
        static dense d;
        robot r = make(round % 2, &random);
        int a, b;
        bool converged = false;
        lode_real lambda[MOST_ROWS];
        d = (dense){0};
        randomize(&r, &random);
        read_masses(&r, &d);
        lode_joint joint = join(&r, LODE_JOINT_BALL, &random, &a, &b);
        add_rows(&r, &d, joint, a, b);
        double k[MOST_ROWS * MOST_ROWS] = {0}, want[MOST_ROWS] = {0};
        for (int c = 0; c < d.rows; ++c) {
            double copy[MOST * MOST], response[MOST];
            memcpy(copy, d.inertia, sizeof copy);
            memcpy(response, d.j + c * d.all, (size_t)d.all * sizeof *response);
            solve(d.all, copy, response);
            for (int i = 0; i < d.all; ++i) {
                want[c] -= d.j[c * d.all + i] * (d.u[i] + h * d.change[i]);
                for (int row = 0; row < d.rows; ++row)
                    k[row * d.rows + c] += d.j[row * d.all + i] * response[i];
            }
        }
        /* where one joint alone leads to the point, K has no inverse: then only velocities count */
        double det = k[0] * (k[4] * k[8] - k[5] * k[7]) - k[1] * (k[3] * k[8] - k[5] * k[6]) +
                     k[2] * (k[3] * k[7] - k[4] * k[6]);
        bool sound = det > 1e-3 * k[0] * k[4] * k[8];
        assert_int_equal(lode_articulation_compute_lambda(r.articulation, r.cache,
                                                          r.cache->joint_force, (lode_real)h,
                                                          1000000, lambda, &converged),
                         LODE_OK);
        double left[3] = {-want[0], -want[1], -want[2]};
        for (int row = 0; row < 3; ++row)
            for (int c = 0; c < 3; ++c)
                left[row] += k[row * 3 + c] * (double)lambda[c];
        double size = fabs(want[0]) + fabs(want[1]) + fabs(want[2]);
        if (sound) {
            assert_true(converged);
            for (int row = 0; row < 3; ++row)
                assert_true(fabs(left[row]) < tight * (1 + size));
            solve(3, k, want);
            for (int row = 0; row < 3; ++row)
                assert_true(fabs((double)lambda[row] - want[row]) <
                            100 * tight * (1 + fabs(want[row])));
        }
        /* from the first round on it is told that it is not done */
        assert_int_equal(lode_articulation_compute_lambda(r.articulation, r.cache,
                                                          r.cache->joint_force, (lode_real)h, 0,
                                                          lambda, &converged),
                         LODE_OK);
        assert_false(converged);
        end(&r);
    }
}

/* ---- what links then do */

static lode_vec3 minus(lode_vec3 a, lode_vec3 b)
{
    return vec((double)(a.x - b.x), (double)(a.y - b.y), (double)(a.z - b.z));
}

static double along(lode_vec3 a, lode_vec3 b)
{
    return (double)(a.x * b.x + a.y * b.y + a.z * b.z);
}

static double across(lode_vec3 v, lode_vec3 axis)
{
    double a = along(v, axis);
    return sqrt(fmax(along(v, v) - a * a, 0));
}

static const lode_joint_type held[] = {LODE_JOINT_BALL,      LODE_JOINT_HINGE, LODE_JOINT_SLIDER,
                                       LODE_JOINT_UNIVERSAL, LODE_JOINT_FIXED, LODE_JOINT_PISTON};

/* Relative velocity of the joint that its type forbids. */
static double parting(const robot *r, lode_joint joint, int a, int b)
{
    lode_vec3 at = lode_joint_get_anchor_a(joint), axis = vec(1, 0, 0);
    lode_vec3 v = lode_body_get_point_velocity(r->link[a], at, LODE_WORLD_FRAME);
    lode_vec3 w = lode_body_get_angular_velocity(r->link[a]);
    if (b < LINKS) {
        v = minus(v, lode_body_get_point_velocity(r->link[b], at, LODE_WORLD_FRAME));
        w = minus(w, lode_body_get_angular_velocity(r->link[b]));
    }
    lode_joint_type type = lode_joint_get_type(joint);
    if (type != LODE_JOINT_BALL && type != LODE_JOINT_FIXED)
        axis = lode_joint_get_axis_world(joint, type == LODE_JOINT_PISTON ? 1 : 0);
    switch (type) {
    case LODE_JOINT_BALL:
    case LODE_JOINT_UNIVERSAL:
        return sqrt(along(v, v));
    case LODE_JOINT_HINGE:
        return sqrt(along(v, v)) + across(w, axis);
    case LODE_JOINT_SLIDER:
        return across(v, axis) + sqrt(along(w, w));
    case LODE_JOINT_PISTON:
        return across(v, axis) + across(w, axis);
    default:
        return sqrt(along(v, v)) + sqrt(along(w, w));
    }
}

/* Of a fixed base, whose coefficients are J^T: with the speeds that the impulses lead to, the loops
 * do not part, whatever they hold. */
static void loops_of_all_types_stay_closed(void **state)
{
    (void)state;
    test_random random = {7};
    const double h = 0.01;
    int closed = 0;
    for (int round = 0; round < 60; ++round) {
        static dense d;
        robot r = make(true, &random);
        lode_real lambda[MOST_ROWS], matrix[MOST * MOST_ROWS];
        bool converged;
        int a, b;
        d = (dense){0};
        randomize(&r, &random);
        read_masses(&r, &d);
        lode_joint joint = join(&r, held[round % 6], &random, &a, &b);
        int rows = lode_articulation_count_loop_rows(r.articulation);
        assert_int_equal(
            lode_articulation_compute_coefficient_matrix(r.articulation, r.cache, matrix), LODE_OK);
        assert_int_equal(lode_articulation_compute_lambda(r.articulation, r.cache,
                                                          r.cache->joint_force, (lode_real)h,
                                                          300000, lambda, &converged),
                         LODE_OK);
        double push[MOST] = {0};
        for (int k = 0; k < r.n; ++k)
            for (int i = 0; i < rows; ++i)
                push[k] += (double)matrix[k * rows + i] * (double)lambda[i];
        double copy[MOST * MOST];
        memcpy(copy, d.inertia, sizeof copy);
        solve(d.all, copy, push);
        for (int k = 0; k < r.n; ++k)
            r.cache->joint_velocity[k] = (lode_real)(d.u[k] + h * d.change[k] + push[k]);
        double before = parting(&r, joint, a, b);
        assert_int_equal(
            lode_articulation_cache_apply(r.articulation, r.cache, LODE_CACHE_VELOCITY, false),
            LODE_OK);
        if (converged) {
            assert_true(parting(&r, joint, a, b) < 10 * tight * (1 + before));
            closed += before > 0.1;
        }
        end(&r);
    }
    assert_true(closed > 25);
}

/* A bar on a hinge at one end, a loop to the world at the other, lies still: each bears half. */
static robot bar_make(void)
{
    robot r = {0};
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, -10);
    r.world = lode_world_create(&world_def);
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    r.articulation = lode_articulation_create(r.world, &def);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    r.link[0] = lode_articulation_add_link(r.articulation, &root);
    lode_link_def bar = lode_link_def_default(LODE_LINK_SIX_AXES);
    bar.axis[LODE_AXIS_SWING1].motion = LODE_MOTION_FREE;
    bar.parent = r.link[0];
    bar.child_frame.position.x = -1;
    r.link[1] = lode_articulation_add_link(r.articulation, &bar);
    lode_mass mass = {.mass = 3, .inertia = {1, 1, 1}};
    assert_int_equal(lode_body_set_mass(r.link[1], &mass), LODE_OK);
    assert_int_equal(lode_articulation_insert(r.articulation), LODE_OK);
    r.n = 1;
    r.cache = lode_articulation_cache_create(r.articulation);
    return r;
}

static lode_joint bar_join(const robot *r, lode_joint_def *def)
{
    def->body_a = r->link[1];
    assert_int_equal(lode_joint_def_anchor_world(def, vec(2, 0, 0), vec(0, 0, 1)), LODE_OK);
    lode_joint joint = lode_joint_create(r->world, def);
    assert_int_equal(lode_articulation_add_loop_joint(r->articulation, joint), LODE_OK);
    assert_int_equal(lode_articulation_prepare(r->articulation), LODE_OK);
    return joint;
}

static bool bar_solve(const robot *r, lode_real *lambda)
{
    const lode_real none[1] = {0};
    bool converged = false;
    assert_int_equal(lode_articulation_compute_lambda(r->articulation, r->cache, none,
                                                      (lode_real)0.01, 100, lambda, &converged),
                     LODE_OK);
    return converged;
}

static void a_bar_s_loop_bears_half_of_its_weight(void **state)
{
    (void)state;
    robot r = bar_make();
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    lode_joint joint = bar_join(&r, &def);
    lode_real lambda[3], matrix[3];
    assert_true(bar_solve(&r, lambda));
    assert_true(fabs((double)lambda[0]) + fabs((double)lambda[1]) < 1e-6);
    assert_true(fabs((double)lambda[2] - 3 * 10 * 0.5 * 0.01) < 1e-6);
    /* a unit up at 2 m is a moment of -2 about y */
    assert_int_equal(lode_articulation_compute_coefficient_matrix(r.articulation, r.cache, matrix),
                     LODE_OK);
    assert_true(fabs((double)matrix[0]) + fabs((double)matrix[1]) < 1e-6);
    assert_true(fabs((double)matrix[2] + 2) < 1e-6);
    /* disabled it holds nothing, and keeps its rows */
    assert_int_equal(lode_joint_set_enabled(joint, false), LODE_OK);
    assert_int_equal(lode_articulation_count_loop_rows(r.articulation), 3);
    assert_true(bar_solve(&r, lambda));
    assert_true(lambda[0] == 0 && lambda[1] == 0 && lambda[2] == 0);
    end(&r);
}

/* A slide up with stops: it holds where the bar is at one, and then to the one side alone. */
static void stops_hold_where_they_are_reached(void **state)
{
    (void)state;
    static const struct {
        lode_real lo, hi;
        double force; /* as a share of half the weight */
    } cases[] = {{0, 1, 1}, {-1, 0, 0}, {-1, 1, 0}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        robot r = bar_make();
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_SIX_AXES);
        def.axis[0].lo_stop = cases[i].lo; /* x of the frame is the world's z */
        def.axis[0].hi_stop = cases[i].hi;
        def.axis[1].f_max = 5; /* motors have no row */
        bar_join(&r, &def);
        assert_int_equal(lode_articulation_count_loop_rows(r.articulation), 1);
        lode_real lambda, matrix;
        bar_solve(&r, &lambda);
        assert_true(fabs((double)lambda - cases[i].force * 0.15) < 1e-6);
        assert_int_equal(
            lode_articulation_compute_coefficient_matrix(r.articulation, r.cache, &matrix),
            LODE_OK);
        assert_true(fabs((double)matrix + (cases[i].lo < 0 && cases[i].hi > 0 ? 0 : 2)) < 1e-6);
        end(&r);
    }
}

/* ---- the list */

static void joints_enter_and_leave_the_list(void **state)
{
    (void)state;
    report_install();
    test_random random = {11};
    robot r = make(false, &random), other = make(true, &random);
    lode_joint joint[4], told[4];
    int a, b;
    for (int i = 0; i < 4; ++i)
        joint[i] = join(&r, LODE_JOINT_BALL, &random, &a, &b);
    assert_int_equal(lode_articulation_get_loop_joints(r.articulation, told, 0, 4), 4);
    for (int i = 0; i < 4; ++i)
        assert_true(told[i].id == joint[i].id);
    assert_int_equal(lode_articulation_get_loop_joints(r.articulation, told, 3, 1), 4);
    assert_true(told[0].id == joint[3].id);
    /* one is taken out and comes back last, one ends */
    assert_int_equal(lode_articulation_remove_loop_joint(r.articulation, joint[1]), LODE_OK);
    assert_int_equal(lode_articulation_add_loop_joint(r.articulation, joint[1]), LODE_OK);
    assert_int_equal(lode_joint_destroy(joint[2]), LODE_OK);
    assert_int_equal(lode_articulation_get_loop_joints(r.articulation, told, 0, 4), 3);
    assert_true(told[0].id == joint[0].id && told[1].id == joint[3].id &&
                told[2].id == joint[1].id);

    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_articulation_add_loop_joint, r.articulation,
                   joint[0]);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "joint", lode_articulation_add_loop_joint, r.articulation,
                   joint[2]);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_articulation_add_loop_joint,
                   other.articulation, joint[0]); /* of another world */
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_articulation_remove_loop_joint,
                   other.articulation, joint[0]);
    /* one of other bodies */
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = lode_body_create(r.world, &body_def);
    lode_joint foreign = lode_joint_create(r.world, &def);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_articulation_add_loop_joint, r.articulation,
                   foreign);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_articulation_remove_loop_joint,
                   r.articulation, foreign);
    /* the articulation ends with its joints, and its list with it */
    assert_int_equal(lode_articulation_destroy(r.articulation), LODE_OK);
    assert_false(lode_joint_is_valid(joint[0]));
    assert_int_equal(lode_articulation_get_loop_joints(other.articulation, NULL, 0, 0), 0);
    end(&r);
    end(&other);
}

/* The list goes back with the world; a joint that was added since is a loop joint no more. */
static void the_list_is_in_snapshots(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    test_random random = {13};
    robot r = make(false, &random);
    int a, b;
    lode_joint first = join(&r, LODE_JOINT_HINGE, &random, &a, &b), told[2];
    lode_joint second = join(&r, LODE_JOINT_BALL, &random, &a, &b);
    size_t size = lode_world_snapshot(r.world, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    assert_int_equal(lode_articulation_remove_loop_joint(r.articulation, first), LODE_OK);
    join(&r, LODE_JOINT_BALL, &random, &a, &b);
    assert_int_equal(lode_world_restore(r.world, bytes, size), LODE_OK);
    assert_int_equal(lode_articulation_get_loop_joints(r.articulation, told, 0, 2), 2);
    assert_true(told[0].id == first.id && told[1].id == second.id);
    assert_int_equal(lode_articulation_count_loop_rows(r.articulation), 5 + 3);
    end(&r);
}

/* Words of a snapshot changed by someone who knows the checksum: refused, or a list that can be
 * read, computed with and ended. */
static void bad_words_in_snapshots_do_no_harm(void **state)
{
    enum { CHECKSUM_AT = 32, HEADER = 40 }; /* as in test_snapshot_hostile.c */
    static const uint32_t words[] = {0, 1, 2, UINT32_MAX};
    static char good[1 << 16], bytes[1 << 16];
    int let_in = 0, refused = 0;
    (void)state;
    report_install();
    robot r = bar_make();
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    bar_join(&r, &def);
    bar_join(&r, &def);
    size_t size = lode_world_snapshot(r.world, good, sizeof good);
    assert_in_range(size, HEADER, sizeof good);
    for (size_t at = HEADER; at + 4 <= size; at += 4) {
        memcpy(bytes, good, size);
        memcpy(bytes + at, &words[at / 4 % 4], 4);
        uint64_t sum = lode__hash_bytes(LODE__SNAPSHOT_FORMAT, bytes + HEADER, size - HEADER);
        memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
        lode_world_def world_def = lode_world_def_default();
        lode_world victim = lode_world_create(&world_def);
        lode_joint loops[4];
        lode_body body;
        if (lode_world_restore(victim, bytes, size)) {
            ++refused;
        } else if (lode_world_get_bodies(victim, &body, 1) > 0) {
            lode_articulation a = lode_body_get_articulation(body);
            int count = lode_articulation_get_loop_joints(a, loops, 0, 4);
            assert_in_range(count, 0, 2);
            assert_in_range(lode_articulation_count_loop_rows(a), 0, 2 * 12);
            if (count > 0)
                lode_joint_destroy(loops[0]);
            lode_articulation_destroy(a);
            ++let_in;
        }
        lode_world_destroy(victim);
    }
    assert_true(let_in > 100 && refused > 100);
    end(&r);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    report_install();
    robot r = bar_make();
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    bar_join(&r, &def);
    lode_real lambda[3] = {7, 7, 7}, none[1] = {0}, bad[1] = {(lode_real)NAN};
    const struct {
        const lode_real *force;
        lode_real dt;
        int iterations;
        lode_real *out;
        const char *argument;
    } calls[] = {{bad, 1, 1, lambda, "joint_force"},
                 {NULL, 1, 1, lambda, "joint_force"},
                 {none, 0, 1, lambda, "dt"},
                 {none, bad[0], 1, lambda, "dt"},
                 {none, 1, -1, lambda, "max_iterations"},
                 {none, 1, 1, NULL, "out_lambda"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, calls[i].argument, lode_articulation_compute_lambda,
                       r.articulation, r.cache, calls[i].force, calls[i].dt, calls[i].iterations,
                       calls[i].out, NULL);
        assert_true(lambda[0] == 7);
    }
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "out_matrix", lode_articulation_compute_coefficient_matrix,
                   r.articulation, r.cache, NULL);
    assert_int_equal(lode_world_step(r.world, (lode_real)0.01), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_STATE, "articulation", lode_articulation_compute_lambda,
                   r.articulation, r.cache, none, 1, 1, lambda, NULL); /* it has moved */
    assert_int_equal(lode_articulation_remove(r.articulation), LODE_OK);
    assert_int_equal(lode_articulation_get_coefficient_matrix_size(r.articulation), 0);
    assert_int_equal(lode_articulation_count_loop_rows(r.articulation), 3);
    end(&r);
}

static void a_lack_of_memory_is_told(void **state)
{
    (void)state;
    alloc_fail_install();
    robot r = bar_make();
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    bar_join(&r, &def);
    lode_real lambda[3] = {7, 7, 7}, none[1] = {0};
    alloc_fail_nth(0);
    assert_int_equal(
        lode_articulation_compute_lambda(r.articulation, r.cache, none, 1, 10, lambda, NULL),
        LODE_ERROR_MEMORY);
    alloc_fail_nth(0);
    assert_int_equal(lode_articulation_compute_coefficient_matrix(r.articulation, r.cache, lambda),
                     LODE_ERROR_MEMORY);
    assert_true(lambda[0] == 7);
    alloc_fail_nth(-1);
    end(&r);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_joint_efforts_of_unit_impulses),
        cmocka_unit_test(impulses_are_those_of_the_dense_equations),
        cmocka_unit_test(loops_of_all_types_stay_closed),
        cmocka_unit_test(a_bar_s_loop_bears_half_of_its_weight),
        cmocka_unit_test(stops_hold_where_they_are_reached),
        cmocka_unit_test(joints_enter_and_leave_the_list),
        cmocka_unit_test(the_list_is_in_snapshots),
        cmocka_unit_test(bad_words_in_snapshots_do_no_harm),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
