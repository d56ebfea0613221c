/* fuzz_articulations.c: any bytes as an articulation in JSON. What is refused has a line that the
 * text has, and leaves nothing in the world; what is read is the same text when it was written and
 * read again, and can be put into the simulation and stepped. */
#include "tests/fuzz/fuzz.h"

#include "lode_io/articulations.h"

static char where[64]; /* the argument of the last report */
static int reports;

static void record(void *user, lode_status status, const char *function, const char *argument,
                   const char *message)
{
    (void)user;
    FUZZ_CHECK(status == LODE_ERROR_ARGUMENT || status == LODE_ERROR_STATE, "%s: status %d",
               function, status);
    FUZZ_CHECK(message[0] && !strchr(message, '\n'), "'%s'", message);
    snprintf(where, sizeof where, "%s", argument);
    ++reports;
}

static char *written(lode_articulation articulation, size_t *out_size)
{
    *out_size = lode_io_write_articulation(articulation, NULL, 0, NULL);
    FUZZ_CHECK(*out_size > 0, "it cannot be written");
    char *text = malloc(*out_size);
    FUZZ_CHECK(text, "out of memory");
    FUZZ_CHECK(lode_io_write_articulation(articulation, text, *out_size, NULL) == *out_size,
               "another size");
    return text;
}

static void check_refused(lode_world world, const uint8_t *data, size_t size)
{
    int lines = 1, line = 0;
    for (size_t i = 0; i < size; ++i)
        lines += data[i] == '\n';
    FUZZ_CHECK(reports > 0, "no report");
    FUZZ_CHECK(sscanf(where, "text:%d", &line) == 1, "'%s'", where);
    FUZZ_CHECK(line >= 1 && line <= lines, "line %d of %d", line, lines);
    FUZZ_CHECK(lode_world_get_bodies(world, NULL, 0) == 0, "something is left");
}

static void check_read(lode_world world, lode_articulation articulation)
{
    size_t size_1, size_2;
    char *text = written(articulation, &size_1);
    lode_articulation copy = lode_io_read_articulation(world, "text", text, size_1);
    FUZZ_CHECK(copy.id, "%s", where);
    char *again = written(copy, &size_2);
    FUZZ_CHECK(size_1 == size_2 && memcmp(text, again, size_1) == 0, "it reads differently");
    free(text);
    free(again);
    if (lode_articulation_get_links(articulation, NULL, 0, 0) == 0)
        return;
    FUZZ_CHECK(lode_articulation_insert(articulation) == LODE_OK, "%s", where);
    lode_world_step(world, (lode_real)0.01);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_set_error_hook(record, NULL);
    reports = 0;
    lode_articulation articulation = lode_io_read_articulation(world, "text", (const char *)data,
                                                               size);
    if (articulation.id)
        check_read(world, articulation);
    else
        check_refused(world, data, size);
    lode_world_destroy(world);
    return 0;
}
