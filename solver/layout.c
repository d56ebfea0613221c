/* layout.c: how many blocks the constraints of each colour and bucket take, and where they lie.
 *
 * Group by group, in solving order. A group that goes through (solver/through.c) lies on a bench,
 * with all others that do. Of a group with shares (solver/shares.c) each share has blocks of its
 * own, all of them together, and in each colour those of its edge come first, in pairs. As much
 * memory is taken as the worst cut needs, so that where the cut moves, no step takes more than
 * another. */
#include "solver/articulation/limbs.h"
#include "solver/linkage.h"

/* Blocks of a colour and bucket with so many lanes. */
static uint32_t block_count(uint32_t lanes)
{
    return (lanes + LODE_LANES - 1) / LODE_LANES;
}

static uint32_t chunk_count(int colour, uint32_t blocks)
{
    if (is_colour_rest(colour)) /* in one piece: its blocks share bodies */
        return blocks ? 1 : 0;
    return (blocks + LODE__CHUNK_BLOCKS - 1) / LODE__CHUNK_BLOCKS;
}

uint32_t lode__bucket_stride(int bucket)
{
    if (bucket_is_linkage(bucket))
        return (uint32_t)lode__linkage_block_size(1 << (bucket - LODE__BUCKET_LINKAGE));
    if (!bucket_is_contact(bucket)) {
        int rows = lode__bucket_rows(bucket - LODE__BUCKET_JOINT);
        int extras = lode__bucket_extras(bucket - LODE__BUCKET_JOINT);
        bool given = lode__axes_are_given(lode__bucket_type(bucket - LODE__BUCKET_JOINT));
        return (uint32_t)(lode__row_block_size(rows) + lode__joint_lanes_size(extras, given));
    }
    int points = bucket % LODE__MANIFOLD_POINTS + 1;
    return (uint32_t)(bucket_is_special(bucket) ? lode__special_block_size(points)
                                                : lode__contact_block_size(points));
}

/* Blocks of links are filled, refreshed and told, and solved elsewhere. */
static const lode__block_kernels *kernels_of(const lode__solver *solver, int colour, int bucket,
                                             uint32_t lanes)
{
    int kind = bucket;
    if (bucket_is_linkage(bucket))
        kind = LODE__KIND_LINKAGE;
    else if (!bucket_is_contact(bucket))
        kind = LODE__KIND_ROWS + lode__bucket_rows(bucket - LODE__BUCKET_JOINT) - 1;
    if (colour == LODE__COLOUR_LIMBS)
        return &solver->state->limb_kinds[kind];
    if (is_colour_rest(colour))
        kind += LODE__KIND_SHARED;
    return lode__block_kernels_of(solver->kernels, kind, lanes);
}

typedef struct totals {
    uint32_t chunks, blocks;
    size_t bytes; /* of blocks that stay */
    size_t bench; /* of the largest group that goes through */
} totals;

/* Counts what blocks a colour and bucket of so many lanes has. */
static void add_blocks(totals *sum, int colour, int bucket, uint32_t lanes)
{
    uint32_t blocks = block_count(lanes);
    sum->chunks += chunk_count(colour, blocks);
    sum->blocks += blocks;
    sum->bytes += (size_t)blocks * lode__bucket_stride(bucket);
}

/* The same of a group with shares, as many as there can be wherever it is cut: each share has one
 * block that is not full, and an edge and an inside with one chunk that is not. */
static void add_shared_blocks(totals *sum, uint32_t shares, int bucket, uint32_t lanes)
{
    uint32_t blocks = block_count(lanes) + shares;
    sum->blocks += blocks;
    sum->chunks += blocks / LODE__CHUNK_BLOCKS + 2 * shares;
    sum->bytes += (size_t)blocks * lode__bucket_stride(bucket);
}

/* What all blocks of a group need. */
static void add_group(totals *sum, const lode__solve_state *state, const lode__group *group)
{
    size_t before = sum->bytes;
    for (uint32_t colours = group->colours; colours; colours &= colours - 1) {
        int c = __builtin_ctz(colours);
        for (uint32_t i = 0; i < state->bucket_count; ++i) {
            int k = state->buckets[i];
            uint32_t lanes = group->blocks[c][k];
            if (lanes > 0 && group->shares && !is_colour_rest(c))
                add_shared_blocks(sum, state->shares, k, lanes);
            else if (lanes > 0)
                add_blocks(sum, c, k, lanes);
        }
    }
    if (group->through) {
        sum->bench = sum->bytes - before > sum->bench ? sum->bytes - before : sum->bench;
        sum->bytes = before;
    }
}

/* Reports the blocks that one thread would have of groups begin..end-1, which would be one: with
 * more threads some more are not full. */
