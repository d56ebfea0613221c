/* fuzz_materials.c: any bytes as a table of materials in JSON. What is refused has one report, with
 * a line that the text has, and the table stays; what is read is the same, to the bit, when it was
 * written and read again. */
#include "tests/fuzz/fuzz.h"

#include "lode_io/materials.h"

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

static char *written(lode_world world, size_t *out_size)
{
    *out_size = lode_io_write_materials(world, NULL, 0);
    FUZZ_CHECK(*out_size > 0, "it cannot be written");
    char *text = malloc(*out_size);
    FUZZ_CHECK(text, "out of memory");
    FUZZ_CHECK(lode_io_write_materials(world, text, *out_size) == *out_size, "another size");
    return text;
}

static void check_refused(const uint8_t *data, size_t size)
{
    int lines = 1, line = 0;
    for (size_t i = 0; i < size; ++i)
        lines += data[i] == '\n';
    FUZZ_CHECK(reports == 1, "%d reports", reports);
    FUZZ_CHECK(sscanf(where, "text:%d", &line) == 1, "'%s'", where);
    FUZZ_CHECK(line >= 1 && line <= lines, "line %d of %d", line, lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t before_size, size_1, size_2;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    const lode_contact_properties usual = lode_contact_properties_default();
    lode_world_set_contact_properties(world, &usual, 1);
    lode_set_error_hook(record, NULL);
    reports = 0;
    char *before = written(world, &before_size);
    lode_status status = lode_io_read_materials(world, "text", (const char *)data, size);
    char *text = written(world, &size_1);
    if (status) {
        check_refused(data, size);
        FUZZ_CHECK(size_1 == before_size && memcmp(text, before, size_1) == 0, "it has changed");
    } else {
        FUZZ_CHECK(lode_io_read_materials(world, "text", text, size_1) == LODE_OK, "%s", where);
        char *again = written(world, &size_2);
        FUZZ_CHECK(size_1 == size_2 && memcmp(text, again, size_1) == 0, "it reads differently");
        free(again);
        FUZZ_CHECK(reports == 0, "%d reports", reports);
    }
    free(text);
    free(before);
    lode_world_destroy(world);
    return 0;
}
