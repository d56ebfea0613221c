/* softness.h: how stiff the rows of each solver are.
 *
 * PGS takes ODE's view: a share `erp` of the error is corrected in one sub-step; each row of a
 * joint has its own. With `cfm` a row is a spring, the same one whatever the number of sub-steps.
 * The soft step takes the view of a damped spring, integrated implicitly (Catto, "Soft
 * constraints", GDC 2011; "Solver2D", 2024): with frequency w, damping ratio z, step h,
 *     a = h w (2 z + h w),   rate = w / (2 z + h w),   mass scale a / (1 + a),
 *     impulse scale 1 / (1 + a),
 * Contacts are such springs from the end of their surface layer on; within it they are rigid, for
 * there is no error yet that a spring would act on, and its damper would give way all the same.
 * Both end a sub-step with a pass without position error, which takes back the speed that the
 * correction added. */
#ifndef LODE_SOLVER_SOFTNESS_H
#define LODE_SOLVER_SOFTNESS_H

#include "core/math.h"
#include "core/step.h"
#include "solver/joints/joint_type.h"
#include "solver/kernels.h"

/* A long step costs no more than this many short ones. */
enum { LODE__MOST_SUB_STEPS = 64 };

/* PGS takes contacts for touching while their gap is within this share of the surface layer, and
 * lets such a gap be. A gap that may close within the sub-step is a position error of which the
 * whole is corrected at once, and impulses that are carried over integrate it: a mode that the
 * sweeps converge by a smaller share swings without end (row_solve.inl has the condition). In tall
 * stacks all slow modes do, and loaded contacts open by a hair in each swing. The soft step's
 * contacts forget, and the direct solver leaves nothing to converge; they need none of it. */
#define LODE__NEAR_SHARE ((lode_real)0.1)

static inline lode_real near_of(const lode_world_def *settings)
{
    bool swept = settings->solver != LODE_SOLVER_DIRECT;
    return swept ? LODE__NEAR_SHARE * LODE__SLOP(settings) : 0;
}

/* A gap that would close by more than a share of the surface layer in a sub-step is free to stay
 * (contact_solve.inl): with PGS by the whole of it, or tall pyramids swing and limbs are torn from
 * joints; with the soft step by this share between two bodies that move, or a house of cards falls,
 * and to what never moves any. */
#define LODE__LOOSE_SHARE ((lode_real)0.5)

#define LODE__TWO_PI ((lode_real)6.283185307179586)

/* Mixed complementarity problems (solver/lcp.h) know friction per point alone. */
static inline bool solver_has_manifolds(const lode_world_def *settings)
{
    return settings->solver == LODE_SOLVER_PGS || settings->solver == LODE_SOLVER_SOFT_STEP;
}

static inline lode_real push_of(const lode_world_def *settings)
{
    return r_min(LODE__SPEED(settings, settings->max_correcting_velocity), LODE__UNBOUNDED);
}

static inline bool is_second_order(const lode_world_def *settings)
{
    return settings->integrator == LODE_INTEGRATOR_SECOND_ORDER;
}

/* Of second order rows are solved against the forces of half a sub-step, and then again against
 * those of the other half: what they have at the end is the double of what they begin with. */
static inline lode_real carry_of(const lode_world_def *settings)
{
    return is_second_order(settings) ? (lode_real)0.5 : 1;
}

static inline bool friction_is_cone(const lode_world_def *settings)
{
    return settings->friction_model == LODE_FRICTION_CONE;
}

static inline bool friction_is_whole(const lode_world_def *settings)
{
    return settings->friction_per_manifold && solver_has_manifolds(settings);
}

/* ODE's pair of numbers; a negative erp is none. */
typedef struct row_softness {
    lode_real erp, cfm;
} row_softness;

/* What a pair means in one of `n` sub-steps. Rows without cfm correct the share erp in each, as
 * hard as it goes. With it they are a spring and damper, k = erp / (cfm dt) and d = (1 - erp) / cfm
 * over a whole step dt = n h; over h that is erp = h k / (h k + d), cfm = 1 / (h k + d). */
