/* materials.c: blocks of three materials on a sloping board, by a table from a file.
 *
 *     materials FILE */
#include <lode/lode.h>
#include <lode_io/materials.h>

#include <math.h>
#include <stdio.h>

enum { ICE, RUBBER, RUNNER, BLOCKS };

static const char *const names[BLOCKS] = {"ice", "rubber", "runner"};

/* Gravity of a slope of 20 degrees, as the board sees it: it falls along x. */
static lode_vec3 downhill(void)
{
    const double angle = 20 * 3.14159265358979 / 180;
    return (lode_vec3){(lode_real)(9.81 * sin(angle)), 0, (lode_real)(-9.81 * cos(angle))};
}

int main(int argc, char **argv)
{
    lode_world_def world_def = lode_world_def_default();
    lode_body_def body_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body blocks[BLOCKS];
    double way[BLOCKS];

    world_def.gravity = downhill();
    lode_world world = lode_world_create(&world_def);
    if (argc < 2 || lode_io_load_materials(world, argv[1]) != LODE_OK) {
        printf("no table of materials\n");
        return 1;
    }
    lode_body ground = lode_body_create(world, &body_def);
    lode_shape board = lode_shape_create_plane(ground, &shape_def, (lode_vec3){0, 0, 1}, 0);
    lode_shape_set_material(board, "board");

    body_def.type = LODE_DYNAMIC;
    for (int i = 0; i < BLOCKS; ++i) {
        body_def.position = (lode_vec3){0, 2 * (lode_real)i, (lode_real)0.25};
        blocks[i] = lode_body_create(world, &body_def);
        lode_shape block = lode_shape_create_box(
            blocks[i], &shape_def, (lode_vec3){(lode_real)0.5, (lode_real)0.5, (lode_real)0.25});
        lode_shape_set_material(block, names[i]);
    }
    for (int frame = 0; frame < 120; ++frame)
        if (lode_world_step(world, (lode_real)1 / 60) != LODE_OK)
            return 1;
    for (int i = 0; i < BLOCKS; ++i) {
        way[i] = (double)lode_body_get_pose(blocks[i]).position.x;
        printf("%-6s slid %.2f m\n", names[i], way[i]);
    }
    lode_world_destroy(world);
    /* x = (sin - mu cos) g t^2 / 2; the runner has its mean of 0.01 and 0.5 along x */
    return !(fabs(way[ICE] - 5.79) < 0.1 && fabs(way[RUBBER]) < 0.01 &&
             fabs(way[RUNNER] - 5.41) < 0.15);
}
