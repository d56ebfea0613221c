/* articulation_cache.c: the state of an articulation in flat arrays: made, copied, applied.
 *
 * A cache is one block of memory, its arrays behind its record; a list says what each array is by
 * and how wide, from which its size and its places follow. */
#include "lode/articulation_dynamics.h"

#include <string.h>

#include "core/hash.h"
#include "core/math.h"
#include "core/memory.h"
#include "solver/articulation/dynamics.h"
#include "world/articulation.h"
#include "world/articulation_dynamics.h"
#include "world/check.h"
#include "world/wake.h"

/* ---- memory */

typedef struct extent {
    uint32_t links, dofs, all; /* all: the root's too */
} extent;

/* How many elements an array has. */
enum { BY_DOF, BY_LINK, ONE, JACOBIAN, SQUARE, BY_ALL, SIX_BY_ALL, SIX };

static size_t count_of(int extent_of, extent e)
{
    const size_t counts[] = {
        [BY_DOF] = e.dofs,
        [BY_LINK] = e.links,
        [ONE] = 1,
        [JACOBIAN] = 6 * (size_t)e.links * e.all,
        [SQUARE] = (size_t)e.all * e.all,
        [BY_ALL] = e.all,
        [SIX_BY_ALL] = 6 * (size_t)e.all,
        [SIX] = 6,
    };
    return counts[extent_of];
}

#define ARRAY(member, type, by) \
    { \
        offsetof(lode_articulation_cache, member), sizeof(type), by \
    }

static const struct {
    size_t place, size;
    int by;
} arrays[] = {
    ARRAY(root, lode_root_data, ONE),
    ARRAY(joint_position, lode_real, BY_DOF),
    ARRAY(joint_velocity, lode_real, BY_DOF),
    ARRAY(joint_acceleration, lode_real, BY_DOF),
    ARRAY(joint_force, lode_real, BY_DOF),
    ARRAY(joint_target_position, lode_real, BY_DOF),
    ARRAY(joint_target_velocity, lode_real, BY_DOF),
    ARRAY(link_velocity, lode_spatial_velocity, BY_LINK),
    ARRAY(link_acceleration, lode_spatial_velocity, BY_LINK),
    ARRAY(link_incoming_joint_force, lode_spatial_force, BY_LINK),
    ARRAY(link_force, lode_vec3, BY_LINK),
    ARRAY(link_torque, lode_vec3, BY_LINK),
    ARRAY(external_force, lode_spatial_force, BY_LINK),
    ARRAY(dense_jacobian, lode_real, JACOBIAN),
    ARRAY(mass_matrix, lode_real, SQUARE),
    ARRAY(coriolis_force, lode_real, BY_ALL),
    ARRAY(gravity_compensation_force, lode_real, BY_ALL),
    ARRAY(centroidal_momentum_matrix, lode_real, SIX_BY_ALL),
    ARRAY(centroidal_momentum_bias, lode_real, SIX),
};

enum { ARRAYS = sizeof arrays / sizeof *arrays };

static size_t rounded(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

static size_t size_of_arrays(extent e)
{
    size_t bytes = 0;
    for (int i = 0; i < ARRAYS; ++i)
        bytes += rounded(count_of(arrays[i].by, e) * arrays[i].size);
    return bytes;
}

static extent extent_of(const lode__model *model)
{
    const lode__mb_plan *plan = model->body.plan;
    return (extent){plan->link_count, plan->dof_count - plan->root_dofs, plan->dof_count};
}

/* What is in front of a cache: how much memory it has, for its end outlives its articulation. */
typedef struct block {
    size_t bytes, array_bytes;
    lode_articulation_cache cache;
} block;

static block *block_of(lode_articulation_cache *cache)
{
    return (block *)(void *)((char *)cache - offsetof(block, cache));
}

uint64_t lode__cache_version(const lode__world *world, uint32_t articulation)
{
    uint64_t id = articulation_handle(world, articulation).id;
    return lode__hash_word(id, ARTICULATION(world, head, articulation)->structure);
}

static void set_zeros(block *b)
{
    memset(b->cache.root, 0, b->array_bytes);
    b->cache.root->pose.rotation = q_identity();
}

/* An articulation in the simulation, and its model. */
static lode_status open_inserted(lode__object *out, lode__model **out_model,
                                 lode_articulation articulation, const char *function)
{
    lode_status status = lode__open_articulation(out, articulation, function);
    if (!status)
        status = lode__check_inserted(out->world, out->slot, true, function);
    if (!status)
        *out_model = *ARTICULATION(out->world, model, out->slot);
    return status;
}

lode_articulation_cache *lode_articulation_cache_create(lode_articulation articulation)
{
    lode__object a;
    lode__model *model;
    if (open_inserted(&a, &model, articulation, __func__))
        return NULL;
    extent e = extent_of(model);
    size_t head = rounded(sizeof(block)), bytes = head + size_of_arrays(e);
    block *b = lode__alloc(bytes);
    if (!b) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return NULL;
    }
    *b = (block){.bytes = bytes, .array_bytes = bytes - head};
    char *at = (char *)b + head;
    for (int i = 0; i < ARRAYS; ++i) {
        memcpy((char *)&b->cache + arrays[i].place, &at, sizeof at);
        at += rounded(count_of(arrays[i].by, e) * arrays[i].size);
    }
    b->cache.version = lode__cache_version(a.world, a.slot);
    set_zeros(b);
    lode__memory_users(1);
    return &b->cache;
}

