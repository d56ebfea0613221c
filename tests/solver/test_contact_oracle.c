/* Contact blocks against the textbook. The kernels solve a manifold in its relative twist; here the
 * same manifold is solved row by row with Jacobians of both bodies at each point, in long double,
 * and velocities, impulses and effective masses must agree to rounding.
 *
 * Tolerances are in roundings: machine epsilon times the largest value that entered. J M^-1 J^T is
 * a sum of some twenty products of arms up to 4 m and inverse inertias up to 8 /kg m^2, so 200 /kg
 * holds its terms. Where it cancels, the impulse errs by up to three roundings. A visit solves the
 * normal rows in turn, which passes errors on without enlarging them, and before that together, by
 * the inverse of a matrix whose diagonal is 1.3 times that of J M^-1 J^T: its eigenvalues lie
 * between 0.3 and 4.3 diagonals, so it may enlarge an error 14 times. What it enlarges most is the
 * change of four impulses that no velocity feels. Each visit is followed from where the one before
 * it has ended, so that errors do not add up. */
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>

enum { ROUNDS = 60, ITERATIONS = 20, MASS_SCALE = 200, MASS_ROUNDINGS = 3 };
enum { TOGETHER = 14, IN_TURN = 1, SOLVE_ROUNDINGS = (TOGETHER + IN_TURN) * MASS_ROUNDINGS };

typedef struct oracle_contact {
    oracle_pair pair;
    int points;
    exact friction[2], restitution;
    oracle_row normal[4], t1[4], t2[4];
    oracle_row whole[3]; /* friction per manifold: t1 and t2 at the centroid, twist about n */
    exact arm[4];        /* of the points from the centroid */
    exact approach[4], k[4];
    exact most_velocity, most_impulse;
} oracle_contact;

typedef struct scene {
    bodies bodies;
    block_room room;
    lode__manifold manifolds[CONTACTS];
    oracle_contact oracle[CONTACTS];
    lode__softness softness;
    int points;
    bool still; /* blocks are of bodies against such that never move */
    const lode__block_kernels *kernels;
    oracle_motion motion;
} scene;

static scene s;
static struct {
    bool cone, per_manifold;
} friction; /* of scenes to come */
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

/* The first tangent is the manifold's, or the kernel's choice; that it is one is checked. */
static exact3 tangent_of(const lode__manifold *m, const lode__contact_block *block, int lane,
                         exact3 normal)
{
    exact3 t = lane3(&block->t, lane), given = exact_of(m->tangent);
    for (int i = 0; i < 3 && exact_dot(given, given) > 0; ++i)
        assert_true(t.x[i] == given.x[i]);
    exact unused = 0;
    assert_near("t . t", exact_dot(t, t), 1, 1, 8, &unused);
    assert_near("t . n", exact_dot(t, normal), 0, 1, 8, &unused);
    return t;
}

/* Friction of the manifold starts as what that of its points amounts to at the centroid. */
static void oracle_prepare_whole(oracle_contact *o, const lode__manifold *m, exact3 n, exact3 t1,
                                 exact3 t2)
{
    exact3 centroid = centroid_of(m), arm_b = exact_add(centroid, exact_of(m->offset));
    o->whole[0] = oracle_point_row(t1, centroid, arm_b);
    o->whole[1] = oracle_point_row(t2, centroid, arm_b);
    o->whole[2] = (oracle_row){.lambda = 0};
    for (int k = 0; k < 3; ++k) {
        o->whole[2].j[3 + k] = n.x[k];
        o->whole[2].j[9 + k] = -n.x[k];
    }
    for (int i = 0; i < o->points; ++i) {
        exact3 from = exact_madd(exact_of(m->points[i].position), centroid, -1);
        exact x = exact_dot(from, t1), y = exact_dot(from, t2);
        o->arm[i] = sqrtl(x * x + y * y);
        o->whole[0].lambda += o->t1[i].lambda;
        o->whole[1].lambda += o->t2[i].lambda;
        o->whole[2].lambda += x * o->t2[i].lambda - y * o->t1[i].lambda;
    }
    for (int k = 0; k < 3; ++k)
        o->whole[k].mass = s.softness.relaxation /
                           oracle_coupling(&o->pair, &o->whole[k], &o->whole[k]);
}

