/* contact_solve.inl: what is done to contact blocks in each sub-step. solver/blocks.h derives the
 * equations.
 *
 * Every function takes the number of points, whether b moves, and whether lanes share bodies (then
 * `shared` is not null) as compile-time constants; contact_kinds.inl instantiates them. */

/* The normal rows of one visit. They couple only among themselves, so they are solved in row space:
 * an impulse changes the velocities of the other rows through J W J^T, and the sum acts on the
 * twist once. */
typedef struct normal_sweep {
    wreal velocity[LODE__MANIFOLD_POINTS];
    wreal d, m1, m2; /* impulses so far: their sum, and their moments d y, d x */
} normal_sweep;

LODE__INLINE normal_sweep normal_sweep_begin(const lode__contact_block *b, wlane lane, int points,
                                             const twist *v)
{
    normal_sweep sweep;
    for (int i = 0; i < points; ++i)
        sweep.velocity[i] = normal_velocity(v, place_of(&b->rows[i], lane, points));
    sweep.d = sweep.m1 = sweep.m2 = w_zero();
    return sweep;
}

/* A row has got impulse d more. */
LODE__INLINE void normal_sweep_add(normal_sweep *sweep, const lode__contact_row *row, wlane lane,
                                   int points, wreal d)
{
    place at = place_of(row, lane, points);
    sweep->d = w_add(sweep->d, d);
    if (!at.central) {
        sweep->m1 = w_add(sweep->m1, w_mul(d, at.y));
        sweep->m2 = w_add(sweep->m2, w_mul(d, at.x));
    }
}

/* A row has got the impulse `now` in place of `old`; returns the difference. */
LODE__INLINE wreal normal_sweep_set(normal_sweep *sweep, lode__contact_row *row, wlane lane,
                                    int points, wreal old, wreal now)
{
    wreal d = w_sub(now, old);
    lane_store(&row->lambda, lane, now);
    normal_sweep_add(sweep, row, lane, points, d);
    return d;
}

/* What impulse d at row i does to the velocities of the rows after it. */
LODE__INLINE void normal_sweep_couple(normal_sweep *sweep, const lode__contact_block *b, wlane lane,
                                      int i, int points, wreal d)
{
    for (int j = i + 1; j < points; ++j)
        sweep->velocity[j] = w_add(sweep->velocity[j],
                                   w_mul(lane_load(&b->rows[i].coupling[j - i - 1], lane), d));
}

/* The sweep as a wrench (d, 0, 0; 0, m1, -m2), and what it does to the three components of the
 * twist that friction sees. */
LODE__INLINE void normal_sweep_end(const normal_sweep *sweep, const lode__contact_block *b,
                                   wlane lane, int points, twist *v, twist *wrench)
{
    wreal d = sweep->d, m1 = sweep->m1, m2 = sweep->m2;
    wrench->un = w_add(wrench->un, d);
    if (points == 1) {
        v->u1 = w_add(v->u1, w_mul(lane_load(&b->dn1, lane), d));
        v->u2 = w_add(v->u2, w_mul(lane_load(&b->dn2, lane), d));
        return;
    }
    wrench->w1 = w_add(wrench->w1, m1);
    wrench->w2 = w_sub(wrench->w2, m2);
#define RESPOND(out, by_p, by_1, by_2) \
    v->out = w_sub(w_add(w_add(v->out, w_mul(lane_load(&b->by_p, lane), d)), \
                         w_mul(lane_load(&b->by_1, lane), m1)), \
                   w_mul(lane_load(&b->by_2, lane), m2))
    RESPOND(u1, dn1, c11, c12);
    RESPOND(u2, dn2, c21, c22);
    RESPOND(wn, cnn, in1, in2);
#undef RESPOND
}

/* Entries of the symmetric matrices of the normal rows: J W J^T, and its damped inverse. */
LODE__INLINE wreal coupling_load(const lode__contact_block *b, int i, int j, wlane lane)
{
    int low = i < j ? i : j, high = i < j ? j : i;
    const lode__contact_row *row = &b->rows[low];
    return lane_load(low == high ? &row->k : &row->coupling[high - low - 1], lane);
}

LODE__INLINE wreal inverse_load(const lode__contact_block *b, int i, int j, wlane lane)
{
    int low = i < j ? i : j, high = i < j ? j : i;
    return lane_load(&b->rows[low].inverse[high - low], lane);
}

