/* URDF that is none, or says what cannot be: what each bad text is told, by line, and that nothing
 * is left in the world; texts that are cut and changed anywhere; memory that is short at each
 * place. */
#define _GNU_SOURCE
#include "lode_io/urdf.h"
#include "tests/io/robots.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    lode_world_destroy(world);
    return report.count;
}

static lode_articulation read_bytes(const char *text, size_t size, lode_io_robot *robot)
{
    return lode_io_read_urdf(world, "r.urdf", text, size, NULL, robot);
}

/* Refused with this message at this line, and leaves zeros and nothing in the world. */
static void refused(const char *text, int line, const char *message)
{
    char where[32];
    lode_io_robot robot;
    memset(&robot, 0xee, sizeof robot);
    report_clear();
    lode_articulation made = read_bytes(text, strlen(text), &robot);
    snprintf(where, sizeof where, "r.urdf:%d", line);
    if (made.id || report.count != 1 || strcmp(report.argument, where) != 0 ||
        strcmp(report.message, message) != 0)
        fail_msg("%s\nexpected %s: %s\ntold %s: %s", text, where, message, report.argument,
                 report.message);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", where);
    assert_null(robot.memory);
    assert_int_equal(robot.link_count, 0);
    assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    report_clear();
}

static int lines_of(const char *text, size_t size)
{
    int lines = 1;
    for (size_t i = 0; i < size; ++i)
        lines += text[i] == '\n' || text[i] == '\r'; /* either ends a line of XML */
    return lines;
}

/* A fault has a line that the text has. */
static void check_line(const char *text, size_t size)
{
    int line = 0;
    assert_int_equal(report.status, LODE_ERROR_ARGUMENT);
    assert_int_equal(sscanf(report.argument, "r.urdf:%d", &line), 1);
    assert_in_range(line, 1, lines_of(text, size));
    assert_true(report.message[0] && !strchr(report.message, '\n'));
}

/* --- what is told */

static void bad_texts_are_told_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"", "the text is no XML: no element found", 1},
        {"<robot name='r'>\n<link name='a'>\n</robot>", "the text is no XML: mismatched tag", 3},
        {"<robot name='r'>\n<link name='a'/>\n", "the text is no XML: no element found", 3},
        {"\n<robot name='r'\n name='s'/>", "the text is no XML: duplicate attribute", 3},
        {"<robot name='r'><link name='a'/></robot>\n\n<robot/>",
         "the text is no XML: junk after document element", 3},
        {"<robot name='r'>\n&what;</robot>", "the text is no XML: undefined entity", 2},
        {"<?xml version='1.0'?>\n<sdf version='1.7'/>",
         "robot: must be the root element, and not sdf", 2},
        {"<!-- -->\n\n<robot/>", "robot: name is missing", 3},
        {"<robot name=''/>", "robot: name must not be empty", 1},
        {"\n<robot name='r'/>", "robot: link is missing", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        refused(cases[i].text, cases[i].line, cases[i].message);
}

