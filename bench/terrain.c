/* terrain.c: the ground that scenes on meshes share.
 *
 * Waves of three lengths: hills of some ten metres, mounds, and bumps that are no wider than a few
 * squares, so that boxes rest on edges and corners as often as on faces. The outer squares rise to
 * a rim. Slopes go up to 50 degrees, more than friction holds: things slide until they lie in a
 * hollow. */
#include "bench/terrain.h"

#include <math.h>
#include <string.h>

#define RIM 6.0 /* m wide */

float bench_terrain_height(int column, int row)
{
    const double half = 0.5 * BENCH_TERRAIN_SQUARES;
    double x = column - half, y = row - half;
    double hills = 1.6 * sin(0.31 * x + 0.4) * cos(0.27 * y) + 0.5 * sin(0.7 * x - 0.5 * y);
    double bumps = 0.12 * sin(1.9 * x + 0.3 * y) * sin(2.3 * y - 0.7 * x);
    double inside = fmin(half - fabs(x), half - fabs(y));
    double rise = fmax(RIM - inside, 0);
    return (float)(hills + bumps + 0.2 * rise * rise);
}

const bench_mesh *bench_terrain_mesh(void)
{
    enum { SIDE = BENCH_TERRAIN_SIDE, SQUARES = BENCH_TERRAIN_SQUARES };
    static float vertices[SIDE * SIDE][3];
    static unsigned triangles[2 * SQUARES * SQUARES][3];
    static const bench_mesh mesh = {vertices, triangles, SIDE * SIDE, 2 * SQUARES * SQUARES};
    for (int i = 0; i < SIDE * SIDE; ++i) {
        vertices[i][0] = (float)(i % SIDE) - 0.5f * SQUARES;
        vertices[i][1] = (float)(i / SIDE) - 0.5f * SQUARES;
        vertices[i][2] = bench_terrain_height(i % SIDE, i / SIDE);
    }
    for (unsigned i = 0; i < SQUARES * SQUARES; ++i) {
        unsigned a = i / SQUARES * SIDE + i % SQUARES, c = a + SIDE + 1;
        const unsigned pair[2][3] = {{a, a + 1, c - 1}, {c, c - 1, a + 1}};
        memcpy(triangles[(size_t)2 * i], pair, sizeof pair);
    }
    return &mesh;
}
