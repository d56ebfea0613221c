/* kinds.c: the tables of the kinds of pool, made from their component lists. */
#include "core/articulations.h"
#include "core/bodies.h"
#include "core/contact.h"
#include "core/joints.h"
#include "core/shapes.h"
#include "core/tendons.h"

#define BODY_ROW(...) LODE__POOL_ROW_(lode__body_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(body, LODE__BODY_COMPONENTS, BODY_ROW)

#define SAMPLES_ROW(...) LODE__POOL_ROW_(lode__samples_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(samples, LODE__SAMPLES_COMPONENTS, SAMPLES_ROW)

#define SHAPE_ROW(...) LODE__POOL_ROW_(lode__shape_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(shape, LODE__SHAPE_COMPONENTS, SHAPE_ROW)

#define JOINT_ROW(...) LODE__POOL_ROW_(lode__joint_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(joint, LODE__JOINT_COMPONENTS, JOINT_ROW)

#define MANIFOLD_ROW(...) LODE__POOL_ROW_(lode__manifold_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(manifold, LODE__MANIFOLD_COMPONENTS, MANIFOLD_ROW)

#define ARTICULATION_ROW(...) LODE__POOL_ROW_(lode__articulation_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(articulation, LODE__ARTICULATION_COMPONENTS, ARTICULATION_ROW)

#define LINK_ROW(...) LODE__POOL_ROW_(lode__link_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(link, LODE__LINK_COMPONENTS, LINK_ROW)

#define TENDON_ROW(...) LODE__POOL_ROW_(lode__tendon_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(tendon, LODE__TENDON_COMPONENTS, TENDON_ROW)

#define TENDON_PART_ROW(...) LODE__POOL_ROW_(lode__tendon_part_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(tendon_part, LODE__TENDON_PART_COMPONENTS, TENDON_PART_ROW)

#define MIMIC_ROW(...) LODE__POOL_ROW_(lode__mimic_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(mimic, LODE__MIMIC_COMPONENTS, MIMIC_ROW)
