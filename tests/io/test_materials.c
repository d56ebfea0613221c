/* Tables of contact properties as JSON: what each bad text is told, by line and key, and that the
 * world stays as it was; numbers to the bit there and back, in any locale; names; files; memory
 * that is short at each place where some is asked for. */
#define _GNU_SOURCE
#include "lode_io/materials.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    lode_world_destroy(world);
    return report.count;
}

static lode_status read_text(const char *text)
{
    return lode_io_read_materials(world, "m.json", text, strlen(text));
}

/* The world's table as text, to be freed. */
static char *written(size_t *out_size)
{
    *out_size = lode_io_write_materials(world, NULL, 0);
    char *text = malloc(*out_size + 1);
    assert_non_null(text);
    assert_int_equal(lode_io_write_materials(world, text, *out_size), *out_size);
    text[*out_size] = 0;
    return text;
}

static lode_contact_properties entry(int which)
{
    lode_contact_properties all[8];
    assert_true(lode_world_get_contact_properties(world, all, 8) > which);
    return all[which];
}

static void same(const lode_contact_properties *a, const lode_contact_properties *b)
{
    assert_string_equal(a->material1, b->material1);
    assert_string_equal(a->material2, b->material2);
    assert_string_equal(a->bump_sound, b->bump_sound);
    assert_string_equal(a->roll_sound, b->roll_sound);
    assert_string_equal(a->slide_sound, b->slide_sound);
    assert_int_equal(a->friction_count, b->friction_count);
    assert_int_equal(a->slip_count, b->slip_count);
    assert_int_equal(a->max_contacts, b->max_contacts);
    assert_int_equal(a->immovable, b->immovable);
#define SAME_BITS(field) assert_memory_equal(&a->field, &b->field, sizeof a->field)
    SAME_BITS(friction);
    SAME_BITS(friction_rotation);
    SAME_BITS(rolling_friction);
    SAME_BITS(bounce);
    SAME_BITS(bounce_velocity);
    SAME_BITS(force_dependent_slip);
    SAME_BITS(soft_erp);
    SAME_BITS(soft_cfm);
#undef SAME_BITS
}

/* --- what is read */

static const char good[] = "{ \"contact_properties\": [\n"
                           "  {\"material1\": \"rubber\", \"material2\": \"ice \\u2603\",\n"
                           "   \"friction\": [0.25, -1, 3], \"friction_rotation\": [-0.5, 1e-3],\n"
                           "   \"rolling_friction\": [0, -1, 0.125], \"bounce\": 1,\n"
                           "   \"bounce_velocity\": 2.5, \"force_dependent_slip\": [0.1, 0.2],\n"
                           "   \"soft_erp\": 0, \"soft_cfm\": 1e-4, \"bump_sound\": \"b\",\n"
                           "   \"roll_sound\": \"r\", \"slide_sound\": \"s\\\"\", "
                           "\"max_contacts\": 3, \"immovable\": \"material2\"},\n"
                           "  {\"friction\": 7, \"force_dependent_slip\": [0.5]}\n"
                           "]}\n";

static void every_key_is_its_field(void **state)
{
    (void)state;
    lode_contact_properties expected = lode_contact_properties_default();
    expected.material1 = "rubber";
    expected.material2 = "ice \xe2\x98\x83";
    expected.friction_count = 3;
    expected.friction[0] = (lode_real)0.25;
    expected.friction[1] = -1;
    expected.friction[2] = 3;
    expected.friction_rotation[0] = (lode_real)-0.5;
    expected.friction_rotation[1] = (lode_real)1e-3;
    expected.rolling_friction[1] = -1;
    expected.rolling_friction[2] = (lode_real)0.125;
    expected.bounce = 1;
    expected.bounce_velocity = (lode_real)2.5;
    expected.slip_count = 2;
    expected.force_dependent_slip[0] = (lode_real)0.1;
    expected.force_dependent_slip[1] = (lode_real)0.2;
    expected.soft_erp = 0;
    expected.soft_cfm = (lode_real)1e-4;
    expected.bump_sound = "b";
    expected.roll_sound = "r";
    expected.slide_sound = "s\"";
    expected.max_contacts = 3;
    expected.immovable = LODE_IMMOVABLE_SECOND;
    assert_int_equal(read_text(good), LODE_OK);
    assert_int_equal(lode_world_get_contact_properties(world, NULL, 0), 2);
    lode_contact_properties first = entry(0), second = entry(1);
    same(&first, &expected);
    expected = lode_contact_properties_default();
    expected.friction[0] = 7;
    expected.force_dependent_slip[0] = (lode_real)0.5;
    same(&second, &expected);
    assert_int_equal(read_text("{\"contact_properties\": []}"), LODE_OK);
    assert_int_equal(lode_world_get_contact_properties(world, NULL, 0), 0);
}