LODE__INLINE wreal normal_error(const lode__contact_row *row, wlane lane, wreal velocity, wreal old)
{
    wreal yields = w_mul(lane_load(&row->soft, lane), old);
    return w_sub(w_sub(lane_load(&row->c, lane), yields), velocity);
}

/* What each row is short of, for all of them at once. Rows that open, short of less than nothing,
 * count as rows that hold, which calms what rocks. But any gap beside a point that is pushed out of
 * the other body is free to stay, and of three or four points a wide one is: they give back no more
 * than their own impulse. Without that they took back in each visit what other points bear: a
 * corner 4 cm deep beside gaps of 3 and 6 mm, which c lets close within a sub-step, stayed there
 * for ever, and so did boxes that had fallen onto two opposite corners, rocking on them. */
LODE__INLINE void normal_errors(const lode__contact_block *b, wlane lane, int points,
                                const normal_sweep *sweep, wreal loose, wreal *out_error)
{
    wreal zero = w_zero(), most = lane_load(&b->rows[0].c, lane);
    for (int i = 1; i < points; ++i)
        most = w_max(lane_load(&b->rows[i].c, lane), most);
    wreal wide = points > 2 ? w_neg(loose) : w_splat(-LODE__UNBOUNDED);
    wreal bound = w_select(w_gt(most, zero), zero, wide);
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &b->rows[i];
        wreal old = lane_load(&row->lambda, lane);
        wreal error = normal_error(row, lane, sweep->velocity[i], old);
        wmask gap = w_lt(lane_load(&row->c, lane), bound);
        wreal least = w_neg(w_mul(lane_load(&row->k, lane), old));
        out_error[i] = w_select(gap, w_max(error, least), error);
    }
}

/* All rows at once, by the damped inverse. A sweep visits rows one after another and always leaves
 * its last word to the same corner: a moment that no box asked for, small, but it makes a tower of
 * ten sway by a third of a metre. This step treats all corners alike and leaves the sweep little
 * to do. */
LODE__INLINE void solve_normals_together(lode__contact_block *b, wlane lane, int points,
                                         wreal gamma, wreal loose, normal_sweep *sweep)
{
    wreal error[LODE__MANIFOLD_POINTS], d[LODE__MANIFOLD_POINTS];
    normal_errors(b, lane, points, sweep, loose, error);
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        wreal all = w_mul(inverse_load(b, i, 0, lane), error[0]);
        for (int j = 1; j < points; ++j)
            all = w_add(all, w_mul(inverse_load(b, i, j, lane), error[j]));
        wreal k = w_add(lane_load(&row->k, lane), gamma);
        wreal scale = w_mul(lane_load(&row->mass, lane), k);
        wreal old = lane_load(&row->lambda, lane);
        wreal now = w_max(w_add(old, w_mul(scale, all)), w_zero());
        d[i] = normal_sweep_set(sweep, row, lane, points, old, now);
    }
    for (int i = 0; i < points; ++i)
        for (int j = 0; j < points; ++j)
            sweep->velocity[i] = w_add(sweep->velocity[i],
                                       w_mul(coupling_load(b, i, j, lane), d[j]));
}

LODE__INLINE void solve_normals(lode__contact_block *b, wlane lane, int points, bool pair,
                                wreal gamma, const lode__softness *s, twist *v, twist *wrench)
{
    normal_sweep sweep = normal_sweep_begin(b, lane, points, v);
    if (points > 1 && !s->apart)
        solve_normals_together(b, lane, points, gamma,
                               w_splat(pair ? s->loose : s->loose_still), &sweep);
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        wreal old = lane_load(&row->lambda, lane);
        wreal drive = w_mul(lane_load(&row->mass, lane),
                            normal_error(row, lane, sweep.velocity[i], old));
        wreal now = w_max(w_add(old, drive), w_zero());
        wreal d = normal_sweep_set(&sweep, row, lane, points, old, now);
        normal_sweep_couple(&sweep, b, lane, i, points, d);
    }
    normal_sweep_end(&sweep, b, lane, points, v, wrench);
}

