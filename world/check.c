/* check.c: see check.h. */
#include "world/check.h"

#include <string.h>

lode_status lode__check_quat(lode_quat *q, const char *function, const char *argument)
{
    bool finite = r_finite(q->w) && r_finite(q->x) && r_finite(q->y) && r_finite(q->z);
    bool zero = q->w == 0 && q->x == 0 && q->y == 0 && q->z == 0;
    if (!finite || zero)
        return lode__error(LODE_ERROR_ARGUMENT, function, argument,
                           finite ? "must not be zero" : "must be finite");
    *q = q_normalize(*q);
    return LODE_OK;
}

static bool is_unit(lode_quat q)
{
    return r_abs(q_dot(q, q) - 1) <= 8 * REAL_EPSILON;
}

lode_status lode__check_local_quat(lode_quat *q, const char *function, const char *argument)
{
    return is_unit(*q) ? LODE_OK : lode__check_quat(q, function, argument);
}

lode_status lode__check_pose(lode_pose *pose, const char *function, const char *argument)
{
    lode_status status = lode__check_vec3(pose->position, function, argument);
    return status ? status : lode__check_quat(&pose->rotation, function, argument);
}

lode_status lode__check_arm(lode_vec3 v, const char *function, const char *argument)
{
    return lode__check(r_finite(v3_dot(v, v)), function, argument,
                       v3_finite(v) ? "is too far from the body to be turned with it"
                                    : "must be finite");
}

lode_status lode__check_unit(lode_quat *q, const char *function, const char *argument)
{
    lode_real square = q_dot(*q, *q);
    if (!(square > (lode_real)0.998 && square < (lode_real)1.002))
        return lode__error(LODE_ERROR_ARGUMENT, function, argument,
                           "its rotation must be of unit length");
    return lode__check_local_quat(q, function, argument);
}

lode_status lode__check_local_pose(lode_pose *pose, const char *function, const char *argument)
{
    lode_status status = lode__check_arm(pose->position, function, argument);
    return status ? status : lode__check_local_quat(&pose->rotation, function, argument);
}

lode_status lode__check_capacity(const void *out, int capacity, const char *function,
                                 const char *argument)
{
    if (capacity < 0)
        return lode__error(LODE_ERROR_ARGUMENT, function, "capacity", "must be at least 0");
    return lode__check(out || capacity == 0, function, argument, "must not be null");
}

static const char *abi_message(uint32_t abi)
{
    if (abi == (LODE_ABI ^ 0x00170000u)) /* 'S' against 'D' in the third byte */
        return sizeof(lode_real) == sizeof(float)
                   ? "the program was compiled with LODE_DOUBLE, but this is liblode, the single "
                     "precision library; link liblode-double"
                   : "the program was compiled without LODE_DOUBLE, but this is liblode-double; "
                     "link liblode or define LODE_DOUBLE";
    return "the program was compiled with the headers of another version of this library";
}

bool lode__check_init(void *out_def, size_t size, size_t ours, uint32_t abi, const char *function)
{
    if (lode__check_not_null(out_def, function, "out_def"))
        return false;
    memset(out_def, 0, size);
    if (abi == LODE_ABI && size == ours)
        return true;
    lode__error(LODE_ERROR_ABI, function, abi != LODE_ABI ? "abi" : "size", abi_message(abi));
    return false;
}
