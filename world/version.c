/* version.c: which library this is. */
#include "lode/setup.h"

#ifndef LODE_VERSION
#define LODE_VERSION "development"
#endif

const char *lode_version(void)
{
#ifdef LODE_DOUBLE
    return LODE_VERSION " double";
#else
    return LODE_VERSION " single";
#endif
}
