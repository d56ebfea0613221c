/* nets.inl: the kernels of solver/net_rows.h, of numbers that are NET_NUMBER: the rows' equations
 * by a block factor L D L^T of tiles of 3 x 3, in the plan's order. Unlike an island of the direct
 * solver's, a net is not given up where rows depend on each other: closed loops have such rows, and
 * what follows from the others is left out. A pivot shows them, by what is left of its diagonal.
 *
 * NET(name) is a name's own for these numbers, NET_ALL(x) a double as such a number, and
 * NET_WHERE(mask, x) is x where the comparison says so, else 0. A NET(three) is three numbers that
 * are worked on together (net_threes.h): where a number is a double, they are lanes. */

typedef NET_NUMBER NET(vector)[3];

/* --- the matrix */

/* The inverse inertia's row k, which is its column. */
LODE__INLINE NET(three) NET(inertia_row)(const NET_NUMBER *m, int k)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    return NET(make)(m[at[k][0]], m[at[k][1]], m[at[k][2]]);
}

/* What angular velocity a unit of each row's impulse gives: of anchors I^-1 (arm x e). The row of
 * axis e moves with (arm x e) . w = e . (w x arm). */
LODE__INLINE void NET(respond)(NET_ROWS *r, int end, const NET_BODY *body, bool anchors)
{
    const NET_NUMBER *m = body->inv_inertia;
    const NET(vector) *ang = r->ang[end];
    const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int k = 0; k < 3; ++k) {
        NET(three) turned;
        if (anchors)
            turned = NET(cross)(NET(inertia_row)(m, k), NET(load)(r->arm[end]));
        else
            turned = NET(mix)(NET(load)(ang[0]), m[at[k][0]], NET(load)(ang[1]), m[at[k][1]],
                              NET(load)(ang[2]), m[at[k][2]]);
        NET(store)(r->resp[end][k], turned);
    }
}

/* How row i of `r` turns with what a unit of each row of `other` does to a body that both push. */
LODE__INLINE NET(three) NET(couple_turns)(const NET_ROWS *r, int end, bool anchors,
                                          const NET_ROWS *other, int other_end, int i)
{
    const NET(vector) *resp = other->resp[other_end];
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    if (anchors) /* u x arm of each column u */
        return NET(minus)(NET(by)(NET(load)(resp[p]), r->arm[end][q]),
                          NET(by)(NET(load)(resp[q]), r->arm[end][p]));
    return NET(mix)(NET(load)(resp[0]), r->ang[end][0][i], NET(load)(resp[1]), r->ang[end][1][i],
                    NET(load)(resp[2]), r->ang[end][2][i]);
}

/* The same of linear velocities, of a body of this inverse mass. */
LODE__INLINE NET(three) NET(couple_ways)(const NET_ROWS *r, bool anchors, const NET_ROWS *other,
                                         bool other_anchors, NET_NUMBER inv_mass, int i)
{
    const NET_NUMBER zero = NET_ALL(0);
    if (anchors && other_anchors)
        return NET(make)(i == 0 ? inv_mass : zero, i == 1 ? inv_mass : zero,
                         i == 2 ? inv_mass : zero);
    if (anchors)
        return NET(by)(NET(load)(other->lin[i]), inv_mass);
    if (other_anchors)
        return NET(by)(NET(make)(r->lin[0][i], r->lin[1][i], r->lin[2][i]), inv_mass);
    return NET(by)(NET(mix)(NET(load)(other->lin[0]), r->lin[0][i], NET(load)(other->lin[1]),
                            r->lin[1][i], NET(load)(other->lin[2]), r->lin[2][i]),
                   inv_mass);
}

LODE__INLINE void NET(own_tile)(NET_ROWS *r, bool anchors, const NET_BODY *a, const NET_BODY *b,
                                NET_NUMBER softened)
{
    for (int i = 0; i < 3; ++i) {
        NET(three) way = NET(couple_ways)(r, anchors, r, anchors, a->inv_mass + b->inv_mass, i);
        NET(three) turn = NET(plus)(NET(couple_turns)(r, 0, anchors, r, 0, i),
                                    NET(couple_turns)(r, 1, anchors, r, 1, i));
        NET(store)(r->tile[i], NET(plus)(way, turn));
    }
    for (int i = 0; i < 3; ++i) {
        r->diagonal[i] = r->tile[i][i];
        r->tile[i][i] *= softened;
    }
}

