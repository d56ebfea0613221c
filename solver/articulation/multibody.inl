/* multibody.inl: the steps of articulations' dynamics (solver/articulation/multibody.h), for one or for
 * eight alike, whose numbers are lanes. Where MB_ONE is defined a field is a plain number and a
 * lane the only one; the operations, and so the bits, are the same.
 *
 * The articulated-body algorithm is Featherstone's (Rigid Body Dynamics Algorithms, 2008, ch. 7)
 * with columns of a joint's subspace taken one after another. */

#ifdef MB_ONE
#define MULTIBODY lode__multibody
#define LINK lode__mb_link
#define DOF lode__mb_dof
#define NUMBER lode_real
#define PLACE(field, i) (&(field)[(i) + lane]) /* lane is 0 */
#define EACH_LANE for (int lane = 0; lane < 1; ++lane)
#else
#define MULTIBODY lode__multibody_lanes
#define LINK lode__mb_link_lanes
#define DOF lode__mb_dof_lanes
#define NUMBER lode__lane
#define PLACE(field, i) (&(field)[i].x[lane])
#define EACH_LANE for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
#endif

#define GET(field) w_load(PLACE(field, 0))
#define PUT(field, value) w_store(PLACE(field, 0), value)
#define GET3(field) \
    ((wvec3){w_load(PLACE(field, 0)), w_load(PLACE(field, 1)), w_load(PLACE(field, 2))})
#define GET4(field) \
    ((wquat){w_load(PLACE(field, 0)), w_load(PLACE(field, 1)), w_load(PLACE(field, 2)), \
             w_load(PLACE(field, 3))})
#define GET6(field) \
    ((wsym3){w_load(PLACE(field, 0)), w_load(PLACE(field, 1)), w_load(PLACE(field, 2)), \
             w_load(PLACE(field, 3)), w_load(PLACE(field, 4)), w_load(PLACE(field, 5))})
#define GET9(field) \
    ((wmat3){{w_load(PLACE(field, 0)), w_load(PLACE(field, 1)), w_load(PLACE(field, 2))}, \
             {w_load(PLACE(field, 3)), w_load(PLACE(field, 4)), w_load(PLACE(field, 5))}, \
             {w_load(PLACE(field, 6)), w_load(PLACE(field, 7)), w_load(PLACE(field, 8))}})
#define PUT3(field, value) \
    do { \
        wvec3 put_ = value; \
        w_store(PLACE(field, 0), put_.x); \
        w_store(PLACE(field, 1), put_.y); \
        w_store(PLACE(field, 2), put_.z); \
    } while (0)
#define PUT4(field, value) \
    do { \
        wquat put_ = value; \
        w_store(PLACE(field, 0), put_.w); \
        w_store(PLACE(field, 1), put_.x); \
        w_store(PLACE(field, 2), put_.y); \
        w_store(PLACE(field, 3), put_.z); \
    } while (0)
#define PUT6(field, value) \
    do { \
        wsym3 put_ = value; \
        w_store(PLACE(field, 0), put_.xx); \
        w_store(PLACE(field, 1), put_.yy); \
        w_store(PLACE(field, 2), put_.zz); \
        w_store(PLACE(field, 3), put_.xy); \
        w_store(PLACE(field, 4), put_.xz); \
        w_store(PLACE(field, 5), put_.yz); \
    } while (0)

/* ---- small algebra */

static inline wvec3 wm_mul(wmat3 m, wvec3 v)
{
    return (wvec3){wv_dot(m.x, v), wv_dot(m.y, v), wv_dot(m.z, v)};
}

static inline wmat3 wm_add(wmat3 a, wmat3 b)
{
    return (wmat3){wv_add(a.x, b.x), wv_add(a.y, b.y), wv_add(a.z, b.z)};
}

