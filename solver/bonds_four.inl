/* bonds_four.inl: bonds.inl for four islands of one plan at a time, a number of each in a quad.
 * Each island's numbers go through the operations of bonds.inl in the same order, so an island
 * comes out the same to the bit whoever is solved beside it. What is summed there over rows side by
 * side is summed in the order of quad_sum() here, and rows that no node has, which are zero there,
 * are left out. The impulses of an island that is good before the rest stay as they are.
 *
 * Alone most of an island's time is waiting for one joint after another, and gathering from quads
 * what lies side by side in them; four that do not wait for each other take little more. */

typedef lode__quad four_row[LODE__BOND_ROWS];

/* --- from lines and blocks: the same number of each */

/* Where a member of a record of reals is. */
#define FOUR_AT(type, member) (offsetof(type, member) / sizeof(lode_real))

LODE__INLINE lode__quad four_gather(const lode_real *const from[LODE__QUAD_LANES], size_t at)
{
#ifdef LODE_DOUBLE
    return (lode__quad){from[0][at], from[1][at], from[2][at], from[3][at]};
#else
    return lode__quad_of_floats(
        (lode__four_floats){from[0][at], from[1][at], from[2][at], from[3][at]});
#endif
}

static void four_read_velocity(const lode_real *const velocity[LODE__QUAD_LANES],
                               lode__quad out[6])
{
    const size_t at = FOUR_AT(lode__velocity, linear.x), turn = FOUR_AT(lode__velocity, angular.x);
    for (size_t k = 0; k < 3; ++k) {
        out[k] = four_gather(velocity, at + k);
        out[3 + k] = four_gather(velocity, turn + k);
    }
}

static void four_read_body(const lode_real *const velocity[LODE__QUAD_LANES],
                           const lode_real *const inv_mass[LODE__QUAD_LANES],
                           lode__bond_four_body *out)
{
    four_read_velocity(velocity, out->v);
    out->inv_mass = four_gather(inv_mass, FOUR_AT(lode__inv_mass, inv_mass));
    out->inv_inertia[0] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, xx));
    out->inv_inertia[1] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, yy));
    out->inv_inertia[2] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, zz));
    out->inv_inertia[3] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, xy));
    out->inv_inertia[4] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, xz));
    out->inv_inertia[5] = four_gather(inv_mass, FOUR_AT(lode__inv_mass, yz));
}

LODE__INLINE void four_read3(const lode_real *const from[LODE__QUAD_LANES], size_t at,
                             four_row out[3], uint32_t row)
{
    for (size_t k = 0; k < 3; ++k)
        out[k][row] = four_gather(from, at + k * LODE_LANES);
}

static bool four_read_rows(const lode_real *const first[LODE__QUAD_LANES], uint32_t rows,
                           lode__bond_four_rows *out)
{
    const lode__quad zero = LODE__QUAD(0);
    const lode_real *from[LODE__QUAD_LANES] = {first[0], first[1], first[2], first[3]};
    lode__quad_mask acts = zero == zero;
    for (uint32_t i = 0; i < rows; ++i) {
        lode__quad mass = four_gather(from, FOUR_AT(lode__row, mass));
        lode__quad soft = four_gather(from, FOUR_AT(lode__row, soft));
        four_read3(from, FOUR_AT(lode__row, lin), out->lin, i);
        four_read3(from, FOUR_AT(lode__row, ang_a), out->ang[0], i);
        four_read3(from, FOUR_AT(lode__row, ang_b), out->ang[1], i);
        out->c[i] = four_gather(from, FOUR_AT(lode__row, c));
        out->gamma[i] = soft / mass;
        acts &= mass > zero;
        for (int k = 0; k < LODE__QUAD_LANES; ++k)
            from[k] += sizeof(lode__row) / sizeof(lode_real);
    }
    for (uint32_t i = rows; i < LODE__BOND_ROWS; ++i) {
        for (int k = 0; k < 3; ++k)
            out->lin[k][i] = out->ang[0][k][i] = out->ang[1][k][i] = zero;
        out->c[i] = out->gamma[i] = zero;
    }
    return lode__quad_bits(acts) == (1u << LODE__QUAD_LANES) - 1;
}

/* a, where the mask says so, else b */
LODE__INLINE lode__quad four_select(lode__quad_mask mask, lode__quad a, lode__quad b)
{
    return (lode__quad)((mask & (lode__quad_mask)a) | (~mask & (lode__quad_mask)b));
}

/* quad_sum() of what stands side by side there. */
LODE__INLINE lode__quad four_sum(const lode__quad *a, int n)
{
    const lode__quad last = n > 3 ? a[3] : LODE__QUAD(0);
    return (a[0] + a[1]) + (a[2] + last);
}

