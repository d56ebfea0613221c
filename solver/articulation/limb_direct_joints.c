/* limb_direct_joints.c: what the joints of a limb ask for, as rows of a mixed LCP: the laws that
 * limb_joints.c and pulls.c have, whose sweeps come to the same.
 *
 * *A drive with a limit* exerts T = P - B q', but no more than its limit L:
 *     q' + T / B = P / B,   -L <= T <= L,
 * a row with softness 1 / B whose impulse is all that the drive exerts.
 * *A motor's envelope* makes L follow from the speed that it leads to. L is found anew from each
 * solution, as a sweep finds it: with what the effort changes of the dof's own speed taken into
 * account, until it is what it was.
 * *Friction* holds up to its static limit, where it slides with the dynamic one. Which rows slide
 * is found by rounds, in which one that slides does so to the end.
 * *Range.* A floor pushes up only, a ceiling down only. Stops and limits of speed are one where
 * they act on the same; of several turns they do not.
 * *Pulls.* With l = -x the implicit spring of pulls.c, b = h (h k + d), is
 *     L' + x / b = -h k (L - rest) / b,
 * and the one of its limits, beyond hi for one, x <= 0 with L' + x / (h^2 k_lim) = -(L - hi) /
 * h. */
#include "solver/articulation/limb_direct.h"

#include <string.h>

/* What limits may change by in a round and be the same. */
#define SAME 1e-11

#define LINK(solver, component, slot) LODE__AT(link, (solver)->limbs.links, component, slot)

/* ---- listing */

static const lode__link_axis *axis_of(const lode__solver *solver, const lode__limb *limb,
                                      uint32_t k)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    return &LINK(solver, axes, limb->model->link[plan->link_of_dof[k]])->axis[plan->axis[k]];
}

static uint32_t add(lode__limb_joint_row *out, uint32_t count, uint32_t at, int kind)
{
    if (out)
        out[count] = (lode__limb_joint_row){at, (uint8_t)kind};
    return count + 1;
}

/* Rows of a dof follow each other. */
uint32_t lode__limb_joints_list(const lode__solver *solver, const lode__limb *limb,
                                lode__limb_joint_row *out)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    uint32_t n = 0;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k) {
        const lode__link_axis *axis = axis_of(solver, limb, k);
        if (lode__axis_drive_is_limited(axis))
            n = add(out, n, k, LODE__LIMB_DRIVE);
        if (limb->model->rubs)
            n = add(out, n, k, LODE__LIMB_FRICTION);
        bool held = r_finite(axis->max_velocity), several = lode__mb_is_of_several(plan, k);
        if ((held && !several) || limb->model->asked[k].lo > -REAL_MAX)
            n = add(out, n, k, LODE__LIMB_FLOOR);
        if ((held && !several) || limb->model->asked[k].hi < REAL_MAX)
            n = add(out, n, k, LODE__LIMB_CEILING);
        for (int kind = LODE__LIMB_SPEED_FLOOR; kind <= LODE__LIMB_SPEED_CEILING; ++kind)
            n = held && several ? add(out, n, k, kind) : n;
    }
    for (uint32_t i = 0; i < limb->pulls.count; ++i)
        for (int kind = LODE__LIMB_PULL; kind <= LODE__LIMB_PULL_HIGH; ++kind)
            n = add(out, n, i, kind);
    return n;
}

/* ---- vectors */

static bool is_pull(const lode__limb_joint_row *row)
{
    return row->kind >= LODE__LIMB_PULL;
}

static bool is_range(const lode__limb_joint_row *row)
{
    return row->kind == LODE__LIMB_FLOOR || row->kind == LODE__LIMB_CEILING;
}

/* Does it act on the rate of a position that several speeds make together? */
static bool is_of_several(const lode__limb *limb, const lode__limb_joint_row *row)
{
    return is_range(row) && limb->dofs[row->at].rate.count > 1;
}

/* Do both act on the same? */
static bool are_alike(const lode__limb *limb, const lode__limb_joint_row *a,
                      const lode__limb_joint_row *b)
{
    return a->at == b->at && is_pull(a) == is_pull(b) &&
           (is_pull(a) || is_of_several(limb, a) == is_of_several(limb, b));
}

static void add_halves(const lode__multibody *tree, const lode_real *by, double sign, double *half)
{
    for (uint32_t k = 0; k < tree->plan->dof_count; ++k)
        if (by[k] != 0)
            lode__mb_add_dof_half(tree, k, sign * (double)by[k], half);
}

