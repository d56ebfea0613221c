/* trace.c: stages as Chrome trace events. An event in memory is a name and a time; JSON is made of
 * them at the end, so that watching costs a step next to nothing. */
#include "bench/trace.h"

#include "bench/tool.h"

#include <cJSON.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct event {
    const char *name; /* a literal */
    char phase;       /* 'B' begins, 'E' ends */
    int track;
    double seconds;
} event;

/* One engine on one scene. */
typedef struct track {
    const char *scene, *engine;
    int process, thread; /* from 1 */
} track;

struct bench_trace {
    bench_probe probe;
    double start;
    event *events;
    int event_count, event_capacity;
    track *tracks;
    int track_count, track_capacity;
};

static void add(bench_trace *trace, const char *name, char phase)
{
    double now = bench_now();
    trace->events = bench_grow(trace->events, trace->event_count, &trace->event_capacity,
                               sizeof *trace->events);
    trace->events[trace->event_count++] = (event){name, phase, trace->track_count - 1,
                                                  now - trace->start};
}

static void begin(void *user, const char *name)
{
    add(user, name, 'B');
}

static void end(void *user, const char *name)
{
    add(user, name, 'E');
}

bench_trace *bench_trace_create(void)
{
    bench_trace *trace = bench_alloc(1, sizeof *trace);
    trace->probe = (bench_probe){trace, begin, end};
    trace->start = bench_now();
    return trace;
}

const bench_probe *bench_trace_probe(bench_trace *trace)
{
    return &trace->probe;
}

void bench_trace_enter(bench_trace *trace, const char *scene, const char *engine)
{
    trace->tracks = bench_grow(trace->tracks, trace->track_count, &trace->track_capacity,
                               sizeof *trace->tracks);
    track next = {scene, engine, 1, 1};
    if (trace->track_count > 0) {
        const track *last = &trace->tracks[trace->track_count - 1];
        bool same = strcmp(last->scene, scene) == 0;
        next.process = same ? last->process : last->process + 1;
        next.thread = same ? last->thread + 1 : 1;
    }
    trace->tracks[trace->track_count++] = next;
}

static void add_place(cJSON *object, const track *at)
{
    cJSON_AddNumberToObject(object, "pid", at->process);
    cJSON_AddNumberToObject(object, "tid", at->thread);
}

/* Names a track's process or thread. */
static void write_name(FILE *file, const track *at, const char *what, const char *name)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", what);
    cJSON_AddStringToObject(object, "ph", "M");
    add_place(object, at);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(object, "args"), "name", name);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text)
        bench_fail("out of memory");
    fprintf(file, "%s,\n", text);
    cJSON_free(text);
}

static void write_event(FILE *file, const bench_trace *trace, const event *e, bool last)
{
    const char phase[2] = {e->phase, 0};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", e->name);
    cJSON_AddStringToObject(object, "ph", phase);
    cJSON_AddNumberToObject(object, "ts", 1e6 * e->seconds);
    add_place(object, &trace->tracks[e->track]);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    if (!text)
        bench_fail("out of memory");
    fprintf(file, "%s%s\n", text, last ? "" : ",");
    cJSON_free(text);
}

bool bench_trace_write(bench_trace *trace, const char *path)
{
    FILE *file = fopen(path, "w");
    bool ok = file != NULL;
    if (ok) {
        fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n", file);
        for (int i = 0; i < trace->track_count; ++i) {
            write_name(file, &trace->tracks[i], "process_name", trace->tracks[i].scene);
            write_name(file, &trace->tracks[i], "thread_name", trace->tracks[i].engine);
        }
        for (int i = 0; i < trace->event_count; ++i)
            write_event(file, trace, &trace->events[i], i + 1 == trace->event_count);
        fputs("]}\n", file);
        ok = !ferror(file);
        ok = fclose(file) == 0 && ok;
    }
    if (!ok)
        perror(path);
    free(trace->events);
    free(trace->tracks);
    free(trace);
    return ok;
}
