/* loop_joints.c: joints that an articulation knows as its loops: which they are, in a list through
 * the joints themselves. What controllers ask of them is loop_dynamics.c. */
#include "world/loop_joints.h"

#include "lode/articulation_dynamics.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"

void lode__loop_leave(lode__world *world, uint32_t joint)
{
    lode__joint_loop *loop = JOINT(world, loop, joint);
    if (loop->articulation == 0)
        return;
    uint32_t *from = &ARTICULATION(world, head, loop->articulation - 1)->first_loop;
    while (*from != joint)
        from = &JOINT(world, loop, *from)->next;
    *from = loop->next;
    *loop = (lode__joint_loop){0};
}

void lode__loops_end(lode__world *world, uint32_t articulation)
{
    const lode__articulation_head *head = ARTICULATION(world, head, articulation);
    while (head->first_loop != LODE__NONE)
        lode__loop_leave(world, head->first_loop);
}

uint32_t lode__loop_rows(const lode__world *world, uint32_t joint)
{
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int type = JOINT(world, joint, joint)->type;
    int count = lode__joint_extras(type, JOINT(world, axes, joint), extras);
    uint32_t rows = (uint32_t)lode__joint_types[type].rows;
    for (int i = 0; i < count; ++i)
        rows += extras[i].stop;
    return rows;
}

uint32_t lode__loops_rows(const lode__world *world, uint32_t articulation)
{
    uint32_t rows = 0;
    EACH_LOOP(world, articulation, joint)
    rows += lode__loop_rows(world, joint);
    return rows;
}

/* ---- the public list */

static bool is_on(const lode__world *world, uint32_t joint, uint32_t articulation)
{
    for (uint32_t side = 0; side < 2; ++side) {
        uint32_t body = lode__joint_body(world, joint, side);
        uint32_t link = body == LODE__NONE ? 0 : *BODY(world, link, body);
        if (link > 0 && LINK(world, tie, link - 1)->articulation == articulation)
            return true;
    }
    return false;
}

/* Both, of one world. */
static lode_status open_both(lode__object *out_a, lode__object *out_j,
                             lode_articulation articulation, lode_joint joint, const char *function)
{
    lode_status status = lode__open_articulation(out_a, articulation, function);
    if (!status)
        status = lode__open_pair_joint(out_j, joint, function);
    return status ? status
                  : lode__check(out_j->world == out_a->world, function, "joint",
                                "is of another world");
}

lode_status lode_articulation_add_loop_joint(lode_articulation articulation, lode_joint joint)
{
    lode__object a, j;
    lode_status status = open_both(&a, &j, articulation, joint, __func__);
    if (!status)
        status = lode__check(JOINT(a.world, loop, j.slot)->articulation == 0, __func__, "joint",
                             "is a loop joint already");
    if (!status)
        status = lode__check(is_on(a.world, j.slot, a.slot), __func__, "joint",
                             "joins no link of this articulation");
    if (status)
        return status;
    uint32_t *at = &ARTICULATION(a.world, head, a.slot)->first_loop;
    while (*at != LODE__NONE)
        at = &JOINT(a.world, loop, *at)->next;
    *at = j.slot;
    *JOINT(a.world, loop, j.slot) = (lode__joint_loop){a.slot + 1, LODE__NONE};
    return LODE_OK;
}

lode_status lode_articulation_remove_loop_joint(lode_articulation articulation, lode_joint joint)
{
    lode__object a, j;
    lode_status status = open_both(&a, &j, articulation, joint, __func__);
    if (!status)
        status = lode__check(JOINT(a.world, loop, j.slot)->articulation == a.slot + 1, __func__,
                             "joint", "is no loop joint of this articulation");
    if (!status)
        lode__loop_leave(a.world, j.slot);
    return status;
}

int lode_articulation_get_loop_joints(lode_articulation articulation, lode_joint *out_joints,
                                      int first, int capacity)
{
    lode__object a;
    int count = 0;
    if (lode__open_articulation(&a, articulation, __func__) ||
        lode__check(first >= 0, __func__, "first", "must be at least 0") ||
        lode__check_capacity(out_joints, capacity, __func__, "out_joints"))
        return 0;
    EACH_LOOP(a.world, a.slot, joint)
    {
        if (count >= first && count - first < capacity)
            out_joints[count - first] = joint_handle(a.world, joint);
        ++count;
    }
    return count;
}

int lode_articulation_count_loop_rows(lode_articulation articulation)
{
    lode__object a;
    return lode__open_articulation(&a, articulation, __func__)
               ? 0
               : (int)lode__loops_rows(a.world, a.slot);
}
