/* test_handlers.c: who hears messages, errors and failed assertions of the ODE face, who gives its
 * memory, the begin and end of the library, and the names it exports beside ODE's interface. */
#include <ode/ode.h>

#include "tests/support/test.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- messages */

static jmp_buf back;
static int heard_number;
static char heard_text[100];

static void note(int number, const char *text, va_list ap)
{
    heard_number = number;
    vsnprintf(heard_text, sizeof heard_text, text, ap);
}

/* A handler of errors must not return. */
static void note_and_leave(int number, const char *text, va_list ap)
{
    note(number, text, ap);
    longjmp(back, 1);
}

static void other(int number, const char *text, va_list ap)
{
    (void)number, (void)text, (void)ap;
    fail_msg("nobody calls this");
}

static void messages_come_to_their_handler(void **state)
{
    (void)state;
    assert_null(dGetMessageHandler());
    dSetErrorHandler(other);
    dSetDebugHandler(other);
    dSetMessageHandler(note);
    assert_ptr_equal(dGetMessageHandler(), note);
    dMessage(7, "%d of %s", 3, "four");
    assert_int_equal(heard_number, 7);
    assert_string_equal(heard_text, "3 of four");
    dSetErrorHandler(NULL);
    dSetDebugHandler(NULL);
    dSetMessageHandler(NULL);
    assert_null(dGetMessageHandler());
}

static void errors_come_to_their_handler(void **state)
{
    (void)state;
    assert_null(dGetErrorHandler());
    dSetDebugHandler(other);
    dSetMessageHandler(other);
    dSetErrorHandler(note_and_leave);
    assert_ptr_equal(dGetErrorHandler(), note_and_leave);
    if (!setjmp(back)) {
        dError(8, "no %s", "disk");
        fail_msg("dError() returns");
    }
    assert_int_equal(heard_number, 8);
    assert_string_equal(heard_text, "no disk");
    dSetErrorHandler(NULL);
    dSetDebugHandler(NULL);
    dSetMessageHandler(NULL);
    assert_null(dGetErrorHandler());
}

static void failed_assertions_come_to_their_handler(void **state)
{
    (void)state;
    assert_null(dGetDebugHandler());
    dSetErrorHandler(other);
    dSetMessageHandler(other);
    dSetDebugHandler(note_and_leave);
    assert_ptr_equal(dGetDebugHandler(), note_and_leave);
    if (!setjmp(back)) {
        dDebug(9, "%c is wrong", 'x');
        fail_msg("dDebug() returns");
    }
    assert_int_equal(heard_number, 9);
    assert_string_equal(heard_text, "x is wrong");
    if (!setjmp(back)) {
        dBodyDestroy(NULL);
        fail_msg("a handler that leaves is called");
    }
    assert_int_equal(heard_number, d_ERR_UASSERT);
    assert_string_equal(heard_text, "dBodyDestroy: body must not be null");
    dSetErrorHandler(NULL);
    dSetMessageHandler(NULL);
    dSetDebugHandler(NULL);
    assert_null(dGetDebugHandler());
}

/* --- memory */

static size_t asked, had, freed;

static void *take(dsizeint size)
{
    asked = size;
    return malloc(size);
}

static void *resize(void *block, dsizeint size, dsizeint other_size)
{
    had = size;
    asked = other_size;
    return realloc(block, other_size);
}

static void give_back(void *block, dsizeint size)
{
    freed = size;
    free(block);
}

