/* Whom each public function that does something to a joint or a world wakes, and whom it does
 * not; and that no question wakes anybody. */
#include "tests/world/classes.h"
#include "tests/world/wake_row.h"

#include <stdio.h>
#include <stdlib.h>

#define NEW_VALUE ((lode_real)0.7)

/* --- joints */

static lode_joint join(asleep *a, lode_body one, lode_body two)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = one;
    def.body_b = two;
    lode_joint_def_anchor_world(&def, lode_body_get_center(one), vec(1, 0, 0));
    lode_joint joint = lode_joint_create(a->world, &def);
    assert_true(joint.id);
    return joint;
}
static void hold_crate(asleep *a)
{
    join(a, asleep_own(a, LODE_BOX), (lode_body){0});
}
static void tie_crate_to_ball(asleep *a)
{
    join(a, asleep_own(a, LODE_BOX), asleep_own(a, LODE_SPHERE));
}
static void tie_crate_to_support(asleep *a)
{
    join(a, asleep_crate_on(a, LODE_HULL), a->support[LODE_BOX]);
}
static void cut_rope(asleep *a)
{
    lode_joint_destroy(a->rope);
}
static void cut_line(asleep *a)
{
    lode_joint_destroy(a->line);
}
static void knee_axis(asleep *a)
{
    lode_joint_axis axis = lode_joint_get_def(a->knee).axis[0];
    lode_joint_set_axis(a->knee, 0, &axis);
}
static void knee_limits(asleep *a)
{
    lode_joint_set_limits(a->knee, 0, -1, 1);
}
static void knee_motor(asleep *a)
{
    lode_joint_set_motor(a->knee, 0, 1, 1);
}
static void knee_target(asleep *a)
{
    lode_joint_set_target(a->knee, 0, 1);
}
static void knee_erp(asleep *a)
{
    lode_joint_set_erp(a->knee, NEW_VALUE);
}
static void knee_cfm(asleep *a)
{
    lode_joint_set_cfm(a->knee, (lode_real)1e-6);
}
static void knee_frames(asleep *a)
{
    lode_joint_def def = lode_joint_get_def(a->knee);
    lode_joint_set_frames(a->knee, def.frame_a, def.frame_b);
}
static void wrist_position(asleep *a)
{
    lode_joint_set_position(a->wrist, 0, 1);
}
static void rope_distance(asleep *a)
{
    lode_joint_set_distance(a->rope, lode_joint_get_def(a->rope).distance);
}
static void knee_collides(asleep *a)
{
    lode_joint_set_collide_connected(a->knee, true);
}
static void knee_off(asleep *a)
{
    lode_joint_set_enabled(a->knee, false);
}
static void knee_stiff(asleep *a)
{
    lode_joint_set_stiff(a->knee, LODE_STIFF_ALWAYS);
}
static void knee_max_force(asleep *a)
{
    lode_joint_set_max_force(a->knee, 1000);
}
static void knee_max_torque(asleep *a)
{
    lode_joint_set_max_torque(a->knee, 0); /* it turns freely, and so twists with nothing */
}
static void rope_too_weak(asleep *a)
{
    lode_joint_set_max_force(a->rope, (lode_real)0.01); /* breaks in the next step */
}
static const lode_pose here = {{0, 0, 0}, {1, 0, 0, 0}};
static void knee_detached(asleep *a)
{
    lode_joint_detach(a->knee);
}
static void knee_attached(asleep *a)
{
    lode_joint_attach(a->knee, asleep_own(a, LODE_BOX), a->ground, here, here);
}
static void knee_outlives(asleep *a)
{
    lode_joint_set_outlives_bodies(a->knee, true);
}
static void knee_pushed(asleep *a)
{
    lode_joint_add_force(a->knee, 0, (lode_real)0.1);
}
static void knee_not_pushed(asleep *a)
{
    lode_joint_add_force(a->knee, 0, 0);
}
static lode_joint_group group_of(asleep *a, lode_joint joint)
{
    lode_joint_group group = lode_joint_group_create(a->world);
    assert_int_equal(lode_joint_group_add(group, joint), LODE_OK);
    return group;
}
static void group_made(asleep *a)
{
    lode_joint_group_create(a->world);
}
static void group_filled(asleep *a)
{
    group_of(a, a->knee);
}
static void group_left(asleep *a)
{
    lode_joint_group_remove(group_of(a, a->knee), a->knee);
}
static void group_emptied(asleep *a)
{
    lode_joint_group_empty(group_of(a, a->rope));
}
static void group_gone(asleep *a)
{
    lode_joint_group_destroy(group_of(a, a->rope), true);
}
static void group_gone_alone(asleep *a)
{
    lode_joint_group_destroy(group_of(a, a->rope), false);
}
static void line_erp(asleep *a)
{
    lode_joint_set_erp(a->line, NEW_VALUE);
}
static void mark_joints(asleep *a)
{
    lode_joint_set_user_data(a->knee, a);
    lode_joint_set_user_data(a->rope, a);
    lode_joint_set_user_data(a->line, a);
}

