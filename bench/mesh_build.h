/* mesh_build.h: what making a large triangle mesh costs. */
#ifndef BENCH_MESH_BUILD_H
#define BENCH_MESH_BUILD_H

#include <stdbool.h>

/* Prints a table; false when a mesh holds more memory than it may. Time depends on the machine and
 * is only marked. */
bool bench_mesh_build(void);

#endif
