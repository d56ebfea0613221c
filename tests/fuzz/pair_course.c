/* pair_course.c: holds continuous bodies against the oracle. A solid that does not turn and touches
 * nothing as the step begins goes straight, as far as it goes, and all that it passes over is
 * convex: what of it is kept in front may have nothing in common with the other shape. */
#include "tests/fuzz/pair.h"

/* m/s, the fastest that docs/limits.md speaks of; s. */
#define FASTEST 1000
#define STEP ((lode_real)1 / 60)

/* m: who is nearer as the step begins may be pushed by a contact. */
#define BEFORE 0.02

/* Of the solid: what of it is kept in front at least. Sides are halved towards a middle, which for
 * points may be another than their mean, the oracle's. */
#define KEPT 0.45
#define KEPT_OF_POINTS 0.05

static void to_doubles(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static double length_of(const double v[3])
{
    return sqrt(form_dot(v, v));
}

/* To somewhere about the other. */
static void read_way(const subject *mover, const subject *other, fuzz_bytes *in, double out[3])
{
    double from[3], to[3], size = (other->span > 0 ? other->span : 1) * 1.5;
    to_doubles(lode_shape_get_world_pose(mover->shape).position, from);
    to_doubles(lode_shape_get_world_pose(other->shape).position, to);
    for (int k = 0; k < 3; ++k)
        out[k] = 2 * (to[k] + size * fuzz_coarse(in) - from[k]);
    double most = FASTEST * (double)STEP, length = length_of(out);
    for (int k = 0; k < 3 && length > most; ++k)
        out[k] *= most / length;
}

/* The part of the mover that is kept in front passes over this part of the other. */
static bool passes_over(const pair *p, const subject *mover, int part, const double way[3])
{
    const subject *other = mover == &p->a ? &p->b : &p->a;
    const form *whole = &mover->parts[0];
    form kept = form_shrunk(whole, whole->kind == FORM_POINTS ? KEPT_OF_POINTS : KEPT);
    form swept = form_swept(&kept, way);
    if (other->type == LODE_PLANE) {
        double down[3] = {-other->normal[0], -other->normal[1], -other->normal[2]};
        return -form_reach(&swept, down) < other->offset - p->tolerance;
    }
    form shrunk = form_shrunk(&other->parts[part], 0.95);
    return !other->thin[part] && form_distance_at_least(&swept, &shrunk) <= 0 &&
           form_distance(&swept, &shrunk).most == 0;
}

static double gap_at_end(const pair *p, const subject *mover, const double way[3])
{
    static pair moved;
    moved = *p;
    form *f = mover == &p->a ? &moved.a.parts[0] : &moved.b.parts[0];
    for (int k = 0; k < 3; ++k)
        f->center[k] += way[k], f->middle[k] += way[k];
    static pair after;
    pair_between(p, &moved.a, &moved.b, &after);
    return after.gap.least;
}

void pair_check_course(const pair *p, fuzz_bytes *in)
{
    const subject *mover = pair_is_solid(&p->a) ? &p->a : &p->b;
    const subject *other = mover == &p->a ? &p->b : &p->a;
    double way[3], gone[3], from[3], to[3];
    if (!pair_is_solid(mover) || !(p->gap.least > BEFORE + 4 * p->tolerance))
        return;
    read_way(mover, other, in, way);
    lode_vec3 velocity = fuzz_vec(way[0] / (double)STEP, way[1] / (double)STEP,
                                  way[2] / (double)STEP);
    FUZZ_CHECK(lode_body_set_continuous(mover->body, true) == LODE_OK &&
                   lode_body_set_linear_velocity(mover->body, velocity) == LODE_OK,
               "a body is sent");
    to_doubles(lode_body_get_pose(mover->body).position, from);
    FUZZ_CHECK(lode_world_step(p->world, STEP) == LODE_OK, "step");
    to_doubles(lode_body_get_pose(mover->body).position, to);
    double length = length_of(way), off[3];
    for (int k = 0; k < 3; ++k)
        gone[k] = to[k] - from[k];
    double share = length > 0 ? form_dot(gone, way) / (length * length) : 0;
    for (int k = 0; k < 3; ++k)
        off[k] = gone[k] - share * way[k];
    double slack = 4 * p->tolerance + 8 * (sizeof(lode_real) == 4 ? 0x1p-23 : 0x1p-52) *
                                          (length_of(from) + length) +
                   1e-5 * length;
    FUZZ_CHECK(length_of(off) <= slack && share * length >= -slack &&
                   (share - 1) * length <= slack,
               "left its way by %g, went %g of it", length_of(off), share);
    if ((1 - share) * length > slack)
        FUZZ_CHECK(gap_at_end(p, mover, gone) <= 0.01 + slack, "stopped %g before the other",
                   gap_at_end(p, mover, gone));
    if (slack > 0.02 * form_thin(&mover->parts[0]) ||
        (pair_is_surface(other) && !other->two_sided))
        return;
    for (int i = 0; i < (other->type == LODE_PLANE ? 1 : other->part_count); ++i)
        FUZZ_CHECK(!passes_over(p, mover, i, gone), "went through part %d, %g of its way", i,
                   share);
}
