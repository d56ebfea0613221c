/* urdf_meshes.c: the triangles of collision meshes: where they are, and at which scale. */
#include "io/file.h"
#include "io/shown.h"
#include "io/urdf_model.h"

#include <stdio.h>
#include <string.h>

enum { PATH_ROOM = 4096 };

typedef struct loader {
    lode__urdf *u;
    const lode_io_urdf_options *options;
    const char *directory; /* with its slash */
    size_t directory_length;
} loader;

static void fault(const loader *l, const lode__urdf_shape *shape, const char *text)
{
    lode__urdf_fault(l->u, shape->line, "mesh: %s: %s",
                     lode__io_show(shape->file, strlen(shape->file)).text, text);
}

static bool is_slash(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static bool is_absolute(const char *path)
{
#ifdef _WIN32
    return is_slash(path[0]) || (path[0] && path[1] == ':');
#else
    return is_slash(path[0]);
#endif
}

/* By the options' function, or as a path. False after a fault. */
static bool find_file(const loader *l, const lode__urdf_shape *shape, char path[PATH_ROOM])
{
    static const char scheme[] = "file://";
    const char *name = shape->file;
    if (l->options->find_mesh) {
        if (!l->options->find_mesh(l->options->user, name, path, PATH_ROOM))
            fault(l, shape, "is not found");
        return !l->u->fault[0];
    }
    if (strncmp(name, scheme, sizeof scheme - 1) == 0)
        name += sizeof scheme - 1;
    if (strstr(name, "://"))
        fault(l, shape, "is no path, and the options have no function that finds it");
    int length = snprintf(path, PATH_ROOM, "%.*s%s",
                          is_absolute(name) ? 0 : (int)l->directory_length, l->directory, name);
    if (length >= PATH_ROOM)
        fault(l, shape, "its path is too long");
    return !l->u->fault[0];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), n = strlen(end), i = 0;
    while (n <= length && i < n && lower(name[length - n + i]) == end[i])
        ++i;
    return i == n;
}

/* A mirror turns the triangles over, so their corners change places. */
static void scale(lode__urdf_shape *shape)
{
    lode__io_triangles *mesh = &shape->mesh;
    const double *s = shape->size;
    for (int i = 0; i < mesh->point_count; ++i) {
        lode_vec3 *p = &mesh->points[i];
        *p = (lode_vec3){(lode_real)(p->x * s[0]), (lode_real)(p->y * s[1]),
                         (lode_real)(p->z * s[2])};
    }
    bool mirrors = (s[0] < 0) ^ (s[1] < 0) ^ (s[2] < 0);
    for (int i = 0; i < mesh->triangle_count && mirrors; ++i) {
        int *corners = &mesh->corners[3 * (size_t)i], second = corners[1];
        corners[1] = corners[2];
        corners[2] = second;
    }
}

static void read_triangles(const loader *l, lode__urdf_shape *shape, const char *bytes, size_t size)
{
    lode__io_triangles *mesh = &shape->mesh;
    char words[128];
    bool good = ends_with(shape->file, ".stl") ? lode__io_stl_read(l->u->memory, bytes, size, mesh)
                                               : lode__io_obj_read(l->u->memory, bytes, size, mesh);
    if (good) {
        scale(shape);
        return;
    }
    snprintf(words, sizeof words, mesh->line ? "%s, in its line %d" : "%s", mesh->fault,
             mesh->line);
    fault(l, shape, words);
}

static void load(const loader *l, lode__urdf_shape *shape)
{
    char path[PATH_ROOM];
    size_t size;
    const char *why;
    if (!ends_with(shape->file, ".stl") && !ends_with(shape->file, ".obj")) {
        fault(l, shape, "is neither .stl nor .obj");
        return;
    }
    if (!find_file(l, shape, path))
        return;
    char *bytes = lode__io_file_read(l->u->memory, path, &size, &why);
    if (!bytes) {
        fault(l, shape, why);
        l->u->status = LODE_ERROR_SYSTEM;
        return;
    }
    read_triangles(l, shape, bytes, size);
    lode__io_free(l->u->memory, bytes);
}

void lode__urdf_load_meshes(lode__urdf *u, const char *path, const lode_io_urdf_options *options)
{
    loader l = {u, options, path, strlen(path)};
    while (l.directory_length > 0 && !is_slash(path[l.directory_length - 1]))
        --l.directory_length;
    for (int i = 0; i < u->shape_count && !u->fault[0]; ++i)
        if (u->shapes[i].type == LODE_HULL)
            load(&l, &u->shapes[i]);
}
