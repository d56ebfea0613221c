/* mesh_explain.c: triangles that say too much.
 *
 * A solid that barely reaches a triangle leaves it soonest along some direction that the mesh may
 * not allow (mesh_touch.h). Then the face's normal stands in, and along that the way out may be as
 * long as the solid is large: beside an edge or a corner, or a rim, the solid runs down along the
 * face and nearly past it. That is right where the surface goes on: who has sunk into level ground
 * is as deep in a triangle that he has only just entered as in its neighbour. It is wrong where
 * something else leads out of the triangle as well.
 *
 * What leads out elsewhere is known once all triangles have spoken. So from the least deep on,
 * each one's contact is a way that the solid must go. What stands in is left out if the solid is
 * out of the triangle once it has gone one of the ways so far, or the shortest that goes all of
 * them, and that is shorter than what the triangle says. A triangle whose own least way is allowed
 * is never asked: none that is shorter leads out of it.
 *
 * A solid may also have got behind a triangle as a whole, past its edge, and then only the face
 * leads it back. But beside an edge it is behind the face on the other side, too. So triangles
 * that the solid does not reach are left out like others; and all of them are, if it reaches none.
 *
 * So over a bump what remains is the least way out of it along any direction that the mesh allows.
 * The least deep contact always stays: who touches is not let go.
 *
 * The shortest of all ways is that of mesh_ways.h. The triangle is looked at with
 * lode__triangle_apart(). */
#include "collide/mesh_touch.h"
#include "collide/mesh_ways.h"
#include "collide/triangle_apart.h"

/* Of the speculative margin: how much farther he goes who is to be out. */
#define SLACK ((lode_real)0.05)

/* The name of a point of a solid that leans on a triangle. */
enum { LEANS = 13 };

typedef struct ways {
    const lode__mesh_query *query;
    lode_real slack;
    lode__ways so_far;
} ways;

/* --- triangles */

/* Is the solid out of the triangle when it has gone this far, and a little? */
static bool leads_out(const ways *w, const lode__mesh_side *side, lode_vec3 move, lode_real length)
{
    const lode__mesh_query *query = w->query;
    lode_vec3 there = v3_scale(move, -(length + w->slack) / length);
    return lode__triangle_apart(&query->solid, query->rotation, side->t.v, there) >= 0;
}

static bool is_longer(const ways *w, lode_real depth, lode_real than)
{
    return mesh_shorter(w->query, depth) > than;
}

static bool is_explained(ways *w, const lode__mesh_word *word)
{
    for (int k = 0; k < w->so_far.count; ++k) {
        const lode__way *one = &w->so_far.way[k];
        if (is_longer(w, word->depth, one->depth) &&
            leads_out(w, &word->side, v3_scale(one->normal, one->depth), one->depth))
            return true;
    }
    if (w->so_far.count < 2)
        return false;
    lode_vec3 all = ways_shortest(&w->so_far);
    lode_real length = v3_length(all);
    return is_longer(w, word->depth, length) && leads_out(w, &word->side, all, length);
}

/* --- words */

static bool is_after(const lode__mesh_word *p, const lode__mesh_word *q)
{
    return p->side.triangle != q->side.triangle ? p->side.triangle > q->side.triangle : p > q;
}

/* By the numbers of their triangles; null: that was the last. */
static lode__mesh_word *next_numbered(const lode__mesh_points *points, const lode__mesh_word *last)
{
    lode__mesh_word *next = NULL;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        lode__mesh_word *word = &points->words[i];
        if ((!last || is_after(word, last)) && (!next || is_after(next, word)))
            next = word;
    }
    return next;
}

/* From now on a word's depth is what it has told. */
static lode_real told_by(const lode__mesh_points *points, const lode__mesh_word *word)
{
    lode_real most = -REAL_MAX;
    for (uint32_t i = 0; i < word->count; ++i)
        most = r_max(most, points->items[word->first + i].depth);
    return most;
}

