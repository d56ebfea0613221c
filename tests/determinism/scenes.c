/* scenes.c: see scenes.h. */
#include "tests/determinism/scenes.h"

#include "tests/support/random.h"

#define REAL(x) ((lode_real)(x))
#define STEP (1 / REAL(60))

static lode_vec3 vec(lode_real x, lode_real y, lode_real z)
{
    return (lode_vec3){x, y, z};
}

/* A multiple of 1/64 in [lo, hi): exact in either precision. */
static lode_real between(test_random *random, int lo, int hi)
{
    return (lode_real)(lo * 64 + (int)random_below(random, (uint32_t)(hi - lo) * 64)) / 64;
}

static lode_vec3 any_vec(test_random *random, int size)
{
    lode_real x = between(random, -size, size), y = between(random, -size, size);
    return vec(x, y, between(random, -size, size));
}

/* Far enough from zero to be normalised. */
static lode_quat any_rotation(test_random *random)
{
    lode_vec3 v = any_vec(random, 1);
    return (lode_quat){between(random, 1, 3), v.x, v.y, v.z};
}

static lode_body add_body(lode_world world, lode_vec3 position, lode_quat rotation)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = position;
    def.rotation = rotation;
    return lode_body_create(world, &def);
}

static lode_body add_upright(lode_world world, lode_vec3 position)
{
    return add_body(world, position, (lode_quat){1, 0, 0, 0});
}

static void add_ground(lode_world world)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = REAL(0.75);
    lode_shape_create_plane(lode_body_create(world, &def), &shape, vec(0, 0, 1), 0);
}

/* ---- pyramid: `size` boxes at its base, and a ball thrown at it ---- */

static void build_pyramid(lode_world world, int size)
{
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    for (int level = 0; level < size; ++level)
        for (int i = 0; i < size - level; ++i) {
            lode_real x = REAL(i) + REAL(level - size) / 2;
            lode_body box = add_upright(world, vec(x, 0, REAL(0.5) + REAL(level)));
            lode_shape_create_box(box, &shape, vec(REAL(0.5), REAL(0.5), REAL(0.5)));
        }
    lode_body ball = add_upright(world, vec(REAL(0.25), -6, REAL(size) / 2));
    shape.density = 4000;
    lode_shape_create_sphere(ball, &shape, REAL(0.75));
    lode_body_set_linear_velocity(ball, vec(0, 12, 1));
}

/* ---- box pile: boxes of any rotation and several sizes fall on each other ---- */

static void build_box_pile(lode_world world, int size)
{
    test_random random = {11};
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        lode_real east = between(&random, -3, 3), north = between(&random, -3, 3);
        lode_vec3 at = vec(east, north, 2 + REAL(i) / 4);
        lode_body box = add_body(world, at, any_rotation(&random));
        lode_real x = REAL(0.25) + between(&random, 0, 1) / 2;
        lode_shape_create_box(box, &shape, vec(x, REAL(0.5), REAL(0.25)));
    }
}

/* ---- chains: spheres in chains of four, every other of which hangs from the world; joints of all
 * types, most of them ball joints and hinges, whose axes have stops, motors, or both ---- */

static void join(lode_world world, lode_body a, lode_body b, lode_vec3 anchor, int i)
{
    static const lode_joint_type common[2] = {LODE_JOINT_BALL, LODE_JOINT_HINGE};
    lode_joint_type any = (lode_joint_type)(i / 3 % LODE_JOINT_TYPE_COUNT);
    lode_joint_def def = lode_joint_def_default(i % 3 < 2 ? common[i % 3] : any);
    def.body_a = a;
    def.body_b = b;
    for (int axis = 0; axis < LODE_JOINT_AXES; ++axis) {
        int k = i + 3 * axis;
        def.axis[axis].frame = (lode_axis_frame)(k % 3);
        if (k % 2) {
            def.axis[axis].lo_stop = REAL(-0.5);
            def.axis[axis].hi_stop = REAL(k % 7) / 8;
            def.axis[axis].bounce = REAL(k % 5) / 8;
        }
        if (k % 5 < 2) {
            def.axis[axis].vel = 2;
            def.axis[axis].f_max = REAL(k % 11) * 16;
            def.axis[axis].servo = REAL(k % 3) * 20;
            def.axis[axis].target = REAL(k % 4) / 8;
        }
    }
    lode_joint_def_anchor_world(&def, anchor, vec(1, 0, 0));
    if (def.type == LODE_JOINT_DOUBLE_BALL || def.type == LODE_JOINT_DOUBLE_HINGE)
        def.frame_a.position.y += REAL(0.25);
    lode_joint_create(world, &def);
}

