/* custom.c: asking the application's classes; see custom.h. What they answer is looked at before it
 * is believed: a number that is none must not come into a tree or a solver. */
#include "collide/custom.h"

#include "core/memory.h"

enum { MOST_POINTS = 64 };

/* m, from the centre: so far reaches what has no end. */
#define ENDLESS ((lode_real)1e9)

/* --- bounds and mass */

bool lode__custom_box(const lode_custom *custom, lode_quat rotation, lode_bounds *out)
{
    const lode_vec3 far = v3(ENDLESS, ENDLESS, ENDLESS);
    lode_bounds box = custom->own->bounds ? custom->own->bounds(custom->bytes, rotation)
                                          : lode__custom_convex_bounds(custom, rotation);
    lode_vec3 lo = box.lower, hi = box.upper;
    bool good = lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z && /* and so no NaN */
                lo.x <= far.x && lo.y <= far.y && lo.z <= far.z && hi.x >= -far.x &&
                hi.y >= -far.y && hi.z >= -far.z;
    if (good)
        *out = (lode_bounds){v3_max(lo, v3_neg(far)), v3_min(hi, far)};
    return good;
}

lode__reach lode__custom_reach(const lode__shape_view *shape)
{
    lode_bounds box;
    if (!lode__custom_box(custom_of(shape->data), shape->rotation, &box))
        return (lode__reach){{0, 0, 0}, {0, 0, 0}};
    lode_vec3 lo = box.lower, hi = box.upper;
    lode_vec3 half = v3_scale(v3_sub(hi, lo), (lode_real)0.5);
    lode_vec3 slack = v3_scale(v3_add(v3_abs(lo), v3_abs(hi)), 4 * REAL_EPSILON);
    return (lode__reach){v3_add(lo, half), v3_add(half, slack)};
}

lode_mass lode__custom_mass(const lode__shape_view *shape, lode_real density)
{
    const lode_custom *custom = custom_of(shape->data);
    return custom->own->mass ? custom->own->mass(custom->bytes, density) : (lode_mass){0};
}

/* --- rays */

static bool find_span(const lode__shape_view *shape, lode_vec3 origin, lode_vec3 direction,
                      lode_custom_span *out)
{
    const lode_custom *custom = custom_of(shape->data);
    lode_vec3 from = q_rotate_inv(shape->rotation, origin);
    lode_vec3 along = q_rotate_inv(shape->rotation, direction);
    *out = (lode_custom_span){0};
    bool met = custom->own->ray       ? custom->own->ray(custom->bytes, from, along, out)
               : custom->own->support ? lode__custom_convex_span(custom, from, along, out)
                                      : false;
    return met && out->enter <= out->leave;
}

bool lode__span_custom(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    lode_custom_span span;
    if (!find_span(shape, line->origin, line->direction, &span))
        return false;
    *out = (lode__span){span.enter, span.leave, 0, 1};
    return true;
}

void lode__end_custom(const lode__shape_view *shape, const lode__line *line,
                      const lode__part_hit *hit, lode__surface_point *out)
{
    lode_custom_span span;
    find_span(shape, line->origin, line->direction, &span);
    lode_vec3 normal = v3_normalize_or(hit->part ? span.leave_normal : span.enter_normal,
                                       v3(0, 0, 1));
    out->position = v3_madd(line->origin, line->direction, hit->t);
    out->normal = q_rotate(shape->rotation, normal);
}

/* --- boxes */

bool lode__custom_overlaps_box(const lode__shape_view *shape, lode_vec3 from_box, lode_vec3 half)
{
    const lode_custom *custom = custom_of(shape->data);
    lode_pose pose = {from_box, shape->rotation};
    return !custom->own->overlaps_box || custom->own->overlaps_box(custom->bytes, pose, half);
}

/* --- pairs */

static lode_custom_collide_fn *ask(const lode__shape_data *data, uint32_t type,
                                   const lode__shape_data *other)
{
    const lode_custom_class *own = custom_of(data)->own;
    const lode_custom_class *class = type == LODE_CUSTOM ? custom_of(other)->own : NULL;
    lode_custom_collide_fn *collide = own->select ? own->select((lode_shape_type)type, class)
                                                  : lode_custom_collide_convex;
    bool general = collide == lode_custom_collide_convex;
    return general && !(own->support && (!class || class->support)) ? NULL : collide;
}

