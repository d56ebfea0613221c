/* hull_shell.c: half-edges, and the merging of faces; see hull_shell.h. */
#include "collide/hull_shell.h"

#include "core/memory.h"

void lode__shell_init(lode__shell *shell, const lode__double3 *points, uint32_t *next_point,
                      double tolerance)
{
    *shell = (lode__shell){.points = points,
                           .next_point = next_point,
                           .tolerance = tolerance,
                           .free_edge = LODE__NO_INDEX,
                           .free_face = LODE__NO_INDEX,
                           .orphans = LODE__NO_INDEX,
                           .lost = LODE__NO_INDEX};
}

void lode__shell_free(lode__shell *shell)
{
    lode__free(shell->edges, shell->edge_capacity * sizeof *shell->edges);
    lode__free(shell->faces, shell->face_capacity * sizeof *shell->faces);
    shell->edges = NULL;
    shell->faces = NULL;
}

/* --- edges and faces */

static uint32_t take_edge(lode__shell *shell)
{
    uint32_t edge = shell->free_edge;
    if (edge == LODE__NO_INDEX)
        return shell->edge_count++;
    shell->free_edge = shell->edges[edge].next;
    return edge;
}

static void give_edge(lode__shell *shell, uint32_t edge)
{
    shell->edges[edge].next = shell->free_edge;
    shell->free_edge = edge;
}

static uint32_t take_face(lode__shell *shell)
{
    uint32_t face = shell->free_face;
    if (face == LODE__NO_INDEX)
        return shell->face_count++;
    shell->free_face = shell->faces[face].edge;
    return face;
}

static void give_face(lode__shell *shell, uint32_t face)
{
    shell->faces[face].alive = false;
    shell->faces[face].edge = shell->free_face;
    shell->free_face = face;
}

static uint32_t next_of(const lode__shell *shell, uint32_t edge)
{
    return shell->edges[edge].next;
}
static uint32_t prev_of(const lode__shell *shell, uint32_t edge)
{
    return shell->edges[edge].prev;
}
static uint32_t twin_of(const lode__shell *shell, uint32_t edge)
{
    return shell->edges[edge].twin;
}
static uint32_t face_across(const lode__shell *shell, uint32_t edge)
{
    return shell->edges[twin_of(shell, edge)].face;
}

static void link_edges(lode__shell *shell, uint32_t edge, uint32_t next)
{
    shell->edges[edge].next = next;
    shell->edges[next].prev = edge;
}

/* The plane through the corners' mean, across Newell's normal, which weighs all corners. */
static void set_plane(lode__shell *shell, uint32_t face)
{
    lode__shell_face *f = &shell->faces[face];
    uint32_t edge = f->edge;
    lode__double3 base = shell->points[shell->edges[edge].origin];
    lode__double3 sum = d3(0, 0, 0), mean = d3(0, 0, 0);
    double count = 0;
    do {
        uint32_t next = next_of(shell, edge);
        lode__double3 p = d3_sub(shell->points[shell->edges[edge].origin], base);
        lode__double3 q = d3_sub(shell->points[shell->edges[next].origin], base);
        sum = d3_add(sum, d3_cross(p, q));
        mean = d3_add(mean, p);
        count += 1;
        edge = next;
    } while (edge != f->edge);
    f->center = d3_add(base, d3_scale(mean, 1 / count));
    f->area = d3_length(sum);
    f->normal = d3_normalize_or(sum, d3(0, 0, 0));
    f->offset = d3_dot(f->normal, f->center);
}

uint32_t lode__shell_add_triangle(lode__shell *shell, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    uint32_t edges[3];
    if (!lode__grow((void **)&shell->edges, &shell->edge_capacity, shell->edge_count + 3,
                    sizeof *shell->edges) ||
        !lode__grow((void **)&shell->faces, &shell->face_capacity, shell->face_count + 1,
                    sizeof *shell->faces)) {
        shell->no_memory = true;
        return LODE__NO_INDEX;
    }
    uint32_t face = take_face(shell);
    for (int i = 0; i < 3; ++i) {
        edges[i] = take_edge(shell);
        shell->edges[edges[i]] = (lode__shell_edge){
            .twin = LODE__NO_INDEX, .face = face, .origin = corners[i]};
    }
    for (int i = 0; i < 3; ++i)
        link_edges(shell, edges[i], edges[(i + 1) % 3]);
    shell->faces[face] = (lode__shell_face){
        .edge = edges[0], .outside = LODE__NO_INDEX, .alive = true};
    set_plane(shell, face);
    return face;
}

void lode__shell_join(lode__shell *shell, uint32_t edge, uint32_t twin)
{
    shell->edges[edge].twin = twin;
    shell->edges[twin].twin = edge;
}

static void orphan(lode__shell *shell, uint32_t face)
{
    uint32_t point = shell->faces[face].outside;
    while (point != LODE__NO_INDEX) {
        uint32_t next = shell->next_point[point];
        shell->next_point[point] = shell->orphans;
        shell->orphans = point;
        point = next;
    }
    shell->faces[face].outside = LODE__NO_INDEX;
}

void lode__shell_remove(lode__shell *shell, uint32_t face)
{
    uint32_t first = shell->faces[face].edge, edge = first;
    orphan(shell, face);
    do {
        uint32_t next = next_of(shell, edge);
        give_edge(shell, edge);
        edge = next;
    } while (edge != first);
    give_face(shell, face);
}

/* --- merging */

