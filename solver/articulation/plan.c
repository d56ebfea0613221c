/* plan.c: the topology of an articulation, laid out in one block of memory. */
#include "solver/articulation/multibody.h"

#include "core/math.h"

#include <string.h>

static uint32_t count_axes(uint8_t axes)
{
    return (uint32_t)__builtin_popcount(axes);
}

/* Offsets of the plan's arrays, the widest first. */
typedef struct plan_layout {
    size_t parent, first_dof, link_of_dof, axis, angles, wraps, size;
    uint32_t dofs;
} plan_layout;

static plan_layout lay_out(const lode__mb_joint *joints, uint32_t count, bool fixed_base)
{
    plan_layout at = {.dofs = fixed_base ? 0 : LODE__MB_ROOT_DOFS};
    for (uint32_t i = 1; i < count; ++i)
        at.dofs += count_axes(joints[i].axes);
    at.parent = sizeof(lode__mb_plan);
    at.first_dof = at.parent + count * sizeof(uint32_t);
    at.link_of_dof = at.first_dof + (count + 1) * sizeof(uint32_t);
    at.axis = at.link_of_dof + at.dofs * sizeof(uint32_t);
    at.angles = at.axis + at.dofs;
    at.wraps = at.angles + count;
    at.size = at.wraps + count;
    return at;
}

size_t lode__mb_plan_bytes(uint32_t links, uint32_t dofs)
{
    return sizeof(lode__mb_plan) + (2 * links + 1 + dofs) * sizeof(uint32_t) + dofs + 2 * links;
}

size_t lode__mb_plan_size(const lode__mb_joint *joints, uint32_t count, bool fixed_base)
{
    return lay_out(joints, count, fixed_base).size;
}

lode__mb_plan *lode__mb_plan_make(void *memory, const lode__mb_joint *joints, uint32_t count,
                                  bool fixed_base)
{
    plan_layout at = lay_out(joints, count, fixed_base);
    char *bytes = memory;
    uint32_t *parent = (uint32_t *)(void *)(bytes + at.parent);
    uint32_t *first_dof = (uint32_t *)(void *)(bytes + at.first_dof);
    uint32_t *link_of_dof = (uint32_t *)(void *)(bytes + at.link_of_dof);
    uint8_t *axis = (uint8_t *)bytes + at.axis, *angles = (uint8_t *)bytes + at.angles;
    uint8_t *wraps = (uint8_t *)bytes + at.wraps;
    /* a floating root: slides, then turns */
    static const uint8_t root_axes[LODE__MB_ROOT_DOFS] = {3, 4, 5, 0, 1, 2};
    uint32_t dof = 0;
    for (uint32_t i = 0; i < count; ++i) {
        parent[i] = joints[i].parent;
        first_dof[i] = dof;
        angles[i] = 0;
        wraps[i] = joints[i].wraps;
        uint8_t axes = i > 0 ? joints[i].axes : fixed_base ? 0 : 0x3f;
        for (int k = 0; k < LODE__MB_AXES; ++k) {
            uint8_t which = i > 0 ? (uint8_t)k : root_axes[k];
            if (!(axes & 1u << which))
                continue;
            link_of_dof[dof] = i;
            axis[dof++] = which;
            angles[i] += which < LODE__MB_FIRST_SLIDE;
        }
    }
    first_dof[count] = dof;
    lode__mb_plan *plan = memory;
    *plan = (lode__mb_plan){.link_count = count,
                            .dof_count = dof,
                            .root_dofs = fixed_base ? 0 : LODE__MB_ROOT_DOFS,
                            .parent = parent,
                            .first_dof = first_dof,
                            .link_of_dof = link_of_dof,
                            .axis = axis,
                            .angles = angles,
                            .wraps = wraps};
    return plan;
}

void lode__mb_find_axes(const lode__multibody *tree)
{
    for (uint32_t k = tree->plan->root_dofs; k < tree->plan->dof_count; ++k) {
        const lode__mb_link *l = &tree->links[tree->plan->link_of_dof[k]];
        int axis = tree->plan->axis[k];
        lode_vec3 unit = {axis % 3 == 0, axis % 3 == 1, axis % 3 == 2};
        bool slides = axis >= LODE__MB_FIRST_SLIDE;
        mb_put3(tree->dofs[k].axis, q_rotate(mb_q(slides ? l->frame_p : l->frame_c), unit));
    }
}

bool lode__mb_plans_equal(const lode__mb_plan *a, const lode__mb_plan *b)
{
    return a == b ||
           (a->link_count == b->link_count && a->dof_count == b->dof_count &&
            a->root_dofs == b->root_dofs &&
            memcmp(a->parent, b->parent, a->link_count * sizeof *a->parent) == 0 &&
            memcmp(a->first_dof, b->first_dof, a->link_count * sizeof *a->first_dof) == 0 &&
            memcmp(a->axis, b->axis, a->dof_count) == 0 &&
            memcmp(a->wraps, b->wraps, a->link_count) == 0);
}
