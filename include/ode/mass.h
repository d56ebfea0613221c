/* Mass, centre of mass and inertia of a body, and those of solids. */
#ifndef _ODE_MASS_H_
#define _ODE_MASS_H_

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dMass;
typedef struct dMass dMass;

/* 1 if the mass and the inertia, also about the centre of mass, are positive (definite). Otherwise
   0, and a message says why. Functions that set and change a mass give the same message. */
ODE_API int dMassCheck(const dMass *m);

ODE_API void dMassSetZero(dMass *);

/* cg is the centre of mass, I the inertia about the body's origin. */
ODE_API void dMassSetParameters(dMass *, dReal themass, dReal cgx, dReal cgy, dReal cgz, dReal I11,
                                dReal I22, dReal I33, dReal I12, dReal I13, dReal I23);

/* Solids about the origin, of a density (kg/m^3) or a total mass (kg). The long axis of capsules
   and cylinders is direction: 1 for x, 2 for y, 3 for z; a capsule's length leaves out its caps. A
   box is given by its sides. */
ODE_API void dMassSetSphere(dMass *, dReal density, dReal radius);
ODE_API void dMassSetSphereTotal(dMass *, dReal total_mass, dReal radius);
ODE_API void dMassSetCapsule(dMass *, dReal density, int direction, dReal radius, dReal length);
ODE_API void dMassSetCapsuleTotal(dMass *, dReal total_mass, int direction, dReal radius,
                                  dReal length);
ODE_API void dMassSetCylinder(dMass *, dReal density, int direction, dReal radius, dReal length);
ODE_API void dMassSetCylinderTotal(dMass *, dReal total_mass, int direction, dReal radius,
                                   dReal length);
ODE_API void dMassSetBox(dMass *, dReal density, dReal lx, dReal ly, dReal lz);
ODE_API void dMassSetBoxTotal(dMass *, dReal total_mass, dReal lx, dReal ly, dReal lz);

/* What a closed triangle mesh encloses. */
ODE_API void dMassSetTrimesh(dMass *, dReal density, dGeomID g);
ODE_API void dMassSetTrimeshTotal(dMass *m, dReal total_mass, dGeomID g);

/* Scales mass and inertia to a new mass, from one that is not 0. */
ODE_API void dMassAdjust(dMass *, dReal newmass);

/* Move and turn the solid in the body's frame. */
ODE_API void dMassTranslate(dMass *, dReal x, dReal y, dReal z);
ODE_API void dMassRotate(dMass *, const dMatrix3 R);

/* Adds b to a. */
ODE_API void dMassAdd(dMass *a, const dMass *b);

/* Old names of capsules. */
ODE_API_DEPRECATED ODE_API void dMassSetCappedCylinder(dMass *a, dReal b, int c, dReal d, dReal e);
ODE_API_DEPRECATED ODE_API void dMassSetCappedCylinderTotal(dMass *a, dReal b, int c, dReal d,
                                                            dReal e);

struct dMass {
    dReal mass; /* kg */
    dVector3 c; /* centre of mass in the body's frame, m */
    dMatrix3 I; /* about the body's origin, kg m^2 */

#ifdef __cplusplus
    dMass()
    {
        dMassSetZero(this);
    }
    void setZero()
    {
        dMassSetZero(this);
    }
    void setParameters(dReal themass, dReal cgx, dReal cgy, dReal cgz, dReal I11, dReal I22,
                       dReal I33, dReal I12, dReal I13, dReal I23)
    {
        dMassSetParameters(this, themass, cgx, cgy, cgz, I11, I22, I33, I12, I13, I23);
    }
    void setSphere(dReal density, dReal radius)
    {
        dMassSetSphere(this, density, radius);
    }
    void setSphereTotal(dReal total, dReal radius)
    {
        dMassSetSphereTotal(this, total, radius);
    }
    void setCapsule(dReal density, int direction, dReal radius, dReal length)
    {
        dMassSetCapsule(this, density, direction, radius, length);
    }
    void setCapsuleTotal(dReal total, int direction, dReal radius, dReal length)
    {
        dMassSetCapsuleTotal(this, total, direction, radius, length);
    }
    void setCylinder(dReal density, int direction, dReal radius, dReal length)
    {
        dMassSetCylinder(this, density, direction, radius, length);
    }
    void setCylinderTotal(dReal total, int direction, dReal radius, dReal length)
    {
        dMassSetCylinderTotal(this, total, direction, radius, length);
    }
    void setBox(dReal density, dReal lx, dReal ly, dReal lz)
    {
        dMassSetBox(this, density, lx, ly, lz);
    }
    void setBoxTotal(dReal total, dReal lx, dReal ly, dReal lz)
    {
        dMassSetBoxTotal(this, total, lx, ly, lz);
    }
    void setTrimesh(dReal density, dGeomID g)
    {
        dMassSetTrimesh(this, density, g);
    }
    void setTrimeshTotal(dReal total, dGeomID g)
    {
        dMassSetTrimeshTotal(this, total, g);
    }
    void adjust(dReal newmass)
    {
        dMassAdjust(this, newmass);
    }
    void translate(dReal x, dReal y, dReal z)
    {
        dMassTranslate(this, x, y, z);
    }
    void rotate(const dMatrix3 R)
    {
        dMassRotate(this, R);
    }
    void add(const dMass *b)
    {
        dMassAdd(this, b);
    }
#endif
};

#ifdef __cplusplus
}
#endif

#endif
