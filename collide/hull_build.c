/* hull_build.c: the convex hull of points.
 *
 * Quickhull (Barber, Dobkin and Huhdanpaa 1996). It begins with a tetrahedron of far points. Each
 * face has a list of points above it; as long as there are any, the farthest point of a list
 * becomes a vertex: the faces that it sees go, and triangles from their rim, the horizon, to the
 * point come in. Triangles that are not clearly convex to their neighbours merge with them
 * (hull_shell.h).
 *
 * All is in double, and "above" means by more than a tolerance: what rounding to a lode_real can
 * have done to the points. So points on a flat side that was turned lie on it, and in single
 * precision the arithmetic is all but exact beside it. Where merging fails, or a horizon is no
 * simple loop, the hull is begun again with a tolerance four times as wide.
 *
 * Faces wait in a queue and lists keep their order, so equal points in equal order give equal
 * hulls. */
#include "collide/hull.h"
#include "collide/hull_shell.h"
#include "core/memory.h"

#include <string.h>

enum { ATTEMPTS = 6, WIDER = 4 };

/* A hull thinner than this many tolerances counts as flat. */
enum { LEAST_THICKNESS = 4 };

/* How many tolerances the result may be from plane and convex: merging adds them up. */
enum { SLACK = 8 };

typedef struct builder {
    const lode__double3 *points;
    uint32_t count;
    uint32_t *next_point, *stamps; /* by point; stamps: the last round whose horizon it was on */
    uint32_t round;
    lode__shell shell;
    uint32_t *queue, *stack, *horizon, *fresh; /* faces, faces, edges, faces */
    uint32_t queue_at, queue_count, queue_capacity;
    uint32_t stack_capacity, horizon_count, horizon_capacity, fresh_count, fresh_capacity;
} builder;

static bool push(lode__shell *shell, uint32_t **list, uint32_t *count, uint32_t *capacity,
                 uint32_t value)
{
    if (!lode__grow((void **)list, capacity, *count + 1, sizeof **list)) {
        shell->no_memory = true;
        return false;
    }
    (*list)[(*count)++] = value;
    return true;
}

double lode__hull_scale(const lode__double3 *points, uint32_t count)
{
    lode__double3 most = d3(0, 0, 0);
    for (uint32_t i = 0; i < count; ++i)
        most = d3(d_max(most.x, d_abs(points[i].x)), d_max(most.y, d_abs(points[i].y)),
                  d_max(most.z, d_abs(points[i].z)));
    return most.x + most.y + most.z;
}

/* --- the first tetrahedron */

static double coordinate(lode__double3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The two ends along the axis on which the points reach farthest. */
static double find_ends(const builder *b, uint32_t out[2])
{
    double most = -1;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t lo = 0, hi = 0;
        for (uint32_t i = 1; i < b->count; ++i) {
            double x = coordinate(b->points[i], axis);
            lo = x < coordinate(b->points[lo], axis) ? i : lo;
            hi = x > coordinate(b->points[hi], axis) ? i : hi;
        }
        double reach = coordinate(b->points[hi], axis) - coordinate(b->points[lo], axis);
        if (reach > most) {
            most = reach;
            out[0] = lo;
            out[1] = hi;
        }
    }
    return most;
}

static double find_off_line(const builder *b, uint32_t corners[3])
{
    lode__double3 base = b->points[corners[0]];
    lode__double3 line = d3_normalize_or(d3_sub(b->points[corners[1]], base), d3(1, 0, 0));
    double most = -1;
    for (uint32_t i = 0; i < b->count; ++i) {
        double apart = d3_length(d3_cross(line, d3_sub(b->points[i], base)));
        if (apart > most) {
            most = apart;
            corners[2] = i;
        }
    }
    return most;
}

static double find_off_plane(const builder *b, uint32_t corners[4])
{
    lode__double3 base = b->points[corners[0]];
    lode__double3 normal = d3_normalize_or(
        d3_cross(d3_sub(b->points[corners[1]], base), d3_sub(b->points[corners[2]], base)),
        d3(0, 0, 1));
    double most = -1;
    bool above = false;
    for (uint32_t i = 0; i < b->count; ++i) {
        double height = d3_dot(normal, d3_sub(b->points[i], base));
        if (d_abs(height) > most) {
            most = d_abs(height);
            above = height > 0;
            corners[3] = i;
        }
    }
    if (above) { /* let the first three look away from the fourth */
        uint32_t swap = corners[1];
        corners[1] = corners[2];
        corners[2] = swap;
    }
    return most;
}

