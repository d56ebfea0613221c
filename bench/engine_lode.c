/* engine_lode.c: Lode itself, through its public headers. Nothing is tuned beyond what the
 * command line says: iterations, threads, solver, instruction set.
 *
 * The solver's timing is that of the solve stage of a whole step, from the stage table. */
#include "bench/engine.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdlib.h>
#include <string.h>

typedef struct lode_side {
    const bench_scene *scene;
    lode_world world;
    lode_body *bodies; /* per body of the scene */
    const bench_probe *probe;
    lode_stiff joints; /* as the world is told */
} lode_side;

static lode_vec3 vector(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

static lode_shape create_mesh(lode_body target, const lode_shape_def *shape_def,
                              const bench_mesh *mesh)
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = mesh->vertices;
    def.vertex_count = mesh->vertex_count;
    def.double_vertices = false;
    def.indices = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    lode_mesh *made = lode_mesh_create(&def);
    lode_shape shape = lode_shape_create_mesh(target, shape_def, made);
    lode_mesh_release(made);
    return shape;
}

static bool create_shape(const bench_scene *scene, const bench_body *body, lode_body target)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = (lode_real)body->density;
    def.friction = (lode_real)scene->friction;
    def.restitution = (lode_real)scene->restitution;
    if (!body->collides)
        def.mask = 0;
    lode_shape shape;
    if (body->shape == BENCH_SPHERE)
        shape = lode_shape_create_sphere(target, &def, (lode_real)body->size[0]);
    else if (body->shape == BENCH_BOX)
        shape = lode_shape_create_box(target, &def, vector(body->size));
    else if (body->shape == BENCH_CAPSULE)
        shape = lode_shape_create_capsule(target, &def, (lode_real)body->size[0],
                                          (lode_real)body->size[1]);
    else if (body->shape == BENCH_MESH)
        shape = create_mesh(target, &def, body->mesh);
    else
        shape = lode_shape_create_plane(target, &def, (lode_vec3){0, 0, 1}, 0);
    return shape.id != 0;
}

static bool create_body(lode_side *side, int index)
{
    const bench_body *body = &side->scene->bodies[index];
    const double *q = body->rotation;
    lode_body_def def = lode_body_def_default();
    def.type = body->dynamic ? LODE_DYNAMIC : LODE_STATIC;
    def.position = vector(body->position);
    def.rotation = (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    side->bodies[index] = lode_body_create(side->world, &def);
    return side->bodies[index].id && create_shape(side->scene, body, side->bodies[index]);
}

static bool create_joint(lode_side *side, const bench_joint *joint)
{
    bool hinge = joint->type == BENCH_HINGE;
    lode_joint_def def = lode_joint_def_default(hinge ? LODE_JOINT_HINGE : LODE_JOINT_BALL);
    def.body_a = side->bodies[joint->body_a];
    def.body_b = side->bodies[joint->body_b];
    if (hinge) {
        def.axis[0].lo_stop = (lode_real)joint->lo;
        def.axis[0].hi_stop = (lode_real)joint->hi;
        def.axis[0].vel = (lode_real)joint->speed;
        def.axis[0].f_max = (lode_real)joint->torque;
    }
    if (side->scene->holds && side->joints == LODE_STIFF_AUTOMATIC)
        def.stiff = LODE_STIFF_ALWAYS;
    const lode_vec3 any = {1, 0, 0};
    return lode_joint_def_anchor_world(&def, vector(joint->anchor),
                                       hinge ? vector(joint->axis) : any) == LODE_OK &&
           lode_joint_create(side->world, &def).id;
}

static bool fill(lode_side *side)
{
    for (int i = 0; i < side->scene->body_count; ++i)
        if (!create_body(side, i))
            return false;
    for (int i = 0; i < side->scene->joint_count; ++i)
        if (!create_joint(side, &side->scene->joints[i]))
            return false;
    return true;
}

static void side_destroy(void *world)
{
    lode_side *side = world;
    if (side->world.id)
        lode_world_destroy(side->world);
    free(side->bodies);
    free(side);
}

static void zone_begin(void *user, const char *name)
{
    const lode_side *side = user;
    if (side->probe)
        side->probe->begin(side->probe->user, name);
}

static void zone_end(void *user, const char *name)
{
    const lode_side *side = user;
    if (side->probe)
        side->probe->end(side->probe->user, name);
}

static void *side_create(const bench_scene *scene, const bench_options *options)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    side->scene = scene;
    side->bodies = bench_alloc((size_t)scene->body_count, sizeof *side->bodies);
    lode_world_def def = lode_world_def_default();
    def.gravity = vector(scene->gravity);
    def.sub_steps = options->sub_steps ? options->sub_steps : BENCH_SUB_STEPS;
    def.iterations = (options->iterations + def.sub_steps - 1) / def.sub_steps;
    def.threads = options->threads;
    def.solver = (lode_solver)options->solver;
    def.stiff_joints = side->joints = (lode_stiff)options->stiff;
    def.simd = (lode_simd)options->simd;
    if (options->probed)
        def.profiler = (lode_profiler){side, zone_begin, zone_end};
    side->world = lode_world_create(&def);
    if (side->world.id && fill(side))
        return side;
    side_destroy(side);
    return NULL;
}