static void oracle_prepare(oracle_contact *o, const lode__manifold *m,
                           const lode__contact_block *block, int lane)
{
    *o = (oracle_contact){.points = m->point_count, .friction = {m->friction[0], m->friction[1]}};
    o->restitution = m->restitution;
    o->pair = oracle_part_of(&s.bodies, block->a, block->b, lane);
    exact3 n = exact_of(m->normal), t1 = tangent_of(m, block, lane, n), t2 = exact_cross(n, t1);
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
    oracle_prepare_whole(o, m, n, t1, t2);
}

static bool is_whole(const oracle_contact *o)
{
    return s.softness.friction_per_manifold && o->points > 1;
}

/* The displacement of both bodies. */
static oracle_pair oracle_moved(const lode__manifold *m)
{
    oracle_pair moved = {.line = {0, 0}};
    const lode__delta *ends[2] = {&s.bodies.delta[m->body_a], &s.bodies.delta[m->body_b]};
    for (int i = 0; i < 12; ++i) {
        const lode__delta *d = ends[i / 6];
        moved.v[i] = exact_of(i % 6 < 3 ? d->linear : d->angular).x[i % 3];
    }
    return moved;
}

/* The formulas of lode__softness. */
static void oracle_refresh(oracle_contact *o, const lode__manifold *m)
{
    const lode__softness *f = &s.softness;
    oracle_pair moved = oracle_moved(m);
    for (int i = 0; i < o->points; ++i) {
        oracle_row *row = &o->normal[i];
        exact depth = m->points[i].depth - oracle_velocity(&moved, row);
        bool touches = depth >= -f->near;
        exact push = f->rate * exact_max(depth - f->slop, 0);
        exact most = f->max_speed + f->gamma * row->lambda;
        row->c = !touches ? depth * f->inv_h : push < most ? push : most;
        row->mass = f->relaxation / (o->k[i] + f->gamma);
        row->soft = row->mass * f->gamma + (depth > f->slop ? f->impulse_scale : 0);
        row->mass *= depth > f->slop ? f->mass_scale : 1;
    }
}

static void oracle_warm_start(oracle_contact *o)
{
    for (int i = 0; i < o->points; ++i) {
        oracle_push(&o->pair, &o->normal[i], o->normal[i].lambda);
        if (is_whole(o))
            continue;
        oracle_push(&o->pair, &o->t1[i], o->t1[i].lambda);
        oracle_push(&o->pair, &o->t2[i], o->t2[i].lambda);
    }
    for (int k = 0; k < 3 && is_whole(o); ++k)
        oracle_push(&o->pair, &o->whole[k], o->whole[k].lambda);
}

/* Exerts a share of all impulses once more. */
static void oracle_exert(oracle_contact *o, exact share)
{
    oracle_row *const rows[] = {o->normal, o->t1, o->t2};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < o->points && !(k > 0 && is_whole(o)); ++i) {
            oracle_push(&o->pair, &rows[k][i], share * rows[k][i].lambda);
            rows[k][i].lambda *= 1 + share;
        }
    for (int k = 0; k < 3 && is_whole(o); ++k) {
        oracle_push(&o->pair, &o->whole[k], share * o->whole[k].lambda);
        o->whole[k].lambda *= 1 + share;
    }
}

static void oracle_again(oracle_contact *o)
{
    oracle_exert(o, s.softness.gamma > 0 ? 0 : (exact)(lode_real)0.9);
}

static void oracle_let_go(oracle_contact *o)
{
    int contact = (int)(o - s.oracle), lane = contact % LODE_LANES;
    const lode__contact_block *block = block_of(contact);
    const lode__pace *pace = s.bodies.pace;
    bool thrown = pace[block->a[lane]].thrown > 0 || pace[block->b[lane]].thrown > 0;
    oracle_exert(o, thrown ? -1 : 0);
}

