/* contact.h: points of contact, and what surfaces are there. */
#ifndef LODE_ODE_CONTACT_H
#define LODE_ODE_CONTACT_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which fields of the surface count. */
enum {
    dContactMu2 = 0x001,     /* mu2 along the second direction, else mu there too */
    dContactAxisDep = 0x001, /* the same */
    dContactFDir1 = 0x002,   /* the first direction is fdir1 */
    dContactBounce = 0x004,
    dContactSoftERP = 0x008,
    dContactSoftCFM = 0x010,
    dContactMotion1 = 0x020,
    dContactMotion2 = 0x040,
    dContactMotionN = 0x080,
    dContactSlip1 = 0x100,
    dContactSlip2 = 0x200,
    dContactRolling = 0x400,
    dContactApprox0 = 0x0000, /* mu is the most force, N */
    dContactApprox1_1 =
        0x1000, /* mu is a multiple of the normal force, along the first direction */
    dContactApprox1_2 = 0x2000, /* along the second */
    dContactApprox1_N = 0x4000, /* of rolling friction */
    dContactApprox1 = 0x7000
};

typedef struct dSurfaceParameters {
    int mode;
    dReal mu;
    dReal mu2;
    dReal rho, rho2, rhoN; /* against rolling along either direction, and spinning */
    dReal bounce;          /* 0..1 */
    dReal bounce_vel;      /* slower impacts do not bounce, m/s */
    dReal soft_erp;
    dReal soft_cfm;
    dReal motion1, motion2, motionN; /* speeds of the surface, m/s */
    dReal slip1, slip2;              /* speed by force, s/kg */
} dSurfaceParameters;

/* The normal points into the first geom: moved along it by the depth that one just touches. */
typedef struct dContactGeom {
    dVector3 pos;
    dVector3 normal;
    dReal depth;
    dGeomID g1, g2;
    int side1, side2; /* triangles of meshes, else -1 */
} dContactGeom;

typedef struct dContact {
    dSurfaceParameters surface;
    dContactGeom geom;
    dVector3 fdir1; /* of length 1, across the normal */
} dContact;

#ifdef __cplusplus
}
#endif

#endif
