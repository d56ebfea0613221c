/* loop_dynamics.c: what controllers ask of an articulation's loop joints: their rows as they are to
 * its degrees of freedom, and the impulses that keep them closed (solver/articulation/loops.c). */
#include "core/math.h"
#include "core/memory.h"
#include "solver/joints/held.h"
#include "solver/joints/joint_type.h"
#include "world/articulation_dynamics.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"
#include "world/loop_joints.h"

/* Of the length unit, or rad: an axis that is no farther from a stop is at it. */
#define NEAR_STOP ((lode_real)0.001)

/* ---- rows */

/* The end of a joint in this tree; what is no link of it is held. */
static uint32_t link_of_end(const lode__dynamics_task *t, uint32_t joint, uint32_t side)
{
    uint32_t body = lode__joint_body(t->world, joint, side);
    uint32_t link = body == LODE__NONE ? 0 : *BODY(t->world, link, body);
    if (link == 0 || LINK(t->world, tie, link - 1)->articulation != t->slot)
        return LODE__MB_NO_PARENT;
    return LINK(t->world, tie, link - 1)->index;
}

static lode__mb_loop_row row_of(const lode__dynamics_task *t, uint32_t joint, lode_vec3 lin,
                                lode_vec3 ang_a, lode_vec3 ang_b)
{
    return (lode__mb_loop_row){
        .link = {link_of_end(t, joint, 0), link_of_end(t, joint, 1)},
        .jacobian = {{lin, ang_a}, {v3_neg(lin), ang_b}},
        .lo = -LODE__UNBOUNDED,
        .hi = LODE__UNBOUNDED,
    };
}

static void read_held(const lode__dynamics_task *t, uint32_t joint, void *scratch,
                      lode__mb_loop_row *out)
{
    lode__held_row held[LODE__HELD_ROWS];
    const lode__joint *record = JOINT(t->world, joint, joint);
    const lode__pose *b = record->body_b == LODE__NONE ? NULL
                                                       : BODY(t->world, pose, record->body_b);
    int rows = lode__joint_held(t->world->solver.kernels, record,
                                BODY(t->world, pose, record->body_a), b, scratch, held);
    for (int i = 0; i < rows; ++i)
        out[i] = row_of(t, joint, held[i].lin, held[i].ang_a, held[i].ang_b);
}

/* A stop holds to one side where the axis is at it, and both ways where there is no way between. */
static lode__mb_loop_row stop_row(const lode__dynamics_task *t, uint32_t joint, int axis)
{
    const lode_joint_axis *values = &JOINT(t->world, axes, joint)->axis[axis];
    lode__axis_now now = lode__joint_axis_now(t->world, joint, axis);
    lode__mb_loop_row row = row_of(t, joint, now.lin, now.ang_a, now.ang_b);
    lode_real near = NEAR_STOP * (now.turns ? 1 : t->world->def.length_unit);
    lode_real position = lode__axis_position_now(t->world, joint, axis);
    bool equal = values->lo_stop == values->hi_stop;
    if (!equal && position > values->lo_stop + near)
        row.hi = 0;
    if (!equal && position < values->hi_stop - near)
        row.lo = 0;
    return row;
}

/* A row that pushes nobody. */
static bool is_idle(const lode__mb_loop_row *row)
{
    return row->lo == 0 && row->hi == 0;
}

static void read_joint(const lode__dynamics_task *t, uint32_t joint, void *scratch,
                       lode__mb_loop_row *out)
{
    static const lode__mb_loop_row none = {.link = {LODE__MB_NO_PARENT, LODE__MB_NO_PARENT}};
    const lode__joint *record = JOINT(t->world, joint, joint);
    lode__joint_extra extras[LODE__JOINT_ROWS];
    uint32_t rows = lode__loop_rows(t->world, joint);
    uint32_t at = (uint32_t)lode__joint_types[record->type].rows;
    for (uint32_t i = 0; i < rows; ++i)
        out[i] = none;
    if (joint_in_limbo(record) || (record->flags & LODE__JOINT_DISABLED))
        return;
    read_held(t, joint, scratch, out);
    int count = lode__joint_extras(record->type, JOINT(t->world, axes, joint), extras);
    for (int i = 0; i < count; ++i)
        if (extras[i].stop) {
            lode__mb_loop_row row = stop_row(t, joint, extras[i].axis);
            out[at++] = is_idle(&row) ? none : row;
        }
}