/* All normal rows at once, by the matrix of their couplings with 0.3 of its diagonal and the
 * softness of cfm added. Where one of them pushes no gap gives back more than its own impulse, else
 * of three or four none that closes faster than `loose`, or `loose_still`. */
static void oracle_together(oracle_contact *o)
{
    exact a[16], x[4];
    int n = o->points;
    exact loose = s.still ? s.softness.loose_still : s.softness.loose;
    exact bound = n > 2 ? -loose : -LODE__UNBOUNDED;
    for (int i = 0; i < n; ++i)
        bound = o->normal[i].c > 0 ? 0 : bound;
    for (int i = 0; i < n; ++i) {
        const oracle_row *row = &o->normal[i];
        for (int j = 0; j < n; ++j)
            a[i * n + j] = oracle_coupling(&o->pair, row, &o->normal[j]);
        a[i * n + i] = 1.3L * a[i * n + i] + s.softness.gamma;
        x[i] = row->c - oracle_velocity(&o->pair, row) - row->soft / row->mass * row->lambda;
        if (row->c < bound)
            x[i] = exact_max(x[i], -o->k[i] * row->lambda);
    }
    exact_solve(n, a, x);
    for (int i = 0; i < n; ++i) {
        oracle_row *row = &o->normal[i];
        exact old = row->lambda;
        row->lambda = exact_max(0, old + row->mass * (o->k[i] + s.softness.gamma) * x[i]);
        oracle_push(&o->pair, row, row->lambda - old);
    }
}

static void oracle_limit(oracle_row *row, exact limit)
{
    row->hi = limit;
    row->lo = -limit;
}

/* All points' loads hold the centroid, and twisting by the loads at their arms. */
static void oracle_iterate_whole(oracle_contact *o)
{
    exact load = 0, moment = 0;
    for (int i = 0; i < o->points; ++i) {
        load += o->normal[i].lambda;
        moment += o->normal[i].lambda * o->arm[i];
    }
    oracle_limit(&o->whole[0], o->friction[0] * load);
    oracle_limit(&o->whole[1], o->friction[1] * load);
    oracle_limit(&o->whole[2], (o->friction[0] + o->friction[1]) / 2 * moment);
    for (int k = 0; k < 3; ++k)
        oracle_solve(&o->pair, &o->whole[k]);
}

/* Normals first, together unless they are solved apart, and then in turn, then friction with the
 * limits that they give. */
static void oracle_iterate(oracle_contact *o)
{
    if (o->points > 1 && !s.softness.apart)
        oracle_together(o);
    for (int i = 0; i < o->points; ++i)
        oracle_solve(&o->pair, &o->normal[i]);
    if (is_whole(o)) {
        oracle_iterate_whole(o);
        return;
    }
    for (int i = 0; i < o->points; ++i) {
        oracle_limit(&o->t1[i], o->friction[0] * o->normal[i].lambda);
        oracle_limit(&o->t2[i], o->friction[1] * o->normal[i].lambda);
        oracle_solve(&o->pair, &o->t1[i]);
        oracle_solve(&o->pair, &o->t2[i]);
    }
}

/* How far apart the points are to be moved: all that is too deep, or the gap that is left. */
static void oracle_ask(oracle_contact *o, const lode__manifold *m)
{
    const lode__softness *f = &s.softness;
    oracle_pair moved = oracle_moved(m);
    for (int i = 0; i < o->points; ++i) {
        oracle_row *row = &o->normal[i];
        exact over = m->points[i].depth - oracle_velocity(&moved, row) - f->slop;
        exact most = f->max_speed / (exact)f->inv_h;
        row->c = over < most ? over : most;
    }
}

static void oracle_move_apart(oracle_contact *o)
{
    for (int i = 0; i < o->points; ++i) {
        exact missing = o->normal[i].c - oracle_velocity(&o->pair, &o->normal[i]);
        oracle_push(&o->pair, &o->normal[i], exact_max(missing, 0) / o->k[i]);
    }
}

static int bounces;

