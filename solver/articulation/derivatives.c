/* derivatives.c: how the efforts of inverse dynamics change with the pose, by motions along degrees
 * of freedom, and with their speeds.
 *
 * All spatial vectors here are about one point, the root's centre of mass as it stands; x is the
 * cross product of motions, x* that of a motion and a force. Of a dof l, S is its axis, C the
 * velocity of what carries that axis (the link above of a slide, its own of a turn), W and B the
 * velocity and acceleration of what a motion along l leaves where it is: the link above with the
 * slides of l's own joint. With F what links need, I their inertia, both of all links below, and
 *     D X = V x* I X - I (V x X) + X x* I V
 * summed over these too, Jacobi's identity leaves, where k is at or below l's link or above it,
 *     P = W x S,  Q = B x S + W x P,  R = (W + C) x S,
 *     dtau_k/dl  = S_k . (I Q + D P)   or with S x* F more where l's motion leaves k's axis,
 *     dtau_k/du_l = S_k . (I R + D S),
 * I and D being those of the lower of both links. This is the form of Singh, Russell and Wensing,
 * Efficient analytical derivatives of rigid-body dynamics using spatial vector algebra, 2022, for
 * axes that another link may carry. A root's turns have axes of the world through its centre: they
 * are carried by its slides.
 *
 * Axes of two turns a, b are a + c_a m and b + c_b m (multibody.inl): a motion along a bends that
 * of b by dc_b/da m = -m / (2 q_w^2), along b that of a by as much the other way, beside what turns
 * with the link. With E what l bends, of the other's speed u and its acceleration u',
 *     P = W x S + E u,  Q = B x S + W x (W x S) + E u' + (W + C) x E u,
 * and the other's effort has E . F more.
 *
 * Gravity is an acceleration of each link. The pose turns links in it, so that those below l are
 * pushed by m w_l x G at their centres, which their sums of m G and m r G^T tell. */
#include "solver/articulation/dynamics.h"

#include <string.h>

/* Of a link; what follows `acceleration` is summed over all links below too. */
typedef struct link_terms {
    lode__mb_motion speed, acceleration;
    lode__mb_composite inertia;
    lode__mb_wrench force;
    lode__mb_wrench d[6]; /* columns of D, by the numbers of v, then w */
    lode_vec3 weight;     /* m G */
    lode_vec3 lift[3];    /* m r G^T, by rows */
} link_terms;

/* Of a dof. */
typedef struct dof_terms {
    lode__mb_motion s, p, q, r;
    lode__mb_motion still, still_acceleration, carrier; /* W, B, C */
    lode__mb_motion bends; /* E, of the first and second of two turns */
} dof_terms;

size_t lode__mb_derivatives_size(const lode__mb_plan *plan)
{
    return plan->link_count * sizeof(link_terms) + plan->dof_count * sizeof(dof_terms);
}

/* ---- small algebra */

static lode__mb_motion cross(lode__mb_motion a, lode__mb_motion b)
{
    lode_vec3 v = v3_add(v3_cross(a.w, b.v), v3_cross(a.v, b.w));
    return (lode__mb_motion){v, v3_cross(a.w, b.w)};
}

static lode__mb_wrench cross_force(lode__mb_motion a, lode__mb_wrench p)
{
    lode_vec3 n = v3_add(v3_cross(a.w, p.n), v3_cross(a.v, p.f));
    return (lode__mb_wrench){v3_cross(a.w, p.f), n};
}

static lode__mb_motion sum(lode__mb_motion a, lode__mb_motion b)
{
    return mb_further(a, b, 1);
}

static lode__mb_motion no_motion(void)
{
    return (lode__mb_motion){v3_zero(), v3_zero()};
}

