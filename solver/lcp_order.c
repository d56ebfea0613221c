/* lcp_order.c: minimum degree. Eliminating a node makes a clique of all that couple with it, so the
 * one with the fewest rows around it goes first. The graph is kept as a quotient graph (George and
 * Liu 1981): a list of cliques, "elements", to begin with the bodies, each a clique of what pushes
 * it. An elimination unites the elements of a node into one, whose list is strung from the cells of
 * theirs; so memory never grows. As in Amestoy, Davis and Duff (1996)
 *   - degrees are bounded from above by the sum of what each element has outside of the new one,
 *   - elements that have nothing outside of it are absorbed too,
 *   - nodes with nothing but the new element are eliminated on the spot,
 *   - and nodes with the same elements, as several contacts of two bodies, become one variable.
 * So chains, trees and large cliques take time close to linear. Among equal degrees the one that
 * was reached last goes first, to begin with the first node, or, where that is asked for, the one
 * that was reached first: ties depend on the pattern alone. */
#include "solver/lcp_order.h"

bool lode__lcp_order_take(lode__lcp_order *o, lode__arena *arena, uint32_t nodes, uint32_t elements,
                          uint32_t incidences, uint32_t rows)
{
    *o = (lode__lcp_order){0};
    const struct {
        uint32_t **array;
        size_t count;
    } all[] = {
        {&o->list, incidences},
        {&o->variable, incidences},
        {&o->next, incidences},
        {&o->length, nodes},
        {&o->weight, nodes},
        {&o->degree, nodes},
        {&o->before, nodes},
        {&o->after, nodes},
        {&o->member, nodes},
        {&o->last, nodes},
        {&o->mark, nodes},
        {&o->hash, nodes},
        {&o->alike, nodes},
        {&o->chain, nodes},
        {&o->out, nodes},
        {&o->cell, elements},
        {&o->size, elements},
        {&o->outside, elements},
        {&o->seen, elements},
        {&o->bucket, (size_t)rows + 1},
        {&o->bucket_last, (size_t)rows + 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        *all[i].array = LODE__TAKE(arena, uint32_t, all[i].count);
        if (!*all[i].array)
            return false;
    }
    o->alive = LODE__TAKE(arena, bool, elements);
    return o->alive;
}

/* --- variables by degree */

static void link_variable(lode__lcp_order *o, uint32_t v, uint32_t degree)
{
    uint32_t *first = &o->bucket[degree], *last = &o->bucket_last[degree];
    bool none = *first == LODE__LCP_NONE;
    o->degree[v] = degree;
    o->before[v] = o->in_turn && !none ? *last : LODE__LCP_NONE;
    o->after[v] = o->in_turn ? LODE__LCP_NONE : *first;
    if (o->before[v] != LODE__LCP_NONE)
        o->after[*last] = v;
    else
        *first = v;
    if (o->after[v] != LODE__LCP_NONE)
        o->before[o->after[v]] = v;
    else
        *last = v;
    o->lowest = degree < o->lowest ? degree : o->lowest;
}

static void unlink_variable(lode__lcp_order *o, uint32_t v)
{
    uint32_t before = o->before[v], after = o->after[v];
    if (before == LODE__LCP_NONE)
        o->bucket[o->degree[v]] = after;
    else
        o->after[before] = after;
    if (after == LODE__LCP_NONE)
        o->bucket_last[o->degree[v]] = before;
    else
        o->before[after] = before;
}

/* Writes the nodes of a variable. */
static void emit(lode__lcp_order *o, uint32_t v)
{
    for (uint32_t node = v; node != LODE__LCP_NONE; node = o->member[node])
        o->out[o->out_count++] = node;
    o->left -= o->weight[v];
    o->weight[v] = 0;
}

/* --- variables with the same elements */

static uint32_t mix(uint32_t x)
{
    x *= 0x9e3779b1u;
    x ^= x >> 15;
    return x * 0x85ebca77u;
}

static void chain_variable(lode__lcp_order *o, uint32_t v, uint32_t hash, uint32_t chains)
{
    uint32_t *chain = &o->chain[hash % chains];
    o->hash[v] = hash;
    o->alike[v] = *chain;
    *chain = v;
}

static bool has_marked_elements(const lode__lcp_order *o, const uint32_t *list, uint32_t length)
{
    bool all = true;
    for (uint32_t k = 0; k < length && all; ++k)
        all = o->seen[list[k]] == o->stamp;
    return all;
}

/* Merges into v those behind it in its chain that have its elements. Linked, they leave their
 * bucket. */
static void merge_into(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t v, bool linked)
{
    ++o->stamp;
    for (uint32_t k = 0; k < o->length[v]; ++k)
        o->seen[o->list[p->start[v] + k]] = o->stamp;
    for (uint32_t *at = &o->alike[v]; *at != LODE__LCP_NONE;) {
        uint32_t u = *at;
        if (o->hash[u] != o->hash[v] || o->length[u] != o->length[v] ||
            !has_marked_elements(o, o->list + p->start[u], o->length[u])) {
            at = &o->alike[u];
            continue;
        }
        *at = o->alike[u];
        o->member[o->last[v]] = u;
        o->last[v] = o->last[u];
        o->weight[v] += o->weight[u];
        o->weight[u] = 0;
        if (linked)
            unlink_variable(o, u);
    }
}

static void merge_chain(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t hash,
                        uint32_t chains, bool linked)
{
    uint32_t *chain = &o->chain[hash % chains];
    for (uint32_t v = *chain; v != LODE__LCP_NONE; v = o->alike[v])
        if (o->alike[v] != LODE__LCP_NONE)
            merge_into(o, p, v, linked);
    *chain = LODE__LCP_NONE;
}

/* --- the graph to begin with */

static void begin(lode__lcp_order *o, const lode__lcp_pattern *p)
{
    o->out_count = o->stamp = o->left = 0;
    o->lowest = UINT32_MAX;
    for (uint32_t f = 0; f < p->element_count; ++f) {
        o->cell[f] = LODE__LCP_NONE;
        o->size[f] = o->seen[f] = 0;
        o->alive[f] = true;
    }
    for (uint32_t v = 0; v < p->node_count; ++v)
        o->chain[v] = LODE__LCP_NONE;
    for (uint32_t v = p->node_count; v-- > 0;) {
        uint32_t hash = 0, from = p->start[v];
        o->length[v] = p->start[v + 1] - from;
        o->weight[v] = p->rows[v];
        o->left += p->rows[v];
        o->member[v] = LODE__LCP_NONE;
        o->last[v] = v;
        o->mark[v] = 0;
        for (uint32_t k = from; k < p->start[v + 1]; ++k) {
            o->list[k] = p->element[k];
            hash += mix(p->element[k]);
        }
        chain_variable(o, v, hash, p->node_count);
    }
    for (uint32_t i = 0; i <= o->left; ++i)
        o->bucket[i] = LODE__LCP_NONE;
    for (uint32_t v = 0; v < p->node_count; ++v)
        if (o->weight[v] > 0)
            merge_chain(o, p, o->hash[v], p->node_count, false);
}

static void string_cells(lode__lcp_order *o, const lode__lcp_pattern *p)
{
    for (uint32_t v = p->node_count; v-- > 0;)
        for (uint32_t k = p->start[v]; o->weight[v] > 0 && k < p->start[v + 1]; ++k) {
            uint32_t f = o->list[k];
            o->variable[k] = v;
            o->next[k] = o->cell[f];
            o->cell[f] = k;
            o->size[f] += o->weight[v];
        }
    for (uint32_t v = p->node_count; v-- > 0;) {
        uint64_t degree = 0;
        for (uint32_t k = p->start[v]; k < p->start[v + 1]; ++k)
            degree += o->size[o->list[k]] - o->weight[v];
        if (o->weight[v] > 0)
            link_variable(o, v, (uint32_t)(degree < o->left ? degree : o->left));
    }
}

/* --- elimination */

/* Unites the elements of v into the first of them, without v. */
static uint32_t unite(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t v)
{
    const uint32_t *list = o->list + p->start[v];
    uint32_t e = list[0], first = LODE__LCP_NONE, size = 0, *tail = &first;
    o->mark[v] = ++o->stamp;
    for (uint32_t k = 0; k < o->length[v]; ++k) {
        o->alive[list[k]] = false;
        for (uint32_t c = o->cell[list[k]]; c != LODE__LCP_NONE; c = o->next[c]) {
            uint32_t u = o->variable[c];
            if (o->weight[u] == 0 || o->mark[u] == o->stamp)
                continue;
            o->mark[u] = o->stamp;
            size += o->weight[u];
            *tail = c;
            tail = &o->next[c];
        }
    }
    *tail = LODE__LCP_NONE;
    o->cell[e] = first;
    o->size[e] = size;
    o->alive[e] = true;
    return e;
}

/* Drops what is dead from a variable's elements, puts the new one last, and takes the variable from
 * what the others have outside of it. */
static void renew_list(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t u, uint32_t e)
{
    uint32_t *list = o->list + p->start[u], length = 0;
    for (uint32_t k = 0; k < o->length[u]; ++k) {
        uint32_t f = list[k];
        if (f == e || !o->alive[f])
            continue;
        list[length++] = f;
        if (o->seen[f] != o->stamp)
            o->outside[f] = o->size[f];
        o->seen[f] = o->stamp;
        o->outside[f] -= o->weight[u];
    }
    list[length++] = e;
    o->length[u] = length;
}

/* Drops what has nothing outside of the new element; returns what is outside of it. */
static uint64_t absorb(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t u, uint32_t e,
                       uint32_t *hash)
{
    uint32_t *list = o->list + p->start[u], length = 0;
    uint64_t outside = 0;
    *hash = mix(e);
    for (uint32_t k = 0; k + 1 < o->length[u]; ++k) {
        uint32_t f = list[k];
        if (o->outside[f] == 0) {
            o->alive[f] = false;
            continue;
        }
        outside += o->outside[f];
        *hash += mix(f);
        list[length++] = f;
    }
    list[length++] = e;
    o->length[u] = length;
    return outside;
}

static void renew_neighbours(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t e)
{
    for (uint32_t c = o->cell[e]; c != LODE__LCP_NONE; c = o->next[c])
        renew_list(o, p, o->variable[c], e);
    for (uint32_t c = o->cell[e]; c != LODE__LCP_NONE; c = o->next[c]) {
        uint32_t u = o->variable[c], hash;
        uint64_t outside = absorb(o, p, u, e, &hash);
        unlink_variable(o, u);
        if (o->length[u] == 1) {
            o->size[e] -= o->weight[u];
            emit(o, u);
            continue;
        }
        link_variable(o, u, (uint32_t)(outside < o->left ? outside : o->left));
        chain_variable(o, u, hash, p->node_count);
    }
}

static void eliminate(lode__lcp_order *o, const lode__lcp_pattern *p, uint32_t v)
{
    unlink_variable(o, v);
    if (o->length[v] == 0) {
        emit(o, v);
        return;
    }
    uint32_t e = unite(o, p, v), *tail = &o->cell[e];
    emit(o, v);
    renew_neighbours(o, p, e);
    for (uint32_t c = o->cell[e]; c != LODE__LCP_NONE; c = o->next[c])
        if (o->weight[o->variable[c]] > 0)
            merge_chain(o, p, o->hash[o->variable[c]], p->node_count, true);
    for (uint32_t c = *tail; c != LODE__LCP_NONE; c = o->next[c]) {
        uint32_t u = o->variable[c];
        if (o->weight[u] == 0)
            continue;
        *tail = c;
        tail = &o->next[c];
        uint64_t degree = (uint64_t)o->degree[u] + o->size[e] - o->weight[u];
        unlink_variable(o, u);
        link_variable(o, u, (uint32_t)(degree < o->left ? degree : o->left));
    }
    *tail = LODE__LCP_NONE;
}

void lode__lcp_order_run(lode__lcp_order *o, const lode__lcp_pattern *p)
{
    begin(o, p);
    string_cells(o, p);
    while (o->out_count < p->node_count) {
        while (o->bucket[o->lowest] == LODE__LCP_NONE)
            ++o->lowest;
        eliminate(o, p, o->bucket[o->lowest]);
    }
}
