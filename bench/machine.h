/* machine.h: what the figures were measured on, and with which build. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

typedef struct bench_machine {
    char cpu[128];
    char system[256];
    int cores;
    double memory_gib;
    double load; /* processors that other work keeps busy; negative if unknown */
} bench_machine;

bench_machine bench_machine_read(void);

/* "gcc 12.2.0" or the like. */
const char *bench_compiler(void);

#endif
