/* row_solve.inl: what is done to row blocks, eight joints of one row count, in each sub-step; of a
 * kind whose lanes share bodies when `shared` is not null, which is known to the compiler. Rows are
 * solved one after another, but for the three of a point, by projected Gauss-Seidel in impulse
 * form,
 *
 *     lambda' = clamp(lambda - soft lambda + mass (c - J v), lo, hi),
 *     v += M^-1 J^T (lambda' - lambda),
 *
 * which knows nothing of joint types: a joint's builder has written the Jacobians.
 *
 * A row has its own softness, erp and cfm: a share erp of its error is corrected in each (sub-)step
 * and gamma = cfm / h added to J M^-1 J^T. Springs and motors are made so. Where erp is negative
 * the solver's own softness of joints counts, which the relax pass takes out; a row's own it keeps.
 *
 * A row that can only push (lo = 0) or only pull (hi = 0), and whose error is on the side where it
 * need not, is a gap: it lets the gap close within the step, and no more. */

typedef struct row_motion {
    wvec3 va, wa, vb, wb;
} row_motion;

LODE__INLINE row_motion row_motion_of(wline a, wline b)
{
    return (row_motion){motion_linear(a), motion_angular(a), motion_linear(b), motion_angular(b)};
}

LODE__INLINE row_motion row_motion_load(const lode__row_block *block, const lode_real *lines,
                                        wlane lane)
{
    return row_motion_of(lines_load(lines, block->a, lane), lines_load(lines, block->b, lane));
}

/* Stores the velocities `v` of bodies that had `old`; of a split body, its part's share of the
 * change. */
LODE__INLINE void row_motion_store(const lode__row_block *block, lode_real *lines, wlane lane,
                                   const row_motion *old, const row_motion *v, shared_block *shared)
{
    if (shared) {
        wreal a = lane_load(&block->part_a, lane), b = lane_load(&block->part_b, lane);
        shared_put(
            shared, 0, lane, block->a,
            motion_of(wv_scale(wv_sub(v->va, old->va), a), wv_scale(wv_sub(v->wa, old->wa), a)));
        shared_put(
            shared, 1, lane, block->b,
            motion_of(wv_scale(wv_sub(v->vb, old->vb), b), wv_scale(wv_sub(v->wb, old->wb), b)));
        return;
    }
    motions_store(lines, block->a, lane, motion_of(v->va, v->wa));
    motions_store(lines, block->b, lane, motion_of(v->vb, v->wb));
}

/* What both bodies of a joint resist with. It is read from their lines, which stay near while
 * sweeps go by: rows that bring their responses along are nearly half of what a sweep waits for. */
typedef struct row_masses {
    wreal inv_a, inv_b;
    wsym3 inertia_a, inertia_b; /* inverse */
} row_masses;

LODE__INLINE row_masses row_masses_of(wline a, wline b)
{
    return (row_masses){a.r0, b.r0, line_inertia(a), line_inertia(b)};
}

LODE__INLINE row_masses row_masses_load(const lode__row_block *block, const lode__dense *lines,
                                        wlane lane, shared_block *shared)
{
    const lode_real *masses = &lines->inv_mass->inv_mass;
    wline a = lines_load(masses, block->a, lane), b = lines_load(masses, block->b, lane);
    if (shared) {
        a = split_mass(a, w_div(w_splat(1), lane_load(&block->part_a, lane)));
        b = split_mass(b, w_div(w_splat(1), lane_load(&block->part_b, lane)));
    }
    return row_masses_of(a, b);
}

/* How a row's linear part enters: not at all, or as it says. */
typedef enum row_way { ROW_TURN, ROW_ANY } row_way;

#define EACH_ROW_ONE(kind, call, go_on) \
    { \
        const row_way way = kind; \
        call; \
        go_on; \
    }

/* Does a block begin with three rows that hold anchors together? They have functions of their own,
 * which see them as one point. */
#define HAS_POINT(b, rows) ((rows) >= 3 && (b)->axes)

/* Calls what is done to row `i` of a block, whose linear part is of the kind `way`, for all rows
 * behind those of a point. */
#define EACH_ROW(b, rows, call) \
    do { \
        int i = HAS_POINT(b, rows) ? 3 : 0; \
        while (i < (b)->turning) \
            EACH_ROW_ONE(ROW_TURN, call, ++i); \
        while (i < (rows)) \
            EACH_ROW_ONE(ROW_ANY, call, ++i); \
    } while (0)

