/* pile.c: see pile.h. */
#include "tests/fidelity/pile.h"

pile pile_create(lode_solver solver, lab_material floor)
{
    pile p = {.world = lab_world(solver)};
    lab_floor(p.world, floor);
    return p;
}

pile pile_create_default(lab_material floor)
{
    pile p = pile_create(lode_world_def_default().solver, floor);
    lode_world_set_sub_steps(p.world, lode_world_def_default().sub_steps);
    return p;
}

lode_body pile_put(pile *p, lab_material material, double x, double y, double z, lode_vec3 half)
{
    assert_true(p->count < PILE_MOST);
    lode_body box = lab_box(p->world, material, lab_vec3(x, y, z), half);
    p->boxes[p->count] = box;
    p->start[p->count++] = lab_center(box);
    return box;
}

lode_body pile_put_cube(pile *p, lab_material material, double x, double y, double z)
{
    return pile_put(p, material, x, y, z, lab_vec3(0.5, 0.5, 0.5));
}

void pile_put_pyramid(pile *p, lab_material material, int base, double pitch)
{
    for (int level = 0; level < base; ++level)
        for (int i = 0; i < base - level; ++i)
            pile_put_cube(p, material, pitch * (i + 0.5 * level), 0, 0.5 + level);
}

void pile_mark(pile *p)
{
    for (int i = 0; i < p->count; ++i)
        p->start[i] = lab_center(p->boxes[i]);
}

/* The larger one; a NaN stays. */
static double most_of(double most, double value)
{
    return value <= most || isnan(most) ? most : value;
}

double pile_farthest(const pile *p)
{
    double most = 0;
    for (int i = 0; i < p->count; ++i)
        most = most_of(most, lab_length(lab_sub(lab_center(p->boxes[i]), p->start[i])));
    return most;
}

double pile_fastest(const pile *p)
{
    double most = 0;
    for (int i = 0; i < p->count; ++i)
        most = most_of(most, lab_length(lab_velocity(p->boxes[i])));
    return most;
}

void pile_expect_rest(pile *p, double moved, double speed)
{
    LAB_AT_MOST(pile_farthest(p), moved);
    LAB_AT_MOST(pile_fastest(p), speed);
    lode_world_destroy(p->world);
}
