/* random_blocks.c: see random_blocks.h. */
#include "tests/solver/random_blocks.h"

#include "core/math.h"

#include <string.h>

lode_real real_between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

lode_vec3 vec_between(test_random *random, double lo, double hi)
{
    lode_real x = real_between(random, lo, hi), y = real_between(random, lo, hi);
    return v3(x, y, real_between(random, lo, hi));
}

lode_vec3 unit_random(test_random *random)
{
    lode_vec3 v;
    do
        v = vec_between(random, -1, 1);
    while (v3_dot(v, v) > 1 || v3_dot(v, v) < (lode_real)0.01);
    return v3_normalize_or(v, v3(1, 0, 0));
}

lode_quat rotation_random(test_random *random)
{
    lode_vec3 u = unit_random(random);
    lode_real w = real_between(random, -1, 1);
    return q_normalize((lode_quat){w, u.x, u.y, u.z});
}

static lode__inv_mass inv_mass_random(test_random *random)
{
    lode_vec3 diagonal = vec_between(random, 0.5, 8);
    lode_real s[6] = {diagonal.x, diagonal.y, diagonal.z, 0, 0, 0};
    s3_rotate(rotation_random(random), s, s);
    lode_real inv_mass = real_between(random, 0.2, 4);
    return (lode__inv_mass){inv_mass, s[0], s[1], s[2], s[3], s[4], s[5], 0};
}

void bodies_random(bodies *out, test_random *random)
{
    memset(out, 0, sizeof *out);
    out->pose[0].rotation = q_identity();
    for (int i = 1; i <= BODIES; ++i) {
        out->velocity[i].linear = vec_between(random, -3, 3);
        out->velocity[i].angular = vec_between(random, -3, 3);
        out->inv_mass[i] = inv_mass_random(random);
        out->delta[i].linear = vec_between(random, -0.01, 0.01);
        out->delta[i].angular = vec_between(random, -0.01, 0.01);
        out->pose[i].position = vec_between(random, -10, 10);
        out->pose[i].rotation = rotation_random(random);
        out->force[i].force = vec_between(random, -20, 20);
        out->force[i].torque = vec_between(random, -20, 20);
        out->pace[i].thrown = i % 3 == 0;
    }
}

lode__dense bodies_lines(bodies *b)
{
    return (lode__dense){b->velocity, b->inv_mass, b->delta,   b->pose, b->force,
                         NULL,        b->pace,     BODIES + 1, 0,       0};
}

lode__contact_block *contact_block_at(block_room *room, int points, int block)
{
    return (void *)(room->bytes + (size_t)block * lode__contact_block_size(points));
}

lode__row_block *row_block_at(block_room *room, int rows, int block)
{
    return (void *)(room->bytes + (size_t)block * lode__row_block_size(rows));
}

/* A unit vector across n. */
static lode_vec3 across(lode_vec3 n, test_random *random)
{
    lode_vec3 t = contact_tangent(n), v = unit_random(random);
    return v3_normalize_or(v3_madd(v3_scale(t, v.x), v3_cross(n, t), v.y + 2), t);
}

lode__manifold manifold_random(test_random *random, int points)
{
    lode__manifold m = {0};
    m.normal = unit_random(random);
    for (int i = 0; i < 2; ++i)
        m.friction[i] = real_between(random, 0, 1);
    if (random_below(random, 2))
        m.tangent = across(m.normal, random);
    m.restitution = random_below(random, 3) ? real_between(random, 0.1, 1) : 0;
    m.offset = vec_between(random, -1, 1);
    m.point_count = points;
    lode_vec3 centre = vec_between(random, -0.7, 0.7);
    for (int i = 0; i < points; ++i) {
        lode__point *p = &m.points[i];
        lode_vec3 spread = vec_between(random, -0.6, 0.6);
        spread = v3_madd(spread, m.normal, -v3_dot(spread, m.normal));
        spread = v3_madd(spread, m.normal, real_between(random, -0.005, 0.005));
        p->position = v3_add(centre, spread);
        p->depth = real_between(random, -0.02, 0.03);
        p->impulse[0] = random_below(random, 3) ? real_between(random, 0, 2) : 0;
        p->impulse[1] = p->impulse[0] * m.friction[0] * real_between(random, -1, 1);
        p->impulse[2] = p->impulse[0] * m.friction[1] * real_between(random, -1, 1);
    }
    return m;
}

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