static bool side_step(void *world)
{
    lode_side *side = world;
    return lode_world_step(side->world, (lode_real)BENCH_DT) == LODE_OK;
}

static int side_stages(void *world, bench_stage *out_stages)
{
    lode_side *side = world;
    lode_stage_info infos[BENCH_STAGES];
    int count = lode_world_get_stages(side->world, infos, BENCH_STAGES);
    if (count > BENCH_STAGES)
        count = BENCH_STAGES;
    for (int i = 0; i < count; ++i)
        out_stages[i] = (bench_stage){infos[i].name, infos[i].parent, infos[i].seconds};
    return count;
}

static void side_probe(void *world, const bench_probe *probe)
{
    lode_side *side = world;
    side->probe = probe;
}

static double part_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void side_counts(void *world, bench_counts *out_counts)
{
    lode_side *side = world;
    lode_world_stats stats;
    if (lode_world_get_stats(side->world, &stats) != LODE_OK)
        bench_fail("Lode gave no statistics");
    double blocks = stats.lanes_used + stats.overflow_blocks;
    *out_counts = (bench_counts){
        .contacts = stats.contacts,
        .points = stats.contact_points,
        .joint_rows = stats.joint_rows,
        .contact_rows = stats.rows - stats.joint_rows,
        .lane_occupancy = part_of(stats.lanes_used, 8.0 * stats.batches),
        .overflow = part_of(stats.overflow_blocks, blocks),
        .bytes_per_body = part_of((double)stats.bytes_bodies, stats.bodies),
        .bytes_per_contact = part_of((double)stats.bytes_contacts, stats.contacts),
    };
}