/* Within a link, in line 3 and below. */
static void bad_links_are_told_by_line(void **state)
{
    (void)state;
    static const char principal[] =
        "inertia: its principal moments must be above 0, and none above "
        "the sum of the two others";
#define INERTIA "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
#define TENSOR(xx, yy, zz, xy) \
    "<inertial><mass value='1'/>\n<inertia ixx='" xx "' iyy='" yy "' izz='" zz "' ixy='" xy \
    "' ixz='0' iyz='0'/></inertial>"
#define SHAPE(text) "<collision><geometry>\n" text "</geometry></collision>"
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"<inertial/>", "inertial: mass is missing", 3},
        {"<inertial>\n<mass value='1'/></inertial>", "inertial: inertia is missing", 3},
        {"<inertial>\n<mass/></inertial>", "mass: value is missing", 4},
        {"<inertial>\n<mass value='0'/>" INERTIA "</inertial>", "mass: value must be above 0", 4},
        {"<inertial>\n<mass value='-1'/>" INERTIA "</inertial>", "mass: value must be above 0", 4},
        {"<inertial>\n<mass value='1e-400'/>" INERTIA "</inertial>", "mass: value must be above 0",
         4},
        {"<inertial><mass value='nan'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='inf'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='1e999'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='0x10'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='1 2'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value=''/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='1,5'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='1e'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='.'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial><mass value='${m}'/></inertial>", "mass: value must be a finite number", 3},
        {"<inertial>\n<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0'/></inertial>",
         "inertia: iyz is missing", 4},
        {TENSOR("0", "0", "0", "0"), principal, 4},
        {TENSOR("-1", "1", "1", "0"), principal, 4},
        {TENSOR("1", "1", "1", "1.5"), principal, 4},
        {TENSOR("1", "1", "3", "0"), principal, 4},
        {"<inertial/>\n<inertial/>", "inertial: mass is missing", 3},
        {"<inertial><mass value='1'/>" INERTIA "</inertial>\n<inertial/>",
         "inertial: is there twice", 4},
        {"<inertial>\n<origin xyz='1 2'/></inertial>", "origin: xyz must be 3 finite numbers", 4},
        {"<inertial><origin xyz='1 2 3 4'/></inertial>", "origin: xyz must be 3 finite numbers", 3},
        {"<collision>\n<origin rpy='0 0 inf'/></collision>", "origin: rpy must be 3 finite numbers",
         4},
        {"<collision>\n<origin rpy='0 1e999 0'/></collision>",
         "origin: rpy must be 3 finite numbers", 4},
        {"\n<collision></collision>", "collision: geometry is missing", 4},
        {"<collision>\n<geometry/></collision>",
         "geometry: must have a box, cylinder, sphere, capsule or mesh", 4},
        {SHAPE("<ellipsoid/>"), "geometry: must have a box, cylinder, sphere, capsule or mesh", 3},
        {SHAPE("<sphere radius='1'/>\n<box size='1 1 1'/>"),
         "geometry: must have one shape, and box is another", 5},
        {SHAPE("<sphere radius='1'/><sphere radius='1'/>"), "sphere: is there twice", 4},
        {SHAPE("<box size='1 0 1'/>"), "box: size must be above 0", 4},
        {SHAPE("<box size='1 1'/>"), "box: size must be 3 finite numbers", 4},
        {SHAPE("<box/>"), "box: size is missing", 4},
        {SHAPE("<sphere radius='-1'/>"), "sphere: radius must be above 0", 4},
        {SHAPE("<cylinder radius='1'/>"), "cylinder: length is missing", 4},
        {SHAPE("<cylinder length='1'/>"), "cylinder: radius is missing", 4},
        {SHAPE("<capsule radius='1' length='-1'/>"), "capsule: length must be at least 0", 4},
        {SHAPE("<mesh/>"), "mesh: filename is missing", 4},
        {SHAPE("<mesh filename='a.stl' scale='1 0 1'/>"), "mesh: scale must not be 0", 4},
        {SHAPE("<mesh filename='a.dae'/>"), "mesh: a.dae: is neither .stl nor .obj", 4},
        {SHAPE("<mesh filename='package://a/b.stl'/>"),
         "mesh: package://a/b.stl: is no path, and the options have no function that finds it", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1000];
        snprintf(text, sizeof text, "<robot name='r'>\n<link name='a'>\n%s\n</link></robot>",
                 cases[i].text);
        refused(text, cases[i].line, cases[i].message);
    }
}

