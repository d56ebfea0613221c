/* triangle_apart.c: see triangle_apart.h.
 *
 * The walk of collide/gjk.h answers for every solid. Most that are asked are boxes that are out of
 * the triangle, and a box is out of one if it is so along the triangle's normal, one of its own
 * three axes, or one of the nine products of its axes with edges (Gottschalk, Lin, Manocha 1996,
 * "OBBTree: a hierarchical structure for rapid interference detection"). A gap along any of these
 * that is wider than what the walk takes for touching is an answer; without one the walk is asked,
 * so that what is near to rounding is decided by it alone. */
#include "collide/triangle_apart.h"

#include "collide/gjk.h"

/* Of the largest coordinate: the walk takes no wider gap for touching (GJK_TOUCH, of twice that at
 * most). */
#define BOX_SURE 2.5e-10

/* Of its square, or cube: what rounding may do to sums of such products. Directions that are little
 * more than that, as of a triangle that is a line, tell nothing. */
#define BOX_ROUNDING 4e-14

/* A box around the origin in its own axes, and a triangle. */
typedef struct box_case {
    double half[3], at[3][3]; /* corner, component */
    double most, sure;
} box_case;

static box_case box_case_make(const lode__convex_pair *pair)
{
    const lode_vec3 *corners = pair->b.data;
    box_case c = {.most = 0};
    for (int k = 0; k < 3; ++k) {
        lode__double3 at = d3_add(pair->offset, d33_mul(&pair->turn, d3_from(corners[k])));
        c.at[k][0] = at.x;
        c.at[k][1] = at.y;
        c.at[k][2] = at.z;
        c.half[k] = (double)pair->a.size[k];
        c.most = d_max(c.most, d_max(c.half[k], d3_most(at)));
    }
    c.sure = BOX_SURE * c.most;
    return c;
}

/* Is what lies between `low` and `high` beyond the box, which reaches `reach` both ways? */
static bool is_beyond(double low, double high, double reach)
{
    return low > reach || -high > reach;
}

static bool beyond_axes(const box_case *c)
{
    for (int i = 0; i < 3; ++i) {
        double p = c->at[0][i], q = c->at[1][i], r = c->at[2][i];
        if (is_beyond(d_min(p, d_min(q, r)), d_max(p, d_max(q, r)), c->half[i] + c->sure))
            return true;
    }
    return false;
}

/* Sums of components stand for lengths, which are no longer. */
static bool beyond_plane(const box_case *c)
{
    lode__double3 at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = d3(c->at[k][0], c->at[k][1], c->at[k][2]);
    lode__double3 n = d3_cross(d3_sub(at[1], at[0]), d3_sub(at[2], at[0]));
    double height = d3_dot(n, at[0]);
    double reach = (c->half[0] + c->sure) * d_abs(n.x) + (c->half[1] + c->sure) * d_abs(n.y) +
                   (c->half[2] + c->sure) * d_abs(n.z) + BOX_ROUNDING * c->most * c->most * c->most;
    return is_beyond(height, height, reach);
}

/* Along the product of axis i with an edge, which is -e[k] along j and e[j] along k, both ends of
 * the edge reach equally far. */
static bool beyond_edge(const box_case *c, int edge)
{
    const double *from = c->at[edge], *to = c->at[(edge + 1) % 3], *far = c->at[(edge + 2) % 3];
    const double e[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double p = e[j] * from[k] - e[k] * from[j], q = e[j] * far[k] - e[k] * far[j];
        double reach = (c->half[j] + c->sure) * d_abs(e[k]) + (c->half[k] + c->sure) * d_abs(e[j]) +
                       BOX_ROUNDING * c->most * c->most;
        if (is_beyond(d_min(p, q), d_max(p, q), reach))
            return true;
    }
    return false;
}

/* A gap that there is at least; 0: none was found. */
static double box_apart(const lode__convex_pair *pair)
{
    box_case c = box_case_make(pair);
    bool apart = beyond_plane(&c) || beyond_axes(&c) || beyond_edge(&c, 0) || beyond_edge(&c, 1) ||
                 beyond_edge(&c, 2);
    return apart ? c.sure : 0;
}

double lode__triangle_apart(const lode__convex *solid, lode_quat rotation,
                            const lode_vec3 corners[3], lode_vec3 from)
{
    lode__convex triangle = convex_make(&lode__convex_triangle, NULL, corners);
    lode__convex_pair pair = lode__convex_pair_make(*solid, rotation, triangle, q_identity(), from);
    double gap = solid->type == &lode__convex_types[LODE_BOX] ? box_apart(&pair) : 0;
    lode__nearest nearest;
    if (gap > 0)
        return gap;
    if (!lode__gjk_distance(&pair, solid->radius, &nearest, NULL))
        return -1;
    return nearest.gap - solid->radius;
}
