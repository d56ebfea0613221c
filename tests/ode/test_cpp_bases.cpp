/* ODE's C++ classes over keepers of the program's own: without virtual functions for what has
   none, and with a say in how joints end. The headers have to know their names. */
class own_world;
class own_body;
class own_group;
class own_joint;
#define dODECPP_WORLD_TEMPLATE_BASE own_world
#define dODECPP_BODY_TEMPLATE_BASE own_body
#define dODECPP_JOINTGROUP_TEMPLATE_BASE own_group
#define dODECPP_JOINT_TEMPLATE_BASE own_joint
#include <ode/ode.h>

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
            ++failures; \
        } \
    } while (0)

static int failures = 0;
static int ended_joints = 0;

class own_world : public dWorldSimpleIDContainer
{
};

class own_body : public dBodySimpleIDContainer
{
};

class own_group : public dJointGroupSimpleIDContainer
{
};

class own_joint
{
  protected:
    dJointID _id;
    own_joint() : _id(0)
    {
    }
    ~own_joint()
    {
        destroy();
    }
    void destroy()
    {
        if (_id) {
            ++ended_joints;
            dJointDestroy(_id);
        }
        _id = 0;
    }
};

/* A class of the program between ours and its own. */
class door : public dHingeJoint
{
  public:
    door(dWorld &world, dBody &leaf) : dHingeJoint(world)
    {
        attach(leaf, 0);
        setAnchor(1, 0, 0);
        setAxis(0, 0, 1);
    }
    virtual dReal getParam(int parameter) const
    {
        return -dHingeJoint::getParam(parameter);
    }
    void rehang(dWorldID world)
    {
        dBaseTemplate::destroy();
        set_id(dJointCreateHinge(world, 0));
    }
};

int main()
{
    dInitODE2(0);
    CHECK(sizeof(dWorld) == sizeof(dWorldID) && sizeof(dBody) == sizeof(dBodyID));
    CHECK(sizeof(dJointGroup) == sizeof(dJointGroupID));
    {
        dWorld world;
        dBody body(world);
        door hung(world, body);
        dJoint &base = hung;
        base.setParam(dParamHiStop, dReal(0.5));
        CHECK(base.getParam(dParamHiStop) == dReal(-0.5) && hung.getType() == dJointTypeHinge);
        CHECK(body.getNumJoints() == 1 && ended_joints == 0);
        hung.create(world);
        CHECK(body.getNumJoints() == 0 && ended_joints == 1 && base.id() == hung.id());
        hung.rehang(world);
        CHECK(ended_joints == 2 && hung.id());
    }
    CHECK(ended_joints == 3);
    dCloseODE();
    return failures != 0;
}
