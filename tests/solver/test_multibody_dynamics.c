/* test_multibody_dynamics.c: what controllers ask of articulations against what it must be: sums
 * over links and their Jacobians, inverse and forward dynamics against each other, momentum in
 * flight, power of what joints bear, derivatives against differences, loops that stay closed. */
#include "solver/articulation/dynamics.h"
#include "tests/solver/random_tree.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
static const double tight = 1e-11, step = 1e-6, differs = 1e-7;
#else
static const double tight = 1e-4, step = 1e-2, differs = 5e-3;
#endif

enum { SQUARE = MOST_DOFS * MOST_DOFS, MOST_ROWS = 8 };

static lode_real mass[SQUARE], jacobian[6 * MOST_LINKS * MOST_DOFS];
static _Alignas(16) char scratch[1 << 20];
static random_tree o;

static const lode__mb_plan *plan(void)
{
    return o.tree.plan;
}

static uint32_t first_link(void)
{
    return plan()->root_dofs > 0 ? 0 : 1;
}

static void make(test_random *random, uint32_t round, uint32_t most)
{
    const lode__mb_kernels *k = &lode__mb_kernels_one;
    random_tree_make(&o, 1 + random_below(random, most), round % 2, round, random);
    assert_true(lode__mb_scratch_size(plan()) <= sizeof scratch);
    assert_true(lode__mb_derivatives_size(plan()) <= sizeof scratch);
    k->place(&o.tree);
    k->speed(&o.tree);
    k->factor(&o.tree);
}

static void forces_of(lode__mb_wrench *out)
{
    for (uint32_t i = 0; i < plan()->link_count; ++i)
        out[i] = (lode__mb_wrench){mb_v3(o.links[i].force), mb_v3(o.links[i].torque)};
}

static void gravity_of(lode_vec3 g, lode__mb_wrench *out)
{
    for (uint32_t i = 0; i < plan()->link_count; ++i)
        out[i] = (lode__mb_wrench){v3_scale(g, o.links[i].mass[0]), v3_zero()};
}

/* Within `bound` of the largest, and of 1. */
static void assert_like(const lode_real *a, const lode_real *b, size_t count, double bound)
{
    double most = 1;
    for (size_t i = 0; i < count; ++i)
        most = fmax(most, fabs((double)b[i]));
    for (size_t i = 0; i < count; ++i)
        if (!(fabs((double)a[i] - (double)b[i]) <= bound * most))
            fail_msg("%zu: %.17g is not %.17g", i, (double)a[i], (double)b[i]);
}

/* m x, by rows of n. */
static void multiply(const lode_real *m, const lode_real *x, size_t rows, size_t n, lode_real *out)
{
    for (size_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (size_t k = 0; k < n; ++k)
            sum += (double)m[i * n + k] * (double)x[k];
        out[i] = (lode_real)sum;
    }
}

static void changes_of(lode_real *out)
{
    for (uint32_t k = 0; k < plan()->dof_count; ++k)
        out[k] = o.dofs[k].change[0];
}

static void speeds_of(lode_real *out)
{
    for (uint32_t k = 0; k < plan()->dof_count; ++k)
        out[k] = o.dofs[k].speed[0];
}

static void the_jacobian_makes_velocities(void **state)
{
    (void)state;
    test_random random = {3};
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real speed[MOST_DOFS], got[6 * MOST_LINKS], wanted[6 * MOST_LINKS];
        make(&random, round, MOST_LINKS);
        uint32_t n = plan()->dof_count, rows = 6 * (plan()->link_count - first_link());
        speeds_of(speed);
        lode__mb_dense_jacobian(&o.tree, jacobian);
        multiply(jacobian, speed, rows, n, got);
        for (uint32_t i = first_link(); i < plan()->link_count; ++i) {
            /* of the four numbers that v and w are kept in, three are told */
            memcpy(wanted + 6 * (i - first_link()), o.links[i].v, 3 * sizeof *wanted);
            memcpy(wanted + 6 * (i - first_link()) + 3, o.links[i].w, 3 * sizeof *wanted);
        }
        assert_like(got, wanted, rows, tight);
    }
}

