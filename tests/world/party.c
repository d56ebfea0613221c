/* party.c: see party.h. */
#include "tests/world/party.h"

void *party_name(int member)
{
    return (void *)(uintptr_t)(member + 1);
}

static bool lets_touch(void *user, const lode_near_pair *pair)
{
    const party *p = user;
    uintptr_t a = (uintptr_t)pair->body_data_a, b = (uintptr_t)pair->body_data_b;
    return a == 0 || b == 0 || p->in[a - 1] == NONE || p->in[a - 1] != p->in[b - 1] ||
           p->self[p->in[a - 1]];
}

void party_add_shape(test_random *random, lode_body body)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real size = (lode_real)random_between(random, 0.15, 0.4);
    def.pose.position = vec(0, 0, (lode_real)random_between(random, -0.3, 0.3));
    if (random_below(random, 2))
        lode_shape_create_sphere(body, &def, size);
    else
        lode_shape_create_box(body, &def, vec(size, size / 2, size));
}

static lode_vec3 somewhere(test_random *random)
{
    lode_real x = (lode_real)random_between(random, -1.5, 1.5);
    lode_real y = (lode_real)random_between(random, -1.5, 1.5);
    return vec(x, y, (lode_real)random_between(random, 0.5, 4));
}

static void make_body(party *p, test_random *random, int i)
{
    lode_vec3 at = somewhere(random);
    lode_body body = add_body(p->world, i % 9 == 8 ? LODE_KINEMATIC : LODE_DYNAMIC, at.x, at.y,
                              at.z);
    for (uint32_t shapes = random_below(random, 3); shapes < 3; ++shapes)
        party_add_shape(random, body);
    lode_body_set_user_data(body, party_name(i));
    lode_body_set_continuous(body, i % 5 == 0);
    p->body[i] = body;
    p->in[i] = NONE;
}

static void add_link(party *p, test_random *random, int arm, int i, lode_vec3 at)
{
    lode_link_def def = lode_link_def_default(i ? LODE_LINK_REVOLUTE : LODE_LINK_FIXED);
    def.pose.position = at;
    def.user_data = party_name(BODIES + arm);
    def.child_frame.position = vec((lode_real)0.5, 0, 0);
    if (i)
        def.parent = p->link[arm][i - 1];
    p->link[arm][i] = lode_articulation_add_link(p->arm[arm], &def);
    assert_true(p->link[arm][i].id);
    party_add_shape(random, p->link[arm][i]);
}

static void make_arm(party *p, test_random *random, int i)
{
    lode_articulation_def def = lode_articulation_def_default();
    def.self_collision = i % 2;
    p->arm[i] = lode_articulation_create(p->world, &def);
    p->in[BODIES + i] = NONE;
    lode_vec3 at = somewhere(random);
    for (int k = 0; k < LINKS; ++k)
        add_link(p, random, i, k, at);
    assert_int_equal(lode_articulation_insert(p->arm[i]), LODE_OK);
}

void party_create(party *p, uint64_t seed, bool aggregates, const lode_world_def *settings)
{
    lode_world_def def = settings ? *settings : lode_world_def_default();
    test_random random = {seed};
    *p = (party){.aggregates = aggregates};
    def.sleep.enabled = true;
    def.sleep.time = (lode_real)0.1;
    def.sleep.linear_threshold = def.sleep.angular_threshold = (lode_real)0.3;
    def.pair_filter = aggregates ? (lode_pair_filter){NULL, NULL}
                                 : (lode_pair_filter){p, lets_touch};
    report_install();
    p->world = lode_world_create(&def);
    add_ground(p->world);
    for (int i = 0; i < BODIES; ++i)
        make_body(p, &random, i);
    for (int i = 0; i < ARMS; ++i)
        make_arm(p, &random, i);
    for (int g = 0; g < GROUPS; ++g) {
        p->self[g] = g % 2;
        if (aggregates)
            p->group[g] = lode_aggregate_create(p->world, p->self[g]);
    }
}

