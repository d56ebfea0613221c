/* Every joint type, with every solver, in every order of its bodies: it holds under load, its
 * motors reach their speed, its stops stop, and what it says that it exerted is what moved the
 * bodies. The types and their axes are those of the table. */
#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

#define H (1.0 / 60)
#define DISTANCE 0.4 /* of anchors whose distance is an axis, m */

/* Which bodies a joint is between. */
typedef enum ends { TO_WORLD, TO_STATIC, FROM_STATIC, BOTH_MOVE, ENDS } ends;

typedef struct rig {
    lode_solver solver;
    lode_world world;
    lode_body a, b; /* b may be null */
    lode_joint joint;
    const lode__joint_type *type;
} rig;

static lode_body moving(lode_world world, lode_vec3 at, int i)
{
    lode_body body = lab_body(world, at);
    lode_shape_def shape = lode_shape_def_default();
    shape.density = 1000;
    shape.category = 0; /* touches nothing */
    lode_shape_create_box(body, &shape, lab_vec3(0.3 + 0.1 * i, 0.2, 0.25 - 0.05 * i));
    return body;
}

static lode_body still(lode_world world, lode_vec3 at)
{
    lode_body_def def = lode_body_def_default();
    def.position = at;
    return lode_body_create(world, &def);
}

/* Does it keep its anchors at a distance, or measure that? */
static bool is_apart(const rig *r)
{
    long type = r->type - lode__joint_types;
    return type == LODE_JOINT_DISTANCE || lode__keeps_distance((int)type);
}

/* The joint's frame is turned any way; anchors lie beside both bodies. */
static lode_joint_def rig_def(rig *r, int type, ends ends, test_random *random)
{
    lode_vec3 p = lab_vec3(0.5, 0.2, 0.1), q = lab_vec3(-0.4, -0.1, 0.3);
    lode_joint_def def = lode_joint_def_default((lode_joint_type)type);
    r->type = &lode__joint_types[type];
    r->a = ends == FROM_STATIC ? still(r->world, p) : moving(r->world, p, 0);
    r->b = ends == TO_WORLD    ? (lode_body){0}
           : ends == TO_STATIC ? still(r->world, q)
                               : moving(r->world, q, 1);
    def.body_a = r->a;
    def.body_b = r->b;
    double w = random_between(random, -1, 1), x = random_between(random, -1, 1);
    double y = random_between(random, -1, 1), z = random_between(random, 0.2, 1);
    const lode_pose frame = {lab_vec3(0.1, -0.2, 0.2),
                             {(lode_real)w, (lode_real)x, (lode_real)y, (lode_real)z}};
    assert_int_equal(lode_joint_def_frame_world(&def, frame), LODE_OK);
    for (int i = 0; i < r->type->axes; ++i) /* of those that are given */
        def.axis[i].frame = (lode_axis_frame)((i + (int)ends) % 3);
    if (is_apart(r)) {
        lab_vec y = {0, type == LODE_JOINT_DISTANCE ? -DISTANCE : DISTANCE, 0};
        if (type == LODE_JOINT_DOUBLE_HINGE) /* as the link's turn has it at 0 */
            y = lab_rotate(q_normalize(frame.rotation), y);
        lab_vec at = lab_add(lab_of(def.frame_a.position), y);
        def.frame_a.position = lab_vec3(at.x, at.y, at.z);
    }
    return def;
}

static void rig_join(rig *r, const lode_joint_def *def)
{
    r->joint = lode_joint_create(r->world, def);
    assert_true(r->joint.id != 0);
}

static bool slides(const rig *r, int axis)
{
    return r->type->axis[axis] <= LODE__GIVEN_SLIDE;
}

/* ---- what is held ---- */

static lode_quat about(int k, double angle)
{
    lode_real s = (lode_real)sin(angle / 2);
    return (lode_quat){(lode_real)cos(angle / 2), k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0};
}

static lode_pose frame_of(lode_body body, lode_pose local)
{
    if (!body.id)
        return local;
    lode_pose pose = lode_body_get_pose(body);
    lab_vec at = lab_add(lab_of(pose.position), lab_rotate(pose.rotation, lab_of(local.position)));
    return (lode_pose){lab_vec3(at.x, at.y, at.z), q_mul(pose.rotation, local.rotation)};
}

/* By how much what the joint holds is off, m and rad: what is left when the axes are put back by
 * their positions. */
