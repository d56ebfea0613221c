/* This library's implementations of threading, and threads for them. */
#ifndef _ODE_THREADING_IMPL_H_
#define _ODE_THREADING_IMPL_H_

#include <ode/threading.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dxThreadingThreadPool;
typedef struct dxThreadingThreadPool *dThreadingThreadPoolID;

/* Calls run in the thread that waits for them; or, of the second, in threads that serve it too.
   Null: there is no memory. */
ODE_API dThreadingImplementationID dThreadingAllocateSelfThreadedImplementation(void);
ODE_API dThreadingImplementationID dThreadingAllocateMultiThreadedImplementation(void);

ODE_API const dThreadingFunctionsInfo *
dThreadingImplementationGetFunctions(dThreadingImplementationID impl);

/* Threads that serve it end their service; afterwards it may be served anew. No calls may stand. */
ODE_API void dThreadingImplementationShutdownProcessing(dThreadingImplementationID impl);
ODE_API void dThreadingImplementationCleanupForRestart(dThreadingImplementationID impl);

/* It is served by nobody any more. */
ODE_API void dThreadingFreeImplementation(dThreadingImplementationID impl);

typedef void(dThreadReadyToServeCallback)(void *callback_context);

/* The calling thread runs calls until the shutdown; the callback, if there is one, is told when it
   begins. */
ODE_API void
dExternalThreadingServeMultiThreadedImplementation(dThreadingImplementationID impl,
                                                   dThreadReadyToServeCallback *readiness_callback,
                                                   void *callback_context);

/* Threads with stacks of so many bytes, 0 for the system's usual ones. Null: they cannot be had.
   The flags are dAllocateODEDataForThread()'s; `reserved` must be null. */
ODE_API dThreadingThreadPoolID dThreadingAllocateThreadPool(unsigned thread_count,
                                                            dsizeint stack_size,
                                                            unsigned int ode_data_allocate_flags,
                                                            void *reserved);

/* All of its threads serve an implementation from now on. */
ODE_API void dThreadingThreadPoolServeMultiThreadedImplementation(dThreadingThreadPoolID pool,
                                                                  dThreadingImplementationID impl);

/* Until they have ended their service. */
ODE_API void dThreadingThreadPoolWaitIdleState(dThreadingThreadPoolID pool);
ODE_API void dThreadingFreeThreadPool(dThreadingThreadPoolID pool);

#ifdef __cplusplus
}
#endif

#endif
