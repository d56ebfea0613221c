/* flock_lanes.c: what a step does with flocks (solver/articulation/flock.h) beside the dynamics of
 * the trees. Each sum and product is that of one limb by itself, in limb_motion.c, limb_load.c,
 * limb_keep.c and loose.c. This file is compiled once per instruction set. */
#include "solver/articulation/flock.h"

#include "simd/wide.h"

#define EACH_LANE for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
#define GET(field) w_load(&(field).x[lane])
#define PUT(field, value) w_store(&(field).x[lane], value)
#define GET3(field) ((wvec3){GET((field)[0]), GET((field)[1]), GET((field)[2])})
#define GET6(field) \
    ((wsym3){GET((field)[0]), GET((field)[1]), GET((field)[2]), GET((field)[3]), GET((field)[4]), \
             GET((field)[5])})

/* Where a link's record in the pools has its numbers. */
#define STATE(member) ((int)(offsetof(lode__link_state, member) / sizeof(lode_real)))
#define EXTRA(member) ((int)(offsetof(lode__link_extra, member) / sizeof(lode_real)))

enum { GIVEN = sizeof(lode__model_link) / sizeof(lode_real), ASKED = 8 };
enum { LOADED = 4 }; /* first axes of a joint whose positions come with its turn */
_Static_assert(GIVEN == 24 && sizeof(lode__model_dof) == ASKED * sizeof(lode_real),
               "they are read by fours");
_Static_assert(STATE(position) == 4 && EXTRA(slide) == 0, "so are these");
_Static_assert(STATE(outside_f) == STATE(a) + 6 && STATE(outside_n) == STATE(a) + 9 &&
                   STATE(turn_acceleration) == STATE(a) + 12,
               "they are written together");
_Static_assert(offsetof(lode__model_link, frame_c) == 17 * sizeof(lode_real),
               "what is given lies in this order");

static inline void put3(lode__lane out[3], wvec3 v, int lane)
{
    PUT(out[0], v.x);
    PUT(out[1], v.y);
    PUT(out[2], v.z);
}

static inline void put_four(lode__lane out[4], wfour f, int lane)
{
    PUT(out[0], f.r0);
    PUT(out[1], f.r1);
    PUT(out[2], f.r2);
    PUT(out[3], f.r3);
}

#include "solver/articulation/flock_load.inl"

/* ---- forces and efforts */

static inline void weigh_link(lode__flock *f, uint32_t i, wvec3 gravity, wreal inv_h, int lane)
{
    lode__mb_link_lanes *l = &f->body.links[i];
    const lode__flock_link *by = &f->links[i];
    wreal weight = w_mul(GET(l->mass[0]), w_add(w_splat(1), GET(by->scale)));
    wvec3 force = wv_add_scaled(GET3(by->force), gravity, weight);
    wreal slow = w_min(GET(by->linear_damping), inv_h);
    wreal still = w_min(GET(by->angular_damping), inv_h);
    force = wv_add_scaled(force, GET3(l->v), w_mul(w_neg(slow), GET(l->mass[0])));
    wvec3 spin = ws_mul(GET6(l->moment), GET3(l->w));
    put3(l->force, force, lane);
    put3(l->torque, wv_add_scaled(GET3(by->torque), spin, w_neg(still)), lane);
}

static void flock_weigh(lode__flock *f, lode_vec3 gravity, lode_real h)
{
    uint32_t first = f->body.plan->root_dofs ? 0 : 1;
    EACH_LANE
    {
        put3(f->body.links[0].force, wv_zero(), lane);
        put3(f->body.links[0].torque, wv_zero(), lane);
        for (uint32_t i = first; i < f->body.plan->link_count; ++i)
            weigh_link(f, i, wv_splat(gravity), w_splat(1 / h), lane);
    }
}

/* The inertia of the link alone, and of the joint's armature. */
static inline wreal least_inertia(const lode__flock *f, uint32_t k, int lane)
{
    const lode__mb_dof_lanes *d = &f->body.dofs[k];
    const lode__mb_link_lanes *l = &f->body.links[f->body.plan->link_of_dof[k]];
    wvec3 v = GET3(d->s_v), w = GET3(d->s_w);
    wreal sum = w_mul(wv_dot(v, v), GET(l->mass[0]));
    sum = w_add(sum, wv_dot(w, ws_mul(GET6(l->moment), w)));
    return w_add(sum, GET(f->dofs[k].armature));
}

