/* validate.c: what islands and colouring promise, checked over the whole of a step's graph; for
 * tests, and for builds with expensive checks.
 *
 * Lines: every movable body that is awake has one, in the order of islands; islands are whole, and
 * each lies in one group. Lanes: every constraint has exactly one, in a block of its own bucket and
 * colour; within a colour of a group no two lanes push the same body; and of what found no colour,
 * the lanes of a block belong to one island. */
#include "core/error.h"
#include "solver/linkage.h"

typedef struct check {
    const lode__solver *solver;
    const lode__solve_state *state;
    uint32_t *place[LODE__LISTS]; /* by source: where it is in its list; LODE__NONE once seen */
    uint32_t *colours;            /* by line: bits of the colours that push it */
    uint32_t *pushed;             /* by line: the last block of linkages that does, from 1 on */
    uint32_t linkage_blocks;
    uint32_t lanes;
} check;

/* ---- lines ---- */

static void check_island(const check *c, uint32_t island)
{
    const lode__island_list *list = &c->solver->islands;
    const lode__bits *awake = c->solver->awake;
    for (uint32_t line = list->begin[island]; line < list->begin[island + 1]; ++line) {
        uint32_t slot = list->slot[line];
        LODE__ASSERT(lode__bits_get(awake, slot));
        LODE__ASSERT(flags_movable(*LODE__AT(body, c->solver->bodies, flags, slot)));
        int32_t own = line_of_body(c->solver->bodies, slot); /* in any order within the island */
        LODE__ASSERT(own >= (int32_t)list->begin[island] && own < (int32_t)list->begin[island + 1]);
        LODE__ASSERT(c->state->lines.slot[own] == slot);
        LODE__ASSERT(line == list->begin[island] || list->slot[line - 1] < slot);
        LODE__ASSERT(c->state->island[line] == island);
    }
}

static uint32_t count_movable(const lode__solver *solver)
{
    const lode__bits *awake = solver->awake;
    uint32_t count = 0;
    for (uint32_t slot = lode__bits_next(awake, 0); slot < solver->bodies->end;
         slot = lode__bits_next(awake, slot + 1))
        count += flags_movable(*LODE__AT(body, solver->bodies, flags, slot));
    return count;
}

static void check_lines(const check *c)
{
    const lode__solve_state *state = c->state;
    const lode__island_list *list = &c->solver->islands;
    LODE__ASSERT(list->begin[0] == 1 && list->begin[list->count] == state->lines.count);
    LODE__ASSERT(count_movable(c->solver) == state->lines.count - 1);
    for (uint32_t i = 0; i < list->count; ++i)
        check_island(c, i);
    uint32_t line = 1;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        LODE__ASSERT(state->groups[g].line_begin == line);
        line = state->groups[g].line_end;
        LODE__ASSERT(g + 1 == state->group_count || state->island[line - 1] < state->island[line]);
    }
    LODE__ASSERT(line == state->lines.count);
}

/* ---- constraints ---- */

static void check_ends(const check *c, const lode__constraint *constraint)
{
    uint32_t a = constraint->a, b = constraint->b;
    LODE__ASSERT(a != b && a < c->state->lines.count && b < c->state->lines.count);
    LODE__ASSERT(!a || !b || c->state->island[a] == c->state->island[b]);
}

static bool place_constraints(check *c, lode__arena *arena)
{
    uint32_t sources[LODE__LISTS];
    sources[LODE__JOINTS] = c->solver->joints->end;
    sources[LODE__LINKAGES] = c->state->constraints[LODE__LINKAGES].count;
    sources[LODE__CONTACTS] = c->solver->contact_count;
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &c->state->constraints[l];
        c->place[l] = LODE__TAKE(arena, uint32_t, sources[l]);
        if (!c->place[l])
            return false;
        for (uint32_t i = 0; i < sources[l]; ++i)
            c->place[l][i] = LODE__NONE;
        for (uint32_t i = 0; i < list->count; ++i) {
            LODE__ASSERT(c->place[l][list->all[i].source] == LODE__NONE);
            c->place[l][list->all[i].source] = i;
            check_ends(c, &list->all[i]);
        }
    }
    c->colours = LODE__TAKE_ZEROED(arena, uint32_t, c->state->lines.count);
    c->pushed = LODE__TAKE_ZEROED(arena, uint32_t, c->state->lines.count);
    return c->colours && c->pushed;
}