/* --- what is refused */

typedef struct bad {
    const char *text;
    int line;
    const char *message;
} bad;

/* Of an entry; `text` stands in its second line, the third of all. */
static const bad bad_entries[] = {
    {"\"bouncy\": 1", 3, "bouncy is no key of contact properties"},
    {"\"Bounce\": 1", 3, "Bounce is no key of contact properties"},
    {"\"\": 1", 3, " is no key of contact properties"},
    {"\"a\\nb\": 1", 3, "a?b is no key of contact properties"},
    {"\"friction_count\": 1", 3, "friction_count is no key of contact properties"},
    {"\"bounce\":\n 1,\n \"bounce\": 1", 5, "bounce is there twice"},
    {"\"bounce\":\n\n -0.001", 5, "bounce must be 0 to 1"},
    {"\"bounce\": 1.000000001", 3, "bounce must be 0 to 1"},
    {"\"bounce\": 1e999", 3, "bounce must be 0 to 1"},
    {"\"bounce\": \"1\"", 3, "bounce must be a number"},
    {"\"bounce\": null", 3, "bounce must be a number"},
    {"\"bounce\": true", 3, "bounce must be a number"},
    {"\"bounce\": [1]", 3, "bounce must be a number"},
    {"\"bounce\": {}", 3, "bounce must be a number"},
    {"\"bounce_velocity\": -0.5", 3, "bounce_velocity must be at least 0 and finite"},
    {"\"bounce_velocity\": 1e999", 3, "bounce_velocity must be at least 0 and finite"},
    {"\"soft_erp\": 1.5", 3, "soft_erp must be 0 to 1"},
    {"\"soft_erp\": -1", 3, "soft_erp must be 0 to 1"},
    {"\"soft_cfm\": 0", 3, "soft_cfm must be above 0 and finite"},
    {"\"soft_cfm\": -0.001", 3, "soft_cfm must be above 0 and finite"},
    {"\"soft_cfm\": 1e-999", 3, "soft_cfm must be above 0 and finite"},
    {"\"soft_cfm\": 1e999", 3, "soft_cfm must be above 0 and finite"},
    {"\"max_contacts\": 0", 3, "max_contacts must be a whole number, at least 1"},
    {"\"max_contacts\": -1", 3, "max_contacts must be a whole number, at least 1"},
    {"\"max_contacts\": 3.5", 3, "max_contacts must be a whole number, at least 1"},
    {"\"max_contacts\": 2147483648", 3, "max_contacts must be a whole number, at least 1"},
    {"\"max_contacts\": \"3\"", 3, "max_contacts must be a number"},
    {"\"material1\": \"a\", \"immovable\":\n \"first\"", 4,
     "immovable must be \"none\", \"material1\" or \"material2\""},
    {"\"immovable\": 1", 3, "immovable must be \"none\", \"material1\" or \"material2\""},
    {"\"immovable\": null", 3, "immovable must be \"none\", \"material1\" or \"material2\""},
    {"\"immovable\": [\"material1\"]", 3,
     "immovable must be \"none\", \"material1\" or \"material2\""},
    {"\"immovable\": \"\"", 3, "immovable must be \"none\", \"material1\" or \"material2\""},
    {"\"immovable\":\n\"material2\",\n\"material1\": \"default\"", 4,
     "immovable asks for two different materials"},
    {"\"friction\": -0.5", 3, "friction must be at least 0 and finite, or -1 for infinity"},
    {"\"friction\": -1.000000001", 3, "friction must be at least 0 and finite, or -1 for infinity"},
    {"\"friction\": -2", 3, "friction must be at least 0 and finite, or -1 for infinity"},
    {"\"friction\": 1e999", 3, "friction must be at least 0 and finite, or -1 for infinity"},
    {"\"friction\": [1,\n2,\n-3]", 5, "friction must be at least 0 and finite, or -1 for infinity"},
    {"\"friction\": [\n]", 3, "friction must have 1 to 4 values"},
    {"\"friction\":\n[1,\n2,3,4,5]", 4, "friction must have 1 to 4 values"},
    {"\"friction\": \"1\"", 3, "friction must be a number or an array of numbers"},
    {"\"friction\": {}", 3, "friction must be a number or an array of numbers"},
    {"\"friction\": [1, \"2\"]", 3, "friction must be an array of numbers"},
    {"\"friction\": [[1]]", 3, "friction must be an array of numbers"},
    {"\"friction\": [1, null]", 3, "friction must be an array of numbers"},
    {"\"force_dependent_slip\": -1", 3, "force_dependent_slip must be at least 0 and finite"},
    {"\"force_dependent_slip\": [0, -1e-9]", 3,
     "force_dependent_slip must be at least 0 and finite"},
    {"\"force_dependent_slip\": []", 3, "force_dependent_slip must have 1 to 4 values"},
    {"\"force_dependent_slip\": [1,1,1,1,1]", 3, "force_dependent_slip must have 1 to 4 values"},
    {"\"rolling_friction\": [0, 0, -0.5]", 3,
     "rolling_friction must be at least 0 and finite, or -1 for infinity"},
    {"\"rolling_friction\": [0, 0]", 3, "rolling_friction must have 3 values"},
    {"\"rolling_friction\": [0, 0, 0, 0]", 3, "rolling_friction must have 3 values"},
    {"\"rolling_friction\": 1", 3, "rolling_friction must be an array of numbers"},
    {"\"friction_rotation\": [0, 1e999]", 3, "friction_rotation must be finite"},
    {"\"friction_rotation\": [0, -1e999]", 3, "friction_rotation must be finite"},
    {"\"friction_rotation\": [0]", 3, "friction_rotation must have 2 values"},
    {"\"friction_rotation\": 1", 3, "friction_rotation must be an array of numbers"},
    {"\"material1\": \"\"", 3, "material1 must not be empty"},
    {"\"material2\": 1", 3, "material2 must be a string"},
    {"\"bump_sound\": null", 3, "bump_sound must be a string"},
    {"\"roll_sound\": [\"r\"]", 3, "roll_sound must be a string"},
    {"\"slide_sound\": \"a\\u0000b\"", 3, "slide_sound must not have a null character in it"},
    {"\"bounce\": NaN", 3, "the text is no JSON: "},
    {"\"bounce\": Infinity", 3, "the text is no JSON: "},
    {"\"bounce\": -Infinity", 3, "the text is no JSON: "},
    {"\"bounce\": 0x1", 3, "the text is no JSON: "},
    {"\"bounce\": .5", 3, "the text is no JSON: "},
    {"\"bounce\": 1.", 3, "the text is no JSON: "},
    {"\"bounce\": +1", 3, "the text is no JSON: "},
    {"\"bounce\": 01", 3, "the text is no JSON: "},
    {"\"bounce\": 0,5", 3, "the text is no JSON: "},
    {"\"bounce\": 1,\n", 4, "the text is no JSON: "},
    {"\"bounce\" 1", 3, "the text is no JSON: "},
    {"bounce: 1", 3, "the text is no JSON: "},
    {"'bounce': 1", 3, "the text is no JSON: "},
    {"\"bounce\": 1 /* much */", 3, "the text is no JSON: "},
    {"\"bounce\": 1 // much", 3, "the text is no JSON: "},
    {"\"material1\": \"a\nb\"", 3, "the text is no JSON: "},
    {"\"material1\": \"a\xff\"", 3, "the text is no JSON: "},
    {"\"material1\": \"\\x41\"", 3, "the text is no JSON: "},
};

