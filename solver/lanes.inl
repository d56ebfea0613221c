/* lanes.inl: loads and stores of lane-interleaved fields and of body lines.
 *
 * A kernel's text says `lane` for the lanes that it is at: the first of LODE_WIDTH in a block; or,
 * with two blocks at a time, all lanes of a block and of the one behind it. */
#ifdef LODE_TWO_BLOCKS

typedef struct wlane {
    ptrdiff_t stride; /* bytes from a block to the next */
} wlane;

#define LANE_NEXT(type, p, lane) ((type *)(void *)((char *)(uintptr_t)(p) + (lane).stride))

LODE__INLINE wreal lane_load(const lode__lane *field, wlane lane)
{
    return w_load_two(field->x, LANE_NEXT(const lode__lane, field, lane)->x);
}

LODE__INLINE void lane_store(lode__lane *field, wlane lane, wreal x)
{
    w_store_two(field->x, LANE_NEXT(lode__lane, field, lane)->x, x);
}

/* Lines by the indices that a block has; motions are stored. */
LODE__INLINE wline lines_load(const lode_real *base, const int32_t *index, wlane lane)
{
    return w_load_lines_two(base, index, LANE_NEXT(const int32_t, index, lane));
}

LODE__INLINE void motions_store(lode_real *base, const int32_t *index, wlane lane, wline l)
{
    w_store_sixes_two(base, index, LANE_NEXT(const int32_t, index, lane), l);
}

/* Blocks are taken one by one by what asks. */
LODE__INLINE wreal thrown_lanes(const lode__dense *lines, const int32_t *index, wlane lane)
{
    (void)lines, (void)index, (void)lane;
    return w_zero();
}

#else

typedef int wlane;

LODE__INLINE wreal lane_load(const lode__lane *field, wlane lane)
{
    return w_load(&field->x[lane]);
}

LODE__INLINE void lane_store(lode__lane *field, wlane lane, wreal x)
{
    w_store(&field->x[lane], x);
}

/* Lines by the indices that a block has; motions are stored. */
LODE__INLINE wline lines_load(const lode_real *base, const int32_t *index, wlane lane)
{
    return w_load_lines(base, index + lane);
}

LODE__INLINE void motions_store(lode_real *base, const int32_t *index, wlane lane, wline l)
{
    w_store_sixes(base, index + lane, l);
}

/* 1 where the line's body is thrown, else 0. */
LODE__INLINE wreal thrown_lanes(const lode__dense *lines, const int32_t *index, wlane lane)
{
    _Alignas(64) lode_real thrown[LODE_WIDTH];
    for (int i = 0; i < LODE_WIDTH; ++i)
        thrown[i] = index[lane + i] > 0 ? lines->pace[index[lane + i]].thrown : 0;
    return w_load(thrown);
}

#endif

/* sum += more */
LODE__INLINE void lane_add(lode__lane *sum, wlane lane, const lode__lane *more)
{
    lane_store(sum, lane, w_add(lane_load(sum, lane), lane_load(more, lane)));
}

LODE__INLINE wvec3 lane3_load(const lode__lane3 *p, wlane lane)
{
    return (wvec3){lane_load(&p->x, lane), lane_load(&p->y, lane), lane_load(&p->z, lane)};
}

LODE__INLINE void lane3_store(lode__lane3 *p, wlane lane, wvec3 v)
{
    lane_store(&p->x, lane, v.x);
    lane_store(&p->y, lane, v.y);
    lane_store(&p->z, lane, v.z);
}

LODE__INLINE wquat lane4_load(const lode__lane4 *p, wlane lane)
{
    return (wquat){lane_load(&p->w, lane), lane_load(&p->x, lane), lane_load(&p->y, lane),
                   lane_load(&p->z, lane)};
}

LODE__INLINE void lane4_store(lode__lane4 *p, wlane lane, wquat q)
{
    lane_store(&p->w, lane, q.w);
    lane_store(&p->x, lane, q.x);
    lane_store(&p->y, lane, q.y);
    lane_store(&p->z, lane, q.z);
}

LODE__INLINE wreal inverse_or_zero(wreal k, wreal times)
{
    wmask real = w_gt(k, w_zero());
    return w_masked(real, w_div(times, w_select(real, k, w_splat(1))));
}

/* The vectors of motions: of lines of velocities and displacements; those of forces lie alike. */
LODE__INLINE wvec3 motion_linear(wline l)
{
    return (wvec3){l.r0, l.r1, l.r2};
}

LODE__INLINE wvec3 motion_angular(wline l)
{
    return (wvec3){l.r3, l.r4, l.r5};
}

LODE__INLINE wline motion_of(wvec3 linear, wvec3 angular)
{
    wreal zero = w_zero();
    return (wline){linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, zero, zero};
}

/* Displacement lines as displacements: those of kinematic bodies are rates. */
LODE__INLINE wline load_deltas(const lode__dense *lines, const int32_t *index, wlane lane,
                               const lode__softness *s)
{
    wline d = lines_load(&lines->delta->linear.x, index, lane);
    wreal time = w_select(w_gt(d.r6, w_zero()), w_splat(s->elapsed), w_splat(1));
    return motion_of(wv_scale(motion_linear(d), time), wv_scale(motion_angular(d), time));
}

LODE__INLINE wsym3 line_inertia(wline l)
{
    return (wsym3){l.r1, l.r2, l.r3, l.r4, l.r5, l.r6};
}
