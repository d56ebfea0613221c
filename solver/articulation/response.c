/* response.c: what impulses do to an articulation that has been factored: the articulated-body
 * algorithm without velocities and forces (Mirtich, Impulse-based dynamic simulation of rigid body
 * systems, 1996, ch. 4; Featherstone 2008, ch. 11).
 *
 * Its way up the tree, U, and its way down are each other's transposes: M^-1 = U^T D^-1 U, where D
 * is the diagonal of what dofs answer with. So of two rows J M^-1 K^T = (U J^T) D^-1 (U K^T): the
 * *half* U J^T of a row is all that it takes to know how it couples with any other. The halves are
 * computed in double precision from the factor as it is, and what is made of them is symmetric, and
 * no less than 0, to rounding of that precision. */
#include "solver/articulation/multibody.h"

#include "core/math.h"

/* An impulse on one link and on those above it, as a dof and a parent feel it. */
typedef struct push {
    lode_vec3 f, n;
} push;

static lode_real along(const lode__mb_dof *dof, push p)
{
    return v3_dot(mb_v3(dof->s_v), p.f) + v3_dot(mb_v3(dof->s_w), p.n);
}

static push shifted(push p, lode_vec3 arm)
{
    return (push){p.f, v3_add(p.n, v3_cross(arm, p.f))};
}

void lode__mb_add_jacobian(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                           lode_real *jacobian)
{
    const lode__mb_plan *plan = tree->plan;
    push p = {f, n};
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i]) {
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            jacobian[k] += along(&tree->dofs[k], p);
        p = shifted(p, mb_v3(tree->links[i].arm));
    }
}

/* Numbers of the dofs, `stride` apart. */
typedef struct numbers {
    lode_real *at;
    size_t stride;
} numbers;

static lode_real *number(numbers n, uint32_t dof)
{
    return n.at + dof * n.stride;
}

/* What dofs do not bear of the impulses, as far apart as `out`, passes up the tree, in the links'
 * biases; each keeps in `out` what it has to answer. */
static void pass_up(const lode__multibody *tree, const lode_real *impulses, numbers out)
{
    const lode__mb_plan *plan = tree->plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        mb_put3(tree->links[i].bias_f, v3_zero());
        mb_put3(tree->links[i].bias_n, v3_zero());
    }
    for (uint32_t i = plan->link_count; i-- > 0;) {
        lode__mb_link *link = &tree->links[i];
        push p = {mb_v3(link->bias_f), mb_v3(link->bias_n)};
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k) {
            const lode__mb_dof *dof = &tree->dofs[k];
            lode_real left = impulses[k * out.stride] - along(dof, p), by = left * dof->inv_d[0];
            *number(out, k) = left;
            p = (push){v3_madd(p.f, mb_v3(dof->u_f), by), v3_madd(p.n, mb_v3(dof->u_n), by)};
        }
        if (i == 0)
            break;
        lode__mb_link *parent = &tree->links[plan->parent[i]];
        push felt = shifted(p, mb_v3(link->arm));
        mb_put3(parent->bias_f, v3_add(mb_v3(parent->bias_f), felt.f));
        mb_put3(parent->bias_n, v3_add(mb_v3(parent->bias_n), felt.n));
    }
}

/* Links move, from the root on, by what dofs answer. */
static void move_down(const lode__multibody *tree, numbers out)
{
    const lode__mb_plan *plan = tree->plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        lode__mb_link *link = &tree->links[i];
        lode_vec3 v = v3_zero(), w = v3_zero();
        if (i > 0) {
            const lode__mb_link *parent = &tree->links[plan->parent[i]];
            w = mb_v3(parent->alpha);
            v = v3_add(mb_v3(parent->a), v3_cross(w, mb_v3(link->arm)));
        }
        for (uint32_t k = plan->first_dof[i + 1]; k-- > plan->first_dof[i];) {
            const lode__mb_dof *dof = &tree->dofs[k];
            lode_real borne = v3_dot(mb_v3(dof->u_f), v) + v3_dot(mb_v3(dof->u_n), w);
            lode_real change = (*number(out, k) - borne) * dof->inv_d[0];
            *number(out, k) = change;
            v = v3_madd(v, mb_v3(dof->s_v), change);
            w = v3_madd(w, mb_v3(dof->s_w), change);
        }
        mb_put3(link->a, v);
        mb_put3(link->alpha, w);
    }
}

void lode__mb_solve(const lode__multibody *tree, const lode_real *impulses, lode_real *out_response)
{
    pass_up(tree, impulses, (numbers){out_response, 1});
    move_down(tree, (numbers){out_response, 1});
}

void lode__mb_respond(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n,
                      lode_real *out_jacobian, lode_real *out_response)
{
    for (uint32_t k = 0; k < tree->plan->dof_count; ++k)
        out_jacobian[k] = 0;
    lode__mb_add_jacobian(tree, link, f, n, out_jacobian);
    lode__mb_solve(tree, out_jacobian, out_response);
}