static void build_chains(lode_world world, int size)
{
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    lode_body last = {0};
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 8) - REAL(i / 8 % 2) / 4, REAL(i / 8 % 8), 1 + REAL(i) / 32);
        lode_body ball = add_upright(world, at);
        shape.friction = REAL(i % 3) / 2;
        lode_shape_create_sphere(ball, &shape, REAL(0.375));
        if (i % 4 != 0)
            join(world, ball, last, vec(at.x - REAL(0.5), at.y, at.z), i);
        else if (i % 8 == 4)
            join(world, ball, (lode_body){0}, vec(at.x, at.y, at.z + 1), i);
        last = ball;
    }
}

/* ---- nets: sheets of balls in joints of all types that do not stretch, some heavy, with loops,
 * motors and stops, which fall onto each other ---- */

static void build_nets(lode_world world, int size)
{
    enum { ACROSS = 3, SHEET = 12 };
    lode_shape_def shape = lode_shape_def_default();
    lode_body sheet[SHEET];
    lode_world_set_stiff_joints(world, LODE_STIFF_ALWAYS);
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        int k = i % SHEET, x = k % ACROSS, y = k / ACROSS, z = i / SHEET;
        lode_vec3 at = vec(REAL(x), REAL(y) + REAL(z) / 4, REAL(z) + 1 + REAL(k) / 32);
        sheet[k] = add_upright(world, at);
        shape.density = k % 5 == 3 ? 512 : 4;
        lode_shape_create_sphere(sheet[k], &shape, REAL(0.375));
        if (x > 0 && k != 4)
            join(world, sheet[k], sheet[k - 1], vec(at.x - REAL(0.5), at.y, at.z), i);
        if (y > 0 && (x == 0 || z % 2))
            join(world, sheet[k], sheet[k - ACROSS], vec(at.x, at.y - REAL(0.5), at.z), i / 2);
        if (k == 0 && z % 3 == 1)
            join(world, sheet[k], (lode_body){0}, vec(at.x, at.y, at.z + 1), i);
    }
}

/* ---- gears: balls on hinges, slides and distances, coupled in trees, and rows over twelve of
 * them, among boxes that fall on them ---- */

static void write_row(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context;
    for (int i = 0; i < request->body_count; ++i) {
        out_row->linear[i] = vec(0, 0, 1);
        out_row->angular[i] = vec(REAL(request->row), 0, REAL(i % 3) / 4);
        out_row->error += request->bodies[i].center.z / 8 - REAL(0.25);
    }
    out_row->min_force = request->row ? 0 : -64;
}

static lode_joint gear_axle(lode_world world, lode_body ball, lode_vec3 at, int i)
{
    static const lode_joint_type types[] = {LODE_JOINT_HINGE, LODE_JOINT_HINGE, LODE_JOINT_SLIDER,
                                            LODE_JOINT_DISTANCE, LODE_JOINT_PISTON};
    lode_joint_def def = lode_joint_def_default(types[i % 5]);
    def.body_a = ball;
    lode_joint_def_anchor_world(&def, at, vec(REAL(i % 3), 1, REAL(i % 2)));
    if (def.type == LODE_JOINT_DISTANCE)
        def.frame_b.position.z += 1;
    return lode_joint_create(world, &def);
}

static void build_gears(lode_world world, int size)
{
    enum { MOST = 1024, TIED = 12 };
    const lode_row_writer writer = {write_row, NULL};
    lode_shape_def shape = lode_shape_def_default();
    lode_joint axle[MOST];
    lode_body tied[TIED];
    add_ground(world);
    lode_world_set_row_writer(world, &writer);
    for (int i = 0; i < size && i < MOST; ++i) {
        lode_vec3 at = vec(REAL(i % 8), REAL(i / 8 % 8), 1 + REAL(i / 64));
        lode_body ball = add_upright(world, at);
        lode_shape_create_sphere(ball, &shape, REAL(0.25) + REAL(i % 4) / 16);
        axle[i] = gear_axle(world, ball, at, i);
        tied[i % TIED] = ball;
        lode_coupling_def gear = lode_coupling_def_default();
        const lode_joint_term terms[] = {{axle[i], 0, REAL(1 + i % 3)},
                                         {axle[i / 2], 0, REAL(i % 5) - REAL(2.5)},
                                         {axle[i * 3 / 4], 0, REAL(0.5)}};
        gear.terms = terms;
        gear.term_count = 2 + i % 2;
        lode_coupling_def_hold(&gear);
        gear.axis.hi_stop += REAL(i % 4) / 4;
        gear.axis.f_max = REAL(i % 3) * 4;
        gear.axis.vel = 1;
        if (i % 32 > 0) /* trees of 32 */
            lode_coupling_create(world, &gear);
        lode_rows_def rows = lode_rows_def_default();
        rows.bodies = tied;
        rows.body_count = TIED;
        rows.row_count = 2;
        if (i % 48 == 47)
            lode_rows_create(world, &rows);
        if (i % 3 == 0)
            lode_shape_create_box(add_upright(world, vec(at.x, at.y, at.z + 2)), &shape,
                                  vec(REAL(0.375), REAL(0.25), REAL(0.25)));
    }
}

