/* coupling.c: joints over any number of bodies. Each is a chain of records of the joints' pool
 * (core/joints.h): the first is the joint, its arms name more bodies and terms. */
#include "lode/coupling.h"

#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"
#include "world/wake.h"

#include <math.h>

/* ---- making ---- */

typedef struct plan {
    lode__world *world;
    uint32_t bodies[LODE__MOST_ENDS];
    lode__joint_arm terms[LODE_COUPLING_TERMS];
    int body_count, term_count;
} plan;

static bool plan_moves(const plan *p)
{
    for (int i = 0; i < p->body_count; ++i)
        if (body_is_dynamic(p->world, p->bodies[i]))
            return true;
    return false;
}

/* The place of a body among those of a plan, which it enters if it is new. */
static uint16_t end_of(plan *p, uint32_t body)
{
    if (body == LODE__NONE)
        return LODE__NO_END;
    for (int i = 0; i < p->body_count; ++i)
        if (p->bodies[i] == body)
            return (uint16_t)i;
    p->bodies[p->body_count] = body;
    return (uint16_t)p->body_count++;
}

static lode_status plan_term(plan *p, const lode_joint_term *term, const char *function)
{
    lode__object j;
    lode_status status = lode__open_joint_of(&j, p->world, term->joint, function, "def.terms");
    if (status)
        return status;
    const lode__joint *joint = JOINT(j.world, joint, j.slot);
    status = lode__check(!joint_is_linkage(joint), function, "def.terms",
                         "must be of joints between two bodies");
    if (!status)
        status = lode__check(term->axis >= 0 && term->axis < lode__joint_types[joint->type].axes,
                             function, "def.terms", "names an axis that its joint has not");
    if (!status)
        status = lode__check(lode__joint_types[joint->type].axis[term->axis] != LODE__GIVEN_TURN,
                             function, "def.terms",
                             "names a turn that is added up: no pose tells where it is");
    if (!status)
        status = lode__check(r_finite(term->ratio), function, "def.terms", "ratio must be finite");
    if (status)
        return status;
    p->world = j.world;
    p->terms[p->term_count++] = (lode__joint_arm){
        .ratio = term->ratio,
        .term = j.slot,
        .axis = (uint16_t)term->axis,
        .end_a = end_of(p, joint->body_a),
        .end_b = end_of(p, joint->body_b),
    };
    return LODE_OK;
}

static lode_status plan_terms(plan *p, const lode_coupling_def *def, const char *function)
{
    lode_status status = lode__check(
        def->terms && def->term_count >= 1 && def->term_count <= LODE_COUPLING_TERMS, function,
        "def.term_count", "must be 1 to LODE_COUPLING_TERMS, with as many terms");
    for (int i = 0; i < def->term_count && !status; ++i)
        status = plan_term(p, &def->terms[i], function);
    return status;
}

static lode_status plan_bodies(plan *p, const lode_rows_def *def, const char *function)
{
    lode_status status = lode__check(
        def->bodies && def->body_count >= 1 && def->body_count <= LODE_ROWS_BODIES, function,
        "def.body_count", "must be 1 to LODE_ROWS_BODIES, with as many bodies");
    for (int i = 0; i < def->body_count && !status; ++i) {
        lode__object b;
        status = lode__open_member(&b, p->world, def->bodies[i], function, "def.bodies");
        if (!status)
            status = lode__check(end_of(p, b.slot) == i, function, "def.bodies",
                                 "names a body twice");
    }
    return status;
}

/* What both kinds say. */
typedef struct linkage_values {
    lode_joint_type type;
    lode_joint_axis axis;
    lode_real erp, cfm;
    bool enabled;
    void *user_data;
    int rows;
} linkage_values;

static lode_status check_values(const linkage_values *values, const char *function)
{
    lode_status status = lode__check_joint_erp(values->erp, function, "def.erp");
    if (!status)
        status = lode__check_joint_cfm(values->cfm, function, "def.cfm");
    if (status)
        return status;
    return lode__check_joint_axis(values->type, &values->axis, function, "def.axis");
}

static void fill_record(const plan *p, const linkage_values *values, int k, uint32_t head,
                        uint32_t slot)
{
    static const lode_pose identity = {.rotation = {1, 0, 0, 0}};
    const lode_joint_axis none = lode_coupling_def_default().axis;
    bool first = slot == head;
    int a = 2 * k, b = a + 1;
    *JOINT(p->world, joint, slot) = (lode__joint){
        .frame_a = identity,
        .frame_b = identity,
        .erp = values->erp,
        .cfm = values->cfm,
        .type = (uint16_t)values->type,
        .body_a = a < p->body_count ? p->bodies[a] : LODE__NONE,
        .body_b = b < p->body_count ? p->bodies[b] : LODE__NONE,
        .flags = LODE__JOINT_COLLIDE_CONNECTED | (first ? 0 : LODE__JOINT_ARM) |
                 (values->enabled ? 0 : LODE__JOINT_DISABLED),
    };
    for (int i = 0; i < LODE_JOINT_AXES; ++i)
        lode__joint_axis_put(&JOINT(p->world, axes, slot)->axis[i],
                             first && i == 0 ? &values->axis : &none);
    lode__joint_arm *arm = JOINT(p->world, arm, slot);
    *arm = (lode__joint_arm){.term = LODE__NONE};
    if (k < p->term_count)
        *arm = p->terms[k];
    arm->head = head;
    arm->next = LODE__NONE;
    arm->ends = first ? (uint16_t)p->body_count : 0;
    arm->rows = first ? (uint16_t)values->rows : 0;
    *JOINT(p->world, user_data, slot) = first ? values->user_data : NULL;
    *JOINT(p->world, limits, slot) = (lode__joint_limits){INFINITY, INFINITY};
}

