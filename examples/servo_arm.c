/* servo_arm.c: a robot's arm with three servos lifts a weight along a given path.
 *
 * Before each step a servo is told where the path will be at its end; being infinitely quick it is
 * there by then, as far as f_max, the torque that it has, suffices. The direct solver lets nothing
 * slip, whatever hangs on what. The program fails when the arm leaves its path, or when at the end
 * its servos do not tell the torques that statics asks for. */
#include <lode/lode.h>

#include <math.h>
#include <stdio.h>

#define STEP ((lode_real)1 / 240) /* s */
#define GRAVITY 9.81              /* m/s^2 */
#define LINK 0.5                  /* length of each, m */
#define MASS 4.0                  /* of each, kg */
#define PAYLOAD 5.0               /* at the last one's end, kg */
#define STRENGTH ((lode_real)400) /* of each servo, N m */
#define MOVE 2.0                  /* how long the way takes, s */

enum { LINKS = 3 };

typedef struct arm {
    lode_body links[LINKS];
    lode_joint servos[LINKS];
} arm;

static int failures;

static void check(bool good, const char *what)
{
    if (!good)
        fprintf(stderr, "servo_arm: %s\n", what);
    failures += !good;
}

static lode_body make_box(lode_world world, double x, double half_length, double mass)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = (lode_vec3){(lode_real)x, 0, 0};
    lode_body body = lode_body_create(world, &def);
    lode_shape_def shape = lode_shape_def_default();
    const lode_vec3 half = {(lode_real)half_length, (lode_real)0.04, (lode_real)0.04};
    shape.density = (lode_real)(mass / (8 * half_length * 0.04 * 0.04));
    shape.mask = 0; /* nothing here touches */
    lode_shape_create_box(body, &shape, half);
    return body;
}

/* Stretched out along x; all turn about y. */
static arm make_arm(lode_world world)
{
    arm a;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    for (int i = 0; i < LINKS; ++i) {
        a.links[i] = make_box(world, (i + 0.5) * LINK, LINK / 2, MASS);
        def.body_a = a.links[i];
        def.body_b = i > 0 ? a.links[i - 1] : (lode_body){0};
        def.axis[0].f_max = STRENGTH;
        def.axis[0].servo = (lode_real)INFINITY;
        def.axis[0].vel = (lode_real)INFINITY;
        lode_joint_def_anchor_world(&def, (lode_vec3){(lode_real)(i * LINK), 0, 0},
                                    (lode_vec3){0, 1, 0});
        a.servos[i] = lode_joint_create(world, &def);
    }
    lode_joint_def grip = lode_joint_def_default(LODE_JOINT_FIXED);
    grip.body_a = make_box(world, LINKS * LINK, 0.04, PAYLOAD);
    grip.body_b = a.links[LINKS - 1];
    lode_joint_def_anchor_world(&grip, (lode_vec3){(lode_real)(LINKS * LINK), 0, 0},
                                (lode_vec3){0, 1, 0});
    lode_joint_create(world, &grip);
    return a;
}

/* Angle of a servo at a time: from stretched out to folded upwards, speeding up and slowing down
 * gently. About y a negative angle lifts. */
static double path(int servo, double time)
{
    static const double ends[LINKS] = {-1.2, 1.9, -0.8};
    double s = fmin(time / MOVE, 1);
    return ends[servo] * s * s * s * (10 - 15 * s + 6 * s * s);
}

/* What a servo must hold against gravity: of all that hangs beyond it. */
static double static_torque(const arm *a, int servo)
{
    double sum = 0, from = (double)lode_joint_get_anchor_a(a->servos[servo]).x;
    for (int i = servo; i < LINKS; ++i)
        sum += MASS * GRAVITY * ((double)lode_body_get_pose(a->links[i]).position.x - from);
    lode_vec3 tip = lode_body_point_to_world(a->links[LINKS - 1], (lode_vec3){LINK / 2, 0, 0});
    return sum + PAYLOAD * GRAVITY * ((double)tip.x - from);
}

int main(void)
{
    lode_world_def world_def = lode_world_def_default();
    world_def.solver = LODE_SOLVER_DIRECT;
    world_def.gravity = (lode_vec3){0, 0, (lode_real)-GRAVITY};
    lode_world world = lode_world_create(&world_def);
    arm a = make_arm(world);

    double worst = 0;
    for (int step = 0; step < 3 * 240; ++step) {
        double next = (step + 1) * (double)STEP;
        for (int i = 0; i < LINKS; ++i)
            lode_joint_set_target(a.servos[i], 0, (lode_real)path(i, next));
        if (lode_world_step(world, STEP) != LODE_OK)
            return 1;
        for (int i = 0; i < LINKS; ++i)
            worst = fmax(worst,
                         fabs((double)lode_joint_get_position(a.servos[i], 0) - path(i, next)));
        if (step % 120 == 0)
            printf("%.1f s: angles %6.3f %6.3f %6.3f rad\n", next,
                   (double)lode_joint_get_position(a.servos[0], 0),
                   (double)lode_joint_get_position(a.servos[1], 0),
                   (double)lode_joint_get_position(a.servos[2], 0));
    }
    printf("off the path by up to %.5f rad\n", worst);
    check(worst < 0.0001, "leaves its path");
    for (int i = 0; i < LINKS; ++i) {
        double torque = fabs((double)lode_joint_get_motor_force(a.servos[i], 0));
        double wanted = fabs(static_torque(&a, i));
        printf("servo %d holds %6.2f N m, statics asks for %6.2f\n", i, torque, wanted);
        check(fabs(torque - wanted) < 0.01 * (1 + wanted), "a servo tells another torque");
    }
    lode_world_destroy(world);
    return failures > 0;
}
