/* test_shortage.c: the library's own memory runs short now and then: each call that could not be
 * done says so, and done again it does what it would have done. */
#include <ode/ode.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdbool.h>
#include <string.h>

static int told;

static void hear(int number, const char *text, va_list ap)
{
    (void)number, (void)text, (void)ap;
    ++told;
}

static int set_up(void **state)
{
    (void)state;
    alloc_fail_nth(-1);
    dSetDebugHandler(hear);
    dSetMessageHandler(hear);
    told = 0;
    return dInitODE2(0) ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    dCloseODE();
    dSetDebugHandler(NULL);
    dSetMessageHandler(NULL);
    return 0;
}

/* --- steps */

enum { BALLS = 9, CONTACTS = 4 };

typedef struct heap {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID ball[BALLS];
} heap;

static void make_heap(heap *h)
{
    dMass mass;
    dMassSetSphere(&mass, 1, (dReal)0.5);
    h->world = dWorldCreate();
    h->space = dHashSpaceCreate(NULL);
    h->contacts = dJointGroupCreate(0);
    dWorldSetGravity(h->world, 0, 0, -10);
    dWorldSetAutoDisableFlag(h->world, 1); /* one or another in the course of the test */
    dWorldSetAutoDisableLinearThreshold(h->world, (dReal)0.15);
    dWorldSetAutoDisableAngularThreshold(h->world, 2);
    dWorldSetAutoDisableTime(h->world, 0);
    dWorldSetAutoDisableSteps(h->world, 4);
    dCreatePlane(h->space, 0, 0, 1, 0);
    for (int i = 0; i < BALLS; ++i) {
        h->ball[i] = dBodyCreate(h->world);
        dBodySetMass(h->ball[i], &mass);
        dBodySetPosition(h->ball[i], (dReal)(0.9 * (i % 3)), (dReal)(0.1 * i),
                         (dReal)(0.5 + 0.9 * (i / 3)));
        dGeomID geom = dCreateSphere(h->space, (dReal)0.5);
        dGeomSetBody(geom, h->ball[i]);
        if (i % 3 == 2) {
            dJointID joint = dJointCreateHinge(h->world, NULL);
            dJointAttach(joint, h->ball[i], h->ball[i - 1]);
            dJointSetHingeAnchor(joint, (dReal)1.3, (dReal)(0.1 * i), (dReal)(0.5 + 0.9 * (i / 3)));
            dJointSetHingeAxis(joint, 0, 1, 0);
        }
    }
}

static void end_heap(heap *h)
{
    dJointGroupDestroy(h->contacts);
    dSpaceDestroy(h->space);
    dWorldDestroy(h->world);
}

