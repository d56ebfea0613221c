/* descriptions.h: what tests of articulations as JSON share: a world, and a text that is good. */
#ifndef LODE_TESTS_IO_DESCRIPTIONS_H
#define LODE_TESTS_IO_DESCRIPTIONS_H

#include "lode_io/articulations.h"
#include "tests/world/support.h"

#include <string.h>

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

static const char good[] =
    "{\n"
    "  \"articulation\": {\n"
    "    \"name\": \"arm\", \"fixed_base\": true,\n"
    "    \"links\": [\n"
    "      {\"name\": \"base\", \"mass\": {\"mass\": 5, \"inertia\": [1, 1, 1, 0, 0, 0]}},\n"
    "      {\"parent\": 0, \"type\": \"revolute\",\n"
    "       \"parent_frame\": {\"position\": [0, 0, 0.5]},\n"
    "       \"axes\": {\"twist\": {\"motion\": \"limited\", \"lo\": -1, \"hi\": 1,\n"
    "                          \"drive\": {\"type\": \"force\", \"max_force\": \"infinity\"}}},\n"
    "       \"mass\": {\"mass\": 1, \"inertia\": [0.1, 0.1, 0.1, 0, 0, 0]},\n"
    "       \"shapes\": [{\"type\": \"box\", \"half_extents\": [0.1, 0.1, 0.3],\n"
    "                   \"mask\": \"0xff\"}, "
    "{\"type\": \"hull\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "
    "\"faces\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, "
    "{\"type\": \"mesh\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "
    "\"triangles\": [[0, 1, 2]], \"triangle_materials\": [1], "
    "\"materials\": [null, \"ice\"]}]}\n"
    "    ],\n"
    "    \"loop_joints\": [{\"type\": \"ball\", \"link_a\": 1}], \"tendons\": [{\"type\": "
    "\"spatial\", \"stiffness\": 3, \"attachments\": [\n"
    "      {\"link\": 0},\n"
    "      {\"parent\": 0, \"link\": 1}]}]\n"
    "  }\n"
    "}\n";

static inline lode_articulation read_good(void)
{
    return lode_io_read_articulation(world, "a.json", good, strlen(good));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
