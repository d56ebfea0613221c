/* Rovers of links: a chassis that floats, four wheels on revolute joints, or under sprung slides,
 * and motors as one asks for them: a speed, so stiff a damper that the wheel has it at once, and a
 * moment T at most. Until they have that speed they all push as they may, and the rover gains
 *
 *     a = 4 T / r / (m + 4 I / r^2)
 *
 * on wheels of radius r that do not slip; then it rolls on, straight ahead. And arms whose motors
 * press against a wall, or against the floor and a box, with all that they have. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

#define STEP (1.0 / 60)

enum { WHEELS = 4, LINKS = 1 + 2 * WHEELS };

static const double radius = 0.25, density = 800;

typedef struct rover {
    lode_world world;
    lode_body chassis, wheel[WHEELS], links[LINKS];
    int count;
} rover;

typedef struct motors {
    double most, speed; /* N m and rad/s; none where nothing is the most */
} motors;

static lode_body add(rover *r, lode_articulation in, const lode_link_def *def)
{
    lode_body link = lode_articulation_add_link(in, def);
    assert_true(link.id);
    return r->links[r->count++] = link;
}

/* Whose slide is upwards. */
static lode_body add_spring(rover *r, lode_articulation in, lode_vec3 at)
{
    const lode_real half = (lode_real)0.70710678118654752;
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    lode_shape_def shape = lab_shape_def((lab_material){.density = 500});
    lode_link_axis *slide = &def.axis[LODE_AXIS_X];
    def.parent = r->chassis;
    def.parent_frame = (lode_pose){at, {half, 0, -half, 0}};
    def.child_frame.rotation = def.parent_frame.rotation;
    slide->motion = LODE_MOTION_LIMITED;
    slide->lo = (lode_real)-0.05;
    slide->hi = (lode_real)0.05;
    slide->drive.type = LODE_DRIVE_FORCE;
    slide->drive.stiffness = 10000;
    slide->drive.damping = 600;
    lode_body link = add(r, in, &def);
    shape.mask = 0;
    lode_shape_create_box(link, &shape, lab_vec3(0.08, 0.08, 0.08));
    return link;
}

static void add_wheel(rover *r, lode_articulation in, int i, bool sprung, double speed,
                      motors motor)
{
    const lode_real half = (lode_real)0.70710678118654752;
    lode_link_def def = lode_link_def_default(LODE_LINK_REVOLUTE);
    lode_link_axis *turn = &def.axis[LODE_AXIS_TWIST];
    lode_vec3 at = lab_vec3(i & 1 ? 0.6 : -0.6, i & 2 ? 0.7 : -0.7, -radius);
    lode_shape_def tyre = lab_shape_def((lab_material){.density = density, .friction = 1});
    def.parent = sprung ? add_spring(r, in, at) : r->chassis;
    def.parent_frame = (lode_pose){sprung ? lab_vec3(0, 0, 0) : at, {half, 0, 0, half}};
    def.child_frame.rotation = def.parent_frame.rotation;
    turn->velocity = (lode_real)(speed / radius);
    if (motor.most > 0) {
        turn->drive.type = LODE_DRIVE_FORCE;
        turn->drive.damping = (lode_real)1e6;
        turn->drive.max_force = (lode_real)motor.most;
        turn->target_velocity = (lode_real)motor.speed;
    }
    r->wheel[i] = add(r, in, &def);
    lode_shape_create_sphere(r->wheel[i], &tyre, (lode_real)radius);
}

/* Drives along x, at a speed. */
static rover make_rover(lode_solver solver, bool sprung, double speed, motors motor)
{
    rover r = {.world = lab_world(solver)};
    lode_articulation_def floats = lode_articulation_def_default();
    lode_articulation in = lode_articulation_create(r.world, &floats);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    lode_shape_def body = lab_shape_def((lab_material){.density = 300, .friction = 1});
    lab_floor(r.world, (lab_material){.density = 1, .friction = 1});
    root.pose.position = lab_vec3(0, 0, 2 * radius);
    root.linear_velocity = lab_vec3(speed, 0, 0);
    r.chassis = add(&r, in, &root);
    lode_shape_create_box(r.chassis, &body, lab_vec3(0.8, 0.35, 0.1));
    for (int i = 0; i < WHEELS; ++i)
        add_wheel(&r, in, i, sprung, speed, motor);
    assert_int_equal(lode_articulation_insert(in), LODE_OK);
    return r;
}