static void oracle_bounce(oracle_contact *o)
{
    bool struck[LODE__MANIFOLD_POINTS];
    for (int i = 0; i < o->points; ++i) {
        exact speed = o->approach[i] < 0 ? -o->approach[i] : o->approach[i];
        struck[i] = o->restitution > 0 && o->normal[i].lambda > 0 &&
                    speed > s.softness.bounce_speed;
        bounces += struck[i];
    }
    for (int i = 0; i < (o->points > 1 ? 4 : 1) * o->points; ++i) {
        int k = i % o->points;
        oracle_row row = o->normal[k];
        row.mass = 1 / o->k[k];
        row.soft = 0;
        row.c = -o->restitution * o->approach[k];
        if (struck[k])
            oracle_solve(&o->pair, &row);
        o->normal[k].lambda = row.lambda;
    }
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
    exact scale = MASS_SCALE * (exact)(o->pair.parts[0] + o->pair.parts[1]) / 2;
    for (int i = 0; i < o->points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        assert_near("k", row->k.x[lane], o->k[i], scale, MASS_ROUNDINGS, w);
        assert_near("k12", row->k12.x[lane] / row->mass2.x[lane],
                    oracle_coupling(&o->pair, &o->t1[i], &o->t2[i]), scale, MASS_ROUNDINGS, w);
        assert_near("k1", relaxation / row->mass1.x[lane], relaxation / o->t1[i].mass, scale,
                    MASS_ROUNDINGS, w);
        assert_near("k2", relaxation / row->mass2.x[lane], relaxation / o->t2[i].mass, scale,
                    MASS_ROUNDINGS, w);
        for (int j = i + 1; j < o->points; ++j)
            assert_near("coupling", row->coupling[j - i - 1].x[lane],
                        oracle_coupling(&o->pair, &o->normal[i], &o->normal[j]), scale,
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
        if (is_whole(o))
            continue;
        assert_near("friction 1", row->lambda1.x[lane], o->t1[i].lambda, impulse_scale,
                    SOLVE_ROUNDINGS, &worst.impulse);
        assert_near("friction 2", row->lambda2.x[lane], o->t2[i].lambda, impulse_scale,
                    SOLVE_ROUNDINGS, &worst.impulse);
    }
    const lode__lane *whole[3] = {&block->lambda1, &block->lambda2, &block->twist};
    for (int k = 0; k < 3 && is_whole(o); ++k)
        assert_near("friction of the manifold", whole[k]->x[lane], o->whole[k].lambda,
                    impulse_scale, SOLVE_ROUNDINGS, &worst.impulse);
}

static void compare_all(void)
{
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            compare_motion(&s.oracle[i], &s.manifolds[i], block_of(i), i % LODE_LANES);
}

/* Block by block; lanes start from the same velocities. */
static void each_oracle(void (*apply)(oracle_contact *o))
{
    for (int k = 0; k < BLOCKS; ++k) {
        const oracle_motion before = s.motion;
        for (int i = k * LODE_LANES; i < (k + 1) * LODE_LANES; ++i)
            if (s.manifolds[i].point_count) {
                oracle_load(&s.oracle[i].pair, &before);
                apply(&s.oracle[i]);
                oracle_gain(&s.motion, &s.oracle[i].pair, &before);
            }
    }
    for (int i = 0; i < CONTACTS; ++i)
        oracle_load(&s.oracle[i].pair, &s.motion);
}

/* Lets the oracle go on from the velocities and impulses that the kernel has. */
static void follow_all(void)
{
    s.motion = oracle_motion_of(&s.bodies);
    for (int i = 0; i < CONTACTS; ++i) {
        const lode__contact_block *block = block_of(i);
        oracle_contact *o = &s.oracle[i];
        int lane = i % LODE_LANES;
        const lode__lane *whole[3] = {&block->lambda1, &block->lambda2, &block->twist};
        for (int k = 0; k < o->points; ++k) {
            o->normal[k].lambda = block->rows[k].lambda.x[lane];
            o->t1[k].lambda = block->rows[k].lambda1.x[lane];
            o->t2[k].lambda = block->rows[k].lambda2.x[lane];
        }
        for (int k = 0; k < 3; ++k)
            o->whole[k].lambda = whole[k]->x[lane];
    }
}

static void refresh_all(void)
{
    run(s.kernels->refresh);
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            oracle_refresh(&s.oracle[i], &s.manifolds[i]);
}

static void begin_between(block_ends ends, int kind, test_random *random)
{
    s.points = kind % LODE__KIND_SHARED % LODE__MANIFOLD_POINTS + 1;
    s.still = ends_of_kind(kind) == ENDS_STATIC;
    s.kernels = &lode__solver_kernels_for(LODE_SIMD_PLAIN)->kinds[kind];
    bodies_random(&s.bodies, random);
    contacts_random(&s.room, s.manifolds, s.points, ends, random);
    s.softness = softness_random(random);
    s.softness.cone = friction.cone;
    s.softness.friction_per_manifold = friction.per_manifold;
    run(s.kernels->prepare);
    s.motion = oracle_motion_of(&s.bodies);
    for (int i = 0; i < CONTACTS; ++i)
        if (s.manifolds[i].point_count)
            oracle_prepare(&s.oracle[i], &s.manifolds[i], block_of(i), i % LODE_LANES);
}

static void begin(int kind, test_random *random)
{
    begin_between(ends_of_kind(kind), kind, random);
}

/* --- tests */

static const int contact_kinds[] = {LODE__KIND_CONTACT,
                                    LODE__KIND_CONTACT + 1,
                                    LODE__KIND_CONTACT + 2,
                                    LODE__KIND_CONTACT + 3,
                                    LODE__KIND_STATIC,
                                    LODE__KIND_STATIC + 1,
                                    LODE__KIND_STATIC + 2,
                                    LODE__KIND_STATIC + 3,
                                    LODE__KIND_SHARED,
                                    LODE__KIND_SHARED + 1,
                                    LODE__KIND_SHARED + 2,
                                    LODE__KIND_SHARED + 3,
                                    LODE__KIND_SHARED + LODE__KIND_STATIC,
                                    -1};

static void effective_masses_are_those_of_the_jacobians(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0, kind; (kind = contact_kinds[i]) >= 0; ++i) {
            begin(kind, &random);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count)
                    compare_masses(&s.oracle[i], block_of(i), i % LODE_LANES);
        }
    print_message("worst: %.1Lf roundings of %d\n", worst.mass, MASS_SCALE);
}

