/* bonds.inl: the equations of an island of joints without limits (solver/bonds.h), by a block
 * factor L D L^T of tiles of 4 x 4: a node's rows are eliminated one after another from its own
 * tile, its tiles take part in it, and what they hold is taken from those of the nodes above. In
 * double precision whatever lode_real is.
 *
 * No rows are exchanged. A pivot that vanishes belongs to a row that others make superfluous: that
 * is left to solver/lcp.c, as is whatever does not come out right. What comes out is judged by the
 * rows themselves, at the velocities that the impulses lead to,
 *
 *     r = c - J v' - gamma x,
 *
 * and improved by solving for r once more where rounding has left too much of it. */

#define BONDS_GOOD 1e-24   /* squares, relative to those of all rows and impulses: good at once, */
#define BONDS_ENOUGH 1e-22 /* and enough in the end */
#define BONDS_PIVOT 1e-11  /* share of its diagonal that a pivot keeps at least */

enum { BONDS_IMPROVED = 3 };

/* sum + a * s */
LODE__INLINE lode__quad quad_plus(lode__quad sum, lode__quad a, double s)
{
    return sum + a * LODE__QUAD(s);
}

LODE__INLINE lode__quad quad_less(lode__quad sum, lode__quad a, double s)
{
    return sum - a * LODE__QUAD(s);
}

/* --- the matrix */

LODE__INLINE void bonds_respond(lode__bond_rows *r, int end, const lode__bond_body *body)
{
    const double *m = body->inv_inertia;
    const lode__quad *a = r->ang[end];
    const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int k = 0; k < 3; ++k)
        r->resp[end][k] = quad_plus(quad_plus(a[0] * LODE__QUAD(m[at[k][0]]), a[1], m[at[k][1]]),
                                    a[2], m[at[k][2]]);
}

/* J v of a node at given velocities of its bodies. */
LODE__INLINE lode__quad bonds_velocity(const lode__bond_rows *r, const double *a, const double *b)
{
    lode__quad linear = LODE__QUAD(0), first = linear, second = linear;
    for (int k = 0; k < 3; ++k) {
        linear = quad_plus(linear, r->lin[k], a[k] - b[k]);
        first = quad_plus(first, r->ang[0][k], a[3 + k]);
        second = quad_plus(second, r->ang[1][k], b[3 + k]);
    }
    return linear + (first + second);
}

LODE__INLINE void bonds_diagonal(lode__bond_rows *r, double inv_mass, int n)
{
    for (int i = 0; i < n; ++i) {
        lode__quad linear = LODE__QUAD(0), first = linear, second = linear;
        for (int k = 0; k < 3; ++k) {
            linear = quad_plus(linear, r->lin[k], r->lin[k][i] * inv_mass);
            first = quad_plus(first, r->resp[0][k], r->ang[0][k][i]);
            second = quad_plus(second, r->resp[1][k], r->ang[1][k][i]);
        }
        r->tile[i] = linear + (first + second);
        r->tile[i][i] += r->gamma[i];
    }
}

/* Adds what one body couples. */
LODE__INLINE void bonds_link(const lode__bonds *b, const lode__bond_link *link, int n)
{
    const lode__bond_rows *r = &b->rows[link->node], *above = &b->rows[link->above];
    const lode__quad *ang = r->ang[link->ends[0]], *resp = above->resp[link->ends[1]];
    double inv_mass = b->bodies[link->body].inv_mass;
    double sign = link->ends[0] == link->ends[1] ? inv_mass : -inv_mass;
    lode__quad *tile = b->tiles[link->tile];
    for (int i = 0; i < n; ++i) {
        lode__quad linear = LODE__QUAD(0), turn = linear;
        for (int k = 0; k < 3; ++k) {
            linear = quad_plus(linear, above->lin[k], r->lin[k][i] * sign);
            turn = quad_plus(turn, resp[k], ang[k][i]);
        }
        tile[i] += linear + turn;
    }
}

