/* test_car.c: a car of the ODE face on driven wheels under dWorldStep, straight on and in a turn.
 * Wheels that steer nowhere else, motors and tyres hold the chassis more often than it can move:
 * what they contradict each other by is kept apart by softness alone, so the smallest error that a
 * step leaves comes back as impulses of wheel against wheel, and a wheel that leaves the ground by
 * a nanometre is pushed down by its spring at 0.2 m/s. Nothing of that may happen. */
#include "joint_tests.h"

enum { MOST_WHEELS = 8, SETTLING = 1000, WATCHED = 500, TURN_SETTLING = 300, TURN_WATCHED = 2000 };

#define RADIUS ((dReal)0.18)
#define SPIN ((dReal)3) /* rad/s */
#define ROUNDING (sizeof(dReal) == 8 ? 1e-12 : 1e-4)
#define SETTLED 1e-6                           /* share of the speed */
#define HOP (sizeof(dReal) == 8 ? 1e-8 : 1e-2) /* m/s, up or down */

typedef struct car {
    dWorldID world;
    int wheels;
    dBodyID chassis, wheel[MOST_WHEELS];
    dGeomID ground, tyre[MOST_WHEELS];
    dJointGroupID contacts;
} car;

static void add_wheel(car *c, int k, dReal steer)
{
    const dReal back = (dReal)(k / 2) / (dReal)(c->wheels / 2 - 1),
                x = (dReal)0.35 - (dReal)0.7 * back;
    const dReal y = k % 2 ? (dReal)0.35 : (dReal)-0.35;
    const dVector3 steering = {0, 0, 1}, axle = {0, 1, 0};
    dMass m;
    dMassSetSphereTotal(&m, (dReal)0.2, RADIUS);
    c->wheel[k] = dBodyCreate(c->world);
    dBodySetMass(c->wheel[k], &m);
    dBodySetPosition(c->wheel[k], x, y, (dReal)0.35);
    c->tyre[k] = dCreateSphere(NULL, RADIUS);
    dGeomSetBody(c->tyre[k], c->wheel[k]);
    dJointID joint = dJointCreateHinge2(c->world, NULL);
    dJointAttach(joint, c->chassis, c->wheel[k]);
    dJointSetHinge2Anchor(joint, x, y, (dReal)0.35);
    dJointSetHinge2Axes(joint, steering, axle);
    dJointSetHinge2Param(joint, dParamSuspensionERP, (dReal)0.4);
    dJointSetHinge2Param(joint, dParamSuspensionCFM, (dReal)0.8);
    dJointSetHinge2Param(joint, dParamVel2, -SPIN);
    dJointSetHinge2Param(joint, dParamFMax2, (dReal)0.1);
    dJointSetHinge2Param(joint, dParamLoStop, k < 2 ? steer : 0);
    dJointSetHinge2Param(joint, dParamHiStop, k < 2 ? steer : 0);
}

static car make_car(int wheels, dReal steer)
{
    car c = {.world = dWorldCreate(), .wheels = wheels, .contacts = dJointGroupCreate(0)};
    dMass m;
    dWorldSetGravity(c.world, 0, 0, (dReal)-9.81);
    c.ground = dCreatePlane(NULL, 0, 0, 1, 0);
    c.chassis = dBodyCreate(c.world);
    dMassSetBoxTotal(&m, 1, (dReal)0.7, (dReal)0.5, (dReal)0.2);
    dBodySetMass(c.chassis, &m);
    dBodySetPosition(c.chassis, 0, 0, (dReal)0.5);
    for (int k = 0; k < c.wheels; ++k)
        add_wheel(&c, k, steer);
    return c;
}

static void drive(car *c, int steps)
{
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < c->wheels; ++k) {
            dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.8}};
            if (dCollide(c->tyre[k], c->ground, 1, &contact.geom, sizeof contact.geom) > 0)
                dJointAttach(dJointCreateContact(c->world, c->contacts, &contact), c->wheel[k],
                             NULL);
        }
        run(c->world, 1);
        dJointGroupEmpty(c->contacts);
    }
}

static void free_car(car *c)
{
    for (int k = 0; k < c->wheels; ++k)
        dGeomDestroy(c->tyre[k]);
    dGeomDestroy(c->ground);
    dJointGroupDestroy(c->contacts);
    dWorldDestroy(c->world);
}

static void goes_straight_on(const dReal *velocity)
{
    near_to(velocity[0], (double)SPIN * RADIUS, (double)SPIN * RADIUS * SETTLED + ROUNDING);
    near_to(velocity[1], 0, ROUNDING);
}

static void car_rolls_straight_on(void **state)
{
    (void)state;
    car c = make_car(4, 0);
    drive(&c, SETTLING);
    for (int i = 0; i < WATCHED; ++i) {
        drive(&c, 1);
        goes_straight_on(dBodyGetLinearVel(c.chassis));
        for (int k = 0; k < c.wheels; ++k) {
            goes_straight_on(dBodyGetLinearVel(c.wheel[k]));
            near_to(dBodyGetLinearVel(c.wheel[k])[2], 0, ROUNDING);
            near_to(dBodyGetAngularVel(c.wheel[k])[1], SPIN, SPIN * SETTLED + ROUNDING);
        }
    }
    free_car(&c);
}

/* Speed and rate of turning as libode has them. */
static void turns_without_hopping(int wheels, double speed, double rate)
{
    car c = make_car(wheels, (dReal)0.2);
    drive(&c, TURN_SETTLING);
    for (int i = 0; i < TURN_WATCHED; ++i) {
        drive(&c, 1);
        for (int k = 0; k < c.wheels; ++k)
            near_to(dBodyGetLinearVel(c.wheel[k])[2], 0, HOP);
    }
    const dReal *v = dBodyGetLinearVel(c.chassis);
    near_to(dBodyGetAngularVel(c.chassis)[2], rate, 5e-4);
    near_to(sqrt((double)(v[0] * v[0] + v[1] * v[1])), speed, 5e-4);
    free_car(&c);
}

static void car_turns_without_hopping(void **state)
{
    (void)state;
    turns_without_hopping(4, 0.4966, -0.13);
    turns_without_hopping(6, 0.4966, -0.13);
    turns_without_hopping(8, 0.54, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(car_rolls_straight_on),
        cmocka_unit_test(car_turns_without_hopping),
    };
    dInitODE2(0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dCloseODE();
    return failed;
}
