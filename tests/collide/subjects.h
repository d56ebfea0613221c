/* subjects.h: random pairs of convex solids, many of them degenerate, for the library and the
 * oracle alike. */
#ifndef LODE_TESTS_COLLIDE_SUBJECTS_H
#define LODE_TESTS_COLLIDE_SUBJECTS_H

#include "collide/convex.h"
#include "tests/collide/solids.h"

/* A solid and what the library sees of it. */
typedef struct subject {
    solid oracle;
    lode_real size[4];
    lode_vec3 corner[3];
    lode_quat rotation;
} subject;

static inline lode__convex convex_of(const subject *s)
{
    static const lode_shape_type types[] = {LODE_SPHERE, LODE_BOX, LODE_CAPSULE, LODE_CYLINDER};
    if (s->oracle.kind == TRIANGLE)
        return convex_make(&lode__convex_triangle, s->size, s->corner);
    return convex_make(&lode__convex_types[types[s->oracle.kind]], s->size, NULL);
}

/* Rotations of single precision are units to its rounding only: the oracle takes the same number
 * and makes it a unit in double. */
static inline void set_rotation(subject *s, const double q[4])
{
    s->rotation = q_normalize(
        (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]});
    double r[4] = {s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z}, length = 0;
    for (int k = 0; k < 4; ++k)
        length += r[k] * r[k];
    for (int k = 0; k < 4; ++k)
        r[k] /= sqrt(length);
    box frame = {.half = {0}};
    set_axes(&frame, r);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            s->oracle.axis[i][k] = frame.axis[i][k];
}

static inline void random_turn(test_random *random, double q[4])
{
    static const double special[][4] = {{1, 0, 0, 0}, {0, 1, 0, 0},    {1, 1, 0, 0},
                                        {1, 0, 1, 0}, {1, 1e-4, 0, 0}, {1, 1e-7, 1e-7, 0}};
    int which = random_below(random, 12);
    if (which >= 6)
        random_rotation(random, q);
    else
        for (int k = 0; k < 4; ++k)
            q[k] = special[which][k];
}

/* Sizes between the two, each by itself. */
static inline subject random_subject(test_random *random, solid_kind kind, double least,
                                     double most)
{
    subject s = {.oracle = {.kind = kind}};
    double q[4];
    random_turn(random, q);
    set_rotation(&s, q);
    for (int k = 0; k < 3; ++k) {
        s.size[k] = (lode_real)random_scale(random, least, most);
        s.oracle.size[k] = (double)s.size[k];
        for (int i = 0; i < 3; ++i) {
            double x = random_between(random, -1, 1) * s.oracle.size[0];
            (&s.corner[k].x)[i] = (lode_real)x;
            s.oracle.corner[k][i] = (double)(lode_real)x;
        }
    }
    return s;
}

typedef struct subjects {
    subject a, b;
    lode_vec3 offset;
    double scale;
} subjects;

/* gcc 12 at -O3 takes the double for the real when it lays both in one vector, so the number goes
 * through memory. */
static inline double as_real(double x)
{
    volatile lode_real r = (lode_real)x;
    return (double)r;
}

static inline void place(subjects *s, double x, double y, double z)
{
    const double at[3] = {as_real(x), as_real(y), as_real(z)};
    s->offset = v3((lode_real)at[0], (lode_real)at[1], (lode_real)at[2]);
    for (int k = 0; k < 3; ++k)
        s->b.oracle.center[k] = at[k];
}

static inline double span(const subject *s)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        most = fmax(most, solid_reach(&s->oracle, s->oracle.axis[i]));
    for (int k = 0; k < 3; ++k)
        most = fmax(most, s->oracle.kind == TRIANGLE ? length3(s->oracle.corner[k]) : 1e-6);
    return most;
}

static inline subjects random_subjects(test_random *random, solid_kind a, solid_kind b,
                                       double least, double most)
{
    subjects s = {.a = random_subject(random, a, least, most),
                  .b = random_subject(random, b, least, most)};
    double reach = span(&s.a) + span(&s.b), x[3];
    for (int k = 0; k < 3; ++k)
        x[k] = random_below(random, 5) ? random_between(random, -1, 1) * reach : 0;
    if (random_below(random, 3) == 0)
        for (int k = 0; k < 3; ++k)
            x[k] *= 0.2;
    place(&s, x[0], x[1], x[2]);
    s.scale = reach + length3(s.b.oracle.center);
    return s;
}

#endif
