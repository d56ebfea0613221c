/* world.c: worlds of the ODE face, and their settings. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/joint.h"
#include "ode/memory.h"
#include "ode/threading/step.h"
#include "ode/working_memory.h"

#include "core/memory.h"

#include <string.h>

/* ODE's default softness keeps systems with redundant rows solvable. */
#define DEFAULT_CFM (sizeof(dReal) == sizeof(float) ? (dReal)1e-5 : (dReal)1e-10)
#define DEFAULT_THRESHOLD ((dReal)0.01)

/* What a step of ODE's is: one go, with what is asked for made good by `erp` within it, and no
 * settings of contacts that ODE has not. Gravity is among the forces that a step brings. */
static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = (lode_vec3){0, 0, 0};
    def.solver = LODE_SOLVER_DIRECT;
    def.sub_steps = 1;
    def.max_correcting_velocity = (lode_real)INFINITY;
    def.surface_layer = 0;
    def.sleep.enabled = false;
    return lode_world_create(&def);
}

static void set_defaults(dWorldID world)
{
    world->erp = (dReal)0.2;
    world->cfm = DEFAULT_CFM;
    world->max_correcting_velocity = (dReal)INFINITY;
    world->max_angular_speed = (dReal)INFINITY;
    world->idle = (lode__ode_idle){.linear_threshold = DEFAULT_THRESHOLD,
                                   .angular_threshold = DEFAULT_THRESHOLD,
                                   .steps = 10,
                                   .samples = 1};
    world->damping = (lode__ode_damping){.linear_threshold = DEFAULT_THRESHOLD,
                                         .angular_threshold = DEFAULT_THRESHOLD};
    world->quick_iterations = 20;
    world->fast_depth = 1000;
    world->quick_w = (dReal)1.3;
}

dWorldID dWorldCreate(void)
{
    dWorldID world = dAlloc(sizeof *world);
    if (!CHECK(world != NULL, "memory", "is wanting"))
        return NULL;
    memset(world, 0, sizeof *world);
    set_defaults(world);
    world->handle = make_world();
    if (!lode__open_world(&world->lode, world->handle, __func__))
        return world;
    dFree(world, sizeof *world);
    CHECK(false, "memory", "is wanting, or there are too many worlds");
    return NULL;
}

/* Those of groups stay in their groups, of no world. */
static void end_joint(dJointID joint)
{
    if (joint->group)
        lode__ode_joint_end(joint);
    else
        dJointDestroy(joint);
}

void dWorldDestroy(dWorldID world)
{
    if (!CHECK_GIVEN(world))
        return;
    while (world->bodies)
        dBodyDestroy(world->bodies);
    while (world->joints)
        end_joint(world->joints);
    while (world->contacts)
        end_joint(world->contacts);
    lode_world_destroy(world->handle);
    lode__free(world->row, world->row_capacity * sizeof *world->row);
    lode__ode_working_leave(world);
    lode__ode_threads_leave(world);
    dFree(world, sizeof *world);
}

void dWorldSetData(dWorldID world, void *data)
{
    if (CHECK_GIVEN(world))
        world->data = data;
}

void *dWorldGetData(dWorldID world)
{
    return CHECK_GIVEN(world) ? world->data : NULL;
}

void dWorldSetGravity(dWorldID world, dReal x, dReal y, dReal z)
{
    if (!CHECK_GIVEN(world) || !CHECK_FINITE(x, y, z))
        return;
    world->gravity[0] = x;
    world->gravity[1] = y;
    world->gravity[2] = z;
}

void dWorldGetGravity(dWorldID world, dVector3 gravity)
{
    if (CHECK_GIVEN(world) && CHECK_GIVEN(gravity))
        memcpy(gravity, world->gravity, sizeof world->gravity);
}

void dWorldImpulseToForce(dWorldID world, dReal stepsize, dReal ix, dReal iy, dReal iz,
                          dVector3 force)
{
    if (!CHECK_GIVEN(world) || !CHECK(stepsize > 0, "stepsize", "must be above 0") ||
        !CHECK_GIVEN(force))
        return;
    force[0] = ix / stepsize;
    force[1] = iy / stepsize;
    force[2] = iz / stepsize;
}

/* --- numbers, each within its range */

#define AT_LEAST_0(x) ((x) >= 0)
#define SHARE(x) ((x) >= 0 && (x) <= 1)
#define ABOVE_0(x) ((x) > 0)

/* clang-format off */
#define NUMBERS(X) \
    /* name                     type   field                    range       message */ \
    X(ERP,                      dReal, erp,                     SHARE,      "must be in 0..1") \
    X(CFM,                      dReal, cfm,                     AT_LEAST_0, "must be at least 0") \
    X(ContactMaxCorrectingVel,  dReal, max_correcting_velocity, AT_LEAST_0, "must be at least 0") \
    X(ContactSurfaceLayer,      dReal, surface_layer,           AT_LEAST_0, "must be at least 0") \
    X(QuickStepNumIterations,   int,   quick_iterations,        ABOVE_0,    "must be above 0") \
    X(QuickStepW,               dReal, quick_w,                 ABOVE_0,    "must be above 0")
/* clang-format on */

#define ACCESS(NAME, type, field, range, message) \
    void dWorldSet##NAME(dWorldID world, type value) \
    { \
        if (CHECK_GIVEN(world) && CHECK(range(value), "value", message)) \
            world->field = value; \
    } \
    type dWorldGet##NAME(dWorldID world) \
    { \
        return CHECK_GIVEN(world) ? world->field : 0; \
    }

NUMBERS(ACCESS)

/* Threads come with an implementation of threading; this says how many islands may be solved at
 * once. */
void dWorldSetStepIslandsProcessingMaxThreadCount(dWorldID w, unsigned count)
{
    if (CHECK_GIVEN(w))
        w->island_threads = count;
}

unsigned dWorldGetStepIslandsProcessingMaxThreadCount(dWorldID w)
{
    return CHECK_GIVEN(w) ? w->island_threads : 0;
}
