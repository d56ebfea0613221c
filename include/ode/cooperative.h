/* Helpers of the functions of matrix_coop.h. In this library these do all of their work in the
   calling thread and need no memory of their own, so that requirements and resources only tell what
   belongs together; results are the same for any number of threads. */
#ifndef _ODE_COOPERATIVE_H_
#define _ODE_COOPERATIVE_H_

#include <ode/common.h>
#include <ode/threading.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxThreadingFunctionsInfo;
struct dxThreadingImplementation;

typedef struct dxCooperative *dCooperativeID;
typedef struct dxResourceRequirements *dResourceRequirementsID;
typedef struct dxResourceContainer *dResourceContainerID;

/* Whose threads work; both arguments may be null. The threads are not made use of. */
ODE_API dCooperativeID dCooperativeCreate(const struct dxThreadingFunctionsInfo *functionInfo,
                                          struct dxThreadingImplementation *threadingImpl);

/* Null may be destroyed, here and below. */
ODE_API void dCooperativeDestroy(dCooperativeID cooperative);

/* What calls will need. Functions dEstimate...() add to it. Those that are merged must be of the
   same cooperative. */
ODE_API dResourceRequirementsID dResourceRequirementsCreate(dCooperativeID cooperative);
ODE_API void dResourceRequirementsDestroy(dResourceRequirementsID requirements);
ODE_API dResourceRequirementsID dResourceRequirementsClone(dResourceRequirementsID requirements);
ODE_API void dResourceRequirementsMergeIn(dResourceRequirementsID summaryRequirements,
                                          dResourceRequirementsID extraRequirements);

/* What calls use. The requirements can go at once. */
ODE_API dResourceContainerID dResourceContainerAcquire(dResourceRequirementsID requirements);
ODE_API void dResourceContainerDestroy(dResourceContainerID resources);

#ifdef __cplusplus
}
#endif

#endif