LODE__INLINE void NET(link)(const lode__net_system *net, const lode__bond_link *link)
{
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    const NET_ROWS *r = &rows[link->node], *above = &rows[link->above];
    const NET_BODY *body = (const NET_BODY *)(const void *)net->bodies + link->body;
    NET(vector) *tile = (NET(vector) *)(void *)net->tiles + 3 * (size_t)link->tile;
    bool anchors = net->nodes[link->node].anchors, above_anchors = net->nodes[link->above].anchors;
    NET_NUMBER inv_mass = body->inv_mass;
    if (link->ends[0] != link->ends[1])
        inv_mass = -inv_mass;
    for (int i = 0; i < 3; ++i) {
        NET(three) way = NET(couple_ways)(r, anchors, above, above_anchors, inv_mass, i);
        NET(three) turn = NET(couple_turns)(r, (int)link->ends[0], anchors, above,
                                            (int)link->ends[1], i);
        NET(store)(tile[i], NET(plus)(NET(load)(tile[i]), NET(plus)(way, turn)));
    }
}

LODE__INLINE void NET(build)(const lode__net_system *net, double soft)
{
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    const NET_BODY *bodies = (const NET_BODY *)(const void *)net->bodies;
    NET(vector) *tiles = (NET(vector) *)(void *)net->tiles;
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__net_node *node = &net->nodes[t];
        const NET_BODY *a = &bodies[node->body[0]], *b = &bodies[node->body[1]];
        if (node->anchors) {
            NET(respond)(&rows[t], 0, a, true);
            NET(respond)(&rows[t], 1, b, true);
            NET(own_tile)(&rows[t], true, a, b, NET_ALL(1 + soft));
        } else {
            NET(respond)(&rows[t], 0, a, false);
            NET(respond)(&rows[t], 1, b, false);
            NET(own_tile)(&rows[t], false, a, b, NET_ALL(1 + soft));
        }
    }
    for (size_t i = 0; i < 3 * (size_t)net->plan->tile_count; ++i)
        tiles[i][0] = tiles[i][1] = tiles[i][2] = NET_ALL(0);
    for (uint32_t i = 0; i < net->plan->link_count; ++i)
        NET(link)(net, &net->plan->links[i]);
}

/* --- the factor */

LODE__INLINE NET_NUMBER NET(inverse)(NET_NUMBER pivot, NET_NUMBER diagonal)
{
    return NET_WHERE(pivot > NET_ALL(NETS_PIVOT) * diagonal, NET_ALL(1) / pivot);
}

/* Eliminates a node's own tile. */
LODE__INLINE void NET(pivots)(NET_ROWS *r)
{
    const NET(vector) *d = r->tile;
    NET_NUMBER *l = r->lower, *inverse = r->inverse;
    inverse[0] = NET(inverse)(d[0][0], r->diagonal[0]);
    l[0] = d[0][1] * inverse[0];
    l[1] = d[0][2] * inverse[0];
    NET_NUMBER d11 = d[1][1] - l[0] * d[0][1], d12 = d[1][2] - l[0] * d[0][2];
    inverse[1] = NET(inverse)(d11, r->diagonal[1]);
    l[2] = d12 * inverse[1];
    NET_NUMBER d22 = (d[2][2] - l[1] * d[0][2]) - l[2] * d12;
    inverse[2] = NET(inverse)(d22, r->diagonal[2]);
}

/* What its own tile's elimination does to another of a node's tiles. */
LODE__INLINE void NET(reduce)(const NET_NUMBER *l, NET(vector) *t)
{
    NET(three) first = NET(load)(t[0]);
    NET(three) second = NET(minus)(NET(load)(t[1]), NET(by)(first, l[0]));
    NET(three) third = NET(minus)(NET(load)(t[2]), NET(by)(first, l[1]));
    NET(store)(t[1], second);
    NET(store)(t[2], NET(minus)(third, NET(by)(second, l[2])));
}

/* target -= lower^T upper; of a diagonal's tile the lower half is nobody's */
LODE__INLINE void NET(take)(NET(vector) *target, NET(vector) *lower, NET(vector) *upper)
{
    NET(three) u[3] = {NET(load)(upper[0]), NET(load)(upper[1]), NET(load)(upper[2])};
    for (int i = 0; i < 3; ++i) {
        NET(three) t = NET(load)(target[i]);
        for (int p = 0; p < 3; ++p)
            t = NET(minus)(t, NET(by)(u[p], lower[p][i]));
        NET(store)(target[i], t);
    }
}