static inline wmat3 wm_of(wsym3 s)
{
    return (wmat3){{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
}

/* Rows times [r x], the matrix of the cross product: m [r x] v = m (r x v). */
static inline wmat3 wm_cross(wmat3 m, wvec3 r)
{
    return (wmat3){wv_cross(m.x, r), wv_cross(m.y, r), wv_cross(m.z, r)};
}

static inline wsym3 ws_add(wsym3 a, wsym3 b)
{
    return (wsym3){w_add(a.xx, b.xx), w_add(a.yy, b.yy), w_add(a.zz, b.zz),
                   w_add(a.xy, b.xy), w_add(a.xz, b.xz), w_add(a.yz, b.yz)};
}

/* s - a a^T by */
static inline wsym3 ws_less_square(wsym3 s, wvec3 a, wreal by)
{
    wvec3 b = wv_scale(a, by);
    return (wsym3){w_sub(s.xx, w_mul(a.x, b.x)), w_sub(s.yy, w_mul(a.y, b.y)),
                   w_sub(s.zz, w_mul(a.z, b.z)), w_sub(s.xy, w_mul(a.x, b.y)),
                   w_sub(s.xz, w_mul(a.x, b.z)), w_sub(s.yz, w_mul(a.y, b.z))};
}

static inline wreal part(wvec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline wvec3 axis_of(wmat3 rows, int axis)
{
    return (wvec3){part(rows.x, axis), part(rows.y, axis), part(rows.z, axis)};
}

/* The turn by a rotation vector, 1 where it is next to nothing. */
static inline wquat turn_by(wvec3 v)
{
    wreal half = w_splat((lode_real)0.5), square = wv_dot(v, v);
    wreal size = w_sqrt(square), sine, cosine;
    w_sincos(w_mul(half, size), &sine, &cosine);
    wmask some = w_gt(size, w_splat((lode_real)1e-18));
    wreal by = w_select(some, w_div(sine, w_select(some, size, w_splat(1))), half);
    return (wquat){cosine, w_mul(v.x, by), w_mul(v.y, by), w_mul(v.z, by)};
}

/* The rotation vector of a turn, the shorter way. */
static inline wvec3 vector_of_turn(wquat q)
{
    wvec3 u = {q.x, q.y, q.z};
    wreal size = wv_length(u);
    wmask some = w_gt(size, w_splat((lode_real)1e-18));
    wreal angle = w_mul(w_splat(2), w_atan2(size, w_abs(q.w)));
    wreal by = w_select(some, w_div(angle, w_select(some, size, w_splat(1))), w_splat(2));
    return wv_scale(u, w_flip(by, q.w));
}

/* ---- place */

static inline void place_root(const MULTIBODY *t, int lane)
{
    LINK *l = &t->links[0];
    PUT3(l->center, wv_zero());
    PUT3(l->arm, wv_zero());
    PUT3(l->hold, wv_zero());
    PUT3(l->lever, wv_zero());
    PUT4(l->rotation, GET4(l->turn));
    PUT6(l->moment, ws_rotate(GET4(l->turn), GET6(l->inertia)));
    for (uint32_t k = 0; k < t->plan->first_dof[1]; ++k) {
        DOF *d = &t->dofs[k];
        int axis = t->plan->axis[k];
        lode_vec3 e = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
        PUT3(d->s_v, axis < LODE__MB_FIRST_SLIDE ? wv_zero() : wv_splat(e));
        PUT3(d->s_w, axis < LODE__MB_FIRST_SLIDE ? wv_splat(e) : wv_zero());
    }
}

static inline void place_link(const MULTIBODY *t, uint32_t i, int lane)
{
    LINK *l = &t->links[i];
    const LINK *p = &t->links[t->plan->parent[i]];
    wquat q_p = GET4(p->rotation), frame = wq_mul(q_p, GET4(l->frame_p)), end = GET4(l->frame_c);
    wquat q = wq_normalize(wq_mul(wq_mul(frame, GET4(l->turn)), wq_conj(end)));
    wvec3 hold = wv_add(wq_rotate(q_p, GET3(l->anchor_p)), wq_rotate(frame, GET3(l->slide)));
    wvec3 lever = wv_neg(wq_rotate(q, GET3(l->anchor_c))), arm = wv_add(hold, lever);
    PUT4(l->rotation, q);
    PUT3(l->hold, hold);
    PUT3(l->lever, lever);
    PUT3(l->arm, arm);
    PUT3(l->center, wv_add(GET3(p->center), arm));
    PUT6(l->moment, ws_rotate(q, GET6(l->inertia)));
    uint32_t begin = t->plan->first_dof[i], finish = t->plan->first_dof[i + 1];
    if (begin == finish)
        return;
    wmat3 slides = wq_matrix(frame), turns = wq_matrix(wq_mul(q, end));
    for (uint32_t k = begin; k < finish; ++k) {
        DOF *d = &t->dofs[k];
        int axis = t->plan->axis[k];
        bool slide = axis >= LODE__MB_FIRST_SLIDE;
        wvec3 n = axis_of(slide ? slides : turns, axis % 3);
        PUT3(d->s_v, slide ? n : wv_cross(n, lever));
        PUT3(d->s_w, slide ? wv_zero() : n);
    }
}

static void mb_place(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        place_root(t, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            place_link(t, i, lane);
    }
}

/* ---- speed */

static inline void speed_root(const MULTIBODY *t, int lane)
{
    LINK *l = &t->links[0];
    wvec3 v = wv_zero(), w = wv_zero();
    if (t->plan->root_dofs > 0) {
        const DOF *d = t->dofs;
        v = (wvec3){GET(d[0].speed), GET(d[1].speed), GET(d[2].speed)};
        w = (wvec3){GET(d[3].speed), GET(d[4].speed), GET(d[5].speed)};
    }
    PUT3(l->v, v);
    PUT3(l->w, w);
    PUT3(l->drift_v, wv_zero());
    PUT3(l->drift_w, wv_zero());
}

static inline void speed_link(const MULTIBODY *t, uint32_t i, int lane)
{
    LINK *l = &t->links[i];
    const LINK *p = &t->links[t->plan->parent[i]];
    wvec3 w_j = wv_zero(), u = wv_zero();
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k) {
        const DOF *d = &t->dofs[k];
        if (t->plan->axis[k] >= LODE__MB_FIRST_SLIDE)
            u = wv_add_scaled(u, GET3(d->s_v), GET(d->speed));
        else
            w_j = wv_add_scaled(w_j, GET3(d->s_w), GET(d->speed));
    }
    wvec3 w_p = GET3(p->w), hold = GET3(l->hold), lever = GET3(l->lever), w = wv_add(w_p, w_j);
    wvec3 at_hold = wv_cross(w_p, hold), at_lever = wv_cross(w, lever);
    PUT3(l->w, w);
    PUT3(l->v, wv_add(wv_add(wv_add(GET3(p->v), at_hold), u), at_lever));
    wvec3 drift_w = wv_cross(w_p, w_j);
    wvec3 drift_v = wv_add(wv_cross(w_p, wv_add(at_hold, wv_add(u, u))), wv_cross(w, at_lever));
    PUT3(l->drift_w, drift_w);
    PUT3(l->drift_v, wv_add(drift_v, wv_cross(drift_w, lever)));
}

static void mb_speed(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        speed_root(t, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            speed_link(t, i, lane);
    }
}

/* ---- factor */

typedef struct inertia {
    wsym3 aa;
    wmat3 ab;
    wsym3 bb;
} inertia;

static inline inertia own_inertia(const LINK *l, int lane)
{
    wreal m = GET(l->mass), o = w_zero();
    return (inertia){{m, m, m, o, o, o}, {wv_zero(), wv_zero(), wv_zero()}, GET6(l->moment)};
}

static inline inertia get_inertia(const LINK *l, int lane)
{
    return (inertia){GET6(l->aa), GET9(l->ab), GET6(l->bb)};
}

static inline void put_inertia(LINK *l, int lane, inertia m)
{
    PUT6(l->aa, m.aa);
    PUT3(l->ab, m.ab.x);
    PUT3(l->ab + 3, m.ab.y);
    PUT3(l->ab + 6, m.ab.z);
    PUT6(l->bb, m.bb);
}

/* What is left of an inertia where a column gives way; u and the pivot are kept. */
static inline inertia eliminate_dof(DOF *d, inertia m, int lane)
{
    wvec3 s_v = GET3(d->s_v), s_w = GET3(d->s_w);
    wvec3 u_f = wv_add(ws_mul(m.aa, s_v), wm_mul(m.ab, s_w));
    wvec3 u_n = wv_add(wm_combine(m.ab, s_v), ws_mul(m.bb, s_w));
    wreal pivot = w_add(w_add(wv_dot(s_v, u_f), wv_dot(s_w, u_n)), GET(d->more));
    wreal inv_d = w_div(w_splat(1), pivot);
    PUT3(d->u_f, u_f);
    PUT3(d->u_n, u_n);
    PUT(d->inv_d, inv_d);
    wvec3 by = wv_scale(u_n, w_neg(inv_d));
    m.aa = ws_less_square(m.aa, u_f, inv_d);
    m.ab = wm_add(m.ab, (wmat3){wv_scale(by, u_f.x), wv_scale(by, u_f.y), wv_scale(by, u_f.z)});
    m.bb = ws_less_square(m.bb, u_n, inv_d);
    return m;
}

/* The product [r x] m: its columns are r x the columns of m, so its rows are sums of those of m. */
static inline wmat3 wm_crossed(wvec3 r, wmat3 m)
{
    return (wmat3){wv_sub(wv_scale(m.z, r.y), wv_scale(m.y, r.z)),
                   wv_sub(wv_scale(m.x, r.z), wv_scale(m.z, r.x)),
                   wv_sub(wv_scale(m.y, r.x), wv_scale(m.x, r.y))};
}

/* As the parent feels it: with a = a_p - arm x alpha,
 *     ab' = ab - aa [arm x],   bb' = bb + ([arm x] ab)^T + [arm x] ab'. */
static inline inertia shift_inertia(inertia m, wvec3 arm)
{
    wmat3 far = wm_cross(wm_of(m.aa), arm), old = wm_crossed(arm, m.ab);
    m.ab = (wmat3){wv_sub(m.ab.x, far.x), wv_sub(m.ab.y, far.y), wv_sub(m.ab.z, far.z)};
    wmat3 now = wm_crossed(arm, m.ab);
    m.bb.xx = w_add(m.bb.xx, w_add(now.x.x, old.x.x));
    m.bb.yy = w_add(m.bb.yy, w_add(now.y.y, old.y.y));
    m.bb.zz = w_add(m.bb.zz, w_add(now.z.z, old.z.z));
    m.bb.xy = w_add(m.bb.xy, w_add(now.x.y, old.y.x));
    m.bb.xz = w_add(m.bb.xz, w_add(now.x.z, old.z.x));
    m.bb.yz = w_add(m.bb.yz, w_add(now.y.z, old.z.y));
    return m;
}

static inline void factor_link(const MULTIBODY *t, uint32_t i, int lane)
{
    LINK *l = &t->links[i];
    inertia m = get_inertia(l, lane);
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k)
        m = eliminate_dof(&t->dofs[k], m, lane);
    put_inertia(l, lane, m);
    if (i == 0)
        return;
    LINK *p = &t->links[t->plan->parent[i]];
    inertia felt = shift_inertia(m, GET3(l->arm)), sum = get_inertia(p, lane);
    sum.aa = ws_add(sum.aa, felt.aa);
    sum.ab = wm_add(sum.ab, felt.ab);
    sum.bb = ws_add(sum.bb, felt.bb);
    put_inertia(p, lane, sum);
}

static void mb_factor(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        for (uint32_t i = 0; i < t->plan->link_count; ++i)
            put_inertia(&t->links[i], lane, own_inertia(&t->links[i], lane));
        for (uint32_t i = t->plan->link_count; i-- > 0;)
            factor_link(t, i, lane);
    }
}

