/* init.c: see odeinit.h. */
#include "ode/odeinit.h"

#include "ode/check.h"
#include "ode/collision/space.h"

#include <string.h>

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

/* --- what this library is, in the words of ODE's */

static const char configuration[] = "ODE"
                                    " ODE_EXT_trimesh"
                                    " ODE_EXT_threading"
                                    " ODE_THR_builtin_impl"
#ifdef dSINGLE
                                    " ODE_single_precision";
#else
                                    " ODE_double_precision";
#endif

const char *dGetConfiguration(void)
{
    return configuration;
}

int dCheckConfiguration(const char *token)
{
    if (!CHECK_GIVEN(token) || !*token)
        return 0;
    size_t length = strlen(token);
    for (const char *at = configuration; (at = strstr(at, token)) != NULL; at += length) {
        bool begins = at == configuration || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == 0))
            return 1;
    }
    return 0;
}

void dCloseODE(void)
{
    lode__ode_classes_forget();
    lode__ode_overrides_forget();
}