/* Where the drive need not know what inertia it moves, or there is none. */
static inline wmask drive_dof(lode__flock *f, uint32_t k, wreal h, int lane)
{
    lode__flock_dof *o = &f->dofs[k];
    lode__mb_dof_lanes *d = &f->body.dofs[k];
    wmask driven = w_gt(GET(o->driven), w_zero());
    wreal stiffness = GET(o->stiffness), damping = GET(o->damping), speed = GET(d->speed[0]);
    wreal lack = w_sub(GET(o->target), GET(d->position[0])), goal = GET(o->target_velocity);
    wreal give = w_mul(h, w_add(w_mul(h, stiffness), damping));
    wreal push = w_mul(h, w_add(w_mul(stiffness, lack), w_mul(damping, goal)));
    wreal effort = w_add(w_mul(stiffness, w_sub(lack, w_mul(h, speed))),
                         w_mul(damping, w_sub(goal, speed)));
    wmask asks = w_gt(give, w_mul(w_splat(LODE__LIMB_STIFF), least_inertia(f, k, lane)));
    PUT(o->give, w_masked(driven, give));
    PUT(o->push, w_masked(driven, push));
    PUT(o->limit, w_masked(driven, w_mul(GET(o->max_force), h)));
    PUT(d->effort[0], w_select(driven, w_add(GET(o->hand), effort), GET(o->hand)));
    PUT(d->more[0], w_add(GET(o->armature), GET(o->give)));
    return m_not(m_and(driven, asks));
}

static unsigned flock_drive(lode__flock *f, lode_real h)
{
    unsigned bits = 0;
    EACH_LANE
    {
        wmask all = w_eq(w_zero(), w_zero());
        for (uint32_t k = f->body.plan->root_dofs; k < f->body.plan->dof_count; ++k)
            all = m_and(all, drive_dof(f, k, w_splat(h), lane));
        bits |= m_bits(all) << lane;
    }
    return bits;
}

/* ---- quiet */

/* As fast as it may be to come to a stop, and no further. */
static inline wreal stop_speed(wreal stop, wreal q, wreal erp, wreal h, bool low)
{
    wreal lack = w_sub(stop, q);
    wmask crossed = low ? w_gt(lack, w_zero()) : w_lt(lack, w_zero());
    return w_div(w_select(crossed, w_mul(erp, lack), lack), h);
}

/* No slower than the position of one of several turns can change, whatever its rate is
 * (solver/articulation/coordinates.h): half a turn lets one go pi / 2 times as fast as the
 * joint. */
static inline wreal fastest_turn(const lode__flock *f, uint32_t k, int lane)
{
    const lode__mb_plan *plan = f->body.plan;
    uint32_t i = plan->link_of_dof[k], first = plan->first_dof[i];
    wvec3 w = wv_zero();
    for (uint32_t t = first; t < first + plan->angles[i]; ++t) {
        const lode__mb_dof_lanes *d = &f->body.dofs[t];
        w = wv_add_scaled(w, GET3(d->s_w), GET(d->speed[0]));
    }
    return w_mul(wv_length(w), w_splat((lode_real)1.6));
}

static inline wmask is_quiet(const lode__flock *f, uint32_t k, wreal h, wreal erp, int lane)
{
    const lode__flock_dof *o = &f->dofs[k];
    wreal v = GET(f->body.dofs[k].speed[0]), q = GET(f->body.dofs[k].position[0]);
    wreal fastest = GET(o->max_velocity);
    wreal lo = stop_speed(GET(o->lo), q, erp, h, true);
    wreal hi = stop_speed(GET(o->hi), q, erp, h, false);
    bool several = lode__mb_is_of_several(f->body.plan, k);
    wreal most = several ? fastest_turn(f, k, lane) : v, least = several ? w_neg(most) : v;
    wmask between = m_and(w_ge(least, lo), w_le(most, hi));
    return m_and(between, m_and(w_ge(v, w_neg(fastest)), w_le(v, fastest)));
}

/* Its drive is within its limit. */
static inline wmask is_able(const lode__flock *f, uint32_t k, int lane)
{
    const lode__flock_dof *o = &f->dofs[k];
    wreal all = w_sub(GET(o->push), w_mul(GET(o->give), GET(f->body.dofs[k].speed[0])));
    wmask idle = m_not(w_gt(GET(o->give), w_zero()));
    return m_or(idle, w_le(w_abs(all), GET(o->limit)));
}

static unsigned flock_quiet(lode__flock *f, lode_real h, lode_real erp)
{
    unsigned bits = 0;
    EACH_LANE
    {
        wmask all = w_eq(w_zero(), w_zero());
        for (uint32_t k = f->body.plan->root_dofs; k < f->body.plan->dof_count; ++k) {
            all = m_and(all, is_quiet(f, k, w_splat(h), w_splat(erp), lane));
            all = f->driven ? m_and(all, is_able(f, k, lane)) : all;
        }
        bits |= m_bits(all) << lane;
    }
    return bits;
}

