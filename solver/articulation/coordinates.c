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
