/* A program for ODE in C++, with either library: a buggy on three wheels drives over a ramp into a
   wall of crates, beside a crane that swings its load. Prints a line for each thing that it looks
   at, with the tolerance within which two libraries may differ. */
#include <ode/ode.h>

#include <memory>
#include <vector>

static const dReal time_step = dReal(0.01);

static void tell(const char *name, double tolerance, const dReal *numbers, int count)
{
    printf("%s;%g;", name, tolerance);
    for (int i = 0; i < count; ++i)
        printf(" %.17g", (double)numbers[i]);
    printf("\n");
}

/* A body with a geom that looks like it. */
struct Crate {
    dBody body;
    dBox box;

    Crate(dWorld &world, dSpace &space, const dVector3 size, dReal mass, const dVector3 at)
        : body(world), box(space, size[0], size[1], size[2])
    {
        dMass m;
        dMassSetBoxTotal(&m, mass, size[0], size[1], size[2]);
        body.setMass(m);
        body.setPosition(at);
        box.setBody(body);
    }
};

struct Wheel {
    dBody body;
    dSphere sphere;
    dHinge2Joint joint;

    Wheel(dWorld &world, dSpace &space, Crate &chassis, dReal x, dReal y)
        : body(world), sphere(space, radius), joint(world)
    {
        static const dVector3 up = {0, 0, 1, 0}, across = {0, 1, 0, 0};
        dMass m;
        dMassSetSphereTotal(&m, dReal(0.4), radius);
        body.setMass(&m);
        body.setPosition(x, y, radius);
        sphere.setBody(body);
        joint.attach(chassis.body, body);
        joint.setAnchor(x, y, radius);
        joint.setAxes(up, across);
        joint.setParam(dParamSuspensionERP, dReal(0.4));
        joint.setParam(dParamSuspensionCFM, dReal(0.01));
        steer(0);
    }

    /* Equal stops hold the wheel. They may be set in any order that ends so. */
    void steer(dReal angle)
    {
        joint.setParam(dParamLoStop, angle);
        joint.setParam(dParamHiStop, angle);
    }

    void drive(dReal speed, dReal force)
    {
        joint.setParam(dParamVel2, speed);
        joint.setParam(dParamFMax2, force);
    }

    static constexpr dReal radius = dReal(0.25);
};

static const dVector3 buggy_size = {1, dReal(0.6), dReal(0.2), 0};
static const dVector3 buggy_place = {0, 0, dReal(0.4), 0};
static const dVector3 crate_size = {dReal(0.5), dReal(0.5), dReal(0.5), 0};

class Buggy
{
    dSimpleSpace space;
    Crate chassis;
    Wheel front, left, right;

  public:
    Buggy(dWorld &world, dSpace &all)
        : space(all), chassis(world, space, buggy_size, 2, buggy_place),
          front(world, space, chassis, dReal(0.5), 0),
          left(world, space, chassis, dReal(-0.4), dReal(0.35)),
          right(world, space, chassis, dReal(-0.4), dReal(-0.35))
    {
        space.setCleanup(0); /* the objects end their geoms */
    }

    void drive(dReal speed, dReal angle)
    {
        front.steer(angle);
        left.drive(speed, dReal(0.5));
        right.drive(speed, dReal(0.5));
    }

    dSpaceID geoms() const
    {
        return space;
    }
    const dBody &body() const
    {
        return chassis.body;
    }
    const dReal *wheel_velocity() const
    {
        return front.body.getLinearVel();
    }
};

/* A boom on a hinge to the world, a trolley on it, a rod below, a load below that. It touches
   nothing, so libraries agree to many digits. */
class Crane
{
    dBody boom, trolley, rod, load;
    dHingeJoint mast;
    dSliderJoint rail;
    dUniversalJoint hook;
    dBallJoint eye;

  public:
    explicit Crane(dWorld &world)
        : boom(world), trolley(world), rod(world), load(world), mast(world), rail(world),
          hook(world), eye(world)
    {
        dMass m;
        dMassSetBoxTotal(&m, 5, 4, dReal(0.2), dReal(0.2));
        boom.setMass(m);
        dMassSetSphereTotal(&m, 1, dReal(0.2));
        for (dBody *body : {&trolley, &rod, &load})
            body->setMass(&m);
        boom.setPosition(2, 10, 5);
        trolley.setPosition(3, 10, dReal(4.8));
        rod.setPosition(3, 10, dReal(4.3));
        load.setPosition(3, 10, dReal(3.3));
        mast.attach(boom, 0);
        mast.setAnchor(0, 10, 5);
        mast.setAxis(0, 0, 1);
        rail.attach(boom, trolley);
        rail.setAxis(1, 0, 0);
        hook.attach(trolley, rod);
        hook.setAnchor(3, 10, dReal(4.8));
        hook.setAxis1(1, 0, 0);
        hook.setAxis2(0, 1, 0);
        eye.attach(rod, load.id());
        eye.setAnchor(3, 10, dReal(3.8));
    }

