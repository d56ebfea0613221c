/* objects.h: worlds, bodies and joints. */
#ifndef _ODE_OBJECTS_H_
#define _ODE_OBJECTS_H_

#include "common.h"
#include "contact.h"
#include "mass.h"
#include "threading.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Worlds. A world owns its bodies, and its joints but for those of groups. */
ODE_API dWorldID dWorldCreate(void);
ODE_API void dWorldDestroy(dWorldID world);
ODE_API void *dWorldGetData(dWorldID world);
ODE_API void dWorldSetData(dWorldID world, void *data);

/* How many islands may be solved at the same time; 0, as at first: any number. */
#define dWORLDSTEP_THREADCOUNT_UNLIMITED 0u
ODE_API void dWorldSetStepIslandsProcessingMaxThreadCount(dWorldID w, unsigned count);
ODE_API unsigned dWorldGetStepIslandsProcessingMaxThreadCount(dWorldID w);

/* Whose threads run what a step can do at once, besides the one that steps; nulls: none. The
 * implementation must outlive the world's use of it. Results are the same for any number of
 * threads. */
ODE_API void dWorldSetStepThreadingImplementation(dWorldID w,
                                                  const dThreadingFunctionsInfo *functions_info,
                                                  dThreadingImplementationID threading_impl);

/* Memory for the length of a step is kept from one step to the next. Worlds may share it, and what
 * is set of it, and are not to be stepped at the same time then; null: `w` has its own again. 1 for
 * success. */
ODE_API int dWorldUseSharedWorkingMemory(dWorldID w, dWorldID from_world);
ODE_API void dWorldCleanupWorkingMemory(dWorldID w);

#define dWORLDSTEP_RESERVEFACTOR_DEFAULT 1.2f
#define dWORLDSTEP_RESERVESIZE_DEFAULT 65536u

/* By what factor, at least 1, more is taken than a step needs, and how many bytes at least. */
typedef struct {
    unsigned struct_size;
    float reserve_factor;
    unsigned reserve_minimum;
} dWorldStepReserveInfo;

/* Null: the default. 1 for success. */
ODE_API int dWorldSetStepMemoryReservationPolicy(dWorldID w,
                                                 const dWorldStepReserveInfo *policyinfo);

typedef struct {
    unsigned struct_size;
    void *(*alloc_block)(dsizeint block_size);
    void *(*shrink_block)(void *block_pointer, dsizeint block_current_size,
                          dsizeint block_smaller_size);
    void (*free_block)(void *block_pointer, dsizeint block_current_size);
} dWorldStepMemoryFunctionsInfo;

/* Who gives that memory; null: dAlloc() and its like. 1 for success. */
ODE_API int dWorldSetStepMemoryManager(dWorldID w, const dWorldStepMemoryFunctionsInfo *memfuncs);

/* Gravity, m/s^2; what rows make good of their error in each step (ERP, 0..1), and how soft they
 * are (CFM, s/kg). Joints take both at their making where they have their own. */
ODE_API dReal dWorldGetCFM(dWorldID world);
ODE_API dReal dWorldGetERP(dWorldID world);
ODE_API void dWorldGetGravity(dWorldID world, dVector3 gravity);
ODE_API void dWorldSetCFM(dWorldID world, dReal cfm);
ODE_API void dWorldSetERP(dWorldID world, dReal erp);
ODE_API void dWorldSetGravity(dWorldID world, dReal x, dReal y, dReal z);

/* Contacts: how fast they push apart, m/s, and how deep they may be before they do, m. */
ODE_API dReal dWorldGetContactMaxCorrectingVel(dWorldID world);
ODE_API dReal dWorldGetContactSurfaceLayer(dWorldID world);
ODE_API void dWorldSetContactMaxCorrectingVel(dWorldID world, dReal vel);
ODE_API void dWorldSetContactSurfaceLayer(dWorldID world, dReal depth);

/* Steps of `stepsize` seconds: of all rows at once, and by iterations. 1; 0 where memory is
 * wanting, and then nothing has moved. The force that gives an impulse in a step. */
ODE_API void dWorldImpulseToForce(dWorldID world, dReal stepsize, dReal ix, dReal iy, dReal iz,
                                  dVector3 force);
