/* range.c: see range.h. */
#include "tests/world/range.h"

#include "tests/collide/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const bullet_names[BULLETS] = {"ball", "brick",    "pill",  "drum", "stone", "rod",
                                           "disc", "dumbbell", "block", "star", "ring",  "vane"};

const char *const target_names[TARGETS + 1] = {
    "foil",        "plate",       "sheet",       "web",          "field",         "half-space",
    "flying-foil", "turning-web", "loose-plate", "flying-field", "swinging-foil", "bullet"};

double number(test_random *random, double lo, double hi)
{
    return random_between(random, lo, hi);
}

lode_vec3 any_direction(test_random *random)
{
    double v[3];
    random_direction(random, v);
    return vec((lode_real)v[0], (lode_real)v[1], (lode_real)v[2]);
}

lode_vec3 times(lode_vec3 v, double s)
{
    lode_real r = (lode_real)s;
    return vec(v.x * r, v.y * r, v.z * r);
}

double length_of(lode_vec3 v)
{
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* ---- bullets ---- */

static lode_hull *stone;
static lode_mesh *mesh_bullets[BULLETS]; /* null: it is no mesh */

static void make_stone(void)
{
    test_random random = {4};
    lode_real points[14][3];
    for (int i = 0; i < 14; ++i) {
        lode_vec3 p = times(any_direction(&random), 0.2);
        points[i][0] = p.x, points[i][1] = p.y, points[i][2] = p.z;
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = 14;
    stone = lode_hull_create(&def);
}

static void draft_ring(mesh_draft *d, uint32_t around, uint32_t across)
{
    const double pi = 3.14159265358979;
    d->vertex_count = d->triangle_count = 0;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            double u = 2 * pi * i / around, v = 2 * pi * k / across, r = 0.3 + 0.08 * cos(v);
            draft_vertex(d, r * cos(u), r * sin(u), 0.08 * sin(v));
        }
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t k = 0; k < across; ++k) {
            uint32_t next = (i + 1) % around * across, beside = (k + 1) % across;
            uint32_t a = i * across + k, b = next + k, c = next + beside, e = i * across + beside;
            draft_triangle(d, a, b, c);
            draft_triangle(d, a, c, e);
        }
}

static lode_mesh *made(const mesh_draft *draft, bool two_sided)
{
    lode_mesh_def def = draft_def(draft);
    def.two_sided = two_sided;
    lode_mesh *mesh = lode_mesh_create(&def);
    assert_true(two_sided ||
                (lode_mesh_get_info(mesh).closed && !lode_mesh_get_info(mesh).inverted));
    return mesh;
}

static void make_mesh_bullets(void)
{
    static mesh_draft draft;
    test_random random = {6};
    draft_box(&draft, 0.2, 0.1, 0.15);
    mesh_bullets[BLOCK] = made(&draft, false);
    draft_star(&draft, 4, 7, 0.5, &random);
    for (int i = 0; i < draft.vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            draft.vertices[i][k] *= 0.3f;
    mesh_bullets[STAR] = made(&draft, false);
    draft_ring(&draft, 10, 5);
    mesh_bullets[RING] = made(&draft, false);
    draft_grid(&draft, 3, 0.6, NULL);
    mesh_bullets[VANE] = made(&draft, true);
}

static void add_bullet_shape(lode_body body, bullet kind)
{
    lode_shape_def def = lode_shape_def_default();
    if (mesh_bullets[kind]) {
        lode_shape_create_mesh(body, &def, mesh_bullets[kind]);
        return;
    }
    switch (kind) {
    case BALL:
        lode_shape_create_sphere(body, &def, (lode_real)0.1);
        break;
    case BRICK:
        lode_shape_create_box(body, &def, vec((lode_real)0.2, (lode_real)0.1, (lode_real)0.15));
        break;
    case PILL:
        lode_shape_create_capsule(body, &def, (lode_real)0.1, (lode_real)0.2);
        break;
    case DRUM:
        lode_shape_create_cylinder(body, &def, (lode_real)0.15, (lode_real)0.1);
        break;
    case STONE:
        lode_shape_create_hull(body, &def, stone);
        break;
    case ROD:
        lode_shape_create_box(body, &def, vec((lode_real)0.02, (lode_real)0.02, 1));
        break;
    case DISC:
        lode_shape_create_cylinder(body, &def, (lode_real)0.5, (lode_real)0.02);
        break;
    default:
        def.pose.position.x = (lode_real)0.4;
        lode_shape_create_sphere(body, &def, (lode_real)0.1);
        def.pose.position.x = (lode_real)-0.4;
        lode_shape_create_sphere(body, &def, (lode_real)0.15);
    }
}

lode_body add_bullet(lode_world world, bullet kind, lode_pose pose, lode_vec3 velocity,
                     lode_vec3 spin)
{
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = pose.position;
    def.rotation = pose.rotation;
    def.linear_velocity = velocity;
    def.angular_velocity = spin;
    def.continuous = true;
    lode_body body = lode_body_create(world, &def);
    add_bullet_shape(body, kind);
    return body;
}

/* ---- targets ---- */

lode_mesh *range_sheet;
static lode_mesh *web;
static lode_heightfield *field;

static void make_meshes(void)
{
    static mesh_draft draft;
    draft_grid(&draft, 40, 40, NULL);
    lode_mesh_def def = draft_def(&draft);
    range_sheet = lode_mesh_create(&def);
    draft_grid(&draft, 2, 40, NULL);
    def = draft_def(&draft);
    def.two_sided = true;
    web = lode_mesh_create(&def);
    static const lode_real flat[21 * 21];
    lode_heightfield_def field_def = lode_heightfield_def_default();
    field_def.columns = field_def.rows = 21;
    field_def.spacing_x = field_def.spacing_y = 2;
    field_def.samples = flat;
    field = lode_heightfield_create(&field_def);
}

lode_body add_target(lode_world world, target kind, test_random *random)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    bool flies = kind == FLYING_FOIL || kind == TURNING_WEB || kind >= FLYING_FIELD;
    body_def.type = flies ? LODE_KINEMATIC : kind == LOOSE_PLATE ? LODE_DYNAMIC : LODE_STATIC;
    if (flies)
        body_def.linear_velocity.z = (lode_real)number(random, -1000, 1000);
    if (kind == TURNING_WEB)
        body_def.angular_velocity.z = (lode_real)number(random, -10, 10);
    if (kind == SWINGING_FOIL) {
        double speed = number(random, 0, 10);
        body_def.angular_velocity = times(any_direction(random), speed);
    }
    lode_body body = lode_body_create(world, &body_def);
    bool thin = kind == FOIL || kind == FLYING_FOIL || kind == SWINGING_FOIL;
    lode_real thick = thin ? (lode_real)5e-5 : (lode_real)5e-3;
    if (kind == SHEET || kind == WEB || kind == TURNING_WEB)
        lode_shape_create_mesh(body, &def, kind == SHEET ? range_sheet : web);
    else if (kind == FIELD || kind == FLYING_FIELD) {
        def.pose.position = vec(-20, -20, 0);
        lode_shape_create_heightfield(body, &def, field);
    } else if (kind == HALF_SPACE)
        lode_shape_create_plane(body, &def, vec(0, 0, 1), 0);
    else
        lode_shape_create_box(body, &def, vec(20, 20, thick));
    return body;
}