static void read_vectors(const lode__limb *limb, const lode__limb_joint_row *row, double *feels,
                         double *gives)
{
    const lode__multibody *tree = &limb->model->body;
    if (is_pull(row)) {
        add_halves(tree, limb->pulls.at[row->at].gradient, 1, feels);
        add_halves(tree, limb->pulls.at[row->at].push, -1, gives);
    } else {
        const lode__mb_rate own = lode__mb_rate_alone(row->at);
        const lode__mb_rate *rate = is_range(row) ? &limb->dofs[row->at].rate : &own;
        for (uint32_t t = 0; t < rate->count; ++t)
            lode__mb_add_dof_half(tree, rate->first + t, (double)rate->by[t], feels);
        memcpy(gives, feels, tree->plan->dof_count * sizeof *gives);
    }
    for (uint32_t k = 0; k < tree->plan->dof_count; ++k)
        gives[k] *= (double)tree->dofs[k].inv_d[0];
}

/* Those of several rows of a dof or pull are the same. */
static void read_all_vectors(const lode__limb_direct *direct, const lode__limb_joints *joints)
{
    const lode__limb_block *block = &direct->system.blocks[joints->block];
    const lode__limb_tie *tie = &direct->system.ties[block->tie];
    size_t width = direct->system.nodes[tie->node].width;
    memset(tie->feels, 0, block->rows * width * sizeof(double));
    memset(tie->gives, 0, block->rows * width * sizeof(double));
    for (uint32_t r = 0; r < joints->row_count; ++r) {
        const lode__limb_joint_row *row = &joints->rows[r];
        double *feels = lode__limb_feels(&direct->system, tie, r);
        double *gives = lode__limb_gives(&direct->system, tie, r);
        if (r > 0 && are_alike(joints->limb, row - 1, row)) {
            memcpy(feels, feels - width, width * sizeof *feels);
            memcpy(gives, gives - width, width * sizeof *gives);
        } else
            read_vectors(joints->limb, row, feels, gives);
    }
}

/* ---- what rows ask for */

static const lode__limb_asked nothing = {.master = LODE__LCP_NONE};

static lode__limb_asked ask_drive(const lode__limb_dof *dof)
{
    if (!(dof->give > 0))
        return nothing;
    double give = dof->give, limit = dof->axis->max_effort > 0 ? 0 : (double)dof->drive_limit;
    return (lode__limb_asked){.c = (double)dof->push / give,
                              .gamma = 1 / give,
                              .lo = -limit,
                              .hi = limit,
                              .master = LODE__LCP_NONE};
}

static lode__limb_asked ask_friction(const lode__limb_dof *dof)
{
    return (lode__limb_asked){
        .lo = -(double)dof->hold, .hi = (double)dof->hold, .master = LODE__LCP_NONE};
}

/* The least speed of a dof, and the largest. */
static lode_real floor_of(const lode__limb_dof *dof)
{
    if (dof->rate.count > 1)
        return dof->lo;
    return r_min(r_max(dof->lo, -dof->axis->max_velocity), dof->axis->max_velocity);
}

static lode_real ceiling_of(const lode__limb_dof *dof)
{
    if (dof->rate.count > 1)
        return dof->hi;
    return r_min(r_max(dof->hi, -dof->axis->max_velocity), dof->axis->max_velocity);
}

static lode__limb_asked ask_range(lode_real speed, bool up)
{
    if (!r_finite(speed))
        return nothing;
    return (lode__limb_asked){.c = (double)speed,
                              .lo = up ? 0 : -INFINITY,
                              .hi = up ? INFINITY : 0,
                              .master = LODE__LCP_NONE};
}

static lode__limb_asked ask_pull(const lode__limb_pull *pull, double h)
{
    double give = h * (h * (double)pull->stiffness + (double)pull->damping);
    double force = (double)pull->stiffness * (double)(pull->length - pull->rest);
    if (!pull->hard && !(give > 0))
        return nothing;
    return (lode__limb_asked){.c = pull->hard ? (double)pull->wanted : -h * force / give,
                              .gamma = pull->hard ? 0 : 1 / give,
                              .lo = -INFINITY,
                              .hi = INFINITY,
                              .master = LODE__LCP_NONE};
}

static lode__limb_asked ask_pull_limit(const lode__limb_pull *pull, double h, bool high)
{
    double beyond = (double)(pull->length - (high ? pull->hi : pull->lo));
    double stiffness = pull->limit_stiffness;
    if (!(stiffness > 0) || pull->lo > pull->hi)
        return nothing;
    return (lode__limb_asked){.c = -beyond / h,
                              .gamma = 1 / (h * h * stiffness),
                              .lo = high ? -INFINITY : 0,
                              .hi = high ? 0 : INFINITY,
                              .master = LODE__LCP_NONE};
}