LODE__INLINE lode__quad four_dot(const lode__quad *a, const lode__quad *b, int n)
{
    lode__quad product[LODE__BOND_ROWS];
    for (int i = 0; i < n; ++i)
        product[i] = a[i] * b[i];
    return four_sum(product, n);
}

/* --- the matrix */

LODE__INLINE void four_respond(lode__bond_four_rows *r, int end, const lode__bond_four_body *body,
                               int n)
{
    const lode__quad *m = body->inv_inertia;
    const four_row *a = r->ang[end];
    const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < n; ++i)
            r->resp[end][k][i] = (a[0][i] * m[at[k][0]] + a[1][i] * m[at[k][1]]) +
                                 a[2][i] * m[at[k][2]];
}

LODE__INLINE lode__quad four_velocity(const lode__bond_four_rows *r, int i, const lode__quad *a,
                                      const lode__quad *b)
{
    lode__quad linear = LODE__QUAD(0), first = linear, second = linear;
    for (int k = 0; k < 3; ++k) {
        linear += r->lin[k][i] * (a[k] - b[k]);
        first += r->ang[0][k][i] * a[3 + k];
        second += r->ang[1][k][i] * b[3 + k];
    }
    return linear + (first + second);
}

/* What is below the diagonal nobody reads. */
LODE__INLINE void four_diagonal(lode__bond_four_rows *r, lode__quad inv_mass, int rows, int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = i; j < n; ++j) {
            lode__quad linear = LODE__QUAD(0), first = linear, second = linear;
            for (int k = 0; k < 3; ++k) {
                linear += r->lin[k][j] * (r->lin[k][i] * inv_mass);
                first += r->resp[0][k][j] * r->ang[0][k][i];
                second += r->resp[1][k][j] * r->ang[1][k][i];
            }
            r->tile[i][j] = linear + (first + second);
            if (i >= rows)
                r->tile[i][j] = LODE__QUAD(i == j);
        }
        if (i < rows)
            r->tile[i][i] += r->gamma[i];
        r->diagonal[i] = r->tile[i][i];
    }
}

LODE__INLINE void four_link(const lode__bond_four *b, const lode__bond_link *link, int n)
{
    const lode__bond_four_rows *r = &b->rows[link->node], *above = &b->rows[link->above];
    const four_row *ang = r->ang[link->ends[0]], *resp = above->resp[link->ends[1]];
    lode__quad inv_mass = b->bodies[link->body].inv_mass;
    lode__quad sign = link->ends[0] == link->ends[1] ? inv_mass : -inv_mass;
    four_row *tile = b->tiles[link->tile];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            lode__quad linear = LODE__QUAD(0), turn = linear;
            for (int k = 0; k < 3; ++k) {
                linear += above->lin[k][j] * (r->lin[k][i] * sign);
                turn += resp[k][j] * ang[k][i];
            }
            tile[i][j] += linear + turn;
        }
}

LODE__INLINE lode__quad four_build(const lode__bond_plan *plan, const lode__bond_four *b, int n)
{
    lode__quad want[LODE__BOND_ROWS] = {LODE__QUAD(0)};
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_four_rows *r = &b->rows[t];
        const lode__bond_four_body *first = &b->bodies[r->body[0]],
                                   *second = &b->bodies[r->body[1]];
        four_respond(r, 0, first, n);
        four_respond(r, 1, second, n);
        four_diagonal(r, first->inv_mass + second->inv_mass, (int)plan->nodes[t].rows, n);
        for (int i = 0; i < n; ++i) {
            r->per[i] = LODE__QUAD(1) / r->diagonal[i];
            r->y[i] = r->c[i] - four_velocity(r, i, first->v, second->v);
            r->x[i] = LODE__QUAD(0);
            want[i] += r->y[i] * r->y[i] * r->per[i];
        }
    }
    for (uint32_t t = 0; t < plan->tile_count; ++t)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                b->tiles[t][i][j] = LODE__QUAD(0);
    for (uint32_t i = 0; i < plan->link_count; ++i)
        four_link(b, &plan->links[i], n);
    return four_sum(want, n);
}

/* --- the factor */

