/* shape.h: collision shapes on bodies.
 *
 * A body may carry any number of shapes, each with its own pose in the body's frame. Shapes of
 * one body never touch each other, nor do shapes of two bodies neither of which is dynamic. Unless
 * the body's mass was set by hand, adding, changing and removing shapes updates it from their
 * densities; the body's frame stays where it is. The body owns its shapes. */
#ifndef LODE_SHAPE_H
#define LODE_SHAPE_H

#include "surface.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_shape_type {
    LODE_SPHERE,
    LODE_BOX,
    LODE_PLANE,       /* a half-space: solid below the plane */
    LODE_CAPSULE,     /* a cylinder along z with round ends */
    LODE_CYLINDER,    /* along z, with flat ends */
    LODE_MESH,        /* triangles; see mesh.h */
    LODE_HULL,        /* a convex polyhedron, see hull.h */
    LODE_HEIGHTFIELD, /* ground as heights on a grid, see heightfield.h */
    LODE_CUSTOM,      /* of a class of the application's, see custom.h */
    LODE_SHAPE_TYPE_COUNT
} lode_shape_type;

/* Friction is a Coulomb coefficient. By default it bounds each of two directions by itself (a
 * pyramid), so that sliding between them meets up to 1.41 times as much; the world's definition can
 * ask for a cone. Two shapes collide if each one's mask has a bit of the other's category; the
 * world's filter_rule can be content with one. */
typedef struct lode_shape_def {
    lode_pose pose;        /* of the shape in the body's frame; a plane takes it too */
    lode_real density;     /* kg/m^3, at least 0; 0 adds no mass; default 1000 */
    lode_real friction;    /* at least 0, may be infinite; default 0.6; a pair uses what the
                              world's friction_mix makes of both, the geometric mean if
                              nobody says else */
    lode_real restitution; /* 0..1; default 0; of a pair the same by restitution_mix, which
                              is the larger */
    uint64_t category;     /* bits this shape belongs to; default 1 */
    uint64_t mask;         /* bits it collides with; default all; see above */
    bool enabled;          /* default true; a disabled shape touches nothing and is found by no
                              query, but weighs what it weighs */
    bool sensor;           /* default false; a sensor touches without pushing, see event.h; it is
                              found by no query, and weighs what its density says */
    bool touch_events;     /* default false: tells when contacts begin and end, see event.h */
    bool impact_events;    /* default false: tells of impacts, see event.h */
    bool edit_contacts;    /* default false: its contacts are shown to the world's editor, see
                              contact.h */
    bool sound_events;     /* default false: tells of what sounds, see sound.h */
    lode_surface surface;  /* belts, slip, rolling friction and more, see surface.h; default none */
    void *user_data;
} lode_shape_def;

/* The defaults named above, at the origin of the body. */
LODE_API lode_shape_def lode_shape_def_default(void);

/* Return the null handle on failure. `radius` and each half extent above 0. A capsule lies along
 * the shape's z axis; `half_length`, at least 0, is that of its axis, so without the round ends:
 * with them it reaches half_length + radius to either side (ODE's convention, whose length is twice
 * that). A cylinder lies along z too and has flat ends; its `half_length` is above 0. The plane's
 * normal is normalised; points x with normal . x < offset, in the shape's frame, are inside. Planes
 * weigh nothing and belong on static and kinematic bodies, best on static ones: one that moves is
 * held against all shapes in each step. A dynamic body refuses one. */
LODE_API lode_shape lode_shape_create_sphere(lode_body body, const lode_shape_def *def,
                                             lode_real radius);
LODE_API lode_shape lode_shape_create_box(lode_body body, const lode_shape_def *def,
                                          lode_vec3 half_extents);
LODE_API lode_shape lode_shape_create_capsule(lode_body body, const lode_shape_def *def,
                                              lode_real radius, lode_real half_length);
LODE_API lode_shape lode_shape_create_cylinder(lode_body body, const lode_shape_def *def,
                                               lode_real radius, lode_real half_length);
LODE_API lode_shape lode_shape_create_plane(lode_body body, const lode_shape_def *def,
                                            lode_vec3 normal, lode_real offset);

/* Takes the shape from its body. */
LODE_API lode_status lode_shape_destroy(lode_shape shape);

/* Does the handle name a shape that lives; and what it was created with or given since, null or
 * zero for a bad handle. */
LODE_API bool lode_shape_is_valid(lode_shape shape);
LODE_API lode_shape_type lode_shape_get_type(lode_shape shape);
LODE_API lode_body lode_shape_get_body(lode_shape shape);
LODE_API void *lode_shape_get_user_data(lode_shape shape);

/* What it weighs, in the body's frame, by its density. Zero for planes, height fields and meshes
 * that are not closed. */
LODE_API lode_mass lode_shape_get_mass(lode_shape shape);