ODE_API int dWorldQuickStep(dWorldID world, dReal stepsize);

/* What ODE's manual calls StepFast1: rows of one joint at a time, `maxiterations` times over.
 * Bodies that are told to are disabled by it when the squares of their speeds, linear and angular,
 * have been below the threshold, 0.003 at first, for so many steps, 10; enabled bodies enable those
 * within so many joints of them, 1000, or with 0 none. */
ODE_API int dWorldStepFast1(dWorldID world, dReal stepsize, int maxiterations);
ODE_API void dWorldSetAutoEnableDepthSF1(dWorldID world, int autoEnableDepth);
ODE_API int dWorldGetAutoEnableDepthSF1(dWorldID world);
ODE_API void dBodySetAutoDisableThresholdSF1(dBodyID body, dReal autoDisableThreshold);
ODE_API dReal dBodyGetAutoDisableThresholdSF1(dBodyID body);
ODE_API void dBodySetAutoDisableStepsSF1(dBodyID body, int AutoDisableSteps);
ODE_API int dBodyGetAutoDisableStepsSF1(dBodyID body);
ODE_API void dBodySetAutoDisableSF1(dBodyID body, int doAutoDisable);
ODE_API int dBodyGetAutoDisableSF1(dBodyID body);
ODE_API int dWorldStep(dWorldID world, dReal stepsize);

/* Iterations of quick steps, and their over-relaxation. */
ODE_API int dWorldGetQuickStepNumIterations(dWorldID world);
ODE_API dReal dWorldGetQuickStepW(dWorldID world);
ODE_API void dWorldSetQuickStepNumIterations(dWorldID world, int num);
ODE_API void dWorldSetQuickStepW(dWorldID world, dReal over_relaxation);

/* For bodies to come: when they disable themselves, as with bodies below. */
ODE_API dReal dWorldGetAutoDisableAngularThreshold(dWorldID world);
ODE_API int dWorldGetAutoDisableAverageSamplesCount(dWorldID world);
ODE_API int dWorldGetAutoDisableFlag(dWorldID world);
ODE_API dReal dWorldGetAutoDisableLinearThreshold(dWorldID world);
ODE_API int dWorldGetAutoDisableSteps(dWorldID world);
ODE_API dReal dWorldGetAutoDisableTime(dWorldID world);
ODE_API void dWorldSetAutoDisableAngularThreshold(dWorldID world, dReal angular_average_threshold);
ODE_API void dWorldSetAutoDisableAverageSamplesCount(dWorldID world,
                                                     unsigned int average_samples_count);
ODE_API void dWorldSetAutoDisableFlag(dWorldID world, int do_auto_disable);
ODE_API void dWorldSetAutoDisableLinearThreshold(dWorldID world, dReal linear_average_threshold);
ODE_API void dWorldSetAutoDisableSteps(dWorldID world, int steps);
ODE_API void dWorldSetAutoDisableTime(dWorldID world, dReal time);

/* For bodies to come: damping and the largest angular speed, as with bodies below. */
ODE_API dReal dWorldGetAngularDamping(dWorldID world);
ODE_API dReal dWorldGetAngularDampingThreshold(dWorldID world);
ODE_API dReal dWorldGetLinearDamping(dWorldID world);
ODE_API dReal dWorldGetLinearDampingThreshold(dWorldID world);
ODE_API dReal dWorldGetMaxAngularSpeed(dWorldID world);
ODE_API void dWorldSetAngularDamping(dWorldID world, dReal scale);
ODE_API void dWorldSetAngularDampingThreshold(dWorldID world, dReal threshold);
ODE_API void dWorldSetDamping(dWorldID world, dReal linear_scale, dReal angular_scale);
ODE_API void dWorldSetLinearDamping(dWorldID world, dReal scale);
ODE_API void dWorldSetLinearDampingThreshold(dWorldID world, dReal threshold);
ODE_API void dWorldSetMaxAngularSpeed(dWorldID world, dReal max_speed);

/* Bodies. Getters of positions, rotations, velocities and forces return what lives as long as the
 * body and shows it as it is. */