/* ---- accelerate */

static inline void bias_link(LINK *l, wreal gyroscopic, int lane)
{
    wvec3 w = GET3(l->w), momentum = ws_mul(GET6(l->moment), w);
    PUT3(l->bias_f, wv_neg(GET3(l->force)));
    PUT3(l->bias_n, wv_sub(wv_scale(wv_cross(w, momentum), gyroscopic), GET3(l->torque)));
}

/* What dofs do not bear of a link's bias goes to its parent. */
static inline void pass_bias(const MULTIBODY *t, uint32_t i, int lane)
{
    LINK *l = &t->links[i];
    wvec3 f = GET3(l->bias_f), n = GET3(l->bias_n);
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k) {
        DOF *d = &t->dofs[k];
        wreal left = w_sub(GET(d->effort), w_add(wv_dot(GET3(d->s_v), f), wv_dot(GET3(d->s_w), n)));
        wreal by = w_mul(left, GET(d->inv_d));
        PUT(d->left, left);
        f = wv_add_scaled(f, GET3(d->u_f), by);
        n = wv_add_scaled(n, GET3(d->u_n), by);
    }
    if (i == 0)
        return;
    wvec3 c_v = GET3(l->drift_v), c_w = GET3(l->drift_w), arm = GET3(l->arm);
    inertia m = get_inertia(l, lane);
    f = wv_add(f, wv_add(ws_mul(m.aa, c_v), wm_mul(m.ab, c_w)));
    n = wv_add(n, wv_add(wm_combine(m.ab, c_v), ws_mul(m.bb, c_w)));
    LINK *p = &t->links[t->plan->parent[i]];
    PUT3(p->bias_f, wv_add(GET3(p->bias_f), f));
    PUT3(p->bias_n, wv_add(GET3(p->bias_n), wv_add(n, wv_cross(arm, f))));
}

