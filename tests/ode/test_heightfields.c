/* test_heightfields.c: height fields of the ODE face: every form of samples is the same ground,
 * which lies around the geom with y upwards, repeats itself if it should, and goes with its
 * data. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WIDE = 6, DEEP = 4 };

#define NEAR (sizeof(dReal) == 8 ? 1e-9 : 1e-4)

/* Whole numbers, so that all forms can hold them; the last of a row is as the first, and so the
 * last row, for fields that repeat themselves. */
static int sample(int x, int z)
{
    return (3 * (x % (WIDE - 1)) + 5 * (z % (DEEP - 1)) + (x % (WIDE - 1)) * (z % (DEEP - 1))) % 7;
}

static dReal ask(void *user, int x, int z)
{
    ++*(int *)user;
    return (dReal)sample(x, z);
}

/* 10 m by 6 m, heights halved and 1 m up. */
#define AS_ALL 10, 6, WIDE, DEEP, (dReal)0.5, 1, 0

/* The height by the two triangles of a cell: cut from its corner at the next x to that at the next
 * z. */
static double height_at(double x, double z)
{
    double u = (x + 5) / 2, v = (z + 3) / 2;
    int i = (int)floor(u), k = (int)floor(v);
    u -= i;
    v -= k;
    i = (i % (WIDE - 1) + WIDE - 1) % (WIDE - 1);
    k = (k % (DEEP - 1) + DEEP - 1) % (DEEP - 1);
    double a = sample(i, k), b = sample(i + 1, k), c = sample(i, k + 1), d = sample(i + 1, k + 1);
    double h = u + v <= 1 ? a + u * (b - a) + v * (c - a)
                          : d + (1 - u) * (c - d) + (1 - v) * (b - d);
    return 0.5 * h + 1;
}

/* Rays from above meet the ground where it is, in the geom's frame. */
static void check_ground(dGeomID field, bool wrap)
{
    test_random random = {8};
    dGeomID ray = dCreateRay(NULL, 50);
    double reach = wrap ? 30 : 4.9;
    for (int i = 0; i < 200; ++i) {
        double x = random_between(&random, -reach, reach);
        double z = random_between(&random, -reach * 0.6, reach * 0.6);
        dVector3 from, down, at;
        dContactGeom hit;
        dGeomGetRelPointPos(field, (dReal)x, 20, (dReal)z, from);
        dGeomVectorToWorld(field, 0, -1, 0, down);
        dGeomRaySet(ray, from[0], from[1], from[2], down[0], down[1], down[2]);
        assert_int_equal(dCollide(ray, field, 1, &hit, sizeof hit), 1);
        dGeomGetPosRelPoint(field, hit.pos[0], hit.pos[1], hit.pos[2], at);
        assert_true(fabs(at[0] - x) < 10 * NEAR && fabs(at[2] - z) < 10 * NEAR);
        assert_true(fabs(at[1] - height_at(x, z)) < 10 * NEAR);
        assert_true(hit.normal[0] * down[0] + hit.normal[1] * down[1] + hit.normal[2] * down[2] <
                    0);
    }
    dGeomDestroy(ray);
}

/* Of one form of samples; bounds have nothing to say. */
#define CHECK_FORM(Form, samples, how) \
    do { \
        dHeightfieldDataID data = dGeomHeightfieldDataCreate(); \
        dGeomID field = dCreateHeightfield(NULL, data, 1); \
        dGeomSetPosition(field, 1, 2, 3); \
        dGeomSetQuaternion(field, tilted); \
        dGeomHeightfieldDataBuild##Form(data, samples, how, AS_ALL, wrap); \
        check_ground(field, wrap); \
        dGeomHeightfieldDataSetBounds(data, -10, 10); \
        check_ground(field, wrap); \
        dGeomDestroy(field); \
        dGeomHeightfieldDataDestroy(data); \
    } while (0)

