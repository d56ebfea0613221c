/* json.h: results for programs. */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "bench/measure.h"

struct cJSON;

/* The "runs" alone, one object per result; the caller deletes the array. */
struct cJSON *bench_json_runs(const bench_result *results, int count);

/* Writes one object with "machine", "build" and "runs". False, after a message, on failure. */
bool bench_json_write(const char *path, const bench_result *results, int count);

#endif
