/* asleep.c: see asleep.h. */
#include "tests/world/asleep.h"

#include "tests/world/classes.h"

static const lode_real half = (lode_real)0.5;

/* --- geometry: a cube for hull and mesh, flat ground for the field, a ball for the class */

static lode_hull *make_hull(void)
{
    lode_real points[8][3];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            points[i][k] = i >> k & 1 ? half : -half;
    lode_hull_def def = lode_hull_def_default();
    def.points = &points[0][0];
    def.point_count = 8;
    return lode_hull_create(&def);
}

static lode_mesh *make_mesh(void)
{
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    float corners[8][3];
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 3; ++k)
            corners[i][k] = i >> k & 1 ? 0.5f : -0.5f;
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = corners;
    def.double_vertices = false;
    def.vertex_count = 8;
    def.indices = faces;
    def.triangle_count = 12;
    return lode_mesh_create(&def);
}

static lode_heightfield *make_field(void)
{
    static const float flat[9];
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = def.rows = 3;
    def.samples = flat;
    def.type = LODE_SAMPLE_FLOAT;
    return lode_heightfield_create(&def);
}

/* --- shapes */

static lode_shape add_shape(const asleep *a, lode_body body, lode_shape_type type, lode_vec3 at)
{
    lode_shape_def def = lode_shape_def_default();
    def.pose.position = at;
    switch (type) {
    case LODE_SPHERE:
        return lode_shape_create_sphere(body, &def, half);
    case LODE_CAPSULE:
        def.pose.rotation = (lode_quat){1, 0, 1, 0}; /* along x */
        return lode_shape_create_capsule(body, &def, half, half);
    case LODE_CYLINDER:
        return lode_shape_create_cylinder(body, &def, half, half);
    case LODE_HULL:
        return lode_shape_create_hull(body, &def, a->hull);
    case LODE_MESH:
        return lode_shape_create_mesh(body, &def, a->mesh);
    case LODE_HEIGHTFIELD:
        def.pose.position = vec(at.x - 1, at.y - 1, at.z + half);
        return lode_shape_create_heightfield(body, &def, a->field);
    case LODE_CUSTOM:
        return lode_shape_create_custom(body, &def, a->egg);
    default:
        return lode_shape_create_box(body, &def, vec(half, half, half));
    }
}

/* How many it takes to stand on, and where they are. */
static int feet_of(lode_shape_type type)
{
    return type == LODE_SPHERE || type == LODE_CUSTOM ? 3 : type == LODE_CAPSULE ? 2 : 1;
}

static const lode_vec3 foot[3] = {{0, (lode_real)0.4, 0},
                                  {(lode_real)-0.4, (lode_real)-0.4, 0},
                                  {(lode_real)0.4, (lode_real)-0.4, 0}};

static lode_body add_crate(const asleep *a, lode_real x, lode_real y, lode_real z)
{
    lode_body body = add_body(a->world, LODE_DYNAMIC, x, y, z);
    add_shape(a, body, LODE_BOX, vec(0, 0, 0));
    return body;
}

static lode_body *first_of(asleep *a, uint32_t island)
{
    int i = 0;
    while (island >> i != 1)
        ++i;
    return a->island[i];
}

static void add_type(asleep *a, lode_shape_type type)
{
    lode_real x = 8 * (lode_real)type;
    lode_body *own = first_of(a, OWN(type)), *on = first_of(a, ON(type));
    own[0] = add_body(a->world, LODE_DYNAMIC, x, 0, half);
    /* the sheet of a field lies on the ground, a metre below where its own frame would have it */
    a->own[type] = add_shape(a, own[0], type, vec(0, 0, type == LODE_HEIGHTFIELD ? -1 : 0));
    if (type == LODE_HEIGHTFIELD)
        lode_body_set_mass(own[0], &(lode_mass){.mass = 1, .inertia = {1, 1, 1}});
    if (type == LODE_BOX)
        own[1] = add_crate(a, x, 0, half + 1);
    a->support[type] = add_body(a->world, LODE_STATIC, x, 20, half);
    for (int i = 0; i < feet_of(type); ++i)
        a->under[type] = add_shape(a, a->support[type], type,
                                   feet_of(type) > 1 ? foot[i] : vec(0, 0, 0));
    on[0] = add_crate(a, x, 20, half + 1);
}

