/* ahead.c: see ahead.h. */
#include "ode/collision/ahead.h"

#include "core/fetch.h"
#include "ode/collision/ahead_mesh.h"

#include "collide/two_lanes.h"

#include <string.h>

/* So few that what is computed is near when it is asked for. */
enum { BLOCK = LODE__ODE_AHEAD_BLOCK };
_Static_assert((int)BLOCK <= (int)LODE__LANE_BLOCK, "the kernels take a block at once");

/* What a pair was computed from. */
typedef struct computed {
    uint32_t moves[2];
    lode_real gap;
    const lode__lane_cell *cell; /* null: it has not been */
    const void *data[2];         /* of meshes */
    uint64_t hash[2];
} computed;

struct lode__ode_ahead {
    dSpaceID space;
    dGeomID (*pairs)[2];
    uint32_t count;
    uint32_t at;          /* what the callback is told of */
    uint32_t begin, end;  /* of the block that is computed */
    uint32_t able, asked; /* pairs told of that can be computed, and that were asked for */
    bool computes;
    lode__ode_ahead *outer; /* of the walk around this one */
    computed from[BLOCK];
    lode__pose room[BLOCK][2]; /* of geoms that are not just where their bodies are */
    lode_collide_point points[BLOCK][LODE__MANIFOLD_POINTS];
    int counts[BLOCK];
    lode__ode_mesh_block meshes;
};

static _Thread_local lode__ode_ahead *current;

lode__ode_ahead *lode__ode_ahead_begin(dSpaceID space, dGeomID (*pairs)[2], uint32_t count)
{
    lode__ode_ahead *ahead = count ? LODE__TAKE(&space->arena, lode__ode_ahead, 1) : NULL;
    if (!ahead)
        return NULL;
    ahead->space = space;
    ahead->pairs = pairs;
    ahead->count = count;
    ahead->at = ahead->begin = ahead->end = 0;
    ahead->able = ahead->asked = 0;
    ahead->computes = space->asks;
    ahead->outer = current;
    return current = ahead;
}

/* Half of them is enough: what was for nothing costs less than what was saved. */
void lode__ode_ahead_end(lode__ode_ahead *ahead)
{
    if (!ahead)
        return;
    ahead->space->asks = 2 * (uint64_t)ahead->asked >= ahead->able;
    current = ahead->outer;
}

void lode__ode_ahead_forget(dSpaceID space)
{
    while (current && current->space == space)
        current = current->outer;
}

/* --- computing */

static const dGeomID *pair_at(const lode__ode_ahead *ahead, uint32_t at)
{
    return ahead->pairs[at];
}

/* Pairs come in the order of their first geoms, which are fetched once. */
LODE__FETCHER void fetch(const lode__ode_ahead *ahead, uint32_t at)
{
    enum { GEOM = 24, BODY = 12 };
    if (at + GEOM < ahead->count) {
        const dGeomID *pair = pair_at(ahead, at + GEOM);
        fetch_geom(pair[1]);
        if (pair[0] != pair_at(ahead, at + GEOM - 1)[0])
            fetch_geom(pair[0]);
    }
    if (at + BODY < ahead->count) {
        const dGeomID *pair = pair_at(ahead, at + BODY);
        fetch_body(pair[1]);
        if (pair[0] != pair_at(ahead, at + BODY - 1)[0])
            fetch_body(pair[0]);
    }
}

static uint64_t hash_of(dGeomID geom)
{
    return geom->class->surface ? ((const lode__shape_data *)geom->shape_data)->hash : 0;
}

/* True: of a solid and a mesh. */
static bool note(lode__ode_ahead *ahead, uint32_t i, lode__lane_pair *out)
{
    const dGeomID *pair = pair_at(ahead, ahead->begin + i);
    computed *from = &ahead->from[i];
    lode__lane_shape *const shape[2] = {&out->a, &out->b};
    from->cell = lode__ode_kernel_cell(pair[0], pair[1]);
    bool meets_mesh = !from->cell && lode__ode_meets_mesh(pair[0], pair[1]);
    for (int x = 0; x < 2 && (from->cell || meets_mesh); ++x) {
        const lode__pose *pose = lode__ode_geom_pose_in(pair[x], &ahead->room[i][x]);
        from->moves[x] = pair[x]->moves;
        *shape[x] = (lode__lane_shape){pair[x]->geometry.size, pose, &pair[x]->geometry};
    }
    if (from->cell || meets_mesh)
        from->gap = lode__ode_gap(out->a.body, out->b.body);
    for (int x = 0; x < 2 && meets_mesh; ++x) {
        from->data[x] = pair[x]->shape_data;
        from->hash[x] = hash_of(pair[x]);
    }
    return meets_mesh;
}

