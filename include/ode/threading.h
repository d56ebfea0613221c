/* Threading: calls that are posted, which other threads run, and who waits for them. A world steps
   with the functions of an implementation, this library's or a program's own. */
#ifndef _ODE_THREADING_H_
#define _ODE_THREADING_H_

#include <ode/odeconfig.h>

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxThreadingImplementation;
typedef struct dxThreadingImplementation *dThreadingImplementationID;

typedef unsigned dmutexindex_t;
struct dxMutexGroup;
typedef struct dxMutexGroup *dMutexGroupID;

#define dTHREADING_THREAD_COUNT_UNLIMITED 0u

/* Mutexes 0 to Mutex_count - 1, with names or null. Null: there is no memory. */
typedef dMutexGroupID dMutexGroupAllocFunction(dThreadingImplementationID impl,
                                               dmutexindex_t Mutex_count,
                                               const char *const *Mutex_names_ptr);
typedef void dMutexGroupFreeFunction(dThreadingImplementationID impl, dMutexGroupID mutex_group);
typedef void dMutexGroupMutexLockFunction(dThreadingImplementationID impl,
                                          dMutexGroupID mutex_group, dmutexindex_t mutex_index);
typedef void dMutexGroupMutexUnlockFunction(dThreadingImplementationID impl,
                                            dMutexGroupID mutex_group, dmutexindex_t mutex_index);

struct dxCallReleasee;
typedef struct dxCallReleasee *dCallReleaseeID;

struct dxCallWait;
typedef struct dxCallWait *dCallWaitID;

typedef dsizeint ddependencycount_t;
typedef ddiffint ddependencychange_t;
typedef dsizeint dcallindex_t;

/* A call; 0: it has failed. */
typedef int dThreadedCallFunction(void *call_context, dcallindex_t instance_index,
                                  dCallReleaseeID this_releasee);

typedef struct dxThreadedWaitTime {
    time_t wait_sec;
    unsigned long wait_nsec;
} dThreadedWaitTime;

/* What waits for one call, and after a reset for another. */
typedef dCallWaitID dThreadedCallWaitAllocFunction(dThreadingImplementationID impl);
typedef void dThreadedCallWaitResetFunction(dThreadingImplementationID impl, dCallWaitID call_wait);
typedef void dThreadedCallWaitFreeFunction(dThreadingImplementationID impl, dCallWaitID call_wait);

/* Posts a call, which runs when as many calls have ended that name it as their
   `dependent_releasee`; its own such name is told if there are any. It has ended when it has run
   and nothing more depends on it, then `call_wait` is free; and `out_summary_fault` is 1 if it or
   what it depended on has failed, else 0. */
typedef void dThreadedCallPostFunction(dThreadingImplementationID impl, int *out_summary_fault,
                                       dCallReleaseeID *out_post_releasee,
                                       ddependencycount_t dependencies_count,
                                       dCallReleaseeID dependent_releasee, dCallWaitID call_wait,
                                       dThreadedCallFunction *call_func, void *call_context,
                                       dcallindex_t instance_index, const char *call_name);

/* So many more calls, or fewer, are waited for. Of a call that runs only by itself. */
typedef void
dThreadedCallDependenciesCountAlterFunction(dThreadingImplementationID impl,
                                            dCallReleaseeID target_releasee,
                                            ddependencychange_t dependencies_count_change);

/* Until the call has ended, or as long as is said, then the status is 0 in place of 1. Not within a
   call. */
typedef void dThreadedCallWaitFunction(dThreadingImplementationID impl, int *out_wait_status,
                                       dCallWaitID call_wait,
                                       const dThreadedWaitTime *timeout_time_ptr,
                                       const char *wait_name);

/* Threads that run calls now. */
typedef unsigned dThreadingImplThreadCountRetrieveFunction(dThreadingImplementationID impl);

/* So many calls may stand at once. 1 for success. */
typedef int dThreadingImplResourcesForCallsPreallocateFunction(
    dThreadingImplementationID impl, ddependencycount_t max_simultaneous_calls_estimate);

typedef struct dxThreadingFunctionsInfo {
    unsigned struct_size;
    dMutexGroupAllocFunction *alloc_mutex_group;
    dMutexGroupFreeFunction *free_mutex_group;
    dMutexGroupMutexLockFunction *lock_group_mutex;
    dMutexGroupMutexUnlockFunction *unlock_group_mutex;
    dThreadedCallWaitAllocFunction *alloc_call_wait;
    dThreadedCallWaitResetFunction *reset_call_wait;
    dThreadedCallWaitFreeFunction *free_call_wait;
    dThreadedCallPostFunction *post_call;
    dThreadedCallDependenciesCountAlterFunction *alter_call_dependencies_count;
    dThreadedCallWaitFunction *wait_call;
    dThreadingImplThreadCountRetrieveFunction *retrieve_thread_count;
    dThreadingImplResourcesForCallsPreallocateFunction *preallocate_resources_for_calls;
} dThreadingFunctionsInfo;

#ifdef __cplusplus
}
#endif

#endif
