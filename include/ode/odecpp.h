/* Worlds, bodies, groups of joints and joints as C++ objects that own what they name.

   Each class is a template over the class that keeps its identifier. A program that wants another
   keeper (one without virtual functions, or with data of its own) defines all four
   dODECPP_..._TEMPLATE_BASE before it includes this header. Objects are not copied. They do not
   know of each other: a world's bodies and joints have to end before the world does. Layouts and
   names are those of Debian's classes, so objects may go between what was compiled with either. */
#ifndef _ODE_ODECPP_H_
#define _ODE_ODECPP_H_

#include <ode/contact.h>
#include <ode/objects.h>

#ifdef __cplusplus

/* The classes are tables, a method or two a line. */
/* clang-format off */

/* What the classes are written with; undefined again at the end. Of a C name only the middle
   changes: VALUE(dReal, World, ERP) is setERP and getERP over dWorldSetERP and dWorldGetERP. */
#define LODE_CPP_IDS(Noun) \
    class d##Noun##SimpleIDContainer \
    { \
    protected: \
        d##Noun##ID _id; \
        d##Noun##SimpleIDContainer() : _id(0) {} \
        ~d##Noun##SimpleIDContainer() { destroy(); } \
        void destroy() \
        { \
            d##Noun##ID old = _id; \
            _id = 0; \
            if (old) \
                d##Noun##Destroy(old); \
        } \
    }; \
    class d##Noun##DynamicIDContainer : public d##Noun##SimpleIDContainer \
    { \
    protected: \
        virtual ~d##Noun##DynamicIDContainer() {} \
    }

#define LODE_CPP_ID(Noun, Base) \
public: \
    d##Noun##ID id() const { return get_id(); } \
    operator d##Noun##ID() const { return get_id(); } \
