/* fuzz_builders.c: what makes geometry: hulls from points and from faces, meshes, height fields.
 * Numbers are taken as they come: no numbers, infinite, denormal, equal, on a line. What is made is
 * held against what was given, in double; what is not made was refused with a name. */
#include "tests/fuzz/fuzz.h"

enum { MOST = 64 };

static bool odd_numbers; /* raw bits rather than small numbers that meet each other */

static lode_real number(fuzz_bytes *in, double size)
{
    return odd_numbers && fuzz_below(in, 4) == 0 ? fuzz_raw(in)
                                                 : (lode_real)(size * fuzz_coarse(in));
}

static double size_of(fuzz_bytes *in)
{
    static const double sizes[] = {1, 1e-3, 1e3, 1e7, 1e-20, 1e11, 1e-6, 10};
    return sizes[fuzz_below(in, 8)];
}

/* ---- hulls ---- */

static double largest(const lode_real points[][3], int count)
{
    double most = 0;
    for (int i = 0; i < 3 * count; ++i)
        most = fmax(most, fabs((double)points[i / 3][i % 3]));
    return most;
}

/* How far above a face, by its first corners that are not on a line, any of the points is. */
static double height_above(const lode_vec3 *corners, int corner_count, const lode_real points[][3],
                           int count)
{
    double n[3] = {0}, highest = -INFINITY;
    for (int i = 0; i < corner_count; ++i) { /* Newell */
        const lode_vec3 p = corners[i], q = corners[(i + 1) % corner_count], o = corners[0];
        double a[3] = {(double)p.x - (double)o.x, (double)p.y - (double)o.y,
                       (double)p.z - (double)o.z};
        double b[3] = {(double)q.x - (double)o.x, (double)q.y - (double)o.y,
                       (double)q.z - (double)o.z};
        for (int k = 0; k < 3; ++k)
            n[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    FUZZ_CHECK(length > 0, "a face has no area");
    for (int i = 0; i < count; ++i)
        highest = fmax(highest, (n[0] * ((double)points[i][0] - (double)corners[0].x) +
                                 n[1] * ((double)points[i][1] - (double)corners[0].y) +
                                 n[2] * ((double)points[i][2] - (double)corners[0].z)) /
                                    length);
    return highest;
}

/* Vertices are points, faces closed and with all points below; Euler's count holds. */
static void check_hull(const lode_hull *hull, const lode_real points[][3], int count, double slack)
{
    lode_vec3 vertices[MOST], corners[MOST];
    int vertex_count = lode_hull_get_vertices(hull, vertices, MOST), corner_sum = 0, indices[MOST];
    int face_count = lode_hull_get_face_count(hull);
    FUZZ_CHECK(vertex_count >= 4 && vertex_count <= count, "%d vertices", vertex_count);
    for (int v = 0; v < vertex_count; ++v) {
        bool found = false;
        for (int i = 0; i < count; ++i)
            found = found || (points[i][0] == vertices[v].x && points[i][1] == vertices[v].y &&
                              points[i][2] == vertices[v].z);
        FUZZ_CHECK(found, "vertex %d is none of the points", v);
    }
    for (int f = 0; f < face_count; ++f) {
        int corner_count = lode_hull_get_face(hull, f, indices, MOST);
        FUZZ_CHECK(corner_count >= 3 && corner_count <= vertex_count, "%d corners", corner_count);
        corner_sum += corner_count;
        for (int i = 0; i < corner_count; ++i) {
            FUZZ_CHECK(indices[i] >= 0 && indices[i] < vertex_count, "corner %d", indices[i]);
            corners[i] = vertices[indices[i]];
        }
        double height = height_above(corners, corner_count, points, count);
        FUZZ_CHECK(height <= slack, "a point is %g above face %d", height, f);
    }
    FUZZ_CHECK(vertex_count + face_count == corner_sum / 2 + 2 && corner_sum % 2 == 0,
               "%d vertices, %d faces, %d corners", vertex_count, face_count, corner_sum);
    lode_mass mass = lode_hull_get_mass(hull, 1);
    FUZZ_CHECK(!isnan(mass.mass) && mass.mass >= 0, "mass %g", (double)mass.mass);
}

/* A shape of it can be made, or is refused with a name; it is met by a ray from within. */
static void use_hull(lode_hull *hull)
{
    lode_world_def def = lode_world_def_default();
    lode_body_def body = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    body.type = LODE_DYNAMIC;
    lode_body first = lode_body_create(world, &body), second = lode_body_create(world, &body);
    fuzz_quiet();
    if (!lode_shape_create_hull(first, &shape, hull).id) {
        fuzz_expect_refused("shape of a hull");
    } else {
        lode_shape_create_sphere(second, &shape, 1);
        FUZZ_CHECK(lode_world_step(world, (lode_real)1 / 60) == LODE_OK, "step");
        lode_vec3 at = lode_body_get_pose(first).position;
        FUZZ_CHECK(isfinite(at.x + at.y + at.z), "pose");
    }
    lode_world_destroy(world);
}

static void hull_of_points(fuzz_bytes *in)
{
    static lode_real points[MOST][3];
    double size = size_of(in);
    int count = (int)fuzz_below(in, MOST + 1);
    for (int i = 0; i < 3 * count; ++i)
        points[i / 3][i % 3] = number(in, size);
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = count;
    fuzz_quiet();
    lode_hull *hull = lode_hull_create(&def);
    if (!hull) {
        fuzz_expect_refused("hull of points");
        return;
    }
    FUZZ_CHECK(fuzz_last.count == 0, "made and refused");
    double epsilon = sizeof(lode_real) == sizeof(float) ? 0x1p-23 : 0x1p-52;
    check_hull(hull, points, count, 200 * epsilon * largest(points, count));
    use_hull(hull);
    lode_hull_release(hull);
}

static void hull_of_faces(fuzz_bytes *in)
{
    static const int sizes_of_box[6] = {4, 4, 4, 4, 4, 4};
    static const int box[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    lode_real points[8][3];
    int sizes[12], corners[12 * 4], edits = (int)fuzz_below(in, 4);
    double size = size_of(in);
    memcpy(sizes, sizes_of_box, sizeof sizes_of_box);
    memcpy(corners, box, sizeof box);
    for (int i = 0; i < 24; ++i)
        points[i / 3][i % 3] = (lode_real)(i / 3 >> i % 3 & 1 ? size : -size);
    lode_hull_def def = lode_hull_def_default();
    def.face_count = 6;
    if (fuzz_below(in, 3) == 0) { /* all of it from the recipe */
        def.face_count = (int)fuzz_below(in, 13);
        for (int f = 0; f < def.face_count; ++f)
            sizes[f] = (int)fuzz_below(in, 5);
        for (int i = 0; i < 4 * def.face_count; ++i)
            corners[i] = (int)fuzz_below(in, 10) - 1;
    }
    for (int i = 0; i < edits; ++i) {
        corners[fuzz_below(in, 24)] = (int)fuzz_below(in, 9);
        points[fuzz_below(in, 8)][fuzz_below(in, 3)] = number(in, size);
    }
    def.points = points[0];
    def.point_count = 8;
    def.face_sizes = sizes;
    def.face_corners = corners;
    fuzz_quiet();
    lode_hull *hull = lode_hull_create(&def);
    if (!hull) {
        fuzz_expect_refused("hull of faces");
        return;
    }
    lode_vec3 vertices[8];
    lode_real used[8][3];
    int count = lode_hull_get_vertices(hull, vertices, 8);
    for (int i = 0; i < count; ++i) {
        used[i][0] = vertices[i].x;
        used[i][1] = vertices[i].y;
        used[i][2] = vertices[i].z;
    }
    check_hull(hull, used, count, 3e-5 * 2 * largest(points, 8));
    use_hull(hull);
    lode_hull_release(hull);
}

/* ---- surfaces ---- */

/* Balls and boxes fall on it and rays meet it: nothing but numbers comes out. */
static void use_surface(lode_mesh *mesh, lode_heightfield *field, lode_bounds bounds)
{
    lode_world_def def = lode_world_def_default();
    lode_body_def body = lode_body_def_default();
    lode_shape_def shape = lode_shape_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = lode_body_create(world, &body);
    lode_shape made = mesh ? lode_shape_create_mesh(ground, &shape, mesh)
                           : lode_shape_create_heightfield(ground, &shape, field);
    FUZZ_CHECK(made.id, "no shape: %s", fuzz_last.argument);
    lode_real x = bounds.lower.x / 2 + bounds.upper.x / 2;
    lode_real y = bounds.lower.y / 2 + bounds.upper.y / 2;
    body.type = LODE_DYNAMIC;
    body.position = (lode_vec3){x, y, bounds.upper.z};
    lode_body ball = lode_body_create(world, &body);
    lode_shape_create_sphere(ball, &shape, 1);
    body.position.z = bounds.lower.z;
    lode_body box = lode_body_create(world, &body);
    lode_shape_create_box(box, &shape, (lode_vec3){1, 1, (lode_real)0.5});
    lode_ray ray = {{x, y, bounds.upper.z + 1}, {0, 0, -1}, INFINITY, LODE_BOTH_FACES};
    lode_ray_hit hit;
    if (lode_shape_cast_ray(made, &ray, &hit))
        FUZZ_CHECK(isfinite(hit.distance) && isfinite(hit.normal.x + hit.normal.y + hit.normal.z),
                   "ray's hit");
    for (int i = 0; i < 3; ++i)
        FUZZ_CHECK(lode_world_step(world, (lode_real)1 / 60) == LODE_OK, "step");
    lode_vec3 p = lode_body_get_pose(ball).position, q = lode_body_get_pose(box).position;
    FUZZ_CHECK(isfinite(p.x + p.y + p.z) && isfinite(q.x + q.y + q.z), "poses");
    lode_world_destroy(world);
}

static void check_within(const lode_vec3 corners[3], lode_bounds bounds, int triangle)
{
    for (int i = 0; i < 3; ++i)
        FUZZ_CHECK(corners[i].x >= bounds.lower.x && corners[i].x <= bounds.upper.x &&
                       corners[i].y >= bounds.lower.y && corners[i].y <= bounds.upper.y &&
                       corners[i].z >= bounds.lower.z && corners[i].z <= bounds.upper.z,
                   "triangle %d is out of bounds", triangle);
}

static void mesh_of_triangles(fuzz_bytes *in)
{
    float vertices[MOST][3];
    uint32_t indices[MOST][3];
    lode_mesh_def def = lode_mesh_def_default();
    double size = size_of(in);
    def.vertex_count = (int)fuzz_below(in, MOST + 1);
    def.triangle_count = (int)fuzz_below(in, MOST + 1);
    def.two_sided = fuzz_below(in, 2);
    bool wild = fuzz_below(in, 8) == 0;
    for (int i = 0; i < 3 * def.vertex_count; ++i)
        vertices[i / 3][i % 3] = (float)number(in, size);
    for (int i = 0; i < 3 * def.triangle_count; ++i)
        indices[i / 3][i % 3] = wild ? fuzz_word(in)
                                     : fuzz_below(
                                           in, (uint32_t)(def.vertex_count ? def.vertex_count : 1));
    def.vertices = vertices;
    def.double_vertices = false;
    def.indices = indices;
    def.reference = fuzz_below(in, 2);
    fuzz_quiet();
    lode_mesh *mesh = lode_mesh_create(&def);
    if (!mesh) {
        fuzz_expect_refused("mesh");
        return;
    }
    lode_mesh_info info = lode_mesh_get_info(mesh);
    lode_bounds bounds = lode_mesh_get_bounds(mesh);
    FUZZ_CHECK(info.triangle_count == def.triangle_count &&
                   info.thin_count + info.repeated_count < info.triangle_count,
               "%d thin, %d repeated of %d", info.thin_count, info.repeated_count,
               info.triangle_count);
    lode_mass mass;
    if (lode_mesh_get_mass(mesh, 1, &mass) == LODE_OK)
        FUZZ_CHECK(info.closed && !isnan(mass.mass), "mass %g", (double)mass.mass);
    for (int i = 0; i < def.triangle_count; ++i) {
        lode_vec3 corners[3];
        FUZZ_CHECK(lode_mesh_get_triangle(mesh, i, corners) == LODE_OK, "triangle %d", i);
        FUZZ_CHECK(corners[0].x == (lode_real)vertices[indices[i][0]][0], "corner of triangle %d",
                   i);
        if (info.thin_count + info.repeated_count == 0)
            check_within(corners, bounds, i);
    }
    fuzz_quiet();
    use_surface(mesh, NULL, bounds);
    lode_mesh_release(mesh);
}

static void field_of_samples(fuzz_bytes *in)
{
    uint8_t bytes[8 * 8 * sizeof(double)];
    static const int sizes[] = {4, 8, 1, 1, 2, 2};
    lode_heightfield_def def = lode_heightfield_def_default();
    def.columns = (int)fuzz_below(in, 9);
    def.rows = (int)fuzz_below(in, 9);
    def.spacing_x = odd_numbers ? fuzz_raw(in) : fuzz_length(in);
    def.spacing_y = fuzz_length(in);
    def.type = (lode_sample_type)fuzz_below(in, LODE_SAMPLE_TYPE_COUNT);
    def.scale = fuzz_below(in, 2) ? 1 : number(in, 10);
    def.offset = fuzz_below(in, 2) ? 0 : number(in, 10);
    def.thickness = fuzz_below(in, 2) ? 0 : number(in, 10);
    def.wrap = fuzz_below(in, 4) == 0;
    def.holes = fuzz_below(in, 2);
    def.hole = (int)fuzz_below(in, 256);
    def.bounded = fuzz_below(in, 4) == 0;
    def.lowest = -10;
    def.highest = number(in, 20);
    for (size_t i = 0; i < sizeof bytes; i += 8) {
        double value = (double)number(in, 10);
        float small = (float)value;
        int16_t whole = (int16_t)fuzz_byte(in);
        memcpy(bytes + i, &value, 8);
        if (sizes[def.type] == 4)
            memcpy(bytes + i, &small, 4), memcpy(bytes + i + 4, &small, 4);
        if (sizes[def.type] < 4)
            memcpy(bytes + i, &whole, 2), memcpy(bytes + i + 4, &whole, 2);
    }
    def.samples = bytes;
    fuzz_quiet();
    lode_heightfield *field = lode_heightfield_create(&def);
    if (!field) {
        fuzz_expect_refused("height field");
        return;
    }
    lode_bounds bounds = lode_heightfield_get_bounds(field);
    int count = lode_heightfield_get_triangle_count(field);
    int repeats = def.wrap ? 1 : 0;
    FUZZ_CHECK(count == 2 * (def.columns - 1 + repeats) * (def.rows - 1 + repeats), "%d triangles",
               count);
    for (int i = 0; i < count; ++i) {
        lode_vec3 corners[3];
        FUZZ_CHECK(lode_heightfield_get_triangle(field, i, corners) == LODE_OK, "triangle %d", i);
        bool hole = isnan(corners[0].z) || isnan(corners[1].z) || isnan(corners[2].z);
        FUZZ_CHECK(!hole || def.holes, "triangle %d is no triangle", i);
        if (!hole)
            check_within(corners, bounds, i);
    }
    if (!def.wrap)
        use_surface(NULL, field, bounds);
    lode_heightfield_release(field);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const builders[])(fuzz_bytes *) = {hull_of_points, hull_of_faces,
                                                     mesh_of_triangles, field_of_samples};
    fuzz_bytes in = {data, data + size};
    uint32_t what = fuzz_byte(&in);
    odd_numbers = what & 128;
    snprintf(fuzz_context, sizeof fuzz_context, "builder %u", what % 4);
    builders[what % 4](&in);
    return 0;
}