/* ---- tumblers: lopsided bodies of several shapes, spinning, bouncing ---- */

static void add_tumbler(lode_world world, test_random *random, lode_vec3 at)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body body = add_body(world, at, any_rotation(random));
    shape.restitution = REAL(0.5);
    shape.pose.rotation = (lode_quat){3, 1, 0, 1};
    lode_shape_create_box(body, &shape, vec(REAL(0.5), REAL(0.25), REAL(0.125)));
    shape.pose.position = vec(REAL(0.5), REAL(0.25), 0);
    shape.density = 3000;
    lode_shape_create_sphere(body, &shape, REAL(0.25));
    lode_body_set_linear_velocity(body, any_vec(random, 2));
    lode_body_set_angular_velocity(body, any_vec(random, 8));
}

static void build_tumblers(lode_world world, int size)
{
    test_random random = {12};
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        int x = i % 4, y = i / 4 % 4, z = i / 16;
        add_tumbler(world, &random, vec(REAL(2 * x), REAL(2 * y), REAL(2 * z + 2)));
    }
}

/* ---- mixed pile: spheres, capsules and boxes fall on each other ---- */

static void build_mixed_pile(lode_world world, int size)
{
    test_random random = {13};
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    for (int i = 0; i < size; ++i) {
        lode_real east = between(&random, -3, 3), north = between(&random, -3, 3);
        lode_vec3 at = vec(east, north, 2 + REAL(i) / 4);
        lode_body body = add_body(world, at, any_rotation(&random));
        lode_real x = REAL(0.25) + between(&random, 0, 1) / 2;
        if (i % 4 == 0)
            lode_shape_create_sphere(body, &shape, x);
        else if (i % 4 == 1)
            lode_shape_create_box(body, &shape, vec(x, REAL(0.5), REAL(0.25)));
        else
            lode_shape_create_capsule(body, &shape, REAL(0.25), x);
    }
}

/* ---- sleepers: columns fall asleep; a ball wakes some, a kinematic plough others, the loss of a
 * static shelf those that sleep on it; some are asked to sleep ---- */

enum { SHELF = 1, PLOUGH, BALL, COLUMNS }; /* by slot */

static lode_body add_block(lode_world world, lode_body_type type, lode_vec3 at, lode_vec3 half)
{
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.type = type;
    def.position = at;
    lode_body block = lode_body_create(world, &def);
    lode_shape_create_box(block, &shape, half);
    return block;
}

static void build_sleepers(lode_world world, int size)
{
    lode_sleep sleep = {true, REAL(0.0625), REAL(0.0625), 10, 0, 1};
    lode_shape_def shape = lode_shape_def_default();
    lode_world_set_sleep(world, &sleep);
    add_ground(world);
    add_block(world, LODE_STATIC, vec(0, -3, 1), vec(8, 1, REAL(0.25)));
    add_block(world, LODE_KINEMATIC, vec(-4, 3, REAL(0.5)), vec(REAL(0.25), 1, REAL(0.5)));
    lode_body ball = add_upright(world, vec(-6, 0, REAL(0.5)));
    lode_shape_create_sphere(ball, &shape, REAL(0.5));
    for (int i = 0; i < size; ++i) {
        lode_real x = REAL(i / 9 * 2) - 2, y = REAL(i / 3 % 3 * 3) - 3;
        lode_vec3 at = vec(x, y, REAL(i % 3) + (y < 0 ? REAL(1.75) : REAL(0.5)));
        lode_body box = add_block(world, LODE_DYNAMIC, at, vec(REAL(0.5), REAL(0.5), REAL(0.5)));
        sleep.samples = 1 + i % 2 * 7;
        lode_body_set_sleep(box, &sleep);
    }
}