void lode__mb_push(const lode__multibody *tree, uint32_t link, lode_vec3 f, lode_vec3 n)
{
    const lode__mb_plan *plan = tree->plan;
    const size_t stride = sizeof(lode__mb_dof) / sizeof(lode_real);
    push p = {f, n};
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        tree->dofs[k].left[0] = 0;
    for (uint32_t i = link; i != LODE__MB_NO_PARENT; i = plan->parent[i]) {
        for (uint32_t k = plan->first_dof[i]; k < plan->first_dof[i + 1]; ++k)
            tree->dofs[k].left[0] = along(&tree->dofs[k], p);
        p = shifted(p, mb_v3(tree->links[i].arm));
    }
    numbers left = {plan->dof_count > 0 ? tree->dofs->left : NULL, stride};
    pass_up(tree, left.at, left);
    move_down(tree, left);
    for (uint32_t k = 0; k < plan->dof_count; ++k)
        tree->dofs[k].speed[0] += tree->dofs[k].left[0];
}

/* ---- halves */

typedef struct wide_push {
    double f[3], n[3];
} wide_push;

static double dot3(const lode_real *a, const double *b)
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

/* out += arm x f */
static void add_cross(double *out, const lode_real *arm, const double *f)
{
    out[0] += (double)arm[1] * f[2] - (double)arm[2] * f[1];
    out[1] += (double)arm[2] * f[0] - (double)arm[0] * f[2];
    out[2] += (double)arm[0] * f[1] - (double)arm[1] * f[0];
}

/* Takes from a push what a dof answers to `left` of it. */
static void give_way(const lode__mb_dof *dof, double left, wide_push *p)
{
    double by = left * (double)dof->inv_d[0];
    for (int i = 0; i < 3; ++i) {
        p->f[i] -= (double)dof->u_f[i] * by;
        p->n[i] -= (double)dof->u_n[i] * by;
    }
}

/* Up the tree from dof k of a link on. */
static void climb(const lode__multibody *tree, uint32_t i, uint32_t k, wide_push p, double *half)
{
    const lode__mb_plan *plan = tree->plan;
    for (;;) {
        for (; k < plan->first_dof[i + 1]; ++k) {
            const lode__mb_dof *dof = &tree->dofs[k];
            double left = dot3(dof->s_v, p.f) + dot3(dof->s_w, p.n);
            half[k] += left;
            give_way(dof, left, &p);
        }
        if (i == 0)
            return;
        add_cross(p.n, tree->links[i].arm, p.f);
        i = plan->parent[i];
        k = plan->first_dof[i];
    }
}

void lode__mb_add_half(const lode__multibody *tree, uint32_t link, const double f[3],
                       const double n[3], double *half)
{
    wide_push p = {{f[0], f[1], f[2]}, {n[0], n[1], n[2]}};
    climb(tree, link, tree->plan->first_dof[link], p, half);
}

void lode__mb_add_dof_half(const lode__multibody *tree, uint32_t dof, double impulse, double *half)
{
    wide_push p = {{0}, {0}};
    half[dof] += impulse;
    give_way(&tree->dofs[dof], impulse, &p);
    climb(tree, tree->plan->link_of_dof[dof], dof + 1, p, half);
}

/* Down the tree: from speeds to what halves feel of them, or back. */
static void descend(const lode__multibody *tree, double *numbers, bool to_speeds,
                    lode__mb_wide_motion *moves)
{
    const lode__mb_plan *plan = tree->plan;
    for (uint32_t i = 0; i < plan->link_count; ++i) {
        lode__mb_wide_motion m = {{0}, {0}};
        if (i > 0) {
            const lode_real *a = tree->links[i].arm;
            const lode_real back[3] = {-a[0], -a[1], -a[2]};
            m = moves[plan->parent[i]];
            add_cross(m.v, back, m.w); /* w x arm */
        }
        for (uint32_t k = plan->first_dof[i + 1]; k-- > plan->first_dof[i];) {
            const lode__mb_dof *dof = &tree->dofs[k];
            double borne = dot3(dof->u_f, m.v) + dot3(dof->u_n, m.w);
            double is = numbers[k], share = borne * (double)dof->inv_d[0];
            double speed = to_speeds ? is - share : is;
            numbers[k] = to_speeds ? speed : is + share;
            for (int c = 0; c < 3; ++c) {
                m.v[c] += (double)dof->s_v[c] * speed;
                m.w[c] += (double)dof->s_w[c] * speed;
            }
        }
        moves[i] = m;
    }
}

void lode__mb_to_speeds(const lode__multibody *tree, double *numbers, lode__mb_wide_motion *scratch)
{
    descend(tree, numbers, true, scratch);
}

void lode__mb_from_speeds(const lode__multibody *tree, double *numbers,
                          lode__mb_wide_motion *scratch)
{
    descend(tree, numbers, false, scratch);
}
