/* test_geom_bounds.c: when spaces of the ODE face ask for the bounds of a geom, told by a class of
 * the program's own that counts; and what geoms keep for the program. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

static int asked;
static dReal half = 1;

static void bound(dGeomID geom, dReal bounds[6])
{
    const dReal *p = dGeomGetPosition(geom);
    ++asked;
    for (int i = 0; i < 3; ++i) {
        bounds[2 * i] = p[i] - half;
        bounds[2 * i + 1] = p[i] + half;
    }
}

static dColliderFn *no_collider(int number)
{
    (void)number;
    return NULL;
}

static dGeomID make(dSpaceID space)
{
    const dGeomClass counts = {.collider = no_collider, .aabb = bound};
    dGeomID geom = dCreateGeom(dCreateGeomClass(&counts));
    assert_non_null(geom);
    dSpaceAdd(space, geom);
    return geom;
}

static void never(void *data, dGeomID a, dGeomID b)
{
    (void)data, (void)a, (void)b;
    fail_msg("nothing is near");
}

static void cleaning_asks_of_what_has_moved(void **state)
{
    (void)state;
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID geom = make(space);
    dSpaceClean(space);
    asked = 0;
    dSpaceClean(space); /* nothing has moved */
    assert_int_equal(asked, 0);
    dGeomSetPosition(geom, 5, 0, 0);
    assert_int_equal(asked, 0); /* not yet */
    dSpaceClean(space);
    assert_int_equal(asked, 1);
    dSpaceCollide(space, NULL, never);
    assert_int_equal(asked, 1);
    dSpaceDestroy(space);
}

/* What changes a geom behind the library's back. */
static void a_geom_that_is_said_to_have_moved_is_asked(void **state)
{
    (void)state;
    dSpaceID space = dHashSpaceCreate(NULL);
    dGeomID geom = make(space);
    dReal bounds[6];
    half = 1;
    dGeomGetAABB((dGeomID)space, bounds);
    assert_true(bounds[1] == 1);
    half = 3;
    dGeomGetAABB((dGeomID)space, bounds);
    assert_true(bounds[1] == 1); /* nobody has said so */
    dGeomMoved(geom);
    dGeomGetAABB((dGeomID)space, bounds);
    assert_true(bounds[0] == -3 && bounds[1] == 3);
    half = 1;
    dSpaceDestroy(space);
}

static void geoms_keep_what_is_the_programs(void **state)
{
    (void)state;
    int mine;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dGeomID first = dCreateSphere(NULL, 1), second = dCreateSphere(NULL, 1);
    assert_null(dGeomGetData(first));
    dGeomSetData(first, &mine);
    assert_ptr_equal(dGeomGetData(first), &mine);
    assert_null(dGeomGetData(second));
    assert_null(dGeomGetBody(first));
    dGeomSetBody(first, body);
    dGeomSetBody(second, body);
    assert_ptr_equal(dGeomGetBody(first), body);
    assert_ptr_equal(dBodyGetFirstGeom(body), second); /* the newest */
    assert_ptr_equal(dBodyGetNextGeom(second), first);
    assert_ptr_equal(dGeomGetBodyNext(second), first);
    assert_null(dBodyGetNextGeom(first));
    assert_null(dGeomGetBodyNext(first));
    dGeomDestroy(first);
    dGeomDestroy(second);
    dWorldDestroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(cleaning_asks_of_what_has_moved),
        HEARING(a_geom_that_is_said_to_have_moved_is_asked),
        HEARING(geoms_keep_what_is_the_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