static const bad bad_texts[] = {
    {"", 1, "the text is no JSON: "},
    {" \n\n", 3, "the text is no JSON: "},
    {"\xef\xbb\xbf{\"contact_properties\": []}", 1, "the text begins with a byte order mark"},
    {"[]", 1, "must be an object with the key contact_properties"},
    {"\n3", 2, "must be an object with the key contact_properties"},
    {"null", 1, "must be an object with the key contact_properties"},
    {"{\n}", 2, "contact_properties is missing"},
    {"{\n\"materials\": []}", 2, "materials is no key of a table of materials"},
    {"{\"contact_properties\": [],\n\"more\": 1}", 2, "more is no key of a table of materials"},
    {"{\"contact_properties\": [],\n\"contact_properties\": []}", 2,
     "contact_properties is there twice"},
    {"{\"contact_properties\":\n{}}", 2, "contact_properties must be an array of objects"},
    {"{\"contact_properties\":\nnull}", 2, "contact_properties must be an array of objects"},
    {"{\"contact_properties\": [{},\n[]]}", 2, "contact_properties must be an array of objects"},
    {"{\"contact_properties\": [{},\n1]}", 2, "contact_properties must be an array of objects"},
    {"{\"contact_properties\": []}\n x", 2, "the text is no JSON: "},
    {"{\"contact_properties\": []}\n{}", 2, "the text is no JSON: "},
    {"{\"contact_properties\": []}\n]", 2, "the text is no JSON: "},
    {"{\"contact_properties\": [{}\n", 2, "the text is no JSON: "},
    {"{\"contact_properties\": [{\"material1\": \"a", 1, "the text is no JSON: "},
    {"{\r\n\"contact_properties\":\r\n3}", 3, "contact_properties must be an array of objects"},
};

