/* fuzz_calls.c: rows of calls on a small world: bodies, shapes of all types, joints come, change
 * and go; sensors, events, filters and switches; queries, snapshots and steps between; and what
 * calls_joints.c and calls_world.c add. A call that fails reports once and one that succeeds
 * reports nothing; the world's tables agree; begin and end events pair; poses stay numbers. */
#include "tests/fuzz/calls.h"

#include "world/registry.h"
#include "world/validate.h"

enum { MORE_FROM = 192 }; /* bytes from there on are calls of calls_joints.c and calls_world.c */

calls_scene scene;

static calls_fn *const calls_more[] = {calls_change_joint, calls_use_group,    calls_read_joint,
                                       calls_push,         calls_set_surface,  calls_add_contacts,
                                       calls_use_space,    calls_change_world, calls_use_system,
                                       calls_read_world,   calls_collide_all,  calls_use_aggregate};
enum { CALLS_MORE = sizeof calls_more / sizeof *calls_more };

/* ---- calls: each says whether it succeeded ---- */

static bool create_body(fuzz_bytes *in)
{
    lode_body_def def = lode_body_def_default();
    uint32_t place = fuzz_below(in, BODIES), kind = fuzz_below(in, 6);
    def.type = kind < 4 ? LODE_DYNAMIC : kind == 4 ? LODE_STATIC : LODE_KINEMATIC;
    def.position = calls_vector(in);
    def.rotation = fuzz_rotation(in);
    if (lode_body_is_valid(scene.bodies[place]))
        lode_body_destroy(scene.bodies[place]);
    return (scene.bodies[place] = lode_body_create(scene.world, &def)).id;
}

/* Values are drawn one by one: in which order arguments are is not said. */
static lode_vec3 sides(fuzz_bytes *in, bool slab)
{
    lode_real x = calls_size(in), y = calls_size(in);
    return (lode_vec3){x, y, slab ? 1 : calls_size(in)};
}

static bool create_shape(fuzz_bytes *in)
{
    lode_shape_def def = lode_shape_def_default();
    lode_shape *out = &scene.shapes[fuzz_below(in, SHAPES)];
    lode_body on = calls_body(in);
    uint32_t type = fuzz_below(in, LODE_SHAPE_TYPE_COUNT), flags = fuzz_byte(in);
    lode_vec3 v;
    def.touch_events = flags & 1;
    def.impact_events = def.sound_events = flags & 2;
    def.sensor = (flags & 12) == 12;
    def.enabled = (flags & 48) != 48;
    if (flags & 64)
        def.pose.position = calls_vector(in);
    if (flags & 128)
        def.category = 1 << fuzz_below(in, 3), def.mask = fuzz_byte(in);
    switch (type) {
    case LODE_SPHERE:
        return (*out = lode_shape_create_sphere(on, &def, calls_size(in))).id;
    case LODE_BOX:
        return (*out = lode_shape_create_box(on, &def, sides(in, true))).id;
    case LODE_PLANE:
        v = calls_vector(in);
        return (*out = lode_shape_create_plane(on, &def, v, calls_real(in))).id;
    case LODE_CAPSULE:
        v = sides(in, true);
        return (*out = lode_shape_create_capsule(on, &def, v.x, v.y)).id;
    case LODE_CYLINDER:
        v = sides(in, true);
        return (*out = lode_shape_create_cylinder(on, &def, v.x, v.y)).id;
    case LODE_MESH:
        return (*out = lode_shape_create_mesh(on, &def, scene.mesh)).id;
    case LODE_HULL:
        return (*out = lode_shape_create_hull(on, &def, scene.hull)).id;
    case LODE_CUSTOM:
        return (*out = lode_shape_create_custom(on, &def, scene.custom)).id;
    default:
        return (*out = lode_shape_create_heightfield(on, &def, scene.field)).id;
    }
}

static bool create_joint(fuzz_bytes *in)
{
    lode_joint_def def = lode_joint_def_default(
        (lode_joint_type)fuzz_below(in, LODE_JOINT_TYPE_COUNT));
    def.body_a = calls_body(in);
    def.body_b = calls_body(in);
    def.collide_connected = fuzz_below(in, 2);
    def.frame_a.position = calls_vector(in);
    lode_joint *out = &scene.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_joint_create(scene.world, &def)).id;
}

