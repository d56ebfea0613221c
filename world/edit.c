/* edit.c: contacts that the application may change before they are solved; see lode/contact.h. */
#include "collide/mix.h"
#include "world/made.h"
#include "world/world.h"

static const char editor[] = "lode_contact_editor.edit";

/* A box's force and slip are the whole contact's to the application, each point's to the solver. */
static lode_real share_of(const lode__special *s, int k, lode_real points)
{
    return s->law[k] == LODE_LAW_BOX ? points : 1;
}

static lode_contact_def def_of(const lode__world *world, const lode__manifold *m)
{
    static const lode__special plain = {.bounce_speed = -1, .erp = -1, .cfm = -1};
    const lode__special *s = m->special ? special_of(&world->collide.manifolds, m) : &plain;
    const lode_real points = (lode_real)m->point_count;
    const lode_vec3 n = m->normal, t = contact_direction(m, n);
    lode_contact_def def = lode_contact_def_default();
    def.body_a = body_handle(world, m->body_a);
    def.body_b = body_handle(world, m->body_b);
    def.normal = n;
    def.direction = v3_is_zero(s->motion) ? m->tangent : t;
    def.restitution = m->restitution;
    for (int k = 0; k < 2; ++k) {
        def.friction[k] = r_min(m->friction[k] * share_of(s, k, points), REAL_MAX);
        def.law[k] = (lode_friction_law)s->law[k];
        def.slip[k] = s->slip[k] / points;
    }
    for (int k = 0; k < 3; ++k) {
        def.rolling[k] = s->rolling[k];
        def.rolling_is_moment[k] = s->moment[k];
    }
    def.bounce_speed = s->bounce_speed;
    def.soft_erp = s->erp;
    def.soft_cfm = s->cfm;
    def.motion[0] = v3_dot(s->motion, t);
    def.motion[1] = v3_dot(s->motion, v3_cross(n, t));
    def.motion_normal = v3_dot(s->motion, n);
    def.immovable = (lode_immovable)s->immovable;
    return def;
}

static void put_points(const lode__world *world, const lode__manifold *m, lode_contact_edit *out)
{
    lode_vec3 center = BODY(world, pose, m->body_a)->position;
    out->point_count = m->point_count;
    for (int k = 0; k < m->point_count; ++k) {
        const lode__point *p = &m->points[k];
        out->points[k] = (lode_contact_point){.position = v3_add(center, p->position),
                                              .depth = p->depth,
                                              .feature = p->feature,
                                              .child_a = (int)p->child_a - 1,
                                              .child_b = (int)p->child_b - 1};
        if (k > 0 && p->depth <= out->contact.depth)
            continue;
        out->contact.position = out->points[k].position;
        out->contact.depth = p->depth;
    }
}

static lode_vec3 velocity_between(const lode__world *world, const lode__manifold *m,
                                  lode_vec3 position)
{
    lode_vec3 arm = v3_sub(position, BODY(world, pose, m->body_a)->position);
    return v3_sub(velocity_at(BODY(world, velocity, m->body_a), arm),
                  velocity_at(BODY(world, velocity, m->body_b), v3_add(arm, m->offset)));
}

/* Do both say the same of what a contact acts by? Member by member: the record has padding. */
static bool act_alike(const lode_contact_def *a, const lode_contact_def *b)
{
    bool alike = memcmp(&a->direction, &b->direction, sizeof a->direction) == 0 &&
                 a->restitution == b->restitution && a->bounce_speed == b->bounce_speed &&
                 a->soft_erp == b->soft_erp && a->soft_cfm == b->soft_cfm &&
                 a->motion_normal == b->motion_normal && a->immovable == b->immovable;
    for (int k = 0; k < 2; ++k)
        alike = alike && a->friction[k] == b->friction[k] && a->law[k] == b->law[k] &&
                a->slip[k] == b->slip[k] && a->motion[k] == b->motion[k];
    for (int k = 0; k < 3; ++k)
        alike = alike && a->rolling[k] == b->rolling[k] &&
                a->rolling_is_moment[k] == b->rolling_is_moment[k];
    return alike;
}

static void refuse(lode__manifold *m)
{
    m->idle = 1;
    for (int k = 0; k < m->point_count; ++k)
        for (int i = 0; i < 3; ++i)
            m->points[k].impulse[i] = 0;
}

/* Of a good point. */
static void take(const lode__world *world, lode__manifold *m, uint32_t slot,
                 const lode__made_point *p)
{
    const lode_real points = (lode_real)m->point_count;
    lode__special s = p->special;
    for (int k = 0; k < 2; ++k) {
        m->friction[k] = p->friction[k] / share_of(&s, k, points);
        s.slip[k] = r_min(s.slip[k] * points, REAL_MAX);
    }
    m->tangent = p->tangent;
    m->restitution = p->restitution;
    lode__special_give(&world->collide, m, slot, &s);
}

void lode__contact_edit(void *context, lode__manifold *m, uint32_t slot)
{
    const lode__world *world = context;
    lode__made_point point;
    lode__made_axes axes = {.known = false};
    lode_contact_edit edit = {.shape_a = shape_handle(world, m->shape_a),
                              .shape_b = shape_handle(world, m->shape_b),
                              .user_data_a = *SHAPE(world, user_data, m->shape_a),
                              .user_data_b = *SHAPE(world, user_data, m->shape_b),
                              .contact = def_of(world, m)};
    uint32_t materials[2];
    lode__manifold_materials(&world->collide, m, materials);
    edit.material_a = kept_name(&world->collide.materials.names, materials[0]);
    edit.material_b = kept_name(&world->collide.materials.names, materials[1]);
    put_points(world, m, &edit);
    edit.velocity = velocity_between(world, m, edit.contact.position);
    const lode_contact_def before = edit.contact;
    world->def.editor.edit(world->def.editor.user, &edit);
    if (edit.refused) {
        refuse(m);
        return;
    }
    lode_contact_def wanted = edit.contact;
    wanted.normal = before.normal;
    wanted.position = before.position;
    wanted.depth = before.depth;
    if (!act_alike(&wanted, &before) && !lode__made_values(&wanted, &axes, &point, editor))
        take(world, m, slot, &point);
}
