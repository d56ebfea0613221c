/* test_whips.c: what whips about has the energy that it began with, and no more: chains of bodies
 * with any joints between them, arms of links, and a link that tumbles with all of its turns, with
 * two of them, or with a stop on one, and a weight on a light chain of links. Inertias turn far
 * within a step there, Coriolis moments are large, and positions of several turns jump where they
 * pass half a turn. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

enum { MOST = 12, LIGHT_LINKS = 10 };

static const double first_half = 0.125, side = 0.0625, wider = 0.03125, length = 0.1875;

typedef struct whip {
    lode_world world;
    lode_body body[MOST];
    int count;
    double begin, most; /* J, of the energy; what it gained at most */
} whip;

static void run(whip *w, double dt, int steps)
{
    w->begin = lab_energy(w->body, w->count);
    w->most = 0;
    for (int i = 0; i < steps; ++i) {
        lab_run(w->world, dt, 1);
        w->most = fmax(w->most, lab_energy(w->body, w->count) - w->begin);
    }
}

static lode_shape_def untouched(double density)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = (lode_real)density;
    def.mask = 0;
    return def;
}

/* ---- bodies */

static lode_body add_body(whip *w, lode_vec3 at, lode_vec3 half)
{
    lode_shape_def shape = untouched(512);
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = at;
    lode_body body = lode_body_create(w->world, &def);
    lode_shape_create_box(body, &shape, half);
    w->body[w->count++] = body;
    return body;
}

static void join(whip *w, lode_joint_type type, lode_body a, lode_body b, lode_vec3 at)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    lode_joint_def_anchor_world(&def, at, lab_vec3(1, 0, 0));
    lode_joint_create(w->world, &def);
}

/* Three bodies that stand on each other, and a box beside the last, which falls and turns. */
static whip chain_of(lode_solver solver, const lode_joint_type types[4])
{
    whip w = {.world = lab_world(solver)};
    lode_body_def base = lode_body_def_default();
    lode_body last = lode_body_create(w.world, &base);
    for (int i = 1; i < 4; ++i) {
        lode_body next = add_body(&w, lab_vec3(0, 0, 0.5 * i),
                                  lab_vec3(first_half, side + wider * i, length));
        join(&w, types[i - 1], last, next, lab_vec3(0, 0, 0.5 * i - 0.25));
        last = next;
    }
    lode_body box = add_body(&w, lab_vec3(0.25, 0.3, 2), lab_vec3(0.25, length, first_half));
    join(&w, types[3], last, box, lab_vec3(0.125, 0.15, 1.75));
    lode_body_set_angular_velocity(box, lab_vec3(20, 30, 10));
    return w;
}

