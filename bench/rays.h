/* rays.h: rays through a world of boxes, against the peers. */
#ifndef BENCH_RAYS_H
#define BENCH_RAYS_H

#include <stdbool.h>

/* Prints rays per second, alone and in batches. False: the engines see different things. */
bool bench_rays(void);

#endif