/* --- settings of the world */

static void other_gravity(asleep *a)
{
    lode_world_set_gravity(a->world, vec(0, 0, -9));
}
static void same_gravity(asleep *a)
{
    lode_world_set_gravity(a->world, lode_world_get_def(a->world).gravity);
}
static bool accept_pair(void *user, const lode_near_pair *pair)
{
    (void)user;
    (void)pair;
    return true;
}
static void pair_filter(asleep *a)
{
    lode_world_set_pair_filter(a->world, &(lode_pair_filter){NULL, accept_pair});
}
static bool accept_triangle(void *user, const lode_near_triangle *triangle)
{
    (void)user;
    (void)triangle;
    return true;
}
static void triangle_filter(asleep *a)
{
    lode_world_set_triangle_filter(a->world, &(lode_triangle_filter){NULL, accept_triangle});
}
static void other_rule(asleep *a)
{
    lode_world_set_filter_rule(a->world, LODE_FILTER_EITHER);
}
static void same_rule(asleep *a)
{
    lode_world_set_filter_rule(a->world, LODE_FILTER_BOTH);
}

#define SETTING(name, ...) \
    static void name(asleep *a) \
    { \
        assert_int_equal(lode_world_set_##name(a->world, __VA_ARGS__), LODE_OK); \
    }
SETTING(solver, LODE_SOLVER_SOFT_STEP)
SETTING(integrator, LODE_INTEGRATOR_BALLISTIC)
SETTING(iterations, 11)
SETTING(exit_below, (lode_real)0.01)
SETTING(direct_rows, 17)
SETTING(measure_residual, true)
SETTING(stiff_joints, LODE_STIFF_ALWAYS)
SETTING(sub_steps, 3)
SETTING(sub_step_length, (lode_real)0.005)
SETTING(over_relaxation, 1)
SETTING(erp, NEW_VALUE)
SETTING(cfm, (lode_real)1e-6)
SETTING(contact_frequency, 20)
SETTING(contact_damping, 5)
SETTING(broad_phase, LODE_BROAD_GRID, NULL)
SETTING(user_data, a)
SETTING(restitution_threshold, 2)
SETTING(impact_threshold, 2)
SETTING(max_correcting_velocity, 2)
SETTING(surface_layer, (lode_real)0.001)
SETTING(damping, &(lode_damping){.linear_per_second = NEW_VALUE})
SETTING(friction_model, LODE_FRICTION_CONE)
SETTING(contact_properties, NULL, 0)
SETTING(friction_mix, LODE_MIX_MINIMUM)
SETTING(restitution_mix, LODE_MIX_MINIMUM)
SETTING(contact_editor, &(lode_contact_editor){NULL, NULL})
SETTING(mixer, &(lode_mixer){NULL, NULL, NULL})
SETTING(friction_per_manifold, true)
SETTING(sleep, &(lode_sleep){.samples = 1})

/* --- contacts, systems, steps */

static void add_contact(asleep *a, lode_body one, lode_body two)
{
    lode_contact_def def = lode_contact_def_default();
    def.body_a = one;
    def.body_b = two;
    def.position = lode_body_get_center(one);
    def.depth = (lode_real)0.01;
    assert_int_equal(lode_world_add_contacts(a->world, &def, 1), LODE_OK);
}
static void contact_with_world(asleep *a)
{
    add_contact(a, asleep_own(a, LODE_BOX), (lode_body){0});
    add_contact(a, asleep_own(a, LODE_SPHERE), a->ground);
    add_contact(a, asleep_own(a, LODE_HULL), a->cart);
    add_contact(a, asleep_own(a, LODE_MESH), asleep_own(a, LODE_CUSTOM)); /* both sleep */
}
static void contact_with_one_awake(asleep *a)
{
    lode_body ghost = add_body(a->world, LODE_DYNAMIC, 0, 0, 50);
    add_contact(a, asleep_own(a, LODE_BOX), ghost);
    add_contact(a, asleep_own(a, LODE_SPHERE), asleep_own(a, LODE_BOX));
}
static void run_nothing(void *user, const lode_system_view *view)
{
    (void)user;
    (void)view;
}
static void systems(asleep *a)
{
    lode_system system = {.name = "nothing", .stage = "solve", .run = run_nothing};
    lode_world_add_system(a->world, &system);
    lode_world_step(a->world, STEP);
    lode_world_remove_system(a->world, "nothing");
}
static void steps(asleep *a)
{
    lode_stage_info stages[64];
    int count = lode_world_get_stages(a->world, stages, 64);
    lode_world_step(a->world, STEP);
    lode_world_collide(a->world, STEP);
    lode_world_solve(a->world, STEP);
    for (int i = 0; i < count; ++i)
        if (!stages[i].parent[0])
            lode_world_run_stage(a->world, stages[i].name, STEP);
}
static void offers(asleep *a)
{
    lode_world_offer_hull(a->world, a->hull);
    lode_world_offer_mesh(a->world, a->mesh);
    lode_world_offer_heightfield(a->world, a->field);
    lode_world_offer_custom(a->world, a->egg);
}

/* --- worlds */

static void other_world(asleep *a)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ball = add_ball(world, 0, 0, 0, 1);
    lode_body_add_force(ball, vec(1, 0, 0));
    lode_world_step(world, STEP);
    lode_world_destroy(world);
    (void)a;
}
static void set_back(asleep *a)
{
    size_t size = lode_world_snapshot(a->world, NULL, 0);
    void *bytes = malloc(size);
    lode_world_snapshot(a->world, bytes, size);
    lode_world_restore(a->world, bytes, size);
    free(bytes);
}
static void file_name(char out[64])
{
    snprintf(out, 64, "wake_world_%d_%p.lode", (int)sizeof(lode_real), (void *)out);
}
static void by_file(asleep *a)
{
    char name[64];
    file_name(name);
    lode_world_save(a->world, name);
    lode_world_load(a->world, name);
    remove(name);
}