static void chains_gain_nothing(void **state)
{
    static const lode_joint_type types[][4] = {
        {LODE_JOINT_BALL, LODE_JOINT_BALL, LODE_JOINT_BALL, LODE_JOINT_BALL},
        {LODE_JOINT_HINGE, LODE_JOINT_HINGE, LODE_JOINT_BALL, LODE_JOINT_BALL},
        {LODE_JOINT_HINGE, LODE_JOINT_HINGE, LODE_JOINT_HINGE, LODE_JOINT_BALL},
        {LODE_JOINT_FIXED, LODE_JOINT_HINGE, LODE_JOINT_BALL, LODE_JOINT_FIXED},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
        for (int stiff = LODE_STIFF_NEVER; stiff <= LODE_STIFF_ALWAYS; stiff += 2) {
            whip w = chain_of(LAB_SOLVER(state), types[i]);
            lode_world_set_sub_steps(w.world, 16);
            lode_world_set_iterations(w.world, 50);
            lode_world_set_stiff_joints(w.world, (lode_stiff)stiff);
            run(&w, 1.0 / 60, 400);
            LAB_AT_MOST(w.most, 1e-4 * w.begin);
            lode_world_destroy(w.world);
        }
}

#ifdef LODE_DOUBLE
/* Sub-steps of one step do what as many steps do. */
static void sub_steps_are_steps(void **state)
{
    (void)state;
    static const lode_joint_type types[4] = {LODE_JOINT_HINGE, LODE_JOINT_BALL, LODE_JOINT_BALL,
                                             LODE_JOINT_HINGE};
    whip w[2];
    for (int i = 0; i < 2; ++i) {
        w[i] = chain_of(LODE_SOLVER_DIRECT, types);
        lode_world_set_sub_steps(w[i].world, i ? 8 : 1);
        run(&w[i], (i ? 8 : 1) / 960.0, i ? 60 : 480);
    }
    for (int k = 0; k < w[0].count; ++k) {
        lab_vec way = lab_sub(lab_center(w[0].body[k]), lab_center(w[1].body[k]));
        LAB_AT_MOST(lab_length(way), 1e-6);
    }
    for (int i = 0; i < 2; ++i)
        lode_world_destroy(w[i].world);
}
#endif

/* ---- links */

static lode_body add_heavy_link(whip *w, lode_articulation in, lode_body parent,
                                const lode_link_def *def, lode_vec3 half, double density)
{
    lode_shape_def shape = untouched(density);
    lode_link_def link = *def;
    link.parent = parent;
    lode_body body = lode_articulation_add_link(in, &link);
    lode_shape_create_box(body, &shape, half);
    w->body[w->count++] = body;
    return body;
}

static lode_body add_link(whip *w, lode_articulation in, lode_body parent, const lode_link_def *def,
                          lode_vec3 half)
{
    return add_heavy_link(w, in, parent, def, half, 512);
}

static void limit(lode_link_def *def, int axes, double lo, double hi)
{
    for (int k = 0; k < 3; ++k)
        if (axes >> k & 1) {
            def->axis[k].motion = LODE_MOTION_LIMITED;
            def->axis[k].lo = (lode_real)lo;
            def->axis[k].hi = (lode_real)hi;
        }
}

static void slow_down(lode_link_def *def, double fastest)
{
    for (int k = 0; k < 3; ++k)
        def->axis[k].max_velocity = (lode_real)fastest;
}

static lode_articulation articulation_of(whip *w)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    return lode_articulation_create(w->world, &def);
}

/* Two hinges and a spherical joint, of which the turns in `limited` have stops; on its tip a box,
 * by a further link or a ball joint. */
static whip arm_of(lode_solver solver, int limited, bool box_is_link, double fastest)
{
    static const lode_link_joint_type types[4] = {LODE_LINK_FIXED, LODE_LINK_REVOLUTE,
                                                  LODE_LINK_REVOLUTE, LODE_LINK_SPHERICAL};
    whip w = {.world = lab_world(solver)};
    lode_articulation arm = articulation_of(&w);
    lode_body last = {0};
    lode_world_set_iterations(w.world, 50);
    for (int i = 0; i < 4; ++i) {
        lode_link_def def = lode_link_def_default(types[i]);
        def.parent_frame.position = lab_vec3(0, 0, i ? 0.25 : 0);
        def.child_frame.position = lab_vec3(0, 0, i ? -0.25 : 0);
        limit(&def, i == 3 ? limited : 0, -0.375, 0.5);
        slow_down(&def, fastest);
        last = add_link(&w, arm, last, &def, lab_vec3(first_half, side + wider * i, length));
    }
    lode_link_def tip = lode_link_def_default(LODE_LINK_SPHERICAL);
    tip.parent_frame.position = lab_vec3(0.125, 0.15, 0.6);
    tip.child_frame.position = lab_vec3(-0.125, -0.15, -0.6);
    slow_down(&tip, fastest);
    if (box_is_link)
        add_link(&w, arm, last, &tip, lab_vec3(0.25, length, first_half));
    lode_articulation_insert(arm);
    if (!box_is_link) {
        lode_body box = add_body(&w, lab_vec3(0.25, 0.3, 2), lab_vec3(0.25, length, first_half));
        join(&w, LODE_JOINT_BALL, last, box, lab_vec3(0.125, 0.15, 1.75));
    }
    return w;
}