static lode__mb_wrench times(const lode__mb_wrench columns[6], lode__mb_motion m)
{
    lode_real by[6] = {m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
    lode__mb_wrench out = {v3_zero(), v3_zero()};
    for (int i = 0; i < 6; ++i) {
        out.f = v3_madd(out.f, columns[i].f, by[i]);
        out.n = v3_madd(out.n, columns[i].n, by[i]);
    }
    return out;
}

static lode__mb_wrench transposed_times(const lode__mb_wrench columns[6], lode__mb_motion m)
{
    lode_real out[6];
    for (int i = 0; i < 6; ++i)
        out[i] = mb_power(m, columns[i]);
    return (lode__mb_wrench){mb_v3(out), mb_v3(out + 3)};
}

/* ---- terms of dofs and links, down the tree */

static bool is_slide(const lode__mb_plan *plan, uint32_t k)
{
    return plan->axis[k] >= LODE__MB_FIRST_SLIDE;
}

/* About the one point. */
static lode__mb_motion axis_there(const lode__multibody *tree, uint32_t k)
{
    lode__mb_motion s = mb_axis(&tree->dofs[k]);
    lode_vec3 center = mb_v3(tree->links[tree->plan->link_of_dof[k]].center);
    return (lode__mb_motion){v3_add(s.v, v3_cross(center, s.w)), s.w};
}

/* W, B and C of a joint's dofs, and what the link moves by. Slides first, whatever their order:
 * they are carried by the link above, turns by the link, which has all of its speed then. */
static void go_down(const lode__multibody *tree, uint32_t i, const lode_real *change,
                    const link_terms *above, link_terms *link, dof_terms *dofs)
{
    const lode__mb_plan *plan = tree->plan;
    uint32_t begin = plan->first_dof[i], end = plan->first_dof[i + 1];
    lode__mb_motion top = above ? above->speed : no_motion();
    lode__mb_motion still = top, still_a = above ? above->acceleration : no_motion();
    for (uint32_t k = begin; k < end; ++k)
        if (is_slide(plan, k)) {
            lode__mb_motion s = dofs[k].s = axis_there(tree, k);
            still = mb_further(still, s, tree->dofs[k].speed[0]);
            still_a = mb_further(still_a, s, change[k]);
            still_a = mb_further(still_a, cross(top, s), tree->dofs[k].speed[0]);
        }
    link->speed = still, link->acceleration = still_a;
    for (uint32_t k = begin; k < end; ++k)
        if (!is_slide(plan, k)) {
            dofs[k].s = axis_there(tree, k);
            link->speed = mb_further(link->speed, dofs[k].s, tree->dofs[k].speed[0]);
        }
    lode__mb_motion carrier = i == 0 ? still : link->speed;
    for (uint32_t k = begin; k < end; ++k)
        if (!is_slide(plan, k)) {
            lode__mb_motion s = dofs[k].s;
            link->acceleration = mb_further(link->acceleration, s, change[k]);
            link->acceleration = mb_further(link->acceleration, cross(carrier, s),
                                            tree->dofs[k].speed[0]);
        }
    for (uint32_t k = begin; k < end; ++k) {
        bool slide = is_slide(plan, k), whole = i == 0 && !slide;
        dofs[k].still = whole ? link->speed : still;
        dofs[k].still_acceleration = whole ? link->acceleration : still_a;
        dofs[k].carrier = slide ? top : carrier;
    }
}

static void finish_dof(dof_terms *d)
{
    d->p = cross(d->still, d->s);
    d->q = sum(cross(d->still_acceleration, d->s), cross(d->still, d->p));
    d->r = cross(sum(d->still, d->carrier), d->s);
}

/* The one of two turns that is not this; LODE__NONE of others. */
static uint32_t other_turn(const lode__mb_plan *plan, uint32_t k)
{
    uint32_t i = plan->link_of_dof[k], first = plan->first_dof[i];
    return i == 0 || plan->angles[i] != 2 || k > first + 1 ? LODE__NONE : 2 * first + 1 - k;
}

static void bend(const lode__multibody *tree, uint32_t k, const lode_real *change, dof_terms *d)
{
    uint32_t other = other_turn(tree->plan, k);
    d->bends = no_motion();
    if (other == LODE__NONE)
        return;
    const lode__mb_link *link = &tree->links[tree->plan->link_of_dof[k]];
    lode_quat q = mb_q(link->turn);
    lode_vec3 across = v3_cross(mb_v3(tree->dofs[k].axis), mb_v3(tree->dofs[other].axis));
    lode_vec3 w = v3_scale(q_rotate(mb_q(link->rotation), across), -1 / (2 * q.w * q.w));
    lode_vec3 arm = v3_sub(mb_v3(link->center), mb_v3(link->lever));
    d->bends = (lode__mb_motion){v3_cross(arm, w), w};
    lode_real speed = tree->dofs[other].speed[0];
    d->p = mb_further(d->p, d->bends, speed);
    d->q = mb_further(d->q, d->bends, change[other]);
    d->q = mb_further(d->q, cross(sum(d->still, d->carrier), d->bends), speed);
}

static void finish_link(const lode__mb_link *l, lode_vec3 gravity, link_terms *t)
{
    lode_vec3 at = mb_v3(l->center);
    t->inertia = mb_composite_of(l, at);
    t->weight = v3_scale(gravity, l->mass[0]);
    t->lift[0] = v3_scale(t->weight, at.x);
    t->lift[1] = v3_scale(t->weight, at.y);
    t->lift[2] = v3_scale(t->weight, at.z);
    lode__mb_wrench momentum = mb_momentum(&t->inertia, t->speed);
    lode__mb_wrench pull = {v3_neg(t->weight), v3_cross(t->weight, at)};
    t->force = mb_plus(mb_plus(mb_momentum(&t->inertia, t->acceleration), pull),
                       cross_force(t->speed, momentum));
    for (int i = 0; i < 6; ++i) {
        lode_vec3 e = v3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
        lode__mb_motion x = {i < 3 ? e : v3_zero(), i < 3 ? v3_zero() : e};
        lode__mb_motion turned = mb_further(no_motion(), cross(t->speed, x), -1);
        t->d[i] = mb_plus(cross_force(t->speed, mb_momentum(&t->inertia, x)),
                          mb_plus(mb_momentum(&t->inertia, turned), cross_force(x, momentum)));
    }
}

static void add_below(link_terms *sum_of, const link_terms *t)
{
    mb_composite_add(&sum_of->inertia, &t->inertia, v3_zero());
    sum_of->force = mb_plus(sum_of->force, t->force);
    sum_of->weight = v3_add(sum_of->weight, t->weight);
    for (int i = 0; i < 3; ++i)
        sum_of->lift[i] = v3_add(sum_of->lift[i], t->lift[i]);
    for (int i = 0; i < 6; ++i)
        sum_of->d[i] = mb_plus(sum_of->d[i], t->d[i]);
}

/* ---- the entries */

/* Sum of m w x G at r: with T = m r G^T, n = w tr T - T^T w. */
static lode__mb_wrench tilt(const link_terms *t, lode_vec3 w)
{
    lode_real trace = t->lift[0].x + t->lift[1].y + t->lift[2].z;
    lode_vec3 n = v3_scale(w, trace);
    n = v3_madd(n, t->lift[0], -w.x);
    n = v3_madd(n, t->lift[1], -w.y);
    n = v3_madd(n, t->lift[2], -w.z);
    return (lode__mb_wrench){v3_cross(w, t->weight), n};
}

/* Does a motion along l move the axis of k, of the same joint, too? */
static bool moves_axis(const lode__mb_plan *plan, uint32_t l, uint32_t k)
{
    return plan->link_of_dof[k] == 0 ? is_slide(plan, l) : !is_slide(plan, k);
}

/* Column l in the rows of its own joint and of those above. */
static void fill_above(const lode__mb_plan *plan, const link_terms *links, const dof_terms *dofs,
                       uint32_t l, lode_real *by_motion, lode_real *by_speed)
{
    uint32_t link = plan->link_of_dof[l];
    size_t n = plan->dof_count;
    const link_terms *t = &links[link];
    const dof_terms *d = &dofs[l];
    lode__mb_wrench with = mb_plus(mb_plus(mb_momentum(&t->inertia, d->q), times(t->d, d->p)),
                                   tilt(t, d->s.w));
    lode__mb_wrench whole = mb_plus(with, cross_force(d->s, t->force));
    lode__mb_wrench speed = mb_plus(mb_momentum(&t->inertia, d->r), times(t->d, d->s));
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i])
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            bool moved = i == link && moves_axis(plan, l, k);
            by_motion[k * n + l] = mb_power(dofs[k].s, moved ? with : whole);
            by_speed[k * n + l] = mb_power(dofs[k].s, speed);
        }
    uint32_t other = other_turn(plan, l);
    if (other != LODE__NONE)
        by_motion[other * n + l] += mb_power(d->bends, t->force);
}

