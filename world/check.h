/* check.h: argument checks. Each returns LODE_OK, or reports what is wrong with `argument` and
 * returns LODE_ERROR_ARGUMENT, so that a public function reads as a list of what it accepts. */
#ifndef LODE_WORLD_CHECK_H
#define LODE_WORLD_CHECK_H

#include "core/error.h"
#include "core/math.h"

static inline lode_status lode__check(bool accepted, const char *function, const char *argument,
                                      const char *message)
{
    return accepted ? LODE_OK : lode__error(LODE_ERROR_ARGUMENT, function, argument, message);
}
static inline lode_status lode__check_not_null(const void *pointer, const char *function,
                                               const char *argument)
{
    return lode__check(pointer, function, argument, "must not be null");
}
static inline lode_status lode__check_vec3(lode_vec3 v, const char *function, const char *argument)
{
    return lode__check(v3_finite(v), function, argument, "must be finite");
}

/* Finite and with a rotation of usable length, which is normalised. */
lode_status lode__check_pose(lode_pose *pose, const char *function, const char *argument);

/* Of a shape on its body: so near that the square of the way is a number, else it could not be
 * turned with the body. */
lode_status lode__check_arm(lode_vec3 v, const char *function, const char *argument);
/* A rotation of what is on a body, normalised where more than rounding is missing: one that was
 * told can be given again, to the bit. */
lode_status lode__check_local_quat(lode_quat *q, const char *function, const char *argument);

/* The same of one that is to be of unit length as it is given, within a thousandth. */
lode_status lode__check_unit(lode_quat *q, const char *function, const char *argument);

lode_status lode__check_local_pose(lode_pose *pose, const char *function, const char *argument);
lode_status lode__check_quat(lode_quat *q, const char *function, const char *argument);

/* Zeros a definition that a caller wants filled. False after a report: it is not there, or not of
 * the size that `abi` and this library have it in. */
bool lode__check_init(void *out_def, size_t size, size_t ours, uint32_t abi, const char *function);

/* Room for up to `capacity` elements at `out`. */
lode_status lode__check_capacity(const void *out, int capacity, const char *function,
                                 const char *argument);

static inline bool is_above(lode_real x, lode_real bound)
{
    return x > bound && r_finite(x);
}
static inline bool is_at_least(lode_real x, lode_real bound)
{
    return x >= bound && r_finite(x);
}
static inline bool is_within(lode_real x, lode_real lo, lode_real hi)
{
    return x >= lo && x <= hi;
}

#endif
