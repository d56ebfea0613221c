/* mesh_apart.c: how far a mesh, or a height field, is from another shape.
 *
 * The triangles that may be nearest are looked at one by one, near ones first (mesh_search.c); the
 * distance of a triangle from a convex solid comes from collide/gjk.h. Of two surfaces each
 * triangle of one that is near enough asks the other's tree. A plane has the distance of the lowest
 * vertex, which is the depth where it is below.
 *
 * A surface of triangles has no depth in anything: where it is touched, or a closed mesh or a thick
 * field holds the other shape within it, the distance is 0. */
#include "collide/apart.h"
#include "collide/gjk.h"
#include "collide/mesh.h"
#include "collide/shape_type.h"
#include "collide/surface.h"
#include "collide/touch.h"

/* What is known of the nearest place so far: in world axes, from the centre of the other shape. */
typedef struct place {
    lode__double3 normal, on_mesh, on_other; /* the normal leads from the mesh to the other */
} place;

static lode__convex triangle_of(const lode_vec3 corners[3])
{
    return convex_make(&lode__convex_triangle, NULL, corners);
}

/* Puts a pair's nearest places into `out` if they are within `most`; says how far to look from then
 * on. All is in the axes of the pair. a is the other shape, b a triangle of the mesh. */
static double take_nearest(const lode__convex_pair *pair, double most, place *out)
{
    lode__nearest near;
    lode__gjk_nearest(pair, most + pair->a.radius, &near);
    double distance = near.gap - pair->a.radius;
    if (!(distance < most))
        return most;
    out->normal = near.normal;
    out->on_mesh = near.on_b;
    out->on_other = d3_madd(near.on_a, near.normal, -pair->a.radius);
    if (distance > 0)
        return distance;
    out->on_other = out->on_mesh;
    return -1;
}

/* --- a convex solid */

typedef struct solid_search {
    lode__convex solid;
    lode_quat rotation; /* to the mesh's axes */
    lode_vec3 center;   /* in the surface's frame */
    double distance;
    place nearest; /* in the solid's axes */
} solid_search;

static double visit_solid(void *context, uint32_t triangle, const lode__triangle *corners,
                          double most)
{
    solid_search *s = context;
    (void)triangle;
    lode__convex_pair pair = lode__convex_pair_make(s->solid, s->rotation, triangle_of(corners->v),
                                                    q_identity(), v3_zero());
    s->distance = take_nearest(&pair, most, &s->nearest);
    return s->distance;
}

static void write_apart(const place *p, double distance, const lode__double33 *turn,
                        lode_vec3 offset, lode__apart *out)
{
    *out = (lode__apart){.distance = (lode_real)d_max(distance, 0),
                         .normal = v3_neg(d3_to(d33_mul(turn, p->normal))),
                         .on_a = v3_add(offset, d3_to(d33_mul(turn, p->on_mesh))),
                         .on_b = v3_add(offset, d3_to(d33_mul(turn, p->on_other)))};
}

static void from_solid(const lode__shape_view *a, uint32_t type, const lode__shape_view *b,
                       lode_vec3 offset, lode__apart *out)
{
    solid_search s = {.solid = convex_make(&lode__convex_types[type], b->size, b->data),
                      .rotation = q_mul(q_conj(a->rotation), b->rotation),
                      .center = q_rotate_inv(a->rotation, offset),
                      .distance = __builtin_inf()};
    lode__shape_view turned = {b->size, s.rotation, b->data};
    lode__reach reach = lode__shape_types[type].reach(&turned);
    lode__double3 middle = d3_add(d3_from(s.center), d3_from(reach.middle));
    lode__double3 half = d3_from(reach.half);
    lode__surface_search(a->data, s.center, d3_sub(middle, half), d3_add(middle, half), s.distance,
                         visit_solid, &s);
    lode__double33 to_mesh = d33_from_quat(s.rotation), turn = d33_from_quat(b->rotation);
    lode__double3 on_solid = d3_add(d3_from(s.center), d33_mul(&to_mesh, s.nearest.on_other));
    if (s.distance > 0 && lode__surface_holds(a->data, on_solid))
        s.distance = 0;
    write_apart(&s.nearest, s.distance, &turn, offset, out);
}

/* --- a plane */

static void from_plane(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                       lode__apart *out)
{
    lode_vec3 normal = view_normal(b);
    lode__double33 turn = d33_from_quat(a->rotation);
    lode__double3 n = d3_from(normal);
    lode__double3 lowest = lode__surface_support(a->data, d33_mul_t(&turn, d3_neg(n)));
    out->normal = normal;
    out->on_a = d3_to(d33_mul(&turn, lowest));
    out->distance = v3_dot(normal, v3_sub(out->on_a, offset)) - b->size[3];
    out->on_b = v3_madd(out->on_a, normal, -out->distance);
}

/* --- another surface */

/* Places of a field are seen from where the other surface is, as its origin may be far away. */
typedef struct surfaces {
    const lode__shape_data *a, *b;
    lode_vec3 origin_a, origin_b; /* in their own frames */
    lode__double33 turn;          /* from a's axes to b's */
    lode__double3 offset;         /* from origin_b to origin_a, in b's axes */
    lode__double3 v[3];           /* a triangle of a, from origin_b in b's axes */
    double distance;
    place nearest; /* in b's axes, from the first corner of that triangle: `on_other` is b's */
    lode__double3 origin;
} surfaces;