\
protected: \
    d##Noun##ID get_id() const { return Base::_id; } \
    void set_id(d##Noun##ID value) { Base::_id = value; }

#define LODE_CPP_GET(type, Noun, Name) \
    type get##Name() const { return d##Noun##Get##Name(get_id()); }
#define LODE_CPP_VALUE(type, Noun, Name) \
    LODE_CPP_GET(type, Noun, Name) \
    void set##Name(type value) { d##Noun##Set##Name(get_id(), value); }
#define LODE_CPP_FLAG(Noun, Name) \
    bool get##Name() const { return d##Noun##Get##Name(get_id()) != 0; } \
    void set##Name(bool value) { d##Noun##Set##Name(get_id(), value); }

/* Three numbers in, also as a vector. */
#define LODE_CPP_IN(method, function) \
    void method(dReal x, dReal y, dReal z) { function(get_id(), x, y, z); } \
    void method(const dVector3 v) { function(get_id(), v[0], v[1], v[2]); }
#define LODE_CPP_OUT(method, function) \
    void method(dVector3 result) const { function(get_id(), result); }
#define LODE_CPP_MAP(method, function) \
    void method(dReal px, dReal py, dReal pz, dVector3 result) const \
    { \
        function(get_id(), px, py, pz, result); \
    } \
    void method(const dVector3 p, dVector3 result) const \
    { \
        function(get_id(), p[0], p[1], p[2], result); \
    }
#define LODE_CPP_FORCE_AT(method, function) \
    void method(dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz) \
    { \
        function(get_id(), fx, fy, fz, px, py, pz); \
    } \
    void method(const dVector3 f, const dVector3 p) \
    { \
        function(get_id(), f[0], f[1], f[2], p[0], p[1], p[2]); \
    }

LODE_CPP_IDS(World);
LODE_CPP_IDS(Body);
LODE_CPP_IDS(JointGroup);
LODE_CPP_IDS(Joint);

template <class dWorldTemplateBase> class dWorldTemplate : public dWorldTemplateBase
{
    dWorldTemplate(const dWorldTemplate &);
    void operator=(const dWorldTemplate &);

    LODE_CPP_ID(World, dWorldTemplateBase)

public:
    dWorldTemplate() { set_id(dWorldCreate()); }

    LODE_CPP_IN(setGravity, dWorldSetGravity)
    LODE_CPP_OUT(getGravity, dWorldGetGravity)
    LODE_CPP_VALUE(dReal, World, ERP)
    LODE_CPP_VALUE(dReal, World, CFM)

    void step(dReal stepsize) { dWorldStep(get_id(), stepsize); }
    void quickStep(dReal stepsize) { dWorldQuickStep(get_id(), stepsize); }
    LODE_CPP_VALUE(int, World, QuickStepNumIterations)
    LODE_CPP_VALUE(dReal, World, QuickStepW)

    LODE_CPP_VALUE(dReal, World, AutoDisableLinearThreshold)
    LODE_CPP_VALUE(dReal, World, AutoDisableAngularThreshold)
    LODE_CPP_VALUE(int, World, AutoDisableSteps)
    LODE_CPP_VALUE(dReal, World, AutoDisableTime)
    LODE_CPP_VALUE(int, World, AutoDisableFlag)

    LODE_CPP_VALUE(dReal, World, LinearDampingThreshold)
    LODE_CPP_VALUE(dReal, World, AngularDampingThreshold)
    LODE_CPP_VALUE(dReal, World, LinearDamping)
    LODE_CPP_VALUE(dReal, World, AngularDamping)
    void setDamping(dReal linear_scale, dReal angular_scale)
    {
        dWorldSetDamping(get_id(), linear_scale, angular_scale);
    }

    LODE_CPP_VALUE(dReal, World, MaxAngularSpeed)
    LODE_CPP_VALUE(dReal, World, ContactSurfaceLayer)

    void impulseToForce(dReal stepsize, dReal ix, dReal iy, dReal iz, dVector3 force)
    {
        dWorldImpulseToForce(get_id(), stepsize, ix, iy, iz, force);
    }
};

template <class dBodyTemplateBase, class dWorldTemplateBase>
class dBodyTemplate : public dBodyTemplateBase
{
    dBodyTemplate(const dBodyTemplate &);
    void operator=(const dBodyTemplate &);

    LODE_CPP_ID(Body, dBodyTemplateBase)
    void destroy() { dBodyTemplateBase::destroy(); }

public:
    dBodyTemplate() {}
    dBodyTemplate(dWorldID world) { set_id(dBodyCreate(world)); }
    dBodyTemplate(dWorldTemplate<dWorldTemplateBase> &world) { set_id(dBodyCreate(world.id())); }

    void create(dWorldID world)
    {
        destroy();
        set_id(dBodyCreate(world));
    }
    void create(dWorldTemplate<dWorldTemplateBase> &world) { create(world.id()); }

    LODE_CPP_VALUE(void *, Body, Data)

    LODE_CPP_IN(setPosition, dBodySetPosition)
    void setRotation(const dMatrix3 R) { dBodySetRotation(get_id(), R); }
    void setQuaternion(const dQuaternion q) { dBodySetQuaternion(get_id(), q); }
    LODE_CPP_IN(setLinearVel, dBodySetLinearVel)
    LODE_CPP_IN(setAngularVel, dBodySetAngularVel)
    LODE_CPP_GET(const dReal *, Body, Position)
    LODE_CPP_GET(const dReal *, Body, Rotation)
    LODE_CPP_GET(const dReal *, Body, Quaternion)
    LODE_CPP_GET(const dReal *, Body, LinearVel)
    LODE_CPP_GET(const dReal *, Body, AngularVel)

    void setMass(const dMass *mass) { dBodySetMass(get_id(), mass); }
    void setMass(const dMass &mass) { dBodySetMass(get_id(), &mass); }
    dMass getMass() const
    {
        dMass result;
        dBodyGetMass(get_id(), &result);
        return result;
    }

    LODE_CPP_IN(addForce, dBodyAddForce)
    LODE_CPP_IN(addTorque, dBodyAddTorque)
    LODE_CPP_IN(addRelForce, dBodyAddRelForce)
    LODE_CPP_IN(addRelTorque, dBodyAddRelTorque)
    LODE_CPP_FORCE_AT(addForceAtPos, dBodyAddForceAtPos)
    LODE_CPP_FORCE_AT(addForceAtRelPos, dBodyAddForceAtRelPos)
    LODE_CPP_FORCE_AT(addRelForceAtPos, dBodyAddRelForceAtPos)
    LODE_CPP_FORCE_AT(addRelForceAtRelPos, dBodyAddRelForceAtRelPos)
    LODE_CPP_GET(const dReal *, Body, Force)
    LODE_CPP_GET(const dReal *, Body, Torque)
    LODE_CPP_IN(setForce, dBodySetForce)
    LODE_CPP_IN(setTorque, dBodySetTorque)

    void setDynamic() { dBodySetDynamic(get_id()); }
    void setKinematic() { dBodySetKinematic(get_id()); }
    bool isKinematic() const { return dBodyIsKinematic(get_id()) != 0; }
    void enable() { dBodyEnable(get_id()); }
    void disable() { dBodyDisable(get_id()); }
    bool isEnabled() const { return dBodyIsEnabled(get_id()) != 0; }

    LODE_CPP_MAP(getRelPointPos, dBodyGetRelPointPos)
    LODE_CPP_MAP(getRelPointVel, dBodyGetRelPointVel)
    LODE_CPP_MAP(getPointVel, dBodyGetPointVel)
    LODE_CPP_MAP(getPosRelPoint, dBodyGetPosRelPoint)
    LODE_CPP_MAP(vectorToWorld, dBodyVectorToWorld)
    LODE_CPP_MAP(vectorFromWorld, dBodyVectorFromWorld)

    LODE_CPP_FLAG(Body, FiniteRotationMode)
    LODE_CPP_IN(setFiniteRotationAxis, dBodySetFiniteRotationAxis)
    LODE_CPP_OUT(getFiniteRotationAxis, dBodyGetFiniteRotationAxis)

    LODE_CPP_GET(int, Body, NumJoints)
    dJointID getJoint(int index) const { return dBodyGetJoint(get_id(), index); }
    bool isConnectedTo(dBodyID body) const { return dAreConnected(get_id(), body) != 0; }
    LODE_CPP_FLAG(Body, GravityMode)

    LODE_CPP_VALUE(dReal, Body, AutoDisableLinearThreshold)
    LODE_CPP_VALUE(dReal, Body, AutoDisableAngularThreshold)
    LODE_CPP_VALUE(int, Body, AutoDisableSteps)
    LODE_CPP_VALUE(dReal, Body, AutoDisableTime)
    LODE_CPP_FLAG(Body, AutoDisableFlag)

    LODE_CPP_VALUE(dReal, Body, LinearDamping)
    LODE_CPP_VALUE(dReal, Body, AngularDamping)
    void setDamping(dReal linear_scale, dReal angular_scale)
    {
        dBodySetDamping(get_id(), linear_scale, angular_scale);
    }
    LODE_CPP_GET(dReal, Body, LinearDampingThreshold)
    /* A constant body lets it be set: so ODE has it. */
    void setLinearDampingThreshold(dReal threshold) const
    {
        dBodySetLinearDampingThreshold(get_id(), threshold);
    }
    LODE_CPP_VALUE(dReal, Body, AngularDampingThreshold)
    void setDampingDefaults() { dBodySetDampingDefaults(get_id()); }

    LODE_CPP_VALUE(dReal, Body, MaxAngularSpeed)
    LODE_CPP_FLAG(Body, GyroscopicMode)
};

template <class dJointGroupTemplateBase> class dJointGroupTemplate : public dJointGroupTemplateBase
{
    dJointGroupTemplate(const dJointGroupTemplate &);
    void operator=(const dJointGroupTemplate &);

    LODE_CPP_ID(JointGroup, dJointGroupTemplateBase)
    void destroy() { dJointGroupTemplateBase::destroy(); }

public:
    dJointGroupTemplate() { set_id(dJointGroupCreate(0)); }

    void create()
    {
        destroy();
        set_id(dJointGroupCreate(0));
    }

    void empty() { dJointGroupEmpty(get_id()); }
    void clear() { dJointGroupEmpty(get_id()); }
};

template <class dJointTemplateBase, class dWorldTemplateBase, class dBodyTemplateBase>
class dJointTemplate : public dJointTemplateBase
{
    dJointTemplate(const dJointTemplate &);
    void operator=(const dJointTemplate &);

    LODE_CPP_ID(Joint, dJointTemplateBase)
    void destroy() { dJointTemplateBase::destroy(); }
    dJointTemplate() {}

public:
    LODE_CPP_GET(int, Joint, NumBodies)
    void attach(dBodyID body1, dBodyID body2) { dJointAttach(get_id(), body1, body2); }
    void attach(dBodyTemplate<dBodyTemplateBase, dWorldTemplateBase> &body1,
                dBodyTemplate<dBodyTemplateBase, dWorldTemplateBase> &body2)
    {
        dJointAttach(get_id(), body1.id(), body2.id());
    }

    void enable() { dJointEnable(get_id()); }
    void disable() { dJointDisable(get_id()); }
    bool isEnabled() const { return dJointIsEnabled(get_id()) != 0; }

    LODE_CPP_VALUE(void *, Joint, Data)
    LODE_CPP_GET(dJointType, Joint, Type)
    dBodyID getBody(int index) const { return dJointGetBody(get_id(), index); }
    LODE_CPP_VALUE(dJointFeedback *, Joint, Feedback)

    /* A type without parameters ignores them and has them zero. */
    virtual void setParam(int, dReal) {}
    virtual dReal getParam(int) const { return 0; }
};

/* What each type of joint has: its head; what all have; how it is made; its parameters. */
#define LODE_CPP_JOINT(Type) \
    template <class dJointTemplateBase, class dWorldTemplateBase, class dBodyTemplateBase> \
    class d##Type##JointTemplate \
        : public dJointTemplate<dJointTemplateBase, dWorldTemplateBase, dBodyTemplateBase>
#define LODE_CPP_JOINT_COMMON(Type) \
    d##Type##JointTemplate(const d##Type##JointTemplate &); \
    void operator=(const d##Type##JointTemplate &); \
\
protected: \
    typedef dJointTemplate<dJointTemplateBase, dWorldTemplateBase, dBodyTemplateBase> \
        dBaseTemplate; \
    dJointID get_id() const { return dBaseTemplate::get_id(); } \
    void set_id(dJointID value) { dBaseTemplate::set_id(value); } \
    void destroy() { dBaseTemplate::destroy(); } \
\
public: \
    d##Type##JointTemplate() {}
#define LODE_CPP_JOINT_MADE(Type) \
    LODE_CPP_JOINT_COMMON(Type) \
    d##Type##JointTemplate(dWorldID world, dJointGroupID group = 0) \
    { \
        set_id(dJointCreate##Type(world, group)); \
    } \
    d##Type##JointTemplate(dWorldTemplate<dWorldTemplateBase> &world, dJointGroupID group = 0) \
    { \
        set_id(dJointCreate##Type(world.id(), group)); \
    } \
    void create(dWorldID world, dJointGroupID group = 0) \
    { \
        destroy(); \
        set_id(dJointCreate##Type(world, group)); \
    } \
    void create(dWorldTemplate<dWorldTemplateBase> &world, dJointGroupID group = 0) \
    { \
        create(world.id(), group); \
    }
#define LODE_CPP_JOINT_PARAMS(Type) \
    virtual void setParam(int parameter, dReal value) \
    { \
        dJointSet##Type##Param(get_id(), parameter, value); \
    } \
    virtual dReal getParam(int parameter) const \
    { \
        return dJointGet##Type##Param(get_id(), parameter); \
    }
#define LODE_CPP_JOINT_GET(Type, Name) \
    dReal get##Name() const { return dJointGet##Type##Name(get_id()); }
#define LODE_CPP_JOINT_OUT(Type, Name) LODE_CPP_OUT(get##Name, dJointGet##Type##Name)
#define LODE_CPP_JOINT_VECTOR(Type, Name) \
    LODE_CPP_IN(set##Name, dJointSet##Type##Name) \
    LODE_CPP_JOINT_OUT(Type, Name)

LODE_CPP_JOINT(Ball)
{
    LODE_CPP_JOINT_MADE(Ball)
    LODE_CPP_JOINT_VECTOR(Ball, Anchor)
    LODE_CPP_JOINT_OUT(Ball, Anchor2)
    LODE_CPP_JOINT_PARAMS(Ball)
};

LODE_CPP_JOINT(Hinge)
{
    LODE_CPP_JOINT_MADE(Hinge)
    LODE_CPP_JOINT_VECTOR(Hinge, Anchor)
    LODE_CPP_JOINT_OUT(Hinge, Anchor2)
    LODE_CPP_JOINT_VECTOR(Hinge, Axis)
    LODE_CPP_JOINT_GET(Hinge, Angle)
    LODE_CPP_JOINT_GET(Hinge, AngleRate)
    LODE_CPP_JOINT_PARAMS(Hinge)
    void addTorque(dReal torque) { dJointAddHingeTorque(get_id(), torque); }
};

LODE_CPP_JOINT(Slider)
{
    LODE_CPP_JOINT_MADE(Slider)
    LODE_CPP_JOINT_VECTOR(Slider, Axis)
    LODE_CPP_JOINT_GET(Slider, Position)
    LODE_CPP_JOINT_GET(Slider, PositionRate)
    LODE_CPP_JOINT_PARAMS(Slider)
    void addForce(dReal force) { dJointAddSliderForce(get_id(), force); }
};

LODE_CPP_JOINT(Universal)
{
    LODE_CPP_JOINT_MADE(Universal)
    LODE_CPP_JOINT_VECTOR(Universal, Anchor)
    LODE_CPP_JOINT_OUT(Universal, Anchor2)
    LODE_CPP_JOINT_VECTOR(Universal, Axis1)
    LODE_CPP_JOINT_VECTOR(Universal, Axis2)
    LODE_CPP_JOINT_PARAMS(Universal)
    void getAngles(dReal *angle1, dReal *angle2) const
    {
        dJointGetUniversalAngles(get_id(), angle1, angle2);
    }
    LODE_CPP_JOINT_GET(Universal, Angle1)
    LODE_CPP_JOINT_GET(Universal, Angle1Rate)
    LODE_CPP_JOINT_GET(Universal, Angle2)
    LODE_CPP_JOINT_GET(Universal, Angle2Rate)
    void addTorques(dReal torque1, dReal torque2)
    {
        dJointAddUniversalTorques(get_id(), torque1, torque2);
    }
};

LODE_CPP_JOINT(Hinge2)
{
    LODE_CPP_JOINT_MADE(Hinge2)
    LODE_CPP_JOINT_VECTOR(Hinge2, Anchor)
    LODE_CPP_JOINT_OUT(Hinge2, Anchor2)

    /* Either axis may be null and stays as it is then; the four after it are the older way. */
    void setAxes(const dReal *axis1, const dReal *axis2)
    {
        dJointSetHinge2Axes(get_id(), axis1, axis2);
    }
    ODE_API_DEPRECATED void setAxis1(const dVector3 a) { setAxes(a, 0); }
    ODE_API_DEPRECATED void setAxis2(const dVector3 a) { setAxes(0, a); }
    ODE_API_DEPRECATED void setAxis1(dReal x, dReal y, dReal z)
    {
        const dVector3 axis = {x, y, z, 0};
        setAxes(axis, 0);
    }
    ODE_API_DEPRECATED void setAxis2(dReal x, dReal y, dReal z)
    {
        const dVector3 axis = {x, y, z, 0};
        setAxes(0, axis);
    }
    LODE_CPP_JOINT_OUT(Hinge2, Axis1)
    LODE_CPP_JOINT_OUT(Hinge2, Axis2)

    LODE_CPP_JOINT_GET(Hinge2, Angle1)
    LODE_CPP_JOINT_GET(Hinge2, Angle1Rate)
    LODE_CPP_JOINT_GET(Hinge2, Angle2Rate)
    LODE_CPP_JOINT_PARAMS(Hinge2)
    void addTorques(dReal torque1, dReal torque2)
    {
        dJointAddHinge2Torques(get_id(), torque1, torque2);
    }
};

LODE_CPP_JOINT(PR)
{
    LODE_CPP_JOINT_MADE(PR)
    LODE_CPP_JOINT_VECTOR(PR, Anchor)
    LODE_CPP_JOINT_VECTOR(PR, Axis1)
    LODE_CPP_JOINT_VECTOR(PR, Axis2)
    LODE_CPP_JOINT_GET(PR, Position)
    LODE_CPP_JOINT_GET(PR, PositionRate)
    LODE_CPP_JOINT_GET(PR, Angle)
    LODE_CPP_JOINT_GET(PR, AngleRate)
    LODE_CPP_JOINT_PARAMS(PR)
};

/* Axis 3 is the prismatic one and has two names. ODE has the second one only as three numbers. */
LODE_CPP_JOINT(PU)
{
    LODE_CPP_JOINT_MADE(PU)
    LODE_CPP_IN(setAnchor, dJointSetPUAnchor)
    virtual LODE_CPP_JOINT_OUT(PU, Anchor)
    LODE_CPP_JOINT_VECTOR(PU, Axis1)
    void setAxis2(dReal x, dReal y, dReal z) { dJointSetPUAxis2(get_id(), x, y, z); }
    LODE_CPP_JOINT_OUT(PU, Axis2)
    LODE_CPP_JOINT_VECTOR(PU, Axis3)
    LODE_CPP_IN(setAxisP, dJointSetPUAxis3)
    LODE_CPP_OUT(getAxisP, dJointGetPUAxis3)
    LODE_CPP_JOINT_GET(PU, Angle1)
    LODE_CPP_JOINT_GET(PU, Angle1Rate)
    LODE_CPP_JOINT_GET(PU, Angle2)
    LODE_CPP_JOINT_GET(PU, Angle2Rate)
    LODE_CPP_JOINT_GET(PU, Position)
    LODE_CPP_JOINT_GET(PU, PositionRate)
    LODE_CPP_JOINT_PARAMS(PU)
};

LODE_CPP_JOINT(Piston)
{
    LODE_CPP_JOINT_MADE(Piston)
    LODE_CPP_JOINT_VECTOR(Piston, Anchor)
    LODE_CPP_JOINT_OUT(Piston, Anchor2)
    LODE_CPP_JOINT_VECTOR(Piston, Axis)
    LODE_CPP_JOINT_GET(Piston, Position)
    LODE_CPP_JOINT_GET(Piston, PositionRate)
    LODE_CPP_JOINT_PARAMS(Piston)
    void addForce(dReal force) { dJointAddPistonForce(get_id(), force); }
};

LODE_CPP_JOINT(Fixed)
{
    LODE_CPP_JOINT_MADE(Fixed)
    void set() { dJointSetFixed(get_id()); }
    LODE_CPP_JOINT_PARAMS(Fixed)
};

LODE_CPP_JOINT(Contact)
{
    LODE_CPP_JOINT_COMMON(Contact)
    dContactJointTemplate(dWorldID world, dJointGroupID group, dContact *contact)
    {
        set_id(dJointCreateContact(world, group, contact));
    }
    dContactJointTemplate(dWorldTemplate<dWorldTemplateBase> &world, dJointGroupID group,
                          dContact *contact)
    {
        set_id(dJointCreateContact(world.id(), group, contact));
    }
    void create(dWorldID world, dJointGroupID group, dContact *contact)
    {
        destroy();
        set_id(dJointCreateContact(world, group, contact));
    }
    void create(dWorldTemplate<dWorldTemplateBase> &world, dJointGroupID group, dContact *contact)
    {
        create(world.id(), group, contact);
    }
};

LODE_CPP_JOINT(Null)
{
    LODE_CPP_JOINT_MADE(Null)
};

/* The axes of a motor are numbered. */
#define LODE_CPP_MOTOR(Type) \
    LODE_CPP_JOINT_MADE(Type) \
    void setNumAxes(int num) { dJointSet##Type##NumAxes(get_id(), num); } \
    int getNumAxes() const { return dJointGet##Type##NumAxes(get_id()); } \
    void setAxis(int anum, int rel, dReal x, dReal y, dReal z) \
    { \
        dJointSet##Type##Axis(get_id(), anum, rel, x, y, z); \
    } \
    void setAxis(int anum, int rel, const dVector3 a) { setAxis(anum, rel, a[0], a[1], a[2]); } \
    void getAxis(int anum, dVector3 result) const \
    { \
        dJointGet##Type##Axis(get_id(), anum, result); \
    } \
    LODE_CPP_JOINT_PARAMS(Type)

LODE_CPP_JOINT(AMotor)
{
    LODE_CPP_MOTOR(AMotor)
    void setMode(int mode) { dJointSetAMotorMode(get_id(), mode); }
    int getMode() const { return dJointGetAMotorMode(get_id()); }
    int getAxisRel(int anum) const { return dJointGetAMotorAxisRel(get_id(), anum); }
    void setAngle(int anum, dReal angle) { dJointSetAMotorAngle(get_id(), anum, angle); }
    dReal getAngle(int anum) const { return dJointGetAMotorAngle(get_id(), anum); }
    dReal getAngleRate(int anum) { return dJointGetAMotorAngleRate(get_id(), anum); }
    void addTorques(dReal torque1, dReal torque2, dReal torque3)
    {
        dJointAddAMotorTorques(get_id(), torque1, torque2, torque3);
    }
};

LODE_CPP_JOINT(LMotor)
{
    LODE_CPP_MOTOR(LMotor)
};

/* clang-format on */

#if defined(dODECPP_WORLD_TEMPLATE_BASE) && defined(dODECPP_BODY_TEMPLATE_BASE) && \
    defined(dODECPP_JOINTGROUP_TEMPLATE_BASE) && defined(dODECPP_JOINT_TEMPLATE_BASE)
/* The program's own. */
#elif defined(dODECPP_WORLD_TEMPLATE_BASE) || defined(dODECPP_BODY_TEMPLATE_BASE) || \
    defined(dODECPP_JOINTGROUP_TEMPLATE_BASE) || defined(dODECPP_JOINT_TEMPLATE_BASE)
#error "define all four of dODECPP_..._TEMPLATE_BASE, or none"
#else
#define dODECPP_WORLD_TEMPLATE_BASE dWorldDynamicIDContainer
#define dODECPP_BODY_TEMPLATE_BASE dBodyDynamicIDContainer
#define dODECPP_JOINTGROUP_TEMPLATE_BASE dJointGroupDynamicIDContainer
#define dODECPP_JOINT_TEMPLATE_BASE dJointDynamicIDContainer
#endif

#define LODE_CPP_JOINT_NAME(Name) \
    typedef Name##Template<dODECPP_JOINT_TEMPLATE_BASE, dODECPP_WORLD_TEMPLATE_BASE, \
                           dODECPP_BODY_TEMPLATE_BASE> \
        Name

typedef dWorldTemplate<dODECPP_WORLD_TEMPLATE_BASE> dWorld;
typedef dBodyTemplate<dODECPP_BODY_TEMPLATE_BASE, dODECPP_WORLD_TEMPLATE_BASE> dBody;
typedef dJointGroupTemplate<dODECPP_JOINTGROUP_TEMPLATE_BASE> dJointGroup;
LODE_CPP_JOINT_NAME(dJoint);
LODE_CPP_JOINT_NAME(dBallJoint);
LODE_CPP_JOINT_NAME(dHingeJoint);
LODE_CPP_JOINT_NAME(dSliderJoint);
LODE_CPP_JOINT_NAME(dUniversalJoint);
LODE_CPP_JOINT_NAME(dHinge2Joint);
LODE_CPP_JOINT_NAME(dPRJoint);
LODE_CPP_JOINT_NAME(dPUJoint);
LODE_CPP_JOINT_NAME(dPistonJoint);
LODE_CPP_JOINT_NAME(dFixedJoint);
LODE_CPP_JOINT_NAME(dContactJoint);
LODE_CPP_JOINT_NAME(dNullJoint);
LODE_CPP_JOINT_NAME(dAMotorJoint);
LODE_CPP_JOINT_NAME(dLMotorJoint);

#undef LODE_CPP_IDS
#undef LODE_CPP_ID
#undef LODE_CPP_GET
#undef LODE_CPP_VALUE
#undef LODE_CPP_FLAG
#undef LODE_CPP_IN
#undef LODE_CPP_OUT
#undef LODE_CPP_MAP
#undef LODE_CPP_FORCE_AT
#undef LODE_CPP_JOINT
#undef LODE_CPP_JOINT_COMMON
#undef LODE_CPP_JOINT_MADE
#undef LODE_CPP_JOINT_PARAMS
#undef LODE_CPP_JOINT_GET
#undef LODE_CPP_JOINT_OUT
#undef LODE_CPP_JOINT_VECTOR
#undef LODE_CPP_MOTOR
#undef LODE_CPP_JOINT_NAME

#endif

#endif
