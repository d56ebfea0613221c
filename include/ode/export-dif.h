/* Writes a world as text. */
#ifndef _ODE_EXPORT_DIF_
#define _ODE_EXPORT_DIF_

#include <ode/common.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All bodies, their geoms and joints, in the Dynamics Interchange Format, which is Lua's syntax.
   Names begin with `world_name`. */
ODE_API void dWorldExportDIF(dWorldID w, FILE *file, const char *world_name);

#ifdef __cplusplus
}
#endif

#endif
