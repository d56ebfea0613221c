/* missed_ode.c: by how much a step of an ODE program misses what its rows ask for; see
 * missed_ode.h. It is compiled twice, as engine_ode.c. */
#include "bench/missed_ode.h"

#include "bench/tool.h"
#include "bench/vector.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void bench_missed_begin(bench_missed *missed, double dt)
{
    missed->count = missed->touch_count = 0;
    missed->dt = dt;
}

/* What a force through a point at `arm` from the body's centre moves it by there. Bodies of scenes
 * have their principal axes as their own. */
static double inv_mass_at(dBodyID body, const double arm[3], const double direction[3])
{
    dMass mass;
    double turn[3], result;
    dVector3 own;
    if (!body)
        return 0;
    dBodyGetMass(body, &mass);
    bench_cross(arm, direction, turn);
    dBodyVectorFromWorld(body, turn[0], turn[1], turn[2], own);
    result = 1 / mass.mass;
    for (int i = 0; i < 3; ++i)
        result += own[i] * own[i] / mass.I[5 * i];
    return result;
}

static bench_missed_row *add_row(bench_missed *missed, dBodyID a, dBodyID b, const double at[3],
                                 const double direction[3])
{
    missed->rows = bench_grow(missed->rows, missed->count, &missed->capacity, sizeof *missed->rows);
    bench_missed_row *row = &missed->rows[missed->count++];
    *row = (bench_missed_row){.bodies = {a, b}, .touch = -1};
    memcpy(row->direction, direction, sizeof row->direction);
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; row->bodies[i] && k < 3; ++k)
            row->arms[i][k] = at[k] - dBodyGetPosition(row->bodies[i])[k];
        row->inv_mass += inv_mass_at(row->bodies[i], row->arms[i], direction);
    }
    return row;
}

/* The normal points into the first body, or out of the second where there is no first. */
void bench_missed_touch(bench_missed *missed, dJointID joint, const dContact *contact, dBodyID a,
                        dBodyID b)
{
    dWorldID world = dBodyGetWorld(a ? a : b);
    const dContactGeom *geom = &contact->geom;
    double sign = a ? 1 : -1;
    const dVector3 normal = {sign * geom->normal[0], sign * geom->normal[1],
                             sign * geom->normal[2]};
    dVector3 across[2];
    dPlaneSpace(normal, across[0], across[1]);
    missed->touches = bench_grow(missed->touches, missed->touch_count, &missed->touch_capacity,
                                 sizeof(dJointID));
    missed->touches[missed->touch_count] = joint;
    const double *directions[3] = {normal, across[0], across[1]};
    for (int i = 0; i < 3; ++i) {
        bench_missed_row *row = add_row(missed, a ? a : b, a ? b : NULL, geom->pos, directions[i]);
        row->touch = missed->touch_count;
        row->friction = i ? contact->surface.mu : -1;
        if (i == 0)
            row->asked = dWorldGetERP(world) * fmax(geom->depth, 0) / missed->dt;
    }
    ++missed->touch_count;
}

void bench_missed_joint(bench_missed *missed, dWorldID world, dJointID joint)
{
    bool ball = dJointGetType(joint) == dJointTypeBall;
    dVector3 first, second;
    (ball ? dJointGetBallAnchor : dJointGetHingeAnchor)(joint, first);
    (ball ? dJointGetBallAnchor2 : dJointGetHingeAnchor2)(joint, second);
    for (int i = 0; i < 3; ++i) {
        const double axis[3] = {i == 0, i == 1, i == 2};
        bench_missed_row *row = add_row(missed, dJointGetBody(joint, 0), dJointGetBody(joint, 1),
                                        first, axis);
        row->asked = dWorldGetERP(world) * (second[i] - first[i]) / missed->dt;
    }
}

void bench_missed_listen(bench_missed *missed)
{
    free(missed->forces);
    missed->forces = bench_alloc((size_t)missed->touch_count + 1, sizeof *missed->forces);
    for (int i = 0; i < missed->touch_count; ++i)
        dJointSetFeedback(missed->touches[i], &missed->forces[i]);
}

static double velocity_along(const bench_missed_row *row)
{
    double sum = 0;
    for (int i = 0; i < 2 && row->bodies[i]; ++i) {
        double turn[3];
        bench_cross(dBodyGetAngularVel(row->bodies[i]), row->arms[i], turn);
        double speed = bench_dot(dBodyGetLinearVel(row->bodies[i]), row->direction) +
                       bench_dot(turn, row->direction);
        sum += i ? -speed : speed;
    }
    return sum;
}

/* The first body's force is f1, also where a contact was attached to the world first. */
static double impulse_along(const bench_missed *missed, const bench_missed_row *row,
                            const double direction[3])
{
    return missed->dt * bench_dot(missed->forces[row->touch].f1, direction);
}

static double missed_by(const bench_missed *missed, const bench_missed_row *row)
{
    double beside = velocity_along(row) - row->asked;
    if (row->touch < 0)
        return beside;
    double impulse = impulse_along(missed, row, row->direction), lo = 0, hi = INFINITY;
    if (row->friction >= 0) {
        const bench_missed_row *normal = row;
        while (normal->friction >= 0)
            --normal;
        hi = row->friction * fmax(impulse_along(missed, normal, normal->direction), 0);
        lo = -hi;
    }
    double better = fmin(fmax(impulse - beside / row->inv_mass, lo), hi);
    return (impulse - better) * row->inv_mass;
}

double bench_missed_mean(const bench_missed *missed)
{
    double sum = 0;
    for (int i = 0; i < missed->count; ++i) {
        double by = missed_by(missed, &missed->rows[i]);
        sum += by * by;
    }
    return missed->count ? sqrt(sum / missed->count) : 0;
}

void bench_missed_free(bench_missed *missed)
{
    free(missed->rows);
    free(missed->touches);
    free(missed->forces);
}
