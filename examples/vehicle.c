/* vehicle.c: a car on four wheel joints drives off, and corners at 40 m/s.
 *
 * A wheel joint has three axes: suspension, turn about the axle, steering. The suspension is a
 * spring between equal stops, the drive a motor on the rear axles, and the steering a motor on the
 * front ones whose speed leads it to the angle that is asked for. The program fails when the car
 * does not do as cars do. */
#include <lode/lode.h>

#include <math.h>
#include <stdio.h>

#define STEP ((lode_real)1 / 60)     /* s */
#define WHEELBASE ((lode_real)2.6)   /* m */
#define TRACK ((lode_real)1.6)       /* m */
#define RADIUS ((lode_real)0.35)     /* of the wheels, m */
#define STIFFNESS ((lode_real)40000) /* of one suspension, N/m */
#define DAMPING ((lode_real)2500)    /* N s/m */
#define SPEED ((lode_real)40)        /* m/s */

enum { SUSPENSION, AXLE, STEERING };
enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };

typedef struct car {
    lode_body chassis, wheels[WHEELS];
    lode_joint joints[WHEELS];
} car;

static int failures;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr, "vehicle: %s\n", what);
    failures += !good;
}

/* Drives along x, with z up: the axle along y is x of the joint's frame, and y of it is up. */
static void add_wheel(lode_world world, car *c, int i)
{
    lode_vec3 at = {i < REAR_LEFT ? WHEELBASE / 2 : -WHEELBASE / 2, i % 2 ? -TRACK / 2 : TRACK / 2,
                    RADIUS};
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = at;
    c->wheels[i] = lode_body_create(world, &body_def);
    lode_shape_def shape_def = lode_shape_def_default();
    shape_def.density = 110; /* 20 kg */
    shape_def.friction = 1;
    lode_shape_create_sphere(c->wheels[i], &shape_def, RADIUS);

    lode_joint_def def = lode_joint_def_default(LODE_JOINT_WHEEL);
    def.body_a = c->wheels[i];
    def.body_b = c->chassis;
    lode_joint_def_frame_world(&def, (lode_pose){at, {0.5, 0.5, 0.5, 0.5}});
    def.axis[SUSPENSION].lo_stop = def.axis[SUSPENSION].hi_stop = 0;
    lode_joint_axis_set_spring(&def.axis[SUSPENSION], STIFFNESS, DAMPING, STEP);
    if (i < REAR_LEFT)
        def.axis[STEERING].f_max = 3000;
    else
        def.axis[STEERING].lo_stop = def.axis[STEERING].hi_stop = 0;
    c->joints[i] = lode_joint_create(world, &def);
}

static car make_car(lode_world world)
{
    car c;
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = (lode_vec3){0, 0, (lode_real)0.7};
    c.chassis = lode_body_create(world, &body_def);
    lode_shape_def shape_def = lode_shape_def_default();
    shape_def.density = 220; /* 1,000 kg */
    lode_shape_create_box(c.chassis, &shape_def, (lode_vec3){2, (lode_real)0.7, (lode_real)0.2});
    for (int i = 0; i < WHEELS; ++i)
        add_wheel(world, &c, i);
    return c;
}

/* For a path of such a curvature, 1/m. The inner wheel turns more than the outer one, so that all
 * roll about one point (Ackermann); a motor with all the speed that a step can use holds them. */
static void steer(const car *c, lode_real curvature)
{
    for (int i = FRONT_LEFT; i <= FRONT_RIGHT; ++i) {
        lode_real side = i == FRONT_LEFT ? TRACK / 2 : -TRACK / 2;
        lode_real angle = (lode_real)atan(WHEELBASE * curvature / (1 - side * curvature));
        lode_real ahead = angle - lode_joint_get_position(c->joints[i], STEERING);
        lode_joint_set_motor(c->joints[i], STEERING, ahead / STEP, 3000);
    }
}

/* The same torque on both rear wheels, which leaves them free to turn at different speeds: a motor
 * that never gets to its own. */
static void drive(const car *c, lode_real speed)
{
    lode_vec3 nose = lode_body_vector_to_world(c->chassis, (lode_vec3){1, 0, 0});
    lode_vec3 v = lode_body_get_linear_velocity(c->chassis);
    double short_of = (double)(speed - (nose.x * v.x + nose.y * v.y + nose.z * v.z));
    lode_real torque = (lode_real)fmin(fmax(1000 * short_of, 0), 400);
    for (int i = REAR_LEFT; i <= REAR_RIGHT; ++i)
        lode_joint_set_motor(c->joints[i], AXLE, 2 * SPEED / RADIUS, torque);
}

static double length(lode_vec3 v)
{
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

/* The axle against the chassis' side, as far as no steering turned it, in degrees. */
static double worst_tilt(const car *c)
{
    double worst = 0;
    lode_vec3 up = lode_body_vector_to_world(c->chassis, (lode_vec3){0, 0, 1});
    for (int i = 0; i < WHEELS; ++i) {
        lode_vec3 axle = lode_joint_get_axis_world(c->joints[i], AXLE);
        double sine = (double)(axle.x * up.x + axle.y * up.y + axle.z * up.z) / length(axle);
        worst = fmax(worst, fabs(asin(sine)) * 57.29578);
    }
    return worst;
}

int main(void)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.friction_model = LODE_FRICTION_CONE; /* tyres hold alike in all directions */
    lode_world world = lode_world_create(&world_def);
    lode_body_def ground_def = lode_body_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    shape_def.friction = 1;
    lode_body ground = lode_body_create(world, &ground_def);
    lode_shape_create_plane(ground, &shape_def, (lode_vec3){0, 0, 1}, 0);
    car c = make_car(world);

    const lode_real turning_radius = 300; /* 0.54 g at 40 m/s */
    double tilt = 0, turn = 0, heading = 0, last = 0;
    for (int frame = 0; frame < 35 * 60; ++frame) {
        drive(&c, SPEED);
        /* first straight on, as a driver keeps it */
        steer(&c, frame < 25 * 60 ? (lode_real)(-0.02 * heading) : 1 / turning_radius);
        if (lode_world_step(world, STEP) != LODE_OK)
            return 1;
        tilt = fmax(tilt, worst_tilt(&c));
        lode_vec3 nose = lode_body_vector_to_world(c.chassis, (lode_vec3){1, 0, 0});
        heading = atan2((double)nose.y, (double)nose.x);
        if (frame >= 30 * 60)
            turn += remainder(heading - last, 6.28318530717958648);
        last = heading;
        if (frame % (5 * 60) == 0)
            printf("%4.1f s: %5.1f m/s, heading %6.1f degrees\n", frame / 60.0,
                   length(lode_body_get_linear_velocity(c.chassis)), heading * 57.29578);
    }
    double speed = length(lode_body_get_linear_velocity(c.chassis)), radius = speed * 5 / turn;
    printf("cornering at %.1f m/s on a radius of %.0f m; axles tilt by up to %.2f degrees\n", speed,
           radius, tilt);
    check(speed > 38 && speed < 41, "is not as fast as its wheels");
    check(fabs(radius / (double)turning_radius - 1) < 0.15, "corners on another radius");
    check(tilt < 0.5, "an axle bends");
    lode_world_destroy(world);
    return failures > 0;
}
