/* The motion planning library OMPL with ODE as what it plans for: see client_ompl.py. */
#include <ompl/base/goals/GoalRegion.h>
#include <ompl/control/planners/rrt/RRT.h>
#include <ompl/extensions/ode/OpenDESimpleSetup.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace ob = ompl::base;
namespace oc = ompl::control;

/* A crate on a floor that is pushed along x and y, a wall that it must not touch, and a ball that
 * hangs beside. */
class Yard : public oc::OpenDEEnvironment
{
  public:
    Yard()
    {
        world_ = dWorldCreate();
        dWorldSetGravity(world_, 0, 0, -9.81);
        space = dHashSpaceCreate(0);
        floor = dCreatePlane(space, 0, 0, 1, 0);
        wall = dCreateBox(space, 0.2, 2, 1);
        dGeomSetPosition(wall, 2, -1, 0.5);
        dMass mass;
        crate = dBodyCreate(world_);
        dMassSetBoxTotal(&mass, 1, 0.5, 0.5, 0.2);
        dBodySetMass(crate, &mass);
        dBodySetPosition(crate, 0, 0, 0.1);
        dGeomSetBody(dCreateBox(space, 0.5, 0.5, 0.2), crate);
        ball = dBodyCreate(world_);
        dMassSetSphereTotal(&mass, 1, 0.1);
        dBodySetMass(ball, &mass);
        dBodySetPosition(ball, 5, 0, 2);
        dBodySetLinearVel(ball, 0, 1, 0);
        dJointID joint = dJointCreateBall(world_, 0);
        dJointAttach(joint, ball, 0);
        dJointSetBallAnchor(joint, 5, 0, 3);
        collisionSpaces_.push_back(space);
        stateBodies_ = {crate, ball};
        stepSize_ = 0.02;
        maxContacts_ = 4;
        minControlSteps_ = 5;
        maxControlSteps_ = 30;
    }
    ~Yard() override
    {
        dSpaceDestroy(space);
        dWorldDestroy(world_);
    }
    unsigned int getControlDimension() const override
    {
        return 2;
    }
    void getControlBounds(std::vector<double> &lower, std::vector<double> &upper) const override
    {
        lower = {-20, -20};
        upper = {20, 20};
    }
    void applyControl(const double *control) const override
    {
        dBodyAddForce(crate, control[0], control[1], 0);
    }
    bool isValidCollision(dGeomID a, dGeomID b, const dContact &) const override
    {
        return a == floor || b == floor;
    }
    void setupContact(dGeomID, dGeomID, dContact &contact) const override
    {
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = 0.4;
    }

    dSpaceID space;
    dGeomID floor, wall;
    dBodyID crate, ball;
};

/* Where the crate comes to rest beyond the wall. */
class Beyond : public ob::GoalRegion
{
  public:
    explicit Beyond(const ob::SpaceInformationPtr &si) : ob::GoalRegion(si)
    {
        threshold_ = 0.5;
    }
    double distanceGoal(const ob::State *state) const override
    {
        const double *at = state->as<oc::OpenDEStateSpace::StateType>()->getBodyPosition(0);
        return std::hypot(at[0] - 3.5, at[1] + 1);
    }
};

static void tell(const char *name, const char *bound, const ob::State *state, unsigned body)
{
    const auto *bodies = state->as<oc::OpenDEStateSpace::StateType>();
    const double *at = bodies->getBodyPosition(body), *v = bodies->getBodyLinearVelocity(body);
    std::printf("%s;%s;%.12g %.12g %.12g %.12g %.12g %.12g\n", name, bound, at[0], at[1], at[2],
                v[0], v[1], v[2]);
}

/* Pushes along a square, as the planner does it. */
static void propagate(oc::OpenDESimpleSetup &setup)
{
    const auto &information = setup.getSpaceInformation();
    ob::ScopedState<> from(setup.getCurrentState()), to(setup.getStateSpace());
    oc::Control *control = information->allocControl();
    auto *force = control->as<oc::RealVectorControlSpace::ControlType>()->values;
    const double pushes[4][2] = {{-15, 0}, {0, 12}, {15, 0}, {0, -12}};
    const char *names[4] = {"pushed along x", "along y", "back", "and back"};
    for (int i = 0; i < 4; ++i) {
        force[0] = pushes[i][0];
        force[1] = pushes[i][1];
        information->propagate(from.get(), control, 20, to.get());
        tell(names[i], "1e-3", to.get(), 0);
        from = to;
    }
    /* its arm, 1 long, is 0.0045 longer by now with libode, 0.0008 with ours */
    tell("ball", "3e-2", to.get(), 1);
    information->freeControl(control);
}

/* In the wall or not, asked of states. */
static void collide(oc::OpenDESimpleSetup &setup)
{
    ob::ScopedState<> state(setup.getCurrentState());
    std::printf("collisions;0;");
    for (int i = 0; i <= 8; ++i) {
        auto *bodies = state.get()->as<oc::OpenDEStateSpace::StateType>();
        bodies->getBodyPosition(0)[0] = 1.2 + 0.2 * i;
        bodies->getBodyPosition(0)[1] = -0.5;
        bodies->collision = 0;
        std::printf(" %d", setup.getSpaceInformation()->isValid(state.get()));
    }
    std::printf("\n");
}

/* The plan is made of what random pushes come to, so its course is the library's own: there must be
 * one that ends where it should, and none of its states may be in the wall. */
static void plan(oc::OpenDESimpleSetup &setup)
{
    bool found = setup.solve(60.0) == ob::PlannerStatus::EXACT_SOLUTION, clear = found;
    if (found)
        for (const ob::State *state : setup.getSolutionPath().getStates())
            clear = clear && setup.getSpaceInformation()->isValid(state);
    std::printf("plan;0;%d %d\n", found, clear);
}

int main()
{
    ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
    ompl::RNG::setSeed(7);
    dInitODE2(0);
    {
        auto yard = std::make_shared<Yard>();
        oc::OpenDESimpleSetup setup(yard);
        ob::RealVectorBounds bounds(3);
        bounds.setLow(-6);
        bounds.setHigh(6);
        setup.setVolumeBounds(bounds);
        bounds.setLow(-20);
        bounds.setHigh(20);
        setup.setLinearVelocityBounds(bounds);
        setup.setAngularVelocityBounds(bounds);
        setup.setGoal(std::make_shared<Beyond>(setup.getSpaceInformation()));
        setup.setPlanner(std::make_shared<oc::RRT>(setup.getSpaceInformation()));
        setup.setup();
        propagate(setup);
        collide(setup);
        plan(setup);
    }
    dCloseODE();
    return 0;
}
