/* loose.inl: what a step does with one loose limb (solver/articulation/loose.h) beside the dynamics
 * of its tree and the rows of its joints: forces from the pools, and all that it leaves there. */
#include "core/bodies.h"
#include "solver/articulation/access.inl"
#include "solver/articulation/loose.h"
#include "solver/write_back.h"

#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define LINK_AT(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)

enum { lane = 0 };

/* Just three numbers. */
static inline void put_three(lode_real *out, wvec3 v)
{
    w_store(out, wv_x(v));
    w_store(out + 1, wv_y(v));
    w_store(out + 2, wv_z(v));
}

static inline wvec3 vector_of(const lode_vec3 *v)
{
    return wv_make(w_load(&v->x), w_load(&v->y), w_load(&v->z));
}

/* ---- forces */

/* The scale of gravity, less 1. */
static inline lode_real extra_gravity(const lode__solver *solver, const lode__limb *limb,
                                      uint32_t body)
{
    bool own = limb->scaled && (*BODY(solver, flags, body) & LODE__BODY_SCALED);
    return own ? BODY(solver, traits, body)->gravity_scale - 1 : 0;
}

/* Gravity, what acts on it from outside, and its damping, which takes no more than there is. */
static inline void weigh_link(const lode__solve_work *work, const lode__limb *limb, uint32_t i,
                              wvec3 gravity, wreal inv_h)
{
    lode__mb_link *l = &limb->model->body.links[i];
    const lode__model_link *given = &limb->model->given[i];
    static const lode__force none;
    const lode__force *pushed = limb->model->pushed
                                    ? BODY(work->solver, force, limb->model->bodies[i])
                                    : &none;
    const lode_real *by = &pushed->force.x;
    lode_real extra = extra_gravity(work->solver, limb, limb->model->bodies[i]);
    wreal mass = GET(l->mass), weight = w_mul(mass, w_splat(1 + extra));
    wvec3 force = wv_add_scaled(GET3(by), gravity, weight), v = GET3(l->v);
    wreal slow = w_min(w_splat(given->linear_damping), inv_h);
    wreal still = w_min(w_splat(given->angular_damping), inv_h);
    PUT3(l->force, wv_add_scaled(force, v, w_mul(w_neg(slow), mass)));
    wvec3 spin = ws_mul(GET6(l->moment), GET3(l->w));
    PUT3(l->torque, wv_add_scaled(GET3_AT(by, 3), spin, w_neg(still)));
}

static void loose_weigh(const lode__solve_work *work, const lode__limb *limb)
{
    const lode__multibody *body = &limb->model->body;
    const lode_vec3 *down = &work->step->settings->gravity;
    wvec3 gravity = vector_of(down);
    PUT3(body->links[0].force, wv_zero());
    PUT3(body->links[0].torque, wv_zero());
    for (uint32_t i = body->plan->root_dofs ? 0 : 1; i < body->plan->link_count; ++i)
        weigh_link(work, limb, i, gravity, w_splat(1 / work->h));
}

/* ---- back to the pools */

/* Is all so small that whatever is made of it is finite, and each rotation one? */
static inline bool is_surely_sound(const lode__model *model, wvec3 root, wvec3 way)
{
    const lode_real most = (lode_real)1e15;
    wvec3 far = wv_add(wv_abs(root), wv_abs(way));
    wmask turned = w_eq(w_zero(), w_zero());
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
        const lode__mb_link *l = &model->body.links[i];
        wquat q = GET4(l->rotation);
        wvec3 u = wq_vector(q);
        wreal square = w_add(w_mul(wq_scalar(q), wq_scalar(q)), wv_dot(u, u));
        far = wv_add(wv_add(far, wv_abs(GET3(l->v))), wv_abs(GET3(l->w)));
        far = wv_add(far, wv_abs(GET3(l->center)));
        turned = m_and(turned, w_gt(square, w_splat((lode_real)0.75)));
    }
    wreal sum = w_add(w_add(wv_x(far), wv_y(far)), wv_z(far));
    return m_all(m_and(turned, w_lt(sum, w_splat(most))));
}

