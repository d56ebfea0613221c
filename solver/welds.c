/* welds.c: see welds.h. */
#include "solver/welds.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FLAT 1e-4    /* points are in a line if the plane's area is less than this of its square */
#define LIKELY 0.999 /* of the limits of friction, for what is tried */

/* By how much what normal rows ask for may miss a plane: the rounding of what it is made of. */
static double rounding(double size)
{
    return 8 * (double)(sizeof(lode_real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON) * size;
}

uint32_t lode__weld_rows(int points)
{
    return points == 1 ? 3 : points == 2 ? 5 : 6;
}

/* --- from the contact */

static void cross(double out[3], const double *a, const double *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void read_lane3(double out[3], const lode__lane3 *v, int lane)
{
    out[0] = v->x.x[lane], out[1] = v->y.x[lane], out[2] = v->z.x[lane];
}

static void read_frame(lode__weld *w, const lode__contact_block *block, double x, double y)
{
    const lode__lane3 *const arms[2] = {&block->ra, &block->rb};
    read_lane3(w->n, &block->n, w->part->lane);
    read_lane3(w->t1, &block->t, w->part->lane);
    cross(w->t2, w->n, w->t1);
    for (int end = 0; end < 2; ++end) {
        read_lane3(w->arm[end], arms[end], w->part->lane);
        for (int k = 0; k < 3; ++k)
            w->arm[end][k] += w->t1[k] * x + w->t2[k] * y;
    }
}

/* Places the points about their mean. */
static void read_points(lode__weld *w, const lode__contact_block *block)
{
    int count = w->part->points, lane = w->part->lane;
    double x = 0, y = 0;
    for (int p = 0; p < count; ++p) {
        x += w->x[p] = block->rows[p].x.x[lane];
        y += w->y[p] = block->rows[p].y.x[lane];
    }
    x /= count, y /= count;
    w->xx = w->xy = w->yy = 0;
    for (int p = 0; p < count; ++p) {
        w->x[p] -= x, w->y[p] -= y;
        w->xx += w->x[p] * w->x[p];
        w->xy += w->x[p] * w->y[p];
        w->yy += w->y[p] * w->y[p];
    }
    read_frame(w, block, x, y);
}

/* The plane through what the normal rows ask for: c[0] at the mean, and its slopes along t1 and t2,
 * or along the line of two points. False where they do not lie in one. */
static bool fit(lode__weld *w, const double *c, double slope[2])
{
    int count = w->part->points;
    double sum = 0, cx = 0, cy = 0, largest = 0;
    for (int p = 0; p < count; ++p) {
        sum += c[p], cx += c[p] * w->x[p], cy += c[p] * w->y[p];
        largest = fabs(c[p]) > largest ? fabs(c[p]) : largest;
    }
    w->c[0] = sum / count;
    if (count == 2) {
        double length = sqrt(w->xx + w->yy);
        slope[0] = cx / (length * length), slope[1] = cy / (length * length);
        w->along[0] = w->x[1] / length * sqrt(2), w->along[1] = w->y[1] / length * sqrt(2);
    } else if (count > 2) {
        double area = w->xx * w->yy - w->xy * w->xy;
        slope[0] = (cx * w->yy - cy * w->xy) / area, slope[1] = (cy * w->xx - cx * w->xy) / area;
    }
    for (int p = 0; p < count; ++p)
        if (!(fabs(w->c[0] + slope[0] * w->x[p] + slope[1] * w->y[p] - c[p]) <= rounding(largest)))
            return false;
    return true;
}

static bool has_extent(const lode__weld *w)
{
    double size = w->xx + w->yy, area = w->xx * w->yy - w->xy * w->xy;
    return w->part->points == 1 ||
           (size > 0 && (w->part->points == 2 || area > FLAT * size * size));
}

bool lode__weld_make(lode__weld *w, const lode__part *contact, bool cone)
{
    const lode__contact_block *block = contact->block;
    double c[LODE__MANIFOLD_POINTS], slope[2] = {0, 0};
    int lane = contact->lane;
    memset(w->c, 0, sizeof w->c);
    w->part = contact;
    w->cone = cone;
    for (int p = 0; p < contact->points; ++p) {
        const lode__contact_row *row = &block->rows[p];
        if (row->soft.x[lane] != 0 || !(row->mass.x[lane] > 0))
            return false;
        c[p] = row->c.x[lane];
    }
    read_points(w, block);
    if (!has_extent(w) || !fit(w, c, slope))
        return false;
    if (contact->points == 2)
        w->c[3] = slope[0] * w->along[0] + slope[1] * w->along[1];
    else
        w->c[3] = slope[1], w->c[4] = -slope[0];
    return true;
}

/* --- rows */

/* Writes one: along an axis at the mean of the points, or about it. */
static void write_row(const lode__weld *w, lode__bond_rows *out, int k, const double *axis,
                      bool turns)
{
    double moment[2][3];
    for (int end = 0; end < 2; ++end)
        cross(moment[end], w->arm[end], axis);
    for (int i = 0; i < 3; ++i) {
        out->lin[i][k] = turns ? 0 : axis[i];
        out->ang[0][i][k] = turns ? axis[i] : moment[0][i];
        out->ang[1][i][k] = -(turns ? axis[i] : moment[1][i]);
    }
}

void lode__weld_read(const lode__weld *w, const lode__bond_node *node, lode__bond_rows *out)
{
    double about[3][3], line[3];
    const double *axes[LODE__WELD_ROWS] = {w->n, w->t1, w->t2, about[0], about[1], about[2]};
    cross(about[0], w->t2, w->n);
    cross(about[1], w->n, w->t1);
    cross(about[2], w->t1, w->t2);
    if (w->part->points == 2) {
        for (int i = 0; i < 3; ++i)
            line[i] = about[0][i] * w->along[1] - about[1][i] * w->along[0];
        axes[3] = line, axes[4] = about[2];
    }
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < node->rows; ++k) {
        write_row(w, out, (int)k, axes[node->first + k], node->first + k >= 3);
        out->c[k] = w->c[node->first + k];
    }
}

/* --- impulses */

/* Of the normals: A and B in f / count + A x + B y, from the moments about t1 and t2. */
static void share_normals(const lode__weld *w, double out[2])
{
    const double *m = w->impulses + 3;
    if (w->part->points == 2) {
        double per = m[0] / (w->xx + w->yy);
        out[0] = w->along[0] * per, out[1] = w->along[1] * per;
    } else if (w->part->points > 2) {
        double area = w->xx * w->yy - w->xy * w->xy;
        out[0] = -(m[1] * w->yy + m[0] * w->xy) / area;
        out[1] = (m[0] * w->xx + m[1] * w->xy) / area;
    }
}

/* Does a point bear and stick, with impulses along n, t1 and t2, within these limits? */
static bool holds(const lode__weld *w, const double *at, const double limit[2])
{
    double u = at[1] / limit[0], v = at[2] / limit[1];
    return at[0] >= 0 &&
           (w->cone ? u * u + v * v <= at[0] * at[0] : fabs(u) <= at[0] && fabs(v) <= at[0]);
}

bool lode__weld_share(lode__weld *w, double share)
{
    const lode__contact_block *block = w->part->block;
    int count = w->part->points, lane = w->part->lane;
    double limit[2] = {block->friction1.x[lane] * share, block->friction2.x[lane] * share};
    double out[LODE__WELD_IMPULSES], slope[2] = {0, 0}, twist = 0;
    share_normals(w, slope);
    if (count > 1)
        twist = w->impulses[lode__weld_rows(count) - 1] / (w->xx + w->yy);
    for (int p = 0; p < count; ++p) {
        double *at = out + 3 * (ptrdiff_t)p;
        at[0] = w->impulses[0] / count + slope[0] * w->x[p] + slope[1] * w->y[p];
        at[1] = w->impulses[1] / count - twist * w->y[p];
        at[2] = w->impulses[2] / count + twist * w->x[p];
        if (!holds(w, at, limit))
            return false;
    }
    memcpy(w->impulses, out, sizeof out);
    return true;
}

/* The weld's impulses are those that the points have. */
static double gather(lode__weld *w)
{
    const lode__contact_block *block = w->part->block;
    int lane = w->part->lane;
    double sum = 0, *f = w->impulses, about[3] = {0};
    memset(w->impulses, 0, sizeof w->impulses);
    for (int p = 0; p < w->part->points; ++p) {
        const lode__contact_row *row = &block->rows[p];
        double n = row->lambda.x[lane], t1 = row->lambda1.x[lane], t2 = row->lambda2.x[lane];
        f[0] += n, f[1] += t1, f[2] += t2;
        about[0] += w->y[p] * n, about[1] -= w->x[p] * n;
        about[2] += w->x[p] * t2 - w->y[p] * t1;
        sum += n;
    }
    if (w->part->points == 2) {
        f[3] = about[0] * w->along[1] - about[1] * w->along[0];
        f[4] = about[2];
    } else
        memcpy(f + 3, about, sizeof about);
    return sum;
}

bool lode__weld_is_likely(const lode__weld *weld)
{
    const lode__contact_block *block = weld->part->block;
    lode__weld was = *weld;
    if (gather(&was) > 0)
        return lode__weld_share(&was, LIKELY);
    for (int p = 0; p < weld->part->points; ++p)
        if (!(block->rows[p].c.x[weld->part->lane] >= 0))
            return false;
    return true;
}