/* ---- back to the pools */

/* Nothing but what is finite is nothing when it is multiplied by it. */
static inline wreal nothing_of(wvec3 v)
{
    wreal zero = w_zero();
    return w_add(w_add(w_mul(v.x, zero), w_mul(v.y, zero)), w_mul(v.z, zero));
}

static inline wmask arrive_link(lode__flock *f, uint32_t i, wvec3 root, wvec3 way, int lane)
{
    lode__flock_link *out = &f->links[i];
    const lode__mb_link_lanes *l = &f->body.links[i];
    const lode_real *const *pose = (const lode_real *const *)f->places[i].pose + lane;
    wfour place = w_load_fours_at(pose, 0);
    wvec3 at = {place.r0, place.r1, place.r2};
    wvec3 gone = wv_add(wv_sub(GET3(l->center), wv_sub(at, root)), way), to = wv_add(at, gone);
    wreal w = GET(l->rotation[0]), x = GET(l->rotation[1]);
    wreal y = GET(l->rotation[2]), z = GET(l->rotation[3]);
    wreal square = w_add(w_add(w_mul(w, w), w_mul(x, x)), w_mul(y, y));
    square = w_add(square, w_mul(z, z));
    wfour before = w_load_fours_at(pose, 4);
    wmask same = m_and(m_and(w_eq(to.x, at.x), w_eq(to.y, at.y)), w_eq(to.z, at.z));
    same = m_and(same, m_and(w_eq(w, before.r0), w_eq(x, before.r1)));
    same = m_and(same, m_and(w_eq(y, before.r2), w_eq(z, before.r3)));
    out->posed |= m_bits(m_not(same)) << lane;
    wreal energy = w_mul(wv_dot(GET3(l->v), GET3(l->v)), w_splat((lode_real)0.5));
    out->restless |= m_bits(w_ge(energy, GET(f->threshold))) << lane;
    wreal none = w_add(w_add(nothing_of(GET3(l->v)), nothing_of(GET3(l->w))), nothing_of(gone));
    none = w_add(none, w_add(nothing_of(to), w_mul(square, w_zero())));
    put3(out->to, to, lane);
    return m_and(w_eq(none, w_zero()), w_gt(square, w_splat((lode_real)0.5)));
}

static unsigned flock_arrive(lode__flock *f)
{
    unsigned bits = 0;
    EACH_LANE
    {
        wfour place = w_load_fours_at((const lode_real *const *)f->places[0].pose + lane, 0);
        wvec3 root = {place.r0, place.r1, place.r2}, way = GET3(f->body.links[0].slide);
        wmask all = w_eq(w_zero(), w_zero());
        for (uint32_t i = f->body.plan->root_dofs ? 0 : 1; i < f->body.plan->link_count; ++i)
            all = m_and(all, arrive_link(f, i, root, way, lane));
        bits |= m_bits(all) << lane;
    }
    return bits;
}

/* The same number of eight records. */
LODE__INLINE void scatter(lode_real *const *p, int at, const lode__lane *from, unsigned bits)
{
    if (bits == (1u << LODE_LANES) - 1)
        for (int n = 0; n < LODE_LANES; ++n)
            p[n][at] = from->x[n];
    else
        for (; bits; bits &= bits - 1)
            p[__builtin_ctz(bits)][at] = from->x[__builtin_ctz(bits)];
}

LODE__INLINE void tell_body(const lode__flock *f, uint32_t i, unsigned bits, int lane)
{
    const lode__flock_link *to = &f->links[i];
    const lode__mb_link_lanes *l = &f->body.links[i];
    const lode__lane *q = l->rotation;
    lode_real *const *at = f->places[i].pose + lane;
    wreal o = w_zero();
    wline pose = {GET(to->to[0]), GET(to->to[1]), GET(to->to[2]), o,
                  GET(q[0]),      GET(q[1]),      GET(q[2]),      GET(q[3])};
    wline velocity = {GET(l->v[0]), GET(l->v[1]), GET(l->v[2]), GET(l->w[0]),
                      GET(l->w[1]), GET(l->w[2]), o,            o};
    w_store_lines_at(at, 0, bits, pose);
    w_store_lines_at(at, LODE__FLOCK_BEHIND(velocity), bits, velocity);
}

