/* fuzz_calls.c: rows of calls on a small world: bodies, shapes of all types, joints come, change
 * and go; sensors, events, filters and switches; queries, snapshots and steps between. A call that
 * fails reports once and one that succeeds reports nothing; the world's tables agree; begin and end
 * events pair; poses stay numbers. */
#include "tests/fuzz/fuzz.h"

#include "world/registry.h"
#include "world/validate.h"

enum { BODIES = 8, SHAPES = 16, JOINTS = 6, TOUCHES = 256 };

typedef struct touch {
    uint64_t a, b;
} touch;

static struct {
    lode_world world;
    lode_body bodies[BODIES];
    lode_shape shapes[SHAPES];
    lode_joint joints[JOINTS];
    lode_hull *hull;
    lode_mesh *mesh;
    lode_heightfield *field;
    touch touches[TOUCHES]; /* that began and did not end: of contacts and of sensors */
    int touch_count;
    bool restored; /* to another time: what began then is not known */
    char *shot;
    size_t shot_size;
} s;

static lode_real real(fuzz_bytes *in)
{
    uint32_t low = fuzz_byte(in);
    return low == 255 ? fuzz_raw(in) : (lode_real)((int8_t)low / 32.0);
}

static lode_vec3 vector(fuzz_bytes *in)
{
    lode_real x = real(in), y = real(in), z = real(in);
    return (lode_vec3){x, y, z};
}

static lode_real size(fuzz_bytes *in)
{
    uint32_t low = fuzz_byte(in);
    return low == 255 ? fuzz_raw(in) : (lode_real)(low / 64.0);
}

static lode_body body(fuzz_bytes *in)
{
    return s.bodies[fuzz_below(in, BODIES)];
}

static lode_shape shape(fuzz_bytes *in)
{
    return s.shapes[fuzz_below(in, SHAPES)];
}

/* ---- calls: each says whether it succeeded ---- */

static bool create_body(fuzz_bytes *in)
{
    lode_body_def def = lode_body_def_default();
    uint32_t place = fuzz_below(in, BODIES), kind = fuzz_below(in, 6);
    def.type = kind < 4 ? LODE_DYNAMIC : kind == 4 ? LODE_STATIC : LODE_KINEMATIC;
    def.position = vector(in);
    def.rotation = fuzz_rotation(in);
    if (lode_body_is_valid(s.bodies[place]))
        lode_body_destroy(s.bodies[place]);
    return (s.bodies[place] = lode_body_create(s.world, &def)).id;
}

static bool create_shape(fuzz_bytes *in)
{
    lode_shape_def def = lode_shape_def_default();
    lode_shape *out = &s.shapes[fuzz_below(in, SHAPES)];
    lode_body on = body(in);
    uint32_t type = fuzz_below(in, LODE_SHAPE_TYPE_COUNT), flags = fuzz_byte(in);
    def.touch_events = flags & 1;
    def.impact_events = flags & 2;
    def.sensor = (flags & 12) == 12;
    def.enabled = (flags & 48) != 48;
    if (flags & 64)
        def.pose.position = vector(in);
    if (flags & 128)
        def.category = 1 << fuzz_below(in, 3), def.mask = fuzz_byte(in);
    switch (type) {
    case LODE_SPHERE:
        return (*out = lode_shape_create_sphere(on, &def, size(in))).id;
    case LODE_BOX:
        return (*out = lode_shape_create_box(on, &def, (lode_vec3){size(in), size(in), 1})).id;
    case LODE_PLANE:
        return (*out = lode_shape_create_plane(on, &def, vector(in), real(in))).id;
    case LODE_CAPSULE:
        return (*out = lode_shape_create_capsule(on, &def, size(in), size(in))).id;
    case LODE_CYLINDER:
        return (*out = lode_shape_create_cylinder(on, &def, size(in), size(in))).id;
    case LODE_MESH:
        return (*out = lode_shape_create_mesh(on, &def, s.mesh)).id;
    case LODE_HULL:
        return (*out = lode_shape_create_hull(on, &def, s.hull)).id;
    default:
        return (*out = lode_shape_create_heightfield(on, &def, s.field)).id;
    }
}

static bool create_joint(fuzz_bytes *in)
{
    lode_joint_def def = lode_joint_def_default(
        (lode_joint_type)fuzz_below(in, LODE_JOINT_TYPE_COUNT));
    def.body_a = body(in);
    def.body_b = body(in);
    def.collide_connected = fuzz_below(in, 2);
    def.frame_a.position = vector(in);
    lode_joint *out = &s.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_joint_create(s.world, &def)).id;
}

