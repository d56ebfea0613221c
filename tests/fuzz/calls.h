/* calls.h: the small world of fuzz_calls.c, and how calls on it are read. Each call says whether it
 * succeeded. */
#ifndef LODE_TESTS_FUZZ_CALLS_H
#define LODE_TESTS_FUZZ_CALLS_H

#include "tests/fuzz/fuzz.h"

enum { BODIES = 8, SHAPES = 16, JOINTS = 6, GROUPS = 2, SPACES = 3, AGGREGATES = 2, TOUCHES = 256 };

typedef struct touch {
    uint64_t a, b;
} touch;

typedef struct calls_scene {
    lode_world world;
    lode_body bodies[BODIES];
    lode_shape shapes[SHAPES];
    lode_joint joints[JOINTS];
    lode_joint_group groups[GROUPS];
    lode_space spaces[SPACES];
    lode_aggregate aggregates[AGGREGATES];
    lode_hull *hull;
    lode_mesh *mesh;
    lode_heightfield *field;
    lode_custom *custom;
    touch touches[TOUCHES]; /* that began and did not end: of contacts and of sensors */
    int touch_count;
    bool restored; /* to another time: what began then is not known */
    char *shot;
    size_t shot_size;
} calls_scene;

extern calls_scene scene;

typedef bool calls_fn(fuzz_bytes *in);

/* calls_joints.c */
calls_fn calls_change_joint, calls_use_group, calls_read_joint;

/* calls_world.c */
calls_fn calls_push, calls_set_surface, calls_add_contacts, calls_use_space, calls_change_world,
    calls_use_system, calls_read_world, calls_collide_all, calls_use_aggregate;

static inline lode_real calls_real(fuzz_bytes *in)
{
    uint32_t low = fuzz_byte(in);
    return low == 255 ? fuzz_raw(in) : (lode_real)((int8_t)low / 32.0);
}

static inline lode_vec3 calls_vector(fuzz_bytes *in)
{
    lode_real x = calls_real(in), y = calls_real(in), z = calls_real(in);
    return (lode_vec3){x, y, z};
}

static inline lode_real calls_size(fuzz_bytes *in)
{
    uint32_t low = fuzz_byte(in);
    return low == 255 ? fuzz_raw(in) : (lode_real)(low / 64.0);
}

static inline lode_pose calls_pose(fuzz_bytes *in)
{
    lode_vec3 at = calls_vector(in);
    return (lode_pose){at, fuzz_rotation(in)};
}

static inline lode_body calls_body(fuzz_bytes *in)
{
    return scene.bodies[fuzz_below(in, BODIES)];
}

static inline lode_shape calls_shape(fuzz_bytes *in)
{
    return scene.shapes[fuzz_below(in, SHAPES)];
}

static inline lode_joint calls_joint(fuzz_bytes *in)
{
    return scene.joints[fuzz_below(in, JOINTS)];
}

static inline bool calls_is_finite(lode_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

#endif