/* J^T diag(m, I) J, entry by entry. */
static double mass_by_jacobian(uint32_t k, uint32_t l)
{
    size_t n = plan()->dof_count;
    double sum = 0;
    for (uint32_t i = first_link(); i < plan()->link_count; ++i) {
        const lode_real *rows = jacobian + 6 * n * (i - first_link());
        const lode__mb_link *link = &o.links[i];
        lode_vec3 w = v3(rows[3 * n + l], rows[4 * n + l], rows[5 * n + l]);
        lode_vec3 spin = s3_mul(link->moment, w);
        double by_v = 0;
        for (size_t c = 0; c < 3; ++c)
            by_v += (double)rows[c * n + k] * (double)rows[c * n + l];
        sum += (double)link->mass[0] * by_v + (double)rows[3 * n + k] * (double)spin.x +
               (double)rows[4 * n + k] * (double)spin.y + (double)rows[5 * n + k] * (double)spin.z;
    }
    return sum;
}

static void the_mass_matrix_sums_over_links(void **state)
{
    (void)state;
    test_random random = {5};
    static lode_real wanted[SQUARE];
    for (uint32_t round = 0; round < 100; ++round) {
        make(&random, round, 16);
        uint32_t n = plan()->dof_count;
        lode__mb_dense_jacobian(&o.tree, jacobian);
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        for (uint32_t k = 0; k < n; ++k)
            for (uint32_t l = 0; l < n; ++l) {
                wanted[k * n + l] = (lode_real)mass_by_jacobian(k, l);
                assert_true(mass[k * n + l] == mass[l * n + k]);
            }
        assert_like(mass, wanted, (size_t)n * n, tight);
    }
}

/* Kinetic energy is positive of any motion, and what the matrix says. */
static void the_mass_matrix_is_positive(void **state)
{
    (void)state;
    test_random random = {29};
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real speed[MOST_DOFS], momentum[MOST_DOFS];
        make(&random, round, MOST_LINKS);
        uint32_t n = plan()->dof_count;
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        speeds_of(speed);
        multiply(mass, speed, n, n, momentum);
        double by_matrix = 0, by_links = 0;
        for (uint32_t k = 0; k < n; ++k)
            by_matrix += (double)speed[k] * (double)momentum[k];
        for (uint32_t i = first_link(); i < plan()->link_count; ++i) {
            lode_vec3 v = mb_v3(o.links[i].v), w = mb_v3(o.links[i].w);
            by_links += (double)(o.links[i].mass[0] * v3_dot(v, v) +
                                 v3_dot(w, s3_mul(o.links[i].moment, w)));
        }
        assert_true(n == 0 || by_matrix > 0);
        assert_true(fabs(by_matrix - by_links) <= tight * by_links);
    }
}

/* Efforts, less what armature takes, from accelerations; and their parts add up. */
static void inverse_undoes_forward(void **state)
{
    (void)state;
    test_random random = {7};
    for (uint32_t round = 0; round < 300; ++round) {
        lode_real change[MOST_DOFS], wanted[MOST_DOFS], got[MOST_DOFS], rest[MOST_DOFS];
        lode__mb_wrench forces[MOST_LINKS];
        make(&random, round, 12);
        uint32_t n = plan()->dof_count;
        lode__mb_kernels_one.accelerate(&o.tree, 1);
        forces_of(forces);
        changes_of(change);
        double most = 1;
        for (uint32_t k = 0; k < n; ++k) {
            wanted[k] = o.dofs[k].effort[0] - o.dofs[k].more[0] * change[k];
            most = fmax(most, fabs((double)change[k]));
        }
        lode__mb_inverse(&o.tree, change, true, forces, got, scratch);
        assert_like(got, wanted, n, tight * most);
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        multiply(mass, change, n, n, got);
        lode__mb_inverse(&o.tree, NULL, true, NULL, rest, scratch);
        for (uint32_t k = 0; k < n; ++k)
            got[k] += rest[k];
        lode__mb_inverse(&o.tree, NULL, false, forces, rest, scratch);
        for (uint32_t k = 0; k < n; ++k)
            got[k] += rest[k];
        assert_like(got, wanted, n, tight * most);
    }
}

/* The joint force of a free root, given back, makes the accelerations it was asked for, and what
 * bears forces on links leaves a free articulation's joints as they are. */