static const char *find_corners(const builder *b, uint32_t corners[4])
{
    double least = LEAST_THICKNESS * b->shell.tolerance;
    if (b->count < 4)
        return "a hull needs four points or more";
    if (!(find_ends(b, corners) > least))
        return "the points all coincide, within rounding";
    if (!(find_off_line(b, corners) > least))
        return "the points all lie on a line, within rounding";
    if (!(find_off_plane(b, corners) > least))
        return "the points all lie in a plane, within rounding";
    return NULL;
}

/* --- points above faces */

/* A corner of a face, or a point in the same place, is on it, however far rounding may put it above
 * the plane: that of a long sliver is known to fewer digits than the tolerance has. */
static bool is_corner(const builder *b, const lode__shell_face *face, uint32_t point)
{
    const lode__shell_edge *edges = b->shell.edges;
    uint32_t edge = face->edge;
    lode__double3 p = b->points[point];
    do {
        lode__double3 q = b->points[edges[edge].origin];
        if (p.x == q.x && p.y == q.y && p.z == q.z)
            return true;
        edge = edges[edge].next;
    } while (edge != face->edge);
    return false;
}

/* Gives the point to the face that it lies highest above, or drops it. */
static void assign(builder *b, uint32_t point)
{
    uint32_t best = LODE__NO_INDEX;
    double most = b->shell.tolerance;
    for (uint32_t i = 0; i < b->fresh_count; ++i) {
        const lode__shell_face *face = &b->shell.faces[b->fresh[i]];
        double height = face->alive ? shell_height(face, b->points[point]) : 0;
        if (height > most && !is_corner(b, face, point)) {
            most = height;
            best = b->fresh[i];
        }
    }
    if (best == LODE__NO_INDEX)
        return;
    b->next_point[point] = b->shell.faces[best].outside;
    b->shell.faces[best].outside = point;
}

static void assign_orphans(builder *b)
{
    uint32_t point = b->shell.orphans;
    b->shell.orphans = LODE__NO_INDEX;
    while (point != LODE__NO_INDEX) {
        uint32_t next = b->next_point[point];
        assign(b, point);
        point = next;
    }
}

static void enqueue_fresh(builder *b)
{
    for (uint32_t i = 0; i < b->fresh_count; ++i) {
        const lode__shell_face *face = &b->shell.faces[b->fresh[i]];
        if (face->alive && face->outside != LODE__NO_INDEX)
            push(&b->shell, &b->queue, &b->queue_count, &b->queue_capacity, b->fresh[i]);
    }
}

static void begin(builder *b, const uint32_t corners[4])
{
    static const uint8_t sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    uint32_t first[4];
    for (int i = 0; i < 4; ++i) {
        uint32_t face = lode__shell_add_triangle(&b->shell, corners[sides[i][0]],
                                                 corners[sides[i][1]], corners[sides[i][2]]);
        if (face == LODE__NO_INDEX ||
            !push(&b->shell, &b->fresh, &b->fresh_count, &b->fresh_capacity, face))
            return;
        first[i] = b->shell.faces[face].edge;
    }
    const lode__shell_edge *edges = b->shell.edges;
    for (uint32_t i = 0, base = first[0]; i < 3; ++i, base = edges[base].next)
        lode__shell_join(&b->shell, base, edges[first[i + 1]].prev);
    for (uint32_t i = 0; i < 3; ++i)
        lode__shell_join(&b->shell, edges[first[i + 1]].next, first[(i + 1) % 3 + 1]);
    for (uint32_t i = 0; i < b->count; ++i)
        assign(b, i);
    enqueue_fresh(b);
}

/* --- one point more */

/* The highest point above the face; its list loses those that are not above it any more. */
static uint32_t take_highest(builder *b, uint32_t face)
{
    lode__shell_face *f = &b->shell.faces[face];
    uint32_t best = LODE__NO_INDEX, kept = LODE__NO_INDEX, point = f->outside;
    double most = b->shell.tolerance;
    while (point != LODE__NO_INDEX) {
        uint32_t next = b->next_point[point], put = point;
        double height = shell_height(f, b->points[point]);
        if (height > most) {
            put = best;
            best = point;
            most = height;
        } else if (!(height > b->shell.tolerance)) {
            put = LODE__NO_INDEX;
        }
        if (put != LODE__NO_INDEX) {
            b->next_point[put] = kept;
            kept = put;
        }
        point = next;
    }
    f->outside = kept;
    return best;
}

