/* calls_world.c: forces on bodies, surfaces, contacts and spaces of the application, settings and
 * systems of the world, and what it says about all. */
#include "tests/fuzz/calls.h"

bool calls_push(fuzz_bytes *in)
{
    lode_body b = calls_body(in);
    uint32_t what = fuzz_below(in, 12);
    lode_vec3 v = calls_vector(in), at = calls_vector(in);
    lode_mass mass = lode_mass_of_box(calls_size(in), (lode_vec3){1, 1, 1});
    lode_sleep sleep = lode_sleep_default();
    lode_damping damping = {v.x, v.y, v.z, at.x, at.y, at.z};
    fuzz_quiet(); /* a mass that is none is told of by what sets it, too */
    switch (what) {
    case 0:
        return !lode_body_add_force(b, v);
    case 1:
        return !lode_body_add_force_at(b, v, at);
    case 2:
        return !lode_body_add_torque(b, v);
    case 3:
        return !lode_body_add_impulse_at(b, v, at);
    case 4:
        return !lode_body_add_angular_impulse(b, v);
    case 5:
        return !lode_body_set_mass(b, &mass);
    case 6:
        return !lode_body_set_mass_from_shapes(b);
    case 7:
        return !lode_body_set_gravity_scale(b, v.x);
    case 8:
        return !lode_body_set_gyroscopic(b, v.x > 0);
    case 9:
        return !lode_body_set_damping(b, &damping);
    case 10:
        return !lode_body_set_max_linear_speed(b, v.x);
    default:
        sleep.enabled = v.x > 0;
        sleep.linear_threshold = at.x;
        sleep.steps = (int)fuzz_below(in, 5);
        return !lode_body_set_sleep(b, &sleep);
    }
}

bool calls_set_surface(fuzz_bytes *in)
{
    lode_surface surface = lode_surface_default();
    lode_shape shape = calls_shape(in);
    uint32_t flags = fuzz_byte(in);
    surface.law[0] = (lode_friction_law)fuzz_below(in, LODE_LAW_COUNT + 1);
    surface.law[1] = (lode_friction_law)fuzz_below(in, LODE_LAW_COUNT);
    if (flags & 1)
        surface.friction_across = calls_real(in);
    if (flags & 2)
        surface.direction = calls_vector(in);
    if (flags & 4)
        surface.slip[0] = calls_size(in), surface.slip[1] = calls_size(in);
    for (int k = 0; k < 3 && flags & 8; ++k)
        surface.rolling[k] = calls_size(in);
    if (flags & 16)
        surface.bounce_speed = calls_real(in);
    if (flags & 32)
        surface.soft_erp = calls_size(in), surface.soft_cfm = calls_size(in);
    if (flags & 64)
        surface.motion = calls_vector(in);
    if (flags & 128)
        surface.motion_normal = calls_real(in);
    return !lode_shape_set_surface(shape, &surface);
}

bool calls_add_contacts(fuzz_bytes *in)
{
    lode_contact_def contacts[4];
    int count = 1 + (int)fuzz_below(in, 4);
    for (int i = 0; i < count; ++i) {
        lode_contact_def *c = &contacts[i];
        *c = lode_contact_def_default();
        c->body_a = calls_body(in);
        c->body_b = calls_body(in);
        c->position = calls_vector(in);
        c->depth = calls_real(in) / 100;
        c->friction[0] = c->friction[1] = calls_size(in);
        c->law[0] = (lode_friction_law)fuzz_below(in, LODE_LAW_COUNT);
        c->rolling[0] = calls_size(in);
        c->rolling_is_moment[0] = c->law[0] == LODE_LAW_BOX;
        c->direction.x = (lode_real)fuzz_below(in, 2);
        c->motion[0] = c->direction.x;
    }
    return !lode_world_add_contacts(scene.world, contacts, count);
}

static bool change_space(lode_space space, fuzz_bytes *in)
{
    lode_shape shape = calls_shape(in);
    switch (fuzz_below(in, 7)) {
    case 0:
        return !lode_space_remove(space, shape);
    case 1:
        return !lode_space_set_parent(space, scene.spaces[fuzz_below(in, SPACES)]);
    case 2:
        return !lode_space_set_enabled(space, fuzz_below(in, 2));
    case 3:
        return !lode_space_set_mask(space, fuzz_byte(in));
    case 4:
        return !lode_space_set_category(space, fuzz_byte(in));
    case 5:
        return !lode_space_set_sublevel(space, (int)fuzz_below(in, 4));
    default:
        return !lode_space_add(space, shape);
    }
}

