/* touch_capsule_box.c: a capsule against a box, in the box's axes.
 *
 * Apart. The squared distance f(s) of the point at s on the capsule's axis from the box is convex
 * and quadratic between the places where the axis crosses the planes of the box's faces. Half its
 * derivative,
 *
 *     g(s) = sum over i of u_i (x_i - clamp(x_i)),        x = c + s u,
 *
 * rises in straight pieces. Each of the six crossings shortens the bracket of its root from one
 * side or the other; what is left holds no crossing, there g is straight, and the root is exact.
 *
 * Through. Where the axis itself meets the box, the least push that frees it is the nearest face of
 * the box's Minkowski sum with the axis. Its faces have six normals: three faces of the box, three
 * products of its edges with the axis. Then the radius is added. A face of the box may be preferred
 * to an edge that is a little better; then the axis runs down beside the box beyond the face's rim,
 * and is free when the ball around each station there has cleared the rim:
 *
 *     depth = most over s of sqrt(r^2 - e(s)^2) - h(s),
 *
 * h being the station's height over the face and e how far it is out of the face's column. It is
 * concave, made of one piece for each side that is passed, and known in closed form.
 *
 * Either gives a normal and the deepest station; lines of contact as in collide/capsule_line.h,
 * ended where the axis leaves the box's faces. Who moves apart by the deepest depth has parted. */
#include "collide/capsule_line.h"

/* Of the radius: how far beyond the edge of a face the axis still counts as above it, so that
 * rounding does not decide where it runs along the edge. The depth there errs by half its
 * square. */
#define BRIM ((lode_real)0.02)

/* An edge decides only if it is better than the faces by a share of their depth and a length, in
 * speculative margins: faces hold a capsule still. */
#define EDGE_SHARE ((lode_real)0.95)
#define EDGE_MARGIN ((lode_real)0.05)

/* Sine squared below which the axis and an edge count as parallel: a hundred roundings of the sine.
 * The gap along their product has no error but rounding's, however small the sine. */
#define PARALLEL ((lode_real)1e-10)

/* The capsule in the box's axes, by component. */
typedef struct axis_in_box {
    lode_real c[3], u[3]; /* centre and unit direction of the axis */
    lode_real half[3];    /* of the box */
    lode_real length;     /* half the axis */
    lode_real radius;
} axis_in_box;

/* What the axis and the box say about each other. */
typedef struct verdict {
    lode_real normal[3]; /* unit, out of the box */
    lode_real s, depth;  /* of the deepest station */
    lode_real beside[3]; /* from the middle of the contact to the line through s along the normal */
    lode_real lo, hi;    /* the stretch of the axis above the box */
    int face;            /* through which the axis is freed, or -1: it is apart, or at an edge */
} verdict;