static void NET(factor)(const lode__net_system *net, double soft)
{
    const lode__bond_plan *plan = net->plan;
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    NET(vector) *tiles = (NET(vector) *)(void *)net->tiles;
    NET(build)(net, soft);
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        const uint32_t *update = plan->updates + node->update;
        NET_ROWS *r = &rows[t];
        NET(pivots)(r);
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k)
            NET(reduce)(r->lower, tiles + 3 * (size_t)k);
        for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
            NET(vector) *upper = tiles + 3 * (size_t)k, lower[3];
            for (int p = 0; p < 3; ++p)
                NET(store)(lower[p], NET(by)(NET(load)(upper[p]), r->inverse[p]));
            NET(take)(rows[plan->above[k]].tile, lower, upper);
            for (uint32_t m = k + 1; m < node->tile_end; ++m)
                NET(take)(tiles + 3 * (size_t)*update++, lower, tiles + 3 * (size_t)m);
        }
    }
}

/* --- the solution, in which one node waits for the other: lanes within a block were measured, and
 * a number comes sooner by itself than out of one */

LODE__INLINE void NET(product)(const NET_NUMBER *a, const NET_NUMBER *b, NET_NUMBER *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* u . (arm x e) of each axis e. */
LODE__INLINE void NET(turn)(const NET_NUMBER *arm, const NET_NUMBER *u, NET_NUMBER *out)
{
    NET(product)(u, arm, out);
}

LODE__INLINE void NET(turned)(const NET_NUMBER *m, const NET_NUMBER *a, NET_NUMBER *out)
{
    out[0] = (m[0] * a[0] + m[3] * a[1]) + m[4] * a[2];
    out[1] = (m[3] * a[0] + m[1] * a[1]) + m[5] * a[2];
    out[2] = (m[4] * a[0] + m[5] * a[1]) + m[2] * a[2];
}

/* J v of a node's rows. */
LODE__INLINE void NET(rate)(const NET_ROWS *r, bool anchors, const NET_BODY *a, const NET_BODY *b,
                            NET_NUMBER *out)
{
    NET(vector) first, second, way;
    for (int k = 0; k < 3; ++k)
        way[k] = a->v[k] - b->v[k];
    if (anchors) {
        NET(turn)(r->arm[0], a->v + 3, first);
        NET(turn)(r->arm[1], b->v + 3, second);
        for (int i = 0; i < 3; ++i)
            out[i] = way[i] + (first[i] + second[i]);
        return;
    }
    for (int i = 0; i < 3; ++i) {
        NET_NUMBER linear = (r->lin[0][i] * way[0] + r->lin[1][i] * way[1]) + r->lin[2][i] * way[2];
        first[i] = (r->ang[0][0][i] * a->v[3] + r->ang[0][1][i] * a->v[4]) +
                   r->ang[0][2][i] * a->v[5];
        second[i] = (r->ang[1][0][i] * b->v[3] + r->ang[1][1][i] * b->v[4]) +
                    r->ang[1][2][i] * b->v[5];
        out[i] = linear + (first[i] + second[i]);
    }
}

static void NET(rates)(const lode__net_system *net)
{
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    const NET_BODY *bodies = (const NET_BODY *)(const void *)net->bodies;
    for (uint32_t t = 0; t < net->plan->node_count; ++t) {
        const lode__net_node *node = &net->nodes[t];
        NET(rate)(&rows[t], node->anchors, &bodies[node->body[0]], &bodies[node->body[1]],
                  rows[t].x);
    }
}

LODE__INLINE void NET(down)(const lode__net_system *net, const lode__bond_node *node, NET_ROWS *r)
{
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    const NET(vector) *tiles = (const NET(vector) *)(const void *)net->tiles;
    NET_NUMBER *x = r->x;
    x[1] -= r->lower[0] * x[0];
    x[2] = (x[2] - r->lower[1] * x[0]) - r->lower[2] * x[1];
    for (int i = 0; i < 3; ++i)
        x[i] *= r->inverse[i];
    for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
        const NET(vector) *tile = tiles + 3 * (size_t)k;
        NET_NUMBER *above = rows[net->plan->above[k]].x;
        for (int j = 0; j < 3; ++j)
            above[j] = ((above[j] - tile[0][j] * x[0]) - tile[1][j] * x[1]) - tile[2][j] * x[2];
    }
}

LODE__INLINE void NET(up)(const lode__net_system *net, const lode__bond_node *node, NET_ROWS *r)
{
    const NET_ROWS *rows = (const NET_ROWS *)(const void *)net->rows;
    const NET(vector) *tiles = (const NET(vector) *)(const void *)net->tiles;
    NET(vector) sum = {NET_ALL(0), NET_ALL(0), NET_ALL(0)};
    NET_NUMBER *x = r->x;
    for (uint32_t k = node->tile_begin; k < node->tile_end; ++k) {
        const NET(vector) *tile = tiles + 3 * (size_t)k;
        const NET_NUMBER *above = rows[net->plan->above[k]].x;
        for (int p = 0; p < 3; ++p)
            sum[p] += (tile[p][0] * above[0] + tile[p][1] * above[1]) + tile[p][2] * above[2];
    }
    for (int i = 0; i < 3; ++i)
        x[i] -= sum[i] * r->inverse[i];
    x[1] -= r->lower[2] * x[2];
    x[0] = (x[0] - r->lower[0] * x[1]) - r->lower[1] * x[2];
}

