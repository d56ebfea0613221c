/* ode.h: all of the ODE face that there is. */
#ifndef _ODE_ODE_H_
#define _ODE_ODE_H_

#include <ode/odeconfig.h>
#include <ode/collision.h>
#include <ode/collision_space.h>
#include <ode/collision_trimesh.h>
#include <ode/common.h>
#include <ode/compatibility.h>
#include <ode/contact.h>
#include <ode/cooperative.h>
#include <ode/error.h>
#include <ode/export-dif.h>
#include <ode/mass.h>
#include <ode/matrix.h>
#include <ode/matrix_coop.h>
#include <ode/memory.h>
#include <ode/misc.h>
#include <ode/objects.h>
#include <ode/odeinit.h>
#include <ode/odemath.h>
#include <ode/rotation.h>
#include <ode/threading.h>
#include <ode/threading_impl.h>
#include <ode/timer.h>
#include <ode/version.h>

#ifdef __cplusplus
#include <ode/odecpp.h>
#include <ode/odecpp_collision.h>
#endif

#endif
