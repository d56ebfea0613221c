/* Articulations beside MuJoCo 2.2.2, whose numbers are double: mass matrix, gravity, Coriolis
 * forces, forward and inverse dynamics, Jacobians, centre of mass, momentum and what joints bear,
 * of eleven models with random parameters in random states. All agree to 1e-9 of the largest of
 * their kind in double precision, to 1e-4 in single. */
#include "tests/peers/twin.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
static const double bound = 1e-9;
#else
static const double bound = 1e-4;
#endif

enum { STATES = 10, MOST_ROWS = 6 * TWIN_LINKS };

static const double gravity[3] = {0.5, -1.5, -9.81}, none[3] = {0, 0, 0};
static twin t;
static lode_real mass[TWIN_SQUARE], matrix[MOST_ROWS * TWIN_DOFS];
static double wanted[MOST_ROWS * TWIN_DOFS], theirs[TWIN_SQUARE], half[TWIN_SQUARE];
static _Alignas(16) char scratch[1 << 20];

static uint32_t dofs(void)
{
    return t.tree.plan->dof_count;
}

static void assert_like(const char *what, const lode_real *a, const double *b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; ++i)
        most = fmax(most, fabs(b[i]));
    for (size_t i = 0; i < count; ++i)
        if (!(fabs((double)a[i] - b[i]) <= bound * most))
            fail_msg("%s of %s, %zu: %.17g is not %.17g, of at most %g", what, t.model->name, i,
                     (double)a[i], b[i], most);
}

/* ---- T, between both's dofs */

static void to_theirs(const lode_real *x, double *out)
{
    for (uint32_t row = 0; row < dofs(); ++row) {
        out[row] = 0;
        for (uint32_t k = 0; k < dofs(); ++k)
            out[row] += t.t[row * dofs() + k] * (double)x[k];
    }
}

/* T^T, of efforts. */
static void to_ours(const double *x, double *out)
{
    for (uint32_t k = 0; k < dofs(); ++k) {
        out[k] = 0;
        for (uint32_t row = 0; row < dofs(); ++row)
            out[k] += t.t[row * dofs() + k] * x[row];
    }
}

/* Rows of theirs, by dofs of ours. */
static void rows_to_ours(const double *rows, size_t count, double *out)
{
    for (size_t r = 0; r < count; ++r)
        to_ours(rows + r * dofs(), out + r * dofs());
}

static void random_efforts(test_random *random, lode_real *out)
{
    for (uint32_t k = 0; k < dofs(); ++k)
        out[k] = k < t.tree.plan->root_dofs ? 0 : (lode_real)random_between(random, -5, 5);
}

static void pull(lode__mb_wrench *out)
{
    lode_vec3 g = {(lode_real)gravity[0], (lode_real)gravity[1], (lode_real)gravity[2]};
    for (uint32_t i = 0; i < t.model->count; ++i)
        out[i] = (lode__mb_wrench){v3_scale(g, t.links[i].mass[0]), v3_zero()};
}

/* ---- each kind */

static void check_mass_matrix(test_random *random)
{
    (void)random;
    size_t n = dofs();
    lode__mb_mass_matrix(&t.tree, mass, scratch);
    mj_fullM(t.mujoco, theirs, t.data->qM);
    rows_to_ours(theirs, n, half); /* M T */
    for (size_t r = 0; r < n; ++r)
        for (size_t k = 0; k < n; ++k) {
            wanted[r * n + k] = 0;
            for (size_t row = 0; row < n; ++row)
                wanted[r * n + k] += t.t[row * n + r] * half[row * n + k];
        }
    assert_like("mass matrix", mass, wanted, n * n);
}

static void check_gravity(test_random *random)
{
    (void)random;
    lode_real effort[TWIN_DOFS];
    lode__mb_wrench forces[TWIN_LINKS];
    memset(t.data->qvel, 0, dofs() * sizeof *t.data->qvel);
    mj_forward(t.mujoco, t.data);
    to_ours(t.data->qfrc_bias, wanted);
    pull(forces);
    lode__mb_inverse(&t.tree, NULL, false, forces, effort, scratch);
    assert_like("gravity", effort, wanted, dofs());
}

