/* What contacts and joints say they exerted in a step is what they did: the change of momentum,
 * less gravity's, in every single step, whatever happens within it.
 *
 *     sum of impulses = m (v' - v) - m g dt
 *
 * holds for each body to rounding. In a step of 4 sub-steps a body is visited 7 times in each by
 * each of up to eight contacts, and in up to 64 rounds of bounces once more, and each time its
 * momentum, of up to m v with the speed v of the fastest neighbour, and the impulse are rounded by
 * half a spacing: 112 spacings of both, and 256 for bounces. */
#include "tests/fidelity/lab.h"

enum { ROUNDINGS = 112 + 256, HEAP = 12, MODELS = 4, MOST = 256 };

#define H (1.0 / 60)
#define FASTEST 17 /* m/s, after a fall of 11 m that began with 2 m/s */

/* What contacts exerted on a body in the last step, N s; and adds its size without signs. */
static lab_vec contact_impulse(lode_world world, lode_body body, double *size)
{
    static lode_contact contacts[MOST];
    int count = lode_world_get_contacts(world, contacts, MOST);
    lab_vec sum = {0, 0, 0};
    assert_in_range(count, 0, MOST);
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < contacts[c].point_count; ++i) {
            lab_vec p = lab_of(contacts[c].points[i].impulse);
            bool on_a = contacts[c].body_a.id == body.id, on_b = contacts[c].body_b.id == body.id;
            sum = lab_add(sum, lab_scale(p, on_a - on_b));
            *size += on_a || on_b ? lab_length(p) : 0;
        }
    return sum;
}

/* m (v' - v) - m g dt */
static lab_vec gained(lode_body body, lab_vec before)
{
    double mass = lode_body_get_mass(body).mass;
    lab_vec change = lab_sub(lab_velocity(body), before);
    change.z += LAB_G * H;
    return lab_scale(change, mass);
}

static void set_model(lode_world world, int model)
{
    lode_friction friction = model % 2 ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID;
    assert_int_equal(lode_world_set_friction_model(world, friction), LODE_OK);
    assert_int_equal(lode_world_set_friction_per_manifold(world, model / 2), LODE_OK);
}

/* Boxes and balls fall on each other, slide, roll and bounce. */
static void contacts_tell_what_they_exerted(void **state)
{
    for (int model = 0; model < MODELS; ++model) {
        lode_world world = lab_world(LAB_SOLVER(state));
        lab_material stuff = {500, 0.5, 0.5};
        lode_body heap[HEAP];
        int moments = 0;
        set_model(world, model);
        lab_floor(world, stuff);
        for (int i = 0; i < HEAP; ++i) {
            lode_vec3 at = lab_vec3(0.4 * (i % 2), 0.3 * (i % 3), 0.6 + 0.9 * i);
            heap[i] = i % 3 ? lab_box(world, stuff, at, lab_vec3(0.5, 0.4, 0.3))
                            : lab_sphere(world, stuff, at, 0.4);
            lode_body_set_linear_velocity(heap[i], lab_vec3(i % 2, 0, -2));
        }
        for (int step = 0; step < 150; ++step) {
            lab_vec before[HEAP];
            for (int i = 0; i < HEAP; ++i)
                before[i] = lab_velocity(heap[i]);
            lab_run(world, H, 1);
            for (int i = 0; i < HEAP; ++i) {
                double scale = lode_body_get_mass(heap[i]).mass * FASTEST;
                lab_vec should = gained(heap[i], before[i]);
                lab_vec is = contact_impulse(world, heap[i], &scale);
                LAB_AT_MOST(lab_length(lab_sub(is, should)), ROUNDINGS * LAB_EPSILON * scale);
                moments += lab_length(should) > 0.001 * scale;
            }
        }
        assert_true(moments > 300);
        lode_world_destroy(world);
    }
}

/* A double pendulum that swings wide: the joints turn a lot within a step. */
static void joints_tell_what_they_exerted(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body links[2], above = {0};
    lode_joint joints[2];
    for (int i = 0; i < 2; ++i) {
        links[i] = lab_box(world, (lab_material){.density = 500}, lab_vec3(0.5 + i, 0, 0),
                           lab_vec3(0.5, 0.1, 0.1));
        lode_joint_def def = lode_joint_def_default(i ? LODE_JOINT_HINGE : LODE_JOINT_BALL);
        def.body_a = links[i];
        def.body_b = above;
        if (i) {
            def.axis[0].lo_stop = -1;
            def.axis[0].hi_stop = 1;
            def.axis[0].bounce = (lode_real)0.5;
            def.axis[0].f_max = 5;
        }
        assert_int_equal(lode_joint_def_anchor_world(&def, lab_vec3(i, 0, 0), lab_vec3(0, 1, 0)),
                         LODE_OK);
        joints[i] = lode_joint_create(world, &def);
        above = links[i];
    }
    lode_body_set_angular_velocity(links[1], lab_vec3(0, 9, 1));
    for (int step = 0; step < 300; ++step) {
        lab_vec before[2] = {lab_velocity(links[0]), lab_velocity(links[1])};
        lab_run(world, H, 1);
        lab_vec upper = lab_scale(lab_of(lode_joint_get_force(joints[0])), H);
        lab_vec lower = lab_scale(lab_of(lode_joint_get_force(joints[1])), H);
        double scale = lode_body_get_mass(links[0]).mass * 12;
        LAB_AT_MOST(lab_length(lab_sub(lower, gained(links[1], before[1]))),
                    ROUNDINGS * LAB_EPSILON * scale);
        LAB_AT_MOST(lab_length(lab_sub(lab_sub(upper, lower), gained(links[0], before[0]))),
                    ROUNDINGS * LAB_EPSILON * scale);
    }
    lode_world_destroy(world);
}

/* The torque about a ball's centre is its change of angular momentum. */
static void torques_are_told_too(void **state)
{
    lode_world world = lab_world(LAB_SOLVER(state));
    lode_body ball = lab_sphere(world, (lab_material){.density = 500}, lab_vec3(0, 0, 0), 0.5);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = ball;
    assert_int_equal(lode_joint_def_anchor_world(&def, lab_vec3(1, 0, 0), lab_vec3(0, 1, 0)),
                     LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    double inertia = lode_body_get_mass(ball).inertia[0], spun = 0;
    for (int step = 0; step < 120; ++step) {
        lab_vec before = lab_spin(ball);
        lab_run(world, H, 1);
        lab_vec torque = lab_scale(lab_of(lode_joint_get_torque_a(joint)), H);
        lab_vec should = lab_scale(lab_sub(lab_spin(ball), before), inertia);
        LAB_AT_MOST(lab_length(lab_sub(torque, should)), ROUNDINGS * LAB_EPSILON * inertia * 8);
        spun = fmax(spun, lab_length(lab_spin(ball)));
    }
    LAB_AT_MOST(2, spun);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAB_EACH_SOLVER(contacts_tell_what_they_exerted),
        LAB_EACH_SOLVER(joints_tell_what_they_exerted),
        LAB_EACH_SOLVER(torques_are_told_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
