/* eliminate.inl: a front of the direct solver (solver/lcp_fronts.c) without its first rows, by
 * Gauss elimination without exchanges, in double precision whatever lode_real is. Pivots are taken
 * four at a time, so that a row is loaded and stored once for all of them; still each number has
 * the pivots' products taken from it one after another,
 *
 *     row[j] = ((row[j] - l0 u0[j]) - l1 u1[j]) - ...
 *
 * which is the same for any width of registers. What lies left of a pivot, or of the diagonal where
 * only the upper half counts, is overwritten as suits whole quads. */

enum { PIVOTS = 4 };

/* Takes `pivots` rows u times l from a row, from the line of column `from` on. */
LODE__INLINE void take_pivots(double *restrict row, const double *restrict u, uint32_t stride,
                              const double *restrict l, uint32_t pivots, uint32_t from)
{
    for (uint32_t j = from / LODE__QUAD_LANES * LODE__QUAD_LANES; j < stride;
         j += LODE__QUAD_LANES) {
        lode__quad x = lode__quad_load(row + j);
        for (uint32_t p = 0; p < pivots; ++p)
            x -= lode__quad_load(u + p * stride + j) * LODE__QUAD(l[p]);
        lode__quad_store(row + j, x);
    }
}

/* The same of two rows in a row, four pivots each; l[row][pivot]. */
LODE__INLINE void take_pivots_of_two(double *restrict row, const double *restrict u,
                                     uint32_t stride, double (*restrict l)[PIVOTS], uint32_t from)
{
    const double *restrict u0 = u, *restrict u1 = u + stride, *restrict u2 = u + 2 * stride,
                           *restrict u3 = u + 3 * stride;
    lode__quad l0[PIVOTS], l1[PIVOTS];
    for (int p = 0; p < PIVOTS; ++p) {
        l0[p] = LODE__QUAD(l[0][p]);
        l1[p] = LODE__QUAD(l[1][p]);
    }
    for (uint32_t j = from / LODE__QUAD_LANES * LODE__QUAD_LANES; j < stride;
         j += LODE__QUAD_LANES) {
        lode__quad a = lode__quad_load(u0 + j), b = lode__quad_load(u1 + j);
        lode__quad c = lode__quad_load(u2 + j), d = lode__quad_load(u3 + j);
        lode__quad r0 = lode__quad_load(row + j), r1 = lode__quad_load(row + stride + j);
        lode__quad_store(row + j, (((r0 - a * l0[0]) - b * l0[1]) - c * l0[2]) - d * l0[3]);
        lode__quad_store(row + stride + j,
                         (((r1 - a * l1[0]) - b * l1[1]) - c * l1[2]) - d * l1[3]);
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

/* The same of all rows from i on, a whole number of quads, where the front is symmetric: those are
 * the pivots' own rows. */
LODE__INLINE void write_lower(const lode__front *f, uint32_t p, uint32_t pivots, uint32_t i)
{
    for (uint32_t k = p; k < p + pivots; ++k) {
        const double *u = f->matrix + (size_t)k * f->stride;
        double *lower = f->lower + (size_t)k * f->stride;
        for (uint32_t j = i; j < f->stride; j += LODE__QUAD_LANES)
            lode__quad_store(lower + j, lode__quad_load(u + j) * LODE__QUAD(f->inverse[k]));
    }
}

LODE__INLINE void read_lower(const lode__front *f, uint32_t p, uint32_t i, double out[PIVOTS])
{
    for (uint32_t k = 0; k < PIVOTS; ++k)
        out[k] = f->lower[(size_t)(p + k) * f->stride + i];
}

/* Makes the rows of pivots from p on what they are once those before them are eliminated. */
LODE__INLINE void make_pivots(const lode__front *f, uint32_t p, uint32_t pivots)
{
    double *u = f->matrix + (size_t)p * f->stride, l[PIVOTS];
    for (uint32_t k = 0; k < pivots; ++k) {
        double *row = u + (size_t)k * f->stride;
        if (k > 0) {
            multipliers(f, p, k, p + k, l);
            take_pivots(row, u, f->stride, l, k, p + k);
        }
        double pivot = row[p + k], size = pivot < 0 ? -pivot : pivot;
        f->inverse[p + k] = size > f->least[p + k] ? 1 / pivot : 0;
    }
}

LODE__INLINE void eliminate_pivots(const lode__front *f, uint32_t p, uint32_t pivots)
{
    double *u = f->matrix + (size_t)p * f->stride, l[2][PIVOTS];
    uint32_t i = p + pivots, stride = f->stride;
    bool whole = pivots == PIVOTS;
    make_pivots(f, p, pivots);
    if (whole && f->symmetric)
        write_lower(f, p, PIVOTS, i);
    for (; whole && i + 2 <= f->count; i += 2) {
        for (uint32_t k = 0; k < 2; ++k)
            if (f->symmetric)
                read_lower(f, p, i + k, l[k]);
            else
                multipliers(f, p, PIVOTS, i + k, l[k]);
        take_pivots_of_two(f->matrix + (size_t)i * stride, u, stride, l,
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
