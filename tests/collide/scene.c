/* scene.c: see scene.h. */
#include "tests/collide/scene.h"

#include "collide/kernels.h"
#include "core/math.h"

#include <string.h>

bool scene_init(scene *scene, int threads, lode_simd simd)
{
    memset(scene, 0, sizeof *scene);
    lode__collide_init(&scene->collide, lode__collide_kernels_for(simd), 1);
    lode__pool_init(&scene->bodies, &lode__body_kind, 1);
    scene->settings.length_unit = 1;
    scene->tasks = lode__tasks_create(threads, NULL);
    scene->step = (lode__step){.dt = (lode_real)1 / 60,
                               .settings = &scene->settings,
                               .arena = &scene->arena,
                               .tasks = scene->tasks,
                               .stats = &scene->stats};
    return scene->tasks != NULL;
}

void scene_free(scene *scene)
{
    lode__collide_free(&scene->collide);
    lode__pool_free(&scene->bodies);
    lode__arena_free(&scene->arena);
    lode__tasks_destroy(scene->tasks);
}

static uint32_t add_shape(scene *scene, const lode__geometry *geometry)
{
    uint32_t shape = lode__collide_add(&scene->collide, geometry, NULL);
    if (shape == LODE__NONE)
        return LODE__NONE;
    uint32_t flags = *LODE__AT(body, &scene->bodies, flags, geometry->body);
    uint32_t *first = &LODE__AT(body, &scene->bodies, links, geometry->body)->first_shape;
    LODE__AT(shape, &scene->collide.shapes, links, shape)->next_shape = *first;
    *first = shape;
    if (flags & LODE__BODY_DYNAMIC)
        lode__collide_set_active(&scene->collide, shape, true);
    *LODE__AT(shape, &scene->collide.shapes, surface, shape) = (lode__surface){1, 0, 1000};
    *LODE__AT(shape, &scene->collide.shapes, filter, shape) = (lode__filter){1, ~UINT64_C(0)};
    return shape;
}

uint32_t scene_add(scene *scene, bool dynamic, lode_shape_type type, const lode_real size[4],
                   lode_pose pose)
{
    if (!lode__pool_reserve(&scene->bodies, 1) ||
        !lode__collide_reserve_bodies(&scene->collide, scene->bodies.chunk_count * LODE__CHUNK))
        return LODE__NONE;
    uint32_t body = lode__pool_add(&scene->bodies);
    lode__pose *line = LODE__AT(body, &scene->bodies, pose, body);
    line->position = pose.position;
    line->rotation = pose.rotation;
    *LODE__AT(body, &scene->bodies, flags, body) = dynamic ? LODE__BODY_DYNAMIC : 0;
    LODE__AT(body, &scene->bodies, links, body)->first_shape = LODE__NONE;
    lode_pose identity = {{0, 0, 0}, {1, 0, 0, 0}};
    lode__geometry geometry = {.pose = identity, .center = identity, .type = type, .body = body};
    memcpy(geometry.size, size, sizeof geometry.size);
    uint32_t shape = add_shape(scene, &geometry);
    if (shape == LODE__NONE)
        lode__pool_remove(&scene->bodies, body);
    return shape;
}

static lode_pose upright(lode_vec3 position)
{
    return (lode_pose){position, q_identity()};
}

uint32_t scene_add_box(scene *scene, bool dynamic, lode_vec3 half, lode_vec3 position)
{
    lode_real size[4] = {half.x, half.y, half.z, 0};
    return scene_add(scene, dynamic, LODE_BOX, size, upright(position));
}

uint32_t scene_add_sphere(scene *scene, bool dynamic, lode_real radius, lode_vec3 position)
{
    lode_real size[4] = {radius, 0, 0, 0};
    return scene_add(scene, dynamic, LODE_SPHERE, size, upright(position));
}

uint32_t scene_add_plane(scene *scene, lode_vec3 normal, lode_real offset)
{
    lode_real size[4] = {normal.x, normal.y, normal.z, offset};
    return scene_add(scene, false, LODE_PLANE, size, upright(v3_zero()));
}

uint32_t scene_add_to(scene *scene, uint32_t shape, lode_shape_type type, const lode_real size[4],
                      lode_pose local)
{
    lode__geometry geometry = {
        .pose = local, .center = local, .type = type, .body = scene_body(scene, shape)};
    memcpy(geometry.size, size, sizeof geometry.size);
    return add_shape(scene, &geometry);
}

void scene_remove(scene *scene, uint32_t shape)
{
    uint32_t body = scene_body(scene, shape);
    lode__collide_remove(&scene->collide, shape);
    lode__bits_clear(&scene->collide.posed, body);
    lode__pool_remove(&scene->bodies, body);
}

uint32_t scene_body(const scene *scene, uint32_t shape)
{
    return LODE__AT(shape, &scene->collide.shapes, geometry, shape)->body;
}

lode__pose *scene_pose(scene *scene, uint32_t shape)
{
    lode__bits_set(&scene->collide.posed, scene_body(scene, shape));
    return LODE__AT(body, &scene->bodies, pose, scene_body(scene, shape));
}

bool scene_step(scene *scene)
{
    lode__collide *c = &scene->collide;
    lode__arena_reset(&scene->arena);
    return lode__bounds_run(c, &scene->bodies, &scene->step) &&
           lode__broad_phase_run(c, &scene->bodies, &scene->step) &&
           lode__narrow_phase_run(c, &scene->bodies, &scene->step) &&
           lode__contact_update_run(c, &scene->bodies, &scene->step);
}

const lode__manifold *scene_find(const scene *scene, uint32_t a, uint32_t b)
{
    uint64_t key = lode__pair_key(a, b);
    for (uint32_t i = 0; i < scene->collide.touching_count; ++i) {
        const lode__manifold *m = scene->collide.touching[i];
        if (lode__pair_key(m->shape_a, m->shape_b) == key)
            return m;
    }
    return NULL;
}
