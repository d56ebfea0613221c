/* convex.c: the convex solids, one after another; see convex.h.
 *
 * Names of a face's points. Box: corners by their signs, x + 2 y + 4 z, edges 4 d + s + 2 t, with d
 * the direction and s, t the signs along the axes after it; as in collide/box_face.h. Capsule: 0
 * and 1, the ends as its axis points. Cylinder: 0..7 on the lower rim, 8..15 on the upper, 16 and
 * 17 the ends of its side's line, as its axis points.
 *
 * A cylinder's end is an octagon in its rim that turns with the cylinder: points that stay where
 * they are on the body, so that what stands on them keeps its impulses. That the rim bulges out
 * between them is made up for by the deepest point of the pair, which is exact. */
#include "collide/convex.h"

#include "collide/custom.h"

enum { RIM_POINTS = 8, SIDE_NAME = 2 * RIM_POINTS };

/* --- points and segments */

static lode__double3 center_support(const lode__convex *convex, lode__double3 direction)
{
    (void)convex;
    (void)direction;
    return d3(0, 0, 0);
}

static void center_face(const lode__convex *convex, lode__double3 direction, lode__face *out)
{
    (void)convex;
    (void)direction;
    out->count = 1;
    out->round = false;
    out->point[0] = d3(0, 0, 0);
    out->vertex[0] = out->edge[0] = 0;
}

static lode__double3 axis_support(const lode__convex *capsule, lode__double3 direction)
{
    double half = capsule->size[1];
    return d3(0, 0, direction.z < 0 ? -half : half);
}

static void put_point(lode__face *out, int k, lode__double3 point, int vertex, int edge)
{
    out->point[k] = point;
    out->vertex[k] = (uint16_t)vertex;
    out->edge[k] = (uint16_t)edge;
}

static void axis_face(const lode__convex *capsule, lode__double3 direction, lode__face *out)
{
    double half = capsule->size[1];
    (void)direction;
    out->count = half > 0 ? 2 : 1;
    out->round = false;
    put_point(out, 0, d3(0, 0, -half), 0, 0);
    put_point(out, 1, d3(0, 0, half), 1, 0);
}

/* --- boxes */

static lode__double3 box_support(const lode__convex *box, lode__double3 direction)
{
    const lode_real *half = box->size;
    return d3(direction.x < 0 ? -(double)half[0] : (double)half[0],
              direction.y < 0 ? -(double)half[1] : (double)half[1],
              direction.z < 0 ? -(double)half[2] : (double)half[2]);
}

