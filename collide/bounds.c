/* bounds.c: the bounds stage.
 *
 * Where each shape is, what it covers, and whether it left its fat bounds. Then the tree takes the
 * new fat bounds of all that did. Looked at are the shapes that look for pairs anyway, and those of
 * bodies whose pose is another than the last time (`posed`): an active body that stands still costs
 * nothing here.
 *
 * A shape's bounds include half the speculative margin, so that two shapes whose bounds are apart
 * have no contact point, and a rounding allowance that grows with the distance from the origin.
 * Fat bounds include them entirely; so which pairs are within their bounds, and with it every
 * contact, does not depend on when fat bounds were last made.
 *
 * Fat bounds reach further in the direction of motion: a falling body then looks for pairs every
 * few steps and not in each. */
#include "collide/collide.h"
#include "collide/shape_type.h"
#include "core/error.h"
#include "core/math.h"

/* For how many steps of its present motion a fat box lasts. */
#define LOOK_AHEAD ((lode_real)4)

/* The most that the margin may be of a shape's size, so that small shapes do not pair with all
 * that is near. */
#define MARGIN_SHARE ((lode_real)0.05)

typedef struct bounds_run {
    lode__collide *collide;
    const lode__pool *bodies;
    const lode__step *step;
    uint32_t *moved; /* slots */
    lode__aabb *fat;
} bounds_run;

static bool fat_contains(const lode__node *fat, const lode__aabb *bounds)
{
    return fat->lo[0] <= bounds->lo[0] && fat->lo[1] <= bounds->lo[1] &&
           fat->lo[2] <= bounds->lo[2] && bounds->hi[0] <= fat->hi[0] &&
           bounds->hi[1] <= fat->hi[1] && bounds->hi[2] <= fat->hi[2];
}

/* True when it looks for pairs where it is now. */
static bool place_shape(const bounds_run *run, uint32_t shape)
{
    lode__collide *collide = run->collide;
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    const lode__pose *body = LODE__AT(body, run->bodies, pose, geometry->body);
    lode__pose *pose = LODE__AT(shape, &collide->shapes, pose, shape);
    pose->position = q_rotate(body->rotation, geometry->center.position);
    pose->rotation = q_mul(body->rotation, geometry->center.rotation);

    lode__aabb *bounds = LODE__AT(shape, &collide->shapes, bounds, shape);
    const lode__shape_type *type = &lode__shape_types[geometry->type];
    if (!type->reach) {
        *bounds = (lode__aabb){{-REAL_MAX, -REAL_MAX, -REAL_MAX, 0},
                               {REAL_MAX, REAL_MAX, REAL_MAX, 0}};
        return true;
    }
    lode_real grow = LODE__SPECULATIVE(run->step->settings) / 2;
    lode__shape_view view = {geometry->size, pose->rotation,
                             *LODE__AT(shape, &collide->shapes, data, shape)};
    lode__reach reach = type->reach(&view);
    lode_vec3 center = v3_add(pose->position, reach.middle);
    *bounds = lode__make_bounds(v3_add(body->position, center), reach.half, grow);
    return !lode__tree_has(&collide->tree, shape) ||
           !fat_contains(lode__tree_leaf(&collide->tree, shape), bounds);
}

/* Blocks are whole chunks, so that they are whole words of bit sets. */
static void place_moved(void *context, uint32_t begin, uint32_t end)
{
    const bounds_run *run = context;
    for (uint32_t word = begin >> 6; word << 6 < end; ++word)
        for (uint64_t left = run->collide->moved.words[word]; left; left &= left - 1)
            place_shape(run, (word << 6) + (uint32_t)__builtin_ctzll(left));
}

static void place_body(const bounds_run *run, uint32_t body)
{
    lode__collide *collide = run->collide;
    uint32_t s = LODE__AT(body, run->bodies, links, body)->first_shape;
    for (; s != LODE__NONE; s = LODE__AT(shape, &collide->shapes, links, s)->next_shape)
        if (lode__bits_get(&collide->active, s) && place_shape(run, s))
            lode__bits_set_shared(&collide->moved, s);
}