/* May less lead out than it says? No way is shorter than the least one. */
static bool is_doubtful(const lode__mesh_query *query, const lode__mesh_word *word)
{
    return word->stands_in && mesh_shorter(query, word->depth) > r_max(0, word->least);
}

/* Does one of those say more than another one does? */
static bool has_doubts(const ways *w, const lode__mesh_points *points)
{
    lode_real least = REAL_MAX, most = 0;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        const lode__mesh_word *word = &points->words[i];
        if (word->depth > 0)
            least = r_min(least, word->depth);
        if (is_doubtful(w->query, word))
            most = r_max(most, word->depth);
    }
    return least < REAL_MAX && is_longer(w, most, least);
}

/* What stands in gives way to what the mesh allows at the triangle itself, if that is shorter. */
static void take_allowed(const ways *w, lode__mesh_points *points, lode__mesh_word *word)
{
    lode__mesh_point allowed;
    lode_real most = mesh_shorter(w->query, word->depth);
    if (!is_doubtful(w->query, word) ||
        !lode__mesh_least_allowed(w->query, &word->side, most, &allowed))
        return;
    for (uint32_t i = 0; i < word->count; ++i)
        points->items[word->first + i].depth = -REAL_MAX;
    points->items[word->first] = allowed;
    word->depth = allowed.depth;
}

/* In order of depth, of equals by number; a field that repeats itself may have one twice. */
static bool is_before(const lode__mesh_word *p, const lode__mesh_word *q)
{
    if (p->depth != q->depth)
        return p->depth < q->depth;
    return p->side.triangle != q->side.triangle ? p->side.triangle < q->side.triangle : p < q;
}

/* Null: that was the last. */
static lode__mesh_word *next_word(const lode__mesh_points *points, const lode__mesh_word *last)
{
    lode__mesh_word *best = NULL;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        lode__mesh_word *word = &points->words[i];
        if (word->depth > 0 && (!last || is_before(last, word)) && (!best || is_before(word, best)))
            best = word;
    }
    return best;
}

static void leave_out(lode__mesh_points *points, const lode__mesh_word *word)
{
    for (uint32_t i = 0; i < word->count; ++i)
        points->items[word->first + i].depth = -REAL_MAX;
}

static void drop_left_out(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].depth > -query->speculative)
            points->items[kept++] = points->items[i];
    points->count = kept;
}

/* A solid that is in none of the triangles is not behind any of them. */
static void leave_out_apart(lode__mesh_points *points)
{
    bool overlap = false;
    for (uint32_t i = 0; i < points->word_count; ++i)
        overlap |= !points->words[i].apart &&
                   (points->words[i].stands_in || points->words[i].least > 0);
    for (uint32_t i = 0; i < points->word_count && !overlap; ++i)
        if (points->words[i].apart) {
            leave_out(points, &points->words[i]);
            points->words[i].depth = -REAL_MAX;
        }
}

/* A point along the normal of a face on which the solid leans. */
static void lean_on(const lode__mesh_query *query, const lode__mesh_side *side, lode_real depth)
{
    int where;
    lode_vec3 n = side->n, down = q_rotate_inv(query->rotation, v3_neg(n));
    lode_vec3 low = d3_to(query->solid.type->support(&query->solid, d3_from(down)));
    lode_vec3 at = lode__triangle_nearest(&side->t, q_rotate(query->rotation, low), &where);
    lode__mesh_add(query, side, v3_madd(at, n, -depth / 2), n, depth, LEANS);
}

/* Where all that was clipped ends at flat edges the solid's lowest part is beyond them, and nobody
 * says anything if that is in a hole at a corner: the triangle that is reached deepest does. */
static void lean(const lode__mesh_query *query)
{
    const lode__mesh_points *points = query->out;
    const lode__mesh_word *best = NULL, *word = NULL;
    while (points->count == 0 && (word = next_numbered(points, word)))
        if (!word->stands_in && word->least > 0 && (!best || word->least > best->least))
            best = word;
    if (best)
        lean_on(query, &best->side, best->least);
}

