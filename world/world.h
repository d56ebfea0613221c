/* world.h: what a world is made of, and how a public function opens a handle.
 *
 * Every public function first opens its handles. `open` either finds the object or reports once,
 * with LODE_ERROR_HANDLE, or with LODE_ERROR_STATE when the world is inside its own step, and
 * says which; the function then returns without having touched anything. */
#ifndef LODE_WORLD_WORLD_H
#define LODE_WORLD_WORLD_H

#include "collide/collide.h"
#include "core/articulations.h"
#include "core/bodies.h"
#include "core/joints.h"
#include "solver/solver.h"
#include "world/continuous.h"
#include "world/events.h"
#include "world/joined.h"
#include "world/made.h"
#include "world/pipeline.h"
#include "world/registry.h"
#include "world/sounds.h"
#include "world/systems.h"

/* What the last step moved: the slots of its dense lines begin..end-1, and the memory of the arrays
 * that show it. */
typedef struct lode__moved {
    const uint32_t *slot; /* in the arena */
    int32_t begin, end;
    void *memory;
    uint32_t capacity; /* bodies */
} lode__moved;

struct lode__world {
    uint64_t id;    /* of its handle */
    uint32_t entry; /* of the registry */
    bool in_step;
    uint32_t dynamic_count; /* of bodies */
    uint32_t kinematic_count;
    uint32_t may_sleep_count; /* bodies with sleep enabled */
    uint32_t asleep_count, sleeping_islands;
    bool sleep_asked; /* of some body */
    bool stale_lines; /* some body has left `awake` since the last step began */
    lode__bits awake; /* bodies, see wake.c */
    lode__bits active_joints;
    lode__bits strained_joints; /* those of them that may break */
    bool joints_untold; /* for a caller that keeps handles to itself: nobody asks what joints have
                           exerted in the next step, and none may break */
    lode__joined joined;        /* bodies by joints */
    lode__pool bodies;          /* lode__body_kind */
    lode__pool joints;          /* lode__joint_kind */
    lode__pool samples;         /* lode__samples_kind, of bodies that take several */
    lode__pool spaces;          /* lode__space_kind, see world/space.h */
    lode__pool joint_groups;    /* lode__joint_group_kind, see world/joint_group.h */
    lode__pool aggregates;      /* lode__aggregate_kind, see world/aggregate.h */
    lode__pool articulations;   /* lode__articulation_kind, see world/articulation.h */
    lode__pool links;           /* lode__link_kind */
    lode__pool tendons;         /* lode__tendon_kind, see world/tendon.h */
    lode__pool tendon_parts;    /* lode__tendon_part_kind */
    lode__pool mimics;          /* lode__mimic_kind */
    uint64_t models;            /* of articulations, that were ever made: the last one's number */
    lode__collide collide;
    lode__solver solver;
    lode__arena arena;
    lode__tasks *tasks;
    lode__profile profile;
    lode__stage_time times[LODE__STAGE_COUNT];
    size_t bytes_names;    /* held by the names of bodies */
    lode__systems systems; /* of the application */
    lode__made_contacts made;
    lode__events events;
    lode__sounds sounds;
    lode__continuous continuous;
    lode_row_writer row_writer;
    lode_world_def def;     /* as it stands now */
    lode__open_step open;   /* the step that is being made */
    lode_world_stats stats; /* this and what follows: of the last step */
    lode_real last_h;       /* length of its sub-steps, s */
    lode__warning_record warnings[LODE_WARNING_COUNT];
    lode__moved moved;
};

/* An object by its slot. */
typedef struct lode__object {
    lode__world *world;
    uint32_t slot;
} lode__object;

lode_status lode__open_world(lode__world **out, lode_world world, const char *function);

