/* integrate.inl: a step of an articulation that nothing but forces and efforts acts on, right to
 * the second order, that keeps energy and momentum. Text for one or for eight in lanes, as
 * multibody.inl, after which it is included.
 *
 * Heun's method: with q'' = a(q, u),
 *     q_1 = q_0 + h (u_0 + h a_0 / 2),   u_1 = u_0 + h (a_0 + a(q_1, u_0 + h a_0)) / 2.
 * Alone it makes or loses energy, a long chain's within a second. So speeds are put where momentum
 * and energy must be (projection: Hairer, Lubich and Wanner, Geometric Numerical Integration, 2006,
 * IV.4), which changes them by no more than the error that the step made, and so leaves its order.
 * Of a floating base with forces f, mass m and centre of mass c
 *     v_c grows by h sum f / m,   L by h times the moment of forces about c, the mean of both ends;
 *     c goes where v_c, the mean of both ends, takes it;
 * these are its motion as if it were one body. What is left, motions of joints, has energy of its
 * own, as the inertias of both do not mix; it is scaled so that all of it has grown by what forces,
 * torques and efforts have done. Energy is reckoned against c, so that none is lost in that of a
 * fall, and what rounding, and the turning of the whole, which no joint should pay for, may have
 * done is left. */

enum {
    LEAST_STRIDE_PERCENT = 80,
    /* numbers kept over a step, of what is to be in the end: */
    KEPT_ENERGY = 0, /* less what forces and torques do with the pose and speeds there */
    KEPT_TURN = 1,   /* angular momentum, less what they do there */
    KEPT_WAY = 4,    /* velocity of the centre of mass */
    KEPT_PLACE = 7,  /* that centre from the root's, less what its velocity does there */
    KEPT = 10
};

/* All links as one, about their centre of mass; of a fixed base about the root's centre. */
typedef struct census {
    wvec3 center, velocity;
    wvec3 force, moment; /* about the centre */
    wvec3 momentum;      /* angular */
    wsym3 inertia;
    wreal mass;
    wreal energy; /* kinetic, against the centre */
    wreal height; /* sum of f . (r - c) */
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

/* ---- two turns
 *
 * Their axes move as they turn, so that an acceleration of the beginning is taken to the end as a
 * vector, with what it is about the third axis, less what those of the end cannot have: with
 * q_m = 0 all that a joint can have is across n = (q_b, -q_a, -q_w) along a, b and m. */

static inline bool is_first_of_two(const lode__mb_plan *plan, uint32_t k)
{
    uint32_t i = plan->link_of_dof[k];
    return k >= plan->root_dofs && plan->angles[i] == 2 && k == plan->first_dof[i];
}

/* Kept in `left` until the end's accelerations are found. */
static inline void keep_third(const MULTIBODY *t, uint32_t k, int lane)
{
    DOF *d = &t->dofs[k];
    third_turn by = third_turn_of(t, t->plan->link_of_dof[k], lane);
    wreal about = w_mul(by.first, GET(d[0].change));
    PUT(d->left, w_add(about, w_mul(by.second, GET(d[1].change))));
}

static inline void hurry_two_turns(const MULTIBODY *t, uint32_t k, wreal h, int lane)
{
    DOF *d = &t->dofs[k];
    wquat q = GET4(t->links[t->plan->link_of_dof[k]].turn);
    wreal n_a = part(wq_vector(q), t->plan->axis[k + 1]);
    wreal n_b = w_neg(part(wq_vector(q), t->plan->axis[k]));
    wreal a = GET(d[0].change_0), b = GET(d[1].change_0), half = w_mul(h, w_splat((lode_real)0.5));
    wreal lost = w_add(w_mul(n_a, a), w_mul(n_b, b));
    lost = w_sub(lost, w_mul(wq_scalar(q), GET(d->left)));
    a = w_sub(a, w_mul(n_a, lost)), b = w_sub(b, w_mul(n_b, lost));
    PUT(d[0].speed, w_add(GET(d[0].speed), w_mul(half, a)));
    PUT(d[1].speed, w_add(GET(d[1].speed), w_mul(half, b)));
}

/* ---- the first half: what must be in the end, and the speeds to move by */

static inline void set_out(const MULTIBODY *t, NUMBER *kept, wreal h, int lane)
{
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    census c = take_census(t, lane);
    wreal energy = w_add(w_sub(c.energy, c.height), w_mul(half, c.twist));
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        wreal u = GET(d->speed), a = GET(d->change), middle = w_add(u, w_mul(half, a));
        PUT(d->speed_0, u);
        PUT(d->change_0, a);
        PUT(d->speed, middle);
        if (is_first_of_two(t->plan, k))
            keep_third(t, k, lane);
        if (k >= t->plan->root_dofs)
            energy = w_add(energy, w_mul(GET(d->effort), w_mul(h, middle)));
    }
    PUT(kept + KEPT_ENERGY, energy);
    PUT3(kept + KEPT_TURN, wv_add_scaled(c.momentum, c.moment, half));
    speed_root(t, lane);
    if (t->plan->root_dofs == 0)
        return;
    wvec3 way = wv_sub(wv_scale(c.velocity, half), wv_scale(GET3(t->links[0].v), h));
    PUT3(kept + KEPT_WAY, wv_add_scaled(c.velocity, wv_div(c.force, c.mass), h));
    PUT3(kept + KEPT_PLACE, wv_add(c.center, way));
}

