/* Every public function recognises null, stale, foreign and made-up handles: it reports once, names
 * itself and the argument, returns nothing, and changes no world. */
#include "tests/world/support.h"

#include "world/registry.h"

/* Two worlds to be watched, and handles that are bad in one way. */
typedef struct bad_handles {
    const char *what;
    lode_world world;
    lode_body body;
    lode_shape shape;
    lode_joint joint;
    lode_articulation articulation;
} bad_handles;

static scene watched[2];
static uint64_t hashes[2];

static void remember(void)
{
    for (int i = 0; i < 2; ++i)
        hashes[i] = lode_world_hash(watched[i].world);
    report_clear();
}

static void expect_refused(const char *function, const char *argument, const char *what, int line)
{
    if (report.count != 1)
        print_error("with %s handles:\n", what);
    report_expect(LODE_ERROR_HANDLE, function, argument, __FILE__, line);
    for (int i = 0; i < 2; ++i)
        assert_true(lode_world_hash(watched[i].world) == hashes[i]);
    report_clear();
}

#define REFUSES(argument, function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        expect_refused(#function, argument, bad->what, __LINE__); \
    } while (0)

/* ... and returns LODE_ERROR_HANDLE */
#define REFUSES_STATUS(argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), LODE_ERROR_HANDLE); \
        expect_refused(#function, argument, bad->what, __LINE__); \
    } while (0)