static void place_posed(void *context, uint32_t begin, uint32_t end)
{
    const bounds_run *run = context;
    for (uint32_t word = begin >> 6; word << 6 < end; ++word)
        for (uint64_t left = run->collide->posed.words[word]; left; left &= left - 1)
            place_body(run, (word << 6) + (uint32_t)__builtin_ctzll(left));
}

/* --- fat bounds */

static void stretch(lode_real *lo, lode_real *hi, lode_real margin, lode_real motion)
{
    margin = r_min(margin, (*hi - *lo) * MARGIN_SHARE);
    *lo -= margin + r_max(-motion, 0);
    *hi += margin + r_max(motion, 0);
}

static void fatten_block(void *context, uint32_t begin, uint32_t end)
{
    const bounds_run *run = context;
    lode__pool *shapes = &run->collide->shapes;
    lode_real margin = LODE__FAT_MARGIN(run->step->settings);
    for (uint32_t i = begin; i < end; ++i) {
        uint32_t body = LODE__AT(shape, shapes, geometry, run->moved[i])->body;
        lode_vec3 v = LODE__AT(body, run->bodies, velocity, body)->linear;
        lode_vec3 motion = v3_scale(v, run->step->dt * LOOK_AHEAD);
        lode__aabb fat = *LODE__AT(shape, shapes, bounds, run->moved[i]);
        stretch(&fat.lo[0], &fat.hi[0], margin, motion.x);
        stretch(&fat.lo[1], &fat.hi[1], margin, motion.y);
        stretch(&fat.lo[2], &fat.hi[2], margin, motion.z);
        run->fat[i] = fat;
    }
}

/* The bounded ones among the moved shapes. */
static uint32_t list_moved(const lode__collide *collide, uint32_t *out)
{
    uint32_t count = 0;
    const lode__bits *moved = &collide->moved;
    for (uint32_t s = lode__bits_next(moved, 0); s != UINT32_MAX; s = lode__bits_next(moved, s + 1))
        if (shape_is_bounded(LODE__AT(shape, &collide->shapes, geometry, s)))
            out[count++] = s;
    return count;
}

static bool update_tree(bounds_run *run)
{
    lode__collide *collide = run->collide;
    uint32_t count = lode__bits_count(&collide->moved);
    if (count == 0)
        return true;
    run->moved = LODE__TAKE(run->step->arena, uint32_t, count);
    run->fat = LODE__TAKE(run->step->arena, lode__aabb, count);
    if (!run->moved || !run->fat)
        return false;
    count = list_moved(collide, run->moved);
    lode__tasks_run(run->step->tasks, count, LODE__CHUNK, fatten_block, run);
    lode__tree_update(&collide->tree, run->moved, run->fat, count, run->step->tasks,
                      run->step->arena);
    return true;
}

bool lode__bounds_run(lode__collide *collide, const lode__pool *bodies, const lode__step *step)
{
    bounds_run run = {.collide = collide, .bodies = bodies, .step = step};
    collide->touching_count = 0;
    lode__tasks_run(step->tasks, collide->shapes.end, LODE__CHUNK, place_moved, &run);
    lode__tasks_run(step->tasks, bodies->end, LODE__CHUNK, place_posed, &run);
    if (!update_tree(&run))
        return false;
    lode__bits_assign(&collide->posed, NULL, 0);
    return true;
}

/* --- checks */

static bool same_vector(lode_vec3 a, lode_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void lode__bounds_validate(const lode__collide *collide, const lode__pool *bodies)
{
    const lode__bits *active = &collide->active;
    for (uint32_t s = lode__bits_next(active, 0); s != UINT32_MAX;
         s = lode__bits_next(active, s + 1)) {
        const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, s);
        const lode__pose *pose = LODE__AT(shape, &collide->shapes, pose, s);
        lode_quat r = LODE__AT(body, bodies, pose, geometry->body)->rotation;
        lode_quat turned = q_mul(r, geometry->center.rotation);
        if (lode__bits_get(&collide->posed, geometry->body) || lode__bits_get(&collide->moved, s))
            continue;
        LODE__ASSERT(same_vector(pose->position, q_rotate(r, geometry->center.position)));
        LODE__ASSERT(turned.w == pose->rotation.w &&
                     same_vector(v3(turned.x, turned.y, turned.z),
                                 v3(pose->rotation.x, pose->rotation.y, pose->rotation.z)));
    }
}
