/* Whom each public function that does something to a body wakes, and whom it does not. */
#include "tests/world/wake_row.h"

#define NEW_VALUE ((lode_real)0.7)

static lode_body crate(const asleep *a)
{
    return asleep_own(a, LODE_BOX);
}

static lode_body board(const asleep *a)
{
    return a->support[LODE_BOX];
}

static lode_pose beside(lode_body body, lode_real x)
{
    lode_pose pose = lode_body_get_pose(body);
    pose.position.x += x;
    return pose;
}

/* --- bodies come and go */

static void create_in_it(asleep *a)
{
    lode_vec3 at = lode_body_get_pose(crate(a)).position;
    assert_true(add_body(a->world, LODE_DYNAMIC, at.x, at.y, at.z).id);
    assert_true(add_body(a->world, LODE_STATIC, at.x, at.y, at.z).id);
    assert_true(add_body(a->world, LODE_KINEMATIC, at.x, at.y, at.z).id);
}
static void destroy_board(asleep *a)
{
    lode_body_destroy(board(a));
}
static void destroy_top(asleep *a)
{
    lode_body_destroy(a->island[LODE_BOX][1]);
}
static void destroy_ground(asleep *a)
{
    lode_body_destroy(a->ground);
}
static void destroy_pole(asleep *a)
{
    lode_body_destroy(a->pole);
}
static void destroy_lift(asleep *a)
{
    lode_body_destroy(a->lift);
}
static void destroy_cart(asleep *a)
{
    lode_body_destroy(a->cart);
}
static void board_kinematic(asleep *a)
{
    lode_body_set_type(board(a), LODE_KINEMATIC);
}
static void lift_static(asleep *a)
{
    lode_body_set_type(a->lift, LODE_STATIC);
}
static void pole_kinematic(asleep *a)
{
    lode_body_set_type(a->pole, LODE_KINEMATIC);
}
static void top_static(asleep *a)
{
    lode_body_set_type(a->island[LODE_BOX][1], LODE_STATIC);
}
static void same_types(asleep *a)
{
    lode_body_set_type(crate(a), LODE_DYNAMIC);
    lode_body_set_type(board(a), LODE_STATIC);
    lode_body_set_type(a->lift, LODE_KINEMATIC);
}

/* --- places */

static void place_crate(asleep *a)
{
    lode_body_set_pose(crate(a), lode_body_get_pose(crate(a)));
}
static void place_board(asleep *a)
{
    lode_body_set_pose(board(a), lode_body_get_pose(board(a)));
}
static void place_lift(asleep *a)
{
    lode_body_set_pose(a->lift, beside(a->lift, (lode_real)0.1));
}
static void place_pole(asleep *a)
{
    lode_body_set_pose(a->pole, beside(a->pole, (lode_real)0.1));
}
static void place_cart(asleep *a)
{
    lode_body_set_pose(a->cart, beside(a->cart, 1));
}
static void place_cart_near(asleep *a)
{
    lode_body_set_pose(a->cart, beside(crate(a), (lode_real)1.06));
}
static void place_cart_within(asleep *a)
{
    lode_body_set_pose(a->cart, beside(crate(a), (lode_real)0.9));
}

/* --- velocities */

static void move_crate(asleep *a)
{
    lode_body_set_linear_velocity(crate(a), vec(NEW_VALUE, 0, 0));
}
static void spin_crate(asleep *a)
{
    lode_body_set_angular_velocity(crate(a), vec(0, 0, NEW_VALUE));
}
static void move_lift(asleep *a)
{
    lode_body_set_linear_velocity(a->lift, vec(0, 0, (lode_real)0.01));
}
static void spin_lift(asleep *a)
{
    lode_body_set_angular_velocity(a->lift, vec(0, 0, (lode_real)0.01));
}
static void move_cart(asleep *a)
{
    lode_body_set_linear_velocity(a->cart, vec(1, 0, 0));
}
static void spin_cart(asleep *a)
{
    lode_body_set_angular_velocity(a->cart, vec(0, 0, 1));
}
static void move_by_nothing(asleep *a)
{
    lode_body_set_linear_velocity(crate(a), vec(0, 0, 0));
    lode_body_set_linear_velocity(a->lift, vec(0, 0, 0));
    lode_body_set_linear_velocity(board(a), vec(0, 0, 0));
}
static void spin_by_nothing(asleep *a)
{
    lode_body_set_angular_velocity(crate(a), vec(0, 0, 0));
    lode_body_set_angular_velocity(a->lift, vec(0, 0, 0));
    lode_body_set_angular_velocity(board(a), vec(0, 0, 0));
}

/* --- forces: on the crate; zero; and on what ignores them */