static bool read_space(lode_space space, fuzz_bytes *in)
{
    lode_shape_pair pairs[SHAPES];
    lode_shape held[SHAPES];
    int count = lode_space_get_shapes(space, held, SHAPES);
    for (int i = 0; i < count && i < SHAPES; ++i)
        FUZZ_CHECK(lode_space_has(space, held[i]), "shape of a space");
    count = lode_space_find_pairs(space, scene.spaces[fuzz_below(in, SPACES)], pairs, SHAPES);
    for (int i = 0; i < count && i < SHAPES; ++i)
        FUZZ_CHECK(lode_shape_is_valid(pairs[i].a) && lode_shape_is_valid(pairs[i].b) &&
                       pairs[i].a.id != pairs[i].b.id,
                   "pair of a space");
    fuzz_quiet();
    return true;
}

bool calls_use_space(fuzz_bytes *in)
{
    lode_space *space = &scene.spaces[fuzz_below(in, SPACES)];
    switch (fuzz_below(in, 5)) {
    case 0:
        if (lode_space_is_valid(*space))
            lode_space_destroy(*space, fuzz_below(in, 2));
        return (*space = lode_space_create(scene.world)).id;
    case 1:
        return !lode_space_destroy(*space, fuzz_below(in, 2));
    case 2:
        return read_space(*space, in);
    default:
        return change_space(*space, in);
    }
}

static bool read_aggregate(lode_aggregate aggregate)
{
    lode_body held[BODIES];
    int count = lode_aggregate_get_bodies(aggregate, held, BODIES);
    for (int i = 0; i < count && i < BODIES; ++i)
        FUZZ_CHECK(lode_body_get_aggregate(held[i]).id == aggregate.id, "body of an aggregate");
    lode_aggregate_get_bounds(aggregate);
    fuzz_quiet();
    return true;
}

bool calls_use_aggregate(fuzz_bytes *in)
{
    lode_aggregate *aggregate = &scene.aggregates[fuzz_below(in, AGGREGATES)];
    switch (fuzz_below(in, 6)) {
    case 0:
        if (lode_aggregate_is_valid(*aggregate))
            lode_aggregate_destroy(*aggregate);
        return (*aggregate = lode_aggregate_create(scene.world, fuzz_below(in, 2))).id;
    case 1:
        return !lode_aggregate_destroy(*aggregate);
    case 2:
        return !lode_aggregate_set_self_collision(*aggregate, fuzz_below(in, 2));
    case 3:
        return read_aggregate(*aggregate);
    default:
        return !lode_body_set_aggregate(scene.bodies[fuzz_below(in, BODIES)], *aggregate);
    }
}

static bool set_number(lode_world world, uint32_t what, lode_real x)
{
    static lode_status (*const setters[])(lode_world, lode_real) = {
        lode_world_set_erp,
        lode_world_set_cfm,
        lode_world_set_contact_frequency,
        lode_world_set_contact_damping,
        lode_world_set_restitution_threshold,
        lode_world_set_impact_threshold,
        lode_world_set_max_correcting_velocity,
        lode_world_set_surface_layer,
        lode_world_set_over_relaxation};
    return !setters[what % (sizeof setters / sizeof *setters)](world, x);
}

bool calls_change_world(fuzz_bytes *in)
{
    lode_world world = scene.world;
    lode_sleep sleep = lode_sleep_default();
    uint32_t what = fuzz_below(in, 20), choice = fuzz_byte(in);
    switch (what) {
    case 0:
        return !lode_world_set_gravity(world, calls_vector(in));
    case 1:
    case 2:
    case 3:
        return !lode_world_set_solver(world, (lode_solver)(choice % (LODE_SOLVER_COUNT + 1)));
    case 4:
        return !lode_world_set_iterations(world, (int)(choice % 12));
    case 5:
        return !lode_world_set_sub_steps(world, (int)(choice % 6));
    case 6:
        return !lode_world_set_friction_model(world,
                                              (lode_friction)(choice % (LODE_FRICTION_COUNT + 1)));
    case 7:
        return !lode_world_set_friction_per_manifold(world, choice & 1);
    case 8:
        return !lode_world_set_broad_phase(
            world, (lode_broad_phase)(choice % (LODE_BROAD_PHASE_COUNT + 1)), NULL);
    case 9:
        return !lode_world_set_filter_rule(
            world, (lode_filter_rule)(choice % (LODE_FILTER_RULE_COUNT + 1)));
    case 10:
        sleep.enabled = choice & 1;
        sleep.steps = (int)(choice >> 1) % 8;
        return !lode_world_set_sleep(world, &sleep);
    default:
        return set_number(world, what - 11,
                          choice == 255 ? calls_real(in) : choice / (lode_real)64);
    }
}

