/* graph.c: see graph.h. */
#include "tests/solver/graph.h"

#include "core/hash.h"
#include "tests/solver/random_blocks.h"

#include <math.h>
#include <stdlib.h>

void graph_init(graph *g, uint32_t contacts, int threads)
{
    *g = (graph){.settings = lode_world_def_default()};
    lode__pool_init(&g->bodies, &lode__body_kind, 1);
    lode__pool_init(&g->joints, &lode__joint_kind, 1);
    g->manifolds = calloc(contacts + 1, sizeof *g->manifolds);
    g->contacts = calloc(contacts + 1, sizeof *g->contacts);
    g->tasks = lode__tasks_create(threads, NULL);
    if (!g->manifolds || !g->contacts || !g->tasks)
        abort();
    for (int i = 0; i < LODE__SUB_COUNT; ++i)
        g->stages[i] = (lode__stage){"sub-stage", "", "", ""};
    g->profile = (lode__profile){.stages = g->stages, .times = g->times, .count = LODE__SUB_COUNT};
    g->solver = (lode__solver){.kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN),
                               .bodies = &g->bodies,
                               .joints = &g->joints,
                               .awake = &g->bodies.alive,
                               .posed = &g->posed,
                               .active_joints = &g->joints.alive,
                               .contacts = g->contacts};
    g->step = (lode__step){.dt = (lode_real)1 / 60,
                           .sub_steps = 1,
                           .impulse_scale = 1,
                           .settings = &g->settings,
                           .arena = &g->arena,
                           .tasks = g->tasks,
                           .profile = &g->profile,
                           .stats = &g->stats,
                           .warnings = g->warnings};
}

void graph_free(graph *g)
{
    lode__pool_free(&g->bodies);
    lode__pool_free(&g->joints);
    lode__bits_free(&g->posed);
    lode__arena_free(&g->arena);
    lode__plans_free(&g->solver.plans);
    lode__tasks_destroy(g->tasks);
    free(g->manifolds);
    free(g->contacts);
}

static lode__local_mass mass_random(test_random *random)
{
    lode__local_mass out = {.mass = real_between(random, 0.5, 3)};
    bool round = random_below(random, 2);
    lode_vec3 diagonal = vec_between(random, 0.5, 2);
    lode_real s[6] = {diagonal.x, diagonal.y, diagonal.z, 0, 0, 0};
    if (round)
        s[1] = s[2] = s[0];
    else
        s3_rotate(rotation_random(random), s, s);
    for (int i = 0; i < 6; ++i)
        out.inertia[i] = s[i];
    if (!s3_invert(out.inertia, out.inv_inertia))
        abort();
    return out;
}

uint32_t graph_add_body(graph *g, uint32_t flags, test_random *random)
{
    uint32_t slot = lode__pool_add(&g->bodies);
    if (slot == LODE__NONE || !lode__bits_reserve(&g->posed, slot + 1))
        abort();
    lode__pose *pose = LODE__AT(body, &g->bodies, pose, slot);
    pose->position = vec_between(random, -5, 5);
    pose->rotation = rotation_random(random);
    lode_vec3 linear = vec_between(random, -2, 2), angular = vec_between(random, -2, 2);
    *LODE__AT(body, &g->bodies, flags, slot) = flags;
    if (flags & LODE__BODY_KINEMATIC && random_below(random, 4))
        *LODE__AT(body, &g->bodies, velocity, slot) = (lode__velocity){.linear = linear,
                                                                       .angular = angular};
    if (!(flags & LODE__BODY_DYNAMIC))
        return slot;
    lode__local_mass *mass = LODE__AT(body, &g->bodies, local, slot);
    *mass = mass_random(random);
    *LODE__AT(body, &g->bodies, inv_mass, slot) = inv_mass_at(mass, pose->rotation);
    LODE__AT(body, &g->bodies, velocity, slot)->linear = linear;
    LODE__AT(body, &g->bodies, velocity, slot)->angular = angular;
    return slot;
}

