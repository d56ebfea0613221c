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

/* Along which direction the points are most spread out, from their moments. */
static void find_axis(lode__weld *w, double xx, double xy, double yy)
{
    double apart = 0.5 * (xx - yy), size = sqrt(apart * apart + xy * xy);
    double twice_cos = size > 0 ? apart / size : 1, twice_sin = size > 0 ? xy / size : 0;
    if (twice_cos >= 0) {
        w->axis[0] = sqrt(0.5 * (1 + twice_cos));
        w->axis[1] = 0.5 * twice_sin / w->axis[0];
    } else {
        w->axis[1] = sqrt(0.5 * (1 - twice_cos));
        w->axis[0] = 0.5 * twice_sin / w->axis[1];
    }
}

/* Places the points about their mean. */
static void read_points(lode__weld *w, const lode__contact_block *block)
{
    int count = w->part->points, lane = w->part->lane;
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < count; ++i) {
        x += w->x[i] = block->rows[i].x.x[lane];
        y += w->y[i] = block->rows[i].y.x[lane];
    }
    x /= count, y /= count;
    for (int i = 0; i < count; ++i) {
        w->x[i] -= x, w->y[i] -= y;
        xx += w->x[i] * w->x[i];
        xy += w->x[i] * w->y[i];
        yy += w->y[i] * w->y[i];
    }
    find_axis(w, xx, xy, yy);
    w->pp = w->qq = 0;
    for (int i = 0; i < count; ++i) {
        w->p[i] = w->axis[0] * w->x[i] + w->axis[1] * w->y[i];
        w->q[i] = count > 2 ? w->axis[0] * w->y[i] - w->axis[1] * w->x[i] : 0;
        w->pp += w->p[i] * w->p[i];
        w->qq += w->q[i] * w->q[i];
    }
    read_frame(w, block, x, y);
}

static bool has_extent(const lode__weld *w)
{
    double size = w->pp + w->qq;
    return w->part->points == 1 ||
           (size > 0 && (w->part->points == 2 || w->pp * w->qq > FLAT * size * size));
}

/* The plane through what the normal rows ask for: c[0] at the mean, and its slopes along the
 * principal axes. False where hard points do not lie in one. */
static bool fit(lode__weld *w, const double *c)
{
    int count = w->part->points;
    double sum = 0, cp = 0, cq = 0, largest = 0;
    for (int i = 0; i < count; ++i) {
        sum += c[i], cp += c[i] * w->p[i], cq += c[i] * w->q[i];
        largest = fabs(c[i]) > largest ? fabs(c[i]) : largest;
    }
    w->c[0] = sum / count;
    w->c[3] = count > 1 ? cp / w->pp : 0;
    w->c[4] = count > 2 ? cq / w->qq : 0;
    for (int i = 0; i < count; ++i) {
        double aside = c[i] - (w->c[0] + w->c[3] * w->p[i] + w->c[4] * w->q[i]);
        if (!(w->gamma > 0) && !(fabs(aside) <= rounding(largest)))
            return false;
        w->aside[i] = w->gamma > 0 ? aside / w->gamma : 0;
    }
    return true;
}

bool lode__weld_make(lode__weld *w, const lode__part *contact, bool cone)
{
    const lode__contact_block *block = contact->block;
    double c[LODE__MANIFOLD_POINTS];
    int lane = contact->lane;
    memset(w->c, 0, sizeof w->c);
    w->part = contact;
    w->cone = cone;
    w->gamma = block->rows[0].soft.x[lane];
    for (int i = 0; i < contact->points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        double other = fabs((double)row->soft.x[lane] - w->gamma);
        if (!(row->mass.x[lane] > 0) || !(other <= rounding(w->gamma)))
            return false;
        c[i] = row->c.x[lane];
    }
    read_points(w, block);
    return has_extent(w) && fit(w, c);
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
    double slope[2][3], about[3], lever[2][3]; /* turns that close points along t1 and t2 */
    const int count = w->part->points;
    const double *axes[LODE__WELD_ROWS] = {w->n, w->t1, w->t2, slope[0], slope[1], about};
    double gamma[LODE__WELD_ROWS] = {w->gamma / count};
    cross(lever[0], w->t1, w->n);
    cross(lever[1], w->t2, w->n);
    for (int i = 0; i < 3; ++i) {
        slope[0][i] = w->axis[0] * lever[0][i] + w->axis[1] * lever[1][i];
        slope[1][i] = w->axis[0] * lever[1][i] - w->axis[1] * lever[0][i];
    }
    cross(about, w->t1, w->t2);
    if (count > 1)
        gamma[3] = w->gamma / w->pp;
    if (count > 2)
        gamma[4] = w->gamma / w->qq;
    if (count == 2)
        axes[4] = about;
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < node->rows; ++k) {
        write_row(w, out, (int)k, axes[node->first + k], node->first + k >= 3);
        out->c[k] = w->c[node->first + k];
        out->gamma[k] = gamma[node->first + k];
    }
}

/* --- impulses */

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
    double out[LODE__WELD_IMPULSES], along_p = 0, along_q = 0, twist = 0;
    if (count > 1) {
        along_p = w->impulses[3] / w->pp;
        twist = w->impulses[lode__weld_rows(count) - 1] / (w->pp + w->qq);
    }
    if (count > 2)
        along_q = w->impulses[4] / w->qq;
    for (int i = 0; i < count; ++i) {
        double *at = out + 3 * (ptrdiff_t)i;
        at[0] = w->impulses[0] / count + along_p * w->p[i] + along_q * w->q[i] + w->aside[i];
        at[1] = w->impulses[1] / count - twist * w->y[i];
        at[2] = w->impulses[2] / count + twist * w->x[i];
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
    double sum = 0, *f = w->impulses, *twist = f + lode__weld_rows(w->part->points) - 1;
    memset(w->impulses, 0, sizeof w->impulses);
    for (int i = 0; i < w->part->points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        double n = row->lambda.x[lane], t1 = row->lambda1.x[lane], t2 = row->lambda2.x[lane];
        f[0] += n, f[1] += t1, f[2] += t2;
        if (w->part->points > 1)
            f[3] += w->p[i] * n, *twist += w->x[i] * t2 - w->y[i] * t1;
        if (w->part->points > 2)
            f[4] += w->q[i] * n;
        sum += n;
    }
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
