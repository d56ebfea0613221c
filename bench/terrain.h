/* terrain.h: a hilly ground of 64 x 64 squares, each a metre wide and cut into two triangles, with
 * a rim that nothing rolls over. The middle is at x = y = 0. */
#ifndef BENCH_TERRAIN_H
#define BENCH_TERRAIN_H

#include "bench/scene.h"

enum { BENCH_TERRAIN_SQUARES = 64, BENCH_TERRAIN_SIDE = BENCH_TERRAIN_SQUARES + 1 };

/* The height of the corner in this column and row, 0..64, m. */
float bench_terrain_height(int column, int row);

/* The ground as a mesh, made once. Its squares are cut from the corner at the end of their column
 * to that at the end of their row, as those of height fields. */
const bench_mesh *bench_terrain_mesh(void);

#endif