static bool create_coupling(fuzz_bytes *in)
{
    lode_joint_term terms[3];
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 1 + (int)fuzz_below(in, 3);
    for (int i = 0; i < def.term_count; ++i) {
        lode_joint joint = s.joints[fuzz_below(in, JOINTS)];
        int axis = (int)fuzz_below(in, 3);
        terms[i] = (lode_joint_term){joint, axis, size(in)};
    }
    def.axis.f_max = (lode_real)fuzz_below(in, 2);
    lode_joint *out = &s.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_coupling_create(s.world, &def)).id;
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
        bodies[i] = body(in);
    const lode_row_writer writer = {write_row, NULL};
    lode_world_set_row_writer(s.world, &writer);
    lode_joint *out = &s.joints[fuzz_below(in, JOINTS)];
    return (*out = lode_rows_create(s.world, &def)).id;
}

static bool destroy(fuzz_bytes *in)
{
    switch (fuzz_below(in, 3)) {
    case 0:
        return !lode_body_destroy(body(in));
    case 1:
        return !lode_shape_destroy(shape(in));
    default:
        return !lode_joint_destroy(s.joints[fuzz_below(in, JOINTS)]);
    }
}

static bool change_body(fuzz_bytes *in)
{
    lode_body b = body(in);
    switch (fuzz_below(in, 8)) {
    case 0:
        return !lode_body_set_pose(b, (lode_pose){vector(in), fuzz_rotation(in)});
    case 1:
        return !lode_body_set_linear_velocity(b, vector(in));
    case 2:
        return !lode_body_set_angular_velocity(b, vector(in));
    case 3:
        return !lode_body_set_type(b, (lode_body_type)fuzz_below(in, 4));
    case 4:
        return !lode_body_sleep(b);
    case 5:
        return !lode_body_wake(b);
    case 6:
        return !lode_body_set_continuous(b, fuzz_below(in, 2));
    default:
        return !lode_body_add_impulse(b, vector(in));
    }
}

static bool switch_shape(fuzz_bytes *in)
{
    lode_shape x = shape(in);
    bool on = fuzz_below(in, 2);
    switch (fuzz_below(in, 6)) {
    case 0:
        return !lode_shape_set_enabled(x, on);
    case 1:
        return !lode_shape_set_sensor(x, on);
    case 2:
        return !lode_shape_set_touch_events(x, on);
    case 3:
        return !lode_shape_set_impact_events(x, on);
    case 4:
        return !lode_shape_refilter(x);
    default:
        return !lode_shape_set_filter(x, fuzz_byte(in), fuzz_byte(in));
    }
}

static bool change_shape(fuzz_bytes *in)
{
    lode_shape x = shape(in);
    switch (fuzz_below(in, 7)) {
    case 0:
        return !lode_shape_set_pose(x, (lode_pose){vector(in), fuzz_rotation(in)});
    case 1:
        return !lode_shape_set_sphere(x, size(in));
    case 2:
        return !lode_shape_set_box(x, (lode_vec3){size(in), size(in), size(in)});
    case 3:
        return !lode_shape_set_capsule(x, size(in), size(in));
    case 4:
        return !lode_shape_set_cylinder(x, size(in), size(in));
    case 5:
        return !lode_shape_set_plane(x, vector(in), real(in));
    default:
        return !lode_shape_set_friction(x, real(in));
    }
}

/* Queries say false for many reasons: what they answer is looked at, not whether. */
static bool query(fuzz_bytes *in)
{
    lode_ray ray = {vector(in), vector(in), size(in) * 8, (lode_faces)fuzz_below(in, 3)};
    lode_cast cast = {
        lode_solid_capsule(size(in), size(in)), {ray.origin, {1, 0, 0, 0}}, ray.direction};
    lode_ray_hit hit;
    lode_cast_hit met;
    lode_closest closest;
    lode_shape found[SHAPES];
    if (lode_world_cast_ray(s.world, &ray, NULL, &hit))
        FUZZ_CHECK(lode_shape_is_valid(hit.shape) && isfinite(hit.distance), "ray's hit");
    if (lode_world_cast_shape(s.world, &cast, NULL, &met))
        FUZZ_CHECK(lode_shape_is_valid(met.shape) && isfinite(met.distance), "cast's hit");
    if (lode_shape_find_closest(shape(in), shape(in), &closest))
        FUZZ_CHECK(isfinite(closest.distance), "distance");
    int count = lode_world_overlap_sphere(s.world, ray.origin, size(in), NULL, found, SHAPES);
    for (int i = 0; i < count && i < SHAPES; ++i)
        FUZZ_CHECK(lode_shape_get_enabled(found[i]) && !lode_shape_get_sensor(found[i]), "overlap");
    fuzz_quiet();
    return true;
}

