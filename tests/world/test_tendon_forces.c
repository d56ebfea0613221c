/* test_tendon_forces.c: what tendons do to random trees in random states is what their formulas
 * say: the change of momentum in one step, along each degree of freedom, against forces worked out
 * from where the links are and how they move, with Jacobians of their velocities. In the limit of
 * short steps it is the force itself; in long ones the implicit spring's. */
#include "core/math.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

enum { LINKS = 7, MOST_DOFS = 6 + 3 * LINKS, MOST_PARTS = 6, STATES = 100 };

#ifdef LODE_DOUBLE
static const double tolerance = 1e-9;
#else
static const double tolerance =
    4e-3; /* the smallest momenta are 6e-4, of speeds about 1: so much is rounding */
#endif

typedef struct tree {
    lode_world world;
    lode_articulation articulation;
    lode_body link[LINKS];
    lode_link_def def[LINKS];
    int parent[LINKS];
    bool fixed;
    int dofs, link_of[MOST_DOFS], axis_of[MOST_DOFS]; /* the root's first, of link 0 */
    double jacobian[LINKS][6][MOST_DOFS];
    double mass[MOST_DOFS][MOST_DOFS];
} tree;

/* ---- trees */

static lode_real number(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode_vec3 vector(test_random *random, double size)
{
    return vec(number(random, -size, size), number(random, -size, size),
               number(random, -size, size));
}

static lode_pose frame(test_random *random)
{
    lode_pose pose = {.position = vector(random, 1)};
    lode_vec3 v = vector(random, 1);
    pose.rotation = q_normalize((lode_quat){1, v.x, v.y, v.z});
    return pose;
}

static void add_link(tree *t, int i, test_random *random)
{
    static const lode_link_joint_type types[] = {LODE_LINK_REVOLUTE, LODE_LINK_PRISMATIC,
                                                 LODE_LINK_SPHERICAL, LODE_LINK_REVOLUTE_UNWRAPPED};
    lode_link_def *def = &t->def[i];
    *def = lode_link_def_default(types[random_below(random, 4)]);
    t->parent[i] = random_below(random, 3) > 0 ? i - 1 : (int)random_below(random, (uint32_t)i + 1);
    t->parent[i] -= t->parent[i] == i;
    def->parent = i > 0 ? t->link[t->parent[i]] : (lode_body){0};
    def->parent_frame = frame(random);
    def->child_frame = frame(random);
    def->pose = frame(random);
    t->link[i] = lode_articulation_add_link(t->articulation, def);
    lode_mass mass = {.mass = number(random, 0.5, 2), .center = vector(random, 0.3)};
    for (int k = 0; k < 3; ++k)
        mass.inertia[k] = number(random, 0.2, 0.3);
    assert_int_equal(lode_body_set_mass(t->link[i], &mass), LODE_OK);
    for (int k = 0; k < LODE_LINK_AXES && i > 0; ++k)
        if (def->axis[k].motion == LODE_MOTION_FREE) {
            t->link_of[t->dofs] = i;
            t->axis_of[t->dofs++] = k;
        }
}

static void make(tree *t, test_random *random)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, 0);
    world_def.sub_steps = 1;
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = t->fixed = random_below(random, 2);
    *t = (tree){.world = lode_world_create(&world_def), .fixed = t->fixed};
    t->articulation = lode_articulation_create(t->world, &def);
    for (int k = 0; k < 6 && !t->fixed; ++k)
        t->axis_of[t->dofs++] = k;
    for (int i = 0; i < LINKS; ++i)
        add_link(t, i, random);
}

static void set_speed(tree *t, int dof, double to)
{
    lode_vec3 v = vec(0, 0, 0);
    int axis = t->axis_of[dof];
    if (t->link_of[dof] > 0) {
        lode_link_set_velocity(t->link[t->link_of[dof]], (lode_link_axis_index)axis, (lode_real)to);
        return;
    }
    bool turns = axis >= 3;
    v = turns ? lode_articulation_get_root_angular_velocity(t->articulation)
              : lode_articulation_get_root_linear_velocity(t->articulation);
    *(axis % 3 == 0 ? &v.x : axis % 3 == 1 ? &v.y : &v.z) = (lode_real)to;
    if (turns)
        lode_articulation_set_root_angular_velocity(t->articulation, v, false);
    else
        lode_articulation_set_root_linear_velocity(t->articulation, v, false);
}