#define ALL asleep_all()
#define CRATE_AND_BALL (OWN(LODE_BOX) | OWN(LODE_SPHERE))

/* --- questions */

typedef struct seen {
    lode_shape shapes[64];
    lode_shape_pair pairs[64];
    lode_body bodies[64];
    lode_joint joints[8];
    lode_space spaces[4];
    lode_contact contacts[64];
    lode_real matrices[16];
    lode_pose poses[64];
    int triangles[16];
} seen;

static bool hear_ray(void *context, const lode_ray_hit *hit)
{
    (void)context;
    return hit->shape.id != 0;
}
static bool hear_cast(void *context, const lode_cast_hit *hit)
{
    (void)context;
    return hit->shape.id != 0;
}

/* Asks and sees that nobody woke and nothing was refused. */
#define ASK(function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        if (asleep_awake(a) || report.count) \
            print_error("%s wakes, or is refused: %s\n", #function, report.message); \
        assert_true(!asleep_awake(a) && !report.count); \
    } while (0)

static void ask_bodies(asleep *a, seen *s)
{
    lode_body body = asleep_own(a, LODE_BOX);
    lode_ray ray = {.direction = {1, 0, 0}, .length = 100};
    lode_cast cast = {lode_solid_sphere(1), {{0, 0, 5}, {1, 0, 0, 0}}, {0, 0, -9}};
    lode_ray_hit hit;
    lode_cast_hit cast_hit;
    const lode_vec3 v = {1, 2, 3};
    ASK(lode_body_is_valid, body);
    ASK(lode_body_get_world, body);
    ASK(lode_body_get_type, body);
    ASK(lode_body_get_gyroscopic, body);
    ASK(lode_body_get_finite_rotation, body);
    ASK(lode_body_get_finite_rotation_axis, body);
    ASK(lode_body_get_user_data, body);
    ASK(lode_body_get_gravity_scale, body);
    ASK(lode_body_get_damping, body);
    ASK(lode_body_get_max_linear_speed, body);
    ASK(lode_body_get_max_angular_speed, body);
    ASK(lode_body_get_continuous, body);
    ASK(lode_body_get_name, body);
    ASK(lode_body_get_shapes, body, s->shapes, 64);
    ASK(lode_body_get_joints, body, s->joints, 8);
    ASK(lode_body_get_pose, body);
    ASK(lode_body_get_center, body);
    ASK(lode_body_get_linear_velocity, body);
    ASK(lode_body_get_angular_velocity, body);
    ASK(lode_body_point_to_world, body, v);
    ASK(lode_body_point_from_world, body, v);
    ASK(lode_body_vector_to_world, body, v);
    ASK(lode_body_vector_from_world, body, v);
    ASK(lode_body_get_point_velocity, body, v, LODE_BODY_FRAME);
    ASK(lode_body_get_mass, body);
    ASK(lode_body_get_force, body);
    ASK(lode_body_get_torque, body);
    ASK(lode_body_get_sleep, body);
    ASK(lode_body_is_awake, body);
    ASK(lode_body_cast_ray, body, &ray, &hit);
    ASK(lode_body_cast_shape, body, &cast, &cast_hit);
}

