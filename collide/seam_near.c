/* seam_near.c: what of a shape is nearest to a point, as seams ask it.
 *
 * Each type answers by its own search (query_type.h). Floors are mostly boxes, and what rests on
 * them asks for eight or sixteen points in each step; so boxes have a short way here to what is
 * asked most. It gives what lode__nearest_box gives: a point outside is clamped to the box, and if
 * it is beside one face only, that face's normal is the direction. Boxes that are not turned need
 * no rotation.
 *
 * All points are from the centre of mass of the guest's body. */
#include "collide/seam_group.h"
#include "core/math.h"

/* A box as the guest sees it. */
typedef struct seen_box {
    bool turned;
    lode_quat rotation;
    lode_vec3 center, half;
} seen_box;

/* What a point is to a box. */
typedef struct box_look {
    lode_vec3 nearest, apart; /* in the box's frame */
    lode_real most;           /* largest coordinate of `apart`; 0: the point is inside */
} box_look;

static lode_vec3 center_of(const lode__seam_group *g, const lode__geometry *geometry,
                           const lode__pose *pose)
{
    lode_vec3 body = LODE__AT(body, g->all->bodies, pose, geometry->body)->position;
    return v3_add(v3_sub(body, g->guest), pose->position);
}

/* False: the shape is no box. */
static bool see_box(const lode__seam_group *g, uint32_t shape, seen_box *out)
{
    const lode__pool *shapes = &g->all->collide->shapes;
    const lode__geometry *geometry = LODE__AT(shape, shapes, geometry, shape);
    const lode__pose *pose = LODE__AT(shape, shapes, pose, shape);
    if (geometry->type != LODE_BOX)
        return false;
    lode_quat q = pose->rotation;
    out->turned = q.w != 1 || q.x != 0 || q.y != 0 || q.z != 0;
    out->rotation = q;
    out->center = center_of(g, geometry, pose);
    out->half = v3(geometry->size[0], geometry->size[1], geometry->size[2]);
    return true;
}

static inline box_look look_at_box(const seen_box *box, lode_vec3 point)
{
    box_look look;
    lode_vec3 at = v3_sub(point, box->center);
    if (box->turned)
        at = q_rotate_inv(box->rotation, at);
    look.nearest = v3_min(v3_max(at, v3_neg(box->half)), box->half);
    look.apart = v3_sub(at, look.nearest);
    look.most = r_max(r_abs(look.apart.x), r_max(r_abs(look.apart.y), r_abs(look.apart.z)));
    return look;
}

lode_real lode__seam_nearest(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                             lode__surface_point *out)
{
    const lode__pool *shapes = &g->all->collide->shapes;
    const lode__geometry *geometry = LODE__AT(shape, shapes, geometry, shape);
    const lode__pose *pose = LODE__AT(shape, shapes, pose, shape);
    lode__shape_view view = {geometry->size, pose->rotation, *LODE__AT(shape, shapes, data, shape)};
    lode_vec3 center = center_of(g, geometry, pose);
    lode_real distance = lode__query_types[geometry->type].nearest(&view, v3_sub(point, center),
                                                                   out);
    out->position = v3_add(out->position, center);
    return distance;
}

bool lode__seam_can_ask(const lode__seam_group *g, uint32_t shape)
{
    return lode__query_types[LODE__AT(shape, &g->all->collide->shapes, geometry, shape)->type]
               .nearest != NULL;
}

bool lode__seam_within_bounds(const lode__seam_group *g, uint32_t shape, lode_vec3 point)
{
    const lode__pool *shapes = &g->all->collide->shapes;
    const lode__aabb *box = LODE__AT(shape, shapes, bounds, shape);
    lode_vec3 at = v3_add(g->guest, point);
    if (LODE__AT(shape, shapes, geometry, shape)->type == LODE_PLANE)
        return true;
    return at.x >= box->lo[0] && at.x <= box->hi[0] && at.y >= box->lo[1] && at.y <= box->hi[1] &&
           at.z >= box->lo[2] && at.z <= box->hi[2];
}

/* Boxes that are clearly near or far need no square root. */
bool lode__seam_is_near(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                        lode_real distance)
{
    lode__surface_point on;
    seen_box box;
    if (see_box(g, shape, &box)) {
        box_look look = look_at_box(&box, point);
        if (look.most < distance / 2)
            return true;
        if (look.most > distance * 2)
            return false;
    }
    return lode__seam_nearest(g, shape, point, &on) <= distance;
}

bool lode__seam_normal(const lode__seam_group *g, uint32_t shape, lode_vec3 point,
                       lode_vec3 *out_normal)
{
    lode__surface_point on;
    seen_box box;
    if (see_box(g, shape, &box)) {
        lode_vec3 x = look_at_box(&box, point).apart;
        if ((x.x != 0) + (x.y != 0) + (x.z != 0) == 1 && v3_finite(x)) {
            lode_vec3 n = v3((x.x > 0) - (x.x < 0), (x.y > 0) - (x.y < 0), (x.z > 0) - (x.z < 0));
            *out_normal = box.turned ? q_rotate(box.rotation, n) : n;
            return true;
        }
    }
    lode_real distance = lode__seam_nearest(g, shape, point, &on);
    *out_normal = on.normal;
    return distance > 0;
}

/* Where to look for the host from: above the middle of what overlaps. */
static lode_vec3 above_point(const lode__seam_group *g, const lode__seam *s,
                             const lode__point *point, lode_vec3 push)
{
    lode_real above = g->all->speculative * LOOK + point->depth / 2;
    lode_vec3 middle = v3_add(point->position, push);
    if (s->guest != s->manifold->shape_a)
        middle = v3_add(middle, s->manifold->offset);
    return v3_madd(middle, s->normal, above);
}

lode_vec3 lode__seam_host_point(const lode__seam_group *g, const lode__seam *s,
                                const lode__point *point, lode_vec3 push)
{
    lode__surface_point on;
    lode_vec3 from = above_point(g, s, point, push);
    return lode__seam_nearest(g, s->host, from, &on) > 0 ? on.position : from;
}

void lode__seam_place(const lode__seam_group *g, lode__seam *s)
{
    seen_box box = {0};
    bool is_box = see_box(g, s->host, &box);
    for (int k = 0; k < s->manifold->point_count; ++k) {
        const lode__point *point = &s->manifold->points[k];
        if (!is_box) {
            s->places[k] = lode__seam_host_point(g, s, point, v3_zero());
            continue;
        }
        lode_vec3 from = above_point(g, s, point, v3_zero());
        box_look look = look_at_box(&box, from);
        if (box.turned)
            look.nearest = q_rotate(box.rotation, look.nearest);
        s->places[k] = look.most > 0 ? v3_add(look.nearest, box.center) : from;
    }
}