/* The same from the last of them to the first. */
#define EACH_ROW_BACK(b, rows, call) \
    do { \
        const int first = HAS_POINT(b, rows) ? 3 : 0; \
        int i = (rows)-1; \
        while (i >= first && i >= (b)->turning) \
            EACH_ROW_ONE(ROW_ANY, call, --i); \
        while (i >= first) \
            EACH_ROW_ONE(ROW_TURN, call, --i); \
    } while (0)

/* The parts of J v: of two bodies that turn against each other, that move along, that turn. */
LODE__INLINE wreal row_twisting(const lode__row *row, wlane lane, const row_motion *v)
{
    return wv_dot(lane3_load(&row->ang_a, lane), wv_sub(v->wa, v->wb));
}

LODE__INLINE wreal row_moving(const lode__row *row, wlane lane, const row_motion *v)
{
    return wv_dot(lane3_load(&row->lin, lane), wv_sub(v->va, v->vb));
}

LODE__INLINE wreal row_turning(const lode__row *row, wlane lane, const row_motion *v)
{
    return w_add(wv_dot(lane3_load(&row->ang_a, lane), v->wa),
                 wv_dot(lane3_load(&row->ang_b, lane), v->wb));
}

LODE__INLINE wreal row_velocity(const lode__row *row, row_way way, wlane lane, const row_motion *v)
{
    if (way == ROW_TURN)
        return row_twisting(row, lane, v);
    return w_add(row_moving(row, lane, v), row_turning(row, lane, v));
}

/* What a row is short of, c - J v. */
LODE__INLINE wreal row_short_of(const lode__row *row, row_way way, wlane lane, const row_motion *v)
{
    wreal c = lane_load(&row->c, lane);
    if (way == ROW_TURN)
        return w_sub(c, row_twisting(row, lane, v));
    return w_sub(w_sub(c, row_turning(row, lane, v)), row_moving(row, lane, v));
}

/* The next row waits for this one's impulse `d`, so the responses are made first. */
LODE__INLINE void row_apply(const lode__row *row, row_way way, wlane lane, const row_masses *m,
                            wreal d, row_motion *v)
{
    wvec3 ang_a = lane3_load(&row->ang_a, lane);
    v->wa = wv_add(v->wa, wv_scale(ws_mul(m->inertia_a, ang_a), d));
    if (way == ROW_TURN) {
        v->wb = wv_sub(v->wb, wv_scale(ws_mul(m->inertia_b, ang_a), d));
        return;
    }
    wvec3 turn_b = ws_mul(m->inertia_b, lane3_load(&row->ang_b, lane));
    v->wb = wv_add(v->wb, wv_scale(turn_b, d));
    wvec3 p = wv_scale(lane3_load(&row->lin, lane), d);
    v->va = wv_add(v->va, wv_scale(p, m->inv_a));
    v->vb = wv_sub(v->vb, wv_scale(p, m->inv_b));
}

/* How fast the anchors part, v_a + w_a x r_a - v_b - w_b x r_b: J v of the rows that hold them. */
LODE__INLINE wvec3 point_velocity(const lode__row_block *b, wlane lane, const row_motion *v)
{
    wvec3 turn_a = wv_cross(v->wa, lane3_load(&b->arm_a, lane));
    wvec3 turn_b = wv_cross(v->wb, lane3_load(&b->arm_b, lane));
    return wv_add(wv_sub(v->va, v->vb), wv_sub(turn_a, turn_b));
}

LODE__INLINE void point_apply(const lode__row_block *b, wlane lane, const row_masses *m, wvec3 p,
                              row_motion *v)
{
    v->va = wv_add(v->va, wv_scale(p, m->inv_a));
    v->vb = wv_sub(v->vb, wv_scale(p, m->inv_b));
    wvec3 turn_a = wv_cross(lane3_load(&b->arm_a, lane), p);
    wvec3 turn_b = wv_cross(lane3_load(&b->arm_b, lane), p);
    v->wa = wv_add(v->wa, ws_mul(m->inertia_a, turn_a));
    v->wb = wv_sub(v->wb, ws_mul(m->inertia_b, turn_b));
}

/* Keeps the impulse `now` of a row that had `old`, and returns by how much it has changed. A body
 * gone NaN pushes nobody: a clamped NaN would be the limit. */