static void act_on_sleepers(lode_world world, int step)
{
    lode_body bodies[COLUMNS + 1];
    lode_world_get_bodies(world, bodies, COLUMNS + 1);
    if (step == 60)
        lode_body_set_linear_velocity(bodies[PLOUGH], vec(3, 0, 0));
    if (step == 80)
        lode_body_set_linear_velocity(bodies[BALL], vec(10, 0, 0));
    if (step == 100)
        lode_body_set_linear_velocity(bodies[PLOUGH], vec(0, 0, 0));
    if (step == 120)
        lode_body_set_pose(bodies[SHELF], (lode_pose){vec(6, -3, 1), {1, 0, 0, 0}});
    if (step == 140)
        lode_body_sleep(bodies[COLUMNS]);
}

/* ---- movers: bodies on kinematic plates that turn, rise and swing, in a wind that the application
 * makes, and bodies without shapes that stand on contacts of the caller ---- */

enum { TURNTABLE = 1, LIFT, PLATES, FLOATERS = 6 };

static void blow(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count; ++i) {
        lode_real *v = view->velocity + i * view->stride;
        v[0] += (REAL(2) - v[0]) * view->dt / 4;
        v[1] -= v[1] * view->dt / 4;
    }
}

static void lift(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count; ++i)
        if (lode_system_position(view, i).z < 1)
            view->force[i * view->stride + 2] += 100;
}

static void build_movers(lode_world world, int size)
{
    const lode_system wind = {"wind", "integrate velocity", true, blow, NULL};
    const lode_system buoyancy = {"buoyancy", "solve", false, lift, NULL};
    lode_shape_def shape = lode_shape_def_default();
    add_ground(world);
    lode_body table = add_block(world, LODE_KINEMATIC, vec(0, 0, 1), vec(3, 3, REAL(0.25)));
    add_block(world, LODE_KINEMATIC, vec(8, 0, 1), vec(3, 3, REAL(0.25)));
    lode_body_set_angular_velocity(table, vec(0, REAL(0.0625), 1));
    for (int i = 0; i < FLOATERS; ++i) {
        const lode_mass mass = {500, vec(0, 0, 0), {100, 100, 150, 0, 0, 0}};
        lode_body_set_mass(add_upright(world, vec(REAL(4 * i), 12, 5)), &mass);
    }
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 2 * 8) + REAL(i / 2 % 3) - 1, REAL(i / 6 % 3) - 1,
                           2 + REAL(i / 18));
        lode_body body = add_upright(world, at);
        if (i % 3)
            lode_shape_create_box(body, &shape, vec(REAL(0.375), REAL(0.375), REAL(0.375)));
        else
            lode_shape_create_capsule(body, &shape, REAL(0.25), REAL(0.25));
    }
    lode_world_add_system(world, &wind);
    lode_world_add_system(world, &buoyancy);
}

/* A floater's feet, where they are below a floor 4 m up. */
static int find_feet(lode_body body, lode_contact_def out[4])
{
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        lode_vec3 foot = vec(REAL(i % 2) - REAL(0.5), REAL(i / 2) - REAL(0.5), REAL(-0.5));
        lode_vec3 at = lode_body_point_to_world(body, foot);
        if (at.z > 4 + REAL(0.0625))
            continue;
        out[count] = lode_contact_def_default();
        out[count].body_a = body;
        out[count].position = at;
        out[count].depth = 4 - at.z;
        out[count].direction = vec(1, 0, 0);
        out[count++].friction[1] = REAL(0.25);
    }
    return count;
}

static void act_on_movers(lode_world world, int step)
{
    lode_body bodies[PLATES + FLOATERS];
    lode_world_get_bodies(world, bodies, PLATES + FLOATERS);
    lode_body_set_linear_velocity(bodies[LIFT], vec(0, 0, REAL(step / 40 % 2) - REAL(0.5)));
    for (int i = 0; i < FLOATERS; ++i) {
        lode_contact_def feet[4];
        lode_world_add_contacts(world, feet, find_feet(bodies[PLATES + i], feet));
    }
}

/* ---- sliders: boxes, plates and capsules slide and spin down a slope, with friction on a cone
 * ---- */

