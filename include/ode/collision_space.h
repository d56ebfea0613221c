/* Spaces: geoms that are looked through for pairs. A space is a geom itself, and may be in
   another. */
#ifndef _ODE_COLLISION_SPACE_H_
#define _ODE_COLLISION_SPACE_H_

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dContactGeom;

/* Two geoms that may touch. */
typedef void dNearCallback(void *data, dGeomID o1, dGeomID o2);

/* In a space, or in none for null. They differ in how fast they find what: pairs and their order
   are the same. */
ODE_API dSpaceID dSimpleSpaceCreate(dSpaceID space);
ODE_API dSpaceID dHashSpaceCreate(dSpaceID space);
ODE_API dSpaceID dQuadTreeSpaceCreate(dSpaceID space, const dVector3 Center, const dVector3 Extents,
                                      int Depth);

/* In which order axes are looked at. */
#define dSAP_AXES_XYZ (0 | 1 << 2 | 2 << 4)
#define dSAP_AXES_XZY (0 | 2 << 2 | 1 << 4)
#define dSAP_AXES_YXZ (1 | 0 << 2 | 2 << 4)
#define dSAP_AXES_YZX (1 | 2 << 2 | 0 << 4)
#define dSAP_AXES_ZXY (2 | 0 << 2 | 1 << 4)
#define dSAP_AXES_ZYX (2 | 1 << 2 | 0 << 4)

ODE_API dSpaceID dSweepAndPruneSpaceCreate(dSpaceID space, int axisorder);

/* With its members, if it cleans up. */
ODE_API void dSpaceDestroy(dSpaceID);

/* Cells are from 2^minlevel to 2^maxlevel m wide; kept, and of no effect: the space finds its cells
   itself. */
ODE_API void dHashSpaceSetLevels(dSpaceID space, int minlevel, int maxlevel);
ODE_API void dHashSpaceGetLevels(dSpaceID space, int *minlevel, int *maxlevel);

/* Are members destroyed with the space? At first they are. */
ODE_API void dSpaceSetCleanup(dSpaceID space, int mode);
ODE_API int dSpaceGetCleanup(dSpaceID space);

/* Of two spaces the one with the higher number is a member of the other to dSpaceCollide2(); at
   first 0. */
ODE_API void dSpaceSetSublevel(dSpaceID space, int sublevel);
ODE_API int dSpaceGetSublevel(dSpaceID space);

/* Kept: what threads leave behind in it for its user to clean up there is not. */
ODE_API void dSpaceSetManualCleanup(dSpaceID space, int mode);
ODE_API int dSpaceGetManualCleanup(dSpaceID space);

ODE_API void dSpaceAdd(dSpaceID, dGeomID);
ODE_API void dSpaceRemove(dSpaceID, dGeomID);
ODE_API int dSpaceQuery(dSpaceID, dGeomID); /* 1: is in it */

/* Computes the boxes of members that have moved; so does all that needs them. */
ODE_API void dSpaceClean(dSpaceID);

ODE_API int dSpaceGetNumGeoms(dSpaceID);
ODE_API dGeomID dSpaceGetGeom(dSpaceID, int i); /* from the newest, 0, on */

ODE_API int dSpaceGetClass(dSpaceID space);

#ifdef __cplusplus
}
#endif

#endif