/* The definition as it stands now. */
LODE_API lode_shape_def lode_shape_get_def(lode_shape shape);

/* Where the shape is now: its body's pose and its own. */
LODE_API lode_pose lode_shape_get_world_pose(lode_shape shape);

/* The box along the world's axes around the shape as it is now; a plane has no bounds, and the
 * largest numbers there are stand for them. */
LODE_API lode_bounds lode_shape_get_bounds(lode_shape shape);

/* As in the definition. They serve from the next step, for contacts that exist already too. A pose
 * or a density that would leave the body without a finite mass is refused. Where its body stands
 * now a world pose puts the shape; it then goes with the body as before. */
LODE_API lode_status lode_shape_set_pose(lode_shape shape, lode_pose pose);
LODE_API lode_status lode_shape_set_world_pose(lode_shape shape, lode_pose pose);
LODE_API lode_status lode_shape_set_density(lode_shape shape, lode_real density);
LODE_API lode_status lode_shape_set_friction(lode_shape shape, lode_real friction);
LODE_API lode_status lode_shape_set_restitution(lode_shape shape, lode_real restitution);
LODE_API lode_status lode_shape_set_surface(lode_shape shape, const lode_surface *surface);
LODE_API lode_status lode_shape_set_filter(lode_shape shape, uint64_t category, uint64_t mask);

/* Takes the shape to another body of the same world, with this pose in that body's frame; to the
 * body that it is on, this is lode_shape_set_pose(). The shape keeps its handle, its spaces and all
 * that is set on it; what rested on it wakes, and so do both bodies. Both weigh what their shapes
 * then say, unless their mass was set by hand. A dynamic body refuses planes and endless height
 * fields. */
LODE_API lode_status lode_shape_set_body(lode_shape shape, lode_body body, lode_pose pose);

/* Switches the shape on or off. One that is disabled is nowhere: its contacts end, queries pass it
 * by, and what rested on it wakes, as when a shape is destroyed; enabled again it is like a new
 * one. Its body's mass stays what it is. The call costs nothing when it changes nothing. */
LODE_API lode_status lode_shape_set_enabled(lode_shape shape, bool enabled);
LODE_API bool lode_shape_get_enabled(lode_shape shape); /* false for a bad handle */

/* As in the definition. A shape that becomes a sensor is to others as if it was disabled. What asks
 * for events wakes what a change of the filter wakes. The getters are false for a bad handle. */
LODE_API lode_status lode_shape_set_sensor(lode_shape shape, bool sensor);
LODE_API bool lode_shape_get_sensor(lode_shape shape);
LODE_API lode_status lode_shape_set_touch_events(lode_shape shape, bool touch_events);
LODE_API bool lode_shape_get_touch_events(lode_shape shape);
LODE_API lode_status lode_shape_set_impact_events(lode_shape shape, bool impact_events);
LODE_API bool lode_shape_get_impact_events(lode_shape shape);
LODE_API lode_status lode_shape_set_edit_contacts(lode_shape shape, bool edit_contacts);
LODE_API bool lode_shape_get_edit_contacts(lode_shape shape);
LODE_API lode_status lode_shape_set_sound_events(lode_shape shape, bool sound_events);
LODE_API bool lode_shape_get_sound_events(lode_shape shape);

/* The world's pair filter is asked anew about all pairs of the shape, in the next step. Wakes what
 * a change of the filter wakes. */
LODE_API lode_status lode_shape_refilter(lode_shape shape);
LODE_API lode_status lode_shape_set_user_data(lode_shape shape, void *user_data);

/* The size, as when the shape was created. A shape keeps its type: another's functions report
 * LODE_ERROR_ARGUMENT for the shape and return zeros. A shape that grows into others is pushed out
 * of them as solver settings allow. `out_offset` may be null. */
LODE_API lode_status lode_shape_set_sphere(lode_shape shape, lode_real radius);
LODE_API lode_status lode_shape_set_box(lode_shape shape, lode_vec3 half_extents);
LODE_API lode_status lode_shape_set_capsule(lode_shape shape, lode_real radius,
                                            lode_real half_length);
LODE_API lode_status lode_shape_set_cylinder(lode_shape shape, lode_real radius,
                                             lode_real half_length);
LODE_API lode_status lode_shape_set_plane(lode_shape shape, lode_vec3 normal, lode_real offset);
LODE_API lode_real lode_shape_get_radius(lode_shape shape); /* of what is round */
LODE_API lode_real lode_shape_get_half_length(lode_shape shape);
LODE_API lode_vec3 lode_shape_get_half_extents(lode_shape shape);
LODE_API lode_vec3 lode_shape_get_plane(lode_shape shape, lode_real *out_offset); /* the normal */

LODE_EXTERN_C_END

#endif
