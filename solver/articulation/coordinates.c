/* coordinates.c: positions of joints from their turn and slide, and the other way. */
#include "solver/articulation/coordinates.h"

#include "core/math.h"
#include "simd/scalar_math.h"

/* 2 pi to more digits than a number has: the first part has few, so that its multiples are exact.
 * */
#ifdef LODE_DOUBLE
static const lode_real turn_high = 0x1.921fb54400000p+2, turn_low = 0x1.0b4611a626331p-32;
#else
static const lode_real turn_high = 0x1.92p+2F, turn_low = 0x1.fb5444p-10F;
#endif
static const lode_real whole_turn = (lode_real)6.283185307179586477, least = (lode_real)1e-18;

lode_quat lode__turn_by_vector(lode_vec3 v)
{
    lode_real size = v3_length(v), sine, cosine;
    lode__sincos(size / 2, &sine, &cosine);
    lode_real by = size > least ? sine / size : (lode_real)0.5;
    return (lode_quat){cosine, v.x * by, v.y * by, v.z * by};
}

lode_vec3 lode__vector_of_turn(lode_quat q)
{
    lode_vec3 u = {q.x, q.y, q.z};
    lode_real size = v3_length(u);
    lode_real by = size > least ? 2 * lode__atan2(size, r_abs(q.w)) / size : 2;
    return v3_scale(u, q.w < 0 ? -by : by);
}

/* (1 - (a / 2) / tan(a / 2)) / a^2 of a rotation vector a long; a series where that loses
 * digits. */
static lode_real bend(lode_quat q, lode_real a, bool longer)
{
    lode_real square = a * a, sine = v3_length((lode_vec3){q.x, q.y, q.z});
    lode_real cosine = longer ? -r_abs(q.w) : r_abs(q.w);
    if (square < (lode_real)0.01)
        return (lode_real)(1.0 / 12) + square / 720 + square * square / 30240;
    return (1 - a / 2 * cosine / sine) / square;
}

static lode_real *part(lode_vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

/* angle + turns 2 pi, by two parts. */
static lode_real wound(lode_real angle, lode_real turns)
{
    return turns * turn_high + (angle + turns * turn_low);
}

/* The angle, up to whole turns, nearest to `near`; within two turns either way if wrapped. */
static lode_real nearest(lode_real angle, lode_real near, lode__mb_winding winding)
{
    lode_real turns = r_floor((near - angle) / whole_turn + (lode_real)0.5);
    lode_real position = wound(angle, turns);
    if (winding == LODE__MB_UNWRAPPED || r_abs(position) <= whole_turn)
        return position;
    lode_real beyond = r_floor((r_abs(position) + whole_turn) / (2 * whole_turn)) * 2;
    return wound(angle, position > 0 ? turns - beyond : turns + beyond);
}

void lode__mb_read_positions(const lode__multibody *tree, uint32_t link, lode__mb_winding winding,
                             lode_real *positions)
{
    const lode__mb_plan *plan = tree->plan;
    lode_vec3 slide = mb_v3(tree->links[link].slide);
    lode_vec3 turn = lode__vector_of_turn(mb_q(tree->links[link].turn));
    for (uint32_t k = plan->first_dof[link]; k < plan->first_dof[link + 1]; ++k) {
        bool slides = plan->axis[k] >= LODE__MB_FIRST_SLIDE;
        lode_real now = *part(slides ? &slide : &turn, plan->axis[k] % 3);
        positions[k] = !slides && plan->angles[link] == 1 ? nearest(now, positions[k], winding)
                                                          : now;
    }
}

void lode__mb_write_positions(const lode__multibody *tree, uint32_t link,
                              const lode_real *positions)
{
    const lode__mb_plan *plan = tree->plan;
    lode_vec3 slide = v3_zero(), turn = v3_zero();
    for (uint32_t k = plan->first_dof[link]; k < plan->first_dof[link + 1]; ++k)
        *part(plan->axis[k] >= LODE__MB_FIRST_SLIDE ? &slide : &turn,
              plan->axis[k] % 3) = positions[k];
    mb_put3(tree->links[link].slide, slide);
    mb_put4(tree->links[link].turn, lode__turn_by_vector(turn));
}

/* The same way round the other way: its size and the whole turn, less. */
static lode_vec3 longer_way(lode_vec3 v)
{
    return v3_scale(v, 1 - whole_turn / v3_length(v));
}

lode__mb_rate lode__mb_rate_of(const lode__multibody *tree, uint32_t k, bool longer)
{
    const lode__mb_plan *plan = tree->plan;
    const lode__mb_dof *dof = &tree->dofs[k];
    uint32_t i = plan->link_of_dof[k];
    const lode__mb_link *link = &tree->links[i];
    if (!lode__mb_is_of_several(plan, k)) {
        bool slides = plan->axis[k] >= LODE__MB_FIRST_SLIDE;
        lode__mb_rate alone = lode__mb_rate_alone(k);
        alone.along = mb_v3(slides ? dof->s_v : dof->s_w);
        return alone;
    }
    lode_quat q = mb_q(link->turn);
    lode_vec3 v = lode__vector_of_turn(q), e = v3_zero();
    v = longer ? longer_way(v) : v;
    *part(&e, plan->axis[k]) = 1;
    lode_vec3 once = v3_cross(e, v), twice = v3_cross(once, v);
    e = v3_madd(v3_madd(e, once, (lode_real)0.5), twice, bend(q, v3_length(v), longer));
    lode_quat frame = q_mul(mb_q(link->rotation), mb_q(link->frame_c));
    lode__mb_rate out = {
        .first = plan->first_dof[i], .count = plan->angles[i], .along = q_rotate(frame, e)};
    for (uint32_t t = 0; t < out.count; ++t)
        out.by[t] = v3_dot(mb_v3(tree->dofs[out.first + t].s_w), out.along);
    return out;
}

bool lode__mb_other_position(const lode__multibody *tree, uint32_t k, lode_real *out)
{
    lode_vec3 v = lode__vector_of_turn(mb_q(tree->links[tree->plan->link_of_dof[k]].turn));
    if (v3_length(v) < whole_turn / 4)
        return false;
    v = longer_way(v);
    *out = *part(&v, tree->plan->axis[k]);
    return true;
}
