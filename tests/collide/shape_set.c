/* shape_set.c: see shape_set.h. */
#include "tests/collide/shape_set.h"

#include "collide/kernels.h"
#include "core/math.h"

#include <string.h>

bool set_init(shape_set *set, int threads, lode_simd simd)
{
    memset(set, 0, sizeof *set);
    lode__collide_init(&set->collide, lode__collide_kernels_for(simd), 1);
    lode__pool_init(&set->bodies, &lode__body_kind, 1);
    set->settings.length_unit = 1;
    set->settings.restitution_mix = LODE_MIX_MAXIMUM;
    set->tasks = lode__tasks_create(threads, NULL);
    set->step = (lode__step){.dt = (lode_real)1 / 60,
                             .settings = &set->settings,
                             .arena = &set->arena,
                             .tasks = set->tasks,
                             .stats = &set->stats};
    return set->tasks != NULL;
}

void set_free(shape_set *set)
{
    lode__collide_free(&set->collide);
    lode__pool_free(&set->bodies);
    lode__arena_free(&set->arena);
    lode__tasks_destroy(set->tasks);
}

static uint32_t add_shape(shape_set *set, const lode__geometry *geometry)
{
    uint32_t shape = lode__collide_add(&set->collide, geometry, NULL);
    if (shape == LODE__NONE)
        return LODE__NONE;
    uint32_t flags = *LODE__AT(body, &set->bodies, flags, geometry->body);
    uint32_t *first = &LODE__AT(body, &set->bodies, links, geometry->body)->first_shape;
    LODE__AT(shape, &set->collide.shapes, links, shape)->next_shape = *first;
    *first = shape;
    if (flags & LODE__BODY_DYNAMIC)
        lode__collide_set_active(&set->collide, shape, true);
    *LODE__AT(shape, &set->collide.shapes, surface, shape) = (lode__surface){1, 0, 1000};
    *LODE__AT(shape, &set->collide.shapes, filter, shape) = (lode__filter){1, ~UINT64_C(0)};
    return shape;
}

uint32_t set_add(shape_set *set, bool dynamic, lode_shape_type type, const lode_real size[4],
                 lode_pose pose)
{
    if (!lode__pool_reserve(&set->bodies, 1) ||
        !lode__collide_reserve_bodies(&set->collide, set->bodies.chunk_count * LODE__CHUNK))
        return LODE__NONE;
    uint32_t body = lode__pool_add(&set->bodies);
    lode__pose *line = LODE__AT(body, &set->bodies, pose, body);
    line->position = pose.position;
    line->rotation = pose.rotation;
    *LODE__AT(body, &set->bodies, flags, body) = dynamic ? LODE__BODY_DYNAMIC : 0;
    LODE__AT(body, &set->bodies, links, body)->first_shape = LODE__NONE;
    lode_pose identity = {{0, 0, 0}, {1, 0, 0, 0}};
    lode__geometry geometry = {.pose = identity, .center = identity, .type = type, .body = body};
    memcpy(geometry.size, size, sizeof geometry.size);
    uint32_t shape = add_shape(set, &geometry);
    if (shape == LODE__NONE)
        lode__pool_remove(&set->bodies, body);
    return shape;
}

static lode_pose upright(lode_vec3 position)
{
    return (lode_pose){position, q_identity()};
}

uint32_t set_add_box(shape_set *set, bool dynamic, lode_vec3 half, lode_vec3 position)
{
    lode_real size[4] = {half.x, half.y, half.z, 0};
    return set_add(set, dynamic, LODE_BOX, size, upright(position));
}

uint32_t set_add_sphere(shape_set *set, bool dynamic, lode_real radius, lode_vec3 position)
{
    lode_real size[4] = {radius, 0, 0, 0};
    return set_add(set, dynamic, LODE_SPHERE, size, upright(position));
}

uint32_t set_add_plane(shape_set *set, lode_vec3 normal, lode_real offset)
{
    lode_real size[4] = {normal.x, normal.y, normal.z, offset};
    return set_add(set, false, LODE_PLANE, size, upright(v3_zero()));
}

uint32_t set_add_to(shape_set *set, uint32_t shape, lode_shape_type type, const lode_real size[4],
                    lode_pose local)
{
    lode__geometry geometry = {
        .pose = local, .center = local, .type = type, .body = set_body(set, shape)};
    memcpy(geometry.size, size, sizeof geometry.size);
    return add_shape(set, &geometry);
}

void set_remove(shape_set *set, uint32_t shape)
{
    uint32_t body = set_body(set, shape);
    lode__collide_remove(&set->collide, shape);
    lode__bits_clear(&set->collide.posed, body);
    lode__pool_remove(&set->bodies, body);
}

uint32_t set_body(const shape_set *set, uint32_t shape)
{
    return LODE__AT(shape, &set->collide.shapes, geometry, shape)->body;
}

lode__pose *set_pose(shape_set *set, uint32_t shape)
{
    lode__bits_set(&set->collide.posed, set_body(set, shape));
    return LODE__AT(body, &set->bodies, pose, set_body(set, shape));
}

bool set_step(shape_set *set)
{
    lode__collide *c = &set->collide;
    lode__arena_reset(&set->arena);
    return lode__bounds_run(c, &set->bodies, &set->step) &&
           lode__broad_phase_run(c, &set->bodies, &set->step) &&
           lode__narrow_phase_run(c, &set->bodies, &set->step) &&
           lode__contact_update_run(c, &set->bodies, &set->step);
}

const lode__manifold *set_find(const shape_set *set, uint32_t a, uint32_t b)
{
    uint64_t key = lode__pair_key(a, b);
    for (uint32_t i = 0; i < set->collide.touching_count; ++i) {
        const lode__manifold *m = set->collide.touching[i];
        if (lode__pair_key(m->shape_a, m->shape_b) == key)
            return m;
    }
    return NULL;
}