/* What the prepare kernel of contacts is given; a manifold without points makes a padded lane. */
static void contact_fill(lode__contact_block *block, int lane, const lode__manifold *m, int points)
{
    block->a[lane] = (int32_t)m->body_a;
    block->b[lane] = (int32_t)m->body_b;
    set3(&block->n, lane, m->normal);
    set3(&block->rb, lane, m->offset);
    set3(&block->t, lane, m->tangent);
    block->friction1.x[lane] = m->friction[0];
    block->friction2.x[lane] = m->friction[1];
    block->restitution.x[lane] = m->restitution;
    for (int k = 0; k < 3; ++k)
        block->told[k].x[lane] = 0;
    for (int i = 0; i < points; ++i) {
        lode__contact_row *row = &block->rows[i];
        const lode__point *p = &m->points[i];
        row->x.x[lane] = p->position.x;
        row->y.x[lane] = p->position.y;
        row->c.x[lane] = p->position.z;
        row->depth.x[lane] = p->depth;
        row->lambda.x[lane] = p->impulse[0];
        row->lambda1.x[lane] = p->impulse[1];
        row->lambda2.x[lane] = p->impulse[2];
        for (int k = 0; k < 3; ++k)
            row->told[k].x[lane] = 0;
    }
}

static bool is_padding(test_random *random)
{
    return random_below(random, 5) == 0;
}

block_ends ends_of_kind(int kind)
{
    if (kind >= LODE__KIND_SHARED)
        return ENDS_SHARED;
    return kind >= LODE__KIND_STATIC && kind < LODE__KIND_SPECIAL ? ENDS_STATIC : ENDS_PAIR;
}

lode_vec3 body_place(uint32_t line)
{
    test_random random = {line};
    return line ? vec_between(&random, -0.5, 0.5) : v3_zero();
}

/* The lines of the next constraint's bodies; `next` is the first that none has had. */
static void choose_ends(block_ends ends, test_random *random, uint32_t *next, uint32_t out[2])
{
    enum { FEW = 6 };
    if (ends < ENDS_SHARED_PAIR) {
        out[0] = (*next)++;
        out[1] = ends == ENDS_PAIR ? (*next)++ : 0;
        return;
    }
    out[0] = 1 + random_below(random, FEW);
    do
        out[1] = ends == ENDS_SHARED ? random_below(random, 1 + FEW)
                                     : 1 + random_below(random, FEW);
    while (out[1] == out[0]);
}

void contacts_random(block_room *room, lode__manifold *out, int points, block_ends ends,
                     test_random *random)
{
    memset(room, 0xff, sizeof *room); /* NaN */
    uint32_t next = 1;
    for (int i = 0; i < CONTACTS; ++i) {
        lode__manifold m = {0};
        if (!is_padding(random)) {
            uint32_t lines[2];
            choose_ends(ends, random, &next, lines);
            m = manifold_random(random, points);
            m.body_a = lines[0];
            m.body_b = lines[1];
            m.offset = v3_sub(body_place(lines[0]), body_place(lines[1]));
        }
        contact_fill(contact_block_at(room, points, i / LODE_LANES), i % LODE_LANES, &m, points);
        out[i] = m;
    }
}

static lode_real maybe(test_random *random, double most)
{
    return random_below(random, 2) ? real_between(random, 0, most) : 0;
}