ODE_API dBodyID dBodyCreate(dWorldID world);
ODE_API void dBodyDestroy(dBodyID body);
ODE_API void *dBodyGetData(dBodyID body);
ODE_API dWorldID dBodyGetWorld(dBodyID body);
ODE_API void dBodySetData(dBodyID body, void *data);

/* The body's frame; its origin is the centre of mass. Setting a quaternion or a matrix
 * normalises. */
ODE_API void dBodyCopyPosition(dBodyID body, dVector3 pos);
ODE_API void dBodyCopyQuaternion(dBodyID body, dQuaternion quat);
ODE_API void dBodyCopyRotation(dBodyID body, dMatrix3 R);
ODE_API const dReal *dBodyGetPosition(dBodyID body);
ODE_API const dReal *dBodyGetQuaternion(dBodyID body);
ODE_API const dReal *dBodyGetRotation(dBodyID body);
ODE_API void dBodySetPosition(dBodyID body, dReal x, dReal y, dReal z);
ODE_API void dBodySetQuaternion(dBodyID body, const dQuaternion q);
ODE_API void dBodySetRotation(dBodyID body, const dMatrix3 R);

/* Velocities, m/s and rad/s, world. */
ODE_API const dReal *dBodyGetAngularVel(dBodyID body);
ODE_API const dReal *dBodyGetLinearVel(dBodyID body);
ODE_API void dBodySetAngularVel(dBodyID body, dReal x, dReal y, dReal z);
ODE_API void dBodySetLinearVel(dBodyID body, dReal x, dReal y, dReal z);

/* Mass, with its centre at the origin. A kinematic body moves as its velocity says, and keeps its
 * mass for when it is dynamic again. */
ODE_API void dBodyGetMass(dBodyID body, dMass *mass);
ODE_API int dBodyIsKinematic(dBodyID body);
ODE_API void dBodySetDynamic(dBodyID body);
ODE_API void dBodySetKinematic(dBodyID body);
ODE_API void dBodySetMass(dBodyID body, const dMass *mass);

/* Forces and torques, N and N m, gathered until the next step. Rel: in the body's axes or frame. */
ODE_API void dBodyAddForce(dBodyID body, dReal fx, dReal fy, dReal fz);
ODE_API void dBodyAddForceAtPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py,
                                dReal pz);
ODE_API void dBodyAddForceAtRelPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py,
                                   dReal pz);
ODE_API void dBodyAddRelForce(dBodyID body, dReal fx, dReal fy, dReal fz);
ODE_API void dBodyAddRelForceAtPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py,
                                   dReal pz);
ODE_API void dBodyAddRelForceAtRelPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px,
                                      dReal py, dReal pz);
ODE_API void dBodyAddRelTorque(dBodyID body, dReal fx, dReal fy, dReal fz);
ODE_API void dBodyAddTorque(dBodyID body, dReal fx, dReal fy, dReal fz);
ODE_API const dReal *dBodyGetForce(dBodyID body);
ODE_API const dReal *dBodyGetTorque(dBodyID body);
ODE_API void dBodySetForce(dBodyID body, dReal x, dReal y, dReal z);
ODE_API void dBodySetTorque(dBodyID body, dReal x, dReal y, dReal z);

