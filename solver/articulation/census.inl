/* census.inl: all links of an articulation as one: energy and momentum, and speeds put where these
 * must be (projection: Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006, IV.4).
 * Text for one or for eight in lanes, as multibody.inl, after which it is included.
 *
 * Of a floating base with forces f, mass m and centre of mass c
 *     v_c grows by h sum f / m,   L by h times the moment of forces about c, the mean of both ends;
 * this is its motion as if it were one body. What is left, motions of joints, has energy of its
 * own, as the inertias of both do not mix; it is scaled so that all of it has grown by what forces,
 * torques and efforts have done. Energy is reckoned against c, so that none is lost in that of a
 * fall. No joint should pay for what the turning of the whole may have done to it, to the third
 * order of its angle: that is taken back where it was done, by a turn of all of it, as small, where
 * that angle is not; else it is left, as what rounding may have done is. */

enum { MOST_STRIDE_PERCENT = 125, STRIDE_ROUNDS = 4 };

/* All links as one, about their centre of mass; of a fixed base about the root's centre. */
typedef struct census {
    wvec3 center, velocity;
    wvec3 force, moment; /* about the centre */
    wvec3 momentum;      /* angular */
    wsym3 inertia;
    wreal mass;
    wreal energy; /* kinetic, against the centre */
    wreal height; /* sum of f . (r - c) */
    wreal power;  /* sum of f . (v - v_c) */
    wreal twist;  /* sum of n . w */
} census;

/* What acts on a link; on the root its efforts do too. */
static inline wvec3 outer_force(const MULTIBODY *t, uint32_t i, int lane)
{
    wvec3 f = GET3(t->links[i].force);
    if (i > 0 || t->plan->root_dofs == 0)
        return f;
    const DOF *d = t->dofs;
    return wv_add(f, (wvec3){GET(d[0].effort), GET(d[1].effort), GET(d[2].effort)});
}

static inline wvec3 outer_torque(const MULTIBODY *t, uint32_t i, int lane)
{
    wvec3 n = GET3(t->links[i].torque);
    if (i > 0 || t->plan->root_dofs == 0)
        return n;
    const DOF *d = t->dofs;
    return wv_add(n, (wvec3){GET(d[3].effort), GET(d[4].effort), GET(d[5].effort)});
}

static inline void find_center(const MULTIBODY *t, census *c, int lane)
{
    wvec3 first = wv_zero(), momentum = wv_zero();
    for (uint32_t i = 0; i < t->plan->link_count; ++i) {
        const LINK *l = &t->links[i];
        wreal m = GET(l->mass);
        c->mass = w_add(c->mass, m);
        first = wv_add_scaled(first, GET3(l->center), m);
        momentum = wv_add_scaled(momentum, GET3(l->v), m);
    }
    c->center = wv_div(first, c->mass);
    c->velocity = wv_div(momentum, c->mass);
}

/* Half of m v v + w I w, and of armature. */
static inline wreal energy_of(const LINK *l, wvec3 v, wvec3 w, int lane)
{
    wreal twice = w_mul(GET(l->mass), wv_dot(v, v));
    twice = w_add(twice, wv_dot(w, ws_mul(GET6(l->moment), w)));
    return w_mul(w_splat((lode_real)0.5), twice);
}

static inline wreal energy_of_armature(const MULTIBODY *t, int lane)
{
    wreal twice = w_zero();
    for (uint32_t k = t->plan->root_dofs; k < t->plan->dof_count; ++k) {
        wreal u = GET(t->dofs[k].speed);
        twice = w_add(twice, w_mul(GET(t->dofs[k].more), w_mul(u, u)));
    }
    return w_mul(w_splat((lode_real)0.5), twice);
}

static inline wsym3 spread(wreal m, wvec3 d)
{
    wreal xx = w_mul(d.x, d.x), yy = w_mul(d.y, d.y), zz = w_mul(d.z, d.z), less = w_neg(m);
    return (wsym3){w_mul(m, w_add(yy, zz)),      w_mul(m, w_add(xx, zz)),
                   w_mul(m, w_add(xx, yy)),      w_mul(less, w_mul(d.x, d.y)),
                   w_mul(less, w_mul(d.x, d.z)), w_mul(less, w_mul(d.y, d.z))};
}