static void errors_of(const rig *r, double *out_slide, double *out_turn)
{
    lode_joint_def def = lode_joint_get_def(r->joint);
    lode_pose a = frame_of(r->a, def.frame_a), b = frame_of(r->b, def.frame_b);
    lab_vec apart = lab_rotate_inv(b.rotation, lab_sub(lab_of(a.position), lab_of(b.position)));
    lode_quat turn = q_mul(q_conj(b.rotation), a.rotation);
    for (int i = 0; i < r->type->axes; ++i) {
        double at = lode_joint_get_position(r->joint, i);
        int kind = r->type->axis[i];
        apart.x -= kind == LODE__SLIDE_X ? at : 0;
        apart.y -= kind == LODE__SLIDE_Y ? at : 0;
        apart.z -= kind == LODE__SLIDE_Z ? at : 0;
        if (kind == LODE__LINK)
            apart = lab_rotate(about(0, -at), apart);
        else if (kind == LODE__CROSS_B)
            turn = q_mul(about(1, -at), turn);
        else if (!slides(r, i))
            turn = q_mul(turn, about(0, -at));
    }
    if (def.type == LODE_JOINT_DOUBLE_BALL) /* in any direction */
        apart = (lab_vec){0, lab_length(apart), 0};
    apart.y -= lode__keeps_distance(def.type) ? (double)def.distance : 0;
    *out_slide = r->type->rows > 0 ? lab_length(apart) : 0; /* else nothing is */
    double sine = sqrt((double)turn.x * turn.x + (double)turn.y * turn.y + (double)turn.z * turn.z);
    bool turns = r->type->rows == 0 || !r->type->framed || def.type == LODE_JOINT_DOUBLE_BALL;
    *out_turn = turns ? 0 : 2 * atan2(sine, fabs(turn.w));
}

static double start_of(const rig *r, int axis)
{
    return r->type->axis[axis] == LODE__DISTANCE ? DISTANCE : 0;
}

/* The same of the axes beyond their stops. */
static void excess_of(const rig *r, double *out_slide, double *out_turn)
{
    lode_joint_def def = lode_joint_get_def(r->joint);
    *out_slide = *out_turn = 0;
    for (int i = 0; i < r->type->axes; ++i) {
        double at = lode_joint_get_position(r->joint, i);
        double beyond = fmax((double)def.axis[i].lo_stop - at, at - (double)def.axis[i].hi_stop);
        double *out = slides(r, i) ? out_slide : out_turn;
        *out = fmax(*out, beyond);
    }
}

/* ---- every type with every solver between all kinds of bodies ---- */

typedef void rig_fn(rig *r, lode_joint_def *def, int axis);

/* Once for each axis of each type, or once for each type. */
static void each_rig(void **state, bool gravity, bool axes, rig_fn *test)
{
    lode_solver solver = LAB_SOLVER(state);
    test_random random = {5};
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type)
        for (int e = 0; e < ENDS; ++e)
            for (int axis = 0; axis < (axes ? lode__joint_types[type].axes : 1); ++axis) {
                bool falls = gravity && e != BOTH_MOVE; /* far from the origin floats are coarse */
                rig r = {.solver = solver,
                         .world = falls ? lab_world(solver) : lab_world_without_gravity(solver)};
                lode_joint_def def = rig_def(&r, type, (ends)e, &random);
                test(&r, &def, axis);
                lode_world_destroy(r.world);
            }
}

static lode_body mover(const rig *r)
{
    return lode_body_get_type(r->a) == LODE_DYNAMIC ? r->a : r->b;
}

static bool is_on_static(const rig *r)
{
    return lode_body_get_type(r->a) == LODE_STATIC ||
           (r->b.id && lode_body_get_type(r->b) == LODE_STATIC);
}

/* Swinging and tumbling for 10,000 steps, or a tenth of them where a static body is in place of the
 * world. Slides have stops, or they would fall out of sight; what holds nothing by itself has all
 * of its axes held by stops, given ones in one frame: of three that turn against each other two
 * fall together now and then. What a step is off by grows with its square, and the direct solver
 * takes four times as long ones. Whirling on a rod a body falls up to 2 m: v^2 is 41 m^2/s^2 with
 * what it has at first, and the rod's error up to twice (v h)^2 / (2 L erp), as a pendulum's. */