static void arms_gain_nothing(void **state)
{
    static const int limited[] = {0, 1, 2, 4, 7};
    for (size_t i = 0; i < sizeof limited / sizeof limited[0]; ++i) {
        whip w = arm_of(LAB_SOLVER(state), limited[i], false, 100);
        lode_world_set_sub_steps(w.world, 16);
        run(&w, 1.0 / 60, 400);
        LAB_AT_MOST(w.most, 1e-3 * w.begin);
        lode_world_destroy(w.world);
    }
}

/* The fastest turn of a joint. */
static double fastest_of(const whip *w)
{
    double most = 0;
    for (int i = 1; i < w->count; ++i)
        for (int k = 0; k < 3; ++k) {
            lode_link_axis axis = lode_link_get_axis(w->body[i], (lode_link_axis_index)k);
            most = fmax(most, fabs((double)axis.velocity));
        }
    return most;
}

/* The box a link, at default settings: nothing but the joints' limits of speed acts on the arm, of
 * 100 rad/s or of ten. PGS has one sub-step, in which links turn by more than a radian. */
static void arms_of_links_gain_nothing(void **state)
{
    for (int second = 0; second < 2; ++second)
        for (int slow = 0; slow < 2; ++slow) {
            double limit = slow ? 10 : 100, fastest = 0, most = 0;
            whip w = arm_of(LAB_SOLVER(state), 0, true, limit);
            lode_world_set_integrator(w.world, second ? LODE_INTEGRATOR_SECOND_ORDER
                                                      : LODE_INTEGRATOR_SEMI_IMPLICIT);
            double begin = lab_energy(w.body, w.count);
            for (int i = 0; i < 3000; ++i) {
                lab_run(w.world, 1.0 / 60, 1);
                fastest = fmax(fastest, fastest_of(&w));
                most = fmax(most, lab_energy(w.body, w.count) - begin);
            }
            LAB_AT_MOST(most, (second ? 2e-3 : 0.08) * begin);
            LAB_AT_MOST(fastest, 1.04 * limit);
            lode_world_destroy(w.world);
        }
}

/* Ten light links and a weight a thousand times as heavy, let go level and in a straight line:
 * where that is thrown back links turn by 100 rad/s. */
static whip weight_on_a_chain(lode_link_joint_type type)
{
    whip w = {.world = lab_world(LODE_SOLVER_SOFT_STEP)};
    lode_articulation in = articulation_of(&w);
    lode_body last = {0};
    for (int i = 0; i <= LIGHT_LINKS; ++i) {
        lode_link_def def = lode_link_def_default(i ? type : LODE_LINK_FIXED);
        def.parent_frame.position = lab_vec3(0, i > 1 ? 0.1 : 0, 0);
        def.child_frame.position = lab_vec3(0, i ? -0.1 : 0, 0);
        last = add_heavy_link(&w, in, last, &def, lab_vec3(0.02, 0.1, 0.02),
                              i == LIGHT_LINKS ? 1e6 : 1000);
    }
    lode_articulation_insert(in);
    return w;
}

/* By the energy of the weight's fall; at 240 and 960 sub-steps a second. The integrator of second
 * order wants more of them: what has moved too far has more potential energy than there was. */
static void a_weight_on_a_chain_gains_nothing(void **state)
{
    (void)state;
    const double fall = 320 * LAB_G * 2;
    for (int second = 0; second < 2; ++second)
        for (int balls = 0; balls < 2; ++balls)
            for (int often = second; often < 2; ++often) {
                whip w = weight_on_a_chain(balls ? LODE_LINK_SPHERICAL : LODE_LINK_REVOLUTE);
                lode_world_set_sub_steps(w.world, often ? 16 : 4);
                lode_world_set_integrator(w.world, second ? LODE_INTEGRATOR_SECOND_ORDER
                                                          : LODE_INTEGRATOR_SEMI_IMPLICIT);
                run(&w, 1.0 / 60, 1200);
                LAB_AT_MOST(w.most, (second ? 1e-3 : 0.03) * fall);
                lode_world_destroy(w.world);
            }
}

