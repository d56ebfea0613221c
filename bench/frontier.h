/* frontier.h: cost against separation and energy of chains under load; see frontier.c. */
#ifndef BENCH_FRONTIER_H
#define BENCH_FRONTIER_H

#include <stdbool.h>

/* Swings the chains and prints a table. True whatever it shows. */
bool bench_frontier(void);

#endif
