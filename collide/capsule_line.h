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
 * Depths are true at every station: radii less the distance to the other shape. */
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

static inline void add_station(const contact_line *line, const line_station *at, lode_real least,
                               uint32_t feature, lode__touch *out)
{
    if (!at->counts || !(at->depth > least))
        return;
    lode_vec3 center = v3_scale(line->axis, at->s);
    touch_add(out, v3_madd(center, line->normal, at->depth / 2 - line->radius), at->depth, feature);
}

static inline void add_line(const contact_line *line, lode_real speculative, lode__touch *out)
{
    out->normal = line->normal;
    add_station(line, &line->lower, -speculative, LINE_LOWER, out);
    add_station(line, &line->upper, -speculative, LINE_UPPER, out);
    lode_real least = -speculative;
    for (int k = 0; k < out->count; ++k)
        least = r_max(least, out->depth[k] + speculative * LINE_DEEPER);
    add_station(line, &line->middle, least, LINE_MIDDLE, out);
}

#endif