/* ---- lanes ---- */

static void check_push(const check *c, const lode__group *group, uint32_t line, int colour)
{
    if (line == 0)
        return;
    LODE__ASSERT(group->line_begin <= line && line < group->line_end);
    LODE__ASSERT(!(c->colours[line] >> colour & 1));
    c->colours[line] |= 1u << colour;
}

/* No two lanes of a block of linkages have a body in common, and each is of one island. Those on
 * links are solved one by one, and may share bodies. */
static void check_linkage(const check *c, uint32_t source, bool links)
{
    const lode__linkage_row *row = &c->state->linkages[source];
    for (uint32_t k = row->begin; k < row->end; ++k) {
        uint32_t line = c->state->linkage_ends[k];
        LODE__ASSERT(links || c->pushed[line] != c->linkage_blocks);
        LODE__ASSERT(c->state->island[line] ==
                     c->state->island[c->state->linkage_ends[row->begin]]);
        c->pushed[line] = c->linkage_blocks;
    }
}

/* Returns the constraint's island. */
static uint32_t check_lane(check *c, const lode__group *group, const lode__solve_chunk *chunk,
                           uint32_t source)
{
    int l = list_of_bucket(chunk->bucket);
    uint32_t place = c->place[l][source];
    LODE__ASSERT(place != LODE__NONE);
    c->place[l][source] = LODE__NONE;
    const lode__constraint *constraint = &c->state->constraints[l].all[place];
    uint32_t a = constraint->a, b = constraint->b;
    LODE__ASSERT(colour_in(group, constraint) == chunk->colour);
    LODE__ASSERT(constraint->bucket == chunk->bucket);
    ++c->lanes;
    if (is_uncoloured(group, constraint))
        return c->state->island[a ? a : b];
    if (l == LODE__LINKAGES)
        check_linkage(c, source, chunk->colour == LODE__COLOUR_LIMBS);
    else if (chunk->colour != LODE__COLOUR_LIMBS)
        LODE__ASSERT((a && b) == (chunk->colour < LODE__COLOUR_STATIC));
    if (!is_colour_rest(chunk->colour) && chunk->colour != LODE__COLOUR_LIMBS) {
        check_push(c, group, a, chunk->colour);
        check_push(c, group, b, chunk->colour);
    }
    return c->state->island[a ? a : b];
}

static void check_chunk(check *c, const lode__group *group, const lode__solve_chunk *chunk)
{
    for (uint32_t block = 0; block < chunk->count; ++block) {
        const uint32_t *lanes = chunk->lanes + (size_t)block * LODE_LANES;
        uint32_t first = LODE__NONE;
        LODE__ASSERT(lanes[0] != LODE__NONE);
        bool linkages = bucket_is_linkage(chunk->bucket);
        c->linkage_blocks += linkages;
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            if (lanes[lane] == LODE__NONE)
                continue;
            uint32_t island = check_lane(c, group, chunk, lanes[lane]);
            first = lane == 0 ? island : first;
            LODE__ASSERT(linkages || !is_colour_rest(chunk->colour) || island == first);
        }
    }
}

bool lode__solver_validate(const lode__solver *solver, lode__arena *arena)
{
    check c = {.solver = solver, .state = solver->state};
    check_lines(&c);
    if (!place_constraints(&c, arena))
        return false;
    uint32_t chunk = 0, constraints = 0;
    for (uint32_t g = 0; g < c.state->group_count; ++g) {
        const lode__group *group = &c.state->groups[g];
        LODE__ASSERT(group->chunk_begin == chunk);
        for (; chunk < group->chunk_end; ++chunk)
            check_chunk(&c, group, &c.state->chunks[chunk]);
    }
    for (int l = 0; l < LODE__LISTS; ++l)
        constraints += c.state->constraints[l].count;
    LODE__ASSERT(chunk == c.state->chunk_count && c.lanes == constraints);
    return true;
}
