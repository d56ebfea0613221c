/* Articulations as JSON that are none, or not what the library takes: what each bad text is told,
 * by line, and that nothing is left in the world; and bad arguments. */
#include "tests/io/descriptions.h"

#include <stdio.h>

/* The good text with one place changed. */
static void changed(const char *from, const char *to, int line, const char *message, int reports)
{
    char text[2048], where[32];
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    report_clear();
    lode_articulation a = lode_io_read_articulation(world, "a.json", text, strlen(text));
    snprintf(where, sizeof where, "a.json:%d", line);
    if (a.id || report.count != reports || strcmp(report.argument, where) != 0 ||
        strcmp(report.message, message) != 0)
        fail_msg("%s in place of %s\nexpected %s: %s\ntold %s: %s", to, from, where, message,
                 report.argument, report.message);
    assert_int_equal(report.status, LODE_ERROR_ARGUMENT);
    assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    report_clear();
}

static void bad_texts_are_told_their_line(void **state)
{
    (void)state;
    changed("\"articulation\"", "\"robot\"", 1, "must be an object with the key articulation alone",
            1);
    changed("\"name\": \"arm\"", "\"nmae\": \"arm\"", 3, "nmae is no key of an articulation here",
            1);
    changed("true", "1", 3, "fixed_base must be true or false", 1);
    changed("\"arm\"", "7", 3, "name must be a string", 1);
    changed("\"arm\"", "\"a\\u0000b\"", 3, "name must not have a null character in it", 1);
    changed("\"name\": \"arm\"", "\"position_iterations\": 1.5", 3,
            "position_iterations must be a whole number", 1);
    changed("\"name\": \"arm\"", "\"links\": []", 4, "links is there twice", 1);
    changed("\"name\": \"arm\"", "\"links\": 1", 3, "links must be an array of objects", 1);
    changed("\"revolute\"", "\"hinge\"", 6,
            "type must be one of \"fixed\", \"prismatic\", \"revolute\", \"revolute_unwrapped\", "
            "\"spherical\", \"six_axes\"",
            1);
    changed("\"parent\": 0, \"type\": \"rev", "\"parent\": 1, \"type\": \"rev", 6,
            "a link: parent, which comes before it, is the number of no link", 1);
    changed("\"name\": \"base\"", "\"parent\": 0", 5, "a link: parent of the first must be -1", 1);
    changed("[0, 0, 0.5]", "[0, 0]", 7, "position must be an array of 3 finite numbers", 1);
    changed("[0, 0, 0.5]", "[0, 0, 1e999]", 7, "position must be an array of 3 finite numbers", 1);
    changed("\"lo\": -1", "\"lo\": 1e999", 8, "lo must be finite", 1);
    changed("\"lo\": -1", "\"lo\": \"low\"", 8,
            "lo must be a number, \"infinity\" or \"-infinity\"", 1);
    changed("\"twist\"", "\"spin\"", 8, "spin is no key of axes here", 1);
    changed("\"max_force\"", "\"maximum\"", 9, "maximum is no key of drive here", 1);
    changed("\"mass\": {\"mass\": 5, \"inertia\": [1, 1, 1, 0, 0, 0]}", "\"cfm_scale\": 0", 5,
            "a link: mass is missing", 1);
    changed("\"type\": \"box\", ", "", 11, "a shape: type is missing", 1);
    changed("\"box\"", "\"plane\"", 11,
            "type must be one of \"sphere\", \"box\", \"capsule\", \"cylinder\", \"hull\", "
            "\"mesh\"",
            1);
    changed("\"half_extents\": [0.1, 0.1, 0.3]", "\"radius\": 1", 11,
            "radius is no key of a shape here", 1);
    changed("\"0xff\"", "\"ff\"", 12, "mask must be \"0x\" and 1 to 16 digits of 0 to 9 and a to f",
            1);
    changed("\"link\": 1}", "\"link\": 2}", 16, "an attachment: link is the number of no link", 1);
    changed("{\"link\": 0}", "{\"point\": [0, 0, 0]}", 15, "an attachment: link is missing", 1);
    changed("\"attachments\"", "\"joints\"", 14, "joints is no key of a tendon here", 1);
    /* what the library refuses is told by it first */
    changed("\"lo\": -1", "\"lo\": 2", 6, "a link cannot be made", 2);
    changed("\"mass\": 1,", "\"mass\": -1,", 6, "a link cannot have its mass", 2);
    changed("[0.1, 0.1, 0.3]", "[0.1, 0.1, -0.3]", 11, "a shape cannot be made", 2);
    changed("\"stiffness\": 3", "\"stiffness\": -3", 14, "a tendon cannot be made", 2);
    changed("\"parent\": 0, \"link\": 1}", "\"parent\": 5, \"link\": 1}", 16,
            "an attachment cannot be made", 2);
    changed("\"name\": \"arm\"", "\"wake_counter\": -1", 2, "an articulation cannot be made", 2);
    changed("\"name\": \"arm\"", "\"root_linear_velocity\": [1, 0, 0]", 2,
            "the root cannot have its pose and velocity", 2);
}