/* As above, while the world is between two single stages too. */
lode_status lode__open_world_staged(lode__world **out, lode_world world, const char *function);
lode_status lode__open_body(lode__object *out, lode_body body, const char *function);
lode_status lode__open_shape(lode__object *out, lode_shape shape, const char *function);
lode_status lode__open_joint(lode__object *out, lode_joint joint, const char *function);
lode_status lode__open_joint_group(lode__object *out, lode_joint_group group, const char *function);
lode_status lode__open_aggregate(lode__object *out, lode_aggregate aggregate, const char *function);

/* One that must be of `world` too. */
lode_status lode__open_aggregate_of(lode__object *out, const lode__world *world,
                                    lode_aggregate aggregate, const char *function);

/* A joint that is called `argument` and must be of `world`, unless that is null. */
lode_status lode__open_joint_of(lode__object *out, const lode__world *world, lode_joint joint,
                                const char *function, const char *argument);

/* A space that is called `argument`; and one that must be of `world` too. */
lode_status lode__open_space(lode__object *out, lode_space space, const char *function,
                             const char *argument);
lode_status lode__open_space_of(lode__object *out, const lode__world *world, lode_space space,
                                const char *function, const char *argument);

/* As above, for a body named in a definition; `world`, if not null, must be the body's. */
lode_status lode__open_member(lode__object *out, const lode__world *world, lode_body body,
                              const char *function, const char *argument);

/* True for a shape of this world that lives; and the report where it is not. */
static inline bool shape_is_of(const lode__world *world, lode_shape shape)
{
    return id_entry(shape.id) == world->entry &&
           lode__pool_holds(&world->collide.shapes, id_slot(shape.id), id_generation(shape.id));
}
void lode__refuse_shape(lode_shape shape, const char *function, const char *argument);

/* Without a report and in a step too: is the handle good? */
bool lode__find_body(lode__object *out, lode_body body);
bool lode__find_shape(lode__object *out, lode_shape shape);
bool lode__find_joint(lode__object *out, lode_joint joint);
bool lode__find_joint_group(lode__object *out, lode_joint_group group);
bool lode__find_aggregate(lode__object *out, lode_aggregate aggregate);
bool lode__find_space(lode__object *out, lode_space space);

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

static inline lode_body_type type_of_body(const lode__world *world, uint32_t body)
{
    uint32_t flags = *BODY(world, flags, body);
    return flags & LODE__BODY_DYNAMIC     ? LODE_DYNAMIC
           : flags & LODE__BODY_KINEMATIC ? LODE_KINEMATIC
                                          : LODE_STATIC;
}

static inline bool body_is_dynamic(const lode__world *world, uint32_t body)
{
    return *BODY(world, flags, body) & LODE__BODY_DYNAMIC;
}

/* A link, which its articulation moves; and one outside the simulation. */
static inline bool lode__body_is_link(const lode__world *world, uint32_t body)
{
    return *BODY(world, flags, body) & LODE__BODY_LINK;
}

static inline void lode__body_flag(lode__world *world, uint32_t body, uint32_t flag, bool on)
{
    uint32_t *flags = BODY(world, flags, body);
    *flags = on ? *flags | flag : *flags & ~flag;
}

/* body.c: ends a body with its shapes, joints and name. */
void lode__body_end(lode__world *world, uint32_t body);

/* link_body.c: what its articulation alone says of a link is refused. */
lode_status lode__check_no_link(const lode__world *world, uint32_t body, const char *function);
void lode__link_mass_changed(lode__world *world, uint32_t body);
bool lode__body_is_out(const lode__world *world, uint32_t body);

/* The same: two links of one articulation that may touch? */
bool lode__links_let_touch(const lode__world *world, uint32_t body_a, uint32_t body_b);

/* The same: counts one step more of a link that is slow; true when its articulation asks for no
 * more. */
bool lode__link_count_idle(lode__world *world, uint32_t body, lode_real dt);

/* The same of one that is known not to be idle. What was given beyond the counter is not lost.
 * Mostly there is nothing to write, and a line of the cache that is not written need not go back to
 * memory. */
static inline bool lode__link_count_restless(lode__world *world, uint32_t body)
{
    lode_real *time = &BODY(world, idle, body)->idle_time;
    if (*time > 0)
        *time = 0;
    return false;
}

