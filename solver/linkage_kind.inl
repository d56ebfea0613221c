/* linkage_kind.inl: the kernels over blocks of linkages: one row of eight joints, each over as many
 * bodies as the block has ends. What the row does is row_solve.inl's; the bodies are gone through
 * one after another, and none is kept. */

LODE__INLINE wreal linkage_along(const lode__linkage_end *end, wlane lane, wline motion)
{
    return w_add(wv_dot(lane3_load(&end->lin, lane), motion_linear(motion)),
                 wv_dot(lane3_load(&end->ang, lane), motion_angular(motion)));
}

LODE__INLINE wreal linkage_velocity(const lode__linkage_block *b, const lode__dense *lines,
                                    wlane lane)
{
    wreal sum = w_zero();
    for (int i = 0; i < b->ends; ++i)
        sum = w_add(sum,
                    linkage_along(&b->end[i], lane,
                                  lines_load(&lines->velocity->linear.x, b->end[i].line, lane)));
    return sum;
}

/* How far the row has moved since the step began. */
LODE__INLINE wreal linkage_progress(const lode__linkage_block *b, const lode__dense *lines,
                                    const lode__softness *s, wlane lane)
{
    wreal sum = w_zero();
    for (int i = 0; i < b->ends; ++i)
        sum = w_add(sum,
                    linkage_along(&b->end[i], lane, load_deltas(lines, b->end[i].line, lane, s)));
    return sum;
}

LODE__INLINE void linkage_push(const lode__linkage_block *b, const lode__dense *lines, wlane lane,
                               wreal impulse)
{
    lode_real *velocities = &lines->velocity->linear.x;
    for (int i = 0; i < b->ends; ++i) {
        const lode__linkage_end *end = &b->end[i];
        wline v = lines_load(velocities, end->line, lane);
        wreal p = w_mul(impulse, lane_load(&end->inv_mass, lane));
        wvec3 linear = wv_add(motion_linear(v), wv_scale(lane3_load(&end->lin, lane), p));
        wvec3 turn = wv_scale(lane3_load(&end->resp, lane), impulse);
        wvec3 angular = wv_add(motion_angular(v), turn);
        motions_store(velocities, end->line, lane, motion_of(linear, angular));
    }
}

LODE__INLINE void linkage_prepare(lode__linkage_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane)
{
    (void)s;
    wreal k = w_zero();
    for (int i = 0; i < b->ends; ++i) {
        lode__linkage_end *end = &b->end[i];
        wline mass = lines_load(&lines->inv_mass->inv_mass, end->line, lane);
        wvec3 lin = lane3_load(&end->lin, lane), ang = lane3_load(&end->ang, lane);
        wvec3 resp = ws_mul(line_inertia(mass), ang);
        lane_store(&end->inv_mass, lane, mass.r0);
        lane3_store(&end->resp, lane, resp);
        k = w_add(k, w_add(w_mul(wv_dot(lin, lin), mass.r0), wv_dot(ang, resp)));
    }
    lane_store(&b->row.k, lane, k);
}

LODE__INLINE void linkage_put_back(lode__linkage_block *b, const lode__dense *lines,
                                   const lode__softness *s, wlane lane)
{
    wreal error = lane_load(&b->row.error, lane);
    lane_store(&b->row.error, lane, w_sub(error, linkage_progress(b, lines, s, lane)));
}

LODE__INLINE void linkage_refresh(lode__linkage_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane)
{
    row_refresh_from(&b->row, true, lane, s, linkage_progress(b, lines, s, lane));
}

LODE__INLINE void linkage_warm_start(lode__linkage_block *b, const lode__dense *lines,
                                     const lode__softness *s, wlane lane)
{
    wmask never = m_not(w_eq(w_zero(), w_zero()));
    wreal most = lane_load(&b->most_erp, lane);
    linkage_push(b, lines, lane, row_start(&b->row, s, lane, most, never));
}

LODE__INLINE void linkage_again(lode__linkage_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane)
{
    (void)s;
    linkage_push(b, lines, lane, row_again(&b->row, lane));
}

LODE__INLINE void linkage_solve(lode__linkage_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane)
{
    (void)s;
    wreal short_of = w_sub(lane_load(&b->row.c, lane), linkage_velocity(b, lines, lane));
    linkage_push(b, lines, lane, row_impulse(&b->row, true, lane, short_of));
}

LODE__INLINE void linkage_tell(lode__linkage_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane)
{
    (void)lines;
    wreal lambda = w_mul(lane_load(&b->row.lambda, lane), w_splat(s->tell));
    lane_store(&b->row.told, lane, w_add(lane_load(&b->row.told, lane), lambda));
}

#define LINKAGE_KERNEL(verb) \
    LODE__ONE_COPY void verb##_linkages(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s) \
    { \
        BLOCK_LOOP_WHERE(true, lode__linkage_block, linkage_##verb(b, lines, s, lane)) \
    }

LINKAGE_KERNEL(prepare)
LINKAGE_KERNEL(put_back)
LINKAGE_KERNEL(refresh)
LINKAGE_KERNEL(warm_start)
LINKAGE_KERNEL(again)
LINKAGE_KERNEL(tell)

/* To and fro, a few times: a shaft with many wheels is heavier by them than it is itself, and
 * sweeps in one direction then come to rest in circles. With errors of position, and impulses that
 * are carried over, such circles grow (row_solve.inl): twenty wheels of 5.5 times the inertia of
 * their shaft flew apart. Sweeps in both directions have none, and who has so few rows can afford
 * some more. */
enum { LINKAGE_ROUNDS = 4 };

LODE__ONE_COPY void solve_linkages(void *blocks, uint32_t count, size_t stride,
                                   const lode__dense *lines, const lode__softness *s)
{
    for (uint32_t i = 0; i < LINKAGE_ROUNDS * 2 * count; ++i) {
        uint32_t k = i % (2 * count), at = k < count ? k : 2 * count - 1 - k;
        lode__linkage_block *b = (lode__linkage_block *)(void *)((char *)blocks + at * stride);
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
            linkage_solve(b, lines, s, lane);
    }
}

/* What motors and stops of couplings do; rows of the application are what they are. */
static void build_linkage(lode__linkage_block *b)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        lode__row coupling = b->row;
        row_of_extra(&coupling, lane, &b->extra, lane_load(&b->position, lane),
                     lane_load(&b->rate, lane));
        wmask given = w_gt(lane_load(&b->given, lane), w_zero());
        lode__lane *const to[] = {&b->row.error, &b->row.target, &b->row.lo, &b->row.hi};
        const lode__lane *const from[] = {&coupling.error, &coupling.target, &coupling.lo,
                                          &coupling.hi};
        for (int i = 0; i < 4; ++i)
            lane_store(to[i], lane,
                       w_select(given, lane_load(to[i], lane), lane_load(from[i], lane)));
        wreal kept = w_clamp(lane_load(&b->row.lambda, lane), lane_load(&b->row.lo, lane),
                             lane_load(&b->row.hi, lane));
        lane_store(&b->row.lambda, lane, w_select(given, kept, lane_load(&coupling.lambda, lane)));
    }
}

#define LINKAGE_ROW \
    { \
        .prepare = prepare_linkages, .put_back = put_back_linkages, .refresh = refresh_linkages, \
        .warm_start = warm_start_linkages, .again = again_linkages, .tell = tell_linkages, \
        .solve_back = solve_linkages, .solve = { \
            solve_linkages, \
            solve_linkages, \
            solve_linkages, \
            solve_linkages \
        } \
    }