static inline row_softness softness_of_sub_step(row_softness s, int n)
{
    if (n == 1 || !(s.cfm > 0) || !(s.erp > 0))
        return s;
    lode_real share = s.erp / (lode_real)n, sum = 1 - s.erp + share;
    return (row_softness){share / sum, s.cfm / sum};
}

static inline lode__softness softness_pgs(const lode_world_def *settings, lode_real h,
                                          int sub_steps)
{
    row_softness row = softness_of_sub_step((row_softness){settings->erp, settings->cfm},
                                            sub_steps);
    lode_real inv_h = 1 / h;
    return (lode__softness){
        .rate = row.erp * inv_h,
        .gamma = r_min(row.cfm * inv_h, LODE__UNBOUNDED),
        .relaxation = settings->solver == LODE_SOLVER_PER_JOINT ? 1 : settings->over_relaxation,
        .mass_scale = 1,
        .impulse_scale = 0,
        .joint_mass_scale = 1,
        .slop = LODE__SLOP(settings),
        .near = near_of(settings),
        .loose = LODE__SLOP(settings) * inv_h,
        .loose_still = LODE__SLOP(settings) * inv_h,
        .max_speed = push_of(settings),
        .bounce_speed = LODE__SPEED(settings, settings->restitution_threshold),
        .inv_h = inv_h,
        .carry = carry_of(settings),
        .tell = 1,
        .joint_rate = settings->erp * inv_h,
        .forget = settings->solver == LODE_SOLVER_PER_JOINT ? LODE__UNBOUNDED : 1,
        .cone = friction_is_cone(settings),
        .friction_per_manifold = friction_is_whole(settings),
    };
}

typedef struct spring {
    lode_real rate, mass_scale, impulse_scale;
} spring;

static inline spring spring_of(lode_real frequency, lode_real damping, lode_real h)
{
    lode_real w = LODE__TWO_PI * frequency;
    lode_real b = 2 * damping + h * w, a = h * w * b, c = 1 / (1 + a);
    return (spring){w / b, a * c, c};
}

/* Springs stiffer than a quarter of the sub-step rate would ring. */
static inline lode__softness softness_soft_step(const lode_world_def *settings, lode_real h)
{
    lode_real inv_h = 1 / h, limit = (lode_real)0.25 * inv_h;
    lode_real relaxation = settings->over_relaxation;
    lode_real frequency = r_min(settings->contact_frequency, limit);
    spring contact = spring_of(frequency, settings->contact_damping, h);
    spring joint = spring_of(r_min(2 * settings->contact_frequency, limit), 2, h);
    return (lode__softness){
        .rate = contact.rate,
        .gamma = 0,
        .relaxation = relaxation,
        .mass_scale = contact.mass_scale,
        .impulse_scale = relaxation * contact.impulse_scale,
        .joint_mass_scale = joint.mass_scale,
        .joint_impulse_scale = relaxation * joint.impulse_scale,
        .slop = LODE__SLOP(settings),
        .near = near_of(settings),
        .loose = LODE__LOOSE_SHARE * LODE__SLOP(settings) * inv_h,
        .max_speed = push_of(settings),
        .bounce_speed = LODE__SPEED(settings, settings->restitution_threshold),
        .inv_h = inv_h,
        .carry = carry_of(settings),
        .tell = 1,
        .joint_rate = joint.rate,
        .forget = 1,
        .cone = friction_is_cone(settings),
        .friction_per_manifold = friction_is_whole(settings),
    };
}

/* Of contacts in islands with nets. What a link is pushed by, its net carries on to the load, and
 * all of that is work; and where friction holds what is wedged in, pushes grow without end, since a
 * net lets nothing give. So velocities are told nothing of what overlaps, and bodies are moved
 * apart once they have moved (solver/contact_part.inl); unless the world makes contacts springs. */
