/* robots_bullet.cpp: Bullet's multi-bodies (Featherstone's algorithm) in the benchmark. */
#include "bench/robots.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace
{

struct bullet_side {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    std::vector<std::unique_ptr<btMultiBody>> robots;
};

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

btVector3 vector(const double v[3])
{
    return btVector3(real(v[0]), real(v[1]), real(v[2]));
}

btVector3 inertia_of(const bench_robot_link &link)
{
    const double *h = link.half, by = link.mass / 3;
    return btVector3(real(by * (h[1] * h[1] + h[2] * h[2])), real(by * (h[0] * h[0] + h[2] * h[2])),
                     real(by * (h[0] * h[0] + h[1] * h[1])));
}

std::unique_ptr<btMultiBody> make(const bench_robot &robot)
{
    const bench_robot_link &root = robot.link[0];
    std::unique_ptr<btMultiBody> body(new btMultiBody(robot.count - 1, real(root.mass),
                                                      inertia_of(root), !robot.floating, false));
    for (int i = 1; i < robot.count; ++i) {
        const bench_robot_link &link = robot.link[i];
        btVector3 axis(link.axis == 0, link.axis == 1, link.axis == 2);
        body->setupRevolute(i - 1, real(link.mass), inertia_of(link), link.parent - 1,
                            btQuaternion::getIdentity(), axis, vector(link.pivot),
                            vector(link.center), true);
    }
    body->finalizeMultiDof();
    body->setLinearDamping(0);
    body->setAngularDamping(0);
    body->setCanSleep(false);
    body->setUseGyroTerm(true);
    body->setMaxCoordinateVelocity(real(1e6));
    return body;
}

void *create(const bench_robot *robot, int copies, const char **)
{
    bullet_side *side = new bullet_side;
    side->world.setGravity(btVector3(0, 0, real(-9.81)));
    for (int i = 0; i < copies; ++i) {
        side->robots.push_back(make(*robot));
        side->world.addMultiBody(side->robots.back().get());
    }
    return side;
}

void step(void *of, double h)
{
    static_cast<bullet_side *>(of)->world.stepSimulation(real(h), 0);
}

double height(void *of)
{
    btMultiBody &body = *static_cast<bullet_side *>(of)->robots[0];
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> origins;
    body.forwardKinematics(turns, origins);
    return body.getLink(body.getNumLinks() - 1).m_cachedWorldTransform.getOrigin().z();
}

void destroy(void *of)
{
    bullet_side *side = static_cast<bullet_side *>(of);
    for (auto &robot : side->robots)
        side->world.removeMultiBody(robot.get());
    delete side;
}

} // namespace

extern "C" const bench_robot_engine bench_robots_bullet = {"Bullet", create, step, height, destroy};