void lode_articulation_cache_destroy(lode_articulation_cache *cache)
{
    if (!cache)
        return;
    lode__free(block_of(cache), block_of(cache)->bytes);
    lode__memory_users(-1);
}

size_t lode_articulation_get_cache_size(lode_articulation articulation)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        !articulation_is_inserted(a.world, a.slot))
        return 0;
    return size_of_arrays(extent_of(*ARTICULATION(a.world, model, a.slot)));
}

lode_status lode__open_cache(lode__object *out, lode__model **out_model,
                             lode_articulation articulation, const lode_articulation_cache *cache,
                             const char *function)
{
    lode_status status = open_inserted(out, out_model, articulation, function);
    if (!status)
        status = lode__check_not_null(cache, function, "cache");
    if (!status && cache->version != lode__cache_version(out->world, out->slot))
        status = lode__error(LODE_ERROR_STATE, function, "cache",
                             "was made for another articulation, or before its structure changed");
    return status;
}

lode_status lode_articulation_cache_zero(lode_articulation articulation,
                                         lode_articulation_cache *cache)
{
    lode__object a;
    lode__model *model;
    lode_status status = lode__open_cache(&a, &model, articulation, cache, __func__);
    if (!status)
        set_zeros(block_of(cache));
    return status;
}

/* ---- copying */

/* The link's state and axis of a joint's degree of freedom. */
typedef struct joint_dof {
    lode__link_state *state;
    lode__link_extra *extra;
    lode__link_axis *values;
    int axis;
} joint_dof;

static joint_dof dof_of(lode__world *world, const lode__model *model, uint32_t joint_dof_index)
{
    const lode__mb_plan *plan = model->body.plan;
    uint32_t k = plan->root_dofs + joint_dof_index, link = model->link[plan->link_of_dof[k]];
    int axis = plan->axis[k];
    return (joint_dof){LINK(world, state, link), LINK(world, extra, link),
                       &LINK(world, axes, link)->axis[axis], axis};
}

/* The change of a joint's speeds over the last step. */
static lode_real acceleration_of(lode__world *world, const lode__model *model, uint32_t k)
{
    joint_dof dof = dof_of(world, model, k);
    return *lode__link_acceleration(dof.state, dof.extra, dof.axis);
}

static void copy_dofs(lode__world *world, const lode__model *model, lode_articulation_cache *cache,
                      uint32_t flags)
{
    for (uint32_t k = 0; k < extent_of(model).dofs; ++k) {
        joint_dof dof = dof_of(world, model, k);
        if (flags & LODE_CACHE_VELOCITY)
            cache->joint_velocity[k] = dof.state->velocity[dof.axis];
        if (flags & LODE_CACHE_ACCELERATION)
            cache->joint_acceleration[k] = acceleration_of(world, model, k);
        if (flags & LODE_CACHE_POSITION)
            cache->joint_position[k] = dof.state->position[dof.axis];
        if (flags & LODE_CACHE_FORCE)
            cache->joint_force[k] = dof.extra->force[dof.axis];
        if (flags & LODE_CACHE_TARGET_POSITIONS)
            cache->joint_target_position[k] = dof.values->target;
        if (flags & LODE_CACHE_TARGET_VELOCITIES)
            cache->joint_target_velocity[k] = dof.values->target_velocity;
    }
}

