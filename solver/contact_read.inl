/* contact_read.inl: what the pool says of eight manifolds, as lanes; records are read four numbers
 * at a time and turned in registers. */

enum {
    READ_OFFSET = 4,
    READ_TANGENT = 7,
    READ_FRICTION = 8,
    READ_POINTS = offsetof(lode__manifold, points) / sizeof(lode_real),
    READ_POINT = sizeof(lode__point) / sizeof(lode_real)
};

_Static_assert(offsetof(lode__manifold, restitution) == 3 * sizeof(lode_real) &&
                   offsetof(lode__manifold, offset) == READ_OFFSET * sizeof(lode_real) &&
                   offsetof(lode__manifold, tangent) == READ_TANGENT * sizeof(lode_real) &&
                   offsetof(lode__manifold, friction) == (READ_FRICTION + 2) * sizeof(lode_real) &&
                   offsetof(lode__manifold, points) % sizeof(lode_real) == 0 &&
                   offsetof(lode__point, depth) == 3 * sizeof(lode_real) &&
                   offsetof(lode__point, impulse) == 4 * sizeof(lode_real) &&
                   sizeof(lode__point) % sizeof(lode_real) == 0,
               "read four numbers at a time");

/* Positions are from the lane's body a: by `offset` from the manifold's b, where that is it. */
LODE__INLINE void read_point(const lode__contact_sources *from, const lode_real *const *manifold,
                             lode__contact_row *row, wvec3 offset, wmask swap, int i, int lane)
{
    wfour place = w_load_fours_at(manifold, READ_POINTS + READ_POINT * i);
    wvec3 impulse = wf_vector(w_load_fours_at(manifold, READ_POINTS + READ_POINT * i + 4));
    wvec3 position = wf_vector(place), moved = wv_add(position, offset);
    wreal scale = lane_load(&from->scale, lane), across = lane_load(&from->friction_scale, lane);
    wmask idle = w_gt(lane_load(&from->idle, lane), w_zero());
    position = wv_select(swap, moved, position);
    lane_store(&row->x, lane, position.x);
    lane_store(&row->y, lane, position.y);
    lane_store(&row->c, lane, position.z);
    lane_store(&row->depth, lane, w_select(idle, w_splat(from->idle_depth), wf_fourth(place)));
    lane_store(&row->lambda, lane, w_mul(impulse.x, scale));
    lane_store(&row->lambda1, lane, w_mul(impulse.y, across));
    lane_store(&row->lambda2, lane, w_mul(impulse.z, across));
    for (int k = 0; k < 3; ++k)
        lane_store(&row->told[k], lane, w_zero());
}

/* Where a lane's body a is the manifold's b, the normal turns. */
static void read_contacts(const lode__contact_sources *from, lode__contact_block *block, int points)
{
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        const lode_real *manifold[LODE_WIDTH];
        for (int k = 0; k < (int)LODE_WIDTH; ++k)
            manifold[k] = &from->manifold[lane + k]->normal.x;
        wfour first = w_load_fours(manifold), last = w_load_fours_at(manifold, READ_FRICTION);
        wfour middle = w_load_fours_at(manifold, READ_OFFSET);
        wvec3 normal = wf_vector(first), offset = wf_vector(middle);
        wmask swap = w_gt(lane_load(&from->swap, lane), w_zero());
        lane3_store(&block->n, lane, wv_select(swap, wv_neg(normal), normal));
        lane3_store(&block->rb, lane, wv_select(swap, wv_neg(offset), offset));
        lane3_store(&block->t, lane, wv_make(wf_fourth(middle), last.r0, last.r1));
        lane_store(&block->friction1, lane, last.r2);
        lane_store(&block->friction2, lane, last.r3);
        lane_store(&block->restitution, lane, wf_fourth(first));
        lane_store(&block->bounced, lane, w_zero());
        for (int k = 0; k < 3; ++k)
            lane_store(&block->told[k], lane, w_zero());
        for (int i = 0; i < points; ++i)
            read_point(from, manifold, &block->rows[i], offset, swap, i, lane);
    }
}
