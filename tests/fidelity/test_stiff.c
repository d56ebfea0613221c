/* Joints that do not stretch (LODE_STIFF_ALWAYS): heavy loads on light chains, machines and closed
 * loops at 60 Hz, each step with the four sub-steps of a world that sets nothing. What a joint has
 * parted by is looked at after every step, and so is the energy where nothing but gravity acts. */
#include "tests/fidelity/lab.h"

#define H (1.0 / 60)

enum { MOST_BODIES = 1200, MINUTE = 3600 };

typedef struct rig {
    lode_world world;
    lode_body body[MOST_BODIES];
    lode_joint joint[MOST_BODIES];
    int bodies, joints;
    double apart;    /* the most that a joint parted, m */
    double energy;   /* at first */
    double gained;   /* the most above that */
    int most_points; /* of contacts */
} rig;

static rig rig_of(lode_solver solver)
{
    rig r = {.world = lab_world(solver)};
    assert_int_equal(lode_world_set_stiff_joints(r.world, LODE_STIFF_ALWAYS), LODE_OK);
    return r;
}

static lode_body add_box(rig *r, double density, lode_vec3 at, lode_vec3 half, uint64_t mask)
{
    lode_shape_def shape = lab_shape_def((lab_material){.density = density, .friction = 0.5});
    lode_body body = lab_body(r->world, at);
    shape.category = mask ? 1 : 2;
    shape.mask = mask;
    assert_true(lode_shape_is_valid(lode_shape_create_box(body, &shape, half)));
    r->body[r->bodies++] = body;
    return body;
}

static lode_joint join(rig *r, lode_joint_type type, lode_body a, lode_body b, lode_vec3 anchor)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, lab_vec3(0, 1, 0)), LODE_OK);
    r->joint[r->joints] = lode_joint_create(r->world, &def);
    assert_true(lode_joint_is_valid(r->joint[r->joints]));
    return r->joint[r->joints++];
}

static void look_at_joints(rig *r)
{
    for (int i = 0; i < r->joints; ++i) {
        lab_vec a = lab_of(lode_joint_get_anchor_a(r->joint[i]));
        lab_vec b = lab_of(lode_joint_get_anchor_b(r->joint[i]));
        double apart = lab_length(lab_sub(a, b));
        assert_true(apart >= 0);
        r->apart = apart > r->apart ? apart : r->apart;
    }
}

static void run(rig *r, int steps)
{
    if (r->energy == 0)
        r->energy = lab_energy(r->body, r->bodies);
    for (int i = 0; i < steps; ++i) {
        lode_world_stats stats;
        lab_run(r->world, H, 1);
        look_at_joints(r);
        double gained = lab_energy(r->body, r->bodies) - r->energy;
        r->gained = gained > r->gained ? gained : r->gained;
        assert_int_equal(lode_world_get_stats(r->world, &stats), LODE_OK);
        r->most_points = stats.contact_points > r->most_points ? stats.contact_points
                                                               : r->most_points;
    }
}

/* How deep bodies are in each other now. */
static double deepest(const rig *r)
{
    enum { MOST_CONTACTS = 200 };
    lode_contact contacts[MOST_CONTACTS];
    double most = 0;
    int count = lode_world_get_contacts(r->world, contacts, MOST_CONTACTS);
    assert_in_range(count, 0, MOST_CONTACTS);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            most = fmax(most, (double)contacts[i].points[k].depth);
    return most;
}

static int64_t warnings_of(const rig *r, lode_warning what)
{
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(r->world, warnings, LODE_WARNING_COUNT);
    return warnings[what].ever;
}

static void end(rig *r, double apart, const char *what)
{
    print_message("    %s: %.4g mm apart at most, %.3g J gained, %d points\n", what, 1e3 * r->apart,
                  r->gained, r->most_points);
    LAB_AT_MOST(r->apart, apart);
    assert_int_equal(warnings_of(r, LODE_WARNING_NAN_BODY), 0);
    lode_world_destroy(r->world);
}

/* Links of a metre that lie along x from (x, 0, z) on, the first of them held by the world, and the
 * last one heavier. */