/* The same: a link that falls asleep, its joint too. */
void lode__link_stop(lode__world *world, uint32_t body);

/* The same: a link may have another force. */
void lode__link_pushed(lode__world *world, uint32_t body);

/* The same: an impulse on a link moves all of its articulation. */
void lode__link_kick(lode__world *world, uint32_t body, lode_vec3 linear, lode_vec3 angular);

/* motion.c: the pose of a body's own frame, as its pose line and its centre of mass say. */
lode_pose lode__body_frame(const lode__world *world, uint32_t body);

/* motion.c: from the centre of mass to a point given in `frame`, world axes. */
lode_vec3 lode__body_arm(const lode__world *world, uint32_t body, lode_vec3 point,
                         lode_frame frame);
lode_status lode__check_frame(lode_frame frame, const char *function, const char *argument);

/* wake.c: every public function that changes how a body moves, or what acts on it, ends here. */
void lode__body_touched(lode__world *world, uint32_t body);

/* traits.c: what most bodies leave at its default. */
lode_status lode__check_damping(const lode_damping *damping, const char *function,
                                const char *argument);
bool lode__damping_is_possible(const lode_damping *damping);
lode_status lode__traits_check(const lode_body_def *def, const char *function);
void lode__traits_fill(lode__world *world, uint32_t body, const lode_body_def *def);

/* turning.c: the same of how a body turns. */
lode_status lode__turning_check(const lode_body_def *def, const char *function);
void lode__turning_fill(lode__world *world, uint32_t body, const lode_body_def *def);

/* names.c: a copy of a name, null for null; false: out of memory. A body owns what it is given. */
bool lode__name_copy(const char *name, char **out_copy);
void lode__name_give(lode__world *world, uint32_t body, char *copy);
void lode__name_free(lode__world *world, uint32_t body);
void lode__names_free(lode__world *world);

/* body_type.c: the type as it stands in a body's flags. */
uint32_t lode__type_flags(lode_body_type type);

/* shape_flags.c: the flags of a new shape; and whether one that lives, or goes, asks for events or
 * has a special surface. */
void lode__shape_begin_flags(lode__world *world, uint32_t shape, const lode_shape_def *def);
void lode__shape_count_flags(lode__world *world, uint32_t shape, bool lives);

/* The same file: shapes of a link go with its articulation into the simulation and out of it. */
void lode__shapes_put_out(lode__world *world, uint32_t body, bool out);

/* shape.c, joint.c: take an object out of the world and out of its body's list. */
void lode__shape_remove(lode__world *world, uint32_t shape);
void lode__joint_remove(lode__world *world, uint32_t joint);

/* attach.c: when one of its bodies goes the joint goes too, or is left in limbo. */
void lode__joint_lose_body(lode__world *world, uint32_t joint);

/* moved.c: what the step that ends now moves is kept, or forgotten before the arena is reset. */
void lode__moved_keep(lode__world *world);
void lode__moved_forget(lode__world *world);
void lode__moved_free(lode__world *world);
size_t lode__moved_bytes(const lode__world *world);

/* edges.c: derives the frames of the body's joints after its centre of mass has moved. */
void lode__joints_recenter(lode__world *world, uint32_t body);

/* edges.c: answers lode__may_touch_fn for joints, articulations and aggregates; `context` is the
 * world. */
bool lode__bodies_may_touch(const void *context, uint32_t body_a, uint32_t body_b);

/* queries.c: answers lode__accepts_fn with the application's pair filter; `context` is the
 * world. */
bool lode__pair_is_accepted(const void *context, uint32_t shape_a, uint32_t shape_b);

/* queries.c: the filter of triangles, where the world has one, is the collision stages' gate, its
 * mixer their rules. */
void lode__world_set_gate(lode__world *world);

/* edit.c: shows a contact to the world's editor, and does what it says. */
void lode__contact_edit(void *world, lode__manifold *m, uint32_t slot);

#endif