static bool is_triangle(const lode__shell *shell, uint32_t face)
{
    uint32_t edge = shell->faces[face].edge;
    return next_of(shell, next_of(shell, next_of(shell, edge))) == edge;
}

static bool tangle(lode__shell *shell)
{
    shell->tangled = true;
    return false;
}

/* Only two faces meet where `edge` ends: its own and one that lies across it and the next. */
static bool ends_between_two(const lode__shell *shell, uint32_t edge)
{
    return next_of(shell, twin_of(shell, next_of(shell, edge))) == twin_of(shell, edge);
}

static void lose(lode__shell *shell, uint32_t vertex)
{
    shell->next_point[vertex] = shell->lost;
    shell->lost = vertex;
}

/* Takes out the vertex where `edge` ends, between two faces. */
static void drop_vertex(lode__shell *shell, uint32_t edge)
{
    uint32_t next = next_of(shell, edge), back = twin_of(shell, edge), twin = twin_of(shell, next);
    lose(shell, shell->edges[next].origin);
    uint32_t face = shell->edges[edge].face, other = shell->edges[twin].face;
    link_edges(shell, edge, next_of(shell, next));
    link_edges(shell, twin, next_of(shell, back));
    lode__shell_join(shell, edge, twin);
    shell->faces[face].edge = edge;
    shell->faces[other].edge = twin;
    give_edge(shell, next);
    give_edge(shell, back);
    set_plane(shell, other);
}

static bool is_sound(const lode__shell *shell, uint32_t face)
{
    uint32_t first = shell->faces[face].edge, edge = first, count = 0;
    do {
        if (face_across(shell, edge) == face)
            return false;
        edge = next_of(shell, edge);
        ++count;
    } while (edge != first);
    return count >= 3;
}

/* Removes the edges that both faces share next to `edge`, and the face across it. */
static bool absorb(lode__shell *shell, uint32_t edge)
{
    uint32_t keep = shell->edges[edge].face, gone = face_across(shell, edge);
    uint32_t first = edge, last = edge;
    while (ends_between_two(shell, prev_of(shell, first)) && prev_of(shell, first) != last)
        first = prev_of(shell, first);
    while (ends_between_two(shell, last) && next_of(shell, last) != first)
        last = next_of(shell, last);
    uint32_t before = prev_of(shell, first), after = next_of(shell, last);
    uint32_t enter = next_of(shell, twin_of(shell, first)),
             leave = prev_of(shell, twin_of(shell, last));
    if (before == last || after == first || enter == twin_of(shell, last))
        return tangle(shell);
    for (uint32_t e = enter;; e = next_of(shell, e)) {
        shell->edges[e].face = keep;
        if (e == leave)
            break;
    }
    for (uint32_t e = first;;) {
        uint32_t next = next_of(shell, e);
        if (e != first)
            lose(shell, shell->edges[e].origin);
        give_edge(shell, twin_of(shell, e));
        give_edge(shell, e);
        if (e == last)
            break;
        e = next;
    }
    link_edges(shell, before, enter);
    link_edges(shell, leave, after);
    shell->faces[keep].edge = before;
    orphan(shell, gone);
    give_face(shell, gone);
    return is_sound(shell, keep) || tangle(shell);
}

/* An edge of the face that ends where only two faces meet, or LODE__NO_INDEX. */
static uint32_t find_seam(const lode__shell *shell, uint32_t face)
{
    uint32_t first = shell->faces[face].edge, edge = first;
    do {
        if (ends_between_two(shell, edge))
            return edge;
        edge = next_of(shell, edge);
    } while (edge != first);
    return LODE__NO_INDEX;
}

/* Merges two faces across `edge`; the one it belongs to stays. Vertices between two faces go, and
 * so do triangles that would be left with two corners. */
static bool merge(lode__shell *shell, uint32_t edge)
{
    uint32_t keep = shell->edges[edge].face;
    if (!absorb(shell, edge))
        return false;
    while ((edge = find_seam(shell, keep)) != LODE__NO_INDEX) {
        if (!is_triangle(shell, face_across(shell, edge)))
            drop_vertex(shell, edge);
        else if (!absorb(shell, edge))
            return false;
        if (!is_sound(shell, keep))
            return tangle(shell);
    }
    set_plane(shell, keep);
    return true;
}

/* Each face lies clearly below the other. */
static bool is_convex(const lode__shell *shell, uint32_t edge)
{
    const lode__shell_face *f = &shell->faces[shell->edges[edge].face];
    const lode__shell_face *g = &shell->faces[face_across(shell, edge)];
    return shell_height(f, g->center) < -shell->tolerance &&
           shell_height(g, f->center) < -shell->tolerance;
}

/* An edge of the face that is not convex, or LODE__NO_INDEX. */
static uint32_t find_flat(const lode__shell *shell, uint32_t face)
{
    uint32_t first = shell->faces[face].edge, edge = first;
    do {
        if (!is_convex(shell, edge))
            return edge;
        edge = next_of(shell, edge);
    } while (edge != first);
    return LODE__NO_INDEX;
}

uint32_t lode__shell_settle(lode__shell *shell, uint32_t face)
{
    for (uint32_t edge; (edge = find_flat(shell, face)) != LODE__NO_INDEX;) {
        uint32_t other = face_across(shell, edge);
        if (shell->faces[other].area > shell->faces[face].area) {
            edge = twin_of(shell, edge);
            face = other;
        }
        if (!merge(shell, edge))
            return LODE__NO_INDEX;
    }
    return face;
}