/* A shape of this type with these keys in the box's place. */
static void shape_is_told(const char *type, const char *keys, const char *message, int reports)
{
    char shape[240];
    snprintf(shape, sizeof shape, "\"type\": \"%s\"%s", type, keys);
    changed("\"type\": \"box\", \"half_extents\": [0.1, 0.1, 0.3]", shape, 11, message, reports);
}

static void hull_is_told(const char *keys, const char *message, int reports)
{
    shape_is_told("hull", keys, message, reports);
}

static void bad_hulls_are_told_their_line(void **state)
{
    (void)state;
    const char *points = "vertices must be an array of points, each of 3 finite numbers";
    const char *faces = "faces must be an array of faces, each of whole numbers";
    hull_is_told("", "a shape: vertices is missing", 1);
    hull_is_told(", \"vertices\": 3", points, 1);
    hull_is_told(", \"vertices\": [0, 0, 0]", points, 1);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0]]", points, 1);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0, 0, 0]]", points, 1);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0, 1e999]]", points, 1);
    hull_is_told(", \"vertices\": [], \"faces\": {}", faces, 1);
    hull_is_told(", \"vertices\": [], \"faces\": [0, 1, 2]", faces, 1);
    hull_is_told(", \"vertices\": [], \"faces\": [[0, 1, 2.5]]", faces, 1);
    hull_is_told(", \"vertices\": [], \"radius\": 1", "radius is no key of a shape here", 1);
    /* what the library refuses is told by it first */
    hull_is_told(", \"vertices\": []", "a shape cannot be made", 2);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
                 "a shape cannot be made", 2);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
                 "\"faces\": [[0, 1, 2], [0, 1, 7]]",
                 "a shape cannot be made", 2);
    hull_is_told(", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"faces\": [[]]",
                 "a shape cannot be made", 2);
}