static void store3(lode_real out[3], lode_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static lode_vec3 load3(const lode_real x[3])
{
    return v3(x[0], x[1], x[2]);
}

static lode_real at(const axis_in_box *in, int i, lode_real s)
{
    return in->c[i] + s * in->u[i];
}

/* From the nearest point of the box to the point at s. */
static lode_vec3 beyond(const axis_in_box *in, lode_real s)
{
    lode_real d[3];
    for (int i = 0; i < 3; ++i) {
        lode_real x = at(in, i, s);
        d[i] = x - clamp_within(x, in->half[i]);
    }
    return load3(d);
}

/* Cuts the stretch of the axis to what lies above a face: between the other faces, or beyond each
 * of them no farther than `over` allows. */
static void find_stretch(const axis_in_box *in, int face, const lode_real over[3], verdict *out)
{
    out->lo = -in->length;
    out->hi = in->length;
    for (int i = 0; i < 3; ++i) {
        if (i == face || in->u[i] == 0)
            continue;
        lode_real width = r_max(in->half[i], over[i]) + in->radius * BRIM;
        lode_real one = (width - in->c[i]) / in->u[i], other = (-width - in->c[i]) / in->u[i];
        out->lo = r_max(out->lo, r_min(one, other));
        out->hi = r_min(out->hi, r_max(one, other));
    }
}

/* --- apart */

typedef struct bracket {
    lode_real lo, hi, g_lo, g_hi;
} bracket;

static void shorten(bracket *b, const axis_in_box *in, lode_real s)
{
    if (!(s > b->lo && s < b->hi))
        return;
    lode_real g = v3_dot(load3(in->u), beyond(in, s));
    if (g < 0) {
        b->lo = s;
        b->g_lo = g;
    } else {
        b->hi = s;
        b->g_hi = g;
    }
}

static lode_real nearest_station(const axis_in_box *in)
{
    lode_vec3 u = load3(in->u);
    bracket b = {-in->length, in->length, v3_dot(u, beyond(in, -in->length)),
                 v3_dot(u, beyond(in, in->length))};
    if (!(b.g_lo < 0))
        return b.lo;
    if (!(b.g_hi > 0))
        return b.hi;
    for (int i = 0; i < 3; ++i) {
        if (in->u[i] == 0)
            continue;
        shorten(&b, in, (in->half[i] - in->c[i]) / in->u[i]);
        shorten(&b, in, (-in->half[i] - in->c[i]) / in->u[i]);
    }
    lode_real share = b.g_lo / (b.g_lo - b.g_hi);
    return b.lo + (b.hi - b.lo) * share;
}

/* --- through */

/* The face that parts the axis from the box most. */
static lode_real best_face(const axis_in_box *in, int *out_face)
{
    lode_real most = -REAL_MAX;
    for (int i = 0; i < 3; ++i) {
        lode_real gap = r_abs(in->c[i]) - in->half[i] - in->length * r_abs(in->u[i]);
        if (gap > most) {
            most = gap;
            *out_face = i;
        }
    }
    return most;
}

/* The product of the axis and an edge along i has no component i and two of the axis's, turned. */
static lode_real edge_gap(const axis_in_box *in, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    lode_real square = in->u[j] * in->u[j] + in->u[k] * in->u[k];
    if (!(square > PARALLEL))
        return -REAL_MAX;
    lode_real apart = r_abs(in->c[j] * in->u[k] - in->c[k] * in->u[j]);
    lode_real reach = in->half[j] * r_abs(in->u[k]) + in->half[k] * r_abs(in->u[j]);
    return (apart - reach) / r_sqrt(square);
}

/* Below a face: how far the axis is under it at s. */
static lode_real under(const axis_in_box *in, int face, lode_real side, lode_real s)
{
    return in->half[face] - side * at(in, face, s);
}

/* How far the axis goes on from s, downwards, before it passes the side i. */
static lode_real way_to_side(const axis_in_box *in, int i, lode_real s, lode_real down)
{
    lode_real rate = r_abs(in->u[i]), side = down * in->u[i] < 0 ? (lode_real)-1 : (lode_real)1;
    lode_real left = in->half[i] - side * at(in, i, s);
    return left < rate * 4 * in->length ? r_max(left, 0) / rate : 4 * in->length;
}

/* From s on the axis goes down and out of the face's column: around which station is the ball the
 * last to clear the face? What it has left after a way w beyond the first side rises as
 * sqrt(r^2 - a^2 w^2) + b w does, beyond both as sqrt(r^2 - A (w - m)^2 - q) + b w, with
 * A + b^2 = 1. */
static lode_real lowest_station(const axis_in_box *in, int face, lode_real s, lode_real down)
{
    int j = (face + 1) % 3, k = (face + 2) % 3;
    lode_real to_j = way_to_side(in, j, s, down), to_k = way_to_side(in, k, s, down);
    int first = to_j <= to_k ? j : k, other = to_j <= to_k ? k : j;
    lode_real begin = r_min(to_j, to_k), then = r_max(to_j, to_k) - begin;
    lode_real end = in->length - down * s - begin;
    if (!(end > 0))
        return down * in->length;
    lode_real a = r_abs(in->u[first]), c = r_abs(in->u[other]), b = r_abs(in->u[face]);
    lode_real slant = a * r_sqrt(a * a + b * b), way = then;
    if (in->radius * b < slant * then) {
        way = in->radius * b / slant;
    } else if (then < end) {
        lode_real out = a * a + c * c, m = c * c * then / out;
        lode_real rest = r_max(in->radius * in->radius - a * a * m * then, 0);
        way = m + r_sqrt(rest / (out * (out + b * b))) * b;
    }
    return s + down * (begin + r_min(r_max(way, 0), end));
}

static void leave_by_face(const axis_in_box *in, int i, verdict *out)
{
    lode_real side = in->c[i] < 0 ? (lode_real)-1 : (lode_real)1, far = 0;
    lode_real down = side * in->u[i] > 0 ? (lode_real)-1 : (lode_real)1;
    find_stretch(in, i, in->half, out);
    if (out->lo <= out->hi)
        out->s = r_max(out->lo, r_min(out->s, out->hi));
    out->s = lowest_station(in, i, out->s, down);
    for (int k = 0; k < 3; ++k) {
        lode_real x = at(in, k, out->s);
        out->beside[k] = k == i ? 0 : x - clamp_within(x, in->half[k]);
        far += out->beside[k] * out->beside[k];
        out->normal[k] = k == i ? side : 0;
    }
    out->depth = r_sqrt(r_max(in->radius * in->radius - far, 0)) + under(in, i, side, out->s);
    out->face = i;
}

/* The station is where the axis passes the edge. */
static void leave_by_edge(const axis_in_box *in, int i, lode_real gap, verdict *out)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    lode_real side = in->c[j] * in->u[k] - in->c[k] * in->u[j] < 0 ? (lode_real)-1 : (lode_real)1;
    lode_real square = in->u[j] * in->u[j] + in->u[k] * in->u[k], scale = side / r_sqrt(square);
    out->normal[i] = 0;
    out->normal[j] = in->u[k] * scale;
    out->normal[k] = -in->u[j] * scale;
    lode_real to_j = (out->normal[j] < 0 ? -in->half[j] : in->half[j]) - in->c[j];
    lode_real to_k = (out->normal[k] < 0 ? -in->half[k] : in->half[k]) - in->c[k];
    out->s = clamp_within((to_j * in->u[j] + to_k * in->u[k]) / square, in->length);
    out->depth = in->radius - gap;
    out->lo = out->hi = out->s;
}