static inline census take_census(const MULTIBODY *t, int lane)
{
    bool floats = t->plan->root_dofs > 0;
    census c;
    memset(&c, 0, sizeof c);
    if (floats)
        find_center(t, &c, lane);
    for (uint32_t i = floats ? 0 : 1; i < t->plan->link_count; ++i) {
        const LINK *l = &t->links[i];
        wvec3 f = outer_force(t, i, lane), n = outer_torque(t, i, lane), w = GET3(l->w);
        wvec3 d = wv_sub(GET3(l->center), c.center), v = wv_sub(GET3(l->v), c.velocity);
        c.energy = w_add(c.energy, energy_of(l, v, w, lane));
        c.height = w_add(c.height, wv_dot(f, d));
        c.power = w_add(c.power, wv_dot(f, v));
        c.twist = w_add(c.twist, wv_dot(n, w));
        if (!floats)
            continue;
        wreal m = GET(l->mass);
        c.force = wv_add(c.force, f);
        c.moment = wv_add(c.moment, wv_add(wv_cross(d, f), n));
        c.momentum = wv_add(c.momentum, wv_scale(wv_cross(d, v), m));
        c.momentum = wv_add(c.momentum, ws_mul(GET6(l->moment), w));
        c.inertia = ws_add(c.inertia, ws_add(GET6(l->moment), spread(m, d)));
    }
    c.energy = w_add(c.energy, energy_of_armature(t, lane));
    return c;
}

/* By how much energy of motion changes a second as joints go on at their speeds. Leaves in a and
 * alpha what links have for that. */
static inline wreal power_of_going_on(const MULTIBODY *t, const census *c, int lane)
{
    wreal power = w_zero();
    for (uint32_t i = 0; i < t->plan->link_count; ++i) {
        LINK *l = &t->links[i];
        wvec3 a = wv_zero(), alpha = wv_zero(), w = GET3(l->w);
        if (i > 0) {
            const LINK *parent = &t->links[t->plan->parent[i]];
            alpha = wv_add(GET3(parent->alpha), GET3(l->drift_w));
            a = wv_add(GET3(parent->a), wv_cross(GET3(parent->alpha), GET3(l->arm)));
            a = wv_add(a, GET3(l->drift_v));
        }
        PUT3(l->a, a);
        PUT3(l->alpha, alpha);
        wreal by = w_mul(GET(l->mass), wv_dot(a, wv_sub(GET3(l->v), c->velocity)));
        power = w_add(power, w_add(by, wv_dot(alpha, ws_mul(GET6(l->moment), w))));
    }
    return power;
}

/* Which share of its energy of motion all had less in the pose half a step before. */
static inline wreal earlier_share(const MULTIBODY *t, const census *c, wreal half, int lane)
{
    wreal some = w_select(w_gt(c->energy, w_zero()), c->energy, w_splat(1));
    return w_div(w_mul(half, power_of_going_on(t, c, lane)), some);
}

static const lode_real most_share = (lode_real)0x1p-6;

static inline wreal clamp_share(wreal share)
{
    return w_clamp(share, w_splat(-most_share), w_splat(most_share));
}

/* I^-1 x, by elimination. */
static inline wvec3 ws_solve(wsym3 s, wvec3 x)
{
    wreal a = w_div(s.xy, s.xx), b = w_div(s.xz, s.xx);
    wreal yy = w_sub(s.yy, w_mul(a, s.xy)), yz = w_sub(s.yz, w_mul(a, s.xz));
    wreal c = w_div(yz, yy), zz = w_sub(w_sub(s.zz, w_mul(b, s.xz)), w_mul(c, yz));
    wreal y = w_sub(x.y, w_mul(a, x.x)), z = w_sub(w_sub(x.z, w_mul(b, x.x)), w_mul(c, y));
    z = w_div(z, zz);
    y = w_sub(w_div(y, yy), w_mul(c, z));
    return (wvec3){w_sub(w_sub(w_div(x.x, s.xx), w_mul(a, y)), w_mul(b, z)), y, z};
}

/* ---- speeds put right */