/* Whose pivots do not vanish. */
LODE__INLINE lode__quad_mask four_pivots(lode__bond_four_rows *r, int n)
{
    const four_row *d = r->tile;
    const lode__quad least = LODE__QUAD(BONDS_PIVOT), one = LODE__QUAD(1);
    lode__quad *l = r->lower;
    lode__quad d01 = d[0][1], d02 = d[0][2], i0 = one / d[0][0], l10 = d01 * i0, l20 = d02 * i0;
    lode__quad d1 = d[1][1] - l10 * d01, d12 = d[1][2] - l10 * d02;
    lode__quad i1 = one / d1, l21 = d12 * i1;
    lode__quad d2 = (d[2][2] - l20 * d02) - l21 * d12, i2 = one / d2;
    lode__quad_mask good = (d[0][0] > least * r->diagonal[0]) & (d1 > least * r->diagonal[1]) &
                           (d2 > least * r->diagonal[2]);
    l[0] = l10, l[1] = l20, l[3] = l21;
    r->inverse[0] = i0, r->inverse[1] = i1, r->inverse[2] = i2;
    if (n > 3) {
        lode__quad d03 = d[0][3], l30 = d03 * i0, d13 = d[1][3] - l10 * d03, l31 = d13 * i1;
        lode__quad d23 = (d[2][3] - l20 * d03) - l21 * d13, l32 = d23 * i2;
        lode__quad d3 = ((d[3][3] - l30 * d03) - l31 * d13) - l32 * d23;
        l[2] = l30, l[4] = l31, l[5] = l32;
        r->inverse[3] = one / d3;
        good &= d3 > least * r->diagonal[3];
    }
    return good;
}

LODE__INLINE void four_reduce(const lode__quad *l, four_row *t, int n)
{
    for (int j = 0; j < n; ++j) {
        t[1][j] = t[1][j] - t[0][j] * l[0];
        t[2][j] = (t[2][j] - t[0][j] * l[1]) - t[1][j] * l[3];
        if (n > 3)
            t[3][j] = ((t[3][j] - t[0][j] * l[2]) - t[1][j] * l[4]) - t[2][j] * l[5];
    }
}

/* As bonds_take(); of a diagonal's tile what is read of it. */
LODE__INLINE void four_take(four_row *target, const four_row *lower,
                            const four_row *upper, bool diagonal, int n)
{
    for (int i = 0; i < n; ++i)
        for (int j = diagonal ? i : 0; j < n; ++j) {
            lode__quad sum = target[i][j];
            for (int p = 0; p < n; ++p)
                sum = sum - upper[p][j] * lower[p][i];
            target[i][j] = sum;
        }
}

LODE__INLINE lode__quad_mask four_factor(const lode__bond_plan *plan, const lode__bond_four *b,
                                         int n)
{
    lode__quad_mask good = {-1, -1, -1, -1};
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        lode__bond_four_rows *r = &b->rows[t];
        const uint32_t *update = plan->updates + node->update;
        good &= four_pivots(r, n);
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k)
            four_reduce(r->lower, b->tiles[k], n);
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
            const four_row *upper = (const four_row *)b->tiles[k];
            four_row lower[LODE__BOND_ROWS];
            for (int p = 0; p < n; ++p)
                for (int j = 0; j < n; ++j)
                    lower[p][j] = upper[p][j] * r->inverse[p];
            const four_row *scaled = (const four_row *)lower;
            four_take(b->rows[plan->above[k]].tile, scaled, upper, true, n);
            for (uint32_t m = k + 1; m < node->tile_end; ++m)
                four_take(b->tiles[*update++], scaled, (const four_row *)b->tiles[m], false,
                          n);
        }
    }
    return good;
}

/* --- the solution */

LODE__INLINE void four_down(const lode__bond_plan *plan, const lode__bond_four *b, uint32_t t,
                            int n)
{
    const lode__bond_node *node = &plan->nodes[t];
    lode__bond_four_rows *r = &b->rows[t];
    const lode__quad *l = r->lower;
    lode__quad *y = r->y;
    y[1] = y[1] - l[0] * y[0];
    y[2] = (y[2] - l[1] * y[0]) - l[3] * y[1];
    if (n > 3)
        y[3] = ((y[3] - l[2] * y[0]) - l[4] * y[1]) - l[5] * y[2];
    for (int i = 0; i < n; ++i)
        y[i] = y[i] * r->inverse[i];
    for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
        lode__quad *above = b->rows[plan->above[k]].y;
        for (int j = 0; j < n; ++j)
            for (int p = 0; p < n; ++p)
                above[j] = above[j] - b->tiles[k][p][j] * y[p];
    }
}

