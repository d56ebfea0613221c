/* handlers.c: messages and memory of the ODE face, and who takes their place. The handlers are of
 * the process, set before anything else is called. */
#include "ode/check.h"
#include "ode/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* --- messages */

static dMessageFunction *error_handler, *debug_handler, *message_handler;

#define HANDLER(NAME, type, handler) \
    void dSet##NAME##Handler(type *fn) \
    { \
        handler = fn; \
    } \
    type *dGet##NAME##Handler(void) \
    { \
        return handler; \
    }

HANDLER(Error, dMessageFunction, error_handler)
HANDLER(Debug, dMessageFunction, debug_handler)
HANDLER(Message, dMessageFunction, message_handler)

static void print(const char *kind, int num, const char *msg, va_list ap)
{
    fflush(stdout);
    fprintf(stderr, "\n%s %d: ", kind, num);
    vfprintf(stderr, msg, ap);
    fputc('\n', stderr);
}

static void tell(dMessageFunction *handler, const char *kind, int num, const char *msg, va_list ap)
{
    if (handler)
        handler(num, msg, ap);
    else
        print(kind, num, msg, ap);
}

void dError(int num, const char *msg, ...)
{
    va_list ap;
    va_start(ap, msg);
    tell(error_handler, "ODE Error", num, msg, ap);
    va_end(ap);
    exit(1);
}

void dDebug(int num, const char *msg, ...)
{
    va_list ap;
    va_start(ap, msg);
    tell(debug_handler, "ODE INTERNAL ERROR", num, msg, ap);
    va_end(ap);
    abort();
}

void lode__ode_refuse(const char *msg, ...)
{
    va_list ap;
    va_start(ap, msg);
    tell(debug_handler, "ODE INTERNAL ERROR", d_ERR_UASSERT, msg, ap);
    va_end(ap);
    if (!debug_handler)
        abort();
}

void dMessage(int num, const char *msg, ...)
{
    va_list ap;
    va_start(ap, msg);
    tell(message_handler, "ODE Message", num, msg, ap);
    va_end(ap);
}

/* --- memory */

static dAllocFunction *alloc_handler;
static dReallocFunction *realloc_handler;
static dFreeFunction *free_handler;

HANDLER(Alloc, dAllocFunction, alloc_handler)
HANDLER(Realloc, dReallocFunction, realloc_handler)
HANDLER(Free, dFreeFunction, free_handler)

void *dAlloc(size_t size)
{
    return alloc_handler ? alloc_handler(size) : malloc(size);
}

void *dRealloc(void *ptr, size_t oldsize, size_t newsize)
{
    return realloc_handler ? realloc_handler(ptr, oldsize, newsize) : realloc(ptr, newsize);
}

void dFree(void *ptr, size_t size)
{
    if (!ptr)
        return;
    if (free_handler)
        free_handler(ptr, size);
    else
        free(ptr);
}
