/* multibody.inl: the steps of articulations' dynamics (solver/articulation/multibody.h), for one or
 * for eight alike, whose numbers are lanes. Where MB_ONE is defined a field is a plain number and a
 * lane the only one; the operations, and so the bits, are the same.
 *
 * The articulated-body algorithm is Featherstone's (Rigid Body Dynamics Algorithms, 2008, ch. 7)
 * with columns of a joint's subspace taken one after another. */

#include "solver/articulation/access.inl"

/* ---- small algebra */

static inline wmat3 wm_add(wmat3 a, wmat3 b)
{
    return (wmat3){wv_add(a.x, b.x), wv_add(a.y, b.y), wv_add(a.z, b.z)};
}

/* Rows times [r x], the matrix of the cross product: m [r x] v = m (r x v). */
static inline wmat3 wm_cross(wmat3 m, wvec3 r)
{
    return (wmat3){wv_cross(m.x, r), wv_cross(m.y, r), wv_cross(m.z, r)};
}

static inline wreal part(wvec3 v, int axis)
{
    return axis == 0 ? wv_x(v) : axis == 1 ? wv_y(v) : wv_z(v);
}

static inline wvec3 vector_along(int axis, wreal size)
{
    wreal o = w_zero();
    return wv_make(axis == 0 ? size : o, axis == 1 ? size : o, axis == 2 ? size : o);
}

/* The turn by a rotation vector, 1 where it is next to nothing. */
static inline wquat turn_by(wvec3 v)
{
    wreal half = w_splat((lode_real)0.5), square = wv_dot(v, v);
    wreal size = w_sqrt(square), sine, cosine;
    w_sincos(w_mul(half, size), &sine, &cosine);
    wmask some = w_gt(size, w_splat((lode_real)1e-18));
    wreal by = w_select(some, w_div(sine, w_select(some, size, w_splat(1))), half);
    return wq_make(cosine, wv_scale(v, by));
}

/* The rotation vector of a turn, the shorter way. */
static inline wvec3 vector_of_turn(wquat q)
{
    wvec3 u = wq_vector(q);
    wreal size = wv_length(u), w = wq_scalar(q);
    wmask some = w_gt(size, w_splat((lode_real)1e-18));
    wreal angle = w_mul(w_splat(2), w_atan2(size, w_abs(w)));
    wreal by = w_select(some, w_div(angle, w_select(some, size, w_splat(1))), w_splat(2));
    return wv_scale(u, w_flip(by, w));
}

/* ---- joints of two turns
 *
 * Their third number of the rotation vector is nothing, q_m = 0 of the turn q: with axes a, b and
 * m = a x b of the child's frame that takes a spin about m too,
 *     w_m = (q_b w_a - q_a w_b) / q_w,
 * so that the joint's axes are a + c_a m and b + c_b m with c = (q_b, -q_a) / q_w. Of constant
 * w_a, w_b that does not change along the way, so that these axes have no acceleration of their
 * own. Towards half a turn c grows beyond all bounds, and q_w is held to this. */
#define LEAST_COSINE ((lode_real)(sizeof(lode_real) == sizeof(double) ? 0x1p-20 : 0x1p-9))

typedef struct third_turn {
    wreal first, second; /* c_a, c_b */
} third_turn;

static inline third_turn third_turn_of(const MULTIBODY *t, uint32_t i, int lane)
{
    const uint8_t *axis = t->plan->axis + t->plan->first_dof[i];
    wquat q = GET4(t->links[i].turn);
    wreal w = wq_scalar(q), size = w_max(w_abs(w), w_splat(LEAST_COSINE));
    wreal by = w_flip(w_div(w_splat(1), size), w);
    wvec3 u = wq_vector(q);
    return (third_turn){w_mul(part(u, axis[1]), by), w_neg(w_mul(part(u, axis[0]), by))};
}

/* ---- place */

