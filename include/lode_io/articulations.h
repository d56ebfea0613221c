/* articulations.h: articulations as files of JSON: all that they are built of, there and back to
 * the bit, but for the rotations of loop joints' frames, which the library normalises again.
 *
 *     {
 *         "articulation": {
 *             "name": "arm",
 *             "fixed_base": true,
 *             "links": [
 *                 {"name": "base", "mass": {"mass": 5, "inertia": [1, 1, 1, 0, 0, 0]}},
 *                 {
 *                     "parent": 0, "type": "revolute",
 *                     "parent_frame": {"position": [0, 0, 0.5]},
 *                     "axes": {"twist": {"motion": "limited", "lo": -1, "hi": 1}},
 *                     "mass": {"mass": 1, "inertia": [0.1, 0.1, 0.1, 0, 0, 0]},
 *                     "shapes": [{"type": "box", "half_extents": [0.1, 0.1, 0.3]}]
 *                 }
 *             ]
 *         }
 *     }
 *
 * eys are the names of the fields of lode_articulation_def, lode_link_def, lode_link_axis,
 * lode_link_drive, lode_mass, lode_shape_def, lode_tendon_def, lode_tendon_attachment,
 * lode_tendon_joint, lode_mimic_def, lode_joint_def and lode_joint_axis, with their units; those
 * that are missing have the defaults that these name. There are besides: of the articulation
 * root_pose, root_linear_velocity and root_angular_velocity, and the lists links, tendons (each
 * with "type" and its attachments or joints), mimic_joints and loop_joints (those that
 * lode_articulation_add_loop_joint() was given); of a shape "type", which is sphere, box, capsule,
 * cylinder, hull or mesh, its sizes and "material". A hull has "vertices", arrays of three numbers,
 * and may have "faces", arrays of numbers of vertices from 0, as lode_hull_def has them: without,
 * it is the hull of the vertices. A mesh has "vertices" and "triangles", arrays of three such
 * numbers, and may have "two_sided" and "triangle_materials" as in lode_mesh_def, and "materials",
 * an array of names, or null, as lode_shape_set_materials() takes them: each shape that is read has
 * a mesh of its own. Links are numbered from 0 in the order of the file; "parent" is such a number,
 * of a link that comes before, or -1 of the first; so are "link", "link_a" and "link_b", but -1,
 * the default, for a loop joint's link_b is the world. The axes of a loop joint have the keys "0"
 * to "5". Enumerations are words: fixed, prismatic, revolute, revolute_unwrapped, spherical,
 * six_axes; locked, limited, free; none, force, acceleration; twist, swing1, swing2, x, y, z; of
 * loop joints the names of lode_joint_type without LODE_JOINT_, in small letters, as_world, never,
 * automatic, always, and of an axis' frame world, frame_a, frame_b. Numbers without end are
 * "infinity" and "-infinity", category and mask of a shape strings such as "0xff". A link must have
 * its mass, which the library does not take from its shapes then.
 *
 * What passes, as forces by hand and what is left of the wake counter, user data, surfaces of
 * shapes and the whole turns that loop joints have counted are not written: snapshots
 * (lode/snapshot.h) hold a moment, this what there is. What could not be made anew is refused when
 * it is read: a tendon or mimic joint on an axis that was locked after it was made.
 *
 * Failures go to the error hook. Those of the text have the argument "NAME:LINE", the line counted
 * from 1: "arm.json:12", "lo must be a number, ...". Whatever fails leaves the world as it was.
 * What the library refuses in the file's place is told by the function that refuses it first, and
 * then with its line. */
#ifndef LODE_IO_ARTICULATIONS_H
#define LODE_IO_ARTICULATIONS_H

#include "../lode/articulation.h"
#include "../lode/tendon.h"
#include "materials.h"

LODE_EXTERN_C_BEGIN

/* The articulation in `text`, of `size` bytes, of any origin, outside the simulation:
 * lode_articulation_insert() puts it in. `name` stands for the text in messages. The null handle on
 * failure: LODE_ERROR_ARGUMENT for a text that is no JSON, no description, or has what cannot be;
 * LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_IO_API lode_articulation lode_io_read_articulation(lode_world world, const char *name,
                                                        const char *text, size_t size);

/* The same of a file, whose path stands for it in messages. LODE_ERROR_SYSTEM too when it cannot be
 * read. */
LODE_IO_API lode_articulation lode_io_load_articulation(lode_world world, const char *path);

/* Writes the articulation, in the simulation or out of it, to `out_text`, of `size` bytes, if that
 * is enough, and returns how many bytes it takes, without a zero at the end; 0 on failure. Numbers
 * are the shortest that read back to the same bits. Shapes of other types than those above, such as
 * planes and height fields, and loop joints that join other bodies or none are left out, and
 * *out_left_out says how many; where it is null they are refused, LODE_ERROR_ARGUMENT, as are names
 * that are not UTF-8. */
LODE_IO_API size_t lode_io_write_articulation(lode_articulation articulation, char *out_text,
                                              size_t size, int *out_left_out);

/* The same to a file, which replaces one that is there, once it is complete. LODE_ERROR_SYSTEM when
 * it cannot be written. */
LODE_IO_API lode_status lode_io_save_articulation(lode_articulation articulation, const char *path,
                                                  int *out_left_out);

LODE_EXTERN_C_END

#endif
