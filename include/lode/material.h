/* material.h: named materials, and what contacts between two of them are.
 *
 * A shape may have a material, which is a name. A world has a table of contact properties, each for
 * an unordered pair of names. Where two shapes touch of which one has a material at least, the
 * table is searched from its beginning for the pair of their names, and the first that matches
 * says all about the contact; a shape without a material counts as one of "default". Where none
 * matches lode_contact_properties_default() serves. Of two shapes without materials the contact is
 * what their own friction, restitution and surfaces make it.
 *
 * Directions. Boxes, planes and cylinders can have friction and slip that differ along two
 * directions of each of their faces, named u and v:
 *
 *     face                            u                v
 *     box, +x and -x                  y                z
 *     box, +y and -y                  z                x
 *     box, +z and -z                  x                y
 *     plane                           x                across it
 *     plane that faces x most         y                across it
 *     cylinder, flat ends             x                y
 *     cylinder, round side            around it        z
 *
 * in the shape's axes, as far as they lie across the contact's normal, and turned by
 * friction_rotation about the face's outward normal, counterclockwise as seen from outside. Of a
 * shape of another type the first of its side's values counts in all directions.
 *
 * One value of friction is that of the contact in all directions. Two are those along u and v, of
 * either side; three those of the first side along u and v, then of the second in all directions;
 * four those of the first side, then of the second. The first side is the shape of material1; if
 * both have the same name, the one that is shape_a of the contact. The coefficients of two sides
 * are joined as those of surfaces are: the geometric mean of both ellipses (lode/surface.h), which
 * is along each direction the geometric mean of the two values where the directions are the same,
 * or one side has none. What is 0 on one side is 0, whatever the other's. The slip of two sides is
 * along each direction the mean of theirs; it is that of all points of the two materials together.
 *
 * One of two materials may be immovable to the other: its bodies push those of the other, which do
 * not push back; see lode/surface.h. A continuous body (lode/body.h) is then not stopped by what
 * does not push it, and does not stop what it does not push. */
#ifndef LODE_MATERIAL_H
#define LODE_MATERIAL_H

#include "surface.h"

LODE_EXTERN_C_BEGIN

enum { LODE_MATERIAL_NAME = 255 /* bytes at most, of names of materials and sounds */ };

/* What contacts of two materials are. Names must not be empty. */
typedef struct lode_contact_properties {
    uint32_t abi;                      /* set by lode_contact_properties_default() */
    const char *material1, *material2; /* exchangeable; default "default" */
    int friction_count;                /* values of friction that count, 1..4; default 1 */
    lode_real friction[4];             /* Coulomb's coefficients, at least 0; -1: infinite, never
                                          slips; default 1 */
    lode_real friction_rotation[2];    /* of the first and the second side's directions, rad;
                                          default 0 */
    lode_real rolling_friction[3];     /* against rolling about the first friction direction, about
                                          the second, and against spinning about the normal, m: see
                                          lode/surface.h; at least 0; -1: infinite; default 0. Where
                                          the first two differ the directions are those of the first
                                          side's face, or the second's if that has none */
    lode_real bounce;                  /* coefficient of restitution, 0..1; default 0.5 */
    lode_real bounce_velocity;         /* slower impacts do not bounce, m/s, at least 0; default
                                          0.01 */
    int slip_count;                    /* values of slip that count, 1..4, as friction's */
    lode_real force_dependent_slip[4]; /* s/kg, at least 0: under a force f along the surfaces they
                                          slide past each other at slip f; default 0 */
    lode_real soft_erp;                /* 0..1; default 0.2: see lode/surface.h */
    lode_real soft_cfm;                /* s/kg, above 0; default 0.001 */
    const char *bump_sound, *roll_sound, *slide_sound; /* names of sounds, for whoever plays them;
                                                          default "bump", "roll", "slide" */
    lode_immovable immovable; /* the side that is not pushed, of two different materials; default
                                 none */
    int max_contacts; /* points of one pair of shapes that push, at least 1; default 10: the deepest
                         of all that they touch with, as LODE_COLLIDE_ALL tells them. A contact has
                         four at most, so a pair may have several of one normal, which events and
                         sounds take as one. Of points that are as deep as the last, within 0.0004
                         of the length unit, those farthest apart push */
} lode_contact_properties;

/* Fills `out_properties`, of `size` bytes, with the defaults named above; see
 * lode_world_def_init(). */
LODE_API void lode_contact_properties_init(void *out_properties, size_t size, uint32_t abi);

/* The defaults named above; zeros when header and library disagree. */
static inline lode_contact_properties lode_contact_properties_default(void)
{
    lode_contact_properties properties;
    lode_contact_properties_init(&properties, sizeof properties, LODE_ABI);
    return properties;
}

/* Replaces the world's table by `count` properties, which are copied with their names; with 0 it is
 * empty. It serves from the next step, for contacts that exist already too; what sleeps keeps what
 * it rests with until it wakes. All are refused if one is, and the world stays as it was:
 * LODE_ERROR_ARGUMENT, LODE_ERROR_ABI, LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. The message names the
 * field and the place in the array. */
LODE_API lode_status lode_world_set_contact_properties(lode_world world,
                                                       const lode_contact_properties *properties,
                                                       int count);

/* Copies up to `capacity` of the table's properties, in order, and returns how many it has; 0 on
 * failure. With `capacity` 0 the array may be null. Names belong to the world and stay where they
 * are until it is given a name that it did not know, is destroyed or set back. */
LODE_API int lode_world_get_contact_properties(lode_world world,
                                               lode_contact_properties *out_properties,
                                               int capacity);

/* What serves for two materials, null for a shape without one: the first of the table that names
 * both, in its order of names, or the defaults. Zeros on failure. */
LODE_API lode_contact_properties lode_world_find_contact_properties(lode_world world,
                                                                    const char *material1,
                                                                    const char *material2);

/* A shape's material: null takes it away. The name is copied. What rests on the shape wakes. The
 * getter is null for a shape without one and a bad handle; the name stays where it is as those of
 * lode_world_get_contact_properties() do. */
LODE_API lode_status lode_shape_set_material(lode_shape shape, const char *material);
LODE_API const char *lode_shape_get_material(lode_shape shape);

enum { LODE_PART_MATERIALS = 64 /* at most, of one shape */ };

/* The materials of the parts of a mesh or height field, whose definition says which triangles or
 * cells are made of which (lode_mesh_def.materials, lode_heightfield_def.materials): number i is
 * names[i]. What has a null name, or a number of `count` or more, is made of the shape's own
 * material, as all of it is by default and with `count` 0. Where one shape touches several
 * materials it has a contact with each, and max_contacts is that of each pair of materials. The
 * names are copied; `count` is at most LODE_PART_MATERIALS. What rests on the shape wakes.
 * LODE_ERROR_ARGUMENT, LODE_ERROR_HANDLE, LODE_ERROR_MEMORY.
 *
 * The getter copies up to `capacity` of the names and returns how many there are, 0 on failure. */
LODE_API lode_status lode_shape_set_materials(lode_shape shape, const char *const *names,
                                              int count);
LODE_API int lode_shape_get_materials(lode_shape shape, const char **out_names, int capacity);

/* What a triangle is made of, as rays and contacts name it; -1, as of shapes without triangles, for
 * the shape's own material. Null if that is none, and on failure. */
LODE_API const char *lode_shape_get_material_at(lode_shape shape, int triangle);

LODE_EXTERN_C_END

#endif