static lode__limb_asked ask(const lode__limb *limb, const lode__limb_joint_row *row)
{
    const lode__limb_dof *dof = is_pull(row) ? NULL : &limb->dofs[row->at];
    const lode__limb_pull *pull = is_pull(row) ? &limb->pulls.at[row->at] : NULL;
    double h = limb->h;
    if (limb->flies)
        return nothing;
    switch (row->kind) {
    case LODE__LIMB_DRIVE:
        return ask_drive(dof);
    case LODE__LIMB_FRICTION:
        return ask_friction(dof);
    case LODE__LIMB_FLOOR:
        return ask_range(floor_of(dof), true);
    case LODE__LIMB_CEILING:
        return ask_range(ceiling_of(dof), false);
    case LODE__LIMB_SPEED_FLOOR:
        return ask_range(-dof->axis->max_velocity, true);
    case LODE__LIMB_SPEED_CEILING:
        return ask_range(dof->axis->max_velocity, false);
    case LODE__LIMB_PULL:
        return ask_pull(pull, h);
    default:
        return ask_pull_limit(pull, h, row->kind == LODE__LIMB_PULL_HIGH);
    }
}

static bool pushes_up(const lode__limb_joint_row *row)
{
    return row->kind == LODE__LIMB_FLOOR || row->kind == LODE__LIMB_SPEED_FLOOR;
}

/* What a row began with or had in the last sub-step. */
static double guess(const lode__limb *limb, const lode__limb_joint_row *row)
{
    if (is_pull(row))
        return row->kind == LODE__LIMB_PULL ? -(double)limb->pulls.at[row->at].impulse : 0;
    const lode__limb_dof *dof = &limb->dofs[row->at];
    const lode_real *impulse = dof->impulse;
    double speed = impulse[LODE__DOF_SPEED_LIMIT], stops = impulse[LODE__DOF_STOPS];
    double range = dof->rate.count == 1 ? stops + speed : is_range(row) ? stops : speed;
    switch (row->kind) {
    case LODE__LIMB_DRIVE:
        return impulse[LODE__DOF_AT_LIMIT];
    case LODE__LIMB_FRICTION:
        return impulse[LODE__DOF_FRICTION];
    default:
        return (range > 0) == pushes_up(row) ? range : 0;
    }
}

/* Is it a spring, which a second solution leaves as it is? */
static bool is_soft(const lode__limb_asked *asked)
{
    return asked->gamma > 0;
}

void lode__limb_joints_read(const lode__limb_direct *direct, const lode__limb_joints *joints,
                            bool again)
{
    if (joints->row_count == 0)
        return;
    uint32_t first = direct->system.blocks[joints->block].row;
    read_all_vectors(direct, joints);
    for (uint32_t r = 0; r < joints->row_count; ++r) {
        lode__limb_asked *asked = &direct->system.asked[first + r];
        double *x = &direct->system.x[first + r];
        *asked = ask(joints->limb, &joints->rows[r]);
        joints->slides[r] = false;
        if (!again)
            *x = guess(joints->limb, &joints->rows[r]);
        if (again && is_soft(asked))
            asked->lo = asked->hi = *x;
    }
}

/* ---- limits that follow from the solution */

/* Is a limit, but for rounding, another? */
static bool differs(double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return fabs(a - b) > SAME * size;
}

static bool set_limits(lode__limb_asked *asked, double lo, double hi)
{
    bool other = differs(asked->lo, lo) || differs(asked->hi, hi);
    asked->lo = lo;
    asked->hi = hi;
    return other;
}

/* One that slides has what it slides with. */
static bool mend_friction(const lode__limb_joints *joints, uint32_t r, lode__limb_asked *asked,
                          double x)
{
    const lode__limb_dof *dof = &joints->limb->dofs[joints->rows[r].at];
    bool held = x > asked->lo && x < asked->hi;
    if (joints->slides[r] || held || !(dof->hold > dof->slide))
        return false;
    joints->slides[r] = true;
    return set_limits(asked, -(double)dof->slide, (double)dof->slide);
}

/* The drive's part of what the envelope leaves in one direction. */
static double most_of_motor(const lode__limb *limb, const lode__limb_dof *dof, int sign,
                            double idle, double answer)
{
    double most = lode__limb_envelope(dof, sign, idle, answer, limb->h);
    return most > 0 ? sign * most - (double)dof->hand : 0;
}