/* Those of one cell and gap go together; the others are left in `list`. Returns how many. */
static uint32_t compute_cell(lode__ode_ahead *ahead, const lode__lane_pair *pairs, uint16_t *list,
                             uint32_t count)
{
    uint32_t names[BLOCK], left = 0, used = 0;
    uint16_t own[BLOCK];
    const lode__lane_cell *cell = ahead->from[list[0]].cell;
    const lode_real gap = ahead->from[list[0]].gap;
    for (uint32_t i = 0; i < count; ++i) {
        uint16_t k = list[i];
        names[k] = k;
        if (ahead->from[k].cell == cell && ahead->from[k].gap == gap)
            own[used++] = k;
        else
            list[left++] = k;
    }
    const lode__lane_ask ask = {.margin = gap,
                                .speculative = LODE__ODE_SPECULATIVE,
                                .points = ahead->points[0],
                                .counts = ahead->counts,
                                .capacity = LODE__MANIFOLD_POINTS};
    lode__lane_ask_many(&ask, lode__ode_kernels(), cell, true, pairs, names, own, used);
    return left;
}

static void compute_block(lode__ode_ahead *ahead)
{
    lode__lane_pair pairs[BLOCK];
    lode__ode_mesh_pair meshes[BLOCK];
    uint16_t list[BLOCK];
    uint32_t left = 0, mesh_count = 0, size = ahead->count - ahead->at;
    size = size < BLOCK ? size : BLOCK;
    ahead->begin = ahead->at;
    ahead->end = ahead->begin + size;
    for (uint32_t i = 0; i < size; ++i) {
        fetch(ahead, ahead->begin + i);
        const dGeomID *pair = pair_at(ahead, ahead->begin + i);
        if (note(ahead, i, &pairs[i]))
            meshes[mesh_count++] = (lode__ode_mesh_pair){pair[0],
                                                         pair[1],
                                                         {pairs[i].a.body, pairs[i].b.body},
                                                         ahead->from[i].gap,
                                                         (uint16_t)i};
        if (ahead->from[i].cell)
            list[left++] = (uint16_t)i;
    }
    memset(ahead->meshes.known, 0, sizeof ahead->meshes.known);
    if (mesh_count > 0)
        lode__ode_mesh_compute(ahead->space, meshes, mesh_count, &ahead->meshes);
    while (left > 0)
        left = compute_cell(ahead, pairs, list, left);
}

void lode__ode_ahead_at(lode__ode_ahead *ahead, uint32_t at)
{
    if (!ahead)
        return;
    ahead->at = at;
    if (ahead->computes && at >= ahead->end)
        compute_block(ahead);
    const dGeomID *pair = pair_at(ahead, at);
    uint32_t i = at - ahead->begin;
    ahead->able += ahead->computes ? ahead->from[i].cell || ahead->meshes.known[i]
                                   : lode__ode_kernel_cell(pair[0], pair[1]) ||
                                         lode__ode_meets_mesh(pair[0], pair[1]);
}

/* --- asking */

/* Is the geom where and what it was? What is carried does not hear of it when its carrier moves. */
static bool stands(const computed *from, int x, dGeomID geom)
{
    return geom->moves == from->moves[x] && !geom->carrier;
}

/* The walk that tells of this pair now; or null. */
static lode__ode_ahead *ahead_of(dGeomID a, dGeomID b)
{
    lode__ode_ahead *ahead = current;
    if (!ahead || ahead->at >= ahead->count)
        return NULL;
    const dGeomID *pair = pair_at(ahead, ahead->at);
    if (a != pair[0] || b != pair[1])
        return NULL;
    return ahead;
}

const lode__two_point *lode__ode_ahead_find_mesh(dGeomID a, dGeomID b, uint32_t *out_count)
{
    const lode__ode_ahead *ahead = ahead_of(a, b);
    uint32_t i = ahead ? ahead->at - ahead->begin : 0;
    if (!ahead || !ahead->computes || !ahead->meshes.known[i] || !lode__ode_meets_mesh(a, b))
        return NULL;
    const computed *from = &ahead->from[i];
    const dGeomID geoms[2] = {a, b};
    for (int x = 0; x < 2; ++x)
        if (!stands(from, x, geoms[x]) || geoms[x]->shape_data != from->data[x] ||
            hash_of(geoms[x]) != from->hash[x])
            return NULL;
    *out_count = ahead->meshes.count[i];
    return &ahead->meshes.points[ahead->meshes.count[i] ? ahead->meshes.first[i] : 0];
}

const lode_collide_point *lode__ode_ahead_find(dGeomID a, dGeomID b, int most, int *out_count)
{
    lode__ode_ahead *ahead = ahead_of(a, b);
    if (!ahead)
        return NULL;
    ++ahead->asked;
    if (!ahead->computes)
        return NULL;
    uint32_t i = ahead->at - ahead->begin;
    const computed *from = &ahead->from[i];
    if (!from->cell || most < from->cell->most || !stands(from, 0, a) || !stands(from, 1, b))
        return NULL;
    *out_count = ahead->counts[i];
    return ahead->points[i];
}
