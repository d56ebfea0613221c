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

/* Where its special part lies is nobody's business; it follows the points. */
static inline void lode__put_manifold(lode__writer *out, const lode__manifold *m,
                                      const lode__pool *manifolds)
{
    lode__manifold head;
    memcpy(&head, m, LODE__MANIFOLD_HEAD);
    head.special = m->special != 0;
    lode__put(out, &head, LODE__MANIFOLD_HEAD);
    if (LODE__POINT_BYTES == sizeof(lode__point))
        lode__put(out, m->points, (size_t)m->point_count * sizeof(lode__point));
    else
        for (int k = 0; k < m->point_count; ++k)
            lode__put(out, &m->points[k], LODE__POINT_BYTES);
    if (m->special)
        lode__put(out, special_of(manifolds, m), sizeof(lode__special));
}

static inline bool special_is_sound(const lode__special *s)
{
    const lode_real numbers[] = {s->bounce_speed, s->erp,        s->cfm,        s->slip[0],
                                 s->slip[1],      s->rolling[0], s->rolling[1], s->rolling[2]};
    bool sound = v3_finite(s->motion) && v3_finite(s->turn) && v3_finite(s->turned);
    for (int i = 0; i < 8; ++i)
        sound = sound && r_finite(numbers[i]) && (i < 3 || numbers[i] >= 0);
    for (int k = 0; k < 3; ++k)
        sound = sound && s->moment[k] <= 1;
    return sound && s->erp <= 1 && s->law[0] < LODE_LAW_COUNT && s->law[1] < LODE_LAW_COUNT &&
           s->immovable < LODE_IMMOVABLE_COUNT && s->unused[0] == 0 && s->unused[1] == 0;
}

/* The rest of `out_m` is left alone, and `out_special` too where it has none. False: it ends too
 * early, or has more points than there can be, or a special part that cannot be. */
static inline bool lode__get_manifold(lode__reader *in, lode__manifold *out_m,
                                      lode__special *out_special)
{
    lode__get(in, out_m, LODE__MANIFOLD_HEAD);
    if (in->failed || out_m->point_count < 0 || out_m->point_count > LODE__MANIFOLD_POINTS)
        return false;
    for (int k = 0; k < out_m->point_count; ++k)
        lode__get(in, &out_m->points[k], LODE__POINT_BYTES);
    if (out_m->special == 0 || in->failed)
        return !in->failed;
    lode__get(in, out_special, sizeof *out_special);
    return !in->failed && out_m->special == 1 && special_is_sound(out_special);
}

#endif