static bool save_or_restore(fuzz_bytes *in)
{
    if (fuzz_below(in, 2) || !s.shot) {
        free(s.shot);
        s.shot_size = lode_world_snapshot(s.world, NULL, 0);
        s.shot = malloc(s.shot_size);
        return s.shot && lode_world_snapshot(s.world, s.shot, s.shot_size) == s.shot_size;
    }
    bool restored = !lode_world_restore(s.world, s.shot, s.shot_size);
    s.restored = s.restored || restored;
    return restored;
}

/* ---- the oracle ---- */

static void begin(const lode_touch_event *e)
{
    for (int i = 0; i < s.touch_count; ++i)
        FUZZ_CHECK(s.touches[i].a != e->shape_a.id || s.touches[i].b != e->shape_b.id,
                   "a touch began twice");
    FUZZ_CHECK(s.touch_count < TOUCHES, "touches without end");
    s.touches[s.touch_count++] = (touch){e->shape_a.id, e->shape_b.id};
}

static void end(const lode_touch_event *e)
{
    for (int i = 0; i < s.touch_count; ++i)
        if (s.touches[i].a == e->shape_a.id && s.touches[i].b == e->shape_b.id) {
            s.touches[i] = s.touches[--s.touch_count];
            return;
        }
    FUZZ_CHECK(false, "a touch ended that did not begin");
}

static void check_events(void)
{
    lode_events e = lode_world_get_events(s.world);
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
}

static bool step(fuzz_bytes *in)
{
    lode_status status = LODE_OK;
    if (fuzz_below(in, 4)) {
        status = lode_world_step(s.world, (lode_real)1 / 60);
    } else {
        status = lode_world_collide(s.world, (lode_real)1 / 60);
        lode_world_get_contacts(s.world, NULL, 0);
        status = status ? status : lode_world_solve(s.world, (lode_real)1 / 60);
    }
    FUZZ_CHECK(status == LODE_OK, "step: %d", status);
    if (!s.restored)
        check_events();
    for (int i = 0; i < BODIES; ++i) {
        if (!lode_body_is_valid(s.bodies[i]))
            continue;
        lode_pose p = lode_body_get_pose(s.bodies[i]);
        FUZZ_CHECK(isfinite(p.position.x) && isfinite(p.position.y) && isfinite(p.position.z) &&
                       isfinite(p.rotation.w + p.rotation.x + p.rotation.y + p.rotation.z),
                   "pose of body %d", i);
    }
    return true;
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
    memset(&s, 0, sizeof s);
    s.hull = lode_hull_create(&hull);
    s.mesh = lode_mesh_create(&mesh);
    s.field = lode_heightfield_create(&field);
    s.world = lode_world_create(&def);
    lode_world_offer_hull(s.world, s.hull);
    lode_world_offer_mesh(s.world, s.mesh);
    lode_world_offer_heightfield(s.world, s.field);
}

static void tear_down(void)
{
    lode_world_destroy(s.world);
    lode_hull_release(s.hull);
    lode_mesh_release(s.mesh);
    lode_heightfield_release(s.field);
    free(s.shot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static bool (*const calls[])(fuzz_bytes *) = {
        create_body, create_shape, create_shape,    create_joint, destroy,
        change_body, switch_shape, change_shape,    query,        save_or_restore,
        step,        step,         create_coupling, create_rows};
    fuzz_bytes in = {data, data + length};
    fuzz_quiet();
    set_up();
    for (int i = 0; in.at < in.end && i < 200; ++i) {
        uint32_t call = fuzz_below(&in, sizeof calls / sizeof *calls);
        snprintf(fuzz_context, sizeof fuzz_context, "call %d, of kind %u", i, call);
        fuzz_quiet();
        bool succeeded = calls[call](&in);
        FUZZ_CHECK(fuzz_last.count == !succeeded, "%d reports, the last on %s", fuzz_last.count,
                   fuzz_last.argument);
        lode__world_validate(lode__registry_world(s.world.id));
    }
    tear_down();
    return 0;
}