double height_over(lode_body bullet, lode_body at)
{
    lode_vec3 point = lode_body_point_from_world(at, lode_body_get_center(bullet));
    if (fabs((double)point.x) > 19 || fabs((double)point.y) > 19)
        return NAN;
    return (double)point.z;
}

/* Of long and flat bullets, places 0.1 m within their ends; of the dumbbell, the middles of both
 * balls. */
static const struct {
    bullet kind;
    lode_vec3 at;
} ends[] = {
    {ROD, {0, 0, (lode_real)0.9}},      {ROD, {0, 0, (lode_real)-0.9}},
    {DISC, {(lode_real)0.4, 0, 0}},     {DISC, {(lode_real)-0.4, 0, 0}},
    {DISC, {0, (lode_real)0.4, 0}},     {DISC, {0, (lode_real)-0.4, 0}},
    {DUMBBELL, {(lode_real)0.4, 0, 0}}, {DUMBBELL, {(lode_real)-0.4, 0, 0}},
    {PILL, {0, 0, (lode_real)0.2}},     {PILL, {0, 0, (lode_real)-0.2}},
};

double lowest_over(bullet kind, lode_body bullet, lode_body at, double side)
{
    double least = height_over(bullet, at) * side;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        if (ends[i].kind != kind)
            continue;
        lode_vec3 world = lode_body_point_to_world(bullet, ends[i].at);
        least = fmin(least, (double)lode_body_point_from_world(at, world).z * side);
    }
    return least;
}

/* ---- what is asked for ---- */

int shots(int least)
{
    const char *text = getenv("LODE_SHOTS");
    return text && atoi(text) > least ? atoi(text) : least;
}

int first_shot(void)
{
    const char *text = getenv("LODE_FIRST");
    return text ? atoi(text) : 0;
}

/* Is it the one that is asked for, or any? */
static bool is_wanted(const char *variable, const char *name)
{
    const char *text = getenv(variable);
    return !text || !*text || !strcmp(text, name);
}

bool wants_bullet(int kind)
{
    return is_wanted("LODE_BULLET", bullet_names[kind]);
}

bool wants_target(int kind)
{
    return is_wanted("LODE_TARGET", target_names[kind]);
}

bool bullet_is_mesh(bullet kind)
{
    return mesh_bullets[kind];
}

void range_open(void)
{
    make_stone();
    make_meshes();
    make_mesh_bullets();
}

void range_close(void)
{
    lode_mesh_release(range_sheet);
    lode_mesh_release(web);
    for (int b = 0; b < BULLETS; ++b)
        lode_mesh_release(mesh_bullets[b]);
    lode_hull_release(stone);
    lode_heightfield_release(field);
}
