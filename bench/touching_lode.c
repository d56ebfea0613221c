/* touching_lode.c: Lode's ways to find out where pairs of solids touch; see touching.c.
 *
 * One by one and in batches are calls of the public interface. The stage is that of a step. The
 * kernel alone has its pairs lying ready, eight to a batch, and leaves its answers where they are;
 * boxes lie sorted by what decides about them, as the library would sort them. */
#include "bench/scene.h"
#include "bench/tool.h"
#include "bench/touching_shapes.h"

#include "collide/two_lanes.h"
#include "lode/lode.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static lode_vec3 vector(const double v[3])
{
    return (lode_vec3){(lode_real)v[0], (lode_real)v[1], (lode_real)v[2]};
}

lode_shape bench_make_shape(lode_body body, bench_form form, const bench_solid *solid,
                            lode_hull *hull)
{
    lode_shape_def def = lode_shape_def_default();
    lode_real x = (lode_real)solid->size[0], y = (lode_real)solid->size[1];
    switch (form) {
    case FORM_SPHERE:
        return lode_shape_create_sphere(body, &def, x);
    case FORM_BOX:
        return lode_shape_create_box(body, &def, vector(solid->size));
    case FORM_CAPSULE:
        return lode_shape_create_capsule(body, &def, x, y);
    case FORM_CYLINDER:
        return lode_shape_create_cylinder(body, &def, x, y);
    case FORM_HULL:
        return lode_shape_create_hull(body, &def, hull);
    default:
        return lode_shape_create_plane(body, &def, (lode_vec3){0, 0, 1}, 0);
    }
}

lode_body bench_make_body(lode_world world, bench_form form, const bench_solid *solid)
{
    const double *q = solid->rotation;
    lode_body_def def = lode_body_def_default();
    def.type = form == FORM_PLANE ? LODE_STATIC : LODE_DYNAMIC;
    if (form != FORM_PLANE) {
        def.position = vector(solid->position);
        def.rotation = (lode_quat){(lode_real)q[0], (lode_real)q[1], (lode_real)q[2],
                                   (lode_real)q[3]};
    }
    return lode_body_create(world, &def);
}

/* --- shapes in a world */

enum { POINTS = 4 };

typedef struct lode_side {
    lode_world world;
    lode_shape_pair *pairs;
    lode_pair_set *set;
    lode_collide_point *points;
    int *counts, count, found;
    int kind; /* of the kernel, LODE__TOUCH_KINDS for boxes */
    lode__pair_batch *batches;
    int batch_count;
} lode_side;

static void make_world(lode_side *side, const bench_touching *pairs)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = false;
    side->world = lode_world_create(&def);
    side->count = pairs->count;
    side->pairs = bench_alloc((size_t)pairs->count, sizeof *side->pairs);
    side->points = bench_alloc((size_t)pairs->count, POINTS * sizeof *side->points);
    side->counts = bench_alloc((size_t)pairs->count, sizeof *side->counts);
    for (int i = 0; i < pairs->count; ++i) {
        const bench_solid *solids[2] = {&pairs->a[i], &pairs->b[i]};
        const bench_form forms[2] = {pairs->form_a, pairs->form_b};
        lode_shape shapes[2];
        for (int k = 0; k < 2; ++k) {
            shapes[k] = i > 0 && forms[k] == FORM_PLANE
                            ? side->pairs[0].b
                            : bench_make_shape(bench_make_body(side->world, forms[k], solids[k]),
                                               forms[k], solids[k], pairs->shared);
            if (!shapes[k].id)
                bench_fail("Lode cannot make a shape");
        }
        side->pairs[i] = (lode_shape_pair){shapes[0], shapes[1]};
    }
}

static void *create(const bench_touching *pairs)
{
    lode_side *side = bench_alloc(1, sizeof *side);
    make_world(side, pairs);
    return side;
}

static void destroy(void *toucher)
{
    lode_side *side = toucher;
    lode_pair_set_destroy(side->set);
    lode_world_destroy(side->world);
    free(side->pairs);
    free(side->points);
    free(side->counts);
    free(side->batches);
    free(side);
}

static int found(void *toucher)
{
    return ((lode_side *)toucher)->found;
}

static void touch_each(void *toucher)
{
    lode_side *side = toucher;
    side->found = 0;
    for (int i = 0; i < side->count; ++i)
        side->found += lode_shape_collide(side->pairs[i].a, side->pairs[i].b, NULL, side->points,
                                          POINTS) > 0;
}

static void touch_batch(void *toucher)
{
    lode_side *side = toucher;
    side->found = lode_world_collide_pairs(side->world, side->pairs, side->count, NULL,
                                           side->points, POINTS, side->counts);
}

static void *create_set(const bench_touching *pairs)
{
    lode_side *side = create(pairs);
    side->set = lode_pair_set_create(side->world, side->pairs, side->count);
    if (!side->set)
        bench_fail("Lode cannot make a set of pairs");
    return side;
}

static void touch_set(void *toucher)
{
    lode_side *side = toucher;
    side->found = lode_pair_set_collide(side->set, NULL, side->points, POINTS, side->counts);
}

/* --- the stage */