    void work(dReal torque, dReal force)
    {
        mast.addTorque(torque);
        rail.addForce(force);
    }

    void tell_all(const char *when) const
    {
        char name[64];
        dVector3 anchors[2];
        eye.getAnchor(anchors[0]);
        eye.getAnchor2(anchors[1]);
        const dReal told[] = {mast.getAngle(),        mast.getAngleRate(),   rail.getPosition(),
                              rail.getPositionRate(), load.getPosition()[0], load.getPosition()[2],
                              anchors[0][0],          anchors[1][0]};
        snprintf(name, sizeof name, "crane %s", when);
        tell(name, 1e-6, told, 8);
    }
};

class Yard
{
    dWorld world;
    dHashSpace space;
    dJointGroup contacts;
    dPlane ground;
    dBox ramp;
    std::vector<std::unique_ptr<Crate>> wall;
    Buggy buggy;
    Crane crane;
    dRay eye;
    int touching;
    dReal seen;

    static void near(void *data, dGeomID a, dGeomID b)
    {
        if (dGeomIsSpace(a) || dGeomIsSpace(b)) {
            dSpaceCollide2(a, b, data, &near);
            return;
        }
        static_cast<Yard *>(data)->touch(a, b);
    }

    void touch(dGeomID a, dGeomID b)
    {
        dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
        if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact))
            return;
        const bool rolls = dGeomGetClass(a) == dSphereClass || dGeomGetClass(b) == dSphereClass;
        dContact contact[4];
        const int count = dCollide(a, b, 4, &contact[0].geom, sizeof contact[0]);
        for (int i = 0; i < count; ++i) {
            if (a == eye.id() || b == eye.id()) {
                seen = dMin(seen, contact[i].geom.depth);
                continue;
            }
            contact[i].surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
            contact[i].surface.mu = rolls ? 1 : 0;
            contact[i].surface.soft_erp = dReal(0.4);
            contact[i].surface.soft_cfm = dReal(1e-4);
            dJointAttach(dJointCreateContact(world, contacts, &contact[i]), body_a, body_b);
            ++touching;
        }
    }

  public:
    Yard()
        : ground(space, 0, 0, 1, 0), ramp(space, 3, 3, dReal(0.4)), buggy(world, space),
          crane(world), eye(space, 20), touching(0), seen(0)
    {
        dMatrix3 slope;
        world.setGravity(0, 0, dReal(-9.81));
        world.setERP(dReal(0.4));
        space.setCleanup(0);
        dRFromAxisAndAngle(slope, 0, 1, 0, dReal(-0.12));
        ramp.setPosition(4, 0, dReal(-0.1));
        ramp.setRotation(slope);
        for (int i = 0; i < 6; ++i) {
            const dVector3 place = {9, dReal(0.55 * (i % 3 - 1)), dReal(0.25 + 0.5 * (i / 3)), 0};
            wall.emplace_back(new Crate(world, space, crate_size, 1, place));
        }
        eye.set(20, 0, dReal(0.3), -1, 0, 0);
        eye.setClosestHit(1);
        eye.setCategoryBits(2); /* it sees crates, and none of them it */
    }

    void step()
    {
        touching = 0;
        seen = eye.getLength();
        space.collide(this, &near);
        crane.work(3, dReal(0.5));
        world.step(time_step);
        contacts.empty();
    }

    void drive(int steps, dReal speed, dReal angle)
    {
        buggy.drive(speed, angle);
        while (steps-- > 0)
            step();
    }

    /* How far the middle crate was pushed, and whether the wheels are on something. */
    void tell_seen(const char *when, double tolerance) const
    {
        char name[64];
        const dReal told[] = {dReal(10.75) - seen, dReal(touching > 2)};
        snprintf(name, sizeof name, "crate %s, and wheels", when);
        tell(name, tolerance, told, 2);
    }

    void tell_all(const char *when, double tolerance) const
    {
        char name[64];
        dVector3 nose;
        buggy.body().getRelPointPos(1, 0, 0, nose);
        snprintf(name, sizeof name, "buggy %s", when);
        tell(name, tolerance, buggy.body().getPosition(), 3);
        snprintf(name, sizeof name, "its nose %s", when);
        tell(name, tolerance, nose, 3);
        snprintf(name, sizeof name, "its front wheel %s", when);
        tell(name, tolerance, buggy.wheel_velocity(), 3);
        tell_seen(when, tolerance);
        crane.tell_all(when);
    }

    void run()
    {
        drive(100, 0, 0);
        tell_all("at rest", 1e-6);
        drive(150, -8, dReal(0.1));
        tell_all("on the way", 1e-3);
        drive(150, -8, dReal(-0.1));
        tell_all("on the ramp", 5e-3);
        drive(200, -8, 0);
        tell_all("before the wall", 0.02);
        drive(80, -8, 0);
        tell_seen("as it is pushed", 0.03); /* by 0.1 */
    }
};

int main()
{
    dInitODE2(0);
    {
        Yard yard;
        yard.run();
    }
    dCloseODE();
    return 0;
}