static void add_chain(rig *r, int links, double density, double ratio, lode_vec3 from,
                      uint64_t mask)
{
    lode_body last = {0};
    for (int i = 0; i < links; ++i) {
        lode_vec3 at = from, anchor = from;
        at.x += (lode_real)(i + 1);
        anchor.x += (lode_real)i + (lode_real)0.5;
        lode_body link = add_box(r, i == links - 1 ? density * ratio : density, at,
                                 lab_vec3(0.4, 0.1, 0.1), mask);
        join(r, LODE_JOINT_BALL, link, last, anchor);
        last = link;
    }
}

/* ---- chains ---- */

static void a_heavy_load_swings_on_a_chain(void **state)
{
    const double ratios[] = {1, 100, 1000};
    for (int i = 0; i < 3; ++i) {
        rig r = rig_of(LAB_SOLVER(state));
        add_chain(&r, 20, 1000, ratios[i], lab_vec3(0, 0, 0), 0);
        run(&r, MINUTE);
        LAB_AT_MOST(r.gained, 0);
        end(&r, 1e-4, "swinging chain");
    }
}

/* Links of a kilogram and a load of five tons, which swings too, out of the plane. */
static void a_crane_bears_five_tons(void **state)
{
    rig r = rig_of(LAB_SOLVER(state));
    add_chain(&r, 40, 1 / 0.032, 5000, lab_vec3(0, 0, 0), 0);
    lode_body_set_linear_velocity(r.body[39], lab_vec3(0, 2, 0));
    run(&r, MINUTE);
    LAB_AT_MOST(r.gained, 0);
    end(&r, 1e-4, "crane");
}

/* Most of the chain lies on a table, over whose edge the load hangs; it goes sideways as fast. */
static void lie_on_a_table(lode_solver solver, double ratio, double sideways)
{
    rig r = rig_of(solver);
    lode_shape_def shape = lab_shape_def((lab_material){.density = 1, .friction = 0.5});
    lode_body_def def = lode_body_def_default();
    def.position = lab_vec3(7, 0, -0.6);
    lode_shape_create_box(lode_body_create(r.world, &def), &shape, lab_vec3(8.25, 2, 0.5));
    add_chain(&r, 20, 1000, ratio, lab_vec3(0, 0, 0), 1);
    lode_body_set_linear_velocity(r.body[19], lab_vec3(0, sideways, 0));
    run(&r, sideways > 0 ? MINUTE / 6 : MINUTE);
    assert_in_range(r.most_points, 50, 200);
    LAB_AT_MOST(r.gained, 0);
    end(&r, 1e-3, "chain on a table");
}

static void a_chain_lies_on_a_table(void **state)
{
    const double ratios[] = {1, 10, 100};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 6; ++i)
            lie_on_a_table(LAB_SOLVER(state), ratios[k], 0.02 * i * i);
}

/* The chain swings against a ball below its end and wraps around it, all of its load behind. */
static void whip(lode_solver solver, double ratio, double below)
{
    rig r = rig_of(solver);
    lode_shape_def shape = lab_shape_def((lab_material){.density = 1, .friction = 0.5});
    lode_body_def def = lode_body_def_default();
    def.position = lab_vec3(-1.2, 0, -below);
    lode_shape_create_sphere(lode_body_create(r.world, &def), &shape, 1);
    add_chain(&r, 20, 1000, ratio, lab_vec3(0, 0, 0), 1);
    run(&r, 20 * 60);
    LAB_AT_MOST(r.gained, 0);
    end(&r, 1e-3, "chain whipped around a ball");
}

static void a_chain_is_whipped_around_a_ball(void **state)
{
    const double below[] = {2, 3, 4};
    for (int i = 0; i < 3; ++i) {
        whip(LAB_SOLVER(state), 100, below[i]);
        whip(LAB_SOLVER(state), 1000, below[i]);
    }
}

/* Second order adds half of the forces once the poses have moved. */
static void a_load_swings_with_second_order(void **state)
{
    rig r = rig_of(LAB_SOLVER(state));
    lode_world_set_integrator(r.world, LODE_INTEGRATOR_SECOND_ORDER);
    add_chain(&r, 20, 1000, 100, lab_vec3(0, 0, 0), 0);
    run(&r, MINUTE);
    LAB_AT_MOST(r.gained, 1e-3 * 9.81 * 20 * 100 * 32);
    end(&r, 1e-4, "second order");
}

/* ---- nets with more loops than a factor has room for ---- */

