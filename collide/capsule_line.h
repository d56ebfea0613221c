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

#include "core/math.h"

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

#endif
