/* progress.h: a bar on stderr, where that is a terminal; elsewhere nothing. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

/* `work` is how many units bench_progress_add() will be told of in all. */
void bench_progress_begin(int work);
void bench_progress_label(const char *label);
void bench_progress_add(int work);

/* Removes the bar. It comes back with the next bench_progress_add(). */
void bench_progress_clear(void);

#endif
