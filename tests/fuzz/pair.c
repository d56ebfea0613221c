/* pair.c: a recipe becomes two shapes: of any types, from 1 mm to 1 km, thin, flat, one within the
 * other or far from everything. */
#include "tests/fuzz/pair.h"

static const double epsilon = sizeof(lode_real) == sizeof(float) ? 0x1p-23 : 0x1p-52;

static const lode_shape_type types[] = {LODE_SPHERE, LODE_BOX,  LODE_CAPSULE, LODE_CYLINDER,
                                        LODE_HULL,   LODE_MESH, LODE_PLANE,   LODE_HEIGHTFIELD};

enum { SOLID_TYPES = 5, CUSTOM_FROM = 248 }; /* bytes from there on say LODE_CUSTOM */

/* ---- one shape ---- */

typedef struct geometry {
    lode_vec3 size;
    lode_hull *hull;
    lode_mesh *mesh;
    lode_heightfield *field;
    lode_custom *custom;
} geometry;

/* ---- a class of the application's: the hull of some points, by its support alone ---- */

typedef struct cloud {
    int count;
    double points[FORM_MOST_POINTS][3];
} cloud;

static void cloud_support(const void *data, const double direction[3], double out[3])
{
    const cloud *c = data;
    double most = -INFINITY;
    for (int i = 0; i < c->count; ++i) {
        double along = form_dot(c->points[i], direction);
        if (along > most) {
            most = along;
            memcpy(out, c->points[i], sizeof c->points[i]);
        }
    }
}

static lode_bounds cloud_bounds(const void *data, lode_quat rotation)
{
    const cloud *c = data;
    form f = {.kind = FORM_POINTS, .count = c->count};
    const double origin[3] = {0, 0, 0};
    double lo[3], hi[3];
    memcpy(f.points, c->points, sizeof f.points);
    form_place(&f, origin, rotation);
    for (int k = 0; k < 3; ++k) {
        const double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
        double rounding = 4 * epsilon * form_span(&f);
        lo[k] = -form_reach(&f, down) - rounding;
        hi[k] = form_reach(&f, up) + rounding;
    }
    return (lode_bounds){fuzz_vec(lo[0], lo[1], lo[2]), fuzz_vec(hi[0], hi[1], hi[2])};
}

static lode_custom_collide_fn *cloud_select(lode_shape_type type, const lode_custom_class *other)
{
    (void)type;
    (void)other;
    return lode_custom_collide_convex;
}

static const lode_custom_class classes[] = {
    {.name = "cloud", .data_size = sizeof(cloud), .support = cloud_support},
    {.name = "cloud of its own",
     .data_size = sizeof(cloud),
     .support = cloud_support,
     .bounds = cloud_bounds,
     .select = cloud_select}};

/* ---- the forms of shapes ---- */

static void add_triangle(subject *s, const lode_vec3 corners[3])
{
    form *f = &s->parts[s->part_count];
    f->kind = FORM_POINTS;
    f->count = 3;
    double longest = 0, n[3], e[3][3];
    for (int i = 0; i < 3; ++i) {
        const lode_vec3 v = corners[i], next = corners[(i + 1) % 3];
        double p[3] = {(double)v.x, (double)v.y, (double)v.z};
        memcpy(f->points[i], p, sizeof p);
        e[i][0] = (double)next.x - p[0], e[i][1] = (double)next.y - p[1];
        e[i][2] = (double)next.z - p[2];
        longest = fmax(longest, form_dot(e[i], e[i]));
    }
    for (int k = 0; k < 3; ++k)
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    s->thin[s->part_count++] = !(sqrt(form_dot(n, n)) > 1e-4 * longest);
}

static bool make_hull(subject *s, geometry *g, fuzz_bytes *in)
{
    lode_real points[FORM_MOST_POINTS][3];
    double size = (double)fuzz_length(in), flat = fuzz_below(in, 4) ? 1 : 1e-3;
    form *f = &s->parts[s->part_count++];
    f->kind = FORM_POINTS;
    f->count = 4 + (int)fuzz_below(in, FORM_MOST_POINTS - 3);
    for (int i = 0; i < f->count; ++i)
        for (int k = 0; k < 3; ++k) {
            points[i][k] = (lode_real)(size * fuzz_coarse(in) * (k == 2 ? flat : 1));
            f->points[i][k] = (double)points[i][k];
        }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = f->count;
    g->hull = lode_hull_create(&def);
    return g->hull;
}