bool lode__custom_select(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                         const lode__shape_data *data_b, lode_custom_collide_fn **out)
{
    *out = type_a == LODE_CUSTOM ? ask(data_a, type_b, data_b) : NULL;
    if (type_b != LODE_CUSTOM || *out)
        return true;
    *out = ask(data_b, type_a, data_a);
    return false;
}

bool lode__custom_lets_pass(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                            const lode__shape_data *data_b)
{
    lode_custom_collide_fn *collide = NULL;
    if (type_a != LODE_CUSTOM && type_b != LODE_CUSTOM)
        return false;
    lode__custom_select(type_a, data_a, type_b, data_b, &collide);
    return !collide;
}

bool lode__custom_is_on_surface(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                                const lode__shape_data *data_b)
{
    lode_custom_collide_fn *collide;
    if (!type_is_surface(type_a) && !type_is_surface(type_b))
        return false;
    lode__custom_select(type_a, data_a, type_b, data_b, &collide);
    return collide == lode_custom_collide_convex;
}

lode_custom_other lode__custom_describe(uint32_t type, const lode_real *size, const void *data,
                                        lode_pose pose)
{
    lode_custom_other other = {.type = (lode_shape_type)type, .pose = pose};
    switch (type) {
    case LODE_SPHERE:
        other.radius = size[0];
        break;
    case LODE_CAPSULE:
    case LODE_CYLINDER:
        other.radius = size[0];
        other.half_length = size[1];
        break;
    case LODE_BOX:
        other.half_extents = v3(size[0], size[1], size[2]);
        break;
    case LODE_PLANE:
        other.normal = v3(size[0], size[1], size[2]);
        other.offset = size[3];
        break;
    case LODE_HULL:
        other.hull = (const lode_hull *)data;
        break;
    case LODE_MESH:
        other.mesh = (const lode_mesh *)data;
        break;
    case LODE_HEIGHTFIELD:
        other.heightfield = (const lode_heightfield *)data;
        break;
    default:
        other.custom = custom_of(data);
    }
    return other;
}

void lode__custom_other_size(const lode_custom_other *other, lode_real out_size[4])
{
    lode_vec3 h = other->half_extents;
    bool box = other->type == LODE_BOX;
    out_size[0] = box ? h.x : other->radius;
    out_size[1] = box ? h.y : other->half_length;
    out_size[2] = box ? h.z : 0;
    out_size[3] = 0;
}

bool lode__custom_is_point(const lode_custom_point *p, lode_real margin)
{
    return v3_finite(p->position) && v3_finite(p->normal) && !v3_is_zero(p->normal) &&
           r_finite(p->depth) && p->depth >= -margin;
}

/* As points of meshes are: from the centre of the other shape, but for a plane's. */
static void add_point(const lode_custom_point *p, lode_vec3 from, lode__mesh_points *out)
{
    if (out->failed ||
        !lode__grow((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items)) {
        out->failed = true;
        return;
    }
    out->items[out->count++] = (lode__mesh_point){
        .position = v3_sub(p->position, from),
        .normal = v3_normalize_or(p->normal, v3(0, 0, 1)),
        .depth = p->depth,
        .feature = p->feature,
        .triangle = p->child < 0 ? UINT32_MAX : (uint32_t)p->child,
    };
}

void lode__custom_points(const lode__many_view *view, lode_real speculative, lode__mesh_points *out)
{
    lode_custom_collide_fn *collide;
    bool is_a = lode__custom_select(view->a->type, view->data_a, view->b->type, view->data_b,
                                    &collide);
    const lode__pose *own = is_a ? view->pose_a : view->pose_b;
    const lode__pose *theirs = is_a ? view->pose_b : view->pose_a;
    lode_vec3 away = is_a ? view->offset : v3_neg(view->offset);
    lode_pose pose = {q_rotate_inv(own->rotation, away),
                      q_mul(q_conj(own->rotation), theirs->rotation)};
    const lode__geometry *g = is_a ? view->b : view->a;
    lode_custom_other other = lode__custom_describe(g->type, g->size,
                                                    is_a ? view->data_b : view->data_a, pose);
    lode_custom_point points[MOST_POINTS];
    const lode_custom *custom = custom_of(is_a ? view->data_a : view->data_b);
    int count = collide ? collide(custom->bytes, &other, speculative, points, MOST_POINTS) : 0;
    for (int i = 0; i < count && i < MOST_POINTS; ++i)
        if (lode__custom_is_point(&points[i], speculative) && points[i].depth > -speculative)
            add_point(&points[i], other.type == LODE_PLANE ? v3_zero() : pose.position, out);
}
