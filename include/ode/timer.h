/* Stopwatches, and timers that report how long the parts of a piece of work take. */
#ifndef _ODE_TIMER_H_
#define _ODE_TIMER_H_

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dStopwatch {
    double time;         /* ticks so far */
    unsigned long cc[2]; /* the clock at the last start, 0 while it stands */
} dStopwatch;

/* dStopwatchTime() is in seconds, of what lay between starts and stops. A watch that is new wants a
   reset. */
ODE_API void dStopwatchReset(dStopwatch *);
ODE_API void dStopwatchStart(dStopwatch *);
ODE_API void dStopwatchStop(dStopwatch *);
ODE_API double dStopwatchTime(dStopwatch *);

/* Work begins; another part of it begins; it ends. The pointers are kept: pass string literals. For
   one thread at a time; the last of 100 parts takes the rest. */
ODE_API void dTimerStart(const char *description);
ODE_API void dTimerNow(const char *description);
ODE_API void dTimerEnd(void);

/* Prints the time of each part, if average is not 0 as the mean of all runs. */
ODE_API void dTimerReport(FILE *fout, int average);

/* Ticks per second of the clock, and seconds that it can tell apart. */
ODE_API double dTimerTicksPerSecond(void);
ODE_API double dTimerResolution(void);

#ifdef __cplusplus
}
#endif

#endif