/* Those whose x is wanted. */
LODE__INLINE void four_up(const lode__bond_plan *plan, const lode__bond_four *b, uint32_t t,
                          lode__quad_mask wanted, int n)
{
    const lode__bond_node *node = &plan->nodes[t];
    lode__bond_four_rows *r = &b->rows[t];
    const lode__quad *l = r->lower;
    lode__quad *y = r->y, s[LODE__BOND_ROWS] = {LODE__QUAD(0)};
    for (uint32_t k = node->tile_begin; k < node->tile_end; ++k)
        for (int p = 0; p < n; ++p)
            s[p] += four_dot(b->tiles[k][p], b->rows[plan->above[k]].y, n);
    for (int i = 0; i < n; ++i)
        y[i] = y[i] - s[i] * r->inverse[i];
    if (n > 3) {
        y[2] = y[2] - l[5] * y[3];
        y[1] = (y[1] - l[3] * y[2]) - l[4] * y[3];
        y[0] = ((y[0] - l[0] * y[1]) - l[1] * y[2]) - l[2] * y[3];
    } else {
        y[1] = y[1] - l[3] * y[2];
        y[0] = (y[0] - l[0] * y[1]) - l[1] * y[2];
    }
    for (int i = 0; i < n; ++i)
        r->x[i] = four_select(wanted, r->x[i] + y[i], r->x[i]);
}

LODE__INLINE void four_push(const lode__bond_plan *plan, const lode__bond_four *b, int n)
{
    for (uint32_t i = 0; i <= plan->body_count; ++i)
        for (int k = 0; k < 6; ++k)
            b->bodies[i].push[k] = LODE__QUAD(0);
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_four_rows *r = &b->rows[t];
        lode__quad *first = b->bodies[plan->nodes[t].body[0]].push;
        lode__quad *second = b->bodies[plan->nodes[t].body[1]].push;
        for (int k = 0; k < 3; ++k) {
            lode__quad force = four_dot(r->lin[k], r->x, n);
            first[k] += force;
            second[k] -= force;
            first[3 + k] += four_dot(r->ang[0][k], r->x, n);
            second[3 + k] += four_dot(r->ang[1][k], r->x, n);
        }
    }
    for (uint32_t i = 1; i <= plan->body_count; ++i) {
        lode__bond_four_body *body = &b->bodies[i];
        const lode__quad *m = body->inv_inertia, *p = body->push, *v = body->v;
        for (int k = 0; k < 3; ++k)
            body->now[k] = v[k] + p[k] * body->inv_mass;
        body->now[3] = v[3] + ((m[0] * p[3] + m[3] * p[4]) + m[4] * p[5]);
        body->now[4] = v[4] + ((m[3] * p[3] + m[1] * p[4]) + m[5] * p[5]);
        body->now[5] = v[5] + ((m[4] * p[3] + m[5] * p[4]) + m[2] * p[5]);
    }
}

/* As bonds_error(). */
LODE__INLINE lode__quad four_error(const lode__bond_plan *plan, const lode__bond_four *b,
                                   lode__quad want, lode__quad *out_size, int n)
{
    lode__quad error[LODE__BOND_ROWS] = {LODE__QUAD(0)}, impulse[LODE__BOND_ROWS] = {LODE__QUAD(0)};
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        lode__bond_four_rows *r = &b->rows[t];
        const lode__bond_four_body *first = &b->bodies[r->body[0]],
                                   *second = &b->bodies[r->body[1]];
        for (int i = 0; i < n; ++i) {
            r->y[i] = (r->c[i] - four_velocity(r, i, first->now, second->now)) -
                      r->gamma[i] * r->x[i];
            error[i] += r->y[i] * r->y[i] * r->per[i];
            impulse[i] += r->x[i] * r->x[i] * r->diagonal[i];
        }
    }
    lode__quad size = four_sum(impulse, n);
    *out_size = four_select(want > size, want, size);
    return four_sum(error, n);
}

LODE__INLINE unsigned four_solve_of(const lode__bond_plan *plan, const lode__bond_four *b, int n)
{
    const lode__quad want = four_build(plan, b, n);
    lode__quad size = LODE__QUAD(0), error = LODE__QUAD(1);
    lode__quad_mask good = four_factor(plan, b, n), wanted = good;
    for (int i = 0; i < BONDS_IMPROVED && lode__quad_bits(wanted); ++i) {
        for (uint32_t t = 0; t < plan->node_count; ++t)
            four_down(plan, b, t, n);
        for (uint32_t t = plan->node_count; t-- > 0;)
            four_up(plan, b, t, wanted, n);
        four_push(plan, b, n);
        error = four_error(plan, b, want, &size, n);
        wanted &= ~(error <= LODE__QUAD(BONDS_GOOD) * size);
    }
    return lode__quad_bits(good & (error <= LODE__QUAD(BONDS_ENOUGH) * size));
}

static unsigned four_solve(const lode__bond_plan *plan, const lode__bond_four *b)
{
    return plan->most_rows < LODE__BOND_ROWS ? four_solve_of(plan, b, LODE__BOND_ROWS - 1)
                                             : four_solve_of(plan, b, LODE__BOND_ROWS);
}