static void *create_stage(const bench_touching *pairs)
{
    static const char *const before[] = {"wake", "bounds", "broad phase"};
    lode_side *side = create(pairs);
    for (int i = 0; i < (int)(sizeof before / sizeof before[0]); ++i)
        if (lode_world_run_stage(side->world, before[i], (lode_real)BENCH_DT) != LODE_OK)
            bench_fail("Lode cannot find pairs");
    return side;
}

/* The stage can run again and again. */
static void touch_stage(void *toucher)
{
    lode_side *side = toucher;
    if (lode_world_run_stage(side->world, "narrow phase", (lode_real)BENCH_DT) != LODE_OK)
        bench_fail("Lode cannot find contacts");
}

/* A step that is complete counts. */
static int found_stage(void *toucher)
{
    lode_world world = ((lode_side *)toucher)->world;
    lode_world_stats stats;
    if (lode_world_run_stage(world, "contact update", (lode_real)BENCH_DT) != LODE_OK ||
        lode_world_solve(world, (lode_real)BENCH_DT) != LODE_OK ||
        lode_world_get_stats(world, &stats) != LODE_OK)
        bench_fail("Lode cannot count");
    return stats.contacts;
}

/* --- the kernel alone */

static void add_shape(lode__pair_queue *queue, int x, lode_shape shape)
{
    lode__object found;
    if (!lode__find_shape(&found, shape))
        bench_fail("Lode has lost a shape");
    lode__lane_shape at = lane_shape_of(&found.world->collide, &found.world->bodies, found.slot);
    queue_set(queue, x, at.size, at.body);
}

static const lode__lane_cell *cell_of(const lode_side *side)
{
    lode_shape_type a = lode_shape_get_type(side->pairs[0].a);
    return lode__lane_cell_of(a, lode_shape_get_type(side->pairs[0].b));
}

static void begin_queue(const lode_side *side, int used, lode__pair_queue *out)
{
    lode_world_def def = lode_world_def_default();
    memset(out, 0, sizeof *out);
    out->batch.speculative = LODE__SPECULATIVE(&def);
    out->batch.used = used;
    out->batch.swapped = out->from.swapped = cell_of(side)->swapped;
    out->from.centered = true;
}

/* What decides about a pair of boxes. */
static int way_of(const lode_side *side, int i)
{
    lode__pair_queue one;
    begin_queue(side, 1, &one);
    add_shape(&one, 0, side->pairs[i].a);
    add_shape(&one, 1, side->pairs[i].b);
    lode__collide_kernels_plain.gather(&one.from, &one.batch);
    lode__collide_kernels_plain.box_way(&one.batch);
    return (int)one.batch.count.x[0];
}

/* Full batches alone: some pairs of boxes may be left over. */
static void add_batches(lode_side *side, int way)
{
    bool boxes = cell_of(side)->boxes;
    lode__pair_queue queue;
    begin_queue(side, LODE_LANES, &queue);
    for (int i = 0; i < side->count; ++i) {
        if (boxes && way_of(side, i) != way)
            continue;
        add_shape(&queue, 0, side->pairs[i].a);
        add_shape(&queue, 1, side->pairs[i].b);
        if (++queue.from.used < LODE_LANES)
            continue;
        lode__collide_kernels_plain.gather(&queue.from, &queue.batch);
        side->batches[side->batch_count++] = queue.batch;
        queue.from.used = 0;
    }
}

static void *create_kernel(const bench_touching *pairs)
{
    lode_side *side = create(pairs);
    if (!cell_of(side)->any) {
        destroy(side);
        return NULL;
    }
    size_t size = (size_t)(pairs->count / LODE_LANES) * sizeof *side->batches;
    side->batches = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!side->batches)
        bench_fail("out of memory");
    add_batches(side, LODE__BOXES_BY_FACE);
    if (cell_of(side)->boxes)
        add_batches(side, LODE__BOXES_BY_EDGES);
    return side;
}

static void touch_kernel(void *toucher)
{
    lode_side *side = toucher;
    lode__object world;
    const lode__lane_cell *cell = cell_of(side);
    if (!lode__find_shape(&world, side->pairs[0].a))
        bench_fail("Lode has lost a shape");
    const lode__collide_kernels *kernels = world.world->collide.kernels;
    lode__batch_fn *kernel = kernels->touch[cell->kind];
    for (int i = 0; i < side->batch_count; ++i)
        kernel(&side->batches[i]);
}

static int found_kernel(void *toucher)
{
    lode_side *side = toucher;
    int touching = 0;
    for (int i = 0; i < side->batch_count; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane)
            touching += side->batches[i].count.x[lane] > 0;
    return touching;
}

static int computed_kernel(void *toucher)
{
    return ((lode_side *)toucher)->batch_count * LODE_LANES;
}

const bench_toucher bench_toucher_each = {"one by one", create, destroy, touch_each, found, NULL};
const bench_toucher bench_toucher_batch = {"in batches", create, destroy, touch_batch, found, NULL};
const bench_toucher bench_toucher_set = {"in a set", create_set, destroy, touch_set, found, NULL};
const bench_toucher bench_toucher_kernel = {"kernel",     create_kernel, destroy,
                                            touch_kernel, found_kernel,  computed_kernel};
const bench_toucher bench_toucher_stage = {"stage",     create_stage, destroy,
                                           touch_stage, found_stage,  NULL};