/* All rows of the articulation's loops, in memory of the caller's to free. */
typedef struct loops {
    lode__mb_loop_row *rows;
    void *scratch; /* for what solver/articulation/loops.c needs */
    void *memory;
    size_t bytes;
    uint32_t count;
} loops;

static size_t padded(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static bool read_loops(const lode__dynamics_task *t, loops *out)
{
    uint32_t count = lode__loops_rows(t->world, t->slot), at = 0;
    size_t held = padded(lode__held_scratch_size()), rows = padded(count * sizeof *out->rows);
    *out = (loops){.count = count, .bytes = held + rows + lode__mb_loop_size(t->plan, count)};
    out->memory = lode__alloc(out->bytes);
    if (!out->memory)
        return false;
    out->rows = (void *)((char *)out->memory + held);
    out->scratch = (char *)out->memory + held + rows;
    EACH_LOOP(t->world, t->slot, joint)
    {
        read_joint(t, joint, out->memory, out->rows + at);
        at += lode__loop_rows(t->world, joint);
    }
    return true;
}

/* ---- the public functions */

size_t lode_articulation_get_coefficient_matrix_size(lode_articulation articulation)
{
    lode__object a;
    if (lode__open_articulation(&a, articulation, __func__) ||
        !articulation_is_inserted(a.world, a.slot))
        return 0;
    const lode__mb_plan *plan = (*ARTICULATION(a.world, model, a.slot))->body.plan;
    return (size_t)(plan->dof_count - plan->root_dofs) * lode__loops_rows(a.world, a.slot);
}

lode_status lode_articulation_compute_coefficient_matrix(lode_articulation articulation,
                                                         const lode_articulation_cache *cache,
                                                         lode_real *out_matrix)
{
    lode__dynamics_task t;
    loops l;
    lode_status status = lode__dynamics_open(&t, articulation, cache, __func__);
    if (!status)
        status = lode__check_not_null(out_matrix, __func__, "out_matrix");
    if (status)
        return status;
    if (!read_loops(&t, &l))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    for (uint32_t i = 0; i < l.count; ++i) {
        lode__mb_loop_jacobian(t.body, &l.rows[i], t.desk.x);
        lode__dynamics_free_efforts(&t, t.desk.x, t.desk.c);
        for (uint32_t k = 0; k < t.joints; ++k)
            out_matrix[(size_t)k * l.count + i] = t.desk.c[k];
    }
    lode__free(l.memory, l.bytes);
    return LODE_OK;
}

/* What all dofs would have after a step without loops. */
static void predict(const lode__dynamics_task *t, const lode_real *joint_force, lode_real dt)
{
    lode__mb_joint_acceleration(t->body, joint_force, lode__dynamics_weights(t), t->desk.c);
    for (uint32_t k = 0; k < t->all; ++k)
        t->desk.x[k] = t->body->dofs[k].speed[0] + dt * t->body->dofs[k].change[0];
}

static lode_status check_forces(const lode__dynamics_task *t, const lode_real *joint_force,
                                const char *function)
{
    lode_status status = lode__check_not_null(joint_force, function, "joint_force");
    for (uint32_t k = 0; k < t->joints && !status; ++k)
        status = lode__check(r_finite(joint_force[k]), function, "joint_force", "must be finite");
    return status;
}

lode_status lode_articulation_compute_lambda(lode_articulation articulation,
                                             const lode_articulation_cache *initial_state,
                                             const lode_real *joint_force, lode_real dt,
                                             int max_iterations, lode_real *out_lambda,
                                             bool *out_converged)
{
    lode__dynamics_task t;
    loops l;
    lode_status status = lode__dynamics_open(&t, articulation, initial_state, __func__);
    if (!status)
        status = check_forces(&t, joint_force, __func__);
    if (!status)
        status = lode__check(is_above(dt, 0), __func__, "dt", "must be above 0 and finite");
    if (!status)
        status = lode__check(max_iterations >= 0, __func__, "max_iterations", "must be at least 0");
    if (!status)
        status = lode__check_not_null(out_lambda, __func__, "out_lambda");
    if (status)
        return status;
    if (!read_loops(&t, &l))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    lode__dynamics_use_speeds(&t, initial_state);
    predict(&t, joint_force, dt);
    bool converged = lode__mb_loop_lambda(t.body, l.rows, l.count, t.desk.x, max_iterations,
                                          out_lambda, l.scratch);
    if (out_converged)
        *out_converged = converged;
    lode__free(l.memory, l.bytes);
    return LODE_OK;
}
