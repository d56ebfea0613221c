/* contact_bytes.h: manifolds as bytes: what is in them, without padding, and without the points
 * that are not there. */
#ifndef LODE_CORE_CONTACT_BYTES_H
#define LODE_CORE_CONTACT_BYTES_H

#include "core/bytes.h"
#include "core/contact.h"

enum {
    LODE__MANIFOLD_HEAD = offsetof(lode__manifold, point_count) + sizeof(int32_t),
    LODE__POINT_BYTES = offsetof(lode__point, child_b) + sizeof(uint32_t)
};

_Static_assert(offsetof(lode__manifold, points) - LODE__MANIFOLD_HEAD < sizeof(lode_real),
               "the count stands before the points");
_Static_assert(sizeof(lode__point) - LODE__POINT_BYTES < sizeof(lode_real),
               "the children end the point");

static inline void lode__put_manifold(lode__writer *out, const lode__manifold *m)
{
    lode__put(out, m, LODE__MANIFOLD_HEAD);
    if (LODE__POINT_BYTES == sizeof(lode__point))
        lode__put(out, m->points, (size_t)m->point_count * sizeof(lode__point));
    else
        for (int k = 0; k < m->point_count; ++k)
            lode__put(out, &m->points[k], LODE__POINT_BYTES);
}

/* The rest of `out_m` is left alone. False: it ends too early, or has more points than there can
 * be. */
static inline bool lode__get_manifold(lode__reader *in, lode__manifold *out_m)
{
    lode__get(in, out_m, LODE__MANIFOLD_HEAD);
    if (in->failed || out_m->point_count < 0 || out_m->point_count > LODE__MANIFOLD_POINTS)
        return false;
    for (int k = 0; k < out_m->point_count; ++k)
        lode__get(in, &out_m->points[k], LODE__POINT_BYTES);
    return !in->failed;
}

#endif
