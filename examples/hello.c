/* hello.c: three boxes fall on the ground and come to rest on each other. */
#include <lode/lode.h>

#include <stdio.h>

int main(void)
{
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);

    lode_body_def body_def = lode_body_def_default(); /* static, at the origin */
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body ground = lode_body_create(world, &body_def);
    lode_shape_create_plane(ground, &shape_def, (lode_vec3){0, 0, 1}, 0);

    lode_body boxes[3];
    body_def.type = LODE_DYNAMIC;
    for (int i = 0; i < 3; ++i) {
        body_def.position = (lode_vec3){0, 0, 1 + 2 * (lode_real)i};
        boxes[i] = lode_body_create(world, &body_def);
        lode_shape_create_box(boxes[i], &shape_def, (lode_vec3){0.5, 0.5, 0.5});
    }

    for (int frame = 0; frame <= 120; ++frame) {
        if (frame % 20 == 0)
            printf("%.2f s: heights %.3f %.3f %.3f m\n", frame / 60.0,
                   lode_body_get_pose(boxes[0]).position.z,
                   lode_body_get_pose(boxes[1]).position.z,
                   lode_body_get_pose(boxes[2]).position.z);
        if (lode_world_step(world, (lode_real)1 / 60) != LODE_OK)
            return 1;
    }
    lode_world_destroy(world);
    return 0;
}
