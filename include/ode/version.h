/* The version of ODE whose interface these headers offer. */
#ifndef _ODE_VERSION_H_
#define _ODE_VERSION_H_

#define dODE_VERSION "0.16.2"

#endif
