/* init.c: see odeinit.h. */
#include "ode/odeinit.h"

#include "ode/check.h"
#include "ode/collision/space.h"

void dInitODE(void)
{
    dInitODE2(0);
}

int dInitODE2(unsigned int uiInitFlags)
{
    lode_set_error_hook(lode__ode_hear_lode, NULL);
    return CHECK((uiInitFlags & ~(unsigned)dInitFlagManualThreadCleanup) == 0, "uiInitFlags",
                 "has flags that do not exist");
}

int dAllocateODEDataForThread(unsigned int uiAllocateFlags)
{
    (void)uiAllocateFlags; /* a mask: all of its bits are allowed */
    return 1;
}

void dCleanupODEAllDataForThread(void)
{
}

void dCloseODE(void)
{
    lode__ode_classes_forget();
    lode__ode_overrides_forget();
}
