/* pit.h: solids that fall into a pit, turned anyhow: they come to rest in it, and nothing sinks
 * into anything. */
#ifndef LODE_TESTS_PIT_H
#define LODE_TESTS_PIT_H

#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

/* What falls as number `i`; `any` is how it may be turned. */
typedef lode_body pit_add_fn(lode_world world, int i, lode_vec3 place, lode_quat any,
                             test_random *random);

typedef struct pit {
    lab_material material;
    pit_add_fn *add;
    double lowest;     /* no centre is lower then, m */
    double most_speed; /* on an average, m/s */
} pit;

/* A floor and four walls, 2 m wide. */
static inline void pit_dig(lode_world world, lab_material material)
{
    static const double side[4][2] = {{1.5, 0}, {-1.5, 0}, {0, 1.5}, {0, -1.5}};
    lode_shape_def def = lab_shape_def(material);
    lode_body_def ground = lode_body_def_default();
    lode_body body = lode_body_create(world, &ground);
    lode_shape_create_plane(body, &def, lab_vec3(0, 0, 1), 0);
    for (int k = 0; k < 4; ++k) {
        def.pose.position = lab_vec3(side[k][0], side[k][1], 2);
        lode_shape_create_box(body, &def, lab_vec3(k < 2 ? 0.5 : 2, k < 2 ? 2 : 0.5, 2));
    }
}

static inline void pit_fill(const pit *p, lode_world world, lode_body *bodies, int body_count)
{
    test_random random = {5};
    for (int i = 0; i < body_count; ++i) {
        double x = random_between(&random, -0.5, 0.5), y = random_between(&random, -0.5, 0.5);
        lode_vec3 place = lab_vec3(x, y, 0.5 + 0.4 * i);
        lode_quat any = {
            (lode_real)random_between(&random, 0.1, 1), (lode_real)random_between(&random, -1, 1),
            (lode_real)random_between(&random, -1, 1), (lode_real)random_between(&random, -1, 1)};
        bodies[i] = p->add(world, i, place, any, &random);
    }
}

static inline void pit_check(const pit *p, lode_solver solver, double dt)
{
    enum { BODIES = 60, CONTACTS = 1000 };
    static lode_contact contacts[CONTACTS];
    int body_count = solver == LODE_SOLVER_DIRECT ? BODIES / 3 : BODIES;
    lode_world world = lab_world(solver);
    lode_body bodies[BODIES];
    pit_dig(world, p->material);
    pit_fill(p, world, bodies, body_count);
    lab_run(world, dt, 900);
    lab_sum sum = lab_total(bodies, body_count);
    double mass = 0;
    for (int i = 0; i < body_count; ++i) {
        lab_vec c = lab_center(bodies[i]);
        assert_true(fabs(c.x) < 1 && fabs(c.y) < 1 && c.z > p->lowest && c.z < 4);
        mass += (double)lode_body_get_mass(bodies[i]).mass;
    }
    LAB_AT_MOST(sqrt(2 * sum.kinetic / mass), p->most_speed);
    int count = lode_world_get_contacts(world, contacts, CONTACTS);
    assert_true(count > body_count && count <= CONTACTS);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < contacts[i].point_count; ++k)
            LAB_AT_MOST((double)contacts[i].points[k].depth, 0.02);
    lode_world_destroy(world);
}

#endif
