/* character.c: a character on a spring: a capsule that is kept upright, walks, is pushed and rights
 * itself.
 *
 * A six-axis joint ties it to the world: its three ways are free, and so is its turn about the
 * vertical; the two turns that would tip it over have equal stops, which are a spring and a damper.
 * It walks by a force that seeks a speed. The program fails when it does not come where it should,
 * or lies down. */
#include <lode/lode.h>

#include <math.h>
#include <stdio.h>

#define STEP ((lode_real)1 / 60)    /* s */
#define MASS 80.0                   /* kg */
#define STRENGTH 600.0              /* of its legs, N */
#define WALK 1.5                    /* m/s */
#define STIFFNESS ((lode_real)1500) /* N m/rad */
#define DAMPING ((lode_real)250)    /* N m s/rad */

enum { AXIS_X, AXIS_Y, AXIS_Z, TURN_X, TURN_Y, TURN_Z };

static int failures;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr, "character: %s\n", what);
    failures += !good;
}

static lode_body make_character(lode_world world)
{
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = (lode_vec3){0, 0, (lode_real)0.9};
    lode_body body = lode_body_create(world, &body_def);
    lode_shape_def shape_def = lode_shape_def_default();
    shape_def.friction = 0; /* its legs push it, not the ground that it glides on */
    lode_shape_create_capsule(body, &shape_def, (lode_real)0.3, (lode_real)0.6);
    lode_mass mass = lode_mass_adjust(lode_body_get_mass(body), MASS);
    lode_body_set_mass(body, &mass);

    lode_joint_def def = lode_joint_def_default(LODE_JOINT_SIX_AXES);
    def.body_a = body;
    lode_joint_def_frame_world(&def, lode_body_get_pose(body));
    const int tipping[2] = {TURN_X, TURN_Y};
    for (int i = 0; i < 2; ++i) {
        lode_joint_axis *axis = &def.axis[tipping[i]];
        axis->lo_stop = axis->hi_stop = 0;
        lode_joint_axis_set_spring(axis, STIFFNESS, DAMPING, STEP);
    }
    lode_joint_create(world, &def);
    return body;
}

/* Pushes along the ground with what brings it to a velocity, as far as its legs are able to. */
static void walk(lode_body body, double vx, double vy)
{
    lode_vec3 v = lode_body_get_linear_velocity(body);
    double fx = MASS * (vx - (double)v.x) / (double)STEP;
    double fy = MASS * (vy - (double)v.y) / (double)STEP;
    double size = sqrt(fx * fx + fy * fy), share = size > STRENGTH ? STRENGTH / size : 1;
    lode_body_add_force(body, (lode_vec3){(lode_real)(fx * share), (lode_real)(fy * share), 0});
}

/* From the vertical, in degrees. */
static double tilt_of(lode_body body)
{
    lode_vec3 up = lode_body_vector_to_world(body, (lode_vec3){0, 0, 1});
    return atan2(sqrt((double)(up.x * up.x + up.y * up.y)), (double)up.z) * 57.29578;
}

int main(void)
{
    lode_world_def world_def = lode_world_def_default();
    lode_world world = lode_world_create(&world_def);
    lode_body_def ground_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    lode_body ground = lode_body_create(world, &ground_def);
    lode_shape_create_plane(ground, &shape_def, (lode_vec3){0, 0, 1}, 0);
    lode_body body = make_character(world);

    double leans = 0;
    for (int frame = 0; frame < 480; ++frame) {
        bool walks = frame < 240;
        walk(body, walks ? WALK : 0, 0);
        if (frame == 300) /* a shove at the head, from the side */
            lode_body_add_impulse_at(
                body, (lode_vec3){0, 120, 0},
                lode_body_point_to_world(body, (lode_vec3){0, 0, (lode_real)0.7}));
        if (lode_world_step(world, STEP) != LODE_OK)
            return 1;
        leans = frame >= 300 ? fmax(leans, tilt_of(body)) : 0;
        if (frame % 60 == 0) {
            lode_vec3 at = lode_body_get_pose(body).position;
            printf("%.0f s: at %5.2f %5.2f %5.2f m, leans by %4.1f degrees\n", frame / 60.0,
                   (double)at.x, (double)at.y, (double)at.z, tilt_of(body));
        }
    }
    lode_vec3 at = lode_body_get_pose(body).position;
    printf("leant by up to %.1f degrees when shoved, by %.2f at the end\n", leans, tilt_of(body));
    check(fabs((double)at.x - 4 * WALK) < 0.3, "is not where it walked to");
    check(leans > 3 && leans < 60, "does not lean, or falls, when it is shoved");
    check(tilt_of(body) < 1, "does not stand upright at the end");
    check(fabs((double)at.z - 0.9) < 0.02, "does not stand on the ground");
    lode_world_destroy(world);
    return failures > 0;
}
