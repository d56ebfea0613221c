/* contact_frame.inl: the contact frame of eight manifolds: their bodies' motion seen in it, and
 * what a wrench in it does to them. solver/blocks.h derives the equations. */

/* The relative twist at the centroid and the wrench that acts there, both in the contact frame:
 * linear n, t1, t2 and angular n, t1, t2. */
typedef struct twist {
    wreal un, u1, u2, wn, w1, w2;
} twist;

LODE__INLINE twist twist_scale(twist t, wreal share)
{
    return (twist){w_mul(t.un, share), w_mul(t.u1, share), w_mul(t.u2, share),
                   w_mul(t.wn, share), w_mul(t.w1, share), w_mul(t.w2, share)};
}

LODE__INLINE twist twist_sub(twist a, twist b)
{
    return (twist){w_sub(a.un, b.un), w_sub(a.u1, b.u1), w_sub(a.u2, b.u2),
                   w_sub(a.wn, b.wn), w_sub(a.w1, b.w1), w_sub(a.w2, b.w2)};
}

/* The pair of bodies of eight manifolds: what the frame change needs in both directions. */
typedef struct contact_frame {
    wvec3 n, t1, t2, ra, rb;
} contact_frame;

LODE__INLINE contact_frame frame_load(const lode__contact_block *block, wlane lane, bool pair)
{
    contact_frame f;
    f.n = lane3_load(&block->n, lane);
    f.t1 = lane3_load(&block->t, lane);
    f.t2 = wv_cross(f.n, f.t1);
    f.ra = lane3_load(&block->ra, lane);
    f.rb = pair ? lane3_load(&block->rb, lane) : wv_zero();
    return f;
}

/* The relative twist of two lines of motion (velocities or displacements). */
LODE__INLINE twist twist_of(const contact_frame *f, wline a, wline b, bool pair)
{
    wvec3 w = motion_angular(a), along = motion_linear(a), turn = wv_cross(w, f->ra);
    if (pair) {
        wvec3 wb = motion_angular(b);
        along = wv_sub(along, motion_linear(b));
        turn = wv_sub(turn, wv_cross(wb, f->rb));
        w = wv_sub(w, wb);
    }
    wvec3 u = wv_add(along, turn);
    return (twist){wv_dot(f->n, u), wv_dot(f->t1, u), wv_dot(f->t2, u),
                   wv_dot(f->n, w), wv_dot(f->t1, w), wv_dot(f->t2, w)};
}

/* Adds the response of the bodies of one side to a world wrench about their centres of mass. */
LODE__INLINE void wrench_apply(const lode__dense *lines, const int32_t *index, wline v, wvec3 p,
                               wvec3 m, int side, wlane lane, shared_block *shared)
{
    wline mass = lines_load(&lines->inv_mass->inv_mass, index, lane);
    wvec3 linear = wv_scale(p, mass.r0), angular = ws_mul(line_inertia(mass), m);
    if (shared) {
        shared_put(shared, side, lane, index, motion_of(linear, angular));
        return;
    }
    linear = wv_add(motion_linear(v), linear);
    angular = wv_add(motion_angular(v), angular);
    motions_store(&lines->velocity->linear.x, index, lane, motion_of(linear, angular));
}

/* Gives the wrench at the centroid to body a and its opposite to body b; that of a single point has
 * no moment, unless something resists rolling. */
LODE__INLINE void frame_apply(const contact_frame *f, const lode__dense *lines,
                              const int32_t *index_a, const int32_t *index_b, wline a, wline b,
                              twist wrench, wlane lane, bool moment, bool pair,
                              shared_block *shared)
{
    wvec3 p = wv_add(wv_add(wv_scale(f->n, wrench.un), wv_scale(f->t1, wrench.u1)),
                     wv_scale(f->t2, wrench.u2));
    wvec3 ma = wv_cross(f->ra, p), mb = wv_cross(f->rb, p);
    if (moment) {
        wvec3 m = wv_add(wv_add(wv_scale(f->n, wrench.wn), wv_scale(f->t1, wrench.w1)),
                         wv_scale(f->t2, wrench.w2));
        ma = wv_add(m, ma);
        mb = wv_add(m, mb);
    }
    wrench_apply(lines, index_a, a, p, ma, 0, lane, shared);
    if (pair)
        wrench_apply(lines, index_b, b, wv_neg(p), wv_neg(mb), 1, lane, shared);
}

/* Where a point lies in the tangent plane. The only point of a manifold is its centroid: no turn
 * moves it and it gives no moment, which is a quarter of a visit's operations less. */
typedef struct place {
    wreal x, y;
    bool central;
} place;

LODE__INLINE place place_of(const lode__contact_row *row, wlane lane, int points)
{
    if (points == 1)
        return (place){w_zero(), w_zero(), true};
    return (place){lane_load(&row->x, lane), lane_load(&row->y, lane), false};
}

LODE__INLINE wreal normal_velocity(const twist *v, place at)
{
    if (at.central)
        return v->un;
    return w_add(v->un, w_sub(w_mul(v->w1, at.y), w_mul(v->w2, at.x)));
}
