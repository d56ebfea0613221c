/* world.h: what a world is made of, and how a public function opens a handle.
 *
 * Every public function first opens its handles. `open` either finds the object or reports once,
 * with LODE_ERROR_HANDLE, or with LODE_ERROR_STATE when the world is inside its own step, and
 * says which; the function then returns without having touched anything. */
#ifndef LODE_WORLD_WORLD_H
#define LODE_WORLD_WORLD_H

#include "collide/collide.h"
#include "core/bodies.h"
#include "core/joints.h"
#include "solver/solver.h"
#include "world/pipeline.h"
#include "world/registry.h"

struct lode__world {
    uint64_t id;    /* of its handle */
    uint32_t entry; /* of the registry */
    bool in_step;
    uint32_t dynamic_count; /* of bodies */
    lode__pool bodies;      /* lode__body_kind */
    lode__pool joints;      /* lode__joint_kind */
    lode__collide collide;
    lode__solver solver;
    lode__arena arena;
    lode__tasks *tasks;
    lode__profile profile;
    lode__stage_time times[LODE__STAGE_COUNT];
    lode_world_def def; /* as it stands now */
    lode_world_stats stats;
    int sub_steps; /* of the last step */
};

/* An object by its slot. */
typedef struct lode__object {
    lode__world *world;
    uint32_t slot;
} lode__object;

lode_status lode__open_world(lode__world **out, lode_world world, const char *function);
lode_status lode__open_body(lode__object *out, lode_body body, const char *function);
lode_status lode__open_shape(lode__object *out, lode_shape shape, const char *function);
lode_status lode__open_joint(lode__object *out, lode_joint joint, const char *function);

/* As above, for a body named in a definition; `world`, if not null, must be the body's. */
lode_status lode__open_member(lode__object *out, const lode__world *world, lode_body body,
                              const char *function, const char *argument);

/* Without a report and in a step too: is the handle good? */
bool lode__find_body(lode__object *out, lode_body body);
bool lode__find_shape(lode__object *out, lode_shape shape);
bool lode__find_joint(lode__object *out, lode_joint joint);

static inline lode_body body_handle(const lode__world *world, uint32_t slot)
{
    return (lode_body){id_of_object(world->entry, &world->bodies, slot)};
}
static inline lode_shape shape_handle(const lode__world *world, uint32_t slot)
{
    return (lode_shape){id_of_object(world->entry, &world->collide.shapes, slot)};
}
static inline lode_joint joint_handle(const lode__world *world, uint32_t slot)
{
    return (lode_joint){id_of_object(world->entry, &world->joints, slot)};
}

/* The address of one component of an object, by pool. */
#define BODY(world, component, slot) LODE__AT(body, &(world)->bodies, component, slot)
#define SHAPE(world, component, slot) LODE__AT(shape, &(world)->collide.shapes, component, slot)
#define JOINT(world, component, slot) LODE__AT(joint, &(world)->joints, component, slot)

static inline bool body_is_dynamic(const lode__world *world, uint32_t body)
{
    return *BODY(world, flags, body) & LODE__BODY_DYNAMIC;
}

/* body.c: the pose of a body's own frame, as its pose line and its centre of mass say. */
lode_pose lode__body_frame(const lode__world *world, uint32_t body);

/* shape.c, joint.c: take an object out of the world and out of its body's list. */
void lode__shape_remove(lode__world *world, uint32_t shape);
void lode__joint_remove(lode__world *world, uint32_t joint);

/* edges.c: derives the frames of the body's joints after its centre of mass has moved. */
void lode__joints_recenter(lode__world *world, uint32_t body);

/* edges.c: answers lode__may_touch_fn; `context` is the world. */
bool lode__joints_let_touch(const void *context, uint32_t body_a, uint32_t body_b);

#endif
