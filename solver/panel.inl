/* panel.inl: products with the panels of the direct solver's matrix (solver/lcp_plan.h), whose rows
 * are whole quads. In double precision whatever lode_real is; the sums have eight parts, in a fixed
 * order. */

LODE__INLINE double quad_sum(lode__quad a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* out[i] = row i times x */
static void panel_dots(const double *a, uint32_t width, uint32_t rows, const double *x, double *out)
{
    for (uint32_t i = 0; i < rows; ++i, a += width) {
        lode__quad even = LODE__QUAD(0), odd = even;
        uint32_t j = 0;
        for (; j + 2 * LODE__QUAD_LANES <= width; j += 2 * LODE__QUAD_LANES) {
            even += lode__quad_load(a + j) * lode__quad_load(x + j);
            odd += lode__quad_load(a + j + LODE__QUAD_LANES) *
                   lode__quad_load(x + j + LODE__QUAD_LANES);
        }
        if (j < width)
            even += lode__quad_load(a + j) * lode__quad_load(x + j);
        out[i] = quad_sum(even) + quad_sum(odd);
    }
}

/* out[j] = sum of row i's j times x[i], from the quad of column `from` on */
static void panel_push(const double *a, uint32_t width, uint32_t rows, uint32_t from,
                       const double *x, double *out)
{
    for (uint32_t j = from / LODE__QUAD_LANES * LODE__QUAD_LANES; j < width;
         j += LODE__QUAD_LANES) {
        lode__quad sum = LODE__QUAD(0);
        for (uint32_t i = 0; i < rows; ++i)
            sum += lode__quad_load(a + (size_t)i * width + j) * LODE__QUAD(x[i]);
        lode__quad_store(out + j, sum);
    }
}

typedef long long quad_mask __attribute__((vector_size(32), may_alias));

/* Multiplies row i by by_row[i], column j by by_column[j]; what is multiplied by 0 becomes 0,
 * whatever it was. */
static void panel_scale(double *a, uint32_t width, uint32_t rows, const double *by_row,
                        const double *by_column)
{
    for (uint32_t i = 0; i < rows; ++i, a += width)
        for (uint32_t j = 0; j < width; j += LODE__QUAD_LANES) {
            lode__quad s = LODE__QUAD(by_row[i]) * lode__quad_load(by_column + j);
            quad_mask keep = (quad_mask)(s > LODE__QUAD(0));
            lode__quad scaled = lode__quad_load(a + j) * s;
            lode__quad_store(a + j, (lode__quad)((quad_mask)scaled & keep));
        }
}

typedef double panel_oct __attribute__((vector_size(64), may_alias));

enum { OCT_LANES = 8 };

/* A principal pivot at row and column p of a tableau, whose rows are whole octets: what row p tells
 * and what stands in column p change places. Rows of which column p is zero stay as they are. */
static void panel_exchange(double *a, uint32_t width, uint32_t rows, uint32_t p)
{
    double *restrict own = a + (size_t)p * width, inverse = 1 / own[p];
    for (uint32_t j = 0; j < width; ++j)
        own[j] *= -inverse;
    own[p] = inverse;
    for (uint32_t i = 0; i < rows; ++i) {
        double *restrict row = a + (size_t)i * width, by = row[p];
        if (i == p || by == 0)
            continue;
        row[p] = 0;
        const panel_oct all = {by, by, by, by, by, by, by, by};
        for (uint32_t j = 0; j < width; j += OCT_LANES)
            *(panel_oct *)(void *)(row + j) += all * *(const panel_oct *)(const void *)(own + j);
    }
}

/* Adds to out, whose rows lie `width` apart, what one body couples: J_i M^-1 J_j^T, given of each
 * row i the Jacobian's linear and angular part, `stride` apart, and of all rows j together the
 * linear part and the angular response, number by number, each padded to whole quads. */
static void panel_couple(const double *rows, uint32_t stride, uint32_t count, const double *columns,
                         uint32_t column_count, double inv_mass, double *out, uint32_t width)
{
    uint32_t padded = (column_count + LODE__QUAD_LANES - 1) / LODE__QUAD_LANES * LODE__QUAD_LANES;
    for (uint32_t j = 0; j < padded; j += LODE__QUAD_LANES) {
        lode__quad c[6];
        uint32_t left = column_count - j;
        for (int k = 0; k < 6; ++k)
            c[k] = lode__quad_load(columns + (uint32_t)k * padded + j);
        for (uint32_t i = 0; i < count; ++i) {
            const double *r = rows + (size_t)i * stride;
            double *to = out + (size_t)i * width + j;
            lode__quad lin = c[0] * LODE__QUAD(r[0]) + c[1] * LODE__QUAD(r[1]);
            lode__quad ang = c[3] * LODE__QUAD(r[3]) + c[4] * LODE__QUAD(r[4]);
            lin += c[2] * LODE__QUAD(r[2]);
            ang += c[5] * LODE__QUAD(r[5]);
            lode__quad sum = lin * LODE__QUAD(inv_mass) + ang;
            for (uint32_t k = 0; k < LODE__QUAD_LANES && k < left; ++k)
                to[k] += sum[k];
        }
    }
}