static void leave_box(const axis_in_box *in, lode_real speculative, verdict *out)
{
    int face = 0, edge = -1;
    lode_real gap = best_face(in, &face);
    lode_real best = r_max(gap, gap * EDGE_SHARE) + speculative * EDGE_MARGIN;
    for (int i = 0; i < 3; ++i) {
        lode_real other = edge_gap(in, i);
        if (other > best) {
            best = other;
            edge = i;
        }
    }
    if (edge < 0)
        leave_by_face(in, face, out);
    else
        leave_by_edge(in, edge, best, out);
}

/* --- both */

static void part_from_box(const axis_in_box *in, lode_vec3 apart, verdict *out)
{
    lode_vec3 normal = v3_normalize_or(apart, v3_zero()), size = v3_abs(normal);
    int face = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    lode_real over[3];
    for (int i = 0; i < 3; ++i)
        over[i] = r_abs(at(in, i, out->s));
    store3(out->normal, normal);
    out->depth = in->radius - v3_length(apart);
    find_stretch(in, face, over, out);
}

static verdict judge(const axis_in_box *in, lode_real speculative)
{
    verdict v = {.s = nearest_station(in), .face = -1};
    lode_vec3 apart = beyond(in, v.s);
    if (v3_length(apart) > in->radius * LINE_MEETS)
        part_from_box(in, apart, &v);
    else
        leave_box(in, speculative, &v);
    return v;
}

static line_station end_at(const axis_in_box *in, const verdict *v, lode_real s)
{
    if (v->face < 0)
        return line_end(s, beyond(in, s), load3(v->normal), in->radius);
    return (line_station){s, in->radius + under(in, v->face, v->normal[v->face], s), true};
}

void lode__touch_capsule_box(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                             lode_real speculative, lode__touch *out)
{
    contact_line line = {.axis = view_axis(a), .radius = a->size[0]};
    axis_in_box in = {.length = a->size[1], .radius = a->size[0]};
    store3(in.c, q_rotate_inv(b->rotation, v3_neg(offset)));
    store3(in.u, q_rotate_inv(b->rotation, line.axis));
    store3(in.half, view_extents(b));
    verdict v = judge(&in, speculative);
    if (!(v.depth > -speculative))
        return;
    line.normal = q_rotate(b->rotation, load3(v.normal));
    line.beside = q_rotate(b->rotation, load3(v.beside));
    line.middle = (line_station){v.s, v.depth, true};
    if (v.hi - v.lo > in.radius * LINE_SHORT) {
        line.lower = end_at(&in, &v, v.lo);
        line.upper = end_at(&in, &v, v.hi);
    }
    add_line(&line, speculative, out);
}
