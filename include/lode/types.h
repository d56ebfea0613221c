/* types.h: numbers, vectors, poses, handles and status codes of the Lode API.
 *
 * Units are the caller's, used consistently; the defaults assume metres, kilograms, seconds,
 * radians. Frames are right-handed. A pose maps local coordinates to world coordinates:
 * x_world = position + rotation * x_local. Quaternions have the scalar part first; those you pass
 * are normalised, those you get are. Every number you pass must be finite and no rotation zero, or
 * the call reports LODE_ERROR_ARGUMENT.
 *
 * LODE_DOUBLE selects the precision of this header: leave it undefined for liblode (single),
 * define it for liblode-double. The pkg-config files and the CMake package define it for you.
 * Define LODE_STATIC_LIBRARY when linking a static Lode; it matters on Windows only. */
#ifndef LODE_TYPES_H
#define LODE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define LODE_EXTERN_C_BEGIN extern "C" {
#define LODE_EXTERN_C_END }
#else
#define LODE_EXTERN_C_BEGIN
#define LODE_EXTERN_C_END
#endif

#if defined(LODE_STATIC_LIBRARY)
#define LODE_API
#elif defined(_WIN32) && defined(LODE_BUILD)
#define LODE_API __declspec(dllexport)
#elif defined(_WIN32)
#define LODE_API __declspec(dllimport)
#else
#define LODE_API __attribute__((visibility("default")))
#endif

#ifdef LODE_DOUBLE
typedef double lode_real;
#else
typedef float lode_real;
#endif

/* Names the layout of this header; the library compares it with its own in
 * lode_world_def_default() and in the definitions of what lives outside a world. */
#ifdef LODE_DOUBLE
#define LODE_ABI 0x4c440001u
#else
#define LODE_ABI 0x4c530001u
#endif

typedef struct lode_vec3 {
    lode_real x, y, z;
} lode_vec3;

typedef struct lode_quat {
    lode_real w, x, y, z;
} lode_quat;

typedef struct lode_pose {
    lode_vec3 position;
    lode_quat rotation;
} lode_pose;

/* A box along the world's axes. */
typedef struct lode_bounds {
    lode_vec3 lower, upper;
} lode_bounds;

/* Mass properties in a body's frame. `inertia` is about `center`, in the body's axes: the entries
 * xx, yy, zz, xy, xz, yz of the inertia tensor, so xy is minus the integral of x y. */
typedef struct lode_mass {
    lode_real mass;
    lode_vec3 center;
    lode_real inertia[6];
} lode_mass;

/* What takes speed from a body after each step, of its centre's velocity and of its angular
 * velocity each by itself, when that speed is above a threshold. The two kinds multiply:
 *     v = v (1 - per_step) / (1 + per_second dt)
 * `per_step` knows nothing of the step's length: 0 does nothing, 1 stops; below 0 the body gains
 * speed, above 1 it turns back in every step, and both can make a world unstable. `per_second`
 * decays alike at all step lengths, like e^(-per_second t) where dt is small against
 * 1/per_second. */
typedef struct lode_damping {
    lode_real linear_per_step, angular_per_step;     /* finite */
    lode_real linear_per_second, angular_per_second; /* 1/s, finite, at least 0 */
    lode_real linear_threshold;                      /* m/s (length units of the world), at least
                                                        0, may be infinite */
    lode_real angular_threshold;                     /* rad/s, the same */
} lode_damping;

/* When a body may fall asleep: once it has been slower than both thresholds for so many steps and
 * so much time. An infinite threshold asks nothing of that velocity, zero steps or time nothing of
 * that count. With several samples the mean of as many last velocities counts. See sleep.h. */
typedef struct lode_sleep {
    bool enabled;
    lode_real linear_threshold;  /* m/s (length units of the world), at least 0 */
    lode_real angular_threshold; /* rad/s, at least 0 */
    int steps;                   /* at least 0 */
    lode_real time;              /* s, at least 0 */
    int samples;                 /* 1..64 */
} lode_sleep;

/* Handles are values; zero is null. A handle names one object for ever: after the object is
 * destroyed, or when the handle belongs to a destroyed world, every function recognises it as
 * stale, reports LODE_ERROR_HANDLE and does nothing. The `_is_valid` functions only answer. */
typedef struct lode_world {
    uint64_t id;
} lode_world;

typedef struct lode_body {
    uint64_t id;
} lode_body;

typedef struct lode_shape {
    uint64_t id;
} lode_shape;

typedef struct lode_joint {
    uint64_t id;
} lode_joint;

typedef struct lode_joint_group {
    uint64_t id;
} lode_joint_group;

typedef struct lode_space {
    uint64_t id;
} lode_space;

typedef struct lode_articulation {
    uint64_t id;
} lode_articulation;

typedef struct lode_aggregate {
    uint64_t id;
} lode_aggregate;

typedef struct lode_tendon {
    uint64_t id;
} lode_tendon;

typedef struct lode_mimic {
    uint64_t id;
} lode_mimic;

typedef enum lode_status {
    LODE_OK = 0,
    LODE_ERROR_ARGUMENT, /* a value is out of range, not finite, or inconsistent */
    LODE_ERROR_HANDLE,   /* a null, stale or foreign handle */
    LODE_ERROR_MEMORY,   /* the allocator returned null */
    LODE_ERROR_ABI,      /* header and library disagree about the precision or the version */
    LODE_ERROR_STATE,    /* not possible now: inside a step, or while a world exists */
    LODE_ERROR_SYSTEM,   /* cannot be had: an instruction set, a thread, one world more */
} lode_status;

/* Instruction sets of the kernels. Results are equal to the bit on all of them. */
typedef enum lode_simd {
    LODE_SIMD_AUTO = 0, /* the environment variable LODE_SIMD if set, else the best present */
    LODE_SIMD_PLAIN,    /* plain C, one lane at a time */
    LODE_SIMD_SSE2,
    LODE_SIMD_AVX2,
    LODE_SIMD_AVX512, /* F, DQ, VL and BW; in single precision with registers of 256 bits */
    LODE_SIMD_NEON,
    LODE_SIMD_COUNT
} lode_simd;

#endif
