/* Contact blocks against the textbook. The kernels solve a manifold in its relative twist; here the
 * same manifold is solved row by row with Jacobians of both bodies at each point, in long double,
 * and velocities, impulses and effective masses must agree to rounding.
 *
 * Tolerances are in roundings: machine epsilon times the largest value that entered. J M^-1 J^T is
 * a sum of some twenty products of arms up to 4 m and inverse inertias up to 8 /kg m^2, so 200 /kg
 * holds its terms. Where it cancels, the impulse errs by more than one rounding; projection passes
 * such errors on without enlarging them: twenty iterations stay within sixty (seen: 19). */
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

enum { ROUNDS = 60, MASS_SCALE = 200, MASS_ROUNDINGS = 3, SOLVE_ROUNDINGS = 60 };

typedef struct oracle_contact {
    oracle_pair pair;
    int points;
    exact friction, restitution;
    oracle_row normal[4], t1[4], t2[4];
    exact approach[4], peak[4], k[4];
    exact most_velocity, most_impulse;
} oracle_contact;

typedef struct scene {
    bodies bodies;
    block_room room;
    lode__manifold manifolds[CONTACTS];
    oracle_contact oracle[CONTACTS];
    lode__softness softness;
    int points;
    const lode__block_kernels *kernels;
} scene;

static scene s;
static oracle_worst worst;

static const lode__contact_block *block_of(int contact)
{
    return contact_block_at(&s.room, s.points, contact / LODE_LANES);
}

static exact3 lane3(const lode__lane3 *field, int lane)
{
    return (exact3){{field->x.x[lane], field->y.x[lane], field->z.x[lane]}};
}

static void run(lode__block_fn *kernel)
{
    lode__dense lines = bodies_lines(&s.bodies);
    kernel(s.room.bytes, BLOCKS, lode__contact_block_size(s.points), &lines, &s.softness);
}

/* --- the oracle's side */

static exact3 centroid_of(const lode__manifold *m)
{
    exact3 sum = {{0}};
    for (int i = 0; i < m->point_count; ++i)
        sum = exact_add(sum, exact_of(m->points[i].position));
    return exact_madd((exact3){{0}}, sum, 1.0L / m->point_count);
}

/* The first tangent is the kernel's choice; that it is one is checked. */
static exact3 tangent_of(const lode__contact_block *block, int lane, exact3 normal)
{
    exact3 t = lane3(&block->t, lane);
    exact unused = 0;
    assert_near("t . t", exact_dot(t, t), 1, 1, 8, &unused);
    assert_near("t . n", exact_dot(t, normal), 0, 1, 8, &unused);
    return t;
}

static void oracle_prepare(oracle_contact *o, const lode__manifold *m,
                           const lode__contact_block *block, int lane)
{
    *o = (oracle_contact){.points = m->point_count, .friction = m->friction};
    o->restitution = m->restitution;
    o->pair = oracle_pair_of(&s.bodies, (int32_t)m->body_a, (int32_t)m->body_b);
    exact3 n = exact_of(m->normal), t1 = tangent_of(block, lane, n), t2 = exact_cross(n, t1);
    exact3 centroid = centroid_of(m), offset = exact_of(m->offset);
    for (int i = 0; i < o->points; ++i) {
        exact3 at = exact_of(m->points[i].position);
        exact3 up = exact_madd(at, centroid, -1);
        at = exact_madd(at, n, -exact_dot(n, up)); /* onto the plane through the centroid */
        exact3 arm_b = exact_add(at, offset);
        o->normal[i] = oracle_point_row(n, at, arm_b);
        o->t1[i] = oracle_point_row(t1, at, arm_b);
        o->t2[i] = oracle_point_row(t2, at, arm_b);
        o->normal[i].lo = 0;
        o->normal[i].lambda = m->points[i].impulse[0];
        o->t1[i].lambda = m->points[i].impulse[1];
        o->t2[i].lambda = m->points[i].impulse[2];
        exact relaxation = s.softness.relaxation;
        o->k[i] = oracle_coupling(&o->pair, &o->normal[i], &o->normal[i]);
        o->t1[i].mass = relaxation / oracle_coupling(&o->pair, &o->t1[i], &o->t1[i]);
        o->t2[i].mass = relaxation / oracle_coupling(&o->pair, &o->t2[i], &o->t2[i]);
        o->approach[i] = oracle_velocity(&o->pair, &o->normal[i]);
    }
}

