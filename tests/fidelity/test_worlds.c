/* test_worlds.c: heaps of one kind of body or of all, on four grounds, by all solvers and with
 * settings of all kinds, drawn by lot. What is to hold in each: no step fails, nobody is lost or
 * goes faster than its fall made it, no impulse is larger than what stops everything at once; and
 * in the end all but few worlds sleep. Joint by joint, in few worlds something is thrown.
 *
 * LODE_WORLDS is how many there are, LODE_FIRST the number of the first; with either, each world is
 * told of that is awake in the end, or took long. Of fewer than a hundred more may be awake than
 * are allowed, by chance: in double precision three of the first twelve are. */
#include "tests/fidelity/lab.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 16, POINTS = 12, GRID = 25, SECONDS = 15, LONG = 3, FEW = 8 };

#define SIDE 1.5   /* m, from the middle to the walls */
#define STOREY 0.7 /* m, what a body is put over the one before, or, that they overlap, */
#define CROWDED 0.1

/* clang-format off */
typedef enum kind { SPHERES, BOXES, CAPSULES, CYLINDERS, HULLS, STOOLS, ALL, KINDS } kind;
typedef enum ground { HALF_SPACE, SLAB, MESH, FIELD, GROUNDS } ground;
/* clang-format on */

typedef struct heap {
    lode_world world;
    lode_body bodies[COUNT];
    kind kind;
    ground ground;
    lode_solver solver;
    lode_integrator integrator;
    double h, friction, storey;
    int sub_steps, iterations;
    lode_hull *hull;
    lode_mesh *mesh;
    lode_heightfield *field;
    char name[200];
} heap;

/* --- what there is */

