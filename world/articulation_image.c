/* articulation_image.c: articulations in snapshots: their two pools and names. What models are made
 * of follows from the pools; their memory is taken before anything changes. */
#include <string.h>

#include "core/error.h"
#include "core/math.h"
#include "core/memory.h"
#include "world/articulation.h"
#include "world/snapshot.h"

/* ---- writing */

void lode__articulations_write(const lode__world *world, lode__writer *out)
{
    const lode__bits *alive = &world->articulations.alive;
    lode__image_write(&world->articulations, out);
    lode__image_write(&world->links, out);
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX;
         a = lode__bits_next(alive, a + 1)) {
        const char *name = *ARTICULATION(world, name, a);
        uint32_t size = name ? (uint32_t)strlen(name) + 1 : 0;
        lode__put_u32(out, size);
        lode__put(out, name ? name : "", size);
    }
    lode__tendons_write(world, out);
}

/* ---- reading, and what is sound */

typedef struct columns {
    const lode__articulations_image *image;
    const lode__pool_image *bodies;
    const char *head, *numbers, *tie, *joint, *axes, *state, *extra, *impulses;
    const char *body_link, *body_flags;
} columns;

/* The name that comes next; false: it is none. */
static bool get_name(lode__reader *in, const char **out_text, uint32_t *out_size)
{
    *out_size = lode__get_u32(in);
    *out_text = lode__get_array(in, *out_size, 1);
    return !in->failed &&
           (*out_size == 0 || memchr(*out_text, 0, *out_size) == *out_text + *out_size - 1);
}

bool lode__articulations_read(lode__articulations_image *image, lode__reader *in)
{
    const char *text;
    uint32_t size;
    if (!lode__image_read(&image->articulations, &lode__articulation_kind, in) ||
        !lode__image_read(&image->links, &lode__link_kind, in))
        return false;
    image->names = *in;
    for (uint32_t i = 0; i < image->articulations.count; ++i)
        if (!get_name(in, &text, &size))
            return false;
    return !in->failed && lode__tendons_read(image, in);
}

static bool are_at_least_0(const lode_real *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (!(x[i] >= 0))
            return false;
    return true;
}

static bool are_finite(const lode_real *x, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!r_finite(x[i]))
            return false;
    return true;
}

static bool pose_is_sound(const lode_pose *pose)
{
    return v3_finite(pose->position) && q_is_rotation(pose->rotation);
}

static bool axis_is_sound(const lode__link_axis *a)
{
    const lode_real finite[] = {a->lo, a->hi, a->target, a->target_velocity};
    const lode_real positive[] = {a->stiffness,
                                  a->damping,
                                  a->max_force,
                                  a->max_effort,
                                  a->max_speed,
                                  a->velocity_resistance,
                                  a->speed_effort_gradient,
                                  a->armature,
                                  a->static_friction,
                                  a->dynamic_friction,
                                  a->viscous_friction,
                                  a->max_velocity};
    const lode_real bounded[] = {a->stiffness,       a->damping,          a->armature,
                                 a->static_friction, a->viscous_friction, a->max_effort};
    return a->motion < LODE_MOTION_COUNT && a->drive < LODE_DRIVE_TYPE_COUNT &&
           are_finite(finite, 4) && are_at_least_0(positive, 12) && are_finite(bounded, 6) &&
           (a->motion != LODE_MOTION_LIMITED || a->lo < a->hi);
}

static bool values_are_sound(const columns *from, uint32_t link)
{
    lode__link_joint joint;
    lode__link_axes axes;
    lode__link_state state;
    lode__link_extra extra;
    lode__link_impulses impulses;
    LODE__LOAD(from->joint, link, &joint);
    LODE__LOAD(from->axes, link, &axes);
    LODE__LOAD(from->state, link, &state);
    LODE__LOAD(from->extra, link, &extra);
    LODE__LOAD(from->impulses, link, &impulses);
    const lode_real positive[] = {joint.friction, joint.cfm_scale, joint.linear_damping,
                                  joint.angular_damping};
    for (int k = 0; k < LODE_LINK_AXES; ++k)
        if (!axis_is_sound(&axes.axis[k]))
            return false;
    return pose_is_sound(&joint.parent_frame) && pose_is_sound(&joint.child_frame) &&
           are_at_least_0(positive, 4) && are_finite(positive, 4) && q_is_rotation(state.turn) &&
           are_finite(&state.turn.w, sizeof state / sizeof(lode_real)) &&
           are_finite(&extra.slide.x, sizeof extra / sizeof(lode_real)) &&
           are_finite(impulses.axis[0], sizeof impulses / sizeof(lode_real));
}