static inline void accelerate_link(const MULTIBODY *t, uint32_t i, int lane)
{
    LINK *l = &t->links[i];
    wvec3 a = wv_zero(), alpha = wv_zero();
    if (i > 0) {
        const LINK *p = &t->links[t->plan->parent[i]];
        alpha = GET3(p->alpha);
        a = wv_add(wv_add(GET3(p->a), wv_cross(alpha, GET3(l->arm))), GET3(l->drift_v));
        alpha = wv_add(alpha, GET3(l->drift_w));
    }
    for (uint32_t k = t->plan->first_dof[i + 1]; k-- > t->plan->first_dof[i];) {
        DOF *d = &t->dofs[k];
        wreal borne = w_add(wv_dot(GET3(d->u_f), a), wv_dot(GET3(d->u_n), alpha));
        wreal change = w_mul(w_sub(GET(d->left), borne), GET(d->inv_d));
        PUT(d->change, change);
        a = wv_add_scaled(a, GET3(d->s_v), change);
        alpha = wv_add_scaled(alpha, GET3(d->s_w), change);
    }
    PUT3(l->a, a);
    PUT3(l->alpha, alpha);
}

static void mb_accelerate(const void *tree, lode_real gyroscopic)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(gyroscopic);
    EACH_LANE
    {
        for (uint32_t i = 0; i < t->plan->link_count; ++i)
            bias_link(&t->links[i], by, lane);
        for (uint32_t i = t->plan->link_count; i-- > 0;)
            pass_bias(t, i, lane);
        for (uint32_t i = 0; i < t->plan->link_count; ++i)
            accelerate_link(t, i, lane);
    }
}

