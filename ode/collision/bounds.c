/* bounds.c: boxes around geoms, along the axes of the world. */
#include "ode/collision/space.h"

#include <string.h>

#define UNBOUNDED ((dReal)INFINITY)

static void put_bounds(dReal out[6], lode_vec3 lo, lode_vec3 hi)
{
    const dReal bounds[6] = {lo.x, hi.x, lo.y, hi.y, lo.z, hi.z};
    memcpy(out, bounds, sizeof bounds);
}

static void no_bounds(dReal out[6])
{
    for (int i = 0; i < 6; ++i)
        out[i] = i % 2 ? UNBOUNDED : -UNBOUNDED;
}

/* Of the shape that it is. */
static void bound_shape(dGeomID geom, dReal out[6])
{
    lode__pose room;
    lode__place place = place_of(geom, lode__ode_geom_pose_in(geom, &room));
    lode__aabb box = lode__bounds_at(&place, geom->geometry.type);
    put_bounds(out, v3(box.lo[0], box.lo[1], box.lo[2]), v3(box.hi[0], box.hi[1], box.hi[2]));
}

void lode__ode_geom_bound(dGeomID geom)
{
    if (!geom->unbounded)
        return;
    geom->unbounded = false; /* first: who asks a geom of its own class about it ends here */
    geom->moves += geom_is_space(geom); /* its members' bounds may be others now */
    if (geom->class->bound)
        geom->class->bound(geom, geom->bounds);
    else
        bound_shape(geom, geom->bounds);
}

/* A half-space has a face where its normal lies along an axis. */
void lode__ode_plane_bound(dGeomID geom, dReal out_bounds[6])
{
    const lode_real *n = geom->geometry.size;
    no_bounds(out_bounds);
    for (int i = 0; i < 3; ++i) {
        if (n[(i + 1) % 3] != 0 || n[(i + 2) % 3] != 0)
            continue;
        out_bounds[2 * i + (n[i] > 0)] = n[i] > 0 ? n[3] : -n[3];
    }
}

void lode__ode_ray_bound(dGeomID geom, dReal out_bounds[6])
{
    lode__pose pose = lode__ode_geom_pose(geom);
    lode_vec3 way = v3_scale(q_rotate(pose.rotation, v3(0, 0, 1)), ray_of(geom)->length);
    lode_vec3 end = v3_add(pose.position, way);
    put_bounds(out_bounds, v3_min(pose.position, end), v3_max(pose.position, end));
}

/* Without members, the origin: there is nothing to be met. */
void lode__ode_space_bound(dGeomID geom, dReal out_bounds[6])
{
    enum { AHEAD = 6 };
    const lode__ode_nearness *near = &space_of(geom)->near;
    bool any = false;
    memset(out_bounds, 0, 6 * sizeof *out_bounds);
    for (uint32_t slot = 0; slot < near->slot_count; ++slot) {
        dGeomID member = near->slots[slot];
        if (slot + 2 * AHEAD < near->slot_count && near->slots[slot + 2 * AHEAD])
            fetch_geom(near->slots[slot + 2 * AHEAD]);
        if (slot + AHEAD < near->slot_count && near->slots[slot + AHEAD])
            fetch_body(near->slots[slot + AHEAD]);
        if (!member)
            continue;
        lode__ode_geom_bound(member);
        for (int i = 0; i < 6; ++i) {
            dReal x = member->bounds[i], y = out_bounds[i];
            out_bounds[i] = !any || (i % 2 ? x > y : x < y) ? x : y;
        }
        any = true;
    }
}

void dGeomGetAABB(dGeomID geom, dReal aabb[6])
{
    if (!CHECK_GIVEN(geom) || !CHECK_GIVEN(aabb))
        return;
    lode__ode_geom_bound(geom);
    memcpy(aabb, geom->bounds, sizeof geom->bounds);
}

void dInfiniteAABB(dGeomID geom, dReal aabb[6])
{
    (void)geom;
    if (CHECK_GIVEN(aabb))
        no_bounds(aabb);
}