static lode_hull *stone(test_random *random)
{
    lode_real points[3 * POINTS];
    for (int i = 0; i < POINTS; ++i) {
        lab_vec p = {random_between(random, -1, 1), random_between(random, -1, 1),
                     random_between(random, -1, 1)};
        lode_vec3 at = lab_vec3(0.3 * p.x / lab_length(p), 0.25 * p.y / lab_length(p),
                                0.2 * p.z / lab_length(p));
        points[3 * i] = at.x;
        points[3 * i + 1] = at.y;
        points[3 * i + 2] = at.z;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points;
    def.point_count = POINTS;
    return lode_hull_create(&def);
}

/* A seat on four legs, between which others fit. */
static void add_stool(lode_body body, lode_shape_def def)
{
    def.pose.position = lab_vec3(0, 0, 0.2);
    lode_shape_create_box(body, &def, lab_vec3(0.3, 0.3, 0.05));
    for (int leg = 0; leg < 4; ++leg) {
        def.pose.position = lab_vec3(leg & 1 ? 0.25 : -0.25, leg & 2 ? 0.25 : -0.25, -0.05);
        lode_shape_create_box(body, &def, lab_vec3(0.05, 0.05, 0.2));
    }
}

static void add_shape(const heap *of, lode_body body, kind what, lode_shape_def def)
{
    bool is_round = what == SPHERES || what == CAPSULES || what == CYLINDERS;
    for (int k = 0; k < 3 && is_round; ++k)
        def.surface.rolling[k] = (lode_real)0.01;
    switch (what) {
    case SPHERES:
        lode_shape_create_sphere(body, &def, (lode_real)0.25);
        break;
    case BOXES:
        lode_shape_create_box(body, &def, lab_vec3(0.3, 0.25, 0.15));
        break;
    case CAPSULES:
        lode_shape_create_capsule(body, &def, (lode_real)0.15, (lode_real)0.2);
        break;
    case CYLINDERS:
        lode_shape_create_cylinder(body, &def, (lode_real)0.2, (lode_real)0.25);
        break;
    case HULLS:
        lode_shape_create_hull(body, &def, of->hull);
        break;
    default:
        add_stool(body, def);
    }
}

static double height_of(int column, int row)
{
    return 0.15 * sin(0.9 * column) * cos(0.7 * row);
}

static void add_mesh(heap *of, lode_body body, const lode_shape_def *def)
{
    static lode_real vertices[GRID * GRID * 3];
    static uint32_t indices[(GRID - 1) * (GRID - 1) * 6];
    uint32_t *to = indices;
    for (int i = 0; i < GRID * GRID; ++i) {
        vertices[3 * i] = (lode_real)(0.25 * (i % GRID) - 3);
        vertices[3 * i + 1] = (lode_real)(0.25 * (i / GRID) - 3);
        vertices[3 * i + 2] = (lode_real)height_of(i % GRID, i / GRID);
    }
    for (uint32_t row = 0; row + 1 < GRID; ++row)
        for (uint32_t column = 0; column + 1 < GRID; ++column, to += 6) {
            uint32_t at = row * GRID + column;
            uint32_t quad[6] = {at, at + 1, at + GRID + 1, at, at + GRID + 1, at + GRID};
            for (int k = 0; k < 6; ++k)
                to[k] = quad[k];
        }
    lode_mesh_def mesh = lode_mesh_def_default();
    mesh.vertices = vertices;
    mesh.vertex_count = GRID * GRID;
    mesh.indices = indices;
    mesh.triangle_count = (GRID - 1) * (GRID - 1) * 2;
    of->mesh = lode_mesh_create(&mesh);
    lode_shape_create_mesh(body, def, of->mesh);
}

static void add_field(heap *of, lode_body body, lode_shape_def def)
{
    static lode_real samples[GRID * GRID];
    for (int i = 0; i < GRID * GRID; ++i)
        samples[i] = (lode_real)height_of(i % GRID, i / GRID);
    lode_heightfield_def field = lode_heightfield_def_default();
    field.columns = field.rows = GRID;
    field.spacing_x = field.spacing_y = (lode_real)0.25;
    field.samples = samples;
    of->field = lode_heightfield_create(&field);
    def.pose.position = lab_vec3(-3, -3, 0);
    lode_shape_create_heightfield(body, &def, of->field);
}

/* The ground, and walls around it. */
static void add_ground(heap *of, lab_material material)
{
    lode_body_def none = lode_body_def_default();
    lode_body body = lode_body_create(of->world, &none);
    lode_shape_def def = lab_shape_def(material);
    switch (of->ground) {
    case HALF_SPACE:
        lode_shape_create_plane(body, &def, lab_vec3(0, 0, 1), 0);
        break;
    case MESH:
        add_mesh(of, body, &def);
        break;
    case FIELD:
        add_field(of, body, def);
        break;
    default:
        def.pose.position = lab_vec3(0, 0, -0.5);
        lode_shape_create_box(body, &def, lab_vec3(5, 5, 0.5));
    }
    def.pose.position = lab_vec3(0, 0, 0);
    for (int wall = 0; wall < 4; ++wall) {
        double sign = wall & 1 ? 1 : -1;
        lode_shape_create_plane(body, &def, lab_vec3(wall < 2 ? sign : 0, wall < 2 ? 0 : sign, 0),
                                (lode_real)-SIDE);
    }
}

static void add_bodies(heap *of, lab_material material, test_random *random)
{
    lode_sleep sleep = lode_sleep_default();
    sleep.enabled = true;
    for (int i = 0; i < COUNT; ++i) {
        lode_body_def def = lode_body_def_default();
        def.type = LODE_DYNAMIC;
        def.position = lab_vec3(random_between(random, -1, 1), random_between(random, -1, 1),
                                0.8 + of->storey * i);
        def.rotation = (lode_quat){
            (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, -1, 1),
            (lode_real)random_between(random, -1, 1), (lode_real)random_between(random, 0.1, 1)};
        def.continuous = of->ground == MESH || of->ground == FIELD;
        def.sleep = &sleep;
        of->bodies[i] = lode_body_create(of->world, &def);
        add_shape(of, of->bodies[i], of->kind == ALL ? (kind)random_below(random, ALL) : of->kind,
                  lab_shape_def(material));
    }
}

/* --- by lot */

static const char *const kind_names[] = {"spheres", "boxes",  "capsules", "cylinders",
                                         "hulls",   "stools", "all"};
static const char *const ground_names[] = {"half-space", "slab", "mesh", "field"};
static heap draw(unsigned number)
{
    static const double lengths[] = {1.0 / 60, 1.0 / 60, 1.0 / 120, 1.0 / 240};
    static const double frictions[] = {0.3, 0.6, 1, INFINITY};
    static const int iterations[] = {5, 20, 60}, sub_steps[] = {0, 1, 2, 8};
    test_random random = {number};
    random_bits(&random);
    heap of = {.kind = (kind)random_below(&random, KINDS),
               .ground = (ground)random_below(&random, GROUNDS),
               .solver = (lode_solver)random_below(&random, LODE_SOLVER_COUNT),
               .integrator = (lode_integrator)random_below(&random, LODE_INTEGRATOR_COUNT),
               .h = lengths[random_below(&random, 4)],
               .friction = frictions[random_below(&random, 4)],
               .sub_steps = sub_steps[random_below(&random, 4)],
               .iterations = iterations[random_below(&random, 3)]};
    bool cone = random_below(&random, 2) != 0, per_manifold = random_below(&random, 2) != 0;
    double bounce = random_below(&random, 3) == 0 ? 0.3 : 0;
    of.storey = random_below(&random, 4) == 0 ? CROWDED : STOREY;
    lab_material material = {.density = 1000, .friction = of.friction, .restitution = bounce};
    of.world = lab_world(of.solver);
    of.hull = stone(&random);
    lode_world_set_integrator(of.world, of.integrator);
    lode_world_set_iterations(of.world, of.iterations);
    lode_world_set_sub_steps(of.world, of.sub_steps);
    lode_world_set_friction_model(of.world, cone ? LODE_FRICTION_CONE : LODE_FRICTION_PYRAMID);
    lode_world_set_friction_per_manifold(of.world, per_manifold);
    add_ground(&of, material);
    add_bodies(&of, material, &random);
    snprintf(of.name, sizeof of.name,
             "world %u: %s on %s, %s, %s, h 1/%.0f, sub-steps %d, iterations %d, "
             "friction %g%s%s, restitution %g%s",
             number, kind_names[of.kind], ground_names[of.ground], lab_solver_name(of.solver),
             lab_integrator_name(of.integrator), 1 / of.h, of.sub_steps, of.iterations, of.friction,
             cone ? " in cones" : "", per_manifold ? " per manifold" : "", bounce,
             of.storey < STOREY ? ", crowded" : "");
    return of;
}

static void discard(heap *of)
{
    lode_world_destroy(of->world);
    lode_hull_release(of->hull);
    lode_mesh_release(of->mesh);
    lode_heightfield_release(of->field);
}

/* --- what is to hold */

typedef struct outcome {
    int awake; /* in the end */
    bool is_sound;
    double seconds;
} outcome;

static int count_awake(const heap *of)
{
    int awake = 0;
    for (int i = 0; i < COUNT; ++i)
        awake += lode_body_is_awake(of->bodies[i]);
    return awake;
}

/* Twice as fast as the highest body falls, which one that is hit by a heavy one may be. */
static bool is_sound(const heap *of, double mass)
{
    const double height = 1 + STOREY * COUNT, fastest = 2 * sqrt(2 * LAB_G * height);
    double impulse = lab_largest_impulse(of->world), speed = 0, low = INFINITY, far = 0;
    for (int i = 0; i < COUNT; ++i) {
        lab_vec at = lab_center(of->bodies[i]);
        low = fmin(low, at.z);
        far = fmax(far, fmax(fmax(fabs(at.x), fabs(at.y)) - SIDE, at.z - 2 * height));
        speed = fmax(speed, lab_length(lab_velocity(of->bodies[i])));
    }
    if (speed <= fastest && low >= -0.5 && far <= 0.2 && impulse <= 1000 * mass * fastest)
        return true;
    print_message("%s: %g m/s, %g N s, down to %g m, out by %g\n", of->name, speed, impulse, low,
                  far);
    return false;
}

/* Until all sleep. */
static outcome run(heap *of)
{
    const int steps = (int)(SECONDS / of->h);
    clock_t begin = clock();
    outcome out = {.awake = COUNT, .is_sound = true};
    double mass = 0;
    for (int i = 0; i < COUNT; ++i)
        mass += (double)lode_body_get_mass(of->bodies[i]).mass;
    for (int step = 0; step < steps && out.awake > 0 && out.is_sound; ++step) {
        assert_int_equal(lode_world_step(of->world, (lode_real)of->h), LODE_OK);
        out.is_sound = is_sound(of, mass);
        out.awake = count_awake(of);
    }
    out.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return out;
}

/* Continuous bodies that are in each other from the beginning may hold each other for ever. */
static bool may_hang(const heap *of)
{
    return of->ground >= MESH && of->storey < STOREY;
}

static void heaps_hold_together_and_come_to_rest(void **state)
{
    (void)state;
    bool tell = getenv("LODE_WORLDS") || getenv("LODE_FIRST");
    int count = lab_number_from("LODE_WORLDS", FEW), first = lab_number_from("LODE_FIRST", 1);
    int restless = 0, unsound = 0, rough = 0;
    for (int i = first; i < first + count; ++i) {
        heap of = draw((unsigned)i);
        outcome out = run(&of);
        unsound += !out.is_sound && of.solver != LODE_SOLVER_PER_JOINT;
        rough += !out.is_sound && of.solver == LODE_SOLVER_PER_JOINT;
        restless += out.is_sound && out.awake > 0 && !may_hang(&of);
        if (tell && (out.awake > 0 || out.seconds > LONG))
            print_message("%s: %d awake, %.1f s\n", of.name, out.awake, out.seconds);
        discard(&of);
    }
    if (tell)
        print_message("of %d worlds %d are awake, %d unsound, %d more joint by joint\n", count,
                      restless, unsound, rough);
    assert_int_equal(unsound, 0);
    LAB_AT_MOST(rough, count / 50);
    LAB_AT_MOST(restless, 1 + count / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_hold_together_and_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