static inline lode__softness softness_netted(lode__softness s)
{
    if (s.gamma > 0)
        return s;
    s.rate = 0;
    s.mass_scale = 1;
    s.impulse_scale = 0;
    return s;
}

/* Of iterations that are many. While rows that open count as rows that hold, which solving all
 * points of a contact at once does (contact_solve.inl), sweeps come near a solution and never to
 * it. */
static inline lode__softness softness_settled(lode__softness s)
{
    s.apart = true;
    return s;
}

/* Of the relax pass: rigid, and blind to the position error. Rows that cfm makes springs keep what
 * they have: without the error, nothing would hold them. All gaps of three or four points are free
 * to stay: as rows that close they gave what lies on three corners a speed in each sub-step, so
 * that heaps lay still and stayed awake. */
static inline lode__softness softness_relax(lode__softness s)
{
    s.relax = true;
    s.relaxation = 1;
    s.rate = s.joint_rate = 0;
    s.mass_scale = s.gamma > 0 ? 0 : 1;
    s.joint_mass_scale = 1;
    s.impulse_scale = s.joint_impulse_scale = 0;
    s.loose = s.loose_still = 0;
    return s;
}

/* Sub-steps of a step of `dt` seconds: as many as asked for, or the number that brings their length
 * nearest to the one asked for; the direct solver, which needs no help to converge, takes one. */
static inline int sub_steps_of(const lode_world_def *settings, lode_real dt)
{
    if (settings->sub_steps > 0)
        return settings->sub_steps;
    if (settings->solver == LODE_SOLVER_DIRECT)
        return 1;
    lode_real count = dt / settings->sub_step_length + (lode_real)0.5;
    if (count < 1)
        return 1;
    return count < LODE__MOST_SUB_STEPS ? (int)count : LODE__MOST_SUB_STEPS;
}

/* Of each sub-step. */
static inline lode__softness softness_of(const lode__step *step)
{
    const lode_world_def *settings = step->settings;
    lode_real h = step->dt / (lode_real)step->sub_steps;
    return settings->solver == LODE_SOLVER_SOFT_STEP ? softness_soft_step(settings, h)
                                                     : softness_pgs(settings, h, step->sub_steps);
}

/* --- of joints */

/* The first that is not negative. */
static inline lode_real said(lode_real first, lode_real second)
{
    return first < 0 ? second : first;
}

/* Of the rows that a joint always has: its own or the world's with PGS, else the solver's. */
static inline row_softness softness_of_joint(const lode__step *step, const lode__joint *joint)
{
    const lode_world_def *settings = step->settings;
    if (settings->solver == LODE_SOLVER_SOFT_STEP)
        return (row_softness){-1, 0};
    return softness_of_sub_step(
        (row_softness){said(joint->erp, settings->erp), said(joint->cfm, settings->cfm)},
        step->sub_steps);
}

/* Motors have no position error; a servo of speed s (x - p) - cfm F, with p where it comes to in
 * the sub-step, is one with all of that divided by 1 + h s. Stops that yield are springs with every
 * solver; others are as hard as the joint's rows. */
static inline row_softness softness_of_extra(const lode__step *step, const lode__joint *joint,
                                             lode__joint_extra extra, const lode_joint_axis *axis)
{
    const lode_world_def *settings = step->settings;
    bool soft_step = settings->solver == LODE_SOLVER_SOFT_STEP;
    lode_real own_cfm = soft_step ? 0 : said(joint->cfm, settings->cfm);
    if (!extra.stop) {
        lode_real h = step->dt / (lode_real)step->sub_steps;
        return (row_softness){0, said(axis->cfm, own_cfm) / (1 + h * axis->servo)};
    }
    if (soft_step && !(axis->stop_cfm > 0))
        return softness_of_joint(step, joint);
    row_softness stop = {said(axis->stop_erp, said(joint->erp, settings->erp)),
                         said(axis->stop_cfm, own_cfm)};
    return softness_of_sub_step(stop, step->sub_steps);
}

#endif