/* The formulas of lode__softness, from the displacement of both bodies. */
static void oracle_refresh(oracle_contact *o, const lode__manifold *m)
{
    const lode__softness *f = &s.softness;
    oracle_pair moved = {{0}, {{0}}};
    const lode__delta *ends[2] = {&s.bodies.delta[m->body_a], &s.bodies.delta[m->body_b]};
    for (int i = 0; i < 12; ++i) {
        const lode__delta *d = ends[i / 6];
        moved.v[i] = exact_of(i % 6 < 3 ? d->linear : d->angular).x[i % 3];
    }
    for (int i = 0; i < o->points; ++i) {
        oracle_row *row = &o->normal[i];
        exact depth = m->points[i].depth - oracle_velocity(&moved, row);
        bool touches = depth >= 0;
        exact push = f->rate * exact_max(depth - f->slop, 0);
        row->c = !touches ? depth * f->inv_h : push < f->max_speed ? push : f->max_speed;
        row->mass = f->relaxation / (o->k[i] + f->gamma);
        row->soft = row->mass * f->gamma + (touches ? f->impulse_scale : 0);
        row->mass *= touches ? f->mass_scale : 1;
        o->peak[i] = exact_max(o->peak[i], row->lambda);
    }
}

static void oracle_warm_start(oracle_contact *o)
{
    for (int i = 0; i < o->points; ++i) {
        oracle_push(&o->pair, &o->normal[i], o->normal[i].lambda);
        oracle_push(&o->pair, &o->t1[i], o->t1[i].lambda);
        oracle_push(&o->pair, &o->t2[i], o->t2[i].lambda);
    }
}

/* All normal rows at once, by the matrix of their couplings with 0.3 of its diagonal and the
 * softness of cfm added. */
static void oracle_together(oracle_contact *o)
{
    exact a[16], x[4];
    int n = o->points;
    for (int i = 0; i < n; ++i) {
        const oracle_row *row = &o->normal[i];
        for (int j = 0; j < n; ++j)
            a[i * n + j] = oracle_coupling(&o->pair, row, &o->normal[j]);
        a[i * n + i] = 1.3L * a[i * n + i] + s.softness.gamma;
        x[i] = row->c - oracle_velocity(&o->pair, row) - row->soft / row->mass * row->lambda;
    }
    exact_solve(n, a, x);
    for (int i = 0; i < n; ++i) {
        oracle_row *row = &o->normal[i];
        exact old = row->lambda;
        row->lambda = exact_max(0, old + row->mass * (o->k[i] + s.softness.gamma) * x[i]);
        oracle_push(&o->pair, row, row->lambda - old);
    }
}

/* Normals first, together and then in turn, then friction with the limits that they give. */
static void oracle_iterate(oracle_contact *o)
{
    if (o->points > 1)
        oracle_together(o);
    for (int i = 0; i < o->points; ++i)
        oracle_solve(&o->pair, &o->normal[i]);
    for (int i = 0; i < o->points; ++i) {
        exact limit = o->friction * o->normal[i].lambda;
        o->t1[i].hi = o->t2[i].hi = limit;
        o->t1[i].lo = o->t2[i].lo = -limit;
        oracle_solve(&o->pair, &o->t1[i]);
        oracle_solve(&o->pair, &o->t2[i]);
    }
}

static int oracle_bounce(oracle_contact *o)
{
    int bounces = 0;
    for (int i = 0; i < o->points; ++i) {
        oracle_row row = o->normal[i];
        bool struck = row.lambda > 0 || o->peak[i] > 0;
        if (!(o->restitution > 0) || !struck || !(o->approach[i] < -s.softness.bounce_speed))
            continue;
        row.mass = 1 / o->k[i];
        row.soft = 0;
        row.c = -o->restitution * o->approach[i];
        oracle_solve(&o->pair, &row);
        o->normal[i].lambda = row.lambda;
        ++bounces;
    }
    return bounces;
}

/* --- comparison */

static void note_scale(oracle_contact *o)
{
    for (int i = 0; i < 12; ++i)
        o->most_velocity = exact_max(o->most_velocity, exact_abs(o->pair.v[i]));
    for (int i = 0; i < o->points; ++i)
        o->most_impulse = exact_max(o->most_impulse, exact_abs(o->normal[i].lambda));
}

static void compare_masses(const oracle_contact *o, const lode__contact_block *block, int lane)
{
    exact relaxation = s.softness.relaxation, *w = &worst.mass;
    for (int i = 0; i < o->points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        assert_near("k", row->k.x[lane], o->k[i], MASS_SCALE, MASS_ROUNDINGS, w);
        assert_near("k12", row->k12.x[lane], oracle_coupling(&o->pair, &o->t1[i], &o->t2[i]),
                    MASS_SCALE, MASS_ROUNDINGS, w);
        assert_near("k1", relaxation / row->mass1.x[lane], relaxation / o->t1[i].mass, MASS_SCALE,
                    MASS_ROUNDINGS, w);
        assert_near("k2", relaxation / row->mass2.x[lane], relaxation / o->t2[i].mass, MASS_SCALE,
                    MASS_ROUNDINGS, w);
        for (int j = i + 1; j < o->points; ++j)
            assert_near("coupling", row->coupling[j - i - 1].x[lane],
                        oracle_coupling(&o->pair, &o->normal[i], &o->normal[j]), MASS_SCALE,
                        MASS_ROUNDINGS, w);
    }
}

