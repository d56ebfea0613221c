/* The robotics library DART with ODE as its collision detector: see client_dart.py. */
#include <dart/collision/CollisionGroup.hpp>
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/HeightmapShape.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/SimpleFrame.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cstdio>
#include <vector>

using namespace dart;
using Eigen::Vector3d;

static collision::CollisionDetectorPtr detector;

static dynamics::ShapePtr heights()
{
    auto shape = std::make_shared<dynamics::HeightmapShape<double>>();
    std::vector<double> samples;
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column)
            samples.push_back(0.1 * row);
    shape->setHeightField(5, 5, samples);
    shape->setScale(Vector3d(1, 1, 1));
    return shape;
}

static dynamics::SimpleFramePtr placed(const dynamics::ShapePtr &shape, const Vector3d &at,
                                       double angle)
{
    auto frame = std::make_shared<dynamics::SimpleFrame>(dynamics::Frame::World());
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pose.linear() = Eigen::AngleAxisd(angle, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    frame->setRelativeTransform(pose);
    frame->setShape(shape);
    return frame;
}

/* Whether the two touch, how deep, and from which side at the deepest point. How many points there
 * are is up to the library. */
static void touch(const char *name, const dynamics::ShapePtr &a, const dynamics::ShapePtr &b,
                  const Vector3d &at, double angle, const char *bound)
{
    auto one = placed(a, Vector3d(0, 0, 0), 0), other = placed(b, at, angle);
    auto group = detector->createCollisionGroup(one.get(), other.get());
    collision::CollisionOption option;
    collision::CollisionResult result;
    bool touches = group->collide(option, &result);
    collision::Contact deepest;
    deepest.penetrationDepth = -1;
    deepest.normal.setZero();
    for (const auto &contact : result.getContacts())
        if (contact.penetrationDepth > deepest.penetrationDepth)
            deepest = contact;
    Vector3d n = deepest.normal;
    std::printf("%s;%s;%d %.12g %.12g %.12g %.12g\n", name, bound, touches,
                deepest.penetrationDepth, n.x(), n.y(), n.z());
}

static void shapes_touch()
{
    auto box = std::make_shared<dynamics::BoxShape>(Vector3d(1, 1, 1));
    auto ball = std::make_shared<dynamics::SphereShape>(0.5);
    auto pill = std::make_shared<dynamics::CapsuleShape>(0.3, 1);
    auto drum = std::make_shared<dynamics::CylinderShape>(0.4, 1);
    auto floor = std::make_shared<dynamics::PlaneShape>(Vector3d(0, 0, 1), 0.0);
    touch("spheres", ball, ball, Vector3d(0.3, 0.4, 0.5), 0, "1e-9");
    touch("spheres apart", ball, ball, Vector3d(0.3, 0.9, 0.5), 0, "1e-9");
    touch("sphere on box", box, ball, Vector3d(0.1, 0.2, 0.9), 0, "1e-9");
    touch("boxes", box, box, Vector3d(0.1, 0.2, 0.95), 0.2, "1e-9");
    touch("boxes apart", box, box, Vector3d(0.1, 1.2, 1.95), 0.2, "1e-9");
    touch("capsules", pill, pill, Vector3d(0.3, 0.1, 0.2), 0.7, "1e-9");
    touch("capsule on sphere", ball, pill, Vector3d(0.1, 0.2, 1), 0.5, "1e-9");
    touch("box on plane", floor, box, Vector3d(3, 2, 0.4), 0.6, "1e-9");
    touch("capsule on plane", floor, pill, Vector3d(3, 2, 0.4), 0.6, "1e-9");
    touch("cylinder on plane", floor, drum, Vector3d(3, 2, 0.4), 0.6, "1e-9");
    touch("sphere on heights", heights(), ball, Vector3d(0.3, 0.2, 0.6), 0, "1e-6");
}

/* --- bodies fall on the ground */

static dynamics::BodyNode *body(const simulation::WorldPtr &world, const char *name,
                                const dynamics::ShapePtr &shape, const Vector3d &at)
{
    auto skeleton = dynamics::Skeleton::create(name);
    auto pair = skeleton->createJointAndBodyNodePair<dynamics::FreeJoint>();
    pair.second->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    dynamics::Inertia inertia;
    inertia.setMass(2);
    inertia.setMoment(shape->computeInertia(2));
    pair.second->setInertia(inertia);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pair.first->setTransform(pose);
    world->addSkeleton(skeleton);
    return pair.second;
}

static void bodies_fall()
{
    auto world = simulation::World::create();
    world->getConstraintSolver()->setCollisionDetector(detector);
    auto ground = dynamics::Skeleton::create("ground");
    ground->createJointAndBodyNodePair<dynamics::WeldJoint>()
        .second->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(
            std::make_shared<dynamics::BoxShape>(Vector3d(20, 20, 1)));
    world->addSkeleton(ground);
    auto cube = std::make_shared<dynamics::BoxShape>(Vector3d(0.4, 0.4, 0.4));
    std::vector<dynamics::BodyNode *> bodies;
    bodies.push_back(body(world, "low", cube, Vector3d(0, 0, 0.72)));
    bodies.push_back(body(world, "high", cube, Vector3d(0.05, 0, 1.15)));
    bodies.push_back(
        body(world, "ball", std::make_shared<dynamics::SphereShape>(0.2), Vector3d(2, 0, 1)));
    bodies.push_back(
        body(world, "pill", std::make_shared<dynamics::CapsuleShape>(0.2, 0.4), Vector3d(4, 0, 1)));
    world->setTimeStep(0.002);
    for (int i = 0; i < 500; ++i)
        world->step();
    for (auto *one : bodies) {
        Vector3d at = one->getTransform().translation();
        std::printf("%s has fallen;1e-6;%.12g %.12g %.12g\n", one->getSkeleton()->getName().c_str(),
                    at.x(), at.y(), at.z());
    }
}

int main()
{
    detector = collision::OdeCollisionDetector::create();
    shapes_touch();
    bodies_fall();
    return 0;
}