LODE__INLINE void contact_visit(lode__contact_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane, int points, bool pair,
                                shared_block *shared, bool cone, bool per_manifold)
{
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist v = twist_of(&f, la, lb, pair);
    wreal zero = w_zero();
    twist wrench = {zero, zero, zero, zero, zero, zero};
    /* normals first: friction is then limited by what this visit found */
    solve_normals(b, lane, points, pair, w_splat(s->gamma), s, &v, &wrench);
    solve_friction(b, lane, points, cone, per_manifold, &v, &wrench);
    frame_apply(&f, lines, b->a, b->b, la, lb, wrench, lane, points > 1, pair, shared);
}

/* One kernel for each friction model: with all in one, the compiler keeps less in registers. */
#define CONTACT_VISIT(name, cone, per_manifold) \
    LODE__INLINE void contact_##name(lode__contact_block *b, const lode__dense *lines, \
                                     const lode__softness *s, wlane lane, int points, bool pair, \
                                     shared_block *shared) \
    { \
        contact_visit(b, lines, s, lane, points, pair, shared, cone, per_manifold); \
    }

CONTACT_VISIT(solve, false, false)
CONTACT_VISIT(solve_cone, true, false)
CONTACT_VISIT(solve_whole, false, true)
CONTACT_VISIT(solve_whole_cone, true, true)

/* All impulses of the block's rows at the centroid. */
LODE__INLINE twist contact_wrench(const lode__contact_block *b, const lode__softness *s, wlane lane,
                                  int points)
{
    wreal zero = w_zero();
    twist p = {zero, zero, zero, zero, zero, zero};
    bool whole = s->friction_per_manifold && points > 1;
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &b->rows[i];
        place at = place_of(row, lane, points);
        wreal d = lane_load(&row->lambda, lane);
        p.un = w_add(p.un, d);
        if (!at.central) {
            p.w1 = w_add(p.w1, w_mul(d, at.y));
            p.w2 = w_sub(p.w2, w_mul(d, at.x));
        }
        if (!whole)
            add_point_friction(row, lane, at, &p);
    }
    if (whole) {
        p.u1 = lane_load(&b->lambda1, lane);
        p.u2 = lane_load(&b->lambda2, lane);
        p.wn = lane_load(&b->twist, lane);
    }
    return p;
}

LODE__INLINE void contact_push(lode__contact_block *b, const lode__dense *lines, twist wrench,
                               wlane lane, bool moment, bool pair, shared_block *shared)
{
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    frame_apply(&f, lines, b->a, b->b, la, lb, wrench, lane, moment, pair, shared);
}

/* Takes a share of all impulses. */
LODE__INLINE void contact_carry(lode__contact_block *b, const lode__softness *s, wreal share,
                                wlane lane, int points)
{
    for (int i = 0; i < points; ++i) {
        lode__lane *const lanes[3] = {&b->rows[i].lambda, &b->rows[i].lambda1, &b->rows[i].lambda2};
        for (int k = 0; k < 3; ++k)
            lane_store(lanes[k], lane, w_mul(lane_load(lanes[k], lane), share));
    }
    lode__lane *const lanes[3] = {&b->lambda1, &b->lambda2, &b->twist};
    for (int k = 0; k < 3 && s->friction_per_manifold && points > 1; ++k)
        lane_store(lanes[k], lane, w_mul(lane_load(lanes[k], lane), share));
}

LODE__INLINE void contact_warm_start(lode__contact_block *b, const lode__dense *lines,
                                     const lode__softness *s, wlane lane, int points, bool pair,
                                     shared_block *shared)
{
    if (s->carry != 1 && s->gamma == 0)
        contact_carry(b, s, w_splat(s->carry), lane, points);
    contact_push(b, lines, contact_wrench(b, s, lane, points), lane, points > 1, pair, shared);
}

/* The second half of a sub-step of second order asks for about what the first did: nine tenths of
 * it, so that impulses of contacts that push against each other, which no sweep takes back, come to
 * an end. Springs, which are solved once, keep what they have. */
#define CONTACT_AGAIN ((lode_real)0.9)

LODE__INLINE void contact_again(lode__contact_block *b, const lode__dense *lines,
                                const lode__softness *s, wlane lane, int points, bool pair,
                                shared_block *shared)
{
    if (s->gamma > 0)
        return;
    twist more = twist_scale(contact_wrench(b, s, lane, points), w_splat(CONTACT_AGAIN));
    contact_push(b, lines, more, lane, points > 1, pair, shared);
    contact_carry(b, s, w_splat(1 + CONTACT_AGAIN), lane, points);
}

