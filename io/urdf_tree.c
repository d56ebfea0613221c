/* urdf_tree.c: names to numbers, and whether links and joints are one tree. A link has at most one
 * inbound joint, so what cannot be reached from the only root hangs on a circle. */
#include "io/shown.h"
#include "io/urdf_model.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *name;
    int index, line;
} entry;

typedef struct names {
    entry *entries; /* by name, and by number */
    size_t count;
} names;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_name(const void *name, const void *b)
{
    return strcmp(name, ((const entry *)b)->name);
}

static lode__io_shown show(const char *name)
{
    return lode__io_show(name, strlen(name));
}

/* -1: there is none. */
static int find(const names *in, const char *name)
{
    const entry *found = in->count
                             ? bsearch(name, in->entries, in->count, sizeof *found, compare_name)
                             : NULL;
    return found ? found->index : -1;
}

static void sort(lode__urdf *u, names *in, const char *what)
{
    if (in->count > 0)
        qsort(in->entries, in->count, sizeof *in->entries, compare);
    for (size_t i = 1; i < in->count; ++i)
        if (strcmp(in->entries[i - 1].name, in->entries[i].name) == 0)
            lode__urdf_fault(u, in->entries[i].line, "%s: name %s is that of another %s", what,
                             show(in->entries[i].name).text, what);
}

static names index_links(lode__urdf *u)
{
    names links = {.count = (size_t)u->link_count};
    links.entries = lode__io_alloc(u->memory, links.count * sizeof *links.entries);
    for (int i = 0; i < u->link_count; ++i)
        links.entries[i] = (entry){u->links[i].name, i, u->links[i].line};
    sort(u, &links, "link");
    return links;
}

static names index_joints(lode__urdf *u)
{
    names joints = {.count = (size_t)u->joint_count};
    joints.entries = lode__io_alloc(u->memory, joints.count * sizeof *joints.entries);
    for (int i = 0; i < u->joint_count; ++i)
        joints.entries[i] = (entry){u->joints[i].name, i, u->joints[i].line};
    sort(u, &joints, "joint");
    return joints;
}

/* --- joints to links */

static int find_link(lode__urdf *u, const names *links, const char *name, int line,
                     const char *what)
{
    int link = find(links, name);
    if (link < 0)
        lode__urdf_fault(u, line, "%s: there is no link %s", what, show(name).text);
    return link;
}

static void tie_joint(lode__urdf *u, const names *links, int i)
{
    lode__urdf_joint *joint = &u->joints[i];
    joint->parent = find_link(u, links, joint->parent_name, joint->parent_line, "parent");
    joint->child = find_link(u, links, joint->child_name, joint->child_line, "child");
    if (u->fault[0])
        return;
    lode__urdf_link *parent = &u->links[joint->parent], *child = &u->links[joint->child];
    if (child->inbound >= 0)
        lode__urdf_fault(u, joint->child_line,
                         "child: link %s has two parents, by joints %s and %s",
                         show(child->name).text, show(u->joints[child->inbound].name).text,
                         show(joint->name).text);
    child->inbound = i;
    if (parent->first_child < 0)
        parent->first_child = joint->child;
    else
        u->links[parent->last_child].next = joint->child;
    parent->last_child = joint->child;
}

static void tie_mimic(lode__urdf *u, const names *joints, lode__urdf_joint *joint)
{
    if (!joint->mimic_name)
        return;
    joint->mimic = find(joints, joint->mimic_name);
    if (joint->mimic < 0)
        lode__urdf_fault(u, joint->mimic_line, "mimic: there is no joint %s",
                         show(joint->mimic_name).text);
}

/* Joints that mimic one another in a circle have no one to follow. */
static void check_mimics(lode__urdf *u)
{
    for (int i = 0; i < u->joint_count; ++i) {
        const lode__urdf_joint *joint = &u->joints[i];
        /* the mark moves on at powers of two, so it is met where there is a circle (Brent) */
        const lode__urdf_joint *mark = joint;
        for (int steps = 1; joint->mimic_name; ++steps) {
            joint = &u->joints[joint->mimic];
            if (joint == mark) {
                lode__urdf_fault(u, joint->mimic_line, "mimic: the joint would mimic itself");
                return;
            }
            if ((steps & (steps - 1)) == 0)
                mark = joint;
        }
    }
}

/* --- the tree */

static int find_root(lode__urdf *u)
{
    int root = -1;
    for (int i = 0; i < u->link_count && !u->fault[0]; ++i) {
        if (u->links[i].inbound >= 0)
            continue;
        if (root >= 0)
            lode__urdf_fault(u, u->links[i].line, "link: %s is a second root, beside %s",
                             show(u->links[i].name).text, show(u->links[root].name).text);
        root = i;
    }
    if (u->link_count == 0)
        lode__urdf_fault(u, u->line, "robot: link is missing");
    if (root < 0)
        lode__urdf_fault(u, u->line, "robot: has no root, since each link is the child of another");
    return root;
}

/* The one of a circle that comes first in the file; `link` hangs on it. */
static void fault_circle(lode__urdf *u, int link)
{
    for (int i = 0; i < u->link_count; ++i)
        link = u->joints[u->links[link].inbound].parent;
    int first = u->links[link].inbound, at = link;
    do {
        int joint = u->links[at].inbound;
        first = joint < first ? joint : first;
        at = u->joints[joint].parent;
    } while (at != link);
    lode__urdf_fault(u, u->joints[first].line, "joint: %s is part of a circle of joints",
                     show(u->joints[first].name).text);
}

/* Breadth first. */
static void put_in_order(lode__urdf *u, int root)
{
    int count = 0;
    bool *reached = lode__io_alloc(u->memory, (size_t)u->link_count * sizeof *reached);
    memset(reached, 0, (size_t)u->link_count * sizeof *reached);
    u->order = lode__io_alloc(u->memory, (size_t)u->link_count * sizeof *u->order);
    u->order[count++] = root;
    reached[root] = true;
    for (int i = 0; i < count; ++i)
        for (int c = u->links[u->order[i]].first_child; c >= 0; c = u->links[c].next) {
            u->order[count++] = c;
            reached[c] = true;
        }
    for (int i = 0; i < u->link_count && count < u->link_count && !u->fault[0]; ++i)
        if (!reached[i])
            fault_circle(u, i);
}

void lode__urdf_tie(lode__urdf *u)
{
    names links = index_links(u), joints = index_joints(u);
    for (int i = 0; i < u->joint_count && !u->fault[0]; ++i) {
        tie_joint(u, &links, i);
        tie_mimic(u, &joints, &u->joints[i]);
    }
    if (!u->fault[0])
        check_mimics(u);
    int root = u->fault[0] ? -1 : find_root(u);
    if (!u->fault[0])
        put_in_order(u, root);
}
