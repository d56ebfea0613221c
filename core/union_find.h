/* union_find.h: which of many things hang together, told pair by pair.
 *
 * Sets are trees over an array of parents; a set's root, its own parent, is its lowest member,
 * whatever the order in which pairs are told. So no parent is above its child, and one pass in
 * rising order can number the sets. Each search halves its path (Tarjan and van Leeuwen 1984,
 * "Worst-case analysis of set union algorithms"), and so does each pair that is told at first.
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

/* Makes the sets of `a` and `b` one: goes up from both at once, always on from the higher of the
 * two, which gets the lower one for a parent, so that the way is shorter the next time (Rem in
 * Dijkstra 1976, "A Discipline of Programming"; Patwary, Blair, Manne 2010, "Experiments on
 * union-find algorithms for the disjoint-set data structure"). Most pairs of a large set meet far
 * below its root. */
static inline void lode__union_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = parent[a] = parent[parent[a]];
    b = parent[b] = parent[parent[b]];
    while (a != b) {
        uint32_t high = a > b ? a : b, low = a > b ? b : a, next = parent[high];
        parent[high] = low;
        if (next == high)
            return;
        a = next;
        b = parent[low];
    }
}

#endif