LODE__INLINE wreal row_keep(lode__row *row, bool bounded, wlane lane, wreal old, wreal now)
{
    wmask number = w_le(w_abs(now), w_splat(LODE__UNBOUNDED));
    if (bounded)
        now = w_clamp(now, lane_load(&row->lo, lane), lane_load(&row->hi, lane));
    now = w_select(number, now, old);
    lane_store(&row->lambda, lane, now);
    return w_sub(now, old);
}

/* The impulse of a row that is short of this velocity. What does not ask for the velocity is summed
 * up first. */
LODE__INLINE wreal row_impulse(lode__row *row, bool bounded, wlane lane, wreal short_of)
{
    wreal old = lane_load(&row->lambda, lane);
    wreal kept = w_sub(old, w_mul(lane_load(&row->soft, lane), old));
    wreal now = w_add(kept, w_mul(lane_load(&row->mass, lane), short_of));
    return row_keep(row, bounded, lane, old, now);
}

LODE__INLINE void row_solve(lode__row *row, row_way way, bool bounded, wlane lane,
                            const row_masses *m, row_motion *v)
{
    wreal short_of = row_short_of(row, way, lane, v);
    row_apply(row, way, lane, m, row_impulse(row, bounded, lane, short_of), v);
}

/* The rows of a point at once. One after another they converge slowly where the arms are long:
 * along them a body resists by its mass, across them by next to nothing, and rows have the world's
 * axes. What they then leave depends on how these lie: after 200 s a pendulum of four iterations
 * had 0.22 more of its energy than at first, or 0.35 less. */
LODE__INLINE void point_solve(lode__row_block *b, wlane lane, const row_masses *m, row_motion *v)
{
    lode__row *rows = b->rows;
    wvec3 c = {lane_load(&rows[0].c, lane), lane_load(&rows[1].c, lane),
               lane_load(&rows[2].c, lane)};
    wvec3 old = {lane_load(&rows[0].lambda, lane), lane_load(&rows[1].lambda, lane),
                 lane_load(&rows[2].lambda, lane)};
    wsym3 mass = {lane_load(&b->point_mass[0], lane), lane_load(&b->point_mass[1], lane),
                  lane_load(&b->point_mass[2], lane), lane_load(&b->point_mass[3], lane),
                  lane_load(&b->point_mass[4], lane), lane_load(&b->point_mass[5], lane)};
    wvec3 asked = wv_sub(c, wv_scale(old, lane_load(&b->point_gamma, lane)));
    wvec3 kept = wv_sub(old, wv_scale(old, lane_load(&b->point_lost, lane)));
    wvec3 now = wv_add(kept, ws_mul(mass, wv_sub(asked, point_velocity(b, lane, v))));
    point_apply(b, lane, m,
                (wvec3){row_keep(&rows[0], false, lane, old.x, now.x),
                        row_keep(&rows[1], false, lane, old.y, now.y),
                        row_keep(&rows[2], false, lane, old.z, now.z)},
                v);
}

/* All rows of a block, from the first to the last or, in sweeps that go back, from the last to the
 * first. */
LODE__INLINE void rows_solve_to(bool back, lode__row_block *b, const lode__dense *lines, wlane lane,
                                int rows, shared_block *shared)
{
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows) && !back)
        point_solve(b, lane, &m, &v);
#define SOLVE_ROW row_solve(&b->rows[i], way, way == ROW_ANY && i >= b->unbounded, lane, &m, &v)
    if (back)
        EACH_ROW_BACK(b, rows, SOLVE_ROW);
    else
        EACH_ROW(b, rows, SOLVE_ROW);
#undef SOLVE_ROW
    if (HAS_POINT(b, rows) && back)
        point_solve(b, lane, &m, &v);
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

LODE__INLINE void rows_solve(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                             wlane lane, int rows, shared_block *shared)
{
    (void)s;
    rows_solve_to(false, b, lines, lane, rows, shared);
}

LODE__INLINE void rows_solve_back(lode__row_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int rows,
                                  shared_block *shared)
{
    (void)s;
    rows_solve_to(true, b, lines, lane, rows, shared);
}

/* Starts from the last impulses; rows that correct errors by an erp of their own from the share
 * 1 - `most_erp` of them.
 *
 * Impulses that are carried over sum up velocity errors, and through erp position errors too: the
 * first is a spring, the second an integrator that drives it. For a mode that the iterations
 * converge by a share g per step, the linearised loop is
 *     s^3 + (g / h) s^2 + (g / h^2) (s + erp / h) = 0,
 * which by Routh is stable only for g > erp: a large net, solved in few iterations, would blow up.
 * Forgetting a share f each step asks for g + f > erp, which f = erp gives wherever the iterations
 * converge at all, for g > 0 and real, as it is since half of the sweeps go back (solvers.c); and
 * f must be the same for all rows that are joined (forgetting.c). That holds for stops as well. A
 * motor has no position error, its erp is 0: without the integrator nothing needs to be forgotten,
 * and it keeps its whole impulse. So does a joint that is `exact`. Joints that are solved one by
 * one forget all: chains between stops, which let go and take hold again, gained energy by what
 * they kept. */