static bool create_coupling(fuzz_bytes *in)
{
    lode_joint_term terms[3];
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 1 + (int)fuzz_below(in, 3);
    for (int i = 0; i < def.term_count; ++i) {
        lode_joint joint = scene.joints[fuzz_below(in, JOINTS)];
        int axis = (int)fuzz_below(in, 3);
        terms[i] = (lode_joint_term){joint, axis, calls_size(in)};
    }
    def.axis.f_max = (lode_real)fuzz_below(in, 2);
    lode_joint *out = &scene.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_coupling_create(scene.world, &def)).id;
}

static void write_row(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context;
    for (int i = 0; i < request->body_count; ++i)
        out_row->linear[i].z = request->bodies[i].rotation.x;
    out_row->max_force = 0;
}

static bool create_rows(fuzz_bytes *in)
{
    lode_body bodies[5];
    lode_rows_def def = lode_rows_def_default();
    def.bodies = bodies;
    def.body_count = 1 + (int)fuzz_below(in, 5);
    def.row_count = 1 + (int)fuzz_below(in, LODE_ROWS_PER_JOINT);
    for (int i = 0; i < def.body_count; ++i)
        bodies[i] = calls_body(in);
    const lode_row_writer writer = {write_row, NULL};
    lode_world_set_row_writer(scene.world, &writer);
    lode_joint *out = &scene.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_rows_create(scene.world, &def)).id;
}

static bool destroy(fuzz_bytes *in)
{
    switch (fuzz_below(in, 3)) {
    case 0:
        return !lode_body_destroy(calls_body(in));
    case 1:
        return !lode_shape_destroy(calls_shape(in));
    default:
        return !lode_joint_destroy(scene.joints[fuzz_below(in, JOINTS)]);
    }
}

static bool change_body(fuzz_bytes *in)
{
    lode_body b = calls_body(in);
    switch (fuzz_below(in, 8)) {
    case 0:
        return !lode_body_set_pose(b, calls_pose(in));
    case 1:
        return !lode_body_set_linear_velocity(b, calls_vector(in));
    case 2:
        return !lode_body_set_angular_velocity(b, calls_vector(in));
    case 3:
        return !lode_body_set_type(b, (lode_body_type)fuzz_below(in, 4));
    case 4:
        return !lode_body_sleep(b);
    case 5:
        return !lode_body_wake(b);
    case 6:
        return !lode_body_set_continuous(b, fuzz_below(in, 2));
    default:
        return !lode_body_add_impulse(b, calls_vector(in));
    }
}

static bool switch_shape(fuzz_bytes *in)
{
    lode_shape x = calls_shape(in);
    bool on = fuzz_below(in, 2);
    uint32_t bits;
    switch (fuzz_below(in, 6)) {
    case 0:
        return !lode_shape_set_enabled(x, on);
    case 1:
        return !lode_shape_set_sensor(x, on);
    case 2:
        return !lode_shape_set_touch_events(x, on);
    case 3:
        return !lode_shape_set_impact_events(x, on) && !lode_shape_set_sound_events(x, on);
    case 4:
        return !lode_shape_refilter(x);
    default:
        bits = fuzz_byte(in);
        return !lode_shape_set_filter(x, bits, fuzz_byte(in));
    }
}

static bool change_shape(fuzz_bytes *in)
{
    lode_shape x = calls_shape(in);
    lode_vec3 v;
    switch (fuzz_below(in, 7)) {
    case 0:
        return !lode_shape_set_pose(x, calls_pose(in));
    case 1:
        return !lode_shape_set_sphere(x, calls_size(in));
    case 2:
        return !lode_shape_set_box(x, sides(in, false));
    case 3:
        v = sides(in, true);
        return !lode_shape_set_capsule(x, v.x, v.y);
    case 4:
        v = sides(in, true);
        return !lode_shape_set_cylinder(x, v.x, v.y);
    case 5:
        v = calls_vector(in);
        return !lode_shape_set_plane(x, v, calls_real(in));
    default:
        return !lode_shape_set_friction(x, calls_real(in));
    }
}

