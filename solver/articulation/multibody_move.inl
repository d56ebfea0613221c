/* multibody_move.inl: where joints come to by their speeds. Text for one articulation or for eight
 * in lanes, a part of multibody.inl. */

/* ---- move */

/* The root turns about axes of the world. */
static inline void move_root(const MULTIBODY *t, wreal h, int lane)
{
    LINK *l = &t->links[0];
    if (t->plan->root_dofs == 0)
        return;
    const DOF *d = t->dofs;
    wvec3 v = wv_make(GET(d[0].speed), GET(d[1].speed), GET(d[2].speed));
    wvec3 w = wv_make(GET(d[3].speed), GET(d[4].speed), GET(d[5].speed));
    PUT3(l->slide, wv_add_scaled(GET3(l->slide), v, h));
    PUT4(l->turn, wq_normalize(wq_mul(turn_by(wv_scale(w, h)), GET4(l->turn))));
}

/* Of two turns: with the spin about the third axis. */
static inline wvec3 with_third(const MULTIBODY *t, uint32_t i, wvec3 spin, int lane)
{
    const uint8_t *axis = t->plan->axis + t->plan->first_dof[i];
    third_turn by = third_turn_of(t, i, lane);
    wvec3 third = wv_cross(vector_along(axis[0], w_splat(1)), vector_along(axis[1], w_splat(1)));
    wreal size = w_add(w_mul(by.first, part(spin, axis[0])), w_mul(by.second, part(spin, axis[1])));
    return wv_add_scaled(spin, third, size);
}

/* And without that number of the rotation vector. */
static inline wvec3 without_third(const lode__mb_plan *plan, uint32_t i, wvec3 v)
{
    const uint8_t *axis = plan->axis + plan->first_dof[i];
    return wv_add(vector_along(axis[0], part(v, axis[0])), vector_along(axis[1], part(v, axis[1])));
}

/* The way of a link's joint in a time h: its slides' and its turns'. */
typedef struct joint_way {
    wvec3 slide, turn;
} joint_way;

static inline joint_way way_of(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    wreal by[LODE__MB_AXES];
    for (int k = 0; k < LODE__MB_AXES; ++k)
        by[k] = w_zero();
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k)
        by[t->plan->axis[k]] = w_mul(GET(t->dofs[k].speed), h);
    return (joint_way){wv_make(by[3], by[4], by[5]), wv_make(by[0], by[1], by[2])};
}

/* A joint turns about axes of its child's frame. */
static inline wquat turned(const MULTIBODY *t, uint32_t i, wvec3 spin, int lane)
{
    bool two = t->plan->angles[i] == 2;
    spin = two ? with_third(t, i, spin, lane) : spin;
    wquat turn = wq_normalize(wq_mul(GET4(t->links[i].turn), turn_by(spin)));
    return two ? turn_by(without_third(t->plan, i, vector_of_turn(turn))) : turn;
}

static inline void move_link(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    LINK *l = &t->links[i];
    joint_way by = way_of(t, i, h, lane);
    PUT3(l->slide, wv_add(GET3(l->slide), by.slide));
    if (t->plan->angles[i] > 0)
        PUT4(l->turn, turned(t, i, by.turn, lane));
}

static void mb_move(const void *tree, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    EACH_LANE
    {
        move_root(t, by, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            move_link(t, i, by, lane);
    }
}

/* ---- advance */

/* An angle within -2 pi..2 pi, of one that is no more than 2 pi beyond. */
static inline wreal wrapped(wreal q)
{
    wreal two_pi = w_splat((lode_real)6.28318530717958647692), whole = w_add(two_pi, two_pi);
    wreal over = w_select(w_lt(q, w_neg(two_pi)), w_add(q, whole), q);
    return w_select(w_gt(q, two_pi), w_sub(q, whole), over);
}

/* The one turn of a link. */
static inline void advance_turn(const MULTIBODY *t, uint32_t i, uint32_t k, wreal h, int lane)
{
    wreal q = w_add(GET(t->dofs[k].position), w_mul(GET(t->dofs[k].speed), h));
    q = t->plan->wraps[i] ? wrapped(q) : q;
    PUT(t->dofs[k].position, q);
    PUT4(t->links[i].turn, turn_by(vector_along(t->plan->axis[k], q)));
}

static inline void advance_turns(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    wquat turn = turned(t, i, way_of(t, i, h, lane).turn, lane);
    wvec3 vector = vector_of_turn(turn);
    PUT4(t->links[i].turn, turn);
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k)
        if (t->plan->axis[k] < LODE__MB_FIRST_SLIDE)
            PUT(t->dofs[k].position, part(vector, t->plan->axis[k]));
}

static inline void advance_slides(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    LINK *l = &t->links[i];
    wvec3 slide = wv_add(GET3(l->slide), way_of(t, i, h, lane).slide);
    PUT3(l->slide, slide);
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k)
        if (t->plan->axis[k] >= LODE__MB_FIRST_SLIDE)
            PUT(t->dofs[k].position, part(slide, t->plan->axis[k] % 3));
}

/* Turns come first among a link's dofs. */
static inline void advance_link(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    uint32_t first = t->plan->first_dof[i], count = t->plan->first_dof[i + 1] - first;
    uint32_t turns = t->plan->angles[i];
    if (turns == 1)
        advance_turn(t, i, first, h, lane);
    else if (turns > 1)
        advance_turns(t, i, h, lane);
    if (count > turns)
        advance_slides(t, i, h, lane);
}

static void mb_advance(const void *tree, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    EACH_LANE
    {
        move_root(t, by, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            advance_link(t, i, by, lane);
    }
}
