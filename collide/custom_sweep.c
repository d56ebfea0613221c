/* custom_sweep.c: when a convex solid that is pushed along a line meets a shape of a class that has
 * colliders alone.
 *
 * The collider tells how far the solid is away, wherever it stands. Such a shape need not be
 * convex, so the direction in which it is nearest says nothing of its other parts, and the solid
 * may advance by the gap and no more (Mirtich 1996; as sphere tracing does with rays: Hart
 * 1996). Along a surface that would never end. So it advances by 1/64 of the solid's smallest
 * half extent or 1/1000 of the way at least, and where that leads into the shape, goes back by
 * halves. What is met for less than that is grazed, and may be missed. */
#include "collide/custom.h"

enum { LEAST_OF_SOLID = 64, LEAST_OF_WAY = 1000, HALVES = 48 };

/* Of the sizes: a gap that counts as none. In single precision what colliders round. */
#define TOUCH_GAP 1e-10
#define TOUCH_ROUNDING (16 * (double)REAL_EPSILON)

/* The sine of the angle by which the way must lead towards the shape. */
#define TOWARDS 1e-6

typedef struct sweep {
    uint32_t type;
    const lode__shape_view *a, *b;
    lode_vec3 offset, move;
    lode_real margin;
} sweep;

static double gap_at(const sweep *s, double share, lode__apart *out)
{
    lode_vec3 offset = v3_madd(s->offset, s->move, -(lode_real)share);
    if (lode__custom_apart(s->type, s->a, LODE_CUSTOM, s->b, offset, s->margin, out))
        return (double)out->distance;
    *out = (lode__apart){.normal = v3_normalize_or(v3_neg(s->move), v3(0, 0, 1))};
    return (double)s->margin;
}

static void tell(const sweep *s, double share, const lode__apart *apart, lode__swept *out)
{
    lode_vec3 on_b = v3_madd(apart->on_b, s->move, (lode_real)share);
    *out = (lode__swept){.share = share,
                         .normal = d3_from(q_rotate_inv(s->a->rotation, apart->normal)),
                         .on_b = d3_from(q_rotate_inv(s->a->rotation, on_b))};
}

/* The solid is apart at `before` and not at `share`. */
static void go_back(const sweep *s, double before, double share, double touch, lode__swept *out)
{
    lode__apart apart;
    double gap = gap_at(s, before, &apart);
    for (int i = 0; i < HALVES && gap > touch; ++i) {
        double middle = (before + share) / 2;
        lode__apart there;
        double at = gap_at(s, middle, &there);
        if (!(middle > before) || !(middle < share))
            break;
        if (at > 0) {
            before = middle;
            gap = at;
            apart = there;
        } else {
            share = middle;
        }
    }
    tell(s, before, &apart, out);
}

bool lode__custom_sweep(uint32_t type_a, const lode__shape_view *a, const lode__shape_view *b,
                        lode_vec3 offset, lode_vec3 move, double most, lode__swept *out)
{
    lode__reach reach = lode__shape_types[type_a].reach(a);
    lode_vec3 half = reach.half;
    double length = (double)v3_length(move), share = 0;
    sweep s = {type_a, a, b, offset, move, 0};
    s.margin = lode__custom_farthest(type_a, a, LODE_CUSTOM, b, offset);
    double size = (double)(v3_length(half) + v3_length(offset));
    double touch = size * d_max(TOUCH_GAP, TOUCH_ROUNDING);
    double least = d_max((double)r_min(half.x, r_min(half.y, half.z)) / LEAST_OF_SOLID,
                         length / LEAST_OF_WAY);
    lode__apart apart;
    double gap = gap_at(&s, 0, &apart);
    if (gap < -touch) {
        tell(&s, 0, &apart, out);
        out->depth = -gap;
        return true;
    }
    while (share < most) {
        double towards = -(double)v3_dot(apart.normal, move);
        if (gap <= touch && towards > length * TOWARDS) {
            tell(&s, share, &apart, out);
            return true;
        }
        double before = share;
        share = d_min(share + d_max(gap, least) / length, most);
        if (!(share > before))
            return false;
        double there = gap_at(&s, share, &apart);
        if (there < -touch || (there <= 0 && gap > touch)) {
            go_back(&s, before, share, touch, out);
            return true;
        }
        gap = there;
    }
    return false;
}
