/* event.h: what began to touch, what ceased to, what hit hard, which joints broke: told in arrays
 * after each step.
 *
 * A touch is between two shapes. There are two kinds:
 *
 * - Of a sensor (`sensor` in lode_shape_def) and a shape: they have a point in common where bodies
 *   stand at the end of the step, exactly, by their geometry alone; as lode_shape_find_closest()
 *   has it, their distance is not above 0. A sensor pushes nothing, wakes nothing and is seen by no
 *   query. It sees all shapes of other bodies with which categories, masks and the world's pair
 *   filter let it; joints have no say. What a class of the application lets pass it does not see. A
 *   sensor on a static body sees no shapes of static bodies. Sensors do not see each other, nor
 *   disabled shapes, nor does a plane see planes.
 * - Of two shapes in contact of which one asks for it (`touch_events`): a point of contact is not
 *   apart, or has pushed in the step. A contact that only waits to close is no touch yet.
 *
 * Begin and end always pair. A touch that began ends once, and before it begins anew, whatever ends
 * it: that shapes part; that a shape or body is destroyed or disabled, another filter, type, shape
 * or joint forbids it; that nobody asks for it any more. Falling asleep and waking end and begin
 * none. What happens between two steps is told by the next one. lode_world_restore() sets back what
 * touches too, so that beginnings that came before the snapshot have their ends after it; arrays
 * are empty then. A step without its first half (lode_world_solve() alone) leaves touches of
 * contacts as they are.
 *
 * A world without sensors and flags pays nothing for this. */
#ifndef LODE_EVENT_H
#define LODE_EVENT_H

#include "types.h"

LODE_EXTERN_C_BEGIN

/* A touch that began or ended. In an event of a sensor it is shape_a. Handles of what was destroyed
 * since are stale; which is how an end tells of it. */
typedef struct lode_touch_event {
    lode_shape shape_a, shape_b;
    lode_body body_a, body_b;
    void *user_data_a, *user_data_b; /* of the shapes, when they were last seen to touch */
} lode_touch_event;

/* A contact of shapes of which one asks for it (`impact_events`), and which pushed in the step
 * after closing with at least the world's `impact_threshold`. A shape on a mesh has one for each
 * normal it hits with. */
typedef struct lode_impact_event {
    lode_shape shape_a, shape_b;
    lode_body body_a, body_b;
    void *user_data_a, *user_data_b; /* of the shapes */
    lode_vec3 position; /* world: the mean of its points, by their impulses, as the step began */
    lode_vec3 normal;   /* unit, world, pointing into body_a */
    lode_real impulse;  /* N s along the normal, of all points, in all of the step */
    lode_real approach_speed; /* m/s along the normal as the step began, of the fastest point */
} lode_impact_event;

/* A joint that broke at the end of the step, because it bore more than its max_force or max_torque
 * (lode/joint.h). It is disabled now, and its bodies are awake. */
typedef struct lode_break_event {
    lode_joint joint;
    lode_body body_a, body_b; /* body_b null: the world */
    void *user_data;          /* of the joint */
    lode_vec3 force;  /* that broke it, as lode_joint_get_force() would have told: N, on body_a */
    lode_vec3 torque; /* and as lode_joint_get_anchor_torque(): N m, on body_a */
} lode_break_event;

/* Each array is ordered by the slots of shape_a and shape_b, breaks by the joint's. */
typedef struct lode_events {
    int contact_begin_count, contact_end_count;
    int sensor_begin_count, sensor_end_count;
    int impact_count, break_count;
    const lode_touch_event *contact_begins, *contact_ends;
    const lode_touch_event *sensor_begins, *sensor_ends;
    const lode_impact_event *impacts;
    const lode_break_event *breaks;
} lode_events;

/* Those of the last step; the arrays belong to the world and are good until the next step begins,
 * or the world is set back. Empty between two halves, after a step that failed, and on failure:
 * LODE_ERROR_HANDLE. Should memory for the touches of sensors run out, which no step needs
 * otherwise, they are told by a later step, and LODE_WARNING_SENSORS_LATE is counted. */
LODE_API lode_events lode_world_get_events(lode_world world);

/* Copies up to `capacity` shapes that the sensor touched at the end of the last step, in the order
 * of their slots, without those destroyed since, and returns how many there are; 0 on failure, also
 * for a shape that is no sensor. With `capacity` 0 the array may be null. */
LODE_API int lode_shape_get_overlaps(lode_shape shape, lode_shape *out_shapes, int capacity);

LODE_EXTERN_C_END

#endif
