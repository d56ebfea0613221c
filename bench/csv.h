/* csv.h: results for spreadsheets. */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include "bench/measure.h"

/* A table with a head, and one row per scene and engine. False, after a message, on failure. */
bool bench_csv_write(const char *path, const bench_result *results, int count);

#endif
