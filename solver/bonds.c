/* bonds.c: from blocks and lines to the equations of solver/bonds.h, and back. */
#include "solver/plans.h"
#include "solver/welds.h"

#include <string.h>

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

static void read_lane3(lode__quad out[3], uint32_t k, const lode__lane3 *v, int lane)
{
    ((double *)&out[0])[k] = (double)v->x.x[lane];
    ((double *)&out[1])[k] = (double)v->y.x[lane];
    ((double *)&out[2])[k] = (double)v->z.x[lane];
}

/* False where a row acts on nobody. Numbers are written one by one: to put one into a quad it would
 * be read first. */
static bool read_rows(lode__bond_rows *out, const lode__bond_node *node, const lode__part *p)
{
    const lode__row *rows = ((const lode__row_block *)p->block)->rows + node->first;
    const int lane = p->lane;
    bool acts = true;
    for (int k = 0; k < 3; ++k)
        out->lin[k] = out->ang[0][k] = out->ang[1][k] = LODE__QUAD(0);
    out->c = out->gamma = LODE__QUAD(0);
    for (uint32_t k = 0; k < node->rows; ++k) {
        const lode__row *row = &rows[k];
        double mass = (double)row->mass.x[lane];
        read_lane3(out->lin, k, &row->lin, lane);
        read_lane3(out->ang[0], k, &row->ang_a, lane);
        read_lane3(out->ang[1], k, &row->ang_b, lane);
        ((double *)&out->c)[k] = (double)row->c.x[lane];
        ((double *)&out->gamma)[k] = mass > 0 ? (double)row->soft.x[lane] / mass : 0;
        acts = acts && mass > 0;
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
                        const lode__dense *lines, const lode__rows *all, const lode__row_island *it)
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

/* Of a joint; the numbers of `x` lie so far apart. */
static void write_rows(const double *x, uint32_t apart, const lode__bond_node *node,
                       const lode__part *p)
{
    lode__row *rows = ((lode__row_block *)p->block)->rows + node->first;
    for (uint32_t k = 0; k < node->rows; ++k)
        rows[k].lambda.x[p->lane] = (lode_real)x[k * apart];
}

/* The same of a body. */
static void write_body(const double *now, uint32_t apart, lode__velocity *v)
{
    v->linear.x = (lode_real)now[0];
    v->linear.y = (lode_real)now[apart];
    v->linear.z = (lode_real)now[2 * apart];
    v->angular.x = (lode_real)now[3 * apart];
    v->angular.y = (lode_real)now[4 * apart];
    v->angular.z = (lode_real)now[5 * apart];
}

static void write_island(const lode__bond_plan *plan, const lode__bonds *bonds,
                         const lode__dense *lines, const lode__part *parts, uint32_t line_begin)
{
    for (uint32_t t = 0; t < plan->node_count; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        const lode__part *p = &parts[node->joint];
        if (p->points == 0)
            write_rows((const double *)&bonds->rows[t].x, 1, node, p);
        else if (node->first == 0)
            lode__rows_write(p, bonds->welds[node->joint].impulses);
    }
    for (uint32_t i = 0; i < plan->body_count; ++i)
        write_body(bonds->bodies[i + 1].now, 1, &lines->velocity[line_begin + i]);
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

/* --- four at a time */

/* A line of one body of each. */
static void lines_of(const void *lines, const uint32_t line[LODE__QUAD_LANES],
                     const lode_real *out[LODE__QUAD_LANES])
{
    for (int k = 0; k < LODE__QUAD_LANES; ++k)
        out[k] = (const lode_real *)lines + (size_t)line[k] * LODE_LANES;
}

static void put_body(lode__bond_four_body *out, const lode__bond_four_kernels *kernels,
                     const lode__dense *lines, const uint32_t line[LODE__QUAD_LANES])
{
    const lode_real *velocity[LODE__QUAD_LANES], *inv_mass[LODE__QUAD_LANES];
    lines_of(lines->velocity, line, velocity);
    lines_of(lines->inv_mass, line, inv_mass);
    kernels->read_body(velocity, inv_mass, out);
}

/* As read_other(), of an end of the same node in all islands: line 0 stands still. */
static uint32_t put_others(const lode__bond_four *four, const lode__bond_four_kernels *kernels,
                           const lode__dense *lines, const lode__part *const p[LODE__QUAD_LANES],
                           int end, uint32_t *next)
{
    lode__bond_four_body *out = &four->bodies[*next];
    const lode_real *velocity[LODE__QUAD_LANES];
    bool any = false;
    for (int k = 0; k < LODE__QUAD_LANES; ++k) {
        int32_t line = lode__part_line(p[k], end);
        velocity[k] = (const lode_real *)&lines->velocity[line];
        any = any || line != 0;
    }
    if (!any)
        return 0;
    memset(out, 0, sizeof *out);
    kernels->read_velocity(velocity, out->v);
    memcpy(out->now, out->v, sizeof out->v);
    return (*next)++;
}

/* False where something is no joint, or acts on nobody. */
static bool put_islands(const lode__bond_plan *plan, const lode__bond_four *four,
                        const lode__bond_four_kernels *kernels, const lode__dense *lines,
                        const lode__rows *all, const lode__row_island *const it[LODE__QUAD_LANES])
{
    uint32_t next = plan->body_count + 1;
    bool acts = true;
    memset(&four->bodies[0], 0, sizeof four->bodies[0]);
    for (uint32_t i = 0; i < plan->body_count; ++i)
        put_body(&four->bodies[i + 1], kernels, lines,
                 (uint32_t[]){it[0]->line_begin + i, it[1]->line_begin + i, it[2]->line_begin + i,
                              it[3]->line_begin + i});
    for (uint32_t t = 0; t < plan->node_count && acts; ++t) {
        const lode__bond_node *node = &plan->nodes[t];
        const lode__part *p[LODE__QUAD_LANES];
        const lode_real *first[LODE__QUAD_LANES];
        for (int k = 0; k < LODE__QUAD_LANES; ++k) {
            p[k] = &all->parts[it[k]->begin + node->joint];
            if (p[k]->points > 0)
                return false;
            const lode__row *rows = ((const lode__row_block *)p[k]->block)->rows + node->first;
            first[k] = (const lode_real *)rows + p[k]->lane;
        }
        acts = kernels->read_rows(first, node->rows, &four->rows[t]);
        for (int end = 0; end < 2; ++end)
            four->rows[t].body[end] = node->body[end]
                                          ? node->body[end]
                                          : put_others(four, kernels, lines, p, end, &next);
    }
    return acts;
}

static void take_island(const lode__bond_plan *plan, const lode__bond_four *four, uint32_t island,
                        const lode__dense *lines, const lode__part *parts, uint32_t line_begin)
{
    for (uint32_t t = 0; t < plan->node_count; ++t)
        write_rows((const double *)four->rows[t].x + island, LODE__QUAD_LANES, &plan->nodes[t],
                   &parts[plan->nodes[t].joint]);
    for (uint32_t i = 0; i < plan->body_count; ++i)
        write_body((const double *)four->bodies[i + 1].now + island, LODE__QUAD_LANES,
                   &lines->velocity[line_begin + i]);
}

/* Places of islands that there are not are taken by the first. */
unsigned lode__bonds_solve_four(const lode__bond_plan *plan, const lode__bond_four *four,
                                const lode__bond_four_kernels *kernels, const lode__dense *lines,
                                const lode__rows *rows, const lode__row_island *islands,
                                uint32_t count)
{
    const lode__row_island *it[LODE__QUAD_LANES];
    for (uint32_t k = 0; k < LODE__QUAD_LANES; ++k)
        it[k] = &islands[k < count ? k : 0];
    if (!put_islands(plan, four, kernels, lines, rows, it))
        return 0;
    const unsigned solved = kernels->solve(plan, four) & ((1u << count) - 1);
    for (uint32_t k = 0; k < count; ++k)
        if (solved >> k & 1)
            take_island(plan, four, k, lines, rows->parts + it[k]->begin, it[k]->line_begin);
    return solved;
}
