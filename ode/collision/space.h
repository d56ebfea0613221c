/* space.h: geoms that are looked through for pairs; a space is a geom itself. */
#ifndef LODE_ODE_COLLISION_SPACE_H
#define LODE_ODE_COLLISION_SPACE_H

#include "ode/collision/geom.h"

#include "collide/many.h"
#include "collide/tree.h"
#include "core/arena.h"

/* Two members, by slot, that are near each other, the newer one first. */
typedef struct lode__ode_near {
    uint64_t key; /* the orders of both: pairs are told of by key */
    uint32_t a, b;
} lode__ode_near;

/* What most pairs are judged by. */
typedef struct lode__ode_member {
    dReal bounds[6];
    uint32_t disabled, order;
} lode__ode_member;

/* Which members are near each other, from one walk to the next: fat bounds in a tree, and the pairs
 * of them that overlap. Slots of members that have left are free again after the next walk. */
typedef struct lode__ode_nearness {
    lode__tree tree;           /* leaves are slots */
    dGeomID *slots;            /* null: free, or has left */
    bool *renewed;             /* of a slot: it has left its fat bounds, is new, or is gone */
    lode__ode_member *members; /* by slot, as in this walk */
    uint32_t *free;
    uint32_t slot_count, slot_capacity, renewed_capacity, member_capacity, free_count,
        free_capacity, left_count;
    lode__ode_near *pairs; /* by key */
    uint32_t pair_count, pair_capacity;
    uint32_t endless_count;   /* members that are in no tree */
    uint32_t sequence;        /* members that there have been */
    lode__near_lists lists;   /* triangles near solids, by slot */
    lode__many_list touching; /* of a block of pairs with meshes, for its memory */
} lode__ode_nearness;

struct dxSpace {
    struct dxGeom geom; /* first: a space is one */
    dGeomID members;    /* newest first */
    int count;
    int locks; /* walks that go on */
    int sublevel;
    bool keeps; /* its members, when it is destroyed */
    bool manual;
    bool asks;     /* in its last walk the program collided the pairs that it was told of */
    int levels[2]; /* as set */
    lode__ode_nearness near;
    lode__arena arena; /* of one walk */
};

/* A ray is from its position along z. */
typedef struct lode__ode_ray {
    struct dxGeom geom;
    dReal length;
    bool first, culls, closest;
} lode__ode_ray;

static inline dSpaceID space_of(dGeomID geom)
{
    return (dSpaceID)(void *)geom;
}
static inline lode__ode_ray *ray_of(dGeomID geom)
{
    return (lode__ode_ray *)(void *)geom;
}

/* Around all members. */
void lode__ode_space_bound(dGeomID geom, dReal out_bounds[6]);

/* Its members are destroyed or set free. */
void lode__ode_space_end(dGeomID geom);

/* space_near.c: a member comes, false without memory; and leaves. */
bool lode__ode_near_add(dSpaceID space, dGeomID geom);
void lode__ode_near_remove(dSpaceID space, dGeomID geom);
void lode__ode_near_free(lode__ode_nearness *near);

/* Brings it up to date with the members' bounds. False: no memory. */
bool lode__ode_near_update(dSpaceID space);

/* Of two slots, whichever is named first. */
lode__ode_near lode__ode_near_pair(const lode__ode_nearness *near, uint32_t a, uint32_t b);

/* Sorts the pairs from `begin` on in among those before, which are sorted. False: no memory. */
bool lode__ode_near_merge(lode__ode_near *pairs, uint32_t begin, uint32_t count,
                          lode__arena *arena);

/* Geoms without an end on some side are not in the tree, and in no pair. */
bool lode__ode_has_ends(const dReal bounds[6]);

void lode__ode_plane_bound(dGeomID geom, dReal out_bounds[6]);
void lode__ode_ray_bound(dGeomID geom, dReal out_bounds[6]);

/* geom_body.c: takes the geom from its body, but does not say where it is then. */
void lode__ode_geom_leave(dGeomID geom);

/* geom_classes.c and collide.c, at dCloseODE(): classes and colliders of the program's own. */
void lode__ode_classes_forget(void);
void lode__ode_overrides_forget(void);

#endif
