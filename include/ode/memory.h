/* Where the library's memory comes from. */
#ifndef _ODE_MEMORY_H_
#define _ODE_MEMORY_H_

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes are in bytes; who frees or resizes a block is told the size that it has. */
typedef void *dAllocFunction(dsizeint size);
typedef void *dReallocFunction(void *ptr, dsizeint oldsize, dsizeint newsize);
typedef void dFreeFunction(void *ptr, dsizeint size);

/* Null stands for the library's own functions, when set and when read. */
ODE_API void dSetAllocHandler(dAllocFunction *fn);
ODE_API void dSetReallocHandler(dReallocFunction *fn);
ODE_API void dSetFreeHandler(dFreeFunction *fn);
ODE_API dAllocFunction *dGetAllocHandler(void);
ODE_API dReallocFunction *dGetReallocHandler(void);
ODE_API dFreeFunction *dGetFreeHandler(void);

/* Memory through those functions. */
ODE_API void *dAlloc(dsizeint size);
ODE_API void *dRealloc(void *ptr, dsizeint oldsize, dsizeint newsize);
ODE_API void dFree(void *ptr, dsizeint size);

#ifdef __cplusplus
}
#endif

#endif
