/* mesh_cores.c: balls within a mesh, for whoever asks when it would go through something.
 *
 * A convex solid has an inner part, the solid shrunk about its middle. A mesh may have a hole where
 * its middle is, so it has several: *cores*, balls that fill it from behind some of its faces. Each
 * is the largest that touches the middle of its face and reaches no other, found by shrinking it to
 * what is nearest to its centre until nothing is nearer (Ma, Bae, Choi 2012, "3D medial axis point
 * approximation using nearest neighbors and the normal field"). Of those of some faces, taken all
 * over the mesh, the largest is a core, and then, one after another, the one that sticks out most
 * from those chosen, so that long and bent meshes have some at all ends.
 *
 * What encloses nothing has cores of radius 0: middles of its faces. */
#include "collide/surface.h"

enum { CANDIDATES = 48, SHRINKINGS = 24 };

/* A core's radius is not less than this share of the largest, */
#define SMALLEST 0.25
/* and it sticks out by this share of its radius, or it says nothing new. */
#define NEWS 0.25

/* Of the radius: rounding that is no reason to shrink. */
#define SHRUNK 1e-3

static lode__double3 middle_of(const lode__triangle *t)
{
    lode__double3 sum = d3_add(d3_add(d3_from(t->v[0]), d3_from(t->v[1])), d3_from(t->v[2]));
    return d3_scale(sum, 1.0 / 3);
}

/* The ball behind a face of a solid. False: none is found. */
static bool fill(const lode__mesh *mesh, uint32_t triangle, double largest, lode__mesh_core *out)
{
    lode__triangle t = mesh_triangle(mesh, triangle);
    lode__double3 on = middle_of(&t), in = d3_neg(lode__mesh_normal(mesh, triangle));
    double radius = largest;
    lode__mesh_nearest near;
    for (int i = 0; i < SHRINKINGS; ++i) {
        out->at = d3_madd(on, in, radius);
        if (!lode__surface_find_nearest(&mesh->data, v3_zero(), out->at, __builtin_inf(), &near))
            return false;
        out->radius = near.distance;
        if (!(near.distance < radius * (1 - SHRUNK)))
            break;
        lode__double3 way = d3_sub(near.point, on);
        double deep = d3_dot(way, in);
        if (!(deep > 0))
            return false;
        radius = d_min(d3_dot(way, way) / (2 * deep), radius * (1 - SHRUNK));
    }
    return out->radius > 0 && lode__surface_holds(&mesh->data, out->at);
}

/* By how much a ball sticks out from all that are chosen. */
static double news_of(const lode__mesh *mesh, const lode__mesh_core *ball)
{
    double least = __builtin_inf();
    for (uint32_t i = 0; i < mesh->core_count; ++i) {
        const lode__mesh_core *core = &mesh->cores[i];
        double apart = d3_length(d3_sub(ball->at, core->at));
        least = d_min(least, apart + ball->radius - core->radius);
    }
    return least;
}

static void choose(lode__mesh *mesh, const lode__mesh_core *balls, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (balls[i].radius > balls[best].radius)
            best = i;
    while (count > 0 && mesh->core_count < LODE__MESH_CORES) {
        mesh->cores[mesh->core_count++] = balls[best];
        double most = 0, least = SMALLEST * mesh->cores[0].radius;
        for (int i = 0; i < count; ++i) {
            double news = news_of(mesh, &balls[i]);
            if (balls[i].radius >= least && news > NEWS * balls[i].radius && news > most) {
                most = news;
                best = i;
            }
        }
        if (!(most > 0))
            return;
    }
}

void lode__mesh_find_cores(lode__mesh *mesh)
{
    lode__mesh_core balls[CANDIDATES];
    int tried = mesh->counted < CANDIDATES ? (int)mesh->counted : CANDIDATES, count = 0;
    double largest = d3_length(d3_sub(d3_from(mesh->upper), d3_from(mesh->lower))) / 2;
    for (int i = 0; i < tried && mesh_is_solid(mesh); ++i) {
        uint64_t place = (uint64_t)mesh->counted * (uint64_t)i / (uint64_t)tried;
        count += fill(mesh, mesh->order[place], largest, &balls[count]);
    }
    for (int i = 0, found = count; i < tried && found == 0; ++i) {
        uint64_t place = (uint64_t)mesh->counted * (uint64_t)i / (uint64_t)tried;
        lode__triangle t = mesh_triangle(mesh, mesh->order[place]);
        balls[count++] = (lode__mesh_core){middle_of(&t), 0};
    }
    choose(mesh, balls, count);
}
