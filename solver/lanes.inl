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

LODE__INLINE wline line_of(wvec3 first, wvec3 second)
{
    wreal zero = w_zero();
    return (wline){first.x, first.y, first.z, zero, second.x, second.y, second.z, zero};
}

LODE__INLINE wsym3 line_inertia(wline l)
{
    return (wsym3){l.r1, l.r2, l.r3, l.r4, l.r5, l.r6};
}