static void store3(double out[3], lode__double3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* The face across axis `i`; its corners go round by quarter turns of the axes j and k after it. */
static void box_face(const lode__convex *box, lode__double3 direction, lode__face *out)
{
    static const int sign_j[4] = {0, 1, 1, 0}, sign_k[4] = {0, 0, 1, 1};
    double d[3], at[3];
    store3(d, direction);
    int i = d_abs(d[0]) >= d_abs(d[1]) && d_abs(d[0]) >= d_abs(d[2]) ? 0
            : d_abs(d[1]) >= d_abs(d[2])                             ? 1
                                                                     : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3, top = d[i] >= 0;
    double normal[3] = {0, 0, 0};
    normal[i] = top ? 1 : -1;
    out->count = 4;
    out->round = false;
    out->normal = d3(normal[0], normal[1], normal[2]);
    for (int n = 0; n < 4; ++n) {
        int c = top ? n : 3 - n, next = top ? (n + 1) & 3 : (6 - n) & 3;
        int sj = sign_j[c], sk = sign_k[c];
        at[i] = top ? (double)box->size[i] : -(double)box->size[i];
        at[j] = sj ? (double)box->size[j] : -(double)box->size[j];
        at[k] = sk ? (double)box->size[k] : -(double)box->size[k];
        /* the edge to the next corner runs along j where k's sign stays, and the other way round */
        int edge = sign_k[next] == sk ? 4 * j + sk + 2 * top : 4 * k + top + 2 * sj;
        put_point(out, n, d3(at[0], at[1], at[2]), (top << i) + (sj << j) + (sk << k), edge);
    }
}

/* --- cylinders */

static lode__double3 cylinder_support(const lode__convex *cylinder, lode__double3 direction)
{
    double radius = cylinder->size[0], half = cylinder->size[1];
    lode__double3 out = d3_normalize_or(d3(direction.x, direction.y, 0), d3(1, 0, 0));
    return d3(out.x * radius, out.y * radius, direction.z < 0 ? -half : half);
}

static void end_face(const lode__convex *cylinder, bool top, lode__face *out)
{
    const double radius = cylinder->size[0], diagonal = radius * 0.70710678118654752;
    const double x[RIM_POINTS] = {radius, diagonal, 0, -diagonal, -radius, -diagonal, 0, diagonal};
    double half = cylinder->size[1];
    out->count = RIM_POINTS;
    out->round = true;
    out->normal = d3(0, 0, top ? 1 : -1);
    for (int n = 0; n < RIM_POINTS; ++n) {
        int k = top ? n : (RIM_POINTS - n) % RIM_POINTS, name = top ? RIM_POINTS : 0;
        int edge = top ? k : (k + RIM_POINTS - 1) % RIM_POINTS;
        double y = x[(k + RIM_POINTS - 2) % RIM_POINTS];
        put_point(out, n, d3(x[k], y, top ? half : -half), name + k, name + edge);
    }
}

/* Its end, or the line of its side, whichever looks more along the direction. */
static void cylinder_face(const lode__convex *cylinder, lode__double3 direction, lode__face *out)
{
    if (2 * direction.z * direction.z >= d3_dot(direction, direction)) {
        end_face(cylinder, direction.z > 0, out);
        return;
    }
    lode__double3 at = cylinder_support(cylinder, direction);
    double half = cylinder->size[1];
    out->count = 2;
    out->round = false;
    put_point(out, 0, d3(at.x, at.y, -half), SIDE_NAME, SIDE_NAME);
    put_point(out, 1, d3(at.x, at.y, half), SIDE_NAME + 1, SIDE_NAME);
}

/* --- triangles */

static lode__double3 triangle_support(const lode__convex *triangle, lode__double3 direction)
{
    const lode_vec3 *corner = triangle->data;
    lode__double3 best = d3_from(corner[0]);
    double most = d3_dot(best, direction);
    for (int k = 1; k < 3; ++k) {
        lode__double3 at = d3_from(corner[k]);
        double along = d3_dot(at, direction);
        if (along > most) {
            most = along;
            best = at;
        }
    }
    return best;
}

static void triangle_face(const lode__convex *triangle, lode__double3 direction, lode__face *out)
{
    const lode_vec3 *corner = triangle->data;
    lode__double3 p[3] = {d3_from(corner[0]), d3_from(corner[1]), d3_from(corner[2])};
    lode__double3 normal = d3_cross(d3_sub(p[1], p[0]), d3_sub(p[2], p[0]));
    bool back = d3_dot(normal, direction) < 0;
    out->count = 3;
    out->round = false;
    out->normal = d3_normalize_or(back ? d3_neg(normal) : normal, direction);
    for (int n = 0; n < 3; ++n) {
        int k = back ? 2 - n : n;
        put_point(out, n, p[k], k, back ? (k + 2) % 3 : k);
    }
}

/* clang-format off */
const lode__convex_type lode__convex_types[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE]   = {center_support,   center_face,   true},
    [LODE_BOX]      = {box_support,      box_face,      false},
    [LODE_PLANE]    = {NULL,             NULL,          false},
    [LODE_CAPSULE]  = {axis_support,     axis_face,     true},
    [LODE_CYLINDER] = {cylinder_support, cylinder_face, false},
    [LODE_HULL]     = {lode__hull_support_point, lode__hull_face_along, false},
    [LODE_CUSTOM]   = {lode__custom_support_point, lode__custom_face_along, false},
};
/* clang-format on */

bool lode__is_convex(uint32_t type, const void *data)
{
    return type < LODE_SHAPE_TYPE_COUNT && lode__convex_types[type].support &&
           (type != LODE_CUSTOM || custom_of(data)->own->support);
}

const lode__convex_type lode__convex_triangle = {triangle_support, triangle_face, false};

/* --- pairs */

lode__convex_pair lode__convex_pair_make(lode__convex a, lode_quat rotation_a, lode__convex b,
                                         lode_quat rotation_b, lode_vec3 offset)
{
    lode__double33 turn_a = d33_from_quat(rotation_a), turn_b = d33_from_quat(rotation_b);
    lode__convex_pair pair = {a, b, d33_between(&turn_a, &turn_b),
                              d33_mul_t(&turn_a, d3_from(offset))};
    return pair;
}

void lode__convex_face_a(const lode__convex_pair *pair, lode__double3 n, lode__face *out)
{
    pair->a.type->face(&pair->a, d3_neg(n), out);
}

void lode__convex_face_b(const lode__convex_pair *pair, lode__double3 n, lode__face *out)
{
    pair->b.type->face(&pair->b, d33_mul_t(&pair->turn, n), out);
    if (out->count > 2)
        out->normal = d33_mul(&pair->turn, out->normal);
    for (int k = 0; k < out->count; ++k)
        out->point[k] = d3_add(pair->offset, d33_mul(&pair->turn, out->point[k]));
}
