/* nets_tense.c: what is tense is stiff across. A link under the tension T swings about its own
 * centre at the rate sqrt(T L / I). Where a light one bears a heavy load that is faster than
 * sub-steps can follow (they take the direction of the force from their beginning), and however
 * exactly velocities are solved for, the chain shakes itself to pieces. Tournier, Nesme, Gilles,
 * Faure 2015 ("Stable constrained dynamics") add to the mass what this geometric stiffness K does
 * by the sub-step's end: M + h^2 K. The force f on an arm r changes by the moment (d x r) x f when
 * the body turns by d, of which the symmetric part is (f . r) 1 - (f r^T + r f^T) / 2. Its largest
 * eigenvalue, (f . r + |f| |r|) / 2, across the arm stands for all of it (as Andrews, Teichmann,
 * Kry 2017, "Geometric stiffness for real-time constrained multibody dynamics", do with its
 * diagonal), and only what a body has not enough inertia to follow is added, so that what is slower
 * is as it was.
 *
 * The forces are those of the last step's last sub-step, and the inertia that comes out serves the
 * whole step, and contacts, motors and stops as well as nets: impulses that meet in one body must
 * see the same one, or their turns win energy from each other. */
#include "core/math.h"
#include "solver/nets.h"

#include <math.h>

/* h^2 K, as a share of a body's inertia, that sub-steps follow by themselves. */
#define FOLLOWED 1.0

bool lode__holds_anchors(const lode__joint *joint)
{
    const lode__joint_type *type = &lode__joint_types[joint->type];
    bool slides = lode__keeps_distance(joint->type);
    for (int i = 0; i < type->axes; ++i)
        slides = slides || lode__axis_slides(type->axis[i]);
    return type->rows >= 3 && !slides;
}

/* Adds what a body's inertia lacks to follow a force, as an impulse of the sub-step, on an arm. */
static void add(lode__stiffness *out, const lode__inv_mass *m, lode_vec3 arm, lode_vec3 impulse,
                double h)
{
    double rr = v3_dot(arm, arm), ff = v3_dot(impulse, impulse), along = v3_dot(arm, impulse);
    double stiffness = h * (along + sqrt(rr * ff)) / 2;
    double mobility = (double)m->xx + (double)m->yy + (double)m->zz;
    if (!(stiffness * mobility > FOLLOWED))
        return;
    double more = stiffness - FOLLOWED / mobility, share = more / rr;
    out->xx += more - share * (double)arm.x * (double)arm.x;
    out->yy += more - share * (double)arm.y * (double)arm.y;
    out->zz += more - share * (double)arm.z * (double)arm.z;
    out->xy -= share * (double)arm.x * (double)arm.y;
    out->xz -= share * (double)arm.x * (double)arm.z;
    out->yz -= share * (double)arm.y * (double)arm.z;
}

static void add_end(const lode__solver *solver, uint32_t body, lode_vec3 anchor, lode_vec3 impulse,
                    double h, lode__stiffness *room)
{
    const lode__dense *lines = &solver->state->lines;
    int32_t line = line_of_body(solver->bodies, body);
    if (line > 0)
        add(&room[line], &lines->inv_mass[line], q_rotate(lines->pose[line].rotation, anchor),
            impulse, h);
}

static void add_joint(const lode__solver *solver, uint32_t slot, double h, lode_real impulse_scale,
                      lode__stiffness *room)
{
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode_real *row = LODE__AT(joint, solver->joints, impulse, slot)->row;
    lode_vec3 p = v3_scale(v3(row[0], row[1], row[2]), impulse_scale);
    if (!lode__holds_anchors(joint))
        return;
    add_end(solver, joint->body_a, joint->frame_a.position, p, h, room);
    add_end(solver, joint->body_b, joint->frame_b.position, v3_neg(p), h, room);
}

/* The inverse of a symmetric matrix by cofactors; false where it has none. */
static bool invert(const lode__stiffness *s, lode__stiffness *out)
{
    double xx = s->yy * s->zz - s->yz * s->yz, xy = s->xz * s->yz - s->xy * s->zz;
    double xz = s->xy * s->yz - s->yy * s->xz;
    double det = (s->xx * xx + s->xy * xy) + s->xz * xz, inverse = 1 / det;
    if (!(det > 0))
        return false;
    *out = (lode__stiffness){
        .xx = xx * inverse,
        .yy = (s->xx * s->zz - s->xz * s->xz) * inverse,
        .zz = (s->xx * s->yy - s->xy * s->xy) * inverse,
        .xy = xy * inverse,
        .xz = xz * inverse,
        .yz = (s->xy * s->xz - s->xx * s->yz) * inverse,
    };
    return true;
}

/* M becomes M + h^2 K. A body that some axis cannot turn stays as it is. */
static bool stiffen(lode__inv_mass *m, const lode__stiffness *more)
{
    lode__stiffness mobility = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz}, inertia;
    if (!(more->xx + more->yy + more->zz > 0) || !invert(&mobility, &inertia))
        return false;
    inertia.xx += more->xx, inertia.yy += more->yy, inertia.zz += more->zz;
    inertia.xy += more->xy, inertia.xz += more->xz, inertia.yz += more->yz;
    if (!invert(&inertia, &mobility))
        return false;
    m->xx = (lode_real)mobility.xx, m->yy = (lode_real)mobility.yy;
    m->zz = (lode_real)mobility.zz, m->xy = (lode_real)mobility.xy;
    m->xz = (lode_real)mobility.xz, m->yz = (lode_real)mobility.yz;
    return true;
}

static bool stiffen_body(const lode__solver *solver, uint32_t body, lode__stiffness *room)
{
    int32_t line = line_of_body(solver->bodies, body);
    if (line <= 0)
        return false;
    bool stiffened = stiffen(&solver->state->lines.inv_mass[line], &room[line]);
    if (stiffened)
        solver->state->held[line] |= LODE__HELD_STIFF;
    room[line] = (lode__stiffness){0};
    return stiffened;
}

bool lode__nets_tense(const lode__solver *solver, const uint32_t *joints, uint32_t count,
                      lode_real h, lode_real impulse_scale, lode__stiffness *room)
{
    bool tense = false;
    for (uint32_t i = 0; i < count; ++i)
        add_joint(solver, joints[i], (double)h, impulse_scale, room);
    for (uint32_t i = 0; i < count; ++i) {
        const lode__joint *joint = joint_at(solver->joints, joints[i]);
        tense |= stiffen_body(solver, joint->body_a, room);
        tense |= stiffen_body(solver, joint->body_b, room);
    }
    return tense;
}