static void check_iterations(uint32_t seed)
{
    test_random random = {seed};
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0, kind; (kind = contact_kinds[i]) >= 0; ++i) {
            begin(kind, &random);
            refresh_all();
            run(s.kernels->warm_start);
            each_oracle(oracle_warm_start);
            compare_all();
            for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
                follow_all();
                run(s.kernels->solve[lode__friction_of(&s.softness)]);
                each_oracle(oracle_iterate);
                compare_all();
            }
            run(s.kernels->again);
            each_oracle(oracle_again);
            compare_all();
            run(s.kernels->let_go);
            each_oracle(oracle_let_go);
            compare_all();
        }
    print_message("worst: velocity %.1Lf, impulse %.1Lf roundings\n", worst.velocity,
                  worst.impulse);
}

static void iterations_follow_projected_gauss_seidel(void **state)
{
    (void)state;
    check_iterations(2);
}

static void friction_per_manifold_follows_it_too(void **state)
{
    (void)state;
    friction.per_manifold = true;
    check_iterations(6);
    friction.per_manifold = false;
}

static void bounces_leave_with_their_share_of_the_approach(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0, kind; (kind = contact_kinds[i]) >= 0; ++i) {
            begin(kind, &random);
            for (int sub_step = 0; sub_step < 2; ++sub_step) {
                refresh_all();
                run(s.kernels->solve[lode__friction_of(&s.softness)]);
                each_oracle(oracle_iterate);
            }
            run(s.kernels->restitution);
            each_oracle(oracle_bounce);
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
        for (int i = 0, kind; (kind = contact_kinds[i]) >= 0; ++i) {
            begin(kind, &random);
            s.softness.rate = s.softness.inv_h = 64; /* then c is 64 depth */
            s.softness.slop = s.softness.near = 0;
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

/* Where velocities stand for ways, `part` makes of them what the points ask for, and nothing
 * else. */
static void bodies_are_moved_apart(void **state)
{
    (void)state;
    test_random random = {6};
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0, kind; (kind = contact_kinds[i]) >= 0; ++i) {
            begin(kind, &random);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count)
                    oracle_ask(&s.oracle[i], &s.manifolds[i]);
            for (int visit = 0; visit < 3; ++visit) {
                follow_all();
                run(s.kernels->part);
                each_oracle(oracle_move_apart);
                compare_all();
            }
        }
    print_message("worst: velocity %.1Lf roundings\n", worst.velocity);
}

