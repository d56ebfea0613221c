/* engine_bullet.cpp: Bullet as a peer: its sequential impulse solver with default settings (one
 * friction direction per point, split impulse, warm starting), the dynamic-tree broad phase, no
 * deactivation, and the benchmark's number of iterations.
 *
 * Bullet collides and solves in one call, so it has no stages here, and solver timings are those
 * of whole steps: the part that does not depend on the iteration count cancels. */
#include "bench/engine.h"
#include "bench/tool.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace
{

struct bullet_world {
    const bench_scene *scene;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
    std::vector<std::unique_ptr<btStridingMeshInterface>> meshes;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; /* per body of the scene */
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

btScalar real(double value)
{
    return static_cast<btScalar>(value);
}

btVector3 vector(const double v[3])
{
    return btVector3(real(v[0]), real(v[1]), real(v[2]));
}

btCollisionShape *create_mesh(bullet_world *w, const bench_mesh &mesh)
{
    auto *triangles = new btTriangleIndexVertexArray(
        mesh.triangle_count, reinterpret_cast<int *>(mesh.triangles), sizeof mesh.triangles[0],
        mesh.vertex_count, reinterpret_cast<btScalar *>(mesh.vertices), sizeof mesh.vertices[0]);
    w->meshes.emplace_back(triangles);
    return new btBvhTriangleMeshShape(triangles, true);
}

btCollisionShape *create_shape(bullet_world *w, const bench_body &body)
{
    if (body.shape == BENCH_MESH)
        return create_mesh(w, *body.mesh);
    if (body.shape == BENCH_SPHERE)
        return new btSphereShape(real(body.size[0]));
    if (body.shape == BENCH_BOX)
        return new btBoxShape(vector(body.size));
    if (body.shape == BENCH_CAPSULE)
        return new btCapsuleShapeZ(real(body.size[0]), real(2 * body.size[1]));
    return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
}

void add_body(bullet_world *w, const bench_body &body)
{
    double inertia[3], mass = bench_body_mass(&body, inertia);
    w->shapes.emplace_back(create_shape(w, body));
    const double *q = body.rotation;
    btTransform pose(btQuaternion(real(q[1]), real(q[2]), real(q[3]), real(q[0])),
                     vector(body.position));
    btRigidBody::btRigidBodyConstructionInfo info(real(mass), nullptr, w->shapes.back().get(),
                                                  vector(inertia));
    info.m_startWorldTransform = pose;
    /* Bullet multiplies the two coefficients of a pair */
    info.m_friction = real(std::sqrt(w->scene->friction));
    info.m_restitution = real(std::sqrt(w->scene->restitution));
    w->bodies.emplace_back(new btRigidBody(info));
    w->bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    int group = body.dynamic ? 1 : 2;
    int mask = !body.collides ? 0 : body.dynamic ? 3 : 1;
    w->world.addRigidBody(w->bodies.back().get(), group, mask);
}

void add_joint(bullet_world *w, const bench_joint &joint)
{
    btRigidBody &a = *w->bodies[static_cast<size_t>(joint.body_a)];
    btRigidBody &b = *w->bodies[static_cast<size_t>(joint.body_b)];
    btTransform to_a = a.getWorldTransform().inverse(), to_b = b.getWorldTransform().inverse();
    btVector3 at_a = to_a * vector(joint.anchor), at_b = to_b * vector(joint.anchor);
    if (joint.type == BENCH_BALL) {
        w->joints.emplace_back(new btPoint2PointConstraint(a, b, at_a, at_b));
    } else {
        btVector3 axis = vector(joint.axis);
        auto *hinge = new btHingeConstraint(a, b, at_a, at_b, to_a.getBasis() * axis,
                                            to_b.getBasis() * axis);
        if (std::isfinite(joint.lo))
            hinge->setLimit(real(joint.lo), real(joint.hi));
        if (joint.torque > 0)
            hinge->enableAngularMotor(true, real(joint.speed), real(joint.torque * BENCH_DT));
        w->joints.emplace_back(hinge);
    }
    w->world.addConstraint(w->joints.back().get(), true);
}

void *bullet_create(const bench_scene *scene, const bench_options *options)
{
    bullet_world *w = new bullet_world;
    w->scene = scene;
    w->world.setGravity(vector(scene->gravity));
    w->world.getSolverInfo().m_numIterations = options->iterations;
    for (int i = 0; i < scene->body_count; ++i)
        add_body(w, scene->bodies[i]);
    for (int i = 0; i < scene->joint_count; ++i)
        add_joint(w, scene->joints[i]);
    return w;
}

void bullet_destroy(void *world)
{
    bullet_world *w = static_cast<bullet_world *>(world);
    for (auto &joint : w->joints)
        w->world.removeConstraint(joint.get());
    for (auto &body : w->bodies)
        w->world.removeRigidBody(body.get());
    delete w;
}

bool bullet_step(void *world)
{
    static_cast<bullet_world *>(world)->world.stepSimulation(real(BENCH_DT), 0);
    return true;
}

int bullet_stages(void *, bench_stage *)
{
    return 0;
}

void bullet_probe(void *, const bench_probe *)
{
}

void bullet_counts(void *world, bench_counts *out_counts)
{
    bullet_world *w = static_cast<bullet_world *>(world);
    bench_counts counts = {};
    for (int i = 0; i < w->dispatcher.getNumManifolds(); ++i) {
        int points = w->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        counts.contacts += points > 0;
        counts.points += points;
    }
    counts.contact_rows = 2 * counts.points;
    counts.joint_rows = bench_joint_rows(w->scene);
    counts.lane_occupancy = counts.overflow = -1;
    counts.bytes_per_body = counts.bytes_per_contact = -1;
    *out_counts = counts;
}

void copy(const btVector3 &v, double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = v[i];
}

void bullet_read(void *world, bench_state *out_states)
{
    bullet_world *w = static_cast<bullet_world *>(world);
    for (size_t i = 0; i < w->bodies.size(); ++i) {
        const btTransform &pose = w->bodies[i]->getWorldTransform();
        const btQuaternion q = pose.getRotation();
        const double rotation[4] = {q.w(), q.x(), q.y(), q.z()};
        copy(pose.getOrigin(), out_states[i].position);
        for (int k = 0; k < 4; ++k)
            out_states[i].rotation[k] = rotation[k];
        copy(w->bodies[i]->getLinearVelocity(), out_states[i].linear);
        copy(w->bodies[i]->getAngularVelocity(), out_states[i].angular);
    }
}

double bullet_time_solve(void *world, int iterations)
{
    bullet_world *w = static_cast<bullet_world *>(world);
    int usual = w->world.getSolverInfo().m_numIterations;
    w->world.getSolverInfo().m_numIterations = iterations;
    double start = bench_now();
    bullet_step(world);
    double seconds = bench_now() - start;
    w->world.getSolverInfo().m_numIterations = usual;
    return seconds;
}

int bullet_cast(void *world, const bench_ray *rays, int count, double *out_distances)
{
    bullet_world *w = static_cast<bullet_world *>(world);
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        btVector3 from = vector(rays[i].origin);
        btVector3 to = from + vector(rays[i].direction) * real(rays[i].length);
        btCollisionWorld::ClosestRayResultCallback result(from, to);
        w->world.rayTest(from, to, result);
        out_distances[i] = rays[i].length * (result.hasHit() ? result.m_closestHitFraction : 1);
        hits += result.hasHit();
    }
    return hits;
}

} // namespace