/* Returns whether its pose is another than before. */
static inline bool keep_pose(const lode__solver *solver, const lode__mb_link *l, uint32_t body,
                             wvec3 root, wvec3 way)
{
    lode__pose *pose = BODY(solver, pose, body);
    lode_real *p = &pose->position.x, *r = &pose->rotation.w;
    wvec3 at = GET3(p);
    wvec3 gone = wv_add(wv_sub(GET3(l->center), wv_sub(at, root)), way), to = wv_add(at, gone);
    wquat before = GET4(r), q = GET4(l->rotation);
    wmask same = m_and(wv_same(to, at), wv_same(wq_vector(q), wq_vector(before)));
    same = m_and(same, w_eq(wq_scalar(q), wq_scalar(before)));
    PUT3(p, to);
    pose->pad = 0;
    PUT4(r, q);
    return !m_all(same);
}

static inline void keep_velocity(const lode__solver *solver, uint32_t body, wvec3 v, wvec3 w)
{
    lode__velocity *velocity = BODY(solver, velocity, body);
    lode_real *to = &velocity->linear.x;
    PUT3(to, v);
    PUT3_AT(to, 3, w);
    velocity->pad[0] = velocity->pad[1] = 0;
}

/* One that may move. */
static inline void keep_body(const lode__solver *solver, const lode__mb_link *l, uint32_t body,
                             wvec3 root, wvec3 way, wreal threshold)
{
    wvec3 v = GET3(l->v);
    int32_t line = line_of_body(solver->bodies, body);
    bool restless = m_all(w_ge(w_mul(wv_dot(v, v), w_splat((lode_real)0.5)), threshold));
    solver->state->posed[line] = keep_pose(solver, l, body, root, way);
    solver->islands.ready[line] = restless ? LODE__RESTLESS : 0;
    keep_velocity(solver, body, v, GET3(l->w));
}

/* How the step has changed it; contacts and loops have not. */
static inline void keep_changes(const lode__mb_link *l, const lode__velocity *before, wreal per_dt,
                                lode__link_state *state)
{
    const lode_real *v = &before->linear.x, *w = &before->angular.x;
    lode_real *a = &state->a.x, *alpha = &state->alpha.x, *f = &state->outside_f.x;
    lode_real *turning = state->turn_acceleration;
    wvec3 none = wv_scale(wv_zero(), per_dt);
    PUT3(a, wv_scale(wv_sub(GET3(l->v), GET3(v)), per_dt)); /* each puts right the one before */
    PUT3(alpha, wv_scale(wv_sub(GET3(l->w), GET3(w)), per_dt));
    PUT3(f, wv_add(GET3(l->force), none));
    put_three(&state->outside_n.x, wv_add(GET3(l->torque), none));
    PUT4(turning, wq_make(w_zero(), wv_zero()));
}

static inline void keep_joint(const lode__limb *limb, uint32_t i, lode_real dt,
                              lode__link_state *state, lode__link_extra *extra)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    const lode__mb_link *l = &limb->model->body.links[i];
    lode_real *turn = &state->turn.w;
    PUT4(turn, GET4(l->turn));
    if (lode__mb_slides(plan, i))
        put_three(&extra->slide.x, GET3(l->slide));
    for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
        limb_keep_dof(limb, k, dt, state, extra);
}

static bool loose_keep(const lode__solver *solver, const lode__step *step, const lode__limb *limb)
{
    const lode__model *model = limb->model;
    const lode__articulation_numbers *numbers = LODE__AT(articulation, solver->limbs.articulations,
                                                         numbers, limb->slot);
    const lode_real *at = &BODY(solver, pose, model->bodies[0])->position.x;
    wvec3 root = GET3(at), way = GET3(model->body.links[0].slide);
    if (!is_surely_sound(model, root, way))
        return false;
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
        const lode__mb_link *l = &model->body.links[i];
        lode__link_state *state = LINK_AT(solver, state, model->link[i]);
        if (i > 0 || model->body.plan->root_dofs > 0)
            keep_body(solver, l, model->bodies[i], root, way, w_splat(numbers->sleep_threshold));
        keep_changes(l, &limb->before[i], w_splat(1 / step->dt), state);
        if (i > 0)
            keep_joint(limb, i, step->dt, state, LINK_AT(solver, extra, model->link[i]));
    }
    return true;
}

#define LOOSE_KERNELS \
    { \
        .weigh = loose_weigh, .keep = loose_keep \
    }