static void hold_under_load(rig *r, lode_joint_def *def, int unused)
{
    (void)unused;
    const double h = H / lab_sub_steps(r->world);
    const double rod = 41 * h * h / (DISTANCE * lode_world_get_def(r->world).erp);
    const double most_slide = is_apart(r) ? rod : r->solver == LODE_SOLVER_DIRECT ? 0.02 : 0.005;
    const double most_turn = r->solver == LODE_SOLVER_DIRECT ? 0.04 : 0.01;
    for (int i = 0; i < r->type->axes; ++i) {
        def->axis[i].frame = def->axis[0].frame;
        double reach = r->type->rows == 0 ? 0 : slides(r, i) ? 0.5 : INFINITY;
        def->axis[i].lo_stop = (lode_real)(start_of(r, i) - reach);
        def->axis[i].hi_stop = (lode_real)(start_of(r, i) + reach);
    }
    rig_join(r, def);
    lode_body_set_angular_velocity(mover(r), lab_vec3(1, -2, 0.5));
    for (int i = 0; i < (is_on_static(r) ? 20 : 200); ++i) {
        double slide, turn, beyond_slide, beyond_turn;
        lab_run(r->world, H, 50);
        errors_of(r, &slide, &turn);
        excess_of(r, &beyond_slide, &beyond_turn);
        LAB_AT_MOST(fmax(slide, beyond_slide), most_slide);
        LAB_AT_MOST(fmax(turn, beyond_turn), most_turn);
    }
}

static void joints_hold_under_load(void **state)
{
    each_rig(state, true, false, hold_under_load);
}

/* How much the rate of an axis may change in a sub-step that was solved for it, since bodies and
 * with them axes turn: each way a Jacobian J of arms of a metre and less turns is at most as fast
 * as the bodies together, and J v no more than all their velocities; angles of Euler turn twice so
 * fast within the half radian that they have here. And sweeps leave a little. */
static double change_of_rate(const rig *r)
{
    lab_vec va = lab_velocity(r->a), vb = {0}, wa = lab_spin(r->a), wb = {0};
    if (r->b.id) {
        vb = lab_velocity(r->b);
        wb = lab_spin(r->b);
    }
    double spin = lab_length(wa) + lab_length(wb);
    double speed = lab_length(lab_sub(va, vb)) + spin;
    return 0.002 + 2 * H / lab_sub_steps(r->world) * spin * speed;
}

/* In one step, and at any later one. */
static void drive(rig *r, lode_joint_def *def, int axis)
{
    const double most = 10000, vel = 0.75;
    double slide, turn;
    def->axis[axis].vel = (lode_real)vel;
    def->axis[axis].f_max = (lode_real)most;
    rig_join(r, def);
    for (int i = 0; i < 30; ++i) {
        lab_run(r->world, H, 1);
        LAB_NEAR((double)lode_joint_get_rate(r->joint, axis), vel, change_of_rate(r));
        LAB_AT_MOST(fabs((double)lode_joint_get_motor_force(r->joint, axis)), most);
    }
    errors_of(r, &slide, &turn);
    LAB_AT_MOST(slide, 0.002);
    LAB_AT_MOST(turn, 0.002);
}

static void motors_reach_their_speed_in_one_step(void **state)
{
    each_rig(state, false, true, drive);
}

/* It pushes with all it has, which is not enough, and no harder. */
static void drive_weakly(rig *r, lode_joint_def *def, int axis)
{
    const double most = 2;
    def->axis[axis].vel = 100;
    def->axis[axis].f_max = (lode_real)most;
    rig_join(r, def);
    lab_run(r->world, H, 1);
    LAB_NEAR((double)lode_joint_get_motor_force(r->joint, axis), most, 8 * LAB_EPSILON * most);
    assert_true(lode_joint_get_rate(r->joint, axis) > 0);
}

static void weak_motors_push_with_all_they_have(void **state)
{
    each_rig(state, false, true, drive_weakly);
}

/* Away from a stop it has the share that it was given; into the stop, and away from where there is
 * none, all. */
static void drive_from_stop(rig *r, lode_joint_def *def, int axis)
{
    const double most = 2, share = 0.25;
    static const struct {
        double vel, beside_lo, beside_hi, share;
    } cases[] = {
        {100, 0, 3, 1},  {-100, 3, 0, 1}, /* with fudge_factor 1 as by default */
        {100, 0, 3, 0},  {-100, 3, 0, 0}, /* away */
        {-100, 0, 3, 1}, {100, 3, 0, 1},  /* into it */
        {-100, 3, 3, 1}, {100, 3, 3, 1},  /* far from both */
    };
    rig_join(r, def);
    for (int i = 0; i < 8; ++i) {
        lode_joint_axis driven = def->axis[axis];
        double at = (double)lode_joint_get_position(r->joint, axis);
        driven.vel = (lode_real)cases[i].vel;
        driven.f_max = (lode_real)most;
        driven.lo_stop = (lode_real)(at - cases[i].beside_lo);
        driven.hi_stop = (lode_real)(at + cases[i].beside_hi);
        driven.fudge_factor = (lode_real)(i < 2 ? 1 : share);
        assert_int_equal(lode_joint_set_axis(r->joint, axis, &driven), LODE_OK);
        lab_run(r->world, H, 1);
        double sign = cases[i].vel > 0 ? 1 : -1, told = cases[i].share > 0 ? most : most * share;
        LAB_NEAR((double)lode_joint_get_motor_force(r->joint, axis), sign * told,
                 8 * LAB_EPSILON * most);
    }
}

