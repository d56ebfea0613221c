/* flock_load.inl: what a flock's lanes have of the pools when its step begins, by transposing. Text
 * of flock_lanes.c. */

static inline void read_link(lode__flock *f, uint32_t i, int lane)
{
    lode__mb_link_lanes *l = &f->body.links[i];
    const lode_real *const *from = f->given + lane;
    int at = (int)i * GIVEN;
    wfour a = w_load_fours_at(from, at), b = w_load_fours_at(from, at + 4);
    PUT(l->mass[0], a.r0);
    PUT(l->inertia[0], a.r1);
    PUT(l->inertia[1], a.r2);
    PUT(l->inertia[2], a.r3);
    PUT(l->inertia[3], b.r0);
    PUT(l->inertia[4], b.r1);
    PUT(l->inertia[5], b.r2);
    wfour c = w_load_fours_at(from, at + 8), d = w_load_fours_at(from, at + 12);
    put3(l->anchor_p, (wvec3){b.r3, c.r0, c.r1}, lane);
    put_four(l->frame_p, (wfour){c.r2, c.r3, d.r0, d.r1}, lane);
    wfour e = w_load_fours_at(from, at + 16), g = w_load_fours_at(from, at + 20);
    put3(l->anchor_c, (wvec3){d.r2, d.r3, e.r0}, lane);
    put_four(l->frame_c, (wfour){e.r1, e.r2, e.r3, g.r0}, lane);
    PUT(f->links[i].linear_damping, g.r1);
    PUT(f->links[i].angular_damping, g.r2);
}

static inline void read_dof(lode__flock *f, uint32_t k, int lane)
{
    lode__flock_dof *out = &f->dofs[k];
    wfour asked = w_load_fours_at(f->asked + lane, (int)k * ASKED);
    wfour along = w_load_fours_at(f->asked + lane, (int)k * ASKED + 4);
    PUT(out->lo, asked.r0);
    PUT(out->hi, asked.r1);
    PUT(out->max_velocity, asked.r2);
    PUT(out->armature, asked.r3);
    put3(f->body.dofs[k].axis, (wvec3){along.r0, along.r1, along.r2}, lane);
}

static void flock_read(lode__flock *f)
{
    const lode__mb_plan *plan = f->body.plan;
    EACH_LANE
    {
        for (uint32_t i = 0; i < plan->link_count; ++i)
            read_link(f, i, lane);
        for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
            read_dof(f, k, lane);
    }
}

static inline void load_push(lode__flock *f, uint32_t i, int lane)
{
    lode__flock_link *l = &f->links[i];
    const lode_real *const *body = (const lode_real *const *)f->places[i].pose + lane;
    enum { PUSH = LODE__FLOCK_BEHIND(force) };
    wfour force = w_load_fours_at(body, PUSH), torque = w_load_fours_at(body, PUSH + 3);
    put3(l->force, (wvec3){force.r0, force.r1, force.r2}, lane);
    put3(l->torque, (wvec3){torque.r0, torque.r1, torque.r2}, lane);
}

static inline void load_root(lode__flock *f, int lane)
{
    const lode_real *const *body = (const lode_real *const *)f->places[0].pose + lane;
    lode__mb_link_lanes *root = &f->body.links[0];
    lode__mb_dof_lanes *d = f->body.dofs;
    put_four(root->turn, w_load_fours_at(body, 4), lane);
    put3(root->slide, wv_zero(), lane);
    if (f->body.plan->root_dofs == 0)
        return;
    enum { VELOCITY = LODE__FLOCK_BEHIND(velocity) };
    wfour v = w_load_fours_at(body, VELOCITY), w = w_load_fours_at(body, VELOCITY + 3);
    PUT(d[0].speed[0], v.r0);
    PUT(d[1].speed[0], v.r1);
    PUT(d[2].speed[0], v.r2);
    PUT(d[3].speed[0], w.r0);
    PUT(d[4].speed[0], w.r1);
    PUT(d[5].speed[0], w.r2);
    for (uint32_t k = 0; k < LODE__MB_ROOT_DOFS; ++k) {
        PUT(d[k].effort[0], w_zero());
        PUT(d[k].more[0], w_zero());
    }
}

