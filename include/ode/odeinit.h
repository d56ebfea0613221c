/* odeinit.h: beginning and end of the library's use. */
#ifndef _ODE_ODEINIT_H_
#define _ODE_ODEINIT_H_

#include "odeconfig.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dInitODEFlags { dInitFlagManualThreadCleanup = 0x00000001 };

enum dAllocateODEDataFlags {
    dAllocateFlagBasicData = 0,
    dAllocateFlagCollisionData = 0x00000001,
    dAllocateMaskAll = ~0
};

/* Programs for ODE call these; nothing here depends on it, since neither the library nor a thread
 * has data of its own. 1; 0 for flags that do not exist. */
ODE_API void dInitODE(void);
ODE_API int dInitODE2(unsigned int uiInitFlags);
ODE_API int dAllocateODEDataForThread(unsigned int uiAllocateFlags);
ODE_API void dCleanupODEAllDataForThread(void);
ODE_API void dCloseODE(void);

#ifdef __cplusplus
}
#endif

#endif
