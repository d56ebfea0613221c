/* mesh_build.c: meshes made and released; see mesh.h. */
#include "collide/mesh.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

#define FARTHEST 1e9

/* --- the definition */

static lode_status refuse(const char *argument, const char *why)
{
    return lode__error(LODE_ERROR_ARGUMENT, "lode_mesh_create", argument, why);
}

static lode_status check_counts(const lode_mesh_def *def)
{
    if (def->abi != LODE_ABI)
        return lode__error(LODE_ERROR_ABI, "lode_mesh_create", "def",
                           "the definition does not come from lode_mesh_def_default()");
    int vertex = def->double_vertices ? 3 * (int)sizeof(double) : 3 * (int)sizeof(float);
    int index = def->short_indices ? 3 * (int)sizeof(uint16_t) : 3 * (int)sizeof(uint32_t);
    if (!def->vertices)
        return refuse("def.vertices", "must not be null");
    if (def->vertex_count < 3)
        return refuse("def.vertex_count", "must be at least 3");
    if (def->vertex_stride != 0 && def->vertex_stride < vertex)
        return refuse("def.vertex_stride", "must be 0 or as large as a vertex");
    if (!def->indices)
        return refuse("def.indices", "must not be null");
    if (def->triangle_count < 1 || def->triangle_count > (int)LODE__MESH_PLACES)
        return refuse("def.triangle_count", "must be within 1 and 2^28");
    if (def->index_stride != 0 && def->index_stride < index)
        return refuse("def.index_stride", "must be 0 or as large as three indices");
    return LODE_OK;
}

/* In the precision they are given in: a double may be finite and no lode_real. */
static bool is_near(const lode__mesh *mesh, uint32_t vertex)
{
    const char *at = mesh->vertices + vertex * mesh->vertex_stride;
    double x[3];
    float y[3];
    if (mesh->doubles) {
        memcpy(x, at, sizeof x);
    } else {
        memcpy(y, at, sizeof y);
        for (int i = 0; i < 3; ++i)
            x[i] = (double)y[i];
    }
    return x[0] >= -FARTHEST && x[0] <= FARTHEST && x[1] >= -FARTHEST && x[1] <= FARTHEST &&
           x[2] >= -FARTHEST && x[2] <= FARTHEST;
}

static lode_status check_content(const lode__mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
        if (!is_near(mesh, i))
            return refuse("def.vertices", "must be finite and within 1e9");
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        uint32_t corner[3];
        mesh_corners(mesh, t, corner);
        for (int k = 0; k < 3; ++k)
            if (corner[k] >= mesh->vertex_count)
                return refuse("def.indices", "must be below def.vertex_count");
    }
    return LODE_OK;
}

static void point_at(lode__mesh *mesh, const lode_mesh_def *def)
{
    mesh->vertices = def->vertices;
    mesh->indices = def->indices;
    mesh->doubles = def->double_vertices;
    mesh->shorts = def->short_indices;
    mesh->two_sided = def->two_sided;
    mesh->vertex_count = (uint32_t)def->vertex_count;
    mesh->triangle_count = (uint32_t)def->triangle_count;
    mesh->vertex_stride = (size_t)def->vertex_stride;
    mesh->index_stride = (size_t)def->index_stride;
    if (mesh->vertex_stride == 0)
        mesh->vertex_stride = 3 * (mesh->doubles ? sizeof(double) : sizeof(float));
    if (mesh->index_stride == 0)
        mesh->index_stride = 3 * (mesh->shorts ? sizeof(uint16_t) : sizeof(uint32_t));
    mesh->info.triangle_count = def->triangle_count;
}

/* --- memory */

/* One number more, so that four can be loaded from each on. */
static size_t vertices_bytes(const lode__mesh *mesh)
{
    return ((size_t)mesh->vertex_count * 3 + 1) * sizeof(lode_real);
}

static size_t indices_bytes(const lode__mesh *mesh)
{
    return (size_t)mesh->triangle_count * 3 * sizeof(uint32_t);
}

/* More by what a leaf has at most, so that so many can be loaded from each on. */
static size_t corners_bytes(const lode__mesh *mesh)
{
    return ((size_t)mesh->triangle_count + LODE__MESH_LEAF - 1) * sizeof *mesh->corners;
}

