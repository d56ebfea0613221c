/* ahead_mesh.c: see ahead_mesh.h. */
#include "ode/collision/ahead_mesh.h"

#include "ode/collision/ahead.h"
#include "ode/collision/trimesh.h"

#include "collide/many.h"

#include <string.h>

/* So many pairs ahead their lists are asked for. */
enum { FETCH_AHEAD = 4 };

/* One whose triangles the program does not speak about. */
static bool is_silent_mesh(dGeomID geom)
{
    return geom->number == dTriMeshClass && geom->shape_data && !trimesh_of(geom)->accept &&
           !trimesh_of(geom)->hear_all;
}

bool lode__ode_meets_mesh(dGeomID a, dGeomID b)
{
    bool meets = (a->class->solid && is_silent_mesh(b)) || (b->class->solid && is_silent_mesh(a));
    return meets && lode__ode_is_plain_pair(a, b);
}

static lode__many_view view_of(const lode__ode_mesh_pair *pair, lode__pose around[2])
{
    const dGeomID geoms[2] = {pair->a, pair->b};
    lode__place place[2];
    for (int x = 0; x < 2; ++x) {
        place[x] = lode__place_on(&geoms[x]->geometry, pair->pose[x], geoms[x]->shape_data);
        around[x].position = place[x].arm;
        around[x].rotation = place[x].view.rotation;
    }
    lode__many_view view = {.kernels = lode__ode_kernels(),
                            .a = &pair->a->geometry,
                            .b = &pair->b->geometry,
                            .pose_a = &around[0],
                            .pose_b = &around[1],
                            .data_a = pair->a->shape_data,
                            .data_b = pair->b->shape_data,
                            .apart = v3_sub(place[0].body, place[1].body),
                            .reach = pair->gap,
                            .mesh_is_a = pair->a->number == dTriMeshClass};
    view.offset = v3_sub(v3_sub(place[1].arm, place[0].arm), view.apart);
    return view;
}

/* The list belongs to the solid's slot: what it says is about a mesh, and it says which. */
static uint32_t slot_of(const lode__ode_mesh_pair *pair)
{
    return (pair->a->number == dTriMeshClass ? pair->b : pair->a)->slot;
}

/* Points that there is no room for leave the pair unknown. */
static void take_points(const lode__many_list *list, const lode__many_pair *found,
                        const lode__ode_mesh_pair *pair, lode__ode_mesh_block *out)
{
    uint32_t first = out->point_count;
    for (uint32_t i = 0; i < found->count; ++i) {
        const lode__cluster *cluster = &list->clusters[found->first + i];
        for (int k = 0; k < cluster->count; ++k) {
            if (!(cluster->points[k].depth > -pair->gap))
                continue;
            if (out->point_count == LODE__ODE_AHEAD_POINTS) {
                out->point_count = first;
                out->known[pair->at] = false;
                return;
            }
            out->points[out->point_count++] = (lode__two_point){.point = cluster->points[k],
                                                                .normal = cluster->normal};
        }
    }
    out->first[pair->at] = (uint16_t)first;
    out->count[pair->at] = (uint16_t)(out->point_count - first);
}

void lode__ode_mesh_compute(dSpaceID space, const lode__ode_mesh_pair *pairs, uint32_t count,
                            lode__ode_mesh_block *out)
{
    lode__ode_nearness *near = &space->near;
    lode__many_list *list = &near->touching;
    lode__many_flow flow;
    out->point_count = 0;
    list->pair_count = list->cluster_count = 0;
    list->failed = false;
    lode__many_flow_begin(&flow, NULL, NULL, LODE__ODE_SPECULATIVE, list);
    for (uint32_t i = 0; i < count; ++i) {
        const lode__ode_mesh_pair *pair = &pairs[i];
        if (i + FETCH_AHEAD < count)
            lode__near_fetch(&near->lists, slot_of(&pairs[i + FETCH_AHEAD]));
        lode__many_view view = view_of(pair, out->around[pair->at]);
        out->count[pair->at] = 0;
        out->known[pair->at] = pair->gap <= LODE__ODE_SPECULATIVE &&
                               lode__many_touch_view(&flow, &view, i,
                                                     near_list_of(&near->lists, slot_of(pair)));
    }
    lode__many_flush(&flow);
    for (uint32_t i = 0; i < list->pair_count && !list->failed; ++i) {
        const lode__many_pair *found = &list->pairs[i];
        take_points(list, found, &pairs[found->pair], out);
        if (found->wants_list)
            lode__near_lists_add(&near->lists, slot_of(&pairs[found->pair]));
    }
    if (list->failed)
        memset(out->known, 0, sizeof out->known);
}