static void all_forms_are_the_same_ground(void **state)
{
    (void)state;
    static unsigned char bytes[DEEP][WIDE];
    static short shorts[DEEP][WIDE];
    static float floats[DEEP][WIDE];
    static double doubles[DEEP][WIDE];
    const dQuaternion tilted = {(dReal)0.8, (dReal)0.2, (dReal)-0.4, (dReal)0.1};
    int asked = 0;
    for (int z = 0; z < DEEP; ++z)
        for (int x = 0; x < WIDE; ++x) {
            bytes[z][x] = (unsigned char)sample(x, z);
            shorts[z][x] = (short)sample(x, z);
            floats[z][x] = (float)sample(x, z);
            doubles[z][x] = sample(x, z);
        }
    for (int wrap = 0; wrap < 2; ++wrap) {
        CHECK_FORM(Byte, bytes[0], 1);
        CHECK_FORM(Short, shorts[0], 0);
        CHECK_FORM(Single, floats[0], 1);
        CHECK_FORM(Double, doubles[0], 0);
        CHECK_FORM(Callback, &asked, ask);
    }
    assert_int_equal(asked, WIDE * DEEP + (WIDE - 1) * (DEEP - 1));
}

static void fields_are_touched_and_end_with_their_data(void **state)
{
    (void)state;
    static const float level[4] = {0, 0, 0, 0};
    dHeightfieldDataID data = dGeomHeightfieldDataCreate(), other = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(data, level, 1, 4, 4, 2, 2, 1, 0, 2, 0);
    dGeomID field = dCreateHeightfield(NULL, data, 0), ball = dCreateSphere(NULL, 1);
    dGeomID box = dCreateBox(NULL, 1, 1, 1);
    dContactGeom contacts[8];
    assert_ptr_equal(dGeomHeightfieldGetHeightfieldData(field), data);
    dGeomSetPosition(ball, 1, (dReal)0.75, -1);
    assert_int_equal(dCollide(ball, field, 8, contacts, sizeof *contacts), 1);
    assert_true(fabs(contacts[0].depth - 0.25) < NEAR && fabs(contacts[0].normal[1] - 1) < NEAR);
    assert_true(contacts[0].side2 == 0 || contacts[0].side2 == 1);
    dGeomSetPosition(ball, 1, -1, -1); /* beneath, and within the thickness */
    assert_true(dCollide(field, ball, 8, contacts, sizeof *contacts) > 0);
    assert_true(contacts[0].normal[1] < 0);
    dGeomSetPosition(box, 0, (dReal)0.4, 0);
    assert_int_equal(dCollide(box, field, 8, contacts, sizeof *contacts), 4);
    for (int i = 0; i < 4; ++i)
        assert_true(fabs(contacts[i].depth - 0.1) < 10 * NEAR);
    dGeomSetPosition(ball, 5, 0, 0); /* beside */
    assert_int_equal(dCollide(ball, field, 8, contacts, sizeof *contacts), 0);
    EXPECT_REFUSAL(dGeomSetPosition(field, 1, 0, 0),
                   "dGeomSetPosition: geom has no place of its own");
    assert_int_equal(dCollide(field, field, 8, contacts, sizeof *contacts), 0);
    dGeomHeightfieldSetHeightfieldData(field, other);
    dGeomSetPosition(ball, 1, (dReal)0.75, -1);
    assert_int_equal(dCollide(ball, field, 8, contacts, sizeof *contacts),
                     0); /* nothing is there */
    EXPECT_REFUSAL_OF(dGeomHeightfieldDataBuildSingle(other, level, 1, 4, 4, 1, 2, 1, 0, 2, 0),
                      "dGeomHeightfieldDataBuildSingle: def.rows");
    EXPECT_REFUSAL(dGeomHeightfieldDataSetBounds(other, 1, 0),
                   "dGeomHeightfieldDataSetBounds: minHeight must not be above maxHeight");
    dGeomHeightfieldDataDestroy(other);
    assert_null(dGeomHeightfieldGetHeightfieldData(field));
    dGeomDestroy(field);
    dGeomDestroy(ball);
    dGeomDestroy(box);
    dGeomHeightfieldDataDestroy(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_forms_are_the_same_ground),
        TEST(fields_are_touched_and_end_with_their_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