static void tell_blocks(const lode__solve_state *state, uint32_t begin, uint32_t end,
                        lode_world_stats *stats)
{
    totals told = {0};
    int colours = 0;
    uint32_t used = 0;
    for (uint32_t g = begin; g < end; ++g)
        used |= state->groups[g].colours;
    for (; used; used &= used - 1) {
        uint32_t before = told.blocks;
        int c = __builtin_ctz(used);
        for (uint32_t i = 0; i < state->bucket_count; ++i) {
            uint32_t k = state->buckets[i], lanes = 0;
            for (uint32_t g = begin; g < end; ++g) {
                bool any = state->groups[g].colours >> c & 1;
                uint32_t here = any ? state->groups[g].blocks[c][k] : 0;
                lanes += is_colour_rest(c) ? block_count(here) * LODE_LANES : here;
            }
            add_blocks(&told, c, (int)k, lanes);
        }
        colours += told.blocks > before && !is_colour_rest(c);
    }
    stats->colours = colours > stats->colours ? colours : stats->colours;
    stats->batches += (int)told.blocks;
}

static totals measure(const lode__solve_state *state, lode_world_stats *stats)
{
    totals sum = {0};
    uint32_t constraints = 0, rest = 0, linkages = 0;
    for (uint32_t i = 0; i < state->constraints[LODE__LINKAGES].count; ++i)
        linkages += is_colour_rest(state->constraints[LODE__LINKAGES].all[i].colour);
    stats->colours = stats->batches = 0;
    for (uint32_t g = 0, begin = 0; g < state->group_count; ++g) {
        const lode__group *group = &state->groups[g];
        rest += group->rest_end - group->rest_begin;
        for (int l = 0; l < LODE__LISTS; ++l)
            constraints += group->end[l] - group->begin[l];
        add_group(&sum, state, group);
        if (g + 1 < state->group_count && group[1].whole == group->whole)
            continue;
        tell_blocks(state, begin, g + 1, stats);
        begin = g + 1;
    }
    stats->lanes_used = (int)constraints;
    stats->overflow_blocks = (int)(rest - linkages);
    return sum;
}

/* Where the next block comes to lie. */
typedef struct layout {
    lode__solver *solver;
    char *at;
    uint32_t *lanes;
    uint32_t lane;
    uint8_t share;
    bool inside;
} layout;

/* Adds chunks of one colour and bucket for so many blocks, of which so many lanes at most are used.
 */
static void add_chunks(const layout *out, const lode__group *group, int colour, int bucket,
                       uint32_t blocks, uint32_t lanes)
{
    lode__solve_state *state = out->solver->state;
    uint32_t most = is_colour_rest(colour) ? blocks : LODE__CHUNK_BLOCKS;
    uint32_t stride = lode__bucket_stride(bucket);
    for (uint32_t done = 0; done < blocks; done += most)
        state->chunks[state->chunk_count++] = (lode__solve_chunk){
            .blocks = out->at + (size_t)done * stride,
            .lanes = out->lanes + out->lane + done * LODE_LANES,
            .kernels = kernels_of(out->solver, colour, bucket, lanes),
            .count = blocks - done < most ? blocks - done : most,
            .stride = stride,
            .colour = (uint8_t)colour,
            .bucket = (uint8_t)bucket,
            .share = out->share,
            .inside = out->inside,
            .shared = group->shares != NULL,
            .through = group->through,
        };
}

static void pass(layout *out, int bucket, uint32_t blocks)
{
    out->at += (size_t)blocks * lode__bucket_stride(bucket);
    out->lane += blocks * LODE_LANES;
}

/* The counts in group.blocks become the next free lane of their colour and bucket; of the rest, the
 * first one. */
static void lay_out_whole(layout *out, lode__group *group, int colour)
{
    for (uint32_t i = 0; i < out->solver->state->bucket_count; ++i) {
        int k = out->solver->state->buckets[i];
        uint32_t lanes = group->blocks[colour][k], blocks = block_count(lanes);
        if (blocks == 0) /* as most are */
            continue;
        group->blocks[colour][k] = out->lane;
        add_chunks(out, group, colour, k, blocks, lanes);
        pass(out, k, blocks);
    }
}

/* How many of a share's blocks of a colour and bucket come first, given the lanes of its edge:
 * kernels do two blocks at a time, so an edge of an odd number takes one from the inside along. */
static uint32_t edge_block_count(uint32_t lanes, uint32_t all_blocks)
{
    uint32_t even = (block_count(lanes) + 1) & ~1u;
    return even < all_blocks ? even : all_blocks;
}

/* A share's blocks of a colour; those with lanes of its edge are the first of each bucket, and
 * their chunks come before all others. */