/* Marks the faces that see the point, from one that does; they are left in the stack. */
static uint32_t mark_visible(builder *b, uint32_t face, lode__double3 eye)
{
    lode__shell *shell = &b->shell;
    uint32_t count = 0, done = 0;
    shell->faces[face].visible = true;
    if (!push(shell, &b->stack, &count, &b->stack_capacity, face))
        return 0;
    while (done < count) {
        uint32_t first = shell->faces[b->stack[done++]].edge, edge = first;
        do {
            uint32_t across = shell->edges[shell->edges[edge].twin].face;
            lode__shell_face *other = &shell->faces[across];
            if (!other->visible && shell_height(other, eye) > shell->tolerance) {
                other->visible = true;
                if (!push(shell, &b->stack, &count, &b->stack_capacity, across))
                    return 0;
            }
            edge = shell->edges[edge].next;
        } while (edge != first);
    }
    return count;
}

static bool across_is_visible(const lode__shell *shell, uint32_t edge)
{
    return shell->faces[shell->edges[shell->edges[edge].twin].face].visible;
}

/* The edges of the `visible` faces in the stack whose other side is not visible: how many there
 * are, and one of them. */
static uint32_t count_rim(const builder *b, uint32_t visible, uint32_t *out_edge)
{
    const lode__shell *shell = &b->shell;
    uint32_t count = 0;
    for (uint32_t i = 0; i < visible; ++i) {
        uint32_t first = shell->faces[b->stack[i]].edge, edge = first;
        do {
            if (!across_is_visible(shell, edge)) {
                *out_edge = count == 0 ? edge : *out_edge;
                ++count;
            }
            edge = shell->edges[edge].next;
        } while (edge != first);
    }
    return count;
}

/* Walks along the rim, anticlockwise, and lists the edges on its far side. It must be one loop that
 * passes each of its vertices once. */
static bool walk_rim(builder *b, uint32_t visible)
{
    lode__shell *shell = &b->shell;
    uint32_t first = LODE__NO_INDEX, count = count_rim(b, visible, &first), edge = first;
    b->horizon_count = 0;
    ++b->round;
    if (count < 3)
        return false;
    do {
        uint32_t origin = shell->edges[edge].origin;
        if (b->stamps[origin] == b->round || b->horizon_count == count)
            return false;
        b->stamps[origin] = b->round;
        if (!push(shell, &b->horizon, &b->horizon_count, &b->horizon_capacity,
                  shell->edges[edge].twin))
            return false;
        edge = shell->edges[edge].next;
        while (across_is_visible(shell, edge))
            edge = shell->edges[shell->edges[edge].twin].next;
    } while (edge != first);
    return b->horizon_count == count;
}

/* Triangles from the horizon to the point, each joined to the one before. */
static bool add_cone(builder *b, uint32_t eye)
{
    lode__shell *shell = &b->shell;
    uint32_t before = LODE__NO_INDEX, first = LODE__NO_INDEX;
    b->fresh_count = 0;
    for (uint32_t i = 0; i < b->horizon_count; ++i) {
        uint32_t far = b->horizon[i];
        uint32_t to = shell->edges[far].origin;
        uint32_t from = shell->edges[shell->edges[far].next].origin;
        uint32_t face = lode__shell_add_triangle(shell, from, to, eye);
        if (face == LODE__NO_INDEX ||
            !push(shell, &b->fresh, &b->fresh_count, &b->fresh_capacity, face))
            return false;
        uint32_t edge = shell->faces[face].edge;
        lode__shell_join(shell, edge, far);
        if (before != LODE__NO_INDEX)
            lode__shell_join(shell, shell->edges[before].next, shell->edges[edge].prev);
        else
            first = edge;
        before = edge;
    }
    lode__shell_join(shell, shell->edges[before].next, shell->edges[first].prev);
    return true;
}

static bool settle_fresh(builder *b)
{
    for (uint32_t i = 0; i < b->fresh_count; ++i) {
        if (!b->shell.faces[b->fresh[i]].alive)
            continue;
        b->fresh[i] = lode__shell_settle(&b->shell, b->fresh[i]);
        if (b->fresh[i] == LODE__NO_INDEX)
            return false;
    }
    return true;
}

static bool add_point(builder *b, uint32_t face)
{
    lode__shell *shell = &b->shell;
    uint32_t eye = take_highest(b, face);
    if (eye == LODE__NO_INDEX)
        return true;
    uint32_t visible = mark_visible(b, face, b->points[eye]);
    if (visible == 0 || !walk_rim(b, visible)) {
        shell->tangled = true;
        return false;
    }
    for (uint32_t i = 0; i < visible; ++i) /* their edges' names stay readable until they go */
        lode__shell_remove(shell, b->stack[i]);
    if (!add_cone(b, eye) || !settle_fresh(b))
        return false;
    assign_orphans(b);
    enqueue_fresh(b);
    return !shell->no_memory;
}

/* --- all of it */

