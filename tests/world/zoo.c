/* zoo.c: see zoo.h. */
#include "tests/world/zoo.h"

enum { ZOO_BODIES = 2048 };

lode_real zoo_real(zoo *z, double lo, double hi)
{
    return (lode_real)random_between(&z->random, lo, hi);
}

lode_vec3 zoo_point(zoo *z)
{
    lode_real x = zoo_real(z, -z->span, z->span), y = zoo_real(z, -z->span, z->span);
    return vec(x, y, zoo_real(z, -z->span, z->span));
}

lode_quat zoo_rotation(zoo *z)
{
    lode_quat q = {1, 0, 0, 0};
    if (random_below(&z->random, 3) == 0)
        return q;
    q.w = zoo_real(z, -1, 1);
    q.x = zoo_real(z, -1, 1);
    q.y = zoo_real(z, -1, 1);
    q.z = zoo_real(z, 0.1, 1);
    return q;
}

static void add_shape(zoo *z, lode_body body, bool apart)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real a = zoo_real(z, 0.1, 0.8), b = zoo_real(z, 0.1, 0.8);
    def.category = (uint64_t)1 << random_below(&z->random, 4);
    if (random_below(&z->random, 4) == 0)
        def.mask = random_below(&z->random, 16);
    if (apart) {
        def.pose.position = vec(zoo_real(z, -1, 1), zoo_real(z, -1, 1), zoo_real(z, -1, 1));
        def.pose.rotation = zoo_rotation(z);
    }
    switch (random_below(&z->random, 3)) {
    case 0:
        lode_shape_create_sphere(body, &def, a);
        break;
    case 1:
        lode_shape_create_box(body, &def, vec(a, b, zoo_real(z, 0.1, 0.8)));
        break;
    default:
        lode_shape_create_capsule(body, &def, a / 2, b);
    }
}

void zoo_add(zoo *z)
{
    lode_body_def def = lode_body_def_default();
    uint32_t kind = random_below(&z->random, 6);
    def.type = kind == 0 ? LODE_STATIC : kind == 1 ? LODE_KINEMATIC : LODE_DYNAMIC;
    def.position = zoo_point(z);
    def.rotation = zoo_rotation(z);
    if (kind > 0)
        def.linear_velocity = vec(zoo_real(z, -3, 3), zoo_real(z, -3, 3), zoo_real(z, -3, 3));
    lode_body body = lode_body_create(z->world, &def);
    uint32_t shapes = random_below(&z->random, 4) ? 1 : 3;
    for (uint32_t i = 0; i < shapes; ++i)
        add_shape(z, body, shapes > 1 || random_below(&z->random, 3) == 0);
}

zoo zoo_create(uint64_t seed, int bodies, double span)
{
    lode_world_def def = lode_world_def_default();
    zoo z = {.world = lode_world_create(&def), .random = {seed}, .span = span};
    lode_shape_def plane = lode_shape_def_default();
    lode_body ground = add_body(z.world, LODE_STATIC, 0, 0, (lode_real)-span);
    lode_shape_create_plane(ground, &plane, vec(zoo_real(&z, -0.2, 0.2), 0, 1), 0);
    for (int i = 0; i < bodies; ++i)
        zoo_add(&z);
    return z;
}

static lode_body any_body(zoo *z)
{
    static lode_body bodies[ZOO_BODIES];
    int count = lode_world_get_bodies(z->world, bodies, ZOO_BODIES);
    return bodies[1 + random_below(&z->random, (uint32_t)count - 1)]; /* the ground stays */
}

static void resize(zoo *z, lode_shape shape)
{
    lode_real a = zoo_real(z, 0.1, 1.5);
    switch (lode_shape_get_type(shape)) {
    case LODE_SPHERE:
        lode_shape_set_sphere(shape, a);
        break;
    case LODE_BOX:
        lode_shape_set_box(shape, vec(a, zoo_real(z, 0.1, 1), a));
        break;
    case LODE_CAPSULE:
        lode_shape_set_capsule(shape, a / 2, a);
        break;
    default:
        break;
    }
}

static void change_shape(zoo *z, bool size)
{
    lode_shape shapes[8];
    int count = lode_body_get_shapes(any_body(z), shapes, 8);
    if (count == 0)
        return;
    lode_shape shape = shapes[random_below(&z->random, (uint32_t)(count < 8 ? count : 8))];
    lode_pose pose = {vec(zoo_real(z, -1, 1), 0, zoo_real(z, -1, 1)), zoo_rotation(z)};
    if (size)
        resize(z, shape);
    else
        lode_shape_set_pose(shape, pose);
}

static void give_mass(zoo *z)
{
    lode_body body = any_body(z);
    lode_mass mass = {.mass = 2, .center = {zoo_real(z, -1, 1), 0, 0}, .inertia = {1, 1, 1}};
    if (lode_body_get_type(body) == LODE_DYNAMIC)
        lode_body_set_mass(body, &mass);
}

static void go_back(zoo *z)
{
    static char bytes[1 << 22];
    lode_world_step(z->world, STEP);
    int size = (int)lode_world_snapshot(z->world, bytes, sizeof bytes);
    assert_true(size > 0 && (size_t)size <= sizeof bytes);
    lode_world_step(z->world, STEP);
    lode_world_restore(z->world, bytes, (size_t)size);
}

void zoo_disturb(zoo *z)
{
    switch (random_below(&z->random, 12)) {
    case 0:
        lode_body_set_pose(any_body(z), (lode_pose){zoo_point(z), zoo_rotation(z)});
        break;
    case 1:
        change_shape(z, true);
        break;
    case 2:
        change_shape(z, false);
        break;
    case 3:
        zoo_add(z);
        break;
    case 4:
        lode_body_destroy(any_body(z));
        break;
    case 5:
        lode_body_sleep(any_body(z));
        break;
    case 6:
        give_mass(z);
        break;
    case 7:
        lode_body_set_type(any_body(z), (lode_body_type)random_below(&z->random, 3));
        break;
    case 8:
        go_back(z);
        break;
    case 9:
        lode_world_collide(z->world, STEP);
        break;
    case 10:
        lode_world_solve(z->world, STEP);
        break;
    default:
        lode_world_step(z->world, STEP);
    }
}

int zoo_shapes(const zoo *z, lode_shape out[ZOO_SHAPES])
{
    static lode_body bodies[ZOO_BODIES];
    int body_count = lode_world_get_bodies(z->world, bodies, ZOO_BODIES), count = 0;
    for (int i = 0; i < body_count; ++i)
        count += lode_body_get_shapes(bodies[i], out + count, ZOO_SHAPES - count);
    return count;
}
