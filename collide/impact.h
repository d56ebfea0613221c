/* impact.h: when two shapes on bodies that move and turn along their courses first meet within a
 * step. */
#ifndef LODE_COLLIDE_IMPACT_H
#define LODE_COLLIDE_IMPACT_H

#include "collide/course.h"
#include "collide/gate.h"
#include "collide/pieces.h"

/* A shape on its way. */
typedef struct lode__mover {
    const lode__course *course;
    const lode__geometry *geometry;
    const lode__shape_data *data; /* or null */
    double reach;                 /* from the body's centre of mass to the shape's farthest point */
    double core_reach;            /* the same without the radius of what is round */
    double inner;                 /* radius of a ball within it; 0 for what has none */
    lode__double3 middle;         /* of that ball, in the shape's axes; 0 for a mesh */
} lode__mover;

lode__mover lode__mover_of(const lode__geometry *geometry, const lode__shape_data *data,
                           const lode__course *course);

/* How far apart their places can get from `share` on, any point of the one against any of the
 * other, as far as the other is near. */
double lode__movers_shift(const lode__mover *a, const lode__mover *b, double share);

/* Can a shape be stopped? Convex solids and meshes can. */
bool lode__may_go_ahead(uint32_t type, const lode__shape_data *data);

/* Where a shape must be stopped. */
typedef struct lode__impact_hit {
    double share;         /* of the step */
    bool inside;          /* it is so near to the other already that an inner part is stopped */
    lode__double3 at;     /* if so, of that part: where it is nearest, from a's centre of mass */
    lode__double3 normal; /* and the direction from b to there, world, unit; 0: not known */
    double lack;          /* how much nearer than it should be it is from the beginning, m */
} lode__impact_hit;

/* Where a, which may go ahead, must be stopped, at a share of at most `most`: where it is `target`
 * away from b, or where an inner part would come to b if it is nearer from the beginning. False if
 * no inner part comes to b before the step ends, or if all are in b already. The gate is that of
 * b's triangles. */
bool lode__impact(const lode__mover *a, const lode__mover *b, const lode__gate *gate, double target,
                  double most, lode__impact_hit *out);

#endif
