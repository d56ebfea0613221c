/* ray.c: rays as geoms, and where they meet others.
 *
 * A ray meets a solid where it comes in, or, from within, where it goes out; ODE turns the normal
 * of the latter inwards, against the ray, and so it is done here. */
#include "ode/collision/ray.h"
#include "ode/collision/trimesh.h"

#include "ode/odemath.h"

/* --- as geoms */

#define IS_LENGTH(x) CHECK(isfinite(x) && (x) >= 0, #x, "must be finite and at least 0")

dGeomID dCreateRay(dSpaceID space, dReal length)
{
    dGeomID ray = IS_LENGTH(length) ? lode__ode_geom_create(space, dRayClass) : NULL;
    if (ray)
        ray_of(ray)->length = length;
    return ray;
}

void dGeomRaySetLength(dGeomID ray, dReal length)
{
    if (!IS_GEOM(ray, dRayClass) || !IS_LENGTH(length))
        return;
    ray_of(ray)->length = length;
    lode__ode_geom_moved(ray);
}

dReal dGeomRayGetLength(dGeomID ray)
{
    return IS_GEOM(ray, dRayClass) ? ray_of(ray)->length : 0;
}

/* The rotation that turns z to a direction. */
static void turn_to(dMatrix3 R, lode_vec3 direction)
{
    dVector3 n = {0, 0, 0, 0}, p, q;
    put_vec(n, v3_normalize_or(direction, v3(0, 0, 1)));
    dPlaneSpace(n, p, q);
    for (int i = 0; i < 3; ++i) {
        R[4 * i] = p[i];
        R[4 * i + 1] = q[i];
        R[4 * i + 2] = n[i];
        R[4 * i + 3] = 0;
    }
}

void dGeomRaySet(dGeomID ray, dReal px, dReal py, dReal pz, dReal dx, dReal dy, dReal dz)
{
    dMatrix3 R;
    if (!IS_GEOM(ray, dRayClass) || !CHECK_FINITE(px, py, pz) || !CHECK_FINITE(dx, dy, dz) ||
        !CHECK(dx != 0 || dy != 0 || dz != 0, "dx, dy, dz", "must not all be 0"))
        return;
    turn_to(R, v3(dx, dy, dz));
    dGeomSetRotation(ray, R);
    dGeomSetPosition(ray, px, py, pz);
}

static lode__line line_of(dGeomID ray)
{
    lode__pose pose = lode__ode_geom_pose(ray);
    return (lode__line){pose.position, q_rotate(pose.rotation, v3(0, 0, 1))};
}

void dGeomRayGet(dGeomID ray, dVector3 start, dVector3 dir)
{
    if (!IS_GEOM(ray, dRayClass) || !CHECK_GIVEN(start) || !CHECK_GIVEN(dir))
        return;
    lode__line line = line_of(ray);
    put_vec(start, line.origin);
    put_vec(dir, line.direction);
}

void dGeomRaySetParams(dGeomID g, int FirstContact, int BackfaceCull)
{
    dGeomRaySetFirstContact(g, FirstContact);
    dGeomRaySetBackfaceCull(g, BackfaceCull);
}

void dGeomRayGetParams(dGeomID g, int *FirstContact, int *BackfaceCull)
{
    if (!CHECK_GIVEN(FirstContact) || !CHECK_GIVEN(BackfaceCull))
        return;
    *FirstContact = dGeomRayGetFirstContact(g);
    *BackfaceCull = dGeomRayGetBackfaceCull(g);
}

void dGeomRaySetFirstContact(dGeomID g, int firstContact)
{
    if (IS_GEOM(g, dRayClass))
        ray_of(g)->first = firstContact != 0;
}

int dGeomRayGetFirstContact(dGeomID g)
{
    return IS_GEOM(g, dRayClass) && ray_of(g)->first;
}

void dGeomRaySetBackfaceCull(dGeomID g, int backfaceCull)
{
    if (IS_GEOM(g, dRayClass))
        ray_of(g)->culls = backfaceCull != 0;
}