static void make_contacts(void *data, dGeomID a, dGeomID b)
{
    heap *h = data;
    dContactGeom found[CONTACTS];
    int count = dCollide(a, b, CONTACTS, found, sizeof *found);
    for (int i = 0; i < count; ++i) {
        dContact contact = {.surface = {.mu = 1}, .geom = found[i]};
        dJointAttach(dJointCreateContact(h->world, h->contacts, &contact), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void expect_same(const heap *a, const heap *b)
{
    for (int i = 0; i < BALLS; ++i) {
        assert_memory_equal(dBodyGetPosition(a->ball[i]), dBodyGetPosition(b->ball[i]),
                            3 * sizeof(dReal));
        assert_memory_equal(dBodyGetQuaternion(a->ball[i]), dBodyGetQuaternion(b->ball[i]),
                            4 * sizeof(dReal));
        assert_memory_equal(dBodyGetLinearVel(a->ball[i]), dBodyGetLinearVel(b->ball[i]),
                            3 * sizeof(dReal));
        assert_int_equal(dBodyIsEnabled(a->ball[i]), dBodyIsEnabled(b->ball[i]));
    }
}

static int step_fast(dWorldID world, dReal h)
{
    return dWorldStepFast1(world, h, 10);
}

/* A step that is tried again and again, as each of its allocations fails in turn, until it is made:
 * some it can do without. One that is not made says so. Returns how often it was not. */
static int step_short(const heap *h, int (*step)(dWorldID, dReal))
{
    bool done = false;
    int failed = 0;
    for (long n = 0; !done; ++n) {
        int before = told;
        alloc_fail_nth(n);
        done = step(h->world, (dReal)0.01);
        assert_true(done || (alloc_fail_happened() && told > before));
        alloc_fail_nth(-1);
        failed += !done;
    }
    return failed;
}

/* One of two equal heaps is short of memory in each step. */
static void a_step_tried_again_is_that_step(void **state)
{
    (void)state;
    static int (*const steppers[])(dWorldID, dReal) = {dWorldStep, dWorldQuickStep, step_fast};
    for (int s = 0; s < 3; ++s) {
        heap rich, poor;
        make_heap(&rich);
        make_heap(&poor);
        int failed = 0;
        for (int step = 0; step < 60; ++step) {
            dSpaceCollide(rich.space, &rich, make_contacts);
            dSpaceCollide(poor.space, &poor, make_contacts);
            assert_int_equal(steppers[s](rich.world, (dReal)0.01), 1);
            failed += step_short(&poor, steppers[s]);
            dJointGroupEmpty(rich.contacts);
            dJointGroupEmpty(poor.contacts);
            expect_same(&rich, &poor);
        }
        assert_true(failed > 2);
        end_heap(&rich);
        end_heap(&poor);
    }
}

/* --- spaces */

enum { GEOMS = 40 };

static void count_pair(void *data, dGeomID a, dGeomID b)
{
    (void)a, (void)b;
    ++*(int *)data;
}

static int count_all(dGeomID *geoms)
{
    int pairs = 0;
    for (int i = 0; i < GEOMS; ++i)
        for (int k = i + 1; k < GEOMS; ++k) {
            dReal a[6], b[6];
            bool apart = false;
            dGeomGetAABB(geoms[i], a);
            dGeomGetAABB(geoms[k], b);
            for (int x = 0; x < 3; ++x)
                apart = apart || a[2 * x] > b[2 * x + 1] || b[2 * x] > a[2 * x + 1];
            pairs += !apart;
        }
    return pairs;
}

/* Balls draw together, so that pairs become more and more. */
static void draw_together(dGeomID geom)
{
    if (dGeomGetClass(geom) == dSphereClass) {
        const dReal *p = dGeomGetPosition(geom);
        dGeomSetPosition(geom, p[0] * (dReal)0.8, p[1] * (dReal)0.8, p[2]);
    }
}

/* A walk that fails tells no pair; the next one tells all. */
static void a_walk_tried_again_knows_all_pairs(void **state)
{
    (void)state;
    test_random random = {3};
    int failed = 0;
    for (int round = 0; round < 60; ++round) {
        dSpaceID space = round % 2 ? dHashSpaceCreate(NULL) : dSimpleSpaceCreate(NULL);
        dGeomID geoms[GEOMS];
        for (int i = 0; i < GEOMS; ++i) {
            geoms[i] = i % 13 ? dCreateSphere(space, 1) : dCreatePlane(space, 0, 0, 1, 0);
            if (i % 13)
                dGeomSetPosition(geoms[i], (dReal)random_between(&random, -20, 20),
                                 (dReal)random_between(&random, -20, 20), (dReal)0.5);
        }
        for (int walk = 0; walk < 12; ++walk) {
            int pairs = 0, before = told;
            alloc_fail_nth(random_below(&random, 4));
            dSpaceCollide(space, &pairs, count_pair);
            bool short_of = alloc_fail_happened();
            alloc_fail_nth(-1);
            assert_true(short_of ? pairs == 0 || pairs == count_all(geoms)
                                 : pairs == count_all(geoms) && told == before);
            failed += told > before;
            pairs = 0;
            before = told;
            dSpaceCollide(space, &pairs, count_pair);
            assert_int_equal(pairs, count_all(geoms));
            assert_int_equal(told, before);
            for (int i = 0; i < GEOMS; ++i)
                draw_together(geoms[i]);
        }
        dSpaceDestroy(space);
    }
    assert_true(failed > 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_step_tried_again_is_that_step),
        TEST(a_walk_tried_again_knows_all_pairs),
    };
    alloc_fail_install(); /* to the end: after a test that fails something lives still */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
