/* mesh_ray.c: rays through a mesh's tree for who has no kernels at hand; see mesh_ray_walk.h. */
#include "collide/kernels.h"

void lode__mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real length,
                    lode__part_hit_fn *hear, void *context)
{
    lode__collide_kernels_plain.mesh_ray(mesh, origin, direction, length, hear, context);
}