static void a_free_root_is_left_alone(void **state)
{
    (void)state;
    test_random random = {11};
    for (uint32_t round = 0; round < 300; ++round) {
        lode_real asked[MOST_DOFS] = {0}, effort[MOST_DOFS], got[MOST_DOFS], still[MOST_DOFS] = {0};
        lode__mb_wrench forces[MOST_LINKS];
        make(&random, round, 10);
        uint32_t b = plan()->root_dofs, n = plan()->dof_count - b;
        for (uint32_t k = 0; k < plan()->dof_count; ++k)
            o.dofs[k].more[0] = 0;
        lode__mb_kernels_one.factor(&o.tree);
        random_tree_numbers(&random, asked + b, (int)n, 2);
        forces_of(forces);
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        lode__mb_inverse(&o.tree, asked, true, NULL, effort, scratch);
        lode__mb_free_efforts(plan(), mass, effort, effort);
        lode__mb_joint_acceleration(&o.tree, effort, NULL, got);
        assert_like(got, asked + b, n, 100 * tight);

        lode__mb_inverse(&o.tree, asked, false, NULL, effort, scratch);
        lode__mb_free_efforts(plan(), mass, effort, effort);
        lode__mb_free_mass(plan(), mass, mass, scratch);
        multiply(mass, asked + b, n, n, got);
        assert_like(got, effort, n, 10 * tight);

        for (uint32_t k = 0; k < plan()->dof_count; ++k)
            o.dofs[k].speed[0] = 0;
        lode__mb_kernels_one.speed(&o.tree);
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        lode__mb_inverse(&o.tree, NULL, false, forces, effort, scratch);
        lode__mb_free_efforts(plan(), mass, effort, effort);
        lode__mb_joint_acceleration(&o.tree, effort, forces, got);
        assert_like(got, still, n, 1000 * tight);
    }
}

/* A kick is the difference that forces and efforts make to accelerations, times its time. */
static void a_kick_is_what_forces_do(void **state)
{
    (void)state;
    test_random random = {41};
    const lode_real h = (lode_real)0.01;
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real with[MOST_DOFS], without[MOST_DOFS], effort[MOST_DOFS], speed[MOST_DOFS];
        lode_real got[MOST_DOFS];
        lode__mb_wrench forces[MOST_LINKS];
        make(&random, round, 12);
        forces_of(forces);
        uint32_t n = plan()->dof_count;
        speeds_of(speed);
        lode__mb_kernels_one.accelerate(&o.tree, 1);
        changes_of(with);
        for (uint32_t k = 0; k < n; ++k) {
            effort[k] = o.dofs[k].effort[0];
            o.dofs[k].effort[0] = 0;
        }
        for (uint32_t i = 0; i < plan()->link_count; ++i) {
            mb_put3(o.links[i].force, v3_zero());
            mb_put3(o.links[i].torque, v3_zero());
        }
        lode__mb_kernels_one.accelerate(&o.tree, 1);
        changes_of(without);
        lode__mb_kick(&o.tree, forces, effort, h, scratch);
        for (uint32_t k = 0; k < n; ++k) {
            with[k] -= without[k];
            got[k] = (o.dofs[k].speed[0] - speed[k]) / h;
        }
        assert_like(got, with, n, 100 * tight);
        random_tree same = o;
        same.tree.links = same.links, same.tree.dofs = same.dofs;
        lode__mb_kernels_one.speed(&same.tree); /* links have their speeds already */
        assert_memory_equal(same.links, o.links, sizeof o.links);
    }
}

/* What gravity does by g is what it does to links; free, all fall alike. */
static void gravity_is_held(void **state)
{
    (void)state;
    test_random random = {13};
    const lode_vec3 g = {1, -3, (lode_real)-9.81};
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real effort[MOST_DOFS], none[MOST_DOFS] = {0}, total = 0;
        lode__mb_wrench forces[MOST_LINKS];
        make(&random, round, 12);
        gravity_of(g, forces);
        lode__mb_inverse(&o.tree, NULL, false, forces, effort, scratch);
        double power = 0, by_links = 0, size = 1;
        for (uint32_t k = 0; k < plan()->dof_count; ++k) {
            power += (double)effort[k] * (double)o.dofs[k].speed[0];
            size += fabs((double)effort[k] * (double)o.dofs[k].speed[0]);
        }
        for (uint32_t i = first_link(); i < plan()->link_count; ++i) {
            by_links += (double)v3_dot(forces[i].f, mb_v3(o.links[i].v));
            total += o.links[i].mass[0];
        }
        assert_true(fabs(power + by_links) < tight * size);
        if (plan()->root_dofs == 0)
            continue;
        assert_true(fabs((double)(effort[2] + g.z * total)) < tight * size);
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        lode__mb_free_efforts(plan(), mass, effort, effort);
        assert_like(effort, none, plan()->dof_count - 6, 100 * tight);
    }
}