/* What row prepare gives; a padded lane has nothing. */
static void special_fill(lode__contact_block *block, int points, int lane, bool padding,
                         test_random *random)
{
    lode__special_lanes *x = lode__special_lanes_of(block, points);
    lode__lane *fields = (lode__lane *)(void *)x;
    if (padding) {
        for (size_t k = 0; k < sizeof *x / sizeof *fields; ++k)
            fields[k].x[lane] = 0;
        return;
    }
    bool own = random_below(random, 2);
    set3(&x->motion, lane, random_below(random, 2) ? vec_between(random, -1, 1) : v3_zero());
    set3(&x->turn, lane, random_below(random, 2) ? vec_between(random, -0.1, 0.1) : v3_zero());
    x->erp.x[lane] = own ? real_between(random, 0, 1) : -1;
    x->cfm.x[lane] = own ? maybe(random, 0.01) : 0;
    x->bounce_speed.x[lane] = random_below(random, 2) ? real_between(random, 0, 2) : -1;
    x->cone.x[lane] = (lode_real)random_below(random, 2);
    for (int k = 0; k < 2; ++k) {
        x->soft[k].x[lane] = maybe(random, 1);
        x->box[k].x[lane] = x->cone.x[lane] > 0 ? 0 : (lode_real)random_below(random, 2);
    }
    bool rolls = random_below(random, 2);
    for (int k = 0; k < 3; ++k) {
        x->rolling[k].x[lane] = rolls ? maybe(random, 0.2) : 0;
        x->moment[k].x[lane] = (lode_real)random_below(random, 2);
        x->told[k].x[lane] = 0;
    }
    bool moments = x->moment[0].x[lane] > 0 || x->moment[1].x[lane] > 0;
    x->roll_cone.x[lane] = moments ? 0 : x->cone.x[lane];
}

void specials_random(block_room *room, int points, block_ends ends, test_random *random)
{
    memset(room, 0xff, sizeof *room); /* NaN */
    uint32_t next = 1;
    for (int i = 0; i < CONTACTS; ++i) {
        size_t at = (size_t)(i / LODE_LANES) * lode__special_block_size(points);
        lode__contact_block *block = (void *)(room->bytes + at);
        lode__manifold m = {0};
        bool padding = is_padding(random), fixed = random_below(random, 4) == 0;
        if (!padding) {
            uint32_t lines[2];
            choose_ends(fixed && ends == ENDS_PAIR ? ENDS_STATIC : ends, random, &next, lines);
            m = manifold_random(random, points);
            m.body_a = lines[0];
            m.body_b = lines[1];
            m.offset = v3_sub(body_place(lines[0]), body_place(lines[1]));
        }
        contact_fill(block, i % LODE_LANES, &m, points);
        special_fill(block, points, i % LODE_LANES, padding, random);
    }
}

/* A bounded row may push either way, or one way only. */
static void row_fill(lode__row_block *block, int i, int lane, test_random *random)
{
    lode__row *row = &block->rows[i];
    bool bounded = i >= block->unbounded;
    lode_vec3 arm = vec_between(random, -1, 1);
    bool linear = random_below(random, 3) > 0;
    uint32_t side = random_below(random, 4);
    set3(&row->lin, lane, linear ? unit_random(random) : v3_zero());
    if (i < block->turning) {
        linear = false;
        set3(&row->lin, lane, v3_zero());
    }
    set3(&row->ang_a, lane, arm);
    set3(&row->ang_b, lane, linear ? vec_between(random, -1, 1) : v3_neg(arm));
    row->lo.x[lane] = bounded ? real_between(random, -1, 0) : -LODE__UNBOUNDED;
    row->hi.x[lane] = bounded ? real_between(random, 0, 1) : LODE__UNBOUNDED;
    if (bounded && side == 0)
        row->lo.x[lane] = 0;
    if (bounded && side == 1)
        row->hi.x[lane] = 0;
    row->erp.x[lane] = random_below(random, 3) ? real_between(random, 0, 1) : -1;
    row->cfm.x[lane] = random_below(random, 3) ? real_between(random, 0, 0.01) : 0;
    row->error.x[lane] = real_between(random, -0.02, 0.02);
    row->target.x[lane] = bounded && random_below(random, 2) ? real_between(random, -1, 1) : 0;
    row->lambda.x[lane] = real_between(random, -0.5, 0.5);
    row->told.x[lane] = 0;
}

