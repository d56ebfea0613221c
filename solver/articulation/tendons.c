/* tendons.c: tendons and mimic joints of limbs in the solver: each line of a tendon, from the root
 * to a leaf, and each mimic joint is a pull, one row in joint coordinates.
 */
#include "core/math.h"
#include "core/tendons.h"
#include "solver/articulation/coordinates.h"
#include "solver/articulation/limbs.h"

#include <string.h>

#define TENDON(pools, component, slot) LODE__AT(tendon, (pools)->tendons, component, slot)
#define PART(pools, component, slot) LODE__AT(tendon_part, (pools)->tendon_parts, component, slot)
#define MIMIC(pools, component, slot) LODE__AT(mimic, (pools)->mimics, component, slot)
#define LINK(pools, component, slot) LODE__AT(link, (pools)->links, component, slot)

#define EACH_TENDON(pools, head, t) \
    for (uint32_t t = (head)->first_tendon; t != LODE__NONE; t = TENDON(pools, tie, t)->next)
#define EACH_PART(pools, tendon, p) \
    for (uint32_t p = TENDON(pools, tie, tendon)->first_part; p != LODE__NONE; \
         p = PART(pools, tie, p)->next)
#define EACH_MIMIC(pools, head, m) \
    for (uint32_t m = (head)->first_mimic; m != LODE__NONE; m = MIMIC(pools, tie, m)->next)

static const lode_real shortest = (lode_real)1e-3; /* stretch that has a direction, m */
static const lode_real erp = (lode_real)0.2;       /* of hard mimic joints, as of stops */

static const lode__articulation_head *head_of(const lode__limb_pools *pools, const lode__limb *limb)
{
    return LODE__AT(articulation, pools->articulations, head, limb->slot);
}

/* A line of a spatial tendon ends here. */
static bool is_leaf(const lode__tendon_part_tie *part)
{
    return part->child_count == 0 && part->parent != LODE__NONE;
}

/* ---- memory */

static uint32_t count_pulls(const lode__limb_pools *pools, const lode__articulation_head *head)
{
    uint32_t count = 0;
    EACH_MIMIC(pools, head, m)
    ++count;
    EACH_TENDON(pools, head, t)
    {
        if (TENDON(pools, tie, t)->type == LODE_TENDON_FIXED)
            count += TENDON(pools, tie, t)->part_count > 1;
        else
            EACH_PART(pools, t, p)
        count += is_leaf(PART(pools, tie, p));
    }
    return count;
}

bool lode__pulls_take(lode__limb *limb, const lode__solver *solver, lode__arena *arena)
{
    const lode__limb_pools *pools = &solver->limbs;
    lode__limb_pulls *pulls = &limb->pulls;
    size_t wide = (limb->model->body.plan->dof_count + 7) & ~7u;
    size_t count = pulls->count = count_pulls(pools, head_of(pools, limb));
    if (count == 0)
        return true;
    pulls->at = LODE__TAKE_ZEROED(arena, lode__limb_pull, count);
    pulls->order = LODE__TAKE(arena, uint32_t, count);
    double *equations = LODE__TAKE(arena, double, 2 * count * (count + 1));
    lode_real *numbers = LODE__TAKE(arena, lode_real, 3 * wide * count);
    uint32_t links = limb->model->body.plan->link_count;
    lode__mb_wrench *wrenches = LODE__TAKE(arena, lode__mb_wrench, links * count);
    if (!pulls->at || !pulls->order || !equations || !numbers || !wrenches)
        return false;
    pulls->yield = equations;
    pulls->factors = equations + count * count;
    pulls->speed = pulls->factors + count * count;
    pulls->change = pulls->speed + count;
    for (size_t i = 0; i < count; ++i, numbers += 3 * wide) {
        pulls->at[i].gradient = numbers;
        pulls->at[i].push = numbers + wide;
        pulls->at[i].response = numbers + 2 * wide;
        pulls->at[i].on_link = wrenches + i * links;
    }
    return true;
}

/* ---- laying out */

typedef struct layout {
    const lode__limb_pools *pools;
    lode__limb *limb;
    lode__limb_pull *pull; /* the next */
    bool first;            /* sub-step: impulses are those that the pools have kept */
} layout;

static lode__limb_pull *next_pull(layout *l, const lode__tendon_numbers *tendon,
                                  lode__tendon_line *line)
{
    lode__limb_pull *pull = l->pull++;
    uint32_t n = l->limb->model->body.plan->dof_count;
    memset(pull->gradient, 0, n * sizeof *pull->gradient);
    memset(pull->push, 0, n * sizeof *pull->push);
    memset(pull->on_link, 0, l->limb->model->body.plan->link_count * sizeof *pull->on_link);
    pull->length = tendon->offset;
    pull->rest = line->rest;
    pull->lo = line->lo;
    pull->hi = line->hi;
    pull->stiffness = tendon->stiffness;
    pull->damping = tendon->damping;
    pull->limit_stiffness = line->lo <= line->hi ? tendon->limit_stiffness : 0;
    pull->kept = &line->impulse;
    if (l->first)
        pull->impulse = line->impulse;
    return pull;
}

