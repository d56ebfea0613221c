/* pieces.c: the shapes as convex pieces, one after another; see pieces.h. */
#include "collide/pieces.h"

#include "collide/surface.h"

typedef struct piece_walk {
    const lode__shape_view *shape;
    uint32_t type;
    lode_vec3 lo, hi;
    lode__piece_fn *visit;
    void *context;
} piece_walk;

typedef void walk_fn(const piece_walk *walk);

/* All of a convex solid. */
static void walk_solid(const piece_walk *walk)
{
    lode__piece piece = {
        .solid = convex_make(&lode__convex_types[walk->type], walk->shape->size, walk->shape->data),
        .child = -1};
    walk->visit(walk->context, &piece);
}

static void walk_class(const piece_walk *walk)
{
    lode__piece piece = {.asked = true, .child = -1};
    if (lode__is_convex(walk->type, walk->shape->data))
        walk_solid(walk);
    else
        walk->visit(walk->context, &piece);
}

static void walk_plane(const piece_walk *walk)
{
    const lode_real *size = walk->shape->size;
    lode__piece piece = {.normal = d3_normalize_or(d3(size[0], size[1], size[2]), d3(0, 0, 1)),
                         .offset = size[3],
                         .child = -1};
    walk->visit(walk->context, &piece);
}

static bool visit_triangle(void *context, uint32_t triangle, const lode__triangle *t)
{
    const piece_walk *walk = context;
    const lode__shape_data *surface = walk->shape->data;
    lode__piece piece = {.solid = convex_make(&lode__convex_triangle, NULL, t->v),
                         .normal = d3_from(surface_normal(surface, triangle, t)),
                         .one_sided = !surface_two_sided(surface),
                         .child = (int32_t)triangle};
    piece.offset = d3_dot(piece.normal, d3_from(t->v[0]));
    return walk->visit(walk->context, &piece);
}

static void walk_surface(const piece_walk *walk)
{
    lode__surface_walk(walk->shape->data, v3_zero(), walk->lo, walk->hi, visit_triangle,
                       (void *)walk);
}

/* clang-format off */
static walk_fn *const walks[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE]   = walk_solid,
    [LODE_BOX]      = walk_solid,
    [LODE_PLANE]    = walk_plane,
    [LODE_CAPSULE]  = walk_solid,
    [LODE_CYLINDER] = walk_solid,
    [LODE_MESH]     = walk_surface,
    [LODE_HULL]     = walk_solid,
    [LODE_HEIGHTFIELD] = walk_surface,
    [LODE_CUSTOM]   = walk_class,
};
/* clang-format on */

void lode__pieces_near(uint32_t type, const lode__shape_view *shape, lode_vec3 lo, lode_vec3 hi,
                       lode__piece_fn *visit, void *context)
{
    piece_walk walk = {shape, type, lo, hi, visit, context};
    if (walks[type])
        walks[type](&walk);
}
