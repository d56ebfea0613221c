/* mesh.c: definitions of meshes; what is made of them is in collide/mesh_build.c. */
#include "lode/mesh.h"

#include "world/check.h"

#include <string.h>

void lode_mesh_def_init(void *out_def, size_t size, uint32_t abi)
{
    lode_mesh_def def = {.abi = LODE_ABI, .double_vertices = sizeof(lode_real) == sizeof(double)};
    if (lode__check_init(out_def, size, sizeof def, abi, __func__))
        memcpy(out_def, &def, sizeof def);
}
