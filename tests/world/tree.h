/* tree.h: an articulation with joints of several types for tests of articulations as objects. */
#ifndef LODE_TESTS_WORLD_TREE_H
#define LODE_TESTS_WORLD_TREE_H

#include "tests/world/support.h"
#include "world/registry.h"
#include "world/wake.h"
#include "world/world.h"

enum { LINKS = 6 };

/* A tree in a world with ground: 0 has children 1 and 2, 1 has 3 and 4, 2 has 5. */
typedef struct tree {
    lode_world world;
    lode_body ground;
    lode_articulation articulation;
    lode_body link[LINKS];
} tree;

static const int parents[LINKS] = {-1, 0, 0, 1, 1, 2};
static const lode_link_joint_type types[LINKS] = {LODE_LINK_FIXED,     LODE_LINK_REVOLUTE,
                                                  LODE_LINK_SPHERICAL, LODE_LINK_PRISMATIC,
                                                  LODE_LINK_FIXED,     LODE_LINK_SIX_AXES};

static inline lode_link_def def_of(lode_link_joint_type type, lode_body parent)
{
    lode_link_def def = lode_link_def_default(type);
    def.parent = parent;
    def.parent_frame.position = vec((lode_real)0.5, 0, 0);
    def.child_frame.position = vec((lode_real)-0.5, 0, 0);
    return def;
}

static inline lode_shape add_ball_shape(lode_body body, lode_real radius)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_sphere(body, &def, radius);
}

static inline tree tree_in(lode_world world, bool fixed)
{
    tree t = {.world = world};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    t.articulation = lode_articulation_create(world, &def);
    assert_true(t.articulation.id);
    for (int i = 0; i < LINKS; ++i) {
        lode_link_def link = def_of(types[i], i ? t.link[parents[i]] : (lode_body){0});
        link.pose.position.z = 3;
        link.parent_frame.position.y = (lode_real)(i == 2 ? 1 : i == 4 ? -1 : 0);
        if (types[i] == LODE_LINK_SIX_AXES)
            link.axis[LODE_AXIS_Z].motion = link.axis[LODE_AXIS_SWING1].motion = LODE_MOTION_FREE;
        t.link[i] = lode_articulation_add_link(t.articulation, &link);
        assert_true(t.link[i].id);
        assert_true(add_ball_shape(t.link[i], (lode_real)0.2).id);
    }
    return t;
}

static inline tree make_tree(bool fixed)
{
    report_install();
    lode_world_def def = lode_world_def_default();
    tree t = tree_in(lode_world_create(&def), fixed);
    t.ground = add_ground(t.world);
    return t;
}

static inline tree make_inserted(bool fixed)
{
    tree t = make_tree(fixed);
    assert_int_equal(lode_articulation_insert(t.articulation), LODE_OK);
    return t;
}

static inline void step(const tree *t, int steps)
{
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(lode_world_step(t->world, STEP), LODE_OK);
        lode__awake_validate(lode__registry_world(t->world.id));
    }
}

static inline void end(const tree *t)
{
    assert_int_equal(report.count, 0);
    lode_world_destroy(t->world);
}

/* Fails unless the call changes nothing in the world and reports this. */
#define REFUSES(t, status, argument, function, ...) \
    do { \
        uint64_t hash_ = lode_world_hash((t).world); \
        report_clear(); \
        (void)function(__VA_ARGS__); \
        EXPECT_REPORT(status, #function, argument); \
        assert_true(lode_world_hash((t).world) == hash_); \
        report_clear(); \
    } while (0)

#endif