static void mb_hurry(const void *tree, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    EACH_LANE
    {
        for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
            DOF *d = &t->dofs[k];
            PUT(d->speed, w_add(GET(d->speed), w_mul(GET(d->change), by)));
        }
    }
}

/* ---- move */

/* The root turns about axes of the world. */
static inline void move_root(const MULTIBODY *t, wreal h, int lane)
{
    LINK *l = &t->links[0];
    if (t->plan->root_dofs == 0)
        return;
    const DOF *d = t->dofs;
    wvec3 v = {GET(d[0].speed), GET(d[1].speed), GET(d[2].speed)};
    wvec3 w = {GET(d[3].speed), GET(d[4].speed), GET(d[5].speed)};
    PUT3(l->slide, wv_add_scaled(GET3(l->slide), v, h));
    PUT4(l->turn, wq_normalize(wq_mul(turn_by(wv_scale(w, h)), GET4(l->turn))));
}

/* The one axis of three that is not among those of a link's two turns. */
static inline int locked_turn(const lode__mb_plan *plan, uint32_t i)
{
    const uint8_t *axis = plan->axis + plan->first_dof[i];
    return 3 - axis[0] - axis[1];
}

static inline wreal *number_of(wvec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* The way of a link's joint in a time h: its slides' and its turns'. */
static inline void go_link(const MULTIBODY *t, uint32_t i, wreal h, wvec3 *way, wvec3 *spin,
                           int lane)
{
    *way = *spin = wv_zero();
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k) {
        bool slides = t->plan->axis[k] >= LODE__MB_FIRST_SLIDE;
        *number_of(slides ? way : spin, t->plan->axis[k] % 3) = w_mul(GET(t->dofs[k].speed), h);
    }
}