LODE__INLINE wreal row_start(lode__row *row, const lode__softness *s, wlane lane, wreal most_erp,
                             wmask exact)
{
    wreal forgotten = w_mul(most_erp, w_splat(s->forget));
    wreal share = w_max(w_sub(w_splat(1), forgotten), w_zero());
    exact = m_or(exact, w_le(lane_load(&row->erp, lane), w_zero()));
    share = w_select(exact, w_splat(1), share);
    if (s->carry != 1) {
        wmask hard = w_eq(lane_load(&row->cfm, lane), w_zero());
        share = w_select(hard, w_mul(share, w_splat(s->carry)), share);
    }
    wreal lambda = w_mul(lane_load(&row->lambda, lane), share);
    lane_store(&row->lambda, lane, lambda);
    return lambda;
}

/* Which joints are where they should be, to within 0.002 of a near gap (1 um), by the speed with
 * which their rows without bounds are corrected. What they forgot, all that rubs on their bodies
 * would have to find anew in each sub-step, and the little that sweeps leave of that is slip: a
 * plate pressed between two on sliders sank by millimetres a minute. The mode that swings when
 * nothing is forgotten ends where joints are no longer exact. */
LODE__INLINE wmask rows_exact(const lode__row_block *b, const lode__softness *s, wlane lane,
                              int rows)
{
    wreal inv_h = w_splat(s->inv_h * s->near * (lode_real)0.002);
    wmask exact = w_eq(w_zero(), w_zero());
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &b->rows[i];
        wreal most = w_mul(w_max(lane_load(&row->erp, lane), w_zero()), inv_h);
        if (i < b->unbounded)
            exact = m_and(exact, w_le(w_abs(lane_load(&row->c, lane)), most));
    }
    return exact;
}

LODE__INLINE void rows_warm_start(lode__row_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int rows,
                                  shared_block *shared)
{
    wmask exact = rows_exact(b, s, lane, rows), never = m_not(w_eq(w_zero(), w_zero()));
    wreal most = lane_load(&b->most_erp, lane);
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows)) {
        wvec3 p = {row_start(&b->rows[0], s, lane, most, exact),
                   row_start(&b->rows[1], s, lane, most, exact),
                   row_start(&b->rows[2], s, lane, most, exact)};
        point_apply(b, lane, &m, p, &v);
    }
    EACH_ROW(b, rows,
             row_apply(&b->rows[i], way, lane, &m,
                       row_start(&b->rows[i], s, lane, most, i < b->unbounded ? exact : never),
                       &v));
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}

/* The second half of a sub-step of second order asks for about what the first did, as far as the
 * row's bounds let it. Springs, which are solved once, keep what they have. */
LODE__INLINE wreal row_again(lode__row *row, wlane lane)
{
    wreal old = lane_load(&row->lambda, lane);
    wmask hard = w_eq(lane_load(&row->cfm, lane), w_zero());
    wreal twice = w_clamp(w_add(old, w_masked(hard, old)), lane_load(&row->lo, lane),
                          lane_load(&row->hi, lane));
    lane_store(&row->lambda, lane, twice);
    return w_sub(twice, old);
}

LODE__INLINE void rows_again(lode__row_block *b, const lode__dense *lines, const lode__softness *s,
                             wlane lane, int rows, shared_block *shared)
{
    (void)s;
    row_motion old_v = row_motion_load(b, &lines->velocity->linear.x, lane), v = old_v;
    row_masses m = row_masses_load(b, lines, lane, shared);
    if (HAS_POINT(b, rows)) {
        wvec3 p = {row_again(&b->rows[0], lane), row_again(&b->rows[1], lane),
                   row_again(&b->rows[2], lane)};
        point_apply(b, lane, &m, p, &v);
    }
    EACH_ROW(b, rows, row_apply(&b->rows[i], way, lane, &m, row_again(&b->rows[i], lane), &v));
    row_motion_store(b, &lines->velocity->linear.x, lane, &old_v, &v, shared);
}