static void momentum_is_that_of_the_links(void **state)
{
    (void)state;
    test_random random = {17};
    const lode_vec3 g = {2, 1, (lode_real)-9.81};
    for (uint32_t round = 0; round < 200; round += 2) {
        lode_real a[6 * MOST_DOFS], bias[6], c[MOST_DOFS], x[MOST_DOFS], got[6];
        lode__mb_wrench forces[MOST_LINKS];
        make(&random, round, 12);
        uint32_t n = plan()->dof_count;
        lode__mb_mass_matrix(&o.tree, mass, scratch);
        lode__mb_inverse(&o.tree, NULL, true, NULL, c, scratch);
        lode__mb_centroidal(&o.tree, mass, c, a, bias);
        speeds_of(x);
        multiply(a, x, 6, n, got);
        lode_vec3 center = lode__mb_center_of_mass(&o.tree), h = v3_zero(), l = v3_zero();
        lode_real total = 0;
        for (uint32_t i = 0; i < plan()->link_count; ++i) {
            const lode__mb_link *link = &o.links[i];
            lode_vec3 p = v3_scale(mb_v3(link->v), link->mass[0]);
            h = v3_add(h, p);
            l = v3_add(l, v3_cross(v3_sub(mb_v3(link->center), center), p));
            l = v3_add(l, s3_mul(link->moment, mb_v3(link->w)));
            total += link->mass[0];
        }
        lode_real wanted[6] = {h.x, h.y, h.z, l.x, l.y, l.z};
        assert_like(got, wanted, 6, 10 * tight);

        /* in flight; the root's own dofs have no armature */
        for (uint32_t k = 0; k < 6; ++k)
            o.dofs[k].more[0] = 0;
        lode__mb_kernels_one.factor(&o.tree);
        gravity_of(g, forces);
        lode_real effort[MOST_DOFS], change[MOST_DOFS];
        random_tree_numbers(&random, effort, (int)n, 3);
        lode__mb_joint_acceleration(&o.tree, effort, forces, change);
        changes_of(x);
        multiply(a, x, 6, n, got);
        double most = 1;
        for (uint32_t k = 0; k < n; ++k)
            most = fmax(most, fabs((double)x[k]));
        lode_real flight[6] = {g.x * total, g.y * total, g.z * total, 0, 0, 0};
        for (int k = 0; k < 6; ++k)
            got[k] += bias[k];
        assert_like(got, flight, 6, 10 * tight * most);
    }
}

/* Along each axis a joint bears its effort, less what armature takes; and in the child's frame it
 * does the work that efforts do. */
static void joints_bear_their_efforts(void **state)
{
    (void)state;
    test_random random = {19};
    for (uint32_t round = 0; round < 200; ++round) {
        lode__mb_wrench bears[MOST_LINKS];
        make(&random, round, 12);
        lode__mb_kernels_one.accelerate(&o.tree, 1);
        lode__mb_needs(&o.tree, bears);
        lode__mb_transmit(&o.tree, bears);
        for (uint32_t i = 1; i < plan()->link_count; ++i) {
            double work = 0, size = 1;
            lode_vec3 slide = v3_zero(), spin = v3_zero();
            for (uint32_t k = plan()->first_dof[i]; k < plan()->first_dof[i + 1]; ++k) {
                const lode__mb_dof *d = &o.dofs[k];
                double effort = (double)d->effort[0] - (double)d->more[0] * (double)d->change[0];
                double most = 1 + fabs((double)d->change[0]) + (double)v3_length(bears[i].f);
                assert_true(fabs((double)mb_along(d, bears[i]) - effort) < 10 * tight * most);
                work += effort * (double)d->speed[0];
                size += most;
                if (plan()->axis[k] >= LODE__MB_FIRST_SLIDE)
                    slide = v3_madd(slide, mb_v3(d->s_v), d->speed[0]);
                else
                    spin = v3_madd(spin, mb_v3(d->s_w), d->speed[0]);
            }
            lode_quat frame = q_mul(mb_q(o.links[i].rotation), mb_q(o.links[i].frame_c));
            lode__mb_wrench there = lode__mb_in_child_frame(&o.tree, i, bears[i]);
            double done = (double)(v3_dot(there.f, q_rotate_inv(frame, slide)) +
                                   v3_dot(there.n, q_rotate_inv(frame, spin)));
            assert_true(fabs(done - work) < 10 * tight * size);
        }
    }
}

