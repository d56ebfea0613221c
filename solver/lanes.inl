/* lanes.inl: loads and stores of lane-interleaved fields and of body lines. */

LODE__INLINE wreal lane_load(const lode__lane *field, int lane)
{
    return w_load(&field->x[lane]);
}

LODE__INLINE wvec3 lane3_load(const lode__lane3 *p, int lane)
{
    return (wvec3){w_load(&p->x.x[lane]), w_load(&p->y.x[lane]), w_load(&p->z.x[lane])};
}

LODE__INLINE void lane3_store(lode__lane3 *p, int lane, wvec3 v)
{
    w_store(&p->x.x[lane], v.x);
    w_store(&p->y.x[lane], v.y);
    w_store(&p->z.x[lane], v.z);
}

LODE__INLINE wquat lane4_load(const lode__lane4 *p, int lane)
{
    return (wquat){w_load(&p->w.x[lane]), w_load(&p->x.x[lane]), w_load(&p->y.x[lane]),
                   w_load(&p->z.x[lane])};
}

LODE__INLINE wreal inverse_or_zero(wreal k, wreal times)
{
    wmask real = w_gt(k, w_zero());
    return w_masked(real, w_div(times, w_select(real, k, w_splat(1))));
}

LODE__INLINE wvec3 line_first(wline l)
{
    return (wvec3){l.r0, l.r1, l.r2};
}

LODE__INLINE wvec3 line_second(wline l)
{
    return (wvec3){l.r4, l.r5, l.r6};
}

/* Displacement lines as displacements: those of kinematic bodies are rates. */
LODE__INLINE wline load_deltas(const lode__dense *lines, const int32_t *index,
                               const lode__softness *s)
{
    wline d = w_load_lines(&lines->delta->linear.x, index);
    wreal time = w_select(w_gt(d.r3, w_zero()), w_splat(s->elapsed), w_splat(1));
    d.r0 = w_mul(d.r0, time), d.r1 = w_mul(d.r1, time), d.r2 = w_mul(d.r2, time);
    d.r4 = w_mul(d.r4, time), d.r5 = w_mul(d.r5, time), d.r6 = w_mul(d.r6, time);
    return d;
}

LODE__INLINE wline line_of(wvec3 first, wvec3 second)
{
    wreal zero = w_zero();
    return (wline){first.x, first.y, first.z, zero, second.x, second.y, second.z, zero};
}

LODE__INLINE wsym3 line_inertia(wline l)
{
    return (wsym3){l.r1, l.r2, l.r3, l.r4, l.r5, l.r6};
}