enum { SIDE = 24 };

/* A net in the plane of x and z, held by all of its upper edge or by its corners. */
static void add_net(rig *r, bool by_corners)
{
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            bool edge = column == 0 || column == SIDE - 1;
            lode_real x = (lode_real)column, z = -(lode_real)row, half = (lode_real)0.5;
            lode_body ball = add_box(r, 1000, lab_vec3(x, 0, z), lab_vec3(0.3, 0.3, 0.3), 0);
            if (row > 0)
                join(r, LODE_JOINT_BALL, ball, r->body[r->bodies - 1 - SIDE],
                     lab_vec3(x, 0, z + half));
            else if (edge || !by_corners)
                join(r, LODE_JOINT_BALL, ball, (lode_body){0}, lab_vec3(x, 0, half));
            if (column > 0)
                join(r, LODE_JOINT_BALL, ball, r->body[r->bodies - 2], lab_vec3(x - half, 0, z));
        }
}

static void a_net_hangs_by_its_edge(void **state)
{
    rig r = rig_of(LAB_SOLVER(state));
    add_net(&r, false);
    for (int i = 0; i < SIDE; ++i) /* swings to and fro */
        lode_body_set_linear_velocity(r.body[r.bodies - 1 - i], lab_vec3(0, 1, 0));
    run(&r, MINUTE / 6);
    end(&r, 1e-3, "net by its edge");
}

/* Here what closes loops bears as much as what does not, and is swept. */
static void a_net_hangs_by_its_corners(void **state)
{
    double apart[2];
    for (int i = 0; i < 2; ++i) {
        rig r = rig_of(LAB_SOLVER(state));
        lode_world_set_stiff_joints(r.world, i ? LODE_STIFF_ALWAYS : LODE_STIFF_NEVER);
        add_net(&r, true);
        run(&r, MINUTE / 12);
        apart[i] = r.apart;
        end(&r, i ? 0.02 : 1, i ? "net by its corners" : "the same, swept");
    }
    LAB_AT_MOST(apart[1], apart[0] / 2);
}

/* ---- bridges and machines ---- */

/* Planks of twenty kilograms that sag between two banks; crates of half a ton fall onto them. */
static void a_bridge_bears_crates(void **state)
{
    enum { PLANKS = 20 };
    const double bend = 0.05; /* of a plank against the next, rad */
    rig r = rig_of(LAB_SOLVER(state));
    lode_body last = {0};
    lab_vec end_of = {0, 0, 0};
    for (int i = 0; i < PLANKS; ++i) {
        double angle = bend * ((PLANKS - 1) / 2.0 - i);
        lab_vec along = {cos(angle), 0, -sin(angle)};
        lab_vec at = lab_add(end_of, lab_scale(along, 0.5));
        lode_body plank = add_box(&r, 125, lab_vec3(at.x, 0, at.z), lab_vec3(0.45, 0.9, 0.05), 1);
        lode_pose pose = lode_body_get_pose(plank);
        pose.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
        lode_body_set_pose(plank, pose);
        join(&r, LODE_JOINT_HINGE, plank, last, lab_vec3(end_of.x, 0, end_of.z));
        end_of = lab_add(end_of, along);
        last = plank;
    }
    join(&r, LODE_JOINT_HINGE, last, (lode_body){0}, lab_vec3(end_of.x, 0, end_of.z));
    for (int i = 0; i < 5; ++i)
        add_box(&r, 500, lab_vec3(5 + 2 * i, 0, 1 + 0.5 * i), lab_vec3(0.5, 0.5, 0.5), 1);
    run(&r, 20 * 60);
    print_message("    crates lie %.3g mm deep\n", 1e3 * deepest(&r));
    LAB_AT_MOST(deepest(&r), 0.008);
    end(&r, 1e-3, "bridge");
}