static void compare_motion(oracle_contact *o, const lode__manifold *m,
                           const lode__contact_block *block, int lane)
{
    note_scale(o);
    exact scale = 1 + o->most_velocity, impulse_scale = 1 + o->most_impulse;
    oracle_pair is = oracle_pair_of(&s.bodies, (int32_t)m->body_a, (int32_t)m->body_b);
    for (int i = 0; i < 12; ++i)
        assert_near("velocity", is.v[i], o->pair.v[i], scale, SOLVE_ROUNDINGS, &worst.velocity);
    for (int i = 0; i < o->points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        assert_near("impulse", row->lambda.x[lane], o->normal[i].lambda, impulse_scale,
                    SOLVE_ROUNDINGS, &worst.impulse);
        assert_near("friction 1", row->lambda1.x[lane], o->t1[i].lambda, impulse_scale,
                    SOLVE_ROUNDINGS, &worst.impulse);
        assert_near("friction 2", row->lambda2.x[lane], o->t2[i].lambda, impulse_scale,
                    SOLVE_ROUNDINGS, &worst.impulse);
    }
}

static void compare_all(void)
{
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            compare_motion(&s.oracle[i], &s.manifolds[i], block_of(i), i % LODE_LANES);
}

static void each_oracle(void (*apply)(oracle_contact *o))
{
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            apply(&s.oracle[i]);
}

static void refresh_all(void)
{
    run(s.kernels->refresh);
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            oracle_refresh(&s.oracle[i], &s.manifolds[i]);
}

static void begin(int kind, test_random *random)
{
    s.points = kind % LODE__MANIFOLD_POINTS + 1;
    s.kernels = &lode__solver_kernels_for(LODE_SIMD_PLAIN)->kinds[kind];
    bodies_random(&s.bodies, random);
    contacts_random(&s.room, s.manifolds, s.points, kind < LODE__KIND_STATIC, random);
    s.softness = softness_random(random);
    run(s.kernels->prepare);
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            oracle_prepare(&s.oracle[i], &s.manifolds[i], block_of(i), i % LODE_LANES);
}

/* --- tests */

static void effective_masses_are_those_of_the_jacobians(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < ROUNDS; ++round)
        for (int kind = LODE__KIND_CONTACT; kind < LODE__KIND_ROWS; ++kind) {
            begin(kind, &random);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count)
                    compare_masses(&s.oracle[i], block_of(i), i % LODE_LANES);
        }
    print_message("worst: %.1Lf roundings of %d\n", worst.mass, MASS_SCALE);
}

static void iterations_follow_projected_gauss_seidel(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < ROUNDS; ++round)
        for (int kind = LODE__KIND_CONTACT; kind < LODE__KIND_ROWS; ++kind) {
            begin(kind, &random);
            refresh_all();
            run(s.kernels->warm_start);
            each_oracle(oracle_warm_start);
            compare_all();
            for (int iteration = 1; iteration <= 20; ++iteration) {
                run(s.kernels->solve);
                each_oracle(oracle_iterate);
                compare_all();
            }
        }
    print_message("worst: velocity %.1Lf, impulse %.1Lf roundings\n", worst.velocity,
                  worst.impulse);
}

static void bounces_leave_with_their_share_of_the_approach(void **state)
{
    (void)state;
    test_random random = {3};
    int bounces = 0;
    for (int round = 0; round < ROUNDS; ++round)
        for (int kind = LODE__KIND_CONTACT; kind < LODE__KIND_ROWS; ++kind) {
            begin(kind, &random);
            for (int sub_step = 0; sub_step < 2; ++sub_step) {
                refresh_all();
                run(s.kernels->solve);
                each_oracle(oracle_iterate);
            }
            run(s.kernels->restitution);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count)
                    bounces += oracle_bounce(&s.oracle[i]);
            compare_all();
        }
    assert_true(bounces > 1000);
}

/* Moves both bodies for real, by an angle of up to 9 mrad: the rows know the depth to the first
 * order, so what is left is at most half the angle's square times both arms. */