static void build_sliders(lode_world world, int size)
{
    test_random random = {14};
    lode_body_def def = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world_set_friction_model(world, LODE_FRICTION_CONE);
    lode_shape_create_plane(lode_body_create(world, &def), &shape, vec(1, 0, 2), 0);
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 8 * 2), REAL(i / 8 * 2), REAL(0.75) - REAL(i % 8));
        lode_body body = add_body(world, at, any_rotation(&random));
        shape.friction = REAL(i % 4) / 4;
        if (i % 3)
            lode_shape_create_box(body, &shape, vec(REAL(0.5), REAL(0.375), REAL(0.125)));
        else
            lode_shape_create_capsule(body, &shape, REAL(0.25), REAL(0.25));
        lode_body_set_linear_velocity(body, any_vec(&random, 2));
        lode_body_set_angular_velocity(body, any_vec(&random, 4));
    }
}

static void build_sliders_whole(lode_world world, int size)
{
    lode_world_set_friction_per_manifold(world, true);
    build_sliders(world, size);
}

/* ---- grounds: a height field beside a mesh of the same hills, in the middle of which a kinematic
 * mesh turns; boxes, balls, capsules, cylinders, hulls and dynamic meshes fall on them and on each
 * other ---- */

enum { GROUND_SIDE = 17 };

/* Hills of sixteenths of a metre, exact in either precision. */
static float hill(int column, int row)
{
    int wave = column * 5 % 11 + row * 7 % 13 - (column - 8) * (row - 8) / 8;
    return (float)(wave % 16) / 16;
}

static void add_field(lode_world world, const lode_shape_def *shape)
{
    float heights[GROUND_SIDE * GROUND_SIDE];
    for (int i = 0; i < GROUND_SIDE * GROUND_SIDE; ++i)
        heights[i] = hill(i % GROUND_SIDE, i / GROUND_SIDE);
    lode_heightfield_def def = lode_heightfield_def_default();
    def.samples = heights;
    def.type = LODE_SAMPLE_FLOAT;
    def.columns = def.rows = GROUND_SIDE;
    def.spacing_x = def.spacing_y = REAL(0.75);
    lode_heightfield *field = lode_heightfield_create(&def);
    lode_body_def body = lode_body_def_default();
    body.position = vec(-12, -6, 0);
    lode_shape_create_heightfield(lode_body_create(world, &body), shape, field);
    lode_heightfield_release(field);
}

/* Of materials by triangle, if any. */
static lode_mesh *make_hills(const unsigned char *materials)
{
    enum { SQUARES = GROUND_SIDE - 1 };
    float vertices[GROUND_SIDE * GROUND_SIDE][3];
    unsigned triangles[2 * SQUARES * SQUARES][3];
    for (int i = 0; i < GROUND_SIDE * GROUND_SIDE; ++i) {
        vertices[i][0] = 0.75f * (float)(i % GROUND_SIDE);
        vertices[i][1] = 0.75f * (float)(i / GROUND_SIDE);
        vertices[i][2] = hill(i % GROUND_SIDE, i / GROUND_SIDE);
    }
    for (unsigned i = 0; i < SQUARES * SQUARES; ++i) {
        unsigned a = i / SQUARES * GROUND_SIDE + i % SQUARES, c = a + GROUND_SIDE + 1;
        const unsigned corners[6] = {a, a + 1, c, a, c, c - 1};
        for (int k = 0; k < 6; ++k)
            triangles[2 * i + (unsigned)k / 3][k % 3] = corners[k];
    }
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = GROUND_SIDE * GROUND_SIDE;
    def.double_vertices = false;
    def.indices = triangles;
    def.triangle_count = 2 * SQUARES * SQUARES;
    def.materials = materials;
    return lode_mesh_create(&def);
}

/* Eight corners, of which one is cut off, or with `flat` a pyramid on a square. */
static lode_hull *make_stone(bool flat)
{
    const lode_real x = REAL(0.375), y = REAL(0.25), z = REAL(0.3125), none = 0;
    const lode_real points[][3] = {{-x, -y, -z},    {x, -y, -z}, {-x, y, -z}, {x, y, -z},
                                   {none, none, z}, {-x, -y, z}, {x, -y, z},  {-x, y, z},
                                   {x, 0, z},       {0, y, z}};
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = flat ? 5 : 10;
    return lode_hull_create(&def);
}