/* Six links that float, on ball joints, and turn against each other. */
static void what_floats_keeps_its_energy(void **state)
{
    (void)state;
    for (int second = 0; second < 2; ++second)
        for (double speed = 5; speed <= 20; speed += 15) {
            test_random random = {5};
            whip w = {.world = lab_world(LODE_SOLVER_SOFT_STEP)};
            lode_articulation_def free_base = lode_articulation_def_default();
            lode_articulation in = lode_articulation_create(w.world, &free_base);
            lode_body last = {0};
            lode_world_set_gravity(w.world, lab_vec3(0, 0, 0));
            lode_world_set_integrator(w.world, second ? LODE_INTEGRATOR_SECOND_ORDER
                                                      : LODE_INTEGRATOR_SEMI_IMPLICIT);
            for (int i = 0; i < 6; ++i) {
                lode_link_def def = lode_link_def_default(i ? LODE_LINK_SPHERICAL
                                                            : LODE_LINK_FIXED);
                def.parent_frame.position = lab_vec3(0, i ? 0.1 : 0, i ? 0.02 : 0);
                def.child_frame.position = lab_vec3(i ? 0.01 : 0, i ? -0.1 : 0, 0);
                slow_down(&def, 1e6);
                last = add_link(&w, in, last, &def, lab_vec3(0.02 + 0.01 * i, 0.1, 0.03));
            }
            lode_articulation_insert(in);
            for (int i = 1; i < 6; ++i)
                for (int k = 0; k < 3; ++k)
                    lode_link_set_velocity(w.body[i], (lode_link_axis_index)k,
                                           (lode_real)random_between(&random, -speed, speed));
            double begin = lab_total(w.body, w.count).kinetic, most = 0;
            for (int i = 0; i < 1200; ++i) {
                lab_run(w.world, 1.0 / 60, 1);
                double now = lab_total(w.body, w.count).kinetic;
                most = fmax(most, fabs(now - begin));
            }
            LAB_AT_MOST(most, (second ? 2e-3 : 0.08) * begin);
            lode_world_destroy(w.world);
        }
}

/* A spherical joint that is turned far meets stops and limits of speed at once: sweeps, taken to
 * the end, bring it where the direct solver does. Speeds are others: after the move sweeps solve
 * again. */
static void solvers_agree_on_several_turns(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 40; ++round) {
        test_random same = random;
        double at_end[2][3];
        for (int direct = 0; direct < 2; ++direct) {
            random = same;
            whip w = {.world = lab_world(direct ? LODE_SOLVER_DIRECT : LODE_SOLVER_PGS)};
            lode_world_set_sub_steps(w.world, 1);
            lode_world_set_iterations(w.world, 5000);
            lode_articulation in = articulation_of(&w);
            lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
            lode_body base = add_link(&w, in, (lode_body){0}, &def, lab_vec3(0.1, 0.1, 0.1));
            def = lode_link_def_default(LODE_LINK_SPHERICAL);
            def.child_frame.position = lab_vec3(-0.3, 0.1, 0.25);
            for (int k = 0; k < 3; ++k) {
                double at = random_between(&random, -1.2, 1.2);
                def.axis[k].position = (lode_real)at;
                def.axis[k].max_velocity = (lode_real)random_between(&random, 2, 6);
                limit(&def, 1 << k, at - random_between(&random, 0.001, 0.02),
                      at + random_between(&random, 0.001, 0.02));
            }
            lode_body link = add_link(&w, in, base, &def, lab_vec3(0.1, 0.1, 0.2));
            lode_articulation_insert(in);
            for (int k = 0; k < 3; ++k)
                lode_link_set_velocity(link, (lode_link_axis_index)k,
                                       (lode_real)random_between(&random, -8, 8));
            lab_run(w.world, 1.0 / 240, 1);
            for (int k = 0; k < 3; ++k)
                at_end[direct][k] = lode_link_get_axis(link, (lode_link_axis_index)k).position;
            lode_world_destroy(w.world);
        }
        for (int k = 0; k < 3; ++k)
            LAB_NEAR(at_end[1][k], at_end[0][k],
                     sizeof(lode_real) == sizeof(double) ? 1e-12 : 1e-5);
    }
}

