/* articulation_dynamics.c: the dynamics of articulations for controllers, on caches: the public
 * functions over those of solver/articulation/dynamics.h. */
#include "world/articulation_dynamics.h"

#include <string.h>

#include "core/math.h"
#include "core/memory.h"
#include "solver/articulation/dynamics.h"
#include "world/check.h"

/* ---- preparing */

typedef lode__dynamics_desk desk;
typedef lode__dynamics_task task;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* The next part of it, of so many bytes; null where there is no memory yet. */
static void *part_of(char *memory, size_t *at, size_t bytes)
{
    void *part = memory ? memory + *at : NULL;
    *at += aligned(bytes);
    return part;
}

static desk lay_desk(const lode__model *model, char *memory, size_t *out_bytes)
{
    const lode__mb_plan *plan = model->body.plan;
    size_t n = plan->dof_count, links = plan->link_count;
    desk d = {0};
    *out_bytes = 0;
    d.m = part_of(memory, out_bytes, n * n * sizeof(lode_real));
    d.c = part_of(memory, out_bytes, n * sizeof(lode_real));
    d.x = part_of(memory, out_bytes, n * sizeof(lode_real));
    d.forces = part_of(memory, out_bytes, links * sizeof(lode__mb_wrench));
    d.gravity = part_of(memory, out_bytes, links * sizeof(lode_vec3));
    d.scratch = part_of(memory, out_bytes,
                        larger(lode__mb_scratch_size(plan), lode__mb_derivatives_size(plan)));
    return d;
}

lode_status lode_articulation_prepare(lode_articulation articulation)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check_inserted(a.world, a.slot, true, __func__);
    if (status)
        return status;
    lode__model *model = *ARTICULATION(a.world, model, a.slot);
    if (!model->scratch) {
        size_t bytes;
        lay_desk(model, NULL, &bytes);
        model->scratch = lode__alloc(bytes);
        if (!model->scratch)
            return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        model->scratch_bytes = bytes;
    }
    lode__limb_pools pools = limb_pools(a.world);
    lode__model_read(&pools, model);
    lode__model_load(&pools, model);
    lode__mb_kernels_one.place(&model->body);
    lode__mb_kernels_one.speed(&model->body);
    lode__mb_kernels_one.factor(&model->body);
    model->prepared = true;
    return LODE_OK;
}

lode_status lode__dynamics_open(task *out, lode_articulation articulation,
                                const lode_articulation_cache *cache, const char *function)
{
    lode__object a;
    size_t bytes;
    lode_status status = lode__open_cache(&a, &out->model, articulation, cache, function);
    if (status)
        return status;
    if (!out->model->prepared)
        return lode__error(LODE_ERROR_STATE, function, "articulation",
                           "is not prepared: call lode_articulation_prepare() after it has moved");
    out->world = a.world;
    out->slot = a.slot;
    out->body = &out->model->body;
    out->plan = out->body->plan;
    out->all = out->plan->dof_count;
    out->joints = out->all - out->plan->root_dofs;
    out->desk = lay_desk(out->model, out->model->scratch, &bytes);
    return LODE_OK;
}

void lode__dynamics_use_speeds(const task *t, const lode_articulation_cache *cache)
{
    for (uint32_t k = 0; k < t->joints; ++k)
        t->body->dofs[t->plan->root_dofs + k].speed[0] = cache->joint_velocity[k];
    lode__mb_kernels_one.speed(t->body);
}

static lode_vec3 gravity_of(const task *t, uint32_t link)
{
    uint32_t body = LINK(t->world, tie, t->model->link[link])->body;
    bool scaled = *BODY(t->world, flags, body) & LODE__BODY_SCALED;
    return v3_scale(t->world->def.gravity,
                    scaled ? BODY(t->world, traits, body)->gravity_scale : 1);
}

const lode__mb_wrench *lode__dynamics_weights(const task *t)
{
    for (uint32_t i = 0; i < t->plan->link_count; ++i)
        t->desk.forces[i] = (lode__mb_wrench){v3_scale(gravity_of(t, i), t->body->links[i].mass[0]),
                                              v3_zero()};
    return t->desk.forces;
}