/* ---- derivatives */

/* A step e along dof k, by move(), which goes h times the speeds. */
static void go(const random_tree *from, uint32_t k, double e)
{
    o = *from;
    o.tree.links = o.links, o.tree.dofs = o.dofs;
    for (uint32_t l = 0; l < plan()->dof_count; ++l)
        o.dofs[l].speed[0] = l == k;
    lode__mb_kernels_one.speed(&o.tree);
    lode__mb_kernels_one.move(&o.tree, (lode_real)e);
    for (uint32_t l = 0; l < plan()->dof_count; ++l)
        o.dofs[l].speed[0] = from->dofs[l].speed[0];
    lode__mb_kernels_one.place(&o.tree);
    lode__mb_kernels_one.speed(&o.tree);
}

static void efforts_now(const lode_real *change, const lode_vec3 *gravity, lode_real *out)
{
    lode__mb_wrench forces[MOST_LINKS];
    for (uint32_t i = 0; i < plan()->link_count; ++i)
        forces[i] = (lode__mb_wrench){v3_scale(gravity[i], o.links[i].mass[0]), v3_zero()};
    lode__mb_inverse(&o.tree, change, true, forces, out, scratch);
}

static bool has_two_turns(void)
{
    for (uint32_t i = 1; i < plan()->link_count; ++i)
        if (plan()->angles[i] == 2)
            return true;
    return false;
}

static void compare_columns(const random_tree *at, const lode_real *change,
                            const lode_vec3 *gravity, const lode_real *by_motion,
                            const lode_real *by_speed)
{
    uint32_t n = at->tree.plan->dof_count;
    for (uint32_t l = 0; l < n; ++l) {
        lode_real up[MOST_DOFS], down[MOST_DOFS], got[MOST_DOFS];
        go(at, l, step);
        efforts_now(change, gravity, up);
        go(at, l, -step);
        efforts_now(change, gravity, down);
        double size = 1;
        for (uint32_t k = 0; k < n; ++k) {
            got[k] = by_motion[k * n + l];
            size = fmax(size, fabs((double)up[k]));
            up[k] = (lode_real)(((double)up[k] - (double)down[k]) / (2 * step));
        }
        assert_like(got, up, n, differs * size);

        /* of speeds efforts are quadratic: a step of any size is exact */
        go(at, l, 0);
        o.dofs[l].speed[0] = at->dofs[l].speed[0] + 1;
        lode__mb_kernels_one.speed(&o.tree);
        efforts_now(change, gravity, up);
        o.dofs[l].speed[0] = at->dofs[l].speed[0] - 1;
        lode__mb_kernels_one.speed(&o.tree);
        efforts_now(change, gravity, down);
        for (uint32_t k = 0; k < n; ++k) {
            got[k] = by_speed[k * n + l];
            up[k] = (up[k] - down[k]) / 2;
        }
        assert_like(got, up, n, tight * size);
    }
}

static void derivatives_are_limits_of_differences(void **state)
{
    (void)state;
    test_random random = {23};
    static lode_real by_motion[SQUARE], by_speed[SQUARE];
    static random_tree at;
    int seen = 0;
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real change[MOST_DOFS];
        lode_vec3 gravity[MOST_LINKS];
        make(&random, round, 6);
        seen += has_two_turns();
        for (uint32_t i = 0; i < plan()->link_count; ++i)
            random_tree_numbers(&random, &gravity[i].x, 3, 10);
        random_tree_numbers(&random, change, (int)plan()->dof_count, 2);
        at = o;
        lode__mb_derivatives(&o.tree, change, gravity, by_motion, by_speed, scratch);
        compare_columns(&at, change, gravity, by_motion, by_speed);
    }
    assert_true(seen > 40);
}

/* ---- loops */