/* Returns the squares of what rows are to change, in units in which the diagonal is 1. */
LODE__INLINE double bonds_build(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    lode__quad want = LODE__QUAD(0);
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_rows *r = &b->rows[t];
        const lode__bond_body *first = &b->bodies[r->body[0]], *second = &b->bodies[r->body[1]];
        bonds_respond(r, 0, first);
        bonds_respond(r, 1, second);
        bonds_diagonal(r, first->inv_mass + second->inv_mass, n);
        for (uint32_t i = plan->nodes[t].rows; i < LODE__BOND_ROWS; ++i) {
            r->tile[i] = LODE__QUAD(0);
            r->tile[i][i] = 1;
        }
        r->diagonal = (lode__quad){r->tile[0][0], r->tile[1][1], r->tile[2][2], r->tile[3][3]};
        r->per = LODE__QUAD(1) / r->diagonal;
        r->y = r->c - bonds_velocity(r, first->v, second->v);
        r->x = LODE__QUAD(0);
        want += r->y * r->y * r->per;
    }
    for (uint32_t i = 0; i < plan->tile_count; ++i)
        for (int k = 0; k < n; ++k)
            b->tiles[i][k] = LODE__QUAD(0);
    for (uint32_t i = 0; i < plan->link_count; ++i)
        bonds_link(b, &plan->links[i], n);
    return quad_sum(want);
}

/* --- the factor */

/* Eliminates a node's own tile; false where a pivot vanishes. */
LODE__INLINE bool bonds_pivots(lode__bond_rows *r)
{
    const lode__quad *d = r->tile;
    double *l = r->lower;
    double d0 = d[0][0], d01 = d[0][1], d02 = d[0][2], d03 = d[0][3];
    double i0 = 1 / d0, l10 = d01 * i0, l20 = d02 * i0, l30 = d03 * i0;
    double d1 = d[1][1] - l10 * d01, d12 = d[1][2] - l10 * d02, d13 = d[1][3] - l10 * d03;
    double i1 = 1 / d1, l21 = d12 * i1, l31 = d13 * i1;
    double d2 = (d[2][2] - l20 * d02) - l21 * d12, d23 = (d[2][3] - l20 * d03) - l21 * d13;
    double i2 = 1 / d2, l32 = d23 * i2;
    double d3 = ((d[3][3] - l30 * d03) - l31 * d13) - l32 * d23;
    l[0] = l10, l[1] = l20, l[2] = l30, l[3] = l21, l[4] = l31, l[5] = l32;
    r->inverse = (lode__quad){i0, i1, i2, 1 / d3};
    const lode__quad *all = &r->diagonal;
    return d0 > BONDS_PIVOT * (*all)[0] && d1 > BONDS_PIVOT * (*all)[1] &&
           d2 > BONDS_PIVOT * (*all)[2] && d3 > BONDS_PIVOT * (*all)[3];
}

/* What its own tile's elimination does to another of a node's tiles. */
LODE__INLINE void bonds_reduce(const double *l, lode__quad *t, int n)
{
    t[1] = quad_less(t[1], t[0], l[0]);
    t[2] = quad_less(quad_less(t[2], t[0], l[1]), t[1], l[3]);
    if (n > 3)
        t[3] = quad_less(quad_less(quad_less(t[3], t[0], l[2]), t[1], l[4]), t[2], l[5]);
}

/* target -= lower^T upper */
LODE__INLINE void bonds_take(lode__quad *target, const lode__quad *lower, const lode__quad *upper,
                             int n)
{
    for (int i = 0; i < n; ++i) {
        lode__quad sum = target[i];
        for (int p = 0; p < n; ++p)
            sum = quad_less(sum, upper[p], lower[p][i]);
        target[i] = sum;
    }
}

LODE__INLINE bool bonds_factor(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        lode__bond_rows *r = &b->rows[t];
        const uint32_t *update = plan->updates + node->update;
        if (!bonds_pivots(r))
            return false;
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k)
            bonds_reduce(r->lower, b->tiles[k], n);
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
            const lode__quad *upper = b->tiles[k];
            lode__quad lower[LODE__BOND_ROWS];
            for (int p = 0; p < n; ++p)
                lower[p] = upper[p] * LODE__QUAD(r->inverse[p]);
            bonds_take(b->rows[plan->above[k]].tile, lower, upper, n);
            for (uint32_t m = k + 1; m < node->tile_end; ++m)
                bonds_take(b->tiles[*update++], lower, b->tiles[m], n);
        }
    }
    return true;
}

/* --- the solution */