static bool mend_motor(const lode__limb_direct *direct, const lode__limb_joints *joints, uint32_t r,
                       lode__limb_asked *asked, double x, double speed)
{
    const lode__limb_dof *dof = &joints->limb->dofs[joints->rows[r].at];
    const lode__limb_block *block = &direct->system.blocks[joints->block];
    if (!(dof->axis->max_effort > 0) || !(dof->give > 0))
        return false;
    double answer = lode__limb_row_answer(&direct->system, block, r);
    double idle = speed - answer * (x + (double)dof->hand);
    double hi = most_of_motor(joints->limb, dof, 1, idle, answer);
    double lo = most_of_motor(joints->limb, dof, -1, idle, answer);
    return set_limits(asked, lo < hi ? lo : hi, hi);
}

bool lode__limb_joints_mend(const lode__limb_direct *direct, const lode__limb_joints *joints)
{
    bool mended = false;
    if (joints->row_count == 0 || joints->limb->flies)
        return false;
    const lode__limb_block *block = &direct->system.blocks[joints->block];
    double *speed = direct->system.nodes[direct->system.ties[block->tie].node].change;
    lode__mb_to_speeds(&joints->limb->model->body, speed, direct->system.moves);
    for (uint32_t r = 0; r < joints->row_count; ++r) {
        uint32_t i = block->row + r, k = joints->rows[r].at;
        lode__limb_asked *asked = &direct->system.asked[i];
        double x = direct->system.x[i];
        if (joints->rows[r].kind == LODE__LIMB_FRICTION)
            mended = mend_friction(joints, r, asked, x) || mended;
        else if (joints->rows[r].kind == LODE__LIMB_DRIVE)
            mended = mend_motor(direct, joints, r, asked, x,
                                speed[k] + (double)joints->limb->speed[k]) ||
                     mended;
    }
    return mended;
}

/* ---- and back */

static void write_pull(lode__limb_pull *pull, uint8_t kind, double x)
{
    pull->impulse = (kind == LODE__LIMB_PULL ? 0 : pull->impulse) - (lode_real)x;
    if (kind == LODE__LIMB_PULL)
        pull->side = 0;
    else if (x != 0)
        pull->side = kind == LODE__LIMB_PULL_HIGH ? 1 : -1;
}

static void write_dof(lode__limb *limb, const lode__limb_joint_row *row,
                      const lode__limb_asked *asked, double x)
{
    lode__limb_dof *dof = &limb->dofs[row->at];
    double speed = limb->speed[row->at];
    if (row->kind == LODE__LIMB_DRIVE) {
        bool within = differs(x, asked->lo) && differs(x, asked->hi);
        dof->impulse[LODE__DOF_AT_LIMIT] = within ? 0 : (lode_real)x;
    } else if (row->kind == LODE__LIMB_FRICTION) {
        dof->impulse[LODE__DOF_FRICTION] = (lode_real)(x - (double)dof->viscous * speed);
    } else {
        bool stops = is_range(row) &&
                     (pushes_up(row) ? dof->lo == floor_of(dof) : dof->hi == ceiling_of(dof));
        dof->impulse[stops ? LODE__DOF_STOPS : LODE__DOF_SPEED_LIMIT] += (lode_real)x;
    }
}

/* By how much a row misses what it asks for, as a speed. */
static double missed_by(const lode__limb_system *system, const lode__limb_block *block, uint32_t r)
{
    const lode__limb_asked *asked = &system->asked[block->row + r];
    double x = system->x[block->row + r], own = lode__limb_row_answer(system, block, r);
    double weight = (own > 0 ? own : 0) + asked->gamma;
    double w = lode__limb_row_speed(system, block, r) + asked->gamma * x - asked->c;
    w -= own < 0 ? own * x : 0; /* a tendon that feeds itself */
    double to = lode__lcp_clamp(x - w / weight, (lode__lcp_range){asked->lo, asked->hi});
    return weight > 0 ? fabs(to - x) * weight : 0;
}

void lode__limb_joints_write(const lode__limb_direct *direct, const lode__limb_joints *joints)
{
    lode__limb *limb = joints->limb;
    const lode__mb_plan *plan = limb->model->body.plan;
    limb->residual = (lode__limb_residual){.rows = joints->row_count};
    limb->idle = joints->row_count == 0;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        memset(limb->dofs[k].impulse, 0, sizeof limb->dofs[k].impulse);
    for (uint32_t r = 0; r < joints->row_count; ++r) {
        const lode__limb_joint_row *row = &joints->rows[r];
        const lode__limb_block *block = &direct->system.blocks[joints->block];
        double x = direct->system.x[block->row + r];
        if (is_pull(row))
            write_pull(&limb->pulls.at[row->at], row->kind, x);
        else
            write_dof(limb, row, &direct->system.asked[block->row + r], x);
        lode_real missed = (lode_real)missed_by(&direct->system, block, r);
        limb->residual.squares += missed * missed;
        limb->residual.most = r_max(limb->residual.most, missed);
    }
}
