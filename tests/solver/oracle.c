/* oracle.c: see oracle.h. */
#include "tests/solver/oracle.h"

#include "core/math.h"
#include "tests/support/test.h"

exact3 exact_of(lode_vec3 v)
{
    return (exact3){{v.x, v.y, v.z}};
}

exact3 exact_madd(exact3 a, exact3 b, exact s)
{
    for (int i = 0; i < 3; ++i)
        a.x[i] += b.x[i] * s;
    return a;
}

exact3 exact_add(exact3 a, exact3 b)
{
    return exact_madd(a, b, 1);
}

exact3 exact_cross(exact3 a, exact3 b)
{
    exact3 out;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out.x[i] = a.x[j] * b.x[k] - a.x[k] * b.x[j];
    }
    return out;
}

exact exact_dot(exact3 a, exact3 b)
{
    exact sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += a.x[i] * b.x[i];
    return sum;
}

exact exact_abs(exact x)
{
    return x < 0 ? -x : x;
}

exact exact_max(exact a, exact b)
{
    return a > b ? a : b;
}

exact3 exact_rotate(lode_quat q, exact3 v)
{
    exact w = q.w, x = q.x, y = q.y, z = q.z, s = 2 / (w * w + x * x + y * y + z * z);
    exact m[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                     {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                     {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    exact3 out;
    for (int i = 0; i < 3; ++i)
        out.x[i] = m[i][0] * v.x[0] + m[i][1] * v.x[1] + m[i][2] * v.x[2];
    return out;
}

/* Where element (i, j) of a symmetric matrix lies. */
static const int element[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

exact3 exact_transform(const exact s[6], exact3 v)
{
    exact3 out = {{0}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out.x[i] += s[element[i][j]] * v.x[j];
    return out;
}

void exact_invert(const lode__inv_mass *s, exact out[6])
{
    const lode_real from[6] = {s->xx, s->yy, s->zz, s->xy, s->xz, s->yz};
    for (int column = 0; column < 3; ++column) {
        exact a[9], b[3] = {column == 0, column == 1, column == 2};
        for (int i = 0; i < 9; ++i)
            a[i] = from[element[i / 3][i % 3]];
        exact_solve(3, a, b);
        for (int i = 0; i < 3; ++i)
            out[element[i][column]] = b[i];
    }
}

static void set_body(oracle_pair *pair, int at, const bodies *bodies, int32_t line)
{
    const lode__velocity *v = &bodies->velocity[line];
    const lode__inv_mass *m = &bodies->inv_mass[line];
    const lode_real inertia[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
    exact3 linear = exact_of(v->linear), angular = exact_of(v->angular);
    for (int i = 0; i < 3; ++i) {
        pair->v[at + i] = linear.x[i];
        pair->v[at + 3 + i] = angular.x[i];
        pair->w[at + i][at + i] = m->inv_mass;
        for (int j = 0; j < 3; ++j)
            pair->w[at + 3 + i][at + 3 + j] = inertia[element[i][j]];
    }
}

oracle_pair oracle_pair_of(const bodies *bodies, int32_t a, int32_t b)
{
    oracle_pair pair = {.line = {a, b}, .parts = {1, 1}};
    set_body(&pair, 0, bodies, a);
    set_body(&pair, 6, bodies, b);
    return pair;
}

oracle_pair oracle_part_of(const bodies *bodies, const int32_t *a, const int32_t *b, int lane)
{
    oracle_pair pair = oracle_pair_of(bodies, a[lane], b[lane]);
    for (int side = 0; side < 2; ++side) {
        if (pair.line[side] == 0)
            continue;
        pair.parts[side] = 0;
        for (int k = 0; k < LODE_LANES; ++k)
            pair.parts[side] += (a[k] == pair.line[side]) + (b[k] == pair.line[side]);
        for (int i = 6 * side; i < 6 * side + 6; ++i)
            for (int j = 0; j < 12; ++j)
                pair.w[i][j] *= pair.parts[side];
    }
    return pair;
}

oracle_motion oracle_motion_of(const bodies *bodies)
{
    oracle_motion out;
    for (int line = 0; line <= BODIES; ++line)
        for (int i = 0; i < 6; ++i) {
            const lode__velocity *v = &bodies->velocity[line];
            out.v[line][i] = exact_of(i < 3 ? v->linear : v->angular).x[i % 3];
        }
    return out;
}

void oracle_load(oracle_pair *pair, const oracle_motion *motion)
{
    for (int i = 0; i < 12; ++i)
        pair->v[i] = motion->v[pair->line[i / 6]][i % 6];
}

void oracle_gain(oracle_motion *motion, const oracle_pair *pair, const oracle_motion *before)
{
    for (int i = 0; i < 12; ++i) {
        int side = i / 6, line = pair->line[side];
        if (line)
            motion->v[line][i % 6] += (pair->v[i] - before->v[line][i % 6]) / pair->parts[side];
    }
}

oracle_row oracle_point_row(exact3 axis, exact3 arm_a, exact3 arm_b)
{
    oracle_row row = {.lo = -1e30L, .hi = 1e30L};
    exact3 a = exact_cross(arm_a, axis), b = exact_cross(arm_b, axis);
    for (int i = 0; i < 3; ++i) {
        row.j[i] = axis.x[i];
        row.j[3 + i] = a.x[i];
        row.j[6 + i] = -axis.x[i];
        row.j[9 + i] = -b.x[i];
    }
    return row;
}

exact3 lane3_at(const lode__lane3 *field, int lane)
{
    return (exact3){{field->x.x[lane], field->y.x[lane], field->z.x[lane]}};
}

oracle_row oracle_row_of(const lode__row *row, int lane)
{
    oracle_row out = {.lambda = row->lambda.x[lane], .lo = row->lo.x[lane], .hi = row->hi.x[lane]};
    exact3 lin = lane3_at(&row->lin, lane);
    exact3 a = lane3_at(&row->ang_a, lane), b = lane3_at(&row->ang_b, lane);
    for (int i = 0; i < 3; ++i) {
        out.j[i] = lin.x[i];
        out.j[3 + i] = a.x[i];
        out.j[6 + i] = -lin.x[i];
        out.j[9 + i] = b.x[i];
    }
    return out;
}

exact oracle_velocity(const oracle_pair *pair, const oracle_row *row)
{
    exact sum = 0;
    for (int i = 0; i < 12; ++i)
        sum += row->j[i] * pair->v[i];
    return sum;
}

/* Of a pair's inverse masses only the blocks of three on the diagonal are not zero. */
#define BLOCK_FIRST(k) ((k) / 3 * 3)

exact oracle_coupling(const oracle_pair *pair, const oracle_row *i, const oracle_row *j)
{
    exact sum = 0;
    for (int k = 0; k < 12; ++k)
        for (int l = BLOCK_FIRST(k); l < BLOCK_FIRST(k) + 3; ++l)
            sum += i->j[k] * pair->w[k][l] * j->j[l];
    return sum;
}

void oracle_push(oracle_pair *pair, const oracle_row *row, exact impulse)
{
    for (int k = 0; k < 12; ++k)
        for (int l = BLOCK_FIRST(k); l < BLOCK_FIRST(k) + 3; ++l)
            pair->v[k] += pair->w[k][l] * row->j[l] * impulse;
}

exact oracle_change(const oracle_pair *pair, oracle_row *row)
{
    exact old = row->lambda;
    exact now = old + row->mass * (row->c - oracle_velocity(pair, row)) - row->soft * old;
    now = now < row->lo ? row->lo : now > row->hi ? row->hi : now;
    row->lambda = now;
    return now - old;
}

void oracle_solve(oracle_pair *pair, oracle_row *row)
{
    oracle_push(pair, row, oracle_change(pair, row));
}

static void swap_rows(int n, exact *a, exact *b, int i, int j)
{
    exact t = b[i];
    b[i] = b[j];
    b[j] = t;
    for (int k = 0; k < n; ++k) {
        t = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = t;
    }
}

void exact_solve(int n, exact *a, exact *b)
{
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int j = i + 1; j < n; ++j)
            if (exact_abs(a[j * n + i]) > exact_abs(a[pivot * n + i]))
                pivot = j;
        swap_rows(n, a, b, i, pivot);
        for (int j = i + 1; j < n; ++j) {
            exact factor = a[j * n + i] / a[i * n + i];
            for (int k = i; k < n; ++k)
                a[j * n + k] -= factor * a[i * n + k];
            b[j] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
}

void assert_near(const char *what, exact is, exact should, exact scale, exact tolerance,
                 exact *worst)
{
    exact error = exact_abs(is - should) / ((exact)REAL_EPSILON * scale);
    if (!(error <= tolerance))
        fail_msg("%s is %.9Lg, should be %.9Lg: off by %.1Lf roundings of %.3Lg", what, is, should,
                 error, scale);
    if (error > *worst)
        *worst = error;
}