/* The mass that a wheel pushes, with what turns. */
static double mass_of(const rover *r)
{
    double mass = 0, wheel = density * 4 / 3 * LAB_PI * radius * radius * radius;
    for (int i = 0; i < r->count; ++i)
        mass += (double)lode_body_get_mass(r->links[i]).mass;
    return mass + WHEELS * 0.4 * wheel;
}

static double turns_at(lode_body wheel)
{
    return (double)lode_link_get_axis(wheel, LODE_AXIS_TWIST).velocity;
}

/* ---- tests */

/* Its wheels turn by 2/3 rad in a step. */
static void a_rover_that_coasts_goes_on(void **state)
{
    for (int sprung = 0; sprung < 2; ++sprung) {
        rover r = make_rover(LAB_SOLVER(state), sprung, 10, (motors){0, 0});
        lab_run(r.world, STEP, 120); /* until the springs have settled */
        double begin = lab_energy(r.links, r.count), height = lab_center(r.chassis).z;
        double lost = 0, sunk = 0;
        for (int i = 0; i < 600; ++i) {
            lab_run(r.world, STEP, 1);
            lost = fmax(lost, fabs(lab_energy(r.links, r.count) - begin));
            sunk = fmax(sunk, fabs(lab_center(r.chassis).z - height));
        }
        LAB_AT_MOST(lost / begin, 2000 * LAB_EPSILON + 1e-9);
        LAB_AT_MOST(sunk, 1000 * LAB_EPSILON + 1e-9);
        lode_world_destroy(r.world);
    }
}

/* Motors of any strength that do not let wheels slip. */
static void motors_at_their_limit_push_with_it(void **state)
{
    static const double most[] = {2, 20, 60};
    for (size_t i = 0; i < sizeof most / sizeof *most; ++i)
        for (double speed = 0.1; speed < 10; speed += 9) {
            rover r = make_rover(LAB_SOLVER(state), false, speed, (motors){most[i], 200});
            lab_run(r.world, STEP, 60);
            double gained = WHEELS * most[i] / radius / mass_of(&r);
            LAB_NEAR(lab_velocity(r.chassis).x, speed + gained, 2e-3 * gained);
            LAB_NEAR(lab_center(r.chassis).y, 0, 2e-3);
            lode_world_destroy(r.world);
        }
}

/* From 10 m/s to 20, which its motors then hold, without a tremble. */
static void a_rover_comes_to_its_speed_and_keeps_it(void **state)
{
    for (int sprung = 0; sprung < 2; ++sprung) {
        rover r = make_rover(LAB_SOLVER(state), sprung, 10, (motors){60, 20 / radius});
        lab_run(r.world, STEP, 480);
        double least = INFINITY, most = 0, low = INFINITY, high = 0;
        for (int i = 0; i < 300; ++i) {
            lab_run(r.world, STEP, 1);
            least = fmin(least, turns_at(r.wheel[i % WHEELS]));
            most = fmax(most, turns_at(r.wheel[i % WHEELS]));
            low = fmin(low, lab_center(r.chassis).z);
            high = fmax(high, lab_center(r.chassis).z);
        }
        LAB_NEAR(lab_velocity(r.chassis).x, 20, 0.01);
        LAB_NEAR(least, 20 / radius, 0.1);
        LAB_NEAR(most, 20 / radius, 0.1);
        LAB_AT_MOST(high - low, 1e-4);
        LAB_AT_MOST(fabs(lab_center(r.chassis).y), 0.1); /* of 230 m */
        lode_world_destroy(r.world);
    }
}

