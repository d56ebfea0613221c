/* wake_row.h: the rows of the tables of waking: a public function, what is done by it, and whom
 * that wakes, at once and within the next two steps; all others sleep on. tests/checks/wakes.py
 * holds the rows against the public headers. */
#ifndef LODE_TESTS_WORLD_WAKE_ROW_H
#define LODE_TESTS_WORLD_WAKE_ROW_H

#include "tests/world/asleep.h"

typedef struct wake_row {
    const char *function, *what;
    size_t exists; /* not 0 */
    void (*act)(asleep *a);
    uint32_t at_once, later; /* islands */
} wake_row;

/* Names the function so that only one that exists compiles. */
#define ROW(function, what, act, at_once, later) \
    { \
#function, what, sizeof &(function), act, at_once, later \
    }

/* Runs each row on a world in which all sleeps, set back in between. */
void wake_rows_run(const wake_row *rows, int count);

enum { NOBODY = 0 };

#endif