/* ---- the second: speeds of both ends' accelerations */

static inline void hurry_from_both(const MULTIBODY *t, wreal h, int lane)
{
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        wreal a = w_add(GET(d->change_0), GET(d->change));
        PUT(d->speed, w_add(GET(d->speed_0), w_mul(half, a)));
    }
}

static inline void hurry_from_first(const MULTIBODY *t, wreal h, int lane)
{
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        if (is_first_of_two(t->plan, k))
            hurry_two_turns(t, k++, h, lane);
        else
            PUT(d->speed, w_add(GET(d->speed_0), w_mul(h, GET(d->change_0))));
    }
}

/* ---- and those put right */

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

/* By how much to scale speeds whose energy is `own` and should be more by `lack`, but for `doubt`.
 * */
static inline wreal stride_for(wreal own, wreal lack, wreal doubt)
{
    wreal least = w_splat((lode_real)LEAST_STRIDE_PERCENT / 100);
    wreal sure = w_max(w_sub(w_abs(lack), doubt), w_zero());
    wmask some = w_gt(own, w_zero());
    wreal ratio = w_div(w_add(own, w_flip(sure, lack)), w_select(some, own, w_splat(1)));
    wreal stride = w_sqrt(w_max(ratio, w_zero()));
    stride = w_clamp(stride, least, w_div(w_splat(1), least));
    return w_select(some, stride, w_splat(1));
}

/* So that the centre of mass goes where its velocity, the mean of both ends, takes it. */
static inline void put_root_right(const MULTIBODY *t, const NUMBER *kept, const census *c,
                                  wreal half, int lane)
{
    LINK *l = &t->links[0];
    wvec3 to = wv_add_scaled(GET3(kept + KEPT_PLACE), GET3(kept + KEPT_WAY), half);
    PUT3(l->slide, wv_add(GET3(l->slide), wv_sub(to, c->center)));
}

static inline void put_right(const MULTIBODY *t, const NUMBER *kept, wreal h, bool turns, int lane)
{
    bool floats = t->plan->root_dofs > 0;
    wreal half = w_mul(h, w_splat((lode_real)0.5)), rounding = w_splat(4 * REAL_EPSILON);
    census c = take_census(t, lane);
    wreal pushed = w_add(c.height, w_mul(half, c.twist));
    wreal whole = w_zero(), own = c.energy, doubt = w_zero();
    wvec3 turn = wv_zero(), wanted = wv_zero();
    if (floats) {
        wvec3 momentum = wv_add_scaled(GET3(kept + KEPT_TURN), c.moment, half);
        turn = ws_solve(c.inertia, c.momentum);
        wanted = turns ? ws_solve(c.inertia, momentum) : turn;
        whole = w_mul(w_splat((lode_real)0.5), wv_dot(wanted, ws_mul(c.inertia, wanted)));
        own = inner_energy(t, &c, turn, lane);
        wreal angle = w_mul(h, wv_length(wanted));
        doubt = w_mul(whole, w_mul(angle, w_mul(angle, angle)));
    }
    wreal size = w_add(w_add(w_abs(GET(kept + KEPT_ENERGY)), w_abs(pushed)), w_add(whole, own));
    wreal lack = w_sub(w_sub(w_add(GET(kept + KEPT_ENERGY), pushed), whole), own);
    wreal stride = stride_for(own, lack, w_add(doubt, w_mul(rounding, size)));
    for (uint32_t k = t->plan->root_dofs; k < t->plan->dof_count; ++k)
        PUT(t->dofs[k].speed, w_mul(GET(t->dofs[k].speed), stride));
    if (!floats)
        return;
    put_root_right(t, kept, &c, half, lane);
    wvec3 out = wv_neg(c.center), v = GET3(t->links[0].v), w = GET3(t->links[0].w);
    v = wv_sub(v, wv_add(c.velocity, wv_cross(turn, out)));
    v = wv_add(wv_add(GET3(kept + KEPT_WAY), wv_cross(wanted, out)), wv_scale(v, stride));
    w = wv_add(wanted, wv_scale(wv_sub(w, turn), stride));
    DOF *d = t->dofs;
    PUT(d[0].speed, v.x), PUT(d[1].speed, v.y), PUT(d[2].speed, v.z);
    PUT(d[3].speed, w.x), PUT(d[4].speed, w.y), PUT(d[5].speed, w.z);
}

/* ---- all of it */

static void mb_step(const void *tree, lode_real h, lode_real gyroscopic)
{
    const MULTIBODY *t = tree;
    NUMBER kept[KEPT];
    memset(kept, 0, sizeof kept);
    wreal by = w_splat(h);
    mb_accelerate(t, gyroscopic);
    EACH_LANE
    {
        set_out(t, kept, by, lane);
    }
    mb_move(t, h);
    EACH_LANE
    {
        hurry_from_first(t, by, lane);
    }
    mb_place(t);
    mb_speed(t);
    mb_factor(t);
    mb_accelerate(t, gyroscopic);
    EACH_LANE
    {
        hurry_from_both(t, by, lane);
    }
    mb_speed(t);
    EACH_LANE
    {
        put_right(t, kept, by, gyroscopic == 1, lane);
    }
    mb_speed(t);
}