/* A belt of plates hangs around two wheels, somewhat loose; a motor turns one of them. */
static void a_belt_goes_around_wheels(void **state)
{
    enum { PLATES = 40 };
    const double pitch = 0.2, radius = 0.6, straight = (PLATES * pitch - 2 * LAB_PI * radius) / 2;
    rig r = rig_of(LAB_SOLVER(state));
    lode_shape_def shape = lab_shape_def((lab_material){.density = 1000, .friction = 1});
    lode_quat lies = {(lode_real)0.70710678118654752, (lode_real)0.70710678118654752, 0, 0};
    lode_joint drive = {0};
    for (int i = 0; i < 2; ++i) {
        lode_body wheel = lab_body(r.world, lab_vec3(i * straight, 0, 0));
        lode_body_set_pose(wheel, (lode_pose){lab_vec3(i * straight, 0, 0), lies});
        lode_shape_create_cylinder(wheel, &shape, (lode_real)(radius - 0.03), (lode_real)0.3);
        drive = join(&r, LODE_JOINT_HINGE, wheel, (lode_body){0}, lab_vec3(i * straight, 0, 0));
    }
    for (int i = 0; i < PLATES; ++i) {
        /* by the way along the belt */
        double s = (i + 0.5) * pitch, arc = LAB_PI * radius, angle = 0;
        lab_vec at = {s, 0, radius};
        if (s > straight && s <= straight + arc) {
            angle = (s - straight) / radius;
            at = (lab_vec){straight + radius * sin(angle), 0, radius * cos(angle)};
        } else if (s > straight + arc && s <= 2 * straight + arc) {
            angle = LAB_PI;
            at = (lab_vec){2 * straight + arc - s, 0, -radius};
        } else if (s > 2 * straight + arc) {
            angle = LAB_PI + (s - 2 * straight - arc) / radius;
            at = (lab_vec){radius * sin(angle), 0, radius * cos(angle)};
        }
        lode_body plate = add_box(&r, 1000, lab_vec3(at.x, 0, at.z), lab_vec3(0.09, 0.25, 0.02), 1);
        lode_pose pose = lode_body_get_pose(plate);
        pose.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
        lode_body_set_pose(plate, pose);
    }
    for (int i = 0; i < PLATES; ++i) {
        lode_body a = r.body[i], b = r.body[(i + 1) % PLATES];
        lab_vec middle = lab_scale(lab_add(lab_center(a), lab_center(b)), 0.5);
        join(&r, LODE_JOINT_HINGE, a, b, lab_vec3(middle.x, 0, middle.z));
    }
    lode_joint_set_motor(drive, 0, 5, 2000);
    lab_vec from = lab_center(r.body[0]);
    double farthest = 0, deep = 0;
    for (int i = 0; i < 20; ++i) {
        run(&r, 30);
        deep = fmax(deep, deepest(&r));
        double way = lab_length(lab_sub(lab_center(r.body[0]), from));
        farthest = way > farthest ? way : farthest;
    }
    LAB_AT_MOST(straight, farthest);
    print_message("    plates lie %.3g mm deep\n", 1e3 * deep);
    LAB_AT_MOST(deep, 0.015);
    end(&r, 1e-3, "belt");
}

/* Four bars, of whose twenty rows three are superfluous; a motor turns the crank. The rocker's end
 * is where two circles meet. */
static void four_bars_turn(void **state)
{
    const double crank = 0.5, coupler = 2, rocker = 1.5, base = 2;
    rig r = rig_of(LAB_SOLVER(state));
    const double d2 = crank * crank + base * base, d = sqrt(d2), out = atan2(crank, base);
    const double in = acos((d2 + rocker * rocker - coupler * coupler) / (2 * d * rocker));
    const lab_vec points[] = {
        {0, 0, 0},
        {0, 0, crank},
        {base + rocker * cos(LAB_PI - in - out), 0, rocker * sin(LAB_PI - in - out)},
        {base, 0, 0}};
    lode_body bars[3], last = {0};
    lode_joint motor = {0};
    for (int i = 0; i < 3; ++i) {
        lab_vec way = lab_sub(points[i + 1], points[i]);
        lab_vec at = lab_scale(lab_add(points[i], points[i + 1]), 0.5);
        double angle = atan2(-way.z, way.x);
        bars[i] = add_box(&r, i == 1 ? 7000 : 700, lab_vec3(at.x, 0, at.z),
                          lab_vec3(lab_length(way) / 2, 0.05, 0.05), 0);
        lode_pose pose = lode_body_get_pose(bars[i]);
        pose.rotation = (lode_quat){(lode_real)cos(angle / 2), 0, (lode_real)sin(angle / 2), 0};
        lode_body_set_pose(bars[i], pose);
        lode_joint joint = join(&r, LODE_JOINT_HINGE, bars[i], last,
                                lab_vec3(points[i].x, 0, points[i].z));
        motor = i == 0 ? joint : motor;
        last = bars[i];
    }
    join(&r, LODE_JOINT_HINGE, last, (lode_body){0}, lab_vec3(base, 0, 0));
    lode_joint_set_motor(motor, 0, 3, 1e6);
    for (int i = 0; i < MINUTE / 6; ++i) {
        run(&r, 1);
        LAB_AT_MOST(fabs(lab_center(bars[1]).y), 1e-5);
        LAB_NEAR((double)lode_joint_get_rate(motor, 0), 3, 0.03);
    }
    assert_int_equal(warnings_of(&r, LODE_WARNING_NOT_CONVERGED), 0);
    end(&r, 1e-4, "four bars");
}