/* A point of a link. */
typedef struct place {
    uint32_t link;
    lode_vec3 arm, at; /* from its centre of mass, from the root's; world axes */
} place;

static place place_of(const layout *l, uint32_t part)
{
    uint32_t slot = PART(l->pools, tie, part)->link;
    const lode__link_tie *tie = LINK(l->pools, tie, slot);
    const lode__mb_link *link = &l->limb->model->body.links[tie->index];
    lode_vec3 center = LODE__AT(body, l->pools->bodies, local, tie->body)->center;
    lode_vec3 arm = q_rotate(mb_q(link->rotation),
                             v3_sub(PART(l->pools, numbers, part)->point, center));
    return (place){tie->index, arm, v3_add(mb_v3(link->center), arm)};
}

/* A force that a unit of the pull is on a link, and its moment about the centre of mass. */
static void push_link(const layout *l, lode__limb_pull *pull, uint32_t link, lode_vec3 f,
                      lode_vec3 n)
{
    lode__mb_wrench *sum = &pull->on_link[link];
    sum->f = v3_add(sum->f, f);
    sum->n = v3_add(sum->n, n);
    lode__mb_add_jacobian(&l->limb->model->body, link, f, n, pull->push);
}

static void push_place(const layout *l, lode__limb_pull *pull, const place *at, lode_vec3 f)
{
    push_link(l, pull, at->link, f, v3_cross(at->arm, f));
}

/* The length grows by `u` times the velocity of the place. */
static void follow_place(const layout *l, lode__limb_pull *pull, const place *at, lode_vec3 u)
{
    lode__mb_add_jacobian(&l->limb->model->body, at->link, u, v3_cross(at->arm, u), pull->gradient);
}

/* A leaf's line, from there to the root; `u` is the direction of a stretch, away from the root. */
static void lay_line(layout *l, uint32_t tendon, uint32_t leaf)
{
    const lode__tendon_numbers *numbers = TENDON(l->pools, numbers, tendon);
    lode__limb_pull *pull = next_pull(l, numbers, &PART(l->pools, numbers, leaf)->line);
    uint32_t root = TENDON(l->pools, tie, tendon)->first_part;
    place here = place_of(l, leaf);
    lode_vec3 u = v3_zero();
    pull->length *= PART(l->pools, numbers, root)->coefficient;
    for (uint32_t p = leaf; p != root; p = PART(l->pools, tie, p)->parent) {
        lode_real coefficient = PART(l->pools, numbers, p)->coefficient;
        place before = place_of(l, PART(l->pools, tie, p)->parent);
        lode_vec3 way = v3_sub(here.at, before.at);
        lode_real length = v3_length(way);
        pull->length += coefficient * length;
        u = length >= shortest ? v3_scale(way, 1 / length) : v3_zero();
        follow_place(l, pull, &here, v3_scale(u, coefficient));
        follow_place(l, pull, &before, v3_scale(u, -coefficient));
        if (p == leaf)
            push_place(l, pull, &here, v3_neg(u));
        here = before;
    }
    push_place(l, pull, &here, u);
}

/* The dof of an axis of a link, LODE__NONE where it is locked. */
static uint32_t dof_of(const layout *l, uint32_t link, uint32_t axis)
{
    const lode__mb_plan *plan = l->limb->model->body.plan;
    uint32_t i = LINK(l->pools, tie, link)->index;
    for (uint32_t k = i > 0 ? plan->first_dof[i] : plan->first_dof[1]; k < plan->first_dof[i + 1];
         ++k)
        if (plan->axis[k] == axis)
            return k;
    return LODE__NONE;
}

/* So many times the position of a dof. */
static void follow_position(const layout *l, lode__limb_pull *pull, uint32_t dof, lode_real times)
{
    const lode__mb_rate rate = lode__mb_rate_of(&l->limb->model->body, dof, false);
    pull->length += times * l->limb->model->body.dofs[dof].position[0];
    for (uint32_t t = 0; t < rate.count; ++t)
        pull->gradient[rate.first + t] += times * rate.by[t];
}