/* A closed octahedron, or with `thin` one that is as thin as a plate. */
static lode_mesh *make_gem(bool thin)
{
    const float z = thin ? 0.125f : 0.5f;
    const float vertices[6][3] = {{0.5f, 0, 0},  {0, 0.5f, 0}, {-0.5f, 0, 0},
                                  {0, -0.5f, 0}, {0, 0, z},    {0, 0, -z}};
    unsigned triangles[8][3];
    for (unsigned i = 0; i < 4; ++i) {
        unsigned next = (i + 1) % 4;
        triangles[2 * i][0] = triangles[2 * i + 1][1] = i;
        triangles[2 * i][1] = triangles[2 * i + 1][0] = next;
        triangles[2 * i][2] = 4;
        triangles[2 * i + 1][2] = 5;
    }
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.double_vertices = false;
    def.indices = triangles;
    def.triangle_count = 8;
    return lode_mesh_create(&def);
}

/* Of six kinds in turn. */
static void add_stone(lode_world world, const lode_shape_def *shape, int kind, lode_vec3 at,
                      lode_quat rotation)
{
    lode_body body = add_body(world, at, rotation);
    lode_hull *stone = make_stone(kind % 12 > 5);
    lode_mesh *gem = make_gem(kind % 12 > 5);
    switch (kind % 6) {
    case 0:
        lode_shape_create_box(body, shape, vec(REAL(0.375), REAL(0.25), REAL(0.1875)));
        break;
    case 1:
        lode_shape_create_cylinder(body, shape, REAL(0.25), REAL(0.3125));
        break;
    case 2:
        lode_shape_create_hull(body, shape, stone);
        break;
    case 3:
        lode_shape_create_capsule(body, shape, REAL(0.1875), REAL(0.25));
        break;
    case 4:
        lode_shape_create_mesh(body, shape, gem);
        break;
    default:
        lode_shape_create_sphere(body, shape, REAL(0.25));
    }
    lode_hull_release(stone);
    lode_mesh_release(gem);
}

static void add_hills(lode_world world, const lode_shape_def *shape)
{
    lode_mesh *hills = make_hills(NULL);
    lode_body_def def = lode_body_def_default();
    def.position = vec(0, -6, 0);
    lode_shape_create_mesh(lode_body_create(world, &def), shape, hills);
    lode_mesh_release(hills);
}

static void add_turning_gem(lode_world world, const lode_shape_def *shape)
{
    lode_mesh *gem = make_gem(false);
    lode_body_def def = lode_body_def_default();
    def.type = LODE_KINEMATIC;
    def.position = vec(0, 0, REAL(0.75));
    lode_body body = lode_body_create(world, &def);
    lode_shape_create_mesh(body, shape, gem);
    lode_body_set_angular_velocity(body, vec(REAL(0.125), 0, 1));
    lode_mesh_release(gem);
}

static void build_grounds(lode_world world, int size)
{
    test_random random = {15};
    lode_shape_def shape = lode_shape_def_default();
    shape.friction = REAL(0.5);
    add_field(world, &shape);
    add_hills(world, &shape);
    add_turning_gem(world, &shape);
    for (int i = 0; i < size; ++i) {
        lode_real x = REAL(i % 12) - REAL(5.5), y = REAL(i / 12 % 6) - REAL(2.5);
        lode_vec3 at = vec(x, y, REAL(1.75) + REAL(i / 72) + between(&random, 0, 1) / 4);
        add_stone(world, &shape, i, at, any_rotation(&random));
    }
}

/* ---- surfaces: boxes, balls and capsules with a bit of everything on belts and slippery ground
 * ---- */

static lode_surface surface_of(int i)
{
    lode_surface surface = lode_surface_default();
    surface.direction = i % 3 ? vec(1, REAL(i % 5) / 4, 0) : vec(0, 0, 0);
    surface.friction_across = i % 2 ? REAL(0.25) : -1;
    surface.slip[0] = i % 4 == 1 ? REAL(0.001) : 0;
    surface.slip[1] = i % 4 == 2 ? REAL(0.002) : 0;
    surface.rolling[0] = surface.rolling[1] = i % 5 < 2 ? REAL(0.0625) : 0;
    surface.rolling[2] = i % 5 == 3 ? REAL(0.03125) : 0;
    surface.law[0] = surface.law[1] = (lode_friction_law)(i / 2 % LODE_LAW_COUNT);
    surface.bounce_speed = i % 7 ? -1 : REAL(0.25);
    surface.soft_erp = i % 6 == 4 ? REAL(0.5) : -1;
    surface.soft_cfm = i % 6 == 4 ? REAL(0.0001) : -1;
    surface.motion = i % 3 == 1 ? vec(REAL(0.5), REAL(0.25), 0) : vec(0, 0, 0);
    surface.motion_normal = i % 11 ? 0 : REAL(0.125);
    return surface;
}

