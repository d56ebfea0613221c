/* aggregate_image.c: aggregates in snapshots: their pool. Who is in one lies with the bodies and
 * articulations. */
#include "core/articulations.h"
#include "world/aggregate.h"
#include "world/snapshot.h"

static bool is_one(const lode__pool_image *aggregates, uint32_t in)
{
    return in == 0 || lode__image_has(aggregates, in - 1);
}

/* Links are in the aggregate of their articulation. */
static bool links_are_sound(const lode__articulations_image *image, const char *of_bodies)
{
    const lode__pool_image *links = &image->links;
    const char *ties = LODE__COLUMN(link, links, tie);
    const char *of_articulations = LODE__COLUMN(articulation, &image->articulations, aggregate);
    for (uint32_t l = lode__image_next(links, 0); l < links->end;
         l = lode__image_next(links, l + 1)) {
        lode__link_tie tie;
        uint32_t own, whole;
        LODE__LOAD(ties, l, &tie);
        LODE__LOAD(of_bodies, tie.body, &own);
        LODE__LOAD(of_articulations, tie.articulation, &whole);
        if (own != whole)
            return false;
    }
    return true;
}

bool lode__aggregates_are_sound(const lode__snapshot *from)
{
    const lode__pool_image *aggregates = &from->aggregates, *bodies = &from->bodies;
    const lode__pool_image *articulations = &from->articulations.articulations;
    const char *flags = LODE__COLUMN(aggregate, aggregates, flags);
    const char *of_bodies = LODE__COLUMN(body, bodies, aggregate);
    const char *of_articulations = LODE__COLUMN(articulation, articulations, aggregate);
    uint32_t value;
    for (uint32_t g = lode__image_next(aggregates, 0); g < aggregates->end;
         g = lode__image_next(aggregates, g + 1)) {
        LODE__LOAD(flags, g, &value);
        if (value & ~(uint32_t)LODE__AGGREGATE_SELF_TOUCHES)
            return false;
    }
    for (uint32_t b = lode__image_next(bodies, 0); b < bodies->end;
         b = lode__image_next(bodies, b + 1)) {
        LODE__LOAD(of_bodies, b, &value);
        if (!is_one(aggregates, value))
            return false;
    }
    for (uint32_t a = lode__image_next(articulations, 0); a < articulations->end;
         a = lode__image_next(articulations, a + 1)) {
        LODE__LOAD(of_articulations, a, &value);
        if (!is_one(aggregates, value))
            return false;
    }
    return links_are_sound(&from->articulations, of_bodies);
}

bool lode__aggregates_reserve(const lode__snapshot *from, lode__world *world)
{
    return lode__image_reserve(&from->aggregates, &world->aggregates) &&
           (from->aggregates.end == 0 ||
            lode__tree_reserve_groups(&world->collide.tree, from->aggregates.end));
}
