/* shared.inl: blocks whose lanes share bodies, for constraints that find no colour: those of a hub.
 *
 * Mass splitting (Tonge, Benevolenski, Voroshilov 2012, "Mass splitting for jitter-free parallel
 * rigid body simulation"): a body that occurs n times in a block is cut into n bodies of 1/n of its
 * mass and inertia. All start with its velocity, each lane solves with its own, and the body then
 * takes their mean. The n parts together have the body's momentum, so momentum is kept exactly, and
 * the mean of their velocities never has more energy than they had: a block cannot overshoot,
 * whatever its lanes share.
 *
 * Rows are prepared with n times the inverse mass. The mean is what the lanes' impulses do to the
 * undivided body, so each lane leaves the change of velocity that its own impulse causes there, and
 * the changes are added up in lane order when all lanes have been solved: none sees another's. */

/* The inverse mass of a body's nth part. */
LODE__INLINE wline split_mass(wline mass, wreal n)
{
    return (wline){w_mul(mass.r0, n), w_mul(mass.r1, n), w_mul(mass.r2, n), w_mul(mass.r3, n),
                   w_mul(mass.r4, n), w_mul(mass.r5, n), w_mul(mass.r6, n), mass.r7};
}

#ifdef LODE_TWO_BLOCKS

/* Blocks whose lanes share bodies are taken one by one. */
typedef void shared_block;

LODE__INLINE void shared_put(shared_block *shared, int side, wlane lane, const int32_t *index,
                             wline change)
{
    (void)shared, (void)side, (void)lane, (void)index, (void)change;
}

#else

/* What the lanes of one block do to the velocities of their bodies. */
typedef struct shared_block {
    _Alignas(64) lode_real change[2][(1 + LODE_LANES) * 8]; /* by side and lane; 0 is the dummy's */
    int32_t index[2][LODE_LANES];                           /* body lines; 0 where none changes */
} shared_block;

/* How often the bodies of these lanes occur in their block, on either side. */
LODE__INLINE wreal shares_of(const int32_t *a, const int32_t *b, const int32_t *index, int lane)
{
    _Alignas(64) lode_real shares[LODE_LANES];
    for (int i = 0; i < LODE_WIDTH; ++i) {
        int count = 0;
        for (int k = 0; k < LODE_LANES; ++k)
            count += (a[k] == index[lane + i]) + (b[k] == index[lane + i]);
        shares[i] = (lode_real)(index[lane + i] > 0 ? count : 1);
    }
    return w_load(shares);
}

LODE__INLINE void shared_begin(shared_block *shared)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        shared->index[0][lane] = shared->index[1][lane] = 0;
}

/* Keeps what lanes from `lane` on do to the bodies of one side. */
LODE__INLINE void shared_put(shared_block *shared, int side, wlane lane, const int32_t *index,
                             wline change)
{
    int32_t line[LODE_LANES];
    for (int i = 0; i < LODE_WIDTH; ++i) {
        line[i] = 1 + lane + i;
        shared->index[side][lane + i] = index[lane + i];
    }
    w_store_lines(shared->change[side], line, change);
}

LODE__INLINE void shared_end(const shared_block *shared, const lode__dense *lines)
{
    for (int side = 0; side < 2; ++side)
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            int32_t index = shared->index[side][lane];
            if (index <= 0)
                continue;
            const lode_real *change = &shared->change[side][(1 + lane) * 8];
            lode_real *line = &lines->velocity[index].linear.x;
            for (int k = 0; k < 8; ++k)
                line[k] += change[k];
        }
}

#endif
