/* world.c: making and ending worlds.
 *
 * A world is made in steps that can each fail; what was made before is then unmade in reverse and
 * nothing remains, not even in the registry. Until it is published no handle finds it. */
#include "world/articulation.h"
#include "world/tendon.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

#include "collide/kernels.h"
#include "core/memory.h"
#include "core/os.h"
#include "simd/dispatch.h"
#include "solver/kernels.h"
#include "world/check.h"
#include "world/aggregate.h"
#include "world/joint_group.h"
#include "world/settings.h"
#include "world/sleep.h"
#include "world/space.h"

/* ---- the definition ---- */

void lode_world_def_init(void *out_def, size_t size, uint32_t abi)
{
    if (!lode__check_init(out_def, size, sizeof(lode_world_def), abi, __func__))
        return;
    lode_world_def def = {
        .abi = LODE_ABI,
        .gravity = {0, 0, (lode_real)-9.81},
        .solver = LODE_SOLVER_SOFT_STEP,
        .direct_rows = 200,
        .iterations = 5,
        .sub_step_length = (lode_real)(1.0 / 240),
        .over_relaxation = (lode_real)1.2,
        .erp = (lode_real)0.2,
        .contact_frequency = 60,
        .contact_damping = 10,
        .max_correcting_velocity = 4,
        .surface_layer = (lode_real)0.005,
        .restitution_threshold = 1,
        .impact_threshold = 1,
        .restitution_mix = LODE_MIX_MAXIMUM,
        .damping = {.linear_threshold = (lode_real)0.01, .angular_threshold = (lode_real)0.01},
        .sleep = lode_sleep_default(),
        .length_unit = 1,
        .broad_phase_axes = {0, 1},
        .threads = 1,
    };
    memcpy(out_def, &def, sizeof def);
}

lode_world_def lode_world_get_def(lode_world world)
{
    lode__world *w;
    return lode__open_world(&w, world, __func__) ? (lode_world_def){0} : w->def;
}

/* ---- kernels ---- */

/* "...; asked for: avx512; this machine and build have: plain, sse2" */
static lode_status report_simd(lode_status status, const char *function, const char *message,
                               const char *wanted)
{
    char text[320];
    int length = snprintf(text, sizeof text, "%s (asked for: %s; available:", message, wanted);
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        if (lode_simd_available((lode_simd)simd) && length < (int)sizeof text - 16)
            length += snprintf(text + length, sizeof text - (size_t)length, " %s",
                               lode_simd_name((lode_simd)simd));
    if (length < (int)sizeof text - 1)
        strcpy(text + length, ")");
    return lode__error(status, function, "def.simd", text);
}

static lode_status choose_kernels(lode__world *world, const char *function,
                                  const lode__collide_kernels **out_collide)
{
    lode_simd simd, wanted = world->def.simd;
    const char *message, *environment = lode__os_environment("LODE_SIMD");
    bool by_environment = wanted == LODE_SIMD_AUTO && environment;
    lode_status status = lode__simd_choose(wanted, environment, &simd, &message);
    if (status)
        return report_simd(status, function, message,
                           by_environment ? environment : lode_simd_name(wanted));
    *out_collide = lode__collide_kernels_for(simd);
    world->solver.kernels = lode__solver_kernels_for(simd);
    if (!*out_collide || !world->solver.kernels)
        return report_simd(LODE_ERROR_SYSTEM, function, "this build has no kernels for it",
                           lode_simd_name(simd));
    world->def.simd = simd;
    return LODE_OK;
}

/* ---- making and ending ---- */

static uint32_t top_generation(const lode__world *world)
{
    const lode__pool *pools[] = {&world->bodies,  &world->joints,       &world->collide.shapes,
                                 &world->spaces,  &world->joint_groups, &world->articulations,
                                 &world->tendons, &world->mimics,       &world->aggregates};
    uint32_t top = 0;
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i) {
        uint32_t generation = lode__pool_top_generation(pools[i]);
        top = generation > top ? generation : top;
    }
    return top;
}

