/* trial_lode.c: Lode as trials.h sees it: a world that sets nothing but the way it is solved. */
#include "tests/fidelity/trials.h"

#include "lode/lode.h"

#include <stdlib.h>

typedef struct lode_side {
    lode_world world;
    lode_body bodies[TRIAL_BODIES];
    double h;
} lode_side;

static lode_vec3 vec(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

/* Coefficients of a pair are geometric means. */
static double ground_friction(const trial_scene *scene)
{
    double own = scene->friction;
    return own > 0 ? scene->ground_friction * scene->ground_friction / own : scene->ground_friction;
}

static double own_friction(const trial_scene *scene)
{
    return scene->friction > 0 ? scene->friction : scene->ground_friction;
}

static lode_surface surface_of(const trial_scene *scene)
{
    lode_surface surface = lode_surface_default();
    bool directed = scene->slip[0] > 0 || scene->slip[1] > 0;
    surface.direction = (lode_vec3){directed ? 1 : 0, 0, 0};
    surface.motion = (lode_vec3){(lode_real)scene->belt[0], (lode_real)scene->belt[1], 0};
    for (int k = 0; k < 2; ++k)
        surface.slip[k] = (lode_real)scene->slip[k];
    if (scene->soft_cfm > 0) {
        surface.soft_erp = (lode_real)scene->soft_erp;
        surface.soft_cfm = (lode_real)scene->soft_cfm;
    }
    return surface;
}

static void add_planes(lode_side *side, const trial_scene *scene)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_body ground = lode_body_create(side->world, &def);
    shape.friction = (lode_real)ground_friction(scene);
    shape.restitution = (lode_real)scene->restitution;
    shape.surface = surface_of(scene);
    for (int i = 0; i < scene->plane_count; ++i)
        lode_shape_create_plane(ground, &shape, vec(scene->planes[i]),
                                (lode_real)scene->planes[i][3]);
}

static lode_body add_body(const lode_side *side, const trial_scene *scene, const trial_body *body,
                          bool conserving)
{
    const double *s = body->size;
    double volume = body->box ? 8 * s[0] * s[1] * s[2]
                              : 4.0 / 3 * 3.14159265358979323846 * s[0] * s[0] * s[0];
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = LODE_DYNAMIC;
    def.position = vec(body->position);
    def.linear_velocity = vec(body->linear);
    def.angular_velocity = vec(body->angular);
    if (conserving)
        def.gyroscopic = LODE_GYROSCOPIC_CONSERVING;
    shape.density = (lode_real)(body->mass / volume);
    shape.friction = (lode_real)own_friction(scene);
    shape.restitution = (lode_real)scene->restitution;
    lode_body made = lode_body_create(side->world, &def);
    if (body->box)
        lode_shape_create_box(made, &shape, vec(s));
    else
        lode_shape_create_sphere(made, &shape, (lode_real)s[0]);
    return made;
}

static void add_joints(const lode_side *side, const trial_scene *scene)
{
    const lode_vec3 up = {0, 0, 1};
    if (scene->in_plane) {
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_PLANE_2D);
        def.body_a = side->bodies[0];
        lode_joint_def_anchor_world(&def, vec(scene->bodies[0].position), up);
        lode_joint_create(side->world, &def);
    }
    for (int i = 1; scene->chain && i < scene->body_count; ++i) {
        double middle[3];
        for (int k = 0; k < 3; ++k)
            middle[k] = (scene->bodies[i].position[k] + scene->bodies[i - 1].position[k]) / 2;
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
        def.body_a = side->bodies[i];
        def.body_b = side->bodies[i - 1];
        lode_joint_def_anchor_world(&def, vec(middle), up);
        lode_joint_create(side->world, &def);
    }
}

static void *create(const trial_scene *scene, const trial_way *way)
{
    lode_side *side = calloc(1, sizeof *side);
    if (!side)
        return NULL;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(scene->gravity);
    def.solver = (lode_solver)way->method;
    def.friction_model = way->cone ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID;
    def.restitution_threshold = 0;
    if (way->second_order)
        def.integrator = LODE_INTEGRATOR_SECOND_ORDER;
    def.sleep.enabled = false;
    side->world = lode_world_create(&def);
    side->h = scene->h;
    add_planes(side, scene);
    for (int i = 0; i < scene->body_count; ++i)
        side->bodies[i] = add_body(side, scene, &scene->bodies[i], way->conserving);
    add_joints(side, scene);
    return side;
}

static void destroy(void *world)
{
    lode_side *side = world;
    lode_world_destroy(side->world);
    free(side);
}

static bool step(void *world, const double force[3])
{
    lode_side *side = world;
    if (force)
        lode_body_add_force(side->bodies[0], vec(force));
    return lode_world_step(side->world, (lode_real)side->h) == LODE_OK;
}

static void keep(double out[3], lode_vec3 v)
{
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

static void read(void *world, int body, trial_state *out_state)
{
    const lode_side *side = world;
    lode_body b = side->bodies[body];
    lode_pose pose = lode_body_get_pose(b);
    keep(out_state->position, pose.position);
    keep(out_state->linear, lode_body_get_linear_velocity(b));
    keep(out_state->angular, lode_body_get_angular_velocity(b));
    out_state->rotation[0] = (double)pose.rotation.w;
    out_state->rotation[1] = (double)pose.rotation.x;
    out_state->rotation[2] = (double)pose.rotation.y;
    out_state->rotation[3] = (double)pose.rotation.z;
}

/* Cones, since the trials' truths are a cone's, but for a world as it comes. */
static const trial_way ways[] = {
    {"PGS", LODE_SOLVER_PGS, true, true, false},
    {"PGS, second order", LODE_SOLVER_PGS, true, true, true},
    {"soft step", LODE_SOLVER_SOFT_STEP, true, true, false},
    {"soft step, all defaults", LODE_SOLVER_SOFT_STEP, false, false, false},
    {"direct", LODE_SOLVER_DIRECT, true, true, false},
    {"per joint", LODE_SOLVER_PER_JOINT, true, true, false},
    {"hybrid", LODE_SOLVER_HYBRID, true, true, false},
};

const trial_engine trial_lode = {create, destroy, step, read, ways, sizeof ways / sizeof ways[0]};