/* Columns of the rotation matrix. */
static inline wmat3 columns_of(wquat q)
{
    return wm_transpose(wq_matrix(q));
}

static inline void place_root(const MULTIBODY *t, int lane)
{
    LINK *l = &t->links[0];
    PUT3(l->center, wv_zero());
    PUT3(l->arm, wv_zero());
    PUT3(l->hold, wv_zero());
    PUT3(l->lever, wv_zero());
    PUT4(l->rotation, GET4(l->turn));
    PUT6(l->moment, ws_turn(columns_of(GET4(l->turn)), GET6(l->inertia)));
    for (uint32_t k = 0; k < t->plan->first_dof[1]; ++k) {
        DOF *d = &t->dofs[k];
        wvec3 e = vector_along(t->plan->axis[k] % 3, w_splat(1));
        bool slide = t->plan->axis[k] >= LODE__MB_FIRST_SLIDE;
        PUT3(d->s_v, slide ? e : wv_zero());
        PUT3(d->s_w, slide ? wv_zero() : e);
    }
}

/* A turn's axis, in the world. */
static inline void put_turn(DOF *d, wvec3 n, wvec3 lever, int lane)
{
    PUT3(d->s_v, wv_cross(n, lever));
    PUT3(d->s_w, n);
}

static inline void place_two_turns(const MULTIBODY *t, uint32_t i, wmat3 columns, wvec3 lever,
                                   int lane)
{
    DOF *d = t->dofs + t->plan->first_dof[i];
    wvec3 first = GET3(d[0].axis), second = GET3(d[1].axis), third = wv_cross(first, second);
    third_turn by = third_turn_of(t, i, lane);
    first = wv_add_scaled(first, third, by.first);
    second = wv_add_scaled(second, third, by.second);
    put_turn(&d[0], wm_combine(columns, first), lever, lane);
    put_turn(&d[1], wm_combine(columns, second), lever, lane);
}

static inline void place_link(const MULTIBODY *t, uint32_t i, bool weighs, int lane)
{
    LINK *l = &t->links[i];
    const LINK *p = &t->links[t->plan->parent[i]];
    uint32_t begin = t->plan->first_dof[i], finish = t->plan->first_dof[i + 1];
    wquat q_p = GET4(p->rotation), frame = wq_mul(q_p, GET4(l->frame_p)), end = GET4(l->frame_c);
    wquat q = wq_normalize(wq_mul(wq_mul(frame, GET4(l->turn)), wq_conj(end)));
    wmat3 columns = columns_of(q);
    wvec3 hold = wq_rotate(q_p, GET3(l->anchor_p));
    wvec3 lever = wv_neg(wm_combine(columns, GET3(l->anchor_c)));
    if (lode__mb_slides(t->plan, i))
        hold = wv_add(hold, wq_rotate(frame, GET3(l->slide)));
    wvec3 arm = wv_add(hold, lever);
    PUT4(l->rotation, q);
    PUT3(l->hold, hold);
    PUT3(l->lever, lever);
    PUT3(l->arm, arm);
    PUT3(l->center, wv_add(GET3(p->center), arm));
    if (weighs)
        PUT6(l->moment, ws_turn(columns, GET6(l->inertia)));
    for (uint32_t k = begin; k < finish; ++k) {
        DOF *d = &t->dofs[k];
        if (t->plan->axis[k] >= LODE__MB_FIRST_SLIDE) {
            PUT3(d->s_v, wq_rotate(q_p, GET3(d->axis)));
            PUT3(d->s_w, wv_zero());
        } else
            put_turn(d, wm_combine(columns, GET3(d->axis)), lever, lane);
    }
    if (t->plan->angles[i] == 2)
        place_two_turns(t, i, columns, lever, lane);
}

static void mb_place(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        place_root(t, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            place_link(t, i, true, lane);
    }
}

static void mb_pose(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        place_root(t, lane);
        for (uint32_t i = 1; i < t->plan->link_count; ++i)
            place_link(t, i, false, lane);
    }
}

