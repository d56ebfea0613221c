/* sweep.c: see sweep.h.
 *
 * Conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation of rigid body systems",
 * chapter 2): two solids that are `gap` apart along n cannot meet before the one has moved as far
 * along n towards the other, so time may advance by gap / speed. Along a straight line the gap is a
 * convex function of time and the step is Newton's, from the side where it never oversteps: it
 * arrives at flat features exactly, at round ones quadratically (this is the ray cast of van den
 * Bergen 2004, "Ray casting against general convex objects", by another road). Where the solids
 * move apart along n they never meet.
 *
 * Round solids touch while their cores are apart, and the cores tell normal and point. Where others
 * touch no direction is left to be seen; so their normal and point are those of a moment before. */
#include "collide/sweep.h"

enum { SWEEP_STEPS = 128, SWEEP_LOOKS = 6 };

/* Of the largest coordinate: a gap that counts as none, how far apart cores tell a normal, and how
 * far back it is read otherwise; farther where the solids are still too near there. */
#define SWEEP_TOUCH 1e-9
#define SWEEP_CLEAR 1e-4
#define SWEEP_LOOK 1e-7

typedef struct sweep {
    lode__convex_pair pair;
    lode__double3 from, move;
    double radii;
} sweep;

/* The solids after `share` of the way, seen from where a was at first; false: their cores
 * overlap. */
static bool look(sweep *s, double share, lode__nearest *out, double *out_gap)
{
    s->pair.offset = d3_madd(s->from, s->move, -share);
    bool apart = lode__gjk_distance(&s->pair, __builtin_inf(), out, NULL);
    *out_gap = apart ? out->gap - s->radii : 0;
    out->on_b = d3_madd(out->on_b, s->move, share);
    return apart;
}

static void tell(const sweep *s, const lode__nearest *at, lode__swept *out)
{
    out->normal = at->normal;
    out->on_b = d3_madd(at->on_b, at->normal, s->pair.b.radius);
}

static bool end_at(sweep *s, double share, double size, lode__nearest at, lode__swept *out)
{
    double back = size * SWEEP_LOOK / d3_length(s->move), gap;
    lode__nearest before;
    *out = (lode__swept){.share = share};
    if (look(s, share, &before, &gap) && before.gap > size * SWEEP_CLEAR) {
        tell(s, &before, out);
        return true;
    }
    for (int looks = 0; looks < SWEEP_LOOKS; ++looks, back *= 8) {
        if (!look(s, d_max(share - back, 0), &before, &gap))
            continue;
        at = before;
        if (gap > size * SWEEP_TOUCH)
            break;
    }
    tell(s, &at, out);
    return true;
}

bool lode__sweep(const lode__convex_pair *start, lode__double3 move, double most, lode__swept *out)
{
    sweep s = {*start, start->offset, move, start->a.radius + start->b.radius};
    lode__nearest at;
    double share = 0, gap;
    lode__gjk_nearest(&s.pair, __builtin_inf(), &at);
    gap = at.gap - s.radii;
    double size = d3_most(at.on_a) + d3_most(at.on_b) + s.radii, touch = size * SWEEP_TOUCH;
    if (gap < -touch) {
        *out = (lode__swept){.depth = -gap};
        tell(&s, &at, out);
        return true;
    }
    for (int step = 0; step < SWEEP_STEPS; ++step) {
        double speed = -d3_dot(move, at.normal);
        if (!(speed > 0))
            return false;
        if (!(gap > touch))
            return end_at(&s, share, size, at, out);
        double next = share + gap / speed;
        lode__nearest there;
        if (!(next <= most))
            return false;
        bool apart = look(&s, next, &there, &gap);
        if (!apart || !(next > share))
            return end_at(&s, next, size, apart ? there : at, out);
        share = next;
        at = there;
    }
    return end_at(&s, share, size, at, out);
}

bool lode__sweep_plane(const lode__convex *a, lode__double3 normal, double offset,
                       lode__double3 move, double most, lode__swept *out)
{
    lode__double3 low = a->type->support(a, d3_neg(normal));
    low = d3_madd(low, normal, -a->radius);
    double height = d3_dot(normal, low) - offset, speed = -d3_dot(normal, move);
    *out = (lode__swept){.normal = normal};
    if (height < 0) {
        out->depth = -height;
        out->on_b = d3_madd(low, normal, -height);
        return true;
    }
    if (!(speed > 0) || !(height <= speed * most))
        return false;
    out->share = height / speed;
    out->on_b = d3_madd(low, move, out->share);
    return true;
}