static void build_surfaces(lode_world world, int size)
{
    test_random random = {17};
    lode_shape_def shape = lode_shape_def_default();
    for (int i = 0; i < 4; ++i) {
        lode_body_def def = lode_body_def_default();
        def.position = vec(0, REAL(i * 6), REAL(-0.5));
        shape.surface = surface_of(i);
        lode_shape_create_box(lode_body_create(world, &def), &shape, vec(12, 3, REAL(0.5)));
    }
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 8 * 2) - 7, REAL(i / 8 * 2), REAL(0.75) + REAL(i % 3) / 2);
        lode_body body = add_body(world, at, any_rotation(&random));
        shape.surface = surface_of(i);
        shape.friction = surface_of(i).law[0] == LODE_LAW_BOX ? 100 : REAL(0.5);
        shape.restitution = REAL(i % 4) / 4;
        if (i % 3 == 0)
            lode_shape_create_sphere(body, &shape, REAL(0.375));
        else if (i % 3 == 1)
            lode_shape_create_box(body, &shape, vec(REAL(0.5), REAL(0.375), REAL(0.25)));
        else
            lode_shape_create_capsule(body, &shape, REAL(0.25), REAL(0.25));
        lode_body_set_linear_velocity(body, any_vec(&random, 2));
    }
}

/* With the integrator of second order. */
static void build_surfaces_second(lode_world world, int size)
{
    lode_world_set_integrator(world, LODE_INTEGRATOR_SECOND_ORDER);
    build_surfaces(world, size);
}

static void build_sliders_second(lode_world world, int size)
{
    lode_world_set_integrator(world, LODE_INTEGRATOR_SECOND_ORDER);
    build_sliders(world, size);
}

/* ---- materials: hills whose triangles are of two, on which few points count, each pair of things
 * in its own way; and chaff, which things push and do not feel ---- */

static void give_materials(lode_world world)
{
    static const char *const pairs[5][2] = {{"rock", "crate"},
                                            {"ice", "crate"},
                                            {"crate", "crate"},
                                            {"crate", "chaff"},
                                            {"ice", "chaff"}};
    lode_contact_properties table[5];
    for (int i = 0; i < 5; ++i) {
        lode_contact_properties *p = &table[i];
        *p = lode_contact_properties_default();
        p->material1 = pairs[i][0];
        p->material2 = pairs[i][1];
        p->friction_count = i % 4 + 1;
        for (int k = 0; k < 4; ++k)
            p->friction[k] = REAL(k + 1) / REAL(4 << (i % 2));
        p->friction_rotation[0] = REAL(i) / 8;
        p->bounce = REAL(i) / 8;
        p->soft_cfm = REAL(0.0001);
        p->max_contacts = i + 1;
        p->immovable = i == 3 ? LODE_IMMOVABLE_FIRST : LODE_IMMOVABLE_NONE;
    }
    lode_world_set_contact_properties(world, table, 5);
}

static void build_materials(lode_world world, int size)
{
    enum { TRIANGLES = 2 * (GROUND_SIDE - 1) * (GROUND_SIDE - 1) };
    static const char *const names[3] = {"rock", "ice", NULL};
    test_random random = {19};
    lode_shape_def shape = lode_shape_def_default();
    unsigned char materials[TRIANGLES];
    for (int i = 0; i < TRIANGLES; ++i)
        materials[i] = (unsigned char)(i * 7 % 13 % 3);
    lode_mesh *hills = make_hills(materials);
    lode_body_def def = lode_body_def_default();
    def.position = vec(-6, -6, 0);
    lode_shape ground = lode_shape_create_mesh(lode_body_create(world, &def), &shape, hills);
    lode_mesh_release(hills);
    lode_shape_set_materials(ground, names, 3);
    give_materials(world);
    for (int i = 0; i < size; ++i) {
        lode_vec3 at = vec(REAL(i % 7) - 3, REAL(i / 7 % 6) - 3, REAL(1.5) + REAL(i / 42));
        lode_body body = add_body(world, at, any_rotation(&random));
        lode_shape made;
        if (i % 3 == 0)
            made = lode_shape_create_box(body, &shape, vec(REAL(0.5), REAL(0.375), REAL(0.25)));
        else if (i % 3 == 1)
            made = lode_shape_create_cylinder(body, &shape, REAL(0.375), REAL(0.25));
        else
            made = lode_shape_create_sphere(body, &shape, REAL(0.375));
        lode_shape_set_material(made, i % 4 == 3 ? "chaff" : "crate");
        lode_body_set_linear_velocity(body, any_vec(&random, 2));
    }
}