/* Adds the solution of the equations for y to x. */
LODE__INLINE void bonds_add_solution(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        lode__bond_rows *r = &b->rows[t];
        const double *l = r->lower;
        double y0 = r->y[0], y1 = r->y[1] - l[0] * y0, y2 = (r->y[2] - l[1] * y0) - l[3] * y1;
        double y3 = ((r->y[3] - l[2] * y0) - l[4] * y1) - l[5] * y2;
        lode__quad y = (lode__quad){y0, y1, y2, y3} * r->inverse;
        r->y = y;
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
            lode__quad *above = &b->rows[plan->above[k]].y, sum = *above;
            for (int p = 0; p < n; ++p)
                sum = quad_less(sum, b->tiles[k][p], y[p]);
            *above = sum;
        }
    }
    for (uint32_t t = plan->node_count; t-- > 0;) {
        const lode__bond_node *node = &plan->nodes[t];
        lode__bond_rows *r = &b->rows[t];
        const double *l = r->lower;
        double s[LODE__BOND_ROWS] = {0};
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
            lode__quad above = b->rows[plan->above[k]].y;
            for (int p = 0; p < n; ++p)
                s[p] += quad_sum(b->tiles[k][p] * above);
        }
        lode__quad y = r->y - (lode__quad){s[0], s[1], s[2], s[3]} * r->inverse;
        double y3 = y[3], y2 = y[2] - l[5] * y3, y1 = (y[1] - l[3] * y2) - l[4] * y3;
        double y0 = ((y[0] - l[0] * y1) - l[1] * y2) - l[2] * y3;
        r->y = (lode__quad){y0, y1, y2, y3};
        r->x += r->y;
    }
}

/* Brings the bodies to where the impulses lead. */
static void bonds_push(const lode__bond_plan *plan, const lode__bonds *b)
{
    for (uint32_t i = 0; i <= plan->body_count; ++i)
        for (int k = 0; k < 6; ++k)
            b->bodies[i].push[k] = 0;
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_rows *r = &b->rows[t];
        double *first = b->bodies[plan->nodes[t].body[0]].push;
        double *second = b->bodies[plan->nodes[t].body[1]].push;
        for (int k = 0; k < 3; ++k) {
            double force = quad_sum(r->lin[k] * r->x);
            first[k] += force;
            second[k] -= force;
            first[3 + k] += quad_sum(r->ang[0][k] * r->x);
            second[3 + k] += quad_sum(r->ang[1][k] * r->x);
        }
    }
    for (uint32_t i = 1; i <= plan->body_count; ++i) {
        lode__bond_body *body = &b->bodies[i];
        const double *m = body->inv_inertia, *p = body->push;
        for (int k = 0; k < 3; ++k)
            body->now[k] = body->v[k] + p[k] * body->inv_mass;
        body->now[3] = body->v[3] + ((m[0] * p[3] + m[3] * p[4]) + m[4] * p[5]);
        body->now[4] = body->v[4] + ((m[3] * p[3] + m[1] * p[4]) + m[5] * p[5]);
        body->now[5] = body->v[5] + ((m[4] * p[3] + m[5] * p[4]) + m[2] * p[5]);
    }
}

/* What rows are off becomes y; returns the sum of its squares in units in which the diagonal is 1,
 * and in the same units the larger one of impulses and of what rows were to change. */
static double bonds_error(const lode__bond_plan *plan, const lode__bonds *b, double want,
                          double *out_size)
{
    lode__quad error = LODE__QUAD(0), impulse = error;
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_rows *r = &b->rows[t];
        const lode__bond_body *first = &b->bodies[r->body[0]], *second = &b->bodies[r->body[1]];
        r->y = (r->c - bonds_velocity(r, first->now, second->now)) - r->gamma * r->x;
        error += r->y * r->y * r->per;
        impulse += r->x * r->x * r->diagonal;
    }
    double size = quad_sum(impulse);
    *out_size = want > size ? want : size;
    return quad_sum(error);
}

LODE__INLINE bool bonds_solve_of(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    const double want = bonds_build(plan, b, n);
    double size = 0, error = 1;
    if (!bonds_factor(plan, b, n))
        return false;
    for (int i = 0; i < BONDS_IMPROVED && !(error <= BONDS_GOOD * size); ++i) {
        bonds_add_solution(plan, b, n);
        bonds_push(plan, b);
        error = bonds_error(plan, b, want, &size);
    }
    return error <= BONDS_ENOUGH * size;
}

/* Where no node has more than three rows, as in chains of balls, the fourth is left out: the same
 * numbers without those that are zero. */
static bool bonds_solve(const lode__bond_plan *plan, const lode__bonds *b)
{
    return plan->most_rows < LODE__BOND_ROWS ? bonds_solve_of(plan, b, LODE__BOND_ROWS - 1)
                                             : bonds_solve_of(plan, b, LODE__BOND_ROWS);
}