extern "C" int bench_bullet_push(void *world, const bench_ray *rays, int count,
                                 double *out_distances)
{
    const double half[3] = BENCH_PUSHED_BOX;
    bullet_world *w = static_cast<bullet_world *>(world);
    btBoxShape box(vector(half));
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        const double *o = rays[i].origin, *d = rays[i].direction, h = rays[i].length;
        btVector3 from = vector(o), to(real(o[0] + d[0] * h), real(o[1] + d[1] * h),
                                       real(o[2] + d[2] * h));
        btCollisionWorld::ClosestConvexResultCallback result(from, to);
        w->world.convexSweepTest(&box, btTransform(btQuaternion::getIdentity(), from),
                                 btTransform(btQuaternion::getIdentity(), to), result);
        out_distances[i] = h * (result.hasHit() ? result.m_closestHitFraction : 1);
        hits += result.hasHit();
    }
    return hits;
}

extern "C" const bench_engine bench_engine_bullet = {
    "bullet",
    sizeof(btScalar) == sizeof(double) ? "double" : "single",
    BENCH_BULLET_VERSION,
    "sequential impulse",
    bullet_create,
    bullet_destroy,
    bullet_step,
    bullet_stages,
    bullet_probe,
    bullet_counts,
    bullet_read,
    bullet_time_solve,
    nullptr, /* missed */
    bullet_cast,
};
