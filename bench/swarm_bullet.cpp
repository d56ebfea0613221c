/* swarm_bullet.cpp: Bullet's dynamic tree as a finder of pairs, by the two calls that its collision
 * world makes in each step: new bounds of all objects, and the pairs. */
#include "bench/swarm.h"
#include "bench/tool.h"

#include <btBulletCollisionCommon.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace
{

struct bullet_side {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btCollisionWorld world{&dispatcher, &broad_phase, &configuration};
    std::vector<std::unique_ptr<btBoxShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
};

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

btVector3 vector(const double v[3])
{
    return btVector3(real(v[0]), real(v[1]), real(v[2]));
}

btTransform pose_of(const bench_swarm_box &box)
{
    const double *q = box.rotation;
    return btTransform(btQuaternion(real(q[1]), real(q[2]), real(q[3]), real(q[0])),
                       vector(box.position));
}

void *create(const bench_swarm *swarm)
{
    bullet_side *side = new bullet_side;
    for (int i = 0; i < swarm->count; ++i) {
        const bench_swarm_box &box = swarm->boxes[i];
        side->shapes.emplace_back(new btBoxShape(vector(box.half)));
        side->objects.emplace_back(new btCollisionObject);
        btCollisionObject *object = side->objects.back().get();
        object->setCollisionShape(side->shapes.back().get());
        object->setWorldTransform(pose_of(box));
        object->setActivationState(DISABLE_DEACTIVATION);
        side->world.addCollisionObject(object);
    }
    return side;
}

void destroy(void *finder)
{
    bullet_side *side = static_cast<bullet_side *>(finder);
    for (auto &object : side->objects)
        side->world.removeCollisionObject(object.get());
    delete side;
}

void move(void *finder, const bench_swarm *swarm)
{
    bullet_side *side = static_cast<bullet_side *>(finder);
    for (int i = 0; i < swarm->moving; ++i)
        side->objects[static_cast<size_t>(i)]->setWorldTransform(pose_of(swarm->boxes[i]));
}

double find(void *finder)
{
    bullet_side *side = static_cast<bullet_side *>(finder);
    double before = bench_now();
    side->world.updateAabbs();
    side->world.computeOverlappingPairs();
    return bench_now() - before;
}

int pairs(void *finder)
{
    bullet_side *side = static_cast<bullet_side *>(finder);
    return side->broad_phase.getOverlappingPairCache()->getNumOverlappingPairs();
}

} // namespace

extern "C" const bench_finder bench_finder_bullet = {"bullet tree", create, destroy, move, find, pairs};
