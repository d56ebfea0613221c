/* test.h: cmocka with the headers it wants to see first. */
#ifndef LODE_TESTS_TEST_H
#define LODE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
