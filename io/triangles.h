/* triangles.h: the triangles of STL and OBJ files. */
#ifndef LODE_IO_TRIANGLES_H
#define LODE_IO_TRIANGLES_H

#include "io/memory.h"
#include "lode/types.h"

typedef struct lode__io_triangles {
    lode_vec3 *points;
    int *corners; /* three each triangle */
    int point_count, triangle_count;
    int point_room, triangle_room;
    const char *fault; /* null: none so far */
    int line;          /* of the fault; 0: the file has no lines */
} lode__io_triangles;

/* Both fill an empty `out` out of a file's bytes. False: `fault` says what is wrong. STL may be
 * binary or text. Of OBJ only places and faces count, which may have any number of corners. */
bool lode__io_stl_read(lode__io_memory *memory, const char *bytes, size_t size,
                       lode__io_triangles *out);
bool lode__io_obj_read(lode__io_memory *memory, const char *bytes, size_t size,
                       lode__io_triangles *out);

#endif