/* Beside the links a, b, c and d in line 2, from line 3 on. */
static void bad_joints_are_told_by_line(void **state)
{
    (void)state;
#define TIE(name, parent, child) \
    "<joint name='" name "' type='fixed'>\n<parent link='" parent "'/>\n<child link='" child \
    "'/></joint>\n"
#define TURN(inside) \
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n" inside "\n</joint>\n"
#define LIMITS "<limit lower='-1' upper='1' effort='1' velocity='1'/>"
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"<joint type='fixed'/>", "joint: name is missing", 3},
        {"<joint name='j'/>", "joint: type is missing", 3},
        {"\n<joint name='j' type='screw\n'/>", "joint: type screw  is none of URDF's", 4},
        {"<joint name='j' type='fixed'/>", "joint: parent is missing", 3},
        {"<joint name='j' type='fixed'><parent link='a'/>\n</joint>", "joint: child is missing", 3},
        {"<joint name='j' type='fixed'>\n<parent/></joint>", "parent: link is missing", 4},
        {"<joint name='j' type='fixed'><parent link='a'/>\n<parent link='a'/></joint>",
         "parent: is there twice", 4},
        {TIE("j", "a", "x"), "child: there is no link x", 5},
        {TIE("j", "x", "a"), "parent: there is no link x", 4},
        {TIE("j", "a", "b") TIE("k", "c", "b"), "child: link b has two parents, by joints j and k",
         8},
        {TIE("j", "a", "a"), "link: c is a second root, beside b", 0},
        {TIE("j", "a", "b") TIE("j", "b", "c"), "joint: name j is that of another joint", 6},
        {"<link name='c'/>", "link: name c is that of another link", 3},
        {TIE("j", "a", "b") TIE("k", "b", "c"), "link: d is a second root, beside a", 0},
        {TIE("j", "a", "b") TIE("k", "c", "d") TIE("l", "d", "c"),
         "joint: k is part of a circle of joints", 6},
        {TIE("j", "b", "c") TIE("k", "c", "b") TIE("l", "b", "d"),
         "joint: j is part of a circle of joints", 3},
        {TIE("j", "d", "d") TIE("k", "a", "b") TIE("l", "b", "c"),
         "joint: j is part of a circle of joints", 3},
        {TIE("j", "a", "b") TIE("k", "b", "c") TIE("l", "c", "d") TIE("m", "d", "a"),
         "robot: has no root, since each link is the child of another", 1},
        {TURN(""), "joint: limit is missing", 3},
        {TURN("<limit effort='1'/>"), "limit: velocity is missing", 4},
        {TURN("<limit velocity='1'/>"), "limit: effort is missing", 4},
        {TURN("<limit effort='-1' velocity='1'/>"), "limit: effort must be at least 0", 4},
        {TURN("<limit effort='1' velocity='-1'/>"), "limit: velocity must be at least 0", 4},
        {TURN("<limit lower='1' upper='0' effort='1' velocity='1'/>"),
         "limit: lower must be at most upper", 4},
        {TURN("<limit lower='1' effort='1' velocity='1'/>"), "limit: lower must be at most upper",
         4},
        {TURN("<limit lower='nan' effort='1' velocity='1'/>"),
         "limit: lower must be a finite number", 4},
        {TURN("<axis xyz='0 0 -0'/>"), "axis: xyz must not be zero", 4},
        {TURN("<axis/>"), "axis: xyz is missing", 4},
        {TURN("<axis xyz='1 0 nan'/>"), "axis: xyz must be 3 finite numbers", 4},
        {TURN("<dynamics damping='-0.1'/>"), "dynamics: damping must be at least 0", 4},
        {TURN("<dynamics friction='-0.1'/>"), "dynamics: friction must be at least 0", 4},
        {TURN("<mimic/>"), "mimic: joint is missing", 4},
        {TURN(LIMITS "<mimic joint='x'/>"), "mimic: there is no joint x", 4},
        {TURN(LIMITS "<mimic joint='j'/>"), "mimic: the joint would mimic itself", 4},
        {TURN(LIMITS "<mimic joint='j' offset='x'/>"), "mimic: offset must be a finite number", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1500];
        snprintf(text, sizeof text,
                 "<robot name='r'>\n<link name='a'/><link name='b'/><link name='c'/>"
                 "<link name='d'/>\n%s</robot>",
                 cases[i].text);
        refused(text, cases[i].line ? cases[i].line : 2, cases[i].message);
    }
    refused("<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n</robot>", 3,
            "link: b is a second root, beside a");
    refused("<robot name='r'><link name='a'/><link name='b'/><link name='c'/>" JOINT(
                "j", "continuous", "a", "b", "<mimic joint='k'/>\n")
                JOINT("k", "continuous", "b", "c", "<mimic joint='j'/>") "</robot>",
            4, "mimic: the joint would mimic itself");
}

