/* body_mass.c: what bodies of the ODE face weigh.
 *
 * The centre of mass is the body's origin. An inertia need not be that of matter: ODE takes any
 * that is positive definite. */
#include "ode/body.h"
#include "ode/check.h"
#include "world/mass.h"

#define CENTER_TOLERANCE (sizeof(dReal) == sizeof(float) ? (dReal)1.2e-7 : (dReal)2.3e-16)

/* From a matrix of rows of four to xx yy zz xy xz yz. */
static void read_inertia(const dReal *from, dReal out[6])
{
    out[0] = from[0];
    out[1] = from[5];
    out[2] = from[10];
    out[3] = from[1];
    out[4] = from[2];
    out[5] = from[6];
}

void lode__ode_body_weigh(dBodyID body)
{
    lode__local_mass local = {0};
    if (!body->kinematic) {
        local.mass = body->mass.mass;
        read_inertia(body->mass.I, local.inertia);
        for (int i = 0; i < 6; ++i)
            local.inv_inertia[i] = body->inverse_inertia[i];
    }
    body->round = inertia_is_round(local.inertia);
    lode__mass_apply(body->world->lode, body->slot, &local);
}

static bool center_is_origin(const dMass *mass)
{
    return fabs(mass->c[0]) <= CENTER_TOLERANCE && fabs(mass->c[1]) <= CENTER_TOLERANCE &&
           fabs(mass->c[2]) <= CENTER_TOLERANCE;
}

/* A kinematic body keeps its mass for when it becomes dynamic again. */
static void set_kinematic(dBodyID body, bool kinematic)
{
    body->kinematic = kinematic;
    lode_body_set_type(body_handle(body->world->lode, body->slot),
                       kinematic ? LODE_KINEMATIC : LODE_DYNAMIC);
    lode__ode_body_weigh(body);
    if (!body->enabled)
        dBodyDisable(body); /* a change of type has woken it */
}

void dBodySetMass(dBodyID body, const dMass *mass)
{
    if (!CHECK_GIVEN(body) || !CHECK_GIVEN(mass) ||
        !CHECK(isfinite(mass->mass) && mass->mass > 0, "mass", "must be finite and above 0") ||
        !CHECK(center_is_origin(mass), "mass", "must have its centre at the body's origin"))
        return;
    dReal inertia[6], inverse[6];
    read_inertia(mass->I, inertia);
    if (!CHECK(s3_invert(inertia, inverse), "mass", "must have a positive definite inertia"))
        return;
    body->mass = *mass;
    for (int i = 0; i < 6; ++i)
        body->inverse_inertia[i] = inverse[i];
    set_kinematic(body, false);
}

void dBodyGetMass(dBodyID body, dMass *mass)
{
    if (CHECK_GIVEN(body) && CHECK_GIVEN(mass))
        *mass = body->mass;
}

void dBodySetKinematic(dBodyID body)
{
    if (CHECK_GIVEN(body))
        set_kinematic(body, true);
}

void dBodySetDynamic(dBodyID body)
{
    if (CHECK_GIVEN(body))
        set_kinematic(body, false);
}

int dBodyIsKinematic(dBodyID body)
{
    return CHECK_GIVEN(body) && body->kinematic;
}
