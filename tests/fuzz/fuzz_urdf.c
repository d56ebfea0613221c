/* fuzz_urdf.c: any bytes as a robot in URDF. What is refused has a line that the text has, and
 * leaves nothing in the world; what is read names each link and joint, and can be stepped. */
#include "tests/fuzz/fuzz.h"

#include "lode_io/urdf.h"

static char where[64]; /* the argument of the last report */
static int reports;

static void record(void *user, lode_status status, const char *function, const char *argument,
                   const char *message)
{
    (void)user;
    FUZZ_CHECK(status == LODE_ERROR_ARGUMENT, "%s: status %d", function, status);
    FUZZ_CHECK(message[0] && !strchr(message, '\n'), "'%s'", message);
    snprintf(where, sizeof where, "%s", argument);
    ++reports;
}

static bool find_no_mesh(void *user, const char *filename, char *out_path, size_t capacity)
{
    (void)user, (void)filename, (void)out_path, (void)capacity;
    return false;
}

static void check_refused(lode_world world, const lode_io_robot *robot, const uint8_t *data,
                          size_t size)
{
    int lines = 1, line = 0;
    for (size_t i = 0; i < size; ++i)
        lines += data[i] == '\n' || data[i] == '\r'; /* either ends a line of XML */
    FUZZ_CHECK(reports > 0, "no report");
    FUZZ_CHECK(sscanf(where, "text:%d", &line) == 1, "'%s'", where);
    FUZZ_CHECK(line >= 1 && line <= lines, "line %d of %d", line, lines);
    FUZZ_CHECK(!robot->memory && robot->link_count == 0, "there is half a robot");
    FUZZ_CHECK(lode_world_get_bodies(world, NULL, 0) == 0, "something is left");
}

static void check_read(lode_world world, const lode_io_robot *robot)
{
    FUZZ_CHECK(reports == 0, "%d reports", reports);
    FUZZ_CHECK(lode_world_get_bodies(world, NULL, 0) == robot->link_count, "links are missing");
    FUZZ_CHECK(robot->joint_count == robot->link_count - 1, "it is no tree");
    for (int i = 0; i < robot->link_count; ++i)
        FUZZ_CHECK(lode_io_robot_find_link(robot, robot->links[i].name).id ==
                       robot->links[i].body.id,
                   "link %d has another's name", i);
    for (int i = 0; i < robot->joint_count; ++i)
        FUZZ_CHECK(lode_io_robot_find_joint(robot, robot->joints[i].name) == &robot->joints[i],
                   "joint %d has another's name", i);
    for (int i = 0; i < 2; ++i)
        FUZZ_CHECK(lode_world_step(world, (lode_real)0.01) == LODE_OK, "%s", where);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lode_io_robot robot;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_io_urdf_options options = lode_io_urdf_options_default();
    options.find_mesh = find_no_mesh;
    options.fixed_base = size % 2;
    lode_set_error_hook(record, NULL);
    reports = 0;
    if (lode_io_read_urdf(world, "text", (const char *)data, size, &options, &robot).id)
        check_read(world, &robot);
    else
        check_refused(world, &robot, data, size);
    lode_io_robot_free(&robot);
    lode_world_destroy(world);
    return 0;
}