void party_destroy(party *p)
{
    assert_int_equal(report.count, 0);
    lode_world_destroy(p->world);
}

/* ---- what happens to both */

static void refilter(lode_body body)
{
    lode_shape shapes[16];
    int count = lode_body_get_shapes(body, shapes, 16);
    for (int i = 0; i < count; ++i)
        lode_shape_refilter(shapes[i]);
}

static void refilter_member(party *p, int member)
{
    if (member < BODIES)
        refilter(p->body[member]);
    for (int k = 0; k < LINKS && member >= BODIES; ++k)
        refilter(p->link[member - BODIES][k]);
}

void party_put(party *p, int member, int group)
{
    int from = p->in[member];
    bool apart = (from != NONE && !p->self[from]) || (group != NONE && !p->self[group]);
    p->in[member] = group;
    if (!p->aggregates && apart && from != group)
        refilter_member(p, member);
    if (!p->aggregates)
        return;
    lode_aggregate to = group == NONE ? (lode_aggregate){0} : p->group[group];
    assert_int_equal(member < BODIES ? lode_body_set_aggregate(p->body[member], to)
                                     : lode_articulation_set_aggregate(p->arm[member - BODIES], to),
                     LODE_OK);
}

static void turn(party *p, int group)
{
    p->self[group] = !p->self[group];
    if (p->aggregates)
        assert_int_equal(lode_aggregate_set_self_collision(p->group[group], p->self[group]),
                         LODE_OK);
    for (int m = 0; m < MEMBERS && !p->aggregates; ++m)
        if (p->in[m] == group)
            refilter_member(p, m);
}

void party_end_group(party *p, int group)
{
    for (int m = 0; m < MEMBERS; ++m)
        if (p->in[m] == group && !p->aggregates)
            party_put(p, m, NONE);
        else if (p->in[m] == group)
            p->in[m] = NONE;
    if (!p->aggregates)
        return;
    lode_aggregate old = p->group[group];
    assert_int_equal(lode_aggregate_destroy(old), LODE_OK);
    assert_false(lode_aggregate_is_valid(old));
    p->group[group] = lode_aggregate_create(p->world, p->self[group]);
    assert_true(p->group[group].id != old.id);
}

/* A shape goes to another body. */
static void move_shape(party *p, uint32_t from, uint32_t to)
{
    lode_shape shapes[16];
    const lode_pose here = {{0, 0, 0}, {1, 0, 0, 0}};
    if (lode_body_get_shapes(p->body[from], shapes, 16) > 1)
        assert_int_equal(lode_shape_set_body(shapes[0], p->body[to], here), LODE_OK);
}

static void toggle_arm(party *p, uint32_t arm)
{
    if (lode_articulation_is_inserted(p->arm[arm]))
        lode_articulation_remove(p->arm[arm]);
    else
        lode_articulation_insert(p->arm[arm]);
}

void party_happen(party *p, test_random random)
{
    uint32_t what = random_below(&random, 16), m = random_below(&random, MEMBERS);
    uint32_t body = random_below(&random, BODIES), g = random_below(&random, GROUPS + 1);
    if (what < 6)
        party_put(p, (int)m, (int)g);
    if (what == 6)
        turn(p, (int)(g % GROUPS));
    if (what == 7 && random_below(&random, 3) == 0)
        party_end_group(p, (int)(g % GROUPS));
    if (what == 8) {
        lode_body_destroy(p->body[body]);
        make_body(p, &random, (int)body);
    }
    if (what == 9)
        move_shape(p, body, m % BODIES);
    if (what == 10)
        toggle_arm(p, g % ARMS);
    if (what == 11)
        lode_body_add_impulse(p->body[body], vec(0, 0, 20));
    if (what == 12)
        party_add_shape(&random, p->body[body]);
    if (what == 13)
        lode_body_set_pose(p->body[body], (lode_pose){somewhere(&random), {1, 0, 0, 0}});
}