static inline void load_joint(lode__flock *f, uint32_t i, int lane)
{
    lode__mb_link_lanes *l = &f->body.links[i];
    const lode_real *const *state = (const lode_real *const *)f->places[i].state + lane;
    put_four(l->turn, w_load_fours_at(state, STATE(turn)), lane);
    put_four(f->links[i].at, w_load_fours_at(state, STATE(position)), lane);
    if (!lode__mb_slides(f->body.plan, i))
        return;
    const lode_real *const *extra = (const lode_real *const *)f->places[i].extra + lane;
    wfour slide = w_load_fours_at(extra, EXTRA(slide));
    put3(l->slide, (wvec3){slide.r0, slide.r1, slide.r2}, lane);
}

static inline void load_dof(lode__flock *f, uint32_t k, int lane)
{
    const lode__mb_plan *plan = f->body.plan;
    lode_real *const *state = f->places[plan->link_of_dof[k]].state;
    lode__mb_dof_lanes *d = &f->body.dofs[k];
    lode__flock_dof *out = &f->dofs[k];
    int axis = plan->axis[k];
    for (int n = lane; n < lane + LODE_WIDTH && axis >= LOADED; ++n)
        d->position[0].x[n] = state[n][STATE(position) + axis];
    for (int n = lane; n < lane + LODE_WIDTH; ++n)
        d->speed[0].x[n] = state[n][STATE(velocity) + axis];
    if (axis < LOADED)
        PUT(d->position[0], GET(f->links[plan->link_of_dof[k]].at[axis]));
    PUT(out->speed_begin, GET(d->speed[0]));
    PUT(d->effort[0], GET(out->hand));
    PUT(d->more[0], GET(out->armature));
}

/* Where none has a force by hand the lanes keep that. */
static void load_hands(lode__flock *f)
{
    const lode__mb_plan *plan = f->body.plan;
    lode__flock_held *held = f->held;
    uint32_t count = f->handed ? plan->dof_count : 0;
    for (uint32_t k = plan->root_dofs; k < count; ++k) {
        lode_real *const *extra = f->places[plan->link_of_dof[k]].extra;
        for (int n = 0; n < LODE_LANES; ++n)
            f->dofs[k].hand.x[n] = extra[n][EXTRA(force) + plan->axis[k]];
    }
    EACH_LANE
    {
        for (uint32_t k = count; k < held->handed; ++k)
            PUT(f->dofs[k].hand, w_zero());
    }
    held->handed = count;
}

/* Where none has a force the lanes keep that. */
static void load_pushes(lode__flock *f)
{
    lode__flock_held *held = f->held;
    uint32_t count = f->body.plan->link_count;
    EACH_LANE
    {
        for (uint32_t i = 0; i < count && f->pushed; ++i)
            load_push(f, i, lane);
        for (uint32_t i = f->pushed ? count : 0; i < held->pushed; ++i) {
            put3(f->links[i].force, wv_zero(), lane);
            put3(f->links[i].torque, wv_zero(), lane);
        }
    }
    held->pushed = f->pushed ? count : 0;
}

static void flock_load(lode__flock *f)
{
    const lode__mb_plan *plan = f->body.plan;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        f->links[i].posed = f->links[i].restless = 0;
    load_pushes(f);
    load_hands(f);
    EACH_LANE
    {
        load_root(f, lane);
        for (uint32_t i = 1; i < plan->link_count; ++i)
            load_joint(f, i, lane);
        for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
            load_dof(f, k, lane);
    }
}

static void flock_begin(lode__flock *f)
{
    EACH_LANE
    {
        for (uint32_t i = 0; i < f->body.plan->link_count; ++i) {
            put3(f->links[i].before_v, GET3(f->body.links[i].v), lane);
            put3(f->links[i].before_w, GET3(f->body.links[i].w), lane);
        }
    }
}