/* Of joints, beside the motion of all as one. */
static inline wreal inner_energy(const MULTIBODY *t, const census *c, wvec3 turn, int lane)
{
    wreal sum = energy_of_armature(t, lane);
    for (uint32_t i = 0; i < t->plan->link_count; ++i) {
        const LINK *l = &t->links[i];
        wvec3 d = wv_sub(GET3(l->center), c->center), v = wv_sub(GET3(l->v), c->velocity);
        v = wv_sub(v, wv_cross(turn, d));
        sum = w_add(sum, energy_of(l, v, wv_sub(GET3(l->w), turn), lane));
    }
    return sum;
}

/* Of what is missing as much as is sure. */
static inline wreal sure_of(wreal lack, wreal doubt)
{
    return w_flip(w_max(w_sub(w_abs(lack), doubt), w_zero()), lack);
}

/* By how much to scale speeds whose energy is `own` and should be more by `lack`, but for `doubt`:
 * by `most` at most. */
static inline wreal stride_for(wreal own, wreal lack, wreal doubt, wreal most)
{
    wmask some = w_gt(own, w_zero());
    wreal ratio = w_div(w_add(own, sure_of(lack, doubt)), w_select(some, own, w_splat(1)));
    return w_select(some, w_min(w_sqrt(w_max(ratio, w_zero())), most), w_splat(1));
}

/* The motion of all as one. */
typedef struct whole_motion {
    wvec3 w, momentum; /* angular */
    wreal energy;
    wreal angle; /* by which it turns in the step; */
    wreal doubt; /* what a pose that is off by that to the third power does to the energy */
} whole_motion;

/* The angle from which on all is turned; the most that it is. */
static const lode_real turns_whole = (lode_real)0x1p-6;

static inline wreal pose_error(const whole_motion *whole)
{
    wreal cube = w_mul(whole->angle, w_mul(whole->angle, whole->angle));
    return w_min(cube, w_splat(turns_whole));
}

static inline whole_motion find_whole(wsym3 inertia, wvec3 w, wvec3 momentum, wreal h)
{
    whole_motion whole = {.w = w, .momentum = momentum};
    whole.energy = w_mul(w_splat((lode_real)0.5), wv_dot(w, ws_mul(inertia, w)));
    whole.angle = w_mul(h, wv_length(w));
    whole.doubt = w_mul(pose_error(&whole), wv_length(wv_cross(w, momentum)));
    return whole;
}

/* The turn that makes its energy, L I^-1 L / 2, more by `lack`: along w x L, by which it changes
 * most. */
static inline wvec3 turn_for(const whole_motion *whole, wreal lack)
{
    wvec3 way = wv_cross(whole->w, whole->momentum);
    wreal square = wv_dot(way, way), most = pose_error(whole);
    wmask some = w_gt(square, w_zero());
    wreal size = w_sqrt(w_select(some, square, w_splat(1)));
    wreal by = w_clamp(w_div(lack, size), w_neg(most), most);
    return wv_scale(way, w_select(some, w_div(by, size), w_zero()));
}

static inline void put_number(NUMBER *to, wreal x, wmask of, int lane)
{
    PUT(to, w_select(of, x, GET(to)));
}

static inline void put_vector(NUMBER *to, wvec3 v, wmask of, int lane)
{
    put_number(to, v.x, of, lane);
    put_number(to + 1, v.y, of, lane);
    put_number(to + 2, v.z, of, lane);
}

/* Turns all about its centre of mass so that its energy as a whole is more by `lack`, as far as a
 * pose may be off, of lanes `of`; `whole` becomes what it is then. Returns the turn. */
static inline wquat turn_whole(const MULTIBODY *t, const census *c, whole_motion *whole, wreal lack,
                               wmask of, int lane)
{
    LINK *l = &t->links[0];
    wquat turn = turn_by(turn_for(whole, lack)), from = GET4(l->turn);
    wquat to = wq_normalize(wq_mul(turn, from));
    wvec3 out = wv_neg(c->center), axis = wv_select(of, wq_vector(to), wq_vector(from));
    put_vector(l->slide, wv_add(GET3(l->slide), wv_sub(wq_rotate(turn, out), out)), of, lane);
    PUT4(l->turn, wq_make(w_select(of, wq_scalar(to), wq_scalar(from)), axis));
    wvec3 w = ws_solve(c->inertia, wq_rotate_inv(turn, whole->momentum));
    wreal energy = w_mul(w_splat((lode_real)0.5), wv_dot(w, ws_mul(c->inertia, w)));
    whole->w = wv_select(of, wq_rotate(turn, w), whole->w);
    whole->energy = w_select(of, energy, whole->energy);
    whole->doubt = w_select(of, w_zero(), whole->doubt);
    return turn;
}