static void check_coriolis(test_random *random)
{
    (void)random;
    lode_real effort[TWIN_DOFS];
    double moved[TWIN_DOFS];
    memcpy(t.mujoco->opt.gravity, none, sizeof none);
    mj_forward(t.mujoco, t.data);
    mj_mulM(t.mujoco, t.data, moved, t.drift);
    for (uint32_t k = 0; k < dofs(); ++k)
        moved[k] += t.data->qfrc_bias[k];
    to_ours(moved, wanted);
    lode__mb_inverse(&t.tree, NULL, true, NULL, effort, scratch);
    if (dofs() > 6 || t.tree.plan->root_dofs == 0)
        assert_like("Coriolis", effort, wanted, dofs());
    else /* a free body has a moment and no force but rounding */
        assert_like("Coriolis", effort + 3, wanted + 3, 3);
}

static void check_inverse(test_random *random)
{
    lode_real change[TWIN_DOFS], effort[TWIN_DOFS];
    lode__mb_wrench forces[TWIN_LINKS];
    for (uint32_t k = 0; k < dofs(); ++k)
        change[k] = (lode_real)random_between(random, -5, 5);
    to_theirs(change, t.data->qacc);
    for (uint32_t k = 0; k < dofs(); ++k)
        t.data->qacc[k] += t.drift[k];
    mj_inverse(t.mujoco, t.data);
    to_ours(t.data->qfrc_inverse, wanted);
    pull(forces);
    lode__mb_inverse(&t.tree, change, true, forces, effort, scratch);
    assert_like("inverse dynamics", effort, wanted, dofs());
}

/* The same efforts of joints for both: those of a ball's body axes are its joint's, turned. */
static void set_efforts(test_random *random)
{
    lode_real effort[TWIN_DOFS];
    random_efforts(random, effort);
    to_theirs(effort, t.data->qfrc_applied);
    for (uint32_t k = 0; k < t.tree.plan->root_dofs; ++k)
        t.data->qfrc_applied[k] = 0;
    to_ours(t.data->qfrc_applied, wanted);
    for (uint32_t k = 0; k < dofs(); ++k)
        t.dofs[k].effort[0] = (lode_real)wanted[k];
    mj_forward(t.mujoco, t.data);
}

static void check_forward(test_random *random)
{
    lode_real joints[TWIN_DOFS], change[TWIN_DOFS] = {0}, effort[TWIN_DOFS];
    lode__mb_wrench forces[TWIN_LINKS];
    size_t b = t.tree.plan->root_dofs;
    /* a ball's three dofs have the same armature */
    for (uint32_t k = (uint32_t)b; k < dofs(); ++k)
        t.dofs[k].more[0] = (lode_real)(0.1 + 0.01 * (double)t.tree.plan->link_of_dof[k]);
    for (uint32_t row = (uint32_t)b; row < dofs(); ++row)
        for (uint32_t k = 0; k < dofs(); ++k)
            t.mujoco->dof_armature[row] += t.t[row * dofs() + k] * t.t[row * dofs() + k] *
                                           (double)t.dofs[k].more[0];
    lode__mb_kernels_one.factor(&t.tree);
    set_efforts(random);
    for (uint32_t k = 0; k < dofs(); ++k)
        effort[k] = t.dofs[k].effort[0];
    pull(forces);
    lode__mb_joint_acceleration(&t.tree, effort + b, forces, joints);
    for (uint32_t k = 0; k < dofs(); ++k)
        change[k] = t.dofs[k].change[0];
    double got[TWIN_DOFS];
    lode_real plain[TWIN_DOFS];
    to_theirs(change, got);
    for (uint32_t k = 0; k < dofs(); ++k)
        plain[k] = (lode_real)(got[k] + t.drift[k]);
    assert_like("forward dynamics", plain, t.data->qacc, dofs());
    for (uint32_t k = (uint32_t)b; k < dofs(); ++k)
        assert_true(joints[k - b] == change[k]);
}