static void copy(lode_vec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void side_read(void *world, bench_state *out_states)
{
    lode_side *side = world;
    for (int i = 0; i < side->scene->body_count; ++i) {
        bench_state *state = &out_states[i];
        lode_pose pose = lode_body_get_pose(side->bodies[i]);
        copy(pose.position, state->position);
        state->rotation[0] = pose.rotation.w;
        state->rotation[1] = pose.rotation.x;
        state->rotation[2] = pose.rotation.y;
        state->rotation[3] = pose.rotation.z;
        copy(lode_body_get_linear_velocity(side->bodies[i]), state->linear);
        copy(lode_body_get_angular_velocity(side->bodies[i]), state->angular);
    }
}

static double side_time_solve(void *world, int iterations)
{
    lode_side *side = world;
    lode_world_def def = lode_world_get_def(side->world);
    if (def.solver != LODE_SOLVER_PGS && def.solver != LODE_SOLVER_SOFT_STEP)
        return -1;
    bool ok = lode_world_set_sub_steps(side->world, 1) == LODE_OK &&
              lode_world_set_iterations(side->world, iterations) == LODE_OK && side_step(world);
    lode_world_set_iterations(side->world, def.iterations);
    lode_world_set_sub_steps(side->world, def.sub_steps);
    bench_stage stages[BENCH_STAGES];
    int count = side_stages(world, stages);
    for (int i = 0; ok && i < count; ++i)
        if (strcmp(stages[i].name, "solve") == 0)
            return stages[i].seconds;
    return -1;
}

bool bench_lode_run_stage(void *world, const char *name)
{
    lode_side *side = world;
    return lode_world_run_stage(side->world, name, (lode_real)BENCH_DT) == LODE_OK;
}

const char *bench_lode_simd(void *world)
{
    lode_side *side = world;
    return lode_simd_name(lode_world_get_def(side->world).simd);
}

double bench_lode_deepest(void *world)
{
    lode_side *side = world;
    int count = lode_world_get_contacts(side->world, NULL, 0);
    lode_contact *contacts = bench_alloc((size_t)count, sizeof *contacts);
    lode_world_get_contacts(side->world, contacts, count);
    double deepest = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            if ((double)contacts[i].points[k].depth > deepest)
                deepest = (double)contacts[i].points[k].depth;
    free(contacts);
    return deepest;
}

static lode_ray own_ray(const bench_ray *ray)
{
    const double *o = ray->origin, *d = ray->direction;
    return (lode_ray){.origin = {(lode_real)o[0], (lode_real)o[1], (lode_real)o[2]},
                      .direction = {(lode_real)d[0], (lode_real)d[1], (lode_real)d[2]},
                      .length = (lode_real)ray->length};
}

static int side_cast(void *world, const bench_ray *rays, int count, double *out_distances)
{
    lode_side *side = world;
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        lode_ray ray = own_ray(&rays[i]);
        lode_ray_hit hit;
        bool found = lode_world_cast_ray(side->world, &ray, NULL, &hit);
        out_distances[i] = found ? (double)hit.distance : rays[i].length;
        hits += found;
    }
    return hits;
}

int bench_lode_cast_batch(void *world, const bench_ray *rays, int count, double *out_distances)
{
    enum { PART = 256 };
    lode_side *side = world;
    lode_ray own[PART];
    lode_ray_hit hits[PART];
    int found = 0;
    for (int begin = 0; begin < count; begin += PART) {
        int part = count - begin < PART ? count - begin : PART;
        for (int i = 0; i < part; ++i)
            own[i] = own_ray(&rays[begin + i]);
        found += lode_world_cast_rays(side->world, own, part, NULL, hits);
        for (int i = 0; i < part; ++i)
            out_distances[begin + i] = hits[i].shape.id ? (double)hits[i].distance
                                                        : rays[begin + i].length;
    }
    return found;
}

int bench_lode_push(void *world, const bench_ray *rays, int count, double *out_distances)
{
    const double half[3] = BENCH_PUSHED_BOX;
    lode_side *side = world;
    int hits = 0;
    lode_cast cast = {.solid = lode_solid_box((lode_vec3){(lode_real)half[0], (lode_real)half[1],
                                                          (lode_real)half[2]})};
    for (int i = 0; i < count; ++i) {
        lode_ray ray = own_ray(&rays[i]);
        lode_vec3 d = ray.direction;
        cast.pose = (lode_pose){ray.origin, {1, 0, 0, 0}};
        cast.translation = (lode_vec3){d.x * ray.length, d.y * ray.length, d.z * ray.length};
        lode_cast_hit hit;
        bool found = lode_world_cast_shape(side->world, &cast, NULL, &hit);
        out_distances[i] = found ? (double)hit.distance : rays[i].length;
        hits += found;
    }
    return hits;
}

const bench_engine bench_engine_lode = {
    .name = "lode",
    .precision = sizeof(lode_real) == sizeof(double) ? "double" : "single",
    .version = NULL, /* lode_version() tells */
    .method = NULL,
    .create = side_create,
    .destroy = side_destroy,
    .step = side_step,
    .stages = side_stages,
    .probe = side_probe,
    .counts = side_counts,
    .read = side_read,
    .time_solve = side_time_solve,
    .cast = side_cast,
};
