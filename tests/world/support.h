/* support.h: what the tests of worlds share: a recorder of error reports, and a small scene. */
#ifndef LODE_TESTS_WORLD_SUPPORT_H
#define LODE_TESTS_WORLD_SUPPORT_H

#include "lode/lode.h"
#include "tests/support/test.h"

/* The reports since the last report_clear(). The strings are those of the last one. */
typedef struct test_report {
    int count;
    lode_status status;
    char function[64], argument[64], message[400];
} test_report;

extern test_report report;

/* Makes the recorder the error hook; the counter starts at zero. */
void report_install(void);
void report_clear(void);

/* Fails the test at `line` of `file` unless there was exactly one report, and it said this. */
void report_expect(lode_status status, const char *function, const char *argument, const char *file,
                   int line);
#define EXPECT_REPORT(status, function, argument) \
    report_expect(status, function, argument, __FILE__, __LINE__)

/* Fails the test unless the call returns this status and its one report names this argument. */
#define EXPECT_REFUSED(status, argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), status); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)

/* A world with a static ground (a plane and a box), a ball and a crate of two shapes with its
 * centre of mass off its origin, joined by a ball joint, and a rod joined to the world. All have
 * been stepped until the ball touches the ground. */
typedef struct scene {
    lode_world world;
    lode_body ground, ball, crate, rod;
    lode_shape plane, slab, sphere, box, lump, bar;
    lode_joint link, hook;
} scene;

scene scene_create(const lode_world_def *def); /* null: the defaults */
void scene_step(const scene *s, int steps);

lode_body add_body(lode_world world, lode_body_type type, lode_real x, lode_real y, lode_real z);
lode_body add_ball(lode_world world, lode_real x, lode_real y, lode_real z, lode_real radius);
lode_body add_ground(lode_world world);

bool near(double a, double b, double tolerance);
bool near_vec(lode_vec3 a, lode_vec3 b, double tolerance);

static inline lode_vec3 vec(lode_real x, lode_real y, lode_real z)
{
    return (lode_vec3){x, y, z};
}

#define STEP ((lode_real)1 / 64)

#endif
