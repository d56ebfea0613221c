/* settle.inl: plain steps of what whips, put right after the move. Text for one or for eight in
 * lanes, as census.inl, after which it is included.
 *
 * A step that solves velocities and then moves by them makes or loses energy where links turn far
 * in it: what velocities do to each other in q'' should cancel, in the energy, what the move
 * changes inertias by, and does to the third order of w h only. Ten light links with a weight at
 * their end, of 6 kJ, came to 1e292 J. So what is to be in the end is kept while the step begins,
 * and speeds are put there when it has ended. Who has rows adds what their impulses do in between.
 *
 * Energy is that of the pose half a step before, of which the velocities are: then steps in which
 * links turn far, and others, keep the same to the second order. Where they turn so far that this
 * differs from that of the pose by more than a share (most_share), it is taken to differ by that
 * share. */

/* w h of a link from which on its articulation is put right. */
static const lode_real whips_in_step = (lode_real)0x1p-6;

static inline wmask note_lane(const MULTIBODY *t, KEPT *kept, wreal h, int lane)
{
    wmask whips = turns_by(whips_in_step, fastest_square(t, lane), h);
    PUT(kept->whips, w_select(whips, w_splat(1), w_zero()));
    if (!m_any(whips))
        return whips;
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    census c = take_census(t, lane);
    wreal less = clamp_share(earlier_share(t, &c, half, lane));
    wreal energy = w_sub(w_mul(c.energy, w_sub(w_splat(1), less)), c.height);
    energy = w_add(energy, w_mul(half, w_add(c.power, c.twist)));
    PUT(kept->energy, energy);
    PUT(kept->most, w_splat((lode_real)MOST_STRIDE_PERCENT / 100));
    if (t->plan->root_dofs == 0)
        return whips;
    wvec3 faster = wv_scale(wv_div(c.force, c.mass), half);
    PUT3(kept->turn, wv_add_scaled(c.momentum, c.moment, half));
    PUT3(kept->middle, wv_add(c.velocity, faster));
    PUT3(kept->way, wv_add(c.velocity, wv_add(faster, faster)));
    return whips;
}

static bool mb_note(const void *tree, void *kept, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    bool any = false;
    EACH_LANE
    {
        any = m_any(note_lane(t, kept, by, lane)) || any;
    }
    return any;
}

static inline wmask settle_lane(const MULTIBODY *t, KEPT *kept, wreal h, int lane)
{
    wmask whips = w_gt(GET(kept->whips), w_zero());
    if (!m_any(whips))
        return whips;
    wreal half = w_mul(h, w_splat((lode_real)0.5)), energy = GET(kept->energy);
    for (uint32_t k = t->plan->root_dofs; k < t->plan->dof_count; ++k) {
        const DOF *d = &t->dofs[k];
        wreal way = w_mul(half, w_add(GET(d->speed_0), GET(d->speed)));
        energy = w_add(energy, w_mul(GET(d->effort), way));
    }
    PUT(kept->energy, energy);
    return put_right(t, kept, h, true, whips, true, lane);
}

static bool mb_settle(const void *tree, void *kept, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    bool turned = false;
    EACH_LANE
    {
        turned = m_any(settle_lane(t, kept, by, lane)) || turned;
    }
    return turned;
}