static void expect_bad(const char *text, size_t size, const bad *expected)
{
    char *exact = malloc(size + 1), where[32];
    assert_non_null(exact);
    memcpy(exact, text, size);
    snprintf(where, sizeof where, "m.json:%d", expected->line);
    assert_int_equal(lode_io_read_materials(world, "m.json", exact, size), LODE_ERROR_ARGUMENT);
    if (strcmp(report.argument, where) != 0 ||
        strncmp(report.message, expected->message, strlen(expected->message)) != 0)
        fail_msg("%s\nis told: %s: %s\nand not: %s: %s", text, report.argument, report.message,
                 where, expected->message);
    assert_null(strchr(report.message, '\n'));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_read_materials", where);
    report_clear();
    free(exact);
}

static void bad_texts_are_told_by_line_and_key(void **state)
{
    (void)state;
    char text[2000];
    size_t before, after;
    assert_int_equal(read_text(good), LODE_OK);
    char *table = written(&before);
    for (size_t i = 0; i < sizeof bad_entries / sizeof *bad_entries; ++i) {
        int size = snprintf(text, sizeof text,
                            "{\"contact_properties\": [{},\n{\"bounce\": 1}, {\n%s}]}",
                            bad_entries[i].text);
        expect_bad(text, (size_t)size, &bad_entries[i]);
    }
    for (size_t i = 0; i < sizeof bad_texts / sizeof *bad_texts; ++i)
        expect_bad(bad_texts[i].text, strlen(bad_texts[i].text), &bad_texts[i]);
    char *now = written(&after);
    assert_string_equal(now, table);
    free(now);
    free(table);
}

/* A good text that ends anywhere is no text. */
static void cut_texts_are_refused(void **state)
{
    (void)state;
    const size_t size = strlen(good) - 1; /* without the last newline */
    for (size_t cut = 0; cut < size; ++cut) {
        bad expected = {good, 1, "the text is no JSON: "};
        for (size_t i = 0; i < cut; ++i)
            expected.line += good[i] == '\n';
        expect_bad(good, cut, &expected);
    }
    assert_int_equal(lode_io_read_materials(world, "m.json", good, size), LODE_OK);
}