static void check_jacobian(test_random *random)
{
    (void)random;
    size_t n = dofs(), first = t.tree.plan->root_dofs > 0 ? 0 : 1;
    lode__mb_dense_jacobian(&t.tree, matrix);
    for (size_t i = first; i < t.model->count; ++i) {
        mj_jacBodyCom(t.mujoco, t.data, half, half + 3 * n, t.body[i]);
        rows_to_ours(half, 6, wanted + 6 * n * (i - first));
    }
    assert_like("Jacobian", matrix, wanted, 6 * n * (t.model->count - first));
}

/* From the root's centre, where its rotation and place put it. */
static void their_center(double out[3])
{
    const double *all = t.data->subtree_com + 3 * t.body[0];
    const double *root = t.data->xipos + 3 * t.body[0];
    for (int c = 0; c < 3; ++c)
        out[c] = all[c] - root[c];
}

static void check_center(test_random *random)
{
    (void)random;
    if (t.model->count == 1) /* 0 but for rounding */
        return;
    double center[3];
    their_center(center);
    lode_vec3 got = lode__mb_center_of_mass(&t.tree);
    assert_like("centre of mass", &got.x, center, 3);
}

static void check_momentum(test_random *random)
{
    (void)random;
    size_t n = dofs();
    lode_real c[TWIN_DOFS], bias[6];
    if (t.tree.plan->root_dofs == 0)
        return;
    lode__mb_mass_matrix(&t.tree, mass, scratch);
    lode__mb_inverse(&t.tree, NULL, true, NULL, c, scratch);
    lode__mb_centroidal(&t.tree, mass, c, matrix, bias);
    double total = t.mujoco->body_subtreemass[t.body[0]];
    for (size_t k = 0; k < n; ++k) {
        for (size_t row = 0; row < n; ++row)
            t.data->qvel[row] = t.t[row * n + k];
        mj_fwdVelocity(t.mujoco, t.data);
        mj_subtreeVel(t.mujoco, t.data);
        for (size_t row = 0; row < 3; ++row) {
            wanted[row * n + k] = total * t.data->subtree_linvel[3 * t.body[0] + (int)row];
            wanted[(row + 3) * n + k] = t.data->subtree_angmom[3 * t.body[0] + (int)row];
        }
    }
    assert_like("momentum matrix", matrix, wanted, 6 * n);
}

/* About the centre of mass of all. */
static void check_bearing(test_random *random)
{
    lode_real got[6 * TWIN_LINKS];
    lode__mb_wrench bears[TWIN_LINKS];
    set_efforts(random);
    mj_rnePostConstraint(t.mujoco, t.data);
    pull(bears);
    for (uint32_t i = 0; i < t.model->count; ++i)
        mb_put3(t.links[i].force, bears[i].f);
    lode__mb_kernels_one.accelerate(&t.tree, 1);
    lode__mb_needs(&t.tree, bears);
    lode__mb_transmit(&t.tree, bears);
    lode_vec3 center = lode__mb_center_of_mass(&t.tree);
    for (uint32_t i = 1; i < t.model->count; ++i) {
        const double *there = t.data->cfrc_int + 6 * t.body[i];
        lode_vec3 arm = v3_sub(mb_v3(t.links[i].center), center);
        lode__mb_wrench p = mb_shifted(bears[i], arm);
        mb_put3(got + 6 * (i - 1), p.f);
        mb_put3(got + 6 * (i - 1) + 3, p.n);
        memcpy(wanted + 6 * (i - 1), there + 3, 3 * sizeof *there);
        memcpy(wanted + 6 * (i - 1) + 3, there, 3 * sizeof *there);
    }
    assert_like("what joints bear", got, wanted, 6 * (t.model->count - 1));
}

static void (*const checks[])(test_random *random) = {
    check_mass_matrix, check_gravity, check_coriolis, check_inverse, check_forward,
    check_jacobian,    check_center,  check_momentum, check_bearing};

static void both_agree(void **state)
{
    (void)state;
    test_random random = {1};
    for (int model = 0; model < TWIN_MODELS; ++model)
        for (int round = 0; round < STATES; ++round)
            for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
                twin_make(&t, &twin_models[model], &random);
                assert_true(lode__mb_scratch_size(t.tree.plan) <= sizeof scratch);
                twin_load(&t, gravity);
                checks[i](&random);
                twin_free(&t);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