/* Points and directions of the body, in world coordinates and in its own. */
ODE_API void dBodyGetPointVel(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dBodyGetPosRelPoint(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dBodyGetRelPointPos(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dBodyGetRelPointVel(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dBodyVectorFromWorld(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);
ODE_API void dBodyVectorToWorld(dBodyID body, dReal px, dReal py, dReal pz, dVector3 result);

/* What is disabled is in no step. A step enables what hangs on an enabled body. */
ODE_API void dBodyDisable(dBodyID body);
ODE_API void dBodyEnable(dBodyID body);
ODE_API int dBodyIsEnabled(dBodyID body);

/* When a body disables itself: once its mean velocity over some samples has been below both
 * thresholds, m/s and rad/s, for so many steps and for so long, s; only with a joint on it. */
ODE_API dReal dBodyGetAutoDisableAngularThreshold(dBodyID body);
ODE_API int dBodyGetAutoDisableAverageSamplesCount(dBodyID body);
ODE_API int dBodyGetAutoDisableFlag(dBodyID body);
ODE_API dReal dBodyGetAutoDisableLinearThreshold(dBodyID body);
ODE_API int dBodyGetAutoDisableSteps(dBodyID body);
ODE_API dReal dBodyGetAutoDisableTime(dBodyID body);
ODE_API void dBodySetAutoDisableAngularThreshold(dBodyID body, dReal angular_average_threshold);
ODE_API void dBodySetAutoDisableAverageSamplesCount(dBodyID body,
                                                    unsigned int average_samples_count);
ODE_API void dBodySetAutoDisableDefaults(dBodyID body);
ODE_API void dBodySetAutoDisableFlag(dBodyID body, int do_auto_disable);
ODE_API void dBodySetAutoDisableLinearThreshold(dBodyID body, dReal linear_average_threshold);
ODE_API void dBodySetAutoDisableSteps(dBodyID body, int steps);
ODE_API void dBodySetAutoDisableTime(dBodyID body, dReal time);

/* Damping takes a share of a velocity above a threshold in each step; the angular speed is
 * limited. */
ODE_API dReal dBodyGetAngularDamping(dBodyID body);
ODE_API dReal dBodyGetAngularDampingThreshold(dBodyID body);
ODE_API dReal dBodyGetLinearDamping(dBodyID body);
ODE_API dReal dBodyGetLinearDampingThreshold(dBodyID body);
ODE_API dReal dBodyGetMaxAngularSpeed(dBodyID body);
ODE_API void dBodySetAngularDamping(dBodyID body, dReal scale);
ODE_API void dBodySetAngularDampingThreshold(dBodyID body, dReal threshold);
ODE_API void dBodySetDamping(dBodyID body, dReal linear_scale, dReal angular_scale);
ODE_API void dBodySetDampingDefaults(dBodyID body);
ODE_API void dBodySetLinearDamping(dBodyID body, dReal scale);
ODE_API void dBodySetLinearDampingThreshold(dBodyID body, dReal threshold);
ODE_API void dBodySetMaxAngularSpeed(dBodyID body, dReal max_speed);

/* How a body turns: by finite rotations, about an axis in world coordinates alone where one is set;
 * with its gyroscopic torque; and whether it falls. */
ODE_API void dBodyGetFiniteRotationAxis(dBodyID body, dVector3 result);
ODE_API int dBodyGetFiniteRotationMode(dBodyID body);
ODE_API int dBodyGetGravityMode(dBodyID body);
ODE_API int dBodyGetGyroscopicMode(dBodyID body);
ODE_API void dBodySetFiniteRotationAxis(dBodyID body, dReal x, dReal y, dReal z);
ODE_API void dBodySetFiniteRotationMode(dBodyID body, int mode);
ODE_API void dBodySetGravityMode(dBodyID body, int mode);
ODE_API void dBodySetGyroscopicMode(dBodyID body, int enabled);

/* Called in each step that moves the body, before its damping. */
ODE_API void dBodySetMovedCallback(dBodyID body, void (*callback)(dBodyID body));

/* The geoms that the body carries, the newest first. */
ODE_API dGeomID dBodyGetFirstGeom(dBodyID body);
ODE_API dGeomID dBodyGetNextGeom(dGeomID geom);

/* Joints of bodies. `out_list` takes as many as the body of fewer joints has. */
ODE_API dJointID dBodyGetJoint(dBodyID body, int index);
ODE_API int dBodyGetNumJoints(dBodyID body);
ODE_API int dAreConnected(dBodyID body1, dBodyID body2);
ODE_API int dAreConnectedExcluding(dBodyID body1, dBodyID body2, int joint_type);
ODE_API dJointID dConnectingJoint(dBodyID body1, dBodyID body2);
ODE_API int dConnectingJointList(dBodyID body1, dBodyID body2, dJointID *out_list);

/* Joints, in a group or, where that is null, by themselves. A contact joint copies its contact. */
ODE_API dJointID dJointCreateAMotor(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateBall(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact);
ODE_API dJointID dJointCreateDBall(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateDHinge(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateFixed(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateHinge(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateHinge2(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateLMotor(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateNull(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreatePR(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreatePU(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreatePiston(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreatePlane2D(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateSlider(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateTransmission(dWorldID world, dJointGroupID group);
ODE_API dJointID dJointCreateUniversal(dWorldID world, dJointGroupID group);

/* A joint of a group goes with its group, and destroying it does nothing. Groups may outlive their
 * world. `max_size` is of no meaning. */
ODE_API void dJointDestroy(dJointID joint);
ODE_API dJointGroupID dJointGroupCreate(int max_size);
ODE_API void dJointGroupDestroy(dJointGroupID group);
ODE_API void dJointGroupEmpty(dJointGroupID group);

/* A null body is the world. A joint without bodies holds nothing, and most of its setters do
 * nothing. */
ODE_API void dJointAttach(dJointID joint, dBodyID body1, dBodyID body2);
ODE_API dBodyID dJointGetBody(dJointID joint, int index);
ODE_API int dJointGetNumBodies(dJointID joint);
ODE_API dJointType dJointGetType(dJointID joint);

/* A disabled joint holds nothing. Feedback is written in each step, to the program's own record. */
ODE_API void dJointDisable(dJointID joint);
ODE_API void dJointEnable(dJointID joint);
ODE_API void *dJointGetData(dJointID joint);
ODE_API dJointFeedback *dJointGetFeedback(dJointID joint);
ODE_API int dJointIsEnabled(dJointID joint);
ODE_API void dJointSetData(dJointID joint, void *data);
ODE_API void dJointSetFeedback(dJointID joint, dJointFeedback *feedback);

/* Ball: holds two anchors, world, together. */
ODE_API void dJointGetBallAnchor(dJointID joint, dVector3 result);
ODE_API void dJointGetBallAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetBallParam(dJointID joint, int parameter);
ODE_API void dJointSetBallAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetBallAnchor2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetBallParam(dJointID joint, int parameter, dReal value);

/* With an offset, of any of these types, bodies stand as if the first had come by it since angle or
 * position were 0; with a delta as if body 0 were to go by it yet, which is the first unless that
 * is the world. */

/* Hinge: holds two anchors and an axis. The angle, rad, is 0 where they were set. */
ODE_API void dJointAddHingeTorque(dJointID joint, dReal torque);
ODE_API void dJointGetHingeAnchor(dJointID joint, dVector3 result);
ODE_API void dJointGetHingeAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetHingeAngle(dJointID joint);
ODE_API dReal dJointGetHingeAngleRate(dJointID joint);
ODE_API void dJointGetHingeAxis(dJointID joint, dVector3 result);
ODE_API dReal dJointGetHingeParam(dJointID joint, int parameter);
ODE_API void dJointSetHingeAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetHingeAnchorDelta(dJointID joint, dReal x, dReal y, dReal z, dReal ax,
                                       dReal ay, dReal az);
ODE_API void dJointSetHingeAxis(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetHingeAxisOffset(dJointID joint, dReal x, dReal y, dReal z, dReal angle);
ODE_API void dJointSetHingeParam(dJointID joint, int parameter, dReal value);

/* Slider: leaves one direction free. The position, m, is 0 where that was set. */
ODE_API void dJointAddSliderForce(dJointID joint, dReal force);
ODE_API void dJointGetSliderAxis(dJointID joint, dVector3 result);
ODE_API dReal dJointGetSliderParam(dJointID joint, int parameter);
ODE_API dReal dJointGetSliderPosition(dJointID joint);
ODE_API dReal dJointGetSliderPositionRate(dJointID joint);
ODE_API void dJointSetSliderAxis(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetSliderAxisDelta(dJointID joint, dReal x, dReal y, dReal z, dReal ax, dReal ay,
                                      dReal az);
ODE_API void dJointSetSliderParam(dJointID joint, int parameter, dReal value);

/* Piston: lets a body slide along the axis, m, and turn about it, rad. Both are 0 where anchor and
 * axis were set. */
ODE_API void dJointAddPistonForce(dJointID joint, dReal force);
ODE_API void dJointGetPistonAnchor(dJointID joint, dVector3 result);
ODE_API void dJointGetPistonAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPistonAngle(dJointID joint);
ODE_API dReal dJointGetPistonAngleRate(dJointID joint);
ODE_API void dJointGetPistonAxis(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPistonParam(dJointID joint, int parameter);
ODE_API dReal dJointGetPistonPosition(dJointID joint);
ODE_API dReal dJointGetPistonPositionRate(dJointID joint);
ODE_API void dJointSetPistonAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPistonAnchorOffset(dJointID joint, dReal x, dReal y, dReal z, dReal dx,
                                         dReal dy, dReal dz);
ODE_API void dJointSetPistonAxis(dJointID joint, dReal x, dReal y, dReal z);
ODE_API_DEPRECATED ODE_API void dJointSetPistonAxisDelta(dJointID joint, dReal x, dReal y, dReal z,
                                                         dReal ax, dReal ay, dReal az);
ODE_API void dJointSetPistonParam(dJointID joint, int parameter, dReal value);

/* Universal: holds two anchors, and axis 1 of the first body across axis 2 of the second. Angles,
 * rad, are 0 where the axes were set last. */
ODE_API void dJointAddUniversalTorques(dJointID joint, dReal torque1, dReal torque2);
ODE_API void dJointGetUniversalAnchor(dJointID joint, dVector3 result);
ODE_API void dJointGetUniversalAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetUniversalAngle1(dJointID joint);
ODE_API dReal dJointGetUniversalAngle1Rate(dJointID joint);
ODE_API dReal dJointGetUniversalAngle2(dJointID joint);
ODE_API dReal dJointGetUniversalAngle2Rate(dJointID joint);
ODE_API void dJointGetUniversalAngles(dJointID joint, dReal *angle1, dReal *angle2);
ODE_API void dJointGetUniversalAxis1(dJointID joint, dVector3 result);
ODE_API void dJointGetUniversalAxis2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetUniversalParam(dJointID joint, int parameter);
ODE_API void dJointSetUniversalAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetUniversalAxis1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetUniversalAxis1Offset(dJointID joint, dReal x, dReal y, dReal z, dReal offset1,
                                           dReal offset2);
ODE_API void dJointSetUniversalAxis2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetUniversalAxis2Offset(dJointID joint, dReal x, dReal y, dReal z, dReal offset1,
                                           dReal offset2);
ODE_API void dJointSetUniversalParam(dJointID joint, int parameter, dReal value);

/* Fixed: holds two bodies as they stand. */
ODE_API dReal dJointGetFixedParam(dJointID joint, int parameter);
ODE_API void dJointSetFixed(dJointID joint);
ODE_API void dJointSetFixedParam(dJointID joint, int parameter, dReal value);

/* Angular motor: drives and stops turns about up to three directions, which are the program's, or,
 * in Euler mode, those of three angles. `rel` says with what a direction turns: 0 the world, 1 the
 * first body, 2 the second. */
ODE_API void dJointAddAMotorTorques(dJointID joint, dReal torque1, dReal torque2, dReal torque3);
ODE_API dReal dJointGetAMotorAngle(dJointID joint, int anum);
ODE_API dReal dJointGetAMotorAngleRate(dJointID joint, int anum);
ODE_API void dJointGetAMotorAxis(dJointID joint, int anum, dVector3 result);
ODE_API int dJointGetAMotorAxisRel(dJointID joint, int anum);
ODE_API int dJointGetAMotorMode(dJointID joint);
ODE_API int dJointGetAMotorNumAxes(dJointID joint);
ODE_API dReal dJointGetAMotorParam(dJointID joint, int parameter);
ODE_API void dJointSetAMotorAngle(dJointID joint, int anum, dReal angle);
ODE_API void dJointSetAMotorAxis(dJointID joint, int anum, int rel, dReal x, dReal y, dReal z);
ODE_API void dJointSetAMotorMode(dJointID joint, int mode);
ODE_API void dJointSetAMotorNumAxes(dJointID joint, int num);
ODE_API void dJointSetAMotorParam(dJointID joint, int parameter, dReal value);

/* Linear motor: drives and stops slides along up to three directions. Positions are 0 where the
 * bodies were attached. */
ODE_API void dJointGetLMotorAxis(dJointID joint, int anum, dVector3 result);
ODE_API int dJointGetLMotorNumAxes(dJointID joint);
ODE_API dReal dJointGetLMotorParam(dJointID joint, int parameter);
ODE_API void dJointSetLMotorAxis(dJointID joint, int anum, int rel, dReal x, dReal y, dReal z);
ODE_API void dJointSetLMotorNumAxes(dJointID joint, int num);
ODE_API void dJointSetLMotorParam(dJointID joint, int parameter, dReal value);

/* Plane-2D: keeps a body in the plane z = 0, and its tilt. X and Y are the world's, the angle is 0
 * where it was attached. */
ODE_API void dJointSetPlane2DAngleParam(dJointID joint, int parameter, dReal value);
ODE_API void dJointSetPlane2DXParam(dJointID joint, int parameter, dReal value);
ODE_API void dJointSetPlane2DYParam(dJointID joint, int parameter, dReal value);

/* Hinge-2: a wheel, the second body, on its suspension along axis 1, about which it is steered; it
 * turns about axis 2. Both bodies are needed. Angles, rad, are 0 where anchor or axes were set
 * last. */
ODE_API void dJointAddHinge2Torques(dJointID joint, dReal torque1, dReal torque2);
ODE_API void dJointGetHinge2Anchor(dJointID joint, dVector3 result);
ODE_API void dJointGetHinge2Anchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetHinge2Angle1(dJointID joint);
ODE_API dReal dJointGetHinge2Angle1Rate(dJointID joint);
ODE_API dReal dJointGetHinge2Angle2(dJointID joint);
ODE_API dReal dJointGetHinge2Angle2Rate(dJointID joint);
ODE_API void dJointGetHinge2Axis1(dJointID joint, dVector3 result);
ODE_API void dJointGetHinge2Axis2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetHinge2Param(dJointID joint, int parameter);
ODE_API void dJointSetHinge2Anchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetHinge2Axes(dJointID joint, const dVector3 axis1, const dVector3 axis2);
ODE_API_DEPRECATED ODE_API void dJointSetHinge2Axis1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API_DEPRECATED ODE_API void dJointSetHinge2Axis2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetHinge2Param(dJointID joint, int parameter, dReal value);

/* PR: the first body slides along axis 1 against an anchor of the second, and turns about axis 2
 * there. Position, m, and angle, rad, are 0 where anchor or axes were set last. */
ODE_API void dJointAddPRTorque(dJointID joint, dReal torque);
ODE_API void dJointGetPRAnchor(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPRAngle(dJointID joint);
ODE_API dReal dJointGetPRAngleRate(dJointID joint);
ODE_API void dJointGetPRAxis1(dJointID joint, dVector3 result);
ODE_API void dJointGetPRAxis2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPRParam(dJointID joint, int parameter);
ODE_API dReal dJointGetPRPosition(dJointID joint);
ODE_API dReal dJointGetPRPositionRate(dJointID joint);
ODE_API void dJointSetPRAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPRAxis1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPRAxis2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPRParam(dJointID joint, int parameter, dReal value);

/* PU: the first body slides along axis 3, also called P, against an anchor of the second, and turns
 * there about axis 1 of its own and axis 2 of the second. Position, m, and angles, rad, are 0 where
 * anchor or axes were set last. */
ODE_API void dJointAddPUTorque(dJointID joint, dReal torque);
ODE_API void dJointGetPUAnchor(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPUAngle1(dJointID joint);
ODE_API dReal dJointGetPUAngle1Rate(dJointID joint);
ODE_API dReal dJointGetPUAngle2(dJointID joint);
ODE_API dReal dJointGetPUAngle2Rate(dJointID joint);
ODE_API void dJointGetPUAngles(dJointID joint, dReal *angle1, dReal *angle2);
ODE_API void dJointGetPUAxis1(dJointID joint, dVector3 result);
ODE_API void dJointGetPUAxis2(dJointID joint, dVector3 result);
ODE_API void dJointGetPUAxis3(dJointID joint, dVector3 result);
ODE_API void dJointGetPUAxisP(dJointID joint, dVector3 result);
ODE_API dReal dJointGetPUParam(dJointID joint, int parameter);
ODE_API dReal dJointGetPUPosition(dJointID joint);
ODE_API dReal dJointGetPUPositionRate(dJointID joint);
ODE_API void dJointSetPUAnchor(dJointID joint, dReal x, dReal y, dReal z);
ODE_API_DEPRECATED ODE_API void dJointSetPUAnchorDelta(dJointID joint, dReal x, dReal y, dReal z,
                                                       dReal dx, dReal dy, dReal dz);
ODE_API void dJointSetPUAnchorOffset(dJointID joint, dReal x, dReal y, dReal z, dReal dx, dReal dy,
                                     dReal dz);
ODE_API void dJointSetPUAxis1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPUAxis2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPUAxis3(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPUAxisP(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetPUParam(dJointID joint, int parameter, dReal value);

/* Double ball: keeps an anchor of each body at a distance, m, from the other: what it was when an
 * anchor was set last, or what is said. */
ODE_API void dJointGetDBallAnchor1(dJointID joint, dVector3 result);
ODE_API void dJointGetDBallAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetDBallDistance(dJointID joint);
ODE_API dReal dJointGetDBallParam(dJointID joint, int parameter);
ODE_API void dJointSetDBallAnchor1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetDBallAnchor2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetDBallDistance(dJointID joint, dReal dist);
ODE_API void dJointSetDBallParam(dJointID joint, int parameter, dReal value);

/* Double hinge: the same with an axis that both bodies have, and in a plane across it. */
ODE_API void dJointGetDHingeAnchor1(dJointID joint, dVector3 result);
ODE_API void dJointGetDHingeAnchor2(dJointID joint, dVector3 result);
ODE_API void dJointGetDHingeAxis(dJointID joint, dVector3 result);
ODE_API dReal dJointGetDHingeDistance(dJointID joint);
ODE_API dReal dJointGetDHingeParam(dJointID joint, int parameter);
ODE_API void dJointSetDHingeAnchor1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetDHingeAnchor2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetDHingeAxis(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetDHingeParam(dJointID joint, int parameter, dReal value);

/* Transmission: two wheels that drive each other, about parallel or intersecting axes or by a
 * chain. The ratio is that of the radii; it is set with parallel axes, radii with a chain, and else
 * both follow from where anchors and axes are. Angles, rad, are 0 where anything was set last. */
ODE_API void dJointGetTransmissionAnchor1(dJointID joint, dVector3 result);
ODE_API void dJointGetTransmissionAnchor2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetTransmissionAngle1(dJointID joint);
ODE_API dReal dJointGetTransmissionAngle2(dJointID joint);
ODE_API void dJointGetTransmissionAxis(dJointID joint, dVector3 result);
ODE_API void dJointGetTransmissionAxis1(dJointID joint, dVector3 result);
ODE_API void dJointGetTransmissionAxis2(dJointID joint, dVector3 result);
ODE_API dReal dJointGetTransmissionBacklash(dJointID joint);
ODE_API void dJointGetTransmissionContactPoint1(dJointID joint, dVector3 result);
ODE_API void dJointGetTransmissionContactPoint2(dJointID joint, dVector3 result);
ODE_API int dJointGetTransmissionMode(dJointID joint);
ODE_API dReal dJointGetTransmissionParam(dJointID joint, int parameter);
ODE_API dReal dJointGetTransmissionRadius1(dJointID joint);
ODE_API dReal dJointGetTransmissionRadius2(dJointID joint);
ODE_API dReal dJointGetTransmissionRatio(dJointID joint);
ODE_API void dJointSetTransmissionAnchor1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetTransmissionAnchor2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetTransmissionAxis(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetTransmissionAxis1(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetTransmissionAxis2(dJointID joint, dReal x, dReal y, dReal z);
ODE_API void dJointSetTransmissionBacklash(dJointID joint, dReal backlash);
ODE_API void dJointSetTransmissionMode(dJointID joint, int mode);
ODE_API void dJointSetTransmissionParam(dJointID joint, int parameter, dReal value);
ODE_API void dJointSetTransmissionRadius1(dJointID joint, dReal radius);
ODE_API void dJointSetTransmissionRadius2(dJointID joint, dReal radius);
ODE_API void dJointSetTransmissionRatio(dJointID joint, dReal ratio);

#ifdef __cplusplus
}
#endif

#endif