void lode__dynamics_free_efforts(const task *t, const lode_real *all, lode_real *out_joints)
{
    lode__mb_mass_matrix(t->body, t->desk.m, t->desk.scratch);
    lode__mb_free_efforts(t->plan, t->desk.m, all, out_joints);
}

/* ---- the functions */

lode_status lode_articulation_compute_mass_matrix(lode_articulation articulation,
                                                  lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (!status)
        lode__mb_mass_matrix(t.body, cache->mass_matrix, t.desk.scratch);
    return status;
}

lode_status lode_articulation_compute_generalized_mass_matrix(lode_articulation articulation,
                                                              lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__mb_mass_matrix(t.body, t.desk.m, t.desk.scratch);
    lode__mb_free_mass(t.plan, t.desk.m, cache->mass_matrix, t.desk.scratch);
    return LODE_OK;
}

lode_status lode_articulation_compute_gravity_compensation(lode_articulation articulation,
                                                           lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (!status)
        lode__mb_inverse(t.body, NULL, false, lode__dynamics_weights(&t),
                         cache->gravity_compensation_force, t.desk.scratch);
    return status;
}

lode_status lode_articulation_compute_generalized_gravity_force(lode_articulation articulation,
                                                                lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__mb_inverse(t.body, NULL, false, lode__dynamics_weights(&t), t.desk.x, t.desk.scratch);
    lode__dynamics_free_efforts(&t, t.desk.x, cache->joint_force);
    return LODE_OK;
}

lode_status lode_articulation_compute_coriolis_compensation(lode_articulation articulation,
                                                            lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__dynamics_use_speeds(&t, cache);
    lode__mb_inverse(t.body, NULL, true, NULL, cache->coriolis_force, t.desk.scratch);
    return LODE_OK;
}

lode_status lode_articulation_compute_coriolis_and_centrifugal_force(lode_articulation articulation,
                                                                     lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__dynamics_use_speeds(&t, cache);
    lode__mb_inverse(t.body, NULL, true, NULL, t.desk.x, t.desk.scratch);
    lode__dynamics_free_efforts(&t, t.desk.x, cache->joint_force);
    return LODE_OK;
}

lode_status lode_articulation_compute_generalized_external_force(lode_articulation articulation,
                                                                 lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    for (uint32_t i = 0; i < t.plan->link_count; ++i)
        t.desk.forces[i] = (lode__mb_wrench){cache->external_force[i].force,
                                             cache->external_force[i].torque};
    lode__mb_inverse(t.body, NULL, false, t.desk.forces, t.desk.x, t.desk.scratch);
    lode__dynamics_free_efforts(&t, t.desk.x, cache->joint_force);
    return LODE_OK;
}

lode_status lode_articulation_compute_joint_acceleration(lode_articulation articulation,
                                                         lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__dynamics_use_speeds(&t, cache);
    lode__mb_joint_acceleration(t.body, cache->joint_force, lode__dynamics_weights(&t),
                                cache->joint_acceleration);
    return LODE_OK;
}

lode_status lode_articulation_compute_joint_force(lode_articulation articulation,
                                                  lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__dynamics_use_speeds(&t, cache);
    memset(t.desk.x, 0, t.all * sizeof *t.desk.x);
    memcpy(t.desk.x + t.plan->root_dofs, cache->joint_acceleration, t.joints * sizeof *t.desk.x);
    lode__mb_inverse(t.body, t.desk.x, true, NULL, t.desk.c, t.desk.scratch);
    lode__dynamics_free_efforts(&t, t.desk.c, cache->joint_force);
    return LODE_OK;
}

lode_status lode_articulation_compute_dense_jacobian(lode_articulation articulation,
                                                     lode_articulation_cache *cache, int *out_rows,
                                                     int *out_columns)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__mb_dense_jacobian(t.body, cache->dense_jacobian);
    if (out_rows)
        *out_rows = 6 * (int)(t.plan->link_count - (t.plan->root_dofs == 0));
    if (out_columns)
        *out_columns = (int)t.all;
    return LODE_OK;
}