static void names_have_at_most_255_bytes(void **state)
{
    (void)state;
    char name[LODE_MATERIAL_NAME + 2], text[400];
    memset(name, 'x', sizeof name);
    name[LODE_MATERIAL_NAME + 1] = 0;
    int size = snprintf(text, sizeof text, "{\"contact_properties\": [{\"material1\":\n\"%s\"}]}",
                        name);
    expect_bad(text, (size_t)size, &(bad){NULL, 2, "material1 must have at most 255 bytes"});
    name[LODE_MATERIAL_NAME] = 0;
    snprintf(text, sizeof text, "{\"contact_properties\": [{\"material1\": \"%s\"}]}", name);
    assert_int_equal(read_text(text), LODE_OK);
    assert_string_equal(entry(0).material1, name);
}

static void deep_texts_are_refused(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    expect_bad(text, DEPTH, &(bad){"[[[", 1, "must be an object"});
    memcpy(text, "{\"contact_properties\":[", 23);
    expect_bad(text, DEPTH, &(bad){"{[[", 1, "contact_properties must be an array of objects"});
    free(text);
}

/* --- there and back */

static lode_real some_real(test_random *random, bool negative)
{
    static const lode_real special[] = {0,
                                        1,
                                        (lode_real)0.1,
                                        (lode_real)1e-5,
                                        12345678,
#ifdef LODE_DOUBLE
                                        DBL_MIN,
                                        DBL_TRUE_MIN,
                                        DBL_MAX / 2
#else
                                        FLT_MIN,
                                        FLT_TRUE_MIN,
                                        FLT_MAX / 2
#endif
    };
    lode_real x = random_below(random, 4)
                      ? (lode_real)pow(10, random_between(random, -30, 30))
                      : special[random_below(random, sizeof special / sizeof *special)];
    return negative && random_below(random, 2) ? -x : x;
}

static lode_real some_coefficient(test_random *random)
{
    return random_below(random, 5) ? some_real(random, false) : -1;
}

static lode_real some_part(test_random *random)
{
    return random_below(random, 5) ? (lode_real)random_between(random, 0, 1)
                                   : (lode_real)random_below(random, 2);
}

static const char *some_name(test_random *random)
{
    static const char *const names[] = {"a",       "rubber", "\xc3\xa4\xe2\x98\x83\xf0\x9f\x8e\xb1",
                                        "\"\\/\n", " ",      "\x01\x1f\x7f"};
    return names[random_below(random, sizeof names / sizeof *names)];
}

static lode_contact_properties some_properties(test_random *random)
{
    lode_contact_properties p = lode_contact_properties_default();
    p.material1 = some_name(random);
    p.material2 = some_name(random);
    p.bump_sound = some_name(random);
    p.roll_sound = some_name(random);
    p.slide_sound = some_name(random);
    p.friction_count = 1 + (int)random_below(random, 4);
    p.slip_count = 1 + (int)random_below(random, 4);
    for (int k = 0; k < p.friction_count; ++k)
        p.friction[k] = some_coefficient(random);
    for (int k = 0; k < p.slip_count; ++k)
        p.force_dependent_slip[k] = some_real(random, false);
    for (int k = 0; k < 3; ++k)
        p.rolling_friction[k] = some_coefficient(random);
    for (int k = 0; k < 2; ++k)
        p.friction_rotation[k] = some_real(random, true);
    p.bounce = some_part(random);
    p.bounce_velocity = some_real(random, false);
    p.soft_erp = some_part(random);
    do
        p.soft_cfm = some_real(random, false);
    while (p.soft_cfm == 0);
    if (strcmp(p.material1, p.material2) != 0)
        p.immovable = (lode_immovable)random_below(random, LODE_IMMOVABLE_COUNT);
    p.max_contacts = random_below(random, 9) ? 1 + (int)random_below(random, 20) : INT32_MAX;
    return p;
}

enum { MOST = 40 };