static void ask_shapes(asleep *a, seen *s)
{
    lode_shape box = a->own[LODE_BOX], ball = a->own[LODE_SPHERE];
    lode_ray ray = {.direction = {1, 0, 0}, .length = 100};
    lode_cast cast = {lode_solid_sphere(1), {{0, 0, 5}, {1, 0, 0, 0}}, {0, 0, -9}};
    lode_ray_hit hit;
    lode_cast_hit cast_hit;
    lode_nearest nearest;
    lode_closest closest;
    lode_real offset;
    ASK(lode_shape_is_valid, box);
    ASK(lode_shape_get_type, box);
    ASK(lode_shape_get_body, box);
    ASK(lode_shape_get_user_data, box);
    ASK(lode_shape_get_material, box);
    ASK(lode_shape_get_materials, box, NULL, 0);
    ASK(lode_shape_get_material_at, box, -1);
    ASK(lode_world_get_contact_properties, a->world, NULL, 0);
    ASK(lode_world_find_contact_properties, a->world, "wood", NULL);
    ASK(lode_shape_get_mass, box);
    ASK(lode_shape_get_def, box);
    ASK(lode_shape_get_world_pose, box);
    ASK(lode_shape_get_bounds, box);
    ASK(lode_shape_get_enabled, box);
    ASK(lode_shape_get_sensor, box);
    ASK(lode_shape_get_touch_events, box);
    ASK(lode_shape_get_impact_events, box);
    ASK(lode_shape_get_edit_contacts, box);
    ASK(lode_shape_get_sound_events, box);
    ASK(lode_shape_get_radius, ball);
    ASK(lode_shape_get_half_length, a->own[LODE_CAPSULE]);
    ASK(lode_shape_get_half_extents, box);
    ASK(lode_shape_get_plane, a->plane, &offset);
    ASK(lode_shape_get_hull, a->own[LODE_HULL]);
    ASK(lode_shape_get_mesh, a->own[LODE_MESH]);
    ASK(lode_shape_get_heightfield, a->own[LODE_HEIGHTFIELD]);
    ASK(lode_shape_get_custom, a->own[LODE_CUSTOM]);
    ASK(lode_shape_get_solid, box);
    ASK(lode_shape_cast_ray, box, &ray, &hit);
    ASK(lode_shape_cast_shape, box, &cast, &cast_hit);
    ASK(lode_shape_find_nearest, box, vec(1, 2, 3), &nearest);
    ASK(lode_shape_find_closest, box, ball, &closest);
    ASK(lode_shape_find_closest_to, box, &cast.solid, cast.pose, &closest);
    lode_vec3 corners[3];
    ASK(lode_shape_get_triangle, a->own[LODE_MESH], 0, corners);
    ASK(lode_shape_find_triangles, a->own[LODE_MESH], a->plane, s->triangles, 16);
    ASK(lode_shape_find_triangles_in, a->own[LODE_MESH], &cast.solid, cast.pose, s->triangles, 16);
    ASK(lode_shape_collide, box, a->plane, NULL, NULL, 0);
    ASK(lode_shape_get_spaces, box, s->spaces, 4);
    lode_shape_def def = lode_shape_def_default();
    def.sensor = true;
    def.enabled = false;
    lode_shape sensor = lode_shape_create_sphere(a->ground, &def, 1);
    lode_shape_set_enabled(sensor, true);
    ASK(lode_shape_get_overlaps, sensor, s->shapes, 64);
    lode_shape_destroy(sensor);
    assert_int_equal(asleep_awake(a), 0);
}