static double visit_b(void *context, uint32_t triangle, const lode__triangle *t, double most)
{
    surfaces *s = context;
    lode_vec3 a[3], b[3];
    (void)triangle;
    for (int k = 0; k < 3; ++k) {
        a[k] = d3_to(d3_sub(s->v[k], s->v[0]));
        b[k] = d3_to(d3_sub(d3_from(t->v[k]), s->v[0]));
    }
    lode__convex_pair pair = lode__convex_pair_make(triangle_of(b), q_identity(), triangle_of(a),
                                                    q_identity(), v3_zero());
    place found;
    double distance = take_nearest(&pair, most, &found);
    if (distance < most) {
        s->nearest = found;
        s->origin = s->v[0];
    }
    s->distance = distance;
    return distance;
}

static double visit_a(void *context, uint32_t triangle, const lode__triangle *t, double most)
{
    surfaces *s = context;
    (void)triangle;
    for (int k = 0; k < 3; ++k)
        s->v[k] = d3_add(s->offset, d33_mul(&s->turn, d3_from(t->v[k])));
    lode__double3 lo = s->v[0], hi = s->v[0], from = d3_from(s->origin_b);
    for (int k = 1; k < 3; ++k) {
        lo = d3(d_min(lo.x, s->v[k].x), d_min(lo.y, s->v[k].y), d_min(lo.z, s->v[k].z));
        hi = d3(d_max(hi.x, s->v[k].x), d_max(hi.y, s->v[k].y), d_max(hi.z, s->v[k].z));
    }
    s->distance = most;
    lode__surface_search(s->b, s->origin_b, d3_add(from, lo), d3_add(from, hi), most, visit_b, s);
    return s->distance;
}

static void from_surface(const lode__shape_view *a, uint32_t type_b, const lode__shape_view *b,
                         lode_vec3 offset, lode__apart *out)
{
    lode__double33 turn_a = d33_from_quat(a->rotation), turn_b = d33_from_quat(b->rotation);
    lode__double3 away = d3_from(offset), x = d3(1, 0, 0), y = d3(0, 1, 0), z = d3(0, 0, 1);
    surfaces s = {.a = a->data, .b = b->data, .distance = __builtin_inf()};
    lode__double3 cx = d33_mul_t(&turn_b, d33_mul(&turn_a, x));
    lode__double3 cy = d33_mul_t(&turn_b, d33_mul(&turn_a, y));
    lode__double3 cz = d33_mul_t(&turn_b, d33_mul(&turn_a, z));
    s.turn = (lode__double33){d3(cx.x, cy.x, cz.x), d3(cx.y, cy.y, cz.y), d3(cx.z, cy.z, cz.z)};
    s.offset = d33_mul_t(&turn_b, d3_neg(away));
    if (s.a->type == LODE_HEIGHTFIELD) {
        s.origin_a = d3_to(d33_mul_t(&turn_a, away));
        s.offset = d3_add(s.offset, d33_mul(&s.turn, d3_from(s.origin_a)));
    }
    if (s.b->type == LODE_HEIGHTFIELD) {
        s.origin_b = d3_to(s.offset);
        s.offset = d3_sub(s.offset, d3_from(s.origin_b));
    }
    /* b's box, in a's axes */
    lode__shape_view turned = {b->size, q_mul(q_conj(a->rotation), b->rotation), b->data};
    lode__reach reach = lode__shape_types[type_b].reach(&turned);
    lode__double3 middle = d3_add(d33_mul_t(&turn_a, away), d3_from(reach.middle));
    lode__double3 half = d3_from(reach.half);
    lode__surface_search(s.a, s.origin_a, d3_sub(middle, half), d3_add(middle, half), s.distance,
                         visit_a, &s);
    lode__double3 from_a = d3_from(s.origin_a), from_b = d3_from(s.origin_b);
    lode__double3 on_a = d3_add(s.origin, s.nearest.on_mesh);
    lode__double3 on_b = d3_add(s.origin, s.nearest.on_other);
    lode__double3 on_b_in_a = d3_add(from_a, d33_mul_t(&s.turn, d3_sub(on_b, s.offset)));
    place found = {s.nearest.normal, d3_add(from_b, on_a), d3_add(from_b, on_b)};
    if (s.distance > 0 &&
        (lode__surface_holds(s.b, found.on_mesh) || lode__surface_holds(s.a, on_b_in_a)))
        s.distance = 0;
    write_apart(&found, s.distance, &turn_b, offset, out);
}

static bool is_endless(const lode__shape_data *surface)
{
    return surface->type == LODE_HEIGHTFIELD && field_of(surface)->wrap;
}

/* The triangles of the one that ends are looked at, each near the other. */
static bool between_surfaces(const lode__shape_view *a, uint32_t type_a, const lode__shape_view *b,
                             uint32_t type_b, lode_vec3 offset, lode__apart *out)
{
    lode__apart swapped;
    if (is_endless(a->data) && is_endless(b->data))
        return false;
    if (!is_endless(a->data)) {
        from_surface(a, type_b, b, offset, out);
        return true;
    }
    from_surface(b, type_a, a, v3_neg(offset), &swapped);
    *out = apart_swapped(&swapped, offset);
    return true;
}

bool lode__surface_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                         const lode__shape_view *b, lode_vec3 offset, lode__apart *out)
{
    if (type_is_surface(type_b))
        return between_surfaces(a, type_a, b, type_b, offset, out);
    if (lode__is_convex(type_b, b->data))
        from_solid(a, type_b, b, offset, out);
    else if (type_b == LODE_PLANE)
        from_plane(a, b, offset, out);
    else
        return false;
    return true;
}