static exact moved_depth(const lode__manifold *m, int point)
{
    exact3 gone = {{0}}, arm = exact_of(m->points[point].position);
    const uint32_t ends[2] = {m->body_a, m->body_b};
    for (int k = 0; k < 2; ++k) {
        const lode__delta *d = &s.bodies.delta[ends[k]];
        exact sign = k ? -1 : 1;
        lode_quat turn = {1, d->angular.x / 2, d->angular.y / 2, d->angular.z / 2};
        if (k)
            arm = exact_add(arm, exact_of(m->offset));
        exact3 to = exact_add(exact_of(d->linear), exact_rotate(turn, arm));
        gone = exact_madd(exact_madd(gone, to, sign), arm, -sign);
    }
    return m->points[point].depth - exact_dot(gone, exact_of(m->normal));
}

static void refreshed_depth_follows_the_bodies(void **state)
{
    (void)state;
    test_random random = {4};
    for (int round = 0; round < ROUNDS; ++round)
        for (int kind = LODE__KIND_CONTACT; kind < LODE__KIND_ROWS; ++kind) {
            begin(kind, &random);
            s.softness.rate = s.softness.inv_h = 64; /* then c is 64 depth */
            s.softness.slop = 0;
            s.softness.max_speed = 1e9;
            for (int i = 1; i <= BODIES; ++i)
                s.bodies.delta[i].angular = vec_between(&random, -0.005, 0.005);
            run(s.kernels->refresh);
            for (int i = 0; i < CONTACTS; ++i)
                for (int k = 0; k < s.manifolds[i].point_count; ++k) {
                    exact depth = block_of(i)->rows[k].c.x[i % LODE_LANES] / 64.0L;
                    exact error = depth - moved_depth(&s.manifolds[i], k);
                    assert_true(exact_abs(error) < 0.5L * 0.009L * 0.009L * (2.3L + 4.0L));
                }
        }
}

/* Momentum of both bodies, angular about the centre of mass of b; in out_size what it is the sum
 * of, without signs. */
static void momentum(const lode__manifold *m, exact out[6], exact *out_size)
{
    oracle_pair pair = oracle_pair_of(&s.bodies, (int32_t)m->body_a, (int32_t)m->body_b);
    for (int i = 0; i < 6; ++i)
        out[i] = 0;
    for (int k = 0; k < 2; ++k) {
        const lode__inv_mass *mass = &s.bodies.inv_mass[k ? m->body_b : m->body_a];
        exact inertia[6];
        exact_invert(mass, inertia);
        exact3 v = {{pair.v[6 * k], pair.v[6 * k + 1], pair.v[6 * k + 2]}};
        exact3 w = {{pair.v[6 * k + 3], pair.v[6 * k + 4], pair.v[6 * k + 5]}};
        exact3 p = exact_madd((exact3){{0}}, v, 1 / (exact)mass->inv_mass);
        exact3 l = exact_transform(inertia, w);
        if (k == 0)
            l = exact_add(l, exact_cross(exact_of(m->offset), p));
        for (int i = 0; i < 3; ++i) {
            out[i] += p.x[i];
            out[3 + i] += l.x[i];
            *out_size += exact_abs(p.x[i]) + exact_abs(l.x[i]);
        }
    }
}

static void assert_momentum_kept(const char *what, lode__block_fn *kernel)
{
    static exact before[CONTACTS][6], size[CONTACTS];
    exact unused = 0;
    for (int i = 0; i < CONTACTS; ++i) {
        size[i] = 1;
        if (s.manifolds[i].point_count)
            momentum(&s.manifolds[i], before[i], &size[i]);
    }
    run(kernel);
    for (int i = 0; i < CONTACTS; ++i) {
        if (!s.manifolds[i].point_count)
            continue;
        exact after[6];
        momentum(&s.manifolds[i], after, &size[i]);
        for (int k = 0; k < 6; ++k)
            assert_near(what, after[k], before[i][k], size[i], 16, &unused);
    }
}

static void impulses_keep_momentum(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < ROUNDS; ++round)
        for (int kind = LODE__KIND_CONTACT; kind < LODE__KIND_STATIC; ++kind) {
            begin(kind, &random);
            run(s.kernels->refresh);
            assert_momentum_kept("momentum, warm start", s.kernels->warm_start);
            for (int i = 0; i < 5; ++i)
                assert_momentum_kept("momentum, iteration", s.kernels->solve);
            assert_momentum_kept("momentum, bounce", s.kernels->restitution);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_masses_are_those_of_the_jacobians),
        cmocka_unit_test(iterations_follow_projected_gauss_seidel),
        cmocka_unit_test(bounces_leave_with_their_share_of_the_approach),
        cmocka_unit_test(refreshed_depth_follows_the_bodies),
        cmocka_unit_test(impulses_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