static void an_arm_of_five_links_gains_little(void **state)
{
    (void)state;
    whip w = arm_of(LODE_SOLVER_PGS, 0, true, 100);
    lode_world_set_sub_steps(w.world, 16);
    run(&w, 1.0 / 60, 1500);
    LAB_AT_MOST(w.most, 0.25 * w.begin);
    lode_world_destroy(w.world);
}

/* A box beside its joint, thrown about it with all turns, with but two, and with one that has a
 * stop, which it meets again and again, beyond half a turn too. */
static whip tumbler(int locked, int limited, uint64_t seed, double speed)
{
    test_random random = {seed};
    whip w = {.world = lab_world(LODE_SOLVER_PGS)};
    lode_articulation in = articulation_of(&w);
    lode_link_def root = lode_link_def_default(LODE_LINK_FIXED);
    lode_body base = add_link(&w, in, (lode_body){0}, &root, lab_vec3(0.1, 0.1, 0.1));
    lode_link_def def = lode_link_def_default(LODE_LINK_SPHERICAL);
    def.child_frame.position = lab_vec3(-0.3, 0.1, 0.25);
    limit(&def, limited, -0.1, 0.6);
    for (int k = 0; k < 3; ++k)
        if (k == locked)
            def.axis[k].motion = LODE_MOTION_LOCKED;
        else
            def.axis[k].position = (lode_real)random_between(&random, 0, 0.5);
    lode_body link = add_link(&w, in, base, &def, lab_vec3(first_half, side + wider, length));
    lode_articulation_insert(in);
    for (int k = 0; k < 3; ++k)
        if (k != locked)
            lode_link_set_velocity(link, (lode_link_axis_index)k,
                                   (lode_real)random_between(&random, -speed, speed));
    return w;
}

/* Energies are about 70 J over that of what hangs. With the twist or the first swing locked some
 * tumble through half a turn, where single precision has no axes (docs/limits.md). */
static void what_tumbles_keeps_its_energy(void **state)
{
    (void)state;
    for (int locked = -1; locked < 3; ++locked)
        for (uint64_t seed = 0; seed < 10; ++seed) {
            whip w = tumbler(locked, 0, seed, 4);
            run(&w, 1.0 / 60, 1200);
            bool coarse = sizeof(lode_real) == sizeof(float) && (locked == 0 || locked == 1);
            LAB_NEAR(lab_energy(w.body, w.count), w.begin, coarse ? 30 : 0.5);
            lode_world_destroy(w.world);
        }
}

/* Of three turns, and of two in the plane where they have axes all the way. */
static void stops_of_one_turn_give_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 3; ++k)
        for (uint64_t seed = 0; seed < 20; ++seed)
            for (int locked = -1; locked < 3; locked += 3) {
                whip w = tumbler(k == 2 ? -1 : locked, 1 << k, seed, 4);
                run(&w, 1.0 / 60, 1200);
                LAB_AT_MOST(w.most, 0.8);
                lode_world_destroy(w.world);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(chains_gain_nothing),
#ifdef LODE_DOUBLE
        cmocka_unit_test(sub_steps_are_steps),
#endif
        LAB_EACH_SOLVER(arms_gain_nothing),
        LAB_EACH_SOLVER(arms_of_links_gain_nothing),
        cmocka_unit_test(a_weight_on_a_chain_gains_nothing),
        cmocka_unit_test(what_floats_keeps_its_energy),
        cmocka_unit_test(solvers_agree_on_several_turns),
        cmocka_unit_test(an_arm_of_five_links_gains_little),
        cmocka_unit_test(what_tumbles_keeps_its_energy),
        cmocka_unit_test(stops_of_one_turn_give_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
