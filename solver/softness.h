/* softness.h: how stiff the rows of each solver are.
 *
 * PGS takes ODE's view: a share `erp` of the error is corrected in one step and `cfm` softens the
 * row. The soft step takes the view of a damped spring, integrated implicitly (Catto, "Soft
 * constraints", GDC 2011; "Solver2D", 2024): with frequency w, damping ratio z, step h,
 *     a = h w (2 z + h w),   rate = w / (2 z + h w),   mass scale a / (1 + a),
 *     impulse scale 1 / (1 + a),
 * followed by a pass without position error that takes back the speed it added. */
#ifndef LODE_SOLVER_SOFTNESS_H
#define LODE_SOLVER_SOFTNESS_H

#include "core/math.h"
#include "core/step.h"
#include "solver/kernels.h"

#define LODE__TWO_PI ((lode_real)6.283185307179586)

static inline lode__softness softness_pgs(const lode_world_def *settings, lode_real h)
{
    lode_real inv_h = 1 / h;
    return (lode__softness){
        .rate = settings->erp * inv_h,
        .gamma = r_min(settings->cfm * inv_h, LODE__UNBOUNDED),
        .relaxation = settings->over_relaxation,
        .mass_scale = 1,
        .impulse_scale = 0,
        .joint_mass_scale = 1,
        .joint_impulse_scale = 0,
        .slop = LODE__SLOP(settings),
        .max_speed = settings->max_correcting_velocity,
        .bounce_speed = settings->restitution_threshold,
        .inv_h = inv_h,
        .joint_rate = inv_h,
        .joint_erp = true,
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
    lode_real frequency = r_min(settings->contact_frequency, limit);
    spring contact = spring_of(frequency, settings->contact_damping, h);
    spring joint = spring_of(r_min(2 * settings->contact_frequency, limit), 2, h);
    return (lode__softness){
        .rate = contact.rate,
        .gamma = 0,
        .relaxation = 1,
        .mass_scale = contact.mass_scale,
        .impulse_scale = contact.impulse_scale,
        .joint_mass_scale = joint.mass_scale,
        .joint_impulse_scale = joint.impulse_scale,
        .slop = LODE__SLOP(settings),
        .max_speed = settings->max_correcting_velocity,
        .bounce_speed = settings->restitution_threshold,
        .inv_h = inv_h,
        .joint_rate = joint.rate,
        .joint_erp = false,
    };
}

/* Of the relax pass: rigid, and blind to the position error. */
static inline lode__softness softness_relax(lode__softness s)
{
    s.rate = s.joint_rate = 0;
    s.mass_scale = s.joint_mass_scale = 1;
    s.impulse_scale = s.joint_impulse_scale = 0;
    return s;
}

/* Of a step of `dt` seconds with the chosen solver; its sub-steps are counted by sub_steps_of. */
static inline int sub_steps_of(const lode_world_def *settings)
{
    return settings->solver == LODE_SOLVER_SOFT_STEP ? settings->sub_steps : 1;
}

static inline lode__softness softness_of(const lode_world_def *settings, lode_real dt)
{
    lode_real h = dt / (lode_real)sub_steps_of(settings);
    return settings->solver == LODE_SOLVER_SOFT_STEP ? softness_soft_step(settings, h)
                                                     : softness_pgs(settings, h);
}

#endif