/* A breath of wind. */
static void blow(void *user, const lode_system_view *view)
{
    (void)user;
    for (int i = 0; i < view->count; ++i)
        view->force[i * view->stride] += 1;
}

bool calls_use_system(fuzz_bytes *in)
{
    static const char *const stages[] = {"solve", "integrate velocity", "finalise", "nowhere"};
    lode_system system = {.name = "wind", .run = blow};
    system.stage = stages[fuzz_below(in, 4)];
    system.after = fuzz_below(in, 2);
    return fuzz_below(in, 3) ? !lode_world_add_system(scene.world, &system)
                             : !lode_world_remove_system(scene.world, "wind");
}

/* What it answers is looked at, not whether. */
bool calls_read_world(fuzz_bytes *in)
{
    lode_world_stats stats;
    lode_stage_info stages[64];
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_pose poses[SHAPES];
    lode_moved moved = lode_world_get_moved(scene.world);
    lode_real matrices[BODIES][16];
    lode_shape found[SHAPES];
    for (int i = 0; i < moved.count; ++i)
        FUZZ_CHECK(calls_is_finite(moved.poses[i].position), "pose of what moved");
    FUZZ_CHECK(lode_world_get_moved_matrices(scene.world, LODE_ROW_MAJOR, matrices[0], BODIES) ==
                   moved.count,
               "matrices");
    FUZZ_CHECK(lode_world_get_stats(scene.world, &stats) == LODE_OK && stats.bodies >= 0 &&
                   stats.joints >= 0,
               "stats");
    FUZZ_CHECK(lode_world_hash(scene.world) == lode_world_hash(scene.world), "hash");
    FUZZ_CHECK(lode_world_get_stages(scene.world, stages, 64) > 0, "stages");
    lode_world_get_warnings(scene.world, warnings, LODE_WARNING_COUNT);
    FUZZ_CHECK(lode_world_get_shape_poses(scene.world, found, poses, SHAPES) == stats.shapes,
               "shapes");
    lode_shape_get_overlaps(calls_shape(in), found, SHAPES);
    fuzz_quiet();
    return true;
}

/* Each pair that the list has gets the answer that it gets alone. */
bool calls_collide_all(fuzz_bytes *in)
{
    static lode_collide_point points[SHAPES][8], alone[8];
    lode_shape_pair pairs[SHAPES];
    int counts[SHAPES], again[SHAPES], count = 1 + (int)fuzz_below(in, SHAPES);
    lode_collide_options options = {(lode_collide_choice)fuzz_below(in, 4), calls_size(in)};
    for (int i = 0; i < count; ++i) {
        lode_shape a = calls_shape(in), b = calls_shape(in);
        pairs[i] = (lode_shape_pair){a, b};
    }
    int met = lode_world_collide_pairs(scene.world, pairs, count, &options, points[0], 8, counts);
    if (fuzz_last.count)
        return false;
    for (int i = 0; i < count; ++i) {
        int own = lode_shape_collide(pairs[i].a, pairs[i].b, &options, alone, 8);
        FUZZ_CHECK(own == counts[i], "%d points alone, %d of many", own, counts[i]);
        for (int k = 0; k < own && k < 8; ++k)
            FUZZ_CHECK(alone[k].depth == points[i][k].depth, "point %d of pair %d", k, i);
    }
    lode_pair_set *set = lode_pair_set_create(scene.world, pairs, count);
    FUZZ_CHECK(set && lode_pair_set_collide(set, &options, points[0], 8, again) == met, "pair set");
    lode_pair_set_destroy(set);
    return true;
}