static void bad_meshes_are_told_their_line(void **state)
{
    (void)state;
#define MESH(keys) ", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]" keys
#define TRIANGLES(list) MESH(", \"triangles\": " list)
#define ONE TRIANGLES("[[0, 1, 2]]")
    static const struct {
        const char *keys, *message;
        int reports;
    } cases[] = {
        {"", "a shape: vertices is missing", 1},
        {MESH(""), "a shape: triangles is missing", 1},
        {TRIANGLES("1"), "triangles must be an array of arrays of 3 whole numbers", 1},
        {TRIANGLES("[[0, 1]]"), "triangles must be an array of arrays of 3 whole numbers", 1},
        {TRIANGLES("[[0, 1, 2, 3]]"), "triangles must be an array of arrays of 3 whole numbers", 1},
        {TRIANGLES("[[0, 1, 2.5]]"), "triangles must be an array of arrays of 3 whole numbers", 1},
        {ONE ", \"two_sided\": 1", "two_sided must be true or false", 1},
        {ONE ", \"triangle_materials\": 0",
         "triangle_materials must be an array of whole numbers from 0 to 255", 1},
        {ONE ", \"triangle_materials\": [256]",
         "triangle_materials must be an array of whole numbers from 0 to 255", 1},
        {ONE ", \"triangle_materials\": [-1]",
         "triangle_materials must be an array of whole numbers from 0 to 255", 1},
        {ONE ", \"triangle_materials\": [0, 0]",
         "a shape: triangle_materials must have one for each triangle", 1},
        {ONE ", \"materials\": [1]",
         "materials must be an array of strings without null characters, or null", 1},
        {ONE ", \"materials\": [\"a\\u0000b\"]",
         "materials must be an array of strings without null characters, or null", 1},
        {ONE ", \"faces\": []", "faces is no key of a shape here", 1},
        /* what the library refuses is told by it first */
        {TRIANGLES("[]"), "a shape cannot be made", 2},
        {TRIANGLES("[[0, 1, 4]]"), "a shape cannot be made", 2},
        {TRIANGLES("[[0, 1, -1]]"), "a shape cannot be made", 2},
        {TRIANGLES("[[1, 1, 1]]"), "a shape cannot be made", 2},
        {ONE ", \"materials\": [\"\"]", "a shape cannot be made", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        shape_is_told("mesh", cases[i].keys, cases[i].message, cases[i].reports);
#undef ONE
#undef TRIANGLES
#undef MESH
}

/* Loop joints in place of the good text's. */
static void loops_are_told(const char *loops, const char *message, int reports)
{
    changed("[{\"type\": \"ball\", \"link_a\": 1}]", loops, 14, message, reports);
}

static void bad_loop_joints_are_told_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *loops, *message;
        int reports;
    } cases[] = {
        {"{}", "loop_joints must be an array of objects", 1},
        {"[{\"link_a\": 1}]", "a loop joint: type is missing", 1},
        {"[{\"type\": \"ball\"}]", "a loop joint: link_a is missing", 1},
        {"[{\"type\": \"ball\", \"link_a\": -1}]", "a loop joint: link_a is the number of no link",
         1},
        {"[{\"type\": \"ball\", \"link_a\": 1, \"link_b\": 2}]",
         "a loop joint: link_b is the number of no link", 1},
        {"[{\"type\": \"ball\", \"link_a\": 1, \"axes\": {\"6\": {}}}]", "6 is no key of axes here",
         1},
        {"[{\"type\": \"ball\", \"link_a\": 1, \"stiff\": 1}]",
         "stiff must be one of \"as_world\", \"never\", \"automatic\", \"always\"", 1},
        {"[{\"type\": \"gear\", \"link_a\": 1}]",
         "type must be one of \"ball\", \"hinge\", \"slider\", \"universal\", \"fixed\", "
         "\"piston\", \"prismatic_rotoide\", \"prismatic_universal\", \"plane_2d\", \"wheel\", "
         "\"distance\", \"six_axes\", \"double_ball\", \"double_hinge\", \"angular_motor\", "
         "\"euler_motor\", \"linear_motor\"",
         1},
        /* what the library refuses is told by it first, and none stays that outlives its bodies */
        {"[{\"type\": \"ball\", \"link_a\": 1, \"link_b\": 1}]", "a loop joint cannot be made", 2},
        {"[{\"type\": \"ball\", \"link_a\": 1, \"outlives_bodies\": true}, "
         "{\"type\": \"hinge\", \"link_a\": 1, \"axes\": {\"0\": {\"lo_stop\": 1, \"hi_stop\": "
         "0}}}]",
         "a loop joint cannot be made", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        loops_are_told(cases[i].loops, cases[i].message, cases[i].reports);
    assert_int_equal(lode_world_get_joints(world, NULL, 0), 0);
}

static void texts_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "7",
                                        "{}",
                                        "null",
                                        "{\"articulation\": 1}",
                                        "{\"articulation\": {}, \"more\": 1}",
                                        "\xef\xbb\xbf{\"articulation\": {}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        report_clear();
        assert_false(lode_io_read_articulation(world, "a", texts[i], strlen(texts[i])).id);
        assert_int_equal(report.count, 1);
    }
    /* nested without end */
    char deep[5000] = "{\"articulation\": ";
    for (size_t at = strlen(deep); at < sizeof deep - 1; ++at)
        deep[at] = '[';
    report_clear();
    assert_false(lode_io_read_articulation(world, "a", deep, sizeof deep - 1).id);
    assert_string_equal(report.message, "the text is nested too deeply");
    report_clear();
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_articulation none = {0};
    char text[4];
    report_clear();
    assert_false(lode_io_read_articulation((lode_world){0}, "a", "", 0).id);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_io_read_articulation", "world");
    report_clear();
    assert_false(lode_io_read_articulation(world, NULL, "", 0).id);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_articulation", "name");
    report_clear();
    assert_false(lode_io_read_articulation(world, "a", NULL, 0).id);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_articulation", "text");
    report_clear();
    assert_false(lode_io_load_articulation(world, NULL).id);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_load_articulation", "path");
    report_clear();
    assert_false(lode_io_load_articulation(world, "/nowhere/a.json").id);
    EXPECT_REPORT(LODE_ERROR_SYSTEM, "lode_io_load_articulation", "/nowhere/a.json");
    report_clear();
    assert_int_equal(lode_io_write_articulation(none, text, 4, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_io_write_articulation", "articulation");
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "articulation", lode_io_save_articulation, none, "a", NULL);
    lode_articulation a = read_good();
    assert_int_equal(lode_io_write_articulation(a, NULL, 4, NULL), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_write_articulation", "out_text");
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "path", lode_io_save_articulation, a, NULL, NULL);
    EXPECT_REFUSED(LODE_ERROR_SYSTEM, "/nowhere/a.json", lode_io_save_articulation, a,
                   "/nowhere/a.json", NULL);
    assert_int_equal(lode_articulation_set_name(a, "\xff"), LODE_OK);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "articulation", lode_io_save_articulation, a, "/nowhere",
                   NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(bad_texts_are_told_their_line),   CASE(bad_hulls_are_told_their_line),
        CASE(bad_meshes_are_told_their_line),  CASE(bad_loop_joints_are_told_their_line),
        CASE(texts_that_are_none_are_refused), CASE(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