static lode_joint join(const asleep *a, lode_joint_type type, lode_body one, lode_body two,
                       lode_vec3 at)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = one;
    def.body_b = two;
    lode_joint_def_anchor_world(&def, at, vec(1, 0, 0));
    return lode_joint_create(a->world, &def);
}

/* From a body's centre to another's. */
static lode_joint tie(const asleep *a, lode_body one, lode_body two)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
    def.body_a = one;
    def.body_b = two;
    return lode_joint_create(a->world, &def);
}

static void add_machines(asleep *a)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body *bobs = first_of(a, BOBS);
    a->pole = add_body(a->world, LODE_STATIC, 0, -20, 5);
    bobs[0] = add_ball(a->world, 0, -20, 4, (lode_real)0.2);
    bobs[1] = add_ball(a->world, 0, -20, 3, (lode_real)0.2);
    a->rope = tie(a, bobs[0], a->pole);
    a->knee = join(a, LODE_JOINT_HINGE, bobs[1], bobs[0], vec(0, -20, 4));
    a->wrist = join(a, LODE_JOINT_ANGULAR_MOTOR, bobs[1], bobs[0], vec(0, -20, 3));
    a->lift = add_body(a->world, LODE_KINEMATIC, 10, -20, 5);
    a->plate = lode_shape_create_box(a->lift, &def, vec(1, 1, (lode_real)0.1));
    *first_of(a, RIDER) = add_crate(a, 10, -20, (lode_real)5.6);
    *first_of(a, TOWED) = add_ball(a->world, 10, -20, 3, (lode_real)0.2);
    a->line = join(a, LODE_JOINT_BALL, *first_of(a, TOWED), a->lift, vec(10, -20, 5));
    a->cart = add_body(a->world, LODE_KINEMATIC, 30, -20, half);
    a->box_of_cart = add_shape(a, a->cart, LODE_BOX, vec(0, 0, 0));
}

/* --- the world */

asleep asleep_create(void)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape_def = lode_shape_def_default();
    def.sleep.enabled = true;
    asleep a = {.world = lode_world_create(&def),
                .hull = make_hull(),
                .mesh = make_mesh(),
                .field = make_field(),
                .egg = lode_custom_create(&ellipsoids, &(ellipsoid){{half, half, half}})};
    assert_true(a.world.id && a.hull && a.mesh && a.field && a.egg);
    lode_world_offer_hull(a.world, a.hull);
    lode_world_offer_mesh(a.world, a.mesh);
    lode_world_offer_heightfield(a.world, a.field);
    lode_world_offer_custom(a.world, a.egg);
    a.ground = add_body(a.world, LODE_STATIC, 0, 0, 0);
    a.plane = lode_shape_create_plane(a.ground, &shape_def, vec(0, 0, 1), 0);
    a.own[LODE_PLANE] = a.under[LODE_PLANE] = a.plane;
    for (int type = 0; type < LODE_SHAPE_TYPE_COUNT; ++type)
        if (type != LODE_PLANE)
            add_type(&a, (lode_shape_type)type);
    add_machines(&a);
    for (int i = 0; i < 300 && asleep_awake(&a); ++i)
        lode_world_step(a.world, STEP);
    assert_int_equal(asleep_awake(&a), 0);
    return a;
}

void asleep_destroy(asleep *a)
{
    lode_world_destroy(a->world);
    lode_hull_release(a->hull);
    lode_mesh_release(a->mesh);
    lode_heightfield_release(a->field);
    lode_custom_release(a->egg);
}

uint32_t asleep_awake(const asleep *a)
{
    uint32_t awake = 0;
    for (int i = 0; i < ISLANDS; ++i) {
        int bodies = 0, up = 0;
        for (int k = 0; k < ISLAND_BODIES; ++k) {
            lode_body body = a->island[i][k];
            if (!lode_body_is_valid(body) || lode_body_get_type(body) != LODE_DYNAMIC)
                continue;
            ++bodies;
            up += lode_body_is_awake(body);
        }
        assert_true(up == 0 || up == bodies);
        awake |= up ? (uint32_t)1 << i : 0;
    }
    return awake;
}

uint32_t asleep_all(void)
{
    return (((uint32_t)1 << ISLANDS) - 1) & ~(OWN(LODE_PLANE) | ON(LODE_PLANE));
}

lode_body asleep_own(const asleep *a, lode_shape_type type)
{
    return a->island[type][0];
}

lode_body asleep_crate_on(const asleep *a, lode_shape_type type)
{
    return a->island[type + LODE_SHAPE_TYPE_COUNT][0];
}