/* Of a link's turns about x, y and z. */
typedef struct turning {
    wreal about[3];
} turning;

/* What its dofs have come to, and how the step has changed their speeds. */
LODE__INLINE turning tell_dofs(lode__flock *f, uint32_t i, wreal dt, unsigned bits, int lane)
{
    const lode__mb_plan *plan = f->body.plan;
    const lode__flock_place *to = &f->places[i];
    turning of = {{w_zero(), w_zero(), w_zero()}};
    unsigned here = bits << lane;
    for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1] && i > 0; ++k) {
        const lode__mb_dof_lanes *d = &f->body.dofs[k];
        int axis = plan->axis[k], slide = axis - LODE__MB_FIRST_SLIDE;
        lode__lane *gained = &f->dofs[k].speed_begin;
        PUT(*gained, w_div(w_sub(GET(d->speed[0]), GET(*gained)), dt));
        scatter(to->state, STATE(velocity) + axis, &d->speed[0], here);
        if (slide < 0)
            of.about[axis] = GET(*gained);
        else
            scatter(to->extra, EXTRA(slide_acceleration) + slide, gained, here);
        if (axis < LOADED)
            PUT(f->links[i].at[axis], GET(d->position[0]));
        else
            scatter(to->state, STATE(position) + axis, &d->position[0], here);
    }
    return of;
}

LODE__INLINE void tell_changes(const lode__flock *f, uint32_t i, turning of, wreal per_dt,
                               unsigned bits, int lane)
{
    const lode__flock_link *to = &f->links[i];
    const lode__mb_link_lanes *l = &f->body.links[i];
    lode_real *const *state = f->places[i].state + lane;
    wvec3 a = wv_scale(wv_sub(GET3(l->v), GET3(to->before_v)), per_dt);
    wvec3 alpha = wv_scale(wv_sub(GET3(l->w), GET3(to->before_w)), per_dt);
    wvec3 none = wv_scale(wv_zero(), per_dt); /* by contacts and loops */
    wvec3 push = wv_add(GET3(l->force), none), spin = wv_add(GET3(l->torque), none);
    wline first = {a.x, a.y, a.z, alpha.x, alpha.y, alpha.z, push.x, push.y};
    wline second = {push.z,      spin.x,      spin.y,      spin.z,
                    of.about[0], of.about[1], of.about[2], w_zero()};
    w_store_lines_at(state, STATE(a), bits, first);
    w_store_lines_at(state, STATE(a) + 8, bits, second);
}

LODE__INLINE void tell_joint(const lode__flock *f, uint32_t i, unsigned bits, int lane)
{
    const lode__lane *turn = f->body.links[i].turn, *slide = f->body.links[i].slide;
    const lode__lane *at = f->links[i].at;
    lode_real *const *state = f->places[i].state;
    wline joint = {GET(turn[0]), GET(turn[1]), GET(turn[2]), GET(turn[3]),
                   GET(at[0]),   GET(at[1]),   GET(at[2]),   GET(at[3])};
    w_store_lines_at(state + lane, 0, bits, joint);
    for (int k = 0; k < 3 && lode__mb_slides(f->body.plan, i); ++k)
        scatter(f->places[i].extra, EXTRA(slide) + k, &slide[k], bits << lane);
}

LODE__INLINE void tell(lode__flock *f, lode_real dt, unsigned bits)
{
    const lode__mb_plan *plan = f->body.plan;
    EACH_LANE
    {
        unsigned here = bits >> lane & ((1u << LODE_WIDTH) - 1);
        for (uint32_t i = 0; i < plan->link_count; ++i) {
            turning of = tell_dofs(f, i, w_splat(dt), here, lane);
            tell_changes(f, i, of, w_splat(1 / dt), here, lane);
            if (i > 0)
                tell_joint(f, i, here, lane);
            if (i > 0 || plan->root_dofs > 0)
                tell_body(f, i, here, lane);
        }
    }
}

/* Mostly all. */
static void flock_tell(lode__flock *f, lode_real dt, unsigned bits)
{
    const unsigned all = (1u << LODE_LANES) - 1;
    if (bits == all)
        tell(f, dt, all);
    else
        tell(f, dt, bits);
}

extern const lode__flock_kernels LODE_KERNEL(lode__flock_kernels);

const lode__flock_kernels LODE_KERNEL(lode__flock_kernels) = {
    .read = flock_read,
    .load = flock_load,
    .begin = flock_begin,
    .weigh = flock_weigh,
    .drive = flock_drive,
    .quiet = flock_quiet,
    .arrive = flock_arrive,
    .tell = flock_tell,
};
