/* mesh_left.c: triangles that leave the word to others.
 *
 * A solid that reaches through a triangle near a convex edge may get out best along a direction
 * beyond the normal of the face on the other side. The mesh does not allow it (mesh_touch.h):
 * going that way the solid would meet the other face, so that one is to say what there is to say.
 * Mostly it does. But it may leave the word to a third triangle, for the same reason, and around a
 * steep summit the last may leave it to the first; or the solid may not reach the other face at
 * all. Then nobody would speak, and the solid would fall through.
 *
 * So who left the word to whom is kept until all triangles have been asked. A triangle is answered
 * if one that it left the word to has spoken or is answered. Of those that are not, the one that
 * the solid reaches through least, along the face's normal or a shorter way that is allowed at its
 * own edges (mesh_allowed.c), speaks: over the triangles of a summit that is the least way out of
 * any. That goes on until all are answered.
 *
 * Nothing here depends on the order of triangles: of two that are equally deep, the lower number
 * speaks. */
#include "collide/mesh_touch.h"
#include "core/memory.h"

enum { SPOKEN = -1 };

/* Beyond a flat edge, or a concave one, the face there says what is missing. */
static bool goes_on(const lode__mesh_query *query, const lode__mesh_side *side, int where)
{
    int kind = where < 0 || where >= 3 ? LODE__EDGE_FREE : side_kind(query->surface, side, where);
    return kind == LODE__EDGE_FLAT || kind == LODE__EDGE_CONCAVE;
}

bool lode__mesh_say(const lode__mesh_query *query, const lode__mesh_side *side, lode_real depth,
                    lode_real least, lode_vec3 m, lode__mesh_answer answer, int where)
{
    lode__mesh_points *out = query->out;
    bool alike = where < 0 && least > 0 && mesh_shorter(query, depth) > least;
    bool stands_in = alike || (answer != LODE__MESH_ALLOWS && where >= 0);
    bool apart = stands_in && !(least > 0);
    if (apart && (answer == LODE__MESH_NOTHING || v3_dot(m, side->n) >= -MESH_ALIKE))
        return false; /* beside the triangle, or before it */
    if (out->failed || !lode__grow((void **)&out->words, &out->word_capacity, out->word_count + 1,
                                   sizeof *out->words)) {
        out->failed = true;
        return false;
    }
    lode__mesh_word *word = &out->words[out->word_count++];
    word->side = *side;
    word->depth = depth;
    word->least = least;
    word->way = m;
    word->left = answer == LODE__MESH_NOTHING ? where : SPOKEN;
    word->stands_in = stands_in;
    word->apart = apart;
    word->leans = -1;
    if (answer == LODE__MESH_ALLOWS && where >= 0 && where < 3 && least > 0 &&
        lode__mesh_leads_into(query, side, where, m))
        word->leans = where;
    word->first = out->count;
    word->count = 0;
    out->any_left |= word->left != SPOKEN;
    out->any_stands_in |= stands_in;
    out->any_short |= (stands_in && !goes_on(query, side, where)) || word->leans >= 0;
    return true;
}

void lode__mesh_said(const lode__mesh_query *query)
{
    lode__mesh_points *out = query->out;
    lode__mesh_word *last = &out->words[out->word_count - 1];
    last->count = out->count - last->first;
}

static bool has_spoken(const lode__mesh_points *points, uint32_t triangle)
{
    for (uint32_t i = 0; i < points->word_count; ++i)
        if (points->words[i].side.triangle == triangle)
            return points->words[i].left == SPOKEN && !points->words[i].apart;
    return false;
}

/* Has one of the other triangles around the corner spoken? */
static bool spoken_around(const lode__mesh_query *query, const lode__mesh_word *word)
{
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t triangle = word->side.triangle;
        int at = word->left - 3;
        for (int i = 0; i < LODE__MESH_FAN; ++i) {
            triangle = lode__mesh_around(query->surface, triangle, &at, turn);
            if (triangle == LODE__NONE)
                break;
            if (triangle == word->side.triangle)
                return false; /* all the way around */
            if (has_spoken(query->out, triangle))
                return true;
        }
    }
    return false;
}

static bool is_answered(const lode__mesh_query *query, const lode__mesh_word *word)
{
    if (word->left >= 3)
        return spoken_around(query, word);
    uint32_t beyond = surface_neighbor(query->surface, word->side.triangle, word->left);
    return beyond != LODE__NONE && has_spoken(query->out, beyond >> 2);
}

/* Who is answered counts as having spoken. */
static void take_answers(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < points->word_count; ++i)
            if (points->words[i].left != SPOKEN && is_answered(query, &points->words[i])) {
                points->words[i].left = SPOKEN;
                changed = true;
            }
    }
}

/* Null: all are answered. */
static lode__mesh_word *least_deep(const lode__mesh_points *points)
{
    lode__mesh_word *best = NULL;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        lode__mesh_word *word = &points->words[i];
        if (word->left != SPOKEN &&
            (!best || word->depth < best->depth ||
             (word->depth == best->depth && word->side.triangle < best->side.triangle)))
            best = word;
    }
    return best;
}

/* Those that nobody has answered may be left along directions that the mesh allows at their own
 * edges: from here on the least way out counts. */
static void find_allowed(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        lode__mesh_word *word = &points->words[i];
        lode__mesh_point allowed;
        if (word->left != SPOKEN &&
            lode__mesh_least_allowed(query, &word->side, mesh_shorter(query, word->depth),
                                     &allowed))
            word->depth = allowed.depth;
    }
}

void lode__mesh_settle(const lode__mesh_query *query, lode__mesh_face_fn *face)
{
    lode__mesh_word *word;
    if (!query->out->any_left)
        return;
    take_answers(query);
    find_allowed(query);
    while (!query->out->failed && (word = least_deep(query->out))) {
        word->leans = word->left < 3 ? word->left : -1;
        word->left = SPOKEN;
        word->stands_in = query->out->any_stands_in = true;
        word->first = query->out->count;
        face(query, &word->side);
        word->count = query->out->count - word->first;
        take_answers(query);
    }
}