/* What the text does not show is told by the library, and then by line. */
static void what_the_library_refuses_is_told_by_line_too(void **state)
{
    (void)state;
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.drive.damping = -1;
    assert_int_equal(lode_io_read_urdf(world, "r.urdf", ARM, strlen(ARM), &options, NULL).id, 0);
    assert_int_equal(report.count, 2);
    assert_string_equal(report.message, "joint: j1 cannot be made");
    check_line(ARM, strlen(ARM));
    report_clear();
    options = lode_io_urdf_options_default();
    options.shape.density = -1;
    assert_int_equal(lode_io_read_urdf(world, "r.urdf", ARM, strlen(ARM), &options, NULL).id, 0);
    assert_int_equal(report.count, 2);
    assert_string_equal(report.argument, "r.urdf:8");
    assert_string_equal(report.message, "collision: its shape cannot be made");
    report_clear();
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_io_urdf_options options = lode_io_urdf_options_default();
    assert_int_equal(lode_io_read_urdf((lode_world){0}, "r", ARM, 5, NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_io_read_urdf", "world");
    report_clear();
    assert_int_equal(lode_io_read_urdf(world, NULL, ARM, 5, NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", "name");
    report_clear();
    assert_int_equal(lode_io_read_urdf(world, "r", NULL, 5, NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", "text");
    report_clear();
    assert_int_equal(lode_io_load_urdf(world, NULL, NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_load_urdf", "path");
    report_clear();
    assert_int_equal(lode_io_load_urdf(world, "/no/such.urdf", NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_SYSTEM, "lode_io_load_urdf", "/no/such.urdf");
    report_clear();
    assert_int_equal(lode_io_load_urdf(world, "/tmp", NULL, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_SYSTEM, "lode_io_load_urdf", "/tmp");
    report_clear();
    options.frame_mass = 0;
    assert_int_equal(lode_io_read_urdf(world, "r", ARM, 5, &options, NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", "options.frame_mass");
    report_clear();
    lode_io_robot_free(NULL);
    assert_int_equal(lode_io_robot_find_link(NULL, "a").id, 0);
    assert_null(lode_io_robot_find_joint(NULL, "a"));
}

/* --- texts that are damaged */

/* In memory of its own, so that reading beyond it shows. */
static void cut_texts_are_refused(void **state)
{
    (void)state;
    const size_t size = strlen(ARM) - 1; /* without the last newline */
    for (size_t cut = 0; cut < size; ++cut) {
        char *text = memcpy(malloc(cut + 1), ARM, cut);
        assert_int_equal(read_bytes(text, cut, NULL).id, 0);
        assert_int_equal(report.count, 1);
        check_line(text, cut);
        report_clear();
        free(text);
    }
    lode_articulation arm = read_bytes(ARM, size, NULL);
    assert_true(arm.id != 0);
    lode_articulation_destroy(arm);
}

static void changed_texts_are_read_or_refused(void **state)
{
    (void)state;
    const size_t size = strlen(ARM);
    char *text = malloc(size);
    test_random random = {3};
    int read = 0, refused = 0;
    for (size_t i = 0; i < 2 * size; ++i) {
        lode_io_robot robot;
        memcpy(text, ARM, size);
        int changes = i < size ? 1 : 1 + (int)random_below(&random, 4);
        for (int c = 0; c < changes; ++c) {
            size_t at = i < size ? i : random_below(&random, (uint32_t)size);
            text[at] = i < size ? (char)(text[at] ^ 1u << random_below(&random, 8))
                                : ARM[random_below(&random, (uint32_t)size)];
        }
        lode_articulation made = read_bytes(text, size, &robot);
        if (made.id) {
            assert_int_equal(report.count, 0);
            assert_int_equal(lode_world_step(world, STEP), LODE_OK);
            lode_articulation_destroy(made);
        } else {
            assert_true(report.count > 0);
            check_line(text, size);
        }
        ++*(made.id ? &read : &refused);
        report_clear();
        lode_io_robot_free(&robot);
        assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    }
    free(text);
    assert_true(read > 500 && refused > 500);
}

/* A thousand million of them would come out of a hundred lines; and places that nest. */
static void bombs_are_refused(void **state)
{
    (void)state;
    char text[2000] = "<!DOCTYPE r [<!ENTITY e0 'lollollollollollollollollol'>";
    for (int i = 1; i < 10; ++i)
        sprintf(text + strlen(text),
                "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>", i, i - 1,
                i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    strcat(text, "]>\n<robot name='r'>&e9;</robot>");
    assert_int_equal(read_bytes(text, strlen(text), NULL).id, 0);
    assert_int_equal(report.count, 1);
    report_clear();
    enum { DEEP = 100000 };
    char *deep = malloc(10 * DEEP), *end = deep + sprintf(deep, "<robot name='r'>\n");
    for (int i = 0; i < DEEP; ++i)
        end += sprintf(end, "<a>");
    assert_int_equal(read_bytes(deep, (size_t)(end - deep), NULL).id, 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_urdf", "r.urdf:2");
    report_clear();
    free(deep);
}

/* --- files and locales */

static void files_and_locales_make_no_difference(void **state)
{
    (void)state;
    char path[] = "/tmp/lode_urdf_XXXXXX";
    int descriptor = mkstemp(path);
    assert_int_equal(write(descriptor, ARM, strlen(ARM)), strlen(ARM));
    close(descriptor);
    lode_io_robot robot;
    assert_true(lode_io_load_urdf(world, path, NULL, &robot).id != 0);
    lode_mass mass = lode_body_get_mass(lode_io_robot_find_link(&robot, "l1"));
    lode_articulation_destroy(robot.articulation);
    lode_io_robot_free(&robot);
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") || setlocale(LC_NUMERIC, "de_DE"))
        assert_true(read_bytes(ARM, strlen(ARM), &robot).id != 0);
    else
        assert_true(lode_io_load_urdf(world, path, NULL, &robot).id != 0);
    setlocale(LC_NUMERIC, "C");
    lode_mass again = lode_body_get_mass(lode_io_robot_find_link(&robot, "l1"));
    assert_memory_equal(&mass, &again, sizeof mass);
    lode_articulation_destroy(robot.articulation);
    lode_io_robot_free(&robot);
    remove(path);
}

/* --- memory. The program is linked so that the library's malloc() and realloc() are these. */

#ifdef LODE_TEST_WRAPS_MALLOC
static long countdown = -1;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void)
{
    return countdown >= 0 && countdown-- == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

static void no_memory_leaves_nothing(void **state)
{
    (void)state;
    for (long n = 0;; ++n) {
        lode_io_robot robot;
        countdown = n;
        lode_articulation made = read_bytes(ARM, strlen(ARM), &robot);
        bool happened = countdown < 0;
        countdown = -1;
        if (made.id) {
            assert_false(happened);
            assert_true(n > 100);
            lode_articulation_destroy(made);
            lode_io_robot_free(&robot);
            return;
        }
        assert_true(happened);
        assert_true(report.count > 0);
        assert_int_equal(report.status, LODE_ERROR_MEMORY);
        report_clear();
        assert_int_equal(lode_world_get_bodies(world, NULL, 0), 0);
    }
}
#endif

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(bad_texts_are_told_by_line),
        CASE(bad_links_are_told_by_line),
        CASE(bad_joints_are_told_by_line),
        CASE(what_the_library_refuses_is_told_by_line_too),
        CASE(bad_arguments_are_refused),
        CASE(cut_texts_are_refused),
        CASE(changed_texts_are_read_or_refused),
        CASE(bombs_are_refused),
        CASE(files_and_locales_make_no_difference),
#ifdef LODE_TEST_WRAPS_MALLOC
        CASE(no_memory_leaves_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