/* ---- speed */

static inline void speed_root(const MULTIBODY *t, int lane)
{
    LINK *l = &t->links[0];
    wvec3 v = wv_zero(), w = wv_zero();
    if (t->plan->root_dofs > 0) {
        const DOF *d = t->dofs;
        v = wv_make(GET(d[0].speed), GET(d[1].speed), GET(d[2].speed));
        w = wv_make(GET(d[3].speed), GET(d[4].speed), GET(d[5].speed));
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

static inline void speed_lane(const MULTIBODY *t, int lane)
{
    speed_root(t, lane);
    for (uint32_t i = 1; i < t->plan->link_count; ++i)
        speed_link(t, i, lane);
}

static void mb_speed(const void *tree)
{
    const MULTIBODY *t = tree;
    EACH_LANE
    {
        speed_lane(t, lane);
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
    wreal m = GET(l->mass);
    return (inertia){
        ws_make(wv_make(m, m, m), wv_zero()), {wv_zero(), wv_zero(), wv_zero()}, GET6(l->moment)};
}

static inline inertia get_inertia(const LINK *l, int lane)
{
    return (inertia){GET_SYMMETRIC(l->aa), GET9(l->ab), GET_SYMMETRIC(l->bb)};
}

static inline void put_inertia(LINK *l, int lane, inertia m)
{
    PUT_SYMMETRIC(l->aa, m.aa);
    PUT3_AT(l->ab, 0, m.ab.x);
    PUT3_AT(l->ab, MB_ROW, m.ab.y);
    PUT3_AT(l->ab, 2 * MB_ROW, m.ab.z);
    PUT_SYMMETRIC(l->bb, m.bb);
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
    m.aa = ws_less_outer(m.aa, u_f, wv_scale(u_f, inv_d));
    m.ab.x = wv_add_scaled(m.ab.x, by, wv_x(u_f));
    m.ab.y = wv_add_scaled(m.ab.y, by, wv_y(u_f));
    m.ab.z = wv_add_scaled(m.ab.z, by, wv_z(u_f));
    m.bb = ws_less_outer(m.bb, u_n, wv_scale(u_n, inv_d));
    return m;
}

/* The product [r x] m: its columns are r x the columns of m, so its rows are sums of those of m. */
static inline wmat3 wm_crossed(wvec3 r, wmat3 m)
{
    wreal x = wv_x(r), y = wv_y(r), z = wv_z(r);
    return (wmat3){wv_sub(wv_scale(m.z, y), wv_scale(m.y, z)),
                   wv_sub(wv_scale(m.x, z), wv_scale(m.z, x)),
                   wv_sub(wv_scale(m.y, x), wv_scale(m.x, y))};
}

/* As the parent feels it: with a = a_p - arm x alpha,
 *     ab' = ab - aa [arm x],   bb' = bb + ([arm x] ab)^T + [arm x] ab'. */
static inline inertia shift_inertia(inertia m, wvec3 arm)
{
    wmat3 far = wm_cross(ws_rows(m.aa), arm), old = wm_crossed(arm, m.ab);
    m.ab = (wmat3){wv_sub(m.ab.x, far.x), wv_sub(m.ab.y, far.y), wv_sub(m.ab.z, far.z)};
    wmat3 both = wm_add(wm_crossed(arm, m.ab), wm_transpose(old));
    m.bb = ws_add(m.bb, ws_upper(both));
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

static inline void accelerate_lane(const MULTIBODY *t, wreal gyroscopic, int lane)
{
    for (uint32_t i = 0; i < t->plan->link_count; ++i)
        bias_link(&t->links[i], gyroscopic, lane);
    for (uint32_t i = t->plan->link_count; i-- > 0;)
        pass_bias(t, i, lane);
    for (uint32_t i = 0; i < t->plan->link_count; ++i)
        accelerate_link(t, i, lane);
}

static void mb_accelerate(const void *tree, lode_real gyroscopic)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(gyroscopic);
    EACH_LANE
    {
        accelerate_lane(t, by, lane);
    }
}

/* ---- middle
 *
 * What velocities do to each other in q'' (w x I w, Coriolis) is quadratic in them: taken of the
 * beginning it makes the energy of what turns grow by (w h)^2 / 2 with each step, and an arm that
 * whips about has no end of that. Of the velocities in the middle, to which the first q'' leads,
 * what is left is of the third order, and to and fro; where they turn far in a step the next
 * q'' leads to better ones. */
enum { MIDDLE_ROUNDS = 2 };

/* w h that wants a first round, as all does but what stands, and a second, */
static const lode_real turns_in_step[MIDDLE_ROUNDS] = {(lode_real)0x1p-20, (lode_real)0x1p-4};

/* and, where it turns by more than this, the most times w^2 of the beginning that a middle may
 * have: each round would lead further off. */
static const lode_real hurries_by = (lode_real)0x1p-7, most_hurried = 2;

static inline wmask turns_by(lode_real turn, wreal square, wreal h)
{
    return w_gt(w_mul(square, w_mul(h, h)), w_splat(turn * turn));
}

static inline wreal fastest_square(const MULTIBODY *t, int lane)
{
    wreal most = w_zero();
    for (uint32_t i = 0; i < t->plan->link_count; ++i) {
        wvec3 w = GET3(t->links[i].w);
        most = w_max(most, wv_dot(w, w));
    }
    return most;
}

/* q'' of the velocities in the middle that change_0 leads to, to change_0, of lanes whose links'
 * fastest turned by the root of `square` at the beginning. */
static inline void change_of_middle(const MULTIBODY *t, wreal h, wreal square, wmask of, int lane)
{
    wreal half = w_mul(h, w_splat((lode_real)0.5));
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        PUT(d->speed, w_add(GET(d->speed_0), w_mul(half, GET(d->change_0))));
    }
    speed_lane(t, lane);
    wreal there = fastest_square(t, lane);
    wmask hurries = w_gt(there, w_mul(square, w_splat(most_hurried)));
    hurries = m_and(hurries, turns_by(hurries_by, there, h));
    accelerate_lane(t, w_splat(1), lane);
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        wreal a = w_select(hurries, GET(d->change_0), GET(d->change));
        PUT(d->change_0, w_select(of, a, GET(d->change_0)));
    }
}

static inline void middle_lane(const MULTIBODY *t, wreal h, int lane)
{
    wreal square = fastest_square(t, lane);
    wmask of = turns_by(turns_in_step[0], square, h);
    if (!m_any(of))
        return;
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        PUT(d->speed_0, GET(d->speed));
        PUT(d->change_0, GET(d->change));
    }
    for (int round = 1; m_any(of); ++round) {
        change_of_middle(t, h, square, of, lane);
        if (round == MIDDLE_ROUNDS)
            break;
        of = turns_by(turns_in_step[round], square, h);
    }
    for (uint32_t k = 0; k < t->plan->dof_count; ++k) {
        DOF *d = &t->dofs[k];
        PUT(d->speed, GET(d->speed_0));
        PUT(d->change, GET(d->change_0));
    }
}

static void mb_middle(const void *tree, lode_real h)
{
    const MULTIBODY *t = tree;
    wreal by = w_splat(h);
    EACH_LANE
    {
        middle_lane(t, by, lane);
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

#include "solver/articulation/multibody_move.inl"

#define MB_KERNELS(step_by, note_by, settle_by) \
    { \
        .place = mb_place, .pose = mb_pose, .speed = mb_speed, .factor = mb_factor, \
        .accelerate = mb_accelerate, .middle = mb_middle, .hurry = mb_hurry, .move = mb_move, \
        .advance = mb_advance, .step = step_by, .note = note_by, .settle = settle_by \
    }