/* Link and body name each other; what the body's flags say follows from where the link is. */
static bool body_is_sound(const columns *from, uint32_t link, const lode__link_tie *tie,
                          uint32_t flags_of_articulation)
{
    uint32_t flags, back;
    if (!lode__image_has(from->bodies, tie->body))
        return false;
    LODE__LOAD(from->body_flags, tie->body, &flags);
    LODE__LOAD(from->body_link, tie->body, &back);
    bool inserted = flags_of_articulation & LODE__ARTICULATION_INSERTED;
    bool root = tie->parent == LODE__NONE;
    bool held = !inserted || (root && (flags_of_articulation & LODE__ARTICULATION_FIXED));
    return back == link + 1 && (flags & LODE__BODY_LINK) && (flags & LODE__BODY_DYNAMIC) &&
           !(flags & LODE__BODY_HELD) == !held;
}

/* The links in their order: the root first, parents before children. */
static bool links_are_sound(const columns *from, uint32_t articulation,
                            const lode__articulation_head *head, uint32_t *passed)
{
    const lode__pool_image *links = &from->image->links;
    uint32_t at = head->first_link, before = 0;
    for (uint32_t i = 0; i < head->link_count; ++i) {
        lode__link_tie tie, parent;
        if (!lode__image_has(links, at))
            return false;
        LODE__LOAD(from->tie, at, &tie);
        if (tie.articulation != articulation || tie.type >= LODE_LINK_JOINT_TYPE_COUNT ||
            (i > 0 && tie.order <= before) || (i == 0) != (tie.parent == LODE__NONE))
            return false;
        if (i > 0) {
            if (!lode__image_has(links, tie.parent))
                return false;
            LODE__LOAD(from->tie, tie.parent, &parent);
            if (parent.articulation != articulation || parent.order >= tie.order)
                return false;
        }
        if (!body_is_sound(from, at, &tie, head->flags) || !values_are_sound(from, at))
            return false;
        before = tie.order;
        at = tie.next;
        ++*passed;
    }
    return at == LODE__NONE;
}

static bool articulation_is_sound(const columns *from, uint32_t slot, uint32_t *passed)
{
    const uint32_t known = LODE__ARTICULATION_INSERTED | LODE__ARTICULATION_FIXED |
                           LODE__ARTICULATION_IMPULSES | LODE__ARTICULATION_SELF_TOUCHES |
                           LODE__ARTICULATION_STALE;
    lode__articulation_head head;
    lode__articulation_numbers numbers;
    LODE__LOAD(from->head, slot, &head);
    LODE__LOAD(from->numbers, slot, &numbers);
    bool empty = head.link_count == 0;
    return !(head.flags & ~known) && !(empty && (head.flags & LODE__ARTICULATION_INSERTED)) &&
           head.position_iterations >= 1 && head.position_iterations <= 255 &&
           head.velocity_iterations <= 255 && are_at_least_0(&numbers.sleep_threshold, 6) &&
           are_finite(&numbers.sleep_threshold, sizeof numbers / sizeof(lode_real)) &&
           links_are_sound(from, slot, &head, passed);
}

/* Each joint that says it is a loop joint is in the list of its articulation, once, and all of
 * these join two bodies. */
static bool loops_are_sound(const lode__articulations_image *image, const lode__pool_image *joints)
{
    const lode__pool_image *of = &image->articulations;
    const char *heads = LODE__COLUMN(articulation, of, head);
    const char *loops = LODE__COLUMN(joint, joints, loop);
    const char *records = LODE__COLUMN(joint, joints, joint);
    uint32_t listed = 0, said = 0;
    for (uint32_t a = lode__image_next(of, 0); a < of->end; a = lode__image_next(of, a + 1)) {
        lode__articulation_head head;
        lode__joint_loop loop;
        lode__joint joint;
        LODE__LOAD(heads, a, &head);
        for (uint32_t at = head.first_loop; at != LODE__NONE; at = loop.next) {
            if (!lode__image_has(joints, at) || ++listed > joints->count)
                return false;
            LODE__LOAD(loops, at, &loop);
            LODE__LOAD(records, at, &joint);
            if (loop.articulation != a + 1 || joint.type >= LODE_JOINT_TYPE_COUNT)
                return false;
        }
    }
    for (uint32_t j = lode__image_next(joints, 0); j < joints->end;
         j = lode__image_next(joints, j + 1)) {
        lode__joint_loop loop;
        LODE__LOAD(loops, j, &loop);
        said += loop.articulation != 0;
    }
    return listed == said;
}