/* ... and returns null or zero */
#define REFUSES_NULL(argument, function, ...) \
    do { \
        assert_true(!function(__VA_ARGS__)); \
        expect_refused(#function, argument, bad->what, __LINE__); \
    } while (0)

#define REFUSES_HANDLE(argument, function, ...) \
    do { \
        assert_true(function(__VA_ARGS__).id == 0); \
        expect_refused(#function, argument, bad->what, __LINE__); \
    } while (0)

static void refuse_world_settings(const bad_handles *bad)
{
    lode_world w = bad->world;
    REFUSES_STATUS("world", lode_world_set_gravity, w, vec(0, 0, 0));
    REFUSES_STATUS("world", lode_world_set_sleep, w, &(lode_sleep){.samples = 1});
    REFUSES_STATUS("world", lode_world_set_solver, w, LODE_SOLVER_PGS);
    REFUSES_STATUS("world", lode_world_set_integrator, w, LODE_INTEGRATOR_BALLISTIC);
    REFUSES_STATUS("world", lode_world_set_iterations, w, 1);
    REFUSES_STATUS("world", lode_world_set_exit_below, w, 1);
    REFUSES_STATUS("world", lode_world_set_direct_rows, w, 1);
    REFUSES_STATUS("world", lode_world_set_measure_residual, w, true);
    REFUSES_STATUS("world", lode_world_set_stiff_joints, w, LODE_STIFF_ALWAYS);
    REFUSES_STATUS("world", lode_world_set_sub_steps, w, 1);
    REFUSES_STATUS("world", lode_world_set_sub_step_length, w, 1);
    REFUSES_STATUS("world", lode_world_set_over_relaxation, w, 1);
    REFUSES_STATUS("world", lode_world_set_erp, w, 0);
    REFUSES_STATUS("world", lode_world_set_cfm, w, 0);
    REFUSES_STATUS("world", lode_world_set_restitution_threshold, w, 1);
    REFUSES_STATUS("world", lode_world_set_impact_threshold, w, 1);
    REFUSES_STATUS("world", lode_world_set_pair_filter, w, NULL);
    REFUSES_STATUS("world", lode_world_set_triangle_filter, w, NULL);
    REFUSES_STATUS("world", lode_world_set_filter_rule, w, LODE_FILTER_EITHER);
    REFUSES_STATUS("world", lode_world_set_contact_frequency, w, 1);
    REFUSES_STATUS("world", lode_world_set_contact_damping, w, 1);
    REFUSES_STATUS("world", lode_world_set_broad_phase, w, LODE_BROAD_GRID, NULL);
    REFUSES_STATUS("world", lode_world_set_max_correcting_velocity, w, 1);
    REFUSES_STATUS("world", lode_world_set_surface_layer, w, 0);
    REFUSES_STATUS("world", lode_world_set_damping, w, &(lode_damping){0});
    REFUSES_STATUS("world", lode_world_set_friction_model, w, LODE_FRICTION_CONE);
    REFUSES_STATUS("world", lode_world_set_friction_per_manifold, w, true);
    REFUSES_STATUS("world", lode_world_set_friction_mix, w, LODE_MIX_MINIMUM);
    REFUSES_STATUS("world", lode_world_set_restitution_mix, w, LODE_MIX_MINIMUM);
    REFUSES_STATUS("world", lode_world_set_mixer, w, NULL);
    REFUSES_STATUS("world", lode_world_set_contact_editor, w, NULL);
    REFUSES_STATUS("world", lode_world_set_contact_properties, w, NULL, 0);
    REFUSES_STATUS("world", lode_world_offer_hull, w, NULL);
    REFUSES_STATUS("world", lode_world_offer_custom, w, NULL);
    REFUSES_STATUS("world", lode_world_offer_mesh, w, NULL);
    REFUSES_STATUS("world", lode_world_offer_heightfield, w, NULL);
}

static void refuse_world_queries(const bad_handles *bad)
{
    lode_world w = bad->world;
    lode_ray ray = {.direction = {1, 0, 0}};
    lode_ray_hit hit;
    REFUSES_NULL("world", lode_world_cast_ray, w, &ray, NULL, &hit);
    REFUSES_NULL("world", lode_world_test_ray, w, &ray, NULL);
    REFUSES_NULL("world", lode_world_cast_ray_all, w, &ray, NULL, &hit, 1);
    REFUSES_NULL("world", lode_world_visit_ray, w, &ray, NULL, NULL, NULL);
    REFUSES_NULL("world", lode_world_cast_rays, w, &ray, 1, NULL, &hit);
    REFUSES_NULL("world", lode_world_overlap_bounds, w, (lode_bounds){{0, 0, 0}, {1, 1, 1}}, NULL,
                 NULL, 0);
    REFUSES_NULL("world", lode_world_overlap_sphere, w, vec(0, 0, 0), 1, NULL, NULL, 0);
    REFUSES_NULL("world", lode_world_overlap_point, w, vec(0, 0, 0), NULL, NULL, 0);
    lode_cast cast = {lode_solid_sphere(1), {{0, 0, 0}, {1, 0, 0, 0}}, {1, 0, 0}};
    lode_cast_hit cast_hit;
    REFUSES_NULL("world", lode_world_cast_shape, w, &cast, NULL, &cast_hit);
    REFUSES_NULL("world", lode_world_test_shape, w, &cast, NULL);
    REFUSES_NULL("world", lode_world_cast_shape_all, w, &cast, NULL, &cast_hit, 1);
    REFUSES_NULL("world", lode_world_visit_shape, w, &cast, NULL, NULL, NULL);
    REFUSES_NULL("world", lode_world_overlap_solid, w, &cast.solid, cast.pose, NULL, NULL, 0);
    REFUSES_NULL("world", lode_world_collide_pairs, w, NULL, 0, NULL, NULL, 0, NULL);
    REFUSES_NULL("world", lode_pair_set_create, w, NULL, 0);
}

static void refuse_world(const bad_handles *bad)
{
    lode_world w = bad->world;
    lode_body_def body_def = lode_body_def_default();
    lode_joint_def joint_def = lode_joint_def_default(LODE_JOINT_BALL);
    lode_world_stats stats;
    lode_stage_info stages[4];
    lode_contact contacts[4];
    lode_warning_info warnings[2];
    lode_system system = {0};
    joint_def.body_a = watched[0].ball;
    assert_false(lode_world_is_valid(w));
    REFUSES("world", lode_world_destroy, w);
    REFUSES_STATUS("world", lode_world_step, w, STEP);
    REFUSES_STATUS("world", lode_world_collide, w, STEP);
    REFUSES_STATUS("world", lode_world_add_contacts, w, NULL, 0);
    REFUSES_STATUS("world", lode_world_add_system, w, &system);
    REFUSES_STATUS("world", lode_world_remove_system, w, "system");
    REFUSES_NULL("world", lode_world_get_moved_matrices, w, LODE_ROW_MAJOR, NULL, 0);
    REFUSES_NULL("world", lode_world_get_shape_poses, w, NULL, NULL, 0);
    assert_int_equal(lode_world_get_moved(w).count, 0);
    expect_refused("lode_world_get_moved", "world", bad->what, __LINE__);
    REFUSES_STATUS("world", lode_world_solve, w, STEP);
    REFUSES_STATUS("world", lode_world_run_stage, w, "bounds", STEP);
    REFUSES_NULL("world", lode_world_get_warnings, w, warnings, 2);
    REFUSES_STATUS("world", lode_world_set_user_data, w, NULL);
    REFUSES_NULL("world", lode_world_get_spaces, w, NULL, 0);
    REFUSES_HANDLE("world", lode_space_create, w);
    assert_int_equal(lode_world_get_events(w).impact_count, 0);
    expect_refused("lode_world_get_events", "world", bad->what, __LINE__);
    assert_int_equal(lode_world_get_sounds(w).impact_count, 0);
    expect_refused("lode_world_get_sounds", "world", bad->what, __LINE__);
    REFUSES_NULL("world", lode_world_find_sound, w, "bump");
    REFUSES_NULL("world", lode_world_get_contact_properties, w, NULL, 0);
    REFUSES_STATUS("world", lode_world_get_stats, w, &stats);
    REFUSES_NULL("world", lode_world_get_stages, w, stages, 4);
    REFUSES_NULL("world", lode_world_get_contacts, w, contacts, 4);
    REFUSES_NULL("world", lode_world_get_bodies, w, NULL, 0);
    REFUSES_NULL("world", lode_world_get_joints, w, NULL, 0);
    REFUSES_NULL("world", lode_world_hash, w);
    REFUSES_NULL("world", lode_world_snapshot, w, NULL, 0);
    REFUSES_STATUS("world", lode_world_restore, w, "", 1);
    REFUSES_STATUS("world", lode_world_save, w, "nowhere/at all");
    REFUSES_STATUS("world", lode_world_load, w, "nowhere/at all");
    REFUSES_NULL("world", lode_world_get_user_data, w);
    REFUSES_HANDLE("world", lode_body_create, w, &body_def);
    REFUSES_HANDLE("world", lode_joint_create, w, &joint_def);
    assert_int_equal(lode_world_get_def(w).abi, 0);
    expect_refused("lode_world_get_def", "world", bad->what, __LINE__);
}

#define REFUSES_VECTOR(function, ...) \
    do { \
        assert_true(near_vec(function(__VA_ARGS__), vec(0, 0, 0), 0)); \
        expect_refused(#function, "body", bad->what, __LINE__); \
    } while (0)

static void refuse_body_values(const bad_handles *bad)
{
    lode_body b = bad->body;
    lode_pose pose = lode_body_get_pose(b);
    expect_refused("lode_body_get_pose", "body", bad->what, __LINE__);
    assert_true(near_vec(pose.position, vec(0, 0, 0), 0) && pose.rotation.w == 1);
    REFUSES_VECTOR(lode_body_get_center, b);
    REFUSES_VECTOR(lode_body_get_linear_velocity, b);
    REFUSES_VECTOR(lode_body_get_angular_velocity, b);
    REFUSES_VECTOR(lode_body_get_force, b);
    REFUSES_VECTOR(lode_body_get_torque, b);
    REFUSES_VECTOR(lode_body_point_to_world, b, vec(1, 2, 3));
    REFUSES_VECTOR(lode_body_point_from_world, b, vec(1, 2, 3));
    REFUSES_VECTOR(lode_body_vector_to_world, b, vec(1, 2, 3));
    REFUSES_VECTOR(lode_body_vector_from_world, b, vec(1, 2, 3));
    REFUSES_VECTOR(lode_body_get_point_velocity, b, vec(1, 2, 3), LODE_BODY_FRAME);
    assert_true(lode_body_get_mass(b).mass == 0);
    expect_refused("lode_body_get_mass", "body", bad->what, __LINE__);
}

static void refuse_body(const bad_handles *bad)
{
    lode_body b = bad->body;
    lode_vec3 v = vec(1, 2, 3);
    lode_mass mass = {.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
    lode_shape_def def = lode_shape_def_default();
    assert_false(lode_body_is_valid(b));
    REFUSES_STATUS("body", lode_body_destroy, b);
    REFUSES_HANDLE("body", lode_body_get_world, b);
    REFUSES_NULL("body", lode_body_get_type, b);
    REFUSES_STATUS("body", lode_body_set_type, b, LODE_KINEMATIC);
    REFUSES_NULL("body", lode_body_is_awake, b);
    REFUSES_STATUS("body", lode_body_wake, b);
    REFUSES_STATUS("body", lode_body_sleep, b);
    REFUSES_STATUS("body", lode_body_set_sleep, b, NULL);
    REFUSES("body", lode_body_get_sleep, b);
    REFUSES_NULL("body", lode_body_get_user_data, b);
    REFUSES_STATUS("body", lode_body_set_user_data, b, NULL);
    REFUSES_NULL("body", lode_body_get_continuous, b);
    REFUSES_STATUS("body", lode_body_set_continuous, b, true);
    REFUSES_NULL("body", lode_body_get_gyroscopic, b);
    REFUSES_STATUS("body", lode_body_set_gyroscopic, b, LODE_GYROSCOPIC_IMPLICIT);
    REFUSES_NULL("body", lode_body_get_finite_rotation, b);
    REFUSES_STATUS("body", lode_body_set_finite_rotation, b, true);
    REFUSES("body", lode_body_get_finite_rotation_axis, b);
    REFUSES_STATUS("body", lode_body_set_finite_rotation_axis, b, (lode_vec3){0});
    REFUSES_NULL("body", lode_body_get_gravity_scale, b);
    REFUSES_STATUS("body", lode_body_set_gravity_scale, b, 1);
    REFUSES_NULL("body", lode_body_get_max_linear_speed, b);
    REFUSES_STATUS("body", lode_body_set_max_linear_speed, b, 1);
    REFUSES_NULL("body", lode_body_get_max_angular_speed, b);
    REFUSES_STATUS("body", lode_body_set_max_angular_speed, b, 1);
    REFUSES("body", lode_body_get_damping, b);
    REFUSES_STATUS("body", lode_body_set_damping, b, NULL);
    assert_string_equal(lode_body_get_name(b), "");
    expect_refused("lode_body_get_name", "body", bad->what, __LINE__);
    REFUSES_STATUS("body", lode_body_set_name, b, "name");
    REFUSES_NULL("body", lode_body_get_shapes, b, NULL, 0);
    REFUSES_NULL("body", lode_body_get_joints, b, NULL, 0);
    REFUSES_STATUS("body", lode_body_set_pose, b, (lode_pose){v, {1, 0, 0, 0}});
    REFUSES_STATUS("body", lode_body_set_linear_velocity, b, v);
    REFUSES_STATUS("body", lode_body_set_angular_velocity, b, v);
    REFUSES_STATUS("body", lode_body_set_mass, b, &mass);
    REFUSES_STATUS("body", lode_body_set_mass_from_shapes, b);
    REFUSES_STATUS("body", lode_body_add_force, b, v);
    REFUSES_STATUS("body", lode_body_add_force_at, b, v, v);
    REFUSES_STATUS("body", lode_body_add_torque, b, v);
    REFUSES_STATUS("body", lode_body_add_impulse, b, v);
    REFUSES_STATUS("body", lode_body_add_impulse_at, b, v, v);
    REFUSES_STATUS("body", lode_body_add_angular_impulse, b, v);
    REFUSES_STATUS("body", lode_body_add_force_in, b, v, LODE_WORLD_FRAME, v, LODE_BODY_FRAME);
    REFUSES_STATUS("body", lode_body_add_impulse_in, b, v, LODE_BODY_FRAME, v, LODE_BODY_FRAME);
    REFUSES_STATUS("body", lode_body_set_force, b, v);
    REFUSES_STATUS("body", lode_body_set_torque, b, v);
    REFUSES_NULL("body", lode_body_cast_ray, b, NULL, NULL);
    REFUSES_NULL("body", lode_body_cast_shape, b, NULL, NULL);
    REFUSES_HANDLE("body", lode_shape_create_sphere, b, &def, 1);
    REFUSES_HANDLE("body", lode_shape_create_box, b, &def, v);
    REFUSES_HANDLE("body", lode_shape_create_capsule, b, &def, 1, 1);
    REFUSES_HANDLE("body", lode_shape_create_cylinder, b, &def, 1, 1);
    REFUSES_HANDLE("body", lode_shape_create_plane, b, &def, v, 0);
    REFUSES_HANDLE("body", lode_shape_create_mesh, b, &def, NULL);
    REFUSES_HANDLE("body", lode_shape_create_hull, b, &def, NULL);
    REFUSES_HANDLE("body", lode_shape_create_custom, b, &def, NULL);
    REFUSES_HANDLE("body", lode_shape_create_heightfield, b, &def, NULL);
}

static void refuse_shape(const bad_handles *bad)
{
    lode_shape s = bad->shape;
    assert_false(lode_shape_is_valid(s));
    REFUSES_STATUS("shape", lode_shape_destroy, s);
    REFUSES("shape", lode_shape_get_type, s);
    REFUSES_HANDLE("shape", lode_shape_get_body, s);
    REFUSES_NULL("shape", lode_shape_get_user_data, s);
    REFUSES_NULL("shape", lode_shape_get_material, s);
    REFUSES_STATUS("shape", lode_shape_set_material, s, "wood");
    REFUSES_STATUS("shape", lode_shape_set_materials, s, NULL, 0);
    REFUSES_NULL("shape", lode_shape_get_materials, s, NULL, 0);
    REFUSES_NULL("shape", lode_shape_get_material_at, s, -1);
    REFUSES("shape", lode_shape_get_def, s);
    REFUSES("shape", lode_shape_get_world_pose, s);
    REFUSES("shape", lode_shape_get_bounds, s);
    REFUSES("shape", lode_shape_get_half_extents, s);
    REFUSES("shape", lode_shape_get_plane, s, NULL);
    REFUSES_NULL("shape", lode_shape_get_hull, s);
    REFUSES_NULL("shape", lode_shape_get_mesh, s);
    REFUSES_STATUS("shape", lode_shape_set_hull, s, NULL);
    REFUSES_STATUS("shape", lode_shape_set_mesh, s, NULL);
    assert_true(lode_shape_get_mass(s).mass == 0);
    expect_refused("lode_shape_get_mass", "shape", bad->what, __LINE__);
    REFUSES_NULL("shape", lode_shape_get_heightfield, s);
    REFUSES_STATUS("shape", lode_shape_set_heightfield, s, NULL);
    assert_true(lode_shape_get_radius(s) == 0);
    expect_refused("lode_shape_get_radius", "shape", bad->what, __LINE__);
    assert_true(lode_shape_get_half_length(s) == 0);
    expect_refused("lode_shape_get_half_length", "shape", bad->what, __LINE__);
    REFUSES_STATUS("shape", lode_shape_set_pose, s, (lode_pose){.rotation = {1, 0, 0, 0}});
    REFUSES_STATUS("shape", lode_shape_set_density, s, 1);
    REFUSES_STATUS("shape", lode_shape_set_custom, s, NULL);
    REFUSES_NULL("shape", lode_shape_get_custom, s);
    REFUSES_STATUS("shape", lode_shape_set_sensor, s, true);
    REFUSES_NULL("shape", lode_shape_get_sensor, s);
    REFUSES_NULL("shape", lode_shape_collide, s, watched[0].box, NULL, NULL, 0);
    REFUSES_NULL("shape", lode_shape_collide, watched[0].box, s, NULL, NULL, 0);
    int found;
    const lode_shape_pair pair = {watched[0].box, s}, swapped = {s, watched[0].box};
    REFUSES_NULL("pairs", lode_world_collide_pairs, watched[0].world, &pair, 1, NULL, NULL, 0,
                 &found);
    REFUSES_NULL("pairs", lode_world_collide_pairs, watched[0].world, &swapped, 1, NULL, NULL, 0,
                 &found);
    REFUSES_NULL("pairs", lode_pair_set_create, watched[0].world, &pair, 1);
    REFUSES_NULL("pairs", lode_pair_set_create, watched[0].world, &swapped, 1);
    REFUSES_STATUS("shape", lode_shape_set_touch_events, s, true);
    REFUSES_NULL("shape", lode_shape_get_touch_events, s);
    REFUSES_STATUS("shape", lode_shape_set_impact_events, s, true);
    REFUSES_NULL("shape", lode_shape_get_impact_events, s);
    REFUSES_STATUS("shape", lode_shape_set_edit_contacts, s, true);
    REFUSES_NULL("shape", lode_shape_get_edit_contacts, s);
    REFUSES_STATUS("shape", lode_shape_set_sound_events, s, true);
    REFUSES_NULL("shape", lode_shape_get_sound_events, s);
    REFUSES_NULL("shape", lode_shape_get_overlaps, s, NULL, 0);
    REFUSES_STATUS("shape", lode_shape_set_user_data, s, NULL);
    REFUSES_STATUS("shape", lode_shape_set_sphere, s, 1);
    REFUSES_STATUS("shape", lode_shape_set_box, s, vec(1, 1, 1));
    REFUSES_STATUS("shape", lode_shape_set_capsule, s, 1, 1);
    REFUSES_STATUS("shape", lode_shape_set_cylinder, s, 1, 1);
    REFUSES_STATUS("shape", lode_shape_set_plane, s, vec(0, 0, 1), 0);
    REFUSES_STATUS("shape", lode_shape_set_friction, s, 1);
    REFUSES_STATUS("shape", lode_shape_set_restitution, s, 1);
    REFUSES_STATUS("shape", lode_shape_set_filter, s, 1, 1);
    REFUSES_NULL("shape", lode_shape_cast_ray, s, NULL, NULL);
    REFUSES_NULL("shape", lode_shape_cast_shape, s, NULL, NULL);
    assert_true(lode_shape_get_solid(s).radius == 0);
    expect_refused("lode_shape_get_solid", "shape", bad->what, __LINE__);
    REFUSES_STATUS("shape", lode_shape_set_enabled, s, false);
    REFUSES_STATUS("shape", lode_shape_refilter, s);
    assert_false(lode_shape_get_enabled(s));
    expect_refused("lode_shape_get_enabled", "shape", bad->what, __LINE__);
    REFUSES_NULL("shape", lode_shape_find_nearest, s, vec(0, 0, 0), NULL);
    REFUSES_NULL("shape", lode_shape_find_triangles, s, watched[0].box, NULL, 0);
    REFUSES_NULL("shape", lode_shape_find_triangles_in, s, NULL, (lode_pose){0}, NULL, 0);
    REFUSES_NULL("shape", lode_shape_find_closest, s, watched[0].box, NULL);
    REFUSES_NULL("shape", lode_shape_find_closest, watched[0].box, s, NULL);
}

static void refuse_joint(const bad_handles *bad)
{
    lode_joint j = bad->joint;
    assert_false(lode_joint_is_valid(j));
    REFUSES_STATUS("joint", lode_joint_destroy, j);
    REFUSES("joint", lode_joint_get_type, j);
    REFUSES_HANDLE("joint", lode_joint_get_body_a, j);
    REFUSES_HANDLE("joint", lode_joint_get_body_b, j);
    REFUSES_NULL("joint", lode_joint_get_user_data, j);
    REFUSES("joint", lode_joint_get_anchor_a, j);
    REFUSES("joint", lode_joint_get_anchor_b, j);
    REFUSES("joint", lode_joint_get_force, j);
    REFUSES("joint", lode_joint_get_torque_a, j);
    REFUSES("joint", lode_joint_get_torque_b, j);
    REFUSES("joint", lode_joint_get_anchor_torque, j);
    REFUSES("joint", lode_joint_get_axis_world, j, 0);
    REFUSES_HANDLE("joint", lode_joint_get_world, j);
    REFUSES_STATUS("joint", lode_joint_add_force, j, 0, 1);
    REFUSES_STATUS("joint", lode_joint_detach, j);
    REFUSES_STATUS("joint", lode_joint_attach, j, bad->body, bad->body, (lode_pose){0},
                   (lode_pose){0});
    REFUSES_STATUS("joint", lode_joint_set_outlives_bodies, j, true);
    REFUSES_STATUS("joint", lode_joint_set_stiff, j, LODE_STIFF_ALWAYS);
    REFUSES("joint", lode_joint_get_def, j);
    REFUSES_NULL("joint", lode_joint_get_position, j, 0);
    REFUSES_NULL("joint", lode_joint_get_rate, j, 0);
    REFUSES_NULL("joint", lode_joint_get_motor_force, j, 0);
    REFUSES_NULL("joint", lode_joint_get_stop_force, j, 0);
    REFUSES_STATUS("joint", lode_joint_set_user_data, j, NULL);
    REFUSES_STATUS("joint", lode_joint_set_erp, j, 0);
    REFUSES_STATUS("joint", lode_joint_set_cfm, j, 0);
    REFUSES_STATUS("joint", lode_joint_set_max_force, j, 1);
    REFUSES_STATUS("joint", lode_joint_set_max_torque, j, 1);
    REFUSES_STATUS("joint", lode_joint_set_collide_connected, j, true);
    REFUSES_STATUS("joint", lode_joint_set_frames, j, (lode_pose){{0, 0, 0}, {1, 0, 0, 0}},
                   (lode_pose){{0, 0, 0}, {1, 0, 0, 0}});
    REFUSES_STATUS("joint", lode_joint_set_axis, j, 0, NULL);
    REFUSES_STATUS("joint", lode_joint_set_limits, j, 0, -1, 1);
    REFUSES_STATUS("joint", lode_joint_set_motor, j, 0, 1, 1);
    REFUSES_STATUS("joint", lode_joint_set_target, j, 0, 1);
}

static void refuse_articulation(const bad_handles *bad)
{
    lode_articulation a = bad->articulation;
    lode_articulation_def def = lode_articulation_def_default();
    lode_link_def link_def = lode_link_def_default(LODE_LINK_FIXED);
    lode_vec3 v = vec(1, 2, 3);
    assert_false(lode_articulation_is_valid(a));
    REFUSES_HANDLE("world", lode_articulation_create, bad->world, &def);
    REFUSES_STATUS("articulation", lode_articulation_destroy, a);
    REFUSES_HANDLE("articulation", lode_articulation_get_world, a);
    REFUSES_HANDLE("articulation", lode_articulation_add_link, a, &link_def);
    REFUSES_STATUS("articulation", lode_articulation_remove_link, a, bad->body);
    REFUSES_STATUS("articulation", lode_articulation_insert, a);
    REFUSES_STATUS("articulation", lode_articulation_remove, a);
    REFUSES_NULL("articulation", lode_articulation_is_inserted, a);
    REFUSES_NULL("articulation", lode_articulation_get_links, a, NULL, 0, 0);
    REFUSES_NULL("articulation", lode_articulation_count_shapes, a);
    assert_int_equal(lode_articulation_count_dofs(a), -1);
    expect_refused("lode_articulation_count_dofs", "articulation", bad->what, __LINE__);
    REFUSES("articulation", lode_articulation_get_root_pose, a);
    REFUSES_STATUS("articulation", lode_articulation_set_root_pose, a, (lode_pose){v, {1, 0, 0, 0}},
                   true);
    REFUSES("articulation", lode_articulation_get_root_linear_velocity, a);
    REFUSES_STATUS("articulation", lode_articulation_set_root_linear_velocity, a, v, true);
    REFUSES("articulation", lode_articulation_get_root_angular_velocity, a);
    REFUSES_STATUS("articulation", lode_articulation_set_root_angular_velocity, a, v, true);
    REFUSES("articulation", lode_articulation_get_def, a);
    REFUSES_STATUS("articulation", lode_articulation_set_def, a, &def);
    assert_string_equal(lode_articulation_get_name(a), "");
    expect_refused("lode_articulation_get_name", "articulation", bad->what, __LINE__);
    REFUSES_STATUS("articulation", lode_articulation_set_name, a, "name");
    REFUSES_NULL("articulation", lode_articulation_get_user_data, a);
    REFUSES_STATUS("articulation", lode_articulation_set_user_data, a, NULL);
    REFUSES("articulation", lode_articulation_get_bounds, a, 1);
    REFUSES_NULL("articulation", lode_articulation_is_sleeping, a);
    REFUSES_STATUS("articulation", lode_articulation_wake, a);
    REFUSES_STATUS("articulation", lode_articulation_sleep, a);
    REFUSES_NULL("articulation", lode_articulation_get_wake_counter, a);
    REFUSES_STATUS("articulation", lode_articulation_set_wake_counter, a, 1);
    REFUSES("articulation", lode_articulation_get_residual, a);
    REFUSES_STATUS("articulation", lode_articulation_add_loop_joint, a, bad->joint);
    REFUSES_STATUS("articulation", lode_articulation_remove_loop_joint, a, bad->joint);
    REFUSES_NULL("articulation", lode_articulation_get_loop_joints, a, NULL, 0, 0);
    REFUSES_NULL("articulation", lode_articulation_count_loop_rows, a);
    REFUSES_NULL("articulation", lode_articulation_get_coefficient_matrix_size, a);
    REFUSES_STATUS("articulation", lode_articulation_compute_coefficient_matrix, a, NULL, NULL);
    REFUSES_STATUS("articulation", lode_articulation_compute_lambda, a, NULL, NULL, 1, 1, NULL,
                   NULL);
}

static void refuse_link(const bad_handles *bad)
{
    lode_body l = bad->body;
    lode_pose pose = {.rotation = {1, 0, 0, 0}};
    lode_link_axis axis = {0};
    lode_real linear, angular;
    REFUSES_HANDLE("body", lode_body_get_articulation, l);
    assert_int_equal(lode_link_get_index(l), -1);
    expect_refused("lode_link_get_index", "link", bad->what, __LINE__);
    REFUSES_HANDLE("link", lode_link_get_parent, l);
    assert_int_equal(lode_link_get_first_dof(l), -1);
    expect_refused("lode_link_get_first_dof", "link", bad->what, __LINE__);
    REFUSES_NULL("link", lode_link_count_dofs, l);
    REFUSES_NULL("link", lode_link_get_type, l);
    REFUSES_STATUS("link", lode_link_set_type, l, LODE_LINK_FIXED);
    REFUSES("link", lode_link_get_parent_frame, l);
    REFUSES_STATUS("link", lode_link_set_parent_frame, l, pose);
    REFUSES("link", lode_link_get_child_frame, l);
    REFUSES_STATUS("link", lode_link_set_child_frame, l, pose);
    REFUSES("link", lode_link_get_axis, l, LODE_AXIS_TWIST);
    REFUSES_STATUS("link", lode_link_set_axis, l, LODE_AXIS_TWIST, &axis);
    REFUSES_STATUS("link", lode_link_set_position, l, LODE_AXIS_TWIST, 1);
    REFUSES_STATUS("link", lode_link_set_velocity, l, LODE_AXIS_TWIST, 1);
    REFUSES_STATUS("link", lode_link_set_target, l, LODE_AXIS_TWIST, 1, true);
    REFUSES_STATUS("link", lode_link_set_target_velocity, l, LODE_AXIS_TWIST, 1, true);
    REFUSES_NULL("link", lode_link_get_joint_force, l, LODE_AXIS_TWIST);
    REFUSES_STATUS("link", lode_link_set_joint_force, l, LODE_AXIS_TWIST, 1);
    REFUSES_NULL("link", lode_link_get_friction_coefficient, l);
    REFUSES_STATUS("link", lode_link_set_friction_coefficient, l, 1);
    REFUSES_NULL("link", lode_link_get_cfm_scale, l);
    REFUSES_STATUS("link", lode_link_set_cfm_scale, l, 1);
    REFUSES_STATUS("link", lode_link_get_damping, l, &linear, &angular);
    REFUSES_STATUS("link", lode_link_set_damping, l, 1, 1);
}

static void refuse_joint_def(const bad_handles *bad)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    lode_world world = watched[0].world;
    def.body_a = bad->body;
    def.body_b = watched[0].crate;
    REFUSES_STATUS("def.body_a", lode_joint_def_anchor_world, &def, vec(0, 0, 0), vec(1, 0, 0));
    REFUSES_HANDLE("def.body_a", lode_joint_create, world, &def);
    if (!bad->body.id)
        return; /* a null body_b joins to the world */
    def.body_a = watched[0].ball;
    def.body_b = bad->body;
    REFUSES_STATUS("def.body_b", lode_joint_def_anchor_world, &def, vec(0, 0, 0), vec(1, 0, 0));
    REFUSES_HANDLE("def.body_b", lode_joint_create, world, &def);
}

static lode_articulation add_articulation(const scene *s)
{
    lode_articulation_def def = lode_articulation_def_default();
    lode_link_def link = lode_link_def_default(LODE_LINK_FIXED);
    lode_articulation articulation = lode_articulation_create(s->world, &def);
    assert_true(lode_articulation_add_link(articulation, &link).id);
    return articulation;
}

static bad_handles handles_of(const scene *s, const char *what)
{
    return (bad_handles){what, s->world, s->ball, s->sphere, s->link, add_articulation(s)};
}

/* Ids with a field set to what no living object has. */
static bad_handles made_up(const scene *s, const char *what, uint64_t mask, uint64_t bits)
{
    bad_handles bad = handles_of(s, what);
    bad.world.id = (bad.world.id & ~mask) | bits;
    bad.body.id = (bad.body.id & ~mask) | bits;
    bad.shape.id = (bad.shape.id & ~mask) | bits;
    bad.joint.id = (bad.joint.id & ~mask) | bits;
    bad.articulation.id = (bad.articulation.id & ~mask) | bits;
    return bad;
}

static void bad_handles_are_refused_by_every_function(void **state)
{
    (void)state;
    report_install();

    /* of a world that is gone; its place in the registry is taken by a world just like it */
    scene gone = scene_create(NULL);
    bad_handles bad[6] = {{.what = "null"}, handles_of(&gone, "a destroyed world's")};
    lode_world_destroy(gone.world);
    watched[0] = scene_create(NULL);
    watched[1] = scene_create(NULL);
    assert_int_equal(id_entry(watched[0].world.id), id_entry(gone.world.id));

    /* of objects that are gone, in slots that live again */
    scene *s = &watched[1];
    bad[2] = handles_of(s, "destroyed objects'");
    bad[2].world = gone.world;
    lode_articulation_destroy(bad[2].articulation);
    add_articulation(s);
    lode_body_destroy(s->ball);
    s->ball = add_ball(s->world, 0, 0, 3, (lode_real)0.5);
    assert_int_equal(id_slot(s->ball.id), id_slot(bad[2].body.id));

    bad[3] = made_up(&watched[0], "out of range", 0xffffff, 0xfffffe);
    bad[4] = made_up(&watched[0], "null generation", UINT64_C(0xffffff000000), 0);
    bad[4].world = (lode_world){watched[0].world.id ^ 2};
    bad[5] = made_up(&watched[0], "no world's", UINT64_C(0xffff) << 48, UINT64_C(0xffff) << 48);

    assert_int_equal(report.count, 0);
    for (int i = 0; i < 6; ++i) {
        remember();
        refuse_world_settings(&bad[i]);
        refuse_world_queries(&bad[i]);
        refuse_world(&bad[i]);
        refuse_body(&bad[i]);
        refuse_body_values(&bad[i]);
        refuse_shape(&bad[i]);
        refuse_joint(&bad[i]);
        refuse_joint_def(&bad[i]);
        refuse_articulation(&bad[i]);
        refuse_link(&bad[i]);
    }
    lode_world_destroy(watched[0].world);
    lode_world_destroy(watched[1].world);
}

static void bodies_of_another_world_are_foreign(void **state)
{
    (void)state;
    report_install();
    watched[0] = scene_create(NULL);
    watched[1] = scene_create(NULL);
    remember();
    const bad_handles *bad = &(bad_handles){.what = "foreign"};
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = watched[1].ball;
    def.body_b = watched[0].crate;
    REFUSES_HANDLE("def.body_a", lode_joint_create, watched[0].world, &def);
    REFUSES_HANDLE("def.body_b", lode_joint_create, watched[1].world, &def);
    REFUSES_STATUS("def.body_b", lode_joint_def_anchor_world, &def, vec(0, 0, 0), vec(1, 0, 0));
    lode_world_destroy(watched[0].world);
    lode_world_destroy(watched[1].world);
}

/* ---- reuse ---- */

enum { ROUNDS = 300 };

static void reused_slots_never_answer_for_old_objects(void **state)
{
    (void)state;
    report_install();
    scene s = scene_create(NULL);
    lode_shape_def def = lode_shape_def_default();
    lode_body bodies[ROUNDS];
    lode_shape shapes[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        bodies[i] = add_body(s.world, LODE_DYNAMIC, 0, 0, 9);
        shapes[i] = lode_shape_create_sphere(bodies[i], &def, 1);
        for (int k = 0; k < i; ++k)
            assert_false(lode_body_is_valid(bodies[k]) || lode_shape_is_valid(shapes[k]));
        assert_true(lode_body_is_valid(bodies[i]) && lode_shape_is_valid(shapes[i]));
        assert_int_equal(lode_body_destroy(bodies[i]), LODE_OK);
    }
    lode_world_destroy(s.world);
    assert_int_equal(report.count, 0);
}

static void reused_worlds_never_answer_for_old_objects(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    lode_world worlds[ROUNDS];
    lode_body bodies[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        worlds[i] = lode_world_create(&def);
        for (int churn = 0; churn < i % 7; ++churn)
            lode_body_destroy(add_body(worlds[i], LODE_STATIC, 0, 0, 0));
        bodies[i] = add_body(worlds[i], LODE_STATIC, 0, 0, 0);
        for (int k = 0; k < i; ++k)
            assert_false(lode_world_is_valid(worlds[k]) || lode_body_is_valid(bodies[k]));
        assert_true(lode_world_is_valid(worlds[i]) && lode_body_is_valid(bodies[i]));
        lode_world_destroy(worlds[i]);
    }
    assert_int_equal(report.count, 0);
}

static void equal_worlds_hash_equal_in_any_place_of_the_registry(void **state)
{
    (void)state;
    report_install();
    scene first = scene_create(NULL);
    scene second = scene_create(NULL);
    uint64_t hash = lode_world_hash(first.world);
    assert_true(hash != 0 && hash == lode_world_hash(second.world));
    lode_world_destroy(first.world);
    scene third = scene_create(NULL);
    assert_true(hash == lode_world_hash(third.world));
    lode_world_destroy(second.world);
    lode_world_destroy(third.world);
    assert_int_equal(report.count, 0);
}

static void an_entry_that_runs_out_of_generations_is_not_used_again(void **state)
{
    (void)state;
    uint32_t first = 0, again = 0;
    uint32_t entry = lode__registry_reserve(&first);
    lode__registry_release(entry, first + 5);
    assert_int_equal(lode__registry_reserve(&again), entry);
    assert_int_equal(again, first + 6);
    lode__registry_release(entry, LODE__MAX_GENERATION);
    assert_int_not_equal(lode__registry_reserve(&first), entry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_handles_are_refused_by_every_function),
        cmocka_unit_test(bodies_of_another_world_are_foreign),
        cmocka_unit_test(reused_slots_never_answer_for_old_objects),
        cmocka_unit_test(reused_worlds_never_answer_for_old_objects),
        cmocka_unit_test(equal_worlds_hash_equal_in_any_place_of_the_registry),
        cmocka_unit_test(an_entry_that_runs_out_of_generations_is_not_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
