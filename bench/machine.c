/* machine.c: what the figures were measured on. Reads what Linux tells; elsewhere the processor's
 * name stays "unknown". */
#define _DEFAULT_SOURCE
#include "bench/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
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
    if (getloadavg(&machine.load, 1) != 1)
        machine.load = -1;
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