/* Of points that make a hull, so that they are a solid. */
static bool make_custom(subject *s, geometry *g, fuzz_bytes *in)
{
    const lode_custom_class *class = &classes[fuzz_below(in, 2)];
    const form *f = &s->parts[0];
    cloud c;
    if (!make_hull(s, g, in))
        return false;
    c.count = f->count;
    memcpy(c.points, f->points, sizeof c.points);
    g->custom = lode_custom_create(class, &c);
    return g->custom;
}

static bool make_mesh(subject *s, geometry *g, fuzz_bytes *in)
{
    float vertices[16][3];
    uint16_t indices[PAIR_MOST_PARTS][3];
    double size = (double)fuzz_length(in);
    lode_mesh_def def = lode_mesh_def_default();
    def.vertex_count = 3 + (int)fuzz_below(in, 14);
    def.triangle_count = 1 + (int)fuzz_below(in, 24);
    def.two_sided = s->two_sided = fuzz_below(in, 2);
    for (int i = 0; i < def.vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            vertices[i][k] = (float)(size * fuzz_coarse(in));
    for (int i = 0; i < 3 * def.triangle_count; ++i)
        indices[i / 3][i % 3] = (uint16_t)fuzz_below(in, (uint32_t)def.vertex_count);
    def.vertices = vertices;
    def.double_vertices = false;
    def.indices = indices;
    def.short_indices = true;
    g->mesh = lode_mesh_create(&def);
    for (int i = 0; g->mesh && i < def.triangle_count; ++i) {
        lode_vec3 corners[3];
        lode_mesh_get_triangle(g->mesh, i, corners);
        add_triangle(s, corners);
    }
    return g->mesh;
}

static bool make_field(subject *s, geometry *g, fuzz_bytes *in)
{
    float samples[36];
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = 2 + (int)fuzz_below(in, 4);
    def.rows = 2 + (int)fuzz_below(in, 4);
    def.spacing_x = fuzz_length(in);
    def.spacing_y = fuzz_below(in, 2) ? fuzz_length(in) : def.spacing_x;
    double rise = fuzz_below(in, 3) ? (double)def.spacing_x : (double)fuzz_length(in);
    def.holes = fuzz_below(in, 3) == 0;
    for (int i = 0; i < def.columns * def.rows; ++i) {
        uint32_t height = fuzz_byte(in);
        samples[i] = def.holes && height == 255 ? NAN : (float)(rise * (int8_t)height / 127);
    }
    def.samples = samples;
    def.type = LODE_SAMPLE_FLOAT;
    g->field = lode_heightfield_create(&def);
    for (int i = 0; g->field && i < lode_heightfield_get_triangle_count(g->field); ++i) {
        lode_vec3 corners[3];
        lode_heightfield_get_triangle(g->field, i, corners);
        if (isfinite(corners[0].z) && isfinite(corners[1].z) && isfinite(corners[2].z))
            add_triangle(s, corners);
    }
    return g->field;
}

/* What is made has its form among the parts, without a place. */
static bool make_geometry(subject *s, geometry *g, fuzz_bytes *in)
{
    form *f = &s->parts[0];
    static const form_kind kinds[LODE_SHAPE_TYPE_COUNT] = {[LODE_SPHERE] = FORM_BALL,
                                                           [LODE_BOX] = FORM_BOX,
                                                           [LODE_CAPSULE] = FORM_CAPSULE,
                                                           [LODE_CYLINDER] = FORM_CYLINDER};
    if (s->type == LODE_HULL)
        return make_hull(s, g, in);
    if (s->type == LODE_CUSTOM)
        return make_custom(s, g, in);
    if (s->type == LODE_MESH)
        return make_mesh(s, g, in);
    if (s->type == LODE_HEIGHTFIELD)
        return make_field(s, g, in);
    if (s->type == LODE_PLANE)
        return true;
    bool cube = fuzz_below(in, 2);
    g->size.x = fuzz_length(in);
    g->size.y = cube ? g->size.x : fuzz_length(in);
    g->size.z = cube ? g->size.x : fuzz_length(in);
    f->kind = kinds[s->type];
    f->size[0] = (double)g->size.x;
    f->size[1] = (double)g->size.y;
    f->size[2] = (double)g->size.z;
    s->part_count = 1;
    return true;
}

static lode_shape make_shape(const subject *s, const geometry *g, const lode_shape_def *def)
{
    switch (s->type) {
    case LODE_SPHERE:
        return lode_shape_create_sphere(s->body, def, g->size.x);
    case LODE_BOX:
        return lode_shape_create_box(s->body, def, g->size);
    case LODE_CAPSULE:
        return lode_shape_create_capsule(s->body, def, g->size.x, g->size.y);
    case LODE_CYLINDER:
        return lode_shape_create_cylinder(s->body, def, g->size.x, g->size.y);
    case LODE_HULL:
        return lode_shape_create_hull(s->body, def, g->hull);
    case LODE_CUSTOM:
        return lode_shape_create_custom(s->body, def, g->custom);
    case LODE_MESH:
        return lode_shape_create_mesh(s->body, def, g->mesh);
    case LODE_HEIGHTFIELD:
        return lode_shape_create_heightfield(s->body, def, g->field);
    default:
        return lode_shape_create_plane(s->body, def, (lode_vec3){0, 0, 1}, 0);
    }
}

/* ---- the pair ---- */

static void measure(subject *s)
{
    for (int i = 0; i < s->part_count; ++i)
        s->span = fmax(s->span, form_span(&s->parts[i]));
}

static void set_far(subject *s, const double local[3], const double center[3])
{
    bool moved = form_dot(local, local) > 0 || s->type == LODE_HULL || s->type == LODE_CUSTOM;
    s->far = sqrt(form_dot(local, local)) + (moved ? sqrt(form_dot(center, center)) : 0);
}

/* On a body of its own, whose numbers stay off the shape's by `local`. */
static bool place(subject *s, geometry *g, lode_world world, const double at[3], lode_quat rotation,
                  lode_vec3 local, bool dynamic)
{
    lode_body_def body = lode_body_def_default();
    body.type = dynamic ? LODE_DYNAMIC : LODE_STATIC;
    body.position = fuzz_vec(at[0], at[1], at[2]);
    body.rotation = rotation;
    s->body = lode_body_create(world, &body);
    lode_shape_def def = lode_shape_def_default();
    def.pose.position = local;
    s->shape = make_shape(s, g, &def);
    double center[3] = {(double)body.position.x, (double)body.position.y, (double)body.position.z};
    double offset[3] = {(double)local.x, (double)local.y, (double)local.z};
    form frame = {.kind = FORM_BALL};
    form_place(&frame, center, rotation);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            center[k] += offset[i] * frame.axis[i][k];
    for (int i = 0; i < s->part_count; ++i)
        form_place(&s->parts[i], center, rotation);
    memcpy(s->normal, frame.axis[2], sizeof s->normal);
    s->offset = form_dot(s->normal, center);
    set_far(s, offset, center);
    return s->shape.id;
}

static void release(geometry *g)
{
    lode_hull_release(g->hull);
    lode_mesh_release(g->mesh);
    lode_heightfield_release(g->field);
    lode_custom_release(g->custom);
}

static lode_vec3 read_local(fuzz_bytes *in, double span)
{
    if (fuzz_below(in, 4))
        return fuzz_vec(0, 0, 0);
    double x = span * fuzz_coarse(in), y = span * fuzz_coarse(in), z = span * fuzz_coarse(in);
    return fuzz_vec(x, y, z);
}

/* Of the second from the first: anywhere about, at the same place, or on an axis of the world. */
static void read_offset(fuzz_bytes *in, double reach, double out[3])
{
    static const double shares[] = {1, 0.2, 0, 1, 0.05, 1.5, 1e-6, 0.5};
    uint32_t way = fuzz_byte(in);
    for (int k = 0; k < 3; ++k)
        out[k] = reach * shares[way % 8] *
                 (way & 8 && way / 16 % 3 != (uint32_t)k ? 0 : fuzz_unit(in));
}

static double tolerance_of(const pair *p)
{
    double reach = p->a.span + p->b.span;
    return 8 * epsilon * (reach + p->apart + p->a.far + p->b.far) + 1e-9 * reach;
}

static bool place_both(pair *p, geometry *ga, geometry *gb, fuzz_bytes *in)
{
    static const double far[] = {0, 0, 1, -1, 1e2, 1e4, 1e6, 1e7, -1e7, 3e5};
    double base[3], other[3], reach = p->a.span + p->b.span;
    for (int k = 0; k < 3; ++k)
        base[k] = (double)(lode_real)(far[fuzz_below(in, 10)] * (fuzz_below(in, 4) ? 1 : 0.7));
    read_offset(in, reach > 0 ? reach : 1, other);
    p->apart = sqrt(form_dot(other, other));
    for (int k = 0; k < 3; ++k)
        other[k] = (double)(lode_real)(base[k] + other[k]);
    lode_quat turn_a = fuzz_rotation(in), turn_b = fuzz_rotation(in);
    lode_vec3 local_a = read_local(in, p->a.span), local_b = read_local(in, p->b.span);
    bool pinned_a = !pair_is_solid(&p->a), pinned_b = !pair_is_solid(&p->b);
    bool made = place(&p->a, ga, p->world, base, turn_a, local_a, !pinned_a) &&
                place(&p->b, gb, p->world, other, turn_b, local_b, !pinned_b && pinned_a) &&
                lode_body_is_valid(p->a.body);
    p->tolerance = tolerance_of(p);
    return made;
}

static lode_shape_type read_type(fuzz_bytes *in)
{
    uint32_t byte = fuzz_byte(in);
    return byte < CUSTOM_FROM ? types[byte % 8] : LODE_CUSTOM;
}

bool pair_create(pair *p, fuzz_bytes *in)
{
    geometry ga = {.hull = NULL}, gb = {.hull = NULL};
    lode_world_def def = lode_world_def_default();
    def.gravity = (lode_vec3){0, 0, 0};
    memset(p, 0, sizeof *p);
    p->a.type = read_type(in);
    p->b.type = read_type(in);
    snprintf(fuzz_context, sizeof fuzz_context, "shape types %d and %d", p->a.type, p->b.type);
    p->world = lode_world_create(&def);
    bool made = make_geometry(&p->a, &ga, in) && make_geometry(&p->b, &gb, in);
    measure(&p->a);
    measure(&p->b);
    made = made && place_both(p, &ga, &gb, in);
    release(&ga);
    release(&gb);
    if (made)
        p->gap = pair_find_gap(p);
    return made;
}

bool pair_add_solid(subject *out, const subject *on, fuzz_bytes *in)
{
    static const double shares[] = {1, 0, 0.5, -1, 0.25, -0.5, 1e-3, 0.7};
    geometry g = {.hull = NULL};
    memset(out, 0, sizeof *out);
    out->type = types[fuzz_below(in, SOLID_TYPES)];
    out->body = on->body;
    bool made = make_geometry(out, &g, in);
    measure(out);
    double local[3], center[3];
    for (int k = 0; k < 3; ++k)
        local[k] = (on->span > 0 ? on->span : out->span) * shares[fuzz_below(in, 8)];
    lode_shape_def def = lode_shape_def_default();
    def.pose = (lode_pose){fuzz_vec(local[0], local[1], local[2]), fuzz_rotation(in)};
    if (made)
        out->shape = make_shape(out, &g, &def);
    release(&g);
    if (!made || !out->shape.id)
        return false;
    lode_pose pose = lode_shape_get_world_pose(out->shape);
    center[0] = (double)pose.position.x;
    center[1] = (double)pose.position.y;
    center[2] = (double)pose.position.z;
    form_place(&out->parts[0], center, pose.rotation);
    set_far(out, local, center);
    return true;
}

void pair_between(const pair *p, const subject *a, const subject *b, pair *out)
{
    *out = (pair){.world = p->world, .a = *a, .b = *b, .apart = p->apart};
    out->tolerance = tolerance_of(out);
    out->gap = pair_find_gap(out);
}

void pair_destroy(pair *p)
{
    lode_world_destroy(p->world);
}