static void motors_leave_stops_with_the_share_they_are_given(void **state)
{
    each_rig(state, false, true, drive_from_stop);
}

/* Runs until the axis has hit its lower stop. A stop that bounces is reached first, a hard one is
 * not passed: it ends within a step, and the next one finds it at rest. Where other axes are free
 * too, turning bodies carry some speed from one to the other meanwhile. */
static void hit(const rig *r, int axis, double stop, double bounce)
{
    const double reach = bounce > 0 ? 0.6 * H / lab_sub_steps(r->world) : 0.001;
    double last = -0.5, now = lode_joint_get_rate(r->joint, axis);
    int step = 0;
    for (; step < 20 && (step == 0 || now < last / 2); ++step) {
        last = now;
        lab_run(r->world, H, 1);
        now = lode_joint_get_rate(r->joint, axis);
        LAB_AT_MOST(stop - (double)lode_joint_get_position(r->joint, axis), reach);
    }
    assert_true(step < 20);
    if (bounce == 0) {
        lab_run(r->world, H, 1);
        now = lode_joint_get_rate(r->joint, axis);
    }
    LAB_NEAR(now, -bounce * last, 0.12 * fabs(last));
}

/* Once without bounce, once more with. */
static void hit_stops(rig *r, lode_joint_def *def, int axis)
{
    rig_join(r, def);
    for (int bounces = 0; bounces < 2; ++bounces) {
        lode_joint_axis driven = def->axis[axis], stopped = driven;
        driven.vel = (lode_real)-0.5;
        driven.f_max = 10000;
        lode_joint_set_axis(r->joint, axis, &driven);
        lab_run(r->world, H, 1);
        double stop = (double)lode_joint_get_position(r->joint, axis) - 0.025;
        stopped.bounce = (lode_real)(bounces * 0.5);
        stopped.lo_stop = (lode_real)stop;
        lode_joint_set_axis(r->joint, axis, &stopped);
        hit(r, axis, stop, bounces * 0.5);
    }
}

static void stops_end_what_runs_into_them(void **state)
{
    each_rig(state, false, true, hit_stops);
}

/* A body on a spring moves as x and v of the oscillator, integrated implicitly in each sub-step:
 *     v' = (v - h k x / m) / (1 + h d / m + h^2 k / m),   x' = x + h v'. */
static void body_on_spring(rig *r, lode_joint_type type, double k, double d)
{
    lode_joint_def def = lode_joint_def_default(type);
    lode_joint_axis *axis = &def.axis[0];
    def.body_a = r->a = moving(r->world, lab_vec3(0.25, 0, 0), 0);
    axis->lo_stop = axis->hi_stop = 0;
    assert_int_equal(lode_joint_axis_set_spring(axis, (lode_real)k, (lode_real)d, (lode_real)H),
                     LODE_OK);
    rig_join(r, &def);
    double m = lode_body_get_mass(r->a).mass, x = 0.25, v = 0;
    int sub_steps = lab_sub_steps(r->world);
    double h = (double)(lode_real)H / sub_steps;
    for (int i = 0; i < 120; ++i) {
        for (int sub = 0; sub < sub_steps; ++sub) {
            v = (v - h * k * x / m) / (1 + h * d / m + h * h * k / m);
            x += h * v;
        }
        lab_run(r->world, H, 1);
        LAB_NEAR((double)lode_joint_get_position(r->joint, 0), x, 4096 * LAB_EPSILON * 0.25);
    }
}

static void springs_are_implicit_oscillators(void **state)
{
    static const double springs[][2] = {{1000, 0}, {1000, 50}, {20000, 400}, {1e7, 0}, {0, 100}};
    static const lode_joint_type types[] = {LODE_JOINT_SLIDER, LODE_JOINT_SIX_AXES};
    for (int t = 0; t < 2; ++t)
        for (int i = 0; i < 5; ++i) {
            rig r = {.world = lab_world_without_gravity(LAB_SOLVER(state))};
            lode_world_set_over_relaxation(r.world, 1); /* else sweeps only come near */
            body_on_spring(&r, types[t], springs[i][0], springs[i][1]);
            lode_world_destroy(r.world);
        }
}