static void ask_joints(asleep *a)
{
    ASK(lode_joint_is_valid, a->knee);
    ASK(lode_joint_get_type, a->knee);
    ASK(lode_joint_get_world, a->knee);
    ASK(lode_joint_get_axis_world, a->knee, 0);
    lode_body bobs[2] = {lode_joint_get_body_a(a->knee), lode_joint_get_body_b(a->knee)};
    lode_joint joints[2];
    ASK(lode_bodies_are_connected, bobs[0], bobs[1]);
    ASK(lode_bodies_are_connected_excluding, bobs[0], bobs[1], LODE_JOINT_BALL);
    ASK(lode_bodies_get_joints, bobs[0], bobs[1], joints, 2);
    lode_joint_group group = group_of(a, a->knee);
    ASK(lode_joint_group_is_valid, group);
    ASK(lode_joint_group_get_world, group);
    ASK(lode_joint_group_has, group, a->knee);
    ASK(lode_joint_group_get_joints, group, joints, 2);
    lode_joint_group_destroy(group, false);
    ASK(lode_joint_get_body_a, a->knee);
    ASK(lode_joint_get_body_b, a->knee);
    ASK(lode_joint_get_user_data, a->knee);
    ASK(lode_joint_get_enabled, a->knee);
    ASK(lode_joint_get_anchor_a, a->knee);
    ASK(lode_joint_get_anchor_b, a->knee);
    ASK(lode_joint_get_def, a->knee);
    ASK(lode_joint_get_force, a->knee);
    ASK(lode_joint_get_torque_a, a->knee);
    ASK(lode_joint_get_torque_b, a->knee);
    ASK(lode_joint_get_anchor_torque, a->knee);
    ASK(lode_joint_get_position, a->knee, 0);
    ASK(lode_joint_get_rate, a->knee, 0);
    ASK(lode_joint_get_motor_force, a->knee, 0);
    ASK(lode_joint_get_stop_force, a->knee, 0);
}

