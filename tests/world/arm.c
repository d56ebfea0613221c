/* arm.c: see arm.h. */
#include "tests/world/arm.h"

static lode_world world_with(lode_vec3 gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = gravity;
    def.sub_steps = 1;
    return lode_world_create(&def);
}

/* Turns are about y of the links' ends, slides along x. */
arm arm_make_in(lode_world world, lode_link_joint_type type, int count, bool chain)
{
    arm l = {.world = world, .count = count};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    def.self_collision = false;
    l.articulation = lode_articulation_create(world, &def);
    for (int i = 0; i < count; ++i) {
        lode_link_def link = lode_link_def_default(i > 0 ? type : LODE_LINK_FIXED);
        link.parent = i == 0 ? (lode_body){0} : l.link[chain ? i - 1 : 0];
        if (type != LODE_LINK_PRISMATIC && i > 0) {
            link.parent_frame.position = vec(chain && i > 1 ? 0.5f : 0, chain ? 0 : 0.2f * i, 0);
            link.child_frame.position = vec(-0.5f, 0, 0);
            link.parent_frame.rotation = link.child_frame.rotation = (lode_quat){
                (lode_real)0.70710678118654752, 0, 0, (lode_real)0.70710678118654752};
        }
        l.link[i] = lode_articulation_add_link(l.articulation, &link);
        lode_mass mass = {.mass = 1 + 0.5f * i, .inertia = {0.1f, 0.1f, 0.1f}};
        assert_int_equal(lode_body_set_mass(l.link[i], &mass), LODE_OK);
    }
    return l;
}

arm arm_make(lode_link_joint_type type, int count, bool chain, lode_vec3 gravity)
{
    return arm_make_in(world_with(gravity), type, count, chain);
}

void arm_insert(const arm *l)
{
    assert_int_equal(lode_articulation_insert(l->articulation), LODE_OK);
}

static lode_link_axis_index axis_of(const arm *l)
{
    return lode_link_get_type(l->link[1]) == LODE_LINK_PRISMATIC ? LODE_AXIS_X : LODE_AXIS_TWIST;
}

double arm_position(const arm *l, int link)
{
    return lode_link_get_axis(l->link[link], axis_of(l)).position;
}

double arm_speed(const arm *l, int link)
{
    return lode_link_get_axis(l->link[link], axis_of(l)).velocity;
}

void arm_step(const arm *l, double h, int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(l->world, (lode_real)h), LODE_OK);
}

lode_tendon arm_spatial(const arm *l, double stiffness, double damping, double limit_stiffness)
{
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    def.stiffness = (lode_real)stiffness;
    def.damping = (lode_real)damping;
    def.limit_stiffness = (lode_real)limit_stiffness;
    lode_tendon tendon = lode_tendon_create(l->articulation, &def);
    assert_true(lode_tendon_is_valid(tendon));
    return tendon;
}

int arm_attach(lode_tendon tendon, int parent, lode_body link, lode_vec3 point, double rest)
{
    lode_tendon_attachment a = lode_tendon_attachment_default();
    a.parent = parent;
    a.link = link;
    a.point = point;
    a.rest_length = (lode_real)rest;
    return lode_tendon_add_attachment(tendon, &a);
}

int arm_run_along(lode_tendon tendon, int parent, lode_body link, double coefficient,
                  double reciprocal)
{
    lode_tendon_joint j = {.parent = parent,
                           .link = link,
                           .coefficient = (lode_real)coefficient,
                           .reciprocal = (lode_real)reciprocal};
    return lode_tendon_add_joint(tendon, &j);
}

lode_mimic_def arm_pair(const arm *l, double ratio, double offset)
{
    lode_mimic_def def = lode_mimic_def_default();
    def.link_a = l->link[1];
    def.link_b = l->link[2];
    def.axis_a = def.axis_b = axis_of(l);
    def.gear_ratio = (lode_real)ratio;
    def.offset = (lode_real)offset;
    return def;
}
