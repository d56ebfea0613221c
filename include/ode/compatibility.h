/* Names of conversions that say first what they convert from. */
#ifndef _ODE_COMPATIBILITY_H_
#define _ODE_COMPATIBILITY_H_

#define dQtoR(q, R) dRfromQ((R), (q))
#define dRtoQ(R, q) dQfromR((q), (R))
#define dWtoDQ(w, q, dq) dDQfromW((dq), (w), (q))

#endif