/* The same of those that stand in, of whom no way is allowed: the one that is left soonest. */
static void lean_at_last(const lode__mesh_query *query)
{
    const lode__mesh_word *best = NULL, *word = NULL;
    lode_real least = REAL_MAX;
    while ((word = next_numbered(query->out, word))) {
        lode_real depth = lode__mesh_reach_along(query, v3_neg(word->side.n)) - word->side.height;
        if (word->stands_in && word->least > 0 && depth > 0 && depth < least) {
            best = word;
            least = depth;
        }
    }
    if (best)
        lean_on(query, &best->side, least);
}

/* Where the least deep of all that was said stands in too, a way that the mesh allows at one of
 * those who said nothing may be shorter; and where nobody said anything, as all that was clipped
 * ends at flat edges, it is the way. */
static void ask_silent(const ways *w, lode__mesh_points *points)
{
    const lode__mesh_word *first = next_word(points, NULL);
    if (first && !is_doubtful(w->query, first))
        return;
    lode_real most = first ? mesh_shorter(w->query, first->depth) : REAL_MAX;
    lode__mesh_point shortest = {.depth = 0}, allowed;
    lode__mesh_word *asked = NULL, *word = NULL;
    while ((word = next_numbered(points, word)))
        if (word->stands_in && word->depth <= 0 && word->least > 0 &&
            lode__mesh_least_allowed(w->query, &word->side, most, &allowed)) {
            asked = word;
            shortest = allowed;
            most = allowed.depth;
        }
    if (!asked && !first)
        lean_at_last(w->query);
    if (!asked)
        return;
    asked->first = points->count;
    asked->count = 1;
    asked->depth = shortest.depth;
    lode__mesh_add_point(w->query, &shortest);
}

/* What stands in, and is not explained by what was said, gives way to what the mesh allows at
 * another triangle, if that is shorter and leads out of this one as well. */
static void take_beyond(const ways *w, lode__mesh_points *points, const lode__mesh_word *word)
{
    lode_real most = mesh_shorter(w->query, word->depth);
    lode__mesh_point allowed, best;
    const lode__mesh_word *other = NULL;
    bool any = false;
    while ((other = next_numbered(points, other))) {
        if (other == word || !other->stands_in || !(other->least > 0 && other->least < most) ||
            !lode__mesh_least_allowed(w->query, &other->side, most, &allowed) ||
            !leads_out(w, &word->side, v3_scale(allowed.normal, allowed.depth), allowed.depth))
            continue;
        any = true;
        best = allowed;
        most = allowed.depth;
    }
    if (!any)
        return;
    leave_out(points, word);
    points->items[word->first] = best;
}

static bool stands_any_in(const lode__mesh_points *points)
{
    bool any = false;
    for (uint32_t i = 0; i < points->word_count; ++i)
        any |= points->words[i].stands_in;
    return any;
}

static void explain_all(ways *w, lode__mesh_points *points)
{
    const lode__mesh_word *word = NULL;
    while ((word = next_word(points, word))) {
        lode_real depth = word->depth;
        const lode__mesh_point *first = &points->items[word->first];
        if (is_doubtful(w->query, word)) {
            if (is_explained(w, word)) {
                leave_out(points, word);
                continue;
            }
            take_beyond(w, points, word);
            depth = told_by(points, word);
        }
        ways_note(&w->so_far, first->normal, depth);
    }
}

void lode__mesh_explain(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    ways w = {.query = query, .slack = query->speculative * SLACK};
    lean(query);
    if (points->failed || !stands_any_in(points))
        return;
    for (uint32_t i = 0; i < points->word_count; ++i) {
        points->words[i].depth = told_by(points, &points->words[i]);
        take_allowed(&w, points, &points->words[i]);
    }
    leave_out_apart(points);
    ask_silent(&w, points);
    if (!points->failed && has_doubts(&w, points))
        explain_all(&w, points);
    drop_left_out(query);
}