static void ask_world(asleep *a, seen *s)
{
    lode_world world = a->world;
    lode_world_stats stats;
    lode_stage_info stages[4];
    lode_warning_info warnings[2];
    ASK(lode_world_is_valid, world);
    ASK(lode_world_get_def, world);
    ASK(lode_world_get_stats, world, &stats);
    ASK(lode_world_hash, world);
    ASK(lode_world_get_bodies, world, s->bodies, 64);
    ASK(lode_world_get_joints, world, s->joints, 8);
    ASK(lode_world_get_spaces, world, s->spaces, 4);
    ASK(lode_world_get_user_data, world);
    ASK(lode_world_get_contacts, world, s->contacts, 64);
    ASK(lode_world_get_events, world);
    ASK(lode_world_get_sounds, world);
    ASK(lode_world_find_sound, world, "bump");
    ASK(lode_world_get_moved, world);
    ASK(lode_world_get_moved_matrices, world, LODE_ROW_MAJOR, s->matrices, 1);
    ASK(lode_world_get_shape_poses, world, s->shapes, s->poses, 64);
    ASK(lode_world_get_stages, world, stages, 4);
    ASK(lode_world_get_warnings, world, warnings, 2);
    ASK(lode_world_snapshot, world, NULL, 0);
    lode_shape_pair pair = {a->own[LODE_BOX], a->plane};
    int count;
    ASK(lode_world_collide_pairs, world, &pair, 1, NULL, NULL, 0, &count);
    lode_pair_set *set = lode_pair_set_create(world, &pair, 1);
    ASK(lode_pair_set_collide, set, NULL, NULL, 0, &count);
    lode_pair_set_destroy(set);
}

static void ask_queries(asleep *a, seen *s)
{
    lode_world world = a->world;
    lode_ray ray = {.origin = {-5, 0, (lode_real)0.3}, .direction = {1, 0, 0}, .length = 100};
    lode_cast cast = {lode_solid_sphere(1), {{0, 0, 5}, {1, 0, 0, 0}}, {0, 0, -9}};
    lode_ray_hit hit;
    lode_cast_hit cast_hit;
    ASK(lode_world_cast_ray, world, &ray, NULL, &hit);
    ASK(lode_world_test_ray, world, &ray, NULL);
    ASK(lode_world_cast_ray_all, world, &ray, NULL, &hit, 1);
    ASK(lode_world_visit_ray, world, &ray, NULL, hear_ray, NULL);
    ASK(lode_world_cast_rays, world, &ray, 1, NULL, &hit);
    ASK(lode_world_cast_shape, world, &cast, NULL, &cast_hit);
    ASK(lode_world_test_shape, world, &cast, NULL);
    ASK(lode_world_cast_shape_all, world, &cast, NULL, &cast_hit, 1);
    ASK(lode_world_visit_shape, world, &cast, NULL, hear_cast, NULL);
    ASK(lode_world_overlap_bounds, world, (lode_bounds){{0, 0, 0}, {9, 9, 9}}, NULL, s->shapes, 64);
    ASK(lode_world_overlap_sphere, world, vec(0, 0, 0), 9, NULL, s->shapes, 64);
    ASK(lode_world_overlap_point, world, vec(0, 0, 0), NULL, s->shapes, 64);
    lode_closest closest;
    lode_nearest nearest;
    ASK(lode_world_find_closest, world, &cast.solid, cast.pose, 9, NULL, s->shapes, &closest);
    ASK(lode_world_find_nearest, world, vec(0, 0, 0), 9, NULL, s->shapes, &nearest);
    ASK(lode_world_overlap_solid, world, &cast.solid, cast.pose, NULL, s->shapes, 64);
}

static void ask_spaces(asleep *a, seen *s)
{
    lode_space space = lode_space_create(a->world);
    lode_member_pair pairs[4];
    lode_space_add(space, a->own[LODE_BOX]);
    lode_space_add(space, a->plane);
    ASK(lode_space_is_valid, space);
    ASK(lode_space_get_world, space);
    ASK(lode_space_get_parent, space);
    ASK(lode_space_get_spaces, space, s->spaces, 4);
    ASK(lode_space_has, space, a->plane);
    ASK(lode_space_get_shapes, space, s->shapes, 64);
    ASK(lode_space_get_bounds, space);
    ASK(lode_space_get_user_data, space);
    ASK(lode_space_get_category, space);
    ASK(lode_space_get_mask, space);
    ASK(lode_space_get_sublevel, space);
    ASK(lode_space_find_pairs, space, space, s->pairs, 64);
    ASK(lode_space_find_pairs_with, space, a->plane, s->pairs, 64);
    ASK(lode_space_find_member_pairs, space, space, pairs, 4);
    lode_space_destroy(space, false);
}