/* A platform of a ton on six legs of two parts each, a slider between them, which servos drive. */
static void a_stewart_platform_moves(void **state)
{
    rig r = rig_of(LAB_SOLVER(state));
    lode_joint servos[6];
    lode_body platform = add_box(&r, 1000, lab_vec3(0, 0, 2.25), lab_vec3(1, 1, 0.125), 0);
    for (int i = 0; i < 6; ++i) {
        double low = LAB_PI / 3 * (i / 2 * 2 + (i % 2 ? 0.8 : -0.8) / 2 + 1);
        double high = LAB_PI / 3 * (i / 2 * 2 + (i % 2 ? 1.6 : -1.6) / 2 + 1);
        lab_vec a = {1.5 * cos(low), 1.5 * sin(low), 0}, b = {cos(high), sin(high), 2.125};
        lab_vec way = lab_sub(b, a);
        lode_body parts[2];
        for (int k = 0; k < 2; ++k) {
            lab_vec at = lab_add(a, lab_scale(way, k ? 0.75 : 0.25));
            parts[k] = add_box(&r, 1000, lab_vec3(at.x, at.y, at.z), lab_vec3(0.1, 0.1, 0.1), 0);
        }
        join(&r, LODE_JOINT_UNIVERSAL, parts[0], (lode_body){0}, lab_vec3(a.x, a.y, a.z));
        join(&r, LODE_JOINT_BALL, parts[1], platform, lab_vec3(b.x, b.y, b.z));
        lode_joint_def def = lode_joint_def_default(LODE_JOINT_SLIDER);
        def.body_a = parts[1];
        def.body_b = parts[0];
        lab_vec axis = lab_scale(way, 1 / lab_length(way));
        lode_joint_def_anchor_world(&def, lab_vec3(a.x, a.y, a.z),
                                    lab_vec3(axis.x, axis.y, axis.z));
        servos[i] = lode_joint_create(r.world, &def);
        lode_joint_set_motor(servos[i], 0, 0, 1e5);
    }
    double highest = 0;
    for (int i = 0; i < 20 * 60; ++i) {
        for (int k = 0; k < 6; ++k)
            lode_joint_set_motor(servos[k], 0, (lode_real)(0.4 * sin(0.05 * i + k / 3)), 1e5);
        run(&r, 1);
        double z = lab_center(platform).z;
        highest = z > highest ? z : highest;
        assert_true(z > 1.9 && z < 3.5);
    }
    LAB_AT_MOST(2.4, highest);
    assert_int_equal(warnings_of(&r, LODE_WARNING_NOT_CONVERGED), 0);
    end(&r, 1e-4, "Stewart platform");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_ITERATIVE(four_bars_turn),
        LAB_EACH_ITERATIVE(a_stewart_platform_moves),
        LAB_EACH_ITERATIVE(a_heavy_load_swings_on_a_chain),
        LAB_EACH_ITERATIVE(a_crane_bears_five_tons),
        LAB_EACH_ITERATIVE(a_load_swings_with_second_order),
        LAB_EACH_ITERATIVE(a_net_hangs_by_its_edge),
        LAB_EACH_ITERATIVE(a_net_hangs_by_its_corners),
        LAB_EACH_ITERATIVE(a_chain_lies_on_a_table),
        LAB_EACH_ITERATIVE(a_chain_is_whipped_around_a_ball),
        LAB_EACH_ITERATIVE(a_bridge_bears_crates),
        LAB_EACH_ITERATIVE(a_belt_goes_around_wheels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
