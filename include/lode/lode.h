/* lode.h: the whole public API of Lode. See docs/ for the architecture and the figures. */
#ifndef LODE_LODE_H
#define LODE_LODE_H

#include "types.h"

#include "aggregate.h"
#include "body.h"
#include "collide.h"
#include "contact.h"
#include "coupling.h"
#include "custom.h"
#include "event.h"
#include "heightfield.h"
#include "hull.h"
#include "joint.h"
#include "articulation.h"
#include "articulation_dynamics.h"
#include "joint_group.h"
#include "mass.h"
#include "material.h"
#include "mesh.h"
#include "moved.h"
#include "query.h"
#include "setup.h"
#include "shape.h"
#include "sleep.h"
#include "snapshot.h"
#include "sound.h"
#include "space.h"
#include "step.h"
#include "surface.h"
#include "system.h"
#include "tendon.h"
#include "world.h"

#endif