void graph_add_contact(graph *g, uint32_t body_a, uint32_t body_b, int points, test_random *random)
{
    uint32_t i = g->solver.contact_count++;
    g->manifolds[i] = manifold_random(random, points);
    g->manifolds[i].body_a = body_a;
    g->manifolds[i].body_b = body_b;
    g->contacts[i] = &g->manifolds[i];
}

uint32_t graph_add_joint(graph *g, uint32_t body_a, uint32_t body_b, test_random *random)
{
    uint32_t slot = lode__pool_add(&g->joints);
    if (slot == LODE__NONE)
        abort();
    lode__joint *joint = LODE__AT(joint, &g->joints, joint, slot);
    joint->frame_a = (lode_pose){vec_between(random, -1, 1), q_identity()};
    joint->frame_b = (lode_pose){vec_between(random, -1, 1), q_identity()};
    joint->erp = joint->cfm = -1;
    joint->type = (uint16_t)random_below(random, LODE_JOINT_TYPE_COUNT);
    joint->body_a = body_a;
    joint->body_b = body_b;
    lode__joint_axes *axes = LODE__AT(joint, &g->joints, axes, slot);
    for (int i = 0; i < LODE_JOINT_AXES; ++i) {
        bool stops = random_below(random, 2), motor = random_below(random, 2);
        axes->axis[i] = (lode_joint_axis){.lo_stop = stops ? -1 : -INFINITY,
                                          .hi_stop = INFINITY,
                                          .f_max = motor ? 1 : 0,
                                          .fudge_factor = 1,
                                          .direction = v3(i % 3 == 0, i % 3 == 1, i % 3 == 2)};
    }
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int rows = lode__joint_types[joint->type].rows + lode__joint_extras(joint->type, axes, extras);
    joint->rows = (uint16_t)rows;
    return slot;
}

static uint32_t flags_random(test_random *random)
{
    switch (random_below(random, 9)) {
    case 0:
        return 0;
    case 1:
        return LODE__BODY_DYNAMIC | LODE__BODY_FROZEN;
    case 2:
        return LODE__BODY_KINEMATIC;
    case 3:
        return LODE__BODY_DYNAMIC;
    default:
        return LODE__BODY_DYNAMIC | LODE__BODY_GYROSCOPIC;
    }
}

void graph_add_random(graph *g, uint32_t bodies, uint32_t contacts, uint32_t joints,
                      test_random *random)
{
    uint32_t first = g->bodies.end;
    for (uint32_t i = 0; i < bodies; ++i)
        graph_add_body(g, flags_random(random), random);
    for (uint32_t i = 0; i < contacts + joints; ++i) {
        uint32_t a = first + random_below(random, bodies), b = a;
        while (b == a)
            b = first + random_below(random, bodies);
        if (i < contacts)
            graph_add_contact(g, a, b, 1 + (int)random_below(random, 4), random);
        else
            graph_add_joint(g, a, random_below(random, 6) ? b : LODE__NONE, random);
    }
}

bool graph_movable(const graph *g, uint32_t body)
{
    if (body == LODE__NONE)
        return false;
    uint32_t flags = *LODE__AT(body, &g->bodies, flags, body);
    return (flags & LODE__BODY_DYNAMIC) && !(flags & LODE__BODY_FROZEN);
}

bool graph_arrange(graph *g)
{
    lode__arena_reset(&g->arena);
    return lode__islands_run(&g->solver, &g->step) && lode__colouring_run(&g->solver, &g->step);
}

bool graph_prepare(graph *g)
{
    return graph_arrange(g) && lode__row_prepare_run(&g->solver, &g->step);
}

bool graph_step(graph *g)
{
    if (!graph_prepare(g))
        return false;
    lode__solve_run(&g->solver, &g->step);
    lode__restitution_run(&g->solver, &g->step);
    lode__finalise_run(&g->solver, &g->step);
    return true;
}

uint64_t graph_hash(const graph *g)
{
    uint64_t hash = lode__pool_hash(&g->joints, lode__pool_hash(&g->bodies, 0));
    return lode__hash_bytes(hash, g->manifolds, g->solver.contact_count * sizeof *g->manifolds);
}
