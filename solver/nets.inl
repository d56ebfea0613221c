/* nets.inl: the equations of a net (solver/nets.h), in the tiles of solver/bonds.inl. Unlike an
 * island of the direct solver's, a net is not given up where rows depend on each other: closed
 * loops have such rows, and what follows from the others is left out. A pivot shows them, by what
 * is left of its diagonal. */

#define NETS_PIVOT 1e-11 /* least share of its diagonal that a pivot keeps */

LODE__INLINE double nets_inverse(double pivot, double diagonal)
{
    return pivot > NETS_PIVOT * diagonal ? 1 / pivot : 0;
}

/* Eliminates a node's own tile. */
LODE__INLINE void nets_pivots(lode__bond_rows *r)
{
    const lode__quad *d = r->tile, *all = &r->diagonal;
    double *l = r->lower;
    double d0 = d[0][0], d01 = d[0][1], d02 = d[0][2], d03 = d[0][3];
    double i0 = nets_inverse(d0, (*all)[0]), l10 = d01 * i0, l20 = d02 * i0, l30 = d03 * i0;
    double d1 = d[1][1] - l10 * d01, d12 = d[1][2] - l10 * d02, d13 = d[1][3] - l10 * d03;
    double i1 = nets_inverse(d1, (*all)[1]), l21 = d12 * i1, l31 = d13 * i1;
    double d2 = (d[2][2] - l20 * d02) - l21 * d12, d23 = (d[2][3] - l20 * d03) - l21 * d13;
    double i2 = nets_inverse(d2, (*all)[2]), l32 = d23 * i2;
    double d3 = ((d[3][3] - l30 * d03) - l31 * d13) - l32 * d23;
    l[0] = l10, l[1] = l20, l[2] = l30, l[3] = l21, l[4] = l31, l[5] = l32;
    r->inverse = (lode__quad){i0, i1, i2, nets_inverse(d3, (*all)[3])};
}

LODE__INLINE void nets_eliminate(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        lode__bond_rows *r = &b->rows[t];
        const uint32_t *update = plan->updates + node->update;
        nets_pivots(r);
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
}

LODE__INLINE void nets_factor_of(const lode__bond_plan *plan, const lode__bonds *b, double soft,
                                 int n)
{
    bonds_build(plan, b, n);
    for (uint32_t t = 0; t < plan->node_count && soft > 0; ++t)
        for (int i = 0; i < n; ++i)
            b->rows[t].tile[i][i] *= 1 + soft;
    nets_eliminate(plan, b, n);
}

static void nets_factor(const lode__bond_plan *plan, const lode__bonds *b, double soft)
{
    if (plan->most_rows < LODE__BOND_ROWS)
        nets_factor_of(plan, b, soft, LODE__BOND_ROWS - 1);
    else
        nets_factor_of(plan, b, soft, LODE__BOND_ROWS);
}

LODE__INLINE void nets_solve_of(const lode__bond_plan *plan, const lode__bonds *b, int n)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_rows *r = &b->rows[t];
        r->y = r->c - bonds_velocity(r, b->bodies[r->body[0]].v, b->bodies[r->body[1]].v);
        r->x = LODE__QUAD(0);
    }
    bonds_add_solution(plan, b, n);
    bonds_push(plan, b);
}

static void nets_solve(const lode__bond_plan *plan, const lode__bonds *b)
{
    if (plan->most_rows < LODE__BOND_ROWS)
        nets_solve_of(plan, b, LODE__BOND_ROWS - 1);
    else
        nets_solve_of(plan, b, LODE__BOND_ROWS);
}
