/* integrate.inl: a step of an articulation that nothing but forces and efforts acts on, right to
 * the second order, that keeps energy and momentum. Text for one or for eight in lanes, as
 * census.inl, after which it is included.
 *
 * Heun's method: with q'' = a(q, u),
 *     q_1 = q_0 + h (u_0 + h a_0 / 2),   u_1 = u_0 + h (a_0 + a(q_1, u_0 + h a_0)) / 2.
 * Alone it makes or loses energy, a long chain's within a second. So speeds are put where momentum
 * and energy must be (census.inl), which changes them by no more than the error that the step made,
 * and so leaves its order. The centre of mass of a floating base goes where its velocity, the mean
 * of both ends, takes it. */

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

static inline void set_out(const MULTIBODY *t, KEPT *kept, wreal h, int lane)
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
    PUT(kept->energy, energy);
    PUT(kept->most, w_splat((lode_real)MOST_STRIDE_PERCENT / 100));
    PUT3(kept->turn, wv_add_scaled(c.momentum, c.moment, half));
    speed_root(t, lane);
    if (t->plan->root_dofs == 0)
        return;
    wvec3 way = wv_sub(wv_scale(c.velocity, half), wv_scale(GET3(t->links[0].v), h));
    PUT3(kept->way, wv_add_scaled(c.velocity, wv_div(c.force, c.mass), h));
    PUT3(kept->place, wv_add(c.center, way));
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

/* ---- all of it */

/* So that the centre of mass goes where its velocity, the mean of both ends, takes it. */
static inline void put_root_right(const MULTIBODY *t, const KEPT *kept, wreal h, int lane)
{
    LINK *l = &t->links[0];
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    census c = {.mass = w_zero()};
    find_center(t, &c, lane);
    wvec3 to = wv_add_scaled(GET3(kept->place), GET3(kept->way), half);
    PUT3(l->slide, wv_add(GET3(l->slide), wv_sub(to, c.center)));
}

static void mb_step(const void *tree, lode_real h, lode_real gyroscopic)
{
    const MULTIBODY *t = tree;
    KEPT room, *kept = &room;
    memset(kept, 0, sizeof *kept);
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
    bool turned = false;
    EACH_LANE
    {
        wmask all = w_eq(w_zero(), w_zero());
        turned = m_any(put_right(t, kept, by, false, all, gyroscopic == 1, lane)) || turned;
        if (t->plan->root_dofs > 0)
            put_root_right(t, kept, by, lane);
    }
    if (turned)
        mb_place(t);
    mb_speed(t);
    if (turned)
        mb_factor(t);
}
