/* triangles.c: see triangles.h. Texts are read line by line, each by its first word; what it means
 * is in a table. */
#include "io/triangles.h"

#include "io/words.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MOST = 1 << 28 };

typedef struct reader {
    lode__io_memory *memory;
    lode__io_triangles *out;
    const char *at, *end; /* of the rest of the line */
    int line;
    int loop; /* corners of the STL's triangle so far */
} reader;

static void fault(reader *r, const char *text)
{
    if (!r->out->fault) {
        r->out->fault = text;
        r->out->line = r->line;
    }
}

/* --- growing */

static void add_point(reader *r, lode_vec3 point)
{
    lode__io_triangles *t = r->out;
    if (t->point_count == MOST) {
        fault(r, "it has too many corners");
        return;
    }
    if (t->point_count == t->point_room) {
        t->point_room = 2 * t->point_room + 64;
        t->points = lode__io_realloc(r->memory, t->points,
                                     (size_t)t->point_room * sizeof *t->points);
    }
    t->points[t->point_count++] = point;
}

static void add_triangle(reader *r, int a, int b, int c)
{
    lode__io_triangles *t = r->out;
    if (t->triangle_count == MOST) {
        fault(r, "it has too many triangles");
        return;
    }
    if (t->triangle_count == t->triangle_room) {
        t->triangle_room = 2 * t->triangle_room + 64;
        t->corners = lode__io_realloc(r->memory, t->corners,
                                      3 * (size_t)t->triangle_room * sizeof *t->corners);
    }
    int *to = &t->corners[3 * (size_t)t->triangle_count++];
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

/* Of the last three points. */
static void add_last(reader *r)
{
    int n = r->out->point_count;
    add_triangle(r, n - 3, n - 2, n - 1);
}

/* --- lines of text */

static void take_point(reader *r)
{
    double x[3];
    for (int i = 0; i < 3; ++i) {
        size_t length;
        const char *word = lode__io_next_word(&r->at, r->end, &length);
        if (!word || !lode__io_word_number(r->memory, word, length, &x[i])) {
            fault(r, "a corner must have 3 finite numbers");
            return;
        }
    }
    add_point(r, (lode_vec3){(lode_real)x[0], (lode_real)x[1], (lode_real)x[2]});
}

static void begin_loop(reader *r)
{
    r->loop = r->out->point_count;
}

static void end_loop(reader *r)
{
    if (r->out->point_count - r->loop == 3)
        add_last(r);
    else
        fault(r, "a loop must have 3 corners");
    begin_loop(r);
}

/* The index of a corner, the first of "7/3/5"; those below 0 count back from the last point. */
static bool read_corner(const reader *r, const char *word, size_t length, int *out)
{
    bool back = *word == '-';
    const char *at = word + back, *end = word + length;
    int n = r->out->point_count, i = 0;
    for (; at < end && *at >= '0' && *at <= '9'; ++at)
        i = i <= MOST / 10 ? 10 * i + (*at - '0') : MOST + 1;
    *out = back ? n - i : i - 1;
    return i >= 1 && i <= n && (at == end || *at == '/');
}

/* A fan about the first corner. */
static void take_face(reader *r)
{
    int corners[3], count = 0;
    size_t length;
    const char *word;
    while ((word = lode__io_next_word(&r->at, r->end, &length))) {
        int *to = &corners[count < 2 ? count : 2];
        if (!read_corner(r, word, length, to)) {
            fault(r, "a face must have numbers of corners that are above it");
            return;
        }
        if (++count >= 3) {
            add_triangle(r, corners[0], corners[1], corners[2]);
            corners[1] = corners[2];
        }
    }
    if (count < 3)
        fault(r, "a face must have 3 corners or more");
}

static void pass(reader *r)
{
    (void)r;
}

typedef struct verb {
    const char *word;
    void (*take)(reader *r);
} verb;

static const verb stl_verbs[] = {{"vertex", take_point},   {"outer", begin_loop},
                                 {"endloop", end_loop},    {"facet", begin_loop},
                                 {"endfacet", begin_loop}, {"solid", begin_loop},
                                 {"endsolid", begin_loop}, {NULL, NULL}};
static const verb obj_verbs[] = {{"v", take_point}, {"f", take_face}, {NULL, pass}};

static void take_line(reader *r, const verb *verbs)
{
    size_t length;
    const char *word = lode__io_next_word(&r->at, r->end, &length);
    if (!word)
        return;
    while (verbs->word && (strlen(verbs->word) != length || memcmp(verbs->word, word, length) != 0))
        ++verbs;
    if (verbs->take)
        verbs->take(r);
    else
        fault(r, "the line begins with no word of STL");
}

static bool read_lines(lode__io_memory *memory, const char *bytes, size_t size,
                       lode__io_triangles *out, const verb *verbs)
{
    reader r = {.memory = memory, .out = out};
    const char *end = bytes + size;
    while (bytes < end && !out->fault) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        r.at = bytes;
        r.end = stop ? stop : end;
        r.line += r.line < INT_MAX;
        bytes = r.end + (stop != NULL);
        take_line(&r, verbs);
    }
    if (verbs == stl_verbs && r.loop != out->point_count)
        fault(&r, "it ends within a triangle");
    if (out->triangle_count == 0)
        fault(&r, "it has no triangles");
    return !out->fault;
}

bool lode__io_obj_read(lode__io_memory *memory, const char *bytes, size_t size,
                       lode__io_triangles *out)
{
    return read_lines(memory, bytes, size, out, obj_verbs);
}

/* --- binary STL: 80 bytes of anything, the number of triangles, and 50 bytes each: the normal,
 * three corners, and two bytes without meaning. Numbers begin with their lowest byte. */

enum { HEAD = 84, EACH = 50, NORMAL = 12, CORNER = 12 };

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float float_at(const char *bytes)
{
    uint32_t bits = word_at(bytes);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void take_corner(reader *r, const char *at)
{
    float x = float_at(at), y = float_at(at + 4), z = float_at(at + 8);
    if (isfinite(x) && isfinite(y) && isfinite(z))
        add_point(r, (lode_vec3){x, y, z});
    else
        fault(r, "a corner must have 3 finite numbers");
}

static bool read_binary(lode__io_memory *memory, const char *bytes, uint32_t count,
                        lode__io_triangles *out)
{
    reader r = {.memory = memory, .out = out};
    const char *at = bytes + HEAD;
    for (uint32_t i = 0; i < count && !out->fault; ++i, at += EACH) {
        for (int k = 0; k < 3; ++k)
            take_corner(&r, at + NORMAL + k * CORNER);
        if (!out->fault)
            add_last(&r);
    }
    if (count == 0)
        fault(&r, "it has no triangles");
    return !out->fault;
}

/* Binary files may begin with "solid" too, so their size tells what they are. */
bool lode__io_stl_read(lode__io_memory *memory, const char *bytes, size_t size,
                       lode__io_triangles *out)
{
    static const char solid[] = "solid";
    uint32_t count = size >= HEAD ? word_at(bytes + 80) : 0;
    if (size >= HEAD && (uint64_t)size == HEAD + (uint64_t)EACH * count)
        return read_binary(memory, bytes, count, out);
    if (size >= sizeof solid - 1 && memcmp(bytes, solid, sizeof solid - 1) == 0)
        return read_lines(memory, bytes, size, out, stl_verbs);
    out->fault = "its size is not that of its triangles, nor is it STL as text";
    return false;
}