/* Momentum of all bodies, angular about the origin; in out_size what it is the sum of, without
 * signs. */
static void momentum(exact out[6], exact *out_size)
{
    oracle_motion motion = oracle_motion_of(&s.bodies);
    for (int i = 0; i < 6; ++i)
        out[i] = 0;
    for (uint32_t line = 1; line <= BODIES; ++line) {
        const lode__inv_mass *mass = &s.bodies.inv_mass[line];
        const exact *is = motion.v[line];
        exact inertia[6];
        exact_invert(mass, inertia);
        exact3 v = {{is[0], is[1], is[2]}}, w = {{is[3], is[4], is[5]}};
        exact3 p = exact_madd((exact3){{0}}, v, 1 / (exact)mass->inv_mass);
        exact3 l = exact_transform(inertia, w);
        l = exact_add(l, exact_cross(exact_of(body_place(line)), p));
        for (int i = 0; i < 3; ++i) {
            out[i] += p.x[i];
            out[3 + i] += l.x[i];
            *out_size += exact_abs(p.x[i]) + exact_abs(l.x[i]);
        }
    }
}

static void assert_momentum_kept(const char *what, lode__block_fn *kernel)
{
    exact before[6], after[6], size = 0, unused = 0;
    momentum(before, &size);
    run(kernel);
    momentum(after, &size);
    for (int k = 0; k < 6; ++k)
        assert_near(what, after[k], before[k], size, 2, &unused);
}

static void check_momentum(int points, test_random *random)
{
    if (points < LODE__MANIFOLD_POINTS)
        begin(LODE__KIND_CONTACT + points, random);
    else
        begin_between(ENDS_SHARED_PAIR, LODE__KIND_SHARED + points - LODE__MANIFOLD_POINTS, random);
    run(s.kernels->refresh);
    assert_momentum_kept("momentum, warm start", s.kernels->warm_start);
    for (int i = 0; i < 5; ++i)
        assert_momentum_kept("momentum, iteration",
                             s.kernels->solve[lode__friction_of(&s.softness)]);
    assert_momentum_kept("momentum, once more", s.kernels->again);
    assert_momentum_kept("momentum, let go", s.kernels->let_go);
    assert_momentum_kept("momentum, bounce", s.kernels->restitution);
    assert_momentum_kept("momentum of ways", s.kernels->part);
}

static void impulses_keep_momentum(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < ROUNDS; ++round) {
        friction.cone = round & 1;
        friction.per_manifold = round & 2;
        for (int points = 0; points < 2 * LODE__MANIFOLD_POINTS; ++points)
            check_momentum(points, &random);
    }
    friction.cone = friction.per_manifold = false;
}

/* --- what visits come to */

enum { DEEP_ROUNDS = 10, DEEP_VISITS = 400 };

/* Without friction, with one point that is to be pushed out, the others touching or apart by gaps
 * that may close. */
static void begin_deep(int points, test_random *random)
{
    begin(LODE__KIND_CONTACT + points - 1, random);
    s.softness.gamma = s.softness.impulse_scale = 0;
    s.softness.mass_scale = s.softness.relaxation = 1;
    s.softness.apart = false;
    run(s.kernels->refresh);
    for (int i = 0; i < CONTACTS; ++i) {
        lode__contact_block *block = contact_block_at(&s.room, s.points, i / LODE_LANES);
        int lane = i % LODE_LANES, deep = (int)random_below(random, (uint64_t)points);
        block->friction1.x[lane] = block->friction2.x[lane] = 0;
        for (int k = 0; k < points && s.manifolds[i].point_count; ++k)
            block->rows[k].c.x[lane] = k == deep ? real_between(random, 0.5, 4)
                                                 : real_between(random, -1.5, 0);
    }
}