/* Queries say false for many reasons: what they answer is looked at, not whether. */
static bool query(fuzz_bytes *in)
{
    lode_vec3 from = calls_vector(in), along = calls_vector(in);
    lode_ray ray = {from, along, calls_size(in) * 8, LODE_FRONT_FACES};
    ray.faces = (lode_faces)fuzz_below(in, 3);
    lode_vec3 v = sides(in, true);
    lode_cast cast = {lode_solid_capsule(v.x, v.y), {from, {1, 0, 0, 0}}, along};
    lode_ray_hit hit;
    lode_cast_hit met;
    lode_closest closest;
    lode_shape found[SHAPES];
    if (lode_world_cast_ray(scene.world, &ray, NULL, &hit))
        FUZZ_CHECK(lode_shape_is_valid(hit.shape) && isfinite(hit.distance), "ray's hit");
    if (lode_world_cast_shape(scene.world, &cast, NULL, &met))
        FUZZ_CHECK(lode_shape_is_valid(met.shape) && isfinite(met.distance), "cast's hit");
    lode_shape one = calls_shape(in), two = calls_shape(in);
    if (lode_shape_find_closest(one, two, &closest))
        FUZZ_CHECK(isfinite(closest.distance), "distance");
    int count =
        lode_world_overlap_sphere(scene.world, from, calls_size(in), NULL, found, SHAPES);
    for (int i = 0; i < count && i < SHAPES; ++i)
        FUZZ_CHECK(lode_shape_get_enabled(found[i]) && !lode_shape_get_sensor(found[i]), "overlap");
    fuzz_quiet();
    return true;
}

static bool save_or_restore(fuzz_bytes *in)
{
    if (fuzz_below(in, 2) || !scene.shot) {
        free(scene.shot);
        scene.shot_size = lode_world_snapshot(scene.world, NULL, 0);
        scene.shot = malloc(scene.shot_size);
        return scene.shot && lode_world_snapshot(scene.world, scene.shot, scene.shot_size) ==
                                 scene.shot_size;
    }
    bool restored = !lode_world_restore(scene.world, scene.shot, scene.shot_size);
    scene.restored = scene.restored || restored;
    return restored;
}

/* ---- the oracle ---- */

static void begin(const lode_touch_event *e)
{
    for (int i = 0; i < scene.touch_count; ++i)
        FUZZ_CHECK(scene.touches[i].a != e->shape_a.id || scene.touches[i].b != e->shape_b.id,
                   "a touch began twice");
    FUZZ_CHECK(scene.touch_count < TOUCHES, "touches without end");
    scene.touches[scene.touch_count++] = (touch){e->shape_a.id, e->shape_b.id};
}

static void end(const lode_touch_event *e)
{
    for (int i = 0; i < scene.touch_count; ++i)
        if (scene.touches[i].a == e->shape_a.id && scene.touches[i].b == e->shape_b.id) {
            scene.touches[i] = scene.touches[--scene.touch_count];
            return;
        }
    FUZZ_CHECK(false, "a touch ended that did not begin");
}

static void check_sounds(void)
{
    lode_sounds s = lode_world_get_sounds(scene.world);
    for (int i = 0; i < s.impact_count; ++i)
        FUZZ_CHECK(s.impacts[i].energy >= s.impacts[i].lost && s.impacts[i].lost >= 0, "impact");
    for (int i = 0; i < s.roll_count; ++i)
        FUZZ_CHECK(s.rolls[i].angular_speed >= LODE_SOUND_ROLL_SPEED, "roll");
    for (int i = 0; i < s.slide_count; ++i)
        FUZZ_CHECK(s.slides[i].area >= 0 && s.slides[i].power >= 0, "slide");
}

static void check_events(void)
{
    check_sounds();
    lode_events e = lode_world_get_events(scene.world);
    for (int i = 0; i < e.contact_end_count; ++i)
        end(&e.contact_ends[i]);
    for (int i = 0; i < e.sensor_end_count; ++i)
        end(&e.sensor_ends[i]);
    for (int i = 0; i < e.contact_begin_count; ++i)
        begin(&e.contact_begins[i]);
    for (int i = 0; i < e.sensor_begin_count; ++i)
        begin(&e.sensor_begins[i]);
    for (int i = 0; i < e.impact_count; ++i)
        FUZZ_CHECK(isfinite(e.impacts[i].impulse) && isfinite(e.impacts[i].approach_speed),
                   "impact");
    for (int i = 0; i < e.break_count; ++i)
        FUZZ_CHECK(!lode_joint_get_enabled(e.breaks[i].joint), "a joint that broke holds");
}