/* Row k in the columns of all joints above. */
static void fill_left(const lode__mb_plan *plan, const link_terms *links, const dof_terms *dofs,
                      uint32_t k, lode_real *by_motion, lode_real *by_speed)
{
    uint32_t link = plan->link_of_dof[k];
    size_t n = plan->dof_count;
    const link_terms *t = &links[link];
    lode__mb_motion s = dofs[k].s;
    lode__mb_wrench i_s = mb_momentum(&t->inertia, s), d_s = transposed_times(t->d, s);
    for (uint32_t i = plan->parent[link]; i != LODE__MB_NO_PARENT; i = plan->parent[i])
        for (uint32_t l = plan->first_dof[i]; l < plan->first_dof[i + 1]; ++l) {
            const dof_terms *d = &dofs[l];
            by_motion[k * n + l] = mb_power(d->q, i_s) + mb_power(d->p, d_s) +
                                   mb_power(s, tilt(t, d->s.w));
            by_speed[k * n + l] = mb_power(d->r, i_s) + mb_power(d->s, d_s);
        }
}

void lode__mb_derivatives(const lode__multibody *tree, const lode_real *change,
                          const lode_vec3 *gravity, lode_real *out_by_motion,
                          lode_real *out_by_speed, void *scratch)
{
    const lode__mb_plan *plan = tree->plan;
    link_terms *links = scratch;
    dof_terms *dofs = (dof_terms *)(void *)(links + plan->link_count);
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        const link_terms *above = i > 0 ? &links[plan->parent[i]] : NULL;
        go_down(tree, i, change, above, &links[i], dofs);
        finish_link(&tree->links[i], gravity ? gravity[i] : v3_zero(), &links[i]);
    }
    for (uint32_t i = plan->link_count; i-- > 1;)
        if (plan->parent[i] > 0 || plan->root_dofs > 0)
            add_below(&links[plan->parent[i]], &links[i]);
    size_t entries = (size_t)plan->dof_count * plan->dof_count;
    memset(out_by_motion, 0, entries * sizeof *out_by_motion);
    memset(out_by_speed, 0, entries * sizeof *out_by_speed);
    for (uint32_t k = 0; k < plan->dof_count; ++k) {
        finish_dof(&dofs[k]);
        bend(tree, k, change, &dofs[k]);
    }
    for (uint32_t k = 0; k < plan->dof_count; ++k) {
        fill_above(plan, links, dofs, k, out_by_motion, out_by_speed);
        fill_left(plan, links, dofs, k, out_by_motion, out_by_speed);
    }
}
