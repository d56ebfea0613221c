/* lode.h: the whole public API of Lode. See docs/ for the architecture and the figures. */
#ifndef LODE_LODE_H
#define LODE_LODE_H

#include "types.h"

#include "body.h"
#include "joint.h"
#include "setup.h"
#include "shape.h"
#include "world.h"

#endif