static void copy_links(lode__world *world, const lode__model *model, lode_articulation_cache *cache,
                       uint32_t flags)
{
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
        const lode__link_state *state = LINK(world, state, model->link[i]);
        const lode__velocity *v = BODY(world, velocity, LINK(world, tie, model->link[i])->body);
        if (flags & LODE_CACHE_LINK_VELOCITY)
            cache->link_velocity[i] = (lode_spatial_velocity){v->linear, v->angular};
        if (flags & LODE_CACHE_LINK_ACCELERATION)
            cache->link_acceleration[i] = (lode_spatial_velocity){state->a, state->alpha};
    }
}

/* What joints transmit: what each link needs beyond what acts on it from outside, and all below it,
 * as the last step left them. */
static void copy_borne(lode__world *world, const lode__model *model, lode_articulation_cache *cache)
{
    const lode__multibody *body = &model->body;
    lode_spatial_force *out = cache->link_incoming_joint_force;
    _Static_assert(sizeof(lode__mb_wrench) == sizeof(lode_spatial_force), "both are two vectors");
    lode__mb_wrench *needs = (lode__mb_wrench *)(void *)out;
    for (uint32_t i = 0; i < body->plan->link_count; ++i) {
        const lode__mb_link *link = &body->links[i];
        const lode__link_state *state = LINK(world, state, model->link[i]);
        lode_vec3 w = mb_v3(link->w), spin = s3_mul(link->moment, w);
        lode_vec3 n = v3_add(s3_mul(link->moment, state->alpha), v3_cross(w, spin));
        needs[i] = (lode__mb_wrench){v3_sub(v3_scale(state->a, link->mass[0]), state->outside_f),
                                     v3_sub(n, state->outside_n)};
    }
    lode__mb_transmit(body, needs);
    for (uint32_t i = 1; i < body->plan->link_count; ++i)
        needs[i] = lode__mb_in_child_frame(body, i, needs[i]);
    needs[0] = (lode__mb_wrench){v3_zero(), v3_zero()};
}

static void copy_root(lode__world *world, const lode__model *model, lode_root_data *root,
                      uint32_t flags)
{
    uint32_t body = LINK(world, tie, model->link[0])->body;
    const lode__link_state *state = LINK(world, state, model->link[0]);
    if (flags & LODE_CACHE_ROOT_TRANSFORM)
        root->pose = lode__body_frame(world, body);
    if (!(flags & LODE_CACHE_ROOT_VELOCITIES))
        return;
    root->linear_velocity = BODY(world, velocity, body)->linear;
    root->angular_velocity = BODY(world, velocity, body)->angular;
    root->linear_acceleration = state->a;
    root->angular_acceleration = state->alpha;
}

static lode_status check_flags(uint32_t flags, uint32_t wrong, const char *function)
{
    return lode__check(!(flags & ~(uint32_t)LODE_CACHE_EVERYTHING) && !(flags & wrong), function,
                       "flags", "has bits that mean nothing here");
}

lode_status lode_articulation_cache_copy(lode_articulation articulation,
                                         lode_articulation_cache *cache, uint32_t flags)
{
    lode__object a;
    lode__model *model;
    lode_status status = lode__open_cache(&a, &model, articulation, cache, __func__);
    if (!status)
        status = check_flags(flags, LODE_CACHE_LINK_FORCE | LODE_CACHE_LINK_TORQUE, __func__);
    if (status)
        return status;
    copy_dofs(a.world, model, cache, flags);
    copy_links(a.world, model, cache, flags);
    copy_root(a.world, model, cache->root, flags);
    if (flags & LODE_CACHE_INCOMING_JOINT_FORCE)
        copy_borne(a.world, model, cache);
    return LODE_OK;
}

/* ---- applying */

static lode_status check_numbers(const lode_real *x, size_t count, const char *function,
                                 const char *argument)
{
    for (size_t i = 0; i < count; ++i)
        if (!r_finite(x[i]))
            return lode__check(false, function, argument, "must be finite");
    return LODE_OK;
}

