/* twin.h: an articulation twice: as a multibody of ours and as a model of MuJoCo's, in the same
 * random state.
 *
 * Joints of both have dofs of the same meaning but for their order, for the axes of a ball's
 * velocity (MuJoCo: those of the body; here those of the joint's child frame), and for the root's
 * (MuJoCo: of the body's origin, and about body axes; here of the centre of mass, world axes). So
 *     u_mujoco = T u,   u'_mujoco = T u' + drift,
 * with a square T. */
#ifndef LODE_TESTS_PEERS_TWIN_H
#define LODE_TESTS_PEERS_TWIN_H

#include "solver/articulation/dynamics.h"
#include "tests/support/random.h"

#include <mujoco/mujoco.h>

enum { TWIN_LINKS = 32, TWIN_DOFS = 6 * TWIN_LINKS, TWIN_SQUARE = TWIN_DOFS * TWIN_DOFS };

/* Axes of a link's joint, bits of lode__mb_joint: no turn, one or all three, and any slides. */
typedef struct twin_link {
    uint32_t parent;
    uint8_t axes;
} twin_link;

typedef struct twin_model {
    const char *name;
    bool fixed_base;
    uint32_t count;
    twin_link links[TWIN_LINKS];
} twin_model;

enum { TWIN_MODELS = 11 };
extern const twin_model twin_models[TWIN_MODELS];

/* What both are made of, and the tree of ours. */
typedef struct twin {
    const twin_model *model;
    _Alignas(8) char plan[4096];
    lode__mb_link links[TWIN_LINKS];
    lode__mb_dof dofs[TWIN_DOFS];
    lode__multibody tree;
    lode_vec3 body_center[TWIN_LINKS];   /* of mass, body axes */
    lode_vec3 body_position[TWIN_LINKS]; /* of the body in its parent's frame, joint at nothing */
    lode_quat body_rotation[TWIN_LINKS];
    lode_vec3 joint_position[TWIN_LINKS]; /* in the body's frame */
    lode_quat joint_rotation[TWIN_LINKS];
    lode_vec3 moments[TWIN_LINKS]; /* of inertia, in axes turned by: */
    lode_quat moment_rotation[TWIN_LINKS];
    double position[TWIN_DOFS]; /* of single turns and slides; balls have their turn */
    lode_quat ball[TWIN_LINKS];

    mjModel *mujoco;
    mjData *data;
    int body[TWIN_LINKS];
    double t[TWIN_SQUARE], drift[TWIN_DOFS]; /* rows: MuJoCo's */
} twin;

/* Random numbers for a model, in ours; placed, with speeds, factored. Armature is 0. */
void twin_make(twin *t, const twin_model *model, test_random *random);

/* The same in MuJoCo, with this gravity, in the state of ours. */
void twin_load(twin *t, const double gravity[3]);
void twin_free(twin *t);

#endif
