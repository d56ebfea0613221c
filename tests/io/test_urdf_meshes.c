/* Collision meshes of robots: STL of both kinds and OBJ, their hulls and triangles, scale and
 * mirrors, how they are found, and what bad ones are told. */
#define _GNU_SOURCE
#include "lode/hull.h"
#include "lode/mesh.h"
#include "lode_io/urdf.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static lode_world world;
static lode_io_robot robot;
static char directory[] = "/tmp/lode_meshes_XXXXXX", urdf[64];

static int make_directory(void **state)
{
    (void)state;
    bool made = mkdtemp(directory) != NULL;
    snprintf(urdf, sizeof urdf, "%s/r.urdf", directory);
    return !made;
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    robot = (lode_io_robot){0};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_io_robot_free(&robot);
    lode_world_destroy(world);
    return report.count;
}

static void path_of(const char *name, char out[128])
{
    snprintf(out, 128, "%s/%s", directory, name);
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    char path[128];
    path_of(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static int remove_directory(void **state)
{
    (void)state;
    static const char *const names[] = {"t.stl", "b.STL", "o.obj"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        path_of(names[i], path);
        remove(path);
    }
    return rmdir(directory);
}

/* A robot of one link with this mesh, in line 2; the null handle where it is refused. */
static lode_shape read_mesh(const char *mesh, const lode_io_urdf_options *options)
{
    char text[1000];
    lode_shape shape = {0};
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><collision><geometry>\n<mesh %s/>"
             "</geometry></collision></link></robot>",
             mesh);
    lode_io_robot_free(&robot);
    if (lode_io_read_urdf(world, urdf, text, strlen(text), options, &robot).id)
        assert_int_equal(lode_body_get_shapes(robot.links[0].body, &shape, 1), 1);
    else
        assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    return shape;
}

static void refused(const char *mesh, const lode_io_urdf_options *options, lode_status status,
                    const char *message)
{
    char where[80];
    snprintf(where, sizeof where, "%s:2", urdf);
    assert_int_equal(read_mesh(mesh, options).id, 0);
    EXPECT_REPORT(status, "lode_io_read_urdf", where);
    assert_string_equal(report.message, message);
    report_clear();
}

/* --- a tetrahedron with a corner in the origin and edges of 1, 2 and 3 along the axes */

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static size_t as_text(char *out)
{
    char *end = out + sprintf(out, "solid t of anything\r\n");
    for (int f = 0; f < 4; ++f) {
        end += sprintf(end, "  facet normal 0 0 0\r\n\touter loop\r\n");
        for (int c = 0; c < 3; ++c)
            end += sprintf(end, "   vertex %g %.3e +%g\r\n", corners[faces[f][c]][0],
                           corners[faces[f][c]][1], corners[faces[f][c]][2]);
        end += sprintf(end, "  endloop\r\n endfacet\r\n");
    }
    return (size_t)(end + sprintf(end, "endsolid t") - out);
}

/* On a machine whose numbers begin with their lowest byte, as all that run this do. */
static size_t as_bytes(char *out)
{
    char *end = out + 84;
    memset(out, 'x', 80);
    memcpy(out, "solid binary", 12);
    memcpy(out + 80, (uint32_t[]){4}, 4);
    for (int f = 0; f < 4; ++f, end += 50) {
        memset(end, 0xff, 50);
        for (int c = 0; c < 3; ++c)
            memcpy(end + 12 + 12 * c, corners[faces[f][c]], 12);
    }
    return (size_t)(end - out);
}

static const char obj[] =
    "# o\nmtllib o.mtl\no tetrahedron\nv 0 0 0\nv 1 0 0 1\nv 0 2 0 0.5 0.5 0.5\n"
    "vn 0 0 1\nvt 0 0\nv 0 0 3\ns off\n"
    "f 1//1 3//1 2//1\nf 1/1/1 2/1/1 4/1/1\nf -4 -1 -2\nf 2 3 4\n";

static void write_all(void)
{
    char bytes[2000];
    write_file("t.stl", bytes, as_text(bytes));
    write_file("b.STL", bytes, as_bytes(bytes));
    write_file("o.obj", obj, sizeof obj - 1);
}

static const char *const files[] = {"filename='t.stl'", "filename='b.STL'", "filename='o.obj'"};

static void all_kinds_have_the_same_hull(void **state)
{
    (void)state;
    write_all();
    for (int i = 0; i < 3; ++i) {
        lode_shape shape = read_mesh(files[i], NULL);
        assert_int_equal(lode_shape_get_type(shape), LODE_HULL);
        assert_int_equal(lode_hull_get_vertices(lode_shape_get_hull(shape), NULL, 0), 4);
        lode_mass mass = lode_body_get_mass(robot.links[0].body);
        assert_true(near(mass.mass, 1000, 1e-3));
        assert_true(
            near_vec(mass.center, vec((lode_real)0.25, (lode_real)0.5, (lode_real)0.75), 1e-6));
        lode_articulation_destroy(robot.articulation);
    }
}

static void triangles_of_a_fixed_base_are_as_given(void **state)
{
    (void)state;
    write_all();
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.triangle_base = true;
    assert_int_equal(lode_shape_get_type(read_mesh(files[0], &options)), LODE_HULL);
    options.fixed_base = true;
    for (int i = 0; i < 3; ++i)
        for (int mirror = -1; mirror <= 1; mirror += 2) {
            char mesh[80];
            snprintf(mesh, sizeof mesh, "%s scale='%d 1 2'", files[i], 2 * mirror);
            lode_shape shape = read_mesh(mesh, &options);
            assert_int_equal(lode_shape_get_type(shape), LODE_MESH);
            lode_mesh_info info = lode_mesh_get_info(lode_shape_get_mesh(shape));
            assert_int_equal(info.triangle_count, 4);
            assert_true(info.closed && !info.inverted);
            lode_bounds bounds = lode_mesh_get_bounds(lode_shape_get_mesh(shape));
            assert_true(near_vec(bounds.lower, vec(mirror < 0 ? -2 : 0, 0, 0), 1e-6));
            assert_true(near_vec(bounds.upper, vec(mirror < 0 ? 0 : 2, 2, 6), 1e-6));
        }
}

/* A square pyramid whose base is one face with four corners. */
static void faces_may_have_many_corners(void **state)
{
    (void)state;
    static const char pyramid[] = "v 1 1 0\nv -1 1 0\nv -1 -1 0\nv 1 -1 0\nv 0 0 3\n"
                                  "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5";
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.triangle_base = options.fixed_base = true;
    write_file("o.obj", pyramid, sizeof pyramid - 1);
    lode_mesh *mesh = lode_shape_get_mesh(read_mesh(files[2], &options));
    lode_mass mass;
    assert_int_equal(lode_mesh_get_info(mesh).triangle_count, 6);
    assert_true(lode_mesh_get_info(mesh).closed);
    assert_int_equal(lode_mesh_get_mass(mesh, 1, &mass), LODE_OK);
    assert_true(near(mass.mass, 4, 1e-5));
}

/* --- where they are */

static bool in_package(void *user, const char *filename, char *out_path, size_t capacity)
{
    static const char package[] = "package://robot/meshes/";
    ++*(int *)user;
    if (strncmp(filename, package, sizeof package - 1) != 0)
        return false;
    snprintf(out_path, capacity, "%s/%s", directory, filename + sizeof package - 1);
    return true;
}

static void meshes_are_found(void **state)
{
    (void)state;
    char mesh[200];
    int calls = 0;
    lode_io_urdf_options options = lode_io_urdf_options_default();
    write_all();
    snprintf(mesh, sizeof mesh, "filename='%s/b.STL'", directory);
    assert_true(read_mesh(mesh, NULL).id != 0);
    snprintf(mesh, sizeof mesh, "filename='file://%s/b.STL'", directory);
    assert_true(read_mesh(mesh, NULL).id != 0);
    assert_true(read_mesh("filename='./b.STL'", NULL).id != 0);
    options.find_mesh = in_package;
    options.user = &calls;
    assert_true(read_mesh("filename='package://robot/meshes/t.stl'", &options).id != 0);
    assert_int_equal(calls, 1);
    lode_world_destroy(world);
    lode_io_robot_free(&robot);
    set_up(state);
    refused("filename='t.stl'", &options, LODE_ERROR_ARGUMENT, "mesh: t.stl: is not found");
    refused("filename='package://robot/meshes/none.stl'", &options, LODE_ERROR_SYSTEM,
            "mesh: package://robot/meshes/none.stl: the file cannot be opened");
    refused("filename='http://a/b.obj'", NULL, LODE_ERROR_ARGUMENT,
            "mesh: http://a/b.obj: is no path, and the options have no function that finds it");
}

static void long_paths_are_refused(void **state)
{
    (void)state;
    char *text = malloc(6000), where[80];
    char *end = text + sprintf(text, "<robot name='r'><link name='a'><collision><geometry>\n"
                                     "<mesh filename='");
    memset(end, 'a', 4100);
    sprintf(end + 4100, ".stl'/></geometry></collision></link></robot>");
    assert_int_equal(lode_io_read_urdf(world, urdf, text, strlen(text), NULL, NULL).id, 0);
    snprintf(where, sizeof where, "%s:2", urdf);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", where);
    assert_non_null(strstr(report.message, "its path is too long"));
    report_clear();
    free(text);
}

/* --- bad ones */

static void bad_meshes_are_told(void **state)
{
    (void)state;
    static const struct {
        int file;
        const char *text, *message;
    } cases[] = {
        {0, "", "mesh: t.stl: its size is not that of its triangles, nor is it STL as text"},
        {0, "soli", "mesh: t.stl: its size is not that of its triangles, nor is it STL as text"},
        {0, "solid", "mesh: t.stl: it has no triangles, in its line 1"},
        {0, "solid\nvertex 0 0 0\nvertex 1 0 0\nendloop",
         "mesh: t.stl: a loop must have 3 corners, in its line 4"},
        {0, "solid\nvertex 0 0 0", "mesh: t.stl: it ends within a triangle, in its line 2"},
        {0, "solid\n\nvertex 0 0 nan\n",
         "mesh: t.stl: a corner must have 3 finite numbers, in its line 3"},
        {0, "solid\nvertex 0 0\n",
         "mesh: t.stl: a corner must have 3 finite numbers, in its line 2"},
        {0, "solid\ncolor 0 0\n",
         "mesh: t.stl: the line begins with no word of STL, in its line 2"},
        {2, "", "mesh: o.obj: it has no triangles"},
        {2, "v 0 0 0\nf 1 1\n", "mesh: o.obj: a face must have 3 corners or more, in its line 2"},
        {2, "v 0 0 0\nf 1 2 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
        {2, "v 0 0 0\nf 1 0 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
        {2, "v 0 0 0\nf 1 -2 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
        {2, "v 0 0 0\nf 1 99999999999999999999 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
        {2, "v 0 0 0\nf 1 2333333333 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
        {2, "v 0 0 0\nf 1 x 1\n",
         "mesh: o.obj: a face must have numbers of corners that are above it, in its line 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        write_file(cases[i].file ? "o.obj" : "t.stl", cases[i].text, strlen(cases[i].text));
        refused(files[cases[i].file], NULL, LODE_ERROR_ARGUMENT, cases[i].message);
    }
    char bytes[2000];
    size_t size = as_bytes(bytes);
    memcpy(bytes + 84 + 12, (float[]){INFINITY}, 4);
    write_file("b.STL", bytes, size);
    refused(files[1], NULL, LODE_ERROR_ARGUMENT,
            "mesh: b.STL: a corner must have 3 finite numbers");
    memset(bytes + 80, 0, 4);
    write_file("b.STL", bytes, 84);
    refused(files[1], NULL, LODE_ERROR_ARGUMENT, "mesh: b.STL: it has no triangles");
}

/* A flat mesh has no hull, which is the hull's to tell. */
static void flat_meshes_have_no_hull(void **state)
{
    (void)state;
    static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n";
    write_file("o.obj", flat, sizeof flat - 1);
    assert_int_equal(read_mesh(files[2], NULL).id, 0);
    assert_int_equal(report.count, 2);
    assert_string_equal(report.message, "collision: its shape cannot be made");
    report_clear();
}

/* Cut anywhere and with any bytes changed they are read or refused. */
static void damaged_meshes_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"t.stl", "b.STL", "o.obj"};
    test_random random = {5};
    for (int i = 0; i < 3; ++i) {
        char whole[2000], bytes[2000];
        size_t size = i == 0 ? as_text(whole) : i == 1 ? as_bytes(whole) : sizeof obj - 1;
        if (i == 2)
            memcpy(whole, obj, size);
        for (size_t n = 0; n < 2 * size; ++n) {
            memcpy(bytes, whole, size);
            if (n >= size)
                bytes[n - size] = (char)(bytes[n - size] ^ 1u << random_below(&random, 8));
            write_file(names[i], bytes, n < size ? n : size);
            if (read_mesh(files[i], NULL).id) {
                assert_int_equal(report.count, 0);
                lode_articulation_destroy(robot.articulation);
            } else {
                assert_in_range(report.count, 1, 2);
            }
            report_clear();
        }
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(all_kinds_have_the_same_hull), CASE(triangles_of_a_fixed_base_are_as_given),
        CASE(faces_may_have_many_corners),  CASE(meshes_are_found),
        CASE(long_paths_are_refused),       CASE(bad_meshes_are_told),
        CASE(flat_meshes_have_no_hull),     CASE(damaged_meshes_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