/* Two hinges, half a metre apart, of which the second turns its link up against a wall. */
typedef struct arm {
    lode_world world;
    lode_body wall, link[3];
} arm;

static arm make_arm(lode_solver solver, double most)
{
    const lode_real half = (lode_real)0.70710678118654752;
    arm a = {.world = lab_world_without_gravity(solver)};
    lode_shape_def shape = lab_shape_def((lab_material){.density = 500});
    lode_body_def fixed = lode_body_def_default();
    fixed.position = lab_vec3(1, 0.3, 0);
    a.wall = lode_body_create(a.world, &fixed);
    lode_shape_create_box(a.wall, &shape, lab_vec3(0.5, 0.2, 0.5));
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    lode_articulation in = lode_articulation_create(a.world, &def);
    lode_link_def link = lode_link_def_default(LODE_LINK_FIXED);
    a.link[0] = lode_articulation_add_link(in, &link);
    for (int i = 1; i < 3; ++i) {
        link = lode_link_def_default(LODE_LINK_REVOLUTE);
        link.parent = a.link[i - 1]; /* about z */
        link.parent_frame = (lode_pose){lab_vec3(i > 1 ? 0.25 : 0, 0, 0), {half, 0, -half, 0}};
        link.child_frame = (lode_pose){lab_vec3(-0.25, 0, 0), {half, 0, -half, 0}};
        lode_link_axis *turn = &link.axis[LODE_AXIS_TWIST];
        turn->drive.type = LODE_DRIVE_FORCE;
        turn->drive.stiffness = (lode_real)1e5;
        turn->drive.damping = (lode_real)1e4;
        turn->drive.max_force = (lode_real)(i > 1 ? most : 20 * most);
        turn->target = (lode_real)(i > 1 ? 1 : 0);
        a.link[i] = lode_articulation_add_link(in, &link);
        lode_shape_create_box(a.link[i], &shape, lab_vec3(0.25, 0.02, 0.02));
    }
    assert_int_equal(lode_articulation_insert(in), LODE_OK);
    return a;
}

/* About the second joint, of what the wall gives in a step, N m. */
static double moment_of_wall(const arm *a)
{
    lode_contact contacts[8];
    int count = lode_world_get_contacts(a->world, contacts, 8);
    lab_vec joint = lab_of(lode_body_point_to_world(a->link[1], lab_vec3(0.25, 0, 0)));
    double moment = 0;
    assert_in_range(count, 1, 8);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k) {
            const lode_contact_point *point = &contacts[i].points[k];
            lab_vec arm = lab_sub(lab_of(point->position), joint);
            double by = lab_cross(arm, lab_of(point->impulse)).z / STEP;
            moment += contacts[i].body_a.id == a->wall.id ? -by : by;
        }
    return moment;
}

/* However stiff its drives are, an arm presses with the moment that the motor has at most. */
static void an_arm_presses_with_its_limit(void **state)
{
    for (double most = 0.3; most < 100; most *= 10) {
        arm a = make_arm(LAB_SOLVER(state), most);
        lab_run(a.world, STEP, 240);
        for (int i = 0; i < 60; ++i) {
            lab_run(a.world, STEP, 1);
            LAB_NEAR(moment_of_wall(&a), -most, 1e-3 * most);
        }
        lode_world_destroy(a.world);
    }
}

/* ---- arms at random */

static double power_of_ten(test_random *random, double lo, double hi)
{
    return pow(10, random_between(random, lo, hi));
}

/* Drives of any stiffness with any limit, some with friction and some with stops, about any axis
 * or all three. */