/* The arrays of numbers that are applied by flag. */
static lode_status check_arrays(const lode_articulation_cache *cache, extent e, uint32_t flags,
                                const char *function)
{
    const struct {
        uint32_t flag;
        const void *numbers;
        size_t count;
        const char *name;
    } given[] = {
        {LODE_CACHE_VELOCITY, cache->joint_velocity, e.dofs, "cache.joint_velocity"},
        {LODE_CACHE_POSITION, cache->joint_position, e.dofs, "cache.joint_position"},
        {LODE_CACHE_FORCE, cache->joint_force, e.dofs, "cache.joint_force"},
        {LODE_CACHE_TARGET_POSITIONS, cache->joint_target_position, e.dofs,
         "cache.joint_target_position"},
        {LODE_CACHE_TARGET_VELOCITIES, cache->joint_target_velocity, e.dofs,
         "cache.joint_target_velocity"},
        {LODE_CACHE_LINK_FORCE, cache->link_force, 3 * (size_t)e.links, "cache.link_force"},
        {LODE_CACHE_LINK_TORQUE, cache->link_torque, 3 * (size_t)e.links, "cache.link_torque"},
        {LODE_CACHE_ROOT_VELOCITIES, &cache->root->linear_velocity, 6, "cache.root"},
    };
    lode_status status = LODE_OK;
    for (size_t i = 0; i < sizeof given / sizeof *given && !status; ++i)
        if (flags & given[i].flag)
            status = check_numbers(given[i].numbers, given[i].count, function, given[i].name);
    return status;
}

static lode_status check_root(const lode_root_data *root, bool fixed, uint32_t flags,
                              const char *function)
{
    bool still = v3_is_zero(root->linear_velocity) && v3_is_zero(root->angular_velocity);
    if (flags & LODE_CACHE_ROOT_TRANSFORM) {
        lode_status status = lode__check(
            v3_finite(root->pose.position) && q_is_rotation(root->pose.rotation), function,
            "cache.root", "has a pose that is not finite or no rotation");
        if (status)
            return status;
    }
    return lode__check(!(flags & LODE_CACHE_ROOT_VELOCITIES) || !fixed || still, function,
                       "cache.root", "has a velocity, but the base is fixed");
}

/* Is anything that moves or pushes applied that is not 0? */
static bool is_lively(const lode_articulation_cache *cache, extent e, uint32_t flags)
{
    bool lively = (flags & LODE_CACHE_ROOT_VELOCITIES) &&
                  !(v3_is_zero(cache->root->linear_velocity) &&
                    v3_is_zero(cache->root->angular_velocity));
    for (uint32_t k = 0; k < e.dofs && !lively; ++k)
        lively = ((flags & LODE_CACHE_VELOCITY) && cache->joint_velocity[k] != 0) ||
                 ((flags & LODE_CACHE_FORCE) && cache->joint_force[k] != 0);
    return lively;
}

static void apply_dofs(lode__world *world, lode__model *model, const lode_articulation_cache *cache,
                       uint32_t flags)
{
    for (uint32_t k = 0; k < extent_of(model).dofs; ++k) {
        joint_dof dof = dof_of(world, model, k);
        if (flags & LODE_CACHE_VELOCITY)
            dof.state->velocity[dof.axis] = cache->joint_velocity[k];
        if (flags & LODE_CACHE_POSITION)
            dof.state->position[dof.axis] = cache->joint_position[k];
        if (flags & LODE_CACHE_FORCE)
            dof.extra->force[dof.axis] = cache->joint_force[k];
        if (flags & LODE_CACHE_TARGET_POSITIONS)
            dof.values->target = cache->joint_target_position[k];
        if (flags & LODE_CACHE_TARGET_VELOCITIES)
            dof.values->target_velocity = cache->joint_target_velocity[k];
    }
    if (flags & LODE_CACHE_FORCE)
        model->handed = true;
    for (uint32_t i = 1; i < model->body.plan->link_count && (flags & LODE_CACHE_POSITION); ++i)
        lode__link_place(world, model->link[i]);
}

static void apply_forces(lode__world *world, lode__model *model,
                         const lode_articulation_cache *cache, uint32_t flags)
{
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
        lode__force *force = BODY(world, force, LINK(world, tie, model->link[i])->body);
        if (flags & LODE_CACHE_LINK_FORCE)
            force->force = cache->link_force[i];
        if (flags & LODE_CACHE_LINK_TORQUE)
            force->torque = cache->link_torque[i];
    }
    if (flags & (LODE_CACHE_LINK_FORCE | LODE_CACHE_LINK_TORQUE))
        model->pushed = true;
}

