/* range.h: a shooting range for the tests of continuous bodies: bullets of all shapes, and thin
 * targets of all kinds.
 *
 * LODE_SHOTS in the environment sets how many shots are fired at each target with each shape,
 * LODE_FIRST the number of the first, LODE_BULLET and LODE_TARGET name the one shape to shoot with
 * and the one target; `make shots` fires 10,000 of each. */
#ifndef LODE_TESTS_WORLD_RANGE_H
#define LODE_TESTS_WORLD_RANGE_H

#include "tests/support/random.h"
#include "tests/world/support.h"

typedef enum bullet {
    BALL,
    BRICK,
    PILL,
    DRUM,
    STONE,
    ROD,
    DISC,
    DUMBBELL,
    BLOCK, /* closed mesh of twelve triangles */
    STAR,  /* pleated closed mesh */
    RING,  /* closed mesh with a hole where its centre is */
    VANE,  /* mesh of both sides that encloses nothing */
    BULLETS
} bullet;

/* All lie in the plane z = 0 and are 40 m wide. */
typedef enum target {
    FOIL,          /* static box, 0.1 mm thick */
    PLATE,         /* static box, 1 cm thick */
    SHEET,         /* mesh of one side, triangles of 1 m */
    WEB,           /* mesh of both sides, triangles of 20 m */
    FIELD,         /* height field, samples every 2 m */
    HALF_SPACE,    /* plane */
    FLYING_FOIL,   /* kinematic box, 0.1 mm, towards the bullet at up to 1 km/s */
    TURNING_WEB,   /* kinematic mesh of both sides that turns about z and moves */
    LOOSE_PLATE,   /* dynamic box, 1 cm thick, a thousand times heavier */
    FLYING_FIELD,  /* kinematic height field that moves */
    SWINGING_FOIL, /* kinematic box, 0.1 mm, that turns about any axis and moves */
    TARGETS,
    BULLET = TARGETS /* other bullets; only a name */
} target;

extern const char *const bullet_names[BULLETS];
extern const char *const target_names[TARGETS + 1];
extern lode_mesh *range_sheet; /* what SHEET is made of */

static const lode_real frame_time = (lode_real)1 / 60;

/* The geometry that bullets and targets share, before the first and after the last of them. */
void range_open(void);
void range_close(void);

bool bullet_is_mesh(bullet kind);
lode_body add_bullet(lode_world world, bullet kind, lode_pose pose, lode_vec3 velocity,
                     lode_vec3 spin);
lode_body add_target(lode_world world, target kind, test_random *random);

/* How far the bullet's centre is in front of the target; NaN when it has left its footprint. */
double height_over(lode_body bullet, lode_body at);

/* How far the lowest of the places of a bullet that must not pass is in front of the target, on the
 * side that `side` tells: the middle and, of long and flat ones, their ends. */
double lowest_over(bullet kind, lode_body bullet, lode_body at, double side);

/* As many shots as the environment asks for, at least so many; and the number of the first. */
int shots(int least);
int first_shot(void);
bool wants_bullet(int kind);
bool wants_target(int kind);

double number(test_random *random, double lo, double hi);
lode_vec3 any_direction(test_random *random);
lode_vec3 times(lode_vec3 v, double s);
double length_of(lode_vec3 v);

#endif
