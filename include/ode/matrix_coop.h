/* The functions of matrix.h of these names, for several threads together: see cooperative.h. */
#ifndef _ODE_MATRIX_COOP_H_
#define _ODE_MATRIX_COOP_H_

#include <ode/common.h>
#include <ode/cooperative.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Make requirements do for calls with so many threads and rows or elements at most. */
ODE_API void
dEstimateCooperativelyFactorLDLTResourceRequirements(dResourceRequirementsID requirements,
                                                     unsigned maximalAllowedThreadCount,
                                                     unsigned maximalRowCount);
ODE_API void
dEstimateCooperativelySolveLDLTResourceRequirements(dResourceRequirementsID requirements,
                                                    unsigned maximalAllowedThreadCount,
                                                    unsigned maximalRowCount);
ODE_API void
dEstimateCooperativelySolveL1StraightResourceRequirements(dResourceRequirementsID requirements,
                                                          unsigned maximalAllowedThreadCount,
                                                          unsigned maximalRowCount);
ODE_API void
dEstimateCooperativelySolveL1TransposedResourceRequirements(dResourceRequirementsID requirements,
                                                            unsigned maximalAllowedThreadCount,
                                                            unsigned maximalRowCount);
ODE_API void
dEstimateCooperativelyScaleVectorResourceRequirements(dResourceRequirementsID requirements,
                                                      unsigned maximalAllowedThreadCount,
                                                      unsigned maximalElementCount);

/* dFactorLDLT(), dSolveLDLT(), dSolveL1(), dSolveL1T() and dScaleVector(). */
ODE_API void dCooperativelyFactorLDLT(dResourceContainerID resources, unsigned allowedThreadCount,
                                      dReal *A, dReal *d, unsigned rowCount, unsigned rowSkip);
ODE_API void dCooperativelySolveLDLT(dResourceContainerID resources, unsigned allowedThreadCount,
                                     const dReal *L, const dReal *d, dReal *b, unsigned rowCount,
                                     unsigned rowSkip);
ODE_API void dCooperativelySolveL1Straight(dResourceContainerID resources,
                                           unsigned allowedThreadCount, const dReal *L, dReal *b,
                                           unsigned rowCount, unsigned rowSkip);
ODE_API void dCooperativelySolveL1Transposed(dResourceContainerID resources,
                                             unsigned allowedThreadCount, const dReal *L, dReal *b,
                                             unsigned rowCount, unsigned rowSkip);
ODE_API void dCooperativelyScaleVector(dResourceContainerID resources, unsigned allowedThreadCount,
                                       dReal *dataVector, const dReal *scaleVector,
                                       unsigned elementCount);

#ifdef __cplusplus
}
#endif

#endif