/* Vertices go from flat sides and straight edges, so they are on what is left. */
static bool lost_are_below(const lode__shell *shell)
{
    double most = SLACK * shell->tolerance;
    for (uint32_t v = shell->lost; v != LODE__NO_INDEX; v = shell->next_point[v])
        for (uint32_t f = 0; f < shell->face_count; ++f)
            if (shell->faces[f].alive && shell_height(&shell->faces[f], shell->points[v]) > most)
                return false;
    return true;
}

static void grow_hull(builder *b, const uint32_t corners[4])
{
    begin(b, corners);
    while (!b->shell.no_memory && !b->shell.tangled && b->queue_at < b->queue_count) {
        uint32_t face = b->queue[b->queue_at++];
        while (b->shell.faces[face].alive && b->shell.faces[face].outside != LODE__NO_INDEX)
            if (!add_point(b, face))
                return;
    }
    b->shell.tangled |= !lost_are_below(&b->shell);
}

static uint32_t count_corners(const lode__shell *shell, uint32_t face)
{
    uint32_t first = shell->faces[face].edge, edge = first, count = 0;
    do {
        ++count;
        edge = shell->edges[edge].next;
    } while (edge != first);
    return count;
}

static void list_corners(const lode__shell *shell, uint32_t face, uint32_t *out)
{
    uint32_t first = shell->faces[face].edge, edge = first;
    do {
        *out++ = shell->edges[edge].origin;
        edge = shell->edges[edge].next;
    } while (edge != first);
}

static lode__hull_result finish(const builder *b, lode_hull **out)
{
    const lode__shell *shell = &b->shell;
    lode__polygons polygons = {
        .points = b->points, .point_count = b->count, .slack = SLACK * shell->tolerance};
    for (uint32_t f = 0; f < shell->face_count; ++f)
        if (shell->faces[f].alive) {
            ++polygons.face_count;
            polygons.corner_count += count_corners(shell, f);
        }
    size_t size = ((size_t)polygons.face_count + polygons.corner_count) * sizeof(uint32_t);
    polygons.sizes = lode__alloc(size);
    if (!polygons.sizes)
        return (lode__hull_result){LODE_ERROR_MEMORY, "out of memory"};
    polygons.corners = polygons.sizes + polygons.face_count;
    for (uint32_t f = 0, face = 0, corner = 0; f < shell->face_count; ++f) {
        if (!shell->faces[f].alive)
            continue;
        polygons.sizes[face] = count_corners(shell, f);
        list_corners(shell, f, polygons.corners + corner);
        corner += polygons.sizes[face++];
    }
    lode__hull_result result = lode__hull_finish(&polygons, out);
    lode__free(polygons.sizes, size);
    return result;
}

static lode__hull_result attempt(builder *b, double tolerance, lode_hull **out)
{
    uint32_t corners[4];
    lode__shell_init(&b->shell, b->points, b->next_point, tolerance);
    memset(b->stamps, 0, b->count * sizeof *b->stamps);
    b->queue_at = b->queue_count = b->fresh_count = b->round = 0;
    const char *flat = find_corners(b, corners);
    if (flat)
        return (lode__hull_result){LODE_ERROR_ARGUMENT, flat};
    grow_hull(b, corners);
    lode__hull_result result = {LODE_OK, NULL};
    if (b->shell.no_memory)
        result = (lode__hull_result){LODE_ERROR_MEMORY, "out of memory"};
    else if (!b->shell.tangled)
        result = finish(b, out);
    b->shell.tangled = (b->shell.tangled && !b->shell.no_memory) ||
                       result.status == LODE_ERROR_ARGUMENT;
    lode__shell_free(&b->shell);
    return result;
}

lode__hull_result lode__hull_build(const lode__double3 *points, uint32_t count, lode_hull **out)
{
    builder b = {.points = points, .count = count};
    size_t size = (size_t)count * 2 * sizeof(uint32_t);
    b.next_point = lode__alloc(size);
    lode__hull_result result = {LODE_ERROR_MEMORY, "out of memory"};
    double tolerance = LODE__HULL_ROUNDING * lode__hull_scale(points, count);
    if (b.next_point) {
        b.stamps = b.next_point + count;
        for (int i = 0; i < ATTEMPTS; ++i, tolerance *= WIDER) {
            result = attempt(&b, tolerance, out);
            if (!b.shell.tangled)
                break;
            result = (lode__hull_result){LODE_ERROR_ARGUMENT,
                                         "the points lie too near each other to make a hull of"};
        }
    }
    lode__free(b.next_point, size);
    lode__free(b.queue, b.queue_capacity * sizeof *b.queue);
    lode__free(b.stack, b.stack_capacity * sizeof *b.stack);
    lode__free(b.horizon, b.horizon_capacity * sizeof *b.horizon);
    lode__free(b.fresh, b.fresh_capacity * sizeof *b.fresh);
    return result;
}