static void apply_root(lode__world *world, const lode__model *model, const lode_root_data *root,
                       uint32_t flags)
{
    uint32_t body = LINK(world, tie, model->link[0])->body;
    if (flags & LODE_CACHE_ROOT_TRANSFORM) {
        lode_pose pose = {root->pose.position, q_normalize(root->pose.rotation)};
        lode_vec3 center = pose_point(pose, BODY(world, local, body)->center);
        *BODY(world, pose, body) = (lode__pose){.position = center, .rotation = pose.rotation};
    }
    if (flags & LODE_CACHE_ROOT_VELOCITIES)
        *BODY(world, velocity, body) = (lode__velocity){.linear = root->linear_velocity,
                                                        .angular = root->angular_velocity};
}

lode_status lode_articulation_cache_apply(lode_articulation articulation,
                                          const lode_articulation_cache *cache, uint32_t flags,
                                          bool wake)
{
    const uint32_t copied_only = LODE_CACHE_ACCELERATION | LODE_CACHE_LINK_VELOCITY |
                                 LODE_CACHE_LINK_ACCELERATION | LODE_CACHE_INCOMING_JOINT_FORCE;
    const uint32_t places = LODE_CACHE_POSITION | LODE_CACHE_ROOT_TRANSFORM;
    lode__object a;
    lode__model *model;
    lode_status status = lode__open_cache(&a, &model, articulation, cache, __func__);
    if (!status)
        status = check_flags(flags & ~(uint32_t)(LODE_CACHE_ALL & copied_only),
                             copied_only & ~(uint32_t)LODE_CACHE_ALL, __func__);
    if (!status)
        status = check_arrays(cache, extent_of(model), flags, __func__);
    if (!status)
        status = check_root(cache->root,
                            ARTICULATION(a.world, head, a.slot)->flags & LODE__ARTICULATION_FIXED,
                            flags, __func__);
    if (status)
        return status;
    bool lively = is_lively(cache, extent_of(model), flags);
    apply_dofs(a.world, model, cache, flags);
    apply_root(a.world, model, cache->root, flags);
    lode__articulation_follow(a.world, a.slot, !(flags & places));
    apply_forces(a.world, model, cache, flags);
    if (wake || lively)
        lode__articulation_wake(a.world, a.slot, true);
    return LODE_OK;
}

/* ---- slots of all axes */

static lode_status open_arrays(lode__model **out_model, lode_articulation articulation,
                               const void *in, const void *out, const char *in_name,
                               const char *out_name, const char *function)
{
    lode__object a;
    lode_status status = open_inserted(&a, out_model, articulation, function);
    if (!status)
        status = lode__check_not_null(in, function, in_name);
    return status ? status : lode__check_not_null(out, function, out_name);
}

static size_t slot_of_dof(const lode__mb_plan *plan, uint32_t dof)
{
    uint32_t k = plan->root_dofs + dof;
    return LODE_LINK_AXES * (size_t)(plan->link_of_dof[k] - 1) + plan->axis[k];
}

lode_status lode_articulation_pack_joint_data(lode_articulation articulation,
                                              const lode_real *maximal, lode_real *out_reduced)
{
    lode__model *model;
    lode_status status = open_arrays(&model, articulation, maximal, out_reduced, "maximal",
                                     "out_reduced", __func__);
    for (uint32_t k = 0; !status && k < extent_of(model).dofs; ++k)
        out_reduced[k] = maximal[slot_of_dof(model->body.plan, k)];
    return status;
}

lode_status lode_articulation_unpack_joint_data(lode_articulation articulation,
                                                const lode_real *reduced, lode_real *out_maximal)
{
    lode__model *model;
    lode_status status = open_arrays(&model, articulation, reduced, out_maximal, "reduced",
                                     "out_maximal", __func__);
    if (status)
        return status;
    size_t slots = LODE_LINK_AXES * (size_t)(model->body.plan->link_count - 1);
    memset(out_maximal, 0, slots * sizeof *out_maximal);
    for (uint32_t k = 0; k < extent_of(model).dofs; ++k)
        out_maximal[slot_of_dof(model->body.plan, k)] = reduced[k];
    return LODE_OK;
}