/* Makes the first three rows those that hold a point. */
static void point_fill(lode__row_block *block, int lane, lode_vec3 r_a, lode_vec3 r_b)
{
    static const lode_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    set3(&block->arm_a, lane, r_a);
    set3(&block->arm_b, lane, r_b);
    for (int i = 0; i < 3; ++i) {
        block->rows[i].erp.x[lane] = block->rows[0].erp.x[lane];
        block->rows[i].cfm.x[lane] = block->rows[0].cfm.x[lane];
        set3(&block->rows[i].lin, lane, axes[i]);
        set3(&block->rows[i].ang_a, lane, v3_cross(r_a, axes[i]));
        set3(&block->rows[i].ang_b, lane, v3_neg(v3_cross(r_b, axes[i])));
    }
}

static void row_pad(lode__row *row, int lane)
{
    lode__lane *fields = (lode__lane *)(void *)row;
    for (size_t k = 0; k < sizeof *row / sizeof *fields; ++k)
        fields[k].x[lane] = 0;
}

/* Half of the blocks know nothing of their rows. There are three turns that joints can hold. */
static void choose_linear_parts(lode__row_block *block, test_random random)
{
    bool known = random_below(&random, 2),
         anchors = block->unbounded >= 3 && random_below(&random, 2);
    uint32_t most = (uint32_t)block->unbounded - (anchors ? 3 : 0);
    most = most < 3 ? most : 3;
    block->axes = known && anchors ? 3 : 0;
    block->turning = known ? block->axes + (int32_t)random_below(&random, most + 1) : 0;
}

void rows_random(block_room *room, int rows, block_ends ends, test_random *random)
{
    memset(room, 0xff, sizeof *room); /* NaN */
    uint32_t next = 1;
    for (int k = 0; k < CONTACTS; ++k) {
        lode__row_block *block = row_block_at(room, rows, k / LODE_LANES);
        int lane = k % LODE_LANES;
        if (lane == 0) {
            block->unbounded = (int32_t)random_below(random, rows > 5 ? 6 : (uint32_t)rows + 1);
            choose_linear_parts(block, *random);
        }
        bool padding = is_padding(random), fixed = random_below(random, 4) == 0;
        uint32_t lines[2] = {0, 0};
        if (!padding)
            choose_ends(fixed && ends == ENDS_PAIR ? ENDS_STATIC : ends, random, &next, lines);
        block->a[lane] = (int32_t)lines[0];
        block->b[lane] = (int32_t)lines[1];
        set3(&block->told_force, lane, v3_zero());
        set3(&block->told_torque_a, lane, v3_zero());
        set3(&block->told_torque_b, lane, v3_zero());
        block->most_erp.x[lane] = padding ? 0 : real_between(random, 0, 1);
        for (int i = 0; i < rows; ++i)
            if (padding)
                row_pad(&block->rows[i], lane);
            else
                row_fill(block, i, lane, random);
        if (block->axes && !padding)
            point_fill(block, lane, vec_between(random, -1, 1), vec_between(random, -1, 1));
        else if (block->axes)
            point_fill(block, lane, v3_zero(), v3_zero());
    }
}

lode__softness softness_random(test_random *random)
{
    lode_real inv_h = real_between(random, 50, 250);
    return (lode__softness){
        .rate = inv_h * real_between(random, 0.1, 0.9),
        .gamma = random_below(random, 2) ? real_between(random, 0, 0.5) : 0,
        .relaxation = real_between(random, 0.8, 1.5),
        .mass_scale = real_between(random, 0.5, 1),
        .impulse_scale = real_between(random, 0, 0.4),
        .joint_mass_scale = real_between(random, 0.5, 1),
        .joint_impulse_scale = real_between(random, 0, 0.4),
        .slop = (lode_real)0.005,
        .near = real_between(random, 0, 0.005),
        .loose = inv_h * real_between(random, 0, 0.005),
        .loose_still = inv_h * (lode_real)0.002,
        .apart = inv_h < 80,
        .max_speed = real_between(random, 1, 4),
        .bounce_speed = (lode_real)0.5,
        .inv_h = inv_h,
        .joint_rate = inv_h * real_between(random, 0.1, 0.9),
        .forget = 1,
        .carry = 1,
        .tell = 1,
    };
}
