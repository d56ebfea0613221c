/* reduce.c: see reduce.h. */
#include "collide/reduce.h"

/* Twice the area of the triangle p, q, r, seen against the normal. */
static double area(lode__double3 p, lode__double3 q, lode__double3 r, lode__double3 normal)
{
    return d3_dot(normal, d3_cross(d3_sub(q, p), d3_sub(r, p)));
}

/* What a point that is to follow the first `chosen` ones is worth. */
static double score(const lode__candidate *list, int chosen, lode__double3 at, lode__double3 normal)
{
    lode__double3 p = list[0].position, q = list[1].position, r = list[2].position;
    lode__double3 from = d3_sub(at, p);
    if (chosen == 1)
        return d3_dot(from, from);
    if (chosen == 2)
        return d_abs(area(p, q, at, normal));
    double turn = area(p, q, r, normal) < 0 ? -1 : 1;
    return d_max(-turn * area(p, q, at, normal),
                 d_max(-turn * area(q, r, at, normal), -turn * area(r, p, at, normal)));
}

static void swap(lode__candidate *list, int i, int j)
{
    lode__candidate kept = list[i];
    list[i] = list[j];
    list[j] = kept;
}

static int first_deepest(const lode__candidate *list, int count, double equal)
{
    double most = list[0].depth;
    int k = 0;
    for (int i = 1; i < count; ++i)
        most = d_max(most, list[i].depth);
    while (k < count - 1 && !(list[k].depth >= most - equal))
        ++k;
    return k;
}

int lode__reduce(lode__candidate *list, int count, lode__double3 normal, double equal)
{
    if (count <= LODE__MANIFOLD_POINTS)
        return count;
    swap(list, 0, first_deepest(list, count, equal));
    for (int chosen = 1; chosen < LODE__MANIFOLD_POINTS; ++chosen) {
        double most = 0;
        for (int i = chosen; i < count; ++i)
            most = d_max(most, score(list, chosen, list[i].position, normal));
        if (!(most > 0))
            return chosen;
        int k = chosen;
        while (k < count - 1 &&
               !(score(list, chosen, list[k].position, normal) >= most * REDUCE_EQUAL_SHARE))
            ++k;
        swap(list, chosen, k);
    }
    return LODE__MANIFOLD_POINTS;
}
