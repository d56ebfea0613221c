/* teeth.c: where two wheels meet. */
#include "ode/teeth.h"

/* The unit vector along the part of `v` across a unit vector; false where there is none. */
static bool across(lode_vec3 v, lode_vec3 axis, lode_vec3 *out, dReal *out_length)
{
    lode_vec3 part = v3_madd(v, axis, -v3_dot(v, axis));
    *out_length = v3_length(part);
    if (!(*out_length > REAL_EPSILON * v3_length(v)))
        return false;
    *out = v3_scale(part, 1 / *out_length);
    return true;
}

/* Between the anchors, where radii are as the ratio says. */
static bool teeth_parallel(const lode__ode_wheels *w, lode__ode_teeth *out)
{
    lode_vec3 way = v3_sub(w->anchor[1], w->anchor[0]), u;
    dReal distance;
    if (!across(way, w->axis[0], &u, &distance))
        return false;
    out->radius[0] = distance * w->ratio / (1 + w->ratio);
    out->radius[1] = distance / (1 + w->ratio);
    out->spoke[0] = u;
    out->spoke[1] = v3_neg(u);
    out->normal = v3_cross(w->axis[0], u);
    return true;
}

/* On the line that the planes of both wheels have in common. A spoke lies in its wheel's plane and
 * across that line; it ends in the other wheel's plane. */
static bool teeth_intersecting(const lode__ode_wheels *w, lode__ode_teeth *out)
{
    lode_vec3 line = v3_cross(w->axis[0], w->axis[1]);
    dReal sine = v3_length(line);
    if (!(sine > REAL_EPSILON))
        return false;
    out->normal = v3_scale(line, 1 / sine);
    for (int i = 0; i < 2; ++i) {
        lode_vec3 spoke = v3_cross(out->normal, w->axis[i]);
        lode_vec3 way = v3_sub(w->anchor[!i], w->anchor[i]);
        dReal along = v3_dot(way, w->axis[!i]) / v3_dot(spoke, w->axis[!i]);
        out->radius[i] = r_abs(along);
        out->spoke[i] = along < 0 ? v3_neg(spoke) : spoke;
    }
    return out->radius[0] > 0 && out->radius[1] > 0;
}

/* On the tangent of both on the side of a x u, u being the way from one anchor to the other. */
static bool teeth_chain(const lode__ode_wheels *w, lode__ode_teeth *out)
{
    lode_vec3 way = v3_sub(w->anchor[1], w->anchor[0]), u;
    dReal distance;
    if (!across(way, w->axis[0], &u, &distance))
        return false;
    dReal sine = (w->radius[0] - w->radius[1]) / distance;
    if (!(sine * sine < 1))
        return false;
    dReal cosine = r_sqrt(1 - sine * sine);
    lode_vec3 side = v3_cross(w->axis[0], u);
    for (int i = 0; i < 2; ++i) {
        out->radius[i] = w->radius[i];
        out->spoke[i] = v3_add(v3_scale(u, sine), v3_scale(side, cosine));
    }
    out->normal = v3_sub(v3_scale(u, cosine), v3_scale(side, sine));
    return out->radius[0] > 0 && out->radius[1] > 0;
}

bool lode__ode_teeth_of(const lode__ode_wheels *wheels, lode__ode_teeth *out)
{
    typedef bool teeth_fn(const lode__ode_wheels *wheels, lode__ode_teeth *out);
    static teeth_fn *const of_mode[] = {[dTransmissionParallelAxes] = teeth_parallel,
                                        [dTransmissionIntersectingAxes] = teeth_intersecting,
                                        [dTransmissionChainDrive] = teeth_chain};
    if (!of_mode[wheels->mode](wheels, out))
        return false;
    for (int i = 0; i < 2; ++i) {
        lode_vec3 goes = v3_cross(wheels->axis[i], out->spoke[i]);
        out->contact[i] = v3_madd(wheels->anchor[i], out->spoke[i], out->radius[i]);
        out->side[i] = v3_dot(goes, out->normal) < 0 ? -1 : 1;
    }
    return true;
}