static lode_joint create(const plan *p, const linkage_values *values, const char *function)
{
    lode__world *w = p->world;
    int records = (p->body_count + 1) / 2;
    records = records > p->term_count ? records : p->term_count;
    if (lode__check(plan_moves(p), function, "def", "at least one body must be dynamic") ||
        check_values(values, function))
        return (lode_joint){0};
    if (!lode__pool_reserve(&w->joints, (uint32_t)records) || !lode__awake_reserve(w)) {
        lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
        return (lode_joint){0};
    }
    uint32_t head = LODE__NONE, last = LODE__NONE;
    for (int k = 0; k < records; ++k) {
        uint32_t slot = lode__pool_add(&w->joints);
        head = k == 0 ? slot : head;
        fill_record(p, values, k, head, slot);
        if (k > 0)
            JOINT(w, arm, last)->next = slot;
        last = slot;
    }
    lode__joint_link(w, head);
    lode__joint_changed(w, head);
    return joint_handle(w, head);
}

void lode__linkage_leave(lode__world *world, uint32_t joint)
{
    lode__joint_changed(world, joint);
    lode__bits_clear(&world->active_joints, joint);
    lode__bits_clear(&world->strained_joints, joint);
    lode__joint_unlink(world, joint);
}

/* ---- couplings ---- */

lode_coupling_def lode_coupling_def_default(void)
{
    return (lode_coupling_def){.axis = lode_joint_def_default(LODE_JOINT_HINGE).axis[0],
                               .erp = -1,
                               .cfm = -1,
                               .enabled = true};
}

static lode_real sum_of(const plan *p)
{
    lode_real sum = 0;
    for (int i = 0; i < p->term_count; ++i)
        sum += p->terms[i].ratio *
               lode__axis_position_now(p->world, p->terms[i].term, p->terms[i].axis);
    return sum;
}

lode_status lode_coupling_def_hold(lode_coupling_def *def)
{
    plan p = {.world = NULL};
    lode_status status = lode__check_not_null(def, __func__, "def");
    if (!status)
        status = plan_terms(&p, def, __func__);
    if (!status)
        def->axis.lo_stop = def->axis.hi_stop = sum_of(&p);
    return status;
}

lode_joint lode_coupling_create(lode_world world, const lode_coupling_def *def)
{
    plan p = {.world = NULL};
    if (lode__open_world(&p.world, world, __func__) || lode__check_not_null(def, __func__, "def") ||
        plan_terms(&p, def, __func__))
        return (lode_joint){0};
    linkage_values values = {LODE_JOINT_COUPLING, def->axis,      def->erp, def->cfm,
                             def->enabled,        def->user_data, 0};
    return create(&p, &values, __func__);
}

int lode_coupling_get_terms(lode_joint coupling, lode_joint_term *out_terms, int capacity)
{
    lode__object j;
    int count = 0;
    if (lode__open_joint(&j, coupling, __func__) ||
        lode__check_capacity(out_terms, capacity, __func__, "out_terms"))
        return 0;
    for (uint32_t at = j.slot; at != LODE__NONE; at = lode__next_record(j.world, at)) {
        const lode__joint_arm *arm = JOINT(j.world, arm, at);
        if (arm->term == LODE__NONE)
            continue;
        if (count < capacity)
            out_terms[count] = (lode_joint_term){joint_handle(j.world, arm->term), arm->axis,
                                                 arm->ratio};
        ++count;
    }
    return count;
}

/* A sum over a coupling's terms, of what `of` says of each. */
static lode_real sum_over(const lode__world *world, uint32_t slot,
                          lode_real (*of)(const lode__world *, uint32_t, int))
{
    lode_real sum = 0;
    for (uint32_t at = slot; at != LODE__NONE; at = lode__next_record(world, at)) {
        const lode__joint_arm *arm = JOINT(world, arm, at);
        if (arm->term != LODE__NONE)
            sum += arm->ratio * of(world, arm->term, arm->axis);
    }
    return sum;
}

lode_real lode__coupling_position(const lode__world *world, uint32_t slot)
{
    return sum_over(world, slot, lode__axis_position_now);
}

lode_real lode__coupling_rate(const lode__world *world, uint32_t slot)
{
    return sum_over(world, slot, lode__axis_rate_now);
}