/* Each link is in one list; each body that says it is a link is one. */
bool lode__articulations_are_sound(const lode__articulations_image *image,
                                   const lode__pool_image *bodies, const lode__pool_image *joints)
{
    const lode__pool_image *of = &image->articulations, *links = &image->links;
    columns from = {image,
                    bodies,
                    LODE__COLUMN(articulation, of, head),
                    LODE__COLUMN(articulation, of, numbers),
                    LODE__COLUMN(link, links, tie),
                    LODE__COLUMN(link, links, joint),
                    LODE__COLUMN(link, links, axes),
                    LODE__COLUMN(link, links, state),
                    LODE__COLUMN(link, links, extra),
                    LODE__COLUMN(link, links, impulses),
                    LODE__COLUMN(body, bodies, link),
                    LODE__COLUMN(body, bodies, flags)};
    uint32_t passed = 0, bound = 0;
    for (uint32_t a = lode__image_next(of, 0); a < of->end; a = lode__image_next(of, a + 1))
        if (!articulation_is_sound(&from, a, &passed))
            return false;
    for (uint32_t b = lode__image_next(bodies, 0); b < bodies->end;
         b = lode__image_next(bodies, b + 1)) {
        uint32_t link, flags;
        LODE__LOAD(from.body_link, b, &link);
        LODE__LOAD(from.body_flags, b, &flags);
        if (!(flags & LODE__BODY_LINK) != (link == 0) || (link == 0 && (flags & LODE__BODY_HELD)))
            return false;
        bound += link != 0;
    }
    return passed == links->count && bound == links->count && lode__tendons_are_sound(image) &&
           loops_are_sound(image, joints);
}

/* ---- setting back */

/* How many degrees of freedom an articulation of the image has. */
static uint32_t count_dofs(const lode__articulations_image *image,
                           const lode__articulation_head *head)
{
    const char *ties = LODE__COLUMN(link, &image->links, tie);
    const char *all_axes = LODE__COLUMN(link, &image->links, axes);
    uint32_t dofs = head->flags & LODE__ARTICULATION_FIXED ? 0 : LODE__MB_ROOT_DOFS;
    for (uint32_t l = head->first_link, i = 0; i < head->link_count; ++i) {
        lode__link_tie tie;
        lode__link_axes axes;
        LODE__LOAD(ties, l, &tie);
        LODE__LOAD(all_axes, l, &axes);
        for (int k = 0; k < LODE_LINK_AXES && tie.parent != LODE__NONE; ++k)
            dofs += axes.axis[k].motion != LODE_MOTION_LOCKED;
        l = tie.next;
    }
    return dofs;
}

void lode__articulations_give_up(lode__articulations_scratch *scratch)
{
    for (uint32_t a = 0; a < scratch->count; ++a) {
        lode__free(scratch->models[a], scratch->model_bytes[a]);
        lode__free(scratch->names[a], scratch->name_bytes[a]);
    }
    scratch->count = 0;
}

bool lode__articulations_reserve(const lode__articulations_image *image, lode__world *world,
                                 lode__articulations_scratch *out)
{
    const lode__pool_image *of = &image->articulations;
    const char *heads = LODE__COLUMN(articulation, of, head);
    lode__reader names = image->names;
    lode__arena *arena = &world->arena;
    *out = (lode__articulations_scratch){.models = LODE__TAKE_ZEROED(arena, void *, of->end),
                                         .names = LODE__TAKE_ZEROED(arena, char *, of->end),
                                         .model_bytes = LODE__TAKE_ZEROED(arena, size_t, of->end),
                                         .name_bytes = LODE__TAKE_ZEROED(arena, size_t, of->end)};
    if (!lode__image_reserve(of, &world->articulations) ||
        !lode__image_reserve(&image->links, &world->links) ||
        !lode__tendons_reserve(image, world) || !out->models || !out->names || !out->model_bytes ||
        !out->name_bytes)
        return false;
    out->count = of->end;
    for (uint32_t a = lode__image_next(of, 0); a < of->end; a = lode__image_next(of, a + 1)) {
        lode__articulation_head head;
        const char *text;
        uint32_t size;
        LODE__LOAD(heads, a, &head);
        get_name(&names, &text, &size);
        if (head.flags & LODE__ARTICULATION_INSERTED) {
            out->model_bytes[a] = lode__model_bytes(head.link_count, count_dofs(image, &head));
            out->models[a] = lode__alloc(out->model_bytes[a]);
        }
        out->name_bytes[a] = size;
        out->names[a] = size > 0 ? lode__alloc(size) : NULL;
        if (out->names[a])
            memcpy(out->names[a], text, size);
        if ((out->model_bytes[a] > 0 && !out->models[a]) || (size > 0 && !out->names[a])) {
            lode__articulations_give_up(out);
            return false;
        }
    }
    return true;
}

/* After the bodies. */
void lode__articulations_restore(const lode__articulations_image *image, lode__world *world,
                                 const lode__articulations_scratch *scratch)
{
    const lode__bits *alive = &world->articulations.alive;
    lode__limb_pools pools = limb_pools(world);
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX; a = lode__bits_next(alive, a + 1))
        lode__articulation_free_owned(world, a);
    lode__image_restore(&image->articulations, &world->articulations);
    lode__image_restore(&image->links, &world->links);
    lode__tendons_restore(image, world);
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX;
         a = lode__bits_next(alive, a + 1)) {
        *ARTICULATION(world, name, a) = scratch->names[a];
        lode__model *model = scratch->models[a];
        if (model) {
            lode__model_lay(&pools, a, model);
            model->number = ++world->models;
        }
        *ARTICULATION(world, model, a) = model;
    }
}