#define FORCE(name, call) \
    static void name(asleep *a) \
    { \
        const lode_vec3 by = {0, 0, 1}, at = lode_body_get_pose(crate(a)).position; \
        const lode_body body = crate(a); \
        (void)at; \
        call; \
    } \
    static void name##_of_nothing(asleep *a) \
    { \
        const lode_vec3 by = {0, 0, 0}, at = {1, 2, 3}; \
        const lode_body body = crate(a); \
        (void)at; \
        call; \
    } \
    static void name##_on_others(asleep *a) \
    { \
        const lode_vec3 by = {0, 0, 1}, at = {1, 2, 3}; \
        lode_body body = a->lift; \
        (void)at; \
        call; \
        body = board(a); \
        call; \
    }

FORCE(force, lode_body_add_force(body, by))
FORCE(force_at, lode_body_add_force_at(body, by, at))
FORCE(force_in, lode_body_add_force_in(body, by, LODE_BODY_FRAME, at, LODE_WORLD_FRAME))
FORCE(torque, lode_body_add_torque(body, by))
FORCE(impulse, lode_body_add_impulse(body, by))
FORCE(impulse_at, lode_body_add_impulse_at(body, by, at))
FORCE(impulse_in, lode_body_add_impulse_in(body, by, LODE_BODY_FRAME, at, LODE_WORLD_FRAME))
FORCE(angular_impulse, lode_body_add_angular_impulse(body, by))
FORCE(set_force, lode_body_set_force(body, by))
FORCE(set_torque, lode_body_set_torque(body, by))

