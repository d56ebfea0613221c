/* bonds.c: from blocks and lines to the equations of solver/bonds.h, and back. */
#include "solver/plans.h"
#include "solver/welds.h"

#include <string.h>

static const lode__row no_row;

static void read_velocity(lode__bond_body *out, const lode__velocity *v)
{
    out->v[0] = v->linear.x, out->v[1] = v->linear.y, out->v[2] = v->linear.z;
    out->v[3] = v->angular.x, out->v[4] = v->angular.y, out->v[5] = v->angular.z;
}

static void read_body(lode__bond_body *out, const lode__dense *lines, uint32_t line)
{
    const lode__inv_mass *m = &lines->inv_mass[line];
    read_velocity(out, &lines->velocity[line]);
    out->inv_mass = m->inv_mass;
    out->inv_inertia[0] = m->xx, out->inv_inertia[1] = m->yy, out->inv_inertia[2] = m->zz;
    out->inv_inertia[3] = m->xy, out->inv_inertia[4] = m->xz, out->inv_inertia[5] = m->yz;
}

/* The body of an end that cannot be pushed: the world, or one that moves all the same, which takes
 * the next place behind the others. */
static uint32_t read_other(const lode__bonds *bonds, const lode__dense *lines, int32_t line,
                           uint32_t *next)
{
    lode__bond_body *out = &bonds->bodies[*next];
    if (line == 0)
        return 0;
    *out = (lode__bond_body){.inv_mass = 0};
    read_velocity(out, &lines->velocity[line]);
    memcpy(out->now, out->v, sizeof out->v);
    return (*next)++;
}

static void read_lane3(lode__quad out[3], int k, const lode__lane3 *v, int lane)
{
    out[0][k] = v->x.x[lane];
    out[1][k] = v->y.x[lane];
    out[2][k] = v->z.x[lane];
}

/* False where a row acts on nobody. */
static bool read_rows(lode__bond_rows *out, const lode__bond_node *node, const lode__part *p)
{
    const lode__row_block *block = p->block;
    bool acts = true;
    for (uint32_t k = 0; k < LODE__BOND_ROWS; ++k) {
        const lode__row *row = k < node->rows ? &block->rows[node->first + k] : &no_row;
        double mass = row->mass.x[p->lane];
        read_lane3(out->lin, (int)k, &row->lin, p->lane);
        read_lane3(out->ang[0], (int)k, &row->ang_a, p->lane);
        read_lane3(out->ang[1], (int)k, &row->ang_b, p->lane);
        out->c[k] = row->c.x[p->lane];
        out->gamma[k] = mass > 0 ? (double)row->soft.x[p->lane] / mass : 0;
        acts = acts && (mass > 0 || k >= node->rows);
    }
    return acts;
}

/* Contacts as welds; false where they are none, or where one is not likely to hold. */
static bool read_welds(const lode__bond_plan *plan, const lode__bonds *bonds,
                       const lode__part *parts, bool cone)
{
    for (uint32_t i = 0; i < plan->joint_count; ++i)
        if (parts[i].points > 0 && (!lode__weld_make(&bonds->welds[i], &parts[i], cone) ||
                                    !lode__weld_is_likely(&bonds->welds[i])))
            return false;
    return true;
}

static bool read_island(const lode__bond_plan *plan, const lode__bonds *bonds,
                        const lode__dense *lines, const lode__rows *all,
                        const lode__row_island *it)
{
    const lode__part *parts = all->parts + it->begin;
    uint32_t next = plan->body_count + 1;
    bool acts = read_welds(plan, bonds, parts, all->cone);
    bonds->bodies[0] = (lode__bond_body){.inv_mass = 0};
    for (uint32_t i = 0; i < plan->body_count; ++i)
        read_body(&bonds->bodies[i + 1], lines, it->line_begin + i);
    for (uint32_t t = 0; t < plan->node_count && acts; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        const lode__part *p = &parts[node->joint];
        lode__bond_rows *rows = &bonds->rows[t];
        if (p->points > 0)
            lode__weld_read(&bonds->welds[node->joint], node, rows);
        else
            acts = read_rows(rows, node, p);
        for (int end = 0; end < 2; ++end)
            rows->body[end] = node->body[end]
                                  ? node->body[end]
                                  : read_other(bonds, lines, lode__part_line(p, end), &next);
    }
    return acts;
}

/* What the welds bear, as impulses of their contacts' points; false where one does not hold. */
static bool share_welds(const lode__bond_plan *plan, const lode__bonds *bonds,
                        const lode__part *parts)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        for (uint32_t k = 0; k < node->rows && parts[node->joint].points > 0; ++k)
            bonds->welds[node->joint].impulses[node->first + k] = bonds->rows[t].x[k];
    }
    for (uint32_t i = 0; i < plan->joint_count; ++i)
        if (parts[i].points > 0 && !lode__weld_share(&bonds->welds[i], 1))
            return false;
    return true;
}

static void write_rows(const lode__bonds *bonds, uint32_t t, const lode__bond_node *node,
                       const lode__part *p)
{
    if (p->points > 0) {
        if (node->first == 0)
            lode__rows_write(p, bonds->welds[node->joint].impulses);
        return;
    }
    lode__row *rows = ((lode__row_block *)p->block)->rows + node->first;
    for (uint32_t k = 0; k < node->rows; ++k)
        rows[k].lambda.x[p->lane] = (lode_real)bonds->rows[t].x[k];
}

static void write_island(const lode__bond_plan *plan, const lode__bonds *bonds,
                         const lode__dense *lines, const lode__part *parts, uint32_t line_begin)
{
    for (uint32_t t = 0; t < plan->node_count; ++t)
        write_rows(bonds, t, &plan->nodes[t], &parts[plan->nodes[t].joint]);
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        const double *now = bonds->bodies[i + 1].now;
        lode__velocity *v = &lines->velocity[line_begin + i];
        v->linear.x = (lode_real)now[0];
        v->linear.y = (lode_real)now[1];
        v->linear.z = (lode_real)now[2];
        v->angular.x = (lode_real)now[3];
        v->angular.y = (lode_real)now[4];
        v->angular.z = (lode_real)now[5];
    }
}

bool lode__bonds_solve(const lode__bond_plan *plan, const lode__bonds *bonds,
                       lode__bonds_fn *kernel, const lode__dense *lines, const lode__rows *rows,
                       const lode__row_island *it)
{
    const lode__part *parts = rows->parts + it->begin;
    if (!read_island(plan, bonds, lines, rows, it) || !kernel(plan, bonds) ||
        !share_welds(plan, bonds, parts))
        return false;
    write_island(plan, bonds, lines, parts, it->line_begin);
    return true;
}