static void free_mesh(lode__shape_data *data)
{
    lode__mesh *mesh = (lode__mesh *)data;
    size_t count = mesh->triangle_count;
    lode__free(mesh->order, count * sizeof *mesh->order);
    lode__free(mesh->corners, corners_bytes(mesh));
    lode__free(mesh->neighbors, count * sizeof *mesh->neighbors);
    lode__free(mesh->flags, count);
    lode__free(mesh->materials, mesh->materials ? count : 0);
    lode__free(mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
    lode__free(mesh->own_vertices, vertices_bytes(mesh));
    lode__free(mesh->own_indices, indices_bytes(mesh));
    lode__free(mesh, sizeof *mesh);
}

static bool take_memory(lode__mesh *mesh, bool reference)
{
    size_t count = mesh->triangle_count;
    mesh->order = lode__alloc(count * sizeof *mesh->order);
    mesh->corners = lode__alloc(corners_bytes(mesh));
    mesh->neighbors = lode__alloc(count * sizeof *mesh->neighbors);
    mesh->flags = lode__alloc(count);
    if (!reference) {
        mesh->own_vertices = lode__alloc(vertices_bytes(mesh));
        mesh->own_indices = lode__alloc(indices_bytes(mesh));
    }
    return mesh->order && mesh->corners && mesh->neighbors && mesh->flags &&
           (reference || (mesh->own_vertices && mesh->own_indices));
}

/* The copy is of lode_reals and 32-bit indices, one behind the other. */
static void copy_content(lode__mesh *mesh)
{
    lode_real *vertices = mesh->own_vertices;
    uint32_t *indices = mesh->own_indices;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        lode_vec3 v = mesh_vertex(mesh, i);
        memcpy(vertices + 3 * (size_t)i, &v, 3 * sizeof(lode_real));
    }
    vertices[3 * (size_t)mesh->vertex_count] = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        mesh_corners(mesh, t, indices + 3 * (size_t)t);
    mesh->vertices = mesh->own_vertices;
    mesh->indices = mesh->own_indices;
    mesh->doubles = sizeof(lode_real) == sizeof(double);
    mesh->shorts = false;
    mesh->vertex_stride = 3 * sizeof(lode_real);
    mesh->index_stride = 3 * sizeof(uint32_t);
}

/* Equal for equal triangles, however they were handed over. */
static uint64_t hash_of(const lode__mesh *mesh)
{
    uint64_t h = lode__hash_word(LODE_MESH, mesh->two_sided);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        lode_vec3 v = mesh_vertex(mesh, i);
        h = lode__hash_bytes(h, &v, sizeof v);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        uint32_t corner[3];
        mesh_corners(mesh, t, corner);
        h = lode__hash_bytes(h, corner, sizeof corner);
    }
    if (mesh->materials)
        h = lode__hash_bytes(h, mesh->materials, mesh->triangle_count);
    return h != 0 ? h : 1;
}

/* --- made and released */

static bool copy_materials(lode__mesh *mesh, const uint8_t *materials)
{
    if (!materials)
        return true;
    mesh->materials = lode__alloc(mesh->triangle_count);
    if (mesh->materials)
        memcpy(mesh->materials, materials, mesh->triangle_count);
    return mesh->materials != NULL;
}

static bool build(lode__mesh *mesh, const lode_mesh_def *def)
{
    if (!take_memory(mesh, def->reference) || !copy_materials(mesh, def->materials))
        return false;
    if (!def->reference)
        copy_content(mesh);
    return lode__mesh_join_edges(mesh);
}

/* By place; behind the last there is vertex 0. */
static void lay_corners(lode__mesh *mesh)
{
    memset(mesh->corners, 0, corners_bytes(mesh));
    for (uint32_t place = 0; place < mesh->counted; ++place)
        mesh_corners(mesh, mesh->order[place], mesh->corners[place]);
}

static bool build_tree(lode__mesh *mesh)
{
    size_t size = mesh->triangle_count * sizeof(lode__mesh_box);
    lode__mesh_box *boxes = lode__alloc(size);
    bool good = boxes && lode__mesh_build_tree(mesh, boxes) &&
                lode__mesh_join_junctions(mesh, boxes);
    lode__free(boxes, size);
    if (good)
        lay_corners(mesh);
    return good;
}

static lode_status make(lode__mesh *mesh, const lode_mesh_def *def)
{
    lode_status memory = LODE_ERROR_MEMORY;
    if (!build(mesh, def))
        return lode__error(memory, "lode_mesh_create", "", "out of memory");
    const lode_mesh_info *info = &mesh->info;
    if (info->thin_count == info->triangle_count)
        return refuse("def.indices", "no triangle has an area");
    if (!build_tree(mesh))
        return lode__error(memory, "lode_mesh_create", "", "out of memory");
    lode__mesh_integrate(mesh);
    return LODE_OK;
}

lode_mesh *lode_mesh_create(const lode_mesh_def *def)
{
    if (!def) {
        refuse("def", "must not be null");
        return NULL;
    }
    lode__mesh view = {0};
    if (check_counts(def))
        return NULL;
    point_at(&view, def);
    if (check_content(&view))
        return NULL;
    lode__mesh *mesh = lode__alloc(sizeof *mesh);
    if (!mesh) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return NULL;
    }
    *mesh = view;
    if (make(mesh, def)) {
        free_mesh(&mesh->data);
        return NULL;
    }
    lode__data_begin(&mesh->data, LODE_MESH, hash_of(mesh), free_mesh);
    mesh->convex = lode__mesh_is_convex(mesh);
    lode__mesh_find_cores(mesh);
    return mesh;
}

void lode_mesh_release(lode_mesh *mesh)
{
    lode__data_release(mesh ? &mesh->data : NULL);
}

lode_mass lode__mesh_mass(const lode__mesh *mesh, lode_real density)
{
    double volume = mesh->volume < 0 ? -mesh->volume : mesh->volume;
    lode_mass m = {.mass = (lode_real)((double)density * volume),
                   .center = v3((lode_real)mesh->center[0], (lode_real)mesh->center[1],
                                (lode_real)mesh->center[2])};
    for (int i = 0; i < 6; ++i)
        m.inertia[i] = (lode_real)((double)density * mesh->inertia[i]);
    return m;
}