lode_vec3 lode_articulation_compute_com(lode_articulation articulation, bool root_frame)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check_inserted(a.world, a.slot, true, __func__))
        return v3_zero();
    lode_real mass = 0;
    lode_vec3 sum = v3_zero();
    uint32_t root = LINK(a.world, tie, ARTICULATION(a.world, head, a.slot)->first_link)->body;
    lode_vec3 from = BODY(a.world, pose, root)->position;
    EACH_LINK(a.world, a.slot, link)
    {
        uint32_t body = LINK(a.world, tie, link)->body;
        lode_real m = BODY(a.world, local, body)->mass;
        mass += m;
        sum = v3_madd(sum, v3_sub(BODY(a.world, pose, body)->position, from), m);
    }
    lode_vec3 com = v3_add(from, v3_scale(sum, 1 / mass));
    return root_frame ? pose_point_inv(lode__body_frame(a.world, root), com) : com;
}

lode_status lode_articulation_compute_centroidal_momentum_matrix(lode_articulation articulation,
                                                                 lode_articulation_cache *cache)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (!status)
        status = lode__check(t.plan->root_dofs > 0, __func__, "articulation", "has a fixed base");
    if (!status)
        lode__mb_centroidal(t.body, cache->mass_matrix, cache->coriolis_force,
                            cache->centroidal_momentum_matrix, cache->centroidal_momentum_bias);
    return status;
}

lode_status lode_articulation_compute_derivatives(lode_articulation articulation,
                                                  const lode_articulation_cache *cache,
                                                  lode_real *out_by_position,
                                                  lode_real *out_by_velocity,
                                                  lode_real *out_by_acceleration)
{
    task t;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (status)
        return status;
    lode__dynamics_use_speeds(&t, cache);
    const lode_real root[LODE__MB_ROOT_DOFS] = {
        cache->root->linear_acceleration.x,  cache->root->linear_acceleration.y,
        cache->root->linear_acceleration.z,  cache->root->angular_acceleration.x,
        cache->root->angular_acceleration.y, cache->root->angular_acceleration.z};
    memcpy(t.desk.x, root, t.plan->root_dofs * sizeof *root);
    memcpy(t.desk.x + t.plan->root_dofs, cache->joint_acceleration, t.joints * sizeof *t.desk.x);
    for (uint32_t i = 0; i < t.plan->link_count; ++i)
        t.desk.gravity[i] = gravity_of(&t, i);
    /* what is not asked for is made all the same, and thrown away */
    lode__mb_derivatives(t.body, t.desk.x, t.desk.gravity,
                         out_by_position ? out_by_position : t.desk.m,
                         out_by_velocity ? out_by_velocity : t.desk.m, t.desk.scratch);
    if (out_by_acceleration)
        lode__mb_mass_matrix(t.body, out_by_acceleration, t.desk.scratch);
    return LODE_OK;
}

lode_status lode_articulation_update_kinematic(lode_articulation articulation, uint32_t flags)
{
    lode__object a;
    lode_status status = lode__open_articulation(&a, articulation, __func__);
    if (!status)
        status = lode__check_inserted(a.world, a.slot, true, __func__);
    if (!status)
        status = lode__check(flags > 0 && !(flags & ~3u), __func__, "flags",
                             "must be one or both of lode_kinematic_flags");
    if (!status)
        lode__articulation_follow(a.world, a.slot, !(flags & LODE_KINEMATIC_POSITION));
    return status;
}

lode_spatial_velocity lode_articulation_get_link_acceleration(lode_articulation articulation,
                                                              int index)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check_inserted(a.world, a.slot, true, __func__))
        return (lode_spatial_velocity){0};
    const lode__model *model = *ARTICULATION(a.world, model, a.slot);
    if (lode__check(index >= 0 && (uint32_t)index < model->body.plan->link_count, __func__, "index",
                    "is that of no link"))
        return (lode_spatial_velocity){0};
    const lode__link_state *state = LINK(a.world, state, model->link[index]);
    return (lode_spatial_velocity){state->a, state->alpha};
}