static double speed_of(const tree *t, int dof)
{
    int axis = t->axis_of[dof];
    if (t->link_of[dof] > 0)
        return lode_link_get_axis(t->link[t->link_of[dof]], (lode_link_axis_index)axis).velocity;
    lode_vec3 v = axis >= 3 ? lode_articulation_get_root_angular_velocity(t->articulation)
                            : lode_articulation_get_root_linear_velocity(t->articulation);
    return axis % 3 == 0 ? v.x : axis % 3 == 1 ? v.y : v.z;
}

static void read_columns(tree *t)
{
    for (int k = 0; k < t->dofs; ++k)
        set_speed(t, k, 0);
    for (int k = 0; k < t->dofs; ++k) {
        set_speed(t, k, 1);
        for (int i = 0; i < LINKS; ++i) {
            lode_vec3 v = lode_body_get_linear_velocity(t->link[i]);
            lode_vec3 w = lode_body_get_angular_velocity(t->link[i]);
            const double column[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
            for (int r = 0; r < 6; ++r)
                t->jacobian[i][r][k] = column[r];
        }
        set_speed(t, k, 0);
    }
}

/* J^T of a force and a moment about its centre of mass on a link, added. */
static void push(const tree *t, int link, lode_vec3 f, lode_vec3 n, double *out)
{
    const double by[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    for (int r = 0; r < 6; ++r)
        for (int k = 0; k < t->dofs; ++k)
            out[k] += t->jacobian[link][r][k] * by[r];
}

static void read_mass(tree *t)
{
    memset(t->mass, 0, sizeof t->mass);
    for (int i = t->fixed ? 1 : 0; i < LINKS; ++i) {
        lode_mass m = lode_body_get_mass(t->link[i]);
        lode_quat q = lode_body_get_pose(t->link[i]).rotation;
        for (int k = 0; k < t->dofs; ++k) {
            double column[6];
            for (int r = 0; r < 6; ++r)
                column[r] = t->jacobian[i][r][k];
            lode_vec3 v = vec((lode_real)column[0], (lode_real)column[1], (lode_real)column[2]);
            lode_vec3 w = vec((lode_real)column[3], (lode_real)column[4], (lode_real)column[5]);
            lode_vec3 l = q_rotate(q, s3_mul(m.inertia, q_rotate_inv(q, w)));
            push(t, i, v3_scale(v, m.mass), l, t->mass[k]);
        }
    }
}

/* Both in the same state. */
static void place(tree *t, test_random *random)
{
    assert_int_equal(lode_articulation_insert(t->articulation), LODE_OK);
    for (int k = 0; k < t->dofs; ++k)
        if (t->link_of[k] > 0)
            lode_link_set_position(t->link[t->link_of[k]], (lode_link_axis_index)t->axis_of[k],
                                   number(random, -1, 1));
    read_columns(t);
    read_mass(t);
    for (int k = 0; k < t->dofs; ++k)
        set_speed(t, k, random_between(random, -1, 1));
}

/* ---- tendons, and what they do */

typedef struct line {
    double length, speed;
    double gradient[MOST_DOFS], push[MOST_DOFS];
    double rest, lo, hi, share; /* share: of the force, that pushes */
} line;

static lode_vec3 point_of(const tree *t, const lode_tendon_attachment *a, int *out_link)
{
    *out_link = 0;
    while (t->link[*out_link].id != a->link.id)
        ++*out_link;
    return lode_body_point_to_world(a->link, a->point);
}

static void push_at(const tree *t, int link, lode_vec3 at, lode_vec3 f, double *out)
{
    push(t, link, f, v3_cross(v3_sub(at, lode_body_get_center(t->link[link])), f), out);
}

/* Of a spatial tendon, to this leaf. */
static line spatial_line(const tree *t, lode_tendon tendon, int leaf)
{
    lode_tendon_attachment a = lode_tendon_get_attachment(tendon, leaf);
    line out = {.rest = a.rest_length, .lo = a.lo, .hi = a.hi, .share = 1};
    for (bool first = true; a.parent >= 0; first = false) {
        lode_tendon_attachment b = lode_tendon_get_attachment(tendon, a.parent);
        int of_a, of_b;
        lode_vec3 x = point_of(t, &a, &of_a), y = point_of(t, &b, &of_b), way = v3_sub(x, y);
        lode_vec3 u = v3_scale(way, 1 / v3_length(way)), scaled = v3_scale(u, a.coefficient);
        out.length += (double)a.coefficient * v3_length(way);
        push_at(t, of_a, x, scaled, out.gradient);
        push_at(t, of_b, y, v3_neg(scaled), out.gradient);
        if (first)
            push_at(t, of_a, x, v3_neg(u), out.push);
        if (b.parent < 0)
            push_at(t, of_b, y, u, out.push);
        a = b;
    }
    out.length += (double)lode_tendon_get_def(tendon).offset * a.coefficient;
    return out;
}

static int dof_of(const tree *t, lode_body link, int axis)
{
    for (int k = 0; k < t->dofs; ++k)
        if (t->link_of[k] > 0 && t->link[t->link_of[k]].id == link.id && t->axis_of[k] == axis)
            return k;
    return -1;
}

/* The rotation vector, the shorter way, of a turn by `v` and then by `e` about axis j. */
static void turned_on(const double v[3], int j, double e, double out[3])
{
    double a = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), by = a > 0 ? sin(a / 2) / a : 0.5;
    double q[4] = {cos(a / 2), v[0] * by, v[1] * by, v[2] * by};
    double c = cos(e / 2), s = sin(e / 2), w = c * q[0] - s * q[1 + j], r[3];
    int k = (j + 1) % 3, l = (j + 2) % 3;
    r[j] = c * q[1 + j] + s * q[0];
    r[k] = c * q[1 + k] + s * q[1 + l];
    r[l] = c * q[1 + l] - s * q[1 + k];
    double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    by = size > 0 ? 2 * atan2(size, fabs(w)) / size : 2;
    for (int i = 0; i < 3; ++i)
        out[i] = r[i] * (w < 0 ? -by : by);
}

/* How a position changes by turns about the axes of the child's frame, or by its own axis alone. */
static void rates_of(lode_body link, int axis, bool several, double out[3])
{
    const double e = 1e-4;
    double v[3], at[4][3];
    for (int j = 0; j < 3; ++j) {
        v[j] = (double)lode_link_get_axis(link, (lode_link_axis_index)j).position;
        out[j] = j == axis % 3;
    }
    for (int j = 0; j < 3 && several; ++j) {
        for (int i = 0; i < 4; ++i)
            turned_on(v, j, (i < 2 ? e : 2 * e) * (i % 2 ? -1 : 1), at[i]);
        out[j] = (8 * (at[0][axis] - at[1][axis]) - (at[2][axis] - at[3][axis])) / (12 * e);
    }
}

static line fixed_line(const tree *t, lode_tendon tendon)
{
    lode_tendon_def def = lode_tendon_get_def(tendon);
    int count = lode_tendon_count_parts(tendon), anchor = 0;
    line out = {.length = def.offset, .rest = def.rest_length, .lo = def.lo, .hi = def.hi};
    out.share = 1.0 / (count - 1);
    while (t->link[anchor].id != lode_tendon_get_joint(tendon, 0).link.id)
        ++anchor;
    for (int p = 1; p < count; ++p) {
        lode_tendon_joint j = lode_tendon_get_joint(tendon, p);
        int k = dof_of(t, j.link, (int)j.axis), i = t->link_of[k];
        bool turns = j.axis <= LODE_AXIS_SWING2;
        int holder = turns ? i : t->parent[i];
        lode_quat of = turns ? t->def[i].child_frame.rotation : t->def[i].parent_frame.rotation;
        bool several = t->def[i].type == LODE_LINK_SPHERICAL;
        double rates[3];
        rates_of(j.link, (int)j.axis, several, rates);
        lode_vec3 axis = q_rotate(
            q_mul(lode_body_get_pose(t->link[holder]).rotation, of),
            v3((lode_real)rates[0], (lode_real)rates[1], (lode_real)rates[2]));
        lode_vec3 by = v3_scale(axis, -j.reciprocal), back = v3_neg(by), none = v3_zero();
        lode_vec3 at = lode_body_get_center(j.link);
        if (turns) {
            push(t, i, none, by, out.push);
            push(t, anchor, none, back, out.push);
        } else {
            push_at(t, i, at, by, out.push);
            push_at(t, anchor, at, back, out.push);
        }
        out.length += (double)j.coefficient * lode_link_get_axis(j.link, j.axis).position;
        for (int m = 0; m < 3; ++m)
            if (several || m == (int)j.axis % 3)
                out.gradient[several ? dof_of(t, j.link, m) : k] += (double)j.coefficient *
                                                                    rates[m];
    }
    return out;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

/* M^-1 b: elimination with pivots. */
static void solve(const tree *t, const double *b, double *x)
{
    double m[MOST_DOFS][MOST_DOFS + 1];
    int n = t->dofs;
    for (int i = 0; i < n; ++i) {
        memcpy(m[i], t->mass[i], sizeof t->mass[i]);
        m[i][n] = b[i];
    }
    for (int c = 0; c < n; ++c) {
        int best = c;
        for (int r = c; r < n; ++r)
            best = fabs(m[r][c]) > fabs(m[best][c]) ? r : best;
        for (int k = 0; k <= n; ++k) {
            double kept = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = kept;
        }
        for (int r = 0; r < n; ++r)
            for (int k = n; k >= c && r != c; --k)
                m[r][k] -= m[c][k] * m[r][c] / m[c][c];
    }
    for (int i = 0; i < n; ++i)
        x[i] = m[i][n] / m[i][i];
}

static double beyond(double length, const line *l)
{
    return l->lo > l->hi    ? 0
           : length > l->hi ? length - l->hi
           : length < l->lo ? length - l->lo
                            : 0;
}

/* The impulse of a line by itself whose length would change by `speed`: found by halving, since
 * what is sought and what it makes of the length rise and fall together. */
static double implicit_impulse(const tree *t, const lode_tendon_def *def, const line *l,
                               double speed, double h)
{
    double answer[MOST_DOFS], low = -1e6, high = 1e6;
    solve(t, l->push, answer);
    double yield = fmax(-dot(l->gradient, answer, t->dofs) * l->share, 0);
    for (int i = 0; i < 200; ++i) {
        double impulse = (low + high) / 2, s = speed - yield * impulse, end = l->length + h * s;
        double wanted = h * (def->stiffness * (end - l->rest) + def->damping * s +
                             def->limit_stiffness * beyond(end, l));
        *(wanted > impulse ? &low : &high) = impulse;
    }
    return (low + high) / 2;
}

/* ---- states */

static lode_tendon_def random_def(lode_tendon_type type, test_random *random)
{
    lode_tendon_def def = lode_tendon_def_default(type);
    def.stiffness = number(random, 1, 50);
    def.damping = number(random, 0.1, 2);
    def.limit_stiffness = number(random, 1, 50);
    def.offset = number(random, -0.5, 0.5);
    return def;
}

/* A rest length, and limits that L is within, above or below, or none. */
static void random_limits(double length, test_random *random, lode_real *out_rest,
                          lode_real *out_lo, lode_real *out_hi)
{
    *out_rest = (lode_real)(length + random_between(random, -0.5, 0.5));
    double from = random_below(random, 3) - 1.5; /* -1.5, -0.5 or 0.5 */
    if (random_below(random, 4) == 0)
        return;
    *out_lo = (lode_real)(length + from);
    *out_hi = (lode_real)(length + from + 1);
}

static lode_tendon add_spatial(tree *t, int parts, bool one_line, test_random *random)
{
    lode_tendon_def def = random_def(LODE_TENDON_SPATIAL, random);
    lode_tendon tendon = lode_tendon_create(t->articulation, &def);
    for (int p = 0; p < parts; ++p) {
        lode_tendon_attachment a = lode_tendon_attachment_default();
        a.parent = one_line || p == 0 ? p - 1 : (int)random_below(random, (uint32_t)p);
        a.link = t->link[(p * 3 + (int)random_below(random, 3)) % LINKS];
        a.point = vector(random, 1);
        a.coefficient = number(random, 0.5, 2);
        assert_int_equal(lode_tendon_add_attachment(tendon, &a), p);
    }
    return tendon;
}

/* Along the tree from a random link on, as far as it goes. */
static lode_tendon add_fixed(tree *t, test_random *random)
{
    lode_tendon_def def = random_def(LODE_TENDON_FIXED, random);
    lode_tendon tendon = lode_tendon_create(t->articulation, &def);
    int number_of[LINKS], anchor = (int)random_below(random, 3);
    for (int i = 0; i < LINKS; ++i)
        number_of[i] = -1;
    for (int i = anchor; i < LINKS; ++i) {
        lode_tendon_joint j = {.parent = i > anchor ? number_of[t->parent[i]] : -1,
                               .link = t->link[i],
                               .coefficient = number(random, -2, 2),
                               .reciprocal = number(random, -2, 2)};
        if (i > anchor && j.parent < 0)
            continue;
        while (i > 0 && t->def[i].axis[j.axis].motion == LODE_MOTION_LOCKED)
            ++j.axis;
        number_of[i] = lode_tendon_add_joint(tendon, &j);
        assert_true(number_of[i] >= 0);
    }
    return tendon;
}

/* What two trees' speeds differ by after a step, as momentum along the dofs. */
static void momentum_between(const tree *a, const tree *b, double *out)
{
    double change[MOST_DOFS];
    for (int k = 0; k < a->dofs; ++k)
        change[k] = speed_of(a, k) - speed_of(b, k);
    for (int k = 0; k < a->dofs; ++k)
        out[k] = dot(a->mass[k], change, a->dofs);
}

/* What the rounding of two trees' speeds, of some operations each, makes of that momentum. */
static double rounding_between(const tree *a, const tree *b)
{
    double most = 0, unit = sizeof(lode_real) == sizeof(double) ? 0x1p-53 : 0x1p-24;
    for (int k = 0; k < a->dofs; ++k) {
        double sum = 0;
        for (int j = 0; j < a->dofs; ++j)
            sum += fabs(a->mass[k][j]) * (fabs(speed_of(a, j)) + fabs(speed_of(b, j)));
        most = fmax(most, sum);
    }
    return 4 * unit * most;
}

static void expect_same(const tree *t, const double *is, const double *wanted, double within,
                        double rounding)
{
    double error = 0, size = 0;
    for (int k = 0; k < t->dofs; ++k) {
        error = fmax(error, fabs(is[k] - wanted[k]));
        size = fmax(size, fabs(wanted[k]));
    }
    if (!(error <= within * size + rounding))
        print_error("momentum differs by %g of %g\n", error, size);
    assert_true(error <= within * size + rounding);
}

static void end(tree *a, tree *b)
{
    lode_world_destroy(a->world);
    lode_world_destroy(b->world);
}

/* Two trees alike, the first with a tendon that `add` makes. */
typedef enum kind { BRANCHES, ONE_LINE, FIXED } kind;

static lode_tendon begin(tree *a, tree *b, kind which, test_random *random)
{
    test_random same = *random;
    make(b, &same);
    make(a, random);
    lode_tendon tendon =
        which == FIXED
            ? add_fixed(a, random)
            : add_spatial(a, which == ONE_LINE ? 2 + (int)random_below(random, 3) : MOST_PARTS,
                          which == ONE_LINE, random);
    same = *random;
    place(b, &same);
    place(a, random);
    return tendon;
}

static void set_limits(const tree *t, lode_tendon tendon, test_random *random)
{
    lode_tendon_def def = lode_tendon_get_def(tendon);
    if (def.type == LODE_TENDON_FIXED) {
        double length = fixed_line(t, tendon).length;
        assert_true(near(length, lode_tendon_get_length(tendon, 0), tolerance));
        random_limits(length, random, &def.rest_length, &def.lo, &def.hi);
        assert_int_equal(lode_tendon_set_def(tendon, &def, false), LODE_OK);
        return;
    }
    for (int p = 1; p < lode_tendon_count_parts(tendon); ++p) {
        lode_tendon_attachment a = lode_tendon_get_attachment(tendon, p);
        double length = spatial_line(t, tendon, p).length;
        assert_true(near(length, lode_tendon_get_length(tendon, p), tolerance));
        bool leaf = true;
        for (int q = p + 1; q < lode_tendon_count_parts(tendon); ++q)
            leaf &= lode_tendon_get_attachment(tendon, q).parent != p;
        if (!leaf)
            continue;
        random_limits(length, random, &a.rest_length, &a.lo, &a.hi);
        a.coefficient = number(random, 0.5, 2); /* L moves on: limits need not be near */
        assert_int_equal(lode_tendon_set_attachment(tendon, p, &a, false), LODE_OK);
    }
}

/* Calls `of` for each line. */
static int lines_of(const tree *t, lode_tendon tendon, line out[MOST_PARTS])
{
    int count = 0, parts = lode_tendon_count_parts(tendon);
    if (lode_tendon_get_def(tendon).type == LODE_TENDON_FIXED) {
        out[0] = fixed_line(t, tendon);
        return parts > 1;
    }
    for (int p = 1; p < parts; ++p) {
        bool leaf = true;
        for (int q = p + 1; q < parts; ++q)
            leaf &= lode_tendon_get_attachment(tendon, q).parent != p;
        if (leaf)
            out[count++] = spatial_line(t, tendon, p);
    }
    return count;
}

#ifdef LODE_DOUBLE
/* What one step of this length makes of the tendon, as force, and what the formulas say. */
static int force_by_step(kind which, uint64_t seed, double h, double *is, double *wanted, tree *a)
{
    test_random random = {seed};
    tree b;
    line lines[MOST_PARTS];
    double speeds[MOST_DOFS];
    lode_tendon tendon = begin(a, &b, which, &random);
    set_limits(a, tendon, &random);
    lode_tendon_def def = lode_tendon_get_def(tendon);
    int count = lines_of(a, tendon, lines);
    memset(wanted, 0, MOST_DOFS * sizeof *wanted);
    for (int k = 0; k < a->dofs; ++k)
        speeds[k] = speed_of(a, k);
    for (int l = 0; l < count; ++l) {
        double force = def.stiffness * (lines[l].length - lines[l].rest) +
                       def.damping * dot(lines[l].gradient, speeds, a->dofs) +
                       def.limit_stiffness * beyond(lines[l].length, &lines[l]);
        for (int k = 0; k < a->dofs; ++k)
            wanted[k] += lines[l].push[k] * force * lines[l].share;
    }
    lode_world_step(a->world, h);
    lode_world_step(b.world, h);
    momentum_between(a, &b, is);
    for (int k = 0; k < a->dofs; ++k)
        is[k] /= h;
    end(a, &b);
    return count;
}

/* In the limit of short steps: what two lengths of them lead to. */
static int check_force(kind which, uint64_t seed)
{
    const double h = 1e-6;
    double is[MOST_DOFS], half[MOST_DOFS], wanted[MOST_DOFS];
    tree t;
    force_by_step(which, seed, h, is, wanted, &t);
    int count = force_by_step(which, seed, h / 2, half, wanted, &t);
    for (int k = 0; k < t.dofs; ++k)
        is[k] = 2 * half[k] - is[k];
    expect_same(&t, is, wanted, 1e-6, 0);
    return count;
}

static void test_forces_are_the_closed_forms(void **state)
{
    int lines = 0;
    (void)state;
    for (uint64_t seed = 0; seed < STATES; ++seed) {
        lines += check_force(BRANCHES, seed);
        check_force(ONE_LINE, seed);
        check_force(FIXED, seed);
    }
    assert_true(lines > 2 * STATES); /* several leaves */
}
#endif

/* In a step in which no link turns far: else speeds are put right after it. */
static void check_impulse(kind which, uint64_t seed)
{
    const double h = 0.001;
    test_random random = {seed};
    tree a, b;
    line l[MOST_PARTS];
    double is[MOST_DOFS], wanted[MOST_DOFS], speeds[MOST_DOFS];
    lode_tendon tendon = begin(&a, &b, which, &random);
    set_limits(&a, tendon, &random);
    lode_tendon_def def = lode_tendon_get_def(tendon);
    if (lines_of(&a, tendon, l) == 1) {
        lode_world_step(a.world, (lode_real)h);
        lode_world_step(b.world, (lode_real)h);
        for (int k = 0; k < b.dofs; ++k)
            speeds[k] = speed_of(&b, k);
        double impulse = implicit_impulse(&a, &def, l, dot(l->gradient, speeds, a.dofs), h);
        for (int k = 0; k < a.dofs; ++k)
            wanted[k] = l->push[k] * impulse * l->share;
        momentum_between(&a, &b, is);
        expect_same(&a, is, wanted, tolerance, rounding_between(&a, &b));
    }
    end(&a, &b);
}

static void test_impulses_are_of_implicit_springs(void **state)
{
    (void)state;
    for (uint64_t seed = 1000; seed < 1000 + STATES; ++seed) {
        check_impulse(ONE_LINE, seed);
        check_impulse(FIXED, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef LODE_DOUBLE
        cmocka_unit_test(test_forces_are_the_closed_forms),
#endif
        cmocka_unit_test(test_impulses_are_of_implicit_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
