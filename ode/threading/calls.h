/* calls.h: an implementation of threading: calls that stand, under one lock. */
#ifndef LODE_ODE_THREADING_CALLS_H
#define LODE_ODE_THREADING_CALLS_H

#include "ode/threading_impl.h"

#include <pthread.h>
#include <stdbool.h>

/* A call is its own name as a releasee. */
typedef struct dxCallReleasee lode__ode_call;

struct dxThreadingImplementation {
    pthread_mutex_t lock;
    pthread_cond_t changed;       /* a call is ready or has ended, or the service ends */
    lode__ode_call *first, *last; /* that are ready to run */
    unsigned serving;             /* threads */
    bool many;                    /* threads may serve it */
    bool ending;                  /* they are to end */
};

struct dxCallWait {
    bool ended;
};

/* Runs a call that is ready; the lock is held before and after. False: there is none. */
bool lode__ode_call_run(dThreadingImplementationID impl);

extern const dThreadingFunctionsInfo lode__ode_threading_functions;

#endif