static void no_question_wakes(void **state)
{
    (void)state;
    report_install();
    asleep a = asleep_create();
    seen *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (int i = 0; i < 2; ++i) {
        ask_bodies(&a, s);
        ask_shapes(&a, s);
        ask_joints(&a);
        ask_world(&a, s);
        ask_queries(&a, s);
        ask_spaces(&a, s);
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK); /* nor later */
        assert_int_equal(asleep_awake(&a), 0);
    }
    free(s);
    asleep_destroy(&a);
}

/* --- the table */

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    /* clang-format off */
    const wake_row rows[] = {
        /* function, what is done, by what, who wakes at once, who later */
        ROW(lode_joint_create, "to the world", hold_crate, OWN(LODE_BOX), 0),
        ROW(lode_joint_create, "of two islands", tie_crate_to_ball, CRATE_AND_BALL, 0),
        ROW(lode_joint_create, "to what another stands on", tie_crate_to_support, ON(LODE_HULL), 0),
        ROW(lode_joint_destroy, "to a static body", cut_rope, BOBS, 0),
        ROW(lode_joint_destroy, "to a kinematic body", cut_line, TOWED, 0),
        ROW(lode_joint_set_axis, "the same", knee_axis, BOBS, 0),
        ROW(lode_joint_set_limits, "", knee_limits, BOBS, 0),
        ROW(lode_joint_set_motor, "", knee_motor, BOBS, 0),
        ROW(lode_joint_set_target, "", knee_target, BOBS, 0),
        ROW(lode_joint_set_erp, "", knee_erp, BOBS, 0),
        ROW(lode_joint_set_erp, "to a kinematic body", line_erp, TOWED, 0),
        ROW(lode_joint_set_cfm, "", knee_cfm, BOBS, 0),
        ROW(lode_joint_set_frames, "the same", knee_frames, BOBS, 0),
        ROW(lode_joint_set_position, "", wrist_position, BOBS, 0),
        ROW(lode_joint_set_distance, "the same", rope_distance, BOBS, 0),
        ROW(lode_joint_set_collide_connected, "", knee_collides, BOBS, 0),
        ROW(lode_joint_set_enabled, "", knee_off, BOBS, 0),
        ROW(lode_joint_attach, "", knee_attached, BOBS | OWN(LODE_BOX), 0),
        ROW(lode_joint_detach, "", knee_detached, BOBS, 0),
        ROW(lode_joint_set_outlives_bodies, "", knee_outlives, NOBODY, 0),
        ROW(lode_joint_add_force, "", knee_pushed, BOBS, 0),
        ROW(lode_joint_add_force, "of nothing", knee_not_pushed, NOBODY, 0),
        ROW(lode_joint_group_create, "", group_made, NOBODY, 0),
        ROW(lode_joint_group_add, "", group_filled, NOBODY, 0),
        ROW(lode_joint_group_remove, "", group_left, NOBODY, 0),
        ROW(lode_joint_group_empty, "", group_emptied, BOBS, 0),
        ROW(lode_joint_group_destroy, "joints too", group_gone, BOBS, 0),
        ROW(lode_joint_group_destroy, "alone", group_gone_alone, NOBODY, 0),
        ROW(lode_joint_set_stiff, "", knee_stiff, NOBODY, 0),
        ROW(lode_joint_set_max_force, "", knee_max_force, BOBS, 0),
        ROW(lode_joint_set_max_force, "too weak", rope_too_weak, BOBS, 0),
        ROW(lode_joint_set_max_torque, "", knee_max_torque, BOBS, 0),
        ROW(lode_joint_set_user_data, "", mark_joints, NOBODY, 0),
        ROW(lode_world_set_gravity, "another", other_gravity, ALL, 0),
        ROW(lode_world_set_gravity, "the same", same_gravity, NOBODY, 0),
        ROW(lode_world_set_pair_filter, "", pair_filter, ALL, 0),
        ROW(lode_world_set_triangle_filter, "", triangle_filter, ALL, 0),
        ROW(lode_world_set_filter_rule, "another", other_rule, ALL, 0),
        ROW(lode_world_set_filter_rule, "the same", same_rule, NOBODY, 0),
        ROW(lode_world_set_solver, "", solver, NOBODY, 0),
        ROW(lode_world_set_integrator, "", integrator, NOBODY, 0),
        ROW(lode_world_set_iterations, "", iterations, NOBODY, 0),
        ROW(lode_world_set_exit_below, "", exit_below, NOBODY, 0),
        ROW(lode_world_set_direct_rows, "", direct_rows, NOBODY, 0),
        ROW(lode_world_set_measure_residual, "", measure_residual, NOBODY, 0),
        ROW(lode_world_set_stiff_joints, "", stiff_joints, NOBODY, 0),
        ROW(lode_world_set_sub_steps, "", sub_steps, NOBODY, 0),
        ROW(lode_world_set_sub_step_length, "", sub_step_length, NOBODY, 0),
        ROW(lode_world_set_over_relaxation, "", over_relaxation, NOBODY, 0),
        ROW(lode_world_set_erp, "", erp, NOBODY, 0),
        ROW(lode_world_set_cfm, "", cfm, NOBODY, 0),
        ROW(lode_world_set_contact_frequency, "", contact_frequency, NOBODY, 0),
        ROW(lode_world_set_contact_damping, "", contact_damping, NOBODY, 0),
        ROW(lode_world_set_broad_phase, "", broad_phase, NOBODY, 0),
        ROW(lode_world_set_user_data, "", user_data, NOBODY, 0),
        ROW(lode_world_set_restitution_threshold, "", restitution_threshold, NOBODY, 0),
        ROW(lode_world_set_impact_threshold, "", impact_threshold, NOBODY, 0),
        ROW(lode_world_set_max_correcting_velocity, "", max_correcting_velocity, NOBODY, 0),
        ROW(lode_world_set_surface_layer, "", surface_layer, NOBODY, 0),
        ROW(lode_world_set_damping, "", damping, NOBODY, 0),
        ROW(lode_world_set_friction_model, "", friction_model, NOBODY, 0),
        ROW(lode_world_set_contact_properties, "", contact_properties, NOBODY, 0),
        ROW(lode_world_set_friction_mix, "", friction_mix, NOBODY, 0),
        ROW(lode_world_set_restitution_mix, "", restitution_mix, NOBODY, 0),
        ROW(lode_world_set_contact_editor, "", contact_editor, NOBODY, 0),
        ROW(lode_world_set_mixer, "", mixer, NOBODY, 0),
        ROW(lode_world_set_friction_per_manifold, "", friction_per_manifold, NOBODY, 0),
        ROW(lode_world_set_sleep, "of bodies to come", sleep, NOBODY, 0),
        ROW(lode_world_add_contacts, "with what does not move", contact_with_world, NOBODY, 0),
        ROW(lode_world_add_contacts, "with one that is awake", contact_with_one_awake, NOBODY,
            CRATE_AND_BALL),
        ROW(lode_world_add_system, "", systems, NOBODY, 0),
        ROW(lode_world_remove_system, "", systems, NOBODY, 0),
        ROW(lode_world_step, "", steps, NOBODY, 0),
        ROW(lode_world_collide, "", steps, NOBODY, 0),
        ROW(lode_world_solve, "", steps, NOBODY, 0),
        ROW(lode_world_run_stage, "", steps, NOBODY, 0),
        ROW(lode_world_offer_hull, "", offers, NOBODY, 0),
        ROW(lode_world_offer_mesh, "", offers, NOBODY, 0),
        ROW(lode_world_offer_heightfield, "", offers, NOBODY, 0),
        ROW(lode_world_offer_custom, "", offers, NOBODY, 0),
        ROW(lode_world_create, "another", other_world, NOBODY, 0),
        ROW(lode_world_destroy, "another", other_world, NOBODY, 0),
        ROW(lode_world_restore, "where all sleeps", set_back, NOBODY, 0),
        ROW(lode_world_save, "", by_file, NOBODY, 0),
        ROW(lode_world_load, "where all sleeps", by_file, NOBODY, 0),
    };
    /* clang-format on */
    wake_rows_run(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
        cmocka_unit_test(no_question_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