/* clang-format off */
const hash_scene hash_scenes[] = {
    /* name            solver                 build                act               sizes
     *                 steps */
    {"pyramid",        LODE_SOLVER_PGS,       build_pyramid,       NULL,             10,  20,  200, 300},
    {"box_pile",       LODE_SOLVER_SOFT_STEP, build_box_pile,      NULL,             60, 400,  200, 300},
    {"chains",         LODE_SOLVER_PGS,       build_chains,        NULL,             96, 800,  200, 300},
    {"nets",           LODE_SOLVER_SOFT_STEP, build_nets,          NULL,             96, 480,  200, 300},
    {"nets_pgs",       LODE_SOLVER_PGS,       build_nets,          NULL,             48, 480,  100, 200},
    {"nets_direct",    LODE_SOLVER_DIRECT,    build_nets,          NULL,             24,  48,   60, 120},
    {"gears",          LODE_SOLVER_PGS,       build_gears,         NULL,             96, 480,  200, 300},
    {"gears_soft",     LODE_SOLVER_SOFT_STEP, build_gears,         NULL,             96, 480,  100, 200},
    {"mixed_pile",     LODE_SOLVER_SOFT_STEP, build_mixed_pile,    NULL,             60, 400,  200, 300},
    {"tumblers",       LODE_SOLVER_SOFT_STEP, build_tumblers,      NULL,             32, 320,  200, 300},
    {"sleepers",       LODE_SOLVER_PGS,       build_sleepers,      act_on_sleepers,  27, 180,  144, 240},
    {"movers",         LODE_SOLVER_PGS,       build_movers,        act_on_movers,    36, 180,  100, 240},
    {"sliders",        LODE_SOLVER_PGS,       build_sliders,       NULL,             24, 160,  100, 200},
    {"sliders_direct", LODE_SOLVER_DIRECT,    build_sliders,       NULL,             16,  48,  100, 200},
    {"sliders_whole",  LODE_SOLVER_SOFT_STEP, build_sliders_whole, NULL,             24, 160,  100, 200},
    {"grounds",        LODE_SOLVER_PGS,       build_grounds,       NULL,             72, 288,  100, 200},
    {"grounds_soft",   LODE_SOLVER_SOFT_STEP, build_grounds,       NULL,             36, 144,  100, 200},
    {"surfaces",       LODE_SOLVER_PGS,       build_surfaces,      NULL,             32,  96,  100, 200},
    {"surfaces_soft",  LODE_SOLVER_SOFT_STEP, build_surfaces,      NULL,             32,  96,  100, 200},
    {"surfaces_second", LODE_SOLVER_HYBRID,   build_surfaces_second, NULL,           24,  96,   60, 120},
    {"surfaces_swept", LODE_SOLVER_PGS,       build_surfaces_second, NULL,           24,  96,   60, 120},
    {"sliders_second", LODE_SOLVER_SOFT_STEP, build_sliders_second, NULL,            24, 160,   60, 120},
    {"materials",      LODE_SOLVER_SOFT_STEP, build_materials,     NULL,             42, 126,  100, 200},
    {"materials_direct", LODE_SOLVER_DIRECT,  build_materials,     NULL,             24,  42,   60, 100},
    {"robots",         LODE_SOLVER_PGS,       hash_scene_robots,   NULL,             12,  72,  100, 200},
    {"robots_soft",    LODE_SOLVER_SOFT_STEP, hash_scene_robots,   NULL,             12,  72,   60, 120},
    {"robots_direct",  LODE_SOLVER_DIRECT,    hash_scene_robots,   NULL,              8,  24,   60, 100},
};
/* clang-format on */
const int hash_scene_count = sizeof hash_scenes / sizeof hash_scenes[0];

uint64_t hash_scene_run(const hash_scene *scene, const lode_world_def *def, bool full)
{
    lode_world_def own = *def;
    own.solver = scene->solver;
    lode_world world = lode_world_create(&own);
    if (!lode_world_is_valid(world))
        return 0;
    scene->build(world, full ? scene->full_size : scene->size);
    uint64_t hash = 0;
    bool done = true;
    for (int i = 0; i < (full ? scene->full_steps : scene->steps) && done; ++i) {
        if (scene->act)
            scene->act(world, i);
        done = lode_world_step(world, STEP) == LODE_OK;
    }
    if (done)
        hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}
