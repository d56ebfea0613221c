/* union_find.h: which of many things hang together, told pair by pair.
 *
 * Sets are trees over an array of parents; a set's root, its own parent, is its lowest member,
 * whatever the order in which pairs are told. So no parent is above its child, and one pass in
 * rising order can number the sets. Each search halves its path (Tarjan and van Leeuwen 1984,
 * "Worst-case analysis of set union algorithms").
 *
 * The array is the caller's: each thing starts as its own parent. */
#ifndef LODE_CORE_UNION_FIND_H
#define LODE_CORE_UNION_FIND_H

#include <stdint.h>

static inline uint32_t lode__union_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Makes the sets of `a` and `b` one; returns its root. */
static inline uint32_t lode__union_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = lode__union_root(parent, a);
    b = lode__union_root(parent, b);
    uint32_t root = a < b ? a : b;
    parent[a] = parent[b] = root;
    return root;
}

#endif
