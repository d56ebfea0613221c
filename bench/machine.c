/* machine.c: what the figures were measured on. Reads what Linux tells; elsewhere the processor's
 * name stays "unknown". */
#define _DEFAULT_SOURCE
#include "bench/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void read_cpu(char *out, size_t size)
{
    snprintf(out, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(out, size, "%.120s", colon + 2);
        break;
    }
    fclose(file);
}

/* Ticks of all processors since the machine started, and those of them that were idle. */
static bool read_ticks(double *out_all, double *out_idle)
{
    double t[8] = {0}; /* user nice system idle iowait irq softirq steal */
    FILE *file = fopen("/proc/stat", "r");
    if (!file)
        return false;
    int count = fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3],
                       &t[4], &t[5], &t[6], &t[7]);
    fclose(file);
    *out_all = *out_idle = t[3] + t[4];
    for (int i = 0; i < 8; ++i)
        *out_all += i == 3 || i == 4 ? 0 : t[i];
    return count == 8;
}

/* How many processors other work keeps busy, watched while this program sleeps a quarter of a
 * second: the load average would count the compiler that has just ended. */
static double read_load(int cores)
{
    double all[2], idle[2];
    struct timespec pause = {0, 250000000};
    if (!read_ticks(&all[0], &idle[0]) || nanosleep(&pause, NULL) != 0 ||
        !read_ticks(&all[1], &idle[1]) || !(all[1] > all[0]))
        return -1;
    return cores * (1 - (idle[1] - idle[0]) / (all[1] - all[0]));
}

bench_machine bench_machine_read(void)
{
    bench_machine machine = {.system = "unknown"};
    read_cpu(machine.cpu, sizeof machine.cpu);
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(machine.system, sizeof machine.system, "%.60s %.60s %.60s", name.sysname,
                 name.release, name.machine);
    machine.cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    machine.memory_gib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * 0x1p-30;
    machine.load = read_load(machine.cores);
    return machine;
}

const char *bench_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}
