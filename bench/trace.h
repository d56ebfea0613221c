/* trace.h: stages as a file that trace viewers open (chrome://tracing, Perfetto, Speedscope).
 * Chrome's trace event format: one process per scene, one thread per engine, a begin and an end
 * event per step and stage. */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include "bench/engine.h"

typedef struct bench_trace bench_trace;

/* Events are kept in memory until bench_trace_write(), which also frees the trace and returns
 * false, after a message, when the file cannot be written. */
bench_trace *bench_trace_create(void);
bool bench_trace_write(bench_trace *trace, const char *path);

/* Events to come belong to this engine on this scene. */
void bench_trace_enter(bench_trace *trace, const char *scene, const char *engine);

/* Zones of a `probe`, which is valid as long as the trace; the caller puts whole steps in too. */
const bench_probe *bench_trace_probe(bench_trace *trace);

#endif
