/* Messages, errors and failed assertions, and who hears of them. */
#ifndef _ODE_ERROR_H_
#define _ODE_ERROR_H_

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handler gets a number (d_ERR_...) and what vprintf() takes. Handlers of errors and of debug
   traps must not return. */
typedef void dMessageFunction(int errnum, const char *msg, va_list ap);

/* Null stands for the library's own handler, when set and when read. */
ODE_API void dSetErrorHandler(dMessageFunction *fn);
ODE_API void dSetDebugHandler(dMessageFunction *fn);
ODE_API void dSetMessageHandler(dMessageFunction *fn);
ODE_API dMessageFunction *dGetErrorHandler(void);
ODE_API dMessageFunction *dGetDebugHandler(void);
ODE_API dMessageFunction *dGetMessageHandler(void);

/* Call the handler with a printf() format. Without handlers dError() ends the program and dDebug()
   aborts it. */
ODE_API void ODE_NORETURN dError(int num, const char *msg, ...);
ODE_API void ODE_NORETURN dDebug(int num, const char *msg, ...);
ODE_API void dMessage(int num, const char *msg, ...);

#ifdef __cplusplus
}
#endif

#endif