/* What joints' energy is to be more by, where all of it is `early` by a share of its own. */
static inline wreal lack_of(wreal goal, wreal early, const whole_motion *whole, wreal own)
{
    wreal all = w_div(goal, w_sub(w_splat(1), clamp_share(early)));
    return w_sub(w_sub(all, whole->energy), own);
}

/* Of the root, with motions of joints scaled, as part of the whole; all is turned in lanes
 * `far`. */
static inline void put_root(const MULTIBODY *t, const KEPT *kept, const census *c, wvec3 turn,
                            const whole_motion *whole, wquat turned, wreal stride, wmask far,
                            wmask of, int lane)
{
    wvec3 out = wv_neg(c->center), v = GET3(t->links[0].v), w = GET3(t->links[0].w);
    v = wv_scale(wv_sub(v, wv_add(c->velocity, wv_cross(turn, out))), stride);
    w = wv_scale(wv_sub(w, turn), stride);
    if (m_any(far)) {
        out = wv_select(far, wq_rotate(turned, out), out);
        v = wv_select(far, wq_rotate(turned, v), v);
        w = wv_select(far, wq_rotate(turned, w), w);
    }
    v = wv_add(v, wv_add(GET3(kept->way), wv_cross(whole->w, out)));
    w = wv_add(w, whole->w);
    const wreal speed[LODE__MB_ROOT_DOFS] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (int k = 0; k < LODE__MB_ROOT_DOFS; ++k)
        put_number(t->dofs[k].speed, speed[k], of, lane);
}

/* Of lanes `of`; after a plain step, or one in which `turns` says whether gyroscopic torques act.
 * Returns of which lanes poses are others. */
static inline wmask put_right(const MULTIBODY *t, KEPT *kept, wreal h, bool plain, wmask of,
                              bool turns, int lane)
{
    const bool floats = t->plan->root_dofs > 0;
    wreal half = w_mul(h, w_splat((lode_real)0.5)), rounding = w_splat(4 * REAL_EPSILON);
    census c = take_census(t, lane);
    wreal pushed = w_add(c.height, w_mul(half, c.twist)), early = w_zero(), own = c.energy;
    if (plain) {
        pushed = w_sub(pushed, w_mul(half, c.power));
        early = earlier_share(t, &c, half, lane);
    }
    wreal goal = w_add(GET(kept->energy), pushed), stride = w_splat(1);
    whole_motion whole = {.energy = w_zero(), .doubt = w_zero()};
    wvec3 turn = wv_zero();
    wquat turned = wq_make(w_splat(1), turn);
    wmask far = w_gt(w_zero(), w_zero());
    if (floats) {
        wvec3 momentum = wv_add_scaled(GET3(kept->turn), c.moment, half);
        turn = ws_solve(c.inertia, c.momentum);
        whole = find_whole(c.inertia, turns ? ws_solve(c.inertia, momentum) : turn, momentum, h);
        own = inner_energy(t, &c, turn, lane);
        far = turns ? m_and(of, w_gt(whole.angle, w_splat(turns_whole))) : far;
        far = m_and(far, w_gt(GET(kept->most), w_splat(1)));
    }
    wreal size = w_add(w_add(w_abs(GET(kept->energy)), w_abs(pushed)), w_add(whole.energy, own));
    wreal doubt = w_mul(rounding, size);
    if (m_any(far)) {
        wreal lack = sure_of(lack_of(goal, early, &whole, own), doubt);
        turned = turn_whole(t, &c, &whole, lack, far, lane);
    }
    doubt = w_add(doubt, whole.doubt);
    for (int round = 0; round < (plain ? STRIDE_ROUNDS : 1); ++round)
        stride = stride_for(own, lack_of(goal, w_mul(stride, early), &whole, own), doubt,
                            GET(kept->most));
    PUT(kept->stride, stride);
    for (uint32_t k = t->plan->root_dofs; k < t->plan->dof_count; ++k)
        put_number(t->dofs[k].speed, w_mul(GET(t->dofs[k].speed), stride), of, lane);
    if (floats)
        put_root(t, kept, &c, turn, &whole, turned, stride, far, of, lane);
    return far;
}