static void lay_out_share(layout *out, lode__group *group, uint32_t s, int colour)
{
    uint32_t(*edges)[LODE__BUCKET_COUNT] = group->shares[s].lanes[0];
    uint32_t(*insides)[LODE__BUCKET_COUNT] = group->shares[s].lanes[1];
    const lode__solve_state *state = out->solver->state;
    layout begin = *out, edge = *out, inside = *out;
    edge.share = inside.share = (uint8_t)s;
    inside.inside = true;
    for (uint32_t i = 0; i < state->bucket_count; ++i) {
        int k = state->buckets[i];
        uint32_t blocks = block_count(edges[colour][k] + insides[colour][k]);
        if (group->blocks[colour][k] == 0) /* as most are */
            continue;
        add_chunks(&edge, group, colour, k, edge_block_count(edges[colour][k], blocks),
                   blocks * LODE_LANES);
        pass(&edge, k, blocks);
    }
    for (uint32_t i = 0; i < state->bucket_count; ++i) {
        int k = state->buckets[i];
        uint32_t blocks = block_count(edges[colour][k] + insides[colour][k]);
        uint32_t edge_blocks = edge_block_count(edges[colour][k], blocks), lane = inside.lane;
        if (group->blocks[colour][k] == 0)
            continue;
        pass(&inside, k, edge_blocks);
        add_chunks(&inside, group, colour, k, blocks - edge_blocks, blocks * LODE_LANES);
        pass(&inside, k, blocks - edge_blocks);
        insides[colour][k] = lane + edges[colour][k];
        edges[colour][k] = lane;
    }
    *out = edge;
    out->share = begin.share;
}

/* Where each share's blocks begin. All of one share lie together, whatever their colour: processors
 * read ahead, and would take what follows the share's blocks of a colour from another core. */
static void begin_shares(layout *out, const lode__group *group, layout *out_shares)
{
    const lode__solve_state *state = out->solver->state;
    for (uint32_t s = 0; s < state->shares; ++s) {
        uint32_t(*const lanes)[LODE__COLOUR_COUNT][LODE__BUCKET_COUNT] = group->shares[s].lanes;
        out_shares[s] = *out;
        for (uint32_t left = group->colours; left; left &= left - 1) {
            int c = __builtin_ctz(left);
            for (uint32_t i = 0; i < state->bucket_count && !is_colour_rest(c); ++i) {
                int k = state->buckets[i];
                if (group->blocks[c][k] > 0) /* as few are */
                    pass(out, k, block_count(lanes[0][c][k] + lanes[1][c][k]));
            }
        }
    }
}

static void lay_out_group(layout *out, lode__group *group)
{
    lode__solve_state *state = out->solver->state;
    uint32_t shares = group->shares ? state->shares : 0;
    layout at[LODE__MOST_SHARES];
    group->chunk_begin = state->chunk_count;
    if (shares > 0)
        begin_shares(out, group, at);
    for (uint32_t colours = group->colours; colours; colours &= colours - 1) {
        int c = __builtin_ctz(colours);
        if (shares == 0 || is_colour_rest(c))
            lay_out_whole(out, group, c);
        else
            for (uint32_t s = 0; s < shares; ++s)
                lay_out_share(&at[s], group, s, c);
    }
    group->chunk_end = state->chunk_count;
}

bool lode__blocks_lay_out(lode__solver *solver, const lode__step *step, uint32_t **out_lanes)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    totals sum = measure(state, step->stats);
    size_t workers = (size_t)lode__tasks_workers(step->tasks);
    state->bench_bytes = (sum.bench + LODE__BENCH_ALIGN - 1) & ~(size_t)(LODE__BENCH_ALIGN - 1);
    layout out = {.solver = solver,
                  .at = LODE__TAKE(arena, char, sum.bytes),
                  .lanes = LODE__TAKE(arena, uint32_t, sum.blocks * LODE_LANES)};
    char *bench = LODE__TAKE(arena, char, workers * state->bench_bytes);
    state->chunks = LODE__TAKE(arena, lode__solve_chunk, sum.chunks);
    if (!out.at || !out.lanes || !bench || !state->chunks)
        return false;
    *out_lanes = out.lanes;
    state->chunk_count = 0;
    if (lode__limbs_have_blocks(state) && !lode__limb_kinds_take(solver, arena))
        return false;
    for (uint32_t i = 0; i < sum.blocks * LODE_LANES; ++i)
        out.lanes[i] = LODE__NONE;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        char *stay = out.at;
        out.at = state->groups[g].through ? bench : stay;
        lay_out_group(&out, &state->groups[g]);
        out.at = state->groups[g].through ? stay : out.at;
    }
    return true;
}