static bool has_term(const lode__world *world, uint32_t head, uint32_t joint)
{
    for (uint32_t at = head; at != LODE__NONE; at = lode__next_record(world, at))
        if (JOINT(world, arm, at)->term == joint)
            return true;
    return false;
}

/* The edge from this one on of a coupling that a joint is a term of: it hangs on the joint's bodies
 * too. */
static uint32_t edge_of_coupling(const lode__world *world, uint32_t edge, uint32_t joint)
{
    while (edge != LODE__NO_EDGE && !has_term(world, lode__joint_of_edge(world, edge), joint))
        edge = lode__next_edge(world, edge);
    return edge;
}

static uint32_t first_edge_of(const lode__world *world, uint32_t joint)
{
    uint32_t body = lode__joint_body(world, joint, 0);
    return body == LODE__NONE ? LODE__NO_EDGE : BODY(world, links, body)->first_edge;
}

uint32_t lode__coupling_of(const lode__world *world, uint32_t joint)
{
    uint32_t edge = edge_of_coupling(world, first_edge_of(world, joint), joint);
    return edge == LODE__NO_EDGE ? LODE__NONE : lode__joint_of_edge(world, edge);
}

static void forget(lode__world *world, uint32_t joint)
{
    *JOINT(world, impulse, joint) = (lode__joint_impulse){.row = {0}};
    *JOINT(world, feedback, joint) = (lode__joint_feedback){.row = {0}};
}

void lode__couplings_forget(lode__world *world, uint32_t joint)
{
    uint32_t edge = edge_of_coupling(world, first_edge_of(world, joint), joint);
    while (edge != LODE__NO_EDGE) {
        forget(world, lode__joint_of_edge(world, edge));
        edge = edge_of_coupling(world, lode__next_edge(world, edge), joint);
    }
}

/* ---- rows of the application ---- */

lode_rows_def lode_rows_def_default(void)
{
    return (lode_rows_def){.row_count = 1, .erp = -1, .cfm = -1, .enabled = true};
}

lode_joint lode_rows_create(lode_world world, const lode_rows_def *def)
{
    plan p = {.world = NULL};
    if (lode__open_world(&p.world, world, __func__) || lode__check_not_null(def, __func__, "def") ||
        lode__check(def->row_count >= 1 && def->row_count <= LODE_ROWS_PER_JOINT, __func__,
                    "def.row_count", "must be 1 to LODE_ROWS_PER_JOINT") ||
        plan_bodies(&p, def, __func__))
        return (lode_joint){0};
    linkage_values values = {LODE_JOINT_ROWS, lode_coupling_def_default().axis,
                             def->erp,        def->cfm,
                             def->enabled,    def->user_data,
                             def->row_count};
    return create(&p, &values, __func__);
}

static void write_row(const void *context, uint32_t joint, lode_row_body *bodies, int body_count,
                      int row, lode_row *out_row)
{
    const lode__world *world = context;
    int end = 0;
    for (uint32_t at = joint; end < body_count; at = lode__next_record(world, at))
        for (uint32_t side = 0; side < 2 && end < body_count; ++side, ++end)
            bodies[end].body = body_handle(world, lode__joint_body(world, at, side));
    lode_row_request request = {joint_handle(world, joint), *JOINT(world, user_data, joint), bodies,
                                body_count, row};
    world->row_writer.write(world->row_writer.context, &request, out_row);
}

lode_status lode_world_set_row_writer(lode_world world, const lode_row_writer *writer)
{
    static const lode_row_writer nobody = {0};
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (status)
        return status;
    w->row_writer = writer ? *writer : nobody;
    w->solver.write_row = w->row_writer.write ? write_row : NULL;
    w->solver.write_row_context = w;
    const lode__bits *alive = &w->joints.alive;
    for (uint32_t j = lode__bits_next(alive, 0); j != UINT32_MAX; j = lode__bits_next(alive, j + 1))
        if (JOINT(w, joint, j)->type == LODE_JOINT_ROWS)
            forget(w, j);
    lode__wake_all(w);
    return LODE_OK;
}

/* ---- of all joints ---- */

lode_real lode_joint_get_row_force(lode_joint joint, int row)
{
    lode__object j;
    if (lode__open_joint(&j, joint, __func__) ||
        lode__check(row >= 0 && row < JOINT(j.world, joint, j.slot)->rows, __func__, "row",
                    "is not a row of this joint"))
        return 0;
    return JOINT(j.world, feedback, j.slot)->row[row];
}

int lode_joint_get_bodies(lode_joint joint, lode_body *out_bodies, int capacity)
{
    lode__object j;
    int count = 0;
    if (lode__open_joint(&j, joint, __func__) ||
        lode__check_capacity(out_bodies, capacity, __func__, "out_bodies"))
        return 0;
    for (uint32_t at = j.slot; at != LODE__NONE; at = lode__next_record(j.world, at))
        for (uint32_t side = 0; side < 2; ++side) {
            uint32_t body = lode__joint_body(j.world, at, side);
            if (body == LODE__NONE)
                continue;
            if (count < capacity)
                out_bodies[count] = body_handle(j.world, body);
            ++count;
        }
    return count;
}
