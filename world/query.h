/* query.h: how a public query begins, and what queries share. */
#ifndef LODE_WORLD_QUERY_H
#define LODE_WORLD_QUERY_H

#include "collide/ray.h"
#include "world/world.h"

/* What a query sees, with what the caller's own filter needs. It holds a pointer to itself: it must
 * stay where it was filled. */
typedef struct lode__query {
    lode__world *world;
    lode_query_filter filter;
    uint32_t space; /* the filter's, or LODE__NONE */
    lode__scope scope;
} lode__query;

/* Opens a world for a query with this filter, null for the defaults; all shapes are then placed. */
lode_status lode__query_begin(lode__query *out, lode_world world, const lode_query_filter *filter,
                              const char *function);

/* The same, for a query that follows as many lines through the world. */
lode_status lode__query_begin_lines(lode__query *out, lode_world world,
                                    const lode_query_filter *filter, int lines,
                                    const char *function);

/* For a query on opened objects, which it sees whatever their filters say. */
void lode__query_begin_in(lode__query *out, lode__world *world);

/* A finite direction, made a unit vector. */
lode_status lode__check_direction(lode_vec3 *direction, const char *function, const char *argument);

#endif