static void tables_come_back_to_the_bit(void **state)
{
    (void)state;
    test_random random = {7};
    for (int trial = 0; trial < 200; ++trial) {
        static lode_contact_properties given[MOST], back[MOST];
        size_t size, size_again;
        int count = (int)random_below(&random, MOST);
        for (int i = 0; i < count; ++i)
            given[i] = some_properties(&random);
        assert_int_equal(lode_world_set_contact_properties(world, given, count), LODE_OK);
        char *text = written(&size);
        assert_int_equal(lode_world_set_contact_properties(world, NULL, 0), LODE_OK);
        if (lode_io_read_materials(world, "m.json", text, size) != LODE_OK)
            fail_msg("%s: %s\n%s", report.argument, report.message, text);
        assert_int_equal(lode_world_get_contact_properties(world, back, MOST), count);
        for (int i = 0; i < count; ++i)
            same(&given[i], &back[i]);
        char *again = written(&size_again);
        assert_string_equal(text, again);
        free(text);
        free(again);
    }
}

static void texts_are_short(void **state)
{
    (void)state;
    size_t size;
    assert_int_equal(read_text("{\"contact_properties\": [{\"friction\": [0.1, 0.30, 1e2]}]}"),
                     LODE_OK);
    char *text = written(&size), little[16] = "little";
    assert_non_null(strstr(text, "\"friction\":[0.1,0.3,1e+02],\n"));
    assert_non_null(strstr(text, "\"bounce_velocity\": 0.01,\n"));
    assert_int_equal(lode_io_write_materials(world, little, sizeof little), size);
    assert_string_equal(little, "little");
    free(text);
}

static void names_that_are_no_text_are_not_written(void **state)
{
    (void)state;
    lode_contact_properties p[2] = {lode_contact_properties_default(),
                                    lode_contact_properties_default()};
    p[1].roll_sound = "Stra\xdf"
                      "e";
    assert_int_equal(lode_world_set_contact_properties(world, p, 2), LODE_OK);
    assert_int_equal(lode_io_write_materials(world, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_write_materials",
                  "contact_properties[1].roll_sound");
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "contact_properties[1].roll_sound", lode_io_save_materials,
                   world, "/tmp/lode_that_is_not_written.json");
    assert_int_not_equal(access("/tmp/lode_that_is_not_written.json", F_OK), 0);
}

/* A locale with a decimal comma; one is made if the system has none. */
static bool set_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (int i = 0; i < 4; ++i)
        if (setlocale(LC_ALL, names[i]))
            return true;
    char folder[] = "/tmp/lode_locale_XXXXXX", command[200];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    bool made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
                setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && made;
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    size_t size, size_there;
    assert_int_equal(read_text(good), LODE_OK);
    char *text = written(&size), half[8];
    if (!set_comma()) {
        free(text);
        skip();
    }
    snprintf(half, sizeof half, "%.1f", 0.5);
    assert_string_equal(half, "0,5");
    char *there = written(&size_there);
    assert_string_equal(there, text);
    assert_int_equal(lode_world_set_contact_properties(world, NULL, 0), LODE_OK);
    assert_int_equal(read_text(good), LODE_OK);
    assert_true(entry(0).friction[0] == (lode_real)0.25);
    setlocale(LC_ALL, "C");
    free(there);
    there = written(&size_there);
    assert_string_equal(there, text);
    free(there);
    free(text);
}

/* --- files and arguments */