typedef struct state_of {
    lab_vec velocity, spin;
    lode_quat rotation;
} state_of;

static state_of now_of(lode_body body)
{
    return (state_of){lab_velocity(body), lab_spin(body), lode_body_get_pose(body).rotation};
}

/* I w of a body that is turned so. */
static lab_vec moment_at(lode_body body, lode_quat rotation, lab_vec spin)
{
    lode_mass mass = lode_body_get_mass(body);
    const lode_real *i = mass.inertia;
    lab_vec w = lab_rotate_inv(rotation, spin);
    return lab_rotate(rotation, (lab_vec){i[0] * w.x + i[3] * w.y + i[4] * w.z,
                                          i[3] * w.x + i[1] * w.y + i[5] * w.z,
                                          i[4] * w.x + i[5] * w.y + i[2] * w.z});
}

/* In one sub-step without gyroscopic torque forces and torques change the velocities of the body as
 * it was turned when the step began, to rounding: m dv = (F + m g) h, I dw = T h. Arms are about a
 * metre. */
static void check_told(const rig *r, lode_body body, double sign, lab_vec torque, state_of before)
{
    double mass = lode_body_get_mass(body).mass, gravity = lode_world_get_def(r->world).gravity.z;
    state_of after = now_of(body);
    lab_vec force = lab_scale(lab_of(lode_joint_get_force(r->joint)), sign);
    lab_vec dp = lab_scale(lab_sub(after.velocity, before.velocity), mass / H);
    lab_vec dl = lab_scale(moment_at(body, before.rotation, lab_sub(after.spin, before.spin)),
                           1 / H);
    dp.z -= gravity * mass;
    double fast = fmax(lab_length(before.velocity), lab_length(after.velocity)) +
                  fmax(lab_length(before.spin), lab_length(after.spin));
    double large = lab_length(force) + lab_length(torque) + mass * (1 + fast) / H;
    LAB_AT_MOST(lab_length(lab_sub(dp, force)), 256 * LAB_EPSILON * large);
    LAB_AT_MOST(lab_length(lab_sub(dl, torque)), 256 * LAB_EPSILON * large);
}

static void tell(rig *r, lode_joint_def *def, int unused)
{
    (void)unused;
    for (int i = 0; i < r->type->axes; ++i) {
        def->axis[i].vel = 1;
        def->axis[i].f_max = i % 2 ? 5 : 0;
        def->axis[i].hi_stop = (lode_real)(i % 2 ? INFINITY : start_of(r, i) + 0.05);
    }
    rig_join(r, def);
    lode_world_set_sub_steps(r->world, 1);
    lode_body_set_gyroscopic(r->a, false);
    if (r->b.id)
        lode_body_set_gyroscopic(r->b, false);
    lode_body_set_angular_velocity(mover(r), lab_vec3(1, -2, 0.5));
    for (int i = 0; i < 20; ++i) {
        bool a_moves = lode_body_get_type(r->a) == LODE_DYNAMIC;
        bool b_moves = r->b.id && lode_body_get_type(r->b) == LODE_DYNAMIC;
        state_of a = now_of(r->a), b = b_moves ? now_of(r->b) : a;
        lab_run(r->world, H, 1);
        if (a_moves)
            check_told(r, r->a, 1, lab_of(lode_joint_get_torque_a(r->joint)), a);
        if (b_moves)
            check_told(r, r->b, -1, lab_of(lode_joint_get_torque_b(r->joint)), b);
    }
}

static void what_joints_tell_is_what_moved_the_bodies(void **state)
{
    each_rig(state, true, false, tell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(joints_hold_under_load),
        LAB_EACH_AND_PER_JOINT(motors_reach_their_speed_in_one_step),
        LAB_EACH_AND_PER_JOINT(weak_motors_push_with_all_they_have),
        LAB_EACH_AND_PER_JOINT(motors_leave_stops_with_the_share_they_are_given),
        LAB_EACH_AND_PER_JOINT(stops_end_what_runs_into_them),
        LAB_EACH_AND_PER_JOINT(springs_are_implicit_oscillators),
        LAB_EACH_AND_PER_JOINT(what_joints_tell_is_what_moved_the_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
