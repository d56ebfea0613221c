/* capsule_line.h: where a capsule touches something along its axis.
 *
 * A capsule that lies on something touches along a line, and one point would let it tip about that
 * point. Three stations on its axis are looked at:
 *
 *     lower ------- middle ------- upper
 *
 * The middle is the deepest; it gives the normal. Lower and upper end the stretch over which the
 * other shape lies beneath; they count where the nearest points there lie along that normal. The
 * middle counts only where it is deeper than both by more than rounding: a capsule that lies flat
 * has its deepest station anywhere, and a point that wanders would lose its impulses. Which end is
 * which follows from the capsule's axis alone, so features last as long as the contact.
 *
 * Depths are true at every station: radii less the distance to the other shape. Where the middle is
 * no point of its own, the deeper end has its depth: the deepest point says how far to go. */
#ifndef LODE_COLLIDE_CAPSULE_LINE_H
#define LODE_COLLIDE_CAPSULE_LINE_H

#include "collide/touch.h"

enum { LINE_LOWER = 1, LINE_UPPER = 2, LINE_MIDDLE = 3 }; /* features */

/* Of the radii: how far the nearest points of an end may lie beside the normal, and how long a line
 * of contact must be. */
#define LINE_BESIDE ((lode_real)0.15)
#define LINE_SHORT ((lode_real)0.1)

/* Of the radii: an axis nearer to the other shape than this has no direction from there that is
 * more than rounding. */
#define LINE_MEETS ((lode_real)1e-4)

/* By how much, in speculative margins, the middle must be deeper than the ends. */
#define LINE_DEEPER ((lode_real)0.05)

typedef struct line_station {
    lode_real s; /* on the axis, from the capsule's centre */
    lode_real depth;
    bool counts;
} line_station;

typedef struct contact_line {
    lode_vec3 axis, normal; /* unit, world; the normal into the capsule */
    lode_vec3 beside;       /* how far the middle lies from its contact, across the normal */
    lode_real radius;
    line_station lower, middle, upper;
} contact_line;

/* A station whose axis lies `apart` from the nearest point of the other shape. */
static inline line_station line_end(lode_real s, lode_vec3 apart, lode_vec3 normal, lode_real reach)
{
    lode_vec3 beside = v3_madd(apart, normal, -v3_dot(apart, normal));
    lode_real most = reach * LINE_BESIDE;
    return (line_station){s, reach - v3_length(apart), v3_dot(beside, beside) <= most * most};
}

static inline void add_station(const contact_line *line, const line_station *at, lode_vec3 beside,
                               uint32_t feature, lode__touch *out)
{
    lode_vec3 center = v3_madd(v3_neg(beside), line->axis, at->s);
    lode_real reach = r_sqrt(r_max(line->radius * line->radius - v3_dot(beside, beside), 0));
    touch_add(out, v3_madd(center, line->normal, at->depth / 2 - reach), at->depth, feature);
}

static inline void add_line(const contact_line *line, lode_real speculative, lode__touch *out)
{
    line_station lower = line->lower, upper = line->upper;
    lode_real margin = speculative * LINE_DEEPER, least = -speculative;
    bool low = lower.counts && lower.depth > least, high = upper.counts && upper.depth > least;
    if (low)
        least = lower.depth + margin;
    if (high)
        least = r_max(least, upper.depth + margin);
    bool own = line->middle.depth > least;
    line_station *deeper = high && !(low && lower.depth >= upper.depth) ? &upper : &lower;
    if (!own)
        deeper->depth = r_max(deeper->depth, line->middle.depth);
    out->normal = line->normal;
    if (low)
        add_station(line, &lower, v3_zero(), LINE_LOWER, out);
    if (high)
        add_station(line, &upper, v3_zero(), LINE_UPPER, out);
    if (own)
        add_station(line, &line->middle, line->beside, LINE_MIDDLE, out);
}

#endif
