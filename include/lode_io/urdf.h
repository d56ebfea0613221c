/* urdf.h: robots out of URDF, the format of ROS, as articulations; of the library lode-io
 * (lode-io-double), where it was built with expat.
 *
 * Links, joints, limits, dynamics, inertials and collision shapes are read. Elements for other
 * readers (visual, material, sensor, transmission, gazebo and all unknown ones) are skipped with
 * all that is in them, and counted. Macros of xacro are among the unknown: run xacro first.
 *
 * *Links* keep their frames: the joint's frame in the child is where the child's frame is. A link
 * with an inertial weighs what that says; else what its collision shapes do by the options'
 * density, where there are any that weigh something; else it is a ball of the options' frame_mass,
 * for articulations have no links without mass. Shapes are boxes, cylinders, spheres, capsules
 * (whose length is that of the cylinder in them) and meshes, STL and OBJ, of which the convex hull
 * is taken.
 *
 * *Joints.* Frames are turned so that x is the joint's axis: what a revolute or continuous joint
 * has is LODE_AXIS_TWIST, a prismatic one LODE_AXIS_X; positions and signs are those of the file. A
 * planar one turns about its axis (twist) and slides along two others (LODE_AXIS_Y and
 * LODE_AXIS_Z): x and y of an axis z, y and z of an axis x, z and x of an axis y, and what the
 * shortest turn makes of those of an oblique axis, from where it has its largest part. A floating
 * one has all six axes, along the joint's frame. `effort` limits the drive, `velocity` the speed,
 * and 0 is no limit, as exporters write 0 for what they do not know. `damping` is viscous friction,
 * `friction` static and dynamic friction. Joints begin at 0 or, where their limits exclude that, at
 * the nearer one, and so do their targets. A joint whose limits are equal is fixed there. Joints
 * that mimic others are told, and held to them where both have one axis that moves.
 *
 * Failures go to the error hook. Those of the text have the argument "NAME:LINE", the line counted
 * from 1: "arm.urdf:12", "limit: lower must be at most upper". Whatever fails leaves the world as
 * it was. What the library refuses in the file's place (a flat mesh has no hull) is told by the
 * function that refuses it first, and then with its line. */
#ifndef LODE_IO_URDF_H
#define LODE_IO_URDF_H

#include "../lode/articulation.h"
#include "../lode/shape.h"
#include "materials.h"

LODE_EXTERN_C_BEGIN

/* Where the mesh of this name is: writes a path with its zero, of at most `capacity` bytes. False:
 * it is not to be found. `user` is the options'. It must not call functions of lode-io. */
typedef bool lode_io_find_mesh_fn(void *user, const char *filename, char *out_path,
                                  size_t capacity);

typedef struct lode_io_urdf_options {
    bool fixed_base;     /* the root link does not move; default false */
    bool self_collision; /* may links touch each other, but for those that a joint joins? default
                              false: shapes in such files are often within each other */
    bool triangle_base;  /* meshes of a fixed root are triangles as they are given, in place of
                              their hulls; default false */
    bool mimics; /* joints that mimic others are held to them by mimic joints of tendon.h, hard
                              ones, begin where these say, and have no drive; default true; false
                              leaves them free */
    bool insert; /* default true; false leaves it outside the simulation */
    lode_pose root_pose;   /* of the root link's frame; default identity */
    lode_shape_def shape;  /* of all shapes, but for the pose; by its density, default 1000, links
                              without inertial weigh */
    lode_link_drive drive; /* of all joints with one axis; default none; effort limits it too */
    lode_real frame_mass;  /* kg, above 0, of links with neither inertial nor shapes: a ball with a
                              radius of 5 cm; default 1e-3 */
    lode_io_find_mesh_fn *find_mesh; /* null, the default: names are paths, with or without
                              "file://", those not absolute from the directory that `path` or `name`
                              is in; others ("package://") are refused */
    void *user;
} lode_io_urdf_options;

/* The defaults named above. */
LODE_IO_API lode_io_urdf_options lode_io_urdf_options_default(void);

typedef enum lode_io_joint_type {
    LODE_IO_JOINT_FIXED,
    LODE_IO_JOINT_REVOLUTE,
    LODE_IO_JOINT_CONTINUOUS,
    LODE_IO_JOINT_PRISMATIC,
    LODE_IO_JOINT_PLANAR,
    LODE_IO_JOINT_FLOATING,
    LODE_IO_JOINT_TYPE_COUNT
} lode_io_joint_type;

typedef struct lode_io_robot_link {
    const char *name;
    lode_body body;
} lode_io_robot_link;

typedef struct lode_io_robot_joint {
    const char *name;
    lode_io_joint_type type;
    lode_body parent, link;    /* the joint is the link's inbound one */
    lode_link_axis_index axis; /* of revolute, continuous and prismatic ones */
} lode_io_robot_joint;

/* The joint's position shall be multiplier times the other's plus offset. */
typedef struct lode_io_robot_mimic {
    int joint, other; /* in lode_io_robot.joints */
    lode_real multiplier, offset;
} lode_io_robot_mimic;

/* How many elements were skipped, those within them not counted. */
typedef struct lode_io_urdf_skipped {
    int visuals, materials, sensors, transmissions, gazebos, others;
} lode_io_urdf_skipped;

/* What was read, in the order of the file. */
typedef struct lode_io_robot {
    lode_articulation articulation;
    const char *name;
    const lode_io_robot_link *links;
    int link_count;
    const lode_io_robot_joint *joints;
    int joint_count;
    const lode_io_robot_mimic *mimics;
    int mimic_count;
    lode_io_urdf_skipped skipped;
    void *memory; /* all of the above */
} lode_io_robot;

/* An articulation of the robot in `text`, of `size` bytes, of any origin; `name` stands for it in
 * messages. Null for `options` takes the defaults. Fills `out_robot`, unless it is null, with what
 * lode_io_robot_free() gives back; with zeros on failure. The null handle on failure:
 * LODE_ERROR_ARGUMENT for a text that is no XML, no URDF or no tree, or has a bad value;
 * LODE_ERROR_HANDLE, LODE_ERROR_MEMORY; LODE_ERROR_SYSTEM when a mesh cannot be read, or the
 * library was built without expat. */
LODE_IO_API lode_articulation lode_io_read_urdf(lode_world world, const char *name,
                                                const char *text, size_t size,
                                                const lode_io_urdf_options *options,
                                                lode_io_robot *out_robot);

/* The same of a file, whose path stands for it in messages. LODE_ERROR_SYSTEM too when it cannot be
 * read. */
LODE_IO_API lode_articulation lode_io_load_urdf(lode_world world, const char *path,
                                                const lode_io_urdf_options *options,
                                                lode_io_robot *out_robot);

/* Gives the memory back and leaves zeros; null is allowed. The articulation lives on. */
LODE_IO_API void lode_io_robot_free(lode_io_robot *robot);

/* By name: the null handle, or null, where there is none, which is no error. */
LODE_IO_API lode_body lode_io_robot_find_link(const lode_io_robot *robot, const char *name);
LODE_IO_API const lode_io_robot_joint *lode_io_robot_find_joint(const lode_io_robot *robot,
                                                                const char *name);

LODE_EXTERN_C_END

#endif