static bool step(fuzz_bytes *in)
{
    lode_status status = LODE_OK;
    if (fuzz_below(in, 4)) {
        status = lode_world_step(scene.world, (lode_real)1 / 60);
    } else {
        status = lode_world_collide(scene.world, (lode_real)1 / 60);
        lode_world_get_contacts(scene.world, NULL, 0);
        status = status ? status : lode_world_solve(scene.world, (lode_real)1 / 60);
    }
    FUZZ_CHECK(status == LODE_OK, "step: %d", status);
    if (!scene.restored)
        check_events();
    for (int i = 0; i < BODIES; ++i) {
        if (!lode_body_is_valid(scene.bodies[i]))
            continue;
        lode_pose p = lode_body_get_pose(scene.bodies[i]);
        FUZZ_CHECK(isfinite(p.position.x) && isfinite(p.position.y) && isfinite(p.position.z) &&
                       isfinite(p.rotation.w + p.rotation.x + p.rotation.y + p.rotation.z),
                   "pose of body %d", i);
    }
    return true;
}

static void ball_support(const void *data, const double direction[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = *(const double *)data * direction[k];
}

static void set_up(void)
{
    static const float corners[5][3] = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}, {0, 0, 1}};
    static const uint16_t triangles[4][3] = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    static const float heights[9] = {0, 0.5f, 0, 0.5f, 1, 0.5f, 0, 0.5f, 0};
    lode_real points[8][3];
    for (int i = 0; i < 24; ++i)
        points[i / 3][i % 3] = (lode_real)(i / 3 >> i % 3 & 1 ? 0.5 : -0.5 - i / 16.0);
    lode_hull_def hull = lode_hull_def_default();
    hull.points = points[0];
    hull.point_count = 8;
    lode_mesh_def mesh = lode_mesh_def_default();
    mesh.vertices = corners;
    mesh.vertex_count = 5;
    mesh.double_vertices = false;
    mesh.indices = triangles;
    mesh.triangle_count = 4;
    mesh.short_indices = true;
    lode_heightfield_def field = lode_heightfield_def_default();
    field.columns = field.rows = 3;
    field.samples = heights;
    field.type = LODE_SAMPLE_FLOAT;
    lode_world_def def = lode_world_def_default();
    memset(&scene, 0, sizeof scene);
    scene.hull = lode_hull_create(&hull);
    scene.mesh = lode_mesh_create(&mesh);
    scene.field = lode_heightfield_create(&field);
    static const lode_custom_class ball = {
        .name = "ball", .data_size = sizeof(double), .support = ball_support};
    static const double radius = 0.4;
    scene.custom = lode_custom_create(&ball, &radius);
    scene.world = lode_world_create(&def);
    lode_world_offer_hull(scene.world, scene.hull);
    lode_world_offer_mesh(scene.world, scene.mesh);
    lode_world_offer_heightfield(scene.world, scene.field);
    lode_world_offer_custom(scene.world, scene.custom);
}

static void tear_down(void)
{
    lode_world_destroy(scene.world);
    lode_hull_release(scene.hull);
    lode_mesh_release(scene.mesh);
    lode_heightfield_release(scene.field);
    lode_custom_release(scene.custom);
    free(scene.shot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static calls_fn *const calls[] = {
        create_body, create_shape, create_shape,    create_joint, destroy,
        change_body, switch_shape, change_shape,    query,        save_or_restore,
        step,        step,         create_coupling, create_rows};
    fuzz_bytes in = {data, data + length};
    fuzz_quiet();
    set_up();
    for (int i = 0; in.at < in.end && i < 200; ++i) {
        uint32_t byte = fuzz_byte(&in), call = byte % (sizeof calls / sizeof *calls);
        bool more = byte >= MORE_FROM;
        if (more)
            call = (byte - MORE_FROM) % CALLS_MORE;
        snprintf(fuzz_context, sizeof fuzz_context, "call %d, of kind %s%u", i, more ? "more " : "",
                 call);
        fuzz_quiet();
        bool succeeded = more ? calls_more[call](&in) : calls[call](&in);
        FUZZ_CHECK(fuzz_last.count == !succeeded, "%d reports, the last on %s", fuzz_last.count,
                   fuzz_last.argument);
        lode__world_validate(lode__registry_world(scene.world.id));
    }
    tear_down();
    return 0;
}
