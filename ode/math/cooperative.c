/* cooperative.c: see cooperative.h and matrix_coop.h. Each function is that of matrix.h, in the
 * calling thread: nothing is shared out, and there is nothing to estimate. */
#include "ode/math/check.h"
#include "ode/matrix.h"
#include "ode/matrix_coop.h"
#include "ode/memory.h"

/* The handles have something behind them, so that null and foreign ones are known. The cooperative
 * may be gone before those that name it. */
struct dxCooperative {
    const struct dxThreadingFunctionsInfo *functions;
    struct dxThreadingImplementation *threading;
};

struct dxResourceRequirements {
    dCooperativeID cooperative;
};

struct dxResourceContainer {
    dCooperativeID cooperative;
};

dCooperativeID dCooperativeCreate(const struct dxThreadingFunctionsInfo *functionInfo,
                                  struct dxThreadingImplementation *threadingImpl)
{
    dCooperativeID cooperative = dAlloc(sizeof *cooperative);
    if (cooperative)
        *cooperative = (struct dxCooperative){functionInfo, threadingImpl};
    return cooperative;
}

void dCooperativeDestroy(dCooperativeID cooperative)
{
    dFree(cooperative, sizeof *cooperative);
}

static dResourceRequirementsID requirements_of(dCooperativeID cooperative)
{
    dResourceRequirementsID requirements = dAlloc(sizeof *requirements);
    if (requirements)
        requirements->cooperative = cooperative;
    return requirements;
}

dResourceRequirementsID dResourceRequirementsCreate(dCooperativeID cooperative)
{
    return CHECK_GIVEN(cooperative) ? requirements_of(cooperative) : NULL;
}

void dResourceRequirementsDestroy(dResourceRequirementsID requirements)
{
    dFree(requirements, sizeof *requirements);
}

dResourceRequirementsID dResourceRequirementsClone(dResourceRequirementsID requirements)
{
    return CHECK_GIVEN(requirements) ? requirements_of(requirements->cooperative) : NULL;
}

void dResourceRequirementsMergeIn(dResourceRequirementsID summaryRequirements,
                                  dResourceRequirementsID extraRequirements)
{
    if (CHECK_GIVEN(summaryRequirements) && CHECK_GIVEN(extraRequirements))
        CHECK(extraRequirements->cooperative == summaryRequirements->cooperative,
              "extraRequirements", "must be of the same cooperative");
}

dResourceContainerID dResourceContainerAcquire(dResourceRequirementsID requirements)
{
    if (!CHECK_GIVEN(requirements))
        return NULL;
    dResourceContainerID resources = dAlloc(sizeof *resources);
    if (resources)
        resources->cooperative = requirements->cooperative;
    return resources;
}

void dResourceContainerDestroy(dResourceContainerID resources)
{
    dFree(resources, sizeof *resources);
}

/* --- matrices */

#define ESTIMATE(Name, maximal_count) \
    void dEstimateCooperatively##Name##ResourceRequirements(dResourceRequirementsID requirements, \
                                                            unsigned maximalAllowedThreadCount, \
                                                            unsigned maximal_count) \
    { \
        (void)maximalAllowedThreadCount; \
        (void)maximal_count; \
        CHECK_GIVEN(requirements); \
    }

ESTIMATE(FactorLDLT, maximalRowCount)
ESTIMATE(SolveLDLT, maximalRowCount)
ESTIMATE(SolveL1Straight, maximalRowCount)
ESTIMATE(SolveL1Transposed, maximalRowCount)
ESTIMATE(ScaleVector, maximalElementCount)

#define CHECK_INT(n) CHECK((n) > 0 && (n) <= INT_MAX, #n, "must be 1 to INT_MAX")
#define CHECK_ROWS(count, skip) \
    (CHECK_INT(count) && CHECK((skip) >= (count) && (skip) <= INT_MAX, #skip, "must hold a row"))

void dCooperativelyFactorLDLT(dResourceContainerID resources, unsigned allowedThreadCount, dReal *A,
                              dReal *d, unsigned rowCount, unsigned rowSkip)
{
    (void)allowedThreadCount;
    if (CHECK_GIVEN(resources) && CHECK_GIVEN(A) && CHECK_GIVEN(d) && CHECK_ROWS(rowCount, rowSkip))
        dFactorLDLT(A, d, (int)rowCount, (int)rowSkip);
}

void dCooperativelySolveLDLT(dResourceContainerID resources, unsigned allowedThreadCount,
                             const dReal *L, const dReal *d, dReal *b, unsigned rowCount,
                             unsigned rowSkip)
{
    (void)allowedThreadCount;
    if (CHECK_GIVEN(resources) && CHECK_GIVEN(L) && CHECK_GIVEN(d) && CHECK_GIVEN(b) &&
        CHECK_ROWS(rowCount, rowSkip))
        dSolveLDLT(L, d, b, (int)rowCount, (int)rowSkip);
}

void dCooperativelySolveL1Straight(dResourceContainerID resources, unsigned allowedThreadCount,
                                   const dReal *L, dReal *b, unsigned rowCount, unsigned rowSkip)
{
    (void)allowedThreadCount;
    if (CHECK_GIVEN(resources) && CHECK_GIVEN(L) && CHECK_GIVEN(b) && CHECK_ROWS(rowCount, rowSkip))
        dSolveL1(L, b, (int)rowCount, (int)rowSkip);
}

void dCooperativelySolveL1Transposed(dResourceContainerID resources, unsigned allowedThreadCount,
                                     const dReal *L, dReal *b, unsigned rowCount, unsigned rowSkip)
{
    (void)allowedThreadCount;
    if (CHECK_GIVEN(resources) && CHECK_GIVEN(L) && CHECK_GIVEN(b) && CHECK_ROWS(rowCount, rowSkip))
        dSolveL1T(L, b, (int)rowCount, (int)rowSkip);
}

void dCooperativelyScaleVector(dResourceContainerID resources, unsigned allowedThreadCount,
                               dReal *dataVector, const dReal *scaleVector, unsigned elementCount)
{
    (void)allowedThreadCount;
    if (CHECK_GIVEN(resources) && CHECK_GIVEN(dataVector) && CHECK_GIVEN(scaleVector) &&
        CHECK_INT(elementCount))
        dScaleVector(dataVector, scaleVector, (int)elementCount);
}