static void furnish(lode__world *world, const lode__collide_kernels *kernels,
                    uint32_t first_generation)
{
    lode__pool_init(&world->bodies, &lode__body_kind, first_generation);
    lode__pool_init(&world->joints, &lode__joint_kind, first_generation);
    lode__pool_init(&world->spaces, &lode__space_kind, first_generation);
    lode__pool_init(&world->joint_groups, &lode__joint_group_kind, first_generation);
    lode__pool_init(&world->aggregates, &lode__aggregate_kind, first_generation);
    lode__pool_init(&world->articulations, &lode__articulation_kind, first_generation);
    lode__pool_init(&world->links, &lode__link_kind, 1);
    lode__tendons_init(world, first_generation);
    lode__collide_init(&world->collide, kernels, first_generation);
    lode__continuous_init(&world->continuous);
    lode__settings_choose_broad(world);
    world->collide.may_touch = lode__bodies_may_touch;
    world->collide.may_touch_context = world;
    world->collide.accepts = world->def.pair_filter.accepts ? lode__pair_is_accepted : NULL;
    world->collide.accepts_context = world;
    world->collide.one_mask_does = world->def.filter_rule == LODE_FILTER_EITHER;
    lode__world_set_gate(world);
    world->solver.bodies = &world->bodies;
    world->solver.joints = &world->joints;
    world->solver.limbs = limb_pools(world);
    world->solver.manifolds = &world->collide.manifolds;
    world->solver.awake = &world->awake;
    world->solver.posed = &world->collide.posed;
    world->solver.active_joints = &world->active_joints;
    lode__pool_init(&world->samples, &lode__samples_kind, 1);
    world->profile = (lode__profile){
        .hooks = world->def.profiler,
        .stages = lode__stages,
        .times = world->times,
        .count = LODE__STAGE_COUNT,
    };
    lode__profile_start(&world->profile);
}

static lode__world *create(const lode_world_def *def, const char *function, uint32_t entry,
                           uint32_t first_generation)
{
    lode__world *world = lode__alloc(sizeof *world);
    if (!world) {
        lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
        return NULL;
    }
    const lode__collide_kernels *kernels = NULL;
    *world = (lode__world){.entry = entry, .def = *def};
    if (choose_kernels(world, function, &kernels))
        goto failed;
    world->tasks = lode__tasks_create(def->threads, &def->tasks);
    if (!world->tasks) {
        bool threads = !def->tasks.run && def->threads > 1;
        lode__error(threads ? LODE_ERROR_SYSTEM : LODE_ERROR_MEMORY, function,
                    threads ? "def.threads" : "",
                    threads ? "the threads or their memory cannot be had" : "out of memory");
        goto failed;
    }
    furnish(world, kernels, first_generation);
    return world;

failed:
    lode__free(world, sizeof *world);
    return NULL;
}

lode_world lode_world_create(const lode_world_def *def)
{
    uint32_t first_generation;
    if (lode__check_not_null(def, __func__, "def"))
        return (lode_world){0};
    if (def->abi != LODE_ABI) {
        lode__error(LODE_ERROR_ABI, __func__, "def",
                    "the definition does not come from lode_world_def_default()");
        return (lode_world){0};
    }
    if (lode__settings_check(def, __func__))
        return (lode_world){0};
    uint32_t entry = lode__registry_reserve(&first_generation);
    if (entry == LODE__NO_ENTRY) {
        lode__error(LODE_ERROR_SYSTEM, __func__, "", "there are too many worlds");
        return (lode_world){0};
    }
    lode__world *world = create(def, __func__, entry, first_generation);
    if (!world) {
        lode__registry_release(entry, 0);
        return (lode_world){0};
    }
    lode__memory_users(1);
    world->id = lode__registry_publish(entry, world);
    return (lode_world){world->id};
}

void lode_world_destroy(lode_world world)
{
    lode__world *w;
    if (lode__open_world_staged(&w, world, __func__))
        return;
    lode__registry_release(w->entry, top_generation(w));
    lode__tasks_destroy(w->tasks);
    lode__collide_free(&w->collide);
    lode__continuous_free(&w->continuous);
    lode__joint_groups_free(w);
    lode__articulations_free(w);
    lode__pool_free(&w->aggregates);
    lode__pool_free(&w->joints);
    lode__names_free(w);
    lode__pool_free(&w->bodies);
    lode__pool_free(&w->samples);
    lode__spaces_free(w);
    lode__bits_free(&w->awake);
    lode__bits_free(&w->active_joints);
    lode__bits_free(&w->strained_joints);
    lode__joined_free(&w->joined);
    lode__arena_free(&w->arena);
    lode__plans_free(&w->solver.plans);
    lode__moved_free(w);
    lode__systems_free(w);
    lode__made_free(&w->made);
    lode__events_free(&w->events);
    lode__sounds_free(&w->sounds);
    lode__free(w, sizeof *w);
    lode__memory_users(-1);
}

bool lode_world_is_valid(lode_world world)
{
    return lode__registry_world(world.id) != NULL;
}

void *lode_world_get_user_data(lode_world world)
{
    lode__world *w;
    return lode__open_world(&w, world, __func__) ? NULL : w->def.user_data;
}