LODE__INLINE void NET(push)(const NET_ROWS *r, bool anchors, NET_NUMBER *first, NET_NUMBER *second)
{
    const NET_NUMBER *x = r->x;
    NET(vector) force, turn[2];
    for (int k = 0; k < 3; ++k)
        force[k] = x[k];
    for (int k = 0; k < 3 && !anchors; ++k)
        force[k] = (r->lin[k][0] * x[0] + r->lin[k][1] * x[1]) + r->lin[k][2] * x[2];
    for (int end = 0; end < 2; ++end)
        if (anchors)
            NET(product)(r->arm[end], x, turn[end]);
        else
            for (int k = 0; k < 3; ++k)
                turn[end][k] = (r->ang[end][k][0] * x[0] + r->ang[end][k][1] * x[1]) +
                               r->ang[end][k][2] * x[2];
    for (int k = 0; k < 3; ++k) {
        first[k] += force[k];
        second[k] -= force[k];
        first[3 + k] += turn[0][k];
        second[3 + k] += turn[1][k];
    }
}

LODE__INLINE void NET(add_impulse)(NET_ROWS *r)
{
    for (int i = 0; i < 3; ++i)
        r->impulse[i] += r->x[i];
}

static void NET(solve)(const lode__net_system *net, bool add)
{
    const lode__bond_plan *plan = net->plan;
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    NET_BODY *bodies = (NET_BODY *)(void *)net->bodies;
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__net_node *node = &net->nodes[t];
        NET(vector) rate;
        NET(rate)(&rows[t], node->anchors, &bodies[node->body[0]], &bodies[node->body[1]], rate);
        for (int i = 0; i < 3; ++i)
            rows[t].x[i] = rows[t].c[i] - rate[i];
    }
    for (uint32_t t = 0; t < plan->node_count; ++t)
        NET(down)(net, &plan->nodes[t], &rows[t]);
    for (uint32_t b = 0; b <= plan->body_count; ++b)
        for (int k = 0; k < 6; ++k)
            bodies[b].push[k] = NET_ALL(0);
    for (uint32_t t = plan->node_count; t-- > 0;) {
        const lode__net_node *node = &net->nodes[t];
        NET(up)(net, &plan->nodes[t], &rows[t]);
        NET(push)(&rows[t], node->anchors, bodies[node->pushed[0]].push,
                  bodies[node->pushed[1]].push);
        if (add)
            NET(add_impulse)(&rows[t]);
    }
    NET_NUMBER size = NET_ALL(0);
    for (uint32_t b = 1; b <= plan->body_count; ++b) {
        NET_BODY *body = &bodies[b];
        NET(vector) turned;
        NET(turned)(body->inv_inertia, body->push + 3, turned);
        for (int k = 0; k < 3; ++k) {
            body->now[k] = body->v[k] + body->push[k] * body->inv_mass;
            body->now[3 + k] = body->v[3 + k] + turned[k];
            size += body->now[k] * body->now[k] + body->now[3 + k] * body->now[3 + k];
        }
    }
    *(NET_NUMBER *)(void *)net->size = size;
}

/* Adds so much of a column: what a push does to all bodies, and to all rows that answer it. Where
 * that is nothing there may be no column. */
static void NET(add)(const lode__net_system *net, const double *column, const double *amount)
{
    NET_ROWS *rows = (NET_ROWS *)(void *)net->rows;
    NET_BODY *bodies = (NET_BODY *)(void *)net->bodies;
    const NET_NUMBER *at = (const NET_NUMBER *)(const void *)column;
    NET_NUMBER by = *(const NET_NUMBER *)(const void *)amount;
    for (uint32_t b = 1; b <= net->plan->body_count; ++b, at += 6)
        for (int k = 0; k < 6; ++k)
            bodies[b].now[k] += NET_WHERE(by != NET_ALL(0), at[k] * by);
    for (uint32_t t = 0; t < net->plan->node_count; ++t, at += 3)
        for (int i = 0; i < 3; ++i)
            rows[t].impulse[i] += NET_WHERE(by != NET_ALL(0), at[i] * by);
}

#undef NET_NUMBER
#undef NET
#undef NET_ALL
#undef NET_WHERE
#undef NET_ROWS
#undef NET_BODY