static void memory_comes_from_its_handlers(void **state)
{
    (void)state;
    assert_null(dGetAllocHandler());
    assert_null(dGetReallocHandler());
    assert_null(dGetFreeHandler());
    dSetAllocHandler(take);
    dSetReallocHandler(resize);
    dSetFreeHandler(give_back);
    assert_ptr_equal(dGetAllocHandler(), take);
    assert_ptr_equal(dGetReallocHandler(), resize);
    assert_ptr_equal(dGetFreeHandler(), give_back);
    char *block = dAlloc(10);
    assert_non_null(block);
    assert_int_equal(asked, 10);
    memcpy(block, "012345678", 10);
    block = dRealloc(block, 10, 2000);
    assert_true(had == 10 && asked == 2000);
    assert_string_equal(block, "012345678");
    dFree(block, 2000);
    assert_int_equal(freed, 2000);
    dFree(NULL, 1);
    assert_int_equal(freed, 2000); /* nothing to free */
    dSetAllocHandler(NULL);
    dSetReallocHandler(NULL);
    dSetFreeHandler(NULL);
    block = dAlloc(10);
    memcpy(block, "abcdefghi", 10);
    block = dRealloc(block, 10, 3000);
    assert_string_equal(block, "abcdefghi");
    dFree(block, 3000);
    assert_true(asked == 2000 && freed == 2000);
}

/* --- begin and end */

static dColliderFn *no_collider(int number)
{
    (void)number;
    return NULL;
}

static void no_bounds(dGeomID geom, dReal bounds[6])
{
    (void)geom;
    dInfiniteAABB(geom, bounds);
}

/* Classes of the program's are forgotten at the end: there are four, and again four. */
static void the_end_forgets_classes(void **state)
{
    (void)state;
    const dGeomClass mine = {.bytes = 4, .collider = no_collider, .aabb = no_bounds};
    for (int round = 0; round < 3; ++round) {
        dInitODE();
        for (int i = 0; i < dMaxUserClasses; ++i)
            assert_int_equal(dCreateGeomClass(&mine), dFirstUserClass + i);
        dCloseODE();
    }
}

/* What is refused below the ODE face is told, too. */
static void after_the_begin_all_refusals_are_heard(void **state)
{
    (void)state;
    static const dReal corners[3][4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const dTriIndex beyond[3] = {0, 1, 3};
    dInitODE();
    dSetDebugHandler(note);
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSimple(data, corners[0], 3, beyond, 3);
    assert_int_equal(heard_number, d_ERR_UASSERT);
    assert_non_null(strstr(heard_text, "dGeomTriMeshDataBuildSimple: def.indices"));
    dGeomTriMeshDataDestroy(data);
    dSetDebugHandler(NULL);
    dCloseODE();
}

static void threads_need_nothing_of_their_own(void **state)
{
    (void)state;
    dInitODE();
    assert_int_equal(dAllocateODEDataForThread(dAllocateMaskAll), 1);
    assert_int_equal(dAllocateODEDataForThread(dAllocateFlagBasicData), 1);
    dCleanupODEAllDataForThread();
    dWorldID w = dWorldCreate(); /* works on */
    assert_non_null(dBodyCreate(w));
    dWorldDestroy(w);
    dCloseODE();
}

/* --- beside the interface */

int Alignment(void);
int InitOpcode(void);
int CloseOpcode(void);
void SRand(unsigned seed);
unsigned Rand(void);
void dTestDataStructures(void);
void dTestSolveLCP(void);

static void names_that_no_header_has_may_be_called(void **state)
{
    (void)state;
    assert_int_equal(Alignment(), 16);
    assert_int_equal(InitOpcode(), 1);
    assert_int_equal(CloseOpcode(), 1);
    SRand(5);
    unsigned first = Rand(), second = Rand();
    assert_int_not_equal(first, second);
    SRand(5);
    assert_int_equal(Rand(), first);
    assert_int_equal(Rand(), second);
    dTestDataStructures();
    dTestSolveLCP();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_to_their_handler),
        cmocka_unit_test(errors_come_to_their_handler),
        cmocka_unit_test(failed_assertions_come_to_their_handler),
        cmocka_unit_test(memory_comes_from_its_handlers),
        cmocka_unit_test(the_end_forgets_classes),
        cmocka_unit_test(after_the_begin_all_refusals_are_heard),
        cmocka_unit_test(threads_need_nothing_of_their_own),
        cmocka_unit_test(names_that_no_header_has_may_be_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
