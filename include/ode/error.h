/* error.h: who hears of messages. */
#ifndef LODE_ODE_ERROR_H
#define LODE_ODE_ERROR_H

#include "odeconfig.h"

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    d_ERR_UNKNOWN = 0,
    d_ERR_IASSERT,
    d_ERR_UASSERT, /* a bad argument */
    d_ERR_LCP
};

/* Gets the number of a message, its text and what the text's places are for. */
typedef void dMessageFunction(int errnum, const char *msg, va_list ap);

/* Null is the default: an error prints its text to stderr and ends the program with status 1, a
 * bad argument (debug) prints and aborts, a message prints. A handler of errors or bad arguments
 * may return: the call that was wrong then has no effect. Set them before any other call. */
ODE_API void dSetErrorHandler(dMessageFunction *fn);
ODE_API void dSetDebugHandler(dMessageFunction *fn);
ODE_API void dSetMessageHandler(dMessageFunction *fn);
ODE_API dMessageFunction *dGetErrorHandler(void);
ODE_API dMessageFunction *dGetDebugHandler(void);
ODE_API dMessageFunction *dGetMessageHandler(void);

ODE_API void dError(int num, const char *msg, ...);
ODE_API void dDebug(int num, const char *msg, ...);
ODE_API void dMessage(int num, const char *msg, ...);

#ifdef __cplusplus
}
#endif

#endif
