/* exports.c: names that libode.so.8 exports beside ODE's interface: of the libraries within it and
 * of its own trials. No header has them. They are there so that nothing that was linked with them
 * is left without; what they tell of is not here, and they say so. */
#include "ode/misc.h"
#include "ode/odeconfig.h"

/* An alignment of memory, the sequence of a collision library's own random numbers, and its begin
 * and end. */
ODE_API int Alignment(void);
ODE_API int InitOpcode(void);
ODE_API int CloseOpcode(void);
ODE_API void SRand(unsigned seed);
ODE_API unsigned Rand(void);

/* Trials that print what they find: nothing. */
ODE_API void dTestDataStructures(void);
ODE_API void dTestSolveLCP(void);

/* Objects of classes that are not here. */
ODE_API char g_WorldProcessDefaultReserveInfo[16], g_WorldProcessMallocMemoryManager[32],
    g_ccTrimeshCollidersCache[64];
char g_WorldProcessDefaultReserveInfo[16], g_WorldProcessMallocMemoryManager[32],
    g_ccTrimeshCollidersCache[64];

int Alignment(void)
{
    return 16;
}

int InitOpcode(void)
{
    return 1;
}

int CloseOpcode(void)
{
    return 1;
}

static unsigned seed = 1;

void SRand(unsigned value)
{
    seed = value;
}

unsigned Rand(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed;
}

void dTestDataStructures(void)
{
}

void dTestSolveLCP(void)
{
}
