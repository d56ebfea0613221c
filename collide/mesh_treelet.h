/* mesh_treelet.h: the nodes of a mesh's tree where few triangles are left.
 *
 * A range is cut in two and again, down to leaves. Of all ways to take what was cut together, in
 * nodes of up to sixteen children, the one is found whose nodes have the least surface in all,
 * which is how many of them a ray comes to (Ylitie et al. 2017, "Efficient incoherent ray traversal
 * on GPUs through compressed wide BVHs"; leaves cost the same in any of them). */
#ifndef LODE_COLLIDE_MESH_TREELET_H
#define LODE_COLLIDE_MESH_TREELET_H

#include "collide/mesh_cut.h"

enum { LODE__TREELET = 1024 /* triangles at most */ };

typedef struct lode__treelet_part {
    lode__mesh_range range;
    uint32_t right; /* part; the left one is next; 0: this is a leaf */
    /* With one to sixteen slots of a node for all that is here: the least surface of nodes, and how
     * many slots the left part takes; 0: it takes one, a leaf or a node. */
    float cost[LODE__MESH_WIDE];
    uint8_t share[LODE__MESH_WIDE];
    uint8_t open; /* the left part's slots in a node of this one */
} lode__treelet_part;

typedef struct lode__treelet {
    uint32_t count;
    lode__treelet_part parts[2 * LODE__TREELET]; /* each before those it was cut in */
} lode__treelet;

/* The whole, of at most LODE__TREELET triangles, is part 0. */
void lode__treelet_make(lode__treelet *treelet, const lode__mesh_heap *heap,
                        const lode__mesh_range *whole);

/* The children of a part as a node, and how many they are; of a leaf it is the leaf itself. */
int lode__treelet_children(const lode__treelet *treelet, uint32_t part,
                           uint32_t out_parts[LODE__MESH_WIDE]);

#endif