static lode__mb_loop_row random_row(test_random *random)
{
    lode__mb_loop_row row = {.lo = -INFINITY, .hi = INFINITY};
    for (int side = 0; side < 2; ++side) {
        row.link[side] = random_below(random, plan()->link_count);
        random_tree_numbers(random, &row.jacobian[side].f.x, 3, 1);
        random_tree_numbers(random, &row.jacobian[side].n.x, 3, 1);
    }
    if (random_below(random, 3) == 0)
        row.link[1] = LODE__MB_NO_PARENT;
    return row;
}

/* The velocity of a row by its links' own, whose dofs have these speeds. */
static double row_velocity(const lode__mb_loop_row *row, const lode_real *speed)
{
    lode_real j[MOST_DOFS];
    double sum = 0;
    lode__mb_loop_jacobian(&o.tree, row, j);
    for (uint32_t k = 0; k < plan()->dof_count; ++k)
        sum += (double)j[k] * (double)speed[k];
    return sum;
}

static void loop_jacobians_are_velocities_of_links(void **state)
{
    (void)state;
    test_random random = {31};
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real speed[MOST_DOFS];
        make(&random, round, 12);
        speeds_of(speed);
        lode__mb_loop_row row = random_row(&random);
        double by_links = 0, size = 1;
        for (int side = 0; side < 2; ++side)
            if (row.link[side] != LODE__MB_NO_PARENT) {
                const lode__mb_link *link = &o.links[row.link[side]];
                lode__mb_motion m = {mb_v3(link->v), mb_v3(link->w)};
                by_links += (double)mb_power(m, row.jacobian[side]);
                size += (double)(v3_length(m.v) + v3_length(m.w));
            }
        assert_true(fabs(row_velocity(&row, speed) - by_links) < tight * size);
    }
}

/* Speeds with the impulses of all rows. */
static void push_all(const lode__mb_loop_row *rows, uint32_t count, const lode_real *lambda,
                     lode_real *speed)
{
    for (uint32_t r = 0; r < count; ++r) {
        lode_real j[MOST_DOFS], response[MOST_DOFS];
        lode__mb_loop_jacobian(&o.tree, &rows[r], j);
        lode__mb_solve(&o.tree, j, response);
        for (uint32_t k = 0; k < plan()->dof_count; ++k)
            speed[k] += lambda[r] * response[k];
    }
}

/* Rows with limits rest on them or are still: the conditions of Signorini. Twice the same row,
 * which makes the system singular, and rows that no dof can move are solved too. */
static void loops_stay_closed(void **state)
{
    (void)state;
    test_random random = {37};
    int settled = 0;
    for (uint32_t round = 0; round < 200; ++round) {
        lode_real speed[MOST_DOFS], lambda[MOST_ROWS];
        lode__mb_loop_row rows[MOST_ROWS];
        make(&random, round, 12);
        uint32_t count = 1 + random_below(&random, 4);
        for (uint32_t r = 0; r < count; ++r) {
            rows[r] = random_row(&random);
            rows[r].lo = random_below(&random, 2) ? -INFINITY : 0;
        }
        rows[count] = rows[0];
        ++count;
        speeds_of(speed);
        assert_true(lode__mb_loop_size(plan(), count) <= sizeof scratch);
        settled += lode__mb_loop_lambda(&o.tree, rows, count, speed, 10000, lambda, scratch);
        push_all(rows, count, lambda, speed);
        for (uint32_t r = 0; r < count; ++r) {
            double v = row_velocity(&rows[r], speed);
            double bound = 1000 * tight;
            assert_true(lambda[r] >= rows[r].lo);
            assert_true(v > -bound);
            assert_true(v < bound || lambda[r] == 0);
        }
        if (lambda[0] != 0)
            assert_false(lode__mb_loop_lambda(&o.tree, rows, count, speed, 0, lambda, scratch));
    }
    assert_true(settled > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jacobian_makes_velocities),
        cmocka_unit_test(the_mass_matrix_sums_over_links),
        cmocka_unit_test(the_mass_matrix_is_positive),
        cmocka_unit_test(inverse_undoes_forward),
        cmocka_unit_test(a_free_root_is_left_alone),
        cmocka_unit_test(a_kick_is_what_forces_do),
        cmocka_unit_test(gravity_is_held),
        cmocka_unit_test(momentum_is_that_of_the_links),
        cmocka_unit_test(joints_bear_their_efforts),
        cmocka_unit_test(derivatives_are_limits_of_differences),
        cmocka_unit_test(loop_jacobians_are_velocities_of_links),
        cmocka_unit_test(loops_stay_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