/* 0 where one of the two is thrown, else 1. */
LODE__INLINE wreal contact_held(const lode__contact_block *b, const lode__dense *lines, wlane lane)
{
    return w_sub(w_splat(1), w_max(thrown_lanes(lines, b->a, lane),
                                   thrown_lanes(lines, b->b, lane)));
}

/* Takes all impulses back of contacts of thrown bodies. */
LODE__INLINE void contact_let_go(lode__contact_block *b, const lode__dense *lines,
                                 const lode__softness *s, wlane lane, int points, bool pair,
                                 shared_block *shared)
{
    wreal held = contact_held(b, lines, lane);
    twist back = twist_scale(contact_wrench(b, s, lane, points), w_sub(held, w_splat(1)));
    contact_push(b, lines, back, lane, points > 1, pair, shared);
    contact_carry(b, s, held, lane, points);
}

/* How a normal row is made from its depth; `motion`, which few have, is added to its speed. */
typedef struct normal_way {
    wreal rate, gamma, mass_scale, impulse_scale;
    const wreal *motion;
} normal_way;

/* A row from how deep its point is now. A gap (negative depth) may close but not cross; a near one
 * is let be. The solver's spring begins below the surface layer: within it, where it does not push,
 * a damper alone would let what is loaded sink, corner by corner. The speed with which a spring of
 * the surface pushes is limited beyond what its load takes up, or it would bear no more than so
 * much. Returns whether the point touches. */
LODE__INLINE wmask normal_refresh(lode__contact_row *row, const lode__softness *s, wlane lane,
                                  wreal closing, normal_way way)
{
    wreal zero = w_zero(), one = w_splat(1);
    wreal depth = w_sub(lane_load(&row->depth, lane), closing);
    wmask touches = w_ge(depth, w_splat(-s->near));
    wreal push = w_mul(way.rate, w_max(w_sub(depth, w_splat(s->slop)), zero));
    wreal yields = w_mul(way.gamma, lane_load(&row->lambda, lane));
    push = w_min(push, w_add(w_splat(s->max_speed), yields));
    if (way.motion)
        push = w_add(push, *way.motion);
    wreal c = w_select(touches, push, w_mul(depth, w_splat(s->inv_h)));
    wreal k = w_add(lane_load(&row->k, lane), way.gamma);
    wmask real = w_gt(k, zero);
    wreal inverse = w_div(w_splat(s->relaxation), w_select(real, k, one));
    inverse = w_masked(real, inverse);
    wmask scaled = s->relax ? touches : w_gt(depth, w_splat(s->slop));
    wreal mass_scale = w_select(scaled, way.mass_scale, one);
    wreal soft = w_masked(scaled, way.impulse_scale);
    wreal mass = w_mul(inverse, mass_scale);
    wreal per_mass = w_add(w_mul(way.gamma, inverse), soft);
    real = w_gt(mass, zero);
    lane_store(&row->c, lane, c);
    lane_store(&row->mass, lane, mass);
    lane_store(&row->soft, lane, w_masked(real, w_div(per_mass, w_select(real, mass, one))));
    return touches;
}

/* How the bodies have moved against each other since the step began. */
LODE__INLINE twist contact_moved(const lode__contact_block *b, const lode__dense *lines,
                                 const lode__softness *s, wlane lane, bool pair)
{
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->delta->linear.x, b->a, lane);
    wline lb = pair ? load_deltas(lines, b->b, lane, s) : la;
    return twist_of(&f, la, lb, pair);
}

LODE__INLINE void contact_refresh(lode__contact_block *b, const lode__dense *lines,
                                  const lode__softness *s, wlane lane, int points, bool pair,
                                  shared_block *shared)
{
    (void)shared;
    twist d = contact_moved(b, lines, s, lane, pair);
    normal_way way = {w_splat(s->rate), w_splat(s->gamma), w_splat(s->mass_scale),
                      w_splat(s->impulse_scale), NULL};
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &b->rows[i];
        wreal closing = normal_velocity(&d, place_of(row, lane, points));
        normal_refresh(row, s, lane, closing, way);
    }
}
