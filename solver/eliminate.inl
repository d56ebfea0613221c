/* eliminate.inl: a front of the direct solver (solver/lcp_fronts.c) without its first rows, by
 * Gauss elimination without exchanges, in double precision whatever lode_real is. Pivots are taken
 * four at a time, so that a row is loaded and stored once for all of them; still each number has
 * the pivots' products taken from it one after another,
 *
 *     row[j] = ((row[j] - l0 u0[j]) - l1 u1[j]) - ...
 *
 * which is the same for any width of registers. What lies left of a pivot, or of the diagonal where
 * only the upper half counts, is overwritten as suits whole lines of eight. */

#define FRONT_LINE 8u

enum { PIVOTS = 4 };

/* Takes `pivots` rows u times l from a row, from the line of column `from` on. */
LODE__INLINE void take_pivots(double *restrict row, const double *restrict u, uint32_t stride,
                              const double *restrict l, uint32_t pivots, uint32_t from)
{
    for (uint32_t j = from / FRONT_LINE * FRONT_LINE; j < stride; j += FRONT_LINE)
        for (uint32_t k = j; k < j + FRONT_LINE; ++k) {
            double x = row[k];
            for (uint32_t p = 0; p < pivots; ++p)
                x -= l[p] * u[p * stride + k];
            row[k] = x;
        }
}

/* The same of four rows in a row, four pivots each; l[row][pivot]. */
LODE__INLINE void take_pivots_of_four(double *restrict row, const double *restrict u,
                                      uint32_t stride, double (*restrict l)[PIVOTS], uint32_t from)
{
    double *restrict r0 = row, *restrict r1 = row + stride, *restrict r2 = row + 2 * stride,
                     *restrict r3 = row + 3 * stride;
    const double *restrict u0 = u, *restrict u1 = u + stride, *restrict u2 = u + 2 * stride,
                           *restrict u3 = u + 3 * stride;
    for (uint32_t j = from / FRONT_LINE * FRONT_LINE; j < stride; j += FRONT_LINE)
        for (uint32_t k = j; k < j + FRONT_LINE; ++k) {
            double a = u0[k], b = u1[k], c = u2[k], d = u3[k];
            r0[k] = (((r0[k] - l[0][0] * a) - l[0][1] * b) - l[0][2] * c) - l[0][3] * d;
            r1[k] = (((r1[k] - l[1][0] * a) - l[1][1] * b) - l[1][2] * c) - l[1][3] * d;
            r2[k] = (((r2[k] - l[2][0] * a) - l[2][1] * b) - l[2][2] * c) - l[2][3] * d;
            r3[k] = (((r3[k] - l[3][0] * a) - l[3][1] * b) - l[3][2] * c) - l[3][3] * d;
        }
}

/* What row i takes of each of the pivots from p on; also written to the lower factor. */
LODE__INLINE void multipliers(const lode__front *f, uint32_t p, uint32_t pivots, uint32_t i,
                              double out[PIVOTS])
{
    const double *u = f->matrix + (size_t)p * f->stride;
    const double *row = f->matrix + (size_t)i * f->stride;
    for (uint32_t k = 0; k < pivots; ++k) {
        double x = f->symmetric ? u[k * f->stride + i] : row[p + k];
        for (uint32_t e = 0; e < k && !f->symmetric; ++e)
            x -= out[e] * u[e * f->stride + p + k];
        out[k] = x * f->inverse[p + k];
        f->lower[(p + k) * f->stride + i] = out[k];
    }
}

LODE__INLINE void eliminate_pivots(const lode__front *f, uint32_t p, uint32_t pivots)
{
    double *u = f->matrix + (size_t)p * f->stride, l[PIVOTS][PIVOTS];
    uint32_t i = p + pivots, stride = f->stride;
    for (uint32_t k = 0; k < pivots; ++k) {
        double *row = u + (size_t)k * stride;
        if (k > 0) {
            multipliers(f, p, k, p + k, l[0]);
            take_pivots(row, u, stride, l[0], k, p + k);
        }
        double pivot = row[p + k], size = pivot < 0 ? -pivot : pivot;
        f->inverse[p + k] = size > f->least[p + k] ? 1 / pivot : 0;
    }
    for (; pivots == PIVOTS && i + 4 <= f->count; i += 4) {
        for (uint32_t k = 0; k < 4; ++k)
            multipliers(f, p, PIVOTS, i + k, l[k]);
        take_pivots_of_four(f->matrix + (size_t)i * stride, u, stride, l,
                            f->symmetric ? i : p + PIVOTS);
    }
    for (; i < f->count; ++i) {
        multipliers(f, p, pivots, i, l[0]);
        take_pivots(f->matrix + (size_t)i * stride, u, stride, l[0], pivots,
                    f->symmetric ? i : p + pivots);
    }
}

static void eliminate(const lode__front *f)
{
    uint32_t p = 0;
    for (; p + PIVOTS <= f->own; p += PIVOTS)
        eliminate_pivots(f, p, PIVOTS);
    if (f->own - p == 3)
        eliminate_pivots(f, p, 3);
    else if (f->own - p == 2)
        eliminate_pivots(f, p, 2);
    else if (f->own - p == 1)
        eliminate_pivots(f, p, 1);
}
