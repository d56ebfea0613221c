/* contact_part.inl: contacts that move what overlaps apart, in place of telling it to velocities:
 * for islands with nets (solver/nets.h), which bear their load wherever a link is pushed. The
 * lines' `velocity` is by how much bodies are moved, m and rad, and rows are solved for normal ways
 * alone, from the poses of the sub-step's end:
 *
 *     n . (way of a - way of b) >= min(depth - slop, most),
 *
 * all that is deeper than the surface layer, as fast as contacts may push, and where nothing is,
 * the gap that is left. There is no friction in it, so what is wedged in slides out, and no impulse
 * is kept: a visit pushes by what is still missing, and never pulls. */

LODE__INLINE void contact_part_where(lode__contact_block *b, const lode__dense *lines,
                                     const lode__softness *s, wlane lane, int points, bool pair,
                                     shared_block *shared, wmask where)
{
    contact_frame f = frame_load(b, lane, pair);
    wline la = lines_load(&lines->velocity->linear.x, b->a, lane);
    wline lb = pair ? lines_load(&lines->velocity->linear.x, b->b, lane) : la;
    twist way = twist_of(&f, la, lb, pair), moved = contact_moved(b, lines, s, lane, pair);
    wreal zero = w_zero(), slop = w_splat(s->slop), most = w_splat(s->max_speed / s->inv_h);
    twist wrench = {zero, zero, zero, zero, zero, zero};
    normal_sweep sweep = normal_sweep_begin(b, lane, points, &way);
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &b->rows[i];
        wreal closing = normal_velocity(&moved, place_of(row, lane, points));
        wreal over = w_sub(w_sub(lane_load(&row->depth, lane), closing), slop);
        wreal missing = w_max(w_sub(w_min(over, most), sweep.velocity[i]), zero);
        wreal d = w_mul(w_masked(where, missing),
                        inverse_or_zero(lane_load(&row->k, lane), w_splat(1)));
        normal_sweep_add(&sweep, row, lane, points, d);
        normal_sweep_couple(&sweep, b, lane, i, points, d);
    }
    normal_sweep_end(&sweep, b, lane, points, &way, &wrench);
    frame_apply(&f, lines, b->a, b->b, la, lb, wrench, lane, points > 1, pair, shared);
}

LODE__INLINE void contact_part(lode__contact_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int points, bool pair,
                               shared_block *shared)
{
    contact_part_where(b, lines, s, lane, points, pair, shared, m_all_lanes());
}

/* Contacts that are springs of their own, or push as hard as they say, push velocities. */
LODE__INLINE void special_part(lode__contact_block *b, const lode__dense *lines,
                               const lode__softness *s, wlane lane, int points, bool pair,
                               shared_block *shared)
{
    const lode__special_lanes *x = lode__special_lanes_of(b, points);
    wmask own = w_ge(lane_load(&x->erp, lane), w_zero());
    contact_part_where(b, lines, s, lane, points, pair, shared, m_not(own));
}