#define FORCE_ROWS(function, name) \
    ROW(function, "on one", name, OWN(LODE_BOX), 0), \
        ROW(function, "of nothing", name##_of_nothing, NOBODY, 0), \
        ROW(function, "on what ignores it", name##_on_others, NOBODY, 0)

/* --- what else is set on a body: on the crate, and on what it does not concern */

#define SET(name, call) \
    static void name(asleep *a) \
    { \
        lode_body body = crate(a); \
        call; \
    } \
    static void name##_on_others(asleep *a) \
    { \
        lode_body body = board(a); \
        call; \
        body = a->lift; \
        call; \
        body = a->cart; \
        call; \
    }

SET(gyroscopic, lode_body_set_gyroscopic(body, LODE_GYROSCOPIC_OFF))
SET(finite_rotation, lode_body_set_finite_rotation(body, true))
SET(finite_axis, lode_body_set_finite_rotation_axis(body, vec(0, 0, NEW_VALUE)))
SET(gravity_scale, lode_body_set_gravity_scale(body, NEW_VALUE))
SET(damping, lode_body_set_damping(body, &(lode_damping){.linear_per_second = NEW_VALUE}))
SET(max_linear_speed, lode_body_set_max_linear_speed(body, NEW_VALUE))
SET(max_angular_speed, lode_body_set_max_angular_speed(body, NEW_VALUE))
SET(continuous, lode_body_set_continuous(body, true))
SET(sleep_values, lode_body_set_sleep(body, NULL))
SET(wake, lode_body_wake(body))

#define SET_ROWS(function, name) \
    ROW(function, "of one", name, OWN(LODE_BOX), 0), \
        ROW(function, "of what does not move by forces", name##_on_others, NOBODY, 0)

static void weigh(asleep *a)
{
    lode_mass mass = lode_body_get_mass(crate(a));
    lode_body_set_mass(crate(a), &mass);
}
static void weigh_by_shapes(asleep *a)
{
    lode_body_set_mass_from_shapes(crate(a));
}

/* --- what wakes nobody, whatever body it is called for */

static void for_all(asleep *a, lode_status (*call)(lode_body body))
{
    const lode_body bodies[] = {crate(a), board(a), a->lift, a->pole, a->cart, a->ground};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i)
        assert_int_equal(call(bodies[i]), LODE_OK);
}
static lode_status name_body(lode_body body)
{
    return lode_body_set_name(body, "a name");
}
static void name_all(asleep *a)
{
    for_all(a, name_body);
}
static lode_status mark_body(lode_body body)
{
    return lode_body_set_user_data(body, &report);
}
static void mark_all(asleep *a)
{
    for_all(a, mark_body);
}
static void put_all_to_sleep(asleep *a)
{
    for_all(a, lode_body_sleep);
}

#define BOX_ON_BOX ON(LODE_BOX)
#define ALL_ON_GROUND \
    (OWN(LODE_SPHERE) | OWN(LODE_BOX) | OWN(LODE_CAPSULE) | OWN(LODE_CYLINDER) | OWN(LODE_MESH) | \
     OWN(LODE_HULL) | OWN(LODE_HEIGHTFIELD) | OWN(LODE_CUSTOM))

/* clang-format off */
static const wake_row rows[] = {
    /* function, what is done, by what, who wakes at once, who later */
    ROW(lode_body_create, "without shapes", create_in_it, NOBODY, 0),
    ROW(lode_body_destroy, "a static support", destroy_board, BOX_ON_BOX, 0),
    ROW(lode_body_destroy, "one of the island", destroy_top, OWN(LODE_BOX), 0),
    ROW(lode_body_destroy, "the ground", destroy_ground, ALL_ON_GROUND, 0),
    ROW(lode_body_destroy, "what it hangs from", destroy_pole, BOBS, 0),
    ROW(lode_body_destroy, "a kinematic support", destroy_lift, RIDER | TOWED, 0),
    ROW(lode_body_destroy, "what touches nothing", destroy_cart, NOBODY, 0),
    ROW(lode_body_set_type, "static to kinematic", board_kinematic, BOX_ON_BOX, 0),
    ROW(lode_body_set_type, "kinematic to static", lift_static, RIDER | TOWED, 0),
    ROW(lode_body_set_type, "what it hangs from", pole_kinematic, BOBS, 0),
    ROW(lode_body_set_type, "one of the island", top_static, OWN(LODE_BOX), 0),
    ROW(lode_body_set_type, "the same", same_types, NOBODY, 0),
    ROW(lode_body_set_pose, "of one, where it is", place_crate, OWN(LODE_BOX), 0),
    ROW(lode_body_set_pose, "of a support, where it is", place_board, BOX_ON_BOX, 0),
    ROW(lode_body_set_pose, "of a kinematic support", place_lift, RIDER | TOWED, 0),
    ROW(lode_body_set_pose, "of what it hangs from", place_pole, BOBS, 0),
    ROW(lode_body_set_pose, "of what touches nothing", place_cart, NOBODY, 0),
    ROW(lode_body_set_pose, "to where it does not touch", place_cart_near, NOBODY, 0),
    ROW(lode_body_set_pose, "to where it touches", place_cart_within, NOBODY, OWN(LODE_BOX)),
    ROW(lode_body_set_linear_velocity, "of one", move_crate, OWN(LODE_BOX), 0),
    ROW(lode_body_set_linear_velocity, "of a kinematic support", move_lift, RIDER | TOWED, 0),
    ROW(lode_body_set_linear_velocity, "of what touches nothing", move_cart, NOBODY, 0),
    ROW(lode_body_set_linear_velocity, "the same", move_by_nothing, NOBODY, 0),
    ROW(lode_body_set_angular_velocity, "of one", spin_crate, OWN(LODE_BOX), 0),
    ROW(lode_body_set_angular_velocity, "of a kinematic support", spin_lift, RIDER | TOWED, 0),
    ROW(lode_body_set_angular_velocity, "of what touches nothing", spin_cart, NOBODY, 0),
    ROW(lode_body_set_angular_velocity, "the same", spin_by_nothing, NOBODY, 0),
    ROW(lode_body_set_mass, "the same", weigh, OWN(LODE_BOX), 0),
    ROW(lode_body_set_mass_from_shapes, "the same", weigh_by_shapes, OWN(LODE_BOX), 0),
    FORCE_ROWS(lode_body_add_force, force),
    FORCE_ROWS(lode_body_add_force_at, force_at),
    FORCE_ROWS(lode_body_add_force_in, force_in),
    FORCE_ROWS(lode_body_add_torque, torque),
    FORCE_ROWS(lode_body_add_impulse, impulse),
    FORCE_ROWS(lode_body_add_impulse_at, impulse_at),
    FORCE_ROWS(lode_body_add_impulse_in, impulse_in),
    FORCE_ROWS(lode_body_add_angular_impulse, angular_impulse),
    FORCE_ROWS(lode_body_set_force, set_force),
    FORCE_ROWS(lode_body_set_torque, set_torque),
    SET_ROWS(lode_body_set_gyroscopic, gyroscopic),
    SET_ROWS(lode_body_set_finite_rotation, finite_rotation),
    SET_ROWS(lode_body_set_finite_rotation_axis, finite_axis),
    SET_ROWS(lode_body_set_gravity_scale, gravity_scale),
    SET_ROWS(lode_body_set_damping, damping),
    SET_ROWS(lode_body_set_max_linear_speed, max_linear_speed),
    SET_ROWS(lode_body_set_max_angular_speed, max_angular_speed),
    SET_ROWS(lode_body_set_continuous, continuous),
    SET_ROWS(lode_body_set_sleep, sleep_values),
    SET_ROWS(lode_body_wake, wake),
    ROW(lode_body_set_name, "of any", name_all, NOBODY, 0),
    ROW(lode_body_set_user_data, "of any", mark_all, NOBODY, 0),
    ROW(lode_body_sleep, "what sleeps", put_all_to_sleep, NOBODY, 0),
};
/* clang-format on */

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    wake_rows_run(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
