/* What the tests of ODE's C++ classes share. The same programs hold for libode, but for what is
   left out when OF_LIBODE is defined. */
#ifndef LODE_TESTS_ODE_CPP_CHECK_H
#define LODE_TESTS_ODE_CPP_CHECK_H

#include <ode/ode.h>

#include <new>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

void check(bool holds, const char *what, const char *file, int line);

static inline bool near(dReal a, dReal b)
{
    return fabs((double)a - (double)b) < 1e-5;
}

static inline bool is(const dReal *v, double x, double y, double z)
{
    return near(v[0], dReal(x)) && near(v[1], dReal(y)) && near(v[2], dReal(z));
}

/* Objects that are made without a world or space name nothing, whatever was there before. */
template <class Class> static bool begins_empty()
{
    alignas(Class) unsigned char place[sizeof(Class)];
    memset(place, 0x5a, sizeof place);
    Class *object = new (place) Class;
    const bool empty = object->id() == 0;
    object->~Class();
    return empty;
}

#define CHECK(holds) check(holds, #holds, __FILE__, __LINE__)
#define SET_GET(object, Name, value) \
    do { \
        (object).set##Name(value); \
        CHECK((object).get##Name() == (value)); \
    } while (0)
/* A vector set as three numbers and as one, and read. */
#define SET_GET_VECTOR(object, Name, x, y, z) \
    do { \
        const dVector3 given = {dReal(x), dReal(y), dReal(z), 0}; \
        dVector3 read; \
        (object).set##Name(given[2], given[0], given[1]); \
        (object).get##Name(read); \
        CHECK(is(read, z, x, y)); \
        (object).set##Name(given); \
        (object).get##Name(read); \
        CHECK(is(read, x, y, z)); \
    } while (0)
/* What a method makes of (1, 2, 3), given as three numbers and as one. */
#define MAPS(object, method, x, y, z) \
    do { \
        const dVector3 given = {1, 2, 3, 0}; \
        dVector3 read; \
        (object).method(1, 2, 3, read); \
        CHECK(is(read, x, y, z)); \
        read[0] = read[1] = read[2] = 77; \
        (object).method(given, read); \
        CHECK(is(read, x, y, z)); \
    } while (0)
/* A number, or a vector, that the C function gives too, and that is not zero. */
#define GIVES(object, method, function) \
    CHECK((object).method() == function(object) && !near(function(object), 0))
#define GIVES_VECTOR(object, method, function) \
    do { \
        dVector3 read = {77, 77, 77, 77}, expected; \
        (object).method(read); \
        function(object, expected); \
        CHECK(is(read, expected[0], expected[1], expected[2])); \
        CHECK(!is(expected, 0, 0, 0)); \
    } while (0)

void test_masses();
void test_joints(dWorld &world);
void test_geoms(dWorld &world);
void test_spaces();

#endif