int dGeomRayGetBackfaceCull(dGeomID g)
{
    return IS_GEOM(g, dRayClass) && ray_of(g)->culls;
}

void dGeomRaySetClosestHit(dGeomID g, int closestHit)
{
    if (IS_GEOM(g, dRayClass))
        ray_of(g)->closest = closestHit != 0;
}

int dGeomRayGetClosestHit(dGeomID g)
{
    return IS_GEOM(g, dRayClass) && ray_of(g)->closest;
}

/* --- where they meet a solid */

int lode__ode_ray_meet(dGeomID ray, dGeomID solid, dContactGeom *out)
{
    const lode__query_type *row = &lode__query_types[solid->geometry.type];
    lode__pose pose = lode__ode_geom_pose(solid);
    lode__place place = place_of(solid, &pose);
    lode__line line = line_of(ray);
    line.origin = lode__from_place(&place, line.origin);
    lode__span span;
    if (!row->span(&place.view, &line, &span) || span.leave < 0)
        return 0;
    bool within = span.enter < 0;
    lode__part_hit hit = {.t = within ? span.leave : span.enter,
                          .part = within ? span.leave_part : span.enter_part,
                          .back = within};
    if (hit.t > ray_of(ray)->length)
        return 0;
    lode__surface_point at;
    row->end(&place.view, &line, &hit, &at);
    put_vec(out->pos, lode__to_world(&place, at.position));
    put_vec(out->normal, within ? v3_neg(at.normal) : at.normal);
    out->depth = hit.t;
    out->side2 = -1;
    return 1;
}

/* --- where they meet a mesh, or a height field */

typedef struct hit_list {
    dGeomID ray, mesh;
    lode__part_hit hits[LODE__ODE_HITS]; /* the nearest first */
    int count, room;
} hit_list;

static bool is_before(const lode__part_hit *a, const lode__part_hit *b)
{
    return a->t != b->t ? a->t < b->t : a->part < b->part;
}

static lode_real hear(void *context, const lode__part_hit *hit, lode_real most)
{
    hit_list *list = context;
    bool full = list->count == list->room, is_mesh = list->mesh->number == dTriMeshClass;
    if (full && !is_before(hit, &list->hits[list->count - 1]))
        return most;
    dTriRayCallback *accept = is_mesh ? trimesh_of(list->mesh)->accept_hit : NULL;
    if (accept && !accept(list->mesh, list->ray, hit->part, hit->u, hit->v))
        return most;
    int at = full ? list->count - 1 : list->count++;
    for (; at > 0 && is_before(hit, &list->hits[at - 1]); --at)
        list->hits[at] = list->hits[at - 1];
    list->hits[at] = *hit;
    return list->count == list->room ? list->hits[list->count - 1].t : most;
}

int lode__ode_ray_meet_mesh(dGeomID ray, dGeomID mesh, const struct lode__collide_kernels *kernels,
                            dContactGeom *out, int room)
{
    const lode__query_type *row = &lode__query_types[mesh->geometry.type];
    const lode__ode_ray *r = ray_of(ray);
    hit_list list = {.ray = ray, .mesh = mesh, .room = r->first || r->closest ? 1 : room};
    lode__pose pose = lode__ode_geom_pose(mesh);
    lode__place place = place_of(mesh, &pose);
    lode__line line = line_of(ray);
    line.origin = lode__from_place(&place, line.origin);
    row->cast(kernels, &place.view, &line, r->culls ? LODE_FRONT_FACES : LODE_BOTH_FACES, r->length,
              hear, &list);
    for (int i = 0; i < list.count; ++i) {
        lode__surface_point at;
        row->end(&place.view, &line, &list.hits[i], &at);
        put_vec(out[i].pos, lode__to_world(&place, at.position));
        put_vec(out[i].normal, at.normal);
        out[i].depth = list.hits[i].t;
        out[i].side2 = list.hits[i].part;
    }
    return list.count;
}