static void files_are_written_and_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/lode_materials_XXXXXX", path[64], beside[80];
    size_t size, size_back;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.json", folder);
    snprintf(beside, sizeof beside, "%s.part", path);
    assert_int_equal(read_text(good), LODE_OK);
    char *text = written(&size);
    assert_int_equal(lode_io_save_materials(world, path), LODE_OK);
    assert_int_equal(lode_io_save_materials(world, path), LODE_OK);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_int_equal(lode_world_set_contact_properties(world, NULL, 0), LODE_OK);
    assert_int_equal(lode_io_load_materials(world, path), LODE_OK);
    char *back = written(&size_back);
    assert_string_equal(text, back);

    /* a bad value in a file; one that cannot be written because a folder is in its place */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("{\"contact_properties\": [\n{\"bounce\": 2}]}", file);
    fclose(file);
    char where[80];
    snprintf(where, sizeof where, "%s:2", path);
    assert_int_equal(lode_io_load_materials(world, path), LODE_ERROR_ARGUMENT);
    assert_string_equal(report.message, "bounce must be 0 to 1");
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_load_materials", where);
    report_clear();
    assert_int_equal(mkdir(beside, 0700), 0);
    EXPECT_REFUSED(LODE_ERROR_SYSTEM, path, lode_io_save_materials, world, path);
    rmdir(beside);
    remove(path);
    EXPECT_REFUSED(LODE_ERROR_SYSTEM, path, lode_io_load_materials, world, path);
    EXPECT_REFUSED(LODE_ERROR_SYSTEM, folder, lode_io_load_materials, world, folder);
    rmdir(folder);
    EXPECT_REFUSED(LODE_ERROR_SYSTEM, path, lode_io_save_materials, world, path);
    size_t size_after;
    char *after = written(&size_after);
    assert_string_equal(text, after);
    free(after);
    free(back);
    free(text);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world gone = lode_world_create(&def);
    lode_world_destroy(gone);
    const char *text = "{\"contact_properties\": []}";
    const size_t size = strlen(text);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "world", lode_io_read_materials, gone, "m", text, size);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "world", lode_io_load_materials, gone, "m");
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "world", lode_io_save_materials, gone, "m");
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_io_read_materials, world, NULL, text, size);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "text", lode_io_read_materials, world, "m", NULL, size);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "path", lode_io_load_materials, world, NULL);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "path", lode_io_save_materials, world, NULL);
    assert_int_equal(lode_io_write_materials(gone, NULL, 0), 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_io_write_materials", "world");
    report_clear();
    assert_int_equal(lode_io_write_materials(world, NULL, 5), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_io_write_materials", "out_text");
    report_clear();
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

/* Lets each place fail once; returns how many there are. */
static long fail_each(lode_status (*operation)(void))
{
    size_t size;
    char *before = written(&size);
    for (long n = 0;; ++n) {
        countdown = n;
        lode_status status = operation();
        bool happened = countdown < 0;
        countdown = -1;
        if (!happened) {
            assert_int_equal(status, LODE_OK);
            free(before);
            return n;
        }
        assert_int_equal(status, LODE_ERROR_MEMORY);
        assert_int_equal(report.count, 1);
        assert_int_equal(report.status, LODE_ERROR_MEMORY);
        report_clear();
        char *now = written(&size);
        assert_string_equal(now, before);
        free(now);
    }
}

/* Names with escapes are built in the parser's memory, and long numbers in ours. */
static lode_status read_good(void)
{
    return read_text(good);
}

/* Arrays and the written text grow. */
static lode_status read_many(void)
{
    return read_text("{\"contact_properties\": [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}]}");
}

static lode_status write_table(void)
{
    return lode_io_write_materials(world, NULL, 0) ? LODE_OK : report.status;
}

static const char *path_of_file;

static lode_status load_file(void)
{
    return lode_io_load_materials(world, path_of_file);
}

static lode_status save_file(void)
{
    return lode_io_save_materials(world, path_of_file);
}

static void no_memory_changes_nothing(void **state)
{
    (void)state;
    char path[] = "/tmp/lode_materials_XXXXXX";
    close(mkstemp(path));
    path_of_file = path;
    assert_true(fail_each(read_good) > 20);
    assert_true(fail_each(write_table) > 2);
    assert_true(fail_each(save_file) > 3);
    assert_true(fail_each(load_file) > 20);
    assert_true(fail_each(read_many) > 3);
    assert_true(fail_each(write_table) > 4);
    remove(path);
}
#endif

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(every_key_is_its_field),
        CASE(bad_texts_are_told_by_line_and_key),
        CASE(cut_texts_are_refused),
        CASE(names_have_at_most_255_bytes),
        CASE(deep_texts_are_refused),
        CASE(tables_come_back_to_the_bit),
        CASE(texts_are_short),
        CASE(names_that_are_no_text_are_not_written),
        CASE(the_locale_does_not_matter),
        CASE(files_are_written_and_read),
        CASE(bad_arguments_are_refused),
#ifdef LODE_TEST_WRAPS_MALLOC
        CASE(no_memory_changes_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