/* How much of the speed that it is to be pushed out with the contact's deep point has. */
static exact share_of_push(int contact)
{
    const lode__contact_block *block = block_of(contact);
    const lode__manifold *m = &s.manifolds[contact];
    const oracle_contact *o = &s.oracle[contact];
    oracle_pair pair = oracle_pair_of(&s.bodies, (int32_t)m->body_a, (int32_t)m->body_b);
    for (int k = 0; k < o->points; ++k) {
        exact c = block->rows[k].c.x[contact % LODE_LANES];
        if (c > 0)
            return oracle_velocity(&pair, &o->normal[k]) / c;
    }
    return 1;
}

/* Visits do not come to the block's solution where corners open, but what is deep must go at least
 * as fast as it is asked to, whatever the gaps beside it. */
static void a_point_that_is_deep_is_pushed_out_beside_gaps(void **state)
{
    (void)state;
    test_random random = {7};
    exact least = 1;
    for (int round = 0; round < DEEP_ROUNDS; ++round)
        for (int points = 1; points <= LODE__MANIFOLD_POINTS; ++points) {
            begin_deep(points, &random);
            for (int i = 0; i < DEEP_VISITS; ++i)
                run(s.kernels->solve[lode__friction_of(&s.softness)]);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count)
                    least = -exact_max(-least, -share_of_push(i));
        }
    print_message("least share of the push %.6Lf\n", least);
    assert_true(least > 1 - 1e-3L);
}

/* By how much a contact misses one: v >= c, lambda >= 0, and one of them with equality; as a share
 * of the largest speed that it asks for. */
static exact share_missed(int contact)
{
    const lode__contact_block *block = block_of(contact);
    const lode__manifold *m = &s.manifolds[contact];
    const oracle_contact *o = &s.oracle[contact];
    oracle_pair pair = oracle_pair_of(&s.bodies, (int32_t)m->body_a, (int32_t)m->body_b);
    exact worst = 0, most = 0;
    for (int k = 0; k < o->points; ++k) {
        const lode__contact_row *row = &block->rows[k];
        exact c = row->c.x[contact % LODE_LANES], lambda = row->lambda.x[contact % LODE_LANES];
        exact over = oracle_velocity(&pair, &o->normal[k]) - c;
        most = exact_max(most, exact_max(c, -c));
        worst = exact_max(worst, lambda > 0 ? exact_max(over, -over) : -over);
    }
    return most > 0 ? worst / most : 0;
}

/* Where points are solved one after another alone, visits do come to the solution. */
static void many_visits_come_to_the_solution(void **state)
{
    (void)state;
    test_random random = {8};
    exact sum = 0;
    int count = 0;
    for (int round = 0; round < DEEP_ROUNDS; ++round)
        for (int points = 1; points <= LODE__MANIFOLD_POINTS; ++points) {
            begin_deep(points, &random);
            s.softness.apart = true;
            for (int i = 0; i < 20 * DEEP_VISITS; ++i)
                run(s.kernels->solve[lode__friction_of(&s.softness)]);
            for (int i = 0; i < CONTACTS; ++i)
                if (s.manifolds[i].point_count) {
                    sum += share_missed(i) > 1e-3L;
                    ++count;
                }
        }
    print_message("%Lg of %d miss it by more than a thousandth\n", sum, count);
    assert_true(sum <= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_masses_are_those_of_the_jacobians),
        cmocka_unit_test(iterations_follow_projected_gauss_seidel),
        cmocka_unit_test(friction_per_manifold_follows_it_too),
        cmocka_unit_test(bounces_leave_with_their_share_of_the_approach),
        cmocka_unit_test(refreshed_depth_follows_the_bodies),
        cmocka_unit_test(bodies_are_moved_apart),
        cmocka_unit_test(impulses_keep_momentum),
        cmocka_unit_test(a_point_that_is_deep_is_pushed_out_beside_gaps),
        cmocka_unit_test(many_visits_come_to_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
