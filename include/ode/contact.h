/* Contacts: where two geoms touch, and how the surfaces behave there. */
#ifndef _ODE_CONTACT_H_
#define _ODE_CONTACT_H_

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of dSurfaceParameters.mode: which fields count, and by dContactApprox1 for which directions
   of friction the limit is proportional to the normal force; otherwise it is a force. */
enum {
    dContactMu2 = 0x001,
    dContactAxisDep = 0x001, /* the same bit: mu2, rho2 and rhoN */
    dContactFDir1 = 0x002,
    dContactBounce = 0x004,
    dContactSoftERP = 0x008,
    dContactSoftCFM = 0x010,
    dContactMotion1 = 0x020,
    dContactMotion2 = 0x040,
    dContactMotionN = 0x080,
    dContactSlip1 = 0x100,
    dContactSlip2 = 0x200,
    dContactRolling = 0x400, /* rho */
    dContactApprox0 = 0x0000,
    dContactApprox1_1 = 0x1000,
    dContactApprox1_2 = 0x2000,
    dContactApprox1_N = 0x4000,
    dContactApprox1 = 0x7000
};

/* mode and mu always count, the others if their bits are set. */
typedef struct dSurfaceParameters {
    int mode;
    dReal mu; /* of both directions, or of the first one; 0 to dInfinity */
    dReal mu2;
    dReal rho; /* against rolling */
    dReal rho2;
    dReal rhoN;       /* against spinning about the normal */
    dReal bounce;     /* restitution, 0 to 1 */
    dReal bounce_vel; /* m/s, below which nothing bounces */
    dReal soft_erp;
    dReal soft_cfm;
    dReal motion1, motion2, motionN; /* m/s, surface velocities */
    dReal slip1, slip2;              /* m/s per N */
} dSurfaceParameters;

/* Moving g1 by depth along normal ends the overlap. */
typedef struct dContactGeom {
    dVector3 pos;
    dVector3 normal;
    dReal depth;
    dGeomID g1, g2;
    int side1, side2; /* the triangle of a mesh, otherwise -1 */
} dContactGeom;

typedef struct dContact {
    dSurfaceParameters surface;
    dContactGeom geom;
    dVector3 fdir1; /* first direction of friction: unit, at right angles to the normal */
} dContact;

#ifdef __cplusplus
}
#endif

#endif
