/* The precision of dReal: double, unless the program defines dIDESINGLE. It has to be that of the
   library which the program is linked with. */
#ifndef _ODE_PRECISION_H_
#define _ODE_PRECISION_H_

#if defined(dIDESINGLE)
#define dSINGLE
#else
#define dDOUBLE
#endif

#endif
