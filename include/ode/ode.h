/* ode.h: all of the ODE face that there is. */
#ifndef _ODE_ODE_H_
#define _ODE_ODE_H_

#include "odeconfig.h"
#include "collision.h"
#include "collision_space.h"
#include "collision_trimesh.h"
#include "common.h"
#include "compatibility.h"
#include "contact.h"
#include "cooperative.h"
#include "error.h"
#include "mass.h"
#include "matrix.h"
#include "matrix_coop.h"
#include "memory.h"
#include "misc.h"
#include "objects.h"
#include "odeinit.h"
#include "odemath.h"
#include "rotation.h"
#include "threading.h"
#include "threading_impl.h"
#include "timer.h"
#include "version.h"

#endif
