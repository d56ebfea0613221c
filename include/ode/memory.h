/* memory.h: where objects of the ODE face are kept. */
#ifndef LODE_ODE_MEMORY_H
#define LODE_ODE_MEMORY_H

#include "odeconfig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *dAllocFunction(size_t size);
typedef void *dReallocFunction(void *ptr, size_t oldsize, size_t newsize);
typedef void dFreeFunction(void *ptr, size_t size);

/* Null is the default: malloc, realloc and free. Set them before any other call. */
ODE_API void dSetAllocHandler(dAllocFunction *fn);
ODE_API void dSetReallocHandler(dReallocFunction *fn);
ODE_API void dSetFreeHandler(dFreeFunction *fn);
ODE_API dAllocFunction *dGetAllocHandler(void);
ODE_API dReallocFunction *dGetReallocHandler(void);
ODE_API dFreeFunction *dGetFreeHandler(void);

ODE_API void *dAlloc(size_t size);
ODE_API void *dRealloc(void *ptr, size_t oldsize, size_t newsize);
ODE_API void dFree(void *ptr, size_t size); /* null is allowed */

#ifdef __cplusplus
}
#endif

#endif
