/* forms.c: see forms.h. */
#include "tests/fuzz/forms.h"

void form_place(form *f, const double center[3], lode_quat rotation)
{
    double q[4] = {(double)rotation.w, (double)rotation.x, (double)rotation.y, (double)rotation.z};
    double length = 0;
    for (int k = 0; k < 4; ++k)
        length += q[k] * q[k];
    for (int k = 0; k < 4; ++k)
        q[k] /= sqrt(length);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double axes[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                         {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                         {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(f->axis, axes, sizeof axes);
    memcpy(f->center, center, sizeof f->center);
    f->scale = 1;
    for (int k = 0; k < 3; ++k) {
        f->pivot[k] = 0;
        for (int i = 0; i < f->count; ++i)
            f->pivot[k] += f->points[i][k] / f->count;
    }
    f->radius = f->count ? 0 : form_span(f);
    for (int i = 0; i < f->count; ++i) {
        double d[3];
        for (int k = 0; k < 3; ++k)
            d[k] = f->points[i][k] - f->pivot[k];
        f->radius = fmax(f->radius, sqrt(form_dot(d, d)));
    }
    for (int k = 0; k < 3; ++k)
        f->middle[k] = f->center[k] + f->pivot[0] * f->axis[0][k] + f->pivot[1] * f->axis[1][k] +
                       f->pivot[2] * f->axis[2][k];
}

double form_distance_at_least(const form *a, const form *b)
{
    double d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = a->middle[k] - b->middle[k];
    return sqrt(form_dot(d, d)) - a->radius - b->radius;
}

/* The farthest point along n, both in the form's own axes and n of any length. */
static void own_support(const form *f, const double n[3], double out[3])
{
    double across = sqrt(n[0] * n[0] + n[1] * n[1]), length = sqrt(form_dot(n, n)),
           best = -INFINITY;
    switch (f->kind) {
    case FORM_POINTS:
        for (int i = 0; i < f->count; ++i) {
            double along = form_dot(f->points[i], n);
            if (along > best) {
                best = along;
                memcpy(out, f->points[i], 3 * sizeof *out);
            }
        }
        return;
    case FORM_BOX:
        for (int k = 0; k < 3; ++k)
            out[k] = n[k] < 0 ? -f->size[k] : f->size[k];
        return;
    case FORM_CYLINDER:
        out[0] = across > 0 ? f->size[0] * n[0] / across : 0;
        out[1] = across > 0 ? f->size[0] * n[1] / across : 0;
        out[2] = n[2] < 0 ? -f->size[1] : f->size[1];
        return;
    default:
        for (int k = 0; k < 3; ++k)
            out[k] = length > 0 ? f->size[0] * n[k] / length : 0;
        if (f->kind == FORM_CAPSULE)
            out[2] += n[2] < 0 ? -f->size[1] : f->size[1];
    }
}

void form_support(const form *f, const double n[3], double out[3])
{
    double own[3] = {form_dot(f->axis[0], n), form_dot(f->axis[1], n), form_dot(f->axis[2], n)};
    double p[3];
    own_support(f, own, p);
    memcpy(out, f->center, 3 * sizeof *out);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            out[k] += (f->pivot[i] + f->scale * (p[i] - f->pivot[i])) * f->axis[i][k];
    for (int k = 0; k < 3 && form_dot(f->way, n) > 0; ++k)
        out[k] += f->way[k];
}

double form_reach(const form *f, const double n[3])
{
    double p[3];
    form_support(f, n, p);
    return form_dot(p, n);
}

double form_span(const form *f)
{
    double most = 0;
    switch (f->kind) {
    case FORM_POINTS:
        for (int i = 0; i < f->count; ++i)
            most = fmax(most, form_dot(f->points[i], f->points[i]));
        return sqrt(most);
    case FORM_BOX:
        return sqrt(form_dot(f->size, f->size));
    case FORM_BALL:
        return f->size[0];
    default:
        return f->size[0] + f->size[1];
    }
}

double form_thin(const form *f)
{
    switch (f->kind) {
    case FORM_POINTS:
        return 0;
    case FORM_BOX:
        return fmin(f->size[0], fmin(f->size[1], f->size[2]));
    case FORM_CYLINDER:
        return fmin(f->size[0], f->size[1]);
    default:
        return f->size[0];
    }
}

form form_shrunk(const form *f, double scale)
{
    form s = *f;
    s.scale = scale;
    return s;
}

form form_swept(const form *f, const double way[3])
{
    form s = *f;
    s.radius += sqrt(form_dot(way, way));
    memcpy(s.way, way, sizeof s.way);
    return s;
}

double form_gap_along(const form *a, const form *b, const double n[3])
{
    double minus[3] = {-n[0], -n[1], -n[2]}, low[3], high[3];
    form_support(a, minus, low);
    form_support(b, n, high);
    for (int k = 0; k < 3; ++k)
        low[k] -= high[k];
    return form_dot(low, n);
}

/* ---- distance ---- */

typedef struct simplex {
    int count;
    double points[4][3];
} simplex;

/* Solves the `n` equations m x = r by elimination; false: they are (all but) dependent. */
static bool solve(int n, double m[3][4])
{
    for (int c = 0; c < n; ++c) {
        int pivot = c;
        for (int r = c + 1; r < n; ++r)
            if (fabs(m[r][c]) > fabs(m[pivot][c]))
                pivot = r;
        if (fabs(m[pivot][c]) < 1e-290)
            return false;
        for (int k = 0; k < 4; ++k) {
            double swap = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int r = 0; r < n; ++r) {
            if (r == c)
                continue;
            double factor = m[r][c] / m[c][c];
            for (int k = 0; k < 4; ++k)
                m[r][k] -= factor * m[c][k];
        }
    }
    return true;
}

/* The point of these points' plane, line or space nearest to the origin; false if it is outside of
 * them. */
static bool nearest_inside(int count, const double *const points[4], double out[3])
{
    double edges[3][3], m[3][4] = {{0}}, sum = 0;
    for (int i = 1; i < count; ++i)
        for (int k = 0; k < 3; ++k)
            edges[i - 1][k] = points[i][k] - points[0][k];
    for (int i = 0; i + 1 < count; ++i) {
        for (int j = 0; j + 1 < count; ++j)
            m[i][j] = form_dot(edges[i], edges[j]);
        m[i][3] = -form_dot(edges[i], points[0]);
    }
    if (!solve(count - 1, m))
        return false;
    memcpy(out, points[0], 3 * sizeof *out);
    for (int i = 0; i + 1 < count; ++i) {
        double share = m[i][3] / m[i][i];
        if (!(share >= 0))
            return false;
        sum += share;
        for (int k = 0; k < 3; ++k)
            out[k] += share * edges[i][k];
    }
    return sum <= 1;
}

/* The point of the simplex nearest to the origin; leaves those of its points that hold it. */
static double nearest_of_simplex(simplex *s, double out[3])
{
    double best = INFINITY, p[3];
    simplex kept = *s;
    for (int subset = 1; subset < 1 << s->count; ++subset) {
        const double *points[4] = {NULL};
        int count = 0;
        for (int i = 0; i < s->count; ++i)
            if (subset >> i & 1)
                points[count++] = s->points[i];
        if (!nearest_inside(count, points, p) || form_dot(p, p) >= best)
            continue;
        best = form_dot(p, p);
        memcpy(out, p, sizeof p);
        kept.count = count;
        for (int i = 0; i < count; ++i)
            memcpy(kept.points[i], points[i], sizeof p);
    }
    *s = kept;
    return sqrt(best);
}

form_gap form_distance(const form *a, const form *b)
{
    double size = form_span(a) + form_span(b), v[3], w[3], q[3];
    size += sqrt(form_dot(a->way, a->way)) + sqrt(form_dot(b->way, b->way));
    simplex s = {.count = 0};
    form_gap gap = {0, INFINITY, {0, 0, 1}};
    for (int k = 0; k < 3; ++k)
        v[k] = a->center[k] - b->center[k];
    if (form_dot(v, v) == 0)
        v[0] = 1;
    for (int i = 0; i < 300; ++i) {
        double minus[3] = {-v[0], -v[1], -v[2]}, length = sqrt(form_dot(v, v));
        form_support(a, minus, w);
        form_support(b, v, q);
        for (int k = 0; k < 3; ++k)
            w[k] -= q[k];
        if (form_dot(v, w) / length > gap.least) {
            gap.least = form_dot(v, w) / length;
            for (int k = 0; k < 3; ++k)
                gap.normal[k] = v[k] / length;
        }
        if (gap.most - gap.least <= 1e-12 * size)
            break;
        memcpy(s.points[s.count++], w, sizeof w);
        double most = nearest_of_simplex(&s, v);
        gap.most = fmin(gap.most, most);
        if (most <= 1e-12 * size)
            gap.most = gap.least = 0;
        if (most <= 1e-12 * size || s.count == 4)
            break;
    }
    return gap;
}
