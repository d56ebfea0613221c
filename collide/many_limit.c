/* many_limit.c: how many points of a pair with many manifolds count.
 *
 * Clusters keep four points each, which stand for all. Where that leaves some out, or is more than
 * the pair's materials want, the deepest are looked for among all points, before they are reduced,
 * and what is left is grouped again. */
#include "collide/many.h"

static uint64_t materials_of_cluster(const lode__many_view *v, const lode__cluster *cluster)
{
    const lode__point *p = &cluster->points[0];
    return (uint64_t)material_at(v->materials.table, v->materials.a, v->data_a, p->child_a) << 32 |
           material_at(v->materials.table, v->materials.b, v->data_b, p->child_b);
}

/* Lists the points of these materials. */
static bool list_points(const lode__many_view *v, const lode__mesh_points *points,
                        uint64_t materials, lode__two_list *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < points->count; ++i) {
        const lode__mesh_point *p = &points->items[i];
        lode__two_point point = {.normal = lode__many_normal(v, p->normal), .index = i};
        if (many_materials(v, p) != materials)
            continue;
        lode__many_point(v, p, &point.point);
        if (!lode__two_list_add(out, &point))
            return false;
    }
    return true;
}

/* Leaves those of other materials, and of these the ones that are kept, which are in order. */
static void leave(const lode__many_view *v, lode__mesh_points *points, uint64_t materials,
                  const lode__two_list *kept)
{
    uint32_t count = 0, k = 0;
    for (uint32_t i = 0; i < points->count; ++i) {
        bool stays = k < kept->count && kept->items[k].index == i;
        k += stays;
        if (stays || many_materials(v, &points->items[i]) != materials)
            points->items[count++] = points->items[i];
    }
    points->count = count;
}

/* Leaves the deepest of these materials; false: out of memory. */
static bool limit(const lode__many_view *v, lode_real speculative, lode__many_list *list,
                  uint64_t materials, uint32_t most)
{
    lode__two_list *deepest = &list->deepest;
    if (!list_points(v, &list->points, materials, deepest)) {
        list->failed = true;
        return false;
    }
    lode__keep_deepest(deepest, most, speculative);
    leave(v, &list->points, materials, deepest);
    return true;
}

bool lode__many_limit(const lode__many_view *v, lode_real speculative, lode__many_list *list,
                      uint32_t first)
{
    bool any = false, swapped;
    for (uint32_t i = first; i < list->cluster_count; ++i) {
        uint64_t materials = materials_of_cluster(v, &list->clusters[i]);
        uint32_t points = 0, before = 0, all = 0;
        for (uint32_t k = first; k < list->cluster_count; ++k)
            if (materials_of_cluster(v, &list->clusters[k]) == materials) {
                points += (uint32_t)list->clusters[k].count;
                before += k < i;
            }
        const lode__material_rule *rule = lode__materials_find(
            v->materials.table, (uint32_t)(materials >> 32), (uint32_t)materials, &swapped);
        for (uint32_t k = 0; k < list->points.count && before == 0; ++k)
            all += many_materials(v, &list->points.items[k]) == materials;
        if (before == 0 && (all > points || points > rule->max_contacts))
            any = limit(v, speculative, list, materials, rule->max_contacts) || any;
    }
    return any;
}
