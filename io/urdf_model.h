/* urdf_model.h: what a URDF file says, as plain data in the memory of the call, on its way from
 * text (urdf_read.c, urdf_elements.c) by checks (urdf_tree.c, urdf_meshes.c) to links
 * (urdf_build.c). */
#ifndef LODE_IO_URDF_MODEL_H
#define LODE_IO_URDF_MODEL_H

#include "io/memory.h"
#include "io/triangles.h"
#include "lode/mass.h"
#include "lode_io/urdf.h"

typedef struct lode__urdf_link {
    const char *name;
    int line;
    bool has_inertial;
    int inertia_line;
    lode_pose inertial; /* the origin of its inertial */
    lode_mass mass;
    int inbound;                       /* joint; -1: none */
    int first_child, last_child, next; /* links, in the order of joints; -1: none */
} lode__urdf_link;

typedef struct lode__urdf_joint {
    const char *name, *parent_name, *child_name;
    int line, parent_line, child_line;
    int parent, child; /* links */
    lode_io_joint_type type;
    lode_pose origin;
    double axis[3]; /* of length 1 */
    bool has_limit;
    double lower, upper, effort, velocity;
    double damping, friction;
    const char *mimic_name; /* null: none */
    int mimic_line, mimic;  /* the joint */
    double multiplier, offset;
} lode__urdf_joint;

typedef struct lode__urdf_shape {
    int link, line;
    lode_shape_type type; /* LODE_HULL: a mesh */
    lode_pose pose;
    double size[3];   /* as in the file: sides of a box; radius and length; a mesh's scale */
    const char *file; /* of a mesh */
    lode__io_triangles mesh;
} lode__urdf_shape;

typedef struct lode__urdf {
    lode__io_memory *memory;
    void *parser; /* to be freed by lode__urdf_end() */
    const char *name;
    int line; /* of the root element */
    lode__urdf_link *links;
    lode__urdf_joint *joints;
    lode__urdf_shape *shapes;
    int link_count, joint_count, shape_count;
    int link_room, joint_room, shape_room;
    int *order; /* links, parents before children */
    lode_io_urdf_skipped skipped;
    char fault[400]; /* empty: none so far */
    int fault_line;
    lode_status status; /* of the fault */
} lode__urdf;

/* The first fault counts. */
void lode__urdf_fault(lode__urdf *u, int line, const char *format, ...);

/* Each leaves a fault or none. The first fills all but `order`, and calls no more of what follows
 * once there is one. */
void lode__urdf_read(lode__urdf *u, const char *text, size_t size);
void lode__urdf_tie(lode__urdf *u); /* names to numbers; is it a tree? */
void lode__urdf_load_meshes(lode__urdf *u, const char *path, const lode_io_urdf_options *options);

/* Gives back what is not in the memory. */
void lode__urdf_end(lode__urdf *u);

/* Links and shapes into the world, handles into `robot`. The null handle: nothing is left there.
 * Asks for no memory of the call. */
lode_articulation lode__urdf_build(lode__urdf *u, lode_world world,
                                   const lode_io_urdf_options *options, lode_body *bodies);

#endif
