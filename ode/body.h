/* body.h: what the files about bodies share. */
#ifndef LODE_ODE_BODY_H
#define LODE_ODE_BODY_H

#include "ode/state.h"

#include "core/math.h"

/* Vectors and rotations of the two layouts. */
static inline lode_vec3 vec_of(const dReal *v)
{
    return (lode_vec3){v[0], v[1], v[2]};
}
static inline void put_vec(dReal *out, lode_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}
static inline lode_quat quat_of(const dReal *q)
{
    return (lode_quat){q[0], q[1], q[2], q[3]};
}
static inline bool has_length(const dReal *q)
{
    return q_finite(quat_of(q)) && q_dot(quat_of(q), quat_of(q)) > 0;
}
static inline void put_quat(dReal *out, lode_quat q)
{
    out[0] = q.w;
    out[1] = q.x;
    out[2] = q.y;
    out[3] = q.z;
}

/* body.c: lists the world's bodies in a row, if some have come or gone. False: no memory. */
bool lode__ode_bodies_list(dWorldID world);

enum { LODE__ODE_BODIES_AHEAD = 6 }; /* bodies of that row that are fetched ahead */

/* The body that comes so many places after place `i` of the row, or the last: what a walk is about
 * to ask for. */
static inline dBodyID body_ahead(const struct dxWorld *world, uint32_t i, uint32_t by)
{
    return world->row[i + by < world->row_count ? i + by : world->row_count - 1];
}

/* The rotation matrix follows from the quaternion. */
void lode__ode_body_turned(dBodyID body);

/* collision/geom_body.c: all geoms of a body have moved with it; it ends, and leaves them where
 * they are. */
void lode__ode_body_geoms_moved(dBodyID body);
void lode__ode_body_geoms_leave(dBodyID body);

/* What a list of the body's joints says is so; of contacts it is not where all have ended since. */
static inline bool lode__ode_list_counts(const struct dxBody *body, int list)
{
    return list != LODE__ODE_CONTACTS || body->contact_epoch == body->world->contact_epoch;
}

static inline dJointID lode__ode_first_joint(const struct dxBody *body, int list)
{
    return lode__ode_list_counts(body, list) ? body->lists[list] : NULL;
}

/* body_mass.c: what the pools are to know of the body's mass: nothing of a kinematic one's. */
void lode__ode_body_weigh(dBodyID body);

#endif
