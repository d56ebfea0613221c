/* limb_direct_take.c: what groups with articulations that are solved directly consist of: see
 * limb_direct.h. */
#include "solver/articulation/limb_direct.h"
#include "solver/direct.h"
#include "solver/softness.h"

/* ---- nodes */

static void add_node(lode__limb_direct *direct, lode__limb *limb, uint32_t line, uint32_t numbers)
{
    lode__limb_system *system = &direct->system;
    system->nodes[system->node_count++] = (lode__limb_node){
        .limb = limb, .line = line, .width = (numbers + 7) & ~7u};
}

static void add_limb(lode__limb_direct *direct, lode__limb *limb)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        if (limb->line[i] > 0)
            direct->node_of_line[(uint32_t)limb->line[i] - direct->line_begin] =
                direct->system.node_count;
    add_node(direct, limb, 0, plan->dof_count);
}

/* Limbs, then bodies that constraints push. */
static bool take_nodes(lode__limb_direct *direct, const lode__group *group, lode__arena *arena)
{
    uint32_t lines = group->line_end - group->line_begin;
    direct->line_begin = group->line_begin;
    direct->limb_count = group->limbs->limb_count;
    direct->node_of_line = LODE__TAKE(arena, uint32_t, lines);
    direct->system.nodes = LODE__TAKE(arena, lode__limb_node, lines + direct->limb_count);
    if (!direct->node_of_line || !direct->system.nodes)
        return false;
    for (uint32_t i = 0; i < lines; ++i)
        direct->node_of_line[i] = LODE__NONE;
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        add_limb(direct, group->limbs->limbs[l]);
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        for (int end = 0; end < direct->rows.parts[e].ends; ++end) {
            uint32_t line = lode__part_pushes(&direct->rows.parts[e], end);
            if (!line || direct->node_of_line[line - direct->line_begin] != LODE__NONE)
                continue;
            direct->node_of_line[line - direct->line_begin] = direct->system.node_count;
            add_node(direct, NULL, line, 6);
        }
    return true;
}

/* ---- blocks */

static void add_tie(lode__limb_direct *direct, lode__limb_block *block, uint32_t node)
{
    lode__limb_system *system = &direct->system;
    bool known = false;
    for (uint32_t t = block->tie; t < block->tie_end; ++t)
        known = known || system->ties[t].node == node;
    if (known)
        return;
    system->ties[system->tie_count++].node = node;
    block->tie_end = system->tie_count;
}

static void begin_block(lode__limb_direct *direct, uint32_t rows)
{
    lode__limb_system *system = &direct->system;
    system->blocks[system->block_count++] = (lode__limb_block){
        .rows = rows, .tie = system->tie_count, .tie_end = system->tie_count};
}

/* Of a constraint; one that pushes nothing has rows that are left out of the solution. */
static void add_part(lode__limb_direct *direct, const lode__part *p)
{
    begin_block(direct, p->rows);
    for (int end = 0; end < p->ends; ++end) {
        uint32_t line = lode__part_pushes(p, end);
        if (line)
            add_tie(direct, &direct->system.blocks[direct->system.block_count - 1],
                    direct->node_of_line[line - direct->line_begin]);
    }
}

static bool add_joints(lode__limb_direct *direct, const lode__solver *solver, lode__limb *limb,
                       uint32_t node, lode__arena *arena)
{
    lode__limb_joints *joints = &direct->joints[node];
    uint32_t count = lode__limb_joints_list(solver, limb, NULL);
    *joints = (lode__limb_joints){.limb = limb, .block = direct->system.block_count};
    joints->rows = LODE__TAKE(arena, lode__limb_joint_row, count);
    joints->slides = LODE__TAKE_ZEROED(arena, bool, count);
    if (!joints->rows || !joints->slides)
        return false;
    joints->row_count = lode__limb_joints_list(solver, limb, joints->rows);
    if (count == 0)
        return true;
    begin_block(direct, count);
    add_tie(direct, &direct->system.blocks[joints->block], node);
    return true;
}

static bool take_blocks(lode__limb_direct *direct, const lode__solver *solver,
                        const lode__group *group, lode__arena *arena)
{
    lode__limb_system *system = &direct->system;
    uint32_t blocks = direct->rows.part_count + direct->limb_count, ties = direct->limb_count;
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        ties += direct->rows.parts[e].ends;
    direct->joints = LODE__TAKE(arena, lode__limb_joints, direct->limb_count);
    system->blocks = LODE__TAKE(arena, lode__limb_block, blocks);
    system->ties = LODE__TAKE_ZEROED(arena, lode__limb_tie, ties);
    bool taken = direct->joints && system->blocks && system->ties;
    for (uint32_t e = 0; e < direct->rows.part_count && taken; ++e)
        add_part(direct, &direct->rows.parts[e]);
    for (uint32_t l = 0; l < direct->limb_count && taken; ++l)
        taken = add_joints(direct, solver, group->limbs->limbs[l], l, arena);
    return taken;
}

/* ---- all */

static uint32_t count_rows(const lode__limb_system *system)
{
    uint32_t rows = 0;
    for (uint32_t b = 0; b < system->block_count; ++b)
        rows += system->blocks[b].rows;
    return rows;
}

static bool is_skew(const lode__solver *solver, const lode__group *group)
{
    bool any = false;
    for (uint32_t l = 0; l < group->limbs->limb_count; ++l)
        any = any || LODE__AT(articulation, solver->limbs.articulations, head,
                              group->limbs->limbs[l]->slot)
                             ->first_tendon != LODE__NONE;
    return any;
}

static bool take_rows(lode__limb_direct *direct, lode__arena *arena)
{
    lode__rows *rows = &direct->rows;
    rows->jacobians = LODE__TAKE(arena, lode__jacobian,
                                 rows->island_count > 0 ? rows->islands->jacobians : 0);
    rows->values = LODE__TAKE(arena, lode__row_values, direct->system.row_count);
    for (uint32_t e = 0; e < rows->part_count; ++e)
        rows->parts[e].row = direct->system.blocks[e].row;
    return rows->jacobians && rows->values;
}

static bool take_group(lode__solver *solver, const lode__step *step, lode__group *group)
{
    lode__arena *arena = step->arena;
    lode__limb_direct *direct = LODE__TAKE_ZEROED(arena, lode__limb_direct, 1);
    if (!direct || !lode__rows_list(&direct->rows, solver->state, group, arena))
        return false;
    direct->rows.cone = friction_is_cone(step->settings);
    if (!take_nodes(direct, group, arena) || !take_blocks(direct, solver, group, arena))
        return false;
    direct->system.skew = is_skew(solver, group);
    if (direct->system.skew && count_rows(&direct->system) > LODE__LIMB_SKEW_ROWS) {
        group->unsolved = 1;
        group->unsolved_body = solver->state->lines.slot[group->line_begin];
        return true;
    }
    if (!lode__limb_system_take(&direct->system, solver->kernels,
                                lode__direct_has_cones(&direct->rows), arena) ||
        !take_rows(direct, arena))
        return false;
    group->limb_direct = direct;
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        group->limbs->limbs[l]->direct = true;
    return true;
}

bool lode__limb_direct_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    bool taken = true;
    for (uint32_t g = 0; g < state->group_count && taken; ++g) {
        lode__group *group = &state->groups[g];
        if (group->limbs && !group->loose && group->solver == LODE_SOLVER_DIRECT)
            taken = take_group(solver, step, group);
    }
    return taken;
}
