/* inner.c: see inner.h. Boxes, capsules and cylinders have solids of their own type within them;
 * of a hull it is the hull of some places that are found when it is made (hull_cores.c), so that it
 * is convex and within, however few they are. Of the application's classes only the support
 * function is known, and shrinking is all that can be done. */
#include "collide/inner.h"

#include "collide/hull.h"

/* Sizes of what is shrunk, by a part's number; how near parts may come, of their own ball. */
static const double shares[LODE__INNER_PARTS] = {0, 0.5, 0.05};
#define MARGIN 0.1

static lode__double3 shrunk_support(const lode__convex *convex, lode__double3 direction)
{
    const lode__shrunk *s = convex->data;
    lode__double3 at = s->whole->type->support(s->whole, direction);
    return d3_madd(s->middle, d3_sub(at, s->middle), s->share);
}

static const lode__convex_type shrunk_type = {shrunk_support, NULL, false};

static lode__double3 cores_support(const lode__convex *convex, lode__double3 direction)
{
    const lode_hull *hull = convex->data;
    lode__double3 best = hull->cores[0];
    double most = d3_dot(best, direction);
    for (uint32_t i = 1; i < hull->core_count; ++i) {
        double along = d3_dot(hull->cores[i], direction);
        if (along > most) {
            most = along;
            best = hull->cores[i];
        }
    }
    return best;
}

static const lode__convex_type cores_type = {cores_support, NULL, false};

/* --- the largest part, by type */

static double less(lode_real side, double radius)
{
    return (double)side - inner_depth((double)side, radius);
}

static void within_same_type(uint32_t type, const lode__convex *whole, double radius,
                             lode__inner *out)
{
    const lode_real *size = whole->size;
    double end;
    switch (type) {
    case LODE_CAPSULE:
        end = (double)size[0] + (double)size[1];
        out->size[1] = (lode_real)d_max(end - inner_depth(end, radius) - radius / 2, 0);
        out->size[0] = (lode_real)(radius / 2);
        break;
    case LODE_CYLINDER:
        out->size[0] = (lode_real)less(size[0], radius);
        out->size[1] = (lode_real)less(size[1], radius);
        break;
    default:
        for (int i = 0; i < 3; ++i)
            out->size[i] = (lode_real)less(size[i], radius);
    }
    out->solid = convex_make(whole->type, out->size, whole->data);
}

static bool largest_part(uint32_t type, const lode__convex *whole, double radius, lode__inner *out)
{
    switch (type) {
    case LODE_BOX:
    case LODE_CAPSULE:
    case LODE_CYLINDER:
        within_same_type(type, whole, radius, out);
        return true;
    case LODE_HULL:
        out->solid = (lode__convex){&cores_type, NULL, whole->data, 0};
        return ((const lode_hull *)whole->data)->core_count > 0;
    default:
        return false;
    }
}

bool lode__inner_part(int number, uint32_t type, const lode__convex *whole, lode__double3 middle,
                      double radius, lode__inner *out)
{
    double share = number == 0 ? shares[1] : shares[number];
    out->within = (1 - share) * radius;
    out->margin = MARGIN * share * radius;
    if (number == 0)
        return largest_part(type, whole, radius, out);
    out->shrunk = (lode__shrunk){whole, middle, share};
    out->solid = (lode__convex){&shrunk_type, NULL, &out->shrunk, whole->radius * share};
    return true;
}