/* A joint turns about axes of its child's frame. Of two turns the third number of the rotation
 * vector stays nothing, though a path along two of three axes leads out of those: it is put back
 * after each step. */
static inline void turn_link(const MULTIBODY *t, uint32_t i, wvec3 spin, int lane)
{
    LINK *l = &t->links[i];
    wquat turn = wq_normalize(wq_mul(GET4(l->turn), turn_by(spin)));
    if (t->plan->angles[i] == 2) {
        wvec3 v = vector_of_turn(turn);
        *number_of(&v, locked_turn(t->plan, i)) = w_zero();
        turn = turn_by(v);
    }
    PUT4(l->turn, turn);
}

static inline void move_link(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    LINK *l = &t->links[i];
    wvec3 way, spin;
    go_link(t, i, h, &way, &spin, lane);
    PUT3(l->slide, wv_add(GET3(l->slide), way));
    if (t->plan->angles[i] > 0)
        turn_link(t, i, spin, lane);
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

static inline void advance_turn(const MULTIBODY *t, uint32_t i, uint32_t k, wreal way, int lane)
{
    wreal q = w_add(GET(t->dofs[k].position), way);
    wvec3 turn = wv_zero();
    q = t->plan->wraps[i] ? wrapped(q) : q;
    *number_of(&turn, t->plan->axis[k]) = q;
    PUT(t->dofs[k].position, q);
    PUT4(t->links[i].turn, turn_by(turn));
}

static inline void advance_link(const MULTIBODY *t, uint32_t i, wreal h, int lane)
{
    LINK *l = &t->links[i];
    wvec3 way, spin;
    go_link(t, i, h, &way, &spin, lane);
    wvec3 slide = wv_add(GET3(l->slide), way), vector = wv_zero();
    PUT3(l->slide, slide);
    if (t->plan->angles[i] > 1) {
        turn_link(t, i, spin, lane);
        vector = vector_of_turn(GET4(l->turn));
    }
    for (uint32_t k = t->plan->first_dof[i]; k < t->plan->first_dof[i + 1]; ++k) {
        int axis = t->plan->axis[k];
        if (axis >= LODE__MB_FIRST_SLIDE)
            PUT(t->dofs[k].position, part(slide, axis % 3));
        else if (t->plan->angles[i] > 1)
            PUT(t->dofs[k].position, part(vector, axis));
        else
            advance_turn(t, i, k, part(spin, axis), lane);
    }
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

#include "solver/articulation/integrate.inl"

#define MB_KERNELS \
    { \
        .place = mb_place, .speed = mb_speed, .factor = mb_factor, .accelerate = mb_accelerate, \
        .hurry = mb_hurry, .move = mb_move, .advance = mb_advance, .step = mb_step \
    }