/* A force along that, `size` great, on its link, which the anchor's link bears. */
static void lay_joint(const layout *l, lode__limb_pull *pull, uint32_t dof, uint32_t anchor,
                      lode_real size)
{
    const lode__multibody *body = &l->limb->model->body;
    uint32_t link = body->plan->link_of_dof[dof];
    bool turns = body->plan->axis[dof] < LODE__MB_FIRST_SLIDE;
    lode_vec3 s = v3_scale(lode__mb_rate_of(body, dof, false).along, size);
    lode_vec3 f = turns ? v3_zero() : s, n = turns ? s : v3_zero();
    lode_vec3 arm = v3_sub(mb_v3(body->links[link].center), mb_v3(body->links[anchor].center));
    push_link(l, pull, link, f, n);
    push_link(l, pull, anchor, v3_neg(f), v3_neg(v3_add(n, v3_cross(arm, f))));
}

static void lay_fixed(layout *l, uint32_t tendon)
{
    lode__tendon_numbers *numbers = TENDON(l->pools, numbers, tendon);
    const lode__tendon_tie *tie = TENDON(l->pools, tie, tendon);
    lode__limb_pull *pull = next_pull(l, numbers, &numbers->line);
    uint32_t root = PART(l->pools, tie, tie->first_part)->link;
    uint32_t anchor = LINK(l->pools, tie, root)->index;
    lode_real share = 1 / (lode_real)(tie->part_count - 1);
    EACH_PART(l->pools, tendon, p)
    {
        const lode__tendon_part_tie *part = PART(l->pools, tie, p);
        const lode__tendon_part_numbers *of = PART(l->pools, numbers, p);
        uint32_t dof = p == tie->first_part ? LODE__NONE : dof_of(l, part->link, part->axis);
        if (dof == LODE__NONE)
            continue;
        follow_position(l, pull, dof, of->coefficient);
        lay_joint(l, pull, dof, anchor, -of->reciprocal * share);
    }
}

/* The tree without its drives, whose inertia springs of a given frequency go by. */
static void factor_bare(const layout *l)
{
    const lode__mb_plan *plan = l->limb->model->body.plan;
    for (uint32_t k = plan->root_dofs; k < plan->dof_count; ++k)
        l->limb->model->body.dofs[k].more[0] = LINK(l->pools, axes,
                                                    l->limb->model->link[plan->link_of_dof[k]])
                                                   ->axis[plan->axis[k]]
                                                   .armature;
    lode__mb_kernels_one.factor(&l->limb->model->body);
}

static void lay_mimic(layout *l, uint32_t mimic, lode_real h, bool *is_bare)
{
    const lode__mimic_tie *tie = MIMIC(l->pools, tie, mimic);
    lode__mimic_numbers *m = MIMIC(l->pools, numbers, mimic);
    lode__tendon_line line = {.lo = 1, .impulse = m->impulse};
    lode__limb_pull *pull = next_pull(l, &(lode__tendon_numbers){.offset = m->offset}, &line);
    const lode_real ratio[2] = {1, m->gear_ratio};
    pull->kept = &m->impulse;
    for (int e = 0; e < 2; ++e) {
        uint32_t dof = dof_of(l, tie->link[e], tie->axis[e]);
        if (dof == LODE__NONE)
            continue;
        follow_position(l, pull, dof, ratio[e]);
    }
    for (uint32_t k = 0; k < l->limb->model->body.plan->dof_count; ++k)
        pull->push[k] = -pull->gradient[k];
    pull->hard = !(m->frequency > 0 && m->damping_ratio > 0);
    pull->wanted = -erp * pull->length / h;
    if (pull->hard)
        return;
    if (!*is_bare)
        factor_bare(l);
    *is_bare = true;
    lode__pull_respond(l->limb, pull);
    lode_real yield = lode__pull_yield(l->limb, pull, pull), inertia = yield > 0 ? 1 / yield : 0;
    pull->stiffness = m->frequency * m->frequency * inertia;
    pull->damping = 2 * m->damping_ratio * m->frequency * inertia;
}

void lode__pulls_load(const lode__solve_work *work, lode__limb *limb)
{
    const lode__limb_pools *pools = &work->solver->limbs;
    const lode__articulation_head *head = head_of(pools, limb);
    layout l = {pools, limb, limb->pulls.at, work->sub_step == 0};
    bool is_bare = false;
    if (limb->pulls.count == 0)
        return;
    EACH_TENDON(pools, head, t)
    {
        if (TENDON(pools, tie, t)->type == LODE_TENDON_SPATIAL)
            EACH_PART(pools, t, p)
            {
                if (is_leaf(PART(pools, tie, p)))
                    lay_line(&l, t, p);
            }
        else if (TENDON(pools, tie, t)->part_count > 1)
            lay_fixed(&l, t);
    }
    EACH_MIMIC(pools, head, m)
    lay_mimic(&l, m, work->h, &is_bare);
}

void lode__pulls_keep(const lode__limb *limb)
{
    for (uint32_t i = 0; i < limb->pulls.count; ++i)
        *limb->pulls.at[i].kept = limb->pulls.at[i].impulse;
}