static lode_link_def any_joint(test_random *random)
{
    const lode_real half = (lode_real)0.70710678118654752;
    const lode_quat ways[3] = {{1, 0, 0, 0}, {half, 0, 0, half}, {half, 0, -half, 0}};
    double kind = random_between(random, 0, 1);
    bool slides = kind < 0.1;
    bool turns = kind > 0.7;
    lode_link_joint_type one = slides ? LODE_LINK_PRISMATIC : LODE_LINK_REVOLUTE;
    lode_link_def def = lode_link_def_default(turns ? LODE_LINK_SPHERICAL : one);
    lode_link_axis *axis = &def.axis[slides ? LODE_AXIS_X : LODE_AXIS_TWIST];
    double range = slides ? 0.1 : 0.8;
    def.parent_frame.rotation = ways[(int)random_between(random, 0, 2.99)];
    def.child_frame.rotation = def.parent_frame.rotation;
    axis->drive.type = LODE_DRIVE_FORCE;
    axis->drive.stiffness = (lode_real)power_of_ten(random, 0, 5);
    axis->drive.damping = (lode_real)power_of_ten(random, 0, 4);
    axis->drive.max_force = (lode_real)power_of_ten(random, -0.5, 2.5);
    axis->target = (lode_real)random_between(random, -1.5 * range, 1.5 * range);
    if (random_between(random, 0, 1) < 0.3)
        axis->static_friction = axis->dynamic_friction = (lode_real)random_between(random, 0, 2);
    if (slides || random_between(random, 0, 1) < 0.3) {
        axis->motion = LODE_MOTION_LIMITED;
        axis->lo = (lode_real)-range;
        axis->hi = (lode_real)range;
    }
    for (int k = LODE_AXIS_SWING1; k <= LODE_AXIS_SWING2 && turns; ++k)
        def.axis[k] = def.axis[LODE_AXIS_TWIST];
    return def;
}

/* Of three to five links, over the floor and beside a box. */
static lode_body any_arm(lode_world world, test_random *random)
{
    lode_shape_def shape = lab_shape_def((lab_material){.density = 500, .friction = 0.6});
    lode_articulation_def fixed = lode_articulation_def_default();
    fixed.fixed_base = true;
    lode_articulation in = lode_articulation_create(world, &fixed);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    root.pose.position = lab_vec3(0, 0, 0.4);
    lode_body last = lode_articulation_add_link(in, &root);
    int links = 3 + (int)random_between(random, 0, 2.99);
    for (int i = 0; i < links; ++i) {
        lode_link_def def = any_joint(random);
        def.parent = last;
        def.parent_frame.position = lab_vec3(i ? 0.12 : 0, 0, 0);
        def.child_frame.position = lab_vec3(-0.12, 0, 0);
        last = lode_articulation_add_link(in, &def);
        lode_shape_create_box(last, &shape, lab_vec3(0.1, 0.03, 0.03));
    }
    assert_int_equal(lode_articulation_insert(in), LODE_OK);
    lab_floor(world, (lab_material){.density = 1, .friction = 0.6});
    return lab_box(world, (lab_material){.density = 500, .friction = 0.6}, lab_vec3(0.6, 0, 0.15),
                   lab_vec3(0.15, 0.15, 0.15));
}

/* However they press, in steps in which motors may throw a link far into the box, it is not shot
 * off. The hardest blow makes it 1.18 m/s fast in steps of 1/480 s, in each solver. */
static void arms_that_press_on_things_stay_calm(void **state)
{
    for (int seed = 0; seed < 60; ++seed) {
        test_random random = {(uint64_t)seed + 1};
        lode_world world = lab_world(LAB_SOLVER(state));
        lode_body box = any_arm(world, &random);
        double fastest = 0;
        for (int i = 0; i < 120; ++i) {
            lab_run(world, STEP, 1);
            fastest = fmax(fastest, lab_length(lab_velocity(box)));
        }
        LAB_AT_MOST(fastest, 1.5);
        lode_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(a_rover_that_coasts_goes_on),
        LAB_EACH_SOLVER(motors_at_their_limit_push_with_it),
        LAB_EACH_SOLVER(a_rover_comes_to_its_speed_and_keeps_it),
        LAB_EACH_SOLVER(an_arm_presses_with_its_limit),
        LAB_EACH_SOLVER(arms_that_press_on_things_stay_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
